import * as React from 'react';
import { Cell, Head, ScrollTable } from '../components/table';
import { keyed } from '../components/keys';
import { PartView } from '../components/part';
import { useUi } from '../components/ui';
import { Exact, Known, PhraseLine, Text } from '../components/words';
import { resourceName } from '../format/amount';
import { text } from '../format/text';
import type { CohortSum, NamespaceQueue, QueueFacts } from '../wire';

/** One queue of one namespace, which is named where there are several. */
export function QueuePart(props: { of: NamespaceQueue }): JSX.Element {
  const { trans } = useUi();
  const { namespace, queue, local_queue } = props.of;
  return (
    <>
      {namespace !== null && (
        <h5>
          {trans.__('Namespace')} <Text value={namespace} code />
        </h5>
      )}
      <PartView part={queue} what={trans.__('Queue')}>
        {facts => <Queue queue={facts} localQueue={local_queue} />}
      </PartView>
    </>
  );
}

/** What the queues say beside numbers. */
function Queue(props: {
  queue: QueueFacts;
  localQueue: NamespaceQueue['local_queue'];
}): JSX.Element {
  const { trans } = useUi();
  const { queue } = props;
  const named = (name: string | null, byRule: boolean) => (
    <>
      <Known value={name} />
      {name !== null && byRule && (
        <span className="hpgov-Tag">{trans.__('name by rule, not read')}</span>
      )}
    </>
  );
  return (
    <dl className="hpgov-Facts">
      <dt>{trans.__('Queue in your namespace')}</dt>
      <dd>
        {named(queue.local_queue, queue.local_queue_by_rule)}
        {props.localQueue.last.state !== 'ok' && (
          <PartView part={props.localQueue} what={trans.__('LocalQueue')}>
            {() => null}
          </PartView>
        )}
      </dd>
      <dt>{trans.__('ClusterQueue')}</dt>
      <dd>{named(queue.cluster_queue, queue.cluster_queue_by_rule)}</dd>
      <dt>{trans.__('Cohort')}</dt>
      <dd>
        <Known value={queue.cohort} />
      </dd>
      <dt>{trans.__('Active')}</dt>
      <dd>
        {queue.active === null
          ? '–'
          : queue.active
            ? trans.__('yes')
            : trans.__('no')}
        {queue.not_active_reason && (
          <>
            {' '}
            <PhraseLine phrase={queue.not_active_reason} />
          </>
        )}
      </dd>
      <dt>{trans.__('Waiting, holding, admitted')}</dt>
      <dd>
        <Known value={queue.pending} /> · <Known value={queue.reserving} /> ·{' '}
        <Known value={queue.admitted} />
      </dd>
      <dt>{trans.__('Order')}</dt>
      <dd>
        <Known value={queue.strategy} />
      </dd>
      <dt>{trans.__('Preemption in your queue')}</dt>
      <dd>
        <Known value={queue.within_queue} />
      </dd>
      <dt>{trans.__('Taking back lent share')}</dt>
      <dd>
        <Known value={queue.reclaim} />
      </dd>
      <dt>{trans.__('Preemption while borrowing')}</dt>
      <dd>
        <Known value={queue.borrow_preempts} />
      </dd>
      {queue.stop_policy && queue.stop_policy !== 'None' && (
        <>
          <dt>{trans.__('Stop policy')}</dt>
          <dd>
            <Text value={queue.stop_policy} />
          </dd>
        </>
      )}
      {queue.fair_weight !== null && (
        <>
          <dt>{trans.__('Fair sharing weight')}</dt>
          <dd>
            <Text value={queue.fair_weight} />
          </dd>
        </>
      )}
    </dl>
  );
}

/** Nameless sums over a cohort, only where the role may read them. */
export function Cohort(props: { sums: readonly CohortSum[] }): JSX.Element {
  const { trans } = useUi();
  if (!props.sums.length) {
    return (
      <p className="hpgov-Muted">{trans.__('The queue is in no cohort.')}</p>
    );
  }
  return (
    <>
      {props.sums.some(sum => sum.queues <= 2) && (
        <p className="hpgov-Muted">
          {trans.__('With two queues in a cohort a sum may identify a team.')}
        </p>
      )}
      <ScrollTable label={trans.__('Sums over the cohort')}>
        <thead role="rowgroup">
          <tr role="row">
            <Head>{trans.__('Resource')}</Head>
            <Head>{trans.__('Flavour')}</Head>
            <Head number>{trans.__('Shares together')}</Head>
            <Head number>{trans.__('Held together')}</Head>
            <Head number>{trans.__('Queues')}</Head>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {keyed(
            props.sums,
            sum => `${sum.cohort} ${sum.flavor} ${sum.resource}`
          ).map(([key, sum]) => (
            <tr role="row" key={key}>
              <th role="rowheader" scope="row" title={text(sum.resource)}>
                <bdi>{text(resourceName(sum.resource))}</bdi>
              </th>
              <Cell label={trans.__('Flavour')}>
                <Text value={sum.flavor} />
              </Cell>
              <Cell number label={trans.__('Shares together')}>
                <Exact resource={sum.resource} value={sum.nominal} />
              </Cell>
              <Cell number label={trans.__('Held together')}>
                <Exact resource={sum.resource} value={sum.held} />
              </Cell>
              <Cell number label={trans.__('Queues')}>
                {sum.queues}
              </Cell>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </>
  );
}
