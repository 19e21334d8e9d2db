"""What we read of Kueue's objects, lifted to one shape whichever version the cluster serves (facts/kubernetes.md 1.2, 1.3).

Read from v1beta1 (Kueue up to 0.19), v1beta2 (from 0.15) and Cohort v1alpha1; the field names here are v1beta2's. Renamed fields of older
versions are decoded under their old names and moved in `__post_init__`; code outside this file uses the new names only.
"""

from __future__ import annotations

import re
from datetime import datetime

from msgspec import field
from msgspec.structs import force_setattr

from .kubernetes import Amounts, Condition, Filled, LabelSelector, Many, Meta, PodTemplate, Quantity, Shape, Strings, Toleration, epoch

# -- conditions, and the cut of DESIGN.md 2.2 ----------------------------------------------------------------------------------
_WAITING = ("Pending", "Inadmissible", "Waiting")  # Kueue 0.12 to 0.19; the finer ones from 0.20 (facts/kubernetes.md 1.3)
_FINER = ("NoMatchingFlavor", "WaitingForQuota", "ExceedsMaxQuota", "TopologyPlacementFailed", "Misconfigured", "Suspended", "PendingEvaluation", "OnHold")
_MISSING = ("FlavorNotFound", "AdmissionCheckNotFound", "AdmissionCheckInactive", "TopologyNotFound", "ClusterQueueIsInactive", "ClusterQueueDoesNotExist")
_STOPPED = ("Stopped", "Terminating", "StoppedAndDrained", "LocalQueueStopped")
KEPT_TEXT: dict[str, frozenset[str]] = {
    "QuotaReserved": frozenset({*_WAITING, *_FINER, "AdmissionGated"}),  # why it is not admitted yet
    "Active": frozenset({*_MISSING, *_STOPPED}),  # why a queue is not active: flavours, checks and topologies of the own queue
}
"""Condition type -> reasons whose message is kept. For Preempted and Evicted, and for everything not listed, ours stands instead."""

_FOREIGN = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-|[Pp]reempt|[Rr]eclam|path:|UID|Previously")
"""After an eviction Kueue copies its text, with other teams' queue paths and UIDs, into the listed reasons too: such a message is dropped whole."""

_STOPPING = re.compile(r"Pending the preemption of ([0-9]{1,6}) workload")
"""Up to 0.19 the only place that says so (tried on 0.12.10 and 0.19.2); from 0.20 there is a reason for it."""


class KueueCondition(Condition, frozen=True):
    """A condition of a Kueue object. `message` is upstream's text after the cut, None when it may not be kept."""

    message: str | None = None
    stopping_for_it: int | None = field(name="", default=None)  # ours: the number out of a text that is cut, never on the wire

    def __post_init__(self) -> None:
        Condition.__post_init__(self)
        message = self.message
        stopping = _STOPPING.search(message) if message is not None and self.type == "QuotaReserved" and self.status == "False" else None
        force_setattr(self, "stopping_for_it", int(stopping.group(1)) if stopping else None)
        if message is not None and (self.status == "True" or self.reason not in KEPT_TEXT.get(self.type, ()) or _FOREIGN.search(message)):
            force_setattr(self, "message", None)


def condition_of(conditions: tuple[KueueCondition, ...], kind: str) -> KueueCondition | None:
    return next((c for c in conditions if c.type == kind), None)


# -- Workload -------------------------------------------------------------------------------------------------------------------
class PriorityClassRef(Shape, frozen=True):
    """`kind` is WorkloadPriorityClass (Kueue's) or PriorityClass (the pods')."""

    group: str = ""
    kind: str = ""
    name: str = ""


class TopologyRequest(Shape, frozen=True):
    """For the forecast: what has to stand together may not fit although quota does."""

    required: str | None = None
    preferred: str | None = None
    unconstrained: bool | None = None


class PodSet(Shape, frozen=True):
    name: str = "main"
    count: int = 1
    min_count: int | None = None
    template: Filled[PodTemplate] = field(default_factory=PodTemplate)
    topology_request: TopologyRequest | None = None


class WorkloadSpec(Shape, frozen=True):
    pod_sets: Many[PodSet] = ()
    queue_name: str = ""
    priority: int | None = None
    active: bool | None = None  # None: not said, which means active
    priority_class_ref: PriorityClassRef | None = None
    old_priority_class_name: str | None = field(name="priorityClassName", default=None)
    old_priority_class_source: str | None = field(name="priorityClassSource", default=None)

    def __post_init__(self) -> None:
        Shape.__post_init__(self)
        if self.priority_class_ref is None and self.old_priority_class_name:
            of_kueue = self.old_priority_class_source == "kueue.x-k8s.io/workloadpriorityclass"
            group, kind = ("kueue.x-k8s.io", "WorkloadPriorityClass") if of_kueue else ("scheduling.k8s.io", "PriorityClass")
            force_setattr(self, "priority_class_ref", PriorityClassRef(group=group, kind=kind, name=self.old_priority_class_name))


class PodSetAssignment(Shape, frozen=True):
    """`resource_usage` is for all `count` pods together."""

    name: str = "main"
    flavors: Strings = field(default_factory=dict)  # resource -> flavour
    resource_usage: Amounts = field(default_factory=dict)
    count: int | None = None


class Admission(Shape, frozen=True):
    cluster_queue: str = ""
    pod_set_assignments: Many[PodSetAssignment] = ()


class RequeueState(Shape, frozen=True):
    count: int | None = None
    requeue_at: datetime | None = None


class CheckState(Shape, frozen=True):
    """An admission check's state: Pending, Ready, Retry, Rejected. Its message is not read: an external controller's own text."""

    name: str = ""
    state: str = ""
    last_transition_time: datetime | None = None


class ReclaimablePod(Shape, frozen=True):
    name: str = "main"
    count: int = 0


class PodSetRequest(Shape, frozen=True):
    """Kueue's own figure for all pods of a pod set, only while not admitted."""

    name: str = "main"
    resources: Amounts = field(default_factory=dict)


class Eviction(Shape, frozen=True):
    reason: str = ""
    underlying_cause: str | None = None
    count: int = 0


class SchedulingStats(Shape, frozen=True):
    evictions: Many[Eviction] = ()


class WorkloadStatus(Shape, frozen=True):
    conditions: Many[KueueCondition] = ()
    admission: Admission | None = None
    requeue_state: RequeueState | None = None
    admission_checks: Many[CheckState] = ()
    reclaimable_pods: Many[ReclaimablePod] = ()
    resource_requests: Many[PodSetRequest] = ()
    scheduling_stats: SchedulingStats | None = None


class Workload(Shape, frozen=True):
    metadata: Filled[Meta] = field(default_factory=Meta)
    spec: Filled[WorkloadSpec] = field(default_factory=WorkloadSpec)
    status: Filled[WorkloadStatus] = field(default_factory=WorkloadStatus)

    def condition(self, kind: str) -> KueueCondition | None:
        return condition_of(self.status.conditions, kind)

    def holds(self, kind: str) -> bool:
        """Whether a condition is True. Lists keep old True entries beside newer ones: mind the order of states (facts/kubernetes.md 1.3)."""
        found = self.condition(kind)
        return found is not None and found.true

    @property
    def active(self) -> bool:
        return self.spec.active is not False

    @property
    def priority(self) -> int:
        """A task without a priority class is priority 0 (facts/hyperpod.md 2.6)."""
        return self.spec.priority or 0

    @property
    def requeue_at(self) -> float | None:
        return epoch(self.status.requeue_state.requeue_at) if self.status.requeue_state else None


# -- quota ----------------------------------------------------------------------------------------------------------------------
class ResourceQuota(Shape, frozen=True):
    """`borrowing_limit` None: no limit of its own; "0": may not borrow. `lending_limit` None: lends everything."""

    name: str = ""
    nominal_quota: Quantity = Quantity("0")
    borrowing_limit: Quantity | None = None
    lending_limit: Quantity | None = None


class FlavorQuotas(Shape, frozen=True):
    name: str = ""
    resources: Many[ResourceQuota] = ()


class ResourceGroup(Shape, frozen=True):
    covered_resources: Many[str] = ()
    flavors: Many[FlavorQuotas] = ()


class ResourceUsage(Shape, frozen=True):
    """`borrowed` exists on ClusterQueues only."""

    name: str = ""
    total: Quantity = Quantity("0")
    borrowed: Quantity | None = None


class FlavorUsage(Shape, frozen=True):
    name: str = ""
    resources: Many[ResourceUsage] = ()


class FairSharing(Shape, frozen=True):
    weight: Quantity | None = None


class FlavorFungibility(Shape, frozen=True):
    """v1beta1 says Borrow and Preempt where v1beta2 says MayStopSearch: lifted. For the forecast, which follows Kueue's choice of a flavour."""

    when_can_borrow: str | None = None
    when_can_preempt: str | None = None
    preference: str | None = None

    def __post_init__(self) -> None:
        Shape.__post_init__(self)
        if self.when_can_borrow == "Borrow":
            force_setattr(self, "when_can_borrow", "MayStopSearch")
        if self.when_can_preempt == "Preempt":
            force_setattr(self, "when_can_preempt", "MayStopSearch")


class BorrowWithinCohort(Shape, frozen=True):
    """`max_priority_threshold` is for the forecast: whom a task that borrows may stop."""

    policy: str | None = None
    max_priority_threshold: int | None = None


class Preemption(Shape, frozen=True):
    """Never where nothing is said (facts/kubernetes.md 1.3)."""

    reclaim_within_cohort: str | None = None
    within_cluster_queue: str | None = None
    borrow_within_cohort: BorrowWithinCohort | None = None


class CheckRule(Shape, frozen=True):
    """`on_flavors` empty: for every flavour. For the forecast: which checks a task would be held by."""

    name: str = ""
    on_flavors: Many[str] = ()


class ChecksStrategy(Shape, frozen=True):
    admission_checks: Many[CheckRule] = ()


class ClusterQueueSpec(Shape, frozen=True):
    resource_groups: Many[ResourceGroup] = ()
    cohort_name: str | None = None
    queueing_strategy: str | None = None  # BestEffortFIFO where nothing is said
    namespace_selector: LabelSelector | None = None  # None matches nothing
    flavor_fungibility: FlavorFungibility | None = None
    preemption: Preemption | None = None
    admission_checks_strategy: ChecksStrategy | None = None
    stop_policy: str | None = None  # None, Hold, HoldAndDrain
    fair_sharing: FairSharing | None = None
    old_cohort: str | None = field(name="cohort", default=None)
    old_checks: Many[str] = field(name="admissionChecks", default=())

    def __post_init__(self) -> None:
        Shape.__post_init__(self)
        if not self.cohort_name:
            force_setattr(self, "cohort_name", self.old_cohort or None)
        if self.admission_checks_strategy is None and self.old_checks:
            force_setattr(self, "admission_checks_strategy", ChecksStrategy(admission_checks=tuple(CheckRule(name=n) for n in self.old_checks)))


class QueueStatus(Shape, frozen=True):
    """Status of a ClusterQueue or LocalQueue. `flavors_reservation` (quota reserved) includes `flavors_usage` (admitted)."""

    conditions: Many[KueueCondition] = ()
    flavors_reservation: Many[FlavorUsage] = ()
    flavors_usage: Many[FlavorUsage] = ()
    pending_workloads: int | None = None
    reserving_workloads: int | None = None
    admitted_workloads: int | None = None
    old_flavor_usage: Many[FlavorUsage] = field(name="flavorUsage", default=())

    def __post_init__(self) -> None:
        Shape.__post_init__(self)
        if not self.flavors_usage and self.old_flavor_usage:
            force_setattr(self, "flavors_usage", self.old_flavor_usage)

    @property
    def active(self) -> bool | None:
        """None: the queue has not said yet."""
        found = condition_of(self.conditions, "Active")
        return None if found is None or found.status not in ("True", "False") else found.true


class ClusterQueue(Shape, frozen=True):
    metadata: Filled[Meta] = field(default_factory=Meta)
    spec: Filled[ClusterQueueSpec] = field(default_factory=ClusterQueueSpec)
    status: Filled[QueueStatus] = field(default_factory=QueueStatus)


class LocalQueueSpec(Shape, frozen=True):
    cluster_queue: str = ""
    stop_policy: str | None = None


class LocalQueue(Shape, frozen=True):
    metadata: Filled[Meta] = field(default_factory=Meta)
    spec: Filled[LocalQueueSpec] = field(default_factory=LocalQueueSpec)
    status: Filled[QueueStatus] = field(default_factory=QueueStatus)


class CohortSpec(Shape, frozen=True):
    parent_name: str | None = None
    resource_groups: Many[ResourceGroup] = ()
    fair_sharing: FairSharing | None = None
    old_parent: str | None = field(name="parent", default=None)

    def __post_init__(self) -> None:
        Shape.__post_init__(self)
        if not self.parent_name:
            force_setattr(self, "parent_name", self.old_parent or None)


class Cohort(Shape, frozen=True):
    """May be missing though named: a ClusterQueue can name a cohort that has no object."""

    metadata: Filled[Meta] = field(default_factory=Meta)
    spec: Filled[CohortSpec] = field(default_factory=CohortSpec)


class Taint(Shape, frozen=True):
    key: str = ""
    value: str | None = None
    effect: str = ""


class ResourceFlavorSpec(Shape, frozen=True):
    node_labels: Strings = field(default_factory=dict)
    node_taints: Many[Taint] = ()
    tolerations: Many[Toleration] = ()
    topology_name: str | None = None  # for the forecast, as TopologyRequest


class ResourceFlavor(Shape, frozen=True):
    metadata: Filled[Meta] = field(default_factory=Meta)
    spec: Filled[ResourceFlavorSpec] = field(default_factory=ResourceFlavorSpec)


class WorkloadPriorityClass(Shape, frozen=True):
    metadata: Filled[Meta] = field(default_factory=Meta)
    value: int = 0


# -- visibility -------------------------------------------------------------------------------------------------------------------
class PendingWorkload(Shape, frozen=True):
    """A place in line from the visibility API. The position is 0-based, as Kueue gives it; shown 1-based. The place among other teams is not read."""

    metadata: Filled[Meta] = field(default_factory=Meta)
    priority: int | None = None
    position_in_local_queue: int | None = None
