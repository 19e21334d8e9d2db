"""Sockets whose every step counts against one total deadline, and that can be shut down at once.

A read timeout starts anew with every byte, so a dripping far end would hold a worker for ever; here each read, write and handshake gets what is
left of the deadline of the call in progress, headers included. The TLS context trusts one cluster's CA and takes nothing from the environment:
`ssl.create_default_context` and urllib3's own would honour SSLKEYLOGFILE and the system's trust (S10).
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
import time
import weakref
from typing import Any

import urllib3
import urllib3.connection
from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError

from ...reads import Deadline
from . import guard

IDLE_SECONDS = 45.0


class Sockets:
    """The open sockets of one API server, whichever threads use them."""

    def __init__(self) -> None:
        self._open: weakref.WeakSet[socket.socket] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._closed = False

    def add(self, sock: socket.socket) -> None:
        """Raises OSError once `shut` was called: a call that was about to open its socket ends here."""
        with self._lock:
            if self._closed:
                raise ConnectionAbortedError("stopping")
            self._open.add(sock)

    def shut(self) -> None:
        """Ends every read in progress, and every later one before it begins."""
        with self._lock:
            self._closed = True
            found = list(self._open)
        for sock in found:
            with contextlib.suppress(OSError):
                # not SSLSocket.shutdown, which takes its TLS state away under the reading thread
                socket.socket.shutdown(sock, socket.SHUT_RDWR)


class Flight(threading.local):
    """The call that this thread is in: its deadline, and where its sockets are kept."""

    deadline: Deadline | None = None
    sockets: Sockets | None = None


flight = Flight()


def _arm(sock: socket.socket) -> None:
    """Give one blocking step what is left of the deadline. Raises TimeoutError when nothing is."""
    deadline, sockets = flight.deadline, flight.sockets
    if sockets is not None:
        sockets.add(sock)
    if deadline is not None:
        left = deadline.remaining()
        if left <= 0.0:
            raise TimeoutError("deadline")
        socket.socket.settimeout(sock, left)


class PlainSocket(socket.socket):
    """Before TLS: the way to a proxy, and the descriptor that TLS takes over."""

    def recv_into(self, *args: Any, **kwargs: Any) -> int:
        _arm(self)
        return super().recv_into(*args, **kwargs)

    def sendall(self, *args: Any, **kwargs: Any) -> None:
        _arm(self)
        super().sendall(*args, **kwargs)


class TlsSocket(ssl.SSLSocket):
    """Every read, write and handshake of TLS passes these three."""

    def read(self, len: int = 1024, buffer: Any = None) -> Any:
        _arm(self)
        return super().read(len, buffer)

    def send(self, data: Any, flags: int = 0) -> int:
        _arm(self)
        return super().send(data, flags)

    def do_handshake(self, block: bool = False) -> None:
        _arm(self)
        super().do_handshake(block)


def tls_context(ca_pem: str) -> ssl.SSLContext:
    """Trusts `ca_pem` alone. Raises ssl.SSLError or ValueError if that is no certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # checks certificate and host name; loads no other trust and no key log
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    context.sslsocket_class = TlsSocket
    context.load_verify_locations(cadata=ca_pem)
    return context


class GuardedConnection(urllib3.connection.HTTPSConnection):
    """Checks the request line and every header as they are about to be sent, and opens its socket within the deadline."""

    def putrequest(self, method: str, url: str, *args: Any, **kwargs: Any) -> None:
        guard.check(method, url)
        super().putrequest(method, url, *args, **kwargs)

    def putheader(self, header: str | bytes, *values: Any) -> None:
        name = header.decode("ascii") if isinstance(header, bytes) else header
        for value in values:
            guard.check_header(name, value.decode("latin-1") if isinstance(value, bytes) else str(value))
        super().putheader(name, *values)

    def _new_conn(self) -> socket.socket:
        """Every address of the host within one deadline; the library would give each address all of it."""
        try:
            found = socket.getaddrinfo(self._dns_host, self.port, 0, socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise NameResolutionError(self.host, self, error if isinstance(error, socket.gaierror) else socket.gaierror(str(type(error).__name__))) from None
        last: OSError | None = None
        for family, kind, protocol, _, address in found:
            sock = PlainSocket(family, kind, protocol)
            try:
                _arm(sock)
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                sock.connect(address)
                return sock
            except OSError as error:
                last = error
                sock.close()
        if isinstance(last, TimeoutError):
            raise ConnectTimeoutError(self, "timed out") from None
        raise NewConnectionError(self, type(last).__name__ if last else "no address") from last


class GuardedPool(urllib3.HTTPSConnectionPool):
    """Connections that idled are not used again: load balancers forget them without a word, and the next request would find that out too late."""

    ConnectionCls = GuardedConnection

    def _get_conn(self, timeout: float | None = None) -> Any:
        connection: Any = super()._get_conn(timeout)
        if time.monotonic() - getattr(connection, "idle_since", time.monotonic()) > IDLE_SECONDS:
            connection.close()
        return connection

    def _put_conn(self, conn: Any) -> None:
        if conn is not None:
            conn.idle_since = time.monotonic()
        super()._put_conn(conn)


def pool_manager(context: ssl.SSLContext, proxy: str) -> urllib3.PoolManager:
    """The pool that stands in the place of the kubernetes client's own: https only, no retries, no redirects. `proxy` "" for none."""
    wanted: dict[str, Any] = {"ssl_context": context, "cert_reqs": "CERT_REQUIRED", "maxsize": 8, "retries": False}
    manager = urllib3.ProxyManager(proxy, num_pools=2, **wanted) if proxy else urllib3.PoolManager(num_pools=2, **wanted)
    manager.pool_classes_by_scheme = {"https": GuardedPool}  # an http URL finds no pool at all
    return manager
