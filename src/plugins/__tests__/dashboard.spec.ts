import type { ILayoutRestorer, JupyterFrontEnd } from '@jupyterlab/application';
import type { IRestorable, IRestorer } from '@jupyterlab/statedb';
import { CommandRegistry } from '@lumino/commands';
import type { ReadonlyPartialJSONObject } from '@lumino/coreutils';
import type { Widget } from '@lumino/widgets';
import { afterEach, describe, expect, it } from 'vitest';
import { trans } from '../../__tests__/draw';
import { connectionPage, connections, part } from '../../__tests__/pages';
import { FarEnd, json } from '../../__tests__/wire';
import { CommandIDs } from '../../commands';
import { Hub } from '../../store/hub';
import { dashboard } from '../dashboard';
import type { State } from '../../wire';

const ID = 'vision-1a2b';
const opened: Widget[] = [];
afterEach(() => {
  for (const widget of opened.splice(0)) {
    widget.dispose();
  }
});

/** A JupyterLab with nothing but our plugin. `kept`: what it would write into its layout for a widget, as JSON, which is how it comes back. */
function lab(
  called: string,
  {
    id = ID,
    state = 'ok',
    listed = true
  }: { id?: string; state?: State; listed?: boolean } = {}
) {
  const card = connectionPage().card;
  const cards = [
    { ...card, connection: { ...card.connection, id, name: called } }
  ];
  const far = new FarEnd(() =>
    json({
      ...connections(cards),
      connections: part(listed ? cards : null, state)
    })
  );
  const hub = new Hub({
    client: far.client,
    connected: () => true,
    trans,
    locale: 'en'
  });
  const commands = new CommandRegistry();
  const app = {
    commands,
    shell: {
      add: (widget: Widget) => opened.push(widget),
      activateById: () => undefined
    }
  } as unknown as JupyterFrontEnd;
  let options: IRestorer.IOptions<Widget> | null = null;
  const restorer = {
    restore: async (
      _: IRestorable<Widget>,
      given: IRestorer.IOptions<Widget>
    ) => {
      options = given;
    }
  } as unknown as ILayoutRestorer;
  dashboard.activate(app, hub, restorer, null, null);
  return {
    far,
    hub,
    open: async (args: ReadonlyPartialJSONObject): Promise<Widget> =>
      commands.execute(CommandIDs.openDashboard, args),
    kept: (widget: Widget): ReadonlyPartialJSONObject =>
      JSON.parse(JSON.stringify(options!.args!(widget)))
  };
}

/** What the panel does when it comes on the screen. */
async function read(hub: Hub): Promise<void> {
  const answered = new Promise<void>(done => {
    hub.connections.changed.connect(
      ({ state }) => state.page !== null && done()
    );
  });
  hub.connections.refresh(false);
  await answered;
}

describe('the tab of a dashboard', () => {
  it('carries the connection that it is opened for, before anything is shown or asked', async () => {
    const { hub, open, far } = lab('vision');
    await read(hub);
    const asked = far.asked.length;
    expect((await open({ id: ID })).title.label).toBe('vision');
    expect(far.asked.length).toBe(asked);
  });

  it('is restored under its name, and keeps its tab', async () => {
    const before = lab('vision');
    await read(before.hub);
    const kept = before.kept(await before.open({ id: ID, tab: 'share' }));
    expect(kept).toEqual({ id: ID, tab: 'share', name: 'vision' });
    const after = lab('vision');
    expect((await after.open(kept)).title.label).toBe('vision');
    expect(after.far.asked).toEqual([]);
  });

  it('takes the new name as soon as it is told, shown or not, and keeps that one', async () => {
    const { hub, open, kept } = lab('vision-next');
    const widget = await open({ id: ID, name: 'vision' });
    expect(widget.title.label).toBe('vision');
    await read(hub);
    expect(widget.title.label).toBe('vision-next');
    expect(kept(widget)).toMatchObject({ name: 'vision-next' });
  });

  it.each<[string, State, boolean, string]>([
    ['a list that was just read', 'ok', true, 'HyperPod'],
    ['an old list', 'unreachable', true, 'vision'],
    ['a list that may not be read', 'denied', false, 'vision']
  ])(
    'of a connection that is gone, with %s',
    async (_, state, listed, label) => {
      const { hub, open, kept } = lab('another', {
        id: 'another-3c4d',
        state,
        listed
      });
      const widget = await open({ id: ID, name: 'vision' });
      expect(widget.title.label).toBe('vision');
      await read(hub);
      expect(widget.title.label).toBe(label);
      expect(kept(widget).name).toBe(label === 'HyperPod' ? '' : 'vision');
      const later = await open({ id: 'gone-5e6f', name: 'gone' });
      expect(later.title.label).toBe(label === 'HyperPod' ? label : 'gone');
    }
  );

  it('makes what a kept name hides visible, and says what it is where none is kept', async () => {
    const { open } = lab('vision');
    expect(
      (await open({ id: 'other-3c4d', name: 'vi\u202Esion' })).title.label
    ).toBe('vi⟨U+202E⟩sion');
    expect((await open({ id: ID })).title.label).toBe('HyperPod');
  });
});
