"""Filter, sort and page one immutable snapshot of tasks (DESIGN.md 11). Pure: the same snapshot and question give the same page.

Pages are cut on the event loop, so what is slow for many tasks (orders, texts to search in) is worked out once per snapshot, where that is made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
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
    return _scarce(task.requested[0].resource, task.requested[0].amount)


@lru_cache(maxsize=1024)  # thousands of tasks ask for the same few amounts
def _scarce(resource: str, amount: str) -> tuple[int, ...]:
    try:
        return (1 if "/" in resource else 0, amount_units(resource, amount))
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


class Snapshot:
    """Tasks that never change, oldest first, with what questions need of them. Give `make_ready` to a worker before the first question."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        self.tasks = tuple(sorted(tasks, key=lambda task: (task.created_at is None, task.created_at or 0.0, task.uid)))
        self._orders: dict[tuple[str, bool], Sequence[int]] = {}

    def make_ready(self, before: Snapshot | None = None) -> None:
        """Works out beforehand what most questions need, and the orders that were asked for in the snapshot before."""
        _ = self.states, self.texts, self.mine_known, self._places
        self.order("state", False)
        for sort, descending in tuple(before._orders) if before is not None else ():
            self.order(sort, descending)

    def order(self, sort: str, descending: bool) -> Sequence[int]:
        """Indexes into `tasks`. Ties are broken by age, then uid, the same way in both directions."""
        sort = sort if sort in SORTS else "state"
        found = self._orders.get((sort, descending))
        if found is None:
            keys = [SORTS[sort](task) for task in self.tasks]
            known = [i for i, key in enumerate(keys) if key is not None]
            unknown = [i for i, key in enumerate(keys) if key is None]
            known.sort(key=keys.__getitem__, reverse=descending)
            found = self._orders[(sort, descending)] = known + unknown
        return found

    def find(self, uid: str) -> Task | None:
        place = self._places.get(uid)
        return None if place is None else self.tasks[place]

    @cached_property
    def _places(self) -> dict[str, int]:
        return {task.uid: place for place, task in enumerate(self.tasks)}

    @cached_property
    def states(self) -> tuple[str, ...]:
        return tuple(task.state.value for task in self.tasks)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """What a search looks through."""
        return tuple(_text(task) for task in self.tasks)

    @cached_property
    def mine_known(self) -> bool:
        """Whether the filter *mine* can say anything: a submitter is recorded on some task and this person's id is known."""
        return any(task.mine is not None for task in self.tasks)

    def under(self, question: Question) -> tuple[Sequence[int], dict[str, int]]:
        """The rows under the whole filter, in order, and the counts by state under the filter without its states."""
        chosen = self.order(question.sort, question.descending)
        if question.whose == "mine":
            chosen = [i for i in chosen if self.tasks[i].mine is True]
        words = question.text[:MAX_TEXT].casefold().split()
        if words:
            texts = self.texts
            chosen = [i for i in chosen if all(word in texts[i] for word in words)]
        states = self.states
        by_state = dict(Counter([states[i] for i in chosen]))
        if question.states:
            chosen = [i for i in chosen if states[i] in question.states]
        return chosen, by_state


def select(tasks: Iterable[Task] | Snapshot, question: Question) -> tuple[Task, ...]:
    """The rows under the whole filter, in order. Ties are broken by age, then uid, the same way in both directions."""
    snapshot = tasks if isinstance(tasks, Snapshot) else Snapshot(tasks)
    return tuple(snapshot.tasks[i] for i in snapshot.under(question)[0])


def page(tasks: Iterable[Task] | Snapshot, question: Question) -> View:
    """One page. An offset behind the end gives no rows and the true total."""
    snapshot = tasks if isinstance(tasks, Snapshot) else Snapshot(tasks)
    chosen, by_state = snapshot.under(question)
    offset, limit = max(0, question.offset), max(1, min(MAX_LIMIT, question.limit))
    return View(tuple(snapshot.tasks[i] for i in chosen[offset : offset + limit]), len(chosen), by_state, offset, limit)


def mine_known(tasks: Iterable[Task]) -> bool:
    """See Snapshot.mine_known."""
    return Snapshot(tasks).mine_known


def _text(task: Task) -> str:
    parts = (task.name, task.kind, task.scope, task.state.value, task.queue, task.priority_class, task.workload, task.submitter, *task.flavors)
    return " ".join(part for part in parts if part).casefold()
