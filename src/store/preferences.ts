import type { ISettingRegistry } from '@jupyterlab/settingregistry';
import type { IPreferences } from '../tokens';

/** Columns of the task table, in the order in which they stand. `name` can't be switched off: it names the row. */
export const COLUMNS = [
  'name',
  'state',
  'kind',
  'priority',
  'requested',
  'age',
  'reason',
  'line',
  'submitter',
  'queue',
  'flavors',
  'stops'
] as const;

export const DEFAULTS: IPreferences = {
  pollSeconds: 0,
  paused: false,
  whose: 'team',
  columns: [
    'name',
    'state',
    'kind',
    'priority',
    'requested',
    'age',
    'reason',
    'line'
  ],
  statusBar: false,
  namespaces: {}
};

/** The settings as preferences; what is missing or of the wrong kind falls back to its default. */
export function preferencesFrom(
  settings: ISettingRegistry.ISettings | null
): IPreferences {
  const given = settings?.composite ?? {};
  const columns = Array.isArray(given.columns)
    ? given.columns.filter(
        (c): c is string =>
          typeof c === 'string' && (COLUMNS as readonly string[]).includes(c)
      )
    : DEFAULTS.columns;
  return {
    pollSeconds:
      typeof given.pollSeconds === 'number' && given.pollSeconds > 0
        ? given.pollSeconds
        : 0,
    paused: given.paused === true,
    whose: given.whose === 'mine' ? 'mine' : 'team',
    columns: ['name', ...columns.filter(c => c !== 'name')],
    statusBar: given.statusBar === true,
    namespaces: namesByConnection(given.namespaces)
  };
}

function namesByConnection(given: unknown): IPreferences['namespaces'] {
  const out: { [id: string]: string[] } = {};
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) {
    for (const [id, names] of Object.entries(given)) {
      if (Array.isArray(names)) {
        out[id] = names.filter((n): n is string => typeof n === 'string');
      }
    }
  }
  return out;
}
