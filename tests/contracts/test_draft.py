"""S5: a draft reads back as exactly what is known, and refuses what can't be copied."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
import yaml

from hpgov_jlab.bounded import load, plain
from hpgov_jlab.contracts import Known, draft, parse
from hpgov_jlab.contracts.draft import known_data
from hpgov_jlab.model.connection import Connection, Orchestrator
from hpgov_jlab.model.contract import Kept, Rank

from .examples import CONNECTION

KNOWN = Known(
    project_name="Research", version="1.33", namespaces=("hyperpod-ns-a",), priority_classes=("training-priority",), team="a", service_accounts=("ns/default",)
)
AWKWARD = [
    "plain", "yes", "no", "on", "~", "null", "true", "0123", "1e3", "1.30", "0x10", "2026-11-30", "12:30:00", "a: b",
    "a #b", "# c", "- x", "? y", "[z]", "{q}", "*a", "&a", "!t", "|", ">", "%d", "@x", "`", "'", '"', "\\", "\\n",
    "a\\u0041", " lead", "trail ", "é", "日本", "\U0001f600", "a\u00a0b", "<<", "=", ".inf", "---", "...",
]  # fmt: skip


def text_of(connection: Connection, known: Known) -> str:
    made = draft(connection, known)
    assert made.text is not None
    return made.text


@pytest.mark.parametrize("known", [Known(), KNOWN])
@pytest.mark.parametrize(
    "connection", [CONNECTION, replace(CONNECTION, account=None, region=None, project_id=None, domain_id=None, orchestrator=Orchestrator.UNKNOWN)]
)
def test_a_draft_round_trips_equal(connection: Connection, known: Known) -> None:
    loaded = load(text_of(connection, known).encode(), "draft.yaml")
    assert plain(loaded.documents[0]) == known_data(connection, known)
    assert loaded.notes == ()


@pytest.mark.parametrize("value", AWKWARD)
def test_awkward_values_round_trip_in_ours_and_in_another_reader(value: str) -> None:
    connection, known = replace(CONNECTION, cluster_name=value), Known(namespaces=(value, "x"), project_name=value)
    text = text_of(connection, known)
    assert plain(load(text.encode(), "draft.yaml").documents[0]) == known_data(connection, known)
    assert yaml.safe_load(text) == known_data(connection, known)


@pytest.mark.parametrize(
    "value", ["a\nb", "a\rb", "a\tb", "a\x00b", "a\x1b[31mb", "a\u202eb", "a\u2066b", "a\u2028b", "a\u0085b", "a\ufeffb", "a\ud800b", "a\U000e0041b"]
)
def test_a_value_that_could_read_otherwise_is_refused(value: str) -> None:
    for connection, known in (
        (replace(CONNECTION, project_role=value), Known()),
        (CONNECTION, Known(namespaces=("ok", value))),
        (CONNECTION, Known(team=value)),
    ):
        assert draft(connection, known).text is None


def test_a_draft_is_not_valid_until_somebody_answers_for_it_and_then_it_is_a_draft() -> None:
    text = text_of(CONNECTION, KNOWN)
    missing = parse(Kept(Rank.FILE, "d", "d", text.encode())).problems
    assert sorted(problem.path for problem in missing) == ["owners", "record"]
    filled = text.replace("# record:  # https://...", "record: https://wiki.example.com/1").replace(
        "# owners:\n#   business:\n#     name:  # Person or team", "owners:\n  business:\n    name: Dana"
    )
    parsed = parse(Kept(Rank.FILE, "d", "d", filled.encode()))
    assert parsed.problems == ()
    assert parsed.text("lifecycle.status") == "draft"


def test_every_line_that_is_off_becomes_the_field_when_its_mark_is_taken_away() -> None:
    text = text_of(CONNECTION, KNOWN)
    on = "\n".join(re.sub(r"^# (?= *[A-Za-z_]+:(?:  #.*)?$)", "", line) for line in text.splitlines())
    parsed = parse(Kept(Rank.FILE, "d", "d", on.encode()))
    assert {problem.rule.code for problem in parsed.problems} == {"contract_field_missing"}
    assert "reviewed_against" in plain(load(on.encode(), "d").documents[0])


def test_the_file_name_is_plain() -> None:
    assert draft(CONNECTION).file_name == "ml-cluster-ml-cluster-a.yaml"
    assert draft(replace(CONNECTION, cluster_name="../../etc/x\n", id="$(id)")).file_name == "etc-x-id.yaml"
    assert draft(replace(CONNECTION, cluster_name="日本", id="")).file_name == "contract.yaml"
