"""Time in tests: a loop whose clock a test moves on, and waiting for what has to happen, with a limit that only a hang reaches."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
HANGS = 60.0
"""Seconds after which a test takes what it waits for to be hanging: far above what a machine takes that has ten others at work."""


class Loop(asyncio.SelectorEventLoop):
    """Its timers go off when the test moves them on, by `ahead`, and not because the machine was slow."""

    ahead = 0.0

    def time(self) -> float:
        return super().time() + self.ahead


def in_loop(story: Callable[[Loop], Coroutine[Any, Any, T]]) -> T:
    """Runs a story on a loop of its own, which it is given."""
    with asyncio.Runner(loop_factory=Loop) as runner:
        loop = runner.get_loop()
        assert isinstance(loop, Loop)
        return runner.run(story(loop))


async def until(true: Callable[[], bool], what: str, seconds: float = HANGS) -> None:
    """Lets the loop go on until it is so."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, f"within {seconds} s not so: {what}"
        await asyncio.sleep(0.005)


def wait_until(true: Callable[[], bool], what: str, seconds: float = HANGS) -> None:
    """The same where there is no loop."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, f"within {seconds} s not so: {what}"
        time.sleep(0.005)
