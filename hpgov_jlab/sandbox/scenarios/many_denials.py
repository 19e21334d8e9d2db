"""What a team gets by default: the official team role and no extra manifest, an organisation that refuses the node list, no right to the contracts."""

from __future__ import annotations

from dataclasses import replace

from ..scenario import Denial
from . import TITLES
from .default import RESEARCH_ACCESS, RESEARCH_CONNECTION, RESEARCH_EKS
from .default import SCENARIO as DEFAULT
from .pieces import DOMAIN, RESEARCH_ROLE, project_role

ACCESS = replace(
    RESEARCH_ACCESS, denials=(Denial(actions=("sagemaker:ListClusterNodes", "sagemaker:ListClusterEvents"), reason="explicit-service-control-policy-arn"),)
)

SCENARIO = replace(
    DEFAULT,
    name="many-denials",
    title=TITLES["many-denials"],
    roles=(project_role(RESEARCH_ROLE), ACCESS, *(role for role in DEFAULT.roles[1:] if role.arn != ACCESS.arn)),
    domain=replace(DOMAIN, connections=(RESEARCH_CONNECTION,)),
    eks=(replace(RESEARCH_EKS, objects=()), *DEFAULT.eks[1:]),
)
