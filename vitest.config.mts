import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'jsdom',
    setupFiles: ['./vitest.setup.ts'],
    include: ['src/**/__tests__/*.spec.{ts,tsx}'],
    server: {
      deps: {
        inline: [/@jupyterlab/, /@jupyter/, /@lumino/, /@rjsf/, /@codemirror/]
      }
    }
  }
});
