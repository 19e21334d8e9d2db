"""The newest shapes (v0.0.42) -> model.slurm. Every version and both transports come through here."""

from __future__ import annotations

from collections.abc import Iterable

from ...model.slurm import SlurmAssociation, SlurmFairshare, SlurmJob, SlurmLimit, SlurmOwn, SlurmPartition, SlurmQos, SlurmReservation, SlurmRun
from ...model.task import Amount
from . import amounts, scontrol
from .errors import not_the_shape
from .text import NAME_LENGTH
from .v0_0_42 import NONE, Assoc, DbJob, Job, Node, Num, Partition, Qos, Reservation, Share, Tres


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
        if amounts.kept(name) and one.count is not None and one.count >= 0:
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
