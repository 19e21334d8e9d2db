"""Read-only by the server's word: what the API servers' audit logs say of everything that the product sent in this session (issue 4, point 3).

Runs after all other tests of this folder (conftest.py), so that every read that they caused is looked at. The table is docs/tables/audit.md.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest

from hpgov_jlab.policy import kubernetes as policy
from hpgov_jlab.policy import render_kubernetes
from tests.testbed.audit import Request
from tests.testbed.hyperpod import HyperPod

from . import tables
from .conftest import STARTED
from .product import Product, ours
from .test_contracts import record

# Allowed and never seen here, each for its reason: a later read that makes one superfluous fails the test
NEVER_SENT = {
    "list_paddlejobs": "its definition is not installed in the testbed: discovery says so and nothing is asked",
    "list_jaxjobs": "its definition is not installed in the testbed: discovery says so and nothing is asked",
}
SENT: list[Request] = []
BY_SHAPE = {operation.shape: operation for operation in policy.ALLOWED if not operation.path}


@pytest.fixture
def requests(cluster_0_19: HyperPod, cluster_0_12: HyperPod, product: Callable[..., Product]) -> list[Request]:
    """Of every cluster of this session, also of those that are stopped; read once.

    A look as member and as cohort reader first, so that this file says something when it is run alone.
    """
    if SENT:
        return SENT
    for cluster in (cluster_0_19, cluster_0_12):
        team = cluster.team(f"audit-{cluster.number()}", 1)
        person = cluster.person(f"auditor-{cluster.number()}")
        subject = render_kubernetes.Subject("User", person.name)
        cluster.apply(*render_kubernetes.team([team.namespace], [team.queue], subject), *render_kubernetes.cohort_reader(subject))
        annotation = {"hpgov/contract": json.dumps(record(team.namespace))}  # whether it is the platform's is asked by self-review
        cluster.patch(f"/api/v1/namespaces/{team.namespace}", {"metadata": {"annotations": annotation}})
        panel = product(cluster, person, team.namespace, cohort_reads=True)
        panel.look()
        panel.events(team.namespace)
        panel.pages()
    assert {cluster_0_19, cluster_0_12} <= set(STARTED)
    SENT.extend(request for rig in STARTED for request in ours(rig))
    return SENT


def test_only_what_the_allow_list_says(requests: list[Request]) -> None:
    assert len(requests) > 50
    for request in requests:
        if not request.resource:
            assert request.verb == "get" and urlsplit(request.uri).path in policy.DISCOVERY_PATHS, request
            continue
        operation = BY_SHAPE.get(request.shape)
        assert operation is not None, f"not on the allow list: {request}"
        asked = parse_qs(urlsplit(request.uri).query)
        # exactly what is allowed: a first page has no token yet, and nothing else may be left out
        assert set(asked) in (operation.query, operation.query - {"continue"}), f"query of {request}"


def test_nothing_is_changed_or_watched(requests: list[Request]) -> None:
    reviews = {"selfsubjectaccessreviews", "selfsubjectreviews"}
    for request in requests:
        assert request.verb in ("get", "list") or (request.verb == "create" and request.resource in reviews and not request.namespace and not request.name), (
            request
        )
        assert "watch" not in parse_qs(urlsplit(request.uri).query), request


def test_queues_and_cohorts_are_listed_by_cohort_readers_only(requests: list[Request]) -> None:
    """Everybody else reads the own queue by its name. The access policies of EKS grant the list of queues as well (facts/hyperpod.md 2.8)."""
    for request in requests:
        if request.resource in ("clusterqueues", "cohorts") and request.verb == "list":
            assert request.user.startswith(("cohort-", "reader-", "auditor-", "eks-")), request


def test_only_namespaces_in_scope(requests: list[Request]) -> None:
    """A namespace of another team is never asked for, not even by a reader of the whole cluster."""
    assert not [r for r in requests if "foreign" in r.uri]
    assert not [r for r in requests if r.verb == "list" and not r.namespace and BY_SHAPE[r.shape].namespaced]


def test_the_allow_list_is_no_longer_than_needed(requests: list[Request]) -> None:
    sent = {BY_SHAPE[r.shape].id for r in requests if r.resource} | {policy.DISCOVERY.id for r in requests if not r.resource}
    assert {o.id for o in policy.ALLOWED} - sent == set(NEVER_SENT)


def test_the_published_manifests_grant_exactly_the_reads() -> None:
    """RBAC knows neither namespaces given nor names given: groups, resources and verbs are compared, and the queue's name."""
    subject = render_kubernetes.Subject("User", "u")
    granted = set()
    for document in (*render_kubernetes.team(["ns"], ["queue"], subject), *render_kubernetes.cohort_reader(subject)):
        for rule in document.get("rules", ()):
            granted |= {(v, g, r, tuple(rule.get("resourceNames", ()))) for v in rule["verbs"] for g in rule["apiGroups"] for r in rule["resources"]}
    wanted = {
        (o.verb, o.group, f"{o.resource}/{o.subresource}" if o.subresource else o.resource, ("queue",) if o is policy.CLUSTER_QUEUE else ())
        for o in policy.READS
    }
    assert granted == wanted


def test_table(requests: list[Request]) -> None:
    count = Counter(BY_SHAPE[r.shape].id if r.resource else policy.DISCOVERY.id for r in requests)
    rows = []
    for o in policy.ALLOWED:
        where = "one namespace" if o.namespaced else "the cluster"
        sent = "yes" if count[o.id] else f"no: {NEVER_SENT[o.id]}"
        rows.append([o.source, where, "by name" if o.named else "", ", ".join(sorted(o.query)), str(o.grant), sent])
    text = "Every request on the allow list, and whether the audit logs of the real API servers hold it after the whole run. They hold nothing else."
    tables.check("audit.md", tables.markdown("What is sent to an API server", text, ("request", "where", "name", "query", "granted by", "seen"), rows))
