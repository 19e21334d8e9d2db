"""One way to ask an API server: an operation and segments in, bytes out (DESIGN.md 14, S1, S10).

Built on the kubernetes package's ApiClient with its pool replaced by ours (sockets.py). The package is imported at the first request, since it
costs half a second; its models, its config loaders and its request method are never used: 36 and 37 differ there, and 36 reads the body of an
error without a limit.
"""

from __future__ import annotations

import email.utils
import http.client
import json
import logging
import ssl
import threading
import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import urllib3.exceptions as u3

from ...model.connection import Reach
from ...model.outcome import Ask, Failure, Layer, State
from ...policy.kubernetes import ACCESS_REVIEW, DISCOVERY, SELF_REVIEW, Operation, Question
from ...reads import Deadline
from . import errors, guard, logs
from .sockets import Sockets, flight, pool_manager, tls_context

BODY_LIMIT: Final = 32 * 1024 * 1024
"""Decoded bytes of one answer: 500 Workloads with large templates stay below 8 MiB."""
ERROR_LIMIT: Final = 64 * 1024
_CHUNK: Final = 65536
JSON: Final = "application/json"
_loading = threading.Lock()


@dataclass(frozen=True, slots=True)
class Answer:
    """The decoded body of a 2xx answer, and the server's clock minus ours in seconds."""

    body: bytes = field(repr=False)
    skew: float | None


@dataclass(slots=True)
class _Server:
    client: Any  # kubernetes.client.ApiClient
    sockets: Sockets


class Api:
    """The API servers that one product process talks to. Thread-safe; `close` ends every read in progress and refuses new ones.

    `proxy`: an http(s) URL used by CONNECT only, from a trait, never from the environment; "" for none.
    """

    def __init__(self, user_agent: str, *, proxy: str = "", body_limit: int = BODY_LIMIT) -> None:
        self._user_agent, self._proxy, self._limit = user_agent, proxy, body_limit
        self._servers: dict[tuple[str, str], _Server] = {}
        self._lock = threading.Lock()
        self._closed = False
        logs.quiet()

    def get(
        self,
        reach: Reach,
        operation: Operation,
        deadline: Deadline,
        *,
        version: str = "",
        namespace: str = "",
        name: str = "",
        query: Mapping[str, str] | None = None,
        accept: str = JSON,
    ) -> Answer:
        """One GET. Raises Failure."""
        try:
            target = guard.target(operation, version, namespace=namespace, name=name, query=query)
        except guard.Refused as refused:
            raise guard.failure(refused) from None
        scope = namespace if operation.namespaced else name
        return self._send(reach, operation, "GET", target, None, deadline, accept, scope)

    def get_group(self, reach: Reach, group: str, version: str, deadline: Deadline) -> Answer:
        """Discovery of one group and version. Raises Failure."""
        try:
            target = guard.discovery_target(group, version)
        except guard.Refused as refused:
            raise guard.failure(refused) from None
        return self._send(reach, DISCOVERY, "GET", target, None, deadline, JSON, group)

    def ask(self, reach: Reach, asked: Question, deadline: Deadline) -> Answer:
        """One SelfSubjectAccessReview. Raises Failure."""
        try:
            body = guard.review_body(asked)
        except guard.Refused as refused:
            raise guard.failure(refused) from None
        return self._send(reach, ACCESS_REVIEW, "POST", guard.target(ACCESS_REVIEW, "v1"), body, deadline, JSON, asked.namespace)

    def who_am_i(self, reach: Reach, deadline: Deadline) -> Answer:
        """One SelfSubjectReview. Raises Failure."""
        return self._send(reach, SELF_REVIEW, "POST", guard.target(SELF_REVIEW, "v1"), guard.SELF_BODY, deadline, JSON, "")

    def forget(self, reach: Reach) -> None:
        """Closes the connections to an API server that no connection leads to any more; a read in progress there ends."""
        with self._lock:
            server = self._servers.pop((reach.endpoint, reach.ca_pem), None)
        if server is not None:
            server.sockets.shut()
            server.client.rest_client.pool_manager.clear()

    def close(self) -> None:
        """Ends every read in progress; later ones fail as stopping."""
        with self._lock:
            self._closed = True
            servers = list(self._servers.values())
        for server in servers:
            server.sockets.shut()

    # -- inside ----------------------------------------------------------------------------------------------------------
    def _send(
        self, reach: Reach, operation: Operation, method: str, target: str, body: Mapping[str, Any] | None, deadline: Deadline, accept: str, scope: str
    ) -> Answer:
        server = self._server(reach)
        if body is not None:
            guard.check_body(operation, body)
        headers = {"Accept": accept, "Accept-Encoding": "gzip", "User-Agent": self._user_agent, "Authorization": f"Bearer {reach.token}"}
        if body is not None:
            headers["Content-Type"] = JSON
        flight.deadline, flight.sockets = deadline, server.sockets
        response = None
        try:
            deadline.check()
            asked_at = time.time()
            response = server.client.rest_client.pool_manager.request(
                method, reach.endpoint.rstrip("/") + target, body=None if body is None else json.dumps(body).encode(),
                headers=headers, preload_content=False, redirect=False, retries=False, timeout=max(0.001, deadline.remaining()),
            )  # fmt: skip
            skew = _skew(response.headers.get("Date"), asked_at)
            good = 200 <= response.status < 300
            content = _read(response, self._limit if good else ERROR_LIMIT, whole=good)
            kind = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
            if not good:
                about = errors.About(operation, scope, reach.signed_at, asked_at, skew)
                raise errors.of_status(response.status, content if kind == JSON else b"", response.headers.get("Retry-After"), about)
            if not content and not kind:
                raise http.client.IncompleteRead(b"")  # the library takes an end within the headers for the end of the headers
            if kind != JSON:
                raise Failure(State.INVALID, "k8s_not_json", layer=Layer.CLUSTER, ask=Ask.JUPYTER_ADMIN)
            response.release_conn()
            response = None  # read to its end: the connection may serve the next request
            return Answer(content, skew)
        except guard.Refused as refused:
            raise guard.failure(refused) from None
        except (u3.HTTPError, http.client.HTTPException, OSError, zlib.error, ValueError) as error:
            if self._closed:
                raise Failure(State.PENDING, "stopping") from None
            raise errors.of_network(error, reach.endpoint, deadline, proxied=bool(self._proxy)) from None
        finally:
            flight.deadline = flight.sockets = None
            if response is not None:
                response.close()

    def _server(self, reach: Reach) -> _Server:
        key = (reach.endpoint, reach.ca_pem)
        with self._lock:
            if self._closed:
                raise Failure(State.PENDING, "stopping")
            server = self._servers.get(key)
        if server is not None:
            return server
        errors.check_endpoint(reach.endpoint)
        try:
            context = tls_context(reach.ca_pem)
        except (ssl.SSLError, ValueError):
            raise Failure(State.INVALID, "k8s_bad_ca", layer=Layer.CLUSTER, ask=Ask.CLUSTER_ADMIN) from None
        client = _api_client(reach.endpoint, pool_manager(context, self._proxy))
        with self._lock:
            return self._servers.setdefault(key, _Server(client, Sockets()))


def _api_client(endpoint: str, pool: Any) -> Any:
    """The package's client around our pool. Its Configuration reads proxies from the environment, and in 36 sets urllib3's log level: both are undone."""
    with _loading:
        from kubernetes.client import ApiClient, Configuration

        levels = {name: logging.getLogger(name).level for name in ("urllib3", "client")}
        configuration = Configuration(host=endpoint)
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)
        configuration.proxy = configuration.no_proxy = None
        client = ApiClient(configuration)
        client.rest_client.pool_manager = pool
        return client


def _skew(date: str | None, asked_at: float) -> float | None:
    if not date:
        return None
    try:
        told = email.utils.parsedate_to_datetime(date).timestamp()
    except (ValueError, OverflowError):
        return None
    return told + 0.5 - (asked_at + time.time()) / 2  # Date has whole seconds


def _read(response: Any, limit: int, *, whole: bool) -> bytes:
    """The body, at most `limit` decoded bytes. `whole` False: the rest of an error's body is not wanted. Raises Failure, or what the socket raises."""
    encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding not in ("gzip", "identity"):
        raise Failure(State.INVALID, "k8s_not_json", layer=Layer.CLUSTER, ask=Ask.JUPYTER_ADMIN)
    inflate = zlib.decompressobj(16 + zlib.MAX_WBITS) if encoding == "gzip" else None
    parts: list[bytes] = []
    size = 0
    while True:
        raw = response.read(_CHUNK, decode_content=False)
        if not raw:
            break
        while raw:
            piece = inflate.decompress(raw, limit + 1 - size) if inflate is not None else raw
            raw = inflate.unconsumed_tail if inflate is not None else b""
            size += len(piece)
            parts.append(piece)
            if size > limit:
                if whole:
                    raise Failure(State.INVALID, "k8s_too_large", {"limit_bytes": limit}, layer=Layer.CLUSTER, ask=Ask.JUPYTER_ADMIN)
                return b"".join(parts)[:limit]
    if whole and inflate is not None and not inflate.eof:
        raise http.client.IncompleteRead(b"")
    return b"".join(parts)
