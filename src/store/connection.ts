import type { IConnectionStore, IPage, ITarget, ITaskQuery } from '../tokens';
import type {
  AccessPage,
  ConnectionPage,
  ContractPage,
  SharePage,
  TaskPage,
  TasksPage
} from '../wire';
import { Feed, type ISurroundings } from './feed';

/** Rows per page of the task table; the server's own limit is 200. */
export const PAGE_SIZE = 50;

/** Everything one dashboard reads of one connection. */
export class ConnectionStore implements IConnectionStore {
  constructor(
    readonly id: string,
    whose: 'mine' | 'team',
    private _around: ISurroundings
  ) {
    this._query = {
      whose,
      states: [],
      text: '',
      sort: '',
      descending: false,
      offset: 0
    };
  }

  get overview(): Feed<ConnectionPage> {
    return this._feed<ConnectionPage>('');
  }
  get share(): Feed<SharePage> {
    return this._feed<SharePage>('/share');
  }
  get contract(): Feed<ContractPage> {
    return this._feed<ContractPage>('/contract');
  }
  get access(): Feed<AccessPage> {
    return this._feed<AccessPage>('/access');
  }
  task(uid: string): Feed<TaskPage> {
    return this._feed<TaskPage>(`/tasks/${uid}`);
  }

  get tasks(): Feed<TasksPage> {
    const known = this._feeds.has('/tasks');
    const feed = this._feed<TasksPage>('/tasks', () => this._taskQuery());
    if (!known) {
      feed.changed.connect(this._onTasks, this);
    }
    return feed;
  }

  get query(): ITaskQuery {
    return this._query;
  }

  ask(change: Partial<ITaskQuery>): void {
    const turning = Object.keys(change).every(name => name === 'offset');
    this._query = {
      ...this._query,
      ...(turning ? {} : { offset: 0 }),
      ...change
    };
    // Turning the page stays in the snapshot on the screen, so that no row is met twice or missed.
    this._held = turning ? (this.tasks.state.page?.generation ?? null) : null;
    this.tasks.retarget();
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  dispose(): void {
    this._isDisposed = true;
    for (const feed of this._feeds.values()) {
      feed.dispose();
    }
    this._feeds.clear();
  }

  private _taskQuery(): ITarget['query'] {
    const { whose, states, text, sort, descending, offset } = this._query;
    const generation = this._held;
    this._held = null;
    return {
      whose,
      state: states.length ? states.join(',') : null,
      text: text || null,
      sort: sort || null,
      descending: sort && descending ? 1 : null,
      offset: offset || null,
      limit: PAGE_SIZE,
      generation
    };
  }

  private _onTasks(feed: Feed<TasksPage>): void {
    const { page, busy } = feed.state;
    if (busy || !page || page === this._judged) {
      return;
    }
    this._judged = page;
    // by the size of the page that came: the server may give fewer rows than were asked for
    const size = Math.max(1, page.limit);
    const last =
      page.total === null
        ? 0
        : Math.floor(Math.max(0, page.total - 1) / size) * size;
    if (page.total !== null && this._query.offset > last) {
      // The list has become shorter than where the person stands: its last page now.
      this._query = { ...this._query, offset: last };
      feed.retarget();
    } else if (page.generation_gone) {
      feed.retarget();
    }
  }

  private _feed<P extends IPage>(
    path: string,
    query: () => ITarget['query'] = () => ({})
  ): Feed<P> {
    let feed = this._feeds.get(path);
    if (!feed) {
      feed = new Feed<IPage>(
        `connection${path}`,
        () => ({ path: `connections/${this.id}${path}`, query: query() }),
        this._around
      );
      this._feeds.set(path, feed);
    }
    // One path has one page type; the getters above are the only callers.
    return feed as unknown as Feed<P>;
  }

  private _query: ITaskQuery;
  private _held: string | null = null;
  private _judged: TasksPage | null = null;
  private _feeds = new Map<string, Feed<IPage>>();
  private _isDisposed = false;
}
