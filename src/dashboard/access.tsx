import * as React from 'react';
import type { TranslationBundle } from '@jupyterlab/translation';
import { CopyBox } from '../components/copy';
import { IdentityFacts } from '../components/identity';
import { Keep } from '../components/keep';
import { keyed, keyedNames } from '../components/keys';
import { SIGNS } from '../components/part';
import { Cell, Head } from '../components/table';
import { useUi } from '../components/ui';
import { Ago, PhraseLine, Said, Text } from '../components/words';
import { readsWhole, used } from '../format/phrase';
import { askLabel, layerLabel, stateLabel } from '../words';
import type { AccessPage, AccessRow, CopyText, Phrase } from '../wire';

/** One table instead of a wall of cards: what is read, what for, allowed or not, who grants it; and the request to copy. */
export function Access(props: { page: AccessPage }): JSX.Element {
  const { trans } = useUi();
  const { page } = props;
  const { rows } = page;
  const offered = new Set(
    page.request.flatMap(({ kind, text }) => (text === null ? [] : [kind]))
  );
  const groups = keyed(
    byReason(trans, rows),
    ({ need, reason }) => reason?.code ?? need
  );
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
          {groups.map(([key, group]) => (
            <Group key={key} group={group} offered={offered} />
          ))}
        </table>
      </Keep>
    </div>
  );
}

type Need = 'missing' | 'untried' | 'allowed';

/** Rows that stand together. `reason`: why all of them are missing, said once above them; null where each row speaks for itself. */
interface IGroup {
  need: Need;
  reason: Phrase | null;
  rows: AccessRow[];
}

function needOf({ last }: AccessRow): Need {
  return last.state === 'ok'
    ? 'allowed'
    : last.state === 'pending'
      ? 'untried'
      : 'missing';
}

/**
 * What is missing stands first, then what was not tried, then the long rest that is allowed. Rows that are missing for one and the same
 * reason follow each other, the largest such group last, so that what is said of a single row is not looked for behind it.
 */
function byReason(
  trans: TranslationBundle,
  rows: readonly AccessRow[]
): IGroup[] {
  const of = (need: Need) => rows.filter(row => needOf(row) === need);
  const shared: IGroup[] = [];
  let missing = of('missing');
  // as they are first: the read that the others wait for names itself in their reason, too
  for (const reason of [
    reasonGiven,
    (row: AccessRow) => sharable(trans, row)
  ]) {
    const same = new Map<string, AccessRow[]>();
    for (const row of missing) {
      const said = reason(row);
      // what is read in the sentence, and all of it: it stands for every row below
      const params = used(trans, said.code, said.params);
      const key = JSON.stringify([
        row.last.state,
        said.code,
        Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1))
      ]);
      same.set(key, [...(same.get(key) ?? []), row]);
    }
    missing = missing.filter(
      row =>
        ![...same.values()].some(some => some.length > 1 && some.includes(row))
    );
    for (const some of same.values()) {
      if (some.length > 1) {
        shared.push({ need: 'missing', reason: reason(some[0]), rows: some });
      }
    }
  }
  shared.sort((a, b) => a.rows.length - b.rows.length);
  const each = (need: Need, some: AccessRow[]): IGroup[] =>
    some.length ? [{ need, reason: null, rows: some }] : [];
  return [
    ...each('missing', missing),
    ...shared,
    ...each('untried', of('untried')),
    ...each('allowed', of('allowed'))
  ];
}

/** Codes whose next step is to copy a request of this tab, with its kinds: that is said only where they stand there. */
const BY_REQUEST: ReadonlyMap<string, readonly string[]> = new Map([
  ['k8s_denied', ['rbac']],
  ['k8s_denied_these', ['rbac']],
  ['no_identity_policy_allows', ['iam']],
  ['denied_without_reason', ['iam']],
  ['no_trust_policy_allows', ['trust']],
  ['trust_lacks_tag_session', ['trust']],
  ['trust_lacks_source_identity', ['trust']],
  ['assume_role_refused', ['trust', 'iam']]
]);

function canFollow(code: string, offered: ReadonlySet<string>): boolean {
  return BY_REQUEST.get(code)?.every(kind => offered.has(kind)) ?? true;
}

/** The sentence for many rows, where the one for a single row can't be said without its read. */
const OF_MANY: ReadonlyMap<string, string> = new Map([
  ['k8s_denied', 'k8s_denied_these']
]);

function reasonGiven({ last }: AccessRow): Phrase {
  return { code: last.code, params: last.params };
}

/** Why a row is missing, without what the row itself names, where that can be said. */
function sharable(trans: TranslationBundle, row: AccessRow): Phrase {
  const { last, operation, scope } = row;
  const code = OF_MANY.get(last.code) ?? last.code;
  const params = Object.fromEntries(
    Object.entries(last.params).filter(
      ([, value]) => value !== operation && value !== scope && value !== null
    )
  );
  return readsWhole(trans, code, params) ? { code, params } : reasonGiven(row);
}

/** `offered`: kinds of the requests that stand above. */
function Group(props: {
  group: IGroup;
  offered: ReadonlySet<string>;
}): JSX.Element {
  const { trans } = useUi();
  const { group, offered } = props;
  const { reason, rows } = group;
  const said = React.useId();
  return (
    <tbody
      role="rowgroup"
      className={reason ? 'hpgov-Group' : undefined}
      aria-labelledby={reason ? said : undefined}
    >
      {reason && (
        <tr role="row" data-state={rows[0].last.state}>
          <th
            role="rowheader"
            scope="rowgroup"
            colSpan={COLUMNS}
            aria-colspan={COLUMNS}
          >
            <Sign row={rows[0]} />{' '}
            <span id={said}>
              <strong>
                {trans._n(
                  '%1 read: %2',
                  '%1 reads: %2',
                  rows.length,
                  stateLabel(trans, rows[0].last.state)
                )}
              </strong>
              {' · '}
              <PhraseLine
                phrase={reason}
                then={canFollow(reason.code, offered)}
              />
            </span>
          </th>
        </tr>
      )}
      {keyed(rows, row => `${row.read} ${row.operation} ${row.scope}`).map(
        ([key, row]) => (
          <Row
            key={key}
            row={row}
            saidBy={reason ? said : undefined}
            offered={offered}
          />
        )
      )}
    </tbody>
  );
}

const COLUMNS = 4;

function Sign(props: { row: AccessRow }): JSX.Element {
  return (
    <span aria-hidden="true" className="hpgov-Sign">
      {SIGNS[props.row.last.state]}
    </span>
  );
}

/** `saidBy`: the element that says why this row is missing, for all rows of its group. */
function Row(props: {
  row: AccessRow;
  saidBy?: string;
  offered: ReadonlySet<string>;
}): JSX.Element {
  const { trans } = useUi();
  const { row, saidBy, offered } = props;
  const { last } = row;
  const missing = needOf(row) === 'missing';
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
      <Cell label={trans.__('Allowed')} describedBy={saidBy}>
        <Sign row={row} />{' '}
        {missing ? <strong>{allowed(trans, row)}</strong> : allowed(trans, row)}
        {saidBy && (
          <span className="hpgov-Hidden">
            {', '}
            {trans.__('the reason stands above these rows')}
          </span>
        )}
        {missing && !saidBy && (
          <div>
            <Said
              code={last.code}
              params={last.params}
              then={canFollow(last.code, offered)}
            />
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
