"""From an answer to bytes, driven by the service models; and the errors of each protocol. The other half of `decode.py`."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any
from xml.sax.saxutils import escape

from botocore.model import OperationModel
from botocore.utils import parse_to_aware_datetime

from . import models
from .errors import AwsError


@dataclass(slots=True)
class HttpAnswer:
    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


def answer(operation: OperationModel, value: dict[str, Any]) -> HttpAnswer:
    """A successful answer: `value` has been checked against the model."""
    protocol = models.protocol(operation.service_model.service_name)
    request_id = str(uuid.uuid4())
    if protocol == "query":
        return HttpAnswer(200, {"Content-Type": "text/xml", "x-amzn-RequestId": request_id}, _query_document(operation, value, request_id))
    shape = operation.output_shape
    headers = {"x-amz-request-id" if protocol == "rest-xml" else "x-amzn-RequestId": request_id}
    body = {}
    for name, member_value in value.items():
        member = shape.members[name] if shape is not None else None
        if member_value is None or member is None:
            continue
        where = member.serialization.get("location")
        if where == "header":
            headers[str(member.serialization.get("name", name))] = _text(member, member_value, "rfc822")
        elif where is None:
            body[name] = member_value
        else:
            raise NotImplementedError(f"{operation.name}: answers with a member in {where}")
    payload = shape.serialization.get("payload") if shape is not None else None
    if payload is not None:
        return HttpAnswer(206 if "ContentRange" in value else 200, headers, body.get(str(payload), b""))
    if protocol == "rest-xml":
        return HttpAnswer(200, {**headers, "Content-Type": "application/xml"}, _rest_document(operation, body) if body else b"")
    content = "application/x-amz-json-1.1" if protocol == "json" else "application/json"
    return HttpAnswer(200, {**headers, "Content-Type": content}, json.dumps(to_wire(shape, body)).encode())


def failure(protocol: str, what: AwsError, resource: str = "") -> HttpAnswer:
    """An error as this protocol writes it."""
    request_id = str(uuid.uuid4())
    code, message = escape(what.code), escape(what.message)
    if protocol == "query":
        kind = "Sender" if what.status < 500 else "Receiver"
        inner = f"<Error><Type>{kind}</Type><Code>{code}</Code><Message>{message}</Message></Error><RequestId>{request_id}</RequestId>"
        text = f"<ErrorResponse>{inner}</ErrorResponse>"
        return HttpAnswer(what.status, {"Content-Type": "text/xml", "x-amzn-RequestId": request_id, **what.headers}, text.encode())
    if protocol == "rest-xml":
        members = {"Code": what.code, "Message": what.message, **what.more, "Resource": resource, "RequestId": request_id}
        text = "<Error>" + "".join(f"<{name}>{escape(member)}</{name}>" for name, member in members.items()) + "</Error>"
        return HttpAnswer(
            what.status,
            {"Content-Type": "application/xml", "x-amz-request-id": request_id, **what.headers},
            b'<?xml version="1.0" encoding="UTF-8"?>\n' + text.encode(),
        )
    content = "application/x-amz-json-1.1" if protocol == "json" else "application/json"
    headers = {"Content-Type": content, "x-amzn-RequestId": request_id, "x-amzn-ErrorType": what.code, **what.headers}
    return HttpAnswer(what.status, headers, json.dumps({"__type": what.code, "message": what.message}).encode())


def to_wire(shape: Any, value: Any) -> Any:
    """Member names to wire names, and times to what JSON protocols send (epoch seconds, ISO where the model says so)."""
    kind = shape.type_name if shape is not None else ""
    if kind == "structure":
        return {
            str(shape.members[name].serialization.get("name", name)): to_wire(shape.members[name], member)
            for name, member in value.items()
            if member is not None
        }
    if kind == "list":
        return [to_wire(shape.member, member) for member in value]
    if kind == "map":
        return {name: to_wire(shape.value, member) for name, member in value.items()}
    if kind == "timestamp":
        given = shape.serialization.get("timestampFormat", "unixTimestamp")
        return parse_to_aware_datetime(value).timestamp() if given == "unixTimestamp" else _text(shape, value, "iso8601")
    return value


def _text(shape: Any, value: Any, time_format: str) -> str:
    if shape.type_name == "boolean":
        return "true" if value else "false"
    if shape.type_name == "timestamp":
        moment: datetime = parse_to_aware_datetime(value).astimezone(UTC)
        given = shape.serialization.get("timestampFormat", time_format)
        if given == "rfc822":
            return format_datetime(moment, usegmt=True)
        return moment.strftime("%Y-%m-%dT%H:%M:%SZ") if given == "iso8601" else str(int(moment.timestamp()))
    if shape.type_name == "list":
        return ",".join(_text(shape.member, member, time_format) for member in value)
    return str(value)


def _xml(shape: Any, value: Any, name: str) -> str:
    if shape.type_name == "structure":
        inner = "".join(
            _xml(shape.members[key], member, str(shape.members[key].serialization.get("name", key))) for key, member in value.items() if member is not None
        )
        return f"<{name}>{inner}</{name}>"
    if shape.type_name == "list":
        if shape.serialization.get("flattened"):
            return "".join(_xml(shape.member, member, name) for member in value)
        inner_name = str(shape.member.serialization.get("name", "member"))
        return f"<{name}>" + "".join(_xml(shape.member, member, inner_name) for member in value) + f"</{name}>"
    if shape.type_name == "map":
        raise NotImplementedError("no answer of the sandbox has a map in XML")
    return f"<{name}>{escape(_text(shape, value, 'iso8601'))}</{name}>"


def _query_document(operation: OperationModel, value: dict[str, Any], request_id: str) -> bytes:
    shape: Any = operation.output_shape
    result = _xml(shape, value, str(shape.serialization.get("resultWrapper", f"{operation.name}Result"))) if shape is not None else ""
    namespace = operation.service_model.metadata.get("xmlNamespace", "")
    metadata = f"<ResponseMetadata><RequestId>{request_id}</RequestId></ResponseMetadata>"
    return f'<{operation.name}Response xmlns="{namespace}">{result}{metadata}</{operation.name}Response>'.encode()


def _rest_document(operation: OperationModel, body: dict[str, Any]) -> bytes:
    # botocore reads no root name; S3 calls the root of ListObjectsV2 so, and it is the only document that the sandbox sends
    root = {"ListObjectsV2": "ListBucketResult"}.get(operation.name, f"{operation.name}Result")
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + _xml(operation.output_shape, body, root).encode()
