"""One of several that fails by a fault of ours: a connection, a namespace, a record, an entry of the configuration. The others still come, and it says so.

What fails is fed in where the product takes data: from the server's configuration, or as what a far end was read to say. No class of ours is replaced.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from hpgov_jlab.answers import tasks
from hpgov_jlab.answers.faults import Fault, Faults
from hpgov_jlab.answers.source import Source
from hpgov_jlab.model.contract import Rank
from hpgov_jlab.model.kueue import Workload
from hpgov_jlab.sandbox.launch import Running, start
from hpgov_jlab.sandbox.loading import load
from hpgov_jlab.sandbox.scenarios.studio_no_list import CLUSTER
from hpgov_jlab.scheduling.states import Team
from tests.scheduling.frames import job, workload

from .panel import RESEARCH, Panel
from .states_table import END, one_connection

SECRET = "SECRET-in-the-text"
TRAIT: dict[str, Any] = {"name": "sound", "cluster_arn": CLUSTER.arn, "namespaces": ["hyperpod-ns-research"]}


class Hostile(str):
    """A text that fails whoever makes a plain one of it, or cuts it."""

    def __str__(self) -> str:
        raise RuntimeError(SECRET)

    def startswith(self, *_: Any) -> bool:
        raise RuntimeError(SECRET)


class Broken(tuple[Workload, ...]):
    """A list that breaks off after its first."""

    def __iter__(self) -> Iterator[Workload]:
        yield self[0]
        raise RuntimeError(SECRET)


@pytest.fixture(scope="module")
def studio() -> Iterator[Running]:
    with start(load("studio-no-list"), pace=END) as made:
        yield made
        assert made.faulty() == []


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [r.getMessage() for r in caplog.records if r.name == "hpgov_jlab.answers.faults"]


async def test_one_connection_that_fails_leaves_the_others_and_says_so(studio: Running, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with Panel(studio, connections=[TRAIT, {**TRAIT, "name": "broken", "external_id": Hostile("x"), "access_role": CLUSTER.arn}]) as panel:
        page = await panel.settle(panel.connections)
        sound, broken = page["connections"]["data"]
        assert (sound["connection"]["name"], sound["cluster"]["last"]["state"]) == ("sound", "ok") and sound["counts"]["data"] is not None
        assert broken["connection"]["name"] == "broken"
        for name in ("cluster", "nodes", "contract", "counts", "share"):
            last = broken[name]["last"]
            assert (broken[name]["data"], last["state"], last["code"], last["ask"]) == (None, "invalid", "internal_scope", "jupyter_admin"), name
            assert last["params"] == {"scope": "broken", "kind": "RuntimeError"}
        assert [n["code"] for n in broken["attention"]] == ["internal_scope"]
        for _ in range(5):
            panel.connections()
        [line] = told(caplog)
        assert line.startswith(f"a part of {broken['connection']['id']} failed with RuntimeError at ") and "service.py:" in line
        assert SECRET not in caplog.text and SECRET not in "".join(panel.bodies)


@pytest.mark.parametrize(
    ("entry", "field"),
    [
        ({"name": "no cluster"}, "cluster_arn"),
        ({**TRAIT, "access_role": 5}, "access_role"),
        ({**TRAIT, "external_id": 5}, "external_id"),
        ({**TRAIT, "name": ["a"]}, "name"),
        ({**TRAIT, "nonsense": 1}, "nonsense"),
    ],
)
async def test_one_entry_of_the_configuration_that_names_no_cluster_leaves_the_others(studio: Running, entry: dict[str, Any], field: str) -> None:
    with Panel(studio, connections=[entry, TRAIT]) as panel:
        page = await panel.settle(panel.connections)
        assert [c["connection"]["name"] for c in page["connections"]["data"]] == ["sound"]
        said = [s for s in panel.session()["screens"] if s["code"] == "trait_connection_invalid"]
        assert [s["params"] for s in said] == [{"number": 1, "field": field}]


async def test_with_no_entry_that_names_a_cluster_the_reason_stands_where_they_would() -> None:
    alone = replace(load("space-no-aws"), place="elsewhere", service_account=None, eks=(), traits={"place": "elsewhere"})
    with start(alone, pace=END) as running, Panel(running, connections=[{"name": "no cluster"}]) as panel:
        page = await panel.settle(panel.connections)
        last = page["connections"]["last"]
        assert (page["connections"]["data"], last["state"], last["code"], last["params"]) == (
            None, "invalid", "trait_connection_invalid", {"number": 1, "field": "cluster_arn"},
        )  # fmt: skip


# -- namespaces -------------------------------------------------------------------------------------------------------------
def teams() -> tuple[Team, Team]:
    sound = Team("sound", (workload("w"),), (job("j"),), frozenset({"Job"}), ())
    return replace(sound, namespace="broken", workloads=Broken((workload("other"),))), sound


def test_tasks_of_one_namespace_that_fails_leave_those_of_the_others() -> None:
    made, units = tasks.make(Source(teams()), 1e9)
    assert {made.snapshot.find(uid).scope for uid in units} == {"sound"}  # type: ignore[union-attr]
    assert [(f.scope, f.kind) for f in made.faults] == [("broken", "RuntimeError")] and SECRET not in repr(made.faults)
    assert made.counts.at_least, "there may be more"
    glance, _ = tasks.make(Source(teams()), 1e9, keep_rows=False)
    assert (glance.counts, [f.scope for f in glance.faults]) == (made.counts, ["broken"])
    mended, _ = tasks.make(Source((teams()[1],)), 1e9, made)
    assert mended is not made and mended.faults == () and not mended.counts.at_least, "the same rows without the fault are another answer"


async def test_a_namespace_that_fails_is_named_on_every_page_and_no_row_is_no_empty_list(caplog: pytest.LogCaptureFixture) -> None:
    with start(one_connection(), pace=END) as running, Panel(running) as panel:
        id = await panel.id(RESEARCH)
        await panel.settle(lambda: panel.tasks(id))
        reads: Any = panel.service.reads
        (entry,) = (e for key, e in reads._entries.items() if key.operation.startswith("list_workloads") and key.scope == "hyperpod-ns-research")
        listing = entry.reading.data
        entry.reading = replace(entry.reading, data=replace(listing, items=Broken(listing.items)), as_of=entry.reading.as_of + 1)
        page = await panel.settle(lambda: panel.tasks(id))
        assert page["tasks"]["data"] is None and page["total"] is None and page["at_least"]
        assert (page["tasks"]["last"]["code"], page["tasks"]["last"]["params"]["scope"]) == ("internal_scope", "hyperpod-ns-research")
        shares = await panel.settle(lambda: panel.share(id))
        assert shares["rows"]["data"] and {r["not_attributed"] for r in shares["rows"]["data"]} == {None}, "the queue's own figures stand"
        assert "internal_scope" in {r["code"] for r in shares["rows"]["readings"]}
        page = await panel.settle(lambda: panel.connection(id))
        assert page["identity"]["data"] and page["card"]["cluster"]["data"] and page["card"]["counts"]["last"]["code"] == "internal_scope"
        assert page["manifest"]["data"], "what needs no task stands"
        (classes,) = (e for key, e in reads._entries.items() if key.operation.startswith("list_workloadpriorityclasses"))
        classes.reading = replace(classes.reading, data=replace(classes.reading.data, items=Broken(classes.reading.data.items)))
        page = panel.connection(id)
        assert (page["manifest"]["data"], page["manifest"]["last"]["code"], page["manifest"]["last"]["params"]["scope"]) == (None, "internal_scope", RESEARCH)
        assert page["card"]["cluster"]["data"] and page["namespaces"]
        card = (await panel.settle(panel.connections))["connections"]["data"][0]
        assert card["cluster"]["last"]["state"] == "ok" and card["counts"]["data"] is None and card["counts"]["last"]["code"] == "internal_scope"
        assert not [s for s in panel.session()["screens"] if s["code"] == "internal"], "no refresh has failed for it"
        assert told(caplog) and len(told(caplog)) == len(set(told(caplog))) and SECRET not in caplog.text


# -- records ----------------------------------------------------------------------------------------------------------------
async def test_one_record_that_fails_leaves_the_one_that_wins(caplog: pytest.LogCaptureFixture) -> None:
    """A record that was read and parsed, and that no rule can be held against."""
    with start(one_connection(), pace=END) as running, Panel(running) as panel:
        id = await panel.id(RESEARCH)
        before = (await panel.settle(lambda: panel.contract(id)))["contract"]["data"]
        reads: Any = panel.service.reads
        (entry,) = (e for key, e in reads._entries.items() if key.operation == "contracts")
        (sound,) = (e.reading.data for key, e in reads._entries.items() if f"s3://{key.scope}".endswith(before["kept"].removeprefix("s3://")))
        lame = replace(sound, kept=replace(sound.kept, rank=Rank.FILE, where="lame.yaml", file="lame.yaml"), data=Unusable())
        entry.reading = replace(entry.reading, data=(lame,))
        page = panel.contract(id)
        assert (page["contract"]["data"]["standing"], page["contract"]["data"]["kept"]) == (before["standing"], before["kept"])
        assert "internal_scope" in {p["rule"]["code"] for view in page["others"] for p in view["problems"]}
        panel.contract(id)
        assert len(told(caplog)) == 1 and SECRET not in caplog.text


class Unusable(dict[str, Any]):
    """A record's data that fails whoever looks into it."""

    def get(self, *_: Any) -> Any:
        raise RuntimeError(SECRET)

    __getitem__ = __contains__ = get  # type: ignore[assignment]


# -- what is told -----------------------------------------------------------------------------------------------------------
def test_the_log_has_each_fault_once_and_nothing_of_what_is_there_no_more(caplog: pytest.LogCaptureFixture) -> None:
    faults, one = Faults(), Fault("a name of somebody's", "KeyError", "x.py:1")
    for _ in range(3):
        faults.tell("a", one, replace(one, scope="another"))
        faults.tell("b", one)
    assert len(told(caplog)) == 3 and "somebody" not in caplog.text
    faults.only({"b"})
    faults.tell("a", one)
    faults.tell("b", one)
    assert len(told(caplog)) == 4
