"""States that Kueue makes only when it is set up for them: fair sharing, and what stands behind a feature gate in that version (conftest.py, tuned_cluster)."""

from __future__ import annotations

from typing import Any

from tests.testbed import tasks
from tests.testbed.hyperpod import P5_ALLOCATABLE, P5_NODE, is_true

from .cage import TUNED, WHOLE, Cage, case
from .zoo import stays

__all__ = ["TUNED"]  # filled by @case

ANYWHERE = {"kueue.x-k8s.io/podset-unconstrained-topology": "true"}


# -- fair sharing ---------------------------------------------------------------------------------------------------------------
@case("stopped by fair sharing", "waiting", "waits_to_borrow", stop="stop_preempted_fair", into=TUNED)
def _fair(cage: Cage) -> str:
    """Two nodes of a third team lie idle: it takes both, until another team wants one of them as well."""
    cage.cluster.team(f"idle-{cage.number}", 2, cohort=f"cohort-{cage.number}")
    other = cage.other(1)
    cage.job("own")
    cage.until("own", "Admitted")
    for name in ("borrower", "also"):
        cage.job(name)
        cage.until(name, "Admitted")
    for name in ("theirs", "more"):
        cage.hands.submit(tasks.job(other, name, 1, WHOLE))
        cage.settled(other, name)
    stopped = cage.cluster.until(
        lambda: [n for n in ("own", "borrower", "also") if is_true(cage.cluster.workload_of(cage.team.namespace, n), "Evicted")], "one of the three stopped"
    )
    return str(stopped[0])


# -- topologies -----------------------------------------------------------------------------------------------------------------
def _topology(cage: Cage, name: str) -> None:
    version = "v1alpha1" if cage.cluster.legacy else cage.cluster.api
    topology = {"apiVersion": f"kueue.x-k8s.io/{version}", "kind": "Topology", "metadata": {"name": name}}
    cage.cluster.create(f"/apis/kueue.x-k8s.io/{version}/topologies", {**topology, "spec": {"levels": [{"nodeLabel": "kubernetes.io/hostname"}]}})


def _on_topology(cage: Cage, topology: str) -> str:
    """The team's quota on a flavour of its own; returns the flavour, which is the nodes' instance type."""
    flavor = f"ml.own-{cage.number}"
    cage.cluster.flavor(flavor, topologyName=topology)
    resources = [{"name": n, "nominalQuota": f"{q}{u}"} for n, q, u in P5_NODE]
    cage.patch_queue({"resourceGroups": [{"coveredResources": [n for n, _, _ in P5_NODE], "flavors": [{"name": flavor, "resources": resources}]}]})
    return flavor


def _placed(cage: Cage, name: str) -> None:
    made = tasks.job(cage.team, name, 1, WHOLE)
    made["spec"]["template"] = {**made["spec"]["template"], "metadata": {"annotations": ANYWHERE}}
    cage.hands.submit(made)


@case("a Topology that does not exist", "waiting", "queue_topology_missing", into=TUNED)
def _no_topology(cage: Cage) -> str:
    _on_topology(cage, f"none-{cage.number}")
    _placed(cage, "nowhere")
    cage.workload("nowhere")
    return "nowhere"


@case("quota fits, and no node of the topology has room", "waiting", "waits_topology", into=TUNED)
def _no_room(cage: Cage) -> str:
    _topology(cage, f"topology-{cage.number}")
    flavor = _on_topology(cage, f"topology-{cage.number}")
    cage.cluster.node(f"small-{cage.number}", flavor, allocatable={**P5_ALLOCATABLE, "nvidia.com/gpu": "4"})
    _placed(cage, "cramped")
    cage.until("cramped", "QuotaReserved", "False")
    return "cramped"


@case(
    "its node failed, and there is no other",
    "waiting",
    "waits_topology",
    stop="stop_node_failure",
    only="0.19.2",
    elsewhere="its feature gate TASFailedNodeReplacement is off before 0.14",
    into=TUNED,
)
def _node_failed(cage: Cage) -> str:
    _topology(cage, f"topology-{cage.number}")
    flavor, node = _on_topology(cage, f"topology-{cage.number}"), f"fails-{cage.number}"
    cage.cluster.node(node, flavor)
    _placed(cage, "struck")
    cage.pods("struck")
    cage.cluster.delete(f"/api/v1/nodes/{node}")
    cage.until("struck", "Evicted")
    return "struck"


# -- several flavours at once -----------------------------------------------------------------------------------------------------
MIGRATION = "concurrent admission (gate ConcurrentAdmission) came with 0.18"


# a queue is made with it or without: it can't be changed later
EACH_FLAVOR = {"concurrentAdmissionPolicy": {"migration": {"mode": "TryPreferredFlavors"}}, "cohort": None}


def _two_flavors(cage: Cage) -> None:
    """The first is preferred; of each there is one node."""
    flavors: list[dict[str, Any]] = []
    for name in (f"ml.good-{cage.number}", f"ml.poor-{cage.number}"):
        cage.cluster.flavor(name)
        cage.cluster.node(f"{name}-0", name)
        flavors.append({"name": name, "resources": [{"name": n, "nominalQuota": f"{q}{u}"} for n, q, u in P5_NODE]})
    cage.patch_queue({"resourceGroups": [{"coveredResources": [n for n, _, _ in P5_NODE], "flavors": flavors}]})


def _flavors(cage: Cage, name: str) -> set[str]:
    admission = cage.workload(name).get("status", {}).get("admission") or {}
    return {flavor for part in admission.get("podSetAssignments", ()) for flavor in part["flavors"].values()}


@case("tried on several flavours at once, running", "running", "", only="0.19.2", elsewhere=MIGRATION, into=TUNED, **EACH_FLAVOR)
def _concurrent(cage: Cage) -> str:
    _two_flavors(cage)
    cage.job("either")
    cage.pods("either")
    return "either"


@case("stopped to move it to a better flavour", "stopping", "stop_other", stop="stop_other", only="0.19.2", elsewhere=MIGRATION, into=TUNED, **EACH_FLAVOR)
def _migrates(cage: Cage) -> str:
    _two_flavors(cage)
    cage.job("first", priority="urgent")  # Kueue would else stop it for the one that waits, while it ends
    cage.cluster.until(lambda: _flavors(cage, "first") == {f"ml.good-{cage.number}"}, "first on the better flavour")
    cage.pods("first")
    stays(cage, "moves")
    cage.cluster.until(lambda: _flavors(cage, "moves") == {f"ml.poor-{cage.number}"}, "moves on the other")
    cage.hands.end(cage.team.namespace, "first")
    cage.until("moves", "Evicted")
    return "moves"
