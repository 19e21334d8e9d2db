"""Filter, sort and page one immutable snapshot of tasks (DESIGN.md 11). Pure: the same snapshot and question give the same page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from ..model.quantity import QuantityError, amount_units
from ..model.task import Task, TaskState

MAX_LIMIT = 200
MAX_TEXT = 256


@dataclass(frozen=True, slots=True)
class Question:
    """`whose`: mine or team. `states` empty: all. `text`: every word of it must be found. `sort`: a key of SORTS. Numbers are brought into range."""

    whose: str = "team"
    states: frozenset[str] = frozenset()
    text: str = ""
    sort: str = "state"
    descending: bool = False
    offset: int = 0
    limit: int = 50


@dataclass(frozen=True, slots=True)
class View:
    """`total`: rows under the whole filter. `by_state`: counts under the filter without its states, so that each state's button tells its own."""

    rows: tuple[Task, ...]
    total: int
    by_state: dict[str, int] = field(default_factory=dict)
    offset: int = 0
    limit: int = 50


_STATE_ORDER = {
    state: place
    for place, state in enumerate(
        (
            TaskState.STOPPING,
            TaskState.STARTING,
            TaskState.CHECKING,
            TaskState.RUNNING,
            TaskState.WAITING,
            TaskState.UNKNOWN,
            TaskState.SUSPENDED,
            TaskState.DEACTIVATED,
            TaskState.FINISHED,
        )
    )
}
"""What may need somebody first; not the order in which states are told apart."""


def _requested(task: Task) -> tuple[int, ...]:
    """By the scarcest resource asked for; the order of `requested` puts devices first."""
    if not task.requested:
        return ()
    first = task.requested[0]
    try:
        return (1 if "/" in first.resource else 0, amount_units(first.resource, first.amount))
    except QuantityError:
        return ()


SORTS: dict[str, Callable[[Task], Any]] = {
    "state": lambda task: (_STATE_ORDER[task.state], task.place_in_line if task.place_in_line is not None else 10**9),
    "kind": lambda task: task.kind,
    "name": lambda task: task.name,
    "priority": lambda task: task.priority,
    "requested": lambda task: _requested(task) or None,
    "created": lambda task: task.created_at,
    "since": lambda task: task.since,
    "place": lambda task: task.place_in_line,
    "stops": lambda task: task.stops,
    "scope": lambda task: task.scope,
    "submitter": lambda task: task.submitter,
}
"""Sort keys; a row whose key is None (not known) comes last in both directions."""


def select(tasks: Iterable[Task], question: Question) -> tuple[Task, ...]:
    """The rows under the whole filter, in order. Ties are broken by age, then uid, the same way in both directions."""
    shown = [task for task in _filtered(tasks, question) if not question.states or task.state.value in question.states]
    key = SORTS.get(question.sort, SORTS["state"])
    shown.sort(key=lambda task: (task.created_at is None, task.created_at or 0.0, task.uid))
    known = [task for task in shown if key(task) is not None]
    unknown = [task for task in shown if key(task) is None]
    known.sort(key=key, reverse=question.descending)
    return (*known, *unknown)


def page(tasks: Iterable[Task], question: Question) -> View:
    """One page. An offset behind the end gives no rows and the true total."""
    given = tuple(tasks)
    rows = select(given, question)
    by_state: dict[str, int] = {}
    for task in _filtered(given, question):
        by_state[task.state.value] = by_state.get(task.state.value, 0) + 1
    offset, limit = max(0, question.offset), max(1, min(MAX_LIMIT, question.limit))
    return View(rows[offset : offset + limit], len(rows), by_state, offset, limit)


def mine_known(tasks: Iterable[Task]) -> bool:
    """Whether the filter *mine* can say anything: a submitter is recorded on some task and this person's id is known."""
    return any(task.mine is not None for task in tasks)


def _filtered(tasks: Iterable[Task], question: Question) -> list[Task]:
    words = question.text[:MAX_TEXT].casefold().split()
    return [task for task in tasks if (question.whose != "mine" or task.mine is True) and _has(task, words)]


def _has(task: Task, words: list[str]) -> bool:
    if not words:
        return True
    text = " ".join(
        part
        for part in (task.name, task.kind, task.scope, task.state.value, task.queue, task.priority_class, task.workload, task.submitter, *task.flavors)
        if part
    ).casefold()
    return all(word in text for word in words)
