"""The product's own composition on a rig: the reads in their order, the cache, and the parts of the pages that come of them (answers/slurm.py)."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import Any, cast

from hpgov_jlab.answers.home import Home
from hpgov_jlab.answers.slurm import SlurmMade, SlurmReadings, make_share, make_tasks, slurm
from hpgov_jlab.answers.slurm_parts import access_rows, share_page, tasks_part
from hpgov_jlab.answers.world import World
from hpgov_jlab.model.connection import Connection, Orchestrator
from hpgov_jlab.model.outcome import Outcome, Reading, State
from hpgov_jlab.model.task import Task
from hpgov_jlab.reads import Due, Known, Reads, drive
from hpgov_jlab.settings import HpgovSettings
from hpgov_jlab.sources.slurm.site import SlurmOptions

CONNECTION = Connection("rig", "rig", "trait", Orchestrator.SLURM, "rig", None, None)
NOWHERE = cast(Any, None)
"""Of the world and the home only the settings and the connections are looked at for Slurm."""


@dataclass(frozen=True)
class Part:
    """One part as the person gets it. `rows` None: no data, which is not an empty list. `seconds`: until its outcome stood there."""

    last: Outcome
    rows: int | None
    seconds: float


@dataclass(frozen=True)
class Answer:
    """Everything that one look at the rig brought. `reads`: outcome of each read by its label, `data` what it brought."""

    site: Outcome
    reads: dict[str, Outcome]
    data: dict[str, Any]
    parts: dict[str, Part]
    tasks: tuple[Task, ...]
    made: SlurmMade
    access: tuple[tuple[str, Outcome], ...]

    def of(self, name: str) -> Any:
        """Data of a read, or (state, code)."""
        found = self.reads.get(name)
        return self.data[name] if found is None or found.state is State.OK else (str(found.state), found.code)


def _settings(options: SlurmOptions) -> HpgovSettings:
    return HpgovSettings(
        slurm_bin=options.bin_folder, slurm_conf=options.conf, slurmrestd_url=options.rest_url, slurm_token_file=options.token_file,
        slurm_user=options.user, slurm_cluster="rig",
    )  # fmt: skip


def look(options: SlurmOptions) -> Answer:
    """Reads everything once, as a panel that was just opened. Looks every moment at what is known, as its polling does."""
    return asyncio.run(_look(options))


async def _look(options: SlurmOptions) -> Answer:
    world = World(_settings(options), NOWHERE, NOWHERE, NOWHERE, "/")
    home = Home(NOWHERE, None, None, None, (CONNECTION,), (), None)
    reads = Reads()
    began = time.monotonic()
    due = asyncio.ensure_future(slurm(Due(reads), world, home, CONNECTION, full=True))
    parts: dict[str, Part] = {}
    while True:
        over = due.done()
        found = drive(slurm(Known(reads), world, home, CONNECTION, full=True))
        for name, part in _parts(found).items():
            if part.last.state is State.PENDING:
                continue
            before = parts.get(name)
            same = before is not None and before.last.code == part.last.code
            seconds = before.seconds if before is not None and same else time.monotonic() - began
            parts[name] = Part(part.last, None if part.data is None else len(part.data), seconds)
        if over:
            break
        await asyncio.wait([due], timeout=0.01)
    settled = due.result()
    tasks = make_tasks(settled, time.time())
    named = dict(settled.readings())
    outcome = settled.site.last if settled.site is not None else cast(Outcome, settled.blocked)
    return Answer(
        outcome, {name: reading.last for name, reading in named.items()}, {name: reading.data for name, reading in named.items()}, parts, tasks,
        make_share(settled, tasks, time.time()), tuple((row.operation, row.last) for row in access_rows(settled)),
    )  # fmt: skip


def _parts(found: SlurmReadings) -> dict[str, Any]:
    """Parts of the pages, and a reading that stands beside them: associations, out of the database."""
    if found.blocked is not None:
        blocked = Reading(None, None, found.blocked)
        return dict.fromkeys(("tasks", "rows", "fairshare", "partitions", "associations", "history"), _Seen(blocked.last, None))
    now = time.time()
    tasks = make_tasks(found, now)
    page = share_page(found, found, make_share(found, tasks, now), now=now, poll_after_ms=0, sandbox=False, next_fresh_at=None)
    made: dict[str, Any] = {"tasks": tasks_part(found, list(tasks), made=True), "rows": page.rows, "fairshare": page.fairshare, "partitions": page.partitions}
    for name in ("associations", "history"):
        reading = getattr(found, name)
        if reading is not None:
            made[name] = _Seen(reading.last, None if reading.data is None else list(reading.data if name == "associations" else reading.data.runs))
    return made


@dataclass(frozen=True)
class _Seen:
    last: Outcome
    data: list[Any] | None
