"""Slurm's ways to write amounts, durations, states and job ids -> the product's. Pure; used by the CLI's and by slurmrestd's adapters."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

from ...model.task import Amount

_MEMORY = {"": 20, "K": 10, "M": 20, "G": 30, "T": 40, "P": 50}  # a bare number is MiB
_BYTES = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,9})?)([KMGTPkmgtp]?)")
_KEPT = ("cpu", "memory", "node", "billing")
_DURATION = re.compile(r"(?:([0-9]{1,6})-)?(?:([0-9]{1,6}):)?([0-9]{1,6}):([0-9]{1,2})")
_ARRAY = re.compile(r"[0-9]+_\[([0-9,:-]+)(?:%[0-9]+)?\]")
STARTED = frozenset({"RUNNING", "SUSPENDED", "STOPPED", "COMPLETING", "CONFIGURING", "SIGNALING", "RESIZING", "STAGE_OUT"})
ENDED = frozenset({"COMPLETED", "CANCELLED", "FAILED", "TIMEOUT", "NODE_FAIL", "PREEMPTED", "BOOT_FAIL", "DEADLINE", "OUT_OF_MEMORY", "LAUNCH_FAILED"})
REVOKED = "REVOKED"
"""Of a job of a federation that another cluster starts. squeue has it as the state, JSON as a flag beside PENDING or CANCELLED, which the copy here is and the
job is not (squeue's manual)."""


def plain(value: Decimal) -> str:
    """As a decimal string without exponent and without needless zeros."""
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def memory(text: str) -> str | None:
    """`1000M`, `31.25G`, or a bare number of MiB, in bytes."""
    found = _BYTES.fullmatch(text)
    return str(int((Decimal(found[1]) * (1 << _MEMORY[found[2].upper()])).to_integral_value())) if found is not None else None


def count(text: str) -> str | None:
    """A whole or decimal number of pieces. `8K`-like suffixes are none that Slurm writes here."""
    if not re.fullmatch(r"[0-9]{1,20}(?:\.[0-9]{1,9})?", text):
        return None
    return plain(Decimal(text))


def resource(name: str) -> str:
    """Slurm's name of a TRES -> ours: mem is memory, every other one keeps its name."""
    return "memory" if name == "mem" else name


def kept(name: str) -> bool:
    """Resources that people ask for. energy, pages, vmem and the like are left out."""
    return name in _KEPT or name.startswith(("gres/", "license/"))


@lru_cache(maxsize=1024)  # a few dozen texts make up ten thousand jobs, and every row then shares one tuple
def tres(text: str) -> tuple[Amount, ...] | None:
    """`cpu=1,mem=1000M,node=1,gres/gpu=8`. None: nothing is told. Amounts that can't be read are left out."""
    if text.strip() in ("", "N/A", "(null)"):
        return None
    found: list[Amount] = []
    for part in text.split(","):
        name, _, value = part.partition("=")
        name = resource(name.strip())
        amount = memory(value) if name == "memory" else count(value)
        if kept(name) and amount is not None:
            found.append(Amount(name, amount))
    return tuple(found)


@lru_cache(maxsize=1024)
def seconds(text: str) -> float | None:
    """`5:00`, `1:00:00`, `2-00:00:00`. None: unlimited, not set, or not a duration."""
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        return None
    days, hours, minutes, rest = (int(part or 0) for part in match.groups())
    return float(((days * 24 + hours) * 60 + minutes) * 60 + rest)


def minutes(text: str) -> float | None:
    """Whole minutes, in seconds."""
    return float(text) * 60 if re.fullmatch(r"[0-9]{1,9}", text.strip()) else None


def moment(text: str) -> float | None:
    """Epoch seconds as SLURM_TIME_FORMAT=%s has them. None: Unknown, N/A, None, or zero, which Slurm writes for "not known"."""
    return float(text) if re.fullmatch(r"[0-9]{1,11}", text.strip()) and int(text) > 0 else None


def number(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[0-9]{1,15}", text.strip()) else None


def part_number(job_id: str) -> int | None:
    """30+1 -> 31: the parts of a heterogeneous job get ids in a row, its leader's first (22.05.8 and 24.11.5, measured). None: it is no such part."""
    match = re.fullmatch(r"([0-9]{1,10})\+([0-9]{1,5})", job_id)
    return int(match[1]) + int(match[2]) if match is not None else None


def none_if_empty(text: str) -> str | None:
    return None if text.strip() in ("", "N/A", "(null)", "None assigned") else text.strip()


def exit_of(text: str) -> tuple[int | None, int | None]:
    """(exit code, signal). `3:0` as sacct writes it, or a raw wait status (768) as squeue and .38 do."""
    match = re.fullmatch(r"([0-9]{1,5}):([0-9]{1,5})", text.strip())
    if match is not None:
        return int(match[1]), int(match[2]) or None
    raw = number(text)
    return (None, None) if raw is None else wait_status(raw)


def wait_status(raw: int) -> tuple[int | None, int | None]:
    return raw >> 8 & 0xFF, raw & 0x7F or None


@lru_cache(maxsize=256)
def state_of(text: str) -> str:
    """`CANCELLED by 1001` -> CANCELLED; anything that is no word of Slurm's stays UNKNOWN."""
    word = text.strip().split(" ", 1)[0].rstrip("+")
    return word if re.fullmatch(r"[A-Z_]{2,32}", word) else "UNKNOWN"


def array_tasks(job_id: str) -> int | None:
    """How many tasks stand in one record of a pending array: `26_[0-9%2]` are ten. None: no array record, or cut short by Slurm."""
    match = _ARRAY.fullmatch(job_id)
    if match is None:
        return None
    total = 0
    for part in match[1].split(","):
        bounds = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9})(?::([0-9]{1,9}))?)?", part)
        if bounds is None:
            return None
        first, last, step = int(bounds[1]), int(bounds[2] or bounds[1]), int(bounds[3] or 1)
        if last < first or step < 1:
            return None
        total += (last - first) // step + 1
    return total


_SENTENCES: tuple[tuple[str, str], ...] = (
    ("account not permitted to use this partition", "AccountNotAllowed"),
    ("qos not permitted to use this partition", "QOSNotAllowed"),
    ("group not permitted to use this partition", "GroupNotAllowed"),
    ("nodes required for job are down, drained or reserved", "NodesNotUsable"),
)


def reason_of(text: str) -> str | None:
    """Slurm's code. squeue prints a sentence in its place where there is one, and sentences name other accounts (facts/slurm.md 3): they become a code.

    Not cached: what was said is not kept.
    """
    said = text.strip().strip("()")
    if said in ("", "None", "(null)", "N/A"):
        return None
    code = said.split(",", 1)[0].split(" ", 1)[0]
    if re.fullmatch(r"[A-Za-z][A-Za-z0-9_/:]{1,63}", said):
        return said
    low = said.lower()
    for part, named in _SENTENCES:
        if part in low:
            return named
    if code == "ReqNodeNotAvail":  # followed by ", UnavailableNodes:..."
        return code
    return "OtherSentence"
