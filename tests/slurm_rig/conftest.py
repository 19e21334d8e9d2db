"""The rigs, one at a time, each started once. Left out unless asked for: a run that was left out says so."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator

import pytest

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


@pytest.fixture(scope="module", params=["1", "bare"])
def stock(request: pytest.FixtureRequest) -> Iterator[Rig]:
    """As HyperPod's lifecycle scripts set Slurm up: nothing enforced, everybody sees everybody; and without any accounting."""
    folder = tempfile.mkdtemp(prefix="hpgov-slurm-")
    os.chmod(folder, 0o755)
    with running(f"{folder}/rig", 27300, seed=False, RIG_STOCK=request.param, RIG_NODES="2") as up:
        yield up
    shutil.rmtree(folder, ignore_errors=True)
