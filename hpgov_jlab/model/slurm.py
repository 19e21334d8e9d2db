"""A Slurm cluster in the product's words: what the adapters lift every version's answer to (facts/slurm.md 3, 6).

Times are epoch seconds by the controller's clock. Amounts are exact decimal strings in canonical units (cpu: cores, memory: bytes, others: pieces).
None means not known or not there, as said at the field; it never means zero. Nothing here holds a name of another team's job, user or account.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .outcome import Phrase
from .task import Amount


@dataclass(frozen=True, slots=True)
class SlurmShape:
    """In which form an answer came. `newer`: a data_parser that this product does not know yet, read as the newest that it knows."""

    form: str  # formatted, v0.0.42 ...
    release: str | None = None  # 24.11.5
    newer: bool = False


@dataclass(frozen=True, slots=True)
class SlurmJob:
    """One job, or one pending array that Slurm still holds as one record. Free text of others never gets here.

    `reason` is Slurm's code; sentences are turned into a code where they are read, since they may name other accounts.
    """

    id: str  # as Slurm writes it: 12, 26_3, 26_[0-9%2], 30+1
    user: str
    account: str
    partition: str
    qos: str | None
    state: str  # base state, in capitals: PENDING, RUNNING ...
    flags: tuple[str, ...] = ()  # further words of the state: COMPLETING, REQUEUED ...
    name: str | None = None
    nodes: int | None = None
    requested: tuple[Amount, ...] | None = None  # None: not told
    priority: int | None = None
    submitted_at: float | None = None
    eligible_at: float | None = None
    started_at: float | None = None  # only of a job that has started
    ended_at: float | None = None  # only of a job that has ended
    start_estimate: float | None = None  # of a pending job, as backfill computed it
    limit_seconds: float | None = None  # None: unlimited, or not told
    unlimited: bool = False
    restarts: int | None = None
    exit_code: int | None = None
    signal: int | None = None
    reason: str | None = None
    reservation: str | None = None
    array_tasks: int | None = None  # tasks in this one record
    number: int | None = None  # of a part of a heterogeneous job (id 30+1): its own job id, by which accounting may know it


@dataclass(frozen=True, slots=True)
class SlurmJobs:
    """`unread`: rows in a form that could not be read; they exist and are not counted as absent."""

    items: tuple[SlurmJob, ...]
    shape: SlurmShape
    unread: int = 0


@dataclass(frozen=True, slots=True)
class SlurmRun:
    """One run of an own job, out of accounting. A requeued job has several of one id (sacct -D)."""

    id: str
    account: str
    partition: str
    qos: str | None
    state: str
    cancelled_by: str | None = None  # you, other; None: not cancelled, or not told
    name: str | None = None
    exit_code: int | None = None
    signal: int | None = None
    submitted_at: float | None = None
    started_at: float | None = None
    ended_at: float | None = None
    elapsed_seconds: float | None = None
    limit_seconds: float | None = None
    nodes: int | None = None
    requested: tuple[Amount, ...] | None = None
    held: tuple[Amount, ...] | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class SlurmHistory:
    runs: tuple[SlurmRun, ...]
    shape: SlurmShape
    unread: int = 0


@dataclass(frozen=True, slots=True)
class QueueSum:
    """Jobs of one partition in one state, whoever they belong to. `gpus` None: not told for all of them."""

    partition: str
    state: str
    jobs: int
    nodes: int
    gpus: int | None


@dataclass(frozen=True, slots=True)
class SlurmQueue:
    """Nameless sums over the whole queue as far as PrivateData lets it be seen. `accounts`: how many accounts stand behind them."""

    sums: tuple[QueueSum, ...]
    accounts: int
    shape: SlurmShape
    unread: int = 0


@dataclass(frozen=True, slots=True)
class SlurmQueueRow:
    """Jobs of one partition, whoever they belong to. A waiting array counts once, as Slurm holds it. `gpus`: held by those that run; None: not told."""

    partition: str  # "a,b": may start in either
    running: int
    suspended: int
    waiting: int
    gpus: str | None


@dataclass(frozen=True, slots=True)
class SlurmQueueSums:
    """The queue as far as Slurm shows it, without a name. `unread`: rows that are in no sum, since they could not be read."""

    rows: tuple[SlurmQueueRow, ...]
    unread: int = 0


@dataclass(frozen=True, slots=True)
class SlurmAccounts:
    """Rows of accounts, out of the database. `not_asked`: accounts known by name that were not asked for, since there are too many."""

    items: tuple[SlurmAssociation, ...]
    not_asked: int = 0


@dataclass(frozen=True, slots=True)
class SlurmLimit:
    """One limit with what is held of it. `limit` None: none set; `held` None: not told.

    `per`: group (everything under the association or QoS), user, account, job, node. `resource`: cpu, memory, node, gres/gpu, billing, jobs,
    submitted_jobs, wall (seconds per job), or another TRES by its own name.
    """

    per: str
    resource: str
    limit: str | None
    held: str | None = None
    account: str | None = None  # whose, of a QoS's limit per account


@dataclass(frozen=True, slots=True)
class SlurmAssociation:
    """An own association (user set), or an account above it (user None)."""

    account: str
    user: str | None
    partition: str | None = None
    parent: str | None = None  # account above; None: not told
    shares: str | None = None  # "parent" is a word of Slurm's own
    limits: tuple[SlurmLimit, ...] = ()
    qos: tuple[str, ...] = ()
    default_qos: str | None = None


@dataclass(frozen=True, slots=True)
class SlurmQos:
    """A QoS. QoS are visible to everybody in every setting of PrivateData (facts/slurm.md 2)."""

    name: str
    priority: int | None = None
    flags: tuple[str, ...] = ()
    limits: tuple[SlurmLimit, ...] = ()
    preempts: tuple[str, ...] = ()
    preempt_mode: str | None = None
    usage_factor: str | None = None


@dataclass(frozen=True, slots=True)
class SlurmUsage:
    """The controller's own view (scontrol show assoc_mgr), reduced to the own associations, the accounts above them, and QoS heads.

    `hidden`: own accounts whose account row was not among what was shown, so that their limits are not visible (not: not set).
    """

    associations: tuple[SlurmAssociation, ...]
    qos: tuple[SlurmQos, ...]
    hidden: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SlurmFairshare:
    """One own line of sshare. `factor` 0..1 decimal string; `level` None: no usage yet (Slurm writes inf)."""

    account: str
    shares: str | None
    norm_shares: str | None
    effective_usage: str | None
    factor: str | None
    level: str | None


@dataclass(frozen=True, slots=True)
class SlurmPartition:
    """`accounts` and `qos`: None: all may; else the own ones among those that may (the others' names are dropped). `groups`: whether the own groups may."""

    name: str
    state: str
    default: bool | None = None  # None: not told
    node_list: str = ""
    nodes: int | None = None
    max_seconds: float | None = None  # None: unlimited, or not told
    default_seconds: float | None = None
    max_nodes: int | None = None
    accounts: tuple[str, ...] | None = None
    qos: tuple[str, ...] | None = None
    groups: bool = True
    root_only: bool | None = None
    needs_reservation: bool | None = None
    capacity: tuple[Amount, ...] = ()
    preempt_mode: str | None = None


@dataclass(frozen=True, slots=True)
class SlurmReservation:
    """`name` None: it is not ours and its name may be made of somebody's."""

    name: str | None
    starts_at: float
    ends_at: float
    node_list: str
    nodes: int | None
    partition: str | None
    flags: tuple[str, ...]
    mine: bool


UNUSABLE = frozenset(
    {
        "DOWN", "DRAIN", "DRAINED", "DRAINING", "FAIL", "FAILING", "NOT_RESPONDING", "MAINTENANCE", "MAINT", "POWERED_DOWN", "POWERING_DOWN", "FUTURE",
        "UNKNOWN", "INVALID_REG", "REBOOT_REQUESTED", "REBOOT_ISSUED", "ERROR",
    }
)  # fmt: skip
"""Words of a node's state that keep jobs away."""


@dataclass(frozen=True, slots=True)
class SlurmNodes:
    """All nodes in aggregate. `held` is what jobs of everybody hold: sums without names."""

    total: int
    by_state: dict[str, int] = field(default_factory=dict)
    capacity: tuple[Amount, ...] = ()
    usable: tuple[Amount, ...] = ()  # of nodes that take jobs
    held: tuple[Amount, ...] = ()


@dataclass(frozen=True, slots=True)
class SlurmNodeState:
    """Nodes of one state, in Slurm's own word. `usable`: they take jobs."""

    state: str
    nodes: int
    usable: bool


@dataclass(frozen=True, slots=True)
class SlurmNodeSums:
    """All nodes that Slurm shows, without a name. GPUs: in all, held by jobs of everybody, on nodes that take no jobs; what is held may be on those, too.
    None: Slurm tells of none.
    """

    total: int
    states: tuple[SlurmNodeState, ...]
    gpus: str | None
    gpus_held: str | None
    gpus_away: str | None


@dataclass(frozen=True, slots=True)
class SlurmConfig:
    """The lines of `scontrol show config` that decide what is enforced, who sees what, and what the order is."""

    cluster: str | None
    release: str | None
    accounting: str | None  # accounting_storage/slurmdbd, (null) ...
    enforce: tuple[str, ...]
    part_limits: str | None  # EnforcePartLimits: NO, ANY, ALL
    priority_type: str | None
    weights: dict[str, str]  # PriorityWeight*
    preempt_type: str | None  # preempt/none, preempt/qos, preempt/partition_prio
    preempt_mode: str | None
    private_data: tuple[str, ...]
    slurm_user: str | None
    scheduler_type: str | None = None  # sched/backfill, sched/builtin
    backfill_window_seconds: float | None = None  # SchedulerParameters=bf_window, or its default; None: not told

    @property
    def limits_enforced(self) -> bool:
        """`safe` implies `limits` (slurm.conf's man page)."""
        return bool({"limits", "safe", "all"} & set(self.enforce))


@dataclass(frozen=True, slots=True)
class SlurmController:
    """`hosts` that answer `scontrol ping` with UP."""

    up: int
    down: int
    client: str | None  # the client's own version


@dataclass(frozen=True, slots=True)
class SlurmOwn:
    """Who reads, for what is reduced to "mine": the Slurm user, its accounts and QoS by its associations, its Unix groups. None: not known."""

    user: str
    accounts: tuple[str, ...] | None
    qos: tuple[str, ...] | None
    groups: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class SlurmPlace:
    """A partition as the person meets it. `allowed` None: cannot be told, since her associations are not readable. `why`: what keeps her out, or limits her."""

    partition: str
    state: str
    allowed: bool | None
    why: tuple[Phrase, ...] = ()
    default: bool | None = None
    max_seconds: float | None = None
    nodes: int | None = None
    capacity: tuple[Amount, ...] = ()


@dataclass(frozen=True, slots=True)
class SlurmFairshareRow:
    """`used` False: the order does not depend on it here (DESIGN.md 9); None: the configuration is not readable."""

    account: str
    shares: str | None
    factor: str | None
    effective_usage: str | None
    used: bool | None
