"""Which namespaces are read, by which record (DESIGN.md 5; 14, S4). A contract labels and narrows; a self-declared one never adds a right to look.

From the platform contract, else from the connection's or the trait's, else from what she typed once. A namespace that only a self-declared record
names is read only if our identity may also create a task kind there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..model.connection import Connection
from ..model.contract import ContractView, ScopedNamespace
from ..model.outcome import Phrase
from .lifecycle import CLOSED, OPEN


def _own_names(view: ContractView, connection: Connection, typed: Sequence[str]) -> tuple[str, list[str]]:
    if view.platform and view.standing in OPEN and view.namespaces:
        return "platform_contract", list(view.namespaces)
    if connection.namespaces:
        return ("trait" if connection.source == "trait" else "connection"), list(connection.namespaces)
    return "typed", list(typed)


ENDS_UNKNOWN = "contract_ends_not_read"
"""Problem of a record that we failed over: whether it is revoked is not known."""


def _closed(view: ContractView) -> Phrase | None:
    """Why nothing at all is read under this record."""
    if view.standing in CLOSED:
        return Phrase("scope_closed")
    return Phrase("scope_ends_not_read") if any(problem.rule.code == ENDS_UNKNOWN for problem in view.problems) else None


def to_ask(view: ContractView, connection: Connection, typed: Sequence[str]) -> tuple[str, ...]:
    """Typed namespaces that are in scope: each needs one self-review, and nothing else is asked there before it."""
    source, own = _own_names(view, connection, typed)
    return tuple(own) if source == "typed" and _closed(view) is None else ()


def claimed(view: ContractView, others: Iterable[ContractView], connection: Connection, typed: Sequence[str] = ()) -> tuple[str, ...]:
    """Namespaces that only self-declared records name: each needs one self-review, and nothing else is asked there before it (S4)."""
    own = set(_own_names(view, connection, typed)[1])
    names = (name for one in (view, *others) if not one.platform and one.standing in OPEN for name in one.namespaces if name not in own)
    return tuple(dict.fromkeys(names))


def scope(
    view: ContractView,
    others: Sequence[ContractView],
    connection: Connection,
    *,
    typed: Sequence[str] = (),
    may_create: Mapping[str, bool | None] | None = None,
    typed_not: Mapping[str, Phrase | None] | None = None,
) -> tuple[ScopedNamespace, ...]:
    """Every namespace that a source names, in order of the sources, and whether it is read.

    `may_create`: namespace -> whether our identity may create a task kind there; None or missing: not known yet, and not read until it is.
    `typed_not`: typed namespace -> why it is not read, None where a self-review said that our identity may look into it; one that is missing was not
    asked about yet, and is not read until it is. A record that is revoked or decommissioned, or of which we can't tell, closes all of them.
    """
    source, own = _own_names(view, connection, typed)
    by_contract = source == "platform_contract"
    closed = _closed(view)
    found = {name: ScopedNamespace(name, source, closed is None, closed) for name in own}
    if source == "typed" and closed is None:
        why = {name: (typed_not or {}).get(name, Phrase("scope_typed_not_asked")) for name in own}
        found |= {name: ScopedNamespace(name, source, False, why_not) for name, why_not in why.items() if why_not is not None}
    outside = Phrase("scope_not_in_contract")
    for other_source, names in (("trait" if connection.source == "trait" else "connection", connection.namespaces), ("typed", tuple(typed))):
        for name in names:
            if by_contract:
                found.setdefault(name, ScopedNamespace(name, other_source, False, outside))
            elif other_source == "typed":  # the connection or the trait names the namespaces
                found.setdefault(name, ScopedNamespace(name, other_source, False, Phrase("scope_not_in_connection")))
    for name in claimed(view, others, connection, typed):
        if name in found:
            continue
        may = (may_create or {}).get(name)
        why_not = closed or (outside if by_contract else None)
        if why_not is None and not may:
            why_not = Phrase("scope_claimed_not_read" if may is False else "scope_claimed_not_checked")
        found[name] = ScopedNamespace(name, "self_declared", why_not is None, why_not)
    return tuple(found.values())
