"""Every page of the HTTP API (DESIGN.md 11). Codes and parameters travel, never sentences; text made to be copied is the one exception.

Times are epoch seconds. `now` is this server's clock when the answer was put together: the browser ages by the difference to its own
monotonic clock, never by its wall clock.
"""

from __future__ import annotations

from typing import Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict

from ..model.access import AccessRow, CopyText, ManifestBox
from ..model.cluster import Cluster, Identity, Nodes
from ..model.connection import Connection, Orchestrator, Place
from ..model.contract import ContractView, Draft
from ..model.outcome import Outcome, Phrase
from ..model.share import CohortSum, KueueShareRow, QueueFacts, SlurmShareRow
from ..model.slurm import SlurmFairshareRow, SlurmNodeSums, SlurmPlace, SlurmQueueSums
from ..model.task import Moment, MorePods, PodFact, Task, TaskDetail, TaskState

API_VERSION = 1
T = TypeVar("T")


class Wire(BaseModel):
    model_config = ConfigDict(json_schema_serialization_defaults_required=True, extra="forbid", frozen=True)


class Part(Wire, Generic[T]):
    """One part of an answer: old data and a failed last try can stand together (DESIGN.md 4).

    `as_of`: when `data` was read; None without data. `readings`: how each read behind this part ended, so that an answer from
    twelve kinds says which one was denied. `skew`: upstream clock minus ours in seconds.
    """

    data: T | None
    as_of: float | None
    last: Outcome
    readings: list[Outcome] = []
    skew: float | None = None


class Page(Wire):
    now: float
    poll_after_ms: int
    sandbox: bool


class SessionPage(Page):
    api_version: int
    version: str
    place: Part[Place]
    identity: Part[Identity]
    floor_seconds: int
    screens: list[Phrase]  # what the panel should say first: no AWS here, unexpected identity, Studio without a list ...


class Counts(Wire):
    """Tasks by state, each counted once, as the tasks page counts them. `rest`: the states beside running and waiting that any task is in.

    `running` None: of an admitted task it can't be read whether it runs (it is among the unknown of `rest`); never zero for unknown.
    `at_least`: a list behind them is not whole, so there may be more.
    """

    running: int | None
    waiting: int
    rest: dict[TaskState, int]
    at_least: bool


class ShareGlance(Wire):
    """The row the card's bar shows: the scarcest accelerator's, else the first."""

    kind: Literal["kueue"] = "kueue"
    flavor: str
    resource: str
    nominal: str
    held: str
    borrowed: str


class LimitGlance(Wire):
    """A Slurm cluster's bar: of the limits on GPUs the one that is held most. The fields are those of SlurmShareRow."""

    kind: Literal["slurm"] = "slurm"
    scope: Literal["association", "qos"]
    name: str
    resource: str
    per: Literal["group", "user", "account", "job", "node"]
    own: bool
    limit: str
    held: str
    enforced: bool | None


class Card(Wire):
    """A connection in the side panel."""

    connection: Connection
    cluster: Part[Cluster]
    nodes: Part[Nodes]  # as HyperPod says
    slurm_nodes: Part[SlurmNodeSums] | None  # as Slurm says, which may keep jobs away from a node that HyperPod calls Running; None: no Slurm cluster
    contract: Part[ContractView]
    counts: Part[Counts]
    share: Part[ShareGlance | LimitGlance]
    attention: list[Phrase]


class ConnectionsPage(Page):
    connections: Part[list[Card]]
    next_fresh_at: float | None


class NamespaceFact(Wire):
    """A namespace in scope, by which record, and whether it is read. `suggested`: a name by rule, offered and not read."""

    name: str
    source: str  # platform_contract, connection, trait, typed, self_declared, suggested
    read: bool
    why_not: Phrase | None


class ConnectionPage(Page):
    card: Card
    identity: Part[Identity]  # of the reads on this connection: the access role, or the Space's service account
    manifest: Part[ManifestBox]
    namespaces: list[NamespaceFact]
    next_fresh_at: float | None


class TasksPage(Page):
    """A slice of one immutable snapshot; `gone` says that the asked generation is no longer held (reload in place)."""

    tasks: Part[list[Task]]
    generation: str
    generation_gone: bool
    offset: int
    limit: int
    total: int | None  # rows under the filter; None when nothing is readable
    at_least: bool  # a list behind them is not whole: total and by_state count what was read, and there may be more
    by_state: dict[str, int]
    whose: str  # mine, team
    mine_known: bool
    mine_why: Phrase | None
    sort: str
    descending: bool
    text: str
    states: list[str]
    next_fresh_at: float | None


class TaskPage(Page):
    orchestrator: Orchestrator  # decides which parts there can be
    detail: Part[TaskDetail]
    pods: Part[list[PodFact]]  # at most 200: those in trouble first, then by name
    more_pods: MorePods | None = None  # those beyond; None: all that were read are listed, or none could be
    events: Part[list[Moment]]
    next_fresh_at: float | None


class NamespaceQueue(Wire):
    """What the queues of one namespace say. `namespace` None: none is in scope."""

    namespace: str | None
    queue: Part[QueueFacts]
    local_queue: Part[str]


class SharePage(Page):
    orchestrator: Orchestrator  # decides which rows and parts there can be
    rows: Part[list[KueueShareRow | SlurmShareRow]]
    queue: Part[QueueFacts]
    cohort: Part[list[CohortSum]]
    local_queue: Part[str]
    fairshare: Part[list[SlurmFairshareRow]]
    partitions: Part[list[SlurmPlace]]
    slurm_nodes: Part[SlurmNodeSums]
    slurm_queue: Part[SlurmQueueSums]
    notes: list[Phrase]
    cluster_notes: list[Phrase]  # how a Slurm cluster is set up, and what that means for a job
    namespace: str | None = None  # whose `queue` and `local_queue` are
    more_queues: list[NamespaceQueue] = []  # of the other namespaces in scope, and further queues of the first
    next_fresh_at: float | None


class ContractPage(Page):
    contract: Part[ContractView]
    others: list[ContractView]  # lower-ranked or conflicting records, each with its own state
    platform_words: list[Phrase]  # the connection's own name, description, project: not a contract
    draft: Draft
    rights_role: str | None
    next_fresh_at: float | None


class AccessPage(Page):
    identity: Part[Identity]
    rows: list[AccessRow]
    request: list[CopyText]
    notes: list[Phrase]
    next_fresh_at: float | None


class ErrorPage(Wire):
    """4xx and 5xx of our own edge: the input, the rule, what to do."""

    code: str
    params: dict[str, str | int | float | None]


PAGES: tuple[type[Wire], ...] = (SessionPage, ConnectionsPage, ConnectionPage, TasksPage, TaskPage, SharePage, ContractPage, AccessPage, ErrorPage)
