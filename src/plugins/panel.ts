import {
  ILayoutRestorer,
  type JupyterFrontEnd,
  type JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { ILauncher } from '@jupyterlab/launcher';
import { IStatusBar } from '@jupyterlab/statusbar';
import { CommandIDs } from '../commands';
import { icon } from '../icon';
import { StatusItem } from '../panel/status';
// A side panel has to stand when the layout is restored.
// eslint-disable-next-line jupyter/prefer-lazy-imports
import { PanelWidget } from '../panel/widget';
import { IHpgov } from '../tokens';
import { copyText } from './clipboard';

const PANEL_ID = 'hpgov-panel';

/** The side panel, its commands, and the status bar item (off by default). */
export const panel: JupyterFrontEndPlugin<void> = {
  id: 'hpgov-jlab:panel',
  description:
    'A side panel with the HyperPod clusters that this project may use.',
  autoStart: true,
  requires: [IHpgov],
  optional: [ILayoutRestorer, ICommandPalette, ILauncher, IStatusBar],
  activate: (
    app: JupyterFrontEnd,
    hub: IHpgov,
    restorer: ILayoutRestorer | null,
    palette: ICommandPalette | null,
    launcher: ILauncher | null,
    statusBar: IStatusBar | null
  ): void => {
    const { trans, locale } = hub;
    const widget = new PanelWidget(
      hub,
      { trans, locale, copy: copyText },
      (id, tab) => {
        // The dashboard is a plugin of its own and may be disabled.
        if (app.commands.hasCommand(CommandIDs.openDashboard)) {
          void app.commands.execute(CommandIDs.openDashboard, { id, tab });
        }
      }
    );
    widget.id = PANEL_ID;
    widget.title.icon = icon;
    widget.title.caption = trans.__('HyperPod');
    widget.node.setAttribute('role', 'region');
    widget.node.setAttribute('aria-label', trans.__('HyperPod'));
    app.shell.add(widget, 'left', { rank: 850, type: 'HyperPod' });
    // Under the plugin's id, which is the name that layouts prepared outside (the sandbox's) can know.
    restorer?.add(widget, 'hpgov-jlab:panel');

    app.commands.addCommand(CommandIDs.openPanel, {
      label: trans.__('Show HyperPod Clusters'),
      caption: trans.__('What the HyperPod clusters grant this project'),
      icon,
      describedBy: { args: { type: 'object', properties: {} } },
      execute: () => app.shell.activateById(PANEL_ID)
    });
    app.commands.addCommand(CommandIDs.refresh, {
      label: trans.__('Read HyperPod Connections Again'),
      describedBy: { args: { type: 'object', properties: {} } },
      execute: () => hub.connections.refresh(true)
    });
    app.commands.addCommand(CommandIDs.togglePolling, {
      label: trans.__('Pause Reading HyperPod Connections'),
      describedBy: { args: { type: 'object', properties: {} } },
      isToggleable: true,
      isToggled: () => hub.preferences.paused,
      execute: () => hub.prefer({ paused: !hub.preferences.paused })
    });
    const category = trans.__('HyperPod');
    for (const command of [
      CommandIDs.openPanel,
      CommandIDs.refresh,
      CommandIDs.togglePolling
    ]) {
      palette?.addItem({ command, category });
    }
    launcher?.add({
      command: CommandIDs.openPanel,
      category: trans.__('Other')
    });

    if (statusBar) {
      const item = new StatusItem(hub, () => {
        void app.commands.execute(CommandIDs.openPanel);
      });
      statusBar.registerStatusItem('hpgov-jlab:status', {
        item,
        align: 'left',
        rank: 100,
        isActive: () => hub.preferences.statusBar,
        activeStateChanged: hub.preferencesChanged
      });
    }
  }
};
