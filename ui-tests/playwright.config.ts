import { defineConfig } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Runs against a JupyterLab on the sandbox's far ends. Either one that is up already (HPGOV_UI_URL, the address with its token that
 * `jupyter hpgov sandbox --no-browser` prints), or one started here from the environment whose programs lie in HPGOV_BIN.
 */
const port = process.env.HPGOV_UI_PORT ?? '8971';
const token = 'browser-tests';
/** Also the bench's that drives a browser (bench/watch_screen.mjs). */
const CHROMIUM_ARGUMENTS: string[] = JSON.parse(
  readFileSync(join(__dirname, 'chromium.json'), 'utf8')
);
const running = process.env.HPGOV_UI_URL;
process.env.HPGOV_UI_URL ??= `http://127.0.0.1:${port}/lab?token=${token}`;
const bin = process.env.HPGOV_BIN ?? join(__dirname, '..', '.venv', 'bin');

export default defineConfig({
  testDir: 'tests',
  // what people see, hear and press is looked at in one version; that the bundle loads and works in the others is panel.spec's
  testMatch:
    (process.env.HPGOV_LAB ?? '4.6') === '4.6'
      ? '**/*.spec.ts'
      : '**/panel.spec.ts',
  // one folder per version: a run empties its own
  outputDir: `test-results/${process.env.HPGOV_LAB ?? '4.6'}`,
  reporter: 'list',
  workers: 1,
  // limits that only a hang reaches: a busy machine is slow
  timeout: 240_000,
  expect: { timeout: 60_000 },
  use: {
    viewport: { width: 1280, height: 900 },
    trace: 'retain-on-failure',
    video: 'off',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: CHROMIUM_ARGUMENTS
    }
  },
  webServer: running
    ? undefined
    : {
        command: `exec "${join(bin, 'python')}" -m hpgov_jlab.cli sandbox --no-browser --port ${port}`,
        cwd: join(__dirname, '..'),
        env: { JUPYTER_TOKEN: token, PATH: `${bin}:${process.env.PATH}` },
        url: process.env.HPGOV_UI_URL,
        timeout: 180_000,
        gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 }
      }
});
