"""Faults of the real servers (issue 4, point 7): what the person reads, whether the last good answer stays, and that it comes right again by itself.

A cluster of its own, since everything here breaks one. The table is docs/tables/faults.md. It holds the limit within which each came right again, by
design and with room for a busy machine; the seconds of one run are printed (`-s`), and the bench `faults` measures them as a panel sees them.
"""

from __future__ import annotations

import asyncio
import base64
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from hpgov_jlab import words
from hpgov_jlab.answers.query import TasksQuery
from hpgov_jlab.model.outcome import Outcome, State
from hpgov_jlab.policy import render_kubernetes
from hpgov_jlab.sandbox.launch import Running
from hpgov_jlab.sandbox.launch import start as sandbox
from hpgov_jlab.sandbox.loading import load
from hpgov_jlab.service import Service
from tests.server.panel import RESEARCH, Panel
from tests.testbed import tasks
from tests.testbed.hands import Hands
from tests.testbed.hyperpod import HyperPod, Team, is_true
from tests.testbed.servers import PATIENCE
from tests.testbed.tasks import template
from tests.testbed.webhooks import Person

from . import tables
from .conftest import start
from .product import Product, Seen

ROWS: dict[str, list[str]] = {}
FAULTS = (
    "API server killed and started again", "API server hangs", "database gone", "Kueue down: positions", "Kueue down: conversion",
    "a kind removed while running", "token expired, then renewed", "role taken away, then given back", "access entry removed, then made again (401)",
    "list expired between two pages (410)", "10,000 Workloads", "namespace deleted",
)  # fmt: skip
DEADLINE = 20.0
"""Seconds that one read may take (reads.py)."""
WITHIN = 30
"""Seconds after the end of a fault: the pause after a slow failure (5 s), the least time between two tries of a read (5 s), one read; the rest is room."""


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HyperPod]:
    """Without the API server's own snapshots, a continue token expires as it does on servers before 1.34."""
    yield from start(tmp_path_factory, "0.19.2", api_arguments=["--feature-gates=ListFromCacheSnapshot=false"])


@pytest.fixture
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HyperPod]:
    """A cluster for one test, which leaves more in it than its Kueue could be started with again."""
    yield from start(tmp_path_factory, "0.19.2")


@pytest.fixture(autouse=True)
def mended(broken: HyperPod) -> Iterator[None]:
    """A test that fails half-way leaves nothing broken for the next."""
    yield
    for name in broken.servers.known:
        if name not in broken.servers.running:
            broken.servers.restart(name)
        broken.servers.resume(name)
    broken.servers.wait(broken.ready, "the API server")
    broken.kueue_up()


def steady_team(c: HyperPod) -> Team:
    """A team of its own whose task `steady` is admitted."""
    team = c.team(f"fault-{c.number()}", 1, cohort=None)
    Hands(c).submit(tasks.job(team, "steady", 1, template(1, "1", "1Gi")))
    c.until(lambda: is_true(c.workload_of(team.namespace, "steady"), "Admitted"), "steady admitted")
    return team


def reader_of(c: HyperPod, team: Team) -> Person:
    """Someone with the manifest *team*, and nothing else."""
    person = c.person(f"reader-{c.number()}")
    c.apply(*render_kubernetes.team([team.namespace], [team.queue], render_kubernetes.Subject("User", person.name)))
    return person


def team_with_task(c: HyperPod, product: Callable[..., Product], **traits: object) -> tuple[Team, Product]:
    team = steady_team(c)
    person = reader_of(c, team)
    panel = product(c, person, team.namespace, **traits)
    assert names(panel.look()) == ["steady"]
    return team, panel


def names(seen: Seen) -> list[str]:
    return [t.name for t in seen.tasks]


def note(fault: str, outcome: Outcome, stays: str, seconds: float | str) -> None:
    """`seconds` from the end of the fault until everything was right again, or why there is no such time."""
    if isinstance(seconds, float):
        print(f"{fault}: right again after {seconds:.1f} s")
        assert seconds <= WITHIN, f"{fault}: right again only after {seconds:.1f} s"
        seconds = f"{WITHIN} s"
    ROWS[fault] = [outcome.state.value, outcome.code, words.WORDS[outcome.code].text, stays, seconds]


def right_again(panel: Product, *expected: str) -> float:
    """Seconds until everything is read and right, of someone who asks for fresh data again and again."""
    begin = time.monotonic()
    while True:
        seen = panel.look()
        if sorted(names(seen)) == sorted(expected) and all(o.state in (State.OK, State.ABSENT) for o in seen.outcomes.values()):
            return time.monotonic() - begin
        assert time.monotonic() - begin < 2 * WITHIN, seen.outcomes
        time.sleep(0.2)


def test_api_server_killed(broken: HyperPod, product: Callable[..., Product]) -> None:
    _, panel = team_with_task(broken, product)
    broken.servers.stop("kube-apiserver", kill=True)
    seen = panel.look()
    assert seen.readings.discovery is not None and seen.readings.discovery.last.state is State.UNREACHABLE
    assert names(seen) == ["steady"], "the last good answer stays"
    outcome = seen.readings.discovery.last
    broken.servers.restart("kube-apiserver")
    broken.servers.wait(broken.ready, "the API server")
    note("API server killed and started again", outcome, "yes", right_again(panel, "steady"))


def test_api_server_hangs(broken: HyperPod, product: Callable[..., Product]) -> None:
    """Connections are taken and nothing is answered: every page still comes at once, with the rows of before, and says so after one deadline."""
    _, panel = team_with_task(broken, product)

    async def watch(service: Service, until: Callable[[Outcome], bool], seconds: float) -> tuple[float, float, Outcome, list[str]]:
        """Asks for fresh data again and again: the slowest answer, the seconds until the page says it, and what it shows then."""
        slowest, start = 0.0, time.monotonic()
        while True:
            begin = time.monotonic()
            page = service.tasks("kubeconfig", TasksQuery(), fresh=True)
            slowest = max(slowest, time.monotonic() - begin)
            outcome, shown = page.tasks.last, [t.name for t in page.tasks.data or ()]
            if until(outcome):
                return slowest, time.monotonic() - start, outcome, shown
            assert time.monotonic() - start < seconds, outcome
            await asyncio.sleep(0.5)

    async def story() -> tuple[tuple[float, float, Outcome, list[str]], float]:
        async with panel.service() as service:
            broken.servers.pause("kube-apiserver")
            try:
                hung = await watch(service, lambda outcome: outcome.state is State.UNREACHABLE, 4 * DEADLINE)
            finally:
                broken.servers.resume("kube-apiserver")
            _, seconds, _, shown = await watch(service, lambda outcome: outcome.state is State.OK, 2 * WITHIN)
            assert shown == ["steady"]
            return hung, seconds

    (slowest, said, outcome, shown), seconds = panel.run(story())
    assert shown == ["steady"], "the last good answer stays"
    assert slowest < 1.0, f"a page took {slowest:.2f} s"
    print(f"API server hangs: said after {said:.1f} s")
    assert said < 1.75 * DEADLINE, f"said only after {said:.1f} s: more than one read was waited for"
    note("API server hangs", outcome, "yes", seconds)


def test_database_gone(broken: HyperPod, product: Callable[..., Product]) -> None:
    team, panel = team_with_task(broken, product)
    broken.servers.pause("etcd")
    try:
        seen = panel.look()
    finally:
        broken.servers.resume("etcd")
    outcome = seen.outcomes[f"{team.namespace}/workloads"]
    assert outcome.state in (State.UNREACHABLE, State.OK), outcome  # the server may still answer from its own memory
    assert names(seen) == ["steady"]
    note("database gone", outcome, "yes", right_again(panel, "steady"))


def test_kueue_down(broken: HyperPod, product: Callable[..., Product]) -> None:
    """The visibility API is Kueue's own server; Workloads are still read, since they are stored in the version that we prefer."""
    team, panel = team_with_task(broken, product)
    broken.servers.stop("kueue", kill=True)
    at = f"{team.namespace}/pending/{team.local_queue}"
    broken.until(
        lambda: (
            broken.get(f"/apis/visibility.kueue.x-k8s.io/v1beta2/namespaces/{team.namespace}/localqueues/{team.local_queue}/pendingworkloads").status_code
            == 503
        ),
        "503",
    )
    seen = panel.look()
    assert seen.outcomes[at].state is State.UNREACHABLE and names(seen) == ["steady"]
    assert seen.outcomes[f"{team.namespace}/workloads"].state is State.OK
    broken.servers.restart("kueue")
    broken.kueue_up()
    broken.until(
        lambda: broken.get(f"/apis/visibility.kueue.x-k8s.io/v1beta2/namespaces/{team.namespace}/localqueues/{team.local_queue}/pendingworkloads").ok,
        "positions again",
        60,
    )
    note("Kueue down: positions", seen.outcomes[at], "yes", right_again(panel, "steady"))


def test_conversion_down(broken: HyperPod, product: Callable[..., Product]) -> None:
    """Objects stored in the older version need Kueue to be read in the newer one."""
    team, panel = team_with_task(broken, product)
    path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/workloads.kueue.x-k8s.io"
    versions = broken.read(path)["spec"]["versions"]

    def store(version: str) -> None:
        broken.patch(path, {"spec": {"versions": [{**v, "storage": v["name"] == version} for v in versions]}})

    store("v1beta1")
    try:
        broken.until(lambda: broken.get(broken.kueue_path("workloads", team.namespace)).ok, "the storage ready", 40)
        Hands(broken).submit(tasks.job(team, "older", 1, template(1, "1", "1Gi")))
        broken.until(lambda: is_true(broken.workload_of(team.namespace, "older"), "Admitted"), "older admitted", 40)
        assert sorted(names(panel.look())) == ["older", "steady"]
        broken.servers.stop("kueue", kill=True)
        # the API server keeps converted objects in memory: only one that starts without Kueue has to convert them
        broken.servers.stop("kube-apiserver")
        broken.servers.restart("kube-apiserver")
        broken.servers.wait(broken.ready, "the API server")
        list_path = f"/apis/kueue.x-k8s.io/v1beta2/namespaces/{team.namespace}/workloads"
        status = broken.until(lambda: (s := broken.get(list_path, limit="500").status_code) != 200 and s, "a list that needs conversion fails")
        print(f"conversion down: {status} {broken.get(list_path, limit='500').text[:300]}")
        seen = panel.look()
        outcome = seen.outcomes[f"{team.namespace}/workloads"]
        assert outcome.state in (State.UNREACHABLE, State.THROTTLED) and sorted(names(seen)) == ["older", "steady"]
    finally:
        if "kueue" not in broken.servers.running:
            broken.servers.restart("kueue")
        broken.kueue_up()
        store("v1beta2")
    broken.until(lambda: broken.get(list_path, limit="500").ok, "the list again", 40)
    note("Kueue down: conversion", outcome, "yes", right_again(panel, "older", "steady"))


def test_kind_removed(broken: HyperPod, product: Callable[..., Product]) -> None:
    team, panel = team_with_task(broken, product)
    name = "xgboostjobs.kubeflow.org"
    path = f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{name}"
    kept = broken.read(path)
    assert panel.look().outcomes[f"{team.namespace}/xgboostjobs"].state is State.OK
    broken.delete(path)
    broken.until(lambda: broken.get(f"/apis/kubeflow.org/v1/namespaces/{team.namespace}/xgboostjobs").status_code == 404, "the kind gone")
    # discovery is ten minutes old in a running panel: the list itself is asked and says 404
    seen = panel.look_without_discovery()
    outcome = seen.outcomes[f"{team.namespace}/xgboostjobs"]
    assert outcome.state is State.ABSENT and names(seen) == ["steady"]
    kept["metadata"] = {"name": name, "annotations": kept["metadata"].get("annotations", {})}
    kept.pop("status")
    broken.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", kept)
    broken.until(lambda: broken.get(f"/apis/kubeflow.org/v1/namespaces/{team.namespace}/xgboostjobs").ok, "the kind back")
    note("a kind removed while running", outcome, "no (the others stay)", right_again(panel, "steady"))


def test_token_expired(broken: HyperPod, product: Callable[..., Product]) -> None:
    team = steady_team(broken)
    short = broken.member(team, f"brief-{broken.number()}", seconds=8)
    panel = product(broken, short, team.namespace)
    assert names(panel.look()) == ["steady"]
    broken.until(lambda: broken.get(tasks.path("Job", team.namespace), short.token).status_code == 401, "the token expired")
    seen = panel.look()
    assert seen.readings.discovery is not None
    outcome = seen.readings.discovery.last
    assert outcome.state is State.EXPIRED and names(seen) == ["steady"]
    panel.sign_in(broken.member(team, short.name))
    begin = time.monotonic()
    broken.until(lambda: (s := panel.look()).readings.discovery is not None and s.readings.discovery.ok and names(s) == ["steady"], "right again")
    note("token expired, then renewed", outcome, "yes", time.monotonic() - begin)


def test_role_taken_away(broken: HyperPod, product: Callable[..., Product]) -> None:
    """Rows that may not be read any more go at once, from the page and from the memory."""
    team, panel = team_with_task(broken, product)
    given = render_kubernetes.team([team.namespace], [team.queue], render_kubernetes.Subject("User", panel.person.name))
    for document in given:
        if document["kind"] == "RoleBinding":
            broken.revoke(document["metadata"]["name"], namespace=team.namespace)
    seen = panel.look()
    outcome = seen.outcomes[f"{team.namespace}/workloads"]
    assert outcome.state is State.DENIED and seen.tasks == []
    broken.apply(*given)
    note("role taken away, then given back", outcome, "no", right_again(panel, "steady"))


def test_access_entry_removed(broken: HyperPod) -> None:
    """The whole chain of a Unified Studio project, in front of the real API server: it knows EKS's tokens by the session that signed them."""
    team = steady_team(broken)
    entry = reader_of(broken, team)
    scenario = load("no-contract")
    [eks] = scenario.eks[:1]

    async def until(panel: Panel, id: str, state: State) -> tuple[dict[str, Any], float]:
        """Asks for fresh data again and again, as `right_again` does."""
        begin = time.monotonic()
        while True:
            part = (await panel.settle(lambda: panel.tasks(id, fresh=True), 2 * DEADLINE))["tasks"]
            if part["last"]["state"] == state:
                return part, time.monotonic() - begin
            assert time.monotonic() - begin < 2 * WITHIN, part["last"]
            await asyncio.sleep(0.2)

    async def story(running: Running) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any], float]:
        with Panel(running, namespaces=[team.namespace]) as panel:
            id = await panel.id(RESEARCH)
            before, _ = await until(panel, id, State.OK)
            entry.known = False
            refused, _ = await until(panel, id, State.DENIED)
            entry.known = True
            again, seconds = await until(panel, id, State.OK)
            return before, refused, again, seconds

    with sandbox(scenario) as running:
        running.aws.publish(eks.name, broken.url, broken.ca_file.read_text())

        def signed(token: str) -> Person | None:
            return entry if running.aws.who(token, eks.name) is not None else None

        broken.webhooks.authenticators.append(signed)
        try:
            before, refused, again, seconds = asyncio.run(story(running))
        finally:
            broken.webhooks.authenticators.remove(signed)
    for part in (before, again):
        assert [row["name"] for row in part["data"]] == ["steady"]
    last = refused["last"]
    assert (refused["data"], last["code"]) == (None, "k8s_access_entry_gone")
    outcome = Outcome(State(last["state"]), last["code"], last["source"], last["at"])
    note("access entry removed, then made again (401)", outcome, "no", seconds)


def many(c: HyperPod, count: int, path: str, make: Callable[[int], dict[str, object]]) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: c.create(path, make(number)), range(count)))


def test_list_expired(broken: HyperPod, product: Callable[..., Product]) -> None:
    """Compaction between two pages: the list is read again from its start, once; if that expires too, what was read before stays."""
    team, panel = team_with_task(broken, product)
    spec = template(0, requests={"cpu": "1"})["spec"]
    pods = tasks.path("Pod", team.namespace)
    many(broken, 1100, pods, lambda n: {"metadata": {"name": f"crowd-{n}", "namespace": team.namespace}, "spec": {**spec, "schedulerName": "nobody"}})
    stop = threading.Event()

    def compact() -> None:
        while not stop.is_set():
            revision = broken.http.post(f"{broken.etcd_url}/v3/kv/put", json={"key": base64.b64encode(b"/tick").decode(), "value": ""}, timeout=5).json()[
                "header"
            ]["revision"]
            broken.http.post(f"{broken.etcd_url}/v3/kv/compaction", json={"revision": revision}, timeout=5)

    thread = threading.Thread(target=compact, daemon=True)
    thread.start()
    try:
        end = time.monotonic() + PATIENCE
        while (outcome := panel.look().outcomes[f"{team.namespace}/pods"]).code != "k8s_list_expired":
            assert time.monotonic() < end, outcome
        seen = panel.look()
    finally:
        stop.set()
        thread.join()
    assert outcome.state is State.UNREACHABLE
    kept = next(n.pods for n in seen.readings.namespaces if n.pods is not None)
    assert kept.data is not None and len(kept.data.items) >= 1, "the last good list of pods stays"
    seconds = right_again(panel, "steady")
    assert any(r.status == 410 and r.resource == "pods" for r in broken.audit())
    note("list expired between two pages (410)", outcome, "yes", seconds)


def test_namespace_deleted(broken: HyperPod, product: Callable[..., Product]) -> None:
    """The team's Role goes with its namespace: what was allowed is denied, and nothing of before is shown."""
    team, panel = team_with_task(broken, product)
    broken.delete(f"/api/v1/namespaces/{team.namespace}")
    broken.until(lambda: broken.get(f"/api/v1/namespaces/{team.namespace}").status_code == 404, "the namespace gone")
    seen = panel.look()
    outcome = seen.outcomes[f"{team.namespace}/workloads"]
    assert outcome.state in (State.DENIED, State.ABSENT) and seen.tasks == []
    note("namespace deleted", outcome, "no", "it is gone")


def test_ten_thousand_workloads(crowded: HyperPod, product: Callable[..., Product]) -> None:
    """Made without Kueue and its webhooks, which would take minutes: what is tried is reading them."""
    team, panel = team_with_task(crowded, product)
    hooks = "/apis/admissionregistration.k8s.io/v1"
    kept = {plural: crowded.items(f"{hooks}/{plural}") for plural in ("mutatingwebhookconfigurations", "validatingwebhookconfigurations")}
    crowded.servers.stop("kueue", kill=True)
    for plural, found in kept.items():
        for hook in found:
            crowded.delete(f"{hooks}/{plural}/{hook['metadata']['name']}")
    pod = template(1, "1", "1Gi")
    path = crowded.kueue_path("workloads", team.namespace)

    def workload(number: int) -> dict[str, object]:
        return {
            "apiVersion": f"kueue.x-k8s.io/{crowded.api}", "kind": "Workload", "metadata": {"name": f"many-{number}", "namespace": team.namespace},
            "spec": {"queueName": team.local_queue, "podSets": [{"name": "main", "count": 1, "template": pod}]},
        }  # fmt: skip

    # the API server goes on asking a webhook that was deleted until it has heard of it
    crowded.until(lambda: crowded.request("POST", path, workload(0)).status_code in (201, 409), "a Workload made without webhooks")
    many(crowded, 10_000, path, workload)
    begin = time.monotonic()
    seen = panel.look(deadline=PATIENCE)
    seconds = time.monotonic() - begin
    outcome = seen.outcomes[f"{team.namespace}/workloads"]
    assert outcome.state is State.OK and len(seen.tasks) == 10_001
    print(f"10,000 Workloads: read in {seconds:.1f} s")
    note("10,000 Workloads", outcome, "yes", "no fault: only many")


def test_table() -> None:
    if set(ROWS) != set(FAULTS):
        pytest.skip(f"not every fault was made: {set(FAULTS) - set(ROWS)}")
    rows = [[fault, *ROWS[fault]] for fault in FAULTS]
    text = (
        "Kueue 0.19.2; 0.12.10 has no visibility API and one version of its objects, so neither fault of Kueue exists there, and the others are the API "
        "server's. State and code are those of the read that the fault hits first; every one came right by itself once the fault was over. "
        "The last column is the limit that the test holds, from the end of the fault, for someone who asks for fresh data; a panel left to itself adds the "
        "time to its next poll. [Measured seconds](../benchmarks.md#faults) are in the benchmarks."
    )
    head = ("fault", "state", "code", "what the person reads", "last good answer stays", "right again within")
    tables.check("faults.md", tables.markdown("Faults of the real servers", text, head, rows))
