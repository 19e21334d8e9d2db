import * as React from 'react';

/**
 * A table that scrolls sideways by itself, so that the page does not: reached by the keyboard, and named for who hears it. Where there is no width for
 * columns its rows become blocks: each cell needs `data-label`, and each part of the table its role (style/dashboard.css says why).
 */
export function ScrollTable(props: {
  label: string;
  children: React.ReactNode;
}): JSX.Element {
  return (
    <div
      className="hpgov-Scroll"
      tabIndex={0}
      role="region"
      aria-label={props.label}
    >
      <table role="table" className="hpgov-Table hpgov-mod-stack">
        <caption className="hpgov-Hidden">{props.label}</caption>
        {props.children}
      </table>
    </div>
  );
}

/** The head of a column. */
export function Head(props: {
  number?: boolean;
  children: React.ReactNode;
}): JSX.Element {
  return (
    <th
      role="columnheader"
      scope="col"
      className={props.number ? 'hpgov-Number' : undefined}
    >
      {props.children}
    </th>
  );
}

/** A cell; `label` is its column's head, which stands before it where rows are blocks. */
export function Cell(props: {
  label: string;
  number?: boolean;
  /** The id of what says more of this cell, and stands elsewhere. */
  describedBy?: string;
  children?: React.ReactNode;
}): JSX.Element {
  return (
    <td
      role="cell"
      className={props.number ? 'hpgov-Number' : undefined}
      data-label={props.label}
      aria-describedby={props.describedBy}
    >
      {props.children}
    </td>
  );
}
