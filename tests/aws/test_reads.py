"""Every AWS read on the wire, in the default scenario: what it brings, and what left the product for it."""

from __future__ import annotations

import json
import logging
import threading
from pathlib import Path
from typing import Any

import pytest

from hpgov_jlab import __version__
from hpgov_jlab.model.connection import Orchestrator, PlaceKind
from hpgov_jlab.model.outcome import State
from hpgov_jlab.policy.aws import ALLOWED, Reader
from hpgov_jlab.reads import Deadline, Got
from hpgov_jlab.sandbox.loading import load
from hpgov_jlab.sources.aws import datazone, eks, hyperpod, s3, sts
from hpgov_jlab.sources.aws.session import Prefix

from .world import World, ask, failed, world

PREFIX = Prefix("example-platform-contracts", "hyperpod/", "111122223333", "us-east-1")


def read_everything(made: World) -> list[Any]:
    """All reads that Unified Studio has, on both EKS connections and the Slurm one."""
    found: list[Any] = [ask(sts.identity(made.home)), ask(datazone.project(made.home, made.place))]
    made.sessions.set_prefixes((PREFIX,))
    listing = ask(s3.listing(made.home, PREFIX))
    found += [listing, *(ask(s3.get(made.home, PREFIX, item.key)) for item in listing.objects)]
    for connection in made.connections():
        session = made.sessions.for_connection(connection, made.place)
        cluster = ask(hyperpod.describe(session, connection))
        found += [connection, cluster, ask(datazone.description(made.home, made.place, connection)), ask(hyperpod.nodes(session, connection))]
        if cluster.eks_arn:
            reached = ask(eks.describe(session, cluster))
            found += [reached, ask(eks.token(session, reached))]
    return found


def test_the_place_reads_as_the_project_role(default: World) -> None:
    who = ask(sts.identity(default.home))
    assert (who.arn, who.account, who.method, who.expected) == (
        "arn:aws:sts::111122223333:assumed-role/datazone_usr_role_prjresearch001_envresearch001/SageMaker",
        "111122223333",
        "container-role",
        True,
    )


def test_connections_are_those_of_the_project(default: World) -> None:
    found = {c.name: c for c in default.connections()}
    assert sorted(found) == ["evaluation", "research-training", "slurm-pretraining"]
    research = found["research-training"]
    assert (research.orchestrator, research.region, research.account) == (Orchestrator.EKS, "us-west-2", "444455556666")
    assert research.cluster_arn == "arn:aws:sagemaker:us-west-2:444455556666:cluster/abcresearch1"
    assert found["slurm-pretraining"].orchestrator is Orchestrator.SLURM
    assert [c.id for c in default.connections()] == [c.id for c in found.values()]  # stable
    described = ask(datazone.description(default.home, default.place, research))
    assert described.description == "Shared training cluster. Ask the platform team in #hyperpod-help."
    assert described.project_role == default.place.execution_role_arn
    assert ask(datazone.project(default.home, default.place)).name == "Research"


def test_a_cluster_and_its_nodes_pending_ones_included(default: World) -> None:
    connection = default.connection()
    session = default.access()
    cluster = ask(hyperpod.describe(session, connection))
    assert (cluster.name, cluster.status, cluster.orchestrator) == ("ml-research", "InService", "EKS")
    assert [(g.name, g.current, g.target) for g in cluster.groups] == [("accelerated", 4, 5)]
    counted = ask(hyperpod.nodes(session, connection))
    assert (counted.total, counted.by_status, counted.complete) == (5, {"Running": 4, "Pending": 1}, True)


def test_the_token_is_taken_by_the_far_end_as_the_access_role(default: World) -> None:
    connection = default.connection()
    session = default.access()
    reached = ask(eks.describe(session, ask(hyperpod.describe(session, connection))))
    token = ask(eks.token(session, reached))
    who = default.far.who(token.value, reached.name)
    assert who is not None
    assert who.role_arn == "arn:aws:iam::444455556666:role/hp-access-research"
    assert default.far.who(token.value, "another-cluster") is None
    assert token.value not in repr(token)


def test_the_role_session_names_the_person_and_carries_the_allow_list(default: World) -> None:
    ask(hyperpod.describe(default.access(), default.connection()))
    params = next(e.params for e in default.far.log if e.operation == "AssumeRole")
    user = "0a1b2c3d-1111-4222-8333-444455556666"
    assert params["ExternalId"] == "prjresearch001"
    assert params["SourceIdentity"] == user
    assert params["RoleSessionName"] == f"hpgov-{user}"
    assert {t["Key"]: t["Value"] for t in params["Tags"]} == {"AmazonDataZoneProject": "prjresearch001", "AmazonDataZoneDomain": "dzd-exampledomain1"}
    assert params["DurationSeconds"] <= 3600
    actions = {a for s in json.loads(params["Policy"])["Statement"] for a in s["Action"]}
    assert actions == {a.action for a in ALLOWED if Reader.ACCESS in a.readers and a.granted}


def test_contracts_in_s3(default: World) -> None:
    default.sessions.set_prefixes((PREFIX,))
    listing = ask(s3.listing(default.home, PREFIX))
    assert listing.complete
    assert [o.key for o in listing.objects] == sorted(o.key for o in listing.objects) != []
    body = ask(s3.get(default.home, PREFIX, listing.objects[0].key))
    assert b"kind: ConnectionContract" in body.body
    assert body.whole
    assert body.version
    for entry in default.far.log:
        if entry.service == "s3":
            assert entry.params["ExpectedBucketOwner"] == "111122223333"
            assert entry.operation != "GetObject" or entry.params["Range"] == "bytes=0-262143"


def test_every_request_carries_our_name_and_is_in_the_allow_list(default: World) -> None:
    read_everything(default)
    assert {(e.service, e.operation) for e in default.far.log} == {
        (a.service, a.operation) for a in ALLOWED if Reader.PROJECT in a.readers or Reader.ACCESS in a.readers
    } - {("sts", "AssumeRoleWithWebIdentity")}
    assert all(f"hpgov-jlab/{__version__}" in e.user_agent for e in default.far.log)
    assert {e.status for e in default.far.log} == {200, 206}  # ranges of S3
    assert not any(e.params.get("withSecret") for e in default.far.log)


def test_the_project_role_calls_no_sagemaker_and_no_eks(default: World) -> None:
    read_everything(default)
    home = {e.service for e in default.far.log if e.caller and "datazone_usr_role" in e.caller}
    assert home == {"sts", "datazone", "s3"}


def test_the_skew_of_the_far_end_is_told(default: World) -> None:
    default.far.faults.set("clock-skew", value=100)
    waiting = Deadline(20, first=5)
    got = sts.identity(default.home).fetch(waiting)
    assert waiting.limit == 20, "an answer has come"
    assert isinstance(got, Got)
    assert got.skew == pytest.approx(100, abs=1.5)


def test_studio_lists_clusters_with_the_execution_role_only(tmp_path: Path) -> None:
    with world(tmp_path, "studio-no-list") as made:
        assert made.place.kind is PlaceKind.STUDIO
        failure = failed(hyperpod.clusters(made.home, made.place))
        assert (failure.state, failure.params["action"]) == (State.DENIED, "sagemaker:ListClusters")
        assert made.far.calls() == ["sts:GetCallerIdentity", "sagemaker:ListClusters"]


def test_unified_studio_cannot_list_clusters_even_by_mistake(default: World) -> None:
    failure = failed(hyperpod.clusters(default.home, default.place))
    assert (failure.state, failure.code) == (State.INVALID, "guard_refused")
    assert "sagemaker:ListClusters" not in default.far.calls()


def test_a_space_without_aws_says_so_and_calls_nothing(tmp_path: Path) -> None:
    with world(tmp_path, "space-no-aws") as made:
        failure = failed(sts.identity(made.home))
        assert (failure.state, failure.code) == (State.NOT_CONFIGURED, "no_credentials")
        assert made.far.log == []


def test_no_secret_in_logs_at_debug_or_in_any_repr(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    found: list[Any] = []
    with world(tmp_path) as made:
        thread = threading.Thread(target=lambda: found.extend(read_everything(made)), name="hpgov-aws", daemon=True)
        thread.start()
        thread.join(60)
        assert found
        made.far.faults.set("container-refuses")
        shown = "\n".join([caplog.text, repr(found), repr(made.home), repr(made.sessions), repr(made.access())])
        secrets = made.far.secrets()
        assert len(secrets) > 4
        assert [s for s in secrets if s in shown] == []
        assert "X-Amz-Signature" not in caplog.text
        assert "X-Amz-Security-Token" not in caplog.text


def test_other_peoples_botocore_logs_are_left_alone(default: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="botocore.endpoint")
    ask(sts.identity(default.home))
    assert [r for r in caplog.records if r.name.startswith("botocore")] == []
    logging.getLogger("botocore.endpoint").debug("somebody else's")
    assert [r.getMessage() for r in caplog.records] == ["somebody else's"]


def test_every_scenario_of_unified_studio_ends_without_a_request_outside_the_list(tmp_path: Path) -> None:
    for name in ("no-connection", "no-contract", "no-kueue", "private-endpoint"):
        assert load(name).place == "unified_studio"
        with world(tmp_path, name) as made:
            for connection in made.connections():
                ask(hyperpod.describe(made.sessions.for_connection(connection, made.place), connection))
            allowed = {(a.service, a.operation) for a in ALLOWED}
            assert {(e.service, e.operation) for e in made.far.log} <= allowed
