"""The AWS far end, driven by botocore itself: every service, permissions, trust, paging, log.

Longer than 400 lines: one table of cases, and whoever adds one has to see the others.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any
from urllib.parse import urlsplit

import pytest
from botocore.exceptions import ClientError, HTTPClientError

from hpgov_jlab.sandbox.aws import decode, models
from hpgov_jlab.sandbox.aws.denials import REASONS
from hpgov_jlab.sandbox.aws.far_end import AwsFarEnd, unlisted
from hpgov_jlab.sandbox.aws.services import OPERATIONS
from hpgov_jlab.sandbox.loading import load
from hpgov_jlab.sandbox.scenario import Denial, Role, Version, WebIdentity
from tests.clock import HANGS

from .clients import CLUSTER_REGION, DOMAIN_REGION, client, project_keys, role

TODAY = date(2026, 11, 30)
RESEARCH = {"domainIdentifier": "dzd-exampledomain1", "projectIdentifier": "prjresearch001"}
BUCKET = {"Bucket": "example-platform-contracts", "ExpectedBucketOwner": "111122223333"}
KEY = "hyperpod/research-ml-research.yaml"


@pytest.fixture
def far_end() -> Iterator[AwsFarEnd]:
    with AwsFarEnd(load("default", today=TODAY)) as running:
        yield running
        assert running.broken == []


def denied(call: Any, **params: Any) -> tuple[str, str]:
    """Code and message of the refusal."""
    with pytest.raises(ClientError) as caught:
        call(**params)
    error = caught.value.response["Error"]
    return error["Code"], error["Message"]


def access(far_end: AwsFarEnd, name: str = "hp-access-research") -> Any:
    return far_end.issue(role(far_end.scenario, name))


def assume(far_end: AwsFarEnd, **more: Any) -> dict[str, Any]:
    asked = {
        "RoleArn": role(far_end.scenario, "hp-access-research"),
        "RoleSessionName": "0a1b2c3d-1111-4222-8333-444455556666",
        "ExternalId": "prjresearch001",
        "SourceIdentity": "0a1b2c3d-1111-4222-8333-444455556666",
        "Tags": [{"Key": "AmazonDataZoneProject", "Value": "prjresearch001"}, {"Key": "AmazonDataZoneDomain", "Value": "dzd-exampledomain1"}],
        **more,
    }
    found: dict[str, Any] = client(far_end, "sts", project_keys(far_end)).assume_role(**{name: value for name, value in asked.items() if value is not None})
    return found


# -- DataZone ------------------------------------------------------------------------------------------------------------------
def test_connections_of_the_own_project_only(far_end: AwsFarEnd) -> None:
    datazone = client(far_end, "datazone", project_keys(far_end), region=DOMAIN_REGION)
    items = datazone.list_connections(**RESEARCH, type="HYPERPOD", maxResults=50)["items"]
    assert [(c["name"], c["props"]["hyperPodProperties"]["orchestrator"]) for c in items] == [
        ("evaluation", "EKS"),
        ("research-training", "EKS"),
        ("slurm-pretraining", "SLURM"),
    ]
    location = items[1]["physicalEndpoints"][0]["awsLocation"]
    assert location == {"awsRegion": "us-west-2", "awsAccountId": "444455556666", "accessRole": role(far_end.scenario, "hp-access-research")}
    code, message = denied(datazone.list_connections, **{**RESEARCH, "projectIdentifier": "prjproduct001"})
    assert (code, message) == ("AccessDeniedException", "User is not permitted to perform operation: ListConnections")
    assert (
        denied(datazone.get_connection, domainIdentifier=RESEARCH["domainIdentifier"], identifier="connproduct001")[1]
        == "User is not permitted to perform operation: GetConnection"
    )


def test_get_connection_gives_keys_to_whoever_asks(far_end: AwsFarEnd) -> None:
    datazone = client(far_end, "datazone", project_keys(far_end), region=DOMAIN_REGION)
    asked = {"domainIdentifier": RESEARCH["domainIdentifier"], "identifier": "connresearch01"}
    plain = datazone.get_connection(**asked, withSecret=False)
    assert plain["description"].startswith("Shared training cluster") and "connectionCredentials" not in plain
    assert datazone.get_connection(**asked, withSecret=True)["connectionCredentials"]["secretAccessKey"] in far_end.secrets()
    assert [entry.params["withSecret"] for entry in far_end.log] == [False, True]


def test_project_and_people(far_end: AwsFarEnd) -> None:
    datazone = client(far_end, "datazone", project_keys(far_end), region=DOMAIN_REGION)
    assert datazone.get_project(domainIdentifier=RESEARCH["domainIdentifier"], identifier="prjresearch001")["name"] == "Research"
    profile = datazone.get_user_profile(domainIdentifier=RESEARCH["domainIdentifier"], userIdentifier="0a1b2c3d-1111-4222-8333-444455556666")
    assert profile["details"]["sso"]["username"] == "bob@example.com"
    code, message = denied(datazone.list_project_memberships, **RESEARCH)
    assert code == "AccessDeniedException" and message.endswith("with an explicit deny in an identity-based policy") is False
    assert "because no identity-based policy allows the datazone:ListProjectMemberships action" in message


def test_memberships_where_the_role_may_list_them() -> None:
    scenario = load("default", today=TODAY)
    project = scenario.role(scenario.session.role if scenario.session else "")
    assert project is not None
    wider = replace(project, policies=(*project.policies, {"Effect": "Allow", "Action": "datazone:List*", "Resource": "*"}))
    with AwsFarEnd(replace(scenario, roles=(wider, *scenario.roles[1:]))) as far_end:
        datazone = client(far_end, "datazone", project_keys(far_end), region=DOMAIN_REGION)
        pages = datazone.get_paginator("list_project_memberships").paginate(**RESEARCH, PaginationConfig={"PageSize": 1})
        assert [m["designation"] for page in pages for m in page["members"]] == ["PROJECT_CONTRIBUTOR", "PROJECT_OWNER"]
        assert far_end.calls() == ["datazone:ListProjectMemberships"] * 2


# -- SageMaker and EKS -----------------------------------------------------------------------------------------------------------
def test_a_cluster_by_name_and_by_arn(far_end: AwsFarEnd) -> None:
    sagemaker = client(far_end, "sagemaker", access(far_end))
    by_name = sagemaker.describe_cluster(ClusterName="ml-research")
    assert by_name["ClusterArn"].endswith(":cluster/abcresearch1") and by_name["Orchestrator"]["Eks"]["ClusterArn"].endswith(":cluster/ml-research-eks")
    assert sagemaker.describe_cluster(ClusterName=by_name["ClusterArn"])["InstanceGroups"] == by_name["InstanceGroups"]
    slurm = client(far_end, "sagemaker", access(far_end, "hp-access-slurm")).describe_cluster(ClusterName="ml-slurm")
    assert slurm["Orchestrator"] == {"Slurm": {"SlurmConfigStrategy": "Managed"}}


def test_a_role_reads_its_own_cluster_only(far_end: AwsFarEnd) -> None:
    sagemaker = client(far_end, "sagemaker", access(far_end))
    code, message = denied(sagemaker.describe_cluster, ClusterName="ml-evaluation")
    assert code == "AccessDeniedException"
    assert message == (
        "User: arn:aws:sts::444455556666:assumed-role/hp-access-research/test is not authorized to perform: sagemaker:DescribeCluster on resource: "
        "arn:aws:sagemaker:us-west-2:444455556666:cluster/abcevaluate1 because no identity-based policy allows the sagemaker:DescribeCluster action"
    )
    assert denied(sagemaker.list_clusters)[0] == "AccessDeniedException"
    assert denied(client(far_end, "sagemaker", project_keys(far_end)).describe_cluster, ClusterName="ml-research")[1].endswith(
        "with an explicit deny in a permissions boundary"
    )


def test_a_cluster_that_is_not_there() -> None:
    scenario = load("default", today=TODAY)
    wide = replace(scenario.roles[2], policies=({"Effect": "Allow", "Action": "*", "Resource": "*"},))
    with AwsFarEnd(replace(scenario, roles=(*scenario.roles[:2], wide, *scenario.roles[3:]))) as far_end:
        keys = far_end.issue(wide.arn)
        assert denied(client(far_end, "sagemaker", keys).describe_cluster, ClusterName="nobody")[0] == "ResourceNotFound"
        # what is in another Region does not exist here
        assert denied(client(far_end, "sagemaker", keys, region="eu-west-1").describe_cluster, ClusterName="ml-research")[0] == "ResourceNotFound"
        assert client(far_end, "sagemaker", keys, region="eu-west-1").list_clusters()["ClusterSummaries"] == []
        listed = client(far_end, "sagemaker", keys).get_paginator("list_clusters").paginate(PaginationConfig={"PageSize": 1})
        assert [c["ClusterName"] for page in listed for c in page["ClusterSummaries"]] == ["ml-research", "ml-evaluation", "ml-slurm"]
        assert denied(client(far_end, "eks", keys).describe_cluster, name="nobody")[0] == "ResourceNotFoundException"


def test_nodes_come_in_pages_and_pending_ones_on_demand(far_end: AwsFarEnd) -> None:
    sagemaker = client(far_end, "sagemaker", access(far_end))
    assert len(sagemaker.list_cluster_nodes(ClusterName="ml-research")["ClusterNodeSummaries"]) == 4
    pages = sagemaker.get_paginator("list_cluster_nodes").paginate(ClusterName="ml-research", IncludeNodeLogicalIds=True, PaginationConfig={"PageSize": 2})
    nodes = [node for page in pages for node in page["ClusterNodeSummaries"]]
    assert [n["InstanceStatus"]["Status"] for n in nodes] == ["Running"] * 4 + ["Pending"]
    assert nodes[-1]["InstanceId"] == "" and nodes[-1]["NodeLogicalId"] == "accelerated-4"
    assert far_end.calls("ListClusterNodes") == ["sagemaker:ListClusterNodes"] * 4
    assert denied(sagemaker.list_cluster_nodes, ClusterName="ml-research", NextToken="not-ours")[0] == "ValidationException"


def test_events_only_where_nodes_are_provisioned_continuously(far_end: AwsFarEnd) -> None:
    sagemaker = client(far_end, "sagemaker", access(far_end))
    assert [e["EventLevel"] for e in sagemaker.list_cluster_events(ClusterName="ml-research")["Events"]] == ["Warn", "Info"]
    scenario = replace(far_end.scenario, clusters=(replace(far_end.scenario.clusters[0], continuous=False),))
    scenario = replace(scenario, domain=None)
    with AwsFarEnd(scenario) as other:
        assert denied(client(other, "sagemaker", access(other)).list_cluster_events, ClusterName="ml-research")[0] == "ValidationException"


def test_what_breaks_the_model_is_refused(far_end: AwsFarEnd) -> None:
    sagemaker, eks = client(far_end, "sagemaker", access(far_end)), client(far_end, "eks", access(far_end))
    assert "less than or equal to 100" in denied(sagemaker.list_cluster_nodes, ClusterName="ml-research", MaxResults=101)[1]
    assert "enum value set" in denied(sagemaker.list_cluster_nodes, ClusterName="ml-research", SortBy="BAD")[1]
    code, message = denied(sagemaker.describe_cluster, ClusterName="no such name!")
    assert code == "ValidationException" and "regular expression" in message
    assert denied(eks.describe_cluster, name="ml-evaluation-eks")[0] == "AccessDeniedException"


def test_eks_says_where_the_api_server_is(far_end: AwsFarEnd) -> None:
    eks = client(far_end, "eks", access(far_end))
    assert "endpoint" not in eks.describe_cluster(name="ml-research-eks")["cluster"]
    far_end.publish("ml-research-eks", "https://127.0.0.1:6443", "-----BEGIN CERTIFICATE-----\n")
    cluster = eks.describe_cluster(name="ml-research-eks")["cluster"]
    assert cluster["endpoint"] == "https://127.0.0.1:6443" and cluster["resourcesVpcConfig"]["endpointPublicAccess"] is True


# -- STS -------------------------------------------------------------------------------------------------------------------------
def test_who_am_i(far_end: AwsFarEnd) -> None:
    assert (
        client(far_end, "sts", project_keys(far_end))
        .get_caller_identity()["Arn"]
        .endswith(":assumed-role/datazone_usr_role_prjresearch001_envresearch001/SageMaker")
    )


def test_a_session_of_the_access_role(far_end: AwsFarEnd) -> None:
    answer = assume(far_end)
    keys = far_end.keys.find(answer["Credentials"]["AccessKeyId"])
    assert keys is not None and keys.principal.source_identity == answer["SourceIdentity"]
    assert answer["AssumedRoleUser"]["Arn"].endswith("assumed-role/hp-access-research/0a1b2c3d-1111-4222-8333-444455556666")
    assert client(far_end, "sagemaker", keys).describe_cluster(ClusterName="ml-research")["ClusterStatus"] == "InService"


@pytest.mark.parametrize(
    ("changed", "action"),
    [
        ({"ExternalId": "prjproduct001"}, "sts:AssumeRole"),
        ({"ExternalId": None}, "sts:AssumeRole"),
        ({"Tags": [{"Key": "AmazonDataZoneProject", "Value": "prjproduct001"}]}, "sts:TagSession"),
    ],
)
def test_the_trust_policy_decides(far_end: AwsFarEnd, changed: dict[str, Any], action: str) -> None:
    code, message = denied(lambda: assume(far_end, **changed))
    assert code == "AccessDenied"
    assert f"is not authorized to perform: {action} on resource: {role(far_end.scenario, 'hp-access-research')}" in message
    assert message.endswith(f"because no role trust policy allows the {action} action")


def test_the_callers_own_policy_decides_first(far_end: AwsFarEnd) -> None:
    assert denied(lambda: assume(far_end, SourceIdentity="someone-else"))[1].endswith(
        "because no identity-based policy allows the sts:SetSourceIdentity action"
    )


@pytest.mark.parametrize(
    ("fault", "action"), [("trust-external-id", "sts:AssumeRole"), ("trust-source-identity", "sts:SetSourceIdentity"), ("trust-tag-session", "sts:TagSession")]
)
def test_each_statement_of_the_trust_policy_can_be_missing(far_end: AwsFarEnd, fault: str, action: str) -> None:
    far_end.faults.set(fault)
    assert denied(lambda: assume(far_end))[1].endswith(f"because no role trust policy allows the {action} action")
    far_end.faults.clear(fault)
    assert assume(far_end)["Credentials"]


def test_a_role_that_does_not_exist_and_one_that_trusts_others(far_end: AwsFarEnd) -> None:
    assert denied(lambda: assume(far_end, RoleArn="arn:aws:iam::444455556666:role/nobody"))[0] == "AccessDenied"
    assert "no role trust policy" in denied(lambda: assume(far_end, RoleArn=role(far_end.scenario, "hp-access-production")))[1]


def test_the_session_policy_is_honoured(far_end: AwsFarEnd) -> None:
    policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["sagemaker:DescribeCluster"], "Resource": "*"}]}
    answer = assume(far_end, Policy=json.dumps(policy))
    sagemaker = client(far_end, "sagemaker", far_end.keys.find(answer["Credentials"]["AccessKeyId"]))
    assert sagemaker.describe_cluster(ClusterName="ml-research")["ClusterName"] == "ml-research"
    assert denied(sagemaker.list_cluster_nodes, ClusterName="ml-research")[1].endswith("because no session policy allows the sagemaker:ListClusterNodes action")
    assert denied(lambda: assume(far_end, Policy="{"))[0] == "MalformedPolicyDocument"
    assert denied(lambda: assume(far_end, Policy=json.dumps({**policy, "Id": "x" * 2048})))[0] == "PackedPolicyTooLarge"


PROVIDER = "arn:aws:iam::444455556666:oidc-provider/oidc.eks.us-west-2.amazonaws.com/id/EXAMPLE"


@pytest.fixture
def space() -> Iterator[AwsFarEnd]:
    """A Space whose service account has an IAM role by its token (IRSA)."""
    subject = "system:serviceaccount:hyperpod-ns-research:default"
    trust = {
        "Effect": "Allow",
        "Principal": {"Federated": PROVIDER},
        "Action": "sts:AssumeRoleWithWebIdentity",
        "Condition": {"StringEquals": {f"{PROVIDER.partition('oidc-provider/')[2]}:sub": subject}},
    }
    pod_role = Role(arn="arn:aws:iam::444455556666:role/hp-space", trust=(trust,))
    told = load("space-no-aws", today=TODAY)
    identity = WebIdentity(token="a-token-of-a-service-account", provider=PROVIDER, subject=subject, role=pod_role.arn)
    with AwsFarEnd(replace(told, roles=(pod_role,), web_identity=identity)) as running:
        yield running
        assert running.broken == []


def test_a_session_by_web_identity(space: AwsFarEnd) -> None:
    asked = {"RoleArn": "arn:aws:iam::444455556666:role/hp-space", "RoleSessionName": "space", "WebIdentityToken": "a-token-of-a-service-account"}
    unsigned = client(space, "sts", None, unsigned=True)
    answer = unsigned.assume_role_with_web_identity(**asked)
    assert answer["SubjectFromWebIdentityToken"] == "system:serviceaccount:hyperpod-ns-research:default"
    keys = space.keys.find(answer["Credentials"]["AccessKeyId"])
    assert keys is not None and client(space, "sts", keys).get_caller_identity()["Arn"].endswith(":assumed-role/hp-space/space")
    assert denied(unsigned.assume_role_with_web_identity, **{**asked, "WebIdentityToken": "guessed"})[0] == "InvalidIdentityToken"
    assert denied(unsigned.assume_role_with_web_identity, **{**asked, "RoleArn": "arn:aws:iam::444455556666:role/other"})[0] == "AccessDenied"
    assert "a-token-of-a-service-account" in space.secrets()
    assert not any(secret in repr(space.log) for secret in space.secrets())
    assert denied(client(space, "sts", None, unsigned=True).get_caller_identity)[0] == "MissingAuthenticationToken"


def test_a_web_identity_that_is_over_or_not_trusted(space: AwsFarEnd) -> None:
    asked = {"RoleArn": "arn:aws:iam::444455556666:role/hp-space", "RoleSessionName": "space", "WebIdentityToken": "a-token-of-a-service-account"}
    identity = space.scenario.web_identity
    assert identity is not None
    for changed, expected in (
        (replace(identity, expired=True), "ExpiredTokenException"),
        (replace(identity, subject="system:serviceaccount:other:default"), "AccessDenied"),
    ):
        with AwsFarEnd(replace(space.scenario, web_identity=changed)) as other:
            assert denied(client(other, "sts", None, unsigned=True).assume_role_with_web_identity, **asked)[0] == expected


def test_chained_sessions_live_an_hour_at_most(far_end: AwsFarEnd) -> None:
    assert "role chaining" in denied(lambda: assume(far_end, DurationSeconds=7200))[1]


def test_a_statement_that_is_not_understood_fails_loudly() -> None:
    scenario = load("default", today=TODAY)
    strange = replace(
        scenario.roles[2],
        policies=({"Effect": "Allow", "Action": "*", "Resource": "*", "Condition": {"DateLessThan": {"aws:CurrentTime": "2030-01-01T00:00:00Z"}}},),
    )
    with AwsFarEnd(replace(scenario, roles=(*scenario.roles[:2], strange, *scenario.roles[3:]))) as far_end:
        assert denied(client(far_end, "sagemaker", far_end.issue(strange.arn)).describe_cluster, ClusterName="ml-research")[0] == "SandboxModelError"
        assert any("DateLessThan" in line for line in far_end.broken)


def test_an_error_of_our_own_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    scenario = load("default", today=TODAY)
    nonsense = replace(scenario.roles[2], policies=({"Effect": "Maybe", "Action": "*", "Resource": "*"},))  # scenario_check would not let it through
    with AwsFarEnd(replace(scenario, roles=(*scenario.roles[:2], nonsense, *scenario.roles[3:]))) as far_end:
        with pytest.raises(HTTPClientError):
            client(far_end, "sagemaker", far_end.issue(nonsense.arn)).describe_cluster(ClusterName="ml-research")
        assert len(far_end.broken) == 1 and "Maybe" in far_end.broken[0]
    assert "Maybe" in capsys.readouterr().err


# -- S3 ----------------------------------------------------------------------------------------------------------------------------
def test_an_object_and_its_versions(far_end: AwsFarEnd) -> None:
    s3 = client(far_end, "s3", project_keys(far_end), region=DOMAIN_REGION)
    found = s3.get_object(**BUCKET, Key=KEY)
    text = found["Body"].read().decode()
    assert text.splitlines()[1] == "apiVersion: hpgov/v1" and 'until: "2027-08-02"' in text
    assert found["VersionId"] == "examplev2researchmlresearch"
    assert s3.get_object(**BUCKET, Key=KEY, VersionId="examplev1researchmlresearch")["LastModified"] < found["LastModified"]
    part = s3.get_object(**BUCKET, Key=KEY, Range="bytes=0-9")
    assert part["Body"].read().decode() == text[:10] and part["ContentRange"] == f"bytes 0-9/{len(text.encode())}"
    assert part["ResponseMetadata"]["HTTPStatusCode"] == 206
    assert s3.get_object(**BUCKET, Key=KEY, Range="bytes=0-262143")["Body"].read().decode() == text
    with pytest.raises(ClientError) as unchanged:
        s3.get_object(**BUCKET, Key=KEY, IfNoneMatch=found["ETag"])
    assert unchanged.value.response["ResponseMetadata"]["HTTPStatusCode"] == 304
    assert denied(s3.get_object, **BUCKET, Key=KEY, VersionId="none")[0] == "NoSuchVersion"
    assert denied(s3.get_object, **BUCKET, Key=KEY, Range="bytes=999999-")[0] == "InvalidRange"
    assert denied(s3.get_object, **{**BUCKET, "ExpectedBucketOwner": "444455556666"}, Key=KEY) == ("AccessDenied", "Access Denied")


def test_objects_by_prefix(far_end: AwsFarEnd) -> None:
    s3 = client(far_end, "s3", project_keys(far_end), region=DOMAIN_REGION)
    pages = s3.get_paginator("list_objects_v2").paginate(**BUCKET, Prefix="hyperpod/", PaginationConfig={"PageSize": 2})
    keys = [item["Key"] for page in pages for item in page["Contents"]]
    assert keys == ["hyperpod/production-ml-research.yaml", "hyperpod/research-ml-evaluation.yaml", KEY]
    assert far_end.calls("ListObjectsV2") == ["s3:ListObjectsV2"] * 2
    assert s3.list_objects_v2(**BUCKET, Prefix="hyperpod/", MaxKeys=200)["KeyCount"] == 3
    assert s3.list_objects_v2(**BUCKET, Prefix="hyperpod/none/")["KeyCount"] == 0
    assert "s3:ListBucket" in denied(s3.list_objects_v2, **BUCKET, Prefix="elsewhere/")[1]
    code, message = denied(s3.get_object, **BUCKET, Key="hyperpod/none.yaml")
    assert (code, message) == ("AccessDenied", "Access Denied")  # listing is allowed under the prefix only, so S3 does not say that it is missing


def test_missing_keys_and_delete_markers_for_who_may_list() -> None:
    scenario = load("default", today=TODAY)
    project = replace(scenario.roles[0], policies=({"Effect": "Allow", "Action": "s3:*", "Resource": "*"},), boundary=None)
    bucket = scenario.buckets[0]
    marked = replace(bucket.objects[0], versions=(Version(id="exampledeleted", text=None), *bucket.objects[0].versions))
    with AwsFarEnd(replace(scenario, roles=(project, *scenario.roles[1:]), buckets=(replace(bucket, objects=(marked, *bucket.objects[1:])),))) as far_end:
        s3 = client(far_end, "s3", far_end.issue(project.arn), region=DOMAIN_REGION)
        assert denied(s3.get_object, **BUCKET, Key="hyperpod/none.yaml")[0] == "NoSuchKey"
        assert denied(s3.get_object, **BUCKET, Key=marked.key)[0] == "NoSuchKey"
        assert s3.head_bucket(**BUCKET)["BucketRegion"] == DOMAIN_REGION
        assert s3.list_objects_v2(**BUCKET, Delimiter="/")["CommonPrefixes"] == [{"Prefix": "hyperpod/"}]
        assert denied(s3.list_objects_v2, Bucket="nobodys-bucket")[0] == "NoSuchBucket"
        # a wrong Region is mended by botocore itself, from the header that S3 sends
        assert client(far_end, "s3", far_end.issue(project.arn), region=CLUSTER_REGION).list_objects_v2(**BUCKET)["KeyCount"] == 2


# -- the log, and what is not in the scenario ----------------------------------------------------------------------------------------
def test_every_other_operation_is_refused_and_logged(far_end: AwsFarEnd) -> None:
    keys = access(far_end)
    for service, call, params in (
        ("sagemaker", "delete_cluster", {"ClusterName": "ml-research"}),
        ("sagemaker", "list_compute_quotas", {}),
        ("eks", "delete_cluster", {"name": "ml-research-eks"}),
        ("datazone", "delete_connection", {"domainIdentifier": "dzd-exampledomain1", "identifier": "connresearch01"}),
        ("sts", "get_session_token", {}),
        ("s3", "put_object", {"Bucket": "example-platform-contracts", "Key": "hyperpod/x", "Body": b"x"}),
        ("s3", "delete_object", {"Bucket": "example-platform-contracts", "Key": "hyperpod/x"}),
    ):
        code, _ = denied(getattr(client(far_end, service, keys), call), **params)
        assert code in ("AccessDenied", "AccessDeniedException")
    calls = far_end.calls()
    asked = "sagemaker:DeleteCluster sagemaker:ListComputeQuotas eks:DeleteCluster datazone:DeleteConnection sts:GetSessionToken s3:PutObject s3:DeleteObject"
    assert calls == asked.split()
    assert unlisted(far_end.log, far_end.operations) == calls


def test_the_log_says_who_asked_what_and_no_secret(far_end: AwsFarEnd) -> None:
    assume(far_end, Policy='{"Version":"2012-10-17","Statement":[]}')
    s3 = client(far_end, "s3", project_keys(far_end), region=DOMAIN_REGION)
    s3.get_object(**BUCKET, Key=KEY)
    first, second = far_end.log
    assert (first.service, first.operation, first.method, first.path, first.status) == ("sts", "AssumeRole", "POST", "/", 200)
    assert first.caller is not None and first.caller.endswith("envresearch001/SageMaker") and first.params["Policy"].startswith('{"Version"')
    assert (second.path, second.params["Key"], second.params["ExpectedBucketOwner"], second.region) == (
        f"/example-platform-contracts/{KEY}",
        KEY,
        "111122223333",
        DOMAIN_REGION,
    )
    assert "Botocore" in second.user_agent
    assert far_end.secrets() and not any(secret in repr(far_end.log) for secret in far_end.secrets())


def test_requests_without_keys_with_foreign_keys_and_with_a_wrong_signature(far_end: AwsFarEnd) -> None:
    keys = access(far_end)
    assert denied(client(far_end, "sagemaker", replace(keys, key_id="ASIASOMEONEELSE00000")).list_clusters)[0] == "UnrecognizedClientException"
    assert denied(client(far_end, "sts", replace(keys, key_id="ASIASOMEONEELSE00000")).get_caller_identity)[0] == "InvalidClientTokenId"
    assert denied(client(far_end, "s3", replace(keys, token="not-the-token")).head_bucket, Bucket="x")[0] == "403"  # an answer to HEAD has no body
    for service, call, code in (("sagemaker", "list_clusters", "InvalidSignatureException"), ("sts", "get_caller_identity", "SignatureDoesNotMatch")):
        assert denied(getattr(client(far_end, service, replace(keys, secret="guessed")), call))[0] == code
    assert [entry.status for entry in far_end.log][:2] == [400, 403]
    assert denied(client(far_end, "sagemaker", None, unsigned=True).list_clusters)[0] == "MissingAuthenticationTokenException"


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_of_a_denial_can_be_said(far_end: AwsFarEnd, reason: str) -> None:
    asked = far_end.scenario.role(role(far_end.scenario, "hp-access-research"))
    assert asked is not None
    refused = replace(asked, denials=(Denial(actions=("sagemaker:Describe*",), reason=reason),))
    roles = tuple(refused if each.arn == asked.arn else each for each in far_end.scenario.roles)
    with AwsFarEnd(replace(far_end.scenario, roles=roles)) as other:
        _, message = denied(client(other, "sagemaker", access(other)).describe_cluster, ClusterName="ml-research")
        assert (
            message.endswith(REASONS[reason].replace("{action}", "sagemaker:DescribeCluster"))
            and "is not authorized to perform: sagemaker:DescribeCluster" in message
        )


def test_an_answer_that_breaks_the_model_fails_loudly(far_end: AwsFarEnd) -> None:
    scenario = replace(far_end.scenario, clusters=(replace(far_end.scenario.clusters[0], status="Happy"), *far_end.scenario.clusters[1:]))
    with AwsFarEnd(scenario) as other:
        code, message = denied(client(other, "sagemaker", access(other)).describe_cluster, ClusterName="ml-research")
        assert code == "SandboxModelError" and "enum value set" in message
        assert other.broken == [message]


def test_every_operation_of_the_register_is_in_the_models() -> None:
    assert len(OPERATIONS) == 16
    for service, name in OPERATIONS:
        assert name in models.service(service).operation_names


def test_the_log_never_holds_a_request_that_is_still_being_read(far_end: AwsFarEnd) -> None:
    """Whoever looks at the log while a request arrives would take it for one that cannot be understood."""
    datazone, seen, over = client(far_end, "datazone", project_keys(far_end), region=DOMAIN_REGION), set(), threading.Event()

    def look() -> None:
        while not over.is_set():
            seen.update(entry.operation for entry in far_end.log)
            over.wait(0.001)

    looking = threading.Thread(target=look)
    looking.start()
    try:
        decode._routes.cache_clear()  # the first request to a service takes longest to read
        datazone.get_project(domainIdentifier=RESEARCH["domainIdentifier"], identifier=RESEARCH["projectIdentifier"])
    finally:
        over.set()
        looking.join()
    seen.update(entry.operation for entry in far_end.log)  # that thread may have had no turn since
    assert seen == {"GetProject"}


def test_a_request_that_breaks_off_was_never_asked(far_end: AwsFarEnd) -> None:
    """A server that stops closes its connections, also while it sends: what came of the request says nothing of what it was."""
    host = urlsplit(far_end.url)
    with socket.create_connection((str(host.hostname), int(host.port or 0)), HANGS) as plain:
        plain.sendall(b"POST / HTTP/1.1\r\nHost: sts.us-east-1.amazonaws.com\r\nContent-Length: 43\r\n\r\nAction=GetCa")
        plain.shutdown(socket.SHUT_WR)
        assert plain.recv(65536) == b""
    assert list(far_end.log) == [] and far_end.broken == []
