/** A server at the far end of the wire, for tests: everything above `fetch` is the product's own. */
import { ServerConnection } from '@jupyterlab/services';
import { Client } from '../api/client';

export interface IAsked {
  path: string;
  query: URLSearchParams;
  headers: Headers;
  redirect: RequestRedirect;
}

export type Answer = (asked: IAsked) => Response | Promise<Response>;

/** jsdom brings an AbortSignal of its own, which the Request of Node refuses; what the browser has in one piece is put together here. */
class JoinedRequest extends Request {
  constructor(url: string, init: RequestInit = {}) {
    const { signal, ...rest } = init;
    super(url, rest);
    this.abort = signal ?? null;
  }
  abort: AbortSignal | null;
}

export class FarEnd {
  constructor(public answer: Answer) {}

  /** Everything asked, in order. */
  readonly asked: IAsked[] = [];
  inFlight = 0;
  mostInFlight = 0;

  readonly settings = ServerConnection.makeSettings({
    baseUrl: 'http://localhost:8888/jupyterlab/default/',
    wsUrl: 'ws://localhost:8888/jupyterlab/default/',
    token: '',
    Request: JoinedRequest as unknown as typeof Request,
    fetch: (input: RequestInfo | URL) => this._serve(input as JoinedRequest)
  });

  readonly client = new Client(this.settings);

  paths(): string[] {
    return this.asked.map(each => each.path);
  }

  private async _serve(request: JoinedRequest): Promise<Response> {
    const url = new URL(request.url);
    const asked: IAsked = {
      path: url.pathname.replace('/jupyterlab/default/hpgov-jlab/api/v1/', ''),
      query: url.searchParams,
      headers: request.headers,
      redirect: request.redirect
    };
    this.asked.push(asked);
    this.inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    try {
      return await Promise.race([
        Promise.resolve(this.answer(asked)),
        new Promise<never>((_, reject) =>
          request.abort?.addEventListener('abort', () =>
            reject(new TypeError('aborted'))
          )
        )
      ]);
    } finally {
      this.inFlight -= 1;
    }
  }
}

export function json(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'Content-Type': 'application/json' }
  });
}

export function html(status = 200): Response {
  return new Response('<!doctype html><title>Sign in</title>', {
    status,
    headers: { 'Content-Type': 'text/html' }
  });
}
