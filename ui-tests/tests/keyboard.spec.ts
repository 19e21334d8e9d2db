import type { Locator, Page, Request } from '@playwright/test';
import {
  command,
  DASHBOARD,
  expect,
  openPanel,
  openTab,
  PANEL,
  pressOpenDashboard,
  TABS,
  test,
  underWay,
  usual
} from './lab';

/**
 * The whole of docs/keyboard.md, without a mouse: every stop of the panel, of each tab and of a task's page is reached by Tab, in the order of the document,
 * with a focus that can be seen; and every control does by its key what it says, and leaves the focus where a person goes on.
 * Longer than 400 lines on purpose: the walks share the stops that they are held to.
 */

const API = '**/hpgov-jlab/api/**';

/** What Tab has to stop at in a part of the page, in its order: one stop for a group of radio buttons and for the tabs. */
async function stops(scope: Locator): Promise<string[]> {
  return scope.evaluate(root => {
    const all = Array.from(
      root.querySelectorAll<HTMLElement>(
        'a[href], button, input, select, textarea, summary, [tabindex]'
      )
    );
    const groups = new Set<string>();
    let number = 0;
    for (const marked of root.querySelectorAll('[data-stop]')) {
      marked.removeAttribute('data-stop');
    }
    return all
      .filter(node => {
        if (
          !node.checkVisibility({ visibilityProperty: true }) ||
          node.tabIndex < 0 ||
          (node as HTMLButtonElement).disabled
        ) {
          return false;
        }
        if (node instanceof HTMLInputElement && node.type === 'radio') {
          const met = groups.has(node.name);
          groups.add(node.name);
          return !met;
        }
        return true;
      })
      .map(node => {
        const radio = node instanceof HTMLInputElement && node.type === 'radio';
        const name = radio ? `radio ${node.name}` : `stop ${number++}`;
        for (const each of radio
          ? all.filter(other => (other as HTMLInputElement).name === node.name)
          : [node]) {
          each.dataset.stop = name;
        }
        return name;
      });
  });
}

/** The stop that has the focus, and what is wrong with how it is seen. */
async function focused(scope: Locator): Promise<[string | null, string]> {
  return scope.evaluate(root => {
    const node = document.activeElement as HTMLElement | null;
    if (!node || !root.contains(node)) {
      return [null, ''];
    }
    const name = node.dataset.stop ?? `unknown: ${node.outerHTML.slice(0, 80)}`;
    const style = getComputedStyle(node);
    const box = node.getBoundingClientRect();
    // of what is higher than the window, the part that is in it
    const around = root.getBoundingClientRect();
    const middle = (from: number, to: number, low: number, high: number) =>
      (Math.max(from, low) + Math.min(to, high)) / 2;
    const x = middle(box.left, box.right, around.left, around.right);
    const y = middle(box.top, box.bottom, around.top, around.bottom);
    const top = document.elementFromPoint(x, y);
    const wrong = [
      style.outlineStyle === 'none' || parseFloat(style.outlineWidth) < 2
        ? `no outline on ${node.outerHTML.slice(0, 80)}`
        : '',
      box.bottom < 0 || box.top > innerHeight || box.width === 0
        ? `out of sight: ${node.outerHTML.slice(0, 80)}`
        : '',
      top && (node.contains(top) || top.contains(node)) ? '' : `covered: ${node.outerHTML.slice(0, 80)} by ${top?.outerHTML.slice(0, 80)}`
    ];
    return [name, wrong.filter(Boolean).join('; ')];
  });
}

/** The server's answers wait until the returned function is called: a story that goes on would put new rows, and new stops, under the walk. */
async function hold(page: Page): Promise<() => Promise<void>> {
  const held: Array<() => Promise<void>> = [];
  const waiting = new Set<Request>();
  let holding = true;
  await page.route(API, route => {
    const go = () => route.continue();
    if (holding) {
      waiting.add(route.request());
      held.push(go);
    } else {
      return go();
    }
  });
  // what was asked before has its answer before anybody walks
  await expect
    .poll(() => [...underWay(page)].filter(each => !waiting.has(each)).length)
    .toBe(0);
  return async () => {
    holding = false;
    await Promise.all(held.map(go => go()));
    await page.unroute(API);
  };
}

/** The stops, once an answer that was on its way before they were held is drawn. */
async function still(scope: Locator): Promise<string[]> {
  let before = '';
  for (;;) {
    const html = await scope.evaluate(root =>
      Array.from(root.querySelectorAll('button, a, summary, [tabindex]'))
        .map(node => node.outerHTML)
        .join()
    );
    if (html === before) {
      return stops(scope);
    }
    before = html;
    await scope.page().waitForTimeout(400);
  }
}

/** Tab from the first stop to behind the last one; `back`: and to the first again by Shift+Tab. */
async function walk(
  page: Page,
  scope: Locator,
  what: string,
  back = false
): Promise<number> {
  const goOn = await hold(page);
  const wanted = await still(scope);
  expect(wanted.length, what).toBeGreaterThan(0);
  await scope.locator(`[data-stop="${wanted[0]}"]`).first().focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  const met: string[] = [];
  for (;;) {
    let [name, wrong] = await focused(scope);
    for (let tries = 0; wrong && tries < 100; tries++) {
      // a browser scrolls to it in one of its next frames
      await page.waitForTimeout(100);
      [name, wrong] = await focused(scope);
    }
    expect.soft(wrong, what).toBe('');
    if (name === null || met.length > wanted.length + 5) {
      break;
    }
    met.push(name);
    await page.keyboard.press('Tab');
  }
  expect(met, what).toEqual(wanted);
  if (back) {
    const reverse: string[] = [];
    for (let n = 0; n < wanted.length; n++) {
      await page.keyboard.press('Shift+Tab');
      reverse.push((await focused(scope))[0] ?? 'outside');
    }
    expect(reverse.reverse(), `${what}, backwards`).toEqual(wanted);
  }
  await goOn();
  return wanted.length;
}

/** Everything that unfolds, unfolded by Enter; each keeps the focus. */
async function unfold(page: Page, scope: Locator): Promise<number> {
  let count = 0;
  const closed = scope.locator(
    'details:not([open]) > summary:visible, [aria-expanded="false"]:visible'
  );
  while ((await closed.count()) > 0) {
    const each = await closed.first().elementHandle();
    await each!.focus();
    await page.keyboard.press('Enter');
    expect(
      await each!.evaluate(
        node =>
          document.activeElement === node &&
          ((node.parentElement as HTMLDetailsElement).open ||
            node.getAttribute('aria-expanded') === 'true')
      )
    ).toBe(true);
    count += 1;
  }
  return count;
}

test.describe.configure({ timeout: 300_000 });
test.afterEach(({ lab }) => usual(lab.page));

test('the panel is opened from the launcher and walked by Tab', async ({ lab }) => {
  const { page, panel } = lab;
  await page
    .locator('.jp-LauncherCard', { hasText: 'Show HyperPod Clusters' })
    .press('Enter');
  await expect(panel).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(panel.getByRole('button', { name: 'Refresh' })).toBeFocused();
  await walk(page, panel, 'panel', true);
  // the refresh says when the next read is allowed, and keeps the focus
  const refresh = panel.getByRole('button', { name: 'Refresh' });
  await refresh.focus();
  await page.keyboard.press('Enter');
  await expect(panel.getByText(/next read allowed at/)).toBeVisible();
  await expect(refresh).toBeFocused();
});

test('a dashboard is walked by Tab, tab by tab, with all that unfolds', async ({
  lab
}) => {
  test.setTimeout(300_000);
  const { page, panel } = lab;
  for (const connection of ['slurm-pretraining', 'research-training']) {
    const dashboard = await pressOpenDashboard({ page, panel }, connection);
    // who opened it by the keyboard goes on in it
    await expect
      .poll(() =>
        page.evaluate(
          () => document.activeElement?.closest('.hpgov-Dashboard') !== null
        )
      )
      .toBe(true);
    await page.keyboard.press('Tab');
    expect(
      await page.evaluate(
        () => document.activeElement?.closest('.hpgov-Dashboard') !== null
      )
    ).toBe(true);
    await dashboard.getByRole('tab', { selected: true }).focus();
    await page.keyboard.press('Home');
    for (const [at, name] of TABS.entries()) {
      const tab = dashboard.getByRole('tab', { name });
      await expect(tab).toBeFocused();
      await expect(tab).toHaveAttribute('aria-selected', 'true');
      await expect(
        dashboard.getByRole('tabpanel').getByText('Asking the server.')
      ).toHaveCount(0);
      const unfolded = await unfold(page, dashboard);
      if (name === 'Share' || name === 'Contract') {
        expect(unfolded, `${connection} ${name}`).toBeGreaterThan(0);
      }
      await walk(page, dashboard, `${connection} ${name}`);
      await tab.focus();
      await page.keyboard.press(at + 1 < TABS.length ? 'ArrowRight' : 'Home');
    }
    await expect(dashboard.getByRole('tab', { name: 'Tasks' })).toBeFocused();
    await page.keyboard.press('ArrowLeft');
    await expect(dashboard.getByRole('tab', { name: 'Access' })).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('End');
    await expect(dashboard.getByRole('tab', { name: 'Access' })).toBeFocused();
  }
});

test('a task is opened, walked and left, and the focus comes back', async ({
  lab
}) => {
  const { page, panel } = lab;
  const dashboard = await pressOpenDashboard(
    { page, panel },
    'research-training'
  );
  const body = await openTab(dashboard, 'Tasks');
  const rows = body.locator('tbody .hpgov-RowButton');
  const name = (await rows.last().textContent())!;
  for (const leave of ['Escape', 'Back to the tasks']) {
    await rows.filter({ hasText: name }).focus();
    await page.keyboard.press('Enter');
    const task = body.getByRole('region', { name: 'One task' });
    await expect(task).toBeFocused();
    await expect(task.getByRole('heading', { name })).toBeVisible();
    await expect(task.locator('[data-state="pending"]')).toHaveCount(0);
    if (leave === 'Escape') {
      await unfold(page, task);
      await walk(page, task, 'task', true);
      await task.getByRole('button', { name: 'Back to the tasks' }).focus();
      await page.keyboard.press('Escape');
    } else {
      await page.keyboard.press('Tab');
      await expect(task.getByRole('button', { name: leave })).toBeFocused();
      await page.keyboard.press('Enter');
    }
    await expect(rows.filter({ hasText: name })).toBeFocused();
  }
  // from what holds a share, the way back is the table too
  const share = await openTab(dashboard, 'Share');
  await share.locator('[aria-expanded="false"]').first().press('Enter');
  await share.locator('.hpgov-Holders .hpgov-RowButton').first().press('Enter');
  const task = body.getByRole('region', { name: 'One task' });
  await expect(task).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(task).toHaveCount(0);
  expect(
    await page.evaluate(
      () => document.activeElement?.closest('.hpgov-Tasks, .hpgov-Place') !== null
    )
  ).toBe(true);
});

test('filters, sorting and pages of the tasks', async ({ page }) => {
  // pages as small as they may be: the server's own, asked for fewer rows
  await page.route(/\/tasks\?/, route => {
    const url = new URL(route.request().url());
    url.searchParams.set('limit', '3');
    return route.continue({ url: url.href });
  });
  const panel = await openPanel(page);
  const dashboard = await pressOpenDashboard(
    { page, panel },
    'slurm-pretraining'
  );
  const body = await openTab(dashboard, 'Tasks');
  await walk(page, dashboard, 'tasks in pages');

  const next = body.getByRole('button', { name: 'Next' });
  const range = body.getByRole('navigation', { name: 'Pages' });
  await expect(range).toContainText('1 to 3 of');
  await next.focus();
  await page.keyboard.press('Enter');
  await expect(range).toContainText('4 to 6 of');
  await expect(next).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(body.getByRole('button', { name: 'Previous' })).toBeFocused();
  await page.keyboard.press('Space');
  await expect(range).toContainText('1 to 3 of');
  await expect(body.getByRole('button', { name: 'Previous' })).toBeFocused();

  const heads = body.locator('thead button');
  for (let at = 0; at < (await heads.count()); at++) {
    const head = heads.nth(at);
    const column = head.locator('xpath=..');
    const before = await column.getAttribute('aria-sort');
    await head.focus();
    await page.keyboard.press('Enter');
    const first = before === 'ascending' ? 'descending' : 'ascending';
    await expect(column).toHaveAttribute('aria-sort', first);
    await expect(head).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(column).toHaveAttribute(
      'aria-sort',
      first === 'ascending' ? 'descending' : 'ascending'
    );
    await expect(head).toBeFocused();
  }

  const team = body.getByRole('radio', { name: 'my team' });
  await team.focus();
  await page.keyboard.press('ArrowRight');
  await expect(body.getByRole('radio', { name: 'mine', exact: true })).toBeChecked();
  await expect(body.getByRole('table', { name: 'My tasks' })).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(team).toBeChecked();
  await expect(team).toBeFocused();

  await page.keyboard.press('Tab');
  const search = body.getByRole('searchbox');
  await expect(search).toBeFocused();
  await page.keyboard.type('reward');
  await expect(body.getByRole('rowheader', { name: /reward-model/ })).toHaveCount(2);
  await expect(body.getByRole('rowheader')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await expect(search).toHaveValue('');
  await expect(body.getByRole('rowheader')).toHaveCount(3);
  await expect(search).toBeFocused();

  await page.keyboard.press('Tab');
  const chip = body.getByRole('group', { name: 'States' }).getByRole('button').first();
  await expect(chip).toBeFocused();
  await page.keyboard.press('Space');
  await expect(chip).toHaveAttribute('aria-pressed', 'true');
  await expect(chip).toBeFocused();
  await page.keyboard.press('Space');
  await expect(chip).toHaveAttribute('aria-pressed', 'false');
});

test('copying, the manifest box, names that are kept, and the draft', async ({
  lab
}) => {
  const { page, panel } = lab;
  await panel
    .getByRole('button', { name: 'Access research-training' })
    .press('Enter');
  const dashboard = page.locator(DASHBOARD);
  // the second button of a card opens the tab that it names
  await expect(dashboard.getByRole('tab', { name: 'Access' })).toHaveAttribute(
    'aria-selected',
    'true'
  );
  const box = dashboard.locator('.hpgov-Manifest');
  const summary = box.locator('summary').first();
  if (!(await box.evaluate(node => (node as HTMLDetailsElement).open))) {
    await summary.focus();
    await page.keyboard.press('Enter');
  }
  const copy = box.getByRole('button', { name: /^Cop(y|ied)$/ }).first();
  await copy.focus();
  await page.keyboard.press('Enter');
  await expect(copy).toHaveText('Copied');
  await expect(copy).toBeFocused();

  const field = box.getByRole('textbox', { name: 'Namespace of your team' });
  await field.focus();
  await page.keyboard.type('Not A Name');
  await page.keyboard.press('Enter');
  await expect(box.getByRole('alert')).toContainText('at most 63');
  await expect(field).toBeFocused();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('by-keyboard');
  await page.keyboard.press('Enter');
  const forget = box.getByRole('button', { name: 'Forget by-keyboard' });
  await expect(forget).toBeVisible();
  await expect(field).toBeFocused();
  await forget.focus();
  await page.keyboard.press('Enter');
  await expect(forget).toHaveCount(0);
  await expect(field).toBeFocused();
  await summary.focus();
  await page.keyboard.press('Space');
  await expect(field).toBeHidden();
  await expect(summary).toBeFocused();

  const body = await openTab(dashboard, 'Contract');
  await body
    .getByRole('button', { name: 'Open the draft in a new editor tab' })
    .focus();
  await page.keyboard.press('Enter');
  const editor = page.locator('.jp-FileEditor:visible .cm-content');
  await expect(editor).toContainText('apiVersion');
  await expect(
    page.locator('.lm-TabBar-tabLabel', { hasText: /research-training-\w+\.yaml$/ })
  ).toBeVisible();
  await expect
    .poll(() =>
      page.evaluate(
        () => document.activeElement?.closest('.jp-FileEditor') !== null
      )
    )
    .toBe(true);
  await command(page, 'Close Tab', 'Close Tab');
  const discard = page.getByRole('button', { name: /Discard/ }).first();
  await expect(async () => {
    if (await discard.isVisible()) {
      await discard.click();
    }
    await expect(
      page.locator('.lm-TabBar-tabLabel', { hasText: /research-training-\w+\.yaml$/ })
    ).toHaveCount(0, { timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  expect(await page.locator(PANEL).isVisible()).toBe(true);
});
