import * as React from 'react';
import type { IFeed, IPage } from '../tokens';
import { pointInTime } from '../format/time';
import { useFeed, useSpeaker } from './ui';

/** The refresh button. The server's floor is said, not enforced here: asking early simply brings what is known. */
export function Refresh<P extends IPage>(props: {
  feed: IFeed<P>;
  /** Read again with it. */
  also?: IFeed<IPage>;
  nextFreshAt: number | null;
}): JSX.Element {
  const { trans, locale, clock } = useSpeaker();
  const { busy } = useFeed(props.feed);
  const wait = props.nextFreshAt === null ? 0 : props.nextFreshAt - clock.now();
  // Of interest to who has just asked, and noise to everybody else.
  const [asked, setAsked] = React.useState(false);
  return (
    <span className="hpgov-Refresh">
      <button
        type="button"
        className="hpgov-Button"
        aria-disabled={busy}
        onClick={() => {
          if (!busy) {
            setAsked(true);
            props.feed.refresh(true);
            props.also?.refresh(true);
          }
        }}
      >
        {busy ? trans.__('Asking…') : trans.__('Refresh')}
      </button>
      {asked && props.nextFreshAt !== null && wait > 0 && (
        <span className="hpgov-Muted">
          {' '}
          {trans.__(
            'next read allowed at %1',
            clockTime(props.nextFreshAt, locale) ||
              pointInTime(clock, props.nextFreshAt, locale)
          )}
        </span>
      )}
    </span>
  );
}

/** With seconds, since the floor is counted in them. */
function clockTime(at: number, locale: string | undefined): string {
  const date = new Date(at * 1000);
  return Number.isNaN(date.getTime())
    ? ''
    : new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }).format(date);
}
