import { expect, test } from '@playwright/test';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chooseThemeAt, faults, listen, openPanelAt, PANEL } from './lab';

/**
 * The first five minutes: each story is a JupyterLab of its own on the sandbox, looked at in dark and light, the panel at the 250 pixels that JupyterLab gives it.
 * The pictures go to ui-tests/test-results/screens, or to the folder in HPGOV_SCREENS (docs/screens, when they are taken anew for the docs).
 */
const bin = process.env.HPGOV_BIN ?? join(__dirname, '..', '..', '.venv', 'bin');
const folder =
  process.env.HPGOV_SCREENS ?? join(__dirname, '..', 'test-results', 'screens');
const token = 'screen-tests';
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
const THEMES = [
  ['dark', 'JupyterLab Dark'],
  ['light', 'JupyterLab Light']
] as const;


let lab: ChildProcess | null = null;

async function start(story: string, port: number): Promise<string> {
  lab = spawn(
    join(bin, 'python'),
    ['-m', 'hpgov_jlab.cli', 'sandbox', '--no-browser', '--port', `${port}`]
      .concat(['--scenario', story]),
    {
      cwd: join(__dirname, '..', '..'),
      env: { ...process.env, JUPYTER_TOKEN: token },
      stdio: 'ignore'
    }
  );
  const url = `http://127.0.0.1:${port}/lab?token=${token}`;
  for (let tries = 0; tries < 240; tries++) {
    try {
      if ((await fetch(url)).ok) {
        return url;
      }
    } catch {
      // not up yet
    }
    await new Promise(resolve => setTimeout(resolve, 500));
  }
  throw new Error(`the sandbox did not come up with ${story}`);
}

test.afterEach(async () => {
  const running = lab;
  lab = null;
  if (running && running.exitCode === null) {
    const gone = new Promise(resolve => running.once('exit', resolve));
    running.kill('SIGTERM');
    await gone;
  }
});

STORIES.forEach(([story, says], number) => {
  test(`the screen of ${story}`, async ({ page }) => {
    test.setTimeout(240_000);
    mkdirSync(folder, { recursive: true });
    const url = await start(story, 8990 + number);
    const said = listen(page);
    for (const [name, theme] of THEMES) {
      await chooseThemeAt(page, url, theme);
      const panel = await openPanelAt(page, url);
      await expect(panel).toContainText(says, { timeout: 60_000 });
      await expect(panel.locator('[data-state="pending"]')).toHaveCount(0, {
        timeout: 60_000
      });
      await page.screenshot({ path: join(folder, `${story}-${name}.png`) });
      await panel.screenshot({ path: join(folder, `${story}-${name}-alone.png`) });
      expect(await faults(page, PANEL), `${story} in ${name}`).toEqual([]);
    }
    expect(said).toEqual([]);
  });
});

test('the screens of the default story', async ({ page }) => {
  test.setTimeout(400_000);
  mkdirSync(folder, { recursive: true });
  const url = await start('default', 8999);
  for (const [name, theme] of THEMES) {
    await chooseThemeAt(page, url, theme);
    const panel = await openPanelAt(page, url);
    const picture = (what: string) => join(folder, `default-${what}-${name}.png`);
    await expect(panel.getByRole('article')).toHaveCount(3, { timeout: 60_000 });
    await expect(panel.locator('[data-state="pending"]')).toHaveCount(0, {
      timeout: 60_000
    });
    await page.screenshot({ path: picture('panel') });
    for (const connection of ['research-training', 'slurm-pretraining']) {
      await panel
        .getByRole('button', { name: `Open dashboard ${connection}` })
        .click();
      const dashboard = page.locator('.hpgov-Dashboard:visible');
      for (const tab of ['Tasks', 'Share', 'Contract', 'Access']) {
        await dashboard.getByRole('tab', { name: tab }).click();
        const body = dashboard.getByRole('tabpanel');
        await expect(body.getByText('Asking the server.')).toHaveCount(0);
        // what only another page needs stays unasked on the Access tab, and says so
        const unread = body.locator('[data-state="pending"]');
        await expect(
          tab === 'Access' ? unread.getByText('Being read') : unread
        ).toHaveCount(0, { timeout: 60_000 });
        await page.screenshot({
          path: picture(`${connection}-${tab.toLowerCase()}`)
        });
        expect
          .soft(
            await faults(page, '.hpgov-Dashboard'),
            `${connection} ${tab} in ${name}`
          )
          .toEqual([]);
      }
    }
  }
});

test('the screen of a server without our extension', async ({ page }) => {
  test.setTimeout(120_000);
  mkdirSync(folder, { recursive: true });
  const url = await start('no-connection', 8998);
  // what a server answers that has the panel and not the other half: its own 404 page
  await page.route('**/hpgov-jlab/api/**', route =>
    route.fulfill({ status: 404, contentType: 'text/html', body: '<p>404</p>' })
  );
  for (const [name, theme] of THEMES) {
    await chooseThemeAt(page, url, theme);
    const panel = await openPanelAt(page, url);
    await expect(panel).toContainText('jupyter server extension enable', {
      timeout: 30_000
    });
    await page.screenshot({ path: join(folder, `not-enabled-${name}.png`) });
    await panel.screenshot({ path: join(folder, `not-enabled-${name}-alone.png`) });
    expect(await faults(page, PANEL), `not enabled in ${name}`).toEqual([]);
  }
});
