"""The team's share: a tagged union without a common base, since Slurm has no lending and no borrowing (DESIGN.md 3, 9).

Amounts are exact decimal strings in canonical units (cpu: cores, memory: bytes, others: pieces); None is "no limit set" where said so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .outcome import Phrase


@dataclass(frozen=True, slots=True)
class Holder:
    """A task, Space or other holder of quota, longest first."""

    uid: str
    kind: str
    name: str
    amount: str
    since: float | None
    is_space: bool = False
    mine: bool | None = None


@dataclass(frozen=True, slots=True)
class KueueShareRow:
    kind: Literal["kueue"]
    flavor: str
    resource: str
    nominal: str
    held: str  # flavorsReservation: quota reserved by admitted and starting tasks
    admitted: str | None
    borrowed: str
    unclaimed: str  # max(0, nominal - held)
    may_borrow_up_to: str | None  # None: no limit of its own
    may_lend_up_to: str | None  # None: all of it
    in_cohort: bool
    holders: tuple[Holder, ...] = ()
    not_attributed: str | None = None  # held minus the holders that we may read; None: holders not readable, or the status lags behind them
    more_holders: int = 0  # holders beyond those listed


@dataclass(frozen=True, slots=True)
class SlurmShareRow:
    """One limit. `limit` None: none set; `held` None: not told; `enforced` None: the configuration is not readable here.

    `per` says whom it counts: group (all under the account or QoS), user (you), account (yours, under the QoS), job, node.
    `resource` is a TRES, or jobs, submitted_jobs, wall (seconds).
    """

    kind: Literal["slurm"]
    scope: Literal["association", "qos"]
    name: str
    resource: str
    limit: str | None
    held: str | None
    enforced: bool | None
    holders: tuple[Holder, ...] = ()
    per: Literal["group", "user", "account", "job", "node"] = "group"
    own: bool = False  # of an association: it is the person's own, not the whole account's
    account: str | None = None  # of a QoS's limit per account: which of the own ones
    not_attributed: str | None = None  # held minus the holders that we may read; None: nothing tells who holds it


@dataclass(frozen=True, slots=True)
class QueueFacts:
    """What the ClusterQueue and LocalQueue say beside numbers. `name_by_rule`: the name was made by HyperPod's rule, not read."""

    cluster_queue: str | None
    cluster_queue_by_rule: bool
    local_queue: str | None
    local_queue_by_rule: bool
    cohort: str | None
    active: bool | None
    not_active_reason: Phrase | None
    stop_policy: str | None
    strategy: str | None
    within_queue: str | None  # preemption.withinClusterQueue
    reclaim: str | None  # preemption.reclaimWithinCohort
    borrow_preempts: str | None  # preemption.borrowWithinCohort.policy
    fair_weight: str | None
    pending: int | None
    reserving: int | None
    admitted: int | None


@dataclass(frozen=True, slots=True)
class CohortSum:
    """Nameless sums over a cohort, only under the cohort reader's rights. `teams` small means a sum may identify a team."""

    cohort: str
    flavor: str
    resource: str
    nominal: str
    held: str
    queues: int
