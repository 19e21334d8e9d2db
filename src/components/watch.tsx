import * as React from 'react';
import type { ISignal } from '@lumino/signaling';
import type { IFeed, IFeedState, IPage } from '../tokens';
import { useFeed } from './ui';

/** Whether the widget around a component can be seen. */
export interface ISight {
  isVisible: () => boolean;
  changed: ISignal<unknown, void>;
}

export const SightContext = React.createContext<ISight | null>(null);

/** A feed that polls while the component stands and its widget can be seen. */
export function useWatched<P extends IPage>(feed: IFeed<P>): IFeedState<P> {
  const sight = React.useContext(SightContext);
  React.useEffect(() => {
    const watching = feed.watch(sight ? sight.isVisible : () => true);
    const wake = () => feed.wake();
    sight?.changed.connect(wake);
    return () => {
      sight?.changed.disconnect(wake);
      watching.dispose();
    };
  }, [feed, sight]);
  return useFeed(feed);
}
