"""HTTPS on 127.0.0.1 and what goes wrong below the level of answers: slow, dripping, cut, huge and broken bodies."""

from __future__ import annotations

import contextlib
import gzip
import socket
import ssl
import sys
import threading
import traceback
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from ..faults import Faults
from . import status
from .status import Answer

BODY_LIMIT = 3 * 1024 * 1024
GZIP_FROM = 128 * 1024  # as kube-apiserver does
DRIPS = 200


@dataclass(frozen=True, slots=True)
class Incoming:
    method: str
    target: str
    headers: Mapping[str, str]  # names in lower case
    body: bytes


Answerer = Callable[[Incoming], tuple[Answer, str]]
"""Gives the answer and the operation's name for faults, e.g. `k8s:list workloads.kueue.x-k8s.io`."""


class Hangup(Exception):
    """The answer is that there is none: the connection is closed."""


class Server(ThreadingHTTPServer):
    """A thread per connection, all daemons; `close` ends them too, also those that drip."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, context: ssl.SSLContext, answer: Answerer, faults: Faults, clock: Callable[[], float], port: int = 0) -> None:
        self.context, self.answer, self.faults, self.clock = context, answer, faults, clock
        self.stopping = threading.Event()
        self.errors: list[str] = []
        self._open: set[socket.socket] = set()
        self._guard = threading.Lock()
        super().__init__(("127.0.0.1", port), Handler)

    def finish_request(self, request: Any, client_address: Any) -> None:
        # the handshake belongs into the connection's own thread: a client that never speaks must not hold up the others
        request.settimeout(30)
        with contextlib.closing(self.context.wrap_socket(request, server_side=True)) as connection:
            with self._guard:
                self._open.add(connection)
            try:
                super().finish_request(connection, client_address)
            finally:
                with self._guard:
                    self._open.discard(connection)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is no fault of ours; everything else is kept for the test or the terminal to see."""
        error = sys.exc_info()[1]
        if isinstance(error, OSError | Hangup) or self.stopping.is_set():  # ssl.SSLError and timeouts are OSErrors
            return
        self.note_error()

    def note_error(self) -> None:
        self.errors.append(traceback.format_exc())
        traceback.print_exc()

    def close(self) -> None:
        self.stopping.set()
        self.shutdown()
        self.server_close()
        with self._guard:
            connections = list(self._open)
        for c in connections:
            with contextlib.suppress(OSError):  # already gone
                c.shutdown(socket.SHUT_RDWR)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Server

    def log_message(self, format: str, *args: Any) -> None:
        """The far end keeps its own log."""

    def version_string(self) -> str:
        return "hpgov-sandbox"

    def date_time_string(self, timestamp: float | None = None) -> str:
        skew = self.server.faults.value("k8s-clock-skew") or 0.0
        return formatdate((self.server.clock() if timestamp is None else timestamp) + skew, usegmt=True)

    def _serve(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        if length > BODY_LIMIT:
            self.close_connection = True
            self._send(status.too_large(BODY_LIMIT), "")
            return
        body = self.rfile.read(length)
        if len(body) < length:  # broken off before it was all there: nothing was asked, and nothing stands in the log
            self.close_connection = True
            return
        # requestline, since http.server folds a leading // of the path
        target = self.requestline.split(" ")[1]
        incoming = Incoming(self.command, target, {k.lower(): v for k, v in self.headers.items()}, body)
        try:
            answer, operation = self.server.answer(incoming)
        except Hangup:
            raise
        except Exception:  # noqa: BLE001  kept in `errors`, where tests and the terminal see it; the client gets what a broken server gives
            self.server.note_error()
            answer, operation = status.failure(500, "InternalError", "the sandbox's own fault: see its terminal"), ""
        self._send(answer, operation)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_CONNECT = do_TRACE = _serve

    def _send(self, answer: Answer, operation: str) -> None:
        faults = self.server.faults
        body = answer.body
        if faults.take("k8s-malformed-json", operation) is not None:
            body = body[: max(1, len(body) // 2)]
        if (megabytes := faults.take("k8s-huge-body", operation)) is not None and body.rstrip().endswith(b"}"):
            body = body.rstrip()[:-1] + b',"padding":"' + b"x" * int(megabytes * 1024 * 1024) + b'"}\n'
        zipped = len(body) > GZIP_FROM and "gzip" in self.headers.get("Accept-Encoding", "")
        if zipped:
            body = gzip.compress(body, compresslevel=1)
        self.send_response(answer.code)
        for name, value in {"Audit-Id": str(uuid.uuid4()), "Cache-Control": "no-cache, private", "Content-Type": answer.content_type, **answer.headers}.items():
            self.send_header(name, value)
        if zipped:
            self.send_header("Content-Encoding", "gzip")
            self.send_header("Vary", "Accept-Encoding")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "HEAD":
            return
        if faults.take("k8s-cut", operation) is not None:
            self.wfile.write(body[: len(body) // 2])
            self.close_connection = True
        elif (seconds := faults.take("k8s-drip", operation)) is not None:
            for piece in _pieces(body, DRIPS):
                self.wfile.write(piece)
                if self.server.stopping.wait(seconds / DRIPS):
                    raise Hangup
        else:
            self.wfile.write(body)


def _pieces(body: bytes, count: int) -> Iterator[bytes]:
    size = max(1, len(body) // count)
    for i in range(0, len(body), size):
        yield body[i : i + size]


def serve(server: Server) -> threading.Thread:
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, name=f"sandbox-kubernetes-{server.server_port}", daemon=True)
    thread.start()
    return thread
