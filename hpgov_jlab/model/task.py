"""A task of the team, whichever scheduler holds it (DESIGN.md 7 to 9). These dataclasses travel to the browser as they are."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from .outcome import Phrase


class TaskState(StrEnum):
    """In the one order of DESIGN.md 7: the first that holds."""

    FINISHED = "finished"
    DEACTIVATED = "deactivated"
    STOPPING = "stopping"  # evicted, still holding quota
    RUNNING = "running"
    STARTING = "starting"  # admitted, not ready
    CHECKING = "checking"  # quota reserved, held by admission checks
    WAITING = "waiting"
    SUSPENDED = "suspended"  # Kueue: by its owner, and in no line; Slurm: by an administrator or gang scheduling, still holding. The reason tells which
    UNKNOWN = "unknown"  # an unreadable or newer shape, never guessed


@dataclass(frozen=True, slots=True)
class Amount:
    """An exact amount: `amount` is a decimal string in the canonical unit of `resource` (cpu: cores, memory: bytes, others: pieces)."""

    resource: str
    amount: str


@dataclass(frozen=True, slots=True)
class Stop:
    """One eviction or preemption: when it ended (epoch seconds, upstream's clock), why (our words), how often for that cause."""

    at: float | None
    cause: Phrase
    count: int = 1


@dataclass(frozen=True, slots=True)
class Task:
    """One row. Times are epoch seconds by the upstream's clock."""

    uid: str
    scheduler: str  # kueue, slurm, none (not managed by a queue)
    scope: str  # namespace, or Slurm account
    kind: str
    name: str
    state: TaskState
    ended: str | None = None  # well, badly, None unless finished
    reason: Phrase | None = None
    text: str | None = None  # upstream's own words, only for listed reasons (DESIGN.md 2.2)
    next_step: Phrase | None = None
    priority: int | None = None
    priority_class: str | None = None
    requested: tuple[Amount, ...] = ()
    pods: int | None = None  # pods on EKS, nodes on Slurm
    flavors: tuple[str, ...] = ()
    queue: str | None = None
    workload: str | None = None
    created_at: float | None = None
    since: float | None = None  # when the present state began
    started_at: float | None = None
    finished_at: float | None = None
    place_in_line: int | None = None  # 1-based, in the own team's line
    line_source: str | None = None  # visibility, computed
    stops: int | None = None  # None: not known
    last_stop: Stop | None = None
    submitter: str | None = None
    submitter_claimed: bool = False  # from a label or annotation that its author could have written freely
    mine: bool | None = None  # None: submitter not recorded


@dataclass(frozen=True, slots=True)
class ContainerFact:
    name: str
    state: str  # waiting, running, terminated
    reason: str | None = None
    exit_code: int | None = None
    restarts: int = 0
    last_reason: str | None = None  # of the run before, e.g. OOMKilled
    last_exit_code: int | None = None


@dataclass(frozen=True, slots=True)
class PodFact:
    name: str
    phase: str
    node: str | None
    reason: Phrase | None  # why it has no node, or why it is not ready
    text: str | None
    started_at: float | None
    containers: tuple[ContainerFact, ...] = ()


@dataclass(frozen=True, slots=True)
class MorePods:
    """Pods of a task beyond those that are listed, as sums. `in_trouble`: those of them that have something to explain.

    `at_least`: the list of pods is not whole, so there may be more.
    """

    count: int
    by_phase: dict[str, int]  # Running, Pending, Succeeded, Failed, Terminating; whatever else the API server says: Unknown
    in_trouble: int
    at_least: bool


@dataclass(frozen=True, slots=True)
class Moment:
    """One line of a task's history."""

    at: float | None
    what: Phrase
    text: str | None = None


@dataclass(frozen=True, slots=True)
class TaskDetail:
    """The task page: why did it die, what happened last night."""

    task: Task
    history: tuple[Moment, ...] = ()
    stops: tuple[Stop, ...] = ()
    conditions: tuple[Moment, ...] = ()
    pod_sets: tuple[PodSetFact, ...] = ()
    logs_commands: tuple[str, ...] = ()  # made by serialisers (S5), to copy


@dataclass(frozen=True, slots=True)
class PodSetFact:
    name: str
    count: int
    min_count: int | None
    per_pod: tuple[Amount, ...] = field(default_factory=tuple)
    flavors: tuple[str, ...] = ()
