"""One row per task, in the one order of states of DESIGN.md 7 (facts/kubernetes.md 1.3).

finished, deactivated, stopping (evicted, still holding quota), running, starting (admitted, not ready), held by checks, waiting. Condition lists
keep old True entries, so the first that holds in this order is the state; what Kueue does not know comes from the task's object and pods.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from ..model.kinds import TaskObject
from ..model.kubernetes import Pod
from ..model.kueue import PendingWorkload, Workload
from ..model.outcome import Phrase
from ..model.task import Stop, Task, TaskState
from .lines import Place, places
from .matching import Unit, units
from .pods import PodsSeen, pods_seen
from .requests import Demand, amounts, object_demand, workload_demand
from .stops import all_stops, count_stops, last_stop
from .waiting import Queues, waiting_reason


@dataclass(frozen=True, slots=True)
class Team:
    """Everything read of one namespace. None: not readable, which is never the same as empty.

    kinds_read: kinds whose lists were read in full ("Job", "Pod" ...). positions None: the visibility API is not readable.
    workloads_whole, pods_whole False: that list is cut, or has an object that could not be read; what is not in it may be there all the same.
    person: ids by which the submitter may be recorded as this person (DESIGN.md 5, Mine).
    """

    namespace: str
    workloads: tuple[Workload, ...] | None = None
    objects: tuple[TaskObject, ...] = ()
    kinds_read: frozenset[str] = frozenset()
    pods: tuple[Pod, ...] | None = None
    queues: Queues = field(default_factory=Queues)
    positions: tuple[PendingWorkload, ...] | None = None
    person: frozenset[str] = frozenset()
    workloads_whole: bool = True
    pods_whole: bool = True
    _units: list[tuple[Unit, ...]] = field(default_factory=list, init=False, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class _Found:
    """A state with what is said of it."""

    state: TaskState
    reason: Phrase | None = None
    since: float | None = None
    text: str | None = None
    next_step: Phrase | None = None
    ended: str | None = None


_IN_NO_LINE = frozenset({"waits_no_queue_name", "waits_local_queue_missing", "waits_cluster_queue_missing", "owner_gone"})


def tasks_of(team: Team, now: float) -> tuple[Task, ...]:
    """All tasks of a namespace. `now` by the upstream's clock (epoch seconds): decides only whether a back-off is over."""
    return tuple(task for _, task in units_with_tasks(team, now))


def units_with_tasks(team: Team, now: float) -> Iterator[tuple[Unit, Task]]:
    """As `tasks_of`, one by one, each with what it was made of: the task page shows more of that."""
    # a line of which some are missing has no places that could be counted
    lines = places(team.workloads or (), now, team.positions) if team.workloads_whole or team.positions is not None else {}
    return ((unit, task_of(unit, team, lines, now)) for unit in team_units(team))


def team_units(team: Team) -> tuple[Unit, ...]:
    """Worked out once: tasks and share are made of the same."""
    if not team._units:
        team._units.append(units(team.workloads, team.objects, team.kinds_read, team.pods, pods_whole=team.pods_whole))
    return team._units[0]


def task_of(unit: Unit, team: Team, lines: Mapping[str, Place], now: float) -> Task:
    workload, found_object = unit.workload, unit.object
    demand = demand_of(unit)
    place = lines.get(workload.metadata.uid) if workload is not None else None
    found = _by_workload(workload, unit, demand, team, place, now) if workload is not None and demand is not None else _without_workload(unit, team)
    made = found_object or workload or (unit.pods[0] if unit.pods else None)
    created_at = made.metadata.created_at if made is not None else None
    submitter = unit.created_by
    waiting = found.state is TaskState.WAITING
    if found.reason is not None and found.reason.code in _IN_NO_LINE:
        place = None
    return Task(
        uid=unit.uid,
        scheduler=_scheduler(unit),
        scope=team.namespace,
        kind=unit.kind,
        name=unit.name,
        state=found.state,
        ended=found.ended,
        reason=found.reason,
        text=found.text,
        next_step=found.next_step,
        priority=workload.priority if workload is not None else None,
        priority_class=_priority_class(unit),
        requested=amounts(demand.total()) if demand is not None else (),
        pods=demand.pods if demand is not None else None,
        flavors=demand.flavors if demand is not None else (),
        queue=(workload.spec.queue_name or None) if workload is not None else _queue_label(unit),
        workload=workload.metadata.name if workload is not None else None,
        created_at=created_at,
        since=found.since if found.since is not None else created_at if waiting else None,
        started_at=_started_at(unit),
        finished_at=_finished_at(unit, found),
        place_in_line=place.place if place is not None and waiting else None,
        line_source=place.source if place is not None and waiting else None,
        stops=count_stops(workload) if workload is not None else None,
        last_stop=_last_stop(workload) if workload is not None else None,
        submitter=submitter,
        submitter_claimed=submitter is not None,
        mine=None if submitter is None or not team.person else submitter in team.person,
    )


def demand_of(unit: Unit) -> Demand | None:
    if unit.workload is not None:
        return workload_demand(unit.workload)
    return object_demand(unit.object) if unit.object is not None else None


def holds_quota(workload: Workload) -> bool:
    """Whether Kueue counts it as reserved: an evicted one until its pods are gone; a finished one never."""
    return workload.holds("QuotaReserved") and not workload.holds("Finished") and workload.status.admission is not None


# -- with a Workload ---------------------------------------------------------------------------------------------------------------
def _by_workload(workload: Workload, unit: Unit, demand: Demand, team: Team, place: Place | None, now: float) -> _Found:
    finished, reserved, evicted = workload.condition("Finished"), workload.condition("QuotaReserved"), workload.condition("Evicted")
    if finished is not None and finished.true:
        return _finished(finished.reason, finished.at, unit)
    if not workload.active:
        stopped = evicted if evicted is not None and evicted.true else None
        cause = last_stop(workload)
        code = cause.cause.code if cause is not None else None
        by = {"stop_check_rejected": "deactivated_check", "stop_requeue_limit": "deactivated_requeue", "stop_time_limit": "deactivated_time"}.get(
            code or "", "deactivated"
        )
        return _Found(TaskState.DEACTIVATED, Phrase(by), stopped.at if stopped else None)
    if evicted is not None and evicted.true and reserved is not None and reserved.true:
        stop = last_stop(workload)
        return _Found(TaskState.STOPPING, stop.cause if stop else None, evicted.at)
    if unit.owner_gone:
        return replace(_admitted_or_waiting(workload, unit, demand, team, place, now), reason=Phrase("owner_gone"), text=None, next_step=None)
    return _admitted_or_waiting(workload, unit, demand, team, place, now)


def _admitted_or_waiting(workload: Workload, unit: Unit, demand: Demand, team: Team, place: Place | None, now: float) -> _Found:
    admitted, reserved = workload.condition("Admitted"), workload.condition("QuotaReserved")
    if admitted is not None and admitted.true:
        return _admitted(workload, unit, demand, admitted.at)
    if reserved is not None and reserved.true:
        return _checking(workload, reserved.at)
    ahead = place.ahead if place is not None else None
    reason = waiting_reason(workload, demand, team.queues, now, ahead)
    last = last_stop(workload)
    since = last.at if last is not None else workload.metadata.created_at
    largest = reason.params.get("largest_pods")
    step = Phrase("next_smaller", {"largest_pods": largest}) if reason.code == "waits_exceeds_queue" and largest else None
    return _Found(TaskState.WAITING, reason, since, reserved.message if reserved is not None else None, step)


def _finished(reason: str, at: float | None, unit: Unit) -> _Found:
    ended = {"Succeeded": "well", "Failed": "badly"}.get(reason) or (unit.object.ended if unit.object is not None else None)
    at = unit.object.finished_at if unit.object is not None and unit.object.finished_at is not None else at
    if reason == "OwnerNotFound" or (unit.owner_gone and ended is None):
        return _Found(TaskState.FINISHED, Phrase("owner_gone"), at, ended=ended)
    if reason == "OutOfSync":
        return _Found(TaskState.FINISHED, Phrase("finished_replaced"), at, ended=ended)
    if ended == "badly":
        return _Found(TaskState.FINISHED, _why_badly(unit), at, ended=ended)
    if ended is None:
        return _Found(TaskState.FINISHED, Phrase("finished_unknown"), at)
    return _Found(TaskState.FINISHED, None, at, ended=ended)


def _why_badly(unit: Unit) -> Phrase:
    """The pods know best; they may be gone, then the kind's own word."""
    seen = pods_seen(unit.pods) if unit.pods else None
    if seen is not None and seen.reason is not None:
        return seen.reason
    why = unit.object.reason if unit.object is not None else None
    return Phrase("finished_badly", {"why": why}) if why else Phrase("finished_badly_no_reason")


def _checking(workload: Workload, at: float | None) -> _Found:
    by_state: dict[str, list[str]] = {}
    for check in workload.status.admission_checks:
        by_state.setdefault(check.state, []).append(check.name)
    for state, code in (("Rejected", "checks_rejected"), ("Retry", "checks_retry"), ("Pending", "checks_pending")):
        if state in by_state:
            return _Found(TaskState.CHECKING, Phrase(code, {"checks": ", ".join(sorted(by_state[state]))}), at)
    return _Found(TaskState.CHECKING, Phrase("checks_done"), at)


def _admitted(workload: Workload, unit: Unit, demand: Demand, at: float | None) -> _Found:
    """Admitted: running or starting, by the pods; without them by Kueue's PodsReady, then by the object."""
    ready = workload.condition("PodsReady")
    told = _by_object(unit.object) if unit.object is not None else None
    if unit.pods:
        found = _by_pods(pods_seen(unit.pods, demand.pods), demand.pods, at, ready.at if ready is not None and ready.true else None)
        # pods that are well but not all there: a RayJob runs before and after its submitter does
        partly = found.reason is not None and found.reason.code == "starting_some_ready"
        if partly and told:
            return replace(found, state=TaskState.RUNNING, reason=None)
        if not partly or unit.pods_whole:
            return found
    if ready is not None and ready.true:
        return _Found(TaskState.RUNNING, None, ready.at)
    if told is True:
        return _Found(TaskState.RUNNING, None, at)
    if unit.pods is not None and unit.pods_whole:
        if unit.object is not None and unit.object.suspended:
            return _Found(TaskState.STARTING, Phrase("starting_suspended"), at)
        return _Found(TaskState.STARTING, Phrase("starting_no_pods"), at)
    if ready is not None or told is False:
        return _Found(TaskState.STARTING, Phrase("starting_not_ready"), at)
    return _Found(TaskState.UNKNOWN, Phrase("admitted_not_seen") if unit.pods_whole else Phrase("pods_not_whole"), at)


def _by_pods(seen: PodsSeen, wanted: int, at: float | None, ready_at: float | None) -> _Found:
    if seen.running + seen.ended_well >= max(1, wanted) and seen.running:
        return _Found(TaskState.RUNNING, None, ready_at if ready_at is not None else at)
    if seen.reason is not None:
        return _Found(TaskState.STARTING, seen.reason, at, seen.text)
    if seen.ended_well >= max(1, wanted):
        return _Found(TaskState.RUNNING, Phrase("running_ending"), at)
    return _Found(TaskState.STARTING, Phrase("starting_some_ready", {"ready": seen.running, "pods_total": max(seen.total, wanted)}), at)


def _by_object(found: TaskObject) -> bool | None:
    """Whether the task's own object says that it runs; None when it does not say."""
    if found.wanted is not None and found.ready is not None:
        return found.ready >= max(1, found.wanted) if found.kind != "Job" else bool(found.ready)
    if found.ready is not None:
        return found.ready > 0
    if found.conditions or found.phase:
        return found.phase in ("Running", "PodsRunning", "ready", "Ready", "DeploymentComplete", "Available") or found.holds("Running")
    return None


# -- without a Workload --------------------------------------------------------------------------------------------------------------
def _without_workload(unit: Unit, team: Team) -> _Found:
    found = unit.object
    if found is None:
        return _Found(TaskState.WAITING, Phrase("waits_no_workload")) if team.workloads_whole else _Found(TaskState.UNKNOWN, Phrase("workload_not_among_read"))
    if found.ended is not None:
        badly = found.ended == "badly"
        return _Found(TaskState.FINISHED, _why_badly(unit) if badly else None, found.finished_at, ended=found.ended)
    governed = _queue_label(unit) is not None
    if found.kind == "Workspace" and found.suspended:
        preempted = found.metadata.annotations.preemption_reason is not None or found.reason == "Preempted"
        return _Found(TaskState.SUSPENDED, Phrase("space_preempted") if preempted else Phrase("space_stopped"))
    if governed and found.suspended is True:
        # suspended under a queue's name: in line, stopped, or never seen by Kueue; only Workloads tell which
        if team.workloads is None:
            return _Found(TaskState.WAITING, Phrase("waits_workloads_not_readable"))
        if team.workloads_whole:
            return _Found(TaskState.WAITING, Phrase("waits_no_workload"))
        return _Found(TaskState.UNKNOWN, Phrase("suspended_workload_not_among_read"))
    if found.suspended:
        return _Found(TaskState.SUSPENDED, Phrase("suspended_by_owner"))
    if found.wanted == 0:
        return _Found(TaskState.SUSPENDED, Phrase("scaled_to_zero"))
    if unit.pods:
        wanted = found.wanted or sum(each.count for each in found.pods or ()) or len(unit.pods)
        by_pods = _by_pods(pods_seen(unit.pods, wanted), min(wanted, len(unit.pods)) if found.kind == "Job" else wanted, found.started_at, None)
        if unit.pods_whole or by_pods.reason is None or by_pods.reason.code != "starting_some_ready":
            return by_pods
    told = _by_object(found)
    if told:
        return _Found(TaskState.RUNNING, None, found.started_at)
    if unit.pods is not None and unit.pods_whole:
        return _Found(TaskState.STARTING, Phrase("starting_no_pods") if governed else Phrase("unmanaged_no_pods"), found.started_at)
    if told is False:
        return _Found(TaskState.STARTING, Phrase("starting_not_ready") if governed else Phrase("unmanaged_not_ready"), found.started_at)
    return _Found(TaskState.UNKNOWN, Phrase("pods_not_seen") if unit.pods_whole else Phrase("pods_not_whole"))


# -- small facts ---------------------------------------------------------------------------------------------------------------------
def _scheduler(unit: Unit) -> str:
    return "kueue" if unit.workload is not None or _queue_label(unit) is not None else "none"


def _queue_label(unit: Unit) -> str | None:
    if unit.object is not None:
        own = unit.object.metadata.labels.queue_name
        return own or next((each.template.metadata.labels.queue_name for each in unit.object.pods or () if each.template.metadata.labels.queue_name), None)
    return next((pod.metadata.labels.queue_name for pod in unit.pods or () if pod.metadata.labels.queue_name), None)


def _priority_class(unit: Unit) -> str | None:
    if unit.workload is not None:
        return unit.workload.spec.priority_class_ref.name if unit.workload.spec.priority_class_ref is not None else None
    return unit.object.metadata.labels.priority_class if unit.object is not None else None


def _last_stop(workload: Workload) -> Stop | None:
    stops = all_stops(workload)
    return last_stop(workload) or (stops[0] if stops else None)


def _started_at(unit: Unit) -> float | None:
    """When it began to run: the object's word, else its admission; None while it has neither."""
    if unit.object is not None and unit.object.started_at is not None:
        return unit.object.started_at
    admitted = unit.workload.condition("Admitted") if unit.workload is not None else None
    return admitted.at if admitted is not None and admitted.true else None


def _finished_at(unit: Unit, found: _Found) -> float | None:
    if found.state is not TaskState.FINISHED:
        return None
    return unit.object.finished_at if unit.object is not None and unit.object.finished_at is not None else found.since


def gang_scheduling(workloads: Iterable[Workload], *, always_reports_ready: bool) -> bool | None:
    """Whether gang scheduling shows on the own Workloads: True, or None where it can't be told (facts/hyperpod.md 2.7).

    A stop for PodsReadyTimeout proves it, and so does a task that waits for the pods of another. The PodsReady condition alone proves it only on
    older versions: Kueue 0.19.2 sets it always, 0.12.10 with waitForPodsReady only (both tried). always_reports_ready: the cluster serves v1beta2.
    """
    for workload in workloads:
        stats = workload.status.scheduling_stats
        if any(each.reason == "PodsReadyTimeout" for each in (stats.evictions if stats is not None else ())):
            return True
        reserved = workload.condition("QuotaReserved")
        if reserved is not None and reserved.status == "False" and reserved.reason in ("Waiting", "WaitingForPodsReady"):
            return True
        if not always_reports_ready and workload.condition("PodsReady") is not None:
            return True
    return None
