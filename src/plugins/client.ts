import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { IConnectionStatus } from '@jupyterlab/services';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { ITranslator, nullTranslator } from '@jupyterlab/translation';
import { Client } from '../api/client';
import { localeTag } from '../format/time';
// What other plugins require has to stand when they are activated.
// eslint-disable-next-line jupyter/prefer-lazy-imports
import { Hub } from '../store/hub';
import { IHpgov } from '../tokens';

const ID = 'hpgov-jlab:client';

/** The feeds of this tab: asks nothing until a panel or a dashboard is looked at. */
export const client: JupyterFrontEndPlugin<IHpgov> = {
  id: ID,
  description:
    'Reads the HyperPod connections of this project from the server extension.',
  autoStart: true,
  provides: IHpgov,
  optional: [ITranslator, ISettingRegistry, IConnectionStatus],
  activate: (
    app: JupyterFrontEnd,
    translator: ITranslator | null,
    registry: ISettingRegistry | null,
    status: IConnectionStatus | null
  ): IHpgov => {
    const hub = new Hub({
      client: new Client(app.serviceManager.serverSettings),
      connected: () => status?.isConnected ?? true,
      trans: (translator ?? nullTranslator).load('hpgov_jlab'),
      locale: localeTag(translator?.languageCode)
    });
    // Without its settings the panel works by its defaults.
    registry?.load(ID).then(
      settings => hub.follow(settings),
      () => undefined
    );
    return hub;
  }
};
