"""A GET never waits for an upstream, a slow cluster holds up nothing but itself, and a server that is told to stop stops (DESIGN.md 2.8, 3)."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
import pytest

from hpgov_jlab.routes import HANDLERS
from hpgov_jlab.sandbox.launch import Running
from hpgov_jlab.service import SOON_MS
from tests.clock import HANGS

from .conftest import API, HEADERS, Site

LATE = 60.0
"""Seconds by which the far ends are late."""
AT_ONCE, COST = 8.0, 1.0
"""Seconds: an answer takes a few milliseconds. By the clock on the wall there is room for a busy machine, and who waited for a far end would take ten at
least, after which the product gives it up; by the time that this process was at work, which others that run beside do not lengthen, there is less."""


@pytest.fixture(scope="module")
def scenario() -> str:
    return "default"


@contextmanager
def at_once(what: str) -> Iterator[None]:
    wall, work = time.perf_counter(), time.process_time()
    yield
    assert time.perf_counter() - wall < AT_ONCE, what
    assert time.process_time() - work < COST, what


def late(far: Running, on: str = "*") -> None:
    far.faults.set("slow", value=LATE, on=on)
    far.faults.set("k8s-slow", value=LATE)


async def asked(site: Site, path: str, **query: Any) -> dict[str, Any]:
    """A page, which comes at once."""
    with at_once(path):
        return await site.page(path, **query)


async def test_with_every_far_end_slow_each_route_answers_at_once(site: Site, far: Running) -> None:
    id = await site.id()
    uid = (await site.settle(f"connections/{id}/tasks"))["tasks"]["data"][0]["uid"]
    late(far)
    for path in HANDLERS:
        for fresh in ({}, {"fresh": 1}) if path != "session" else ({},):
            await asked(site, path.replace("{id}", id).replace("{uid}", uid), **fresh)


async def test_from_nothing_every_page_comes_at_once_and_says_pending(site: Site, far: Running) -> None:
    late(far)
    page = await asked(site, "connections")
    assert page["connections"]["last"]["state"] == "pending" and page["connections"]["data"] is None
    assert page["poll_after_ms"] <= SOON_MS, "asked again soon"
    page = await asked(site, "session")
    assert page["identity"]["data"] is None and page["identity"]["last"]["state"] == "pending"
    response = await site.ask("connections/any/tasks")
    assert (response.code, json.loads(response.body)["code"]) == (404, "connections_not_read_yet")


async def test_of_a_connection_that_was_not_read_in_full_each_page_comes_at_once_and_says_pending(site: Site, far: Running) -> None:
    id = await site.id()
    late(far)
    for name, part in (("tasks", "tasks"), ("share", "rows")):
        page = await asked(site, f"connections/{id}/{name}", fresh=1)
        assert page[part]["last"]["state"] == "pending" and page[part]["data"] is None, f"{name} is not read yet, and does not say empty"


async def test_three_slow_clusters_do_not_hold_up_saving_a_notebook(site: Site, far: Running) -> None:
    page = await site.settle("connections")
    ids = [card["connection"]["id"] for card in page["connections"]["data"]]
    assert len(ids) == 3
    late(far, on="sagemaker:*")
    pages = [asyncio.ensure_future(site.page(f"connections/{id}/{name}", fresh=1)) for id in ids for name in ("tasks", "share", "access")]
    body = json.dumps({"type": "notebook", "content": nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1") for _ in range(50)])})
    for _ in range(5):
        with at_once("saving"):
            response = await site.fetch("api", "contents", "x.ipynb", method="PUT", body=body)
        assert response.code in (200, 201)
        await asyncio.sleep(0.05)
    await asyncio.gather(*pages)


async def test_the_event_loop_is_never_held_while_everything_is_read(site: Site) -> None:
    """Between two turns of the loop this process, all its threads together, was never at work for long: what others do beside counts for nothing."""
    held: list[float] = []

    async def watch() -> None:
        while True:
            start = time.process_time()
            await asyncio.sleep(0.005)
            held.append(time.process_time() - start)

    watcher = asyncio.ensure_future(watch())
    try:
        await site.everything()
    finally:
        watcher.cancel()
    assert len(held) > 20
    assert max(held) < COST


# -- a server that is told to stop -------------------------------------------------------------------------------------------
def _server(running: Running, folder: Path) -> tuple[subprocess.Popen[bytes], str]:
    """A Jupyter server of its own process; its base URL as it tells it: a port that is free now may be another's by the time it starts."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    folder.mkdir(exist_ok=True)
    config = {
        "ServerApp": {
            "ip": "127.0.0.1", "port": port, "root_dir": str(running.project), "open_browser": False, "allow_root": True,
            "jpserver_extensions": {"hpgov_jlab": True, "jupyter_server_terminals": False, "jupyterlab": False},
        },
        "IdentityProvider": {"token": "a-token-for-this-test"},
        "HpgovSettings": running.traits,
    }  # fmt: skip
    (folder / "jupyter_server_config.json").write_text(json.dumps(config))
    names = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
    environment = running.environment(os.environ) | {name: str(folder) for name in names} | {"JUPYTER_NO_CONFIG": ""}
    log = open(folder / "server.log", "wb")  # noqa: SIM115
    process = subprocess.Popen([sys.executable, "-m", "jupyter_server"], env=environment, stdout=log, stderr=subprocess.STDOUT, cwd=folder)
    told, end = folder / f"jpserver-{process.pid}.json", time.monotonic() + HANGS
    while True:
        try:
            url = json.loads(told.read_text())["url"]
            _get(url + "api/status")
            return process, url
        except (FileNotFoundError, json.JSONDecodeError, urllib.error.URLError, ConnectionError):
            assert process.poll() is None and time.monotonic() < end, (folder / "server.log").read_text()[-3000:]
            time.sleep(0.1)


def _get(url: str) -> Any:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(urllib.request.Request(url, headers={**HEADERS, "Authorization": "token a-token-for-this-test"}), timeout=HANGS) as answer:
        return json.load(answer)


def _seconds_to_end(process: subprocess.Popen[bytes]) -> tuple[float, float]:
    """By the clock on the wall; and what its main thread waited for of that, other than for a processor: on a busy machine those are far apart."""

    def at_work() -> float:  # or ready for it and not let go, in nanoseconds
        return sum(map(int, Path(f"/proc/{process.pid}/schedstat").read_text().split()[:2])) / 1e9

    start, before = time.monotonic(), at_work()
    process.send_signal(signal.SIGTERM)
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:  # what it used is told until it is waited for
        assert time.monotonic() < start + HANGS, "it does not end"
        time.sleep(0.005)
    seconds = time.monotonic() - start
    return seconds, seconds - (at_work() - before)


def test_a_server_with_dripping_far_ends_exits_within_two_seconds(running: Running, tmp_path: Path) -> None:
    """On a busy machine two seconds of its own: what others had the processors for is not counted."""
    running.faults.set("k8s-drip", value=60)
    running.faults.set("drip", value=60, on="datazone:GetConnection")
    before = sum(len(k.log) for k in running.kubernetes.values()), running.aws.calls("GetConnection")
    process, url = _server(running, tmp_path / "server")
    try:
        end = time.monotonic() + HANGS
        while sum(len(k.log) for k in running.kubernetes.values()) < before[0] + 4 or running.aws.calls("GetConnection") == before[1]:
            for card in _get(url + API + "/connections")["connections"]["data"] or ():
                _get(url + API + f"/connections/{card['connection']['id']}/contract")
            assert time.monotonic() < end, "the far ends were not asked"
            time.sleep(0.1)
        seconds, waited = _seconds_to_end(process)
        assert seconds < 2.0 or waited < 2.0, (seconds, waited)
    finally:
        process.kill()
        process.wait()
        running.faults.clear()
    log = (tmp_path / "server" / "server.log").read_text()
    assert "Traceback" not in log and "hpgov_jlab" in log
