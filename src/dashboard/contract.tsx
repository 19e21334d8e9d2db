import * as React from 'react';
import { CopyBox } from '../components/copy';
import { standing } from '../components/labels';
import { PartView, shown } from '../components/part';
import { useUi } from '../components/ui';
import {
  At,
  Known,
  Link,
  OnDate,
  PhraseLine,
  Said,
  Text
} from '../components/words';
import type { ContractPage, ContractView, Entry } from '../wire';

/** The contract tab: what it is and is not in the first line, then owners, what is recorded, what is not, where it differs, and a draft. */
export function Contract(props: {
  page: ContractPage;
  /** Opens the draft in a new editor tab; absent where JupyterLab offers no document manager. */
  onDraft?: (fileName: string, text: string) => Promise<void>;
}): JSX.Element {
  const { trans } = useUi();
  const { page, onDraft } = props;
  const contract = shown(page.contract);
  const found = contract !== null && contract.standing !== 'none';
  return (
    <div className="hpgov-Contract">
      <p className="hpgov-Lead">
        {found
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
                <Known value={view.kept} />: {standing(trans, view.standing)}
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

function Record(props: { view: ContractView }): JSX.Element {
  const { trans } = useUi();
  const { view } = props;
  const recorded = view.facts.filter(fact => fact.value !== null);
  const missing = view.facts.filter(fact => fact.value === null);
  return (
    <>
      <p className="hpgov-Contract-line">
        <span className="hpgov-Badge" data-standing={view.standing}>
          {standing(trans, view.standing)}
        </span>{' '}
        {view.line && <PhraseLine phrase={view.line} />}
        {!view.platform && view.rank !== null && (
          <span className="hpgov-Tag">{trans.__('self-declared')}</span>
        )}
      </p>
      {view.problems.length > 0 && (
        <>
          <h4>{trans.__('What is wrong with it')}</h4>
          <ul className="hpgov-List">
            {view.problems.map((problem, i) => (
              <li key={i}>
                <Text value={problem.file} code />
                {problem.line !== null && (
                  <>
                    {', '}
                    {problem.column !== null
                      ? trans.__(
                          'line %1, column %2',
                          problem.line,
                          problem.column
                        )
                      : trans.__('line %1', problem.line)}
                  </>
                )}
                {problem.path && (
                  <>
                    {', '}
                    <Text value={problem.path} code />
                  </>
                )}
                : <PhraseLine phrase={problem.rule} />
              </li>
            ))}
          </ul>
        </>
      )}
      {view.owners.length > 0 && (
        <>
          <h4>{trans.__('Who answers for it')}</h4>
          <ul className="hpgov-Owners">
            {view.owners.map((owner, i) => (
              <li key={`${owner.role} ${i}`}>
                <span className="hpgov-Muted">
                  <Text value={ownerRole(trans, owner.role)} />
                </span>{' '}
                <strong>
                  <Text value={owner.name} />
                </strong>
                {owner.contact && (
                  <div>
                    <Link value={owner.contact} />
                  </div>
                )}
                {owner.escalation && (
                  <div className="hpgov-Muted">
                    {trans.__('Escalation')}: <Link value={owner.escalation} />
                  </div>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {view.standing !== 'none' && (
        <dl className="hpgov-Facts">
          <dt>{trans.__('Record')}</dt>
          <dd>{view.record ? <Link value={view.record} /> : '–'}</dd>
          <dt>{trans.__('Agreed until')}</dt>
          <dd>
            {view.agreed_until ? (
              <OnDate value={view.agreed_until} />
            ) : (
              trans.__('no end date')
            )}
          </dd>
          <dt>{trans.__('Next review')}</dt>
          <dd>
            <OnDate value={view.next_review} />
          </dd>
          <dt>{trans.__('Approved by')}</dt>
          <dd>
            <Known value={view.approved_by} />
            {view.approved_on && (
              <>
                {', '}
                <OnDate value={view.approved_on} />
              </>
            )}
          </dd>
          <dt>{trans.__('Purpose')}</dt>
          <dd>
            <Known value={view.purpose} />
          </dd>
          <Listed label={trans.__('Namespaces')} values={view.namespaces} />
          <Listed
            label={trans.__('Slurm accounts')}
            values={view.slurm_accounts}
          />
          <Listed
            label={trans.__('Workload kinds')}
            values={view.workload_kinds}
          />
          <Listed
            label={trans.__('Service accounts')}
            values={view.service_accounts}
          />
          {view.shares.map(share => (
            <React.Fragment key={share.instance_type}>
              <dt>
                {trans.__('Share')} <Text value={share.instance_type} />
              </dt>
              <dd>
                <Text value={share.count} />
              </dd>
            </React.Fragment>
          ))}
          {recorded.map(fact => (
            <React.Fragment key={fact.field}>
              <dt>
                <Said code={fact.field} then={false} />
              </dt>
              <dd>
                <Known value={fact.value} />
              </dd>
            </React.Fragment>
          ))}
          <dt>{trans.__('Kept in')}</dt>
          <dd>
            <Known value={view.kept} />
            {view.version !== null ? (
              <div className="hpgov-Muted">
                {trans.__('version')} <Text value={view.version} code />
              </div>
            ) : (
              <div className="hpgov-Muted">
                {trans.__('version not recorded')}
              </div>
            )}
            {view.kept_at !== null && (
              <div className="hpgov-Muted">
                {trans.__('written')} <At at={view.kept_at} />
              </div>
            )}
          </dd>
        </dl>
      )}
      {missing.length > 0 && (
        <p className="hpgov-Muted">
          {trans.__('Not recorded')}:{' '}
          {missing.map((fact, i) => (
            <React.Fragment key={fact.field}>
              {i > 0 && ', '}
              <Said code={fact.field} then={false} />
            </React.Fragment>
          ))}
        </p>
      )}
      {view.differences.length > 0 && (
        <>
          <h4>{trans.__('Where records differ; this one counts')}</h4>
          <div
            className="hpgov-Scroll"
            tabIndex={0}
            role="region"
            aria-label={trans.__('Differences')}
          >
            <table className="hpgov-Table">
              <caption className="hpgov-Hidden">
                {trans.__('Differences')}
              </caption>
              <thead>
                <tr>
                  <th scope="col">{trans.__('Field')}</th>
                  <th scope="col">{trans.__('Here')}</th>
                  <th scope="col">{trans.__('There')}</th>
                  <th scope="col">{trans.__('Kept in')}</th>
                </tr>
              </thead>
              <tbody>
                {view.differences.map((difference, i) => (
                  <tr key={`${difference.field} ${i}`}>
                    <th scope="row">
                      <Said code={difference.field} then={false} />
                    </th>
                    <td>
                      <Known value={difference.here} />
                    </td>
                    <td>
                      <Known value={difference.there} />
                    </td>
                    <td>
                      <Text value={difference.there_kept} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
      <Entries label={trans.__('Exceptions')} entries={view.exceptions} />
      <Entries label={trans.__('Decisions')} entries={view.decisions} />
    </>
  );
}

function ownerRole(
  trans: ReturnType<typeof useUi>['trans'],
  role: string
): string {
  switch (role) {
    case 'business':
      return trans.__('business owner');
    case 'operations':
      return trans.__('operations');
    case 'cost':
      return trans.__('cost');
    case 'exceptions':
      return trans.__('exceptions');
    default:
      return role;
  }
}

function Listed(props: {
  label: string;
  values: readonly string[];
}): JSX.Element | null {
  if (!props.values.length) {
    return null;
  }
  return (
    <>
      <dt>{props.label}</dt>
      <dd>
        {props.values.map((value, i) => (
          <React.Fragment key={value}>
            {i > 0 && ', '}
            <Text value={value} />
          </React.Fragment>
        ))}
      </dd>
    </>
  );
}

function Entries(props: {
  label: string;
  entries: readonly Entry[];
}): JSX.Element | null {
  const { trans } = useUi();
  if (!props.entries.length) {
    return null;
  }
  return (
    <>
      <h4>{props.label}</h4>
      <ul className="hpgov-List">
        {props.entries.map((entry, i) => (
          <li key={i}>
            <Text value={entry.what} />
            <span className="hpgov-Muted">
              {entry.by && (
                <>
                  {' · '}
                  <Text value={entry.by} />
                </>
              )}
              {entry.on && (
                <>
                  {' · '}
                  <OnDate value={entry.on} />
                </>
              )}
              {entry.until && (
                <>
                  {' · '}
                  {trans.__('until')} <OnDate value={entry.until} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
