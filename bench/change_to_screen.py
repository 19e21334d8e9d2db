"""A change in a real cluster until the page shows it, while the panel and a dashboard are visible.

A real API server with Kueue 0.19.2, a real Jupyter server with the extension, its pages asked over HTTP exactly as the browser's feeds ask (interval and
`poll_after_ms`, src/store/feed.ts). 20 changes of each of five kinds for five repetitions: a Job submitted, a waiting task admitted by Kueue, a priority
changed, a task finished, a task deleted. Each is a task of its own; they come every few seconds at random moments and overlap, since one after the other
would take an hour. From the API server's answer to the change (Kueue's own Admitted condition, seen by a look every 100 ms) to the answer that shows it.

Floor: the next question that the visible page asks anyway; polling cannot be faster. Not covered: drawing the page in the browser, which is milliseconds,
and that a dashboard shows 50 rows where this asks for 200, so that every task is on the first page.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.testbed import tasks
from tests.testbed.hands import Hands
from tests.testbed.hyperpod import HyperPod, Team, is_true
from tests.testbed.tasks import template

from .feeds import PANEL, Feeds, dashboard
from .measure import Report, percentile
from .real_cluster import ID, environment, member, real_cluster, sign_in, watched_team
from .servers import JupyterServer
from .tab import failed

EACH = 4
"""Changes of each kind per repetition: 100 in five repetitions."""
EVERY = 3.6
"""Seconds between two changes, in the mean."""
ROWS = 200
POLL = 30.0
"""Trait poll_seconds, as it comes."""
LIST_TTL = 15.0
"""The shortest time to live of a list (DESIGN.md 7)."""
SLACK = 2.0
"""For one read and one more question 700 ms later."""
LATE = POLL + LIST_TTL + SLACK
"""No change is later than that: read just before it, not due at the next question, seen at the one after."""

Rows = Mapping[str, Any]


@dataclass
class Change:
    kind: str
    task: str
    at: float
    shown: Callable[[Rows], bool] = field(repr=False)
    next_question: float | None = None
    seen: float | None = None


class Screen:
    """What the visible tasks page shows, and which change it shows since when."""

    def __init__(self) -> None:
        self.open: list[Change] = []
        self.rows: dict[str, Any] = {}

    def heard(self, name: str, asked: float, received: float, page: Any) -> None:
        if name != "tasks":
            return
        self.rows = {row["name"]: row for row in page["tasks"]["data"] or ()}
        for change in list(self.open):
            if asked < change.at:
                continue  # the answer may be older than the change
            if change.next_question is None:
                change.next_question = asked - change.at
            if change.seen is None and change.shown(self.rows):
                change.seen = received - change.at


class Story:
    """The tasks that are changed: `prepare` makes what has to be there before, the others each make one change and say when it was there."""

    def __init__(self, cluster: HyperPod, count: int) -> None:
        self.cluster, self.hands, self.count = cluster, Hands(cluster), count
        self.free = watched_team(cluster, "free", count)
        self.full = watched_team(cluster, "full", count)
        self.ranked = watched_team(cluster, "ranked", 1)
        self.admitted: set[str] = set()

    @property
    def teams(self) -> tuple[Team, ...]:
        return self.free, self.full, self.ranked

    def prepare(self) -> int:
        """Returns how many tasks there are then."""
        one, whole = template(1, "1", "1Gi"), template(8, "1", "1Gi")
        self.hands.submit(tasks.job(self.ranked, "holds-all", 1, whole, priority="urgent"))
        for number in range(self.count):
            self.hands.submit(tasks.job(self.free, f"finishes-{number}", 1, one))
            self.hands.submit(tasks.job(self.free, f"goes-{number}", 1, one))
            self.hands.submit(tasks.job(self.full, f"holds-{number}", 1, whole))
            self.hands.submit(tasks.job(self.ranked, f"ranked-{number}", 1, whole, priority="experiment"))
        self.cluster.until(lambda: len(self._admitted(self.full)) == self.count, "all that hold admitted", 60)
        self.cluster.until(lambda: len(self._admitted(self.free)) == 2 * self.count, "all of the free team admitted", 60)
        self.cluster.until(lambda: all(p["status"].get("phase") == "Running" for p in self._pods()), "their pods run", 120)
        for number in range(self.count):
            self.hands.submit(tasks.job(self.full, f"waits-{number}", 1, whole))
        self.admitted = self._admitted(self.full)
        return 5 * self.count + 1

    def _pods(self) -> list[dict[str, Any]]:
        return self.cluster.items(tasks.path("Pod", self.free.namespace))

    def _admitted(self, team: Team) -> set[str]:
        return {w["metadata"]["ownerReferences"][0]["name"] for w in self.cluster.workloads(team.namespace) if is_true(w, "Admitted")}

    def submitted(self, number: int) -> Change:
        name = f"new-{number}"
        self.hands.submit(tasks.job(self.free, name, 1, template(1, "1", "1Gi")))
        return Change("submitted", name, time.monotonic(), lambda rows: name in rows)

    def started(self, number: int) -> Change:
        """Quota comes free; which of those that wait is admitted is Kueue's choice."""
        self.cluster.delete(tasks.path("Job", self.full.namespace, f"holds-{number}"))
        (name,) = self.cluster.until(lambda: {n for n in self._admitted(self.full) - self.admitted if n.startswith("waits-")}, "one more admitted", 30)
        self.admitted.add(name)
        return Change("admitted", name, time.monotonic(), lambda rows: name in rows and rows[name]["state"] in ("starting", "running"))

    def reranked(self, number: int) -> Change:
        name = f"ranked-{number}"
        self.cluster.patch(tasks.path("Job", self.ranked.namespace, name), {"metadata": {"labels": {tasks.PRIORITY: "training-priority"}}})
        self.cluster.until(lambda: (self.cluster.workload_of(self.ranked.namespace, name) or {})["spec"].get("priority") == 75, "the priority", 30)
        return Change("priority changed", name, time.monotonic(), lambda rows: name in rows and rows[name]["priority"] == 75)

    def finished(self, number: int) -> Change:
        name = f"finishes-{number}"
        self.hands.end(self.free.namespace, name)
        self.cluster.until(lambda: is_true(self.cluster.workload_of(self.free.namespace, name), "Finished"), "finished", 30)
        return Change("finished", name, time.monotonic(), lambda rows: name in rows and rows[name]["state"] == "finished")

    def deleted(self, number: int) -> Change:
        name = f"goes-{number}"
        self.cluster.delete(tasks.path("Job", self.free.namespace, name))
        return Change("deleted", name, time.monotonic(), lambda rows: name not in rows)


def _watch(story: Story, server: JupyterServer, report: Report) -> list[Change]:
    screen = Screen()
    prepared = story.prepare()
    with Feeds(server, PANEL) as panel, Feeds(server, dashboard(ID, ROWS), screen.heard, after=panel) as feeds:
        feeds.until(lambda _: len(screen.rows) == prepared, f"{prepared} tasks on the screen", 120)
        feeds.until_settled()
        moments = random.Random(19)
        makers = (story.submitted, story.started, story.reranked, story.finished, story.deleted)
        order = [(make, number) for number in range(story.count) for make in makers]
        begin = time.monotonic()
        for place, (make, number) in enumerate(order):
            time.sleep(max(0.0, begin + (place + moments.random()) * EVERY - time.monotonic()))
            screen.open.append(make(number))
            feeds.check()
            panel.check()
        feeds.until(lambda _: all(change.seen is not None for change in screen.open), "every change on the screen", 2 * LATE)
        wrong = failed([*panel.pages.values(), *feeds.pages.values()])
        if wrong:
            raise RuntimeError(f"not measured, a read failed: {'; '.join(wrong)}")
    report.detail["tasks"] = prepared
    return screen.open


def run(repetitions: int) -> Report:
    report = Report("change-to-screen")
    with real_cluster() as cluster, tempfile.TemporaryDirectory(prefix="hpgov-bench-") as folder:
        story = Story(cluster, EACH * repetitions)
        traits = sign_in(cluster, member(cluster, "watcher", *story.teams), Path(folder), *story.teams)
        with JupyterServer({"hpgov_jlab": True}, environment(), {"HpgovSettings": traits}) as server:
            server.until_up()
            changes = _watch(story, server, report)
    waited = [c.next_question or 0.0 for c in changes]
    seen = [c.seen or 0.0 for c in changes]
    floor = report.add("floor: until the visible page asks anyway", "s", waited).name
    report.add("change to screen", "s", seen, floor)
    report.add("floor: p95", "s", [percentile(waited, 0.95)])
    report.add("change to screen: p95", "s", [percentile(seen, 0.95)], "floor: p95")
    report.add("what our reads add to that question", "s", [s - w for s, w in zip(seen, waited, strict=True)])
    for kind in dict.fromkeys(c.kind for c in changes):
        report.add(f"  {kind}", "s", [c.seen or 0.0 for c in changes if c.kind == kind])
    report.limit("p95, change to screen (poll interval and a list's time to live)", percentile(seen, 0.95), LATE, "s")
    report.notes.append(
        f"{len(changes)} changes. Poll interval {POLL:g} s, lists live {LIST_TTL:g} s, so at the worst one is {POLL + LIST_TTL:g} s old on the screen."
    )
    report.detail["changes"] = [{"kind": c.kind, "next_question": c.next_question, "seen": c.seen} for c in changes]
    return report
