"""The platform file `hpgov.yaml`: believed only where the server's user cannot have written it (DESIGN.md 6; 14, file ownership).

Every component of its path, from the root to the file, must belong to root, be writable by nobody else (the mode's group bits also show what an access
control list grants) and be refused for writing to this process by access(2). A server that runs as root can write everything and is never believed.
What no check can see: a user with sudo. The docs say so.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from typing import TypeVar

from ...model.outcome import Ask, Failure, Layer, State
from ...reads import Deadline, Key, Read
from . import walk

T = TypeVar("T")
FILE_NAME = "hpgov.yaml"
USUAL_FOLDERS = ("/etc/hpgov", "/etc/jupyter", "/usr/local/etc/jupyter")
MOST_BYTES = 256 * 1024


def platform_file(path: str, digest: Callable[[bytes], T], *, believe: bool = False) -> Read[T]:
    """The platform file through `digest` (contracts.platform.parse_platform), in the worker.

    `path`: the trait, or empty for the first of USUAL_FOLDERS that holds one; a file there that is not to be believed is an error and not passed over.
    `believe`: whoever wrote it; the sandbox only, where nothing is real and every answer says so.
    Raises Failure: absent; invalid with the component that is not root's alone; denied; unreachable (a file system error).
    """

    def fetch(deadline: Deadline) -> T:
        deadline.check()
        for folder in (os.path.dirname(path),) if path else USUAL_FOLDERS:
            if path and os.path.basename(path) != FILE_NAME:
                raise _failure(State.INVALID, "platform_wrong_name", path)
            if not path and not os.path.lexists(f"{folder}/{FILE_NAME}"):
                continue  # nothing configured there: whose folder it is does not matter
            found = _believed(folder, None if believe else _check)
            if found is not None:
                return digest(found)
        raise _failure(State.ABSENT, "platform_absent", path or ", ".join(USUAL_FOLDERS))

    return Read(Key(f"uid {os.geteuid()}", "files", "platform", path), "files", f"read {path or FILE_NAME}", fetch, ttl=60.0)


def _failure(state: State, code: str, path: str) -> Failure:
    return Failure(state, code, {"path": os.fsencode(path).decode("utf-8", "backslashreplace")}, layer=Layer.ORGANISATION, ask=Ask.JUPYTER_ADMIN)


def _believed(folder: str, check: walk.Check | None) -> bytes | None:
    path = f"{folder}/{FILE_NAME}"
    try:
        with walk.folder(folder, check) as opened:
            return walk.read(opened, FILE_NAME, MOST_BYTES, check, path)
    except FileNotFoundError:
        return None
    except walk.HasLink as error:
        raise _failure(State.INVALID, "platform_has_link", str(error)) from None
    except (walk.NotRegular, walk.Changed):
        raise _failure(State.INVALID, "platform_not_regular", path) from None
    except ValueError:
        raise _failure(State.INVALID, "platform_not_plain", path) from None
    except PermissionError:
        raise _failure(State.DENIED, "platform_denied", path) from None
    except OSError as error:
        if error.errno in (errno.ENOTDIR, errno.ELOOP):
            raise _failure(State.INVALID, "platform_not_regular", path) from None
        raise _failure(State.UNREACHABLE, "platform_error", path) from None


def _check(parent: int | None, name: str, found: os.stat_result, path: str) -> None:
    if os.geteuid() == 0:
        raise _failure(State.INVALID, "platform_server_is_root", path)
    if found.st_uid != 0:
        raise _failure(State.INVALID, "platform_not_owned_by_root", path)
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise _failure(State.INVALID, "platform_writable_by_others", path)
    if os.access(name, os.W_OK, dir_fd=parent, effective_ids=os.access in os.supports_effective_ids):
        raise _failure(State.INVALID, "platform_writable", path)
