"""From the panel shown to complete data, when every upstream answer comes 100 ms late.

Floor: the longest chain of reads that depend on each other, counted here link by link and checked against the far ends' logs, times 100 ms. What is
measured beyond it is waiting of our own making: a worker that was not free, a step that need not have waited, the time until the panel asks again.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

from .far_ends import Call, FarEnds
from .measure import Report
from .tab import Ask, Server, Tab, dashboard, failed, panel

DELAY = 0.1
CONNECTION = "research-training"
FAULTS = (f"slow={DELAY}", f"k8s-slow={DELAY}")


@dataclass(frozen=True)
class Link:
    """One read that has to be there before the next can be asked for. `why`: what the next takes from it."""

    call: str
    why: str


PANEL = (
    Link("sts:GetCallerIdentity", "the place's keys are the expected ones (S8): nothing else is asked before"),
    Link("datazone:ListConnections", "which connections, with access role and cluster"),
    Link("sts:AssumeRole", "the access role's keys"),
    Link("sts:GetCallerIdentity", "they are the access role's (S3): nothing else is asked before"),
    Link("sagemaker:DescribeCluster", "the EKS cluster behind it"),
    Link("eks:DescribeCluster", "endpoint and certificate; the token is signed without a request"),
    Link("get /apis", "what the API server serves, and in which version"),
    Link("get namespaces", "the annotation, whose record may close the namespace"),
    Link("list localqueues.kueue.x-k8s.io", "the ClusterQueue's name; Workloads and pods beside it"),
    Link("get clusterqueues.kueue.x-k8s.io", "the share"),
)
TASKS = (
    Link("list jobs.batch", "every kind that is served, beside it; what the panel has read is known"),
    Link("get localqueues/pendingworkloads.visibility.kueue.x-k8s.io", "places in line; asked for once the lists are there"),
)
"""A dashboard opened from a panel that is complete."""


def _check(links: tuple[Link, ...], calls: list[Call]) -> None:
    """Every link was really asked for, in this order. Raises: then the chain that is counted here is not the product's any more."""
    at = 0
    for link in links:
        found = next((n for n in range(at, len(calls)) if calls[n].what == link.call), None)
        if found is None:
            raise RuntimeError(f"the chain has changed: no {link.call} after {[c.what for c in calls[:at]][-1:]}; asked were {[c.what for c in calls]}")
        at = found + 1


async def _look(server: Server, asks: dict[str, Ask], data: str) -> tuple[float, float, float]:
    """Seconds to the first data of the page `data`, to the end of the last read, and to the page that shows all of it."""
    tab, start = Tab(asks), time.perf_counter()
    settled = asyncio.ensure_future(tab.until_settled(shown=lambda name, page: name == data and _shows(page)))
    last = start
    while not settled.done():
        await asyncio.sleep(0.005)
        if server.service.busy:
            last = time.perf_counter()
    pages = await settled
    wrong = failed(pages.values())
    if wrong:
        raise RuntimeError(f"not measured, a read failed: {'; '.join(wrong)}")
    return tab.first[data], last - start, time.perf_counter() - start


def _shows(page: dict[str, object]) -> bool:
    part = page.get("connections") or page.get("tasks")
    return isinstance(part, dict) and part["data"] is not None


def _timeline(calls: list[Call]) -> list[str]:
    """ "120 ms sts:AssumeRole": when each request reached its far end, after the first did."""
    begun = [(c.at - (0 if ":" in c.what.split(" ")[0] else DELAY), c.what) for c in calls]
    first = min(at for at, _ in begun)
    return [f"{(at - first) * 1000:.0f} ms {what}" for at, what in sorted(begun)]


async def _all(far: FarEnds, report: Report, repetitions: int, who: str) -> None:
    found: dict[str, list[float]] = {}
    timeline: dict[str, list[str]] = {}
    for _ in range(repetitions):
        server = Server.start(far)
        try:
            far.mark()
            first, last, shown = await _look(server, panel(server), "connections")
            for name, value in (("first true line", first), ("last read ended", last), ("complete on the screen", shown)):
                found.setdefault(f"panel, {who}, {name}", []).append(value * 1000)
            _check(PANEL, far.calls())
            timeline["panel"] = _timeline(far.calls())
            id = await server.id(CONNECTION)
            far.mark()
            _, last, shown = await _look(server, dashboard(server, id, "tasks"), "tasks")
            for name, value in (("last read ended", last), ("complete on the screen", shown)):
                found.setdefault(f"tasks tab, {who}, {name}", []).append(value * 1000)
            _check(TASKS, far.calls())
            timeline["tasks tab"] = _timeline(far.calls())
        finally:
            server.stop()
    for name, values in found.items():
        report.add(name, "ms", values, f"longest chain, {len(PANEL if name.startswith('panel') else TASKS)} reads")
    report.detail[f"timeline, {who}"] = timeline


def run(repetitions: int) -> Report:
    report = Report("chain")
    for length in sorted({len(PANEL), len(TASKS)}):
        report.add(f"longest chain, {length} reads", "ms", [length * DELAY * 1000])
    with FarEnds(only=CONNECTION) as far:
        asyncio.run(_warm(far))  # imports and the models of AWS's services are cold-open's business
        for fault in FAULTS:
            far.fault(fault)
        asyncio.run(_all(far, report, repetitions, "one connection"))
    with FarEnds() as far:
        for fault in FAULTS:
            far.fault(fault)
        asyncio.run(_all(far, report, repetitions, "three connections"))
    report.notes += [f"{n}. {link.call}: {link.why}" for n, link in enumerate(PANEL, 1)]
    return report


async def _warm(far: FarEnds) -> None:
    server = Server.start(far)
    try:
        await server.id()
    finally:
        server.stop()
