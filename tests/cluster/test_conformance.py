"""One request script against the real cluster and against the sandbox's far end that replays a recording of it (issue 4, point 8).

Compared are status, media type, the whole of error bodies, lists' envelopes, names and shapes of objects, paging, discovery and self-reviews. What differs
stands in DIFFERS with its reason, and in docs/tables/conformance.md; a difference that is gone, or a new one, fails.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import requests

from hpgov_jlab.policy import render_kubernetes
from hpgov_jlab.sandbox.kubernetes.far_end import KubernetesFarEnd, static_tokens
from hpgov_jlab.sandbox.kubernetes.rbac import User
from hpgov_jlab.sandbox.kubernetes.recording import load
from hpgov_jlab.sandbox.record import Recorder
from tests.testbed import tasks
from tests.testbed.hands import Hands
from tests.testbed.hyperpod import HyperPod, Team, is_true
from tests.testbed.rig import ADMIN
from tests.testbed.tasks import template

from . import tables

K, V = "/apis/kueue.x-k8s.io/v1beta2", "/apis/visibility.kueue.x-k8s.io/v1beta2"
OLD = "/apis/kueue.x-k8s.io/v1beta1"
AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json"
REVIEW = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"


@dataclass(frozen=True)
class Ask:
    title: str
    who: str
    path: str
    method: str = "GET"
    body: dict[str, Any] | None = None
    accept: str = "application/json"
    token: str | None = None


def may(verb: str, group: str, resource: str, namespace: str = "", name: str = "", subresource: str = "") -> dict[str, Any]:
    asked = {"verb": verb, "group": group, "resource": resource, "namespace": namespace, "name": name, "subresource": subresource}
    return {"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview", "spec": {"resourceAttributes": {k: v for k, v in asked.items() if v}}}


def script(team: Team, other: Team) -> Iterator[Ask]:
    ns, cq, lq = team.namespace, team.queue, team.local_queue
    for path in (
        "/api",
        "/api/v1",
        "/apis",
        "/apis/kueue.x-k8s.io",
        "/apis/kueue.x-k8s.io/v1beta2",
        "/apis/kueue.x-k8s.io/v1beta1",
        "/apis/batch/v1",
        "/apis/kubeflow.org/v1",
        "/version",
    ):
        yield Ask(f"discovery {path}", "member", path)
    yield Ask("aggregated discovery", "member", "/apis", accept=AGGREGATED)
    yield Ask("a group that is not served", "member", "/apis/paddle.example.com/v1")
    for who in ("member", "reader", "nobody"):
        yield Ask(f"own Workloads, {who}", who, f"{K}/namespaces/{ns}/workloads?limit=500")
        yield Ask(f"own Workloads in v1beta1, {who}", who, f"{OLD}/namespaces/{ns}/workloads?limit=500")
        yield Ask(f"own queue by name, {who}", who, f"{K}/clusterqueues/{cq}")
        yield Ask(f"all queues, {who}", who, f"{K}/clusterqueues?limit=500")
        yield Ask(f"LocalQueues, {who}", who, f"{K}/namespaces/{ns}/localqueues?limit=500")
        yield Ask(f"positions, {who}", who, f"{V}/namespaces/{ns}/localqueues/{lq}/pendingworkloads?limit=1000")
        yield Ask(f"own namespace, {who}", who, f"/api/v1/namespaces/{ns}")
        yield Ask(f"pods, {who}", who, f"/api/v1/namespaces/{ns}/pods?limit=500")
        yield Ask(f"events, {who}", who, f"/api/v1/namespaces/{ns}/events?limit=500")
        yield Ask(f"jobs, {who}", who, f"/apis/batch/v1/namespaces/{ns}/jobs?limit=500")
        yield Ask(f"pytorchjobs, {who}", who, f"/apis/kubeflow.org/v1/namespaces/{ns}/pytorchjobs?limit=500")
        yield Ask(f"a kind that is not installed, {who}", who, f"/apis/kubeflow.org/v1/namespaces/{ns}/paddlejobs?limit=500")
        yield Ask(f"priority classes, {who}", who, f"{K}/workloadpriorityclasses?limit=500")
        yield Ask(f"other team's Workloads, {who}", who, f"{K}/namespaces/{other.namespace}/workloads?limit=500")
        yield Ask(f"other team's queue by name, {who}", who, f"{K}/clusterqueues/{other.queue}")
        yield Ask(
            f"who am I, {who}",
            who,
            "/apis/authentication.k8s.io/v1/selfsubjectreviews",
            "POST",
            {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"},
        )
        questions = (
            may("list", "kueue.x-k8s.io", "workloads", ns),
            may("list", "kueue.x-k8s.io", "workloads", other.namespace),
            may("get", "kueue.x-k8s.io", "clusterqueues", name=cq),
            may("list", "kueue.x-k8s.io", "clusterqueues"),
            may("create", "batch", "jobs", ns),
            may("get", "visibility.kueue.x-k8s.io", "localqueues", ns, lq, "pendingworkloads"),
            may("list", "no.such.group", "things", ns),
        )
        for asked in questions:
            a = asked["spec"]["resourceAttributes"]
            yield Ask(f"may I {a['verb']} {a['resource']} {'there' if a.get('namespace') == other.namespace else 'here'}, {who}", who, REVIEW, "POST", asked)
    yield Ask("a queue that does not exist, as administrator", "admin", f"{K}/clusterqueues/no-such-queue")
    yield Ask("a pod that does not exist", "reader", f"/api/v1/namespaces/{ns}/pods/none")
    yield Ask("pages of one", "reader", f"/api/v1/namespaces/{ns}/pods?limit=1")
    yield Ask("a continue token that is none", "reader", f"/api/v1/namespaces/{ns}/pods?limit=1&continue=abc")
    yield Ask("a limit that is none", "reader", f"/api/v1/namespaces/{ns}/pods?limit=abc")
    yield Ask("events of one object", "reader", f"/api/v1/namespaces/{ns}/events?fieldSelector=involvedObject.name%3Dno-such-thing")
    yield Ask("a field selector that is none", "reader", f"{K}/namespaces/{ns}/workloads?fieldSelector=spec.foo%3Dbar")
    yield Ask("own queue by field selector", "member", f"{K}/clusterqueues?fieldSelector=metadata.name%3D{cq}")
    yield Ask("no token", "member", f"{K}/namespaces/{ns}/workloads", token="")
    yield Ask("a token of nobody", "member", f"{K}/namespaces/{ns}/workloads", token="forged")
    yield Ask("deleting", "reader", f"/apis/batch/v1/namespaces/{ns}/jobs/runs", "DELETE")
    yield Ask("creating", "reader", f"/apis/batch/v1/namespaces/{ns}/jobs", "POST", {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "x"}})


def shape(value: Any) -> Any:
    """Keys and types; of lists the shapes in order."""
    if isinstance(value, dict):
        return {k: shape(v) for k, v in sorted(value.items()) if k != "managedFields"}
    return [shape(v) for v in value] if isinstance(value, list) else type(value).__name__


def seen(response: requests.Response, ask: Ask) -> dict[str, Any]:
    """What is compared of one answer."""
    found: dict[str, Any] = {"status": response.status_code, "type": response.headers.get("Content-Type", "").split(";")[0]}
    try:
        body = response.json()
    except ValueError:
        return {**found, "text": response.text}
    found["kind"] = (body.get("kind"), body.get("apiVersion"))
    if body.get("kind") == "Status":
        return {**found, "body": body}
    if "selfsubject" in ask.path:
        status = body["status"]
        if "userInfo" in status:
            return {**found, "user": status["userInfo"]["username"], "groups": sorted(status["userInfo"].get("groups", []))}
        return {**found, "allowed": status.get("allowed"), "keys": sorted(status)}
    if ask.path.startswith(("/api", "/apis", "/version")) and "namespaces/" not in ask.path and "items" not in body and "spec" not in body:
        return {**found, "body": body}
    if body.get("kind") == "APIGroupDiscoveryList":
        return {**found, "groups": {g["metadata"]["name"]: [v["version"] for v in g["versions"]] for g in body["items"]}}
    if "items" in body:
        named = [i.get("metadata", {}).get("name") for i in body["items"] or []]
        return {
            **found,
            "names": named,
            "items": [shape(i) for i in body["items"] or []],
            "more": bool(body["metadata"].get("continue")),
            "metadata": sorted(body["metadata"]),
        }
    return {**found, "object": shape(body)}


# title -> why the sandbox's answer is another one, and which of the compared things
DIFFERS: dict[str, str] = {"a continue token that is none": "the same status and reason; the words about the bytes are those of Go's decoder and of Python's"}


@pytest.fixture(scope="module")
def both(
    cluster_0_19: HyperPod, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Team, Team, Callable[[Ask], tuple[dict[str, Any], dict[str, Any]]]]]:
    c = cluster_0_19
    number = c.number()
    team, other = (c.team(f"{name}-{number}", 1, cohort=None) for name in ("conform", "beside"))
    hands = Hands(c)
    hands.submit(tasks.job(team, "runs", 2, template(4, "4", "16Gi")))
    hands.submit(tasks.pytorch_job(team, "waits", 1, template(8, "4", "16Gi")))
    c.until(lambda: is_true(c.workload_of(team.namespace, "runs"), "Admitted") and c.workload_of(team.namespace, "waits"), "both")
    c.until(lambda: sum(p["status"].get("phase") == "Running" for p in hands.pods(team.namespace, "runs")) == 2, "two pods", 40)
    member, reader, nobody = c.member(team, f"member-{number}"), c.person(f"reader-{number}"), c.person(f"nobody-{number}")
    c.apply(*render_kubernetes.team([team.namespace], [team.queue], render_kubernetes.Subject("User", reader.name)))
    time.sleep(3)  # events come late

    def get(path: str) -> tuple[int, Any]:
        response = c.get(path)
        return response.status_code, response.json()

    recorder = Recorder(get)
    recorder.discover()
    recorder.tell("now", 0)
    folder = Path(tmp_path_factory.mktemp("recorded"))
    recorder.write(folder / "now.json", "now", "0.19.2")
    people = {p.token: User(p.name, tuple(p.groups), f"uid-{p.name}") for p in (member, reader, nobody)} | {ADMIN: User("admin", ("system:masters",))}
    tokens = {"member": member.token, "reader": reader.token, "nobody": nobody.token, "admin": ADMIN}
    with KubernetesFarEnd(load("now", folder), static_tokens(people), clock=lambda: recorder.begin).start() as far:
        (folder / "ca.pem").write_text(far.ca_pem)

        def ask(one: Ask) -> tuple[dict[str, Any], dict[str, Any]]:
            token = tokens[one.who] if one.token is None else one.token
            headers = {"Accept": one.accept, **({"Authorization": f"Bearer {token}"} if token else {"Authorization": ""})}
            real = c.http.request(one.method, c.url + one.path, json=one.body, headers=headers, timeout=20)
            played = requests.request(one.method, far.url + one.path, json=one.body, headers=headers, timeout=20, verify=str(folder / "ca.pem"))
            return seen(real, one), seen(played, one)

        yield team, other, ask


def test_same_answers(both: tuple[Team, Team, Callable[[Ask], tuple[dict[str, Any], dict[str, Any]]]]) -> None:
    team, other, ask = both
    differences: dict[str, str] = {}
    rows = []
    for one in script(team, other):
        real, played = ask(one)
        wrong = [
            f"{key}: real {json.dumps(real.get(key))[:300]}, sandbox {json.dumps(played.get(key))[:300]}"
            for key in sorted({*real, *played})
            if real.get(key) != played.get(key)
        ]
        if wrong:
            differences[one.title] = "; ".join(wrong)
        rows.append([one.title, f"{real['status']}", DIFFERS.get(one.title, "same")])
    unexplained = {title: text for title, text in differences.items() if title not in DIFFERS}
    assert not unexplained, "\n".join(f"{title}: {text}" for title, text in unexplained.items())
    assert set(DIFFERS) <= set(differences), f"no longer different: {set(DIFFERS) - set(differences)}"
    text = "The same requests to a real API server with Kueue 0.19.2 and to the sandbox's far end replaying a recording of it."
    tables.check("conformance.md", tables.markdown("Conformance of the sandbox's cluster", text, ("request", "status", "sandbox"), rows))
