"""From the bytes of one document to a record, or to the problems that it has. Never both halves: a record with a problem is not shown in part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..bounded import HIDDEN, Node, Refused, load, place
from ..model.contract import Kept, Problem, Rank
from ..model.outcome import Phrase
from .schema import at_path, validate
from .shape import CONTRACT

CLAIM_PATHS: dict[str, str] = {
    "field_cluster_account": "cluster.account",
    "field_cluster_region": "cluster.region",
    "field_cluster_name": "cluster.name",
    "field_project_id": "project.id",
}
"""What a record is matched by: code of the field -> where it stands."""
END_PATHS = {"status": "lifecycle.status", "revoked_on": "lifecycle.revoked_on", "decommission_on": "lifecycle.decommission_on"}
"""What closes a record, however broken the rest of it is."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """One document after reading. `data` is None when there is any problem. `claims` (code -> text) tell whom an invalid record is about, and `ends`
    (keys of END_PATHS) whether it is over; both are None when not even that can be read."""

    kept: Kept
    data: Mapping[str, Any] | None = field(repr=False)  # another team's record may pass through here
    problems: tuple[Problem, ...] = ()
    claims: Mapping[str, str] | None = field(default_factory=dict)
    ends: Mapping[str, str] | None = field(default_factory=dict)

    def text(self, path: str) -> str | None:
        """A recorded text, or None: not recorded."""
        value = at_path(self.data, path)
        return value if isinstance(value, str) else None

    def items(self, path: str) -> tuple[Any, ...]:
        value = at_path(self.data, path)
        return tuple(value) if isinstance(value, list) else ()


ANNOTATION = "hpgov/contract"
"""The annotation of a namespace that holds a whole record."""


def from_annotation(namespace: str, text: str, manager: str | None, written_at: float | None) -> Kept:
    """The document that a namespace carries. `manager` and `written_at` are what managedFields say of the annotation; None: not recorded."""
    data = text.encode("utf-8", "surrogatepass")  # half a surrogate pair is refused by the reader, with its place
    name = f"namespace {namespace}"
    return Kept(Rank.ANNOTATION, f"{name}, annotation {ANNOTATION}", name, data, version=manager, kept_at=written_at, namespace=namespace)


def parse(kept: Kept) -> Parsed:
    """Read and validate one document; never raises. Takes up to a second of processor time for a hostile one: call it where blocking is allowed."""
    bare = replace(kept, data=None)
    if kept.problem is not None or kept.data is None:
        return Parsed(bare, None, (kept.problem,) if kept.problem is not None else (_problem(kept.file, None, None, "contract_empty"),), None, None)
    try:
        loaded = load(kept.data, kept.file)
    except Refused as refused:
        return Parsed(bare, None, (refused.problem,), None, None)
    documents = [node for node in loaded.documents if node.value is not None]
    if not documents:
        return Parsed(bare, None, (_problem(kept.file, 1, 1, "contract_empty"),), None, None)
    if len(documents) > 1:
        return Parsed(bare, None, (_problem(kept.file, documents[1].line, documents[1].column, "contract_one_document"),), None, None)
    data, problems = validate(documents[0], CONTRACT, kept.file)
    hidden = HIDDEN.search(loaded.text)  # comments and keys too: a review of the file must see what we read
    if hidden is not None and not any(problem.rule.code == "contract_hidden_character" for problem in problems):
        problems = (*problems, _problem(kept.file, *place(loaded.text, hidden.start()), "contract_hidden_character"))
    return Parsed(bare, None if problems else data, problems, _texts(documents[0], CLAIM_PATHS), _texts(documents[0], END_PATHS))


def outline(kept: Kept) -> tuple[Mapping[str, str] | None, Mapping[str, str] | None]:
    """`claims` and `ends` of a document over which `parse` has failed by a fault of ours. May fail as that did."""
    documents = [node for node in load(kept.data or b"", kept.file).documents if node.value is not None]
    return (_texts(documents[0], CLAIM_PATHS), _texts(documents[0], END_PATHS)) if len(documents) == 1 else (None, None)


def _texts(node: Node, paths: Mapping[str, str]) -> dict[str, str]:
    found = {}
    for code, path in paths.items():
        here: Node | None = node
        for name in path.split("."):
            here = here.value.get(name) if here is not None and isinstance(here.value, dict) else None
        if here is not None and isinstance(here.value, str):
            found[code] = here.value
    return found


def _problem(file: str, line: int | None, column: int | None, code: str) -> Problem:
    return Problem(file, line, column, Phrase(code))
