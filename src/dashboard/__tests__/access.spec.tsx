import * as React from 'react';
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { accessPage, outcome } from '../../__tests__/pages';
import { draw } from '../../__tests__/draw';
import type { AccessPage, AccessRow, Outcome } from '../../wire';
import { Access } from '../access';

describe('access under many denials', () => {
  const UNREAD = {
    ...outcome('not_configured', { code: 'no_namespace_contract_unread' }),
    params: { read: 's3:ListBucket' }
  };
  const refused = (operation: string, scope: string | null) => ({
    ...outcome('denied', { code: 'k8s_denied' }),
    params: { operation, scope }
  });
  const row = (operation: string, last: Outcome, scope = ''): AccessRow => ({
    ...accessPage().rows[1],
    operation,
    scope,
    last
  });
  const show = (rows: AccessRow[], more: Partial<AccessPage> = {}) =>
    draw(<Access page={accessPage({ rows, ...more })} />).container;
  /** The groups of the table as they follow each other: what is said above their rows, and each row's read with what is said in it. */
  const groups = (container: HTMLElement) =>
    Array.from(container.querySelectorAll('tbody')).map(body => ({
      above:
        body.querySelector('th[scope="rowgroup"]')?.textContent?.trim() ?? null,
      rows: Array.from(body.querySelectorAll('tr:has(> td)')).map(each => [
        each.querySelector('code')?.textContent,
        each.children[2].textContent
      ])
    }));
  const HIDDEN = ', the reason stands above these rows';
  const SAID =
    "The namespace of your team is not known: the contract that may name it can't be read (s3:ListBucket), and the connection names none." +
    ' Type it in the dashboard: what your role may read there is then shown.';

  it('says a reason once for all rows that have it, and leaves out no row', () => {
    const found = groups(
      show([
        row('get namespaces', UNREAD),
        row('list pods', outcome('ok')),
        row('list events', UNREAD),
        row('list jobs.batch', refused('list jobs.batch', null))
      ])
    );
    expect(found).toEqual([
      {
        above: null,
        rows: [
          [
            'list jobs.batch',
            '⊘ noYour role may not list jobs.batch. Ask for this right with the text on the Access tab.12 s ago'
          ]
        ]
      },
      {
        above: `◇ 2 reads: Not configured · ${SAID}`,
        rows: [
          ['get namespaces', `◇ Not configured${HIDDEN}12 s ago`],
          ['list events', `◇ Not configured${HIDDEN}12 s ago`]
        ]
      },
      { above: null, rows: [['list pods', '✓ yes12 s ago']] }
    ]);
  });

  it('says a right that is missing for many reads once, though each names its own', () => {
    const reads = [
      ['list pods', 'hyperpod-ns-a'],
      ['list pods', 'hyperpod-ns-b'],
      ['list resourceflavors.kueue.x-k8s.io', '']
    ];
    const [group, ...none] = groups(
      show(
        reads.map(([operation, scope]) =>
          row(operation, refused(operation, scope || null), scope)
        )
      )
    );
    expect(none).toEqual([]);
    expect(group.above).toBe(
      '⊘ 3 reads: Not readable by your role · Your role may do none of these reads. Ask for the rights with the text above.'
    );
    expect(group.rows).toEqual(
      reads.map(([operation]) => [operation, `⊘ no${HIDDEN}12 s ago`])
    );
  });

  it('leaves away what a sentence has in parentheses only, and joins no sentences that differ', () => {
    const slurm = (command: string) =>
      row(command, {
        ...outcome('denied', { code: 'slurm_denied' }),
        params: { command }
      });
    const aws = (action: string) =>
      row(action, {
        ...outcome('denied', { code: 'service_control_policy_denies' }),
        params: { action }
      });
    const found = groups(
      show([
        slurm('squeue'),
        slurm('sacct'),
        aws('sagemaker:DescribeCluster'),
        aws('sagemaker:ListClusterNodes')
      ])
    );
    expect(found.map(({ above, rows }) => [above, rows.length])).toEqual([
      [null, 2],
      [
        '⊘ 2 reads: Not readable by your role · Slurm does not show this to you. PrivateData may hide it; ask the administrator of the cluster.',
        2
      ]
    ]);
    expect(found[0].rows[0][1]).toContain(
      'A service control policy of your organisation denies sagemaker:DescribeCluster.'
    );
  });

  it('joins no reasons whose sentences hold other figures, and those that read the same', () => {
    const late = (operation: string, limit_seconds: number) =>
      row(operation, {
        ...outcome('unreachable', { code: 'deadline' }),
        params: { limit_seconds }
      });
    const slowed = (operation: string, retry_after_seconds: number) =>
      row(operation, {
        ...outcome('throttled', { code: 'k8s_throttled' }),
        params: { operation, scope: 'a', retry_after_seconds }
      });
    const found = groups(
      show([
        late('sts:GetCallerIdentity', 20),
        late('sagemaker:DescribeCluster', 5),
        slowed('list pods', 1),
        slowed('list jobs.batch', 60),
        slowed('list events', 60)
      ])
    );
    expect(found.map(({ above }) => above)).toEqual([
      null,
      '◔ 2 reads: Asked to slow down · The API server asks to slow down. It is asked again after 1 min.'
    ]);
    expect(found[0].rows.map(([, said]) => said)).toEqual([
      expect.stringContaining('No answer within 20 s.'),
      expect.stringContaining('No answer within 5 s.'),
      expect.stringContaining('It is asked again after 1 s.')
    ]);
  });

  it('leads to the text of a request only where it stands on the page', () => {
    const all = [
      row('list pods', refused('list pods', 'a'), 'a'),
      row('list jobs', refused('list jobs', 'a'), 'a')
    ];
    const aws = row('sagemaker:DescribeCluster', {
      ...outcome('denied', { code: 'no_identity_policy_allows' }),
      params: { action: 'sagemaker:DescribeCluster' }
    });
    const text = (more: Partial<AccessPage>, rows = all) =>
      show([...rows, aws], more).querySelector('table')?.textContent ?? '';
    const none = text({ request: [] });
    expect(none).toContain('Your role may do none of these reads.');
    expect(none).toContain('allows sagemaker:DescribeCluster.');
    expect(none).not.toContain('Ask for');
    expect(text({ request: [] }, [all[0]])).not.toContain('Ask for');
    const some = text({}); // of IAM a request is there whose text can't be copied
    expect(some).toContain('Ask for the rights with the text above.');
    expect(some).not.toContain('Ask for the statement');
    expect(text({}, [all[0]])).toContain('Ask for this right with the text');
  });

  it('leads from each row to its reason for who does not see where it stands', () => {
    const container = show([
      row('get namespaces', UNREAD),
      row('list events', UNREAD)
    ]);
    const body = screen.getByRole('rowgroup', {
      name: `2 reads: Not configured · ${SAID}`
    });
    expect(body.querySelectorAll('tr')).toHaveLength(3);
    const cells = Array.from(body.querySelectorAll('td[aria-describedby]'));
    expect(
      cells.map(
        cell =>
          container.querySelector(
            `[id="${cell.getAttribute('aria-describedby')}"]`
          )?.textContent
      )
    ).toEqual(Array(2).fill(`2 reads: Not configured · ${SAID}`));
  });
});
