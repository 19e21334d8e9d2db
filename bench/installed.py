"""What the extension costs those who never open it: a later start of the server, modules in its memory, bytes that the page loads.

Floor: the same server without it. The limit: nothing of what makes the answers is imported before somebody asks.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import hpgov_jlab

from .measure import Report
from .servers import API, JupyterServer

HEAVY = ("boto3", "botocore", "kubernetes", "pydantic", "msgspec", "yaml", "urllib3")
"""What answers stand on. Those that jupyter_server imports by itself cost nothing more and are not counted."""
ROOT = Path(__file__).resolve().parents[1]
LABEXTENSION = Path(hpgov_jlab.__file__).parent / "labextension"
_LOOK = """
import json, sys, time
import jupyter_server.serverapp
before = set(sys.modules)
wall, cpu = time.perf_counter(), time.process_time()
import {module}
print(json.dumps([time.perf_counter() - wall, time.process_time() - cpu, sorted(set(sys.modules) - before)]))
"""


def _imports(module: str) -> tuple[float, float, list[str]]:
    """Seconds, processor seconds and new modules of an import after jupyter_server's own."""
    done = subprocess.run([sys.executable, "-c", _LOOK.format(module=module)], capture_output=True, text=True, check=True, cwd=ROOT)
    wall, cpu, modules = json.loads(done.stdout)
    return wall * 1000, cpu * 1000, modules


def _start(on: bool) -> tuple[float, float, float]:
    """Seconds until the server answers, its processor seconds by then, its memory in MB."""
    found = os.pathsep.join(p for p in (str(ROOT), os.environ.get("PYTHONPATH")) if p)  # also from a source tree that is not installed
    with JupyterServer({"hpgov_jlab": on}, {**os.environ, "PYTHONPATH": found}) as server:
        measured = server.until_up(), server.cpu_seconds(), server.rss_mb()
        if server.serves(f"{API}session") is not on:
            raise RuntimeError(f"not measured: the extension is {'not ' if on else ''}in a server that was to be {'with' if on else 'without'} it")
        return measured


def _bytes(report: Report) -> None:
    """The bundle as it lies in the package: the entry that each page load fetches, and the pieces that come with the panel."""
    if not (LABEXTENSION / "package.json").exists():
        report.notes.append("The front end is not built here (hpgov_jlab/labextension): its bytes are not measured.")
        return
    load = json.loads((LABEXTENSION / "package.json").read_text())["jupyterlab"]["_build"]["load"]
    files = {p.name: p.stat().st_size for p in (LABEXTENSION / "static").iterdir() if p.suffix == ".js"}
    report.add("bundle: all of it on disk", "KB", [sum(p.stat().st_size for p in LABEXTENSION.rglob("*") if p.is_file()) / 1000])
    report.add("bundle: its entry, which every page loads", "KB", [files[Path(load).name] / 1000])
    report.add("bundle: all JavaScript, loaded with the plugins", "KB", [sum(files.values()) / 1000])


def run(repetitions: int) -> Report:
    report = Report("installed")
    starts: dict[bool, list[tuple[float, float, float]]] = {False: [], True: []}
    for _ in range(repetitions):  # in turns, so that what else the machine does falls on both
        for on in (False, True):
            starts[on].append(_start(on))
            time.sleep(0.1)
    for place, (name, unit) in enumerate((("start until it answers", "s"), ("start, processor time", "s"), ("memory after the start", "MB"))):
        bare = report.add(f"server without us: {name}", unit, [s[place] for s in starts[False]])
        report.add(f"server with us: {name}", unit, [s[place] for s in starts[True]], bare.name)
    looked = {module: [_imports(module) for _ in range(repetitions)] for module in ("hpgov_jlab.app", "hpgov_jlab.service")}
    report.add("import at the start of the server", "ms CPU", [x[1] for x in looked["hpgov_jlab.app"]])
    report.add("import at the first request, in a thread", "ms CPU", [x[1] for x in looked["hpgov_jlab.service"]])
    modules = looked["hpgov_jlab.app"][0][2]
    heavy = sorted({m.partition(".")[0] for m in modules} & set(HEAVY))
    report.limit("packages that make answers, imported before anybody asks", len(heavy), 0, "packages")
    later = len(looked["hpgov_jlab.service"][0][2])
    report.notes.append(f"{len(modules)} modules at the start, {later} at the first request." + (f" At the start: {', '.join(heavy)}." if heavy else ""))
    report.detail["modules_at_start"] = modules
    _bytes(report)
    return report
