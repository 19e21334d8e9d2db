"""From what botocore raises to the product's one vocabulary (facts/aws.md 6). No upstream text leaves here.

Parameters are codes, action names, ARNs and policy ids that match strict patterns, cut in length; an SCP's ARN names the organisation's management
account, so only the policy's id is kept. Codes are matched by `Error.Code`, not by exception class: the services' models lack most of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import botocore.exceptions as be
import botocore.parsers

from ...model.outcome import Ask, Blame, Failure, Layer, State
from ...policy.aws import BY_OPERATION, Reader
from ...policy.aws_names import parse_arn
from .guard import Refused
from .transport import NotAws, Stopped, TooLarge, skew_of

SKEW_SECONDS = 240.0
"""AWS refuses signatures that are 5 minutes off; from 4 on the clock is named as the cause."""

LAYERS = {Reader.PROJECT: Layer.PROJECT, Reader.ACCESS: Layer.CLUSTER, Reader.EXECUTION: Layer.PROJECT, Reader.OWN: Layer.WORKLOAD}

_EXPIRED = frozenset({"ExpiredToken", "ExpiredTokenException"})
_UNKNOWN_KEYS = frozenset({"UnrecognizedClientException", "InvalidClientTokenId", "InvalidAccessKeyId", "InvalidToken", "MissingAuthenticationTokenException"})
_REGION_OFF = frozenset({"OptInRequired", "SubscriptionRequiredException", "RegionDisabledException"})
_WRONG_REGION = frozenset({"PermanentRedirect", "AuthorizationHeaderMalformed", "IllegalLocationConstraintException", "301"})
_SIGNATURE = frozenset({"InvalidSignatureException", "SignatureDoesNotMatch", "RequestTimeTooSkewed", "RequestExpired"})
_THROTTLED = frozenset(
    {
        "ThrottlingException",
        "Throttling",
        "ThrottledException",
        "RequestThrottled",
        "RequestThrottledException",
        "TooManyRequestsException",
        "RequestLimitExceeded",
        "SlowDown",
        "PriorRequestNotComplete",
        "429",
    }
)
_DENIED = frozenset({"AccessDenied", "AccessDeniedException", "AccessDeniedError", "UnauthorizedOperation", "AuthorizationError", "Forbidden", "403"})
_NOT_FOUND = frozenset({"ResourceNotFound", "ResourceNotFoundException", "NoSuchEntity", "NoSuchBucket", "NoSuchKey", "404"})
_BAD_INPUT = frozenset(
    {"ValidationException", "ValidationError", "InvalidParameterException", "InvalidParameterValue", "InvalidRequestException", "InvalidRange", "416"}
)

_IMPLICIT: dict[str, str] = {
    "identity-based policy": "no_identity_policy_allows",
    "resource-based policy": "no_resource_policy_allows",
    "permissions boundary": "no_permissions_boundary_allows",
    "service control policy": "no_service_control_policy_allows",
    "resource control policy": "no_resource_control_policy_allows",
    "session policy": "no_session_policy_allows",
    "vpc endpoint policy": "no_vpc_endpoint_policy_allows",
    "role trust policy": "no_trust_policy_allows",
}
_EXPLICIT: dict[str, str] = {
    "identity-based policy": "identity_policy_denies",
    "resource-based policy": "resource_policy_denies",
    "permissions boundary": "permissions_boundary_denies",
    "service control policy": "service_control_policy_denies",
    "resource control policy": "resource_control_policy_denies",
    "session policy": "session_policy_denies",
    "vpc endpoint policy": "vpc_endpoint_policy_denies",
    "role trust policy": "trust_policy_denies",
}
NOT_BY_AN_ALLOW = frozenset({*_IMPLICIT.values(), *_EXPLICIT.values()} - {"no_identity_policy_allows"})
"""Refusals by another policy than the role's own: no statement that is added to the role would change them."""
_KINDS = "|".join(_IMPLICIT)
_NO = re.compile(rf"because no ({_KINDS}) allows", re.IGNORECASE)
_DENY = re.compile(
    rf"with an explicit deny (?:in|transitively through) (?:(?:an?|the) )?({_KINDS.replace('session policy', 'sessions? policy')})", re.IGNORECASE
)
_TRANSITIVE = re.compile(rf"transitively through (?:an? )?({_KINDS})", re.IGNORECASE)
_ACTION = re.compile(r"is not authorized to perform: ([a-z0-9-]{1,40}:[A-Za-z0-9]{1,80})(?![A-Za-z0-9:])")
_RESOURCE = re.compile(r"on resource: (arn:[!-~]{1,512})")
_POLICY_ID = re.compile(r":organizations::[0-9]{12}:policy/[!-~]{1,120}/(p-[a-z0-9-]{6,128})(?![A-Za-z0-9-])")
_MEMBER = re.compile(r"user is not permitted to perform operation", re.IGNORECASE)
_SKEWED = re.compile(r"signature expired|not yet current|difference between the request time", re.IGNORECASE)
_CODE = re.compile(r"[A-Za-z][A-Za-z0-9._]{0,79}|[0-9]{3}")

_LAYER_OF_KIND = {
    "service control policy": (Layer.ORGANISATION, Ask.ORGANISATION_ADMIN),
    "resource control policy": (Layer.ORGANISATION, Ask.ORGANISATION_ADMIN),
    "role trust policy": (Layer.CLUSTER, Ask.ACCOUNT_ADMIN),
    "vpc endpoint policy": (Layer.PROJECT, Ask.JUPYTER_ADMIN),
}
_TRUST = {"sts:TagSession": "trust_lacks_tag_session", "sts:SetSourceIdentity": "trust_lacks_source_identity"}

_ABSENT = {
    "sagemaker": ("cluster_not_found", Layer.CLUSTER, Ask.CLUSTER_ADMIN),
    "eks": ("eks_cluster_not_found", Layer.CLUSTER, Ask.CLUSTER_ADMIN),
    "datazone": ("project_not_found", Layer.PROJECT, Ask.PROJECT_OWNER),
    "s3": ("object_not_found", Layer.PROJECT, Ask.CONTRACT_OWNER),
    "sts": ("role_not_found", Layer.CLUSTER, Ask.ACCOUNT_ADMIN),
}


@dataclass(frozen=True, slots=True)
class Where:
    """The call an error came from: what its meaning depends on. `region` is the one that was asked; `now` our clock."""

    service: str
    operation: str
    reader: Reader
    region: str
    now: float
    method: str | None = None

    @property
    def action(self) -> str:
        allowed = BY_OPERATION.get((self.service, self.operation))
        return allowed.action if allowed else f"{self.service}:{self.operation}"

    @property
    def layer(self) -> Layer:
        return LAYERS[self.reader]


class BadAnswer(be.BotoCoreError):
    """An answer from AWS that lacks what it must have."""

    fmt = "{operation}: the answer lacks {missing}"


def failure(error: Exception, where: Where) -> Failure:
    """The Failure that says what an exception of a call means."""
    if isinstance(error, Failure):
        return error
    if isinstance(error, be.ClientError):
        return _answered(error.response, where)
    if isinstance(error, Refused):
        if error.kwargs["operation"] == "HeadBucket":  # botocore's own question, where S3 says "another Region" and not which
            return Failure(State.INVALID, "wrong_region", {"service": "s3", "region": where.region}, layer=where.layer, ask=Ask.JUPYTER_ADMIN)
        return Failure(State.INVALID, "guard_refused", {"action": where.action}, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)
    if isinstance(error, Stopped):
        return Failure(State.PENDING, "stopping")
    if isinstance(error, NotAws):
        status = error.kwargs["status"]
        if status == 407:
            return Failure(State.UNREACHABLE, "proxy_wants_login", layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)
        code = "not_aws_answer" if status < 300 else "proxy_page"
        return Failure(State.UNREACHABLE, code, {"status": status}, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)
    if isinstance(error, BadAnswer | TooLarge | botocore.parsers.ResponseParserError):
        return unusable(where.action, where.layer)
    return _transport(error, where) or _setup(error, where) or _unknown(type(error).__name__, where)


def _transport(error: Exception, where: Where) -> Failure | None:
    params = {"service": where.service, "region": where.region}
    if isinstance(error, be.ProxyConnectionError):
        return Failure(State.UNREACHABLE, "proxy_unreachable", params, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)
    if isinstance(error, be.SSLError):
        return Failure(State.UNREACHABLE, "aws_tls_refused", params, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)
    if isinstance(error, be.EndpointConnectionError | be.ConnectTimeoutError):
        return Failure(State.UNREACHABLE, "aws_not_reached", params, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)
    if isinstance(error, be.ReadTimeoutError):
        return Failure(State.UNREACHABLE, "aws_too_slow", params, layer=where.layer, ask=Ask.NOBODY)
    if isinstance(error, be.HTTPClientError):  # the base of the others too: cut connections end here
        return Failure(State.UNREACHABLE, "aws_cut_off", params, layer=where.layer, ask=Ask.NOBODY)
    return None


def _setup(error: Exception, where: Where) -> Failure | None:
    if isinstance(error, be.NoCredentialsError | be.PartialCredentialsError):
        return no_credentials()
    if isinstance(error, be.ProfileNotFound):
        return Failure(State.NOT_CONFIGURED, "profile_not_found", layer=Layer.WORKLOAD, ask=Ask.YOU)
    if isinstance(error, be.UnauthorizedSSOTokenError | be.SSOTokenLoadError | be.TokenRetrievalError):
        return Failure(State.EXPIRED, "sso_login_over", layer=Layer.WORKLOAD, ask=Ask.YOU)
    if isinstance(error, be.CredentialRetrievalError | be.MetadataRetrievalError):
        return Failure(State.EXPIRED, "credentials_not_renewed", {"method": where.method}, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)
    if isinstance(error, be.MissingDependencyException | be.ConfigParseError | be.InvalidConfigError | be.InfiniteLoopConfigError | be.ConfigNotFound):
        return Failure(State.NOT_CONFIGURED, "profile_unusable", layer=Layer.WORKLOAD, ask=Ask.YOU)
    if isinstance(error, be.InvalidRegionError | be.NoRegionError):
        return Failure(State.INVALID, "region_malformed", {"where": "call"}, layer=Layer.PROJECT, ask=Ask.JUPYTER_ADMIN)
    if isinstance(error, be.ParamValidationError):
        return Failure(State.INVALID, "guard_refused", {"action": where.action}, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)
    return None


def unusable(action: str, layer: Layer) -> Failure:
    """An answer of AWS's that is not whole or not of the documented form."""
    return Failure(State.INVALID, "answer_unusable", {"action": action}, layer=layer, ask=Ask.NOBODY)


def no_credentials() -> Failure:
    return Failure(State.NOT_CONFIGURED, "no_credentials", layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)


def _unknown(code: str, where: Where) -> Failure:
    shown = code if _CODE.fullmatch(code) else None
    return Failure(State.INVALID, "aws_said", {"code": shown, "action": where.action}, layer=where.layer, ask=Ask.ACCOUNT_ADMIN)


def _answered(response: dict[str, Any], where: Where) -> Failure:
    error, meta = response.get("Error", {}), response.get("ResponseMetadata", {})
    code, message, status = str(error.get("Code", "")), str(error.get("Message", ""))[:4096], int(meta.get("HTTPStatusCode") or 0)
    headers = meta.get("HTTPHeaders", {})
    if code in _THROTTLED or status == 429:
        return Failure(State.THROTTLED, "aws_throttled", {"service": where.service, **_retry_after(headers)}, layer=where.layer, ask=Ask.NOBODY)
    if code in _EXPIRED:
        return Failure(State.EXPIRED, "credentials_expired", {"method": where.method}, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)
    if code in _SIGNATURE:
        skew = skew_of(headers, where.now)
        if code in ("RequestTimeTooSkewed", "RequestExpired") or _SKEWED.search(message) or (skew is not None and abs(skew) > SKEW_SECONDS):
            params = {"skew_seconds": None if skew is None else round(skew)}
            return Failure(State.NOT_CONFIGURED, "clock_skew", params, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)
        return Failure(State.DENIED, "signature_rejected", layer=where.layer, ask=Ask.JUPYTER_ADMIN)
    if code in _REGION_OFF:
        return Failure(State.NOT_CONFIGURED, "region_not_enabled", {"region": where.region}, layer=Layer.ORGANISATION, ask=Ask.ACCOUNT_ADMIN)
    if code in _WRONG_REGION:
        return Failure(State.INVALID, "wrong_region", {"service": where.service, "region": where.region}, layer=where.layer, ask=Ask.JUPYTER_ADMIN)
    if code in _UNKNOWN_KEYS:
        return Failure(State.DENIED, "keys_not_known", {"region": where.region}, layer=where.layer, ask=Ask.ACCOUNT_ADMIN)
    if code in ("InvalidIdentityToken", "IDPRejectedClaim"):
        return Failure(State.DENIED, "web_identity_refused", layer=where.layer, ask=Ask.CLUSTER_ADMIN)
    if code in _DENIED:
        return _denied(message, where)
    if code in _NOT_FOUND:
        return _not_found(code, where)
    if code in ("MalformedPolicyDocument", "PackedPolicyTooLarge"):
        return Failure(State.INVALID, "session_policy_refused", {"code": code}, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)
    if status >= 500:
        told: dict[str, str | int | float | None] = {"service": where.service, "status": status}
        return Failure(State.UNREACHABLE, "aws_out_of_order", told, layer=where.layer, ask=Ask.NOBODY, blames=Blame.TROUBLE)
    if code in _BAD_INPUT:
        return Failure(State.INVALID, "request_refused", {"code": code, "action": where.action}, layer=where.layer, ask=Ask.JUPYTER_ADMIN)
    return _unknown(code, where)


def _retry_after(headers: dict[str, str]) -> dict[str, float]:
    text = headers.get("retry-after", "")
    return {"retry_after_seconds": float(text)} if text.isascii() and text.isdigit() and len(text) < 5 else {}


def _not_found(code: str, where: Where) -> Failure:
    name, layer, ask = _ABSENT.get(where.service, ("aws_not_found", where.layer, Ask.ACCOUNT_ADMIN))
    if code == "NoSuchBucket":
        name = "bucket_not_found"
    return Failure(State.ABSENT, name, {"region": where.region}, layer=layer, ask=ask)


def _denied(message: str, where: Where) -> Failure:
    found = _ACTION.search(message)
    action = found[1] if found else where.action
    params: dict[str, str | int | float | None] = {"action": action, "resource": _resource(message)}
    if where.service == "datazone" and _MEMBER.search(message):
        return Failure(State.DENIED, "not_a_project_member", {"action": action}, layer=Layer.PROJECT, ask=Ask.PROJECT_OWNER)
    deny, no = _DENY.search(message), _NO.search(message)
    transitive = _TRANSITIVE.search(message)
    match = deny or no or transitive
    if match is not None:
        kind = match[1].lower().replace("sessions", "session")
        layer, ask = _LAYER_OF_KIND.get(kind, (where.layer, Ask.ACCOUNT_ADMIN))
        if action in _TRUST and kind == "role trust policy" and match is no:
            return Failure(State.DENIED, _TRUST[action], params, layer=layer, ask=ask)
        policy = _POLICY_ID.search(message)
        if policy and layer is Layer.ORGANISATION:
            params["policy"] = policy[1]
        code = _IMPLICIT[kind] if match is no else _EXPLICIT[kind]
        return Failure(State.DENIED, code, params, layer=layer, ask=ask)
    if "explicit deny" in message.lower():
        return Failure(State.DENIED, "a_policy_denies", params, layer=where.layer, ask=Ask.ACCOUNT_ADMIN)
    if where.operation == "AssumeRole":
        return Failure(State.DENIED, _TRUST.get(action, "assume_role_refused"), params, layer=Layer.CLUSTER, ask=Ask.ACCOUNT_ADMIN)
    return Failure(State.DENIED, "denied_without_reason", params, layer=where.layer, ask=Ask.ACCOUNT_ADMIN)


def _resource(message: str) -> str | None:
    found = _RESOURCE.search(message)
    if found is None:
        return None
    arn = parse_arn(found[1].rstrip(".,;"))
    if arn is None or arn.service == "organizations":
        return None
    return str(arn)[:256]
