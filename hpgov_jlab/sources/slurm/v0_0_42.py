"""data_parser v0.0.42 (Slurm 24.11, its newest): the shape that every older one is lifted to (facts/slurm.md 3).

Typed subsets: what is not named here is skipped while decoding, other people's comments, commands and folders among it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec

from ...model.slurm import SlurmAssociation, SlurmFairshare, SlurmJob, SlurmLimit, SlurmOwn, SlurmPartition, SlurmQos, SlurmReservation, SlurmRun
from ...model.task import Amount
from . import amounts, scontrol
from .errors import not_the_shape
from .text import NAME_LENGTH

T = TypeVar("T")
VERSION = "v0.0.42"


class Shape(msgspec.Struct, frozen=True):
    """Unknown fields are skipped."""


class Num(Shape, frozen=True):
    """The triple that numbers come as. `set` does not mean that 0 has a meaning."""

    set: bool = False
    infinite: bool = False
    number: float = 0

    @property
    def value(self) -> float | None:
        return self.number if self.set and not self.infinite else None

    @property
    def whole(self) -> int | None:
        return int(self.number) if self.set and not self.infinite else None

    @property
    def moment(self) -> float | None:
        """Epoch seconds; zero is "unknown"."""
        return self.number if self.set and not self.infinite and self.number > 0 else None


NONE = Num()


class Signal(Shape, frozen=True):
    id: Num = NONE


class Exit(Shape, frozen=True):
    return_code: Num = NONE
    signal: Signal = Signal()


class Job(Shape, frozen=True):
    job_id: int
    user_name: str = ""
    account: str = ""
    partition: str = ""
    qos: str = ""
    job_state: list[str] = []
    name: str = ""
    node_count: Num = NONE
    tres_req_str: str = ""
    tres_alloc_str: str = ""
    priority: Num = NONE
    submit_time: Num = NONE
    eligible_time: Num = NONE
    start_time: Num = NONE
    end_time: Num = NONE
    time_limit: Num = NONE
    restart_cnt: int = 0
    exit_code: Exit = Exit()
    state_reason: str = ""
    resv_name: str = ""
    array_job_id: Num = NONE
    array_task_id: Num = NONE
    array_task_string: str = ""
    het_job_id: Num = NONE
    het_job_offset: Num = NONE


class Tres(Shape, frozen=True):
    type: str = ""
    name: str | None = ""
    count: int = 0


class DbTime(Shape, frozen=True):
    submission: float = 0
    start: float = 0
    end: float = 0
    elapsed: float = 0
    limit: Num = NONE


class DbState(Shape, frozen=True):
    current: list[str] = []
    reason: str = ""


class DbArray(Shape, frozen=True):
    job_id: int = 0
    task_id: Num = NONE
    task: str | None = None


class DbTres(Shape, frozen=True):
    requested: list[Tres] = []
    allocated: list[Tres] = []


class DbJob(Shape, frozen=True):
    job_id: int
    user: str = ""
    account: str = ""
    partition: str = ""
    qos: str = ""
    name: str = ""
    state: DbState = DbState()
    time: DbTime = DbTime()
    exit_code: Exit = Exit()
    array: DbArray = DbArray()
    allocation_nodes: int = 0
    tres: DbTres = DbTres()
    kill_request_user: str | None = None


class PerJob(Shape, frozen=True):
    count: Num = NONE
    submitted: Num = NONE
    wall_clock: Num = NONE


class AssocJobs(Shape, frozen=True):
    per: PerJob = PerJob()
    active: Num = NONE
    total: Num = NONE


class PerTres(Shape, frozen=True):
    job: list[Tres] = []
    node: list[Tres] = []
    user: list[Tres] = []
    account: list[Tres] = []


class AssocTres(Shape, frozen=True):
    total: list[Tres] = []
    per: PerTres = PerTres()


class AssocMax(Shape, frozen=True):
    jobs: AssocJobs = AssocJobs()
    tres: AssocTres = AssocTres()


class AssocDefault(Shape, frozen=True):
    qos: str | None = None


class Assoc(Shape, frozen=True):
    account: str
    user: str | None = None
    partition: str | None = None
    parent_account: str | None = None
    lineage: str = ""
    shares_raw: int = 0
    max: AssocMax = AssocMax()
    qos: list[str] = []
    default: AssocDefault = AssocDefault()


class PerWho(Shape, frozen=True):
    user: Num = NONE
    account: Num = NONE


class ActiveJobs(Shape, frozen=True):
    per: PerWho = PerWho()


class QosJobs(Shape, frozen=True):
    count: Num = NONE
    active_jobs: ActiveJobs = ActiveJobs()
    per: PerWho = PerWho()


class Counted(Shape, frozen=True):
    count: Num = NONE


class WallPer(Shape, frozen=True):
    job: Num = NONE


class Wall(Shape, frozen=True):
    per: WallPer = WallPer()


class QosMax(Shape, frozen=True):
    active_jobs: Counted = Counted()
    jobs: QosJobs = QosJobs()
    tres: AssocTres = AssocTres()
    wall_clock: Wall = Wall()


class QosLimits(Shape, frozen=True):
    max: QosMax = QosMax()


class Preempt(Shape, frozen=True):
    over: list[str] = msgspec.field(name="list", default=[])
    mode: list[str] = []


class Qos(Shape, frozen=True):
    name: str
    priority: Num = NONE
    flags: list[str] = []
    limits: QosLimits = QosLimits()
    preempt: Preempt = Preempt()
    usage_factor: Num = NONE


class Factor(Shape, frozen=True):
    factor: Num = NONE
    level: Num = NONE


class Share(Shape, frozen=True):
    name: str
    parent: str = ""
    type: list[str] = []
    shares: Num = NONE
    shares_normalized: Num = NONE
    effective_usage: Num = NONE
    fairshare: Factor = Factor()


class PartNodes(Shape, frozen=True):
    configured: str = ""
    total: int = 0


class Allowed(Shape, frozen=True):
    allowed: str = ""
    deny: str = ""


class PartTres(Shape, frozen=True):
    configured: str = ""


class PartTimes(Shape, frozen=True):
    time: Num = NONE
    nodes: Num = NONE


class PartState(Shape, frozen=True):
    state: list[str] = []


class Partition(Shape, frozen=True):
    name: str
    nodes: PartNodes = PartNodes()
    accounts: Allowed = Allowed()
    groups: Allowed = Allowed()
    qos: Allowed = Allowed()
    tres: PartTres = PartTres()
    defaults: PartTimes = PartTimes()
    maximums: PartTimes = PartTimes()
    partition: PartState = PartState()
    flags: list[str] = []


class Reservation(Shape, frozen=True):
    name: str
    start_time: Num = NONE
    end_time: Num = NONE
    node_list: str = ""
    node_count: int = 0
    partition: str = ""
    flags: list[str] = []
    users: str = ""
    accounts: str = ""
    groups: str = ""


class Node(Shape, frozen=True):
    state: list[str] = []
    tres: str = ""
    tres_used: str = ""


class PingOne(Shape, frozen=True):
    pinged: str = ""


class Meta(Shape, frozen=True):
    """Who answered; its `client.user` is the daemon's, never the identity (facts/slurm.md 2), so it is not read."""

    class Plugin(Shape, frozen=True):
        data_parser: str = ""

    class Slurm(Shape, frozen=True):
        release: str = ""

    plugin: Plugin = Plugin()
    slurm: Slurm = Slurm()
    old: Slurm = msgspec.field(name="Slurm", default=Slurm())  # 22.05 writes it with a capital

    @property
    def release(self) -> str | None:
        return self.slurm.release or self.old.release or None


class Problem(Shape, frozen=True):
    error_number: int | None = None
    errno: int | None = None
    error: str | None = None
    description: str | None = None


class Head(Shape, frozen=True):
    meta: Meta | None = None
    errors: list[Problem] = []


def decode(body: bytes, key: str, shape: type[T], source: str) -> list[T]:
    """The list under `key`. Raises Failure(INVALID) where there is none: what has none is no answer, and never an empty one."""
    try:
        found = decoder(key, shape).decode(body)
    except msgspec.MsgspecError:
        raise not_the_shape(source) from None
    listed: list[T] = getattr(found, key)
    return listed


_decoders: dict[tuple[str, Any], msgspec.json.Decoder[Any]] = {}


def decoder(key: str, shape: Any) -> msgspec.json.Decoder[Any]:
    made = _decoders.get((key, shape))
    if made is None:
        page = msgspec.defstruct(f"{key}_page", [(key, list[shape])])
        made = _decoders[key, shape] = msgspec.json.Decoder(page)
    return made


# -- shape -> model ----------------------------------------------------------------------------------------------------------
def job(one: Job) -> SlurmJob:
    words = [amounts.state_of(w) for w in one.job_state] or ["UNKNOWN"]
    state, flags = words[0], tuple(words[1:])
    ended = state in amounts.ENDED
    start = one.start_time.moment
    name = str(one.job_id)
    array, task = one.array_job_id.whole, one.array_task_id.whole
    if one.array_task_string:
        name = f"{array or one.job_id}_[{one.array_task_string}]"
    elif array and task is not None:
        name = f"{array}_{task}"
    elif one.het_job_id.whole:
        name = f"{one.het_job_id.whole}+{one.het_job_offset.whole or 0}"
    limit = one.time_limit
    return SlurmJob(
        id=name[:128],
        user=one.user_name,
        account=one.account,
        partition=one.partition,
        qos=one.qos or None,
        state=state,
        flags=flags,
        name=one.name[:NAME_LENGTH],
        nodes=one.node_count.whole,
        requested=amounts.tres(one.tres_alloc_str) or amounts.tres(one.tres_req_str),
        priority=one.priority.whole,
        submitted_at=one.submit_time.moment,
        eligible_at=one.eligible_time.moment,
        started_at=start if ended or state in amounts.STARTED else None,
        ended_at=one.end_time.moment if ended else None,
        start_estimate=start if state == "PENDING" else None,
        limit_seconds=limit.value * 60 if limit.value is not None else None,
        unlimited=limit.infinite,
        restarts=one.restart_cnt,
        exit_code=one.exit_code.return_code.whole if ended else None,
        signal=(one.exit_code.signal.id.whole or None) if ended else None,
        reason=amounts.reason_of(one.state_reason),
        reservation=one.resv_name or None,
        array_tasks=amounts.array_tasks(name),
    )


def tres_list(listed: Iterable[Tres]) -> tuple[Amount, ...]:
    """mem counts MiB."""
    found = []
    for one in listed:
        name = amounts.resource(one.type if not one.name else f"{one.type}/{one.name}")
        if amounts.kept(name):
            found.append(Amount(name, str(one.count * (1 << 20) if name == "memory" else one.count)))
    return tuple(found)


def run(one: DbJob, uid: int | None, user: str) -> SlurmRun:
    state = amounts.state_of(one.state.current[0]) if one.state.current else "UNKNOWN"
    name = str(one.job_id)
    if one.array.task:
        name = f"{one.array.job_id or one.job_id}_[{one.array.task}]"
    elif one.array.job_id and one.array.task_id.whole is not None:
        name = f"{one.array.job_id}_{one.array.task_id.whole}"
    limit = one.time.limit.value
    by = one.kill_request_user
    return SlurmRun(
        id=name[:128],
        account=one.account,
        partition=one.partition,
        qos=one.qos or None,
        state=state,
        cancelled_by=("you" if by in (user, str(uid)) else "other") if by and state == "CANCELLED" else None,
        name=one.name[:NAME_LENGTH],
        exit_code=one.exit_code.return_code.whole,
        signal=one.exit_code.signal.id.whole or None,
        submitted_at=one.time.submission or None,
        started_at=one.time.start or None,
        ended_at=one.time.end or None,
        elapsed_seconds=one.time.elapsed,
        limit_seconds=limit * 60 if limit is not None else None,
        nodes=one.allocation_nodes,
        requested=tres_list(one.tres.requested),
        held=tres_list(one.tres.allocated) or None,
        reason=amounts.reason_of(one.state.reason),
    )


def _limits(per: str, listed: Iterable[Tres], jobs: Num = NONE, submitted: Num = NONE, wall: Num = NONE) -> list[SlurmLimit]:
    found = [SlurmLimit(per, a.resource, a.amount) for a in tres_list(listed)]
    found += [SlurmLimit(per, what, str(n.whole)) for what, n in (("jobs", jobs), ("submitted_jobs", submitted)) if n.whole is not None]
    if wall.value is not None:
        found.append(SlurmLimit("job", "wall", str(int(wall.value * 60))))
    return found


def association(one: Assoc) -> SlurmAssociation:
    tres, jobs = one.max.tres, one.max.jobs
    return SlurmAssociation(
        account=one.account,
        user=one.user or None,
        partition=one.partition or None,
        parent=one.account if one.user else one.parent_account or None,
        shares=str(one.shares_raw),
        limits=(
            *_limits("group", tres.total, jobs.per.count, jobs.per.submitted),
            *_limits("job", tres.per.job, wall=jobs.per.wall_clock),
            *_limits("node", tres.per.node),
            *_limits("user", (), jobs.active, jobs.total),
        ),
        qos=tuple(sorted(one.qos)),
        default_qos=one.default.qos or None,
    )


def quality(one: Qos) -> SlurmQos:
    top = one.limits.max
    factor = one.usage_factor.value
    return SlurmQos(
        name=one.name,
        priority=one.priority.whole,
        flags=tuple(_flag(f) for f in one.flags),
        limits=(
            *_limits("group", top.tres.total, top.active_jobs.count, top.jobs.count),
            *_limits("job", top.tres.per.job, wall=top.wall_clock.per.job),
            *_limits("node", top.tres.per.node),
            *_limits("user", top.tres.per.user, top.jobs.active_jobs.per.user, top.jobs.per.user),
            *_limits("account", top.tres.per.account, top.jobs.active_jobs.per.account, top.jobs.per.account),
        ),
        preempts=tuple(one.preempt.over),
        preempt_mode=",".join(m.lower() for m in one.preempt.mode) or None,
        usage_factor=f"{factor:g}" if factor is not None else None,
    )


def _flag(text: str) -> str:
    """DENY_LIMIT and DENY_ON_LIMIT are sacctmgr's DenyOnLimit."""
    return "DenyOnLimit" if text.upper().replace("_", "") in ("DENYLIMIT", "DENYONLIMIT") else text


def fairshare(one: Share) -> SlurmFairshare:
    def told(number: Num) -> str | None:
        return f"{number.number:.6f}" if number.set and not number.infinite else None

    return SlurmFairshare(
        one.parent, str(one.shares.whole) if one.shares.whole is not None else None, told(one.shares_normalized), told(one.effective_usage),
        told(one.fairshare.factor), told(one.fairshare.level),
    )  # fmt: skip


def _names(text: str) -> tuple[str, ...] | None:
    return tuple(filter(None, text.split(","))) or None


def partition(one: Partition, own: SlurmOwn) -> SlurmPartition:
    flags = {f.upper() for f in one.flags}
    longest, usual = one.maximums.time.value, one.defaults.time.value
    return scontrol.partition(
        one.name, one.partition.state[0] if one.partition.state else "UNKNOWN", own, default="DEFAULT" in flags if flags else None,
        node_list=one.nodes.configured,
        nodes=one.nodes.total, max_seconds=longest * 60 if longest is not None else None, default_seconds=usual * 60 if usual is not None else None,
        max_nodes=one.maximums.nodes.whole, accounts=(_names(one.accounts.allowed), _names(one.accounts.deny)),
        qos=(_names(one.qos.allowed), _names(one.qos.deny)),
        groups=_names(one.groups.allowed), root_only="ROOT_ONLY" in flags if flags else None, needs_reservation="REQ_RESV" in flags if flags else None,
        capacity=amounts.tres(one.tres.configured), preempt_mode=None,
    )  # fmt: skip


def reservation(one: Reservation, own: SlurmOwn, source: str) -> SlurmReservation:
    start, end = one.start_time.moment, one.end_time.moment
    if start is None or end is None:
        raise not_the_shape(source)
    return scontrol.reservation(
        one.name, own, starts_at=start, ends_at=end, node_list=one.node_list, nodes=one.node_count, in_partition=one.partition or None, flags=one.flags,
        users=_names(one.users), accounts=_names(one.accounts), groups=_names(one.groups),
    )  # fmt: skip


def node(one: Node) -> tuple[list[str], tuple[Amount, ...] | None, tuple[Amount, ...] | None]:
    return list(one.state), amounts.tres(one.tres), amounts.tres(one.tres_used)


class Adapter:
    """Bodies of this version -> shapes of the newest. Older versions override what differs."""

    version = VERSION

    def head(self, body: bytes, source: str) -> Head:
        """Meta and errors. Raises Failure(INVALID) for a body that is not JSON."""
        try:
            return msgspec.json.decode(body, type=Head)
        except msgspec.MsgspecError:
            raise not_the_shape(source) from None

    def jobs(self, body: bytes, source: str) -> list[Job]:
        return decode(body, "jobs", Job, source)

    def history(self, body: bytes, source: str) -> list[DbJob]:
        return decode(body, "jobs", DbJob, source)

    def associations(self, body: bytes, source: str) -> list[Assoc]:
        return decode(body, "associations", Assoc, source)

    def qos(self, body: bytes, source: str) -> list[Qos]:
        return decode(body, "qos", Qos, source)

    def shares(self, body: bytes, source: str) -> list[Share]:
        try:
            return msgspec.json.decode(body, type=_Shares).shares.shares
        except msgspec.MsgspecError:
            raise not_the_shape(source) from None

    def partitions(self, body: bytes, source: str) -> list[Partition]:
        return decode(body, "partitions", Partition, source)

    def reservations(self, body: bytes, source: str) -> list[Reservation]:
        return decode(body, "reservations", Reservation, source)

    def nodes(self, body: bytes, source: str) -> list[Node]:
        return decode(body, "nodes", Node, source)

    def pings(self, body: bytes, source: str) -> list[str]:
        return [p.pinged for p in decode(body, "pings", PingOne, source)]


class _SharesInner(Shape, frozen=True):
    shares: list[Share]


class _Shares(Shape, frozen=True):
    shares: _SharesInner


def loads(body: bytes, source: str) -> Any:
    """The whole body by Python's own reader, for shapes that msgspec refuses (Infinity). Raises Failure(INVALID)."""
    try:
        return json.loads(body)
    except ValueError:
        raise not_the_shape(source) from None
