"""EKS access policies: a second authorizer beside RBAC, granted by access entries (facts/kubernetes.md 2.3, facts/hyperpod.md 2.8 and 4.1).

AWS documents what each policy grants in prose; exact rule lists are not published. These follow the prose, and only the read side of them:
no test may conclude from here what a customer's cluster allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .rbac import Attributes, Decision

READ = frozenset({"get", "list", "watch"})
WRITE = frozenset({"create", "update", "patch", "delete", "deletecollection"})


@dataclass(frozen=True, slots=True)
class Rule:
    groups: frozenset[str]
    resources: frozenset[str]
    verbs: frozenset[str] = READ


@dataclass(frozen=True, slots=True)
class Grant:
    """One associated access policy. `namespaces` None is cluster scope."""

    policy: str
    namespaces: tuple[str, ...] | None = None


def _rule(groups: str, resources: str, verbs: Iterable[str] = READ) -> Rule:
    return Rule(frozenset("" if g == "core" else g for g in groups.split()), frozenset(resources.split()), frozenset(verbs))


_VIEW = (
    _rule("core", "configmaps endpoints events limitranges namespaces namespaces/status persistentvolumeclaims pods pods/log pods/status "
          "replicationcontrollers resourcequotas resourcequotas/status serviceaccounts services services/status"),
    _rule("apps", "controllerrevisions daemonsets deployments deployments/status replicasets replicasets/status statefulsets statefulsets/status"),
    _rule("batch", "cronjobs cronjobs/status jobs jobs/status"),
    _rule("autoscaling", "horizontalpodautoscalers"),
    _rule("networking.k8s.io", "ingresses networkpolicies"),
    _rule("policy", "poddisruptionbudgets"),
    _rule("discovery.k8s.io", "endpointslices"),
)  # fmt: skip
_EDIT = (*_VIEW, _rule("core", "pods configmaps secrets services persistentvolumeclaims pods/exec", READ | WRITE), _rule("apps batch", "*", READ | WRITE))
_HYPERPOD_READ = (
    _rule("kueue.x-k8s.io", "workloads workloads/status localqueues"),
    _rule("core", "events limitranges resourcequotas"),
)
_HYPERPOD_TRAINING = (
    *_HYPERPOD_READ,
    _rule("core", "pods pods/log configmaps", READ | WRITE),
    _rule("batch", "jobs", READ | WRITE),
    _rule("kubeflow.org", "pytorchjobs mpijobs tfjobs", READ | WRITE),
    _rule("sagemaker.amazonaws.com", "hyperpodpytorchjobs hyperpodpytorchjobs/status", READ | WRITE),
    _rule("ray.io", "*", READ | WRITE),
)
_HYPERPOD_INFERENCE = (
    *_HYPERPOD_READ,
    _rule("core", "pods pods/log configmaps"),
    _rule("inference.sagemaker.aws.amazon.com", "*", READ | WRITE),
)
_HYPERPOD_SPACE = (
    _rule("workspace.jupyter.org", "workspaces", READ | WRITE),
    _rule("core", "pods events"),
    _rule("kueue.x-k8s.io", "workloads localqueues"),
)
_HYPERPOD_USER_CLUSTER = (
    _rule("core", "namespaces nodes"),
    _rule("kueue.x-k8s.io", "clusterqueues resourceflavors workloadpriorityclasses topologies"),
    _rule("apiextensions.k8s.io", "customresourcedefinitions", {"get"}),
)

POLICIES: dict[str, tuple[Rule, ...]] = {
    "AmazonEKSViewPolicy": _VIEW,
    "AmazonEKSEditPolicy": _EDIT,
    "AmazonEKSAdminViewPolicy": (_rule("*", "*"),),
    "AmazonEKSClusterAdminPolicy": (_rule("*", "*", {"*"}),),
    "AmazonSagemakerHyperpodTrainingPolicy": _HYPERPOD_TRAINING,
    "AmazonSagemakerHyperpodInferencePolicy": _HYPERPOD_INFERENCE,
    "AmazonSagemakerHyperpodSpacePolicy": _HYPERPOD_SPACE,
    "AmazonSagemakerHyperpodSpaceTemplatePolicy": (_rule("workspace.jupyter.org", "workspacetemplates"),),
    "AmazonSagemakerHyperpodUserClusterPolicy": _HYPERPOD_USER_CLUSTER,
}


def policy_name(arn_or_name: str) -> str:
    """`AmazonEKSViewPolicy` of its ARN. Raises KeyError for a policy that this table does not know."""
    name = arn_or_name.rsplit("/", 1)[-1]
    if name not in POLICIES:
        raise KeyError(f"access policy {name}")
    return name


def decide(grants: Sequence[Grant], asked: Attributes) -> Decision | None:
    """Allowed, or None for no opinion: an access policy never denies, and names no rule in a rules review."""
    if asked.path is not None:
        return None
    for grant in grants:
        if grant.namespaces is not None and asked.namespace not in grant.namespaces:
            continue
        for rule in POLICIES[policy_name(grant.policy)]:
            if (
                (asked.verb in rule.verbs or "*" in rule.verbs)
                and (asked.group in rule.groups or "*" in rule.groups)
                and (asked.combined in rule.resources or "*" in rule.resources)
            ):
                return Decision(True, f"EKS Access Policy: allowed by {policy_name(grant.policy)}")
    return None
