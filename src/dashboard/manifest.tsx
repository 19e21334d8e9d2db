import * as React from 'react';
import { CopyBox } from '../components/copy';
import { keyed } from '../components/keys';
import { PartView } from '../components/part';
import { useUi } from '../components/ui';
import { Known, PhraseLine, Said, Text } from '../components/words';
import type {
  ManifestBox,
  NamedBy,
  NamespaceFact,
  PartManifestBox
} from '../wire';

/** What to write in the manifest: names that were read, and names by rule marked as such. */
export function Manifest(props: {
  part: PartManifestBox;
  namespaces: readonly NamespaceFact[];
  children?: React.ReactNode;
}): JSX.Element {
  const { trans } = useUi();
  return (
    <details className="hpgov-Details hpgov-Manifest">
      <summary>{trans.__('What to write in the manifest')}</summary>
      <PartView part={props.part} what={trans.__('Names')}>
        {box => <Box box={box} />}
      </PartView>
      {props.namespaces.length > 0 && (
        <>
          <h4>{trans.__('Namespaces and where they come from')}</h4>
          <ul className="hpgov-List">
            {keyed(props.namespaces, fact => `${fact.source} ${fact.name}`).map(
              ([key, fact]) => (
                <li key={key}>
                  <Text value={fact.name} code />{' '}
                  <span className="hpgov-Muted">
                    <Text value={source(trans, fact.source)} /> ·{' '}
                    {fact.read ? trans.__('read') : trans.__('not read')}
                    {fact.why_not && (
                      <>
                        : <PhraseLine phrase={fact.why_not} />
                      </>
                    )}
                  </span>
                </li>
              )
            )}
          </ul>
        </>
      )}
      {props.children}
    </details>
  );
}

function source(
  trans: ReturnType<typeof useUi>['trans'],
  value: string
): string {
  switch (value) {
    case 'platform_contract':
      return trans.__('from the platform contract');
    case 'connection':
      return trans.__('from the connection');
    case 'trait':
      return trans.__('from the configuration of this JupyterLab');
    case 'typed':
      return trans.__('typed by you');
    case 'self_declared':
      return trans.__('from a self-declared record');
    case 'suggested':
      return trans.__('a name by rule');
    default:
      return value;
  }
}

function Box(props: { box: ManifestBox }): JSX.Element {
  const { trans } = useUi();
  const { box } = props;
  return (
    <>
      <dl className="hpgov-Facts">
        <dt>{trans.__('Namespace')}</dt>
        <dd>
          <Names names={box.namespaces} />
        </dd>
        <dt>{trans.__('Queue')}</dt>
        <dd>
          <Names names={box.queues} places={box.namespaces.length > 1} />
        </dd>
        <dt>{trans.__('Priority class')}</dt>
        <dd>
          {box.priority_classes === null ? (
            <span>{trans.__('not read')}</span>
          ) : box.priority_classes.length ? (
            <ul className="hpgov-List">
              {keyed(box.priority_classes, each => each.name).map(
                ([key, each]) => (
                  <li key={key}>
                    <Text value={each.name} code />{' '}
                    <span className="hpgov-Muted">
                      <Known value={each.value} />
                    </span>
                  </li>
                )
              )}
            </ul>
          ) : (
            trans.__('none defined')
          )}
        </dd>
        <dt>{trans.__('Service account')}</dt>
        <dd>
          <Names names={box.service_accounts} />
        </dd>
      </dl>
      {keyed(box.labels, each => `${each.namespace} ${each.queue}`).map(
        ([key, each]) => (
          <CopyBox
            key={key}
            title={
              <>
                <Said code={each.copy.title} then={false} />
                {box.labels.length > 1 && (
                  <>
                    {' '}
                    <Text value={`${each.namespace}/${each.queue}`} code />
                  </>
                )}
              </>
            }
            value={each.copy.text}
          />
        )
      )}
    </>
  );
}

function Names(props: {
  names: readonly NamedBy[];
  /** Says in which namespace each is: there are several. */
  places?: boolean;
}): JSX.Element {
  const { trans } = useUi();
  if (!props.names.length) {
    return <>–</>;
  }
  return (
    <ul className="hpgov-List">
      {keyed(
        props.names,
        named => `${named.namespace ?? ''} ${named.name}`
      ).map(([key, named]) => (
        <li key={key}>
          <Text value={named.name} code />
          {props.places && named.namespace && (
            <>
              {' '}
              <span className="hpgov-Muted">
                <Text value={named.namespace} />
              </span>
            </>
          )}
          {!named.read && (
            <span className="hpgov-Tag">{trans.__('not read')}</span>
          )}
        </li>
      ))}
    </ul>
  );
}
