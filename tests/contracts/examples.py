"""A connection and records about it, as the tests of contracts need them."""

from __future__ import annotations

import datetime
import json
from typing import Any

from hpgov_jlab.contracts import Parsed, parse
from hpgov_jlab.contracts.record import from_annotation
from hpgov_jlab.model.connection import Connection, Orchestrator
from hpgov_jlab.model.contract import Kept, Rank

CONNECTION = Connection(
    id="ml-cluster-a",
    name="hp-prod",
    source="datazone",
    orchestrator=Orchestrator.EKS,
    cluster_name="ml-cluster",
    region="us-west-2",
    account="444455556666",
    project_id="prj1",
    domain_id="dzd-1",
    access_role="arn:aws:iam::444455556666:role/hp-access",
)
HERE: dict[str, Any] = {"cluster": {"account": "444455556666", "region": "us-west-2", "name": "ml-cluster"}, "project": {"id": "prj1"}}
MINIMUM: dict[str, Any] = {
    "apiVersion": "hpgov/v1",
    "kind": "ConnectionContract",
    "record": "https://wiki.example.com/contract/1",
    "owners": {"business": {"name": "Dana Example"}},
}
APPROVED: dict[str, Any] = {**MINIMUM, **HERE, "lifecycle": {"status": "approved", "approved_by": "Dana Example", "approved_on": "2026-01-10"}}


def at(text: str) -> float:
    """Epoch seconds of an instant such as 2026-05-12T00:00Z."""
    return datetime.datetime.fromisoformat(text).timestamp()


NOW = at("2026-06-01T12:00+00:00")


def changed(base: dict[str, Any], /, **top: Any) -> dict[str, Any]:
    """The record with some top-level fields replaced, or merged where both are mappings."""
    made = dict(base)
    for name, value in top.items():
        made[name] = {**made[name], **value} if isinstance(value, dict) and isinstance(made.get(name), dict) else value
    return made


def s3(record: dict[str, Any] | bytes, *, key: str = "a.yaml", platform: bool = True) -> Parsed:
    data = record if isinstance(record, bytes) else json.dumps(record).encode()
    return parse(Kept(Rank.S3, f"s3://acme-contracts/prod/{key}", key, data, version="v1", kept_at=1.0, platform=platform))


def file(record: dict[str, Any] | bytes, name: str = "a.yaml") -> Parsed:
    data = record if isinstance(record, bytes) else json.dumps(record).encode()
    return parse(Kept(Rank.FILE, f".hpgov/contracts/{name}", name, data))


def annotation(record: dict[str, Any] | str, namespace: str = "hyperpod-ns-a") -> Parsed:
    return parse(from_annotation(namespace, record if isinstance(record, str) else json.dumps(record), "kubectl-annotate", 5.0))
