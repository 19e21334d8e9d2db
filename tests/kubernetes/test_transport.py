"""S1, S10, S14 on the wire: what is sent, whom it trusts, and how every fault of a far end ends."""

from __future__ import annotations

import gzip
import json
import logging
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hpgov_jlab.model.connection import Reach
from hpgov_jlab.model.outcome import Ask, Failure, State
from hpgov_jlab.policy.kubernetes import ACCESS_REVIEW, CLUSTER_QUEUE, LOCAL_QUEUES, PENDING, PODS, WORKLOADS, Operation, Question
from hpgov_jlab.reads import Deadline
from hpgov_jlab.sources.kubernetes import sockets
from hpgov_jlab.sources.kubernetes.transport import Api

from ..clock import HANGS, wait_until
from .far_end import TOKEN, Certificates, FarEnd, Request, Script, http, objects, outcome, pods, status

Start = Callable[[Script], FarEnd]


def test_what_leaves(far_end: Start, api: Api) -> None:
    far = far_end(lambda _: objects("Pod", []))
    pods(api, far.reach())
    pods(api, far.reach())
    first = far.requests[0]
    assert (first.method, first.target, first.body) == ("GET", "/api/v1/namespaces/team-a/pods", b"")
    assert first.headers["authorization"] == f"Bearer {TOKEN}" and first.headers["user-agent"] == "hpgov-jlab/test"
    assert set(first.headers) == {"host", "accept", "accept-encoding", "user-agent", "authorization"}
    assert far.connections == 1, "the connection is used again"


def test_a_self_review_is_sent_as_json(far_end: Start, api: Api) -> None:
    far = far_end(lambda _: http(201, {"kind": "SelfSubjectAccessReview", "status": {"allowed": True}}))
    api.ask(far.reach(), Question("create", "batch", "jobs", "team-a"), Deadline(30))
    sent = far.requests[0]
    assert (sent.method, sent.target) == ("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews")
    assert json.loads(sent.body)["spec"] == {"resourceAttributes": {"verb": "create", "group": "batch", "resource": "jobs", "namespace": "team-a"}}
    assert sent.headers["content-type"] == "application/json"


@pytest.mark.parametrize("bad", ["..", "%2e%2e", "x?y", "a/b"])
def test_a_hostile_segment_reaches_no_socket(far_end: Start, api: Api, bad: str) -> None:
    far = far_end(lambda _: objects("Pod", []))
    with pytest.raises(Failure) as raised:
        api.get(far.reach(), PODS, Deadline(30), version="v1", namespace=bad)
    assert (raised.value.state, raised.value.code) == (State.INVALID, "k8s_name_not_valid")
    with pytest.raises(Failure):
        api.get(far.reach(), CLUSTER_QUEUE, Deadline(30), version="v1beta2", name=bad)
    assert far.connections == 0


def test_the_connection_itself_refuses_a_line_that_is_not_on_the_list(far_end: Start, trusted: Certificates) -> None:
    """Below everything that builds targets: what a library would make of a path is checked as it is about to be sent."""
    far = far_end(lambda _: objects("Pod", []))
    pool = sockets.pool_manager(sockets.tls_context(trusted.ca_pem), "")
    for method, path in (("GET", "/api/v1/namespaces/a/pods/b/exec"), ("DELETE", "/api/v1/namespaces/a/pods"), ("GET", "/api/v1/namespaces/x/../a/secrets")):
        with pytest.raises(sockets.guard.Refused):
            pool.request(method, far.endpoint + path, retries=False)
    with pytest.raises(sockets.guard.Refused):
        pool.request("GET", far.endpoint + "/apis", headers={"Impersonate-User": "admin"}, retries=False)
    assert far.requests == []


@pytest.mark.parametrize(
    ("code", "reason", "operation", "expected"),
    [
        (403, "Forbidden", PODS, (State.DENIED, "k8s_denied")),
        (404, "NotFound", CLUSTER_QUEUE, (State.ABSENT, "k8s_not_found")),
        (401, "Unauthorized", PODS, (State.EXPIRED, "k8s_token_refused")),
        (410, "Expired", PODS, (State.UNREACHABLE, "k8s_list_expired")),
        (429, "TooManyRequests", PODS, (State.THROTTLED, "k8s_throttled")),
        (500, "InternalError", PODS, (State.UNREACHABLE, "k8s_server_error")),
        (503, "ServiceUnavailable", PODS, (State.UNREACHABLE, "k8s_server_error")),
        (503, "ServiceUnavailable", PENDING, (State.UNREACHABLE, "k8s_visibility_down")),
        (400, "BadRequest", PODS, (State.INVALID, "k8s_not_understood")),
        (422, "Invalid", PODS, (State.INVALID, "k8s_not_understood")),
    ],
)
def test_statuses(far_end: Start, api: Api, code: int, reason: str, operation: Operation, expected: tuple[State, str]) -> None:
    far = far_end(lambda _: status(code, reason, f"upstream-text {TOKEN}"))
    assert outcome(api, far.reach(), operation=operation) == expected


def test_a_conversion_that_fails_is_kueues_fault(far_end: Start, api: Api) -> None:
    message = "conversion webhook for kueue.x-k8s.io/v1beta2, Kind=Workload failed: Post upstream-text: connect: connection refused"
    far = far_end(lambda _: status(500, "InternalError", message))
    assert outcome(api, far.reach(), operation=WORKLOADS) == (State.UNREACHABLE, "k8s_conversion_down")


def test_retry_after(far_end: Start, api: Api) -> None:
    far = far_end(lambda _: http(429, {"kind": "Status"}, Retry_After="7"))
    with pytest.raises(Failure) as raised:
        pods(api, far.reach())
    assert raised.value.params["retry_after_seconds"] == 7.0


@pytest.mark.parametrize(
    ("age", "date", "expected"),
    [(5.0, 0.0, (State.DENIED, "k8s_access_entry_gone")), (120.0, 0.0, (State.EXPIRED, "k8s_token_refused")), (5.0, 900.0, (State.EXPIRED, "k8s_clock_off"))],
)
def test_a_401_by_the_age_of_its_token(far_end: Start, api: Api, age: float, date: float, expected: tuple[State, str]) -> None:
    from email.utils import formatdate

    now = time.time()
    far = far_end(lambda _: http(401, {"kind": "Status"}, Date=formatdate(now + date, usegmt=True)))
    assert outcome(api, far.reach(signed_at=now - age)) == expected


def test_skew_from_the_date_header(far_end: Start, api: Api) -> None:
    from email.utils import formatdate

    far = far_end(lambda _: http(200, {"kind": "PodList", "items": []}, Date=formatdate(time.time() + 3600, usegmt=True)))
    skew = api.get(far.reach(), PODS, Deadline(30), version="v1", namespace="a").skew
    assert skew == pytest.approx(3600, abs=HANGS), "to the time that a busy machine needs for an answer"


@pytest.mark.parametrize("kind", ["text/html", "text/plain", "application/vnd.kubernetes.protobuf", ""])
def test_a_page_that_is_not_json(far_end: Start, api: Api, kind: str) -> None:
    far = far_end(lambda _: http(200, b"<html>sign in</html>", kind=kind))
    assert outcome(api, far.reach()) == (State.INVALID, "k8s_not_json")


def test_redirects_are_not_followed(far_end: Start, api: Api) -> None:
    other = far_end(lambda _: objects("Pod", []))
    far = far_end(lambda _: http(302, b"", Location=f"{other.endpoint}/api/v1/namespaces/team-a/pods"))
    assert outcome(api, far.reach()) == (State.INVALID, "k8s_redirect")
    assert other.connections == 0 and len(far.requests) == 1


def drip(request: Request) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n"
    while True:
        time.sleep(0.05)
        yield b" "


def drip_headers(request: Request) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nX: "
    while True:
        time.sleep(0.05)
        yield b"x"


def silent(request: Request) -> Iterator[bytes]:
    time.sleep(30)
    yield b""


ENDS = 15.0
"""Seconds: ample for a deadline of one or two on a busy machine, and half of what the quickest of these far ends takes."""


@pytest.mark.parametrize("script", [drip, drip_headers, silent])
def test_the_total_deadline_cuts_whatever_drips(far_end: Start, api: Api, script: Script) -> None:
    far = far_end(script)
    began = time.monotonic()
    assert outcome(api, far.reach(), seconds=2.0) == (State.UNREACHABLE, "deadline")
    assert time.monotonic() - began < ENDS


def test_a_handshake_that_never_ends_is_cut(api: Api, trusted: Certificates) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        began = time.monotonic()
        reach = Reach(f"https://127.0.0.1:{mute.getsockname()[1]}", trusted.ca_pem, TOKEN, 0.0, "mute")
        assert outcome(api, reach, seconds=0.6)[0] is State.UNREACHABLE
        assert time.monotonic() - began < ENDS


@pytest.mark.parametrize(
    "answer",
    [
        b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"kind":',
        b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{"kind":\r\n',
        b"HTTP/1.1 200 OK\r\nContent-Ty",
        b"",
        b"SSH-2.0-OpenSSH\r\n\r\n",
    ],
)
def test_an_answer_that_is_cut(far_end: Start, api: Api, answer: bytes) -> None:
    assert outcome(api, far_end(lambda _: iter([answer])).reach()) == (State.UNREACHABLE, "k8s_cut")


def test_a_cut_gzip_body_is_not_taken_for_a_whole_one(far_end: Start, api: Api) -> None:
    raw = gzip.compress(json.dumps({"kind": "PodList", "items": []}).encode())[:-4]
    far = far_end(lambda _: http(200, raw, Content_Encoding="gzip"))
    assert outcome(api, far.reach()) == (State.UNREACHABLE, "k8s_cut")


@pytest.mark.parametrize("packed", [True, False])
def test_the_limit_counts_decoded_bytes(far_end: Start, packed: bool) -> None:
    api = Api("t", body_limit=100_000)
    body = b'{"kind":"PodList","items":[' + b" " * 50_000_000 + b"]}" if packed else b" " * 100_001
    raw = gzip.compress(body, 1) if packed else body
    far = far_end(lambda _: http(200, raw, **({"Content_Encoding": "gzip"} if packed else {})))
    assert outcome(api, far.reach()) == (State.INVALID, "k8s_too_large")
    small = far_end(lambda _: http(200, gzip.compress(b'{"kind":"PodList","items":[]}'), Content_Encoding="gzip"))
    assert pods(api, small.reach()) == b'{"kind":"PodList","items":[]}'
    api.close()


def test_an_encoding_that_was_not_asked_for(far_end: Start, api: Api) -> None:
    assert outcome(api, far_end(lambda _: http(200, b"x", Content_Encoding="br")).reach()) == (State.INVALID, "k8s_not_json")


# -- stopping, logs, secrets -----------------------------------------------------------------------------------------------------
def test_close_ends_a_dripping_read_at_once(far_end: Start) -> None:
    dripping = threading.Event()

    def dripped(request: Request) -> Iterator[bytes]:
        for count, piece in enumerate(drip(request)):
            yield piece
            if count == 3:
                dripping.set()

    api, far = Api("t"), far_end(dripped)
    seen: list[Failure] = []

    def read() -> None:
        try:
            pods(api, far.reach(), 60.0)
        except Failure as failure:
            seen.append(failure)

    reader = threading.Thread(target=read, name="hpgov-test", daemon=True)
    reader.start()
    assert dripping.wait(HANGS)
    began = time.monotonic()
    api.close()
    reader.join(HANGS)
    assert not reader.is_alive() and time.monotonic() - began < ENDS, "its deadline is a minute"
    assert seen and seen[0].code == "stopping"
    assert outcome(api, far.reach()) == (State.PENDING, "stopping")


def test_a_process_with_a_dripping_far_end_exits(far_end: Start, tmp_path: Path) -> None:
    far = far_end(drip)
    (tmp_path / "ca.pem").write_text(far.certificates.ca_pem)
    code = (
        "import sys, threading\n"
        "from hpgov_jlab.model.connection import Reach\nfrom hpgov_jlab.reads import Deadline\n"
        "from hpgov_jlab.policy.kubernetes import PODS\nfrom hpgov_jlab.sources.kubernetes.transport import Api\n"
        "api = Api('t'); reach = Reach(sys.argv[1], open(sys.argv[2]).read(), 't', 0.0, 'x')\n"
        "threading.Thread(target=lambda: api.get(reach, PODS, Deadline(600), version='v1', namespace='a'), daemon=True, name='hpgov-x').start()\n"
        "sys.stdin.readline()\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code, far.endpoint, str(tmp_path / "ca.pem")], stdin=subprocess.PIPE, text=True)
    wait_until(lambda: bool(far.requests), "it reads")
    assert process.poll() is None
    process.communicate("leave\n", timeout=HANGS)  # an interpreter ends in well under a second; the drip would go on for ten minutes
    assert process.returncode == 0


def test_nothing_of_a_request_is_logged_at_debug(far_end: Start, api: Api, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    far = far_end(lambda _: status(403, "Forbidden", "upstream-text"))
    before = {name: logging.getLogger(name).level for name in ("urllib3", "client")}

    def read() -> None:
        with pytest.raises(Failure):
            pods(api, far.reach())

    reader = threading.Thread(target=read, name="hpgov-test")
    reader.start()
    reader.join()
    assert len(far.requests) == 1
    assert not [r for r in caplog.records if r.name.startswith(("urllib3", "kubernetes", "client"))]
    assert TOKEN not in caplog.text and "upstream-text" not in caplog.text
    assert {name: logging.getLogger(name).level for name in before} == before, "the package's Configuration leaves no level behind"
    logging.getLogger("urllib3.connectionpool").debug("someone else's record")
    assert "someone else's record" in caplog.text


def test_secrets_have_a_masked_repr(far_end: Start, api: Api) -> None:
    far = far_end(lambda _: objects("Pod", [{"metadata": {"name": "BODY-MARKER"}}]))
    assert TOKEN not in repr(far.reach()) and TOKEN not in repr(far.at(api))
    assert "BODY-MARKER" not in repr(api.get(far.reach(), PODS, Deadline(30), version="v1", namespace="a"))


def test_the_package_is_imported_at_the_first_request_only() -> None:
    code = "import sys, hpgov_jlab.sources.kubernetes.transport, hpgov_jlab.sources.kubernetes.kueue; print('kubernetes' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_whom_to_ask(far_end: Start, api: Api) -> None:
    with pytest.raises(Failure) as denied:
        api.get(far_end(lambda _: status(403)).reach(), LOCAL_QUEUES, Deadline(30), version="v1beta2", namespace="team-a")
    assert denied.value.ask is Ask.CLUSTER_ADMIN
    assert denied.value.params == {"operation": "list localqueues.kueue.x-k8s.io", "scope": "team-a"}
    assert ACCESS_REVIEW.source == "create selfsubjectaccessreviews.authorization.k8s.io"


def test_a_connection_that_idled_is_not_used_again(far_end: Start, api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    far = far_end(lambda _: objects("Pod", []))
    pods(api, far.reach())
    pods(api, far.reach())
    assert far.connections == 1
    monkeypatch.setattr(sockets, "IDLE_SECONDS", 0.0)
    time.sleep(0.01)
    pods(api, far.reach())
    assert far.connections == 2
