import * as React from 'react';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { Signal } from '@lumino/signaling';
import {
  NOW,
  card,
  connections,
  contract,
  outcome,
  part,
  session
} from '../../__tests__/pages';
import { draw, trans } from '../../__tests__/draw';
import type { IFeed, IFeedState, IPage, ITrouble } from '../../tokens';
import type {
  Card,
  ConnectionsPage,
  Outcome,
  Phrase,
  SessionPage,
  SlurmNodeSums,
  State
} from '../../wire';
import { Panel } from '../panel';
import { statusLine, totals } from '../status';

/** A feed at rest: what the panel draws is its state, and what it asks for is noted. */
function resting<P extends IPage>(
  page: P | null,
  trouble: ITrouble | null = null
): IFeed<P> & { asked: boolean[]; become(page: P): void } {
  let state: IFeedState<P> = {
    page,
    received: performance.now(),
    trouble,
    busy: false
  };
  const owner = {};
  const changed = new Signal<any, void>(owner);
  const asked: boolean[] = [];
  return {
    get state() {
      return state;
    },
    changed,
    asked,
    become: next => {
      state = { ...state, page: next, received: performance.now() };
      changed.emit();
    },
    refresh: fresh => void asked.push(fresh),
    retarget: () => undefined,
    watch: () => ({ isDisposed: false, dispose: () => undefined }),
    wake: () => undefined,
    isDisposed: false,
    dispose: () => undefined
  };
}

function panel(
  is: SessionPage | null,
  has: ConnectionsPage | null,
  trouble: ITrouble | null = null
) {
  const feeds = {
    session: resting(is),
    connections: resting(has, trouble)
  };
  const onOpen = vi.fn();
  const drawn = draw(<Panel {...feeds} apiVersion={1} onOpen={onOpen} />);
  return {
    ...feeds,
    ...drawn,
    onOpen,
    text: drawn.container.textContent ?? ''
  };
}

const trouble = (kind: ITrouble['kind'], code: string | null = null) => ({
  kind,
  code,
  params: {}
});

describe('the panel', () => {
  it('says as whom, where, and how old', () => {
    const { text } = panel(session(), connections());
    expect(text).toContain('Reads as hpgov-vision');
    expect(text).toContain('Project Vision');
    expect(text).toContain(
      'Tasks and shares, the oldest of them read 4 min ago'
    );
  });

  it('has a card per connection: state, owner, share, counts', () => {
    panel(session(), connections());
    const card = screen.getByRole('article', { name: 'vision-training' });
    expect(card.textContent).toContain('in service');
    expect(card.textContent).toContain('Owner: ML platform');
    expect(card.textContent).toContain('GPU: 24 held of your share of 16');
    expect(card.textContent).toContain('8 borrowed');
    expect(card.textContent).toContain('4 nodes: Running');
  });

  it('counts in the words of the states, and what is not known is a dash, never zero', () => {
    const told = {
      running: null,
      waiting: 0,
      rest: { unknown: 2, finished: 1, starting: 4 },
      at_least: false
    };
    panel(session(), connections([card({ counts: part(told) })]));
    const counts = Array.from(
      document.querySelectorAll('dl.hpgov-Counts > div')
    );
    expect(counts.map(each => each.textContent)).toEqual([
      'running–',
      'admitted, not ready4',
      'waiting0',
      'ended1',
      'not known2'
    ]);
  });

  it('shows of a Slurm cluster the limit that is held most, and whether it is enforced', () => {
    const limit = (enforced: boolean | null) =>
      panel(
        session(),
        connections([
          card({
            share: part({
              kind: 'slurm' as const,
              scope: 'qos' as const,
              name: 'research',
              resource: 'gres/gpu',
              per: 'group' as const,
              own: false,
              limit: '24',
              held: '16',
              enforced
            })
          })
        ])
      );
    const { text, container } = limit(true);
    expect(text).toContain('GPU: 16 held of the limit of 24 · QoS research');
    expect(text).not.toContain('not enforced');
    expect(text).not.toContain('share of');
    expect(
      container.querySelector('svg.hpgov-Bar')?.getAttribute('aria-label')
    ).toBe('GPU: 16 held of the limit of 24');
    expect(limit(false).text).toContain(
      'QoS research, limit recorded, not enforced here'
    );
  });

  it('without rights still shows cluster and owner, and says whom to ask', () => {
    const { text, container } = panel(
      session(),
      connections([
        card({
          share: part<any>(null, 'denied'),
          counts: part<any>(null, 'denied')
        })
      ])
    );
    expect(text).toContain('in service');
    expect(text).toContain('Owner: ML platform');
    expect(text).toContain('Ask: the administrator of the cluster');
    expect(container.querySelector('[role=alert]')).toBeNull();
  });

  it('says one reason once, whatever it takes away', () => {
    const refused = { code: 'deadline', params: { limit_seconds: 20 } };
    const { text } = panel(
      session(),
      connections([
        card({
          attention: [refused],
          cluster: part<any>(null, 'denied', refused),
          nodes: part<any>(null, 'denied', refused),
          share: part<any>(null, 'denied', refused),
          counts: part<any>(null, 'denied', refused)
        })
      ])
    );
    expect(text.split('No answer within').length).toBe(2);
    expect(text).toContain('Cluster, Share, Tasks, Nodes: Not readable');
    expect(text).toContain('Owner: ML platform');
  });

  it('says two reasons where their sentences hold other figures', () => {
    const late = (limit_seconds: number) => ({
      code: 'deadline',
      params: { limit_seconds }
    });
    const { text } = panel(
      session(),
      connections([
        card({
          share: part<any>(null, 'unreachable', late(20)),
          counts: part<any>(null, 'unreachable', late(5)),
          nodes: part<any>(null, 'unreachable', late(5))
        })
      ])
    );
    expect(text).toContain('Share: Not reached · No answer within 20 s.');
    expect(text).toContain('Tasks, Nodes: Not reached · No answer within 5 s.');
  });

  const EXPIRED: Phrase = { code: 'screen_credentials_expired', params: {} };
  const ENTRY: Phrase = {
    code: 'trait_connection_invalid',
    params: { number: 1, field: 'cluster_arn' }
  };
  const FAULT: Phrase = { code: 'internal', params: { kind: 'KeyError' } };
  /** A list that could not be read. */
  const none = (state: State, said: Partial<Outcome> = {}) => ({
    ...connections(),
    connections: part<any>(null, state, said)
  });
  const folded = (container: HTMLElement) =>
    Array.from(container.querySelectorAll('details')).find(each =>
      each.textContent?.includes('What was asked')
    );

  it('under a screen that explains it keeps the failed read for whoever wants to quote it', () => {
    const { container } = panel(
      session({ screens: [EXPIRED] }),
      none('expired')
    );
    expect(folded(container)?.textContent).toContain('Credentials expired');
    expect(folded(container)?.open).toBe(false);
  });

  it('folds no failed read under a screen that says something else, nor under one that is not there', () => {
    const refused = none('denied', {
      code: 'no_identity_policy_allows',
      params: { action: 'datazone:ListConnections' }
    });
    const cases: Array<[SessionPage | null, ITrouble | null]> = [
      [session({ screens: [ENTRY] }), null],
      [session({ screens: [FAULT] }), null],
      [session({ screens: [EXPIRED] }), null],
      [session({ screens: [ENTRY, FAULT] }), null],
      [null, null],
      [
        session({ screens: [{ code: 'screen_studio_no_list', params: {} }] }),
        trouble('offline')
      ]
    ];
    for (const [is, passing] of cases) {
      const { container, text, unmount } = panel(is, refused, passing);
      expect(folded(container)).toBeUndefined();
      expect(text).toContain('Connections: Not readable by your role');
      const offer = text.indexOf('See it with invented clusters');
      expect(offer === -1 || offer > text.indexOf('Not readable')).toBe(true);
      unmount();
    }
    const listed = panel(
      session({ screens: [{ code: 'screen_studio_no_list', params: {} }] }),
      refused
    );
    expect(folded(listed.container)).toBeDefined();
  });

  it('folds what a screen says word for word', () => {
    const same = none('invalid', ENTRY);
    const { container, unmount } = panel(session({ screens: [ENTRY] }), same);
    expect(folded(container)).toBeDefined();
    unmount();
    const other = { ...ENTRY, params: { ...ENTRY.params, number: 2 } };
    expect(
      folded(panel(session({ screens: [other] }), same).container)
    ).toBeUndefined();
  });

  it('says that nothing is connected beside an entry that can not be used', () => {
    const { text } = panel(session({ screens: [ENTRY] }), connections([]));
    expect(text).toContain("can't be used: cluster_arn.");
    expect(text).toContain('No HyperPod cluster is connected here.');
    expect(text.split('See it with invented clusters')).toHaveLength(2);
  });

  it('marks a self-declared contract', () => {
    const { text } = panel(
      session(),
      connections([
        card({
          contract: part(
            contract({
              platform: false,
              rank: 'file',
              line: { code: 'read', params: {} }
            })
          )
        })
      ])
    );
    expect(text).toContain('self-declared');
  });

  it('opens a dashboard from a card', () => {
    const { onOpen } = panel(session(), connections());
    fireEvent.click(
      screen.getByRole('button', { name: 'Open dashboard vision-training' })
    );
    expect(onOpen).toHaveBeenCalledWith('vision-1a2b', 'tasks');
  });

  it('reads again by hand and says when the next read is allowed', () => {
    const drawn = panel(
      session(),
      connections([card()], { next_fresh_at: NOW + 10 })
    );
    // of interest to who has asked only
    expect(drawn.container.textContent).not.toContain('next read allowed at');
    fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    expect(drawn.connections.asked).toEqual([true]);
    expect(drawn.container.textContent).toContain('next read allowed at');
  });

  it('says at least where a list behind the numbers is not whole', () => {
    const counts = { running: null, waiting: 2, rest: { unknown: 1 } };
    const text = (at_least: boolean) =>
      panel(
        session(),
        connections([card({ counts: part({ ...counts, at_least }) })])
      ).container.querySelector('.hpgov-Counts')?.textContent;
    expect(text(true)).toBe('running–waitingat least 2not knownat least 1');
    expect(text(false)).toBe('running–waiting2not known1');
  });

  it('offers the sandbox once where a card can not be read whole', () => {
    const offers = (is: SessionPage, ...cards: Card[]) => {
      const { container, unmount } = panel(is, connections(cards));
      const found = Array.from(container.querySelectorAll('summary')).filter(
        each => each.textContent === 'See it with invented clusters'
      ).length;
      unmount();
      return found;
    };
    const gap = card({
      share: part<any>(null, 'absent', { code: 'no_kueue' })
    });
    const slurm = card({
      share: part<any>(null, 'absent', { code: 'slurm_no_share_bar' })
    });
    expect(offers(session(), gap, gap)).toBe(1);
    expect(offers(session(), card(), slurm)).toBe(0);
    expect(offers(session({ sandbox: true }), gap)).toBe(0);
    expect(
      offers(session({ screens: [{ code: 'stopping', params: {} }] }), gap)
    ).toBe(1);
  });

  it('marks the sandbox', () => {
    expect(
      panel(session({ sandbox: true }), connections([], { sandbox: true })).text
    ).toContain('Invented clusters');
  });

  it('shows each screen that the session names, with the sandbox to try', () => {
    const { container } = panel(
      session({
        screens: [
          { code: 'screen_no_connection', params: { project: 'Vision' } }
        ]
      }),
      connections([])
    );
    const shown = container.querySelectorAll('[data-screen]');
    expect(shown).toHaveLength(1);
    expect(shown[0].textContent).toContain('connected to project Vision yet.');
    expect(shown[0].textContent).toContain('jupyter hpgov sandbox');
  });

  it('says that nothing is connected when no screen says why', () => {
    const { text } = panel(session(), connections([]));
    expect(text).toContain('No HyperPod cluster is connected here.');
  });

  it.each<[ITrouble['kind'], string]>([
    ['signed_out', 'sign in again'],
    ['not_enabled', 'jupyter server extension enable hpgov_jlab'],
    ['mismatch', 'restart the Jupyter server'],
    ['offline', 'The Jupyter server does not answer.'],
    ['fault', 'That is our fault']
  ])('has a screen for %s', (kind, words) => {
    const drawn = panel(null, null, trouble(kind));
    expect(drawn.text).toContain(words);
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(drawn.session.asked).toEqual([false]);
    expect(drawn.connections.asked).toEqual([false]);
  });

  it('says whose word of the nodes each is, so that they do not contradict each other', () => {
    const slurm = (
      states: SlurmNodeSums['states'],
      state: State = 'ok'
    ): Card =>
      card({
        slurm_nodes: part(
          state === 'ok'
            ? {
                total: states.reduce((sum, each) => sum + each.nodes, 0),
                states,
                gpus: null,
                gpus_held: null,
                gpus_away: null
              }
            : null,
          state,
          state === 'ok' ? {} : { code: 'slurm_denied', params: {} }
        )
      });
    const says = (one: Card) => {
      const { text } = panel(session(), connections([one]));
      cleanup();
      return text;
    };
    const usable = { state: 'MIXED', nodes: 3, usable: true };
    const drained = { state: 'IDLE+DRAIN', nodes: 1, usable: false };
    const down = { state: 'DOWN', nodes: 2, usable: false };
    expect(says(slurm([usable, drained]))).toMatch(
      /HyperPod says: 4 nodes: Running.*Slurm says: 4 nodes, 1 takes no jobs \(IDLE\+DRAIN\)/
    );
    expect(says(slurm([usable, down, drained]))).toContain(
      'Slurm says: 6 nodes, 3 take no jobs (2 DOWN, 1 IDLE+DRAIN)'
    );
    expect(says(slurm([usable]))).toContain(
      'Slurm says: 3 nodes, all take jobs'
    );
    expect(says(slurm([]))).toMatch(/Slurm says: 0 nodes(?!,)/);
    const hidden = says(slurm([], 'denied'));
    expect(hidden).toContain('HyperPod says: 4 nodes: Running');
    expect(hidden).toContain('Nodes in Slurm: Not readable by your role');
    expect(hidden).not.toContain('Slurm says');
    expect(says(card())).not.toContain('says');
  });

  it('keeps the cards beside a trouble that passes', () => {
    const { text } = panel(session(), connections(), trouble('offline'));
    expect(text).toContain('does not answer');
    expect(text).toContain('vision-training');
    expect(text).toContain('what was read before');
  });

  it('shows no card of a server of another version', () => {
    const { text } = panel(session({ api_version: 2 }), connections());
    expect(text).toContain('of different versions');
    expect(text).not.toContain('vision-training');
  });

  it('says what changed, once', () => {
    const drawn = panel(session(), connections());
    const said = () =>
      drawn.container.querySelector('[aria-live]')?.textContent ?? '';
    expect(said()).toBe('');
    act(() => drawn.connections.become(connections()));
    expect(said()).toBe('');
    const failed = card();
    act(() =>
      drawn.connections.become(
        connections([
          card({
            cluster: part({ ...failed.cluster.data!, status: 'Failed' })
          })
        ])
      )
    );
    expect(said()).toBe('vision-training: cluster failed');
  });
});

describe('the status bar item', () => {
  it('sums what is known and never takes a part for the whole', () => {
    const unknown = card({ counts: part<any>(null, 'denied') });
    expect(totals(connections([card(), card()]))).toEqual({
      running: 6,
      waiting: 4
    });
    expect(totals(connections([card(), unknown]))).toEqual({
      running: null,
      waiting: null
    });
    const lowest = card({
      counts: part({ running: 3, waiting: 2, rest: {}, at_least: true })
    });
    expect(totals(connections([card(), lowest]))).toEqual({
      running: null,
      waiting: null
    });
    const old = card();
    const stale = {
      ...old,
      counts: { ...old.counts, last: outcome('unreachable') }
    };
    expect(totals(connections([stale]))).toEqual({
      running: null,
      waiting: null
    });
    expect(statusLine(trans, connections([unknown]))).toBe(
      'HyperPod: – running, – waiting'
    );
    expect(statusLine(trans, null)).toBe('HyperPod: –');
  });
});
