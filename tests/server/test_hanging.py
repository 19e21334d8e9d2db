"""A far end that takes connections and answers nothing: the page says so after one deadline, not after the sum of those of every read of the chain.

Over the wire: the sandbox's far ends are slow by more than any deadline. DESIGN.md 3: every answer has a total deadline, a failing cluster gets one probe.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import pytest

from hpgov_jlab.sandbox.launch import Running, start

from .panel import MINUTES, RESEARCH, Panel
from .states_table import END, one_connection

DEADLINE = 20
"""Seconds that one read of an API server may take (reads.py)."""


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with start(one_connection(), pace=END) as made:
        yield made
        assert made.faulty() == []


async def test_the_page_says_unreachable_after_one_deadline(running: Running) -> None:
    with Panel(running) as panel:
        id = await panel.id(RESEARCH)
        before = await panel.settle(lambda: panel.tasks(id))
        assert before["tasks"]["last"]["state"] == "ok" and before["tasks"]["data"]
        running.faults.set("k8s-slow", value=600)
        try:
            panel.later(MINUTES * 2)  # discovery and the self-review too are due: the longest chain
            # two deadlines one after the other would not be over by then
            hung = await panel.settle(lambda: panel.tasks(id), seconds=1.75 * DEADLINE)
            assert (hung["tasks"]["last"]["state"], hung["tasks"]["last"]["code"]) == ("unreachable", "deadline")
            assert hung["tasks"]["last"]["params"] == {"limit_seconds": DEADLINE}
            assert [t["uid"] for t in hung["tasks"]["data"]] == [t["uid"] for t in before["tasks"]["data"]], "the last good rows stay"
            assert hung["tasks"]["as_of"] == before["tasks"]["as_of"], "with their age"
            kubernetes = [r for r in hung["tasks"]["readings"] if r["source"].split(" ")[0] in ("get", "list")]
            assert kubernetes and {r["state"] for r in kubernetes} == {"unreachable"}
            share = await panel.settle(lambda: panel.share(id))
            assert share["rows"]["last"]["state"] == "unreachable" and share["rows"]["data"]
        finally:
            running.faults.clear()
        panel.later(MINUTES)
        again = await panel.settle(lambda: panel.tasks(id))
        assert again["tasks"]["last"]["state"] == "ok" and {r["state"] for r in again["tasks"]["readings"]} <= {"ok", "absent", "denied"}


async def test_when_all_of_aws_hangs_no_chain_of_reads_is_waited_for_link_by_link(running: Running) -> None:
    """Identity, connections, the role's identity, the cluster, its EKS cluster, the contract's bucket: each would wait for its own deadline."""
    with Panel(running) as panel:
        id = await panel.id(RESEARCH)
        await panel.settle(lambda: panel.contract(id))
        before = await panel.settle(lambda: panel.connection(id))
        assert before["card"]["cluster"]["last"]["state"] == before["card"]["contract"]["last"]["state"] == "ok"
        running.faults.set("slow", value=600)
        told: dict[str, Any] = {}

        def all_told() -> bool:
            page = panel.connection(id)
            parts = {"identity": page["identity"], **{name: page["card"][name] for name in ("cluster", "nodes", "contract")}}
            told.update({name: part for name, part in parts.items() if part["last"]["state"] == "unreachable"})
            return len(told) == len(parts)

        try:
            panel.later(MINUTES * 2)
            # three deadlines one after the other would not be over by then
            end = time.monotonic() + 2.5 * DEADLINE
            while not all_told():
                assert time.monotonic() < end, f"so far not reached are only {list(told)}"
                await asyncio.sleep(0.2)
            assert {part["last"]["code"] for part in told.values()} <= {"deadline", "way_silent"}
            assert all(part["last"]["params"] == {} for part in told.values() if part["last"]["code"] == "way_silent"), "no other service's name or Region"
            assert told["cluster"]["data"] == before["card"]["cluster"]["data"] and told["cluster"]["as_of"] == before["card"]["cluster"]["as_of"]
            assert told["contract"]["data"]["standing"] == before["card"]["contract"]["data"]["standing"], "the last good record stays"
        finally:
            running.faults.clear()
        panel.later(MINUTES)
        again = await panel.settle(lambda: panel.connection(id))
        assert {again["card"][name]["last"]["state"] for name in ("cluster", "nodes", "contract")} == {"ok"}
