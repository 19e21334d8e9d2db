"""Puts the stand-ins of one Slurm cluster into a folder: five commands, the state that they read, and the faults that are on."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from ...policy.slurm import BINARIES
from .cluster import SlurmCluster, state

STANDIN = Path(__file__).with_name("standin.py")
FAULTS: dict[str, str] = {
    "slow": "Slurm's commands take VALUE seconds longer",
    "hang": "Slurm's commands never end",
    "conf-missing": "Slurm's commands find no slurm.conf",
    "conf-minimal": "this machine's slurm.conf names no accounting, though the cluster keeps it",
    "identity-refused": "Slurm does not accept who this machine says the user is",
    "version-mismatch": "Slurm's commands and its controller are of versions that do not work together",
    "accounting-off": "the Slurm cluster keeps no accounts",
    "database-down": "Slurm's database service is down",
    "controller-down": "Slurm's controller is down",
    "no-association": "the user has no association on the Slurm cluster",
}
"""What the stand-ins can be told to do wrong. Their names on the command line begin with slurm-."""


def install(folder: Path, cluster: SlurmCluster, now: float) -> str:
    """Writes everything and returns the folder, for the trait HpgovSettings.slurm_bin."""
    folder.mkdir(parents=True)
    (folder / "state.json").write_text(json.dumps(state(cluster, now)), encoding="utf-8")
    # -I: nothing of this Python's environment, and no folder of a user, gets into a stand-in
    text = f"#!{sys.executable} -I\n" + STANDIN.read_text(encoding="utf-8")
    for binary in BINARIES:
        path = folder / binary
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
    return str(folder)


def switch(folder: Path, faults: Mapping[str, float | None]) -> None:
    """Sets the faults that are on, by their names here. Raises KeyError for one that there is not."""
    for name in faults:
        FAULTS[name]
    target, fresh = folder / "faults", folder / "faults.new"
    fresh.write_text("".join(f"{name}={'' if value is None else value}\n" for name, value in faults.items()), encoding="utf-8")
    os.replace(fresh, target)
