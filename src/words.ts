// Generated from hpgov_jlab/words.py by `python -m hpgov_jlab.wire`; do not edit.

import type { TranslationBundle } from '@jupyterlab/translation';

/** A named parameter of a phrase, made readable: times, durations, amounts and counts each in their own way. */
export type Shown = (name: string) => string;

/** The sentence and the next step of one code, or null for a code that this bundle does not know. */
export interface ISaid {
  text: string;
  then: string | null;
}

/** What to call each of these; an unknown one is shown as it is. */
export function stateLabel(trans: TranslationBundle, code: string): string {
  switch (code) {
    case 'ok':
      return trans.__('Read');
    case 'pending':
      return trans.__('Being read');
    case 'denied':
      return trans.__('Not readable by your role');
    case 'absent':
      return trans.__('Not there');
    case 'unreachable':
      return trans.__('Not reached');
    case 'throttled':
      return trans.__('Asked to slow down');
    case 'expired':
      return trans.__('Credentials expired');
    case 'not_configured':
      return trans.__('Not configured');
    case 'invalid':
      return trans.__('Not usable');
    default:
      return code;
  }
}

/** What to call each of these; an unknown one is shown as it is. */
export function layerLabel(trans: TranslationBundle, code: string): string {
  switch (code) {
    case 'organisation':
      return trans.__('organisation');
    case 'project':
      return trans.__('project');
    case 'cluster':
      return trans.__('cluster');
    case 'workload':
      return trans.__('workload');
    default:
      return code;
  }
}

/** What to call each of these; an unknown one is shown as it is. */
export function askLabel(trans: TranslationBundle, code: string): string {
  switch (code) {
    case 'nobody':
      return trans.__('nobody: it passes by itself');
    case 'you':
      return trans.__('you');
    case 'project_owner':
      return trans.__('the owner of the project');
    case 'account_admin':
      return trans.__('the administrator of the AWS account');
    case 'cluster_admin':
      return trans.__('the administrator of the cluster');
    case 'jupyter_admin':
      return trans.__('the administrator of this JupyterLab');
    case 'contract_owner':
      return trans.__('the owner of the connection contract');
    default:
      return code;
  }
}

/** The sentence behind a code. */
export function say(
  trans: TranslationBundle,
  code: string,
  p: Shown
): ISaid | null {
  switch (code) {
    // reads
    case 'read':
      return { text: trans.__('Read.'), then: null };
    case 'not_read_yet':
      return { text: trans.__('Not read yet.'), then: null };
    case 'waits_for':
      return {
        text: trans.__('Waits for another read: %1.', p('read')),
        then: null
      };
    case 'deadline':
      return {
        text: trans.__('No answer within %1.', p('limit_seconds')),
        then: trans.__(
          'It is tried again by itself; what was read before stays, with its age.'
        )
      };
    case 'workers_busy':
      return {
        text: trans.__(
          'Earlier reads of this far end still hang; no new one is started.'
        ),
        then: trans.__('It is tried again by itself.')
      };
    case 'probe_only':
      return {
        text: trans.__(
          'This far end did not answer the last read; one probe at a time is sent until it does.'
        ),
        then: null
      };
    case 'internal':
      return {
        text: trans.__(
          'This extension failed while reading (%1). That is our fault, not your rights.',
          p('kind')
        ),
        then: trans.__("Report it with the server's log.")
      };
    case 'stopping':
      return { text: trans.__('The server is stopping.'), then: null };
    default:
      return null;
  }
}
