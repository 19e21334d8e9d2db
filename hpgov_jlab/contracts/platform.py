"""The platform file `hpgov.yaml`: which S3 prefixes hold platform contracts. Pure; where it may lie is checked by sources/files/platform.py.

It names no clusters, roles or regions of clusters: those come from the place alone (DESIGN.md 14, S3), and a contract kept under a named prefix is
what says that a cluster is approved. Traits name prefixes in the same form, and those stay self-declared.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..bounded import Refused, load
from ..model.contract import Problem, S3Source
from ..model.outcome import Phrase
from .schema import Choice, Field, Group, Items, Text, json_schema, validate
from .shape import API_VERSION

PLATFORM_KIND = "Platform"

_PREFIXES = Items(
    Group(
        (
            Field("bucket", Text(most=63, pattern="[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]", example="acme-contracts"), "Bucket", required=True),
            Field(
                "prefix",
                Text(most=512, pattern=r"([A-Za-z0-9_=+@,-][A-Za-z0-9_=+@,.-]{0,127}/){1,16}", example="contracts/prod/"),
                "Prefix of the contracts' keys, with a slash at its end",
                required=True,
            ),
            Field("owner", Text(most=12, pattern="[0-9]{12}", example='"111122223333"'), "AWS account that owns the bucket, in quotes", required=True),
            Field("region", Text(most=32, pattern="[a-z]{2}(-[a-z]{2,16}){1,3}-[0-9]{1,2}", example="us-west-2"), "AWS region of the bucket", required=True),
        )
    ),
    10,
)
PLATFORM = Group(
    (
        Field("apiVersion", Choice((API_VERSION,)), "Version of this format", required=True),
        Field("kind", Choice((PLATFORM_KIND,)), "What this is", required=True),
        Field("contract_prefixes", _PREFIXES, "S3 prefixes whose contracts are the platform's"),
    ),
    own_names=True,
)
_TRAIT = Group((Field("contract_prefixes", _PREFIXES, "S3 prefixes whose contracts are shown as self-declared"),))


@dataclass(frozen=True, slots=True)
class PlatformFile:
    """What the platform file says; `problems` when it does not validate, and then no sources."""

    sources: tuple[S3Source, ...] = ()
    problems: tuple[Problem, ...] = ()


def parse_platform(data: bytes, file: str = "hpgov.yaml") -> PlatformFile:
    """Read the platform file's bytes; never raises."""
    return _parse(data, file, PLATFORM, platform=True)


def trait_prefixes(items: Sequence[Any]) -> PlatformFile:
    """The same from the trait `contract_prefixes` (a list of mappings). Self-declared, whatever they say; never raises."""
    try:
        data = json.dumps({"contract_prefixes": list(items)}).encode()
    except (TypeError, ValueError):
        return PlatformFile(problems=(Problem("contract_prefixes", None, None, Phrase("json_syntax")),))
    return _parse(data, "contract_prefixes", _TRAIT, platform=False)


def _parse(data: bytes, file: str, shape: Group, *, platform: bool) -> PlatformFile:
    try:
        documents = load(data, file).documents
    except Refused as refused:
        return PlatformFile(problems=(refused.problem,))
    if len(documents) != 1:
        code = "contract_one_document" if documents else "contract_empty"
        return PlatformFile(problems=(Problem(file, 1, 1, Phrase(code)),))
    found, problems = validate(documents[0], shape, file)
    if problems:
        return PlatformFile(problems=problems)
    sources = (S3Source(item["bucket"], item["prefix"], item["owner"], item["region"], platform) for item in found.get("contract_prefixes", []))
    return PlatformFile(tuple(dict.fromkeys(sources)))


def platform_schema() -> dict[str, Any]:
    """JSON Schema of hpgov.yaml."""
    return json_schema(PLATFORM, "Platform file of hpgov_jlab", "https://hpgov-jlab.invalid/platform.schema.json")
