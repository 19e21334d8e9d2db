"""One of several that fails by a fault of ours: a connection, a namespace, a record, an entry of the configuration. The others still come, and it says so.

What fails is fed in where the product takes data: from the server's configuration, or as what a far end was read to say. No class of ours is replaced.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from hpgov_jlab.answers import share, tasks
from hpgov_jlab.answers.faults import Fault, Faults
from hpgov_jlab.answers.records import _parse
from hpgov_jlab.answers.source import Source, source_of
from hpgov_jlab.contracts import decide, parse, scope
from hpgov_jlab.contracts.record import from_annotation
from hpgov_jlab.contracts.scope import to_ask
from hpgov_jlab.model.contract import Kept, Rank
from hpgov_jlab.model.kueue import Workload
from hpgov_jlab.policy.kubernetes import FLAVORS
from hpgov_jlab.sandbox.launch import Running, start
from hpgov_jlab.sandbox.loading import load
from hpgov_jlab.sandbox.scenarios.studio_no_list import CLUSTER
from hpgov_jlab.scheduling.states import Team
from tests.clock import HANGS
from tests.contracts.examples import MINIMUM
from tests.scheduling.frames import job, workload

from .panel import EVALUATION, RESEARCH, SLURM, Panel
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
        name, _, ending = broken["connection"]["id"].rpartition("-")
        assert line.startswith(f"a part of connection {ending} failed with RuntimeError at ") and "service.py:" in line
        assert name == "broken" and name not in line, "a name that an upstream may have chosen stands in no log"
        assert SECRET not in caplog.text and SECRET not in "".join(panel.bodies)


@pytest.mark.parametrize(
    ("entry", "field"),
    [
        ({"name": "no cluster"}, "cluster_arn"),
        ({**TRAIT, "access_role": 5}, "access_role"),
        ({**TRAIT, "external_id": 5}, "external_id"),
        ({**TRAIT, "name": ["a"]}, "name"),
        ({**TRAIT, "nonsense": 1}, "nonsense"),
        *(({**TRAIT, field: value}, field) for field in ("cluster_arn", "orchestrator", "namespaces") for value in (5, 0, [{}], {}, False, None)),
        *(({**TRAIT, field: value}, field) for field in ("name", "access_role", "external_id") for value in (5, 0, [], {}, False)),
    ],
)
async def test_one_entry_of_the_configuration_that_names_no_cluster_leaves_the_others(studio: Running, entry: dict[str, Any], field: str) -> None:
    with Panel(studio, connections=[entry, TRAIT]) as panel:
        page = await panel.settle(panel.connections)
        assert [c["connection"]["name"] for c in page["connections"]["data"]] == ["sound"]
        said = [s for s in panel.session()["screens"] if s["code"] == "trait_connection_invalid"]
        assert [s["params"] for s in said] == [{"number": 1, "field": field}]


async def test_in_unified_studio_an_entry_that_nobody_uses_is_not_named() -> None:
    """There the project's connections are the list: what is wrong with it is all that is said."""
    with start(one_connection(), pace=END) as running:
        running.faults.set("deny-no-identity-policy", on="datazone:ListConnections")
        with Panel(running, connections=[{"name": "no cluster"}]) as panel:
            last = (await panel.settle(panel.connections))["connections"]["last"]
            assert (last["state"], last["code"], last["params"]["action"]) == ("denied", "no_identity_policy_allows", "datazone:ListConnections")
            assert panel.session()["screens"] == []


async def test_with_no_entry_that_names_a_cluster_the_reason_stands_where_they_would() -> None:
    alone = replace(load("space-no-aws"), place="elsewhere", service_account=None, eks=(), traits={"place": "elsewhere"})
    with start(alone, pace=END) as running, Panel(running, connections=[{"name": "no cluster"}]) as panel:
        page = await panel.settle(panel.connections)
        last = page["connections"]["last"]
        assert (page["connections"]["data"], last["state"], last["code"], last["params"]) == (
            None, "invalid", "trait_connection_invalid", {"number": 1, "field": "cluster_arn"},
        )  # fmt: skip


class Unmeasured(str):
    """A text whose length can't be told."""

    def __len__(self) -> int:
        raise RuntimeError(SECRET)


async def test_keys_go_with_their_connection_also_while_another_one_fails() -> None:
    """Of one that fails now it is known whose keys it was read with, and those of one that is there no more are not kept for it."""
    with start("default", pace=END) as running, Panel(running) as panel:
        page = await panel.settle(panel.connections)
        roles = {c["connection"]["name"]: c["connection"]["access_role"] for c in page["connections"]["data"]}
        assert len(set(roles.values())) == 3

        def kept() -> set[str]:
            held = list(panel.service.world.sessions._sessions)
            return {name for name, role in roles.items() if any(role in principal for principal in held)}

        assert kept() == set(roles)
        (entry,) = (e for key, e in panel.service.reads._entries.items() if key.operation == "ListConnections")
        there = [c for c in entry.reading.data if c.name != SLURM]
        lame = [replace(c, access_role=Unmeasured(c.access_role)) if c.name == RESEARCH else c for c in there]
        entry.reading = replace(entry.reading, data=lame)
        page = panel.connections()
        last = {c["connection"]["name"]: c["cluster"]["last"]["code"] for c in page["connections"]["data"]}
        assert last == {RESEARCH: "internal_scope", EVALUATION: "read"} and kept() == {RESEARCH, EVALUATION}


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


# -- share ------------------------------------------------------------------------------------------------------------------
class Unread(tuple[Any, ...]):
    """A list that can't be looked through."""

    def __iter__(self) -> Iterator[Any]:
        raise RuntimeError(SECRET)


async def test_a_queue_that_fails_is_no_empty_share() -> None:
    with start(one_connection(), pace=END) as running, Panel(running) as panel:
        id = await panel.id(RESEARCH)
        assert (await panel.settle(lambda: panel.share(id)))["rows"]["data"]
        await panel.settle(panel.connections)
        (entry,) = (e for key, e in panel.service.reads._entries.items() if key.operation == "get_clusterqueue")
        queue: Any = entry.reading.data
        spec = structs.replace(queue.spec, resource_groups=Unread(queue.spec.resource_groups))
        entry.reading = replace(entry.reading, data=structs.replace(queue, spec=spec), as_of=entry.reading.as_of + 1)
        rows = (await panel.settle(lambda: panel.share(id)))["rows"]
        assert (rows["data"], rows["last"]["state"], rows["last"]["code"]) == (None, "invalid", "internal_scope")
        card = (await panel.settle(panel.connections))["connections"]["data"][0]
        assert (card["share"]["data"], card["share"]["last"]["code"]) == (None, "internal_scope")


async def test_what_a_namespace_that_fails_holds_is_not_told_as_nobodys() -> None:
    """Two namespaces of one queue; of the one that holds, nothing can be put together, or only its Workloads, its queues or the flavours fail."""
    with start(one_connection(), pace=END) as running, Panel(running) as panel:
        id = await panel.id(RESEARCH)
        await panel.settle(lambda: panel.share(id))
        found, _, _ = panel.service._look(id, "full", fresh=False)
        (holds,) = found.namespaces
        idle = replace(holds, name="idle", workloads=filled(holds.workloads, ()), objects={}, pods=None)

        def told(one: Any, **more: Any) -> tuple[Any, Any]:
            seen = replace(found, namespaces=(one, replace(idle, **more.pop("idle", {}))), **more)
            source = source_of(seen, frozenset(), 1e9)
            return share.make(seen, source, 1e9), tasks.make(source, 1e9)[0]

        sound, counted = told(holds)
        assert {row.not_attributed for row in sound.rows} == {"0"} and not sound.notes and not counted.counts.at_least
        kind, objects = next(iter(holds.objects.items()))
        assert holds.workloads is not None and holds.workloads.data is not None
        for lame in (
            replace(holds, objects={kind: filled(objects, Unread((1,)))}),
            replace(holds, workloads=filled(holds.workloads, Broken(holds.workloads.data.items))),
        ):
            made, counted = told(lame)
            assert [(r.held, r.not_attributed) for r in made.rows] == [(r.held, None) for r in sound.rows], "the queue's own figures stand"
            assert [(n.code, n.params) for n in made.notes] == [("share_holders_not_readable", {"namespaces": holds.name})]
            assert {f.scope for f in made.faults} == {holds.name} and counted.counts.at_least
        # without its ClusterQueue a namespace's own queue is looked at for the note; that of another one still comes
        assert holds.local_queues is not None
        no_queue = replace(holds, cluster_queues={})
        made, counted = told(replace(no_queue, local_queues=filled(holds.local_queues, Unread((1,)))), idle={"cluster_queues": {}})
        assert {f.scope for f in made.faults} == {holds.name} and [n.code for n in made.notes if n.code == "share_nominal_not_known"]
        # flavours: they only make a reason to wait more precise
        made, counted = told(holds, flavors=filled(found.flavors, Unread((1,))))
        assert made.rows == sound.rows and [f.scope for f in made.faults] == [FLAVORS.source] and not counted.counts.at_least


def filled(reading: Any, items: Any) -> Any:
    """The same list with other things in it."""
    return replace(reading, data=replace(reading.data, items=items))


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


@pytest.mark.parametrize(("status", "standing"), [("revoked", "revoked"), ("decommissioned", "decommissioned"), ("approved", "invalid")])
async def test_a_platform_record_that_fails_is_not_passed_over_and_a_revoked_one_closes(status: str, standing: str) -> None:
    """Beside it a self-declared one that approves: who is governed can't open again what the platform has closed."""
    with start(one_connection(), pace=END) as running, Panel(running) as panel:
        id = await panel.id(RESEARCH)
        before = (await panel.settle(lambda: panel.contract(id)))["contract"]["data"]
        assert before["platform"] and (await panel.settle(lambda: panel.tasks(id)))["tasks"]["data"]
        entries = panel.service.reads._entries
        (folder,) = (e for key, e in entries.items() if key.operation == "contracts")
        (entry,) = (e for key, e in entries.items() if f"s3://{key.scope}".endswith(before["kept"].removeprefix("s3://")))
        sound = entry.reading.data
        own = parse(Kept(Rank.FILE, "mine.yaml", "mine.yaml", json.dumps(dict(sound.data)).encode()))
        folder.reading = replace(folder.reading, data=(own,))
        written = {**sound.data, "lifecycle": {**sound.data["lifecycle"], "status": status}}
        higher = parse(replace(sound.kept, data=json.dumps(written).encode()))
        assert own.data is not None and higher.data is not None
        entry.reading = replace(entry.reading, data=replace(higher, data=Late(higher.data)))
        page = panel.contract(id)
        view = page["contract"]["data"]
        assert (view["standing"], view["platform"], view["kept"]) == (standing, True, before["kept"])
        assert [p["rule"]["code"] for p in view["problems"]] == ["internal_scope"] and [v["standing"] for v in page["others"]] == ["in_force"]
        rows = (await panel.settle(lambda: panel.tasks(id)))["tasks"]
        if status == "approved":
            assert rows["data"], "one that is not over is shown as not usable, and closes nothing"
        else:
            assert (rows["data"], rows["last"]["state"], rows["last"]["code"]) == (None, "not_configured", "scope_closed")


async def test_of_a_record_that_can_not_be_read_by_our_fault_it_is_not_known_whether_it_is_over() -> None:
    with start(one_connection(), pace=END) as running, Panel(running) as panel:
        id = await panel.id(RESEARCH)
        await panel.settle(lambda: panel.tasks(id))
        broken = _parse(panel.service.world, from_annotation("hyperpod-ns-research", "status: revoked", None, None))
        assert broken.ends == {}, "read, if not one that is valid"
        kept = replace(from_annotation("hyperpod-ns-research", "", None, None), data=Opaque(b"a: b"))
        broken = _parse(panel.service.world, kept)
        assert (broken.claims, broken.ends, [p.rule.code for p in broken.problems]) == (None, None, ["internal_scope", "contract_ends_not_read"])
        found, _, _ = panel.service._look(id, "full", fresh=False)
        connection = replace(found.reached.connection, namespaces=("a", "b"))
        for records in ([broken], [broken, parse(Kept(Rank.FILE, "mine.yaml", "mine.yaml", json.dumps(MINIMUM).encode()))]):
            view, others = decide(records, connection, 1e9, may_update={"hyperpod-ns-research": False})
            assert view.standing == "invalid" and view.platform
            assert [(n.name, n.read, n.why_not.code if n.why_not else None) for n in scope(view, others, connection)] == [
                ("a", False, "scope_ends_not_read"), ("b", False, "scope_ends_not_read"),
            ]  # fmt: skip
            assert to_ask(view, replace(connection, namespaces=()), ["typed"]) == ()


class Opaque(bytes):
    """Bytes that no text can be made of."""

    def decode(self, *_: Any, **__: Any) -> str:
        raise RuntimeError(SECRET)

    def startswith(self, *_: Any) -> bool:
        raise RuntimeError(SECRET)

    def __len__(self) -> int:
        raise RuntimeError(SECRET)


class Late(dict[str, Any]):
    """A record's data that fails whoever shows it."""

    def __getitem__(self, name: str) -> Any:
        if name == "owners":
            raise RuntimeError(SECRET)
        return super().__getitem__(name)


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


def test_what_a_worker_tells_while_the_loop_forgets_is_no_fault_of_its_own(caplog: pytest.LogCaptureFixture) -> None:
    faults, telling = Faults(), threading.Event()

    def tell() -> None:
        telling.set()
        faults.tell("a", Fault("other", "KeyError", "y.py:1"))

    worker = threading.Thread(target=tell, daemon=True)

    class Id(str):
        """An id that is compared while a worker tells something."""

        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            if not telling.is_set():
                worker.start()
                worker.join(0.2)  # with a lock it can't end before this does
            return str.__eq__(self, other)

    faults.tell("a", Fault("one", "KeyError", "x.py:1"), Fault("two", "KeyError", "x.py:1"))
    faults.only([Id("a")])
    worker.join(HANGS)
    faults.tell("a", Fault("one", "KeyError", "x.py:1"), Fault("other", "KeyError", "y.py:1"))
    assert len(told(caplog)) == 3, "each once"
