"""Signature Version 4 from the receiving side: read a signature, compute what it should be.

Written from AWS's description and not with botocore's signer, so that a client is held against something other than itself.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from urllib.parse import quote, unquote

_ALGORITHM = "AWS4-HMAC-SHA256"
_AUTHORIZATION = re.compile(
    rf"{_ALGORITHM} Credential=(?P<credential>[^,\s]+),\s*SignedHeaders=(?P<headers>[^,\s]+),\s*Signature=(?P<signature>[0-9a-f]{{64}})"
)


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request as it came: `target` is the raw request target, header names are in lower case."""

    method: str
    target: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False, default=b"")

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]

    @property
    def query(self) -> str:
        return self.target.partition("?")[2]

    def arguments(self) -> dict[str, str]:
        """The query, decoded; the first of several values wins."""
        found: dict[str, str] = {}
        for part in self.query.split("&"):
            name, _, value = part.partition("=")
            if name:
                found.setdefault(unquote(name.replace("+", " ")), unquote(value.replace("+", " ")))
        return found


@dataclass(frozen=True, slots=True)
class Signature:
    """What a request says about who signed it, when, and over what."""

    key_id: str
    date: str  # yyyymmdd of the scope
    region: str
    service: str
    at: str  # X-Amz-Date
    signed_headers: tuple[str, ...]
    value: str = field(repr=False)
    token: str | None = field(repr=False)
    presigned: bool
    expires: int | None = None  # seconds, of a presigned URL

    def signed_at(self) -> float | None:
        """Epoch seconds of X-Amz-Date, None when it is no date."""
        try:
            return datetime.strptime(self.at, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC).timestamp()
        except ValueError:
            return None


def read(request: HttpRequest) -> Signature | None:
    """The signature of a request, from its Authorization header or its query; None when there is none that can be read."""
    match = _AUTHORIZATION.fullmatch(request.headers.get("authorization", ""))
    if match is not None:
        return _signature(
            match["credential"],
            request.headers.get("x-amz-date", ""),
            match["headers"],
            match["signature"],
            request.headers.get("x-amz-security-token"),
            presigned=False,
        )
    query = request.arguments()
    if query.get("X-Amz-Algorithm") == _ALGORITHM and query.get("X-Amz-Expires", "").isdigit():
        return _signature(
            query.get("X-Amz-Credential", ""),
            query.get("X-Amz-Date", ""),
            query.get("X-Amz-SignedHeaders", ""),
            query.get("X-Amz-Signature", ""),
            query.get("X-Amz-Security-Token"),
            presigned=True,
            expires=int(query["X-Amz-Expires"]),
        )
    return None


def _signature(credential: str, at: str, headers: str, value: str, token: str | None, *, presigned: bool, expires: int | None = None) -> Signature | None:
    parts = credential.split("/")
    if len(parts) != 5 or parts[4] != "aws4_request":
        return None
    return Signature(parts[0], parts[1], parts[2], parts[3], at, tuple(headers.split(";")), value, token, presigned, expires)


def matches(request: HttpRequest, signature: Signature, secret: str) -> bool:
    """Whether `secret` makes the signature that the request carries. The body must be what its hash says, too."""
    declared = request.headers.get("x-amz-content-sha256")
    actual = hashlib.sha256(request.body).hexdigest()
    if declared not in (None, "UNSIGNED-PAYLOAD", actual):
        return False
    if not signature.at.startswith(signature.date) or "host" not in signature.signed_headers:
        return False
    if any(name not in request.headers for name in signature.signed_headers):
        return False
    canonical = "\n".join(
        (
            request.method,
            request.path if signature.service == "s3" else quote(request.path, safe="/~"),
            _canonical_query(request.query),
            "".join(f"{name}:{' '.join(request.headers[name].split())}\n" for name in signature.signed_headers),
            ";".join(signature.signed_headers),
            declared or actual,
        )
    )
    scope = f"{signature.date}/{signature.region}/{signature.service}/aws4_request"
    to_sign = "\n".join((_ALGORITHM, signature.at, scope, hashlib.sha256(canonical.encode()).hexdigest()))
    key = f"AWS4{secret}".encode()
    for part in (signature.date, signature.region, signature.service, "aws4_request"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return hmac.compare_digest(hmac.new(key, to_sign.encode(), hashlib.sha256).hexdigest(), signature.value)


def _canonical_query(query: str) -> str:
    pairs = [(name, value) for name, _, value in (part.partition("=") for part in query.split("&")) if name and name != "X-Amz-Signature"]
    return "&".join(f"{name}={value}" for name, value in sorted(pairs))
