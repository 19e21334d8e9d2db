"""RBAC made from the allow list: the manifests *team* and *cohort reader*, and the rules an administrator is asked for.

Built as data and finished by a YAML dump, never by a template (S5). Names come from the cluster or from HyperPod's naming rule, match
Kubernetes' grammar whole or are not used.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from ..model import naming
from ..model.copying import copyable
from .kubernetes import CLUSTER_QUEUE, NAMESPACE, READS, Grant, Operation, Question

Document = dict[str, Any]
Rule = dict[str, list[str]]

NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*")
_RBAC, _GROUP = "rbac.authorization.k8s.io/v1", "rbac.authorization.k8s.io"


@dataclass(frozen=True, slots=True)
class Subject:
    """Who is granted: the Kubernetes group or user of an access entry, or a service account in a namespace. Raises ValueError for other names."""

    kind: str  # Group, User, ServiceAccount
    name: str
    namespace: str = ""

    def __post_init__(self) -> None:
        if self.kind not in ("Group", "User", "ServiceAccount") or not self.name or not copyable(self.name) or len(self.name) > 512:
            raise ValueError("not a subject for a binding")
        if (self.kind == "ServiceAccount") != bool(self.namespace) or (self.namespace and not _is_name(self.namespace)):
            raise ValueError("a service account needs its namespace, and nothing else has one")

    def document(self) -> Document:
        if self.kind == "ServiceAccount":
            return {"kind": self.kind, "name": self.name, "namespace": self.namespace}
        return {"kind": self.kind, "apiGroup": _GROUP, "name": self.name}


def subject_of(username: str, groups: Sequence[str] = ()) -> Subject:
    """The narrowest subject that SelfSubjectReview's answer allows: the service account or the user; a group is its administrator's choice."""
    parts = username.split(":")
    if parts[:2] == ["system", "serviceaccount"] and len(parts) == 4:
        return Subject("ServiceAccount", parts[3], parts[2])
    return Subject("User", username)


def _is_name(text: str) -> bool:
    return len(text) <= 253 and NAME.fullmatch(text) is not None


def _check(names: Iterable[str]) -> None:
    for name in names:
        if not _is_name(name):
            raise ValueError("not a Kubernetes name")


def rules(operations: Iterable[Operation], names: dict[str, Sequence[str]] | None = None) -> list[Rule]:
    """One rule per API group and set of verbs. `names`: operation id -> resourceNames of a rule of its own."""
    together: dict[tuple[str, str], list[str]] = {}
    alone: list[Rule] = []
    for operation in operations:
        resource = f"{operation.resource}/{operation.subresource}" if operation.subresource else operation.resource
        if names and operation.id in names:
            alone.append({"apiGroups": [operation.group], "resources": [resource], "verbs": [operation.verb], "resourceNames": list(names[operation.id])})
        else:
            together.setdefault((operation.group, operation.verb), []).append(resource)
    return [{"apiGroups": [group], "resources": resources, "verbs": [verb]} for (group, verb), resources in together.items()] + alone


TEAM, COHORT_READER = "hpgov-team", "hpgov-cohort-reader"
"""Names of the objects that the published manifests make."""


def asked_for(subject: Subject, published: str) -> str:
    """A name of its own for what one person asks for: applied, it leaves alone what stands there by the published manifest, or for someone else."""
    whose = hashlib.sha256(f"{subject.kind} {subject.namespace} {subject.name}".encode()).hexdigest()
    return f"{published}-asked-{whose[:10]}"


def team(
    namespaces: Sequence[str], cluster_queues: Sequence[str], subject: Subject, operations: Iterable[Operation] = READS, *, called: str = TEAM
) -> list[Document]:
    """The manifest *team*: a Role in each namespace, and a ClusterRole for the own ClusterQueues by name, flavours and priority classes.

    `operations` narrows it to what is missing; then it is `called` otherwise (`asked_for`). Raises ValueError for names that Kubernetes would not take.
    """
    _check((*namespaces, *cluster_queues))
    wanted = [o for o in operations if o.grant is Grant.TEAM]
    inside = [o for o in wanted if o.namespaced or o is NAMESPACE]
    outside = [o for o in wanted if not o.namespaced and o is not NAMESPACE and (o is not CLUSTER_QUEUE or cluster_queues)]
    made: list[Document] = []
    if inside:
        for namespace in namespaces:
            where = {"name": called, "namespace": namespace}
            made.append({"apiVersion": _RBAC, "kind": "Role", "metadata": where, "rules": rules(inside)})
            made.append(_binding("RoleBinding", where, "Role", called, subject))
    if outside:
        name = {"name": f"{called}-{namespaces[0]}" if namespaces else called}
        made.append({"apiVersion": _RBAC, "kind": "ClusterRole", "metadata": name, "rules": rules(outside, {CLUSTER_QUEUE.id: cluster_queues})})
        made.append(_binding("ClusterRoleBinding", name, "ClusterRole", name["name"], subject))
    return made


def cohort_reader(subject: Subject, *, called: str = COHORT_READER) -> list[Document]:
    """The manifest *cohort reader*: lists of all ClusterQueues and Cohorts, which hold every team's quota and use."""
    name = {"name": called}
    return [
        {"apiVersion": _RBAC, "kind": "ClusterRole", "metadata": name, "rules": rules(o for o in READS if o.grant is Grant.COHORT_READER)},
        _binding("ClusterRoleBinding", name, "ClusterRole", called, subject),
    ]


def _binding(kind: str, where: dict[str, str], role_kind: str, role: str, subject: Subject) -> Document:
    reference = {"apiGroup": _GROUP, "kind": role_kind, "name": role}
    return {"apiVersion": _RBAC, "kind": kind, "metadata": dict(where), "roleRef": reference, "subjects": [subject.document()]}


class _Plain(yaml.SafeDumper):
    """Without anchors: text for people to review."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def to_yaml(documents: Sequence[Document]) -> str:
    """The text of a manifest. Every value in it has passed Subject's or the names' own check, so it may be copied (S5)."""
    return yaml.dump_all(documents, Dumper=_Plain, sort_keys=False, explicit_start=True, width=160, allow_unicode=False)


def can_i(asked: Question) -> list[str]:
    """The argv of `kubectl auth can-i` for one question, to be quoted for a shell by whoever shows it."""
    resource = f"{asked.resource}.{asked.group}" if asked.group else asked.resource
    line = ["kubectl", "auth", "can-i", asked.verb, f"{resource}/{asked.name}" if asked.name else resource]
    if asked.subresource:
        line.append(f"--subresource={asked.subresource}")
    if asked.namespace:
        line.append(f"--namespace={asked.namespace}")
    return line


EXAMPLE_NAMESPACE = f"{naming.PREFIX}research"
EXAMPLE_SUBJECT = Subject("Group", naming.group_of(EXAMPLE_NAMESPACE))


def documents() -> dict[str, str]:
    """The committed files under docs/policies, by name. Names of team `research` by HyperPod's naming rule (facts/hyperpod.md 2.2): an example to fill in."""
    return {
        "kubernetes-team.yaml": to_yaml(team([EXAMPLE_NAMESPACE], [naming.cluster_queue_of(EXAMPLE_NAMESPACE)], EXAMPLE_SUBJECT)),
        "kubernetes-cohort-reader.yaml": to_yaml(cohort_reader(EXAMPLE_SUBJECT)),
    }
