"""Every suite, with one plain line at the end: `N passed, N failed, N skipped`.

    ./dev test                 all of them
    ./dev test unit browser    some of them
    ./dev test --list          their names

Long builds (the real cluster's binaries, the other JupyterLab versions) start first, in the background. The suites against real servers and in a
browser mostly wait, so with two cores they run beside the others; what they print is kept and shown in one piece when each of them ends. What the
machine cannot run is left out with a plain word, and counted as skipped; under CI=true it is a failure instead.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[1]
BIN = ROOT / ".venv" / "bin"
CI = os.environ.get("CI") == "true"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hpgov-jlab"
SLURM_24 = CACHE / "slurm-trixie"
"""The second Slurm's folder, a small Debian 13 made by debootstrap."""
LABS = {"4.4": "jupyterlab==4.4.10", "4.5": "jupyterlab==4.5.10"}
"""The JupyterLab versions beside .venv's own (4.6) that the browser suite drives: what the SageMaker Distribution images ship."""


@dataclass
class Tally:
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    broken: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, name: str, passed: int, failed: int, skipped: int) -> None:
        with self._lock:
            self.passed, self.failed, self.skipped = self.passed + passed, self.failed + failed, self.skipped + skipped
            if failed:
                self.broken.append(name)


TALLY = Tally()


class Sink(threading.local):
    """Where the suite of this thread prints: a file, or the terminal as it is."""

    file: IO[str] | None = None


SINK = Sink()


def say(text: str) -> None:
    print(f"\033[1m==>\033[0m {text}", flush=True, file=SINK.file)


def run(*command: str, env: dict[str, str] | None = None, cwd: Path = ROOT) -> int:
    sink = SINK.file
    return subprocess.run(command, cwd=cwd, env={**os.environ, **(env or {})}, check=False, stdout=sink, stderr=sink and subprocess.STDOUT).returncode


def checks(name: str, *commands: tuple[str, ...]) -> None:
    """Commands that pass or fail as a whole."""
    for command in commands:
        code = run(*command)
        TALLY.add(name, int(code == 0), int(code != 0), 0)
        if code:
            say(f"failed: {' '.join(command)}")


def left_out(name: str, why: str) -> None:
    say(f"{name}: left out, {why}" + (" (a failure under CI)" if CI else ""))
    TALLY.add(name, 0, int(CI), int(not CI))


def pytest(name: str, *args: str, env: dict[str, str] | None = None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "junit.xml"
        code = run(str(BIN / "python"), "-m", "pytest", "-q", f"--junitxml={report}", *args, env=env)
        if not report.exists():
            TALLY.add(name, 0, 1, 0)
            return
        passed = failed = skipped = 0
        for suite in ET.parse(report).getroot().iter("testsuite"):  # noqa: S314 - our own pytest wrote it
            total, bad, out = int(suite.get("tests", 0)), int(suite.get("failures", 0)) + int(suite.get("errors", 0)), int(suite.get("skipped", 0))
            passed, failed, skipped = passed + total - bad - out, failed + bad, skipped + out
        if code and not failed:  # no test at all, or pytest itself broke
            failed = 1
        why = [str(found.get("message")) for found in ET.parse(report).getroot().iter("skipped")]  # noqa: S314
        for reason, number in Counter(why).items():
            say(f"{name}: {number} skipped: {reason}")
        could = sum("left out" in reason for reason in why)
        if CI and could:
            say(f"{name}: {could} left out under CI, where nothing may be that this machine can run")
            failed, skipped = failed + could, skipped - could
        TALLY.add(name, passed, failed, skipped)


# -- suites --------------------------------------------------------------------------------------------------------------
def lint() -> None:
    checks(
        "lint",
        (str(BIN / "ruff"), "check", "--quiet", "."),
        (str(BIN / "ruff"), "format", "--quiet", "--check", "."),
        (str(BIN / "lint-imports"), "--no-cache"),
        ("npm", "run", "--silent", "lint:check"),
    )


def types() -> None:
    checks("types", (str(BIN / "mypy"),), ("npx", "tsc", "--noEmit", "-p", "tsconfig.json"))


def drift() -> None:
    checks("drift", *((str(BIN / "python"), "-m", made, "--check") for made in ("hpgov_jlab.wire", "hpgov_jlab.policy", "scripts.docs", "scripts.locale")))


def unit() -> None:
    pytest("unit", "tests", "--ignore=tests/slurm_rig", "-m", "not real_cluster and not browser")


def front() -> None:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "vitest.json"
        run("npx", "vitest", "run", "--reporter=default", "--reporter=json", f"--outputFile.json={report}")
        _json_tally("front", report, "numPassedTests", "numFailedTests", "numPendingTests")


def _json_tally(name: str, report: Path, passed: str, failed: str, skipped: str) -> None:
    if not report.exists():
        TALLY.add(name, 0, 1, 0)
        return
    found = json.loads(report.read_text())
    broken = int(found.get("numFailedTestSuites", 0)) if not found[failed] else 0
    TALLY.add(name, found[passed], found[failed] + broken, found[skipped])


def cluster() -> None:
    if not shutil.which("go"):
        left_out("cluster", "Go is not installed: nothing is run against a real API server with Kueue")
        return
    if not BUILDS.wait("testbed"):
        say("cluster: the build failed, see its log above")
        TALLY.add("cluster", 0, 1, 0)
        return
    # real servers are killed and starved of time here: a test that fails is tried once more, and pytest says which one was
    pytest("cluster", "tests", "--ignore=tests/slurm_rig", "-m", "real_cluster", "--timeout=600", "--reruns=1")


def slurm() -> None:
    """A real Slurm, two versions. It needs root, makes users and starts daemons, so it runs under CI and where it is asked for."""
    if not slurm_wanted():
        why = "it needs root and makes users" if os.geteuid() == 0 else "it needs root"
        say(f"slurm: left out, {why}: run it with HPGOV_SLURM_RIG=1 ./dev test slurm" + (" (a failure under CI)" if CI else ""))
        TALLY.add("slurm", 0, int(CI), int(not CI))
        return
    if not BUILDS.wait("slurm"):
        TALLY.add("slurm", 0, 1, 0)
        return
    pytest("slurm", "tests/slurm_rig", "--timeout=600", env={"HPGOV_SLURM_RIG": "1", "HPGOV_SLURM_RIG_TRIXIE": str(SLURM_24)})


def slurm_wanted() -> bool:
    return os.geteuid() == 0 and shutil.which("apt-get") is not None and (CI or os.environ.get("HPGOV_SLURM_RIG") == "1")


def wheel() -> None:
    """The wheel as a stranger installs it: without node, next to the SageMaker Distribution's pins, none of which it may change."""
    checks("wheel", (str(BIN / "python"), "-m", "scripts.wheel"))


def browser() -> None:
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        left_out("browser", "no Chromium was found (set CHROMIUM to one): nothing is run in a browser")
        return
    for version in ("4.6", *LABS):
        folder = ROOT / (".venv" if version == "4.6" else f".venv-{version}")
        if version != "4.6" and not BUILDS.wait(f"lab-{version}"):
            say(f"browser: the environment for JupyterLab {version} could not be made")
            TALLY.add(f"browser {version}", 0, 1, 0)
            continue
        say(f"browser suite on JupyterLab {version}")
        with tempfile.TemporaryDirectory() as out:
            report = Path(out) / "playwright.json"
            env = {"CHROMIUM": chromium, "HPGOV_BIN": str(folder / "bin"), "PLAYWRIGHT_JSON_OUTPUT_NAME": str(report), "HPGOV_LAB": version}
            run("npx", "playwright", "test", "-c", "ui-tests", "--reporter=list,json", env=env)
            if not report.exists():
                TALLY.add(f"browser {version}", 0, 1, 0)
                continue
            for context in sorted((ROOT / "ui-tests" / "test-results" / version).rglob("error-context.md")):
                say(f"what the page showed when {context.parent.name} failed")
                print(context.read_text(errors="replace")[:6000], file=SINK.file)
            stats = json.loads(report.read_text())["stats"]
            TALLY.add(f"browser {version}", stats["expected"], stats["unexpected"] + stats["flaky"], stats["skipped"])


SUITES: dict[str, Callable[[], None]] = {
    "lint": lint,
    "types": types,
    "drift": drift,
    "unit": unit,
    "front": front,
    "wheel": wheel,
    "browser": browser,
    "cluster": cluster,
    "slurm": slurm,
}


# -- long builds in the background ---------------------------------------------------------------------------------------
class Builds:
    """Started first, waited for when their suite comes. Their output goes to a file that is shown on failure."""

    def __init__(self) -> None:
        self._running: dict[str, tuple[subprocess.Popen[bytes], Path]] = {}

    def start(self, name: str, *command: str, env: dict[str, str] | None = None) -> None:
        log = Path(tempfile.mkstemp(prefix=f"hpgov-{name}-", suffix=".log")[1])
        with log.open("wb") as out:
            process = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT, env={**os.environ, **(env or {})})
        self._running[name] = (process, log)

    def wait(self, name: str) -> bool:
        if name not in self._running:
            return True
        process, log = self._running[name]
        if process.poll() is None:
            say(f"waiting for the build of {name}")
        began = time.monotonic()
        while process.poll() is None:
            time.sleep(1)
            if int(time.monotonic() - began) % 60 == 59:
                lines = log.read_text(errors="replace").splitlines()
                say(f"  still building {name}: {lines[-1][:120] if lines else ''}")
                time.sleep(1)
        if process.returncode:
            print(log.read_text(errors="replace")[-6000:], file=SINK.file)
        return process.returncode == 0

    def stop(self) -> None:
        for process, _ in self._running.values():
            if process.poll() is None:
                process.terminate()


BUILDS = Builds()

BESIDE = (("cluster",), ("slurm", "browser"))
"""What mostly waits runs in lines beside the rest, so that all of them take about as long."""


def suite(name: str) -> None:
    at = time.monotonic()
    say(f"suite {name}")
    try:
        SUITES[name]()
    except Exception as problem:  # noqa: BLE001 - a suite that cannot even be run has failed, in whichever thread; the others still have their say
        say(f"suite {name} broke: {problem!r}")
        TALLY.add(name, 0, 1, 0)
    say(f"suite {name}: {time.monotonic() - at:.0f} s")


def quietly(names: list[str]) -> None:
    """Suites whose output waits for their end, so that two streams do not mix."""
    for name in names:
        say(f"suite {name} runs beside the next ones: its output follows when it ends")
        with tempfile.TemporaryFile("w+", prefix=f"hpgov-{name}-", errors="replace") as out:
            SINK.file = out
            try:
                suite(name)
            finally:
                SINK.file = None
            out.seek(0)
            print(out.read(), end="", flush=True)


def main(names: list[str]) -> int:
    if "--list" in names:
        print("\n".join(SUITES))
        return 0
    unknown = [n for n in names if n not in SUITES]
    if unknown:
        print(f"no such suite: {', '.join(unknown)}; there are {', '.join(SUITES)}")
        return 2
    chosen = names or list(SUITES)
    began = time.monotonic()
    try:
        if "browser" in chosen:
            for version, pin in LABS.items():
                BUILDS.start(f"lab-{version}", str(BIN / "python"), "-m", "scripts.lab", str(ROOT / f".venv-{version}"), pin)
        if "cluster" in chosen and shutil.which("go"):
            say("building the real cluster's binaries in the background (about 16 minutes the first time, then at once)")
            BUILDS.start("testbed", str(BIN / "python"), "-m", "tests.testbed", "build")
        if "slurm" in chosen and slurm_wanted():
            say("installing a real Slurm, and a second version in a folder, in the background (about 3 minutes the first time)")
            BUILDS.start("slurm", "bash", "tests/slurm_rig/install.sh", str(SLURM_24))
        beside = [line for names in BESIDE if (line := [name for name in names if name in chosen])]
        rest = [name for name in chosen if not any(name in line for line in beside)]
        if beside and rest and (os.cpu_count() or 1) > 1:
            others = [threading.Thread(target=quietly, args=(line,), daemon=True) for line in beside]
            for other in others:
                other.start()
            for name in rest:
                suite(name)
            for other, line in zip(others, beside, strict=True):
                if other.is_alive():
                    say(f"waiting for what runs beside: {' and '.join(line)}")
                while other.is_alive():  # not one long join: Ctrl-C has to get through
                    other.join(1)
        else:
            for name in chosen:
                suite(name)
    finally:
        BUILDS.stop()
    minutes, seconds = divmod(int(time.monotonic() - began), 60)
    if TALLY.broken:
        say("failed in: " + ", ".join(dict.fromkeys(TALLY.broken)))
    say(f"all suites done in {minutes} min {seconds} s")
    print(f"{TALLY.passed} passed, {TALLY.failed} failed, {TALLY.skipped} skipped", flush=True)
    return 1 if TALLY.failed or not TALLY.passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
