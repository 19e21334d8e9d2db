"""No confused deputy (DESIGN.md 14, S3): before a role is assumed and after, everything that names the target has to agree.

Before: the access role's, the connection's and the cluster ARN's partition, account and Region. After: GetCallerIdentity, DescribeCluster's ClusterArn and
the EKS cluster's ARN. Anything else is `invalid: target_mismatch`: nothing is assumed, no token is signed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ...model.connection import Connection, Place, PlaceKind
from ...model.outcome import Ask, Failure, Layer, State
from ...policy.aws_names import ACCOUNT, CLUSTER_NAME, PROJECT_ID, SOURCE_IDENTITY, Arn, cluster_id, eks_name, is_region, parse_arn, partition_of, role_name
from ...policy.render_aws import Target, session_policy
from .guard import ROLE_SECONDS


def mismatch(what: str, wanted: str | None = None, found: str | None = None) -> Failure:
    """`what`: which of the facts disagrees. Values are shown only if they are ids of AWS's own form."""
    params = {"what": what, "wanted": _plain(wanted), "found": _plain(found)}
    return Failure(State.INVALID, "target_mismatch", params, layer=Layer.PROJECT, ask=Ask.PROJECT_OWNER)


def _plain(value: str | None) -> str | None:
    return value if value is not None and (ACCOUNT.fullmatch(value) or is_region(value) or parse_arn(value)) else None


def _agree(what: str, values: Iterable[str | None]) -> None:
    known = [v for v in values if v is not None]
    if len(set(known)) > 1:
        raise mismatch(what, known[0], next(v for v in known if v != known[0]))


@dataclass(frozen=True, slots=True)
class RoleRequest:
    """One AssumeRole, made ready: its parameters, where to send it, and what its session is for."""

    params: dict[str, Any] = field(repr=False)  # the ExternalId is the project's id, known to all its members, but needs no log
    role_arn: str
    region: str
    principal: str


def cluster_of(connection: Connection) -> str:
    """What SageMaker is asked for: the ARN where it is known, else the name. Raises Failure(INVALID)."""
    if connection.cluster_arn is not None:
        if cluster_id(connection.cluster_arn) is None:
            raise mismatch("cluster_arn")
        return connection.cluster_arn
    if not CLUSTER_NAME.fullmatch(connection.cluster_name):
        raise mismatch("cluster_name")
    return connection.cluster_name


def check_connection(connection: Connection) -> str:
    """The cluster's Region, after the connection's own facts were held against each other. Raises Failure(INVALID, "target_mismatch")."""
    cluster_of(connection)
    arn = parse_arn(connection.cluster_arn)
    region = connection.region or (arn.region if arn else None)
    if not is_region(region):
        raise mismatch("region")
    assert region is not None
    if connection.account is not None and not ACCOUNT.fullmatch(connection.account):
        raise mismatch("account")
    if arn is not None:
        _agree("region", (region, arn.region))
        _agree("account", (connection.account, arn.account))
        if arn.partition != partition_of(region):
            raise mismatch("partition")
    return region


def role_request(connection: Connection, place: Place, external_id: str | None = None) -> RoleRequest:
    """The AssumeRole for a connection (DESIGN.md 5), after all checks that can be made before it.

    In Unified Studio ExternalId is the project's id, SourceIdentity the DataZone user's, and project and domain are session tags: facts of the place,
    never of the connection. Elsewhere the role and `external_id` come from a trait and nothing attributes the person.
    Raises Failure(NOT_CONFIGURED, "no_access_role" | "no_user_id"), Failure(INVALID, "target_mismatch").
    """
    if connection.access_role is None:
        raise Failure(State.NOT_CONFIGURED, "no_access_role", layer=Layer.PROJECT, ask=Ask.PROJECT_OWNER)
    region = check_connection(connection)
    role, cluster = parse_arn(connection.access_role), parse_arn(connection.cluster_arn)
    if role is None or role.service != "iam" or role_name(connection.access_role) is None:
        raise mismatch("access_role")
    home = parse_arn(place.execution_role_arn)
    _agree("account", (role.account, connection.account, cluster.account if cluster else None))
    _agree("partition", (role.partition, partition_of(region), cluster.partition if cluster else None, home.partition if home else None))
    target = Target(role.partition, region, role.account, cluster_id=cluster_id(connection.cluster_arn))
    params: dict[str, Any] = {"RoleArn": connection.access_role, "Policy": session_policy(target), "DurationSeconds": ROLE_SECONDS}
    user = place.user_id
    if place.kind is PlaceKind.UNIFIED_STUDIO:
        _agree("project", (place.project_id, connection.project_id))
        _agree("domain", (place.domain_id, connection.domain_id))
        if user is None:
            raise Failure(State.NOT_CONFIGURED, "no_user_id", layer=Layer.PROJECT, ask=Ask.JUPYTER_ADMIN)
        if place.project_id is None or not PROJECT_ID.fullmatch(place.project_id) or not SOURCE_IDENTITY.fullmatch(user):
            raise mismatch("project")
        params["ExternalId"] = place.project_id
        params["SourceIdentity"] = user
        params["Tags"] = [{"Key": "AmazonDataZoneProject", "Value": place.project_id}, {"Key": "AmazonDataZoneDomain", "Value": place.domain_id}]
    elif external_id:
        params["ExternalId"] = external_id
    params["RoleSessionName"] = session_name(user)
    mark = hashlib.sha256(str(params.get("ExternalId", "")).encode()).hexdigest()[:16]  # principals are shown in reprs
    principal = "|".join(("role", connection.access_role, mark, user or "", connection.cluster_arn or region))
    return RoleRequest(params, connection.access_role, region, principal)


def session_name(user: str | None) -> str:
    """RoleSessionName: visible in the other account's log, 2 to 64 characters of `[A-Za-z0-9_+=,.@-]`."""
    return ("hpgov-" + re.sub(r"[^A-Za-z0-9_+=,.@-]", "-", user))[:64] if user else "hpgov-jlab"


def check_cluster(connection: Connection, region: str, found: str) -> None:
    """After DescribeCluster: its ClusterArn is the connection's, or at least in its account and Region. Raises Failure(INVALID, "target_mismatch")."""
    arn = parse_arn(found)
    if arn is None or cluster_id(found) is None:
        raise mismatch("cluster_arn")
    if connection.cluster_arn is not None and found != connection.cluster_arn:
        raise mismatch("cluster_arn", connection.cluster_arn, found)
    _agree("region", (region, arn.region))
    _agree("account", (connection.account, arn.account))
    role = parse_arn(connection.access_role)
    if role is not None:
        _agree("account", (role.account, arn.account))


def check_eks(cluster_arn: str, eks_arn: str) -> Arn:
    """The EKS cluster behind a HyperPod cluster is in its partition, account and Region. Raises Failure(INVALID, "target_mismatch")."""
    cluster, eks = parse_arn(cluster_arn), parse_arn(eks_arn)
    if cluster is None or eks is None or eks_name(eks_arn) is None:
        raise mismatch("eks_arn")
    if (cluster.partition, cluster.account, cluster.region) != (eks.partition, eks.account, eks.region):
        raise mismatch("eks_arn", cluster_arn, eks_arn)
    return eks
