"""How bytes go to AWS and come back: total deadline, byte limit, sockets that can be closed at once, and answers that are AWS's at all.

botocore has none of these: its read timeout starts anew with every byte, its bodies have no limit, `close()` leaves sockets in use alone, and an
HTML page with status 200 (a captive portal, a proxy's login page) becomes a successful empty answer (facts/aws.md 6.3). The `before-send` event
is botocore's public place to send by other means; what comes back goes through botocore's own parsers and retries.
"""

from __future__ import annotations

import contextlib
import email.utils
import io
import socket
import ssl
import threading
import weakref
from collections.abc import Iterator
from typing import Any

import botocore.awsrequest
import botocore.exceptions
import botocore.httpsession
import botocore.utils
import urllib3
import urllib3.connection
import urllib3.exceptions as u3

from ...model.outcome import Failure, State
from ...reads import Deadline

CONNECT_SECONDS = 3.0
READ_SECONDS = 10.0
BODY_LIMIT = 8 * 1024 * 1024
"""Decoded bytes of one answer. The largest true one is a page of 100 nodes, under 200 KB."""
_CHUNK = 65536


class NotAws(botocore.exceptions.BotoCoreError):
    """What answered is not AWS: a page of a proxy or a captive portal. Not retried."""

    fmt = "an answer with status {status} is not from AWS"


class TooLarge(botocore.exceptions.BotoCoreError):
    """More bytes than any true answer has."""

    fmt = "an answer is larger than {limit} bytes"


class Stopped(botocore.exceptions.BotoCoreError):
    """The transport was closed."""

    fmt = "the server is stopping"


class _Current(threading.local):
    """What the thread's call in progress may use: set by `using`, read by the sockets that it opens or reuses."""

    deadline: Deadline | None = None
    read_seconds: float = READ_SECONDS
    owner: Transport | None = None


_current = _Current()


class using:
    """Within this block every byte that this thread sends or reads on our transports counts against `deadline`."""

    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline

    def __enter__(self) -> Deadline:
        self._before = _current.deadline
        _current.deadline = self._deadline
        return self._deadline

    def __exit__(self, *_: object) -> None:
        _current.deadline = self._before


def current_deadline() -> Deadline | None:
    """The deadline of the call that this thread is in."""
    return _current.deadline


class held:
    """A lock, waited for no longer than the call's deadline: a thread that hangs with it must not take the others along."""

    def __init__(self, lock: threading.Lock) -> None:
        self._lock = lock

    def __enter__(self) -> None:
        deadline = current_deadline()
        if deadline is None:
            self._lock.acquire()
        elif not self._lock.acquire(timeout=max(0.001, deadline.remaining())):
            raise Failure(State.UNREACHABLE, "deadline", {"limit_seconds": deadline.limit})

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def in_call() -> bool:
    """True while this thread is inside a call of ours (see logs.py)."""
    return _current.deadline is not None


def _patience(most: float) -> float:
    """Seconds the next blocking step may take. Raises Failure(UNREACHABLE, "deadline")."""
    deadline = _current.deadline
    if deadline is None:
        return most
    deadline.check()
    return max(0.001, min(most, deadline.remaining()))


class _TimedIO(socket.SocketIO):
    """A socket's file whose every read is cut at the total deadline: a dripping answer, headers included, ends with it."""

    def readinto(self, buffer: Any) -> int | None:
        deadline = _current.deadline
        if deadline is not None and deadline.expired:
            raise TimeoutError("deadline")
        self._sock.settimeout(_patience(_current.read_seconds))  # type: ignore[attr-defined]
        return super().readinto(buffer)


class _TimedSocket:
    """The socket as http.client uses it, apart from how its answers are read."""

    def __init__(self, sock: Any) -> None:
        self._sock = sock

    def makefile(self, mode: str = "rb", *_: Any, **__: Any) -> io.BufferedReader:
        self._sock._io_refs += 1  # what socket.makefile does: the descriptor lives until the last file on it is closed
        return io.BufferedReader(_TimedIO(self._sock, "r"))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sock, name)


def _adopt(connection: Any) -> None:
    owner = _current.owner
    if owner is not None:
        owner.track(connection.sock)
    connection.sock = _TimedSocket(connection.sock)


class _Http(urllib3.connection.HTTPConnection):
    def connect(self) -> None:
        super().connect()
        _adopt(self)


class _Https(urllib3.connection.HTTPSConnection):
    def connect(self) -> None:
        super().connect()
        _adopt(self)


class _HttpPool(urllib3.HTTPConnectionPool):
    ConnectionCls = _Http


class _HttpsPool(urllib3.HTTPSConnectionPool):
    ConnectionCls = _Https


class _Body(io.BytesIO):
    """A body that was read in full, in the two ways botocore takes one."""

    def stream(self, *_: Any, **__: Any) -> Iterator[bytes]:
        yield self.read()


class Transport:
    """Sends botocore's prepared requests. One per process is enough: pools are kept per host. `proxied` False: never by the environment's proxy."""

    def __init__(self, *, pool: int, proxied: bool = True, ca_bundle: str | None = None, read_seconds: float = READ_SECONDS) -> None:
        self._pool, self._proxied, self._ca, self._read_seconds = pool, proxied, ca_bundle, read_seconds
        self._lock = threading.Lock()
        self._managers: dict[tuple[str | None, bool], urllib3.PoolManager] = {}
        self._sockets: weakref.WeakSet[Any] = weakref.WeakSet()
        self._closed = False

    def track(self, sock: Any) -> None:
        with self._lock:
            self._sockets.add(sock)
            closed = self._closed
        if closed:
            _shut(sock)
            raise Stopped()

    def close(self) -> None:
        """Close every socket, those in use too: threads that wait on one come back at once. Nothing is sent afterwards."""
        with self._lock:
            self._closed = True
            sockets, managers = list(self._sockets), list(self._managers.values())
        for sock in sockets:
            _shut(sock)
        for manager in managers:
            manager.clear()

    def send(self, request: Any) -> botocore.awsrequest.AWSResponse:
        """Send one AWSPreparedRequest and read its answer in full. Raises botocore's transport errors, TooLarge, Stopped, Failure("deadline")."""
        if self._closed:
            raise Stopped()
        url = request.url
        owner, read_seconds = _current.owner, _current.read_seconds
        _current.owner, _current.read_seconds = self, self._read_seconds
        proxy = None
        try:
            proxy = self._proxy(url)
            timeout = urllib3.Timeout(connect=_patience(CONNECT_SECONDS), read=_patience(self._read_seconds))
            raw = self._manager(proxy, url.startswith("https:")).urlopen(
                request.method,
                url,
                body=request.body,
                headers=dict(request.headers),
                timeout=timeout,
                retries=False,
                redirect=False,
                preload_content=False,
                decode_content=False,
                assert_same_host=False,
                enforce_content_length=True,
            )
            try:
                body = _read(raw)
            except BaseException:
                raw.close()  # never back into the pool with half an answer in it
                raise
            raw.release_conn()
            return botocore.awsrequest.AWSResponse(url, raw.status, raw.headers, _Body(body))
        except (u3.NewConnectionError, socket.gaierror) as error:
            raise botocore.exceptions.EndpointConnectionError(endpoint_url=_host(url), error=type(error).__name__) from None
        except u3.ConnectTimeoutError as error:
            raise botocore.exceptions.ConnectTimeoutError(endpoint_url=_host(url), error=type(error).__name__) from None
        except (u3.ReadTimeoutError, TimeoutError) as error:
            self._over()
            raise botocore.exceptions.ReadTimeoutError(endpoint_url=_host(url), error=type(error).__name__) from None
        except u3.ProxyError as error:
            denied = "407" in str(error.original_error)  # urllib3 tells the status of a refused CONNECT in the text only
            if denied:
                raise NotAws(status=407) from None
            raise botocore.exceptions.ProxyConnectionError(proxy_url="", error=type(error).__name__) from None
        except u3.SSLError as error:
            raise botocore.exceptions.SSLError(endpoint_url=_host(url), error=type(error).__name__) from None
        except (u3.HTTPError, OSError) as error:
            self._over()
            raise botocore.exceptions.ConnectionClosedError(endpoint_url=_host(url), request=None, error=type(error).__name__) from None
        finally:
            _current.owner, _current.read_seconds = owner, read_seconds

    def _over(self) -> None:
        """A socket error after close() or after the deadline is that, not the far end's doing."""
        if self._closed:
            raise Stopped()
        if _current.deadline is not None:
            _current.deadline.check()

    def _proxy(self, url: str) -> str | None:
        if not self._proxied:
            return None
        proxies = botocore.utils.get_environ_proxies(url)
        found = proxies.get(url.partition(":")[0])
        if not found:
            return None
        return found if "://" in found else f"http://{found}"

    def _manager(self, proxy: str | None, secure: bool) -> urllib3.PoolManager:
        with self._lock:
            manager = self._managers.get((proxy, secure))
            if manager is None:
                manager = self._managers[(proxy, secure)] = self._make(proxy, secure)
            return manager

    def _make(self, proxy: str | None, secure: bool) -> urllib3.PoolManager:
        common: dict[str, Any] = {"num_pools": 32, "maxsize": self._pool, "block": False}
        if secure:  # loading the authorities takes 0.2 s, and the container's endpoint is plain http
            # Not ssl.create_default_context: that one writes session keys to the file that SSLKEYLOGFILE names.
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.minimum_version = ssl.TLSVersion.TLSv1_2
            context.load_verify_locations(cafile=self._ca or botocore.httpsession.get_cert_path(True))
            common["ssl_context"] = context
        if proxy is None:
            manager: urllib3.PoolManager = urllib3.PoolManager(**common)
        else:
            parsed = urllib3.util.parse_url(proxy)
            headers = urllib3.make_headers(proxy_basic_auth=parsed.auth) if parsed.auth else None
            manager = urllib3.ProxyManager(proxy, proxy_headers=headers, **common)
        manager.pool_classes_by_scheme = {"http": _HttpPool, "https": _HttpsPool}
        return manager


def _read(raw: Any) -> bytes:
    # `read`, not `stream`: the latter takes the length of a chunk from a line that older urllib3 reads without a limit.
    body = bytearray()
    while chunk := raw.read(_CHUNK, decode_content=False):
        body += chunk
        if len(body) > BODY_LIMIT:
            raise TooLarge(limit=BODY_LIMIT)
    return bytes(body)


def _shut(sock: Any) -> None:
    # The socket's own thread closes the descriptor; closing it here would let another socket take its number under a blocked read.
    with contextlib.suppress(OSError):  # already gone, which is what was wanted
        socket.socket.shutdown(sock, socket.SHUT_RDWR)


def _host(url: str) -> str:
    """Scheme and host only: a presigned URL's query is a credential."""
    parsed = urllib3.util.parse_url(url)
    return f"{parsed.scheme}://{parsed.netloc}"


def skew_of(headers: Any, now: float) -> float | None:
    """The far end's clock minus ours, in seconds, from its `Date` header; None without one."""
    text = next((value for name, value in (headers or {}).items() if name.lower() == "date"), None)
    if not text:
        return None
    try:
        return email.utils.parsedate_to_datetime(text).timestamp() + 0.5 - now  # whole seconds, cut off
    except (ValueError, OverflowError):  # a year or a zone beyond every number
        return None
