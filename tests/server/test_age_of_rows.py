"""Rows are as old as what they were made of (DESIGN.md 2.3: stale is never fresh): reads that were done anew meanwhile do not make them younger."""

from __future__ import annotations

import asyncio
import time

import pytest

from hpgov_jlab.sandbox.launch import start
from hpgov_jlab.sandbox.scenario import Scenario

from .panel import RESEARCH, SLURM, Panel
from .states_table import END, one_connection, slurm_connection


@pytest.mark.parametrize(
    ("scenario", "name", "fault", "late"),
    [
        (one_connection(), RESEARCH, "k8s-slow=6@k8s:list resourceflavors.kueue.x-k8s.io", 6.0),
        (slurm_connection(), SLURM, "slurm-slow=1.5", 1.0),
    ],
    ids=["eks", "slurm"],
)
async def test_rows_keep_their_age_while_their_lists_are_newer(scenario: Scenario, name: str, fault: str, late: float) -> None:
    """One read of the refresh comes `late` seconds later, so that for so long the rows on the screen are older than the lists that are known."""
    with start(scenario, pace=END) as running, Panel(running) as panel:
        id = await panel.id(name)
        before = await panel.settle(lambda: panel.tasks(id))
        as_of, uid = before["tasks"]["as_of"], before["tasks"]["data"][0]["uid"]
        share = await panel.settle(lambda: panel.share(id))
        await asyncio.sleep(0.2)
        running.faults.switch(fault)
        panel.later()
        began, met = time.monotonic(), 0
        while (page := panel.tasks(id))["tasks"]["as_of"] == as_of and time.monotonic() < began + 30:
            if max(r["at"] for r in page["tasks"]["readings"] if r["state"] == "ok") > as_of + 0.2:
                met += 1
                shares, task = panel.share(id), panel.task(id, uid)
                if panel.tasks(id)["tasks"]["as_of"] == as_of:  # the three are of one moment
                    assert shares["rows"]["as_of"] == share["rows"]["as_of"]
                    assert task["detail"]["as_of"] <= as_of
            await asyncio.sleep(0.05)
        assert met, "some reads were newer than the rows"
        assert page["tasks"]["as_of"] > as_of and time.monotonic() - began >= late, "made anew once everything was read"
