import * as React from 'react';
import { Announcer } from '../components/announce';
import { ConnectionCard, lacksSomething } from '../components/card';
import { IdentityLine, PlaceLine } from '../components/identity';
import { keyed } from '../components/keys';
import { OutcomeNote, PartView, about, shown } from '../components/part';
import { Refresh } from '../components/refresh';
import { SandboxOffer, Screen, TroubleScreen } from '../components/screens';
import { cardStates, stateSentence } from '../components/states';
import {
  ClockContext,
  Ticking,
  useFeed,
  useSpeaker,
  useUi
} from '../components/ui';
import { Ago } from '../components/words';
import { clockFrom } from '../format/time';
import type { IFeed, IFeedState, IPage, ITrouble } from '../tokens';
import type { ConnectionsPage, Phrase, SessionPage } from '../wire';

export interface IPanelProps {
  session: IFeed<SessionPage>;
  connections: IFeed<ConnectionsPage>;
  /** The API version that this bundle speaks. */
  apiVersion: number;
  onOpen?: (id: string, tab: string) => void;
}

/** The side panel: who reads, where, how old it is; then a screen or the cards. */
export function Panel(props: IPanelProps): JSX.Element {
  const session = useFeed(props.session);
  const connections = useFeed(props.connections);
  const clock = useClock(connections.page ? connections : session);
  return (
    <ClockContext.Provider value={clock}>
      <Ticking>
        <Body {...props} is={session} has={connections} />
      </Ticking>
    </ClockContext.Provider>
  );
}

function useClock(state: IFeedState<IPage>) {
  const { page, received } = state;
  return React.useMemo(
    () => (page ? clockFrom(page.now, received) : { now: () => 0 }),
    [page, received]
  );
}

function Body(
  props: IPanelProps & {
    is: IFeedState<SessionPage>;
    has: IFeedState<ConnectionsPage>;
  }
): JSX.Element {
  const { trans } = useUi();
  const { is, has, apiVersion } = props;
  const mismatch: ITrouble | null =
    is.page && is.page.api_version !== apiVersion
      ? { kind: 'mismatch', code: null, params: {} }
      : null;
  const trouble = mismatch ?? has.trouble ?? is.trouble;
  const retry = () => {
    props.session.refresh(false);
    props.connections.refresh(false);
  };
  const page = mismatch ? null : has.page;
  return (
    <div className="hpgov-Body">
      <h2 className="hpgov-Hidden">{trans.__('HyperPod')}</h2>
      <Strip {...props} page={page} />
      {trouble && (
        <TroubleScreen
          trouble={trouble}
          stale={page !== null}
          onRetry={retry}
        />
      )}
      {!trouble &&
        is.page?.screens.map((phrase, i) => (
          <Screen
            key={`${phrase.code} ${i}`}
            phrase={phrase}
            sandbox={
              is.page?.sandbox === false &&
              page !== null &&
              explains(phrase, page.connections)
            }
          />
        ))}
      {page ? (
        <Cards {...props} page={page} told={!trouble} />
      ) : (
        !trouble && (
          <p className="hpgov-Muted" data-state="pending">
            {trans.__('Asking the server.')}
          </p>
        )
      )}
    </div>
  );
}

/** The identity strip. */
function Strip(
  props: IPanelProps & {
    is: IFeedState<SessionPage>;
    page: ConnectionsPage | null;
  }
): JSX.Element {
  const { trans } = useUi();
  const { page } = props;
  const session = props.is.page;
  const asOf = page?.connections.as_of ?? null;
  const figures = oldest(page);
  return (
    <div className="hpgov-Strip">
      {(page?.sandbox || session?.sandbox) && (
        <p className="hpgov-Sandbox">
          <strong>{trans.__('Sandbox')}</strong>{' '}
          {trans.__('Invented clusters; nothing here is real.')}
        </p>
      )}
      {session && (
        <>
          <div className="hpgov-Strip-who">
            <IdentityLine
              identity={session.identity}
              label={trans.__('Reads as')}
            />
          </div>
          <div className="hpgov-Strip-where">
            <PartView part={session.place} what={trans.__('Place')} quiet>
              {place => <PlaceLine place={place} />}
            </PartView>
          </div>
        </>
      )}
      <div className="hpgov-Strip-age">
        <span>
          {figures !== null ? (
            <>
              {trans.__('Tasks and shares, the oldest of them read')}{' '}
              <Ago at={figures} />
            </>
          ) : (
            asOf !== null && (
              <>
                {trans.__('Connections read')} <Ago at={asOf} />
              </>
            )
          )}
        </span>
        <Refresh
          feed={props.connections}
          nextFreshAt={page?.next_fresh_at ?? null}
        />
      </div>
    </div>
  );
}

/** When the oldest of the figures on the cards was read: nothing below is older. The list of connections changes seldom and is read seldom. */
function oldest(page: ConnectionsPage | null): number | null {
  const cards = page ? (shown(page.connections) ?? []) : [];
  const ages = cards
    .flatMap(card => [card.counts, card.share])
    .filter(part => shown<unknown>(part) !== null)
    .flatMap(part => (part.as_of === null ? [] : [part.as_of]));
  return ages.length ? Math.min(...ages) : null;
}

/** Whether a screen says why no connection is shown: then neither the read behind it nor the empty list needs words of its own. */
function explains(
  screen: Phrase,
  part: ConnectionsPage['connections']
): boolean {
  const { last } = part;
  if (shown(part) !== null) {
    return screen.code === 'screen_no_connection' && part.data?.length === 0;
  }
  switch (screen.code) {
    case 'screen_credentials_expired':
      return last.state === 'expired';
    case 'screen_studio_no_list':
      return last.state === 'denied';
    case 'screen_nothing_configured':
      return last.code === 'no_clusters_configured';
    default:
      // an entry of the configuration, a fault of ours, a word on the identity: of the connections only where the read says the very same
      return screen.code === last.code && about(screen) === about(last);
  }
}

/** `told`: the session's screens stand above. */
function Cards(
  props: IPanelProps & {
    is: IFeedState<SessionPage>;
    page: ConnectionsPage;
    told: boolean;
  }
): JSX.Element {
  const { trans } = useUi();
  const speaker = useSpeaker();
  const part = props.page.connections;
  const cards = shown(part);
  const states = React.useMemo(() => {
    const all = new Map<string, string>();
    if (part.last.state !== 'pending') {
      all.set(
        'connections',
        stateSentence(speaker, trans.__('Connections'), part.last)
      );
    }
    for (const card of cards ?? []) {
      for (const [name, sentence] of cardStates(speaker, card)) {
        all.set(name, sentence);
      }
    }
    return all;
  }, [part, cards, speaker, trans]);
  const session = props.is.page;
  const explained =
    session?.screens.some(phrase => explains(phrase, part)) ?? false;
  const silent = session !== null && !explained;
  return (
    <>
      <Announcer states={states} />
      {cards === null && explained && props.told ? (
        // A screen above says what is so and what to do; the read behind it is for whoever wants to quote it.
        <details className="hpgov-Details">
          <summary>{trans.__('What was asked')}</summary>
          <OutcomeNote outcome={part.last} what={trans.__('Connections')} />
        </details>
      ) : (
        <PartView part={part} what={trans.__('Connections')} quiet>
          {list => (
            <>
              {list.length === 0 && silent && (
                <section className="hpgov-Screen" data-screen="no_connections">
                  <h3 className="hpgov-Screen-title">
                    {trans.__('No HyperPod cluster is connected here.')}
                  </h3>
                  <SandboxOffer />
                </section>
              )}
              {keyed(list, card => card.connection.id).map(([key, card]) => (
                <ConnectionCard key={key} card={card} onOpen={props.onOpen} />
              ))}
            </>
          )}
        </PartView>
      )}
      {silent &&
        !session.sandbox &&
        (cards
          ? cards.some(lacksSomething)
          : part.last.state !== 'pending') && <SandboxOffer />}
    </>
  );
}
