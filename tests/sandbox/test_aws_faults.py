"""Faults of the AWS far end, as botocore meets them; and the switchboard itself."""

from __future__ import annotations

import json
import socket
import threading
import time
import urllib.request
from collections.abc import Iterator
from datetime import date
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.error import HTTPError

import botocore.exceptions
import pytest
from botocore.exceptions import ClientError

from hpgov_jlab.sandbox.aws.denials import REASONS
from hpgov_jlab.sandbox.aws.far_end import AwsFarEnd
from hpgov_jlab.sandbox.faults import AWS_FAULTS, FAULTS, Faults, UnknownFault
from hpgov_jlab.sandbox.loading import load

from ..clock import HANGS, wait_until
from .clients import DOMAIN_REGION, client, project_keys, role

BUCKET = {"Bucket": "example-platform-contracts", "ExpectedBucketOwner": "111122223333"}
CONNECTIONS = {"domainIdentifier": "dzd-exampledomain1", "projectIdentifier": "prjresearch001", "type": "HYPERPOD"}


@pytest.fixture
def far_end() -> Iterator[AwsFarEnd]:
    with AwsFarEnd(load("default", today=date(2026, 11, 30))) as running:
        yield running
        assert running.broken == []


def sagemaker(far_end: AwsFarEnd, **more: Any) -> Any:
    return client(far_end, "sagemaker", far_end.issue(role(far_end.scenario, "hp-access-research")), **more)


def code(call: Any, **params: Any) -> str:
    with pytest.raises(ClientError) as caught:
        call(**params)
    return str(caught.value.response["Error"]["Code"])


# -- the switchboard -----------------------------------------------------------------------------------------------------------
def test_a_fault_counts_expires_and_is_cleared() -> None:
    faults = Faults(["throttle=2@sagemaker:*", "clock-skew=-600"])
    assert [faults.take("throttle", "sagemaker:ListClusters") for _ in range(3)] == [2.0, 2.0, None]
    assert faults.take("throttle", "eks:DescribeCluster") is None
    assert faults.value("clock-skew") == -600.0 == faults.value("clock-skew", "anything")
    faults.clear("clock-skew")
    assert faults.value("clock-skew") is None
    faults.set("slow", on="eks:*", times=1)
    assert (faults.value("slow", "eks:DescribeCluster"), faults.take("slow", "eks:DescribeCluster"), faults.take("slow", "eks:DescribeCluster")) == (
        10.0,
        10.0,
        None,
    )
    faults.clear()
    assert faults.active() == ()


@pytest.mark.parametrize("text", ["thrott1e", "slow=soon", "slow=1=2", "", "slow@"])
def test_what_is_no_fault_is_refused(text: str) -> None:
    with pytest.raises(UnknownFault):
        Faults([text])


def test_every_reason_has_a_fault_and_every_fault_a_line() -> None:
    assert {f"deny-{reason}" for reason in REASONS} <= set(AWS_FAULTS) <= set(FAULTS)
    assert all(text and "\n" not in text for text in FAULTS.values())


# -- what AWS says ---------------------------------------------------------------------------------------------------------------
def test_throttled_and_then_answered(far_end: AwsFarEnd) -> None:
    far_end.faults.set("throttle", times=2)
    answer = sagemaker(far_end, attempts=3).describe_cluster(ClusterName="ml-research")
    assert answer["ResponseMetadata"]["RetryAttempts"] == 2 and [entry.code for entry in far_end.log] == ["ThrottlingException", "ThrottlingException", None]
    far_end.faults.set("throttle", times=9)
    keys = project_keys(far_end)
    assert code(client(far_end, "sts", keys).get_caller_identity) == "Throttling"
    assert code(client(far_end, "s3", keys, region=DOMAIN_REGION).list_objects_v2, **BUCKET, Prefix="hyperpod/") == "SlowDown"
    assert code(client(far_end, "datazone", keys, region=DOMAIN_REGION).list_connections, **CONNECTIONS) == "ThrottlingException"


@pytest.mark.parametrize("reason", REASONS)
def test_each_denial_by_switch(far_end: AwsFarEnd, reason: str) -> None:
    far_end.faults.set(f"deny-{reason}", on="sagemaker:ListClusterNodes")
    with pytest.raises(ClientError) as caught:
        sagemaker(far_end).list_cluster_nodes(ClusterName="ml-research")
    message = caught.value.response["Error"]["Message"]
    assert message.startswith(
        "User: arn:aws:sts::444455556666:assumed-role/hp-access-research/test is not authorized to perform: sagemaker:ListClusterNodes on resource: "
    )
    assert message.endswith(REASONS[reason].replace("{action}", "sagemaker:ListClusterNodes"))
    assert sagemaker(far_end).describe_cluster(ClusterName="ml-research")["ClusterStatus"] == "InService"  # the pattern names one operation


def test_denials_of_the_other_services(far_end: AwsFarEnd) -> None:
    far_end.faults.set("deny-explicit-service-control-policy")
    keys = project_keys(far_end)
    assert code(client(far_end, "sts", keys).assume_role, RoleArn=role(far_end.scenario, "hp-access-research"), RoleSessionName="x2") == "AccessDenied"
    assert client(far_end, "sts", keys).get_caller_identity()["Account"] == "111122223333"  # asks for no permission
    assert code(client(far_end, "datazone", keys, region=DOMAIN_REGION).list_connections, **CONNECTIONS) == "AccessDeniedException"
    assert code(client(far_end, "s3", keys, region=DOMAIN_REGION).list_objects_v2, **BUCKET, Prefix="hyperpod/") == "AccessDenied"


def test_membership(far_end: AwsFarEnd) -> None:
    far_end.faults.set("membership-denied")
    with pytest.raises(ClientError, match="User is not permitted to perform operation: ListConnections"):
        client(far_end, "datazone", project_keys(far_end), region=DOMAIN_REGION).list_connections(**CONNECTIONS)


def test_expired_and_unknown_keys_in_every_protocol(far_end: AwsFarEnd) -> None:
    for fault, codes in {
        "expired-keys": ("ExpiredTokenException", "ExpiredTokenException", "ExpiredToken", "ExpiredToken"),
        "unknown-keys": ("UnrecognizedClientException", "UnrecognizedClientException", "InvalidClientTokenId", "InvalidAccessKeyId"),
    }.items():
        far_end.faults.clear()
        far_end.faults.set(fault)
        keys = project_keys(far_end)
        assert (
            code(sagemaker(far_end).describe_cluster, ClusterName="ml-research"),
            code(client(far_end, "datazone", keys, region=DOMAIN_REGION).list_connections, **CONNECTIONS),
            code(client(far_end, "sts", keys).get_caller_identity),
            code(client(far_end, "s3", keys, region=DOMAIN_REGION).list_objects_v2, **BUCKET, Prefix="hyperpod/"),
        ) == codes


def test_keys_end_by_themselves(far_end: AwsFarEnd) -> None:
    keys = far_end.issue(role(far_end.scenario, "hp-access-research"), seconds=100)
    reader = client(far_end, "sagemaker", keys)
    assert reader.describe_cluster(ClusterName="ml-research")["ClusterName"] == "ml-research"
    far_end.faults.set("clock-skew", value=101)
    assert code(reader.describe_cluster, ClusterName="ml-research") == "ExpiredTokenException"


@pytest.mark.parametrize(("seconds", "words"), [(600, "Signature expired: "), (-600, "Signature not yet current: ")])
def test_a_clock_that_is_off(far_end: AwsFarEnd, seconds: float, words: str) -> None:
    far_end.faults.set("clock-skew", value=seconds)
    keys, begun = project_keys(far_end), time.time()
    with pytest.raises(ClientError, match=words) as caught:
        sagemaker(far_end).describe_cluster(ClusterName="ml-research")
    answer = caught.value.response
    assert answer["Error"]["Code"] == "InvalidSignatureException"
    said = parsedate_to_datetime(answer["ResponseMetadata"]["HTTPHeaders"]["date"]).timestamp()
    assert begun - 1 <= said - seconds <= time.time()
    assert code(client(far_end, "sts", keys).get_caller_identity) == "SignatureDoesNotMatch"
    s3 = client(far_end, "s3", keys, region=DOMAIN_REGION)
    assert s3.list_objects_v2(**BUCKET, Prefix="hyperpod/")["KeyCount"] == 3  # S3 lets 15 minutes pass
    far_end.faults.set("clock-skew", value=seconds * 2)
    assert code(s3.list_objects_v2, **BUCKET, Prefix="hyperpod/") == "RequestTimeTooSkewed"


def test_the_wrong_region(far_end: AwsFarEnd) -> None:
    far_end.faults.set("wrong-region")
    keys = project_keys(far_end)
    assert code(sagemaker(far_end).describe_cluster, ClusterName="ml-research") == "ResourceNotFound"
    assert (
        code(client(far_end, "eks", far_end.issue(role(far_end.scenario, "hp-access-research"))).describe_cluster, name="ml-research-eks")
        == "ResourceNotFoundException"
    )
    assert code(client(far_end, "datazone", keys, region=DOMAIN_REGION).list_connections, **CONNECTIONS) == "UnrecognizedClientException"
    assert (
        code(client(far_end, "sts", keys).assume_role, RoleArn=role(far_end.scenario, "hp-access-research"), RoleSessionName="x2") == "RegionDisabledException"
    )
    assert code(client(far_end, "s3", keys, region=DOMAIN_REGION).list_objects_v2, **BUCKET, Prefix="hyperpod/") == "PermanentRedirect"


def test_words_of_a_newer_service(far_end: AwsFarEnd) -> None:
    far_end.faults.set("unknown-enum")
    found = sagemaker(far_end).describe_cluster(ClusterName="ml-research")
    assert (found["ClusterStatus"], found["InstanceGroups"][0]["InstanceType"]) == ("Hibernating", "ml.q9.96xlarge")
    assert sagemaker(far_end).list_cluster_nodes(ClusterName="ml-research")["ClusterNodeSummaries"][0]["InstanceStatus"]["Status"] == "Hibernating"
    listed = client(far_end, "datazone", project_keys(far_end), region=DOMAIN_REGION).list_connections(**CONNECTIONS)["items"]
    assert {c["props"]["hyperPodProperties"]["orchestrator"] for c in listed} == {"NOMAD"}


def test_an_empty_page_with_a_token(far_end: AwsFarEnd) -> None:
    far_end.faults.set("empty-page")
    reader = sagemaker(far_end)
    first = reader.list_cluster_nodes(ClusterName="ml-research")
    assert first["ClusterNodeSummaries"] == [] and first["NextToken"]
    assert len(reader.list_cluster_nodes(ClusterName="ml-research", NextToken=first["NextToken"])["ClusterNodeSummaries"]) == 4
    pages = client(far_end, "datazone", project_keys(far_end), region=DOMAIN_REGION).get_paginator("list_connections").paginate(**CONNECTIONS)
    assert [len(page["items"]) for page in pages] == [0, 3]
    s3 = client(far_end, "s3", project_keys(far_end), region=DOMAIN_REGION)
    assert [page["KeyCount"] for page in s3.get_paginator("list_objects_v2").paginate(**BUCKET, Prefix="hyperpod/")] == [0, 3]


# -- what happens on the wire ----------------------------------------------------------------------------------------------------
def test_a_login_page_with_status_200(far_end: AwsFarEnd) -> None:
    far_end.faults.set("html-200")
    answer = sagemaker(far_end).describe_cluster(ClusterName="ml-research")  # botocore takes it for an empty answer: facts/aws.md 6.3
    assert "ClusterArn" not in answer and answer["ResponseMetadata"]["HTTPHeaders"]["content-type"] == "text/html"


def test_an_answer_that_breaks_off(far_end: AwsFarEnd) -> None:
    far_end.faults.set("malformed-json")
    answer = sagemaker(far_end).describe_cluster(ClusterName="ml-research")
    assert answer["ResponseMetadata"]["HTTPStatusCode"] == 200 and "ClusterArn" not in answer


def test_a_connection_that_is_cut(far_end: AwsFarEnd) -> None:
    far_end.faults.set("cut")
    answer = sagemaker(far_end).describe_cluster(ClusterName="ml-research")  # botocore tells urllib3 not to compare with Content-Length
    assert answer["ResponseMetadata"]["HTTPStatusCode"] == 200 and "ClusterArn" not in answer
    reader = client(far_end, "s3", project_keys(far_end), region=DOMAIN_REGION)
    with pytest.raises(botocore.exceptions.ResponseStreamingError):
        reader.get_object(**BUCKET, Key="hyperpod/research-ml-research.yaml")["Body"].read()


def test_slow_and_dripping_answers_run_into_the_clients_timeout(far_end: AwsFarEnd) -> None:
    far_end.faults.set("slow", value=30)
    with pytest.raises(botocore.exceptions.ReadTimeoutError):
        sagemaker(far_end, read_timeout=0.3).describe_cluster(ClusterName="ml-research")
    far_end.faults.clear()
    far_end.faults.set("drip", value=3)
    reader, begun = sagemaker(far_end, read_timeout=2), time.monotonic()
    assert reader.describe_cluster(ClusterName="ml-research")["ClusterName"] == "ml-research"  # no single read is late
    assert time.monotonic() - begun > 2, "the answer as a whole is"


def test_it_stops_at_once_whatever_hangs() -> None:
    far_end = AwsFarEnd(load("default"), faults=Faults(["slow=60"])).start()
    outcome: list[str] = []

    def wait() -> None:
        try:
            sagemaker(far_end, read_timeout=60).describe_cluster(ClusterName="ml-research")
        except botocore.exceptions.BotoCoreError as problem:
            outcome.append(type(problem).__name__)

    hanging = threading.Thread(target=wait, daemon=True)
    hanging.start()
    wait_until(lambda: bool(far_end.log), "it hangs")
    begun = time.monotonic()
    far_end.stop()
    hanging.join(HANGS)
    assert time.monotonic() - begun < 20 and len(outcome) == 1, "the answer would come after a minute"
    with pytest.raises(botocore.exceptions.EndpointConnectionError):
        sagemaker(far_end).describe_cluster(ClusterName="ml-research")


def test_a_port_from_which_nothing_comes_back() -> None:
    with AwsFarEnd(load("private-endpoint")) as far_end:
        cluster = client(far_end, "eks", far_end.issue(role(far_end.scenario, "hp-access-research"))).describe_cluster(name="ml-research-eks")["cluster"]
        assert cluster["resourcesVpcConfig"]["endpointPublicAccess"] is False
        host, _, port = cluster["endpoint"].removeprefix("https://").partition(":")
        with pytest.raises(TimeoutError):
            socket.create_connection((host, int(port)), timeout=0.5)


# -- the credential endpoint -------------------------------------------------------------------------------------------------------
def fetch(far_end: AwsFarEnd, **headers: str) -> dict[str, Any]:
    assert far_end.credentials is not None
    request = urllib.request.Request(far_end.credentials.url, headers={"Authorization": far_end.credentials.authorization, **headers})
    with urllib.request.urlopen(request, timeout=HANGS) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def test_the_place_gets_its_keys_from_the_endpoint(far_end: AwsFarEnd, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in far_end.environment().items():
        monkeypatch.setenv(name, value)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    assert client(far_end, "sts", None).get_caller_identity()["Arn"].endswith("envresearch001/SageMaker")
    assert far_end.credentials is not None and far_end.credentials.fetches == 1


def test_lifetimes_refusals_and_expired_keys(far_end: AwsFarEnd) -> None:
    far_end.faults.set("container-lifetime", value=100)
    issued = fetch(far_end)
    assert {"AccessKeyId", "SecretAccessKey", "Token", "Expiration", "AccountId"} == set(issued)
    keys = far_end.keys.find(issued["AccessKeyId"])
    assert keys is not None and 0 < keys.expires - far_end.now() <= 100 and keys.principal.tags["datazone:userId"]
    far_end.faults.set("container-expired")
    expired = far_end.keys.find(fetch(far_end)["AccessKeyId"])
    assert expired is not None and expired.expires < far_end.now()
    with pytest.raises(HTTPError):
        fetch(far_end, Authorization="Bearer guessed")
    far_end.faults.set("container-refuses", times=1)
    with pytest.raises(HTTPError) as refused:
        fetch(far_end)
    # what it says holds a planted secret: a client that repeats it is found out by the leak tests
    said = refused.value.read().decode()
    assert any(secret in said for secret in far_end.secrets())
    assert far_end.credentials is not None and far_end.credentials.fetches == 4


def test_an_assumed_role_may_live_seconds(far_end: AwsFarEnd) -> None:
    far_end.faults.set("role-lifetime", value=1)
    asked = {"RoleArn": role(far_end.scenario, "hp-access-research"), "RoleSessionName": "x2", "ExternalId": "prjresearch001", "DurationSeconds": 900}
    answer = client(far_end, "sts", project_keys(far_end)).assume_role(**asked)
    assert answer["Credentials"]["Expiration"].timestamp() - time.time() <= 1
