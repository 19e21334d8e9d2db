"""Whoever may make LocalQueues, or name one in a task's label, makes requests of ours with each: they are bounded, and what is left out is told."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from hpgov_jlab.answers.team import MOST_QUEUES, NamespaceReadings, asked_local_queues, local_names
from hpgov_jlab.model.kubernetes import build
from hpgov_jlab.model.kueue import LocalQueue
from hpgov_jlab.model.outcome import Outcome, Reading, State
from hpgov_jlab.sandbox.launch import start
from hpgov_jlab.sources.kubernetes.lists import Listing

from ..scheduling.frames import workload
from ..server.panel import Panel
from ..server.states_table import END
from ..server.test_namespaces import FIRST, QUEUES, space

CLUSTER_QUEUE, LOCAL_QUEUE = QUEUES[FIRST]
MANY = 200


def queue(number: int) -> dict[str, Any]:
    """Before the real one in every list, which is by name."""
    meta = {"name": f"a{number}", "namespace": FIRST, "uid": f"a{number}"}
    return {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue", "metadata": meta, "spec": {"clusterQueue": f"a{number}-clusterqueue"}}


def test_of_two_hundred_local_queues_those_that_tasks_name_are_asked_for() -> None:
    async def story() -> None:
        scenario = space(FIRST)
        eks = replace(scenario.eks[0], objects=(*scenario.eks[0].objects, *(queue(n) for n in range(MANY))))
        scenario = replace(scenario, eks=(eks,), traits={**scenario.traits, "namespaces": [FIRST]})
        with start(scenario, pace=END) as running, Panel(running) as panel:
            await panel.settle(panel.connections)
            tasks = await panel.settle(lambda: panel.tasks("this-cluster"))
            share = await panel.settle(lambda: panel.share("this-cluster"))
            [far_end] = running.kubernetes.values()
            asked = {e.name for e in far_end.log if e.resource == "clusterqueues"}
            assert len(asked) == MOST_QUEUES and CLUSTER_QUEUE in asked
            assert len([share, *share["more_queues"]]) == MOST_QUEUES
            assert LOCAL_QUEUE in share["local_queue"]["data"].split(", ")
            box = (await panel.settle(lambda: panel.connection("this-cluster")))["manifest"]["data"]
            assert len(box["queues"]) == MOST_QUEUES
            for part in (tasks["tasks"], share["rows"], share["local_queue"]):
                [told] = [r["params"] for r in part["readings"] if r["code"] == "k8s_queues_left_out"]
                assert told == {"scope": FIRST, "count": MANY + 1 - MOST_QUEUES}

    asyncio.run(story())


def read(*items: Any) -> Reading[Listing[Any]]:
    return Reading(Listing(items, "v1beta2"), 1.0, Outcome(State.OK, "read", "x", 1.0))


def test_names_in_tasks_are_bounded_where_local_queues_are_not_readable() -> None:
    """The official team role may not read them: then the tasks' labels name the queues, and a label is for everybody to write."""
    made = [workload(f"w{n}", queueName=f"a{n}") for n in range(MANY)] + [workload(f"real{n}", queueName="real") for n in range(3)]
    at = NamespaceReadings("team", workloads=read(*made))
    assert len(local_names(at)) == MOST_QUEUES and local_names(at)[0] == "real"
    few = NamespaceReadings("team", workloads=read(*made[: MOST_QUEUES - 1], *made[-3:]))
    assert local_names(few) == [*(f"a{n}" for n in range(MOST_QUEUES - 1)), "real"], "as they are met"
    assert asked_local_queues(at) is None


def test_as_many_as_are_asked_for_are_all_and_in_their_order() -> None:
    listed = [build(queue(n), LocalQueue) for n in range(MOST_QUEUES)]
    at = NamespaceReadings("team", workloads=read(workload("w", queueName="a9")), local_queues=read(*listed))
    assert asked_local_queues(at) == tuple(listed) and at.queues_not_asked() == []
