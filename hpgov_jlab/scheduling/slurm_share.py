"""Limits and what is held of them, fairshare, and partitions as the person meets them. Slurm lends and borrows nothing (DESIGN.md 3, 9). Pure."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Literal, cast

from ..model.outcome import Phrase
from ..model.quantity import not_below_zero, subtract
from ..model.share import Holder, SlurmShareRow
from ..model.slurm import (
    SlurmAssociation,
    SlurmConfig,
    SlurmFairshare,
    SlurmFairshareRow,
    SlurmLimit,
    SlurmOwn,
    SlurmPartition,
    SlurmPlace,
    SlurmQos,
    SlurmUsage,
)  # fmt: skip
from ..model.task import Task, TaskState

Per = Literal["group", "user", "account", "job", "node"]
_HOLDS = frozenset({TaskState.RUNNING, TaskState.STARTING, TaskState.STOPPING, TaskState.SUSPENDED})
_SHOWN_WITHOUT_LIMIT = "gres/gpu"
_OF_JOBS = frozenset({"cpu", "memory", "node", "jobs"})


def slurm_share(
    usage: SlurmUsage | None, associations: Sequence[SlurmAssociation] | None, accounts: Sequence[SlurmAssociation] | None, qos: Sequence[SlurmQos] | None,
    config: SlurmConfig | None, own: SlurmOwn, tasks: Iterable[Task] = (),
) -> tuple[SlurmShareRow, ...]:  # fmt: skip
    """Rows of the Share tab: own associations, the accounts above them, and the QoS that the person may use.

    Limits come from the database and from the controller, what is held from the controller only. A limit that is not visible makes no row (it is not
    "none set"): `slurm_notes` names the accounts. Without any limit a row for GPUs still says what is held.
    """
    enforced = config.limits_enforced if config is not None else None
    listed = tuple(tasks)
    holding = [t for t in listed if t.state in _HOLDS]
    # which QoS are hers may not be readable: then only those that she uses surely are, and of the others what is held is another team's
    usable = own.qos if own.qos is not None else {t.priority_class for t in listed if t.mine}
    rows: list[SlurmShareRow] = []
    merged = _merged((*(associations or ()), *(accounts or ())), usage.associations if usage is not None else ())
    below = _below({row.account: row.parent for row in merged if row.user is None}, own.accounts or ())
    hers = [row for row in merged if row.user is not None]
    for row in merged:
        mine = row.user is not None
        under = {row.account} if mine else {row.account, *below.get(row.account, ())}
        inside = [t for t in holding if t.scope in under]
        yours = [t for t in inside if t.mine]
        for one in _shown(row.limits, always=row.account in (own.accounts or ())):
            if not mine and one.per == "user":
                each = _each(one, [x for x in hers if x.account in under])
                if each is not None:
                    rows.append(_row("association", row.account, each, enforced, yours))
            else:
                rows.append(_row("association", row.account, one, enforced, yours if mine else inside, own=mine))
    for quality in _qualities(qos or (), usage.qos if usage is not None else (), usable):
        inside = [t for t in holding if t.priority_class == quality.name]
        for one in _shown(quality.limits, always=False):
            rows.append(_row("qos", quality.name, one, enforced, [t for t in inside if (one.per != "user" or t.mine) and one.account in (None, t.scope)]))
    return tuple(rows)


def _below(parents: Mapping[str, str | None], accounts: Iterable[str]) -> dict[str, set[str]]:
    """Account -> those of the given accounts whose jobs count under it: itself, and what is further down."""
    found: dict[str, set[str]] = {}
    for account in accounts:
        at: str | None = account
        while at is not None and account not in found.setdefault(at, set()):
            found[at].add(account)
            at = parents.get(at)
    return found


def _each(one: SlurmLimit, hers: Sequence[SlurmAssociation]) -> SlurmLimit | None:
    """An account's limit for each of its users, as it meets this person; None where her own associations say their own.

    Slurm hands it down to the users' associations, where another can stand, and checks it there alone. What the account holds as a whole, which the
    controller writes beside it, is not what she holds.
    """
    told = [x for row in hers for x in row.limits if (x.per, x.resource) == (one.per, one.resource)]
    if any(x.limit is not None for x in told):
        return None
    return replace(one, held=told[0].held if len(told) == 1 else None)


def _merged(database: Iterable[SlurmAssociation], controller: Iterable[SlurmAssociation]) -> list[SlurmAssociation]:
    """One row per (account, user, partition): the controller's, which also says what is held, completed by what only the database has."""
    found: dict[tuple[str, str | None, str | None], SlurmAssociation] = {}
    for row in (*controller, *database):
        key = (row.account, row.user, row.partition)
        at = found.get(key)
        if at is None:
            found[key] = row
            continue
        have = {(one.per, one.resource) for one in at.limits}
        limits = (*at.limits, *(one for one in row.limits if (one.per, one.resource) not in have))
        found[key] = SlurmAssociation(
            at.account, at.user, at.partition, at.parent or row.parent, at.shares or row.shares, limits, row.qos or at.qos, row.default_qos
        )
    return list(found.values())


def _qualities(database: Iterable[SlurmQos], controller: Iterable[SlurmQos], hers: Container[str | None]) -> list[SlurmQos]:
    held = {one.name: one for one in controller}
    found: list[SlurmQos] = []
    for one in database or held.values():
        if one.name not in hers:
            continue
        told = held.get(one.name)
        if told is not None and told is not one:
            have = {(x.per, x.resource) for x in told.limits}
            limits = (*told.limits, *(x for x in one.limits if (x.per, x.resource) not in have))
            one = SlurmQos(one.name, one.priority, one.flags, limits, one.preempts, one.preempt_mode, one.usage_factor)
        found.append(one)
    return found


def _shown(limits: Iterable[SlurmLimit], *, always: bool) -> list[SlurmLimit]:
    """Those that are set; and GPUs held without one, where that is asked for."""
    return [x for x in limits if x.limit is not None or (always and x.per == "group" and x.resource == _SHOWN_WITHOUT_LIMIT and x.held is not None)]


def _row(scope: Literal["association", "qos"], name: str, one: SlurmLimit, enforced: bool | None, tasks: Iterable[Task], *, own: bool = False) -> SlurmShareRow:
    counted = one.per in ("group", "user", "account") and one.held is not None
    holders = _holders(tasks, one.resource) if counted else ()
    rest = _rest(one, holders) if counted else None
    return SlurmShareRow("slurm", scope, name, one.resource, one.limit, one.held, enforced, holders, cast(Per, one.per), own, one.account, rest)


def _rest(one: SlurmLimit, holders: Iterable[Holder]) -> str | None:
    """What is held beyond the holders, not below zero; None for a resource of which a job's own row does not say how much it holds."""
    if one.held is None or not (one.resource in _OF_JOBS or one.resource.startswith(("gres/", "license/"))):
        return None
    rest = one.held
    for holder in holders:
        rest = subtract(rest, holder.amount)
    return not_below_zero(rest)


def _holders(tasks: Iterable[Task], resource: str) -> tuple[Holder, ...]:
    """Longest first."""
    found = []
    for task in tasks:
        amount = "1" if resource == "jobs" else next((a.amount for a in task.requested if a.resource == resource), None)
        if amount is not None and amount != "0":
            found.append(Holder(task.uid, task.kind, task.name, amount, task.started_at, False, task.mine))
    return tuple(sorted(found, key=lambda h: (h.since is None, h.since or 0.0, h.uid)))


def tightest(rows: Iterable[SlurmShareRow]) -> SlurmShareRow | None:
    """The row for a card's one bar: of the limits on GPUs of which it is told what is held, the most held one."""
    best: SlurmShareRow | None = None
    for row in rows:
        gpus = row.resource == _SHOWN_WITHOUT_LIMIT or row.resource.startswith(f"{_SHOWN_WITHOUT_LIMIT}:")
        if gpus and row.limit is not None and row.held is not None and (best is None or _fuller(row, best)):
            best = row
    return best


def _fuller(first: SlurmShareRow, second: SlurmShareRow) -> bool:
    """held/limit compared by cross-multiplication: exact, and a limit of zero that is held at all is the fullest; of equals the smaller limit."""
    a_held, a_limit, b_held, b_limit = (Fraction(x or 0) for x in (first.held, first.limit, second.held, second.limit))
    return (a_held * b_limit, -a_limit) > (b_held * a_limit, -b_limit)


# -- fairshare ----------------------------------------------------------------------------------------------------------------
def fairshare_used(config: SlurmConfig | None) -> bool | None:
    """Whether the order depends on fairshare at all: not with priority/basic, and not with a weight of 0 (DESIGN.md 9)."""
    if config is None or config.priority_type is None:
        return None
    if config.priority_type != "priority/multifactor":
        return False
    weight = config.weights.get("PriorityWeightFairShare")
    return None if weight is None else weight.strip() != "0"


def slurm_fairshare(shares: Iterable[SlurmFairshare], config: SlurmConfig | None) -> tuple[SlurmFairshareRow, ...]:
    used = fairshare_used(config)
    return tuple(SlurmFairshareRow(s.account, s.shares, s.factor, s.effective_usage, used) for s in shares)


# -- partitions ---------------------------------------------------------------------------------------------------------------
def slurm_places(partitions: Iterable[SlurmPartition], own: SlurmOwn) -> tuple[SlurmPlace, ...]:
    """What is allowed to this person where: by account, QoS, group, state. What only the controller decides (JobSubmitPlugins) is not in it."""
    return tuple(_place(one, own) for one in partitions)


def _place(one: SlurmPartition, own: SlurmOwn) -> SlurmPlace:
    why: list[Phrase] = []
    allowed: bool | None = True
    at: dict[str, str | int | float | None] = {"partition": one.name}
    if one.state != "UP":
        why.append(Phrase("slurm_place_not_up", {**at, "state": one.state}))
    if one.root_only:
        allowed = False
        why.append(Phrase("slurm_place_root_only", at))
    if not one.groups:
        allowed = False
        why.append(Phrase("slurm_place_groups", at))
    for limited, mine, closed, some in (
        (one.accounts, own.accounts, "slurm_place_accounts", "slurm_place_some_accounts"),
        (one.qos, own.qos, "slurm_place_qos", "slurm_place_some_qos"),
    ):
        if limited is None:
            continue
        if mine is None:
            allowed = None if allowed else allowed
            why.append(Phrase("slurm_place_unknown", at))
        elif not limited:
            allowed = False
            why.append(Phrase(closed, at))
        elif len(limited) < len(mine):
            why.append(Phrase(some, {**at, "names": ", ".join(limited)}))
    if one.needs_reservation:
        why.append(Phrase("slurm_place_reservation", at))
    return SlurmPlace(one.name, one.state, allowed, tuple(why), one.default, one.max_seconds, one.nodes, one.capacity)
