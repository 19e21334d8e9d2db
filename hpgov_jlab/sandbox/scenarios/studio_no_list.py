"""SageMaker AI Studio without Unified Studio: an execution role that reads the cluster but may not list clusters, and no trait that names one."""

from __future__ import annotations

from dataclasses import replace

from ..scenario import AccessEntry, Role, Scenario, Session
from . import TITLES
from .default import READER, RESEARCH_CLUSTER, RESEARCH_EKS
from .pieces import CLUSTER_REGION, STUDIO_ACCOUNT, TEAM_GROUPS, allow

EXECUTION_ROLE = f"arn:aws:iam::{STUDIO_ACCOUNT}:role/service-role/AmazonSageMaker-ExecutionRole-example"
CLUSTER = replace(
    RESEARCH_CLUSTER,
    arn=f"arn:aws:sagemaker:{CLUSTER_REGION}:{STUDIO_ACCOUNT}:cluster/abcresearch1",
    eks=f"arn:aws:eks:{CLUSTER_REGION}:{STUDIO_ACCOUNT}:cluster/ml-research-eks",
)

SCENARIO = Scenario(
    name="studio-no-list",
    title=TITLES["studio-no-list"],
    place="studio",
    region=CLUSTER_REGION,
    metadata={
        "AppType": "JupyterLab",
        "DomainId": "d-exampledomain",
        "SpaceName": "bob-space",
        "UserProfileName": "bob",
        "ExecutionRoleArn": EXECUTION_ROLE,
        "ResourceArn": f"arn:aws:sagemaker:{CLUSTER_REGION}:{STUDIO_ACCOUNT}:app/d-exampledomain/bob-space/JupyterLab/default",
        "ResourceName": "default",
        "AppImageVersion": "4.0.0",
    },
    roles=(
        Role(
            arn=EXECUTION_ROLE,
            policies=(
                allow(("sagemaker:DescribeCluster", "sagemaker:ListClusterNodes", "sagemaker:ListClusterEvents"), CLUSTER.arn),
                allow("eks:DescribeCluster", str(CLUSTER.eks)),
            ),
        ),
    ),
    session=Session(role=EXECUTION_ROLE, name="SageMaker"),
    clusters=(CLUSTER,),
    eks=(replace(RESEARCH_EKS, arn=str(CLUSTER.eks), entries=(AccessEntry(role=EXECUTION_ROLE, groups=TEAM_GROUPS),), objects=READER),),
)
