"""`python -m tests.testbed build | where | run`."""

from __future__ import annotations

import argparse
import contextlib
import json
import signal
import sys
import tempfile
from pathlib import Path

from . import build


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.testbed", description="A real Kubernetes with a real Kueue on loopback.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("build", help="build it into the cache folder; returns at once if it is there")
    commands.add_parser("where", help="print the cache folder")
    run = commands.add_parser("run", help="start one and print how to reach it, until Ctrl-C")
    run.add_argument("--kueue", choices=[*build.KUEUES, "none"], default=build.KUEUES[0])
    run.add_argument("--nodes", action="store_true", help="with scheduler, controllers and fake nodes")
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that what was begun is cleaned up, and Go ends with us
    try:
        if asked.command == "where":
            print(build.folder())
        elif asked.command == "build":
            print(build.build())
        else:
            serve(asked.kueue, asked.nodes)
    except build.NotBuilt as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def serve(kueue: str, nodes: bool) -> None:
    from .rig import ADMIN, Rig  # needs packages that the build does not

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with (
        tempfile.TemporaryDirectory(prefix="hpgov-testbed-") as work,
        Rig(build.find(), Path(work), kueue=None if kueue == "none" else kueue, nodes=nodes) as rig,
    ):
        print(json.dumps({"url": rig.url, "ca": str(rig.ca_file), "admin_token": ADMIN}), flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            signal.pause()


if __name__ == "__main__":
    sys.exit(main())
