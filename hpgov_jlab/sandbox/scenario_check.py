"""Whether a scenario holds together, before anything is started from it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .aws.denials import REASONS
from .faults import FAULTS, Faults, UnknownFault
from .scenario import HyperPodCluster, Scenario

INVENTED_ACCOUNTS = frozenset({"111122223333", "444455556666", "777788889999"})
"""The account ids that AWS's own documentation invents; scenarios use no others."""

_ROLE_ARN = re.compile(r"arn:aws:iam::(\d{12}):role/(?:[\w+=,.@-]+/)*[\w+=,.@-]+")
_CLUSTER_ARN = re.compile(r"arn:aws:sagemaker:[a-z0-9-]+:(\d{12}):cluster/[a-z0-9]{12}")
_EKS_ARN = re.compile(r"arn:aws:eks:[a-z0-9-]+:(\d{12}):cluster/([0-9A-Za-z][A-Za-z0-9_-]{0,99})")


def check(scenario: Scenario) -> list[str]:
    """What does not hold together: names that point nowhere, ARNs of the wrong form, accounts that could be someone's. Empty when all is well.

    Whether values suit AWS's models is not checked here: the far end checks every answer that it gives.
    """
    found: list[str] = []
    roles, clusters, eks = {r.arn for r in scenario.roles}, {c.arn: c for c in scenario.clusters}, {e.arn: e for e in scenario.eks}

    def point(what: str, target: str | None, known: Any) -> None:
        if target is not None and target not in known:
            found.append(f"{what} names {target!r}, which the scenario does not have")

    def arn(what: str, form: re.Pattern[str], text: str) -> None:
        match = form.fullmatch(text)
        if match is None:
            found.append(f"{what} is no ARN of its kind: {text!r}")
        elif match[1] not in INVENTED_ACCOUNTS:
            found.append(f"{what} uses account {match[1]}, which is not an invented one")

    for role in scenario.roles:
        arn("a role", _ROLE_ARN, role.arn)
        for denial in role.denials:
            point(f"a denial of {role.arn}", denial.reason, REASONS)
        for statement in (*role.policies, *role.trust, *(role.boundary or ())):
            if statement.get("Effect") not in ("Allow", "Deny") or ("Action" in statement) == ("NotAction" in statement):
                found.append(f"{role.arn} has a statement without Effect or Action")
    if scenario.session is not None:
        point("the session", scenario.session.role, roles)
    if scenario.web_identity is not None:
        point("the web identity", scenario.web_identity.role, roles)
    for cluster in scenario.clusters:
        arn("a HyperPod cluster", _CLUSTER_ARN, cluster.arn)
        point(f"cluster {cluster.name}", cluster.eks, eks)
        groups = {group.name for group in cluster.groups}
        for node in cluster.nodes:
            point(f"a node of {cluster.name}", node.group, groups)
    for e in scenario.eks:
        arn("an EKS cluster", _EKS_ARN, e.arn)
        if not e.arn.endswith(f":cluster/{e.name}"):
            found.append(f"EKS cluster {e.name} has the ARN of another: {e.arn}")
        if not re.fullmatch(r"[a-z0-9][a-z0-9.-]*", e.recording):
            found.append(f"EKS cluster {e.name} has no recording")
        for entry in e.entries:
            point(f"an access entry of {e.name}", entry.role, roles)
    if scenario.service_account is not None:
        point("the service account", scenario.service_account.cluster, {e.name for e in scenario.eks})
    found += _check_domain(scenario, roles, clusters) if scenario.domain is not None else []
    for bucket in scenario.buckets:
        if bucket.account not in INVENTED_ACCOUNTS:
            found.append(f"bucket {bucket.name} uses account {bucket.account}, which is not an invented one")
        found += [f"object {item.key} of {bucket.name} has no version" for item in bucket.objects if not item.versions]
    for path in scenario.files:
        if path.startswith("/") or ".." in path.split("/"):
            found.append(f"file {path!r} lies outside the project folder")
    if (scenario.metadata is None) is not (scenario.place in ("space", "elsewhere")):
        found.append(f"place {scenario.place} and the metadata file do not go together")
    try:
        Faults(scenario.faults)
    except UnknownFault as problem:
        found.append(f"{problem}; there are {', '.join(FAULTS)}")
    return found


def _check_domain(scenario: Scenario, roles: set[str], clusters: Mapping[str, HyperPodCluster]) -> list[str]:
    assert scenario.domain is not None
    found: list[str] = []
    domain = scenario.domain
    people, projects = {p.id for p in domain.people}, {p.id for p in domain.projects}
    for project in domain.projects:
        if project.role not in roles:
            found.append(f"project {project.name} has the role {project.role!r}, which the scenario does not have")
        found += [f"project {project.name} has the member {m.person!r}, whom the domain does not have" for m in project.members if m.person not in people]
    for connection in domain.connections:
        if connection.project not in projects:
            found.append(f"connection {connection.name} is of project {connection.project!r}, which the domain does not have")
        if connection.cluster not in clusters:
            found.append(f"connection {connection.name} leads to {connection.cluster!r}, which the scenario does not have")
        if connection.access_role is not None and connection.access_role not in roles:
            found.append(f"connection {connection.name} has the access role {connection.access_role!r}, which the scenario does not have")
    for what in (domain.connections, domain.projects, domain.people):
        ids = [each.id for each in what]
        found += [f"the domain has {one!r} twice" for one in set(ids) if ids.count(one) > 1]
    return found
