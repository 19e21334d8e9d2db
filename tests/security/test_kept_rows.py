"""What is kept of a team's rows, and for whom: not for another identity, not after a refusal or a revoked contract, not for a closed panel."""

from __future__ import annotations

import asyncio
import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from hpgov_jlab.answers.derived import Derived
from hpgov_jlab.model.kueue import Workload
from hpgov_jlab.model.outcome import Outcome, Reading, State
from hpgov_jlab.reads import FORGET_SECONDS
from hpgov_jlab.sandbox.launch import Running, start
from hpgov_jlab.sandbox.scenario import S3Object, Version
from hpgov_jlab.service import SWEEP_SECONDS
from hpgov_jlab.sources.kubernetes.kubeconfig import whose
from hpgov_jlab.sources.kubernetes.lists import Listing

from ..server.panel import RESEARCH, Panel
from ..server.states_table import END, one_connection

ROW = "mixtral-8x22b"


@pytest.fixture
def pod() -> Iterator[Running]:
    with start("space-no-aws", pace=END) as made:
        yield made


@pytest.fixture
def team() -> Iterator[Running]:
    with start(one_connection(), pace=END) as made:
        yield made


def held(panel: Panel) -> list[Any]:
    """Workloads that the cache of reads holds, whoever may see them."""
    kept = [e.reading.data for e in panel.service.reads._entries.values()]
    return [item for data in kept if isinstance(data, Listing) for item in data.items if isinstance(item, Workload)]


def reading(at: float) -> Reading[Any]:
    return Reading(("rows",), at, Outcome(State.OK, "read", "list", at))


def jwt(**claims: Any) -> str:
    return ".".join(("e30", urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip("="), "c2ln"))


def test_whose_token_it_is() -> None:
    account = {"serviceaccount": {"name": "default", "uid": "1"}}
    mine = jwt(iss="https://oidc", sub="system:serviceaccount:a:default", exp=1, jti="x", **{"kubernetes.io": {**account, "warnafter": 1}})
    renewed = jwt(iss="https://oidc", sub="system:serviceaccount:a:default", exp=2, jti="y", **{"kubernetes.io": {**account, "warnafter": 2}})
    assert whose(mine) == whose(renewed), "a kubelet renews it every hour"
    others = [
        jwt(iss="https://oidc", sub="system:serviceaccount:b:default", **{"kubernetes.io": account}),
        jwt(iss="https://other", sub="system:serviceaccount:a:default", **{"kubernetes.io": account}),
        jwt(iss="https://oidc", sub="system:serviceaccount:a:default", groups=["admins"], **{"kubernetes.io": account}),
        jwt(iss="https://oidc", sub="system:serviceaccount:a:default", **{"kubernetes.io": {"serviceaccount": {"uid": "2"}}}),
        "opaque", "a.b.c", "a.e30.c", "..", jwt(sub=""), jwt(sub="x", **{"kubernetes.io": "text"}), f"a.{urlsafe_b64encode(b'[' * 9000).decode()}.c",
    ]  # fmt: skip
    assert len({whose(token) for token in (mine, *others)}) == len(others) + 1
    assert all(token not in whose(token) for token in others)


def test_another_token_in_the_pod_finds_nothing_of_the_former_accounts_rows(pod: Running) -> None:
    async def story() -> None:
        with Panel(pod) as panel:
            id = (await panel.settle(panel.connections))["connections"]["data"][0]["connection"]["id"]
            before = await panel.settle(lambda: panel.tasks(id))
            assert ROW in json.dumps(before)
            (pod.folder / "serviceaccount" / "token").write_text("a-token-of-somebody-else-that-is-refused")
            panel.later()
            after = await panel.settle(lambda: panel.tasks(id))
            old = panel.tasks(id, generation=before["generation"])
            assert after["tasks"]["data"] is None and ROW not in json.dumps([after, old, panel.share(id), panel.connections()])

    asyncio.run(story())


def test_a_generation_of_another_identity_is_gone_although_its_labels_have_data_again() -> None:
    derived = Derived()
    first = derived.put("c", "tasks", ("row of A",), {"role A|team/workloads": reading(1.0)})
    now = {"role B|team/workloads": reading(2.0)}
    assert derived.get("c", "tasks", now) is None
    derived.put("c", "tasks", ("row of B",), now)
    assert derived.get("c", "tasks", now, first.generation) is None


def test_labels_name_the_identity(team: Running) -> None:
    async def story() -> None:
        with Panel(team) as panel:
            await panel.settle(lambda: panel.connections())
            labels = {label for kept in panel.service._derived._kept.values() for made in kept for label in made.inputs}
            principals = {key.principal for key in panel.service.reads._entries if key.operation == "list_workloads"}
            assert labels and principals and {label.rpartition("|")[0] for label in labels} == principals

    asyncio.run(story())


def test_when_rows_must_go_all_of_that_connection_go_and_are_not_held_anywhere() -> None:
    derived, now = Derived(), {"x": reading(1.0)}
    for what in ("tasks:glance", "tasks:full", "units:full", "share:full"):
        derived.put("c", what, object(), now)
    other = derived.put("d", "tasks:glance", object(), now)
    assert derived.get("c", "tasks:glance", {}) is None
    assert [derived.get("c", what, now) for what in ("tasks:full", "units:full", "share:full")] == [None, None, None]
    assert derived.get("d", "tasks:glance", now) is other
    assert derived.has_gone and derived.let_go() and not derived.has_gone


def test_what_was_refused_is_in_no_memory_of_ours(team: Running) -> None:
    async def story() -> None:
        with Panel(team) as panel:
            id = await panel.id(RESEARCH)
            await panel.settle(lambda: panel.tasks(id))
            assert held(panel)
            team.faults.set("k8s-denied")
            panel.later()
            await panel.settle(panel.connections)  # the side panel alone: nobody asks for the dashboard's rows any more
            await panel.settle(panel.connections)
            await panel.quiet()
            assert held(panel) == []
            assert ROW not in repr(panel.service._derived._kept) and not panel.service._derived.has_gone

    asyncio.run(story())


def test_rows_of_a_connection_that_is_gone_or_closed_are_not_kept(team: Running) -> None:
    async def story() -> None:
        with Panel(team) as panel:
            id = await panel.id(RESEARCH)
            await panel.settle(lambda: panel.tasks(id))
            told = team.aws.scenario
            bucket, first = told.buckets[0], told.buckets[0].objects[0]
            text = str(first.versions[0].text).replace("status: approved", "status: revoked")
            closed = replace(bucket, objects=(S3Object(key=first.key, versions=(Version(id="v9", text=text), *first.versions)), *bucket.objects[1:]))
            team.aws.change(replace(told, buckets=(closed,)))
            panel.later()
            await panel.settle(lambda: panel.tasks(id))
            panel.tasks(id)
            assert held(panel) == [], "a revoked contract drops the rows on the server too"

            team.aws.change(told)
            panel.later()
            assert ROW in json.dumps(await panel.settle(lambda: panel.tasks(id)))
            assert told.domain is not None
            team.aws.change(replace(told, domain=replace(told.domain, connections=())))
            panel.later()
            await panel.settle(panel.connections)
            assert panel.service._derived._kept == {} and held(panel) == []

    asyncio.run(story())


def test_a_closed_panel_leaves_nothing_in_memory(team: Running) -> None:
    async def story() -> None:
        with Panel(team) as panel:
            id = await panel.id(RESEARCH)
            await panel.settle(lambda: panel.tasks(id))
            await panel.quiet()
            service = panel.service
            assert service._sweeper is not None and service._sweeper.when() - asyncio.get_running_loop().time() <= SWEEP_SECONDS
            service._sweep()
            assert held(panel) and service._sweeper is not None, "what was just asked for stays"
            panel.later(FORGET_SECONDS + 1)
            service._sweep()  # what the timer does
            await panel.quiet()
            assert service.reads._entries == {} and service._derived._kept == {} and not service._derived.has_gone
            assert service._sweeper is None, "and nothing ticks any more"

    asyncio.run(story())
