"""What an API server says when it does not answer with data: the bodies and words of kube-apiserver 1.36.3, taken from a running one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .rbac import Attributes, User

JSON = "application/json"
TEXT = "text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Answer:
    code: int
    body: bytes
    content_type: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)


def data(body: object, code: int = 200) -> Answer:
    return Answer(code, json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode() + b"\n")


def failure(code: int, reason: str, message: str, details: Mapping[str, Any] | None = None, metadata: Mapping[str, Any] | None = None) -> Answer:
    body: dict[str, Any] = {"kind": "Status", "apiVersion": "v1", "metadata": dict(metadata or {}), "status": "Failure", "message": message}
    if reason:
        body["reason"] = reason
    if details is not None:
        body["details"] = dict(details)
    return data(body | {"code": code}, code)


def _details(asked: Attributes) -> dict[str, str]:
    return {k: v for k, v in (("name", asked.name), ("group", asked.group), ("kind", asked.resource)) if v}


def qualified(group: str, resource: str) -> str:
    return f"{resource}.{group}" if group else resource


def unauthorized() -> Answer:
    return failure(401, "Unauthorized", "Unauthorized")


def forbidden(user: User, asked: Attributes, reason: str = "") -> Answer:
    because = f": {reason}" if reason else ""
    if asked.path is not None:
        return failure(403, "Forbidden", f'forbidden: User "{user.username}" cannot {asked.verb} path "{asked.path}"{because}', {})
    what = qualified(asked.group, asked.resource) + (f' "{asked.name}"' if asked.name else "")
    where = f'in the namespace "{asked.namespace}"' if asked.namespace else "at the cluster scope"
    text = f'{what} is forbidden: User "{user.username}" cannot {asked.verb} resource "{asked.combined}" in API group "{asked.group}" {where}{because}'
    return failure(403, "Forbidden", text, _details(asked))


def not_found(asked: Attributes) -> Answer:
    return failure(404, "NotFound", f'{qualified(asked.group, asked.resource)} "{asked.name}" not found', _details(asked))


def no_such_resource() -> Answer:
    """An unknown plural in a group that the server itself serves."""
    return failure(404, "NotFound", "the server could not find the requested resource", {})


def no_such_page() -> Answer:
    """An unknown group, or an unknown plural in a group that CRDs serve."""
    return Answer(404, b"404 page not found\n", TEXT, {"X-Content-Type-Options": "nosniff"})


def method_not_allowed() -> Answer:
    return failure(405, "MethodNotAllowed", "the server does not allow this method on the requested resource", {})


def bad_request(message: str) -> Answer:
    return failure(400, "BadRequest", message)


def not_acceptable() -> Answer:
    return failure(406, "NotAcceptable", "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf")


def unsupported_media_type() -> Answer:
    types = "application/json, application/yaml, application/vnd.kubernetes.protobuf"
    return failure(415, "UnsupportedMediaType", f"the body of the request was in an unknown format - accepted media types include: {types}")


def too_large(limit: int) -> Answer:
    return failure(413, "RequestEntityTooLarge", f"Request entity too large: limit is {limit}")


def expired_continue(fresh: str) -> Answer:
    """A continue token from before the last compaction; `fresh` goes on inconsistently, as the server offers."""
    text = (
        "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the "
        "continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - "
        "objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list."
    )
    return failure(410, "Expired", text, metadata={"continue": fresh} if fresh else {})


def throttled(seconds: int) -> Answer:
    return Answer(429, b"Too many requests, please try again later.\n", TEXT, {"Retry-After": str(seconds), "X-Content-Type-Options": "nosniff"})


def service_unavailable() -> Answer:
    """The aggregated API's own server is not there; the API server says so itself, in plain text."""
    return Answer(503, b"service unavailable\n", TEXT, {"X-Content-Type-Options": "nosniff"})


def conversion_failed(group_version: str, kind: str) -> Answer:
    text = (
        f'conversion webhook for {group_version}, Kind={kind} failed: Post "https://kueue-webhook-service.kueue-system.svc:443/convert?timeout=30s": '
        "dial tcp 10.100.7.7:443: connect: connection refused"
    )
    return failure(500, "", text)
