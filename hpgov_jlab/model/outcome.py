"""The one vocabulary for how a read ended (DESIGN.md 4): state, code with parameters, the layer that decides and whom to ask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, TypeVar

T = TypeVar("T")

Params = Mapping[str, str | int | float | None]


class State(StrEnum):
    """Every state of a part. `pending` is the only one that no far end can cause."""

    OK = "ok"
    PENDING = "pending"
    DENIED = "denied"
    ABSENT = "absent"
    UNREACHABLE = "unreachable"
    THROTTLED = "throttled"
    EXPIRED = "expired"
    NOT_CONFIGURED = "not_configured"
    INVALID = "invalid"


KEEPS_DATA = frozenset({State.OK, State.PENDING, State.UNREACHABLE, State.THROTTLED, State.EXPIRED})
"""States under which the last good data may still be shown, with its age. Every other state drops the rows at once."""


class Layer(StrEnum):
    """The layer of governance that decides what a read met."""

    ORGANISATION = "organisation"
    PROJECT = "project"
    CLUSTER = "cluster"
    WORKLOAD = "workload"


class Ask(StrEnum):
    """Who can change an outcome."""

    NOBODY = "nobody"  # wait: it passes by itself
    YOU = "you"
    PROJECT_OWNER = "project_owner"
    ACCOUNT_ADMIN = "account_admin"  # IAM of the account that owns the role or the cluster
    ORGANISATION_ADMIN = "organisation_admin"  # service and resource control policies
    CLUSTER_ADMIN = "cluster_admin"  # access entries, RBAC, Kueue, Slurm
    JUPYTER_ADMIN = "jupyter_admin"  # image, traits, network of the place where JupyterLab runs
    CONTRACT_OWNER = "contract_owner"


class Blame(StrEnum):
    """What a read that ended unreachable says of the far end it was sent to: it decides whether others are still sent there (reads.py)."""

    FAR_END = "far_end"  # nothing of it was heard: it is down, or the way to it
    PART = "part"  # it answered that what serves this group is down: the others of the group would meet the same
    TROUBLE = "trouble"  # it answered that it is in trouble: over this read, as far as is known, until another one meets the same
    READ = "read"  # it answered, and this read alone fails


@dataclass(frozen=True, slots=True)
class Phrase:
    """A code of `words.py` with its named parameters: what travels instead of a sentence."""

    code: str
    params: dict[str, str | int | float | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the last try of a read, or of a part made from several, ended.

    `at` is seconds since the epoch by this server's clock, None when nothing was tried yet. `source` names the upstream
    operation ("sagemaker:DescribeCluster", "list workloads.kueue.x-k8s.io"), for the person to quote to an administrator.
    """

    state: State
    code: str
    source: str
    at: float | None = None
    params: dict[str, str | int | float | None] = field(default_factory=dict)
    layer: Layer = Layer.CLUSTER
    ask: Ask = Ask.NOBODY


class Failure(Exception):
    """What a source raises when a read did not bring data. Never carries upstream text, keys or bodies beyond `params`."""

    def __init__(
        self, state: State, code: str, params: Params | None = None, *, layer: Layer = Layer.CLUSTER, ask: Ask = Ask.NOBODY, source: str = "",
        blames: Blame = Blame.FAR_END,
    ) -> None:  # fmt: skip
        super().__init__(f"{state}: {code}")
        self.state, self.code, self.params = state, code, dict(params or {})
        self.layer, self.ask, self.source, self.blames = layer, ask, source, blames

    def outcome(self, source: str, at: float) -> Outcome:
        return Outcome(self.state, self.code, self.source or source, at, self.params, self.layer, self.ask)


@dataclass(frozen=True, slots=True)
class Reading(Generic[T]):
    """What is known of one read: old data and a failed last try can stand together.

    `as_of` is when `data` was read (epoch seconds); `skew` is upstream clock minus ours in seconds, from its `Date` header,
    None where the upstream has none; `seconds` how long the last try took.
    """

    data: T | None
    as_of: float | None
    last: Outcome
    skew: float | None = None
    seconds: float | None = None

    @property
    def ok(self) -> bool:
        return self.last.state is State.OK

    def __repr__(self) -> str:  # data may hold other people's secrets: a debugger's or logger's repr shows none of it
        return f"Reading({self.last.state}, {self.last.code}, as_of={self.as_of})"


def pending(source: str, code: str = "not_read_yet", params: dict[str, Any] | None = None) -> Outcome:
    return Outcome(State.PENDING, code, source, None, params or {})
