"""A project folder on a file system that hangs starves only itself (DESIGN.md 3): the service account's token and her settings are still read."""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hpgov_jlab.model.outcome import State
from hpgov_jlab.reads import WORKERS_PER_LANE, Reads
from hpgov_jlab.sources.files.contracts import contract_folder
from hpgov_jlab.sources.files.typed import typed_namespaces
from hpgov_jlab.sources.kubernetes.kubeconfig import direct_read

from ..clock import HANGS, Loop, in_loop, until

HOUR = 3600.0


def test_token_and_settings_are_read_while_the_project_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in (("token", "a-token"), ("namespace", "nlp"), ("ca.crt", "ca")):
        (tmp_path / name).write_text(text)
    over, hanging = threading.Event(), []
    look = os.stat

    def hangs(path: Any, *args: Any, **more: Any) -> os.stat_result:
        """The operating system's answer about the contract folder does not come: what a network file system does whose server is gone."""
        if path == ".hpgov":
            hanging.append(path)
            over.wait(HANGS)
        return look(path, *args, **more)

    monkeypatch.setattr(os, "stat", hangs)

    async def story(loop: Loop) -> None:
        reads = Reads(elapsed=loop.time)
        folder = replace(contract_folder(str(tmp_path), ".hpgov/contracts", lambda kept: kept), deadline=HOUR)
        for stuck in range(1, WORKERS_PER_LANE + 1):  # one after the other, until no worker of that lane is left
            flight = reads.start(folder)
            await until(lambda stuck=stuck: len(hanging) == stuck, "a worker hangs")
            loop.ahead += HOUR
            assert (await flight).last.code == "deadline"
            loop.ahead += HOUR
        busy = (await reads.start(folder)).last
        assert (busy.state, busy.code) == (State.UNREACHABLE, "workers_busy")
        direct = await reads.start(direct_read({"KUBERNETES_SERVICE_HOST": "10.0.0.1"}, tmp_path))
        typed = await reads.start(typed_namespaces(str(tmp_path)))
        assert (direct.last.code, typed.last.code) == ("read", "read")

    try:
        in_loop(story)
    finally:
        over.set()
