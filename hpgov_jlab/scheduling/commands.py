"""Commands to copy: argument lists, quoted by a serialiser, never a template (DESIGN.md 14, S5)."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from ..model.copying import copyable
from ..model.task import PodFact

MAX_COMMANDS = 40


def command(argv: Sequence[str]) -> str | None:
    """One shell line, None when a value in it may not be copied. Values stand as `--option=VALUE` or behind a prefix: none is read as an option."""
    return shlex.join(argv) if all(map(copyable, argv)) else None


def logs_commands(namespace: str, pods: Iterable[PodFact], *, kind: str = "", name: str = "", pods_readable: bool = True) -> tuple[str, ...]:
    """`kubectl logs` for every container that ran, pods in the given order; of the run before, too, where a container was restarted.

    Where pods were not readable, only a Job can still be named as such.
    """
    lines = (line for line in _logs(namespace, pods, kind, name, pods_readable) if line is not None)
    return tuple(islice(lines, MAX_COMMANDS))


def _logs(namespace: str, pods: Iterable[PodFact], kind: str, name: str, pods_readable: bool) -> Iterator[str | None]:
    if not pods_readable and kind == "Job":
        yield command(["kubectl", "logs", f"--namespace={namespace}", f"job/{name}", "--all-containers=true"])
    for pod in pods:
        for container in pod.containers:
            base = ["kubectl", "logs", f"--namespace={namespace}", f"pod/{pod.name}", f"--container={container.name}"]
            if container.restarts > 0:
                yield command([*base, "--previous=true"])
            if container.state in ("running", "terminated"):
                yield command(base)
