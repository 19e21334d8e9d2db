import * as React from 'react';
import { keyed, keyedNames } from '../components/keys';
import { useUi } from '../components/ui';
import { Text } from '../components/words';
import type { NamespaceFact } from '../wire';

/** A name that Kubernetes takes for a namespace; the server reads no other from the settings. */
const NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const MOST = 20;

/**
 * Namespaces that the person types once (DESIGN.md 5): kept in her settings, where the server reads them, and asked about by a self-review
 * before anything in them is read. Names by rule are offered.
 */
export function Namespaces(props: {
  facts: readonly NamespaceFact[];
  typed: readonly string[];
  onTyped: (names: readonly string[]) => Promise<void>;
  /** It is what has to be done first. */
  lead?: boolean;
}): JSX.Element {
  const { trans } = useUi();
  const { facts, typed, onTyped } = props;
  const [name, setName] = React.useState('');
  const [wrong, setWrong] = React.useState<string | null>(null);
  const field = React.useId();
  const input = React.useRef<HTMLInputElement>(null);
  const hint = React.useId();
  const { lead } = props;
  React.useEffect(() => {
    // Who opened the dashboard for this goes on here; who is somewhere in it already stays there.
    if (
      lead &&
      document.activeElement?.matches(
        'body, .jp-MainAreaWidget, .hpgov-Dashboard'
      )
    ) {
      input.current?.focus();
    }
  }, [lead]);
  const offered = facts.filter(
    fact => fact.source === 'suggested' && !typed.includes(fact.name)
  );
  const keep = (names: readonly string[]) => {
    setWrong(null);
    // The button that was pressed goes with its name: the focus stays in the form.
    input.current?.focus();
    onTyped(names).catch(() =>
      setWrong(trans.__('JupyterLab could not keep it in your settings.'))
    );
  };
  const add = (next: string) => {
    if (!NAME.test(next)) {
      setWrong(
        trans.__(
          'A namespace has at most 63 small letters, digits and hyphens, and neither begins nor ends with a hyphen.'
        )
      );
    } else if (typed.length >= MOST) {
      setWrong(trans.__('At most %1 names are kept.', MOST));
    } else {
      setName('');
      keep([...typed.filter(each => each !== next), next]);
    }
  };
  return (
    <form
      className="hpgov-Namespaces"
      onSubmit={event => {
        event.preventDefault();
        add(name.trim());
      }}
    >
      <label htmlFor={field}>{trans.__('Namespace of your team')}</label>{' '}
      <input
        id={field}
        ref={input}
        type="text"
        maxLength={63}
        value={name}
        aria-describedby={hint}
        aria-invalid={wrong !== null}
        onChange={event => setName(event.target.value)}
      />{' '}
      <button type="submit" className="hpgov-Button">
        {trans.__('Read it')}
      </button>
      <p id={hint} className="hpgov-Muted">
        {trans.__(
          'Used where neither a contract nor the connection names one. It is kept in your settings; whether you may look into it is asked first.'
        )}
      </p>
      {wrong !== null && <p role="alert">{wrong}</p>}
      {(offered.length > 0 || typed.length > 0) && (
        <ul className="hpgov-Chips">
          {keyed(offered, fact => fact.name).map(([key, fact]) => (
            <li key={`offered ${key}`}>
              <button
                type="button"
                className="hpgov-Chip"
                onClick={() => add(fact.name)}
              >
                {trans.__('Read')} <Text value={fact.name} />
              </button>
            </li>
          ))}
          {keyedNames(typed).map(([key, each]) => (
            <li key={`typed ${key}`}>
              <button
                type="button"
                className="hpgov-Chip"
                onClick={() => keep(typed.filter(other => other !== each))}
              >
                {trans.__('Forget')} <Text value={each} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </form>
  );
}
