import * as React from 'react';
import type { Card, Cluster, Outcome } from '../wire';
import { awsStatusLabel } from '../words';
import {
  ContractGlance,
  CountsLine,
  LimitLine,
  NodesLine,
  ShareLine,
  SlurmNodesLine
} from './glances';
import { OutcomeNote, PartView, sameOutcome, shown, type IPart } from './part';
import { PhraseLine, Text } from './words';
import { useUi } from './ui';

/** One connection: cluster state, owner and contact, share, counts, what needs attention. */
export function ConnectionCard(props: {
  card: Card;
  onOpen?: (id: string, tab: string) => void;
}): JSX.Element {
  const { trans } = useUi();
  const { card, onOpen } = props;
  const { connection, slurm_nodes: slurmNodes } = card;
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
      {(!missing.has('nodes') ||
        (slurmNodes && !missing.has('slurm_nodes'))) && (
        <div className="hpgov-Card-part">
          {!missing.has('nodes') && (
            <PartView part={card.nodes} what={partName(trans, 'nodes')} quiet>
              {nodes => (
                <NodesLine
                  nodes={nodes}
                  says={slurmNodes ? trans.__('HyperPod says:') : undefined}
                />
              )}
            </PartView>
          )}
          {slurmNodes && !missing.has('slurm_nodes') && (
            <PartView
              part={slurmNodes}
              what={partName(trans, 'slurm_nodes')}
              quiet
            >
              {nodes => <SlurmNodesLine nodes={nodes} />}
            </PartView>
          )}
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
  'no_namespace_contract_unread',
  'no_scope_typed_refused'
]);

const PARTS = [
  'cluster',
  'contract',
  'share',
  'counts',
  'nodes',
  'slurm_nodes'
] as const;
type PartKey = (typeof PARTS)[number];

interface IGap {
  parts: PartKey[];
  outcome: Outcome;
}

/** The parts without data, those with one and the same reason together: a reason is said once, not in a wall of notes. */
function gapsOf(card: Card): IGap[] {
  const gaps: IGap[] = [];
  for (const key of PARTS) {
    const part: IPart<unknown> | null = card[key];
    if (!part || shown(part) !== null || part.last.state === 'pending') {
      continue;
    }
    const { last } = part;
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
    case 'slurm_nodes':
      return trans.__('Nodes in Slurm');
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
      <Text value={awsStatusLabel(trans, cluster.status)} />
    </span>
  );
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

/** Whether a part of the card could not be read; that Slurm has no share is none. */
export function lacksSomething(card: Card): boolean {
  return gapsOf(card).some(gap => gap.outcome.code !== NO_SHARE);
}
