import * as React from 'react';
import { byWeight, resourceName } from '../format/amount';
import { text } from '../format/text';
import { keyed } from '../components/keys';
import { Exact } from '../components/words';
import type { Amount } from '../wire';

/** `8 GPU, 96 CPU, 1 TiB memory`, exact, what is scarce first; the resource's full name in the tooltip. */
export function Amounts(props: { amounts: readonly Amount[] }): JSX.Element {
  if (!props.amounts.length) {
    return <>–</>;
  }
  return (
    <>
      {keyed(byWeight(props.amounts), item => item.resource).map(
        ([key, item], i) => (
          <React.Fragment key={key}>
            {i > 0 && ', '}
            <span className="hpgov-Amount" title={text(item.resource)}>
              <Exact resource={item.resource} value={item.amount} />{' '}
              <bdi>{text(resourceName(item.resource))}</bdi>
            </span>
          </React.Fragment>
        )
      )}
    </>
  );
}
