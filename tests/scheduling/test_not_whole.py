"""A list that is not whole: what is not in it may be there all the same, so nothing is said of its absence (DESIGN.md 2.3)."""

from __future__ import annotations

from typing import Any

import pytest

from hpgov_jlab.answers.source import Source
from hpgov_jlab.answers.tasks import make
from hpgov_jlab.model.task import Task, TaskState
from hpgov_jlab.scheduling.states import Team, tasks_of

from .frames import check_phrase, job, pod, pod_set
from .test_states import ADMITTED, NOW, PENDING, gets, queues

QUEUE = {"kueue.x-k8s.io/queue-name": "lq"}


def one(team: Team) -> Task:
    (task,) = tasks_of(team, NOW)
    check_phrase(task.reason)
    return task


def said(task: Task) -> tuple[TaskState, str | None]:
    return task.state, task.reason.code if task.reason is not None else None


@pytest.mark.parametrize(
    ("whole", "wanted"),
    [(True, (TaskState.WAITING, "waits_no_workload")), (False, (TaskState.UNKNOWN, "suspended_workload_not_among_read"))],
)
def test_a_suspended_job_whose_workload_may_be_missing(whole: bool, wanted: tuple[TaskState, str]) -> None:
    found = job("j", labels=QUEUE, suspend=True)
    assert said(one(Team("team", (), (found,), frozenset({"Job"}), (), queues(), workloads_whole=whole))) == wanted


@pytest.mark.parametrize(("whole", "wanted"), [(True, (TaskState.WAITING, "waits_no_workload")), (False, (TaskState.UNKNOWN, "workload_not_among_read"))])
def test_a_governed_pod_whose_workload_may_be_missing(whole: bool, wanted: tuple[TaskState, str]) -> None:
    found = pod("p", metadata={"labels": {"kueue.x-k8s.io/managed": "true", **QUEUE}})
    assert said(one(Team("team", (), (), frozenset({"Pod"}), (found,), queues(), workloads_whole=whole))) == wanted


def test_an_admitted_task_of_whose_pods_none_was_read() -> None:
    """No pod of it among those that were read is not: it has none."""
    found = gets(*ADMITTED)
    assert said(one(Team("team", (found,), (), frozenset(), (), queues()))) == (TaskState.STARTING, "starting_no_pods")
    assert said(one(Team("team", (found,), (), frozenset(), (), queues(), pods_whole=False))) == (TaskState.UNKNOWN, "pods_not_whole")


def test_an_admitted_task_of_whose_pods_some_were_read() -> None:
    ready = [{"type": "Ready", "status": "True"}, {"type": "PodScheduled", "status": "True"}]
    pods = (pod("j-0", owner=("Job", "j", "uid-j"), conditions=ready),)
    two = gets(*ADMITTED, podSets=[pod_set(2)])
    assert said(one(Team("team", (two,), (), frozenset(), pods, queues()))) == (TaskState.STARTING, "starting_some_ready")
    assert said(one(Team("team", (two,), (), frozenset(), pods, queues(), pods_whole=False))) == (TaskState.UNKNOWN, "pods_not_whole")


def test_places_are_not_counted_in_a_line_of_which_some_are_missing() -> None:
    found = gets(PENDING, queueName="lq")
    assert one(Team("team", (found,), queues=queues())).place_in_line == 1
    assert one(Team("team", (found,), queues=queues(), workloads_whole=False)).place_in_line is None


def test_a_local_queue_may_be_among_those_that_are_missing() -> None:
    found = gets(PENDING, queueName="other")
    assert said(one(Team("team", (found,), queues=queues())))[1] == "waits_local_queue_missing"
    assert said(one(Team("team", (found,), queues=queues(local_queues_whole=False))))[1] != "waits_local_queue_missing"


def counted(*, whole: bool, **team: Any) -> tuple[int | None, int, dict[TaskState, int], bool]:
    counts = make(Source((Team("team", queues=queues(), **team),), whole=whole), NOW)[0].counts
    return counts.running, counts.waiting, counts.rest, counts.at_least


def test_numbers_of_a_list_that_is_not_whole_are_lowest_numbers_or_not_known() -> None:
    waits = (gets(PENDING, queueName="lq"),)
    assert counted(whole=True, workloads=waits) == (0, 1, {}, False)
    assert counted(whole=False, workloads=waits, workloads_whole=False) == (0, 1, {}, True)
    suspended = (job("j2", labels=QUEUE, suspend=True),)
    assert counted(whole=False, workloads=waits, objects=suspended, workloads_whole=False) == (0, 1, {TaskState.UNKNOWN: 1}, True)
    governed = (pod("p", metadata={"labels": {"kueue.x-k8s.io/managed": "true", **QUEUE}}),)
    assert counted(whole=False, workloads=waits, pods=governed, workloads_whole=False) == (None, 1, {TaskState.UNKNOWN: 1}, True)
