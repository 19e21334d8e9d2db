"""Unified Studio's connections: which clusters this project is connected to (facts/hyperpod.md 1.3). Read with the project role, never with secrets."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Any

from ...model.connection import Connection, Orchestrator, Place
from ...model.outcome import Ask, Failure, Layer, State
from ...policy.aws_names import CONNECTION_ID
from ...reads import Deadline, Got, Key, Read
from .errors import unusable
from .pages import read_pages
from .session import LANE, AwsSession
from .targets import mismatch

PAGE = 50
MOST_PAGES = 20


@dataclass(frozen=True, slots=True)
class Description:
    """What GetConnection adds to the list: `project_role` is its environmentUserRole."""

    description: str | None
    project_role: str | None


@dataclass(frozen=True, slots=True)
class Project:
    """GetProject, reduced."""

    name: str
    description: str | None


def _scope(place: Place) -> tuple[str, str, str]:
    """Domain, project and Region of the DataZone calls. Raises Failure(NOT_CONFIGURED, "place_incomplete")."""
    region = place.domain_region or place.region
    if place.domain_id is None or place.project_id is None or region is None:
        raise Failure(State.NOT_CONFIGURED, "place_incomplete", layer=Layer.PROJECT, ask=Ask.JUPYTER_ADMIN)
    return place.domain_id, place.project_id, region


def connections(session: AwsSession, place: Place) -> Read[list[Connection]]:
    """Every HYPERPOD connection of the place's project, by name; without description and project role, which `description` adds.

    Raises Failure(INVALID, "too_many_pages") above 1,000 connections rather than show some as all.
    """

    def fetch(deadline: Deadline) -> Got[list[Connection]]:
        domain, project, region = _scope(place)
        params = {"domainIdentifier": domain, "projectIdentifier": project, "type": "HYPERPOD", "maxResults": PAGE}
        found = read_pages(session, "datazone", "ListConnections", params, deadline, region=region, token="nextToken", most=MOST_PAGES)  # noqa: S106
        if not found.complete:
            raise Failure(State.INVALID, "too_many_pages", {"action": "datazone:ListConnections"}, layer=Layer.PROJECT, ask=Ask.PROJECT_OWNER)
        items = [connection(item, domain, project) for item in found.items("items") if item.get("type") == "HYPERPOD"]
        return Got(sorted(items, key=lambda c: (c.name, c.id)), found.skew)

    key = Key(session.principal, f"datazone.{place.domain_region}", "ListConnections", f"{place.domain_id}/{place.project_id}")
    return Read(key, LANE, "datazone:ListConnections", fetch, way=True, ttl=120.0, floor=10.0)


def description(session: AwsSession, place: Place, of: Connection) -> Read[Description]:
    """A connection's description and project role, without secrets: the guard refuses a call that asks for them."""

    def fetch(deadline: Deadline) -> Got[Description]:
        domain, _, region = _scope(place)
        if of.connection_id is None or not CONNECTION_ID.fullmatch(of.connection_id):
            raise mismatch("connection_id")
        params = {"domainIdentifier": domain, "identifier": of.connection_id, "withSecret": False}
        answer = session.call("datazone", "GetConnection", params, deadline, region=region)
        return Got(Description(_text(answer.data.get("description")), _text(answer.data.get("environmentUserRole"))), answer.skew)

    key = Key(session.principal, f"datazone.{place.domain_region}", "GetConnection", f"{place.domain_id}/{of.connection_id}")
    return Read(key, LANE, "datazone:GetConnection", fetch, way=True, ttl=600.0, floor=10.0)


def project(session: AwsSession, place: Place) -> Read[Project]:
    """The project's own name: its id says nothing to a person."""

    def fetch(deadline: Deadline) -> Got[Project]:
        domain, identifier, region = _scope(place)
        answer = session.call("datazone", "GetProject", {"domainIdentifier": domain, "identifier": identifier}, deadline, region=region)
        return Got(Project(answer.data["name"], _text(answer.data.get("description"))), answer.skew)

    key = Key(session.principal, f"datazone.{place.domain_region}", "GetProject", f"{place.domain_id}/{place.project_id}")
    return Read(key, LANE, "datazone:GetProject", fetch, way=True, ttl=3600.0, floor=30.0)


def connection(item: dict[str, Any], domain: str, project_id: str) -> Connection:
    """One item of ListConnections as the product's Connection. Facts that are missing stay None; none is guessed from another."""
    if not item.get("connectionId") or not item.get("name"):
        raise unusable("datazone:ListConnections", Layer.PROJECT)
    properties = (item.get("props") or {}).get("hyperPodProperties") or {}
    location: dict[str, Any] = next((e["awsLocation"] for e in item.get("physicalEndpoints") or () if e.get("awsLocation")), {})
    word = properties.get("orchestrator")
    identifier = str(item["connectionId"])
    return Connection(
        id=slug(str(item["name"]), f"{domain}/{project_id}/{identifier}"),
        name=str(item["name"]),
        source="datazone",
        orchestrator=Orchestrator(word) if word in ("EKS", "SLURM") else Orchestrator.UNKNOWN,
        cluster_name=str(properties.get("clusterName") or ""),
        region=location.get("awsRegion"),
        account=location.get("awsAccountId"),
        cluster_arn=properties.get("clusterArn"),
        connection_id=identifier,
        access_role=location.get("accessRole"),
        project_id=item.get("projectId"),
        domain_id=item.get("domainId"),
        configurations=_configurations(item),
    )


def _configurations(item: dict[str, Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    for configuration in item.get("configurations") or ():
        for name, value in (configuration.get("properties") or {}).items():
            found[str(name)] = str(value)
    return found


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def slug(name: str, identity: str) -> str:
    """A short stable id for URLs and settings: readable, and unique by a hash over what identifies the connection."""
    readable = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:24] or "connection"
    return f"{readable}-{hashlib.sha256(identity.encode()).hexdigest()[:8]}"
