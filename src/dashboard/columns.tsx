import * as React from 'react';
import type { TranslationBundle } from '@jupyterlab/translation';
import { ordinal, taskSign, taskState } from '../components/labels';
import { useUi } from '../components/ui';
import { Ago, Known, Lasted, PhraseLine, Text } from '../components/words';
import type { Task } from '../wire';
import { Amounts } from './amounts';

export interface IColumn {
  id: string;
  label: string;
  /** The server's name for this order, null where it has none. */
  sort: string | null;
  cell: (task: Task, skew: number | null) => React.ReactNode;
}

/** Every column of the task table but the name, which is the row's heading. */
export function columns(trans: TranslationBundle): IColumn[] {
  return [
    {
      id: 'state',
      label: trans.__('State'),
      sort: 'state',
      cell: task => <State task={task} />
    },
    {
      id: 'kind',
      label: trans.__('Kind'),
      sort: 'kind',
      cell: task => <Text value={task.kind} />
    },
    {
      id: 'priority',
      label: trans.__('Priority'),
      sort: 'priority',
      cell: task => <Priority task={task} />
    },
    {
      id: 'requested',
      label: trans.__('Requested'),
      sort: 'requested',
      cell: task => <Amounts amounts={task.requested} />
    },
    {
      id: 'age',
      label: trans.__('How long'),
      sort: 'since',
      cell: (task, skew) => <Age task={task} skew={skew} />
    },
    {
      id: 'reason',
      label: trans.__('Reason'),
      sort: null,
      cell: task => <Reason task={task} brief />
    },
    {
      id: 'line',
      label: trans.__("In your team's line"),
      sort: 'place',
      cell: task => <Line task={task} />
    },
    {
      id: 'submitter',
      label: trans.__('Submitted by'),
      sort: null,
      cell: task => <Submitter task={task} />
    },
    {
      id: 'queue',
      label: trans.__('Queue'),
      sort: null,
      cell: task => <Known value={task.queue} />
    },
    {
      id: 'flavors',
      label: trans.__('Flavours'),
      sort: null,
      cell: task => <Known value={task.flavors.join(', ')} />
    },
    {
      id: 'stops',
      label: trans.__('Stopped before'),
      sort: null,
      cell: task => <Known value={task.stops} />
    }
  ];
}

export function State(props: { task: Task }): JSX.Element {
  const { trans } = useUi();
  const { task } = props;
  return (
    <>
      <span className="hpgov-State" data-state={task.state}>
        <span aria-hidden="true" className="hpgov-Sign">
          {taskSign(task)}
        </span>{' '}
        {taskState(trans, task.state, task.ended)}
      </span>
      {task.stops !== null && task.stops > 0 && (
        <div className="hpgov-Muted">
          {trans._n(
            'stopped %1 time before',
            'stopped %1 times before',
            task.stops
          )}
        </div>
      )}
    </>
  );
}

function Priority(props: { task: Task }): JSX.Element {
  const { task } = props;
  return (
    <>
      <Known value={task.priority} />
      {task.priority_class && (
        <div className="hpgov-Muted">
          <Text value={task.priority_class} />
        </div>
      )}
    </>
  );
}

/** How long the present state has lasted; for what has ended, how long it ran and how long ago that was. */
export function Age(props: { task: Task; skew: number | null }): JSX.Element {
  const { trans } = useUi();
  const { task, skew } = props;
  if (task.state === 'finished') {
    return (
      <>
        {task.started_at !== null && task.finished_at !== null && (
          <>
            {trans.__('ran')}{' '}
            <Lasted since={task.started_at} until={task.finished_at} />
            {', '}
          </>
        )}
        {task.finished_at !== null ? (
          <>
            {trans.__('ended')} <Ago at={task.finished_at} skew={skew} />
          </>
        ) : (
          '–'
        )}
      </>
    );
  }
  const since = task.since ?? task.created_at;
  return since === null ? <>–</> : <Lasted since={since} skew={skew} />;
}

/**
 * Our reason first, then the next step, then the upstream's own words where they may be shown. `brief`: those only where we have none,
 * since they say the same again in the scheduler's language; the task's page has them all.
 */
export function Reason(props: {
  task: Task;
  brief?: boolean;
}): JSX.Element | null {
  const { task } = props;
  return (
    <>
      {task.reason && <PhraseLine phrase={task.reason} />}
      {task.next_step && (
        <div className="hpgov-Then">
          <PhraseLine phrase={task.next_step} />
        </div>
      )}
      {task.text && !(props.brief && task.reason) && (
        <div className="hpgov-Upstream">
          <Text value={task.text} />
        </div>
      )}
    </>
  );
}

function Line(props: { task: Task }): JSX.Element {
  const { trans, locale } = useUi();
  const { place_in_line: place, line_source: source } = props.task;
  if (place === null) {
    return <>{props.task.state === 'waiting' ? '–' : ''}</>;
  }
  return (
    <>
      {ordinal(place, locale)}
      {source === 'computed' && (
        <div className="hpgov-Muted">{trans.__('computed from own tasks')}</div>
      )}
    </>
  );
}

export function Submitter(props: { task: Task }): JSX.Element {
  const { trans } = useUi();
  const { task } = props;
  if (task.submitter === null) {
    return <span className="hpgov-Muted">{trans.__('not recorded')}</span>;
  }
  return (
    <>
      <Text value={task.submitter} />
      {task.mine && <span className="hpgov-Tag">{trans.__('you')}</span>}
      {task.submitter_claimed && (
        <span className="hpgov-Tag">{trans.__('claimed')}</span>
      )}
    </>
  );
}
