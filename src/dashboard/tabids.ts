/** The tabs of a dashboard, apart from it so that a command can name them before the dashboard is loaded. */
export const TAB_IDS = ['tasks', 'share', 'contract', 'access'] as const;
export type TabId = (typeof TAB_IDS)[number];

/** A word from outside as a tab; what is none is the first. */
export function tabFrom(value: unknown): TabId {
  return TAB_IDS.find(id => id === value) ?? 'tasks';
}
