import * as React from 'react';
import { text } from '../format/text';
import { useUi } from './ui';

/** Copies text that the server finished (S5): what is copied is exactly what came, the button only says how it went. */
export function CopyButton(props: {
  value: string;
  label: string;
}): JSX.Element {
  const { trans, copy } = useUi();
  const [done, setDone] = React.useState<'no' | 'yes' | 'failed'>('no');
  const onClick = async () => {
    try {
      await copy(props.value);
      setDone('yes');
    } catch {
      setDone('failed');
    }
  };
  React.useEffect(() => {
    if (done === 'no') {
      return;
    }
    const timer = setTimeout(() => setDone('no'), 4000);
    return () => clearTimeout(timer);
  }, [done]);
  return (
    <span>
      <button type="button" className="hpgov-Button" onClick={onClick}>
        {done === 'yes' ? trans.__('Copied') : props.label}
      </button>
      <span role="status" className="hpgov-Status">
        {done === 'failed'
          ? trans.__(
              'The browser did not allow it: select the text and copy it.'
            )
          : ''}
      </span>
    </span>
  );
}

/** Text made to be copied, with its button. Null text: a value in it may not be copied, and that is said. */
export function CopyBox(props: {
  title: React.ReactNode;
  value: string | null;
  label?: string;
}): JSX.Element {
  const { trans } = useUi();
  const id = React.useId();
  return (
    <div className="hpgov-CopyBox" role="group" aria-labelledby={id}>
      <div className="hpgov-CopyBox-head">
        <span id={id} className="hpgov-CopyBox-title">
          {props.title}
        </span>
        {props.value !== null && (
          <CopyButton
            value={props.value}
            label={props.label ?? trans.__('Copy')}
          />
        )}
      </div>
      {props.value === null ? (
        <p className="hpgov-Muted">
          {trans.__(
            'Not offered: a value in it holds characters that are not safe to paste.'
          )}
        </p>
      ) : (
        <pre
          className="hpgov-Pre"
          tabIndex={0}
          role="region"
          aria-labelledby={id}
        >
          {lines(props.value)}
        </pre>
      )}
    </div>
  );
}

/** Line by line through `text`, so that a long text stays whole while nothing invisible is in it. */
function lines(value: string): React.ReactNode {
  return value.split('\n').map((line, i) => (
    <React.Fragment key={i}>
      {i > 0 && '\n'}
      <bdi>{text(line, Infinity)}</bdi>
    </React.Fragment>
  ));
}
