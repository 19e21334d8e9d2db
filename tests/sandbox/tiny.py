"""A recording made by hand: two teams, one queue each, three frames. Enough to see every rule of the far end; the committed ones come from a real cluster."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from hpgov_jlab.sandbox.kubernetes.rbac import User

RECORDED_AT = 1_700_000_000.0
KUEUE = "kueue.x-k8s.io/v1beta2"
RBAC = "rbac.authorization.k8s.io/v1"
ALICE, BOB, ADMIN = User("alice", ("team-a",), uid="3"), User("bob", ("team-b",)), User("admin", ("system:masters",))
PEOPLE = {"alice-token": ALICE, "bob-token": BOB, "admin-token": ADMIN, "nobody-token": User("nobody"), "eve-token": User("eve", ("eks:eve",))}


def when(seconds: float) -> str:
    return datetime.fromtimestamp(RECORDED_AT + seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def uid(n: int) -> str:
    return f"00000000-0000-4000-8000-{n:012d}"


def thing(api: str, kind: str, name: str, ns: str | None, rv: int, made: float, **rest: Any) -> dict[str, Any]:
    metadata = {"name": name, **({"namespace": ns} if ns else {}), "uid": uid(rv), "resourceVersion": str(rv), "creationTimestamp": when(made)}
    metadata |= rest.pop("metadata", {})
    return {"apiVersion": api, "kind": kind, "metadata": metadata, **rest}


def workload(name: str, ns: str, rv: int, made: float, *conditions: tuple[str, str, float], **labels: str) -> dict[str, Any]:
    status = {"conditions": [{"type": t, "status": s, "lastTransitionTime": when(at)} for t, s, at in conditions]}
    owner = [{"apiVersion": "batch/v1", "kind": "Job", "name": name, "uid": uid(900 + int(name[-1]))}]
    return thing(KUEUE, "Workload", name, ns, rv, made, metadata={"uid": uid(600 + int(name[-1])), "labels": labels, "ownerReferences": owner}, status=status)


def resource(name: str, kind: str, *, namespaced: bool = True, verbs: tuple[str, ...] = ("get", "list", "watch", "create")) -> dict[str, Any]:
    return {"name": name, "singularName": name[:-1], "namespaced": namespaced, "kind": kind, "verbs": list(verbs)}


def group(name: str, *versions: str) -> dict[str, Any]:
    served = [{"groupVersion": f"{name}/{v}", "version": v} for v in versions]
    return {"name": name, "versions": served, "preferredVersion": served[0]}


def role(ns: str) -> dict[str, list[dict[str, Any]]]:
    """The official team role in small (facts/hyperpod.md 2.8): own ClusterQueue by name, workloads and pods of the namespace, no LocalQueue."""
    team = ns[-1]
    to = [{"kind": "Group", "apiGroup": "rbac.authorization.k8s.io", "name": f"team-{team}"}]
    rules = [
        {"apiGroups": ["kueue.x-k8s.io"], "resources": ["workloads"], "verbs": ["get", "list", "patch"]},
        {"apiGroups": [""], "resources": ["pods", "pods/log"], "verbs": ["get", "list"]},
        {"apiGroups": ["batch"], "resources": ["jobs"], "verbs": ["get", "list", "create"]},
        {"apiGroups": ["gone.example.com"], "resources": ["*"], "verbs": ["get", "list"]},
    ]
    cluster_rules = [
        {"apiGroups": [""], "resources": ["namespaces"], "verbs": ["get", "list"]},
        {"apiGroups": ["kueue.x-k8s.io"], "resources": ["clusterqueues"], "verbs": ["get", "list"], "resourceNames": [f"{ns}-clusterqueue"]},
    ]
    ref = {"apiGroup": "rbac.authorization.k8s.io"}
    return {
        f"{RBAC}/roles": [thing(RBAC, "Role", "team", ns, 1, -900, rules=rules)],
        f"{RBAC}/rolebindings": [thing(RBAC, "RoleBinding", "team", ns, 2, -900, roleRef={**ref, "kind": "Role", "name": "team"}, subjects=to)],
        f"{RBAC}/clusterroles": [thing(RBAC, "ClusterRole", f"{ns}-cluster", None, 3, -900, rules=cluster_rules)],
        f"{RBAC}/clusterrolebindings": [
            thing(RBAC, "ClusterRoleBinding", f"{ns}-cluster", None, 4, -900, roleRef={**ref, "kind": "ClusterRole", "name": f"{ns}-cluster"}, subjects=to)
        ],
    }


def raw() -> dict[str, Any]:
    upserts: dict[str, list[dict[str, Any]]] = {}
    for ns in ("ns-a", "ns-b"):
        for kind, objects in role(ns).items():
            upserts.setdefault(kind, []).extend(objects)
    lost = {"kind": "ClusterRole", "name": "lost", "apiGroup": "rbac.authorization.k8s.io"}
    bob = [{"kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": "bob"}]
    upserts[f"{RBAC}/rolebindings"].append(thing(RBAC, "RoleBinding", "broken", "ns-a", 5, -900, roleRef=lost, subjects=bob))
    upserts |= {
        "core/v1/namespaces": [thing("v1", "Namespace", n, None, 6 + i, -2 * 86400) for i, n in enumerate(("ns-a", "ns-b"))],
        "core/v1/pods": [thing("v1", "Pod", f"p{i}", "ns-a", 10 + i, -60, status={"phase": "Running" if i else "Pending"}) for i in range(3)],
        f"{KUEUE}/clusterqueues": [thing(KUEUE, "ClusterQueue", f"{n}-clusterqueue", None, 20 + i, -900) for i, n in enumerate(("ns-a", "ns-b"))],
        f"{KUEUE}/localqueues": [thing(KUEUE, "LocalQueue", "lq", "ns-a", 22, -900)],
        f"{KUEUE}/workloads": [workload(f"w{i}", "ns-a", 30 + i, -300, ("QuotaReserved", "False", -290), i=str(i % 2)) for i in range(5)]
        + [workload("x0", "ns-b", 40, -300)],
    }
    waiting = [{"metadata": {"name": f"w{i}", "namespace": "ns-a", "creationTimestamp": when(-300)}, "positionInLocalQueue": i} for i in range(3)]
    positions = {"kind": "PendingWorkloadsSummary", "apiVersion": "visibility.kueue.x-k8s.io/v1beta2", "metadata": {}, "items": waiting}
    discovery = {
        "/api": {"kind": "APIVersions", "versions": ["v1"]},
        "/api/v1": {
            "kind": "APIResourceList",
            "groupVersion": "v1",
            "resources": [resource("namespaces", "Namespace", namespaced=False), resource("pods", "Pod"), resource("pods/log", "Pod", verbs=("get",)),
                          resource("secrets", "Secret")],
        },
        "/apis": {"kind": "APIGroupList", "apiVersion": "v1", "groups": [group("batch", "v1"), group("kueue.x-k8s.io", "v1beta2", "v1beta1"),
                                                                        group("visibility.kueue.x-k8s.io", "v1beta2"),
                                                                        group("rbac.authorization.k8s.io", "v1")]},
        "/apis/batch/v1": {"kind": "APIResourceList", "groupVersion": "batch/v1", "resources": [resource("jobs", "Job")]},
        "/apis/kueue.x-k8s.io/v1beta2": {
            "kind": "APIResourceList",
            "groupVersion": KUEUE,
            "resources": [resource("workloads", "Workload"), resource("workloads/status", "Workload", verbs=("get",)), resource("localqueues", "LocalQueue"),
                          resource("clusterqueues", "ClusterQueue", namespaced=False), resource("cohorts", "Cohort", namespaced=False)],
        },
        "/apis/kueue.x-k8s.io/v1beta1": {"kind": "APIResourceList", "groupVersion": "kueue.x-k8s.io/v1beta1", "resources": [resource("workloads", "Workload")]},
        "/apis/visibility.kueue.x-k8s.io/v1beta2": {
            "kind": "APIResourceList",
            "groupVersion": "visibility.kueue.x-k8s.io/v1beta2",
            "resources": [resource("localqueues/pendingworkloads", "PendingWorkloadsSummary", verbs=("get",))],
        },
        "/apis/rbac.authorization.k8s.io/v1": {
            "kind": "APIResourceList",
            "groupVersion": RBAC,
            "resources": [resource("roles", "Role"), resource("rolebindings", "RoleBinding"), resource("clusterroles", "ClusterRole", namespaced=False),
                          resource("clusterrolebindings", "ClusterRoleBinding", namespaced=False)],
        },
        "/version": {"major": "1", "minor": "36", "gitVersion": "v1.36.3"},
    }  # fmt: skip
    return {
        "format": 1,
        "name": "tiny",
        "kueue": "0.19.2",
        "kubernetes": "v1.36.3",
        "recorded_at": RECORDED_AT,
        "length": 60,
        "discovery": discovery,
        "frames": [
            {"at": 0, "say": "w0 to w4 wait", "upserts": upserts, "visibility": {"v1beta2/ns-a/lq": positions}},
            {"at": 20, "say": "w0 is admitted", "upserts": {f"{KUEUE}/workloads": [workload("w0", "ns-a", 50, -300, ("QuotaReserved", "True", 20), i="0")]}},
            {"at": 40, "say": "w4 is deleted", "deletes": {f"{KUEUE}/workloads": ["ns-a/w4"]}, "visibility": {"v1beta2/ns-a/lq": None}},
        ],
    }
