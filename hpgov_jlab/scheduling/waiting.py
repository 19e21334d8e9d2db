"""Why a task waits: computed from the queue's own figures and Kueue's codes, in one order (DESIGN.md 7; facts/kubernetes.md 1.3, 1.6, 1.7).

Kueue's text differs by version and names one resource of several; ours names all (scheduling/shortage.py). Its sentence is read only where nothing
else says it: a LocalQueue that our role may not read, a topology, a node selector.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..model.kueue import ClusterQueue, LocalQueue, ResourceFlavor, Workload, condition_of
from ..model.outcome import Phrase, State
from .requests import Demand
from .selectors import selects
from .shortage import Cell, Figures, figures_of, missing


@dataclass(frozen=True, slots=True)
class Queues:
    """What is known of the queues of one namespace. Unreadable is told apart from not there.

    cluster_queues: those read, by name. cluster_queue_states: how the read of each other name ended (ABSENT: there is none of that name).
    local_queues None: not readable, for the reason in local_queue_state; local_queues_whole False: there may be more.
    available, potential: per ClusterQueue exact figures from the whole quota tree, only where a cohort reader's rights gave them (scheduling/cohort.py).
    """

    cluster_queues: Mapping[str, ClusterQueue] = field(default_factory=dict)
    cluster_queue_states: Mapping[str, State] = field(default_factory=dict)
    local_queues: Mapping[str, LocalQueue] | None = None
    local_queue_state: State = State.PENDING
    flavors: Mapping[str, ResourceFlavor] | None = None
    namespace_labels: Mapping[str, str] | None = None
    available: Mapping[str, Mapping[Cell, int]] = field(default_factory=dict)
    potential: Mapping[str, Mapping[Cell, int]] = field(default_factory=dict)
    local_queues_whole: bool = True
    _figures: dict[str, Figures | None] = field(default_factory=dict, init=False, repr=False, compare=False)

    def figures(self, queue: ClusterQueue) -> Figures | None:
        """A ClusterQueue's quotas as integers, worked out once for all of its tasks; None when one of them is no quantity."""
        name = queue.metadata.name
        if name not in self._figures:
            self._figures[name] = figures_of(queue, self.available.get(name), self.potential.get(name), self.flavors)
        return self._figures[name]

    def cluster_queue_of(self, workload: Workload) -> str | None:
        """Name of the ClusterQueue that the task goes to: as admitted, as its LocalQueue says, else the only one known."""
        if workload.status.admission is not None:
            return workload.status.admission.cluster_queue
        if self.local_queues is not None:
            local = self.local_queues.get(workload.spec.queue_name)
            return local.spec.cluster_queue if local else None
        known = {*self.cluster_queues, *self.cluster_queue_states}
        return next(iter(known)) if len(known) == 1 else None


# -- the order of reasons ------------------------------------------------------------------------------------------------------
def waiting_reason(workload: Workload, demand: Demand, queues: Queues, now: float, ahead: int | None = None) -> Phrase:
    """Why a Workload without quota waits. `now` by the upstream's clock; `ahead`: tasks of the own team before it in line, None: not known."""
    queue_name = queues.cluster_queue_of(workload)
    queue = queues.cluster_queues.get(queue_name) if queue_name else None
    return (
        _back_off(workload, now)
        or _local_queue(workload, queues)
        or _cluster_queue(queue_name, queue, queues)
        or _told_exactly(workload)
        or _by_figures(workload, demand, queue, queues, ahead)
        or (Phrase("waits_not_evaluated") if workload.condition("QuotaReserved") is None else None)
        or _told(workload)
        or _not_known(workload, queue_name, queue, queues)
    )


def _by_figures(workload: Workload, demand: Demand, queue: ClusterQueue | None, queues: Queues, ahead: int | None) -> Phrase | None:
    if queue is None:
        return None
    figures = queues.figures(queue)
    return missing(workload, demand, figures, ahead) if figures is not None else None


def _back_off(workload: Workload, now: float) -> Phrase | None:
    until, state = workload.requeue_at, workload.status.requeue_state
    if until is None or until <= now:
        return None
    return Phrase("waits_back_off", {"until_at": until, "count": state.count if state else None})


def _local_queue(workload: Workload, queues: Queues) -> Phrase | None:
    name = workload.spec.queue_name
    if not name:
        return Phrase("waits_no_queue_name")
    if queues.local_queues is None:
        return None
    local = queues.local_queues.get(name)
    if local is None:
        return Phrase("waits_local_queue_missing", {"queue": name}) if queues.local_queues_whole else None
    if local.spec.stop_policy in ("Hold", "HoldAndDrain"):
        return Phrase("waits_local_queue_stopped", {"queue": name, "policy": local.spec.stop_policy})
    return None


def _cluster_queue(name: str | None, queue: ClusterQueue | None, queues: Queues) -> Phrase | None:
    if name is None:
        return None
    if queue is None:
        return Phrase("waits_cluster_queue_missing", {"queue": name}) if queues.cluster_queue_states.get(name) is State.ABSENT else None
    why = inactive_reason(queue, queues.flavors)
    if why is not None:
        return why
    if queues.namespace_labels is not None and not selects(queue.spec.namespace_selector, queues.namespace_labels):
        return Phrase("waits_namespace_not_selected", {"queue": name})
    return None


_INACTIVE = {
    "Terminating": "queue_terminating",
    "AdmissionCheckNotFound": "queue_check_missing",
    "AdmissionCheckInactive": "queue_check_inactive",
    "TopologyNotFound": "queue_topology_missing",
}


def inactive_reason(queue: ClusterQueue, flavors: Mapping[str, ResourceFlavor] | None) -> Phrase | None:
    """Why a ClusterQueue admits nothing; None while it does, or has not said yet."""
    name = queue.metadata.name
    if queue.metadata.deleted_at is not None:  # its finalizer keeps it while a task holds quota; 0.12 writes no condition about it (tried)
        return Phrase("queue_terminating", {"queue": name})
    if queue.spec.stop_policy in ("Hold", "HoldAndDrain"):
        return Phrase("queue_stopped", {"queue": name, "policy": queue.spec.stop_policy})
    active = condition_of(queue.status.conditions, "Active")
    if active is None or active.status != "False":
        return None
    if active.reason == "FlavorNotFound":
        named = sorted({flavor.name for group in queue.spec.resource_groups for flavor in group.flavors})
        missing = [flavor for flavor in named if flavors is not None and flavor not in flavors]
        return Phrase("queue_flavor_missing", {"queue": name, "flavors": ", ".join(missing) or None})
    if active.reason in _INACTIVE:
        return Phrase(_INACTIVE[active.reason], {"queue": name})
    return Phrase("queue_inactive", {"queue": name, "why": active.reason or None})


# -- by Kueue's own codes --------------------------------------------------------------------------------------------------------
_EXACT = {
    "WaitingForPreemptedWorkloads": "waits_for_stopped",
    "WaitingForPodsReady": "waits_gang",
    "Waiting": "waits_gang",  # 0.12.10 and 0.19.2 say it for blockAdmission alone (tried)
    "AdmissionGated": "waits_gated",
    "TopologyPlacementFailed": "waits_topology",
    "Suspended": "waits_kueue_suspended",
    "PendingEvaluation": "waits_not_evaluated",
}
_COARSE = {
    "NoMatchingFlavor": "waits_no_flavor",
    "ExceedsMaxQuota": "waits_exceeds_told",
    "WaitingForQuota": "waits_quota_told",
    "Misconfigured": "waits_misconfigured",
    "OnHold": "waits_on_hold",
}
_SENTENCES = (
    (re.compile(r"^LocalQueue (\S{1,253}) doesn't exist"), "waits_local_queue_missing"),
    (re.compile(r"^LocalQueue (\S{1,253}) is inactive"), "waits_local_queue_inactive"),
    (re.compile(r"^ClusterQueue (\S{1,253}) doesn't exist"), "waits_cluster_queue_missing"),
    (re.compile(r"^ClusterQueue (\S{1,253}) is inactive"), "waits_cluster_queue_inactive"),
    (re.compile(r"^[Ww]orkload namespace doesn't match ClusterQueue selector()"), "waits_namespace_not_selected"),
    (re.compile(r"^[Ww]aiting for all admitted workloads to be in PodsReady()"), "waits_gang"),
    (re.compile(r"topology \"[^\"]{1,253}\" doesn't allow to fit()"), "waits_topology"),
    (re.compile(r"doesn't match node affinity()"), "waits_no_flavor"),
    (re.compile(r"untolerated taint()"), "waits_no_flavor"),
    (re.compile(r"> maximum capacity()"), "waits_exceeds_told"),
    (re.compile(r"insufficient (?:unused )?quota()"), "waits_quota_told"),
    (re.compile(r"resource (\S{1,120}) unavailable in ClusterQueue"), "waits_not_covered"),
)


def _told_exactly(workload: Workload) -> Phrase | None:
    """What figures can't know and Kueue says by a code of its own (0.20 and newer), or by a condition."""
    gates = workload.condition("BlockedOnPreemptionGates")
    if gates is not None and gates.true:
        return Phrase("waits_preemption_gate")
    reserved = workload.condition("QuotaReserved")
    if reserved is None:
        return None
    if reserved.stopping_for_it:
        return Phrase("waits_for_stopped")
    if reserved.reason in _EXACT:
        return Phrase(_EXACT[reserved.reason])
    found = _sentence(reserved.message)
    return found if found is not None and found.code in ("waits_gang", "waits_topology", "waits_local_queue_missing", "waits_local_queue_inactive") else None


def _told(workload: Workload) -> Phrase | None:
    reserved = workload.condition("QuotaReserved")
    if reserved is None:
        return None
    return _sentence(reserved.message) or (Phrase(_COARSE[reserved.reason], {"queue": None}) if reserved.reason in _COARSE else None)


def _sentence(message: str | None) -> Phrase | None:
    """Kueue's sentence, already cut (model/kueue.py), where it is one that both versions are known to write."""
    for pattern, code in _SENTENCES:
        match = pattern.search(message) if message else None
        if match:
            return Phrase(code, {"resources" if code == "waits_not_covered" else "queue": match.group(1) or None})
    return None


def _not_known(workload: Workload, name: str | None, queue: ClusterQueue | None, queues: Queues) -> Phrase:
    if queue is None:
        state = queues.cluster_queue_states.get(name, State.UNREACHABLE) if name else queues.local_queue_state  # missing: not asked for
        unread = "clusterqueues.kueue.x-k8s.io" if name else "localqueues.kueue.x-k8s.io"
        return Phrase("waits_queue_not_readable", {"what": unread, "queue": name or workload.spec.queue_name, "state": str(state)})
    return Phrase("waits_reason_not_known", {"queue": name})
