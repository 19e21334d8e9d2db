"""Several namespaces of one team: nothing of the second is silently missing; and what a person typed is read only after the cluster's yes."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from hpgov_jlab.model import naming
from hpgov_jlab.policy.kubernetes import NAMESPACE, READS, Grant
from hpgov_jlab.policy.render_kubernetes import Subject, team
from hpgov_jlab.sandbox.kubernetes.far_end import Entry
from hpgov_jlab.sandbox.launch import Running, start
from hpgov_jlab.sandbox.loading import load
from hpgov_jlab.sandbox.scenario import Scenario
from hpgov_jlab.sources.files.typed import SETTINGS

from .panel import RESEARCH, Panel
from .states_table import END

FIRST, SECOND = "hyperpod-ns-research", "hyperpod-ns-production"
QUEUES = {n: (naming.cluster_queue_of(n), naming.local_queue_of(n)) for n in (FIRST, SECOND)}


def space(*readable: str) -> Scenario:
    """A pod whose service account may read these namespaces, told to read both."""
    scenario = load("space-no-aws")
    account = scenario.service_account
    assert account is not None
    subject = Subject("ServiceAccount", account.name, account.namespace)
    lists = [o for o in READS if o.grant is Grant.TEAM and o is not NAMESPACE]  # no annotation of either namespace: no contract narrows the scope
    rights = team(list(readable), [naming.cluster_queue_of(n) for n in readable], subject, lists)
    return replace(scenario, eks=(replace(scenario.eks[0], objects=tuple(rights)),), traits={**scenario.traits, "namespaces": [FIRST, SECOND]})


def test_every_namespace_has_its_queues_and_its_labels_to_copy() -> None:
    async def story() -> None:
        with start(space(FIRST, SECOND), pace=END) as running, Panel(running) as panel:
            await panel.settle(panel.connections)
            share = await panel.settle(lambda: panel.share("this-cluster"))
            parts = [share, *share["more_queues"]]
            assert [(p["namespace"], p["queue"]["data"]["cluster_queue"], p["queue"]["data"]["local_queue"], p["local_queue"]["data"]) for p in parts] == [
                (n, cluster, local, local) for n, (cluster, local) in QUEUES.items()
            ]
            assert [p["queue"]["data"]["local_queue_by_rule"] for p in parts] == [False, False]
            box = (await panel.settle(lambda: panel.connection("this-cluster")))["manifest"]["data"]
            assert [(q["namespace"], q["name"], q["read"]) for q in box["queues"]] == [(n, local, True) for n, (_, local) in QUEUES.items()]
            copied = [(each["namespace"], yaml.safe_load(each["copy"]["text"])["metadata"]) for each in box["labels"]]
            assert [(n, m["namespace"], m["labels"]["kueue.x-k8s.io/queue-name"]) for n, m in copied] == [(n, n, local) for n, (_, local) in QUEUES.items()]

    asyncio.run(story())


def test_several_queues_have_no_one_cohort_and_say_so() -> None:
    async def story() -> None:
        with start(space(FIRST, SECOND), pace=END) as running, Panel(running, cohort_reads=True) as panel:
            await panel.settle(panel.connections)
            last = (await panel.settle(lambda: panel.share("this-cluster")))["cohort"]["last"]
            assert (last["state"], last["code"]) == ("absent", "cohort_of_several")
            assert set(last["params"]["queues"].split(", ")) == {cluster for cluster, _ in QUEUES.values()}

    asyncio.run(story())


def test_a_namespace_that_is_refused_is_named_beside_one_that_is_read() -> None:
    async def story() -> None:
        with start(space(FIRST), pace=END) as running, Panel(running) as panel:
            await panel.settle(panel.connections)
            tasks = await panel.settle(lambda: panel.tasks("this-cluster"))
            assert tasks["tasks"]["last"]["state"] == "ok" and {t["scope"] for t in tasks["tasks"]["data"]} == {FIRST}
            refused = {(r["source"], r["params"]["scope"]) for r in tasks["tasks"]["readings"] if r["code"] == "k8s_denied"}
            assert {("list workloads.kueue.x-k8s.io", SECOND), ("list pods", SECOND)} <= refused and {scope for _, scope in refused} <= {
                SECOND,
                QUEUES[SECOND][0],
            }
            share = await panel.settle(lambda: panel.share("this-cluster"))
            (more,) = share["more_queues"]
            assert (more["namespace"], more["queue"]["last"]["state"], more["local_queue"]["last"]["state"]) == (SECOND, "denied", "denied")
            access = await panel.settle(lambda: panel.access("this-cluster"))
            states = {r["scope"]: r["last"]["state"] for r in access["rows"] if r["operation"] == "list workloads.kueue.x-k8s.io"}
            assert states == {FIRST: "ok", SECOND: "denied"}
            lines = next(t["text"] for t in access["request"] if t["title"] == "request_can_i").splitlines()
            assert any("list workloads.kueue.x-k8s.io" in line and line.endswith(SECOND) for line in lines)
            assert not [line for line in lines if FIRST in line and "get namespaces/" not in line], "what is allowed there is not asked about"

    asyncio.run(story())


def test_two_that_are_refused_are_both_named() -> None:
    async def story() -> None:
        with start(space(), pace=END) as running, Panel(running) as panel:
            await panel.settle(panel.connections)
            tasks = (await panel.settle(lambda: panel.tasks("this-cluster")))["tasks"]
            assert tasks["data"] is None and tasks["last"]["code"] == "k8s_denied"
            assert {r["params"]["scope"] for r in tasks["readings"] if r["source"] == "list workloads.kueue.x-k8s.io"} == {FIRST, SECOND}
            access = await panel.settle(lambda: panel.access("this-cluster"))
            lines = next(t["text"] for t in access["request"] if t["title"] == "request_can_i").splitlines()
            asked = [line for line in lines if "list workloads.kueue.x-k8s.io" in line]
            assert [any(n in line for line in asked) for n in (FIRST, SECOND)] == [True, True] and len(lines) == len(set(lines))

    asyncio.run(story())


# -- typed by the person ---------------------------------------------------------------------------------------------------------------
def type_it(running: Running, id: str, name: str) -> None:
    path = Path(running.folder) / "user-settings" / SETTINGS
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"namespaces": {id: [name]}}), encoding="utf-8")


def looked_into(running: Running, name: str) -> list[Entry]:
    """What was asked in the namespace but for the question whether it may be; the namespace itself counts."""
    return [e for e in running.kubernetes["ml-research-eks"].log if name in (e.namespace, e.name) and e.review is None]


REVIEWS = "k8s:create selfsubjectaccessreviews*"


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (f"k8s-throttle=999@{REVIEWS}", "scope_typed_not_answered"),
        (f"k8s-hang-up@{REVIEWS}", "scope_typed_not_answered"),
        (f"k8s-malformed-json@{REVIEWS}", "scope_typed_not_answered"),
        ("k8s-denied@k8s:list workloads*", "scope_typed_refused"),
    ],
)
def test_without_the_clusters_yes_a_typed_namespace_is_not_looked_into(fault: str, why: str) -> None:
    async def story() -> None:
        with start(load("no-contract"), pace=END) as running, Panel(running) as panel:
            id = await panel.id(RESEARCH)
            type_it(running, id, FIRST)
            running.faults.switch(fault)
            panel.later()
            page = await panel.settle(lambda: panel.connection(id))
            facts = {f["name"]: (f["source"], f["read"], f["why_not"] and f["why_not"]["code"]) for f in page["namespaces"]}
            assert facts[FIRST] == ("typed", False, why)
            tasks = await panel.settle(lambda: panel.tasks(id))
            last = tasks["tasks"]["last"]
            assert (tasks["tasks"]["data"], tasks["total"]) == (None, None)
            if why == "scope_typed_refused":  # said of the name, which the card does not show otherwise, and it is the cluster that refuses
                assert (last["code"], last["params"], last["ask"]) == ("no_scope_typed_refused", {"namespace": FIRST}, "cluster_admin")
            else:
                assert last["code"] == why
            await panel.settle(panel.connections)
            assert looked_into(running, FIRST) == []

            running.faults.clear()
            panel.later()
            assert (await panel.settle(lambda: panel.tasks(id)))["tasks"]["data"], "after the yes it is read"
            running.faults.clear()

    asyncio.run(story())


def test_while_the_question_is_on_its_way_nothing_is_read() -> None:
    async def story() -> None:
        with start(load("no-contract"), pace=END) as running, Panel(running) as panel:
            id = await panel.id(RESEARCH)
            type_it(running, id, FIRST)
            running.faults.switch(f"k8s-slow=30@{REVIEWS}")
            panel.later()
            facts: list[dict[str, Any]] = []
            while not any(f["name"] == FIRST for f in facts):
                await asyncio.sleep(0.02)
                facts = panel.connection(id)["namespaces"]
            for _ in range(10):  # as a panel goes on asking
                panel.tasks(id)
                await asyncio.sleep(0.05)
            facts = panel.connection(id)["namespaces"]
            assert [(f["read"], f["why_not"]["code"]) for f in facts if f["name"] == FIRST] == [(False, "scope_typed_not_asked")]
            tasks = panel.tasks(id)["tasks"]
            assert (tasks["data"], tasks["last"]["state"]) == (None, "pending"), "not that none is in scope"
            share, page = panel.share(id), panel.connection(id)
            parts = [share["rows"], share["queue"], share["local_queue"], page["manifest"], page["card"]["counts"], page["card"]["share"]]
            assert [(p["data"], p["last"]["state"]) for p in parts] == [(None, "pending")] * len(parts), "every page says the same"
            row = next(r for r in panel.access(id)["rows"] if r["operation"] == "list workloads.kueue.x-k8s.io")
            assert row["last"]["state"] == "pending"
            assert looked_into(running, FIRST) == []

    asyncio.run(story())
