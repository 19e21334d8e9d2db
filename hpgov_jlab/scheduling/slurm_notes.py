"""What has to be said beside the figures of a Slurm cluster: who sees whom, who can cancel whom, what is not enforced, not visible or not readable. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..model.outcome import Phrase
from ..model.slurm import (
    SlurmAssociation,
    SlurmConfig,
    SlurmJob,
    SlurmJobs,
    SlurmOwn,
    SlurmPartition,
    SlurmQos,
    SlurmQueue,
    SlurmReservation,
    SlurmShape,
    SlurmUsage,
)  # fmt: skip
from .slurm_share import fairshare_used, slurm_places

SHARED_NAMES = frozenset({"ubuntu", "ec2-user", "admin", "debian", "centos", "rocky", "sagemaker-user", "jovyan", "hadoop", "slurm"})
"""Users that images come with: whoever logs in is the same one for Slurm (facts/slurm.md 7)."""
SUDO_GROUPS = ("sudo", "wheel", "admin")
MAX_HOSTS = 65536
FEW_ACCOUNTS = 2
BACKFILL = "sched/backfill"
OF_FIGURES = frozenset(
    {
        "slurm_account_limits_hidden", "slurm_accounts_left_out", "slurm_limits_left_out", "slurm_newer_version", "slurm_rows_unread",
        "slurm_reservation_ahead", "slurm_reservation_ahead_unnamed",
    }
)  # fmt: skip
"""Notices that say how far the figures go, or what her own waiting jobs run into: they stand above. All others are of how the cluster is set up."""
STOPPED_HOW = {"requeue": "slurm_preempt_requeue", "cancel": "slurm_preempt_cancel", "suspend": "slurm_preempt_suspend"}


def slurm_notes(
    config: SlurmConfig | None, own: SlurmOwn, *, uid: int | None = None, usage: SlurmUsage | None = None, limits_recorded: bool = False,
    accounts: Iterable[SlurmAssociation] = (), queue: SlurmQueue | None = None, shapes: Iterable[SlurmShape] = (), unread: int = 0,
    qos: Iterable[SlurmQos] | None = None, partitions: Iterable[SlurmPartition] | None = None, privacy_unknown: bool = False,
    reservations_unknown: bool = False, accounts_left_out: int = 0, limits_left_out: int = 0,
) -> tuple[Phrase, ...]:  # fmt: skip
    """Notices for the cluster as a whole. `limits_recorded`: the share has rows with a limit; `accounts`: what the database showed of accounts;
    `unread`: rows in an unreadable form, over all reads; `qos`, `partitions`: None where they are not readable;
    `privacy_unknown`: the configuration could not be read, and nobody else's job is among those that were;
    `reservations_unknown`: nor is any reservation; `accounts_left_out`: own accounts whose jobs are not asked for; `limits_left_out`: accounts whose limits
    are not asked for.
    """
    found: list[Phrase] = [*privacy(config), *others_hands(own, uid, config)]
    if config is None and privacy_unknown:
        found.append(Phrase("slurm_privacy_unknown"))
    if config is None and reservations_unknown:
        found.append(Phrase("slurm_reservations_unknown"))
    if config is not None and not config.limits_enforced:
        found.append(Phrase("slurm_limits_not_enforced" if limits_recorded else "slurm_no_enforcement"))
    if config is not None and fairshare_used(config) is False:
        found.append(Phrase("slurm_fairshare_not_used"))
    seen = {a.account for a in accounts if a.user is None}
    hidden = [name for name in usage.hidden if name not in seen] if usage is not None else []
    if hidden:
        found.append(Phrase("slurm_account_limits_hidden", {"accounts": ", ".join(hidden)}))
    if queue is not None and queue.accounts == FEW_ACCOUNTS:
        found.append(Phrase("slurm_few_accounts"))
    if config is not None:
        found += [*part_limits(config), *estimates(config), *preemption(config, own, qos, partitions)]
    if accounts_left_out:
        found.append(Phrase("slurm_accounts_left_out", {"count": accounts_left_out}))
    if limits_left_out:
        found.append(Phrase("slurm_limits_left_out", {"count": limits_left_out}))
    newer = next((s for s in shapes if s.newer), None)
    if newer is not None:
        found.append(Phrase("slurm_newer_version", {"version": newer.form}))
    if unread:
        found.append(Phrase("slurm_rows_unread", {"count": unread}))
    return tuple(found)


def privacy(config: SlurmConfig | None) -> tuple[Phrase, ...]:
    """Who sees whom (facts/slurm.md 2). Unknown without the configuration."""
    if config is None:
        return ()
    words = {w.lower() for w in config.private_data}
    if "all" in words:
        words |= {"jobs", "usage", "users", "accounts", "reservations"}
    found = [Phrase("slurm_only_own_jobs") if "jobs" in words else Phrase("slurm_everyone_sees_jobs")]
    if "usage" in words or "users" in words:
        found.append(Phrase("slurm_team_limits_may_hide"))
    if "reservations" in words:
        found.append(Phrase("slurm_reservations_hidden"))
    return tuple(found)


def part_limits(config: SlurmConfig) -> tuple[Phrase, ...]:
    """What becomes of a job above its partition's limits (facts/slurm.md 4)."""
    code = {"NO": "slurm_part_limits_wait", "ANY": "slurm_part_limits_any", "ALL": "slurm_part_limits_all", "YES": "slurm_part_limits_all"}
    told = code.get((config.part_limits or "").upper())
    return (Phrase(told),) if told is not None else ()


def estimates(config: SlurmConfig) -> tuple[Phrase, ...]:
    """Where a start estimate comes from, and how far it reaches: a job without one is not stuck for that."""
    if config.scheduler_type is None:
        return ()
    if config.scheduler_type != BACKFILL:
        return (Phrase("slurm_no_estimates", {"scheduler": config.scheduler_type}),)
    return (Phrase("slurm_estimates_reach", {"window_seconds": config.backfill_window_seconds}),) if config.backfill_window_seconds is not None else ()


def preemption(config: SlurmConfig, own: SlurmOwn, qos: Iterable[SlurmQos] | None, partitions: Iterable[SlurmPartition] | None) -> tuple[Phrase, ...]:
    """Who may stop her jobs, and what becomes of them then. By QoS or by partition, as PreemptType says; names of what is closed to her stay out of it."""
    kind = config.preempt_type
    if kind == "preempt/none":
        return (Phrase("slurm_preempt_none"),)
    if kind == "preempt/partition_prio" and partitions is not None:
        stops = [p for p in partitions if (p.preempt_mode or "").upper().split(",")[0] not in ("", "OFF")]
        open_ = [place.partition for place in slurm_places(stops, own) if place.allowed is not False]
        return (Phrase("slurm_preempt_partition", {"names": ", ".join(open_)}),) if open_ else ()
    if kind != "preempt/qos" or qos is None or own.qos is None:
        return ()
    listed = list(qos)
    stopped = {name for one in listed for name in one.preempts}
    by_mode: dict[str, list[str]] = {}
    for one in listed:
        if one.name in own.qos and one.name in stopped:
            mode = one.preempt_mode if one.preempt_mode not in (None, "cluster") else config.preempt_mode
            by_mode.setdefault(_stopped_how(mode), []).append(one.name)
    if not stopped & set(own.qos):
        return (Phrase("slurm_preempt_not_yours"),)
    return tuple(Phrase(code, {"names": ", ".join(names)}) for code, names in by_mode.items() if code)


def _stopped_how(text: str | None) -> str:
    """REQUEUE, CANCEL, SUSPEND,GANG -> our code; OFF and WITHIN stop nothing by themselves."""
    words = {word.strip().lower() for word in (text or "").split(",")}
    return next((code for mode, code in STOPPED_HOW.items() if mode in words), "")


def others_hands(own: SlurmOwn, uid: int | None, config: SlurmConfig | None = None) -> tuple[Phrase, ...]:
    """One Unix user for all, or sudo: others can cancel your jobs and you theirs."""
    if uid == 0:
        return (Phrase("slurm_reads_as_root"),)
    if config is not None and config.slurm_user == own.user:
        return (Phrase("slurm_reads_as_slurm_user", {"user": own.user}),)
    if own.user in SHARED_NAMES:
        return (Phrase("slurm_shared_user", {"user": own.user}),)
    group = next((g for g in SUDO_GROUPS if g in (own.groups or ())), None)
    return (Phrase("slurm_sudo", {"group": group}),) if group is not None else ()


# -- reservations that a time limit would cross ---------------------------------------------------------------------------------
def reservation_notes(
    jobs: SlurmJobs | Iterable[SlurmJob], reservations: Iterable[SlurmReservation], partitions: Sequence[SlurmPartition], *, user: str, now: float
) -> tuple[Phrase, ...]:
    """One line per reservation that own waiting jobs would run into: until it is over they can't start on its nodes, unless their time limit ends before it."""
    at = {p.name: p for p in partitions}
    listed = jobs.items if isinstance(jobs, SlurmJobs) else tuple(jobs)
    waiting = [j for j in listed if j.user == user and j.state == "PENDING" and j.reservation is None]
    found: list[Phrase] = []
    for one in sorted(reservations, key=lambda r: r.starts_at):
        if one.mine or one.ends_at <= now:
            continue
        hosts = expand(one.node_list)
        crossing: list[SlurmJob] = []
        share: tuple[int, int] | None = None
        for job in waiting:
            partition = at.get(job.partition)
            limit = job.limit_seconds if job.limit_seconds is not None else partition.default_seconds if partition is not None and not job.unlimited else None
            if limit is not None and now + limit <= one.starts_at:
                continue
            theirs = expand(partition.node_list) if partition is not None else None
            if hosts is None or theirs is None:
                continue
            both = len(hosts & theirs)
            if both:
                crossing.append(job)
                share = share or (both, len(theirs))
        if crossing and share is not None:
            params: dict[str, str | int | float | None] = {
                "name": one.name, "start_at": one.starts_at, "end_at": one.ends_at, "jobs": len(crossing), "nodes": share[0], "nodes_total": share[1],
            }  # fmt: skip
            found.append(Phrase("slurm_reservation_ahead" if one.name is not None else "slurm_reservation_ahead_unnamed", params))
    return tuple(found)


def expand(text: str) -> frozenset[str] | None:
    """`gpu-[1-4,7],cpu-1` -> names. None: empty, too many, or not a host list."""
    found: set[str] = set()
    for part in _split(text):
        match = re.fullmatch(r"([^\[\],]*)(?:\[([0-9,-]+)\]([^\[\],]*))?", part)
        if match is None or not part:
            return None
        prefix, numbers, suffix = match.groups()
        if numbers is None:
            found.add(prefix)
            continue
        for piece in numbers.split(","):
            bounds = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", piece)
            if bounds is None:
                return None
            first, last = int(bounds[1]), int(bounds[2] or bounds[1])
            if last < first or last - first + len(found) > MAX_HOSTS:
                return None
            width = len(bounds[1])
            found.update(f"{prefix}{number:0{width}d}{suffix or ''}" for number in range(first, last + 1))
    return frozenset(found) if found else None


def _split(text: str) -> list[str]:
    """At commas outside brackets."""
    return re.findall(r"(?:[^,\[]|\[[^\]]*\])+", text)
