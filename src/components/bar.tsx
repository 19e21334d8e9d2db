import * as React from 'react';
import { amount, larger, perMille, resourceName, some } from '../format/amount';
import { text } from '../format/text';
import { useUi } from './ui';

/**
 * The share bar: held inside the share, borrowed above it, with a mark where the share ends. The words say it exactly;
 * the drawing is thousandths for the eye.
 */
export function ShareBar(props: {
  resource: string;
  nominal: string;
  held: string;
  borrowed: string;
  name?: string;
  /** Of what is no share: said instead. */
  sentence?: string;
}): JSX.Element {
  const { trans } = useUi();
  const { resource, nominal, held, borrowed } = props;
  const whole = larger(nominal, held);
  const end = perMille(nominal, whole) ?? 0;
  const inside = Math.min(perMille(held, whole) ?? 0, end);
  const above = some(borrowed) ? (perMille(held, whole) ?? 0) - inside : 0;
  const name = text(props.name ?? resourceName(resource));
  const share = () =>
    some(borrowed)
      ? trans.__(
          '%1: %2 held of a share of %3, %4 borrowed',
          name,
          amount(resource, held),
          amount(resource, nominal),
          amount(resource, borrowed)
        )
      : trans.__(
          '%1: %2 held of a share of %3',
          name,
          amount(resource, held),
          amount(resource, nominal)
        );
  const sentence = props.sentence ?? share();
  return (
    <svg
      className="hpgov-Bar"
      role="img"
      aria-label={sentence}
      viewBox="0 0 1000 10"
      preserveAspectRatio="none"
    >
      <title>{sentence}</title>
      <rect className="hpgov-Bar-share" x="0" y="0" width={end} height="10" />
      <rect className="hpgov-Bar-held" x="0" y="0" width={inside} height="10" />
      {above > 0 && (
        <rect
          className="hpgov-Bar-borrowed"
          x={inside}
          y="0"
          width={above}
          height="10"
        />
      )}
      {end > 0 && end < 1000 && (
        <rect
          className="hpgov-Bar-mark"
          x={end - 2}
          y="0"
          width="4"
          height="10"
        />
      )}
    </svg>
  );
}
