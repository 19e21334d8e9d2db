"""A browser's feeds without a browser: each page asked over HTTP as src/store/feed.ts asks, in a thread of its own.

The next question comes `poll_after_ms` after the last answer, at least 250 ms and at most 300 s; a hidden page asks nothing, which is a feed that is closed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from hpgov_jlab.service import SOON_MS

from .servers import API, JupyterServer
from .tab import LEAST_MS

LONGEST_MS = 300_000
PANEL: Mapping[str, str] = {"session": "session", "connections": "connections"}
"""What the side panel asks for."""


def dashboard(id: str, limit: int) -> dict[str, str]:
    """What a dashboard with its tasks in front asks for."""
    return {"overview": f"connections/{id}", "tasks": f"connections/{id}/tasks?limit={limit}"}


Heard = Callable[[str, float, float, Any], None]
"""(feed, when it was asked, when the answer was there, page); times are time.monotonic()."""


class Feeds:
    """Use as a context manager: open while inside. `after`: a dashboard is opened from a panel that shows its connection."""

    def __init__(self, server: JupyterServer, paths: Mapping[str, str], heard: Heard | None = None, *, after: Feeds | None = None) -> None:
        self._server, self._heard, self._after = server, heard, after
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self.pages: dict[str, Any] = {}
        self.error: BaseException | None = None
        self._threads = [threading.Thread(target=self._follow, args=(name, path), daemon=True) for name, path in paths.items()]
        self._names = tuple(paths)

    def __enter__(self) -> Feeds:
        if self._after is not None:
            self._after.until_settled()
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closed.set()
        for thread in self._threads:
            thread.join(35)

    def _follow(self, name: str, path: str) -> None:
        try:
            while not self._closed.is_set():
                asked = time.monotonic()
                page = self._server.get(API + path)
                received = time.monotonic()
                with self._lock:
                    self.pages[name] = page
                    if self._heard is not None:
                        self._heard(name, asked, received, page)
                self._closed.wait(min(LONGEST_MS, max(LEAST_MS, page["poll_after_ms"])) / 1000)
        except Exception as error:  # noqa: BLE001 - handed to whoever waits
            self.error = error

    def until(self, ready: Callable[[Mapping[str, Any]], bool], what: str, seconds: float) -> None:
        """Waits for a state of the pages. Raises TimeoutError, or what a feed ended with."""
        end = time.monotonic() + seconds
        while True:
            self.check()
            with self._lock:
                if ready(self.pages):
                    return
            if time.monotonic() > end:
                raise TimeoutError(f"not within {seconds:g} s: {what}")
            time.sleep(0.05)

    def until_settled(self, seconds: float = 120.0) -> None:
        """Every page is there and nothing is on its way."""
        self.until(lambda pages: all(n in pages and pages[n]["poll_after_ms"] > SOON_MS for n in self._names), "every page settled", seconds)

    def check(self) -> None:
        if self.error is not None:
            raise RuntimeError(f"a feed ended: {self.error!r}")
