"""A card counts what the dashboard counts: the same states, each task once, at every moment of the story (DESIGN.md 3: answers always agree)."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import Any

import pytest

from hpgov_jlab.answers.tasks import NEVER
from hpgov_jlab.sandbox.kubernetes.recording import load as recording
from hpgov_jlab.sandbox.kubernetes.scenario import Pace
from hpgov_jlab.sandbox.launch import start
from hpgov_jlab.words import SLURM, TASKS

from .panel import Panel
from .states_table import END, one_connection

SAYS_NEVER = re.compile(r"can ever hold|admits nothing that asks|for ever|never be met|can ever meet")
FRAMES = (*range(0, min(len(recording(name).frames) for name in ("story", "story-0.12")), 5), -1)


def by_state(counts: dict[str, Any]) -> dict[str, int | None]:
    every = {"running": counts["running"], "waiting": counts["waiting"], **counts["rest"]}
    return {state: number for state, number in every.items() if number != 0}


@pytest.mark.parametrize("frame", FRAMES)
def test_the_card_counts_what_the_dashboard_counts(frame: int) -> None:
    async def story() -> None:
        with start("default", pace=Pace(frame=frame)) as running, Panel(running) as panel:
            cards = (await panel.settle(panel.connections))["connections"]["data"]
            assert len(cards) == 3
            for card in cards:
                id = card["connection"]["id"]
                alone = by_state(card["counts"]["data"])  # before any dashboard was opened
                tasks = await panel.settle(lambda id=id: panel.tasks(id))
                assert alone == tasks["by_state"], card["connection"]["name"]
                assert sum(number or 0 for number in alone.values()) == tasks["total"] > 0
                page = await panel.settle(lambda id=id: panel.connection(id))
                assert by_state(page["card"]["counts"]["data"]) == tasks["by_state"]

    asyncio.run(story())


def test_the_card_says_of_slurms_nodes_what_the_dashboard_says() -> None:
    """HyperPod calls all of them Running while Slurm keeps jobs away from one: both stand on the card, before any dashboard was opened."""

    async def story() -> None:
        with start("default") as running, Panel(running) as panel:
            cards = {c["connection"]["orchestrator"]: c for c in (await panel.settle(panel.connections))["connections"]["data"]}
            assert cards["EKS"]["slurm_nodes"] is None
            card, id = cards["SLURM"], cards["SLURM"]["connection"]["id"]
            assert card["nodes"]["data"]["by_status"] == {"Running": 8}
            states = card["slurm_nodes"]["data"]["states"]
            assert [(s["nodes"], s["state"]) for s in states if not s["usable"]] == [(1, "DRAIN")]
            for page in (await panel.settle(lambda: panel.connection(id)))["card"], await panel.settle(lambda: panel.share(id)):
                assert page["slurm_nodes"]["data"] == card["slurm_nodes"]["data"]

    asyncio.run(story())


def test_what_needs_a_look_is_a_lowest_number_where_the_counts_are() -> None:
    """A list that is cut, of tasks or of nodes: what it lacks may need a look too."""

    async def story() -> None:
        with start(one_connection(), pace=END) as running, Panel(running) as panel:
            (card,) = (await panel.settle(panel.connections))["connections"]["data"]
            whole = {note["code"]: note["params"] for note in card["attention"]}
            assert {"attention_never", "attention_failed"} <= set(whole) and not card["counts"]["data"]["at_least"]
            for key, entry in panel.service.reads._entries.items():
                if key.operation.startswith("list_workloads"):
                    entry.reading = replace(entry.reading, data=replace(entry.reading.data, complete=False), as_of=entry.reading.as_of + 1)
                if key.operation == "ListClusterNodes":
                    nodes = replace(entry.reading.data, total=5000, by_status={"Failure": 2, "Running": 4998}, complete=False)
                    entry.reading = replace(entry.reading, data=nodes)
            (card,) = (await panel.settle(panel.connections))["connections"]["data"]
            cut = {note["code"]: note["params"] for note in card["attention"]}
            assert card["counts"]["data"]["at_least"]
            assert cut == {"attention_nodes_at_least": {"count": 2, "total": 5000}, **{f"{code}_at_least": params for code, params in whole.items()}}

    asyncio.run(story())


def test_what_its_own_words_call_never_is_counted_as_never() -> None:
    waits = {code: word for words in (TASKS, SLURM) for code, word in words.items() if "waits_" in code or words is SLURM}
    says = {code for code, word in waits.items() if SAYS_NEVER.search(f"{word.text} {word.then or ''}")} - {"slurm_part_limits_wait"}  # a notice, no job
    assert len(says) > 8 and says <= NEVER
