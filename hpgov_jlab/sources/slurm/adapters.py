"""Which adapter reads a body. A data_parser newer than all we know is read as the newest that we know, and the answer says so (DESIGN.md 8)."""

from __future__ import annotations

import re

from ...model.outcome import Ask, Failure, Layer, State
from ...model.slurm import SlurmShape
from ...policy.slurm import VERSIONS
from . import v0_0_38, v0_0_40, v0_0_41, v0_0_42

ADAPTERS: dict[str, v0_0_42.Adapter] = {a.version: a for a in (v0_0_38.Adapter(), v0_0_40.Adapter(), v0_0_41.Adapter(), v0_0_42.Adapter())}
NEWEST = ADAPTERS[VERSIONS[0]]


def order(version: str) -> int:
    """v0.0.42 -> 42; anything else is -1."""
    match = re.fullmatch(r"v0\.0\.(\d{2,3})", version)
    return int(match[1]) if match is not None else -1


def adapter(version: str, release: str | None = None) -> tuple[v0_0_42.Adapter, SlurmShape]:
    """Raises Failure(INVALID, slurm_version_unknown) for one that is older than, or between, those that we know."""
    known = ADAPTERS.get(version)
    if known is not None:
        return known, SlurmShape(version, release)
    if order(version) > order(NEWEST.version):
        return NEWEST, SlurmShape(version, release, newer=True)
    raise Failure(State.INVALID, "slurm_version_unknown", {"version": version[:16]}, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)


def of_body(body: bytes, source: str) -> tuple[v0_0_42.Adapter, SlurmShape]:
    """By what the body says of itself: `squeue --json` is not told which version to print, so that a newer client works, too."""
    meta = NEWEST.head(body, source).meta
    named = meta.plugin.data_parser.rpartition("/")[2] if meta is not None else ""
    return adapter(named or "v0.0.38", meta.release if meta is not None else None)
