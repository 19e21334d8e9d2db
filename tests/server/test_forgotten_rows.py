"""Whoever is refused before the lists are asked for has no rows left in this server's memory either (DESIGN.md 4: at once, on the server and on the screen)."""

from __future__ import annotations

from typing import Any

from hpgov_jlab.model.kueue import Workload
from hpgov_jlab.model.slurm import SlurmJobs, SlurmUsage
from hpgov_jlab.sandbox.launch import start
from hpgov_jlab.sources.kubernetes.lists import Listing

from .panel import RESEARCH, SLURM, Panel
from .states_table import END, _switch, one_connection, slurm_connection


def held(panel: Panel) -> list[Any]:
    kept = [e.reading.data for e in panel.service.reads._entries.values()]
    workloads = [item for data in kept if isinstance(data, Listing) for item in data.items if isinstance(item, Workload)]
    return [*workloads, *(data for data in kept if isinstance(data, SlurmJobs | SlurmUsage))]


async def test_after_a_refused_discovery() -> None:
    with start(one_connection(), pace=END) as running, Panel(running) as panel:
        id = await panel.id(RESEARCH)
        await panel.settle(lambda: panel.tasks(id))
        assert held(panel)
        running.faults.set("k8s-unauthorized")
        panel.later(700)  # discovery is due too, and stands before every list
        refused = await panel.settle(lambda: panel.tasks(id))
        assert (refused["tasks"]["last"]["state"], refused["tasks"]["data"]) == ("denied", None)
        assert held(panel) == []
        running.faults.clear()
        panel.later(700)
        assert (await panel.settle(lambda: panel.tasks(id)))["tasks"]["data"]


async def test_after_slurm_refused_who_she_is() -> None:
    with start(slurm_connection(), pace=END) as running, Panel(running) as panel:
        id = await panel.id(SLURM)
        await panel.settle(lambda: panel.tasks(id))
        assert held(panel)
        _switch(running, ("slurm-identity-refused",))
        panel.later(70)
        refused = await panel.settle(lambda: panel.tasks(id))
        assert (refused["tasks"]["last"]["state"], refused["tasks"]["data"]) == ("denied", None)
        assert held(panel) == []
        _switch(running)
        panel.later()
        assert (await panel.settle(lambda: panel.tasks(id)))["tasks"]["data"]
