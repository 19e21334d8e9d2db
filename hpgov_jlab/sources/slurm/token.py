"""The user's own JWT for slurmrestd (S17): out of a 0600 file, looked at locally before each call, never logged, never in a repr.

Slurm checks the signature, not we. Whoever holds root's or SlurmUser's token can be everybody (facts/slurm.md 2), so such a one is refused here.
A bad token is answered like an outage by several calls, which is why `exp` is checked before anything is sent.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
import pwd
import stat
import time
from dataclasses import dataclass, field

from ...model.outcome import Ask, Failure, Layer, State
from .guard import is_value

MAX_BYTES = 16 * 1024
SLURM_USERS = frozenset({"root", "slurm"})


@dataclass(frozen=True, slots=True)
class Token:
    text: str = field(repr=False)
    user: str
    expires_at: float


def _no(state: State, code: str, ask: Ask = Ask.YOU, **params: str | float | None) -> Failure:
    return Failure(state, code, params, layer=Layer.WORKLOAD, ask=ask)


def read(path: str, expected: str, *, now: float, more_refused: frozenset[str] = frozenset()) -> Token:
    """The token in `path`, if it is `expected`'s and still valid.

    Raises Failure: NOT_CONFIGURED slurm_token_file, INVALID slurm_token_open (the file can be read by others), slurm_token_malformed, slurm_token_of_other,
    slurm_token_of_root, EXPIRED slurm_token_expired.
    """
    return check(_read(path), expected, now=now, more_refused=more_refused)


def _read(path: str) -> str:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        raise _no(State.NOT_CONFIGURED, "slurm_token_file", path=path) from None
    with os.fdopen(fd, "rb") as file:
        seen = os.fstat(fd)
        if not stat.S_ISREG(seen.st_mode) or seen.st_size > MAX_BYTES:
            raise _no(State.NOT_CONFIGURED, "slurm_token_file", path=path)
        if seen.st_mode & 0o077 or seen.st_uid != os.geteuid():
            raise _no(State.INVALID, "slurm_token_open", path=path)
        text = file.read(MAX_BYTES).decode("ascii", "replace").strip()
    return text.removeprefix("SLURM_JWT=")


def check(text: str, expected: str, *, now: float, more_refused: frozenset[str] = frozenset()) -> Token:
    """Raises Failure as `read` does."""
    parts = text.split(".")
    if len(parts) != 3 or not all(parts) or any(c not in _ALPHABET for part in parts for c in part):
        raise _no(State.INVALID, "slurm_token_malformed")
    try:
        claims = json.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
    except (ValueError, binascii.Error):
        raise _no(State.INVALID, "slurm_token_malformed") from None
    sun, exp = (claims.get("sun"), claims.get("exp")) if isinstance(claims, dict) else (None, None)
    if not isinstance(sun, str) or not is_value(sun) or isinstance(exp, bool) or not isinstance(exp, int | float):
        raise _no(State.INVALID, "slurm_token_malformed")
    if sun in SLURM_USERS or sun in more_refused or _uid(sun) == 0:
        raise _no(State.INVALID, "slurm_token_of_root", user=sun)
    if sun != expected:
        raise _no(State.INVALID, "slurm_token_of_other", found=sun, wanted=expected)
    if exp <= now:
        raise _no(State.EXPIRED, "slurm_token_expired", expired_at=float(exp))
    return Token(text, sun, float(exp))


def read_now(path: str, expected: str, more_refused: frozenset[str] = frozenset()) -> Token:
    """Against this machine's clock, which is what Slurm's answer would be about a moment later."""
    return read(path, expected, now=time.time(), more_refused=more_refused)


def _uid(name: str) -> int | None:
    try:
        return pwd.getpwnam(name).pw_uid
    except KeyError:
        return None


_ALPHABET = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=")
