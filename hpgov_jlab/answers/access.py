"""What is read, what for, allowed or not, who grants it; and the request to copy (DESIGN.md 4; 14, S5)."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ..model.access import AccessRow, CopyText
from ..model.connection import PlaceKind
from ..model.copying import copyable
from ..model.outcome import Ask, Layer, Outcome, Phrase, Reading, State
from ..policy import aws as aws_policy
from ..policy import kubernetes as k8s_policy
from ..policy import render_aws, render_kubernetes
from ..policy.aws import Reader
from ..policy.aws_names import cluster_id, eks_name, parse_arn
from ..policy.kubernetes import Grant, Operation
from ..sources.aws.errors import NOT_BY_AN_ALLOW
from ..wire.pages import AccessPage
from . import slurm_parts
from .connection import identity_part
from .tasks import no_scope
from .team import TeamReadings

REFUSED = frozenset({State.DENIED})
TRUST_CODES = frozenset({"no_trust_policy_allows", "trust_policy_denies", "trust_lacks_tag_session", "trust_lacks_source_identity"})


def access_page(
    found: TeamReadings, *, person_known: bool, now: float, poll_after_ms: int, sandbox: bool, cohort_reads: bool, next_fresh_at: float | None
) -> AccessPage:  # fmt: skip
    rows = _aws_rows(found)
    rows += slurm_parts.access_rows(found.slurm) if found.slurm is not None else _kubernetes_rows(found, cohort_reads)
    notes = [Phrase("access_whose")]
    if found.reached.at is not None and found.reached.eks is not None:
        notes.append(Phrase("access_token_is_whole"))
    if found.home.place.data is not None and found.home.place.data.kind is PlaceKind.UNIFIED_STUDIO:
        notes.append(Phrase("access_source_identity"))
    if not person_known:
        notes.append(Phrase("mine_person_unknown"))
    return AccessPage.model_construct(
        now=now, poll_after_ms=poll_after_ms, sandbox=sandbox, identity=identity_part(found), rows=rows, request=requests(found), notes=notes,
        next_fresh_at=next_fresh_at,
    )  # fmt: skip


# -- rows -------------------------------------------------------------------------------------------------------------------
def _latest(readings: Iterable[Reading[Any]], source: str) -> Outcome | None:
    """How the reads of one upstream operation ended: the one that failed, if any did."""
    outcomes = [r.last for r in readings if r.last.source == source]
    return next((o for o in outcomes if o.state is not State.OK), outcomes[0] if outcomes else None)


def _readers(found: TeamReadings) -> list[Reader]:
    """Whose AWS rights this connection needs: the place's, and the access role's where one is assumed."""
    if found.home.session is None and found.reached.session is None:
        return []
    place = found.home.session.reader if found.home.session is not None else None
    own = found.reached.session.reader if found.reached.session is not None else None
    return list(dict.fromkeys(r for r in (place, own) if r is not None))


def _aws_rows(found: TeamReadings) -> list[AccessRow]:
    home = [r for r in (*found.home.readings, found.home.identity, *found.contract.readings) if r is not None]
    reached = list(found.reached.readings())
    rows: list[AccessRow] = []
    blocked = found.reached.aws_blocked or found.reached.blocked
    without_eks = blocked is not None and blocked.code == "no_eks_cluster"
    for reader in _readers(found):
        readings = reached if reader is Reader.ACCESS else home if reader is Reader.PROJECT else [*home, *reached]
        for allowed in aws_policy.ALLOWED:
            if reader not in allowed.readers or allowed.operation == "AssumeRoleWithWebIdentity":
                continue
            if allowed.service == "s3":
                if reader is not Reader.ACCESS:
                    rows += _s3_rows(found, allowed)
                continue
            outcome = _assumed(found) if allowed.operation == "AssumeRole" else _latest(readings, allowed.action)
            if outcome is None and (allowed.operation == "AssumeRole" or (without_eks and allowed.service == "eks")):
                continue  # a cluster that Slurm runs has no EKS cluster to be read
            if outcome is None and (blocked is None or without_eks or reader is Reader.PROJECT):
                outcome = Outcome(State.PENDING, "asked_when_needed", allowed.action, None, {}, Layer.PROJECT)
            elif outcome is None and blocked is not None:
                outcome = Outcome(State.PENDING, "waits_for", allowed.action, None, {"read": blocked.source}, Layer.PROJECT)
            if outcome is None:
                continue
            ask, layer = _granted_by(allowed, outcome, Layer.CLUSTER if reader is Reader.ACCESS else Layer.PROJECT)
            rows.append(AccessRow(allowed.read, allowed.action, _aws_scope(found, allowed, reader), allowed.purposes, outcome, ask, layer))
    return rows


def _granted_by(allowed: aws_policy.Allowed, outcome: Outcome, account: Layer) -> tuple[Ask, Layer]:
    """Who can change it: of a refusal whose policy it is. `account`: the project's, or the cluster's, where the access role is."""
    if outcome.state is State.DENIED:
        return outcome.ask, outcome.layer
    return (Ask.ACCOUNT_ADMIN if allowed.granted else Ask.NOBODY), account


def _s3_rows(found: TeamReadings, allowed: aws_policy.Allowed) -> list[AccessRow]:
    """One row per configured prefix; none where no prefix is configured."""
    rows = []
    for source in found.contract.stored:
        scope = f"arn:aws:s3:::{source.bucket}" + (f"/{source.prefix}*" if allowed.operation == "GetObject" else "")
        outcome = _latest(found.contract.readings, allowed.action)
        if outcome is None:
            outcome = Outcome(State.PENDING, "waits_for", allowed.action, None, {"read": "s3:ListBucket"}, Layer.PROJECT)
        rows.append(AccessRow(allowed.read, allowed.action, scope, allowed.purposes, outcome, *_granted_by(allowed, outcome, Layer.PROJECT)))
    return rows


def _assumed(found: TeamReadings) -> Outcome | None:
    """AssumeRole is not a read of its own: the first call with the role's keys tells."""
    session, identity = found.reached.session, found.reached.identity
    if session is None or session.reader is not Reader.ACCESS:
        return found.reached.aws_blocked
    if identity is None:
        return None
    if identity.data is not None:
        return Outcome(State.OK, "read", "sts:AssumeRole", identity.last.at)
    return identity.last


def _aws_scope(found: TeamReadings, allowed: aws_policy.Allowed, reader: Reader) -> str:
    if not allowed.granted:  # the same question by each identity: whose it is
        whose = found.reached.identity if reader is Reader.ACCESS else found.home.identity
        return (whose.data.arn if whose is not None and whose.data is not None else None) or ""
    target = _target(found)
    return target.resource(allowed) if target is not None else allowed.resource if "{" not in allowed.resource else "?"


def _target(found: TeamReadings) -> render_aws.Target | None:
    connection = found.reached.connection
    arn = parse_arn(connection.cluster_arn)
    role = parse_arn(connection.access_role)
    known = arn or role
    region = connection.region or (arn.region if arn is not None else None)
    account = connection.account or (known.account if known is not None else None)
    if known is None or not region or not account:
        return None
    eks = found.reached.cluster.data.eks_arn if found.reached.cluster is not None and found.reached.cluster.data is not None else None
    try:
        return render_aws.Target(known.partition, region, account, cluster_id(connection.cluster_arn), eks_name(eks), connection.access_role)
    except ValueError:
        return None


def _kubernetes_rows(found: TeamReadings, cohort_reads: bool) -> list[AccessRow]:
    rows: list[AccessRow] = []
    served = found.discovery.data if found.discovery is not None else None
    readings = [*found.readings().values(), *([found.self_] if found.self_ is not None else []), *found.contract.annotated.values()]
    for operation in k8s_policy.ALLOWED:
        if operation is k8s_policy.ACCESS_REVIEW or (operation.grant is Grant.COHORT_READER and not cohort_reads):
            continue
        if served is not None and operation in k8s_policy.TASKS and served.serves(operation) is False:
            continue  # a kind that this cluster does not have needs no right
        for scope in _scopes(found, operation):
            # what one namespace answered says nothing of another
            outcome = _scoped(found, operation, scope) or (_latest(readings, operation.source) if not scope else None)
            if outcome is None:
                outcome = _not_asked(found, operation)
            ask = Ask.NOBODY if operation.grant is Grant.EVERYONE else Ask.CLUSTER_ADMIN
            rows.append(AccessRow(operation.read, operation.source, scope, operation.purposes, outcome, ask, Layer.CLUSTER))
    return rows


def _not_asked(found: TeamReadings, operation: Operation) -> Outcome:
    """Why a read was not sent: what it waits for failed, it is not served here, no namespace is in scope, or no page needed it yet."""
    blocked, served = found.blocked, found.discovery
    if blocked is not None:
        return blocked if blocked.state is not State.PENDING else Outcome(State.PENDING, "waits_for", operation.source, None, {"read": blocked.source})
    if served is not None and served.data is not None and served.data.serves(operation) is False:
        return Outcome(State.ABSENT, "k8s_not_served", operation.source, served.last.at, {"operation": operation.source}, ask=Ask.CLUSTER_ADMIN)
    if not found.namespaces and (operation.namespaced or operation.named):
        unscoped = no_scope(found)
        if unscoped.state is State.NOT_CONFIGURED:
            return unscoped
        return Outcome(State.PENDING, "waits_for", operation.source, None, {"read": unscoped.source})
    return Outcome(State.PENDING, "asked_when_needed", operation.source)


def _scopes(found: TeamReadings, operation: Operation) -> Sequence[str]:
    if operation is k8s_policy.CLUSTER_QUEUE:
        return list(dict.fromkeys(q for n in found.namespaces for q in n.cluster_queues)) or [""]
    if operation.namespaced or operation is k8s_policy.NAMESPACE:
        return [n.name for n in found.namespaces] or [""]
    return [""]


def _scoped(found: TeamReadings, operation: Operation, scope: str) -> Outcome | None:
    """The reading of exactly this operation in exactly this scope."""
    if operation is k8s_policy.CLUSTER_QUEUE:
        return next((n.cluster_queues[scope].last for n in found.namespaces if scope in n.cluster_queues), None)
    if operation is k8s_policy.NAMESPACE:
        annotated = found.contract.annotated.get(scope)
        return annotated.last if annotated is not None else None
    at = next((n for n in found.namespaces if n.name == scope), None)
    if at is None:
        return None
    return next((reading.last for _, reading in at.readings() if reading.last.source == operation.source), None)


def _question(operation: Operation, scope: str) -> k8s_policy.Question:
    """Asked in the namespace, or by the name, where it was refused."""
    return k8s_policy.question(operation, name=scope) if operation is k8s_policy.CLUSTER_QUEUE else k8s_policy.question(operation, scope)


# -- the request to the administrator -----------------------------------------------------------------------------------------
def requests(found: TeamReadings) -> list[CopyText]:
    """The exact statements for what was refused, each by the serialiser of its own language. Nothing where nothing was refused."""
    texts = [*_iam_requests(found), *_entry_request(found), *_rbac_requests(found), *_slurm_requests(found)]
    return [t for t in texts if t is not None]


def _iam_requests(found: TeamReadings) -> list[CopyText]:
    target = _target(found)
    if target is None:
        return []
    made: list[CopyText] = []
    refused = [
        (reader, a.action) for reader in _readers(found) for a in aws_policy.ALLOWED if reader in a.readers and not a.exception and _refused(found, reader, a)
    ]
    for reader in dict.fromkeys(r for r, _ in refused):
        actions = list(dict.fromkeys(a for r, a in refused if r is reader))
        buckets = [a for a in actions if a.startswith("s3:")]
        stored = [(replace(target, bucket=s.bucket, prefix=s.prefix), buckets) for s in found.contract.stored]
        about = [(target, [a for a in actions if a not in buckets]), *stored]
        for each, names in about:
            if names:
                made.append(CopyText("iam", "request_iam", render_aws.copy_text(render_aws.statement_for(names, reader, each)), Ask.ACCOUNT_ADMIN))
    assumed = _assumed(found)
    place = found.home.place.data
    if assumed is not None and assumed.state is State.DENIED and place is not None and place.project_id and place.domain_id:
        own = found.home.identity.data.arn if found.home.identity is not None and found.home.identity.data is not None else None
        principal = render_aws.principal_role(own, place.execution_role_arn)
        if assumed.code != "no_identity_policy_allows" and principal is not None:
            text = render_aws.copy_text(render_aws.trust_policy(principal, place.project_id, place.domain_id))
            made.append(CopyText("trust", "request_trust", text, Ask.ACCOUNT_ADMIN))
        if assumed.code not in TRUST_CODES:  # STS often gives no reason: then either side may be what is missing
            reader = found.home.session.reader if found.home.session is not None else Reader.PROJECT
            text = render_aws.copy_text(render_aws.statement_for(["sts:AssumeRole"], reader, target))
            made.append(CopyText("iam", "request_iam", text, Ask.ACCOUNT_ADMIN))
    return made


def _refused(found: TeamReadings, reader: Reader, allowed: aws_policy.Allowed) -> bool:
    home = [r for r in (*found.home.readings, found.home.identity, *found.contract.readings) if r is not None]
    assumed = _assumed(found)
    if reader is Reader.ACCESS and assumed is not None and assumed.state is State.DENIED:
        return False  # it is the trust that is missing
    readings = list(found.reached.readings()) if reader is Reader.ACCESS else home if reader is Reader.PROJECT else [*home, *found.reached.readings()]
    outcome = _latest(readings, allowed.action)
    return outcome is not None and outcome.state in REFUSED and outcome.code not in NOT_BY_AN_ALLOW


def _entry_request(found: TeamReadings) -> list[CopyText]:
    """A role without an access entry is nobody to the cluster: the command that makes one, with a group of this role's own to bind rights to."""
    if found.blocked is None or found.blocked.code != "k8s_access_entry_gone":
        return []
    target, identity, place = _target(found), found.reached.identity, found.home.place.data
    own = identity.data.arn if identity is not None and identity.data is not None else None
    role = found.reached.connection.access_role or render_aws.principal_role(own, place.execution_role_arn if place is not None else None)
    text = None
    if target is not None and target.eks_name is not None and role is not None:
        group = f"hpgov-{role.rpartition('/')[2]}"
        argv = ["aws", "eks", "create-access-entry", "--region", target.region, "--cluster-name", target.eks_name]
        argv += ["--principal-arn", role, "--kubernetes-groups", group]
        text = shlex.join(argv) + "\n" if all(copyable(word) for word in argv) else None
    return [CopyText("command", "request_access_entry", text, Ask.CLUSTER_ADMIN)]


def _slurm_requests(found: TeamReadings) -> list[CopyText]:
    """Without an association nothing can be submitted: the line that makes one, in the account that the contract names."""
    slurm = found.slurm
    if slurm is None or slurm.at is None or slurm.associations is None or slurm.associations.last.code != "slurm_no_association":
        return []
    account = found.contract.view.slurm_accounts[0] if found.contract.view.slurm_accounts else None
    values = [slurm.at.user, *([account] if account is not None else [])]
    argv = ["sacctmgr", "add", "user", f"name={slurm.at.user}", f"account={account}"]
    text = shlex.join(argv) + "\n" if account is not None and all(copyable(v) for v in values) else None
    return [CopyText("slurm", "request_slurm" if account is not None else "request_slurm_account", text, Ask.CLUSTER_ADMIN)]


def _rbac_requests(found: TeamReadings) -> list[CopyText]:
    user = found.self_.data if found.self_ is not None else None
    cohort_refused = found.cohort is not None and found.cohort.last.state in REFUSED
    missing = [
        operation
        for operation in k8s_policy.READS
        if operation.grant is Grant.TEAM and any((o := _scoped(found, operation, s)) is not None and o.state in REFUSED for s in _scopes(found, operation))
    ]
    if not missing and not cohort_refused:
        return []
    namespaces = [n.name for n in found.namespaces]
    queues = list(dict.fromkeys(q for n in found.namespaces for q in n.cluster_queues))
    made: list[CopyText] = []
    if user is None:
        return [CopyText("rbac", "request_rbac_no_user", None, Ask.CLUSTER_ADMIN)]
    try:
        subject = render_kubernetes.subject_of(user.username, user.groups)
        team, reader = (render_kubernetes.asked_for(subject, name) for name in (render_kubernetes.TEAM, render_kubernetes.COHORT_READER))
        documents = render_kubernetes.team(namespaces, queues, subject, missing, called=team) if missing else []
        documents += render_kubernetes.cohort_reader(subject, called=reader) if cohort_refused else []
        text = render_kubernetes.to_yaml(documents)
    except ValueError:
        text = None
    made.append(CopyText("rbac", "request_rbac", text, Ask.CLUSTER_ADMIN))
    if not missing:
        return made
    asked = [_question(o, scope) for o in missing for scope in _scopes(found, o) if (last := _scoped(found, o, scope)) and last.state in REFUSED]
    lines = dict.fromkeys(shlex.join(render_kubernetes.can_i(question)) for question in asked)
    made.append(CopyText("command", "request_can_i", "\n".join(lines) + "\n", Ask.YOU))
    return made
