"""What real clients and daemons printed, release by release and data_parser by data_parser, against what we make of it.

Recorded on Slurm 22.05.8 and 24.11.5 as alice (who sees her own) and opal (an operator, who sees everybody's); see facts on how. The expected results were
read through by eye once; `python -m tests.slurm.test_golden` writes them anew.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from hpgov_jlab.model.slurm import SlurmOwn
from hpgov_jlab.sources.slurm import newest, reads, scontrol
from hpgov_jlab.sources.slurm.adapters import ADAPTERS

from .fakes import RECORDED, at, fetched, replay

GOLDEN = Path(__file__).parent / "golden"
OWN = SlurmOwn("alice", ("research-nlp", "research-vision"), ("low", "normal", "research", "scavenge", "tiny"), ("alice",))
UIDS = {"22.05.8": 1001, "24.11.5": 1000}
READS: dict[str, Callable[[Any], Any]] = {
    "controller": reads.controller,
    "config": reads.config,
    "queue": reads.queue,
    "own_jobs": reads.own_jobs,
    "team_jobs": lambda a: reads.team_jobs(a, "research-nlp"),
    "history": reads.history,
    "associations": reads.associations,
    "qos": reads.qos,
    "usage": reads.usage,
    "shares": reads.shares,
    "partitions": lambda a: reads.partitions(a, OWN),
    "reservations": lambda a: reads.reservations(a, OWN),
    "nodes": reads.nodes,
}
REST: dict[str, tuple[str, Callable[[Any, bytes], Any]]] = {
    "jobs": ("slurm.jobs", lambda a, b: [newest.job(j) for j in a.jobs(b, "x")]),
    "history": ("slurmdb.jobs", lambda a, b: [newest.run(j, 1001, "alice") for j in a.history(b, "x")]),
    "associations": ("slurmdb.associations", lambda a, b: [newest.association(j) for j in a.associations(b, "x")]),
    "qos": ("slurmdb.qos", lambda a, b: [newest.quality(j) for j in a.qos(b, "x")]),
    "shares": ("slurm.shares", lambda a, b: [newest.fairshare(j) for j in a.shares(b, "x")]),
    "partitions": ("slurm.partitions", lambda a, b: [newest.partition(j, OWN) for j in a.partitions(b, "x")]),
    "reservations": ("slurm.reservations", lambda a, b: [newest.reservation(j, OWN, "x") for j in a.reservations(b, "x")]),
    "nodes": ("slurm.nodes", lambda a, b: scontrol.sum_nodes(newest.node(j) for j in a.nodes(b, "x"))),
}
COMMAND_CASES = [
    (release, user, name)
    for release in UIDS
    for user in ("alice", "opal")
    for name in READS
    if (user == "alice" or name in ("queue", "usage", "partitions", "reservations", "nodes"))
]
REST_CASES = [(v, name) for v in ADAPTERS for name, (stem, _) in REST.items() if (RECORDED / "rest" / v / f"root.{stem}.json.gz").exists()]


def plain(value: Any) -> Any:
    made = [asdict(v) for v in value] if isinstance(value, list | tuple) else asdict(value)
    return json.loads(json.dumps(made))


def compact(value: Any) -> Any:
    """Without what is not told, so that a person can read a golden file."""
    if isinstance(value, dict):
        return {k: compact(v) for k, v in value.items() if v not in (None, [], {})}
    return [compact(v) for v in value] if isinstance(value, list) else value


def of_commands(folder: Path, release: str, user: str, name: str) -> Any:
    """Read as alice, whoever's output is replayed: what is not hers has to end in the read."""
    return plain(fetched(READS[name](at(replay(folder / "bin", release, user), release, "alice", UIDS[release]))))


def of_rest(version: str, name: str) -> Any:
    stem, make = REST[name]
    return plain(make(ADAPTERS[version], gzip.decompress((RECORDED / "rest" / version / f"root.{stem}.json.gz").read_bytes())))


def golden(*parts: str) -> Any:
    return json.loads((GOLDEN / ("-".join(parts) + ".json")).read_text())


@pytest.mark.parametrize(("release", "user", "name"), COMMAND_CASES)
def test_commands(release: str, user: str, name: str, tmp_path: Path) -> None:
    assert compact(of_commands(tmp_path, release, user, name)) == golden(release, user, name)


@pytest.mark.parametrize(("version", "name"), REST_CASES)
def test_data_parsers(version: str, name: str) -> None:
    assert compact(of_rest(version, name)) == golden(version, name)


# -- what must hold between them -------------------------------------------------------------------------------------------------
def jobs_by_id(rows: list[dict[str, Any]], *fields: str) -> dict[str, Any]:
    return {row["id"]: {f: row[f] for f in fields} for row in rows}


@pytest.mark.parametrize("name", ["qos", "associations", "partitions"])
def test_every_version_says_the_same_of_the_same_cluster(name: str) -> None:
    """The rig was set up in the same way for each. What a version does not tell (None) is left out of the comparison."""
    told = [{row.get("name", (row.get("account"), row.get("user"))): row for row in of_rest(v, name)} for v in ADAPTERS]
    for other in told[:-1]:
        assert other.keys() == told[-1].keys()
        for key, row in other.items():
            both = {f for f in row if row[f] not in (None, []) and told[-1][key][f] not in (None, [])} - {"capacity"}
            assert {f: row[f] for f in both} == {f: told[-1][key][f] for f in both}


@pytest.mark.parametrize("version", list(ADAPTERS))
def test_states_exit_codes_and_arrays_are_lifted(version: str) -> None:
    rows = {row["name"]: row for row in of_rest(version, "jobs")}
    assert {rows[n]["state"] for n in ("done", "failed", "qosgrp", "run-res", "scav")} == {"COMPLETED", "FAILED", "PENDING", "RUNNING", "PREEMPTED"}
    assert (rows["failed"]["exit_code"], rows["failed"]["signal"]) == (3, None)
    assert (rows["arr-pend"]["id"], rows["arr-pend"]["array_tasks"]) == ("26_[0-9%2]", 10)
    assert rows["qosgrp"]["started_at"] is None and rows["qosgrp"]["start_estimate"] is None
    assert rows["low-req"]["restarts"] == 1
    assert rows["prod-big"]["limit_seconds"] == 8 * 3600
    assert {"resource": "gres/gpu", "amount": "16"} in rows["prod-big"]["requested"]


@pytest.mark.parametrize("release", list(UIDS))
def test_json_and_formatted_rows_are_the_same_jobs(release: str, tmp_path: Path) -> None:
    """24.11's own jobs come as JSON; the same jobs out of her account's formatted rows."""
    own, team = (of_commands(tmp_path / n, release, "alice", n)["items"] for n in ("own_jobs", "team_jobs") if (tmp_path / n).mkdir() is None)
    fields = (
        "state",
        "qos",
        "partition",
        "name",
        "nodes",
        "requested",
        "priority",
        "submitted_at",
        "started_at",
        "limit_seconds",
        "restarts",
        "exit_code",
        "signal",
        "reason",
        "array_tasks",
    )
    assert jobs_by_id(own, *fields) == jobs_by_id([row for row in team if row["user"] == "alice"], *fields)
    assert len(own) >= 11


@pytest.mark.parametrize("release", list(UIDS))
def test_shapes_say_how_they_were_read(release: str, tmp_path: Path) -> None:
    shape = of_commands(tmp_path, release, "alice", "own_jobs")["shape"]
    assert shape == {"form": "formatted" if release == "22.05.8" else "v0.0.42", "release": release, "newer": False}


if __name__ == "__main__":
    import tempfile

    GOLDEN.mkdir(exist_ok=True)
    for case in COMMAND_CASES:
        with tempfile.TemporaryDirectory() as made:
            (GOLDEN / ("-".join(case) + ".json")).write_text(json.dumps(compact(of_commands(Path(made), *case)), indent=1) + "\n")
    for case in REST_CASES:
        (GOLDEN / ("-".join(case) + ".json")).write_text(json.dumps(compact(of_rest(*case)), indent=1) + "\n")
