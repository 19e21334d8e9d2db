"""What every answer stands on: the settings, the sessions and the reads that belong to no single connection. Made by the service, once."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..model.connection import Connection, Orchestrator, Place, PlaceKind
from ..model.outcome import Ask, Failure, Layer, State
from ..policy.aws_names import parse_arn
from ..reads import Read
from ..settings import HpgovSettings
from ..sources import place as places
from ..sources.aws.datazone import slug
from ..sources.aws.session import AwsSessions
from ..sources.kubernetes.kubeconfig import DirectReach, direct_read
from ..sources.kubernetes.reviews import ReviewBudget
from ..sources.kubernetes.transport import Api
from .faults import Faults


@dataclass(frozen=True, slots=True)
class World:
    """`root`: the Jupyter server's root directory, where the project's contract folder is looked for unless a trait says otherwise. `user_settings`:
    JupyterLab's folder of user settings."""

    settings: HpgovSettings
    sessions: AwsSessions
    api: Api
    budget: ReviewBudget
    root: str
    user_settings: str = ""
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)  # it holds tokens
    faults: Faults = field(default_factory=Faults)

    @property
    def project_folder(self) -> str:
        return os.path.abspath(self.settings.project_folder or self.root or ".")

    def place(self) -> Read[Place]:
        """Where this server runs."""
        s = self.settings
        traits = places.Traits(kind=s.place, metadata_file=s.metadata_file, region=s.region, profile=s.profile, sandbox=s.sandbox)
        return places.place_read(traits, self.environ, service_account=s.service_account_folder)

    def direct(self, place: Place) -> Read[DirectReach]:
        """The way to an API server without AWS: the kubeconfig of the trait in place `elsewhere`, else the service account of the pod."""
        s = self.settings
        path = Path(s.kubeconfig) if s.kubeconfig and place.kind is PlaceKind.ELSEWHERE else None
        return direct_read(self.environ, Path(s.service_account_folder), path, s.kubeconfig_context)


def trait_connections(settings: HpgovSettings) -> tuple[tuple[Connection, ...], tuple[Failure, ...]]:
    """The clusters that an administrator named by trait, and a Failure(INVALID) for each entry that names none."""
    found: list[Connection] = []
    failures: list[Failure] = []
    for number, entry in enumerate(settings.connections):
        try:
            found.append(_trait_connection(dict(entry), number))
        except Failure as failure:
            failures.append(failure)
    return tuple(found), tuple(failures)


def _trait_connection(entry: dict[str, Any], number: int) -> Connection:
    known = {"name", "cluster_arn", "orchestrator", "access_role", "external_id", "namespaces"}
    arn = parse_arn(entry.get("cluster_arn"))
    namespaces = entry.get("namespaces", [])
    wrong = None
    if set(entry) - known:
        wrong = ", ".join(sorted(str(k)[:40] for k in set(entry) - known))
    elif arn is None or arn.service != "sagemaker":
        wrong = "cluster_arn"
    elif entry.get("orchestrator", "EKS") not in ("EKS", "SLURM"):
        wrong = "orchestrator"
    elif not isinstance(namespaces, list) or not all(isinstance(n, str) for n in namespaces):
        wrong = "namespaces"
    elif (odd := next((name for name in ("name", "access_role", "external_id") if not isinstance(entry.get(name), str | None)), None)) is not None:
        wrong = odd
    if wrong is not None or arn is None:
        raise Failure(State.INVALID, "trait_connection_invalid", {"number": number + 1, "field": wrong}, layer=Layer.PROJECT, ask=Ask.JUPYTER_ADMIN)
    name = str(entry.get("name") or arn.resource)
    return Connection(
        id=slug(name, f"trait/{entry['cluster_arn']}/{entry.get('access_role', '')}"),
        name=name,
        source="trait",
        orchestrator=Orchestrator(entry.get("orchestrator", "EKS")),
        cluster_name=arn.resource.rpartition("/")[2],
        region=arn.region,
        account=arn.account,
        cluster_arn=entry["cluster_arn"],
        access_role=entry.get("access_role"),
        namespaces=tuple(namespaces),
    )


def external_id(settings: HpgovSettings, connection: Connection) -> str | None:
    """The ExternalId that a trait gives for a trait's connection; Unified Studio's is the project's id and comes from the place."""
    if connection.source not in ("trait", "in_cluster"):
        return None
    for entry in settings.connections:
        if entry.get("cluster_arn") == connection.cluster_arn and entry.get("access_role") == connection.access_role:
            found = entry.get("external_id")
            return str(found) if found else None
    return None
