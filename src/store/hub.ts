import type { ISettingRegistry } from '@jupyterlab/settingregistry';
import type { TranslationBundle } from '@jupyterlab/translation';
import { Signal, type ISignal } from '@lumino/signaling';
import { API_VERSION, type Client } from '../api/client';
import type { IConnectionStore, IHpgov, IPreferences } from '../tokens';
import type { ConnectionsPage, SessionPage } from '../wire';
import { ConnectionStore } from './connection';
import { Feed, type ISurroundings } from './feed';
import { preferencesFrom } from './preferences';

export interface IHubOptions {
  client: Pick<Client, 'get'>;
  connected: () => boolean;
  trans: TranslationBundle;
  locale: string | undefined;
}

/** The feeds of this browser tab and the person's preferences: what the panel, the dashboards and the status bar share. */
export class Hub implements IHpgov {
  constructor(options: IHubOptions) {
    this.trans = options.trans;
    this.locale = options.locale;
    const around: Omit<ISurroundings, 'halted' | 'round'> = {
      client: options.client,
      connected: options.connected,
      paused: () => this._preferences.paused,
      interval: () => this._preferences.pollSeconds * 1000
    };
    this.session = new Feed<SessionPage>(
      'session',
      () => ({ path: 'session', query: {} }),
      { ...around, halted: () => false, round: new Set() }
    );
    // Nothing else is asked of a server that speaks another version: its answers would be misread.
    this._around = {
      ...around,
      halted: () => this.mismatch,
      round: new Set()
    };
    this.connections = new Feed<ConnectionsPage>(
      'connections',
      () => ({ path: 'connections', query: {} }),
      this._around
    );
  }

  readonly session: Feed<SessionPage>;
  readonly connections: Feed<ConnectionsPage>;
  readonly trans: TranslationBundle;
  readonly locale: string | undefined;

  /** True once the server has said that it speaks another version of the API. */
  get mismatch(): boolean {
    const page = this.session.state.page;
    return page !== null && page.api_version !== API_VERSION;
  }

  get preferences(): IPreferences {
    return this._preferences;
  }

  get preferencesChanged(): ISignal<this, void> {
    return this._preferencesChanged;
  }

  /** A store of its own for each dashboard; whoever asks for it disposes of it. */
  connection(id: string): IConnectionStore {
    return new ConnectionStore(id, this._preferences.whose, this._around);
  }

  /** Take preferences from the settings, now and whenever they change. */
  follow(settings: ISettingRegistry.ISettings): void {
    this._settings = settings;
    settings.changed.connect(this._onSettings, this);
    this._onSettings();
  }

  get keepsPreferences(): boolean {
    return this._settings !== null;
  }

  async prefer(change: Partial<IPreferences>): Promise<void> {
    if (!this._settings) {
      this._preferences = { ...this._preferences, ...change };
      this._preferencesChanged.emit();
      return;
    }
    for (const [name, value] of Object.entries(change)) {
      await this._settings.set(name, JSON.parse(JSON.stringify(value)));
    }
  }

  private _onSettings(): void {
    this._preferences = preferencesFrom(this._settings);
    this._preferencesChanged.emit();
    // An answer may have become due by a shorter interval or the end of a pause.
    this.session.wake();
    this.connections.wake();
  }

  private _around: ISurroundings;
  private _settings: ISettingRegistry.ISettings | null = null;
  private _preferences: IPreferences = preferencesFrom(null);
  private _preferencesChanged = new Signal<this, void>(this);
}
