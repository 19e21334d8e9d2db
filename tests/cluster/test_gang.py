"""Gang scheduling (Kueue's waitForPodsReady) on: what a member can see of it, and the states that it makes (issue 4, point 9; facts/hyperpod.md 2.7)."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from hpgov_jlab.model.task import Task
from hpgov_jlab.policy import render_kubernetes
from tests.testbed import tasks
from tests.testbed.hands import Hands
from tests.testbed.hyperpod import HyperPod, Team, is_true
from tests.testbed.servers import PATIENCE
from tests.testbed.tasks import template
from tests.testbed.webhooks import Person

from .product import Product

WAITS = "gang scheduling: another's pods are not ready yet"
STOPPED = "gang scheduling: its pods were not ready in time"
OFF = "gang scheduling: its pods were not ready too often"
TITLES = (WAITS, STOPPED, OFF)
SEEN: dict[tuple[str, str], Task] = {}  # what was done, Kueue: rows of docs/tables/zoo.md


def team_of(c: HyperPod) -> tuple[Team, Person]:
    number = c.number()
    team = c.team(f"gang-{number}", 2, cohort=None)
    person = c.person(f"member-{number}")
    c.apply(*render_kubernetes.team([team.namespace], [team.queue], render_kubernetes.Subject("User", person.name)))
    return team, person


def until(panel: Product, name: str, right: Callable[[Task], bool], seconds: float = PATIENCE) -> Task:
    end = time.monotonic() + seconds
    while not right(task := panel.look_without_discovery().task(name)):
        assert time.monotonic() < end, task
        time.sleep(0.3)
    return task


def story(cluster: HyperPod) -> dict[str, Task]:
    """One story, since with blockAdmission every task of the cluster waits for every other."""
    c, hands = cluster, Hands(cluster)
    team, person = team_of(c)
    slow = hands.submit(tasks.pytorch_job(team, "slow", 1, template(1, "4", "16Gi")))  # no operator: its pods never come
    following = tasks.job(team, "next", 1, template(1, "4", "16Gi"))
    try:
        with Product.opened(c, person, team.namespace) as panel:
            c.until(lambda: is_true(c.workload_of(team.namespace, "slow"), "Admitted"), "slow admitted")
            hands.submit(following)
            waits = until(panel, "next", lambda t: t.reason is not None and t.reason.code == "waits_gang")
            assert waits.state.value == "waiting"
            back = until(panel, "slow", lambda t: t.reason is not None and t.reason.code == "waits_back_off")
            assert back.state.value == "waiting" and back.last_stop is not None and back.last_stop.cause.code == "stop_pods_not_ready", back
            runs = until(panel, "next", lambda t: t.state.value == "running")
            assert runs.reason is None
            seen = panel.look()
            assert "share_gang_scheduling" in {note.code for note in seen.shares().notes}
            off = until(panel, "slow", lambda t: t.reason is not None and t.reason.code == "deactivated_requeue" and t.last_stop is not None)
            assert off.state.value == "deactivated" and off.last_stop is not None and off.last_stop.cause.code == "stop_requeue_limit", off
            return {WAITS: waits, STOPPED: back, OFF: off}
    finally:  # whatever is left would hold up the tries that follow
        hands.delete(slow)
        hands.delete(following)


def test_the_next_waits_for_the_first_one_s_pods_and_the_slow_one_is_stopped(gang_cluster: HyperPod, side_by_side: Callable[..., Any]) -> None:
    for title, task in side_by_side(story).items():
        SEEN[(title, gang_cluster.kueue_version or "")] = task


def without_it(cluster: HyperPod) -> None:
    c, hands = cluster, Hands(cluster)
    team, person = team_of(c)
    with Product.opened(c, person, team.namespace) as panel:
        hands.submit(tasks.pytorch_job(team, "slow", 1, template(1, "4", "16Gi")))
        c.until(lambda: is_true(c.workload_of(team.namespace, "slow"), "Admitted"), "slow admitted")
        hands.submit(tasks.job(team, "next", 1, template(1, "4", "16Gi")))
        until(panel, "next", lambda t: t.state.value == "running")
        assert until(panel, "slow", lambda t: t.state.value == "starting").stops == 0


def test_without_it_nothing_waits_for_pods(cluster: HyperPod, side_by_side: Callable[..., Any]) -> None:
    side_by_side(without_it)
