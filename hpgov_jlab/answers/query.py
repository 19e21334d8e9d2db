"""What a tasks page may be asked for, already checked by the HTTP edge."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TasksQuery:
    """`generation`: the snapshot that earlier pages came from. `states` empty: all."""

    generation: str | None = None
    offset: int = 0
    limit: int = 50
    whose: str = "team"
    states: tuple[str, ...] = ()
    text: str = ""
    sort: str = "state"
    descending: bool = False
