"""The published manifests say exactly what the allow list says, and hold no name that could break out of them."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from hpgov_jlab import words
from hpgov_jlab.policy import render_kubernetes as render
from hpgov_jlab.policy.kubernetes import (
    ALLOWED,
    CLUSTER_QUEUE,
    COHORT_QUEUES,
    LOCAL_QUEUES,
    NAMESPACE,
    PENDING,
    QUESTIONS,
    READS,
    WORKLOADS,
    Grant,
    Question,
    question,
)

GROUP = render.Subject("Group", "team-a-readers")


def granted(documents: list[dict[str, Any]]) -> set[tuple[str, str, str, str]]:
    """(where, verb, group, resource/subresource) of every rule; no rule may hold a wildcard."""
    found = set()
    for document in documents:
        for rule in document.get("rules", ()):
            for group in rule["apiGroups"]:
                for resource in rule["resources"]:
                    for verb in rule["verbs"]:
                        assert "*" not in group + resource + verb
                        found.add((document["kind"], verb, group, resource))
    return found


def wanted(grant: Grant) -> set[tuple[str, str, str, str]]:
    return {
        ("Role" if o.namespaced or o is NAMESPACE else "ClusterRole", o.verb, o.group, f"{o.resource}/{o.subresource}" if o.subresource else o.resource)
        for o in READS
        if o.grant is grant
    }


def test_the_manifests_equal_the_allow_list() -> None:
    assert granted(render.team(["team-a"], ["team-a-clusterqueue"], GROUP)) == wanted(Grant.TEAM)
    assert granted(render.cohort_reader(GROUP)) == wanted(Grant.COHORT_READER)
    assert {verb for _, verb, _, _ in wanted(Grant.TEAM) | wanted(Grant.COHORT_READER)} == {"get", "list"}


def test_the_team_gets_its_own_cluster_queue_by_name_only() -> None:
    rules = [r for d in render.team(["team-a"], ["q-a", "q-b"], GROUP) for r in d.get("rules", ()) if "clusterqueues" in r["resources"]]
    assert rules == [{"apiGroups": ["kueue.x-k8s.io"], "resources": ["clusterqueues"], "verbs": ["get"], "resourceNames": ["q-a", "q-b"]}]
    assert not [r for d in render.team(["team-a"], [], GROUP) for r in d.get("rules", ()) if "clusterqueues" in r["resources"]]


def test_every_role_is_bound_and_every_namespace_has_one() -> None:
    documents = render.team(["team-a", "team-b"], ["q"], GROUP)
    assert [(d["kind"], d["metadata"].get("namespace")) for d in documents] == [
        ("Role", "team-a"), ("RoleBinding", "team-a"), ("Role", "team-b"), ("RoleBinding", "team-b"), ("ClusterRole", None), ("ClusterRoleBinding", None),
    ]  # fmt: skip
    for role, binding in zip(documents[::2], documents[1::2], strict=True):
        assert binding["roleRef"] == {"apiGroup": "rbac.authorization.k8s.io", "kind": role["kind"], "name": role["metadata"]["name"]}
        assert binding["subjects"] == [{"kind": "Group", "apiGroup": "rbac.authorization.k8s.io", "name": "team-a-readers"}]


def test_only_what_is_missing_can_be_asked_for() -> None:
    documents = render.team(["team-a"], ["q"], GROUP, [LOCAL_QUEUES, PENDING])
    assert granted(documents) == {
        ("Role", "list", "kueue.x-k8s.io", "localqueues"),
        ("Role", "get", "visibility.kueue.x-k8s.io", "localqueues/pendingworkloads"),
    }
    assert render.team(["team-a"], ["q"], GROUP, [COHORT_QUEUES]) == []


def test_the_text_reads_back_equal() -> None:
    documents = render.team(["team-a"], ["q"], render.Subject("User", "arn:aws:sts::1:assumed-role/x: - [\u00e4] 'y' #z"))
    assert list(yaml.safe_load_all(render.to_yaml(documents))) == documents


@pytest.mark.parametrize("name", ["A", "a/b", "a\nb: c", "", "a" * 254, "-a", "a_b", "*"])
def test_names_that_are_none(name: str) -> None:
    with pytest.raises(ValueError, match="name"):
        render.team([name], ["q"], GROUP)
    with pytest.raises(ValueError, match="name"):
        render.team(["a"], [name], GROUP)


@pytest.mark.parametrize(
    ("kind", "name", "namespace"),
    [("Group", "", ""), ("Group", "a\u202eb", ""), ("User", "a\nb", ""), ("Pod", "a", ""), ("ServiceAccount", "a", ""), ("Group", "a", "n")],
)
def test_subjects_that_are_none(kind: str, name: str, namespace: str) -> None:
    with pytest.raises(ValueError):  # either message
        render.Subject(kind, name, namespace)


def test_the_subject_of_an_identity() -> None:
    assert render.subject_of("system:serviceaccount:team-a:space").document() == {"kind": "ServiceAccount", "name": "space", "namespace": "team-a"}
    assert render.subject_of("arn:aws:sts::1:assumed-role/x/y").kind == "User"


def test_what_one_person_asks_for_replaces_nothing_that_stands_there() -> None:
    """Applied over the published manifests, or after somebody else's request, it makes objects of its own."""
    one, other = render.Subject("User", "arn:aws:sts::1:assumed-role/x/y"), render.Subject("User", "arn:aws:sts::1:assumed-role/x/z")

    def made(documents: list[render.Document]) -> set[tuple[str, str, str]]:
        return {(d["kind"], d["metadata"].get("namespace", ""), d["metadata"]["name"]) for d in documents}

    published = made([*render.team(["team-a"], ["q"], one), *render.cohort_reader(one)])
    asked = [
        made([*render.team(["team-a"], ["q"], who, called=render.asked_for(who, render.TEAM)),
              *render.cohort_reader(who, called=render.asked_for(who, render.COHORT_READER))])
        for who in (one, other)
    ]  # fmt: skip
    assert len(published) == len(asked[0]) == 6
    assert not published & asked[0] and not published & asked[1] and not asked[0] & asked[1]
    for _, _, name in asked[0]:
        assert render.NAME.fullmatch(name) and len(name) <= 63 + len("team-a")


def test_the_command_for_one_question() -> None:
    assert render.can_i(Question("create", "batch", "jobs", "team-a")) == ["kubectl", "auth", "can-i", "create", "jobs.batch", "--namespace=team-a"]
    assert render.can_i(question(CLUSTER_QUEUE, name="q")) == ["kubectl", "auth", "can-i", "get", "clusterqueues.kueue.x-k8s.io/q"]
    assert render.can_i(question(PENDING, "team-a", "lq"))[-2:] == ["--subresource=pendingworkloads", "--namespace=team-a"]


def test_every_read_has_a_question_that_may_be_asked() -> None:
    for operation in READS:
        asked = question(operation, "team-a" if operation.namespaced else "", "n" if operation.named else "")
        assert (asked.verb, asked.group, asked.resource, asked.subresource) in QUESTIONS
    assert question(NAMESPACE, name="team-a").namespace == "team-a"
    assert {verb for verb, _, resource, _ in QUESTIONS if resource == "namespaces"} == {"get", "update", "patch"}


def test_shapes_are_the_audit_logs() -> None:
    assert NAMESPACE.shape == ("get", "", "namespaces", "", True, True)
    assert WORKLOADS.shape == ("list", "kueue.x-k8s.io", "workloads", "", True, False)
    assert PENDING.shape == ("get", "visibility.kueue.x-k8s.io", "localqueues", "pendingworkloads", True, True)


def test_every_code_has_a_word() -> None:
    for operation in ALLOWED:
        for code in (operation.read, *operation.purposes):
            assert code in words.ACCESS, code
