/** A connection's feeds on a far end that answers with the pages of `src/__tests__/pages.ts`: for tests of the whole dashboard. */
import { afterEach } from 'vitest';
import {
  accessPage,
  connectionPage,
  contractPage,
  sharePage,
  taskPage
} from '../../__tests__/pages';
import { trans } from '../../__tests__/draw';
import { FarEnd, json } from '../../__tests__/wire';
import { Hub } from '../../store/hub';
import type { IConnectionStore } from '../../tokens';
import type { TasksPage } from '../../wire';

const CONNECTION = 'vision-1a2b';
const stores: IConnectionStore[] = [];
afterEach(() => {
  for (const store of stores.splice(0)) {
    store.dispose();
  }
});

/** `more`: what every page but the overview has beside its own. `paths`: what was asked for, below the connection. */
export function opened(
  tasks: (query: URLSearchParams) => TasksPage,
  more: { next_fresh_at?: number } = {}
) {
  const below = (path: string) =>
    path.replace(`connections/${CONNECTION}`, '') || '/';
  const far = new FarEnd(asked => {
    const tail = below(asked.path);
    switch (tail) {
      case '/':
        return json(connectionPage());
      case '/tasks':
        return json({ ...tasks(asked.query), ...more });
      case '/share':
        return json(sharePage(undefined, more));
      case '/contract':
        return json(contractPage(more));
      case '/access':
        return json(accessPage(more));
      default:
        return tail.startsWith('/tasks/')
          ? json(taskPage(more))
          : json({ code: 'no_such_route', params: {} }, 404);
    }
  });
  const hub = new Hub({
    client: far.client,
    connected: () => true,
    trans,
    locale: 'en'
  });
  const store = hub.connection(CONNECTION);
  stores.push(store);
  return { far, store, paths: () => far.paths().map(below) };
}
