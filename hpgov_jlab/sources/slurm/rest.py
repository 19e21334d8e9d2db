"""slurmrestd with the user's own JWT (S17): GET only, over https, a unix socket, or plain http on loopback.

No redirects, no proxies, limits for time and bytes.
"""

from __future__ import annotations

import contextlib
import email.utils
import http.client
import ipaddress
import os
import socket
import ssl
import time
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from ...model.outcome import Ask, Failure, Layer, State
from ...model.slurm import SlurmShape
from ...policy.slurm import REST_PARTITIONS, REST_PING, REST_SHARES, UNKNOWN_NEWER, VERSIONS, Endpoint
from ...reads import Deadline
from ...version import VERSION
from . import errors, guard, token
from .adapters import adapter
from .guard import Refused
from .v0_0_42 import Adapter

CALL_SECONDS = 15.0
"""A controller that is down makes slurmrestd wait 9 s (facts/slurm.md 2)."""


@dataclass(frozen=True, slots=True)
class Where:
    """`host` None: a unix socket at `path`."""

    scheme: str
    host: str | None
    port: int
    path: str = ""


def where(url: str) -> Where:
    """`https://host:port`, `http://127.0.0.1:6820`, `unix:/run/slurmrestd.sock`. Raises Failure(NOT_CONFIGURED, slurm_rest_url)."""
    bad = Failure(State.NOT_CONFIGURED, "slurm_rest_url", layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)
    if url.startswith("unix:"):
        path = url.removeprefix("unix:").removeprefix("//")
        if not os.path.isabs(path) or "\0" in path:
            raise bad
        return Where("unix", None, 0, path)
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise bad from None
    host = parts.hostname
    if parts.scheme not in ("http", "https") or not host or parts.username or parts.password or parts.path not in ("", "/") or parts.query or parts.fragment:
        raise bad
    if parts.scheme == "http" and not _loopback(host):
        raise Failure(State.NOT_CONFIGURED, "slurm_rest_plain_http", {"host": host}, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)
    return Where(parts.scheme, host, port or (443 if parts.scheme == "https" else 6820))


def _loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Answer:
    body: bytes = field(repr=False)
    skew: float | None
    adapter: Adapter
    shape: SlurmShape


@dataclass(frozen=True, slots=True)
class Rest:
    """`version`: what the daemon offers, "" until `discover`. `refused`: users beside root whose token is not used (SlurmUser, where it is known)."""

    at: Where
    token_file: str
    user: str
    version: str = ""
    refused: frozenset[str] = frozenset()

    def get(self, endpoint: Endpoint, deadline: Deadline) -> Answer:
        """One GET. Raises Failure, also for a 200 whose `errors` are not empty.

        22.05 has one answer for a token that it refuses, a controller that is down and what it hides (measured): while ping is answered, it is the last.
        """
        try:
            return self._get(endpoint, deadline)
        except Failure as failure:
            if failure.code != "slurm_rest_unclear" or endpoint is REST_PING or not self._answers(deadline):
                raise
        raise Failure(State.DENIED, "slurm_denied", {"command": endpoint.source}, ask=Ask.CLUSTER_ADMIN)

    def _get(self, endpoint: Endpoint, deadline: Deadline) -> Answer:
        status, body, skew = self._send(endpoint, self.version, deadline)
        made, shape = adapter(self.version)
        return Answer(body, skew, made, _checked(status, body, endpoint, made, shape))

    def _answers(self, deadline: Deadline) -> bool:
        """Whether a controller answers this token now."""
        try:
            found = self._get(REST_PING, deadline)
            return "UP" in found.adapter.pings(found.body, REST_PING.source)
        except Failure:
            return False

    def discover(self, deadline: Deadline) -> str:
        """The version to ask for: the newest that we know, else the newest that is there. Raises Failure."""
        for version in (*VERSIONS, *reversed(UNKNOWN_NEWER)):
            status, _, _ = self._send(REST_PING, version, deadline)
            if status == 404:
                continue
            if status == 401:
                raise errors.of_rest(status, (), REST_PING) or errors.not_the_shape(REST_PING.source)
            return version
        raise Failure(State.INVALID, "slurm_version_unknown", {"version": ""}, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)

    def _send(self, endpoint: Endpoint, version: str, deadline: Deadline) -> tuple[int, bytes, float | None]:
        held = token.read_now(self.token_file, self.user, self.refused)
        try:
            target = guard.target(endpoint, version, held.user)
        except Refused as refused:
            raise guard.failure(refused) from None
        end = time.monotonic() + min(CALL_SECONDS, deadline.remaining())
        connection = _Connection(self.at, end)
        try:
            connection.request(
                "GET",
                target,
                headers={"Accept": "application/json", "User-Agent": f"hpgov-jlab/{VERSION}", "X-SLURM-USER-NAME": held.user, "X-SLURM-USER-TOKEN": held.text},
            )
            response = connection.getresponse()
            return response.status, _body(response, connection, end, endpoint), _skew(response)
        except TimeoutError:
            raise Failure(State.UNREACHABLE, "slurm_too_slow", {"command": endpoint.source}, ask=Ask.CLUSTER_ADMIN) from None
        except ssl.SSLError:
            raise Failure(State.UNREACHABLE, "slurm_rest_tls", ask=Ask.JUPYTER_ADMIN) from None
        except (OSError, http.client.HTTPException, ValueError):  # ValueError: a host name or header that is none
            raise Failure(State.UNREACHABLE, "slurm_rest_not_reached", ask=Ask.CLUSTER_ADMIN) from None
        finally:
            connection.close()


def _checked(status: int, body: bytes, endpoint: Endpoint, made: Adapter, shape: SlurmShape) -> SlurmShape:
    if status == 404 or (status in (401, 403) and not body.startswith(b"{")):
        raise errors.of_rest(status, (), endpoint) or errors.not_the_shape(endpoint.source)
    try:
        head = made.head(body, endpoint.source)
    except Failure:
        raise errors.of_rest(status, (), endpoint) or errors.not_the_shape(endpoint.source) from None
    listed = head.errors if isinstance(head.errors, list) else []
    # 24.11 tells of partitions that PrivateData hides by no word, only by its own empty list of errors (measured); a page of a proxy or of a daemon that
    # broke off has none, and 22.05 has its -1 for it
    if status == 500 and endpoint is REST_PARTITIONS and head.errors == [] and made.version != "v0.0.38":
        raise Failure(State.DENIED, "slurm_denied", {"command": endpoint.source}, ask=Ask.CLUSTER_ADMIN)
    told = [{"error_number": e.error_number if e.error_number is not None else e.errno, "error": e.error, "description": e.description} for e in listed]
    failure = errors.of_rest(status, told, endpoint)
    if failure is not None:
        raise failure
    # 24.11 has no error for it, only an empty list beside a warning (measured); its partitions carry the same warning and are all there
    if endpoint is REST_SHARES and any("accounting storage is disabled" in (one.description or "") for one in head.warnings or ()):
        raise Failure(State.ABSENT, "slurm_accounting_off", {"command": endpoint.source}, ask=Ask.CLUSTER_ADMIN)
    return SlurmShape(shape.form, head.meta.release if head.meta is not None else None, shape.newer)


class _Connection(http.client.HTTPConnection):
    """Over TCP, TLS or a unix socket, with what is left of the call's time on every operation."""

    def __init__(self, at: Where, end: float) -> None:
        super().__init__(at.host or "localhost", at.port or None, timeout=max(0.05, end - time.monotonic()))
        self._at = at

    def connect(self) -> None:
        if self._at.host is None:
            self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self.sock.settimeout(self.timeout)
            self.sock.connect(self._at.path)
            return
        self.sock = socket.create_connection((self._at.host, self._at.port), self.timeout)
        if self._at.scheme == "https":
            self.sock = _tls().wrap_socket(self.sock, server_hostname=self._at.host)


def _tls() -> ssl.SSLContext:
    """Nothing from the environment that would log keys; the system's CAs."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_default_certs()
    return context


def _body(response: http.client.HTTPResponse, connection: _Connection, end: float, endpoint: Endpoint) -> bytes:
    found = bytearray()
    while True:
        left = end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        if connection.sock is not None:
            with contextlib.suppress(OSError):
                connection.sock.settimeout(left)
        chunk = response.read1(262144)
        if not chunk:
            return bytes(found)
        found += chunk
        if len(found) > endpoint.limit_bytes:
            raise Failure(State.INVALID, "slurm_too_large", {"command": endpoint.source, "limit_bytes": endpoint.limit_bytes}, ask=Ask.CLUSTER_ADMIN)


def _skew(response: http.client.HTTPResponse) -> float | None:
    text = response.headers.get("Date")
    if not text:
        return None
    try:
        return email.utils.parsedate_to_datetime(text).timestamp() - time.time()
    except ValueError:
        return None
