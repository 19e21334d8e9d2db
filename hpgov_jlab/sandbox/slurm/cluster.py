"""What a sandbox's Slurm cluster consists of, as data of a scenario. Times are minutes before (or after) the start of the sandbox.

`ME` stands for the Unix user who runs the sandbox: Slurm knows people by their Unix names.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

ME = "@me"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One job as squeue has it, and as sacct has it when `runs` says nothing else. `ago`: minutes since submission, `started`: since its start."""

    id: str
    name: str
    user: str
    account: str
    partition: str = "gpu"
    qos: str = "normal"
    state: str = "PENDING"
    nodes: int = 1
    cpus: int = 8
    gpus: int = 0
    priority: int = 1000
    ago: float = 60
    started: float | None = None
    ended: float | None = None
    limit: int | None = 240  # minutes; None is unlimited
    estimate: float | None = None  # minutes from now, of a pending one
    begin: float | None = None  # minutes from now
    reason: str = "None"
    restarts: int = 0
    exit_code: int = 0
    signal: int = 0
    reservation: str = ""
    array: str = ""  # of a pending array: 0-9%2
    node_list: str = ""
    forgotten: bool = False  # only accounting has it: older than MinJobAge


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """An earlier run of a job that was put back into the line, as `sacct -D` shows it."""

    job: str
    state: str
    started: float
    ended: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    name: str
    parent: str
    share: int = 1
    tres: str = ""  # GrpTRES
    jobs: str = ""  # GrpJobs


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    name: str
    account: str
    share: int = 1
    qos: tuple[str, ...] = ("normal",)
    default_qos: str = "normal"
    factor: float = 0.5
    usage: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Qos:
    name: str
    priority: int = 0
    flags: str = ""
    tres: str = ""
    jobs: str = ""
    job_tres: str = ""
    job_wall: int | None = None
    user_tres: str = ""
    user_jobs: str = ""
    preempt: str = ""
    preempt_mode: str = "cluster"


@dataclass(frozen=True, slots=True, kw_only=True)
class Partition:
    name: str
    nodes: str
    count: int
    gpus: int
    default: bool = False
    limit: int | None = None
    default_limit: int | None = 60
    accounts: str = "ALL"
    qos: str = "ALL"
    groups: str = "ALL"
    state: str = "UP"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    name: str
    starts: float  # minutes from now
    minutes: int
    nodes: str
    count: int
    users: str = "root"
    flags: str = "MAINT,IGNORE_JOBS,SPEC_NODES"


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    name: str
    state: str = "IDLE"
    gpus: int = 8
    gpus_held: int = 0
    cpus: int = 192
    cpus_held: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SlurmCluster:
    """`config`: lines of `scontrol show config` that differ from the stand-ins' own."""

    name: str
    release: str = "24.11.5"
    jobs: tuple[Job, ...] = ()
    runs: tuple[Run, ...] = ()
    accounts: tuple[Account, ...] = ()
    users: tuple[User, ...] = ()
    qos: tuple[Qos, ...] = ()
    partitions: tuple[Partition, ...] = ()
    reservations: tuple[Reservation, ...] = ()
    nodes: tuple[Node, ...] = ()
    config: dict[str, str] = field(default_factory=dict)


def state(cluster: SlurmCluster, now: float) -> dict[str, Any]:
    """The scenario as the stand-ins read it: minutes are made epoch seconds once, so that time goes on from the start of the sandbox."""
    made = asdict(cluster)
    for job in made["jobs"]:
        for name, sign in (("ago", -1), ("started", -1), ("ended", -1), ("estimate", 1), ("begin", 1)):
            if job[name] is not None:
                job[name] = int(now + sign * job[name] * 60)
    for run in made["runs"]:
        run["started"], run["ended"] = int(now - run["started"] * 60), int(now - run["ended"] * 60)
    for reservation in made["reservations"]:
        reservation["starts"] = int(now + reservation["starts"] * 60)
    return made
