"""SageMaker's four reads of HyperPod clusters (facts/aws.md 2, facts/hyperpod.md 4.5)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from ..scenario import HyperPodCluster, Node
from .errors import AwsError, Kind, error
from .operations import Call, Params, moment, operation, page


def _find_cluster(call: Call, name: str) -> HyperPodCluster | None:
    """By name or ARN, among those of the caller's account and the call's Region: others do not exist for it."""
    for cluster in call.scenario.clusters:
        region, account = cluster.arn.split(":")[3:5]
        if name in (cluster.name, cluster.arn) and (region, account) == (call.region, call.who.account):
            return cluster
    return None


def _cluster_arn(call: Call, params: Params) -> str:
    name = str(params["ClusterName"])
    cluster = _find_cluster(call, name)
    return cluster.arn if cluster else name if name.startswith("arn:") else f"arn:aws:sagemaker:{call.region}:{call.who.account}:cluster/{name}"


def _cluster(call: Call, params: Params, name: str) -> HyperPodCluster:
    cluster = _find_cluster(call, str(params["ClusterName"]))
    if cluster is None or call.faults.take("wrong-region", f"sagemaker:{name}") is not None:
        raise AwsError("ResourceNotFound", f"Cluster with name {params['ClusterName']} does not exist in {call.region}", 400)
    return cluster


@operation("sagemaker", "ListClusters")
def _list_clusters(call: Call, params: Params) -> dict[str, Any]:
    mine = [c for c in call.scenario.clusters if c.arn.split(":")[3:5] == [call.region, call.who.account]]
    if call.faults.take("wrong-region", "sagemaker:ListClusters") is not None:
        mine = []
    # MaxResults counts clusters evaluated, the filter comes after: a page may be short or empty while a token is set
    items, token = page(call, "sagemaker:ListClusters", mine, params.get("MaxResults", 100), params.get("NextToken"))
    wanted = str(params.get("NameContains", ""))
    summaries = [
        {"ClusterArn": c.arn, "ClusterName": c.name, "CreationTime": c.created, "ClusterStatus": c.status, "ImageVersionStatus": "UpToDate"}
        for c in items
        if wanted in c.name
    ]
    return {"ClusterSummaries": summaries, "NextToken": token}


@operation("sagemaker", "DescribeCluster", resource=_cluster_arn)
def _describe_cluster(call: Call, params: Params) -> dict[str, Any]:
    cluster = _cluster(call, params, "DescribeCluster")
    groups = [
        {
            "InstanceGroupName": g.name,
            "InstanceType": g.instance_type,
            "CurrentCount": g.current,
            "TargetCount": g.target,
            "Status": g.status,
            "ThreadsPerCore": 1,
        }
        for g in cluster.groups
    ]
    return {
        "ClusterArn": cluster.arn,
        "ClusterName": cluster.name,
        "ClusterStatus": cluster.status,
        "CreationTime": cluster.created,
        "FailureMessage": cluster.failure,
        "InstanceGroups": groups,
        "Orchestrator": {"Eks": {"ClusterArn": cluster.eks}} if cluster.eks else {"Slurm": {"SlurmConfigStrategy": "Managed"}},
        "NodeRecovery": cluster.recovery,
        "NodeProvisioningMode": "Continuous" if cluster.continuous else None,
    }


@operation("sagemaker", "ListClusterNodes", resource=_cluster_arn)
def _list_cluster_nodes(call: Call, params: Params) -> dict[str, Any]:
    cluster = _cluster(call, params, "ListClusterNodes")
    with_logical = params.get("IncludeNodeLogicalIds", False)
    wanted = str(params.get("InstanceGroupNameContains", ""))
    nodes = [n for n in cluster.nodes if wanted in n.group and (with_logical or n.instance_id is not None)]
    items, token = page(call, "sagemaker:ListClusterNodes", nodes, params.get("MaxResults", 100), params.get("NextToken"))
    return {"ClusterNodeSummaries": [_node(cluster, n, with_logical) for n in items], "NextToken": token}


def _node(cluster: HyperPodCluster, node: Node, with_logical: bool) -> dict[str, Any]:
    return {
        "InstanceGroupName": node.group,
        "InstanceId": node.instance_id or "",  # the model requires the member even where there is no instance yet
        "NodeLogicalId": node.logical_id if with_logical else None,
        "InstanceType": node.instance_type,
        "LaunchTime": cluster.created,
        "InstanceStatus": {"Status": node.status, "Message": node.message},
    }


@operation("sagemaker", "ListClusterEvents", resource=_cluster_arn)
def _list_cluster_events(call: Call, params: Params) -> dict[str, Any]:
    cluster = _cluster(call, params, "ListClusterEvents")
    if not cluster.continuous:
        raise error(Kind.INVALID, "json", "ListClusterEvents is only supported for clusters with NodeProvisioningMode Continuous")
    events = sorted(cluster.events, key=lambda event: event.minutes_ago, reverse=params.get("SortOrder") == "Ascending")
    items, token = page(call, "sagemaker:ListClusterEvents", events, params.get("MaxResults", 100), params.get("NextToken"))
    found = [
        {
            "EventId": e.id,
            "ClusterArn": cluster.arn,
            "ClusterName": cluster.name,
            "InstanceGroupName": e.group,
            "InstanceId": e.instance_id,
            "ResourceType": e.resource_type,
            "EventTime": moment(call.started) - timedelta(minutes=e.minutes_ago),
            "Description": e.description,
            "EventLevel": e.level,
        }
        for e in items
    ]
    return {"Events": found, "NextToken": token}
