"""Every operation in scope, with random values: botocore's serializer against our decoder, our encoder against botocore's parser."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import botocore.parsers
import botocore.serialize
import pytest
from botocore.awsrequest import HeadersDict, create_request_object, prepare_request_dict
from botocore.utils import parse_to_aware_datetime

from hpgov_jlab.sandbox.aws import models
from hpgov_jlab.sandbox.aws.decode import decode
from hpgov_jlab.sandbox.aws.encode import answer
from hpgov_jlab.sandbox.aws.services import OPERATIONS
from hpgov_jlab.sandbox.aws.sigv4 import HttpRequest

ROUNDS = 25


class Values:
    """Random values of a shape, which need not obey patterns: the wire has no opinion on them."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)

    def of(self, shape: Any, depth: int = 0) -> Any:
        kind, limits = shape.type_name, shape.metadata
        if kind == "structure":
            names = list(shape.members)
            if getattr(shape, "is_tagged_union", False):
                names = [self.random.choice(names)]
            else:
                chosen = [n for n in names if n in shape.required_members or (depth < 4 and self.random.random() < 0.5)]
                names = chosen or names[:1]  # the query protocol has no way to write a structure without members
            return {name: self.of(shape.members[name], depth + 1) for name in names}
        if kind == "list":
            least = max(1, limits.get("min", 0))
            return [self.of(shape.member, depth + 1) for _ in range(self.random.randint(least, least + 1))]
        if kind == "map":
            return {str(self.of(shape.key, depth + 1)): self.of(shape.value, depth + 1)}
        if kind == "string":
            text = "v" * max(limits.get("min", 1), 1)
            return self.random.choice(shape.enum) if shape.enum else text + self.random.choice(["", "a b", "é", "x:y", "%2F", "<&>", '"'])
        if kind in ("integer", "long"):
            return self.random.randint(limits.get("min", 0), limits.get("min", 0) + 50)
        if kind == "boolean":
            return self.random.random() < 0.5
        if kind == "timestamp":
            return datetime(2026, self.random.randint(1, 12), self.random.randint(1, 28), self.random.randint(0, 23), 5, 6, tzinfo=UTC)
        return b"bytes"


def plain(shape: Any, value: Any) -> Any:
    """Times as seconds and absent members left out, so that two values can be compared."""
    kind = shape.type_name if shape is not None else ""
    if kind == "structure":
        return {name: plain(shape.members[name], member) for name, member in value.items() if name in shape.members and member is not None}
    if kind == "list":
        return [plain(shape.member, member) for member in value]
    if kind == "map":
        return {name: plain(shape.value, member) for name, member in value.items()}
    if kind == "timestamp":
        return parse_to_aware_datetime(value).timestamp()
    if kind == "blob" and hasattr(value, "read"):
        return value.read()
    return value


def header_safe(shape: Any, value: dict[str, Any]) -> dict[str, Any]:
    """Texts that go into headers hold what a header can hold; maps of headers are not sent by this far end."""
    out = {}
    for name, member in value.items():
        where = shape.members[name].serialization.get("location")
        if where == "headers":
            continue
        out[name] = member.encode("ascii", "ignore").decode() if where == "header" and isinstance(member, str) else member
    return out


@pytest.mark.parametrize(("service", "name"), sorted(OPERATIONS), ids=[":".join(each) for each in sorted(OPERATIONS)])
def test_requests(service: str, name: str) -> None:
    model, values = models.operation(service, name), Values(f"in {service} {name}")
    serializer = botocore.serialize.create_serializer(models.protocol(service), include_validation=False)
    shape: Any = model.input_shape
    for _ in range(ROUNDS):
        params = header_safe(shape, values.of(shape)) if shape is not None else {}
        if service == "s3":
            params["Bucket"] = "bucket-name"
        if "OptionalObjectAttributes" in params:  # a list in a header: comma-separated
            params["OptionalObjectAttributes"] = ["RestoreStatus"]
        prepared = serializer.serialize_to_request(dict(params), model)
        prepare_request_dict(prepared, "http://127.0.0.1:1", context={})
        sent = create_request_object(prepared).prepare()
        body = sent.body or b""
        parts = urlsplit(sent.url)
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        headers = {key.lower(): value.decode() if isinstance(value, bytes) else str(value) for key, value in sent.headers.items()}
        got_model, got = decode(HttpRequest(sent.method, target, headers, body.encode() if isinstance(body, str) else body), service)
        assert got_model.name == name
        assert plain(shape, got) == plain(shape, params)


@pytest.mark.parametrize(("service", "name"), sorted(OPERATIONS), ids=[":".join(each) for each in sorted(OPERATIONS)])
def test_answers(service: str, name: str) -> None:
    model, values = models.operation(service, name), Values(f"out {service} {name}")
    parser = botocore.parsers.create_parser(models.protocol(service))
    shape: Any = model.output_shape
    for _ in range(ROUNDS):
        given = without_xml_maps(shape, header_safe(shape, values.of(shape))) if models.protocol(service) in ("query", "rest-xml") else values.of(shape)
        made = answer(model, given)
        body: Any = made.body
        got = parser.parse({"body": body, "headers": HeadersDict(made.headers), "status_code": made.status}, shape)
        for extra in ("ResponseMetadata", "Metadata", "Body"):  # the parser's own; of no header; compared as bytes
            got.pop(extra, None)
        if "Body" in given:
            assert body == given.pop("Body")
        assert plain(shape, got) == plain(shape, given)


def without_xml_maps(shape: Any, value: Any) -> Any:
    """XML maps are not built: no answer of the far end has one, and `encode` raises on them."""
    if shape.type_name == "structure":
        return {name: without_xml_maps(shape.members[name], member) for name, member in value.items() if shape.members[name].type_name != "map"}
    if shape.type_name == "list":
        return [without_xml_maps(shape.member, member) for member in value]
    return value
