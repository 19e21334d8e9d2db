"""Is an answer AWS's, and is it whole? botocore takes an HTML page with status 200 for a successful empty answer (facts/aws.md 6.3)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from ...policy.aws import BY_OPERATION
from .errors import BadAnswer
from .transport import NotAws

_TYPES: dict[str, Any] = {
    "structure": dict,
    "map": dict,
    "list": list,
    "string": str,
    "integer": int,
    "long": int,
    "float": (int, float),
    "double": (int, float),
    "boolean": bool,
    "timestamp": datetime,
}


def check_source(service: str, protocol: str, response: Any) -> None:
    """Raises NotAws for what AWS does not send: a page of a proxy or a captive portal."""
    status, kind = response.status_code, str(response.headers.get("content-type", "")).lower()
    if status == 407:
        raise NotAws(status=status)
    if status < 300:
        word = "json" if protocol in ("json", "rest-json") else "xml"
        good = "x-amz-request-id" in response.headers if service == "s3" else word in kind
    elif status < 500:
        good = "html" not in kind and (service == "s3" or status >= 400)
    else:
        good = True  # front ends of AWS answer some 5xx with a page: retried and told as out of order
    if not good:
        raise NotAws(status=status)


def check_members(parsed: dict[str, Any], model: Any, http_response: Any, **_: Any) -> None:
    """Raises BadAnswer for a success without the members that the model requires or our table names, or with members of other types than the model's.

    Required members further down are not asked for: a node that is being provisioned has none of some that the model requires.
    """
    if http_response.status_code >= 300:
        return
    allowed = BY_OPERATION.get((model.service_model.service_id.hyphenize(), model.name))
    required = list(model.output_shape.required_members) if model.output_shape is not None else []
    wrong = [m for m in (*required, *(allowed.answer if allowed else ())) if parsed.get(m) is None]
    if model.output_shape is not None:
        wrong += _other_types(model.output_shape, parsed, "")
    if wrong:
        raise BadAnswer(operation=model.name, missing=", ".join(wrong[:5]))


def _halved(text: str) -> bool:
    """Half a surrogate pair, which JSON can spell and no answer of ours can carry: it would make a fault of the whole page."""
    return not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text)


def _other_types(shape: Any, value: Any, path: str) -> Iterator[str]:
    """Paths of values that are not of their shape's type: what reads such an answer may then trust the types."""
    kind = _TYPES.get(shape.type_name)
    if value is None or kind is None:  # blobs are streams
        return
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool) or (isinstance(value, str) and _halved(value)):
        yield path or shape.name
    elif shape.type_name == "structure":
        for name, member in shape.members.items():
            if name in value:
                yield from _other_types(member, value[name], f"{path}.{name}")
    elif shape.type_name == "list":
        for item in value:
            yield from _other_types(shape.member, item, f"{path}[]")
    elif shape.type_name == "map":
        for item in value.values():
            yield from _other_types(shape.value, item, f"{path}{{}}")
