"""Kubernetes' RBAC, evaluated from Role, ClusterRole and their bindings: rules, resourceNames, subresources, groups, `*`.

Aggregation is a controller's work and not done here: a recorded ClusterRole already holds its aggregated rules.
Reasons are worded as kube-apiserver 1.36.3 words them [ran], since people quote them to administrators.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .recording import Object

Objects = Mapping[str, Mapping[str, Object]]
GROUP = "rbac.authorization.k8s.io"
MASTERS = "system:masters"


@dataclass(frozen=True, slots=True)
class User:
    username: str
    groups: tuple[str, ...] = ()
    uid: str | None = None
    extra: Mapping[str, Sequence[str]] = field(default_factory=dict)


ANONYMOUS = User("system:anonymous", ("system:unauthenticated",))


@dataclass(frozen=True, slots=True)
class Attributes:
    """What is asked. `path` is set for non-resource requests only, and then nothing but `verb` counts."""

    verb: str
    group: str = ""
    version: str = ""
    resource: str = ""
    subresource: str = ""
    namespace: str = ""
    name: str = ""
    path: str | None = None

    @property
    def combined(self) -> str:
        return f"{self.resource}/{self.subresource}" if self.subresource else self.resource


@dataclass(frozen=True, slots=True)
class Decision:
    allowed: bool
    reason: str = ""


def _bootstrap(name: str, groups: Sequence[str], *rules: Mapping[str, Any]) -> tuple[Object, Object]:
    role = {"metadata": {"name": name}, "rules": list(rules)}
    subjects = [{"kind": "Group", "name": g} for g in groups]
    return role, {"metadata": {"name": name}, "roleRef": {"kind": "ClusterRole", "name": name}, "subjects": subjects}


_DISCOVERY = ["/api", "/api/*", "/apis", "/apis/*", "/openapi", "/openapi/*"]
_OPEN = ["/healthz", "/livez", "/readyz", "/version", "/version/"]
BOOTSTRAP = (
    _bootstrap(
        "system:basic-user",
        ["system:authenticated"],
        {"apiGroups": ["authorization.k8s.io"], "resources": ["selfsubjectaccessreviews", "selfsubjectrulesreviews"], "verbs": ["create"]},
        {"apiGroups": ["authentication.k8s.io"], "resources": ["selfsubjectreviews"], "verbs": ["create"]},
    ),
    _bootstrap("system:discovery", ["system:authenticated"], {"nonResourceURLs": [*_DISCOVERY, *_OPEN], "verbs": ["get"]}),
    _bootstrap("system:public-info-viewer", ["system:authenticated", "system:unauthenticated"], {"nonResourceURLs": _OPEN, "verbs": ["get"]}),
)
"""What every cluster starts with and repairs at each start; a recording need not hold it."""


def decide(user: User, asked: Attributes, objects: Objects) -> Decision:
    """The first rule that allows wins; without one the errors met on the way are the reason, as on a real server."""
    if MASTERS in user.groups:
        return Decision(True)
    errors: list[str] = []
    for binding, rules in _rules(user, asked.namespace, objects, errors):
        if any(allows(rule, asked) for rule in rules):
            return Decision(True, f"RBAC: allowed by {binding}")
    return Decision(False, f"RBAC: {errors[0] if len(errors) == 1 else '[' + ', '.join(errors) + ']'}" if errors else "")


def allows(rule: Mapping[str, Any], asked: Attributes) -> bool:
    if not _has(rule.get("verbs"), asked.verb):
        return False
    if asked.path is not None:
        return any(u == asked.path or u == "*" or (u.endswith("*") and asked.path.startswith(u[:-1])) for u in rule.get("nonResourceURLs") or ())
    resources = rule.get("resources") or ()
    named = asked.combined in resources or "*" in resources or bool(asked.subresource and f"*/{asked.subresource}" in resources)
    names = rule.get("resourceNames") or ()
    return _has(rule.get("apiGroups"), asked.group) and named and (not names or asked.name in names)


def _has(values: Iterable[str] | None, wanted: str) -> bool:
    return values is not None and (wanted in values or "*" in values)


def _rules(user: User, namespace: str, objects: Objects, errors: list[str]) -> Iterator[tuple[str, Sequence[Mapping[str, Any]]]]:
    roles, cluster_roles = (objects.get(f"{GROUP}/v1/{p}", {}) for p in ("roles", "clusterroles"))
    bindings = dict(objects.get(f"{GROUP}/v1/clusterrolebindings", {}))
    for role, binding in BOOTSTRAP:
        name = role["metadata"]["name"]
        if name not in bindings or name not in cluster_roles:
            cluster_roles, bindings[name] = {**cluster_roles, name: role}, binding
    everywhere = [("", b) for b in bindings.values()]
    inside = [(namespace, b) for k, b in objects.get(f"{GROUP}/v1/rolebindings", {}).items() if namespace and k.startswith(f"{namespace}/")]
    for ns, binding in everywhere + inside:
        subject = next((s for s in (_subject(user, s, ns) for s in binding.get("subjects") or ()) if s), None)
        if subject is None:
            continue
        ref, name = binding["roleRef"], binding["metadata"]["name"]
        granted = roles.get(f"{ns}/{ref['name']}") if ref["kind"] == "Role" else cluster_roles.get(ref["name"])
        if granted is None:
            errors.append(f'{ref["kind"].lower()}.{GROUP} "{ref["name"]}" not found')
            continue
        what = f'RoleBinding "{name}/{ns}"' if ns else f'ClusterRoleBinding "{name}"'
        yield f'{what} of {ref["kind"]} "{ref["name"]}" to {subject}', granted.get("rules") or ()


def _subject(user: User, subject: Mapping[str, Any], namespace: str) -> str | None:
    kind, name = subject["kind"], subject["name"]
    if kind == "User" and name == user.username:
        return f'User "{name}"'
    if kind == "Group" and name in user.groups:
        return f'Group "{name}"'
    ns = subject.get("namespace") or namespace
    if kind == "ServiceAccount" and user.username == f"system:serviceaccount:{ns}:{name}":
        return f'ServiceAccount "{name}/{ns}"'
    return None
