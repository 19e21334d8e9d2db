"""What the tests on a real Slurm saw, put into docs/tables: a changed cell fails until it is written anew (HPGOV_WRITE_TABLES=1) and looked at in the diff.

Seconds are a machine's: they stand in a section of their own, with their date, and only writing replaces them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence

from hpgov_jlab.model.outcome import Outcome
from hpgov_jlab.policy.slurm import CONFIG, PING, VERSION
from hpgov_jlab.sources.slurm.rest import CALL_SECONDS
from hpgov_jlab.words import ASKS, WORDS
from tests.cluster import tables

VERSIONS = ("22.05", "24.11")
MATRIX: dict[tuple[str, str, str], tuple[str, ...]] = {}
"""(words of PrivateData, transport, version) -> cells."""
STATES: dict[tuple[str, str, str], tuple[str, ...]] = {}
"""(case, transport, version) -> cells."""
SECONDS: dict[tuple[str, str, str], float] = {}
LIMIT = {"commands": VERSION.limit_seconds + PING.limit_seconds + CONFIG.limit_seconds, "slurmrestd": 3 * CALL_SECONDS}
"""By design: no command and no call lasts longer than its own limit, and nothing that hangs on the first ones is sent."""
MEASURED = "## Seconds until it stands there"


def merged(seen: dict[tuple[str, str, str], tuple[str, ...]]) -> list[list[str]]:
    """A row per case and transport, with `both` where the two versions say the same."""
    rows = []
    for case, transport in dict.fromkeys((case, transport) for case, transport, _ in seen):
        cells = {version: seen[case, transport, version] for version in VERSIONS if (case, transport, version) in seen}
        if len(cells) == 2 and len(set(cells.values())) == 1:
            rows.append([case, "both", transport, *next(iter(cells.values()))])
        else:
            rows += [[case, version, transport, *made] for version, made in cells.items()]
    return rows


def words(codes: Iterable[str]) -> list[str]:
    """What the codes of a table say, with the next step."""
    found = ["", "## What the codes say", ""]
    for code in sorted(set(codes)):
        then = WORDS[code].then
        found.append(f"- `{code}`: {WORDS[code].text}" + (f" {then}" if then else ""))
    return found


def told(outcome: Outcome) -> tuple[str, ...]:
    """State, code, whom to ask."""
    return str(outcome.state), f"`{outcome.code}`", ASKS[outcome.ask].text


def check_matrix(text: str, head: Sequence[str], codes: Iterable[str]) -> None:
    made = tables.markdown("PrivateData: what a member sees", text, head, merged(MATRIX)).rstrip("\n").split("\n")
    tables.check("private-data.md", "\n".join([*made, *words(codes), ""]))


def check_states(text: str, head: Sequence[str], codes: Iterable[str]) -> None:
    made = tables.markdown("What is told when Slurm does not answer", text, head, merged(STATES)).rstrip("\n").split("\n")
    file = tables.FOLDER / "slurm-states.md"
    kept = file.read_text().partition(MEASURED)[2].strip() if file.exists() else ""
    if os.environ.get("HPGOV_WRITE_TABLES"):
        rows = [[case, version, transport, f"{SECONDS[case, transport, version]:.1f}"] for case, transport, version in STATES]
        day = f"Measured on {time.strftime('%Y-%m-%d', time.gmtime())} on the tests' own machine, while other work ran beside; both ends on loopback."
        kept = tables.markdown("", day, ("what was done", "Slurm", "read through", "seconds"), rows).partition("\n")[2].strip()
    tables.check("slurm-states.md", "\n".join([*made, *words(codes), "", MEASURED, "", kept, ""]))
