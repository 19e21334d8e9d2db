"""The allow list of Kubernetes: every request that this product sends to an API server, who has to grant it, and what it is for.

One table. The guard enforces it on the request target as sent (S1), the RBAC manifests and the Access tab are made from it, and the API
server's audit log is compared with it. Sources: facts/kubernetes.md 1.4, 2.1, 2.2; facts/hyperpod.md 2.8 and 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ..model.kinds import KINDS, Kind


class Grant(StrEnum):
    """Which manifest grants an operation."""

    EVERYONE = "everyone"  # system:discovery and system:basic-user give it to every authenticated identity
    TEAM = "team"  # the manifest *team*
    COHORT_READER = "cohort_reader"  # the manifest *cohort reader*: other teams' queues pass through memory (DESIGN.md 2.2)


@dataclass(frozen=True, slots=True)
class Operation:
    """One template of a request. `verb` is RBAC's word; GET is sent for get and list, POST for create.

    `versions` are those whose shape we know, the preferred first. `query` names the permitted query parameters. `path` is set for the requests
    that are no resource (discovery). `read` and `purposes` are codes of words.py, section access.
    """

    id: str
    verb: str
    group: str
    resource: str
    versions: tuple[str, ...]
    namespaced: bool
    named: bool
    read: str
    purposes: tuple[str, ...]
    grant: Grant = Grant.TEAM
    subresource: str = ""
    query: frozenset[str] = frozenset()
    path: str = ""

    @property
    def method(self) -> str:
        return "POST" if self.verb == "create" else "GET"

    @property
    def kind(self) -> str:
        """`workloads.kueue.x-k8s.io`, `localqueues/pendingworkloads.visibility.kueue.x-k8s.io`: as kubectl and people quote it."""
        resource = f"{self.resource}/{self.subresource}" if self.subresource else self.resource
        return f"{resource}.{self.group}" if self.group else resource

    @property
    def source(self) -> str:
        """`list workloads.kueue.x-k8s.io`, quoted to people."""
        return f"{self.verb} {self.path or self.kind}"

    @property
    def shape(self) -> tuple[str, str, str, str, bool, bool]:
        """As the audit log says it: verb, group, resource, subresource, whether a namespace and whether a name was given.

        For a namespace itself the API server gives its name as its namespace too, which is why a Role inside it can grant reading it.
        """
        itself = not self.group and self.resource == "namespaces"
        return (self.verb, self.group, self.resource, self.subresource, self.namespaced or itself, self.named)


KUEUE, VISIBILITY = "kueue.x-k8s.io", "visibility.kueue.x-k8s.io"
KUEUE_VERSIONS = ("v1beta2", "v1beta1")
COHORT_VERSIONS = ("v1beta2", "v1beta1", "v1alpha1")
PAGED = frozenset({"limit", "continue"})

_QUOTA = ("needed_share", "needed_line")


def _list(name: str, group: str, resource: str, versions: tuple[str, ...], read: str, *purposes: str, query: frozenset[str] = PAGED) -> Operation:
    return Operation(name, "list", group, resource, versions, True, False, read, purposes, query=query)


def kind_operation(kind: Kind) -> Operation:
    """The list of one kind of task."""
    return _list(f"list_{kind.plural}", kind.group, kind.plural, kind.versions, "read_tasks_of_kind", "needed_tasks", "needed_task_page")


DISCOVERY = Operation("discovery", "get", "", "", (), False, False, "read_discovery", ("needed_kinds",), Grant.EVERYONE, path="/apis")
NAMESPACE = Operation("get_namespace", "get", "", "namespaces", ("v1",), False, True, "read_namespace", ("needed_contracts", "needed_governed"))
LOCAL_QUEUES = _list("list_localqueues", KUEUE, "localqueues", KUEUE_VERSIONS, "read_local_queues", "needed_queue", "needed_manifest")
CLUSTER_QUEUE = Operation("get_clusterqueue", "get", KUEUE, "clusterqueues", KUEUE_VERSIONS, False, True, "read_cluster_queue", _QUOTA)
WORKLOADS = _list("list_workloads", KUEUE, "workloads", KUEUE_VERSIONS, "read_workloads", "needed_tasks", "needed_share_holders", "needed_line")
PENDING = Operation(
    "get_pendingworkloads", "get", VISIBILITY, "localqueues", ("v1beta2", "v1beta1"), True, True, "read_pending", ("needed_line",),
    subresource="pendingworkloads", query=frozenset({"limit"}),
)  # fmt: skip
PODS = _list("list_pods", "", "pods", ("v1",), "read_pods", "needed_no_node", "needed_task_page")
EVENTS = _list("list_events", "", "events", ("v1",), "read_events", "needed_task_page")
FLAVORS = Operation("list_resourceflavors", "list", KUEUE, "resourceflavors", KUEUE_VERSIONS, False, False, "read_flavors", ("needed_share",), query=PAGED)
PRIORITIES = Operation(
    "list_workloadpriorityclasses", "list", KUEUE, "workloadpriorityclasses", KUEUE_VERSIONS, False, False, "read_priorities", ("needed_manifest",), query=PAGED
)  # fmt: skip
COHORT_QUEUES = Operation(
    "list_clusterqueues", "list", KUEUE, "clusterqueues", KUEUE_VERSIONS, False, False, "read_cohort_queues", ("needed_cohort",),
    Grant.COHORT_READER, query=PAGED,
)  # fmt: skip
COHORTS = Operation(
    "list_cohorts", "list", KUEUE, "cohorts", COHORT_VERSIONS, False, False, "read_cohorts", ("needed_cohort",), Grant.COHORT_READER, query=PAGED
)
ACCESS_REVIEW = Operation(
    "review_access", "create", "authorization.k8s.io", "selfsubjectaccessreviews", ("v1",), False, False, "read_access", ("needed_access",), Grant.EVERYONE
)
SELF_REVIEW = Operation(
    "review_self", "create", "authentication.k8s.io", "selfsubjectreviews", ("v1",), False, False, "read_self", ("needed_identity",), Grant.EVERYONE
)

TASKS: tuple[Operation, ...] = tuple(kind_operation(kind) for kind in KINDS)
READS: tuple[Operation, ...] = (
    NAMESPACE, LOCAL_QUEUES, CLUSTER_QUEUE, WORKLOADS, PENDING, PODS, EVENTS, FLAVORS, PRIORITIES, *TASKS, COHORT_QUEUES, COHORTS,
)  # fmt: skip
ALLOWED: tuple[Operation, ...] = (DISCOVERY, *READS, ACCESS_REVIEW, SELF_REVIEW)
BY_ID: dict[str, Operation] = {operation.id: operation for operation in ALLOWED}

Template = tuple[str, str, str, str, bool, bool]  # method, group, resource, subresource, namespaced, named
BY_TEMPLATE: dict[Template, Operation] = {(o.method, o.group, o.resource, o.subresource, o.namespaced, o.named): o for o in ALLOWED if not o.path}

DISCOVERED: dict[str, tuple[str, ...]] = {}
"""Group -> versions whose shape we know: what discovery without aggregation is asked for, one document each."""
for _operation in READS:
    if _operation.group:
        DISCOVERED[_operation.group] = tuple(dict.fromkeys((*DISCOVERED.get(_operation.group, ()), *_operation.versions)))
DISCOVERY_PATHS: frozenset[str] = frozenset({DISCOVERY.path} | {f"/apis/{group}/{version}" for group, versions in DISCOVERED.items() for version in versions})

QUERY: dict[str, str] = {
    "limit": r"[1-9][0-9]{0,3}",
    "continue": r"[A-Za-z0-9_=+/.~-]{1,8192}",
}
"""Query parameter -> regular expression that its value matches whole."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a SelfSubjectAccessReview: may I `verb` this, here? `namespace` "" asks for the whole cluster."""

    verb: str
    group: str
    resource: str
    namespace: str = ""
    name: str = ""
    subresource: str = ""


_ASKED = {(o.verb, o.group, o.resource, o.subresource) for o in READS}
_ASKED |= {("create", kind.group, kind.plural, "") for kind in KINDS}  # may this role submit (S4, and the check's *accepted*)
_ASKED |= {("create", "", "pods", "")}
_ASKED |= {(verb, "", "namespaces", "") for verb in ("update", "patch")}  # who can write the contract's annotation (DESIGN.md 6)
QUESTIONS: frozenset[tuple[str, str, str, str]] = frozenset(_ASKED)
"""Verb, group, resource, subresource of every question that may be asked (S16)."""

REVIEWS_PER_NAMESPACE = 60
REVIEW_SECONDS = 300.0
"""At most so many self-reviews per namespace in so many seconds; an answer is kept as long (S16)."""


def question(operation: Operation, namespace: str = "", name: str = "") -> Question:
    """Whether one of our own reads is allowed. A namespace is asked for in its own namespace, as the API server does."""
    if operation is NAMESPACE:
        return Question("get", "", "namespaces", name or namespace, name or namespace)
    return Question(operation.verb, operation.group, operation.resource, namespace if operation.namespaced else "", name, operation.subresource)
