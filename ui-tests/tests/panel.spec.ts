import {
  ADDRESS,
  chooseTheme,
  command,
  expect,
  faults,
  fits,
  openDashboard,
  openPanel,
  openPanelAt,
  openTab,
  PANEL,
  pressOpenDashboard,
  TABS,
  test,
  THEMES
} from './lab';

test('the panel shows the connections, and the console stays clean', async ({
  lab
}) => {
  const { page, panel } = lab;
  await expect(panel.getByText('Reads as')).toBeVisible();
  await expect(
    panel.getByRole('button', { name: /^Open dashboard/ }).first()
  ).toBeVisible();
  expect(lab.said).toEqual([]);
  // S20: nothing is fetched from elsewhere and nothing is evaluated.
  expect(lab.foreign).toEqual([]);
  expect(lab.bundle.length).toBeGreaterThan(1);
  for (const url of new Set(lab.bundle)) {
    const text = await (await page.request.get(url)).text();
    expect(text, url).not.toMatch(/\beval\(|\bnew Function\(/);
  }
  // JupyterLab gives a side panel 250 pixels at first: nothing is cut off.
  await fits(panel);
});

test('the dashboard opens from a card, and its tabs by the arrows', async ({
  lab
}) => {
  const { page, panel } = lab;
  const dashboard = await pressOpenDashboard(
    { page, panel },
    'research-training'
  );
  await expect(dashboard.getByRole('table').first()).toBeVisible();
  await dashboard.getByRole('tab', { name: 'Tasks' }).focus();
  for (const name of TABS.slice(1)) {
    await page.keyboard.press('ArrowRight');
    const tab = dashboard.getByRole('tab', { name });
    await expect(tab).toBeFocused();
    await expect(tab).toHaveAttribute('aria-selected', 'true');
    await expect(
      dashboard.getByRole('tabpanel').getByText('Asking the server.')
    ).toHaveCount(0);
    await fits(dashboard);
  }
  expect(lab.said).toEqual([]);
});

test('has no accessibility faults in any theme', async ({ lab }) => {
  test.setTimeout(240_000);
  const { page } = lab;
  const dashboard = await openDashboard(lab, 'research-training');
  for (const theme of [THEMES.light, THEMES.dark, THEMES.contrast]) {
    await chooseTheme(page, theme);
    const rules = theme === THEMES.light ? 'all' : 'colours';
    expect
      .soft(await faults(page, PANEL, rules), `panel in ${theme}`)
      .toEqual([]);
    for (const tab of TABS) {
      await openTab(dashboard, tab);
      expect
        .soft(
          await faults(page, '.hpgov-Dashboard', rules),
          `${tab} in ${theme}`
        )
        .toEqual([]);
    }
  }
  await chooseTheme(page, THEMES.light);
});

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
  const age = panel.getByText(/^Tasks and shares, the oldest of them read /);
  await expect(age).toHaveText(/read \d+ (s|min) ago/);
  await expect(panel).not.toContainText(/\bh ago|in \d+ (s|min|h)/);
});

test('the accessibility tree of the panel and of each tab has its names and roles', async ({
  lab
}) => {
  const { panel } = lab;
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
  const dashboard = await openDashboard(lab, 'research-training');
  await openTab(dashboard, 'Tasks');
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
  for (const name of TABS) {
    await openTab(dashboard, name);
    const body = dashboard.getByRole('tabpanel', { name });
    for (const column of columns[name] ?? []) {
      await expect(
        body.getByRole('columnheader', { name: column }).first()
      ).toBeVisible();
    }
  }
  await expect(
    dashboard
      .getByRole('tabpanel', { name: 'Access' })
      .getByRole('row')
      .nth(1)
      .getByRole('rowheader')
  ).toHaveCount(1);
  await openTab(dashboard, 'Contract');
  await expect(
    dashboard
      .getByRole('tabpanel', { name: 'Contract' })
      .getByRole('heading')
      .first()
  ).toBeVisible();
  // a sorted column says so, and rows are rows of a table with a name of its own
  await openTab(dashboard, 'Tasks');
  const table = dashboard.getByRole('table').first();
  await expect(table).toHaveAccessibleName(/.+/);
  await table.getByRole('button', { name: /Name/ }).first().press('Enter');
  await expect(
    table.getByRole('columnheader', { name: /Name/ })
  ).toHaveAttribute('aria-sort', 'ascending');
  await expect(
    table.getByRole('button', { name: /Name/ }).first()
  ).toBeFocused();
});

test('a dashboard that comes back with the layout has its connection on its tab before it is shown', async ({
  browser
}) => {
  test.setTimeout(240_000);
  const context = await browser.newContext();
  const page = await context.newPage();
  // a workspace of its own, so that no other test finds what is kept in it
  const address = new URL(ADDRESS);
  address.pathname += '/workspaces/restored';
  const kept: string[] = [];
  page.on('request', request => {
    if (request.method() === 'PUT' && request.url().includes('/workspaces')) {
      kept.push(request.postData() ?? '');
    }
  });
  const panel = await openPanelAt(page, address.href);
  for (const name of ['evaluation', 'slurm-pretraining']) {
    await pressOpenDashboard({ page, panel }, name);
  }
  await expect
    .poll(() => kept.at(-1))
    .toMatch(/"name":"evaluation".*"name":"slurm-pretraining"/s);
  // JupyterLab stands open again, and nothing of ours answers: what a tab is called then it brings along
  await page.route('**/hpgov-jlab/api/**', route => route.abort());
  await page.goto(address.href);
  await page.locator('#jupyterlab-splash').waitFor({ state: 'detached' });
  const tabs = page.locator('#jp-main-dock-panel .lm-TabBar-tabLabel');
  await expect(tabs.getByText('evaluation', { exact: true })).toBeVisible();
  await expect(
    tabs.getByText('slurm-pretraining', { exact: true })
  ).toBeVisible();
  await expect(tabs.getByText('HyperPod', { exact: true })).toHaveCount(0);
  await context.close();
});

test('the rows of a list in the settings editor have names', async ({
  lab
}) => {
  const { page } = lab;
  await command(page, 'Settings Editor', 'Settings Editor');
  const form = page.locator('.jp-SettingsForm');
  await page
    .locator('.jp-PluginList-entry')
    .filter({ hasText: 'HyperPod' })
    .click();
  const labels = form.locator('.jp-FormGroup-fieldLabel');
  await expect(labels.getByText('Column', { exact: true })).toHaveCount(7);
  await expect(labels.getByText(/-\d+$/)).toHaveCount(0);
  await page
    .locator('#jp-main-dock-panel .lm-TabBar-tab.lm-mod-current')
    .locator('.lm-TabBar-tabCloseIcon')
    .click();
});
