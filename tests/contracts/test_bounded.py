"""S12: the reader's limits and its meaning. Each bomb must end within a time that leaves ample slack over what was measured (0.6 s at most):
the time of this thread alone, which others that run beside do not lengthen."""

from __future__ import annotations

import json
import time
from decimal import Decimal
from typing import Any

import pytest

from hpgov_jlab.bounded import BYTES, Limits, Loaded, Refused, load, plain

SLACK_SECONDS = 10.0


def read(text: str | bytes, name: str = "f.yaml", **limits: int) -> Loaded:
    return load(text if isinstance(text, bytes) else text.encode(), name, Limits(**limits))


def value(text: str | bytes, name: str = "f.yaml") -> Any:
    (document,) = read(text, name).documents
    return plain(document)


def refused(text: str | bytes, name: str = "f.yaml", **limits: int) -> tuple[str, int | None, int | None]:
    started = time.thread_time()
    with pytest.raises(Refused) as caught:
        read(text, name, **limits)
    assert time.thread_time() - started < SLACK_SECONDS
    problem = caught.value.problem
    assert problem.file == name
    return problem.rule.code, problem.line, problem.column


# -- meaning ---------------------------------------------------------------------------------------------------------------------
def test_plain_scalars_follow_the_core_schema() -> None:
    text = (
        "{a: yes, b: no, c: on, d: off, e: true, f: False, g: ~, h: null, i: 2026-11-30, j: 12, k: -3, l: 1.50, m: 0x1F, n: 0o17, o: '12', p: 12:30:00, q: 010}"
    )
    assert value(text) == {
        "a": "yes", "b": "no", "c": "on", "d": "off", "e": True, "f": False, "g": None, "h": None, "i": "2026-11-30", "j": 12, "k": -3,
        "l": Decimal("1.50"), "m": 31, "n": 15, "o": "12", "p": "12:30:00", "q": 10,
    }  # fmt: skip


def test_scalars_that_kubectl_reads_otherwise_are_named() -> None:
    notes = read("a: yes\nb: 'yes'\nc: 0644\nd: plain\ne: 1_000\n").notes
    assert [(note.rule.code, note.line, note.column) for note in notes] == [("yaml_two_readings", line, 4) for line in (1, 3, 5)]


def test_keys_are_the_text_as_written() -> None:
    assert value("{on: 1, 8080: 2, ~: 3, true: 4}") == {"on": 1, "8080": 2, "~": 3, "true": 4}


def test_aliases_and_merges_are_expanded_with_own_keys_first() -> None:
    text = "base: &b {a: 1, b: 2}\nmore: &m {b: 3, c: 4}\none: {<<: *b, b: 9}\ntwo: {<<: [*b, *m]}\nlist: [*b, *b]\ntext: {'<<': 1}\n"
    found = value(text)
    assert found["one"] == {"a": 1, "b": 9}
    assert found["two"] == {"a": 1, "b": 2, "c": 4}
    assert found["list"] == [{"a": 1, "b": 2}] * 2
    assert found["text"] == {"<<": 1}


def test_places_are_those_an_editor_shows() -> None:
    (document,) = read("a:\n  b: x\n  c: [1,\n    2]\n").documents
    assert isinstance(document.value, dict)
    inner = document.value["a"]
    assert isinstance(inner.value, dict)
    assert (inner.value["b"].line, inner.value["b"].column, inner.keys["c"]) == (2, 6, (3, 3))


def test_json_is_read_as_json_with_tabs_surrogate_pairs_and_places() -> None:
    text = '{\n\t"a": "\\ud83d\\ude00",\n\t"b": [1, 2.5, true, null, {}]\n}'
    for name in ("f.json", "f.yaml"):
        (document,) = read(text, name).documents
        assert plain(document) == {"a": "\U0001f600", "b": [1, Decimal("2.5"), True, None, {}]}
        assert isinstance(document.value, dict)
        assert (document.value["b"].line, document.value["b"].column, document.keys["b"]) == (3, 7, (3, 2))


def test_a_flow_mapping_that_is_no_json_is_still_yaml() -> None:
    assert value("{a: b, c: [d]}") == {"a": "b", "c": ["d"]}
    assert refused("{a: b}", "f.json") == ("json_syntax", 1, 2)


def test_documents_and_a_byte_order_mark() -> None:
    assert [plain(document) for document in read(b"\xef\xbb\xbfa: 1\n---\nb: 2\n---\n").documents] == [{"a": 1}, {"b": 2}, None]
    assert read("").documents == ()
    assert read("# only a comment\n").documents == ()


def test_json_round_trips_through_the_yaml_path_too() -> None:
    data = {"a": ["x", 1, None, True, {"b": "c: d # e"}], "long": "x" * 500, "quote": "a\"b'c\\d"}
    assert value(json.dumps(data)) == data
    assert value("# as yaml\n" + json.dumps(data)) == data


# -- rules -----------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\na: 2\n", ("yaml_duplicate_key", 2, 1)),
        ('{"a": 1, "a": 2}', ("yaml_duplicate_key", 1, 10)),
        ("a: {1: x, '1': y}", ("yaml_duplicate_key", 1, 11)),
        ("<<: {a: 1}\n<<: {b: 1}\n", ("yaml_duplicate_key", 2, 1)),
        ("a: !!str x\n", ("yaml_tag", 1, 4)),
        ("a: !!python/object/apply:os.system [x]\n", ("yaml_tag", 1, 4)),
        ("! a", ("yaml_tag", 1, 1)),
        ("%TAG !e! tag:example.com,2000:\n---\na: b\n", ("yaml_tag", 1, 1)),
        ("a: *b\n", ("yaml_no_anchor", 1, 4)),
        ("a: &a [*a]\n", ("yaml_recursive", 1, 8)),
        ("a: &a {b: *a}\n", ("yaml_recursive", 1, 11)),
        ("--- &a\nb: 1\n---\nc: *a\n", ("yaml_no_anchor", 4, 4)),
        ("[a, b]: c\n", ("yaml_key_not_text", 1, 1)),
        ("a: &n 1\n*n : x\n", ("yaml_key_not_text", 2, 1)),
        ("<<: 1\n", ("yaml_merge_not_mapping", 1, 5)),
        ("a: [b\n", ("yaml_syntax", 2, 1)),
        ("a: b: c\n", ("yaml_syntax", 1, 5)),
        ("\ta: b\n", ("yaml_syntax", 1, 1)),
        ('"\\UFFFFFFFF"', ("yaml_syntax", None, None)),
        ('a: "\\ud800"\n', ("yaml_surrogate", 1, 4)),
        ('{"a": "\\ud800"}', ("yaml_surrogate", 1, 7)),
        ("a: " + "1" * 21 + "\n", ("number_too_long", 1, 4)),
        ("a: 1." + "1" * 20 + "\n", ("number_too_long", 1, 4)),
        ("a: 1e999\n", ("number_too_long", 1, 4)),
        ("a: 0x" + "f" * 21 + "\n", ("number_too_long", 1, 4)),
        ("a: " + "9" * 200_000, ("number_too_long", 1, 4)),
        ('{"a": ' + "9" * 200_000 + "}", ("number_too_long", 1, 7)),
        ("a: .inf\n", ("number_not_finite", 1, 4)),
        ("a: b\x00c\n", ("text_unreadable_character", 1, 5)),
        ("a: b\x1bc\n", ("text_unreadable_character", 1, 5)),
        ("a: b\n# \u2028 c\n", ("text_unreadable_character", 2, 3)),
    ],
)
def test_a_broken_rule_is_named_with_its_place(text: str, expected: tuple[str, int, int]) -> None:
    assert refused(text) == expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("a: 1".encode("utf-16"), ("bytes_wrong_encoding", 1, 1)),
        ("a: 1".encode("utf-16-le"), ("bytes_wrong_encoding", 1, 1)),
        ("a: 1".encode("utf-16-be"), ("bytes_wrong_encoding", 1, 1)),
        ("a: 1".encode("utf-32"), ("bytes_wrong_encoding", 1, 1)),
        ("a: 1".encode("utf-32-be"), ("bytes_wrong_encoding", 1, 1)),
        ("a: 1\nb: größe".encode("latin-1"), ("bytes_not_utf8", 2, 6)),
        (b"a: \xed\xa0\x80", ("bytes_not_utf8", 1, 4)),
        (b"x" * (BYTES + 1), ("bytes_too_big", None, None)),
        (b"a" * (10 * 1024 * 1024), ("bytes_too_big", None, None)),
    ],
)
def test_wrong_bytes_are_named(data: bytes, expected: tuple[str, int, int]) -> None:
    assert refused(data) == expected


def test_twenty_digits_and_exactly_the_byte_limit_are_read() -> None:
    assert value("a: " + "9" * 20) == {"a": int("9" * 20)}
    assert value("a: " + "x" * (BYTES - 3)) == {"a": "x" * (BYTES - 3)}


# -- bombs -----------------------------------------------------------------------------------------------------------------------
def doubling(levels: int, width: int) -> str:
    return "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * width)}]\n" for i in range(1, levels))


MERGE_BOMB = "a0: &a0 {" + ",".join(f"k{i}: v" for i in range(500)) + "}\n" + "".join(
    f"a{i}: &a{i} {{<<: [*a{i - 1}, *a{i - 1}], z{i}: 1}}\n" for i in range(1, 3000)
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (doubling(2000, 10), "yaml_too_many_nodes"),
        (doubling(60, 2), "yaml_too_many_nodes"),
        (MERGE_BOMB, "yaml_too_many_nodes"),
        ("a: &a '" + "x" * 200_000 + "'\nb: [" + ",".join(["*a"] * 10_000) + "]\n", "yaml_too_much_text"),
        ("a: &a [" + "[" * 58 + "]" * 58 + "]\nb: [[[[[*a]]]]]\n", "yaml_too_deep"),
        ("[" * BYTES, "yaml_too_deep"),
        ("{" * BYTES, "yaml_too_deep"),
        ("{a: " * (BYTES // 4), "yaml_too_deep"),
        ("- " * (BYTES // 2), "yaml_too_deep"),
        ("? " * (BYTES // 2), "yaml_too_deep"),
        ('{"a":' * 10_000, "yaml_too_deep"),
        ("[" + "a," * (BYTES // 2 - 2) + "a]", "yaml_too_many_nodes"),
        ("[" + "1," * (BYTES // 2 - 2) + "1]", "yaml_too_many_nodes"),
        ("- &a b\n" + "- *a\n" * 40_000, "yaml_too_many_nodes"),
        ("---\n" * (BYTES // 4), "yaml_too_many_documents"),
        ("%a b\n" * (BYTES // 5), "yaml_syntax"),
        (":" * BYTES, "yaml_syntax"),
        ("!<" + "%41" * (BYTES // 3 - 2) + ">", "yaml_tag"),
        ("%YAML 1." + "1" * 200_000 + "\n---\na", "yaml_syntax"),
    ],
)
def test_bombs_end_at_the_limit(text: str, code: str) -> None:
    assert refused(text)[0] == code


@pytest.mark.parametrize(
    "text",
    [
        "a " * (BYTES // 2 - 1),
        "a\n" * (BYTES // 2 - 1),
        '"' + "\n" * (BYTES - 2) + '"',
        "#\n" * (BYTES // 2),
        "|\n" + " " * (BYTES - 2),
        "|\n" + "\n" * (BYTES - 2),
    ],
)
def test_big_and_dull_input_ends_in_time(text: str) -> None:
    started = time.thread_time()
    read(text)
    assert time.thread_time() - started < SLACK_SECONDS


def test_work_grows_with_the_input_and_not_with_its_square() -> None:
    """Counted, not timed: the nodes that the reader builds for n aliases of a list are n, and the limit counts what they stand for."""
    (document,) = read("a: &a [1, 2, 3]\nb: [" + ", ".join(["*a"] * 100) + "]\n").documents
    assert document.size == 1 + 1 + 4 + 1 + 1 + 100 * 4
    assert refused("a: &a [1, 2, 3]\nb: [*a, *a]\n", nodes=document.size // 40)[0] == "yaml_too_many_nodes"


def test_limits_are_exact() -> None:
    assert plain(read("[" * 4 + "x" + "]" * 4, depth=5).documents[0]) == [[[["x"]]]]
    assert refused("[" * 5 + "x" + "]" * 5, depth=5)[0] == "yaml_too_deep"
    assert read("[a, b, c]", nodes=4).documents
    assert refused("[a, b, c, d]", nodes=4)[0] == "yaml_too_many_nodes"
    assert len(read("---\na\n" * 3, documents=3).documents) == 3
    assert refused("---\na\n" * 4, documents=3)[0] == "yaml_too_many_documents"


def test_no_error_carries_content() -> None:
    for text in ("password: hunter2: x\n", "hunter2: 1\nhunter2: 2\n", "a: !hunter2 x\n", "a: *hunter2\n", '{"hunter2": "hunter2"', "a: hunter2\x00"):
        with pytest.raises(Refused) as caught:
            read(text)
        assert "hunter2" not in repr(caught.value.problem) + str(caught.value) + repr(caught.value)
        assert caught.value.__cause__ is None
        assert caught.value.__suppress_context__ or caught.value.__context__ is None
