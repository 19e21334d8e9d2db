import * as React from 'react';
import { askLabel, layerLabel, stateLabel } from '../words';
import type { Outcome, State } from '../wire';
import { Ago, At, Said, Text } from './words';
import { useUi } from './ui';

/** A part of an answer, whatever its data (wire: PartCluster, PartTaskList ...). */
export interface IPart<T> {
  data: T | null;
  as_of: number | null;
  last: Outcome;
  readings: Outcome[];
  skew: number | null;
}

/** Under these the last good data may still be shown, with its age. Under every other the rows go at once (model/outcome.py). */
const KEEPS_DATA: ReadonlySet<State> = new Set<State>([
  'ok',
  'pending',
  'unreachable',
  'throttled',
  'expired'
]);

/** A read in one of these may have brought more; what is not there or not set up leaves no gap. */
const LACKING: ReadonlySet<State> = new Set<State>([
  'denied',
  'unreachable',
  'throttled',
  'expired',
  'invalid'
]);

/** Whether two outcomes say the same of the same thing; times may differ. */
export function sameOutcome(a: Outcome, b: Outcome): boolean {
  return a.state === b.state && a.code === b.code && about(a) === about(b);
}

/** What a code is said of, as one string to compare. When it was is no part of it; how long something lasts is, since the sentences say it. */
export function about(said: Pick<Outcome, 'params'>): string {
  return JSON.stringify(
    Object.entries(said.params)
      .filter(([name]) => !name.endsWith('_at'))
      .sort(([a], [b]) => (a < b ? -1 : 1))
  );
}

/** When a read that is refused now brought its data last (hpgov_jlab/reads.py). */
function readableUntil(outcome: Outcome): number | null {
  const at = outcome.params.readable_until_at;
  return outcome.state === 'denied' && typeof at === 'number' ? at : null;
}

/** What an administrator looks for: the action that was refused, which another call may have needed first, else the read. */
function toQuote({ state, params, source }: Outcome): string {
  return state === 'denied' &&
    typeof params.action === 'string' &&
    params.action
    ? params.action
    : source;
}

/** The data of a part that may be shown. */
export function shown<T>(part: IPart<T>): T | null {
  return KEEPS_DATA.has(part.last.state) ? part.data : null;
}

/** A sign per state beside the word, so that no colour has to be told apart; none that a font may lack or draw as a coloured picture. */
export const SIGNS: { [state in State]: string } = {
  ok: '✓',
  pending: '…',
  denied: '⊘',
  absent: '○',
  unreachable: '✕',
  throttled: '◔',
  expired: '⊗',
  not_configured: '◇',
  invalid: '!'
};

/** How a read ended, in words: what is so, the next step, who can change it, and what to quote to them. */
export function OutcomeNote(props: {
  outcome: Outcome;
  what?: string;
}): JSX.Element {
  const { trans } = useUi();
  const { outcome } = props;
  const { state } = outcome;
  const until = readableUntil(outcome);
  const quoted = toQuote(outcome);
  return (
    <div className="hpgov-Note" data-state={state}>
      <p className="hpgov-Note-line">
        <span className="hpgov-Sign" aria-hidden="true">
          {SIGNS[state] ?? '?'}
        </span>{' '}
        <strong>
          {props.what && <>{props.what}: </>}
          {stateLabel(trans, state)}
        </strong>
        {' · '}
        <Said code={outcome.code} params={outcome.params} />
      </p>
      {until !== null && (
        <p className="hpgov-Note-line">
          {trans.__('Readable until')} <At at={until} />
        </p>
      )}
      {state !== 'ok' && state !== 'pending' && (
        <p className="hpgov-Note-foot">
          {outcome.ask !== 'nobody' && (
            <span>
              {trans.__('Ask')}: {askLabel(trans, outcome.ask)} (
              {layerLabel(trans, outcome.layer)}).{' '}
            </span>
          )}
          {quoted && (
            <span>
              {trans.__('Quote')}: <Text value={quoted} code />
            </span>
          )}
        </p>
      )}
    </div>
  );
}

/**
 * One part. Data and a failed last try stand together; what may not be shown is gone; a part in flight says so and is never a spinner
 * without end, since the server turns it into an outcome at its deadline.
 */
export function PartView<T>(props: {
  part: IPart<T>;
  what: string;
  children: (data: T) => React.ReactNode;
  /** Shown instead of the note while the first read is under way. */
  quiet?: boolean;
}): JSX.Element {
  const { trans } = useUi();
  const { part, what } = props;
  const data = shown(part);
  const failed = part.last.state !== 'ok' && part.last.state !== 'pending';
  if (data === null) {
    return part.last.state === 'pending' && props.quiet ? (
      <p className="hpgov-Muted" data-state="pending">
        {what}: {trans.__('being read')}
      </p>
    ) : (
      <>
        <OutcomeNote outcome={part.last} what={what} />
        {/* the same read refused in another namespace, too */}
        {part.readings
          .filter(
            reading =>
              reading.source === part.last.source &&
              LACKING.has(reading.state) &&
              !sameOutcome(reading, part.last)
          )
          .map((reading, i) => (
            <OutcomeNote key={`${reading.code} ${i}`} outcome={reading} />
          ))}
      </>
    );
  }
  const others = part.readings.filter(
    reading =>
      LACKING.has(reading.state) &&
      !(reading.source === part.last.source && sameOutcome(reading, part.last))
  );
  return (
    <>
      {props.children(data)}
      {failed && (
        <div className="hpgov-Stale">
          {part.as_of !== null && (
            <p className="hpgov-Muted">
              {trans.__('Read')} <Ago at={part.as_of} />
            </p>
          )}
          <OutcomeNote outcome={part.last} what={trans.__('Last try')} />
        </div>
      )}
      {others.length > 0 && <Readings readings={others} />}
    </>
  );
}

/** Reads behind a part that did not bring theirs, folded: which ones are missing from what is shown. */
export function Readings(props: { readings: Outcome[] }): JSX.Element {
  const { trans } = useUi();
  return (
    <details className="hpgov-Details">
      <summary>
        {trans._n(
          '%1 read is missing from this',
          '%1 reads are missing from this',
          props.readings.length
        )}
      </summary>
      {props.readings.map((reading, i) => (
        <OutcomeNote
          key={`${reading.source} ${reading.code} ${i}`}
          outcome={reading}
        />
      ))}
    </details>
  );
}
