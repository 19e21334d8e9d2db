import type { TranslationBundle } from '@jupyterlab/translation';
import { awsStatusLabel, say, stateLabel } from '../words';
import { amount, resourceName } from './amount';
import { text } from './text';
import { contractDate, duration, pointInTime, type IClock } from './time';

export type Params = { [name: string]: string | number | null };

/** What is needed to say something to this reader. */
export interface ISpeaker {
  trans: TranslationBundle;
  locale: string | undefined;
  clock: IClock;
}

/** A piece of a sentence: our words, or a value that came from elsewhere and keeps its own direction. */
export interface IPiece {
  value: boolean;
  text: string;
}

/** A sentence and, where there is one, the next step. */
export interface ISpoken {
  text: IPiece[];
  then: IPiece[] | null;
}

/** One parameter as a person reads it; the end of its name says what it is (words.py). */
export function parameter(
  speaker: ISpeaker,
  name: string,
  params: Params
): string {
  const value = params[name];
  if (value === null || value === undefined) {
    return '–';
  }
  if (name.endsWith('_at') && typeof value === 'number') {
    return pointInTime(speaker.clock, value, speaker.locale);
  }
  if (name.endsWith('_seconds') && typeof value === 'number') {
    return duration(speaker.trans, value);
  }
  if (name.startsWith('amount_') && typeof value === 'string') {
    const resource = params['resource'];
    return text(amount(typeof resource === 'string' ? resource : '', value));
  }
  if (typeof value === 'string') {
    if (name === 'state') {
      return text(stateLabel(speaker.trans, value));
    }
    if (name === 'aws_status') {
      return text(awsStatusLabel(speaker.trans, value));
    }
    if (name === 'resource') {
      return text(resourceName(value));
    }
    if (name === 'figures') {
      return text(shortNames(value));
    }
  }
  return typeof value === 'number'
    ? new Intl.NumberFormat(speaker.locale).format(value)
    : text(contractDate(value, speaker.locale));
}

/** `resource (flavor): asked > there; ...` (scheduling/shortage.py), each resource by the name that the tables have for it. */
function shortNames(figures: string): string {
  return figures.replace(
    /(^|; )([^ ;()]+)(?= \()/g,
    (_, before: string, resource: string) => before + resourceName(resource)
  );
}

// Private-use characters mark where a value goes, and where one is not known. `text()` makes them visible in whatever comes from upstream, so a value
// can't forge one.
const MARK = /\uE000(\d+)\uE001/;
const UNKNOWN = '\uE002';
// What is within parentheses is left out with a value that is not known (words.py), in whichever language it was written.
const ASIDE = /[ \u00A0]?[(（][^()（）]*\uE002[^()（）]*[)）]/g;

function pieces(sentence: string, values: string[]): IPiece[] {
  return sentence
    .replace(ASIDE, '')
    .replace(/\uE002/g, '–')
    .split(MARK)
    .map((part, i) =>
      i % 2
        ? { value: true, text: values[Number(part)] ?? '' }
        : { value: false, text: part }
    )
    .filter(piece => piece.text !== '');
}

/** Whether the sentence of a code and its next step read whole with these parameters: none is wanting but within parentheses. */
export function readsWhole(
  trans: TranslationBundle,
  code: string,
  params: Params
): boolean {
  const said = say(trans, code, name =>
    params[name] === null || params[name] === undefined ? UNKNOWN : ''
  );
  return (
    said !== null &&
    ![said.text, said.then ?? ''].some(sentence =>
      sentence.replace(ASIDE, '').includes(UNKNOWN)
    )
  );
}

/** The parameters with a value that the sentence of a code and its next step use; all of them of a code that this bundle does not know. */
export function used(
  trans: TranslationBundle,
  code: string,
  params: Params
): Params {
  const names = new Set<string>();
  const said = say(trans, code, name => {
    names.add(name);
    return '';
  });
  return said === null
    ? params
    : Object.fromEntries(
        Object.entries(params).filter(
          ([name, value]) => names.has(name) && value !== null
        )
      );
}

/** A code with its parameters as pieces to show. A code that this bundle does not know is shown as it is, never swallowed. */
export function spoken(
  speaker: ISpeaker,
  code: string,
  params: Params
): ISpoken {
  const values: string[] = [];
  const said = say(speaker.trans, code, name => {
    if (params[name] === null || params[name] === undefined) {
      return UNKNOWN;
    }
    values.push(parameter(speaker, name, params));
    return `\uE000${values.length - 1}\uE001`;
  });
  if (!said) {
    return { text: [{ value: true, text: text(code) }], then: null };
  }
  return {
    text: pieces(said.text, values),
    then: said.then === null ? null : pieces(said.then, values)
  };
}

/** The same as one string: for the live region, tooltips and copied text. */
export function plain(list: IPiece[]): string {
  return list.map(piece => piece.text).join('');
}
