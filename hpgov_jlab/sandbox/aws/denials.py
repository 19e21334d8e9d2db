"""The reasons AWS gives for a refusal, as IAM's page "Access denied error message examples" words them (facts/aws.md 6.1). Pure data.

A refusal reads `User: ARN is not authorized to perform: ACTION on resource: ARN REASON`; some services leave the reason out.
"""

from __future__ import annotations

_IMPLICIT = {
    "identity-policy": "identity-based policy",
    "resource-policy": "resource-based policy",
    "permissions-boundary": "permissions boundary",
    "service-control-policy": "service control policy",
    "session-policy": "session policy",
    "vpc-endpoint-policy": "VPC endpoint policy",
    "role-trust-policy": "role trust policy",
}
_EXPLICIT = {
    "identity-policy": "an identity-based policy",
    "resource-policy": "a resource-based policy",
    "permissions-boundary": "a permissions boundary",
    "service-control-policy": "a service control policy",
    "resource-control-policy": "a resource control policy",
    "session-policy": "a session policy",
    "sessions-policy": "a sessions policy",  # the spelling of AWS's own example
    "vpc-endpoint-policy": "a VPC endpoint policy",
    "role-trust-policy": "the role trust policy",
}

REASONS: dict[str, str] = {
    **{f"no-{name}": f"because no {words} allows the {{action}} action" for name, words in _IMPLICIT.items()},
    **{f"explicit-{name}": f"with an explicit deny in {words}" for name, words in _EXPLICIT.items()},
    "explicit-service-control-policy-arn": "with an explicit deny in a service control policy: "
    "arn:aws:organizations::777788889999:policy/o-exampleorgid/service_control_policy/p-examplepolicyid",
    "explicit-service-control-policy-transitive": "with an explicit deny transitively through a service control policy",
    "explicit": "with an explicit deny",
    "without-reason": "",
}
"""Reason by name; `{action}` is the IAM action. The names serve scenarios (`Denial.reason`) and faults (`deny-NAME`)."""


def refusal(arn: str, action: str, resource: str | None, reason: str) -> str:
    """The text of one refusal; `reason` is a name of `REASONS`."""
    on = f" on resource: {resource}" if resource else ""
    why = REASONS[reason].replace("{action}", action)
    return f"User: {arn} is not authorized to perform: {action}{on}" + (f" {why}" if why else "")


def membership_refusal(operation: str) -> str:
    """DataZone's own language: the role is not a member of the project (facts/aws.md 6.1)."""
    return f"User is not permitted to perform operation: {operation}"
