"""S10: one cluster's CA alone is trusted, nothing comes from the environment, a proxy sees CONNECT only."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hpgov_jlab.model.connection import Reach
from hpgov_jlab.model.outcome import State
from hpgov_jlab.sources.kubernetes.transport import Api

from .far_end import TOKEN, Certificates, FarEnd, Script, certificates, objects, outcome, pods

Start = Callable[[Script], FarEnd]


# -- trust and reach -------------------------------------------------------------------------------------------------------------
def test_another_ca_is_not_trusted_and_gets_no_token(far_end: Start, api: Api, tmp_path: Path) -> None:
    far = far_end(lambda _: objects("Pod", []))
    other = certificates(tmp_path, "other")
    assert outcome(api, far.reach(ca_pem=other.ca_pem)) == (State.UNREACHABLE, "k8s_wrong_certificate")
    assert far.requests == []


def test_another_host_name_is_not_trusted(far_end: Start, api: Api) -> None:
    far = far_end(lambda _: objects("Pod", []))
    reach = Reach(f"https://localhost:{far.port}", far.certificates.ca_pem, TOKEN, 0.0, "x")
    assert outcome(api, reach) == (State.UNREACHABLE, "k8s_wrong_certificate")
    assert far.requests == []


def test_nothing_comes_from_the_environment(far_end: Start, api: Api, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = certificates(tmp_path, "other")
    (tmp_path / "other-ca.pem").write_text(other.ca_pem)
    (home / ".netrc").write_text("machine 127.0.0.1 login someone password NETRC-MARKER\n")
    os.chmod(home / ".netrc", 0o600)
    keys = tmp_path / "keys.log"
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE", "AWS_CA_BUNDLE"):
        monkeypatch.setenv(name, str(tmp_path / "other-ca.pem"))
    for name in ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("SSLKEYLOGFILE", str(keys))
    far = far_end(lambda _: objects("Pod", []))
    pods(api, far.reach())
    assert far.requests[0].headers["authorization"] == f"Bearer {TOKEN}"
    assert not keys.exists()
    assert outcome(api, far_end(lambda _: objects("Pod", [])).reach(ca_pem=other.ca_pem))[1] == "k8s_wrong_certificate"


@pytest.mark.parametrize(
    "endpoint",
    ["http://127.0.0.1:1", "https://u:p@127.0.0.1", "https://127.0.0.1/x", "https://127.0.0.1?x", "127.0.0.1", "https://", "https://h:99999", "https://a b"],
)
def test_endpoints(api: Api, trusted: Certificates, endpoint: str) -> None:
    assert outcome(api, Reach(endpoint, trusted.ca_pem, TOKEN, 0.0, "x")) == (State.INVALID, "k8s_bad_endpoint")


def test_a_ca_that_is_none(api: Api) -> None:
    for text in ("", "no pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"):
        assert outcome(api, Reach("https://127.0.0.1:1", text, TOKEN, 0.0, "x")) == (State.INVALID, "k8s_bad_ca")


def test_a_refused_connection_and_an_unknown_name(api: Api, trusted: Certificates) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))  # ours, so that nobody else listens there, and does not listen
        port = silent.getsockname()[1]
        assert outcome(api, Reach(f"https://127.0.0.1:{port}", trusted.ca_pem, TOKEN, 0.0, "x")) == (State.UNREACHABLE, "k8s_refused")
    assert outcome(api, Reach("https://no-such-host.invalid", trusted.ca_pem, TOKEN, 0.0, "y")) == (State.UNREACHABLE, "k8s_no_such_host")


def test_an_address_that_does_not_answer(api: Api, trusted: Certificates) -> None:
    """A listening queue that is full drops the first packet, as a security group does."""
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        waiting = []
        for _ in range(3):
            one = socket.socket()
            one.setblocking(False)
            one.connect_ex(full.getsockname())
            waiting.append(one)
        began = time.monotonic()
        reach = Reach(f"https://127.0.0.1:{full.getsockname()[1]}", trusted.ca_pem, TOKEN, 0.0, "x")
        assert outcome(api, reach, seconds=0.6) == (State.UNREACHABLE, "k8s_no_route")
        assert time.monotonic() - began < 15.0, "the system itself tries for two minutes"
        for one in waiting:
            one.close()


class Proxy:
    """Speaks CONNECT and pipes bytes; `refuse` answers 407."""

    def __init__(self, refuse: bool = False) -> None:
        self.lines: list[bytes] = []
        self.refuse = refuse
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while True:
            sock, _ = self._listening.accept()
            head = b""
            while b"\r\n\r\n" not in head:
                head += sock.recv(1)
            self.lines.append(head)
            if self.refuse:
                sock.sendall(b"HTTP/1.1 407 No\r\n\r\n")
                sock.close()
                continue
            host, _, port = head.split()[1].decode().partition(":")
            far = socket.create_connection((host, int(port)))
            sock.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            for a, b in ((sock, far), (far, sock)):
                threading.Thread(target=self._pipe, args=(a, b), daemon=True).start()

    @staticmethod
    def _pipe(source: socket.socket, sink: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                sink.sendall(data)
        except OSError:
            return


def test_a_proxy_sees_connect_only(far_end: Start) -> None:
    proxy, far = Proxy(), far_end(lambda _: objects("Pod", []))
    api = Api("t", proxy=proxy.url)
    pods(api, far.reach())
    assert len(far.requests) == 1
    assert len(proxy.lines) == 1 and proxy.lines[0].startswith(f"CONNECT 127.0.0.1:{far.port} ".encode())
    assert TOKEN.encode() not in proxy.lines[0] and b"authorization" not in proxy.lines[0].lower()
    api.close()


def test_a_proxy_that_refuses(far_end: Start) -> None:
    api, far = Api("t", proxy=Proxy(refuse=True).url), far_end(lambda _: objects("Pod", []))
    assert outcome(api, far.reach()) == (State.UNREACHABLE, "k8s_proxy")
    assert far.requests == []
    api.close()
