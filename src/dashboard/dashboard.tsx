import * as React from 'react';
import { Announcer } from '../components/announce';
import { ConnectionCard } from '../components/card';
import { IdentityLine } from '../components/identity';
import { Refresh } from '../components/refresh';
import { TroubleScreen } from '../components/screens';
import { cardStates, stateSentence } from '../components/states';
import { taskState } from '../components/labels';
import { ClockContext, Ticking, useSpeaker, useUi } from '../components/ui';
import { Ago } from '../components/words';
import { useWatched } from '../components/watch';
import { clockFrom } from '../format/time';
import { text } from '../format/text';
import type { IConnectionStore, IFeed, IPage, ITaskQuery } from '../tokens';
import type { ConnectionPage, TasksPage } from '../wire';
import { Access } from './access';
import { Contract } from './contract';
import { Manifest } from './manifest';
import { Namespaces } from './namespaces';
import { ShareView } from './share';
import type { TabId } from './tabids';
import { Tabs } from './tabs';
import { TaskView } from './task';
import { Tasks } from './tasks';

export interface IDashboardProps {
  store: IConnectionStore;
  tab: TabId;
  columns: readonly string[];
  onTab: (tab: TabId) => void;
  /** The connection's name became known or changed. */
  onName: (name: string) => void;
  onDraft?: (fileName: string, text: string) => Promise<void>;
  /** Namespaces that the person typed for this connection. */
  typed: readonly string[];
  /** Keeps them in the settings; absent where JupyterLab keeps none. */
  onTyped?: (names: readonly string[]) => Promise<void>;
}

/** One connection in the main area. Only the tab on the screen polls. */
export function Dashboard(props: IDashboardProps): JSX.Element {
  const { trans } = useUi();
  const { store, tab, onTab } = props;
  const [uid, setUid] = React.useState<string | null>(null);
  const openTask = (next: string) => {
    setUid(next);
    onTab('tasks');
  };
  const tabs = [
    { id: 'tasks', label: trans.__('Tasks') },
    { id: 'share', label: trans.__('Share') },
    { id: 'contract', label: trans.__('Contract') },
    { id: 'access', label: trans.__('Access') }
  ];
  return (
    <div className="hpgov-Body">
      <h2 className="hpgov-Hidden">{trans.__('HyperPod connection')}</h2>
      <Live feed={store.overview}>
        {page => <Overview {...props} page={page} />}
      </Live>
      <Tabs
        label={trans.__('Views of this connection')}
        tabs={tabs}
        selected={tab}
        onSelect={id => onTab(id as TabId)}
      >
        {tab === 'tasks' && (
          <TasksTab
            store={store}
            columns={props.columns}
            uid={uid}
            onOpen={setUid}
          />
        )}
        {tab === 'share' && (
          <Live
            feed={store.share}
            refresh={store.overview}
            asOf={page => page.rows.as_of}
          >
            {page => <ShareView page={page} onOpenTask={openTask} />}
          </Live>
        )}
        {tab === 'contract' && (
          <Live
            feed={store.contract}
            refresh={store.overview}
            asOf={page => page.contract.as_of}
          >
            {page => <Contract page={page} onDraft={props.onDraft} />}
          </Live>
        )}
        {tab === 'access' && (
          <Live feed={store.access} refresh={store.overview}>
            {page => <Access page={page} />}
          </Live>
        )}
      </Tabs>
    </div>
  );
}

/** A page with the clock that came with it; without a page, why. */
function Live<P extends IPage & { next_fresh_at: number | null }>(props: {
  feed: IFeed<P>;
  /** Shows a refresh button, which reads this feed again as well. */
  refresh?: IFeed<IPage>;
  /** When what the page is about was read, beside that button. */
  asOf?: (page: P) => number | null;
  /** Stands before it, whether a page came or not. */
  lead?: React.ReactNode;
  children: (page: P) => React.ReactNode;
}): JSX.Element {
  const { trans } = useUi();
  const { page, received, trouble } = useWatched(props.feed);
  const clock = React.useMemo(
    () => (page ? clockFrom(page.now, received) : { now: () => 0 }),
    [page, received]
  );
  const asOf = page ? (props.asOf?.(page) ?? null) : null;
  return (
    <ClockContext.Provider value={clock}>
      <Ticking>
        {trouble && (
          <TroubleScreen
            trouble={trouble}
            stale={page !== null}
            onRetry={() => props.feed.refresh(false)}
          />
        )}
        {(props.lead || (page && props.refresh)) && (
          <div className="hpgov-Toolbar">
            {props.lead}
            {page && props.refresh && (
              <span className="hpgov-Toolbar-age">
                {asOf !== null && (
                  <span className="hpgov-Muted">
                    {trans.__('Read')} <Ago at={asOf} />
                  </span>
                )}
                <Refresh
                  feed={props.feed}
                  also={props.refresh}
                  nextFreshAt={page.next_fresh_at}
                />
              </span>
            )}
          </div>
        )}
        {page
          ? props.children(page)
          : !trouble && (
              <p className="hpgov-Muted" data-state="pending">
                {trans.__('Asking the server.')}
              </p>
            )}
      </Ticking>
    </ClockContext.Provider>
  );
}

function Overview(
  props: IDashboardProps & { page: ConnectionPage }
): JSX.Element {
  const speaker = useSpeaker();
  const { trans } = speaker;
  const { page, onName, typed, onTyped } = props;
  const eks = page.card.connection.orchestrator !== 'SLURM';
  const unread =
    page.manifest.last.state !== 'pending' &&
    page.namespaces.every(fact => !fact.read);
  const form = eks && onTyped && (
    <Namespaces
      facts={page.namespaces}
      typed={typed}
      onTyped={onTyped}
      lead={unread}
    />
  );
  const { name } = page.card.connection;
  React.useEffect(() => onName(name), [name, onName]);
  const states = React.useMemo(
    () => new Map(cardStates(speaker, page.card)),
    [speaker, page.card]
  );
  return (
    <div className="hpgov-Overview">
      <Announcer states={states} />
      <div className="hpgov-Strip-who">
        <IdentityLine identity={page.identity} label={trans.__('Reads as')} />
        {page.sandbox && (
          <p className="hpgov-Sandbox">
            <strong>{trans.__('Sandbox')}</strong>{' '}
            {trans.__('Invented clusters; nothing here is real.')}
          </p>
        )}
      </div>
      <ConnectionCard card={page.card} />
      {unread && form}
      {eks && (
        <Manifest part={page.manifest} namespaces={page.namespaces}>
          {!unread && form}
        </Manifest>
      )}
    </div>
  );
}

function TasksTab(props: {
  store: IConnectionStore;
  columns: readonly string[];
  uid: string | null;
  onOpen: (uid: string | null) => void;
}): JSX.Element {
  const { store, uid } = props;
  const [query, setQuery] = React.useState<ITaskQuery>(store.query);
  const [last, setLast] = React.useState<string | null>(null);
  const onAsk = React.useCallback(
    (change: Partial<ITaskQuery>) => {
      store.ask(change);
      setQuery(store.query);
    },
    [store]
  );
  const back = () => {
    setLast(uid);
    props.onOpen(null);
  };
  return uid === null ? (
    <Live feed={store.tasks}>
      {page => (
        <>
          <TaskNews page={page} />
          <BackTo uid={last}>
            <Tasks
              page={page}
              feed={store.tasks}
              overview={store.overview}
              query={query}
              columns={props.columns}
              current={last}
              onAsk={onAsk}
              onOpen={props.onOpen}
            />
          </BackTo>
        </>
      )}
    </Live>
  ) : (
    <OneTask key={uid} store={store} uid={uid} onBack={back} />
  );
}

/** The person came here by a button that is gone now: the page of the task takes the focus, before anything of it is known. */
function OneTask(props: {
  store: IConnectionStore;
  uid: string;
  onBack: () => void;
}): JSX.Element {
  const { trans } = useUi();
  const section = React.useRef<HTMLElement>(null);
  React.useEffect(() => section.current?.focus(), []);
  return (
    <section
      className="hpgov-Task"
      ref={section}
      tabIndex={-1}
      aria-label={trans.__('One task')}
      onKeyDown={event => {
        if (event.key === 'Escape' && !event.defaultPrevented) {
          event.stopPropagation();
          props.onBack();
        }
      }}
    >
      <Live
        feed={props.store.task(props.uid)}
        refresh={props.store.overview}
        asOf={page => page.detail.as_of}
        lead={
          <button type="button" className="hpgov-Button" onClick={props.onBack}>
            {trans.__('Back to the tasks')}
          </button>
        }
      >
        {page => <TaskView page={page} />}
      </Live>
    </section>
  );
}

/** Gives the focus back to the row that the person came from. */
function BackTo(props: {
  uid: string | null;
  children: React.ReactNode;
}): JSX.Element {
  const place = React.useRef<HTMLDivElement>(null);
  const { uid } = props;
  React.useEffect(() => {
    if (uid !== null) {
      const row = Array.from(
        place.current?.querySelectorAll<HTMLElement>('[data-key]') ?? []
      ).find(element => element.dataset.key === uid);
      // a row that is filtered out, on another page or not read yet: the focus is at the table's place, not lost
      (row ?? place.current)?.focus();
    }
  }, [uid]);
  return (
    <div ref={place} tabIndex={-1} className="hpgov-Place">
      {props.children}
    </div>
  );
}

/** Tasks on the screen whose state changed, for the live region. */
function TaskNews(props: { page: TasksPage }): JSX.Element {
  const speaker = useSpeaker();
  const { trans } = speaker;
  const { tasks } = props.page;
  const states = React.useMemo(() => {
    const all = new Map<string, string>();
    if (tasks.last.state !== 'pending') {
      all.set('tasks', stateSentence(speaker, trans.__('Tasks'), tasks.last));
    }
    for (const task of tasks.data ?? []) {
      all.set(
        task.uid,
        `${text(task.name)}: ${taskState(trans, task.state, task.ended)}.`
      );
    }
    return all;
  }, [tasks, speaker, trans]);
  return <Announcer states={states} />;
}
