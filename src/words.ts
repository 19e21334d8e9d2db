// Generated from hpgov_jlab/words.py by `python -m hpgov_jlab.wire`; do not edit.

import type { TranslationBundle } from '@jupyterlab/translation';

/** A named parameter of a phrase, made readable: times, durations, amounts and counts each in their own way. */
export type Shown = (name: string) => string;

/** The sentence and the next step of one code, or null for a code that this bundle does not know. */
export interface ISaid {
  text: string;
  then: string | null;
}

/** What to call each of these; an unknown one is shown as it is. */
export function stateLabel(trans: TranslationBundle, code: string): string {
  switch (code) {
    case 'ok':
      return trans.__('Read');
    case 'pending':
      return trans.__('Being read');
    case 'denied':
      return trans.__('Not readable by your role');
    case 'absent':
      return trans.__('Not there');
    case 'unreachable':
      return trans.__('Not reached');
    case 'throttled':
      return trans.__('Asked to slow down');
    case 'expired':
      return trans.__('Credentials expired');
    case 'not_configured':
      return trans.__('Not configured');
    case 'invalid':
      return trans.__('Not usable');
    default:
      return code;
  }
}

/** What to call each of these; an unknown one is shown as it is. */
export function layerLabel(trans: TranslationBundle, code: string): string {
  switch (code) {
    case 'organisation':
      return trans.__('organisation');
    case 'project':
      return trans.__('project');
    case 'cluster':
      return trans.__('cluster');
    case 'workload':
      return trans.__('workload');
    default:
      return code;
  }
}

/** What to call each of these; an unknown one is shown as it is. */
export function askLabel(trans: TranslationBundle, code: string): string {
  switch (code) {
    case 'nobody':
      return trans.__('nobody: it passes by itself');
    case 'you':
      return trans.__('you');
    case 'project_owner':
      return trans.__('the owner of the project');
    case 'account_admin':
      return trans.__('the administrator of the AWS account');
    case 'organisation_admin':
      return trans.__('the administrators of your organisation in AWS');
    case 'cluster_admin':
      return trans.__('the administrator of the cluster');
    case 'jupyter_admin':
      return trans.__('the administrator of this JupyterLab');
    case 'contract_owner':
      return trans.__('the owner of the connection contract');
    default:
      return code;
  }
}

/** What to call each of these; an unknown one is shown as it is. */
export function standingLabel(trans: TranslationBundle, code: string): string {
  switch (code) {
    case 'in_force':
      return trans.__('in force');
    case 'on_record':
      return trans.__('on record');
    case 'review_due':
      return trans.__('in force, review due');
    case 'draft':
      return trans.__('a draft');
    case 'not_yet':
      return trans.__('begins later');
    case 'expired':
      return trans.__('expired');
    case 'revoked':
      return trans.__('revoked');
    case 'decommissioned':
      return trans.__('decommissioned');
    case 'invalid':
      return trans.__('not usable as written');
    case 'ambiguous':
      return trans.__('two records match');
    case 'unmatched':
      return trans.__('may be about this connection');
    case 'unknown':
      return trans.__('not known');
    case 'none':
      return trans.__('none on record');
    default:
      return code;
  }
}

/** What to call each of these; an unknown one is shown as it is. */
export function awsStatusLabel(trans: TranslationBundle, code: string): string {
  switch (code) {
    case 'Creating':
      return trans.__('being created');
    case 'InService':
      return trans.__('in service');
    case 'Updating':
      return trans.__('being updated');
    case 'SystemUpdating':
      return trans.__('system being updated');
    case 'RollingBack':
      return trans.__('rolling back');
    case 'Deleting':
      return trans.__('being deleted');
    case 'Failed':
      return trans.__('failed');
    case 'CREATING':
      return trans.__('being created');
    case 'ACTIVE':
      return trans.__('in service');
    case 'UPDATING':
      return trans.__('being updated');
    case 'PENDING':
      return trans.__('not created yet');
    case 'DELETING':
      return trans.__('being deleted');
    case 'FAILED':
      return trans.__('failed');
    default:
      return code;
  }
}

/** The sentence behind a code. */
export function say(
  trans: TranslationBundle,
  code: string,
  p: Shown
): ISaid | null {
  switch (code) {
    // reads
    case 'read':
      return { text: trans.__('Read.'), then: null };
    case 'not_read_yet':
      return { text: trans.__('Not read yet.'), then: null };
    case 'waits_for':
      return {
        text: trans.__('Waits for another read: %1.', p('read')),
        then: null
      };
    case 'deadline':
      return {
        text: trans.__('No answer within %1.', p('limit_seconds')),
        then: trans.__(
          'It is tried again by itself; what was read before stays, with its age.'
        )
      };
    case 'workers_busy':
      return {
        text: trans.__(
          'Earlier reads of this far end still hang; no new one is started.'
        ),
        then: trans.__('It is tried again by itself.')
      };
    case 'way_silent':
      return {
        text: trans.__(
          'Nothing was heard of other AWS services; this one was not asked.'
        ),
        then: trans.__(
          'It is asked by itself soon. If that lasts, check the network of this place.'
        )
      };
    case 'internal_scope':
      return {
        text: trans.__(
          'This extension failed while putting %1 together (%2). That is our fault, not your rights. What else is shown stands.',
          p('scope'),
          p('kind')
        ),
        then: trans.__("Report it with the server's log.")
      };
    case 'internal':
      return {
        text: trans.__(
          'This extension failed while reading (%1). That is our fault, not your rights.',
          p('kind')
        ),
        then: trans.__("Report it with the server's log.")
      };
    case 'stopping':
      return { text: trans.__('The server is stopping.'), then: null };
    case 'asked_when_needed':
      return { text: trans.__('Asked only when a page needs it.'), then: null };
    // aws
    case 'no_identity_policy_allows':
      return {
        text: trans.__(
          'No policy of the role that reads allows %1 (on %2).',
          p('action'),
          p('resource')
        ),
        then: trans.__('Ask for the statement on the Access tab.')
      };
    case 'identity_policy_denies':
      return {
        text: trans.__(
          'A policy of the role that reads denies %1 (on %2).',
          p('action'),
          p('resource')
        ),
        then: trans.__("Ask who keeps that role's policies.")
      };
    case 'no_resource_policy_allows':
      return {
        text: trans.__(
          "The resource's own policy (%1) does not allow %2.",
          p('resource'),
          p('action')
        ),
        then: trans.__('Ask the owner of that resource.')
      };
    case 'resource_policy_denies':
      return {
        text: trans.__(
          "The resource's own policy (%1) denies %2.",
          p('resource'),
          p('action')
        ),
        then: trans.__('Ask the owner of that resource.')
      };
    case 'no_permissions_boundary_allows':
      return {
        text: trans.__(
          'The permissions boundary of the role that reads leaves %1 out; a further policy on the role does not help.',
          p('action')
        ),
        then: trans.__('Ask who keeps the boundary.')
      };
    case 'permissions_boundary_denies':
      return {
        text: trans.__(
          'The permissions boundary of the role that reads denies %1; a further policy on the role does not help.',
          p('action')
        ),
        then: trans.__('Ask who keeps the boundary.')
      };
    case 'no_service_control_policy_allows':
      return {
        text: trans.__(
          'Your organisation allows %1 in no service control policy of this account.',
          p('action')
        ),
        then: trans.__("Ask the organisation's administrators.")
      };
    case 'service_control_policy_denies':
      return {
        text: trans.__(
          'A service control policy of your organisation denies %1.',
          p('action')
        ),
        then: trans.__("Ask the organisation's administrators.")
      };
    case 'no_resource_control_policy_allows':
      return {
        text: trans.__(
          "Your organisation's resource control policies do not allow %1.",
          p('action')
        ),
        then: trans.__("Ask the organisation's administrators.")
      };
    case 'resource_control_policy_denies':
      return {
        text: trans.__(
          'A resource control policy of your organisation denies %1.',
          p('action')
        ),
        then: trans.__("Ask the organisation's administrators.")
      };
    case 'no_session_policy_allows':
      return {
        text: trans.__(
          'The session that reads was limited when it was made, and %1 is not in it.',
          p('action')
        ),
        then: null
      };
    case 'session_policy_denies':
      return {
        text: trans.__(
          'The session that reads was limited when it was made: %1 is denied in it.',
          p('action')
        ),
        then: null
      };
    case 'no_vpc_endpoint_policy_allows':
      return {
        text: trans.__(
          'The VPC endpoint on the way does not let %1 through.',
          p('action')
        ),
        then: trans.__('Ask who keeps this network.')
      };
    case 'vpc_endpoint_policy_denies':
      return {
        text: trans.__('The VPC endpoint on the way denies %1.', p('action')),
        then: trans.__('Ask who keeps this network.')
      };
    case 'no_trust_policy_allows':
      return {
        text: trans.__(
          "The role's trust policy (%1) does not let the project role assume it with this project's ExternalId.",
          p('resource')
        ),
        then: trans.__('Ask for the trust statement on the Access tab.')
      };
    case 'trust_policy_denies':
      return {
        text: trans.__(
          "The role's trust policy (%1) denies %2.",
          p('resource'),
          p('action')
        ),
        then: trans.__('Ask who keeps that role.')
      };
    case 'trust_lacks_tag_session':
      return {
        text: trans.__(
          "The role's trust policy (%1) lacks the statement for sts:TagSession with the project's tags.",
          p('resource')
        ),
        then: trans.__('Ask for the trust statement on the Access tab.')
      };
    case 'trust_lacks_source_identity':
      return {
        text: trans.__(
          "The role's trust policy (%1) lacks the statement for sts:SetSourceIdentity, which attributes the person.",
          p('resource')
        ),
        then: trans.__('Ask for the trust statement on the Access tab.')
      };
    case 'assume_role_refused':
      return {
        text: trans.__(
          "The role (%1) may not be assumed. AWS does not say whether its trust policy or the project role's policy is missing.",
          p('resource')
        ),
        then: trans.__('Ask for both statements on the Access tab.')
      };
    case 'a_policy_denies':
      return {
        text: trans.__(
          'A policy denies %1 (on %2); AWS does not say which.',
          p('action'),
          p('resource')
        ),
        then: trans.__('Ask the administrators of the account.')
      };
    case 'denied_without_reason':
      return {
        text: trans.__(
          'AWS refuses %1 (on %2) and does not say why.',
          p('action'),
          p('resource')
        ),
        then: trans.__('Ask for the statement on the Access tab.')
      };
    case 'not_a_project_member':
      return {
        text: trans.__(
          'DataZone does not take the role that reads for a member of this project (%1).',
          p('action')
        ),
        then: trans.__("Ask the project's owner to add it.")
      };
    case 'web_identity_refused':
      return {
        text: trans.__(
          "AWS does not take the service account's token for a role."
        ),
        then: trans.__("Ask who set up this pod's role.")
      };
    case 'keys_not_known':
      return {
        text: trans.__(
          'AWS does not know these keys in %1. It says the same where a Region is not enabled for the account.',
          p('region')
        ),
        then: null
      };
    case 'signature_rejected':
      return {
        text: trans.__(
          'AWS does not accept the signature made with these keys.'
        ),
        then: trans.__(
          'Restart this server; if it stays, tell its administrator.'
        )
      };
    case 'no_credentials':
      return {
        text: trans.__(
          'There are no AWS credentials here that this place may use.'
        ),
        then: trans.__(
          'Elsewhere than on SageMaker, name a profile in HpgovSettings.profile.'
        )
      };
    case 'credentials_expired':
      return {
        text: trans.__(
          'AWS says that the credentials have expired (%1), and no newer ones are to be had.',
          p('method')
        ),
        then: trans.__('Restart the space, or log in again.')
      };
    case 'credentials_not_renewed':
      return {
        text: trans.__(
          'The source of the credentials does not renew them (%1).',
          p('method')
        ),
        then: trans.__(
          'Restart the space; if it stays, tell its administrator.'
        )
      };
    case 'credentials_already_expired':
      return {
        text: trans.__(
          "The source of the credentials hands out expired ones (%1), or this machine's clock is wrong.",
          p('method')
        ),
        then: trans.__('Restart the space, or check its clock.')
      };
    case 'credential_endpoint_not_allowed':
      return {
        text: trans.__(
          'The container credential endpoint in the environment is none that SageMaker, ECS or EKS uses.'
        ),
        then: null
      };
    case 'token_file_unreadable':
      return {
        text: trans.__(
          'The file with the token for credentials cannot be read (%1).',
          p('method')
        ),
        then: null
      };
    case 'profile_not_found':
      return {
        text: trans.__(
          'The AWS profile in HpgovSettings.profile does not exist.'
        ),
        then: null
      };
    case 'profile_unusable':
      return {
        text: trans.__(
          'The AWS profile in HpgovSettings.profile cannot be used here.'
        ),
        then: null
      };
    case 'process_not_allowed':
      return {
        text: trans.__('The AWS profile runs a program for its credentials.'),
        then: trans.__(
          'If that is meant, set HpgovSettings.allow_process_credentials.'
        )
      };
    case 'sso_login_over':
      return {
        text: trans.__('The SSO login has ended.'),
        then: trans.__('Log in again with aws sso login.')
      };
    case 'unexpected_identity':
      return {
        text: trans.__(
          'AWS knows these credentials as %1; expected was %2. Nothing more is read with them.',
          p('arn'),
          p('expected')
        ),
        then: trans.__(
          'Restart the space; if it stays, tell its administrator.'
        )
      };
    case 'unexpected_method':
      return {
        text: trans.__(
          'The credentials come from %1, which this place does not use. Nothing is read with them.',
          p('method')
        ),
        then: null
      };
    case 'aws_throttled':
      return {
        text: trans.__(
          'AWS asks to slow down (%1). Its limit is shared by everybody in the account.',
          p('service')
        ),
        then: trans.__('It is tried again by itself.')
      };
    case 'aws_out_of_order':
      return {
        text: trans.__(
          'AWS answers with a fault of its own (%1, %2).',
          p('service'),
          p('status')
        ),
        then: trans.__('It is tried again by itself.')
      };
    case 'aws_not_reached':
      return {
        text: trans.__(
          '%1 in %2 cannot be reached from here.',
          p('service'),
          p('region')
        ),
        then: trans.__(
          'Check the network, or the VPC endpoint for this service.'
        )
      };
    case 'aws_too_slow':
      return {
        text: trans.__(
          '%1 in %2 did not answer in time.',
          p('service'),
          p('region')
        ),
        then: trans.__('It is tried again by itself.')
      };
    case 'aws_cut_off':
      return {
        text: trans.__(
          'The connection to %1 in %2 broke off.',
          p('service'),
          p('region')
        ),
        then: trans.__('It is tried again by itself.')
      };
    case 'aws_tls_refused':
      return {
        text: trans.__(
          'The certificate of %1 in %2 is not trusted here.',
          p('service'),
          p('region')
        ),
        then: trans.__(
          'If a proxy opens TLS here, its CA has to be in AWS_CA_BUNDLE.'
        )
      };
    case 'proxy_unreachable':
      return {
        text: trans.__(
          'The proxy on the way to %1 cannot be reached.',
          p('service')
        ),
        then: trans.__('Check HTTPS_PROXY and NO_PROXY.')
      };
    case 'proxy_wants_login':
      return {
        text: trans.__('The proxy on the way to AWS wants a login.'),
        then: null
      };
    case 'proxy_page':
      return {
        text: trans.__(
          'Something on the way answered with a page instead of AWS (status %1).',
          p('status')
        ),
        then: trans.__('Check the proxy of this network.')
      };
    case 'not_aws_answer':
      return {
        text: trans.__(
          'Something on the way answered with a page and status %1: a login page of a network or proxy, not AWS.',
          p('status')
        ),
        then: null
      };
    case 'clock_skew':
      return {
        text: trans.__(
          "This machine's clock differs from AWS's (by %1), so signatures are refused.",
          p('skew_seconds')
        ),
        then: trans.__('Set the clock.')
      };
    case 'region_not_enabled':
      return {
        text: trans.__('%1 is not enabled for this account.', p('region')),
        then: trans.__('Ask who manages the account.')
      };
    case 'wrong_region':
      return {
        text: trans.__(
          '%1 says that %2 is not the Region of what was asked for.',
          p('service'),
          p('region')
        ),
        then: trans.__(
          'Give its Region where it is named: in hpgov.yaml, or in HpgovSettings.'
        )
      };
    case 'region_malformed':
      return {
        text: trans.__(
          'What stands in %1 is not the name of a Region.',
          p('where')
        ),
        then: null
      };
    case 'no_region':
      return {
        text: trans.__('Nothing says which AWS Region to ask.'),
        then: trans.__('Set HpgovSettings.region or AWS_REGION.')
      };
    case 'no_aws_here':
      return {
        text: trans.__('This place has no AWS identity, so AWS is not asked.'),
        then: trans.__('What the cluster itself says is read without it.')
      };
    case 'endpoint_not_allowed':
      return {
        text: trans.__(
          'The configured endpoint for %1 is not an https address of that AWS service.',
          p('service')
        ),
        then: trans.__('Correct HpgovSettings.endpoint_overrides.')
      };
    case 'sandbox_endpoint_missing':
      return {
        text: trans.__(
          'The sandbox has no far end for %1; the real one is never asked instead.',
          p('service')
        ),
        then: null
      };
    case 'answer_unusable':
      return {
        text: trans.__(
          'The answer to %1 cannot be used: it is not whole, or not in the form AWS documents.',
          p('action')
        ),
        then: null
      };
    case 'pages_repeat':
      return {
        text: trans.__(
          'The list of %1 goes round in a circle: a page was offered twice.',
          p('action')
        ),
        then: null
      };
    case 'too_many_pages':
      return {
        text: trans.__(
          'The list of %1 is longer than this product reads; it is not shown in part.',
          p('action')
        ),
        then: null
      };
    case 'request_refused':
      return {
        text: trans.__(
          'AWS refuses the request %1 as it is (%2).',
          p('action'),
          p('code')
        ),
        then: trans.__('That is our fault, not your rights: report it.')
      };
    case 'session_policy_refused':
      return {
        text: trans.__(
          'AWS refuses the session policy of this product (%1).',
          p('code')
        ),
        then: trans.__('That is our fault, not your rights: report it.')
      };
    case 'aws_said':
      return {
        text: trans.__(
          'AWS answered %1 with an error that is not known here (%2).',
          p('action'),
          p('code')
        ),
        then: null
      };
    case 'guard_refused':
      return {
        text: trans.__(
          'This extension was about to send %1 in a way that its own allow list does not have. It was not sent.',
          p('action')
        ),
        then: trans.__('That is our fault: report it.')
      };
    case 'cluster_not_found':
      return {
        text: trans.__('There is no such HyperPod cluster in %1.', p('region')),
        then: trans.__(
          "It may have been deleted: ask the cluster's administrator."
        )
      };
    case 'eks_cluster_not_found':
      return {
        text: trans.__('There is no such EKS cluster in %1.', p('region')),
        then: trans.__(
          "It may have been deleted: ask the cluster's administrator."
        )
      };
    case 'project_not_found':
      return {
        text: trans.__(
          'DataZone in %1 does not know this domain, project or connection.',
          p('region')
        ),
        then: null
      };
    case 'role_not_found':
      return { text: trans.__('AWS does not know this role.'), then: null };
    case 'bucket_not_found':
      return {
        text: trans.__('The bucket of the contracts does not exist.'),
        then: null
      };
    case 'object_not_found':
      return {
        text: trans.__('The contract is no longer in its bucket.'),
        then: null
      };
    case 'object_empty':
      return { text: trans.__("The contract's object is empty."), then: null };
    case 'no_eks_cluster':
      return {
        text: trans.__(
          'This cluster is run by %1, not by EKS.',
          p('orchestrator')
        ),
        then: null
      };
    case 'target_mismatch':
      return {
        text: trans.__(
          'The facts of this connection do not belong together (%1: %2 against %3). No role was assumed and no token signed.',
          p('what'),
          p('wanted'),
          p('found')
        ),
        then: trans.__("Ask the project's owner to check the connection.")
      };
    case 'no_access_role':
      return {
        text: trans.__(
          'This connection has no access role, and the project role cannot read clusters.'
        ),
        then: trans.__("Ask the project's owner to add one.")
      };
    case 'no_user_id':
      return {
        text: trans.__(
          'The space does not say who uses it (DataZoneUserId), so the access role is not assumed: nobody could be named for it.'
        ),
        then: null
      };
    case 'endpoint_private':
      return {
        text: trans.__(
          'The API server has a private endpoint only (%1), and there is no route to it from here.',
          p('host')
        ),
        then: trans.__(
          "Ask for a route from this network to the cluster's VPC."
        )
      };
    case 'endpoint_limited_to_networks':
      return {
        text: trans.__(
          "The API server's endpoint is open to %1 networks only, and this one seems not to be among them.",
          p('count')
        ),
        then: trans.__('Ask for this network to be added.')
      };
    case 'endpoint_none_yet':
      return {
        text: trans.__(
          'The EKS cluster has no endpoint yet (state: %1).',
          p('aws_status')
        ),
        then: null
      };
    // place
    case 'cluster_not_named':
      return {
        text: trans.__(
          "Which HyperPod cluster this pod runs on can't be seen from inside it, so AWS is not asked for its state and nodes."
        ),
        then: trans.__('Name it in HpgovSettings.connections.')
      };
    case 'place_by_metadata':
      return {
        text: trans.__("SageMaker's metadata file says so."),
        then: null
      };
    case 'place_by_environment':
      return {
        text: trans.__('The DataZone variables of the environment say so.'),
        then: null
      };
    case 'place_by_service_account':
      return {
        text: trans.__("A service account's token is mounted here."),
        then: null
      };
    case 'place_by_workspace':
      return {
        text: trans.__('The Workspace of this pod was read.'),
        then: null
      };
    case 'place_by_trait':
      return { text: trans.__('HpgovSettings.place says so.'), then: null };
    case 'place_by_absence':
      return { text: trans.__('Nothing here says otherwise.'), then: null };
    case 'place_incomplete':
      return {
        text: trans.__(
          'This is Unified Studio, but the domain or the project is not said.'
        ),
        then: trans.__(
          'Restart the space; if it stays, tell its administrator.'
        )
      };
    case 'no_clusters_configured':
      return {
        text: trans.__(
          'No cluster is named here: this is neither SageMaker nor a pod on a cluster.'
        ),
        then: trans.__(
          'Name one in HpgovSettings.connections, or a kubeconfig in HpgovSettings.kubeconfig.'
        )
      };
    case 'trait_connection_invalid':
      return {
        text: trans.__(
          "Entry %1 of HpgovSettings.connections can't be used: %2.",
          p('number'),
          p('field')
        ),
        then: trans.__("Correct it in the server's configuration.")
      };
    case 'metadata_malformed':
      return {
        text: trans.__(
          "SageMaker's metadata file cannot be used (%1).",
          p('why')
        ),
        then: trans.__(
          'Restart the space; if it stays, tell its administrator.'
        )
      };
    // kubernetes
    case 'k8s_denied':
      return {
        text: trans.__(
          'Your role may not %1 (%2).',
          p('operation'),
          p('scope')
        ),
        then: trans.__('Ask for this right with the text on the Access tab.')
      };
    case 'k8s_denied_these':
      return {
        text: trans.__('Your role may do none of these reads.'),
        then: trans.__('Ask for the rights with the text above.')
      };
    case 'k8s_access_entry_gone':
      return {
        text: trans.__(
          'The cluster refused a token signed just now: the role you read with has no access entry on it.'
        ),
        then: trans.__('Ask for the access entry of this role.')
      };
    case 'k8s_token_refused':
      return {
        text: trans.__(
          'The cluster refused the token; a new one is asked for.'
        ),
        then: trans.__('It is tried again by itself.')
      };
    case 'k8s_clock_off':
      return {
        text: trans.__(
          "The cluster refused the token, and its clock differs from this server's by %1.",
          p('skew_seconds')
        ),
        then: trans.__("Set this server's clock.")
      };
    case 'k8s_namespace_out_of_scope':
      return {
        text: trans.__(
          "%1 is not in this connection's scope, so nothing is asked about it.",
          p('scope')
        ),
        then: null
      };
    case 'k8s_review_budget':
      return {
        text: trans.__(
          'At most %1 questions about rights in %2 are sent in five minutes.',
          p('limit'),
          p('scope')
        ),
        then: trans.__('Asked again after %1.', p('retry_after_seconds'))
      };
    case 'k8s_not_served':
      return {
        text: trans.__(
          'This cluster does not have it: %1 is not among what its API server offers.',
          p('operation')
        ),
        then: null
      };
    case 'k8s_unknown_version':
      return {
        text: trans.__(
          'This cluster offers %1 only in versions that this extension cannot read (%2).',
          p('operation'),
          p('served')
        ),
        then: trans.__('Update this extension.')
      };
    case 'k8s_not_found':
      return {
        text: trans.__(
          'Not there: %1 found nothing of the name %2.',
          p('operation'),
          p('scope')
        ),
        then: null
      };
    case 'k8s_list_cut':
      return {
        text: trans.__(
          'More is there than is read here: %1 was cut after %2 objects (namespace %3).',
          p('operation'),
          p('count'),
          p('scope')
        ),
        then: null
      };
    case 'k8s_queues_left_out':
      return {
        text: trans.__(
          '%1 more queues of %2 are not read: there are too many to ask for each. Those that most tasks name are read.',
          p('count'),
          p('scope')
        ),
        then: null
      };
    case 'k8s_list_unread':
      return {
        text: trans.__(
          'Objects of %1 whose shape is not known here, so that they are missing: %2 (namespace %3).',
          p('operation'),
          p('count'),
          p('scope')
        ),
        then: trans.__('Update this extension.')
      };
    case 'k8s_cohort_not_whole':
      return {
        text: trans.__(
          'The list (%1) is not whole, so no sum over it is shown.',
          p('operation')
        ),
        then: null
      };
    case 'k8s_throttled':
      return {
        text: trans.__('The API server asks to slow down.'),
        then: trans.__('It is asked again after %1.', p('retry_after_seconds'))
      };
    case 'k8s_server_error':
      return {
        text: trans.__('The API server failed with status %1.', p('status')),
        then: trans.__('It is tried again by itself.')
      };
    case 'k8s_conversion_down':
      return {
        text: trans.__(
          'Kueue did not answer when the API server had its objects converted.'
        ),
        then: trans.__("Tell the administrator that Kueue's webhook is down.")
      };
    case 'k8s_visibility_down':
      return {
        text: trans.__(
          "Kueue's visibility API did not answer (status %1): places in line are not known from it.",
          p('status')
        ),
        then: null
      };
    case 'k8s_list_expired':
      return {
        text: trans.__('The list changed faster than it could be read, twice.'),
        then: trans.__('It is tried again by itself.')
      };
    case 'k8s_no_such_host':
      return {
        text: trans.__(
          'The name %1 of the API server is not known here.',
          p('host')
        ),
        then: trans.__(
          "A private endpoint's name is known in its own network only."
        )
      };
    case 'k8s_no_route':
      return {
        text: trans.__(
          'No connection to %1 within the time: no route, or a security group in between.',
          p('host')
        ),
        then: trans.__('Ask for the network path to the API server.')
      };
    case 'k8s_refused':
      return {
        text: trans.__('%1 refused the connection.', p('host')),
        then: trans.__('It is tried again by itself.')
      };
    case 'k8s_proxy':
      return {
        text: trans.__(
          'The configured proxy did not let the connection to %1 through.',
          p('host')
        ),
        then: trans.__('Check the trait HpgovSettings.proxy.')
      };
    case 'k8s_wrong_certificate':
      return {
        text: trans.__(
          "%1 showed a certificate that is not from this cluster's CA; nothing was sent.",
          p('host')
        ),
        then: trans.__(
          'Something answers in its place: tell whoever runs this network.'
        )
      };
    case 'k8s_tls':
      return {
        text: trans.__('No TLS with %1.', p('host')),
        then: trans.__('It is tried again by itself.')
      };
    case 'k8s_cut':
      return {
        text: trans.__('%1 ended the answer before it was whole.', p('host')),
        then: trans.__('It is tried again by itself.')
      };
    case 'k8s_redirect':
      return {
        text: trans.__(
          'The API server answered with a redirect (status %1), which is not followed.',
          p('status')
        ),
        then: null
      };
    case 'k8s_not_json':
      return {
        text: trans.__('What answered is not an API server: no JSON came.'),
        then: trans.__("A proxy's or portal's page may stand in between.")
      };
    case 'k8s_shape':
      return {
        text: trans.__(
          'The answer to %1 has an unknown shape.',
          p('operation')
        ),
        then: null
      };
    case 'k8s_too_large':
      return {
        text: trans.__(
          'The answer is larger than %1 bytes and was cut off.',
          p('limit_bytes')
        ),
        then: null
      };
    case 'k8s_not_understood':
      return {
        text: trans.__(
          'The API server did not take the request (%1, status %2). That is our fault, not your rights.',
          p('operation'),
          p('status')
        ),
        then: null
      };
    case 'k8s_guard':
      return {
        text: trans.__(
          'A request outside the allow list was held back (%1). That is our fault, not your rights.',
          p('rule')
        ),
        then: trans.__("Report it with the server's log.")
      };
    case 'k8s_name_not_valid':
      return {
        text: trans.__(
          'This is no %1 that Kubernetes would take: small letters, digits and hyphens.',
          p('rule')
        ),
        then: trans.__('Correct the name.')
      };
    case 'k8s_bad_endpoint':
      return {
        text: trans.__(
          "The API server's address is not of the form https://host:port."
        ),
        then: null
      };
    case 'k8s_bad_ca':
      return {
        text: trans.__(
          "The cluster's CA certificate cannot be read; without it nothing is sent."
        ),
        then: null
      };
    case 'k8s_no_service_account':
      return {
        text: trans.__('This is no pod with a mounted service account.'),
        then: null
      };
    case 'k8s_token_file':
      return { text: trans.__("The token's file cannot be read."), then: null };
    case 'k8s_kubeconfig_unreadable':
      return {
        text: trans.__(
          'The kubeconfig %1 cannot be read: it must be a regular file of at most 256 KiB.',
          p('file')
        ),
        then: null
      };
    case 'k8s_kubeconfig_malformed':
      return {
        text: trans.__(
          'The kubeconfig %1 cannot be used: %2 (line %3).',
          p('file'),
          p('rule'),
          p('line')
        ),
        then: null
      };
    case 'k8s_kubeconfig_no_entry':
      return {
        text: trans.__(
          'The kubeconfig %1 has no such entry under %2.',
          p('file'),
          p('section')
        ),
        then: trans.__('Check the trait HpgovSettings.kubeconfig_context.')
      };
    case 'k8s_kubeconfig_refused':
      return {
        text: trans.__(
          'Context %1 of %2 uses %3, which this extension does not run or honour.',
          p('name'),
          p('file'),
          p('key')
        ),
        then: trans.__('Use a context with a server, its CA and a token.')
      };
    case 'k8s_kubeconfig_no_token':
      return {
        text: trans.__('Context %1 of %2 has no token.', p('name'), p('file')),
        then: trans.__('Use a context with a server, its CA and a token.')
      };
    // tasks
    case 'waits_not_evaluated':
      return {
        text: trans.__('Kueue has not looked at it yet.'),
        then: trans.__(
          'Usually a matter of seconds. If it stays, ask the administrator of the cluster whether Kueue runs.'
        )
      };
    case 'waits_no_workload':
      return {
        text: trans.__(
          'Kueue has made no Workload for it, so it is in no line.'
        ),
        then: trans.__(
          'Usually a matter of seconds. If it stays, check the queue name and that this kind of task is governed here.'
        )
      };
    case 'waits_workloads_not_readable':
      return {
        text: trans.__(
          "Suspended under a queue's name; whether it stands in line or was stopped can't be read (workloads.kueue.x-k8s.io)."
        ),
        then: trans.__(
          'Where a right is missing, the Access tab says who grants it.'
        )
      };
    case 'suspended_workload_not_among_read':
      return {
        text: trans.__(
          "Suspended under a queue's name; its Workload is not among those that could be read, so whether it stands in line or was stopped is not known."
        ),
        then: trans.__('The note under the list says what is missing from it.')
      };
    case 'workload_not_among_read':
      return {
        text: trans.__(
          'Governed by a queue; its Workload is not among those that could be read, so how it stands is not known.'
        ),
        then: null
      };
    case 'waits_back_off':
      return {
        text: trans.__(
          'Stopped and put back (%1 times); Kueue looks at it again at %2.',
          p('count'),
          p('until_at')
        ),
        then: trans.__('Nothing to do until then; look at why it was stopped.')
      };
    case 'waits_no_queue_name':
      return {
        text: trans.__('It names no queue.'),
        then: trans.__(
          "Set the label kueue.x-k8s.io/queue-name to your team's LocalQueue."
        )
      };
    case 'waits_local_queue_missing':
      return {
        text: trans.__(
          'There is no LocalQueue %1 in this namespace.',
          p('queue')
        ),
        then: trans.__(
          'Correct the label kueue.x-k8s.io/queue-name and submit it again.'
        )
      };
    case 'waits_local_queue_stopped':
      return {
        text: trans.__(
          'The LocalQueue %1 is stopped (%2).',
          p('queue'),
          p('policy')
        ),
        then: trans.__(
          'Ask the administrator of the cluster when it opens again.'
        )
      };
    case 'waits_local_queue_inactive':
      return {
        text: trans.__('The LocalQueue %1 is not active.', p('queue')),
        then: trans.__(
          'Ask the administrator of the cluster: it is stopped, or its ClusterQueue is.'
        )
      };
    case 'waits_cluster_queue_missing':
      return {
        text: trans.__('There is no ClusterQueue %1.', p('queue')),
        then: trans.__(
          'Ask the administrator of the cluster: the LocalQueue points to nothing.'
        )
      };
    case 'waits_cluster_queue_inactive':
      return {
        text: trans.__('The ClusterQueue %1 is not active.', p('queue')),
        then: trans.__(
          'Ask the administrator of the cluster: it is stopped, or something that it names is missing.'
        )
      };
    case 'waits_namespace_not_selected':
      return {
        text: trans.__('The ClusterQueue does not accept this namespace.'),
        then: trans.__(
          "Ask the administrator of the cluster: its namespaceSelector does not match the namespace's labels."
        )
      };
    case 'queue_stopped':
      return {
        text: trans.__(
          'The ClusterQueue %1 is stopped (%2).',
          p('queue'),
          p('policy')
        ),
        then: trans.__(
          'Ask the administrator of the cluster when it opens again.'
        )
      };
    case 'queue_terminating':
      return {
        text: trans.__('The ClusterQueue %1 is being deleted.', p('queue')),
        then: trans.__(
          'Ask the administrator of the cluster which queue takes its place.'
        )
      };
    case 'queue_flavor_missing':
      return {
        text: trans.__(
          'The ClusterQueue %1 names a ResourceFlavor that does not exist (%2).',
          p('queue'),
          p('flavors')
        ),
        then: trans.__('Ask the administrator of the cluster to create it.')
      };
    case 'queue_check_missing':
      return {
        text: trans.__(
          'The ClusterQueue %1 names an admission check that does not exist.',
          p('queue')
        ),
        then: trans.__('Ask the administrator of the cluster.')
      };
    case 'queue_check_inactive':
      return {
        text: trans.__(
          'The ClusterQueue %1 names an admission check that is not active.',
          p('queue')
        ),
        then: trans.__('Ask the administrator of the cluster.')
      };
    case 'queue_topology_missing':
      return {
        text: trans.__(
          'The ClusterQueue %1 names a Topology that does not exist.',
          p('queue')
        ),
        then: trans.__('Ask the administrator of the cluster.')
      };
    case 'queue_inactive':
      return {
        text: trans.__(
          'The ClusterQueue %1 is not active (%2).',
          p('queue'),
          p('why')
        ),
        then: trans.__('Ask the administrator of the cluster.')
      };
    case 'local_queue_stopped':
      return {
        text: trans.__(
          'The LocalQueue %1 is stopped (%2).',
          p('queue'),
          p('policy')
        ),
        then: trans.__(
          'Ask the administrator of the cluster when it opens again.'
        )
      };
    case 'waits_exceeds_queue':
      return {
        text: trans.__(
          "It asks for more than this queue can ever hold with today's quotas: %1.",
          p('figures')
        ),
        then: trans.__(
          'Ask for less, or ask the administrator of the cluster for a larger quota. It will not be admitted as it is.'
        )
      };
    case 'waits_pod_exceeds_queue':
      return {
        text: trans.__(
          "One pod alone asks for more than this queue can ever hold with today's quotas: %1.",
          p('figures')
        ),
        then: trans.__(
          'Make each pod smaller, or ask the administrator of the cluster for a larger quota. It will not be admitted as it is.'
        )
      };
    case 'waits_exceeds_told':
      return {
        text: trans.__(
          'Kueue says that it asks for more than this queue can ever hold; the figures need rights on the cohort.'
        ),
        then: trans.__(
          'Ask for less, or ask the administrator of the cluster for a larger quota.'
        )
      };
    case 'next_smaller':
      return {
        text: trans.__(
          "At most %1 pods of this size would fit with today's quotas.",
          p('largest_pods')
        ),
        then: null
      };
    case 'waits_not_covered':
      return {
        text: trans.__(
          'The queue has no quota for %1, and so admits nothing that asks for it.',
          p('resources')
        ),
        then: trans.__(
          'Take the request for %1 out, or ask the administrator of the cluster to cover it.',
          p('resources')
        )
      };
    case 'waits_no_flavor':
      return {
        text: trans.__(
          'No flavour of the queue matches its node selector, affinity or tolerations.'
        ),
        then: trans.__(
          'Check instance type and tolerations against the flavours of the queue.'
        )
      };
    case 'waits_quota':
      return {
        text: trans.__(
          'Quota is not there now: short by at least %1 of %2 on %3. In full: %4.',
          p('amount_short'),
          p('resource'),
          p('flavor'),
          p('figures')
        ),
        then: trans.__(
          'It is admitted when enough is given back; asking for less may pass sooner.'
        )
      };
    case 'waits_to_borrow':
      return {
        text: trans.__(
          'It needs more than your unclaimed share and would borrow %1 of %2 on %3; the cohort does not give it. In full: %4.',
          p('amount_short'),
          p('resource'),
          p('flavor'),
          p('figures')
        ),
        then: trans.__(
          'It is admitted when the cohort can lend, or your own tasks end. Within the unclaimed share nothing has to be borrowed.'
        )
      };
    case 'waits_share_lent':
      return {
        text: trans.__(
          'It fits into your unclaimed share, and still is not admitted: others of the cohort hold that share, or Kueue has not looked again.'
        ),
        then: trans.__(
          "Lent share comes back by the queue's policy (see Share). Where that is Any, a higher priority does not bring it back sooner."
        )
      };
    case 'waits_turn':
      return {
        text: trans.__('Quota fits; Kueue has not taken its turn yet.'),
        then: trans.__(
          'Nothing to do: it is looked at again as soon as anything changes in the queue.'
        )
      };
    case 'waits_behind_own':
      return {
        text: trans.__(
          "%1 of your team's tasks are before it, and in this queue (StrictFIFO) none passes the first.",
          p('ahead')
        ),
        then: trans.__('By priority, then age.')
      };
    case 'waits_quota_told':
      return {
        text: trans.__(
          "Kueue says that quota is not there now; the figures can't be read."
        ),
        then: trans.__('It is admitted when enough is given back.')
      };
    case 'waits_for_stopped':
      return {
        text: trans.__(
          'Others are being stopped for it; it waits until they are gone.'
        ),
        then: trans.__('Nothing to do: it is admitted when they have ended.')
      };
    case 'waits_gang':
      return {
        text: trans.__(
          'Gang scheduling: Kueue admits the next task when the pods of those admitted before are ready.'
        ),
        then: trans.__(
          'Look for a task that is admitted and whose pods do not come up.'
        )
      };
    case 'waits_gated':
      return {
        text: trans.__('Held by a gate that somebody set on it.'),
        then: trans.__('Ask whoever set the gate.')
      };
    case 'waits_preemption_gate':
      return {
        text: trans.__(
          'It could stop others, and a gate on it forbids that for now.'
        ),
        then: trans.__('Ask whoever set the gate.')
      };
    case 'waits_kueue_suspended':
      return {
        text: trans.__('Its owner has suspended it.'),
        then: trans.__('Resume it where it was submitted.')
      };
    case 'waits_on_hold':
      return {
        text: trans.__('Its queue is on hold.'),
        then: trans.__(
          'Ask the administrator of the cluster when it opens again.'
        )
      };
    case 'waits_misconfigured':
      return {
        text: trans.__("Kueue can't admit it as the queue is set up."),
        then: trans.__(
          "Ask the administrator of the cluster; Kueue's own words stand beside this."
        )
      };
    case 'waits_topology':
      return {
        text: trans.__(
          'Quota fits, and no part of the network topology has room for its pods together.'
        ),
        then: trans.__(
          'Ask for fewer pods together, or a wider topology level; nodes may also be out of service.'
        )
      };
    case 'waits_queue_not_readable':
      return {
        text: trans.__(
          "Why it waits can't be computed: %1 (%2) is not readable (%3).",
          p('what'),
          p('queue'),
          p('state')
        ),
        then: trans.__(
          "See Access: it says who grants this. Kueue's own words stand beside this where it has any."
        )
      };
    case 'waits_reason_not_known':
      return {
        text: trans.__(
          "It waits in %1; the queue's figures do not say why.",
          p('queue')
        ),
        then: trans.__("Kueue's own words stand beside this where it has any.")
      };
    case 'checks_pending':
      return {
        text: trans.__(
          'Quota is held; it waits for the admission check %1.',
          p('checks')
        ),
        then: trans.__(
          "The check's own controller decides; ask the administrator of the cluster if it stays."
        )
      };
    case 'checks_retry':
      return {
        text: trans.__(
          'The admission check %1 asks to try again later; Kueue gives the quota back and looks again.',
          p('checks')
        ),
        then: null
      };
    case 'checks_rejected':
      return {
        text: trans.__('The admission check %1 rejected it.', p('checks')),
        then: trans.__(
          'Ask the administrator of the cluster why; it is deactivated.'
        )
      };
    case 'checks_done':
      return {
        text: trans.__(
          'Quota is held and no check is open; it is admitted next.'
        ),
        then: null
      };
    case 'starting_suspended':
      return {
        text: trans.__('Admitted; its operator has not resumed it yet.'),
        then: trans.__(
          "Usually a matter of seconds. If it stays, ask the administrator of the cluster for the operator's log."
        )
      };
    case 'starting_no_pods':
      return {
        text: trans.__('Admitted, and it has no pods yet.'),
        then: trans.__(
          "If it stays, its operator does not make them: a RayCluster needs the queue's labels on its pod templates, too."
        )
      };
    case 'starting_not_ready':
      return {
        text: trans.__('Admitted; its pods are not ready yet.'),
        then: null
      };
    case 'unmanaged_no_pods':
      return {
        text: trans.__('No queue manages it; it has no pods yet.'),
        then: null
      };
    case 'unmanaged_not_ready':
      return {
        text: trans.__('No queue manages it; its pods are not ready yet.'),
        then: null
      };
    case 'starting_some_ready':
      return {
        text: trans.__('%1 of %2 pods are ready.', p('ready'), p('pods_total')),
        then: null
      };
    case 'running_ending':
      return {
        text: trans.__(
          'All of its pods have ended well; the end is not recorded yet.'
        ),
        then: null
      };
    case 'admitted_not_seen':
      return {
        text: trans.__(
          "Admitted and holding quota; whether its pods run can't be read."
        ),
        then: trans.__(
          'Where a right is missing, the Access tab says who grants it.'
        )
      };
    case 'pods_not_seen':
      return {
        text: trans.__("Whether its pods run can't be read."),
        then: trans.__(
          'Where a right is missing, the Access tab says who grants it.'
        )
      };
    case 'pods_not_whole':
      return {
        text: trans.__(
          'Whether all its pods run is not known: not all that may be its could be read.'
        ),
        then: null
      };
    case 'suspended_by_owner':
      return {
        text: trans.__('Its owner suspended it; no queue has it in line.'),
        then: trans.__('Resume it, or give it a queue name so that Kueue does.')
      };
    case 'scaled_to_zero':
      return { text: trans.__('Its owner asks for no pods.'), then: null };
    case 'space_stopped':
      return {
        text: trans.__('The Space is stopped.'),
        then: trans.__('Start it where you open your Spaces.')
      };
    case 'space_preempted':
      return {
        text: trans.__('The Space was stopped to make room for others.'),
        then: trans.__(
          'Start it again: it goes through the queue like any task.'
        )
      };
    case 'deactivated':
      return {
        text: trans.__(
          'Deactivated: Kueue leaves it alone until somebody activates it.'
        ),
        then: trans.__(
          'Set spec.active of its Workload to true, or submit it again.'
        )
      };
    case 'deactivated_check':
      return {
        text: trans.__('Deactivated, since an admission check rejected it.'),
        then: trans.__(
          'Ask the administrator of the cluster why; then submit it again.'
        )
      };
    case 'deactivated_requeue':
      return {
        text: trans.__(
          'Deactivated, since its pods were not ready in time too often.'
        ),
        then: trans.__(
          'Find out why its pods did not come up; then submit it again.'
        )
      };
    case 'deactivated_time':
      return {
        text: trans.__(
          'Deactivated, since it ran for longer than its own limit.'
        ),
        then: trans.__(
          'Raise the limit (kueue.x-k8s.io/max-exec-time-seconds) or split the task.'
        )
      };
    case 'owner_gone':
      return {
        text: trans.__(
          'The object that it was made for is gone; the Workload is an orphan.'
        ),
        then: trans.__(
          'If it still holds quota, ask the administrator of the cluster to delete it.'
        )
      };
    case 'finished_replaced':
      return {
        text: trans.__('Its owner changed; another Workload took its place.'),
        then: null
      };
    case 'finished_unknown':
      return { text: trans.__('Finished; how is not recorded.'), then: null };
    case 'finished_badly':
      return {
        text: trans.__('Failed (%1).', p('why')),
        then: trans.__('Read its logs; the task page has the commands.')
      };
    case 'finished_badly_no_reason':
      return {
        text: trans.__(
          'Failed; why is not recorded and its pods are gone or not readable.'
        ),
        then: trans.__('Read its logs where they are collected.')
      };
    case 'pod_no_node_resources':
      return {
        text: trans.__(
          'No node takes it: not enough %1 on %2 of %3 nodes.',
          p('resources'),
          p('nodes'),
          p('nodes_total')
        ),
        then: trans.__(
          'Quota is no node: ask for less per pod, or wait for nodes.'
        )
      };
    case 'pod_no_node_pod_count':
      return {
        text: trans.__(
          'No node takes it: %1 of %2 nodes hold as many pods as they may.',
          p('nodes'),
          p('nodes_total')
        ),
        then: trans.__('Ask the administrator of the cluster.')
      };
    case 'pod_no_node_cordoned':
      return {
        text: trans.__(
          'No node takes it: %1 of %2 nodes are closed for new pods.',
          p('nodes'),
          p('nodes_total')
        ),
        then: trans.__(
          'Nodes are being repaired or drained; ask the administrator of the cluster.'
        )
      };
    case 'pod_no_node_taint':
      return {
        text: trans.__(
          'No node takes it: %1 of %2 nodes have a taint that it does not tolerate.',
          p('nodes'),
          p('nodes_total')
        ),
        then: trans.__('Check its tolerations.')
      };
    case 'pod_no_node_selector':
      return {
        text: trans.__(
          'No node takes it: %1 of %2 nodes do not match its selector or affinity.',
          p('nodes'),
          p('nodes_total')
        ),
        then: trans.__('Check its node selector and instance type.')
      };
    case 'pod_no_node':
      return {
        text: trans.__(
          'No node takes it (%1 nodes looked at).',
          p('nodes_total')
        ),
        then: trans.__(
          "The scheduler's own words stand beside this where it has any."
        )
      };
    case 'pod_gated':
      return {
        text: trans.__('Held back by a scheduling gate (%1).', p('gates')),
        then: trans.__(
          'Kueue opens its own gate at admission; others open theirs.'
        )
      };
    case 'pod_image':
      return {
        text: trans.__(
          "The image of %1 can't be pulled (%2).",
          p('container'),
          p('why')
        ),
        then: trans.__(
          "Check the image's name and tag, and the right to pull it."
        )
      };
    case 'pod_container_config':
      return {
        text: trans.__("%1 can't be created (%2).", p('container'), p('why')),
        then: trans.__(
          'Check the ConfigMaps, Secrets, volumes and the command that it names.'
        )
      };
    case 'pod_crash_loop':
      return {
        text: trans.__(
          '%1 ends again and again: %2 restarts (last exit code %3).',
          p('container'),
          p('restarts'),
          p('exit_code')
        ),
        then: trans.__('Read the log of the run before; the command is below.')
      };
    case 'pod_out_of_memory':
      return {
        text: trans.__(
          '%1 was killed for want of memory (%2 restarts).',
          p('container'),
          p('restarts')
        ),
        then: trans.__('Raise its memory limit, or make it need less.')
      };
    case 'pod_exit':
      return {
        text: trans.__(
          '%1 ended with exit code %2.',
          p('container'),
          p('exit_code')
        ),
        then: trans.__('Read its log; the command is below.')
      };
    case 'pod_failed':
      return {
        text: trans.__('The pod failed, and no container says why.'),
        then: trans.__('Read its log; the command is below.')
      };
    case 'pod_signal':
      return {
        text: trans.__(
          '%1 was ended by signal %2 (exit code %3).',
          p('container'),
          p('signal'),
          p('exit_code')
        ),
        then: trans.__(
          '15: asked to stop. 9: killed, by a limit or after a stop. Others: read its log.'
        )
      };
    case 'pod_evicted':
      return {
        text: trans.__('The pod was removed from its node (%1).', p('why')),
        then: null
      };
    case 'pod_being_deleted':
      return { text: trans.__('The pod is being deleted.'), then: null };
    case 'pod_creating':
      return {
        text: trans.__('The pod has a node; its containers are being made.'),
        then: null
      };
    case 'pod_not_ready':
      return {
        text: trans.__('The pod runs and is not ready.'),
        then: trans.__(
          'Its readiness probe fails or has not passed yet; read its log.'
        )
      };
    case 'pod_node_lost':
      return {
        text: trans.__("The pod's node gave it up (%1).", p('why')),
        then: trans.__(
          'The task is started again on another node if its kind does that.'
        )
      };
    case 'task_no_node_resources':
      return {
        text: trans.__(
          '%1 of %2 pods have no node: not enough %3 on %4 of %5 nodes.',
          p('pods'),
          p('pods_total'),
          p('resources'),
          p('nodes'),
          p('nodes_total')
        ),
        then: trans.__(
          'Quota is no node: ask for less per pod, or wait for nodes.'
        )
      };
    case 'task_no_node_pod_count':
      return {
        text: trans.__(
          '%1 of %2 pods have no node: %3 of %4 nodes hold as many pods as they may.',
          p('pods'),
          p('pods_total'),
          p('nodes'),
          p('nodes_total')
        ),
        then: trans.__('Ask the administrator of the cluster.')
      };
    case 'task_no_node_cordoned':
      return {
        text: trans.__(
          '%1 of %2 pods have no node: %3 of %4 nodes are closed for new pods.',
          p('pods'),
          p('pods_total'),
          p('nodes'),
          p('nodes_total')
        ),
        then: trans.__(
          'Nodes are being repaired or drained; ask the administrator of the cluster.'
        )
      };
    case 'task_no_node_taint':
      return {
        text: trans.__(
          '%1 of %2 pods have no node: %3 of %4 nodes have a taint that they do not tolerate.',
          p('pods'),
          p('pods_total'),
          p('nodes'),
          p('nodes_total')
        ),
        then: trans.__('Check the tolerations.')
      };
    case 'task_no_node_selector':
      return {
        text: trans.__(
          '%1 of %2 pods have no node: %3 of %4 nodes do not match their selector or affinity.',
          p('pods'),
          p('pods_total'),
          p('nodes'),
          p('nodes_total')
        ),
        then: trans.__('Check node selector and instance type.')
      };
    case 'task_no_node':
      return {
        text: trans.__(
          '%1 of %2 pods have no node (%3 nodes looked at).',
          p('pods'),
          p('pods_total'),
          p('nodes_total')
        ),
        then: trans.__(
          "The scheduler's own words stand beside this where it has any."
        )
      };
    case 'task_gated':
      return {
        text: trans.__(
          '%1 of %2 pods are held back by a scheduling gate: %3.',
          p('pods'),
          p('pods_total'),
          p('gates')
        ),
        then: null
      };
    case 'task_image':
      return {
        text: trans.__(
          "%1 of %2 pods can't pull the image of %3 (%4).",
          p('pods'),
          p('pods_total'),
          p('container'),
          p('why')
        ),
        then: trans.__(
          "Check the image's name and tag, and the right to pull it."
        )
      };
    case 'task_container_config':
      return {
        text: trans.__(
          "%1 of %2 pods can't create %3 (%4).",
          p('pods'),
          p('pods_total'),
          p('container'),
          p('why')
        ),
        then: trans.__(
          'Check the ConfigMaps, Secrets, volumes and the command that it names.'
        )
      };
    case 'task_crash_loop':
      return {
        text: trans.__(
          'In %1 of %2 pods %3 ends again and again: %4 restarts (last exit code %5).',
          p('pods'),
          p('pods_total'),
          p('container'),
          p('restarts'),
          p('exit_code')
        ),
        then: trans.__(
          'Read the log of the run before; its page has the command.'
        )
      };
    case 'task_out_of_memory':
      return {
        text: trans.__(
          'In %1 of %2 pods %3 was killed for want of memory.',
          p('pods'),
          p('pods_total'),
          p('container')
        ),
        then: trans.__('Raise its memory limit, or make it need less.')
      };
    case 'task_exit':
      return {
        text: trans.__(
          'In %1 of %2 pods %3 ended with exit code %4.',
          p('pods'),
          p('pods_total'),
          p('container'),
          p('exit_code')
        ),
        then: trans.__("Read its log; the task's page has the command.")
      };
    case 'task_failed':
      return {
        text: trans.__(
          '%1 of %2 pods failed, and no container says why.',
          p('pods'),
          p('pods_total')
        ),
        then: trans.__("Read its log; the task's page has the command.")
      };
    case 'task_signal':
      return {
        text: trans.__(
          'In %1 of %2 pods %3 was ended by signal %4 (exit code %5).',
          p('pods'),
          p('pods_total'),
          p('container'),
          p('signal'),
          p('exit_code')
        ),
        then: trans.__(
          '15: asked to stop. 9: killed, by a limit or after a stop.'
        )
      };
    case 'task_evicted':
      return {
        text: trans.__(
          '%1 of %2 pods were removed from their nodes (%3).',
          p('pods'),
          p('pods_total'),
          p('why')
        ),
        then: null
      };
    case 'task_being_deleted':
      return {
        text: trans.__(
          '%1 of %2 pods are being deleted.',
          p('pods'),
          p('pods_total')
        ),
        then: null
      };
    case 'task_creating':
      return {
        text: trans.__(
          '%1 of %2 pods have a node; their containers are being made.',
          p('pods'),
          p('pods_total')
        ),
        then: null
      };
    case 'task_not_ready':
      return {
        text: trans.__(
          '%1 of %2 pods run and are not ready.',
          p('pods'),
          p('pods_total')
        ),
        then: trans.__(
          'A readiness probe fails or has not passed yet; read the logs.'
        )
      };
    case 'task_node_lost':
      return {
        text: trans.__(
          '%1 of %2 pods were given up by their node (%3).',
          p('pods'),
          p('pods_total'),
          p('why')
        ),
        then: null
      };
    case 'stop_preempted':
      return {
        text: trans.__('Stopped to make room for another task.'),
        then: null
      };
    case 'stop_preempted_in_queue':
      return {
        text: trans.__(
          'Stopped for a task of higher priority in the same queue.'
        ),
        then: trans.__(
          'It is back in line by itself. A higher priority class is stopped later.'
        )
      };
    case 'stop_preempted_reclaimed':
      return {
        text: trans.__(
          'Stopped since what it had borrowed was taken back by its owner.'
        ),
        then: trans.__(
          'It is back in line by itself. Within your share this does not happen.'
        )
      };
    case 'stop_preempted_fair':
      return {
        text: trans.__(
          "Stopped by fair sharing: the cohort's weight went to another queue."
        ),
        then: trans.__('It is back in line by itself.')
      };
    case 'stop_preempted_while_borrowing':
      return {
        text: trans.__('Stopped for a task that borrows in the cohort.'),
        then: trans.__(
          'It is back in line by itself. A higher priority class is stopped later.'
        )
      };
    case 'stop_pods_not_ready':
      return {
        text: trans.__(
          'Stopped since its pods were not ready in time (gang scheduling).'
        ),
        then: trans.__(
          'Find out why its pods did not come up; it is tried again after a while.'
        )
      };
    case 'stop_admission_check':
      return {
        text: trans.__('Stopped since an admission check asked to try again.'),
        then: null
      };
    case 'stop_check_rejected':
      return {
        text: trans.__('Stopped since an admission check rejected it.'),
        then: trans.__('Ask the administrator of the cluster why.')
      };
    case 'stop_requeue_limit':
      return {
        text: trans.__(
          'Stopped for good: its pods were not ready in time too often.'
        ),
        then: trans.__('Find out why its pods did not come up.')
      };
    case 'stop_time_limit':
      return {
        text: trans.__('Stopped: it ran for longer than its own limit.'),
        then: null
      };
    case 'stop_cluster_queue':
      return {
        text: trans.__(
          'Stopped since the ClusterQueue was stopped and drained.'
        ),
        then: trans.__(
          'Ask the administrator of the cluster when it opens again.'
        )
      };
    case 'stop_local_queue':
      return {
        text: trans.__('Stopped since the LocalQueue was stopped and drained.'),
        then: trans.__(
          'Ask the administrator of the cluster when it opens again.'
        )
      };
    case 'stop_deactivated':
      return {
        text: trans.__('Stopped since it was deactivated.'),
        then: null
      };
    case 'stop_node_failure':
      return {
        text: trans.__('Stopped since nodes under it failed.'),
        then: trans.__('It is back in line by itself.')
      };
    case 'stop_flavor_migration':
      return {
        text: trans.__('Stopped to move it to another flavour.'),
        then: null
      };
    case 'stop_other':
      return { text: trans.__('Stopped by Kueue (%1).', p('why')), then: null };
    case 'moment_created':
      return { text: trans.__('Created.'), then: null };
    case 'moment_started':
      return { text: trans.__('Started.'), then: null };
    case 'moment_quota_reserved':
      return { text: trans.__('Quota reserved.'), then: null };
    case 'moment_admitted':
      return { text: trans.__('Admitted.'), then: null };
    case 'moment_ready':
      return { text: trans.__('All pods ready.'), then: null };
    case 'moment_requeued':
      return { text: trans.__('Back in line.'), then: null };
    case 'moment_requeue_at':
      return { text: trans.__('Kueue looks at it again.'), then: null };
    case 'moment_finished_well':
      return { text: trans.__('Finished well.'), then: null };
    case 'moment_finished_badly':
      return { text: trans.__('Failed.'), then: null };
    case 'moment_finished':
      return { text: trans.__('Finished.'), then: null };
    case 'moment_event':
      return {
        text: trans.__('%1 (%2, ×%3)', p('event'), p('object'), p('count')),
        then: null
      };
    case 'condition_true':
      return {
        text: trans.__('%1 (%2)', p('condition'), p('why')),
        then: null
      };
    case 'condition_false':
      return {
        text: trans.__('Not %1 (%2)', p('condition'), p('why')),
        then: null
      };
    case 'condition_unknown':
      return {
        text: trans.__('%1 not known (%2)', p('condition'), p('why')),
        then: null
      };
    case 'mine_not_recorded':
      return {
        text: trans.__(
          "Who submitted these tasks is not recorded, so yours can't be told from the others'."
        ),
        then: trans.__(
          'The label or annotation created-by records it, where a submitter writes it.'
        )
      };
    case 'mine_none':
      return {
        text: trans.__('Looked for under %1.', p('names')),
        then: trans.__(
          'Where submitters write you down otherwise, set HpgovSettings.username to the id in created-by.'
        )
      };
    case 'mine_person_unknown':
      return {
        text: trans.__(
          "Under which id submitters write you down is not known here, so yours can't be told from the others'."
        ),
        then: trans.__('Set HpgovSettings.username to the id in created-by.')
      };
    case 'request_overhead_not_read':
      return {
        text: trans.__(
          'Its RuntimeClass may add an overhead that is not in this figure.'
        ),
        then: null
      };
    case 'request_claims_not_counted':
      return {
        text: trans.__(
          'It claims devices by ResourceClaims, which are not in this figure.'
        ),
        then: null
      };
    case 'request_quantity_unreadable':
      return {
        text: trans.__(
          'One of its quantities is none that Kubernetes accepts.'
        ),
        then: null
      };
    case 'quantity_malformed':
      return {
        text: trans.__(
          'Not a quantity that Kubernetes accepts (such as 1500m, 64Gi, 8).'
        ),
        then: trans.__('Correct it.')
      };
    case 'quantity_too_long':
      return {
        text: trans.__('A quantity of more than 64 characters.'),
        then: trans.__('Correct it.')
      };
    // share
    case 'share_nominal_not_known':
      return {
        text: trans.__(
          'Only the LocalQueue can be read: it says what it holds, not what your share is (%1).',
          p('queue')
        ),
        then: trans.__(
          'Where a right is missing, the Access tab says who grants it.'
        )
      };
    case 'share_quantity_unreadable':
      return {
        text: trans.__(
          'A quota of %1 is no quantity that can be counted.',
          p('queue')
        ),
        then: trans.__('Ask the administrator of the cluster.')
      };
    case 'share_not_reported':
      return {
        text: trans.__(
          '%1 rows are not shown: Kueue has not reported yet what is held of them in %2.',
          p('rows'),
          p('queue')
        ),
        then: null
      };
    case 'share_status_lags':
      return {
        text: trans.__(
          "The tasks hold more than %1 reports: its status lags behind for a moment. The numbers are its own; what else holds of it can't be told yet.",
          p('queue')
        ),
        then: null
      };
    case 'share_holders_not_readable':
      return {
        text: trans.__(
          'What holds the share could not be read in %1.',
          p('namespaces')
        ),
        then: trans.__(
          'Where a right is missing, the Access tab says who grants it.'
        )
      };
    case 'share_not_attributed':
      return {
        text: trans.__(
          'A part of what is held in %1 belongs to tasks that are not readable here, or its status lags behind for a moment.',
          p('queue')
        ),
        then: null
      };
    case 'share_gang_scheduling':
      return {
        text: trans.__(
          "Tasks of %1 show that Kueue waits until all pods of a task are ready (gang scheduling); its configuration can't be read, so this is inferred.",
          p('namespace')
        ),
        then: null
      };
    case 'no_kueue':
      return {
        text: trans.__(
          'This cluster has no task governance: Kueue is not installed, so there is no share and no line.'
        ),
        then: null
      };
    case 'cohort_not_read':
      return {
        text: trans.__('The cohort is not read.'),
        then: trans.__(
          "Sums over it need the trait HpgovSettings.cohort_reads and the cohort reader's rights; the documentation has both."
        )
      };
    case 'cohort_of_several':
      return {
        text: trans.__(
          'Your namespaces lead to several ClusterQueues (%1); sums over a cohort are read for a single one only.',
          p('queues')
        ),
        then: null
      };
    case 'no_local_queue':
      return {
        text: trans.__(
          'Namespace %1 has no LocalQueue, so no task there can stand in a line.',
          p('scope')
        ),
        then: trans.__('Ask the administrator of the cluster for a LocalQueue.')
      };
    case 'cohort_few_teams':
      return {
        text: trans.__(
          'The cohort has two teams or fewer: its sums tell what the other one holds.'
        ),
        then: null
      };
    case 'cohort_cycle':
      return {
        text: trans.__(
          'The cohorts above this queue form a circle, so that Kueue admits nothing from it.'
        ),
        then: trans.__('Ask the administrator of the cluster.')
      };
    case 'cohort_duplicate':
      return {
        text: trans.__(
          "Two queues or cohorts of one name: the cohort can't be summed up."
        ),
        then: trans.__('Reload; if it stays, report it.')
      };
    // slurm
    case 'not_slurm':
      return {
        text: trans.__('This cluster is not a Slurm cluster.'),
        then: null
      };
    case 'slurm_no_pods':
      return {
        text: trans.__(
          "Slurm has no pods: the job's own output files tell more."
        ),
        then: null
      };
    case 'slurm_no_queues':
      return {
        text: trans.__(
          'Slurm has no Kueue queues, and lends and borrows nothing.'
        ),
        then: null
      };
    case 'slurm_no_share_bar':
      return {
        text: trans.__(
          'No limit on GPUs is visible here; Slurm has limits, not a share: they stand on the Share tab.'
        ),
        then: null
      };
    case 'slurm_no_manifest':
      return {
        text: trans.__('Slurm takes a batch script, not a manifest.'),
        then: null
      };
    case 'slurm_which_cluster':
      return {
        text: trans.__(
          "The project has several Slurm clusters, and nothing says which of them this machine's Slurm commands reach."
        ),
        then: trans.__('Name it in HpgovSettings.slurm_cluster.')
      };
    case 'slurm_other_cluster':
      return {
        text: trans.__(
          "This machine's Slurm commands reach another cluster than %1.",
          p('cluster')
        ),
        then: null
      };
    case 'slurm_no_clients':
      return {
        text: trans.__('No Slurm client is here (%1).', p('folders')),
        then: trans.__(
          "Ask for the site's own Slurm clients in this image, or name their folder in HpgovSettings.slurm_bin."
        )
      };
    case 'slurm_client_missing':
      return {
        text: trans.__(
          '%1 is not among the Slurm clients in %2.',
          p('binary'),
          p('folder')
        ),
        then: trans.__("Ask for the whole set of clients of the site's Slurm.")
      };
    case 'slurm_bin_not_absolute':
      return {
        text: trans.__('HpgovSettings.slurm_bin is no absolute path.'),
        then: trans.__("Correct it in the server's configuration.")
      };
    case 'slurm_bin_not_trusted':
      return {
        text: trans.__(
          "%1 is not run: it, or a folder above it, is not root's alone to write, or lies in the home (%2).",
          p('path'),
          p('rule')
        ),
        then: trans.__('Have the clients installed by root, outside the home.')
      };
    case 'slurm_client_not_run':
      return {
        text: trans.__(
          '%1 could not be started (%2).',
          p('binary'),
          p('error')
        ),
        then: null
      };
    case 'slurm_conf_not_absolute':
      return {
        text: trans.__('HpgovSettings.slurm_conf is no absolute path.'),
        then: trans.__("Correct it in the server's configuration.")
      };
    case 'slurm_no_unix_name':
      return {
        text: trans.__(
          "This server's Unix user (%1) has no name, and Slurm knows users by name.",
          p('uid')
        ),
        then: trans.__("Ask for an entry for it in the system's users.")
      };
    case 'slurm_name_not_valid':
      return {
        text: trans.__(
          'A user or account name here has characters that are not handed to Slurm commands: nothing is asked with it.'
        ),
        then: null
      };
    case 'slurm_guard':
      return {
        text: trans.__(
          'This extension was about to run or ask something that its own allow list does not have (%1). It was not done.',
          p('rule')
        ),
        then: trans.__('That is our fault: report it.')
      };
    case 'slurm_conf_missing':
      return {
        text: trans.__(
          'The Slurm clients find no slurm.conf, and no server that would give them one (%1).',
          p('command')
        ),
        then: trans.__("Set HpgovSettings.slurm_conf to the site's slurm.conf.")
      };
    case 'slurm_conf_minimal':
      return {
        text: trans.__(
          'The slurm.conf on this machine names no accounting, though the cluster keeps it (%1).',
          p('command')
        ),
        then: trans.__(
          "Ask for AccountingStorageType and AccountingStorageHost in this machine's slurm.conf."
        )
      };
    case 'slurm_accounting_off':
      return {
        text: trans.__(
          'This cluster keeps no accounts (%1): no history, associations or limits.',
          p('command')
        ),
        then: trans.__(
          'They need slurmdbd; ask the administrator of the cluster.'
        )
      };
    case 'slurm_version_mismatch':
      return {
        text: trans.__(
          "The Slurm clients here and the cluster's controller are of versions that do not work together (%1).",
          p('command')
        ),
        then: trans.__(
          "Ask for the clients of the cluster's own Slurm version."
        )
      };
    case 'slurm_option_unknown':
      return {
        text: trans.__(
          'These Slurm clients do not know an option that is asked for (%1).',
          p('command')
        ),
        then: trans.__('They may be older than 22.05: report the version.')
      };
    case 'slurm_version_unknown':
      return {
        text: trans.__(
          'Slurm answers in a form (%1) that this extension cannot read.',
          p('version')
        ),
        then: trans.__('Report the version of Slurm.')
      };
    case 'slurm_munge_down':
      return {
        text: trans.__(
          'munge, which says to Slurm who you are, does not run here or has another key than the cluster (%1).',
          p('command')
        ),
        then: trans.__("Ask for munged with the cluster's key.")
      };
    case 'slurm_identity_refused':
      return {
        text: trans.__(
          'Slurm does not accept who you say you are (%1).',
          p('command')
        ),
        then: trans.__(
          "Its munge key or this machine's clock may differ from the cluster's."
        )
      };
    case 'slurm_controller_down':
      return {
        text: trans.__('No Slurm controller answers (%1).', p('command')),
        then: trans.__('It is tried again by itself; jobs that run go on.')
      };
    case 'slurm_database_down':
      return {
        text: trans.__(
          "Slurm's database service does not answer (%1). Jobs and what is held are still read from the controller.",
          p('command')
        ),
        then: trans.__('It is tried again by itself.')
      };
    case 'slurm_too_slow':
      return {
        text: trans.__(
          '%1 did not answer in time and was ended.',
          p('command')
        ),
        then: trans.__('It is tried again by itself.')
      };
    case 'slurm_too_large':
      return {
        text: trans.__(
          '%1 answers with more than %2 bytes; it is not shown in part.',
          p('command'),
          p('limit_bytes')
        ),
        then: trans.__(
          "With PrivateData=jobs everybody is sent only their own; the command line's form is far smaller than slurmrestd's."
        )
      };
    case 'slurm_denied':
      return {
        text: trans.__('Slurm does not show this to you (%1).', p('command')),
        then: trans.__(
          'PrivateData may hide it; ask the administrator of the cluster.'
        )
      };
    case 'slurm_no_association':
      return {
        text: trans.__(
          "You have no association on this cluster: Slurm's accounting knows no account of yours (%1).",
          p('command')
        ),
        then: trans.__(
          "Ask the administrator of the cluster to add you to your team's account (sacctmgr add user)."
        )
      };
    case 'slurm_no_team':
      return {
        text: trans.__(
          "You are in no team's account: your association stands straight under root, as everybody's does on a cluster set up like that."
        ),
        then: trans.__(
          'The administrator of the cluster gives each team an account (sacctmgr add account).'
        )
      };
    case 'slurm_command_failed':
      return {
        text: trans.__('%1 ended with status %2.', p('command'), p('status')),
        then: trans.__('Report it with the version of Slurm.')
      };
    case 'slurm_shape':
      return {
        text: trans.__(
          'The answer of %1 is not in a form that this extension can read.',
          p('command')
        ),
        then: trans.__('Report it with the version of Slurm.')
      };
    case 'slurm_rest_url':
      return {
        text: trans.__(
          'HpgovSettings.slurmrestd_url is not of the form https://host:port or unix:/path.'
        ),
        then: trans.__("Correct it in the server's configuration.")
      };
    case 'slurm_rest_plain_http':
      return {
        text: trans.__(
          'slurmrestd at %1 would be asked without encryption, and the token with it: only on this machine itself.',
          p('host')
        ),
        then: trans.__('Use https, or a unix socket.')
      };
    case 'slurm_rest_not_reached':
      return {
        text: trans.__('slurmrestd cannot be reached.'),
        then: trans.__('It is tried again by itself.')
      };
    case 'slurm_rest_tls':
      return {
        text: trans.__(
          'No TLS with slurmrestd, or a certificate that this machine does not trust.'
        ),
        then: null
      };
    case 'slurm_rest_redirect':
      return {
        text: trans.__(
          '%1 was answered with a redirect (status %2), which is not followed.',
          p('command'),
          p('status')
        ),
        then: null
      };
    case 'slurm_rest_slow_down':
      return {
        text: trans.__('slurmrestd asks to slow down (%1).', p('command')),
        then: trans.__('It is tried again by itself.')
      };
    case 'slurm_rest_error':
      return {
        text: trans.__(
          'slurmrestd answered %1 with an error (status %2).',
          p('command'),
          p('status')
        ),
        then: trans.__('Report it with the version of Slurm.')
      };
    case 'slurm_rest_unclear':
      return {
        text: trans.__(
          'Slurm answers %1 in the same way for a token that it refuses and for a controller that is down.',
          p('command')
        ),
        then: trans.__(
          'If it stays, make a new token (scontrol token) and put it into the file.'
        )
      };
    case 'slurm_rest_no_accounts':
      return {
        text: trans.__(
          "This slurmrestd answers nothing of Slurm's accounting (%1): the cluster keeps no accounts, or slurmrestd runs without its plugin for slurmdbd.",
          p('command')
        ),
        then: trans.__(
          'Ask the administrator of the cluster which of the two it is.'
        )
      };
    case 'slurm_rest_lacks':
      return {
        text: trans.__(
          "slurmrestd has no form of this; only Slurm's own clients show it."
        ),
        then: null
      };
    case 'slurm_token_file':
      return {
        text: trans.__(
          'The file with the token for slurmrestd cannot be read (%1).',
          p('path')
        ),
        then: trans.__('Put your own token there: scontrol token, mode 0600.')
      };
    case 'slurm_token_open':
      return {
        text: trans.__(
          'The token file %1 is not yours alone, so it is not used.',
          p('path')
        ),
        then: trans.__('chmod 600 it, and make a new token.')
      };
    case 'slurm_token_malformed':
      return {
        text: trans.__('What stands in the token file is no token of Slurm.'),
        then: trans.__('Put your own token there: scontrol token.')
      };
    case 'slurm_token_expired':
      return {
        text: trans.__(
          'Your token for slurmrestd expired at %1; nothing was asked with it.',
          p('expired_at')
        ),
        then: trans.__('Make a new one: scontrol token lifespan=3600.')
      };
    case 'slurm_token_of_other':
      return {
        text: trans.__(
          "The token is %1's, expected was %2's; nothing was asked with it.",
          p('found'),
          p('wanted')
        ),
        then: trans.__('Put your own token there: scontrol token.')
      };
    case 'slurm_token_of_root':
      return {
        text: trans.__(
          "The token is %1's. Whoever holds such a token can be every user, so it is not used here.",
          p('user')
        ),
        then: trans.__('Put your own token there; have this one revoked.')
      };
    case 'slurm_token_refused':
      return {
        text: trans.__('Slurm does not accept the token (%1).', p('command')),
        then: trans.__(
          "Make a new one: scontrol token. The cluster's key may have changed."
        )
      };
    case 'slurm_waits_not_looked':
      return {
        text: trans.__(
          'The scheduler has not looked at it since its last change.'
        ),
        then: trans.__('Usually a matter of a minute.')
      };
    case 'slurm_waits_resources':
      return {
        text: trans.__(
          'What it asks for is not idle now; among the jobs of its partition it is near the front.'
        ),
        then: trans.__(
          'It starts when enough is given back; a smaller one may pass.'
        )
      };
    case 'slurm_waits_priority':
      return {
        text: trans.__(
          'Jobs of higher priority in partition %1 go before it.',
          p('partition')
        ),
        then: trans.__(
          'Asking for fewer nodes or less time may let it pass in a gap.'
        )
      };
    case 'slurm_waits_nodes':
      return {
        text: trans.__(
          'Nodes that it needs are down, drained or reserved, or kept for a partition of higher priority.'
        ),
        then: trans.__('If it stays, ask the administrator of the cluster.')
      };
    case 'slurm_waits_dependency':
      return {
        text: trans.__('It waits for another job of its dependency to end.'),
        then: null
      };
    case 'slurm_dependency_never':
      return {
        text: trans.__(
          'Its dependency can never be met any more: the other job ended otherwise than asked.'
        ),
        then: trans.__('Cancel it and submit it anew.')
      };
    case 'slurm_waits_begin':
      return {
        text: trans.__(
          'It is not considered before %1: its begin time, or the pause after it was put back.',
          p('until_at')
        ),
        then: null
      };
    case 'slurm_held_user':
      return {
        text: trans.__('Its owner holds it.'),
        then: trans.__('scontrol release lets it go on.')
      };
    case 'slurm_held_admin':
      return {
        text: trans.__('An administrator holds it.'),
        then: trans.__('Ask the administrator of the cluster why.')
      };
    case 'slurm_held_requeue':
      return {
        text: trans.__('It failed to start too often and is held.'),
        then: trans.__('Find out why it did not start; then scontrol release.')
      };
    case 'slurm_waits_reservation':
      return {
        text: trans.__(
          'It waits for its reservation %1 to begin.',
          p('reservation')
        ),
        then: null
      };
    case 'slurm_reservation_deleted':
      return {
        text: trans.__('Its reservation %1 is gone.', p('reservation')),
        then: trans.__('Submit it without, or with another one.')
      };
    case 'slurm_waits_licenses':
      return {
        text: trans.__('Licences that it asks for are all taken.'),
        then: null
      };
    case 'slurm_waits_array':
      return {
        text: trans.__(
          'As many tasks of its array run as it allows itself at once.'
        ),
        then: null
      };
    case 'slurm_waits_cleaning':
      return {
        text: trans.__('Nodes are being made ready or cleaned up for it.'),
        then: null
      };
    case 'slurm_waits_other':
      return {
        text: trans.__('Slurm says: %1.', p('why')),
        then: trans.__("Slurm's documentation explains its reason codes.")
      };
    case 'slurm_waits_sentence':
      return {
        text: trans.__(
          'Slurm gives a reason in a sentence, which may name other teams and is not shown.'
        ),
        then: trans.__('scontrol show job tells it.')
      };
    case 'slurm_estimate':
      return {
        text: trans.__(
          "Slurm's estimate of its start, should nothing change: %1.",
          p('start_at')
        ),
        then: null
      };
    case 'slurm_account_not_allowed':
      return {
        text: trans.__(
          'Account %1 may not use partition %2.',
          p('account'),
          p('partition')
        ),
        then: trans.__('It waits for ever as it is: choose another partition.')
      };
    case 'slurm_qos_not_allowed':
      return {
        text: trans.__(
          'QoS %1 may not be used in partition %2.',
          p('qos'),
          p('partition')
        ),
        then: trans.__(
          'It waits for ever as it is: choose another QoS or partition.'
        )
      };
    case 'slurm_group_not_allowed':
      return {
        text: trans.__(
          'Your Unix groups may not use partition %1.',
          p('partition')
        ),
        then: trans.__('It waits for ever as it is: choose another partition.')
      };
    case 'slurm_partition_closed_to_you':
      return {
        text: trans.__(
          'Partition %1 does not take it as it is: account, QoS or size.',
          p('partition')
        ),
        then: trans.__(
          'See under Share who may use which partition; choose another one.'
        )
      };
    case 'slurm_partition_down':
      return {
        text: trans.__(
          'Partition %1 is closed: no job begins there.',
          p('partition')
        ),
        then: trans.__(
          'Ask the administrator of the cluster when it opens again.'
        )
      };
    case 'slurm_partition_time':
      return {
        text: trans.__(
          'Its time limit is longer than partition %1 allows.',
          p('partition')
        ),
        then: trans.__('Ask for less time, or another partition.')
      };
    case 'slurm_partition_nodes':
      return {
        text: trans.__(
          'It asks for more or fewer nodes than partition %1 allows.',
          p('partition')
        ),
        then: trans.__('Change the count, or choose another partition.')
      };
    case 'slurm_invalid_account':
      return {
        text: trans.__('Its account %1 does not exist any more.', p('account')),
        then: trans.__('Submit it under another account.')
      };
    case 'slurm_invalid_qos':
      return {
        text: trans.__('Its QoS %1 does not exist any more.', p('qos')),
        then: trans.__('Submit it with another QoS.')
      };
    case 'slurm_bad_constraints':
      return {
        text: trans.__('No set of nodes can ever meet its constraints.'),
        then: trans.__('Change features, nodes or counts.')
      };
    case 'slurm_limit_group_qos':
      return {
        text: trans.__(
          'With it, all jobs under QoS %1 together would hold more (%2) than they may.',
          p('name'),
          p('resource')
        ),
        then: trans.__('It starts when enough of them have ended.')
      };
    case 'slurm_limit_group_account':
      return {
        text: trans.__(
          'With it, all jobs under an account of yours (%1, or one above it) together would hold more (%2) than they may.',
          p('name'),
          p('resource')
        ),
        then: trans.__('It starts when enough of them have ended.')
      };
    case 'slurm_limit_per_user':
      return {
        text: trans.__(
          'With it, your own jobs would hold more (%1) than %2 lets one user hold.',
          p('resource'),
          p('name')
        ),
        then: trans.__('It starts when enough of yours have ended.')
      };
    case 'slurm_limit_per_account':
      return {
        text: trans.__(
          "With it, your account's jobs would hold more (%1) than QoS %2 lets one account hold.",
          p('resource'),
          p('name')
        ),
        then: trans.__('It starts when enough of them have ended.')
      };
    case 'slurm_limit_job':
      return {
        text: trans.__(
          'It alone asks for more (%1) than %2 lets one job have.',
          p('resource'),
          p('name')
        ),
        then: trans.__('It waits for ever as it is: ask for less.')
      };
    case 'slurm_limit_minimum':
      return {
        text: trans.__(
          'It asks for less (%1) than %2 wants a job to have.',
          p('resource'),
          p('name')
        ),
        then: trans.__('It waits for ever as it is: ask for more.')
      };
    case 'slurm_limit_jobs':
      return {
        text: trans.__('As many jobs run under %1 as may at once.', p('name')),
        then: trans.__('It starts when one of them ends.')
      };
    case 'slurm_completing':
      return {
        text: trans.__(
          'It has ended; its nodes are being cleaned up and still count as held.'
        ),
        then: null
      };
    case 'slurm_configuring':
      return { text: trans.__('Its nodes are being made ready.'), then: null };
    case 'slurm_suspended':
      return {
        text: trans.__(
          'Suspended by an administrator or by gang scheduling; it keeps its memory on the nodes.'
        ),
        then: null
      };
    case 'slurm_state_unknown':
      return {
        text: trans.__(
          'Slurm says %1, a state that this extension does not know.',
          p('state')
        ),
        then: null
      };
    case 'slurm_only_accounting':
      return {
        text: trans.__(
          'Accounting says %1, and the controller does not have it: one of the two is behind.',
          p('state')
        ),
        then: null
      };
    case 'slurm_revoked':
      return {
        text: trans.__(
          'Another cluster of the federation has taken this job (REVOKED). What became of it is not told here.'
        ),
        then: trans.__('squeue --federation shows it while it waits or runs.')
      };
    case 'slurm_failed':
      return {
        text: trans.__('Failed; the exit code is not recorded.'),
        then: trans.__('Read its output file.')
      };
    case 'slurm_failed_exit':
      return {
        text: trans.__('Failed with exit code %1.', p('exit_code')),
        then: trans.__('Read its output file.')
      };
    case 'slurm_failed_signal':
      return {
        text: trans.__('Ended by signal %1.', p('signal')),
        then: trans.__(
          '9: killed. 15: asked to stop. Others: read its output file.'
        )
      };
    case 'slurm_timeout':
      return {
        text: trans.__('Stopped at its time limit of %1.', p('limit_seconds')),
        then: trans.__('Ask for more time, or write checkpoints.')
      };
    case 'slurm_timeout_unknown':
      return {
        text: trans.__('Stopped at its time limit.'),
        then: trans.__('Ask for more time, or write checkpoints.')
      };
    case 'slurm_cancelled':
      return { text: trans.__('Cancelled; by whom is not told.'), then: null };
    case 'slurm_cancelled_you':
      return { text: trans.__('Cancelled by you.'), then: null };
    case 'slurm_cancelled_other':
      return {
        text: trans.__(
          'Cancelled by somebody else: an administrator, a coordinator, or whoever may act for you.'
        ),
        then: trans.__('Ask the administrator of the cluster.')
      };
    case 'slurm_preempted':
      return {
        text: trans.__(
          'Stopped for good to make room for a job whose QoS may do that.'
        ),
        then: trans.__(
          'Submit it again; with --requeue it would have gone back into the line.'
        )
      };
    case 'slurm_node_failed':
      return {
        text: trans.__('A node under it failed.'),
        then: trans.__(
          'Submit it again; with --requeue it would have gone back into the line.'
        )
      };
    case 'slurm_out_of_memory':
      return {
        text: trans.__('Killed for want of memory.'),
        then: trans.__('Ask for more memory, or make it need less.')
      };
    case 'slurm_deadline':
      return { text: trans.__('Ended at its deadline.'), then: null };
    case 'slurm_stop_preempted':
      return {
        text: trans.__('Stopped to make room for a job whose QoS may do that.'),
        then: trans.__('It is back in line by itself.')
      };
    case 'slurm_stop_node':
      return {
        text: trans.__('Stopped since a node under it failed.'),
        then: trans.__('It is back in line by itself.')
      };
    case 'slurm_stop_requeued':
      return {
        text: trans.__(
          'Put back into the line by its owner or an administrator.'
        ),
        then: null
      };
    case 'slurm_stop_other':
      return {
        text: trans.__('An earlier run ended (%1).', p('state')),
        then: null
      };
    case 'slurm_place_not_up':
      return {
        text: trans.__('Partition %1 is %2.', p('partition'), p('state')),
        then: null
      };
    case 'slurm_place_root_only':
      return {
        text: trans.__('Partition %1 is for root only.', p('partition')),
        then: null
      };
    case 'slurm_place_groups':
      return {
        text: trans.__(
          'Partition %1 is for Unix groups that you are not in.',
          p('partition')
        ),
        then: null
      };
    case 'slurm_place_accounts':
      return {
        text: trans.__(
          'Partition %1 is for other accounts than yours.',
          p('partition')
        ),
        then: null
      };
    case 'slurm_place_some_accounts':
      return {
        text: trans.__(
          'Partition %1 takes of your accounts only: %2.',
          p('partition'),
          p('names')
        ),
        then: null
      };
    case 'slurm_place_qos':
      return {
        text: trans.__('Partition %1 takes none of your QoS.', p('partition')),
        then: null
      };
    case 'slurm_place_some_qos':
      return {
        text: trans.__(
          'Partition %1 takes of your QoS only: %2.',
          p('partition'),
          p('names')
        ),
        then: null
      };
    case 'slurm_place_reservation':
      return {
        text: trans.__(
          'Partition %1 takes only jobs with a reservation.',
          p('partition')
        ),
        then: null
      };
    case 'slurm_place_unknown':
      return {
        text: trans.__(
          "Whether partition %1 takes yours can't be told: your associations are not readable.",
          p('partition')
        ),
        then: null
      };
    case 'slurm_everyone_sees_jobs':
      return {
        text: trans.__(
          "Everybody on this cluster sees everybody's jobs with name and user (PrivateData does not hide jobs)."
        ),
        then: trans.__(
          'The administrator of the cluster sets PrivateData=jobs,usage,users,accounts in slurm.conf and slurmdbd.conf.'
        )
      };
    case 'slurm_only_own_jobs':
      return {
        text: trans.__(
          "Slurm shows you your own jobs only (PrivateData=jobs): your team's are not in this list."
        ),
        then: null
      };
    case 'slurm_privacy_unknown':
      return {
        text: trans.__(
          "Whether Slurm hides others' jobs (PrivateData) cannot be read here: your team may have jobs that are not in this list."
        ),
        then: trans.__("Slurm's own commands tell it; slurmrestd does not.")
      };
    case 'slurm_reservations_unknown':
      return {
        text: trans.__(
          'No reservation is shown, and whether Slurm hides them (PrivateData) cannot be read here: a maintenance window may be ahead.'
        ),
        then: trans.__("Slurm's own commands tell it; slurmrestd does not.")
      };
    case 'slurm_team_limits_may_hide':
      return {
        text: trans.__(
          "Slurm hides usage or associations of others (PrivateData): your team's own limits may be among that."
        ),
        then: null
      };
    case 'slurm_reservations_hidden':
      return {
        text: trans.__(
          'Slurm hides reservations (PrivateData): a maintenance window ahead may not be shown.'
        ),
        then: null
      };
    case 'slurm_shared_user':
      return {
        text: trans.__(
          'Everybody who works as %1 is one user for Slurm: others can cancel your jobs and you theirs.',
          p('user')
        ),
        then: trans.__(
          'The administrator of the cluster gives each person a Unix user with an association of their own.'
        )
      };
    case 'slurm_sudo':
      return {
        text: trans.__(
          'This user may become root here (group %1): on such a machine others can cancel your jobs and you theirs.',
          p('group')
        ),
        then: trans.__(
          'The administrator of the cluster takes sudo away from login machines.'
        )
      };
    case 'slurm_reads_as_root':
      return {
        text: trans.__(
          'This server runs as root, which sees and may cancel everything on the cluster.'
        ),
        then: trans.__(
          'The administrator of this JupyterLab runs it as an ordinary user.'
        )
      };
    case 'slurm_limits_not_enforced':
      return {
        text: trans.__(
          'Limit recorded, not enforced here: AccountingStorageEnforce has neither limits nor safe.'
        ),
        then: trans.__(
          'Ask the administrator of the cluster whether that is meant.'
        )
      };
    case 'slurm_no_enforcement':
      return {
        text: trans.__(
          'This cluster enforces no limits of accounts or QoS (AccountingStorageEnforce).'
        ),
        then: null
      };
    case 'slurm_fairshare_not_used':
      return {
        text: trans.__(
          'Fairshare is not used here: the order of jobs does not depend on it (PriorityType, or its weight is 0).'
        ),
        then: null
      };
    case 'slurm_account_limits_hidden':
      return {
        text: trans.__(
          'Whether %1 have limits is not visible to you (PrivateData): none shown does not mean none set.',
          p('accounts')
        ),
        then: trans.__('Ask the administrator of the cluster.')
      };
    case 'slurm_reads_as_slurm_user':
      return {
        text: trans.__(
          "This server runs as %1, Slurm's own user, which sees and may cancel everything on the cluster.",
          p('user')
        ),
        then: trans.__(
          'The administrator of this JupyterLab runs it as an ordinary user.'
        )
      };
    case 'slurm_part_limits_wait':
      return {
        text: trans.__(
          "A job above its partition's limits (time, nodes, accounts, QoS) is accepted and waits for ever (EnforcePartLimits is NO)."
        ),
        then: trans.__(
          'Compare it with the partitions on the Share tab before you submit it.'
        )
      };
    case 'slurm_part_limits_any':
      return {
        text: trans.__(
          'A job above the limits of every partition that it names (time, nodes, accounts, QoS) is refused when it is submitted (EnforcePartLimits is ANY).'
        ),
        then: null
      };
    case 'slurm_part_limits_all':
      return {
        text: trans.__(
          'A job above the limits of one partition that it names (time, nodes, accounts, QoS) is refused when it is submitted (EnforcePartLimits is ALL).'
        ),
        then: null
      };
    case 'slurm_no_estimates':
      return {
        text: trans.__(
          'Slurm estimates no start times here: only the backfill scheduler does (SchedulerType is %1).',
          p('scheduler')
        ),
        then: trans.__('The order of jobs is by priority alone.')
      };
    case 'slurm_estimates_reach':
      return {
        text: trans.__(
          "Slurm's estimates of a start reach %1 ahead (bf_window): a job without one may only be further back.",
          p('window_seconds')
        ),
        then: null
      };
    case 'slurm_preempt_none':
      return {
        text: trans.__('No job is stopped for another one here (PreemptType).'),
        then: null
      };
    case 'slurm_preempt_requeue':
      return {
        text: trans.__(
          'Jobs with QoS %1 can be stopped for jobs of another QoS; they go back into the line if they were submitted to allow it (--requeue), else they end.',
          p('names')
        ),
        then: trans.__('Write checkpoints, or use another QoS.')
      };
    case 'slurm_preempt_cancel':
      return {
        text: trans.__(
          'Jobs with QoS %1 can be ended for jobs of another QoS.',
          p('names')
        ),
        then: trans.__('Write checkpoints, or use another QoS.')
      };
    case 'slurm_preempt_suspend':
      return {
        text: trans.__(
          'Jobs with QoS %1 can be suspended while jobs of another QoS run; they keep their memory on the nodes.',
          p('names')
        ),
        then: null
      };
    case 'slurm_preempt_not_yours':
      return {
        text: trans.__('No other QoS may stop jobs with a QoS of yours.'),
        then: null
      };
    case 'slurm_preempt_partition':
      return {
        text: trans.__(
          'Jobs in partitions %1 can be stopped for jobs in a partition of higher priority (PreemptType=preempt/partition_prio).',
          p('names')
        ),
        then: trans.__('Write checkpoints.')
      };
    case 'slurm_few_accounts':
      return {
        text: trans.__(
          'Only two accounts have jobs here: sums over the queue may tell what the other one does.'
        ),
        then: null
      };
    case 'slurm_accounts_left_out':
      return {
        text: trans.__(
          'Jobs of %1 more of your accounts are not read: there are too many to ask for each.',
          p('count')
        ),
        then: null
      };
    case 'slurm_limits_left_out':
      return {
        text: trans.__(
          "Limits of %1 more accounts, yours or above yours, are not read from Slurm's database: there are too many to ask for each.",
          p('count')
        ),
        then: null
      };
    case 'slurm_newer_version':
      return {
        text: trans.__(
          'Slurm answers in a newer form (%1) than this extension knows; it is read as the newest known one.',
          p('version')
        ),
        then: trans.__('Update this extension.')
      };
    case 'slurm_rows_unread':
      return {
        text: trans.__(
          '%1 rows could not be read and are not shown.',
          p('count')
        ),
        then: trans.__('Report it with the version of Slurm.')
      };
    case 'slurm_reservation_ahead':
      return {
        text: trans.__(
          "Reservation %1 takes %2 of %3 nodes from %4 to %5; %6 of your waiting jobs would run into it and can't use those until then.",
          p('name'),
          p('nodes'),
          p('nodes_total'),
          p('start_at'),
          p('end_at'),
          p('jobs')
        ),
        then: trans.__('A shorter time limit may let them start before it.')
      };
    case 'slurm_reservation_ahead_unnamed':
      return {
        text: trans.__(
          "A reservation takes %1 of %2 nodes from %3 to %4; %5 of your waiting jobs would run into it and can't use those until then.",
          p('nodes'),
          p('nodes_total'),
          p('start_at'),
          p('end_at'),
          p('jobs')
        ),
        then: trans.__('A shorter time limit may let them start before it.')
      };
    // contracts
    case 'typed_settings_invalid':
      return {
        text: trans.__(
          'The namespaces in your settings cannot be used (%1).',
          p('why')
        ),
        then: trans.__(
          'Correct the setting “Namespaces” of the HyperPod panel.'
        )
      };
    case 'scope_typed_not_asked':
      return {
        text: trans.__(
          'Typed by you; whether your role may look into it is not asked yet, and nothing is read there before.'
        ),
        then: null
      };
    case 'scope_typed_not_answered':
      return {
        text: trans.__(
          'Typed by you; the cluster did not say whether your role may look into it, so nothing is read there.'
        ),
        then: trans.__('It is asked again by itself.')
      };
    case 'no_scope_typed_refused':
      return {
        text: trans.__(
          'Your role may not look into %1, which you typed, so nothing is read there.',
          p('namespace')
        ),
        then: trans.__(
          'Ask the administrator of the cluster, or correct the name.'
        )
      };
    case 'scope_typed_refused':
      return {
        text: trans.__(
          'Typed by you; your role may not look into it, so nothing is read there.'
        ),
        then: trans.__(
          'Ask the administrator of the cluster, or correct the name.'
        )
      };
    case 'contract_agreed_until':
      return { text: trans.__('Agreed until %1.', p('until')), then: null };
    case 'contract_agreed_no_end':
      return { text: trans.__('Agreed; no end date.'), then: null };
    case 'contract_self_declared':
      return {
        text: trans.__(
          'Self-declared, until %1: it is kept where those whom it governs can write, and approves nothing.',
          p('until')
        ),
        then: null
      };
    case 'contract_self_declared_no_end':
      return {
        text: trans.__(
          'Self-declared, no end date: it is kept where those whom it governs can write, and approves nothing.'
        ),
        then: null
      };
    case 'contract_on_record':
      return {
        text: trans.__(
          'On record. Whether it is approved is not recorded here.'
        ),
        then: trans.__("See the customer's record behind the link.")
      };
    case 'contract_review_due':
      return {
        text: trans.__('Review due since %1; access continues.', p('since')),
        then: trans.__('Remind the owner; a missed review ends nothing.')
      };
    case 'contract_review_due_computed':
      return {
        text: trans.__(
          'Review due since %1, counted from the last review or the approval; access continues.',
          p('since')
        ),
        then: trans.__('Remind the owner.')
      };
    case 'contract_draft':
      return {
        text: trans.__('A draft: not approved.'),
        then: trans.__(
          'Have it approved, then set lifecycle.status to approved.'
        )
      };
    case 'contract_not_yet':
      return {
        text: trans.__('Approved; begins on %1.', p('begins')),
        then: null
      };
    case 'contract_expired':
      return {
        text: trans.__('Expired on %1.', p('on')),
        then: trans.__(
          'Ask the owner for a new end date. Rights come from IAM, RBAC and Slurm and may still be there.'
        )
      };
    case 'contract_revoked':
      return {
        text: trans.__('Revoked (on %1).', p('on')),
        then: trans.__(
          'Ask the owner. Rights come from IAM, RBAC and Slurm; this panel no longer shows the rows.'
        )
      };
    case 'contract_decommissioned':
      return {
        text: trans.__('Decommissioned (on %1).', p('on')),
        then: trans.__('Ask the owner which cluster comes next.')
      };
    case 'contract_invalid':
      return {
        text: trans.__(
          'The record does not validate; problems in it: %1.',
          p('count')
        ),
        then: trans.__(
          'Each is named with its line; whoever keeps the record mends it.'
        )
      };
    case 'contract_ambiguous':
      return {
        text: trans.__(
          '%1 different records of one rank are about this connection.',
          p('count')
        ),
        then: trans.__('Keep one of them; each is listed below.')
      };
    case 'contract_unmatched':
      return {
        text: trans.__(
          'Names too little to tell whether it is about this connection.'
        ),
        then: trans.__(
          'Add cluster.account, cluster.region, cluster.name and project.id to it.'
        )
      };
    case 'contract_unknown':
      return {
        text: trans.__(
          'Not known; places where a contract can be kept that could not be read: %1.',
          p('count')
        ),
        then: null
      };
    case 'contract_none':
      return {
        text: trans.__('No contract on record.'),
        then: trans.__('Draft one from what is known, and have it approved.')
      };
    case 'contract_ends_soon':
      return {
        text: trans.__('The agreement ends on %1.', p('until')),
        then: trans.__('Ask the owner about the time after it.')
      };
    case 'contract_review_soon':
      return {
        text: trans.__('The contract is to be reviewed by %1.', p('on')),
        then: null
      };
    case 'contract_source_not_read':
      return {
        text: trans.__(
          '%1 was not read (%2): a record there would come before this one.',
          p('where'),
          p('state')
        ),
        then: null
      };
    case 'contract_unreadable_may_overrule':
      return {
        text: trans.__(
          "Records of a higher rank that can't be read and may be about this connection: %1.",
          p('count')
        ),
        then: null
      };
    case 'contract_unmatched_may_overrule':
      return {
        text: trans.__(
          'Records of a higher rank that name too little to tell whether they are about this connection: %1.',
          p('count')
        ),
        then: null
      };
    case 'contract_others_cut':
      return {
        text: trans.__('Further records that are not listed: %1.', p('count')),
        then: null
      };
    case 'platform_connection_datazone':
      return {
        text: trans.__('Connection %1, as DataZone lists it.', p('name')),
        then: null
      };
    case 'platform_connection_studio':
      return {
        text: trans.__('Cluster %1, as SageMaker lists it.', p('name')),
        then: null
      };
    case 'platform_connection_trait':
      return {
        text: trans.__(
          'Connection %1, as HpgovSettings.connections names it.',
          p('name')
        ),
        then: null
      };
    case 'platform_connection_kubeconfig':
      return {
        text: trans.__(
          "Connection %1, from the kubeconfig of this server's configuration.",
          p('name')
        ),
        then: null
      };
    case 'platform_connection_in_cluster':
      return {
        text: trans.__(
          'Connection %1: the cluster that this server runs on.',
          p('name')
        ),
        then: null
      };
    case 'platform_description':
      return { text: trans.__('%1', p('text')), then: null };
    case 'platform_description_not_read':
      return {
        text: trans.__(
          "The connection's description was not read (%1).",
          p('state')
        ),
        then: null
      };
    case 'platform_project':
      return { text: trans.__('Project %1.', p('name')), then: null };
    case 'self_declared_file':
      return {
        text: trans.__(
          "Self-declared: it lies in the project's own repository."
        ),
        then: null
      };
    case 'self_declared_prefix':
      return {
        text: trans.__(
          'Self-declared: the platform file does not name this S3 prefix.'
        ),
        then: null
      };
    case 'self_declared_writable':
      return {
        text: trans.__(
          'Self-declared: the role that reads here may change the namespace %1.',
          p('namespace')
        ),
        then: null
      };
    case 'self_declared_unknown':
      return {
        text: trans.__(
          'Shown as self-declared: whether the role that reads here may change the namespace %1 is not known.',
          p('namespace')
        ),
        then: null
      };
    case 'self_declared_typed':
      return {
        text: trans.__(
          'Shown as self-declared: %1 is looked into only because you typed it, and its record does not name this project.',
          p('namespace')
        ),
        then: trans.__(
          'Ask the owner of the contract to name the project in it.'
        )
      };
    case 'scope_closed':
      return {
        text: trans.__('Not read: the contract is revoked or decommissioned.'),
        then: null
      };
    case 'scope_ends_not_read':
      return {
        text: trans.__(
          'Not read: this extension failed over the contract, so whether it is revoked is not known. That is our fault, not your rights.'
        ),
        then: trans.__("Report it with the server's log.")
      };
    case 'scope_not_in_contract':
      return {
        text: trans.__('Not read: the contract does not name this namespace.'),
        then: trans.__('Ask the owner of the contract.')
      };
    case 'scope_not_in_connection':
      return {
        text: trans.__(
          'Not read: the connection names its namespaces, and not this one.'
        ),
        then: null
      };
    case 'scope_claimed_not_read':
      return {
        text: trans.__(
          'Claimed, not read: only a self-declared record names it, and your role may not create tasks there.'
        ),
        then: trans.__('Ask for a contract that the platform keeps.')
      };
    case 'scope_claimed_not_checked':
      return {
        text: trans.__(
          'Claimed, not read: only a self-declared record names it; whether your role may create tasks there is not known yet.'
        ),
        then: null
      };
    case 'no_namespace_in_scope':
      return {
        text: trans.__(
          'Neither a contract nor the connection names a namespace of your team, so none is read.'
        ),
        then: trans.__(
          'Ask the owner of the contract to name it, or type it in the dashboard: what your role may read there is then shown.'
        )
      };
    case 'no_namespace_contract_unread':
      return {
        text: trans.__(
          "The namespace of your team is not known: the contract that may name it can't be read (%1), and the connection names none.",
          p('read')
        ),
        then: trans.__(
          'Type it in the dashboard: what your role may read there is then shown.'
        )
      };
    case 'namespace_suggested':
      return {
        text: trans.__(
          "HyperPod's naming rule gives this name; nobody named it, so it is not read."
        ),
        then: trans.__("If it is your team's, take it over in the dashboard.")
      };
    case 'contract_empty':
      return { text: trans.__('There is nothing in it.'), then: null };
    case 'contract_ends_not_read':
      return {
        text: trans.__(
          "Whether it is revoked or decommissioned can't be read; nothing is shown under it meanwhile."
        ),
        then: null
      };
    case 'contract_one_document':
      return {
        text: trans.__('More than one document; one is expected.'),
        then: null
      };
    case 'contract_needs_mapping':
      return {
        text: trans.__('A mapping (name: value) is expected here.'),
        then: null
      };
    case 'contract_needs_list':
      return { text: trans.__('A list is expected here.'), then: null };
    case 'contract_needs_text':
      return {
        text: trans.__('Text is expected here.'),
        then: trans.__(
          'Put numbers, true and false in quotes; an account would otherwise lose its leading zero.'
        )
      };
    case 'contract_needs_number':
      return { text: trans.__('A whole number is expected here.'), then: null };
    case 'contract_unknown_field':
      return {
        text: trans.__('Unknown field. Known here: %1.', p('fields')),
        then: trans.__('Names that begin with x- are yours, at the top level.')
      };
    case 'contract_field_missing':
      return { text: trans.__('This field is needed.'), then: null };
    case 'contract_one_of':
      return {
        text: trans.__('At least one of these is needed: %1.', p('fields')),
        then: null
      };
    case 'contract_too_many_items':
      return { text: trans.__('More than %1 items.', p('limit')), then: null };
    case 'contract_number_range':
      return {
        text: trans.__('Not between %1 and %2.', p('least'), p('most')),
        then: null
      };
    case 'contract_text_length':
      return {
        text: trans.__('Empty, or longer than %1 characters.', p('limit')),
        then: null
      };
    case 'contract_one_line':
      return { text: trans.__('This must be one line.'), then: null };
    case 'contract_wrong_form':
      return {
        text: trans.__('Not in the form of: %1.', p('example')),
        then: null
      };
    case 'contract_not_a_choice':
      return { text: trans.__('Not one of: %1.', p('choices')), then: null };
    case 'contract_not_a_date':
      return {
        text: trans.__(
          'Not a date: YYYY-MM-DD, or YYYY-MM-DDTHH:MM with Z or an offset.'
        ),
        then: null
      };
    case 'contract_not_a_link':
      return {
        text: trans.__(
          'Not a link that can be shown: https, a plain host, no user name, no spaces.'
        ),
        then: null
      };
    case 'contract_hidden_character':
      return {
        text: trans.__(
          'A control, bidirectional or line-separating character: it would read otherwise than it is.'
        ),
        then: trans.__('Remove it.')
      };
    case 'bytes_too_big':
      return {
        text: trans.__('Bigger than %1 bytes.', p('limit_bytes')),
        then: null
      };
    case 'bytes_wrong_encoding':
      return {
        text: trans.__('Encoded as %1.', p('encoding')),
        then: trans.__('Save it as UTF-8.')
      };
    case 'bytes_not_utf8':
      return {
        text: trans.__('Not UTF-8.'),
        then: trans.__('Save it as UTF-8.')
      };
    case 'text_unreadable_character':
      return {
        text: trans.__(
          "A character that YAML and JSON don't allow as it is (%1).",
          p('character')
        ),
        then: null
      };
    case 'yaml_syntax':
      return { text: trans.__('Not YAML: the parser stops here.'), then: null };
    case 'json_syntax':
      return { text: trans.__('Not JSON: the parser stops here.'), then: null };
    case 'yaml_too_many_nodes':
      return {
        text: trans.__(
          'More than %1 values, counted as if every alias and merge were written out.',
          p('limit')
        ),
        then: null
      };
    case 'yaml_too_much_text':
      return {
        text: trans.__(
          'More than %1 characters, counted as if every alias were written out.',
          p('limit')
        ),
        then: null
      };
    case 'yaml_too_deep':
      return {
        text: trans.__('Nested deeper than %1 levels.', p('limit')),
        then: null
      };
    case 'yaml_too_many_documents':
      return {
        text: trans.__('More than %1 documents.', p('limit')),
        then: null
      };
    case 'yaml_tag':
      return {
        text: trans.__('A tag (!...): not read here.'),
        then: trans.__('Write the value without it, in quotes if it is text.')
      };
    case 'yaml_surrogate':
      return {
        text: trans.__('Half of a surrogate pair: not a character.'),
        then: null
      };
    case 'yaml_no_anchor':
      return {
        text: trans.__('An alias of an anchor that does not stand before it.'),
        then: null
      };
    case 'yaml_recursive':
      return {
        text: trans.__('An alias of something that it is itself a part of.'),
        then: null
      };
    case 'yaml_key_not_text':
      return { text: trans.__('A key that is not text.'), then: null };
    case 'yaml_duplicate_key':
      return { text: trans.__('This key stands here twice.'), then: null };
    case 'yaml_merge_not_mapping':
      return {
        text: trans.__('Only mappings can be merged by <<.'),
        then: null
      };
    case 'yaml_two_readings':
      return {
        text: trans.__('kubectl reads this word otherwise than YAML 1.2 does.'),
        then: trans.__('Put it in quotes if it is text.')
      };
    case 'number_too_long':
      return {
        text: trans.__('A number of more than %1 digits.', p('limit')),
        then: null
      };
    case 'number_not_finite':
      return {
        text: trans.__('Infinity or not-a-number: not read here.'),
        then: null
      };
    case 'folder_absent':
      return {
        text: trans.__('There is no folder %1.', p('path')),
        then: null
      };
    case 'folder_denied':
      return {
        text: trans.__("%1 is not readable by the server's user.", p('path')),
        then: null
      };
    case 'folder_has_link':
      return {
        text: trans.__('%1 is a symbolic link: not followed.', p('path')),
        then: trans.__('Configure the real path.')
      };
    case 'folder_not_plain':
      return {
        text: trans.__('%1 is not a plain absolute path.', p('path')),
        then: null
      };
    case 'folder_not_a_folder':
      return { text: trans.__('%1 is not a folder.', p('path')), then: null };
    case 'folder_too_many_names':
      return {
        text: trans.__(
          '%1 holds more than %2 files: not read.',
          p('path'),
          p('limit')
        ),
        then: null
      };
    case 'folder_too_many_files':
      return {
        text: trans.__(
          '%1 contract files; only the first %2 by name are read.',
          p('count'),
          p('limit')
        ),
        then: null
      };
    case 'folder_error':
      return {
        text: trans.__("%1 can't be read (%2).", p('path'), p('error')),
        then: null
      };
    case 'file_link':
      return { text: trans.__('A symbolic link: not followed.'), then: null };
    case 'file_not_regular':
      return {
        text: trans.__('Not a regular file but a %1: not opened.', p('kind')),
        then: null
      };
    case 'file_changed':
      return { text: trans.__('Changed while it was read.'), then: null };
    case 'file_denied':
      return {
        text: trans.__("Not readable by the server's user."),
        then: null
      };
    case 'file_error':
      return { text: trans.__("Can't be read (%1).", p('error')), then: null };
    case 'file_not_read_in_time':
      return {
        text: trans.__(
          'Not read: the files before it took all the time there is.'
        ),
        then: null
      };
    case 'platform_absent':
      return {
        text: trans.__('There is no platform file (%1).', p('path')),
        then: null
      };
    case 'platform_wrong_name':
      return {
        text: trans.__('%1: a platform file is called hpgov.yaml.', p('path')),
        then: null
      };
    case 'platform_server_is_root':
      return {
        text: trans.__(
          'This server runs as root and could have written %1: the platform file is not believed.',
          p('path')
        ),
        then: trans.__('Run it as an ordinary user.')
      };
    case 'platform_not_owned_by_root':
      return {
        text: trans.__(
          '%1 does not belong to root: the platform file is not believed.',
          p('path')
        ),
        then: null
      };
    case 'platform_writable_by_others':
      return {
        text: trans.__(
          '%1 can be written by others than root: the platform file is not believed.',
          p('path')
        ),
        then: null
      };
    case 'platform_writable':
      return {
        text: trans.__(
          "%1 can be written by this server's user: the platform file is not believed.",
          p('path')
        ),
        then: null
      };
    case 'platform_has_link':
      return {
        text: trans.__(
          '%1 is a symbolic link: the platform file is not believed.',
          p('path')
        ),
        then: trans.__('Configure the real path.')
      };
    case 'platform_not_regular':
      return {
        text: trans.__(
          '%1 is not a regular file in a folder: the platform file is not believed.',
          p('path')
        ),
        then: null
      };
    case 'platform_not_plain':
      return {
        text: trans.__('%1 is not a plain absolute path.', p('path')),
        then: null
      };
    case 'platform_denied':
      return {
        text: trans.__("%1 is not readable by the server's user.", p('path')),
        then: null
      };
    case 'platform_error':
      return { text: trans.__("%1 can't be read.", p('path')), then: null };
    case 'field_record':
      return { text: trans.__("Customer's record"), then: null };
    case 'field_owner_business':
      return { text: trans.__('Business owner'), then: null };
    case 'field_owner_operations':
      return { text: trans.__('Operations owner'), then: null };
    case 'field_owner_cost':
      return { text: trans.__('Cost owner'), then: null };
    case 'field_owner_exceptions':
      return { text: trans.__('Exceptions owner'), then: null };
    case 'field_purpose':
      return { text: trans.__('Purpose'), then: null };
    case 'field_account_capacity':
      return { text: trans.__('Capacity account'), then: null };
    case 'field_account_consumer':
      return { text: trans.__('Consumer account'), then: null };
    case 'field_account_data':
      return { text: trans.__('Data account'), then: null };
    case 'field_network':
      return { text: trans.__('Network'), then: null };
    case 'field_isolation':
      return { text: trans.__('Isolation'), then: null };
    case 'field_domain_id':
      return { text: trans.__('Domain id'), then: null };
    case 'field_domain_name':
      return { text: trans.__('Domain'), then: null };
    case 'field_project_id':
      return { text: trans.__('Project id'), then: null };
    case 'field_project_name':
      return { text: trans.__('Project'), then: null };
    case 'field_cluster_account':
      return { text: trans.__("Cluster's account"), then: null };
    case 'field_cluster_region':
      return { text: trans.__("Cluster's region"), then: null };
    case 'field_cluster_name':
      return { text: trans.__('Cluster'), then: null };
    case 'field_cluster_orchestrator':
      return { text: trans.__('Orchestrator'), then: null };
    case 'field_cluster_version':
      return { text: trans.__("Orchestrator's version"), then: null };
    case 'field_role_project':
      return { text: trans.__('Project role'), then: null };
    case 'field_role_access':
      return { text: trans.__('Access role'), then: null };
    case 'field_service_accounts':
      return { text: trans.__('Service accounts'), then: null };
    case 'field_workload_kinds':
      return { text: trans.__('Approved kinds of task'), then: null };
    case 'field_data_classification':
      return { text: trans.__('Data classification'), then: null };
    case 'field_scope_namespaces':
      return { text: trans.__('Namespaces'), then: null };
    case 'field_scope_slurm_accounts':
      return { text: trans.__('Slurm accounts'), then: null };
    case 'field_scope_qos':
      return { text: trans.__('Slurm QoS'), then: null };
    case 'field_scope_partitions':
      return { text: trans.__('Slurm partitions'), then: null };
    case 'field_team':
      return { text: trans.__('Team'), then: null };
    case 'field_compute_quota_id':
      return { text: trans.__('Compute quota id'), then: null };
    case 'field_scheduler_config_id':
      return { text: trans.__('Scheduler configuration id'), then: null };
    case 'field_share':
      return { text: trans.__('Share per instance type'), then: null };
    case 'field_priority_classes':
      return { text: trans.__('Priority classes'), then: null };
    case 'field_sharing':
      return { text: trans.__('Lending and borrowing'), then: null };
    case 'field_borrow_limit_percent':
      return {
        text: trans.__('Borrow limit, percent of the share'),
        then: null
      };
    case 'field_preemption':
      return { text: trans.__('Preemption within the team'), then: null };
    case 'field_signal_cluster_health':
      return { text: trans.__('Signal: cluster health'), then: null };
    case 'field_signal_queue_wait':
      return { text: trans.__('Signal: waiting time'), then: null };
    case 'field_signal_share_held':
      return { text: trans.__('Signal: share held'), then: null };
    case 'field_signal_stops':
      return { text: trans.__('Signal: stopped tasks'), then: null };
    case 'field_signal_cost':
      return { text: trans.__('Signal: cost'), then: null };
    case 'field_status':
      return { text: trans.__('Status'), then: null };
    case 'field_approved_by':
      return { text: trans.__('Approved by'), then: null };
    case 'field_approved_on':
      return { text: trans.__('Approved on'), then: null };
    case 'field_begins':
      return { text: trans.__('Begins'), then: null };
    case 'field_until':
      return { text: trans.__('Agreed until'), then: null };
    case 'field_revoked_on':
      return { text: trans.__('Revoked on'), then: null };
    case 'field_review_every':
      return { text: trans.__('Reviewed every'), then: null };
    case 'field_next_review':
      return { text: trans.__('Next review'), then: null };
    case 'field_decommission_on':
      return { text: trans.__('To be decommissioned on'), then: null };
    case 'field_decommission_plan':
      return { text: trans.__('Plan for decommissioning'), then: null };
    case 'field_exceptions':
      return { text: trans.__('Exceptions'), then: null };
    case 'field_decisions':
      return { text: trans.__('Decisions'), then: null };
    case 'field_reviewed_on':
      return { text: trans.__('Last reviewed on'), then: null };
    case 'field_reviewed_project_role':
      return { text: trans.__('Project role at the last review'), then: null };
    case 'field_reviewed_access_role':
      return { text: trans.__('Access role at the last review'), then: null };
    case 'field_reviewed_region':
      return { text: trans.__('Region at the last review'), then: null };
    case 'field_reviewed_version':
      return { text: trans.__('Version at the last review'), then: null };
    case 'field_reviewed_quota':
      return { text: trans.__('Quota at the last review'), then: null };
    // access
    case 'request_slurm':
      return { text: trans.__('Association in Slurm'), then: null };
    case 'request_slurm_account':
      return {
        text: trans.__('Association in Slurm: the account is not on record'),
        then: null
      };
    case 'read_identity':
      return { text: trans.__('Whose AWS identity reads'), then: null };
    case 'assume_access_role':
      return {
        text: trans.__("Assuming the connection's access role"),
        then: null
      };
    case 'assume_web_identity':
      return {
        text: trans.__("Keys for the service account's role"),
        then: null
      };
    case 'read_connections':
      return {
        text: trans.__("The project's HyperPod connections"),
        then: null
      };
    case 'read_connection':
      return {
        text: trans.__("The connection's description, without its secrets"),
        then: null
      };
    case 'read_project':
      return { text: trans.__("The project's name"), then: null };
    case 'read_cluster':
      return { text: trans.__('The HyperPod cluster'), then: null };
    case 'read_nodes':
      return { text: trans.__("The cluster's nodes"), then: null };
    case 'read_cluster_list':
      return { text: trans.__('Which clusters the account has'), then: null };
    case 'read_eks_cluster':
      return { text: trans.__('The EKS cluster behind it'), then: null };
    case 'read_contract_list':
      return { text: trans.__('Which contracts the bucket holds'), then: null };
    case 'read_contract':
      return { text: trans.__('A contract in the bucket'), then: null };
    case 'needed_identity':
      return {
        text: trans.__('whose rights the panel reads with'),
        then: null
      };
    case 'needed_reach':
      return {
        text: trans.__("the way to the cluster's API server"),
        then: null
      };
    case 'needed_access_role':
      return {
        text: trans.__("everything about the connection's cluster"),
        then: null
      };
    case 'needed_connections':
      return {
        text: trans.__('the clusters connected to the project'),
        then: null
      };
    case 'needed_description':
      return { text: trans.__("the connection's description"), then: null };
    case 'needed_project':
      return { text: trans.__("the project's name"), then: null };
    case 'needed_cluster_state':
      return { text: trans.__("the cluster's state"), then: null };
    case 'needed_nodes':
      return { text: trans.__('the state of the nodes'), then: null };
    case 'needed_cluster_list':
      return {
        text: trans.__('the clusters to choose from in Studio'),
        then: null
      };
    case 'needed_contracts':
      return { text: trans.__('the connection contract'), then: null };
    case 'read_discovery':
      return { text: trans.__('Which kinds this cluster serves'), then: null };
    case 'read_namespace':
      return { text: trans.__('The namespace'), then: null };
    case 'read_local_queues':
      return {
        text: trans.__("The team's queues in the namespace"),
        then: null
      };
    case 'read_cluster_queue':
      return { text: trans.__("The team's ClusterQueue, by name"), then: null };
    case 'read_workloads':
      return { text: trans.__("The team's workloads"), then: null };
    case 'read_pending':
      return { text: trans.__("Places in the team's line"), then: null };
    case 'read_pods':
      return { text: trans.__("The team's pods"), then: null };
    case 'read_events':
      return { text: trans.__('Events in the namespace'), then: null };
    case 'read_flavors':
      return { text: trans.__('Resource flavours'), then: null };
    case 'read_priorities':
      return { text: trans.__('Priority classes'), then: null };
    case 'read_tasks_of_kind':
      return { text: trans.__("The team's tasks of this kind"), then: null };
    case 'read_cohort_queues':
      return {
        text: trans.__('All ClusterQueues, kept as sums without names'),
        then: null
      };
    case 'read_cohorts':
      return {
        text: trans.__('All cohorts, of which the own is kept'),
        then: null
      };
    case 'read_access':
      return {
        text: trans.__('Which of these reads your role may do'),
        then: null
      };
    case 'read_self':
      return { text: trans.__('Who the cluster takes you for'), then: null };
    case 'needed_kinds':
      return {
        text: trans.__(
          'telling what is not installed from what is not allowed'
        ),
        then: null
      };
    case 'needed_governed':
      return {
        text: trans.__('whether the namespace is governed by queues'),
        then: null
      };
    case 'needed_queue':
      return { text: trans.__('the queue a task is sent to'), then: null };
    case 'needed_manifest':
      return { text: trans.__('what to write in the manifest'), then: null };
    case 'needed_share':
      return { text: trans.__("the team's share"), then: null };
    case 'needed_share_holders':
      return { text: trans.__('what holds the share'), then: null };
    case 'needed_line':
      return { text: trans.__("places in the team's line"), then: null };
    case 'needed_tasks':
      return { text: trans.__("the team's tasks"), then: null };
    case 'needed_task_page':
      return { text: trans.__('what happened to a task'), then: null };
    case 'needed_no_node':
      return {
        text: trans.__('why an admitted task does not run'),
        then: null
      };
    case 'needed_cohort':
      return { text: trans.__('what the cohort as a whole holds'), then: null };
    case 'needed_access':
      return { text: trans.__('this table'), then: null };
    case 'read_slurm_version':
      return { text: trans.__("The version of Slurm's clients"), then: null };
    case 'read_slurm_controller':
      return { text: trans.__('Whether a controller answers'), then: null };
    case 'read_slurm_config':
      return {
        text: trans.__('The configuration lines that decide'),
        then: null
      };
    case 'read_slurm_queue':
      return {
        text: trans.__('The whole queue, kept as sums without names'),
        then: null
      };
    case 'read_slurm_own_jobs':
      return { text: trans.__('Your own jobs'), then: null };
    case 'read_slurm_team_jobs':
      return { text: trans.__("Jobs of your team's accounts"), then: null };
    case 'read_slurm_history':
      return {
        text: trans.__('Your own runs of the last 24 hours'),
        then: null
      };
    case 'read_slurm_associations':
      return { text: trans.__('Your associations'), then: null };
    case 'read_slurm_account':
      return {
        text: trans.__('The rows of your accounts and those above them'),
        then: null
      };
    case 'read_slurm_qos':
      return { text: trans.__('QoS and their limits'), then: null };
    case 'read_slurm_usage':
      return {
        text: trans.__(
          'What is held of limits, kept for your own accounts only'
        ),
        then: null
      };
    case 'read_slurm_shares':
      return { text: trans.__('Your fairshare'), then: null };
    case 'read_slurm_partitions':
      return {
        text: trans.__('Partitions, as far as they concern you'),
        then: null
      };
    case 'read_slurm_reservations':
      return { text: trans.__('Reservations'), then: null };
    case 'read_slurm_nodes':
      return { text: trans.__('All nodes, kept as sums'), then: null };
    case 'needed_slurm_version':
      return {
        text: trans.__('choosing how to read this version'),
        then: null
      };
    case 'needed_slurm_enforced':
      return {
        text: trans.__(
          'telling what is enforced, who sees whom and what the order depends on'
        ),
        then: null
      };
    case 'needed_slurm_queue':
      return {
        text: trans.__('how much runs and waits in each partition'),
        then: null
      };
    case 'needed_slurm_accounts':
      return { text: trans.__('which accounts and QoS are yours'), then: null };
    case 'needed_slurm_fairshare':
      return { text: trans.__('your fairshare'), then: null };
    case 'needed_slurm_where':
      return { text: trans.__('what is allowed to you where'), then: null };
    case 'needed_slurm_reservations':
      return {
        text: trans.__('reservations that a time limit would cross'),
        then: null
      };
    case 'access_whose':
      return {
        text: trans.__(
          'These are the rights of the identity above. Tasks that you submit may use another one.'
        ),
        then: null
      };
    case 'access_token_is_whole':
      return {
        text: trans.__(
          "The session policy of this product limits AWS calls only. The cluster's token carries all rights that the role has there: on the cluster this product's allow list and your RBAC are the limit."
        ),
        then: null
      };
    case 'access_source_identity':
      return {
        text: trans.__(
          "The source identity names you only where the access role's trust policy pins it to you."
        ),
        then: null
      };
    case 'request_iam':
      return {
        text: trans.__('IAM statement for what was refused'),
        then: null
      };
    case 'request_trust':
      return { text: trans.__('Trust policy of the access role'), then: null };
    case 'request_rbac':
      return {
        text: trans.__('RBAC manifest for what was refused'),
        then: null
      };
    case 'request_rbac_no_user':
      return {
        text: trans.__(
          'Who the cluster takes you for is not known, so no RBAC manifest can be written.'
        ),
        then: trans.__('Ask for the access entry of the role first.')
      };
    case 'request_access_entry':
      return {
        text: trans.__('EKS access entry for the role you read with.'),
        then: trans.__(
          'Once it is there, this tab has the RBAC manifest for its group.'
        )
      };
    case 'request_can_i':
      return {
        text: trans.__('Questions that show what is missing'),
        then: null
      };
    case 'copy_labels':
      return {
        text: trans.__('Namespace and labels for a manifest'),
        then: null
      };
    // edge
    case 'header_missing':
      return {
        text: trans.__(
          'The request lacks the header X-Hpgov: 1, without which nothing is answered here.'
        ),
        then: trans.__('Send it with every request.')
      };
    case 'foreign_page':
      return {
        text: trans.__(
          'The request comes from a page of another origin, which gets no answer here.'
        ),
        then: null
      };
    case 'bad_input':
      return {
        text: trans.__('%1 is not as it must be: %2.', p('input'), p('rule')),
        then: trans.__('Correct it and ask again.')
      };
    case 'bad_request':
      return {
        text: trans.__('The request is not understood.'),
        then: trans.__('Correct it and ask again.')
      };
    case 'not_signed_in':
      return {
        text: trans.__('You are not signed in to this Jupyter server.'),
        then: trans.__('Sign in again.')
      };
    case 'not_authorised':
      return {
        text: trans.__(
          'The authorizer of this Jupyter server does not let you read this.'
        ),
        then: trans.__('Ask the administrator of this JupyterLab.')
      };
    case 'no_such_connection':
      return {
        text: trans.__(
          'There is no connection of this id; it may have been removed.'
        ),
        then: trans.__('Go back to the list of connections.')
      };
    case 'connections_not_read_yet':
      return {
        text: trans.__(
          'The connections are not read yet, so this one is not known.'
        ),
        then: trans.__('It is asked again by itself.')
      };
    case 'connections_not_readable':
      return {
        text: trans.__(
          "The list of connections can't be read, so this one is not known."
        ),
        then: trans.__('The panel says why, and whom to ask.')
      };
    case 'no_such_task':
      return {
        text: trans.__(
          'There is no such task here any more: it is gone, or no longer readable.'
        ),
        then: trans.__('Go back to the list of tasks.')
      };
    case 'no_such_route':
      return {
        text: trans.__('There is no such address.'),
        then: trans.__(
          'Page and server may be of different versions: reload the page.'
        )
      };
    case 'method_not_allowed':
      return {
        text: trans.__(
          'This address is read with GET only; nothing here changes anything.'
        ),
        then: null
      };
    case 'server_fault':
      return {
        text: trans.__(
          'This extension failed while answering. That is our fault, not your rights.'
        ),
        then: trans.__("Report it with the server's log.")
      };
    case 'screen_no_connection':
      return {
        text: trans.__(
          'No HyperPod cluster is connected to project %1 yet.',
          p('project')
        ),
        then: trans.__(
          'Ask whoever may create connections in this project (datazone:CreateConnection) for one of type HyperPod; it then appears here by itself.'
        )
      };
    case 'screen_credentials_expired':
      return {
        text: trans.__('The AWS credentials of this space have expired.'),
        then: trans.__(
          'Restart the space. What was read before stays, with its age.'
        )
      };
    case 'screen_studio_no_list':
      return {
        text: trans.__(
          "Which clusters there are can't be listed: the execution role may not."
        ),
        then: trans.__(
          "Ask the account's administrator for sagemaker:ListClusters, or have the clusters named in HpgovSettings.connections."
        )
      };
    case 'screen_space_without_aws':
      return {
        text: trans.__('This Space reads its own cluster, without AWS.'),
        then: trans.__(
          'State and nodes of the HyperPod cluster need an AWS identity of the pod; everything else is read with its service account.'
        )
      };
    case 'screen_nothing_configured':
      return {
        text: trans.__('No cluster is named yet.'),
        then: trans.__(
          "Outside SageMaker the clusters are named in the server's configuration: HpgovSettings.connections or HpgovSettings.kubeconfig."
        )
      };
    case 'attention_cluster_status':
      return {
        text: trans.__('State of the cluster: %1.', p('aws_status')),
        then: null
      };
    case 'attention_nodes':
      return {
        text: trans.__(
          '%1 of %2 nodes have failed or are not found.',
          p('count'),
          p('total')
        ),
        then: null
      };
    case 'attention_nodes_at_least':
      return {
        text: trans.__(
          'At least %1 nodes have failed or are not found; only the first %2 could be read.',
          p('count'),
          p('total')
        ),
        then: null
      };
    case 'attention_no_node':
      return {
        text: trans.__(
          'Admitted tasks with pods that have no node: %1.',
          p('count')
        ),
        then: null
      };
    case 'attention_no_node_at_least':
      return {
        text: trans.__(
          'Admitted tasks with pods that have no node: at least %1.',
          p('count')
        ),
        then: null
      };
    case 'attention_never':
      return {
        text: trans.__(
          "Tasks that can't begin with today's quotas and limits: %1.",
          p('count')
        ),
        then: null
      };
    case 'attention_never_at_least':
      return {
        text: trans.__(
          "Tasks that can't begin with today's quotas and limits: at least %1.",
          p('count')
        ),
        then: null
      };
    case 'attention_failed':
      return { text: trans.__('Failed tasks: %1.', p('count')), then: null };
    case 'attention_failed_at_least':
      return {
        text: trans.__('Failed tasks: at least %1.', p('count')),
        then: null
      };
    default:
      return null;
  }
}
