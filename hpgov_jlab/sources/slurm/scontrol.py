"""What `scontrol show` prints -> model.slurm, reduced before anything is kept: other teams' names end here. Pure.

Records are paragraphs of Key=value. The first value of a key counts: free text that an administrator wrote (Reason, Comment) stands after the rest.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from decimal import Decimal

from ...model.slurm import (
    UNUSABLE,
    SlurmAssociation,
    SlurmConfig,
    SlurmController,
    SlurmLimit,
    SlurmNodes,
    SlurmOwn,
    SlurmPartition,
    SlurmQos,
    SlurmReservation,
    SlurmUsage,
)  # fmt: skip
from ...model.task import Amount
from ...policy.slurm import CONFIG_LINES
from . import amounts
from .errors import not_the_shape, says_nothing

_KEY = re.compile(r"(?:^|\s)([A-Za-z][A-Za-z0-9_/:\[\]]*)=(\S*)")
_WORD = re.compile(r"[A-Za-z0-9_/.,:=+*()@-]{1,200}")
_HELD = re.compile(r"([0-9.]+|N)\(([0-9.]+)\)")
DEFAULT_WINDOW = 24 * 3600.0


def _records(out: str, key: str, source: str) -> Iterator[dict[str, str]]:
    """Paragraphs that begin with `key=`. Raises Failure(INVALID) if there is text and none of them."""
    pieces = re.split(rf"(?m)^(?={key}=)", out)
    if len(pieces) == 1 and out.strip() and not says_nothing(out):
        raise not_the_shape(source)
    for piece in pieces[1:]:
        found: dict[str, str] = {}
        for name, value in _KEY.findall(piece):
            found.setdefault(name, value)
        yield found


def _list(text: str) -> tuple[str, ...] | None:
    """None: ALL, or nothing said."""
    return None if text in ("ALL", "", "(null)", "N/A") else tuple(filter(None, text.split(",")))


def _own(allowed: tuple[str, ...] | None, denied: tuple[str, ...] | None, mine: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """Which of the own ones may. None: every one may. Names that are not ours go no further."""
    if allowed is None and denied is None:
        return None
    have = mine or ()
    return tuple(name for name in have if (allowed is None or name in allowed) and (denied is None or name not in denied))


def partition(
    name: str, state: str, own: SlurmOwn, *, default: bool | None, node_list: str, nodes: int | None, max_seconds: float | None, default_seconds: float | None,
    max_nodes: int | None, accounts: tuple[tuple[str, ...] | None, tuple[str, ...] | None], qos: tuple[tuple[str, ...] | None, tuple[str, ...] | None],
    groups: tuple[str, ...] | None, root_only: bool | None, needs_reservation: bool | None, capacity: tuple[Amount, ...] | None, preempt_mode: str | None,
) -> SlurmPartition:  # fmt: skip
    """One partition, reduced to what it says about the person. `accounts`, `qos`: (allowed, denied), None for all and nobody."""
    return SlurmPartition(
        name, state, default, node_list, nodes, max_seconds, default_seconds, max_nodes,
        accounts=_own(*accounts, own.accounts), qos=_own(*qos, own.qos), groups=groups is None or bool(set(groups) & set(own.groups or ())),
        root_only=root_only, needs_reservation=needs_reservation, capacity=capacity or (), preempt_mode=preempt_mode,
    )  # fmt: skip


def partitions(out: str, own: SlurmOwn, source: str) -> tuple[SlurmPartition, ...]:
    """Every partition that is shown to the user. Raises Failure(INVALID)."""
    return tuple(
        partition(
            at["PartitionName"], at.get("State", "UNKNOWN"), own, default=at.get("Default") == "YES", node_list=_nodes(at.get("Nodes", "")),
            nodes=amounts.number(at.get("TotalNodes", "")), max_seconds=amounts.seconds(at.get("MaxTime", "")),
            default_seconds=amounts.seconds(at.get("DefaultTime", "")),
            max_nodes=amounts.number(at.get("MaxNodes", "")), accounts=(_list(at.get("AllowAccounts", "")), _list(at.get("DenyAccounts", ""))),
            qos=(_list(at.get("AllowQos", "")), _list(at.get("DenyQos", ""))), groups=_list(at.get("AllowGroups", "")), root_only=at.get("RootOnly") == "YES",
            needs_reservation=at.get("ReqResv") == "YES", capacity=amounts.tres(at.get("TRES", "")),
            preempt_mode=amounts.none_if_empty(at.get("PreemptMode", "")),
        )
        for at in _records(out, "PartitionName", source)
    )  # fmt: skip


def _nodes(text: str) -> str:
    return "" if text == "(null)" else text


def reservation(
    name: str, own: SlurmOwn, *, starts_at: float, ends_at: float, node_list: str, nodes: int | None, in_partition: str | None, flags: Iterable[str],
    users: tuple[str, ...] | None, accounts: tuple[str, ...] | None, groups: tuple[str, ...] | None,
) -> SlurmReservation:  # fmt: skip
    """One reservation, reduced. Slurm names one after its first user or account unless told otherwise, so a name that is not ours is dropped with those."""
    whose = {*(users or ()), *(accounts or ()), *(groups or ())}
    mine = bool(whose & {own.user, *(own.accounts or ()), *(own.groups or ())})
    named = {w.removeprefix("-") for w in whose}  # -NAME: everybody but these; Slurm leaves the sign out of the name that it makes
    made_of_a_name = any(name == w or re.fullmatch(re.escape(w) + r"_\d+", name) for w in named)
    return SlurmReservation(name if mine or not made_of_a_name else None, starts_at, ends_at, node_list, nodes, in_partition, tuple(flags), mine)


def reservations(out: str, own: SlurmOwn, source: str) -> tuple[SlurmReservation, ...]:
    """Every reservation that is shown to the user. Raises Failure(INVALID)."""
    found = []
    for at in _records(out, "ReservationName", source):
        start, end = amounts.moment(at.get("StartTime", "")), amounts.moment(at.get("EndTime", ""))
        if start is None or end is None:
            raise not_the_shape(source)
        found.append(
            reservation(
                at["ReservationName"], own, starts_at=start, ends_at=end, node_list=_nodes(at.get("Nodes", "")), nodes=amounts.number(at.get("NodeCnt", "")),
                in_partition=amounts.none_if_empty(at.get("PartitionName", "")), flags=_list(at.get("Flags", "")) or (), users=_list(at.get("Users", "")),
                accounts=_list(at.get("Accounts", "")), groups=_list(at.get("Groups", "")),
            )
        )  # fmt: skip
    return tuple(found)


def nodes(out: str, source: str) -> SlurmNodes:
    """All nodes, counted. Raises Failure(INVALID)."""
    return sum_nodes(
        (re.split(r"[+*]+", at.get("State", "UNKNOWN").rstrip("*~#!%$@^-")), amounts.tres(at.get("CfgTRES", "")), amounts.tres(at.get("AllocTRES", "")))
        for at in _records(out, "NodeName", source)
    )


def sum_nodes(read: Iterable[tuple[list[str], tuple[Amount, ...] | None, tuple[Amount, ...] | None]]) -> SlurmNodes:
    """(words of the state, TRES there are, TRES held) of every node -> sums. A node's state is its first word, or the first that keeps jobs away."""
    states: dict[str, int] = defaultdict(int)
    sums: tuple[dict[str, Decimal], ...] = (defaultdict(Decimal), defaultdict(Decimal), defaultdict(Decimal))
    total = 0
    for words, capacity, held in read:
        total += 1
        told = [w.upper() for w in words if w]
        away = [w for w in told if w in UNUSABLE]
        states[(away or told or ["UNKNOWN"])[0]] += 1
        for amounts_, into in ((capacity, sums[0]), (None if away else capacity, sums[1]), (held, sums[2])):
            for amount in amounts_ or ():
                into[amount.resource] += Decimal(amount.amount)
    made = tuple(tuple(Amount(name, amounts.plain(value)) for name, value in sorted(s.items())) for s in sums)
    return SlurmNodes(total, dict(states), *made)


def config(out: str, source: str) -> SlurmConfig:
    """The deciding lines only. Raises Failure(INVALID)."""
    lines: dict[str, str] = {}
    for line in out.splitlines():
        name, mark, value = line.partition("=")
        if mark and name.strip() in CONFIG_LINES:
            lines.setdefault(name.strip(), value.strip())
    if "AccountingStorageEnforce" not in lines and "PriorityType" not in lines:
        raise not_the_shape(source)

    def said(name: str) -> str | None:
        value = lines.get(name, "")
        return value if _WORD.fullmatch(value) and value not in ("(null)", "N/A", "none") else None

    def words(name: str) -> tuple[str, ...]:
        return tuple(w for w in (said(name) or "").split(",") if w and w.lower() != "none")

    preempt = said("PreemptType") or ("preempt/none" if "PreemptType" in lines else None)
    return SlurmConfig(
        cluster=said("ClusterName"),
        release=said("SLURM_VERSION"),
        accounting=said("AccountingStorageType"),
        enforce=words("AccountingStorageEnforce"),
        part_limits=said("EnforcePartLimits"),
        priority_type=said("PriorityType"),
        weights={n: v for n in CONFIG_LINES if n.startswith("PriorityWeight") and (v := said(n)) is not None},
        preempt_type=preempt,
        preempt_mode=said("PreemptMode"),
        private_data=words("PrivateData"),
        slurm_user=(said("SlurmUser") or "").split("(", 1)[0] or None,
        scheduler_type=said("SchedulerType"),
        backfill_window_seconds=_backfill_window(lines.get("SchedulerParameters")),
    )


def _backfill_window(text: str | None) -> float | None:
    """How far ahead backfill looks: bf_window counts minutes, and is a day unless it is set (slurm.conf's man page)."""
    if text is None:
        return None
    found = re.search(r"(?:^|,)bf_window=([0-9]{1,7})(?:,|$)", text)
    return float(found[1]) * 60 if found is not None else DEFAULT_WINDOW


def controller(out: str, client: str | None) -> SlurmController:
    """Lines such as `Slurmctld(primary) at host is UP`; the hosts' names are not kept."""
    return SlurmController(len(re.findall(r"(?m) is UP\s*$", out)), len(re.findall(r"(?m) is DOWN\s*", out)), client)


# -- assoc_mgr ----------------------------------------------------------------------------------------------------------------
def _held(per: str, text: str) -> Iterator[SlurmLimit]:
    """`cpu=N(5),gres/gpu=12(4)` -> limit and what is held of it; N is no limit."""
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        match = _HELD.fullmatch(value)
        name = amounts.resource(name)
        if match is None:
            continue
        limit = None if match[1] == "N" else match[1]
        convert = amounts.memory if name == "memory" else amounts.count
        if amounts.kept(name) or limit is not None:
            yield SlurmLimit(per, name, convert(limit) if limit is not None else None, convert(match[2]))


def _counted(per: str, resource: str, text: str) -> Iterator[SlurmLimit]:
    match = _HELD.fullmatch(text)
    if match is not None:
        yield SlurmLimit(per, resource, None if match[1] == "N" else amounts.count(match[1]), amounts.count(match[2]))
    elif (plain := amounts.count(text)) is not None:
        yield SlurmLimit(per, resource, plain)


def _set(per: str, text: str) -> Iterator[SlurmLimit]:
    """Limits per job or node, which nothing is held of: `gres/gpu=1`."""
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        name = amounts.resource(name)
        amount = amounts.memory(value) if name == "memory" else amounts.count(value)
        if amount is not None:
            yield SlurmLimit(per, name, amount)


def _wall(text: str) -> Iterator[SlurmLimit]:
    if (long := amounts.minutes(text)) is not None:
        yield SlurmLimit("job", "wall", str(int(long)))


def _group(at: dict[str, str]) -> tuple[SlurmLimit, ...]:
    return (
        *_held("group", at.get("GrpTRES", "")),
        *_counted("group", "jobs", at.get("GrpJobs", "")),
        *_counted("group", "submitted_jobs", at.get("GrpSubmitJobs", "")),
        *_set("job", at.get("MaxTRESPJ", "")),
        *_set("node", at.get("MaxTRESPN", "")),
        *_wall(at.get("MaxWallPJ", "")),
        *_counted("user", "jobs", at.get("MaxJobs", "")),
        *_counted("user", "submitted_jobs", at.get("MaxSubmitJobs", "")),
    )


def _named(text: str) -> str | None:
    """`research-nlp(4)` or `alice(1000)` -> the name."""
    return text.split("(", 1)[0] or None


def associations(out: str, user: str, source: str) -> tuple[tuple[SlurmAssociation, ...], tuple[str, ...]]:
    """Own associations, the accounts above them below root, and own accounts whose account row is hidden. Everybody else's rows end here.

    Raises Failure(INVALID).
    """
    own: list[SlurmAssociation] = []
    accounts: dict[str, tuple[str | None, SlurmAssociation]] = {}
    for at in _records(out, "ClusterName", source):
        whose, account = _named(at.get("UserName", "")), at.get("Account", "")
        if whose not in (None, user):
            continue
        parent = _named(at.get("ParentAccount", ""))
        shares = at.get("SharesRaw/Norm/Level/Factor", "").split("/", 1)[0] or None
        made = SlurmAssociation(account, whose, at.get("Partition") or None, account if whose else parent, shares, _group(at))
        if whose:
            own.append(made)
        else:
            accounts[account] = (parent, made)
    above: dict[str, SlurmAssociation] = {}
    for mine in own:
        at_account: str | None = mine.account
        while at_account is not None and at_account != "root" and at_account in accounts and at_account not in above:
            parent, row = accounts[at_account]
            above[at_account] = row
            at_account = parent
    hidden = tuple(dict.fromkeys(a.account for a in own if a.account not in accounts))
    return (*own, *above.values()), hidden


def qos_usage(out: str, user: str, uid: int | None, accounts: Iterable[str], source: str) -> tuple[SlurmQos, ...]:
    """The head of every QoS, and of the lines per account and per user below it only one's own (facts/slurm.md 2). Raises Failure(INVALID)."""
    if out.strip() and "QOS Records" not in out:
        raise not_the_shape(source)
    mine_accounts = set(accounts)
    found: list[SlurmQos] = []
    for piece in re.split(r"(?m)^(?=QOS=)", out)[1:]:
        head, _, rest = piece.partition("\n    Account Limits")
        per_account, _, per_user = rest.partition("\n    User Limits")
        at = _pairs(head)
        limits = [*_group(at)]
        for account, text in _sections(per_account, lambda name: name in mine_accounts):
            limits += [replace(x, account=account) for x in _per("account", "PA", text)]
        for _, text in _sections(per_user, lambda name: _named(name) == user or (uid is not None and name == str(uid))):
            limits += _per("user", "PU", text)
        found.append(
            SlurmQos(_named(at.get("QOS", "")) or "", amounts.number(at.get("Priority", "")), limits=tuple(limits),
                preempt_mode=amounts.none_if_empty(at.get("PreemptMode", "")))
        )  # fmt: skip
    return tuple(found)


def _per(per: str, suffix: str, at: dict[str, str]) -> list[SlurmLimit]:
    return [
        *_held(per, at.get(f"MaxTRES{suffix}", "")),
        *_counted(per, "jobs", at.get(f"MaxJobs{suffix}", "")),
        *_counted(per, "submitted_jobs", at.get(f"MaxSubmitJobs{suffix}", "")),
    ]


def _pairs(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in _KEY.findall(text):
        found.setdefault(name, value)
    return found


def _sections(text: str, wanted: Callable[[str], bool]) -> Iterator[tuple[str, dict[str, str]]]:
    """Blocks whose name stands alone at six blanks; only the wanted are read."""
    for piece in re.split(r"(?m)^ {6}(?=\S)", text)[1:]:
        name, _, body = piece.partition("\n")
        if wanted(name.strip()):
            yield name.strip(), _pairs(body)


def usage(assoc: str, qos: str, user: str, uid: int | None, source: str) -> SlurmUsage:
    """Both halves of assoc_mgr. Raises Failure(INVALID)."""
    own, hidden = associations(assoc, user, source)
    return SlurmUsage(own, qos_usage(qos, user, uid, {a.account for a in own if a.user}, source), hidden)
