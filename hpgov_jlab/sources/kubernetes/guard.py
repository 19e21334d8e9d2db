"""What may be sent to an API server (DESIGN.md 14, S1, S16): enforces policy/kubernetes.py on the request target and headers as sent.

`target` builds a request target from an operation and segments; `check` takes a target apart again without knowing how it was made. Both run
for every request: HTTP libraries collapse `..`, and `pods/exec` or `*/proxy` act by GET, so what counts is the line that leaves.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from ...model.outcome import Ask, Failure, Layer, State
from ...policy.kubernetes import ACCESS_REVIEW, BY_TEMPLATE, DISCOVERED, DISCOVERY, DISCOVERY_PATHS, QUERY, QUESTIONS, SELF_REVIEW, Operation, Question

LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
SUBDOMAIN = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")
HEADERS = frozenset({"host", "user-agent", "accept", "accept-encoding", "authorization", "content-type", "content-length"})
"""The only headers that are sent. Impersonate-*, Upgrade, Connection: upgrade and cookies are not among them."""
_MAX_TARGET = 16384


class Refused(Exception):
    """A request that is not on the allow list: no socket sees it. `rule` says which check; the request itself is not repeated."""

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule


def failure(refused: Refused) -> Failure:
    """How a refusal is shown: a name that Kubernetes would not take, or a fault of ours."""
    if refused.rule in ("namespace", "name"):
        return Failure(State.INVALID, "k8s_name_not_valid", {"rule": refused.rule}, layer=Layer.WORKLOAD, ask=Ask.YOU)
    return Failure(State.INVALID, "k8s_guard", {"rule": refused.rule}, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)


def _is_label(text: str) -> bool:
    return LABEL.fullmatch(text) is not None


def _is_subdomain(text: str) -> bool:
    return len(text) <= 253 and SUBDOMAIN.fullmatch(text) is not None


def target(operation: Operation, version: str = "", *, namespace: str = "", name: str = "", query: Mapping[str, str] | None = None) -> str:
    """The request target of one operation. Raises Refused for anything that its template does not allow."""
    if operation.path:
        path = operation.path
    else:
        if version not in operation.versions:
            raise Refused("version")
        if bool(namespace) != operation.namespaced or (namespace and not _is_label(namespace)):
            raise Refused("namespace")
        if bool(name) != operation.named or (name and not _is_subdomain(name)):
            raise Refused("name")
        segments = ["apis", operation.group, version] if operation.group else ["api", version]
        segments += ["namespaces", namespace] if namespace else []
        segments += [s for s in (operation.resource, name, operation.subresource) if s]
        path = "/" + "/".join(segments)
    sent = f"{path}?{urlencode(query)}" if query else path
    check(operation.method, sent)
    return sent


def discovery_target(group: str, version: str) -> str:
    """Discovery of one group and version, for servers that do not aggregate. Raises Refused for a group or version that we do not read."""
    if version not in DISCOVERED.get(group, ()):
        raise Refused("version")
    sent = f"/apis/{group}/{version}"
    check("GET", sent)
    return sent


def check(method: str, sent: str) -> Operation:
    """The operation that a request line carries out. Raises Refused if there is none, or if the line could be read in two ways."""
    if method not in ("GET", "POST"):
        raise Refused("method")
    if len(sent) > _MAX_TARGET or not sent.startswith("/") or not all("!" <= c <= "~" for c in sent) or any(c in sent for c in "#\\;"):
        raise Refused("characters")
    path, mark, query = sent.partition("?")
    if "%" in path or "?" in query or "//" in path or any(segment in ("", ".", "..") for segment in path[1:].split("/")):
        raise Refused("path")
    operation = _operation(method, path[1:].split("/")) if path not in DISCOVERY_PATHS else DISCOVERY if method == "GET" else None
    if operation is None:
        raise Refused("operation")
    if mark:
        _check_query(operation, query)
    return operation


def _operation(method: str, segments: list[str]) -> Operation | None:
    if segments[0] == "api" and len(segments) >= 3:
        group, version, rest = "", segments[1], segments[2:]
    elif segments[0] == "apis" and len(segments) >= 4:
        group, version, rest = segments[1], segments[2], segments[3:]
    else:
        return None
    namespaced = rest[0] == "namespaces" and len(rest) >= 3
    if namespaced:
        if not _is_label(rest[1]):
            raise Refused("namespace")
        rest = rest[2:]
    if len(rest) > 3:
        return None
    if len(rest) > 1 and not _is_subdomain(rest[1]):
        raise Refused("name")
    operation = BY_TEMPLATE.get((method, group, rest[0], rest[2] if len(rest) > 2 else "", namespaced, len(rest) > 1))
    return operation if operation is not None and version in operation.versions else None


def _check_query(operation: Operation, query: str) -> None:
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=True, encoding="ascii", errors="strict")
    except ValueError:
        raise Refused("query") from None
    if not pairs or urlencode(pairs) != query or len({key for key, _ in pairs}) != len(pairs):  # one spelling only: what we check is what the server reads
        raise Refused("query")
    for key, value in pairs:
        if key not in operation.query or re.fullmatch(QUERY[key], value) is None:
            raise Refused("query")


def check_header(name: str, value: str) -> None:
    """Raises Refused for a header that we never send, or one with a line break in it."""
    if name.lower() not in HEADERS or any(c in value for c in "\r\n\0"):
        raise Refused("header")


def review_body(asked: Question) -> dict[str, Any]:
    """The body of one SelfSubjectAccessReview. Raises Refused for a question that is not on the list (S16)."""
    attributes = {"verb": asked.verb, "group": asked.group, "resource": asked.resource}
    if asked.namespace:
        attributes["namespace"] = asked.namespace
    if asked.name:
        attributes["name"] = asked.name
    if asked.subresource:
        attributes["subresource"] = asked.subresource
    body = {"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview", "spec": {"resourceAttributes": attributes}}
    check_body(ACCESS_REVIEW, body)
    return body


SELF_BODY: dict[str, Any] = {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}


def check_body(operation: Operation, body: Mapping[str, Any]) -> None:
    """Raises Refused unless the body of a POST is exactly one of the two self-reviews."""
    if operation is SELF_REVIEW:
        if dict(body) != SELF_BODY:
            raise Refused("body")
        return
    attributes = body.get("spec", {}).get("resourceAttributes", {})
    known = {"verb", "group", "resource", "namespace", "name", "subresource"}
    fine = (
        operation is ACCESS_REVIEW
        and set(body) == {"apiVersion", "kind", "spec"}
        and (body["apiVersion"], body["kind"]) == ("authorization.k8s.io/v1", "SelfSubjectAccessReview")
        and set(body["spec"]) == {"resourceAttributes"}
        and set(attributes) <= known
        and all(isinstance(value, str) for value in attributes.values())
    )
    if not fine:
        raise Refused("body")
    asked = (attributes.get("verb", ""), attributes.get("group", ""), attributes.get("resource", ""), attributes.get("subresource", ""))
    if asked not in QUESTIONS:
        raise Refused("question")
    if not _is_label(attributes.get("namespace", "x")) or not _is_subdomain(attributes.get("name", "x")):
        raise Refused("name")
