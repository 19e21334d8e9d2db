"""`jupyter hpgov`: one file per command, each with `add(commands)` that describes it and `run(args)` that returns the exit code.

Exit codes: 0 done, 1 it could not be done (a line on stderr says why), 2 wrong arguments.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import hpgov_jlab

from . import sandbox


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point of the script `jupyter-hpgov`."""
    parser = argparse.ArgumentParser(
        prog="jupyter hpgov",
        description="Read-only answers about HyperPod clusters, tasks, share and contracts. Nothing here submits, changes or deletes anything.",
    )
    parser.add_argument("--version", action="version", version=hpgov_jlab.__version__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in (sandbox,):
        command.add(commands)
    args = parser.parse_args(argv)
    return int(args.run(args))
