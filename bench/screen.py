"""What a real browser shows: bench/watch_screen.mjs as a process of its own, and its lines as they come."""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from .measure import NotHere
from .servers import ROOT, end_with_input

Rows = Mapping[str, Any]
"""Task's name -> its state and priority, as they stand on the screen."""


@dataclass(frozen=True)
class Answer:
    """One answer to the browser's question for tasks; seconds of time.time()."""

    asked: float
    answered: float


class Screen:
    """Use as a context manager: open while inside. `drawn` is called for each table of tasks, with the moment when it was painted. Raises NotHere."""

    def __init__(self, address: str, rows: int, drawn: Callable[[float, Rows], None]) -> None:
        if not shutil.which("node") or not (ROOT / "node_modules" / "@playwright").exists():
            raise NotHere("a browser driven by Node.js: run ./dev setup first, and install Chromium")
        self._drawn = drawn
        self.answers: list[Answer] = []
        self.draws: list[float] = []
        self.rows: Rows = {}
        self._process = subprocess.Popen(
            ["node", "bench/watch_screen.mjs", address, str(rows)], cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self._threads = [threading.Thread(target=self._follow, daemon=True), threading.Thread(target=self._complaints, daemon=True)]
        self._said: list[str] = []
        self._error: BaseException | None = None

    def __enter__(self) -> Screen:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        end_with_input(self._process)

    def _follow(self) -> None:
        assert self._process.stdout
        try:
            for text in self._process.stdout:
                line = json.loads(text)
                if "rows" in line:
                    self.rows = line["rows"]
                    self.draws.append(line["drawn"] / 1000)
                    self._drawn(line["drawn"] / 1000, self.rows)
                else:
                    self.answers.append(Answer(line["asked"] / 1000, line["answered"] / 1000))
        except Exception as error:  # noqa: BLE001 - handed to whoever waits
            self._error = error

    def _complaints(self) -> None:
        assert self._process.stderr
        self._said.extend(self._process.stderr)

    def check(self) -> None:
        """Raises RuntimeError if the browser ended, with what it said last."""
        if self._error is not None or self._process.poll() is not None:
            raise RuntimeError(f"the browser ended: {self._error or ''.join(self._said[-30:])}")

    def until(self, ready: Callable[[], bool], what: str, seconds: float) -> None:
        """Raises TimeoutError that names `what`."""
        end = time.monotonic() + seconds
        while not ready():
            self.check()
            if time.monotonic() > end:
                raise TimeoutError(f"not within {seconds:g} s: {what}")
            time.sleep(0.05)
