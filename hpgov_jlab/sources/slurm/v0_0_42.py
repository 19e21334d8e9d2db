"""data_parser v0.0.42 (Slurm 24.11, its newest): the shape that every older one is lifted to (facts/slurm.md 3).

A little over 400 lines: one shape, in one file. Typed subsets: what is not named here is skipped while decoding, other people's comments, commands
and folders among it.
"""

from __future__ import annotations

import json
from typing import Any, TypeVar

import msgspec

from .errors import not_the_shape

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
    count: int | None = 0  # None: not told


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
