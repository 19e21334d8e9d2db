"""From the start of the server's process to the first line on the panel that is true, and to all of it, over HTTP and as the panel asks.

Floor: the same server without the extension, until it answers at all. Far ends answer at once: what an upstream adds is the bench `chain`.
"""

from __future__ import annotations

import time
from typing import Any

from .far_ends import FarEnds
from .measure import Report
from .servers import API, JupyterServer
from .tab import LEAST_MS, failed

SOON_MS = 1000
"""A page that wants to be asked again sooner than this has something on its way."""
PATIENCE = 120.0


def _open(far: FarEnds) -> dict[str, float]:
    """One cold start with a panel that begins to ask as soon as the server answers. Seconds since the process was started."""
    found: dict[str, float] = {}
    with JupyterServer({"hpgov_jlab": True}, far.environment, {"HpgovSettings": far.traits}) as server:
        found["server answers"] = server.until_up()
        session = server.get(API + "session")
        found["first answer of ours"] = server.age
        page: dict[str, Any] = {}
        while True:
            if session["identity"]["data"] is None:
                session = server.get(API + "session")
            page = server.get(API + "connections")
            if page["connections"]["data"] is not None and "first true line" not in found:
                found["first true line"] = server.age
            if page["poll_after_ms"] >= SOON_MS:
                found["complete"] = server.age
                break
            if server.age > PATIENCE:
                raise TimeoutError("the panel was not complete in time")
            time.sleep(max(LEAST_MS, page["poll_after_ms"]) / 1000)
        wrong = failed([page])
        if wrong or not page["connections"]["data"]:
            raise RuntimeError(f"not measured: {wrong or 'no connection'}")
        found["processor time"] = server.cpu_seconds()
    return found


def run(repetitions: int) -> Report:
    report = Report("cold-open")
    floor: list[float] = []
    times: dict[str, list[float]] = {}
    with FarEnds() as far:
        for _ in range(repetitions):
            with JupyterServer({"hpgov_jlab": False}, far.environment) as bare:
                floor.append(bare.until_up())
            for name, seconds in _open(far).items():
                times.setdefault(name, []).append(seconds)
    bare_name = "floor: the server without us answers"
    report.add(bare_name, "s", floor)
    for name, values in times.items():
        report.add(f"with us: {name}", "s", values, None if name == "processor time" else bare_name)
    report.notes.append("Three connections. The panel's own download and drawing are not in it; its bytes are the bench `installed`.")
    return report
