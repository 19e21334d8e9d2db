"""Where the site's own client binaries are, and whether they may be run (S2): absolute, root's alone to write, outside the home.

We ship none: a client must not be newer than the daemons and at most about two major releases older (facts/slurm.md 6).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ...model.outcome import Ask, Failure, Layer, State
from ...policy.slurm import BINARIES

USUAL: tuple[str, ...] = ("/opt/slurm/bin", "/usr/bin", "/usr/local/bin")
"""HyperPod's own place first: it is not always in PATH there (facts/slurm.md 7)."""


@dataclass(frozen=True, slots=True)
class Clients:
    """The clients of one folder. `missing`: those that this site does not have. `sandbox`: stand-ins, which no rule about owners holds for."""

    folder: str
    paths: dict[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    sandbox: bool = False

    def path(self, binary: str) -> str:
        """Raises Failure(ABSENT, slurm_client_missing)."""
        found = self.paths.get(binary)
        if found is None:
            raise Failure(State.ABSENT, "slurm_client_missing", {"binary": binary, "folder": self.folder}, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)
        return found


def find(folder: str = "", *, home: str = "", sandbox: bool = False, usual: Sequence[str] = USUAL, binaries: Sequence[str] = BINARIES) -> Clients:
    """The clients in `folder`, or in the first of the usual places that has the first of them (squeue).

    Raises Failure: NOT_CONFIGURED slurm_no_clients, slurm_bin_not_absolute, INVALID slurm_bin_not_trusted with the path and the rule.
    """
    if folder and not os.path.isabs(folder):
        raise Failure(State.NOT_CONFIGURED, "slurm_bin_not_absolute", layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)
    looked = [folder] if folder else list(usual)
    for place in looked:
        if not os.path.lexists(os.path.join(place, binaries[0])):
            continue
        paths: dict[str, str] = {}
        missing: list[str] = []
        for binary in binaries:
            wanted = os.path.join(place, binary)
            if not os.path.lexists(wanted):
                missing.append(binary)
            else:
                paths[binary] = _plain(wanted) if sandbox else _trusted(wanted, home)
        return Clients(place, paths, tuple(missing), sandbox)
    raise Failure(State.NOT_CONFIGURED, "slurm_no_clients", {"folders": ", ".join(looked)}, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)


def _plain(path: str) -> str:
    if not os.path.isfile(path):
        raise _distrust(path, "not_a_file")
    return path


def _trusted(path: str, home: str) -> str:
    """The real path, if root alone can write it and every folder and link on the way. Raises Failure(INVALID, slurm_bin_not_trusted)."""
    real = os.path.realpath(path)
    if home and home != "/" and Path(real).is_relative_to(os.path.realpath(home)):
        raise _distrust(path, "in_home")
    for step in dict.fromkeys((*_steps(path), *_steps(real))):
        try:
            seen = os.lstat(step)
        except OSError:
            raise _distrust(path, "not_readable") from None
        if seen.st_uid != 0:
            raise _distrust(path, "not_root")
        if not stat.S_ISLNK(seen.st_mode) and seen.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise _distrust(path, "writable")
    if not os.path.isfile(real) or not os.access(real, os.X_OK):
        raise _distrust(path, "not_a_program")
    return real


def _steps(path: str) -> list[str]:
    at = Path(path)
    return [str(at), *(str(p) for p in at.parents)]


def _distrust(path: str, rule: str) -> Failure:
    return Failure(State.INVALID, "slurm_bin_not_trusted", {"path": path, "rule": rule}, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)
