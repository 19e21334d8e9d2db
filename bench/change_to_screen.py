"""A change in a real cluster until a person can see it, while the panel and a dashboard are on the screen of a real browser.

A real API server with Kueue 0.19.2, a real JupyterLab with the extension, and Chromium on it with a dashboard's tasks open (screen.py). 20 changes of each of
five kinds for five repetitions: a Job submitted, a waiting task admitted by Kueue, a priority changed, a task finished, a task deleted. Each is a task of its
own; they come every few seconds at random moments and overlap, since one after the other would take an hour. From the API server's answer to the change
(Kueue's own Admitted condition, seen by a look every 100 ms) to the frame in which the table shows it.

Floor: the next question that the visible page asks anyway; polling cannot be faster. The page asks for 200 rows where it would ask for 50, so that every task
is on its first page: drawing costs more here than for a person.
"""

from __future__ import annotations

import random
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.testbed import tasks
from tests.testbed.hands import Hands
from tests.testbed.hyperpod import HyperPod, Team, is_true
from tests.testbed.tasks import template

from .measure import Report, percentile
from .real_cluster import ID, environment, member, real_cluster, sign_in, watched_team
from .screen import Answer, Rows, Screen
from .servers import API, JupyterServer
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


@dataclass
class Change:
    kind: str
    task: str
    at: float
    shown: Callable[[Rows], bool] = field(repr=False)
    seen: float | None = None


class Watched:
    """The changes made so far, and since when the screen shows each."""

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self._lock = threading.Lock()

    def made(self, change: Change, rows: Rows) -> None:
        """`rows`: what the screen shows now, which may know already."""
        with self._lock:
            if change.shown(rows):
                change.seen = 0.0
            self.changes.append(change)

    def drawn(self, at: float, rows: Rows) -> None:
        with self._lock:
            for change in self.changes:
                if change.seen is None and at >= change.at and change.shown(rows):
                    change.seen = at - change.at

    @property
    def all_seen(self) -> bool:
        return all(change.seen is not None for change in self.changes)


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
        return Change("submitted", name, time.time(), lambda rows: name in rows)

    def started(self, number: int) -> Change:
        """Quota comes free; which of those that wait is admitted is Kueue's choice."""
        self.cluster.delete(tasks.path("Job", self.full.namespace, f"holds-{number}"))
        (name,) = self.cluster.until(lambda: {n for n in self._admitted(self.full) - self.admitted if n.startswith("waits-")}, "one more admitted", 30)
        self.admitted.add(name)
        return Change("admitted", name, time.time(), lambda rows: name in rows and rows[name]["state"] in ("starting", "running"))

    def reranked(self, number: int) -> Change:
        name = f"ranked-{number}"
        self.cluster.patch(tasks.path("Job", self.ranked.namespace, name), {"metadata": {"labels": {tasks.PRIORITY: "training-priority"}}})
        self.cluster.until(lambda: (self.cluster.workload_of(self.ranked.namespace, name) or {})["spec"].get("priority") == 75, "the priority", 30)
        return Change("priority changed", name, time.time(), lambda rows: name in rows and rows[name]["priority"] == "75")

    def finished(self, number: int) -> Change:
        name = f"finishes-{number}"
        self.hands.end(self.free.namespace, name)
        self.cluster.until(lambda: is_true(self.cluster.workload_of(self.free.namespace, name), "Finished"), "finished", 30)
        return Change("finished", name, time.time(), lambda rows: name in rows and rows[name]["state"] == "finished")

    def deleted(self, number: int) -> Change:
        name = f"goes-{number}"
        self.cluster.delete(tasks.path("Job", self.free.namespace, name))
        return Change("deleted", name, time.time(), lambda rows: name not in rows)


def _watch(story: Story, server: JupyterServer, report: Report) -> tuple[list[Change], list[Answer], list[float]]:
    watched = Watched()
    prepared = story.prepare()
    with Screen(f"http://127.0.0.1:{server.port}/lab?token={server.token}&reset", ROWS, watched.drawn) as screen:
        screen.until(lambda: len(screen.rows) == prepared, f"{prepared} tasks on the screen", 180)
        moments = random.Random(19)
        makers = (story.submitted, story.started, story.reranked, story.finished, story.deleted)
        order = [(make, number) for number in range(story.count) for make in makers]
        begin = time.monotonic()
        for place, (make, number) in enumerate(order):
            time.sleep(max(0.0, begin + (place + moments.random()) * EVERY - time.monotonic()))
            watched.made(make(number), screen.rows)
            screen.check()
        screen.until(lambda: watched.all_seen, "every change on the screen", 2 * LATE)
        pages = [server.get(API + path) for path in ("connections", f"connections/{ID}", f"connections/{ID}/tasks")]
        wrong = failed(pages)
        if wrong:
            raise RuntimeError(f"not measured, a read failed: {'; '.join(wrong)}")
    report.detail["tasks"] = prepared
    return watched.changes, screen.answers, screen.draws


def _drawing(answers: list[Answer], draws: list[float]) -> list[float]:
    """Seconds from each answer that changed the table to the frame that shows it; an answer that changed nothing is followed by the next answer first."""
    found = []
    for answer, following in zip(answers, [*answers[1:], None], strict=True):
        drawn = next((d for d in draws if d >= answer.answered), None)
        if drawn is not None and (following is None or drawn < following.answered):
            found.append(drawn - answer.answered)
    return found


def run(repetitions: int) -> Report:
    report = Report("change-to-screen")
    with real_cluster() as cluster, tempfile.TemporaryDirectory(prefix="hpgov-bench-") as folder:
        story = Story(cluster, EACH * repetitions)
        traits = sign_in(cluster, member(cluster, "watcher", *story.teams), Path(folder), *story.teams)
        with JupyterServer({"hpgov_jlab": True, "jupyterlab": True}, environment(), {"HpgovSettings": traits}) as server:
            server.until_up()
            changes, answers, draws = _watch(story, server, report)
    waited = [next(a.asked for a in answers if a.asked >= c.at) - c.at for c in changes]
    seen = [c.seen or 0.0 for c in changes]
    floor = report.add("floor: until the visible page asks anyway", "s", waited).name
    report.add("change to screen", "s", seen, floor)
    report.add("floor: p95", "s", [percentile(waited, 0.95)])
    report.add("change to screen: p95", "s", [percentile(seen, 0.95)], "floor: p95")
    report.add("what our reads and drawing add to that question", "s", [s - w for s, w in zip(seen, waited, strict=True)])
    report.add("from an answer to its frame", "ms", [1000 * s for s in _drawing(answers, draws)])
    for kind in dict.fromkeys(c.kind for c in changes):
        report.add(f"  {kind}", "s", [c.seen or 0.0 for c in changes if c.kind == kind])
    report.limit("p95, change to screen (poll interval and a list's time to live)", percentile(seen, 0.95), LATE, "s")
    report.notes.append(
        f"{len(changes)} changes. Poll interval {POLL:g} s, lists live {LIST_TTL:g} s, so at the worst one is {POLL + LIST_TTL:g} s old on the screen."
    )
    report.detail["changes"] = [{"kind": c.kind, "next_question": w, "seen": c.seen} for c, w in zip(changes, waited, strict=True)]
    return report
