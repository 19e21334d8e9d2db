"""A small declarative schema: the shape is data, written once; validation with places and the published JSON Schema are made from it.

A shape is a Group of Fields. An optional field that is absent or null is "not recorded". Unknown fields are refused, since a mistyped `lifecycle`
would otherwise pass as a record without one; names that begin with `x-` are the customer's own and are not read.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..bounded import HIDDEN, Node
from ..model.contract import Problem
from ..model.outcome import Phrase
from .link import LINK_PATTERN, link

MOST_PROBLEMS = 20


@dataclass(frozen=True, slots=True)
class Text:
    """Text of 1 to `most` characters. `pattern` matches whole and is linear. `lines`: newlines and tabs may stand in it."""

    most: int = 200
    pattern: str | None = None
    lines: bool = False
    example: str = ""


@dataclass(frozen=True, slots=True)
class Date:
    """A day (ends at 24:00 UTC, begins at 00:00 UTC) or an instant with its offset."""


@dataclass(frozen=True, slots=True)
class Link:
    """An https link that may be shown as one (S7)."""


@dataclass(frozen=True, slots=True)
class Choice:
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Whole:
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Items:
    of: Kind
    most: int


@dataclass(frozen=True, slots=True)
class Group:
    fields: tuple[Field, ...]
    at_least_one: bool = False  # one of the fields must be recorded
    own_names: bool = False  # names beginning with x- are let through, unread


@dataclass(frozen=True, slots=True)
class Field:
    """`code` is the label in words.py (a group's counts for the fields below it that have none); `apart`: the view has a place of its own for it."""

    name: str
    kind: Kind
    why: str
    code: str = ""
    required: bool = False
    apart: bool = False


Kind = Text | Date | Link | Choice | Whole | Items | Group

DATE_PATTERN = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2})?(Z|[+-][0-9]{2}:[0-9]{2}))?$"
_DATE = re.compile(DATE_PATTERN[1:-1])


def span(text: str) -> tuple[float, float]:
    """First and last moment (epoch seconds; the last is exclusive) of a Date. Raises ValueError."""
    if _DATE.fullmatch(text) is None:
        raise ValueError("not a date")
    if "T" not in text:
        begin = (datetime.date.fromisoformat(text).toordinal() - datetime.date(1970, 1, 1).toordinal()) * 86400.0
        return begin, begin + 86400.0
    moment = datetime.datetime.fromisoformat(text).timestamp()  # the pattern demands an offset: never local time
    return moment, moment


def validate(node: Node, shape: Group, file: str) -> tuple[dict[str, Any], tuple[Problem, ...]]:
    """The recorded values as plain data, nulls left out, and every problem found (at most MOST_PROBLEMS). Data counts only without problems."""
    problems = _Problems(file)
    data = _group(node, shape, "", problems)
    return data, tuple(problems.found)


class _Problems:
    def __init__(self, file: str) -> None:
        self.file = file
        self.found: list[Problem] = []

    def add(self, at: tuple[int, int], path: str, code: str, **params: str | int | float | None) -> None:
        if len(self.found) < MOST_PROBLEMS:
            self.found.append(Problem(self.file, at[0], at[1], Phrase(code, dict(params)), path))


def _group(node: Node, shape: Group, path: str, problems: _Problems) -> dict[str, Any]:
    if not isinstance(node.value, dict):
        problems.add((node.line, node.column), path, "contract_needs_mapping")
        return {}
    known = {field.name: field for field in shape.fields}
    data: dict[str, Any] = {}
    for name, child in node.value.items():
        field = known.get(name)
        if field is None:
            if not (shape.own_names and name.startswith("x-")):
                problems.add(node.keys[name], path, "contract_unknown_field", fields=", ".join(known))
        elif child.value is not None:
            data[name] = _value(child, field.kind, _join(path, name), problems)
    for field in shape.fields:
        if field.required and field.name not in data:
            problems.add((node.line, node.column), _join(path, field.name), "contract_field_missing")
    if shape.at_least_one and not any(name in data for name in known):
        problems.add((node.line, node.column), path, "contract_one_of", fields=", ".join(known))
    return data


def _value(node: Node, kind: Kind, path: str, problems: _Problems) -> Any:
    at = (node.line, node.column)
    value = node.value
    if isinstance(kind, Group):
        return _group(node, kind, path, problems)
    if isinstance(kind, Items):
        if not isinstance(value, tuple):
            problems.add(at, path, "contract_needs_list")
            return []
        if len(value) > kind.most:
            problems.add(at, path, "contract_too_many_items", limit=kind.most)
            return []
        return [_value(child, kind.of, f"{path}[{index}]", problems) for index, child in enumerate(value)]
    if isinstance(kind, Whole):
        if not isinstance(value, int) or isinstance(value, bool):
            problems.add(at, path, "contract_needs_number")
        elif not kind.least <= value <= kind.most:
            problems.add(at, path, "contract_number_range", least=kind.least, most=kind.most)
        return value
    if not isinstance(value, str):
        problems.add(at, path, "contract_needs_text")
        return ""
    _text(value, kind, at, path, problems)
    return value


def _text(value: str, kind: Text | Date | Link | Choice, at: tuple[int, int], path: str, problems: _Problems) -> None:
    if HIDDEN.search(value):
        problems.add(at, path, "contract_hidden_character")
    elif isinstance(kind, Choice):
        if value not in kind.values:
            problems.add(at, path, "contract_not_a_choice", choices=", ".join(kind.values))
    elif isinstance(kind, Date):
        try:
            span(value)
        except (ValueError, OverflowError):
            problems.add(at, path, "contract_not_a_date")
    elif isinstance(kind, Link):
        if link(value) is None:
            problems.add(at, path, "contract_not_a_link")
    elif not value.strip() or len(value) > kind.most:
        problems.add(at, path, "contract_text_length", limit=kind.most)
    elif not kind.lines and re.search(r"[\t\r\n]", value):
        problems.add(at, path, "contract_one_line")
    elif kind.pattern is not None and re.fullmatch(kind.pattern, value) is None:
        problems.add(at, path, "contract_wrong_form", example=kind.example)


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def leaves(shape: Group, path: str = "", code: str = "") -> Iterator[tuple[str, Field, str]]:
    """Every field that is not a group: dotted path, field, and its code or that of the nearest group above that has one; in the shape's order."""
    for field in shape.fields:
        here = _join(path, field.name)
        if isinstance(field.kind, Group):
            yield from leaves(field.kind, here, field.code or code)
        else:
            yield here, field, field.code or code


def at_path(data: Any, path: str) -> Any:
    """The value at a dotted path of validated data; None: not recorded."""
    for name in path.split("."):
        if not isinstance(data, dict) or name not in data:
            return None
        data = data[name]
    return data


def as_text(value: Any) -> str | None:
    """One recorded value as one string: lists with commas, lists of groups with semicolons."""
    if value is None:
        return None
    if isinstance(value, list):
        return ("; " if any(isinstance(item, dict) for item in value) else ", ").join(as_text(item) or "" for item in value)
    if isinstance(value, dict):
        return ", ".join(f"{name}: {as_text(item)}" for name, item in value.items())
    return str(value)


def json_schema(shape: Group, title: str, identifier: str) -> dict[str, Any]:
    """JSON Schema (draft 7, which editors know) of a shape. Our validation is stricter where it has no words: real dates, links, hidden characters."""
    return {"$schema": "http://json-schema.org/draft-07/schema#", "$id": identifier, "title": title, **_schema(shape, required=True)}


def _schema(kind: Kind, *, required: bool) -> dict[str, Any]:
    if isinstance(kind, Group):
        must = [field.name for field in kind.fields if field.required]
        made: dict[str, Any] = {
            "type": "object",
            "properties": {field.name: {"description": field.why, **_schema(field.kind, required=field.required)} for field in kind.fields},
            "additionalProperties": False,
        }
        if must:
            made["required"] = must
        if kind.own_names:
            made["patternProperties"] = {"^x-": {}}
        if kind.at_least_one:
            made["anyOf"] = [{"required": [field.name], "properties": {field.name: {"not": {"type": "null"}}}} for field in kind.fields]
    elif isinstance(kind, Items):
        made = {"type": "array", "items": _schema(kind.of, required=True), "maxItems": kind.most}
    elif isinstance(kind, Whole):
        made = {"type": "integer", "minimum": kind.least, "maximum": kind.most}
    elif isinstance(kind, Choice):
        made = {"type": "string", "enum": list(kind.values)}
    elif isinstance(kind, Date):
        made = {"type": "string", "pattern": DATE_PATTERN}
    elif isinstance(kind, Link):
        made = {"type": "string", "pattern": LINK_PATTERN, "maxLength": 2048}
    else:
        made = {"type": "string", "maxLength": kind.most, "pattern": f"^(?:{kind.pattern})$" if kind.pattern else r"\S"}
    if required:
        return made
    if "anyOf" in made:  # null or the group with one of its fields
        return {"oneOf": [{"type": "null"}, made]}
    made["type"] = [made["type"], "null"]
    if "enum" in made:
        made["enum"] = [*made["enum"], None]
    return made
