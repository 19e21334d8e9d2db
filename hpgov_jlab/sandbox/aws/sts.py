"""STS: who am I, and sessions of roles. AssumeRole is judged by the caller's policies and then by the role's trust policy,
once for each of its three actions (facts/aws.md 3, facts/hyperpod.md 1.3)."""

from __future__ import annotations

import json
from typing import Any

from ..scenario import Role
from .denials import refusal
from .errors import AwsError, Kind, error
from .keys import Keys, Principal, Statement, session_principal
from .operations import Call, Params, moment, operation
from .permissions import trusts, trusts_web_identity, why_not

_CHAINED_LIMIT = 3600  # seconds: a role that was reached from a role lives no longer
_POLICY_LIMIT = 2048  # characters of a session policy


@operation("sts", "GetCallerIdentity", action=None)
def _get_caller_identity(call: Call, params: Params) -> dict[str, Any]:
    return {"UserId": call.who.user_id, "Account": call.who.account, "Arn": call.who.arn}


@operation("sts", "AssumeRole", action=None)  # judged below: three actions, each with its own context
def _assume_role(call: Call, params: Params) -> dict[str, Any]:
    caller, arn = call.who, str(params["RoleArn"])
    if call.faults.take("wrong-region", "sts:AssumeRole") is not None:
        raise AwsError(
            "RegionDisabledException",
            f"STS is not activated in this region for account: {caller.account}. Your account administrator can activate STS in this region.",
            403,
        )
    if params.get("DurationSeconds", 0) > _CHAINED_LIMIT:
        raise error(Kind.INVALID, "query", "The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining")
    if params.get("PolicyArns"):
        raise error(Kind.INVALID, "query", "the sandbox has no managed policies to pass")
    tags = {str(tag["Key"]): str(tag["Value"]) for tag in params.get("Tags", ())}
    source_identity = params.get("SourceIdentity")
    context = {f"aws:RequestTag/{name}": value for name, value in tags.items()}
    if "ExternalId" in params:
        context["sts:ExternalId"] = params["ExternalId"]
    if source_identity is not None:
        context["sts:SourceIdentity"] = source_identity
    role = call.scenario.role(arn)
    own = call.scenario.role(caller.role_arn)
    wanted = ["sts:AssumeRole"] + (["sts:SetSourceIdentity"] if source_identity is not None else []) + (["sts:TagSession"] if tags else [])
    for action in wanted:
        reason = "without-reason" if own is None else why_not(own, caller, action, arn, context)
        if reason is None and role is not None and not trusts(_as_switched(call, role, action), caller, action, context):
            reason = "no-role-trust-policy"
        if reason is None and action == "sts:SetSourceIdentity" and caller.source_identity not in (None, source_identity):
            reason = "without-reason"  # a source identity cannot be changed along a chain
        if reason is not None or role is None:
            raise AwsError("AccessDenied", refusal(caller.arn, action, arn, reason or "without-reason"), 403)
    made = session_principal(
        arn,
        str(params["RoleSessionName"]),
        source_identity=source_identity or caller.source_identity,
        tags=tags,
        session_policy=_session_policy(params.get("Policy")),
    )
    answer = _credentials(_issue(call, made, params.get("DurationSeconds", 3600)), made)
    return {**answer, "SourceIdentity": made.source_identity}


def _as_switched(call: Call, role: Role, action: str) -> Role:
    """The role as the trust-* faults make it: without the statements for that action."""
    fault = {"sts:AssumeRole": "trust-external-id", "sts:SetSourceIdentity": "trust-source-identity", "sts:TagSession": "trust-tag-session"}[action]
    if call.faults.take(fault, "sts:AssumeRole") is None:
        return role
    return Role(arn=role.arn)


@operation("sts", "AssumeRoleWithWebIdentity", action=None, public=True)
def _assume_role_with_web_identity(call: Call, params: Params) -> dict[str, Any]:
    known, arn = call.scenario.web_identity, str(params["RoleArn"])
    if known is None or known.token != params["WebIdentityToken"]:
        raise AwsError("InvalidIdentityToken", "The web identity token provided could not be validated", 400)
    if known.expired:
        raise AwsError("ExpiredTokenException", "Token expired: current date/time must be before the expiration date/time", 400)
    role = call.scenario.role(arn)
    issuer = known.provider.partition("oidc-provider/")[2]
    if (
        role is None
        or known.role != arn
        or not trusts_web_identity(role, known.provider, {f"{issuer}:sub": known.subject, f"{issuer}:aud": "sts.amazonaws.com"})
    ):
        raise AwsError("AccessDenied", "Not authorized to perform sts:AssumeRoleWithWebIdentity", 403)
    made = session_principal(arn, str(params["RoleSessionName"]), session_policy=_session_policy(params.get("Policy")))
    answer = _credentials(_issue(call, made, params.get("DurationSeconds", 3600)), made)
    return {**answer, "SubjectFromWebIdentityToken": known.subject, "Provider": known.provider, "Audience": "sts.amazonaws.com"}


def _session_policy(text: str | None) -> tuple[Statement, ...] | None:
    if text is None:
        return None
    if len(text) > _POLICY_LIMIT:
        raise AwsError("PackedPolicyTooLarge", "Packed policy consumes more than 100% of allotted space, please use smaller policy.", 400)
    try:
        statements = json.loads(text)["Statement"]
    except (ValueError, KeyError, TypeError):
        raise AwsError("MalformedPolicyDocument", "Syntax errors in policy.", 400) from None
    return tuple(statements) if isinstance(statements, list) else (statements,)


def _issue(call: Call, principal: Principal, seconds: int) -> Keys:
    switched = call.faults.value("role-lifetime", "sts:AssumeRole")
    return call.keys.issue(principal, call.now + (seconds if switched is None else switched))


def _credentials(keys: Keys, principal: Principal) -> dict[str, Any]:
    return {
        "Credentials": {"AccessKeyId": keys.key_id, "SecretAccessKey": keys.secret, "SessionToken": keys.token, "Expiration": moment(keys.expires)},
        "AssumedRoleUser": {"AssumedRoleId": principal.user_id, "Arn": principal.arn},
    }
