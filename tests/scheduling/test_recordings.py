"""Every frame of the sandbox's recordings (a real cluster with nodes and pods, both Kueue versions): the numbers are the ClusterQueue's, and hold together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from hpgov_jlab.model.kinds import KINDS
from hpgov_jlab.model.kubernetes import Event, Pod, build
from hpgov_jlab.model.kueue import ClusterQueue, Cohort, LocalQueue, PendingWorkload, ResourceFlavor, Workload
from hpgov_jlab.model.outcome import State
from hpgov_jlab.model.quantity import add, canonical, subtract
from hpgov_jlab.model.task import TaskState
from hpgov_jlab.sandbox.kubernetes.recording import FOLDER, Recording, load
from hpgov_jlab.scheduling.cohort import cohort_view
from hpgov_jlab.scheduling.detail import detail_of, event_moments, pod_page
from hpgov_jlab.scheduling.lines import places
from hpgov_jlab.scheduling.share import share_of
from hpgov_jlab.scheduling.states import Team, tasks_of, team_units
from hpgov_jlab.scheduling.waiting import Queues

from .frames import check_phrase

NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))
Objects = dict[str, dict[str, dict[str, Any]]]


def frames_of(recording: Recording) -> Iterator[tuple[float, Objects, dict[str, Any]]]:
    """(clock, group/plural -> key -> object, visibility) after each frame."""
    now: Objects = {}
    visible: dict[str, Any] = {}
    for frame in recording.frames:
        for kind, objects in frame.upserts.items():
            for each in objects:
                meta = each["metadata"]
                now.setdefault(kind, {})[f"{meta['namespace']}/{meta['name']}" if meta.get("namespace") else meta["name"]] = dict(each)
        for kind, keys in frame.deletes.items():
            for key in keys:
                now.get(kind, {}).pop(key, None)
        visible.update(frame.visibility)
        yield recording.recorded_at + frame.at, now, visible


def _all(now: Objects, group: str, plural: str, shape: Any, namespace: str | None = None) -> tuple[Any, ...]:
    kind = next((key for key in sorted(now, reverse=True) if key.split("/")[0] == group and key.split("/")[-1] == plural), None)
    found = now.get(kind or "", {}).values()
    return tuple(build(each, shape) for each in found if namespace is None or each["metadata"].get("namespace") == namespace)


def team_at(now: Objects, visible: dict[str, Any], namespace: str) -> Team:
    kueue = "kueue.x-k8s.io"
    objects, kinds = [], {"Pod"}
    for kind in KINDS:
        key = next((key for key in now if key.split("/")[0] == kind.group and key.split("/")[-1] == kind.plural), None)
        if key is not None:
            kinds.add(kind.kind)
            objects += [kind.lift(each, key.split("/")[1]) for each in _all(now, kind.group, kind.plural, kind.shape, namespace)]
    labels = next(each["metadata"].get("labels", {}) for each in now["core/v1/namespaces"].values() if each["metadata"]["name"] == namespace)
    local = {each.metadata.name: each for each in _all(now, kueue, "localqueues", LocalQueue, namespace)}
    named = {each.spec.cluster_queue for each in local.values()}
    told = [body for key, body in visible.items() if key.split("/")[1] == namespace and body is not None]
    return Team(
        namespace,
        _all(now, kueue, "workloads", Workload, namespace),
        tuple(objects),
        frozenset(kinds),
        _all(now, "core", "pods", Pod, namespace),
        Queues(
            {each.metadata.name: each for each in _all(now, kueue, "clusterqueues", ClusterQueue) if each.metadata.name in named},
            {},
            local,
            State.OK,
            {each.metadata.name: each for each in _all(now, kueue, "resourceflavors", ResourceFlavor)},
            labels,
        ),
        tuple(build(item, PendingWorkload) for body in told[-1:] for item in body.get("items") or ()) if told else None,
    )


def reservations_to_come(recording: Recording) -> list[dict[str, Any]]:
    """Per frame: what each ClusterQueue says is reserved when it next speaks; a name that is missing will not speak again."""
    coming: list[dict[str, Any]] = []
    later: dict[str, Any] = {}
    for frame in reversed(recording.frames):
        coming.append(dict(later))
        for kind, objects in frame.upserts.items():
            if kind.endswith("/clusterqueues"):
                later.update({each["metadata"]["name"]: each.get("status", {}).get("flavorsReservation") for each in objects})
    return coming[::-1]


def namespaces(now: Objects) -> list[str]:
    key = next((key for key in now if key.endswith("/localqueues")), None)
    return sorted({each["metadata"]["namespace"] for each in now[key].values()}) if key else []


@pytest.mark.parametrize("name", NAMES)
def test_invariants(name: str) -> None:
    seen: set[TaskState] = set()
    frames = 0
    exact = 0
    recording = load(name)
    for (clock, now, visible), coming in zip(frames_of(recording), reservations_to_come(recording), strict=True):
        frames += 1
        for namespace in namespaces(now):
            team = team_at(now, visible, namespace)
            seen |= _tasks(team, clock, now, namespace)
            for queue in team.queues.cluster_queues.values():
                exact += _share(queue, team, coming, now)
                _cohort(queue, now)
    assert frames > 0
    if name.startswith("story"):
        assert exact >= frames  # of two teams per frame at least half are settled
        assert {TaskState.RUNNING, TaskState.WAITING, TaskState.FINISHED} <= seen


def _tasks(team: Team, clock: float, now: Objects, namespace: str) -> set[TaskState]:
    tasks, units = tasks_of(team, clock), team_units(team)
    assert len({task.uid for task in tasks}) == len(tasks)
    foreign = {other for other in namespaces(now) if other != namespace}
    events = _all(now, "core", "events", Event, namespace)
    for task, unit in zip(tasks, units, strict=True):
        for phrase in (task.reason, task.next_step, task.last_stop.cause if task.last_stop else None):
            check_phrase(phrase)
        detail = detail_of(task, unit)
        for moment in (*detail.history, *detail.conditions, *event_moments(events, unit)):
            check_phrase(moment.what)
        for fact in pod_page(unit)[0] or ():
            check_phrase(fact.reason)
        assert all(command.startswith("kubectl logs --namespace=") for command in detail.logs_commands)
        text = repr((task, detail, pod_page(unit)))
        assert not [other for other in foreign if other in text]
        assert not re.search(r"[Pp]reempt(ed to|or|ee)|UID", text)
    # every Workload of Kueue is in exactly one row, but finished ones that a newer life of the same object replaced
    shown = [unit.workload.metadata.name for unit in units if unit.workload is not None]
    assert len(shown) == len(set(shown))
    assert {each.metadata.name for each in team.workloads or () if not each.holds("Finished")} <= set(shown)
    if team.positions is not None:
        told, computed = places(team.workloads or (), clock, team.positions), places(team.workloads or (), clock)
        assert {uid: place.place for uid, place in told.items()} == {uid: computed[uid].place for uid in told}
    return {task.state for task in tasks}


def _share(queue: ClusterQueue, team: Team, coming: dict[str, Any], now: Objects) -> bool:
    """Rows are the status' own numbers. True when the tasks add up to them; else the status must be about to say something else: it lags by a moment."""
    share = share_of(queue, [team])
    held = {(flavor.name, each.name): canonical(each.name, each.total) for flavor in queue.status.flavors_reservation for each in flavor.resources}
    assert {(row.flavor, row.resource): row.held for row in share.rows} == held
    exact = True
    for row in share.rows:
        assert row.unclaimed == ("0" if subtract(row.nominal, row.held).startswith("-") else subtract(row.nominal, row.held))
        exact = exact and row.not_attributed == "0" and add("0", *(holder.amount for holder in row.holders)) == row.held
        since = [holder.since or 0.0 for holder in row.holders]
        assert since == sorted(since)
    if not exact:
        raw = next(
            each
            for kind, objects in now.items()
            if kind.endswith("/clusterqueues")
            for each in objects.values()
            if each["metadata"]["name"] == queue.metadata.name
        )
        assert coming.get(queue.metadata.name) not in (None, raw["status"]["flavorsReservation"])
        assert share.notes  # and the person is told
    for note in share.notes:
        check_phrase(note)
    return exact


def _cohort(queue: ClusterQueue, now: Objects) -> None:
    queues = _all(now, "kueue.x-k8s.io", "clusterqueues", ClusterQueue)
    view = cohort_view(queue.metadata.name, queues, _all(now, "kueue.x-k8s.io", "cohorts", Cohort))
    assert view.problem is None
    members = [each for each in queues if each.spec.cohort_name == queue.spec.cohort_name]
    for found in view.sums:
        totals = [
            each.total
            for member in members
            for flavor in member.status.flavors_reservation
            if flavor.name == found.flavor
            for each in flavor.resources
            if each.name == found.resource
        ]
        if found.cohort == queue.spec.cohort_name and found.queues == len(members):
            assert found.held == add("0", *(canonical(found.resource, total) for total in totals))
    others = {each.metadata.name for each in queues} - {queue.metadata.name}
    assert not [other for other in others if other in repr(view.sums)]
