"""The guard: what is not in the allow list reaches no socket, on whatever way it is tried (facts/aws.md 3). The far end is the witness."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import botocore.exceptions
import botocore.session
import pytest
from botocore.signers import RequestSigner

import hpgov_jlab
from hpgov_jlab.model.outcome import Failure, State
from hpgov_jlab.policy.aws import ALLOWED, BY_OPERATION, Reader
from hpgov_jlab.reads import Deadline
from hpgov_jlab.sources.aws.guard import Guard, Prefix, Refused

from .world import World

PACKAGE = Path(hpgov_jlab.__file__).parent
PREFIX = Prefix("example-platform-contracts", "hyperpod/", "111122223333", "us-east-1")
ROLE = "arn:aws:iam::444455556666:role/hp-access-research"
CLUSTER = "arn:aws:sagemaker:us-west-2:444455556666:cluster/abcresearch1"
POLICY = json.dumps(
    {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["sagemaker:DescribeCluster"], "Resource": CLUSTER}]}, separators=(",", ":")
)
ASSUME = {
    "RoleArn": ROLE, "RoleSessionName": "hpgov-x", "Policy": POLICY, "DurationSeconds": 3600,
    "ExternalId": "p", "SourceIdentity": "u1", "Tags": [{"Key": "AmazonDataZoneProject", "Value": "p"}],
}  # fmt: skip


def refused(made: World, service: str, operation: str, params: dict[str, Any], region: str = "us-west-2") -> Failure:
    """Try it through the session's one door; the failure it ends with. Nothing but the identity's check may have been sent."""
    before = len(made.far.log)
    with pytest.raises(Failure) as caught:
        made.home.call(service, operation, params, Deadline(20), region=region)
    assert {e.operation for e in made.far.log[before:]} <= {"GetCallerIdentity"}
    return caught.value


def client(made: World, service: str, region: str = "us-west-2") -> Any:
    """The raw botocore client behind a session: what a mistake in our own code could get hold of."""
    made.home.who(Deadline(20))
    core = made.home._core
    assert core is not None
    return core.client(service, region)


CONNECTION = {"domainIdentifier": "dzd-exampledomain1", "identifier": "connresearch01"}
LIST = {"domainIdentifier": "dzd-exampledomain1", "projectIdentifier": "prjresearch001", "type": "HYPERPOD", "maxResults": 50}


@pytest.mark.parametrize(
    ("service", "operation", "params"),
    [
        ("datazone", "GetConnection", {**CONNECTION, "withSecret": True}),
        ("datazone", "GetConnection", {**CONNECTION, "withSecret": "false"}),
        ("datazone", "GetConnection", {**CONNECTION, "withSecret": 0}),
        ("datazone", "GetConnection", CONNECTION),
        ("datazone", "ListConnections", {**LIST, "type": "IAM"}),
        ("datazone", "ListConnections", {k: v for k, v in LIST.items() if k != "projectIdentifier"}),
        ("datazone", "ListConnections", {**LIST, "scope": "DOMAIN"}),
        ("datazone", "CreateConnection", {"domainIdentifier": "dzd-x", "name": "x"}),
        ("sagemaker", "DescribeCluster", {"ClusterName": "ml-research"}),
        ("sagemaker", "DeleteCluster", {"ClusterName": "ml-research"}),
        ("sts", "AssumeRole", {k: v for k, v in ASSUME.items() if k != "Policy"}),
        ("sts", "AssumeRole", {k: v for k, v in ASSUME.items() if k != "ExternalId"}),
        ("sts", "AssumeRole", {k: v for k, v in ASSUME.items() if k != "SourceIdentity"}),
        ("sts", "AssumeRole", {k: v for k, v in ASSUME.items() if k != "Tags"}),
        ("sts", "AssumeRole", {**ASSUME, "DurationSeconds": 43200}),
        ("sts", "AssumeRole", {**ASSUME, "PolicyArns": [{"arn": "arn:aws:iam::aws:policy/AdministratorAccess"}]}),
        ("sts", "AssumeRole", {**ASSUME, "Policy": POLICY.replace("DescribeCluster", "*")}),
        ("sts", "AssumeRole", {**ASSUME, "Policy": POLICY.replace(CLUSTER, "*")}),
        ("sts", "AssumeRole", {**ASSUME, "Policy": POLICY + " " * 2048}),
        ("sts", "AssumeRole", {**ASSUME, "RoleArn": "arn:aws:sts::444455556666:assumed-role/x/y"}),
        ("sts", "GetCallerIdentity", {"x-k8s-aws-id": "a b\r\nHost: x"}),
        ("sts", "GetSessionToken", {}),
        ("s3", "GetObject", {"Bucket": PREFIX.bucket, "Key": "hyperpod/a.yaml", "Range": "bytes=0-262143"}),
        ("s3", "GetObject", {"Bucket": PREFIX.bucket, "Key": "hyperpod/a.yaml", "ExpectedBucketOwner": PREFIX.owner}),
        ("s3", "GetObject", {"Bucket": PREFIX.bucket, "Key": "hyperpod/a.yaml", "ExpectedBucketOwner": PREFIX.owner, "Range": "bytes=0-262144"}),
        ("s3", "GetObject", {"Bucket": PREFIX.bucket, "Key": "other/a.yaml", "ExpectedBucketOwner": PREFIX.owner, "Range": "bytes=0-262143"}),
        ("s3", "GetObject", {"Bucket": PREFIX.bucket, "Key": "hyperpod/", "ExpectedBucketOwner": PREFIX.owner, "Range": "bytes=0-262143"}),
        ("s3", "GetObject", {"Bucket": "elsewhere", "Key": "hyperpod/a.yaml", "ExpectedBucketOwner": PREFIX.owner, "Range": "bytes=0-262143"}),
        ("s3", "GetObject", {"Bucket": PREFIX.bucket, "Key": "hyperpod/a.yaml", "ExpectedBucketOwner": "444455556666", "Range": "bytes=0-262143"}),
        ("s3", "ListObjectsV2", {"Bucket": PREFIX.bucket, "Prefix": "", "ExpectedBucketOwner": PREFIX.owner, "MaxKeys": 200}),
        ("s3", "ListObjectsV2", {"Bucket": PREFIX.bucket, "Prefix": "hyperpod/", "MaxKeys": 200}),
        ("s3", "PutObject", {"Bucket": PREFIX.bucket, "Key": "hyperpod/a.yaml"}),
    ],
)
def test_a_call_outside_the_list_is_our_fault_and_is_not_sent(default: World, service: str, operation: str, params: dict[str, Any]) -> None:
    default.sessions.set_prefixes((PREFIX,))
    failure = refused(default, service, operation, params, "us-east-1" if service in ("datazone", "s3") else "us-west-2")
    assert (failure.state, failure.code) == (State.INVALID, "guard_refused")


def test_the_same_calls_pass_when_they_keep_to_the_list(default: World) -> None:
    """So that the refusals above are for what they say."""
    default.sessions.set_prefixes((PREFIX,))
    default.home.call("datazone", "GetConnection", {**CONNECTION, "withSecret": False}, Deadline(20), region="us-east-1")
    default.home.call("datazone", "ListConnections", LIST, Deadline(20), region="us-east-1")
    listing = {"Bucket": PREFIX.bucket, "Prefix": PREFIX.prefix, "ExpectedBucketOwner": PREFIX.owner, "MaxKeys": 200}
    default.home.call("s3", "ListObjectsV2", listing, Deadline(20), region="us-east-1")


def _bare_signer(made: World, sts: Any) -> Any:
    signer = RequestSigner(sts.meta.service_model.service_id, "us-west-2", "sts", "v4", sts._request_signer._credentials, sts.meta.events)
    request = {"method": "GET", "url": f"{made.far.url}/?Action=GetSessionToken", "body": {}, "headers": {}, "context": {}}
    return signer.generate_presigned_url(request, region_name="us-west-2", expires_in=60, operation_name="")


WAYS: dict[str, tuple[str, Callable[[World, Any], Any]]] = {
    "a method": ("sagemaker", lambda w, c: c.delete_cluster(ClusterName="ml-research")),
    "without its parameters": ("sagemaker", lambda w, c: c.delete_cluster()),
    "the private call": ("sagemaker", lambda w, c: c._make_api_call("DeleteCluster", {"ClusterName": "ml-research"})),
    "a pager": ("sagemaker", lambda w, c: list(c.get_paginator("list_training_jobs").paginate())),
    "a waiter": ("sagemaker", lambda w, c: c.get_waiter("endpoint_in_service").wait(EndpointName="x")),
    "a presigned URL": ("s3", lambda w, c: c.generate_presigned_url("put_object", Params={"Bucket": "b", "Key": "k"})),
    "a presigned form": ("s3", lambda w, c: c.generate_presigned_post("b", "k")),
    "a bare signer": ("sts", _bare_signer),
}


@pytest.mark.parametrize("way", WAYS)
def test_no_way_round_the_guard(default: World, way: str) -> None:
    service, attempt = WAYS[way]
    made = client(default, service)
    before = default.far.calls()
    with pytest.raises(Refused):
        attempt(default, made)
    assert default.far.calls() == before


def test_what_is_not_in_the_table_is_refused_for_every_reader_in_all_models() -> None:
    session = botocore.session.Session()
    count = 0
    for service in ("sts", "datazone", "sagemaker", "eks", "s3", "iam", "ssm", "ec2"):
        model = session.get_service_model(service)
        for operation in model.operation_names:
            name = model.service_id.hyphenize()
            for reader in Reader:
                allowed = BY_OPERATION.get((name, operation))
                guard = Guard(reader, attributed=True, prefixes=lambda: ())
                for event in ("before-sign", "before-send"):
                    if allowed is not None and reader in allowed.readers:
                        guard.check(f"{event}.{name}.{operation}")
                    else:
                        count += 1
                        with pytest.raises(Refused):
                            guard.check(f"{event}.{name}.{operation}")
    assert count > 10_000


def test_the_table_is_about_operations_and_parameters_that_exist() -> None:
    session = botocore.session.Session()
    for allowed in ALLOWED:
        model = session.get_service_model(allowed.service).operation_model(allowed.operation)
        assert model.service_model.service_id.hyphenize() == allowed.service
        members = set(model.input_shape.members) if model.input_shape else set()
        assert (allowed.must | allowed.may) - {"x-k8s-aws-id"} <= members, allowed.operation
        assert set(model.input_shape.required_members if model.input_shape else ()) <= allowed.must, allowed.operation
        assert set(allowed.answer) <= set(model.output_shape.members if model.output_shape else ()), allowed.operation


FORBIDDEN = {
    "boto3", "client", "resource", "create_client", "RequestSigner", "_make_api_call", "generate_presigned_url", "generate_presigned_post",
    "get_session", "before_send",
}  # fmt: skip
ONLY_IN = {PACKAGE / "sources" / "aws" / "session.py"}


def test_sessions_clients_and_signatures_are_made_in_one_module_only() -> None:
    """DESIGN.md 2.1: a client that somebody makes elsewhere has no guard, so nobody may."""
    found: list[str] = []
    for path in sorted(PACKAGE.rglob("*.py")):
        if path in ONLY_IN or "sandbox" in path.relative_to(PACKAGE).parts:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                names = {alias.name for alias in node.names}
                bad = {n for n in names if n.partition(".")[0] == "boto3" or n in ("botocore.session", "botocore.client", "botocore.signers", "botocore.auth")}
            elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in ("boto3", "botocore"):
                bad = {f"{node.module}.{a.name}" for a in node.names if node.module != "botocore.exceptions"}
            elif isinstance(node, ast.Attribute):
                on_events = isinstance(node.value, ast.Attribute) and node.value.attr == "events"  # client.meta.events.unregister would lift the guard
                bad = {node.attr} & (FORBIDDEN - {"client", "resource"} | ({"unregister"} if on_events else set()))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                bad = {node.value} & {"_make_api_call", "create_client", "RequestSigner"}
            else:
                continue
            found += [f"{path.relative_to(PACKAGE)}:{getattr(node, 'lineno', 0)} {name}" for name in bad]
    assert found == []
    ours = ONLY_IN.copy().pop().read_text()
    assert "create_client(" in ours  # the test would see it elsewhere
    assert "boto3" not in ours


def test_a_refusal_is_an_error_of_botocores_kind() -> None:
    """botocore lets such errors through its retries and its callers' handlers."""
    assert issubclass(Refused, botocore.exceptions.BotoCoreError)


@pytest.mark.parametrize(
    "wrong",
    [
        ("b", "x/", "111122223333"),
        ("bucket", "x", "111122223333"),
        ("bucket", "x/", "1"),
        ("bucket", "/x/", "111122223333"),
        ("bucket", "a/../b/", "111122223333"),
        ("bucket", "a\u202eb/", "111122223333"),
        ("Bucket_", "x/", "111122223333"),
    ],
)
def test_a_prefix_is_whole_or_is_none(wrong: tuple[str, str, str]) -> None:
    with pytest.raises(ValueError, match="prefix"):
        Prefix(*wrong)
