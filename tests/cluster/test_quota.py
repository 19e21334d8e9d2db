"""Quota that adds up (issue 4, point 6): over random teams and loads the panel's numbers equal ClusterQueue status and what the Workloads add up to.

The figures that they are compared with are computed here, with Decimal and a parser of its own, not with the product's.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from hpgov_jlab.policy import render_kubernetes
from tests.testbed import tasks
from tests.testbed.hands import Hands
from tests.testbed.hyperpod import HyperPod, Team, is_true
from tests.testbed.servers import PATIENCE
from tests.testbed.tasks import Manifest, template

from .product import Product

SUFFIX = {"": Decimal(1), "m": Decimal("0.001")}
SUFFIX |= {"k": Decimal(10**3), "M": Decimal(10**6), "G": Decimal(10**9), "T": Decimal(10**12)}
SUFFIX |= {"Ki": Decimal(2**10), "Mi": Decimal(2**20), "Gi": Decimal(2**30), "Ti": Decimal(2**40)}
GPU, MIG, NEURON, EFA = "nvidia.com/gpu", "nvidia.com/mig-1g.10gb", "aws.amazon.com/neuron", "vpc.amazonaws.com/efa"
FLAVORS = ("ml.p5.48xlarge", "ml.g5.8xlarge", "ml.trn1.32xlarge")
Cell = tuple[str, str]


def exact(text: str) -> Decimal:
    number = text.rstrip("mkMGTKi")
    return Decimal(number) * SUFFIX[text[len(number) :]]


def quotas(rng: random.Random, resources: tuple[str, ...], limits: bool) -> list[dict[str, str]]:
    made = []
    for resource in resources:
        one = rng.choice({"cpu": ["8", "12500m", "16"], "memory": ["64Gi", "2Ti", "100G"]}.get(resource, ["2", "4", "8"]))
        quota = {"name": resource, "nominalQuota": one}
        if limits and rng.random() < 0.5:
            quota["borrowingLimit"] = rng.choice({"cpu": ["0", "4500m"], "memory": ["0", "32Gi"]}.get(resource, ["0", "2"]))
        if limits and rng.random() < 0.5:
            quota["lendingLimit"] = {"cpu": "1500m", "memory": "16Gi"}.get(resource, "1")
        made.append(quota)
    return made


def groups(rng: random.Random, limits: bool) -> list[dict[str, Any]]:
    first, second = ("cpu", "memory", GPU, EFA), rng.choice(((MIG,), (NEURON,), (MIG, NEURON)))
    flavors = list(FLAVORS[: rng.choice((1, 2))])
    return [
        {"coveredResources": list(first), "flavors": [{"name": f, "resources": quotas(rng, first, limits)} for f in flavors]},
        {"coveredResources": list(second), "flavors": [{"name": FLAVORS[2], "resources": quotas(rng, second, limits)}]},
    ]


def load(rng: random.Random, team: Team, number: int) -> Manifest:
    asked = {"cpu": rng.choice(["1500m", "250m", "2"]), "memory": rng.choice(["1Gi", "3G", "1500M"])}
    asked |= {r: str(rng.choice((1, 2))) for r in (GPU, EFA) if rng.random() < 0.4}
    return tasks.job(
        team, f"load-{number}", rng.choice((1, 1, 2, 3)), template(requests=asked), priority=rng.choice(("urgent", "training", "experiment", None))
    )


def settled(c: HyperPod, teams: list[Team]) -> None:
    """Until nothing changed for two seconds and each queue's own count agrees with its Workloads."""
    last: Any = None
    since = time.monotonic()
    end = since + PATIENCE
    while time.monotonic() < end:
        now = []
        for team in teams:
            works = c.workloads(team.namespace)
            status = c.read(c.kueue_path("clusterqueues", "", team.queue)).get("status", {})
            reserved = sum(is_true(w, "QuotaReserved") for w in works)
            now.append(
                (
                    status.get("reservingWorkloads"),
                    status.get("pendingWorkloads"),
                    status.get("flavorsReservation"),
                    reserved,
                    len(works),
                    [is_true(w, "Evicted") for w in works],
                )
            )
        if now != last or any(n[0] != n[3] or (n[1] or 0) + n[3] != n[4] for n in now):
            last, since = now, time.monotonic()
        elif time.monotonic() - since > 2:
            return
        time.sleep(0.3)
    raise AssertionError(f"the queues do not come to rest: {last}")


def from_workloads(works: list[Manifest]) -> dict[Cell, Decimal]:
    held: dict[Cell, Decimal] = {}
    for work in works:
        if not is_true(work, "QuotaReserved"):
            continue
        for part in work["status"]["admission"]["podSetAssignments"]:
            for resource, amount in part["resourceUsage"].items():
                cell = (part["flavors"][resource], resource)
                held[cell] = held.get(cell, Decimal(0)) + exact(amount)
    return held


@pytest.mark.parametrize("seed", range(5))
def test_numbers_agree(cluster: HyperPod, seed: int, side_by_side: Callable[..., Any]) -> None:
    side_by_side(numbers)


def numbers(cluster: HyperPod, seed: int) -> None:
    c, number, rng = cluster, cluster.number(), random.Random(seed)
    for flavor in FLAVORS:
        c.flavor(flavor)
    tree = ("no cohort", "cohort", "cohort of cohorts")[seed % 3]
    if tree == "cohort of cohorts":
        c.cohort(f"root-{number}")
        c.cohort(f"left-{number}", f"root-{number}")
        c.cohort(f"right-{number}", f"root-{number}")
    cohorts: list[str | None] = {
        "no cohort": [None] * 3,
        "cohort": [f"pool-{number}"] * 3,
        "cohort of cohorts": [f"left-{number}", f"left-{number}", f"right-{number}"],
    }[tree]  # type: ignore[assignment]
    teams = [c.team(f"sum-{number}-{i}", 1, cohort=cohort, resource_groups=groups(rng, cohort is not None)) for i, cohort in enumerate(cohorts)]
    hands = Hands(c)
    for team in teams:
        for i in range(rng.randint(4, 9)):
            hands.submit(load(rng, team, i))
    settled(c, teams)
    for i, team in enumerate(teams):
        person = c.person(f"summer-{number}-{i}")
        subject = render_kubernetes.Subject("User", person.name)
        c.apply(*render_kubernetes.team([team.namespace], [team.queue], subject))
        with Product.opened(c, person, team.namespace) as panel:
            agrees(c, panel, team)


def agrees(c: HyperPod, panel: Product, team: Team) -> None:
    """Three reads one after another can straddle a late admission: what must hold is that they agree, not that Kueue stands still for them."""
    end = time.monotonic() + PATIENCE
    while True:
        seen = panel.look_without_discovery()
        queue, works = c.read(c.kueue_path("clusterqueues", "", team.queue)), c.workloads(team.namespace)
        try:
            compare(seen.shares().rows, queue, from_workloads(works))
            assert sum(t.state.value == "waiting" for t in seen.tasks) == queue["status"]["pendingWorkloads"]
            return
        except AssertionError:
            if time.monotonic() > end:
                raise
            time.sleep(1)


def compare(rows: Any, queue: Manifest, held: dict[Cell, Decimal]) -> None:
    status, spec = queue["status"], queue["spec"]
    reserved = {(f["name"], r["name"]): r for f in status["flavorsReservation"] for r in f["resources"]}
    quota = {(f["name"], r["name"]): r for g in spec["resourceGroups"] for f in g["flavors"] for r in f["resources"]}
    assert {(row.flavor, row.resource) for row in rows} == set(quota) == set(reserved)
    for row in rows:
        cell = (row.flavor, row.resource)
        assert Decimal(row.held) == exact(reserved[cell]["total"]) == held.get(cell, Decimal(0)), (cell, row)
        assert Decimal(row.nominal) == exact(quota[cell]["nominalQuota"])
        assert Decimal(row.borrowed) == exact(reserved[cell].get("borrowed", "0"))
        assert Decimal(row.unclaimed) == max(Decimal(0), Decimal(row.nominal) - Decimal(row.held))
        assert sum((Decimal(h.amount) for h in row.holders), Decimal(0)) == Decimal(row.held) and Decimal(row.not_attributed) == 0
        in_cohort = bool(spec.get("cohort") or spec.get("cohortName"))
        for shown, limit in ((row.may_borrow_up_to, "borrowingLimit"), (row.may_lend_up_to, "lendingLimit")):
            if in_cohort:
                assert (shown is None) == (limit not in quota[cell]) and (shown is None or Decimal(shown) == exact(quota[cell][limit]))
            else:
                assert shown == "0"


def test_cohort_sums_are_those_of_all_queues(cluster: HyperPod, side_by_side: Callable[..., Any]) -> None:
    side_by_side(sums_of_a_cohort)


def sums_of_a_cohort(cluster: HyperPod) -> None:
    c, number, rng = cluster, cluster.number(), random.Random(99)
    for flavor in FLAVORS:
        c.flavor(flavor)
    teams = [c.team(f"pooled-{number}-{i}", 1, cohort=f"pooled-{number}", resource_groups=groups(rng, True)) for i in range(3)]
    hands = Hands(c)
    for team in teams:
        for i in range(4):
            hands.submit(load(rng, team, i))
    settled(c, teams)
    person = c.person(f"cohort-{number}")
    subject = render_kubernetes.Subject("User", person.name)
    c.apply(*render_kubernetes.team([teams[0].namespace], [teams[0].queue], subject), *render_kubernetes.cohort_reader(subject))
    with Product.opened(c, person, teams[0].namespace, cohort_reads=True) as panel:
        seen = panel.look()
    assert seen.readings.cohort is not None and seen.readings.cohort.data is not None
    nominal: dict[Cell, Decimal] = {}
    held: dict[Cell, Decimal] = {}
    for team in teams:
        queue = c.read(c.kueue_path("clusterqueues", "", team.queue))
        for group in queue["spec"]["resourceGroups"]:
            for flavor in group["flavors"]:
                for r in flavor["resources"]:
                    cell = (flavor["name"], r["name"])
                    nominal[cell] = nominal.get(cell, Decimal(0)) + exact(r["nominalQuota"])
        for flavor in queue["status"]["flavorsReservation"]:
            for r in flavor["resources"]:
                cell = (flavor["name"], r["name"])
                held[cell] = held.get(cell, Decimal(0)) + exact(r["total"])
    sums = {(s.flavor, s.resource): s for s in seen.readings.cohort.data.sums}
    assert set(sums) == set(nominal)
    assert {cell: Decimal(s.nominal) for cell, s in sums.items()} == nominal
    assert {cell: Decimal(s.held) for cell, s in sums.items()} == held
    assert not any(team.name in repr(seen.readings.cohort.data) for team in teams)


def test_available_is_what_kueue_admits(cluster: HyperPod, side_by_side: Callable[..., Any]) -> None:
    side_by_side(available)


def available(cluster: HyperPod) -> None:
    """Under the cohort reader's rights the unclaimed rest of the whole tree is exact: one device more waits, that many are admitted."""
    c, number = cluster, cluster.number()
    pool, lender = f"exact-{number}", [{"coveredResources": ["cpu", GPU], "flavors": [{"name": FLAVORS[0], "resources": [
        {"name": "cpu", "nominalQuota": "40"}, {"name": GPU, "nominalQuota": "6", "lendingLimit": "4"}]}]}]  # fmt: skip
    mine = [{"coveredResources": ["cpu", GPU], "flavors": [{"name": FLAVORS[0], "resources": [
        {"name": "cpu", "nominalQuota": "40"}, {"name": GPU, "nominalQuota": "3", "borrowingLimit": "3"}]}]}]  # fmt: skip
    team, other = c.team(f"exact-{number}", 1, cohort=pool, resource_groups=mine), c.team(f"lends-{number}", 1, cohort=pool, resource_groups=lender)
    hands = Hands(c)
    hands.submit(tasks.job(other, "theirs", 1, template(requests={"cpu": "1", GPU: "4"})))
    hands.submit(tasks.job(team, "ours", 1, template(requests={"cpu": "1", GPU: "1"})))
    settled(c, [team, other])
    person = c.person(f"cohort-{number}")
    subject = render_kubernetes.Subject("User", person.name)
    c.apply(*render_kubernetes.team([team.namespace], [team.queue], subject), *render_kubernetes.cohort_reader(subject))

    def seen() -> int | None:
        view = panel.look_without_discovery().readings.cohort
        assert view is not None and view.data is not None and view.data.available is not None
        return view.data.available[(FLAVORS[0], GPU)]

    there = 4  # of 6 lent at most 4, of which they hold 2 beyond their local 2; 2 of ours unclaimed and 2 to borrow
    with Product.opened(c, person, team.namespace, cohort_reads=True) as panel:
        c.until(lambda: seen() == there, "what is available")  # the queues' own figures lag behind their Workloads
    hands.submit(tasks.job(team, "more", 1, template(requests={"cpu": "1", GPU: str(there + 1)})))
    hands.submit(tasks.job(team, "fits", 1, template(requests={"cpu": "1", GPU: str(there)})))
    c.until(lambda: is_true(c.workload_of(team.namespace, "fits"), "Admitted"), "what is available is admitted")
    assert not is_true(c.workload_of(team.namespace, "more"), "QuotaReserved")
