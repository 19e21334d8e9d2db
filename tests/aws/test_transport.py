"""Deadlines, limits and stopping, on real sockets (DESIGN.md 2.8, 3: a dripping far end holds up nothing)."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hpgov_jlab.model.connection import Place, PlaceKind
from hpgov_jlab.model.outcome import Failure, State
from hpgov_jlab.reads import Deadline
from hpgov_jlab.sandbox.aws.far_end import AwsFarEnd
from hpgov_jlab.sandbox.scenario import Role, Scenario, Session
from hpgov_jlab.sources.aws import datazone, sts
from hpgov_jlab.sources.aws.session import AwsSessions, AwsSettings

from ..clock import HANGS, wait_until
from .network import Network
from .world import World, ask, failed, settings

ENDS = 8.0
"""Seconds: ample for what has a deadline of one or three on a busy machine, and less than the ten that one step of a call may take without it."""


@pytest.fixture
def dripper() -> Iterator[str]:
    """A far end that sends one byte of its headers every 0.1 s, for ever."""
    listener = socket.create_server(("127.0.0.1", 0))
    stop = threading.Event()

    def serve(client: socket.socket) -> None:
        with client:
            client.recv(65536)
            try:
                for byte in b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 100_000:
                    client.sendall(bytes([byte]))
                    if stop.wait(0.1):
                        return
            except OSError:
                return

    def accept() -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=serve, args=(client,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    stop.set()
    listener.close()


def test_dripping_headers_end_with_the_deadline(dripper: str, default: World) -> None:
    sessions = AwsSessions(settings(dripper), environ=default.far.environment())
    started = time.monotonic()
    failure = failed(sts.identity(sessions.for_place(default.place)), 3.0)  # room for the keys and the client, which are made first
    assert (failure.state, failure.code) == (State.UNREACHABLE, "deadline")
    assert time.monotonic() - started < ENDS
    sessions.close()


def test_a_dripping_body_ends_with_the_deadline(default: World) -> None:
    read = datazone.connections(default.home, default.place)
    ask(read)
    default.far.faults.set("drip", value=60, on="datazone:*")
    started = time.monotonic()
    assert failed(read, 1.0).code == "deadline"
    assert time.monotonic() - started < ENDS


def test_stopping_ends_calls_in_progress_at_once_and_starts_none(default: World) -> None:
    read = datazone.connections(default.home, default.place)
    ask(read)
    known = len(default.far.calls("ListConnections"))
    default.far.faults.set("slow", value=30, on="datazone:*")
    ended: list[tuple[Failure, float]] = []
    threads = [threading.Thread(target=lambda: ended.append((failed(read), time.monotonic())), daemon=True) for _ in range(3)]
    for thread in threads:
        thread.start()
    wait_until(lambda: len(default.far.calls("ListConnections")) == known + 3, "all three are on their way")
    stopped_at = time.monotonic()
    default.sessions.close()
    for thread in threads:
        thread.join(HANGS)
    assert len(ended) == 3
    assert {(f.state, f.code) for f, _ in ended} == {(State.PENDING, "stopping")}
    assert all(at - stopped_at < ENDS for _, at in ended)
    before = len(default.far.log)
    assert failed(read).code == "stopping"
    assert len(default.far.log) == before


def test_one_hanging_call_does_not_hold_up_another(default: World) -> None:
    slow, fast = datazone.connections(default.home, default.place), sts.identity(default.home)
    ask(slow)
    known = len(default.far.calls("ListConnections"))
    default.far.faults.set("slow", value=30, on="datazone:*")
    thread = threading.Thread(target=lambda: failed(slow, 60.0), daemon=True)
    thread.start()
    wait_until(lambda: len(default.far.calls("ListConnections")) > known, "the slow one is on its way")
    ask(fast)
    assert thread.is_alive(), "it was not waited for"
    default.sessions.close()
    thread.join(HANGS)
    assert not thread.is_alive()


POD = Place(PlaceKind.POD, "x", region="us-west-2")
SCENARIO = Scenario(
    name="pod", title="a pod", place="elsewhere", region="us-west-2", roles=(Role(arn="arn:aws:iam::111122223333:role/pod"),),
    session=Session(role="arn:aws:iam::111122223333:role/pod", name="pod"),
)  # fmt: skip


def through(network: Network, far: AwsFarEnd, monkeypatch: pytest.MonkeyPatch, **more: Any) -> AwsSessions:
    monkeypatch.setenv("HTTPS_PROXY", network.url)
    return AwsSessions(AwsSettings(**{"ca_bundle": network.ca, **more}), environ=far.environment())


def test_a_proxy_of_the_environment_is_used_for_aws_but_not_for_the_container(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with AwsFarEnd(SCENARIO) as far, Network(tmp_path, far.url) as network:
        monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")  # a dead one, for plain http
        sessions = through(network, far, monkeypatch)
        assert ask(sts.identity(sessions.for_place(POD))).account == "111122223333"
        assert network.hosts == ["sts.us-west-2.amazonaws.com"]
        sessions.close()


def test_a_certificate_of_another_authority_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with AwsFarEnd(SCENARIO) as far, Network(tmp_path, far.url) as network:
        sessions = through(network, far, monkeypatch, ca_bundle=None)
        failure = failed(sts.identity(sessions.for_place(POD)))
        assert (failure.state, failure.code) == (State.UNREACHABLE, "aws_tls_refused")
        assert far.log == []
        sessions.close()


@pytest.mark.parametrize(("status", "code"), [(407, "proxy_wants_login"), (502, "proxy_unreachable")])
def test_a_proxy_that_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int, code: str) -> None:
    with AwsFarEnd(SCENARIO) as far, Network(tmp_path, far.url, refuse=status) as network:
        sessions = through(network, far, monkeypatch)
        failure = failed(sts.identity(sessions.for_place(POD)))
        assert (failure.state, failure.code) == (State.UNREACHABLE, code)
        sessions.close()


def test_a_proxy_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with AwsFarEnd(SCENARIO) as far, Network(tmp_path, far.url) as network:
        sessions = through(network, far, monkeypatch)
        monkeypatch.setenv("HTTPS_PROXY", "http://user:secret-of-proxy@127.0.0.1:9")
        failure = failed(sts.identity(sessions.for_place(POD)))
        assert (failure.state, failure.code) == (State.UNREACHABLE, "proxy_unreachable")
        assert "secret-of-proxy" not in f"{failure!r}{failure.params}"
        sessions.close()


def test_no_session_keys_of_tls_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keylog = tmp_path / "keylog"
    monkeypatch.setenv("SSLKEYLOGFILE", str(keylog))
    with AwsFarEnd(SCENARIO) as far, Network(tmp_path, far.url) as network:
        sessions = through(network, far, monkeypatch)
        ask(sts.identity(sessions.for_place(POD)))
        sessions.close()
    # botocore makes a TLS context of its own for each client, which opens the file; nothing is ever sent through that one.
    assert "CLIENT_" not in (keylog.read_text() if keylog.exists() else "")


def test_a_deadline_that_is_over_sends_nothing(default: World) -> None:
    over = Deadline(0.0)
    with pytest.raises(Failure) as caught:
        default.home.call("datazone", "GetProject", {"domainIdentifier": "dzd-exampledomain1", "identifier": "prjresearch001"}, over, region="us-east-1")
    assert caught.value.code == "deadline"
    assert default.far.log == []
