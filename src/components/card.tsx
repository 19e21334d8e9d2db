import * as React from 'react';
import { amount, resourceName, some } from '../format/amount';
import { text } from '../format/text';
import type {
  Card,
  Cluster,
  ContractView,
  Counts,
  LimitGlance,
  Nodes,
  Outcome,
  ShareGlance,
  TaskState
} from '../wire';
import { ShareBar } from './bar';
import { TASK_STATES, taskState } from './labels';
import { OutcomeNote, PartView, sameOutcome, shown, type IPart } from './part';
import { Exact, Known, PhraseLine, Text } from './words';
import { useUi } from './ui';

/** One connection: cluster state, owner and contact, share, counts, what needs attention. */
export function ConnectionCard(props: {
  card: Card;
  onOpen?: (id: string, tab: string) => void;
}): JSX.Element {
  const { trans } = useUi();
  const { card, onOpen } = props;
  const { connection } = card;
  const heading = React.useId();
  const gaps = gapsOf(card);
  const missing = new Set(gaps.flatMap(gap => gap.parts));
  // What a note below says in full, with whom to ask, is not said above it as well.
  const attention = card.attention.filter(
    phrase => !gaps.some(gap => gap.outcome.code === phrase.code)
  );
  const open = (tab: string) => onOpen?.(connection.id, tab);
  return (
    <article
      className="hpgov-Card"
      aria-labelledby={heading}
      data-connection={connection.id}
    >
      <header className="hpgov-Card-head">
        <h3 id={heading} className="hpgov-Card-title">
          <Text value={connection.name} />
        </h3>
        <ClusterState card={card} />
      </header>
      <p className="hpgov-Muted hpgov-Card-where">
        <Text value={connection.cluster_name} />
        {connection.region && (
          <>
            {' · '}
            <Text value={connection.region} />
          </>
        )}
        {' · '}
        {connection.orchestrator === 'UNKNOWN'
          ? trans.__('orchestrator not known')
          : connection.orchestrator === 'EKS'
            ? trans.__('EKS')
            : trans.__('Slurm')}
      </p>
      {attention.length > 0 && (
        <ul
          className="hpgov-Attention"
          aria-label={trans.__('Needs attention')}
        >
          {attention.map((phrase, i) => (
            <li key={`${phrase.code} ${i}`}>
              <span className="hpgov-Sign" aria-hidden="true">
                ▲
              </span>
              <span>
                <PhraseLine phrase={phrase} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {!missing.has('contract') && (
        <div className="hpgov-Card-part">
          <PartView part={card.contract} what={trans.__('Contract')} quiet>
            {contract => (
              <ContractGlance
                contract={contract}
                said={attention.map(phrase => phrase.code)}
              />
            )}
          </PartView>
        </div>
      )}
      {!missing.has('share') && (
        <div className="hpgov-Card-part">
          <PartView part={card.share} what={trans.__('Share')} quiet>
            {share =>
              share.kind === 'slurm' ? (
                <LimitLine limit={share} />
              ) : (
                <ShareLine share={share} />
              )
            }
          </PartView>
        </div>
      )}
      {!missing.has('counts') && (
        <div className="hpgov-Card-part">
          <PartView part={card.counts} what={trans.__('Tasks')} quiet>
            {counts => <CountsLine counts={counts} />}
          </PartView>
        </div>
      )}
      {!missing.has('nodes') && (
        <div className="hpgov-Card-part">
          <PartView part={card.nodes} what={trans.__('Nodes')} quiet>
            {nodes => <NodesLine nodes={nodes} />}
          </PartView>
        </div>
      )}
      {gaps
        .filter(gap => gap.outcome.code !== NO_SHARE)
        .map(gap => (
          <div className="hpgov-Card-part" key={gap.parts.join()}>
            <OutcomeNote
              outcome={gap.outcome}
              what={gap.parts.map(part => partName(trans, part)).join(', ')}
            />
            {onOpen && NO_NAMESPACE.has(gap.outcome.code) && (
              <button
                type="button"
                className="hpgov-Button"
                onClick={() => open('tasks')}
              >
                {trans.__('Type the namespace of your team')}
              </button>
            )}
          </div>
        ))}
      {onOpen && (
        <div className="hpgov-Card-actions">
          <button
            type="button"
            className="hpgov-Button hpgov-mod-main"
            onClick={() => open('tasks')}
          >
            {trans.__('Open dashboard')}{' '}
            <span className="hpgov-Hidden">
              <Text value={connection.name} />
            </span>
          </button>
          <button
            type="button"
            className="hpgov-Button"
            onClick={() => open('access')}
          >
            {trans.__('Access')}{' '}
            <span className="hpgov-Hidden">
              <Text value={connection.name} />
            </span>
          </button>
        </div>
      )}
    </article>
  );
}

/** Slurm has no share by nature: without a limit on GPUs its cards leave the place out, and the Share tab shows all limits. */
const NO_SHARE = 'slurm_no_share_bar';

/** What the person can mend herself: the dashboard begins with the place to type it. */
const NO_NAMESPACE: ReadonlySet<string> = new Set([
  'no_namespace_in_scope',
  'no_namespace_contract_unread'
]);

const PARTS = ['cluster', 'contract', 'share', 'counts', 'nodes'] as const;
type PartKey = (typeof PARTS)[number];

interface IGap {
  parts: PartKey[];
  outcome: Outcome;
}

/** The parts without data, those with one and the same reason together: a reason is said once, not in a wall of notes. */
function gapsOf(card: Card): IGap[] {
  const gaps: IGap[] = [];
  for (const key of PARTS) {
    const part: IPart<unknown> = card[key];
    const { last } = part;
    if (shown(part) !== null || last.state === 'pending') {
      continue;
    }
    const same = gaps.find(gap => sameOutcome(gap.outcome, last));
    if (same) {
      same.parts.push(key);
    } else {
      gaps.push({ parts: [key], outcome: last });
    }
  }
  return gaps;
}

function partName(
  trans: ReturnType<typeof useUi>['trans'],
  part: PartKey
): string {
  switch (part) {
    case 'cluster':
      return trans.__('Cluster');
    case 'contract':
      return trans.__('Contract');
    case 'share':
      return trans.__('Share');
    case 'counts':
      return trans.__('Tasks');
    case 'nodes':
      return trans.__('Nodes');
  }
}

function ClusterState(props: { card: Card }): JSX.Element {
  const { trans } = useUi();
  const cluster = shown(props.card.cluster);
  if (!cluster) {
    return (
      <span className="hpgov-Badge" data-status="unknown">
        {props.card.cluster.last.state === 'pending'
          ? trans.__('being read')
          : trans.__('state not known')}
      </span>
    );
  }
  return (
    <span className="hpgov-Badge" data-status={clusterTone(cluster)}>
      <Text value={clusterStatus(trans, cluster)} />
    </span>
  );
}

/** AWS's own word in plain English where it is a known one; an unknown word is shown as it came. */
export function clusterStatus(
  trans: ReturnType<typeof useUi>['trans'],
  cluster: Cluster
): string {
  switch (cluster.status) {
    case 'InService':
      return trans.__('in service');
    case 'Creating':
      return trans.__('being created');
    case 'Updating':
      return trans.__('being updated');
    case 'SystemUpdating':
      return trans.__('system being updated');
    case 'RollingBack':
      return trans.__('rolling back');
    case 'Deleting':
      return trans.__('being deleted');
    case 'Failed':
      return trans.__('failed');
    default:
      return cluster.status;
  }
}

function clusterTone(cluster: Cluster): string {
  switch (cluster.status) {
    case 'InService':
      return 'good';
    case 'Failed':
    case 'Deleting':
      return 'bad';
    default:
      return 'changing';
  }
}

/** `said`: what stands above already is not said twice. */
function ContractGlance(props: {
  contract: ContractView;
  said: readonly string[];
}): JSX.Element {
  const { trans } = useUi();
  const { contract } = props;
  const owner =
    contract.owners.find(o => o.role === 'operations') ?? contract.owners[0];
  return (
    <>
      {contract.line && !props.said.includes(contract.line.code) && (
        <p>
          <PhraseLine phrase={contract.line} />
          {!contract.platform && contract.rank && (
            <span className="hpgov-Tag">{trans.__('self-declared')}</span>
          )}
        </p>
      )}
      {owner && (
        <p>
          {trans.__('Owner')}: <Text value={owner.name} />
          {owner.contact && (
            <>
              {' · '}
              <Text value={owner.contact} />
            </>
          )}
        </p>
      )}
    </>
  );
}

export function ShareLine(props: { share: ShareGlance }): JSX.Element {
  const { trans } = useUi();
  const { share } = props;
  return (
    <>
      <p>
        <bdi>{text(resourceName(share.resource))}</bdi>:{' '}
        <Exact resource={share.resource} value={share.held} />{' '}
        {trans.__('held of your share of')}{' '}
        <Exact resource={share.resource} value={share.nominal} />
        {some(share.borrowed) && (
          <>
            {', '}
            <Exact resource={share.resource} value={share.borrowed} />{' '}
            {trans.__('borrowed')}
          </>
        )}
        <span className="hpgov-Muted">
          {' · '}
          <Text value={share.flavor} />
        </span>
      </p>
      <ShareBar
        resource={share.resource}
        nominal={share.nominal}
        held={share.held}
        borrowed={share.borrowed}
      />
    </>
  );
}

/** Slurm's own: the limit on GPUs that is held most, and whose it is. */
function LimitLine(props: { limit: LimitGlance }): JSX.Element {
  const { trans } = useUi();
  const { limit } = props;
  return (
    <>
      <p>
        <bdi>{text(resourceName(limit.resource))}</bdi>:{' '}
        <Exact resource={limit.resource} value={limit.held} />{' '}
        {trans.__('held of the limit of')}{' '}
        <Exact resource={limit.resource} value={limit.limit} />
        <span className="hpgov-Muted">
          {' · '}
          {limit.scope === 'qos'
            ? trans.__('QoS')
            : trans.__('association')}{' '}
          <Text value={limit.name} />
          {limit.enforced === false && (
            <>, {trans.__('limit recorded, not enforced here')}</>
          )}
        </span>
      </p>
      <ShareBar
        resource={limit.resource}
        nominal={limit.limit}
        held={limit.held}
        borrowed="0"
        sentence={trans.__(
          '%1: %2 held of the limit of %3',
          text(resourceName(limit.resource)),
          amount(limit.resource, limit.held),
          amount(limit.resource, limit.limit)
        )}
      />
    </>
  );
}

/** By the states' own words, as the dashboard's filter says them; what runs and waits also where it is none. */
function CountsLine(props: { counts: Counts }): JSX.Element {
  const { trans } = useUi();
  const { running, waiting, rest, at_least } = props.counts;
  const numbers: Partial<Record<TaskState, number | null>> = {
    ...rest,
    running,
    waiting
  };
  return (
    <dl className="hpgov-Counts">
      {TASK_STATES.filter(state => numbers[state] !== undefined).map(state => (
        <div key={state}>
          <dt>{taskState(trans, state)}</dt>
          <dd>
            <AtLeast value={numbers[state] ?? null} more={at_least} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A number of which more may be there: the list it was counted from is not whole. */
function AtLeast(props: { value: number | null; more: boolean }): JSX.Element {
  const { trans, locale } = useUi();
  return props.more && props.value !== null ? (
    <span>
      {trans.__(
        'at least %1',
        new Intl.NumberFormat(locale).format(props.value)
      )}
    </span>
  ) : (
    <Known value={props.value} />
  );
}

/** Whether a part of the card could not be read; that Slurm has no share is none. */
export function lacksSomething(card: Card): boolean {
  return gapsOf(card).some(gap => gap.outcome.code !== NO_SHARE);
}

function NodesLine(props: { nodes: Nodes }): JSX.Element {
  const { trans } = useUi();
  const { nodes } = props;
  const states = Object.entries(nodes.by_status).sort((a, b) => b[1] - a[1]);
  const alike = states.length === 1 && states[0][1] === nodes.total;
  return (
    <p>
      {nodes.complete
        ? trans._n('%1 node', '%1 nodes', nodes.total)
        : trans.__('at least %1 nodes', nodes.total)}
      {states.length > 0 && ': '}
      {states.map(([state, n], i) => (
        <React.Fragment key={state}>
          {i > 0 && ', '}
          {!alike && <>{n} </>}
          <Text value={state} />
        </React.Fragment>
      ))}
    </p>
  );
}
