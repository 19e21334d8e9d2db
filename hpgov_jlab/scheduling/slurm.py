"""Slurm's jobs as tasks of the one vocabulary (DESIGN.md 7 to 9): state, why, stops, the line of the own team. Pure: time comes in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from ..model.outcome import Phrase
from ..model.slurm import SlurmAssociation, SlurmHistory, SlurmJob, SlurmJobs, SlurmOwn, SlurmRun
from ..model.task import Moment, Stop, Task, TaskDetail, TaskState
from .commands import command
from .slurm_reasons import ENDED, ESTIMATED, NOT_IN_LINE, ending, stopped, waiting

KIND = "Slurm job"
REVOKED = "REVOKED"
"""The copy of a job of a federation on a cluster that does not run it: neither its state nor its times are the job's."""
_SLUG = re.compile(r"[^A-Za-z0-9_.-]")


def own_of(user: str, groups: Sequence[str], associations: Iterable[SlurmAssociation] | None) -> SlurmOwn:
    """Who reads. `associations` None: not readable, so that what is "mine" stays unknown; empty never comes, it is a failure of its own."""
    if associations is None:
        return SlurmOwn(user, None, None, tuple(groups))
    mine = [a for a in associations if a.user == user]
    accounts = tuple(dict.fromkeys(a.account for a in mine))
    qos = tuple(sorted({q for a in mine for q in a.qos}))
    return SlurmOwn(user, accounts, qos or None, tuple(groups))


def uid_of(job_id: str) -> str:
    """A row's key, fit for an address: 26_[0-9%2] is job-26_pending."""
    base, bracket, _ = job_id.partition("_[")
    return f"job-{_SLUG.sub('.', base)}" + ("_pending" if bracket else "")


def slurm_tasks(
    own: SlurmJobs | None, team: Iterable[SlurmJobs] = (), history: SlurmHistory | None = None, *, user: str, now: float, line: bool = True
) -> tuple[Task, ...]:
    """One row per job: own ones, the team's as far as they are visible, and own ones of the last 24 h that only accounting still has.

    `now` is the controller's time (epoch seconds). `line` False: the team's jobs are not all visible, so no place in its line is told.
    """
    jobs: dict[str, SlurmJob] = {}
    for listing in ((own,) if own is not None else ()), team:
        for one in listing:
            for job in one.items:
                jobs.setdefault(job.id, job)
    runs: dict[str, list[SlurmRun]] = {}
    for run in history.runs if history is not None else ():
        runs.setdefault(run.id, []).append(run)
    _parts(jobs.values(), runs)
    places = _places(jobs.values(), user) if line else {}
    made = [_task(job, runs.get(job.id, []) if job.user == user else [], user, now, places.get(job.id)) for job in jobs.values()]
    waiting_arrays = {job.id.partition("_")[0] for job in jobs.values() if job.array_tasks is not None}
    for job_id, found in runs.items():
        if job_id in jobs or (job_id.partition("_[")[0] in waiting_arrays and "_[" in job_id):
            continue
        made.append(_past(found, user))
    return tuple(made)


def _parts(jobs: Iterable[SlurmJob], runs: dict[str, list[SlurmRun]]) -> None:
    """A part of a heterogeneous job, 30+1, is only 31 in accounting while it waits (24.11.5, measured): such runs go to the part's id."""
    for job in jobs:
        known_as = str(job.number) if job.number is not None else ""
        if known_as in runs and all(run.name == job.name for run in runs[known_as]):
            runs.setdefault(job.id, []).extend(runs.pop(known_as))


def _task(job: SlurmJob, runs: list[SlurmRun], user: str, now: float, place: int | None) -> Task:
    state, ended, reason, since = _state(job, runs, now)
    earlier = [r for r in runs if _is_earlier(r, job)]
    stops = stopped(sorted(earlier, key=lambda r: r.ended_at or 0.0))
    count = job.restarts if job.restarts is not None else len(stops) if runs else None
    last = Stop(stops[-1][0], stops[-1][1], len(stops)) if stops else None
    next_step = None
    if state is TaskState.WAITING and job.reason in ESTIMATED and job.start_estimate is not None and job.start_estimate > now:
        next_step = Phrase("slurm_estimate", {"start_at": job.start_estimate})
    return Task(
        uid=uid_of(job.id),
        scheduler="slurm",
        scope=job.account,
        kind=KIND,
        name=job.name if job.name is not None else job.id,
        state=state,
        ended=ended,
        reason=reason,
        next_step=next_step,
        priority=job.priority,
        priority_class=job.qos,
        requested=job.requested or (),
        pods=job.nodes,
        queue=job.partition,
        workload=job.id,
        created_at=job.submitted_at,
        since=since,
        started_at=job.started_at,
        finished_at=job.ended_at,
        place_in_line=place,
        line_source="computed" if place is not None else None,
        stops=count,
        last_stop=last,
        submitter=job.user,
        mine=job.user == user,
    )


def _state(job: SlurmJob, runs: list[SlurmRun], now: float) -> tuple[TaskState, str | None, Phrase | None, float | None]:
    """(state, well or badly, why, since when)."""
    words = {job.state, *job.flags}
    if REVOKED in words:
        return TaskState.UNKNOWN, None, Phrase("slurm_revoked"), None
    if job.state in ENDED:
        if "COMPLETING" in words:
            return TaskState.STOPPING, None, Phrase("slurm_completing"), job.ended_at
        by = next((r.cancelled_by for r in reversed(runs) if r.state == "CANCELLED"), None)
        ended, why = ending(job.state, job.exit_code, job.signal, job.limit_seconds, by)
        return TaskState.FINISHED, ended, why, job.ended_at
    if "COMPLETING" in words or "STAGE_OUT" in words:
        return TaskState.STOPPING, None, Phrase("slurm_completing"), None
    if job.state == "PENDING" or words & {"REQUEUED", "REQUEUE_HOLD", "SPECIAL_EXIT"}:
        return TaskState.WAITING, None, waiting(job, now), job.eligible_at if job.eligible_at is not None and job.eligible_at <= now else job.submitted_at
    if "CONFIGURING" in words:
        return TaskState.STARTING, None, Phrase("slurm_configuring"), job.started_at
    if words & {"SUSPENDED", "STOPPED"}:
        return TaskState.SUSPENDED, None, Phrase("slurm_suspended"), None
    if job.state in ("RUNNING", "RESIZING", "SIGNALING"):
        return TaskState.RUNNING, None, None, job.started_at
    return TaskState.UNKNOWN, None, Phrase("slurm_state_unknown", {"state": job.state}), None


def _is_earlier(run: SlurmRun, job: SlurmJob) -> bool:
    """A run of before: ended, and not the one that the controller shows now."""
    if run.state not in (*ENDED, "REQUEUED") or run.ended_at is None:
        return False
    return (job.state not in ENDED and (job.started_at is None or run.ended_at <= job.started_at)) or (job.state in ENDED and run.started_at != job.started_at)


def _past(runs: list[SlurmRun], user: str) -> Task:
    """A job that the controller has forgotten: its last run, with the earlier ones as stops."""
    ordered = sorted(runs, key=lambda r: (r.submitted_at or 0.0, r.started_at or 0.0, r.ended_at or 0.0))
    last, earlier = ordered[-1], [r for r in ordered[:-1] if r.state != REVOKED]
    stops = stopped(earlier)
    if last.state in ENDED:
        ended, why = ending(last.state, last.exit_code, last.signal, last.limit_seconds, last.cancelled_by)
        state, since = TaskState.FINISHED, last.ended_at
    else:  # accounting says it runs or waits, the controller does not have it: one of the two is behind
        why = Phrase("slurm_revoked") if last.state == REVOKED else Phrase("slurm_only_accounting", {"state": last.state})
        ended, state, since = None, TaskState.UNKNOWN, None
    return Task(
        uid=uid_of(last.id),
        scheduler="slurm",
        scope=last.account,
        kind=KIND,
        name=last.name if last.name is not None else last.id,
        state=state,
        ended=ended,
        reason=why,
        priority_class=last.qos,
        requested=last.requested or (),
        pods=last.nodes,
        queue=last.partition,
        workload=last.id,
        created_at=last.submitted_at,
        since=since,
        started_at=last.started_at if last.state != REVOKED else None,
        finished_at=last.ended_at if last.state != REVOKED else None,
        stops=len(stops),
        last_stop=Stop(stops[-1][0], stops[-1][1], len(stops)) if stops else None,
        submitter=user,
        mine=True,
    )


def _places(jobs: Iterable[SlurmJob], user: str) -> dict[str, int]:
    """Place among the team's jobs that wait in the same partition: by priority, then age. Other teams are not in it."""
    lines: dict[str, list[SlurmJob]] = {}
    for job in jobs:
        if job.state == "PENDING" and job.reason not in NOT_IN_LINE and job.priority:
            lines.setdefault(job.partition, []).append(job)
    found: dict[str, int] = {}
    for line in lines.values():
        for number, job in enumerate(sorted(line, key=lambda j: (-(j.priority or 0), j.submitted_at or 0.0, j.id)), 1):
            found[job.id] = number
    return found


def slurm_detail(task: Task, history: SlurmHistory | None) -> TaskDetail:
    """The task page: what happened, run by run, and the commands that tell more."""
    runs = [r for r in history.runs if r.id == task.workload and r.state != REVOKED] if history is not None and task.mine else []
    moments: list[Moment] = []
    submitted = [at for at in (task.created_at, *(r.submitted_at for r in runs)) if at is not None]
    if submitted:  # Slurm sets the time of submission anew when it puts a job back
        moments.append(Moment(min(submitted), Phrase("moment_created")))
    for run in runs:
        if run.started_at is not None and run.started_at != task.started_at:
            moments.append(Moment(run.started_at, Phrase("moment_started")))
        if run.ended_at is not None and run.ended_at != task.finished_at and run.state in (*ENDED, "REQUEUED"):
            moments.append(Moment(run.ended_at, stopped([run])[0][1]))
    if task.started_at is not None:
        moments.append(Moment(task.started_at, Phrase("moment_started")))
    if task.finished_at is not None:
        code: Mapping[str, str] = {"well": "moment_finished_well", "badly": "moment_finished_badly"}
        moments.append(Moment(task.finished_at, Phrase(code.get(task.ended or "", "moment_finished"))))
    moments.sort(key=lambda m: m.at or 0.0)
    earlier = [r for r in runs if r.ended_at is not None and r.ended_at != task.finished_at and r.state in (*ENDED, "REQUEUED")]
    return TaskDetail(task, tuple(moments), tuple(Stop(at, cause) for at, cause in stopped(earlier)), logs_commands=commands_for(task))


def commands_for(task: Task) -> tuple[str, ...]:
    """To copy (S5): what Slurm says of the job, and what accounting has of it."""
    number = (task.workload or "").partition("_[")[0]
    if not re.fullmatch(r"\d{1,10}(?:[_+]\d{1,10})?", number):
        return ()
    lines = [] if task.state is TaskState.FINISHED else [command(["scontrol", "show", "job", number])]
    lines.append(command(["sacct", f"--jobs={number}", "--duplicates", "--format=JobID,State,ExitCode,Elapsed,NodeList,Reason"]))
    return tuple(line for line in lines if line is not None)
