"""The documentation says what is so: tables are generated; links, files, tests and commands that it names exist; no machine's own names stand in it."""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from hpgov_jlab import cli
from hpgov_jlab.settings import HpgovSettings
from scripts import docs, suite

ROOT = Path(docs.__file__).resolve().parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
BY_HAND = [page for page in PAGES if page.parent != ROOT / "docs" / "tables"]
FOLDERS = ("hpgov_jlab", "src", "schema", "style", "tests", "ui-tests", "bench", "docs", "scripts", "jupyter-config")
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`\n]+)`")
FENCE = re.compile(r"^ *```([a-z]*)\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
# Paths that are not of this repository and mean the same on every machine
PLACES = ("/opt/ml/metadata/", "/var/run/secrets/", "/etc/", "/usr/local/etc/", "/srv/", "/opt/slurm/bin", "/usr/bin", "/usr/local/bin")
HOSTS = {"wiki.example.com", "127.0.0.1"}


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def slug(heading: str) -> str:
    """The anchor that GitHub makes of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def anchors(page: Path) -> set[str]:
    prose = FENCE.sub("", page.read_text(encoding="utf-8"))
    return {slug(re.sub(r"[`*]", "", line.lstrip("#").strip())) for line in prose.splitlines() if line.startswith("#")}


def code(page: Path) -> Iterator[str]:
    """Inline code, and each line of a shell block."""
    text = page.read_text(encoding="utf-8")
    for language, body in FENCE.findall(text):
        if language in ("sh", "bash"):
            yield from (line.strip() for line in body.splitlines())
    yield from CODE.findall(FENCE.sub("", text))


def test_generated_tables_are_up_to_date() -> None:
    assert [path.name for path in docs.outdated()] == []


def test_every_table_is_on_a_page() -> None:
    placed = [match["name"] for path in docs.pages() for match in docs.BLOCK.finditer(path.read_text(encoding="utf-8"))]
    assert sorted(placed) == sorted(docs.BLOCKS)


def test_a_changed_table_is_noticed(tmp_path: Path) -> None:
    for path in docs.pages():
        (tmp_path / path.name).write_text(docs.BLOCK.sub(r"\1| old |\n\3", path.read_text(encoding="utf-8")), encoding="utf-8")
    assert len(docs.outdated(tmp_path)) == len(docs.pages()) > 2


def test_every_trait_is_documented() -> None:
    page = (ROOT / "docs" / "places.md").read_text(encoding="utf-8")
    for trait, found in HpgovSettings.class_own_traits(config=True).items():
        assert found.help, trait
        assert f"| `{trait}` |" in page, trait


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    broken = []
    for found in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        target = found[0] or found[1]
        if urlsplit(target).scheme:
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        if not there.exists() or ROOT not in there.parents or (anchor and anchor not in anchors(there)):
            broken.append(target)
    assert broken == []


@pytest.mark.parametrize("page", BY_HAND, ids=name)
def test_named_files_and_tests_exist(page: Path) -> None:
    missing = []
    for text in code(page):
        if not re.fullmatch(rf"({'|'.join(FOLDERS)})(/[\w.\-/]+)?(::\w+)?", text) or "/" not in text:
            continue
        path, _, test = text.partition("::")
        there = ROOT / path
        made_by_build = path.startswith("hpgov_jlab/labextension")
        if not made_by_build and (not there.exists() or (test and f"def {test}(" not in there.read_text(encoding="utf-8"))):
            missing.append(text)
    assert missing == []


def test_each_statement_on_security_names_its_test() -> None:
    """A row of a table headed `held by` whose last cell names no test is a claim without evidence."""
    rows, inside = [], False
    for line in (ROOT / "docs" / "security.md").read_text(encoding="utf-8").splitlines():
        if not line.startswith("|"):
            inside = False
        elif line.rstrip(" |").endswith("held by"):
            inside = True
        elif inside and not line.startswith("|---"):
            rows.append(line)
    assert len(rows) > 30
    for row in rows:
        named = CODE.findall(row.rstrip(" |").rpartition("|")[2])
        assert named and all("test" in Path(n.partition("::")[0]).name or ".spec." in n for n in named), row


@pytest.mark.parametrize("page", BY_HAND, ids=name)
def test_commands_exist(page: Path) -> None:
    door = (ROOT / "dev").read_text(encoding="utf-8")
    scripts = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["scripts"]
    answers = "\n".join(p.read_text(encoding="utf-8") for p in Path(cli.__file__).parent.glob("*.py"))
    wrong = []
    for text in code(page):
        if match := re.match(r"(?:exec )?\./dev(?: (\w+))?(.*)", text):
            if match[1] and not re.search(rf"^  {match[1]}\) ", door, re.MULTILINE):
                wrong.append(text)
            if match[1] == "test" and set(re.findall(r"(?<![\w-])[a-z]+", match[2].partition("#")[0])) - set(suite.SUITES):
                wrong.append(text)
        for module in re.findall(r"python -m ([\w.]+)", text):
            spec = importlib.util.find_spec(module)
            if spec is None or (spec.submodule_search_locations and importlib.util.find_spec(f"{module}.__main__") is None):
                wrong.append(text)
        for script in re.findall(r"npm run ([\w:]+)", text):
            if script not in scripts:
                wrong.append(text)
        for command in re.findall(r"jupyter hpgov (\w+)", text):
            if not re.search(rf'"{command}",\n', answers):
                wrong.append(text)
    assert wrong == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_no_machine_is_named(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    paths = [p for p in re.findall(r"(?<![\w.~}/\-])/(?:root|home|work|tmp|mnt|opt|var|usr|srv|etc|Users)/[\w./\-]*", text) if not p.startswith(PLACES)]
    assert paths == []
    hosts = {urlsplit(url).hostname for url in re.findall(r"https?://[^\s)>\"'`]+", text)}
    assert {h for h in hosts if h and h not in HOSTS and not h.endswith((".amazonaws.com", ".example.com"))} - {"host"} == set()
    assert re.findall(r"(?i)\b(?:pypi\.org|npmjs|registry\.\w+|artifactory|nexus|index-url)\b", text) == []


@pytest.mark.parametrize("page", BY_HAND, ids=name)
def test_pages_for_users_do_not_speak_of_the_design(page: Path) -> None:
    assert re.findall(r"\bDESIGN\b|\bfacts/|\bsection \d+\b|\bS(?:[124-9]|1\d|20)\b", page.read_text(encoding="utf-8")) == []
