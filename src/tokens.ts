import type { TranslationBundle } from '@jupyterlab/translation';
import type { IDisposable } from '@lumino/disposable';
import type { ISignal } from '@lumino/signaling';
import { Token } from '@lumino/coreutils';
import type { Params } from './format/phrase';
import type {
  AccessPage,
  ConnectionPage,
  ConnectionsPage,
  ContractPage,
  SessionPage,
  SharePage,
  TaskPage,
  TasksPage
} from './wire';

/** What every page carries. */
export interface IPage {
  now: number;
  poll_after_ms: number;
  sandbox: boolean;
}

/**
 * Why this tab got no page. Not to be mixed up with the state of an upstream, which travels inside a page.
 *
 * signed_out: the session with Jupyter ended. not_enabled: no server extension answers. mismatch: page and server are of different versions.
 * offline: no answer at all. fault: the server failed (5xx). refused: the request itself (4xx with our own code).
 */
export type TroubleKind =
  'signed_out' | 'not_enabled' | 'mismatch' | 'offline' | 'fault' | 'refused';

export interface ITrouble {
  kind: TroubleKind;
  code: string | null;
  params: Params;
}

/** What to ask for. Values of `query` that are null are left out. */
export interface ITarget {
  path: string;
  query: { [name: string]: string | number | null };
}

/** One page that is read again and again while somebody looks. Immutable snapshots: a new object per answer. */
export interface IFeedState<P extends IPage> {
  page: P | null;
  /** performance.now() when `page` arrived. */
  received: number;
  /** How the last try ended; the page above stays beside it. */
  trouble: ITrouble | null;
  busy: boolean;
}

export interface IFeed<P extends IPage> extends IDisposable {
  readonly state: IFeedState<P>;
  readonly changed: ISignal<IFeed<P>, void>;
  /** Ask again at once; with `fresh` the server reads again too, as far as its floor allows. */
  refresh(fresh: boolean): void;
  /** The target changed: ask for the new one at once. */
  retarget(): void;
  /** Poll while any watcher says that it is visible; whoever watches calls `wake` when that becomes true. */
  watch(isVisible: () => boolean): IDisposable;
  /** Ask at once if somebody looks and the last answer is older than the server wanted it to get. */
  wake(): void;
}

/** How a list of tasks is asked for. */
export interface ITaskQuery {
  whose: 'mine' | 'team';
  states: readonly string[];
  text: string;
  sort: string;
  descending: boolean;
  offset: number;
}

/** One connection as a dashboard reads it. Feeds are made when first asked for and poll only while watched. */
export interface IConnectionStore extends IDisposable {
  readonly id: string;
  readonly overview: IFeed<ConnectionPage>;
  readonly tasks: IFeed<TasksPage>;
  readonly share: IFeed<SharePage>;
  readonly contract: IFeed<ContractPage>;
  readonly access: IFeed<AccessPage>;
  task(uid: string): IFeed<TaskPage>;
  readonly query: ITaskQuery;
  /** Change how tasks are asked for. Turning the page keeps the snapshot; anything else starts at its first row. */
  ask(change: Partial<ITaskQuery>): void;
}

export interface IPreferences {
  /** Seconds between two reads; 0 leaves it to the server, which also sets the least. */
  pollSeconds: number;
  paused: boolean;
  whose: 'mine' | 'team';
  columns: readonly string[];
  statusBar: boolean;
  /** Namespaces typed by the person, per connection id; the server reads them from her settings. */
  namespaces: { readonly [id: string]: readonly string[] };
}

/** What the plugins share: the feeds of this tab and the person's preferences. */
export interface IHpgov {
  readonly session: IFeed<SessionPage>;
  readonly connections: IFeed<ConnectionsPage>;
  connection(id: string): IConnectionStore;
  readonly preferences: IPreferences;
  readonly preferencesChanged: ISignal<IHpgov, void>;
  /** False where JupyterLab keeps no settings: what is changed then is gone with the page, and the server can't read it. */
  readonly keepsPreferences: boolean;
  /** Write preferences back into the settings, where there is a settings registry. */
  prefer(change: Partial<IPreferences>): Promise<void>;
  readonly trans: TranslationBundle;
  readonly locale: string | undefined;
}

export const IHpgov = new Token<IHpgov>(
  'hpgov-jlab:IHpgov',
  'What this tab knows of the HyperPod connections, and how it keeps it up to date.'
);
