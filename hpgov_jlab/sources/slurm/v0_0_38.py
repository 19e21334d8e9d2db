"""data_parser v0.0.38 (Slurm 22.05): flat shapes, bare numbers, one word for a state. Lifted to v0.0.42 (facts/slurm.md 3, shapes-22to24)."""

# ruff: noqa: RUF012 - msgspec copies an empty default
from __future__ import annotations

from . import amounts, v0_0_42
from .errors import not_the_shape
from .v0_0_42 import (
    NONE,
    ActiveJobs,
    Allowed,
    Assoc,
    AssocDefault,
    AssocJobs,
    AssocMax,
    AssocTres,
    Counted,
    DbArray,
    DbJob,
    DbState,
    DbTime,
    DbTres,
    Exit,
    Job,
    Node,
    Num,
    Partition,
    PartNodes,
    PartState,
    PartTimes,
    PartTres,
    PerJob,
    PerWho,
    Preempt,
    Qos,
    QosJobs,
    QosLimits,
    QosMax,
    Reservation,
    Shape,
    Share,
    Signal,
    Wall,
    WallPer,
    decode,
)  # fmt: skip

MAX_INT = 2**31


def number(value: int | float | None) -> Num:
    """None is "not set" here."""
    return Num() if value is None else Num(set=True, number=value)


def limit(value: int | float | None) -> Num:
    """A limit: None or -1 is "no limit"."""
    return Num(infinite=True) if value is None or value < 0 or value >= MAX_INT else Num(set=True, number=value)


class Job38(Shape, frozen=True):
    job_id: int
    user_name: str = ""
    account: str = ""
    partition: str = ""
    qos: str = ""
    job_state: str = ""
    name: str = ""
    node_count: int | None = None
    tres_req_str: str = ""
    tres_alloc_str: str = ""
    priority: int | None = None
    submit_time: int = 0
    eligible_time: int = 0
    start_time: int = 0
    end_time: int = 0
    time_limit: int | None = None
    restart_cnt: int = 0
    exit_code: int | None = None
    state_reason: str = ""
    resv_name: str = ""
    array_job_id: int | None = None
    array_task_id: int | None = None
    array_task_string: str = ""
    het_job_id: int | None = None
    het_job_offset: int | None = None

    def lift(self) -> Job:
        code, signal = amounts.wait_status(self.exit_code) if self.exit_code is not None else (None, None)
        return Job(
            job_id=self.job_id, user_name=self.user_name, account=self.account, partition=self.partition, qos=self.qos, job_state=[self.job_state],
            name=self.name, node_count=number(self.node_count), tres_req_str=self.tres_req_str, tres_alloc_str=self.tres_alloc_str,
            priority=number(self.priority), submit_time=number(self.submit_time), eligible_time=number(self.eligible_time), start_time=number(self.start_time),
            end_time=number(self.end_time), time_limit=limit(self.time_limit), restart_cnt=self.restart_cnt,
            exit_code=Exit(number(code), Signal(number(signal))), state_reason=self.state_reason, resv_name=self.resv_name,
            array_job_id=number(self.array_job_id), array_task_id=number(self.array_task_id), array_task_string=self.array_task_string,
            het_job_id=number(self.het_job_id), het_job_offset=number(self.het_job_offset),
        )  # fmt: skip


class DbExit38(Shape, frozen=True):
    return_code: int | None = None


class DbTime38(Shape, frozen=True):
    submission: float = 0
    start: float = 0
    end: float = 0
    elapsed: float = 0
    limit: int | None = None


class DbState38(Shape, frozen=True):
    current: str = ""
    reason: str = ""


class DbArray38(Shape, frozen=True):
    job_id: int = 0
    task_id: int | None = None
    task: str | None = None


class DbJob38(Shape, frozen=True):
    job_id: int
    user: str = ""
    account: str = ""
    partition: str = ""
    qos: str = ""
    name: str = ""
    state: DbState38 = DbState38()
    time: DbTime38 = DbTime38()
    exit_code: DbExit38 = DbExit38()
    array: DbArray38 = DbArray38()
    allocation_nodes: int | None = None
    tres: DbTres = DbTres()
    kill_request_user: str | None = None

    def lift(self) -> DbJob:
        # measured: 22.05.8 gives return_code 0 for a job that failed with exit code 3, so a zero of a failed job tells nothing
        code = self.exit_code.return_code
        known = code is not None and (code != 0 or self.state.current == "COMPLETED")
        return DbJob(
            job_id=self.job_id, user=self.user, account=self.account, partition=self.partition, qos=self.qos, name=self.name,
            state=DbState([self.state.current], self.state.reason),
            time=DbTime(self.time.submission, self.time.start, self.time.end, self.time.elapsed, limit(self.time.limit)),
            exit_code=Exit(number(code if known else None)), array=DbArray(self.array.job_id, number(self.array.task_id), self.array.task),
            allocation_nodes=self.allocation_nodes or 0, tres=self.tres, kill_request_user=self.kill_request_user,
        )  # fmt: skip


class PerJob38(Shape, frozen=True):
    count: int | None = None
    submitted: int | None = None
    wall_clock: int | None = None


class AssocJobs38(Shape, frozen=True):
    per: PerJob38 = PerJob38()
    active: int | None = None
    total: int | None = None


class AssocMax38(Shape, frozen=True):
    jobs: AssocJobs38 = AssocJobs38()
    tres: AssocTres = AssocTres()


class Assoc38(Shape, frozen=True):
    account: str
    user: str | None = None
    partition: str | None = None
    parent_account: str | None = None
    shares_raw: int = 0
    max: AssocMax38 = AssocMax38()
    qos: list[str] = []
    default: AssocDefault = AssocDefault()

    def lift(self) -> Assoc:
        jobs = self.max.jobs
        return Assoc(
            account=self.account, user=self.user, partition=self.partition, parent_account=self.parent_account, shares_raw=self.shares_raw,
            max=AssocMax(
                AssocJobs(PerJob(limit(jobs.per.count), limit(jobs.per.submitted), limit(jobs.per.wall_clock)), limit(jobs.active), limit(jobs.total)),
                self.max.tres,
            ),
            qos=self.qos, default=self.default,
        )  # fmt: skip


class PerWho38(Shape, frozen=True):
    user: int | None = None
    account: int | None = None

    def lift(self) -> PerWho:
        return PerWho(limit(self.user), limit(self.account))


class ActiveJobs38(Shape, frozen=True):
    per: PerWho38 = PerWho38()


class QosJobs38(Shape, frozen=True):
    active_jobs: ActiveJobs38 = ActiveJobs38()
    per: PerWho38 = PerWho38()


class Counted38(Shape, frozen=True):
    count: int | None = None


class WallPer38(Shape, frozen=True):
    job: int | None = None


class Wall38(Shape, frozen=True):
    per: WallPer38 = WallPer38()


class QosMax38(Shape, frozen=True):
    active_jobs: Counted38 = Counted38()
    jobs: QosJobs38 = QosJobs38()
    tres: AssocTres = AssocTres()
    wall_clock: Wall38 = Wall38()


class QosLimits38(Shape, frozen=True):
    max: QosMax38 = QosMax38()


class Qos38(Shape, frozen=True):
    name: str
    priority: int | None = None
    flags: list[str] = []
    limits: QosLimits38 = QosLimits38()
    preempt: Preempt = Preempt()
    usage_factor: float | None = None

    def lift(self) -> Qos:
        top = self.limits.max
        return Qos(
            name=self.name, priority=number(self.priority), flags=self.flags, preempt=self.preempt, usage_factor=number(self.usage_factor),
            limits=QosLimits(
                QosMax(
                    active_jobs=Counted(limit(top.active_jobs.count)),
                    jobs=QosJobs(NONE, ActiveJobs(top.jobs.active_jobs.per.lift()), top.jobs.per.lift()),
                    tres=top.tres,
                    wall_clock=Wall(WallPer(limit(top.wall_clock.per.job))),
                )
            ),
        )  # fmt: skip


class Partition38(Shape, frozen=True):
    name: str
    state: str = ""
    nodes: str | None = ""
    total_nodes: int = 0
    allowed_accounts: str = ""
    denied_accounts: str = ""
    allowed_groups: str = ""
    allowed_qos: str = ""
    denied_qos: str = ""
    max_time_limit: int | None = None
    default_time_limit: int | None = None
    maximum_nodes_per_job: int | None = None
    tres: str | None = ""
    flags: list[str] = []

    def lift(self) -> Partition:
        usual = self.default_time_limit
        return Partition(
            name=self.name, nodes=PartNodes(self.nodes or "", self.total_nodes), accounts=Allowed(self.allowed_accounts, self.denied_accounts),
            groups=Allowed(self.allowed_groups), qos=Allowed(self.allowed_qos, self.denied_qos), tres=PartTres(self.tres or ""),
            defaults=PartTimes(limit(usual)), maximums=PartTimes(limit(self.max_time_limit), limit(self.maximum_nodes_per_job)),
            partition=PartState([self.state]), flags=self.flags,
        )  # fmt: skip


class Reservation38(Shape, frozen=True):
    name: str
    start_time: int = 0
    end_time: int = 0
    node_list: str = ""
    node_count: int = 0
    partition: str = ""
    flags: list[str] = []
    users: str = ""
    accounts: str = ""
    groups: str = ""

    def lift(self) -> Reservation:
        return Reservation(
            self.name, number(self.start_time), number(self.end_time), self.node_list, self.node_count, self.partition, self.flags, self.users, self.accounts,
            self.groups,
        )  # fmt: skip


class Node38(Shape, frozen=True):
    state: str = ""
    state_flags: list[str] = []
    tres: str | None = ""
    tres_used: str | None = ""

    def lift(self) -> Node:
        return Node([self.state.upper(), *self.state_flags], self.tres or "", self.tres_used or "")


class Ping38(Shape, frozen=True):
    ping: str = ""


class Adapter(v0_0_42.Adapter):
    version = "v0.0.38"

    def jobs(self, body: bytes, source: str) -> list[Job]:
        return [one.lift() for one in decode(body, "jobs", Job38, source)]

    def history(self, body: bytes, source: str) -> list[DbJob]:
        return [one.lift() for one in decode(body, "jobs", DbJob38, source)]

    def associations(self, body: bytes, source: str) -> list[Assoc]:
        return [one.lift() for one in decode(body, "associations", Assoc38, source)]

    def qos(self, body: bytes, source: str) -> list[Qos]:
        return [one.lift() for one in decode(body, "QOS", Qos38, source)]

    def shares(self, body: bytes, source: str) -> list[Share]:
        raise not_the_shape(source)

    def partitions(self, body: bytes, source: str) -> list[Partition]:
        return [one.lift() for one in decode(body, "partitions", Partition38, source)]

    def reservations(self, body: bytes, source: str) -> list[Reservation]:
        return [one.lift() for one in decode(body, "reservations", Reservation38, source)]

    def nodes(self, body: bytes, source: str) -> list[Node]:
        return [one.lift() for one in decode(body, "nodes", Node38, source)]

    def pings(self, body: bytes, source: str) -> list[str]:
        return [p.ping for p in decode(body, "pings", Ping38, source)]
