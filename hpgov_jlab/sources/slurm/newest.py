"""The newest shapes (v0.0.42) -> model.slurm. Every version and both transports come through here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...model.slurm import SlurmAssociation, SlurmFairshare, SlurmJob, SlurmLimit, SlurmOwn, SlurmPartition, SlurmQos, SlurmReservation, SlurmRun
from ...model.task import Amount
from . import amounts, scontrol
from .errors import not_the_shape
from .shapes import (
    LARGEST,
    NONE,
    Assoc,
    DbJob,
    Exit,
    Job,
    Node,
    Num,
    Number,
    Partition,
    Qos,
    Reservation,
    Share,
    Tres,
    Words,
    limit,
    moment,
    unlimited,
    value,
    whole,
    words,
)  # fmt: skip
from .text import NAME_LENGTH


def job(one: Job) -> SlurmJob:
    state, *flags = _states(one.job_state)
    ended = state in amounts.ENDED
    start, longest = moment(one.start_time), limit(one.time_limit)
    code = _exit(one.exit_code) if ended else (None, None)
    name = str(one.job_id)
    array, task = whole(one.array_job_id), whole(one.array_task_id)
    leader = whole(one.het_job_id)
    if one.array_task_string:
        name = f"{array or one.job_id}_[{one.array_task_string}]"
    elif array and task is not None:
        name = f"{array}_{task}"
    if leader:
        name = f"{leader}+{whole(one.het_job_offset) or 0}"
    return SlurmJob(
        id=name[:128],
        user=one.user_name,
        account=one.account,
        partition=one.partition,
        qos=one.qos or None,
        state=state,
        flags=tuple(flags),
        name=one.name[:NAME_LENGTH],
        nodes=whole(one.node_count),
        requested=amounts.tres(one.tres_alloc_str) or amounts.tres(one.tres_req_str),
        priority=whole(one.priority),
        submitted_at=moment(one.submit_time),
        eligible_at=moment(one.eligible_time),
        started_at=start if ended or state in amounts.STARTED else None,
        ended_at=moment(one.end_time) if ended else None,
        start_estimate=start if state == "PENDING" else None,
        limit_seconds=longest * 60 if longest is not None else None,
        unlimited=unlimited(one.time_limit),
        restarts=one.restart_cnt,
        exit_code=code[0],
        signal=code[1],
        reason=amounts.reason_of(one.state_reason),
        reservation=one.resv_name or None,
        array_tasks=amounts.array_tasks(name),
        number=one.job_id if leader else None,
    )


def state(one: Job) -> str:
    """The base state alone."""
    return _states(one.job_state)[0]


def _states(told: Words) -> list[str]:
    """The base state, then its flags."""
    found = [amounts.state_of(w) for w in words(told)] or ["UNKNOWN"]
    return [amounts.REVOKED] if amounts.REVOKED in found else found


def _exit(told: Exit | int | None) -> tuple[int | None, int | None]:
    """(exit code, signal); a bare number is the wait status."""
    if isinstance(told, Exit):
        return whole(told.return_code), whole(told.signal.id) or None
    return amounts.wait_status(told) if told is not None and 0 <= told < 2**32 else (None, None)


def tres_list(listed: Iterable[Tres]) -> tuple[Amount, ...]:
    """mem counts MiB."""
    found = []
    for one in listed:
        name = amounts.resource(one.type if not one.name else f"{one.type}/{one.name}")
        if amounts.kept(name) and one.count is not None and 0 <= one.count < LARGEST:
            found.append(Amount(name, str(one.count * (1 << 20) if name == "memory" else one.count)))
    return tuple(found)


def run(one: DbJob, uid: int | None, user: str) -> SlurmRun:
    told = _states(one.state.current)
    # a run that ended by being put back is told as PENDING with a flag; sacct says REQUEUED (24.11.5, measured)
    state = "REQUEUED" if "REQUEUED" in told and one.time.end else told[0]
    code = _exit(one.exit_code) if state in amounts.ENDED else (None, None)
    if not isinstance(one.exit_code.return_code, Num) and code[0] == 0 and state != "COMPLETED":
        code = (None, code[1])  # measured: 22.05.8, whose numbers are bare, gives 0 for a job that failed with exit code 3
    name = str(one.job_id)
    if one.array.task:
        name = f"{one.array.job_id or one.job_id}_[{one.array.task}]"
    elif one.array.job_id and (task := whole(one.array.task_id)) is not None:
        name = f"{one.array.job_id}_{task}"
    elif one.het.job_id and (offset := whole(one.het.job_offset)) is not None:
        name = f"{one.het.job_id}+{offset}"
    longest = limit(one.time.limit)
    by = one.kill_request_user
    return SlurmRun(
        id=name[:128],
        account=one.account,
        partition=one.partition,
        qos=one.qos or None,
        state=state,
        cancelled_by=("you" if by in (user, str(uid)) else "other") if by and state == "CANCELLED" else None,
        name=one.name[:NAME_LENGTH],
        exit_code=code[0],
        signal=code[1],
        submitted_at=moment(one.time.submission),
        started_at=moment(one.time.start),
        ended_at=moment(one.time.end),
        elapsed_seconds=value(one.time.elapsed),
        limit_seconds=longest * 60 if longest is not None else None,
        nodes=one.allocation_nodes or None,  # 0 until it has some
        requested=tres_list(one.tres.requested),
        held=tres_list(one.tres.allocated) or None,
        reason=amounts.reason_of(one.state.reason),
    )


def _limits(per: str, listed: Iterable[Tres], jobs: Number = NONE, submitted: Number = NONE, wall: Number = NONE) -> list[SlurmLimit]:
    found = [SlurmLimit(per, a.resource, a.amount) for a in tres_list(listed)]
    found += [SlurmLimit(per, what, str(int(most))) for what, told in (("jobs", jobs), ("submitted_jobs", submitted)) if (most := limit(told)) is not None]
    if (longest := limit(wall)) is not None:
        found.append(SlurmLimit("job", "wall", str(int(longest * 60))))
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
    factor = value(one.usage_factor)
    return SlurmQos(
        name=one.name,
        priority=whole(one.priority),
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
    def told(number: Number) -> str | None:
        known = value(number)
        return f"{known:.6f}" if known is not None else None

    shares = whole(one.shares)
    return SlurmFairshare(
        one.parent, str(shares) if shares is not None else None, told(one.shares_normalized), told(one.effective_usage),
        told(one.fairshare.factor), told(one.fairshare.level),
    )  # fmt: skip


def _names(text: str) -> tuple[str, ...] | None:
    return tuple(filter(None, text.split(","))) or None


def hidden(one: Partition, groups: Sequence[str]) -> bool:
    """Kept from this person by Hidden or AllowGroups: 22.05's slurmrestd lists it to everybody, the clients and 24.11 do not (facts/slurm.md 2).

    `groups`: the person's Unix groups, empty where they are not known; then no partition is said to be kept from her by them.
    """
    allowed = _names(one.groups.allowed)
    return any(flag.upper() == "HIDDEN" for flag in one.flags) or (allowed is not None and bool(groups) and not set(allowed) & set(groups))


def partition(one: Partition, own: SlurmOwn) -> SlurmPartition:
    flags = {f.upper() for f in one.flags}
    longest, usual, most = limit(one.maximums.time), limit(one.defaults.time), limit(one.maximums.nodes)
    return scontrol.partition(
        one.name, one.partition.state[0] if one.partition.state else "UNKNOWN", own, default="DEFAULT" in flags if flags else None,
        node_list=one.nodes.configured,
        nodes=one.nodes.total, max_seconds=longest * 60 if longest is not None else None, default_seconds=usual * 60 if usual is not None else None,
        max_nodes=int(most) if most is not None else None, accounts=(_names(one.accounts.allowed), _names(one.accounts.deny)),
        qos=(_names(one.qos.allowed), _names(one.qos.deny)),
        groups=_names(one.groups.allowed), root_only="ROOT_ONLY" in flags if flags else None, needs_reservation="REQ_RESV" in flags if flags else None,
        capacity=amounts.tres(one.tres.configured), preempt_mode=None,
    )  # fmt: skip


def reservation(one: Reservation, own: SlurmOwn, source: str) -> SlurmReservation:
    start, end = moment(one.start_time), moment(one.end_time)
    if start is None or end is None:
        raise not_the_shape(source)
    return scontrol.reservation(
        one.name, own, starts_at=start, ends_at=end, node_list=one.node_list, nodes=one.node_count, in_partition=one.partition or None, flags=one.flags,
        users=_names(one.users), accounts=_names(one.accounts), groups=_names(one.groups),
    )  # fmt: skip


def node(one: Node) -> tuple[list[str], tuple[Amount, ...] | None, tuple[Amount, ...] | None]:
    return [*(w.upper() for w in words(one.state)), *one.state_flags], amounts.tres(one.tres or ""), amounts.tres(one.tres_used or "")
