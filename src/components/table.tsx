import * as React from 'react';

/** A table that scrolls sideways by itself, so that the page does not: reached by the keyboard, and named for who hears it. */
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
      <table className="hpgov-Table">
        <caption className="hpgov-Hidden">{props.label}</caption>
        {props.children}
      </table>
    </div>
  );
}
