"""A record as it is shown: owners, facts with their absences, dates, and where another record says something else."""

from __future__ import annotations

from typing import Any

from ..model.contract import ContractView, Difference, Entry, Fact, Kept, Owner, Problem, Rank, Share, Signal, Standing
from ..model.outcome import Phrase
from .lifecycle import lifecycle, next_review
from .link import link
from .match import Match
from .record import Parsed
from .schema import Group, Items, as_text, at_path, leaves
from .shape import CONTRACT, OWNER_ROLES, SIGNALS

_LEAVES = tuple(leaves(CONTRACT))
_FACTS = tuple((path, code) for path, field, code in _LEAVES if not field.apart)
_UNCOMPARED = frozenset({"apiVersion", "kind"})


def valid_view(parsed: Parsed, match: Match, now: float, *, platform: bool, why_not: Phrase | None) -> ContractView:
    """The view of a valid record that is about the connection."""
    standing, line = lifecycle(parsed, now, platform=platform)
    kept = parsed.kept
    linked = link(parsed.text("record") or "")
    return ContractView(
        standing=standing,
        platform=platform,
        rank=kept.rank,
        kept=kept.where,
        version=kept.version,
        kept_at=kept.kept_at,
        record=linked.url if linked else None,
        record_host=linked.host if linked else None,
        owners=_owners(parsed),
        purpose=parsed.text("purpose"),
        facts=_facts(parsed),
        namespaces=_texts(parsed, "scope.namespaces"),
        slurm_accounts=_texts(parsed, "scope.slurm.accounts"),
        workload_kinds=_texts(parsed, "workload_kinds"),
        service_accounts=_texts(parsed, "service_accounts"),
        approved_by=parsed.text("lifecycle.approved_by"),
        approved_on=parsed.text("lifecycle.approved_on"),
        agreed_until=parsed.text("lifecycle.until"),
        next_review=next_review(parsed)[0],
        line=line,
        exceptions=tuple(Entry(item["what"], item.get("approver"), item.get("on"), item.get("until")) for item in parsed.items("exceptions")),
        decisions=tuple(Entry(item["what"], item.get("by"), item.get("date"), None) for item in parsed.items("decisions")),
        shares=tuple(Share(item["instance_type"], str(item["count"])) for item in parsed.items("task_governance.share")),
        signals=_signals(parsed),
        not_named=match.not_named,
        not_compared=match.not_compared,
        why_not_platform=why_not,
    )


def bare_view(
    standing: Standing,
    line: Phrase,
    kept: Kept | None = None,
    *,
    rank: Rank | None = None,
    platform: bool = False,
    problems: tuple[Problem, ...] = (),
    match: Match | None = None,
    why_not: Phrase | None = None,
) -> ContractView:
    """The view of a state that has no content to show: invalid, ambiguous, unmatched, unknown, none."""
    return ContractView(
        standing=standing,
        platform=platform,
        rank=kept.rank if kept else rank,
        kept=kept.where if kept else None,
        version=kept.version if kept else None,
        kept_at=kept.kept_at if kept else None,
        record=None,
        line=line,
        problems=problems,
        not_named=match.not_named if match else (),
        not_compared=match.not_compared if match else (),
        why_not_platform=why_not,
    )


def _texts(parsed: Parsed, path: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(item) for item in parsed.items(path)))


def _owners(parsed: Parsed) -> tuple[Owner, ...]:
    found = []
    for role in OWNER_ROLES:
        owner = at_path(parsed.data, f"owners.{role}")
        if owner is not None:
            found.append(Owner(role, owner["name"], owner.get("contact"), owner.get("escalation")))
    return tuple(found)


def _signals(parsed: Parsed) -> tuple[Signal, ...]:
    found = []
    for name, code in SIGNALS.items():
        signal: dict[str, Any] = at_path(parsed.data, f"monitoring.{name}") or {}
        found.append(Signal(code, signal.get("owner"), signal.get("threshold"), signal.get("response")))
    return tuple(found)


def _facts(parsed: Parsed) -> tuple[Fact, ...]:
    """Every optional field without a place of its own, in the shape's order; then the owners that nobody is recorded for."""
    recorded = [Fact(code, as_text(at_path(parsed.data, path))) for path, code in _FACTS]
    missing = [Fact(code, None) for role, code in OWNER_ROLES.items() if at_path(parsed.data, f"owners.{role}") is None]
    return (*recorded, *missing)


def differences(here: Parsed, there: Parsed) -> tuple[Difference, ...]:
    """Fields that both record and that differ. Lists compare without order."""
    found = []
    for path, field, code in _LEAVES:
        ours, theirs = at_path(here.data, path), at_path(there.data, path)
        if path in _UNCOMPARED or ours is None or theirs is None or ours == theirs:
            continue
        if isinstance(field.kind, Items) and not isinstance(field.kind.of, Group) and sorted(ours) == sorted(theirs):
            continue
        found.append(Difference(code, as_text(ours), as_text(theirs), there.kept.where))
    return tuple(found)
