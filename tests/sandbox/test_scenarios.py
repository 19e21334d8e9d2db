"""Every scenario: it holds together, its texts are what the product takes, and every answer made from it obeys AWS's models."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest
from botocore.exceptions import ClientError

from hpgov_jlab.contracts.decide import Standing
from hpgov_jlab.contracts.lifecycle import lifecycle
from hpgov_jlab.contracts.platform import parse_platform
from hpgov_jlab.contracts.record import parse
from hpgov_jlab.model.contract import Kept, Rank
from hpgov_jlab.policy.aws import Reader
from hpgov_jlab.policy.render_aws import Target, iam_policy, session_policy, trust_policy
from hpgov_jlab.sandbox.aws.far_end import AwsFarEnd
from hpgov_jlab.sandbox.loading import dated, load
from hpgov_jlab.sandbox.scenario import Connection, Denial, EksCluster, Role, S3Object, Scenario, ScenarioError
from hpgov_jlab.sandbox.scenario_check import check
from hpgov_jlab.sandbox.scenarios import TITLES

from .clients import client, project_keys, role

TODAY = date(2026, 11, 30)
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC).timestamp()


@pytest.mark.parametrize("name", TITLES)
def test_it_loads_and_says_its_name(name: str) -> None:
    scenario = load(name, today=TODAY)
    assert (scenario.name, scenario.title) == (name, TITLES[name])
    assert check(scenario) == []


def test_a_name_that_is_none() -> None:
    with pytest.raises(ScenarioError, match="default"):
        load("defualt")


@pytest.mark.parametrize("name", TITLES)
def test_every_answer_obeys_the_models(name: str) -> None:
    """Everything the scenario's roles may read is read, with botocore; what is refused is refused as AWS does."""
    told = load(name, today=TODAY)
    scenario = replace(told, faults=())
    with AwsFarEnd(scenario) as far_end:
        for each in scenario.roles:
            keys = far_end.issue(each.arn)
            region = scenario.clusters[0].arn.split(":")[3] if scenario.clusters else scenario.region
            sagemaker, eks = client(far_end, "sagemaker", keys, region=region), client(far_end, "eks", keys, region=region)
            for cluster in scenario.clusters:
                for call in (sagemaker.describe_cluster, sagemaker.list_cluster_nodes, sagemaker.list_cluster_events):
                    quietly(call, ClusterName=cluster.arn)
            for eks_cluster in scenario.eks:
                quietly(eks.describe_cluster, name=eks_cluster.name)
            quietly(sagemaker.list_clusters)
        if scenario.domain is not None:
            datazone = client(far_end, "datazone", project_keys(far_end), region=scenario.domain.region)
            for connection in scenario.domain.connections:
                quietly(datazone.get_connection, domainIdentifier=scenario.domain.id, identifier=connection.id)
            for project in scenario.domain.projects:
                quietly(datazone.list_connections, domainIdentifier=scenario.domain.id, projectIdentifier=project.id)
                quietly(datazone.get_project, domainIdentifier=scenario.domain.id, identifier=project.id)
            for person in scenario.domain.people:
                quietly(datazone.get_user_profile, domainIdentifier=scenario.domain.id, userIdentifier=person.id)
        for bucket in scenario.buckets:
            s3 = client(far_end, "s3", project_keys(far_end), region=bucket.region)
            quietly(s3.list_objects_v2, Bucket=bucket.name, Prefix="hyperpod/")
            for item in bucket.objects:
                quietly(s3.get_object, Bucket=bucket.name, Key=item.key)
        assert far_end.broken == []
        assert all(entry.status is not None and entry.status < 500 for entry in far_end.log)


def quietly(call: Any, **params: Any) -> None:
    """A call that may be refused, but only by name."""
    try:
        call(**params)
    except ClientError as refused:
        assert refused.response["Error"]["Code"] in {
            "AccessDenied",
            "AccessDeniedException",
            "ResourceNotFound",
            "ResourceNotFoundException",
            "ValidationException",
        }


# -- contracts and platform files --------------------------------------------------------------------------------------------------
def contract(scenario: Scenario, name: str) -> Any:
    item = next(o for bucket in scenario.buckets for o in bucket.objects if o.key.endswith(f"/{name}.yaml"))
    text = item.versions[0].text
    assert text is not None
    return parse(Kept(rank=Rank.S3, where="s3://example-platform-contracts", file=item.key, data=text.encode(), platform=True))


def test_the_contracts_validate_and_stand_where_the_story_says() -> None:
    scenario = load("default", today=TODAY)
    standing = {}
    for name in ("research-ml-research", "research-ml-evaluation", "production-ml-research"):
        parsed = contract(scenario, name)
        assert parsed.problems == ()
        standing[name] = lifecycle(parsed, NOW, platform=True)[0]
    assert standing == {
        "research-ml-research": Standing.IN_FORCE,
        "research-ml-evaluation": Standing.REVIEW_DUE,
        "production-ml-research": Standing.IN_FORCE,
    }
    assert contract(scenario, "research-ml-evaluation").text("lifecycle.until") == "2026-12-12"


def test_contracts_name_what_the_scenario_has() -> None:
    scenario = load("default", today=TODAY)
    assert scenario.domain is not None
    research = contract(scenario, "research-ml-research")
    connection = next(c for c in scenario.domain.connections if c.name == "research-training")
    cluster = scenario.cluster(connection.cluster)
    assert cluster is not None
    assert (research.text("cluster.name"), research.text("cluster.region"), research.text("cluster.account")) == (cluster.name, *cluster.arn.split(":")[3:5])
    assert (research.text("project.id"), research.text("roles.access")) == (connection.project, connection.access_role)
    assert research.text("roles.project") == scenario.project_of(role(scenario, "datazone_usr_role_prjresearch001_envresearch001")).role  # type: ignore[union-attr]


@pytest.mark.parametrize("name", TITLES)
def test_platform_files_are_read(name: str) -> None:
    scenario = load(name, today=TODAY)
    if scenario.platform_file is None:
        assert scenario.buckets == ()
        return
    found = parse_platform(scenario.platform_file.encode())
    assert found.problems == ()
    assert [(s.bucket, s.owner, s.region) for s in found.sources] == [(b.name, b.account, b.region) for b in scenario.buckets]


def test_dates_follow_the_day_of_the_start() -> None:
    scenario = replace(load("default", today=TODAY), files={"a": "until: today+1 since today-365, today's own"}, platform_file="x: today+0")
    moved = dated(scenario, date(2028, 2, 28))
    assert moved.files["a"] == "until: 2028-02-29 since 2027-02-28, today's own" and moved.platform_file == "x: 2028-02-28"


# -- the published policies are enough -----------------------------------------------------------------------------------------------
def test_the_policies_that_we_publish_are_enough_for_the_default_scenario() -> None:
    scenario = load("default", today=TODAY)
    session = scenario.session
    assert session is not None and scenario.domain is not None
    access = role(scenario, "hp-access-research")
    target = Target("aws", "us-west-2", "444455556666", "abcresearch1", "ml-research-eks", access)
    project_target = replace(target, region="us-east-1", bucket="example-platform-contracts", prefix="hyperpod/")
    trust = trust_policy(session.role, "prjresearch001", scenario.domain.id)["Statement"]
    roles = (
        Role(arn=session.role, policies=tuple(iam_policy(Reader.PROJECT, project_target)["Statement"])),
        Role(arn=access, policies=tuple(iam_policy(Reader.ACCESS, target)["Statement"]), trust=tuple(trust)),
        *(each for each in scenario.roles if each.arn not in (session.role, access)),
    )
    with AwsFarEnd(replace(scenario, roles=roles)) as far_end:
        keys, user = project_keys(far_end), session.tags["datazone:userId"]
        assumed = client(far_end, "sts", keys).assume_role(
            RoleArn=access,
            RoleSessionName=user,
            ExternalId="prjresearch001",
            SourceIdentity=user,
            Tags=[{"Key": name, "Value": value} for name, value in session.tags.items() if name.startswith("Amazon")],
            Policy=session_policy(target),
            DurationSeconds=3600,
        )
        held = far_end.keys.find(assumed["Credentials"]["AccessKeyId"])
        assert held is not None
        client(far_end, "sagemaker", held).list_cluster_nodes(ClusterName="ml-research", IncludeNodeLogicalIds=True)
        client(far_end, "eks", held).describe_cluster(name="ml-research-eks")
        with pytest.raises(ClientError, match="sagemaker:ListClusterEvents"):
            client(far_end, "sagemaker", held).list_cluster_events(ClusterName="ml-research")  # not in the allow list, so not in the policies
        datazone = client(far_end, "datazone", keys, region="us-east-1")
        assert datazone.list_connections(domainIdentifier=scenario.domain.id, projectIdentifier="prjresearch001", type="HYPERPOD", maxResults=50)["items"]
        s3 = client(far_end, "s3", keys, region="us-east-1")
        bucket = {"Bucket": "example-platform-contracts", "ExpectedBucketOwner": "111122223333"}
        assert s3.list_objects_v2(**bucket, Prefix="hyperpod/", MaxKeys=200)["KeyCount"] == 3
        assert s3.get_object(**bucket, Key="hyperpod/research-ml-research.yaml", Range="bytes=0-262143")["VersionId"]


# -- what the first-five-minutes scenarios are about ------------------------------------------------------------------------------------
def test_each_special_scenario_differs_in_what_its_title_says() -> None:
    loaded = {name: load(name, today=TODAY) for name in TITLES}

    def own(name: str) -> list[Connection]:
        domain = loaded[name].domain
        return [c for c in domain.connections if c.project == "prjresearch001"] if domain is not None else []

    assert len(own("default")) == 3 and own("no-connection") == []
    assert loaded["no-contract"].buckets == () and loaded["no-contract"].platform_file is None
    assert loaded["no-kueue"].eks[0].recording == "plain"
    assert loaded["private-endpoint"].eks[0].endpoint == "private-without-route"
    assert loaded["expired-credentials"].faults == ("container-expired",)
    assert loaded["space-no-aws"].session is None and loaded["space-no-aws"].service_account is not None
    assert "DataZoneDomainId" not in json.dumps(dict(loaded["studio-no-list"].metadata or {}))
    assert loaded["many-denials"].eks[0].objects == ()
    # no-rights: agreed, and then one refusal each: the trust policy, the access entry, RBAC
    rights = loaded["no-rights"]
    entries = {entry.role for each in rights.eks for entry in each.entries}
    assert [(bool(rights.role(c.access_role or "").trust), c.access_role in entries) for c in own("no-rights")] == [  # type: ignore[union-attr]
        (False, False), (True, False), (True, True),
    ]  # fmt: skip


def test_studio_may_read_the_cluster_but_not_list() -> None:
    with AwsFarEnd(load("studio-no-list", today=TODAY)) as far_end:
        sagemaker = client(far_end, "sagemaker", project_keys(far_end))
        assert sagemaker.describe_cluster(ClusterName="ml-research")["ClusterStatus"] == "InService"
        with pytest.raises(ClientError, match="because no identity-based policy allows the sagemaker:ListClusters action"):
            sagemaker.list_clusters()


def test_a_space_without_aws_has_no_credentials_to_find() -> None:
    with AwsFarEnd(load("space-no-aws", today=TODAY)) as far_end:
        assert far_end.credentials is None and not any("CREDENTIALS_FULL_URI" in name for name in far_end.environment())


# -- scenarios that do not hold together -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (lambda s: replace(s, roles=s.roles[1:]), "the session names"),
        (lambda s: replace(s, roles=(*s.roles, Role(arn="arn:aws:iam::123456789012:role/x"))), "account 123456789012"),
        (lambda s: replace(s, roles=(*s.roles, Role(arn="role/x"))), "no ARN of its kind"),
        (lambda s: replace(s, roles=(*s.roles, Role(arn="arn:aws:iam::111122223333:role/x", policies=({"Effect": "Maybe"},)))), "without Effect or Action"),
        (lambda s: replace(s, roles=(*s.roles, Role(arn="arn:aws:iam::111122223333:role/x", denials=(Denial(actions=("*",), reason="because"),)))), "because"),
        (lambda s: replace(s, clusters=s.clusters[1:]), "leads to"),
        (lambda s: replace(s, eks=()), "cluster ml-research names"),
        (lambda s: replace(s, eks=(replace(s.eks[0], name="other"), *s.eks[1:])), "the ARN of another"),
        (lambda s: replace(s, eks=(replace(s.eks[0], recording=""), *s.eks[1:])), "has no recording"),
        (lambda s: replace(s, domain=replace(s.domain, projects=s.domain.projects[:1])), "is of project"),
        (lambda s: replace(s, domain=replace(s.domain, people=())), "whom the domain does not have"),
        (lambda s: replace(s, domain=replace(s.domain, connections=s.domain.connections * 2)), "twice"),
        (lambda s: replace(s, buckets=(replace(s.buckets[0], objects=(S3Object(key="x", versions=()),)),)), "has no version"),
        (lambda s: replace(s, files={"../outside": ""}), "outside the project folder"),
        (lambda s: replace(s, metadata=None), "do not go together"),
        (lambda s: replace(s, faults=("thunder",)), "thunder"),
    ],
)
def test_what_does_not_hold_together_is_said(broken: Any, words: str) -> None:
    problems = check(broken(load("default", today=TODAY)))
    assert any(words in problem for problem in problems), problems


def test_secrets_are_not_in_a_repr() -> None:
    scenario = load("space-no-aws", today=TODAY)
    assert scenario.service_account is not None and scenario.service_account.token not in repr(scenario)


def test_names_of_faults_and_scenarios_cost_no_botocore() -> None:
    code = (
        "import sys, hpgov_jlab.sandbox, hpgov_jlab.sandbox.faults, hpgov_jlab.sandbox.scenario, hpgov_jlab.sandbox.scenarios;"
        "print(sorted({name.partition('.')[0] for name in sys.modules} & {'boto3', 'botocore', 'kubernetes', 'yaml', 'cryptography'}))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_an_access_entry_names_a_person() -> None:
    eks: EksCluster = load("default", today=TODAY).eks[0]
    assert eks.entries[0].username_for("bob") == "arn:aws:sts::444455556666:assumed-role/hp-access-research/bob"
    assert replace(eks.entries[0], username="team:{{SessionName}}").username_for("bob") == "team:bob"
