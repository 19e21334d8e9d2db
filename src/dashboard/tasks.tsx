import * as React from 'react';
import { taskState, TASK_STATES } from '../components/labels';
import { keyed } from '../components/keys';
import { Keep } from '../components/keep';
import { PartView, shown } from '../components/part';
import { Refresh } from '../components/refresh';
import { Head } from '../components/table';
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
              {taskState(trans, state)}{' '}
              {page.at_least
                ? trans.__('at least %1', page.by_state[state] ?? 0)
                : (page.by_state[state] ?? 0)}
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
  const alike = oneScope(tasks) !== null;
  if (!tasks.length) {
    const narrowed = query.text !== '' || query.states.length > 0;
    return (
      <p className="hpgov-Empty">
        {narrowed
          ? trans.__('No task matches the filter.')
          : query.whose === 'mine'
            ? trans.__('No task here is recorded as yours.')
            : trans.__('No task in the namespaces that are read.')}
      </p>
    );
  }
  return (
    <Keep label={caption}>
      <table role="table" className="hpgov-Table hpgov-mod-stack">
        <caption className="hpgov-Hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
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
        <tbody role="rowgroup">
          {keyed(tasks, task => task.uid).map(([key, task]) => (
            <tr
              role="row"
              key={key}
              data-uid={task.uid}
              aria-current={task.uid === props.current || undefined}
            >
              <th role="rowheader" scope="row">
                <button
                  type="button"
                  className="hpgov-RowButton"
                  data-key={task.uid}
                  onClick={() => props.onOpen(task.uid)}
                >
                  <Text value={task.name} />
                </button>
                {!alike && (
                  <div className="hpgov-Muted">
                    <Text value={task.scope} />
                  </div>
                )}
              </th>
              {chosen.map(column => (
                <td
                  role="cell"
                  key={column.id}
                  data-column={column.id}
                  data-label={column.label}
                >
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

/** The namespace or account that all of them are in, which then needs no line in every row. */
function oneScope(tasks: readonly Task[]): string | null {
  const [first] = tasks;
  return first && tasks.every(task => task.scope === first.scope)
    ? first.scope
    : null;
}

function Heading(
  props: ITasksProps & { id: string; label: string; sort: string | null }
): JSX.Element {
  const { page, sort, label } = props;
  if (sort === null) {
    return <Head>{label}</Head>;
  }
  const sorted = page.sort === sort;
  return (
    <th
      role="columnheader"
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
  const back = offset > 0;
  const on = total !== null && offset + limit < total;
  // One page needs no buttons; but those that were there stay, since one of them may have the focus.
  const [many, setMany] = React.useState(false);
  if ((back || on) && !many) {
    setMany(true);
  }
  if (total === null || total === 0) {
    return null;
  }
  const number = new Intl.NumberFormat(locale);
  const last = Math.min(total, offset + limit);
  const scope = oneScope(shown(page.tasks) ?? []);
  const figures = [Math.min(offset + 1, total), last, total].map(each =>
    number.format(each)
  );
  const range = (
    <span>
      {page.at_least
        ? trans.__('%1 to %2 of at least %3', ...figures)
        : trans.__('%1 to %2 of %3', ...figures)}
    </span>
  );
  const where = scope !== null && (
    <span className="hpgov-Muted">
      <Text value={scope} />
    </span>
  );
  if (!many) {
    return (
      <p className="hpgov-Pager">
        {range}
        {where}
      </p>
    );
  }
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
      {range}
      <button
        type="button"
        className="hpgov-Button"
        aria-disabled={!on}
        onClick={() => on && onAsk({ offset: offset + limit })}
      >
        {trans.__('Next')}
      </button>
      {where}
    </nav>
  );
}
