"""IAM's side of the allow list: the session policy, the IAM policies, and the statements an administrator is asked for.

Everything is built as data and finished by json.dumps, never by a template (S5). Values come from GetCallerIdentity and the place's own
source, match an AWS pattern whole or are not used, and an ARN is exact wherever the service knows the resource (facts/hyperpod.md 4.4).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..model.copying import copyable
from .aws import ALLOWED, ROLE_EXCEPTIONS, Allowed, Reader
from .aws_names import ACCOUNT, BUCKET, CLUSTER_ID, DOMAIN_ID, EKS_NAME, PROJECT_ID, SUFFIXES, Arn, is_region, parse_arn, role_name

SESSION_POLICY_LIMIT = 2048
"""Characters of inline session policy that STS takes (facts/aws.md 3)."""

Statement = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Target:
    """What a statement is about. None: not known, which widens to `*` in that one place of the ARN (`cluster/*`), never beyond the account."""

    partition: str
    region: str
    account: str
    cluster_id: str | None = None
    eks_name: str | None = None
    access_role: str | None = None
    bucket: str | None = None
    prefix: str | None = None

    def __post_init__(self) -> None:
        wrong = [
            name
            for name, good in (
                ("partition", self.partition in SUFFIXES),
                ("region", is_region(self.region)),
                ("account", ACCOUNT.fullmatch(self.account) is not None),
                ("cluster_id", self.cluster_id is None or CLUSTER_ID.fullmatch(self.cluster_id) is not None),
                ("eks_name", self.eks_name is None or EKS_NAME.fullmatch(self.eks_name) is not None),
                ("access_role", self.access_role is None or role_name(self.access_role) is not None),
                ("bucket", self.bucket is None or BUCKET.fullmatch(self.bucket) is not None),
                ("prefix", self.prefix is None or (copyable(self.prefix) and not set(self.prefix) & set("*?$"))),
            )
            if not good
        ]
        if wrong:
            raise ValueError(f"not a target for a statement: {', '.join(wrong)}")

    def resource(self, allowed: Allowed) -> str:
        """The ARN of one operation's resource."""
        values = {
            "partition": self.partition,
            "region": self.region,
            "account": self.account,
            "cluster_id": self.cluster_id or "*",
            "eks_name": self.eks_name or "*",
            "access_role": self.access_role or f"arn:{self.partition}:iam::{self.account}:role/*",
            "bucket": self.bucket or "",
            "prefix": f"{self.prefix.rstrip('/')}/" if self.prefix else "",
        }
        text = allowed.resource
        for name, value in values.items():
            text = text.replace("{" + name + "}", value)
        return text.replace("//*", "/*")


def _statements(operations: Iterable[Allowed], target: Target) -> list[Statement]:
    """One statement per resource, in the order of the allow list."""
    actions: dict[str, list[str]] = {}
    for allowed in operations:
        found = actions.setdefault(target.resource(allowed), [])
        if allowed.action not in found:
            found.append(allowed.action)
    statements: list[Statement] = [{"Effect": "Allow", "Action": names, "Resource": resource} for resource, names in actions.items()]
    for statement in statements:
        if statement["Action"] == ["s3:ListBucket"] and target.prefix:
            statement["Condition"] = {"StringLike": {"s3:prefix": f"{target.prefix.rstrip('/')}/*"}}
    return statements


def _document(statements: list[Statement]) -> dict[str, Any]:
    return {"Version": "2012-10-17", "Statement": statements}


def _reads(reader: Reader, target: Target) -> list[Allowed]:
    """What a reader needs to be granted for reading; S3 only where a contract prefix is configured."""
    return [a for a in ALLOWED if reader in a.readers and a.granted and not a.exception and (a.service != "s3" or target.bucket)]


def session_policy(target: Target) -> str:
    """The inline policy of every AssumeRole: what the access role reads and nothing else, as compact JSON of at most 2,048 characters.

    The EKS cluster's name is known only after DescribeCluster, so EKS is scoped to the account and Region. The policy limits AWS calls only:
    an EKS token carries the role's full Kubernetes rights (facts/aws.md 0.11).
    """
    text = json.dumps(_document(_statements(_reads(Reader.ACCESS, target), target)), separators=(",", ":"))
    if len(text) > SESSION_POLICY_LIMIT:
        raise ValueError(f"the session policy has {len(text)} characters")
    return text


def iam_policy(reader: Reader, target: Target) -> dict[str, Any]:
    """The identity policy a reader needs. For the project role and others that assume, sts:AssumeRole on the access role is added if it is known."""
    statements = _statements(_reads(reader, target), target)
    if reader is not Reader.ACCESS and target.access_role:
        statements.append(_assume(target))
    return _document(statements)


def statement_for(actions: Iterable[str], reader: Reader, target: Target) -> dict[str, Any]:
    """The identity policy for some IAM actions of a reader only: what *Copy request to admin* asks for. Raises ValueError for an action not read."""
    wanted = list(actions)
    chosen = [a for a in ALLOWED if a.action in wanted and reader in a.readers]
    unknown = set(wanted) - {a.action for a in chosen}
    if unknown:
        raise ValueError("not in the allow list of this reader: " + ", ".join(sorted(unknown)))
    if target.bucket is None and any(a.service == "s3" for a in chosen):
        raise ValueError("which bucket is to be read is not known")
    statements = _statements([a for a in chosen if not a.exception], target)
    if any(a.action == ROLE_EXCEPTIONS[0] for a in chosen):
        statements.append(_assume(target))
    return _document(statements)


def _assume(target: Target) -> Statement:
    """What the side that assumes needs: the role's own ARN, and all three actions, since the session is attributed and tagged."""
    if target.access_role is None:
        raise ValueError("which role is to be assumed is not known")
    return {"Effect": "Allow", "Action": list(ROLE_EXCEPTIONS), "Resource": target.access_role}


def principal_role(identity_arn: str | None, role_arn: str | None = None) -> str | None:
    """The IAM role that a trust policy has to name, from GetCallerIdentity's ARN; `role_arn` (metadata file) adds the path, if it is the same role.

    None where the caller is no role: then there is no statement to ask for.
    """
    name = role_name(identity_arn)
    identity, role = parse_arn(identity_arn), parse_arn(role_arn)
    if name is None or identity is None:
        return None
    if role is not None and role.service == "iam" and role_name(role_arn) == name and (role.partition, role.account) == (identity.partition, identity.account):
        return str(role)
    return str(Arn(identity.partition, "iam", "", identity.account, f"role/{name}"))


def trust_policy(principal: str, project_id: str, domain_id: str) -> dict[str, Any]:
    """The trust policy of an access role for one project (facts/hyperpod.md 1.3). `principal` is the project role's ARN. Raises ValueError."""
    arn = parse_arn(principal)
    if arn is None or arn.service != "iam" or role_name(principal) is None or not PROJECT_ID.fullmatch(project_id) or not DOMAIN_ID.fullmatch(domain_id):
        raise ValueError("not a principal, project and domain for a trust policy")
    who = {"AWS": principal}
    return _document(
        [
            {"Effect": "Allow", "Principal": who, "Action": "sts:AssumeRole", "Condition": {"StringEquals": {"sts:ExternalId": project_id}}},
            {
                "Effect": "Allow",
                "Principal": who,
                "Action": "sts:SetSourceIdentity",
                "Condition": {"StringLike": {"sts:SourceIdentity": "${aws:PrincipalTag/datazone:userId}"}},
            },
            {
                "Effect": "Allow",
                "Principal": who,
                "Action": "sts:TagSession",
                "Condition": {"StringEquals": {"aws:RequestTag/AmazonDataZoneProject": project_id, "aws:RequestTag/AmazonDataZoneDomain": domain_id}},
            },
        ]
    )


def copy_text(document: dict[str, Any]) -> str | None:
    """The text to copy, None if a value in it may not be copied (control, bidirectional or separator characters)."""
    if not all(copyable(value) for value in _strings(document)):
        return None
    return json.dumps(document, indent=2, ensure_ascii=True)


def _strings(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _strings(key)
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)


EXAMPLE = Target(
    "aws", "us-west-2", "444455556666", "abc123def456", "ml-eks", "arn:aws:iam::444455556666:role/hyperpod-access", "contracts-of-the-platform", "hyperpod"
)
"""AWS's documentation accounts: the committed documents are examples to fill in; the panel's own requests name the real ones."""


def documents() -> dict[str, str]:
    """The committed files under docs/policies, by name: what `python -m hpgov_jlab.policy` writes."""
    project = "arn:aws:iam::111122223333:role/datazone_usr_role_exampleproject_exampleenv"
    made: dict[str, dict[str, Any]] = {
        "aws-session-policy.json": json.loads(session_policy(EXAMPLE)),
        "aws-access-role.json": iam_policy(Reader.ACCESS, EXAMPLE),
        "aws-access-role-trust.json": trust_policy(project, "exampleproject", "dzd-exampledomain"),
        "aws-project-role.json": iam_policy(Reader.PROJECT, EXAMPLE),
        "aws-studio-execution-role.json": iam_policy(Reader.EXECUTION, EXAMPLE),
        "aws-space-or-elsewhere.json": iam_policy(Reader.OWN, EXAMPLE),
    }
    return {name: json.dumps(document, indent=2) + "\n" for name, document in made.items()}
