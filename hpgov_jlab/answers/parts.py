"""Readings -> parts: old data and a failed last try stand together; what failed says so itself (DESIGN.md 4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from ..model.outcome import KEEPS_DATA, Ask, Outcome, Reading, State, pending
from ..sources.kubernetes.kueue import Places
from ..sources.kubernetes.lists import Listing
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


def from_part(whole: Part[Any], data: T | None) -> Part[T]:
    """What a card shows of another part: as old as that is, and read by the same reads."""
    return Part[Any].model_construct(data=data, as_of=whole.as_of if data is not None else None, last=whole.last, readings=whole.readings, skew=whole.skew)


def blocked(outcome: Outcome, *readings: Reading[Any]) -> Part[Any]:
    """A part that could not be asked for, since something it depends on failed: it says what failed, never that it is empty."""
    return Part[Any].model_construct(data=None, as_of=None, last=outcome, readings=_unique([outcome, *(r.last for r in readings)]), skew=None)


def not_whole(reading: Reading[Any] | None, scope: str) -> list[Outcome]:
    """What a list that was read lacks, one outcome each: it is cut, or has objects whose shape is not known. `scope`: the namespace, or ""."""
    data = reading.data if reading is not None else None
    if reading is None or not isinstance(data, Listing | Places):
        return []
    missing: list[Outcome] = []
    unread = data.unread if isinstance(data, Places) else len(data.unread)
    params: dict[str, str | int | float | None] = {"operation": reading.last.source, "scope": scope or None}
    if not data.complete:
        missing.append(Outcome(State.INVALID, "k8s_list_cut", reading.last.source, reading.as_of, {**params, "count": len(data.items)}))
    if unread:
        missing.append(Outcome(State.INVALID, "k8s_list_unread", reading.last.source, reading.as_of, {**params, "count": unread}, ask=Ask.JUPYTER_ADMIN))
    return missing


def said(outcome: Outcome) -> Part[Any]:
    return Part[Any].model_construct(data=None, as_of=None, last=outcome, readings=[outcome], skew=None)


def worst(outcomes: Iterable[Outcome]) -> Outcome | None:
    """The outcome that most limits an answer, for those who show one line."""
    found = sorted(outcomes, key=lambda o: _BADNESS.index(o.state))
    return found[-1] if found else None


def _unique(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """One of a kind, but of two namespaces both: only times may differ between outcomes that say the same."""
    seen: dict[Any, Outcome] = {}
    for outcome in outcomes:
        about = frozenset((name, value) for name, value in outcome.params.items() if not name.endswith(("_at", "_seconds")))
        seen.setdefault((outcome.source, outcome.state, outcome.code, about), outcome)
    return [replace(o, params=dict(o.params)) for o in seen.values()]
