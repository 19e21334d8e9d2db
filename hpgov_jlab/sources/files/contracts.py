"""The contract folder of the project (`.hpgov/contracts/`): self-declared records (DESIGN.md 6; 14, S13)."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from typing import TypeVar

from ...model.contract import Kept, Problem, Rank
from ...model.outcome import Ask, Failure, Layer, Phrase, State
from ...reads import Deadline, Key, Read
from . import walk

T = TypeVar("T")
MOST_FILES = 200
MOST_BYTES = 256 * 1024
MOST_NAMES = 10_000  # a folder that big is not a contract folder
SUFFIXES = (".yaml", ".yml", ".json")
SPARE_SECONDS = 2.0
"""What is left of the deadline when no further file is begun: one hostile file may take a second."""


def contract_folder(project: str, below: str, digest: Callable[[Kept], T]) -> Read[tuple[T, ...]]:
    """The documents of one folder, in order of their names, each through `digest` (contracts.record.parse) in the worker.

    `project` is absolute; `below` is the configured folder under it. No component of the path may be a symlink. Files whose names begin with a dot, or
    that end otherwise than YAML and JSON do, are not contracts. A file that can't be read is a document with its problem, and harms no other. The
    version is None, "not recorded": a file's times say when it was checked out. Raises Failure: absent, denied, unreachable (a file system error) or
    invalid (a link in the path, too many names, no plain absolute path).
    """
    path = os.path.join(project, below)

    def fetch(deadline: Deadline) -> tuple[T, ...]:
        return tuple(digest(kept) for kept in _folder(path, below, deadline))

    # a far end of its own: the project may lie on a file system over the network, and what hangs there must not keep the own token from being read
    return Read(Key(f"uid {os.geteuid()}", "files-project", "contracts", path), "files-project", f"read {below}", fetch)


def _folder(path: str, below: str, deadline: Deadline) -> Iterator[Kept]:
    try:
        with walk.folder(path) as opened:
            names = _names(opened, path)
            for name in names[:MOST_FILES]:
                yield _file(opened, name, below, deadline)
            if len(names) > MOST_FILES:
                problem = Problem(below, None, None, Phrase("folder_too_many_files", {"limit": MOST_FILES, "count": len(names)}))
                yield Kept(Rank.FILE, below, below, problem=problem)
    except walk.HasLink as error:
        raise _failure(State.INVALID, "folder_has_link", str(error)) from None
    except ValueError:
        raise _failure(State.INVALID, "folder_not_plain", path) from None
    except FileNotFoundError:
        raise _failure(State.ABSENT, "folder_absent", path) from None
    except PermissionError:
        raise _failure(State.DENIED, "folder_denied", path) from None
    except OSError as error:
        if error.errno in (errno.ENOTDIR, errno.ELOOP):  # a file in the way, or swapped for a link after it was looked at
            raise _failure(State.INVALID, "folder_not_a_folder", path) from None
        raise Failure(State.UNREACHABLE, "folder_error", {"path": _shown(path), "error": _errno(error)}, layer=Layer.PROJECT) from None


def _failure(state: State, code: str, path: str) -> Failure:
    return Failure(state, code, {"path": _shown(path)}, layer=Layer.PROJECT, ask=Ask.PROJECT_OWNER)


def _names(opened: int, path: str) -> list[str]:
    found: list[str] = []
    with os.scandir(opened) as entries:
        for count, entry in enumerate(entries, start=1):
            if count > MOST_NAMES:
                raise Failure(State.INVALID, "folder_too_many_names", {"path": _shown(path), "limit": MOST_NAMES}, layer=Layer.PROJECT, ask=Ask.PROJECT_OWNER)
            if entry.name.lower().endswith(SUFFIXES) and not entry.name.startswith("."):
                found.append(entry.name)
    return sorted(found)


def _file(opened: int, name: str, below: str, deadline: Deadline) -> Kept:
    shown = _shown(name)
    where = f"{below.rstrip('/')}/{shown}"
    if deadline.remaining() < SPARE_SECONDS:
        return Kept(Rank.FILE, where, shown, problem=Problem(shown, None, None, Phrase("file_not_read_in_time")))
    try:
        return Kept(Rank.FILE, where, shown, walk.read(opened, name, MOST_BYTES))
    except walk.NotRegular as error:
        code = Phrase("file_link") if error.args[0] == "link" else Phrase("file_not_regular", {"kind": error.args[0]})
    except walk.Changed:
        code = Phrase("file_changed")
    except FileNotFoundError:
        code = Phrase("file_changed")
    except PermissionError:
        code = Phrase("file_denied")
    except OSError as error:
        code = Phrase("file_changed") if error.errno == errno.ELOOP else Phrase("file_error", {"error": _errno(error)})
    return Kept(Rank.FILE, where, shown, problem=Problem(shown, None, None, code))


def _errno(error: OSError) -> str:
    return errno.errorcode.get(error.errno or 0, "unknown")


def _shown(name: str) -> str:
    """A name that can travel: bytes that are no UTF-8 as escapes."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")
