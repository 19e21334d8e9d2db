"""Pure work beside the event loop: bounded, in order, and what nobody waits for any more is not done."""

from __future__ import annotations

import asyncio
import gc
import threading
from dataclasses import dataclass
from typing import Any

import pytest

from hpgov_jlab.work import MANY, Work, take_apart


def test_no_more_workers_than_the_bound() -> None:
    async def story() -> None:
        work, gate, begun, most = Work(workers=2), threading.Event(), [], 0

        def one(number: int) -> int:
            nonlocal most
            most = max(most, sum(t.name == "hpgov-work" for t in threading.enumerate()))
            begun.append(number)
            assert gate.wait(60)
            return number

        asked = [asyncio.ensure_future(work.run(lambda n=n: one(n))) for n in range(6)]
        while len(begun) < 2:
            await asyncio.sleep(0.005)
        assert work.running == 2 and sorted(begun) == [0, 1]
        gate.set()
        assert await asyncio.gather(*asked) == list(range(6))
        assert sorted(begun) == list(range(6)) and most <= 2 and work.running == 0

    asyncio.run(asyncio.wait_for(story(), 60))


def test_work_is_done_in_the_order_it_was_asked_for() -> None:
    async def story() -> None:
        work, done = Work(workers=1), []
        await asyncio.gather(*(work.run(lambda n=n: done.append(n)) for n in range(50)))
        assert done == list(range(50))

    asyncio.run(asyncio.wait_for(story(), 60))


def test_what_it_raises_is_raised_where_it_was_asked_for() -> None:
    def wrong() -> None:
        raise KeyError("x")

    async def story() -> None:
        work = Work()
        with pytest.raises(KeyError):
            await work.run(wrong)
        assert await work.run(lambda: 1) == 1, "the worker's place is free again"

    asyncio.run(story())


def test_work_that_nobody_waits_for_is_not_begun() -> None:
    async def story() -> None:
        work, gate, done = Work(workers=1), threading.Event(), []
        first = asyncio.ensure_future(work.run(lambda: gate.wait(60)))
        second = asyncio.ensure_future(work.run(lambda: done.append(2)))
        third = asyncio.ensure_future(work.run(lambda: done.append(3)))
        await asyncio.sleep(0)  # all three are in line now, and the one worker has the first
        second.cancel()
        gate.set()
        await asyncio.gather(first, third)
        assert done == [3]
        work.stop()
        with pytest.raises(asyncio.CancelledError):
            await work.run(lambda: done.append(4))
        assert done == [3]

    asyncio.run(story())


@dataclass(frozen=True)
class _Listing:
    items: tuple[Any, ...]
    more: dict[str, Any]


class _Row:
    alive = 0

    def __init__(self) -> None:
        _Row.alive += 1

    def __del__(self) -> None:
        _Row.alive -= 1


def test_what_is_put_aside_is_freed_and_what_somebody_still_has_stays_whole() -> None:
    gc.collect()
    kept = _Row()
    rows = [*(_Row() for _ in range(MANY * 3)), kept]
    shared = {"a": _Row()}
    gone: list[object] = [[_Listing(tuple(rows), {"rows": [_Row()]})], shared]
    del rows
    take_apart(gone)
    assert gone == [] and list(shared) == ["a"], "emptied, not another's dictionary"
    assert _Row.alive == 2, "the one that we hold, and the one in the dictionary that we hold"
    del kept, shared
    assert _Row.alive == 0
