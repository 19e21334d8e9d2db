"""Every kind that the rig's Kueue made a Workload for, matched to its object and pods: one row each, under all rights (both versions)."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from hpgov_jlab.model.kinds import KINDS
from hpgov_jlab.model.kubernetes import Pod, build
from hpgov_jlab.model.kueue import PendingWorkload, Workload
from hpgov_jlab.model.task import Task, TaskState
from hpgov_jlab.scheduling.lines import places
from hpgov_jlab.scheduling.requests import object_demand, workload_demand
from hpgov_jlab.scheduling.states import Team, tasks_of, team_units

from .frames import DATA, VERSIONS, check_phrase, lifted, pod, queues_of, workload

READ = ("Job", "Deployment", "StatefulSet", "JobSet", "RayJob", "RayCluster", "PyTorchJob", "MPIJob")


@cache
def kinds(version: str) -> dict[str, dict[str, Any]]:
    return json.loads((DATA / f"kinds-{version}.json").read_text())


def team_in(version: str, frame: str, *, pods: bool = True, objects: bool = True) -> Team:
    found = kinds(version)[frame]
    lifts = [kind.lift(build(each, kind.shape), kind.versions[0]) for kind in KINDS if objects and kind.kind in READ for each in found[kind.kind]]
    return Team(
        found["namespace"],
        tuple(build(each, Workload) for each in found["workloads"]),
        tuple(lifts),
        frozenset({*READ, "Pod"}) if objects else frozenset(),
        tuple(build(each, Pod) for each in found["pods"]) if pods else None,
        queues_of(found),
    )


def rows(team: Team) -> dict[tuple[str, str], Task]:
    return {(task.kind, task.name.split("-")[0]): task for task in tasks_of(team, 0.0)}


# kind, name -> pods asked, GPUs asked
EVERY = {
    ("Job", "run"): (2, "4"),
    ("JobSet", "js"): (4, "4"),
    ("MPIJob", "mpi"): (3, "3"),
    ("Pod", "plain"): (1, "1"),
    ("PodGroup", "grp"): (2, "2"),
    ("PyTorchJob", "pt"): (4, "4"),
    ("RayCluster", "rc"): (3, "3"),
    ("RayJob", "rj"): (4, "3"),  # head, two workers, and the submitter, which asks for no GPU
    ("StatefulSet", "sts"): (2, "2"),
    ("Deployment", "dep/dep"): (1, "1"),  # one of two, each with a Workload of its own
    ("Space", "workspace"): (1, "1"),
}


@pytest.mark.parametrize("version", VERSIONS)
def test_each_kind_is_one_row_with_kueues_own_figures(version: str) -> None:
    found = rows(team_in(version, "kinds"))
    for key, (pods, gpus) in EVERY.items():
        task = found[key]
        assert (task.pods, task.requested[0].amount, task.scheduler) == (pods, gpus, "kueue"), key
        check_phrase(task.reason)
    assert found["RayJob", "rj"].requested[1].amount == "6.5"  # 500m of the submitter
    assert set(found) == {*EVERY, ("Pod", "half")}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("frame", ["kinds", "full"])
@pytest.mark.parametrize("pods", [True, False])
@pytest.mark.parametrize("objects", [True, False])
def test_one_row_per_task_under_all_rights(version: str, frame: str, pods: bool, objects: bool) -> None:
    team = team_in(version, frame, pods=pods, objects=objects)
    tasks = tasks_of(team, 0.0)
    assert len({task.uid for task in tasks}) == len(tasks)
    with_workload = [unit for unit in team_units(team) if unit.workload is not None]
    assert len(with_workload) == len(team.workloads or ())
    # nobody is called an orphan, or waiting for a Workload, only because something could not be read
    strange = [task.name for task in tasks if task.reason is not None and task.reason.code in ("owner_gone", "waits_no_workload")]
    assert strange == (["half-0"] if pods else [])
    for task in tasks:
        check_phrase(task.reason)


@pytest.mark.parametrize("version", VERSIONS)
def test_pods_go_to_their_tasks(version: str) -> None:
    team = team_in(version, "kinds")
    count = {unit.name.split("-")[0]: len(unit.pods or ()) for unit in team_units(team) if unit.workload is not None}
    assert {name: count[name] for name in ("run", "grp", "sts", "dep/dep", "plain", "workspace")} == {
        "run": 2,
        "grp": 2,
        "sts": 2,
        "dep/dep": 1,
        "plain": 1,
        "workspace": 1,
    }
    assert sum(len(unit.pods or ()) for unit in team_units(team)) == len(team.pods or ())


@pytest.mark.parametrize("version", VERSIONS)
def test_admitted_without_nodes(version: str) -> None:
    starting = [task for task in tasks_of(team_in(version, "full"), 0.0) if task.reason is not None and task.reason.code == "task_no_node_resources"]
    assert starting
    for task in starting:
        assert task.state is TaskState.STARTING and task.reason is not None
        assert (task.reason.params["resources"], task.reason.params["nodes"], task.reason.params["nodes_total"]) == ("nvidia.com/gpu", 2, 3)
        assert task.text is not None and task.text.startswith("0/3 nodes are available") and "reempt" not in task.text


def test_our_line_is_kueues_line() -> None:
    """The visibility API's own order, against the order computed from the Workloads."""
    team = team_in("0.19.2", "full")
    told = [build(each, PendingWorkload) for each in kinds("0.19.2")["full"]["visible"]]
    assert len(told) == 6
    visible, computed = places(team.workloads or (), 0.0, told), places(team.workloads or (), 0.0)
    assert {uid: place.place for uid, place in visible.items()} == {uid: place.place for uid, place in computed.items()}
    assert {place.source for place in visible.values()} == {"visibility"} and {place.source for place in computed.values()} == {"computed"}


@pytest.mark.parametrize("version", VERSIONS)
def test_objects_ask_what_kueue_counts(version: str) -> None:
    """What a task would ask for without its Workload: from the object's spec alone, against Kueue's own count of pods and units."""
    team = team_in(version, "kinds")
    compared = set()
    for unit in team_units(team):
        if unit.workload is not None and unit.object is not None and unit.kind != "Deployment":
            ours = object_demand(unit.object)
            assert ours is not None
            assert (ours.pods, ours.total()) == (workload_demand(unit.workload).pods, workload_demand(unit.workload).total()), unit.name
            compared.add(unit.kind)
    assert compared == {"Job", "JobSet", "MPIJob", "PyTorchJob", "RayCluster", "RayJob", "StatefulSet"}


def test_spares_are_requested() -> None:
    template = {"spec": {"containers": [{"name": "c", "resources": {"limits": {"nvidia.com/gpu": "8"}}}]}}
    value = {
        "metadata": {"name": "hp", "uid": "u"},
        "spec": {"replicaSpecs": [{"name": "pods", "replicas": 4, "spares": 2, "template": template}]},
        "status": {},
    }
    demand = object_demand(lifted("hyperpodpytorchjobs.sagemaker.amazonaws.com", "v1", value))
    assert demand is not None and (demand.pods, demand.total()) == (6, {"nvidia.com/gpu": 48})


def test_children_are_not_rows() -> None:
    """A RayJob's cluster and its submitter's Job, a JobSet's Jobs: one row, with their pods."""

    def owned(kind: str, name: str, owner: str, owner_uid: str) -> dict[str, Any]:
        return {
            "metadata": {"name": name, "uid": f"uid-{name}", "ownerReferences": [{"kind": owner, "name": owner, "uid": owner_uid, "controller": True}]},
            "spec": {},
            "status": {},
        }

    ray_job = lifted("rayjobs.ray.io", "v1", {"metadata": {"name": "rj", "uid": "uid-rj"}, "spec": {}, "status": {"rayClusterName": "rj-x"}})
    cluster = lifted("rayclusters.ray.io", "v1", owned("RayCluster", "rj-x", "RayJob", "uid-rj"))
    submitter = lifted("jobs.batch", "v1", owned("Job", "rj-sub", "RayJob", "uid-rj"))
    made = workload("rj", metadata={"ownerReferences": [{"kind": "RayJob", "name": "rj", "uid": "uid-rj", "controller": True}]})
    pods = (pod("head", owner=("RayCluster", "rj-x", "uid-rj-x")), pod("sub", owner=("Job", "rj-sub", "uid-rj-sub")))
    (unit,) = team_units(Team("team", (made,), (ray_job, cluster, submitter), frozenset({"RayJob", "RayCluster", "Job"}), pods))
    assert (unit.kind, unit.name, {each.metadata.name for each in unit.pods or ()}) == ("RayJob", "rj", {"head", "sub"})
    holds = [{"type": kind, "status": "True", "reason": kind} for kind in ("QuotaReserved", "Admitted")]
    admitted = workload("rj", conditions=holds, metadata={"ownerReferences": [{"kind": "RayJob", "name": "rj", "uid": "uid-rj", "controller": True}]})
    # the role may not list RayJobs: what belongs to one is still no task of its own, since its Workload names the owner
    for objects in ((cluster, submitter), (submitter,)):
        read = frozenset(each.kind for each in objects)
        (unit,) = team_units(Team("team", (made,), objects, read, pods))
        whole = cluster in objects  # without both, nothing says which cluster's pods are its
        assert (unit.kind, unit.name, unit.object, unit.pods_whole) == ("RayJob", "rj", None, whole)
        assert {each.metadata.name for each in unit.pods or ()} == ({"head", "sub"} if whole else {"sub"})
        (task,) = tasks_of(Team("team", (admitted,), objects, read, ()), 0.0)
        assert task.reason is not None and task.reason.code == ("starting_no_pods" if whole else "pods_not_whole")


def test_elastic_slices_are_one_row() -> None:
    owner = {"ownerReferences": [{"kind": "Job", "name": "j", "uid": "uid-j", "controller": True}]}
    old = workload("old", conditions=[{"type": "Finished", "status": "True", "reason": "WorkloadSliceReplaced"}], metadata=owner)
    new = workload("new", metadata={**owner, "creationTimestamp": "2026-11-30T09:00:00Z"})
    found = lifted("jobs.batch", "v1", {"metadata": {"name": "j", "uid": "uid-j"}, "spec": {}, "status": {}})
    (unit,) = team_units(Team("team", (old, new), (found,), frozenset({"Job"}), ()))
    assert unit.workload is new


def test_space_by_its_pod_alone() -> None:
    """A Space's Workload under rights that reach neither pods nor Workspaces: still known as a Space, by its pod's name."""
    made = workload("pod-workspace-ana-abc", metadata={"ownerReferences": [{"kind": "Pod", "name": "workspace-ana-5d9c-x2x", "uid": "p", "controller": True}]})
    (unit,) = team_units(Team("team", (made,)))
    assert (unit.kind, unit.is_space, unit.owner_gone) == ("Space", True, False)
    space = lifted("workspaces.workspace.jupyter.org", "v1alpha1", {"metadata": {"name": "ana", "uid": "uid-ana"}, "spec": {}, "status": {}})
    (unit,) = team_units(Team("team", (made,), (space,), frozenset({"Workspace"})))
    assert (unit.kind, unit.name, unit.uid, unit.is_space) == ("Space", "ana", "uid-ana", True)
