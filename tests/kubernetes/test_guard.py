"""S1 and S16: the guard on the request target as sent, and on the bodies of the self-reviews."""

from __future__ import annotations

from urllib.parse import parse_qs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hpgov_jlab.policy.kubernetes import (
    ACCESS_REVIEW,
    ALLOWED,
    BY_TEMPLATE,
    CLUSTER_QUEUE,
    DISCOVERED,
    DISCOVERY,
    EVENTS,
    PENDING,
    PODS,
    READS,
    SELF_REVIEW,
    WORKLOADS,
    Operation,
    Question,
)
from hpgov_jlab.sources.kubernetes import guard

NAMES = st.from_regex(r"\A[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?\Z")


def build(operation: Operation, version: str) -> str:
    return guard.target(operation, version, namespace="team-a" if operation.namespaced else "", name="one" if operation.named else "")


@pytest.mark.parametrize("operation", ALLOWED, ids=lambda o: o.id)
def test_every_allowed_operation_passes_its_own_guard(operation: Operation) -> None:
    for version in operation.versions or ("",):
        assert guard.check(operation.method, build(operation, version)) is operation


def test_templates_are_unambiguous() -> None:
    assert len(BY_TEMPLATE) == len([o for o in ALLOWED if not o.path])


@pytest.mark.parametrize(
    "bad", ["", ".", "..", "%2e%2e", "x?y", "a/b", "A", "a_b", "-a", "a-", "a" * 64, "a\n", "a b", "a#", "a\\b", "a;b", "ä", "a%2fb", "a\x00"]
)
def test_a_segment_that_is_no_name_is_refused(bad: str) -> None:
    with pytest.raises(guard.Refused) as refused:
        guard.target(WORKLOADS, "v1beta2", namespace=bad)
    assert refused.value.rule == "namespace"
    for name in (bad * 4 if len(bad) == 64 else bad, f"{bad}/x"):
        with pytest.raises(guard.Refused):
            guard.target(CLUSTER_QUEUE, "v1beta2", name=name)


@pytest.mark.parametrize(
    "sent",
    [
        "/api/v1/namespaces/a/pods/b/exec",
        "/api/v1/namespaces/a/pods/b/log",
        "/api/v1/namespaces/a/services/b/proxy",
        "/api/v1/nodes/n/proxy",
        "/api/v1/nodes",
        "/api/v1/namespaces/a/secrets",
        "/api/v1/namespaces/a/configmaps",
        "/api/v1/namespaces/a/pods/b",
        "/api/v1/pods",
        "/api/v1/namespaces",
        "/apis/kueue.x-k8s.io/v1beta2/workloads",
        "/apis/kueue.x-k8s.io/v1beta2/namespaces/a/workloads/b",
        "/apis/kueue.x-k8s.io/v1/namespaces/a/workloads",
        "/apis/kueue.x-k8s.io/v1beta2/namespaces/a/workloads/b/status",
        "/apis/visibility.kueue.x-k8s.io/v1beta2/clusterqueues/c/pendingworkloads",
        "/apis/visibility.kueue.x-k8s.io/v1beta2/namespaces/a/localqueues/b",
        "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
        "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
        "/apis/apps/v2",
        "/apis/apps/v1/",
        "/apis/",
        "/",
        "//apis",
        "/apis/../api/v1/namespaces/a/secrets",
        "/apis/kueue.x-k8s.io/v1beta2/namespaces/a/../b/workloads",
        "/apis/kueue.x-k8s.io/v1beta2/namespaces/%61/workloads",
        "/version",
        "/healthz",
        "/metrics",
        "/api/v1/namespaces/a/pods#",
        "https://other/api/v1/namespaces/a/pods",
        "/api/v1/namespaces/a/pods?watch=1",
        "/api/v1/namespaces/a/pods?limit=500&limit=1",
        "/api/v1/namespaces/a/pods?limit=0",
        "/api/v1/namespaces/a/pods?limit=5%30",
        "/api/v1/namespaces/a/pods?",
        "/api/v1/namespaces/a/pods?limit",
        "/api/v1/namespaces/a/pods?a?b",
        "/api/v1/namespaces/a/pods?fieldSelector=involvedObject.name%3Da",
        "/api/v1/namespaces/a/events?fieldSelector=involvedObject.name%3Da",
        "/api/v1/namespaces/a/pods?continue=a%0Ab",
    ],
)
def test_what_is_not_on_the_list_is_refused(sent: str) -> None:
    with pytest.raises(guard.Refused):
        guard.check("GET", sent)


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "CONNECT", "get", "POST"])
def test_methods(method: str) -> None:
    with pytest.raises(guard.Refused):
        guard.check(method, "/api/v1/namespaces/a/pods")


def test_a_post_reaches_the_two_self_reviews_only() -> None:
    posts = {o.id for o in ALLOWED if o.method == "POST"}
    assert posts == {"review_access", "review_self"}
    assert guard.check("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews") is ACCESS_REVIEW
    assert guard.check("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews") is SELF_REVIEW


def test_the_only_subresource_is_pendingworkloads() -> None:
    assert {o.subresource for o in ALLOWED} == {"", "pendingworkloads"}


def test_secrets_config_maps_nodes_and_service_accounts_are_not_read() -> None:
    assert not {o.resource for o in READS} & {"secrets", "configmaps", "nodes", "serviceaccounts", "roles", "rolebindings"}


@settings(max_examples=400)
@given(st.text(alphabet="abc019-./%?#&=\\;:@ \n\u00e4", max_size=12), st.sampled_from(["namespace", "name", "query"]))
def test_whatever_text_is_put_in_a_place_the_target_stays_its_template(text: str, place: str) -> None:
    """Either refused, or the far end reads exactly this operation, namespace, name and query."""
    try:
        if place == "namespace":
            sent = guard.target(PODS, "v1", namespace=text)
            assert sent == f"/api/v1/namespaces/{text}/pods"
        elif place == "name":
            sent = guard.target(PENDING, "v1beta2", namespace="a", name=text)
            assert sent == f"/apis/visibility.kueue.x-k8s.io/v1beta2/namespaces/a/localqueues/{text}/pendingworkloads"
        else:
            sent = guard.target(EVENTS, "v1", namespace="a", query={"continue": text, "limit": "500"})
            # in a page token "/" and "=" may stand, quoted: what the far end reads is the token
            assert parse_qs(sent.partition("?")[2]) == {"continue": [text], "limit": ["500"]}
            return
    except guard.Refused:
        return
    assert "%" not in text and "/" not in text and "?" not in text and ".." not in text and not text.startswith(("-", "."))


@settings(max_examples=400)
@given(
    st.lists(
        st.one_of(
            NAMES,
            st.sampled_from(["namespaces", "pods", "secrets", "v1", "api", "apis", "kueue.x-k8s.io", "v1beta2", "workloads", "exec", "log", "proxy", "..", ""]),
        ),
        max_size=8,
    )
)
def test_any_path_is_an_allowed_operation_or_refused(segments: list[str]) -> None:
    sent = "/" + "/".join(segments)
    try:
        found = guard.check("GET", sent)
    except guard.Refused:
        return
    assert found in ALLOWED and found.method == "GET"
    if found is DISCOVERY:
        assert len(segments) == 1 or segments[2] in DISCOVERED[segments[1]]
    else:
        assert found.resource in segments and (not found.subresource or segments[-1] == found.subresource)


@pytest.mark.parametrize("name", ["Impersonate-User", "Impersonate-Group", "Upgrade", "Connection", "Cookie", "X-Remote-User", "Transfer-Encoding", "Range"])
def test_headers_that_are_never_sent(name: str) -> None:
    with pytest.raises(guard.Refused):
        guard.check_header(name, "x")
    with pytest.raises(guard.Refused):
        guard.check_header("Accept", "a\r\nImpersonate-User: admin")


@pytest.mark.parametrize(
    "asked",
    [
        Question("delete", "batch", "jobs", "a"),
        Question("*", "", "pods", "a"),
        Question("get", "", "secrets", "a"),
        Question("impersonate", "", "users"),
        Question("create", "kueue.x-k8s.io", "workloads", "a"),
        Question("list", "*", "*", "a"),
        Question("create", "batch", "jobs", "A"),
        Question("get", "", "namespaces", "a", "../b"),
        Question("create", "", "pods", "a", "", "exec"),
    ],
)
def test_a_question_that_is_not_listed_is_refused(asked: Question) -> None:
    with pytest.raises(guard.Refused):
        guard.review_body(asked)


def test_a_review_body_carries_nothing_else() -> None:
    body = guard.review_body(Question("create", "batch", "jobs", "a"))
    guard.check_body(ACCESS_REVIEW, body)
    for change in ({"spec": {**body["spec"], "user": "admin"}}, {"spec": {"nonResourceAttributes": {}}}, {"metadata": {}}, {"kind": "SubjectAccessReview"}):
        with pytest.raises(guard.Refused):
            guard.check_body(ACCESS_REVIEW, {**body, **change})
    with pytest.raises(guard.Refused):
        guard.check_body(SELF_REVIEW, {**guard.SELF_BODY, "spec": {}})
    with pytest.raises(guard.Refused):
        guard.check_body(WORKLOADS, body)
