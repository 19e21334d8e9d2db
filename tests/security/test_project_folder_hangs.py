"""A project folder on a file system that hangs starves only itself (DESIGN.md 3): the service account's token and her settings are still read."""

from __future__ import annotations

import asyncio
import os
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hpgov_jlab.model.outcome import State
from hpgov_jlab.reads import Reads
from hpgov_jlab.sources.files.contracts import contract_folder
from hpgov_jlab.sources.files.typed import typed_namespaces
from hpgov_jlab.sources.kubernetes.kubeconfig import direct_read


def test_token_and_settings_are_read_while_the_project_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in (("token", "a-token"), ("namespace", "nlp"), ("ca.crt", "ca")):
        (tmp_path / name).write_text(text)
    over = threading.Event()

    look = os.stat

    def hangs(path: Any, *args: Any, **more: Any) -> os.stat_result:
        """The operating system's answer about the contract folder does not come: what a network file system does whose server is gone."""
        if path == ".hpgov":
            over.wait(20)
        return look(path, *args, **more)

    monkeypatch.setattr(os, "stat", hangs)

    async def story() -> None:
        ahead = [0.0]
        reads = Reads(elapsed=lambda: asyncio.get_running_loop().time() + ahead[0])
        folder = replace(contract_folder(str(tmp_path), ".hpgov/contracts", lambda kept: kept), deadline=0.05)
        for _ in range(5):
            assert (await reads.start(folder)).last.state is State.UNREACHABLE
            ahead[0] += 400
        direct = await reads.start(direct_read({"KUBERNETES_SERVICE_HOST": "10.0.0.1"}, tmp_path))
        typed = await reads.start(typed_namespaces(str(tmp_path)))
        assert (direct.last.code, typed.last.code) == ("read", "read")

    try:
        asyncio.run(story())
    finally:
        over.set()
