"""Tables that the tests make and the repository keeps: a changed cell fails until it is written anew (HPGOV_WRITE_TABLES=1) and looked at in the diff."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "tables"


def markdown(title: str, text: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"

    return "\n".join([f"# {title}", "", text, "", line(head), line(["---"] * len(head)), *(line(row) for row in rows), ""])


def check(name: str, content: str) -> None:
    """Fails when the committed table differs from what was seen. With HPGOV_WRITE_TABLES=1 it is written instead."""
    file = FOLDER / name
    if os.environ.get("HPGOV_WRITE_TABLES"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    assert file.exists(), f"{file} is missing; run with HPGOV_WRITE_TABLES=1 and look at it"
    seen, kept = content.splitlines(), file.read_text().splitlines()
    assert seen == kept, "the table changed: " + "; ".join(f"now {a!r}, committed {b!r}" for a, b in zip(seen, kept, strict=False) if a != b)[:2000]
