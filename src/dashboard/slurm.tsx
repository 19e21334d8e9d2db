import * as React from 'react';
import { Cell, Head, ScrollTable } from '../components/table';
import type { TranslationBundle } from '@jupyterlab/translation';
import { Keep } from '../components/keep';
import { keyed } from '../components/keys';
import { PartView } from '../components/part';
import { useUi } from '../components/ui';
import { Exact, Known, PhraseLine, Text } from '../components/words';
import { resourceName } from '../format/amount';
import { text } from '../format/text';
import { duration } from '../format/time';
import type {
  SharePage,
  SlurmFairshareRow,
  SlurmPlace,
  SlurmShareRow
} from '../wire';
import { Amounts } from './amounts';
import { HoldersRow, Unfold, type IRowProps } from './holders';

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

/** What a person calls what Slurm limits; its exact name is in the tooltip. */
function limited(trans: TranslationBundle, resource: string): string {
  switch (resource) {
    case 'wall':
      return trans.__('Run time');
    case 'jobs':
      return trans.__('Jobs that run');
    case 'submitted_jobs':
      return trans.__('Jobs that run or wait');
    case 'billing':
      return trans.__('Billing (weighted resources)');
    case 'mem':
    case 'memory':
      return trans.__('Memory');
    case 'node':
      return trans.__('Nodes');
    default:
      return resourceName(resource);
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
      <table role="table" className="hpgov-Table hpgov-mod-stack">
        <caption className="hpgov-Hidden">
          {trans.__('Limits and what is held')}
        </caption>
        <thead role="rowgroup">
          <tr role="row">
            <Head>{trans.__('Resource')}</Head>
            <Head>{trans.__('Set on')}</Head>
            <Head>{trans.__('Counts')}</Head>
            <Head number>{trans.__('Limit')}</Head>
            <Head number>{trans.__('Held')}</Head>
            <Head>{trans.__('Enforced')}</Head>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {keyed(props.rows, rowKey).map(([key, row]) => (
            <SlurmRow key={key} {...props} row={row} />
          ))}
        </tbody>
      </table>
    </Keep>
  );
}

const COLUMNS = 6;

function SlurmRow(props: IRowProps & { row: SlurmShareRow }): JSX.Element {
  const { trans } = useUi();
  const { row } = props;
  const [open, setOpen] = React.useState(false);
  const holders = React.useId();
  const key = rowKey(row);
  // A limit of each job or node is filled by nobody, and of some it is not told by whom: there is nothing to unfold.
  const held = row.per !== 'job' && row.per !== 'node';
  const unfolds = row.not_attributed !== null;
  return (
    <>
      <tr role="row">
        <th role="rowheader" scope="row">
          {unfolds ? (
            <Unfold
              name={row.resource}
              called={limited(trans, row.resource)}
              open={open}
              controls={holders}
              id={key}
              onToggle={() => setOpen(!open)}
            />
          ) : (
            <bdi className="hpgov-Plain" title={text(row.resource)}>
              {text(limited(trans, row.resource))}
            </bdi>
          )}
        </th>
        <Cell label={trans.__('Set on')}>
          {row.scope === 'association'
            ? trans.__('association')
            : trans.__('QoS')}{' '}
          <Text value={row.name} />
          {row.own && <span className="hpgov-Tag">{trans.__('yours')}</span>}
        </Cell>
        <Cell label={trans.__('Counts')}>
          {counts(trans, row)}
          {row.account !== null && (
            <>
              {' '}
              <Text value={row.account} />
            </>
          )}
        </Cell>
        <Cell number label={trans.__('Limit')}>
          {row.limit === null ? (
            trans.__('no limit set')
          ) : (
            <Limited resource={row.resource} value={row.limit} />
          )}
        </Cell>
        <Cell number label={trans.__('Held')}>
          {held && <Limited resource={row.resource} value={row.held} />}
        </Cell>
        <Cell label={trans.__('Enforced')}>
          {row.limit === null
            ? ''
            : row.enforced === null
              ? '–'
              : row.enforced
                ? trans.__('yes')
                : trans.__('limit recorded, not enforced here')}
        </Cell>
      </tr>
      {open && <HoldersRow {...props} id={holders} columns={COLUMNS} />}
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
        <thead role="rowgroup">
          <tr role="row">
            <Head>{trans.__('Account')}</Head>
            <Head number>{trans.__('Shares')}</Head>
            <Head number>{trans.__('Factor')}</Head>
            <Head number>{trans.__('Effective usage')}</Head>
            <Head>{trans.__('Orders jobs here')}</Head>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {keyed(props.rows, row => row.account).map(([key, row]) => (
            <tr role="row" key={key}>
              <th role="rowheader" scope="row">
                <Text value={row.account} />
              </th>
              <Cell number label={trans.__('Shares')}>
                <Known value={row.shares} />
              </Cell>
              <Cell number label={trans.__('Factor')}>
                <Known value={row.factor} />
              </Cell>
              <Cell number label={trans.__('Effective usage')}>
                <Known value={row.effective_usage} />
              </Cell>
              <Cell label={trans.__('Orders jobs here')}>
                {row.used === null
                  ? '–'
                  : row.used
                    ? trans.__('yes')
                    : trans.__('not used here')}
              </Cell>
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
      <thead role="rowgroup">
        <tr role="row">
          <Head>{trans.__('Partition')}</Head>
          <Head>{trans.__('State')}</Head>
          <Head>{trans.__('Open to you')}</Head>
          <Head>{trans.__('Longest run')}</Head>
          <Head number>{trans.__('Nodes')}</Head>
          <Head>{trans.__('In all')}</Head>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {keyed(props.places, place => place.partition).map(([key, place]) => (
          <tr role="row" key={key}>
            <th role="rowheader" scope="row">
              <Text value={place.partition} />
              {place.default && (
                <span className="hpgov-Tag">{trans.__('default')}</span>
              )}
            </th>
            <Cell label={trans.__('State')}>
              <Text value={place.state} />
            </Cell>
            <Cell label={trans.__('Open to you')}>
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
            </Cell>
            <Cell label={trans.__('Longest run')}>
              {place.max_seconds === null
                ? '–'
                : duration(trans, place.max_seconds)}
            </Cell>
            <Cell number label={trans.__('Nodes')}>
              <Known value={place.nodes} />
            </Cell>
            <Cell label={trans.__('In all')}>
              {/* nodes have a column of their own, and billing is a weighted sum of the others */}
              <Amounts
                amounts={place.capacity.filter(
                  each =>
                    each.resource !== 'node' && each.resource !== 'billing'
                )}
              />
            </Cell>
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
}
