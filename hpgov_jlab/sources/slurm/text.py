"""Formatted output of squeue, sacct, sacctmgr and sshare -> model.slurm (S2). Pure.

A row of squeue begins with this call's nonce, its fields stand between copies of a second one, and what a user wrote comes last: a line break in a
job's name continues its row and can begin none. sacct takes one nonce as its delimiter; only own rows are asked for there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from ...model.slurm import (
    QueueSum,
    SlurmAssociation,
    SlurmFairshare,
    SlurmHistory,
    SlurmJob,
    SlurmJobs,
    SlurmLimit,
    SlurmQos,
    SlurmQueue,
    SlurmRun,
    SlurmShape,
)  # fmt: skip
from ...model.task import Amount
from ...policy.slurm import ASSOCIATION_FIELDS, HISTORY_FIELDS, JOB_COLUMNS, QOS_FIELDS, QUEUE_COLUMNS, SHARE_FIELDS
from . import amounts
from .errors import not_the_shape
from .guard import Nonces

NAME_LENGTH = 512
_FORMATTED = "formatted"


def rows(out: str, marks: Nonces, columns: int) -> tuple[list[list[str]], int]:
    """Rows of squeue and how many could not be read. Every row ends with one more field that stays empty or is a flag."""
    pieces = re.split(rf"(?m)^[01]{marks.row}", out)
    found: list[list[str]] = []
    unread = 1 if pieces[0].strip() else 0
    for piece in pieces[1:]:
        fields = piece.split(marks.field)
        if len(fields) == columns + 1:
            found.append(fields)
        else:
            unread += 1
    return found, unread


def jobs(out: str, marks: Nonces, release: str | None = None) -> SlurmJobs:
    """Jobs of one user or one account."""
    made, unread = rows(out, marks, len(JOB_COLUMNS) + 1)
    items = tuple(_job(dict(zip(JOB_COLUMNS, fields, strict=False)), fields[len(JOB_COLUMNS)]) for fields in made)
    return SlurmJobs(items, SlurmShape(_FORMATTED, release), unread)


def _job(at: dict[str, str], name: str) -> SlurmJob:
    state = amounts.state_of(at["State"])
    start, code = amounts.moment(at["StartTime"]), amounts.exit_of(at["exit_code"])
    ended = state in amounts.ENDED
    return SlurmJob(
        id=at["JobArrayID"].strip()[:128],
        user=at["UserName"].strip(),
        account=at["Account"].strip(),
        partition=at["Partition"].strip(),
        qos=amounts.none_if_empty(at["QOS"]),
        state=state,
        name=name[:NAME_LENGTH],
        nodes=amounts.number(at["NumNodes"]),
        requested=amounts.tres(at["tres-alloc"]),
        priority=amounts.number(at["PriorityLong"]),
        submitted_at=amounts.moment(at["SubmitTime"]),
        eligible_at=amounts.moment(at["EligibleTime"]),
        started_at=start if ended or state in amounts.STARTED else None,
        ended_at=amounts.moment(at["EndTime"]) if ended else None,
        start_estimate=start if state == "PENDING" else None,
        limit_seconds=amounts.seconds(at["TimeLimit"]),
        unlimited=at["TimeLimit"].strip() == "UNLIMITED",
        restarts=amounts.number(at["restartcnt"]),
        exit_code=code[0] if ended else None,
        signal=code[1] if ended else None,
        reason=amounts.reason_of(at["Reason"]),
        reservation=amounts.none_if_empty(at["Reservation"]),
        array_tasks=amounts.array_tasks(at["JobArrayID"].strip()),
        number=amounts.part_number(at["JobArrayID"].strip()),
    )


def queue(out: str, marks: Nonces, release: str | None = None) -> SlurmQueue:
    """The whole queue as sums; accounts are counted and their names dropped with the rows."""
    made, unread = rows(out, marks, len(QUEUE_COLUMNS))
    read = (dict(zip(QUEUE_COLUMNS, fields, strict=False)) for fields in made)
    return sum_queue(
        ((r["Account"], r["Partition"].strip(), amounts.state_of(r["State"]), amounts.number(r["NumNodes"]), amounts.tres(r["tres-alloc"])) for r in read),
        SlurmShape(_FORMATTED, release),
        unread,
    )


def sum_queue(read: Iterable[tuple[str, str, str, int | None, tuple[Amount, ...] | None]], shape: SlurmShape, unread: int = 0) -> SlurmQueue:
    """(account, partition, state, nodes, TRES) of every job -> nameless sums."""
    jobs_, nodes, gpus = defaultdict[tuple[str, str], int](int), defaultdict[tuple[str, str], int](int), defaultdict[tuple[str, str], int](int)
    unknown: set[tuple[str, str]] = set()
    accounts: set[str] = set()
    for account, partition, state, count, tres in read:
        key = (partition, state)
        accounts.add(account)
        jobs_[key] += 1
        nodes[key] += count or 0
        if tres is None:
            unknown.add(key)
        else:
            gpus[key] += sum(int(a.amount) for a in tres if a.resource == "gres/gpu" and a.amount.isdigit())
    sums = tuple(QueueSum(p, s, jobs_[p, s], nodes[p, s], None if (p, s) in unknown else gpus[p, s]) for p, s in sorted(jobs_))
    return SlurmQueue(sums, len(accounts), shape, unread)


def history(out: str, marks: Nonces, user: str, uid: int | None, release: str | None = None) -> SlurmHistory:
    """Own rows of sacct. A line that is no row continues the name of the row before it."""
    runs: list[SlurmRun] = []
    made, unread = _delimited(out, marks.field, len(HISTORY_FIELDS))
    for fields in made:
        at = dict(zip(HISTORY_FIELDS, fields, strict=True))
        if at["user"].strip() != user:
            unread += 1
            continue
        runs.append(_run(at, uid))
    return SlurmHistory(tuple(runs), SlurmShape(_FORMATTED, release), unread)


def _delimited(out: str, field: str, columns: int) -> tuple[list[list[str]], int]:
    """Rows, free text last, and how many could not be read: lines with another number of fields, and what stands before every row."""
    found: list[list[str]] = []
    unread = 0
    for line in filter(None, out.split("\n")):
        fields = line.split(field)
        if len(fields) == columns:
            found.append(fields)
        elif len(fields) > 1 or not found:
            unread += 1
        elif len(found[-1][-1]) < NAME_LENGTH:
            found[-1][-1] += "\n" + line
    return found, unread


def _run(at: dict[str, str], uid: int | None) -> SlurmRun:
    code = amounts.exit_of(at["exitcode"])
    by = re.fullmatch(r"CANCELLED by ([0-9]{1,10})", at["state"].strip())
    state, elapsed = amounts.state_of(at["state"]), amounts.number(at["elapsedraw"])
    ended = state in amounts.ENDED
    return SlurmRun(
        id=at["jobid"].strip()[:128],
        account=at["account"].strip(),
        partition=at["partition"].strip(),
        qos=amounts.none_if_empty(at["qos"]),
        state=state,
        cancelled_by="you" if by is not None and uid is not None and int(by[1]) == uid else "other" if by is not None else None,
        name=at["jobname"][:NAME_LENGTH],
        exit_code=code[0] if ended else None,
        signal=code[1] if ended else None,
        submitted_at=amounts.moment(at["submit"]),
        started_at=amounts.moment(at["start"]),
        ended_at=amounts.moment(at["end"]),
        elapsed_seconds=float(elapsed) if elapsed is not None else None,
        limit_seconds=amounts.minutes(at["timelimitraw"]),
        nodes=amounts.number(at["nnodes"]),
        requested=amounts.tres(at["reqtres"]),
        held=amounts.tres(at["alloctres"]),
        reason=amounts.reason_of(at["reason"]),
    )


# -- sacctmgr, sshare: admins' text only, `|` between fields ------------------------------------------------------------------
def _piped(out: str, names: tuple[str, ...], source: str) -> Iterable[dict[str, str]]:
    for line in out.splitlines():
        if not line.strip():
            continue
        fields = line.split("|")
        if len(fields) != len(names):
            raise not_the_shape(source)
        yield dict(zip(names, (f.strip() for f in fields), strict=True))


def limits(per: str, tres: str, jobs_: str = "", submitted: str = "", wall: str = "") -> list[SlurmLimit]:
    """Limits that are set. What is not named has none."""
    found: list[SlurmLimit] = []
    for part in filter(None, tres.split(",")):
        name, _, value = part.partition("=")
        name = amounts.resource(name)
        amount = amounts.memory(value) if name == "memory" else amounts.count(value)
        if amount is not None:
            found.append(SlurmLimit(per, name, amount))
    for resource, value in (("jobs", jobs_), ("submitted_jobs", submitted)):
        if (amount := amounts.count(value)) is not None:
            found.append(SlurmLimit(per, resource, amount))
    if (long := amounts.seconds(wall)) is not None:
        found.append(SlurmLimit(per, "wall", str(int(long))))
    return found


def associations(out: str, source: str) -> tuple[SlurmAssociation, ...]:
    """Own associations, or one account's own row (user empty). Raises Failure(INVALID)."""
    return tuple(
        SlurmAssociation(
            account=at["account"],
            user=at["user"] or None,
            partition=at["partition"] or None,
            parent=at["parentname"] or None,
            shares=at["share"] or None,
            limits=(
                *limits("group", at["grptres"], at["grpjobs"], at["grpsubmit"]),
                *limits("job", at["maxtres"], wall=at["maxwall"]),
                *limits("node", at["maxtrespernode"]),
                *limits("user", "", at["maxjobs"], at["maxsubmit"]),
            ),
            qos=tuple(filter(None, at["qos"].split(","))),
            default_qos=at["defaultqos"] or None,
        )
        for at in _piped(out, ASSOCIATION_FIELDS, source)
    )


def qos(out: str, source: str) -> tuple[SlurmQos, ...]:
    """Every QoS. Raises Failure(INVALID)."""
    return tuple(
        SlurmQos(
            name=at["name"],
            priority=amounts.number(at["priority"]),
            flags=tuple(filter(None, at["flags"].split(","))),
            limits=(
                *limits("group", at["grptres"], at["grpjobs"], at["grpsubmit"]),
                *limits("job", at["maxtres"], wall=at["maxwall"]),
                *limits("node", at["maxtrespernode"]),
                *limits("user", at["maxtrespu"], at["maxjobspu"], at["maxsubmitpu"]),
                *limits("account", at["maxtrespa"], at["maxjobspa"], at["maxsubmitpa"]),
            ),
            preempts=tuple(filter(None, at["preempt"].split(","))),
            preempt_mode=at["preemptmode"] or None,
            usage_factor=amounts.count(at["usagefactor"]),
        )
        for at in _piped(out, QOS_FIELDS, source)
    )


def shares(out: str, user: str, source: str) -> tuple[SlurmFairshare, ...]:
    """Own lines of sshare. Raises Failure(INVALID)."""
    return tuple(
        SlurmFairshare(
            at["account"],
            at["rawshares"] or None,
            amounts.count(at["normshares"]),
            amounts.count(at["effectvusage"]),
            amounts.count(at["fairshare"]),
            amounts.count(at["levelfs"]),
        )
        for at in _piped(out, SHARE_FIELDS, source)
        if at["user"] == user
    )


def client_version(out: str) -> tuple[str, tuple[int, int]]:
    """`slurm-wlm 22.05.8` or `slurm 24.11.5` -> ("22.05.8", (22, 5)). Raises Failure(INVALID)."""
    match = re.fullmatch(r"slurm\S* (\d{2})\.(\d{2})(?:\.\S{1,24})?", out.strip())
    if match is None:
        raise not_the_shape("squeue")
    return out.strip().split(" ", 1)[1][:32], (int(match[1]), int(match[2]))
