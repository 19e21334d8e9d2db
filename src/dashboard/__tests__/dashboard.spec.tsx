// Longer than 400 lines: one table of cases, and whoever adds one has to see the others.
import * as React from 'react';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import {
  NOW,
  accessPage,
  connectionPage,
  contract,
  contractPage,
  outcome,
  part,
  row,
  sharePage,
  task,
  tasksPage
} from '../../__tests__/pages';
import { draw, inside, ui } from '../../__tests__/draw';
import type {
  ContractView,
  SlurmShareRow,
  Standing,
  Task,
  TasksPage
} from '../../wire';
import { Access } from '../access';
import { Contract } from '../contract';
import { Dashboard } from '../dashboard';
import { Manifest } from '../manifest';
import { Namespaces } from '../namespaces';
import { ShareView } from '../share';
import type { TabId } from '../tabids';
import { opened } from './opened';

/** The whole dashboard on a far end, from the wire to the screen. */
function dashboard(
  tasks: (query: URLSearchParams) => TasksPage,
  first: TabId = 'tasks'
) {
  const { far, store, paths } = opened(tasks);
  const onName = vi.fn();
  function Holder(): JSX.Element {
    const [tab, setTab] = React.useState<TabId>(first);
    return (
      <Dashboard
        store={store}
        tab={tab}
        columns={['name', 'state', 'requested', 'age', 'reason', 'line']}
        onTab={setTab}
        onName={onName}
        typed={[]}
      />
    );
  }
  const drawn = draw(<Holder />);
  return { far, store, onName, paths, ...drawn };
}

const two = () => tasksPage([task('a'), task('b')]);

describe('the dashboard', () => {
  it('reads the overview and the tab on the screen, nothing else', async () => {
    const { paths, onName } = dashboard(two);
    await screen.findByRole('table', { name: "My team's tasks" });
    expect(new Set(paths())).toEqual(new Set(['/', '/tasks']));
    expect(onName).toHaveBeenCalledWith('vision-training');
    fireEvent.click(screen.getByRole('tab', { name: 'Share' }));
    await screen.findByRole('table', { name: 'Your share' });
    expect(new Set(paths())).toEqual(new Set(['/', '/tasks', '/share']));
  });

  it('has one stop for its tabs; arrows, Home and End move', async () => {
    dashboard(two);
    await screen.findByRole('table');
    const tab = (name: string) => screen.getByRole('tab', { name });
    const press = (key: string) =>
      fireEvent.keyDown(screen.getByRole('tablist'), { key });
    expect(
      screen.getAllByRole('tab').map(each => each.getAttribute('tabindex'))
    ).toEqual(['0', '-1', '-1', '-1']);
    press('ArrowLeft');
    expect(document.activeElement).toBe(tab('Access'));
    expect(tab('Access').getAttribute('aria-selected')).toBe('true');
    press('Home');
    expect(document.activeElement).toBe(tab('Tasks'));
    press('End');
    expect(document.activeElement).toBe(tab('Access'));
    press('ArrowRight');
    expect(document.activeElement).toBe(tab('Tasks'));
    expect(screen.getByRole('tabpanel').getAttribute('aria-labelledby')).toBe(
      tab('Tasks').id
    );
  });
});

describe('the task table', () => {
  it('says amounts exactly, reasons in our words first, places as a place in line', async () => {
    dashboard(() =>
      tasksPage([
        task('w', {
          state: 'waiting',
          place_in_line: 3,
          line_source: 'computed',
          stops: 2,
          reason: { code: 'deadline', params: { limit_seconds: 5 } },
          text: "couldn't assign flavors"
        })
      ])
    );
    const row = (await screen.findByRole('rowheader', { name: /job-w/ }))
      .parentElement!;
    const cell = (column: string) =>
      row.querySelector(`[data-column=${column}]`)?.textContent;
    expect(cell('requested')).toBe('8 GPU, 1 TiB memory');
    expect(cell('state')).toContain('waiting');
    expect(cell('state')).toContain('stopped 2 times before');
    expect(cell('age')).toMatch(/^1 h/);
    // the scheduler's own words are on the task's page; here only where we have none
    expect(cell('reason')).toMatch(/^No answer within 5 s\./);
    expect(cell('reason')).not.toContain("couldn't assign flavors");
    expect(cell('line')).toBe('3rdcomputed from own tasks');
  });

  it('sorts by buttons and says what the server sorted by', async () => {
    const { far } = dashboard(query =>
      tasksPage([task('a')], {
        sort: query.get('sort') ?? 'state',
        descending: query.get('descending') === '1'
      })
    );
    await screen.findByRole('table');
    const heading = (name: RegExp) =>
      screen.getByRole('columnheader', { name });
    expect(heading(/State/).getAttribute('aria-sort')).toBe('ascending');
    fireEvent.click(screen.getByRole('button', { name: /Requested/ }));
    await waitFor(() =>
      expect(heading(/Requested/).getAttribute('aria-sort')).toBe('ascending')
    );
    expect(heading(/State/).getAttribute('aria-sort')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: /Requested/ }));
    await waitFor(() =>
      expect(heading(/Requested/).getAttribute('aria-sort')).toBe('descending')
    );
    expect(far.asked[far.asked.length - 1].query.get('sort')).toBe('requested');
  });

  it('keeps focus and selection when a refresh moves the rows', async () => {
    let order = ['a', 'b', 'c'];
    const { store } = dashboard(() => tasksPage(order.map(uid => task(uid))));
    const button = await screen.findByRole('button', { name: 'job-c' });
    const before = button.closest('tr');
    button.focus();
    order = ['c', 'b', 'a'];
    act(() => store.tasks.refresh(false));
    await waitFor(() =>
      expect(screen.getAllByRole('rowheader')[0].textContent).toContain('job-c')
    );
    expect(document.activeElement).toBe(
      screen.getByRole('button', { name: 'job-c' })
    );
    expect(screen.getByRole('button', { name: 'job-c' }).closest('tr')).toBe(
      before
    );
  });

  it('filters on the server', async () => {
    const { far } = dashboard(query =>
      tasksPage(query.get('state') ? [] : [task('a')], {
        by_state: { running: 1, waiting: 4 }
      })
    );
    await screen.findByRole('table');
    fireEvent.click(screen.getByRole('button', { name: 'waiting 4' }));
    await screen.findByText('No task matches the filter.');
    expect(far.asked[far.asked.length - 1].query.get('state')).toBe('waiting');
    expect(
      screen
        .getByRole('button', { name: 'waiting 4' })
        .getAttribute('aria-pressed')
    ).toBe('true');
    fireEvent.change(screen.getByRole('searchbox'), {
      target: { value: 'llama' }
    });
    await waitFor(() =>
      expect(far.asked[far.asked.length - 1].query.get('text')).toBe('llama')
    );
  });

  it('says why the filter for own tasks is not there', async () => {
    dashboard(() =>
      tasksPage([task('a')], {
        mine_known: false,
        mine_why: { code: 'stopping', params: {} }
      })
    );
    await screen.findByRole('table');
    expect(
      screen.getByRole<HTMLInputElement>('radio', { name: 'mine' }).disabled
    ).toBe(true);
    expect(screen.getByText('The server is stopping.')).toBeTruthy();
  });

  it('turns pages', async () => {
    const { far } = dashboard(query =>
      tasksPage([task(query.get('offset') ?? '0')], {
        total: 60,
        offset: Number(query.get('offset') ?? 0)
      })
    );
    await screen.findByText('1 to 50 of 60');
    expect(
      screen
        .getByRole('button', { name: 'Previous' })
        .getAttribute('aria-disabled')
    ).toBe('true');
    fireEvent.click(screen.getByRole('button', { name: 'Next' }));
    await screen.findByText('51 to 60 of 60');
    expect(far.asked[far.asked.length - 1].query.get('generation')).toBe('g1');
  });

  it('when denied shows no row, no count and no page', async () => {
    const { container } = dashboard(() => ({
      ...tasksPage([]),
      tasks: part<Task[]>(null, 'denied'),
      total: null,
      by_state: {}
    }));
    await screen.findByText(/Not readable by your role/);
    expect(container.querySelector('.hpgov-Tasks table')).toBeNull();
    expect(container.querySelector('nav')).toBeNull();
    expect(container.querySelector('.hpgov-Empty')).toBeNull();
  });

  it('opens a task and comes back to its row', async () => {
    const { container } = dashboard(two);
    fireEvent.click(await screen.findByRole('button', { name: 'job-b' }));
    expect(document.activeElement).toBe(
      container.querySelector('section.hpgov-Task')
    );
    await screen.findByRole('heading', { name: 'job-a' });
    const text = container.textContent ?? '';
    expect(text).toContain('exit code 137');
    expect(text).toContain('OOMKilled');
    expect(text).toContain('2 restarts');
    expect(text).toContain('kubectl logs -n hyperpod-ns-vision job-a-0');
    expect(text).toContain('Events: Not readable by your role');
    fireEvent.click(screen.getByRole('button', { name: 'Back to the tasks' }));
    await screen.findByRole('table');
    const back = screen.getByRole('button', { name: 'job-b' });
    expect(document.activeElement).toBe(back);
    expect(back.closest('tr')?.getAttribute('aria-current')).toBe('true');
  });
});

describe('the share', () => {
  it('unfolds a row into what holds it, and says what is not attributed', () => {
    const onOpen = vi.fn();
    draw(<ShareView page={sharePage()} onOpenTask={onOpen} />);
    const unfold = screen.getByRole('button', { name: 'GPU' });
    expect(unfold.getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(unfold);
    expect(unfold.getAttribute('aria-expanded')).toBe('true');
    const inside = document.getElementById(
      unfold.getAttribute('aria-controls')!
    );
    expect(inside?.textContent).toContain('16job-a');
    expect(inside?.textContent).toContain('your Space');
    expect(inside?.textContent).toContain('7held by tasks that are not');
    fireEvent.click(screen.getByRole('button', { name: 'job-a' }));
    expect(onOpen).toHaveBeenCalledWith('a');
    expect(screen.getByText('Your Space is in it.')).toBeTruthy();
  });

  it('tells holders that can not be read from none', () => {
    const text = (more: Parameters<typeof row>[0]) => {
      const drawn = draw(
        <ShareView page={sharePage([row(more)])} onOpenTask={() => undefined} />
      );
      fireEvent.click(screen.getByRole('button', { name: 'GPU' }));
      const out = drawn.container.textContent ?? '';
      drawn.unmount();
      return out;
    };
    // by a refusal or for another reason: the reads that are missing say that
    expect(text({ holders: [], not_attributed: null })).toContain(
      'could not be read'
    );
    expect(text({ holders: [], not_attributed: '0' })).toContain(
      'Nothing holds it.'
    );
    expect(text({ more_holders: 3 })).toContain('3 more that began later');
    expect(text({})).not.toContain('more that began later');
  });

  it('has a table of its own for Slurm, where a limit may be enforced nowhere', () => {
    const slurm: SlurmShareRow = {
      kind: 'slurm',
      scope: 'association',
      name: 'vision',
      resource: 'gres/gpu',
      limit: '8',
      held: null,
      enforced: false,
      holders: [],
      per: 'user',
      own: true,
      account: null,
      not_attributed: null
    };
    const elsewhere = part<any>(null, 'absent', { code: 'slurm_no_queues' });
    const { container } = draw(
      <ShareView
        page={sharePage([slurm], {
          orchestrator: 'SLURM',
          queue: elsewhere,
          cohort: elsewhere,
          local_queue: elsewhere,
          fairshare: part([
            {
              account: 'vision',
              shares: '10',
              factor: '0.5',
              effective_usage: '0.2',
              used: false
            }
          ]),
          partitions: part([
            {
              partition: 'gpu',
              state: 'UP',
              allowed: null,
              default: true,
              why: [],
              max_seconds: 7200,
              nodes: 8,
              capacity: []
            }
          ])
        })}
        onOpenTask={() => undefined}
      />
    );
    const cells = Array.from(
      container.querySelector('tbody')!.querySelectorAll('tr > *')
    ).map(each => each.textContent);
    expect(cells).toEqual([
      'GPU',
      'association visionyours',
      'you',
      '8',
      '–',
      'limit recorded, not enforced here'
    ]);
    expect(screen.queryByRole('button', { name: 'GPU' })).toBeNull();
    expect(container.textContent).not.toContain('May lend up to');
    expect(container.textContent).not.toContain('Cohort');
    expect(container.textContent).toContain('vision100.50.2not used here');
    expect(container.textContent).toContain('gpudefaultUP–2 h8–');
  });

  it('unfolds what is told to hold a limit of Slurm, and says what is held beside', () => {
    const limit = (more: Partial<SlurmShareRow>): SlurmShareRow => ({
      kind: 'slurm',
      scope: 'association',
      name: 'vision',
      resource: 'gres/gpu',
      limit: '8',
      held: '0',
      enforced: true,
      holders: [],
      per: 'group',
      own: false,
      account: null,
      not_attributed: '0',
      ...more
    });
    const text = (more: Partial<SlurmShareRow>) => {
      const { container, unmount } = draw(
        <ShareView
          page={sharePage([limit(more)], { orchestrator: 'SLURM' })}
          onOpenTask={() => undefined}
        />
      );
      fireEvent.click(screen.getByRole('button', { name: 'GPU' }));
      const out = container.querySelector('tbody')!.textContent;
      unmount();
      return out;
    };
    expect(text({})).toBe(
      '▾GPUassociation visionall under it together80yesNothing holds it.'
    );
    expect(text({ held: '6', not_attributed: '6' })).toContain(
      '6held by tasks that are not among those read'
    );
    // none is set: nothing is enforced
    expect(text({ limit: null })).toContain('no limit set0Nothing holds it.');
  });

  it('says no word that the glossary forbids', () => {
    const { container } = draw(
      <ShareView page={sharePage()} onOpenTask={() => undefined} />
    );
    expect(container.textContent).not.toMatch(
      /\b(guaranteed|capacity|used|busy|left|free|available|lent)\b/i
    );
  });
});

describe('the contract', () => {
  it('says first what it is and that it is no evidence', () => {
    const { container } = draw(<Contract page={contractPage()} />);
    expect(container.querySelector('p')?.textContent).toBe(
      'Agreed for this project; your rights come from the role ' +
        'arn:aws:iam::111122223333:role/hpgov-vision on the cluster. ' +
        'This informs you and is no evidence for others.'
    );
  });

  it('says that something is agreed only by a record of the platform', () => {
    const lead = (more: Partial<ContractView>) => {
      const { container, unmount } = draw(
        <Contract page={contractPage({ contract: part(contract(more)) })} />
      );
      const out = container.querySelector('p')?.textContent;
      unmount();
      return out;
    };
    expect(lead({ standing: 'review_due' })).toContain('Agreed');
    for (const standing of ['in_force', 'review_due'] as const) {
      expect(lead({ standing, platform: false, rank: 'file' })).not.toContain(
        'Agreed'
      );
    }
    expect(lead({ standing: 'on_record' })).not.toContain('Agreed');
  });

  it('shows owners, what is recorded and what is not, problems and differences', () => {
    const { container } = draw(
      <Contract
        page={contractPage({
          contract: part(
            contract({
              standing: 'invalid',
              facts: [
                { field: 'read', value: 'internal' },
                { field: 'stopping', value: null }
              ],
              problems: [
                {
                  file: 'vision.yaml',
                  line: 4,
                  column: 2,
                  rule: { code: 'stopping', params: {} },
                  path: 'owners[0].name'
                }
              ],
              differences: [
                { field: 'read', here: 'a', there: 'b', there_kept: 'x.yaml' }
              ]
            })
          )
        })}
      />
    );
    const text = container.textContent ?? '';
    expect(text).toContain('not usable as written');
    expect(text).toContain('vision.yaml, line 4, column 2, owners[0].name');
    expect(text).toContain('Not recorded: The server is stopping.');
    expect(text).toContain('Agreed until–');
    expect(text).not.toContain('no end date');
    expect(screen.getByRole('table', { name: 'Differences' })).toBeTruthy();
  });

  it('says that there is no end date only of a record that was understood', () => {
    const end = (standing: Standing) =>
      draw(
        <Contract
          page={contractPage({ contract: part(contract({ standing })) })}
        />
      ).container.textContent?.includes('no end date');
    expect(end('in_force')).toBe(true);
    expect(end('invalid')).toBe(false);
    expect(end('ambiguous')).toBe(false);
    expect(end('unknown')).toBe(false);
  });

  it('without one shows the words of the platform and a draft', async () => {
    const onDraft = vi.fn().mockResolvedValue(undefined);
    const { container } = draw(
      <Contract
        page={contractPage({
          contract: part(
            contract({ standing: 'none', rank: null, kept: null, owners: [] })
          ),
          platform_words: [{ code: 'stopping', params: {} }]
        })}
        onDraft={onDraft}
      />
    );
    expect(container.textContent).toContain('none on record');
    expect(container.textContent).not.toContain('Agreed for this project');
    expect(container.textContent).toContain('not a contract');
    await act(async () => {
      fireEvent.click(
        screen.getByRole('button', {
          name: 'Open the draft in a new editor tab'
        })
      );
    });
    expect(onDraft).toHaveBeenCalledWith(
      '.hpgov/contracts/vision.yaml',
      'kind: x\n'
    );
  });

  it('offers no draft that may not be copied', () => {
    draw(
      <Contract
        page={contractPage({ draft: { file_name: 'x.yaml', text: null } })}
        onDraft={vi.fn()}
      />
    );
    expect(
      screen.queryByRole('button', {
        name: 'Open the draft in a new editor tab'
      })
    ).toBeNull();
  });

  it('says when no editor could be opened', async () => {
    draw(
      <Contract
        page={contractPage()}
        onDraft={() => Promise.reject(new Error('no editor'))}
      />
    );
    await act(async () => {
      fireEvent.click(
        screen.getByRole('button', {
          name: 'Open the draft in a new editor tab'
        })
      );
    });
    expect(screen.getByRole('alert').textContent).toContain('copy the draft');
  });
});

describe('access', () => {
  it('says it all in one table and gives the request to copy', async () => {
    ui.copied.length = 0;
    draw(<Access page={accessPage()} />);
    const rows = screen.getAllByRole('row').slice(1);
    // what is missing stands first
    expect(rows.map(each => each.children[2].textContent)).toEqual([
      expect.stringMatching(/^⊘ no/),
      '✓ yes12 s ago'
    ]);
    expect(screen.getByText('Allowed: 1 of 2; not tried yet: 0.')).toBeTruthy();
    expect(rows[0].textContent).toContain('the administrator of the cluster');
    await act(async () => {
      fireEvent.click(screen.getByRole('button', { name: 'Copy request' }));
    });
    expect(ui.copied).toEqual([
      'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\n'
    ]);
    expect(screen.getByText(/Not offered/)).toBeTruthy();
  });

  it('says not tried yet, never no, for what was not asked', () => {
    const page = accessPage();
    draw(
      <Access
        page={{
          ...page,
          rows: [{ ...page.rows[0], last: outcome('pending') }]
        }}
      />
    );
    expect(screen.getByText('not tried yet')).toBeTruthy();
  });
});

describe('what to write in the manifest', () => {
  it('marks names by rule, and tells unreadable classes from none', () => {
    const page = connectionPage();
    const { container, rerender } = draw(
      <Manifest part={page.manifest} namespaces={[]} />
    );
    const facts = () =>
      Array.from(container.querySelectorAll('dd')).map(dd => dd.textContent);
    expect(facts()).toEqual([
      'hyperpod-ns-vision',
      'hyperpod-ns-vision-localqueuenot read',
      'not read',
      '–'
    ]);
    rerender(
      inside(
        <Manifest
          part={{
            ...page.manifest,
            data: { ...page.manifest.data!, priority_classes: [] }
          }}
          namespaces={[]}
        />
      )
    );
    expect(facts()[2]).toBe('none defined');
  });
});

describe('namespaces that a person types', () => {
  const facts = [
    {
      name: 'hyperpod-ns-vision',
      source: 'suggested',
      read: false,
      why_not: null
    }
  ];
  const form = (typed: readonly string[] = []) => {
    const onTyped = vi.fn().mockResolvedValue(undefined);
    draw(<Namespaces facts={facts} typed={typed} onTyped={onTyped} />);
    const type = (value: string) => {
      fireEvent.change(screen.getByLabelText('Namespace of your team'), {
        target: { value }
      });
      fireEvent.click(screen.getByRole('button', { name: 'Read it' }));
    };
    return { onTyped, type };
  };

  it('are kept once each', () => {
    const { onTyped, type } = form(['a', 'b']);
    type(' a ');
    expect(onTyped).toHaveBeenLastCalledWith(['b', 'a']);
  });

  it.each(['', 'A', '-a', 'a_b', '../x', 'x'.repeat(64)])(
    'are no namespace: %j',
    value => {
      const { onTyped, type } = form();
      type(value);
      expect(onTyped).not.toHaveBeenCalled();
      expect(screen.getByRole('alert').textContent).toContain('63');
    }
  );

  it('are offered by rule, and can be forgotten', () => {
    const { onTyped } = form(['b']);
    fireEvent.click(
      screen.getByRole('button', { name: 'Read hyperpod-ns-vision' })
    );
    expect(onTyped).toHaveBeenLastCalledWith(['b', 'hyperpod-ns-vision']);
    fireEvent.click(screen.getByRole('button', { name: 'Forget b' }));
    expect(onTyped).toHaveBeenLastCalledWith([]);
  });
});

describe('times of an upstream', () => {
  it('are aged by that upstream’s clock', async () => {
    dashboard(() => ({
      ...tasksPage([task('a', { since: NOW - 60 + 3600 })]),
      tasks: { ...part([task('a', { since: NOW - 60 + 3600 })]), skew: 3600 }
    }));
    const row = (await screen.findByRole('rowheader', { name: /job-a/ }))
      .parentElement!;
    expect(row.querySelector('[data-column=age]')?.textContent).toBe('1 min');
  });
});
