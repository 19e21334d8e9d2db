"""From bytes to an operation and its parameters, driven by the service models: JSON 1.1, REST-JSON, query and REST-XML (S3, path style).

Reading is strict where it matters: what does not parse is an error of the caller, and every operation of the official model is
recognised by name, so that the log can say what was asked even when the answer is a refusal.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import parse_qs, unquote

from botocore.model import OperationModel
from botocore.utils import parse_to_aware_datetime

from . import models
from .errors import Kind, error
from .sigv4 import HttpRequest

Params = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Route:
    method: str
    path: re.Pattern[str]
    query: Mapping[str, str | None]  # keys that must be there: fixed ones of the request URI (some with their value), required parameters
    headers: frozenset[str]  # headers that must be there: what tells CopyObject from PutObject
    name: str
    labels: int

    def match(self, request: HttpRequest, query: Mapping[str, list[str]]) -> re.Match[str] | None:
        if self.method != request.method or not self.headers <= request.headers.keys():
            return None
        if not all(key in query and value in (None, query[key][0]) for key, value in self.query.items()):
            return None
        return self.path.fullmatch(request.path)


def decode(request: HttpRequest, service_name: str) -> tuple[OperationModel, Params]:
    """The operation and its parameters, not yet validated. Raises AwsError for what is no request to this service."""
    protocol = models.protocol(service_name)
    if protocol == "json":
        return _decode_json(request, service_name)
    if protocol == "query":
        return _decode_query(request, service_name)
    return _decode_rest(request, service_name, protocol)


def _unknown(service_name: str, what: str) -> Exception:
    return error(Kind.UNKNOWN_OPERATION, models.protocol(service_name), f"{service_name} has no operation {what}")


def _json(body: bytes, protocol: str) -> Params:
    try:
        found = json.loads(body or b"{}")
    except ValueError:
        raise error(Kind.INVALID, protocol, "the body is not JSON") from None
    if not isinstance(found, dict):
        raise error(Kind.INVALID, protocol, "the body is not a JSON object")
    return found


def _decode_json(request: HttpRequest, service_name: str) -> tuple[OperationModel, Params]:
    prefix, _, name = request.headers.get("x-amz-target", "").partition(".")
    model = models.service(service_name)
    if prefix != model.metadata.get("targetPrefix") or name not in model.operation_names:
        raise _unknown(service_name, f"{prefix}.{name}")
    found = model.operation_model(name)
    return found, _from_json(found.input_shape, _json(request.body, "json"))


def _decode_query(request: HttpRequest, service_name: str) -> tuple[OperationModel, Params]:
    text = request.body.decode("utf-8", "strict") if request.method == "POST" else request.query
    flat = {name: values[0] for name, values in parse_qs(text, keep_blank_values=True).items() if not name.startswith("X-Amz-")}
    name, model = flat.pop("Action", ""), models.service(service_name)
    flat.pop("Version", None)
    if name not in model.operation_names:
        raise _unknown(service_name, name)
    found = model.operation_model(name)
    return found, _from_query(found.input_shape, flat, "") if found.input_shape else {}


@cache
def _routes(service_name: str) -> tuple[Route, ...]:
    model, found = models.service(service_name), []
    for name in model.operation_names:
        operation = model.operation_model(name)
        http = operation.http
        shape: Any = operation.input_shape
        required: dict[str, set[str]] = {"header": set(), "querystring": set()}
        for member in shape.required_members if shape is not None else ():
            how = shape.members[member].serialization
            if how.get("location") in required:
                wire = str(how.get("name", member))
                required[str(how["location"])].add(wire.lower() if how["location"] == "header" else wire)
        path, _, query = str(http["requestUri"]).partition("?")
        expression = re.sub(r"\\\{(\w+)(\\\+)?\\\}", lambda m: f"(?P<{m[1]}>{'.+' if m[2] else '[^/]+'})", re.escape(path))
        fixed: dict[str, str | None] = dict.fromkeys(required["querystring"])
        for part in filter(None, query.split("&")):
            key, equals, value = part.partition("=")
            fixed[key] = value if equals else None
        found.append(Route(str(http["method"]), re.compile(expression + "/?"), fixed, frozenset(required["header"]), name, path.count("{")))
    # fixed segments win over labels, and the route that asks for more over the one that asks for less
    return tuple(sorted(found, key=lambda route: (route.labels, -len(route.query) - len(route.headers))))


def _decode_rest(request: HttpRequest, service_name: str, protocol: str) -> tuple[OperationModel, Params]:
    query = parse_qs(request.query, keep_blank_values=True)
    for route in _routes(service_name):
        match = route.match(request, query)
        if match is not None:
            break
    else:
        raise _unknown(service_name, f"{request.method} {request.path}")
    found = models.operation(service_name, route.name)
    shape: Any = found.input_shape
    params: Params = {}
    if protocol == "rest-json" and request.body:
        params = _from_json(shape, _json(request.body, protocol))
    for name, member in shape.members.items() if shape else ():
        where, wire = member.serialization.get("location"), str(member.serialization.get("name", name))
        if where == "uri":
            params[name] = unquote(match[wire])
        elif where == "querystring" and wire in query:
            params[name] = [_scalar(member.member, value) for value in query[wire]] if member.type_name == "list" else _scalar(member, query[wire][0])
        elif where == "header" and wire.lower() in request.headers:
            text = request.headers[wire.lower()]
            params[name] = [_scalar(member.member, part.strip()) for part in text.split(",")] if member.type_name == "list" else _scalar(member, text)
    return found, params


def _scalar(shape: Any, text: str) -> Any:
    """A value that came as text; text that is no such value stays text, for the validator to complain about."""
    try:
        if shape.type_name in ("integer", "long"):
            return int(text)
        if shape.type_name in ("float", "double"):
            return float(text)
        if shape.type_name == "timestamp":
            return parse_to_aware_datetime(text)
    except ValueError:
        return text
    if shape.type_name == "boolean":
        return {"true": True, "false": False}.get(text, text)
    return text


def _from_json(shape: Any, value: Any) -> Any:
    """Wire names to member names, and times to times; everything else as JSON has it. Unknown members are kept: they are an error."""
    kind = shape.type_name if shape is not None else ""
    if kind == "structure" and isinstance(value, dict):
        names = {str(member.serialization.get("name", name)): (name, member) for name, member in shape.members.items()}
        found = {}
        for wire, member_value in value.items():
            name, member = names.get(wire, (wire, None))
            found[name] = _from_json(member, member_value) if member is not None else member_value
        return found
    if kind == "list" and isinstance(value, list):
        return [_from_json(shape.member, member) for member in value]
    if kind == "map" and isinstance(value, dict):
        return {name: _from_json(shape.value, member) for name, member in value.items()}
    if kind == "timestamp" and isinstance(value, (int, float, str)):
        stamp: Any = value  # the stubs say str, botocore takes numbers too
        return parse_to_aware_datetime(stamp)
    return value


def _from_query(shape: Any, flat: Mapping[str, str], prefix: str) -> Any:
    kind = shape.type_name
    if kind == "structure":
        found: Params = {}
        for name, member in shape.members.items():
            key = prefix + str(member.serialization.get("name", name))
            if any(given == key or given.startswith(f"{key}.") for given in flat):
                found[name] = _from_query(member, flat, f"{key}." if member.type_name == "structure" else key)
        return found
    if kind == "list":
        stem = prefix if shape.serialization.get("flattened") else f"{prefix}.{shape.member.serialization.get('name', 'member')}"
        numbers = {given[len(stem) + 1 :].split(".")[0] for given in flat if given.startswith(f"{stem}.")}
        end = "." if shape.member.type_name == "structure" else ""
        return [_from_query(shape.member, flat, f"{stem}.{number}{end}") for number in sorted((n for n in numbers if n.isdigit()), key=int)]
    if kind == "map":
        raise NotImplementedError("no operation of the sandbox has a map in the query protocol")
    return _scalar(shape, flat[prefix])
