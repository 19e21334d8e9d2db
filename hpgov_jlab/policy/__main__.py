"""`python -m hpgov_jlab.policy [--check]`: writes docs/policies from the allow lists, or says which of its files differ and exits with 1."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from . import render_aws, render_kubernetes

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "policies"


def documents() -> dict[str, str]:
    """Every generated file by name. A name that two sources claim is a fault of ours."""
    made: dict[str, str] = {}
    for source in (render_aws.documents(), render_kubernetes.documents()):
        twice = made.keys() & source.keys()
        if twice:
            raise ValueError(f"two sources write {', '.join(sorted(twice))}")
        made.update(source)
    return made


def main(arguments: list[str] | None = None, folder: Path = FOLDER) -> int:
    parser = argparse.ArgumentParser(prog="python -m hpgov_jlab.policy", description="Write the published policies from the allow lists.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a file differs, is missing or is not generated")
    options = parser.parse_args(arguments)
    made = documents()
    if options.check:
        present = {path.name for path in folder.glob("*") if path.suffix in {".json", ".yaml"}} if folder.is_dir() else set()
        wrong = sorted({name for name, text in made.items() if name not in present or (folder / name).read_text("utf-8") != text} | (present - made.keys()))
        for name in wrong:
            print(f"{folder / name} differs from the allow lists: run python -m hpgov_jlab.policy", file=sys.stderr)
        return 1 if wrong else 0
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in made.items():
        (folder / name).write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
