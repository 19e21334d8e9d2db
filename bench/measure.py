"""Numbers with what they are held against: repetitions, ratios to a peer or a floor of the same run, limits that were kept or broken."""

from __future__ import annotations

import os
import platform
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


class NotHere(Exception):
    """What a bench needs is not on this machine; the text says what, and how to get it."""


@dataclass(frozen=True)
class Row:
    """One measured thing. `against`: the name of the row that its ratio is made with (median by median)."""

    name: str
    unit: str
    values: tuple[float, ...]
    against: str | None = None

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    def as_json(self, ratio: float | None) -> dict[str, Any]:
        found = {"name": self.name, "unit": self.unit, "min": min(self.values), "median": self.median, "max": max(self.values), "values": list(self.values)}
        return {**found, "against": self.against, "ratio": ratio}


@dataclass(frozen=True)
class Limit:
    """A hard limit of the design. `value` has to be at most `bound`."""

    what: str
    value: float
    bound: float
    unit: str

    @property
    def held(self) -> bool:
        return self.value <= self.bound


@dataclass
class Report:
    """What one bench found. `notes` are sentences; `detail` goes into the JSON only."""

    bench: str
    rows: list[Row] = field(default_factory=list)
    limits: list[Limit] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    detail: dict[str, Any] = field(default_factory=dict)
    load_before: float = field(default_factory=lambda: os.getloadavg()[0])
    started: float = field(default_factory=time.time)

    def add(self, name: str, unit: str, values: Sequence[float], against: str | None = None) -> Row:
        row = Row(name, unit, tuple(values), against)
        self.rows.append(row)
        return row

    def limit(self, what: str, value: float, bound: float, unit: str) -> None:
        self.limits.append(Limit(what, value, bound, unit))

    @property
    def broken(self) -> list[Limit]:
        return [limit for limit in self.limits if not limit.held]

    def ratio(self, row: Row) -> float | None:
        other = next((r for r in self.rows if r.name == row.against), None)
        if row.against is not None and other is None:
            raise ValueError(f"{row.name!r} is held against {row.against!r}, which was not measured")
        return None if other is None or other.median == 0 else row.median / other.median

    @property
    def machine(self) -> dict[str, Any]:
        return {
            "cores": os.cpu_count(), "python": platform.python_version(), "system": f"{platform.system()} {platform.machine()}",
            "load_before": round(self.load_before, 2), "load_after": round(os.getloadavg()[0], 2), "seconds": round(time.time() - self.started, 1),
        }  # fmt: skip

    def as_json(self) -> dict[str, Any]:
        return {
            "bench": self.bench,
            "machine": self.machine,
            "rows": [row.as_json(self.ratio(row)) for row in self.rows],
            "limits": [{"what": x.what, "value": x.value, "bound": x.bound, "unit": x.unit, "held": x.held} for x in self.limits],
            "notes": self.notes,
            "detail": self.detail,
        }

    def as_text(self) -> str:
        table = [("", "unit", "min", "median", "max", "n", "ratio", "against")]
        for row in self.rows:
            ratio = self.ratio(row)
            low, mid, high = (_number(v) for v in (min(row.values), row.median, max(row.values)))
            table.append((row.name, row.unit, low, mid, high, str(len(row.values)), "" if ratio is None else f"{ratio:.2f}", row.against or ""))
        widths = [max(len(line[i]) for line in table) for i in range(len(table[0]))]
        left = (0, 1, 7)
        lines = ["  ".join(c.ljust(w) if i in left else c.rjust(w) for i, (c, w) in enumerate(zip(line, widths, strict=True))).rstrip() for line in table]
        lines.insert(1, "-" * max(len(line) for line in lines))
        m = self.machine
        head = f"{self.bench}: Python {m['python']}, {m['cores']} cores, load {m['load_before']} before and {m['load_after']} after, {m['seconds']} s"
        ends = [f"{'held  ' if x.held else 'BROKEN'}  {x.what}: {_number(x.value)} {x.unit}, at most {_number(x.bound)}" for x in self.limits]
        return "\n".join([head, "", *lines, *([""] if ends else []), *ends, *([""] if self.notes else []), *self.notes])


def _number(value: float) -> str:
    if value == int(value) and abs(value) < 1e9:
        return f"{int(value):,}"
    return f"{value:,.1f}" if abs(value) >= 100 else f"{value:.3g}"


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` (0 to 1) of them lie, by nearest rank."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, round(share * len(ordered)) - 1))]
