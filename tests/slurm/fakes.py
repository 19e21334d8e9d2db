"""Programs that stand where Slurm's clients stand, written for one test each: what the product runs is the wire."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

from hpgov_jlab.model.outcome import Failure
from hpgov_jlab.policy.slurm import BINARIES, COMMANDS
from hpgov_jlab.reads import Deadline, Got, Read
from hpgov_jlab.sources.slurm.binaries import Clients, find
from hpgov_jlab.sources.slurm.commands import Commands
from hpgov_jlab.sources.slurm.site import SlurmAt

RECORDED = Path(__file__).parent / "recorded"


def clients(folder: Path, body: str, *, shell: bool = False) -> Clients:
    """Every client is this program (Python unless `shell`). It may read `sys.argv`, and files beside it under HERE."""
    head = "#!/bin/sh\n" if shell else f"#!{sys.executable} -I\nimport os, sys, time\nHERE = os.path.dirname(os.path.abspath(__file__))\nARGS = sys.argv[1:]\n"
    folder.mkdir(exist_ok=True)
    for name in BINARIES:
        path = folder / name
        path.write_text(head + body)
        path.chmod(0o755)
    return find(str(folder), sandbox=True)


def commands(folder: Path, body: str, *, shell: bool = False) -> Commands:
    return Commands(clients(folder, body, shell=shell))


def fetched(read: Read[object], seconds: float = 20.0) -> object:
    """What a read brings. Raises Failure."""
    value = read.fetch(Deadline(seconds))
    return value.data if isinstance(value, Got) else value


def failed(read: Read[object], seconds: float = 20.0) -> Failure:
    try:
        value = fetched(read, seconds)
    except Failure as failure:
        return failure
    raise AssertionError(f"{read.source} brought {value!r}")


REPLAY = r"""
import gzip, json, re
for name, binary, pattern in json.load(open(HERE + "/shapes.json")):
    match = re.fullmatch(pattern, "\0".join(ARGS))
    if binary == os.path.basename(sys.argv[0]) and match:
        path = f"{HERE}/recorded/{name}.txt"
        text = open(path).read() if os.path.exists(path) else gzip.open(path + ".gz", "rt").read() if os.path.exists(path + ".gz") else None
        if text is None:
            sys.exit(f"{binary}: error: nothing recorded for {name}")
        found = {k: v for k, v in match.groupdict().items() if v}
        sys.stdout.write(text.replace("{row}", found.get("row", "")).replace("{field}", found.get("field", "")))
        sys.exit(0)
sys.exit("error: not one of the shapes")
"""


def replay(folder: Path, release: str, user: str, kept: str = "commands") -> Commands:
    """Clients that print what the real ones of a release printed to a user, with this call's nonces in the place of those of then."""
    made = clients(folder, REPLAY)
    patterns = []
    for shape in COMMANDS:
        seen: set[str] = set()

        def named(match: re.Match[str], seen: set[str] = seen) -> str:
            again = match[1] in seen
            seen.add(match[1])
            return f"(?P={match[1]})" if again else f"(?P<{match[1]}>[A-Za-z0-9_.-]+)"

        quoted = re.sub(r"\\\{(user|account|row|field)\\\}", named, re.escape("\0".join(shape.args)))
        patterns.append((shape.id, shape.binary, quoted))
    (folder / "shapes.json").write_text(json.dumps(patterns))
    (folder / "recorded").mkdir()
    for path in (RECORDED / release / kept).glob(f"{user}.*"):
        shutil.copy(path, folder / "recorded" / path.name.split(".", 1)[1])
    return Commands(made)


def at(commands: Commands, release: str, user: str, uid: int) -> SlurmAt:
    """As `site` would have found it, for the user of a recording."""
    major, minor = release.split(".")[:2]
    return SlurmAt(commands, user, uid, (user,), release, (int(major), int(minor)), f"uid {uid}", "commands")
