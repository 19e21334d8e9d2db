"""A real cluster that breaks, as a visible panel sees it: seconds until the page says so, and from the end of the fault until it is right again.

A real API server with Kueue 0.19.2, a real Jupyter server, panel and dashboard asked over HTTP as the browser's feeds ask, at the default interval and
without anybody pressing refresh. Each fault begins when the page has just been answered, so that the wait until the next question is always in it. What the
person reads and what stays is docs/tables/faults.md, held by tests/cluster/test_faults.py. The servers stopped here are the bench's own.

Floor: one poll interval.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.testbed import tasks
from tests.testbed.hands import Hands
from tests.testbed.hyperpod import HyperPod, Team, is_true
from tests.testbed.tasks import template

from .feeds import PANEL, Feeds, dashboard
from .measure import Report
from .real_cluster import ID, environment, member, real_cluster, sign_in, watched_team
from .servers import JupyterServer
from .tab import TAB_LIMIT

POLL = 30.0
"""Trait poll_seconds, as it comes."""
DEADLINE = 20.0
"""Of one read (reads.py)."""
PROBE = 60.0
"""The longest time between two probes of a far end that fails (reads.py)."""
SLACK = 10.0
"""For the reads themselves, for a server that starts, and for a busy machine."""
SAID = POLL + DEADLINE + SLACK
RIGHT = PROBE + POLL + SLACK
LONG = 150.0
"""Seconds of the long outage: by then a far end that fails is probed seldom."""


@dataclass(frozen=True)
class Fault:
    """`end` returns when the servers are well again. `lasts`: seconds that it goes on after the page has said so."""

    name: str
    begin: Callable[[HyperPod], None]
    end: Callable[[HyperPod], None]
    lasts: float = 0.0


def _start_api_server(cluster: HyperPod) -> None:
    cluster.servers.restart("kube-apiserver")
    cluster.servers.wait(cluster.ready, "the API server", 60)


def _start_kueue(cluster: HyperPod) -> None:
    cluster.servers.restart("kueue")
    cluster.kueue_up()


FAULTS = (
    Fault("API server killed", lambda c: c.servers.stop("kube-apiserver", kill=True), _start_api_server),
    Fault("API server hangs", lambda c: c.servers.pause("kube-apiserver"), lambda c: c.servers.resume("kube-apiserver")),
    Fault("API server hangs for long", lambda c: c.servers.pause("kube-apiserver"), lambda c: c.servers.resume("kube-apiserver"), LONG),
    Fault("Kueue down", lambda c: c.servers.stop("kueue", kill=True), _start_kueue),
)


def _wrong(page: Any) -> set[str]:
    """What of a page is not as it was in good days."""
    parts = [page["tasks"]["last"], *page["tasks"]["readings"]]
    return {f"{p['source']}: {p['state']} {p['code']}" for p in parts if p["state"] not in ("ok", "absent")}


@dataclass
class Page:
    """The tasks page as it came last."""

    shown: Any = None
    received: float = 0.0

    def heard(self, name: str, asked: float, received: float, page: Any) -> None:
        if name == "tasks":
            self.shown, self.received = page, received


def _one(cluster: HyperPod, fault: Fault, page: Page, feeds: Feeds) -> tuple[float, float]:
    rows = [row["name"] for row in page.shown["tasks"]["data"]]
    before = page.received
    feeds.until(lambda _: page.received > before and page.shown["poll_after_ms"] > 1000, "a settled answer", 2 * POLL)
    begun = time.monotonic()
    fault.begin(cluster)
    feeds.until(lambda _: bool(_wrong(page.shown)), f"{fault.name}: said", 4 * SAID)
    said = page.received - begun
    time.sleep(fault.lasts)
    if [row["name"] for row in page.shown["tasks"]["data"] or ()] != rows:
        raise RuntimeError(f"not measured: the rows of before did not stay under {fault.name!r}")
    fault.end(cluster)
    over = time.monotonic()
    feeds.until(lambda _: page.received > over and not _wrong(page.shown), f"{fault.name}: right again", 2 * RIGHT)
    return said, page.received - over


def _watch(cluster: HyperPod, server: JupyterServer, team: Team) -> dict[str, tuple[float, float]]:
    hands = Hands(cluster)
    hands.submit(tasks.job(team, "steady", 1, template(8, "1", "1Gi")))
    hands.submit(tasks.job(team, "waiting", 1, template(8, "1", "1Gi")))  # so that there is a line to ask Kueue's own server for
    cluster.until(lambda: is_true(cluster.workload_of(team.namespace, "steady"), "Admitted"), "steady admitted", 60)
    page = Page()
    with Feeds(server, PANEL) as panel, Feeds(server, dashboard(ID, TAB_LIMIT), page.heard, after=panel) as feeds:
        feeds.until_settled()
        feeds.until(lambda _: len(page.shown["tasks"]["data"] or ()) == 2 and not _wrong(page.shown), "all read", 3 * POLL)
        return {fault.name: _one(cluster, fault, page, feeds) for fault in FAULTS}


def run(repetitions: int) -> Report:
    """Each fault once, whatever the repetitions: they take minutes."""
    report = Report("faults")
    with real_cluster() as cluster, tempfile.TemporaryDirectory(prefix="hpgov-bench-") as folder:
        team = watched_team(cluster, "watched", 1)
        traits = sign_in(cluster, member(cluster, "watcher", team), Path(folder), team)
        with JupyterServer({"hpgov_jlab": True}, environment(), {"HpgovSettings": traits}) as server:
            server.until_up()
            found = _watch(cluster, server, team)
    floor = report.add("floor: the poll interval", "s", [POLL]).name
    for name, (said, right) in found.items():
        report.add(f"{name}: said", "s", [said], floor)
        report.add(f"{name}: right again", "s", [right], floor)
        report.limit(f"{name}: said (poll interval and one deadline)", said, SAID, "s")
        report.limit(f"{name}: right again (longest time between two probes, and poll interval)", right, RIGHT, "s")
    return report
