"""The bounded reader of untrusted YAML and JSON: contracts, annotations, manifests (DESIGN.md 14, S12).

Two things are kept apart from an ordinary YAML loader. Work: the parser's events are counted as they come, an alias and a merge key at the size of
what they stand for, so a bomb ends at the limit and not at its size. Meaning: plain scalars follow the YAML 1.2 core schema, so a date, `yes`, `no`,
`on` and `off` stay text; where YAML 1.1 (kubectl's reader) would read a scalar otherwise, a note says where.

Longer than 400 lines on purpose: decoding, the budget and the readers of YAML and JSON are one set of limits, and are read and tested as one.
Nothing here does I/O or looks at a clock. Errors name file, line, column and rule, never the content: it may be someone's secret.
"""

from __future__ import annotations

import bisect
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import yaml
from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from .model.contract import Problem
from .model.outcome import Phrase

BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """`text` is characters of all scalars after expansion: a long string behind an alias would otherwise multiply when it is written out."""

    bytes: int = BYTES
    depth: int = 64
    nodes: int = 20_000
    documents: int = 50
    digits: int = 20
    text: int = 4 * BYTES


LIMITS = Limits()

Scalar = str | int | Decimal | bool | None


@dataclass(frozen=True, slots=True)
class Node:
    """A value with its place (1-based; an alias has the place of what it stands for). `size`, `chars` and `height` are after expansion.

    `keys` are the places of a mapping's keys.
    """

    value: Scalar | tuple[Node, ...] | dict[str, Node]
    line: int
    column: int
    size: int = 1
    chars: int = 0
    height: int = 1
    keys: dict[str, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Loaded:
    """`documents` leaves out nothing: an empty document is a node whose value is None. `notes`: scalars that YAML 1.1 reads otherwise."""

    documents: tuple[Node, ...]
    notes: tuple[Problem, ...]
    text: str


class Refused(Exception):
    """The input broke a rule; `problem` says where and which, and never what it held."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.file}:{problem.line}:{problem.column}: {problem.rule.code}")
        self.problem = problem


HIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufff9-\ufffb\U000e0000-\U000e007f]")
"""Control, bidirectional and line-separating characters, and invisible tags: what makes text read otherwise than it is."""

_UNREADABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_INT = re.compile(r"[-+]?[0-9]+")
_RADIX = re.compile(r"0x[0-9a-fA-F]+|0o[0-7]+")
_DECIMAL = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?([0-9]+))?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_WORDS: dict[str, bool | None] = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_TWO_READINGS = re.compile(
    r"y|Y|n|N|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF|[-+]?0[0-9_]+|0o[0-7]+|[-+]?0b[01_]+|[-+]?[0-9][0-9_]*_[0-9_]*|[-+]?[0-9]{1,9}(?::[0-5]?[0-9]){1,3}"
)
_NUMBER_CHARACTERS = frozenset("0123456789+-.eE_")
_SCALAR_CAP = 64  # characters a regular expression sees at most; nothing longer is a number within the limits
_STARTS = re.compile(r"[ \t\r\n]*[\[{]")


def load(data: bytes, file: str, limits: Limits = LIMITS) -> Loaded:
    """Read YAML or JSON within the limits. `file` is only quoted in problems. Raises Refused and nothing else.

    JSON is what a name ending in `.json` promises; elsewhere text that starts with a bracket is tried as JSON first, since YAML refuses its tabs
    and halves its surrogate pairs.
    """
    text = decode(data, file, limits)
    if file.lower().endswith(".json"):
        return Loaded((_Json(text, file, limits).read(),), (), text)
    if _STARTS.match(text):
        try:
            return Loaded((_Json(text, file, limits).read(),), (), text)
        except Refused as refused:
            if refused.problem.rule.code != "json_syntax":
                raise
    builder = _Yaml(file, limits)
    return Loaded(tuple(builder.read(text)), tuple(builder.notes), text)


def plain(node: Node) -> Any:
    """Dicts, lists and scalars, aliases expanded (bounded by the node limit). Numbers with a fraction are Decimal."""
    if isinstance(node.value, dict):
        return {key: plain(child) for key, child in node.value.items()}
    if isinstance(node.value, tuple):
        return [plain(child) for child in node.value]
    return node.value


def decode(data: bytes, file: str, limits: Limits = LIMITS) -> str:
    """Strict UTF-8 with or without a byte order mark. Raises Refused: too big, another encoding by name, not UTF-8, an unreadable character."""
    if len(data) > limits.bytes:
        raise _refused(file, None, None, "bytes_too_big", limit_bytes=limits.bytes)
    encoding = _other_encoding(data)
    if encoding is not None:
        raise _refused(file, 1, 1, "bytes_wrong_encoding", encoding=encoding)
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        start = data.rfind(b"\n", 0, error.start) + 1
        column = len(data[start : error.start].decode("utf-8")) + 1
        raise _refused(file, data.count(b"\n", 0, error.start) + 1, column, "bytes_not_utf8") from None
    found = _UNREADABLE.search(text)
    if found is not None:
        line, column = place(text, found.start())
        raise _refused(file, line, column, "text_unreadable_character", character=f"U+{ord(found.group()):04X}")
    return text


def place(text: str, offset: int) -> tuple[int, int]:
    """Line and column (1-based) of a character offset."""
    return text.count("\n", 0, offset) + 1, offset - (text.rfind("\n", 0, offset) + 1) + 1


def _other_encoding(data: bytes) -> str | None:
    for mark, name in ((b"\xff\xfe\x00\x00", "UTF-32"), (b"\x00\x00\xfe\xff", "UTF-32"), (b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16")):
        if data.startswith(mark):
            return name
    head = data[:4]  # without a mark: the zero bytes beside the first ASCII characters tell
    if len(head) == 4 and (head[:3] == b"\x00\x00\x00" or head[1:] == b"\x00\x00\x00"):
        return "UTF-32"
    if len(head) >= 2 and (head[0] == 0) != (head[1] == 0):
        return "UTF-16"
    return None


def _refused(file: str, line: int | None, column: int | None, code: str, **params: str | int | float | None) -> Refused:
    return Refused(Problem(file, line, column, Phrase(code, dict(params))))


class _Budget:
    """Counts what has been read, after expansion, over all documents."""

    def __init__(self, file: str, limits: Limits) -> None:
        self.file, self.limits = file, limits
        self.nodes = self.chars = 0

    def refuse(self, line: int, column: int, code: str, **params: str | int | float | None) -> Refused:
        return _refused(self.file, line, column, code, **params)

    def spend(self, line: int, column: int, nodes: int, chars: int) -> None:
        self.nodes += nodes
        self.chars += chars
        if self.nodes > self.limits.nodes:
            raise self.refuse(line, column, "yaml_too_many_nodes", limit=self.limits.nodes)
        if self.chars > self.limits.text:
            raise self.refuse(line, column, "yaml_too_much_text", limit=self.limits.text)

    def deep(self, line: int, column: int, depth: int) -> None:
        if depth > self.limits.depth:
            raise self.refuse(line, column, "yaml_too_deep", limit=self.limits.depth)

    def number(self, raw: str, line: int, column: int) -> int | Decimal | None:
        """The number that `raw` is by the YAML 1.2 core schema (JSON's numbers are a part of it), or None."""
        if len(raw) > _SCALAR_CAP:
            if _NUMBER_CHARACTERS.issuperset(raw) and sum(map(str.isdigit, raw)) > self.limits.digits:
                raise self.refuse(line, column, "number_too_long", limit=self.limits.digits)
            return None
        if _INT.fullmatch(raw):
            if len(raw.lstrip("+-")) > self.limits.digits:
                raise self.refuse(line, column, "number_too_long", limit=self.limits.digits)
            return int(raw)
        if _RADIX.fullmatch(raw):
            if len(raw) - 2 > self.limits.digits:
                raise self.refuse(line, column, "number_too_long", limit=self.limits.digits)
            return int(raw, 0)
        found = _DECIMAL.fullmatch(raw)
        if found is None:
            return None
        exponent = found.group(1) or ""
        if len(exponent) > 2 or sum(character.isdigit() for character in raw) - len(exponent) > self.limits.digits:
            raise self.refuse(line, column, "number_too_long", limit=self.limits.digits)
        return Decimal(raw)


@dataclass(slots=True)
class _Open:
    """A collection whose end has not come yet."""

    mapping: bool
    line: int
    column: int
    anchor: str | None
    items: list[Node] = field(default_factory=list)
    entries: dict[str, Node] = field(default_factory=dict)
    keys: dict[str, tuple[int, int]] = field(default_factory=dict)
    merges: list[Node] = field(default_factory=list)
    key: tuple[str, bool] | None = None  # text of the pending key; True: it is a merge key
    merged: bool = False
    size: int = 1
    chars: int = 0
    height: int = 0

    def close(self) -> Node:
        if not self.mapping:
            return Node(tuple(self.items), self.line, self.column, self.size, self.chars, self.height + 1)
        for merge in self.merges:  # own keys win, then the earlier merge
            assert isinstance(merge.value, dict)
            for key, child in merge.value.items():
                if key not in self.entries:
                    self.entries[key] = child
                    self.keys[key] = merge.keys[key]
        return Node(self.entries, self.line, self.column, self.size, self.chars, self.height + 1, self.keys)


def _at(mark: Any) -> tuple[int, int]:
    return mark.line + 1, mark.column + 1


class _Yaml(_Budget):
    """Builds nodes from PyYAML's parse events. The pure-Python parser on purpose: it is lazy, so that a limit ends the work, and the same everywhere."""

    def __init__(self, file: str, limits: Limits) -> None:
        super().__init__(file, limits)
        self.notes: list[Problem] = []
        self.anchors: dict[str, Node | None] = {}
        self.stack: list[_Open] = []

    def read(self, text: str) -> Iterator[Node]:
        root: Node | None = None
        documents = 0
        try:
            for event in yaml.parse(text, Loader=yaml.SafeLoader):
                line, column = _at(event.start_mark)
                if isinstance(event, DocumentStartEvent):
                    documents += 1
                    if documents > self.limits.documents:
                        raise self.refuse(line, column, "yaml_too_many_documents", limit=self.limits.documents)
                    if event.tags:
                        raise self.refuse(line, column, "yaml_tag")
                    root, self.anchors = None, {}
                elif isinstance(event, DocumentEndEvent):
                    assert root is not None
                    yield root
                else:
                    done = self._event(event, line, column)
                    root = done if done is not None and not self.stack else root
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            at: tuple[int | None, int | None] = _at(mark) if mark is not None else (None, None)
            raise _refused(self.file, *at, "yaml_syntax") from None
        except (yaml.YAMLError, ValueError, OverflowError):  # ValueError: PyYAML's chr() and int() on escapes and directives out of range
            raise _refused(self.file, None, None, "yaml_syntax") from None

    def _event(self, event: Any, line: int, column: int) -> Node | None:
        """Returns the node that this event completed, already placed into its collection."""
        if getattr(event, "tag", None) is not None:
            raise self.refuse(line, column, "yaml_tag")
        if isinstance(event, (MappingStartEvent, SequenceStartEvent)):
            self.deep(line, column, len(self.stack) + 1)
            self.spend(line, column, 1, 0)
            if event.anchor is not None:
                self.anchors[event.anchor] = None
            self.stack.append(_Open(isinstance(event, MappingStartEvent), line, column, event.anchor))
            return None
        if isinstance(event, ScalarEvent):
            node = self._scalar(event, line, column)
        elif isinstance(event, AliasEvent):
            node = self._alias(str(event.anchor), line, column)
        elif isinstance(event, (MappingEndEvent, SequenceEndEvent)):
            opened = self.stack.pop()
            node = opened.close()
            line, column = node.line, node.column
            if opened.anchor is not None:
                self.anchors[opened.anchor] = node
        else:
            return None  # start and end of the stream
        if self.stack:
            self._put(self.stack[-1], node, event, line, column)
        return node

    def _scalar(self, event: ScalarEvent, line: int, column: int) -> Node:
        raw: str = event.value
        self.deep(line, column, len(self.stack) + 1)
        self.spend(line, column, 1, len(raw))
        if _SURROGATE.search(raw):
            raise self.refuse(line, column, "yaml_surrogate")
        plain_style = event.implicit[0]
        is_key = bool(self.stack) and self.stack[-1].mapping and self.stack[-1].key is None
        node = Node(raw if is_key or not plain_style else self._meaning(raw, line, column), line, column, 1, len(raw))
        if event.anchor is not None:
            self.anchors[event.anchor] = node
        return node

    def _meaning(self, raw: str, line: int, column: int) -> Scalar:
        if len(raw) <= _SCALAR_CAP and _TWO_READINGS.fullmatch(raw):
            self.notes.append(Problem(self.file, line, column, Phrase("yaml_two_readings")))
        if raw in _WORDS:
            return _WORDS[raw]
        if len(raw) <= _SCALAR_CAP and _NOT_FINITE.fullmatch(raw):
            raise self.refuse(line, column, "number_not_finite")
        number = self.number(raw, line, column)
        return raw if number is None else number

    def _alias(self, anchor: str, line: int, column: int) -> Node:
        if anchor not in self.anchors:
            raise self.refuse(line, column, "yaml_no_anchor")
        node = self.anchors[anchor]
        if node is None:
            raise self.refuse(line, column, "yaml_recursive")
        self.spend(line, column, node.size, node.chars)
        self.deep(line, column, len(self.stack) + node.height)
        return node

    def _put(self, parent: _Open, node: Node, event: Any, line: int, column: int) -> None:
        parent.size += node.size
        parent.chars += node.chars
        parent.height = max(parent.height, node.height)
        if not parent.mapping:
            parent.items.append(node)
        elif parent.key is None:
            key = node.value
            if not isinstance(key, str):  # a collection, or an alias of a number
                raise self.refuse(line, column, "yaml_key_not_text")
            merge = key == "<<" and isinstance(event, ScalarEvent) and event.implicit[0]
            if key in parent.keys or (merge and parent.merged):
                raise self.refuse(line, column, "yaml_duplicate_key")
            if not merge:
                parent.keys[key] = (line, column)
            parent.key, parent.merged = (key, merge), parent.merged or merge
        else:
            key, merge = parent.key
            parent.key = None
            if not merge:
                parent.entries[key] = node
                return
            for source in node.value if isinstance(node.value, tuple) else (node,):
                if not isinstance(source.value, dict):
                    raise self.refuse(line, column, "yaml_merge_not_mapping")
                parent.merges.append(source)


_JSON_SPACE = re.compile(r"[ \t\r\n]*")
_JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_JSON_STRINGS = json.JSONDecoder()
_JSON_WORDS: tuple[tuple[str, bool | None], ...] = (("true", True), ("false", False), ("null", None))


class _Json(_Budget):
    """Strict JSON with places, since the standard reader keeps none. Recursion is bounded by the depth limit."""

    def __init__(self, text: str, file: str, limits: Limits) -> None:
        super().__init__(file, limits)
        self.text, self.at = text, 0
        self.lines = [0, *(found.end() for found in re.finditer("\n", text))]

    def read(self) -> Node:
        node = self._value(1)
        self._space()
        if self.at != len(self.text):
            raise self._syntax()
        return node

    def _here(self, offset: int | None = None) -> tuple[int, int]:
        offset = self.at if offset is None else offset
        line = bisect.bisect_right(self.lines, offset)
        return line, offset - self.lines[line - 1] + 1

    def _syntax(self) -> Refused:
        return self.refuse(*self._here(), "json_syntax")

    def _space(self) -> str:
        found = _JSON_SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.text[self.at : self.at + 1]

    def _expect(self, character: str) -> None:
        if self._space() != character:
            raise self._syntax()
        self.at += 1

    def _string(self) -> str:
        start = self.at
        try:
            value, self.at = _JSON_STRINGS.raw_decode(self.text, self.at)
        except ValueError:  # JSONDecodeError is one
            raise self._syntax() from None
        self.spend(*self._here(start), 1, len(value))
        if _SURROGATE.search(value):
            raise self.refuse(*self._here(start), "yaml_surrogate")
        return str(value)

    def _value(self, depth: int) -> Node:
        character = self._space()
        line, column = self._here()
        self.deep(line, column, depth)
        if character == '"':
            value = self._string()
            return Node(value, line, column, 1, len(value))
        if character in ("{", "["):
            return self._collection(character == "{", depth, line, column)
        self.spend(line, column, 1, 0)
        for word, meaning in _JSON_WORDS:
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return Node(meaning, line, column)
        found = _JSON_NUMBER.match(self.text, self.at)
        if found is None:
            raise self._syntax()
        self.at = found.end()
        return Node(self.number(found.group(), line, column), line, column)

    def _collection(self, mapping: bool, depth: int, line: int, column: int) -> Node:
        self.spend(line, column, 1, 0)
        opened = _Open(mapping, line, column, None)
        end = "}" if mapping else "]"
        self.at += 1
        if self._space() == end:
            self.at += 1
            return opened.close()
        while True:
            key = ""
            if mapping:
                if self._space() != '"':
                    raise self._syntax()
                place_of_key = self._here()
                key = self._string()
                if key in opened.keys:
                    raise self.refuse(*place_of_key, "yaml_duplicate_key")
                opened.keys[key] = place_of_key
                opened.size += 1
                opened.chars += len(key)
                self._expect(":")
            child = self._value(depth + 1)
            opened.size += child.size
            opened.chars += child.chars
            opened.height = max(opened.height, child.height)
            if mapping:
                opened.entries[key] = child
            else:
                opened.items.append(child)
            if self._space() == ",":
                self.at += 1
                continue
            self._expect(end)
            return opened.close()
