"""Who may read what, and what the product says of it (issue 4, point 2). The oracle is the API server's own status for a bare request of the same person.

Everything of another team carries a marker, and so do the own team's environment values, arguments, annotations and termination messages: neither is found in
any byte that the product keeps, answers or logs.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from hpgov_jlab.model.connection import Reach
from hpgov_jlab.model.outcome import Failure, Outcome, State
from hpgov_jlab.policy import kubernetes as policy
from hpgov_jlab.policy import render_kubernetes
from hpgov_jlab.policy.kubernetes import Operation
from hpgov_jlab.reads import Deadline
from hpgov_jlab.sources.kubernetes.discovery import discovery
from hpgov_jlab.sources.kubernetes.lists import At
from hpgov_jlab.sources.kubernetes.transport import Api
from tests.testbed import roles, tasks, webhooks
from tests.testbed.hands import Hands
from tests.testbed.hyperpod import HyperPod, Team, condition, is_true
from tests.testbed.tasks import template
from tests.testbed.webhooks import Person

from . import tables
from .product import USER_AGENT, Product, Seen

FOREIGN, SECRET = "zzforeignzz", "zzsecretzz"
PEOPLE = (
    "official role",
    "official + queue viewer",
    "EKS access policies",
    "Space's service account",
    "namespace viewer",
    "cluster-wide reader",
    "nobody",
    "manifest team",
    "team + cohort reader",
)
COHORT = (policy.COHORT_QUEUES, policy.COHORTS)
FOUND: dict[tuple[str, str], dict[str, str]] = {}


@dataclass(frozen=True)
class Place:
    cluster: HyperPod
    mine: Team
    theirs: Team
    people: dict[str, Person]


_places: dict[str, Place] = {}


@pytest.fixture
def place(cluster: HyperPod) -> Place:
    """Two teams that met: the other took its share back, so that Kueue wrote its names into our objects. Made once for each cluster."""
    version = cluster.kueue_version or ""
    if version not in _places:
        _places[version] = set_up(cluster)
    return _places[version]


def set_up(c: HyperPod) -> Place:
    number = c.number()
    pool = f"pool-{number}"
    mine = c.team(f"mine-{number}", 1, 1, cohort=pool)
    theirs = c.team(f"{FOREIGN}-{number}", 1, 1, cohort=pool, labels={"owner": FOREIGN})
    hands = Hands(c)
    marked: dict[str, Any] = {"labels": {"who": FOREIGN}, "annotations": {"note": FOREIGN}}
    noted: dict[str, Any] = {"annotations": {"note": SECRET}}
    secret = template(4, "4", "16Gi", env={"TOKEN": SECRET}, image="registry.example/own:1")
    secret["spec"]["containers"][0]["args"] = ["--key", SECRET]
    secret["metadata"] = {"annotations": {"note": SECRET}}
    low = hands.submit(tasks.pytorch_job(mine, "low", 1, template(8, "4", "16Gi", env={"TOKEN": SECRET}), priority="experiment", **noted))
    c.until(lambda: is_true(c.workload_of(mine.namespace, "low"), "Admitted"), "low admitted")
    foreign = template(8, "4", "16Gi", env={"TOKEN": FOREIGN}, image=f"registry.example/{FOREIGN}:1")
    hands.submit(tasks.job(theirs, f"{FOREIGN}-job", 1, foreign, by=FOREIGN, priority="experiment", **marked))
    c.until(lambda: is_true(c.workload_of(theirs.namespace, f"{FOREIGN}-job"), "Admitted"), "their job admitted")
    assert "Preempted" in {x["type"] for x in (c.workload_of(mine.namespace, "low") or {})["status"]["conditions"]}
    assert low
    hands.submit(tasks.job(mine, "fails", 1, secret, priority="urgent", **noted))
    pods = c.until(lambda: [p for p in hands.pods(mine.namespace, "fails") if p["status"].get("phase") == "Running"], "a pod", 40)
    hands.end_pod(pods[0], 1, message=SECRET)
    hands.submit(tasks.job(mine, "runs", 1, secret, by="zoe", **noted))
    hands.submit(tasks.job(theirs, f"{FOREIGN}-waits", 3, foreign, by=FOREIGN, **marked))
    c.until(lambda: condition(c.workload_of(mine.namespace, "fails"), "Finished"), "fails finished")
    return Place(c, mine, theirs, dict(people(c, mine, number)))


def people(c: HyperPod, mine: Team, number: int) -> Iterator[tuple[str, Person]]:
    ns = mine.namespace
    yield "official role", c.member(mine, f"official-{number}")
    more = c.member(mine, f"more-{number}")
    c.grant(f"more-{number}", roles.local_queues_and_positions(), more, namespace=ns)
    yield "official + queue viewer", more
    eks = c.person(f"eks-{number}")
    c.webhooks.associate(eks, webhooks.TRAINING, ns)
    c.webhooks.associate(eks, webhooks.USER_CLUSTER)
    yield "EKS access policies", eks
    space = c.service_account(ns, "space")
    c.apply(*render_kubernetes.team([ns], [mine.queue], render_kubernetes.Subject("ServiceAccount", "space", ns)))
    yield "Space's service account", space
    viewer = c.person(f"viewer-{number}")
    c.grant(f"viewer-{number}", roles.namespace_viewer(), viewer, namespace=ns)
    yield "namespace viewer", viewer
    reader = c.person(f"reader-{number}")
    c.grant(f"reader-{number}", roles.cluster_reader(), reader)
    yield "cluster-wide reader", reader
    yield "nobody", c.person(f"nobody-{number}")
    for title, name in (("manifest team", "team"), ("team + cohort reader", "cohort")):
        person = c.person(f"{name}-{number}")
        documents = render_kubernetes.team([ns], [mine.queue], render_kubernetes.Subject("User", person.name))
        for document in documents:  # several people of one team on one cluster: bindings of their own
            document["metadata"]["name"] = f"{document['metadata']['name']}-{name}"
            if "roleRef" in document:
                document["roleRef"]["name"] = f"{document['roleRef']['name']}-{name}"
        c.apply(*documents)
        if name == "cohort":
            c.apply(*render_kubernetes.cohort_reader(render_kubernetes.Subject("User", person.name)))
        yield title, person


def label(operation: Operation, place: Place) -> str:
    """The label under which answers/team.py keeps the reading of an operation."""
    ns, named = place.mine.namespace, {
        policy.DISCOVERY.id: "discovery", policy.NAMESPACE.id: "namespace", policy.FLAVORS.id: "flavors", policy.PRIORITIES.id: "priorities",
        policy.CLUSTER_QUEUE.id: f"clusterqueue/{place.mine.queue}", policy.PENDING.id: f"{place.mine.namespace}/pending/{place.mine.local_queue}",
        policy.COHORT_QUEUES.id: "cohort",
    }  # fmt: skip
    return named.get(operation.id, f"{ns}/{operation.resource}")


def bare(place: Place, operation: Operation, person: Person) -> str:
    """What the API server says to this person without any of our code in between: ok, denied or absent."""
    c, team = place.cluster, place.mine
    if operation.path:
        path = operation.path
    else:
        versions = [v for v in operation.versions if not operation.group or c.get(f"/apis/{operation.group}/{v}").status_code == 200]
        versions = [
            v
            for v in versions
            if not operation.group or any(r["name"].split("/")[0] == operation.resource for r in c.read(f"/apis/{operation.group}/{v}")["resources"])
        ]
        if not versions:
            return "absent"
        head = f"/apis/{operation.group}/{versions[0]}" if operation.group else f"/api/{versions[0]}"
        name = {policy.NAMESPACE.id: team.namespace, policy.CLUSTER_QUEUE.id: team.queue, policy.PENDING.id: team.local_queue}.get(operation.id, "")
        path = f"{head}{f'/namespaces/{team.namespace}' if operation.namespaced else ''}/{operation.resource}{f'/{name}' if name else ''}"
        path += f"/{operation.subresource}" if operation.subresource else ""
    status = c.get(path, person.token).status_code
    return {200: "ok", 403: "denied", 404: "absent"}[status]


def cohort_part(place: Place, person: Person, outcomes: dict[str, Outcome], own_queue: str) -> str:
    """Both lists are one part: whole or not at all. Whose own queue is not readable has no cohort to ask about."""
    if "cohort" not in outcomes:
        assert own_queue != "ok"
        return "not asked"
    state = outcomes["cohort"].state.value
    assert (state == "ok") == all(bare(place, operation, person) == "ok" for operation in COHORT), outcomes["cohort"]
    assert state in ("ok", "denied")
    return state


def everything(seen: Seen) -> str:
    """All that the product keeps and answers: the decoded subsets in its cache, rows, pages, share, outcomes."""
    kept = [repr(reading.data) for reading in seen.readings.readings().values()]
    kept += [repr(reading.data) for reading in seen.readings.contract.readings] + [repr(seen.readings.contract.view), repr(seen.readings.namespaces)]
    answered: list[Any] = [seen.tasks, seen.outcomes, seen.teams]
    answered += [seen.detail(task.name) for task in seen.tasks if "/" not in task.name]
    return "\n".join([*kept, *map(repr, answered)])


@pytest.mark.parametrize("who", PEOPLE)
def test_each_part_says_what_the_server_says(place: Place, who: str, product: Callable[..., Product], caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    person = place.people[who]
    panel = product(place.cluster, person, place.mine.namespace, cohort_reads=True)
    seen = panel.look()
    events = panel.events(place.mine.namespace)
    outcomes = {**seen.outcomes, f"{place.mine.namespace}/events": events.last}
    found: dict[str, str] = {}
    for operation in (policy.DISCOVERY, *policy.READS):
        if operation in COHORT:
            continue
        expected = bare(place, operation, person)
        at = label(operation, place)
        if at not in outcomes:  # the product does not ask for what discovery says is not there
            assert expected in ("absent", "denied"), f"{operation.source} was not asked for"
            assert seen.readings.discovery is not None and seen.readings.discovery.data is not None
            assert seen.readings.discovery.data.serves(operation) is False
            found[operation.source] = State.ABSENT.value
        else:
            assert outcomes[at].state.value == expected, f"{operation.source}: {outcomes[at]}"
            found[operation.source] = outcomes[at].state.value
    found[" and ".join(operation.source for operation in COHORT)] = cohort_part(place, person, outcomes, found[policy.CLUSTER_QUEUE.source])
    review = {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}
    asked = place.cluster.request("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", review, token=person.token)
    assert asked.status_code == 201 and outcomes["self"].state is State.OK
    found[policy.SELF_REVIEW.source] = outcomes["self"].state.value
    FOUND[(who, place.cluster.kueue_version or "")] = found
    pages = panel.pages()
    assert len(pages) > 6
    files = [file.read_text() for file in panel.kubeconfig.parent.rglob("*") if file.is_file()]
    said = everything(seen) + repr(events.data) + b"".join(pages.values()).decode() + caplog.text + "".join(files)
    assert FOREIGN not in said, said[said.index(FOREIGN) - 300 : said.index(FOREIGN) + 100]
    assert SECRET not in said, said[said.index(SECRET) - 300 : said.index(SECRET) + 100]
    if found[policy.WORKLOADS.source] == "ok":  # and it was not empty for want of looking
        assert {"low", "runs", "fails"} <= {task.name for task in seen.tasks}


def test_the_markers_are_really_there(place: Place) -> None:
    """Else their absence proves nothing: Kueue wrote the other team's queue into our Workload, and our secret stands in pods and Workloads."""
    c, ns = place.cluster, place.mine.namespace
    ours = repr(c.workloads(ns)) + repr(c.items(f"/api/v1/namespaces/{ns}/pods"))
    assert SECRET in ours
    assert FOREIGN in ours or c.legacy  # 0.12 writes only the UID


def test_rights_taken_away_and_given_back(place: Place, product: Callable[..., Product]) -> None:
    """403 drops the rows at the next answer; given back, they are there again; another role shows nothing of the former."""
    c, ns, number = place.cluster, place.mine.namespace, place.cluster.number()
    person = c.person(f"fickle-{number}")
    c.grant(f"fickle-{number}", roles.official_namespaced(), person, namespace=ns)
    c.grant(f"fickle-{number}", roles.official_cluster(place.mine.queue), person)
    panel = product(c, person, ns)
    assert any(t.name == "runs" for t in panel.look().tasks)
    c.revoke(f"fickle-{number}", namespace=ns)
    c.revoke(f"fickle-{number}")
    c.until(lambda: c.get(tasks.path("Job", ns), person.token).status_code == 403, "the right gone")
    seen = panel.look()
    assert seen.tasks == [] and seen.outcomes[f"{ns}/workloads"].state is State.DENIED
    assert all(reading.data is None for name, reading in seen.by_label.items() if name.startswith(f"{ns}/"))
    c.grant(f"fickle-{number}", roles.official_namespaced(), person, namespace=ns)
    c.until(lambda: c.get(tasks.path("Job", ns), person.token).status_code == 200, "the right back")
    assert any(t.name == "runs" for t in panel.look().tasks)


def test_token_taken_away(cluster: HyperPod, side_by_side: Callable[..., Any]) -> None:
    """401 as EKS answers when the access entry is gone; a new token of the same person is right again at once."""
    side_by_side(without_token)


def without_token(cluster: HyperPod) -> None:
    """Most of it is waiting: the API server knows a token for ten seconds more."""
    c, team = cluster, cluster.team(f"leaves-{cluster.number()}", 1, cohort=None)
    Hands(c).submit(tasks.job(team, "runs", 1, template(1, "1", "1Gi")))
    person = c.member(team, f"leaver-{c.number()}")
    with Product.opened(c, person, team.namespace) as panel:
        c.until(lambda: [t.name for t in panel.look().tasks] == ["runs"], "the task on screen")
        person.known = False
        c.until(lambda: c.get(tasks.path("Job", team.namespace), person.token).status_code == 401, "the token refused")
        seen = panel.look()
        assert seen.readings.discovery is not None and seen.readings.discovery.last.state in (State.DENIED, State.EXPIRED)
        if seen.readings.discovery.last.state is State.DENIED:
            assert seen.tasks == []
        panel.sign_in(c.member(team, person.name))
        assert [t.name for t in panel.look().tasks] == ["runs"]


def test_a_fresh_token_that_is_refused_is_denied(place: Place) -> None:
    """EKS answers 401 when the access entry is gone: of a token signed a moment ago that is no expiry (DESIGN.md 4)."""
    c, api = place.cluster, Api(USER_AGENT)
    person = c.person(f"gone-{c.number()}")
    person.known = False
    try:
        for signed_at, state, code in ((time.time(), State.DENIED, "k8s_access_entry_gone"), (time.time() - 600, State.EXPIRED, "k8s_token_refused")):
            at = At(api, Reach(c.url, c.ca_file.read_text(), person.token, signed_at, "real"), person.name)
            with pytest.raises(Failure) as told:
                discovery(at).fetch(Deadline(20))
            assert (told.value.state, told.value.code) == (state, code)
    finally:
        api.close()


def test_table() -> None:
    if len(FOUND) < 2 * len(PEOPLE):
        pytest.skip("not every right was tried")
    rows = []
    for kind in dict.fromkeys(kind for found in FOUND.values() for kind in found):
        cells = []
        for who in PEOPLE:
            new, old = (FOUND[(who, version)].get(kind, "") for version in ("0.19.2", "0.12.10"))
            cells.append(new if new == old else f"{new}; on 0.12: {old or 'not asked'}")
        rows.append([kind, *cells])
    text = (
        "Each cell is the product's state, equal to the API server's answer to a bare request of the same person. Kueue 0.19.2, and 0.12.10 where it differs."
    )
    tables.check("rights.md", tables.markdown("Rights matrix", text, ("read", *PEOPLE), rows))
