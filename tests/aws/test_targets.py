"""No confused deputy (DESIGN.md 14, S3): facts that do not belong together assume no role and sign no token."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hpgov_jlab.model.cluster import EksCluster
from hpgov_jlab.model.connection import Connection, Orchestrator, Place, PlaceKind
from hpgov_jlab.model.outcome import Failure, State
from hpgov_jlab.reads import Deadline
from hpgov_jlab.sandbox.loading import load
from hpgov_jlab.sandbox.scenario import Scenario
from hpgov_jlab.sources.aws import eks, hyperpod, sts
from hpgov_jlab.sources.aws.targets import role_request, session_name

from .world import CLUSTER as BY_NAME
from .world import STUDIO, Parrot, Said, World, ask, failed, keys_or, studio, world

ROLE = "arn:aws:iam::444455556666:role/hp-access-research"
CLUSTER = "arn:aws:sagemaker:us-west-2:444455556666:cluster/abcresearch1"
PLACE = Place(
    PlaceKind.UNIFIED_STUDIO, "x", domain_id="dzd-exampledomain1", project_id="prjresearch001", user_id="u-1",
    domain_region="us-east-1", region="us-east-1", execution_role_arn="arn:aws:iam::111122223333:role/project",
)  # fmt: skip
GOOD = Connection(
    "id", "n", "datazone", Orchestrator.EKS, "ml-research", "us-west-2", "444455556666", cluster_arn=CLUSTER, access_role=ROLE,
    project_id="prjresearch001", domain_id="dzd-exampledomain1",
)  # fmt: skip

MISMATCHES: dict[str, dict[str, Any]] = {
    "the role of another account": {"access_role": "arn:aws:iam::777788889999:role/hp"},
    "the connection of another account": {"account": "777788889999"},
    "a cluster of another account": {"cluster_arn": CLUSTER.replace("444455556666", "777788889999")},
    "a cluster of another region": {"cluster_arn": CLUSTER.replace("us-west-2", "us-east-2")},
    "the connection of another region": {"region": "us-east-2"},
    "a role of another partition": {"access_role": ROLE.replace("arn:aws:", "arn:aws-cn:")},
    "everything of another partition": {
        "access_role": ROLE.replace("arn:aws:", "arn:aws-cn:"),
        "cluster_arn": CLUSTER.replace("arn:aws:", "arn:aws-cn:").replace("us-west-2", "cn-north-1"),
        "region": "cn-north-1",
    },
    "a partition that is not the region's": {"cluster_arn": CLUSTER.replace("arn:aws:", "arn:aws-us-gov:")},
    "no ARN of a cluster": {"cluster_arn": "arn:aws:sagemaker:us-west-2:444455556666:endpoint/x"},
    "a cluster ARN with more behind it": {"cluster_arn": CLUSTER + "/../x"},
    "no role": {"access_role": "arn:aws:iam::444455556666:user/x"},
    "a role's session": {"access_role": "arn:aws:sts::444455556666:assumed-role/hp/x"},
    "a region that is none": {"region": "us-west-2.evil.example", "cluster_arn": None},
    "no region": {"region": None, "cluster_arn": None},
    "an account that is none": {"account": "4444"},
    "another project": {"project_id": "prjproduct001"},
    "another domain": {"domain_id": "dzd-another"},
    "a name that is none": {"cluster_arn": None, "cluster_name": "ml/../x"},
}


@pytest.mark.parametrize("case", MISMATCHES)
def test_before_nothing_is_assumed(default: World, case: str) -> None:
    connection = replace(GOOD, **MISMATCHES[case])
    with pytest.raises(Failure) as caught:
        default.sessions.for_connection(connection, default.place)
    assert (caught.value.state, caught.value.code) == (State.INVALID, "target_mismatch")
    assert default.far.log == []


def test_the_good_one_passes(default: World) -> None:
    """So that each mismatch above is for what it says."""
    assert ask(hyperpod.describe(default.sessions.for_connection(GOOD, default.place), GOOD)).arn == CLUSTER
    assert role_request(replace(GOOD, cluster_arn=None), PLACE).region == "us-west-2"


@pytest.mark.parametrize(
    ("connection", "place", "code"),
    [(replace(GOOD, access_role=None), PLACE, "no_access_role"), (GOOD, replace(PLACE, user_id=None), "no_user_id")],
)
def test_what_is_missing_is_named(connection: Connection, place: Place, code: str) -> None:
    with pytest.raises(Failure) as caught:
        role_request(connection, place)
    assert (caught.value.state, caught.value.code) == (State.NOT_CONFIGURED, code)


def test_elsewhere_nothing_attributes_and_the_external_id_is_the_traits() -> None:
    elsewhere = Place(PlaceKind.ELSEWHERE, "x")
    assert "ExternalId" not in role_request(GOOD, elsewhere).params
    params = role_request(GOOD, elsewhere, "given-by-trait").params
    assert params["ExternalId"] == "given-by-trait"
    assert params.keys().isdisjoint({"SourceIdentity", "Tags"})
    assert params["RoleSessionName"] == "hpgov-jlab"


@pytest.mark.parametrize(("user", "name"), [("a b/c", "hpgov-a-b-c"), ("ü" * 3, "hpgov----"), ("x" * 200, "hpgov-" + "x" * 58), (None, "hpgov-jlab")])
def test_session_names(user: str | None, name: str) -> None:
    assert session_name(user) == name


def test_who_is_asked_for_whom_is_part_of_the_principal() -> None:
    other = replace(PLACE, user_id="u-2")
    assert role_request(GOOD, PLACE).principal != role_request(GOOD, other).principal
    assert role_request(GOOD, PLACE).principal != role_request(replace(GOOD, access_role=ROLE + "2"), PLACE).principal


# -- after ---------------------------------------------------------------------------------------------------------------------
@pytest.fixture
def two_clusters(tmp_path: Path) -> Iterator[World]:
    """A scenario whose access role may read both clusters, so that a wrong target would be answered."""
    base: Scenario = load("default")
    statement = {"Effect": "Allow", "Action": ["sagemaker:DescribeCluster", "eks:DescribeCluster"], "Resource": "*"}
    roles = tuple(replace(r, policies=(*r.policies, statement)) if r.arn == ROLE else r for r in base.roles)
    with world(tmp_path, replace(base, roles=roles)) as made:
        yield made


def test_after_another_cluster_of_the_name_is_not_taken(two_clusters: World) -> None:
    """The connection names no ARN, so the cluster is asked for by name; what comes has to be in the same account and Region."""
    session = two_clusters.sessions.for_connection(GOOD, two_clusters.place)
    elsewhere = replace(GOOD, cluster_arn=CLUSTER.replace("abcresearch1", "abcevaluate1"))
    assert failed(hyperpod.describe(session, elsewhere)).code in ("no_session_policy_allows", "target_mismatch")
    by_name = replace(GOOD, cluster_arn=None)
    session = two_clusters.sessions.for_connection(by_name, two_clusters.place)
    assert ask(hyperpod.describe(session, by_name)).arn == CLUSTER


def described(arn: str, eks_arn: str | None = None) -> Said:
    """What DescribeCluster would say of that cluster."""
    answer: dict[str, Any] = {"ClusterArn": arn, "ClusterName": "ml", "ClusterStatus": "InService", "InstanceGroups": []}
    if eks_arn:
        answer["Orchestrator"] = {"Eks": {"ClusterArn": eks_arn}}
    return Said(200, json.dumps(answer).encode())


OWN = "arn:aws:sagemaker:us-west-2:111122223333:cluster/abc123def456"


@pytest.mark.parametrize(
    ("arn", "eks_arn", "known", "good"),
    [
        (OWN, None, None, True),
        (OWN, None, OWN, True),
        (OWN, None, OWN.replace("abc", "xyz"), False),
        (OWN.replace("111122223333", "777788889999"), None, None, False),
        (OWN.replace("us-west-2", "us-east-1"), None, None, False),
        ("arn:aws:sagemaker:us-west-2:111122223333:endpoint/x", None, None, False),
        (OWN, "arn:aws:eks:us-west-2:111122223333:cluster/e", None, True),
        (OWN, "arn:aws:eks:us-west-2:777788889999:cluster/e", None, False),
        (OWN, "arn:aws:eks:us-east-1:111122223333:cluster/e", None, False),
        (OWN, "arn:aws-cn:eks:us-west-2:111122223333:cluster/e", None, False),
        (OWN, "arn:aws:eks:us-west-2:111122223333:cluster/../e", None, False),
    ],
)
def test_after_what_describe_cluster_says_has_to_be_the_target(arn: str, eks_arn: str | None, known: str | None, good: bool) -> None:
    connection = replace(BY_NAME, cluster_arn=known)
    with Parrot(keys_or(described(arn, eks_arn))) as parrot:
        sessions = studio(parrot.url)
        read = hyperpod.describe(sessions.for_place(STUDIO), connection)
        if good:
            assert ask(read).arn == arn
        else:
            assert failed(read).code == "target_mismatch"
        sessions.close()


@pytest.mark.parametrize("found", ["arn:aws:eks:us-west-2:111122223333:cluster/another", None])
def test_after_what_eks_says_has_to_be_the_target(found: str | None) -> None:
    eks_arn = "arn:aws:eks:us-west-2:111122223333:cluster/e"

    def say(target: str, body: bytes) -> Said:
        if target == "/clusters/e":
            return Said(200, json.dumps({"cluster": {"name": "e", **({"arn": found} if found else {})}}).encode(), "application/json")
        return keys_or(described(OWN, eks_arn))(target, body)

    with Parrot(say) as parrot:
        sessions = studio(parrot.url)
        session = sessions.for_place(STUDIO)
        assert failed(eks.describe(session, ask(hyperpod.describe(session, BY_NAME)))).code == "target_mismatch"
        sessions.close()


def test_after_the_eks_cluster_of_another_account_or_region_is_not_taken_and_no_token_signed(two_clusters: World) -> None:
    session = two_clusters.sessions.for_connection(GOOD, two_clusters.place)
    cluster = ask(hyperpod.describe(session, GOOD))
    for wrong in ("arn:aws:eks:us-east-2:444455556666:cluster/ml-research-eks", "arn:aws:eks:us-west-2:777788889999:cluster/ml-research-eks", "x", ""):
        assert failed(eks.describe(session, replace(cluster, eks_arn=wrong))).code == "target_mismatch"
    fake = EksCluster("another", str(cluster.eks_arn), "ACTIVE", "1.33", None, None, True, True, ())
    assert failed(eks.token(session, fake)).code == "target_mismatch"
    assert two_clusters.far.calls("DescribeCluster") == ["sagemaker:DescribeCluster"]


def test_after_a_session_of_another_role_reads_and_signs_nothing(default: World) -> None:
    """STS hands out a session of another role than the one asked for: only its identity is ever asked."""
    connection = default.connection()
    home = default.home
    request = role_request(connection, default.place)
    other = replace(connection, access_role="arn:aws:iam::444455556666:role/hp-access-evaluation")
    session = default.sessions.for_connection(other, default.place)
    session._build = lambda own: default.sessions._role_core(own, home, request)  # what a mix-up inside STS would amount to
    before = len(default.far.log)
    failure = failed(hyperpod.describe(session, connection))
    assert (failure.state, failure.code, failure.params["what"]) == (State.INVALID, "target_mismatch", "identity")
    with pytest.raises(Failure):
        session.signed_identity("ml-research-eks", Deadline(20), region="us-west-2", seconds=60)
    assert {e.operation for e in default.far.log[before:]} == {"AssumeRole", "GetCallerIdentity"}
    assert ask(sts.identity(session)).expected is False


def test_what_an_unreachable_endpoint_means() -> None:
    base = EksCluster("c", "arn", "ACTIVE", "1.33", "https://abc.gr7.us-west-2.eks.amazonaws.com", "pem", True, True, ("0.0.0.0/0",))
    assert eks.endpoint_note(base) is None
    private = eks.endpoint_note(replace(base, public=False))
    assert private is not None
    assert (private.code, private.params) == ("endpoint_private", {"host": "abc.gr7.us-west-2.eks.amazonaws.com"})
    limited = eks.endpoint_note(replace(base, public_cidrs=("10.0.0.0/8", "192.0.2.0/24")))
    assert limited is not None
    assert (limited.code, limited.params["count"]) == ("endpoint_limited_to_networks", 2)
    none = eks.endpoint_note(replace(base, endpoint=None))
    assert none is not None
    assert (none.code, none.params) == ("endpoint_none_yet", {"aws_status": "ACTIVE"})


def test_the_private_endpoint_of_the_scenario_says_so(tmp_path: Path) -> None:
    with world(tmp_path, "private-endpoint") as made:
        connection = made.connections()[0]
        session = made.sessions.for_connection(connection, made.place)
        note = eks.endpoint_note(ask(eks.describe(session, ask(hyperpod.describe(session, connection)))))
        assert note is not None
        assert note.code == "endpoint_private"
