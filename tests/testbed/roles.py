"""Who may read what: the rights that HyperPod's own chart gives a team, and the variants that a platform team might give instead.

Source of the official rules: facts, hyperpod page 2.8 (the chart team-role-and-bindings of sagemaker-hyperpod-cli); nodes and definitions in a namespaced Role
have no effect and are kept because the chart has them.
"""

from __future__ import annotations

from typing import Any

Rules = list[dict[str, Any]]
READ = ["get", "list", "watch"]
LOOK = ["get", "list"]
KUEUE = "kueue.x-k8s.io"


def rule(groups: str | list[str], resources: str, verbs: list[str], names: list[str] | None = None) -> dict[str, Any]:
    made: dict[str, Any] = {"apiGroups": [groups] if isinstance(groups, str) else groups, "resources": resources.split(), "verbs": verbs}
    return made if names is None else {**made, "resourceNames": names}


def official_namespaced() -> Rules:
    return [
        rule("", "namespaces", ["get"]),
        rule("batch", "jobs", [*READ, "create", "update", "patch", "delete"]),
        rule("", "pods", [*READ, "create"]),
        rule("", "nodes nodes/status pods/status", READ),
        rule("", "pods/log", LOOK),
        rule("kubeflow.org", "pytorchjobs pytorchjobs/status", [*READ, "create", "delete", "update"]),
        rule("", "serviceaccounts", LOOK),
        rule("", "configmaps", ["create", "update", "get", "delete"]),
        rule("", "secrets", [*LOOK, "create", "delete"]),
        rule("apiextensions.k8s.io", "customresourcedefinitions", LOOK),
        rule(KUEUE, "workloads workloads/status", [*READ, "patch"]),
    ]


def official_cluster(queue: str) -> Rules:
    return [rule("", "namespaces", LOOK), rule(KUEUE, "clusterqueues", READ, [queue]), rule(KUEUE, "resourceflavors workloadpriorityclasses", READ)]


def local_queues_and_positions() -> Rules:
    """What the official role lacks most: the LocalQueue, and the place in line."""
    return [rule(KUEUE, "localqueues", READ), rule("visibility.kueue.x-k8s.io", "localqueues/pendingworkloads", ["get", "list"])]


def namespace_viewer() -> Rules:
    return [rule("", "pods pods/log events configmaps", READ), rule("batch", "jobs", READ), rule("apps", "deployments statefulsets", READ)]


def cluster_reader() -> Rules:
    return [rule("*", "*", READ)]
