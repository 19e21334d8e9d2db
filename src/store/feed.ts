import { DisposableDelegate, type IDisposable } from '@lumino/disposable';
import { Poll } from '@lumino/polling';
import { Signal, type ISignal } from '@lumino/signaling';
import { Trouble, type Client } from '../api/client';
import type {
  IFeed,
  IFeedState,
  IPage,
  ITarget,
  ITrouble,
  TroubleKind
} from '../tokens';

/** Never longer than this between two tries. */
const LONGEST_MS = 300_000;
/** Before the first answer, and the least after a failed one. */
const FIRST_MS = 5_000;

/** Answers nearer than this tell of one moment. */
const TOGETHER_MS = 2_000;

/** Troubles that do not pass by themselves: no further request until the person asks for one. */
const STOPS: ReadonlySet<TroubleKind> = new Set([
  'signed_out',
  'not_enabled',
  'mismatch',
  'refused'
]);

/** What a feed needs to know of its surroundings. */
export interface ISurroundings {
  client: Pick<Client, 'get'>;
  /** Jupyter's own word on whether its server can be reached. */
  connected: () => boolean;
  /** The person paused polling in the settings. */
  paused: () => boolean;
  /** The person's own interval in milliseconds; 0 leaves it to the server. */
  interval: () => number;
  /** Something above this feed forbids asking, e.g. a version mismatch. */
  halted: () => boolean;
  /** Feeds that stand on one screen and have to tell of the same moment. */
  round: Set<{ catchUp(): void }>;
}

/**
 * One page, polled while somebody looks. The server says when to ask next; hidden, paused, disconnected and hopeless feeds send nothing.
 */
export class Feed<P extends IPage> implements IFeed<P> {
  constructor(
    name: string,
    private _target: () => ITarget,
    private _around: ISurroundings
  ) {
    this._poll = new Poll<P, ITrouble>({
      auto: false,
      name: `hpgov-jlab:${name}`,
      factory: () => this._fetch(),
      frequency: { interval: FIRST_MS, backoff: true, max: LONGEST_MS },
      linger: 0,
      standby: () => (this._forced ? 'never' : this._idle() || document.hidden)
    });
    document.addEventListener('visibilitychange', this._onVisibility);
    this._around.round.add(this);
  }

  get state(): IFeedState<P> {
    return this._state;
  }

  get changed(): ISignal<this, void> {
    return this._changed;
  }

  get isDisposed(): boolean {
    return this._poll.isDisposed;
  }

  /** Ask at once. A refresh by the person also tries again after a trouble that had stopped this feed, and while paused. */
  refresh(fresh: boolean): void {
    this._fresh ||= fresh;
    this._forced = true;
    this._go();
  }

  retarget(): void {
    this.refresh(false);
  }

  /** Poll while `isVisible` says so, until the returned handle is disposed. Call `wake` when visibility may have changed. */
  watch(isVisible: () => boolean): IDisposable {
    this._watchers.add(isVisible);
    this.wake();
    return new DisposableDelegate(() => this._watchers.delete(isVisible));
  }

  /** Ask at once if somebody looks and the last answer is older than the server wanted it to get. */
  wake(): void {
    if (this.isDisposed || document.hidden || !this._seen()) {
      return;
    }
    if (this._state.page === null && this._state.trouble === null) {
      // Also while paused: an empty panel is no answer.
      if (!this._state.busy && !this._around.halted()) {
        this._forced = true;
        this._go();
      }
    } else if (!this._idle() && performance.now() >= this._due) {
      this._go();
    }
  }

  /**
   * Another page of this screen has just settled: what this one shows must not be of an earlier moment for longer than it takes to ask.
   * Thereby all of them come to ask at the same time, each as often as before.
   */
  catchUp(): void {
    if (
      this._state.page !== null &&
      !this._state.busy &&
      !document.hidden &&
      !this._idle() &&
      performance.now() - this._state.received > TOGETHER_MS
    ) {
      this._go();
    }
  }

  dispose(): void {
    if (this.isDisposed) {
      return;
    }
    this._around.round.delete(this);
    document.removeEventListener('visibilitychange', this._onVisibility);
    this._watchers.clear();
    this._poll.dispose();
    Signal.clearData(this);
  }

  private _go(): void {
    if (this._state.busy) {
      // One in flight: the request now under way may be for another target or not fresh, so one more follows it.
      this._again = true;
      return;
    }
    void this._poll.schedule({ interval: Poll.IMMEDIATE, phase: 'refreshed' });
  }

  private _seen(): boolean {
    for (const isVisible of this._watchers) {
      if (isVisible()) {
        return true;
      }
    }
    return false;
  }

  private _idle(): boolean {
    const { connected, paused, halted } = this._around;
    const trouble = this._state.trouble;
    return (
      !connected() ||
      paused() ||
      halted() ||
      !this._seen() ||
      (trouble !== null && STOPS.has(trouble.kind))
    );
  }

  private async _fetch(): Promise<P> {
    const target = this._target();
    const fresh = this._fresh;
    this._fresh = false;
    this._forced = false;
    this._again = false;
    this._set({ busy: true });
    try {
      const page = await this._around.client.get<P>(
        fresh ? { ...target, query: { ...target.query, fresh: 1 } } : target
      );
      this._pace(page.poll_after_ms);
      if (this.isDisposed) {
        return page;
      }
      // Under `_again` the question has changed: its answer follows, and this one would be shown under the wrong heading.
      this._set(
        this._again
          ? { busy: false }
          : { page, received: performance.now(), trouble: null, busy: false }
      );
      if (!this._again && page.poll_after_ms >= FIRST_MS) {
        for (const other of [...this._around.round]) {
          other.catchUp();
        }
      }
      return page;
    } catch (error) {
      this._pace(FIRST_MS);
      if (!this.isDisposed) {
        const { kind, code, params } =
          error instanceof Trouble ? error : new Trouble('offline');
        // Refused means that this question has no answer for this person: what an earlier one brought goes at once.
        const page = kind === 'refused' ? null : this._state.page;
        this._set({ page, trouble: { kind, code, params }, busy: false });
      }
      throw error;
    } finally {
      if (this._again && !this.isDisposed) {
        // After the poll has scheduled its own next tick, replace that by now.
        this._forced = true;
        setTimeout(() => this.isDisposed || this._go(), 0);
      }
    }
  }

  private _pace(wanted: number): void {
    if (this.isDisposed) {
      return;
    }
    // An interval below the first one means that reads are in flight: the person's own interval is for settled answers.
    const mine = wanted < FIRST_MS ? 0 : this._around.interval();
    const interval = Math.min(LONGEST_MS, Math.max(250, wanted, mine));
    this._due = performance.now() + interval;
    this._poll.frequency = { interval, backoff: true, max: LONGEST_MS };
  }

  private _set(change: Partial<IFeedState<P>>): void {
    this._state = { ...this._state, ...change };
    this._changed.emit();
  }

  private _onVisibility = () => this.wake();
  private _state: IFeedState<P> = {
    page: null,
    received: 0,
    trouble: null,
    busy: false
  };
  private _changed = new Signal<this, void>(this);
  private _watchers = new Set<() => boolean>();
  private _poll: Poll<P, ITrouble>;
  private _fresh = false;
  private _forced = false;
  private _again = false;
  private _due = 0;
}
