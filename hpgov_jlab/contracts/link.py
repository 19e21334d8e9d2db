"""Vetting of links (DESIGN.md 14, S7): parsed, https only, no userinfo, the host shown. Links are never fetched by us."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

MOST = 2048
LINK_PATTERN = r"^https://[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?(?:[/?#][!-\[\]^_`a-~]*)?$"
"""https, a plain ASCII host (punycode for others), printable ASCII without spaces, quotes kept, no backslash: browsers read it as a slash."""
_LINK = re.compile(LINK_PATTERN[1:-1])


@dataclass(frozen=True, slots=True)
class Linked:
    url: str
    host: str  # with the port where it is not 443


def link(value: str) -> Linked | None:
    """The link and its host, or None if it may not be shown as a link."""
    if len(value) > MOST or _LINK.fullmatch(value) is None:
        return None
    try:
        parts = urlsplit(value)
        port = parts.port
    except ValueError:
        return None
    host = parts.hostname or ""
    if parts.scheme != "https" or parts.username is not None or parts.password is not None:
        return None
    if not host or len(host) > 253 or any(not label or len(label) > 63 for label in host.split(".")):
        return None
    return Linked(value, host if port in (None, 443) else f"{host}:{port}")
