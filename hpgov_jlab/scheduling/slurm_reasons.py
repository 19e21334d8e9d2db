"""Why a Slurm job waits, and how it ended, in our words. Reasons are an open set: an unknown code is shown as it is (facts/slurm.md 3). Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..model.outcome import Phrase
from ..model.slurm import SlurmJob, SlurmRun

_LIMIT = re.compile(r"(QOS|Assoc)(Grp|Max|Min)([A-Za-z]+)")
_SUFFIX = re.compile(r"(?:PerUser|PerJob|PerNode|PerAccount|Limit)+$")
_WHAT = {
    "GRES": "gres, such as GPU",
    "Cpu": "cpu",
    "CPU": "cpu",
    "Mem": "memory",
    "Memory": "memory",
    "Node": "nodes",
    "Jobs": "jobs",
    "SubmitJobs": "submitted jobs",
    "Wall": "time",
    "WallDuration": "time",
    "Billing": "billing",
    "License": "licenses",
    "BB": "burst buffer",
    "Energy": "energy",
}

_PLAIN: dict[str, str] = {
    "Resources": "slurm_waits_resources",
    "NodesNotUsable": "slurm_waits_nodes",
    "ReqNodeNotAvail": "slurm_waits_nodes",
    "NodeDown": "slurm_waits_nodes",
    "Dependency": "slurm_waits_dependency",
    "DependencyNeverSatisfied": "slurm_dependency_never",
    "JobHeldUser": "slurm_held_user",
    "JobHeldAdmin": "slurm_held_admin",
    "JobHoldMaxRequeue": "slurm_held_requeue",
    "launch_failed_requeued_held": "slurm_held_requeue",
    "JobLaunchFailure": "slurm_held_requeue",
    "AccountNotAllowed": "slurm_account_not_allowed",
    "QOSNotAllowed": "slurm_qos_not_allowed",
    "GroupNotAllowed": "slurm_group_not_allowed",
    "PartitionConfig": "slurm_partition_closed_to_you",
    "PartitionDown": "slurm_partition_down",
    "PartitionInactive": "slurm_partition_down",
    "PartitionTimeLimit": "slurm_partition_time",
    "PartitionNodeLimit": "slurm_partition_nodes",
    "Reservation": "slurm_waits_reservation",
    "ReservationDeleted": "slurm_reservation_deleted",
    "Licenses": "slurm_waits_licenses",
    "JobArrayTaskLimit": "slurm_waits_array",
    "InvalidAccount": "slurm_invalid_account",
    "InvalidQOS": "slurm_invalid_qos",
    "BadConstraints": "slurm_bad_constraints",
    "Prolog": "slurm_waits_cleaning",
    "Cleaning": "slurm_waits_cleaning",
    "SchedDefer": "slurm_waits_not_looked",
    "QOSJobLimit": "slurm_limit_jobs",
    "AssociationJobLimit": "slurm_limit_jobs",
    "QOSTimeLimit": "slurm_limit_job",
    "AssociationTimeLimit": "slurm_limit_job",
    "QOSResourceLimit": "slurm_limit_job",
    "AssociationResourceLimit": "slurm_limit_job",
    "OtherSentence": "slurm_waits_sentence",
}
NOT_IN_LINE = frozenset(
    {
        "Dependency", "DependencyNeverSatisfied", "JobHeldUser", "JobHeldAdmin", "JobHoldMaxRequeue", "launch_failed_requeued_held", "JobLaunchFailure",
        "BeginTime", "AccountNotAllowed", "QOSNotAllowed", "GroupNotAllowed", "PartitionConfig", "PartitionDown", "PartitionInactive", "PartitionTimeLimit",
        "PartitionNodeLimit", "InvalidAccount", "InvalidQOS", "BadConstraints", "ReservationDeleted",
    }
)  # fmt: skip
"""Reasons of jobs that the scheduler does not consider until something is changed: they stand in no line."""
_ENDINGS = {
    "PREEMPTED": "slurm_preempted",
    "NODE_FAIL": "slurm_node_failed",
    "BOOT_FAIL": "slurm_node_failed",
    "LAUNCH_FAILED": "slurm_node_failed",
    "OUT_OF_MEMORY": "slurm_out_of_memory",
    "DEADLINE": "slurm_deadline",
}
ENDED = frozenset({"COMPLETED", "CANCELLED", "FAILED", "TIMEOUT", *_ENDINGS})
_STOPS = {"PREEMPTED": "slurm_stop_preempted", "NODE_FAIL": "slurm_stop_node", "BOOT_FAIL": "slurm_stop_node", "REQUEUED": "slurm_stop_requeued"}
NEVER = frozenset(
    {"slurm_dependency_never", "slurm_account_not_allowed", "slurm_qos_not_allowed", "slurm_group_not_allowed", "slurm_partition_closed_to_you",
     "slurm_partition_time", "slurm_partition_nodes", "slurm_limit_job", "slurm_limit_minimum", "slurm_invalid_account", "slurm_invalid_qos",
     "slurm_bad_constraints", "slurm_reservation_deleted"}
)  # fmt: skip
"""Codes of jobs that wait for ever as they are."""
ESTIMATED = frozenset({"Resources", "Priority", "NodesNotUsable"})
"""Reasons under which backfill's estimate means something (facts/slurm.md 3)."""


def waiting(job: SlurmJob, now: float) -> Phrase:
    """Why it waits."""
    reason = job.reason
    if reason is None:
        return Phrase("slurm_waits_not_looked")
    if reason == "Priority":
        return Phrase("slurm_waits_priority", {"partition": job.partition})
    if reason == "BeginTime":
        begin = job.eligible_at if job.eligible_at is not None and job.eligible_at > now else None
        return Phrase("slurm_waits_begin", {"until_at": begin}) if begin is not None else Phrase("slurm_waits_not_looked")
    code = _PLAIN.get(reason)
    if code is not None:
        return Phrase(code, _params(code, job))
    limit = _LIMIT.fullmatch(reason)
    if limit is not None:
        return _limit(job, limit[1], limit[2], limit[3])
    return Phrase("slurm_waits_other", {"why": reason})


def _params(code: str, job: SlurmJob) -> dict[str, str | int | float | None]:
    if code in ("slurm_partition_down", "slurm_partition_time", "slurm_partition_nodes", "slurm_partition_closed_to_you", "slurm_group_not_allowed"):
        return {"partition": job.partition}
    if code == "slurm_account_not_allowed":
        return {"account": job.account, "partition": job.partition}
    if code == "slurm_qos_not_allowed":
        return {"qos": job.qos, "partition": job.partition}
    if code == "slurm_invalid_account":
        return {"account": job.account}
    if code == "slurm_invalid_qos":
        return {"qos": job.qos}
    if code in ("slurm_waits_reservation", "slurm_reservation_deleted"):
        return {"reservation": job.reservation}
    if code == "slurm_limit_jobs":
        return {"name": job.qos if (job.reason or "").startswith("QOS") else job.account}
    if code == "slurm_limit_job":
        return {"name": job.qos if (job.reason or "").startswith("QOS") else job.account, "resource": ""}
    return {}


def _limit(job: SlurmJob, whose: str, kind: str, rest: str) -> Phrase:
    """`QOSGrpGRES`, `AssocMaxWallDurationPerJobLimit` ...: a limit of the QoS or the account, of a group, a user, or one job."""
    name = job.qos if whose == "QOS" else job.account
    word = _SUFFIX.sub("", rest)
    bare = re.sub(r"(?:Run)?Minutes$", "", word)
    what = _WHAT.get(bare, bare.lower()) + (" minutes" if bare != word else "")
    params: dict[str, str | int | float | None] = {"name": name, "resource": what}
    if kind == "Min":
        return Phrase("slurm_limit_minimum", params)
    if kind == "Grp":
        return Phrase("slurm_limit_group_qos" if whose == "QOS" else "slurm_limit_group_account", params)
    if "PerJob" in rest or "PerNode" in rest or "WallDuration" in rest:
        return Phrase("slurm_limit_job", params)
    if "PerAccount" in rest:
        return Phrase("slurm_limit_per_account", params)
    return Phrase("slurm_limit_per_user", params)


def ending(state: str, exit_code: int | None, signal: int | None, limit_seconds: float | None, cancelled_by: str | None) -> tuple[str | None, Phrase | None]:
    """(well, badly or None, why) of a job that ended: `state` is one of ENDED. A cancelled one did neither."""
    if state == "COMPLETED":
        return "well", None
    if state == "CANCELLED":
        return None, Phrase({"you": "slurm_cancelled_you", "other": "slurm_cancelled_other"}.get(cancelled_by or "", "slurm_cancelled"))
    if state == "FAILED":
        if signal:
            return "badly", Phrase("slurm_failed_signal", {"signal": signal})
        return "badly", Phrase("slurm_failed_exit", {"exit_code": exit_code}) if exit_code else Phrase("slurm_failed")
    if state == "TIMEOUT":
        return "badly", Phrase("slurm_timeout", {"limit_seconds": limit_seconds}) if limit_seconds is not None else Phrase("slurm_timeout_unknown")
    return "badly", Phrase(_ENDINGS[state])


def stopped(runs: Iterable[SlurmRun]) -> tuple[tuple[float | None, Phrase], ...]:
    """Earlier runs of a job that went back into the line: when each ended and why."""
    found = []
    for run in runs:
        code = _STOPS.get(run.state)
        found.append((run.ended_at, Phrase(code) if code is not None else Phrase("slurm_stop_other", {"state": run.state})))
    return tuple(found)
