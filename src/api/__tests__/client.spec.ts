import { describe, expect, it } from 'vitest';
import { session } from '../../__tests__/pages';
import { FarEnd, html, json, type Answer } from '../../__tests__/wire';
import type { Trouble } from '../client';

async function kind(answer: Answer): Promise<string> {
  const error = await new FarEnd(answer).client
    .get({ path: 'session', query: {} })
    .then(
      () => null,
      (e: Trouble) => e
    );
  return error ? `${error.kind} ${error.code ?? ''}`.trim() : 'page';
}

describe('Client', () => {
  it('asks below the base URL, with our header and without following redirects', async () => {
    const far = new FarEnd(() => json(session()));
    await far.client.get({
      path: 'connections/a-1/tasks',
      query: { text: 'a&b=c', offset: null, limit: 50 }
    });
    const [asked] = far.asked;
    expect(asked.path).toBe('connections/a-1/tasks');
    expect(asked.headers.get('X-Hpgov')).toBe('1');
    expect(asked.redirect).toBe('manual');
    expect([...asked.query.entries()].sort()).toEqual([
      ['limit', '50'],
      ['text', 'a&b=c']
    ]);
  });

  it.each<[string, Answer, string]>([
    ['a page', () => json(session()), 'page'],
    ['a login page with 200', () => html(200), 'signed_out'],
    ['a login page with 403', () => html(403), 'signed_out'],
    [
      'a 403 of Jupyter itself',
      () => json({ message: 'Forbidden', reason: null }, 403),
      'signed_out'
    ],
    [
      'our own not signed in',
      () => json({ code: 'not_signed_in', params: {} }, 403),
      'signed_out'
    ],
    ['a 404 page', () => html(404), 'not_enabled'],
    [
      "a 404 of Jupyter's API",
      () => json({ message: 'Not Found' }, 404),
      'not_enabled'
    ],
    [
      'our own 404',
      () => json({ code: 'no_such_connection', params: {} }, 404),
      'refused no_such_connection'
    ],
    [
      'our own 400',
      () => json({ code: 'bad_input', params: { input: 'offset' } }, 400),
      'refused bad_input'
    ],
    ['a 502 of a proxy', () => html(502), 'fault'],
    [
      'our own fault',
      () => json({ code: 'server_fault', params: {} }, 500),
      'fault server_fault'
    ],
    ['JSON that is no page', () => json([1]), 'mismatch'],
    ['JSON of another shape', () => json({ hello: 1 }), 'mismatch'],
    [
      'no answer',
      () => {
        throw new TypeError('Failed to fetch');
      },
      'offline'
    ],
    [
      'a body cut short',
      () =>
        new Response(
          new ReadableStream({
            start: controller => controller.error(new TypeError('cut'))
          })
        ),
      'offline'
    ]
  ])('takes %s for what it is', async (_, answer, expected) => {
    expect(await kind(answer)).toBe(expected);
  });

  it('takes a redirect for a login page', async () => {
    const redirect = json({}, 200);
    Object.defineProperty(redirect, 'type', { value: 'opaqueredirect' });
    expect(await kind(() => redirect)).toBe('signed_out');
  });

  it('has one request in flight, and goes on after one that failed', async () => {
    const far = new FarEnd(async asked => {
      await new Promise(resolve => setTimeout(resolve, 5));
      return asked.path === 'b' ? html(500) : json(session());
    });
    const got = await Promise.allSettled(
      ['a', 'b', 'c'].map(path => far.client.get({ path, query: {} }))
    );
    expect(far.mostInFlight).toBe(1);
    expect(far.paths()).toEqual(['a', 'b', 'c']);
    expect(got.map(each => each.status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled'
    ]);
  });
});
