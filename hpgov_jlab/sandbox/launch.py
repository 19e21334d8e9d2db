"""Puts a scenario up: far ends on loopback, files and environment of the place, settings of the product; and, for the command, a JupyterLab on top.

    with start("default") as running:                  # far ends, files, environment and settings; no JupyterLab
        running.traits, running.environment(os.environ)
    with start("default") as running, running.jupyter() as lab:
        lab.url                                        # with its token

Everything lies in one temporary folder that goes with it. Nothing is read from or written to the person's own Jupyter or AWS configuration.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import site
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from .aws.far_end import AwsFarEnd
from .aws.keys import Principal
from .faults import Faults
from .kubernetes.far_end import KubernetesFarEnd
from .kubernetes.recording import FOLDER
from .kubernetes.scenario import Pace, far_end
from .loading import load
from .scenario import Scenario, ServiceAccount
from .slurm.install import install as install_slurm
from .slurm.install import switch as switch_slurm

SERVICES = ("datazone", "eks", "s3", "sagemaker", "sts")
ROOT = Path(__file__).resolve().parents[2]
PANEL = "hpgov-jlab:panel"  # the name under which src/plugins/panel.ts gives its widget to the layout restorer
HIDDEN = (
    "AWS_",
    "DATAZONE_",
    "DataZone",
    "HPGOV_",
    "JUPYTER",
    "KUBE",
    "REGION_NAME",
    "RESOURCE_METADATA",
    "SAGEMAKER_",
    "SLURM_",
    "SSL_",
    "SSLKEYLOGFILE",
    "IPYTHONDIR",
)
"""Variables of these beginnings are the person's own and stay out: the sandbox must not find a real account, cluster or profile."""
PROXIES = frozenset({"http_proxy", "https_proxy", "all_proxy", "ftp_proxy", "requests_ca_bundle", "curl_ca_bundle"})


class StartError(RuntimeError):
    """The sandbox could not be put up; the text says why and what to do."""


@dataclass
class Jupyter:
    """A JupyterLab process. `url` carries the token."""

    process: subprocess.Popen[bytes]
    port: int
    token: str = field(repr=False)
    log: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/lab?token={self.token}"

    def stop(self) -> None:
        """Asks it to end, then makes it; returns when it is gone."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(10)
        if self.process.stdin is not None:
            with contextlib.suppress(OSError):  # its reader is gone already
                self.process.stdin.close()

    def __enter__(self) -> Jupyter:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


@dataclass
class Running:
    """A scenario that is up. `traits` are HpgovSettings'; `environment` is that of the place, made from one that is given."""

    scenario: Scenario
    faults: Faults
    folder: Path
    aws: AwsFarEnd
    kubernetes: dict[str, KubernetesFarEnd]  # by name of the EKS cluster; those without a route have none
    traits: dict[str, Any]
    variables: dict[str, str]

    @property
    def project(self) -> Path:
        return self.folder / "project"

    def environment(self, given: Mapping[str, str]) -> dict[str, str]:
        """`given` without the person's own AWS, Jupyter and Kubernetes variables, with those of the place."""
        kept = {k: v for k, v in given.items() if not k.startswith(HIDDEN) and k.lower() not in PROXIES}
        if ROOT not in [Path(p) for p in site.getsitepackages()]:  # a source tree: other folders, and kernels, find the same package
            kept["PYTHONPATH"] = os.pathsep.join(p for p in (str(ROOT), kept.get("PYTHONPATH")) if p)
        return kept | self.variables

    def faulty(self) -> list[str]:
        """What the far ends did wrong themselves: a test asserts that there is nothing."""
        return [*self.aws.broken, *(e for k8s in self.kubernetes.values() for e in k8s.errors)]

    def stop(self) -> None:
        for k8s in self.kubernetes.values():
            k8s.stop()
        self.aws.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    # -- JupyterLab ----------------------------------------------------------------------------------------------------------
    def jupyter(self, *, port: int = 0, browser: bool = False, token: str | None = None, wait: float = 90.0, extra: Mapping[str, Any] | None = None) -> Jupyter:
        """Starts JupyterLab with settings, state and token of its own and waits until it answers; then the clusters' stories begin.

        `extra` is more Jupyter configuration, by section. Raises StartError.
        """
        # what is free now may be another's by the time JupyterLab starts: where any will do it takes the next one
        retries = 0 if port else 50
        port, token = _free(port), token or secrets.token_hex(24)
        _configure(self, port, retries, token, extra or {})
        log = self.folder / "jupyterlab.log"
        command = [sys.executable, "-m", "hpgov_jlab.sandbox.lab", *([] if browser else ["--no-browser"])]
        with open(log, "wb") as out:
            # a session of its own: Ctrl-C in the terminal is for the sandbox command, which then ends this process in order
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=out, stderr=subprocess.STDOUT, cwd=self.project, env=self.environment(os.environ), start_new_session=True
            )
        lab = Jupyter(process, port, token, log)
        try:
            _wait(lab, Path(self.variables["JUPYTER_RUNTIME_DIR"]) / f"jpserver-{process.pid}.json", wait)
        except BaseException:
            lab.stop()
            raise
        for k8s in self.kubernetes.values():
            k8s.replay.restart()
        return lab


def start(scenario: str | Scenario = "default", faults: Faults | Iterable[str] = (), *, pace: Pace | None = None, recordings: Path = FOLDER) -> Running:
    """Puts a scenario up without JupyterLab. `faults` are switched on beside the scenario's own. Raises ScenarioError, UnknownFault, StartError.

    In the process of a test, apply `running.environment(os.environ)` and give `running.traits` to HpgovSettings.
    """
    told = load(scenario) if isinstance(scenario, str) else scenario
    board = faults if isinstance(faults, Faults) else Faults([*told.faults, *faults])
    with contextlib.ExitStack() as undo:
        folder = Path(tempfile.mkdtemp(prefix="hpgov-sandbox-"))
        undo.callback(shutil.rmtree, folder, ignore_errors=True)
        aws = undo.enter_context(AwsFarEnd(told, faults=board))
        kubernetes: dict[str, KubernetesFarEnd] = {}
        for cluster in told.eks:
            if cluster.endpoint == "private-without-route":
                continue
            accounts = [told.service_account] if told.service_account is not None and told.service_account.cluster == cluster.name else []
            who = partial(_whose, aws, cluster.name)
            try:
                made = far_end(cluster, who, accounts=accounts, faults=board, pace=pace, recordings=recordings)
            except ValueError as e:
                raise StartError(f"scenario {told.name}, cluster {cluster.name}: {e}") from None
            kubernetes[cluster.name] = undo.enter_context(made)
            aws.publish(cluster.name, made.url, made.ca_pem)
        running = Running(told, board, folder, aws, kubernetes, {}, {})
        _furnish(running)
        undo.pop_all()
        return running


def _whose(aws: AwsFarEnd, cluster: str, token: str) -> Principal | None:
    return aws.who(token, cluster)


# -- the place -----------------------------------------------------------------------------------------------------------------
def _furnish(running: Running) -> None:
    """Writes the files of the place and says in traits and variables where they are."""
    told, folder = running.scenario, running.folder
    for path, text in told.files.items():
        target = running.project / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    running.project.mkdir(exist_ok=True)
    (folder / "home").mkdir()
    # named also where they are not there: the sandbox may itself run in a Studio or in a pod, and must not find that one's
    pod, metadata, platform = folder / "serviceaccount", folder / "resource-metadata.json", folder / "etc" / "hpgov.yaml"
    pod.mkdir()
    traits: dict[str, Any] = {
        "sandbox": True,
        "endpoint_overrides": dict.fromkeys(SERVICES, running.aws.url),
        "project_folder": str(running.project),
        "metadata_file": str(metadata),
        "platform_file": str(platform),
        "service_account_folder": str(pod),
    }
    variables = running.aws.environment() | {"HOME": str(folder / "home")}
    if told.slurm is not None:
        traits["slurm_bin"] = install_slurm(folder / "slurm", told.slurm, time.time())
        switch_slurm(folder / "slurm", {f.name.removeprefix("slurm-"): f.value or None for f in running.faults.active() if f.name.startswith("slurm-")})
    if told.metadata is not None:
        metadata.write_text(json.dumps(told.metadata, indent=2), encoding="utf-8")
        variables["RESOURCE_METADATA_FILE"] = str(metadata)
    if told.platform_file is not None:
        platform.parent.mkdir()
        platform.write_text(told.platform_file, encoding="utf-8")
    if told.service_account is not None:
        variables |= _pod(running, told.service_account, pod)
    running.traits.update(traits | dict(told.traits))
    running.variables.update(variables)


def _pod(running: Running, account: ServiceAccount, folder: Path) -> dict[str, str]:
    """What a pod finds: the files of its service account, and where its API server is."""
    k8s = running.kubernetes[account.cluster]
    for name, text in (("token", account.token), ("ca.crt", k8s.ca_pem), ("namespace", account.namespace)):
        (folder / name).write_text(text, encoding="utf-8")
        (folder / name).chmod(0o600)
    host, _, port = k8s.url.removeprefix("https://").partition(":")
    return {"KUBERNETES_SERVICE_HOST": host, "KUBERNETES_SERVICE_PORT": port}


# -- JupyterLab ------------------------------------------------------------------------------------------------------------------
def _configure(running: Running, port: int, retries: int, token: str, extra: Mapping[str, Any]) -> None:
    """Jupyter's folders and configuration, all inside the sandbox's folder. The token is in a file, since a command line can be read by everyone."""
    home = running.folder / "jupyter"
    folders = {
        "JUPYTER_CONFIG_DIR": home / "config",
        "JUPYTER_DATA_DIR": home / "data",
        "JUPYTER_RUNTIME_DIR": home / "runtime",
        "JUPYTERLAB_SETTINGS_DIR": home / "settings",
        "JUPYTERLAB_WORKSPACES_DIR": home / "workspaces",
        "IPYTHONDIR": home / "ipython",
    }
    for path in folders.values():
        path.mkdir(parents=True, exist_ok=True)
    running.variables.update({k: str(v) for k, v in folders.items()})
    server: dict[str, Any] = {
        "ip": "127.0.0.1",
        "port": port,
        "port_retries": retries,
        "root_dir": str(running.project),
        "jpserver_extensions": {"hpgov_jlab": True, "jupyterlab": True},
        "allow_root": not hasattr(os, "geteuid") or os.geteuid() == 0,  # root is refused otherwise; it is the person's own loopback
    }
    config: dict[str, Any] = {"ServerApp": server, "IdentityProvider": {"token": token}, "HpgovSettings": running.traits}
    config["LabApp"] = {"extension_manager": "readonly"}  # the other one asks a package index for what could be installed
    for section, values in extra.items():
        config[section] = {**config.get(section, {}), **values}
    target = folders["JUPYTER_CONFIG_DIR"] / "jupyter_server_config.json"
    target.touch(mode=0o600)
    target.write_text(json.dumps(config, indent=2), encoding="utf-8")
    news = folders["JUPYTERLAB_SETTINGS_DIR"] / "@jupyterlab" / "apputils-extension" / "notification.jupyterlab-settings"
    news.parent.mkdir(parents=True, exist_ok=True)
    news.write_text('{"fetchNews": "false", "checkForUpdates": false}\n', encoding="utf-8")
    _open_panel(folders["JUPYTERLAB_WORKSPACES_DIR"])


def _open_panel(workspaces: Path) -> None:
    """A default workspace in which our panel is what the left side shows."""
    left = {"collapsed": False, "visible": True, "current": PANEL, "widgets": ["filebrowser", PANEL]}
    dock = {"type": "tab-area", "currentIndex": 0, "widgets": list[str]()}
    layout = {"main": {"dock": dock}, "left": left, "relativeSizes": [0.28, 0.72, 0]}
    text = json.dumps({"data": {"layout-restorer:data": layout, "file-browser-filebrowser:cwd": {"path": ""}}, "metadata": {"id": "default"}})
    # JupyterLab's own name for the file of workspace "default": the slug and the first two bytes of its hash
    (workspaces / "default-37a8.jupyterlab-workspace").write_text(text, encoding="utf-8")


def _free(port: int) -> int:
    with socket.socket() as s:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            s.bind(("127.0.0.1", port))
        except OSError:
            raise StartError(f"port {port} on 127.0.0.1 is taken; give another one with --port, or none") from None
        return int(s.getsockname()[1])


def _wait(lab: Jupyter, told: Path, seconds: float) -> None:
    """`told`: the file in which the server says at which port it listens; `lab` has that one then."""
    # not the environment's proxies: this is loopback
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if lab.process.poll() is not None:
            break
        try:
            lab.port = int(json.loads(told.read_text(encoding="utf-8"))["port"])
            request = urllib.request.Request(f"http://127.0.0.1:{lab.port}/api/status", headers={"Authorization": f"token {lab.token}"})
            with opener.open(request, timeout=5):
                return
        except (FileNotFoundError, json.JSONDecodeError, urllib.error.URLError, ConnectionError, TimeoutError):  # not written yet, or half
            time.sleep(0.2)
    tail = lab.log.read_text(encoding="utf-8", errors="replace").splitlines()[-15:]
    raise StartError("JupyterLab did not come up:\n  " + "\n  ".join(tail))
