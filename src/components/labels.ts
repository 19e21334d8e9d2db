import type { TranslationBundle } from '@jupyterlab/translation';
import type { Standing, Task, TaskState } from '../wire';

/** What to call a task's state. */
export function taskState(
  trans: TranslationBundle,
  state: TaskState,
  ended: string | null = null
): string {
  switch (state) {
    case 'finished':
      return ended === 'badly'
        ? trans.__('failed')
        : ended === 'well'
          ? trans.__('finished')
          : trans.__('ended');
    case 'deactivated':
      return trans.__('deactivated');
    case 'stopping':
      return trans.__('stopping');
    case 'running':
      return trans.__('running');
    case 'starting':
      return trans.__('admitted, not ready');
    case 'checking':
      return trans.__('held by checks');
    case 'waiting':
      return trans.__('waiting');
    case 'suspended':
      return trans.__('suspended'); // by whom, its reason tells
    default:
      return trans.__('not known');
  }
}

export const TASK_STATES: readonly TaskState[] = [
  'running',
  'starting',
  'checking',
  'waiting',
  'stopping',
  'suspended',
  'deactivated',
  'finished',
  'unknown'
];

/** A sign per state beside its word, so that no colour has to be told apart. */
export function taskSign(task: Pick<Task, 'state' | 'ended'>): string {
  switch (task.state) {
    case 'running':
      return '▶';
    case 'starting':
      return '◔';
    case 'checking':
      return '◑';
    case 'waiting':
      return '◷';
    case 'stopping':
      return '◼';
    case 'suspended':
    case 'deactivated':
      return '‖';
    case 'finished':
      return task.ended === 'badly' ? '✗' : '✓';
    default:
      return '?';
  }
}

/** What to call where a contract stands. */
export function standing(trans: TranslationBundle, value: Standing): string {
  switch (value) {
    case 'in_force':
      return trans.__('in force');
    case 'on_record':
      return trans.__('on record');
    case 'draft':
      return trans.__('a draft');
    case 'unmatched':
      return trans.__('may be about this connection');
    case 'review_due':
      return trans.__('in force, review due');
    case 'not_yet':
      return trans.__('begins later');
    case 'expired':
      return trans.__('expired');
    case 'revoked':
      return trans.__('revoked');
    case 'decommissioned':
      return trans.__('decommissioned');
    case 'invalid':
      return trans.__('not usable as written');
    case 'ambiguous':
      return trans.__('two records match');
    case 'none':
      return trans.__('none on record');
    default:
      return trans.__('not known');
  }
}

/** `3rd`: a place in the own team's line. */
export function ordinal(n: number, locale: string | undefined): string {
  const language = (locale ?? 'en').split('-')[0];
  switch (language) {
    case 'en': {
      const endings: { [rule: string]: string } = {
        one: 'st',
        two: 'nd',
        few: 'rd'
      };
      const rule = new Intl.PluralRules('en', { type: 'ordinal' }).select(n);
      return `${n}${endings[rule] ?? 'th'}`;
    }
    case 'pt':
      return `${n}º`;
    case 'zh':
      return `第 ${n}`;
    default:
      return `${n}.`;
  }
}
