import type { Locator, Page } from '@playwright/test';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ADDRESS,
  DASHBOARD,
  expect,
  fits,
  mainWidth,
  openPanelAt,
  PANEL,
  test
} from './lab';

/**
 * The panel and the dashboard in the languages that we ship, as JupyterLab itself takes them: by its setting, and only where the language pack of that
 * language is installed (jupyterlab_server takes no locale without one, and then ours is not asked for either).
 * The pictures go to ui-tests/test-results/locale.
 */
const root = join(__dirname, '..', '..');
const folder = join(__dirname, '..', 'test-results', 'locale');
const LOCALES = ['pt_BR', 'zh_CN'] as const;

type Catalogue = { [english: string]: string[] };

function catalogue(locale: string): Catalogue {
  const { '': _head, ...texts } = JSON.parse(
    readFileSync(
      join(root, 'hpgov_jlab', 'locale', locale, 'LC_MESSAGES', 'hpgov_jlab.json'),
      'utf8'
    )
  );
  return texts;
}

/** The English that has another wording in this language: whole short texts, and the pieces between the values of longer ones. */
function english(texts: Catalogue): { whole: string[]; pieces: string[] } {
  const whole: string[] = [];
  const pieces: string[] = [];
  const translated = Object.values(texts).flat().join('\n');
  for (const [text, said] of Object.entries(texts)) {
    if (said.includes(text)) {
      continue;
    }
    whole.push(text);
    for (const piece of text.split(/%\d/)) {
      const words = piece.trim();
      if (words.length >= 12 && words.includes(' ') && !translated.includes(words)) {
        pieces.push(words);
      }
    }
  }
  return { whole, pieces };
}

/** What our own words on the screen are, names from elsewhere (bdi, code) left out; and what is only heard. */
async function words(scope: Locator): Promise<string[]> {
  return scope.evaluate(top => {
    const out: string[] = [];
    const walker = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement: parent, textContent } = walker.currentNode;
      const said = textContent?.trim();
      if (said && !parent?.closest('bdi, code, pre, .hpgov-Live, svg')) {
        out.push(said);
      }
    }
    for (const node of Array.from(top.querySelectorAll('*'))) {
      for (const name of ['aria-label', 'placeholder', 'data-label']) {
        const said = node.getAttribute(name)?.trim();
        if (said) {
          out.push(said);
        }
      }
    }
    return out;
  });
}

function left(
  said: readonly string[],
  { whole, pieces }: { whole: string[]; pieces: string[] }
): string[] {
  const all = new Set(whole);
  return said.filter(
    text =>
      all.has(text) ||
      all.has(text.replace(/[:,]$/, '')) ||
      pieces.some(piece => text.includes(piece))
  );
}

async function chooseLocale(page: Page, locale: string): Promise<void> {
  const url = new URL(ADDRESS);
  const answer = await page.request.put(
    new URL(
      '/lab/api/settings/@jupyterlab/translation-extension:plugin',
      url.origin
    ).href,
    {
      headers: { Authorization: `token ${url.searchParams.get('token')}` },
      data: { raw: JSON.stringify({ locale }) }
    }
  );
  expect(answer.status()).toBe(204);
}

test.beforeAll(() => mkdirSync(folder, { recursive: true }));

test.afterAll(async ({ browser }) => {
  const page = await browser.newPage();
  await chooseLocale(page, 'default');
  await page.close();
});

test('this finds English where it is spoken', async ({ lab }) => {
  const said = await words(lab.panel);
  for (const locale of LOCALES) {
    expect(left(said, english(catalogue(locale))).length).toBeGreaterThan(15);
  }
});

for (const locale of LOCALES) {
  test(`says everything in ${locale}, and nothing is cut off`, async ({
    page
  }) => {
    test.setTimeout(300_000);
    await chooseLocale(page, locale);
    const texts = catalogue(locale);
    const ours = english(texts);
    const say = (text: string) => texts[text][0];
    const panel = await openPanelAt(page, ADDRESS);
    await expect(panel.getByRole('article')).toHaveCount(3);
    await expect(panel.locator('[data-state="pending"]')).toHaveCount(0);
    await expect(page.locator('html')).toHaveAttribute(
      'lang',
      locale.replace('_', '-')
    );
    expect.soft(left(await words(panel), ours), 'panel').toEqual([]);
    await panel.screenshot({ path: join(folder, `${locale}-panel.png`) });
    await fits(panel);
    for (const connection of ['research-training', 'slurm-pretraining']) {
      await panel
        .getByRole('article')
        .filter({ hasText: connection })
        .getByRole('button')
        .first()
        .click();
      const dashboard = page.locator(DASHBOARD);
      for (const name of ['Tasks', 'Share', 'Contract', 'Access']) {
        await dashboard.getByRole('tab', { name: say(name), exact: true }).click();
        const body = dashboard.getByRole('tabpanel');
        await expect(body.getByText(say('Asking the server.'))).toHaveCount(0);
        await expect(body.locator('.hpgov-Table, .hpgov-Lead').first()).toBeVisible();
        await dashboard.evaluate(node => {
          for (const folded of Array.from(node.querySelectorAll('details'))) {
            folded.open = true;
          }
        });
        expect
          .soft(left(await words(dashboard), ours), `${connection} ${name}`)
          .toEqual([]);
        await page.screenshot({
          path: join(folder, `${locale}-${connection}-${name.toLowerCase()}.png`)
        });
        await fits(dashboard);
        if (name === 'Tasks') {
          await body.locator('tbody .hpgov-RowButton').last().click();
          await expect(body.locator('.hpgov-Task-title')).toBeVisible();
          await expect(body.locator('[data-state="pending"]')).toHaveCount(0);
          expect
            .soft(left(await words(body), ours), `${connection} task`)
            .toEqual([]);
          await body.locator('.hpgov-Toolbar > button').click();
        }
      }
    }
    await mainWidth(page, 300, 1600);
    await fits(page.locator(DASHBOARD));
    await page
      .locator(DASHBOARD)
      .screenshot({ path: join(folder, `${locale}-narrow.png`) });
    expect(await page.locator(PANEL).count()).toBe(1);
  });
}
