"""Heterogeneous jobs, arrays, jobs that were put back and one that is suspended, as real clients and daemons told of them, through every adapter.

Recorded on Slurm 22.05.8 and 24.11.5 as alice, out of the same submissions. `python -m tests.slurm.test_parts` writes the expected results anew.
"""

from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hpgov_jlab.model.slurm import SlurmHistory, SlurmJob, SlurmJobs, SlurmRun, SlurmShape
from hpgov_jlab.model.task import Task, TaskState
from hpgov_jlab.scheduling.slurm import slurm_detail, slurm_tasks
from hpgov_jlab.sources.slurm import newest, reads
from hpgov_jlab.sources.slurm.adapters import ADAPTERS
from hpgov_jlab.words import WORDS

from .fakes import RECORDED, at, fetched, replay
from .test_golden import GOLDEN, UIDS, compact, golden, plain

NOW = 1_796_039_610.0  # a little before alice's jobs were recorded
SHAPE = SlurmShape("rest")
READS: dict[str, Callable[[Any], Any]] = {
    "own_jobs": reads.own_jobs,
    "team_jobs": lambda here: reads.team_jobs(here, "research-nlp"),
    "history": reads.history,
}


def of_commands(folder: Path, release: str, name: str) -> Any:
    return fetched(READS[name](at(replay(folder, release, "alice", "zoo"), release, "alice", UIDS[release])))


def of_rest(version: str, name: str) -> Any:
    def body(stem: str) -> bytes:
        return gzip.decompress((RECORDED / "rest" / version / f"alice.{stem}.json.gz").read_bytes())

    made = ADAPTERS[version]
    if name == "history":
        return SlurmHistory(tuple(newest.run(one, 1001, "alice") for one in made.history(body("slurmdb.jobs"), "x")), SHAPE)
    return SlurmJobs(tuple(newest.job(one) for one in made.jobs(body("slurm.jobs"), "x")), SHAPE)


CASES = [(release, name) for release in UIDS for name in READS] + [(version, name) for version in ADAPTERS for name in ("own_jobs", "history")]


def read(folder: Path, by: str, name: str) -> Any:
    return of_rest(by, name) if by in ADAPTERS else of_commands(folder / name, by, name)


@pytest.mark.parametrize(("by", "name"), CASES)
def test_what_each_adapter_makes_of_them(by: str, name: str, tmp_path: Path) -> None:
    assert compact(plain(read(tmp_path, by, name))) == golden("parts", by, name)


# -- what holds between them -------------------------------------------------------------------------------------------------------
WAYS = [*UIDS, "24.11.5 formatted", *ADAPTERS]
"""Own jobs of 24.11 come as JSON; formatted rows stand in where that is too long, and `sacct` has other ids than `squeue` there."""


def jobs_and_runs(folder: Path, way: str) -> tuple[dict[str, SlurmJob], SlurmHistory]:
    by, _, formatted = way.partition(" ")
    folder.mkdir(exist_ok=True)
    listing = read(folder, by, "team_jobs" if formatted else "own_jobs")
    return {job.id: job for job in listing.items}, read(folder, by, "history")


def tasks(folder: Path, way: str) -> dict[str, Task]:
    jobs, history = jobs_and_runs(folder, way)
    made = slurm_tasks(SlurmJobs(tuple(jobs.values()), SHAPE), [], history, user="alice", now=NOW)
    assert len({task.uid for task in made}) == len(made), "no row stands twice"
    return {task.workload or "": task for task in made}


@pytest.mark.parametrize("way", WAYS)
def test_every_job_stands_once_and_none_is_unknown(way: str, tmp_path: Path) -> None:
    """Accounting calls the part 28+1 of a waiting job 29 in 24.11: no row of its own comes of that."""
    found = tasks(tmp_path, way)
    assert {key for key, task in found.items() if task.name == "het-train"} == {"28+0", "28+1", "30+0", "30+1"}
    assert [task.workload for task in found.values() if task.state is TaskState.UNKNOWN] == []
    assert not {"28", "29", "26_[0x3FF]"} & set(found)


@pytest.mark.parametrize("way", WAYS)
def test_what_the_person_reads_of_them(way: str, tmp_path: Path) -> None:
    found = tasks(tmp_path, way)

    def said(key: str) -> tuple[TaskState, str | None, str | None]:
        task = found[key]
        return task.state, task.ended, task.reason.code if task.reason is not None else None

    assert {key: said(key) for key in ("30+0", "32+0", "32+1", "34+0", "34+1", "36_1", "36_2", "36_3", "38", "37")} == {
        "30+0": (TaskState.WAITING, None, "slurm_held_user"),
        "32+0": (TaskState.RUNNING, None, None), "32+1": (TaskState.RUNNING, None, None),
        "34+0": (TaskState.FINISHED, "badly", "slurm_failed_exit"), "34+1": (TaskState.FINISHED, "badly", "slurm_failed_exit"),
        "36_1": (TaskState.FINISHED, "well", None), "36_2": (TaskState.FINISHED, "badly", "slurm_failed_exit"), "36_3": (TaskState.RUNNING, None, None),
        "38": (TaskState.SUSPENDED, None, "slurm_suspended"), "37": (TaskState.WAITING, None, "slurm_waits_begin"),
    }  # fmt: skip
    assert found["34+1"].reason is not None and found["34+1"].reason.params == {"exit_code": 4}
    assert found["34+1"].uid == "job-34.1"
    assert "its owner" not in WORDS["slurm_suspended"].text.lower()


@pytest.mark.parametrize("way", WAYS)
def test_a_job_that_was_put_back_has_its_stop(way: str, tmp_path: Path) -> None:
    """24.11's slurmrestd tells the run as PENDING with a flag, sacct as REQUEUED."""
    found = tasks(tmp_path, way)
    assert (found["37"].stops, found["37"].last_stop and found["37"].last_stop.cause.code) == (1, "slurm_stop_requeued")
    assert (found["10"].stops, found["10"].last_stop and found["10"].last_stop.cause.code) == (1, "slurm_stop_preempted")
    _, history = jobs_and_runs(tmp_path / "again", way)
    detail = slurm_detail(found["37"], history)
    assert [moment.what.code for moment in detail.history] == ["moment_created", "moment_started", "slurm_stop_requeued"]


@pytest.mark.parametrize("way", WAYS)
def test_what_has_not_ended_has_no_exit_code(way: str, tmp_path: Path) -> None:
    jobs, history = jobs_and_runs(tmp_path, way)
    assert {job.exit_code for job in jobs.values() if job.state in ("PENDING", "RUNNING", "SUSPENDED")} == {None}
    assert {run.exit_code for run in history.runs if run.state in ("PENDING", "RUNNING", "SUSPENDED", "REQUEUED")} == {None}
    waits: list[SlurmRun] = [run for run in history.runs if run.state == "PENDING" and run.started_at is None]
    assert waits
    assert 0 not in {run.nodes for run in waits}, "no node held yet is no count of nodes"


def main() -> None:
    for by, name in CASES:
        with tempfile.TemporaryDirectory() as made:
            (GOLDEN / f"parts-{by}-{name}.json").write_text(json.dumps(compact(plain(read(Path(made), by, name))), indent=1) + "\n")


if __name__ == "__main__":
    main()
