"""The guard on botocore: nothing that is not in the allow list is built, signed or sent (DESIGN.md 2.1, facts/aws.md 3).

It stands on three events, since no single one sees all: `provide-client-params` (every call, pager, waiter and presigned URL, before parameters
are validated), `before-sign` (also a bare signer) and `before-send` (the request as it leaves). It is registered on a session before any client of
it exists; a client copies the session's handlers when it is made.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import botocore.exceptions

from ...model.copying import copyable
from ...policy.aws import ALLOWED, BY_OPERATION, KEYS_OF_A_PROFILE, TOKEN_PARAMETER, Allowed, Reader, Rule
from ...policy.aws_names import ACCOUNT, BUCKET, EKS_NAME, parse_arn, role_name
from ...policy.render_aws import SESSION_POLICY_LIMIT
from .endpoints import is_destination

EVENTS = ("provide-client-params", "before-sign", "before-send")
ROLE_SECONDS = 3600
"""DurationSeconds of AssumeRole: what role chaining permits at most, and what every role permits at least."""
_ASSUMED_ACTIONS = frozenset(a.action for a in ALLOWED if Reader.ACCESS in a.readers and not a.exception)
_ATTRIBUTION = frozenset({"ExternalId", "SourceIdentity", "Tags"})


class Refused(botocore.exceptions.BotoCoreError):
    """A request of ours that the allow list does not have: our fault, whatever the reader may do. Never sent."""

    fmt = "{service}:{operation} is not allowed by this product ({why})"


@dataclass(frozen=True, slots=True)
class Prefix:
    """One configured place of contracts in S3. `prefix` ends in a slash or is empty; `owner` is the bucket's account."""

    bucket: str
    prefix: str
    owner: str
    region: str | None = None

    def __post_init__(self) -> None:
        if not BUCKET.fullmatch(self.bucket) or not ACCOUNT.fullmatch(self.owner) or (self.prefix and not self.prefix.endswith("/")):
            raise ValueError("not a contract prefix: bucket, owner's account and a prefix that ends in a slash are needed")
        if not copyable(self.prefix) or self.prefix.startswith("/") or ".." in self.prefix.split("/"):
            raise ValueError("not a prefix of keys")


class Guard:
    """One session's guard: its reader decides what of the allow list is open to it, its prefixes which S3 keys."""

    def __init__(self, reader: Reader, *, attributed: bool, prefixes: Callable[[], tuple[Prefix, ...]]) -> None:
        self._reader, self._attributed, self._prefixes = reader, attributed, prefixes

    def register(self, emitter: Any) -> None:
        """On a session's emitter, before any client. First among handlers of the bare event; those of a longer name (botocore's own) run before it."""
        for event in EVENTS:
            emitter.register_first(event, self.check, unique_id=f"hpgov-guard-{event}")

    def check(self, event_name: str, params: Mapping[str, Any] | None = None, **_: Any) -> None:
        """Raises Refused unless the operation is in the list for this reader; on `provide-client-params` its parameters too."""
        event, service, operation = event_name.split(".", 2)
        allowed = BY_OPERATION.get((service, operation))
        if allowed is None or self._reader not in allowed.readers:
            raise Refused(service=service, operation=operation, why="operation")
        if event == "provide-client-params":
            why = self._fault(allowed, params or {})
            if why:
                raise Refused(service=service, operation=operation, why=why)

    def _fault(self, allowed: Allowed, params: Mapping[str, Any]) -> str | None:
        names = params.keys()
        if not allowed.must <= names:
            return "a parameter is missing"
        if names - allowed.must - allowed.may:
            return "a parameter is not in the list"
        for name, value in allowed.fixed:
            if name in params and (type(params[name]) is not type(value) or params[name] != value):
                return f"the value of {name}"
        if allowed.rule is Rule.TOKEN:
            return None if TOKEN_PARAMETER not in params or EKS_NAME.fullmatch(str(params[TOKEN_PARAMETER])) else "the name of the EKS cluster"
        if allowed.rule is Rule.ASSUME:
            return self._assume_fault(params)
        if allowed.rule is Rule.PREFIX:
            return self._prefix_fault(params)
        return None

    def _assume_fault(self, params: Mapping[str, Any]) -> str | None:
        arn = parse_arn(params["RoleArn"])
        if arn is None or arn.service != "iam" or role_name(params["RoleArn"]) is None:
            return "the role"
        if params["DurationSeconds"] != ROLE_SECONDS:
            return "the duration"
        if self._attributed and not params.keys() >= _ATTRIBUTION:
            return "the attribution"
        text = params["Policy"]
        if len(text) > SESSION_POLICY_LIMIT:
            return "the length of the session policy"
        try:
            statements = json.loads(text)["Statement"]
            good = all(s["Effect"] == "Allow" and set(s["Action"]) <= _ASSUMED_ACTIONS and s["Resource"] != "*" for s in statements)
        except (ValueError, KeyError, TypeError):
            good = False
        return None if good else "the session policy"

    def _prefix_fault(self, params: Mapping[str, Any]) -> str | None:
        key = params.get("Key", params.get("Prefix"))
        for prefix in self._prefixes():
            if (params["Bucket"], params["ExpectedBucketOwner"]) != (prefix.bucket, prefix.owner):
                continue
            if "Prefix" in params and key == prefix.prefix:
                return None
            if "Key" in params and isinstance(key, str) and key.startswith(prefix.prefix) and len(key) > len(prefix.prefix):
                return None
        return "bucket, owner or key outside the configured prefixes"


class KeysGuard:
    """The guard of the session that fetches a profile's keys: botocore's credential providers, and nothing that reads or changes anything else."""

    def register(self, emitter: Any) -> None:
        for event in EVENTS:
            emitter.register_first(event, self.check, unique_id=f"hpgov-guard-{event}")

    def check(self, event_name: str, **_: Any) -> None:
        """Raises Refused."""
        _event, service, operation = event_name.split(".", 2)
        if (service, operation) not in KEYS_OF_A_PROFILE:
            raise Refused(service=service, operation=operation, why="operation")


def check_destination(service: str, operation: str, url: str, endpoint: str, region: str) -> None:
    """Raises Refused if a request is about to leave for another host than its client's (S9)."""
    if not is_destination(service, url, endpoint, region):
        raise Refused(service=service, operation=operation, why="the destination")
