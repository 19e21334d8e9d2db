/** Ids of the commands: public, so that admins and keyboard shortcuts can name them (docs/keyboard.md). */
export const CommandIDs = {
  openPanel: 'hpgov:open-panel',
  openDashboard: 'hpgov:open-dashboard',
  refresh: 'hpgov:refresh',
  togglePolling: 'hpgov:toggle-polling'
} as const;
