"""A list that is cut, or has an object that can't be decoded, says so wherever it counts (DESIGN.md 2.3): what is not in it may be there all the same."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from hpgov_jlab.sandbox.launch import Running, start
from hpgov_jlab.words import WORDS

from .panel import RESEARCH, Panel
from .recordings import altered
from .states_table import END, one_connection

WORKLOADS, PODS, EVENTS = "list workloads.kueue.x-k8s.io", "list pods", "list events"
NAMESPACE = "hyperpod-ns-research"
WAITS = "mixtral-8x22b"


def odd(kind: str, found: Any) -> Any:
    """One Workload, the pods of one task and every event in a shape of a newer cluster."""
    name = found["metadata"]["name"]
    if kind.startswith("kueue.x-k8s.io/") and kind.endswith("/workloads") and WAITS in name:
        return {**found, "spec": {**found["spec"], "podSets": 7}}
    if kind == "core/v1/events":
        return {**found, "involvedObject": 7}
    return found


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = altered(tmp_path_factory.mktemp("whole") / "recordings", odd)
    with start(one_connection(), pace=END, recordings=folder) as made:
        yield made
        assert made.faulty() == []


def lacks(part: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(r["code"], r["source"], r["params"]["scope"]) for r in part["readings"] if r["code"].startswith("k8s_list_")]


def test_one_undecodable_workload_is_told_on_every_part_that_counts_it(running: Running) -> None:
    async def story() -> None:
        with Panel(running) as panel:
            id = await panel.id(RESEARCH)
            missing = [("k8s_list_unread", WORKLOADS, NAMESPACE)]
            tasks = await panel.settle(lambda: panel.tasks(id))
            assert tasks["tasks"]["last"]["state"] == "ok" and tasks["tasks"]["data"], "the others still stand"
            assert lacks(tasks["tasks"]) == missing and tasks["at_least"] is True
            share = await panel.settle(lambda: panel.share(id))
            assert lacks(share["rows"]) == missing
            for page in (await panel.settle(panel.connections), await panel.settle(lambda: panel.connection(id))):
                card = page["card"] if "card" in page else page["connections"]["data"][0]
                assert lacks(card["counts"]) == missing and card["counts"]["data"]["at_least"] is True
                assert lacks(card["share"]) == missing

            row = next(t for t in tasks["tasks"]["data"] if t["name"] == WAITS)
            assert row["reason"] is None or row["reason"]["code"] != "waits_no_workload", "Kueue has made one: it is only not among those that were read"
            assert row["place_in_line"] is None
            uid = row["uid"]
            page = await panel.settle(lambda: panel.task(id, uid))
            assert lacks(page["detail"]) == missing
            assert page["events"]["data"] is None and page["events"]["last"]["code"] == "k8s_list_unread", "no event that could be read is not: none is kept"
            gone = await panel.settle(lambda: panel.task(id, "not-a-uid"))
            assert gone["detail"]["last"]["code"] == "k8s_list_unread", "it may be the one that is missing"
            assert WORDS[gone["detail"]["last"]["code"]].text

    asyncio.run(story())


def test_whole_lists_say_nothing() -> None:
    async def story() -> None:
        with start(one_connection(), pace=END) as made, Panel(made) as panel:
            id = await panel.id(RESEARCH)
            tasks = await panel.settle(lambda: panel.tasks(id))
            counts = (await panel.settle(lambda: panel.connection(id)))["card"]["counts"]
            assert (lacks(tasks["tasks"]), tasks["at_least"], counts["data"]["at_least"]) == ([], False, False)

    asyncio.run(story())
