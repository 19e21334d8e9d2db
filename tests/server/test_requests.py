"""The request to the administrator, and who can grant what was refused: as the cause is, and nothing that could not help."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hpgov_jlab.sandbox.launch import start
from hpgov_jlab.sandbox.scenario import Scenario
from hpgov_jlab.words import say

from .panel import SLURM, Panel
from .states_table import END, one_connection, slurm_connection


async def access_of(scenario: Any, name: str, *faults: str) -> dict[str, Any]:
    with start(scenario, list(faults), pace=END) as running, Panel(running) as panel:
        id = await panel.id(name)
        return await panel.settle(lambda: panel.access(id))


def row(page: dict[str, Any], operation: str) -> dict[str, Any]:
    found: dict[str, Any] = next(r for r in page["rows"] if r["operation"] == operation)
    return found


async def test_a_missing_access_entry_is_asked_for_by_the_command_that_makes_one() -> None:
    page = await access_of("no-rights", "evaluation")
    assert page["request"] and page["request"][0]["title"] == "request_access_entry"
    text = page["request"][0]["text"]
    words = text.split()
    assert words[:3] == ["aws", "eks", "create-access-entry"] and text.endswith("\n")
    role = words[words.index("--principal-arn") + 1]
    assert role.startswith("arn:aws:iam::444455556666:role/")
    assert words[words.index("--kubernetes-groups") + 1] == "hpgov-" + role.rpartition("/")[2], "a group of this role's own: a shared one would share rights"


@pytest.mark.parametrize(
    ("fault", "code", "ask", "layer", "helps"),
    [
        ("deny-explicit-service-control-policy", "service_control_policy_denies", "organisation_admin", "organisation", False),
        ("deny-no-identity-policy", "no_identity_policy_allows", "account_admin", "cluster", True),
    ],
)
async def test_no_allow_is_offered_where_another_policy_denies(fault: str, code: str, ask: str, layer: str, helps: bool) -> None:
    page = await access_of(one_connection(), "research-training", f"{fault}@sagemaker:ListClusterNodes")
    refused = row(page, "sagemaker:ListClusterNodes")
    assert refused["last"]["code"] == code and (refused["grants"], refused["layer"]) == (ask, layer)
    assert any("sagemaker:ListClusterNodes" in (r["text"] or "") for r in page["request"]) is helps


async def test_what_needs_no_permission_is_granted_by_nobody() -> None:
    page = await access_of(one_connection(), "research-training")
    asked = [r for r in page["rows"] if r["operation"] == "sts:GetCallerIdentity"]
    assert asked and {r["grants"] for r in asked} == {"nobody"}
    assert len({r["scope"] for r in asked}) == len(asked), "whose identity each of them is"


async def test_a_slurm_cluster_waits_for_no_eks_cluster() -> None:
    page = await access_of(slurm_connection(), SLURM)
    assert [r for r in page["rows"] if r["operation"].startswith("eks:")] == []
    assert row(page, "datazone:GetConnection")["last"]["code"] == "asked_when_needed"
    assert [r for r in page["rows"] if r["last"]["code"] == "waits_for"] == []


async def test_a_refusal_names_the_namespace_where_there_is_one() -> None:
    page = await access_of("no-rights", "without-rbac")
    said = {r["operation"]: say(r["last"]["code"], r["last"]["params"]) for r in page["rows"]}
    assert said["list pods"] == "Your role may not list pods (hyperpod-ns-research)."
    assert said["list resourceflavors.kueue.x-k8s.io"] == "Your role may not list resourceflavors.kueue.x-k8s.io."


async def test_without_kueue_no_trait_is_named_for_sums_over_a_cohort() -> None:
    with start("no-kueue", pace=END) as running, Panel(running) as panel:
        id = await panel.id("research-training")
        page = await panel.settle(lambda: panel.share(id))
    assert (page["cohort"]["last"]["state"], page["cohort"]["last"]["code"]) == ("absent", "no_kueue")


@pytest.mark.parametrize(
    ("scenario", "name", "holds"),
    [
        (one_connection, "research-training", 'priority_classes: ["experiment-priority", "inference-priority", "training-priority", "urgent-priority"]'),
        (slurm_connection, SLURM, 'accounts: ["research-nlp"]'),
    ],
)
async def test_a_draft_holds_what_was_read(scenario: Callable[[], Scenario], name: str, holds: str) -> None:
    with start(scenario(), pace=END) as running, Panel(running) as panel:
        id = await panel.id(name)
        page = await panel.settle(lambda: panel.contract(id))
    assert holds in page["draft"]["text"]
