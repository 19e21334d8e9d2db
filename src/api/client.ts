import { URLExt } from '@jupyterlab/coreutils';
import { ServerConnection } from '@jupyterlab/services';
import type { Params } from '../format/phrase';
import type { IPage, ITarget, ITrouble, TroubleKind } from '../tokens';

/** The version of the HTTP API that this bundle speaks. */
export const API_VERSION = 1;

/** A request that gives up after this long frees the line for the next one. */
const DEADLINE_MS = 30_000;

/** Raised for every request that brought no page. */
export class Trouble extends Error implements ITrouble {
  constructor(
    readonly kind: TroubleKind,
    readonly code: string | null = null,
    readonly params: Params = {}
  ) {
    super(kind);
  }
}

function object(value: unknown): { [name: string]: unknown } | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as { [name: string]: unknown })
    : null;
}

/** Our own edge's error body: a code of words.py and its parameters. */
function errorBody(value: unknown): { code: string; params: Params } | null {
  const body = object(value);
  if (!body || typeof body.code !== 'string') {
    return null;
  }
  const params: Params = {};
  for (const [name, given] of Object.entries(object(body.params) ?? {})) {
    if (
      typeof given === 'string' ||
      typeof given === 'number' ||
      given === null
    ) {
      params[name] = given;
    }
  }
  return { code: body.code, params };
}

/** What a status means when the body is not ours. */
function foreign(status: number): TroubleKind {
  if (status === 404) {
    return 'not_enabled';
  }
  // 403 is how jupyter_server answers an API call without a session; a login page in front of it answers 200 with HTML.
  return status >= 500 ? 'fault' : 'signed_out';
}

/**
 * Requests of this tab, one at a time (DESIGN.md 11). Every request passes ServerConnection, so base URL, token and XSRF are Jupyter's own,
 * and carries `X-Hpgov`, without which no route of ours answers (S6).
 */
export class Client {
  constructor(private _settings: ServerConnection.ISettings) {}

  /**
   * GET one page, after every request asked for before it.
   *
   * @throws Trouble when no page came.
   */
  get<P extends IPage>(target: ITarget): Promise<P> {
    const turn = this._line.then(() => this._get<P>(target));
    this._line = turn.then(
      () => undefined,
      () => undefined
    );
    return turn;
  }

  private async _get<P extends IPage>(target: ITarget): Promise<P> {
    const query: { [name: string]: string } = {};
    for (const [name, value] of Object.entries(target.query)) {
      if (value !== null) {
        query[name] = String(value);
      }
    }
    const url =
      URLExt.join(
        this._settings.baseUrl,
        'hpgov-jlab/api/v1',
        ...target.path.split('/').map(encodeURIComponent)
      ) + URLExt.objectToQueryString(query);
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), DEADLINE_MS);
    try {
      return await this._request<P>(url, abort.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  private async _request<P extends IPage>(
    url: string,
    signal: AbortSignal
  ): Promise<P> {
    let response: Response;
    let body: string;
    try {
      response = await ServerConnection.makeRequest(
        url,
        {
          method: 'GET',
          // A redirect leads to a login page; following it across origins would end as an unreadable CORS failure.
          redirect: 'manual',
          // Answers are no-store already; this keeps the cache-busting number out of the query.
          cache: 'reload',
          headers: { 'X-Hpgov': '1', Accept: 'application/json' },
          signal
        },
        this._settings
      );
      if (response.type === 'opaqueredirect' || response.redirected) {
        throw new Trouble('signed_out');
      }
      body = await response.text();
    } catch (error) {
      throw error instanceof Trouble ? error : new Trouble('offline');
    }
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch {
      throw new Trouble(foreign(response.status));
    }
    if (!response.ok) {
      const ours = errorBody(value);
      if (!ours) {
        throw new Trouble(foreign(response.status));
      }
      if (ours.code === 'not_signed_in') {
        throw new Trouble('signed_out');
      }
      throw new Trouble(
        response.status >= 500 ? 'fault' : 'refused',
        ours.code,
        ours.params
      );
    }
    const page = object(value);
    if (
      !page ||
      typeof page.now !== 'number' ||
      typeof page.poll_after_ms !== 'number'
    ) {
      throw new Trouble('mismatch');
    }
    return value as P;
  }

  private _line: Promise<void> = Promise.resolve();
}
