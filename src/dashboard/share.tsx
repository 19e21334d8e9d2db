import * as React from 'react';
import { ShareBar } from '../components/bar';
import { Keep } from '../components/keep';
import { keyed } from '../components/keys';
import { PartView } from '../components/part';
import { Cell, Head } from '../components/table';
import { useUi } from '../components/ui';
import { Exact, PhraseLine, Text } from '../components/words';
import type { KueueShareRow, SharePage, SlurmShareRow } from '../wire';
import { Cohort, QueuePart } from './queue';
import { SlurmParts, SlurmTable } from './slurm';
import { SlurmCluster } from './slurmsums';
import { HoldersRow, Unfold, type IRowProps } from './holders';

/** The team's share, row by row; each row unfolds into what holds it. Slurm rows have no lending and no borrowing, so they are a table of their own. */
export function ShareView(props: {
  page: SharePage;
  onOpenTask: (uid: string) => void;
}): JSX.Element {
  const { trans } = useUi();
  const { page } = props;
  // Queues and cohorts are Kueue's, fairshare and partitions Slurm's: only the own scheduler's are shown.
  const onSlurm = page.orchestrator === 'SLURM';
  return (
    <div className="hpgov-Share">
      {page.notes.length > 0 && (
        <ul className="hpgov-Notes">
          {page.notes.map((note, i) => (
            <li key={`${note.code} ${i}`}>
              <PhraseLine phrase={note} />
            </li>
          ))}
        </ul>
      )}
      <PartView part={page.rows} what={trans.__('Share')}>
        {rows => {
          const kueue = rows.filter(
            (row): row is KueueShareRow => row.kind === 'kueue'
          );
          const slurm = rows.filter(
            (row): row is SlurmShareRow => row.kind === 'slurm'
          );
          return (
            <>
              {rows.length === 0 && (
                <p className="hpgov-Empty">
                  {onSlurm
                    ? trans.__('No limit is recorded that counts for you.')
                    : trans.__('The queue covers no resource.')}
                </p>
              )}
              {kueue.length > 0 && (
                <KueueTable
                  rows={kueue}
                  skew={page.rows.skew}
                  onOpenTask={props.onOpenTask}
                />
              )}
              {slurm.length > 0 && (
                <SlurmTable
                  rows={slurm}
                  skew={page.rows.skew}
                  onOpenTask={props.onOpenTask}
                />
              )}
            </>
          );
        }}
      </PartView>
      {onSlurm ? (
        <>
          <SlurmParts page={page} />
          <SlurmCluster page={page} />
        </>
      ) : (
        <>
          <h4>{trans.__('Queue')}</h4>
          <QueuePart
            of={{
              namespace: page.more_queues.length ? page.namespace : null,
              queue: page.queue,
              local_queue: page.local_queue
            }}
          />
          {page.more_queues.map((each, i) => (
            <QueuePart key={`${each.namespace} ${i}`} of={each} />
          ))}
          <h4>{trans.__('Cohort')}</h4>
          <PartView part={page.cohort} what={trans.__('Cohort')}>
            {sums => <Cohort sums={sums} />}
          </PartView>
        </>
      )}
    </div>
  );
}

function KueueTable(
  props: IRowProps & { rows: readonly KueueShareRow[] }
): JSX.Element {
  const { trans } = useUi();
  return (
    <Keep label={trans.__('Your share')}>
      <table role="table" className="hpgov-Table hpgov-mod-stack">
        <caption className="hpgov-Hidden">{trans.__('Your share')}</caption>
        <thead role="rowgroup">
          <tr role="row">
            <Head>{trans.__('Resource')}</Head>
            <Head>{trans.__('Flavour')}</Head>
            <Head number>{trans.__('Your share')}</Head>
            <Head number>{trans.__('Held')}</Head>
            <Head number>{trans.__('Borrowed')}</Head>
            <Head number>{trans.__('Unclaimed share')}</Head>
            <Head number>{trans.__('May borrow up to')}</Head>
            <Head number>{trans.__('May lend up to')}</Head>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {keyed(props.rows, row => `${row.flavor} ${row.resource}`).map(
            ([key, row]) => (
              <KueueRow key={key} {...props} row={row} />
            )
          )}
        </tbody>
      </table>
    </Keep>
  );
}

const COLUMNS = 8;

function KueueRow(props: IRowProps & { row: KueueShareRow }): JSX.Element {
  const { trans } = useUi();
  const { row } = props;
  const [open, setOpen] = React.useState(false);
  const holders = React.useId();
  const key = `${row.flavor} ${row.resource}`;
  const limit = (value: string | null, none: string) =>
    !row.in_cohort ? (
      trans.__('no cohort')
    ) : value === null ? (
      none
    ) : (
      <Exact resource={row.resource} value={value} />
    );
  return (
    <>
      <tr role="row">
        <th role="rowheader" scope="row">
          <Unfold
            name={row.resource}
            open={open}
            controls={holders}
            id={key}
            onToggle={() => setOpen(!open)}
          />
          <ShareBar
            resource={row.resource}
            nominal={row.nominal}
            held={row.held}
            borrowed={row.borrowed}
          />
          {row.holders.some(holder => holder.is_space && holder.mine) && (
            <div className="hpgov-Muted">
              {trans.__('Your Space is in it.')}
            </div>
          )}
        </th>
        <Cell label={trans.__('Flavour')}>
          <Text value={row.flavor} />
        </Cell>
        <Cell number label={trans.__('Your share')}>
          <Exact resource={row.resource} value={row.nominal} />
        </Cell>
        <Cell number label={trans.__('Held')}>
          <Exact resource={row.resource} value={row.held} />
          {row.admitted !== null && row.admitted !== row.held && (
            <div className="hpgov-Muted">
              <Exact resource={row.resource} value={row.admitted} />{' '}
              {trans.__('admitted')}
            </div>
          )}
        </Cell>
        <Cell number label={trans.__('Borrowed')}>
          <Exact resource={row.resource} value={row.borrowed} />
        </Cell>
        <Cell number label={trans.__('Unclaimed share')}>
          <Exact resource={row.resource} value={row.unclaimed} />
        </Cell>
        <Cell number label={trans.__('May borrow up to')}>
          {limit(row.may_borrow_up_to, trans.__('no limit of its own'))}
        </Cell>
        <Cell number label={trans.__('May lend up to')}>
          {limit(row.may_lend_up_to, trans.__('all of it'))}
        </Cell>
      </tr>
      {open && <HoldersRow {...props} id={holders} columns={COLUMNS} />}
    </>
  );
}
