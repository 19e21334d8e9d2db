"""A real Kubernetes with Kueue 0.19.2 (tests/testbed) for a bench: built before, put up in some seconds, ended with the bench.

Its servers are processes of their own. Whoever watches is a person with the manifest *team* and nothing else, signed in by a kubeconfig.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from hpgov_jlab.policy import render_kubernetes
from tests.testbed import build
from tests.testbed.hyperpod import P5_ALLOCATABLE, HyperPod, Team
from tests.testbed.webhooks import Person

from .measure import NotHere
from .servers import ROOT

KUEUE = "0.19.2"
AGENT = "hpgov-jlab"
"""How the product's User-Agent begins (DESIGN.md 5)."""
ID = "kubeconfig"
"""The id of the one connection that a kubeconfig gives."""


@contextmanager
def real_cluster() -> Iterator[HyperPod]:
    """With fake nodes that have room for everything. Raises NotHere where the testbed is not built."""
    try:
        out = build.find()
    except build.NotBuilt as error:
        raise NotHere(str(error)) from None
    with tempfile.TemporaryDirectory(prefix="hpgov-bench-cluster-") as work, HyperPod(out, Path(work), kueue=KUEUE, nodes=True) as cluster:
        cluster.flavor()
        for name, value in (("urgent", 100), ("training", 75), ("experiment", 50)):
            cluster.priority(name, value)
        for number in range(20):
            cluster.node(f"node-{number}", allocatable={**P5_ALLOCATABLE, "nvidia.com/gpu": "64", "pods": "1000"})
        yield cluster


def watched_team(cluster: HyperPod, name: str, nodes: int) -> Team:
    """A team whose members have what the manifest *team* gives."""
    team = cluster.team(name, nodes, cohort=None, official_role=False)
    cluster.apply(*render_kubernetes.team([team.namespace], [team.queue], render_kubernetes.Subject("Group", team.group)))
    return team


def member(cluster: HyperPod, name: str, *teams: Team) -> Person:
    return cluster.person(name, *(team.group for team in teams))


def sign_in(cluster: HyperPod, person: Person, folder: Path, *teams: Team) -> dict[str, Any]:
    """Writes a kubeconfig into `folder`; the settings that an administrator would write."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "kubeconfig"
    document = {
        "apiVersion": "v1", "kind": "Config", "current-context": "c", "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
        "clusters": [{"name": "c", "cluster": {"server": cluster.url, "certificate-authority-data": cluster.ca}}],
        "users": [{"name": "u", "user": {"token": person.token}}],
    }  # fmt: skip
    file.write_text(yaml.safe_dump(document))
    file.chmod(0o600)
    return {"kubeconfig": str(file), "place": "elsewhere", "namespaces": [team.namespace for team in teams]}


def environment() -> dict[str, str]:
    """Of a server process that also finds a source tree that is not installed."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in (str(ROOT), os.environ.get("PYTHONPATH")) if p)}


def cpu_seconds(pid: int) -> float:
    """Processor time that a process has used, as Linux tells it."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
