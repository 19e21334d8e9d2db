"""The socket of the AWS far end, and the faults that happen on the wire. HTTP on 127.0.0.1: requests are signed with invented keys only."""

from __future__ import annotations

import contextlib
import socket
import sys
import threading
import traceback
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

from ..faults import Faults
from .dispatch import Dispatch
from .encode import HttpAnswer
from .sigv4 import HttpRequest

_LOGIN_PAGE = b"<!DOCTYPE html><html><head><title>Sign in to the network</title></head><body><form>...</form></body></html>"


class LoopbackServer(ThreadingHTTPServer):
    """A threading server that can really be stopped: connections that are kept alive are closed with it."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, handler: type[BaseHTTPRequestHandler], port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), handler)
        self.stopping = threading.Event()
        self.errors: list[str] = []  # tracebacks of this far end's own faults
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def start(self) -> None:
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, name="sandbox-aws", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self.stopping.set()
        if self._thread is not None:
            self.shutdown()
            self._thread.join(5)
        self.server_close()
        with self._lock:
            for connection in self._open:
                _close(connection)

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._lock:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is no error of ours; anything else is kept for tests and printed as usual."""
        if not isinstance(sys.exc_info()[1], ConnectionError) and not self.stopping.is_set():
            self.errors.append(traceback.format_exc())
            super().handle_error(request, client_address)


def _close(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):  # closed by the other side already, which is what was wanted
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()


class QuietHandler(BaseHTTPRequestHandler):
    """What both servers of the far end share: keep-alive, no delays of the kernel's making, no lines on stderr."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # with wbufsize: 46 ms per call otherwise (facts/aws.md 2)
    wbufsize = -1
    server: LoopbackServer

    def log_message(self, format: str, *args: Any) -> None:
        """The log that counts is kept by `Dispatch`."""

    def head(self, made: HttpAnswer, now: float) -> None:
        self.send_response_only(made.status)
        for name, value in {"Date": formatdate(now, usegmt=True), **made.headers, "Content-Length": str(len(made.body))}.items():
            self.send_header(name, value)
        self.end_headers()


def handler_for(dispatch: Dispatch, faults: Faults) -> type[QuietHandler]:
    """A handler class bound to one far end: `http.server` makes an instance per connection and passes nothing else in."""

    class Handler(QuietHandler):
        METHODS: ClassVar[tuple[str, ...]] = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")

        def carry(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            headers = {name.lower(): value for name, value in self.headers.items()}
            body = self.rfile.read(length)
            if len(body) < length:  # broken off before it was all there: nothing was asked, and nothing stands in the log
                self.close_connection = True
                return
            made, on = dispatch.handle(HttpRequest(self.command, self.path, headers, body))
            if made.status < 300:
                if faults.take("html-200", on) is not None:
                    made = HttpAnswer(200, {"Content-Type": "text/html"}, _LOGIN_PAGE)
                elif faults.take("malformed-json", on) is not None:
                    made.body = made.body[: len(made.body) // 2]
            late = faults.take("slow", on)
            if late is not None and self.server.stopping.wait(late):
                return
            self.head(made, dispatch.now())
            if self.command == "HEAD":
                return
            dripping = faults.take("drip", on)
            if faults.take("cut", on) is not None:
                self.wfile.write(made.body[: len(made.body) // 2])
                self.wfile.flush()
                self.close_connection = True
                _close(self.connection)
            elif dripping is not None:
                self.drip(made.body, dripping)
            else:
                self.wfile.write(made.body)

        def drip(self, body: bytes, seconds: float) -> None:
            pause = seconds / max(1, len(body))
            for index in range(len(body)):
                self.wfile.write(body[index : index + 1])
                self.wfile.flush()
                if self.server.stopping.wait(pause):
                    return

    for method in Handler.METHODS:
        setattr(Handler, f"do_{method}", Handler.carry)
    return Handler


class DarkPort:
    """An address on loopback from which no packet comes back: what a private endpoint is for a client without a route.

    A listening socket whose queue is full drops further connections (Linux), so a client runs into its own connect timeout.
    """

    def __init__(self) -> None:
        self._listener = socket.socket()
        self._listener.bind(("127.0.0.1", 0))
        self._listener.listen(0)
        self._fill: list[socket.socket] = []
        for _ in range(4):
            filler = socket.socket()
            filler.setblocking(False)
            filler.connect_ex(self._listener.getsockname())
            self._fill.append(filler)

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self._listener.getsockname()[1]}"

    def close(self) -> None:
        for each in (*self._fill, self._listener):
            each.close()
