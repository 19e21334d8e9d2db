"""The Kubernetes far end, on the wire. Words and shapes are those that kube-apiserver 1.36.3 gave to the same requests [ran].

Longer than 400 lines: one table of cases, and whoever adds one has to see the others.
"""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests

from hpgov_jlab.sandbox.faults import Faults
from hpgov_jlab.sandbox.kubernetes.access_policies import POLICIES, Grant
from hpgov_jlab.sandbox.kubernetes.far_end import KubernetesFarEnd, static_tokens
from hpgov_jlab.sandbox.kubernetes.recording import load, parse

from ..clock import HANGS
from .tiny import KUEUE, PEOPLE, RBAC, RECORDED_AT, raw, role

A = f"/apis/{KUEUE}/namespaces/ns-a/workloads"
SSAR = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
SSR = "/apis/authentication.k8s.io/v1/selfsubjectreviews"


class Clock:
    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


class Client:
    """Plain HTTPS that trusts the far end's own authority and nothing else."""

    def __init__(self, far: KubernetesFarEnd, folder: Path) -> None:
        self.far = far
        ca = folder / "ca.pem"
        ca.write_text(far.ca_pem)
        self.http = requests.Session()
        self.http.trust_env = False
        self.http.verify = str(ca)

    def __call__(self, path: str, who: str | None = "alice", *, method: str = "GET", headers: dict[str, str] | None = None, **more: Any) -> requests.Response:
        headers = {**({"Authorization": f"Bearer {who}-token"} if who else {}), **(headers or {})}
        return self.http.request(method, self.far.url + path, headers=headers, timeout=HANGS, allow_redirects=False, **more)

    def review(self, who: str = "alice", **attributes: str) -> dict[str, Any]:
        r = self(
            SSAR,
            who,
            method="POST",
            json={"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview", "spec": {"resourceAttributes": attributes}},
        )
        assert r.status_code == 201, r.text
        return dict(r.json()["status"])


Start = Callable[..., tuple[KubernetesFarEnd, Client]]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    running: list[KubernetesFarEnd] = []

    def run(recording: Any = None, **options: Any) -> tuple[KubernetesFarEnd, Client]:
        far = KubernetesFarEnd(recording or parse(raw()), static_tokens(PEOPLE), **options).start()
        running.append(far)
        return far, Client(far, tmp_path)

    yield run
    for far in running:
        far.stop()
        assert far.errors == ()


def status(r: requests.Response) -> tuple[int, str, str, Any]:
    body = r.json()
    assert body["kind"] == "Status" and body["apiVersion"] == "v1" and body["status"] == "Failure" and body["code"] == r.status_code
    return r.status_code, body["message"], body.get("reason", ""), body.get("details")


# -- who, may they, is it there: in this order --------------------------------------------------------------------------------


def test_unknown_token_is_401_and_no_token_is_anonymous(start: Start) -> None:
    _, get = start()
    assert status(get(A, "stranger")) == (401, "Unauthorized", "Unauthorized", None)
    code, text, *_ = status(get(A, None))
    assert code == 403 and text.startswith('workloads.kueue.x-k8s.io is forbidden: User "system:anonymous" cannot list resource "workloads"')
    assert get("/version", None).json()["gitVersion"] == "v1.36.3"
    assert status(get("/apis", None))[1] == 'forbidden: User "system:anonymous" cannot get path "/apis"'


@pytest.mark.parametrize(
    ("path", "text", "details"),
    [
        (f"/apis/{KUEUE}/workloads",
         'workloads.kueue.x-k8s.io is forbidden: User "alice" cannot list resource "workloads" in API group "kueue.x-k8s.io" at the cluster scope',
         {"group": "kueue.x-k8s.io", "kind": "workloads"}),
        (f"/apis/{KUEUE}/namespaces/ns-b/workloads/x0",
         'workloads.kueue.x-k8s.io "x0" is forbidden: User "alice" cannot get resource "workloads" in API group "kueue.x-k8s.io" in the namespace "ns-b"',
         {"name": "x0", "group": "kueue.x-k8s.io", "kind": "workloads"}),
        ("/api/v1/namespaces/ns-b/pods/p/log", 'pods "p" is forbidden: User "alice" cannot get resource "pods/log" in API group "" in the namespace "ns-b"',
         {"name": "p", "kind": "pods"}),
        ("/nothing", 'forbidden: User "alice" cannot get path "/nothing"', {}),
    ],
)  # fmt: skip
def test_forbidden_in_the_servers_own_words(start: Start, path: str, text: str, details: Any) -> None:
    _, get = start()
    assert status(get(path)) == (403, text, "Forbidden", details)


def test_a_binding_to_a_lost_role_is_named(start: Start) -> None:
    _, get = start()
    assert status(get(A, "bob"))[1].endswith('in the namespace "ns-a": RBAC: clusterrole.rbac.authorization.k8s.io "lost" not found')


def test_rights_come_before_existence(start: Start) -> None:
    """An absent CRD is 403 without the right and 404 with it; built-in groups answer a Status, CRD groups plain text."""
    _, get = start()
    absent = "/apis/sagemaker.amazonaws.com/v1/namespaces/ns-a/hyperpodpytorchjobs"
    assert get(absent).status_code == 403
    r = get(absent, "admin")
    assert (r.status_code, r.text, r.headers["Content-Type"]) == (404, "404 page not found\n", "text/plain; charset=utf-8")
    assert get("/apis/gone.example.com/v1/namespaces/ns-a/things").text == "404 page not found\n"
    assert status(get("/api/v1/namespaces/ns-a/foos", "admin")) == (404, "the server could not find the requested resource", "NotFound", {})
    assert get(f"/apis/{KUEUE}/workloads/w0", "admin").status_code == 404
    assert status(get(f"{A}/none")) == (
        404,
        'workloads.kueue.x-k8s.io "none" not found',
        "NotFound",
        {"name": "none", "group": "kueue.x-k8s.io", "kind": "workloads"},
    )


def test_team_role_reads_its_own_queue_by_name_only(start: Start) -> None:
    """facts/kubernetes.md 4.3, the matrix of the official team role."""
    _, get = start()
    queues = f"/apis/{KUEUE}/clusterqueues"
    codes = {
        p: get(p).status_code
        for p in (A, f"/apis/{KUEUE}/namespaces/ns-b/workloads", f"{queues}/ns-a-clusterqueue", f"{queues}/ns-b-clusterqueue", queues,
                  f"{queues}?fieldSelector=metadata.name%3Dns-a-clusterqueue", f"{queues}?fieldSelector=metadata.name%21%3Dns-b-clusterqueue",
                  f"/apis/{KUEUE}/namespaces/ns-a/localqueues", f"/apis/{KUEUE}/cohorts", "/api/v1/namespaces", "/api/v1/namespaces/ns-b",
                  "/apis/visibility.kueue.x-k8s.io/v1beta2/namespaces/ns-a/localqueues/lq/pendingworkloads", "/apis")
    }  # fmt: skip
    assert list(codes.values()) == [200, 403, 200, 403, 403, 200, 403, 403, 403, 200, 200, 403, 200]
    assert [o["metadata"]["name"] for o in get(f"{queues}?fieldSelector=metadata.name%3Dns-a-clusterqueue").json()["items"]] == ["ns-a-clusterqueue"]


def test_self_reviews(start: Start) -> None:
    far, get = start()
    assert get.review(verb="list", group="kueue.x-k8s.io", resource="workloads", namespace="ns-a") == {
        "allowed": True,
        "reason": 'RBAC: allowed by RoleBinding "team/ns-a" of Role "team" to Group "team-a"',
    }
    assert get.review(verb="list", group="kueue.x-k8s.io", resource="workloads") == {"allowed": False}
    assert get.review(verb="get", resource="pods", subresource="log", namespace="ns-a")["allowed"]
    assert not get.review(verb="get", resource="pods", subresource="exec", namespace="ns-a")["allowed"]
    assert get.review("admin", verb="delete", resource="nodes") == {"allowed": True}
    assert get.review("bob", verb="list", resource="pods", namespace="ns-a")["reason"] == 'RBAC: clusterrole.rbac.authorization.k8s.io "lost" not found'
    r = get(SSR, method="POST", json={"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"})
    assert r.status_code == 201
    assert r.json()["status"]["userInfo"] == {"username": "alice", "uid": "3", "groups": ["team-a", "system:authenticated"]}
    assert status(get(SSAR, method="POST", json={"kind": "SelfSubjectAccessReview", "spec": {}}))[0] == 422
    assert status(get(SSAR, method="POST", data=b"{bad", headers={"Content-Type": "application/json"}))[0] == 400
    assert status(get(SSAR, method="POST", data=b"x", headers={"Content-Type": "text/plain"}))[0] == 415
    assert not far.violations
    assert far.log[0].review == {"resourceAttributes": {"verb": "list", "group": "kueue.x-k8s.io", "resource": "workloads", "namespace": "ns-a"}}


def test_access_policies_are_a_second_authorizer(start: Start) -> None:
    grants = {"eve": [Grant("arn:aws:eks::aws:cluster-access-policy/AmazonEKSViewPolicy", ("ns-a",)), Grant("AmazonSagemakerHyperpodUserClusterPolicy")]}
    _, get = start(policies=lambda user: grants.get(user.username, []))
    assert get("/api/v1/namespaces/ns-a/pods", "eve").status_code == 200
    assert get("/api/v1/namespaces/ns-b/pods", "eve").status_code == 403
    assert get("/api/v1/namespaces/ns-a/secrets", "eve").status_code == 403
    assert get(A, "eve").status_code == 403, "the view policy covers no CRDs"
    assert get(f"/apis/{KUEUE}/clusterqueues", "eve").status_code == 200
    assert get("/api/v1/namespaces/ns-a/pods", "nobody").status_code == 403
    assert get.review("eve", verb="list", resource="pods", namespace="ns-a") == {"allowed": True, "reason": "EKS Access Policy: allowed by AmazonEKSViewPolicy"}
    assert get(A).status_code == 200, "RBAC still counts"


def test_no_read_policy_grants_a_write() -> None:
    for name in ("AmazonEKSViewPolicy", "AmazonEKSAdminViewPolicy", "AmazonSagemakerHyperpodUserClusterPolicy"):
        assert all(rule.verbs <= {"get", "list", "watch"} for rule in POLICIES[name])


# -- lists ---------------------------------------------------------------------------------------------------------------------


def names(r: requests.Response) -> list[str]:
    assert r.status_code == 200, r.text
    return [o["metadata"]["name"] for o in r.json()["items"]]


def test_pages(start: Start) -> None:
    _, get = start()
    got, sizes, token = [], [], ""
    while True:
        body = get(A, params={"limit": 2, **({"continue": token} if token else {})}).json()
        got += [o["metadata"]["name"] for o in body["items"]]
        sizes.append((len(body["items"]), body["metadata"].get("remainingItemCount")))
        token = body["metadata"]["continue"]
        if not token:
            break
    assert got == ["w0", "w1", "w2", "w3", "w4"] and sizes == [(2, 3), (2, 1), (1, None)]
    assert names(get(f"/apis/{KUEUE}/workloads", "admin", params={"limit": 50})) == [*got, "x0"]


def test_a_list_goes_on_from_where_it_began_or_expires(start: Start) -> None:
    clock = Clock()
    _, get = start(clock=clock)
    first = get(A, params={"limit": 2}).json()["metadata"]
    clock.now += 45  # two frames later w4 is gone
    second = get(A, params={"limit": 9, "continue": first["continue"]}).json()
    assert [o["metadata"]["name"] for o in second["items"]] == ["w2", "w3", "w4"] and second["metadata"]["resourceVersion"] == first["resourceVersion"]
    assert names(get(A)) == ["w0", "w1", "w2", "w3"]
    clock.now += 80  # the story began again
    r = get(A, params={"limit": 2, "continue": first["continue"]})
    code, text, reason, _ = status(r)
    assert (code, reason) == (410, "Expired") and text.startswith("The provided continue parameter is too old to display a consistent list result.")
    assert names(get(A, params={"limit": 9, "continue": r.json()["metadata"]["continue"]})) == ["w2", "w3", "w4"]
    assert status(get(A, params={"continue": "garbage"}))[1].startswith("invalid continue token: continue key is not valid: ")
    assert status(get(A, params={"continue": first["continue"], "resourceVersion": "5"}))[1] == "specifying resource version is not allowed when using continue"


@pytest.mark.parametrize(
    ("selector", "expected"),
    [("i=0", ["w0", "w2", "w4"]), ("i==1", ["w1", "w3"]), ("i!=1", ["w0", "w2", "w4"]), ("i in (1, 7)", ["w1", "w3"]), ("i notin (1)", ["w0", "w2", "w4"]),
     ("i", ["w0", "w1", "w2", "w3", "w4"]), ("!i", []), ("i=0,j", []), ("i,!j,i in (1)", ["w1", "w3"])],
)  # fmt: skip
def test_label_selectors(start: Start, selector: str, expected: list[str]) -> None:
    _, get = start()
    assert names(get(A, params={"labelSelector": selector})) == expected


def test_selectors_that_the_server_refuses(start: Start) -> None:
    _, get = start()
    assert status(get(A, params={"labelSelector": "==="}))[0] == 400
    assert status(get(A, params={"fieldSelector": "spec.x=1"}))[1] == "field label not supported: spec.x"
    assert status(get(A, params={"fieldSelector": "bogus"}))[1] == "invalid selector: 'bogus'; can't understand 'bogus'"
    assert status(get(A, params={"limit": "x"}))[1] == 'strconv.ParseInt: parsing "x": invalid syntax'
    pods = "/api/v1/namespaces/ns-a/pods"
    assert names(get(pods, params={"fieldSelector": "status.phase=Pending"})) == ["p0"]
    assert names(get(pods, params={"fieldSelector": "metadata.namespace=ns-a,metadata.name!=p0"})) == ["p1", "p2"]


def test_shapes_of_lists_differ_for_built_in_kinds(start: Start) -> None:
    _, get = start()
    pods, workloads = get("/api/v1/namespaces/ns-a/pods").json(), get(A).json()
    assert pods["kind"] == "PodList" and "kind" not in pods["items"][0] and "continue" not in pods["metadata"]
    assert workloads["kind"] == "WorkloadList" and workloads["items"][0]["kind"] == "Workload" and workloads["metadata"]["continue"] == ""
    assert get("/api/v1/namespaces/ns-a/pods/p0").json()["kind"] == "Pod"


# -- discovery and positions ---------------------------------------------------------------------------------------------------


def test_discovery_serves_what_was_recorded_and_no_more(start: Start) -> None:
    _, get = start()
    groups = {g["name"]: [v["version"] for v in g["versions"]] for g in get("/apis", "nobody").json()["groups"]}
    assert groups["kueue.x-k8s.io"] == ["v1beta2", "v1beta1"]
    assert get("/apis/kueue.x-k8s.io").json()["preferredVersion"]["version"] == "v1beta2"
    assert get("/apis/kueue.x-k8s.io/v1beta1").json()["resources"] == [], "workloads were recorded in v1beta2 only: this far end converts nothing"
    assert get("/apis/none.example.com").status_code == 404
    accept = {"Accept": "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json"}
    r = get("/apis", headers=accept)
    assert r.headers["Content-Type"] == "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
    kueue = next(g for g in r.json()["items"] if g["metadata"]["name"] == "kueue.x-k8s.io")["versions"][0]
    assert {x["resource"]: x["scope"] for x in kueue["resources"]} == {
        "workloads": "Namespaced",
        "localqueues": "Namespaced",
        "clusterqueues": "Cluster",
        "cohorts": "Cluster",
    }
    assert get("/api", headers=accept).json()["items"][0]["versions"][0]["version"] == "v1"


def test_absent_groups(start: Start) -> None:
    _, get = start(absent=["kueue.x-k8s.io", "visibility.kueue.x-k8s.io"])
    assert {g["name"] for g in get("/apis").json()["groups"]} == {"batch", "rbac.authorization.k8s.io"}
    assert get("/apis/kueue.x-k8s.io").status_code == 404
    assert (get(A).status_code, get(A, "bob").status_code) == (404, 403)


def test_positions(start: Start) -> None:
    far, get = start(clock=(clock := Clock()))
    path = "/apis/visibility.kueue.x-k8s.io/v1beta2/namespaces/ns-a/localqueues/lq/pendingworkloads"
    assert [i["positionInLocalQueue"] for i in get(path, "admin", params={"offset": 1, "limit": 1}).json()["items"]] == [1]
    far.faults.set("k8s-visibility-down")
    r = get(path, "admin")
    assert (r.status_code, r.text) == (503, "service unavailable\n")
    assert get(A).status_code == 200
    far.faults.clear()
    clock.now += 45
    assert get(path, "admin").status_code == 404


# -- time ----------------------------------------------------------------------------------------------------------------------


def moment(text: str) -> float:
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def test_the_story_is_told_again_and_again(start: Start) -> None:
    clock = Clock()
    far, get = start(clock=clock, pause=30)
    began, seen = clock.now, []
    for _ in range(3):
        for _at in (0, 25, 45, 85):  # 85: the pause
            o = get(f"{A}/w0").json()
            condition, listed = o["status"]["conditions"][0], get(A)
            times = [moment(t) - began for t in (o["metadata"]["creationTimestamp"], condition["lastTransitionTime"])]
            versions = [int(m["resourceVersion"]) for m in (o["metadata"], listed.json()["metadata"])]
            seen.append((*times, condition["status"], o["metadata"]["uid"], *versions, len(names(listed))))
            clock.now += {0: 25, 25: 20, 45: 40, 85: 5}[_at]
    born, changed, admitted, uids, objects, lists, counts = zip(*seen, strict=True)
    assert born == (-300,) * 4 + (-210,) * 4 + (-120,) * 4
    assert admitted == ("False", "True", "True", "True") * 3
    assert changed[:5] == (-290, 20, 20, 20, -200)
    assert len(set(uids)) == 3 and list(objects) == sorted(objects) and list(lists) == sorted(lists) and lists[4] > lists[3]
    assert counts == (5, 5, 4, 4) * 3
    assert moment(get("/api/v1/namespaces/ns-a").json()["metadata"]["creationTimestamp"]) < clock.now - 2 * 86400 + 300, "old stays old"
    owner = get(f"{A}/w0").json()["metadata"]["ownerReferences"][0]["uid"]
    assert owner != raw()["frames"][0]["upserts"][f"{KUEUE}/workloads"][0]["metadata"]["ownerReferences"][0]["uid"]
    assert far.recording.recorded_at == RECORDED_AT


def test_speed_offset_and_freezing(start: Start) -> None:
    clock = Clock()
    _, get = start(clock=clock, speed=4, offset=20)
    condition = get(f"{A}/w0").json()["status"]["conditions"][0]
    assert condition["status"] == "True" and moment(condition["lastTransitionTime"]) == clock.now
    clock.now += 5
    assert len(names(get(A))) == 4

    far, get = start(clock=clock)
    assert far.replay.freeze("w4 is deleted").frame == 2
    before = get(A).json()["metadata"]["resourceVersion"]
    clock.now += 3600
    assert len(names(get(A))) == 4
    far.replay.freeze(0)
    assert len(names(get(A))) == 5 and int(get(A).json()["metadata"]["resourceVersion"]) > int(before)
    far.replay.thaw()
    clock.now += 45
    assert len(names(get(A))) == 4
    far.replay.restart()
    assert far.replay.told()[2] == "w0 to w4 wait"
    clock.now += 25
    assert far.replay.told()[1:] == (1, "w0 is admitted")
    with pytest.raises(ValueError, match="w0 to w4 wait"):
        far.replay.freeze("no such thing")


def test_a_recording_that_is_wrong_says_so() -> None:
    broken = raw()
    broken["frames"][1]["at"] = 50
    with pytest.raises(ValueError, match="order of time"):
        parse(broken)
    with pytest.raises(ValueError, match="there is no recording"):
        load("never-made")
    with pytest.raises(ValueError, match="ns-z"):
        parse(raw()).with_annotations({"ns-z": {"a": "b"}})


def test_scenarios_add_objects_and_annotations(start: Start) -> None:
    published = role("ns-b")
    published[f"{RBAC}/rolebindings"][0]["metadata"] = {"name": "more", "namespace": "ns-b"}
    published[f"{RBAC}/rolebindings"][0]["subjects"] = [{"kind": "User", "name": "nobody"}]
    recording = (
        parse(raw())
        .with_objects({f"{RBAC}/rolebindings": published[f"{RBAC}/rolebindings"]})
        .with_annotations({"ns-a": {"hpgov/contract": "since: 2020-01-01T00:00:00Z"}})
    )
    _, get = start(recording)
    assert get("/api/v1/namespaces/ns-b/pods", "nobody").status_code == 200
    assert get("/api/v1/namespaces/ns-a").json()["metadata"]["annotations"] == {"hpgov/contract": "since: 2020-01-01T00:00:00Z"}
    made = get(f"/apis/{RBAC}/namespaces/ns-b/rolebindings/more", "admin").json()["metadata"]
    assert made["uid"] and made["creationTimestamp"] and made["resourceVersion"]


# -- nothing but reads -------------------------------------------------------------------------------------------------------


def test_writes_are_refused_and_noted(start: Start) -> None:
    far, get = start()
    assert status(get("/apis/batch/v1/namespaces/ns-a/jobs", method="POST", json={}))[:3] == (
        405,
        "the server does not allow this method on the requested resource",
        "MethodNotAllowed",
    )
    assert get(f"{A}/w0", method="DELETE").status_code == 403
    assert get(A, "admin", method="DELETE").status_code == 405
    assert get(A, params={"watch": "1"}).status_code == 403
    assert get(A, headers={"Impersonate-User": "admin"}).status_code == 403
    assert get(A, "admin", headers={"Impersonate-User": "admin"}).status_code == 403
    assert get("/api/v1/namespaces/ns-a/pods/p0/log").status_code == 404
    assert get("/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", method="POST", json={}).status_code == 405
    assert [e.violation for e in far.violations] == [
        "POST jobs", "DELETE workloads", "DELETE workloads", "a watch", "impersonation", "impersonation", "subresource pods/log",
        "POST selfsubjectrulesreviews",
    ]  # fmt: skip
    entry = far.log[1]
    assert (entry.user, entry.verb, entry.group, entry.resource, entry.namespace, entry.name, entry.code) == (
        "alice",
        "delete",
        "kueue.x-k8s.io",
        "workloads",
        "ns-a",
        "w0",
        403,
    )
    far.clear_log()
    assert get(A).status_code == 200 and get("/apis").status_code == 200 and not far.violations and len(far.log) == 2


@pytest.mark.parametrize(
    "target", ["/api/v1/namespaces/ns-a/../ns-b/pods", "/api/v1/namespaces/ns-a/%2e%2e/ns-b/pods", "//api/v1/namespaces", "/api/v1/namespaces/ns-a%2Fpods"]
)
def test_paths_that_are_not_plain_are_noted_as_they_came(start: Start, target: str) -> None:
    far, _ = start()
    with raw_connection(far) as s:
        s.sendall(f"GET {target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer alice-token\r\nConnection: close\r\n\r\n".encode())
        assert s.recv(4096).startswith(b"HTTP/1.1 ")
    assert [(e.target, e.violation) for e in far.log] == [(target, "a path that is not plain")]


def raw_connection(far: KubernetesFarEnd) -> ssl.SSLSocket:
    context = ssl.create_default_context(cadata=far.ca_pem)
    host = urlsplit(far.url)
    return context.wrap_socket(socket.create_connection((str(host.hostname), int(host.port or 0)), HANGS), server_hostname="127.0.0.1")


def test_a_request_that_breaks_off_was_never_asked(start: Start) -> None:
    far, _ = start()
    with raw_connection(far) as connection:
        head = "POST /apis/authentication.k8s.io/v1/selfsubjectreviews HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n"
        connection.sendall(f'{head}{{"kind"'.encode())
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(65536):
            pass
    assert not far.log and not far.errors


def test_only_its_own_authority_vouches_for_it(start: Start) -> None:
    far, _ = start()
    other, _ = start()
    with pytest.raises(requests.exceptions.SSLError):
        requests.get(far.url + "/version", timeout=HANGS)
    context = ssl.create_default_context(cadata=other.ca_pem)
    host = urlsplit(far.url)
    with socket.create_connection((str(host.hostname), int(host.port or 0)), HANGS) as plain, pytest.raises(ssl.SSLCertVerificationError):
        context.wrap_socket(plain, server_hostname="127.0.0.1")


# -- faults ----------------------------------------------------------------------------------------------------------------------


def test_faults_with_an_answer(start: Start) -> None:
    faults = Faults(["k8s-throttle=2"])
    _, get = start(faults=faults)
    r = get(A)
    assert (r.status_code, r.headers["Retry-After"], r.text) == (429, "1", "Too many requests, please try again later.\n")
    assert [get(A).status_code for _ in range(2)] == [429, 200]

    faults.set("k8s-conversion")
    code, text, reason, _ = status(get(A))
    assert code == 500 and reason == "" and text.startswith("conversion webhook for kueue.x-k8s.io/v1beta2, Kind=Workload failed: Post ")
    assert get("/api/v1/namespaces/ns-a/pods").status_code == 200
    faults.clear()

    faults.set("k8s-unauthorized", on="k8s:list workloads.kueue.x-k8s.io", times=1)
    assert [get("/apis").status_code, get(A).status_code, get(A).status_code] == [200, 401, 200]

    faults.set("k8s-denied", on="k8s:* workloads.kueue.x-k8s.io")
    assert get(A).status_code == 403 and get("/api/v1/namespaces/ns-a/pods").status_code == 200
    assert get.review(verb="list", group="kueue.x-k8s.io", resource="workloads", namespace="ns-a") == {"allowed": False}
    faults.clear()

    faults.set("k8s-continue-expired", times=1)
    token = get(A, params={"limit": 2}).json()["metadata"]["continue"]
    assert status(get(A, params={"limit": 2, "continue": token}))[0] == 410
    faults.set("k8s-html-200")
    assert get(A).text.startswith("<!doctype html>")
    faults.clear()

    faults.set("k8s-malformed-json")
    r = get(A)
    assert r.status_code == 200
    with pytest.raises(json.JSONDecodeError):
        json.loads(r.content)
    faults.clear()

    faults.set("k8s-huge-body", value=2)
    r = get(A)
    assert len(r.content) > 2 * 1024 * 1024 and r.headers["Content-Encoding"] == "gzip" and len(r.json()["items"]) == 5
    r = get(A, headers={"Accept-Encoding": "identity"})
    assert len(r.content) > 2 * 1024 * 1024 and "Content-Encoding" not in r.headers


def test_a_server_whose_clock_is_ahead_says_so_everywhere(start: Start) -> None:
    clock = Clock()
    far, get = start(clock=clock)
    true = moment(get(f"{A}/w0").json()["metadata"]["creationTimestamp"])
    far.faults.set("k8s-clock-skew", value=600)
    r = get(f"{A}/w0")
    assert moment(r.json()["metadata"]["creationTimestamp"]) == true + 600
    assert datetime.strptime(r.headers["Date"], "%a, %d %b %Y %H:%M:%S GMT").timestamp() - time.timezone == pytest.approx(clock.now + 600, abs=2)


def test_faults_below_the_answer(start: Start) -> None:
    far, get = start()
    far.faults.set("k8s-cut", times=1)
    with pytest.raises(requests.exceptions.RequestException):
        get(A)
    far.faults.set("k8s-hang-up", times=1)
    with pytest.raises(requests.exceptions.ConnectionError):
        get(A)
    far.faults.set("k8s-slow", value=0.4, times=1)
    began = time.monotonic()
    assert get(A).status_code == 200 and time.monotonic() - began >= 0.4
    far.faults.set("k8s-drip", value=0.6, times=1)
    began = time.monotonic()
    assert len(get(A).json()["items"]) == 5 and time.monotonic() - began >= 0.5
    far.faults.set("k8s-drip", value=600, times=1)
    with get(A, stream=True) as r:  # it comes with the headers, the body has not come yet
        assert r.status_code == 200 and 0 < len(r.raw.read(1)) < int(r.headers["Content-Length"])


def test_stopping_ends_also_what_drips() -> None:
    far = KubernetesFarEnd(parse(raw()), static_tokens(PEOPLE), faults=Faults(["k8s-drip=600"])).start()
    with raw_connection(far) as s:
        s.sendall(f"GET {A} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer alice-token\r\n\r\n".encode())
        assert s.recv(100)
        began = time.monotonic()
        far.stop()
        with contextlib.suppress(OSError):  # a reset ends it as well as an end of file
            while s.recv(65536):
                pass
        assert time.monotonic() - began < 20, "the next drop comes after three seconds, the last one after ten minutes"
