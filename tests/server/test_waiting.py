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
from pathlib import Path
from typing import Any

import nbformat
import pytest

from hpgov_jlab.routes import HANDLERS
from hpgov_jlab.sandbox.launch import Running
from hpgov_jlab.service import SOON_MS

from .conftest import API, HEADERS, Site

AT_ONCE = 1.0
"""Seconds: an answer takes a few milliseconds; this is room for a busy machine, and far below what the far ends take."""


@pytest.fixture(scope="module")
def scenario() -> str:
    return "default"


async def timed(site: Site, path: str, **query: Any) -> tuple[float, dict[str, Any]]:
    start = time.perf_counter()
    page = await site.page(path, **query)
    return time.perf_counter() - start, page


async def test_with_every_far_end_slow_each_route_answers_at_once(site: Site, far: Running) -> None:
    id = await site.id()
    uid = (await site.settle(f"connections/{id}/tasks"))["tasks"]["data"][0]["uid"]
    far.faults.set("slow", value=3)
    far.faults.set("k8s-slow", value=3)
    for path in HANDLERS:
        for fresh in ({}, {"fresh": 1}) if path != "session" else ({},):
            seconds, _ = await timed(site, path.replace("{id}", id).replace("{uid}", uid), **fresh)
            assert seconds < AT_ONCE, (path, seconds)


async def test_from_nothing_every_page_comes_at_once_and_says_pending(site: Site, far: Running) -> None:
    far.faults.set("slow", value=3)
    far.faults.set("k8s-slow", value=3)
    seconds, page = await timed(site, "connections")
    assert seconds < AT_ONCE and page["connections"]["last"]["state"] == "pending" and page["connections"]["data"] is None
    assert page["poll_after_ms"] <= SOON_MS, "asked again soon"
    seconds, page = await timed(site, "session")
    assert seconds < AT_ONCE and page["identity"]["data"] is None and page["identity"]["last"]["state"] == "pending"
    response = await site.ask("connections/any/tasks")
    assert (response.code, json.loads(response.body)["code"]) == (404, "connections_not_read_yet")
    far.faults.clear()
    id = await site.id()  # the list is there; of the connection nothing was read in full
    far.faults.set("slow", value=3)
    far.faults.set("k8s-slow", value=3)
    for name, part in (("tasks", "tasks"), ("share", "rows")):
        seconds, page = await timed(site, f"connections/{id}/{name}", fresh=1)
        assert seconds < AT_ONCE
        assert page[part]["last"]["state"] == "pending" and page[part]["data"] is None, f"{name} is not read yet, and does not say empty"


async def test_three_slow_clusters_do_not_hold_up_saving_a_notebook(site: Site, far: Running) -> None:
    page = await site.settle("connections")
    ids = [card["connection"]["id"] for card in page["connections"]["data"]]
    assert len(ids) == 3
    far.faults.set("slow", value=3, on="sagemaker:*")
    far.faults.set("k8s-slow", value=3)
    asked = [asyncio.ensure_future(site.page(f"connections/{id}/{name}", fresh=1)) for id in ids for name in ("tasks", "share", "access")]
    body = json.dumps({"type": "notebook", "content": nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1") for _ in range(50)])})
    longest = 0.0
    for _ in range(5):
        start = time.perf_counter()
        response = await site.fetch("api", "contents", "x.ipynb", method="PUT", body=body)
        longest = max(longest, time.perf_counter() - start)
        assert response.code in (200, 201)
        await asyncio.sleep(0.05)
    assert longest < AT_ONCE
    await asyncio.gather(*asked)


async def test_the_event_loop_is_never_held_while_everything_is_read(site: Site) -> None:
    lags: list[float] = []

    async def watch() -> None:
        while True:
            start = time.perf_counter()
            await asyncio.sleep(0.005)
            lags.append(time.perf_counter() - start - 0.005)

    watcher = asyncio.ensure_future(watch())
    try:
        await site.everything()
    finally:
        watcher.cancel()
    assert len(lags) > 20
    assert max(lags) < AT_ONCE


# -- a server that is told to stop -------------------------------------------------------------------------------------------
def _server(running: Running, folder: Path) -> tuple[subprocess.Popen[bytes], str]:
    """A Jupyter server of its own process; its base URL."""
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
    url = f"http://127.0.0.1:{port}/"
    end = time.monotonic() + 60
    while True:
        try:
            _get(url + "api/status")
            return process, url
        except (urllib.error.URLError, ConnectionError):
            assert process.poll() is None and time.monotonic() < end, (folder / "server.log").read_text()[-3000:]
            time.sleep(0.1)


def _get(url: str) -> Any:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(urllib.request.Request(url, headers={**HEADERS, "Authorization": "token a-token-for-this-test"}), timeout=10) as answer:
        return json.load(answer)


def _seconds_to_end(process: subprocess.Popen[bytes]) -> float:
    start = time.monotonic()
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(30)
    finally:
        process.kill()
    return time.monotonic() - start


def test_a_server_with_dripping_far_ends_exits_as_soon_as_one_that_reads_nothing(running: Running, tmp_path: Path) -> None:
    """Two seconds at most; on a busy machine the same server without any read on its way tells how long leaving takes at all."""
    idle, _ = _server(running, tmp_path / "idle")
    alone = _seconds_to_end(idle)
    running.faults.set("k8s-drip", value=60)
    running.faults.set("drip", value=60, on="datazone:GetConnection")
    before = sum(len(k.log) for k in running.kubernetes.values()), running.aws.calls("GetConnection")
    process, url = _server(running, tmp_path / "server")
    try:
        end = time.monotonic() + 60
        while sum(len(k.log) for k in running.kubernetes.values()) < before[0] + 4 or running.aws.calls("GetConnection") == before[1]:
            for card in _get(url + API + "/connections")["connections"]["data"] or ():
                _get(url + API + f"/connections/{card['connection']['id']}/contract")
            assert time.monotonic() < end, "the far ends were not asked"
            time.sleep(0.1)
        seconds = _seconds_to_end(process)
        assert seconds < 2.0 or seconds < alone + 2.0, (seconds, alone)
    finally:
        process.kill()
        running.faults.clear()
    log = (tmp_path / "server" / "server.log").read_text()
    assert "Traceback" not in log and "hpgov_jlab" in log
