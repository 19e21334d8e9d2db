"""How often a task was stopped, when and why, in our words (facts/kubernetes.md 1.3).

Kueue's own text for Preempted and Evicted is never used: it carries other teams' queue paths and UIDs (DESIGN.md 2.2). What it keeps: one
condition per type, so the time of the last eviction only, and that only until the task is admitted again; counts per reason in
schedulingStats for as long as the Workload lives.
"""

from __future__ import annotations

import re

from ..model.kueue import Workload
from ..model.outcome import Phrase
from ..model.task import Stop

_CAUSES = {
    "Preempted": "stop_preempted",
    "PodsReadyTimeout": "stop_pods_not_ready",
    "AdmissionCheck": "stop_admission_check",
    "ClusterQueueStopped": "stop_cluster_queue",
    "LocalQueueStopped": "stop_local_queue",
    "NodeFailures": "stop_node_failure",
    "FlavorMigration": "stop_flavor_migration",
    "InactiveWorkload": "stop_deactivated",
    "Deactivated": "stop_deactivated",
    "DeactivatedDueToAdmissionCheck": "stop_check_rejected",
    "DeactivatedDueToRequeuingLimitExceeded": "stop_requeue_limit",
    "DeactivatedDueToMaximumExecutionTimeExceeded": "stop_time_limit",
    "DeactivatedDueToMaximumExecutionTime": "stop_time_limit",
}
_PREEMPTED = {
    "InClusterQueue": "stop_preempted_in_queue",
    "InCohortReclamation": "stop_preempted_reclaimed",
    "InCohortFairSharing": "stop_preempted_fair",
    "InCohortReclaimWhileBorrowing": "stop_preempted_while_borrowing",
}
_WORD = re.compile(r"[A-Z][A-Za-z]{0,63}")
_COUNTED_TWICE = frozenset({("DeactivatedDueToAdmissionCheck", ""), ("Deactivated", "AdmissionCheck")})
SAME_EVENT_SECONDS = 5.0
"""Kueue writes Preempted and Evicted in two requests; within this span they are one event."""


def cause_of(reason: str, underlying: str | None = None) -> Phrase:
    """Our words for an eviction reason; a reason that we do not know is named only if it looks like one of Kueue's codes."""
    if reason == "Preempted" and underlying in _PREEMPTED:
        return Phrase(_PREEMPTED[underlying])
    if reason == "Deactivated" and underlying and "DeactivatedDueTo" + underlying in _CAUSES:
        return Phrase(_CAUSES["DeactivatedDueTo" + underlying])
    if reason in _CAUSES:
        return Phrase(_CAUSES[reason])
    return Phrase("stop_other", {"why": reason if _WORD.fullmatch(reason) else None})


def last_stop(workload: Workload) -> Stop | None:
    """The last eviction, while Kueue still says when: until the task is admitted again."""
    evicted = workload.condition("Evicted")
    if evicted is None or not evicted.true:
        return None
    underlying = None
    if evicted.reason == "Preempted":
        preempted = workload.condition("Preempted")
        if preempted is not None and preempted.true and _same(preempted.at, evicted.at):
            underlying = preempted.reason
    return Stop(evicted.at, cause_of(evicted.reason, underlying))


def _same(first: float | None, second: float | None) -> bool:
    return first is not None and second is not None and abs(first - second) <= SAME_EVENT_SECONDS


def all_stops(workload: Workload) -> tuple[Stop, ...]:
    """One entry per reason with its count, the one with a known time first; without schedulingStats what the conditions still show."""
    last, stats = last_stop(workload), workload.status.scheduling_stats
    if stats is None:
        return (last,) if last else ()
    found: list[Stop] = []
    evicted = workload.condition("Evicted")
    for each in stats.evictions:
        if each.count > 0:
            is_last = last is not None and evicted is not None and evicted.reason == each.reason
            cause = cause_of(each.reason, each.underlying_cause)
            # the finer cause of the last eviction speaks for all of its reason only when there was one
            if is_last and last is not None and each.count == 1:
                cause = last.cause
            found.append(Stop(last.at if is_last and last is not None else None, cause, each.count))
    if last is not None and evicted is not None and all(each.reason != evicted.reason for each in stats.evictions):
        found.append(last)
    return tuple(sorted(found, key=lambda stop: (stop.at is None, -(stop.at or 0.0), stop.cause.code)))


def count_stops(workload: Workload) -> int | None:
    """How often the task was stopped; None when Kueue does not say."""
    stats = workload.status.scheduling_stats
    if stats is not None:
        # Kueue counts the deactivation that follows a rejected check a second time (both versions, tried)
        return sum(each.count for each in stats.evictions if (each.reason, each.underlying_cause or "") not in _COUNTED_TWICE)
    return 0 if workload.condition("Evicted") is None else None
