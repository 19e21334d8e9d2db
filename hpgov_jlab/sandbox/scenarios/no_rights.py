"""Agreed, but not let in. Three ways: the trust policy does not know the project, the access entry is missing, the entry grants nothing."""

from __future__ import annotations

from dataclasses import replace

from ..scenario import AccessEntry, Connection
from . import TITLES
from .default import EVALUATION_CONNECTION, EVALUATION_EKS, RESEARCH_ACCESS, RESEARCH_CLUSTER, RESEARCH_CONNECTION, RESEARCH_EKS
from .default import SCENARIO as DEFAULT
from .pieces import DOMAIN, RESEARCH_ID, RESEARCH_ROLE, access_role

NOT_TRUSTED = replace(RESEARCH_ACCESS, trust=())
BARE_ACCESS = access_role("hp-access-bare", RESEARCH_ROLE, RESEARCH_ID, RESEARCH_CLUSTER.arn, RESEARCH_CLUSTER.eks)
BARE_CONNECTION = Connection(id="connbare000001", name="without-rbac", project=RESEARCH_ID, cluster=RESEARCH_CLUSTER.arn, access_role=BARE_ACCESS.arn)

SCENARIO = replace(
    DEFAULT,
    name="no-rights",
    title=TITLES["no-rights"],
    roles=(*(role for role in DEFAULT.roles if role.arn != NOT_TRUSTED.arn), NOT_TRUSTED, BARE_ACCESS),
    domain=replace(DOMAIN, connections=(RESEARCH_CONNECTION, EVALUATION_CONNECTION, BARE_CONNECTION)),
    eks=(replace(RESEARCH_EKS, entries=(AccessEntry(role=BARE_ACCESS.arn, groups=("no-group",)),)), replace(EVALUATION_EKS, entries=())),
)
