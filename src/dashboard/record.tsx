import * as React from 'react';
import { ScrollTable } from '../components/table';
import { standing } from '../components/labels';
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
import type { ContractView, Entry, Signal } from '../wire';

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
          {standing(trans, view.standing)}
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

/** Names of fields, as words. */
function Codes(props: {
  label: string;
  codes: readonly string[];
}): JSX.Element | null {
  if (!props.codes.length) {
    return null;
  }
  return (
    <p className="hpgov-Muted">
      {props.label}:{' '}
      {props.codes.map((code, i) => (
        <React.Fragment key={`${code} ${i}`}>
          {i > 0 && ', '}
          <Said code={code} then={false} />
        </React.Fragment>
      ))}
    </p>
  );
}

/** Who watches what, from which threshold on, and what then. */
function Signals(props: { signals: readonly Signal[] }): JSX.Element | null {
  const { trans } = useUi();
  if (!props.signals.length) {
    return null;
  }
  return (
    <>
      <h4>{trans.__('Monitoring as agreed')}</h4>
      <ScrollTable label={trans.__('Signals')}>
        <thead>
          <tr>
            <th scope="col">{trans.__('Signal')}</th>
            <th scope="col">{trans.__('Threshold')}</th>
            <th scope="col">{trans.__('Owner')}</th>
            <th scope="col">{trans.__('Response')}</th>
          </tr>
        </thead>
        <tbody>
          {props.signals.map(signal => (
            <tr key={signal.signal}>
              <th scope="row">
                <Said code={signal.signal} then={false} />
              </th>
              <td>
                <Known value={signal.threshold} />
              </td>
              <td>
                <Known value={signal.owner} />
              </td>
              <td>
                <Known value={signal.response} />
              </td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </>
  );
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
