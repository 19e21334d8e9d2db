import * as React from 'react';
import { ScrollTable } from '../components/table';
import type { TranslationBundle } from '@jupyterlab/translation';
import { Keep } from '../components/keep';
import { PartView } from '../components/part';
import { useUi } from '../components/ui';
import { Exact, Known, PhraseLine, Text } from '../components/words';
import { duration } from '../format/time';
import type {
  SharePage,
  SlurmFairshareRow,
  SlurmPlace,
  SlurmShareRow
} from '../wire';
import { Amounts } from './amounts';
import { Holders, Unfold, type IRowProps } from './holders';

function rowKey(row: SlurmShareRow): string {
  return [
    row.scope,
    row.name,
    row.resource,
    row.per,
    row.account ?? '',
    row.own
  ].join(' ');
}

/** Whom a limit counts. */
function counts(trans: TranslationBundle, row: SlurmShareRow): string {
  switch (row.per) {
    case 'group':
      return trans.__('all under it together');
    case 'user':
      return trans.__('you');
    case 'account':
      return trans.__('your account');
    case 'job':
      return trans.__('each job');
    case 'node':
      return trans.__('each node');
  }
}

/** A limit may also be one of jobs or of wall time, which is in seconds. */
function Limited(props: {
  resource: string;
  value: string | null;
}): JSX.Element {
  const { trans } = useUi();
  const { resource, value } = props;
  return resource === 'wall' && value !== null && /^\d{1,12}$/.test(value) ? (
    <>{duration(trans, Number(value))}</>
  ) : (
    <Exact resource={resource} value={value} />
  );
}

/** Limits of associations and QoS. Slurm has no lending and no borrowing, so these rows share nothing with Kueue's. */
export function SlurmTable(
  props: IRowProps & { rows: readonly SlurmShareRow[] }
): JSX.Element {
  const { trans } = useUi();
  return (
    <Keep label={trans.__('Limits and what is held')}>
      <table className="hpgov-Table">
        <caption className="hpgov-Hidden">
          {trans.__('Limits and what is held')}
        </caption>
        <thead>
          <tr>
            <th scope="col">{trans.__('Resource')}</th>
            <th scope="col">{trans.__('Set on')}</th>
            <th scope="col">{trans.__('Counts')}</th>
            <th scope="col" className="hpgov-Number">
              {trans.__('Limit')}
            </th>
            <th scope="col" className="hpgov-Number">
              {trans.__('Held')}
            </th>
            <th scope="col">{trans.__('Enforced')}</th>
          </tr>
        </thead>
        <tbody>
          {props.rows.map(row => (
            <SlurmRow key={rowKey(row)} {...props} row={row} />
          ))}
        </tbody>
      </table>
    </Keep>
  );
}

function SlurmRow(props: IRowProps & { row: SlurmShareRow }): JSX.Element {
  const { trans } = useUi();
  const { row } = props;
  const [open, setOpen] = React.useState(false);
  const holders = React.useId();
  const key = rowKey(row);
  return (
    <>
      <tr>
        <th scope="row">
          <Unfold
            name={row.resource}
            open={open}
            controls={holders}
            id={key}
            onToggle={() => setOpen(!open)}
          />
        </th>
        <td>
          {row.scope === 'association'
            ? trans.__('association')
            : trans.__('QoS')}{' '}
          <Text value={row.name} />
          {row.own && <span className="hpgov-Tag">{trans.__('yours')}</span>}
        </td>
        <td>
          {counts(trans, row)}
          {row.account !== null && (
            <>
              {' '}
              <Text value={row.account} />
            </>
          )}
        </td>
        <td className="hpgov-Number">
          {row.limit === null ? (
            trans.__('no limit set')
          ) : (
            <Limited resource={row.resource} value={row.limit} />
          )}
        </td>
        <td className="hpgov-Number">
          <Limited resource={row.resource} value={row.held} />
        </td>
        <td>
          {row.enforced === null
            ? '–'
            : row.enforced
              ? trans.__('yes')
              : trans.__('limit recorded, not enforced here')}
        </td>
      </tr>
      {open && (
        <tr id={holders} className="hpgov-Unfolded">
          <td colSpan={6}>
            <Holders
              {...props}
              resource={row.resource}
              holders={row.holders}
              rest={null}
            />
          </td>
        </tr>
      )}
    </>
  );
}

/** Fairshare and partitions. */
export function SlurmParts(props: { page: SharePage }): JSX.Element {
  const { trans } = useUi();
  const { page } = props;
  return (
    <>
      <h4>{trans.__('Fairshare')}</h4>
      <PartView part={page.fairshare} what={trans.__('Fairshare')}>
        {rows => <Fairshare rows={rows} />}
      </PartView>
      <h4>{trans.__('Partitions')}</h4>
      <PartView part={page.partitions} what={trans.__('Partitions')}>
        {places => <Partitions places={places} />}
      </PartView>
    </>
  );
}

function Fairshare(props: { rows: readonly SlurmFairshareRow[] }): JSX.Element {
  const { trans } = useUi();
  if (!props.rows.length) {
    return <p className="hpgov-Muted">{trans.__('None is recorded.')}</p>;
  }
  return (
    <>
      <p className="hpgov-Muted">
        {trans.__('It orders jobs and grants nothing.')}
      </p>
      <ScrollTable label={trans.__('Fairshare')}>
        <thead>
          <tr>
            <th scope="col">{trans.__('Account')}</th>
            <th scope="col" className="hpgov-Number">
              {trans.__('Shares')}
            </th>
            <th scope="col" className="hpgov-Number">
              {trans.__('Factor')}
            </th>
            <th scope="col" className="hpgov-Number">
              {trans.__('Effective usage')}
            </th>
            <th scope="col">{trans.__('Orders jobs here')}</th>
          </tr>
        </thead>
        <tbody>
          {props.rows.map(row => (
            <tr key={row.account}>
              <th scope="row">
                <Text value={row.account} />
              </th>
              <td className="hpgov-Number">
                <Known value={row.shares} />
              </td>
              <td className="hpgov-Number">
                <Known value={row.factor} />
              </td>
              <td className="hpgov-Number">
                <Known value={row.effective_usage} />
              </td>
              <td>
                {row.used === null
                  ? '–'
                  : row.used
                    ? trans.__('yes')
                    : trans.__('not used here')}
              </td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </>
  );
}

function Partitions(props: { places: readonly SlurmPlace[] }): JSX.Element {
  const { trans } = useUi();
  if (!props.places.length) {
    return <p className="hpgov-Muted">{trans.__('None is shown to you.')}</p>;
  }
  return (
    <ScrollTable label={trans.__('Partitions')}>
      <thead>
        <tr>
          <th scope="col">{trans.__('Partition')}</th>
          <th scope="col">{trans.__('State')}</th>
          <th scope="col">{trans.__('Open to you')}</th>
          <th scope="col">{trans.__('Longest run')}</th>
          <th scope="col" className="hpgov-Number">
            {trans.__('Nodes')}
          </th>
          <th scope="col">{trans.__('In all')}</th>
        </tr>
      </thead>
      <tbody>
        {props.places.map(place => (
          <tr key={place.partition}>
            <th scope="row">
              <Text value={place.partition} />
              {place.default && (
                <span className="hpgov-Tag">{trans.__('default')}</span>
              )}
            </th>
            <td>
              <Text value={place.state} />
            </td>
            <td>
              {place.allowed === null
                ? '–'
                : place.allowed
                  ? trans.__('yes')
                  : trans.__('no')}
              {place.why.map((phrase, i) => (
                <div key={`${phrase.code} ${i}`}>
                  <PhraseLine phrase={phrase} />
                </div>
              ))}
            </td>
            <td>
              {place.max_seconds === null
                ? '–'
                : duration(trans, place.max_seconds)}
            </td>
            <td className="hpgov-Number">
              <Known value={place.nodes} />
            </td>
            <td>
              <Amounts amounts={place.capacity} />
            </td>
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
}
