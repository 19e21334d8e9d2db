"""Share rows, queue facts, the card's row and a cohort's nameless sums, with literal figures."""

from __future__ import annotations

import math
from typing import Any

import pytest

from hpgov_jlab.model.kubernetes import build
from hpgov_jlab.model.kueue import ClusterQueue, Cohort, LocalQueue, Workload
from hpgov_jlab.model.share import CohortSum, KueueShareRow
from hpgov_jlab.scheduling.cohort import cohort_view
from hpgov_jlab.scheduling.share import HOLDERS, _longest, glance, queue_facts, share_of
from hpgov_jlab.scheduling.states import Team

from .frames import check_phrase, cluster_queue, pod_set, recorded, workload

GPU = "nvidia.com/gpu"


def holding(
    name: str, since: str, usage: dict[str, str], *, kind: str = "Job", owner: str | None = None, reclaimed: int = 0, count: int = 1, finished: bool = False
) -> Workload:
    conditions = [{"type": "QuotaReserved", "status": "True", "reason": "QuotaReserved", "lastTransitionTime": since}]
    conditions += [{"type": "Finished", "status": "True", "reason": "Succeeded"}] if finished else []
    assignment = {"name": "main", "flavors": dict.fromkeys(usage, "p5"), "resourceUsage": usage, "count": count}
    return workload(
        name,
        conditions=conditions,
        status={"admission": {"clusterQueue": "cq", "podSetAssignments": [assignment]}, "reclaimablePods": [{"name": "main", "count": reclaimed}]},
        metadata={"ownerReferences": [{"kind": kind, "name": owner or name, "uid": f"o-{name}", "controller": True}]},
        podSets=[pod_set(count)],
    )


QUOTAS = {
    "p5": {
        "memory": {"nominalQuota": "2Ti", "borrowingLimit": "1Ti", "lendingLimit": "512Gi"},
        "cpu": {"nominalQuota": "96500m", "borrowingLimit": "0"},
        GPU: {"nominalQuota": "8"},
        "vpc.amazonaws.com/efa": {"nominalQuota": "32"},
    }
}
HELD = {"p5": {"memory": "2560Gi", "cpu": "64250m", GPU: "7", "vpc.amazonaws.com/efa": "0"}}


def status_with_borrowed() -> ClusterQueue:
    reservation = [
        {"name": "p5", "resources": [{"name": name, "total": total, "borrowed": "512Gi" if name == "memory" else "0"} for name, total in HELD["p5"].items()]}
    ]
    flavors = [{"name": "p5", "resources": [{"name": name, **quota} for name, quota in QUOTAS["p5"].items()]}]
    spec = {"cohortName": "pool", "resourceGroups": [{"coveredResources": list(QUOTAS["p5"]), "flavors": flavors}]}
    return build({"metadata": {"name": "cq"}, "spec": spec, "status": {"flavorsReservation": reservation, "flavorsUsage": reservation}}, ClusterQueue)


def test_rows() -> None:
    found = (
        holding("young", "2026-11-30T08:05:00Z", {GPU: "2", "cpu": "250m"}),
        holding("old", "2026-11-30T08:00:00Z", {GPU: "4", "cpu": "64"}, count=4),
        holding("pod-workspace-ana-1", "2026-11-30T08:02:00Z", {GPU: "1"}, kind="Pod", owner="workspace-ana-1"),
        holding("done", "2026-11-30T07:00:00Z", {GPU: "8"}, finished=True),
    )
    share = share_of(status_with_borrowed(), [Team("team", found)])
    rows = {row.resource: row for row in share.rows}
    assert [row.resource for row in share.rows] == [GPU, "vpc.amazonaws.com/efa", "cpu", "memory"]
    gpu = rows[GPU]
    assert (gpu.nominal, gpu.held, gpu.admitted, gpu.borrowed, gpu.unclaimed, gpu.not_attributed) == ("8", "7", "7", "0", "1", "0")
    assert (gpu.may_borrow_up_to, gpu.may_lend_up_to, gpu.in_cohort) == (None, None, True)
    assert [(holder.name, holder.amount, holder.is_space) for holder in gpu.holders] == [
        ("old", "4", False),
        ("workspace-ana-1", "1", True),
        ("young", "2", False),
    ]
    cpu = rows["cpu"]
    assert (cpu.nominal, cpu.held, cpu.unclaimed, cpu.may_borrow_up_to) == ("96.5", "64.25", "32.25", "0")
    memory = rows["memory"]
    assert (memory.nominal, memory.held, memory.borrowed, memory.unclaimed) == ("2199023255552", "2748779069440", "549755813888", "0")
    assert (memory.may_borrow_up_to, memory.may_lend_up_to, memory.not_attributed) == ("1099511627776", "549755813888", "2748779069440")
    assert [note.code for note in share.notes] == ["share_not_attributed"]


def test_holders_not_readable_is_not_no_holders() -> None:
    share = share_of(cluster_queue(QUOTAS, HELD), [Team("team", None)])
    assert {row.not_attributed for row in share.rows} == {None}
    assert [(note.code, note.params) for note in share.notes] == [("share_holders_not_readable", {"namespaces": "team"})]
    assert {row.not_attributed for row in share_of(cluster_queue(QUOTAS, HELD)).rows} == {None}


def test_reclaimed_pods_hold_nothing() -> None:
    found = holding("a", "2026-11-30T08:00:00Z", {GPU: "8", "cpu": "8"}, count=4, reclaimed=3)
    (gpu, *_) = share_of(cluster_queue({"p5": {GPU: {"nominalQuota": "8"}}}, {"p5": {GPU: "2"}}), [Team("team", (found,))]).rows
    assert [(holder.amount) for holder in gpu.holders] == ["2"]
    assert gpu.not_attributed == "0"


def test_lagging_status_is_said() -> None:
    found = holding("a", "2026-11-30T08:00:00Z", {GPU: "8"})
    share = share_of(cluster_queue({"p5": {GPU: {"nominalQuota": "8"}}}, {"p5": {GPU: "0"}}), [Team("team", (found,))])
    assert (share.rows[0].held, share.rows[0].not_attributed, [note.code for note in share.notes]) == ("0", None, ["share_status_lags"])


def test_while_the_status_lags_no_difference_is_said_to_be_somebody_elses() -> None:
    """A task was admitted and another one ended since the status was written: one row tells less than is held, another one more. Both for one reason."""
    found = holding("new", "2026-11-30T08:00:00Z", {GPU: "8", "cpu": "1", "memory": "1Gi"})
    held = {GPU: "4", "cpu": "16", "memory": "1Gi"}
    quotas = {name: {"nominalQuota": "64"} for name in held}
    share = share_of(cluster_queue({"p5": quotas}, {"p5": held}), [Team("team", (found,))])
    assert [(note.code, note.params) for note in share.notes] == [("share_status_lags", {"queue": "cq"})]
    assert {row.resource: row.not_attributed for row in share.rows} == {GPU: None, "cpu": None, "memory": "0"}, "what is in order stands"
    assert [row.held for row in share.rows] == ["4", "16", "1073741824"], "the queue's own figures stay"
    caught_up = share_of(cluster_queue({"p5": quotas}, {"p5": {**held, GPU: "8"}}), [Team("team", (found,))])
    assert [note.code for note in caught_up.notes] == ["share_not_attributed"] and [row.not_attributed for row in caught_up.rows] == ["0", "15", "0"]


def test_without_cohort_nothing_is_borrowed_or_lent() -> None:
    (row, *_) = share_of(cluster_queue({"p5": {GPU: {"nominalQuota": "8"}}}, {"p5": {GPU: "9"}}, cohort=None)).rows
    assert (row.in_cohort, row.borrowed, row.may_borrow_up_to, row.may_lend_up_to) == (False, "0", "0", "0")


def test_negative_use_and_unreported_rows() -> None:
    (row,) = share_of(cluster_queue({"p5": {GPU: {"nominalQuota": "8"}}}, {"p5": {GPU: "-1"}})).rows  # kueue 12897
    assert (row.held, row.unclaimed) == ("-1", "9")
    empty = share_of(cluster_queue(QUOTAS))
    assert (empty.rows, [(note.code, note.params["rows"]) for note in empty.notes]) == ((), [("share_not_reported", 4)])


def test_unreadable_quantity_makes_no_row() -> None:
    share = share_of(cluster_queue({"p5": {GPU: {"nominalQuota": "many"}}}, {"p5": {GPU: "1"}}))
    assert (share.rows, [note.code for note in share.notes]) == ((), ["share_quantity_unreadable"])


def test_local_queue_alone_invents_nothing() -> None:
    local = build({"metadata": {"name": "lq"}, "spec": {"clusterQueue": "cq"}, "status": {"pendingWorkloads": 2, "reservingWorkloads": 1}}, LocalQueue)
    share = share_of(None, [], [local])
    assert (share.rows, [(note.code, note.params) for note in share.notes]) == ((), [("share_nominal_not_known", {"queue": "cq"})])
    facts = queue_facts(None, local)
    assert (facts.cluster_queue, facts.cluster_queue_by_rule, facts.pending, facts.strategy, facts.cohort) == ("cq", False, 2, None, None)
    assert share_of(None).notes == ()


def test_queue_facts() -> None:
    facts = queue_facts(cluster_queue(QUOTAS, HELD), None, cluster_queue="ignored", local_queue="hyperpod-ns-a-localqueue")
    assert (facts.cluster_queue, facts.cluster_queue_by_rule, facts.local_queue, facts.local_queue_by_rule) == ("cq", False, "hyperpod-ns-a-localqueue", True)
    assert (facts.active, facts.strategy, facts.within_queue, facts.reclaim, facts.borrow_preempts, facts.fair_weight) == (
        True,
        "BestEffortFIFO",
        "Never",
        "Never",
        "Never",
        "1",
    )
    nothing = queue_facts(None, None, cluster_queue="by-rule")
    assert (nothing.cluster_queue, nothing.cluster_queue_by_rule, nothing.active, nothing.pending, nothing.stop_policy) == ("by-rule", True, None, None, None)
    stopped = queue_facts(cluster_queue(QUOTAS, stopPolicy="Hold", fairSharing={"weight": "1500m"}, preemption={"reclaimWithinCohort": "Any"}), None)
    assert (stopped.active, stopped.fair_weight, stopped.reclaim) == (False, "1.5", "Any")
    assert stopped.not_active_reason is not None
    check_phrase(stopped.not_active_reason)


@pytest.mark.parametrize("version", ["0.19.2", "0.12.10"])
def test_both_versions_are_one_shape(version: str) -> None:
    facts = queue_facts(build(recorded(version)["story:b"]["cq"], ClusterQueue), None)
    assert (facts.cohort, facts.reclaim, facts.within_queue, facts.active, facts.admitted) == ("shared-pool", "Any", "LowerPriority", True, 1)


def row(resource: str, nominal: str, held: str) -> KueueShareRow:
    return KueueShareRow("kueue", "f", resource, nominal, held, None, "0", "0", None, None, True)


GLANCE = [
    ([row("cpu", "100", "99"), row(GPU, "8", "2"), row("nvidia.com/mig-1g.10gb", "7", "6")], "nvidia.com/mig-1g.10gb"),
    ([row("cpu", "100", "1"), row("memory", "1", "1")], "cpu"),
    ([row("vpc.amazonaws.com/efa", "32", "32"), row(GPU, "8", "0")], GPU),
    ([row(GPU, "0", "0"), row("aws.amazon.com/neuron", "16", "0")], "aws.amazon.com/neuron"),
    ([row(GPU, "0", "4"), row("aws.amazon.com/neuron", "16", "16")], GPU),  # all of it borrowed
    ([row("aws.amazon.com/neuron", "4", "2"), row(GPU, "8", "4")], GPU),  # alike: the larger share
    ([row(GPU, "9007199254740993", "9007199254740992"), row("aws.amazon.com/neuron", "9007199254740993", "9007199254740993")], "aws.amazon.com/neuron"),
    ([row("cpu", "100", "1"), row(GPU, "0", "0")], "cpu"),  # a flavour without any accelerator of the team
    ([], None),
]


@pytest.mark.parametrize(("rows", "resource"), GLANCE)
def test_glance(rows: list[KueueShareRow], resource: str | None) -> None:
    found = glance(rows)
    assert (found.resource if found else None) == resource


# -- cohort ---------------------------------------------------------------------------------------------------------------------------------
def named(name: str, cohort: str | None, quota: dict[str, str], used: str, resource: str = GPU) -> ClusterQueue:
    value: dict[str, Any] = {
        "metadata": {"name": name},
        "spec": {
            "cohortName": cohort,
            "resourceGroups": [{"coveredResources": [resource], "flavors": [{"name": "p5", "resources": [{"name": resource, **quota}]}]}],
        },
        "status": {"flavorsReservation": [{"name": "p5", "resources": [{"name": resource, "total": used}]}]},
    }
    return build(value, ClusterQueue)


def test_cohort_sums_are_nameless() -> None:
    queues = [
        named("mine", "left", {"nominalQuota": "8", "borrowingLimit": "100"}, "4"),
        named("MARKER-a", "left", {"nominalQuota": "8"}, "10"),
        named("MARKER-b", "MARKER-right", {"nominalQuota": "16", "lendingLimit": "4"}, "2"),
        named("MARKER-c", None, {"nominalQuota": "99"}, "0"),
    ]
    root = {
        "metadata": {"name": "root"},
        "spec": {"resourceGroups": [{"coveredResources": [GPU], "flavors": [{"name": "p5", "resources": [{"name": GPU, "nominalQuota": "2"}]}]}]},
    }
    cohorts = [build(root, Cohort), *(build({"metadata": {"name": name}, "spec": {"parentName": "root"}}, Cohort) for name in ("left", "MARKER-right"))]
    view = cohort_view("mine", queues, cohorts)
    assert view.sums == (CohortSum("left", "p5", GPU, "16", "14", 2), CohortSum("left (+1)", "p5", GPU, "34", "16", 3))
    assert "MARKER" not in repr(view)
    # left: 16, held 14; root: 2 of its own and the 4 that right lends
    assert view.available == {("p5", GPU): 8} and view.potential == {("p5", GPU): 22}


def test_cohort_of_an_older_version_and_an_implicit_one() -> None:
    queues = [named("mine", "pool", {"nominalQuota": "8"}, "0"), named("other", "pool", {"nominalQuota": "8"}, "3")]
    view = cohort_view("mine", queues, [build({"metadata": {"name": "pool"}, "spec": {"parent": "top"}}, Cohort)])
    assert [(found.cohort, found.nominal, found.held) for found in view.sums] == [("pool", "16", "3"), ("pool (+1)", "16", "3")]
    assert [found.cohort for found in cohort_view("mine", queues, []).sums] == ["pool"]


def test_no_cohort_a_circle_and_a_bad_quantity() -> None:
    assert cohort_view("mine", [named("mine", None, {"nominalQuota": "1"}, "0")], []).sums == ()
    assert cohort_view("absent", [], []).problem is None
    circle = [build({"metadata": {"name": a}, "spec": {"parentName": b}}, Cohort) for a, b in (("x", "y"), ("y", "x"))]
    assert cohort_view("mine", [named("mine", "x", {"nominalQuota": "1"}, "0")], circle).problem == "cohort_cycle"
    assert cohort_view("mine", [named("mine", "x", {"nominalQuota": "lots"}, "0")], []).problem == "quantity_malformed"


def test_of_many_holders_the_longest_are_named_and_the_own_ones_always() -> None:
    holding = [(float(1000 - n), f"uid-{n:04}", "Job", f"job-{n}", 2, False, n == 3) for n in range(500)]
    named = _longest("nvidia.com/gpu", holding)
    assert len(named) == HOLDERS + 1 and named[0].name == "job-499" and named[-1].name == "job-3" and named[-1].mine
    assert [h.since for h in named[:HOLDERS]] == sorted(h.since or 0 for h in named[:HOLDERS]) and {h.amount for h in named} == {"2"}
    assert len(_longest("cpu", holding[:HOLDERS])) == HOLDERS
    assert _longest("cpu", [(math.inf, "u", "Job", "j", 500, False, None)])[0].since is None, "not told is not the beginning of time"
