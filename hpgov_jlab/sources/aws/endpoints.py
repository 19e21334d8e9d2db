"""Which hosts may be spoken to (DESIGN.md 14, S9). The only place where an address that somebody configured becomes one that is used."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import SplitResult, urlsplit

from ...model.outcome import Ask, Failure, Layer, State
from ...policy.aws_names import SUFFIXES, is_region, partition_of

_SERVICE_LABELS = {
    "datazone": r"datazone(?:-fips)?",
    "sagemaker": r"api(?:-fips)?\.sagemaker",
    "eks": r"(?:fips\.)?eks",
    "sts": r"sts(?:-fips)?",
    "s3": r"(?:bucket\.)?(?:vpce-[a-z0-9-]{1,80}\.)?s3(?:-fips)?(?:\.dualstack)?",
}
SERVICES = frozenset(_SERVICE_LABELS)


def check_region(region: str | None, where: str) -> str:
    """The Region, if it has the form of one (checked whole, before any URL is built). Raises Failure(INVALID)."""
    if not is_region(region):
        raise Failure(State.INVALID, "region_malformed", {"where": where}, layer=Layer.PROJECT, ask=Ask.JUPYTER_ADMIN)
    assert region is not None
    return region


def _split(service: str, url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        raise refused(service) from None
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment or parts.path not in ("", "/") or not url.isascii():
        raise refused(service)
    return parts


def refused(service: str) -> Failure:
    return Failure(State.INVALID, "endpoint_not_allowed", {"service": service}, layer=Layer.PROJECT, ask=Ask.JUPYTER_ADMIN)


def is_loopback(host: str | None) -> bool:
    if host is None:
        return False
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def region_of(service: str, url: str, *, sandbox: bool) -> str | None:
    """Vet an endpoint for one service and return the Region its host names; None for a loopback endpoint, which serves any.

    Allowed: https on 443 with that service's own host name under an AWS suffix (public, FIPS, dual-stack or a VPC endpoint of the service); in
    sandbox mode only: http or https on loopback. A mere suffix is not enough, since customers' hosts end in it too (API Gateway, load balancers,
    buckets). Raises Failure(INVALID, "endpoint_not_allowed").
    """
    if service not in _SERVICE_LABELS:
        raise refused(service if re.fullmatch(r"[a-z0-9-]{1,40}", service) else "?")
    parts = _split(service, url)
    host = parts.hostname
    if sandbox:
        if parts.scheme in ("http", "https") and is_loopback(host) and parts.port:
            return None
        raise refused(service)
    if parts.scheme != "https" or host is None or parts.port not in (None, 443):
        raise refused(service)
    region = _named_region(service, host)
    if region is None:
        raise refused(service)
    return region


def _named_region(service: str, host: str) -> str | None:
    for suffix in {s for pair in SUFFIXES.values() for s in pair}:
        match = re.fullmatch(rf"(?:vpce-[a-z0-9-]{{1,80}}\.)?{_SERVICE_LABELS[service]}\.(?P<region>[a-z0-9-]{{1,32}})(?:\.vpce)?\.{re.escape(suffix)}", host)
        if match and is_region(match["region"]) and suffix in SUFFIXES[partition_of(match["region"])]:
            return match["region"]
    return None


def is_destination(service: str, url: str, endpoint: str, region: str) -> bool:
    """True if a signed request for `url` may leave a client made for `region` whose endpoint is `endpoint`.

    That endpoint's own host; or, unless the endpoint is loopback, a host of the service itself in that Region (in any Region for S3, which redirects),
    for S3 with a bucket before it.
    """
    try:
        to, home = urlsplit(url), urlsplit(endpoint)
        if (to.scheme, to.hostname, to.port) == (home.scheme, home.hostname, home.port):
            return True
        if to.scheme != "https" or to.port not in (None, 443) or to.hostname is None or is_loopback(home.hostname):
            return False
    except ValueError:
        return False
    host = to.hostname
    if service == "s3":
        # A bucket stands before the service's host: compare from the first label that is the service's own.
        found = re.search(r"(?:^|\.)(s3(?:-fips)?(?:\.dualstack)?\..+)$", host)
        return found is not None and _named_region("s3", found[1]) is not None
    return _named_region(service, host) == region
