import {
  test as base,
  expect,
  type Locator,
  type Page,
  type Request
} from '@playwright/test';
import { readFileSync } from 'node:fs';

export { expect };
export const PANEL = '#hpgov-panel';
export const DASHBOARD = '.hpgov-Dashboard:visible';
export const TABS = ['Tasks', 'Share', 'Contract', 'Access'] as const;
export const THEMES = {
  light: 'JupyterLab Light',
  dark: 'JupyterLab Dark',
  contrast: 'JupyterLab Dark High Contrast'
} as const;

/** The JupyterLab that playwright.config.ts names or starts, on the sandbox's default story. */
export const ADDRESS = process.env.HPGOV_UI_URL!;

/** A page that stands open, and what it said and asked for since it was opened. */
export interface ILab {
  page: Page;
  panel: Locator;
  said: string[];
  foreign: string[];
  bundle: string[];
}

/** One page for the tests that look at the default story: opening JupyterLab takes longer than most of what is looked at in it. */
export const test = base.extend<{ page: Page }, { lab: ILab }>({
  lab: [
    async ({ browser }, use) => {
      const page = await browser.newPage({
        viewport: { width: 1280, height: 900 }
      });
      const said = listen(page);
      const foreign: string[] = [];
      const bundle: string[] = [];
      const { origin } = new URL(ADDRESS);
      page.on('request', request => {
        const url = new URL(request.url());
        if (url.protocol.startsWith('http') && url.origin !== origin) {
          foreign.push(request.url());
        }
        if (url.pathname.includes('/lab/extensions/hpgov-jlab/static/')) {
          bundle.push(request.url());
        }
      });
      const panel = await openPanel(page);
      await use({ page, panel, said, foreign, bundle });
      await page.close();
    },
    { scope: 'worker', timeout: 240_000 }
  ]
});

/** What the console said that a person would have to wonder about. */
export function listen(page: Page): string[] {
  const said: string[] = [];
  page.on('console', message => {
    const text = message.text();
    // JupyterLab times its plugins, and a busy machine is slow
    if (/took [\d.]+ms to activate/.test(text)) {
      return;
    }
    if (
      /hpgov|Unsatisfied version/i.test(text) ||
      /hpgov/.test(message.location().url)
    ) {
      said.push(`${message.type()}: ${text}`);
    }
  });
  page.on('pageerror', error => said.push(`pageerror: ${error.message}`));
  return said;
}

const requests = new WeakMap<Page, Set<Request>>();

/** Questions of ours that the page has asked and that have no answer yet. */
export function underWay(page: Page): ReadonlySet<Request> {
  const before = requests.get(page);
  if (before) {
    return before;
  }
  const open = new Set<Request>();
  requests.set(page, open);
  page.on('request', request => {
    if (request.url().includes('/hpgov-jlab/api/')) {
      open.add(request);
    }
  });
  page.on('requestfinished', request => open.delete(request));
  page.on('requestfailed', request => open.delete(request));
  return open;
}

/** A fresh JupyterLab with our panel on the screen and everything read. */
export async function openPanel(page: Page): Promise<Locator> {
  const panel = await openPanelAt(page, ADDRESS);
  await expect(panel.getByRole('article')).toHaveCount(3);
  await expect(panel.locator('[data-state="pending"]')).toHaveCount(0);
  return panel;
}

/** The same at another address, whatever the panel has to show there. */
export async function openPanelAt(
  page: Page,
  address: string
): Promise<Locator> {
  underWay(page); // from the first one on
  const url = new URL(address);
  url.searchParams.set('reset', '');
  await page.goto(url.href);
  await page.locator('#jupyterlab-splash').waitFor({ state: 'detached' });
  const panel = page.locator(PANEL);
  const tab = page.locator('li.lm-TabBar-tab[data-id="hpgov-panel"]');
  // The layout of the sandbox shows the panel by itself; a click on the tab of a panel that is just being shown would hide it again.
  await expect(async () => {
    if (!(await panel.isVisible())) {
      await tab.click();
    }
    await expect(panel).toBeVisible({ timeout: 10_000 });
    await expect(tab).toHaveAttribute('aria-selected', 'true', {
      timeout: 10_000
    });
  }).toPass({ timeout: 120_000 });
  return panel;
}

/** Takes another theme in a page that stands open, as a person does: JupyterLab's command palette. */
export async function chooseTheme(page: Page, theme: string): Promise<void> {
  const body = page.locator('body');
  if ((await body.getAttribute('data-jp-theme-name')) === theme) {
    return;
  }
  await command(page, `Use Theme: ${theme}`, theme);
  await expect(body).toHaveAttribute('data-jp-theme-name', theme);
  // the name changes before the stylesheet is there: dark themes have a dark ground
  await expect
    .poll(() =>
      page.locator(PANEL).evaluate(node => {
        const [red] = getComputedStyle(node).backgroundColor.match(/\d+/) ?? [];
        return Number(red) > 127;
      })
    )
    .toBe(theme === THEMES.light);
}

/** Runs a command by its name in the palette. */
export async function command(
  page: Page,
  typed: string,
  label: string
): Promise<void> {
  const input = page.locator('.lm-CommandPalette-input');
  // JupyterLab listens to its shortcuts a moment after its page stands
  await expect(async () => {
    await page.keyboard.press('Control+Shift+C');
    await expect(input).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 60_000 });
  await input.fill(typed);
  await page
    .locator('.lm-CommandPalette-itemLabel')
    .filter({ hasText: new RegExp(`${label}$`) })
    .first()
    .click();
}

/** Opens a connection's dashboard from its card. */
export async function openDashboard(
  lab: { page: Page; panel: Locator },
  connection: string
): Promise<Locator> {
  await lab.panel
    .getByRole('button', { name: `Open dashboard ${connection}` })
    .click();
  const dashboard = lab.page.locator(DASHBOARD);
  await expect(
    dashboard.getByRole('heading', { name: connection })
  ).toBeVisible();
  return dashboard;
}

/**
 * The same by the keyboard. JupyterLab gives its focus away once more when its layout is restored, a moment after the page stands, and a key
 * that is pressed then goes elsewhere: a person presses it again.
 */
export async function pressOpenDashboard(
  lab: { page: Page; panel: Locator },
  connection: string
): Promise<Locator> {
  const dashboard = lab.page.locator(DASHBOARD);
  await expect(async () => {
    await lab.panel
      .getByRole('button', { name: `Open dashboard ${connection}` })
      .press('Enter');
    await expect(
      dashboard.getByRole('heading', { name: connection })
    ).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 60_000 });
  return dashboard;
}

/** One tab of a dashboard with everything read that it needs. */
export async function openTab(
  dashboard: Locator,
  tab: string
): Promise<Locator> {
  await dashboard.getByRole('tab', { name: tab }).click();
  const body = dashboard.getByRole('tabpanel');
  await expect(body.getByText('Asking the server.')).toHaveCount(0);
  // what only another page needs stays unasked on the Access tab, and says so
  const unread = body.locator('[data-state="pending"]');
  await expect(
    tab === 'Access' ? unread.getByText('Being read') : unread
  ).toHaveCount(0);
  return body;
}

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** The rules that a theme can break; the others read the document, which no theme changes. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * What axe finds, by all of its rules or, in a further theme of a page that was looked at already, by those about colours.
 * JupyterLab's body has no height, so axe would take all of it as off screen and skip contrast in silence.
 */
export async function faults(
  page: Page,
  scope: string,
  rules: 'all' | 'colours' = 'all'
): Promise<string[]> {
  const look = () => page.evaluate(
    async ([source, within, only]) => {
      const there = window as unknown as { axe?: any };
      if (!there.axe) {
        const style = document.createElement('style');
        style.textContent = 'body { height: 100vh; }';
        document.head.append(style);
        // not by a script element: JupyterLab's pages may forbid those
        (0, eval)(source);
      }
      const { violations, passes } = await there.axe.run(
        { include: within },
        {
          resultTypes: ['violations', 'passes'],
          ...(only ? { runOnly: only } : {})
        }
      );
      return {
        passed: passes.map((pass: { id: string }) => pass.id) as string[],
        wrong: violations.map(
          (each: { id: string; nodes: Array<{ html: string }> }) =>
            `${each.id}: ${each.nodes.map(node => node.html).join(' ')}`
        ) as string[]
      };
    },
    [AXE, scope, rules === 'colours' ? COLOURS : null] as const
  );
  let result = await look();
  // While the screen is being drawn axe has nothing to measure colours on, and says nothing: it looks again until it did.
  await expect(async () => {
    if (!result.passed.includes('color-contrast')) {
      result = await look();
    }
    expect(result.passed).toContain('color-contrast');
  }).toPass({ timeout: 60_000 });
  return result.wrong;
}

/** Nothing of it is cut off, and nothing has to be scrolled sideways. */
export async function fits(scope: Locator): Promise<void> {
  expect(
    await scope.evaluate(node => node.scrollWidth - node.clientWidth)
  ).toBe(0);
}

/** Gives a part of JupyterLab's window 300 pixels, the least that is promised: the side panel by its edge. */
export async function panelWidth(page: Page, width: number): Promise<void> {
  const edge = page.locator('#jp-main-split-panel > .lm-SplitPanel-handle');
  const from = (await edge.first().boundingBox())!;
  const left = (await page.locator(PANEL).boundingBox())!.x;
  const y = from.y + from.height / 2;
  await page.mouse.move(from.x + from.width / 2, y);
  await page.mouse.down();
  await page.mouse.move(left + width + 1, y, { steps: 4 });
  await page.mouse.up();
}

/** The same for the main area, where a dashboard is: the side panel closed, and the window made narrow. */
export async function mainWidth(
  page: Page,
  width: number,
  height: number
): Promise<void> {
  if (await page.locator(PANEL).isVisible()) {
    await page.locator('li.lm-TabBar-tab[data-id="hpgov-panel"]').click();
  }
  const dashboard = page.locator(DASHBOARD);
  await expect(async () => {
    const now = (await dashboard.boundingBox())!.width;
    const window = page.viewportSize()!.width;
    await page.setViewportSize({
      width: Math.round(window + width - now),
      height
    });
    expect((await dashboard.boundingBox())!.width).toBe(width);
  }).toPass({ timeout: 60_000 });
}

/** The window as every test finds it. */
export async function usual(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 900 });
  const panel = page.locator(PANEL);
  if (!(await panel.isVisible())) {
    await page.locator('li.lm-TabBar-tab[data-id="hpgov-panel"]').click();
  }
  await expect(panel).toBeVisible();
}
