"""From what an API server or the network says to the one error vocabulary (DESIGN.md 4). Upstream's own sentences are never passed on.

Sources: facts/kubernetes.md 3.4 (410, 429), 3.5 (401, clock), 4.3 (what is answered for what is not installed), 5 rule 7.
"""

from __future__ import annotations

import re
import socket
import ssl
from dataclasses import dataclass
from urllib.parse import urlsplit

import msgspec
import urllib3.exceptions as u3

from ...model.outcome import Ask, Blame, Failure, Layer, State
from ...policy.kubernetes import VISIBILITY, Operation
from ...reads import Deadline

FRESH_TOKEN_SECONDS = 60.0
"""EKS answers 401 when the access entry is gone: a token signed less than so long ago has not expired (DESIGN.md 4)."""
CLOCK_OFF_SECONDS = 300.0
"""Beyond it STS refuses a signature for its time (facts/kubernetes.md 3.5)."""
RETRY_MAX = 300.0


class Status(msgspec.Struct, frozen=True):
    """The safe parts of a Status body. `message` is looked at, never kept."""

    kind: str = ""
    reason: str = ""
    code: int = 0
    message: str = ""


@dataclass(frozen=True, slots=True)
class About:
    """What was asked. `scope`: namespace, name or group; `skew`: the server's clock minus ours."""

    operation: Operation
    scope: str
    signed_at: float
    asked_at: float
    skew: float | None


def _status(body: bytes) -> Status:
    try:
        return msgspec.json.decode(body, type=Status)
    except (msgspec.MsgspecError, RecursionError):
        return Status()


def of_status(code: int, body: bytes, retry_after: str | None, about: About) -> Failure:
    """The Failure for an HTTP status that is not 2xx."""
    operation, status = about.operation, _status(body)
    params: dict[str, str | int | float | None] = {"operation": operation.source, "scope": about.scope or None}
    if code == 401:
        return _refused_token(about, params)
    if code == 403:
        return Failure(State.DENIED, "k8s_denied", params, ask=Ask.CLUSTER_ADMIN)
    if code == 404:
        return Failure(State.ABSENT, "k8s_not_found", params, ask=Ask.CLUSTER_ADMIN)
    if code == 410:
        return list_expired(operation, about.scope)
    if code == 429 or (code == 503 and retry_after and operation.group != VISIBILITY):
        wait = float(retry_after) if retry_after and re.fullmatch(r"[0-9]{1,6}", retry_after) else 1.0
        return Failure(State.THROTTLED, "k8s_throttled", {**params, "retry_after_seconds": min(wait, RETRY_MAX)})
    if 300 <= code < 400:
        return Failure(State.INVALID, "k8s_redirect", {**params, "status": code}, ask=Ask.JUPYTER_ADMIN)
    if operation.group == VISIBILITY and code in (500, 502, 503, 504):
        return Failure(State.UNREACHABLE, "k8s_visibility_down", {**params, "status": code}, ask=Ask.CLUSTER_ADMIN, blames=Blame.PART)
    if code == 500 and "conversion webhook" in status.message:
        return Failure(State.UNREACHABLE, "k8s_conversion_down", params, ask=Ask.CLUSTER_ADMIN, blames=Blame.PART)
    if code >= 500:
        # 502 to 504 come from what stands in front of a server that is not there, or from one that is stopping
        return Failure(State.UNREACHABLE, "k8s_server_error", {**params, "status": code}, blames=Blame.TROUBLE if code == 500 else Blame.FAR_END)
    return Failure(State.INVALID, "k8s_not_understood", {**params, "status": code}, ask=Ask.JUPYTER_ADMIN)


def list_expired(operation: Operation, scope: str) -> Failure:
    """410: the version that the list was to be read at is compacted away (facts/kubernetes.md 3.4)."""
    return Failure(State.UNREACHABLE, "k8s_list_expired", {"operation": operation.source, "scope": scope or None}, blames=Blame.READ)


def _refused_token(about: About, params: dict[str, str | int | float | None]) -> Failure:
    if about.skew is not None and abs(about.skew) > CLOCK_OFF_SECONDS:
        return Failure(State.EXPIRED, "k8s_clock_off", {**params, "skew_seconds": round(about.skew)}, layer=Layer.PROJECT, ask=Ask.JUPYTER_ADMIN)
    if 0.0 <= about.asked_at - about.signed_at < FRESH_TOKEN_SECONDS:
        return Failure(State.DENIED, "k8s_access_entry_gone", params, ask=Ask.CLUSTER_ADMIN)
    return Failure(State.EXPIRED, "k8s_token_refused", params)


def of_network(error: BaseException, endpoint: str, deadline: Deadline, *, proxied: bool) -> Failure:
    """The Failure for a request that brought no whole answer."""
    chain = _chain(error)
    params: dict[str, str | int | float | None] = {"host": urlsplit(endpoint).hostname}
    if any(isinstance(e, ssl.SSLCertVerificationError) for e in chain):
        return Failure(State.UNREACHABLE, "k8s_wrong_certificate", params, ask=Ask.JUPYTER_ADMIN)
    if any(isinstance(e, u3.NameResolutionError | socket.gaierror) for e in chain):
        return Failure(State.UNREACHABLE, "k8s_no_such_host", params, ask=Ask.JUPYTER_ADMIN)
    if proxied and (any(isinstance(e, u3.ProxyError) for e in chain) or any("Tunnel connection failed" in str(e) for e in chain)):
        return Failure(State.UNREACHABLE, "k8s_proxy", params, ask=Ask.JUPYTER_ADMIN)
    if any(isinstance(e, ConnectionRefusedError) for e in chain):
        return Failure(State.UNREACHABLE, "k8s_refused", params, ask=Ask.JUPYTER_ADMIN)
    if any(isinstance(e, u3.ConnectTimeoutError | u3.NewConnectionError) for e in chain):
        return Failure(State.UNREACHABLE, "k8s_no_route", params, ask=Ask.JUPYTER_ADMIN)
    if deadline.expired or any(isinstance(e, TimeoutError | u3.ReadTimeoutError) for e in chain):
        return Failure(State.UNREACHABLE, "deadline", {"limit_seconds": deadline.limit})
    if any(isinstance(e, ssl.SSLError | u3.SSLError) for e in chain):
        return Failure(State.UNREACHABLE, "k8s_tls", params, ask=Ask.JUPYTER_ADMIN)
    return Failure(State.UNREACHABLE, "k8s_cut", params)


def _chain(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    waiting: list[BaseException | None] = [error]
    while waiting and len(found) < 20:
        one = waiting.pop()
        if one is None or one in found:
            continue
        found.append(one)
        inner = [a for a in (*one.args, getattr(one, "reason", None)) if isinstance(a, BaseException)]
        waiting += [*inner, one.__cause__, one.__context__]
    return found


def check_endpoint(endpoint: str) -> None:
    """Raises Failure unless it is https://host[:port] and nothing else."""
    try:
        parts = urlsplit(endpoint)
        fine = parts.scheme == "https" and parts.hostname and parts.path in ("", "/") and not parts.query and not parts.fragment and "@" not in parts.netloc
        _ = parts.port
    except ValueError:
        fine = None
    if not fine or not endpoint.isascii() or any(c <= " " for c in endpoint):
        raise Failure(State.INVALID, "k8s_bad_endpoint", layer=Layer.CLUSTER, ask=Ask.JUPYTER_ADMIN)


def not_served(operation: Operation) -> Failure:
    """Discovery, which everybody may read, does not list it: absent, whatever RBAC would have answered (facts/kubernetes.md 4.3)."""
    return Failure(State.ABSENT, "k8s_not_served", {"operation": operation.source}, ask=Ask.CLUSTER_ADMIN)


def unknown_version(operation: Operation, served: str) -> Failure:
    return Failure(State.INVALID, "k8s_unknown_version", {"operation": operation.source, "served": served}, ask=Ask.JUPYTER_ADMIN)


def not_the_shape(operation: Operation) -> Failure:
    return Failure(State.INVALID, "k8s_shape", {"operation": operation.source}, ask=Ask.JUPYTER_ADMIN)
