"""From a connection to its cluster: the session that reads it, the HyperPod cluster, the EKS endpoint, the token (DESIGN.md 5)."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

from ..model.cluster import Cluster, EksCluster, Identity, Nodes
from ..model.connection import Connection, Orchestrator, Reach
from ..model.outcome import Ask, Failure, Layer, Outcome, Phrase, Reading, State
from ..reads import Asker, Read
from ..sources.aws import eks, hyperpod, sts
from ..sources.aws.session import AwsSession
from ..sources.kubernetes.kubeconfig import server_key
from ..sources.kubernetes.lists import At
from .home import Home, direct_principal, waits_for
from .world import World, external_id

ENTRY_GONE = "k8s_access_entry_gone"


@dataclass(frozen=True, slots=True)
class Reached:
    """How far we came. `at` None: no request to the API server can be made, for the reason in `blocked`.

    `aws_blocked`: why nothing is asked of AWS for this connection at all (a Space without AWS, a target that does not agree).
    """

    connection: Connection
    session: AwsSession | None
    identity: Reading[Identity] | None
    cluster: Reading[Cluster] | None
    nodes: Reading[Nodes] | None
    eks: Reading[EksCluster] | None
    token: Reading[Any] | None
    at: At | None
    blocked: Outcome | None
    aws_blocked: Outcome | None = None
    token_read: Read[Any] | None = None

    @property
    def orchestrator(self) -> Orchestrator:
        """What DescribeCluster says, else what the connection says."""
        if self.cluster is not None and self.cluster.data is not None:
            return Orchestrator(self.cluster.data.orchestrator)
        return self.connection.orchestrator

    def readings(self) -> tuple[Reading[Any], ...]:
        return tuple(r for r in (self.identity, self.cluster, self.nodes, self.eks, self.token) if r is not None)

    def explain(self, outcome: Outcome) -> Outcome:
        """What an API server's failure means beside what AWS says: a private endpoint without a route, or keys that have expired.

        A token signed with keys that AWS has ended is refused just like one of a role without an access entry.
        """
        if outcome.code == ENTRY_GONE and self.identity is not None and self.identity.last.state is State.EXPIRED:
            return replace(self.identity.last, source=outcome.source)
        if outcome.state is not State.UNREACHABLE or self.eks is None or self.eks.data is None:
            return outcome
        note: Phrase | None = eks.endpoint_note(self.eks.data)
        if note is None:
            return outcome
        return replace(outcome, code=note.code, params={**outcome.params, **note.params})


async def reach(ask: Asker, world: World, at_home: Home, connection: Connection, *, with_nodes: bool = True) -> Reached:
    """Awaits link by link; nothing is assumed or signed where the target does not agree (S3)."""
    if connection.source in ("in_cluster", "kubeconfig"):
        return await _direct(ask, world, at_home, connection)
    place = at_home.place.data
    if place is None:
        return Reached(connection, None, None, None, None, None, None, None, at_home.place.last, at_home.place.last)
    try:
        session = world.sessions.for_connection(connection, place, external_id=external_id(world.settings, connection))
    except Failure as failure:
        outcome = failure.outcome("sts:AssumeRole", time.time())
        return Reached(connection, None, None, None, None, None, None, None, outcome, outcome)
    identity = await ask.one(sts.identity(session))  # first and alone: the others would ask by themselves whose keys these are, and hold workers meanwhile
    wanted: list[Read[Any]] = [hyperpod.describe(session, connection)]
    if with_nodes:
        wanted.append(hyperpod.nodes(session, connection))
    cluster, *rest = await ask.all(wanted)
    nodes = rest[0] if rest else None
    base = Reached(connection, session, identity, cluster, nodes, None, None, None, None)
    if cluster.data is None:
        return replace(base, blocked=cluster.last if cluster.last.state is not State.PENDING else waits_for("sagemaker:DescribeCluster", "eks:DescribeCluster"))
    if cluster.data.eks_arn is None:
        return replace(base, blocked=eks.no_eks(cluster.data).outcome("sagemaker:DescribeCluster", cluster.last.at or time.time()))
    described = await ask.one(eks.describe(session, cluster.data))
    base = replace(base, eks=described)
    if described.data is None:
        return replace(base, blocked=described.last if described.last.state is not State.PENDING else waits_for("eks:DescribeCluster", "Kubernetes"))
    if described.data.endpoint is None or described.data.ca_pem is None:
        none_yet = Failure(State.ABSENT, "endpoint_none_yet", {"host": None, "aws_status": described.data.status})
        return replace(base, blocked=none_yet.outcome("eks:DescribeCluster", described.last.at or time.time()))
    read = eks.token(session, described.data)
    token = await ask.one(read)
    base = replace(base, token=token, token_read=read)
    if token.data is None:
        return replace(base, blocked=token.last if token.last.state is not State.PENDING else waits_for("sts:GetCallerIdentity", "Kubernetes"))
    return replace(base, at=at_of(world, session.principal, connection, described.data, token.data))


def at_of(world: World, principal: str, connection: Connection, cluster: EksCluster, token: Any) -> At:
    endpoint, ca = cluster.endpoint or "", cluster.ca_pem or ""
    return At(world.api, Reach(endpoint, ca, token.value, token.signed_at, server_key(endpoint)), f"{principal}|{connection.id}")


async def _direct(ask: Asker, world: World, at_home: Home, connection: Connection) -> Reached:
    """The pod's own cluster, or a kubeconfig's: Kubernetes without AWS."""
    place = at_home.place.data
    no_aws = Failure(State.NOT_CONFIGURED, "no_aws_here", layer=Layer.PROJECT, ask=Ask.JUPYTER_ADMIN).outcome("sagemaker:DescribeCluster", time.time())
    if place is None:
        return Reached(connection, None, None, None, None, None, None, None, at_home.place.last, no_aws)
    read = world.direct(place)
    direct = await ask.one(read)
    if direct.data is None:
        return Reached(connection, None, None, None, None, None, direct, None, direct.last, no_aws, read)
    at = At(world.api, direct.data.reach, direct_principal(direct.data, connection.id))
    if at_home.session is None or connection.source != "in_cluster":
        return Reached(connection, None, None, None, None, None, direct, at, None, no_aws, read)
    # a pod with an AWS identity of its own: which HyperPod cluster it runs on is not to be seen from inside, a trait says it
    if connection.cluster_arn is None:
        unnamed = Failure(State.NOT_CONFIGURED, "cluster_not_named", layer=Layer.PROJECT, ask=Ask.JUPYTER_ADMIN).outcome(
            "sagemaker:DescribeCluster", time.time()
        )
        return Reached(connection, None, at_home.identity, None, None, None, direct, at, None, unnamed, read)
    try:
        session = world.sessions.for_connection(connection, place, external_id=external_id(world.settings, connection))
    except Failure as failure:
        return Reached(connection, None, None, None, None, None, direct, at, None, failure.outcome("sts:AssumeRole", time.time()), read)
    identity, cluster, nodes = await ask.three(sts.identity(session), hyperpod.describe(session, connection), hyperpod.nodes(session, connection))
    return Reached(connection, session, identity, cluster, nodes, None, direct, at, None, None, read)
