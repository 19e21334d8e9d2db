"""A HyperPod cluster as SageMaker describes it (facts/hyperpod.md 4.5), and who reads it."""

from __future__ import annotations

from dataclasses import dataclass

from .outcome import Phrase


@dataclass(frozen=True, slots=True)
class InstanceGroup:
    name: str
    instance_type: str
    current: int
    target: int
    status: str | None


@dataclass(frozen=True, slots=True)
class Cluster:
    """DescribeCluster, reduced. `status` is AWS's word as it came; unknown words are shown, never guessed."""

    name: str
    arn: str
    status: str
    orchestrator: str
    eks_arn: str | None
    failure: str | None
    created_at: float | None
    groups: tuple[InstanceGroup, ...]
    node_recovery: str | None
    provisioning: str | None


@dataclass(frozen=True, slots=True)
class Nodes:
    """ListClusterNodes with logical ids, counted: `by_status` holds every status met, pending ones included."""

    total: int
    by_status: dict[str, int]
    by_type: dict[str, int]
    pages: int
    complete: bool  # False: cut at the page bound


@dataclass(frozen=True, slots=True)
class EksCluster:
    """eks:DescribeCluster, reduced to what reaching the API server needs."""

    name: str
    arn: str
    status: str
    version: str | None
    endpoint: str | None
    ca_pem: str | None
    public: bool
    private: bool
    public_cidrs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Identity:
    """Whose identity reads: `arn` from GetCallerIdentity, `username` and groups from SelfSubjectReview."""

    arn: str | None
    account: str | None
    method: str | None  # botocore's provider name
    username: str | None = None
    groups: tuple[str, ...] = ()
    expected: bool | None = None  # None: nothing to compare with
    note: Phrase | None = None
