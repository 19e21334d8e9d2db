import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  ADDRESS,
  chooseTheme,
  DASHBOARD,
  expect,
  faults,
  fits,
  listen,
  mainWidth,
  openDashboard,
  openPanelAt,
  openTab,
  PANEL,
  panelWidth,
  TABS,
  test,
  THEMES,
  usual
} from './lab';
import { Sandboxes } from './sandboxes';

/**
 * What a person sees. The first five minutes: each story is a JupyterLab of its own on the sandbox, the panel at the 250 pixels that JupyterLab gives it.
 * Then the default story, the panel and every tab, as wide as the window and at 300 pixels.
 * The pictures go to ui-tests/test-results/screens, or to the folder in HPGOV_SCREENS (docs/screens, when they are taken anew for the docs).
 */
const folder =
  process.env.HPGOV_SCREENS ?? join(__dirname, '..', 'test-results', 'screens');
const STORIES: readonly (readonly [string, RegExp])[] = [
  ['no-connection', /No HyperPod cluster is connected/i],
  ['no-contract', /No contract/i],
  ['no-rights', /trust policy/i],
  ['no-kueue', /Kueue/i],
  ['private-endpoint', /private|not reached/i],
  ['expired-credentials', /expired/i],
  ['studio-no-list', /list/i],
  ['space-no-aws', /without AWS|no AWS/i]
];
const LOOKS = ['light', 'dark'] as const;

const sandboxes = new Sandboxes(
  STORIES.map(([story]) => story),
  8990
);
const denials = new Sandboxes(['many-denials'], 9010);
test.beforeAll(() => mkdirSync(folder, { recursive: true }));
test.afterAll(() => Promise.all([sandboxes.closeAll(), denials.closeAll()]));

for (const [story, says] of STORIES) {
  test(`the screen of ${story}`, async ({ page }) => {
    test.setTimeout(240_000);
    const url = await sandboxes.open(story);
    const said = listen(page);
    const panel = await openPanelAt(page, url);
    await expect(panel).toContainText(says);
    await expect(panel.locator('[data-state="pending"]')).toHaveCount(0);
    for (const look of LOOKS) {
      await chooseTheme(page, THEMES[look]);
      await page.screenshot({ path: join(folder, `${story}-${look}.png`) });
      await panel.screenshot({
        path: join(folder, `${story}-${look}-alone.png`)
      });
      const rules = look === LOOKS[0] ? 'all' : 'colours';
      expect(await faults(page, PANEL, rules), `${story} in ${look}`).toEqual(
        []
      );
    }
    await fits(panel);
    expect(said).toEqual([]);
    await page.close();
    await sandboxes.close(story);
  });
}

test('the Access tab under many denials, wide and at 300 pixels', async ({
  page
}) => {
  test.setTimeout(240_000);
  const story = 'many-denials';
  const panel = await openPanelAt(page, await denials.open(story));
  const dashboard = await openDashboard({ page, panel }, 'research-training');
  const body = await openTab(dashboard, 'Access');
  for (const wide of [true, false]) {
    if (!wide) {
      await mainWidth(page, 300, 900);
    }
    const above = body.getByRole('rowheader', { name: /^\d+ reads: / });
    await expect(above).toHaveCount(1);
    const reason = await above.locator('.hpgov-Then').innerText();
    // said once, whatever the number of rows
    await expect(body.getByText(reason, { exact: true })).toHaveCount(1);
    await fits(dashboard);
    await above.scrollIntoViewIfNeeded();
    for (const look of LOOKS) {
      await chooseTheme(page, THEMES[look]);
      await dashboard.screenshot({
        path: join(folder, `${story}-access-${wide ? '' : 'narrow-'}${look}.png`)
      });
      const rules = look === LOOKS[0] ? 'all' : 'colours';
      expect
        .soft(await faults(page, '.hpgov-Dashboard', rules), `${look} ${wide}`)
        .toEqual([]);
    }
    await chooseTheme(page, THEMES.light);
  }
  await page.close();
  await denials.close(story);
});

test('the screens of the default story', async ({ lab }) => {
  test.setTimeout(400_000);
  const { page, panel } = lab;
  const picture = (what: string, look: string) =>
    join(folder, `default-${what}-${look}.png`);
  for (const look of LOOKS) {
    await chooseTheme(page, THEMES[look]);
    await page.screenshot({ path: picture('panel', look) });
  }
  for (const connection of ['research-training', 'slurm-pretraining']) {
    const dashboard = await openDashboard(lab, connection);
    for (const tab of TABS) {
      await openTab(dashboard, tab);
      for (const look of LOOKS) {
        await chooseTheme(page, THEMES[look]);
        await page.screenshot({
          path: picture(`${connection}-${tab.toLowerCase()}`, look)
        });
        // panel.spec looks at the first connection in every theme
        if (connection === 'slurm-pretraining') {
          const rules = look === LOOKS[0] ? 'all' : 'colours';
          expect
            .soft(
              await faults(page, '.hpgov-Dashboard', rules),
              `${connection} ${tab} in ${look}`
            )
            .toEqual([]);
        }
      }
    }
  }
  await chooseTheme(page, THEMES.light);
});

test('the screens of the default story at 300 pixels', async ({ lab }) => {
  test.setTimeout(400_000);
  const { page, panel } = lab;
  const picture = (what: string, look: string) =>
    join(folder, `narrow-${what}-${look}.png`);
  await panelWidth(page, 300);
  await fits(panel);
  for (const look of LOOKS) {
    await chooseTheme(page, THEMES[look]);
    await panel.screenshot({ path: picture('panel', look) });
  }
  for (const connection of ['slurm-pretraining', 'research-training']) {
    await usual(page);
    const dashboard = await openDashboard(lab, connection);
    // as tall as a person scrolls
    await mainWidth(page, 300, 2000);
    const shots = [...TABS, 'Task'] as const;
    for (const tab of shots) {
      const body = await openTab(dashboard, tab === 'Task' ? 'Tasks' : tab);
      if (tab === 'Task') {
        await body.locator('tbody .hpgov-RowButton').first().click();
        await expect(
          body.getByRole('button', { name: 'Back to the tasks' })
        ).toBeVisible();
        await expect(body.locator('[data-state="pending"]')).toHaveCount(0);
      }
      await fits(dashboard);
      // every table is read without scrolling it sideways
      for (const scrolls of await body.locator('.hpgov-Scroll').all()) {
        await fits(scrolls);
      }
      for (const look of LOOKS) {
        await chooseTheme(page, THEMES[look]);
        await page
          .locator(DASHBOARD)
          .screenshot({ path: picture(`${connection}-${tab.toLowerCase()}`, look) });
      }
      if (connection === 'research-training') {
        expect
          .soft(await faults(page, '.hpgov-Dashboard'), `${tab} at 300 px`)
          .toEqual([]);
      }
      if (tab === 'Task') {
        await body.getByRole('button', { name: 'Back to the tasks' }).click();
      }
    }
  }
  await usual(page);
  await panelWidth(page, 250);
  await chooseTheme(page, THEMES.light);
});

test('the screen of a server without our extension', async ({ page }) => {
  test.setTimeout(240_000);
  // what a server answers that has the panel and not the other half: its own 404 page
  await page.route('**/hpgov-jlab/api/**', route =>
    route.fulfill({ status: 404, contentType: 'text/html', body: '<p>404</p>' })
  );
  const panel = await openPanelAt(page, ADDRESS);
  await expect(panel).toContainText('jupyter server extension enable');
  for (const look of LOOKS) {
    await chooseTheme(page, THEMES[look]);
    await page.screenshot({ path: join(folder, `not-enabled-${look}.png`) });
    await panel.screenshot({
      path: join(folder, `not-enabled-${look}-alone.png`)
    });
    const rules = look === LOOKS[0] ? 'all' : 'colours';
    expect(await faults(page, PANEL, rules), `not enabled in ${look}`).toEqual(
      []
    );
  }
});
