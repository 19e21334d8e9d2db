"""The state of a record as of a moment: dates end at 24:00 UTC, a missed review ends nothing, unknown approval is not an agreement."""

from __future__ import annotations

from typing import Any

import pytest

from hpgov_jlab.contracts import attention, decide
from hpgov_jlab.contracts.lifecycle import next_review
from hpgov_jlab.model.contract import ContractView, Standing
from hpgov_jlab.words import WORDS

from .examples import APPROVED, CONNECTION, HERE, MINIMUM, NOW, at, changed, file, s3


def view(lifecycle: dict[str, Any] | None, now: float = NOW, *, platform: bool = True, **more: Any) -> ContractView:
    record = {**MINIMUM, **HERE, **more, **({"lifecycle": lifecycle} if lifecycle is not None else {})}
    return decide([s3(record, platform=platform)], CONNECTION, now)[0]


def said(found: ContractView) -> tuple[Standing, str, dict[str, Any]]:
    assert found.line is not None
    return found.standing, found.line.code, found.line.params


OK = {"status": "approved"}


@pytest.mark.parametrize(
    ("lifecycle", "expected"),
    [
        (OK, (Standing.IN_FORCE, "contract_agreed_no_end", {})),
        ({**OK, "until": "2026-12-31"}, (Standing.IN_FORCE, "contract_agreed_until", {"until": "2026-12-31"})),
        ({**OK, "until": "2026-05-31"}, (Standing.EXPIRED, "contract_expired", {"on": "2026-05-31"})),
        ({**OK, "next_review": "2026-05-12"}, (Standing.REVIEW_DUE, "contract_review_due", {"since": "2026-05-12"})),
        ({**OK, "approved_on": "2025-11-12", "review_every": "6 months"}, (Standing.REVIEW_DUE, "contract_review_due_computed", {"since": "2026-05-12"})),
        ({**OK, "begins": "2026-07-01"}, (Standing.NOT_YET, "contract_not_yet", {"begins": "2026-07-01"})),
        ({**OK, "approved_on": "2026-07-01"}, (Standing.NOT_YET, "contract_not_yet", {"begins": "2026-07-01"})),
        ({**OK, "decommission_on": "2026-05-01"}, (Standing.DECOMMISSIONED, "contract_decommissioned", {"on": "2026-05-01"})),
        ({"status": "decommissioned"}, (Standing.DECOMMISSIONED, "contract_decommissioned", {"on": None})),
        ({"status": "revoked", "until": "2027-01-01"}, (Standing.REVOKED, "contract_revoked", {"on": None})),
        ({"status": "revoked", "revoked_on": "2026-04-02"}, (Standing.REVOKED, "contract_revoked", {"on": "2026-04-02"})),
        ({"status": "draft"}, (Standing.DRAFT, "contract_draft", {})),
        (None, (Standing.ON_RECORD, "contract_on_record", {})),
        ({"until": "2026-12-31"}, (Standing.ON_RECORD, "contract_on_record", {})),
        ({"next_review": "2026-05-12"}, (Standing.ON_RECORD, "contract_on_record", {})),
        ({"until": "2026-05-31"}, (Standing.EXPIRED, "contract_expired", {"on": "2026-05-31"})),
    ],
)
def test_states(lifecycle: dict[str, Any] | None, expected: tuple[Standing, str, dict[str, Any]]) -> None:
    assert said(view(lifecycle)) == expected


@pytest.mark.parametrize("status", ["revoked", "decommissioned", "draft", "approved", None])
def test_what_is_worse_is_said_first(status: str | None) -> None:
    """Everything is over and due at once: revoked beats decommissioned beats expired."""
    everything = {"until": "2026-01-01", "next_review": "2026-01-01", "decommission_on": "2026-01-01"}
    found = view({**everything, **({"status": status} if status else {})}).standing
    assert found is (Standing.REVOKED if status == "revoked" else Standing.DECOMMISSIONED)


def test_a_day_ends_at_midnight_utc_and_an_instant_at_its_own() -> None:
    until = {**OK, "until": "2026-05-12"}
    assert view(until, at("2026-05-12T23:59:59+00:00")).standing is Standing.IN_FORCE
    assert view(until, at("2026-05-13T00:00:00+00:00")).standing is Standing.EXPIRED
    instant = {**OK, "until": "2026-05-12T10:00+02:00"}
    assert view(instant, at("2026-05-12T07:59:59+00:00")).standing is Standing.IN_FORCE
    assert view(instant, at("2026-05-12T08:00:00+00:00")).standing is Standing.EXPIRED
    begins = {**OK, "begins": "2026-05-12"}
    assert view(begins, at("2026-05-11T23:59:59+00:00")).standing is Standing.NOT_YET
    assert view(begins, at("2026-05-12T00:00:00+00:00")).standing is Standing.IN_FORCE
    review = {**OK, "next_review": "2026-05-12"}
    assert view(review, at("2026-05-12T23:59:59+00:00")).standing is Standing.IN_FORCE
    assert view(review, at("2026-05-13T00:00:00+00:00")).standing is Standing.REVIEW_DUE


def test_only_a_platform_record_says_agreed() -> None:
    assert said(view({**OK, "until": "2026-12-31"}, platform=False)) == (Standing.IN_FORCE, "contract_self_declared", {"until": "2026-12-31"})
    assert said(view(OK, platform=False)) == (Standing.IN_FORCE, "contract_self_declared_no_end", {})


@pytest.mark.parametrize(
    ("lifecycle", "reviewed", "expected"),
    [
        ({"approved_on": "2026-01-31", "review_every": "1 month"}, None, "2026-02-28"),
        ({"approved_on": "2024-02-29", "review_every": "1 year"}, None, "2025-02-28"),
        ({"approved_on": "2026-01-01", "review_every": "6 weeks"}, None, "2026-02-12"),
        ({"approved_on": "2026-01-01", "review_every": "90 days"}, None, "2026-04-01"),
        ({"approved_on": "2026-01-01", "review_every": "12 months"}, {"on": "2026-05-01"}, "2027-05-01"),
        ({"approved_on": "2026-01-01T23:00-05:00", "review_every": "1 day"}, None, "2026-01-02"),
        ({"approved_on": "9999-01-01", "review_every": "999 years"}, None, None),
        ({"review_every": "6 months"}, None, None),
        ({"approved_on": "2026-01-01"}, None, None),
    ],
)
def test_the_next_review_is_counted_from_the_last_or_the_approval(lifecycle: dict[str, Any], reviewed: dict[str, Any] | None, expected: str | None) -> None:
    record = changed(MINIMUM, lifecycle=lifecycle, **({"reviewed_against": reviewed} if reviewed else {}))
    assert next_review(file(record))[0] == expected


def test_attention() -> None:
    assert attention(view(OK), NOW) == ()
    assert [phrase.code for phrase in attention(view({**OK, "until": "2026-06-20", "next_review": "2026-06-10"}), NOW)] == [
        "contract_ends_soon",
        "contract_review_soon",
    ]
    assert [phrase.code for phrase in attention(view({**OK, "until": "2026-06-20", "next_review": "2026-05-12"}), NOW)] == [
        "contract_ends_soon",
        "contract_review_due",
    ]
    assert [phrase.code for phrase in attention(view({"next_review": "2026-05-12"}), NOW)] == ["contract_review_due"]
    assert [phrase.code for phrase in attention(view({**OK, "until": "2026-07-02"}), NOW)] == []
    assert [phrase.code for phrase in attention(view({"status": "revoked"}), NOW)] == ["contract_revoked"]
    assert [phrase.code for phrase in attention(decide([], CONNECTION, NOW)[0], NOW)] == ["contract_none"]


def test_the_view_shows_what_is_recorded_and_what_is_not() -> None:
    record = changed(
        APPROVED,
        owners={"cost": {"name": "Erin", "contact": "erin@example.com", "escalation": "cfo@example.com"}},
        task_governance={"share": [{"instance_type": "ml.p5.48xlarge", "count": 2}]},
        scope={"namespaces": ["a", "b", "a"], "slurm": {"accounts": ["acc"]}},
        monitoring={"cost": {"owner": "Erin"}},
        decisions=[{"what": "Approved", "by": "Dana", "date": "2026-01-10"}],
        exceptions=[{"what": "More nodes", "approver": "Dana", "on": "2026-01-11", "until": "2026-02-01"}],
    )
    found = decide([s3(record)], CONNECTION, NOW)[0]
    assert [(owner.role, owner.name, owner.contact, owner.escalation) for owner in found.owners] == [
        ("business", "Dana Example", None, None),
        ("cost", "Erin", "erin@example.com", "cfo@example.com"),
    ]
    facts = {fact.field: fact.value for fact in found.facts}
    assert facts["field_cluster_account"] == "444455556666"
    assert facts["field_network"] is None and facts["field_owner_operations"] is None and "field_owner_cost" not in facts
    assert all(fact.field in WORDS for fact in found.facts)
    assert [(share.instance_type, share.count) for share in found.shares] == [("ml.p5.48xlarge", "2")]
    assert found.namespaces == ("a", "b") and found.slurm_accounts == ("acc",)
    assert [(signal.signal, signal.owner) for signal in found.signals if signal.owner] == [("field_signal_cost", "Erin")] and len(found.signals) == 5
    assert (found.decisions[0].what, found.decisions[0].by, found.decisions[0].on) == ("Approved", "Dana", "2026-01-10")
    assert (found.exceptions[0].until, found.exceptions[0].by) == ("2026-02-01", "Dana")
    assert (found.record, found.record_host) == ("https://wiki.example.com/contract/1", "wiki.example.com")
    assert (found.kept, found.version, found.kept_at, found.approved_by) == ("s3://acme-contracts/prod/a.yaml", "v1", 1.0, "Dana Example")
