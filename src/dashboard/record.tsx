import * as React from 'react';
import { Cell, Head, ScrollTable } from '../components/table';
import { keyed } from '../components/keys';
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
import type { ContractView, Standing } from '../wire';
import { standingLabel } from '../words';
import { Codes, Entries, Listed, Signals } from './recordlists';

/** Of a record that could not be read as written nobody knows whether it names an end. */
const END_NOT_KNOWN: ReadonlySet<Standing> = new Set<Standing>([
  'invalid',
  'ambiguous',
  'unknown'
]);

/** One record of a contract: where it stands, who answers, what it says and leaves out. */
export function Record(props: { view: ContractView }): JSX.Element {
  const { trans } = useUi();
  const { view } = props;
  const recorded = view.facts.filter(fact => fact.value !== null);
  const missing = view.facts.filter(fact => fact.value === null);
  return (
    <>
      <p className="hpgov-Contract-line">
        <span className="hpgov-Badge" data-standing={view.standing}>
          {standingLabel(trans, view.standing)}
        </span>{' '}
        {view.line && <PhraseLine phrase={view.line} />}
        {!view.platform && view.rank !== null && (
          <span className="hpgov-Tag">{trans.__('self-declared')}</span>
        )}
      </p>
      {(view.why_not_platform || view.notes.length > 0) && (
        <ul className="hpgov-List">
          {view.why_not_platform && (
            <li>
              <PhraseLine phrase={view.why_not_platform} />
            </li>
          )}
          {view.notes.map((note, i) => (
            <li key={`${note.code} ${i}`}>
              <PhraseLine phrase={note} />
            </li>
          ))}
        </ul>
      )}
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
        <>
          <h4>{trans.__('What is agreed')}</h4>
          <dl className="hpgov-Facts">
            <dt>{trans.__('Record')}</dt>
            <dd>{view.record ? <Link value={view.record} /> : '–'}</dd>
            <dt>{trans.__('Agreed until')}</dt>
            <dd>
              {view.agreed_until ? (
                <OnDate value={view.agreed_until} />
              ) : END_NOT_KNOWN.has(view.standing) ? (
                '–'
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
              label={trans.__('Approved kinds of task')}
              values={view.workload_kinds}
            />
            <Listed
              label={trans.__('Service accounts')}
              values={view.service_accounts}
            />
            {keyed(view.shares, share => share.instance_type).map(
              ([key, share]) => (
                <React.Fragment key={key}>
                  <dt>
                    {trans.__('Share')} <Text value={share.instance_type} />
                  </dt>
                  <dd>
                    <Text value={share.count} />
                  </dd>
                </React.Fragment>
              )
            )}
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
        </>
      )}
      {view.standing !== 'none' && recorded.length > 0 && (
        <details className="hpgov-Details">
          <summary>
            {trans.__('All other fields of the record (%1)', recorded.length)}
          </summary>
          <dl className="hpgov-Facts">
            {keyed(recorded, fact => fact.field).map(([key, fact]) => (
              <React.Fragment key={key}>
                <dt>
                  <Said code={fact.field} then={false} />
                </dt>
                <dd>
                  <Known value={fact.value} />
                </dd>
              </React.Fragment>
            ))}
          </dl>
        </details>
      )}
      <Codes
        label={trans.__('Not recorded')}
        codes={missing.map(fact => fact.field)}
      />
      <Codes label={trans.__('The record leaves out')} codes={view.not_named} />
      <Codes
        label={trans.__('Named by the record, not known of this connection')}
        codes={view.not_compared}
      />
      <Signals signals={view.signals} />
      {view.differences.length > 0 && (
        <>
          <h4>{trans.__('Where records differ; this one counts')}</h4>
          <ScrollTable label={trans.__('Differences')}>
            <thead role="rowgroup">
              <tr role="row">
                <Head>{trans.__('Field')}</Head>
                <Head>{trans.__('Here')}</Head>
                <Head>{trans.__('There')}</Head>
                <Head>{trans.__('Kept in')}</Head>
              </tr>
            </thead>
            <tbody role="rowgroup">
              {view.differences.map((difference, i) => (
                <tr role="row" key={`${difference.field} ${i}`}>
                  <th role="rowheader" scope="row">
                    <Said code={difference.field} then={false} />
                  </th>
                  <Cell label={trans.__('Here')}>
                    <Known value={difference.here} />
                  </Cell>
                  <Cell label={trans.__('There')}>
                    <Known value={difference.there} />
                  </Cell>
                  <Cell label={trans.__('Kept in')}>
                    <Text value={difference.there_kept} />
                  </Cell>
                </tr>
              ))}
            </tbody>
          </ScrollTable>
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
