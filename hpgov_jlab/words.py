"""Code + named parameters -> English. The one place where the product's sentences stand; `src/words.ts` is generated from it.

A table of data, longer than 400 lines on purpose: one vocabulary in one file (DESIGN.md 9) is what keeps words from drifting apart.

Every entry: `text` says what is so, `then` says the next step of the person who reads (or None). `{name}` are the named parameters;
a parameter called *_at is a time (epoch seconds), *_seconds a duration, amount_* an exact decimal string: browser and CLI format those; `state` one of
STATES, said in its words (Slurm's own states, in capitals, stay as they are); `aws_status` one of AWS_STATUSES, an unknown one as it came.
A parameter that may not be known stands within parentheses, which are left out with it: nobody reads "(—)".
Sections are kept by area; codes are snake_case and unique over all sections.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

NAME = re.compile(r"\{([a-z_0-9]+)\}")
ASIDE = re.compile(r" ?\([^()]*\)")
"""What is left out where a parameter within it is not known; `src/format/phrase.ts` does the same in every language."""


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    then: str | None = None


# -- states, layers, whom to ask: the labels every part uses ---------------------------------------------------------------
STATES: dict[str, Word] = {
    "ok": Word("Read"),
    "pending": Word("Being read"),
    "denied": Word("Not readable by your role"),
    "absent": Word("Not there"),
    "unreachable": Word("Not reached"),
    "throttled": Word("Asked to slow down"),
    "expired": Word("Credentials expired"),
    "not_configured": Word("Not configured"),
    "invalid": Word("Not usable"),
}
LAYERS: dict[str, Word] = {
    "organisation": Word("organisation"),
    "project": Word("project"),
    "cluster": Word("cluster"),
    "workload": Word("workload"),
}
ASKS: dict[str, Word] = {
    "nobody": Word("nobody: it passes by itself"),
    "you": Word("you"),
    "project_owner": Word("the owner of the project"),
    "account_admin": Word("the administrator of the AWS account"),
    "organisation_admin": Word("the administrators of your organisation in AWS"),
    "cluster_admin": Word("the administrator of the cluster"),
    "jupyter_admin": Word("the administrator of this JupyterLab"),
    "contract_owner": Word("the owner of the connection contract"),
}

STANDINGS: dict[str, Word] = {
    "in_force": Word("in force"),
    "on_record": Word("on record"),
    "review_due": Word("in force, review due"),
    "draft": Word("a draft"),
    "not_yet": Word("begins later"),
    "expired": Word("expired"),
    "revoked": Word("revoked"),
    "decommissioned": Word("decommissioned"),
    "invalid": Word("not usable as written"),
    "ambiguous": Word("two records match"),
    "unmatched": Word("may be about this connection"),
    "unknown": Word("not known"),
    "none": Word("none on record"),
}
"""Where a contract stands (`model.contract.Standing`)."""

AWS_STATUSES: dict[str, Word] = {
    "Creating": Word("being created"),
    "InService": Word("in service"),
    "Updating": Word("being updated"),
    "SystemUpdating": Word("system being updated"),
    "RollingBack": Word("rolling back"),
    "Deleting": Word("being deleted"),
    "Failed": Word("failed"),
    "CREATING": Word("being created"),
    "ACTIVE": Word("in service"),
    "UPDATING": Word("being updated"),
    "PENDING": Word("not created yet"),
    "DELETING": Word("being deleted"),
    "FAILED": Word("failed"),
}
"""AWS's word for the state of a HyperPod cluster, then of an EKS cluster (`ClusterStatus` of sagemaker and of eks in botocore's service models)."""

# -- reads: what the unit of I/O itself can say -----------------------------------------------------------------------------
READS: dict[str, Word] = {
    "read": Word("Read."),
    "not_read_yet": Word("Not read yet."),
    "waits_for": Word("Waits for another read: {read}."),
    "deadline": Word("No answer within {limit_seconds}.", "It is tried again by itself; what was read before stays, with its age."),
    "workers_busy": Word("Earlier reads of this far end still hang; no new one is started.", "It is tried again by itself."),
    "way_silent": Word(
        "Nothing was heard of other AWS services; this one was not asked.", "It is asked by itself soon. If that lasts, check the network of this place."
    ),
    "internal_scope": Word(
        "This extension failed while putting {scope} together ({kind}). That is our fault, not your rights. What else is shown stands.",
        "Report it with the server's log.",
    ),
    "internal": Word("This extension failed while reading ({kind}). That is our fault, not your rights.", "Report it with the server's log."),
    "stopping": Word("The server is stopping."),
    "asked_when_needed": Word("Asked only when a page needs it."),
}

# -- AWS ---------------------------------------------------------------------------------------------------------------------
AWS: dict[str, Word] = {
    # refusals, by the policy that decides (facts/aws.md 6.1)
    "no_identity_policy_allows": Word("No policy of the role that reads allows {action} (on {resource}).", "Ask for the statement on the Access tab."),
    "identity_policy_denies": Word("A policy of the role that reads denies {action} (on {resource}).", "Ask who keeps that role's policies."),
    "no_resource_policy_allows": Word("The resource's own policy ({resource}) does not allow {action}.", "Ask the owner of that resource."),
    "resource_policy_denies": Word("The resource's own policy ({resource}) denies {action}.", "Ask the owner of that resource."),
    "no_permissions_boundary_allows": Word(
        "The permissions boundary of the role that reads leaves {action} out; a further policy on the role does not help.", "Ask who keeps the boundary."
    ),
    "permissions_boundary_denies": Word(
        "The permissions boundary of the role that reads denies {action}; a further policy on the role does not help.", "Ask who keeps the boundary."
    ),
    "no_service_control_policy_allows": Word(
        "Your organisation allows {action} in no service control policy of this account.", "Ask the organisation's administrators."
    ),
    "service_control_policy_denies": Word("A service control policy of your organisation denies {action}.", "Ask the organisation's administrators."),
    "no_resource_control_policy_allows": Word("Your organisation's resource control policies do not allow {action}.", "Ask the organisation's administrators."),
    "resource_control_policy_denies": Word("A resource control policy of your organisation denies {action}.", "Ask the organisation's administrators."),
    "no_session_policy_allows": Word("The session that reads was limited when it was made, and {action} is not in it."),
    "session_policy_denies": Word("The session that reads was limited when it was made: {action} is denied in it."),
    "no_vpc_endpoint_policy_allows": Word("The VPC endpoint on the way does not let {action} through.", "Ask who keeps this network."),
    "vpc_endpoint_policy_denies": Word("The VPC endpoint on the way denies {action}.", "Ask who keeps this network."),
    "no_trust_policy_allows": Word(
        "The role's trust policy ({resource}) does not let the project role assume it with this project's ExternalId.",
        "Ask for the trust statement on the Access tab.",
    ),
    "trust_policy_denies": Word("The role's trust policy ({resource}) denies {action}.", "Ask who keeps that role."),
    "trust_lacks_tag_session": Word(
        "The role's trust policy ({resource}) lacks the statement for sts:TagSession with the project's tags.", "Ask for the trust statement on the Access tab."
    ),
    "trust_lacks_source_identity": Word(
        "The role's trust policy ({resource}) lacks the statement for sts:SetSourceIdentity, which attributes the person.",
        "Ask for the trust statement on the Access tab.",
    ),
    "assume_role_refused": Word(
        "The role ({resource}) may not be assumed. AWS does not say whether its trust policy or the project role's policy is missing.",
        "Ask for both statements on the Access tab.",
    ),
    "a_policy_denies": Word("A policy denies {action} (on {resource}); AWS does not say which.", "Ask the administrators of the account."),
    "denied_without_reason": Word("AWS refuses {action} (on {resource}) and does not say why.", "Ask for the statement on the Access tab."),
    "not_a_project_member": Word("DataZone does not take the role that reads for a member of this project ({action}).", "Ask the project's owner to add it."),
    "web_identity_refused": Word("AWS does not take the service account's token for a role.", "Ask who set up this pod's role."),
    "keys_not_known": Word("AWS does not know these keys in {region}. It says the same where a Region is not enabled for the account."),
    "signature_rejected": Word("AWS does not accept the signature made with these keys.", "Restart this server; if it stays, tell its administrator."),
    # keys
    "no_credentials": Word(
        "There are no AWS credentials here that this place may use.", "Elsewhere than on SageMaker, name a profile in HpgovSettings.profile."
    ),
    "credentials_expired": Word(
        "AWS says that the credentials have expired ({method}), and no newer ones are to be had.", "Restart the space, or log in again."
    ),
    "credentials_not_renewed": Word("The source of the credentials does not renew them ({method}).", "Restart the space; if it stays, tell its administrator."),
    "credentials_already_expired": Word(
        "The source of the credentials hands out expired ones ({method}), or this machine's clock is wrong.", "Restart the space, or check its clock."
    ),
    "credential_endpoint_not_allowed": Word("The container credential endpoint in the environment is none that SageMaker, ECS or EKS uses."),
    "token_file_unreadable": Word("The file with the token for credentials cannot be read ({method})."),
    "profile_not_found": Word("The AWS profile in HpgovSettings.profile does not exist."),
    "profile_unusable": Word("The AWS profile in HpgovSettings.profile cannot be used here."),
    "process_not_allowed": Word("The AWS profile runs a program for its credentials.", "If that is meant, set HpgovSettings.allow_process_credentials."),
    "sso_login_over": Word("The SSO login has ended.", "Log in again with aws sso login."),
    "unexpected_identity": Word(
        "AWS knows these credentials as {arn}; expected was {expected}. Nothing more is read with them.",
        "Restart the space; if it stays, tell its administrator.",
    ),
    "unexpected_method": Word("The credentials come from {method}, which this place does not use. Nothing is read with them."),
    # the far end and the way to it
    "aws_throttled": Word("AWS asks to slow down ({service}). Its limit is shared by everybody in the account.", "It is tried again by itself."),
    "aws_out_of_order": Word("AWS answers with a fault of its own ({service}, {status}).", "It is tried again by itself."),
    "aws_not_reached": Word("{service} in {region} cannot be reached from here.", "Check the network, or the VPC endpoint for this service."),
    "aws_too_slow": Word("{service} in {region} did not answer in time.", "It is tried again by itself."),
    "aws_cut_off": Word("The connection to {service} in {region} broke off.", "It is tried again by itself."),
    "aws_tls_refused": Word("The certificate of {service} in {region} is not trusted here.", "If a proxy opens TLS here, its CA has to be in AWS_CA_BUNDLE."),
    "proxy_unreachable": Word("The proxy on the way to {service} cannot be reached.", "Check HTTPS_PROXY and NO_PROXY."),
    "proxy_wants_login": Word("The proxy on the way to AWS wants a login."),
    "proxy_page": Word("Something on the way answered with a page instead of AWS (status {status}).", "Check the proxy of this network."),
    "not_aws_answer": Word("Something on the way answered with a page and status {status}: a login page of a network or proxy, not AWS."),
    "clock_skew": Word("This machine's clock differs from AWS's (by {skew_seconds}), so signatures are refused.", "Set the clock."),
    "region_not_enabled": Word("{region} is not enabled for this account.", "Ask who manages the account."),
    "wrong_region": Word(
        "{service} says that {region} is not the Region of what was asked for.", "Give its Region where it is named: in hpgov.yaml, or in HpgovSettings."
    ),
    "region_malformed": Word("What stands in {where} is not the name of a Region."),
    "no_region": Word("Nothing says which AWS Region to ask.", "Set HpgovSettings.region or AWS_REGION."),
    "no_aws_here": Word("This place has no AWS identity, so AWS is not asked.", "What the cluster itself says is read without it."),
    "endpoint_not_allowed": Word(
        "The configured endpoint for {service} is not an https address of that AWS service.", "Correct HpgovSettings.endpoint_overrides."
    ),
    "sandbox_endpoint_missing": Word("The sandbox has no far end for {service}; the real one is never asked instead."),
    "answer_unusable": Word("The answer to {action} cannot be used: it is not whole, or not in the form AWS documents."),
    "pages_repeat": Word("The list of {action} goes round in a circle: a page was offered twice."),
    "too_many_pages": Word("The list of {action} is longer than this product reads; it is not shown in part."),
    "request_refused": Word("AWS refuses the request {action} as it is ({code}).", "That is our fault, not your rights: report it."),
    "session_policy_refused": Word("AWS refuses the session policy of this product ({code}).", "That is our fault, not your rights: report it."),
    "aws_said": Word("AWS answered {action} with an error that is not known here ({code})."),
    "guard_refused": Word(
        "This extension was about to send {action} in a way that its own allow list does not have. It was not sent.", "That is our fault: report it."
    ),
    # what is not there
    "cluster_not_found": Word("There is no such HyperPod cluster in {region}.", "It may have been deleted: ask the cluster's administrator."),
    "eks_cluster_not_found": Word("There is no such EKS cluster in {region}.", "It may have been deleted: ask the cluster's administrator."),
    "project_not_found": Word("DataZone in {region} does not know this domain, project or connection."),
    "role_not_found": Word("AWS does not know this role."),
    "bucket_not_found": Word("The bucket of the contracts does not exist."),
    "object_not_found": Word("The contract is no longer in its bucket."),
    "object_empty": Word("The contract's object is empty."),
    "no_eks_cluster": Word("This cluster is run by {orchestrator}, not by EKS."),
    # the target of a connection
    "target_mismatch": Word(
        "The facts of this connection do not belong together ({what}: {wanted} against {found}). No role was assumed and no token signed.",
        "Ask the project's owner to check the connection.",
    ),
    "no_access_role": Word("This connection has no access role, and the project role cannot read clusters.", "Ask the project's owner to add one."),
    "no_user_id": Word("The space does not say who uses it (DataZoneUserId), so the access role is not assumed: nobody could be named for it."),
    # an API server that cannot be connected to
    "endpoint_private": Word(
        "The API server has a private endpoint only ({host}), and there is no route to it from here.", "Ask for a route from this network to the cluster's VPC."
    ),
    "endpoint_limited_to_networks": Word(
        "The API server's endpoint is open to {count} networks only, and this one seems not to be among them.", "Ask for this network to be added."
    ),
    "endpoint_none_yet": Word("The EKS cluster has no endpoint yet (state: {aws_status})."),
}

# -- place, identity, reach --------------------------------------------------------------------------------------------------
PLACE: dict[str, Word] = {
    "cluster_not_named": Word(
        "Which HyperPod cluster this pod runs on can't be seen from inside it, so AWS is not asked for its state and nodes.",
        "Name it in HpgovSettings.connections.",
    ),
    "place_by_metadata": Word("SageMaker's metadata file says so."),
    "place_by_environment": Word("The DataZone variables of the environment say so."),
    "place_by_service_account": Word("A service account's token is mounted here."),
    "place_by_workspace": Word("The Workspace of this pod was read."),
    "place_by_trait": Word("HpgovSettings.place says so."),
    "place_by_absence": Word("Nothing here says otherwise."),
    "place_incomplete": Word("This is Unified Studio, but the domain or the project is not said.", "Restart the space; if it stays, tell its administrator."),
    "no_clusters_configured": Word(
        "No cluster is named here: this is neither SageMaker nor a pod on a cluster.",
        "Name one in HpgovSettings.connections, or a kubeconfig in HpgovSettings.kubeconfig.",
    ),
    "trait_connection_invalid": Word("Entry {number} of HpgovSettings.connections can't be used: {field}.", "Correct it in the server's configuration."),
    "metadata_malformed": Word("SageMaker's metadata file cannot be used ({why}).", "Restart the space; if it stays, tell its administrator."),
}

# -- Kubernetes --------------------------------------------------------------------------------------------------------------
KUBERNETES: dict[str, Word] = {
    # rights and identity
    "k8s_denied": Word("Your role may not {operation} ({scope}).", "Ask for this right with the text on the Access tab."),
    "k8s_denied_these": Word("Your role may do none of these reads.", "Ask for the rights with the text above."),
    "k8s_access_entry_gone": Word(
        "The cluster refused a token signed just now: the role you read with has no access entry on it.", "Ask for the access entry of this role."
    ),
    "k8s_token_refused": Word("The cluster refused the token; a new one is asked for.", "It is tried again by itself."),
    "k8s_clock_off": Word("The cluster refused the token, and its clock differs from this server's by {skew_seconds}.", "Set this server's clock."),
    "k8s_namespace_out_of_scope": Word("{scope} is not in this connection's scope, so nothing is asked about it."),
    "k8s_review_budget": Word("At most {limit} questions about rights in {scope} are sent in five minutes.", "Asked again after {retry_after_seconds}."),
    # what is there
    "k8s_not_served": Word("This cluster does not have it: {operation} is not among what its API server offers."),
    "k8s_unknown_version": Word("This cluster offers {operation} only in versions that this extension cannot read ({served}).", "Update this extension."),
    "k8s_not_found": Word("Not there: {operation} found nothing of the name {scope}."),
    "k8s_list_cut": Word("More is there than is read here: {operation} was cut after {count} objects (namespace {scope})."),
    "k8s_queues_left_out": Word("{count} more queues of {scope} are not read: there are too many to ask for each. Those that most tasks name are read."),
    "k8s_list_unread": Word(
        "Objects of {operation} whose shape is not known here, so that they are missing: {count} (namespace {scope}).", "Update this extension."
    ),
    "k8s_cohort_not_whole": Word("The list ({operation}) is not whole, so no sum over it is shown."),
    # the server and what stands behind it
    "k8s_throttled": Word("The API server asks to slow down.", "It is asked again after {retry_after_seconds}."),
    "k8s_server_error": Word("The API server failed with status {status}.", "It is tried again by itself."),
    "k8s_conversion_down": Word("Kueue did not answer when the API server had its objects converted.", "Tell the administrator that Kueue's webhook is down."),
    "k8s_visibility_down": Word("Kueue's visibility API did not answer (status {status}): places in line are not known from it."),
    "k8s_list_expired": Word("The list changed faster than it could be read, twice.", "It is tried again by itself."),
    # the way to it
    "k8s_no_such_host": Word("The name {host} of the API server is not known here.", "A private endpoint's name is known in its own network only."),
    "k8s_no_route": Word("No connection to {host} within the time: no route, or a security group in between.", "Ask for the network path to the API server."),
    "k8s_refused": Word("{host} refused the connection.", "It is tried again by itself."),
    "k8s_proxy": Word("The configured proxy did not let the connection to {host} through.", "Check the trait HpgovSettings.proxy."),
    "k8s_wrong_certificate": Word(
        "{host} showed a certificate that is not from this cluster's CA; nothing was sent.", "Something answers in its place: tell whoever runs this network."
    ),
    "k8s_tls": Word("No TLS with {host}.", "It is tried again by itself."),
    "k8s_cut": Word("{host} ended the answer before it was whole.", "It is tried again by itself."),
    # answers that cannot be used
    "k8s_redirect": Word("The API server answered with a redirect (status {status}), which is not followed."),
    "k8s_not_json": Word("What answered is not an API server: no JSON came.", "A proxy's or portal's page may stand in between."),
    "k8s_shape": Word("The answer to {operation} has an unknown shape."),
    "k8s_too_large": Word("The answer is larger than {limit_bytes} bytes and was cut off."),
    "k8s_not_understood": Word("The API server did not take the request ({operation}, status {status}). That is our fault, not your rights."),
    "k8s_guard": Word("A request outside the allow list was held back ({rule}). That is our fault, not your rights.", "Report it with the server's log."),
    "k8s_name_not_valid": Word("This is no {rule} that Kubernetes would take: small letters, digits and hyphens.", "Correct the name."),
    # configuration
    "k8s_bad_endpoint": Word("The API server's address is not of the form https://host:port."),
    "k8s_bad_ca": Word("The cluster's CA certificate cannot be read; without it nothing is sent."),
    "k8s_no_service_account": Word("This is no pod with a mounted service account."),
    "k8s_token_file": Word("The token's file cannot be read."),
    "k8s_kubeconfig_unreadable": Word("The kubeconfig {file} cannot be read: it must be a regular file of at most 256 KiB."),
    "k8s_kubeconfig_malformed": Word("The kubeconfig {file} cannot be used: {rule} (line {line})."),
    "k8s_kubeconfig_no_entry": Word("The kubeconfig {file} has no such entry under {section}.", "Check the trait HpgovSettings.kubeconfig_context."),
    "k8s_kubeconfig_refused": Word(
        "Context {name} of {file} uses {key}, which this extension does not run or honour.", "Use a context with a server, its CA and a token."
    ),
    "k8s_kubeconfig_no_token": Word("Context {name} of {file} has no token.", "Use a context with a server, its CA and a token."),
}

# -- tasks: states, reasons, stops, next steps -------------------------------------------------------------------------------
TASKS: dict[str, Word] = {
    # waiting: the line and its queues
    "waits_not_evaluated": Word(
        "Kueue has not looked at it yet.", "Usually a matter of seconds. If it stays, ask the administrator of the cluster whether Kueue runs."
    ),
    "waits_no_workload": Word(
        "Kueue has made no Workload for it, so it is in no line.",
        "Usually a matter of seconds. If it stays, check the queue name and that this kind of task is governed here.",
    ),
    "waits_workloads_not_readable": Word(
        "Suspended under a queue's name; whether it stands in line or was stopped can't be read (workloads.kueue.x-k8s.io).",
        "Where a right is missing, the Access tab says who grants it.",
    ),
    "suspended_workload_not_among_read": Word(
        "Suspended under a queue's name; its Workload is not among those that could be read, so whether it stands in line or was stopped is not known.",
        "The note under the list says what is missing from it.",
    ),
    "workload_not_among_read": Word("Governed by a queue; its Workload is not among those that could be read, so how it stands is not known."),
    "waits_back_off": Word(
        "Stopped and put back ({count} times); Kueue looks at it again at {until_at}.", "Nothing to do until then; look at why it was stopped."
    ),
    "waits_no_queue_name": Word("It names no queue.", "Set the label kueue.x-k8s.io/queue-name to your team's LocalQueue."),
    "waits_local_queue_missing": Word("There is no LocalQueue {queue} in this namespace.", "Correct the label kueue.x-k8s.io/queue-name and submit it again."),
    "waits_local_queue_stopped": Word("The LocalQueue {queue} is stopped ({policy}).", "Ask the administrator of the cluster when it opens again."),
    "waits_local_queue_inactive": Word("The LocalQueue {queue} is not active.", "Ask the administrator of the cluster: it is stopped, or its ClusterQueue is."),
    "waits_cluster_queue_missing": Word("There is no ClusterQueue {queue}.", "Ask the administrator of the cluster: the LocalQueue points to nothing."),
    "waits_cluster_queue_inactive": Word(
        "The ClusterQueue {queue} is not active.", "Ask the administrator of the cluster: it is stopped, or something that it names is missing."
    ),
    "waits_namespace_not_selected": Word(
        "The ClusterQueue does not accept this namespace.", "Ask the administrator of the cluster: its namespaceSelector does not match the namespace's labels."
    ),
    "queue_stopped": Word("The ClusterQueue {queue} is stopped ({policy}).", "Ask the administrator of the cluster when it opens again."),
    "queue_terminating": Word("The ClusterQueue {queue} is being deleted.", "Ask the administrator of the cluster which queue takes its place."),
    "queue_flavor_missing": Word(
        "The ClusterQueue {queue} names a ResourceFlavor that does not exist ({flavors}).", "Ask the administrator of the cluster to create it."
    ),
    "queue_check_missing": Word("The ClusterQueue {queue} names an admission check that does not exist.", "Ask the administrator of the cluster."),
    "queue_check_inactive": Word("The ClusterQueue {queue} names an admission check that is not active.", "Ask the administrator of the cluster."),
    "queue_topology_missing": Word("The ClusterQueue {queue} names a Topology that does not exist.", "Ask the administrator of the cluster."),
    "queue_inactive": Word("The ClusterQueue {queue} is not active ({why}).", "Ask the administrator of the cluster."),
    "local_queue_stopped": Word("The LocalQueue {queue} is stopped ({policy}).", "Ask the administrator of the cluster when it opens again."),
    # waiting: quota
    "waits_exceeds_queue": Word(
        "It asks for more than this queue can ever hold with today's quotas: {figures}.",
        "Ask for less, or ask the administrator of the cluster for a larger quota. It will not be admitted as it is.",
    ),
    "waits_pod_exceeds_queue": Word(
        "One pod alone asks for more than this queue can ever hold with today's quotas: {figures}.",
        "Make each pod smaller, or ask the administrator of the cluster for a larger quota. It will not be admitted as it is.",
    ),
    "waits_exceeds_told": Word(
        "Kueue says that it asks for more than this queue can ever hold; the figures need rights on the cohort.",
        "Ask for less, or ask the administrator of the cluster for a larger quota.",
    ),
    "next_smaller": Word("At most {largest_pods} pods of this size would fit with today's quotas."),
    "waits_not_covered": Word(
        "The queue has no quota for {resources}, and so admits nothing that asks for it.",
        "Take the request for {resources} out, or ask the administrator of the cluster to cover it.",
    ),
    "waits_no_flavor": Word(
        "No flavour of the queue matches its node selector, affinity or tolerations.", "Check instance type and tolerations against the flavours of the queue."
    ),
    "waits_quota": Word(
        "Quota is not there now: short by at least {amount_short} of {resource} on {flavor}. In full: {figures}.",
        "It is admitted when enough is given back; asking for less may pass sooner.",
    ),
    "waits_to_borrow": Word(
        "It needs more than your unclaimed share and would borrow {amount_short} of {resource} on {flavor}; the cohort does not give it. In full: {figures}.",
        "It is admitted when the cohort can lend, or your own tasks end. Within the unclaimed share nothing has to be borrowed.",
    ),
    "waits_share_lent": Word(
        "It fits into your unclaimed share, and still is not admitted: others of the cohort hold that share, or Kueue has not looked again.",
        "Lent share comes back by the queue's policy (see Share). Where that is Any, a higher priority does not bring it back sooner.",
    ),
    "waits_turn": Word("Quota fits; Kueue has not taken its turn yet.", "Nothing to do: it is looked at again as soon as anything changes in the queue."),
    "waits_behind_own": Word("{ahead} of your team's tasks are before it, and in this queue (StrictFIFO) none passes the first.", "By priority, then age."),
    "waits_quota_told": Word("Kueue says that quota is not there now; the figures can't be read.", "It is admitted when enough is given back."),
    "waits_for_stopped": Word("Others are being stopped for it; it waits until they are gone.", "Nothing to do: it is admitted when they have ended."),
    "waits_gang": Word(
        "Gang scheduling: Kueue admits the next task when the pods of those admitted before are ready.",
        "Look for a task that is admitted and whose pods do not come up.",
    ),
    "waits_gated": Word("Held by a gate that somebody set on it.", "Ask whoever set the gate."),
    "waits_preemption_gate": Word("It could stop others, and a gate on it forbids that for now.", "Ask whoever set the gate."),
    "waits_kueue_suspended": Word("Its owner has suspended it.", "Resume it where it was submitted."),
    "waits_on_hold": Word("Its queue is on hold.", "Ask the administrator of the cluster when it opens again."),
    "waits_misconfigured": Word("Kueue can't admit it as the queue is set up.", "Ask the administrator of the cluster; Kueue's own words stand beside this."),
    "waits_topology": Word(
        "Quota fits, and no part of the network topology has room for its pods together.",
        "Ask for fewer pods together, or a wider topology level; nodes may also be out of service.",
    ),
    "waits_queue_not_readable": Word(
        "Why it waits can't be computed: {what} ({queue}) is not readable ({state}).",
        "See Access: it says who grants this. Kueue's own words stand beside this where it has any.",
    ),
    "waits_reason_not_known": Word("It waits in {queue}; the queue's figures do not say why.", "Kueue's own words stand beside this where it has any."),
    # held by checks
    "checks_pending": Word(
        "Quota is held; it waits for the admission check {checks}.", "The check's own controller decides; ask the administrator of the cluster if it stays."
    ),
    "checks_retry": Word("The admission check {checks} asks to try again later; Kueue gives the quota back and looks again."),
    "checks_rejected": Word("The admission check {checks} rejected it.", "Ask the administrator of the cluster why; it is deactivated."),
    "checks_done": Word("Quota is held and no check is open; it is admitted next."),
    # starting and running
    "starting_suspended": Word(
        "Admitted; its operator has not resumed it yet.",
        "Usually a matter of seconds. If it stays, ask the administrator of the cluster for the operator's log.",
    ),
    "starting_no_pods": Word(
        "Admitted, and it has no pods yet.", "If it stays, its operator does not make them: a RayCluster needs the queue's labels on its pod templates, too."
    ),
    "starting_not_ready": Word("Admitted; its pods are not ready yet."),
    "unmanaged_no_pods": Word("No queue manages it; it has no pods yet."),
    "unmanaged_not_ready": Word("No queue manages it; its pods are not ready yet."),
    "starting_some_ready": Word("{ready} of {pods_total} pods are ready."),
    "running_ending": Word("All of its pods have ended well; the end is not recorded yet."),
    "admitted_not_seen": Word(
        "Admitted and holding quota; whether its pods run can't be read.", "Where a right is missing, the Access tab says who grants it."
    ),
    "pods_not_seen": Word("Whether its pods run can't be read.", "Where a right is missing, the Access tab says who grants it."),
    "pods_not_whole": Word("Whether all its pods run is not known: not all that may be its could be read."),
    # not in line by its owner's will, or by its end
    "suspended_by_owner": Word("Its owner suspended it; no queue has it in line.", "Resume it, or give it a queue name so that Kueue does."),
    "scaled_to_zero": Word("Its owner asks for no pods."),
    "space_stopped": Word("The Space is stopped.", "Start it where you open your Spaces."),
    "space_preempted": Word("The Space was stopped to make room for others.", "Start it again: it goes through the queue like any task."),
    "deactivated": Word("Deactivated: Kueue leaves it alone until somebody activates it.", "Set spec.active of its Workload to true, or submit it again."),
    "deactivated_check": Word("Deactivated, since an admission check rejected it.", "Ask the administrator of the cluster why; then submit it again."),
    "deactivated_requeue": Word(
        "Deactivated, since its pods were not ready in time too often.", "Find out why its pods did not come up; then submit it again."
    ),
    "deactivated_time": Word(
        "Deactivated, since it ran for longer than its own limit.", "Raise the limit (kueue.x-k8s.io/max-exec-time-seconds) or split the task."
    ),
    "owner_gone": Word(
        "The object that it was made for is gone; the Workload is an orphan.", "If it still holds quota, ask the administrator of the cluster to delete it."
    ),
    "finished_replaced": Word("Its owner changed; another Workload took its place."),
    "finished_unknown": Word("Finished; how is not recorded."),
    "finished_badly": Word("Failed ({why}).", "Read its logs; the task page has the commands."),
    "finished_badly_no_reason": Word("Failed; why is not recorded and its pods are gone or not readable.", "Read its logs where they are collected."),
    # one pod
    "pod_no_node_resources": Word(
        "No node takes it: not enough {resources} on {nodes} of {nodes_total} nodes.", "Quota is no node: ask for less per pod, or wait for nodes."
    ),
    "pod_no_node_pod_count": Word("No node takes it: {nodes} of {nodes_total} nodes hold as many pods as they may.", "Ask the administrator of the cluster."),
    "pod_no_node_cordoned": Word(
        "No node takes it: {nodes} of {nodes_total} nodes are closed for new pods.",
        "Nodes are being repaired or drained; ask the administrator of the cluster.",
    ),
    "pod_no_node_taint": Word("No node takes it: {nodes} of {nodes_total} nodes have a taint that it does not tolerate.", "Check its tolerations."),
    "pod_no_node_selector": Word(
        "No node takes it: {nodes} of {nodes_total} nodes do not match its selector or affinity.", "Check its node selector and instance type."
    ),
    "pod_no_node": Word("No node takes it ({nodes_total} nodes looked at).", "The scheduler's own words stand beside this where it has any."),
    "pod_gated": Word("Held back by a scheduling gate ({gates}).", "Kueue opens its own gate at admission; others open theirs."),
    "pod_image": Word("The image of {container} can't be pulled ({why}).", "Check the image's name and tag, and the right to pull it."),
    "pod_container_config": Word("{container} can't be created ({why}).", "Check the ConfigMaps, Secrets, volumes and the command that it names."),
    "pod_crash_loop": Word(
        "{container} ends again and again: {restarts} restarts (last exit code {exit_code}).", "Read the log of the run before; the command is below."
    ),
    "pod_out_of_memory": Word("{container} was killed for want of memory ({restarts} restarts).", "Raise its memory limit, or make it need less."),
    "pod_exit": Word("{container} ended with exit code {exit_code}.", "Read its log; the command is below."),
    "pod_failed": Word("The pod failed, and no container says why.", "Read its log; the command is below."),
    "pod_signal": Word(
        "{container} was ended by signal {signal} (exit code {exit_code}).", "15: asked to stop. 9: killed, by a limit or after a stop. Others: read its log."
    ),
    "pod_evicted": Word("The pod was removed from its node ({why})."),
    "pod_being_deleted": Word("The pod is being deleted."),
    "pod_creating": Word("The pod has a node; its containers are being made."),
    "pod_not_ready": Word("The pod runs and is not ready.", "Its readiness probe fails or has not passed yet; read its log."),
    "pod_node_lost": Word("The pod's node gave it up ({why}).", "The task is started again on another node if its kind does that."),
    # the pods of one task
    "task_no_node_resources": Word(
        "{pods} of {pods_total} pods have no node: not enough {resources} on {nodes} of {nodes_total} nodes.",
        "Quota is no node: ask for less per pod, or wait for nodes.",
    ),
    "task_no_node_pod_count": Word(
        "{pods} of {pods_total} pods have no node: {nodes} of {nodes_total} nodes hold as many pods as they may.", "Ask the administrator of the cluster."
    ),
    "task_no_node_cordoned": Word(
        "{pods} of {pods_total} pods have no node: {nodes} of {nodes_total} nodes are closed for new pods.",
        "Nodes are being repaired or drained; ask the administrator of the cluster.",
    ),
    "task_no_node_taint": Word(
        "{pods} of {pods_total} pods have no node: {nodes} of {nodes_total} nodes have a taint that they do not tolerate.", "Check the tolerations."
    ),
    "task_no_node_selector": Word(
        "{pods} of {pods_total} pods have no node: {nodes} of {nodes_total} nodes do not match their selector or affinity.",
        "Check node selector and instance type.",
    ),
    "task_no_node": Word(
        "{pods} of {pods_total} pods have no node ({nodes_total} nodes looked at).", "The scheduler's own words stand beside this where it has any."
    ),
    "task_gated": Word("{pods} of {pods_total} pods are held back by a scheduling gate: {gates}."),
    "task_image": Word("{pods} of {pods_total} pods can't pull the image of {container} ({why}).", "Check the image's name and tag, and the right to pull it."),
    "task_container_config": Word(
        "{pods} of {pods_total} pods can't create {container} ({why}).", "Check the ConfigMaps, Secrets, volumes and the command that it names."
    ),
    "task_crash_loop": Word(
        "In {pods} of {pods_total} pods {container} ends again and again: {restarts} restarts (last exit code {exit_code}).",
        "Read the log of the run before; its page has the command.",
    ),
    "task_out_of_memory": Word("In {pods} of {pods_total} pods {container} was killed for want of memory.", "Raise its memory limit, or make it need less."),
    "task_exit": Word("In {pods} of {pods_total} pods {container} ended with exit code {exit_code}.", "Read its log; the task's page has the command."),
    "task_failed": Word("{pods} of {pods_total} pods failed, and no container says why.", "Read its log; the task's page has the command."),
    "task_signal": Word(
        "In {pods} of {pods_total} pods {container} was ended by signal {signal} (exit code {exit_code}).",
        "15: asked to stop. 9: killed, by a limit or after a stop.",
    ),
    "task_evicted": Word("{pods} of {pods_total} pods were removed from their nodes ({why})."),
    "task_being_deleted": Word("{pods} of {pods_total} pods are being deleted."),
    "task_creating": Word("{pods} of {pods_total} pods have a node; their containers are being made."),
    "task_not_ready": Word("{pods} of {pods_total} pods run and are not ready.", "A readiness probe fails or has not passed yet; read the logs."),
    "task_node_lost": Word("{pods} of {pods_total} pods were given up by their node ({why})."),
    # stops
    "stop_preempted": Word("Stopped to make room for another task."),
    "stop_preempted_in_queue": Word(
        "Stopped for a task of higher priority in the same queue.", "It is back in line by itself. A higher priority class is stopped later."
    ),
    "stop_preempted_reclaimed": Word(
        "Stopped since what it had borrowed was taken back by its owner.", "It is back in line by itself. Within your share this does not happen."
    ),
    "stop_preempted_fair": Word("Stopped by fair sharing: the cohort's weight went to another queue.", "It is back in line by itself."),
    "stop_preempted_while_borrowing": Word(
        "Stopped for a task that borrows in the cohort.", "It is back in line by itself. A higher priority class is stopped later."
    ),
    "stop_pods_not_ready": Word(
        "Stopped since its pods were not ready in time (gang scheduling).", "Find out why its pods did not come up; it is tried again after a while."
    ),
    "stop_admission_check": Word("Stopped since an admission check asked to try again."),
    "stop_check_rejected": Word("Stopped since an admission check rejected it.", "Ask the administrator of the cluster why."),
    "stop_requeue_limit": Word("Stopped for good: its pods were not ready in time too often.", "Find out why its pods did not come up."),
    "stop_time_limit": Word("Stopped: it ran for longer than its own limit."),
    "stop_cluster_queue": Word("Stopped since the ClusterQueue was stopped and drained.", "Ask the administrator of the cluster when it opens again."),
    "stop_local_queue": Word("Stopped since the LocalQueue was stopped and drained.", "Ask the administrator of the cluster when it opens again."),
    "stop_deactivated": Word("Stopped since it was deactivated."),
    "stop_node_failure": Word("Stopped since nodes under it failed.", "It is back in line by itself."),
    "stop_flavor_migration": Word("Stopped to move it to another flavour."),
    "stop_other": Word("Stopped by Kueue ({why})."),
    # history
    "moment_created": Word("Created."),
    "moment_started": Word("Started."),
    "moment_quota_reserved": Word("Quota reserved."),
    "moment_admitted": Word("Admitted."),
    "moment_ready": Word("All pods ready."),
    "moment_requeued": Word("Back in line."),
    "moment_requeue_at": Word("Kueue looks at it again."),
    "moment_finished_well": Word("Finished well."),
    "moment_finished_badly": Word("Failed."),
    "moment_finished": Word("Finished."),
    "moment_event": Word("{event} ({object}, ×{count})"),
    "condition_true": Word("{condition} ({why})"),
    "condition_false": Word("Not {condition} ({why})"),
    "condition_unknown": Word("{condition} not known ({why})"),
    # whose
    "mine_not_recorded": Word(
        "Who submitted these tasks is not recorded, so yours can't be told from the others'.",
        "The label or annotation created-by records it, where a submitter writes it.",
    ),
    "mine_none": Word("Looked for under {names}.", "Where submitters write you down otherwise, set HpgovSettings.username to the id in created-by."),
    "mine_person_unknown": Word(
        "Under which id submitters write you down is not known here, so yours can't be told from the others'.",
        "Set HpgovSettings.username to the id in created-by.",
    ),
    # requests and quantities
    "request_overhead_not_read": Word("Its RuntimeClass may add an overhead that is not in this figure."),
    "request_claims_not_counted": Word("It claims devices by ResourceClaims, which are not in this figure."),
    "request_quantity_unreadable": Word("One of its quantities is none that Kubernetes accepts."),
    "quantity_malformed": Word("Not a quantity that Kubernetes accepts (such as 1500m, 64Gi, 8).", "Correct it."),
    "quantity_too_long": Word("A quantity of more than 64 characters.", "Correct it."),
}

# -- share -------------------------------------------------------------------------------------------------------------------
SHARE: dict[str, Word] = {
    "share_nominal_not_known": Word(
        "Only the LocalQueue can be read: it says what it holds, not what your share is ({queue}).",
        "Where a right is missing, the Access tab says who grants it.",
    ),
    "share_quantity_unreadable": Word("A quota of {queue} is no quantity that can be counted.", "Ask the administrator of the cluster."),
    "share_not_reported": Word("{rows} rows are not shown: Kueue has not reported yet what is held of them in {queue}."),
    "share_status_lags": Word(
        "The tasks hold more than {queue} reports: its status lags behind for a moment. The numbers are its own; what else holds of it can't be told yet."
    ),
    "share_holders_not_readable": Word(
        "What holds the share could not be read in {namespaces}.", "Where a right is missing, the Access tab says who grants it."
    ),
    "share_not_attributed": Word("A part of what is held in {queue} belongs to tasks that are not readable here, or its status lags behind for a moment."),
    "share_gang_scheduling": Word(
        "Tasks of {namespace} show that Kueue waits until all pods of a task are ready (gang scheduling); its configuration can't be read, so this is inferred."
    ),
    "no_kueue": Word("This cluster has no task governance: Kueue is not installed, so there is no share and no line."),
    "cohort_not_read": Word(
        "The cohort is not read.", "Sums over it need the trait HpgovSettings.cohort_reads and the cohort reader's rights; the documentation has both."
    ),
    "cohort_of_several": Word("Your namespaces lead to several ClusterQueues ({queues}); sums over a cohort are read for a single one only."),
    "no_local_queue": Word(
        "Namespace {scope} has no LocalQueue, so no task there can stand in a line.", "Ask the administrator of the cluster for a LocalQueue."
    ),
    "cohort_few_teams": Word("The cohort has two teams or fewer: its sums tell what the other one holds."),
    "cohort_cycle": Word("The cohorts above this queue form a circle, so that Kueue admits nothing from it.", "Ask the administrator of the cluster."),
    "cohort_duplicate": Word("Two queues or cohorts of one name: the cohort can't be summed up.", "Reload; if it stays, report it."),
}

# -- Slurm: reading it, why jobs wait, limits, who sees whom -----------------------------------------------------------------
SLURM: dict[str, Word] = {
    # what Slurm has none of, and which cluster is meant
    "not_slurm": Word("This cluster is not a Slurm cluster."),
    "slurm_no_pods": Word("Slurm has no pods: the job's own output files tell more."),
    "slurm_no_queues": Word("Slurm has no Kueue queues, and lends and borrows nothing."),
    "slurm_no_share_bar": Word("No limit on GPUs is visible here; Slurm has limits, not a share: they stand on the Share tab."),
    "slurm_no_manifest": Word("Slurm takes a batch script, not a manifest."),
    "slurm_which_cluster": Word(
        "The project has several Slurm clusters, and nothing says which of them this machine's Slurm commands reach.",
        "Name it in HpgovSettings.slurm_cluster.",
    ),
    "slurm_other_cluster": Word("This machine's Slurm commands reach another cluster than {cluster}."),
    # the way to it
    "slurm_no_clients": Word(
        "No Slurm client is here ({folders}).", "Ask for the site's own Slurm clients in this image, or name their folder in HpgovSettings.slurm_bin."
    ),
    "slurm_client_missing": Word("{binary} is not among the Slurm clients in {folder}.", "Ask for the whole set of clients of the site's Slurm."),
    "slurm_bin_not_absolute": Word("HpgovSettings.slurm_bin is no absolute path.", "Correct it in the server's configuration."),
    "slurm_bin_not_trusted": Word(
        "{path} is not run: it, or a folder above it, is not root's alone to write, or lies in the home ({rule}).",
        "Have the clients installed by root, outside the home.",
    ),
    "slurm_client_not_run": Word("{binary} could not be started ({error})."),
    "slurm_conf_not_absolute": Word("HpgovSettings.slurm_conf is no absolute path.", "Correct it in the server's configuration."),
    "slurm_no_unix_name": Word("This server's Unix user ({uid}) has no name, and Slurm knows users by name.", "Ask for an entry for it in the system's users."),
    "slurm_name_not_valid": Word("A user or account name here has characters that are not handed to Slurm commands: nothing is asked with it."),
    "slurm_guard": Word(
        "This extension was about to run or ask something that its own allow list does not have ({rule}). It was not done.", "That is our fault: report it."
    ),
    "slurm_conf_missing": Word(
        "The Slurm clients find no slurm.conf, and no server that would give them one ({command}).", "Set HpgovSettings.slurm_conf to the site's slurm.conf."
    ),
    "slurm_conf_minimal": Word(
        "The slurm.conf on this machine names no accounting, though the cluster keeps it ({command}).",
        "Ask for AccountingStorageType and AccountingStorageHost in this machine's slurm.conf.",
    ),
    "slurm_accounting_off": Word(
        "This cluster keeps no accounts ({command}): no history, associations or limits.", "They need slurmdbd; ask the administrator of the cluster."
    ),
    "slurm_version_mismatch": Word(
        "The Slurm clients here and the cluster's controller are of versions that do not work together ({command}).",
        "Ask for the clients of the cluster's own Slurm version.",
    ),
    "slurm_option_unknown": Word(
        "These Slurm clients do not know an option that is asked for ({command}).", "They may be older than 22.05: report the version."
    ),
    "slurm_version_unknown": Word("Slurm answers in a form ({version}) that this extension cannot read.", "Report the version of Slurm."),
    "slurm_munge_down": Word(
        "munge, which says to Slurm who you are, does not run here or has another key than the cluster ({command}).", "Ask for munged with the cluster's key."
    ),
    "slurm_identity_refused": Word(
        "Slurm does not accept who you say you are ({command}).", "Its munge key or this machine's clock may differ from the cluster's."
    ),
    "slurm_controller_down": Word("No Slurm controller answers ({command}).", "It is tried again by itself; jobs that run go on."),
    "slurm_database_down": Word(
        "Slurm's database service does not answer ({command}). Jobs and what is held are still read from the controller.", "It is tried again by itself."
    ),
    "slurm_too_slow": Word("{command} did not answer in time and was ended.", "It is tried again by itself."),
    "slurm_too_large": Word(
        "{command} answers with more than {limit_bytes} bytes; it is not shown in part.",
        "With PrivateData=jobs everybody is sent only their own; the command line's form is far smaller than slurmrestd's.",
    ),
    "slurm_denied": Word("Slurm does not show this to you ({command}).", "PrivateData may hide it; ask the administrator of the cluster."),
    "slurm_no_association": Word(
        "You have no association on this cluster: Slurm's accounting knows no account of yours ({command}).",
        "Ask the administrator of the cluster to add you to your team's account (sacctmgr add user).",
    ),
    "slurm_no_team": Word(
        "You are in no team's account: your association stands straight under root, as everybody's does on a cluster set up like that.",
        "The administrator of the cluster gives each team an account (sacctmgr add account).",
    ),
    "slurm_command_failed": Word("{command} ended with status {status}.", "Report it with the version of Slurm."),
    "slurm_shape": Word("The answer of {command} is not in a form that this extension can read.", "Report it with the version of Slurm."),
    # slurmrestd and its token
    "slurm_rest_url": Word("HpgovSettings.slurmrestd_url is not of the form https://host:port or unix:/path.", "Correct it in the server's configuration."),
    "slurm_rest_plain_http": Word(
        "slurmrestd at {host} would be asked without encryption, and the token with it: only on this machine itself.", "Use https, or a unix socket."
    ),
    "slurm_rest_not_reached": Word("slurmrestd cannot be reached.", "It is tried again by itself."),
    "slurm_rest_tls": Word("No TLS with slurmrestd, or a certificate that this machine does not trust."),
    "slurm_rest_redirect": Word("{command} was answered with a redirect (status {status}), which is not followed."),
    "slurm_rest_slow_down": Word("slurmrestd asks to slow down ({command}).", "It is tried again by itself."),
    "slurm_rest_error": Word("slurmrestd answered {command} with an error (status {status}).", "Report it with the version of Slurm."),
    "slurm_rest_unclear": Word(
        "Slurm answers {command} in the same way for a token that it refuses and for a controller that is down.",
        "If it stays, make a new token (scontrol token) and put it into the file.",
    ),
    "slurm_rest_no_accounts": Word(
        "This slurmrestd answers nothing of Slurm's accounting ({command}): the cluster keeps no accounts, or slurmrestd runs without its plugin for slurmdbd.",
        "Ask the administrator of the cluster which of the two it is.",
    ),
    "slurm_rest_lacks": Word("slurmrestd has no form of this; only Slurm's own clients show it."),
    "slurm_token_file": Word("The file with the token for slurmrestd cannot be read ({path}).", "Put your own token there: scontrol token, mode 0600."),
    "slurm_token_open": Word("The token file {path} is not yours alone, so it is not used.", "chmod 600 it, and make a new token."),
    "slurm_token_malformed": Word("What stands in the token file is no token of Slurm.", "Put your own token there: scontrol token."),
    "slurm_token_expired": Word(
        "Your token for slurmrestd expired at {expired_at}; nothing was asked with it.", "Make a new one: scontrol token lifespan=3600."
    ),
    "slurm_token_of_other": Word("The token is {found}'s, expected was {wanted}'s; nothing was asked with it.", "Put your own token there: scontrol token."),
    "slurm_token_of_root": Word(
        "The token is {user}'s. Whoever holds such a token can be every user, so it is not used here.", "Put your own token there; have this one revoked."
    ),
    "slurm_token_refused": Word("Slurm does not accept the token ({command}).", "Make a new one: scontrol token. The cluster's key may have changed."),
    # why it waits: resources and order
    "slurm_waits_not_looked": Word("The scheduler has not looked at it since its last change.", "Usually a matter of a minute."),
    "slurm_waits_resources": Word(
        "What it asks for is not idle now; among the jobs of its partition it is near the front.",
        "It starts when enough is given back; a smaller one may pass.",
    ),
    "slurm_waits_priority": Word(
        "Jobs of higher priority in partition {partition} go before it.", "Asking for fewer nodes or less time may let it pass in a gap."
    ),
    "slurm_waits_nodes": Word(
        "Nodes that it needs are down, drained or reserved, or kept for a partition of higher priority.", "If it stays, ask the administrator of the cluster."
    ),
    "slurm_waits_dependency": Word("It waits for another job of its dependency to end."),
    "slurm_dependency_never": Word("Its dependency can never be met any more: the other job ended otherwise than asked.", "Cancel it and submit it anew."),
    "slurm_waits_begin": Word("It is not considered before {until_at}: its begin time, or the pause after it was put back."),
    "slurm_held_user": Word("Its owner holds it.", "scontrol release lets it go on."),
    "slurm_held_admin": Word("An administrator holds it.", "Ask the administrator of the cluster why."),
    "slurm_held_requeue": Word("It failed to start too often and is held.", "Find out why it did not start; then scontrol release."),
    "slurm_waits_reservation": Word("It waits for its reservation {reservation} to begin."),
    "slurm_reservation_deleted": Word("Its reservation {reservation} is gone.", "Submit it without, or with another one."),
    "slurm_waits_licenses": Word("Licences that it asks for are all taken."),
    "slurm_waits_array": Word("As many tasks of its array run as it allows itself at once."),
    "slurm_waits_cleaning": Word("Nodes are being made ready or cleaned up for it."),
    "slurm_waits_other": Word("Slurm says: {why}.", "Slurm's documentation explains its reason codes."),
    "slurm_waits_sentence": Word("Slurm gives a reason in a sentence, which may name other teams and is not shown.", "scontrol show job tells it."),
    "slurm_estimate": Word("Slurm's estimate of its start, should nothing change: {start_at}."),
    # why it waits: what the cluster does not let it do
    "slurm_account_not_allowed": Word("Account {account} may not use partition {partition}.", "It waits for ever as it is: choose another partition."),
    "slurm_qos_not_allowed": Word("QoS {qos} may not be used in partition {partition}.", "It waits for ever as it is: choose another QoS or partition."),
    "slurm_group_not_allowed": Word("Your Unix groups may not use partition {partition}.", "It waits for ever as it is: choose another partition."),
    "slurm_partition_closed_to_you": Word(
        "Partition {partition} does not take it as it is: account, QoS or size.", "See under Share who may use which partition; choose another one."
    ),
    "slurm_partition_down": Word("Partition {partition} is closed: no job begins there.", "Ask the administrator of the cluster when it opens again."),
    "slurm_partition_time": Word("Its time limit is longer than partition {partition} allows.", "Ask for less time, or another partition."),
    "slurm_partition_nodes": Word("It asks for more or fewer nodes than partition {partition} allows.", "Change the count, or choose another partition."),
    "slurm_invalid_account": Word("Its account {account} does not exist any more.", "Submit it under another account."),
    "slurm_invalid_qos": Word("Its QoS {qos} does not exist any more.", "Submit it with another QoS."),
    "slurm_bad_constraints": Word("No set of nodes can ever meet its constraints.", "Change features, nodes or counts."),
    # why it waits: limits
    "slurm_limit_group_qos": Word(
        "With it, all jobs under QoS {name} together would hold more ({resource}) than they may.", "It starts when enough of them have ended."
    ),
    "slurm_limit_group_account": Word(
        "With it, all jobs under an account of yours ({name}, or one above it) together would hold more ({resource}) than they may.",
        "It starts when enough of them have ended.",
    ),
    "slurm_limit_per_user": Word(
        "With it, your own jobs would hold more ({resource}) than {name} lets one user hold.", "It starts when enough of yours have ended."
    ),
    "slurm_limit_per_account": Word(
        "With it, your account's jobs would hold more ({resource}) than QoS {name} lets one account hold.", "It starts when enough of them have ended."
    ),
    "slurm_limit_job": Word("It alone asks for more ({resource}) than {name} lets one job have.", "It waits for ever as it is: ask for less."),
    "slurm_limit_minimum": Word("It asks for less ({resource}) than {name} wants a job to have.", "It waits for ever as it is: ask for more."),
    "slurm_limit_jobs": Word("As many jobs run under {name} as may at once.", "It starts when one of them ends."),
    # states that are no waiting
    "slurm_completing": Word("It has ended; its nodes are being cleaned up and still count as held."),
    "slurm_configuring": Word("Its nodes are being made ready."),
    "slurm_suspended": Word("Suspended by an administrator or by gang scheduling; it keeps its memory on the nodes."),
    "slurm_state_unknown": Word("Slurm says {state}, a state that this extension does not know."),
    "slurm_only_accounting": Word("Accounting says {state}, and the controller does not have it: one of the two is behind."),
    "slurm_revoked": Word(
        "Another cluster of the federation has taken this job (REVOKED). What became of it is not told here.",
        "squeue --federation shows it while it waits or runs.",
    ),
    # ends
    "slurm_failed": Word("Failed; the exit code is not recorded.", "Read its output file."),
    "slurm_failed_exit": Word("Failed with exit code {exit_code}.", "Read its output file."),
    "slurm_failed_signal": Word("Ended by signal {signal}.", "9: killed. 15: asked to stop. Others: read its output file."),
    "slurm_timeout": Word("Stopped at its time limit of {limit_seconds}.", "Ask for more time, or write checkpoints."),
    "slurm_timeout_unknown": Word("Stopped at its time limit.", "Ask for more time, or write checkpoints."),
    "slurm_cancelled": Word("Cancelled; by whom is not told."),
    "slurm_cancelled_you": Word("Cancelled by you."),
    "slurm_cancelled_other": Word(
        "Cancelled by somebody else: an administrator, a coordinator, or whoever may act for you.", "Ask the administrator of the cluster."
    ),
    "slurm_preempted": Word(
        "Stopped for good to make room for a job whose QoS may do that.", "Submit it again; with --requeue it would have gone back into the line."
    ),
    "slurm_node_failed": Word("A node under it failed.", "Submit it again; with --requeue it would have gone back into the line."),
    "slurm_out_of_memory": Word("Killed for want of memory.", "Ask for more memory, or make it need less."),
    "slurm_deadline": Word("Ended at its deadline."),
    # stops of a job that went back into the line
    "slurm_stop_preempted": Word("Stopped to make room for a job whose QoS may do that.", "It is back in line by itself."),
    "slurm_stop_node": Word("Stopped since a node under it failed.", "It is back in line by itself."),
    "slurm_stop_requeued": Word("Put back into the line by its owner or an administrator."),
    "slurm_stop_other": Word("An earlier run ended ({state})."),
    # partitions
    "slurm_place_not_up": Word("Partition {partition} is {state}."),
    "slurm_place_root_only": Word("Partition {partition} is for root only."),
    "slurm_place_groups": Word("Partition {partition} is for Unix groups that you are not in."),
    "slurm_place_accounts": Word("Partition {partition} is for other accounts than yours."),
    "slurm_place_some_accounts": Word("Partition {partition} takes of your accounts only: {names}."),
    "slurm_place_qos": Word("Partition {partition} takes none of your QoS."),
    "slurm_place_some_qos": Word("Partition {partition} takes of your QoS only: {names}."),
    "slurm_place_reservation": Word("Partition {partition} takes only jobs with a reservation."),
    "slurm_place_unknown": Word("Whether partition {partition} takes yours can't be told: your associations are not readable."),
    # notices
    "slurm_everyone_sees_jobs": Word(
        "Everybody on this cluster sees everybody's jobs with name and user (PrivateData does not hide jobs).",
        "The administrator of the cluster sets PrivateData=jobs,usage,users,accounts in slurm.conf and slurmdbd.conf.",
    ),
    "slurm_only_own_jobs": Word("Slurm shows you your own jobs only (PrivateData=jobs): your team's are not in this list."),
    "slurm_privacy_unknown": Word(
        "Whether Slurm hides others' jobs (PrivateData) cannot be read here: your team may have jobs that are not in this list.",
        "Slurm's own commands tell it; slurmrestd does not.",
    ),
    "slurm_reservations_unknown": Word(
        "No reservation is shown, and whether Slurm hides them (PrivateData) cannot be read here: a maintenance window may be ahead.",
        "Slurm's own commands tell it; slurmrestd does not.",
    ),
    "slurm_team_limits_may_hide": Word("Slurm hides usage or associations of others (PrivateData): your team's own limits may be among that."),
    "slurm_reservations_hidden": Word("Slurm hides reservations (PrivateData): a maintenance window ahead may not be shown."),
    "slurm_shared_user": Word(
        "Everybody who works as {user} is one user for Slurm: others can cancel your jobs and you theirs.",
        "The administrator of the cluster gives each person a Unix user with an association of their own.",
    ),
    "slurm_sudo": Word(
        "This user may become root here (group {group}): on such a machine others can cancel your jobs and you theirs.",
        "The administrator of the cluster takes sudo away from login machines.",
    ),
    "slurm_reads_as_root": Word(
        "This server runs as root, which sees and may cancel everything on the cluster.", "The administrator of this JupyterLab runs it as an ordinary user."
    ),
    "slurm_limits_not_enforced": Word(
        "Limit recorded, not enforced here: AccountingStorageEnforce has neither limits nor safe.",
        "Ask the administrator of the cluster whether that is meant.",
    ),
    "slurm_no_enforcement": Word("This cluster enforces no limits of accounts or QoS (AccountingStorageEnforce)."),
    "slurm_fairshare_not_used": Word("Fairshare is not used here: the order of jobs does not depend on it (PriorityType, or its weight is 0)."),
    "slurm_account_limits_hidden": Word(
        "Whether {accounts} have limits is not visible to you (PrivateData): none shown does not mean none set.", "Ask the administrator of the cluster."
    ),
    "slurm_reads_as_slurm_user": Word(
        "This server runs as {user}, Slurm's own user, which sees and may cancel everything on the cluster.",
        "The administrator of this JupyterLab runs it as an ordinary user.",
    ),
    "slurm_part_limits_wait": Word(
        "A job above its partition's limits (time, nodes, accounts, QoS) is accepted and waits for ever (EnforcePartLimits is NO).",
        "Compare it with the partitions on the Share tab before you submit it.",
    ),
    "slurm_part_limits_any": Word(
        "A job above the limits of every partition that it names (time, nodes, accounts, QoS) is refused when it is submitted (EnforcePartLimits is ANY)."
    ),
    "slurm_part_limits_all": Word(
        "A job above the limits of one partition that it names (time, nodes, accounts, QoS) is refused when it is submitted (EnforcePartLimits is ALL)."
    ),
    "slurm_no_estimates": Word(
        "Slurm estimates no start times here: only the backfill scheduler does (SchedulerType is {scheduler}).", "The order of jobs is by priority alone."
    ),
    "slurm_estimates_reach": Word("Slurm's estimates of a start reach {window_seconds} ahead (bf_window): a job without one may only be further back."),
    "slurm_preempt_none": Word("No job is stopped for another one here (PreemptType)."),
    "slurm_preempt_requeue": Word(
        "Jobs with QoS {names} can be stopped for jobs of another QoS; they go back into the line if they were submitted to allow it (--requeue), else they end.",
        "Write checkpoints, or use another QoS.",
    ),
    "slurm_preempt_cancel": Word("Jobs with QoS {names} can be ended for jobs of another QoS.", "Write checkpoints, or use another QoS."),
    "slurm_preempt_suspend": Word("Jobs with QoS {names} can be suspended while jobs of another QoS run; they keep their memory on the nodes."),
    "slurm_preempt_not_yours": Word("No other QoS may stop jobs with a QoS of yours."),
    "slurm_preempt_partition": Word(
        "Jobs in partitions {names} can be stopped for jobs in a partition of higher priority (PreemptType=preempt/partition_prio).", "Write checkpoints."
    ),
    "slurm_few_accounts": Word("Only two accounts have jobs here: sums over the queue may tell what the other one does."),
    "slurm_accounts_left_out": Word("Jobs of {count} more of your accounts are not read: there are too many to ask for each."),
    "slurm_limits_left_out": Word(
        "Limits of {count} more accounts, yours or above yours, are not read from Slurm's database: there are too many to ask for each."
    ),
    "slurm_newer_version": Word(
        "Slurm answers in a newer form ({version}) than this extension knows; it is read as the newest known one.", "Update this extension."
    ),
    "slurm_rows_unread": Word("{count} rows could not be read and are not shown.", "Report it with the version of Slurm."),
    "slurm_reservation_ahead": Word(
        "Reservation {name} takes {nodes} of {nodes_total} nodes from {start_at} to {end_at}; {jobs} of your waiting jobs would run into it and can't use those until then.",
        "A shorter time limit may let them start before it.",
    ),
    "slurm_reservation_ahead_unnamed": Word(
        "A reservation takes {nodes} of {nodes_total} nodes from {start_at} to {end_at}; {jobs} of your waiting jobs would run into it and can't use those until then.",
        "A shorter time limit may let them start before it.",
    ),
}

# -- contracts ---------------------------------------------------------------------------------------------------------------
CONTRACTS: dict[str, Word] = {
    # names typed by the person
    "typed_settings_invalid": Word("The namespaces in your settings cannot be used ({why}).", "Correct the setting “Namespaces” of the HyperPod panel."),
    "scope_typed_not_asked": Word("Typed by you; whether your role may look into it is not asked yet, and nothing is read there before."),
    "scope_typed_not_answered": Word(
        "Typed by you; the cluster did not say whether your role may look into it, so nothing is read there.", "It is asked again by itself."
    ),
    "no_scope_typed_refused": Word(
        "Your role may not look into {namespace}, which you typed, so nothing is read there.", "Ask the administrator of the cluster, or correct the name."
    ),
    "scope_typed_refused": Word(
        "Typed by you; your role may not look into it, so nothing is read there.", "Ask the administrator of the cluster, or correct the name."
    ),
    # the first line
    "contract_agreed_until": Word("Agreed until {until}."),
    "contract_agreed_no_end": Word("Agreed; no end date."),
    "contract_self_declared": Word("Self-declared, until {until}: it is kept where those whom it governs can write, and approves nothing."),
    "contract_self_declared_no_end": Word("Self-declared, no end date: it is kept where those whom it governs can write, and approves nothing."),
    "contract_on_record": Word("On record. Whether it is approved is not recorded here.", "See the customer's record behind the link."),
    "contract_review_due": Word("Review due since {since}; access continues.", "Remind the owner; a missed review ends nothing."),
    "contract_review_due_computed": Word("Review due since {since}, counted from the last review or the approval; access continues.", "Remind the owner."),
    "contract_draft": Word("A draft: not approved.", "Have it approved, then set lifecycle.status to approved."),
    "contract_not_yet": Word("Approved; begins on {begins}."),
    "contract_expired": Word("Expired on {on}.", "Ask the owner for a new end date. Rights come from IAM, RBAC and Slurm and may still be there."),
    "contract_revoked": Word("Revoked (on {on}).", "Ask the owner. Rights come from IAM, RBAC and Slurm; this panel no longer shows the rows."),
    "contract_decommissioned": Word("Decommissioned (on {on}).", "Ask the owner which cluster comes next."),
    "contract_invalid": Word("The record does not validate; problems in it: {count}.", "Each is named with its line; whoever keeps the record mends it."),
    "contract_ambiguous": Word("{count} different records of one rank are about this connection.", "Keep one of them; each is listed below."),
    "contract_unmatched": Word(
        "Names too little to tell whether it is about this connection.", "Add cluster.account, cluster.region, cluster.name and project.id to it."
    ),
    "contract_unknown": Word("Not known; places where a contract can be kept that could not be read: {count}."),
    "contract_none": Word("No contract on record.", "Draft one from what is known, and have it approved."),
    # what a card points out
    "contract_ends_soon": Word("The agreement ends on {until}.", "Ask the owner about the time after it."),
    "contract_review_soon": Word("The contract is to be reviewed by {on}."),
    # what may overrule or complete the view
    "contract_source_not_read": Word("{where} was not read ({state}): a record there would come before this one."),
    "contract_unreadable_may_overrule": Word("Records of a higher rank that can't be read and may be about this connection: {count}."),
    "contract_unmatched_may_overrule": Word("Records of a higher rank that name too little to tell whether they are about this connection: {count}."),
    "contract_others_cut": Word("Further records that are not listed: {count}."),
    # the platform's own words about a connection: not a contract
    "platform_connection_datazone": Word("Connection {name}, as DataZone lists it."),
    "platform_connection_studio": Word("Cluster {name}, as SageMaker lists it."),
    "platform_connection_trait": Word("Connection {name}, as HpgovSettings.connections names it."),
    "platform_connection_kubeconfig": Word("Connection {name}, from the kubeconfig of this server's configuration."),
    "platform_connection_in_cluster": Word("Connection {name}: the cluster that this server runs on."),
    "platform_description": Word("{text}"),
    "platform_description_not_read": Word("The connection's description was not read ({state})."),
    "platform_project": Word("Project {name}."),
    # why a record is only self-declared
    "self_declared_file": Word("Self-declared: it lies in the project's own repository."),
    "self_declared_prefix": Word("Self-declared: the platform file does not name this S3 prefix."),
    "self_declared_writable": Word("Self-declared: the role that reads here may change the namespace {namespace}."),
    "self_declared_unknown": Word("Shown as self-declared: whether the role that reads here may change the namespace {namespace} is not known."),
    "self_declared_typed": Word(
        "Shown as self-declared: {namespace} is looked into only because you typed it, and its record does not name this project.",
        "Ask the owner of the contract to name the project in it.",
    ),
    # which namespaces are read
    "scope_closed": Word("Not read: the contract is revoked or decommissioned."),
    "scope_ends_not_read": Word(
        "Not read: this extension failed over the contract, so whether it is revoked is not known. That is our fault, not your rights.",
        "Report it with the server's log.",
    ),
    "scope_not_in_contract": Word("Not read: the contract does not name this namespace.", "Ask the owner of the contract."),
    "scope_not_in_connection": Word("Not read: the connection names its namespaces, and not this one."),
    "scope_claimed_not_read": Word(
        "Claimed, not read: only a self-declared record names it, and your role may not create tasks there.", "Ask for a contract that the platform keeps."
    ),
    "scope_claimed_not_checked": Word("Claimed, not read: only a self-declared record names it; whether your role may create tasks there is not known yet."),
    "no_namespace_in_scope": Word(
        "Neither a contract nor the connection names a namespace of your team, so none is read.",
        "Ask the owner of the contract to name it, or type it in the dashboard: what your role may read there is then shown.",
    ),
    "no_namespace_contract_unread": Word(
        "The namespace of your team is not known: the contract that may name it can't be read ({read}), and the connection names none.",
        "Type it in the dashboard: what your role may read there is then shown.",
    ),
    "namespace_suggested": Word(
        "HyperPod's naming rule gives this name; nobody named it, so it is not read.",
        "If it is your team's, take it over in the dashboard.",
    ),
    # rules of a contract, each with file, line and column
    "contract_empty": Word("There is nothing in it."),
    "contract_ends_not_read": Word("Whether it is revoked or decommissioned can't be read; nothing is shown under it meanwhile."),
    "contract_one_document": Word("More than one document; one is expected."),
    "contract_needs_mapping": Word("A mapping (name: value) is expected here."),
    "contract_needs_list": Word("A list is expected here."),
    "contract_needs_text": Word("Text is expected here.", "Put numbers, true and false in quotes; an account would otherwise lose its leading zero."),
    "contract_needs_number": Word("A whole number is expected here."),
    "contract_unknown_field": Word("Unknown field. Known here: {fields}.", "Names that begin with x- are yours, at the top level."),
    "contract_field_missing": Word("This field is needed."),
    "contract_one_of": Word("At least one of these is needed: {fields}."),
    "contract_too_many_items": Word("More than {limit} items."),
    "contract_number_range": Word("Not between {least} and {most}."),
    "contract_text_length": Word("Empty, or longer than {limit} characters."),
    "contract_one_line": Word("This must be one line."),
    "contract_wrong_form": Word("Not in the form of: {example}."),
    "contract_not_a_choice": Word("Not one of: {choices}."),
    "contract_not_a_date": Word("Not a date: YYYY-MM-DD, or YYYY-MM-DDTHH:MM with Z or an offset."),
    "contract_not_a_link": Word("Not a link that can be shown: https, a plain host, no user name, no spaces."),
    "contract_hidden_character": Word("A control, bidirectional or line-separating character: it would read otherwise than it is.", "Remove it."),
    # rules of the bounded reader, for contracts and manifests
    "bytes_too_big": Word("Bigger than {limit_bytes} bytes."),
    "bytes_wrong_encoding": Word("Encoded as {encoding}.", "Save it as UTF-8."),
    "bytes_not_utf8": Word("Not UTF-8.", "Save it as UTF-8."),
    "text_unreadable_character": Word("A character that YAML and JSON don't allow as it is ({character})."),
    "yaml_syntax": Word("Not YAML: the parser stops here."),
    "json_syntax": Word("Not JSON: the parser stops here."),
    "yaml_too_many_nodes": Word("More than {limit} values, counted as if every alias and merge were written out."),
    "yaml_too_much_text": Word("More than {limit} characters, counted as if every alias were written out."),
    "yaml_too_deep": Word("Nested deeper than {limit} levels."),
    "yaml_too_many_documents": Word("More than {limit} documents."),
    "yaml_tag": Word("A tag (!...): not read here.", "Write the value without it, in quotes if it is text."),
    "yaml_surrogate": Word("Half of a surrogate pair: not a character."),
    "yaml_no_anchor": Word("An alias of an anchor that does not stand before it."),
    "yaml_recursive": Word("An alias of something that it is itself a part of."),
    "yaml_key_not_text": Word("A key that is not text."),
    "yaml_duplicate_key": Word("This key stands here twice."),
    "yaml_merge_not_mapping": Word("Only mappings can be merged by <<."),
    "yaml_two_readings": Word("kubectl reads this word otherwise than YAML 1.2 does.", "Put it in quotes if it is text."),
    "number_too_long": Word("A number of more than {limit} digits."),
    "number_not_finite": Word("Infinity or not-a-number: not read here."),
    # the contract folder and its files
    "folder_absent": Word("There is no folder {path}."),
    "folder_denied": Word("{path} is not readable by the server's user."),
    "folder_has_link": Word("{path} is a symbolic link: not followed.", "Configure the real path."),
    "folder_not_plain": Word("{path} is not a plain absolute path."),
    "folder_not_a_folder": Word("{path} is not a folder."),
    "folder_too_many_names": Word("{path} holds more than {limit} files: not read."),
    "folder_too_many_files": Word("{count} contract files; only the first {limit} by name are read."),
    "folder_error": Word("{path} can't be read ({error})."),
    "file_link": Word("A symbolic link: not followed."),
    "file_not_regular": Word("Not a regular file but a {kind}: not opened."),
    "file_changed": Word("Changed while it was read."),
    "file_denied": Word("Not readable by the server's user."),
    "file_error": Word("Can't be read ({error})."),
    "file_not_read_in_time": Word("Not read: the files before it took all the time there is."),
    # the platform file
    "platform_absent": Word("There is no platform file ({path})."),
    "platform_wrong_name": Word("{path}: a platform file is called hpgov.yaml."),
    "platform_server_is_root": Word(
        "This server runs as root and could have written {path}: the platform file is not believed.", "Run it as an ordinary user."
    ),
    "platform_not_owned_by_root": Word("{path} does not belong to root: the platform file is not believed."),
    "platform_writable_by_others": Word("{path} can be written by others than root: the platform file is not believed."),
    "platform_writable": Word("{path} can be written by this server's user: the platform file is not believed."),
    "platform_has_link": Word("{path} is a symbolic link: the platform file is not believed.", "Configure the real path."),
    "platform_not_regular": Word("{path} is not a regular file in a folder: the platform file is not believed."),
    "platform_not_plain": Word("{path} is not a plain absolute path."),
    "platform_denied": Word("{path} is not readable by the server's user."),
    "platform_error": Word("{path} can't be read."),
    # fields of the record
    "field_record": Word("Customer's record"),
    "field_owner_business": Word("Business owner"),
    "field_owner_operations": Word("Operations owner"),
    "field_owner_cost": Word("Cost owner"),
    "field_owner_exceptions": Word("Exceptions owner"),
    "field_purpose": Word("Purpose"),
    "field_account_capacity": Word("Capacity account"),
    "field_account_consumer": Word("Consumer account"),
    "field_account_data": Word("Data account"),
    "field_network": Word("Network"),
    "field_isolation": Word("Isolation"),
    "field_domain_id": Word("Domain id"),
    "field_domain_name": Word("Domain"),
    "field_project_id": Word("Project id"),
    "field_project_name": Word("Project"),
    "field_cluster_account": Word("Cluster's account"),
    "field_cluster_region": Word("Cluster's region"),
    "field_cluster_name": Word("Cluster"),
    "field_cluster_orchestrator": Word("Orchestrator"),
    "field_cluster_version": Word("Orchestrator's version"),
    "field_role_project": Word("Project role"),
    "field_role_access": Word("Access role"),
    "field_service_accounts": Word("Service accounts"),
    "field_workload_kinds": Word("Approved kinds of task"),
    "field_data_classification": Word("Data classification"),
    "field_scope_namespaces": Word("Namespaces"),
    "field_scope_slurm_accounts": Word("Slurm accounts"),
    "field_scope_qos": Word("Slurm QoS"),
    "field_scope_partitions": Word("Slurm partitions"),
    "field_team": Word("Team"),
    "field_compute_quota_id": Word("Compute quota id"),
    "field_scheduler_config_id": Word("Scheduler configuration id"),
    "field_share": Word("Share per instance type"),
    "field_priority_classes": Word("Priority classes"),
    "field_sharing": Word("Lending and borrowing"),
    "field_borrow_limit_percent": Word("Borrow limit, percent of the share"),
    "field_preemption": Word("Preemption within the team"),
    "field_signal_cluster_health": Word("Signal: cluster health"),
    "field_signal_queue_wait": Word("Signal: waiting time"),
    "field_signal_share_held": Word("Signal: share held"),
    "field_signal_stops": Word("Signal: stopped tasks"),
    "field_signal_cost": Word("Signal: cost"),
    "field_status": Word("Status"),
    "field_approved_by": Word("Approved by"),
    "field_approved_on": Word("Approved on"),
    "field_begins": Word("Begins"),
    "field_until": Word("Agreed until"),
    "field_revoked_on": Word("Revoked on"),
    "field_review_every": Word("Reviewed every"),
    "field_next_review": Word("Next review"),
    "field_decommission_on": Word("To be decommissioned on"),
    "field_decommission_plan": Word("Plan for decommissioning"),
    "field_exceptions": Word("Exceptions"),
    "field_decisions": Word("Decisions"),
    "field_reviewed_on": Word("Last reviewed on"),
    "field_reviewed_project_role": Word("Project role at the last review"),
    "field_reviewed_access_role": Word("Access role at the last review"),
    "field_reviewed_region": Word("Region at the last review"),
    "field_reviewed_version": Word("Version at the last review"),
    "field_reviewed_quota": Word("Quota at the last review"),
}

# -- access: what is read, what for, who grants it ---------------------------------------------------------------------------
ACCESS: dict[str, Word] = {
    "request_slurm": Word("Association in Slurm"),
    "request_slurm_account": Word("Association in Slurm: the account is not on record"),
    # AWS: what is read
    "read_identity": Word("Whose AWS identity reads"),
    "assume_access_role": Word("Assuming the connection's access role"),
    "assume_web_identity": Word("Keys for the service account's role"),
    "read_connections": Word("The project's HyperPod connections"),
    "read_connection": Word("The connection's description, without its secrets"),
    "read_project": Word("The project's name"),
    "read_cluster": Word("The HyperPod cluster"),
    "read_nodes": Word("The cluster's nodes"),
    "read_cluster_list": Word("Which clusters the account has"),
    "read_eks_cluster": Word("The EKS cluster behind it"),
    "read_contract_list": Word("Which contracts the bucket holds"),
    "read_contract": Word("A contract in the bucket"),
    # AWS: what for
    "needed_identity": Word("whose rights the panel reads with"),
    "needed_reach": Word("the way to the cluster's API server"),
    "needed_access_role": Word("everything about the connection's cluster"),
    "needed_connections": Word("the clusters connected to the project"),
    "needed_description": Word("the connection's description"),
    "needed_project": Word("the project's name"),
    "needed_cluster_state": Word("the cluster's state"),
    "needed_nodes": Word("the state of the nodes"),
    "needed_cluster_list": Word("the clusters to choose from in Studio"),
    "needed_contracts": Word("the connection contract"),
    # Kubernetes: what is read
    "read_discovery": Word("Which kinds this cluster serves"),
    "read_namespace": Word("The namespace"),
    "read_local_queues": Word("The team's queues in the namespace"),
    "read_cluster_queue": Word("The team's ClusterQueue, by name"),
    "read_workloads": Word("The team's workloads"),
    "read_pending": Word("Places in the team's line"),
    "read_pods": Word("The team's pods"),
    "read_events": Word("Events in the namespace"),
    "read_flavors": Word("Resource flavours"),
    "read_priorities": Word("Priority classes"),
    "read_tasks_of_kind": Word("The team's tasks of this kind"),
    "read_cohort_queues": Word("All ClusterQueues, kept as sums without names"),
    "read_cohorts": Word("All cohorts, of which the own is kept"),
    "read_access": Word("Which of these reads your role may do"),
    "read_self": Word("Who the cluster takes you for"),
    # Kubernetes: what for
    "needed_kinds": Word("telling what is not installed from what is not allowed"),
    "needed_governed": Word("whether the namespace is governed by queues"),
    "needed_queue": Word("the queue a task is sent to"),
    "needed_manifest": Word("what to write in the manifest"),
    "needed_share": Word("the team's share"),
    "needed_share_holders": Word("what holds the share"),
    "needed_line": Word("places in the team's line"),
    "needed_tasks": Word("the team's tasks"),
    "needed_task_page": Word("what happened to a task"),
    "needed_no_node": Word("why an admitted task does not run"),
    "needed_cohort": Word("what the cohort as a whole holds"),
    "needed_access": Word("this table"),
    # Slurm: what is read and what for
    "read_slurm_version": Word("The version of Slurm's clients"),
    "read_slurm_controller": Word("Whether a controller answers"),
    "read_slurm_config": Word("The configuration lines that decide"),
    "read_slurm_queue": Word("The whole queue, kept as sums without names"),
    "read_slurm_own_jobs": Word("Your own jobs"),
    "read_slurm_team_jobs": Word("Jobs of your team's accounts"),
    "read_slurm_history": Word("Your own runs of the last 24 hours"),
    "read_slurm_associations": Word("Your associations"),
    "read_slurm_account": Word("The rows of your accounts and those above them"),
    "read_slurm_qos": Word("QoS and their limits"),
    "read_slurm_usage": Word("What is held of limits, kept for your own accounts only"),
    "read_slurm_shares": Word("Your fairshare"),
    "read_slurm_partitions": Word("Partitions, as far as they concern you"),
    "read_slurm_reservations": Word("Reservations"),
    "read_slurm_nodes": Word("All nodes, kept as sums"),
    "needed_slurm_version": Word("choosing how to read this version"),
    "needed_slurm_enforced": Word("telling what is enforced, who sees whom and what the order depends on"),
    "needed_slurm_queue": Word("how much runs and waits in each partition"),
    "needed_slurm_accounts": Word("which accounts and QoS are yours"),
    "needed_slurm_fairshare": Word("your fairshare"),
    "needed_slurm_where": Word("what is allowed to you where"),
    "needed_slurm_reservations": Word("reservations that a time limit would cross"),
    # what the tab says about itself
    "access_whose": Word("These are the rights of the identity above. Tasks that you submit may use another one."),
    "access_token_is_whole": Word(
        "The session policy of this product limits AWS calls only. The cluster's token carries all rights that the role has there: "
        "on the cluster this product's allow list and your RBAC are the limit."
    ),
    "access_source_identity": Word("The source identity names you only where the access role's trust policy pins it to you."),
    # text to copy
    "request_iam": Word("IAM statement for what was refused"),
    "request_trust": Word("Trust policy of the access role"),
    "request_rbac": Word("RBAC manifest for what was refused"),
    "request_rbac_no_user": Word(
        "Who the cluster takes you for is not known, so no RBAC manifest can be written.", "Ask for the access entry of the role first."
    ),
    "request_access_entry": Word("EKS access entry for the role you read with.", "Once it is there, this tab has the RBAC manifest for its group."),
    "request_can_i": Word("Questions that show what is missing"),
    "copy_labels": Word("Namespace and labels for a manifest"),
}

# -- the HTTP edge and the panel's own screens -------------------------------------------------------------------------------
EDGE: dict[str, Word] = {
    # the request itself
    "header_missing": Word("The request lacks the header X-Hpgov: 1, without which nothing is answered here.", "Send it with every request."),
    "foreign_page": Word("The request comes from a page of another origin, which gets no answer here."),
    "bad_input": Word("{input} is not as it must be: {rule}.", "Correct it and ask again."),
    "bad_request": Word("The request is not understood.", "Correct it and ask again."),
    "not_signed_in": Word("You are not signed in to this Jupyter server.", "Sign in again."),
    "not_authorised": Word("The authorizer of this Jupyter server does not let you read this.", "Ask the administrator of this JupyterLab."),
    "no_such_connection": Word("There is no connection of this id; it may have been removed.", "Go back to the list of connections."),
    "connections_not_read_yet": Word("The connections are not read yet, so this one is not known.", "It is asked again by itself."),
    "connections_not_readable": Word("The list of connections can't be read, so this one is not known.", "The panel says why, and whom to ask."),
    "no_such_task": Word("There is no such task here any more: it is gone, or no longer readable.", "Go back to the list of tasks."),
    "no_such_route": Word("There is no such address.", "Page and server may be of different versions: reload the page."),
    "method_not_allowed": Word("This address is read with GET only; nothing here changes anything."),
    "server_fault": Word("This extension failed while answering. That is our fault, not your rights.", "Report it with the server's log."),
    # screens: what is so, as a title, and the next step
    "screen_no_connection": Word(
        "No HyperPod cluster is connected to project {project} yet.",
        "Ask whoever may create connections in this project (datazone:CreateConnection) for one of type HyperPod; it then appears here by itself.",
    ),
    "screen_credentials_expired": Word("The AWS credentials of this space have expired.", "Restart the space. What was read before stays, with its age."),
    "screen_studio_no_list": Word(
        "Which clusters there are can't be listed: the execution role may not.",
        "Ask the account's administrator for sagemaker:ListClusters, or have the clusters named in HpgovSettings.connections.",
    ),
    "screen_space_without_aws": Word(
        "This Space reads its own cluster, without AWS.",
        "State and nodes of the HyperPod cluster need an AWS identity of the pod; everything else is read with its service account.",
    ),
    "screen_nothing_configured": Word(
        "No cluster is named yet.",
        "Outside SageMaker the clusters are named in the server's configuration: HpgovSettings.connections or HpgovSettings.kubeconfig.",
    ),
    # what a card points out
    "attention_cluster_status": Word("State of the cluster: {aws_status}."),
    "attention_nodes": Word("{count} of {total} nodes have failed or are not found."),
    "attention_nodes_at_least": Word("At least {count} nodes have failed or are not found; only the first {total} could be read."),
    "attention_no_node": Word("Admitted tasks with pods that have no node: {count}."),
    "attention_no_node_at_least": Word("Admitted tasks with pods that have no node: at least {count}."),
    "attention_never": Word("Tasks that can't begin with today's quotas and limits: {count}."),
    "attention_never_at_least": Word("Tasks that can't begin with today's quotas and limits: at least {count}."),
    "attention_failed": Word("Failed tasks: {count}."),
    "attention_failed_at_least": Word("Failed tasks: at least {count}."),
}

SECTIONS: dict[str, dict[str, Word]] = {
    "reads": READS,
    "aws": AWS,
    "place": PLACE,
    "kubernetes": KUBERNETES,
    "tasks": TASKS,
    "share": SHARE,
    "slurm": SLURM,
    "contracts": CONTRACTS,
    "access": ACCESS,
    "edge": EDGE,
}
WORDS: dict[str, Word] = {code: word for section in SECTIONS.values() for code, word in section.items()}


def say(code: str, params: dict[str, object] | None = None) -> str:
    """English for a code; a code that we do not know is shown as it is, never swallowed."""
    word = WORDS.get(code)
    if word is None:
        return code
    params = params or {}
    missing = [name for name in NAME.findall(word.text) if params.get(name) is None]
    text = ASIDE.sub(lambda aside: "" if any("{" + name + "}" in aside[0] for name in missing) else aside[0], word.text)
    for name, value in params.items():
        if name == "state" and isinstance(value, str) and value in STATES:
            value = STATES[value].text
        if name == "aws_status" and isinstance(value, str) and value in AWS_STATUSES:
            value = AWS_STATUSES[value].text
        text = text.replace("{" + name + "}", "—" if value is None else str(value))
    return text
