"""The register of operations that the far end answers, and what they have in common: the call, pages, times.

`sagemaker`, `eks`, `datazone`, `sts` and `s3` fill it, each operation with the IAM action and resource that it needs.
Everything that is not in `OPERATIONS` is refused, whoever asks.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeVar

from ..faults import Faults
from ..scenario import Scenario
from . import models
from .errors import Kind, error
from .keys import KeyStore, Principal

T = TypeVar("T")
Params = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where an API server of the Kubernetes far end listens: what eks:DescribeCluster then says. `ca_pem` is PEM text."""

    url: str
    ca_pem: str


@dataclass(frozen=True, slots=True)
class Call:
    """One call: who, where and when. `now` and `started` (of the far end) are epoch seconds by its clock; `caller` is None for unsigned calls."""

    scenario: Scenario
    caller: Principal | None
    region: str
    now: float
    started: float
    faults: Faults
    keys: KeyStore
    endpoints: dict[str, Endpoint] = field(default_factory=dict)

    @property
    def who(self) -> Principal:
        if self.caller is None:
            raise error(Kind.NO_KEYS, "query", "Missing Authentication Token")
        return self.caller


Run = Callable[[Call, Params], dict[str, Any]]
Resource = Callable[[Call, Params], str]
Conditions = Callable[[Params], dict[str, str]]


@dataclass(frozen=True, slots=True)
class Operation:
    action: str | None  # IAM action, None where no permission is asked
    resource: Resource
    run: Run
    conditions: Conditions = lambda params: {}  # what IAM knows of this request: condition keys and their values
    public: bool = False  # answers unsigned requests


OPERATIONS: dict[tuple[str, str], Operation] = {}


def operation(
    service: str,
    name: str,
    *,
    action: str | None = "",
    resource: Resource = lambda call, params: "*",
    conditions: Conditions = lambda params: {},
    public: bool = False,
) -> Callable[[Run], Run]:
    """Registers what answers an operation; its IAM action is "service:Name" unless said otherwise."""

    def register(run: Run) -> Run:
        OPERATIONS[(service, name)] = Operation(f"{service}:{name}" if action == "" else action, resource, run, conditions, public)
        return run

    return register


def page(call: Call, on: str, items: Sequence[T], size: int, token: str | None) -> tuple[list[T], str | None]:
    """One page and the token of the next. Tokens are opaque to callers; one that we did not make is refused. Fault: empty-page."""
    start = 0
    if token:
        try:
            start = int(json.loads(base64.urlsafe_b64decode(token.encode()))["at"])
        except (ValueError, KeyError, TypeError, binascii.Error):
            service = on.partition(":")[0]
            raise error(Kind.INVALID, models.protocol(service), "The token is not valid", service=service) from None
    elif call.faults.take("empty-page", on) is not None:
        return [], _token(0)
    end = start + size
    return list(items[start:end]), _token(end) if end < len(items) else None


def _token(at: int) -> str:
    return base64.urlsafe_b64encode(json.dumps({"at": at}).encode()).decode()


def moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(int(seconds), UTC)
