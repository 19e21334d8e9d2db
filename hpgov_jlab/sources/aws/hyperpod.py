"""HyperPod clusters and their nodes, as SageMaker describes them (facts/hyperpod.md 4.5)."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Any

from ...model.cluster import Cluster, InstanceGroup, Nodes
from ...model.connection import Connection, Orchestrator, Place
from ...model.outcome import Ask, Failure, Layer, State
from ...policy.aws_names import cluster_id, parse_arn
from ...reads import Deadline, Got, Key, Read
from .datazone import slug
from .pages import read_pages
from .session import LANE, AwsSession
from .targets import check_cluster, check_connection, check_eks, cluster_of

PAGE = 100
MOST_NODE_PAGES = 50
MOST_CLUSTER_PAGES = 10


def describe(session: AwsSession, connection: Connection) -> Read[Cluster]:
    """DescribeCluster. Its ClusterArn, and the EKS cluster's ARN in it, have to agree with the connection (S3): else Failure(INVALID, "target_mismatch")."""

    def fetch(deadline: Deadline) -> Got[Cluster]:
        region = check_connection(connection)
        answer = session.call("sagemaker", "DescribeCluster", {"ClusterName": cluster_of(connection)}, deadline, region=region)
        data = answer.data
        check_cluster(connection, region, str(data["ClusterArn"]))
        cluster = _cluster(data, connection)
        if cluster.eks_arn is not None:
            check_eks(cluster.arn, cluster.eks_arn)
        return Got(cluster, answer.skew)

    return Read(_key(session, connection, "DescribeCluster"), LANE, "sagemaker:DescribeCluster", fetch, way=True, ttl=60.0, floor=10.0)


def nodes(session: AwsSession, connection: Connection) -> Read[Nodes]:
    """ListClusterNodes, counted, with the nodes that are still being provisioned (they have a logical id only). At most 5,000 nodes: `complete` says."""

    def fetch(deadline: Deadline) -> Got[Nodes]:
        region = check_connection(connection)
        params = {"ClusterName": cluster_of(connection), "IncludeNodeLogicalIds": True, "MaxResults": PAGE}
        found = read_pages(session, "sagemaker", "ListClusterNodes", params, deadline, region=region, token="NextToken", most=MOST_NODE_PAGES)  # noqa: S106
        by_status: Counter[str] = Counter()
        by_type: Counter[str] = Counter()
        for node in found.items("ClusterNodeSummaries"):
            by_status[str((node.get("InstanceStatus") or {}).get("Status") or "unknown")] += 1
            by_type[str(node.get("InstanceType") or "unknown")] += 1
        return Got(Nodes(by_status.total(), dict(by_status), dict(by_type), len(found.pages), found.complete), found.skew)

    key = _key(session, connection, "ListClusterNodes")
    return Read(key, LANE, "sagemaker:ListClusterNodes", fetch, way=True, ttl=60.0, floor=15.0, deadline=30.0, list_like=True)


def clusters(session: AwsSession, place: Place) -> Read[list[Connection]]:
    """ListClusters: every cluster of the account and Region that a Studio execution role may list. In place Studio only; the guard refuses it elsewhere.

    The summaries say neither the orchestrator nor the EKS cluster. Raises Failure(INVALID, "too_many_pages") above 1,000 clusters evaluated.
    """

    def fetch(deadline: Deadline) -> Got[list[Connection]]:
        region = session.home()
        found = read_pages(session, "sagemaker", "ListClusters", {"MaxResults": PAGE}, deadline, region=region, token="NextToken", most=MOST_CLUSTER_PAGES)  # noqa: S106
        if not found.complete:
            raise Failure(State.INVALID, "too_many_pages", {"action": "sagemaker:ListClusters"}, layer=Layer.PROJECT, ask=Ask.ACCOUNT_ADMIN)
        return Got([_listed(item) for item in found.items("ClusterSummaries") if cluster_id(item.get("ClusterArn"))], found.skew)

    return Read(Key(session.principal, f"sagemaker.{place.region}", "ListClusters"), LANE, "sagemaker:ListClusters", fetch, way=True, ttl=120.0, floor=15.0)


def _key(session: AwsSession, connection: Connection, operation: str) -> Key:
    arn = parse_arn(connection.cluster_arn)
    region = connection.region or (arn.region if arn else "?")
    return Key(session.principal, f"sagemaker.{region}", operation, connection.cluster_arn or f"{connection.account}/{connection.cluster_name}")


def _listed(item: dict[str, Any]) -> Connection:
    text = str(item["ClusterArn"])
    arn = parse_arn(text)
    assert arn is not None  # cluster_id matched
    name = str(item.get("ClusterName") or arn.resource)
    return Connection(slug(name, text), name, "studio", Orchestrator.UNKNOWN, name, arn.region, arn.account, cluster_arn=text)


def _cluster(data: dict[str, Any], connection: Connection) -> Cluster:
    orchestrator = data.get("Orchestrator") or {}
    eks = (orchestrator.get("Eks") or {}).get("ClusterArn")
    # A cluster without an orchestrator block is one of the first kind: Slurm. An unknown block stays unknown.
    kind = Orchestrator.EKS if eks else Orchestrator.SLURM if not orchestrator or "Slurm" in orchestrator else Orchestrator.UNKNOWN
    created = data.get("CreationTime")
    return Cluster(
        name=str(data.get("ClusterName") or connection.cluster_name),
        arn=str(data["ClusterArn"]),
        status=str(data["ClusterStatus"]),
        orchestrator=kind,
        eks_arn=eks,
        failure=data.get("FailureMessage") or None,
        created_at=created.timestamp() if isinstance(created, datetime) else None,
        groups=tuple(_group(group) for group in (*(data["InstanceGroups"]), *(data.get("RestrictedInstanceGroups") or ()))),
        node_recovery=data.get("NodeRecovery"),
        provisioning=data.get("NodeProvisioningMode"),
    )


def _group(group: dict[str, Any]) -> InstanceGroup:
    types = [str(t["InstanceType"]) for t in group.get("InstanceTypeDetails") or () if t.get("InstanceType")]
    named = str(group.get("InstanceType") or ", ".join(types) or "unknown")
    return InstanceGroup(
        str(group.get("InstanceGroupName") or ""), named, int(group.get("CurrentCount") or 0), int(group.get("TargetCount") or 0), group.get("Status")
    )
