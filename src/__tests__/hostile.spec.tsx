// Longer than 400 lines: one table of cases, and whoever adds one has to see the others.
/** S7: every string of every far end is a payload, on every screen that shows pages. */
import * as React from 'react';
import { describe, expect, it } from 'vitest';
import { fireEvent } from '@testing-library/react';
import { ConnectionCard } from '../components/card';
import { IdentityFacts, IdentityLine, PlaceLine } from '../components/identity';
import { PartView } from '../components/part';
import { Screen, TroubleScreen } from '../components/screens';
import { cardStates } from '../components/states';
import { Access } from '../dashboard/access';
import { Contract } from '../dashboard/contract';
import { Manifest } from '../dashboard/manifest';
import { ShareView } from '../dashboard/share';
import { TaskView } from '../dashboard/task';
import { Tasks } from '../dashboard/tasks';
import { COLUMNS } from '../store/preferences';
import { draw, speaker } from './draw';
import {
  accessPage,
  card,
  connectionPage,
  contract,
  contractPage,
  part,
  row,
  session,
  sharePage,
  task,
  taskPage,
  tasksPage
} from './pages';

const PAYLOAD =
  '<img src=x onerror=alert(1)>\u202e\u0000\n\u2028javascript:alert(1)"\'&{{7*7}}';

/** Words of our own server's closed lists; everything else may be what an upstream says. */
const OWN = new Set([
  'state',
  'ask',
  'layer',
  'grants',
  'standing',
  'rank',
  'orchestrator',
  'id',
  'uid'
]);

function poison<T>(value: T, key = ''): T {
  if (typeof value === 'string') {
    const closed =
      OWN.has(key) ||
      (key === 'kind' && ['kueue', 'slurm'].includes(value)) ||
      (key === 'scope' && ['association', 'qos'].includes(value)) ||
      key === 'per';
    return (closed || /^\d+(\.\d+)?$/.test(value) ? value : PAYLOAD) as T;
  }
  if (Array.isArray(value)) {
    // twice: a far end may give one name to two things, and each list has to stand that
    return [...value, ...value].map(each => poison(each, key)) as T;
  }
  if (value && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([k, v]) => [k, poison(v, k)])
    ) as T;
  }
  return value;
}

/** Every optional string filled, so that none is left out. */
const full = {
  contract: contract({
    agreed_until: 'x',
    approved_by: 'x',
    approved_on: 'x',
    decisions: [{ what: 'x', by: 'x', on: 'x', until: 'x' }],
    exceptions: [{ what: 'x', by: 'x', on: 'x', until: 'x' }],
    differences: [{ field: 'x', here: 'x', there: 'x', there_kept: 'x' }],
    facts: [
      { field: 'x', value: 'x' },
      { field: 'x', value: null }
    ],
    line: { code: 'waits_for', params: { read: 'x' } },
    next_review: 'x',
    not_compared: ['x'],
    not_named: ['x'],
    notes: [{ code: 'waits_for', params: { read: 'x' } }],
    signals: [{ signal: 'x', owner: 'x', response: 'x', threshold: 'x' }],
    why_not_platform: { code: 'waits_for', params: { read: 'x' } },
    owners: [{ role: 'x', name: 'x', contact: 'x', escalation: 'x' }],
    problems: [
      {
        file: 'x',
        line: 1,
        column: 1,
        rule: { code: 'waits_for', params: { read: 'x' } },
        path: 'x'
      }
    ],
    purpose: 'x',
    service_accounts: ['x'],
    shares: [{ instance_type: 'x', count: 'x' }],
    slurm_accounts: ['x'],
    workload_kinds: ['x']
  }),
  task: task('a', {
    reason: { code: 'waits_for', params: { read: 'x' } },
    next_step: { code: 'x', params: {} },
    text: 'x',
    submitter: 'x',
    submitter_claimed: true,
    stops: 1
  })
};

const denied = part<any>(null, 'denied', {
  code: 'waits_for',
  params: { read: 'x' }
});
const nothing = () => undefined;

const screens: { [name: string]: () => JSX.Element } = {
  card: () => (
    <ConnectionCard
      card={poison(
        card({
          attention: [{ code: 'waits_for', params: { read: 'x' } }],
          contract: part(full.contract),
          counts: denied
        })
      )}
      onOpen={nothing}
    />
  ),
  identity: () => (
    <>
      <IdentityLine identity={poison(session().identity)} label="as" />
      <IdentityFacts
        identity={poison(
          part({
            account: 'x',
            arn: 'x',
            expected: null,
            groups: ['x'],
            method: 'x',
            note: { code: 'waits_for', params: { read: 'x' } },
            username: 'x'
          })
        )}
      />
      <PlaceLine place={poison(session().place.data!)} />
    </>
  ),
  tasks: () => (
    <Tasks
      page={poison(tasksPage([full.task]))}
      feed={
        {
          state: { page: null, received: 0, trouble: null, busy: false },
          changed: { connect: nothing, disconnect: nothing }
        } as any
      }
      query={{
        whose: 'team',
        states: [],
        text: '',
        sort: '',
        descending: false,
        offset: 0
      }}
      columns={COLUMNS}
      current={null}
      onAsk={nothing}
      onOpen={nothing}
    />
  ),
  task: () => {
    const page = taskPage();
    const moment = {
      at: 1,
      what: { code: 'waits_for', params: { read: 'x' } },
      text: 'x'
    };
    return (
      <TaskView
        page={poison({
          ...page,
          detail: part({
            task: full.task,
            history: [moment],
            conditions: [moment],
            stops: [{ at: 1, cause: moment.what, count: 2 }],
            pod_sets: [
              {
                name: 'x',
                count: 1,
                min_count: 1,
                per_pod: [{ resource: 'x', amount: 'x' }],
                flavors: ['x']
              }
            ],
            logs_commands: ['x']
          }),
          events: part([moment])
        })}
      />
    );
  },
  share: () => (
    <ShareView
      page={poison(
        sharePage([row()], {
          queue: part({
            active: false,
            admitted: 1,
            borrow_preempts: 'x',
            cluster_queue: 'x',
            cluster_queue_by_rule: true,
            cohort: 'x',
            fair_weight: 'x',
            local_queue: 'x',
            local_queue_by_rule: true,
            not_active_reason: { code: 'waits_for', params: { read: 'x' } },
            pending: 1,
            reclaim: 'x',
            reserving: 1,
            stop_policy: 'x',
            strategy: 'x',
            within_queue: 'x'
          }),
          cohort: part([
            {
              cohort: 'x',
              flavor: 'x',
              resource: 'x',
              nominal: 'x',
              held: 'x',
              queues: 2
            }
          ]),
          notes: [{ code: 'waits_for', params: { read: 'x' } }]
        })
      )}
      onOpenTask={nothing}
    />
  ),
  'share on slurm': () => (
    <ShareView
      page={poison(
        sharePage(
          [
            {
              kind: 'slurm',
              scope: 'qos',
              name: 'x',
              resource: 'x',
              limit: 'x',
              held: 'x',
              enforced: true,
              holders: [],
              per: 'account',
              own: false,
              account: 'x',
              not_attributed: null
            }
          ],
          {
            orchestrator: 'SLURM',
            fairshare: part([
              {
                account: 'x',
                shares: 'x',
                factor: 'x',
                effective_usage: 'x',
                used: true
              }
            ]),
            partitions: part([
              {
                partition: 'x',
                state: 'x',
                allowed: false,
                default: true,
                why: [{ code: 'waits_for', params: { read: 'x' } }],
                max_seconds: 1,
                nodes: 1,
                capacity: [{ resource: 'x', amount: 'x' }]
              }
            ]),
            slurm_nodes: part({
              total: 1,
              states: [{ state: 'x', nodes: 1, usable: false }],
              gpus: 'x',
              gpus_held: 'x',
              gpus_away: 'x'
            }),
            slurm_queue: part({
              rows: [
                {
                  partition: 'x',
                  running: 1,
                  suspended: 1,
                  waiting: 1,
                  gpus: 'x'
                }
              ],
              unread: 1
            }),
            cluster_notes: [{ code: 'waits_for', params: { read: 'x' } }]
          }
        )
      )}
      onOpenTask={nothing}
    />
  ),
  contract: () => (
    <Contract
      page={poison(
        contractPage({
          contract: part(full.contract),
          others: [full.contract],
          platform_words: [{ code: 'waits_for', params: { read: 'x' } }]
        })
      )}
      onDraft={async () => undefined}
    />
  ),
  access: () => <Access page={poison(accessPage())} />,
  manifest: () => (
    <Manifest
      part={poison(
        part({
          namespaces: [
            { name: 'x', read: false, namespace: null },
            { name: 'y', read: true, namespace: null }
          ],
          queues: [{ name: 'x', read: true, namespace: 'x' }],
          priority_classes: [{ name: 'x', value: 1 }],
          service_accounts: [{ name: 'x', read: true, namespace: null }],
          labels: ['x', 'y'].map(queue => ({
            namespace: 'x',
            queue,
            copy: { kind: 'yaml', title: 'x', text: 'x', ask: 'you' as const }
          }))
        })
      )}
      namespaces={poison([
        {
          name: 'x',
          source: 'x',
          read: false,
          why_not: { code: 'waits_for', params: { read: 'x' } }
        }
      ])}
    />
  ),
  part: () => (
    <PartView part={poison(denied)} what="Tasks">
      {() => null}
    </PartView>
  ),
  'session screen': () => (
    <Screen
      phrase={poison({ code: 'waits_for', params: { read: 'x' } })}
      sandbox
    />
  ),
  trouble: () => (
    <TroubleScreen
      trouble={{ kind: 'refused', code: PAYLOAD, params: {} }}
      stale={false}
      onRetry={nothing}
    />
  ),
  overview: () => (
    <ConnectionCard card={poison(connectionPage().card)} onOpen={nothing} />
  )
};

describe('a hostile far end', () => {
  it.each(Object.keys(screens))(
    'is text, visible and of its own direction: %s',
    name => {
      const { container } = draw(screens[name]());
      for (const button of Array.from(
        container.querySelectorAll('[aria-expanded=false]')
      )) {
        fireEvent.click(button);
      }
      expect(container.querySelector('img, script, iframe, [onerror]')).toBe(
        null
      );
      expect(container.outerHTML).not.toMatch(/[\u202e\u0000\u2028]/);
      for (const anchor of Array.from(container.querySelectorAll('a'))) {
        expect(anchor.href).toMatch(/^https:/);
      }
      const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
      let met = 0;
      while (walker.nextNode()) {
        const node = walker.currentNode;
        if (node.textContent?.includes('onerror')) {
          met += 1;
          const parent = node.parentElement;
          expect(
            parent?.closest('bdi') ?? parent?.closest('svg > title'),
            node.textContent ?? ''
          ).not.toBeNull();
        }
      }
      expect(met).toBeGreaterThan(0);
    }
  );

  it('is made visible in what the live region says, too', () => {
    const said = cardStates(speaker, poison(card())).map(([, words]) => words);
    expect(said.join(' ')).toContain('⟨U+202E⟩');
    expect(said.join(' ')).not.toMatch(/[\u202e\u0000\u2028\n]/);
  });
});
