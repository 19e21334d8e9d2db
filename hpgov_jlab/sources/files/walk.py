"""Opening files of a configured path without following a symlink in any component (DESIGN.md 14, S13).

Every step opens one name relative to the descriptor of the step before, so that a folder swapped while we walk is either the old one or an error,
never somewhere else. Files are opened without blocking: a FIFO would otherwise hold the worker until somebody writes.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_SEARCH = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_LIST = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC

Check = Callable[[int | None, str, os.stat_result, str], None]
"""Called for every component: descriptor of its parent (None for the root), its name, its stat, the path so far. Raises to refuse it."""


class HasLink(Exception):
    """A component is a symbolic link; `args[0]` is the path up to it."""


class NotRegular(Exception):
    """Not a regular file; `args[0]` is its kind: directory, fifo, socket, device, link."""


class Changed(Exception):
    """What was opened is not what was looked at: swapped in between."""


def parts(path: str) -> list[str]:
    """The components of an absolute path. Raises ValueError for a relative path and for `.` or `..`: they would be resolved in a way nobody configured."""
    if not path.startswith("/"):
        raise ValueError("not absolute")
    found = [part for part in path.split("/") if part]
    if "." in found or ".." in found:
        raise ValueError("not plain")
    return found


@contextmanager
def folder(path: str, check: Check | None = None) -> Iterator[int]:
    """A descriptor of the folder that can be listed. Raises HasLink, ValueError, OSError, and whatever `check` raises."""
    names = parts(path)
    here = os.open("/", _SEARCH if names else _LIST)
    try:
        if check is not None:
            check(None, "/", os.fstat(here), "/")
        for index, name in enumerate(names):
            so_far = "/" + "/".join(names[: index + 1])
            if stat.S_ISLNK(os.stat(name, dir_fd=here, follow_symlinks=False).st_mode):
                raise HasLink(so_far)
            inner = os.open(name, _LIST if index == len(names) - 1 else _SEARCH, dir_fd=here)
            parent, here = here, inner
            try:
                if check is not None:
                    check(parent, name, os.fstat(inner), so_far)
            finally:
                os.close(parent)
        yield here
    finally:
        os.close(here)


def kind_of(mode: int) -> str:
    """The kind of a file as a word for people; "file" for a regular one."""
    for test, name in ((stat.S_ISREG, "file"), (stat.S_ISLNK, "link"), (stat.S_ISDIR, "directory"), (stat.S_ISFIFO, "fifo"), (stat.S_ISSOCK, "socket")):
        if test(mode):
            return name
    return "device"


def read(parent: int, name: str, limit: int, check: Check | None = None, path: str = "") -> bytes:
    """At most `limit` + 1 bytes of a regular file. Raises NotRegular, Changed, OSError, and whatever `check` raises.

    Looked at before it is opened, since to open a device may already do something.
    """
    looked = os.stat(name, dir_fd=parent, follow_symlinks=False)
    if not stat.S_ISREG(looked.st_mode):
        raise NotRegular(kind_of(looked.st_mode))
    descriptor = os.open(name, _READ, dir_fd=parent)
    try:
        opened = os.fstat(descriptor)
        if (opened.st_dev, opened.st_ino) != (looked.st_dev, looked.st_ino) or not stat.S_ISREG(opened.st_mode):
            raise Changed
        if check is not None:
            check(parent, name, opened, path)
        found = bytearray()
        while len(found) <= limit:
            piece = os.read(descriptor, limit + 1 - len(found))
            if not piece:
                break
            found += piece
        return bytes(found)
    finally:
        os.close(descriptor)
