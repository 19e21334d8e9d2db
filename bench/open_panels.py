"""Many people's servers in one process, for benches: each a product service with a cache, a token and connections of its own, asked as a visible panel asks.

Run as a program by `OpenPanels`: it writes one line when every page has been settled once, and obeys one word per line: `dashboard` opens one beside each
panel. The end of its standard input is its end.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .feeds import LONGEST_MS
from .real_cluster import ID
from .servers import ROOT, end_with_input
from .tab import LEAST_MS, Ask, Tab, failed

SPREAD = 30.0
"""People open their panels at any moment within a poll interval."""


class OpenPanels:
    """One process. `settings`: those of each server; `folders`: theirs, one each."""

    def __init__(self, settings: Sequence[Mapping[str, Any]], folders: Sequence[Path], seed: int) -> None:
        given = {"servers": [{"settings": dict(s), "folder": str(f)} for s, f in zip(settings, folders, strict=True)], "seed": seed}
        command = [sys.executable, "-m", "bench.open_panels", json.dumps(given)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)

    def settled(self) -> None:
        """Waits until every page was. Raises RuntimeError if the process ended, or a read failed."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"a process of servers ended with {self._process.wait()}: see above")
        wrong = json.loads(line)["failed"]
        if wrong:
            raise RuntimeError(f"not measured, a read failed: {'; '.join(wrong)}")

    def dashboards(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("dashboard\n")
        self._process.stdin.flush()

    def close(self) -> None:
        end_with_input(self._process)


# -- the other side ----------------------------------------------------------------------------------------------------------
async def _follow(tab: Tab, name: str, settled: asyncio.Event, soon: int) -> None:
    while True:
        wait = tab.ask(name)
        if wait > soon:
            settled.set()
        await asyncio.sleep(min(LONGEST_MS, max(LEAST_MS, wait)) / 1000)


async def _host(given: dict[str, Any]) -> None:
    from hpgov_jlab.answers.query import TasksQuery
    from hpgov_jlab.service import SOON_MS, Service
    from hpgov_jlab.settings import HpgovSettings

    from .tab import TAB_LIMIT

    moments = random.Random(given["seed"])
    services = [Service(HpgovSettings(**s["settings"]), root=s["folder"], user_settings=s["folder"], environ={}) for s in given["servers"]]
    running: list[asyncio.Task[None]] = []
    tabs: list[Tab] = []

    def panel(service: Service) -> dict[str, Ask]:
        return {"session": service.session, "connections": lambda: service.connections(fresh=False)}

    def dashboard(service: Service) -> dict[str, Ask]:
        query = TasksQuery(limit=TAB_LIMIT)
        return {"overview": lambda: service.connection(ID, fresh=False), "tasks": lambda: service.tasks(ID, query, fresh=False)}

    async def show(tab: Tab) -> None:
        await asyncio.sleep(moments.uniform(0.0, SPREAD))
        events = {name: asyncio.Event() for name in tab.asks}
        running.extend(asyncio.create_task(_follow(tab, name, event, SOON_MS)) for name, event in events.items())
        await asyncio.gather(*(event.wait() for event in events.values()))

    async def open_all(fresh: list[Tab]) -> None:
        tabs.extend(fresh)
        await asyncio.gather(*(show(tab) for tab in fresh))
        print(json.dumps({"failed": failed([page for tab in tabs for page in tab.pages.values()])}), flush=True)

    try:
        await open_all([Tab(panel(service)) for service in services])
        while (await asyncio.to_thread(sys.stdin.readline)).strip() == "dashboard":
            await open_all([Tab(dashboard(service)) for service in services])
    finally:
        for task in running:
            task.cancel()
        for service in services:
            service.stop()


if __name__ == "__main__":
    asyncio.run(_host(json.loads(sys.argv[1])))
