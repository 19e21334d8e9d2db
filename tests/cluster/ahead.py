"""Cases of one test, played side by side: nearly all of a case's time is spent waiting for Kueue.

The first case that pytest comes to starts all that were selected of its test, of both versions; each test then takes its own result, so that a failure stands
at its own case. A case that is tried once more is played alone.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar

import pytest

T = TypeVar("T")
AT_A_TIME = 8
CLUSTERS = ("cluster", "gang_cluster", "tuned_cluster")  # fixtures with a Kueue version as parameter (conftest.py)


class Ahead:
    """What was begun in this session."""

    def __init__(self, cluster: Callable[[str, str], Any]) -> None:
        self._cluster = cluster  # (name of the fixture, version) -> the cluster
        self._pool = ThreadPoolExecutor(AT_A_TIME, "case")
        self._begun: dict[str, Future[Any]] = {}
        self._seen: set[str] = set()

    def result(self, item: pytest.Function, play: Callable[..., T], alone: Callable[..., bool]) -> T:
        """`play` is called with the test's parameters by name, the cluster as `cluster`. Of whom `alone` says so, nothing else is played meanwhile."""
        if item.nodeid not in self._seen:
            for other in item.session.items:
                if isinstance(other, pytest.Function) and (other.path, other.originalname) == (item.path, item.originalname):
                    self._begin(other, play, alone)
        begun = self._begun.pop(item.nodeid, None)
        if begun is None:
            wait(self._begun.values())
            return play(**self._arguments(item))
        found: T = begun.result()
        return found

    def _begin(self, item: pytest.Function, play: Callable[..., Any], alone: Callable[..., bool]) -> None:
        given = self._arguments(item)
        self._seen.add(item.nodeid)
        if not alone(**given):
            self._begun[item.nodeid] = self._pool.submit(play, **given)

    def _arguments(self, item: pytest.Function) -> dict[str, Any]:
        return {
            "cluster" if name in CLUSTERS else name: self._cluster(name, value) if name in CLUSTERS else value for name, value in item.callspec.params.items()
        }

    def stop(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
