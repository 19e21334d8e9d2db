"""What was computed from readings, in a worker, kept beside the readings it came from.

It is a memo and never outlives them: as soon as one of those readings may no longer be shown, what was made of it goes too, at the same answer.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from ..model.outcome import Reading

T = TypeVar("T")
KEPT = 3
"""Generations per connection that a reader may still page through."""


def inputs(readings: Mapping[str, Reading[Any]]) -> dict[str, float]:
    """Label of each reading that brought data -> when it was read."""
    return {label: r.as_of for label, r in readings.items() if r.data is not None and r.as_of is not None}


@dataclass(frozen=True, slots=True)
class Made(Generic[T]):
    value: T
    inputs: Mapping[str, float]
    generation: str = field(default_factory=lambda: secrets.token_hex(6))

    def may_be_shown(self, readings: Mapping[str, Reading[Any]]) -> bool:
        """False once a reading behind it was denied, is gone, or is no longer in scope."""
        return all(label in readings and readings[label].data is not None for label in self.inputs)

    def is_of(self, readings: Mapping[str, Reading[Any]]) -> bool:
        return dict(self.inputs) == inputs(readings)


class Derived:
    """The last made values by key (connection and what), and for lists the generations before."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], list[Made[Any]]] = {}
        self._let_go: list[Any] = []
        self._asked: set[tuple[str, str]] = set()

    def put(self, connection: str, what: str, value: T, readings: Mapping[str, Reading[Any]], *, keep: int = KEPT) -> Made[T]:
        """The same value (that object: comparing thousands of rows is for the worker that made them) keeps its generation."""
        kept = self._kept.setdefault((connection, what), [])
        if kept and kept[-1].value is value:  # a reader in the middle of a list is not moved for nothing
            made = Made(value, inputs(readings), kept[-1].generation)
            kept[-1] = made
            return made
        made = Made(value, inputs(readings))
        kept.append(made)
        self._let_go += kept[:-keep]
        del kept[:-keep]
        return made

    def let_go(self) -> list[Any]:
        """What was replaced since the last call, to be taken apart in a worker (reads.take_apart)."""
        gone, self._let_go = self._let_go, []
        return gone

    def get(self, connection: str, what: str, readings: Mapping[str, Reading[Any]], generation: str | None = None) -> Made[Any] | None:
        """The latest, or the one of a generation; None if there is none or if it must go, and then all of that connection's go."""
        self._asked.add((connection, what))
        kept = self._kept.get((connection, what), [])
        if kept and not kept[-1].may_be_shown(readings):
            self._drop(key for key in list(self._kept) if key[0] == connection)
            return None
        if generation is not None:
            return next((m for m in kept if m.generation == generation), None)
        return kept[-1] if kept else None

    def only(self, connections: Collection[str]) -> None:
        """Nothing is kept of a connection that is not there any more."""
        self._drop(key for key in list(self._kept) if key[0] not in connections)

    def sweep(self) -> None:
        """Drop what nobody asked for since the last sweep: a closed dashboard must not keep a team's rows in memory."""
        self._drop(key for key in list(self._kept) if key not in self._asked)
        self._asked.clear()

    @property
    def holds(self) -> bool:
        return bool(self._kept)

    @property
    def has_gone(self) -> bool:
        """Whether something was dropped and is still to be taken apart."""
        return bool(self._let_go)

    def _drop(self, keys: Iterable[tuple[str, str]]) -> None:
        for key in keys:
            self._let_go += self._kept.pop(key)

    def clear(self) -> None:
        self._kept.clear()
        self._let_go.clear()
