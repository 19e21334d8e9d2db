"""Our reads of a long Slurm queue beside `squeue -o` by hand, which is the peer: seconds, and the reading process's memory; and what slurmrestd costs there.

`python -m bench slurm-queue` starts the real Slurm of tests/slurm_rig (root, and Slurm installed: tests/slurm_rig/rig.sh install), has it hold 10,000 waiting
jobs (HPGOV_BENCH_SLURM_JOBS: fewer), and reads as a user who may see all of them: with Slurm's commands in one process, through slurmrestd in another. With
the parameter in hand:

    python -m bench.slurm_queue --rig [--jobs 300] [--runs 2]

A site measures its own queue, where Slurm's clients are, by

    python -m bench.slurm_queue [--conf /path/slurm.conf] [--account ACCOUNT] [--runs 5]
    python -m bench.slurm_queue --rest URL --token FILE [--account ACCOUNT] [--runs 5]
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hpgov_jlab.model.outcome import Failure
from hpgov_jlab.policy.slurm import REST_JOBS
from hpgov_jlab.reads import Deadline, Got
from hpgov_jlab.sources.slurm import guard, reads
from hpgov_jlab.sources.slurm.rest import CALL_SECONDS, Rest
from hpgov_jlab.sources.slurm.site import SlurmAt, SlurmOptions, site

from .measure import NotHere, Report

BY_HAND = ["--noheader", "--format=%i|%u|%a|%q|%P|%T|%D|%b|%Q|%S|%V|%l|%r"]
JOBS = 10_000
BATCH = 500
USER, ACCOUNT = "alice", "research-nlp"
PORT = 27700
PEER = "peer: squeue by hand"
MB = 1024 * 1024


@dataclass
class Found:
    """Seconds of each run by what was read, and rows; `refused`: what brought no rows, with the code of it. MB of the reading process before the first
    read and at its largest; of slurmrestd's list of jobs, MB as it came; `daemon`: of slurmrestd itself at its largest, where it is ours to look at."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    before: float = 0.0
    largest: float = 0.0
    body: float | None = None
    daemon: float | None = None


def say(text: str) -> None:
    """Progress, beside the report."""
    print(f"slurm-queue: {text}", file=sys.stderr, flush=True)


def read(made: Any) -> Any:
    """What a read brings. Raises Failure."""
    value = made.fetch(Deadline(120))
    return value.data if isinstance(value, Got) else value


def measured(options: SlurmOptions, account: str, runs: int) -> Found:
    """As the user who runs this. Raises Failure where Slurm does not answer; a list that is longer or slower than the product takes is a finding."""
    at = read(site(options))
    if not isinstance(at, SlurmAt):
        raise NotHere(f"no Slurm here: {at}")
    over_rest = isinstance(at.transport, Rest)
    wanted: dict[str, Callable[[], Any]] = {"queue as sums": lambda: read(reads.queue(at)), "own jobs": lambda: read(reads.own_jobs(at))}
    if account:
        wanted["team's jobs"] = lambda: read(reads.team_jobs(at, account))
    if not over_rest:
        environment = guard.environment(options.conf)
        wanted = {"by hand": lambda: subprocess.run(["squeue", *BY_HAND], env=environment, capture_output=True, text=True, check=True).stdout, **wanted}
    found = Found(before=_largest())
    for number in range(runs):  # in turns, so that what else the machine does falls on all
        for name, work in wanted.items():
            called = f"{name}, slurmrestd" if over_rest else name
            began = time.perf_counter()
            try:
                result = work()
                found.rows[called] = result.count("\n") if isinstance(result, str) else _rows(result)
            except Failure as failure:
                found.refused[called] = failure.code
            taken = time.perf_counter() - began
            found.seconds.setdefault(called, []).append(taken)
            say(f"run {number + 1} of {runs}, {called}: {taken:.2f} s" + (f", {found.refused[called]}" if called in found.refused else ""))
    found.largest = _largest()
    if isinstance(at.transport, Rest):  # last, so that it is in no figure above
        try:
            found.body = len(at.transport.get(REST_JOBS, Deadline(120)).body) / MB
        except Failure as failure:
            say(f"the size of slurmrestd's list is not known: {failure.code}")
    return found


def _largest() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _of_daemon(recorded: Path) -> float:
    """MB of a daemon of the rig at its largest."""
    status = Path(f"/proc/{recorded.read_text().split()[0]}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")) / 1024


def _rows(result: Any) -> int:
    return len(result.items) if hasattr(result, "items") else sum(s.jobs for s in result.sums)


def _report(commands: Found | None, rest: Found | None) -> Report:
    """slurmrestd's seconds are held against squeue by hand, too: it is the same question."""
    report = Report("slurm-queue")
    for found in (commands, rest):
        for name, seconds in found.seconds.items() if found is not None else ():
            report.add(PEER if name == "by hand" else name, "s", seconds, None if name == "by hand" or commands is None else PEER)
    for found, whose in ((commands, "commands"), (rest, "slurmrestd")):
        if found is None:
            continue
        floor = report.add(f"floor: memory before the first read, {whose}", "MB", [found.before]).name
        report.add(f"memory of the reading process, at its largest, {whose}", "MB", [found.largest], floor)
        report.notes.append(f"Rows, {whose}: " + (", ".join(f"{name} {count:,}" for name, count in found.rows.items()) or "none") + ".")
        for name, code in found.refused.items():
            report.notes.append(f"{name} brought no rows: {code} (at most {REST_JOBS.limit_bytes // MB} MiB and {CALL_SECONDS:g} s for a call).")
    if rest is not None and rest.daemon is not None:
        report.add("memory of slurmrestd itself, at its largest", "MB", [rest.daemon])
    if rest is not None and rest.body is not None:
        report.add("size of slurmrestd's list of jobs, which comes whole for each of them", "MB", [rest.body])
    return report


def jobs_wanted() -> int:
    return int(os.environ.get("HPGOV_BENCH_SLURM_JOBS") or JOBS)


def run(repetitions: int) -> Report:
    return on_the_rig(jobs_wanted(), repetitions)


def on_the_rig(jobs: int, runs: int) -> Report:
    from tests.slurm_rig.rig import SCRIPT, running  # needs a Unix with root

    if os.geteuid() != 0 or shutil.which("slurmctld") is None:
        raise NotHere(f"it starts a real Slurm, which needs root and an installed Slurm ({SCRIPT.relative_to(SCRIPT.parents[2])} install)")
    folder = tempfile.mkdtemp(prefix="hpgov-bench-slurm-")
    os.chmod(folder, 0o755)  # its users are not root
    try:
        say("starting a Slurm")
        with running(f"{folder}/rig", PORT, RIG_PRIVATE="none", RIG_MAXJOBS=str(jobs + 1000)) as rig:
            for done in range(0, jobs, BATCH):
                rig.sh("many", USER, str(min(BATCH, jobs - done)), timeout=900)
                say(f"{min(done + BATCH, jobs):,} of {jobs:,} jobs wait")
            commands = rig.as_user(USER, lambda: measured(rig.options(USER, "commands"), ACCOUNT, runs))
            options = rig.options(USER, "slurmrestd")
            rest = rig.as_user(USER, lambda: measured(options, ACCOUNT, runs))
            rest.daemon = _of_daemon(Path(f"{rig.folder}/run/slurmrestd.pid"))
            return _report(commands, rest)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rig", action="store_true", help="start a Slurm of its own, as `python -m bench slurm-queue` does")
    parser.add_argument("--jobs", type=int, default=jobs_wanted(), help=f"with --rig: how many jobs wait ({JOBS:,})")
    parser.add_argument("--conf", default="")
    parser.add_argument("--account", default="")
    parser.add_argument("--rest", default="", metavar="URL", help="slurmrestd, instead of the commands")
    parser.add_argument("--token", default="", metavar="FILE", help="your token for it, in a file of mode 0600")
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    try:
        if given.rig:
            report = on_the_rig(given.jobs, given.runs)
        elif given.rest:  # a process of its own, since the largest memory of one is never given back
            report = _report(None, measured(SlurmOptions(conf=given.conf, rest_url=given.rest, token_file=given.token), given.account, given.runs))
        else:
            report = _report(measured(SlurmOptions(conf=given.conf), given.account, given.runs), None)
        print(report.as_text())
    except Failure as failure:
        raise SystemExit(f"no Slurm here: {failure}") from None
    except NotHere as not_here:
        raise SystemExit(str(not_here)) from None


if __name__ == "__main__":
    main()
