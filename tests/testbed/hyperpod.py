"""A cluster laid out as HyperPod task governance lays one out: names, labels, queues, roles (facts: hyperpod page 2.2, 2.6, 2.8)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from hpgov_jlab.model import naming

from . import roles
from .rig import Refused, Rig
from .servers import PATIENCE
from .webhooks import Person


def priority_class_of(name: str) -> str:
    """The WorkloadPriorityClass of a priority class in the cluster's task governance: HyperPod appends `-priority`."""
    return f"{name}-priority"


RBAC = "/apis/rbac.authorization.k8s.io/v1"
P5 = "ml.p5.48xlarge"
# what one instance counts for in a quota: (resource, amount, suffix)
P5_NODE: tuple[tuple[str, int, str], ...] = (("cpu", 192, ""), ("memory", 2048, "Gi"), ("nvidia.com/gpu", 8, ""))
# what it really has left for pods: less than the quota counts, which is why quota can fit and a pod still find no node
P5_ALLOCATABLE = {"cpu": "188", "memory": "1990Gi", "nvidia.com/gpu": "8", "pods": "110", "vpc.amazonaws.com/efa": "32"}


@dataclass(frozen=True)
class Team:
    name: str
    namespace: str
    queue: str  # ClusterQueue
    local_queue: str

    @property
    def group(self) -> str:
        return f"{self.namespace}-namespace-level-group"

    @property
    def groups(self) -> tuple[str, str]:
        return self.group, f"{self.namespace}-cluster-level-group"


class HyperPod(Rig):
    """A Rig with the objects of HyperPod. Every method makes real objects as the administrator."""

    # -- Kueue's objects -----------------------------------------------------------------------------------------------------------------------------------
    def kueue_path(self, plural: str, namespace: str = "", name: str = "") -> str:
        return f"/apis/kueue.x-k8s.io/{self.api}{f'/namespaces/{namespace}' if namespace else ''}/{plural}{f'/{name}' if name else ''}"

    def kueue(self, plural: str, kind: str, metadata: dict[str, Any], spec: dict[str, Any]) -> dict[str, Any]:
        return self.create(
            self.kueue_path(plural, metadata.get("namespace", "")),
            {"apiVersion": f"kueue.x-k8s.io/{self.api}", "kind": kind, "metadata": metadata, "spec": spec},
        )

    def flavor(self, name: str = P5, **spec: Any) -> None:
        self.kueue("resourceflavors", "ResourceFlavor", {"name": name}, {"nodeLabels": {"node.kubernetes.io/instance-type": name}, **spec})

    def priority(self, name: str, value: int) -> str:
        """Returns the whole name, as HyperPod makes it."""
        self.create(
            self.kueue_path("workloadpriorityclasses"),
            {"apiVersion": f"kueue.x-k8s.io/{self.api}", "kind": "WorkloadPriorityClass", "metadata": {"name": priority_class_of(name)}, "value": value},
        )
        return priority_class_of(name)

    def cohort(self, name: str, parent: str | None = None, **spec: Any) -> None:
        key = {"0.12": "v1alpha1"}.get((self.kueue_version or "")[:4], self.api)
        named = {} if parent is None else {"parent" if key == "v1alpha1" else "parentName": parent}
        self.create(
            f"/apis/kueue.x-k8s.io/{key}/cohorts",
            {"apiVersion": f"kueue.x-k8s.io/{key}", "kind": "Cohort", "metadata": {"name": name}, "spec": {**named, **spec}},
        )

    def node(self, name: str, instance_type: str = P5, allocatable: dict[str, str] | None = None) -> None:
        have = allocatable or P5_ALLOCATABLE
        self.create(
            "/api/v1/nodes",
            {
                "metadata": {
                    "name": name,
                    "annotations": {"kwok.x-k8s.io/node": "fake"},
                    "labels": {
                        "node.kubernetes.io/instance-type": instance_type,
                        "sagemaker.amazonaws.com/node-health-status": "Schedulable",
                        "kubernetes.io/hostname": name,
                    },
                },
                "status": {"capacity": have, "allocatable": have},
            },
        )

    # -- teams -----------------------------------------------------------------------------------------------------------------------------------------------
    def team(
        self,
        name: str,
        nodes: int,
        borrow: int | None = None,
        *,
        lend: int | None = None,
        cohort: str | None = "shared-pool",
        flavor: str = P5,
        per_node: Sequence[tuple[str, int, str]] = P5_NODE,
        resource_groups: list[dict[str, Any]] | None = None,
        official_role: bool = True,
        labels: dict[str, str] | None = None,
        **spec: Any,
    ) -> Team:
        """`nodes` whole instances of quota, `borrow` and `lend` in instances (None: no limit of its own). `spec` is merged into the ClusterQueue's."""
        ns = f"{naming.PREFIX}{name}"
        team = Team(name, ns, naming.cluster_queue_of(ns), naming.local_queue_of(ns))
        self.namespace(
            ns,
            {
                "sagemaker.amazonaws.com/sagemaker-managed-queue": "true",
                "sagemaker.amazonaws.com/quota-allocation-id": name,
                "sagemaker.amazonaws.com/activate-quota": "Enabled",
                **(labels or {}),
            },
        )
        quotas = [
            {
                "name": n,
                "nominalQuota": f"{q * nodes}{u}",
                **({} if borrow is None else {"borrowingLimit": f"{q * borrow}{u}"}),
                **({} if lend is None else {"lendingLimit": f"{q * lend}{u}"}),
            }
            for n, q, u in per_node
        ]
        groups = resource_groups or [{"coveredResources": [n for n, _, _ in per_node], "flavors": [{"name": flavor, "resources": quotas}]}]
        self.kueue(
            "clusterqueues",
            "ClusterQueue",
            {"name": team.queue},
            {
                **({} if cohort is None else {"cohort" if self.legacy else "cohortName": cohort}),
                "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": ns}},
                "preemption": {"reclaimWithinCohort": "Any", "withinClusterQueue": "LowerPriority"},
                "resourceGroups": groups,
                **spec,
            },
        )
        self.kueue("localqueues", "LocalQueue", {"name": team.local_queue, "namespace": ns}, {"clusterQueue": team.queue})
        if official_role:
            self.grant(f"{ns}-namespace-role", roles.official_namespaced(), *team.groups, namespace=ns)
            self.grant(f"{ns}-cluster-role", roles.official_cluster(team.queue), *team.groups)
        return team

    def namespace(self, name: str, labels: dict[str, str] | None = None) -> str:
        self.create("/api/v1/namespaces", {"metadata": {"name": name, "labels": labels or {}}})
        return name

    def annotate(self, namespace: str, annotations: dict[str, str]) -> None:
        """As `kubectl annotate namespace` does: the field manager says so."""
        change = {"metadata": {"annotations": annotations}}
        at, kind = f"/api/v1/namespaces/{namespace}", "application/merge-patch+json"
        self._ok(self.request("PATCH", at, change, content_type=kind, params={"fieldManager": "kubectl-annotate"}), f"PATCH {at}")

    def grant(self, name: str, rules: roles.Rules, *subjects: str | Person, namespace: str | None = None) -> None:
        """A Role (with `namespace`) or ClusterRole and its binding to groups (str) or people."""
        where, kind = (f"/namespaces/{namespace}/", "") if namespace else ("/", "cluster")
        meta: dict[str, Any] = {"name": name, **({"namespace": namespace} if namespace else {})}
        self.create(f"{RBAC}{where}{kind}roles", {"metadata": meta, "rules": rules})
        api = "rbac.authorization.k8s.io"
        to = [{"kind": "Group", "apiGroup": api, "name": s} if isinstance(s, str) else {"kind": "User", "apiGroup": api, "name": s.name} for s in subjects]
        self.create(
            f"{RBAC}{where}{kind}rolebindings",
            {"metadata": meta, "roleRef": {"kind": f"{kind.capitalize()}Role", "name": name, "apiGroup": api}, "subjects": to},
        )

    def apply(self, *documents: dict[str, Any]) -> None:
        """Creates RBAC documents as `kubectl apply` would; what exists already is replaced."""
        for document in documents:
            meta = document["metadata"]
            at = f"{RBAC}{'/namespaces/' + meta['namespace'] if 'namespace' in meta else ''}/{document['kind'].lower()}s"
            try:
                self.replace(f"{at}/{meta['name']}", document)
            except Refused as refused:
                if refused.status != 404:
                    raise
                self.create(at, document)

    def revoke(self, name: str, *, namespace: str | None = None) -> None:
        where, kind = (f"/namespaces/{namespace}/", "") if namespace else ("/", "cluster")
        self.delete(f"{RBAC}{where}{kind}rolebindings/{name}")
        self.delete(f"{RBAC}{where}{kind}roles/{name}")

    def member(self, team: Team, name: str, **token: float) -> Person:
        """A person with the official team role."""
        return self.person(name, *team.groups, **token)

    # -- what happened ---------------------------------------------------------------------------------------------------------------------------------------
    def workloads(self, namespace: str) -> list[dict[str, Any]]:
        return self.items(self.kueue_path("workloads", namespace))

    def workload_of(self, namespace: str, owner: str) -> dict[str, Any] | None:
        """The Workload whose owner has this name; the newest, if several were made."""
        found = [w for w in self.workloads(namespace) if any(o["name"] == owner for o in w["metadata"].get("ownerReferences", []))]
        return max(found, key=lambda w: str(w["metadata"]["creationTimestamp"]), default=None)

    def until(self, ready: Callable[[], Any], what: str, seconds: float = PATIENCE) -> Any:
        """Waits for a true value and returns it. Raises TimeoutError that names `what`."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if value := ready():
                return value
            time.sleep(0.1)
        raise TimeoutError(f"not within {seconds:g} s: {what}")


def condition(obj: dict[str, Any] | None, kind: str) -> dict[str, Any]:
    """The condition of that type, or an empty one."""
    found: dict[str, Any] = next((c for c in (obj or {}).get("status", {}).get("conditions") or [] if c["type"] == kind), {})
    return found


def is_true(obj: dict[str, Any] | None, kind: str) -> bool:
    return condition(obj, kind).get("status") == "True"
