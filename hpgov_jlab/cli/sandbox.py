"""`jupyter hpgov sandbox`: the product in a JupyterLab of its own, against far ends on this machine. No AWS account, no cluster, no real data."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..sandbox.kubernetes.scenario import Pace
    from ..sandbox.launch import Jupyter, Running

Commands = Any
"""argparse's own type for what add_subparsers returns is private."""


def add(commands: Commands) -> None:
    parser = commands.add_parser(
        "sandbox",
        help="try it out: JupyterLab with invented clusters, teams and contracts",
        description="Starts JupyterLab on 127.0.0.1 with this extension and far ends that answer as AWS and a cluster do. "
        "Needs no account and no cluster, reads and writes nothing of your own, and ends with Ctrl-C.",
    )
    parser.add_argument("--no-browser", action="store_true", help="print the address and don't open a browser")
    parser.add_argument("--port", type=_port, default=0, metavar="N", help="port of JupyterLab (default: a free one)")
    parser.add_argument("--scenario", default="default", metavar="NAME", help="what there is to see; --list names them (default: %(default)s)")
    parser.add_argument(
        "--fault", action="append", default=[], metavar="NAME", help="what goes wrong: NAME, NAME=VALUE or NAME=VALUE@SERVICE:OPERATION; may be repeated"
    )
    parser.add_argument("--list", action="store_true", help="list scenarios and faults, and end")
    parser.add_argument("--speed", type=_positive, default=1.0, metavar="X", help="how fast the cluster's story runs (default: %(default)g)")
    parser.add_argument("--frame", metavar="N|TEXT", help="stop the story at a frame: its number, negative from the end, or words that it says")
    parser.set_defaults(run=run)


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, not {text!r}")
    return int(text)


def _positive(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number <= 1000:
        raise argparse.ArgumentTypeError(f"a speed is a number above 0, at most 1000, not {text!r}")
    return number


def run(args: argparse.Namespace) -> int:
    if args.list:
        return _list()
    try:
        from ..sandbox import faults, launch, scenario
        from ..sandbox.kubernetes.scenario import Pace
    except ModuleNotFoundError as e:
        print(f"The sandbox needs {e.name}, which is not installed: pip install 'hpgov_jlab[sandbox]'", file=sys.stderr)
        return 1
    frame = args.frame
    pace = Pace(speed=args.speed, frame=int(frame) if frame is not None and frame.lstrip("-").isdigit() else frame)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end)
    try:
        return _serve(args, pace)
    except KeyboardInterrupt:
        _say("\nSandbox ended; its folder is removed.")
        return 0
    except (launch.StartError, scenario.ScenarioError, faults.UnknownFault) as e:
        print(f"The sandbox did not start: {e}", file=sys.stderr)
        return 1


def _list() -> int:
    """Needs nothing that is installed, so that a newcomer can look before the set-up."""
    from ..sandbox import faults, scenarios

    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `--list | head` is no error
    _print_list("Faults (--fault NAME)", faults.FAULTS)
    print()
    _print_list("Scenarios (--scenario NAME)", scenarios.TITLES)
    return 0


def _end(*_: object) -> None:
    """Ctrl-C or SIGTERM, at any moment: everything that is up is taken down once, and a second one does not disturb that."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def _serve(args: argparse.Namespace, pace: Pace) -> int:
    from ..sandbox import launch

    _say(f"Sandbox {args.scenario}: putting up far ends on 127.0.0.1 and a JupyterLab of its own.")
    with launch.start(args.scenario, args.fault, pace=pace) as running:
        _say(f"  {running.scenario.title}")
        for fault in running.faults.active():
            _say(f"  fault {fault.name}: on")
        _say("  Everything is invented. Your own AWS keys, clusters and Jupyter settings are neither read nor written.")
        with running.jupyter(port=args.port, browser=not args.no_browser, token=os.environ.get("JUPYTER_TOKEN") or None) as lab:
            _say(f"\nOpen  {lab.url}\n\nCtrl-C ends it. Until then, what happens on the clusters is told here:")
            code = _tell(running, lab)
    if code != 0:
        print(f"JupyterLab ended by itself with code {code}.", file=sys.stderr)
        return 1
    _say("JupyterLab was shut down; the sandbox ended, its folder is removed.")
    return 0


def _tell(running: Running, lab: Jupyter) -> int:
    """Says what happens on the clusters, as it happens, until JupyterLab has ended; returns its exit code."""
    said: dict[str, tuple[int, int, str]] = {}
    while True:
        for name, k8s in running.kubernetes.items():
            now = k8s.replay.told()
            if said.get(name) != now:
                said[name] = now
                _say(f"{time.strftime('%H:%M:%S')}  {name}: {now[2]}")
        try:
            return lab.process.wait(1)
        except subprocess.TimeoutExpired:
            continue


def _print_list(title: str, entries: dict[str, str]) -> None:
    width = max((len(name) for name in entries), default=0)
    print(f"{title}:")
    for name, text in entries.items():
        print(f"  {name:{width}}  {text}")


def _say(text: str) -> None:
    print(text, flush=True)
