/** What each part of a card says in its few lines. Which of them stand there, and what is said of those that do not, is the card's (card.tsx). */
import * as React from 'react';
import { amount, resourceName, some } from '../format/amount';
import { text } from '../format/text';
import type {
  ContractView,
  Counts,
  LimitGlance,
  Nodes,
  ShareGlance,
  SlurmNodeSums,
  TaskState
} from '../wire';
import { ShareBar } from './bar';
import { keyed } from './keys';
import { TASK_STATES, taskState } from './labels';
import { Exact, Known, PhraseLine, Text } from './words';
import { useUi } from './ui';

/** `said`: what stands above already is not said twice. */
export function ContractGlance(props: {
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
export function LimitLine(props: { limit: LimitGlance }): JSX.Element {
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
export function CountsLine(props: { counts: Counts }): JSX.Element {
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

/** `says`: whose word it is, where another's stands beside it. */
export function NodesLine(props: { nodes: Nodes; says?: string }): JSX.Element {
  const { trans } = useUi();
  const { nodes, says } = props;
  const states = Object.entries(nodes.by_status).sort((a, b) => b[1] - a[1]);
  const alike = states.length === 1 && states[0][1] === nodes.total;
  return (
    <p>
      {says && <span className="hpgov-Muted">{says}</span>}
      {says && ' '}
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

/** Slurm's word of the same nodes: whether they take jobs, whatever HyperPod calls them. */
export function SlurmNodesLine(props: { nodes: SlurmNodeSums }): JSX.Element {
  const { trans } = useUi();
  const { total, states } = props.nodes;
  const away = states.filter(each => !each.usable);
  const count = away.reduce((sum, each) => sum + each.nodes, 0);
  return (
    <p>
      <span className="hpgov-Muted">{trans.__('Slurm says:')}</span>{' '}
      {trans._n('%1 node', '%1 nodes', total)}
      {total > 0 && ', '}
      {total > 0 &&
        (count === 0
          ? trans.__('all take jobs')
          : trans._n('%1 takes no jobs', '%1 take no jobs', count))}
      {count > 0 && ' ('}
      {keyed(away, each => each.state).map(([key, each], i) => (
        <React.Fragment key={key}>
          {i > 0 && ', '}
          {away.length > 1 && <>{each.nodes} </>}
          <Text value={each.state} />
        </React.Fragment>
      ))}
      {count > 0 && ')'}
    </p>
  );
}
