"""Server processes that end with the one who started them.

The kernel kills a child when the thread that started it ends (PR_SET_PDEATHSIG), so nothing is left behind after `kill -9` of a test run. Because it is the
thread that counts, all are started from one that lives as long as the process. Linux only, as the servers' build is.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PR_SET_PDEATHSIG = 1
PATIENCE = 180.0
"""Seconds that the real servers may take for anything: a busy machine is slow, and only a hang reaches this."""
_libc = ctypes.CDLL(None, use_errno=True)  # loaded before any fork: a child between fork and exec should not load libraries
_starter = ThreadPoolExecutor(1, "server-starter")


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def listening(port: int) -> bool:
    with socket.socket() as s:
        s.settimeout(1)
        return s.connect_ex(("127.0.0.1", port)) == 0


class Ended(RuntimeError):
    """A server ended by itself; the message holds the end of its log."""


class Servers:
    """The processes of one rig, started in `folder`, each with a log `<name>.log` there."""

    def __init__(self, folder: Path):
        self.folder = folder
        self._commands: dict[str, tuple[list[str], dict[str, str]]] = {}
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str, program: Path, *args: str, **env: str) -> None:
        self._commands[name] = ([str(program), *args], env)
        self.restart(name)

    def restart(self, name: str) -> None:
        """Starts the named server with the arguments it had; ends it first if it runs."""
        self.stop(name)
        command, env = self._commands[name]
        parent = os.getpid()

        def end_with_parent() -> None:
            if _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) != 0 or os.getppid() != parent:
                os._exit(127)

        with open(self.folder / f"{name}.log", "ab") as log:
            self._running[name] = _starter.submit(
                subprocess.Popen,
                command,
                stdout=log,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                cwd=self.folder,
                env={**os.environ, **env},
                preexec_fn=end_with_parent,
            ).result()

    @property
    def known(self) -> tuple[str, ...]:
        """Every server that was started once, in that order."""
        return tuple(self._commands)

    @property
    def running(self) -> frozenset[str]:
        return frozenset(name for name, process in self._running.items() if process.poll() is None)

    def stop(self, name: str, *, kill: bool = False, patience: float = 10) -> None:
        process = self._running.pop(name, None)
        if process is None:
            return
        process.send_signal(signal.SIGCONT)  # a paused process cannot end
        if kill:
            process.kill()
        else:
            process.terminate()
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def pause(self, name: str) -> None:
        """The server hangs: connections are taken and nothing is answered."""
        self._running[name].send_signal(signal.SIGSTOP)

    def resume(self, name: str) -> None:
        self._running[name].send_signal(signal.SIGCONT)

    def stop_all(self) -> None:
        """All at once, and soon: their data is thrown away, and an API server whose database ended first would wait for it."""
        names = list(reversed(self._running))
        for name in names:
            self._running[name].send_signal(signal.SIGCONT)
            self._running[name].terminate()
        end = time.monotonic() + 2
        for name in names:
            self.stop(name, patience=max(0.01, end - time.monotonic()))

    def memory(self) -> dict[str, int]:
        """Resident megabytes of each."""
        pages = {n: int(Path(f"/proc/{p.pid}/statm").read_text().split()[1]) for n, p in self._running.items()}
        return {n: count * os.sysconf("SC_PAGE_SIZE") // 2**20 for n, count in pages.items()}

    def pid(self, name: str) -> int:
        return self._running[name].pid

    def wait(self, ready: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
        """Raises Ended when a server ended meanwhile, TimeoutError after `seconds`. An OSError of `ready` means not yet (requests' errors are OSErrors)."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for name, process in self._running.items():
                if process.poll() is not None:
                    raise Ended(f"{name} ended with {process.returncode} while waiting for {what}:\n{self.log(name)[-3000:]}")
            try:
                if ready():
                    return
            except OSError:
                pass
            time.sleep(0.05)
        raise TimeoutError(f"{what} did not come up in {seconds:g} s; logs are in {self.folder}")

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text(errors="replace")
