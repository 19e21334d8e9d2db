import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import globals from 'globals';
import jupyter from '@jupyter/eslint-plugin';
import prettier from 'eslint-config-prettier';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/**
 * The arrows of the front end, lowest first: a folder may import what stands before it and nothing after it.
 * wire and words are generated and stand on nothing of ours.
 */
const ORDER = [
  'format',
  'tokens',
  'api',
  'store',
  'components',
  'dashboard',
  'panel',
  'plugins'
];

/** Imports that point upwards from `folder`, written as a path of ours would be. */
function arrows(folder, above) {
  const upwards = above.length
    ? [
        {
          regex: `^\\.{1,2}/(.*/)?(${above.join('|')})(/|$)`,
          message: `imports run downwards: ${folder} stands below ${above.join(', ')}`
        }
      ]
    : [];
  return {
    files: [`src/${folder}/**/*.{ts,tsx}`, `src/${folder}.ts`],
    ignores: ['**/__tests__/**'],
    rules: { 'no-restricted-imports': ['error', { patterns: upwards }] }
  };
}

export default defineConfig([
  {
    ignores: [
      'node_modules',
      'lib',
      'hpgov_jlab',
      'coverage',
      'dist',
      'tests',
      'bench',
      'docs',
      '**/*.js',
      '**/*.d.ts',
      'ui-tests',
      'vitest.*',
      '.venv*'
    ]
  },
  js.configs.recommended,
  tseslint.configs.recommended,
  { plugins: { jupyter } },
  jupyter.configs.recommended,
  reactHooks.configs.flat.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: {
      globals: { ...globals.browser },
      parserOptions: { project: 'tsconfig.test.json' }
    },
    rules: {
      curly: ['error', 'all'],
      eqeqeq: 'error',
      'no-console': 'error',
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment)$/]',
          message: 'upstream text is never markup (S7)'
        },
        {
          selector: 'JSXAttribute[name.name="dangerouslySetInnerHTML"]',
          message: 'upstream text is never markup (S7)'
        },
        {
          selector:
            'CallExpression[callee.object.name="Date"][callee.property.name="now"]',
          message: 'ages come from performance.now() against page.now'
        },
        {
          selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
          message: 'ages come from performance.now() against page.now'
        },
        {
          selector:
            'CallExpression[callee.name=/^(parseFloat|fetch|XMLHttpRequest)$/]',
          message:
            'amounts are exact strings; requests go through ServerConnection'
        }
      ]
    }
  },
  {
    files: ['**/__tests__/**'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      'jupyter/no-untranslated-string': 'off',
      'jupyter/require-disposable-ownership': 'off',
      'no-control-regex': 'off',
      'no-restricted-syntax': 'off'
    }
  },
  ...ORDER.map((folder, i) => arrows(folder, ORDER.slice(i + 1))),
  arrows('words', [...ORDER, 'wire']),
  arrows('wire', [...ORDER, 'words']),
  prettier
]);
