"""Our reads of a long Slurm queue beside `squeue -o` by hand, which is the peer: seconds, and this process's memory.

`python -m bench slurm-queue` starts the real Slurm of tests/slurm_rig (root, and Slurm installed: tests/slurm_rig/rig.sh install), has it hold 3,000 waiting
jobs, and reads as a user who may see all of them. A site measures its own queue, where Slurm's clients are, by

    python -m bench.slurm_queue [--conf /path/slurm.conf] [--account ACCOUNT] [--runs 5]
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hpgov_jlab.model.outcome import Failure
from hpgov_jlab.reads import Deadline, Got
from hpgov_jlab.sources.slurm import guard, reads
from hpgov_jlab.sources.slurm.site import SlurmAt, SlurmOptions, site

from .measure import NotHere, Report

BY_HAND = ["--noheader", "--format=%i|%u|%a|%q|%P|%T|%D|%b|%Q|%S|%V|%l|%r"]
JOBS = 3000
USER, ACCOUNT = "alice", "research-nlp"
PORT = 27700


@dataclass
class Found:
    """Seconds of each run by what was read, rows, and MB of the reading process before the first read and at its largest."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    before: float = 0.0
    largest: float = 0.0


def read(made: Any) -> Any:
    """What a read brings. Raises Failure."""
    value = made.fetch(Deadline(120))
    return value.data if isinstance(value, Got) else value


def measured(conf: str, account: str, runs: int) -> Found:
    """As the user who runs this. Raises Failure where Slurm does not answer."""
    at = read(site(SlurmOptions(conf=conf)))
    if not isinstance(at, SlurmAt):
        raise NotHere(f"no Slurm here: {at}")
    environment = guard.environment(conf)
    wanted: dict[str, Callable[[], Any]] = {
        "by hand": lambda: subprocess.run(["squeue", *BY_HAND], env=environment, capture_output=True, text=True, check=True).stdout,
        "queue as sums": lambda: read(reads.queue(at)),
        "own jobs": lambda: read(reads.own_jobs(at)),
    }
    if account:
        wanted["team's jobs"] = lambda: read(reads.team_jobs(at, account))
    found = Found(before=_largest())
    for _ in range(runs):  # in turns, so that what else the machine does falls on all
        for name, work in wanted.items():
            began = time.perf_counter()
            result = work()
            found.seconds.setdefault(name, []).append(time.perf_counter() - began)
            found.rows[name] = result.count("\n") if isinstance(result, str) else _rows(result)
    found.largest = _largest()
    return found


def _largest() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _rows(result: Any) -> int:
    return len(result.items) if hasattr(result, "items") else sum(s.jobs for s in result.sums)


def _report(found: Found) -> Report:
    report = Report("slurm-queue")
    peer = "peer: squeue by hand"
    for name, seconds in found.seconds.items():
        report.add(peer if name == "by hand" else name, "s", seconds, None if name == "by hand" else peer)
    floor = report.add("floor: memory before the first read", "MB", [found.before]).name
    report.add("memory of the reading process, at its largest", "MB", [found.largest], floor)
    report.notes.append("Rows: " + ", ".join(f"{name} {count:,}" for name, count in found.rows.items()) + ".")
    return report


def run(repetitions: int) -> Report:
    from tests.slurm_rig.rig import SCRIPT, running  # needs a Unix with root

    if os.geteuid() != 0 or shutil.which("slurmctld") is None:
        raise NotHere(f"it starts a real Slurm, which needs root and an installed Slurm ({SCRIPT.relative_to(SCRIPT.parents[2])} install)")
    folder = tempfile.mkdtemp(prefix="hpgov-bench-slurm-")
    os.chmod(folder, 0o755)  # its users are not root
    try:
        with running(f"{folder}/rig", PORT, RIG_PRIVATE="none") as rig:
            rig.sh("many", USER, str(JOBS), timeout=900)
            return _report(rig.as_user(USER, lambda: measured(rig.conf, ACCOUNT, repetitions)))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--conf", default="")
    parser.add_argument("--account", default="")
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    try:
        print(_report(measured(given.conf, given.account, given.runs)).as_text())
    except Failure as failure:
        raise SystemExit(f"no Slurm here: {failure}") from None
    except NotHere as not_here:
        raise SystemExit(str(not_here)) from None


if __name__ == "__main__":
    main()
