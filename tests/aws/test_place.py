"""Where am I: by evidence or trait, never by guess; malformed evidence is a named state (DESIGN.md 5, 14 S8; facts/hyperpod.md 1.2)."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hpgov_jlab.model.connection import Place, PlaceKind
from hpgov_jlab.model.outcome import Failure, State
from hpgov_jlab.reads import Deadline
from hpgov_jlab.sources.aws import datazone, sts
from hpgov_jlab.sources.place import Traits, as_space, decide, expected

from .world import World, ask, failed, world

ROLE = "arn:aws:iam::111122223333:role/service-role/datazone_usr_role_p1_e1"
DATAZONE = {
    "DataZoneDomainId": "dzd-abc123",
    "DataZoneProjectId": "prj1",
    "DataZoneUserId": "0a1b2c3d-1111-4222-8333-444455556666",
    "DataZoneDomainRegion": "us-east-1",
    "DataZoneEndpoint": "https://datazone.us-east-1.api.aws",
    "DataZoneScopeName": "dev",
    "DataZoneProjectRepositoryName": "research",
}
FILE: dict[str, Any] = {
    "AppType": "JupyterLab",
    "ResourceArn": "arn:aws:sagemaker:us-east-1:111122223333:app/d-x/s/JupyterLab/default",
    "ExecutionRoleArn": ROLE,
}


@pytest.fixture
def here(tmp_path: Path) -> Path:
    return tmp_path


def placed(here: Path, *, file: Any = None, raw: bytes | None = None, environ: dict[str, str] | None = None, pod: str | None = None, **traits: Any) -> Place:
    path = here / "metadata.json"
    if file is not None:
        path.write_text(json.dumps(file))
    if raw is not None:
        path.write_bytes(raw)
    account = here / "serviceaccount"
    if pod is not None:
        account.mkdir(exist_ok=True)
        (account / "token").write_text("x")
        (account / "namespace").write_text(pod)
    return decide(Traits(**{"metadata_file": str(path), **traits}), environ or {}, service_account=str(account))


def test_unified_studio_by_the_metadata_file(here: Path) -> None:
    place = placed(here, file={**FILE, "AdditionalMetadata": DATAZONE}, environ={"AWS_REGION": "us-west-2"})
    assert place == Place(
        PlaceKind.UNIFIED_STUDIO,
        "place_by_metadata",
        domain_id="dzd-abc123",
        project_id="prj1",
        user_id="0a1b2c3d-1111-4222-8333-444455556666",
        domain_region="us-east-1",
        domain_endpoint="https://datazone.us-east-1.api.aws",
        region="us-west-2",
        execution_role_arn=ROLE,
        repository="research",
    )


def test_the_environment_fills_in_what_the_file_lacks(here: Path) -> None:
    place = placed(here, file=FILE, environ={k: v for k, v in DATAZONE.items() if k != "DataZoneEndpoint"})
    assert (place.kind, place.evidence, place.project_id, place.execution_role_arn) == (PlaceKind.UNIFIED_STUDIO, "place_by_environment", "prj1", ROLE)
    held = {k: v for k, v in DATAZONE.items() if k != "DataZoneUserId"}
    place = placed(here, file={**FILE, "AdditionalMetadata": held}, environ={"DataZoneUserId": "u-1", "DataZoneProjectId": "another"})
    assert (place.evidence, place.user_id, place.project_id) == ("place_by_metadata", "u-1", "prj1")


@pytest.mark.parametrize(
    ("given", "kind", "evidence"),
    [
        ({"file": FILE}, PlaceKind.STUDIO, "place_by_metadata"),
        ({"pod": "hyperpod-ns-research"}, PlaceKind.POD, "place_by_service_account"),
        ({}, PlaceKind.ELSEWHERE, "place_by_absence"),
        ({"pod": "hyperpod-ns-research", "kind": "space"}, PlaceKind.SPACE, "place_by_trait"),
        ({"file": FILE, "kind": "elsewhere"}, PlaceKind.ELSEWHERE, "place_by_trait"),
        ({"file": FILE, "pod": "x"}, PlaceKind.STUDIO, "place_by_metadata"),
    ],
)
def test_the_other_places(here: Path, given: dict[str, Any], kind: PlaceKind, evidence: str) -> None:
    place = placed(here, **given)
    assert (place.kind, place.evidence) == (kind, evidence)
    assert place.namespace == ("hyperpod-ns-research" if kind in (PlaceKind.POD, PlaceKind.SPACE) else None)
    assert place.execution_role_arn == (ROLE if kind is PlaceKind.STUDIO else None)


def test_a_pod_becomes_a_space_when_its_workspace_was_read(here: Path) -> None:
    pod = placed(here, pod="hyperpod-ns-research")
    assert as_space(pod) == replace(pod, kind=PlaceKind.SPACE, evidence="place_by_workspace")


def test_the_files_path_by_variable(here: Path) -> None:
    path = here / "elsewhere.json"
    path.write_text(json.dumps(FILE))
    assert decide(Traits(), {"RESOURCE_METADATA_FILE": str(path)}, service_account=str(here / "none")).kind is PlaceKind.STUDIO


@pytest.mark.parametrize(
    ("environ", "traits", "region"),
    [
        ({"AWS_REGION": "us-west-2", "AWS_DEFAULT_REGION": "eu-west-1"}, {}, "us-west-2"),
        ({"AWS_DEFAULT_REGION": "eu-west-1", "REGION_NAME": "us-west-2"}, {}, "eu-west-1"),
        ({"REGION_NAME": "us-gov-west-1"}, {}, "us-gov-west-1"),
        ({"AWS_REGION": "us-west-2"}, {"region": "eusc-de-east-1"}, "eusc-de-east-1"),
        ({}, {}, None),
    ],
)
def test_the_region(here: Path, environ: dict[str, str], traits: dict[str, str], region: str | None) -> None:
    assert placed(here, environ=environ, **traits).region == region


DEEP = b"[" * 60_000
MALFORMED: dict[str, dict[str, Any]] = {
    "no JSON": {"raw": b"{"},
    "a list": {"raw": b"[]"},
    "deep": {"raw": DEEP},
    "another encoding": {"raw": b"\xff\xfe{\x00}\x00"},
    "10 MB": {"raw": b" " * 10_000_000},
    "AdditionalMetadata is no object": {"file": {**FILE, "AdditionalMetadata": "x"}},
    "a key that is no text": {"file": {**FILE, "AdditionalMetadata": {**DATAZONE, "DataZoneUserId": 7}}},
    "half of DataZone": {"file": {**FILE, "AdditionalMetadata": {"DataZoneDomainId": "dzd-abc123"}}},
    "a domain that is none": {"file": {**FILE, "AdditionalMetadata": {**DATAZONE, "DataZoneDomainId": "../../x"}}},
    "a project that is none": {"file": {**FILE, "AdditionalMetadata": {**DATAZONE, "DataZoneProjectId": "a/b?c"}}},
    "a user that is none": {"file": {**FILE, "AdditionalMetadata": {**DATAZONE, "DataZoneUserId": "aws:x"}}},
    "a role that is none": {"file": {**FILE, "ExecutionRoleArn": "arn:aws:iam::1:user/x"}},
}


@pytest.mark.parametrize("case", MALFORMED)
def test_malformed_evidence_is_a_named_state(here: Path, case: str) -> None:
    with pytest.raises(Failure) as caught:
        placed(here, **MALFORMED[case])
    assert (caught.value.state, caught.value.code) == (State.INVALID, "metadata_malformed")
    assert set(caught.value.params) == {"why"}  # nothing of the content


def test_a_folder_in_the_files_place(here: Path) -> None:
    (here / "metadata.json").mkdir()
    with pytest.raises(Failure) as caught:
        placed(here)
    assert caught.value.params == {"why": "unreadable"}


@pytest.mark.parametrize(
    ("change", "environ", "code"),
    [
        ({"DataZoneDomainRegion": "us-east-1.evil.example"}, {}, "region_malformed"),
        ({}, {"AWS_REGION": "us-west-2\n"}, "region_malformed"),
        ({"DataZoneDomainRegion": ""}, {}, "no_region"),
        ({"DataZoneEndpoint": "https://datazone.us-east-1.api.aws.evil.example"}, {}, "endpoint_not_allowed"),
        ({"DataZoneEndpoint": "http://datazone.us-east-1.api.aws"}, {}, "endpoint_not_allowed"),
        ({"DataZoneEndpoint": "http://127.0.0.1:8080"}, {}, "endpoint_not_allowed"),
        ({"DataZoneEndpoint": "https://datazone.eu-west-1.api.aws"}, {}, "endpoint_not_allowed"),
        ({"DataZoneEndpoint": "https://x.execute-api.us-east-1.amazonaws.com"}, {}, "endpoint_not_allowed"),
    ],
)
def test_regions_and_the_endpoint_are_vetted(here: Path, change: dict[str, str], environ: dict[str, str], code: str) -> None:
    with pytest.raises(Failure) as caught:
        placed(here, file={**FILE, "AdditionalMetadata": {**DATAZONE, **change}}, environ=environ)
    assert caught.value.code == code


def test_unified_studio_by_trait_needs_its_facts(here: Path) -> None:
    with pytest.raises(Failure) as caught:
        placed(here, kind="unified_studio", environ={"AWS_REGION": "us-east-1"})
    assert (caught.value.state, caught.value.code) == (State.NOT_CONFIGURED, "place_incomplete")


SESSION = "arn:aws:sts::111122223333:assumed-role/datazone_usr_role_p1_e1/SageMaker"


@pytest.mark.parametrize(
    ("arn", "method", "code"),
    [
        (SESSION, "container-role", None),
        (SESSION, "assume-role-with-web-identity", None),
        (SESSION.replace("SageMaker", "another"), "container-role", None),
        (SESSION.replace("_p1_", "_p2_"), "container-role", "unexpected_identity"),
        (SESSION.replace("1111", "9999", 1), "container-role", "unexpected_identity"),
        (SESSION.replace("aws", "aws-cn", 1), "container-role", "unexpected_identity"),
        ("arn:aws:iam::111122223333:user/datazone_usr_role_p1_e1", "container-role", "unexpected_identity"),
        (SESSION, "env", "unexpected_method"),
        (SESSION, "iam-role", "unexpected_method"),
        (SESSION, "shared-credentials-file", "unexpected_method"),
        (SESSION, None, "unexpected_method"),
    ],
)
def test_the_expected_identity_of_a_managed_place(arn: str, method: str | None, code: str | None) -> None:
    note = expected(Place(PlaceKind.UNIFIED_STUDIO, "x", execution_role_arn=ROLE), arn, method)
    assert (note.code if note else None) == code


def test_elsewhere_the_one_seen_at_start_is_expected() -> None:
    elsewhere = Place(PlaceKind.ELSEWHERE, "x")
    assert expected(elsewhere, SESSION, "env") is None
    assert expected(elsewhere, SESSION, "env", seen=SESSION) is None
    assert expected(elsewhere, SESSION, "sso", profile="work", seen=SESSION) is None
    assert expected(elsewhere, SESSION, "sso") is not None
    note = expected(elsewhere, SESSION, "env", seen="arn:aws:iam::111122223333:user/me")
    assert note is not None
    assert note.code == "unexpected_identity"


@pytest.fixture
def impostor(tmp_path: Path) -> Any:
    """A space whose metadata file names another role than the one its keys are of."""
    with world(tmp_path) as made:
        yield World(made.far, made.sessions, replace(made.place, execution_role_arn="arn:aws:iam::111122223333:role/datazone_usr_role_other_env"))


def test_with_an_unexpected_identity_nothing_beyond_get_caller_identity_is_called(impostor: World) -> None:
    for _ in range(2):
        failure = failed(datazone.connections(impostor.home, impostor.place))
        assert (failure.state, failure.code) == (State.NOT_CONFIGURED, "unexpected_identity")
    with pytest.raises(Failure):
        impostor.home.signed_identity("ml-eks", Deadline(20), region="us-west-2", seconds=60)
    assert set(impostor.far.calls()) == {"sts:GetCallerIdentity"}
    identity = ask(sts.identity(impostor.home))
    assert identity.expected is False
    assert identity.note.params["expected"] == "arn:aws:iam::111122223333:role/datazone_usr_role_other_env"


def test_no_environment_of_this_test_run_leaks_in(here: Path) -> None:
    assert "DataZoneDomainId" not in os.environ
