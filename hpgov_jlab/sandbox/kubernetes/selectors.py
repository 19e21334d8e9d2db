"""Label and field selectors of lists, with the API server's own words for one that it can't read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from .recording import Object

COMMON_FIELDS = frozenset({"metadata.name", "metadata.namespace"})
FIELDS: dict[str, frozenset[str]] = {
    "pods": frozenset({"spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName", "spec.hostNetwork", "status.phase",
                       "status.podIP", "status.nominatedNodeName"}),
    "events": frozenset({"involvedObject.kind", "involvedObject.namespace", "involvedObject.name", "involvedObject.uid", "involvedObject.apiVersion",
                         "involvedObject.resourceVersion", "involvedObject.fieldPath", "reason", "reportingComponent", "source", "type"}),
    "jobs.batch": frozenset({"status.successful"}),
    "namespaces": frozenset({"status.phase"}),
    "nodes": frozenset({"spec.unschedulable"}),
    "workloads.kueue.x-k8s.io/v1beta2": frozenset({"status.admission.clusterQueue"}),  # not before: 0.12's v1beta1 answers 400 [ran]
}  # fmt: skip
"""Fields that a kind can be selected by, beside name and namespace. For CRDs it is a matter of the version."""

_LABEL = re.compile(
    r"\s*(?:!\s*(?P<without>[\w./-]+)|(?P<key>[\w./-]+)\s*(?:(?P<op>==|=|!=)\s*(?P<value>[\w.-]*)|(?P<set>in|notin)\s*\((?P<values>[^()]*)\))?)\s*(?:,|$)"
)


class BadSelector(ValueError):
    """A selector that an API server answers with 400; the text is what it says."""


class Labels:
    """`a=b,c!=d,e in (f,g),h notin (i),j,!k`. Raises BadSelector."""

    def __init__(self, text: str) -> None:
        self._tests: list[Callable[[Mapping[str, str]], bool]] = []
        at = 0
        while at < len(text):
            m = _LABEL.match(text, at)
            if m is None:
                raise BadSelector(_complaint(text[at:].lstrip()))
            self._tests.append(_label_test(m))
            at = m.end()

    def match(self, o: Object) -> bool:
        labels = o["metadata"].get("labels") or {}
        return all(t(labels) for t in self._tests)

    def __bool__(self) -> bool:
        return bool(self._tests)


def _complaint(rest: str) -> str:
    """The server's words for the two ways in which most selectors are wrong; it has more."""
    if m := re.match(r"==|!=|[=,()]", rest):
        return f"found '{m[0]}', expected: !, identifier, or 'end of string'"
    if m := re.match(r"[\w./-]+\s+(?:in|notin)\s+(\S+)", rest):
        return f"unable to parse requirement: found '{m[1]}' expected: '('"
    return f"unable to parse requirement: found '{rest}', expected: in, notin, =, ==, !=, gt, lt"


def _label_test(m: re.Match[str]) -> Callable[[Mapping[str, str]], bool]:
    if without := m["without"]:
        return lambda labels: without not in labels
    key, op, value = m["key"], m["op"], m["value"]
    if m["set"]:
        values = {v.strip() for v in m["values"].split(",")}
        return (lambda labels: labels.get(key) in values) if m["set"] == "in" else (lambda labels: labels.get(key) not in values)
    if op in ("=", "=="):
        return lambda labels: labels.get(key) == value
    if op == "!=":
        return lambda labels: labels.get(key) != value
    return lambda labels: key in labels


class Fields:
    """`metadata.name=a,status.phase!=b`. Raises BadSelector when it can't be read; `check` when the kind has no such field."""

    def __init__(self, text: str) -> None:
        self._terms: list[tuple[str, bool, str]] = []
        for term in text.split(",") if text else ():
            m = re.fullmatch(r"([^=!]+)(==|=|!=)(.*)", term)
            if m is None:
                raise BadSelector(f"invalid selector: '{text}'; can't understand '{term}'")
            self._terms.append((m[1], m[2] != "!=", m[3]))

    def check(self, resource: str, version: str) -> None:
        for field, _, _ in self._terms:
            if field not in COMMON_FIELDS | FIELDS.get(resource, frozenset()) | FIELDS.get(f"{resource}/{version}", frozenset()):
                raise BadSelector(f"field label not supported: {field}")

    def exactly(self, field: str) -> str | None:
        return next((value for name, equal, value in self._terms if name == field and equal), None)

    def match(self, o: Object) -> bool:
        return all((_field(o, name) == value) is equal for name, equal, value in self._terms)

    def __bool__(self) -> bool:
        return bool(self._terms)


def _field(o: Object, path: str) -> str:
    value: Any = o
    for part in path.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return "" if value is None else str(value)
