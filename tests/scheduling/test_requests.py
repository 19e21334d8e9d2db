"""Request arithmetic of one pod, a literal table (facts/kubernetes.md 1.5)."""

from __future__ import annotations

from typing import Any

import pytest

from hpgov_jlab.model.kubernetes import PodSpec, build
from hpgov_jlab.model.task import Amount
from hpgov_jlab.scheduling.requests import amounts, pod_demand, pod_set_facts, rewritten, workload_demand

from .frames import pod_set, workload


def box(requests: dict[str, str] | None = None, limits: dict[str, str] | None = None, **more: str) -> dict[str, Any]:
    return {"name": "c", "resources": {"requests": requests or {}, "limits": limits or {}}, **more}


def sidecar(requests: dict[str, str]) -> dict[str, Any]:
    return box(requests, restartPolicy="Always")


PODS: list[tuple[str, dict[str, Any], dict[str, int]]] = [
    ("sum of containers", {"containers": [box({"cpu": "1500m", "memory": "1Gi"}), box({"cpu": "0.5"})]}, {"cpu": 2000, "memory": 1073741824}),
    ("limits stand in", {"containers": [box({"cpu": "1"}, {"cpu": "4", "nvidia.com/gpu": "8"})]}, {"cpu": 1000, "nvidia.com/gpu": 8}),
    ("init maximum", {"containers": [box({"cpu": "2"})], "initContainers": [box({"cpu": "3"}), box({"cpu": "1", "memory": "1"})]}, {"cpu": 3000, "memory": 1}),
    ("sidecar before an init container", {"containers": [box({"cpu": "1"})], "initContainers": [sidecar({"cpu": "2"}), box({"cpu": "5"})]}, {"cpu": 7000}),
    ("sidecar after an init container", {"containers": [box({"cpu": "4"})], "initContainers": [box({"cpu": "5"}), sidecar({"cpu": "2"})]}, {"cpu": 6000}),
    ("two sidecars", {"containers": [box({"cpu": "1"})], "initContainers": [sidecar({"cpu": "1"}), sidecar({"cpu": "1"}), box({"cpu": "2"})]}, {"cpu": 4000}),
    ("overhead", {"containers": [box({"cpu": "1"})], "overhead": {"cpu": "250m", "memory": "64Mi"}}, {"cpu": 1250, "memory": 67108864}),
    (
        "pod level wins",
        {"containers": [box({"cpu": "9", "nvidia.com/gpu": "1"})], "resources": {"requests": {"cpu": "4", "nvidia.com/gpu": "5"}}},
        {"cpu": 4000, "nvidia.com/gpu": 1},
    ),
    ("pod level and overhead", {"containers": [box({"cpu": "1"})], "resources": {"limits": {"cpu": "4"}}, "overhead": {"cpu": "1"}}, {"cpu": 5000}),
    ("rounded once per pod", {"containers": [box({"cpu": "400u", "memory": "100m"}), box({"cpu": "400u", "memory": "100m"})]}, {"cpu": 1, "memory": 1}),
    (
        "MIG, Neuron and EFA apart",
        {"containers": [box({"nvidia.com/mig-1g.10gb": "2", "aws.amazon.com/neuron": "16", "vpc.amazonaws.com/efa": "32"})]},
        {"nvidia.com/mig-1g.10gb": 2, "aws.amazon.com/neuron": 16, "vpc.amazonaws.com/efa": 32},
    ),
    ("nothing", {"containers": [{"name": "c"}]}, {}),
]


@pytest.mark.parametrize(("spec", "units"), [row[1:] for row in PODS], ids=[row[0] for row in PODS])
def test_pod(spec: dict[str, Any], units: dict[str, int]) -> None:
    assert pod_demand(build(spec, PodSpec)).units == units
    assert pod_demand(build(spec, PodSpec)).unknown == ()


def test_what_cannot_be_counted_is_named() -> None:
    assert pod_demand(build({"runtimeClassName": "kata", "containers": []}, PodSpec)).unknown == ("request_overhead_not_read",)
    assert pod_demand(build({"runtimeClassName": "kata", "overhead": {"cpu": "1"}, "containers": []}, PodSpec)).unknown == ()
    assert pod_demand(build({"resourceClaims": [{"name": "gpu"}], "containers": []}, PodSpec)).unknown == ("request_claims_not_counted",)
    broken = pod_demand(build({"containers": [box({"cpu": "1K"})]}, PodSpec))
    assert (broken.units, broken.unknown) == ({}, ("request_quantity_unreadable",))


def test_kueues_own_figures_win_and_rewriting_shows() -> None:
    sets = [pod_set(3, cpu="1", gpu="2")]
    plain = workload(podSets=sets)
    assert (workload_demand(plain).source, workload_demand(plain).total(), rewritten(plain)) == ("computed", {"cpu": 3000, "nvidia.com/gpu": 6}, None)
    same = workload(podSets=sets, status={"resourceRequests": [{"name": "main", "resources": {"cpu": "3", "nvidia.com/gpu": "6"}}]})
    assert (workload_demand(same).source, rewritten(same)) == ("kueue", ())
    other = workload(podSets=sets, status={"resourceRequests": [{"name": "main", "resources": {"cpu": "3", "example.com/credits": "60"}}]})
    assert workload_demand(other).total() == {"cpu": 3000, "example.com/credits": 60}
    assert rewritten(other) == ("example.com/credits", "nvidia.com/gpu")


def test_reclaimed_pods_are_taken_off() -> None:
    found = workload(podSets=[pod_set(5, gpu="8")], status={"reclaimablePods": [{"name": "main", "count": 2}]})
    assert (workload_demand(found).pods, workload_demand(found).total()) == (3, {"nvidia.com/gpu": 24})
    more = workload(podSets=[pod_set(2, gpu="8")], status={"reclaimablePods": [{"name": "main", "count": 9}]})  # kueue 14609: stale
    assert workload_demand(more).total() == {"nvidia.com/gpu": 0}


def test_amounts_scarce_first_and_no_zeros() -> None:
    units = {"memory": 1, "cpu": 1500, "ephemeral-storage": 0, "vpc.amazonaws.com/efa": 4, "nvidia.com/gpu": 8, "hugepages-2Mi": 2}
    assert amounts(units) == (
        Amount("nvidia.com/gpu", "8"),
        Amount("vpc.amazonaws.com/efa", "4"),
        Amount("cpu", "1.5"),
        Amount("memory", "1"),
        Amount("hugepages-2Mi", "2"),
    )
    (fact,) = pod_set_facts(workload_demand(workload(podSets=[{**pod_set(4, cpu="250m"), "minCount": 2}])))
    assert (fact.name, fact.count, fact.min_count, fact.per_pod) == ("main", 4, 2, (Amount("cpu", "0.25"),))
