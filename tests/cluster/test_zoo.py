"""The zoo: every state that the real Kueue makes, and what the product says of it (issue 4, point 5). The table is docs/tables/zoo.md."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from hpgov_jlab import words
from hpgov_jlab.model.task import Task
from hpgov_jlab.policy import render_kubernetes
from tests.testbed.hands import Hands
from tests.testbed.hyperpod import HyperPod
from tests.testbed.servers import PATIENCE

from . import tables
from .cage import Cage, Case
from .conftest import VERSIONS
from .product import Product
from .test_gang import SEEN as GANG_SEEN
from .test_gang import TITLES as GANG_TITLES
from .zoo import CASES
from .zoo_tuned import TUNED


def name_of(case: Case) -> str:
    return case.title.replace(" ", "-")


SEEN: dict[tuple[str, str], Task] = {}  # what was done, Kueue


def play(cluster: HyperPod, case: Case) -> Task:
    number = cluster.number()
    team = cluster.team(f"zoo-{number}", 1, **{"cohort": f"cohort-{number}", **case.team})
    cage = Cage(cluster, team, Hands(cluster), number)
    person = cluster.person(f"keeper-{number}")
    cluster.apply(*render_kubernetes.team([team.namespace], [team.queue], render_kubernetes.Subject("User", person.name)))
    try:
        with Product.opened(cluster, person, team.namespace) as panel:
            return settle(case, panel, case.make(cage))
    finally:
        cage.clean()


def settle(case: Case, panel: Product, name: str) -> Task:
    end = time.monotonic() + PATIENCE
    while True:
        seen = panel.look_without_discovery()
        task = seen.task(name)
        said = task.reason.code if task.reason else ""
        stop = task.last_stop.cause.code if task.last_stop else None
        if (task.state.value, said, stop) == (case.state, case.code, case.stop):
            return task
        if time.monotonic() > end:
            raise AssertionError(f"{task.state.value} {said} last stop {stop}; expected {case.state} {case.code} {case.stop}; {seen.tasks}")
        time.sleep(0.3)


def not_here(cluster: HyperPod, case: Case) -> bool:
    return case.only not in (None, cluster.kueue_version)


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_state(cluster: HyperPod, case: Case, side_by_side: Callable[..., Any]) -> None:
    if not_here(cluster, case):
        pytest.skip(f"made by Kueue {case.only} only")
    SEEN[(case.title, cluster.kueue_version or "")] = side_by_side(play, lambda cluster, case: case.alone or not_here(cluster, case))


@pytest.mark.parametrize("case", TUNED, ids=name_of)
def test_state_where_kueue_is_set_up_for_it(tuned_cluster: HyperPod, case: Case, side_by_side: Callable[..., Any]) -> None:
    if not_here(tuned_cluster, case):
        pytest.skip(f"made by Kueue {case.only} only")
    SEEN[(case.title, tuned_cluster.kueue_version or "")] = side_by_side(play, lambda cluster, case: case.alone or not_here(cluster, case))


def test_table() -> None:
    """Only after a whole run: a part of the zoo is no table."""
    seen = {**SEEN, **GANG_SEEN}
    cases = [*CASES, *TUNED]
    titles = dict.fromkeys([*(case.title for case in cases), *GANG_TITLES])
    wanted = {(case.title, version) for case in cases for version in VERSIONS if case.only in (None, version)}
    if not wanted | {(title, version) for title in GANG_TITLES for version in VERSIONS} <= set(seen):
        pytest.skip("not every case was run")
    rows = []
    for title in titles:
        cells = {version: _cells(seen[(title, version)]) for version in VERSIONS if (title, version) in seen}
        missing = {version: next(case.elsewhere for case in cases if case.title == title) for version in VERSIONS if version not in cells}
        cells |= {version: [f"not made by this version: {why}", "", "", "", ""] for version, why in missing.items()}
        if cells[VERSIONS[0]] == cells[VERSIONS[1]]:
            rows.append([title, "both", *cells[VERSIONS[0]]])
        else:
            rows += [[title, version, *cells[version]] for version in VERSIONS]
    text = (
        "Made on a real Kueue by tests/cluster/test_zoo.py and test_gang.py, read with the manifest *team*. "
        "Names and amounts in the sentences are those of the test. Not made: what MultiKueue says (EvictedOnManagerCluster), which takes a second cluster; "
        "a code that the product does not know is shown as Kueue's own word, as VariantEvicted below."
    )
    head = ("what was done", "Kueue", "state", "reason", "what the person reads", "next step", "stopped before")
    tables.check("zoo.md", tables.markdown("A zoo of states", text, head, rows))


def _cells(task: Task) -> list[str]:
    reason = task.reason.code if task.reason else ""
    text = words.WORDS[reason].text if reason else ""
    then = words.WORDS[task.next_step.code].text if task.next_step else words.WORDS[reason].then or "" if reason else ""
    ended = f" ({task.ended})" if task.ended else ""
    stop = task.last_stop.cause if task.last_stop else None
    stopped = "" if stop is None else f"{stop.code} ({stop.params['why']})" if stop.params.get("why") else stop.code
    return [task.state.value + ended, reason, text, then, stopped]
