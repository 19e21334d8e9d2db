"""A HyperPod Space: a pod on the cluster itself. Its service account reads Kubernetes, and there is no pod identity, so AWS cannot be asked."""

from __future__ import annotations

from dataclasses import replace

from ...model import naming
from ...policy.render_kubernetes import Subject, team
from ..scenario import Scenario, ServiceAccount
from . import TITLES
from .default import RESEARCH_EKS
from .pieces import CLUSTER_REGION, RESEARCH_NAMESPACE

ACCOUNT = ServiceAccount(namespace=RESEARCH_NAMESPACE, name="default", token="sandbox-token-of-a-service-account-0123456789abcdef", cluster=RESEARCH_EKS.name)
READER = tuple(team([RESEARCH_NAMESPACE], [naming.cluster_queue_of(RESEARCH_NAMESPACE)], Subject("ServiceAccount", ACCOUNT.name, ACCOUNT.namespace)))

SCENARIO = Scenario(
    name="space-no-aws",
    title=TITLES["space-no-aws"],
    place="space",
    region=CLUSTER_REGION,
    eks=(replace(RESEARCH_EKS, entries=(), objects=READER),),
    service_account=ACCOUNT,
    traits={"place": "space"},
)
