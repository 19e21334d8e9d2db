"""The default: two projects. The member's has a shared EKS cluster under contract, one whose contract ends soon, and a Slurm cluster without one."""

from __future__ import annotations

from dataclasses import replace

from ...model import naming
from ...policy.render_kubernetes import Subject, team
from ..scenario import AccessEntry, Connection, EksCluster, Event, Scenario, Session
from . import TITLES
from .pieces import (
    CONTRACT_BUCKET,
    CONTRACT_PREFIX,
    CONTRACT_READ,
    DOMAIN,
    DOMAIN_REGION,
    PRODUCTION_ID,
    PRODUCTION_ROLE,
    RESEARCH_ID,
    RESEARCH_NAMESPACE,
    RESEARCH_ROLE,
    SESSION_TAGS,
    STUDIO_ACCOUNT,
    TEAM_GROUPS,
    access_role,
    contract_bucket,
    eks_arn,
    metadata,
    one_group_cluster,
    project_role,
)
from .slurm import SLURM

RESEARCH_CLUSTER = replace(
    one_group_cluster("ml-research", "abcresearch1", eks_arn("ml-research-eks"), "ml.p5.48xlarge", running=4, pending=1),
    events=(
        Event(
            id="0e0e0e0e-0001-4000-8000-000000000001",
            minutes_ago=34,
            description="Waiting for capacity of ml.p5.48xlarge",
            level="Warn",
            resource_type="InstanceGroup",
            group="accelerated",
        ),
        Event(id="0e0e0e0e-0002-4000-8000-000000000002", minutes_ago=4400, description="Cluster update completed"),
    ),
)
EVALUATION_CLUSTER = one_group_cluster("ml-evaluation", "abcevaluate1", eks_arn("ml-evaluation-eks"), "ml.p5.48xlarge", running=4)
SLURM_CLUSTER = one_group_cluster("ml-slurm", "abcslurmhpc1", None, "ml.p5.48xlarge", running=8)

RESEARCH_ACCESS = access_role("hp-access-research", RESEARCH_ROLE, RESEARCH_ID, RESEARCH_CLUSTER.arn, RESEARCH_CLUSTER.eks)
EVALUATION_ACCESS = access_role("hp-access-evaluation", RESEARCH_ROLE, RESEARCH_ID, EVALUATION_CLUSTER.arn, EVALUATION_CLUSTER.eks)
SLURM_ACCESS = access_role("hp-access-slurm", RESEARCH_ROLE, RESEARCH_ID, SLURM_CLUSTER.arn, None)
PRODUCTION_ACCESS = access_role("hp-access-production", PRODUCTION_ROLE, PRODUCTION_ID, RESEARCH_CLUSTER.arn, RESEARCH_CLUSTER.eks)

RESEARCH_CONNECTION = Connection(
    id="connresearch01",
    name="research-training",
    project=RESEARCH_ID,
    cluster=RESEARCH_CLUSTER.arn,
    access_role=RESEARCH_ACCESS.arn,
    description="Shared training cluster. Ask the platform team in #hyperpod-help.",
)
EVALUATION_CONNECTION = Connection(
    id="connevaluate01",
    name="evaluation",
    project=RESEARCH_ID,
    cluster=EVALUATION_CLUSTER.arn,
    access_role=EVALUATION_ACCESS.arn,
    description="Nightly evaluation runs.",
)
SLURM_CONNECTION = Connection(
    id="connslurmhpc01",
    name="slurm-pretraining",
    project=RESEARCH_ID,
    cluster=SLURM_CLUSTER.arn,
    access_role=SLURM_ACCESS.arn,
    description="Pretraining on Slurm; set up by the platform team.",
)
PRODUCTION_CONNECTION = Connection(
    id="connproduct001", name="production", project=PRODUCTION_ID, cluster=RESEARCH_CLUSTER.arn, access_role=PRODUCTION_ACCESS.arn
)

# HyperPod's own team role, and beside it the manifest that this product publishes: with both every part of the panel can be read
READER = tuple(team([RESEARCH_NAMESPACE], [naming.cluster_queue_of(RESEARCH_NAMESPACE)], Subject("Group", TEAM_GROUPS[0])))
RESEARCH_EKS = EksCluster(
    name="ml-research-eks",
    arn=eks_arn("ml-research-eks"),
    recording="story",
    entries=(
        AccessEntry(role=RESEARCH_ACCESS.arn, groups=TEAM_GROUPS),
        AccessEntry(role=PRODUCTION_ACCESS.arn, groups=(naming.group_of(f"{naming.PREFIX}production"),)),
    ),
    objects=READER,
)
EVALUATION_EKS = EksCluster(
    name="ml-evaluation-eks",
    arn=eks_arn("ml-evaluation-eks"),
    recording="story-0.12",
    version="1.31",
    entries=(AccessEntry(role=EVALUATION_ACCESS.arn, groups=TEAM_GROUPS),),
    objects=READER,
)

PLATFORM_FILE = f"""\
# What the administrators of this JupyterLab say about contracts. Root owns this file; see the documentation of hpgov_jlab.
apiVersion: hpgov/v1
kind: Platform
contract_prefixes:
  - bucket: {CONTRACT_BUCKET}
    prefix: {CONTRACT_PREFIX}
    owner: "{STUDIO_ACCOUNT}"
    region: {DOMAIN_REGION}
"""

SCENARIO = Scenario(
    name="default",
    title=TITLES["default"],
    place="unified_studio",
    region=DOMAIN_REGION,
    metadata=metadata(),
    roles=(
        project_role(RESEARCH_ROLE, *CONTRACT_READ),
        project_role(PRODUCTION_ROLE, *CONTRACT_READ),
        RESEARCH_ACCESS,
        EVALUATION_ACCESS,
        SLURM_ACCESS,
        PRODUCTION_ACCESS,
    ),
    session=Session(role=RESEARCH_ROLE, name="SageMaker", tags=SESSION_TAGS),
    domain=replace(DOMAIN, connections=(RESEARCH_CONNECTION, EVALUATION_CONNECTION, SLURM_CONNECTION, PRODUCTION_CONNECTION)),
    clusters=(RESEARCH_CLUSTER, EVALUATION_CLUSTER, SLURM_CLUSTER),
    eks=(RESEARCH_EKS, EVALUATION_EKS),
    slurm=SLURM,
    buckets=(contract_bucket("research-ml-research", "research-ml-evaluation", "production-ml-research"),),
    platform_file=PLATFORM_FILE,
)
