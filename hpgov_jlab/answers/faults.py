"""A fault of ours in one of several items (a connection, a namespace, a record): that one says so, and the others still come.

Told by class and place only: an exception's text may quote what an upstream sent.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Collection
from dataclasses import dataclass

from ..model.outcome import Ask, Layer, Outcome, State
from ..reads import where

log = logging.getLogger(__name__)


CONTRACTS = "the contracts"
"""What records are told of that belong to no single connection."""


@dataclass(frozen=True, slots=True)
class Fault:
    """`scope`: what failed, by the name that a person knows it by. `kind`: the exception's class. `place`: file and line of each frame."""

    scope: str
    kind: str
    place: str

    def outcome(self, source: str, at: float | None) -> Outcome:
        return Outcome(State.INVALID, "internal_scope", source, at, {"scope": self.scope, "kind": self.kind}, Layer.WORKLOAD, Ask.JUPYTER_ADMIN)


def fault(scope: str, error: Exception) -> Fault:
    return Fault(scope, type(error).__name__, where(error))


class Faults:
    """Which faults the log has: each is told once, and not at every question, which may come twice a second. Any thread may tell one."""

    def __init__(self) -> None:
        self._told: set[tuple[str, Fault]] = set()
        self._lock = threading.Lock()

    def tell(self, of: str, *found: Fault) -> None:
        """`of`: a connection's id, or CONTRACTS. The log has the id's end only: an upstream chose the name that it begins with."""
        with self._lock:
            new = [each for each in dict.fromkeys(found) if (of, each) not in self._told]
            self._told.update((of, each) for each in new)
        for each in new:
            log.error("a part of %s failed with %s at %s", of if of == CONTRACTS else f"connection {of.rpartition('-')[2]}", each.kind, each.place)

    def only(self, there: Collection[str]) -> None:
        """Of a connection that is there no more nothing is kept."""
        with self._lock:
            self._told = {(of, each) for of, each in self._told if of in (CONTRACTS, *there)}
