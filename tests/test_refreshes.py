"""Refreshes beside the answers: one of a name at a time, and one that fails by a fault of ours is told and not tried at every question."""

from __future__ import annotations

import asyncio

import pytest

from hpgov_jlab.reads import Asker, Reads
from hpgov_jlab.refreshes import FAULT_PAUSE_SECONDS, Refreshes


def test_what_fails_by_a_fault_of_ours_pauses_and_is_told_until_it_goes_well(caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        now, begun, broken = 100.0, [], True

        async def refresh(_: Asker) -> None:
            begun.append(now)
            if broken:
                raise KeyError("secret")

        async def ask() -> bool:
            started = refreshes.start("team:a:full", refresh, fresh=True)
            while refreshes.busy:
                await asyncio.sleep(0)
            return started

        refreshes = Refreshes(Reads(elapsed=lambda: now))
        assert [await ask() for _ in range(50)] == [True] + [False] * 49 and begun == [100.0]
        assert [fault.params for fault in refreshes.faults] == [{"kind": "KeyError"}], "its class, never its text"
        now += FAULT_PAUSE_SECONDS
        assert [await ask() for _ in range(2)] == [True, False] and len(begun) == 2, "tried again after the pause, and pausing again"
        assert len(caplog.records) == 1 and "secret" not in caplog.text, "the log has it once"
        now, broken = now + FAULT_PAUSE_SECONDS, False
        assert await ask() and refreshes.faults == []
        assert await ask(), "nothing is held back any more"
        assert len(begun) == 4

    asyncio.run(asyncio.wait_for(story(), 60))


def test_one_of_a_name_at_a_time() -> None:
    async def story() -> None:
        gate, begun = asyncio.Event(), []

        async def refresh(_: Asker) -> None:
            begun.append(1)
            await gate.wait()

        refreshes = Refreshes(Reads())
        assert refreshes.start("home", refresh, fresh=False) and refreshes.start("home", refresh, fresh=True)
        await asyncio.sleep(0)
        assert begun == [1] and refreshes.running("home")
        gate.set()
        while refreshes.busy:
            await asyncio.sleep(0)
        assert refreshes.names == frozenset()

    asyncio.run(asyncio.wait_for(story(), 60))
