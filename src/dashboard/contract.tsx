import * as React from 'react';
import { CopyBox } from '../components/copy';
import { PartView, shown } from '../components/part';
import { useUi } from '../components/ui';
import { Known, PhraseLine, Text } from '../components/words';
import type { ContractPage, Standing } from '../wire';
import { standingLabel } from '../words';
import { Record } from './record';

/** Under these the record says that the connection is agreed now. */
const AGREED: ReadonlySet<Standing> = new Set<Standing>([
  'in_force',
  'review_due'
]);

/** The contract tab: what it is and is not in the first line, then owners, what is recorded, what is not, where it differs, and a draft. */
export function Contract(props: {
  page: ContractPage;
  /** Opens the draft in a new editor tab; absent where JupyterLab offers no document manager. */
  onDraft?: (fileName: string, text: string) => Promise<void>;
}): JSX.Element {
  const { trans } = useUi();
  const { page, onDraft } = props;
  const contract = shown(page.contract);
  // who is governed can't approve herself: a self-declared record agrees to nothing
  const agreed =
    contract !== null && contract.platform && AGREED.has(contract.standing);
  return (
    <div className="hpgov-Contract">
      <p className="hpgov-Lead">
        {agreed
          ? page.rights_role
            ? trans.__(
                'Agreed for this project; your rights come from the role'
              )
            : trans.__(
                'Agreed for this project; your rights come from your role on the cluster.'
              )
          : page.rights_role
            ? trans.__('Your rights come from the role')
            : trans.__('Your rights come from your role on the cluster.')}
        {page.rights_role && (
          <>
            {' '}
            <Text value={page.rights_role} code /> {trans.__('on the cluster.')}
          </>
        )}{' '}
        {trans.__('This informs you and is no evidence for others.')}
      </p>
      <PartView part={page.contract} what={trans.__('Contract')}>
        {view => <Record view={view} />}
      </PartView>
      {page.platform_words.length > 0 && (
        <>
          <h4>{trans.__("The platform's words, not a contract")}</h4>
          <ul className="hpgov-List">
            {page.platform_words.map((phrase, i) => (
              <li key={`${phrase.code} ${i}`}>
                <PhraseLine phrase={phrase} />
              </li>
            ))}
          </ul>
        </>
      )}
      {page.others.length > 0 && (
        <>
          <h4>{trans.__('Other records of this connection')}</h4>
          {page.others.map((view, i) => (
            <details key={`${view.kept} ${i}`} className="hpgov-Details">
              <summary>
                <Known value={view.kept} />:{' '}
                {standingLabel(trans, view.standing)}
                {!view.platform && (
                  <span className="hpgov-Tag">{trans.__('self-declared')}</span>
                )}
              </summary>
              <Record view={view} />
            </details>
          ))}
        </>
      )}
      <Draft {...props} onDraft={onDraft} />
    </div>
  );
}

function Draft(props: {
  page: ContractPage;
  onDraft?: (fileName: string, text: string) => Promise<void>;
}): JSX.Element {
  const { trans } = useUi();
  const { draft } = props.page;
  const { onDraft } = props;
  const [failed, setFailed] = React.useState(false);
  return (
    <section className="hpgov-Draft">
      <h4>{trans.__('Draft a contract')}</h4>
      <p className="hpgov-Muted">
        {trans.__(
          'A contract to fill in, from what is known. It is written nowhere by this panel; keep it as'
        )}{' '}
        <Text value={draft.file_name} code />.
      </p>
      {onDraft && draft.text !== null && (
        <button
          type="button"
          className="hpgov-Button hpgov-mod-main"
          onClick={() => {
            setFailed(false);
            onDraft(draft.file_name, draft.text ?? '').catch(() =>
              setFailed(true)
            );
          }}
        >
          {trans.__('Open the draft in a new editor tab')}
        </button>
      )}
      {failed && (
        <p role="alert">
          {trans.__('No file could be opened here; copy the draft instead.')}
        </p>
      )}
      <details className="hpgov-Details">
        <summary>{trans.__('Show the draft')}</summary>
        <CopyBox title={trans.__('Draft')} value={draft.text} />
      </details>
    </section>
  );
}
