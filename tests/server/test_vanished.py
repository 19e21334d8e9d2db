"""A connection that is taken from the project: nothing that was kept of it stays, and what the others stand on does."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from hpgov_jlab.reads import Asker
from hpgov_jlab.sandbox.launch import start
from hpgov_jlab.sandbox.loading import load
from hpgov_jlab.sandbox.scenario import Scenario

from .panel import RESEARCH, SLURM, Panel
from .states_table import END


def two() -> Scenario:
    """One connection to an EKS cluster, one to a Slurm cluster."""
    default = load("default")
    assert default.domain is not None
    return replace(default, domain=replace(default.domain, connections=tuple(c for c in default.domain.connections if c.name in (RESEARCH, SLURM))))


async def _refuse(_: Asker) -> None:
    raise ValueError("a fault of ours")


def test_nothing_is_kept_of_a_connection_that_is_there_no_more() -> None:
    async def story() -> None:
        with start(two(), pace=END) as running, Panel(running) as panel:
            id, other = await panel.id(RESEARCH), await panel.id(SLURM)
            await panel.settle(lambda: panel.tasks(id))
            await panel.settle(lambda: panel.connection(other))
            orchestrators = {panel.share(id)["orchestrator"], panel.task(id, panel.tasks(id)["tasks"]["data"][0]["uid"])["orchestrator"]}
            assert orchestrators == {"EKS"} and (await panel.settle(lambda: panel.share(other)))["orchestrator"] == "SLURM"
            service = panel.service
            for name in (f"description:{id}", f"description:{other}"):
                service.refreshes.start(name, _refuse, fresh=False)
            while service.refreshes.busy:
                await asyncio.sleep(0.01)
            slow = asyncio.Event()

            async def wait(_: Asker) -> None:
                await slow.wait()

            service.refreshes.start(f"events:{id}:hyperpod-ns-research", wait, fresh=False)
            assert len((await panel.settle(panel.connections))["connections"]["data"]) == 2
            roles = {p for p in service.world.sessions._sessions if not p.startswith("place|")}
            assert len(roles) == 2 and len(service.world.api._servers) == 1
            assert [f["params"] for f in panel.session()["screens"] if f["code"] == "internal"] == [{"kind": "ValueError"}] * 2

            scenario = running.aws.scenario
            assert scenario.domain is not None
            left = tuple(c for c in scenario.domain.connections if c.name == SLURM)
            running.aws.change(replace(scenario, domain=replace(scenario.domain, connections=left)))
            panel.later()
            assert len((await panel.settle(panel.connections))["connections"]["data"]) == 1
            await asyncio.sleep(0)
            assert not service.refreshes.running(f"events:{id}:hyperpod-ns-research") and not any(id in name for name in service.refreshes.names)
            assert [f["params"] for f in panel.session()["screens"] if f["code"] == "internal"] == [{"kind": "ValueError"}], "the other's fault still stands"
            assert len({p for p in service.world.sessions._sessions if not p.startswith("place|")}) == 1, "a role's keys go with its connection"
            assert service.world.api._servers == {}, "no connection to its API server is held"
            assert not any(id in key.principal or RESEARCH in key.scope for key in service.reads._entries)
            assert any(p.startswith("place|") for p in service.world.sessions._sessions), "what the place's identity was at start is kept"

    asyncio.run(story())


def test_lanes_of_a_cluster_go_with_the_last_reading() -> None:
    async def story() -> None:
        with start(two(), pace=END) as running, Panel(running) as panel:
            id = await panel.id(RESEARCH)
            await panel.settle(lambda: panel.tasks(id))
            reads: Any = panel.service.reads
            assert any(lane.startswith("k8s:") for lane in reads._lanes)
            reads.forget(lambda key: key.upstream.startswith("k8s"))
            reads.sweep()
            assert not any(lane.startswith("k8s:") for lane in reads._lanes) and not any(lane.startswith("k8s:") for lane, _ in reads._upstreams)
            assert reads._lanes, "other far ends keep theirs"

    asyncio.run(story())
