"""botocore's service models: the official word on what a request and an answer may be, and the check of both against it.

botocore's own validator leaves out enums, patterns, upper bounds and unknown members of answers (facts/aws.md 2); `check` adds them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from botocore.loaders import Loader
from botocore.model import OperationModel, ServiceModel
from botocore.validate import ParamValidator

SERVICES = ("sagemaker", "datazone", "eks", "sts", "s3")

# Only the models that botocore ships: AWS_DATA_PATH and ~/.aws/models may hold private ones (facts/aws.md 4.4).
_LOADER = Loader(extra_search_paths=[Loader.BUILTIN_DATA_PATH], include_default_search_paths=False)
_VALIDATOR = ParamValidator()


@cache
def service(name: str) -> ServiceModel:
    """The model of one service of `SERVICES`."""
    return ServiceModel(_LOADER.load_service_model(name, "service-2"), name)


def operation(service_name: str, name: str) -> OperationModel:
    return service(service_name).operation_model(name)


def protocol(service_name: str) -> str:
    """json, rest-json, query or rest-xml: the one botocore really speaks."""
    return str(service(service_name).resolved_protocol)


@cache
def _pattern(text: str) -> re.Pattern[str] | None:
    try:
        return re.compile(text)
    except re.error:  # \p{L} and the like: Python's re has no Unicode categories, such members go unchecked
        return None


def check(shape: Any, value: Any) -> list[str]:
    """Everything in which `value` breaks `shape` (a botocore Shape, None for "no members"); empty when it conforms."""
    if shape is None:
        return [f"unexpected members {sorted(value)}"] if value else []
    report = _VALIDATOR.validate(value, shape)
    found = [report.generate_report()] if report.has_errors() else []
    return found + list(_beyond(shape, value, ""))


def _beyond(shape: Any, value: Any, path: str) -> Iterator[str]:
    """What ParamValidator does not look at: unknown members, enums, patterns, upper bounds."""
    if value is None:
        return
    limits, kind = shape.metadata, shape.type_name
    if kind == "structure" and isinstance(value, Mapping):
        for name, member in value.items():
            if name not in shape.members:
                yield f"Unknown member '{path}{name}'"
            else:
                yield from _beyond(shape.members[name], member, f"{path}{name}.")
    elif kind == "list" and isinstance(value, (list, tuple)):
        for index, member in enumerate(value):
            yield from _beyond(shape.member, member, f"{path}{index}.")
    elif kind == "map" and isinstance(value, Mapping):
        for name, member in value.items():
            yield from _beyond(shape.key, name, f"{path}{name}.")
            yield from _beyond(shape.value, member, f"{path}{name}.")
    where = f"Value '{value}' at '{path.rstrip('.')}' failed to satisfy constraint: "
    most = limits.get("max")
    if most is not None:
        if kind in ("string", "list", "map") and len(value) > most:
            yield f"{where}Member must have length less than or equal to {most}"
        elif kind in ("integer", "long", "float", "double") and value > most:
            yield f"{where}Member must have value less than or equal to {most}"
    if kind == "string":
        if shape.enum and value not in shape.enum:
            yield f"{where}Member must satisfy enum value set: [{', '.join(shape.enum)}]"
        expression = limits.get("pattern")
        compiled = _pattern(expression) if expression else None
        if compiled is not None and not compiled.fullmatch(value):
            yield f"{where}Member must satisfy regular expression pattern: {expression}"
