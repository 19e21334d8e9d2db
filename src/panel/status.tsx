import * as React from 'react';
import { ReactWidget } from '@jupyterlab/ui-components';
import type { TranslationBundle } from '@jupyterlab/translation';
import type { IHpgov } from '../tokens';
import type { ConnectionsPage } from '../wire';

/** Sums over the connections, null where one of them is not known: a sum of known parts would be taken for the whole. */
export function totals(page: ConnectionsPage): {
  running: number | null;
  waiting: number | null;
} {
  let running: number | null = 0;
  let waiting: number | null = 0;
  for (const card of page.connections.data ?? []) {
    const counts = card.counts.data;
    // nor is a lowest number a sum, nor one that could not be read again: its age has no place here
    const known =
      counts !== null &&
      !counts.at_least &&
      (card.counts.last.state === 'ok' || card.counts.last.state === 'pending');
    running = add(running, known ? counts.running : null);
    waiting = add(waiting, known ? counts.waiting : null);
  }
  return { running, waiting };
}

function add(sum: number | null, value: number | null): number | null {
  return sum === null || value === null ? null : sum + value;
}

/** The panel's last answer in a line. */
export function statusLine(
  trans: TranslationBundle,
  page: ConnectionsPage | null
): string {
  if (!page || page.connections.data === null) {
    return trans.__('HyperPod: –');
  }
  const { running, waiting } = totals(page);
  return trans.__(
    'HyperPod: %1 running, %2 waiting',
    running ?? '–',
    waiting ?? '–'
  );
}

/** The status bar item. It never polls: it shows what the panel read last, and opens the panel. */
export class StatusItem extends ReactWidget {
  constructor(
    private _hub: IHpgov,
    private _onOpen: () => void
  ) {
    super();
    this._hub.connections.changed.connect(this.update, this);
  }

  override dispose(): void {
    this._hub.connections.changed.disconnect(this.update, this);
    super.dispose();
  }

  protected override render(): JSX.Element {
    const { trans, connections } = this._hub;
    return (
      <button
        type="button"
        className="hpgov-StatusItem"
        title={trans.__('As the panel last read it')}
        onClick={this._onOpen}
      >
        {statusLine(trans, connections.state.page)}
      </button>
    );
  }
}
