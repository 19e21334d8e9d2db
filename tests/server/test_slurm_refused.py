"""Slurm refuses who this machine says she is: what her team holds goes from the Share tab too, although her associations are still known for a while."""

from __future__ import annotations

import json

from hpgov_jlab.sandbox.launch import start

from .panel import SLURM, Panel
from .states_table import END, _switch, slurm_connection

OF_A_COLLEAGUE = "reward-model"


async def test_denied_drops_what_the_controller_told() -> None:
    with start(slurm_connection(), pace=END) as running, Panel(running) as panel:
        id = await panel.id(SLURM)
        await panel.settle(lambda: panel.tasks(id))
        assert OF_A_COLLEAGUE in json.dumps(await panel.settle(lambda: panel.share(id)))
        _switch(running, ("slurm-identity-refused",))
        panel.later(70)  # the database is asked every five minutes only
        tasks = await panel.settle(lambda: panel.tasks(id))
        share = await panel.settle(lambda: panel.share(id))
        assert (tasks["tasks"]["last"]["state"], tasks["tasks"]["data"]) == ("denied", None)
        assert {"denied"} == {r["state"] for r in share["rows"]["readings"] if r["source"].startswith("scontrol")}
        assert OF_A_COLLEAGUE not in json.dumps(share)
        assert all(row["held"] is None and row["holders"] == [] for row in share["rows"]["data"] or [])
