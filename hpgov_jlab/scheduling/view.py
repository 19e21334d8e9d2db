"""Filter, sort and page one immutable snapshot of tasks (DESIGN.md 11). Pure: the same snapshot and question give the same page.

Pages are cut on the event loop, so what is slow for many tasks (texts to search in, what to sort by) is worked out once per snapshot, where that is
made. Thousands of rows are held as bytes, and only those of a page are made into tasks again: Python's collector of garbage stops everything while it
goes through objects, and it comes by sooner the more of them were made.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeVar

from msgspec import msgpack, to_builtins

from ..model.quantity import QuantityError, amount_units
from ..model.task import Task, TaskState

T = TypeVar("T")
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
    "state": lambda task: _STATE_ORDER[task.state] * 10**12 + (task.place_in_line if task.place_in_line is not None else 10**9),
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


_pack, _unpack = msgpack.Encoder().encode, msgpack.Decoder(Task).decode
_LARGEST = 2**63


def _packed(task: Task) -> bytes:
    """One row whose numbers or letters msgpack has no form of must not keep all others from being shown: of such a value nothing is told."""
    try:
        return _pack(task)
    except (OverflowError, UnicodeEncodeError):
        row = _told(to_builtins(task))
        if row["last_stop"] is not None and row["last_stop"]["count"] is None:
            row["last_stop"] = None
        return _pack(row)


def _told(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _told(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_told(each) for each in value]
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    return None if isinstance(value, int) and not -_LARGEST <= value < _LARGEST else value


class Snapshot:
    """Tasks that never change, oldest first, with what questions need of them. Slow for thousands: for a worker. `len` and `==` by its rows."""

    def __init__(self, tasks: Iterable[Task] = ()) -> None:
        rows: list[bytes] = []
        uids: list[str] = []
        ages: list[float] = []
        states: list[str] = []
        texts: list[str] = []
        mine: list[bool | None] = []
        keys: dict[str, list[Any]] = {sort: [] for sort in SORTS}
        for task in tasks:
            rows.append(_packed(task))
            uids.append(task.uid)
            ages.append(math.inf if task.created_at is None else task.created_at)
            states.append(task.state.value)
            texts.append(_text(task))
            mine.append(task.mine)
            for sort, key in SORTS.items():
                keys[sort].append(key(task))
        order = sorted(range(len(rows)), key=uids.__getitem__)
        order.sort(key=ages.__getitem__)
        self._rows, self._uids, self._states, self._texts = _in(order, rows), _in(order, uids), _in(order, states), _in(order, texts)
        self._mine = _in(order, mine)
        self._keys = {sort: _in(order, found) for sort, found in keys.items()}
        self._places = {uid: place for place, uid in enumerate(self._uids)}
        self._orders: dict[tuple[str, bool], Sequence[int]] = {}
        self.mine_known = any(known is not None for known in mine)
        """Whether the filter *mine* can say anything: a submitter is recorded on some task and this person's id is known."""

    def make_ready(self, before: Snapshot | None = None) -> None:
        """Works out beforehand the order that most questions need, and those that were asked for in the snapshot before."""
        self.order("state", False)
        for sort, descending in tuple(before._orders) if before is not None else ():
            self.order(sort, descending)

    def __len__(self) -> int:
        return len(self._rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Snapshot) and self._rows == other._rows

    __hash__ = None  # type: ignore[assignment]

    def rows(self, places: Iterable[int]) -> tuple[Task, ...]:
        """The tasks at these places."""
        return tuple(_unpack(self._rows[place]) for place in places)

    def order(self, sort: str, descending: bool) -> Sequence[int]:
        """Places of all tasks. Ties are broken by age, then uid, the same way in both directions."""
        sort = sort if sort in SORTS else "state"
        found = self._orders.get((sort, descending))
        if found is None:
            keys = self._keys[sort]
            known = [i for i, key in enumerate(keys) if key is not None]
            unknown = [i for i, key in enumerate(keys) if key is None]
            known.sort(key=keys.__getitem__, reverse=descending)
            found = self._orders[(sort, descending)] = known + unknown
        return found

    def find(self, uid: str) -> Task | None:
        place = self._places.get(uid)
        return None if place is None else self.rows((place,))[0]

    def under(self, question: Question) -> tuple[Sequence[int], dict[str, int]]:
        """The places under the whole filter, in order, and the counts by state under the filter without its states."""
        chosen = self.order(question.sort, question.descending)
        if question.whose == "mine":
            mine = self._mine
            chosen = [i for i in chosen if mine[i] is True]
        words = question.text[:MAX_TEXT].casefold().split()
        if words:
            texts = self._texts
            chosen = [i for i in chosen if all(word in texts[i] for word in words)]
        states = self._states
        by_state = dict(Counter([states[i] for i in chosen]))
        if question.states:
            chosen = [i for i in chosen if states[i] in question.states]
        return chosen, by_state


def _in(order: Sequence[int], values: Sequence[T]) -> tuple[T, ...]:
    return tuple(values[i] for i in order)


def select(tasks: Iterable[Task] | Snapshot, question: Question) -> tuple[Task, ...]:
    """The rows under the whole filter, in order. Ties are broken by age, then uid, the same way in both directions."""
    snapshot = tasks if isinstance(tasks, Snapshot) else Snapshot(tasks)
    return snapshot.rows(snapshot.under(question)[0])


def page(tasks: Iterable[Task] | Snapshot, question: Question) -> View:
    """One page. An offset behind the end gives no rows and the true total."""
    snapshot = tasks if isinstance(tasks, Snapshot) else Snapshot(tasks)
    chosen, by_state = snapshot.under(question)
    offset, limit = max(0, question.offset), max(1, min(MAX_LIMIT, question.limit))
    return View(snapshot.rows(chosen[offset : offset + limit]), len(chosen), by_state, offset, limit)


def mine_known(tasks: Iterable[Task]) -> bool:
    """See Snapshot.mine_known."""
    return Snapshot(tasks).mine_known


def _text(task: Task) -> str:
    parts = (task.name, task.kind, task.scope, task.state.value, task.queue, task.priority_class, task.workload, task.submitter, *task.flavors)
    return " ".join(part for part in parts if part).casefold()
