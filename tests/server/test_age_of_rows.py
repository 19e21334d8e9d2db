"""Rows are as old as what they were made of (DESIGN.md 2.3: stale is never fresh): reads that were done anew meanwhile do not make them younger."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import pytest

from hpgov_jlab.sandbox.launch import Running, start
from hpgov_jlab.sandbox.scenario import Scenario
from hpgov_jlab.sandbox.slurm.install import switch

from .panel import RESEARCH, SLURM, Panel
from .states_table import END, one_connection, slurm_connection


@pytest.mark.parametrize(
    ("scenario", "name", "slow", "late"),
    [
        (one_connection(), RESEARCH, lambda on: on.faults.switch("k8s-slow=6@k8s:list resourceflavors.kueue.x-k8s.io"), 6.0),
        (slurm_connection(), SLURM, lambda on: switch(on.folder / "slurm", {"slow": 1.5}), 1.5),
    ],
    ids=["eks", "slurm"],
)
async def test_rows_keep_their_age_while_their_lists_are_newer(scenario: Scenario, name: str, slow: Callable[[Running], None], late: float) -> None:
    """Reads of the refresh come late, one or each: for so long the rows on the screen are older than lists that are known already."""
    with start(scenario, pace=END) as running, Panel(running) as panel:
        id = await panel.id(name)
        before = await panel.settle(lambda: panel.tasks(id))
        as_of, uid = before["tasks"]["as_of"], before["tasks"]["data"][0]["uid"]
        share = await panel.settle(lambda: panel.share(id))
        await asyncio.sleep(0.2)
        slow(running)
        panel.later()
        began, met = time.time(), 0
        while (page := panel.tasks(id))["tasks"]["as_of"] == as_of and time.time() < began + 60:
            if max(r["at"] for r in page["tasks"]["readings"] if r["state"] == "ok") > began:
                met += 1
                shares, task = panel.share(id), panel.task(id, uid)
                if panel.tasks(id)["tasks"]["as_of"] == as_of:  # the three are of one moment
                    assert shares["rows"]["as_of"] == share["rows"]["as_of"]
                    assert task["detail"]["as_of"] <= as_of
            await asyncio.sleep(0.05)
        assert met, "some reads were newer than the rows"
        assert page["tasks"]["as_of"] > as_of and time.time() >= began + late, "made anew, and not before the late read came"
        again = await panel.settle(lambda: panel.tasks(id))
        anew = {r["source"] for r in again["tasks"]["readings"] if r["state"] == "ok" and r["at"] > began}
        assert [r["source"] for r in page["tasks"]["readings"] if r["source"] in anew and r["at"] <= began] == [], (
            "everything that is read anew was read by then"
        )
