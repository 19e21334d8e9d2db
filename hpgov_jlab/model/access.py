"""What is read, what for, whether it is allowed, and who grants it (DESIGN.md 4): the Access tab's table, and text made to be copied."""

from __future__ import annotations

from dataclasses import dataclass, field

from .outcome import Ask, Layer, Outcome


@dataclass(frozen=True, slots=True)
class AccessRow:
    """`read` and `needed_for` are codes of words.py (section access). `last` says allowed (ok) or how it failed; PENDING: not tried."""

    read: str
    operation: str  # the upstream's own name: sagemaker:DescribeCluster, list workloads.kueue.x-k8s.io
    scope: str  # ARN or namespace it is asked for
    needed_for: tuple[str, ...]
    last: Outcome
    grants: Ask
    layer: Layer


@dataclass(frozen=True, slots=True)
class CopyText:
    """Text finished by a serialiser to be copied (S5). `kind`: iam, trust, rbac, slurm, command, yaml. None text: a value in it may not be copied."""

    kind: str
    title: str  # code of words.py
    text: str | None
    ask: Ask


@dataclass(frozen=True, slots=True)
class NamedBy:
    """A name and how we know it: read from the cluster, or made by HyperPod's naming rule and marked *not read*."""

    name: str
    read: bool
    namespace: str | None = None  # of a queue: where it is


@dataclass(frozen=True, slots=True)
class LabelsToCopy:
    """The metadata to paste for one queue of one namespace."""

    namespace: str
    queue: str
    copy: CopyText


@dataclass(frozen=True, slots=True)
class PriorityClass:
    name: str
    value: int


@dataclass(frozen=True, slots=True)
class ManifestBox:
    """What to write in the manifest."""

    namespaces: tuple[NamedBy, ...] = ()
    queues: tuple[NamedBy, ...] = ()
    priority_classes: tuple[PriorityClass, ...] | None = None  # None: not readable, see the part's readings
    service_accounts: tuple[NamedBy, ...] = field(default_factory=tuple)
    labels: tuple[LabelsToCopy, ...] = ()
