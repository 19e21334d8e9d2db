"""`python -m bench NAME [--json] [--repetitions N]`, `python -m bench --list`. Ends with 1 if a hard limit of the design is broken, and says which;
with 2 if the bench that was named can't be measured on this machine (`all` goes on without it, and says so)."""

from __future__ import annotations

import argparse
import importlib
import json
import sys

from .measure import NotHere, Report

BENCHES = {
    "refresh-calls": "upstream calls of one refresh: panel and dashboard, one tab against four, and while nobody looks",
    "loop-lag": "how long the event loop is held up during a refresh of 10,000 tasks",
    "chain": "panel shown to complete data with every upstream answer 100 ms late, against the longest dependent chain",
    "cold-open": "server process started to the first true line and to complete data",
    "workloads": "5,000 Workloads from bytes to a page, against the kubernetes client's own models",
    "change-to-screen": "a change in a real cluster until the browser has drawn it (7 minutes)",
    "api-server-load": "requests per minute on a real API server per panel, hidden panel and idle server; 50 servers on one (13 minutes)",
    "faults": "a real cluster that breaks: seconds until the page says so, and until it is right again (10 minutes)",
    "slurm-queue": "a real, long Slurm queue: our reads beside squeue by hand (where Slurm's clients and a cluster are)",
    "installed": "what it costs to have the extension installed: server start, imports, bytes of the bundle",
}


def run(name: str, repetitions: int) -> Report:
    module = importlib.import_module(f"{__package__}.{name.replace('-', '_')}")
    report: Report = module.run(repetitions)
    return report


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("name", nargs="?", choices=[*BENCHES, "all"], metavar="NAME", help="a bench, or `all`")
    parser.add_argument("--list", action="store_true", help="name the benches")
    parser.add_argument("--json", action="store_true", help="one JSON document per bench instead of a table")
    parser.add_argument("--repetitions", type=int, default=5, metavar="N", help="how often each measurement is repeated (5)")
    given = parser.parse_args()
    if given.list or given.name is None:
        for name, about in BENCHES.items():
            print(f"{name:17} {about}")
        return 0 if given.list else 2
    if given.repetitions < 1:
        parser.error("at least one repetition")
    broken = False
    missing = False
    for name in BENCHES if given.name == "all" else [given.name]:
        try:
            report = run(name, given.repetitions)
        except NotHere as not_here:
            print(f"{name}: not measured: {not_here}", file=sys.stderr)
            missing = given.name != "all"
            continue
        print(json.dumps(report.as_json()) if given.json else report.as_text() + "\n", flush=True)
        for limit in report.broken:
            broken = True
            print(f"{name}: hard limit broken: {limit.what}: {limit.value:g} {limit.unit}, at most {limit.bound:g}", file=sys.stderr)
    return 2 if missing else int(broken)


if __name__ == "__main__":
    sys.exit(main())
