import {
  ILayoutRestorer,
  type JupyterFrontEnd,
  type JupyterFrontEndPlugin
} from '@jupyterlab/application';
import {
  ICommandPalette,
  MainAreaWidget,
  WidgetTracker
} from '@jupyterlab/apputils';
import { IDocumentManager } from '@jupyterlab/docmanager';
import { CommandIDs } from '../commands';
import { TAB_IDS, tabFrom } from '../dashboard/tabids';
import type { DashboardWidget } from '../dashboard/widget';
import { icon } from '../icon';
import { IHpgov } from '../tokens';
import { copyText } from './clipboard';
import { openDraft } from './draft';

/** A slug as the server makes them; anything else can't be a connection. */
const SLUG = /^[a-z0-9-]{1,64}$/;

/** A main area tab per connection, restored with the layout. */
export const dashboard: JupyterFrontEndPlugin<void> = {
  id: 'hpgov-jlab:dashboard',
  description:
    'A dashboard per HyperPod connection: tasks, share, contract, access.',
  autoStart: true,
  requires: [IHpgov],
  optional: [ILayoutRestorer, ICommandPalette, IDocumentManager],
  activate: (
    app: JupyterFrontEnd,
    hub: IHpgov,
    restorer: ILayoutRestorer | null,
    palette: ICommandPalette | null,
    documents: IDocumentManager | null
  ): void => {
    const { trans, locale } = hub;
    const tracker = new WidgetTracker<MainAreaWidget<DashboardWidget>>({
      namespace: 'hpgov-dashboard'
    });
    const onDraft = documents
      ? (name: string, draft: string) => openDraft(documents, name, draft)
      : undefined;

    app.commands.addCommand(CommandIDs.openDashboard, {
      label: trans.__('Open HyperPod Dashboard'),
      describedBy: {
        args: {
          type: 'object',
          properties: {
            id: {
              type: 'string',
              description: trans.__(
                'The id of the connection; without it the first one that is known.'
              )
            },
            tab: {
              type: 'string',
              enum: [...TAB_IDS],
              description: trans.__('The tab to show.')
            },
            name: {
              type: 'string',
              description: trans.__(
                'What to call the connection until the server has told its name.'
              )
            }
          }
        }
      },
      isEnabled: args =>
        typeof args.id === 'string' ? SLUG.test(args.id) : first(hub) !== null,
      execute: async args => {
        const id = typeof args.id === 'string' ? args.id : first(hub);
        if (id === null || !SLUG.test(id)) {
          return;
        }
        const { DashboardWidget } = await import('../dashboard/widget');
        const known = tracker.find(w => w.content.connectionId === id);
        if (known) {
          if (args.tab !== undefined) {
            known.content.tab = tabFrom(args.tab);
          }
          app.shell.activateById(known.id);
          return known;
        }
        const content = new DashboardWidget(
          id,
          tabFrom(args.tab),
          typeof args.name === 'string' ? args.name : null,
          hub,
          { trans, locale, copy: copyText },
          onDraft
        );
        const widget = new MainAreaWidget({ content });
        widget.id = `hpgov-dashboard-${id}`;
        widget.toolbar.hide();
        content.title.icon = icon;
        content.title.closable = true;
        content.keptChanged.connect(() => tracker.save(widget));
        void tracker.add(widget);
        app.shell.add(widget, 'main');
        app.shell.activateById(widget.id);
        return widget;
      }
    });
    palette?.addItem({
      command: CommandIDs.openDashboard,
      category: trans.__('HyperPod')
    });
    if (restorer) {
      void restorer.restore(tracker, {
        command: CommandIDs.openDashboard,
        args: widget => ({
          id: widget.content.connectionId,
          tab: widget.content.tab,
          name: widget.content.name
        }),
        name: widget => widget.content.connectionId
      });
    }
  }
};

function first(hub: IHpgov): string | null {
  return (
    hub.connections.state.page?.connections.data?.[0]?.connection.id ?? null
  );
}
