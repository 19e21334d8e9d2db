"""One vocabulary: every code that is used has its words, every entry is used, and the glossary's forbidden words appear nowhere (DESIGN.md 9)."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import botocore.session
import pytest

import hpgov_jlab
from hpgov_jlab.model.contract import Standing
from hpgov_jlab.model.outcome import Ask, Layer, State
from hpgov_jlab.words import ASIDE, ASKS, AWS_STATUSES, LAYERS, SECTIONS, STANDINGS, STATES, WORDS, say

from .phrases import shown_as_unknown

PACKAGE = Path(hpgov_jlab.__file__).parent
SOURCES = [p for p in sorted(PACKAGE.rglob("*.py")) if p.name != "words.py" and "sandbox" not in p.parts]
FRONT = [p for p in sorted((PACKAGE.parent / "src").rglob("*.ts*")) if p.name not in ("words.ts", "wire.ts")]
NEVER = re.compile(
    r"\b(guaranteed?|in use|used (quota|by)|busy|free|available|left over|will start|starts? now|position \{|fair share of nodes|approved forever)\b", re.I
)


def codes_used() -> dict[str, set[str]]:
    """Codes written as literals where a Phrase, a Failure or an Outcome is made."""
    found: dict[str, set[str]] = {}
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                at = {"Phrase": 0, "Failure": 1, "Outcome": 1, "NotFound": 0}.get(name)
                given = node.args[at] if at is not None and len(node.args) > at else None
                if isinstance(given, ast.Constant) and isinstance(given.value, str):
                    found.setdefault(given.value, set()).add(path.name)
    return found


def test_every_code_that_is_used_has_words() -> None:
    missing = {code: sorted(where) for code, where in codes_used().items() if code not in WORDS}
    assert missing == {}


def test_every_entry_is_used() -> None:
    text = "\n".join(p.read_text() for p in [*SOURCES, *FRONT])
    unused = [code for code in WORDS if not re.search(rf"['\"]{re.escape(code)}['\"]", text)]
    assert unused == []


def test_every_label_is_one_of_its_kind() -> None:
    for labels, kind in ((STATES, State), (LAYERS, Layer), (ASKS, Ask), (STANDINGS, Standing)):
        assert set(labels) == {str(each) for each in kind}


def test_every_state_that_aws_has_for_a_cluster_has_plain_words() -> None:
    session = botocore.session.get_session()
    known = {word for service in ("sagemaker", "eks") for word in session.get_service_model(service).shape_for("ClusterStatus").enum}
    assert set(AWS_STATUSES) == known
    assert say("attention_cluster_status", {"aws_status": "SystemUpdating"}) == "State of the cluster: system being updated."
    assert say("attention_cluster_status", {"aws_status": "Hibernating"}) == "State of the cluster: Hibernating.", "a newer one as it came"


def test_codes_are_unique_over_all_sections_and_snake_case() -> None:
    codes = [code for section in SECTIONS.values() for code in section]
    assert len(codes) == len(set(codes))
    assert [c for c in codes if not re.fullmatch(r"[a-z][a-z0-9_]*", c)] == []


@pytest.mark.parametrize("section", SECTIONS)
def test_the_glossary_is_kept(section: str) -> None:
    wrong = {code: word for code, word in SECTIONS[section].items() if NEVER.search(word.text + " " + (word.then or ""))}
    assert wrong == {}


SPOKEN = re.compile(r"""trans\s*\.\s*_n?p?_?\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")(?:\s*,\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"))?""")
"""Every text that the front end says, with its plural."""


def test_the_glossary_is_kept_on_the_screen_too() -> None:
    said = {text for path in FRONT for match in SPOKEN.finditer(path.read_text()) for text in match.groups() if text}
    assert {text for text in said if NEVER.search(text)} == set()
    assert len(said) > 200 and {"Unclaimed share", "%1 node", "%1 nodes"} <= said, "this finds what is said"


def may_be_none(value: ast.expr) -> bool:
    """Whether the source itself says so: None, `... or None`, `... if ... else None`."""
    if isinstance(value, ast.Constant):
        return value.value is None
    if isinstance(value, ast.IfExp):
        return may_be_none(value.body) or may_be_none(value.orelse)
    return isinstance(value, ast.BoolOp) and isinstance(value.op, ast.Or) and may_be_none(value.values[-1])


def test_what_may_be_unknown_stands_in_an_aside() -> None:
    """Nobody reads "(—)" or "on —". What types alone say may be None is seen on the pages: tests/server/panel.py looks at each."""
    wrong, seen = [], 0
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            for given in (*node.args, *(k.value for k in node.keywords)):
                if not isinstance(given, ast.Dict):
                    continue
                unknown = [k.value for k, v in zip(given.keys, given.values, strict=True) if isinstance(k, ast.Constant) and may_be_none(v)]
                codes = [a.value for a in node.args if isinstance(a, ast.Constant) and a.value in WORDS]
                seen += bool(unknown and codes)
                wrong += [(path.name, code, name) for code in codes for name in unknown if name in shown_as_unknown(code, {})]
    assert wrong == [] and seen >= 8


def test_an_aside_goes_with_a_value_that_is_not_known() -> None:
    gone = "AWS says that the credentials have expired, and no newer ones are to be had."
    assert say("credentials_expired", {"method": None}) == say("credentials_expired") == gone
    assert say("credentials_expired", {"method": "env"}) == gone.replace("expired,", "expired (env),")
    for code, word in WORDS.items():
        for text in (word.text, word.then or ""):
            assert not re.search(r"\([^()]*\([^()]*\{", text), f"{code}: an aside within an aside"
        bare = ASIDE.sub("", word.text)
        assert re.search(r"\w", bare) and " ," not in bare and " ." not in bare and "  " not in bare, f"{code} without its aside: {bare}"


def test_say_fills_in_and_never_swallows() -> None:
    assert say("deadline", {"limit_seconds": 20}) == "No answer within 20."
    assert say("a_code_from_a_newer_server") == "a_code_from_a_newer_server"
    assert say("platform_description_not_read", {"state": "not_configured"}) == "The connection's description was not read (Not configured)."
    assert say("slurm_place_not_up", {"partition": "gpu", "state": "DRAIN"}) == "Partition gpu is DRAIN."
