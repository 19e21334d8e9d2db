"""A card counts what the dashboard counts: the same states, each task once, at every moment of the story (DESIGN.md 3: answers always agree)."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from hpgov_jlab.answers.tasks import NEVER
from hpgov_jlab.sandbox.kubernetes.recording import load as recording
from hpgov_jlab.sandbox.kubernetes.scenario import Pace
from hpgov_jlab.sandbox.launch import start
from hpgov_jlab.words import SLURM, TASKS

from .panel import Panel

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


def test_what_its_own_words_call_never_is_counted_as_never() -> None:
    waits = {code: word for words in (TASKS, SLURM) for code, word in words.items() if "waits_" in code or words is SLURM}
    says = {code for code, word in waits.items() if SAYS_NEVER.search(f"{word.text} {word.then or ''}")} - {"slurm_part_limits_wait"}  # a notice, no job
    assert len(says) > 8 and says <= NEVER
