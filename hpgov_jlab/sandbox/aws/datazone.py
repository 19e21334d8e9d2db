"""DataZone's five reads. Membership is judged as DataZone does, in its own words, after IAM has let the call through (facts/aws.md 6.1)."""

from __future__ import annotations

from typing import Any

from ..scenario import Connection, Domain, Project
from .denials import membership_refusal
from .errors import AwsError, Kind, error
from .keys import session_principal
from .operations import Call, Params, moment, operation, page

_CREATED = "2026-01-12T10:00:00Z"


def _domain(call: Call, params: Params, name: str) -> Domain:
    domain = call.scenario.domain
    if call.faults.take("wrong-region", f"datazone:{name}") is not None:
        raise error(Kind.UNKNOWN_KEYS, "rest-json", "The security token included in the request is invalid.")
    if domain is None or domain.id != params["domainIdentifier"] or domain.region != call.region:
        raise AwsError("ResourceNotFoundException", f"Domain with id {params['domainIdentifier']} does not exist", 404)
    return domain


def _own_project(call: Call, name: str, wanted: str | None) -> Project:
    """The caller's project, when it is the wanted one. A project that one is no member of and one that does not exist look alike."""
    project = call.scenario.project_of(call.who.role_arn)
    if project is None or wanted not in (None, project.id) or call.faults.take("membership-denied", f"datazone:{name}") is not None:
        raise AwsError("AccessDeniedException", membership_refusal(name), 403)
    return project


def _summary(call: Call, domain: Domain, connection: Connection) -> dict[str, Any]:
    cluster = call.scenario.cluster(connection.cluster)
    assert cluster is not None  # held by scenario_check
    region, account = cluster.arn.split(":")[3:5]
    location = {"awsRegion": connection.region or region, "awsAccountId": connection.account or account, "accessRole": connection.access_role}
    properties: dict[str, Any] = {"clusterName": cluster.name}
    if connection.states_cluster:
        properties.update(clusterArn=cluster.arn, orchestrator="EKS" if cluster.eks else "SLURM")
    return {
        "connectionId": connection.id,
        "domainId": domain.id,
        "domainUnitId": domain.unit,
        "projectId": connection.project,
        "name": connection.name,
        "type": "HYPERPOD",
        "scope": "PROJECT",
        "physicalEndpoints": [{"awsLocation": location}],
        "props": {"hyperPodProperties": properties},
        "configurations": [{"classification": "hyperpod", "properties": dict(connection.properties)}] if connection.properties else None,
    }


@operation("datazone", "ListConnections")
def _list_connections(call: Call, params: Params) -> dict[str, Any]:
    domain = _domain(call, params, "ListConnections")
    project = _own_project(call, "ListConnections", params.get("projectIdentifier"))
    found = [c for c in domain.connections if c.project == project.id and params.get("name") in (None, c.name)]
    if params.get("type", "HYPERPOD") != "HYPERPOD" or params.get("scope", "PROJECT") != "PROJECT":
        found = []
    found.sort(key=lambda c: c.name, reverse=params.get("sortOrder") == "DESCENDING")
    items, token = page(call, "datazone:ListConnections", found, params.get("maxResults", 50), params.get("nextToken"))
    return {"items": [_summary(call, domain, c) for c in items], "nextToken": token}


@operation("datazone", "GetConnection")
def _get_connection(call: Call, params: Params) -> dict[str, Any]:
    domain = _domain(call, params, "GetConnection")
    connection = next((c for c in domain.connections if c.id == params["identifier"]), None)
    project = _own_project(call, "GetConnection", connection.project if connection else None)
    if connection is None:
        raise AwsError("ResourceNotFoundException", f"Connection with id {params['identifier']} does not exist", 404)
    answer = {**_summary(call, domain, connection), "environmentUserRole": project.role, "description": connection.description}
    if params.get("withSecret") and connection.access_role is not None:
        # as the real one does (facts/hyperpod.md 1.3): whoever asks gets keys, so a client that asks is seen with them
        keys = call.keys.issue(session_principal(connection.access_role, "datazone-connection"), call.now + 3600)
        answer["connectionCredentials"] = {
            "accessKeyId": keys.key_id,
            "secretAccessKey": keys.secret,
            "sessionToken": keys.token,
            "expiration": moment(keys.expires),
        }
    return answer


@operation("datazone", "GetProject")
def _get_project(call: Call, params: Params) -> dict[str, Any]:
    domain = _domain(call, params, "GetProject")
    project = _own_project(call, "GetProject", params["identifier"])
    return {
        "domainId": domain.id,
        "id": project.id,
        "name": project.name,
        "description": project.description,
        "projectStatus": "ACTIVE",
        "createdBy": "system",
        "createdAt": _CREATED,
        "domainUnitId": domain.unit,
        "resourceTags": [{"key": key, "value": value, "source": "PROJECT"} for key, value in project.tags.items()],
    }


@operation("datazone", "ListProjectMemberships")
def _list_memberships(call: Call, params: Params) -> dict[str, Any]:
    _domain(call, params, "ListProjectMemberships")
    project = _own_project(call, "ListProjectMemberships", params["projectIdentifier"])
    items, token = page(call, "datazone:ListProjectMemberships", project.members, params.get("maxResults", 50), params.get("nextToken"))
    return {"members": [{"memberDetails": {"user": {"userId": m.person}}, "designation": m.designation} for m in items], "nextToken": token}


@operation("datazone", "GetUserProfile")
def _get_user_profile(call: Call, params: Params) -> dict[str, Any]:
    domain = _domain(call, params, "GetUserProfile")
    person = next((p for p in domain.people if params["userIdentifier"] in (p.id, p.name)), None)
    if person is None:
        raise AwsError("ResourceNotFoundException", f"User profile {params['userIdentifier']} does not exist", 404)
    names = {key: value for key, value in (("firstName", person.first_name), ("lastName", person.last_name)) if value}
    details: dict[str, Any] = {"sso": {"username": person.name, **names}} if person.kind == "SSO" else {"iam": {"arn": person.name}}
    return {"domainId": domain.id, "id": person.id, "type": person.kind, "status": "ACTIVATED", "details": details}
