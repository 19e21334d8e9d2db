import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import { client } from './plugins/client';
import { dashboard } from './plugins/dashboard';
import { panel } from './plugins/panel';
import { IHpgov } from './tokens';

const plugins: JupyterFrontEndPlugin<IHpgov | void>[] = [
  client,
  panel,
  dashboard
];

export default plugins;
export { IHpgov };
