import * as React from 'react';
import { Cell, Head, ScrollTable } from '../components/table';
import { PartView } from '../components/part';
import { CopyBox } from '../components/copy';
import { keyed } from '../components/keys';
import { useUi } from '../components/ui';
import { Ago, At, Known, PhraseLine, Text } from '../components/words';
import type {
  ContainerFact,
  Moment,
  MorePods,
  PodFact,
  TaskDetail,
  TaskPage
} from '../wire';
import { Amounts } from './amounts';
import { Age, Reason, State, Submitter } from './columns';

/** Why did it die, what happened last night: one task. Slurm has neither pods nor events. */
export function TaskView(props: { page: TaskPage }): JSX.Element {
  const { trans } = useUi();
  const { page } = props;
  return (
    <>
      <PartView part={page.detail} what={trans.__('Task')}>
        {detail => <Detail detail={detail} skew={page.detail.skew} />}
      </PartView>
      {page.orchestrator !== 'SLURM' && (
        <>
          <h4>{trans.__('Pods')}</h4>
          <PartView part={page.pods} what={trans.__('Pods')}>
            {pods => (
              <>
                <Pods pods={pods} skew={page.pods.skew} />
                {page.more_pods && <More more={page.more_pods} />}
              </>
            )}
          </PartView>
          <h4>{trans.__('Events')}</h4>
          <PartView part={page.events} what={trans.__('Events')}>
            {events =>
              events.length ? (
                <Moments moments={events} skew={page.events.skew} />
              ) : (
                <p className="hpgov-Muted">
                  {trans.__('The cluster keeps no event of it any more.')}
                </p>
              )
            }
          </PartView>
        </>
      )}
    </>
  );
}

function Detail(props: {
  detail: TaskDetail;
  skew: number | null;
}): JSX.Element {
  const { trans } = useUi();
  const { detail, skew } = props;
  const { task } = detail;
  return (
    <>
      <h3 className="hpgov-Task-title">
        <Text value={task.name} />
      </h3>
      <dl className="hpgov-Facts">
        <dt>{trans.__('State')}</dt>
        <dd>
          <State task={task} />
        </dd>
        {(task.reason || task.next_step || task.text) && (
          <>
            <dt>{trans.__('Reason')}</dt>
            <dd>
              <Reason task={task} />
            </dd>
          </>
        )}
        <dt>{trans.__('How long')}</dt>
        <dd>
          <Age task={task} skew={skew} />
        </dd>
        <dt>{trans.__('Kind')}</dt>
        <dd>
          <Text value={task.kind} />
        </dd>
        <dt>{trans.__('Requested')}</dt>
        <dd>
          <Amounts amounts={task.requested} />
        </dd>
        <dt>{trans.__('Priority')}</dt>
        <dd>
          <Known value={task.priority} />{' '}
          {task.priority_class && <Text value={task.priority_class} />}
        </dd>
        <dt>{trans.__('Queue')}</dt>
        <dd>
          <Known value={task.queue} />
        </dd>
        <dt>{trans.__('Submitted by')}</dt>
        <dd>
          <Submitter task={task} />
        </dd>
      </dl>
      {detail.pod_sets.length > 0 && (
        <>
          <h4>{trans.__('What it asks for')}</h4>
          <ScrollTable label={trans.__('Pod sets')}>
            <thead role="rowgroup">
              <tr role="row">
                <Head>{trans.__('Pod set')}</Head>
                <Head>{trans.__('Pods')}</Head>
                <Head>{trans.__('Each')}</Head>
                <Head>{trans.__('Flavours')}</Head>
              </tr>
            </thead>
            <tbody role="rowgroup">
              {keyed(detail.pod_sets, set => set.name).map(([key, set]) => (
                <tr role="row" key={key}>
                  <th role="rowheader" scope="row">
                    <Text value={set.name} />
                  </th>
                  <Cell label={trans.__('Pods')}>
                    {set.count}
                    {set.min_count !== null && (
                      <span className="hpgov-Muted">
                        {' '}
                        {trans.__('at least %1', set.min_count)}
                      </span>
                    )}
                  </Cell>
                  <Cell label={trans.__('Each')}>
                    <Amounts amounts={set.per_pod} />
                  </Cell>
                  <Cell label={trans.__('Flavours')}>
                    <Known value={set.flavors.join(', ')} />
                  </Cell>
                </tr>
              ))}
            </tbody>
          </ScrollTable>
        </>
      )}
      {detail.stops.length > 0 && (
        <>
          <h4>{trans.__('Stopped before')}</h4>
          <ul className="hpgov-List">
            {detail.stops.map((stop, i) => (
              <li key={`${stop.at} ${i}`}>
                {stop.at !== null && (
                  <>
                    <Ago at={stop.at} skew={skew} />:{' '}
                  </>
                )}
                <PhraseLine phrase={stop.cause} />
                {stop.count > 1 && (
                  <span className="hpgov-Muted">
                    {' '}
                    {trans._n('%1 time', '%1 times', stop.count)}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {detail.history.length > 0 && (
        <>
          <h4>{trans.__('What happened')}</h4>
          <Moments moments={detail.history} skew={skew} />
        </>
      )}
      {detail.conditions.length > 0 && (
        <details className="hpgov-Details">
          <summary>{trans.__('Conditions')}</summary>
          <Moments moments={detail.conditions} skew={skew} />
        </details>
      )}
      {detail.logs_commands.length > 0 && (
        <CopyBox
          title={trans.__('Logs: run this in a terminal')}
          value={detail.logs_commands.join('\n')}
        />
      )}
    </>
  );
}

function Moments(props: {
  moments: readonly Moment[];
  skew: number | null;
}): JSX.Element {
  return (
    <ol className="hpgov-Moments">
      {props.moments.map((moment, i) => (
        <li key={`${moment.at} ${moment.what.code} ${i}`}>
          <span className="hpgov-Moments-at">
            {moment.at === null ? '–' : <At at={moment.at} />}
          </span>
          <span>
            <PhraseLine phrase={moment.what} />
            {moment.text && (
              <span className="hpgov-Upstream">
                {' '}
                <Text value={moment.text} />
              </span>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}

function Pods(props: {
  pods: readonly PodFact[];
  skew: number | null;
}): JSX.Element {
  const { trans } = useUi();
  if (!props.pods.length) {
    return (
      <p className="hpgov-Muted">{trans.__('No pod of it exists now.')}</p>
    );
  }
  return (
    <ScrollTable label={trans.__('Pods')}>
      <thead role="rowgroup">
        <tr role="row">
          <Head>{trans.__('Pod')}</Head>
          <Head>{trans.__('State')}</Head>
          <Head>{trans.__('Node')}</Head>
          <Head>{trans.__('Containers')}</Head>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {keyed(props.pods, pod => pod.name).map(([key, pod]) => (
          <tr role="row" key={key}>
            <th role="rowheader" scope="row">
              <Text value={pod.name} />
              {pod.started_at !== null && (
                <div className="hpgov-Muted">
                  {trans.__('started')}{' '}
                  <Ago at={pod.started_at} skew={props.skew} />
                </div>
              )}
            </th>
            <Cell label={trans.__('State')}>
              <Text value={pod.phase} />
              {pod.reason && (
                <div>
                  <PhraseLine phrase={pod.reason} />
                </div>
              )}
              {pod.text && (
                <div className="hpgov-Upstream">
                  <Text value={pod.text} />
                </div>
              )}
            </Cell>
            <Cell label={trans.__('Node')}>
              <Known value={pod.node} />
            </Cell>
            <Cell label={trans.__('Containers')}>
              <ul className="hpgov-List">
                {keyed(pod.containers, each => each.name).map(
                  ([name, container]) => (
                    <li key={name}>
                      <Container container={container} />
                    </li>
                  )
                )}
              </ul>
            </Cell>
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
}

/** How many pods are not listed, and what they do. */
function More(props: { more: MorePods }): JSX.Element {
  const { trans, locale } = useUi();
  const { more } = props;
  const counted = new Intl.NumberFormat(locale);
  const phases = Object.entries(more.by_phase).sort((a, b) => b[1] - a[1]);
  return (
    <p className="hpgov-Muted">
      {more.at_least
        ? trans._n(
            'At least %1 more pod is not listed:',
            'At least %1 more pods are not listed:',
            more.count
          )
        : trans._n(
            '%1 more pod is not listed:',
            '%1 more pods are not listed:',
            more.count
          )}{' '}
      {phases.map(([phase, pods], i) => (
        <React.Fragment key={phase}>
          {i > 0 && ', '}
          <Text value={phase} /> {counted.format(pods)}
        </React.Fragment>
      ))}
      {'. '}
      {more.in_trouble > 0
        ? trans.__('In trouble, of these: %1.', counted.format(more.in_trouble))
        : trans.__('None of these is in trouble.')}
    </p>
  );
}

function Container(props: { container: ContainerFact }): JSX.Element {
  const { trans } = useUi();
  const { container } = props;
  return (
    <>
      <Text value={container.name} />: <Text value={container.state} />
      {container.reason && (
        <>
          {', '}
          <Text value={container.reason} />
        </>
      )}
      {container.exit_code !== null && (
        <>, {trans.__('exit code %1', container.exit_code)}</>
      )}
      {container.restarts > 0 && (
        <>, {trans._n('%1 restart', '%1 restarts', container.restarts)}</>
      )}
      {(container.last_reason || container.last_exit_code !== null) && (
        <span className="hpgov-Muted">
          {' ('}
          {trans.__('the run before')}:{' '}
          {container.last_reason && <Text value={container.last_reason} />}
          {container.last_exit_code !== null && (
            <>
              {container.last_reason && ', '}
              {trans.__('exit code %1', container.last_exit_code)}
            </>
          )}
          {')'}
        </span>
      )}
    </>
  );
}
