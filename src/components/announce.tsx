import * as React from 'react';

/**
 * The live region. It is given what stands on the screen as named states and speaks what changed, never that something was read again,
 * and nothing at first sight: the screen reader has just read it.
 */
export function Announcer(props: {
  states: ReadonlyMap<string, string>;
}): JSX.Element {
  const before = React.useRef<ReadonlyMap<string, string> | null>(null);
  const [words, setWords] = React.useState('');
  const { states } = props;
  React.useEffect(() => {
    const changes = before.current ? changed(before.current, states) : [];
    before.current = states;
    if (changes.length) {
      setWords(changes.join(' '));
    }
  }, [states]);
  return (
    <div className="hpgov-Live" role="status" aria-live="polite">
      {words}
    </div>
  );
}

/** Sentences of `now` that differ from `before`. Names that come or go are no change of state. */
export function changed(
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>
): string[] {
  const out: string[] = [];
  for (const [name, sentence] of now) {
    const former = before.get(name);
    if (former !== undefined && former !== sentence) {
      out.push(sentence);
    }
  }
  return out;
}
