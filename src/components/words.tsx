import * as React from 'react';
import { amount } from '../format/amount';
import { spoken, type IPiece, type Params } from '../format/phrase';
import { text } from '../format/text';
import {
  ageOf,
  contractDate,
  duration,
  exactTime,
  pointInTime
} from '../format/time';
import { link } from '../format/link';
import type { Phrase } from '../wire';
import { useSpeaker, useUi } from './ui';

/** An upstream string on the screen: cut, made visible, and with a direction of its own (S7). */
export function Text(props: { value: string; code?: boolean }): JSX.Element {
  const shown = <bdi>{text(props.value)}</bdi>;
  return props.code ? <code className="hpgov-Code">{shown}</code> : shown;
}

/** An exact amount of a resource; unknown is a dash. */
export function Exact(props: {
  resource: string;
  value: string | null;
}): JSX.Element {
  return <bdi>{text(amount(props.resource, props.value))}</bdi>;
}

/** A name that may be unknown; unknown is a dash, never nothing. */
export function Known(props: {
  value: string | number | null | undefined;
}): JSX.Element {
  const { trans, locale } = useUi();
  const { value } = props;
  if (value === null || value === undefined || value === '') {
    return (
      <span aria-label={trans.__('not known')} role="img">
        –
      </span>
    );
  }
  return typeof value === 'number' ? (
    <span>{new Intl.NumberFormat(locale).format(value)}</span>
  ) : (
    <Text value={value} />
  );
}

export function Pieces(props: { pieces: IPiece[] }): JSX.Element {
  return (
    <>
      {props.pieces.map((piece, i) =>
        piece.value ? (
          <bdi key={i} className="hpgov-Value">
            {piece.text}
          </bdi>
        ) : (
          <React.Fragment key={i}>{piece.text}</React.Fragment>
        )
      )}
    </>
  );
}

/** The sentence of a code, and its next step where it has one. */
export function Said(props: {
  code: string;
  params?: Params;
  then?: boolean;
}): JSX.Element {
  const said = spoken(useSpeaker(), props.code, props.params ?? {});
  return (
    <>
      <Pieces pieces={said.text} />
      {props.then !== false && said.then && (
        <>
          {' '}
          <span className="hpgov-Then">
            <Pieces pieces={said.then} />
          </span>
        </>
      )}
    </>
  );
}

export function PhraseLine(props: {
  phrase: Phrase;
  then?: boolean;
}): JSX.Element {
  return (
    <Said
      code={props.phrase.code}
      params={props.phrase.params}
      then={props.then}
    />
  );
}

/** A time as `12 min ago`, exact in the tooltip. `skew`: the upstream's clock minus the server's, for times that an upstream wrote. */
export function Ago(props: { at: number; skew?: number | null }): JSX.Element {
  const { trans, locale, clock } = useSpeaker();
  return (
    <time
      dateTime={isoTime(props.at)}
      title={exactTime(props.at, locale)}
      className="hpgov-Time"
    >
      {trans.__(
        '%1 ago',
        duration(trans, ageOf(clock, props.at, props.skew ?? null))
      )}
    </time>
  );
}

/** How long something has lasted so far. */
export function Lasted(props: {
  since: number;
  until?: number | null;
  skew?: number | null;
}): JSX.Element {
  const { trans, locale, clock } = useSpeaker();
  const { since, until } = props;
  const seconds =
    until === null || until === undefined
      ? ageOf(clock, since, props.skew ?? null)
      : until - since;
  return (
    <time
      dateTime={isoTime(since)}
      title={exactTime(since, locale)}
      className="hpgov-Time"
    >
      {duration(trans, seconds)}
    </time>
  );
}

/** A point in time. */
export function At(props: { at: number }): JSX.Element {
  const { locale, clock } = useSpeaker();
  return (
    <time
      dateTime={isoTime(props.at)}
      title={exactTime(props.at, locale)}
      className="hpgov-Time"
    >
      {pointInTime(clock, props.at, locale)}
    </time>
  );
}

/** A date of a contract. */
export function OnDate(props: { value: string | null }): JSX.Element {
  const { locale } = useUi();
  return <Known value={props.value && contractDate(props.value, locale)} />;
}

/** A link with its host beside it, or plain text where it may not be one (S7). Nothing of ours fetches it. */
export function Link(props: { value: string; label?: string }): JSX.Element {
  const target = link(props.value);
  if (!target) {
    return <Text value={props.value} />;
  }
  return (
    <span className="hpgov-Link">
      <a
        href={target.href}
        target="_blank"
        rel="noopener noreferrer"
        className="hpgov-Anchor"
      >
        <bdi>{text(props.label ?? props.value)}</bdi>
      </a>{' '}
      <span className="hpgov-Host">
        (<bdi>{text(target.host)}</bdi>)
      </span>
    </span>
  );
}

function isoTime(at: number): string | undefined {
  const date = new Date(at * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
