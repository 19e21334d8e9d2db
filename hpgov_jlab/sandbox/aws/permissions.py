"""As much of IAM as the scenarios use: statements with Action or NotAction, Resource, Principal, StringEquals and StringLike.

It answers what a role may do and, when it may not, in IAM's own words. It is no proof of what a real account would answer (facts/aws.md 2).
Anything in a statement that is not understood raises, and the request fails loudly: a condition silently ignored would grant too much.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from .keys import Principal, Statement

if TYPE_CHECKING:
    from ..scenario import Role

Context = Mapping[str, str]
_VARIABLE = re.compile(r"\$\{([^}]+)\}")
_KNOWN = {"Sid", "Effect", "Action", "NotAction", "Resource", "Principal", "Condition"}


class Effect(StrEnum):
    ALLOW = "Allow"
    DENY = "Deny"
    NONE = "None"


class NotUnderstood(ValueError):
    """A statement says something that this evaluator does not know."""


def _many(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _like(text: str, pattern: str) -> bool:
    return fnmatchcase(text, pattern.replace("[", "[[]"))  # IAM knows * and ? only


def _filled(text: str, context: Context) -> str | None:
    """Policy variables replaced; None when one has no value, so that nothing matches it."""
    names = _VARIABLE.findall(text)
    if any(name not in context for name in names):
        return None
    return _VARIABLE.sub(lambda match: context[match[1]], text)


def _condition_holds(operator: str, key: str, wanted: Iterable[str], context: Context) -> bool:
    if operator not in ("StringEquals", "StringLike"):
        raise NotUnderstood(f"condition operator {operator}")
    have = context.get(key)
    if have is None:
        return False
    for text in wanted:
        filled = _filled(text, context)
        if filled is not None and (have == filled if operator == "StringEquals" else _like(have, filled)):
            return True
    return False


def _applies(statement: Statement, action: str, resource: str, context: Context) -> bool:
    unknown = set(statement) - _KNOWN
    if unknown or ("Action" in statement) == ("NotAction" in statement):
        raise NotUnderstood(f"statement with {sorted(unknown) or 'neither or both of Action and NotAction'}")
    named = any(_like(action.lower(), name.lower()) for name in _many(statement.get("Action") or statement["NotAction"]))
    if named is ("NotAction" in statement):
        return False
    if "Resource" in statement and not any(_like(resource, pattern) for pattern in _many(statement["Resource"])):
        return False
    conditions: Mapping[str, Mapping[str, Any]] = statement.get("Condition", {})
    return all(_condition_holds(operator, key, _many(wanted), context) for operator, keys in conditions.items() for key, wanted in keys.items())


def evaluate(statements: Iterable[Statement], action: str, resource: str, context: Context) -> Effect:
    """What one policy says: a Deny wins over an Allow. Raises NotUnderstood."""
    found = Effect.NONE
    for statement in statements:
        if _applies(statement, action, resource, context):
            effect = Effect(statement["Effect"])
            if effect is Effect.DENY:
                return Effect.DENY
            found = Effect.ALLOW
    return found


def principal_context(principal: Principal) -> dict[str, str]:
    return {f"aws:PrincipalTag/{name}": value for name, value in principal.tags.items()}


def why_not(role: Role, principal: Principal, action: str, resource: str, context: Context) -> str | None:
    """Name of the reason (`denials.REASONS`) for which this session may not do this; None when it may."""
    known = {**principal_context(principal), **context}
    for denial in role.denials:
        if any(_like(action, name) for name in denial.actions) and any(_like(resource, pattern) for pattern in denial.resources):
            return denial.reason
    own = evaluate(role.policies, action, resource, known)
    if own is Effect.DENY:
        return "explicit-identity-policy"
    boundary = Effect.ALLOW if role.boundary is None else evaluate(role.boundary, action, resource, known)
    session = Effect.ALLOW if principal.session_policy is None else evaluate(principal.session_policy, action, resource, known)
    for effect, name in ((boundary, "permissions-boundary"), (session, "session-policy")):
        if effect is Effect.DENY:
            return f"explicit-{name}"
    for effect, name in ((own, "identity-policy"), (boundary, "permissions-boundary"), (session, "session-policy")):
        if effect is not Effect.ALLOW:
            return f"no-{name}"
    return None


def trusts(role: Role, caller: Principal, action: str, context: Context) -> bool:
    """Whether the role's trust policy lets this caller do one of sts:AssumeRole, sts:SetSourceIdentity, sts:TagSession. Raises NotUnderstood."""
    mine = [statement for statement in role.trust if _names(statement, {caller.role_arn, f"arn:aws:iam::{caller.account}:root"}, "AWS")]
    return evaluate(mine, action, role.arn, {**principal_context(caller), **context}) is Effect.ALLOW


def trusts_web_identity(role: Role, provider: str, context: Context) -> bool:
    mine = [statement for statement in role.trust if _names(statement, {provider}, "Federated")]
    return evaluate(mine, "sts:AssumeRoleWithWebIdentity", role.arn, context) is Effect.ALLOW


def _names(statement: Statement, who: set[str], kind: str) -> bool:
    principal = statement.get("Principal")
    if not isinstance(principal, Mapping):
        raise NotUnderstood("a trust statement needs a Principal map")
    return bool(who & set(_many(principal.get(kind, ()))))
