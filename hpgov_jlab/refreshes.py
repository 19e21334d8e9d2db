"""One refresh per answer: reads what is due beside the answer that was given from what is known, and says which refresh of ours failed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Set
from typing import Any

from .model.outcome import Phrase
from .reads import Asker, Due, Reads

log = logging.getLogger(__name__)
REFRESH_SECONDS = 120.0
"""Total deadline of one refresh: its reads have their own, shorter ones and go on; the next question starts what is still due."""
FAULT_PAUSE_SECONDS = 15.0
"""What failed by a fault of ours fails again with the same readings: it is not tried at every question, which may come twice a second."""
Refresh = Callable[[Asker], Coroutine[Any, Any, object]]


class Refreshes:
    """By name: "home", or what and of which connection, "team:ID:glance". Made and used on the event loop."""

    def __init__(self, reads: Reads) -> None:
        self._reads = reads
        self._running: dict[str, asyncio.Task[None]] = {}
        self._faults: dict[str, Phrase] = {}
        self._not_before: dict[str, float] = {}  # by the clock that makes reads due

    def start(self, name: str, refresh: Refresh, *, fresh: bool) -> bool:
        """Start a refresh if none of that name is on its way; True: one is now. False: it failed a moment ago, and pauses."""
        if self.running(name):
            return True
        if name in self._not_before and self._reads.elapsed() < self._not_before[name]:
            return False
        self._running[name] = asyncio.get_running_loop().create_task(self._run(name, refresh, fresh))
        return True

    def running(self, name: str) -> bool:
        found = self._running.get(name)
        return found is not None and not found.done()

    @property
    def names(self) -> frozenset[str]:
        """What is on its way, or has failed."""
        return frozenset((*self._running, *self._faults))

    @property
    def faults(self) -> list[Phrase]:
        """Faults of ours that no later refresh of that name has mended."""
        return list(self._faults.values())

    @property
    def busy(self) -> bool:
        return any(not task.done() for task in self._running.values())

    def only(self, connections: Set[str]) -> None:
        """Of a connection that is there no more, none goes on and no fault is told."""
        for name in [n for n in self.names if _id_in(n) not in ("", *connections)]:
            self._mended(name)
            if name in self._running:
                self._running.pop(name).cancel()

    def forget_faults(self) -> None:
        """What still fails says so again; what nobody asks for any more is not told for ever."""
        self._faults.clear()
        self._not_before.clear()

    def stop(self) -> None:
        for task in self._running.values():
            task.cancel()

    async def _run(self, name: str, refresh: Refresh, fresh: bool) -> None:
        try:
            async with asyncio.timeout(REFRESH_SECONDS):
                await refresh(Due(self._reads, fresh=fresh))
            self._mended(name)
        except TimeoutError:
            log.info("the answer %s took longer than %s s; what was read stands", name, REFRESH_SECONDS)
        except asyncio.CancelledError:
            raise
        except Exception as error:  # noqa: BLE001 - a fault of ours must reach the person's screen and the log, by its class only
            told = Phrase("internal", {"kind": type(error).__name__})
            if self._faults.get(name) != told:  # the same at every try is one line
                log.error("the answer %s failed with %s", name, type(error).__name__)
            self._faults[name] = told
            self._not_before[name] = self._reads.elapsed() + FAULT_PAUSE_SECONDS
        finally:
            if self._running.get(name) is asyncio.current_task():
                del self._running[name]

    def _mended(self, name: str) -> None:
        self._faults.pop(name, None)
        self._not_before.pop(name, None)


def _id_in(name: str) -> str:
    """The connection's id in a name; empty where it belongs to none."""
    return name.partition(":")[2].partition(":")[0]
