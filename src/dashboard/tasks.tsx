import * as React from 'react';
import { taskState, TASK_STATES } from '../components/labels';
import { Keep } from '../components/keep';
import { PartView, shown } from '../components/part';
import { Refresh } from '../components/refresh';
import { useUi } from '../components/ui';
import { Ago, PhraseLine, Text } from '../components/words';
import type { IFeed, ITaskQuery } from '../tokens';
import type { ConnectionPage, Task, TasksPage } from '../wire';
import { columns, type IColumn } from './columns';

export interface ITasksProps {
  page: TasksPage;
  feed: IFeed<TasksPage>;
  overview?: IFeed<ConnectionPage>;
  query: ITaskQuery;
  columns: readonly string[];
  current: string | null;
  onAsk: (change: Partial<ITaskQuery>) => void;
  onOpen: (uid: string) => void;
}

/** The task table: filter, sort and pages are the server's, over one immutable snapshot. */
export function Tasks(props: ITasksProps): JSX.Element {
  const { trans } = useUi();
  const { page } = props;
  const all = React.useMemo(() => columns(trans), [trans]);
  const chosen = all.filter(column => props.columns.includes(column.id));
  return (
    <div className="hpgov-Tasks">
      <Filters {...props} />
      <PartView part={page.tasks} what={trans.__('Tasks')}>
        {tasks => <Table {...props} tasks={tasks} chosen={chosen} />}
      </PartView>
      {shown(page.tasks) !== null && <Pager {...props} />}
    </div>
  );
}

/** Waits until typing pauses, so that each letter is not a request. */
const TYPING_MS = 300;

function Filters(props: ITasksProps): JSX.Element {
  const { trans } = useUi();
  const { page, query, onAsk } = props;
  const [typed, setTyped] = React.useState(query.text);
  const name = React.useId();
  React.useEffect(() => {
    if (typed === query.text) {
      return;
    }
    const timer = setTimeout(() => onAsk({ text: typed }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, query.text, onAsk]);
  const toggle = (state: string) =>
    onAsk({
      states: query.states.includes(state)
        ? query.states.filter(s => s !== state)
        : [...query.states, state]
    });
  const known = TASK_STATES.filter(
    state => (page.by_state[state] ?? 0) > 0 || query.states.includes(state)
  );
  return (
    <div className="hpgov-Filters" role="group" aria-label={trans.__('Filter')}>
      <fieldset className="hpgov-Choice">
        <legend>{trans.__('Whose')}</legend>
        <label>
          <input
            type="radio"
            name={name}
            checked={query.whose === 'team'}
            onChange={() => onAsk({ whose: 'team' })}
          />
          {trans.__('my team')}
        </label>
        <label>
          <input
            type="radio"
            name={name}
            checked={query.whose === 'mine'}
            disabled={!page.mine_known && query.whose !== 'mine'}
            onChange={() => onAsk({ whose: 'mine' })}
          />
          {trans.__('mine')}
        </label>
        {page.mine_why && (
          <span className="hpgov-Muted">
            <PhraseLine phrase={page.mine_why} />
          </span>
        )}
      </fieldset>
      <label className="hpgov-Search">
        {trans.__('Name, kind or submitter')}
        <input
          type="search"
          maxLength={100}
          value={typed}
          onChange={event => setTyped(event.target.value)}
        />
      </label>
      {known.length > 0 && (
        <div
          className="hpgov-Chips"
          role="group"
          aria-label={trans.__('States')}
        >
          {known.map(state => (
            <button
              key={state}
              type="button"
              className="hpgov-Chip"
              aria-pressed={query.states.includes(state)}
              onClick={() => toggle(state)}
            >
              {taskState(trans, state)} {page.by_state[state] ?? 0}
            </button>
          ))}
        </div>
      )}
      <div className="hpgov-Filters-age">
        {page.tasks.as_of !== null && (
          <span className="hpgov-Muted">
            {trans.__('Read')} <Ago at={page.tasks.as_of} />
          </span>
        )}{' '}
        <Refresh
          feed={props.feed}
          also={props.overview}
          nextFreshAt={page.next_fresh_at}
        />
      </div>
    </div>
  );
}

function Table(
  props: ITasksProps & { tasks: readonly Task[]; chosen: readonly IColumn[] }
): JSX.Element {
  const { trans } = useUi();
  const { tasks, chosen, page, query } = props;
  const caption =
    query.whose === 'mine' ? trans.__('My tasks') : trans.__("My team's tasks");
  if (!tasks.length) {
    const narrowed =
      query.text !== '' || query.states.length > 0 || query.whose === 'mine';
    return (
      <p className="hpgov-Empty">
        {narrowed
          ? trans.__('No task matches the filter.')
          : trans.__('No task in the namespaces that are read.')}
      </p>
    );
  }
  return (
    <Keep label={caption}>
      <table className="hpgov-Table">
        <caption className="hpgov-Hidden">{caption}</caption>
        <thead>
          <tr>
            <Heading
              {...props}
              id="name"
              label={trans.__('Name')}
              sort="name"
            />
            {chosen.map(column => (
              <Heading
                key={column.id}
                {...props}
                id={column.id}
                label={column.label}
                sort={column.sort}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {tasks.map(task => (
            <tr
              key={task.uid}
              data-uid={task.uid}
              aria-current={task.uid === props.current || undefined}
            >
              <th scope="row">
                <button
                  type="button"
                  className="hpgov-RowButton"
                  data-key={task.uid}
                  onClick={() => props.onOpen(task.uid)}
                >
                  <Text value={task.name} />
                </button>
                <div className="hpgov-Muted">
                  <Text value={task.scope} />
                </div>
              </th>
              {chosen.map(column => (
                <td key={column.id} data-column={column.id}>
                  {column.cell(task, page.tasks.skew)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Keep>
  );
}

function Heading(
  props: ITasksProps & { id: string; label: string; sort: string | null }
): JSX.Element {
  const { page, sort, label } = props;
  if (sort === null) {
    return <th scope="col">{label}</th>;
  }
  const sorted = page.sort === sort;
  return (
    <th
      scope="col"
      aria-sort={
        sorted ? (page.descending ? 'descending' : 'ascending') : undefined
      }
    >
      <button
        type="button"
        className="hpgov-SortButton"
        data-key={`sort ${props.id}`}
        onClick={() =>
          props.onAsk({ sort, descending: sorted ? !page.descending : false })
        }
      >
        {label}
        <span aria-hidden="true" className="hpgov-Sort">
          {sorted ? (page.descending ? '▼' : '▲') : '↕'}
        </span>
      </button>
    </th>
  );
}

function Pager(props: ITasksProps): JSX.Element | null {
  const { trans, locale } = useUi();
  const { page, onAsk } = props;
  const { offset, limit, total } = page;
  if (total === null || total === 0) {
    return null;
  }
  const number = new Intl.NumberFormat(locale);
  const last = Math.min(total, offset + limit);
  const back = offset > 0;
  const on = last < total;
  return (
    <nav className="hpgov-Pager" aria-label={trans.__('Pages')}>
      <button
        type="button"
        className="hpgov-Button"
        aria-disabled={!back}
        onClick={() => back && onAsk({ offset: Math.max(0, offset - limit) })}
      >
        {trans.__('Previous')}
      </button>
      <span>
        {trans.__(
          '%1 to %2 of %3',
          number.format(Math.min(offset + 1, total)),
          number.format(last),
          number.format(total)
        )}
      </span>
      <button
        type="button"
        className="hpgov-Button"
        aria-disabled={!on}
        onClick={() => on && onAsk({ offset: offset + limit })}
      >
        {trans.__('Next')}
      </button>
    </nav>
  );
}
