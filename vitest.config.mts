import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'jsdom',
    // limits that only a hang reaches: a busy machine is slow
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ['./vitest.setup.ts'],
    include: ['src/**/__tests__/*.spec.{ts,tsx}'],
    server: {
      deps: {
        inline: [/@jupyterlab/, /@jupyter/, /@lumino/, /@rjsf/, /@codemirror/]
      }
    }
  }
});
