import * as React from 'react';
import { keyed } from '../components/keys';
import { PartView } from '../components/part';
import { Cell, Head, ScrollTable } from '../components/table';
import { useUi } from '../components/ui';
import { Exact, Known, PhraseLine, Text } from '../components/words';
import type { SharePage, SlurmNodeSums, SlurmQueueSums } from '../wire';

const GPU = 'gres/gpu';

/** The whole cluster in sums without a name: its nodes, its queue, and what its configuration means for a job. */
export function SlurmCluster(props: { page: SharePage }): JSX.Element {
  const { trans } = useUi();
  const { page } = props;
  return (
    <>
      <h4>{trans.__('Nodes and GPUs')}</h4>
      <PartView part={page.slurm_nodes} what={trans.__('Nodes and GPUs')}>
        {nodes => <Nodes nodes={nodes} />}
      </PartView>
      <h4>{trans.__('Queue')}</h4>
      <PartView part={page.slurm_queue} what={trans.__('Queue')}>
        {queue => <Queue queue={queue} />}
      </PartView>
      {page.cluster_notes.length > 0 && (
        <>
          <h4>{trans.__('How this cluster is set up')}</h4>
          <ul className="hpgov-Notes">
            {page.cluster_notes.map((note, i) => (
              <li key={`${note.code} ${i}`}>
                <PhraseLine phrase={note} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Nodes(props: { nodes: SlurmNodeSums }): JSX.Element {
  const { trans } = useUi();
  const { nodes } = props;
  return (
    <dl className="hpgov-Facts">
      <dt>{trans.__('Nodes')}</dt>
      <dd>
        <Known value={nodes.total} />
      </dd>
      <dt>{trans.__('By state')}</dt>
      <dd>
        {keyed(nodes.states, each => each.state).map(([key, each], i) => (
          <React.Fragment key={key}>
            {i > 0 && ', '}
            <span className="hpgov-Amount">
              <Known value={each.nodes} /> <Text value={each.state} />
            </span>
            {!each.usable && (
              <span className="hpgov-Tag">{trans.__('take no jobs')}</span>
            )}
          </React.Fragment>
        ))}
      </dd>
      {nodes.gpus === null ? (
        <>
          <dt>{trans.__('GPUs')}</dt>
          <dd>{trans.__('Slurm counts none here.')}</dd>
        </>
      ) : (
        <>
          <dt>{trans.__('GPUs in all')}</dt>
          <dd>
            <Exact resource={GPU} value={nodes.gpus} />
          </dd>
          <dt>{trans.__('GPUs held by jobs')}</dt>
          <dd>
            <Exact resource={GPU} value={nodes.gpus_held} />
          </dd>
          <dt>{trans.__('GPUs on nodes that take no jobs')}</dt>
          <dd>
            <Exact resource={GPU} value={nodes.gpus_away} />
          </dd>
        </>
      )}
    </dl>
  );
}

function Queue(props: { queue: SlurmQueueSums }): JSX.Element {
  const { trans } = useUi();
  const { rows, unread } = props.queue;
  return (
    <>
      <p className="hpgov-Muted">
        {trans.__(
          'Sums over all jobs that Slurm shows you, without names. A waiting array counts once.'
        )}
      </p>
      {unread > 0 && (
        <p>
          {trans._n(
            '%1 row could not be read and is in no sum.',
            '%1 rows could not be read and are in no sum.',
            unread
          )}
        </p>
      )}
      {rows.length === 0 ? (
        <p className="hpgov-Empty">{trans.__('No job runs or waits.')}</p>
      ) : (
        <ScrollTable label={trans.__('Jobs by partition')}>
          <thead role="rowgroup">
            <tr role="row">
              <Head>{trans.__('Partition')}</Head>
              <Head number>{trans.__('Running')}</Head>
              <Head number>{trans.__('GPUs held')}</Head>
              <Head number>{trans.__('Waiting')}</Head>
            </tr>
          </thead>
          <tbody role="rowgroup">
            {keyed(rows, row => row.partition).map(([key, row]) => (
              <tr role="row" key={key}>
                <th role="rowheader" scope="row">
                  <Text value={row.partition} />
                </th>
                <Cell number label={trans.__('Running')}>
                  <Known value={row.running} />
                  {row.suspended > 0 && (
                    <span className="hpgov-Tag">
                      {trans._n('%1 suspended', '%1 suspended', row.suspended)}
                    </span>
                  )}
                </Cell>
                <Cell number label={trans.__('GPUs held')}>
                  <Exact resource={GPU} value={row.gpus} />
                </Cell>
                <Cell number label={trans.__('Waiting')}>
                  <Known value={row.waiting} />
                </Cell>
              </tr>
            ))}
          </tbody>
        </ScrollTable>
      )}
    </>
  );
}
