"""The testbed itself: it is found or says what is missing, it ends what it started, also after a kill, and it is of loopback only."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.testbed import build
from tests.testbed.hyperpod import HyperPod
from tests.testbed.servers import PATIENCE

from .conftest import LEFT_OUT, start


def test_a_second_build_returns_at_once(cluster_0_19: HyperPod) -> None:
    begin = time.monotonic()
    assert build.build() == cluster_0_19.out
    assert time.monotonic() - begin < 1


def test_missing_binaries_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("HPGOV_TESTBED", raising=False)
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match=r"left out: every test on a real Kubernetes.*python -m tests\.testbed build"):
        next(start(tmp_path_factory, "0.19.2"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(build.NotBuilt, match="Go is not installed"):
        build.find()
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="CI must run them"):
        next(start(tmp_path_factory, "0.19.2"))
    assert "real Kubernetes" in LEFT_OUT


def test_a_changed_recipe_is_another_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = build.recipe_hash()
    (tmp_path / "kwok").mkdir()
    (tmp_path / "kwok/go.sum").write_text("another sum\n")
    monkeypatch.setattr(build, "MODULES", tmp_path)
    assert build.recipe_hash() != before


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def children(pid: int) -> list[int]:
    return [int(p) for task in Path(f"/proc/{pid}/task").iterdir() for p in (task / "children").read_text().split()]


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_servers_end_with_the_one_who_started_them(cluster_0_19: HyperPod, how: signal.Signals) -> None:
    """`kill -9` of a test run leaves no server behind; only its own are ended: the session's cluster still answers."""
    command = [sys.executable, "-m", "tests.testbed", "run", "--kueue", "none"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2], env={**os.environ, "HPGOV_TESTBED": str(cluster_0_19.out)}
    ) as run:
        assert run.stdout is not None
        assert json.loads(run.stdout.readline())["url"].startswith("https://127.0.0.1:")
        servers = children(run.pid)
        assert len(servers) == 2 and all(map(alive, servers))
        run.send_signal(how)
        run.wait(PATIENCE)
    end = time.monotonic() + PATIENCE
    while any(map(alive, servers)):
        assert time.monotonic() < end, "a server outlived its starter"
        time.sleep(0.1)
    assert cluster_0_19.ready()


def test_loopback_only(cluster_0_19: HyperPod) -> None:
    """No server listens on an address that another machine could reach."""
    own = {cluster_0_19.servers.pid(name) for name in cluster_0_19.servers.running}
    sockets = {link for pid in own for fd in Path(f"/proc/{pid}/fd").iterdir() if (link := _link(fd)).startswith("socket:")}
    listening = []
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            cells = line.split()
            if cells[3] == "0A" and f"socket:[{cells[9]}]" in sockets:
                listening.append(cells[1].split(":")[0])
    assert len(listening) > 5
    assert set(listening) <= {"0100007F", "0000000000000000FFFF00000100007F"}, listening


def _link(fd: Path) -> str:
    try:
        return os.readlink(fd)
    except FileNotFoundError:
        return ""
