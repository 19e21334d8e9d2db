import * as React from 'react';
import { ReactWidget } from '@jupyterlab/ui-components';
import type { Message } from '@lumino/messaging';
import { Signal } from '@lumino/signaling';
import { UiContext, type IUi } from '../components/ui';
import { SightContext, type ISight } from '../components/watch';
import { text } from '../format/text';
import type { IConnectionStore, IHpgov } from '../tokens';
import type { ConnectionsPage } from '../wire';
import { Dashboard } from './dashboard';
import type { TabId } from './tabids';

/** One connection's dashboard as a main area widget's content. */
export class DashboardWidget extends ReactWidget {
  constructor(
    readonly connectionId: string,
    tab: TabId,
    name: string | null,
    private _hub: IHpgov,
    private _ui: IUi,
    private _onDraft:
      ((name: string, text: string) => Promise<void>) | undefined
  ) {
    super();
    this.addClass('hpgov-Dashboard');
    this._tab = tab;
    this._store = this._hub.connection(connectionId);
    this._sight = { isVisible: () => this.isVisible, changed: this._seen };
    this._hub.preferencesChanged.connect(this.update, this);
    this._hub.connections.changed.connect(this._onConnections, this);
    this._judged = this._hub.connections.state.page;
    this._called(this._listed() ?? name ?? '');
  }

  get tab(): TabId {
    return this._tab;
  }

  set tab(tab: TabId) {
    if (tab !== this._tab) {
      this._tab = tab;
      this.keptChanged.emit();
      this.update();
    }
  }

  /**
   * The connection's name as it was last told: by this page, by the panel's list, or, until one of them has answered, by the layout that is
   * restored. Empty where none has, and where the list has the connection no more.
   */
  get name(): string {
    return this._name;
  }

  /** What restores this widget has changed: another tab was chosen, or the connection is called otherwise. */
  readonly keptChanged = new Signal<this, void>(this);

  override dispose(): void {
    if (this.isDisposed) {
      return;
    }
    this._hub.preferencesChanged.disconnect(this.update, this);
    this._hub.connections.changed.disconnect(this._onConnections, this);
    super.dispose();
    this._store.dispose();
    Signal.clearData(this);
  }

  protected override onAfterShow(msg: Message): void {
    super.onAfterShow(msg);
    this._seen.emit();
  }

  protected override render(): JSX.Element {
    return (
      <UiContext.Provider value={this._ui}>
        <SightContext.Provider value={this._sight}>
          <Dashboard
            store={this._store}
            tab={this._tab}
            columns={this._hub.preferences.columns}
            onTab={this._onTab}
            onName={this._onName}
            onDraft={this._onDraft}
            typed={this._hub.preferences.namespaces[this.connectionId] ?? []}
            onTyped={this._hub.keepsPreferences ? this._onTyped : undefined}
          />
        </SightContext.Provider>
      </UiContext.Provider>
    );
  }

  private _onTab = (tab: TabId) => {
    this.tab = tab;
  };
  private _onTyped = async (names: readonly string[]) => {
    const others = Object.entries(this._hub.preferences.namespaces).filter(
      ([id]) => id !== this.connectionId
    );
    const mine = names.length ? [[this.connectionId, names] as const] : [];
    await this._hub.prefer({
      namespaces: Object.fromEntries([...others, ...mine])
    });
    // The server reads the settings at its next read: ask for one.
    this._store.overview.refresh(true);
    this._store.tasks.refresh(true);
  };
  /** A tab that was not shown yet asks nothing by itself; the panel's list may know better than the layout. */
  private _onConnections(): void {
    const { page } = this._hub.connections.state;
    if (page !== this._judged) {
      this._judged = page; // each list once: this page may have told a name since
      const name = this._listed();
      if (name !== null && name !== this._name) {
        this._called(name);
        this.keptChanged.emit();
      }
    }
  }
  /** The name in the panel's list; empty where a list that was just read has no such connection, null where there is none to tell. */
  private _listed(): string | null {
    const part = this._hub.connections.state.page?.connections;
    const listed = part?.data?.find(
      ({ connection }) => connection.id === this.connectionId
    );
    return (
      listed?.connection.name ??
      (part?.data && part.last.state === 'ok' ? '' : null)
    );
  }
  private _onName = (name: string) => {
    if (name && name !== this._name) {
      this._called(name);
      this.keptChanged.emit();
    }
  };
  private _called(name: string): void {
    this._name = name;
    this.title.label = name ? text(name) : this._hub.trans.__('HyperPod');
  }
  private _name = '';
  private _judged: ConnectionsPage | null = null;
  private _tab: TabId;
  private _store: IConnectionStore;
  private _sight: ISight;
  private _seen = new Signal<this, void>(this);
}
