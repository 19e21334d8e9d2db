"""The bearer token of an EKS cluster, made as aws-cli makes it (facts/aws.md 4.8) and told apart from every wrong one."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import botocore.session
import pytest

from hpgov_jlab.sandbox.aws.far_end import AwsFarEnd
from hpgov_jlab.sandbox.aws.keys import Keys
from hpgov_jlab.sandbox.loading import load

from .clients import LOADER, role

CLUSTER = "ml-research-eks"


@pytest.fixture
def far_end() -> Iterator[AwsFarEnd]:
    with AwsFarEnd(load("default")) as running:
        yield running


def make_url(keys: Keys, cluster: str | None, *, region: str = "us-west-2", endpoint: str | None = None, more: str = "") -> str:
    session = botocore.session.Session()  # of its own: its clients get handlers of ours
    session.register_component("data_loader", LOADER)
    sts = session.create_client(
        "sts", region_name=region, endpoint_url=endpoint, aws_access_key_id=keys.key_id, aws_secret_access_key=keys.secret, aws_session_token=keys.token
    )

    def take(params: dict[str, Any], context: dict[str, Any], **_: Any) -> None:
        if "x-k8s-aws-id" in params:
            context["x-k8s-aws-id"] = params.pop("x-k8s-aws-id")

    def put(request: Any, **_: Any) -> None:
        if "x-k8s-aws-id" in request.context:
            request.headers["x-k8s-aws-id"] = request.context["x-k8s-aws-id"]
        request.url += more

    sts.meta.events.register("provide-client-params.sts.GetCallerIdentity", take)
    sts.meta.events.register("before-sign.sts.GetCallerIdentity", put)
    params = {"x-k8s-aws-id": cluster} if cluster else {}
    return str(sts.generate_presigned_url("get_caller_identity", Params=params, ExpiresIn=60, HttpMethod="GET"))


def token(url: str) -> str:
    return "k8s-aws-v1." + base64.urlsafe_b64encode(url.encode()).decode().rstrip("=")


def access(far_end: AwsFarEnd, **more: Any) -> Keys:
    return far_end.issue(role(far_end.scenario, "hp-access-research"), "bob", **more)


def test_whose_token_it_is(far_end: AwsFarEnd) -> None:
    keys = access(far_end)
    for url in (make_url(keys, CLUSTER), make_url(keys, CLUSTER, endpoint=far_end.url)):
        found = far_end.who(token(url), CLUSTER)
        assert found is not None and (found.role_arn, found.session_name) == (keys.principal.role_arn, "bob")
    entry = next(each for each in far_end.scenario.eks[0].entries if each.role == keys.principal.role_arn)
    assert entry.username_for("bob") == keys.principal.arn
    assert far_end.log == []  # verified without a request


def test_a_token_is_for_one_cluster_one_region_and_one_purpose(far_end: AwsFarEnd) -> None:
    keys = access(far_end)
    assert far_end.who(token(make_url(keys, CLUSTER)), "ml-evaluation-eks") is None
    assert far_end.who(token(make_url(keys, "another-eks")), CLUSTER) is None
    assert far_end.who(token(make_url(keys, None)), CLUSTER) is None
    assert far_end.who(token(make_url(keys, CLUSTER, region="us-east-1")), CLUSTER) is None
    assert far_end.who(token(make_url(keys, CLUSTER, endpoint="https://sts.amazonaws.com")), CLUSTER) is None
    assert far_end.who(token(make_url(keys, CLUSTER)), "no-such-cluster") is None
    assert far_end.who(token(make_url(keys, CLUSTER, more="?Extra=1")), CLUSTER) is None  # well signed, and still not what EKS takes


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("https://", "http://"),
        ("sts.us-west-2.amazonaws.com", "sts.us-west-2.amazonaws.com.example.com"),
        ("Action=GetCallerIdentity", "Action=GetSessionToken"),
        ("Version=2011-06-15", "Version=2011-06-15&Policy=x"),
        ("X-Amz-Signature=", "X-Amz-Signature=0"),
        ("x-k8s-aws-id", "x-other"),
    ],
)
def test_a_token_that_was_changed(far_end: AwsFarEnd, old: str, new: str) -> None:
    url = make_url(access(far_end), CLUSTER)
    assert old in url and far_end.who(token(url.replace(old, new)), CLUSTER) is None


@pytest.mark.parametrize(
    "text", ["", "k8s-aws-v1.", "k8s-aws-v1.!!!", "k8s-aws-v1.aGVsbG8", "Bearer x", "k8s-aws-v1." + base64.urlsafe_b64encode("ü".encode()).decode()]
)
def test_what_is_no_token_at_all(far_end: AwsFarEnd, text: str) -> None:
    assert far_end.who(text, CLUSTER) is None


def test_a_token_lives_a_quarter_of_an_hour_and_no_longer_than_its_keys(far_end: AwsFarEnd) -> None:
    made = token(make_url(access(far_end), CLUSTER))
    for seconds, accepted in ((0, True), (840, True), (910, False), (-240, True), (-360, False)):
        far_end.faults.set("clock-skew", value=seconds)
        assert (far_end.who(made, CLUSTER) is not None) is accepted, seconds
    far_end.faults.clear()
    short = token(make_url(access(far_end, seconds=60), CLUSTER))
    far_end.faults.set("clock-skew", value=61)
    assert far_end.who(short, CLUSTER) is None
    far_end.faults.clear()
    far_end.faults.set("expired-keys")
    assert far_end.who(made, CLUSTER) is None


def test_keys_of_nobody(far_end: AwsFarEnd) -> None:
    with AwsFarEnd(load("default")) as other:
        assert far_end.who(token(make_url(access(other), CLUSTER)), CLUSTER) is None
