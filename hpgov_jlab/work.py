"""Pure work that is too slow for the event loop, in a daemon worker, and the taking apart of what is not needed any more.

Python runs one thread at a time: more workers would make nothing quicker, and the event loop would wait for each of them to have its turn.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

T = TypeVar("T")
WORKERS = 1
"""What is done here takes a second or two at most: who waits in line waits no longer than with two that share the interpreter."""
MANY = 64
"""A container with more than this holds rows: these are let go one by one, and not looked into."""


class Work:
    """Made and used on the event loop; `stop` there. `running`: workers at the moment."""

    def __init__(self, workers: int = WORKERS) -> None:
        self._bound = workers
        self._line: deque[tuple[Callable[[], Any], asyncio.Future[Any]]] = deque()
        self._stopping = False
        self.running = 0

    async def run(self, work: Callable[[], T]) -> T:
        """What `work` returns; what it raises is raised here. Cancelled while it is still in line, it is not done at all."""
        return await self._add(work)  # type: ignore[no-any-return]

    def take_apart(self, *gone: object) -> None:
        """Frees what was put aside, in a worker. Who still has a name for it keeps it whole."""
        parts: list[object] = list(gone)
        self._add(lambda: take_apart(parts))

    def stop(self) -> None:
        """Nothing more starts. Workers are daemons and hold up nothing."""
        self._stopping = True
        while self._line:
            self._line.popleft()[1].cancel()

    def _add(self, work: Callable[[], Any]) -> asyncio.Future[Any]:
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        if self._stopping:
            future.cancel()
        else:
            self._line.append((work, future))
            self._pump()
        return future

    def _pump(self) -> None:
        while self._line and self.running < self._bound and not self._stopping:
            work, future = self._line.popleft()
            if not future.done():  # who asked may have given up
                self.running += 1
                threading.Thread(target=_do, args=(work, future, asyncio.get_running_loop(), self._done), name="hpgov-work", daemon=True).start()

    def _done(self, future: asyncio.Future[Any], value: Any, error: BaseException | None) -> None:
        self.running -= 1
        if not future.done():
            if error is not None:
                future.set_exception(error)
            else:
                future.set_result(value)
        self._pump()


def _do(work: Callable[[], Any], future: asyncio.Future[Any], loop: asyncio.AbstractEventLoop, done: Callable[..., None]) -> None:
    value, error = None, None
    try:
        value = work()
    except BaseException as raised:  # noqa: BLE001 - handed to the waiting coroutine as it is
        error = raised
    with contextlib.suppress(RuntimeError):  # the loop closed while we worked
        loop.call_soon_threadsafe(done, future, value, error)


def take_apart(gone: list[object]) -> None:
    """Empties `gone`, and frees what hung on it in small steps.

    When the last name of ten thousand objects goes, the interpreter frees them in one step that no other thread can interrupt.
    """
    while gone:
        value = gone.pop()
        parts: list[object]
        if isinstance(value, dict):
            parts = list(value.values())
        elif isinstance(value, list | tuple):
            parts = list(value)
        elif is_dataclass(value):
            parts = [getattr(value, each.name) for each in fields(value)]
        else:
            continue
        del value
        if len(parts) <= MANY:
            gone += parts
        while len(parts) > MANY:
            parts.pop()
        del parts
