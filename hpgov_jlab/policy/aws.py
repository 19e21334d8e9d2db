"""The allow list of AWS: every operation that this product calls, by whom, with which parameters, under which IAM action, and what for.

One table. The guard enforces it, the vetting of answers reads it, and the session policy, the IAM policies and the Access tab are made from it.
Sources: facts/aws.md 3 and 7 (actions, resource types), facts/hyperpod.md 4.3 and 4.4 (who may read what, what can be scoped).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Reader(StrEnum):
    """In which role a session reads."""

    PROJECT = "project"  # the project role of a Unified Studio space: connections only, it can read neither HyperPod nor EKS
    ACCESS = "access"  # the access role of a connection, assumed
    EXECUTION = "execution"  # the execution role of a Studio space
    OWN = "own"  # what a Space, a pod or a machine elsewhere has


class Rule(StrEnum):
    """What the guard checks beyond the names of parameters."""

    PLAIN = "plain"
    TOKEN = "token"  # noqa: S105  # GetCallerIdentity, perhaps presigned for a named EKS cluster
    ASSUME = "assume"  # a session policy inside the allow list, and in Unified Studio everything that attributes the call
    PREFIX = "prefix"  # S3: bucket, prefix and owner are those of one configured contract prefix


@dataclass(frozen=True, slots=True)
class Allowed:
    """One operation. `read` and `purposes` are codes of words.py (section access): what is read, and what for.

    `must` and `may` name every parameter that is let through; `fixed` are those with one permitted value.
    `resource` is "*" where the service knows no resource for the action, else the template of an ARN. `answer` are members that a true
    answer has although the service's model does not require them. `granted` False: the action needs no permission at all.
    `exception` True: not a read; named as an exception in DESIGN.md 2 and left out of every policy for reading.
    """

    read: str
    service: str
    operation: str
    action: str
    resource: str
    readers: frozenset[Reader]
    purposes: tuple[str, ...]
    must: frozenset[str] = frozenset()
    may: frozenset[str] = frozenset()
    fixed: tuple[tuple[str, str | int | bool], ...] = ()
    answer: tuple[str, ...] = ()
    rule: Rule = Rule.PLAIN
    granted: bool = True
    exception: bool = False


CLUSTER = "arn:{partition}:sagemaker:{region}:{account}:cluster/{cluster_id}"
EKS_CLUSTER = "arn:{partition}:eks:{region}:{account}:cluster/{eks_name}"
ROLE = "{access_role}"
BUCKET = "arn:{partition}:s3:::{bucket}"
OBJECTS = "arn:{partition}:s3:::{bucket}/{prefix}*"

RANGE = "bytes=0-262143"
"""The only range that objects are read with: 256 KiB (S13)."""
MAX_OBJECTS = 200

_ALL = frozenset(Reader)
_CLUSTER_READERS = frozenset({Reader.ACCESS, Reader.EXECUTION, Reader.OWN})
_PLACES = frozenset({Reader.PROJECT, Reader.EXECUTION, Reader.OWN})

TOKEN_PARAMETER = "x-k8s-aws-id"  # noqa: S105  # the header that binds an EKS token to one cluster

ALLOWED: tuple[Allowed, ...] = (
    Allowed(
        "read_identity", "sts", "GetCallerIdentity", "sts:GetCallerIdentity", "*", _ALL, ("needed_identity", "needed_reach"),
        may=frozenset({TOKEN_PARAMETER}), answer=("Arn", "Account"), rule=Rule.TOKEN, granted=False,
    ),
    Allowed(
        "assume_access_role", "sts", "AssumeRole", "sts:AssumeRole", ROLE, _PLACES, ("needed_access_role",),
        must=frozenset({"RoleArn", "RoleSessionName", "Policy", "DurationSeconds"}), may=frozenset({"ExternalId", "SourceIdentity", "Tags"}),
        answer=("Credentials", "AssumedRoleUser"), rule=Rule.ASSUME, exception=True,
    ),
    Allowed(
        "assume_web_identity", "sts", "AssumeRoleWithWebIdentity", "sts:AssumeRoleWithWebIdentity", "*", _PLACES, ("needed_identity",),
        must=frozenset({"RoleArn", "RoleSessionName", "WebIdentityToken"}), answer=("Credentials",), granted=False, exception=True,
    ),
    Allowed(
        "read_connections", "datazone", "ListConnections", "datazone:ListConnections", "*", frozenset({Reader.PROJECT}), ("needed_connections",),
        must=frozenset({"domainIdentifier", "projectIdentifier", "type", "maxResults"}), may=frozenset({"nextToken"}), fixed=(("type", "HYPERPOD"),),
    ),
    Allowed(
        "read_connection", "datazone", "GetConnection", "datazone:GetConnection", "*", frozenset({Reader.PROJECT}), ("needed_description",),
        must=frozenset({"domainIdentifier", "identifier", "withSecret"}), fixed=(("withSecret", False),),
    ),
    Allowed(
        "read_project", "datazone", "GetProject", "datazone:GetProject", "*", frozenset({Reader.PROJECT}), ("needed_project",),
        must=frozenset({"domainIdentifier", "identifier"}),
    ),
    Allowed(
        "read_cluster", "sagemaker", "DescribeCluster", "sagemaker:DescribeCluster", CLUSTER, _CLUSTER_READERS, ("needed_cluster_state", "needed_reach"),
        must=frozenset({"ClusterName"}),
    ),
    Allowed(
        "read_nodes", "sagemaker", "ListClusterNodes", "sagemaker:ListClusterNodes", CLUSTER, _CLUSTER_READERS, ("needed_nodes",),
        must=frozenset({"ClusterName", "IncludeNodeLogicalIds", "MaxResults"}), may=frozenset({"NextToken"}), fixed=(("IncludeNodeLogicalIds", True),),
    ),
    Allowed(
        "read_cluster_list", "sagemaker", "ListClusters", "sagemaker:ListClusters", "*", frozenset({Reader.EXECUTION}), ("needed_cluster_list",),
        must=frozenset({"MaxResults"}), may=frozenset({"NextToken"}),
    ),
    Allowed(
        "read_eks_cluster", "eks", "DescribeCluster", "eks:DescribeCluster", EKS_CLUSTER, _CLUSTER_READERS, ("needed_reach",),
        must=frozenset({"name"}), answer=("cluster",),
    ),
    Allowed(
        "read_contract_list", "s3", "ListObjectsV2", "s3:ListBucket", BUCKET, _PLACES, ("needed_contracts",),
        must=frozenset({"Bucket", "Prefix", "ExpectedBucketOwner", "MaxKeys"}), fixed=(("MaxKeys", MAX_OBJECTS),), answer=("KeyCount",), rule=Rule.PREFIX,
    ),
    Allowed(
        "read_contract", "s3", "GetObject", "s3:GetObject", OBJECTS, _PLACES, ("needed_contracts",),
        must=frozenset({"Bucket", "Key", "ExpectedBucketOwner", "Range"}), fixed=(("Range", RANGE),), answer=("ContentLength",), rule=Rule.PREFIX,
    ),
)  # fmt: skip

BY_OPERATION: dict[tuple[str, str], Allowed] = {(a.service, a.operation): a for a in ALLOWED}

KEYS_OF_A_PROFILE: frozenset[tuple[str, str]] = frozenset(
    {
        ("sts", "AssumeRole"),
        ("sts", "AssumeRoleWithWebIdentity"),
        ("sso", "GetRoleCredentials"),
        ("sso-oidc", "CreateToken"),
    }
)
"""Named exceptions, in place elsewhere and by trait only: what botocore's own credential providers call for a profile with a role or an SSO login.

They run on a session of their own, which can call nothing else and whose keys are handed to the session that reads.
"""

ROLE_EXCEPTIONS: tuple[str, ...] = ("sts:AssumeRole", "sts:SetSourceIdentity", "sts:TagSession")
"""What a role session needs besides reading: the trust policy of the access role names these three (facts/hyperpod.md 1.3)."""
