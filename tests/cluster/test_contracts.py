"""Contract states and the namespaces that they open, on a real cluster, as two people (issue 4, point 2; DESIGN.md 6; S4)."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.testbed import roles, tasks
from tests.testbed.hands import Hands
from tests.testbed.hyperpod import HyperPod, Team
from tests.testbed.tasks import template

from . import tables
from .conftest import VERSIONS
from .product import Product, Seen, ours

PEOPLE = ("official role", "cluster-wide reader")
APPROVED = {"status": "approved", "approved_by": "Dana Example", "approved_on": "2026-01-10"}
ROWS: dict[tuple[str, str, str], list[str]] = {}  # record, person, Kueue


@dataclass(frozen=True)
class Kept:
    """Where records about this case stand: an annotation on the own namespace, a file in the project folder."""

    annotation: dict[str, Any] | None = None
    file: dict[str, Any] | None = None
    two: bool = False  # the trait names the other team's namespace as well


def record(*namespaces: str, **lifecycle: str) -> dict[str, Any]:
    return {
        "apiVersion": "hpgov/v1", "kind": "ConnectionContract", "record": "https://wiki.example.com/1", "owners": {"business": {"name": "Dana Example"}},
        "scope": {"namespaces": list(namespaces)}, "lifecycle": {**APPROVED, **lifecycle},
    }  # fmt: skip


CASES: dict[str, Callable[[str, str], Kept]] = {
    "in scope": lambda mine, theirs: Kept(record(mine)),
    "none on record": lambda mine, theirs: Kept(),
    "expired": lambda mine, theirs: Kept(record(mine, until="2026-02-01")),
    "revoked": lambda mine, theirs: Kept(record(mine, status="revoked")),
    "self-declared, another team's namespace": lambda mine, theirs: Kept(file=record(theirs)),
    "self-declared and revoked": lambda mine, theirs: Kept(file=record(mine, status="revoked")),
    "two namespaces, one readable": lambda mine, theirs: Kept(two=True),
}


def pair(c: HyperPod) -> tuple[Team, Team]:
    number = c.number()
    mine, theirs = c.team(f"mine-{number}", 1, cohort=None), c.team(f"theirs-{number}", 1, cohort=None)
    for team in (mine, theirs):
        Hands(c).submit(tasks.job(team, f"job-of-{team.name}", 1, template(1, "1", "1Gi")))
    return mine, theirs


@pytest.mark.parametrize("who", PEOPLE)
@pytest.mark.parametrize("case", CASES)
def test_contract(cluster: HyperPod, case: str, who: str, side_by_side: Callable[..., Any]) -> None:
    ROWS[(case, who, cluster.kueue_version or "")] = side_by_side(play)


def play(cluster: HyperPod, case: str, who: str) -> list[str]:
    with tempfile.TemporaryDirectory(prefix="hpgov-project-") as folder:
        return row(cluster, case, who, Path(folder))


def row(c: HyperPod, case: str, who: str, folder: Path) -> list[str]:
    mine, theirs = pair(c)
    person = c.member(mine, f"member-{c.number()}") if who == "official role" else c.person(f"reader-{c.number()}")
    if who != "official role":
        c.grant(person.name, roles.cluster_reader(), person)
    kept = CASES[case](mine.namespace, theirs.namespace)
    if kept.annotation is not None:
        c.patch(f"/api/v1/namespaces/{mine.namespace}", {"metadata": {"annotations": {"hpgov/contract": json.dumps(kept.annotation)}}})
    (folder / ".hpgov/contracts").mkdir(parents=True)
    if kept.file is not None:
        (folder / ".hpgov/contracts/a.json").write_text(json.dumps(kept.file))
    names = [mine.namespace, *([theirs.namespace] if kept.two else [])]
    with Product.opened(c, person, *names, project_folder=str(folder)) as panel:
        seen = c.until(lambda: rows_settled(panel), "a look with nothing pending")
    view = seen.readings.contract.view
    read = {n.name: n.why_not.code if n.why_not else "read" for n in seen.readings.contract.namespaces}
    names_of = {mine.namespace: "own", theirs.namespace: "other"}
    workloads = {n.name: n.workloads.last.state.value for n in seen.readings.namespaces if n.workloads is not None}
    in_theirs = [r for r in ours(c) if r.user == person.name and (r.namespace == theirs.namespace or r.name == theirs.namespace)]
    asked = sorted({f"{r.verb} {r.resource}" for r in in_theirs})
    tasks_of = sorted(t.name.replace(mine.name, "own").replace(theirs.name, "other") for t in seen.tasks)
    found = [
        view.standing.value, ("platform" if view.platform else "self-declared") if view.standing.value != "none" else "",
        "; ".join(f"{names_of[n]}: {why}" for n, why in read.items()), "; ".join(f"{names_of[n]}: {state}" for n, state in workloads.items()),
        ", ".join(tasks_of) or "none",
        "the team's reads" if asked else "nothing",
    ]  # fmt: skip
    if (
        case == "self-declared, another team's namespace"
    ):  # S4: one review (which names no namespace in the log) and nothing else, also for who could read everything
        assert asked == []
        assert not any("other" in name for name in tasks_of)
    if case == "revoked":
        assert seen.tasks == [] and workloads == {}
    if case == "in scope":
        assert view.platform and view.standing.value == "in_force" and tasks_of == ["job-of-own"]
    if case == "two namespaces, one readable" and who == "official role":
        assert workloads == {mine.namespace: "ok", theirs.namespace: "denied"} and tasks_of == ["job-of-own"]
    return found


def rows_settled(panel: Product) -> Seen | None:
    seen = panel.look_without_discovery()
    return None if any(outcome.state.value == "pending" for outcome in seen.outcomes.values()) or (seen.readings.namespaces and not seen.tasks) else seen


def test_table() -> None:
    if len(ROWS) < len(CASES) * len(PEOPLE) * len(VERSIONS):
        pytest.skip("not every case was run")
    rows = []
    for case in CASES:
        for who in PEOPLE:
            cells = {version: ROWS[(case, who, version)] for version in VERSIONS}
            if cells[VERSIONS[0]] == cells[VERSIONS[1]]:
                rows.append([case, who, "both", *cells[VERSIONS[0]]])
            else:
                rows += [[case, who, version, *cells[version]] for version in VERSIONS]
    text = "The last column is what the API server's audit log holds of this person in the other team's namespace."
    head = ("record", "person", "Kueue", "standing", "kind", "namespaces", "Workloads", "tasks shown", "asked in the other namespace")
    tables.check("contracts.md", tables.markdown("Contract states on a real cluster", text, head, rows))
