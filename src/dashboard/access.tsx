import * as React from 'react';
import { CopyBox } from '../components/copy';
import { IdentityFacts } from '../components/identity';
import { Keep } from '../components/keep';
import { keyed, keyedNames } from '../components/keys';
import { SIGNS } from '../components/part';
import { Cell, Head } from '../components/table';
import { useUi } from '../components/ui';
import { Ago, PhraseLine, Said, Text } from '../components/words';
import { askLabel, layerLabel, stateLabel } from '../words';
import type { AccessPage, AccessRow, CopyText } from '../wire';

/** One table instead of a wall of cards: what is read, what for, allowed or not, who grants it; and the request to copy. */
export function Access(props: { page: AccessPage }): JSX.Element {
  const { trans } = useUi();
  const { page } = props;
  const rows = byNeed(page.rows);
  return (
    <div className="hpgov-Access">
      <h4>{trans.__('Whose rights are used')}</h4>
      <IdentityFacts identity={page.identity} />
      {page.notes.length > 0 && (
        <ul className="hpgov-Notes">
          {page.notes.map((note, i) => (
            <li key={`${note.code} ${i}`}>
              <PhraseLine phrase={note} />
            </li>
          ))}
        </ul>
      )}
      {page.request.length > 0 && (
        <>
          <h4>{trans.__('Copy request to admin')}</h4>
          {page.request.map((copied, i) => (
            <Request key={`${copied.title} ${i}`} copied={copied} />
          ))}
        </>
      )}
      <h4>{trans.__('What is read')}</h4>
      <p className="hpgov-Muted">
        {trans.__(
          'Allowed: %1 of %2; not tried yet: %3.',
          rows.filter(row => row.last.state === 'ok').length,
          rows.length,
          rows.filter(row => row.last.state === 'pending').length
        )}
      </p>
      <Keep label={trans.__('What is read')}>
        <table role="table" className="hpgov-Table hpgov-mod-stack">
          <caption className="hpgov-Hidden">
            {trans.__('What is read, what for, allowed or not, who grants it')}
          </caption>
          <thead role="rowgroup">
            <tr role="row">
              <Head>{trans.__('Read')}</Head>
              <Head>{trans.__('Needed for')}</Head>
              <Head>{trans.__('Allowed')}</Head>
              <Head>{trans.__('Who grants it')}</Head>
            </tr>
          </thead>
          <tbody role="rowgroup">
            {keyed(
              rows,
              row => `${row.read} ${row.operation} ${row.scope}`
            ).map(([key, row]) => (
              <Row key={key} row={row} />
            ))}
          </tbody>
        </table>
      </Keep>
    </div>
  );
}

/** What is missing stands first, then what was not tried, then the long rest that is allowed. */
function byNeed(rows: readonly AccessRow[]): AccessRow[] {
  const need = ({ last }: AccessRow) =>
    last.state === 'ok' ? 2 : last.state === 'pending' ? 1 : 0;
  return [...rows].sort((a, b) => need(a) - need(b));
}

function Row(props: { row: AccessRow }): JSX.Element {
  const { trans } = useUi();
  const { row } = props;
  const { last } = row;
  return (
    <tr role="row" data-state={last.state}>
      <th role="rowheader" scope="row">
        <Said code={row.read} then={false} />
        <div className="hpgov-Muted">
          <Text value={row.operation} code />
        </div>
        {row.scope && (
          <div className="hpgov-Muted">
            <Text value={row.scope} />
          </div>
        )}
      </th>
      <Cell label={trans.__('Needed for')}>
        {keyedNames(row.needed_for).map(([key, code], i) => (
          <React.Fragment key={key}>
            {i > 0 && ', '}
            <Said code={code} then={false} />
          </React.Fragment>
        ))}
      </Cell>
      <Cell label={trans.__('Allowed')}>
        <span aria-hidden="true" className="hpgov-Sign">
          {SIGNS[last.state]}
        </span>{' '}
        {last.state === 'ok' || last.state === 'pending' ? (
          allowed(trans, row)
        ) : (
          <strong>{allowed(trans, row)}</strong>
        )}
        {last.state !== 'ok' && last.state !== 'pending' && (
          <div>
            <Said code={last.code} params={last.params} />
          </div>
        )}
        {last.at !== null && (
          <div className="hpgov-Muted">
            <Ago at={last.at} />
          </div>
        )}
      </Cell>
      <Cell label={trans.__('Who grants it')}>
        {row.grants === 'nobody' ? (
          trans.__('no grant is needed')
        ) : (
          <>
            {askLabel(trans, row.grants)}
            <div className="hpgov-Muted">{layerLabel(trans, row.layer)}</div>
          </>
        )}
      </Cell>
    </tr>
  );
}

function allowed(
  trans: ReturnType<typeof useUi>['trans'],
  row: AccessRow
): string {
  switch (row.last.state) {
    case 'ok':
      return trans.__('yes');
    case 'denied':
      return trans.__('no');
    case 'pending':
      return trans.__('not tried yet');
    default:
      return stateLabel(trans, row.last.state);
  }
}

function Request(props: { copied: CopyText }): JSX.Element {
  const { trans } = useUi();
  const { copied } = props;
  return (
    <CopyBox
      title={
        <>
          <Said code={copied.title} then={false} /> (
          {askLabel(trans, copied.ask)})
        </>
      }
      value={copied.text}
      label={trans.__('Copy request')}
    />
  );
}
