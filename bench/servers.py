"""A real Jupyter server process with nothing but what is measured in it, and how long it takes until it answers."""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
API = "/hpgov-jlab/api/v1/"
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # not the environment's proxies: this is loopback
PATIENCE = 120.0
EVERY = 0.01


class JupyterServer:
    """`python -m jupyter_server` with a configuration of its own. Times are seconds since the process was started."""

    def __init__(self, extensions: Mapping[str, bool], environment: Mapping[str, str], config: Mapping[str, Any] | None = None) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="hpgov-bench-")
        home = Path(self._folder.name)
        self.port, self.token = _free(), secrets.token_hex(16)
        server = {
            "ip": "127.0.0.1", "port": self.port, "port_retries": 0, "root_dir": str(home), "open_browser": False, "jpserver_extensions": dict(extensions),
            "allow_root": True,
        }  # fmt: skip
        whole = {"ServerApp": server, "IdentityProvider": {"token": self.token}, **(config or {})}
        (home / "jupyter_server_config.json").write_text(json.dumps(whole))
        folders = {f"JUPYTER_{name}_DIR": str(home / name.lower()) for name in ("DATA", "RUNTIME")} | {"JUPYTER_CONFIG_DIR": str(home)}
        self._log = open(home / "log", "wb+")  # noqa: SIM115 - as long as the process
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "jupyter_server"],
            env={**environment, **folders, "JUPYTER_NO_CONFIG": "", "IPYTHONDIR": str(home)}, cwd=home, stdout=self._log, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def __enter__(self) -> JupyterServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._log.close()
        self._folder.cleanup()

    @property
    def age(self) -> float:
        return time.perf_counter() - self.started

    def get(self, path: str) -> Any:
        """One page of the API, or of Jupyter's own."""
        headers = {"Authorization": f"token {self.token}", "X-Hpgov": "1"}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers=headers)
        with _OPENER.open(request, timeout=30) as answer:
            return json.loads(answer.read())

    def serves(self, path: str) -> bool:
        """Whether there is such a page; what it says does not matter."""
        try:
            self.get(path)
        except urllib.error.HTTPError as error:
            return error.code != 404
        return True

    def until_up(self) -> float:
        """Seconds until it answers at all."""
        while True:
            try:
                self.get("/api/status")
                return self.age
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                self._patient()
                time.sleep(EVERY)

    def cpu_seconds(self) -> float:
        """Processor time that the process has used, as Linux tells it."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def rss_mb(self) -> float:
        """Memory of the process that is in use, as Linux tells it."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def _patient(self) -> None:
        if self.process.poll() is not None or self.age > PATIENCE:
            self._log.seek(0)
            raise RuntimeError(f"the server did not come up: {self._log.read()[-2000:].decode(errors='replace')}")


def end_with_input(process: subprocess.Popen[str]) -> None:
    """Ends a process that ends when its standard input does; kills it if it has not in 20 s."""
    assert process.stdin is not None
    process.stdin.close()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _free() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])
