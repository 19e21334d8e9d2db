"""Which record wins, and that nothing is skipped in silence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hpgov_jlab.contracts import Parsed, SourceState, decide
from hpgov_jlab.model.contract import ContractView, Rank, Standing
from hpgov_jlab.model.outcome import Outcome, State
from hpgov_jlab.words import WORDS

from .examples import APPROVED, CONNECTION, HERE, MINIMUM, NOW, annotation, changed, file, s3

NAMESPACE = "hyperpod-ns-a"
READ_ONLY = {NAMESPACE: False}


def named(view: ContractView) -> tuple[Standing, Rank | None, bool]:
    return view.standing, view.rank, view.platform


def source(rank: Rank, state: State, *, platform: bool = False) -> SourceState:
    return SourceState(rank, f"the {rank} source", Outcome(state, "read", "x"), platform)


def revoked(**more: Any) -> dict[str, Any]:
    return changed(APPROVED, lifecycle={"status": "revoked"}, **more)


def test_platform_prefix_then_platform_annotation_then_self_declared() -> None:
    every = [file(APPROVED), annotation(APPROVED), s3(APPROVED, platform=False, key="trait.yaml"), s3(APPROVED)]
    order = []
    while every:
        view, others = decide(every, CONNECTION, NOW, may_update=READ_ONLY)
        assert len(others) == len(every) - 1
        order.append((view.rank, view.platform))
        every = [one for one in every if one.kept.where != view.kept]
    assert order == [(Rank.S3, True), (Rank.ANNOTATION, True), (Rank.S3, False), (Rank.FILE, False)]


@pytest.mark.parametrize(("may", "platform", "why"), [(False, True, None), (True, False, "self_declared_writable"), (None, False, "self_declared_unknown")])
def test_an_annotation_is_platform_only_if_our_identity_may_not_write_it(may: bool | None, platform: bool, why: str | None) -> None:
    view, _ = decide([annotation(APPROVED)], CONNECTION, NOW, may_update={NAMESPACE: may})
    assert view.platform is platform
    assert (view.why_not_platform.code if view.why_not_platform else None) == why
    unknown, _ = decide([annotation(APPROVED)], CONNECTION, NOW)
    assert unknown.platform is False
    assert view.kept == f"namespace {NAMESPACE}, annotation hpgov/contract" and view.version == "kubectl-annotate" and view.kept_at == 5.0


def test_who_is_governed_cannot_approve_herself() -> None:
    """A prefix named by a trait and a file, both hers to write, against a platform annotation that revokes."""
    records = [s3(APPROVED, platform=False), file(APPROVED), annotation(revoked())]
    view, others = decide(records, CONNECTION, NOW, may_update=READ_ONLY)
    assert named(view) == (Standing.REVOKED, Rank.ANNOTATION, True)
    assert [named(other)[0] for other in others] == [Standing.IN_FORCE, Standing.IN_FORCE]
    assert {difference.field for difference in view.differences} == {"field_status"}


@pytest.mark.parametrize(
    ("higher", "standing"),
    [
        (revoked(), Standing.REVOKED),
        (changed(APPROVED, lifecycle={"until": "2026-01-31"}), Standing.EXPIRED),
        (changed(APPROVED, lifecycle={"status": "draft"}), Standing.DRAFT),
        (changed(APPROVED, purpose=1), Standing.INVALID),
    ],
)
def test_the_higher_rank_decides_whatever_its_state(higher: dict[str, Any], standing: Standing) -> None:
    view, others = decide([file(APPROVED), s3(higher)], CONNECTION, NOW)
    assert view.standing is standing and view.rank is Rank.S3
    assert [other.standing for other in others] == [Standing.IN_FORCE]


def test_differences_name_the_field_and_both_sides() -> None:
    here = changed(APPROVED, scope={"namespaces": ["a", "b"]}, purpose="Train", lifecycle={"until": "2026-12-31"})
    there = changed(APPROVED, scope={"namespaces": ["b", "a"]}, network="VPN", lifecycle={"until": "2027-12-31"}, owners={"business": {"name": "Frank"}})
    view, _ = decide([s3(here), file(there)], CONNECTION, NOW)
    assert [(one.field, one.here, one.there, one.there_kept) for one in view.differences] == [
        ("field_owner_business", "Dana Example", "Frank", ".hpgov/contracts/a.yaml"),
        ("field_until", "2026-12-31", "2027-12-31", ".hpgov/contracts/a.yaml"),
    ]
    assert all(one.field in WORDS for one in view.differences)


def test_two_of_one_rank_are_ambiguous_and_both_are_listed() -> None:
    view, others = decide([file(APPROVED, "a.yaml"), file(changed(APPROVED, purpose="Other"), "b.yaml")], CONNECTION, NOW)
    assert named(view) == (Standing.AMBIGUOUS, Rank.FILE, False)
    assert [(other.kept, other.standing) for other in others] == [
        (".hpgov/contracts/a.yaml", Standing.IN_FORCE),
        (".hpgov/contracts/b.yaml", Standing.IN_FORCE),
    ]
    assert view.namespaces == () and view.owners == ()


def test_an_expired_and_a_valid_one_of_one_rank_are_ambiguous_too() -> None:
    old = changed(APPROVED, lifecycle={"until": "2026-01-31"})
    view, others = decide([s3(APPROVED, key="new.yaml"), s3(old, key="old.yaml")], CONNECTION, NOW)
    assert view.standing is Standing.AMBIGUOUS
    assert sorted(other.standing for other in others) == [Standing.EXPIRED, Standing.IN_FORCE]


def test_copies_that_say_the_same_are_one_record() -> None:
    view, others = decide([annotation(APPROVED, "ns-a"), annotation(APPROVED, "ns-b")], CONNECTION, NOW, may_update={"ns-a": False, "ns-b": False})
    assert view.standing is Standing.IN_FORCE
    assert [other.kept for other in others] == ["namespace ns-b, annotation hpgov/contract"]
    assert view.differences == ()


# -- matching -------------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "wrong", [{"cluster": {"account": "999999999999"}}, {"cluster": {"region": "eu-west-1"}}, {"cluster": {"name": "other"}}, {"project": {"id": "prj2"}}]
)
@pytest.mark.parametrize("keep", [s3, annotation, file])
def test_a_record_about_something_else_is_not_shown(keep: Any, wrong: dict[str, Any]) -> None:
    view, others = decide([keep(changed(APPROVED, **wrong))], CONNECTION, NOW)
    assert (view.standing, others) == (Standing.NONE, ())


@pytest.mark.parametrize("left_out", ["cluster", "project"])
def test_in_a_shared_prefix_a_record_must_name_the_cluster_and_the_project(left_out: str) -> None:
    record = {name: value for name, value in APPROVED.items() if name != left_out}
    view, others = decide([s3(record)], CONNECTION, NOW)
    assert view.standing is Standing.NONE
    assert [other.standing for other in others] == [Standing.UNMATCHED]
    assert others[0].owners == () and others[0].not_named
    assert [note.code for note in view.notes] == ["contract_unmatched_may_overrule"]


def test_the_minimum_counts_where_its_place_says_whom_it_is_about() -> None:
    view, _ = decide([file(MINIMUM)], CONNECTION, NOW)
    assert view.standing is Standing.ON_RECORD
    assert view.not_named == ("field_cluster_account", "field_cluster_region", "field_cluster_name", "field_project_id")
    assert decide([annotation(MINIMUM)], CONNECTION, NOW)[0].standing is Standing.ON_RECORD
    assert decide([s3(MINIMUM)], CONNECTION, NOW)[0].standing is Standing.NONE


def test_without_a_project_the_cluster_is_enough_and_a_foreign_project_is_not_ours() -> None:
    studio = replace(CONNECTION, project_id=None)
    assert decide([s3({**MINIMUM, "cluster": HERE["cluster"]})], studio, NOW)[0].standing is Standing.ON_RECORD
    view, others = decide([s3(APPROVED)], studio, NOW)
    assert view.standing is Standing.NONE
    assert (others[0].standing, others[0].not_compared) == (Standing.UNMATCHED, ("field_project_id",))


def test_what_this_connection_does_not_know_is_said_to_be_not_compared() -> None:
    space = replace(CONNECTION, account=None, region=None, project_id=None)
    view, _ = decide([annotation(APPROVED)], space, NOW)
    assert view.standing is Standing.IN_FORCE
    assert view.not_compared == ("field_cluster_account", "field_cluster_region", "field_project_id")


# -- broken records harm nobody else -----------------------------------------------------------------------------------------------------
BROKEN: tuple[tuple[str, bytes], ...] = (
    ("bomb", b"a: &a [*a]"),
    ("kind", b"kind: ConfigMap\n"),
    ("empty", b""),
    ("utf16", "a: b".encode("utf-16")),
    ("big", b"x" * 1_000_000),
)


@pytest.mark.parametrize(("name", "data"), BROKEN)
@pytest.mark.parametrize("keep", [s3, file])
def test_a_broken_record_is_listed_and_changes_no_other(keep: Any, name: str, data: bytes) -> None:
    broken: Parsed = file(data, "broken.yaml") if keep is file else s3(data, key="broken.yaml")
    view, others = decide([keep(APPROVED), broken], CONNECTION, NOW)
    assert view.standing is Standing.IN_FORCE
    shown = [other for other in others if other.standing is Standing.INVALID]
    assert len(shown) == 1 and shown[0].problems and shown[0].kept and shown[0].kept.endswith("broken.yaml")


def test_a_broken_record_of_a_higher_rank_is_named_as_what_may_overrule() -> None:
    view, others = decide([file(APPROVED), s3(b"a: [")], CONNECTION, NOW)
    assert named(view) == (Standing.IN_FORCE, Rank.FILE, False)
    assert [note.code for note in view.notes] == ["contract_unreadable_may_overrule"]
    assert [other.standing for other in others] == [Standing.INVALID]


def test_the_projects_own_broken_file_is_what_there_is() -> None:
    view, others = decide([file(b"a: [", "a.yaml"), file(b"b: [", "b.yaml")], CONNECTION, NOW)
    assert view.standing is Standing.INVALID
    assert [(problem.file, problem.line) for problem in view.problems] == [("a.yaml", 1), ("b.yaml", 1)]
    assert len(others) == 2


def test_broken_annotations_are_invalid_and_not_in_conflict() -> None:
    view, _ = decide([annotation("a: [", "ns-a"), annotation("b: [", "ns-b")], CONNECTION, NOW, may_update={"ns-a": False, "ns-b": False})
    assert named(view) == (Standing.INVALID, Rank.ANNOTATION, True)
    assert len(view.problems) == 2


def test_a_shared_prefix_full_of_broken_records_is_cut_and_counted() -> None:
    view, others = decide([s3(b"a: [", key=f"{i:03}.yaml") for i in range(70)], CONNECTION, NOW)
    assert (view.standing, len(others)) == (Standing.NONE, 50)
    assert [(note.code, note.params) for note in view.notes] == [("contract_unreadable_may_overrule", {"count": 70}), ("contract_others_cut", {"count": 20})]


# -- sources that were not read ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("state", [State.DENIED, State.UNREACHABLE, State.PENDING, State.THROTTLED, State.EXPIRED, State.INVALID])
def test_none_on_record_is_only_said_when_every_source_was_read(state: State) -> None:
    view, _ = decide([], CONNECTION, NOW, sources=[source(Rank.S3, state, platform=True), source(Rank.FILE, State.ABSENT)])
    assert view.standing is Standing.UNKNOWN
    assert [(note.code, note.params["state"]) for note in view.notes] == [("contract_source_not_read", str(state))]


@pytest.mark.parametrize("state", [State.OK, State.ABSENT, State.NOT_CONFIGURED])
def test_none_on_record(state: State) -> None:
    view, others = decide([], CONNECTION, NOW, sources=[source(rank, state) for rank in Rank])
    assert (view.standing, view.notes, others) == (Standing.NONE, (), ())
    assert view.line is not None and view.line.code == "contract_none"


def test_a_lower_record_says_which_higher_source_was_not_read() -> None:
    failing = [source(Rank.S3, State.UNREACHABLE, platform=True), source(Rank.ANNOTATION, State.DENIED), source(Rank.FILE, State.DENIED)]
    view, _ = decide([annotation(APPROVED)], CONNECTION, NOW, may_update=READ_ONLY, sources=failing)
    assert [note.params["where"] for note in view.notes] == ["the s3 source", "the annotation source"]
    top, _ = decide([s3(APPROVED)], CONNECTION, NOW, sources=failing[1:])
    assert top.notes == ()


def test_a_typed_namespace_does_not_make_another_teams_record_a_platform_one() -> None:
    """Whoever types a name may read there; that does not make what its admins wrote her project's agreement, unless it names the project."""

    def typed(data: dict[str, Any]) -> Parsed:
        parsed = annotation(data)
        return replace(parsed, kept=replace(parsed.kept, typed=True))

    others = {name: value for name, value in APPROVED.items() if name != "project"}
    view, _ = decide([typed(others)], CONNECTION, NOW, may_update=READ_ONLY)
    assert (view.rank, view.platform, view.why_not_platform and view.why_not_platform.code) == (Rank.ANNOTATION, False, "self_declared_typed")
    ours = {**others, "project": {"id": CONNECTION.project_id}}
    assert decide([typed(ours)], CONNECTION, NOW, may_update=READ_ONLY)[0].platform is True
    broken, _ = decide([typed(changed(ours, purpose=1)), file(ours)], CONNECTION, NOW, may_update=READ_ONLY)
    assert named(broken) == (Standing.INVALID, Rank.ANNOTATION, True), "one that is broken names its project all the same, and is not passed over"
    elsewhere = replace(CONNECTION, project_id=None)
    assert decide([typed(others)], elsewhere, NOW, may_update=READ_ONLY)[0].platform is False
