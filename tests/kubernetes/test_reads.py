"""Reads on the wire: discovery, pages, shapes, cohorts without names, self-reviews."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import parse_qs

import pytest

from hpgov_jlab.answers.parts import not_whole
from hpgov_jlab.model.kinds import BY_PLURAL
from hpgov_jlab.model.outcome import Failure, Outcome, Reading, State
from hpgov_jlab.model.share import CohortSum
from hpgov_jlab.policy.kubernetes import COHORTS, EVENTS, KUEUE, LOCAL_QUEUES, PENDING, WORKLOADS, Operation, Question, kind_operation
from hpgov_jlab.reads import Reads
from hpgov_jlab.scheduling.cohort import cohort_view
from hpgov_jlab.sources.kubernetes import kueue, lists, namespaces, reviews, tasks
from hpgov_jlab.sources.kubernetes.discovery import Discovery, discovery
from hpgov_jlab.sources.kubernetes.transport import Api

from .far_end import FarEnd, Request, Script, http, objects, run, status

Start = Callable[[Script], FarEnd]
BOTH = Discovery(
    {f"{name}.{KUEUE}": ("v1beta2", "v1beta1") for name in ("workloads", "localqueues", "clusterqueues", "cohorts", "resourceflavors")}
    | {"localqueues.visibility.kueue.x-k8s.io": ("v1beta2",), "jobs.batch": ("v1",)},
    {},
    {},
)
JOB = BY_PLURAL["jobs.batch"]


def failed(read: Any) -> Failure:
    with pytest.raises(Failure) as raised:
        run(read)
    return raised.value


def query(request: Request) -> dict[str, list[str]]:
    return parse_qs(request.target.partition("?")[2])


# -- discovery --------------------------------------------------------------------------------------------------------------------
def aggregated(groups: dict[str, dict[str, list[str]]], stale: str = "") -> bytes:
    items = [
        {
            "metadata": {"name": group},
            "versions": [
                {"version": v, "freshness": "Stale" if group == stale else "Current", "resources": [{"resource": r, "scope": "Namespaced"} for r in resources]}
                for v, resources in versions.items()
            ],
        }
        for group, versions in groups.items()
    ]
    return http(
        200, {"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "items": items}, kind="application/json;g=apidiscovery.k8s.io;v=v2"
    )


def test_discovery_by_one_document(far_end: Start, api: Api) -> None:
    far = far_end(
        lambda _: aggregated({KUEUE: {"v1beta1": ["workloads"], "v1beta2": ["workloads", "localqueues"], "v1alpha1": ["cohorts"]}, "batch": {"v1": ["jobs"]}})
    )
    found = run(discovery(far.at(api))).data
    assert found.served == {
        "workloads.kueue.x-k8s.io": ("v1beta2", "v1beta1"),
        "localqueues.kueue.x-k8s.io": ("v1beta2",),
        "cohorts.kueue.x-k8s.io": ("v1alpha1",),
        "jobs.batch": ("v1",),
    }
    assert (found.version(WORKLOADS), found.version(COHORTS)) == ("v1beta2", "v1alpha1")
    assert [r.target for r in far.requests] == ["/apis"] and "apidiscovery" in far.requests[0].headers["accept"]


def test_what_is_not_served_is_absent_and_not_asked_for(far_end: Start, api: Api) -> None:
    far = far_end(lambda _: aggregated({"batch": {"v1": ["jobs"]}, KUEUE: {"v1gamma": ["workloads"]}}))
    at = far.at(api)
    found = run(discovery(at)).data
    absent = failed(kueue.local_queues(at, found, "team-a"))
    assert (absent.state, absent.code) == (State.ABSENT, "k8s_not_served")
    newer = failed(kueue.workloads(at, found, "team-a"))
    assert (newer.state, newer.code, newer.params["served"]) == (State.INVALID, "k8s_unknown_version", "v1gamma")
    assert (found.serves(LOCAL_QUEUES), found.serves(WORKLOADS), found.serves(kind_operation(JOB))) == (False, None, True)
    assert len(far.requests) == 1


def test_an_aggregated_server_that_is_down_is_not_absent(far_end: Start, api: Api) -> None:
    def script(request: Request) -> bytes:
        return aggregated({"visibility.kueue.x-k8s.io": {"v1beta1": []}}, stale="visibility.kueue.x-k8s.io") if request.path == "/apis" else status(503)

    far = far_end(script)
    at = far.at(api)
    found = run(discovery(at)).data
    assert found.serves(PENDING) is None
    down = failed(kueue.pending(at, found, "team-a", "queue"))
    assert (down.state, down.code) == (State.UNREACHABLE, "k8s_visibility_down")
    assert far.requests[-1].path.startswith("/apis/visibility.kueue.x-k8s.io/v1beta1/"), "in the version that is registered"


def test_discovery_of_an_older_server(far_end: Start, api: Api) -> None:
    def script(request: Request) -> bytes:
        if request.path == "/apis":
            versions = {KUEUE: ["v1beta1", "v1alpha1"], "visibility.kueue.x-k8s.io": ["v1beta1"], "batch": ["v1"], "other.example": ["v1"]}
            return http(200, {"kind": "APIGroupList", "groups": [{"name": g, "versions": [{"version": v} for v in vs]} for g, vs in versions.items()]})
        names = {
            "/apis/kueue.x-k8s.io/v1beta1": ["workloads", "workloads/status"],
            "/apis/kueue.x-k8s.io/v1alpha1": ["cohorts"],
            "/apis/batch/v1": ["jobs"],
        }.get(request.path)
        return status(503) if names is None else http(200, {"kind": "APIResourceList", "resources": [{"name": n} for n in names]})

    far = far_end(script)
    found = run(discovery(far.at(api))).data
    assert found.served == {"workloads.kueue.x-k8s.io": ("v1beta1",), "cohorts.kueue.x-k8s.io": ("v1alpha1",), "jobs.batch": ("v1",)}
    assert found.unanswered == {"visibility.kueue.x-k8s.io": ("v1beta1",)} and found.version(PENDING) == "v1beta1"
    assert "/apis/other.example/v1" not in [r.path for r in far.requests]


# -- lists ------------------------------------------------------------------------------------------------------------------------
def workload(name: str, **status: Any) -> dict[str, Any]:
    return {"metadata": {"name": name, "namespace": "team-a", "uid": name}, "spec": {"queueName": "q"}, "status": status}


def test_pages(far_end: Start, api: Api) -> None:
    pages = {None: (["a", "b"], "next=1"), "next=1": (["c"], "next=2"), "next=2": (["d"], None)}

    def script(request: Request) -> bytes:
        names, token = pages[query(request).get("continue", [None])[0]]
        return objects("Workload", [workload(n) for n in names], token)

    far = far_end(script)
    listing = run(kueue.workloads(far.at(api), BOTH, "team-a")).data
    assert [w.metadata.name for w in listing.items] == ["a", "b", "c", "d"]
    assert (listing.pages, listing.complete, listing.restarted, listing.version) == (3, True, False, "v1beta2")
    assert all(query(r)["limit"] == ["500"] for r in far.requests)


def test_410_on_the_way_starts_again_once_and_says_so(far_end: Start, api: Api) -> None:
    asked: list[str | None] = []

    def script(request: Request) -> bytes:
        asked.append(query(request).get("continue", [None])[0])
        if asked[-1] is None:
            return objects("Workload", [workload(f"a{len(asked)}")], "token")
        return status(410, "Expired") if len(asked) == 2 else objects("Workload", [workload("b")])

    listing = run(kueue.workloads(far_end(script).at(api), BOTH, "team-a")).data
    assert asked == [None, "token", None, "token"]
    assert [w.metadata.name for w in listing.items] == ["a3", "b"] and listing.restarted


def test_410_for_ever_ends(far_end: Start, api: Api) -> None:
    far = far_end(lambda r: status(410, "Expired") if "continue" in r.target else objects("Workload", [workload("a")], "token"))
    failure = failed(kueue.workloads(far.at(api), BOTH, "team-a"))
    assert (failure.state, failure.code, len(far.requests)) == (State.UNREACHABLE, "k8s_list_expired", 4)


@pytest.mark.parametrize(
    ("asked", "answer", "state", "with_it"),
    [
        ("pods", status(410, "Expired"), "k8s_list_expired", set()),
        ("jobs", status(500, "InternalError", "conversion webhook for batch/v1 failed: timeout"), "k8s_conversion_down", set()),
        ("pods", status(500, "InternalError", "etcdserver: request timed out"), "k8s_server_error", set()),
        ("workloads", status(500, "InternalError", "conversion webhook for kueue.x-k8s.io/v1beta1 failed"), "k8s_conversion_down", {"localqueues"}),
        ("pendingworkloads", status(503, "ServiceUnavailable"), "k8s_visibility_down", set()),
        ("pods", status(504, "Timeout"), "k8s_server_error", {"jobs", "workloads", "localqueues", "pendingworkloads", "namespace"}),
    ],
)
def test_an_error_that_comes_late_pauses_what_it_is_about(far_end: Start, api: Api, asked: str, answer: bytes, state: str, with_it: set[str]) -> None:
    """The far end answers one question with an error, after eight seconds by the clock that the cache goes by: whom else it is asked about then."""
    now = [1000.0]

    def script(request: Request) -> bytes:
        resource = request.path.rpartition("/")[2]
        if resource == asked:
            now[0] += 8.0
            return answer
        if resource == "team-a":
            return http(200, {"kind": "Namespace", "apiVersion": "v1", "metadata": {"name": "team-a"}})
        kind = {"pods": "Pod", "jobs": "Job", "workloads": "Workload", "localqueues": "LocalQueue", "pendingworkloads": "PendingWorkloadsSummary"}
        if kind.get(resource) == "PendingWorkloadsSummary":
            return http(200, {"kind": "PendingWorkloadsSummary", "items": []})
        return objects(kind[resource], []) if resource in kind else aggregated({})

    async def story() -> tuple[str, set[str]]:
        at, reads = far_end(script).at(api), Reads(elapsed=lambda: now[0])
        every = {
            "pods": tasks.pods(at, "team-a"), "jobs": tasks.objects(at, BOTH, JOB, "team-a"), "workloads": kueue.workloads(at, BOTH, "team-a"),
            "localqueues": kueue.local_queues(at, BOTH, "team-a"), "pendingworkloads": kueue.pending(at, BOTH, "team-a", "lq"),
            "namespace": namespaces.namespace(at, "team-a"),
        }  # fmt: skip
        assert (await reads.start(discovery(at))).ok
        now[0] += 1.0  # what was answered since a read was asked for would speak for the far end
        first = await reads.start(every.pop(asked))
        assert first.last.state is State.UNREACHABLE
        return first.last.code, {name for name, read in every.items() if not (await reads.start(read)).ok}

    assert asyncio.run(story()) == (state, with_it)


def test_a_list_that_never_ends_is_cut_and_says_so(far_end: Start, api: Api) -> None:
    far = far_end(lambda r: objects("Workload", [workload("a")], "again"))
    listing = run(kueue.workloads(far.at(api), BOTH, "team-a")).data
    assert (listing.complete, listing.pages, len(far.requests)) == (False, lists.PAGES, lists.PAGES)


def test_a_hostile_continue_token_goes_nowhere(far_end: Start, api: Api) -> None:
    far = far_end(lambda r: objects("Workload", [], "a\r\nImpersonate-User: admin"))
    assert failed(kueue.workloads(far.at(api), BOTH, "team-a")).code == "k8s_guard"
    assert len(far.requests) == 1


def test_null_items_are_an_empty_list(far_end: Start, api: Api) -> None:
    far = far_end(lambda _: http(200, {"kind": "WorkloadList", "metadata": None, "items": None}))
    assert run(kueue.workloads(far.at(api), BOTH, "team-a")).data.items == ()


@pytest.mark.parametrize(
    "body",
    [
        {"kind": "Status", "status": "Failure", "code": 403},
        {"kind": "WorkloadList"},
        {"kind": "Workload", "items": []},
        {},
        [],
        b"{",
        b"",
        b"\xff\xfe",
        b'{"kind":"WorkloadList","items":"x"}',
    ],
)
def test_what_is_no_list_is_never_an_empty_one(far_end: Start, api: Api, body: Any) -> None:
    far = far_end(lambda _: http(200, body))
    assert (failed(kueue.workloads(far.at(api), BOTH, "team-a")).state) is State.INVALID


def test_an_object_in_another_shape_is_kept_as_unread(far_end: Start, api: Api) -> None:
    odd = workload("odd") | {"spec": {"podSets": 7}}
    far = far_end(lambda _: objects("Workload", [workload("a"), odd, workload("b")]))
    listing = run(kueue.workloads(far.at(api), BOTH, "team-a")).data
    assert [w.metadata.name for w in listing.items] == ["a", "b"] and [m.name for m in listing.unread] == ["odd"]


@pytest.mark.parametrize("body", [{"kind": "Status"}, {"kind": "LocalQueue"}, {}, b"[]"])
def test_an_object_of_another_kind_is_none(far_end: Start, api: Api, body: Any) -> None:
    assert failed(kueue.cluster_queue(far_end(lambda _: http(200, body)).at(api), BOTH, "queue")).code == "k8s_shape"


def test_each_far_end_has_its_own_lane_and_probe(api: Api, far_end: Start) -> None:
    at = far_end(lambda _: b"").at(api)
    reads = [kueue.workloads(at, BOTH, "a"), kueue.pending(at, BOTH, "a", "q"), tasks.pods(at, "a")]
    assert {r.lane for r in reads} == {"k8s:server"}
    assert [r.key.upstream for r in reads] == ["k8s-kueue:server", "k8s-visibility:server", "k8s:server"]
    assert {r.key.principal for r in reads} == {"principal"}
    assert len({r.key for r in [*reads, kueue.workloads(at, BOTH, "b"), tasks.events(at, "a")]}) == 5


def test_kinds_are_lifted(far_end: Start, api: Api) -> None:
    far = far_end(lambda _: objects("Job", [{"metadata": {"name": "j"}, "spec": {"parallelism": 4, "completions": 2, "suspend": True}, "status": {}}]))
    task = run(tasks.objects(far.at(api), BOTH, JOB, "team-a")).data.items[0]
    assert (task.kind, task.api, task.suspended, task.pods[0].count) == ("Job", "batch/v1", True, 2)
    assert far.requests[0].path == "/apis/batch/v1/namespaces/team-a/jobs"


def test_events(far_end: Start, api: Api) -> None:
    event = {
        "metadata": {"name": "e"},
        "involvedObject": {"kind": "Pod", "name": "p"},
        "reason": "Failed",
        "message": 'Error: secret "MARKER" not found',
        "count": 3,
    }
    far = far_end(lambda _: objects("Event", [event, event | {"reason": "FailedScheduling", "message": "0/3 nodes are available"}]))
    found = run(tasks.events(far.at(api), "team-a")).data.items
    assert query(far.requests[0]) == {"limit": ["500"]}
    assert [(e.reason, e.message, e.times) for e in found] == [("Failed", None, 3), ("FailedScheduling", "0/3 nodes are available", 3)]


# -- namespaces -------------------------------------------------------------------------------------------------------------------
def test_a_namespace_with_its_contract_and_who_wrote_it(far_end: Start, api: Api) -> None:
    fields = {"f:metadata": {"f:annotations": {"f:hpgov/contract": {}}}}
    body = {
        "kind": "Namespace",
        "metadata": {
            "name": "team-a",
            "labels": {"sagemaker.amazonaws.com/sagemaker-managed-queue": "true", "sagemaker.amazonaws.com/quota-allocation-id": "a", "x": "y"},
            "annotations": {"hpgov/contract": "apiVersion: hpgov/v1", "other": "MARKER"},
            "managedFields": [
                {"manager": "kubectl", "time": "2026-11-01T00:00:00Z", "fieldsV1": fields},
                {"manager": "platform-gitops", "time": "2026-11-20T00:00:00Z", "fieldsV1": fields},
                {"manager": "someone", "time": "2026-11-25T00:00:00Z", "fieldsV1": {"f:metadata": {"f:annotations": {"f:other": {}}}}},
            ],
        },
        "status": {"phase": "Active"},
    }
    found = run(namespaces.namespace(far_end(lambda _: http(200, body)).at(api), "team-a")).data
    assert (found.contract, found.contract_manager, found.managed_queue, found.quota_allocation) == ("apiVersion: hpgov/v1", "platform-gitops", True, "a")
    assert found.labels["x"] == "y" and "MARKER" not in repr(found)
    bare = {"kind": "Namespace", "metadata": {"name": "team-a", "annotations": None, "labels": None, "managedFields": None}}
    empty = run(namespaces.namespace(far_end(lambda _: http(200, bare)).at(api), "team-a")).data
    assert (empty.contract, empty.contract_manager, empty.labels) == (None, None, {})


# -- cohorts ----------------------------------------------------------------------------------------------------------------------
def queue(name: str, cohort: str | None, nominal: str, held: str, old: bool = False) -> dict[str, Any]:
    quota = [{"coveredResources": ["cpu"], "flavors": [{"name": "f", "resources": [{"name": "cpu", "nominalQuota": nominal}]}]}]
    usage = [{"name": "f", "resources": [{"name": "cpu", "total": held}]}]
    return {"metadata": {"name": name}, "spec": {("cohort" if old else "cohortName"): cohort, "resourceGroups": quota}, "status": {"flavorsReservation": usage}}


def both_lists(queues: list[Any], cohorts: list[Any]) -> Any:
    return lambda request: objects("Cohort", cohorts) if "/cohorts" in request.target else objects("ClusterQueue", queues)


@pytest.mark.parametrize("old", [True, False])
def test_a_cohort_is_kept_as_sums_without_other_names(far_end: Start, api: Api, old: bool) -> None:
    queues = [
        queue("own", "pool", "1500m", "500m", old),
        queue("MARKER-b", "pool", "2", "3", old),
        queue("MARKER-c", "MARKER-pool", "100", "1", old),
        queue("MARKER-d", None, "9", "9", old),
    ]
    cohorts = [{"metadata": {"name": "pool"}, "spec": {"parent" if old else "parentName": "MARKER-root"}}, {"metadata": {"name": "MARKER-root"}, "spec": {}}]
    data = run(kueue.cohort(far_end(both_lists(queues, cohorts)).at(api), BOTH, "own", partial(cohort_view, "own"))).data
    assert data.sums == (CohortSum("pool", "f", "cpu", "3.5", "3.5", 2), CohortSum("pool (+1)", "f", "cpu", "3.5", "3.5", 2))
    assert data.available == {("f", "cpu"): 0}
    assert "MARKER" not in repr(data)


def test_a_sum_over_a_list_that_is_not_whole_is_not_given(far_end: Start, api: Api) -> None:
    odd = queue("x", "pool", "1", "1") | {"spec": 7}
    assert failed(kueue.cohort(far_end(both_lists([odd], [])).at(api), BOTH, "x", partial(cohort_view, "x"))).code == "k8s_cohort_not_whole"
    bad = queue("x", "pool", "1K", "1")
    assert run(kueue.cohort(far_end(both_lists([bad], [])).at(api), BOTH, "x", partial(cohort_view, "x"))).data.problem == "quantity_malformed"


def test_places_in_line(far_end: Start, api: Api) -> None:
    item = {"metadata": {"name": "w", "namespace": "team-a"}, "priority": 1, "localQueueName": "q", "positionInClusterQueue": 4, "positionInLocalQueue": 0}
    far = far_end(lambda _: http(200, {"kind": "PendingWorkloadsSummary", "items": [item]}))
    places = run(kueue.pending(far.at(api), BOTH, "team-a", "q")).data
    assert (places.items[0].position_in_local_queue, places.complete, places.unread) == (0, True, 0)


def test_places_beyond_the_first_thousand_and_unknown_ones_are_told_apart_from_none(far_end: Start, api: Api) -> None:
    def line(*items: Any) -> Any:
        return run(kueue.pending(far_end(lambda _: http(200, {"kind": "PendingWorkloadsSummary", "items": [*items]})).at(api), BOTH, "team-a", "q"))

    item, odd = {"metadata": {"name": "w"}, "positionInLocalQueue": 0}, {"metadata": {"name": "odd"}, "positionInLocalQueue": "first"}
    full, some = line(*[item] * 999, odd), line(item, odd)
    assert (full.data.complete, full.data.unread, some.data.complete, some.data.unread) == (False, 1, True, 1)
    reading = Reading(full.data, 1.0, Outcome(State.OK, "read", PENDING.source, 1.0))
    assert [(o.code, o.params["count"], o.params["scope"]) for o in not_whole(reading, "team-a/q")] == [
        ("k8s_list_cut", 999, "team-a/q"), ("k8s_list_unread", 1, "team-a/q"),
    ]  # fmt: skip


def test_a_list_says_what_it_lacks(far_end: Start, api: Api) -> None:
    """Longer than the pages that are read, or with an object in another shape: each its own outcome, with operation and namespace."""
    odd = workload("odd") | {"spec": {"podSets": 7}}
    whole = run(kueue.workloads(far_end(lambda _: objects("Workload", [workload("a")])).at(api), BOTH, "team-a"))
    some = run(kueue.workloads(far_end(lambda _: objects("Workload", [workload("a"), odd])).at(api), BOTH, "team-a"))
    endless = http(200, {"kind": "EventList", "metadata": {"continue": "more"}, "items": [{"metadata": {"name": "e"}}]})
    far = far_end(lambda _: endless)
    events = run(tasks.events(far.at(api), "team-a"))
    assert (whole.data.whole, some.data.whole, events.data.whole) == (True, False, False) and len(far.requests) == tasks.EVENT_PAGES

    def said(got: Any, operation: Operation) -> list[tuple[str, str, str, Any, Any]]:
        reading = Reading(got.data, 1.0, Outcome(State.OK, "read", operation.source, 1.0))
        return [(o.state, o.code, o.source, o.params["count"], o.params["scope"]) for o in not_whole(reading, "team-a")]

    assert said(whole, WORKLOADS) == []
    assert said(some, WORKLOADS) == [("invalid", "k8s_list_unread", WORKLOADS.source, 1, "team-a")]
    assert said(events, EVENTS) == [("invalid", "k8s_list_cut", EVENTS.source, 4, "team-a")]
    assert not_whole(None, "team-a") == []


# -- self-reviews -----------------------------------------------------------------------------------------------------------------
def verdict(**status: Any) -> bytes:
    return http(201, {"kind": "SelfSubjectAccessReview", "apiVersion": "authorization.k8s.io/v1", "status": status})


def test_a_review(far_end: Start, api: Api) -> None:
    answers = iter([verdict(allowed=True, reason="MARKER"), verdict(allowed=False), verdict(allowed=False, evaluationError="webhook failed")])
    at, budget = far_end(lambda _: next(answers)).at(api), reviews.ReviewBudget()
    asked = Question("list", KUEUE, "workloads", "team-a")
    found = [run(reviews.access_review(at, budget, {"team-a"}, asked)).data for _ in range(3)]
    assert [f.allowed for f in found] == [True, False, None] and "MARKER" not in repr(found)


def test_a_review_of_a_namespace_out_of_scope_is_not_sent(far_end: Start, api: Api) -> None:
    far = far_end(lambda _: verdict(allowed=True))
    failure = failed(reviews.access_review(far.at(api), reviews.ReviewBudget(), {"team-a"}, Question("create", "batch", "jobs", "team-b")))
    assert (failure.state, failure.code, far.connections) == (State.NOT_CONFIGURED, "k8s_namespace_out_of_scope", 0)


def test_sixty_reviews_per_namespace_in_five_minutes(far_end: Start, api: Api) -> None:
    now = [0.0]
    far, budget = far_end(lambda _: verdict(allowed=True)), reviews.ReviewBudget(clock=lambda: now[0])
    at = far.at(api)

    def ask(namespace: str) -> Any:
        return run(reviews.access_review(at, budget, {"team-a", "team-b"}, Question("create", "batch", "jobs", namespace)))

    for _ in range(60):
        ask("team-a")
    now[0] = 200.0
    with pytest.raises(Failure) as raised:
        ask("team-a")
    assert (raised.value.state, raised.value.code, raised.value.params["retry_after_seconds"]) == (State.THROTTLED, "k8s_review_budget", 100.0)
    assert len(far.requests) == 60
    ask("team-b")
    now[0] = 300.0
    ask("team-a")
    assert len(far.requests) == 62


def test_a_review_is_kept_for_five_minutes(far_end: Start, api: Api) -> None:
    read = reviews.access_review(far_end(lambda _: b"").at(api), reviews.ReviewBudget(), {"a"}, Question("create", "batch", "jobs", "a"))
    assert read.ttl == 300.0


def test_who_am_i(far_end: Start, api: Api) -> None:
    body = {"kind": "SelfSubjectReview", "status": {"userInfo": {"username": "alice", "groups": ["a", "b"], "extra": {"accessKeyId": ["MARKER"]}}}}
    far = far_end(lambda _: http(201, body))
    me = run(reviews.self_review(far.at(api))).data
    assert (me.username, me.groups) == ("alice", ("a", "b")) and "MARKER" not in repr(me)
    assert json.loads(far.requests[0].body) == {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}
