"""Keys that the far end has issued, and the principals behind them. Every key is invented and works on this far end only."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Statement = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Principal:
    """A session of a role: who a request is from. `arn` is what GetCallerIdentity says, `role_arn` the role behind it."""

    arn: str
    role_arn: str
    account: str
    user_id: str
    session_name: str
    source_identity: str | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    session_policy: tuple[Statement, ...] | None = None  # None: no session policy was passed


@dataclass(frozen=True, slots=True)
class Keys:
    """One set of temporary keys. `expires` is epoch seconds by the far end's clock."""

    key_id: str
    secret: str = field(repr=False)
    token: str = field(repr=False)
    expires: float
    principal: Principal


class KeyStore:
    """All keys ever issued. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._issued: dict[str, Keys] = {}
        self._other: list[str] = []

    def issue(self, principal: Principal, expires: float) -> Keys:
        made = Keys(
            key_id=f"ASIASANDBOX{secrets.token_hex(5).upper()}",
            secret=f"sandbox-secret-{secrets.token_hex(16)}",
            token=f"sandbox-token-{secrets.token_hex(64)}",
            expires=expires,
            principal=principal,
        )
        with self._lock:
            self._issued[made.key_id] = made
        return made

    def find(self, key_id: str) -> Keys | None:
        with self._lock:
            return self._issued.get(key_id)

    def mark(self) -> str:
        """A made-up secret that no key has, to be planted where a careless client would repeat it."""
        planted = f"sandbox-secret-{secrets.token_hex(16)}"
        with self._lock:
            self._other.append(planted)
        return planted

    def secrets(self) -> tuple[str, ...]:
        """Every secret string that has left this far end: a test asserts that none turns up in logs, answers or errors."""
        with self._lock:
            return tuple(text for keys in self._issued.values() for text in (keys.secret, keys.token)) + tuple(self._other)


def session_principal(
    role_arn: str,
    session_name: str,
    *,
    source_identity: str | None = None,
    tags: Mapping[str, str] | None = None,
    session_policy: tuple[Statement, ...] | None = None,
) -> Principal:
    """The principal of a session of this role, with ARN and user id in STS's forms."""
    account, name = role_arn.split(":")[4], role_arn.rpartition("/")[2]
    unique = f"AROASANDBOX{sum(name.encode()) * 2654435761 % 16**10:010X}"  # stable per role name, shaped as a role's unique id
    return Principal(
        arn=f"arn:aws:sts::{account}:assumed-role/{name}/{session_name}",
        role_arn=role_arn,
        account=account,
        user_id=f"{unique}:{session_name}",
        session_name=session_name,
        source_identity=source_identity,
        tags=dict(tags or {}),
        session_policy=session_policy,
    )
