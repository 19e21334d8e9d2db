import type { TranslationBundle } from '@jupyterlab/translation';
import type { Task, TaskState } from '../wire';

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
