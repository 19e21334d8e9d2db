import * as React from 'react';

export interface ITab {
  id: string;
  label: string;
}

/** A tablist with one stop in the tab order; arrows, Home and End move and select. */
export function Tabs(props: {
  label: string;
  tabs: readonly ITab[];
  selected: string;
  onSelect: (id: string) => void;
  children: React.ReactNode;
}): JSX.Element {
  const { tabs, selected, onSelect } = props;
  const base = React.useId();
  const list = React.useRef<HTMLDivElement>(null);
  const go = (index: number) => {
    const tab = tabs[(index + tabs.length) % tabs.length];
    onSelect(tab.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${tab.id}"]`)?.focus();
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const at = tabs.findIndex(tab => tab.id === selected);
    const to = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: tabs.length - 1
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      go(to);
    }
  };
  return (
    <>
      <div
        className="hpgov-Tabs"
        role="tablist"
        aria-label={props.label}
        ref={list}
        onKeyDown={onKeyDown}
      >
        {tabs.map(tab => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${base}-${tab.id}`}
            data-tab={tab.id}
            className="hpgov-Tab"
            aria-selected={tab.id === selected}
            aria-controls={`${base}-panel`}
            tabIndex={tab.id === selected ? 0 : -1}
            onClick={() => onSelect(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div
        className="hpgov-TabPanel"
        role="tabpanel"
        id={`${base}-panel`}
        aria-labelledby={`${base}-${selected}`}
      >
        {props.children}
      </div>
    </>
  );
}
