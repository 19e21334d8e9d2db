"""Starts and stops the rig, and runs the product as one of its users, who are not root."""

from __future__ import annotations

import encodings.idna  # noqa: F401 - inside another root folder no module can be imported any more
import json
import os
import pickle
import pwd
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from hpgov_jlab.model.outcome import Failure
from hpgov_jlab.scheduling.slurm import slurm_detail
from hpgov_jlab.sources.slurm.site import SlurmOptions

from .product import look

T = TypeVar("T")
SCRIPT = Path(__file__).with_name("rig.sh")


@dataclass(frozen=True)
class Rig:
    """One running cluster. `root`: the folder that it lives in as its own root, "" for the machine itself; `inside`: its folder below that."""

    folder: str
    port: int
    variables: dict[str, str]
    root: str = ""
    inside: str = "/rig"
    set_to: dict[str, str] = field(default_factory=dict)

    @property
    def version(self) -> str:
        return "24.11" if self.root else "22.05"

    def private(self, words: str) -> None:
        """PrivateData; both daemons are started anew for it, so only where it is another one."""
        if self.set_to.get("private") != words:
            self.sh("private", words)
            self.set_to["private"] = words

    def sh(self, *args: str, timeout: float = 300) -> str:
        """A command of rig.sh. Raises CalledProcessError with what it said."""
        words = (["trixie"] if self.root else []) + list(args)
        done = subprocess.run([str(SCRIPT), *words], env={**os.environ, **self.variables}, capture_output=True, text=True, timeout=timeout)
        if done.returncode != 0:
            raise AssertionError(f"rig.sh {' '.join(words)}: {done.stdout[-2000:]} {done.stderr[-2000:]}")
        return done.stdout

    @property
    def conf(self) -> str:
        return f"{self.inside if self.root else self.folder}/etc/slurm.conf"

    def other_conf(self, name: str, change: Callable[[str], str]) -> str:
        """The path, as seen from inside the rig, of a slurm.conf that is the rig's own but for what `change` does to it."""
        inside = f"{Path(self.conf).parent}/{name}"
        outside = Path(f"{self.root}{inside}")
        outside.write_text(change(Path(f"{self.root}{self.conf}").read_text()))
        outside.chmod(0o644)
        return inside

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port + 3 + (100 if self.root else 0)}"

    def log(self, name: str) -> str:
        return Path(f"{self.root}{self.inside if self.root else self.folder}/log/{name}").read_text(errors="replace")

    def as_user(self, user: str, work: Callable[[], T], *, outside: bool = False) -> T:
        """`work` in a child process that is that user, inside the rig's own root folder unless `outside`. What it raises is raised here."""
        root = "" if outside else self.root
        passwd = Path(f"{root}/etc/passwd").read_text() if root else ""
        entry = re.search(rf"(?m)^{user}:[^:]*:(\d+):(\d+):", passwd)
        uid, gid = (int(entry[1]), int(entry[2])) if entry else (pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid)
        out, into = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(out)
            try:
                if root:
                    os.chroot(root)
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
        path = f"{self.inside if self.root else self.folder}/home/{user}/token"
        outside = Path(self.root + path)
        outside.write_text(text if text is not None else self.sh("token", user, str(seconds)).strip())
        outside.chmod(0o600)
        owner = outside.parent.stat()
        os.chown(outside, owner.st_uid, owner.st_gid)
        return path

    def everything(self, user: str, transport: str = "commands") -> dict[str, Any]:
        """Every read of the product as that user: its data, or (state, code). And what the pure functions make of it."""
        options = self.options(user, transport)
        return self.as_user(user, lambda: everything(options))


def everything(options: SlurmOptions) -> dict[str, Any]:
    """What each read brought, or (state, code), by its name; what the product makes of them; and the whole answer."""
    answer = look(options)
    if not answer.reads:
        return {"site": (str(answer.site.state), answer.site.code), "answer": answer}
    short = {label: label.removeprefix("slurm/").replace("team/", "team ").replace("own_jobs", "own") for label in answer.reads}
    found = {name: answer.of(label) for label, name in short.items()}
    history = answer.data.get("slurm/history")
    return {
        **found, "tasks": answer.tasks, "details": [slurm_detail(task, history) for task in answer.tasks], "share": answer.made.rows,
        "places": answer.made.places, "notes": answer.made.notes, "answer": answer,
    }  # fmt: skip


def text_of(value: Any) -> str:
    """Every string in it, as it would travel."""
    return json.dumps(value, default=lambda v: {s: getattr(v, s) for s in v.__slots__} if hasattr(v, "__slots__") else str(v))


@contextmanager
def running(folder: str, port: int, *, root: str = "", inside: str = "/rig", seed: bool = True, **variables: str) -> Iterator[Rig]:
    """A fresh rig, purged at the end."""
    rig = Rig(folder, port, {"RIG": folder, "RIG_PORT": str(port), "RIG_CHROOT": root or "/nonexistent", "RIG_INSIDE": inside, **variables}, root, inside)
    try:
        rig.sh("start")
        if seed:
            rig.sh("seed")
        yield rig
    finally:
        subprocess.run([str(SCRIPT), *(["trixie"] if root else []), "purge"], env={**os.environ, **rig.variables}, capture_output=True, timeout=120)
