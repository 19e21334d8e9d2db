"""Answers that no Slurm should give: wrong types, null, numbers without end, nesting without end, cut and garbled output.

Each ends as data or as a named state, never as another exception: that would be a fault of ours, and the person would read nothing of what it was.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hpgov_jlab.model.outcome import Failure, State
from hpgov_jlab.model.slurm import SlurmOwn
from hpgov_jlab.scheduling.slurm import slurm_tasks
from hpgov_jlab.scheduling.slurm_notes import reservation_notes
from hpgov_jlab.scheduling.slurm_share import slurm_fairshare, slurm_places, slurm_share
from hpgov_jlab.sources.slurm import amounts, reads, scontrol, text
from hpgov_jlab.sources.slurm.adapters import ADAPTERS
from hpgov_jlab.sources.slurm.guard import Nonces

from .fakes import RECORDED, failed
from .slurmrestd import OWN, FarEnd, at, put, recorded
from .test_golden import REST, REST_CASES

ODD: tuple[Any, ...] = (
    None, True, -1, 0, 2**31, 2**63, 10**40, 1e308, -1e308, "", "x", "²", "٣", [], [None], ["x"], {}, {"set": True, "number": 10**40}, {"set": "x"}, [[]],
)  # fmt: skip
DEEP = b'{"a":' + b"[" * 200_000 + b"]" * 200_000 + b"}"
LISTS = {"jobs": "jobs", "history": "jobs", "associations": "associations", "partitions": "partitions", "reservations": "reservations", "nodes": "nodes"}


def paths(value: Any, at_: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a body, of lists the first entry only."""
    yield at_
    inner = value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    for key, each in inner:
        yield from paths(each, (*at_, key))


def changed(value: Any, path: tuple[Any, ...], odd: Any) -> Any:
    if not path:
        return odd
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = changed(value[path[0]], path[1:], odd)
    return copy


def small(body: dict[str, Any]) -> dict[str, Any]:
    """The first entry of its list, and what stands beside the list."""
    return {
        key: value[:1] if isinstance(value, list) else small(value) if isinstance(value, dict) and key == "shares" else value for key, value in body.items()
    }


@pytest.mark.parametrize(("version", "name"), REST_CASES)
def test_any_value_of_another_kind_in_any_place(version: str, name: str) -> None:
    stem, lift = REST[name]
    body = small(json.loads(recorded(version, stem)))
    shapes = 0
    for path in paths(body):
        for odd in ODD:
            sent = json.dumps(changed(body, path, odd)).encode()
            try:
                lift(ADAPTERS[version], sent)
                ADAPTERS[version].head(sent, "x")
            except Failure as failure:
                assert (failure.state, failure.code) == (State.INVALID, "slurm_shape")
                shapes += 1
    assert shapes, "none of them was refused: the list was not read"


@pytest.mark.parametrize("version", list(ADAPTERS))
@pytest.mark.parametrize(
    "sent",
    [
        b"", b"null", b"[]", b"{", b'{"jobs":', b"\xff\xfe", b'{"jobs":[{"job_id":1,"name":"\xff"}]}', b'{"jobs":[{"job_id":1,"name":"\\ud800"}]}', DEEP,
        b'{"jobs":[{"job_id":1' + b"0" * 5000 + b"}]}", b'{"jobs":[{"job_id":-1}]}',
        b'{"shares":{"shares":[1]}}', b'{"shares":{"shares":{"a":1}}}', b'{"shares":{"shares":[{"name":"a","fairshare":"x"}]}}', b"NaN",
    ],
    ids=lambda body: body[:24].decode("ascii", "replace") if isinstance(body, bytes) else None,
)  # fmt: skip
def test_bodies_that_are_none(sent: bytes, version: str) -> None:
    made = ADAPTERS[version]
    for read in (made.jobs, made.history, made.qos, made.nodes, made.shares, made.pings):
        with pytest.raises(Failure) as failure:
            read(sent, "x")  # type: ignore[operator]
        assert (failure.value.state, failure.value.code) == (State.INVALID, "slurm_shape")


@pytest.mark.parametrize("version", ["v0.0.40", "v0.0.41"])
@pytest.mark.parametrize(
    ("told", "level"), [("Infinity", None), ("1e999", None), ("NaN", None), ("1" + "0" * 400, None), ("0.25", "0.250000"), ('"x"', "shape")]
)
def test_a_fairshare_without_end(told: str, level: str | None, version: str) -> None:
    sent = b'{"shares":{"shares":[{"name":"alice","fairshare":{"factor":0.5,"level":' + told.encode() + b"}}]}}"
    if level == "shape":
        with pytest.raises(Failure):
            ADAPTERS[version].shares(sent, "x")
        return
    row = REST["shares"][1](ADAPTERS[version], sent)[0]
    assert (row.factor, row.level) == ("0.500000", level)


@pytest.mark.parametrize(
    "headers", [{"Date": "yesterday"}, {"Date": "Mon, 01 Jan 99999 00:00:00 GMT"}, {"Date": ""}, {"Content-Length": "x"}, {"Transfer-Encoding": "chunked"}]
)
def test_headers_that_are_none(headers: dict[str, str], far_end: FarEnd, token_file: Path) -> None:
    put(far_end, "v0.0.42")
    far_end.answers["/slurm/v0.0.42/nodes"] = (200, recorded("v0.0.42", "slurm.nodes"), headers)
    try:
        assert reads.nodes(at(far_end, token_file)).fetch(_deadline()).data.total == 4  # type: ignore[union-attr]
    except Failure as failure:
        assert failure.code in ("slurm_rest_not_reached", "slurm_shape", "slurm_too_slow")


def _deadline() -> Any:
    from hpgov_jlab.reads import Deadline

    return Deadline(5)


def test_a_body_nested_without_end_over_the_wire(far_end: FarEnd, token_file: Path) -> None:
    for status in (200, 500):
        far_end.answers["/slurm/v0.0.42/jobs"] = (status, DEEP, {})
        assert failed(reads.own_jobs(at(far_end, token_file))).code in ("slurm_shape", "slurm_rest_error")


# -- the commands' output ----------------------------------------------------------------------------------------------------------
MARKS = Nonces("{row}", "{field}")
PARSERS: dict[str, Callable[[str], Any]] = {
    "own_jobs": lambda out: text.jobs(out, MARKS),
    "team_jobs": lambda out: text.jobs(out, MARKS),
    "queue": lambda out: text.queue(out, MARKS),
    "history": lambda out: text.history(out, MARKS, "alice", 1001),
    "associations": lambda out: text.associations(out, "x"),
    "qos": lambda out: text.qos(out, "x"),
    "shares": lambda out: text.shares(out, "alice", "x"),
    "config": lambda out: scontrol.config(out, "x"),
    "ping": lambda out: scontrol.controller(out, None),
    "partitions": lambda out: scontrol.partitions(out, OWN, "x"),
    "reservations": lambda out: scontrol.reservations(out, OWN, "x"),
    "nodes": lambda out: scontrol.nodes(out, "x"),
    "usage": lambda out: scontrol.usage(out, "QOS Records\n", "alice", 1001, "x"),
    "qos_usage": lambda out: scontrol.usage("", out, "alice", 1001, "x"),
    "version": text.client_version,
}
TOKENS = ("9" * 5000, "1E999999", "-1", "NaN", "inf", "²", "٣٣", "\x00", "\x1b[2J", "\n", "=", "|", ",", "(", "[0-999999999]", "999-99:99:99", "\u2028", "")


@pytest.mark.parametrize("release", ["22.05.8", "24.11.5"])
@pytest.mark.parametrize("name", list(PARSERS))
def test_garbled_output(name: str, release: str) -> None:
    """Words of real output replaced, cut out and cut off, a few hundred times, always the same ones."""
    said = (RECORDED / release / "commands" / f"alice.{name}.txt").read_text()
    dice = random.Random(f"{name} {release}")
    words = [match.span() for match in re.finditer(r"[A-Za-z0-9.:/-]+", said)]
    for _ in range(300):
        begin, end = dice.choice(words)
        bad = dice.choice((said[:begin] + dice.choice(TOKENS) + said[end:], said[:begin], said[:begin] + said[end + dice.randrange(200) :]))
        try:
            made = PARSERS[name](bad)
        except Failure as failure:
            assert (failure.state, failure.code) == (State.INVALID, "slurm_shape")
            continue
        told(name, made)


def told(name: str, made: Any) -> None:
    """What the product makes of it must not fail either."""
    own = SlurmOwn("alice", ("research-nlp",), ("normal",), ("alice",))
    if name in ("own_jobs", "team_jobs"):
        slurm_tasks(made, user="alice", now=1e9)
        reservation_notes(made, (), (), user="alice", now=1e9)
    elif name == "history":
        slurm_tasks(None, (), made, user="alice", now=1e9)
    elif name == "partitions":
        slurm_places(made, own)
    elif name == "shares":
        slurm_fairshare(made, None)
    elif name == "associations":
        slurm_share(None, made, made, None, None, own)
    elif name in ("usage", "qos_usage"):
        slurm_share(made, None, None, None, None, own)


@pytest.mark.parametrize("said", ["9" * 24, "1E999999", "1e5", "٣", "1.2.3", "²G", "--1", "9" * 5000])
def test_amounts_that_are_none(said: str) -> None:
    for read in (amounts.memory, amounts.count, amounts.seconds, amounts.minutes, amounts.moment, amounts.number, amounts.array_tasks):
        assert read(said) is None
    assert amounts.exit_of(said) == (None, None)
    assert amounts.tres(f"cpu={said},mem={said}") == ()


def test_every_body_was_read(tmp_path: Path) -> None:
    """The recordings that are changed here are there for every version: else the cases above would shrink in silence."""
    assert {version for version, _ in REST_CASES} == set(ADAPTERS)
    assert len(gzip.decompress((RECORDED / "rest" / "v0.0.38" / "root.slurm.jobs.json.gz").read_bytes())) > 10_000
