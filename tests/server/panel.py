"""What a panel does, without HTTP: the product's own service in front of a running scenario, asked for pages until nothing is on its way.

Its cache is driven by a clock that can be moved on, so that whatever is due in ten minutes is due now. Nothing of the product is replaced.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
from pydantic import BaseModel

import hpgov_jlab
from hpgov_jlab.answers.query import TasksQuery
from hpgov_jlab.reads import Reads
from hpgov_jlab.sandbox.launch import Running
from hpgov_jlab.service import SOON_MS, Service
from hpgov_jlab.settings import HpgovSettings
from tests.clock import until
from tests.phrases import dashes

from .witness import objections

SCHEMA = Path(hpgov_jlab.__file__).parent / "wire" / "api.schema.json"
RESEARCH, EVALUATION, SLURM = "research-training", "evaluation", "slurm-pretraining"
MINUTES = 400.0
"""Seconds after which every read is due again, a failed one too; a row of such steps stays below the hour after which entries are forgotten."""


@cache
def validator(page: str) -> Any:
    """Checks one page against the committed schema."""
    schema = json.loads(SCHEMA.read_text())
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{page}", "$defs": schema["$defs"]})


def validate(page: str, body: Any) -> None:
    """Raises with the place of the first thing that the schema does not have."""
    error = jsonschema.exceptions.best_match(validator(page).iter_errors(body))
    assert error is None, f"{page}: {error.json_path}: {error.message[:300]}"
    assert list(dashes(body)) == [], "a sentence with a dash where a value should be"


class Elapsed:
    """A monotonic clock with a hand to move it on, and one to stop it: then only what is moved passes."""

    def __init__(self) -> None:
        self.ahead = 0.0
        self._held: float | None = None

    def __call__(self) -> float:
        return (time.monotonic() if self._held is None else self._held) + self.ahead

    def hold(self) -> None:
        self._held = time.monotonic()


class Panel:
    """`bodies` are all pages that were sent, as text. Use it on a running event loop, as a context manager.

    `traits` are settings beside the scenario's. At the end the far ends are asked for anything that no allow list has.
    """

    def __init__(self, running: Running, **traits: Any) -> None:
        self.running, self.elapsed = running, Elapsed()
        self.behind = 0.0  # seconds by which keys and tokens are dated back
        self.environ = running.environment(os.environ)
        settings = HpgovSettings(**{**running.traits, **traits})
        self.service = Service(
            settings,
            root=str(running.project),
            user_settings=str(running.folder / "user-settings"),
            environ=self.environ,
            reads=Reads(elapsed=self.elapsed),
            clock=lambda: time.time() - self.behind,
        )
        self.bodies: list[str] = []

    def __enter__(self) -> Panel:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.service.stop()
        if kind is None:
            assert objections(self.running) == []

    def later(self, seconds: float = MINUTES) -> None:
        self.elapsed.ahead += seconds

    # -- one page --------------------------------------------------------------------------------------------------------
    def session(self) -> dict[str, Any]:
        return self._page(self.service.session())

    def connections(self, *, fresh: bool = False) -> dict[str, Any]:
        return self._page(self.service.connections(fresh=fresh))

    def connection(self, id: str, *, fresh: bool = False) -> dict[str, Any]:
        return self._page(self.service.connection(id, fresh=fresh))

    def tasks(self, id: str, *, fresh: bool = False, **query: Any) -> dict[str, Any]:
        return self._page(self.service.tasks(id, TasksQuery(**query), fresh=fresh))

    def task(self, id: str, uid: str, *, fresh: bool = False) -> dict[str, Any]:
        return self._page(self.service.task(id, uid, fresh=fresh))

    def share(self, id: str, *, fresh: bool = False) -> dict[str, Any]:
        return self._page(self.service.share(id, fresh=fresh))

    def contract(self, id: str, *, fresh: bool = False) -> dict[str, Any]:
        return self._page(self.service.contract(id, fresh=fresh))

    def access(self, id: str, *, fresh: bool = False) -> dict[str, Any]:
        return self._page(self.service.access(id, fresh=fresh))

    def _page(self, page: BaseModel) -> dict[str, Any]:
        text = page.model_dump_json()
        self.bodies.append(text)
        body: dict[str, Any] = json.loads(text)
        if body["poll_after_ms"] > SOON_MS:  # those in between are of the same making, and checking is slow
            validate(type(page).__name__, body)
        return body

    # -- until nothing is on its way ---------------------------------------------------------------------------------------
    async def settle(self, ask: Callable[[], dict[str, Any]], seconds: float = 60.0) -> dict[str, Any]:
        """Asks as a panel does until poll_after_ms says that nothing is on its way."""
        end = time.monotonic() + seconds
        while True:
            page = ask()
            if page["poll_after_ms"] > SOON_MS:
                return page
            assert time.monotonic() < end, f"not settled within {seconds} s: {json.dumps(page)[:800]}"
            await asyncio.sleep(0.01)

    async def quiet(self) -> None:
        """Until nothing of any page is on its way: what a far end has written down by then is all."""
        await until(lambda: not self.service.busy and not any(e.flight for e in self.service.reads._entries.values()), "nothing is read any more")

    async def id(self, name: str) -> str:
        """The id of a connection, by its name."""
        page = await self.settle(self.connections)
        cards: Sequence[dict[str, Any]] = page["connections"]["data"]
        return str(next(c["connection"]["id"] for c in cards if c["connection"]["name"] == name))
