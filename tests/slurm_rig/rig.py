"""Starts and stops the rig, and runs the product as one of its users, who are not root."""

from __future__ import annotations

import encodings.idna  # noqa: F401 - inside another root folder no module can be imported any more
import json
import os
import pickle
import pwd
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from hpgov_jlab.model.outcome import Failure
from hpgov_jlab.reads import Deadline, Got, Read
from hpgov_jlab.scheduling import slurm, slurm_notes, slurm_share
from hpgov_jlab.sources.slurm import reads
from hpgov_jlab.sources.slurm.site import SlurmAt, SlurmOptions, site

T = TypeVar("T")
SCRIPT = Path(__file__).with_name("rig.sh")


@dataclass(frozen=True)
class Rig:
    """One running cluster. `root`: the folder that it lives in as its own root, "" for the machine itself."""

    folder: str
    port: int
    variables: dict[str, str]
    root: str = ""

    def sh(self, *args: str, timeout: float = 300) -> str:
        """A command of rig.sh. Raises CalledProcessError with what it said."""
        words = (["trixie"] if self.root else []) + list(args)
        done = subprocess.run([str(SCRIPT), *words], env={**os.environ, **self.variables}, capture_output=True, text=True, timeout=timeout)
        if done.returncode != 0:
            raise AssertionError(f"rig.sh {' '.join(words)}: {done.stdout[-2000:]} {done.stderr[-2000:]}")
        return done.stdout

    @property
    def conf(self) -> str:
        return "/rig/etc/slurm.conf" if self.root else f"{self.folder}/etc/slurm.conf"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port + 3 + (100 if self.root else 0)}"

    def log(self, name: str) -> str:
        return Path(f"{self.root}/rig/log/{name}" if self.root else f"{self.folder}/log/{name}").read_text(errors="replace")

    def as_user(self, user: str, work: Callable[[], T]) -> T:
        """`work` in a child process that is that user, inside the rig's own root folder. What it raises is raised here."""
        passwd = Path(f"{self.root}/etc/passwd").read_text() if self.root else ""
        entry = re.search(rf"(?m)^{user}:[^:]*:(\d+):(\d+):", passwd)
        uid, gid = (int(entry[1]), int(entry[2])) if entry else (pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid)
        out, into = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(out)
            try:
                if self.root:
                    os.chroot(self.root)
                os.chdir("/")
                os.initgroups(user, gid)
                os.setgid(gid)
                os.setuid(uid)
                result: tuple[bool, Any] = (True, work())
            except Failure as failure:
                result = (False, (failure.state, failure.code, dict(failure.params)))
            except BaseException as error:  # noqa: BLE001 - the parent's test shows it
                result = (False, repr(error))
            with os.fdopen(into, "wb") as pipe:
                pickle.dump(result, pipe)
            os._exit(0)
        os.close(into)
        with os.fdopen(out, "rb") as pipe:
            data = pipe.read()
        os.waitpid(child, 0)
        fine, value = pickle.loads(data)
        if not fine:
            raise AssertionError(f"as {user}: {value}")
        return value  # type: ignore[no-any-return]

    def options(self, user: str, transport: str) -> SlurmOptions:
        if transport == "commands":
            return SlurmOptions(conf=self.conf)
        token = self.token_file(user)
        return SlurmOptions(rest_url=self.url, token_file=token)

    def token_file(self, user: str, text: str | None = None, seconds: int = 1800) -> str:
        """A 0600 file with that user's token, seen from inside the rig."""
        path = f"/rig/home/{user}/token" if self.root else f"{self.folder}/home/{user}/token"
        outside = Path(self.root + path) if self.root else Path(path)
        outside.write_text(text if text is not None else self.sh("token", user, str(seconds)).strip())
        outside.chmod(0o600)
        owner = outside.parent.stat()
        os.chown(outside, owner.st_uid, owner.st_gid)
        return path

    def everything(self, user: str, transport: str = "commands") -> dict[str, Any]:
        """Every read of the product as that user: its data, or (state, code). And what the pure functions make of it."""
        options = self.options(user, transport)
        return self.as_user(user, lambda: everything(options))


def one(read: Read[Any]) -> Any:
    try:
        value = read.fetch(Deadline(read.deadline))
    except Failure as failure:
        return (str(failure.state), failure.code)
    return value.data if isinstance(value, Got) else value


def good(value: Any) -> Any:
    return None if isinstance(value, tuple) and len(value) == 2 and all(isinstance(v, str) for v in value) else value


def everything(options: SlurmOptions) -> dict[str, Any]:
    at = one(site(options))
    if not isinstance(at, SlurmAt):
        return {"site": at}
    found: dict[str, Any] = {"controller": one(reads.controller(at)), "associations": one(reads.associations(at))}
    found["usage"] = one(reads.usage(at))
    known = good(found["associations"]) or (good(found["usage"]).associations if good(found["usage"]) else None)
    own = slurm.own_of(at.user, at.groups, known)
    for name, read in {
        "config": reads.config(at), "queue": reads.queue(at), "own": reads.own_jobs(at), "history": reads.history(at), "qos": reads.qos(at),
        "accounts": reads.accounts(at, own.accounts or ()), "shares": reads.shares(at), "partitions": reads.partitions(at, own),
        "reservations": reads.reservations(at, own), "nodes": reads.nodes(at), **{f"team {a}": reads.team_jobs(at, a) for a in own.accounts or ()},
    }.items():  # fmt: skip
        found[name] = one(read)
    team = [good(v) for k, v in found.items() if k.startswith("team ") and good(v)]
    now = time.time()
    found["tasks"] = slurm.slurm_tasks(good(found["own"]), team, good(found["history"]), user=at.user, now=now)
    found["details"] = [slurm.slurm_detail(t, good(found["history"])) for t in found["tasks"]]
    found["share"] = slurm_share.slurm_share(
        good(found["usage"]), good(found["associations"]), good(found["accounts"]), good(found["qos"]), good(found["config"]), own, found["tasks"]
    )
    found["places"] = slurm_share.slurm_places(good(found["partitions"]) or (), own)
    found["notes"] = slurm_notes.slurm_notes(good(found["config"]), own, uid=at.uid, usage=good(found["usage"]))
    return found


def text_of(value: Any) -> str:
    """Every string in it, as it would travel."""
    return json.dumps(value, default=lambda v: {s: getattr(v, s) for s in v.__slots__} if hasattr(v, "__slots__") else str(v))


@contextmanager
def running(folder: str, port: int, *, root: str = "", seed: bool = True, **variables: str) -> Iterator[Rig]:
    """A fresh rig, purged at the end."""
    rig = Rig(folder, port, {"RIG": folder, "RIG_PORT": str(port), "RIG_CHROOT": root or "/nonexistent", **variables}, root)
    try:
        rig.sh("start")
        if seed:
            rig.sh("seed")
        yield rig
    finally:
        subprocess.run([str(SCRIPT), *(["trixie"] if root else []), "purge"], env={**os.environ, **rig.variables}, capture_output=True, timeout=120)
