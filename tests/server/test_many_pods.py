"""A task of thousands of pods: its page stays small on the wire, names those in trouble and sums the others."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from hpgov_jlab.sandbox.launch import start
from hpgov_jlab.scheduling.detail import MOST_PODS

from .panel import RESEARCH, Panel
from .recordings import crowded
from .states_table import END, one_connection

POD, TASK, PODS = "eval-mmlu-cc9bk", "eval-mmlu", 5000
MOST_BYTES = 256 * 1024
"""Far below the 1.5 MB that 5,000 pods are: 200 are about 60 KB, and what else is on the page is bounded too."""


def test_five_thousand_pods_of_a_task_make_no_page_of_megabytes(tmp_path: Path) -> None:
    folder = crowded(tmp_path / "recordings", POD, PODS)

    async def story() -> tuple[dict[str, Any], int]:
        with start(one_connection(), pace=END, recordings=folder) as running, Panel(running) as panel:
            id = await panel.id(RESEARCH)
            rows = (await panel.settle(lambda: panel.tasks(id, limit=200)))["tasks"]["data"]
            (uid,) = {row["uid"] for row in rows if row["name"] == TASK}
            page = await panel.settle(lambda: panel.task(id, uid))
            return page, len(panel.bodies[-1].encode())

    page, size = asyncio.run(story())
    print(f"{PODS} pods: {size} bytes")
    assert len(page["pods"]["data"]) == MOST_PODS
    assert page["more_pods"] == {"count": PODS - MOST_PODS, "by_phase": {"Succeeded": PODS - MOST_PODS}, "in_trouble": 0, "at_least": False}
    assert size < MOST_BYTES
