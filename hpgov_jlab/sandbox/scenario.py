"""What a sandbox consists of: accounts, roles, a domain with its projects and connections, clusters, buckets, the place, and the files in it.

A scenario is a constant of frozen dataclasses in a module of `scenarios/`. Python and not YAML, because most scenarios are the default one
with a few things replaced: `dataclasses.replace` says exactly those, mypy checks them, and no second schema and loader has to be kept.
Contracts and platform files are text as a customer would keep it; `today+12` in them becomes a date when the scenario is loaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .slurm.cluster import SlurmCluster

Statement = Mapping[str, Any]
"""One IAM statement, as its JSON: Effect, Action or NotAction, Resource, Principal, Condition."""


class ScenarioError(ValueError):
    """A scenario does not hold together, or there is none of that name. Says everything that is wrong with it."""


# -- accounts ----------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Denial:
    """Something outside the role that refuses it: actions and resources as IAM patterns, `reason` a name of `aws.denials.REASONS`."""

    actions: tuple[str, ...]
    resources: tuple[str, ...] = ("*",)
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """An IAM role: what it may do (`policies`, `boundary`), what else refuses it, and who may assume it (`trust`)."""

    arn: str
    policies: tuple[Statement, ...] = ()
    trust: tuple[Statement, ...] = ()
    boundary: tuple[Statement, ...] | None = None
    denials: tuple[Denial, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Whose keys the container credential endpoint hands out: a session of `role`, with its session tags."""

    role: str  # ARN
    name: str
    tags: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebIdentity:
    """A service account token that STS takes for `role` (IRSA). The token is invented and works here only."""

    token: str = field(repr=False)
    provider: str  # ARN of the OIDC provider
    subject: str
    role: str  # ARN
    expired: bool = False


# -- DataZone ----------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A user profile of the domain. `id` is DataZone's, `name` the SSO user name or, for IAM, the role's ARN."""

    id: str
    name: str
    kind: Literal["SSO", "IAM"] = "SSO"
    first_name: str = ""
    last_name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    person: str  # Person.id
    designation: str = "PROJECT_CONTRIBUTOR"


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    id: str
    name: str
    role: str  # ARN of the project user role: the only principal that DataZone takes for a member here
    description: str = ""
    members: tuple[Member, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """A HYPERPOD connection of a project to a cluster. `account` and `region` are where the cluster is."""

    id: str
    name: str
    project: str  # Project.id
    cluster: str  # HyperPodCluster.arn
    access_role: str | None
    description: str | None = None
    properties: Mapping[str, str] = field(default_factory=dict)  # configurations[].properties: the platform's words
    account: str | None = None  # None: the cluster's
    region: str | None = None  # None: the cluster's
    states_cluster: bool = True  # False: without clusterArn and orchestrator, both optional in the model


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    id: str
    name: str
    region: str
    account: str
    unit: str  # the root domain unit
    people: tuple[Person, ...] = ()
    projects: tuple[Project, ...] = ()
    connections: tuple[Connection, ...] = ()


# -- clusters ----------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A node of a HyperPod cluster. One without `instance_id` is still being provisioned: only lists with logical ids show it."""

    group: str
    instance_type: str
    logical_id: str
    instance_id: str | None
    status: str = "Running"
    message: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    name: str
    instance_type: str
    current: int
    target: int
    status: str = "InService"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    id: str
    minutes_ago: int
    description: str
    level: str = "Info"
    resource_type: str = "Cluster"
    group: str | None = None
    instance_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HyperPodCluster:
    """A HyperPod cluster. `eks` is the ARN of its EKS cluster; None means that Slurm orchestrates it."""

    name: str
    arn: str
    eks: str | None
    groups: tuple[Group, ...]
    nodes: tuple[Node, ...] = ()
    events: tuple[Event, ...] = ()
    status: str = "InService"
    failure: str | None = None
    created: str = "2026-03-02T09:00:00Z"
    recovery: str = "Automatic"
    continuous: bool = True  # NodeProvisioningMode Continuous; without it there are no events (facts/aws.md 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessPolicy:
    """An EKS access policy of an entry; `namespaces` None is the whole cluster."""

    name: str
    namespaces: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessEntry:
    """What an EKS cluster makes of a role: a Kubernetes user name (`{{SessionName}}` is filled in), groups, access policies."""

    role: str  # ARN
    groups: tuple[str, ...] = ()
    policies: tuple[AccessPolicy, ...] = ()
    username: str | None = None  # None: EKS's own form

    def username_for(self, session_name: str) -> str:
        account, name = self.role.split(":")[4], self.role.rpartition("/")[2]
        return (self.username or f"arn:aws:sts::{account}:assumed-role/{name}/{{{{SessionName}}}}").replace("{{SessionName}}", session_name)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceAccount:
    """A Kubernetes service account whose token the API server takes. The token is invented and works here only."""

    namespace: str
    name: str
    token: str = field(repr=False)
    cluster: str  # EksCluster.name

    @property
    def username(self) -> str:
        return f"system:serviceaccount:{self.namespace}:{self.name}"

    @property
    def groups(self) -> tuple[str, ...]:
        return ("system:serviceaccounts", f"system:serviceaccounts:{self.namespace}", "system:authenticated")


@dataclass(frozen=True, slots=True, kw_only=True)
class EksCluster:
    """An EKS cluster: which recording the Kubernetes far end replays for it, and who gets in.

    `endpoint` "private-without-route" answers eks:DescribeCluster with an address that no packet comes back from. `objects` are RBAC
    objects that the customer's administrator added to what is recorded, `annotations` those of namespaces.
    """

    name: str
    arn: str
    recording: str
    endpoint: Literal["public", "private-without-route"] = "public"
    version: str = "1.33"
    status: str = "ACTIVE"
    entries: tuple[AccessEntry, ...] = ()
    objects: tuple[Mapping[str, Any], ...] = ()
    annotations: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    created: str = "2026-02-27T08:00:00Z"


# -- S3 ----------------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One version of an object; `id` is "null" in a bucket without versioning. `text` None is a delete marker."""

    id: str
    text: str | None
    days_ago: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class S3Object:
    key: str
    versions: tuple[Version, ...]  # newest first


@dataclass(frozen=True, slots=True, kw_only=True)
class Bucket:
    name: str
    account: str
    region: str
    versioned: bool = True
    objects: tuple[S3Object, ...] = ()


# -- the scenario ------------------------------------------------------------------------------------------------------------
PlaceName = Literal["unified_studio", "studio", "space", "elsewhere"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """Everything of one sandbox. `metadata` is resource-metadata.json, None where the place has no such file.

    `files` are the project folder's, by path; `platform_file` is the text of hpgov.yaml, None where no administrator wrote one.
    `traits` are settings of the product that the place needs; `faults` are switched on at start, in the command line's form.
    """

    name: str
    title: str
    place: PlaceName
    region: str  # AWS_REGION of the place
    metadata: Mapping[str, Any] | None = None
    roles: tuple[Role, ...] = ()
    session: Session | None = None  # None: no container credential endpoint, no AWS
    web_identity: WebIdentity | None = None
    domain: Domain | None = None
    clusters: tuple[HyperPodCluster, ...] = ()
    eks: tuple[EksCluster, ...] = ()
    slurm: SlurmCluster | None = None  # the one whose clients this machine has
    service_account: ServiceAccount | None = None
    buckets: tuple[Bucket, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    platform_file: str | None = None
    traits: Mapping[str, Any] = field(default_factory=dict)
    faults: tuple[str, ...] = ()

    def role(self, arn: str) -> Role | None:
        return next((role for role in self.roles if role.arn == arn), None)

    def cluster(self, arn: str) -> HyperPodCluster | None:
        return next((cluster for cluster in self.clusters if cluster.arn == arn), None)

    def project_of(self, role_arn: str) -> Project | None:
        """The project whose member this role is."""
        return next((project for project in (self.domain.projects if self.domain else ()) if project.role == role_arn), None)
