"""What is decoded is read by somebody: a field without a reader costs memory for every object and holds what nobody needs."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from pathlib import Path

import msgspec

import hpgov_jlab.model

PACKAGE = Path(hpgov_jlab.model.__file__).parents[1]
FOR_LATER = {
    ("SelectorTerm", "match_fields"), ("PodSpec", "priority_class_name"), ("PodSet", "topology_request"), ("TopologyRequest", "preferred"),
    ("TopologyRequest", "unconstrained"), ("ClusterQueueSpec", "flavor_fungibility"), ("FlavorFungibility", "preference"),
    ("BorrowWithinCohort", "max_priority_threshold"), ("CheckRule", "on_flavors"), ("ResourceFlavorSpec", "topology_name"),
}  # fmt: skip
"""Struct and field that the check and the forecast need (DESIGN.md 10); each says so where it stands."""


def test_every_decoded_field_has_a_reader() -> None:
    sources = [path for path in PACKAGE.rglob("*.py") if "sandbox" not in path.parts]
    read = {node.attr for path in sources for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Attribute)}
    modules = [importlib.import_module(f"hpgov_jlab.model.{each.name}") for each in pkgutil.iter_modules(hpgov_jlab.model.__path__)]
    structs = {s for m in modules for s in vars(m).values() if isinstance(s, type) and issubclass(s, msgspec.Struct) and s.__module__ == m.__name__}
    unread = {(struct.__name__, name) for struct in structs for name in struct.__annotations__ if name not in read}
    assert len(structs) > 60 and unread == FOR_LATER
