"""The state of a record as of a given moment, and the line that says it.

A date-only field begins at 00:00 and ends at 24:00 UTC; a missed review ends nothing.
"""

from __future__ import annotations

import calendar
import datetime

from ..model.contract import ContractView, Standing
from ..model.outcome import Phrase
from .record import Parsed
from .schema import span

SOON_SECONDS = 30 * 86400.0
"""An end or a review nearer than this asks for attention."""

OPEN = frozenset({Standing.IN_FORCE, Standing.ON_RECORD, Standing.REVIEW_DUE})
"""States under which the record's scope counts. ON_RECORD too: its approval may stand in the record it links to, and the line says so."""
CLOSED = frozenset({Standing.REVOKED, Standing.DECOMMISSIONED})
"""States that drop rows at once (DESIGN.md 4)."""


def lifecycle(parsed: Parsed, now: float, *, platform: bool) -> tuple[Standing, Phrase]:
    """State and line of a valid record at `now` (epoch seconds). Only a platform record's line says that something is agreed."""
    status, until = parsed.text("lifecycle.status"), parsed.text("lifecycle.until")
    if (over := ended(parsed, now)) is not None:
        return over
    if _over(until, now):
        return Standing.EXPIRED, Phrase("contract_expired", {"on": until})
    if status == "draft":
        return Standing.DRAFT, Phrase("contract_draft")
    for path in ("lifecycle.begins", "lifecycle.approved_on"):
        begins = parsed.text(path)
        if begins is not None and span(begins)[0] > now:
            return Standing.NOT_YET, Phrase("contract_not_yet", {"begins": begins})
    if status is None:  # before the review: a record that says nothing of approval is not in force, reviewed or not
        return Standing.ON_RECORD, Phrase("contract_on_record")
    due, computed = next_review(parsed)
    if due is not None and span(due)[1] <= now:
        return Standing.REVIEW_DUE, Phrase("contract_review_due_computed" if computed else "contract_review_due", {"since": due})
    if not platform:
        return Standing.IN_FORCE, Phrase("contract_self_declared", {"until": until}) if until else Phrase("contract_self_declared_no_end")
    return Standing.IN_FORCE, Phrase("contract_agreed_until", {"until": until}) if until else Phrase("contract_agreed_no_end")


def ended(parsed: Parsed, now: float) -> tuple[Standing, Phrase] | None:
    """State and line of a record that is revoked or decommissioned at `now`, also where it is not usable as it is written; None: it does not say so."""
    told = parsed.ends or {}
    status, revoked_on, gone_on = told.get("status"), _date(told.get("revoked_on")), _date(told.get("decommission_on"))
    if status == "revoked":
        return Standing.REVOKED, Phrase("contract_revoked", {"on": revoked_on})
    if status == "decommissioned" or _over(gone_on, now):
        return Standing.DECOMMISSIONED, Phrase("contract_decommissioned", {"on": gone_on})
    return None


def _date(text: str | None) -> str | None:
    """The text if it is a date: of an invalid record nothing else may be shown (S12)."""
    try:
        return text if text is not None and span(text) else None
    except ValueError:
        return None


def _over(date: str | None, now: float) -> bool:
    return date is not None and span(date)[1] <= now


def next_review(parsed: Parsed) -> tuple[str | None, bool]:
    """Day of the next review, and whether it was computed: the last review, or else the approval, plus the period."""
    recorded = parsed.text("lifecycle.next_review")
    if recorded is not None:
        return recorded, False
    every, base = parsed.text("lifecycle.review_every"), parsed.text("reviewed_against.on") or parsed.text("lifecycle.approved_on")
    if every is None or base is None:
        return None, False
    count, unit = every.split(" ")
    day = datetime.date.fromisoformat(base[:10])
    try:
        return _later(day, int(count), unit).isoformat(), True
    except (OverflowError, ValueError):  # beyond the year 9999
        return None, False


def _later(day: datetime.date, count: int, unit: str) -> datetime.date:
    if unit.startswith("day"):
        return day + datetime.timedelta(days=count)
    if unit.startswith("week"):
        return day + datetime.timedelta(weeks=count)
    months = day.year * 12 + day.month - 1 + count * (12 if unit.startswith("year") else 1)
    year, month = months // 12, months % 12 + 1
    if year > datetime.MAXYEAR:
        raise OverflowError("year")
    return datetime.date(year, month, min(day.day, calendar.monthrange(year, month)[1]))


def attention(view: ContractView, now: float) -> tuple[Phrase, ...]:
    """What a card should point out about its contract. Nothing for a record in force without a date near."""
    if view.standing not in OPEN:
        return (view.line,) if view.line is not None else ()
    found: list[Phrase] = []
    if view.agreed_until is not None and span(view.agreed_until)[1] - now <= SOON_SECONDS:
        found.append(Phrase("contract_ends_soon", {"until": view.agreed_until}))
    if view.standing is Standing.REVIEW_DUE and view.line is not None:
        found.append(view.line)
    elif view.next_review is not None and span(view.next_review)[1] - now <= SOON_SECONDS:
        over = span(view.next_review)[1] <= now
        found.append(Phrase("contract_review_due", {"since": view.next_review}) if over else Phrase("contract_review_soon", {"on": view.next_review}))
    return tuple(found)
