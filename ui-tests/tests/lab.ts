import AxeBuilder from '@axe-core/playwright';
import { expect, type Locator, type Page } from '@playwright/test';

export const PANEL = '#hpgov-panel';

/** What the console said that a person would have to wonder about. */
export function listen(page: Page): string[] {
  const said: string[] = [];
  page.on('console', message => {
    const text = message.text();
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

/** A fresh JupyterLab with our panel on the screen and everything read. */
export async function openPanel(page: Page): Promise<Locator> {
  const panel = await openPanelAt(page, process.env.HPGOV_UI_URL!);
  await expect(panel.getByRole('article').first()).toBeVisible();
  await expect(panel.locator('[data-state="pending"]')).toHaveCount(0, {
    timeout: 40_000
  });
  return panel;
}

/** The same at another address, whatever the panel has to show there. */
export async function openPanelAt(
  page: Page,
  address: string
): Promise<Locator> {
  const url = new URL(address);
  url.searchParams.set('reset', '');
  await page.goto(url.href);
  await page.locator('#jupyterlab-splash').waitFor({ state: 'detached' });
  const panel = page.locator(PANEL);
  // A click on the tab of a panel that the layout has just shown would hide it again: look, click, and look once more.
  await expect(async () => {
    if (!(await panel.isVisible())) {
      await page.locator('li.lm-TabBar-tab[data-id="hpgov-panel"]').click();
    }
    await expect(panel).toBeVisible({ timeout: 2_000 });
    await page.waitForTimeout(1_000);
    expect(await panel.isVisible()).toBe(true);
  }).toPass({ timeout: 40_000 });
  return panel;
}

/** Chosen before the page is opened, by the settings: menus differ between versions. */
export async function chooseTheme(page: Page, theme: string): Promise<void> {
  await chooseThemeAt(page, process.env.HPGOV_UI_URL!, theme);
}

export async function chooseThemeAt(
  page: Page,
  address: string,
  theme: string
): Promise<void> {
  const url = new URL(address);
  const answer = await page.request.put(
    new URL(
      '/lab/api/settings/@jupyterlab/apputils-extension:themes',
      url.origin
    ).href,
    {
      headers: { Authorization: `token ${url.searchParams.get('token')}` },
      data: { raw: JSON.stringify({ theme }) }
    }
  );
  expect(answer.status()).toBe(204);
}

/** JupyterLab's body has no height, so axe would take all of it as off screen and skip contrast in silence. */
export async function faults(page: Page, scope: string): Promise<string[]> {
  await page.addStyleTag({ content: 'body { height: 100vh; }' });
  const result = await new AxeBuilder({ page }).include(scope).analyze();
  expect(result.passes.map(pass => pass.id)).toContain('color-contrast');
  return result.violations.map(
    each => `${each.id}: ${each.nodes.map(node => node.html).join(' ')}`
  );
}
