"""The task page: why did it die, what happened last night (DESIGN.md 7). Times are the upstream's; every line is in our words.

What Kueue forgets can't be shown: it keeps the time of the last eviction only, and counts by reason for the earlier ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..model.kubernetes import ContainerStatus, Event, Pod, Terminated, epoch
from ..model.kueue import Workload
from ..model.outcome import Phrase
from ..model.task import Moment, MorePods, PodFact, Task, TaskDetail
from .commands import logs_commands
from .matching import Unit
from .pods import container_end, in_order, more_pods, pod_facts, scheduler_text
from .requests import Demand, pod_set_facts
from .states import demand_of
from .stops import all_stops

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]{0,79}")
MAX_MOMENTS = 200
MOST_PODS = 200
"""As many as rows of a page (DESIGN.md 11): 5,000 of them are 1.5 MB at every poll."""


def detail_of(task: Task, unit: Unit) -> TaskDetail:
    """Everything of one task but its pods and events, which are parts of their own (`pod_page`, `event_moments`)."""
    workload, demand = unit.workload, demand_of(unit) or Demand((), "computed")
    ordered = in_order(unit.pods or ())
    return TaskDetail(
        task=task,
        history=history(task, unit),
        stops=all_stops(workload) if workload is not None else (),
        conditions=conditions(workload) if workload is not None else (),
        pod_sets=pod_set_facts(demand),
        logs_commands=logs_commands(task.scope, pod_facts(ordered), kind=unit.kind, name=unit.name, pods_readable=unit.pods is not None),
    )


def pod_page(unit: Unit, *, whole: bool = True) -> tuple[tuple[PodFact, ...] | None, MorePods | None]:
    """The pods of the task, those in trouble first, and sums over those beyond MOST_PODS; (None, None) when pods were not readable.

    `whole` False: the list of pods lacks some, so there may be more.
    """
    if unit.pods is None:
        return None, None
    ordered = in_order(unit.pods)
    return tuple(pod_facts(ordered[:MOST_PODS])), more_pods(ordered[MOST_PODS:], at_least=not whole)


def history(task: Task, unit: Unit) -> tuple[Moment, ...]:
    """What happened, oldest first; lines without a time last."""
    moments: list[Moment] = [Moment(task.created_at, Phrase("moment_created"))] if task.created_at is not None else []
    if unit.workload is not None:
        moments += _of_workload(unit.workload)
    if unit.object is not None and unit.object.started_at is not None:
        moments.append(Moment(unit.object.started_at, Phrase("moment_started")))
    for pod in unit.pods or ():
        moments += _of_pod(pod)
    if task.finished_at is not None or task.ended is not None:
        code = {"well": "moment_finished_well", "badly": "moment_finished_badly"}.get(task.ended or "", "moment_finished")
        moments.append(Moment(task.finished_at, Phrase(code)))
    return _in_order(moments)


def _of_workload(workload: Workload) -> list[Moment]:
    """The last eviction with its cause, and the steps that still hold. Earlier evictions have no time any more: they stand in `stops`."""
    moments = [Moment(stop.at, stop.cause) for stop in all_stops(workload) if stop.at is not None]
    for kind, code in (("QuotaReserved", "moment_quota_reserved"), ("Admitted", "moment_admitted"), ("PodsReady", "moment_ready")):
        found = workload.condition(kind)
        if found is not None and found.true and found.at is not None:
            moments.append(Moment(found.at, Phrase(code)))
    requeued = workload.condition("Requeued")
    if requeued is not None and requeued.true and requeued.at is not None:
        moments.append(Moment(requeued.at, Phrase("moment_requeued")))
    if workload.requeue_at is not None and not workload.holds("QuotaReserved"):
        moments.append(Moment(workload.requeue_at, Phrase("moment_requeue_at")))
    return moments


def _of_pod(pod: Pod) -> list[Moment]:
    """How containers ended, this run and the one before."""
    moments = []
    for status in (*pod.status.init_container_statuses, *pod.status.container_statuses):
        for how in _ends(status):
            died = container_end(status.name, how, status.restart_count)
            if died is not None and how.finished_at is not None:
                moments.append(Moment(epoch(how.finished_at), Phrase(died.code, {**died.params, "pod": pod.metadata.name})))
    return moments


def _ends(status: ContainerStatus) -> list[Terminated]:
    return [each.terminated for each in (status.last_state, status.state) if each is not None and each.terminated is not None]


_STATUS = {"True": "condition_true", "False": "condition_false"}


def conditions(workload: Workload) -> tuple[Moment, ...]:
    """Kueue's conditions by their codes alone: type and reason, oldest first. Old True entries stand beside newer ones, as Kueue keeps them."""
    found = []
    for each in workload.status.conditions:
        if _WORD.fullmatch(each.type):
            why = each.reason if _WORD.fullmatch(each.reason) else None
            found.append(Moment(each.at, Phrase(_STATUS.get(each.status, "condition_unknown"), {"condition": each.type, "why": why}), each.message))
    return _in_order(found)


def event_moments(events: Iterable[Event], unit: Unit) -> tuple[Moment, ...]:
    """Events of the task's own objects and pods, newest last: by their reasons; the scheduler's text after the cut."""
    mine = {pod.metadata.uid for pod in unit.pods or ()} | {unit.uid}
    if unit.object is not None:
        mine.add(unit.object.metadata.uid)
    if unit.workload is not None:
        mine.add(unit.workload.metadata.uid)
    found = []
    for event in events:
        if event.involved_object.uid in mine and _WORD.fullmatch(event.reason):
            params: dict[str, str | int | float | None] = {"event": event.reason, "count": event.times, "object": event.involved_object.name}
            found.append(Moment(event.at, Phrase("moment_event", params), scheduler_text(event.message)))
    return _in_order(found)


def _in_order(moments: list[Moment]) -> tuple[Moment, ...]:
    """Oldest first, the newest MAX_MOMENTS of them."""
    moments.sort(key=lambda moment: (moment.at is None, moment.at or 0.0))
    return tuple(moments[-MAX_MOMENTS:])
