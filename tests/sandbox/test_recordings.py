"""The committed recordings hold what the sandbox promises, and are of today's manifests: else record anew (python -m hpgov_jlab.sandbox.record)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hpgov_jlab.contracts.record import ANNOTATION, from_annotation, parse
from hpgov_jlab.policy import render_kubernetes
from hpgov_jlab.sandbox.record import NAMES, RECORDINGS

LIMIT = 1_500_000
STORIES = [name for name, kueue in NAMES.items() if kueue]


def raw(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((RECORDINGS / f"{name}.json").read_text())
    return found


@pytest.mark.parametrize("name", NAMES)
def test_shape(name: str) -> None:
    found = raw(name)
    assert (RECORDINGS / f"{name}.json").stat().st_size < LIMIT
    assert found["format"] == 1 and found["name"] == name and found["kueue"] == NAMES[name]
    at = [frame["at"] for frame in found["frames"]]
    assert at == sorted(at) and at[0] == 0 and at[-1] <= found["length"]
    assert found["frames"][0]["say"]
    objects = [(key, o) for frame in found["frames"] for key, items in frame["upserts"].items() for o in items]
    assert not [o["metadata"]["name"] for key, o in objects if "managedFields" in o["metadata"] and key != "core/v1/namespaces"]
    assert all(o["kind"] and o["apiVersion"] for _, o in objects)
    assert not [o["metadata"]["namespace"] for _, o in objects if not o["metadata"].get("namespace", "hyperpod-ns-").startswith("hyperpod-ns-")]


@pytest.mark.parametrize("name", NAMES)
def test_rights_are_the_published_ones(name: str) -> None:
    """The groups hyperpod-ns-<team>-hpgov-group hold exactly the manifest *team* of today."""
    first = raw(name)["frames"][0]["upserts"]
    kept = {}
    for plural in ("roles", "rolebindings", "clusterroles", "clusterrolebindings"):
        for o in first[f"rbac.authorization.k8s.io/v1/{plural}"]:
            kept[(o["kind"], o["metadata"].get("namespace"), o["metadata"]["name"])] = {k: o.get(k) for k in ("rules", "roleRef", "subjects")}
    for team in ("production", "research"):
        ns = f"hyperpod-ns-{team}"
        for document in render_kubernetes.team([ns], [f"{ns}-clusterqueue"], render_kubernetes.Subject("Group", f"{ns}-hpgov-group")):
            at = (document["kind"], document["metadata"].get("namespace"), document["metadata"]["name"])
            assert kept[at] == {k: document.get(k) for k in ("rules", "roleRef", "subjects")}, f"{at} changed: record anew"
        assert any(s["name"] == f"{ns}-namespace-level-group" for kept_one in kept.values() for s in kept_one["subjects"] or ())


@pytest.mark.parametrize("name", STORIES)
def test_a_namespace_bears_a_contract(name: str) -> None:
    """On production's, written as an administrator writes one; the API server says by whom, and that is what the product shows as its version."""
    namespaces = {o["metadata"]["name"]: o["metadata"] for o in raw(name)["frames"][0]["upserts"]["core/v1/namespaces"]}
    assert "annotations" not in namespaces["hyperpod-ns-research"]
    production = namespaces["hyperpod-ns-production"]
    parsed = parse(from_annotation(production["name"], production["annotations"][ANNOTATION], "kubectl-annotate", None))
    assert parsed.problems == () and parsed.text("record") == "https://wiki.example.com/hyperpod/contracts/production-ml-research"
    wrote = [m["manager"] for m in production["managedFields"] if f"f:{ANNOTATION}" in m["fieldsV1"].get("f:metadata", {}).get("f:annotations", {})]
    assert wrote == ["kubectl-annotate"]


@pytest.mark.parametrize("name", STORIES)
def test_the_story_is_told(name: str) -> None:
    """Borrowing, reclaim, preemption, waiting, never, no node, failure, deactivation, in both versions where both are served."""
    found = raw(name)
    versions = ("v1beta1",) if name == "story-0.12" else ("v1beta2", "v1beta1")
    for version in versions:
        reasons, last = set(), {}
        for frame in found["frames"]:
            for o in frame["upserts"].get(f"kueue.x-k8s.io/{version}/workloads", ()):
                last[o["metadata"]["name"]] = o
                reasons |= {c["reason"] for c in o.get("status", {}).get("conditions", ()) if c["status"] == "True"}
        assert {"InCohortReclamation", "InClusterQueue", "Succeeded", "Failed"} <= reasons
        assert any(o["spec"].get("active") is False for o in last.values())
        assert 10 <= len(last) <= 30
        queues = [q for frame in found["frames"] for q in frame["upserts"].get(f"kueue.x-k8s.io/{version}/clusterqueues", ())]
        assert any(r["borrowed"] != "0" for q in queues for f in q["status"].get("flavorsReservation", ()) for r in f["resources"])
    kinds = {key.rsplit("/", 1)[1] for key in found["frames"][-1]["upserts"]} | {key.rsplit("/", 1)[1] for frame in found["frames"] for key in frame["upserts"]}
    assert {
        "jobs",
        "pytorchjobs",
        "rayjobs",
        "jobsets",
        "mpijobs",
        "deployments",
        "workspaces",
        "hyperpodpytorchjobs",
        "inferenceendpointconfigs",
        "pods",
        "events",
    } <= kinds
    assert any("Unschedulable" in json.dumps(p.get("status")) for frame in found["frames"] for p in frame["upserts"].get("core/v1/pods", ()))
    assert (name == "story") == any(frame["visibility"] for frame in found["frames"])
