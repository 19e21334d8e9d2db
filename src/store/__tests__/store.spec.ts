// Longer than 400 lines: one table of cases, and whoever adds one has to see the others.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  card,
  connections,
  session,
  task,
  tasksPage
} from '../../__tests__/pages';
import { trans } from '../../__tests__/draw';
import { FarEnd, html, json, type Answer } from '../../__tests__/wire';
import type { IPage } from '../../tokens';
import type { TasksPage } from '../../wire';
import { PAGE_SIZE } from '../connection';
import { Feed, type ISurroundings } from '../feed';
import { Hub } from '../hub';
import { preferencesFrom } from '../preferences';

beforeEach(() => {
  vi.useFakeTimers();
});

let hidden = false;
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  setHidden(false);
  for (const each of made.splice(0)) {
    each.dispose();
  }
});

function setHidden(value: boolean): void {
  hidden = value;
  Object.defineProperty(document, 'hidden', {
    configurable: true,
    get: () => hidden
  });
  document.dispatchEvent(new Event('visibilitychange'));
}

const made: Array<{ dispose(): void }> = [];

function feedOn(far: FarEnd, more: Partial<ISurroundings> = {}): Feed<IPage> {
  const feed = new Feed<IPage>('test', () => ({ path: 'x', query: {} }), {
    client: far.client,
    connected: () => true,
    paused: () => false,
    interval: () => 0,
    halted: () => false,
    round: new Set(),
    ...more
  });
  made.push(feed);
  return feed;
}

const page = (poll_after_ms = 15_000) =>
  json({ now: 1, sandbox: false, poll_after_ms });

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('Feed', () => {
  it('asks nothing until somebody looks, then at once', async () => {
    const far = new FarEnd(() => page());
    const feed = feedOn(far);
    await pass(60_000);
    expect(far.asked).toHaveLength(0);
    feed.watch(() => true);
    await pass(10);
    expect(far.asked).toHaveLength(1);
    expect(feed.state.page).not.toBeNull();
  });

  it('obeys poll_after_ms, answer by answer', async () => {
    const waits = [500, 500, 20_000];
    const far: FarEnd = new FarEnd(() =>
      page(waits[far.asked.length - 1] ?? 60_000)
    );
    feedOn(far).watch(() => true);
    await pass(100);
    expect(far.asked).toHaveLength(1);
    await pass(550);
    expect(far.asked).toHaveLength(2);
    await pass(550);
    expect(far.asked).toHaveLength(3);
    await pass(19_000);
    expect(far.asked).toHaveLength(3);
    await pass(1_500);
    expect(far.asked).toHaveLength(4);
  });

  it("lets the person's interval lengthen a settled one, and nothing else", async () => {
    const waits = [500, 15_000];
    const far: FarEnd = new FarEnd(() =>
      page(waits[far.asked.length - 1] ?? 15_000)
    );
    feedOn(far, { interval: () => 60_000 }).watch(() => true);
    await pass(1_000);
    expect(far.asked).toHaveLength(2);
    await pass(55_000);
    expect(far.asked).toHaveLength(2);
    await pass(10_000);
    expect(far.asked).toHaveLength(3);
  });

  it('catches up when another page of the screen has settled, and then asks with it', async () => {
    const round: ISurroundings['round'] = new Set();
    const asked: string[] = [];
    const far = (name: string, waits: number[]) =>
      new FarEnd(() => {
        asked.push(name);
        return page(waits.shift() ?? 15_000);
      });
    const panel = feedOn(far('panel', [15_000]), { round });
    panel.watch(() => true);
    await pass(9_000);
    // a dashboard that is opened later is being read at first: only its settled answer is of another moment
    let looked = true;
    const board = feedOn(far('dashboard', [700, 15_000]), { round });
    board.watch(() => looked);
    await pass(500);
    expect(asked).toEqual(['panel', 'dashboard']);
    await pass(1_000);
    expect(asked).toEqual(['panel', 'dashboard', 'dashboard', 'panel']);
    asked.length = 0;
    await pass(14_000);
    expect(asked).toEqual([]);
    await pass(2_000);
    expect(asked.sort()).toEqual(['dashboard', 'panel']);
    // one that nobody looks at is left alone, and so is one that is gone
    looked = false;
    asked.length = 0;
    await pass(17_000);
    expect(asked).toEqual(['panel']);
    looked = true;
    board.dispose();
    await pass(17_000);
    expect(asked).toEqual(['panel', 'panel']);
  });

  it('sends nothing while hidden, and asks at once on return if it is due', async () => {
    const far = new FarEnd(() => page());
    let visible = true;
    const feed = feedOn(far);
    feed.watch(() => visible);
    await pass(100);
    visible = false;
    await pass(300_000);
    expect(far.asked).toHaveLength(1);
    visible = true;
    feed.wake();
    await pass(10);
    expect(far.asked).toHaveLength(2);
    feed.wake();
    await pass(10);
    expect(far.asked).toHaveLength(2);
  });

  it('sends nothing while the browser tab is hidden', async () => {
    const far = new FarEnd(() => page());
    feedOn(far).watch(() => true);
    await pass(100);
    setHidden(true);
    await pass(300_000);
    expect(far.asked).toHaveLength(1);
    setHidden(false);
    await pass(10);
    expect(far.asked).toHaveLength(2);
  });

  it('sends nothing while Jupyter says that it is disconnected, and goes on by itself', async () => {
    const far = new FarEnd(() => page(5_000));
    let connected = true;
    feedOn(far, { connected: () => connected }).watch(() => true);
    await pass(100);
    connected = false;
    await pass(60_000);
    expect(far.asked).toHaveLength(1);
    connected = true;
    await pass(6_000);
    expect(far.asked.length).toBeGreaterThan(1);
  });

  it('when paused reads once, and then only by hand', async () => {
    const far = new FarEnd(() => page());
    const feed = feedOn(far, { paused: () => true });
    feed.watch(() => true);
    await pass(100_000);
    expect(far.asked).toHaveLength(1);
    feed.refresh(true);
    await pass(10);
    expect(far.asked).toHaveLength(2);
    expect(far.asked[1].query.get('fresh')).toBe('1');
  });

  it('backs off while the server fails, and keeps what was read', async () => {
    // The pause is drawn at random between the first one and three times the last.
    vi.spyOn(Math, 'random').mockReturnValue(0.9);
    let failing = false;
    const far = new FarEnd(() => (failing ? html(502) : page(5_000)));
    const feed = feedOn(far);
    feed.watch(() => true);
    await pass(100);
    failing = true;
    await pass(3_600_000);
    const tries = far.asked.length;
    // Without backing off there would be 720 of them; the longest pause is five minutes.
    expect(tries).toBeLessThan(40);
    expect(tries).toBeGreaterThan(11);
    expect(feed.state.page).not.toBeNull();
    expect(feed.state.trouble?.kind).toBe('fault');
    failing = false;
    await pass(301_000);
    expect(feed.state.trouble).toBeNull();
  });

  it.each<[string, Answer]>([
    ['signed_out', () => html(200)],
    ['not_enabled', () => html(404)],
    ['mismatch', () => json({})],
    ['refused', () => json({ code: 'no_such_connection', params: {} }, 404)]
  ])(
    'stops asking after %s until the person tries again',
    async (kind, bad) => {
      let answer: Answer = bad;
      const far = new FarEnd(asked => answer(asked));
      const feed = feedOn(far);
      feed.watch(() => true);
      await pass(3_600_000);
      expect(far.asked).toHaveLength(1);
      expect(feed.state.trouble?.kind).toBe(kind);
      answer = () => page();
      feed.refresh(false);
      await pass(10);
      expect(feed.state.trouble).toBeNull();
      await pass(16_000);
      expect(far.asked).toHaveLength(3);
    }
  );

  it('drops what was read when the server refuses', async () => {
    let answer: Answer = () => page();
    const far = new FarEnd(asked => answer(asked));
    const feed = feedOn(far);
    feed.watch(() => true);
    await pass(10);
    answer = () => json({ code: 'not_authorised', params: {} }, 403);
    await pass(16_000);
    expect(feed.state.page).toBeNull();
  });

  it('never shows the answer to a question that has changed meanwhile', async () => {
    const answers: Array<(response: Response) => void> = [];
    const far = new FarEnd(() => new Promise(done => answers.push(done)));
    let path = 'old';
    const feed = new Feed<IPage>('test', () => ({ path, query: {} }), {
      client: far.client,
      connected: () => true,
      paused: () => false,
      interval: () => 0,
      halted: () => false,
      round: new Set()
    });
    made.push(feed);
    feed.watch(() => true);
    await pass(10);
    path = 'new';
    feed.retarget();
    await pass(10);
    expect(far.paths()).toEqual(['old']);
    answers[0](json({ now: 1, poll_after_ms: 15_000, mark: 'old' }));
    await pass(10);
    expect(feed.state.page).toBeNull();
    expect(far.paths()).toEqual(['old', 'new']);
    answers[1](json({ now: 1, poll_after_ms: 15_000, mark: 'new' }));
    await pass(10);
    expect(feed.state.page).toMatchObject({ mark: 'new' });
  });

  it('gives up on an answer that never comes', async () => {
    const far = new FarEnd(() => new Promise(() => undefined));
    const feed = feedOn(far);
    feed.watch(() => true);
    await pass(31_000);
    expect(feed.state.trouble?.kind).toBe('offline');
  });

  it('sends nothing after it was disposed of', async () => {
    const far = new FarEnd(() => page());
    const feed = feedOn(far);
    feed.watch(() => true);
    await pass(10);
    feed.dispose();
    await pass(100_000);
    expect(far.asked).toHaveLength(1);
  });
});

function hubOn(far: FarEnd): Hub {
  const hub = new Hub({
    client: far.client,
    connected: () => true,
    trans,
    locale: 'en'
  });
  made.push(hub.session, hub.connections);
  return hub;
}

describe('Hub', () => {
  it('has one request in flight over all feeds of the tab', async () => {
    const far = new FarEnd(async asked => {
      await new Promise(resolve => setTimeout(resolve, 40));
      return json(
        asked.path === 'session'
          ? session({ poll_after_ms: 500 })
          : asked.path.endsWith('/tasks')
            ? tasksPage([task('a')], { poll_after_ms: 500 })
            : connections([card()], { poll_after_ms: 500 })
      );
    });
    const hub = hubOn(far);
    const store = hub.connection('vision-1a2b');
    made.push(store);
    for (const feed of [
      hub.session,
      hub.connections,
      store.overview,
      store.tasks
    ]) {
      feed.watch(() => true);
    }
    await pass(5_000);
    expect(far.mostInFlight).toBe(1);
    expect(new Set(far.paths())).toEqual(
      new Set([
        'session',
        'connections',
        'connections/vision-1a2b',
        'connections/vision-1a2b/tasks'
      ])
    );
  });

  it('asks nothing more of a server of another version', async () => {
    const far = new FarEnd(asked =>
      json(
        asked.path === 'session' ? session({ api_version: 2 }) : connections()
      )
    );
    const hub = hubOn(far);
    hub.session.watch(() => true);
    await pass(10);
    expect(hub.mismatch).toBe(true);
    hub.connections.watch(() => true);
    await pass(100_000);
    expect(far.paths()).not.toContain('connections');
  });
});

describe('ConnectionStore', () => {
  function tasksOn(answer: (query: URLSearchParams) => TasksPage) {
    const far = new FarEnd(asked => json(answer(asked.query)));
    const store = hubOn(far).connection('vision-1a2b');
    made.push(store);
    store.tasks.watch(() => true);
    const last = () => far.asked[far.asked.length - 1].query;
    return { far, store, last };
  }

  it('turns pages within a snapshot, and polls the newest', async () => {
    const { far, store, last } = tasksOn(() =>
      tasksPage([task('a')], { total: 130, generation: 'g7' })
    );
    await pass(10);
    expect(last().get('generation')).toBeNull();
    store.ask({ offset: PAGE_SIZE });
    await pass(10);
    expect(last().get('generation')).toBe('g7');
    expect(last().get('offset')).toBe('50');
    await pass(16_000);
    expect(far.asked).toHaveLength(3);
    expect(last().get('generation')).toBeNull();
    expect(last().get('offset')).toBe('50');
  });

  it('reloads in place when the snapshot is gone', async () => {
    const { far, store, last } = tasksOn(query =>
      tasksPage([task('a')], {
        total: 130,
        generation_gone: query.get('generation') === 'g1'
      })
    );
    await pass(10);
    store.ask({ offset: PAGE_SIZE });
    await pass(10);
    expect(far.asked).toHaveLength(3);
    expect(last().get('generation')).toBeNull();
    expect(last().get('offset')).toBe('50');
  });

  it('goes to the last page when the list has become shorter', async () => {
    const { store, last } = tasksOn(query =>
      tasksPage(query.get('offset') ? [] : [task('a')], {
        total: query.get('offset') ? 20 : 130
      })
    );
    await pass(10);
    store.ask({ offset: PAGE_SIZE });
    await pass(10);
    expect(last().get('offset')).toBeNull();
    expect(store.query.offset).toBe(0);
  });

  it('stays on a page that is smaller than what was asked for', async () => {
    const { far, store, last } = tasksOn(() =>
      tasksPage([task('a')], { total: 13, limit: 3 })
    );
    await pass(10);
    store.ask({ offset: 12 });
    await pass(10);
    expect(far.asked).toHaveLength(2);
    expect(last().get('offset')).toBe('12');
    store.ask({ offset: 15 });
    await pass(10);
    expect(last().get('offset')).toBe('12');
  });

  it('starts at the first row when the question changes', async () => {
    const { store, last } = tasksOn(() =>
      tasksPage([task('a')], { total: 130 })
    );
    await pass(10);
    store.ask({ offset: PAGE_SIZE });
    await pass(10);
    store.ask({ sort: 'priority', descending: true, states: ['waiting'] });
    await pass(10);
    expect(Object.fromEntries(last())).toEqual({
      whose: 'team',
      sort: 'priority',
      descending: '1',
      state: 'waiting',
      limit: String(PAGE_SIZE)
    });
  });
});

describe('preferencesFrom', () => {
  const settings = (composite: unknown) => ({ composite }) as any;

  it('falls back for what is missing or of the wrong kind', () => {
    expect(preferencesFrom(null)).toEqual(
      preferencesFrom(
        settings({ pollSeconds: 'x', columns: 3, whose: 'all', paused: 1 })
      )
    );
  });

  it('always names the row and knows no column that is not there', () => {
    expect(
      preferencesFrom(settings({ columns: ['age', 'secret', 'name'] })).columns
    ).toEqual(['name', 'age']);
  });
});
