"""Which record wins (DESIGN.md 6). Pure: the records found, how each source's read ended, and the time come in; a view and the others go out.

Order: platform before self-declared, since who is governed can't approve herself; within each, S3 prefix, namespace annotation, file. The first tier
with a record about this connection decides, whatever that record's state: a revoked one closes, an invalid one is shown as invalid, two are ambiguous.
What is lower is listed with its own state and with where it says something else. Nothing is skipped in silence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..model.connection import Connection
from ..model.contract import ContractView, Rank, Standing
from ..model.outcome import Outcome, Phrase, State
from .lifecycle import ended
from .match import Fit, Match, match
from .record import Parsed
from .view import bare_view, differences, valid_view

MOST_OTHERS = 50
_RANKS = tuple(Rank)
_EMPTY = frozenset({State.OK, State.ABSENT, State.NOT_CONFIGURED})
"""States of a source after which "no record there" is known: there is no such folder, no platform file. Of a prefix in S3 only a listing tells."""


@dataclass(frozen=True, slots=True)
class SourceState:
    """How the last read of one source of records ended. `where` as shown: s3://bucket/prefix, "namespace team-a", .hpgov/contracts."""

    rank: Rank
    where: str
    outcome: Outcome
    platform: bool = False  # S3 only: its prefix is named in the platform file

    @property
    def unread(self) -> bool:
        """Whether a record may be kept there that was not seen. A named prefix without its bucket, or without AWS to ask, is not an empty one."""
        state = self.outcome.state
        return state is not State.OK if self.where.startswith("s3://") else state not in _EMPTY


@dataclass(frozen=True, slots=True)
class _Found:
    parsed: Parsed
    match: Match
    platform: bool
    why_not: Phrase | None

    @property
    def tier(self) -> tuple[int, int]:
        return (0 if self.platform else 1, _RANKS.index(self.parsed.kept.rank))


def decide(
    records: Sequence[Parsed],
    connection: Connection,
    now: float,
    *,
    may_update: Mapping[str, bool | None] | None = None,
    sources: Sequence[SourceState] = (),
) -> tuple[ContractView, tuple[ContractView, ...]]:
    """The contract of a connection at `now` (epoch seconds), and the other records that are or may be about it.

    `may_update`: namespace -> whether the reading identity may update that namespace (self-review); None or missing is unknown, and an annotation is
    platform only on a plain no. `sources`: every configured source, so that "none on record" is only said when all of them were read.
    """
    found = [_find(parsed, connection, may_update or {}) for parsed in records]
    found = sorted((one for one in found if one.match.fit is not Fit.NO), key=lambda one: (one.tier, one.parsed.kept.where))
    sure = [one for one in found if one.match.fit is Fit.YES]
    tier = sure[0].tier if sure else None
    winners = _distinct([one for one in sure if one.tier == tier])
    rest = [one for one in found if one not in winners]
    if not winners:
        view = _nothing_sure(found, sources, now)
        winner = None
    elif len(winners) == 1:
        winner = winners[0]
        view = _view(winner, now)
    elif all(one.parsed.data is None for one in winners):  # none of them says anything: broken, not in conflict
        winner = None
        view = _invalid(winners, now)
    else:
        first, winner, rest = winners[0], None, found
        line = Phrase("contract_ambiguous", {"count": len(winners)})
        view = bare_view(Standing.AMBIGUOUS, line, rank=first.parsed.kept.rank, platform=first.platform, why_not=first.why_not)
    others = tuple(_view(one, now) for one in rest[:MOST_OTHERS])
    notes = _notes(view, tier, found, sources)
    if len(rest) > MOST_OTHERS:
        notes.append(Phrase("contract_others_cut", {"count": len(rest) - MOST_OTHERS}))
    differ = tuple(
        difference
        for one in rest
        if winner is not None and winner.parsed.data is not None and one.parsed.data is not None and one.match.fit is Fit.YES
        for difference in differences(winner.parsed, one.parsed)
    )
    return replace(view, notes=tuple(notes), differences=differ), others


def _find(parsed: Parsed, connection: Connection, may_update: Mapping[str, bool | None]) -> _Found:
    kept = parsed.kept
    platform, why_not = False, Phrase("self_declared_file")
    if kept.rank is Rank.S3:
        platform, why_not = kept.platform, Phrase("self_declared_prefix")
    elif kept.rank is Rank.ANNOTATION:
        may = may_update.get(kept.namespace or "")
        platform = may is False
        if kept.typed and (connection.project_id is None or (parsed.claims or {}).get("field_project_id") != connection.project_id):
            # whoever types a name must not thereby get another team's record for her own connection
            return _Found(parsed, match(parsed, connection), False, Phrase("self_declared_typed", {"namespace": kept.namespace}))
        why_not = Phrase("self_declared_writable" if may else "self_declared_unknown", {"namespace": kept.namespace})
    return _Found(parsed, match(parsed, connection), platform, None if platform else why_not)


def _distinct(found: list[_Found]) -> list[_Found]:
    """Copies that say the same, say on each of a team's namespaces, are one record."""
    kept: list[_Found] = []
    for one in found:
        if one.parsed.data is None or all(one.parsed.data != other.parsed.data for other in kept):
            kept.append(one)
    return kept


def _view(one: _Found, now: float) -> ContractView:
    parsed = one.parsed
    if parsed.data is None:
        return _invalid([one], now)
    if one.match.fit is Fit.UNCLEAR:
        return bare_view(Standing.UNMATCHED, Phrase("contract_unmatched"), parsed.kept, platform=one.platform, match=one.match, why_not=one.why_not)
    return valid_view(parsed, one.match, now, platform=one.platform, why_not=one.why_not)


def _invalid(broken: Sequence[_Found], now: float) -> ContractView:
    """Of records that are not usable as they are written. One that says all the same that it is over is over: else a typing error would open it again."""
    problems = tuple(problem for one in broken for problem in one.parsed.problems)
    over = next(((one, *told) for one in broken if (told := ended(one.parsed, now)) is not None), None)
    one, standing, line = over or (broken[0], Standing.INVALID, Phrase("contract_invalid", {"count": len(problems)}))
    return bare_view(standing, line, one.parsed.kept, platform=one.platform, problems=problems, match=one.match, why_not=one.why_not)


def _nothing_sure(found: list[_Found], sources: Sequence[SourceState], now: float) -> ContractView:
    """No record is surely about this connection: a broken file of the project, a source not read, or none on record."""
    broken = [one for one in found if one.match.fit is Fit.UNREADABLE and one.parsed.kept.rank is Rank.FILE]
    if broken:
        return _invalid(broken, now)
    unread = sum(source.unread for source in sources)
    if unread:
        return bare_view(Standing.UNKNOWN, Phrase("contract_unknown", {"count": unread}))
    return bare_view(Standing.NONE, Phrase("contract_none"))


def _notes(view: ContractView, tier: tuple[int, int] | None, found: list[_Found], sources: Sequence[SourceState]) -> list[Phrase]:
    """What may overrule or complete the view. A source that was read once and fails now is named too: its record may have changed since."""
    notes = []
    for source in sources:
        if not source.unread:
            continue
        # an annotation that was not read might have been a platform one
        highest = (0 if source.platform or source.rank is Rank.ANNOTATION else 1, _RANKS.index(source.rank))
        if tier is None or highest <= tier:
            notes.append(Phrase("contract_source_not_read", {"where": source.where, "state": str(source.outcome.state)}))
    unclear = [one for one in found if one.match.fit in (Fit.UNREADABLE, Fit.UNCLEAR) and (tier is None or one.tier < tier)]
    broken = sum(one.parsed.data is None for one in unclear)
    if broken and view.standing is not Standing.INVALID:
        notes.append(Phrase("contract_unreadable_may_overrule", {"count": broken}))
    if len(unclear) > broken:
        notes.append(Phrase("contract_unmatched_may_overrule", {"count": len(unclear) - broken}))
    return notes
