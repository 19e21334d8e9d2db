"""`python -m hpgov_jlab.wire [--check]`: writes the committed schemas and the TypeScript made from them, or fails on a difference.

Needs the source tree and `npm ci` (json2ts and prettier come from there).
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from ..contracts import contract_schema
from .schema import api_schema, openapi
from .words_ts import words_ts

ROOT = Path(__file__).resolve().parents[2]
BANNER = "// Generated from hpgov_jlab/wire/api.schema.json by `python -m hpgov_jlab.wire`; do not edit."


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def _node(name: str, args: list[str], text: str) -> str:
    run = subprocess.run([str(ROOT / "node_modules/.bin" / name), *args], input=text, capture_output=True, text=True, cwd=ROOT, check=False)  # noqa: S603
    if run.returncode:
        raise SystemExit(f"{name} failed: {run.stderr.strip()}\nRun `npm ci --ignore-scripts` first.")
    return run.stdout


def outputs() -> dict[str, str]:
    """Path in the tree -> content."""
    schema = _json(api_schema())
    types = _node("json2ts", ["--additionalProperties=false", "--style.singleQuote", "--no-unreachableDefinitions", f"--bannerComment={BANNER}"], schema)
    return {
        "hpgov_jlab/wire/api.schema.json": schema,
        "hpgov_jlab/wire/openapi.json": _json(openapi()),
        "hpgov_jlab/wire/contract.schema.json": _json(contract_schema()),
        "src/wire.ts": _node("prettier", ["--stdin-filepath", "src/wire.ts"], types),
        "src/words.ts": _node("prettier", ["--stdin-filepath", "src/words.ts"], words_ts()),
    }


def main(argv: list[str]) -> int:
    check, stale = "--check" in argv, []
    for name, content in outputs().items():
        path = ROOT / name
        if path.exists() and path.read_text(encoding="utf-8") == content:
            continue
        stale.append(name)
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
    if check and stale:
        print("out of date, run `python -m hpgov_jlab.wire`: " + ", ".join(stale))
        return 1
    print("written: " + (", ".join(stale) or "nothing, all up to date"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
