"""What never gets out: our own keys and tokens, other teams' contracts, the own team's secrets (S14); and strangers' text, which arrives as data only (S7)."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hpgov_jlab.sandbox.launch import Running, start
from hpgov_jlab.sandbox.scenario import Scenario

from .panel import Panel
from .recordings import altered, with_payload, with_secrets
from .states_table import END, one_connection

OWN, FOREIGN = "own-secret-7f3a9c", "foreign-contract-51b2e8"
"""Markers: a secret of the own team on the cluster; text of another team's contract in the same bucket."""

FAULTS = (
    "html-200@sagemaker:*", "malformed-json@datazone:*", "cut@s3:*", "deny-explicit@eks:*", "throttle=2@sts:*", "clock-skew=900",
    "trust-tag-session@sts:AssumeRole", "expired-keys@sagemaker:*",
    "k8s-cut", "k8s-html-200", "k8s-malformed-json", "k8s-unauthorized", "k8s-denied", "k8s-throttle=2", "k8s-conversion",
)  # fmt: skip


class Records(logging.Handler):
    """Everything that is logged, as text with its traceback."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(logging.Formatter("%(name)s %(threadName)s %(message)s"))
        self.lines: list[str] = []
        self.errors: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        text = self.format(record)
        self.lines.append(text)
        if record.levelno >= logging.ERROR:
            self.errors.append(text)


@pytest.fixture
def records() -> Iterator[Records]:
    """The root logger, and every logger that could be louder, at DEBUG."""
    heard, root = Records(), logging.getLogger()
    loud = [root, *(logging.getLogger(name) for name in ("botocore", "boto3", "urllib3", "kubernetes", "s3transfer", "hpgov_jlab", "asyncio"))]
    before = [(each, each.level, each.disabled) for each in loud]
    for each in loud:
        each.setLevel(logging.DEBUG)
        each.disabled = False
    root.addHandler(heard)
    yield heard
    root.removeHandler(heard)
    for each, level, disabled in before:
        each.setLevel(level)
        each.disabled = disabled


async def everything(panel: Panel, tasks: int = 6) -> list[dict[str, Any]]:
    """All pages of all connections, and those of so many tasks."""
    pages = [await panel.settle(panel.session), await panel.settle(panel.connections)]
    for card in pages[1]["connections"]["data"] or ():
        id = card["connection"]["id"]
        for name in ("connection", "tasks", "share", "contract", "access"):
            pages.append(await panel.settle(lambda name=name, id=id: getattr(panel, name)(id)))
        for task in (panel.tasks(id)["tasks"]["data"] or ())[:tasks]:
            pages.append(await panel.settle(lambda id=id, task=task: panel.task(id, task["uid"])))
    return pages


def told() -> Scenario:
    """The default scenario, with another project's contract that must stay where it is."""
    made = one_connection()
    bucket = made.buckets[0]
    objects = tuple(
        replace(each, versions=(replace(each.versions[0], text=f"{each.versions[0].text}\npurpose: {FOREIGN}\n"), *each.versions[1:]))
        if "production" in each.key
        else each
        for each in bucket.objects
    )
    return replace(made, buckets=(replace(bucket, objects=objects),))


def our_objects() -> Iterator[tuple[str, str]]:
    """(type, repr) of every object of the product that is alive now, up to 300 of a type."""
    # a tuple that another thread is just building breaks under a second reference: wait until no worker of ours is at work
    end = time.monotonic() + 30
    while any(t.name.startswith("hpgov-") for t in threading.enumerate()) and time.monotonic() < end:
        time.sleep(0.05)
    seen: dict[type, int] = {}
    for each in gc.get_objects():
        kind = type(each)
        module = getattr(kind, "__module__", "") or ""
        if isinstance(each, type) or not isinstance(module, str) or not module.startswith("hpgov_jlab") or module.startswith("hpgov_jlab.sandbox"):
            continue
        seen[kind] = seen.get(kind, 0) + 1
        if seen[kind] <= 300:
            yield f"{module}.{kind.__name__}", repr(each)


def test_no_secret_in_any_log_answer_or_repr(tmp_path: Path, records: Records) -> None:
    folder = altered(tmp_path / "recordings", with_secrets(OWN))

    async def story(running: Running) -> tuple[list[str], set[tuple[str, str]]]:
        with Panel(running) as panel:
            await everything(panel, 20)
            assert any(body for body in panel.bodies if "mixtral-8x22b" in body), "there was something to show"
            for fault in FAULTS:
                running.faults.switch(fault)
                panel.later()
                await everything(panel, 1)
                running.faults.clear()
            panel.later()
            await everything(panel, 1)
            running.faults.set("k8s-slow", value=1)
            panel.later()
            end = time.monotonic() + 60
            objects: set[tuple[str, str]] = set()
            while not any(kind.endswith(".Reach") for kind, _ in objects):  # what only lives while a request is on its way
                panel.connections()
                await asyncio.sleep(0.1)
                objects |= set(our_objects())
                assert time.monotonic() < end
            return panel.bodies, objects

    logging.getLogger("botocore.hooks").debug("other people's use of botocore is heard as before")
    with start(told(), pace=END, recordings=folder) as running:
        bodies, objects = asyncio.run(story(running))
        secrets = set(running.aws.secrets())
        assert OWN in (folder / "story.json").read_text() and any("production" in str(e.params.get("Key")) for e in running.aws.log), "both were on the wire"
        assert running.faulty() == []
    assert len(secrets) > 6 and len(bodies) > 200 and len(objects) > 50
    assert any("as before" in line for line in records.lines), "the records are heard at all"
    signed = re.compile(r"k8s-aws-v1\.|X-Amz-Signature|X-Amz-Security-Token|Authorization|Bearer ")
    for what, texts in {"log": records.lines, "answer": bodies, "repr": [text for _, text in objects]}.items():
        for text in texts:
            assert not [True for secret in secrets if secret in text], f"a secret in {what}: {text[:80]!r}"
            assert OWN not in text, f"the own team's secret in {what}: {text[:200]!r}"
            assert FOREIGN not in text, f"another team's contract in {what}: {text[:200]!r}"
            assert not signed.search(text), f"a signed request or a token in {what}: {signed.findall(text)[:1]} {text[:80]!r}"
    assert records.errors == [], "and nothing of ours failed"


PAYLOAD = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>\u202e\u2066\u0007\x1b[2J\u2028\u0085\x00{code}%s${HOME}`id`"
HTML = "<script>alert(1)</script>"
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def texts_to_copy(value: Any) -> Iterator[str]:
    """Every text that is made to be copied: commands, requests to administrators, drafts, labels."""
    if isinstance(value, dict):
        if {"kind", "title", "text", "ask"} <= set(value) or {"file_name", "text"} == set(value):
            yield value["text"] or ""
        for name, each in value.items():
            if name == "logs_commands":
                yield from each
            yield from texts_to_copy(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts_to_copy(each)


def hostile() -> Scenario:
    """AWS's own strings, as far as its models take them."""
    made = told()
    assert made.domain is not None
    text = PAYLOAD.replace("\x00", "")
    connections = tuple(replace(each, description=text) for each in made.domain.connections)
    clusters = tuple(
        replace(each, failure=text, status="Failed", nodes=tuple(replace(node, message=text, status="Failure") for node in each.nodes))
        for each in made.clusters
    )
    return replace(made, domain=replace(made.domain, connections=connections), clusters=clusters)


@pytest.mark.parametrize("everywhere", [False, True], ids=["in texts", "in names and states too"])
def test_a_payload_in_every_string_arrives_as_data_only(tmp_path: Path, records: Records, everywhere: bool) -> None:
    folder = altered(tmp_path / "recordings", with_payload(PAYLOAD, everything=everywhere))

    async def story(running: Running) -> list[dict[str, Any]]:
        with Panel(running) as panel:
            pages = await everything(panel)
            return [*pages, *(json.loads(body) for body in panel.bodies)]

    with start(hostile(), pace=END, recordings=folder) as running:
        pages = asyncio.run(story(running))
        assert [each for each in running.faulty() if "pattern" not in each] == []
    whole = [json.dumps(page, ensure_ascii=False) for page in pages]
    assert any(HTML in text for text in whole), "it arrived"
    assert [text[:300] for text in whole if '"code": "internal"' in text] == [], "and broke nothing"
    assert records.errors == []
    for page in pages:
        for text in texts_to_copy(page):
            assert not _UNSAFE.search(text.replace("\n", "").replace("\t", "")), f"a text to copy holds what can't be seen: {text[:200]!r}"
    assert any(task["state"] for page in pages if "tasks" in page for task in page["tasks"]["data"] or ()), "there are rows all the same"
