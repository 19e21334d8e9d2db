"""From what is on the wire to what a person is told: every refusal, fault and page, as a state, a code, a layer and whom to ask (facts/aws.md 6)."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hpgov_jlab.model.connection import Connection, Orchestrator, Place, PlaceKind
from hpgov_jlab.model.outcome import Ask, Failure, Layer, State
from hpgov_jlab.reads import Deadline, Read
from hpgov_jlab.sandbox.aws.denials import REASONS
from hpgov_jlab.sources.aws import datazone, eks, hyperpod, s3, sts
from hpgov_jlab.sources.aws.session import AwsSessions, Prefix
from hpgov_jlab.words import WORDS, say

from .world import CLUSTER, STUDIO, Parrot, Said, World, ask, failed, keys_or, settings, studio, world

PREFIX = Prefix("example-platform-contracts", "hyperpod/", "111122223333", "us-east-1")
ARN = "arn:aws:sagemaker:us-west-2:444455556666:cluster/abcresearch1"


def describe(made: World) -> Read[Any]:
    return hyperpod.describe(made.access(), made.connection())


def told(failure: Failure) -> tuple[State, str]:
    """State and code; every code has words whose parameters are all there, and no parameter holds more than one line of plain text."""
    word = WORDS[failure.code]
    for name in re.findall(r"{(\w+)}", word.text):
        assert name in failure.params, f"{failure.code} needs {name}"
    for value in failure.params.values():
        assert value is None or isinstance(value, int | float) or (len(value) <= 512 and value.isprintable())
    assert "{" not in say(failure.code, dict(failure.params))
    return failure.state, failure.code


DENIALS = {
    "no-identity-policy": ("no_identity_policy_allows", Layer.CLUSTER, Ask.ACCOUNT_ADMIN),
    "no-resource-policy": ("no_resource_policy_allows", Layer.CLUSTER, Ask.ACCOUNT_ADMIN),
    "no-permissions-boundary": ("no_permissions_boundary_allows", Layer.CLUSTER, Ask.ACCOUNT_ADMIN),
    "no-service-control-policy": ("no_service_control_policy_allows", Layer.ORGANISATION, Ask.ORGANISATION_ADMIN),
    "no-session-policy": ("no_session_policy_allows", Layer.CLUSTER, Ask.ACCOUNT_ADMIN),
    "no-vpc-endpoint-policy": ("no_vpc_endpoint_policy_allows", Layer.PROJECT, Ask.JUPYTER_ADMIN),
    "no-role-trust-policy": ("no_trust_policy_allows", Layer.CLUSTER, Ask.ACCOUNT_ADMIN),
    "explicit-identity-policy": ("identity_policy_denies", Layer.CLUSTER, Ask.ACCOUNT_ADMIN),
    "explicit-resource-policy": ("resource_policy_denies", Layer.CLUSTER, Ask.ACCOUNT_ADMIN),
    "explicit-permissions-boundary": ("permissions_boundary_denies", Layer.CLUSTER, Ask.ACCOUNT_ADMIN),
    "explicit-service-control-policy": ("service_control_policy_denies", Layer.ORGANISATION, Ask.ORGANISATION_ADMIN),
    "explicit-service-control-policy-arn": ("service_control_policy_denies", Layer.ORGANISATION, Ask.ORGANISATION_ADMIN),
    "explicit-service-control-policy-transitive": ("service_control_policy_denies", Layer.ORGANISATION, Ask.ORGANISATION_ADMIN),
    "explicit-resource-control-policy": ("resource_control_policy_denies", Layer.ORGANISATION, Ask.ORGANISATION_ADMIN),
    "explicit-session-policy": ("session_policy_denies", Layer.CLUSTER, Ask.ACCOUNT_ADMIN),
    "explicit-sessions-policy": ("session_policy_denies", Layer.CLUSTER, Ask.ACCOUNT_ADMIN),
    "explicit-vpc-endpoint-policy": ("vpc_endpoint_policy_denies", Layer.PROJECT, Ask.JUPYTER_ADMIN),
    "explicit-role-trust-policy": ("trust_policy_denies", Layer.CLUSTER, Ask.ACCOUNT_ADMIN),
    "explicit": ("a_policy_denies", Layer.CLUSTER, Ask.ACCOUNT_ADMIN),
    "without-reason": ("denied_without_reason", Layer.CLUSTER, Ask.ACCOUNT_ADMIN),
}


def test_every_reason_of_the_far_end_has_its_case() -> None:
    assert set(DENIALS) == set(REASONS)


@pytest.mark.parametrize("reason", DENIALS)
def test_a_denial_names_the_policy_that_decides(default: World, reason: str) -> None:
    read = describe(default)
    default.far.faults.set(f"deny-{reason}", on="sagemaker:DescribeCluster")
    failure = failed(read)
    code, layer, whom = DENIALS[reason]
    assert (*told(failure), failure.layer, failure.ask) == (State.DENIED, code, layer, whom)
    assert failure.params["action"] == "sagemaker:DescribeCluster"
    assert failure.params["resource"] == ARN
    assert "777788889999" not in json.dumps(failure.params)  # the organisation's management account
    if reason.endswith("-arn"):
        assert failure.params["policy"] == "p-examplepolicyid"


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ("trust-external-id", "no_trust_policy_allows"),
        ("trust-tag-session", "trust_lacks_tag_session"),
        ("trust-source-identity", "trust_lacks_source_identity"),
        ("deny-without-reason", "assume_role_refused"),
        ("deny-no-identity-policy", "no_identity_policy_allows"),
    ],
)
def test_a_role_that_may_not_be_assumed_names_the_missing_statement_and_is_not_tried_weaker(default: World, fault: str, code: str) -> None:
    read = describe(default)
    default.far.faults.set(fault, on="sts:AssumeRole")
    failure = failed(read)
    assert (*told(failure), failure.ask) == (State.DENIED, code, Ask.ACCOUNT_ADMIN)
    assert failure.params["resource"] == "arn:aws:iam::444455556666:role/hp-access-research"
    assert failed(read).code == code  # at once again: repeated, not asked again
    assumed = [e for e in default.far.log if e.operation == "AssumeRole"]
    assert len(assumed) == 1
    assert {"ExternalId", "SourceIdentity", "Tags", "Policy"} <= assumed[0].params.keys()
    assert "sagemaker:DescribeCluster" not in default.far.calls()


def test_membership_is_not_iam(default: World) -> None:
    default.far.faults.set("membership-denied")
    failure = failed(datazone.connections(default.home, default.place))
    assert (*told(failure), failure.layer, failure.ask) == (State.DENIED, "not_a_project_member", Layer.PROJECT, Ask.PROJECT_OWNER)
    default.far.faults.clear()
    default.far.faults.set("deny-no-identity-policy", on="datazone:ListConnections")
    failure = failed(datazone.connections(default.home, default.place))
    assert (*told(failure), failure.layer) == (State.DENIED, "no_identity_policy_allows", Layer.PROJECT)


def connections(made: World) -> Read[Any]:
    return datazone.connections(made.home, made.place)


@pytest.mark.parametrize(
    ("fault", "value", "read", "expected"),
    [
        ("throttle", 5, describe, (State.THROTTLED, "aws_throttled")),
        ("throttle", 5, connections, (State.THROTTLED, "aws_throttled")),
        ("unknown-keys", None, connections, (State.DENIED, "keys_not_known")),
        ("html-200", None, connections, (State.UNREACHABLE, "not_aws_answer")),
        ("html-200", None, describe, (State.UNREACHABLE, "not_aws_answer")),
        ("malformed-json", None, connections, (State.INVALID, "answer_unusable")),
        ("malformed-json", None, describe, (State.INVALID, "answer_unusable")),
        ("cut", None, describe, (State.UNREACHABLE, "aws_cut_off")),
        ("clock-skew", 600, connections, (State.NOT_CONFIGURED, "clock_skew")),
        ("clock-skew", -600, connections, (State.NOT_CONFIGURED, "clock_skew")),
        ("wrong-region", None, connections, (State.DENIED, "keys_not_known")),
        ("wrong-region", None, describe, (State.ABSENT, "cluster_not_found")),
    ],
)
def test_faults_on_the_way(default: World, fault: str, value: float | None, read: Callable[[World], Read[Any]], expected: tuple[State, str]) -> None:
    wanted = read(default)
    ask(wanted)
    service = "datazone" if read is connections else "sagemaker"
    default.far.faults.set(fault, value=value, on="*" if fault == "clock-skew" else f"{service}:*")
    failure = failed(wanted)
    assert told(failure) == expected
    if fault == "clock-skew":
        assert failure.params["skew_seconds"] == pytest.approx(value, abs=2)


def test_two_throttles_are_waited_out_once(default: World) -> None:
    read = connections(default)
    default.far.faults.set("throttle", value=1, on="datazone:*")
    assert len(ask(read)) == 3


def test_html_instead_of_identity(default: World) -> None:
    """A query service's HTML page is a bare KeyError in botocore."""
    default.far.faults.set("html-200", on="sts:*")
    assert told(failed(sts.identity(default.home))) == (State.UNREACHABLE, "not_aws_answer")


def test_an_html_page_is_no_contract(default: World) -> None:
    default.sessions.set_prefixes((PREFIX,))
    default.far.faults.set("html-200", on="s3:*")
    assert told(failed(s3.listing(default.home, PREFIX))) == (State.UNREACHABLE, "not_aws_answer")
    assert told(failed(s3.get(default.home, PREFIX, "hyperpod/research-ml-research.yaml"))) == (State.UNREACHABLE, "not_aws_answer")


def test_empty_pages_with_a_token_are_not_the_end(default: World) -> None:
    default.far.faults.set("empty-page")
    read = hyperpod.nodes(default.access(), default.connection())
    counted = ask(read)
    assert (counted.total, counted.pages) == (5, 2)


def test_words_of_a_newer_service_are_shown_as_they_are(default: World) -> None:
    connection = default.connection()
    session = default.access()
    default.far.faults.set("unknown-enum")
    assert {c.orchestrator for c in default.connections()} == {Orchestrator.UNKNOWN}
    assert ask(hyperpod.describe(session, connection)).status == "Hibernating"
    assert ask(hyperpod.nodes(session, connection)).by_type == {"ml.q9.96xlarge": 5}


def test_expired_keys_are_renewed_once_and_then_told(default: World) -> None:
    read = connections(default)
    default.far.faults.set("expired-keys", on="datazone:*", times=1)
    assert len(ask(read)) == 3
    default.far.faults.set("expired-keys", on="datazone:*")
    before = len(default.far.calls("ListConnections"))
    assert told(failed(read)) == (State.EXPIRED, "credentials_expired")
    assert len(default.far.calls("ListConnections")) == before + 2


def test_a_slow_answer_ends_with_the_deadline(default: World) -> None:
    read = connections(default)
    ask(read)
    default.far.faults.set("slow", value=30, on="datazone:*")
    started = time.monotonic()
    assert told(failed(read, 1.0)) == (State.UNREACHABLE, "deadline")
    assert time.monotonic() - started < 8.0, "a socket alone may be silent for ten"


def test_what_is_not_there(default: World) -> None:
    connection = default.connection()
    session = default.access()
    gone = Connection(connection.id, "x", "datazone", Orchestrator.EKS, "no-such-cluster", "us-west-2", "444455556666")
    own = default.sessions.for_place(Place(PlaceKind.STUDIO, "place_by_trait", region="us-west-2"))
    assert told(failed(hyperpod.describe(own, gone)))[0] in (State.ABSENT, State.DENIED)
    cluster = ask(hyperpod.describe(session, connection))
    assert told(eks.no_eks(cluster)) == (State.ABSENT, "no_eks_cluster")


# -- what the far end cannot say: raw answers --------------------------------------------------------------------------------
def json_error(status: int, code: str, message: str = "") -> Said:
    return Said(status, json.dumps({"__type": code, "message": message}).encode())


def html(status: int) -> Said:
    return Said(status, b"<html><body>secret-page-text</body></html>", "text/html")


LONG = "x" * 5000
RAW: dict[str, tuple[Said, State, str]] = {
    "407 of a proxy": (html(407), State.UNREACHABLE, "proxy_wants_login"),
    "403 of a proxy": (html(403), State.UNREACHABLE, "proxy_page"),
    "302 of a portal": (Said(302, b"", "text/plain", (("Location", "https://portal.example/"),)), State.UNREACHABLE, "proxy_page"),
    "200 of a portal": (html(200), State.UNREACHABLE, "not_aws_answer"),
    "200 without anything": (Said(200, b"", ""), State.UNREACHABLE, "not_aws_answer"),
    "503 page of a front end": (html(503), State.UNREACHABLE, "aws_out_of_order"),
    "500": (json_error(500, "InternalFailure"), State.UNREACHABLE, "aws_out_of_order"),
    "429": (json_error(429, "Whatever"), State.THROTTLED, "aws_throttled"),
    "an empty object": (Said(200, b"{}"), State.INVALID, "answer_unusable"),
    "null members": (Said(200, b'{"ClusterArn": null, "ClusterStatus": null, "InstanceGroups": null}'), State.INVALID, "answer_unusable"),
    "no object": (Said(200, b"[]"), State.INVALID, "answer_unusable"),
    "a number for a text": (Said(200, b'{"ClusterArn": 7, "ClusterStatus": "InService", "InstanceGroups": []}'), State.INVALID, "answer_unusable"),
    "a text for a list": (Said(200, b'{"ClusterArn": "a", "ClusterStatus": "InService", "InstanceGroups": "none"}'), State.INVALID, "answer_unusable"),
    "a text for a number": (
        Said(200, b'{"ClusterArn": "a", "ClusterStatus": "InService", "InstanceGroups": [{"CurrentCount": "many"}]}'),
        State.INVALID,
        "answer_unusable",
    ),
    "a denial of an organisation": (
        json_error(400, "AccessDeniedException", "is not authorized to perform: a:B on resource: arn:aws:organizations::777788889999:policy/o-x/y/p-abcdefgh"),
        State.DENIED,
        "denied_without_reason",
    ),
    "Region not enabled": (json_error(400, "OptInRequired"), State.NOT_CONFIGURED, "region_not_enabled"),
    "unknown keys": (json_error(400, "UnrecognizedClientException", "The security token included in the request is invalid."), State.DENIED, "keys_not_known"),
    "bad signature": (json_error(403, "InvalidSignatureException", "The request signature we calculated does not match"), State.DENIED, "signature_rejected"),
    "old signature": (json_error(403, "InvalidSignatureException", "Signature expired: 1 is now earlier than 2"), State.NOT_CONFIGURED, "clock_skew"),
    "not found": (json_error(400, "ResourceNotFound", "Cluster with name ml not found"), State.ABSENT, "cluster_not_found"),
    "bad input": (json_error(400, "ValidationException", "nope"), State.INVALID, "request_refused"),
    "a code nobody knows": (json_error(400, "TeapotException", "secret-page-text"), State.INVALID, "aws_said"),
    "a code that is no code": (json_error(400, "Teapot <script>"), State.INVALID, "aws_said"),
    "plain denial": (json_error(400, "AccessDeniedException"), State.DENIED, "denied_without_reason"),
    "hostile denial": (
        json_error(
            400, "AccessDeniedException", "is not authorized to perform: a:B\u202e on resource: arn:aws:x:::\u2028secret-page-text because no <b> allows"
        ),
        State.DENIED,
        "denied_without_reason",
    ),
    "endless denial": (
        json_error(400, "AccessDeniedException", f"is not authorized to perform: a:{LONG} on resource: arn:aws:s3:::{LONG}"),
        State.DENIED,
        "denied_without_reason",
    ),
}


@pytest.mark.parametrize("case", RAW)
def test_raw_answers(case: str) -> None:
    said, state, code = RAW[case]
    with Parrot(keys_or(said)) as parrot:
        sessions = studio(parrot.url)
        failure = failed(hyperpod.describe(sessions.for_place(STUDIO), CLUSTER))
        sessions.close()
    assert told(failure) == (state, code)
    assert "secret-page-text" not in json.dumps(failure.params)
    assert "secret-page-text" not in repr(failure)
    assert "777788889999" not in json.dumps(failure.params)
    assert not any(isinstance(v, str) and len(v) > 300 for v in failure.params.values())


def test_a_wait_that_aws_asks_for_is_told() -> None:
    with Parrot(keys_or(Said(429, b'{"__type":"ThrottlingException"}', headers=(("Retry-After", "7"),)))) as parrot:
        sessions = studio(parrot.url)
        failure = failed(hyperpod.describe(sessions.for_place(STUDIO), CLUSTER))
        sessions.close()
    assert failure.params["retry_after_seconds"] == 7.0


def test_eks_and_lists_without_required_members_are_vetted_too() -> None:
    """Their models require nothing, so an empty object would pass as 'no cluster'."""
    with Parrot(keys_or(Said(200, b"{}", "application/json"))) as parrot:
        sessions = studio(parrot.url)
        session = sessions.for_place(STUDIO)
        for service, operation, params in (("eks", "DescribeCluster", {"name": "x"}), ("sagemaker", "ListClusters", {"MaxResults": 100})):
            with pytest.raises(Failure) as caught:
                session.call(service, operation, params, Deadline(20))
            assert told(caught.value) == (State.INVALID, "answer_unusable")
        sessions.close()


def test_a_list_that_goes_round_in_a_circle_ends() -> None:
    page = json.dumps({"ClusterSummaries": [], "NextToken": "again"}).encode()
    with Parrot(keys_or(Said(200, page))) as parrot:
        sessions = studio(parrot.url)
        failure = failed(hyperpod.clusters(sessions.for_place(STUDIO), STUDIO))
        sessions.close()
        asked = [h for h in parrot.heard if h == "POST /"]
    assert told(failure) == (State.INVALID, "pages_repeat")
    assert len(asked) == 3  # identity and two pages


def test_a_list_without_end_is_cut_and_said() -> None:
    count = iter(range(10_000))

    def say(target: str, body: bytes) -> Said:
        return Said(200, json.dumps({"ClusterSummaries": [], "NextToken": f"t{next(count)}"}).encode())

    with Parrot(lambda target, body: keys_or(say(target, body))(target, body)) as parrot:
        sessions = studio(parrot.url)
        failure = failed(hyperpod.clusters(sessions.for_place(STUDIO), STUDIO))
        sessions.close()
    assert told(failure) == (State.INVALID, "too_many_pages")


def test_a_larger_answer_than_any_true_one_is_not_taken() -> None:
    true = {"ClusterArn": "arn:aws:sagemaker:us-west-2:111122223333:cluster/abc123def456", "ClusterStatus": "InService", "InstanceGroups": []}
    for padding, good in ((1024, True), (9 * 1024 * 1024, False)):
        with Parrot(keys_or(Said(200, b" " * padding + json.dumps(true).encode()))) as parrot:
            sessions = studio(parrot.url)
            read = hyperpod.describe(sessions.for_place(STUDIO), CLUSTER)
            if good:
                ask(read)
            else:
                assert told(failed(read)) == (State.INVALID, "answer_unusable")
            sessions.close()


def test_a_bucket_in_another_region_is_told_and_not_asked_about() -> None:
    body = b"<Error><Code>PermanentRedirect</Code><Message>The bucket must be addressed elsewhere</Message></Error>"
    with Parrot(keys_or(Said(301, body, "application/xml", (("x-amz-request-id", "1"),)))) as parrot:
        sessions = studio(parrot.url)
        prefix = Prefix("example-platform-contracts", "hyperpod/", "111122223333", "eu-west-1")
        sessions.set_prefixes((prefix,))
        failure = failed(s3.listing(sessions.for_place(STUDIO), prefix))
        sessions.close()
        assert not any(h.startswith("HEAD") for h in parrot.heard)
    assert told(failure) == (State.INVALID, "wrong_region")


def test_nobody_there() -> None:
    with Parrot(keys_or(Said())) as parrot:
        endpoints = dict.fromkeys(("sts", "sagemaker"), "http://127.0.0.1:9")
        sessions = AwsSessions(type(settings(""))(sandbox=True, endpoints=endpoints), environ={"AWS_CONTAINER_CREDENTIALS_FULL_URI": f"{parrot.url}/creds"})
        failure = failed(hyperpod.describe(sessions.for_place(STUDIO), CLUSTER))
        sessions.close()
    assert (*told(failure), failure.ask) == (State.UNREACHABLE, "aws_not_reached", Ask.JUPYTER_ADMIN)


def test_a_denied_session_says_so_at_the_first_call(tmp_path: Path) -> None:
    with world(tmp_path, "no-rights") as made:
        failure = failed(hyperpod.describe(made.access(), made.connection()))
        assert told(failure) == (State.DENIED, "no_trust_policy_allows")
    with world(tmp_path, "expired-credentials") as made:
        assert told(failed(datazone.connections(made.home, made.place))) == (State.EXPIRED, "credentials_already_expired")
