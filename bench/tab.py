"""A browser tab without a browser: asks for pages as the panel does, obeys `poll_after_ms`, and pays on the event loop what the routes pay."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from hpgov_jlab.answers.query import TasksQuery
from hpgov_jlab.reads import Reads
from hpgov_jlab.service import SOON_MS, Service
from hpgov_jlab.settings import HpgovSettings

from .far_ends import FarEnds

Ask = Callable[[], BaseModel]
TAB_LIMIT = 50
"""Rows per page of the task table (src/store/connection.ts)."""
LEAST_MS = 250
"""The panel never asks more often than this (src/store/feed.ts)."""


class Elapsed:
    """The monotonic clock that makes reads due, with a hand to move it on."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.ahead


@dataclass
class Server:
    """The product's own service in front of far ends. Make it on a running loop; `stop` it there."""

    service: Service
    elapsed: Elapsed

    @classmethod
    def start(cls, far: FarEnds) -> Server:
        elapsed = Elapsed()
        service = Service(
            HpgovSettings(**far.traits), root=far.project, user_settings=f"{far.folder}/settings", environ=far.environment, reads=Reads(elapsed=elapsed)
        )
        return cls(service, elapsed)

    def stop(self) -> None:
        self.service.stop()

    async def id(self, name: str = "") -> str:
        """The id of a connection by its name, else of the first."""
        seen = await Tab(panel(self)).until_settled()
        connections = [card["connection"] for card in seen["connections"]["connections"]["data"]]
        return str(next(c["id"] for c in connections if name in ("", c["name"])))


def panel(server: Server) -> dict[str, Ask]:
    """What the side panel asks for."""
    return {"session": server.service.session, "connections": lambda: server.service.connections(fresh=False)}


def dashboard(server: Server, id: str, tab: str) -> dict[str, Ask]:
    """What one dashboard asks for with that tab in front, beside its overview."""
    s = server.service
    tabs: dict[str, Ask] = {
        "tasks": lambda: s.tasks(id, TasksQuery(limit=TAB_LIMIT), fresh=False),
        "share": lambda: s.share(id, fresh=False),
        "contract": lambda: s.contract(id, fresh=False),
        "access": lambda: s.access(id, fresh=False),
    }
    return {"overview": lambda: s.connection(id, fresh=False), tab: tabs[tab]}


@dataclass
class Tab:
    """`spent`: milliseconds on the loop of every answer, its bytes made included. `first`: seconds from the start to a page's first data."""

    asks: Mapping[str, Ask]
    spent: dict[str, list[float]] = field(default_factory=dict)
    pages: dict[str, Any] = field(default_factory=dict)
    first: dict[str, float] = field(default_factory=dict)

    def ask(self, name: str) -> int:
        """One GET; the milliseconds after which the page wants to be asked again."""
        start = time.perf_counter()
        text = self.asks[name]().model_dump_json()
        self.spent.setdefault(name, []).append((time.perf_counter() - start) * 1000)
        self.pages[name] = json.loads(text)
        return int(self.pages[name]["poll_after_ms"])

    async def _follow(self, name: str, until: float, shown: Callable[[str, Any], bool] | None, start: float) -> None:
        while True:
            wait = self.ask(name)
            if name not in self.first and shown is not None and shown(name, self.pages[name]):
                self.first[name] = time.perf_counter() - start
            if wait > SOON_MS:
                return
            if time.monotonic() > until:
                raise TimeoutError(f"{name} was not complete in time: {_why(self.pages[name])}")
            await asyncio.sleep(max(LEAST_MS, wait) / 1000)

    async def until_settled(self, seconds: float = 300.0, shown: Callable[[str, Any], bool] | None = None) -> dict[str, Any]:
        """Every page until nothing is on its way any more; the last of each. Raises TimeoutError."""
        until, start = time.monotonic() + seconds, time.perf_counter()
        await asyncio.gather(*(self._follow(name, until, shown, start) for name in self.asks))
        return self.pages


def _why(page: Any) -> str:
    return ", ".join(sorted(not_ok(page)))[:400]


def not_ok(page: Any) -> set[str]:
    """ "source: state code" of every reading in a page that did not end well."""
    found: set[str] = set()
    stack = [page]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            if {"state", "code", "source"} <= value.keys() and value["state"] != "ok":
                found.add(f"{value['source']}: {value['state']} {value['code']}")
            stack += value.values()
        elif isinstance(value, list):
            stack += value
    return found


def failed(pages: Iterable[Any], *but: str) -> list[str]:
    """What ended unreachable, throttled, expired or as a fault of ours: a measurement with any of these says nothing. `but`: codes that may."""
    bad = ("unreachable", "throttled", "expired", "invalid", "pending")
    fine = ("asked_when_needed", *but)
    return sorted({w for page in pages for w in not_ok(page) if any(f": {state} " in w for state in bad) and not w.endswith(fine)})
