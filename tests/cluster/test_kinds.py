"""Every kind of task with its real Workload: what is asked for equals Kueue's own figures, and owner, state and ages are right (issue 4, point 4).

No operators run here: pods of kinds without a controller, and every status of theirs, are written by the test as documented (tests/testbed/hands.py).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from hpgov_jlab.model.quantity import to_amount, to_units
from hpgov_jlab.model.task import Task
from hpgov_jlab.policy import render_kubernetes
from tests.testbed import tasks
from tests.testbed.hands import Hands
from tests.testbed.hyperpod import HyperPod, Team, is_true
from tests.testbed.servers import PATIENCE
from tests.testbed.tasks import Manifest, template

from . import tables
from .product import Product

SMALL = template(1, "1500m", "24Gi")
MAKE: dict[str, Callable[[Team], Manifest]] = {
    "Job": lambda team: tasks.job(team, "one", 2, SMALL, by="zoe"),
    "JobSet": lambda team: tasks.job_set(team, "one", 2, 2, SMALL, by="zoe"),
    "PyTorchJob": lambda team: tasks.pytorch_job(team, "one", 3, SMALL, by="zoe"),
    "TFJob": lambda team: tasks.tf_job(team, "one", 2, SMALL, by="zoe"),
    "XGBoostJob": lambda team: tasks.xgboost_job(team, "one", 2, SMALL, by="zoe"),
    "MPIJob": lambda team: tasks.mpi_job(team, "one", 2, SMALL, by="zoe"),
    "RayJob": lambda team: tasks.ray_job(team, "one", 2, SMALL, by="zoe"),
    "RayCluster": lambda team: tasks.ray_cluster(team, "one", 2, SMALL, by="zoe"),
    "Deployment": lambda team: tasks.deployment(team, "one", 1, template(1, "1500m", "24Gi", labels={tasks.QUEUE: team.local_queue}), by="zoe"),
    "StatefulSet": lambda team: tasks.stateful_set(team, "one", 2, template(1, "1500m", "24Gi", labels={tasks.QUEUE: team.local_queue}), by="zoe"),
    "Pod": lambda team: tasks.pod(team, "one", SMALL, by="zoe"),
    "HyperPodPyTorchJob": lambda team: tasks.hyperpod_job(team, "one", 2, 1, SMALL, by="zoe"),
    "Workspace": lambda team: tasks.workspace(team, "one", by="zoe"),
    "InferenceEndpointConfig": lambda team: tasks.served_model("InferenceEndpointConfig", team, "one", 2),
    "JumpStartModel": lambda team: tasks.served_model("JumpStartModel", team, "one", 2),
}
SERVED = ("InferenceEndpointConfig", "JumpStartModel")
CONTROLLED = ("Job", "Deployment", "StatefulSet", "Pod")  # their controllers run here
ROWS: dict[tuple[str, str], list[str]] = {}


def kueue_figures(workload: Manifest) -> dict[str, str]:
    """What Kueue itself says that all pods ask for together, in canonical units: the assignment's usage once it has one."""
    admission = workload.get("status", {}).get("admission")
    parts = (
        [a["resourceUsage"] for a in admission["podSetAssignments"]] if admission else [r["resources"] for r in workload["status"].get("resourceRequests", [])]
    )
    units: dict[str, int] = {}
    for part in parts:
        for resource, amount in part.items():
            units[resource] = units.get(resource, 0) + to_units(resource, amount)
    return {resource: to_amount(resource, value) for resource, value in units.items()}


def submit(cluster: HyperPod, team: Team, kind: str) -> Manifest:
    hands = Hands(cluster)
    made = hands.submit(MAKE[kind](team))
    if kind == "HyperPodPyTorchJob":
        hands.workload(made, team.local_queue)
    if kind == "Workspace":
        hands.space_pod(team, made)
    return made


def workloads_once(cluster: HyperPod, team: Team, count: int = 1) -> list[Manifest]:
    def admitted() -> list[Manifest]:
        found = [w for w in cluster.workloads(team.namespace) if is_true(w, "Admitted")]
        return found if len(found) >= count else []

    found: list[Manifest] = cluster.until(admitted, "an admitted Workload")
    return found


@pytest.mark.parametrize("kind", [k for k in MAKE if k not in SERVED])
def test_kind(cluster: HyperPod, kind: str, side_by_side: Callable[..., Any]) -> None:
    ROWS[(kind, cluster.kueue_version or "")] = side_by_side(play)


def play(cluster: HyperPod, kind: str) -> list[str]:
    number = cluster.number()
    team = cluster.team(f"kind-{number}", 4, cohort=None)
    person = cluster.person(f"viewer-{number}")
    cluster.apply(*render_kubernetes.team([team.namespace], [team.queue], render_kubernetes.Subject("User", person.name)))
    before = time.time()
    made = submit(cluster, team, kind)
    workloads = workloads_once(cluster, team)
    hands = Hands(cluster)
    if kind not in (*CONTROLLED, "Workspace"):
        hands.expand(made)
    with Product.opened(cluster, person, team.namespace) as panel:
        task = settle(panel, "running")
        figures = kueue_figures(workloads[0])
        agrees(cluster, team, panel, figures)
    asked = {a.resource: a.amount for a in task.requested}
    covered = {resource: amount for resource, amount in asked.items() if resource in figures}
    assert covered == figures, f"asked {asked}, Kueue counts {figures}"
    assert task.kind == ("Space" if kind == "Workspace" else kind)
    assert task.submitter == "zoe" and task.submitter_claimed
    assert task.created_at is not None and -2 <= task.created_at - before <= PATIENCE
    assert task.started_at is not None and task.started_at >= task.created_at
    assert task.queue == team.local_queue
    return [
        str(task.pods),
        ", ".join(f"{r} {a}" for r, a in sorted(figures.items())),
        "its controllers" if kind in CONTROLLED else "the test",
    ]


def settle(panel: Product, state: str) -> Task:
    end = time.monotonic() + PATIENCE
    while True:
        found = panel.look_without_discovery().tasks
        if len(found) == 1 and found[0].state.value == state:
            return found[0]
        if time.monotonic() > end:
            raise AssertionError([(t.kind, t.name, t.state, t.reason) for t in found])
        time.sleep(0.3)


def agrees(cluster: HyperPod, team: Team, panel: Product, resources: Iterable[str]) -> None:
    """The Share tab's held is the queue's own count. Kueue may write that between the two looks; then both are looked at again."""
    end = time.monotonic() + PATIENCE
    while True:
        share = {row.resource: row.held for row in panel.look().share(team.queue).rows}
        if (shown := {r: share[r] for r in resources}) == (counted := held(cluster, team)):
            return
        assert time.monotonic() < end, f"shown {shown}, Kueue counts {counted}"
        time.sleep(0.3)


def held(cluster: HyperPod, team: Team) -> dict[str, str]:
    status = cluster.read(cluster.kueue_path("clusterqueues", "", team.queue))["status"]
    return {r["name"]: to_amount(r["name"], to_units(r["name"], r["total"])) for f in status["flavorsReservation"] for r in f["resources"]}


@pytest.mark.parametrize("kind", SERVED)
def test_a_served_model_is_a_task_for_each_of_its_pods(cluster: HyperPod, kind: str, side_by_side: Callable[..., Any]) -> None:
    """Kueue knows nothing of the model: its operator's Deployment is governed, one Workload for each pod."""
    ROWS[(kind, cluster.kueue_version or "")] = side_by_side(serve)


def serve(cluster: HyperPod, kind: str) -> list[str]:
    number = cluster.number()
    team = cluster.team(f"served-{number}", 4, cohort=None)
    person = cluster.person(f"viewer-{number}")
    cluster.apply(*render_kubernetes.team([team.namespace], [team.queue], render_kubernetes.Subject("User", person.name)))
    hands = Hands(cluster)
    made = submit(cluster, team, kind)
    server: dict[str, Any] = tasks.deployment(team, "one", 2, template(1, "1500m", "24Gi", labels={tasks.QUEUE: team.local_queue}))
    server["metadata"]["ownerReferences"] = [hands.owner(made)]
    hands.submit(server)
    workloads = workloads_once(cluster, team, 2)
    hands.status(made, {"state": "DeploymentComplete", "replicas": 2})
    with Product.opened(cluster, person, team.namespace) as panel:
        end = time.monotonic() + PATIENCE
        while [t.state.value for t in panel.look_without_discovery().tasks] != ["running", "running"]:
            assert time.monotonic() < end, [(t.kind, t.name, t.state, t.reason) for t in panel.look().tasks]
            time.sleep(0.3)
        seen = panel.look()
        figures = kueue_figures(workloads[0])
        agrees(cluster, team, panel, figures)
    assert {t.kind for t in seen.tasks} == {kind} and all(t.name.startswith("one/") for t in seen.tasks)
    assert [{a.resource: a.amount for a in t.requested if a.resource in figures} for t in seen.tasks] == [figures, figures]
    return ["1 in each of 2 tasks", ", ".join(f"{r} {a}" for r, a in sorted(figures.items())), "its controllers, of a Deployment that the test made"]


def test_table() -> None:
    if len(ROWS) < 2 * len(MAKE):
        pytest.skip("not every kind was run")
    rows = []
    for kind in MAKE:
        cells = {version: row for (seen, version), row in ROWS.items() if seen == kind}
        if len({tuple(row) for row in cells.values()}) == 1:
            rows.append([kind, "both", *next(iter(cells.values()))])
        else:
            rows += [[kind, version, *row] for version, row in cells.items()]
    text = "Each was submitted to a real Kueue; pods and amounts are Kueue's own and equal to what the product shows. No operators run in the testbed."
    tables.check("kinds.md", tables.markdown("Kinds of task", text, ("kind", "Kueue", "pods", "asked for", "pods made by"), rows))
