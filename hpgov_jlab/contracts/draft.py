"""*Draft a contract*: the YAML to fill in, from what is known of a connection (DESIGN.md 6; 14, S5).

Keys and comments are the shape's own fixed text; every value goes through the JSON serialiser, whose strings and lists are YAML in double quotes.
What is not known stands as a comment, so that the text reads back as exactly what is known.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..bounded import HIDDEN
from ..model.connection import Connection, Orchestrator
from ..model.contract import Draft
from .schema import Choice, Date, Field, Group, Items, Link, Whole
from .shape import API_VERSION, CONTRACT, KIND


@dataclass(frozen=True, slots=True)
class Known:
    """What other reads told, beyond the connection itself. Empty: not known."""

    project_name: str | None = None
    version: str | None = None  # of the orchestrator
    namespaces: tuple[str, ...] = ()
    slurm_accounts: tuple[str, ...] = ()
    workload_kinds: tuple[str, ...] = ()
    service_accounts: tuple[str, ...] = ()
    priority_classes: tuple[str, ...] = ()
    team: str | None = None


def known_data(connection: Connection, known: Known) -> dict[str, Any]:
    """The record that a draft holds: what is known, as a draft that nobody has approved."""
    orchestrator = None if connection.orchestrator is Orchestrator.UNKNOWN else str(connection.orchestrator)
    data = {
        "apiVersion": API_VERSION,
        "kind": KIND,
        "domain": {"id": connection.domain_id},
        "project": {"id": connection.project_id, "name": known.project_name},
        "cluster": {
            "account": connection.account,
            "region": connection.region,
            "name": connection.cluster_name,
            "orchestrator": orchestrator,
            "version": known.version,
        },
        "roles": {"project": connection.project_role, "access": connection.access_role},
        "service_accounts": list(known.service_accounts),
        "workload_kinds": list(known.workload_kinds),
        "scope": {"namespaces": list(known.namespaces or connection.namespaces), "slurm": {"accounts": list(known.slurm_accounts)}},
        "task_governance": {"team": known.team, "priority_classes": list(known.priority_classes)},
        "lifecycle": {"status": "draft"},
    }
    pruned: dict[str, Any] = _prune(data)
    return pruned


def _prune(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    inner = {name: _prune(child) for name, child in value.items()}
    return {name: child for name, child in inner.items() if child not in (None, "", [], {})}


def draft(connection: Connection, known: Known = Known()) -> Draft:
    """The text for a new editor tab. `text` is None when a value holds a control, bidirectional or line-separating character (S5)."""
    data = known_data(connection, known)
    slug = re.sub(r"[^a-z0-9]+", "-", f"{connection.cluster_name}-{connection.id}".lower()[:120]).strip("-") or "contract"
    file_name = f"{slug}.yaml"
    if any(HIDDEN.search(text) or re.search(r"[\t\r\n]", text) for text in _texts(data)):
        return Draft(file_name, None)
    lines = [
        "# A draft of a connection contract: the record of who agreed to what, until when. It grants nothing.",
        "# Fill in what is missing, have it approved, and keep it where those whom it governs cannot write.",
        "# Kept in .hpgov/contracts/ of this project, it is shown as self-declared, which approves nothing.",
        *_group(CONTRACT, data, 0, commented=False),
    ]
    return Draft(file_name, "\n".join(lines) + "\n")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for child in value.values():
            yield from _texts(child)
    elif isinstance(value, list):
        for child in value:
            yield from _texts(child)
    elif isinstance(value, str):
        yield value


def _group(group: Group, data: dict[str, Any], depth: int, *, commented: bool) -> Iterator[str]:
    indent = "  " * depth
    for field in group.fields:
        value = data.get(field.name)
        off = commented or value is None
        start = f"# {indent}" if off else indent
        if depth == 0 and field.name not in ("apiVersion", "kind"):
            yield ""
            yield f"# {field.why}{' (needed)' if field.required else ''}"
        if isinstance(field.kind, Group):
            yield f"{start}{field.name}:"
            yield from _group(field.kind, value or {}, depth + 1, commented=off)
        elif off:
            yield f"{start}{field.name}:{_hint(field, said=depth == 0)}"
        elif depth == 0 and field.name in ("apiVersion", "kind"):
            yield f"{start}{field.name}: {value}"  # our own two words, in the spelling everybody knows
        else:
            yield f"{start}{field.name}: {json.dumps(value, ensure_ascii=False)}"


def _hint(field: Field, *, said: bool) -> str:
    """What may stand here, as a comment within the comment. Fixed text of the shape only; `said`: what it is for stands above already."""
    kind = field.kind
    if isinstance(kind, Choice):
        return f"  # one of: {', '.join(kind.values)}"
    if isinstance(kind, Date):
        return "  # YYYY-MM-DD"
    if isinstance(kind, Link):
        return "  # https://..."
    if isinstance(kind, Whole):
        return "  # a number"
    if isinstance(kind, Items):
        inside = ", ".join(one.name for one in kind.of.fields) if isinstance(kind.of, Group) else ""
        return f"  # a list{' of ' + inside if inside else ''}"
    if isinstance(kind, Group):
        return ""
    hints = ([] if said else [field.why]) + ([f"such as {kind.example}"] if kind.example else [])
    return f"  # {', '.join(hints)}" if hints else ""
