"""Gang scheduling (Kueue's waitForPodsReady) on: what a member can see of it, and the states that it makes (issue 4, point 9; facts/hyperpod.md 2.7)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from hpgov_jlab.answers.share import make
from hpgov_jlab.model.task import Task
from hpgov_jlab.policy import render_kubernetes
from tests.testbed import tasks
from tests.testbed.hands import Hands
from tests.testbed.hyperpod import HyperPod, Team, is_true
from tests.testbed.tasks import template

from .conftest import start
from .product import Product


@pytest.fixture(scope="module")
def gang(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HyperPod]:
    again = {"timestamp": "Eviction", "backoffBaseSeconds": 20, "backoffLimitCount": 1}
    yield from start(tmp_path_factory, "0.19.2", config={"waitForPodsReady": {"timeout": "4s", "blockAdmission": True, "requeuingStrategy": again}})


def team_of(c: HyperPod, product: Callable[..., Product]) -> tuple[Team, Product]:
    number = c.number()
    team = c.team(f"gang-{number}", 2, cohort=None)
    person = c.person(f"member-{number}")
    c.apply(*render_kubernetes.team([team.namespace], [team.queue], render_kubernetes.Subject("User", person.name)))
    return team, product(c, person, team.namespace)


def until(panel: Product, name: str, right: Callable[[Task], bool], seconds: float = 30) -> Task:
    end = time.monotonic() + seconds
    while not right(task := panel.look().task(name)):
        assert time.monotonic() < end, task
        time.sleep(0.3)
    return task


def test_the_next_waits_for_the_first_one_s_pods_and_the_slow_one_is_stopped(gang: HyperPod, product: Callable[..., Product]) -> None:
    """One story, since with blockAdmission every task of the cluster waits for every other."""
    c, hands = gang, Hands(gang)
    team, panel = team_of(c, product)
    slow = hands.submit(tasks.pytorch_job(team, "slow", 1, template(1, "4", "16Gi")))  # no operator: its pods never come
    c.until(lambda: is_true(c.workload_of(team.namespace, "slow"), "Admitted"), "slow admitted")
    hands.submit(tasks.job(team, "next", 1, template(1, "4", "16Gi")))
    waits = until(panel, "next", lambda t: t.reason is not None and t.reason.code == "waits_gang")
    assert waits.state.value == "waiting"
    back = until(panel, "slow", lambda t: t.last_stop is not None)
    assert back.last_stop is not None and back.last_stop.cause.code == "stop_pods_not_ready"
    assert back.state.value == "waiting" and back.reason is not None and back.reason.code == "waits_back_off", back
    runs = until(panel, "next", lambda t: t.state.value == "running")
    assert runs.reason is None
    seen = panel.look()
    assert "share_gang_scheduling" in {note.code for note in make(seen.readings, frozenset(), seen.now).notes}
    off = until(panel, "slow", lambda t: t.state.value == "deactivated" and t.reason is not None and t.reason.code == "deactivated_requeue", 90)
    assert off.last_stop is not None and off.last_stop.cause.code in ("stop_requeue_limit", "stop_pods_not_ready")
    assert slow


def test_without_it_nothing_waits_for_pods(cluster_0_19: HyperPod, product: Callable[..., Product]) -> None:
    c, hands = cluster_0_19, Hands(cluster_0_19)
    team, panel = team_of(c, product)
    hands.submit(tasks.pytorch_job(team, "slow", 1, template(1, "4", "16Gi")))
    c.until(lambda: is_true(c.workload_of(team.namespace, "slow"), "Admitted"), "slow admitted")
    hands.submit(tasks.job(team, "next", 1, template(1, "4", "16Gi")))
    until(panel, "next", lambda t: t.state.value == "running")
    assert until(panel, "slow", lambda t: t.state.value == "starting").stops == 0
