import { plain, spoken, type ISpeaker } from '../format/phrase';
import { text } from '../format/text';
import { awsStatusLabel, stateLabel } from '../words';
import type { Card, Outcome } from '../wire';

/** One part's state as the live region would say it. Parts in flight keep what they last were, so that a read is no news. */
export function stateSentence(
  speaker: ISpeaker,
  what: string,
  outcome: Outcome
): string {
  const said = plain(
    spoken(speaker, outcome.code, stable(outcome.params)).text
  );
  return `${what}: ${stateLabel(speaker.trans, outcome.state)}. ${outcome.state === 'ok' ? '' : said}`.trim();
}

/** Figures that move at every read are no change of state. */
function stable(params: Outcome['params']): Outcome['params'] {
  const out: Outcome['params'] = {};
  for (const [name, value] of Object.entries(params)) {
    out[name] = typeof value === 'number' ? null : value;
  }
  return out;
}

/** What the panel's live region watches of one card: cluster, contract, and whether share and tasks can be read. */
export function cardStates(
  speaker: ISpeaker,
  card: Card
): Array<[string, string]> {
  const { trans } = speaker;
  const { id } = card.connection;
  const name = text(card.connection.name);
  const out: Array<[string, string]> = [];
  const part = (key: string, what: string, outcome: Outcome): void => {
    if (outcome.state !== 'pending') {
      out.push([`${id} ${key}`, stateSentence(speaker, what, outcome)]);
    }
  };
  const cluster = card.cluster.data;
  if (cluster && card.cluster.last.state === 'ok') {
    out.push([
      `${id} cluster`,
      trans.__(
        '%1: cluster %2',
        name,
        text(awsStatusLabel(trans, cluster.status))
      )
    ]);
  } else {
    part('cluster', trans.__('%1: cluster', name), card.cluster.last);
  }
  const contract = card.contract.data;
  if (contract?.line && card.contract.last.state === 'ok') {
    out.push([
      `${id} contract`,
      `${name}: ${plain(spoken(speaker, contract.line.code, contract.line.params).text)}`
    ]);
  } else {
    part('contract', trans.__('%1: contract', name), card.contract.last);
  }
  part('share', trans.__('%1: share', name), card.share.last);
  part('counts', trans.__('%1: tasks', name), card.counts.last);
  return out;
}
