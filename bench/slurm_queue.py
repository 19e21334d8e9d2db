"""How long our reads of a long Slurm queue take beside `squeue -o` by hand, and what they cost in memory. Run on a machine with Slurm's clients:

python -m bench.slurm_queue [--conf /path/slurm.conf] [--account ACCOUNT] [--runs 3]
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import time
from collections.abc import Callable
from typing import Any

from hpgov_jlab.model.outcome import Failure
from hpgov_jlab.reads import Deadline, Got
from hpgov_jlab.sources.slurm import guard, reads
from hpgov_jlab.sources.slurm.site import SlurmAt, SlurmOptions, site

BY_HAND = ["--noheader", "--format=%i|%u|%a|%q|%P|%T|%D|%b|%Q|%S|%V|%l|%r"]


def timed(work: Callable[[], Any], runs: int) -> tuple[float, Any]:
    """The best of some runs, in seconds, and the last result."""
    best, result = float("inf"), None
    for _ in range(runs):
        began = time.perf_counter()
        result = work()
        best = min(best, time.perf_counter() - began)
    return best, result


def read(made: Any) -> Any:
    try:
        value = made.fetch(Deadline(120))
    except Failure as failure:
        return failure
    return value.data if isinstance(value, Got) else value


def peak() -> float:
    """MB of this process, its children's apart."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--conf", default="")
    parser.add_argument("--account", default="")
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    at = read(site(SlurmOptions(conf=given.conf)))
    if not isinstance(at, SlurmAt):
        raise SystemExit(f"no Slurm here: {at}")
    environment = guard.environment(given.conf)
    hand, out = timed(lambda: subprocess.run(["squeue", *BY_HAND], env=environment, capture_output=True, text=True, check=True).stdout, given.runs)
    print(f"by hand: {hand:.2f} s, {out.count(chr(10))} rows, {len(out) / 1e6:.1f} MB; this process {peak():.0f} MB")
    wanted: dict[str, Any] = {"queue (sums)": reads.queue(at), "own jobs": reads.own_jobs(at)}
    if given.account:
        wanted["team jobs"] = reads.team_jobs(at, given.account)
    for name, made in wanted.items():
        seconds, result = timed(lambda made=made: read(made), given.runs)  # type: ignore[misc]
        rows = len(result.items) if hasattr(result, "items") else sum(s.jobs for s in result.sums) if hasattr(result, "sums") else result
        print(f"{name}: {seconds:.2f} s ({seconds / hand:.1f} times by hand), {rows} rows; this process {peak():.0f} MB")


if __name__ == "__main__":
    main()
