"""One object with numbers that nobody can count must not keep a whole team's tasks from being shown: any member may write it, and the API server takes it."""

from __future__ import annotations

import json

import msgspec

from hpgov_jlab.answers import tasks
from hpgov_jlab.answers.source import Source
from hpgov_jlab.model.kinds_serving import RayCluster
from hpgov_jlab.model.kubernetes import hook
from hpgov_jlab.model.outcome import Phrase
from hpgov_jlab.model.task import Stop, Task, TaskState
from hpgov_jlab.scheduling.states import Team
from hpgov_jlab.scheduling.view import Snapshot

INT32 = 2**31 - 1


def test_a_ray_cluster_of_int32_numbers_keeps_no_other_task_from_being_shown() -> None:
    groups = [{"groupName": f"g{n}", "replicas": INT32, "numOfHosts": INT32} for n in range(5)]

    def ray(uid: str, worker_groups: list[dict[str, object]]) -> object:
        metadata = {"name": uid, "uid": uid, "namespace": "n", "creationTimestamp": "2026-01-01T00:00:00Z"}
        body = json.dumps({"metadata": metadata, "spec": {"workerGroupSpecs": worker_groups}}).encode()
        return msgspec.json.decode(body, type=RayCluster, dec_hook=hook).task("RayCluster", "rayclusters", "ray.io/v1")

    team = Team("n", (), (ray("huge", groups), ray("well", groups[:1])), frozenset({"RayCluster"}), ())  # type: ignore[arg-type]
    made, _ = tasks.make(Source((team,)), 1e9)
    huge, well = made.snapshot.find("huge"), made.snapshot.find("well")
    assert huge is not None and well is not None
    assert (huge.name, huge.pods) == ("huge", None), "not known, and never a number that is none"
    assert well.pods == 1 + INT32 * INT32


def test_whatever_msgpack_has_no_form_of_is_not_told() -> None:
    row = Task(
        "u", "kueue", "s", "k", "n\ud800", TaskState.WAITING, reason=Phrase("x", {"a": 2**70, "b": 1.5, "c": None}), priority=-(2**70), stops=2**64,
        last_stop=Stop(1.0, Phrase("y", {}), 2**64), mine=True,
    )  # fmt: skip
    found = Snapshot([row]).find("u")
    assert found is not None and (found.name, found.priority, found.stops, found.last_stop, found.mine) == ("n?", None, None, None, True)
    assert found.state is TaskState.WAITING and found.reason == Phrase("x", {"a": None, "b": 1.5, "c": None})
