"""Runs a function in a child process as `nobody`: file ownership and modes mean nothing to root."""

from __future__ import annotations

import ctypes
import os
import pickle
import pwd
import struct
from collections.abc import Callable
from typing import Any, TypeVar

import pytest

T = TypeVar("T")

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="makes files that belong to root and drops to `nobody`: run as root")


CAP_DAC_OVERRIDE = 1
_PR_SET_KEEPCAPS = 8
_CAPABILITY_VERSION_3 = 0x20080522


def _keep_only(capability: int, change_user: Callable[[], None]) -> None:
    """Change the user and keep one capability, as a container's runtime may arrange it (capset(2), prctl(2))."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_KEEPCAPS, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")
    change_user()
    header = struct.pack("<Ii", _CAPABILITY_VERSION_3, 0)
    mask = 1 << capability
    if libc.capset(header, struct.pack("<6I", mask, mask, 0, 0, 0, 0)):
        raise OSError(ctypes.get_errno(), "capset")


def as_nobody(function: Callable[[], T], *, capability: int | None = None) -> T:
    """The function's result, or its exception raised here. Forked, so that nothing is imported as nobody; results travel pickled."""
    entry = pwd.getpwnam("nobody")
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        answer: tuple[bool, Any]
        try:
            os.close(reading)
            os.setgroups([])
            os.setgid(entry.pw_gid)
            if capability is None:
                os.setuid(entry.pw_uid)
            else:
                _keep_only(capability, lambda: os.setuid(entry.pw_uid))
            answer = (True, function())
        except BaseException as error:  # noqa: BLE001 (travels to the parent)
            answer = (False, f"{type(error).__name__}: {error}")
        with os.fdopen(writing, "wb") as pipe:
            pickle.dump(answer, pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    good, result = pickle.loads(data)
    if not good:
        raise AssertionError(f"as nobody: {result}")
    made: T = result
    return made
