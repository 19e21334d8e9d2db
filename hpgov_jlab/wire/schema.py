"""JSON schema and OpenAPI document of the HTTP API, made from the pages: the committed files are these functions' output."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from .pages import API_VERSION, PAGES, AccessPage, ConnectionPage, ConnectionsPage, ContractPage, SessionPage, SharePage, TaskPage, TasksPage

ROUTES: tuple[tuple[str, str, type[BaseModel], str], ...] = (
    ("session", "get", SessionPage, "Where this server runs and as whom it reads"),
    ("connections", "get", ConnectionsPage, "The clusters connected to this project, each with its parts"),
    ("connections/{id}", "get", ConnectionPage, "One connection: its card, whose identity reads it, what to write in a manifest"),
    ("connections/{id}/tasks", "get", TasksPage, "Tasks: a slice of one immutable snapshot"),
    ("connections/{id}/tasks/{uid}", "get", TaskPage, "One task: history, stops, pods, exit codes"),
    ("connections/{id}/share", "get", SharePage, "The team's share, row by row, and what holds it"),
    ("connections/{id}/contract", "get", ContractPage, "The connection contract, where it is kept, and a draft"),
    ("connections/{id}/access", "get", AccessPage, "What is read, what for, allowed or not, who grants it"),
)
"""Path below <base_url>/hpgov-jlab/api/v1/, verb, page, summary: the routes, the document and the route tests all come from here."""

QUERY: dict[str, tuple[tuple[str, dict[str, Any], str], ...]] = {
    "connections/{id}/tasks": (
        ("generation", {"type": "string", "maxLength": 64}, "The snapshot a page was taken from"),
        ("offset", {"type": "integer", "minimum": 0, "maximum": 1_000_000}, "First row"),
        ("limit", {"type": "integer", "minimum": 1, "maximum": 200}, "Rows, at most 200"),
        ("whose", {"type": "string", "enum": ["mine", "team"]}, "Whose tasks"),
        ("state", {"type": "string", "maxLength": 200}, "States to show, comma separated"),
        ("text", {"type": "string", "maxLength": 100}, "Rows whose name, kind or submitter contains this"),
        ("sort", {"type": "string", "maxLength": 32}, "Column to sort by"),
        ("descending", {"type": "integer", "minimum": 0, "maximum": 1}, "1: largest first"),
    ),
}
FRESH = ("fresh", {"type": "integer", "minimum": 0, "maximum": 1}, "1: read again now, as far as the floor allows")


class _Plain(GenerateJsonSchema):
    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def _all_required(schema: Any) -> None:
    """Every field is always sent: a consumer never has to tell a missing one from null."""
    if isinstance(schema, dict):
        if schema.get("type") == "object" and "properties" in schema:
            schema["required"] = sorted(schema["properties"])
            schema.setdefault("additionalProperties", False)
        for name, value in list(schema.items()):
            if name == "default":
                del schema[name]
            elif name == "properties" and isinstance(value, dict):
                for each in value.values():  # a property may itself be called default
                    _all_required(each)
            else:
                _all_required(value)
    elif isinstance(schema, list):
        for value in schema:
            _all_required(value)


_UNIONS = {"KueueShareRow": "ShareRow", "ShareGlance": "Glance"}
"""First member of a union -> what the union is called."""


def _readable(name: str) -> str:
    """`Part_list_Task__` becomes `PartTaskList`: generated names that a person can import."""
    if not name.startswith("Part_"):
        return name
    inner, many = name.removeprefix("Part_").strip("_"), ""
    if inner.startswith("list_"):
        inner, many = inner.removeprefix("list_").strip("_"), "List"
    if inner.startswith("Union_"):
        inner = _UNIONS[inner.removeprefix("Union_").partition("_")[0]]
    return f"Part{inner[:1].upper()}{inner[1:]}{many}"


def _rename(top: dict[str, Any], prefix: str) -> dict[str, Any]:
    names = {name: _readable(name) for name in top["$defs"]}
    if len(set(names.values())) != len(names):
        raise ValueError("two definitions would get one name")

    def walk(value: Any) -> Any:
        if isinstance(value, dict):
            return {
                k: (prefix + names[v.removeprefix(prefix)] if k == "$ref" else walk(v)) for k, v in value.items() if not (k == "title" and isinstance(v, str))
            }
        return [walk(v) for v in value] if isinstance(value, list) else value

    return {names[name]: walk(definition) for name, definition in top["$defs"].items()}


def api_schema() -> dict[str, Any]:
    """The pages as one JSON schema with a definition each."""
    _, top = models_json_schema([(page, "serialization") for page in PAGES], schema_generator=_Plain, ref_template="#/$defs/{model}")
    _all_required(top["$defs"])
    top["$defs"] = _rename(top, "#/$defs/")
    top["title"] = "Wire"
    top["type"] = "object"
    top["additionalProperties"] = False
    top["properties"] = {page.__name__: {"$ref": f"#/$defs/{page.__name__}"} for page in PAGES}
    top["required"] = sorted(top["properties"])
    return top


def openapi() -> dict[str, Any]:
    """OpenAPI 3.1 of the routes below <base_url>/hpgov-jlab/api/v1/."""
    _, top = models_json_schema([(page, "serialization") for page in PAGES], schema_generator=_Plain, ref_template="#/components/schemas/{model}")
    _all_required(top["$defs"])
    schemas = _rename(top, "#/components/schemas/")
    paths: dict[str, Any] = {}
    for path, verb, page, summary in ROUTES:
        query = [*QUERY.get(path, ()), *(() if path == "session" else (FRESH,))]
        parameters: list[dict[str, Any]] = [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string", "maxLength": 253}} for name in ("id", "uid") if "{" + name + "}" in path
        ]
        parameters += [{"name": n, "in": "query", "required": False, "schema": s, "description": d} for n, s, d in query]
        parameters.append(
            {"name": "X-Hpgov", "in": "header", "required": True, "schema": {"type": "string", "const": "1"}, "description": "Keeps foreign pages out"}
        )
        error = {
            "description": "The request itself is wrong or not allowed",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorPage"}}},
        }
        paths["/" + path] = {
            verb: {
                "summary": summary,
                "operationId": verb + "".join(w.strip("{}").title() for w in path.split("/")),
                "parameters": parameters,
                "responses": {
                    "200": {"description": "The page", "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{page.__name__}"}}}},
                    "4XX": error,
                },
            }
        }
    return {
        "openapi": "3.1.0",
        "info": {"title": "hpgov_jlab", "version": str(API_VERSION), "description": "Read-only answers; the state of an upstream is never an HTTP status."},
        "servers": [{"url": "/hpgov-jlab/api/v1"}],
        "paths": paths,
        "components": {"schemas": schemas},
    }
