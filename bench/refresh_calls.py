"""Upstream calls of one refresh, as the far ends' own logs count them.

Peer: servers that share nothing, one per tab, which is what a panel that asks upstream from the browser would cost. Floor: the distinct requests.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence

from .far_ends import Call, FarEnds
from .measure import Report
from .tab import Ask, Server, Tab, dashboard, failed, panel

POLL = 30.0
"""Seconds between two polls of a visible panel (trait poll_seconds)."""
ALL_DUE = 1000.0
"""Later than every time to live, the token's and discovery's included; before anything is forgotten."""
LOOKS_AWAY = 2.0
"""Real seconds in which nobody asks, after the clock moved on by a minute and everything that polls by itself would be due."""
TABS = ("tasks", "share", "contract", "access")


async def _look(asks: Sequence[dict[str, Ask]]) -> None:
    """Several tabs of one browser, or of several people on one server, at once."""
    tabs = [Tab(each) for each in asks]
    await asyncio.gather(*(tab.until_settled() for tab in tabs))
    wrong = failed([page for tab in tabs for page in tab.pages.values()])
    if wrong:
        raise RuntimeError(f"not measured, a read failed: {'; '.join(wrong)}")


def _distinct(calls: Sequence[Call]) -> int:
    return len({(c.what, c.scope) for c in calls})


async def _once(far: FarEnds, report: Report, found: dict[str, list[float]], kinds: dict[str, Counter[str]]) -> None:
    def note(name: str, calls: Sequence[Call]) -> None:
        found.setdefault(name, []).append(len(calls))
        kinds[name] = Counter(c.what for c in calls)

    server = Server.start(far)
    try:
        for how_many, label in ((1, "one tab"), (4, "four tabs")):
            server.stop()
            server = Server.start(far)
            far.mark()
            await _look([panel(server)] * how_many)
            note(f"panel, first look, {label}", far.calls())
            if how_many == 1:
                found.setdefault("panel, first look, distinct requests", []).append(_distinct(far.calls()))
            server.elapsed.ahead += POLL
            far.mark()
            await _look([panel(server)] * how_many)
            note(f"panel, next poll, {label}", far.calls())
            server.elapsed.ahead += ALL_DUE
            far.mark()
            await _look([panel(server)] * how_many)
            note(f"panel, everything due, {label}", far.calls())
        server.elapsed.ahead += 60.0
        far.mark()
        await asyncio.sleep(LOOKS_AWAY)
        note("hidden for a minute", far.calls())
        id = await server.id()
        for tab in TABS:
            for how_many, who in ((1, "one tab"), (4, "four tabs")):
                server.elapsed.ahead += ALL_DUE  # whatever was read before, all of it is due, so that both begin alike
                await _look([dashboard(server, id, tab)])
                for wait, label in ((POLL, "next poll"), (ALL_DUE, "everything due")):
                    server.elapsed.ahead += wait
                    far.mark()
                    await _look([dashboard(server, id, tab)] * how_many)
                    note(f"dashboard {tab}, {label}, {who}", far.calls())
    finally:
        server.stop()
    alone = [Server.start(far) for _ in range(4)]
    try:
        far.mark()
        await asyncio.gather(*(_look([panel(each)]) for each in alone))
        note("panel, first look, four servers that share nothing", far.calls())
    finally:
        for each in alone:
            each.stop()


def run(repetitions: int) -> Report:
    report = Report("refresh-calls")
    found: dict[str, list[float]] = {}
    kinds: dict[str, Counter[str]] = {}
    with FarEnds() as far:
        for _ in range(repetitions):
            asyncio.run(_once(far, report, found, kinds))
    first = "panel, first look"
    for name, values in found.items():
        against = name.replace("four tabs", "one tab") if name.endswith("four tabs") else None
        if name in (f"{first}, one tab", f"{first}, four servers that share nothing"):
            against = f"{first}, distinct requests" if name.endswith("one tab") else f"{first}, one tab"
        report.add(name, "calls", values, against)
    for name, values in found.items():
        if name.endswith("four tabs"):
            pairs = zip(values, found[name.replace("four tabs", "one tab")], strict=True)
            report.limit(f"{name}: calls beyond one tab's", max(four - one for four, one in pairs), 0, "calls")
    report.limit("hidden: calls while nobody asks", max(found["hidden for a minute"]), 0, "calls")
    report.detail["by_operation"] = {name: dict(sorted(kind.items())) for name, kind in kinds.items()}
    report.notes.append("Three connections: two EKS clusters and one Slurm cluster. Keys from the container's endpoint are not among the calls.")
    return report
