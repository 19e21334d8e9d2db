"""Which namespaces are read (S4): a self-declared record never adds a right to look."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hpgov_jlab.contracts import claimed, decide, parse, scope
from hpgov_jlab.contracts.scope import to_ask
from hpgov_jlab.model.connection import Connection
from hpgov_jlab.model.contract import Standing
from hpgov_jlab.model.outcome import Phrase

from .examples import APPROVED, CONNECTION, NOW, annotation, changed, file, s3

WITH_NAMES = replace(CONNECTION, namespaces=("from-connection",))


def names(records: list[Any], connection: Connection = CONNECTION, **more: Any) -> dict[str, tuple[str, bool, str | None]]:
    view, others = decide(records, connection, NOW)
    return {one.name: (one.source, one.read, one.why_not.code if one.why_not else None) for one in scope(view, others, connection, **more)}


def about(*namespaces: str, **lifecycle: str) -> dict[str, Any]:
    return changed(APPROVED, scope={"namespaces": list(namespaces)}, lifecycle=lifecycle)


def test_the_platform_contract_decides_and_others_are_named_as_outside() -> None:
    records = [s3(about("agreed-a", "agreed-b")), file(about("agreed-a", "claimed"))]
    assert names(records, WITH_NAMES, typed=("typed",), may_create={"claimed": True}) == {
        "agreed-a": ("platform_contract", True, None),
        "agreed-b": ("platform_contract", True, None),
        "from-connection": ("connection", False, "scope_not_in_contract"),
        "typed": ("typed", False, "scope_not_in_contract"),
        "claimed": ("self_declared", False, "scope_not_in_contract"),
    }


def test_without_one_the_connection_then_the_trait_then_what_she_typed() -> None:
    assert names([], WITH_NAMES, typed=("typed",)) == {"from-connection": ("connection", True, None), "typed": ("typed", False, "scope_not_in_connection")}
    assert names([], replace(WITH_NAMES, source="trait")) == {"from-connection": ("trait", True, None)}
    assert names([], CONNECTION, typed=("typed",), typed_not={"typed": None}) == {"typed": ("typed", True, None)}
    assert names([], CONNECTION) == {}


@pytest.mark.parametrize(
    ("typed_not", "why"),
    [
        (None, "scope_typed_not_asked"),
        ({}, "scope_typed_not_asked"),
        ({"another": None}, "scope_typed_not_asked"),
        ({"typed": Phrase("scope_typed_refused")}, "scope_typed_refused"),
        ({"typed": Phrase("scope_typed_not_answered")}, "scope_typed_not_answered"),
    ],
)
def test_what_she_typed_is_read_only_after_a_yes(typed_not: dict[str, Phrase | None] | None, why: str) -> None:
    """Fails closed: a review that was not sent, refused or not answered opens nothing."""
    assert names([], CONNECTION, typed=("typed",), typed_not=typed_not) == {"typed": ("typed", False, why)}


def test_only_what_she_typed_and_is_in_scope_is_asked_about() -> None:
    view, _ = decide([], CONNECTION, NOW)
    assert to_ask(view, CONNECTION, ("typed",)) == ("typed",)
    assert to_ask(view, WITH_NAMES, ("typed",)) == ()
    closed, _ = decide([s3(about("a", status="revoked"))], CONNECTION, NOW)
    assert to_ask(closed, CONNECTION, ("typed",)) == ()


@pytest.mark.parametrize(("may", "read", "why"), [(True, True, None), (False, False, "scope_claimed_not_read"), (None, False, "scope_claimed_not_checked")])
@pytest.mark.parametrize("keep", [file, annotation, lambda record: s3(record, platform=False)])
def test_a_self_declared_namespace_is_read_only_if_tasks_may_be_created_there(keep: Any, may: bool | None, read: bool, why: str | None) -> None:
    found = names([keep(about("foreign"))], WITH_NAMES, may_create={"foreign": may})
    assert found == {"from-connection": ("connection", True, None), "foreign": ("self_declared", read, why)}


def test_what_only_self_declared_records_name_is_what_needs_a_self_review() -> None:
    view, others = decide([file(about("foreign", "from-connection"))], WITH_NAMES, NOW)
    assert claimed(view, others, WITH_NAMES) == ("foreign",)
    assert claimed(view, others, replace(WITH_NAMES, namespaces=()), typed=("foreign",)) == ("from-connection",)


@pytest.mark.parametrize("status", ["revoked", "decommissioned"])
@pytest.mark.parametrize("keep", [s3, file])
def test_a_closed_record_closes_every_namespace(keep: Any, status: str) -> None:
    found = names([keep(about("agreed", status=status))], WITH_NAMES, may_create={"agreed": True})
    assert found == {"from-connection": ("connection", False, "scope_closed")}


@pytest.mark.parametrize(("lifecycle", "standing"), [
    ({"status": "revoked", "revoked_on": "2026-05-01"}, Standing.REVOKED),
    ({"status": "revoked", "revoked_on": "<b>soon"}, Standing.REVOKED),
    ({"status": "decommissioned"}, Standing.DECOMMISSIONED),
    ({"decommission_on": "2026-05-31"}, Standing.DECOMMISSIONED),
    ({"decommission_on": "2027-05-31"}, Standing.INVALID),
    ({"decommission_on": "soon"}, Standing.INVALID),
    ({}, Standing.INVALID),
])  # fmt: skip
@pytest.mark.parametrize("keep", [s3, file, annotation])
def test_a_typing_error_does_not_open_again_what_is_over(keep: Any, lifecycle: dict[str, str], standing: Standing) -> None:
    """The rest of the record is broken; beside it a sound one of a lower rank."""
    broken = keep(changed(about("agreed", **lifecycle), purpose=1))
    records = [broken] if keep is file else [broken, file(about("agreed"))]
    view, others = decide(records, WITH_NAMES, NOW, may_update={"hyperpod-ns-a": False})
    assert view.standing is standing and view.problems and view.kept == broken.kept.where and view.namespaces == ()
    closed = standing is not Standing.INVALID
    found = scope(view, others, WITH_NAMES)
    assert [(n.name, n.read) for n in found if n.source == "connection"] == [("from-connection", not closed)] and not (closed and any(n.read for n in found))
    if view.line is not None and standing is Standing.REVOKED:
        assert view.line.params == {"on": "2026-05-01" if lifecycle["revoked_on"] == "2026-05-01" else None}, "no text of a broken record but a date"


@pytest.mark.parametrize("lifecycle", [{"status": "draft"}, {"until": "2026-01-31"}, {"begins": "2027-01-01"}])
def test_a_record_that_is_not_in_force_names_no_namespace(lifecycle: dict[str, str]) -> None:
    assert names([s3(about("agreed", **lifecycle))], WITH_NAMES) == {"from-connection": ("connection", True, None)}


def test_a_missed_review_ends_nothing() -> None:
    assert names([s3(about("agreed", next_review="2026-01-01"))]) == {"agreed": ("platform_contract", True, None)}


def test_an_ambiguous_or_broken_record_names_no_namespace() -> None:
    assert names([s3(about("x"), key="a.yaml"), s3(about("y"), key="b.yaml")], WITH_NAMES)["from-connection"] == ("connection", True, None)
    assert "x" not in {name for name, (_, read, _) in names([s3(about("x"), key="a.yaml"), s3(about("y"), key="b.yaml")], WITH_NAMES).items() if read}
    assert parse(file(b"a: [").kept).data is None
