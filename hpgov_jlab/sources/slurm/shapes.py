"""The shapes of slurmrestd's and `--json`'s answers, as the newest data_parser (v0.0.42, Slurm 24.11) spells them (facts/slurm.md 3).

Typed subsets: what is not named here is skipped while decoding, other people's comments, commands and folders among it. Where v0.0.38 (22.05) differs
only in how it writes a number or a state, both ways are of the field's type, and the functions here read them: a bare number, or the triple; a word, or
a list of words. Where it differs in more, v0_0_38.py lifts it.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec

LARGEST = 2.0**63
"""Beyond it a number counts nothing: it is what a bad answer may hold."""
YEAR_10000 = 253_402_300_800
NO_LIMIT = 2**31
"""v0.0.38 writes large numbers, null and -1 for "no limit"."""


class Shape(msgspec.Struct, frozen=True):
    """Unknown fields are skipped."""


class Num(Shape, frozen=True):
    """The triple that numbers come as. `set` does not mean that 0 has a meaning."""

    set: bool = False
    infinite: bool = False
    number: float = 0


Number: TypeAlias = Num | int | float | None
Words: TypeAlias = list[str] | str
JobId: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**32 - 1)]
NONE = Num()


def value(told: Number) -> float | None:
    """None: not set, unlimited, or no number that anything could count."""
    number = told if not isinstance(told, Num) else told.number if told.set and not told.infinite else None
    return number if number is not None and -LARGEST < number < LARGEST else None


def whole(told: Number) -> int | None:
    number = value(told)
    return None if number is None else int(number)


def moment(told: Number) -> float | None:
    """Epoch seconds; zero is "unknown"."""
    number = value(told)
    return number if number is not None and 0 < number < YEAR_10000 else None


def limit(told: Number) -> float | None:
    """A limit. None: there is none, or it is not told."""
    number = value(told)
    return number if isinstance(told, Num) or (number is not None and 0 <= number < NO_LIMIT) else None


def unlimited(told: Number) -> bool:
    """Whether it says that there is no limit; a field that is not there says nothing."""
    return told.infinite if isinstance(told, Num) else limit(told) is None


def words(told: Words) -> list[str]:
    return [told] if isinstance(told, str) else told


class Signal(Shape, frozen=True):
    id: Number = NONE


class Exit(Shape, frozen=True):
    return_code: Number = NONE
    signal: Signal = Signal()


class Job(Shape, frozen=True):
    job_id: JobId
    user_name: str = ""
    account: str = ""
    partition: str = ""
    qos: str = ""
    job_state: Words = []
    name: str = ""
    node_count: Number = NONE
    tres_req_str: str = ""
    tres_alloc_str: str = ""
    priority: Number = NONE
    submit_time: Number = NONE
    eligible_time: Number = NONE
    start_time: Number = NONE
    end_time: Number = NONE
    time_limit: Number = NONE
    restart_cnt: int = 0
    exit_code: Exit | int | None = None  # v0.0.38: the raw wait status
    state_reason: str = ""
    resv_name: str = ""
    array_job_id: Number = NONE
    array_task_id: Number = NONE
    array_task_string: str = ""
    het_job_id: Number = NONE
    het_job_offset: Number = NONE


class Tres(Shape, frozen=True):
    type: str = ""
    name: str | None = ""
    count: int | None = 0  # None: not told


class DbTime(Shape, frozen=True):
    submission: float = 0
    start: float = 0
    end: float = 0
    elapsed: float = 0
    limit: Number = NONE


class DbState(Shape, frozen=True):
    current: Words = []
    reason: str = ""


class DbArray(Shape, frozen=True):
    job_id: int = 0
    task_id: Number = NONE
    task: str | None = None


class DbHet(Shape, frozen=True):
    """24.11 does not tell it of a job that waits."""

    job_id: int = 0
    job_offset: Number = NONE


class DbTres(Shape, frozen=True):
    requested: list[Tres] = []
    allocated: list[Tres] = []


class DbJob(Shape, frozen=True):
    job_id: JobId
    user: str = ""
    account: str = ""
    partition: str = ""
    qos: str = ""
    name: str = ""
    state: DbState = DbState()
    time: DbTime = DbTime()
    exit_code: Exit = Exit()
    array: DbArray = DbArray()
    het: DbHet = DbHet()
    allocation_nodes: int | None = None
    tres: DbTres = DbTres()
    kill_request_user: str | None = None


class PerJob(Shape, frozen=True):
    count: Number = NONE
    submitted: Number = NONE
    wall_clock: Number = NONE


class AssocJobs(Shape, frozen=True):
    per: PerJob = PerJob()
    active: Number = NONE
    total: Number = NONE


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
    shares_raw: int = 0
    max: AssocMax = AssocMax()
    qos: list[str] = []
    default: AssocDefault = AssocDefault()


class PerWho(Shape, frozen=True):
    user: Number = NONE
    account: Number = NONE


class ActiveJobs(Shape, frozen=True):
    per: PerWho = PerWho()


class QosJobs(Shape, frozen=True):
    count: Number = NONE
    active_jobs: ActiveJobs = ActiveJobs()
    per: PerWho = PerWho()


class Counted(Shape, frozen=True):
    count: Number = NONE


class WallPer(Shape, frozen=True):
    job: Number = NONE


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
    priority: Number = NONE
    flags: list[str] = []
    limits: QosLimits = QosLimits()
    preempt: Preempt = Preempt()
    usage_factor: Number = NONE


class Factor(Shape, frozen=True):
    factor: Number = NONE
    level: Number = NONE


class Share(Shape, frozen=True):
    name: str
    parent: str = ""
    type: list[str] = []
    shares: Number = NONE
    shares_normalized: Number = NONE
    effective_usage: Number = NONE
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
    time: Number = NONE
    nodes: Number = NONE


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
    start_time: Number = NONE
    end_time: Number = NONE
    node_list: str = ""
    node_count: int = 0
    partition: str = ""
    flags: list[str] = []
    users: str = ""
    accounts: str = ""
    groups: str = ""


class Node(Shape, frozen=True):
    state: Words = []
    state_flags: list[str] = []  # v0.0.38; later they stand in `state`
    tres: str | None = ""
    tres_used: str | None = ""
    partitions: list[str] | None = None


class Ping(Shape, frozen=True):
    pinged: str = ""
    ping: str = ""  # v0.0.38


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


class Remark(Shape, frozen=True):
    description: str | None = None


class Head(Shape, frozen=True):
    meta: Meta | None = None
    errors: list[Problem] | msgspec.UnsetType = msgspec.UNSET  # which is told from an empty list
    warnings: list[Remark] | None = None
