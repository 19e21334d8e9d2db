"""The zoo: every state that the real Kueue makes, and what the product says of it (issue 4, point 5). The table is docs/tables/zoo.md."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from hpgov_jlab import words
from hpgov_jlab.model.task import Task
from hpgov_jlab.policy import render_kubernetes
from tests.testbed.hands import Hands
from tests.testbed.hyperpod import HyperPod

from . import tables
from .cage import Cage, Case
from .product import Product
from .zoo import CASES

SEEN: dict[tuple[str, str], Task] = {}


def one(cluster: HyperPod, case: Case, product: Callable[..., Product]) -> Task:
    number = cluster.number()
    team = cluster.team(f"zoo-{number}", 1, **{"cohort": f"cohort-{number}", **case.team})
    cage = Cage(cluster, team, Hands(cluster), number)
    person = cluster.person(f"keeper-{number}")
    cluster.apply(*render_kubernetes.team([team.namespace], [team.queue], render_kubernetes.Subject("User", person.name)))
    try:
        return settle(case, product(cluster, person, team.namespace), case.make(cage))
    finally:
        cage.clean()


def settle(case: Case, panel: Product, name: str) -> Task:
    end = time.monotonic() + 12
    while True:
        task = panel.look().task(name)
        said = task.reason.code if task.reason else ""
        stop = task.last_stop.cause.code if task.last_stop else None
        if (task.state.value, stop) == (case.state, case.stop) and said in case.codes:
            return task
        if time.monotonic() > end:
            raise AssertionError(f"{task.state.value} {said} last stop {stop}; expected {case.state} {case.codes} {case.stop}; {task}")
        time.sleep(0.3)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title.replace(" ", "-"))
def test_state(cluster: HyperPod, case: Case, product: Callable[..., Product]) -> None:
    version = cluster.kueue_version or ""
    if case.only not in (None, version):
        pytest.skip(f"made by Kueue {case.only} only")
    SEEN[(case.title, version)] = one(cluster, case, product)


def test_table() -> None:
    """Only after a whole run: a part of the zoo is no table."""
    if len({title for title, _ in SEEN}) < len({case.title for case in CASES}):
        pytest.skip("not every case was run")
    rows = []
    for title in dict.fromkeys(case.title for case in CASES):
        cells = {version: _cells(task) for (seen, version), task in SEEN.items() if seen == title}
        versions = sorted(cells, reverse=True)
        if len(versions) == 2 and cells[versions[0]] == cells[versions[1]]:
            rows.append([title, "both", *cells[versions[0]]])
        else:
            rows += [[title, version, *cells[version]] for version in versions]
    text = "Made on a real Kueue by tests/cluster/test_zoo.py, read with the manifest *team*. Names and amounts in the sentences are those of the test."
    head = ("what was done", "Kueue", "state", "reason", "what the person reads", "next step", "stopped before")
    tables.check("zoo.md", tables.markdown("A zoo of states", text, head, rows))


def _cells(task: Task) -> list[str]:
    reason = task.reason.code if task.reason else ""
    text = words.WORDS[reason].text if reason else ""
    then = words.WORDS[task.next_step.code].text if task.next_step else words.WORDS[reason].then or "" if reason else ""
    ended = f" ({task.ended})" if task.ended else ""
    return [task.state.value + ended, reason, text, then, task.last_stop.cause.code if task.last_stop else ""]
