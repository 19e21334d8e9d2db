import * as React from 'react';
import { Cell, Head, ScrollTable } from '../components/table';
import { keyed, keyedNames } from '../components/keys';
import { useUi } from '../components/ui';
import { Known, OnDate, Said, Text } from '../components/words';
import type { Entry, Signal } from '../wire';

/** Names of fields, as words. */
export function Codes(props: {
  label: string;
  codes: readonly string[];
}): JSX.Element | null {
  if (!props.codes.length) {
    return null;
  }
  return (
    <p className="hpgov-Muted">
      {props.label}:{' '}
      {props.codes.map((code, i) => (
        <React.Fragment key={`${code} ${i}`}>
          {i > 0 && ', '}
          <Said code={code} then={false} />
        </React.Fragment>
      ))}
    </p>
  );
}

/** Who watches what, from which threshold on, and what then. */
export function Signals(props: {
  signals: readonly Signal[];
}): JSX.Element | null {
  const { trans } = useUi();
  const said = ({ threshold, owner, response }: Signal) =>
    [threshold, owner, response].some(Boolean);
  const told = props.signals.filter(said);
  const silent = props.signals.filter(signal => !said(signal));
  if (!props.signals.length) {
    return null;
  }
  return (
    <>
      <h4>{trans.__('Monitoring as agreed')}</h4>
      {told.length > 0 && (
        <ScrollTable label={trans.__('Signals')}>
          <thead role="rowgroup">
            <tr role="row">
              <Head>{trans.__('Signal')}</Head>
              <Head>{trans.__('Threshold')}</Head>
              <Head>{trans.__('Owner')}</Head>
              <Head>{trans.__('Response')}</Head>
            </tr>
          </thead>
          <tbody role="rowgroup">
            {keyed(told, signal => signal.signal).map(([key, signal]) => (
              <tr role="row" key={key}>
                <th role="rowheader" scope="row">
                  <Said code={signal.signal} then={false} />
                </th>
                <Cell label={trans.__('Threshold')}>
                  <Known value={signal.threshold} />
                </Cell>
                <Cell label={trans.__('Owner')}>
                  <Known value={signal.owner} />
                </Cell>
                <Cell label={trans.__('Response')}>
                  <Known value={signal.response} />
                </Cell>
              </tr>
            ))}
          </tbody>
        </ScrollTable>
      )}
      <Codes
        label={trans.__('Without threshold, owner and response')}
        codes={silent.map(({ signal }) => signal)}
      />
    </>
  );
}

export function Listed(props: {
  label: string;
  values: readonly string[];
}): JSX.Element | null {
  if (!props.values.length) {
    return null;
  }
  return (
    <>
      <dt>{props.label}</dt>
      <dd>
        {keyedNames(props.values).map(([key, value], i) => (
          <React.Fragment key={key}>
            {i > 0 && ', '}
            <Text value={value} />
          </React.Fragment>
        ))}
      </dd>
    </>
  );
}

export function Entries(props: {
  label: string;
  entries: readonly Entry[];
}): JSX.Element | null {
  const { trans } = useUi();
  if (!props.entries.length) {
    return null;
  }
  return (
    <>
      <h4>{props.label}</h4>
      <ul className="hpgov-List">
        {props.entries.map((entry, i) => (
          <li key={i}>
            <Text value={entry.what} />
            <span className="hpgov-Muted">
              {entry.by && (
                <>
                  {' · '}
                  <Text value={entry.by} />
                </>
              )}
              {entry.on && (
                <>
                  {' · '}
                  <OnDate value={entry.on} />
                </>
              )}
              {entry.until && (
                <>
                  {' · '}
                  {trans.__('until')} <OnDate value={entry.until} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
