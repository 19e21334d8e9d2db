"""A Slurm cluster's parts of the same pages: tasks, share, the task page, rows of the Access tab (DESIGN.md 8, 12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..model.access import AccessRow
from ..model.connection import Orchestrator
from ..model.outcome import Ask, Layer, Outcome, Reading, State
from ..model.share import SlurmShareRow
from ..model.slurm import SlurmFairshareRow, SlurmPlace
from ..model.task import Task, TaskDetail
from ..policy import slurm as policy
from ..scheduling.slurm import slurm_detail
from ..wire.pages import Part, SharePage, TaskPage
from .parts import blocked, part
from .slurm import SlurmMade, SlurmReadings

SOURCE = "Slurm"
SHOWING = frozenset({State.OK, State.UNREACHABLE, State.THROTTLED, State.EXPIRED})


def listing(found: SlurmReadings) -> list[Reading[Any]]:
    """The reads that make the list of tasks, own jobs first."""
    return [r for r in (found.own_jobs, *found.team.values(), found.history) if r is not None]


def tasks_outcome(found: SlurmReadings) -> Outcome:
    """How the list stands: as the own jobs do, else as the controller does."""
    if found.own_jobs is not None:
        return found.own_jobs.last
    return found.controller.last if found.controller is not None else Outcome(State.PENDING, "not_read_yet", SOURCE)


def tasks_part(found: SlurmReadings, rows: Any, *, made: bool) -> Part[Any]:
    """An empty list with a failed read is never "no jobs"."""
    readings = [r for _, r in found.readings()]
    main = tasks_outcome(found)
    if not made:
        return blocked(Outcome(State.PENDING, "not_read_yet", main.source, main.at) if main.state is State.OK else main, *readings)
    if main.state is not State.OK and (found.own_jobs is None or found.own_jobs.data is None):
        return blocked(main, *readings)
    return part(rows, readings, last=main, aged=listing(found))


def task_page(found: SlurmReadings, task: Task, *, now: float, poll_after_ms: int, sandbox: bool) -> TaskPage:
    detail: TaskDetail = slurm_detail(task, found.history.data if found.history is not None else None)
    nothing: Part[Any] = blocked(Outcome(State.ABSENT, "slurm_no_pods", SOURCE, ask=Ask.NOBODY))
    shown: Part[TaskDetail] = part(detail, listing(found), last=tasks_outcome(found))
    return TaskPage.model_construct(
        now=now, poll_after_ms=poll_after_ms, sandbox=sandbox, orchestrator=Orchestrator.SLURM, detail=shown, pods=nothing, events=nothing
    )


def _share_reads(found: SlurmReadings) -> list[Reading[Any]]:
    return [r for r in (found.usage, found.associations, found.accounts, found.qos, found.config) if r is not None]


def rows_part(found: SlurmReadings, made: SlurmMade | None) -> Part[list[SlurmShareRow]]:
    """Limits from whichever of database and controller answers; what is held comes from the controller only."""
    readings = _share_reads(found)
    main = next((r.last for r in readings[:2] if r.last.state in SHOWING and r.data is not None), readings[0].last if readings else tasks_outcome(found))
    if made is None:
        return blocked(Outcome(State.PENDING, "not_read_yet", main.source, main.at) if main.state is State.OK else main, *readings)
    if not any(r.data is not None for r in readings[:2]):
        return blocked(main, *readings)
    return part(list(made.rows), readings, last=main)


def share_page(found: SlurmReadings, made: SlurmMade | None, *, now: float, poll_after_ms: int, sandbox: bool) -> SharePage:
    """No queue, no cohort, no lending: Slurm has none of them."""
    nothing: Part[Any] = blocked(Outcome(State.ABSENT, "slurm_no_queues", SOURCE, ask=Ask.NOBODY))
    fairshare: Part[list[SlurmFairshareRow]] = blocked(tasks_outcome(found))
    partitions: Part[list[SlurmPlace]] = blocked(tasks_outcome(found))
    if found.shares is not None:
        fairshare = part(list(made.fairshare) if made is not None and found.shares.data is not None else None, [found.shares])
    if found.partitions is not None:
        partitions = part(list(made.places) if made is not None and found.partitions.data is not None else None, [found.partitions])
    rows = rows_part(found, made)
    return SharePage.model_construct(
        now=now,
        poll_after_ms=poll_after_ms,
        sandbox=sandbox,
        orchestrator=Orchestrator.SLURM,
        rows=rows,
        queue=nothing,
        cohort=nothing,
        local_queue=nothing,
        fairshare=fairshare,
        partitions=partitions,
        notes=list(made.notes) if made is not None else [],
    )


def access_rows(found: SlurmReadings) -> Iterator[AccessRow]:
    """One row per command, as its last read ended. Slurm itself decides what it shows: PrivateData and the associations."""
    site = found.site
    if site is not None:
        yield AccessRow(policy.VERSION.read, site.last.source, "", policy.VERSION.purposes, site.last, Ask.JUPYTER_ADMIN, Layer.WORKLOAD)
    known = {r.last.source: r.last for _, r in found.readings()}
    seen: set[str] = set()
    asked: tuple[policy.Shape | policy.Endpoint, ...] = (*policy.COMMANDS, *policy.ENDPOINTS)
    for shape in asked:
        outcome = known.get(shape.source)
        if outcome is None or shape.source in seen:
            continue
        seen.add(shape.source)
        yield AccessRow(shape.read, shape.source, found.at.user if found.at is not None else "", shape.purposes, outcome, Ask.CLUSTER_ADMIN, Layer.CLUSTER)
