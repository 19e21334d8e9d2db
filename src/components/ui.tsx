import * as React from 'react';
import type { TranslationBundle } from '@jupyterlab/translation';
import type { IClock } from '../format/time';
import type { ISpeaker } from '../format/phrase';
import type { IFeed, IFeedState, IPage } from '../tokens';

/** What every component of ours may use. Components get data by props and reach nothing else. */
export interface IUi {
  trans: TranslationBundle;
  locale: string | undefined;
  /** Put text on the clipboard. Rejects where the browser does not allow it. */
  copy: (text: string) => Promise<void>;
}

export const UiContext = React.createContext<IUi | null>(null);
export const ClockContext = React.createContext<IClock>({ now: () => 0 });
const TickContext = React.createContext(0);

export function useUi(): IUi {
  const ui = React.useContext(UiContext);
  if (!ui) {
    throw new Error('a component of hpgov-jlab stands outside UiContext');
  }
  return ui;
}

/** What `spoken` and the time functions need. Components that use it are drawn again as time passes. */
export function useSpeaker(): ISpeaker {
  const { trans, locale } = useUi();
  const clock = React.useContext(ClockContext);
  React.useContext(TickContext);
  return React.useMemo(
    () => ({ trans, locale, clock }),
    [trans, locale, clock]
  );
}

/** Lets ages grow between two answers. Only what shows an age is drawn again. */
export function Ticking(props: {
  everyMs?: number;
  children: React.ReactNode;
}): JSX.Element {
  const [tick, setTick] = React.useState(0);
  const { everyMs = 5000 } = props;
  React.useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) {
        setTick(n => n + 1);
      }
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return (
    <TickContext.Provider value={tick}>{props.children}</TickContext.Provider>
  );
}

/** The present state of a feed, drawn again at each change. */
export function useFeed<P extends IPage>(feed: IFeed<P>): IFeedState<P> {
  const subscribe = React.useCallback(
    (onChange: () => void) => {
      feed.changed.connect(onChange);
      return () => {
        feed.changed.disconnect(onChange);
      };
    },
    [feed]
  );
  return React.useSyncExternalStore(subscribe, () => feed.state);
}
