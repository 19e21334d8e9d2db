"""States and share rows of objects that a real Kueue made, both versions side by side: literal expectations, and what must hold of every frame."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hpgov_jlab.model.kubernetes import build
from hpgov_jlab.model.kueue import ClusterQueue
from hpgov_jlab.model.quantity import add, canonical
from hpgov_jlab.model.task import TaskState
from hpgov_jlab.scheduling.detail import detail_of
from hpgov_jlab.scheduling.requests import pod_set_demand, workload_demand
from hpgov_jlab.scheduling.share import share_of
from hpgov_jlab.scheduling.states import tasks_of, team_units

from .frames import VERSIONS, check_phrase, last_moment, recorded, tasks_in, team_of, workload

# (frame, task): state, ended, reason, stops, last stop
EXPECTED: dict[tuple[str, str], tuple[str, str | None, str | None, int | None, str | None]] = {
    ("story:a", "a1"): ("starting", None, "starting_no_pods", 0, None),
    ("story:b", "b1"): ("waiting", None, "waits_quota", 1, "stop_preempted_reclaimed"),
    ("story:b", "b2"): ("waiting", None, "waits_to_borrow", 1, "stop_preempted_in_queue"),
    ("story:b", "b3"): ("waiting", None, "waits_exceeds_queue", 0, None),
    ("story:b", "b4"): ("starting", None, "starting_no_pods", 0, None),
    ("story:b", "multi"): ("waiting", None, "waits_exceeds_queue", 0, None),
    ("story:b", "aff"): ("waiting", None, "waits_no_flavor", 0, None),
    ("story:b", "nolq"): ("waiting", None, "waits_local_queue_missing", 0, None),
    ("story:b", "uncov"): ("waiting", None, "waits_not_covered", 0, None),
    ("story:b", "unmanaged"): ("starting", None, "unmanaged_no_pods", None, None),
    ("story:b", "user-suspended"): ("suspended", None, "suspended_by_owner", None, None),
    ("hold:a", "onhold"): ("waiting", None, "queue_stopped", 0, None),
    ("drain:a", "a1"): ("waiting", None, "queue_stopped", 1, "stop_cluster_queue"),
    ("lqdrain:a", "a1"): ("waiting", None, "waits_local_queue_stopped", 2, "stop_local_queue"),
    ("nsnot:c", "nsnot"): ("waiting", None, "waits_namespace_not_selected", 0, None),
    ("noflavor:d", "noflavor"): ("waiting", None, "queue_flavor_missing", 0, None),
    ("lqhold:e", "lqhold"): ("waiting", None, "waits_local_queue_stopped", 0, None),
    ("deactivated:e", "lqhold"): ("deactivated", None, "deactivated", 1, "stop_deactivated"),
    ("finished:e", "fin"): ("finished", "well", None, 0, None),
    ("finished:e", "bad"): ("finished", "badly", "finished_badly", 0, None),
    ("finished:e", "part"): ("starting", None, "starting_no_pods", 0, None),
    ("check:f", "chk"): ("checking", None, "checks_pending", 0, None),
    ("checkretry:f", "chk"): ("checking", None, "checks_pending", 1, "stop_admission_check"),
    ("checkreject:f", "chk"): ("deactivated", None, "deactivated_check", 1, "stop_check_rejected"),
    ("gang-before:a", "g1"): ("starting", None, "starting_no_pods", 0, None),
    ("gang-timeout:a", "g1"): ("waiting", None, "waits_back_off", 1, "stop_pods_not_ready"),
}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(("frame", "name"), EXPECTED)
def test_state(version: str, frame: str, name: str) -> None:
    task = tasks_in(version, frame)[name]
    found = (task.state.value, task.ended, task.reason.code if task.reason else None, task.stops, task.last_stop.cause.code if task.last_stop else None)
    assert found == EXPECTED[frame, name]


# What the official team role sees: no LocalQueues. (frame, task) -> reason
WITHOUT_LOCAL_QUEUES = {
    ("story:b", "nolq"): "waits_local_queue_missing",
    ("story:b", "b3"): "waits_exceeds_queue",
    ("story:b", "uncov"): "waits_not_covered",
    ("hold:a", "onhold"): "queue_stopped",
    ("lqhold:e", "lqhold"): "waits_local_queue_inactive",
    ("lqdrain:a", "onhold"): "waits_local_queue_inactive",
    ("nsnot:c", "nsnot"): "waits_namespace_not_selected",
}
# Without the ClusterQueue either: Kueue's own word where it has a known sentence, else what is not readable.
WITHOUT_QUEUES = {
    ("story:b", "nolq"): "waits_local_queue_missing",
    ("story:b", "b1"): "waits_quota_told",
    ("story:b", "b3"): "waits_exceeds_told",
    ("story:b", "uncov"): "waits_not_covered",
    ("story:b", "aff"): "waits_no_flavor",
    ("hold:a", "onhold"): "waits_cluster_queue_inactive",
    ("nsnot:c", "nsnot"): "waits_namespace_not_selected",
}


@pytest.mark.parametrize("version", VERSIONS)
def test_fewer_rights(version: str) -> None:
    for (frame, name), code in WITHOUT_LOCAL_QUEUES.items():
        reason = tasks_in(version, frame, local_queues=False)[name].reason
        assert reason is not None and reason.code == code, (frame, name, reason)
        check_phrase(reason)
    for (frame, name), code in WITHOUT_QUEUES.items():
        reason = tasks_in(version, frame, local_queues=False, cluster_queue=False)[name].reason
        assert reason is not None and reason.code == code, (frame, name, reason)
        check_phrase(reason)


@pytest.mark.parametrize("version", VERSIONS)
def test_never_names_every_figure_and_the_largest_count(version: str) -> None:
    task = tasks_in(version, "story:b")["b3"]  # nine pods of 8 GPUs; two nodes of its own and two borrowed
    assert task.reason is not None and task.next_step is not None
    assert task.reason.params == {
        "resource": "nvidia.com/gpu",
        "flavor": "ml.p5.48xlarge",
        "amount_asked": "72",
        "amount_most": "32",
        "figures": "nvidia.com/gpu (ml.p5.48xlarge): 72 > 32",
        "pods_asked": 9,
        "largest_pods": 4,
    }
    assert (task.next_step.code, task.next_step.params) == ("next_smaller", {"largest_pods": 4})


@pytest.mark.parametrize("version", VERSIONS)
def test_short_by(version: str) -> None:
    task = tasks_in(version, "story:b")["b1"]  # 24 GPUs asked; 16 held of 16, 16 more may be borrowed
    assert task.reason is not None
    assert (task.reason.params["amount_short"], task.reason.params["amount_asked"], task.reason.params["amount_there"]) == ("8", "24", "16")


@pytest.mark.parametrize("version", VERSIONS)
def test_order_in_line_is_that_of_the_queue(version: str) -> None:
    tasks = tasks_in(version, "story:b")
    line = sorted((task for task in tasks.values() if task.place_in_line is not None), key=lambda task: task.place_in_line or 0)
    assert [task.name for task in line][:2] == ["b1", "b2"]  # priority 50 before 0, then age
    assert [task.place_in_line for task in line] == list(range(1, len(line) + 1))
    assert {task.line_source for task in line} == {"computed"}
    assert tasks["nolq"].place_in_line is None  # its queue does not exist: in no line


@pytest.mark.parametrize("version", VERSIONS)
def test_stop_keeps_its_time_and_text_is_ours(version: str) -> None:
    task = tasks_in(version, "story:b")["b1"]
    assert task.last_stop is not None and task.last_stop.at is not None and task.since == task.last_stop.at
    assert task.text is not None and task.text.startswith("couldn't assign flavors to pod set main: insufficient unused quota")


def frames() -> list[tuple[str, str]]:
    return [(version, name) for version in VERSIONS for name in recorded(version)]


@pytest.mark.parametrize(("version", "name"), frames())
def test_every_frame(version: str, name: str) -> None:
    """Every combination of rights: one row per task, known words, no foreign text, and no number that the ClusterQueue does not say."""
    frame = recorded(version)[name]
    foreign = _foreign(frame)
    for known in ({}, {"local_queues": False}, {"local_queues": False, "cluster_queue": False}):
        team = team_of(frame, **known)
        tasks = tasks_of(team, last_moment(frame))
        assert len({task.uid for task in tasks}) == len(tasks)
        assert {unit.workload.metadata.name for unit in team_units(team) if unit.workload} == {each["metadata"]["name"] for each in frame["workloads"]}
        for task in tasks:
            for phrase in (task.reason, task.next_step, task.last_stop.cause if task.last_stop else None):
                check_phrase(phrase)
            assert task.reason is not None or task.state in (TaskState.RUNNING, TaskState.FINISHED)
        for unit, task in zip(team_units(team), tasks, strict=True):
            detail = detail_of(task, unit)
            for moment in (*detail.history, *detail.conditions):
                check_phrase(moment.what)
            assert not [text for text in foreign if text in repr(detail)]
    _numbers(frame)


def _foreign(frame: dict[str, Any]) -> list[str]:
    """Other teams' queue paths and the UIDs of other Workloads, as Kueue writes them into ours."""
    own = {each["metadata"]["uid"] for each in (*frame["workloads"], *frame["jobs"])}
    text = json.dumps([each["status"].get("conditions") for each in frame["workloads"]])
    found = [part.split('"')[0].split(",")[0].split(")")[0] for part in text.split("UID: ")[1:]] + [
        part.split('"')[0].split(";")[0] for part in text.split(" path: ")[1:]
    ]
    return [part for part in found if part not in own]


def _numbers(frame: dict[str, Any]) -> None:
    queue = build(frame["cq"], ClusterQueue)
    share = share_of(queue, [team_of(frame)])
    told = {
        (flavor["name"], each["name"]): (canonical(each["name"], each["total"]), canonical(each["name"], each["borrowed"]))
        for flavor in frame["cq"]["status"]["flavorsReservation"]
        for each in flavor["resources"]
    }
    assert {(row.flavor, row.resource): (row.held, row.borrowed) for row in share.rows} == told
    for row in share.rows:
        assert row.not_attributed == "0"  # one namespace per queue here: everything held has its task
        assert add("0", *(holder.amount for holder in row.holders)) == row.held
        check_phrase(next(iter(share.notes), None))


def test_foreign_text_is_there_to_be_cut() -> None:
    """Else the test above could not fail."""
    assert all(_foreign(recorded(version)["story:b"]) for version in VERSIONS)


def test_our_arithmetic_is_kueues() -> None:
    """Init containers, sidecars, pod-level resources, limits for requests, rounding: what Kueue admitted (0.19.2) against the templates."""
    team = team_of(recorded("0.19.2")["requests:g"])
    assert team.workloads is not None and len(team.workloads) == 4
    for each in team.workloads:
        admitted = workload_demand(each)
        assert admitted.source == "admission"
        assert [pod_set_demand(pod_set).per_pod for pod_set in each.spec.pod_sets] == [pod_set.per_pod for pod_set in admitted.pod_sets]


def test_partly_admitted_counts_what_was_admitted() -> None:
    task = tasks_in("0.19.2", "finished:e")["part"]
    assert task.pods == 4 and [(each.resource, each.amount) for each in task.requested] == [("nvidia.com/gpu", "8"), ("cpu", "40")]
    made = workload(
        podSets=[{"name": "main", "count": 6, "minCount": 2, "template": {"spec": {}}}],
        status={
            "admission": {"clusterQueue": "cq", "podSetAssignments": [{"name": "main", "flavors": {"cpu": "f"}, "resourceUsage": {"cpu": "6"}, "count": 3}]}
        },
    )
    demand = workload_demand(made)
    assert (demand.pods, demand.total(), demand.pod_sets[0].asked) == (3, {"cpu": 6000}, 6)
