import * as React from 'react';
import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { NOW, part, sharePage, task, tasksPage } from '../../__tests__/pages';
import { draw } from '../../__tests__/draw';
import type { QueueFacts } from '../../wire';
import { Dashboard } from '../dashboard';
import { Manifest } from '../manifest';
import { ShareView } from '../share';
import type { TabId } from '../tabids';
import { opened } from './opened';

const facts = (name: string): QueueFacts => ({
  cluster_queue: `${name}-clusterqueue`,
  cluster_queue_by_rule: false,
  local_queue: `${name}-localqueue`,
  local_queue_by_rule: false,
  cohort: null,
  active: true,
  not_active_reason: null,
  stop_policy: null,
  strategy: null,
  within_queue: null,
  reclaim: null,
  borrow_preempts: null,
  fair_weight: null,
  pending: 1,
  reserving: 1,
  admitted: 1
});

const queueOf = (namespace: string) => ({
  namespace,
  queue: part(facts(namespace)),
  local_queue: part(`${namespace}-localqueue`)
});

describe('several namespaces', () => {
  it('have a queue each, named by its namespace', () => {
    const first = queueOf('team-a');
    const { container } = draw(
      <ShareView
        page={sharePage([], { ...first, more_queues: [queueOf('team-b')] })}
        onOpenTask={() => undefined}
      />
    );
    const text = container.textContent ?? '';
    for (const name of ['team-a', 'team-b']) {
      expect(text).toContain(`Namespace ${name}`);
      expect(text).toContain(`${name}-clusterqueue`);
    }
  });

  it('have labels to copy each, and their queues say where they are', () => {
    const copy = (namespace: string) => ({
      namespace,
      queue: 'q',
      copy: {
        kind: 'yaml',
        title: 'copy_labels',
        text: `metadata:\n  namespace: ${namespace}\n`,
        ask: 'you' as const
      }
    });
    const { container } = draw(
      <Manifest
        part={part({
          namespaces: ['team-a', 'team-b'].map(name => ({
            name,
            read: true,
            namespace: null
          })),
          queues: ['team-a', 'team-b'].map(namespace => ({
            name: 'q',
            read: true,
            namespace
          })),
          priority_classes: [],
          service_accounts: [],
          labels: [copy('team-a'), copy('team-b')]
        })}
        namespaces={[]}
      />
    );
    const boxes = Array.from(container.querySelectorAll('.hpgov-CopyBox'));
    expect(boxes.map(box => box.textContent?.match(/team-./)?.[0])).toEqual([
      'team-a',
      'team-b'
    ]);
    expect(container.textContent).toMatch(/q\s*team-a.*q\s*team-b/);
  });
});

describe('a list that is not whole', () => {
  const page = tasksPage([task('a')], {
    at_least: true,
    total: 1,
    by_state: { running: 1 }
  });

  it('has lowest numbers only', async () => {
    const { container } = dashboard('tasks', page);
    await screen.findByText('job-a');
    expect(container.textContent).toContain('1 to 1 of at least 1');
    expect(screen.getByRole('button', { name: /at least 1/ })).toBeTruthy();
  });
});

describe('the next read by hand', () => {
  it.each<TabId>(['tasks', 'share', 'contract', 'access'])(
    'is said on the tab %s to who has just asked',
    async tab => {
      const { container } = dashboard(tab);
      const button = await screen.findByRole('button', { name: 'Refresh' });
      expect(container.textContent).not.toContain('next read allowed at');
      fireEvent.click(button);
      expect(container.textContent).toContain('next read allowed at');
    }
  );

  it('is said on the page of a task too', async () => {
    const { container } = dashboard('tasks');
    fireEvent.click(await screen.findByText('job-a'));
    await screen.findByRole('button', { name: 'Back to the tasks' });
    fireEvent.click(await screen.findByRole('button', { name: 'Refresh' }));
    expect(container.textContent).toContain('next read allowed at');
  });
});

function dashboard(tab: TabId, tasks = tasksPage([task('a')])) {
  const { store } = opened(() => tasks, { next_fresh_at: NOW + 10 });
  return draw(
    <Dashboard
      store={store}
      tab={tab}
      columns={['name', 'state']}
      onTab={() => undefined}
      onName={() => undefined}
      typed={[]}
    />
  );
}
