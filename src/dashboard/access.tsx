import * as React from 'react';
import { CopyBox } from '../components/copy';
import { IdentityFacts } from '../components/identity';
import { Keep } from '../components/keep';
import { useUi } from '../components/ui';
import { Ago, PhraseLine, Said, Text } from '../components/words';
import { askLabel, layerLabel, stateLabel } from '../words';
import type { AccessPage, AccessRow, CopyText } from '../wire';

/** One table instead of a wall of cards: what is read, what for, allowed or not, who grants it; and the request to copy. */
export function Access(props: { page: AccessPage }): JSX.Element {
  const { trans } = useUi();
  const { page } = props;
  return (
    <div className="hpgov-Access">
      <h4>{trans.__('Whose rights are used')}</h4>
      <IdentityFacts identity={page.identity} />
      {page.notes.length > 0 && (
        <ul className="hpgov-List">
          {page.notes.map((note, i) => (
            <li key={`${note.code} ${i}`}>
              <PhraseLine phrase={note} />
            </li>
          ))}
        </ul>
      )}
      <h4>{trans.__('What is read')}</h4>
      <Keep label={trans.__('What is read')}>
        <table className="hpgov-Table">
          <caption className="hpgov-Hidden">
            {trans.__('What is read, what for, allowed or not, who grants it')}
          </caption>
          <thead>
            <tr>
              <th scope="col">{trans.__('Read')}</th>
              <th scope="col">{trans.__('Needed for')}</th>
              <th scope="col">{trans.__('Allowed')}</th>
              <th scope="col">{trans.__('Who grants it')}</th>
            </tr>
          </thead>
          <tbody>
            {page.rows.map((row, i) => (
              <Row key={`${row.operation} ${row.scope} ${i}`} row={row} />
            ))}
          </tbody>
        </table>
      </Keep>
      {page.request.length > 0 && (
        <>
          <h4>{trans.__('Copy request to admin')}</h4>
          {page.request.map((copied, i) => (
            <Request key={`${copied.title} ${i}`} copied={copied} />
          ))}
        </>
      )}
    </div>
  );
}

function Row(props: { row: AccessRow }): JSX.Element {
  const { trans } = useUi();
  const { row } = props;
  const { last } = row;
  return (
    <tr data-state={last.state}>
      <th scope="row">
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
      <td>
        {row.needed_for.map((code, i) => (
          <React.Fragment key={code}>
            {i > 0 && ', '}
            <Said code={code} then={false} />
          </React.Fragment>
        ))}
      </td>
      <td>
        <strong>{allowed(trans, row)}</strong>
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
      </td>
      <td>
        {askLabel(trans, row.grants)}
        <div className="hpgov-Muted">{layerLabel(trans, row.layer)}</div>
      </td>
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
