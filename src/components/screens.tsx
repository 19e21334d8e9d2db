import * as React from 'react';
import { spoken } from '../format/phrase';
import { text } from '../format/text';
import type { ITrouble } from '../tokens';
import type { Phrase } from '../wire';
import { CopyBox } from './copy';
import { PhraseLine, Pieces, Said } from './words';
import { useSpeaker, useUi } from './ui';

/** Shows the whole panel on invented clusters, without any account. */
export const SANDBOX_COMMAND = 'jupyter hpgov sandbox';
const ENABLE_COMMAND = 'jupyter server extension enable hpgov_jlab';

/** The way out of every screen that shows no cluster. */
export function SandboxOffer(): JSX.Element {
  const { trans } = useUi();
  return (
    <details className="hpgov-Details">
      <summary>{trans.__('See it with invented clusters')}</summary>
      <p className="hpgov-Muted">
        {trans.__(
          'Run this in a terminal. It opens a JupyterLab of its own and reads nothing of yours.'
        )}
      </p>
      <CopyBox title={trans.__('Sandbox')} value={SANDBOX_COMMAND} />
    </details>
  );
}

/** A screen of the first five minutes: what is so, what to do, and the sandbox. */
export function Screen(props: {
  phrase: Phrase;
  sandbox: boolean;
}): JSX.Element {
  return (
    <section className="hpgov-Screen" data-screen={text(props.phrase.code)}>
      <h3 className="hpgov-Screen-title">
        <PhraseLine phrase={props.phrase} then={false} />
      </h3>
      <Next phrase={props.phrase} />
      {props.sandbox && <SandboxOffer />}
    </section>
  );
}

function Next(props: { phrase: Phrase }): JSX.Element | null {
  const { then } = spoken(useSpeaker(), props.phrase.code, props.phrase.params);
  return (
    then && (
      <p>
        <Pieces pieces={then} />
      </p>
    )
  );
}

/** No page came: what that means and what to do, in place of a row of errors. */
export function TroubleScreen(props: {
  trouble: ITrouble;
  stale: boolean;
  onRetry: () => void;
}): JSX.Element {
  const { trans } = useUi();
  const { trouble } = props;
  const again = (
    <button type="button" className="hpgov-Button" onClick={props.onRetry}>
      {trans.__('Try again')}
    </button>
  );
  const [title, body] = ((): [string, React.ReactNode] => {
    switch (trouble.kind) {
      case 'signed_out':
        return [
          trans.__('Your session with Jupyter has ended.'),
          <>
            <p>
              {trans.__(
                'Reload this page to sign in again. Nothing was read since.'
              )}
            </p>
            <button
              type="button"
              className="hpgov-Button"
              onClick={() => window.location.reload()}
            >
              {trans.__('Reload the page')}
            </button>{' '}
          </>
        ];
      case 'not_enabled':
        return [
          trans.__('The server side of this panel does not answer.'),
          <>
            <p>
              {trans.__(
                'The server extension is not installed or not enabled in the environment that runs Jupyter. Run this there, then restart Jupyter.'
              )}
            </p>
            <CopyBox title={trans.__('Enable it')} value={ENABLE_COMMAND} />
            <SandboxOffer />
          </>
        ];
      case 'mismatch':
        return [
          trans.__('This page and the server are of different versions.'),
          <>
            <p>
              {trans.__(
                'Reload the page. If this stays, restart the Jupyter server: it still runs the version from before an update.'
              )}
            </p>
            <button
              type="button"
              className="hpgov-Button"
              onClick={() => window.location.reload()}
            >
              {trans.__('Reload the page')}
            </button>{' '}
          </>
        ];
      case 'fault':
        return [
          trans.__('The server side of this panel failed.'),
          <p>
            {trans.__(
              'That is our fault, not your rights. It is tried again by itself; the log of the Jupyter server says more.'
            )}
          </p>
        ];
      case 'refused':
        return [
          trans.__('The server refused this request.'),
          trouble.code && (
            <p>
              <Said code={trouble.code} params={trouble.params} />
            </p>
          )
        ];
      default:
        return [
          trans.__('The Jupyter server does not answer.'),
          <p>{trans.__('It is tried again by itself.')}</p>
        ];
    }
  })();
  return (
    <section
      className={props.stale ? 'hpgov-Screen hpgov-mod-stale' : 'hpgov-Screen'}
      data-screen={trouble.kind}
    >
      <h3 className="hpgov-Screen-title">{title}</h3>
      {body}
      {again}
      {props.stale && (
        <p className="hpgov-Muted">
          {trans.__('Below is what was read before, with its age.')}
        </p>
      )}
    </section>
  );
}
