"""What a request target means to an API server: its attributes for RBAC, as Kubernetes' own RequestInfo resolver reads them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs, unquote, urlsplit

from .rbac import Attributes
from .selectors import BadSelector, Fields

VERBS = {"POST": "create", "GET": "get", "HEAD": "get", "PUT": "update", "PATCH": "patch", "DELETE": "delete"}


@dataclass(frozen=True, slots=True)
class Request:
    """`query` keeps the first value of each key, as Go's url.Values.Get does."""

    method: str
    target: str
    path: str
    query: Mapping[str, str]
    attributes: Attributes


def parse(method: str, target: str) -> Request:
    split = urlsplit(target if not target.startswith("//") else "/" + target.lstrip("/"))
    path = unquote(split.path)
    query = {k: v[0] for k, v in parse_qs(split.query, keep_blank_values=True).items()}
    return Request(method, target, path, query, _attributes(method, path, query))


def _attributes(method: str, path: str, query: Mapping[str, str]) -> Attributes:
    verb = VERBS.get(method, "")
    parts = [p for p in path.split("/") if p]
    if len(parts) < 3 or parts[0] not in ("api", "apis") or (parts[0] == "apis" and len(parts) < 4):
        return Attributes(method.lower(), path=path)  # the verb of a non-resource request is the method
    group, version, rest = ("", parts[1], parts[2:]) if parts[0] == "api" else (parts[1], parts[2], parts[3:])
    namespace = ""
    if rest[0] == "namespaces" and len(rest) > 1:
        namespace = rest[1]
        if len(rest) > 2 and rest[2] not in ("status", "finalize"):
            rest = rest[2:]
    resource, name, subresource = [*rest, "", ""][:3]
    if not name and verb == "get":
        verb = "watch" if query.get("watch", "").lower() in ("1", "t", "true") else "list"
        # so that a right with resourceNames lets its holder list the one object
        name = _named_by(query.get("fieldSelector", ""))
    elif not name and verb == "delete":
        verb = "deletecollection"
    return Attributes(verb, group, version, resource, subresource, namespace, name)


def _named_by(selector: str) -> str:
    try:
        return Fields(selector).exactly("metadata.name") or ""
    except BadSelector:
        return ""  # authorised as an unnamed list; the list itself answers 400
