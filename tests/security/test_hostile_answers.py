"""Answers that no true far end sends: each ends as a named state, never as a fault of ours and never as an empty answer."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import botocore.awsrequest
import botocore.exceptions
import pytest
import urllib3.response

from hpgov_jlab.model.kubernetes import Pod
from hpgov_jlab.model.outcome import Failure, State
from hpgov_jlab.policy.kubernetes import DISCOVERY, NAMESPACE, PODS
from hpgov_jlab.reads import Deadline
from hpgov_jlab.sources.aws import hyperpod, s3, sts
from hpgov_jlab.sources.aws.session import Prefix
from hpgov_jlab.sources.aws.transport import Transport, skew_of, using
from hpgov_jlab.sources.kubernetes import errors
from hpgov_jlab.sources.kubernetes.lists import decode_object, decode_page

from ..aws.world import CLUSTER, STUDIO, Parrot, Said, ask, failed, keys_or, studio

DEEP = "[" * 100_000 + "]" * 100_000
PREFIX = Prefix("example-platform-contracts", "hyperpod/", "111122223333", "us-west-2")
TRUE: dict[str, Any] = {"ClusterArn": "arn:aws:sagemaker:us-west-2:111122223333:cluster/abcdef123456", "ClusterStatus": "InService", "InstanceGroups": []}


@pytest.fixture(autouse=True)
def no_real_aws(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_PROFILE", "AWS_ACCESS_KEY_ID", "HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    "body",
    [
        json.dumps({**TRUE, "ClusterName": "half \ud800 a pair"}).encode(),
        json.dumps({**TRUE, "InstanceGroups": [{"InstanceGroupName": "\udfff"}]}).encode(),
        b'{"ClusterArn": "x", "Other": ' + DEEP.encode() + b"}",
        json.dumps({**TRUE, "CreationTime": 10**30}).encode(),
        json.dumps({**TRUE, "CreationTime": -(2.0**70)}).encode(),
    ],
    ids=["half-a-surrogate-pair", "deeper-in", "nested", "a-time-out-of-range", "long-ago"],
)
def test_an_answer_that_cannot_be_carried_on_is_unusable_and_no_fault_of_ours(body: bytes) -> None:
    with Parrot(keys_or(Said(200, body))) as parrot:
        sessions = studio(parrot.url)
        failure = failed(hyperpod.describe(sessions.for_place(STUDIO), CLUSTER))
        sessions.close()
    assert (failure.state, failure.code) == (State.INVALID, "answer_unusable")


@pytest.mark.parametrize(
    "date", ["Thu, 01 Jan 1970 00:00:00 +9999999999999999", "Mon, 01 Jan 99999999999999999999 00:00:00 GMT", "Mon, 32 Jan 2020 99:99:99 GMT", "\ud800"]
)
def test_a_clock_that_is_no_time_is_no_clock(date: str) -> None:
    assert skew_of({"Date": date}, time.time()) is None


def test_a_hostile_clock_breaks_no_read() -> None:
    with Parrot(keys_or(Said())) as parrot:
        true = parrot.say
        parrot.say = lambda target, body: Said(
            (said := true(target, body)).status, said.body, said.kind, (("Date", "Mon, 01 Jan 99999999999999999999 00:00:00 GMT"),)
        )
        sessions = studio(parrot.url)
        assert ask(sts.identity(sessions.for_place(STUDIO))).account == "111122223333"
        sessions.close()


def test_an_object_without_its_length_is_not_an_empty_contract() -> None:
    """A connection that ends within the headers looks like a whole answer without a body."""

    def cut(c: socket.socket) -> None:
        c.sendall(b"HTTP/1.1 200 OK\r\nx-amz-request-id: 1\r\nDate: Mon, 30 Nov 2026 09:00:00 GMT\r\nContent-Le")

    with raw(cut) as url, Parrot(keys_or(Said())) as parrot:
        sessions = studio(parrot.url)
        sessions._settings.endpoints["s3"] = url  # type: ignore[index]  # the dictionary that the test itself made
        sessions.set_prefixes((PREFIX,))
        failure = failed(s3.get(sessions.for_place(STUDIO), PREFIX, "hyperpod/a.yaml"))
        sessions.close()
    assert (failure.state, failure.code) == (State.INVALID, "answer_unusable")


@contextmanager
def raw(script: Callable[[socket.socket], None]) -> Iterator[str]:
    """A server on loopback that writes what `script` says to every connection and closes it."""
    listening = socket.create_server(("127.0.0.1", 0))

    def accept() -> None:
        while True:
            try:
                sock, _ = listening.accept()
            except OSError:
                return
            with sock:
                try:
                    sock.recv(65536)
                    script(sock)
                except OSError:
                    continue

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        listening.close()


def test_a_chunk_length_without_end_is_not_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Older urllib3 reads the line with a chunk's length without a limit when it streams, so ours reads another way; that one is shut here."""

    def streamed(*_: Any, **__: Any) -> Any:
        raise AssertionError("the unbounded way was taken")

    monkeypatch.setattr(urllib3.response.HTTPResponse, "stream", streamed)
    monkeypatch.setattr(urllib3.response.HTTPResponse, "read_chunked", streamed)
    sent = [0]

    def endless(sock: socket.socket) -> None:
        sock.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
        while sent[0] < 64 << 20:
            sock.sendall(b"0" * 65536)
            sent[0] += 65536

    transport = Transport(pool=1, proxied=False)
    with raw(endless) as url, using(Deadline(60)), pytest.raises(botocore.exceptions.ConnectionClosedError):
        transport.send(botocore.awsrequest.AWSRequest(method="GET", url=url + "/").prepare())
    transport.close()
    assert sent[0] < 16 << 20


def test_json_that_is_nested_too_deep_is_of_no_shape() -> None:
    for read in (
        lambda: decode_page(f'{{"kind":"PodList","items":[],"more":{DEEP}}}'.encode(), Pod, PODS),
        lambda: decode_page(f'{{"kind":"PodList","items":[{{"metadata":{DEEP}}}]}}'.encode(), Pod, PODS),
        lambda: decode_object(f'{{"kind":"Pod","more":{DEEP}}}'.encode(), Pod, "Pod", NAMESPACE),
    ):
        with pytest.raises(Failure) as raised:
            read()
        assert (raised.value.state, raised.value.code) == (State.INVALID, "k8s_shape")
    about = errors.About(DISCOVERY, "", 0.0, 1.0, None)
    assert errors.of_status(500, DEEP.encode(), None, about).code == "k8s_server_error"
