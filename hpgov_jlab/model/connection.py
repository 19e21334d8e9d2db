"""A connection (one project role's way to one cluster) and what is needed to reach its cluster."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Orchestrator(StrEnum):
    EKS = "EKS"
    SLURM = "SLURM"
    UNKNOWN = "UNKNOWN"


class PlaceKind(StrEnum):
    UNIFIED_STUDIO = "unified_studio"
    STUDIO = "studio"
    SPACE = "space"  # a HyperPod Space on the cluster itself
    POD = "pod"
    ELSEWHERE = "elsewhere"


@dataclass(frozen=True, slots=True)
class Place:
    """Where this server runs and on what evidence (facts/hyperpod.md 1.2). No field is a secret."""

    kind: PlaceKind
    evidence: str  # code in words.py: place_by_metadata, place_by_trait ...
    domain_id: str | None = None
    project_id: str | None = None
    user_id: str | None = None  # DataZone user id
    domain_region: str | None = None
    domain_endpoint: str | None = None  # DataZoneEndpoint of the metadata file, vetted (S9)
    region: str | None = None
    execution_role_arn: str | None = None
    repository: str | None = None  # name of the project's repository folder
    namespace: str | None = None  # of the Space or pod
    project_name: str | None = None


@dataclass(frozen=True, slots=True)
class Connection:
    """One connection. Two roles on one cluster are two connections (DESIGN.md 11). Facts come from the place's source only (S3)."""

    id: str  # short stable slug; looked up, never put into an upstream path
    name: str
    source: str  # datazone, trait, studio, kubeconfig, in_cluster
    orchestrator: Orchestrator
    cluster_name: str
    region: str | None
    account: str | None  # of the cluster
    cluster_arn: str | None = None
    connection_id: str | None = None  # DataZone's own
    access_role: str | None = None
    project_role: str | None = None
    project_id: str | None = None
    domain_id: str | None = None
    description: str | None = None
    configurations: dict[str, str] = field(default_factory=dict)
    namespaces: tuple[str, ...] = ()  # from a trait or the connection; a contract may add
    principal: str = ""  # whose rights reads of this connection use: part of every read's key


@dataclass(frozen=True, slots=True)
class Reach:
    """How to talk to one Kubernetes API server: nothing of AWS in it. The token is a secret and never in a repr."""

    endpoint: str  # https://host[:port]
    ca_pem: str
    token: str = field(repr=False)
    signed_at: float  # epoch seconds; decides what a 401 means (DESIGN.md 4)
    server_key: str = ""  # lane of the far end, one per API server
