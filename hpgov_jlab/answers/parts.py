"""Readings -> parts: old data and a failed last try stand together; what failed says so itself (DESIGN.md 4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from ..model.outcome import KEEPS_DATA, Outcome, Reading, State, pending
from ..wire.pages import Part

T = TypeVar("T")

_BADNESS = (State.OK, State.PENDING, State.ABSENT, State.NOT_CONFIGURED, State.THROTTLED, State.UNREACHABLE, State.EXPIRED, State.INVALID, State.DENIED)


def part(
    data: T | None, readings: Sequence[Reading[Any]], *, last: Outcome | None = None, also: Iterable[Outcome] = (), aged: Sequence[Reading[Any]] = ()
) -> Part[T]:
    """A part from the readings that stand behind it; the first one is what the part is mainly made of and gives `last`.

    The part is as old as the oldest reading that brought data, of `aged` where given: discovery, read every ten minutes, does not make tasks old.
    Data is dropped where the main reading's state may not keep any.
    """
    main = last or (readings[0].last if readings else pending(""))
    kept = data if main.state in KEEPS_DATA else None
    ages = [r.as_of for r in aged or readings if r.as_of is not None]
    skews = [r.skew for r in readings if r.skew is not None]
    return Part[Any].model_construct(
        data=kept,
        as_of=min(ages) if ages and kept is not None else None,
        last=main,
        readings=_unique([*(r.last for r in readings), *also]),
        skew=skews[0] if skews else None,
    )


def blocked(outcome: Outcome, *readings: Reading[Any]) -> Part[Any]:
    """A part that could not be asked for, since something it depends on failed: it says what failed, never that it is empty."""
    return Part[Any].model_construct(data=None, as_of=None, last=outcome, readings=_unique([outcome, *(r.last for r in readings)]), skew=None)


def said(outcome: Outcome) -> Part[Any]:
    return Part[Any].model_construct(data=None, as_of=None, last=outcome, readings=[outcome], skew=None)


def worst(outcomes: Iterable[Outcome]) -> Outcome | None:
    """The outcome that most limits an answer, for those who show one line."""
    found = sorted(outcomes, key=lambda o: _BADNESS.index(o.state))
    return found[-1] if found else None


def _unique(outcomes: Iterable[Outcome]) -> list[Outcome]:
    seen: dict[tuple[str, str, str], Outcome] = {}
    for outcome in outcomes:
        seen.setdefault((outcome.source, outcome.state, outcome.code), outcome)
    return [replace(o, params=dict(o.params)) for o in seen.values()]
