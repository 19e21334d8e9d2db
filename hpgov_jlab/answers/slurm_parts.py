"""A Slurm cluster's parts of the same pages: tasks, share, the task page, rows of the Access tab (DESIGN.md 8, 12)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from ..model.access import AccessRow
from ..model.connection import Orchestrator
from ..model.outcome import Ask, Layer, Outcome, Reading, State
from ..model.share import SlurmShareRow
from ..model.slurm import SlurmNodeSums
from ..model.task import Task, TaskDetail
from ..policy import slurm as policy
from ..scheduling.slurm import slurm_detail
from ..scheduling.slurm_notes import OF_FIGURES
from ..scheduling.slurm_share import tightest
from ..scheduling.slurm_sums import node_sums, queue_sums
from ..wire.pages import LimitGlance, Part, SharePage, TaskPage
from .parts import blocked, from_part, part
from .slurm import SlurmMade, SlurmReadings

T = TypeVar("T")
U = TypeVar("U")

SOURCE = "Slurm"
SHOWING = frozenset({State.OK, State.UNREACHABLE, State.THROTTLED, State.EXPIRED})
NOT_THERE = frozenset({State.ABSENT, State.NOT_CONFIGURED})
"""What is not there, or not set up, leaves no gap."""
ASKED: dict[str, tuple[policy.Shape, policy.Endpoint | None]] = {
    "controller": (policy.PING, policy.REST_PING),
    "config": (policy.CONFIG, None),
    "own_jobs": (policy.OWN_JOBS, policy.REST_JOBS),
    "team": (policy.TEAM_JOBS, policy.REST_JOBS),
    "history": (policy.HISTORY, policy.REST_HISTORY),
    "associations": (policy.ASSOCIATIONS, policy.REST_ASSOCIATIONS),
    "accounts": (policy.ACCOUNT, None),
    "qos": (policy.QOS, policy.REST_QOS),
    "usage": (policy.USAGE, None),
    "shares": (policy.SHARES, policy.REST_SHARES),
    "partitions": (policy.PARTITIONS, policy.REST_PARTITIONS),
    "reservations": (policy.RESERVATIONS, policy.REST_RESERVATIONS),
    "nodes": (policy.NODES, policy.REST_NODES),
    "queue": (policy.QUEUE, policy.REST_JOBS),
}
"""Name of a reading -> what it is asked with. Several readings have one name of a command (four are `squeue`), so the command tells no reading.
What is read and needed for is the command's word for slurmrestd too: one request brings own jobs, the team's, and the queue."""
BY_ASSOCIATIONS = frozenset({"team", "accounts"})


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
    return part(rows, readings, last=main, also=found.not_whole(), aged=found.listing())


def task_page(found: SlurmReadings, task: Task, *, now: float, poll_after_ms: int, sandbox: bool, next_fresh_at: float | None) -> TaskPage:
    detail: TaskDetail = slurm_detail(task, found.history.data if found.history is not None else None)
    nothing: Part[Any] = blocked(Outcome(State.ABSENT, "slurm_no_pods", SOURCE, ask=Ask.NOBODY))
    shown: Part[TaskDetail] = part(detail, found.listing(), last=tasks_outcome(found))
    return TaskPage.model_construct(
        now=now,
        poll_after_ms=poll_after_ms,
        sandbox=sandbox,
        orchestrator=Orchestrator.SLURM,
        detail=shown,
        pods=nothing,
        events=nothing,
        next_fresh_at=next_fresh_at,
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


def glance_part(found: SlurmReadings, made: SlurmMade | None) -> Part[LimitGlance]:
    """The card's one bar: the limit on GPUs that is held most. Where none is set there is nothing to draw, and that is no gap.

    Where what tells the limits, or what is held of them, could not be read, it says so: no bar is then not "none is set".
    """
    rows = rows_part(found, made)
    if rows.data is None:
        return from_part(rows, None)
    best = tightest(rows.data)
    if best is None or best.limit is None or best.held is None:
        unread = next((r.last for r in (found.usage, found.associations) if r is not None and r.data is None and r.last.state not in NOT_THERE), None)
        return blocked(unread or Outcome(State.ABSENT, "slurm_no_share_bar", SOURCE, ask=Ask.NOBODY), *_share_reads(found))
    data = LimitGlance(
        scope=best.scope, name=best.name, resource=best.resource, per=best.per, own=best.own, limit=best.limit, held=best.held, enforced=best.enforced
    )  # fmt: skip
    return from_part(rows, data)


def _of(reading: Reading[T] | None, made: Callable[[T], U | None], found: SlurmReadings) -> Part[U]:
    """A part made of one reading. Where it is not put together yet it is being read: never read and empty."""
    if reading is None:
        return blocked(tasks_outcome(found))
    data = made(reading.data) if reading.data is not None else None
    if data is None and reading.last.state is State.OK:
        return blocked(Outcome(State.PENDING, "not_read_yet", reading.last.source, reading.last.at))
    return part(data, [reading])


def nodes_part(found: SlurmReadings) -> Part[SlurmNodeSums]:
    """What Slurm says of its nodes, for the card, where it stands beside what HyperPod says of them."""
    return blocked(found.blocked) if found.blocked is not None else _of(found.nodes, node_sums, found)


def share_page(
    found: SlurmReadings, behind: SlurmReadings, made: SlurmMade | None, *, now: float, poll_after_ms: int, sandbox: bool, next_fresh_at: float | None
) -> SharePage:
    """No queue, no cohort, no lending: Slurm has none of them. `behind`: the readings with the ages of those that `made` came from."""
    nothing: Part[Any] = blocked(Outcome(State.ABSENT, "slurm_no_queues", SOURCE, ask=Ask.NOBODY))
    notes = made.notes if made is not None else ()
    return SharePage.model_construct(
        now=now,
        poll_after_ms=poll_after_ms,
        sandbox=sandbox,
        orchestrator=Orchestrator.SLURM,
        rows=rows_part(behind, made),
        queue=nothing,
        cohort=nothing,
        local_queue=nothing,
        fairshare=_of(behind.shares, lambda _: list(made.fairshare) if made is not None else None, found),
        partitions=_of(behind.partitions, lambda _: list(made.places) if made is not None else None, found),
        slurm_nodes=nodes_part(found),
        slurm_queue=_of(found.queue, queue_sums, found),
        notes=[n for n in notes if n.code in OF_FIGURES],
        cluster_notes=[n for n in notes if n.code not in OF_FIGURES],
        next_fresh_at=next_fresh_at,
    )


def access_rows(found: SlurmReadings) -> Iterator[AccessRow]:
    """One row per reading, as its last try ended. Slurm itself decides what it shows: PrivateData and the associations."""
    way = found.site.last if found.site is not None else found.blocked
    if way is not None:
        yield AccessRow(policy.VERSION.read, way.source, "", policy.VERSION.purposes, way, Ask.JUPYTER_ADMIN, Layer.WORKLOAD)
    at = found.at
    if at is None:
        return
    over_rest = at.transport_name == "slurmrestd"
    for name, (shape, endpoint) in ASKED.items():
        operation = endpoint.source if over_rest and endpoint is not None else shape.source
        for account, outcome in _outcomes(found, name) or [("", _not_asked(found, name, operation))]:
            yield AccessRow(shape.read, operation, account or at.user, shape.purposes, outcome, Ask.CLUSTER_ADMIN, Layer.CLUSTER)


def _outcomes(found: SlurmReadings, name: str) -> list[tuple[str, Outcome]]:
    """(account that the reading is of, or "", how it ended) of every reading with this name."""
    told = ((label.split("/", 2), reading.last) for label, reading in found.readings())
    return [(words[2] if len(words) > 2 else "", last) for words, last in told if words[1] == name]


def _not_asked(found: SlurmReadings, name: str, operation: str) -> Outcome:
    """What needs her accounts waits for the associations; the rest waits for a page that shows it."""
    associations = found.associations
    if name in BY_ASSOCIATIONS and associations is not None and associations.last.state is not State.OK:
        return Outcome(State.PENDING, "waits_for", operation, None, {"read": associations.last.source})
    return Outcome(State.PENDING, "asked_when_needed", operation)
