"""How each AWS protocol says that something went wrong (facts/aws.md 6.2)."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """Errors that every service has, each under its own name per protocol."""

    DENIED = "denied"
    EXPIRED = "expired"
    UNKNOWN_KEYS = "unknown_keys"
    NO_KEYS = "no_keys"
    SIGNATURE = "signature"
    CLOCK = "clock"
    THROTTLED = "throttled"
    INVALID = "invalid"
    UNKNOWN_OPERATION = "unknown_operation"
    BROKEN = "broken"  # the sandbox broke its own promise: a test must see it


# protocol -> (code, HTTP status)
_CODES: dict[Kind, dict[str, tuple[str, int]]] = {
    Kind.DENIED: {
        "json": ("AccessDeniedException", 400),
        "rest-json": ("AccessDeniedException", 403),
        "query": ("AccessDenied", 403),
        "rest-xml": ("AccessDenied", 403),
    },
    Kind.EXPIRED: {
        "json": ("ExpiredTokenException", 400),
        "rest-json": ("ExpiredTokenException", 403),
        "query": ("ExpiredToken", 403),
        "rest-xml": ("ExpiredToken", 400),
    },
    Kind.UNKNOWN_KEYS: {
        "json": ("UnrecognizedClientException", 400),
        "rest-json": ("UnrecognizedClientException", 403),
        "query": ("InvalidClientTokenId", 403),
        "rest-xml": ("InvalidAccessKeyId", 403),
    },
    Kind.NO_KEYS: {
        "json": ("MissingAuthenticationTokenException", 400),
        "rest-json": ("MissingAuthenticationTokenException", 403),
        "query": ("MissingAuthenticationToken", 403),
        "rest-xml": ("AccessDenied", 403),
    },
    Kind.SIGNATURE: {
        "json": ("InvalidSignatureException", 400),
        "rest-json": ("InvalidSignatureException", 403),
        "query": ("SignatureDoesNotMatch", 403),
        "rest-xml": ("SignatureDoesNotMatch", 403),
    },
    Kind.CLOCK: {
        "json": ("InvalidSignatureException", 400),
        "rest-json": ("InvalidSignatureException", 403),
        "query": ("SignatureDoesNotMatch", 403),
        "rest-xml": ("RequestTimeTooSkewed", 403),
    },
    Kind.THROTTLED: {
        "json": ("ThrottlingException", 400),
        "rest-json": ("ThrottlingException", 429),
        "query": ("Throttling", 400),
        "rest-xml": ("SlowDown", 503),
    },
    Kind.INVALID: {
        "json": ("ValidationException", 400),
        "rest-json": ("ValidationException", 400),
        "query": ("ValidationError", 400),
        "rest-xml": ("InvalidArgument", 400),
    },
    Kind.UNKNOWN_OPERATION: {
        "json": ("UnknownOperationException", 400),
        "rest-json": ("UnknownOperationException", 404),
        "query": ("InvalidAction", 400),
        "rest-xml": ("MethodNotAllowed", 405),
    },
    Kind.BROKEN: dict.fromkeys(("json", "rest-json", "query", "rest-xml"), ("SandboxModelError", 501)),
}


class AwsError(Exception):
    """One error as it leaves: a code, a message, an HTTP status; headers and further members of the document where S3 sends some."""

    def __init__(self, code: str, message: str, status: int = 400, *, headers: dict[str, str] | None = None, more: dict[str, str] | None = None) -> None:
        super().__init__(f"{code}: {message}")
        self.code, self.message, self.status, self.headers, self.more = code, message, status, headers or {}, more or {}


def error(kind: Kind, protocol: str, message: str, *, service: str = "") -> AwsError:
    """The error of this kind as this protocol names it."""
    code, status = _CODES[kind][protocol]
    if kind is Kind.INVALID and service == "eks":
        code = "InvalidParameterException"
    return AwsError(code, message, status)
