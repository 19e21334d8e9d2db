"""What we read of Kubernetes objects, and nothing else: typed subsets that msgspec decodes straight from the API server's bytes.

No struct here has a field for env, args, command, image, volumes or a termination message, so none of those can be kept (S14).
Labels and annotations are read by an explicit list of keys. A list or map that the server sends as `null` becomes an empty one.

Sources of the shapes: the Kubernetes API (core/v1, batch/v1), facts/hyperpod.md 1.1 and 3, facts/kubernetes.md 1.5.

Longer than 400 lines: every shape read of the core group stands here, so that what is not decoded can be seen at once.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import msgspec
from msgspec import field
from msgspec.structs import force_setattr

T = TypeVar("T")


class _AnyText(type):
    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, str)


class Quantity(str, metaclass=_AnyText):
    """A quantity as its author wrote it (`1500m`, `64Gi`; the integer 4 becomes "4"). Not checked here: arithmetic has its own grammar.

    Any str is one: what is decoded is plain str, since the collector of garbage visits each object of a class of our own, and each dict that holds one.
    """

    __slots__ = ()


if TYPE_CHECKING:
    Many = tuple[T, ...]
    Filled = Annotated[T, "null becomes an empty one"]
    Amounts = dict[str, Quantity]
    Strings = dict[str, str]
else:
    # On the wire a Go slice or map without `omitempty` may be null (facts/kubernetes.md 4.3); Shape.__post_init__ makes it empty.
    class Many:
        def __class_getitem__(cls, item: Any) -> Any:
            return tuple[item, ...] | None

    class Filled:
        def __class_getitem__(cls, item: Any) -> Any:
            return item | None

    Amounts = dict[str, Quantity] | None
    Strings = dict[str, str] | None


_blanks: dict[type, tuple[tuple[str, Callable[[], Any]], ...]] = {}


def _blanks_of(cls: type[msgspec.Struct]) -> tuple[tuple[str, Callable[[], Any]], ...]:
    """The fields of a struct whose default is an empty value, with what makes that value."""
    found = _blanks.get(cls)
    if found is None:
        pairs: list[tuple[str, Callable[[], Any]]] = []
        for spec in msgspec.structs.fields(cls):
            if spec.default == ():
                pairs.append((spec.name, tuple))
            elif spec.default_factory is not msgspec.NODEFAULT:
                pairs.append((spec.name, spec.default_factory))
        found = _blanks[cls] = tuple(pairs)
    return found


class Shape(msgspec.Struct, frozen=True, kw_only=True, rename="camel", gc=False):
    """Base of every subset: camelCase on the wire, unknown fields ignored, immutable. gc=False: these are trees, never cycles."""

    def __post_init__(self) -> None:
        for name, empty in _blanks_of(type(self)):
            if getattr(self, name) is None:
                force_setattr(self, name, empty())


@lru_cache(maxsize=4096, typed=True)
def _quantity(value: str | int | float) -> str:
    """One object per distinct quantity: thousands of containers ask for the same."""
    return str(value)


def hook(kind: type, value: Any) -> Any:
    """msgspec's `dec_hook` for these shapes."""
    if kind is Quantity and isinstance(value, (str, int, float)) and not isinstance(value, bool):
        return _quantity(value)
    raise TypeError(kind.__name__)


def parse(body: bytes, shape: type[T]) -> T:
    """One object from JSON bytes. Raises msgspec.DecodeError (not JSON) or msgspec.ValidationError (another shape)."""
    return msgspec.json.decode(body, type=shape, dec_hook=hook)


def build(value: Any, shape: type[T]) -> T:
    """One object from plain dicts and lists as a YAML or JSON reader gives them. Raises msgspec.ValidationError."""
    return msgspec.convert(value, type=shape, dec_hook=hook)


def epoch(moment: datetime | None) -> float | None:
    """Seconds since the epoch by the upstream's clock."""
    return None if moment is None else moment.timestamp()


# -- metadata ---------------------------------------------------------------------------------------------------------------
class Labels(Shape, frozen=True):
    """The labels that we read. Keys: facts/hyperpod.md 1.1 and 2.2, Kueue's and the operators' own."""

    queue_name: str | None = field(name="kueue.x-k8s.io/queue-name", default=None)
    priority_class: str | None = field(name="kueue.x-k8s.io/priority-class", default=None)
    job_uid: str | None = field(name="kueue.x-k8s.io/job-uid", default=None)
    pod_group: str | None = field(name="kueue.x-k8s.io/pod-group-name", default=None)
    kueue_managed: str | None = field(name="kueue.x-k8s.io/managed", default=None)
    created_by: str | None = field(name="sagemaker.user/created-by", default=None)
    hp_job: str | None = field(name="HPJob", default=None)
    batch_job: str | None = field(name="batch.kubernetes.io/job-name", default=None)
    training_job: str | None = field(name="training.kubeflow.org/job-name", default=None)
    job_set: str | None = field(name="jobset.sigs.k8s.io/jobset-name", default=None)
    ray_cluster: str | None = field(name="ray.io/cluster", default=None)
    workspace: str | None = field(name="workspace.jupyter.org/workspace-name", default=None)


class Annotations(Shape, frozen=True):
    """The annotations that we read. `contract` is a whole record of DESIGN.md 6, bounded by its own reader."""

    created_by: str | None = field(name="workspace.jupyter.org/created-by", default=None)
    created_by_sagemaker: str | None = field(name="sagemaker.user/created-by", default=None)
    preemption_reason: str | None = field(name="workspace.jupyter.org/preemption-reason", default=None)
    min_parallelism: str | None = field(name="kueue.x-k8s.io/job-min-parallelism", default=None)
    workload: str | None = field(name="kueue.x-k8s.io/workload", default=None)


class OwnerRef(Shape, frozen=True):
    kind: str = ""
    name: str = ""
    uid: str = ""
    controller: bool | None = None


class Meta(Shape, frozen=True):
    name: str = ""
    namespace: str = ""
    uid: str = ""
    generation: int | None = None
    creation_timestamp: datetime | None = None
    deletion_timestamp: datetime | None = None
    labels: Filled[Labels] = field(default_factory=Labels)
    annotations: Filled[Annotations] = field(default_factory=Annotations)
    owner_references: Many[OwnerRef] = ()

    @property
    def created_at(self) -> float | None:
        return epoch(self.creation_timestamp)

    @property
    def deleted_at(self) -> float | None:
        return epoch(self.deletion_timestamp)

    @property
    def controller(self) -> OwnerRef | None:
        """The owner that manages this object; for objects of Kueue the first owner when none is marked so."""
        for owner in self.owner_references:
            if owner.controller:
                return owner
        return self.owner_references[0] if self.owner_references else None

    @property
    def created_by(self) -> str | None:
        """Whoever the author claims to be, in any spelling met (facts/hyperpod.md 1.1): a claim, freely writable, never an identity."""
        return self.annotations.created_by or self.annotations.created_by_sagemaker or self.labels.created_by


class Condition(Shape, frozen=True):
    """A condition without its message: those of operators may carry an application's own output (RayJob puts a traceback there)."""

    type: str = ""
    status: str = ""
    reason: str = ""
    last_transition_time: datetime | None = None

    @property
    def true(self) -> bool:
        return self.status == "True"

    @property
    def at(self) -> float | None:
        return epoch(self.last_transition_time)


# -- what a pod asks for -----------------------------------------------------------------------------------------------------
class Named(Shape, frozen=True):
    name: str = ""


class Resources(Shape, frozen=True):
    requests: Amounts = field(default_factory=dict)
    limits: Amounts = field(default_factory=dict)


class Container(Shape, frozen=True):
    name: str = ""
    resources: Resources | None = None
    restart_policy: str | None = None  # "Always" on an init container makes it a sidecar


class Toleration(Shape, frozen=True):
    key: str | None = None
    operator: str | None = None  # Equal (default) or Exists
    value: str | None = None
    effect: str | None = None


class Requirement(Shape, frozen=True):
    key: str = ""
    operator: str = ""  # In, NotIn, Exists, DoesNotExist, Gt, Lt
    values: Many[str] = ()


class SelectorTerm(Shape, frozen=True):
    """`match_fields` is for the forecast: a node named there takes its flavour alone."""

    match_expressions: Many[Requirement] = ()
    match_fields: Many[Requirement] = ()


class NodeSelector(Shape, frozen=True):
    node_selector_terms: Many[SelectorTerm] = ()  # any one of them


class NodeAffinity(Shape, frozen=True):
    required: NodeSelector | None = field(name="requiredDuringSchedulingIgnoredDuringExecution", default=None)


class Affinity(Shape, frozen=True):
    node_affinity: NodeAffinity | None = None


class LabelSelector(Shape, frozen=True):
    """Empty matches everything; a null selector matches nothing (ClusterQueue.spec.namespaceSelector)."""

    match_labels: Strings = field(default_factory=dict)
    match_expressions: Many[Requirement] = ()


class PodSpec(Shape, frozen=True):
    """What Kueue's request arithmetic and flavour matching need (facts/kubernetes.md 1.5), and where a pod runs."""

    containers: Many[Container] = ()
    init_containers: Many[Container] = ()
    overhead: Amounts = field(default_factory=dict)
    resources: Resources | None = None  # pod level; wins over the containers'
    resource_claims: Many[Named] = ()  # dynamic resource allocation: counted by device class, which we do not read
    node_selector: Strings = field(default_factory=dict)
    tolerations: Many[Toleration] = ()
    affinity: Affinity | None = None
    priority_class_name: str | None = None  # for the check: the priority that a manifest asks for
    runtime_class_name: str | None = None
    service_account_name: str | None = None
    node_name: str | None = None
    scheduling_gates: Many[Named] = ()


class PodTemplate(Shape, frozen=True):
    metadata: Filled[Meta] = field(default_factory=Meta)
    spec: Filled[PodSpec] = field(default_factory=PodSpec)


# -- pods --------------------------------------------------------------------------------------------------------------------
class Waiting(Shape, frozen=True):
    reason: str | None = None


class Running(Shape, frozen=True):
    started_at: datetime | None = None


class Terminated(Shape, frozen=True):
    exit_code: int | None = None
    reason: str | None = None
    signal: int | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None


class ContainerState(Shape, frozen=True):
    """At most one is set; none set means waiting."""

    waiting: Waiting | None = None
    running: Running | None = None
    terminated: Terminated | None = None


class ContainerStatus(Shape, frozen=True):
    name: str = ""
    ready: bool | None = None
    restart_count: int = 0
    state: ContainerState | None = None
    last_state: ContainerState | None = None


class PodCondition(Condition, frozen=True):
    """`message` is kept for PodScheduled=False only: the scheduler's count of nodes and why each did not fit."""

    message: str | None = None

    def __post_init__(self) -> None:
        Condition.__post_init__(self)
        if self.type != "PodScheduled" or self.status == "True":
            force_setattr(self, "message", None)


class PodStatus(Shape, frozen=True):
    phase: str = ""  # Pending, Running, Succeeded, Failed, Unknown
    reason: str | None = None  # Evicted, NodeLost, Preempting ...
    start_time: datetime | None = None
    conditions: Many[PodCondition] = ()
    container_statuses: Many[ContainerStatus] = ()
    init_container_statuses: Many[ContainerStatus] = ()


class Pod(Shape, frozen=True):
    metadata: Filled[Meta] = field(default_factory=Meta)
    spec: Filled[PodSpec] = field(default_factory=PodSpec)
    status: Filled[PodStatus] = field(default_factory=PodStatus)

    def condition(self, kind: str) -> PodCondition | None:
        return next((c for c in self.status.conditions if c.type == kind), None)


# -- namespaces and events ----------------------------------------------------------------------------------------------------
class Namespace(Shape, frozen=True):
    """A namespace in scope, reduced. `labels` are all of its labels: a ClusterQueue's namespaceSelector may name any of them.

    `contract` is the annotation `hpgov/contract`, `contract_manager` who last wrote it by managedFields (None: not recorded).
    """

    name: str
    uid: str = ""
    phase: str | None = None
    created_at: float | None = None
    labels: Strings = field(default_factory=dict)
    contract: str | None = None
    contract_manager: str | None = None
    contract_written_at: float | None = None

    @property
    def managed_queue(self) -> bool:
        return self.labels.get("sagemaker.amazonaws.com/sagemaker-managed-queue") == "true"

    @property
    def quota_allocation(self) -> str | None:
        return self.labels.get("sagemaker.amazonaws.com/quota-allocation-id")


class EventObject(Shape, frozen=True):
    kind: str = ""
    name: str = ""
    uid: str = ""


class EventSeries(Shape, frozen=True):
    count: int | None = None
    last_observed_time: datetime | None = None


KEPT_EVENT_TEXT = frozenset({"FailedScheduling", "NotTriggerScaleUp"})
"""Event reasons whose text counts nodes and resources only. Others may name images, variables, other teams' objects."""


class Event(Shape, frozen=True):
    """core/v1 Event of the own namespace. `message` is kept for KEPT_EVENT_TEXT only."""

    metadata: Filled[Meta] = field(default_factory=Meta)
    involved_object: Filled[EventObject] = field(default_factory=EventObject)
    type: str = ""  # Normal, Warning
    reason: str = ""
    message: str | None = None
    count: int | None = None
    first_timestamp: datetime | None = None
    last_timestamp: datetime | None = None
    event_time: datetime | None = None
    series: EventSeries | None = None

    def __post_init__(self) -> None:
        Shape.__post_init__(self)
        if self.reason not in KEPT_EVENT_TEXT:
            force_setattr(self, "message", None)

    @property
    def at(self) -> float | None:
        """When it was last seen; newer writers fill eventTime or series only."""
        seen = self.series.last_observed_time if self.series else None
        return epoch(seen or self.last_timestamp or self.event_time or self.first_timestamp or self.metadata.creation_timestamp)

    @property
    def times(self) -> int:
        return (self.series.count if self.series and self.series.count else self.count) or 1
