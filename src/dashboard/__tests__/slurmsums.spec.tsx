import * as React from 'react';
import { describe, expect, it } from 'vitest';
import { draw } from '../../__tests__/draw';
import { STATES, part, sharePage } from '../../__tests__/pages';
import type { SharePage, SlurmNodeSums, SlurmQueueSums } from '../../wire';
import { ShareView } from '../share';

const nodes: SlurmNodeSums = {
  total: 8,
  states: [
    { state: 'ALLOCATED', nodes: 5, usable: true },
    { state: 'DOWN', nodes: 3, usable: false }
  ],
  gpus: '64',
  gpus_held: '40',
  gpus_away: '24'
};
const queue: SlurmQueueSums = {
  rows: [
    { partition: 'cpu', running: 0, suspended: 0, waiting: 2, gpus: null },
    { partition: 'gpu', running: 1200, suspended: 3, waiting: 40, gpus: '40' }
  ],
  unread: 0
};

function page(more: Partial<SharePage>): HTMLElement {
  const made = sharePage([], {
    orchestrator: 'SLURM',
    slurm_nodes: part(nodes),
    slurm_queue: part(queue),
    ...more
  });
  return draw(<ShareView page={made} onOpenTask={() => undefined} />).container;
}

/** What stands between a heading and the next one. */
function under(container: HTMLElement, heading: string): string {
  const at = Array.from(container.querySelectorAll('h4')).find(
    each => each.textContent === heading
  );
  expect(at, heading).toBeDefined();
  let said = '';
  for (
    let next = at!.nextElementSibling;
    next && next.tagName !== 'H4';
    next = next.nextElementSibling
  ) {
    said += ` ${next.textContent}`;
  }
  return said;
}

describe('the whole Slurm cluster', () => {
  it('shows the nodes by state, and the GPUs in sums', () => {
    const container = page({});
    const facts = Array.from(
      container.querySelectorAll('.hpgov-Facts > *')
    ).map(each => each.textContent);
    expect(facts).toEqual([
      'Nodes',
      '8',
      'By state',
      '5 ALLOCATED, 3 DOWNtake no jobs',
      'GPUs in all',
      '64',
      'GPUs held by jobs',
      '40',
      'GPUs on nodes that take no jobs',
      '24'
    ]);
    expect(container.textContent).not.toMatch(/free|available|left/);
  });

  it('says of GPUs that Slurm does not count that it counts none, and no zero', () => {
    const said = under(
      page({
        slurm_nodes: part({
          ...nodes,
          gpus: null,
          gpus_held: null,
          gpus_away: null
        })
      }),
      'Nodes and GPUs'
    );
    expect(said).toContain('Slurm counts none here.');
    expect(said).not.toContain('held by jobs');
    expect(said).not.toMatch(/\b0\b/);
  });

  it('shows the queue by partition, unknown as a dash', () => {
    const container = page({});
    const cells = Array.from(container.querySelectorAll('tbody tr')).map(row =>
      Array.from(row.children).map(each => each.textContent)
    );
    expect(cells).toEqual([
      ['cpu', '0', '–', '2'],
      ['gpu', '1,2003 suspended', '40', '40']
    ]);
    expect(under(container, 'Queue')).not.toContain('could not be read');
  });

  it('says that nothing runs or waits only where the queue was read, and how many rows it could not read', () => {
    const empty = page({ slurm_queue: part({ rows: [], unread: 2 }) });
    expect(under(empty, 'Queue')).toContain('No job runs or waits.');
    expect(under(empty, 'Queue')).toContain(
      '2 rows could not be read and are in no sum.'
    );
  });

  const states = STATES.filter(state => state !== 'ok');
  const keeps = ['pending', 'unreachable', 'throttled', 'expired'];
  it.each(states)('shows %s as itself, never as empty', state => {
    const without = page({
      slurm_nodes: part<SlurmNodeSums>(null, state, { code: 'slurm_denied' }),
      slurm_queue: part<SlurmQueueSums>(null, state, { code: 'slurm_denied' })
    });
    const before = page({
      slurm_nodes: part<SlurmNodeSums>(nodes, state, { code: 'slurm_denied' }),
      slurm_queue: part<SlurmQueueSums>(queue, state, { code: 'slurm_denied' })
    });
    for (const [heading, figure] of [
      ['Nodes and GPUs', '64'],
      ['Queue', '1,200']
    ]) {
      expect(under(without, heading)).not.toContain('No job runs or waits.');
      expect(under(without, heading)).not.toContain(figure);
      expect(under(before, heading).includes(figure)).toBe(
        keeps.includes(state)
      );
    }
    expect(
      without.querySelectorAll(`[data-state="${state}"]`).length
    ).toBeGreaterThanOrEqual(2);
  });

  it('puts the limits before what is said of the cluster, and what qualifies them above', () => {
    const container = page({
      notes: [{ code: 'slurm_rows_unread', params: { count: 3 } }],
      cluster_notes: [
        { code: 'slurm_everyone_sees_jobs', params: {} },
        { code: 'slurm_few_accounts', params: {} }
      ]
    });
    const text = container.textContent!;
    const places = [
      '3 rows could not be read',
      'No limit is recorded that counts for you.',
      'Nodes and GPUs',
      'How this cluster is set up',
      'Everybody on this cluster sees',
      'Only two accounts have jobs here'
    ].map(each => text.indexOf(each));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(page({}).textContent).not.toContain('How this cluster is set up');
  });
});
