import * as React from 'react';
import { text } from '../format/text';
import type { Identity, PartIdentity, Place } from '../wire';
import { keyedNames } from './keys';
import { PartView, shown } from './part';
import { PhraseLine, Said, Text } from './words';
import { useUi } from './ui';

/** The last part of an ARN is what a person recognises; the whole stands in the tooltip. */
export function shortName(identity: Identity): string | null {
  const { arn, username } = identity;
  if (!arn) {
    return username;
  }
  const [, , , , , rest] = arn.split(':', 6);
  const parts = (rest ?? arn).split('/');
  // assumed-role/<role>/<session>: the role is what holds rights, the session only says who uses it.
  return parts[0] === 'assumed-role' && parts.length > 2
    ? parts[1]
    : parts[parts.length - 1] || arn;
}

/** Whose identity reads: rights are this identity's, not the person's. */
export function IdentityLine(props: {
  identity: PartIdentity;
  label: string;
}): JSX.Element {
  return (
    <PartView part={props.identity} what={props.label} quiet>
      {identity => (
        <span className="hpgov-Identity">
          {props.label}{' '}
          <strong title={text(identity.arn ?? identity.username ?? '')}>
            <Text value={shortName(identity) ?? '–'} />
          </strong>
          {identity.note && (
            <span className="hpgov-Identity-note">
              {' '}
              <PhraseLine phrase={identity.note} />
            </span>
          )}
        </span>
      )}
    </PartView>
  );
}

/** Everything known of an identity, for the Access tab. */
export function IdentityFacts(props: { identity: PartIdentity }): JSX.Element {
  const { trans } = useUi();
  const identity = shown(props.identity);
  return (
    <PartView part={props.identity} what={trans.__('Identity')}>
      {() =>
        identity && (
          <dl className="hpgov-Facts">
            {identity.arn && (
              <>
                <dt>{trans.__('AWS')}</dt>
                <dd>
                  <Text value={identity.arn} code />
                </dd>
              </>
            )}
            {identity.username && (
              <>
                <dt>{trans.__('Kubernetes')}</dt>
                <dd>
                  <Text value={identity.username} code />
                  {identity.groups.length > 0 && (
                    <div className="hpgov-Muted">
                      {trans.__('Groups')}:{' '}
                      {keyedNames(identity.groups).map(([key, group], i) => (
                        <React.Fragment key={key}>
                          {i > 0 && ', '}
                          <Text value={group} />
                        </React.Fragment>
                      ))}
                    </div>
                  )}
                </dd>
              </>
            )}
            {identity.method && (
              <>
                <dt>{trans.__('Credentials')}</dt>
                <dd>
                  <Text value={identity.method} code />
                </dd>
              </>
            )}
            {identity.note && (
              <>
                <dt>{trans.__('Note')}</dt>
                <dd>
                  <PhraseLine phrase={identity.note} />
                </dd>
              </>
            )}
          </dl>
        )
      }
    </PartView>
  );
}

/** Where this server runs, in one line. */
export function PlaceLine(props: { place: Place }): JSX.Element {
  const { trans } = useUi();
  const { place } = props;
  const project = place.project_name ?? place.project_id;
  return (
    <span>
      {project && (
        <>
          {trans.__('Project')}{' '}
          <strong title={text(place.project_id ?? '')}>
            <Text value={project} />
          </strong>
          {' · '}
        </>
      )}
      {placeName(trans, place.kind)}
      <span className="hpgov-Muted">
        {' '}
        (<Said code={place.evidence} then={false} />)
      </span>
    </span>
  );
}

function placeName(
  trans: ReturnType<typeof useUi>['trans'],
  kind: Place['kind']
): string {
  switch (kind) {
    case 'unified_studio':
      return trans.__('SageMaker Unified Studio');
    case 'studio':
      return trans.__('SageMaker AI Studio');
    case 'space':
      return trans.__('HyperPod Space');
    case 'pod':
      return trans.__('a pod');
    default:
      return trans.__('outside SageMaker');
  }
}
