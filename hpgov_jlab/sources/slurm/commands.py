"""Runs one client command and brings back its output (S2, S15): stdin null, cwd /, own process group, limits for time and bytes.

A controller that is down makes clients hang for 9 to 60 s (facts/slurm.md 1, 2): at the limit the whole process group is killed, and what it said on
stderr until then still tells why. Nothing here holds a worker past its limit, not even a child that left the group with our pipe.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from ...model.outcome import Ask, Failure, Layer, State
from ...policy.slurm import Shape
from ...reads import Deadline
from . import guard
from .binaries import Clients
from .guard import Nonces, Refused

STDERR_BYTES = 64 * 1024
_GONE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Said:
    """What a command said, decoded with replacement. `late`: it was killed at its time limit, so `status` means nothing."""

    out: str = field(repr=False)
    err: str = field(repr=False)
    status: int
    marks: Nonces
    seconds: float
    late: bool = False


@dataclass(frozen=True, slots=True)
class Commands:
    """The clients of one site, run with one environment. Made by `reads.commands`."""

    clients: Clients
    slurm_conf: str = ""

    def run(self, shape: Shape, deadline: Deadline, values: Mapping[str, str] | None = None) -> Said:
        """One call. Raises Failure for what the guard refuses, a missing client, and too much output; what Slurm itself says is for errors.py."""
        marks = guard.nonces()
        try:
            args = guard.argv(shape, marks, values)
        except Refused as refused:
            raise guard.failure(refused) from None
        path = self.clients.path(shape.binary)
        deadline.check()
        return _run([path, *args], guard.environment(self.slurm_conf), shape, min(shape.limit_seconds, deadline.remaining()), marks)


def _run(command: list[str], environment: dict[str, str], shape: Shape, limit: float, marks: Nonces) -> Said:
    started = time.monotonic()
    try:
        process = subprocess.Popen(  # noqa: S603 - argv was checked against the allow list, the binary is root's, the environment is ours
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd="/", env=environment, start_new_session=True, close_fds=True
        )
    except OSError as error:
        raise Failure(
            State.INVALID, "slurm_client_not_run", {"binary": shape.binary, "error": error.strerror or ""}, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN
        ) from None
    try:
        out, err, late, too_large = _collect(process, shape.limit_bytes, started + limit)
    finally:
        _end(process)
    if too_large:
        raise Failure(State.INVALID, "slurm_too_large", {"command": shape.source, "limit_bytes": shape.limit_bytes}, ask=Ask.CLUSTER_ADMIN)
    status = process.returncode if process.returncode is not None else -signal.SIGKILL
    return Said(out.decode("utf-8", "replace"), err.decode("utf-8", "replace"), status, marks, time.monotonic() - started, late)


def _collect(process: subprocess.Popen[bytes], limit_bytes: int, end: float) -> tuple[bytes, bytes, bool, bool]:
    """Both outputs until the command ends: (stdout, stderr, killed at its time limit, too much output)."""
    assert process.stdout is not None and process.stderr is not None
    out, err = bytearray(), bytearray()
    with selectors.DefaultSelector() as selector:
        for stream in (process.stdout, process.stderr):
            os.set_blocking(stream.fileno(), False)
            selector.register(stream, selectors.EVENT_READ)
        while selector.get_map():
            left = end - time.monotonic()
            if left <= 0:
                return bytes(out), bytes(err), True, False
            over = _ended(process)
            ready = selector.select(0.0 if over else min(left, 0.05))
            if over and not ready:  # a child of the command still holds the pipe: what the command itself had to say is here
                break
            for key, _ in ready:
                chunk = os.read(key.fd, 65536)
                if not chunk:
                    selector.unregister(key.fileobj)
                elif key.fileobj is process.stdout:
                    out += chunk
                    if len(out) > limit_bytes:
                        return b"", bytes(err), False, True
                elif len(err) < STDERR_BYTES:
                    err += chunk[: STDERR_BYTES - len(err)]
    while not _ended(process):  # both pipes are closed, the command lives on
        if time.monotonic() >= end:
            return bytes(out), bytes(err), True, False
        time.sleep(0.01)
    return bytes(out), bytes(err), False, False


def _ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether the command has ended, without reaping it: until then its id, which is the group's, is nobody else's."""
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kills the process group, whoever is left in it, and closes our ends. Waits no longer than a moment: a process stuck in the kernel is left to it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_GONE_SECONDS)
