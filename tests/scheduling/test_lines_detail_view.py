"""Places in line; a task's page; filter, sort and pages; the cut of upstream text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpgov_jlab.model.kubernetes import Event, build
from hpgov_jlab.model.kueue import KueueCondition, PendingWorkload
from hpgov_jlab.model.task import Amount, MorePods, Stop, Task, TaskState
from hpgov_jlab.scheduling.detail import MOST_PODS, conditions, detail_of, event_moments, pod_page
from hpgov_jlab.scheduling.lines import places
from hpgov_jlab.scheduling.matching import Unit
from hpgov_jlab.scheduling.states import Team, tasks_of, team_units
from hpgov_jlab.scheduling.stops import all_stops, cause_of, count_stops, last_stop
from hpgov_jlab.scheduling.view import MAX_LIMIT, SORTS, Question, mine_known, page, select

from .frames import check_phrase, job, pod, pod_set, recorded, workload

PENDING = {"type": "QuotaReserved", "status": "False", "reason": "Pending"}
NOW = 1_796_025_600.0  # 2026-11-30T08:00:00Z


# -- lines ---------------------------------------------------------------------------------------------------------------------------------
def waits(name: str, created: str, priority: int | None = None, *more: dict[str, Any], **spec: Any) -> Any:
    return workload(name, conditions=[PENDING, *more], metadata={"creationTimestamp": f"2026-11-30T{created}Z"}, priority=priority, **spec)


def order(*found: Any, now: float = NOW) -> list[str]:
    made = places(found, now)
    return sorted((each.metadata.name for each in found if each.metadata.uid in made), key=lambda name: made[f"uid-{name}"].place)


def test_priority_then_age_then_uid() -> None:
    assert order(
        waits("b", "07:00:00"), waits("a", "07:00:00"), waits("old", "06:00:00"), waits("urgent", "07:30:00", 100), waits("below", "05:00:00", -1)
    ) == ["urgent", "old", "a", "b", "below"]


def test_eviction_time_counts_for_two_reasons_only() -> None:
    def evicted(reason: str) -> dict[str, Any]:
        return {"type": "Evicted", "status": "True", "reason": reason, "lastTransitionTime": "2026-11-30T07:40:00Z"}

    fresh = waits("fresh", "07:30:00")
    assert order(waits("w", "06:00:00", None, evicted("PodsReadyTimeout")), fresh) == ["fresh", "w"]
    assert order(waits("w", "06:00:00", None, evicted("AdmissionCheck")), fresh) == ["fresh", "w"]
    assert order(waits("w", "06:00:00", None, evicted("Preempted")), fresh) == ["w", "fresh"]
    assert order(waits("w", "06:00:00", None, {**evicted("PodsReadyTimeout"), "status": "False"}), fresh) == ["w", "fresh"]


def test_who_stands_in_no_line() -> None:
    reserved = workload("reserved", conditions=[{"type": "QuotaReserved", "status": "True"}])
    done = workload("done", conditions=[{"type": "Finished", "status": "True"}])
    off = waits("off", "06:00:00", active=False)
    nameless = waits("nameless", "06:00:00", queueName="")
    later = waits("later", "06:00:00", status={"requeueState": {"requeueAt": "2026-11-30T08:00:01Z"}})
    assert order(reserved, done, off, nameless, later) == []
    assert order(later, now=NOW + 2) == ["later"]


def test_each_local_queue_is_a_line() -> None:
    made = places([waits("a", "06:00:00"), waits("b", "07:00:00"), waits("c", "07:30:00", queueName="other")], NOW)
    assert {uid: place.place for uid, place in made.items()} == {"uid-a": 1, "uid-b": 2, "uid-c": 1}


def test_visibility_is_shown_from_one_and_deleted_ones_are_no_rows() -> None:
    told = [
        build({"metadata": {"name": name}, "positionInLocalQueue": at, "positionInClusterQueue": at + 5}, PendingWorkload)
        for name, at in (("gone", 0), ("a", 1))
    ]  # kueue 1555
    made = places([waits("a", "06:00:00"), waits("b", "07:00:00")], NOW, told)
    assert {uid: (place.place, place.source, place.ahead) for uid, place in made.items()} == {"uid-a": (2, "visibility", 1)}
    assert places([waits("a", "06:00:00")], NOW, []) == {}


# -- stops ----------------------------------------------------------------------------------------------------------------------------------
CAUSES = [
    ("Preempted", "InClusterQueue", "stop_preempted_in_queue"),
    ("Preempted", "InCohortReclamation", "stop_preempted_reclaimed"),
    ("Preempted", "InCohortFairSharing", "stop_preempted_fair"),
    ("Preempted", "InCohortReclaimWhileBorrowing", "stop_preempted_while_borrowing"),
    ("Preempted", None, "stop_preempted"),
    ("PodsReadyTimeout", "WaitForStart", "stop_pods_not_ready"),
    ("AdmissionCheck", "", "stop_admission_check"),
    ("ClusterQueueStopped", None, "stop_cluster_queue"),
    ("LocalQueueStopped", None, "stop_local_queue"),
    ("NodeFailures", None, "stop_node_failure"),
    ("FlavorMigration", None, "stop_flavor_migration"),
    ("Deactivated", None, "stop_deactivated"),
    ("InactiveWorkload", None, "stop_deactivated"),
    ("Deactivated", "AdmissionCheck", "stop_check_rejected"),
    ("DeactivatedDueToAdmissionCheck", None, "stop_check_rejected"),
    ("Deactivated", "RequeuingLimitExceeded", "stop_requeue_limit"),
    ("DeactivatedDueToMaximumExecutionTimeExceeded", None, "stop_time_limit"),
    ("BrandNew", None, "stop_other"),
]


@pytest.mark.parametrize(("reason", "underlying", "code"), CAUSES)
def test_cause(reason: str, underlying: str | None, code: str) -> None:
    cause = cause_of(reason, underlying)
    assert cause.code == code
    check_phrase(cause)


def test_a_reason_that_is_no_code_is_not_repeated() -> None:
    assert cause_of("Preempted to accommodate MARKER").params == {"why": None}
    assert cause_of("BrandNew").params == {"why": "BrandNew"}


def test_counts() -> None:
    evicted = {"type": "Evicted", "status": "True", "reason": "Preempted", "lastTransitionTime": "2026-11-30T07:00:00Z"}
    preempted = {"type": "Preempted", "status": "True", "reason": "InClusterQueue", "lastTransitionTime": "2026-11-30T07:00:01Z"}
    stats = {"schedulingStats": {"evictions": [{"reason": "Preempted", "count": 1, "underlyingCause": ""}, {"reason": "PodsReadyTimeout", "count": 3}]}}
    found = workload(conditions=[PENDING, evicted, preempted], status=stats)
    assert [(stop.at, stop.cause.code, stop.count) for stop in all_stops(found)] == [
        (NOW - 3600, "stop_preempted_in_queue", 1),
        (None, "stop_pods_not_ready", 3),
    ]
    assert count_stops(found) == 4
    assert count_stops(workload(conditions=[PENDING])) == 0
    assert count_stops(workload(conditions=[PENDING, evicted])) is None  # stopped, and how often is not said
    old = {**preempted, "lastTransitionTime": "2026-11-29T07:00:00Z"}  # left over from an earlier stop
    assert last_stop(workload(conditions=[PENDING, evicted, old])) == Stop(NOW - 3600, cause_of("Preempted"))
    assert last_stop(workload(conditions=[{**evicted, "status": "False"}])) is None


# -- the cut --------------------------------------------------------------------------------------------------------------------------------
KEPT = [
    (
        "QuotaReserved",
        "Pending",
        "couldn't assign flavors to pod set main: insufficient unused quota for nvidia.com/gpu in flavor ml.p5.48xlarge, 24 more needed",
    ),
    ("QuotaReserved", "Inadmissible", "LocalQueue nope doesn't exist"),
    ("Active", "FlavorNotFound", "Can't admit new workloads: references missing ResourceFlavor(s): ml.missing."),
]
CUT = [
    (
        "Preempted",
        "InCohortReclamation",
        "Preempted to accommodate a workload (UID: 2744099b-7dd1-4db0-8822-d845d2e166eb); preemptor path: /shared-pool/MARKER",
    ),
    ("Evicted", "Preempted", "Preempted to accommodate a workload"),
    ("Evicted", "ClusterQueueStopped", "The ClusterQueue is stopped"),
    ("Requeued", "Preempted", "preemptor path: /shared-pool/MARKER"),
    ("QuotaReserved", "Pending", "couldn't assign flavors to pod set main. Pending the preemption of 1 workload(s)"),
    ("QuotaReserved", "Pending", "Previously: Preempted to accommodate a workload (UID: 2744099b-7dd1-4db0-8822-d845d2e166eb)"),
    ("QuotaReserved", "SomethingNew", "any text"),
    ("Admitted", "NoReservation", "The workload has no reservation"),
]


@pytest.mark.parametrize(("kind", "reason", "message"), KEPT)
def test_text_is_kept_for_listed_reasons(kind: str, reason: str, message: str) -> None:
    assert build({"type": kind, "status": "False", "reason": reason, "message": message}, KueueCondition).message == message


@pytest.mark.parametrize(("kind", "reason", "message"), CUT)
def test_text_is_cut(kind: str, reason: str, message: str) -> None:
    found = workload(conditions=[{"type": kind, "status": "False", "reason": reason, "message": message}, *([] if kind == "QuotaReserved" else [PENDING])])
    assert found.condition(kind).message is None  # type: ignore[union-attr]
    for task in tasks_of(Team("team", (found,)), NOW):
        assert task.text is None
        (unit,) = team_units(Team("team", (found,)))
        assert all(moment.text is None for moment in detail_of(task, unit).conditions)


def test_waiting_for_those_who_are_stopped_for_it() -> None:
    """The text is cut, the fact in it stays."""
    text = "couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor f, 9 more needed. Pending the preemption of 2 workload(s)"
    owner = {"ownerReferences": [{"kind": "Job", "name": "j", "uid": "uid-j", "controller": True}]}
    (found,) = tasks_of(Team("team", (workload(conditions=[{**PENDING, "message": text}], metadata=owner),)), NOW)
    assert found.reason is not None and (found.reason.code, found.text) == ("waits_for_stopped", None)


# -- the task page ----------------------------------------------------------------------------------------------------------------------------
def test_history_tells_the_night() -> None:
    stamp = "2026-11-30T0{}:00:00Z".format
    made = workload(
        conditions=[
            {"type": "QuotaReserved", "status": "True", "reason": "QuotaReserved", "lastTransitionTime": stamp(4)},
            {"type": "Admitted", "status": "True", "reason": "Admitted", "lastTransitionTime": stamp(4)},
            {"type": "Evicted", "status": "False", "reason": "QuotaReserved", "lastTransitionTime": stamp(4), "message": "Previously: MARKER"},
            {"type": "Requeued", "status": "True", "reason": "Preempted", "lastTransitionTime": stamp(3)},
            {"type": "Finished", "status": "True", "reason": "Failed", "lastTransitionTime": stamp(6)},
        ],
        status={"schedulingStats": {"evictions": [{"reason": "Preempted", "count": 2}]}},
        metadata={"creationTimestamp": stamp(1), "ownerReferences": [{"kind": "Job", "name": "j", "uid": "uid-j", "controller": True}]},
        podSets=[pod_set(2, gpu="8", cpu="1500m")],
    )
    died = {"terminated": {"exitCode": 137, "reason": "OOMKilled", "finishedAt": stamp(5)}}
    dead = pod("j-0", phase="Failed", owner=("Job", "j", "uid-j"), containerStatuses=[{"name": "train", "restartCount": 1, "state": died}])
    team = Team("team", (made,), (), frozenset(), (dead,))
    (task,), (unit,) = tasks_of(team, NOW), team_units(team)
    detail = detail_of(task, unit)
    assert [(moment.at, moment.what.code) for moment in detail.history] == [
        (NOW - 7 * 3600, "moment_created"), (NOW - 5 * 3600, "moment_requeued"), (NOW - 4 * 3600, "moment_quota_reserved"), (NOW - 4 * 3600, "moment_admitted"),
        (NOW - 3 * 3600, "pod_out_of_memory"), (NOW - 2 * 3600, "moment_finished_badly"),
    ]  # fmt: skip
    assert [(stop.at, stop.cause.code, stop.count) for stop in detail.stops] == [(None, "stop_preempted", 2)]
    assert (task.stops, task.last_stop) == (2, Stop(None, cause_of("Preempted"), 2))
    assert detail.pod_sets[0].per_pod == (Amount("nvidia.com/gpu", "8"), Amount("cpu", "1.5"))
    assert detail.logs_commands == (
        "kubectl logs --namespace=team pod/j-0 --container=train --previous=true", "kubectl logs --namespace=team pod/j-0 --container=train",
    )  # fmt: skip
    assert "MARKER" not in repr(detail)
    page_of_pods, more = pod_page(unit)
    assert page_of_pods is not None and page_of_pods[0].reason is not None and page_of_pods[0].reason.code == "pod_out_of_memory"
    assert more is None, "there are no others"


def test_of_thousands_of_pods_a_page_lists_those_in_trouble_and_sums_the_others() -> None:
    """Whatever their order; a phase of no release that is known is counted as unknown, and is no word on the wire."""
    owned: dict[str, Any] = {"owner": ("Job", "j", "uid-j")}
    ready = [{"type": "Ready", "status": "True"}]
    pods = [pod(f"j-{n}", phase="Running", conditions=ready, **owned) for n in range(4990)]
    pods += [pod(f"j-{n}", phase="Pending", **owned) for n in range(4990, 4995)]
    pods += [
        pod("j-4995", phase="Failed", **owned),
        pod("j-4996", phase="Odd", **owned),
        *(pod(f"j-{n}", phase="Succeeded", **owned) for n in (4997, 4998, 4999)),
    ]
    team = Team("team", (), (job("j"),), frozenset(), tuple(reversed(pods)))
    (unit,) = team_units(team)
    listed, more = pod_page(unit, whole=False)
    assert listed is not None and len(listed) == MOST_PODS
    assert [fact.name for fact in listed[:9]] == ["j-4995", *(f"j-{n}" for n in range(4990, 4995)), "j-0", "j-1", "j-2"], (
        "in trouble first, then by their index"
    )
    assert more == MorePods(4800, {"Running": 4990 - 194, "Unknown": 1, "Succeeded": 3}, 0, at_least=True)
    assert (more is not None and sum(more.by_phase.values()) == more.count) and pod_page(unit)[1] == replace(more, at_least=False)
    troubled = [pod(f"j-{n}", phase="Pending", **owned) for n in range(300)]
    (unit,) = team_units(Team("team", (), (job("j"),), frozenset(), tuple(troubled)))
    assert pod_page(unit)[1] == MorePods(100, {"Pending": 100}, 100, at_least=False), "that trouble is among those not listed is told"


def test_logs_are_of_pods_that_ran_also_where_those_in_trouble_fill_the_page() -> None:
    owned: dict[str, Any] = {"owner": ("Job", "j", "uid-j")}
    ran = {"name": "train", "state": {"running": {}}}
    pods = [pod(f"j-{n}", phase="Pending", **owned) for n in range(MOST_PODS + 1)]
    team = Team("team", (), (job("j"),), frozenset(), (*pods, pod("j-ran", conditions=[{"type": "Ready", "status": "True"}], containerStatuses=[ran], **owned)))
    (task,), (unit,) = tasks_of(team, NOW), team_units(team)
    assert detail_of(task, unit).logs_commands == ("kubectl logs --namespace=team pod/j-ran --container=train",)


def test_pods_not_readable_is_not_no_pods() -> None:
    (unit,) = team_units(Team("team", (), (job("j"),)))
    assert pod_page(unit) == (None, None)
    (task,) = tasks_of(Team("team", (), (job("j"),)), NOW)
    assert detail_of(task, unit).logs_commands == ("kubectl logs --namespace=team job/j --all-containers=true",)


def test_condition_lines_bear_codes_only() -> None:
    made = workload(
        conditions=[
            {"type": "Evicted", "status": "True", "reason": "see MARKER"},
            {"type": "odd type", "status": "True", "reason": "X"},
            {"type": "New", "status": "Maybe", "reason": "Y"},
        ]
    )
    assert [(moment.what.code, moment.what.params) for moment in conditions(made)] == [
        ("condition_true", {"condition": "Evicted", "why": None}), ("condition_unknown", {"condition": "New", "why": "Y"}),
    ]  # fmt: skip


def test_events_of_the_own_objects_only() -> None:
    def event(uid: str, reason: str, at: str, message: str | None = None) -> Event:
        return build(
            {
                "metadata": {"name": "e"},
                "involvedObject": {"uid": uid, "name": "p"},
                "reason": reason,
                "message": message,
                "lastTimestamp": f"2026-11-30T{at}Z",
                "count": 3,
            },
            Event,
        )

    unit = Unit("uid-w", "Job", "w", None, None, (pod("p"),))
    text = "0/1 nodes are available: 1 Insufficient cpu. preemption: MARKER"
    events = [event("uid-p", "Pulled", "07:00:00", "image MARKER"), event("uid-p", "FailedScheduling", "06:00:00", text), event("uid-x", "Pulled", "06:00:00")]
    assert [(moment.at, moment.what.params, moment.text) for moment in event_moments(events, unit)] == [
        (NOW - 7200, {"event": "FailedScheduling", "count": 3, "object": "p"}, "0/1 nodes are available: 1 Insufficient cpu"),
        (NOW - 3600, {"event": "Pulled", "count": 3, "object": "p"}, None),
    ]


@pytest.mark.parametrize("version", ["0.19.2", "0.12.10"])
def test_real_preemption_leaves_no_trace_of_the_other(version: str) -> None:
    from .frames import team_of  # the recorded frame of a preempted task

    team = team_of(recorded(version)["story:b"])
    found = {task.name: (task, unit) for task, unit in zip(tasks_of(team, NOW), team_units(team), strict=True)}
    text = repr(detail_of(*found["b1"]))
    assert "stop_preempted_reclaimed" in text
    assert "hyperpod-ns-a" not in text and "accommodate" not in text


# -- view -------------------------------------------------------------------------------------------------------------------------------------
def task(uid: str, **parts: Any) -> Task:
    base = Task(uid=uid, scheduler="kueue", scope="team", kind="Job", name=uid, state=TaskState.RUNNING)
    return replace(base, **parts)


SNAPSHOT = (
    task("a", state=TaskState.WAITING, priority=50, place_in_line=2, created_at=3.0, mine=True, submitter="ana"),
    task("b", state=TaskState.WAITING, priority=100, place_in_line=1, created_at=4.0, mine=False, submitter="bob"),
    task("c", state=TaskState.RUNNING, priority=0, created_at=1.0, mine=True, submitter="ana", requested=(Amount("nvidia.com/gpu", "10"),)),
    task("d", state=TaskState.FINISHED, created_at=2.0, requested=(Amount("nvidia.com/gpu", "9"),)),
    task("e", state=TaskState.STARTING, priority=7, kind="PyTorchJob", name="Llama-Pretrain", requested=(Amount("cpu", "500"),)),
)


def uids(**question: Any) -> list[str]:
    return [each.uid for each in page(SNAPSHOT, Question(**question)).rows]


def test_sorting() -> None:
    assert uids() == ["e", "c", "b", "a", "d"]  # what may need somebody first, the line in its order
    assert uids(sort="priority") == ["c", "e", "a", "b", "d"]
    assert uids(sort="priority", descending=True) == ["b", "a", "e", "c", "d"]  # not known comes last either way
    assert uids(sort="requested", descending=True) == ["c", "d", "e", "a", "b"]  # 10 GPUs above 9: numbers, not text
    assert uids(sort="created") == ["c", "d", "a", "b", "e"]
    assert uids(sort="no such key") == uids()


def test_filter_and_counts() -> None:
    found = page(SNAPSHOT, Question(whose="mine", states=frozenset({"waiting"})))
    assert ([each.uid for each in found.rows], found.total, found.by_state) == (["a"], 1, {"waiting": 1, "running": 1})
    assert uids(text="llama PYTORCH") == ["e"]
    assert uids(text="llama job-x") == []
    assert uids(text="bob") == ["b"]
    assert (mine_known(SNAPSHOT), mine_known([task("x")]), mine_known([task("x", mine=False)])) == (True, False, True)


def test_pages() -> None:
    assert (uids(offset=1, limit=2), uids(offset=4, limit=2), uids(offset=99), uids(offset=-5, limit=0)) == (["c", "b"], ["d"], [], ["e"])
    assert page(SNAPSHOT, Question(offset=99)).total == 5
    assert page(SNAPSHOT, Question(limit=10**9)).limit == MAX_LIMIT


@given(
    st.permutations(SNAPSHOT),
    st.sampled_from(sorted(SORTS)),
    st.booleans(),
    st.integers(1, 3),
)
def test_pages_add_up_to_the_whole_whatever_the_order_of_arrival(tasks: list[Task], sort: str, descending: bool, limit: int) -> None:
    question = Question(sort=sort, descending=descending, limit=limit)
    whole = select(tasks, question)
    assert whole == select(SNAPSHOT, question)
    paged = [each for offset in range(0, len(tasks), limit) for each in page(tasks, replace(question, offset=offset)).rows]
    assert tuple(paged) == whole
