/**
 * A real browser on a real JupyterLab, with the panel and one dashboard on the screen, for the bench change-to-screen.
 *
 *     node bench/watch_screen.mjs ADDRESS ROWS        ends when its standard input does
 *
 * Prints a line of JSON for each answer to the question for tasks, {asked, answered}, and for each table of tasks that was drawn, {drawn, rows}: milliseconds
 * of the machine's clock; rows by the task's name, as they stand on the screen. ROWS replaces the page's own limit, so that every task is on the first page.
 */
import { readFileSync } from 'node:fs';
import { chromium } from '@playwright/test';

const [address, limit] = process.argv.slice(2);
const tell = line => process.stdout.write(`${JSON.stringify(line)}\n`);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: JSON.parse(readFileSync(new URL('../ui-tests/chromium.json', import.meta.url), 'utf8'))
});
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });

const asks = url => /\/hpgov-jlab\/api\/v1\/connections\/[^/]+\/tasks$/.test(url.pathname);
await page.route(asks, route => {
  const url = new URL(route.request().url());
  url.searchParams.set('limit', limit);
  return route.continue({ url: url.href });
});
page.on('requestfinished', request => {
  if (asks(new URL(request.url()))) {
    const { startTime, responseEnd } = request.timing();
    tell({ asked: startTime, answered: startTime + responseEnd });
  }
});

/** In the page: after each frame in which the document changed, what the table shows, if it is something else than before. */
function watch() {
  let last = '';
  let due = false;
  const look = () => {
    due = false;
    const rows = {};
    for (const row of document.querySelectorAll('.hpgov-Dashboard tr[data-uid]')) {
      const name = row.querySelector('.hpgov-RowButton')?.textContent ?? '';
      rows[name] = {
        state: row.querySelector('.hpgov-State')?.getAttribute('data-state') ?? null,
        priority: row.querySelector('[data-column="priority"]')?.textContent?.match(/-?\d+/)?.[0] ?? null
      };
    }
    const now = JSON.stringify(rows);
    if (now !== last) {
      last = now;
      window.hpgovDrawn(Date.now(), rows);
    }
  };
  new MutationObserver(() => {
    if (!due) {
      due = true;
      // the task after the next frame's: by then it is painted
      requestAnimationFrame(() => setTimeout(look, 0));
    }
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['data-state'] });
}
await page.exposeFunction('hpgovDrawn', (drawn, rows) => tell({ drawn, rows }));
await page.addInitScript(watch);

await page.goto(address);
const panel = page.locator('#hpgov-panel');
const tab = page.locator('li.lm-TabBar-tab[data-id="hpgov-panel"]');
await page.locator('#jupyterlab-splash').waitFor({ state: 'detached', timeout: 120_000 });
await tab.waitFor({ timeout: 60_000 });
if (!(await panel.isVisible())) {
  await tab.click();
}
await panel.getByRole('button', { name: /^Open dashboard/ }).click({ timeout: 120_000 });
await page.locator('.hpgov-Dashboard').getByRole('radio', { name: /team/i }).check({ timeout: 60_000 });
process.stdin.resume();
process.stdin.on('end', async () => {
  await browser.close();
  process.exit(0);
});
