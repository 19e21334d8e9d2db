"""Tasks of a connection: which reads stand behind the list, the list itself, a page of it, and one task (DESIGN.md 7, 11)."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..model.contract import Standing
from ..model.kubernetes import Event
from ..model.outcome import KEEPS_DATA, Ask, Failure, Layer, Outcome, Phrase, Reading, State
from ..model.task import Moment, PodFact, Task, TaskDetail, TaskState
from ..reads import Asker
from ..scheduling.detail import detail_of, event_moments, pod_page
from ..scheduling.matching import Unit
from ..scheduling.slurm_reasons import NEVER as SLURM_NEVER
from ..scheduling.states import units_with_tasks
from ..scheduling.view import Question, Snapshot, page
from ..sources.kubernetes import tasks as reads
from ..sources.kubernetes.lists import Listing
from ..wire.pages import Counts, Part, TaskPage, TasksPage
from . import slurm_parts
from .derived import Made
from .faults import Fault, fault
from .parts import blocked, not_whole, part
from .query import TasksQuery
from .records import TYPED_REFUSED
from .source import Source
from .team import TeamReadings


@dataclass(frozen=True, slots=True)
class TasksMade:
    """Every task, and what the pages say of all of them together. `needs`: code of words.py -> how many tasks need a look for it.

    `faults`: of ours, of what is not or not wholly among them; with a namespace left out the counts are lowest numbers.
    """

    snapshot: Snapshot
    counts: Counts
    needs: Mapping[str, int]
    faults: tuple[Fault, ...] = ()

    @property
    def none(self) -> bool:
        return not (self.counts.running or self.counts.waiting or self.counts.rest)


Units = Mapping[str, Unit | None]
"""uid of a task -> what it was made of (None: a Slurm job, which is its own)."""


def make(source: Source, now: float, before: TasksMade | None = None, *, keep_rows: bool = True) -> tuple[TasksMade, Units]:
    """Every task, by upstream's clock; `before` itself where nothing changed. Pure; slow for many: for a worker.

    `keep_rows` False: only what is said of all of them together, for a card; thousands of rows that nobody can page through need not be held.
    """
    units: dict[str, Unit | None] = {}
    faults = list(source.faults)
    told = _Told()
    rows = told.each(_rows(source, now, units, faults))
    if keep_rows:
        snapshot = Snapshot(rows)
    else:
        for _ in rows:
            pass
        snapshot = Snapshot()
    counts = told.counts(whole=source.whole and not source.left_out and len(faults) == len(source.faults))
    made = TasksMade(snapshot, counts, told.needs(), tuple(faults))
    if not keep_rows:
        return made, {}
    if before is not None and before.snapshot == snapshot and (before.faults, before.counts) == (made.faults, counts):
        return before, units
    snapshot.make_ready(before.snapshot if before is not None else None)
    return made, units


def _rows(source: Source, now: float, units: dict[str, Unit | None], faults: list[Fault]) -> Iterator[Task]:
    """One by one, so that no more of them are held than somebody keeps. Fills `units`, and `faults` where a namespace breaks off."""
    for task in source.slurm:
        units[task.uid] = None
        yield task
    for one in source.teams:
        try:
            for unit, task in units_with_tasks(one, now + source.skew):
                units[task.uid] = unit
                yield task
        except Exception as error:  # noqa: BLE001 - of several namespaces the others still come
            faults.append(fault(one.namespace, error))


class _Told:
    """What is said of all tasks together: only what was read, nothing guessed."""

    def __init__(self) -> None:
        self.states: Counter[TaskState] = Counter()
        self.need: Counter[str] = Counter()
        self.not_seen = False

    def each(self, rows: Iterable[Task]) -> Iterator[Task]:
        for task in rows:
            self.states[task.state] += 1
            code = task.reason.code if task.reason is not None else ""
            self.not_seen |= code in NOT_SEEN
            self.need["attention_no_node"] += task.state is TaskState.STARTING and code.startswith("task_no_node")
            self.need["attention_never"] += task.state is TaskState.WAITING and code in NEVER
            self.need["attention_failed"] += task.state is TaskState.FINISHED and task.ended == "badly"
            yield task

    def needs(self) -> dict[str, int]:
        return dict(self.need)

    def counts(self, *, whole: bool) -> Counts:
        """By state. Where it can't be read whether something runs, how many run is not known."""
        apart = (TaskState.RUNNING, TaskState.WAITING)
        rest = {state: number for state, number in self.states.items() if state not in apart}
        running = None if self.not_seen else self.states[TaskState.RUNNING]
        return Counts(running=running, waiting=self.states[TaskState.WAITING], rest=rest, at_least=not whole)


def no_scope(found: TeamReadings) -> Outcome:
    """No namespace is in scope: neither a platform contract nor the connection names one.

    What is still being read may name one, and so may a contract that can't be read now; they come first. One that stays unreadable is no refusal of what
    is asked for here: the name is missing.
    """
    awaited = _scope_unknown(found)
    if awaited is not None:
        return awaited
    unread = next((s.outcome for s in found.contract.sources if s.unread and s.outcome.state is not State.PENDING), None)
    if unread is not None and not found.contract.namespaces:
        return unread if unread.state in KEEPS_DATA else _not_in_scope(Phrase("no_namespace_contract_unread", {"read": unread.source}))
    view = found.contract.view
    if view.standing in (Standing.INVALID, Standing.AMBIGUOUS, Standing.UNMATCHED) and view.line is not None and not found.contract.namespaces:
        return _not_in_scope(view.line)
    if view.standing in (Standing.REVOKED, Standing.DECOMMISSIONED):
        return _not_in_scope(Phrase("scope_closed"))
    for each in found.contract.namespaces:
        if each.why_not is not None and each.why_not.code == TYPED_REFUSED:
            return _not_in_scope(Phrase("no_scope_typed_refused", {"namespace": each.name}), Layer.CLUSTER, Ask.CLUSTER_ADMIN)
        if each.why_not is not None:
            return _not_in_scope(each.why_not)
    return _not_in_scope(Phrase("no_namespace_in_scope"))


def _not_in_scope(why: Phrase, layer: Layer = Layer.PROJECT, ask: Ask = Ask.CONTRACT_OWNER) -> Outcome:
    return Failure(State.NOT_CONFIGURED, why.code, why.params, layer=layer, ask=ask).outcome("the connection contract", time.time())


def main_outcome(found: TeamReadings) -> Outcome:
    """How the list as a whole stands: as its Workloads do; where there is no Kueue or no right to them, as the kinds that could be read."""
    workloads: list[Outcome] = [n.workloads.last for n in found.namespaces if n.workloads is not None]
    kinds: list[Outcome] = [r.last for n in found.namespaces for r in (*n.objects.values(), *((n.pods,) if n.pods is not None else ()))]
    showing = [o for o in workloads if o.state in (State.OK, State.UNREACHABLE, State.THROTTLED, State.EXPIRED)]
    if showing:
        return next((o for o in showing if o.state is not State.OK), showing[0])
    read = [o for o in kinds if o.state is State.OK]
    if read:
        return read[0]
    everything = workloads or kinds
    return next((o for o in everything if o.state is not State.PENDING), everything[0]) if everything else no_scope(found)


def _readings(found: TeamReadings) -> list[Reading[Any]]:
    """Workloads first, since they make the list; then what completes it."""
    first: list[Reading[Any]] = [n.workloads for n in found.namespaces if n.workloads is not None]
    return [*first, *(r for r in found.readings().values() if all(r is not f for f in first))]


def tasks_part(found: TeamReadings, rows: Any, *, made: TasksMade | None) -> Part[Any]:
    """`made` None: the readings are there but not put together yet, or nothing was read yet."""
    if found.blocked is not None:
        return blocked(found.blocked, *found.reached.readings())
    if found.slurm is not None:
        return slurm_parts.tasks_part(found.slurm, rows, made=made is not None)
    if not found.namespaces:
        return blocked(found.reached.explain(no_scope(found)))
    main = found.reached.explain(main_outcome(found))
    if made is None:
        if main.state is State.OK:
            main = Outcome(State.PENDING, "not_read_yet", main.source, main.at)
        return blocked(main, *_readings(found))
    if main.state is not State.OK and not any(r.data is not None for n in found.namespaces for r in n.listed()):
        return blocked(main, *_readings(found))  # nothing that could be listed was: no rows is not an empty list
    faults = [each.outcome(main.source, main.at) for each in made.faults]
    if faults and made.none and made.counts.at_least:
        return blocked(faults[0], *_readings(found))  # no rows is not an empty list
    return part(rows, _readings(found), last=main, aged=[r for n in found.namespaces for r in n.listed()], also=[*_lacks(found), *faults])


def _lacks(found: TeamReadings) -> list[Outcome]:
    return [*found.not_whole(), *(o for n in found.namespaces for o in n.lines_not_whole())]


def _scope_unknown(found: TeamReadings) -> Outcome | None:
    """The namespaces may stand in a record that is still being read."""
    return next((s.outcome for s in found.contract.sources if s.outcome.state is State.PENDING and s.platform), None) or next(
        (r.last for r in found.contract.readings if r.last.state is State.PENDING), None
    )


def tasks_page(
    found: TeamReadings, made: Made[TasksMade] | None, gone: bool, query: TasksQuery, *, person: frozenset[str], now: float, poll_after_ms: int,
    sandbox: bool, next_fresh_at: float | None,
) -> TasksPage:  # fmt: skip
    """A slice of one snapshot under the question, with the parts' states as they are now."""
    snapshot = made.value.snapshot if made is not None else Snapshot()
    view = page(snapshot, Question(query.whose, frozenset(query.states), query.text, query.sort, query.descending, query.offset, query.limit))
    known = snapshot.mine_known
    shown = tasks_part(found.as_made(made.inputs if made is not None else None), list(view.rows), made=made.value if made is not None else None)
    readable = shown.data is not None
    return TasksPage.model_construct(
        now=now,
        poll_after_ms=poll_after_ms,
        sandbox=sandbox,
        tasks=shown,
        generation=made.generation if made is not None else "",
        generation_gone=gone,
        offset=view.offset,
        limit=view.limit,
        total=view.total if readable else None,
        at_least=not found.whole or (made is not None and made.value.counts.at_least),
        by_state=view.by_state if readable else {},
        whose=query.whose,
        mine_known=known,
        mine_why=_mine_why(known, query.whose == "mine" and not view.total, person) if readable else None,
        sort=query.sort,
        descending=query.descending,
        text=query.text,
        states=list(query.states),
        next_fresh_at=next_fresh_at,
    )


def _mine_why(known: bool, none: bool, person: frozenset[str]) -> Phrase | None:
    """Why there is no telling which tasks are hers, or by which names none of them is."""
    if not known:
        return Phrase("mine_not_recorded" if person else "mine_person_unknown")
    return Phrase("mine_none", {"names": ", ".join(sorted(person))}) if none and person else None


NEVER = frozenset({"waits_exceeds_queue", "waits_pod_exceeds_queue", "waits_exceeds_told", "waits_not_covered"}) | SLURM_NEVER
"""Reasons to wait that today's quotas and limits never end."""
NOT_SEEN = frozenset({"admitted_not_seen", "pods_not_seen", "pods_not_whole", "workload_not_among_read"})


async def events(ask: Asker, found: TeamReadings, namespace: str) -> Reading[Listing[Event]] | None:
    """Events of the task's namespace: the one read that only the task page needs."""
    if found.reached.at is None or found.discovery is None or found.discovery.data is None:
        return None
    return await ask.one(reads.events(found.reached.at, namespace))


def task_page(
    found: TeamReadings, task: Task, unit: Unit, namespace: str, seen: Reading[Listing[Event]] | None, *, now: float, poll_after_ms: int, sandbox: bool,
    next_fresh_at: float | None,
) -> TaskPage:  # fmt: skip
    """One task with its history, pods and events, each part by its own right."""
    at = next(n for n in found.namespaces if n.name == namespace)
    behind = [r for r in (at.workloads, *at.objects.values(), at.pods) if r is not None]
    detail: Part[TaskDetail] = part(detail_of(task, unit), behind, last=found.reached.explain(main_outcome(found)), also=at.not_whole())
    lacks = not_whole(at.pods, namespace)
    facts, more = pod_page(unit, whole=not lacks)
    pods: Part[list[PodFact]] = blocked(found.blocked or no_scope(found))
    if at.pods is not None:
        none_read = at.pods.data is not None and facts is None and lacks  # none of it is among those that were read
        last = lacks[0] if none_read else found.reached.explain(at.pods.last)
        pods = part(list(facts) if facts is not None else None, [at.pods], last=last, also=lacks)
    moments: Part[list[Moment]]
    if seen is None:
        moments = blocked(found.blocked or no_scope(found))
    else:
        lacks = not_whole(seen, namespace)
        told = list(event_moments(seen.data.items, unit)) if seen.data is not None else None
        last = lacks[0] if lacks and not told else found.reached.explain(seen.last)  # none among those that were read is not none
        moments = part(told, [seen], last=last, also=lacks)
    return TaskPage.model_construct(
        now=now,
        poll_after_ms=poll_after_ms,
        sandbox=sandbox,
        orchestrator=found.reached.orchestrator,
        detail=detail,
        pods=pods,
        more_pods=more if pods.data is not None else None,
        events=moments,
        next_fresh_at=next_fresh_at,
    )
