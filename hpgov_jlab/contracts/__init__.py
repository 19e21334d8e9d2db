"""Connection contracts, pure: parse, validate, match, lifecycle, which record wins, scope, draft (DESIGN.md 6). No I/O and no clock: time comes in."""

from .decide import SourceState, decide
from .draft import Known, draft
from .lifecycle import CLOSED, OPEN, attention
from .link import Linked, link
from .platform import PlatformFile, parse_platform, platform_schema, trait_prefixes
from .record import ANNOTATION, Parsed, from_annotation, parse
from .scope import claimed, scope
from .shape import contract_schema

__all__ = [
    "ANNOTATION",
    "CLOSED",
    "OPEN",
    "Known",
    "Linked",
    "Parsed",
    "PlatformFile",
    "SourceState",
    "attention",
    "claimed",
    "contract_schema",
    "decide",
    "draft",
    "from_annotation",
    "link",
    "parse",
    "parse_platform",
    "platform_schema",
    "scope",
    "trait_prefixes",
]
