import * as React from 'react';
import { ReactWidget } from '@jupyterlab/ui-components';
import { DisposableSet } from '@lumino/disposable';
import type { Message } from '@lumino/messaging';
import { API_VERSION } from '../api/client';
import { UiContext, type IUi } from '../components/ui';
import type { IHpgov } from '../tokens';
import { Panel } from './panel';

/** The side panel as a widget: tells the feeds when it can be seen. */
export class PanelWidget extends ReactWidget {
  constructor(
    private _hub: IHpgov,
    private _ui: IUi,
    private _onOpen: ((id: string, tab: string) => void) | undefined
  ) {
    super();
    this.addClass('hpgov-Panel');
    const visible = () => this.isVisible;
    this._watches.add(this._hub.session.watch(visible));
    this._watches.add(this._hub.connections.watch(visible));
  }

  override dispose(): void {
    this._watches.dispose();
    super.dispose();
  }

  /** Shown by a command or its tab: who came by the keyboard goes on in it. */
  protected override onActivateRequest(msg: Message): void {
    super.onActivateRequest(msg);
    this.node.tabIndex = -1;
    this.node.focus();
  }

  protected override onAfterShow(msg: Message): void {
    super.onAfterShow(msg);
    this._hub.session.wake();
    this._hub.connections.wake();
  }

  protected override onAfterAttach(msg: Message): void {
    super.onAfterAttach(msg);
    this._hub.session.wake();
    this._hub.connections.wake();
  }

  protected override render(): JSX.Element {
    return (
      <UiContext.Provider value={this._ui}>
        <Panel
          session={this._hub.session}
          connections={this._hub.connections}
          apiVersion={API_VERSION}
          onOpen={this._onOpen}
        />
      </UiContext.Provider>
    );
  }

  private _watches = new DisposableSet();
}
