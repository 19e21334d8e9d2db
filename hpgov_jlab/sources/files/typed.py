"""Namespaces that a person typed once in the panel: JupyterLab keeps them in her settings, and the server reads them there (DESIGN.md 5).

A value of a URL is only looked up and never becomes part of an upstream path; her own settings file is the way by which a name she typed gets here.
The file is JSON with comments, as JupyterLab writes it.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from pathlib import Path

import json5

from ...model.outcome import Ask, Failure, Layer, State
from ...reads import Deadline, Key, Read

SETTINGS = Path("hpgov-jlab") / "client.jupyterlab-settings"
MOST_BYTES = 16 * 1024  # json5 is slow: 48 KiB would cost seconds of processor time
MOST_NAMES = 20
NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")

Typed = Mapping[str, tuple[str, ...]]
"""Connection id -> the namespaces typed for it."""


def typed_namespaces(folder: str) -> Read[Typed]:
    """The setting `namespaces` of the person whose server this is. No file: nothing was typed. Raises Failure(INVALID) for a file that is no such settings."""

    def fetch(_: Deadline) -> Typed:
        path = os.path.join(folder, SETTINGS)
        try:
            with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise _invalid("no_file")
                data = file.read(MOST_BYTES + 1)
        except FileNotFoundError:
            return {}
        except OSError:
            raise _invalid("unreadable") from None
        if len(data) > MOST_BYTES:
            raise _invalid("too_large")
        try:
            found = json5.loads(data.decode("utf-8"))
        except (ValueError, RecursionError):
            raise _invalid("no_json") from None
        return _names(found)

    return Read(Key(f"uid {os.geteuid()}", "files", "typed", folder), "files", "your settings", fetch, ttl=5.0, floor=1.0)


def _names(found: object) -> Typed:
    given = found.get("namespaces", {}) if isinstance(found, dict) else None
    if not isinstance(given, dict):
        raise _invalid("no_names")
    typed: dict[str, tuple[str, ...]] = {}
    for connection, names in given.items():
        if not isinstance(names, list) or len(names) > MOST_NAMES or not all(isinstance(n, str) and NAME.fullmatch(n) for n in names):
            raise _invalid("no_names")
        typed[str(connection)] = tuple(dict.fromkeys(names))
    return typed


def _invalid(why: str) -> Failure:
    return Failure(State.INVALID, "typed_settings_invalid", {"why": why}, layer=Layer.WORKLOAD, ask=Ask.YOU)
