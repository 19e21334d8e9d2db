"""S17: slurmrestd with the user's own token. The far end here answers what the real ones answered (facts/slurm.md 2), or what an attacker would."""

from __future__ import annotations

import os
import socket
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hpgov_jlab.model.outcome import Ask, Failure, State
from hpgov_jlab.sources.slurm import reads, rest, token

from .fakes import failed, fetched
from .slurmrestd import OWN, FarEnd, at, jwt, put, serving

DOWN = {"errors": [{"error_number": 1800, "error": "Unable to contact slurm controller (connect failure)", "description": "Unable to query jobs"}], "jobs": []}


# -- the token ----------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "state", "code"),
    [
        (jwt(exp=time.time() - 1), State.EXPIRED, "slurm_token_expired"),
        (jwt("bob"), State.INVALID, "slurm_token_of_other"),
        (jwt("root"), State.INVALID, "slurm_token_of_root"),
        (jwt("slurm"), State.INVALID, "slurm_token_of_root"),
        ("garbage", State.INVALID, "slurm_token_malformed"),
        ("a.b.c", State.INVALID, "slurm_token_malformed"),
        (jwt(5), State.INVALID, "slurm_token_malformed"),
        (jwt(exp="soon"), State.INVALID, "slurm_token_malformed"),
        (jwt(exp=True), State.INVALID, "slurm_token_malformed"),
        (jwt("a b"), State.INVALID, "slurm_token_malformed"),
        (jwt() + "\r\nX-Evil: 1", State.INVALID, "slurm_token_malformed"),
        ("", State.INVALID, "slurm_token_malformed"),
    ],
)
def test_a_token_that_is_not_ones_own_or_not_valid_asks_nothing(text: str, state: State, code: str, far_end: FarEnd, token_file: Path) -> None:
    token_file.write_text(text)
    put(far_end, "v0.0.42")
    failure = failed(reads.own_jobs(at(far_end, token_file)))
    assert (failure.state, failure.code, failure.ask) == (state, code, Ask.YOU)
    assert far_end.asked == []
    assert not text or text not in repr(failure.params)


def test_the_configured_slurm_user_is_refused_like_root(token_file: Path) -> None:
    with pytest.raises(Failure) as failure:
        token.check(jwt("toor"), "toor", now=0, more_refused=frozenset({"toor"}))
    assert failure.value.code == "slurm_token_of_root"


def test_a_token_file_that_others_can_read_a_link_a_pipe_and_none(tmp_path: Path, token_file: Path) -> None:
    def code(path: Path) -> str:
        with pytest.raises(Failure) as failure:
            token.read(str(path), "alice", now=time.time())
        return failure.value.code

    assert code(tmp_path / "none") == "slurm_token_file"
    (tmp_path / "link").symlink_to(token_file)
    assert code(tmp_path / "link") == "slurm_token_file"
    os.mkfifo(tmp_path / "pipe", 0o600)
    assert code(tmp_path / "pipe") == "slurm_token_file"
    (tmp_path / "big").write_text("x" * 20000)
    assert code(tmp_path / "big") == "slurm_token_file"
    for mode in (0o640, 0o604, 0o660):
        token_file.chmod(mode)
        assert code(token_file) == "slurm_token_open"
    token_file.chmod(0o400)
    assert token.read(str(token_file), "alice", now=time.time()).user == "alice"


@pytest.mark.skipif(os.geteuid() != 0, reason="whoever is not root can't open another's file of mode 0600 in the first place")
def test_a_token_file_of_somebody_else(token_file: Path) -> None:
    os.chown(token_file, 65534, 65534)
    with pytest.raises(Failure) as failure:
        token.read(str(token_file), "alice", now=time.time())
    assert failure.value.code == "slurm_token_open"


def test_the_token_is_in_no_repr(far_end: FarEnd, token_file: Path) -> None:
    held = token.read(str(token_file), "alice", now=0)
    assert held.text not in repr(held)
    assert held.text not in repr(at(far_end, token_file))


def test_both_headers_are_sent_and_scontrols_own_line_is_understood(far_end: FarEnd, token_file: Path) -> None:
    token_file.write_text("SLURM_JWT=" + jwt() + "\n")
    put(far_end, "v0.0.42")
    fetched(reads.nodes(at(far_end, token_file)))
    method, path, headers = far_end.asked[0]
    assert (method, path, headers["x-slurm-user-name"]) == ("GET", "/slurm/v0.0.42/nodes", "alice")
    assert headers["x-slurm-user-token"].count(".") == 2
    assert not {"cookie", "authorization", "upgrade"} & set(headers)


# -- where ------------------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("url", ["http://10.0.0.5:6820", "http://slurm.example.com", "http://169.254.169.254", "http://0.0.0.0:6820"])
def test_plain_http_only_on_loopback(url: str) -> None:
    with pytest.raises(Failure) as failure:
        rest.where(url)
    assert (failure.value.state, failure.value.code) == (State.NOT_CONFIGURED, "slurm_rest_plain_http")


@pytest.mark.parametrize(
    "url", ["ftp://x", "https://u:p@x", "https://x/path", "https://x?y", "http://", "unix:relative", "x", "", "https://x:99999", "file:///etc/passwd"]
)
def test_urls_that_are_none(url: str) -> None:
    with pytest.raises(Failure) as failure:
        rest.where(url)
    assert failure.value.code == "slurm_rest_url"


@pytest.mark.parametrize(
    ("url", "scheme", "port"),
    [("http://127.0.0.1", "http", 6820), ("http://[::1]:7", "http", 7), ("https://slurm.example.com", "https", 443), ("unix:/run/s.sock", "unix", 0)],
)
def test_urls_that_are(url: str, scheme: str, port: int) -> None:
    found = rest.where(url)
    assert (found.scheme, found.port) == (scheme, port)


def test_a_unix_socket(tmp_path: Path, token_file: Path) -> None:
    with serving(FarEnd(), unix=str(tmp_path / "s")) as far_end:
        put(far_end, "v0.0.38")
        assert fetched(reads.nodes(at(far_end, token_file, "v0.0.38"))).total == 4  # type: ignore[attr-defined]


# -- what it answers --------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("version", ["v0.0.38", "v0.0.40", "v0.0.41", "v0.0.42"])
def test_every_read_of_every_version_keeps_nothing_of_others(version: str, far_end: FarEnd, token_file: Path) -> None:
    """The recordings are root's: everybody's jobs, associations and shares. What is kept is alice's, and her account's jobs."""
    put(far_end, version)
    here = at(far_end, token_file, version)
    brought = {
        "own": fetched(reads.own_jobs(here)), "team": fetched(reads.team_jobs(here, "research-nlp")), "queue": fetched(reads.queue(here)),
        "history": fetched(reads.history(here)), "associations": fetched(reads.associations(here)), "nodes": fetched(reads.nodes(here)),
        "partitions": fetched(reads.partitions(here, OWN)), "controller": fetched(reads.controller(here)), "qos": fetched(reads.qos(here)),
    }  # fmt: skip
    listed = [p.name for p in brought["partitions"]]  # type: ignore[attr-defined]
    assert listed == ["gpu", "prod", "short", "maint", *(["hidden"] if version != "v0.0.38" else [])]  # root, whose answers these are, is shown it
    if version != "v0.0.38":
        brought["shares"] = fetched(reads.shares(here))
    if version in ("v0.0.38", "v0.0.42"):
        brought["reservations"] = fetched(reads.reservations(here, OWN))
    for name, value in brought.items():
        for foreign in ("bob", "carol", "erin", "opal", "mallory", "team-production", "prod-big", "run-res2", "scav'"):
            assert foreign not in repr(value), (name, foreign)
    assert len(brought["own"].items) == 11  # type: ignore[attr-defined]
    assert brought["own"].shape.form == version  # type: ignore[attr-defined]
    assert all(method == "GET" for method, _, _ in far_end.asked)


@pytest.mark.parametrize(
    ("answer", "state", "code"),
    [
        ((401, b"Authentication failure", {"Content-Type": "text/plain"}), State.DENIED, "slurm_token_refused"),
        ((500, {"errors": [{"error_number": -1, "error": "Unspecified error"}], "jobs": []}, {}), State.UNREACHABLE, "slurm_rest_unclear"),
        ((511, {"errors": [{"error_number": 1007, "error": "Protocol authentication error"}], "jobs": []}, {}), State.DENIED, "slurm_token_refused"),
        ((511, {"errors": [], "jobs": []}, {}), State.DENIED, "slurm_token_refused"),
        ((200, {"errors": [{"error_number": 1007, "error": "Protocol authentication error"}], "jobs": []}, {}), State.DENIED, "slurm_token_refused"),
        ((502, DOWN, {}), State.UNREACHABLE, "slurm_controller_down"),
        ((200, DOWN, {}), State.UNREACHABLE, "slurm_controller_down"),
        ((500, {"errors": [{"error_number": 2002, "error": "Access/permission denied"}]}, {}), State.DENIED, "slurm_denied"),
        ((200, b"<html>sign in</html>", {}), State.INVALID, "slurm_shape"),
        ((200, {"errors": []}, {}), State.INVALID, "slurm_shape"),
        ((200, {"errors": [], "jobs": None}, {}), State.INVALID, "slurm_shape"),
        ((302, b"", {"Location": "http://127.0.0.1:1/"}), State.INVALID, "slurm_rest_redirect"),
        ((307, b"", {"Location": "/slurm/v0.0.42/diag"}), State.INVALID, "slurm_rest_redirect"),
        ((500, b"boom", {}), State.INVALID, "slurm_rest_error"),
        ((429, b"", {}), State.THROTTLED, "slurm_rest_slow_down"),
        ((404, b"Unable find requested URL.", {}), State.INVALID, "slurm_rest_error"),
    ],
)  # fmt: skip
def test_an_error_is_a_failure_whatever_the_status(answer: Any, state: State, code: str, far_end: FarEnd, token_file: Path) -> None:
    far_end.answers["/slurm/v0.0.42/jobs"] = answer
    failure = failed(reads.own_jobs(at(far_end, token_file)))
    assert (failure.state, failure.code) == (state, code)
    assert len(far_end.asked) == (2 if code == "slurm_rest_unclear" else 1)


def test_what_is_hidden_is_told_from_a_controller_that_is_down(far_end: FarEnd, token_file: Path) -> None:
    """PrivateData=partitions,nodes as 22.05.8 and 24.11.5 answered it: no words of it in the first, nor in the second's partitions."""
    here = at(far_end, token_file, "v0.0.38")
    far_end.answers["/slurm/v0.0.38/nodes"] = (500, {"errors": [{"error": "Unspecified error", "errno": -1}], "nodes": []}, {})
    assert (failed(reads.nodes(here)).state, failed(reads.nodes(here)).code) == (State.UNREACHABLE, "slurm_rest_unclear")
    far_end.answers["/slurm/v0.0.38/ping"] = {"errors": [], "pings": [{"ping": "DOWN"}]}
    assert failed(reads.nodes(here)).code == "slurm_rest_unclear"
    far_end.answers["/slurm/v0.0.38/ping"] = {"errors": [], "pings": [{"ping": "UP"}]}
    assert (failed(reads.nodes(here)).state, failed(reads.nodes(here)).code) == (State.DENIED, "slurm_denied")
    newer = at(far_end, token_file)
    far_end.answers["/slurm/v0.0.42/partitions"] = (500, HIDES, {})
    far_end.answers["/slurm/v0.0.42/nodes"] = (
        500,
        {"errors": [{"description": "Failure to query nodes", "error_number": 2002, "error": "Access/permission denied"}]},
        {},
    )
    for read in (reads.partitions(newer, OWN), reads.nodes(newer)):
        assert (failed(read).state, failed(read).code) == (State.DENIED, "slurm_denied")


@pytest.mark.parametrize(
    ("errors", "code"),
    [
        ([{"error_number": 7000, "error": "Unable to connect to database", "description": "Failed to open slurmdbd connection"}], "slurm_database_down"),
        ([{"error_number": 7000, "error": "Unable to connect to database", "description": "Failed to open slurmdbd connection, authentication error"}], "slurm_token_refused"),  # noqa: E501 - one case to a line
        ([{"error_number": 9003, "error": "Nothing found with query"}], "slurm_no_association"),
    ],
)  # fmt: skip
def test_the_database_behind_it(errors: list[dict[str, Any]], code: str, far_end: FarEnd, token_file: Path) -> None:
    far_end.answers["/slurmdb/v0.0.42/associations"] = (502, {"errors": errors, "associations": []}, {})
    assert failed(reads.associations(at(far_end, token_file))).code == code


def test_no_association_of_2411_is_an_empty_list(far_end: FarEnd, token_file: Path) -> None:
    far_end.answers["/slurmdb/v0.0.42/associations"] = {"errors": [], "associations": []}
    assert failed(reads.associations(at(far_end, token_file))).code == "slurm_no_association"


def test_ping_that_says_down_may_be_the_token(far_end: FarEnd, token_file: Path) -> None:
    far_end.answers["/slurm/v0.0.42/ping"] = {"errors": [], "pings": [{"pinged": "DOWN", "responding": False}]}
    failure = failed(reads.controller(at(far_end, token_file)))
    assert (failure.state, failure.code) == (State.UNREACHABLE, "slurm_rest_unclear")


def test_what_it_has_no_form_of_is_absent_and_not_asked(far_end: FarEnd, token_file: Path) -> None:
    here = at(far_end, token_file)
    for read in (reads.config(here), reads.usage(here), reads.accounts(here, ("x",)), reads.shares(at(far_end, token_file, "v0.0.38"))):
        failure = failed(read)
        assert (failure.state, failure.code) == (State.ABSENT, "slurm_rest_lacks")
    assert far_end.asked == []


def test_a_dripping_far_end_ends_at_the_deadline(far_end: FarEnd, token_file: Path) -> None:
    put(far_end, "v0.0.42")
    far_end.drip = 0.2
    began = time.monotonic()
    assert failed(reads.nodes(at(far_end, token_file)), 1.0).code == "slurm_too_slow"
    assert time.monotonic() - began < 20, "drop by drop it would take many minutes"


def test_a_body_that_is_too_large_is_cut_off(far_end: FarEnd, token_file: Path) -> None:
    far_end.answers["/slurm/v0.0.42/partitions"] = b" " * (9 * 1024 * 1024)
    assert failed(reads.partitions(at(far_end, token_file), OWN)).code == "slurm_too_large"


HIDDEN = {
    "v0.0.38": [
        {"name": "gpu"}, {"name": "veiled", "flags": ["hidden"]}, {"name": "closed", "allowed_groups": "root"}, {"name": "ours", "allowed_groups": "alice,x"},
    ],
    "v0.0.42": [{"name": "gpu"}, {"name": "ours", "groups": {"allowed": "alice,x"}}],
}  # fmt: skip
"""Partitions as alice is told of them: 22.05 lists each with what hides it, 24.11 leaves out what is hidden (measured)."""


def hiding(far_end: FarEnd, version: str) -> None:
    def one(number: int, user: str, partition: str, account: str = "research-nlp") -> dict[str, object]:
        return {"job_id": number, "user_name": user, "account": account, "partition": partition, "job_state": "RUNNING", "tres_alloc_str": "gres/gpu=1"}

    listed = [one(1, "alice", "gpu"), one(2, "alice", "veiled"), one(3, "dave", "veiled"), one(4, "dave", "ours"), one(5, "dave", "closed"),
              one(6, "dave", "veiled,gpu"), one(7, "carol", "closed", "team-production"), one(8, "carol", "gpu", "team-production")]  # fmt: skip
    far_end.answers[f"/slurm/{version}/jobs"] = {"jobs": listed}
    far_end.answers[f"/slurm/{version}/partitions"] = {"partitions": HIDDEN[version]}
    nodes = [{"state": "idle", "partitions": p} for p in (["gpu", "veiled"], ["veiled", "closed"], [], ["ours"])] + [{"state": "idle"}]
    far_end.answers[f"/slurm/{version}/nodes"] = {"nodes": nodes}


@pytest.mark.parametrize("version", list(HIDDEN))
def test_what_lies_in_hidden_partitions_is_left_out_as_squeue_does_it(version: str, far_end: FarEnd, token_file: Path) -> None:
    """But her own jobs, which are hers wherever they are. A job that waits for several partitions is hidden where each of them is."""
    hiding(far_end, version)
    here = at(far_end, token_file, version)
    queue: Any = fetched(reads.queue(here))
    assert [(s.partition, s.jobs, s.gpus) for s in queue.sums] == [("gpu", 2, 2), ("ours", 1, 1), ("veiled,gpu", 1, 1)]
    assert queue.accounts == 2
    own: Any = fetched(reads.own_jobs(here))
    team: Any = fetched(reads.team_jobs(here, "research-nlp"))
    assert [j.id for j in own.items] == ["1", "2"] and [j.id for j in team.items] == ["1", "2", "4", "6"]
    assert fetched(reads.nodes(here)).total == 4  # type: ignore[attr-defined]
    assert [p.name for p in fetched(reads.partitions(here, OWN))] == ["gpu", "ours"]  # type: ignore[attr-defined]


def test_groups_that_are_not_known_hide_nothing(far_end: FarEnd, token_file: Path) -> None:
    """A token of another name than the Unix user's: whether AllowGroups keeps that user out can't be told, and what is not known is not left out."""
    hiding(far_end, "v0.0.38")
    here = replace(at(far_end, token_file, "v0.0.38"), groups=())
    listed: Any = fetched(reads.partitions(here, replace(OWN, groups=())))
    assert [p.name for p in listed] == ["gpu", "closed", "ours"]


HIDES = {"errors": [], "warnings": [], "partitions": []}
"""24.11 of partitions that PrivateData hides, with status 500."""
MINUS_1 = {"errors": [{"error": "Unspecified error", "errno": -1}], "partitions": []}


@pytest.mark.parametrize("version", list(HIDDEN))
@pytest.mark.parametrize(
    ("answer", "older", "newer"),
    [
        ((500, HIDES, {}), "slurm_rest_error", "slurm_denied"),
        ((500, MINUS_1, {}), "slurm_denied", "slurm_denied"),
        ((200, {"errors": [{"error_number": 2002}]}, {}), "slurm_denied", "slurm_denied"),
        ((401, b"Authentication failure", {}), "slurm_token_refused", "slurm_token_refused"),
        ((403, b"<html>sign in</html>", {}), "slurm_token_refused", "slurm_token_refused"),
        ((511, {"errors": [{"error_number": 1007}]}, {}), "slurm_token_refused", "slurm_token_refused"),
        ((511, {"errors": []}, {}), "slurm_token_refused", "slurm_token_refused"),
        ((500, b"<html>oops", {}), "slurm_rest_error", "slurm_rest_error"),
        ((500, b"", {}), "slurm_rest_error", "slurm_rest_error"),
        ((500, {"message": "oops"}, {}), "slurm_rest_error", "slurm_rest_error"),
        ((500, {"errors": None}, {}), "slurm_rest_error", "slurm_rest_error"),
        ((502, DOWN, {}), "slurm_controller_down", "slurm_controller_down"),
        ((200, {"errors": []}, {}), "slurm_shape", "slurm_shape"),
    ],
    ids=str,
)
def test_without_the_list_of_partitions_nothing_of_others_is_told(answer: Any, older: str, newer: str, version: str, far_end: FarEnd, token_file: Path) -> None:
    """Which are hidden is told nowhere else, and squeue leaves out what lies in them, whatever PrivateData says: neither sums, nor nodes, nor jobs of the team.

    PrivateData is the reason only where slurmrestd says so in a form that was measured.
    """
    hiding(far_end, version)
    far_end.answers[f"/slurm/{version}/ping"] = {"errors": [], "pings": [{"ping": "UP", "pinged": "UP"}]}
    here = at(far_end, token_file, version)
    far_end.answers[f"/slurm/{version}/partitions"] = answer
    code = older if version == "v0.0.38" else newer
    for read in (reads.team_jobs(here, "research-nlp"), reads.queue(here), reads.nodes(here), reads.partitions(here, OWN)):
        failure = failed(read)
        assert (failure.code, failure.params.get("command")) == (code, "GET /slurm/partitions"), read.source
    own: Any = fetched(reads.own_jobs(here))
    assert [j.id for j in own.items] == ["1", "2"]
    listed: Any = far_end.answers[f"/slurm/{version}/jobs"]
    far_end.answers[f"/slurm/{version}/jobs"] = {"jobs": [one for one in listed["jobs"] if one["user_name"] == "alice"]}
    team: Any = fetched(reads.team_jobs(here, "research-nlp"))
    assert [j.id for j in team.items] == ["1", "2"], "where nobody else has a job no partition matters"


def test_a_slurmrestd_of_a_cluster_without_accounts(far_end: FarEnd, token_file: Path) -> None:
    """As 22.05.8 and 24.11.5 answered: run without its plugin for slurmdbd, else it does not start there; and 24.11's shares are an empty list."""
    here = at(far_end, token_file)
    for read in (reads.associations(here), reads.history(here), reads.qos(here)):
        assert (failed(read).state, failed(read).code, failed(read).ask) == (State.ABSENT, "slurm_rest_no_accounts", Ask.CLUSTER_ADMIN)
    warning = {"description": "Shares list is empty because slurm accounting storage is disabled.", "source": ""}
    far_end.answers["/slurm/v0.0.42/shares"] = {"shares": {"shares": [], "total_shares": 0}, "errors": [], "warnings": [warning]}
    assert (failed(reads.shares(here)).state, failed(reads.shares(here)).code) == (State.ABSENT, "slurm_accounting_off")
    about_tres = {"description": "Slurm accounting storage is disabled. Could not query the following: [TRES].", "source": ""}
    far_end.answers["/slurm/v0.0.42/partitions"] = {"partitions": [{"name": "gpu"}], "errors": [], "warnings": [about_tres]}
    assert [p.name for p in fetched(reads.partitions(here, OWN))] == ["gpu"]  # type: ignore[attr-defined]


def test_nobody_listens(token_file: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        far_end = FarEnd()
        far_end.url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        assert failed(reads.nodes(at(far_end, token_file))).code == "slurm_rest_not_reached"


def test_proxies_of_the_environment_are_not_used(far_end: FarEnd, token_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    put(far_end, "v0.0.42")
    fetched(reads.nodes(at(far_end, token_file)))
