import * as React from 'react';
import { resourceName } from '../format/amount';
import { text } from '../format/text';
import { Exact } from '../components/words';
import type { Amount } from '../wire';

/** `8 GPU, 96 CPU, 1 TiB memory`, exact; the resource's full name in the tooltip. */
export function Amounts(props: { amounts: readonly Amount[] }): JSX.Element {
  if (!props.amounts.length) {
    return <>–</>;
  }
  return (
    <>
      {props.amounts.map((item, i) => (
        <React.Fragment key={item.resource}>
          {i > 0 && ', '}
          <span className="hpgov-Amount" title={text(item.resource)}>
            <Exact resource={item.resource} value={item.amount} />{' '}
            <bdi>{text(resourceName(item.resource))}</bdi>
          </span>
        </React.Fragment>
      ))}
    </>
  );
}
