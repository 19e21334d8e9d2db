"""The rigs, one at a time, each started once. Left out unless asked for: a run that was left out says so."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator

import pytest

from . import tables
from .rig import SCRIPT, Rig, running

NEWER = os.environ.get("HPGOV_SLURM_RIG_TRIXIE", "")


@pytest.hookimpl(trylast=True)  # after pytest has put the tests of one rig together
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: "slurm_rig/test_tables.py" in item.nodeid)  # what it compares has to be there
    why = None
    if os.environ.get("HPGOV_SLURM_RIG") != "1":
        why = "the real Slurm is left out: HPGOV_SLURM_RIG=1 asks for it"
    elif os.geteuid() != 0:
        why = "the real Slurm needs root: it makes users and starts daemons"
    elif shutil.which("slurmctld") is None:
        why = f"no Slurm is installed: {SCRIPT} install"
    for item in items:
        if "slurm_rig" in item.nodeid:
            item.add_marker(pytest.mark.timeout(600))
            if why is not None:
                item.add_marker(pytest.mark.skip(reason=why))


@pytest.fixture(scope="session", params=["22.05", "24.11"])
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    """The machine's own Slurm, and a second version in a debootstrap folder (HPGOV_SLURM_RIG_TRIXIE names it)."""
    if request.param == "24.11" and not NEWER:
        pytest.skip("the second version is left out: HPGOV_SLURM_RIG_TRIXIE names a folder made by rig.sh trixie-install")
    folder = tempfile.mkdtemp(prefix="hpgov-slurm-")
    os.chmod(folder, 0o755)
    with running(f"{folder}/rig", 27100, root=NEWER if request.param == "24.11" else "") as up:
        yield up
    shutil.rmtree(folder, ignore_errors=True)


def _stock(version: str, kind: str, port: int) -> Iterator[Rig]:
    """In a folder of its own inside the second version's, too: the seeded rig may still run there."""
    newer = version == "24.11"
    if newer and not NEWER:
        pytest.skip("the second version is left out: HPGOV_SLURM_RIG_TRIXIE names a folder made by rig.sh trixie-install")
    folder = tempfile.mkdtemp(prefix="hpgov-slurm-")
    os.chmod(folder, 0o755)
    root, inside = (NEWER, f"/rig-{kind}") if newer else ("", "/rig")
    with running(f"{folder}/rig", port, root=root, inside=inside, seed=False, RIG_STOCK=kind, RIG_NODES="2") as up:
        yield up
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module", params=["22.05", "24.11"])
def stock(request: pytest.FixtureRequest) -> Iterator[Rig]:
    """As HyperPod's lifecycle scripts set Slurm up: nothing enforced, everybody sees everybody."""
    yield from _stock(request.param, "1", 27300)


@pytest.fixture(scope="module", params=["22.05", "24.11"])
def bare(request: pytest.FixtureRequest) -> Iterator[Rig]:
    """The same without any accounting."""
    yield from _stock(request.param, "bare", 27500)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Seconds until each state stood there, with the limit that they are held to."""
    if tables.SECONDS:
        terminalreporter.section("seconds until it stands there, and the limit")
    for (case, transport, version), seconds in tables.SECONDS.items():
        terminalreporter.write_line(f"{seconds:6.1f} {tables.LIMIT[transport]:5.0f}  {version}  {transport:11}  {case}")
