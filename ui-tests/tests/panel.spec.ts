import { expect, test, type Response } from '@playwright/test';
import { chooseTheme, faults, listen, openPanel, PANEL } from './lab';

const THEMES = [
  'JupyterLab Light',
  'JupyterLab Dark',
  'JupyterLab Dark High Contrast'
];

test('the panel shows the connections, and the console stays clean', async ({
  page
}) => {
  const said = listen(page);
  const foreign: string[] = [];
  const bundle: Response[] = [];
  const { origin } = new URL(process.env.HPGOV_UI_URL!);
  page.on('request', request => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== origin) {
      foreign.push(request.url());
    }
  });
  page.on('response', response => {
    if (response.url().includes('/lab/extensions/hpgov-jlab/static/')) {
      bundle.push(response);
    }
  });
  const panel = await openPanel(page);
  await expect(panel.getByText('Reads as')).toBeVisible();
  await expect(
    panel.getByRole('button', { name: /^Open dashboard/ }).first()
  ).toBeVisible();
  await page.screenshot({ path: 'ui-tests/test-results/panel.png' });
  expect(said).toEqual([]);
  // S20: nothing is fetched from elsewhere and nothing is evaluated.
  expect(foreign).toEqual([]);
  expect(bundle.length).toBeGreaterThan(1);
  for (const response of bundle) {
    expect(await response.text(), response.url()).not.toMatch(
      /\beval\(|\bnew Function\(/
    );
  }
  // JupyterLab gives a side panel 250 pixels at first: nothing is cut off.
  expect(
    await panel.evaluate(node => node.scrollWidth - node.clientWidth)
  ).toBe(0);
});

test('the dashboard opens from a card and is used by the keyboard alone', async ({
  page
}) => {
  const said = listen(page);
  const panel = await openPanel(page);
  await panel
    .getByRole('button', { name: 'Open dashboard research-training' })
    .press('Enter');
  const dashboard = page.locator('.hpgov-Dashboard');
  await expect(dashboard.getByRole('table').first()).toBeVisible();
  await page.screenshot({ path: 'ui-tests/test-results/dashboard-tasks.png' });

  await dashboard.getByRole('tab', { name: 'Tasks' }).focus();
  for (const name of ['Share', 'Contract', 'Access']) {
    await page.keyboard.press('ArrowRight');
    const tab = dashboard.getByRole('tab', { name });
    await expect(tab).toBeFocused();
    await expect(tab).toHaveAttribute('aria-selected', 'true');
    await expect(
      dashboard.getByRole('tabpanel').getByText('Asking the server.')
    ).toHaveCount(0);
    await page.screenshot({
      path: `ui-tests/test-results/dashboard-${name.toLowerCase()}.png`
    });
  }
  expect(said).toEqual([]);
});

test.afterAll(async ({ browser }) => {
  const page = await browser.newPage();
  await chooseTheme(page, 'JupyterLab Light');
  await page.close();
});

for (const theme of THEMES) {
  test(`has no accessibility faults in ${theme}`, async ({ page }) => {
    await chooseTheme(page, theme);
    const panel = await openPanel(page);
    await expect(page.locator('body')).toHaveAttribute(
      'data-jp-theme-name',
      theme
    );
    expect.soft(await faults(page, PANEL), 'panel').toEqual([]);
    await panel
      .getByRole('button', { name: 'Open dashboard research-training' })
      .click();
    const dashboard = page.locator('.hpgov-Dashboard');
    for (const name of ['Tasks', 'Share', 'Contract', 'Access']) {
      await dashboard.getByRole('tab', { name }).click();
      await expect(
        dashboard.getByRole('tabpanel').getByText('Asking the server.')
      ).toHaveCount(0);
      expect.soft(await faults(page, '.hpgov-Dashboard'), name).toEqual([]);
      await page.screenshot({
        path: `ui-tests/test-results/${theme.replace(/ /g, '-')}-${name}.png`
      });
    }
  });
}

test('a browser whose clock is an hour off tells the same ages', async ({
  page
}) => {
  await page.addInitScript(() => {
    const real = Date.now.bind(Date);
    const Real = Date;
    const off = 3600_000;
    // the wall clock only: what a person's wrong clock changes, and what ages must not be taken from
    class Late extends Real {
      constructor(...given: unknown[]) {
        if (given.length === 0) {
          super(real() - off);
        } else {
          super(...(given as [number]));
        }
      }
      static now(): number {
        return real() - off;
      }
    }
    globalThis.Date = Late as DateConstructor;
  });
  const panel = await openPanel(page);
  const age = panel.getByText(/^Connections read /);
  await expect(age).toHaveText(/read \d+ (s|min) ago/);
  await expect(panel).not.toContainText(/\bh ago|in \d+ (s|min|h)/);
});

test('the accessibility tree of the panel and of each tab has its names and roles', async ({
  page
}) => {
  const panel = await openPanel(page);
  await expect(panel).toMatchAriaSnapshot(`
    - region "HyperPod":
      - button "Refresh"
      - article /evaluation/:
        - heading "evaluation"
        - button "Open dashboard evaluation"
        - button "Access evaluation"
      - article /research-training/:
        - button "Open dashboard research-training"
      - article /slurm-pretraining/:
        - button "Open dashboard slurm-pretraining"
  `);
  await panel
    .getByRole('button', { name: 'Open dashboard research-training' })
    .click();
  const dashboard = page.locator('.hpgov-Dashboard:visible');
  await expect(dashboard.getByRole('tablist')).toMatchAriaSnapshot(`
    - tablist:
      - tab "Tasks" [selected]
      - tab "Share"
      - tab "Contract"
      - tab "Access"
  `);
  const columns: Record<string, readonly RegExp[]> = {
    Tasks: [/Name/, /State/, /Kind/, /Priority/, /Requested/, /Reason/],
    Share: [/Resource/, /Your share/, /Held/, /Borrowed/, /Unclaimed share/],
    Access: [/Read/, /Needed for/, /Allowed/, /Who grants it/]
  };
  for (const name of ['Tasks', 'Share', 'Contract', 'Access']) {
    await dashboard.getByRole('tab', { name }).click();
    const body = dashboard.getByRole('tabpanel', { name });
    await expect(body.getByText('Asking the server.')).toHaveCount(0);
    for (const column of columns[name] ?? []) {
      await expect(
        body.getByRole('columnheader', { name: column }).first()
      ).toBeVisible();
    }
  }
  // a sorted column says so, and rows are rows of a table with a name of its own
  await dashboard.getByRole('tab', { name: 'Tasks' }).click();
  const table = dashboard.getByRole('table').first();
  await expect(table).toHaveAccessibleName(/.+/);
  await table.getByRole('button', { name: /Name/ }).first().press('Enter');
  await expect(
    table.getByRole('columnheader', { name: /Name/ })
  ).toHaveAttribute('aria-sort', 'ascending');
  await expect(table.getByRole('button', { name: /Name/ }).first()).toBeFocused();
  await dashboard.getByRole('tab', { name: 'Contract' }).click();
  await expect(
    dashboard.getByRole('tabpanel', { name: 'Contract' }).getByRole('heading').first()
  ).toBeVisible();
});
