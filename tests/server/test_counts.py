"""A card counts what the dashboard counts: the same states, each task once, at every moment of the story (DESIGN.md 3: answers always agree)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hpgov_jlab.sandbox.kubernetes.recording import load as recording
from hpgov_jlab.sandbox.kubernetes.scenario import Pace
from hpgov_jlab.sandbox.launch import start

from .panel import Panel

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
