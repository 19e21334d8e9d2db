"""Validation: every rule with its place, hostile records as a named state, and JSON Schema and validator saying the same."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

import hpgov_jlab
from hpgov_jlab.contracts import contract_schema, link, parse, parse_platform, platform_schema, trait_prefixes
from hpgov_jlab.contracts.schema import leaves
from hpgov_jlab.contracts.shape import CONTRACT
from hpgov_jlab.model.contract import Kept, Problem, Rank, S3Source
from hpgov_jlab.model.outcome import Phrase
from hpgov_jlab.words import WORDS

from .examples import APPROVED, HERE, MINIMUM, annotation, changed, file

HEAD = "apiVersion: hpgov/v1\nkind: ConnectionContract\nrecord: https://wiki.example.com/1\nowners:\n  cost: {name: Erin}\n"


def problems(text: str | bytes, name: str = "a.yaml") -> list[tuple[str, int | None, int | None, str]]:
    parsed = parse(Kept(Rank.FILE, name, name, text if isinstance(text, bytes) else text.encode()))
    assert (parsed.data is None) == bool(parsed.problems)
    assert all(problem.file == name for problem in parsed.problems)
    return [(problem.rule.code, problem.line, problem.column, problem.path) for problem in parsed.problems]


def test_one_owner_and_a_link_are_enough() -> None:
    assert problems(HEAD) == []
    assert problems(json.dumps(MINIMUM), "a.json") == []
    assert file(MINIMUM).text("owners.business.name") == "Dana Example"


def test_a_field_left_blank_is_not_recorded() -> None:
    assert problems(HEAD + "purpose:\nlifecycle:\n  until: ~\n") == []
    assert problems(HEAD.replace("{name: Erin}", "{name: }")) == [("contract_field_missing", 5, 9, "owners.cost.name")]
    assert problems(HEAD.replace("cost: {name: Erin}", "cost:")) == [("contract_one_of", 5, 3, "owners")]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("lifecyle:\n  status: revoked\n", ("contract_unknown_field", 6, 1, "")),
        ("lifecycle:\n  state: revoked\n", ("contract_unknown_field", 7, 3, "lifecycle")),
        ("lifecycle:\n  x-own: 1\n", ("contract_unknown_field", 7, 3, "lifecycle")),
        ("lifecycle:\n  status: Revoked\n", ("contract_not_a_choice", 7, 11, "lifecycle.status")),
        ("lifecycle:\n  until: 2026-02-30\n", ("contract_not_a_date", 7, 10, "lifecycle.until")),
        ("lifecycle:\n  until: 12 May 2026\n", ("contract_not_a_date", 7, 10, "lifecycle.until")),
        ("lifecycle:\n  until: 2026-05-12T10:00\n", ("contract_not_a_date", 7, 10, "lifecycle.until")),
        ("lifecycle:\n  review_every: often\n", ("contract_wrong_form", 7, 17, "lifecycle.review_every")),
        ("lifecycle: approved\n", ("contract_needs_mapping", 6, 12, "lifecycle")),
        ("cluster:\n  account: 111122223333\n", ("contract_needs_text", 7, 12, "cluster.account")),
        ("cluster:\n  account: '1111'\n", ("contract_wrong_form", 7, 12, "cluster.account")),
        ("cluster:\n  region: us-west-2.evil.example\n", ("contract_wrong_form", 7, 11, "cluster.region")),
        ("scope:\n  namespaces: hyperpod-ns-a\n", ("contract_needs_list", 7, 15, "scope.namespaces")),
        ("scope:\n  namespaces: [a, ../b]\n", ("contract_wrong_form", 7, 19, "scope.namespaces[1]")),
        ("scope:\n  namespaces: [" + "a, " * 50 + "a]\n", ("contract_too_many_items", 7, 15, "scope.namespaces")),
        ("task_governance:\n  borrow_limit_percent: -1\n", ("contract_number_range", 7, 25, "task_governance.borrow_limit_percent")),
        ("task_governance:\n  borrow_limit_percent: true\n", ("contract_needs_number", 7, 25, "task_governance.borrow_limit_percent")),
        ("task_governance:\n  share: [{count: 1}]\n", ("contract_field_missing", 7, 11, "task_governance.share[0].instance_type")),
        ("data_classification: |\n  a\n  b\n", ("contract_one_line", 6, 22, "data_classification")),
        ("data_classification: ' '\n", ("contract_text_length", 6, 22, "data_classification")),
        ("purpose: " + "x" * 2001 + "\n", ("contract_text_length", 6, 10, "purpose")),
        ('purpose: "a\\u202eb"\n', ("contract_hidden_character", 6, 10, "purpose")),
        ("purpose: a\u202eb\n", ("contract_hidden_character", 6, 10, "purpose")),
        ("purpose: ok # \u2066 comment\n", ("contract_hidden_character", 6, 15, "")),
        ("roles: {access: arn:aws:iam::1:role/x}\n", ("contract_wrong_form", 6, 17, "roles.access")),
    ],
)
def test_each_rule_has_its_place(more: str, expected: tuple[str, int, int, str]) -> None:
    assert problems(HEAD + more) == [expected]


@pytest.mark.parametrize(
    "value",
    [
        "javascript:alert(1)",
        "http://wiki.example.com/1",
        "https://user:pw@wiki.example.com/",
        "https://wiki.example.com@evil.example/",
        "https://wiki.example.com\\@evil.example/",
        "https://",
        "//wiki.example.com",
        "data:text/html,x",
        "https://wiki.example.com/a b",
        "https://wiki.example.com:99999/",
        "https://a..b/",
        "wiki page 7",
        "https://wíki.example.com/",
    ],
)
def test_what_is_not_a_plain_https_link_makes_the_record_invalid(value: str) -> None:
    assert link(value) is None
    found = file(changed(MINIMUM, record=value))
    assert [problem.rule.code for problem in found.problems] == ["contract_not_a_link"]
    assert value not in repr(found.problems)


def test_a_link_is_kept_as_it_is_with_its_host() -> None:
    for url, host in (
        ("https://wiki.example.com/a?b=c#d", "wiki.example.com"),
        ("https://Wiki.Example.com:8443", "wiki.example.com:8443"),
        ("https://x:443/", "x"),
    ):
        found = link(url)
        assert found is not None and (found.url, found.host) == (url, host)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "contract_empty"),
        (b"---\n", "contract_empty"),
        (HEAD.encode() + b"---\n" + HEAD.encode(), "contract_one_document"),
        (b"- a\n", "contract_needs_mapping"),
        (HEAD.encode("utf-16"), "bytes_wrong_encoding"),
        (b"x" * 10_000_000, "bytes_too_big"),
        (b"a: &a [*a]", "yaml_recursive"),
        (HEAD.encode() + b"purpose: !!str x\n", "yaml_tag"),
    ],
)
def test_what_is_no_record_is_a_named_state(data: bytes, code: str) -> None:
    found = problems(data)
    assert found[0][0] == code


def test_a_source_problem_becomes_the_records_problem() -> None:
    problem = Problem("a.yaml", None, None, Phrase("file_link"))
    found = parse(Kept(Rank.FILE, "a.yaml", "a.yaml", problem=problem))
    assert found.data is None and found.problems == (problem,) and found.claims is None


def test_half_a_surrogate_pair_in_an_annotation_is_a_named_state() -> None:
    assert [problem.rule.code for problem in annotation("\ud800").problems] == ["bytes_not_utf8"]


def test_problems_are_cut_and_bytes_are_not_held() -> None:
    found = parse(Kept(Rank.FILE, "a", "a", "\n".join(f"k{i}: 1" for i in range(500)).encode()))
    assert len(found.problems) == 20
    assert found.kept.data is None


def test_no_problem_repeats_what_the_record_holds() -> None:
    for more in (
        "hunter2: 1\n",
        "lifecycle: {status: hunter2}\n",
        "cluster: {account: hunter2}\n",
        "scope: {namespaces: [HUNTER2]}\n",
        "lifecycle: {until: hunter2}\n",
    ):
        found = file((HEAD + more).encode())
        assert found.problems and "hunter2" not in repr(found.problems).lower()


# -- one source: schema, validator, words -------------------------------------------------------------------------------------------
FULL: dict[str, Any] = {
    **APPROVED,
    "purpose": "Train.\nCompare.",
    "accounts": {"capacity": "444455556666", "consumer": None},
    "isolation": "shared",
    "service_accounts": ["hyperpod-ns-a/default", "runner"],
    "workload_kinds": ["PyTorchJob"],
    "scope": {"namespaces": ["hyperpod-ns-a"], "slurm": {"accounts": ["team_a"], "qos": ["normal"]}},
    "task_governance": {"share": [{"instance_type": "ml.p5.48xlarge", "count": 2}], "sharing": "LendAndBorrow", "borrow_limit_percent": 100},
    "monitoring": {"cost": {"owner": "Erin", "threshold": "80 %"}},
    "lifecycle": {"status": "approved", "until": "2026-12-31", "begins": "2026-01-01T08:00+01:00", "review_every": "6 months"},
    "exceptions": [{"what": "Two more nodes", "until": "2026-03-01"}],
    "decisions": [{"what": "Approved", "date": "2026-01-01"}],
    "reviewed_against": {"access_role": "arn:aws-cn:iam::444455556666:role/path/hp"},
    "x-ticket": {"own": ["things"]},
}
BROKEN: list[tuple[str, Any]] = [
    ("apiVersion", "hpgov/v2"),
    ("kind", None),
    ("record", None),
    ("record", "http://x/"),
    ("owners", {}),
    ("owners", {"business": None}),
    ("owners", {"business": {"contact": "x"}}),
    ("owners", {"boss": {"name": "x"}}),
    ("purpose", 1),
    ("purpose", ""),
    ("accounts", {"capacity": 1}),
    ("accounts", {"capacity": "1"}),
    ("isolation", "none"),
    ("scope", []),
    ("scope", {"namespaces": ["A"]}),
    ("scope", {"namespaces": [None]}),
    ("service_accounts", ["a/b/c"]),
    ("task_governance", {"share": [{"instance_type": "p5", "count": 1}]}),
    ("task_governance", {"share": [{"instance_type": "ml.p5", "count": "1"}]}),
    ("lifecycle", {"status": "ok"}),
    ("lifecycle", {"until": "tomorrow"}),
    ("unknown", 1),
]


def test_schema_and_validator_agree() -> None:
    schema = contract_schema()
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    for good in (MINIMUM, APPROVED, FULL):
        assert list(validator.iter_errors(good)) == []
        assert file(good).problems == ()
    for name, value in BROKEN:
        bad = {**copy.deepcopy(FULL), name: value}
        assert not validator.is_valid(bad), (name, value)
        assert file(bad).problems, (name, value)


def test_the_committed_schema_is_the_generated_one() -> None:
    committed = Path(hpgov_jlab.__file__).parent / "wire" / "contract.schema.json"
    assert json.loads(committed.read_text(encoding="utf-8")) == contract_schema()


def test_every_field_that_is_shown_has_its_words() -> None:
    codes = {path: code for path, _, code in leaves(CONTRACT) if path not in ("apiVersion", "kind")}
    assert {path: code for path, code in codes.items() if code not in WORDS} == {}
    shown = [code for path, field, code in leaves(CONTRACT) if not field.apart]
    assert len(shown) == len(set(shown))


# -- the platform file -----------------------------------------------------------------------------------------------------------------
PLATFORM = {
    "apiVersion": "hpgov/v1",
    "kind": "Platform",
    "contract_prefixes": [{"bucket": "acme-contracts", "prefix": "contracts/prod/", "owner": "111122223333", "region": "us-west-2"}],
}


def test_the_platform_file_names_prefixes_and_only_it_makes_them_platform() -> None:
    data = yaml.safe_dump(PLATFORM).encode()
    assert parse_platform(data).sources == (S3Source("acme-contracts", "contracts/prod/", "111122223333", "us-west-2", True),)
    assert trait_prefixes(PLATFORM["contract_prefixes"]).sources == (S3Source("acme-contracts", "contracts/prod/", "111122223333", "us-west-2", False),)
    jsonschema.Draft7Validator(platform_schema()).validate(PLATFORM)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"clusters": []}, "contract_unknown_field"),
        ({"kind": "ConnectionContract"}, "contract_not_a_choice"),
        ({"contract_prefixes": [{**PLATFORM["contract_prefixes"][0], "prefix": "no-slash"}]}, "contract_wrong_form"),  # type: ignore[dict-item]
        ({"contract_prefixes": [{**PLATFORM["contract_prefixes"][0], "prefix": "a/../b/"}]}, "contract_wrong_form"),  # type: ignore[dict-item]
        ({"contract_prefixes": [{**PLATFORM["contract_prefixes"][0], "prefix": "/a/"}]}, "contract_wrong_form"),  # type: ignore[dict-item]
        ({"contract_prefixes": [{"bucket": "acme-contracts", "prefix": "a/", "region": "us-west-2"}]}, "contract_field_missing"),
        ({"contract_prefixes": [{**PLATFORM["contract_prefixes"][0], "region": "evil.example/"}]}, "contract_wrong_form"),  # type: ignore[dict-item]
    ],
)
def test_a_platform_file_that_does_not_validate_gives_no_sources(change: dict[str, Any], code: str) -> None:
    found = parse_platform(json.dumps({**PLATFORM, **change}).encode())
    assert found.sources == ()
    assert found.problems[0].rule.code == code


def test_hostile_platform_files_and_traits_are_named() -> None:
    assert parse_platform(b"a: &a [*a]").problems[0].rule.code == "yaml_recursive"
    assert parse_platform(b"").problems[0].rule.code == "contract_empty"
    assert trait_prefixes([object()]).problems[0].rule.code == "json_syntax"
    assert trait_prefixes(["x"]).problems[0].rule.code == "contract_needs_mapping"


def test_the_records_of_the_examples_name_the_connection() -> None:
    assert file({**MINIMUM, **HERE}).claims == {
        "field_cluster_account": "444455556666",
        "field_cluster_region": "us-west-2",
        "field_cluster_name": "ml-cluster",
        "field_project_id": "prj1",
    }
