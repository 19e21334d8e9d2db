"""What several scenarios have in common: accounts, the policies that AWS gives such roles, the contracts, clusters of the two-team story."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...model import naming
from ..scenario import Bucket, Domain, Group, HyperPodCluster, Member, Node, Person, Project, Role, S3Object, Statement, Version

STUDIO_ACCOUNT = "111122223333"  # the domain, its projects and their data
CAPACITY_ACCOUNT = "444455556666"  # the accelerators
DOMAIN_REGION = "us-east-1"
CLUSTER_REGION = "us-west-2"

DOMAIN_ID = "dzd-exampledomain1"
RESEARCH_ID = "prjresearch001"
PRODUCTION_ID = "prjproduct001"
MEMBER_ID = "0a1b2c3d-1111-4222-8333-444455556666"
OWNER_ID = "0a1b2c3d-2222-4222-8333-444455556666"

RESEARCH_ROLE = f"arn:aws:iam::{STUDIO_ACCOUNT}:role/datazone_usr_role_{RESEARCH_ID}_envresearch001"
PRODUCTION_ROLE = f"arn:aws:iam::{STUDIO_ACCOUNT}:role/datazone_usr_role_{PRODUCTION_ID}_envproduct001"

CONTRACT_BUCKET = "example-platform-contracts"
CONTRACT_PREFIX = "hyperpod/"

RESEARCH_NAMESPACE = f"{naming.PREFIX}research"
TEAM_GROUPS = (naming.group_of(RESEARCH_NAMESPACE), f"{RESEARCH_NAMESPACE}-cluster-level-group")


def cluster_arn(cluster_id: str) -> str:
    return f"arn:aws:sagemaker:{CLUSTER_REGION}:{CAPACITY_ACCOUNT}:cluster/{cluster_id}"


def eks_arn(name: str) -> str:
    return f"arn:aws:eks:{CLUSTER_REGION}:{CAPACITY_ACCOUNT}:cluster/{name}"


def allow(actions: str | Sequence[str], resource: str | Sequence[str] = "*", **condition: Any) -> Statement:
    names = actions if isinstance(actions, str) else list(actions)
    return {"Effect": "Allow", "Action": names, "Resource": resource, **({"Condition": condition} if condition else {})}


CONTRACT_READ = (
    allow("s3:GetObject", f"arn:aws:s3:::{CONTRACT_BUCKET}/{CONTRACT_PREFIX}*"),
    allow("s3:ListBucket", f"arn:aws:s3:::{CONTRACT_BUCKET}", StringLike={"s3:prefix": f"{CONTRACT_PREFIX}*"}),
)
"""What an administrator adds for the contracts; the rest of a project role comes from AWS."""

# As much of SageMakerStudioProjectUserRolePolicy and of its permissions boundary as counts here (facts/hyperpod.md 4.3)
PROJECT_POLICY = (
    allow(("datazone:GetConnection", "datazone:ListConnections", "datazone:GetProject", "datazone:GetUserProfile", "datazone:GetDomain")),
    allow("sts:AssumeRole"),
    allow("sts:SetSourceIdentity", StringEquals={"sts:SourceIdentity": "${aws:PrincipalTag/datazone:userId}"}),
    allow("sts:TagSession"),
)
PROJECT_BOUNDARY = (
    allow("*"),
    {
        "Effect": "Deny",
        "NotAction": ["datazone:*", "sts:AssumeRole", "sts:SetSourceIdentity", "sts:TagSession", "s3:*", "cloudwatch:GetMetricData", "iam:GetRole"],
        "Resource": "*",
    },
)


def project_role(arn: str, *more: Statement) -> Role:
    return Role(arn=arn, policies=(*PROJECT_POLICY, *more), boundary=PROJECT_BOUNDARY)


def access_role(name: str, project_role_arn: str, project_id: str, cluster: str, eks: str | None, *, domain_id: str = DOMAIN_ID) -> Role:
    """An access role as this product asks for it: the reads of one cluster, trusted for one project (facts/hyperpod.md 1.3 and 4.4)."""
    who = {"AWS": project_role_arn}
    tags = {"aws:RequestTag/AmazonDataZoneProject": project_id, "aws:RequestTag/AmazonDataZoneDomain": domain_id}
    return Role(
        arn=f"arn:aws:iam::{CAPACITY_ACCOUNT}:role/{name}",
        policies=(
            allow(("sagemaker:DescribeCluster", "sagemaker:ListClusterNodes", "sagemaker:ListClusterEvents"), cluster),
            *((allow(("eks:DescribeCluster", "eks:AccessKubernetesApi"), eks),) if eks else ()),
        ),
        trust=(
            {"Effect": "Allow", "Principal": who, "Action": "sts:AssumeRole", "Condition": {"StringEquals": {"sts:ExternalId": project_id}}},
            {
                "Effect": "Allow",
                "Principal": who,
                "Action": "sts:SetSourceIdentity",
                "Condition": {"StringLike": {"sts:SourceIdentity": "${aws:PrincipalTag/datazone:userId}"}},
            },
            {"Effect": "Allow", "Principal": who, "Action": "sts:TagSession", "Condition": {"StringEquals": tags}},
        ),
    )


def nodes(group: str, instance_type: str, running: int, pending: int = 0) -> tuple[Node, ...]:
    """So many running nodes, and so many that have no instance yet."""
    seed = sum(group.encode())
    made = [
        Node(
            group=group,
            instance_type=instance_type,
            logical_id=f"{group}-{n}",
            instance_id=f"i-{seed * 65537 + n:017x}" if n < running else None,
            status="Running" if n < running else "Pending",
        )
        for n in range(running + pending)
    ]
    return tuple(made)


def one_group_cluster(name: str, cluster_id: str, eks: str | None, instance_type: str, running: int, pending: int = 0) -> HyperPodCluster:
    return HyperPodCluster(
        name=name,
        arn=cluster_arn(cluster_id),
        eks=eks,
        groups=(Group(name="accelerated", instance_type=instance_type, current=running, target=running + pending),),
        nodes=nodes("accelerated", instance_type, running, pending),
    )


PEOPLE = (
    Person(id=MEMBER_ID, name="bob@example.com", first_name="Bob", last_name="Example"),
    Person(id=OWNER_ID, name="carol@example.com", first_name="Carol", last_name="Example"),
)
RESEARCH = Project(
    id=RESEARCH_ID,
    name="Research",
    role=RESEARCH_ROLE,
    description="Language models for document search",
    members=(Member(person=MEMBER_ID), Member(person=OWNER_ID, designation="PROJECT_OWNER")),
    tags={"cost-center": "4711"},
)
PRODUCTION = Project(id=PRODUCTION_ID, name="Production", role=PRODUCTION_ROLE, description="Models that customers use", members=(Member(person=OWNER_ID),))
DOMAIN = Domain(
    id=DOMAIN_ID, name="Example domain", region=DOMAIN_REGION, account=STUDIO_ACCOUNT, unit="exampleunit1", people=PEOPLE, projects=(RESEARCH, PRODUCTION)
)


def metadata(project_id: str = RESEARCH_ID, role: str = RESEARCH_ROLE) -> dict[str, Any]:
    """resource-metadata.json of a Unified Studio space (facts/hyperpod.md 1.2). DataZoneEndpoint is left to whoever starts the far end."""
    return {
        "AppType": "JupyterLab",
        "DomainId": "d-exampledomain",
        "SpaceName": "research-space",
        "UserProfileName": MEMBER_ID,
        "ExecutionRoleArn": role,
        "ResourceArn": f"arn:aws:sagemaker:{DOMAIN_REGION}:{STUDIO_ACCOUNT}:app/d-exampledomain/research-space/JupyterLab/default",
        "ResourceName": "default",
        "AppImageVersion": "4.0.0",
        "AdditionalMetadata": {
            "DataZoneDomainId": DOMAIN_ID,
            "DataZoneDomainRegion": DOMAIN_REGION,
            "DataZoneProjectId": project_id,
            "DataZoneEnvironmentId": "envresearch001",
            "DataZoneScopeName": "dev",
            "DataZoneStage": "prod",
            "DataZoneUserId": MEMBER_ID,
            "DataZoneProjectRepositoryName": "research",
        },
    }


SESSION_TAGS = {"AmazonDataZoneProject": RESEARCH_ID, "AmazonDataZoneDomain": DOMAIN_ID, "datazone:userId": MEMBER_ID}


def contract(name: str) -> str:
    """The text of one contract of the folder beside this file."""
    return (Path(__file__).parent / "contracts" / f"{name}.yaml").read_text(encoding="utf-8")


def contract_bucket(*names: str) -> Bucket:
    """The platform team's bucket. The first contract has an older version, as a reviewed one does."""
    objects = tuple(
        S3Object(
            key=f"{CONTRACT_PREFIX}{name}.yaml",
            versions=(
                Version(id=f"examplev2{name.replace('-', '')}", text=contract(name), days_ago=9),
                Version(id=f"examplev1{name.replace('-', '')}", text="apiVersion: hpgov/v1\nkind: ConnectionContract\n", days_ago=120),
            ),
        )
        for name in names
    )
    return Bucket(name=CONTRACT_BUCKET, account=STUDIO_ACCOUNT, region=DOMAIN_REGION, objects=objects)
