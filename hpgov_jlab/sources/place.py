"""Where this server runs: decided once, by positive evidence or by a trait (DESIGN.md 5, facts/hyperpod.md 1.2).

| evidence | place |
|---|---|
| SageMaker's metadata file (or, where it lacks them, the environment) with a DataZone domain and project | Unified Studio |
| the metadata file without them | Studio |
| a service account's token | a pod; a HyperPod Space once its Workspace was read (`as_space`), or by trait |
| none of these | elsewhere |
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..model.connection import Place, PlaceKind
from ..model.outcome import Ask, Failure, Layer, Phrase, State
from ..policy.aws_names import DOMAIN_ID, PROJECT_ID, SOURCE_IDENTITY, role_name, same_principal
from ..reads import Deadline, Key, Read
from .aws.credentials import MANAGED_METHODS
from .aws.endpoints import check_region, region_of

METADATA_FILE = "/opt/ml/metadata/resource-metadata.json"
SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount"
_LIMIT = 64 * 1024
_KEYS = {
    "domain_id": "DataZoneDomainId",
    "project_id": "DataZoneProjectId",
    "user_id": "DataZoneUserId",
    "domain_region": "DataZoneDomainRegion",
    "domain_endpoint": "DataZoneEndpoint",
    "repository": "DataZoneProjectRepositoryName",
}
_REGIONS = ("AWS_REGION", "AWS_DEFAULT_REGION", "REGION_NAME")
MANAGED = frozenset({PlaceKind.UNIFIED_STUDIO, PlaceKind.STUDIO, PlaceKind.SPACE, PlaceKind.POD})


@dataclass(frozen=True, slots=True)
class Traits:
    """What an administrator may say instead: `kind` empty means find out; `metadata_file` empty means the usual path."""

    kind: str = ""
    metadata_file: str = ""
    region: str = ""
    profile: str = ""
    sandbox: bool = False


def decide(traits: Traits | None = None, environ: Mapping[str, str] | None = None, *, service_account: str = SERVICE_ACCOUNT) -> Place:
    """The place of this server. Reads at most three small files. Raises Failure with a named state where the evidence contradicts itself or is malformed."""
    traits, environ = traits or Traits(), os.environ if environ is None else environ
    kind = PlaceKind(traits.kind) if traits.kind else None
    metadata = _metadata(Path(traits.metadata_file or environ.get("RESOURCE_METADATA_FILE") or METADATA_FILE))
    namespace = _namespace(Path(service_account))
    datazone, from_file = _datazone(metadata, environ)
    found, evidence = _kind(metadata, datazone, from_file, namespace)
    if kind is not None:
        found, evidence = kind, "place_by_trait"
    region = _region(traits, environ, datazone)
    if found is PlaceKind.UNIFIED_STUDIO:
        return _unified(datazone, metadata, evidence, region, sandbox=traits.sandbox)
    role = _role(metadata)
    if found is PlaceKind.STUDIO:
        return Place(found, evidence, region=region, execution_role_arn=role)
    return Place(found, evidence, region=region, namespace=namespace if found in (PlaceKind.SPACE, PlaceKind.POD) else None)


def place_read(traits: Traits, environ: Mapping[str, str], *, service_account: str) -> Read[Place]:
    """Where this server runs: decided once, and asked again only while it could not be decided."""

    def fetch(_: Deadline) -> Place:
        return decide(traits, environ, service_account=service_account)

    return Read(Key("server", "files", "place"), "files", "the place of this server", fetch, ttl=math.inf, floor=5.0)


def as_space(pod: Place) -> Place:
    """A pod whose Workspace was read is a HyperPod Space."""
    return replace(pod, kind=PlaceKind.SPACE, evidence="place_by_workspace")


def expected(place: Place, arn: str, method: str | None, *, seen: str | None = None, profile: str = "") -> Phrase | None:
    """S8: None if a session of this place may go on with this identity, else what is not as expected.

    The method has to be one that the place permits. The ARN has to be that of the metadata file's ExecutionRoleArn; where there is none, the one
    seen at start (`seen`, None at the first look).
    """
    if (place.kind in MANAGED or not profile) and method not in (MANAGED_METHODS | ({"env"} if place.kind is PlaceKind.ELSEWHERE else frozenset())):
        return Phrase("unexpected_method", {"method": method})
    wanted = place.execution_role_arn or seen
    if wanted is None or same_principal(arn, wanted):
        return None
    return Phrase("unexpected_identity", {"arn": arn, "expected": wanted})


# -- evidence -----------------------------------------------------------------------------------------------------------------
def _metadata(path: Path) -> dict[str, Any] | None:
    try:
        with path.open("rb") as file:
            body = file.read(_LIMIT + 1)
    except FileNotFoundError:
        return None
    except OSError:
        raise _malformed("unreadable") from None
    if len(body) > _LIMIT:
        raise _malformed("too_large")
    try:
        found = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        raise _malformed("no_json") from None
    if not isinstance(found, dict) or not isinstance(found.get("AdditionalMetadata", {}), dict):
        raise _malformed("no_object")
    return found


def _malformed(why: str) -> Failure:
    return Failure(State.INVALID, "metadata_malformed", {"why": why}, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)


def _namespace(folder: Path) -> str | None:
    """The service account's namespace if its token is there too; "" never: a pod without a namespace file has none that we know."""
    try:
        if not (folder / "token").exists():
            return None
        with (folder / "namespace").open("rb") as file:
            text = file.read(256).decode("ascii").strip()
    except (OSError, ValueError):
        return None
    good = len(text) <= 63 and text.replace("-", "").isalnum() and text == text.lower() and not text.startswith("-") and not text.endswith("-")
    return text if text and good else None


def _datazone(metadata: dict[str, Any] | None, environ: Mapping[str, str]) -> tuple[dict[str, str], bool]:
    """DataZone's keys, from the metadata file and, where it lacks one, from the environment; True if the domain and project are the file's."""
    held = (metadata or {}).get("AdditionalMetadata", {})
    found: dict[str, str] = {}
    for name, key in _KEYS.items():
        value = held.get(key) or environ.get(key)
        if value is None or value == "":
            continue
        if not isinstance(value, str):
            raise _malformed("no_text")
        found[name] = value
    return found, bool(held.get("DataZoneDomainId") and held.get("DataZoneProjectId"))


def _kind(metadata: dict[str, Any] | None, datazone: dict[str, str], from_file: bool, namespace: str | None) -> tuple[PlaceKind, str]:
    if "domain_id" in datazone and "project_id" in datazone:
        return PlaceKind.UNIFIED_STUDIO, "place_by_metadata" if from_file else "place_by_environment"
    if metadata is not None:
        if "domain_id" in datazone or "project_id" in datazone:
            raise _malformed("half_of_datazone")
        return PlaceKind.STUDIO, "place_by_metadata"
    if namespace is not None:
        return PlaceKind.POD, "place_by_service_account"
    return PlaceKind.ELSEWHERE, "place_by_absence"


def _region(traits: Traits, environ: Mapping[str, str], datazone: dict[str, str]) -> str | None:
    if traits.region:
        return check_region(traits.region, "trait")
    for name in _REGIONS:
        if environ.get(name):
            return check_region(environ[name], "environment")
    return check_region(datazone["domain_region"], "metadata") if "domain_region" in datazone else None


def _role(metadata: dict[str, Any] | None) -> str | None:
    value = (metadata or {}).get("ExecutionRoleArn")
    if value is None or value == "":
        return None
    if not isinstance(value, str) or role_name(value) is None:
        raise _malformed("role")
    return value


def _unified(datazone: dict[str, str], metadata: dict[str, Any] | None, evidence: str, region: str | None, *, sandbox: bool) -> Place:
    domain, project, user = datazone.get("domain_id"), datazone.get("project_id"), datazone.get("user_id")
    if domain is None or project is None:
        raise Failure(State.NOT_CONFIGURED, "place_incomplete", layer=Layer.PROJECT, ask=Ask.JUPYTER_ADMIN)
    if not DOMAIN_ID.fullmatch(domain) or not PROJECT_ID.fullmatch(project) or (user is not None and not SOURCE_IDENTITY.fullmatch(user)):
        raise _malformed("ids")
    domain_region = datazone.get("domain_region") or region
    if domain_region is None:
        raise Failure(State.NOT_CONFIGURED, "no_region", layer=Layer.PROJECT, ask=Ask.JUPYTER_ADMIN)
    check_region(domain_region, "metadata")
    endpoint = datazone.get("domain_endpoint")
    if endpoint is not None:
        named = region_of("datazone", endpoint, sandbox=sandbox)
        if named is not None and named != domain_region:
            raise Failure(State.INVALID, "endpoint_not_allowed", {"service": "datazone"}, layer=Layer.PROJECT, ask=Ask.JUPYTER_ADMIN)
    return Place(
        PlaceKind.UNIFIED_STUDIO,
        evidence,
        domain_id=domain,
        project_id=project,
        user_id=user,
        domain_region=domain_region,
        domain_endpoint=endpoint,
        region=region or domain_region,
        execution_role_arn=_role(metadata),
        repository=datazone.get("repository"),
    )
