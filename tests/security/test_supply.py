"""S20: no script of a package runs at install, whoever installs, and the bundle neither evaluates text nor speaks to another origin."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUNDLE = ROOT / "hpgov_jlab" / "labextension" / "static"
NAMES = {"http://www.w3.org/2000/svg"}  # a name of XML, never fetched
EXAMPLES = {"https://host"}  # shown as what a field takes


def test_no_install_script_runs_by_any_way_to_install() -> None:
    """The build of a source distribution runs a plain `npm install`: the setting has to hold, not only the flag that ./dev gives."""
    assert "ignore-scripts=true" in (ROOT / ".npmrc").read_text(encoding="utf-8").splitlines()
    assert re.search(r"\bnpm ci --ignore-scripts\b", (ROOT / "dev").read_text(encoding="utf-8"))


def test_the_source_evaluates_no_text_and_names_no_other_origin() -> None:
    wrong = []
    for path in (ROOT / "src").rglob("*.ts*"):
        if "__tests__" in path.parts:
            continue
        text = path.read_text(encoding="utf-8")
        wrong += [
            (path.name, m)
            for m in re.findall(r"\beval\s*\(|\bnew Function\b|\bfetch\s*\(|\bXMLHttpRequest\b|\bWebSocket\b|\bimportScripts\b|\bsendBeacon\b", text)
        ]
        wrong += [(path.name, m) for m in re.findall(r"[\"'`]https?://[^\"'`\s]+", text) if m[1:] not in NAMES | EXAMPLES]
    assert wrong == []


@pytest.mark.skipif(not BUNDLE.is_dir(), reason="the front end is not built here: ./dev build")
def test_the_bundle_evaluates_no_text_and_names_no_other_origin() -> None:
    for path in BUNDLE.glob("*.js"):
        text = path.read_text(encoding="utf-8")
        # webpack's own fallback for engines without globalThis, which no browser that JupyterLab supports reaches
        text = re.sub(r'(new )?Function\("return this"\)', "", text)
        assert re.findall(r"\beval\(|\bFunction\(", text) == [], path.name
        found = {m.rstrip("/") for m in re.findall(r"https?://[A-Za-z0-9./-]+", text)}
        assert found <= NAMES | EXAMPLES, path.name
