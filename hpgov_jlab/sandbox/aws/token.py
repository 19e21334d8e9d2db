"""What EKS does with a bearer token: it is a presigned GetCallerIdentity, and STS's word on it is the caller (facts/aws.md 4.8, facts/kubernetes.md 3.5)."""

from __future__ import annotations

import base64
import binascii
from urllib.parse import urlsplit

from . import sigv4
from .keys import KeyStore, Principal
from .sigv4 import HttpRequest

PREFIX = "k8s-aws-v1."
CLUSTER_HEADER = "x-k8s-aws-id"
_ACCEPTED = 15 * 60  # seconds from X-Amz-Date
_AHEAD = 5 * 60  # STS's limit for clocks that run ahead
_QUERY = frozenset(
    {
        "Action",
        "Version",
        "X-Amz-Algorithm",
        "X-Amz-Credential",
        "X-Amz-Date",
        "X-Amz-Expires",
        "X-Amz-Security-Token",
        "X-Amz-SignedHeaders",
        "X-Amz-Signature",
    }
)


def caller_of(token: str, cluster_name: str, region: str, keys: KeyStore, now: float, *, own_url: str) -> Principal | None:
    """Whose token this is, for the cluster of this name and Region; None where EKS answers 401.

    The cluster's name is signed but not in the URL: like EKS, we put our own name in and see whether the signature then matches. The host is that of
    STS in the cluster's Region, or `own_url`: this far end, which is STS for a client that was told so. The Region is in the signature either way.
    """
    url = _url(token)
    if url is None:
        return None
    parts = urlsplit(url)
    if f"{parts.scheme}://{parts.netloc}" not in (f"https://sts.{region}.amazonaws.com", own_url) or parts.path not in ("", "/"):
        return None
    request = HttpRequest("GET", f"{parts.path or '/'}?{parts.query}", {"host": parts.netloc, CLUSTER_HEADER: cluster_name})
    query, signature = request.arguments(), sigv4.read(request)
    if signature is None or set(query) - _QUERY or query.get("Action") != "GetCallerIdentity":
        return None
    issued, signed_at = keys.find(signature.key_id), signature.signed_at()
    if issued is None or issued.token != signature.token or issued.expires <= now:
        return None
    if signed_at is None or now > signed_at + _ACCEPTED or now < signed_at - _AHEAD:
        return None
    if signature.region != region or signature.service != "sts" or CLUSTER_HEADER not in signature.signed_headers:
        return None
    return issued.principal if sigv4.matches(request, signature, issued.secret) else None


def _url(token: str) -> str | None:
    if not token.startswith(PREFIX):
        return None
    body = token.removeprefix(PREFIX)
    try:
        return base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)).decode("ascii")
    except (binascii.Error, ValueError):
        return None
