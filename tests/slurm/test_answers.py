"""A Slurm cluster's answers as the pages get them: which reads there are rows of, what goes when Slurm refuses, what is told to be missing, and sums."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from hpgov_jlab.answers.home import Home
from hpgov_jlab.answers.slurm import MOST_ACCOUNTS, SlurmMade, SlurmReadings, make_share, make_tasks, slurm
from hpgov_jlab.answers.slurm_parts import ASKED, access_rows, glance_part, share_page, tasks_part
from hpgov_jlab.answers.team import TeamReadings
from hpgov_jlab.answers.world import World
from hpgov_jlab.model.access import AccessRow
from hpgov_jlab.model.connection import Connection, Orchestrator
from hpgov_jlab.model.outcome import Outcome, Reading, State
from hpgov_jlab.model.slurm import QueueSum, SlurmJobs, SlurmNodes, SlurmQueue, SlurmShape
from hpgov_jlab.model.task import Amount
from hpgov_jlab.policy import slurm as policy
from hpgov_jlab.reads import Due, Known, Reads, drive
from hpgov_jlab.sandbox.scenarios.slurm import SLURM
from hpgov_jlab.sandbox.slurm.install import install, switch
from hpgov_jlab.scheduling.slurm_sums import node_sums, queue_sums
from hpgov_jlab.settings import HpgovSettings
from hpgov_jlab.sources.slurm import reads as source
from hpgov_jlab.sources.slurm.reads import CHAIN
from hpgov_jlab.wire.pages import SharePage

from .fakes import at, commands, fetched
from .slurmrestd import FarEnd, jwt, put, serving

CONNECTION = Connection("here", "here", "trait", Orchestrator.SLURM, "here", None, None)
NOWHERE = cast(Any, None)
"""Of the world and the home only the settings and the connections are looked at for Slurm."""
NO_TEAM = TeamReadings(NOWHERE, NOWHERE, NOWHERE, None, None)
SHAPE = SlurmShape("formatted", None)
EMPTY = SlurmJobs((), SHAPE)


class Asking:
    """The product's own order of reads and its cache, in front of the sandbox's stand-ins or a slurmrestd. `later` makes everything due."""

    def __init__(self, **traits: Any) -> None:
        self.world = World(HpgovSettings(slurm_cluster="here", **traits), NOWHERE, NOWHERE, NOWHERE, "/")
        self.home = Home(NOWHERE, None, None, None, (CONNECTION,), (), None)
        self.ahead = 0.0
        self.reads = Reads(elapsed=lambda: time.monotonic() + self.ahead)

    def look(self) -> SlurmReadings:
        return asyncio.run(slurm(Due(self.reads), self.world, self.home, CONNECTION, full=True))

    def known(self, *, full: bool = True) -> SlurmReadings:
        return drive(slurm(Known(self.reads), self.world, self.home, CONNECTION, full=full))

    def held(self, upstream: str) -> list[str]:
        """Operations of a far end of which data lies in the cache, whoever may see it."""
        return sorted(key.operation for key, entry in self.reads._entries.items() if key.upstream == upstream and entry.reading.data is not None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    install(tmp_path / "slurm", SLURM, time.time())
    return tmp_path / "slurm"


@pytest.fixture
def here(folder: Path) -> Asking:
    return Asking(slurm_bin=str(folder), sandbox=True)


@pytest.fixture(scope="module")
def read_once(tmp_path_factory: pytest.TempPathFactory) -> SlurmReadings:
    folder = tmp_path_factory.mktemp("read") / "slurm"
    install(folder, SLURM, time.time())
    return Asking(slurm_bin=str(folder), sandbox=True).look()


@pytest.fixture
def found(read_once: SlurmReadings) -> SlurmReadings:
    """Everything read, to be changed by the test that has it."""
    return replace(read_once, team=dict(read_once.team))


@pytest.fixture
def over_rest(tmp_path: Path) -> Iterator[Asking]:
    token = tmp_path / "token"
    token.write_text(jwt())
    token.chmod(0o600)
    with serving(FarEnd()) as far_end:
        put(far_end, "v0.0.42")
        yield Asking(slurmrestd_url=far_end.url, slurm_token_file=str(token), slurm_user="alice", slurm_bin=str(tmp_path), sandbox=True)


def shared(found: SlurmReadings, made: SlurmMade | None) -> SharePage:
    return share_page(found, found, made, now=0.0, poll_after_ms=0, sandbox=True, next_fresh_at=None)


def ended(found: SlurmReadings, name: str, state: State, code: str) -> Reading[Any]:
    reading = getattr(found, name)
    return replace(reading, last=Outcome(state, code, reading.last.source, reading.last.at))


# -- the Access tab ----------------------------------------------------------------------------------------------------------
def rows_by_read(found: SlurmReadings) -> dict[str, list[AccessRow]]:
    rows: dict[str, list[AccessRow]] = {}
    for row in access_rows(found):
        rows.setdefault(row.read, []).append(row)
    return rows


def holds_one_row_per_reading(found: SlurmReadings) -> None:
    rows = rows_by_read(found)
    assert set(rows) == {policy.VERSION.read, *(shape.read for shape, _ in ASKED.values())}
    readings = dict(found.readings())
    for name, (shape, _) in ASKED.items():
        told = sorted((row.last.state, row.last.code) for row in rows[shape.read])
        assert told == sorted((r.last.state, r.last.code) for label, r in readings.items() if label.split("/")[1] == name), name
    assert [row.last for row in rows[policy.VERSION.read]] == [found.site.last if found.site is not None else None]


def test_every_reading_is_known_to_the_access_tab(found: SlurmReadings) -> None:
    """What answers/slurm.py reads and what the tab shows are one list: a new read without a row would fail here."""
    names = {label.split("/")[1] for label, _ in found.readings()}
    assert names == set(ASKED)
    assert len({shape.read for shape, _ in ASKED.values()}) == len(ASKED), "no two readings are told as the same"


def test_each_command_has_the_row_of_its_own_reading(found: SlurmReadings) -> None:
    holds_one_row_per_reading(found)
    assert {row.operation for row in access_rows(found)} == {"squeue --version", *(shape.source for shape, _ in ASKED.values())}


def test_each_request_to_slurmrestd_has_the_row_of_its_own_reading(over_rest: Asking) -> None:
    found = over_rest.look()
    assert found.site is not None and found.site.ok, found.site
    holds_one_row_per_reading(found)
    rows = rows_by_read(found)
    jobs = [rows[shape.read][0].operation for shape in (policy.OWN_JOBS, policy.TEAM_JOBS, policy.QUEUE)]
    assert jobs == [policy.REST_JOBS.source] * 3
    assert rows[policy.CONFIG.read][0].last.code == "slurm_rest_lacks" and rows[policy.CONFIG.read][0].operation == "scontrol show config"


def test_what_one_squeue_meets_is_not_said_of_another(found: SlurmReadings) -> None:
    """Own jobs, the team's, the queue and the version are all `squeue`; associations and accounts both `sacctmgr show associations`."""
    [account] = found.team
    found.team = {account: replace(found.team[account], last=Outcome(State.ABSENT, "slurm_no_team", "squeue")), "other": found.team[account]}
    found.accounts = ended(found, "accounts", State.DENIED, "slurm_denied")
    rows = rows_by_read(found)

    def told(shape: policy.Shape) -> list[tuple[str, str]]:
        return [(row.scope, row.last.state) for row in rows[shape.read]]

    assert found.at is not None
    assert told(policy.OWN_JOBS) == [(found.at.user, "ok")] == told(policy.QUEUE) == told(policy.ASSOCIATIONS)
    assert told(policy.TEAM_JOBS) == [(account, "absent"), ("other", "ok")]
    assert told(policy.ACCOUNT) == [(found.at.user, "denied")]
    assert [(row.last.state, row.scope) for row in rows[policy.VERSION.read]] == [("ok", "")]


def test_reads_that_were_not_sent_say_what_they_wait_for(here: Asking, folder: Path) -> None:
    switch(folder, {"database-down": None})
    found = here.look()
    found.team, found.accounts, found.qos = {}, None, None
    rows = rows_by_read(found)
    for shape in (policy.TEAM_JOBS, policy.ACCOUNT):
        [row] = rows[shape.read]
        assert (row.last.state, row.last.code, row.last.params) == (State.PENDING, "waits_for", {"read": policy.ASSOCIATIONS.source})
    assert [row.last.code for row in rows[policy.QOS.read]] == ["asked_when_needed"]


def test_a_cluster_that_these_commands_do_not_reach_has_a_row_that_says_so(folder: Path) -> None:
    found = Asking(slurm_bin=str(folder), sandbox=True)
    found.world = World(HpgovSettings(slurm_cluster="elsewhere", slurm_bin=str(folder), sandbox=True), NOWHERE, NOWHERE, NOWHERE, "/")
    [row] = access_rows(found.known())
    assert (row.last.state, row.last.code) == (State.NOT_CONFIGURED, "slurm_other_cluster")


# -- what goes ---------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("fault", "state"), [("identity-refused", State.DENIED), ("version-mismatch", State.INVALID)])
def test_when_the_controller_refuses_nothing_that_it_told_stays_in_memory(fault: str, state: State, here: Asking, folder: Path) -> None:
    before = here.look()
    assert {"own_jobs", "usage", "nodes", "queue", "team_jobs"} <= set(here.held("slurm-controller"))
    assert before.usage is not None and before.usage.data is not None
    switch(folder, {fault: None})
    here.ahead += 1000.0
    here.look()
    found = here.known(full=False)  # a card asks for less than the dashboard did
    assert found.controller is not None and found.controller.last.state is state
    assert here.held("slurm-controller") == []
    controlled = [name for name, (shape, _) in ASKED.items() if not shape.database and name != "controller"]
    for name, reading in here.known().readings():
        if name.split("/")[1] in controlled:
            assert (reading.data, reading.as_of, reading.last.state) == (None, None, state), name
    page = shared(here.known(), make_share(here.known(), (), time.time()))
    assert not any(row.held is not None for row in page.rows.data or ()), "what is held came from the controller"


def test_when_the_way_to_slurm_is_refused_nothing_stays_either(here: Asking, folder: Path) -> None:
    here.look()
    assert here.held("slurm-controller") and here.held("slurm-database")
    (folder / "squeue").chmod(0o644)
    here.ahead += 1000.0
    found = here.look()
    assert found.blocked is not None and found.blocked.state is State.INVALID
    assert here.held("slurm-controller") == [] == here.held("slurm-database")


def test_while_the_controller_is_down_the_last_stays_with_its_age(here: Asking, folder: Path) -> None:
    before = here.look()
    switch(folder, {"controller-down": None})
    here.ahead += 1000.0
    found = here.look()
    assert found.own_jobs is not None and before.own_jobs is not None
    assert (found.own_jobs.data, found.own_jobs.as_of) == (before.own_jobs.data, before.own_jobs.as_of)
    assert found.own_jobs.last.state is State.UNREACHABLE


# -- what is missing ----------------------------------------------------------------------------------------------------------
def accounts_of_hers(here: Asking, count: int) -> SlurmReadings:
    """The stand-ins' answer with so many accounts put in where the database tells them, read again through the product's own order."""
    found = here.look()
    assert found.associations is not None and found.associations.data is not None
    [key] = [key for key in here.reads._entries if key.operation == "associations"]
    entry = here.reads._entries[key]
    more = tuple(replace(found.associations.data[0], account=f"more-{n}") for n in range(count - len({a.account for a in found.associations.data})))
    entry.reading = replace(entry.reading, data=(*found.associations.data, *more))
    return here.look()


@pytest.mark.parametrize("over", [0, 3])
def test_jobs_of_accounts_that_are_not_asked_for_are_told_with_their_number(over: int, here: Asking) -> None:
    found = accounts_of_hers(here, MOST_ACCOUNTS + over)
    assert len(found.team) == MOST_ACCOUNTS and found.left_out == over
    told = [r.params for r in tasks_part(found, [], made=True).readings if r.code == "slurm_accounts_left_out"]
    notes = [n.params for n in make_share(found, make_tasks(found, 0.0), 0.0).notes if n.code == "slurm_accounts_left_out"]
    assert told == notes == ([{"count": over}] if over else [])


@pytest.mark.parametrize("over", [0, 4])
def test_limits_of_accounts_that_are_not_asked_for_are_told_with_their_number(over: int, tmp_path: Path, found: SlurmReadings) -> None:
    body = """
name = next(a for a in ARGS if a.startswith("account=")).removeprefix("account=")
print("|".join([name, "", "", "root", "1"] + [""] * 10))
"""
    read = source.accounts(at(commands(tmp_path / "bin", body), "24.11.5", "alice", 1001), tuple(f"a{n}" for n in range(CHAIN + over)))
    brought: Any = fetched(read)
    assert (len(brought.items), brought.not_asked) == (CHAIN, over)
    assert found.accounts is not None
    found.accounts = replace(found.accounts, data=brought)
    notes = [n.params for n in make_share(found, (), 0.0).notes if n.code == "slurm_limits_left_out"]
    assert notes == ([{"count": over}] if over else [])


def test_jobs_in_rows_that_could_not_be_read_are_told_with_their_number(found: SlurmReadings) -> None:
    """Of own jobs, of the team's, and of accounting: none of them is silently not there."""
    assert found.not_whole() == []
    assert found.own_jobs is not None and found.own_jobs.data is not None and found.history is not None and found.history.data is not None
    account, team = next(iter(found.team.items()))
    assert team.data is not None
    found = replace(
        found,
        own_jobs=replace(found.own_jobs, data=replace(found.own_jobs.data, unread=2)),
        team={**found.team, account: replace(team, data=replace(team.data, unread=3))},
        history=replace(found.history, data=replace(found.history.data, unread=4)),
    )
    shown = tasks_part(found, [], made=True)
    assert [(r.state, r.params) for r in shown.readings if r.code == "slurm_rows_unread"] == [(State.INVALID, {"count": n}) for n in (2, 3, 4)]
    assert not replace(NO_TEAM, slurm=found).whole, "counts are lowest numbers"


# -- the card's bar --------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["usage", "associations"])
@pytest.mark.parametrize(
    ("state", "shown"),
    [(s, s) for s in (State.DENIED, State.UNREACHABLE, State.THROTTLED, State.EXPIRED, State.INVALID, State.PENDING)]
    + [(s, State.ABSENT) for s in (State.ABSENT, State.NOT_CONFIGURED)],
)
def test_limits_that_could_not_be_read_are_not_limits_that_are_not_set(name: str, state: State, shown: State, found: SlurmReadings) -> None:
    """Of an upstream that tells no limit on GPUs beside: what is not set up leaves no gap, everything else says itself."""
    assert found.usage is not None and found.usage.data is not None and found.associations is not None and found.associations.data is not None
    found.qos = None
    bare = replace(found.usage.data, associations=tuple(replace(a, limits=()) for a in found.usage.data.associations), qos=())
    found.usage = replace(found.usage, data=bare)
    found.associations = replace(found.associations, data=tuple(replace(a, limits=()) for a in found.associations.data))
    found.accounts = None
    none_set = glance_part(found, make_share(found, (), 0.0))
    assert (none_set.data, none_set.last.code) == (None, "slurm_no_share_bar")
    reading = getattr(found, name)
    setattr(found, name, Reading(None, None, Outcome(state, "x", reading.last.source)))
    part = glance_part(found, make_share(found, (), 0.0))
    assert (part.data, part.last.state) == (None, shown)
    assert (part.last.code == "slurm_no_share_bar") is (shown is State.ABSENT)
    assert state in {r.state for r in part.readings}


# -- sums ----------------------------------------------------------------------------------------------------------------------
def test_states_and_gpus_of_the_nodes() -> None:
    def gpus(n: str) -> tuple[Amount, ...]:
        return (Amount("cpu", "96"), Amount("gres/gpu", n))

    found = node_sums(SlurmNodes(8, {"DOWN": 1, "IDLE": 2, "ALLOCATED": 4, "DRAIN": 1}, gpus("64"), gpus("48"), gpus("36")))
    assert [(s.state, s.nodes, s.usable) for s in found.states] == [("ALLOCATED", 4, True), ("IDLE", 2, True), ("DOWN", 1, False), ("DRAIN", 1, False)]
    assert (found.total, found.gpus, found.gpus_held, found.gpus_away) == (8, "64", "36", "16")
    idle = node_sums(SlurmNodes(1, {"DOWN": 1}, gpus("8"), (), ()))
    assert (idle.gpus, idle.gpus_held, idle.gpus_away) == ("8", "0", "8"), "nothing held, and all of it on a node that is down"


def test_gpus_that_slurm_does_not_count_are_not_none() -> None:
    found = node_sums(SlurmNodes(2, {"IDLE": 2}, (Amount("cpu", "8"),), (Amount("cpu", "8"),), ()))
    assert (found.gpus, found.gpus_held, found.gpus_away) == (None, None, None)


def test_sums_of_the_queue() -> None:
    sums = (
        QueueSum("cpu", "COMPLETED", 9, 9, 0), QueueSum("gpu", "COMPLETING", 1, 1, 8), QueueSum("gpu", "FAILED", 3, 3, 24),
        QueueSum("gpu", "PENDING", 40, 40, 320), QueueSum("gpu", "RUNNING", 2, 4, 32), QueueSum("gpu", "SUSPENDED", 1, 1, None),
        QueueSum("gpu,cpu", "PENDING", 5, 5, None), QueueSum("old", "RUNNING", 1, 1, None),
    )  # fmt: skip
    found = queue_sums(SlurmQueue(sums, 3, SHAPE, unread=2))
    assert [(r.partition, r.running, r.suspended, r.waiting, r.gpus) for r in found.rows] == [
        ("gpu", 3, 1, 40, "40"), ("gpu,cpu", 0, 0, 5, "0"), ("old", 1, 0, 0, None),
    ]  # fmt: skip
    assert found.unread == 2


@pytest.mark.parametrize("name", ["nodes", "queue"])
@pytest.mark.parametrize("state", [s for s in State if s is not State.OK])
def test_sums_in_every_state(name: str, state: State, found: SlurmReadings) -> None:
    """Denied is never empty, and what may not stay is gone."""
    setattr(found, name, ended(found, name, state, "slurm_denied"))
    page = shared(found, None)
    part = getattr(page, f"slurm_{name}")
    keeps = state in (State.PENDING, State.UNREACHABLE, State.THROTTLED, State.EXPIRED)
    assert (part.last.state, part.data is not None, part.as_of is not None) == (state, keeps, keeps)
    setattr(found, name, Reading(None, None, Outcome(state, "slurm_denied", name)))
    part = getattr(shared(found, None), f"slurm_{name}")
    assert (part.last.state, part.data) == (state, None)


def test_what_is_read_but_not_put_together_yet_is_being_read(found: SlurmReadings) -> None:
    page = shared(found, None)
    for part in (page.fairshare, page.partitions):
        assert (part.last.state, part.last.code, part.data) == (State.PENDING, "not_read_yet", None)


# -- where the notices stand -----------------------------------------------------------------------------------------------------
def test_what_the_cluster_is_like_stands_apart_from_what_the_figures_lack(found: SlurmReadings) -> None:
    made = make_share(found, make_tasks(found, time.time()), time.time())
    page = shared(found, made)
    below = {n.code for n in page.cluster_notes}
    assert {"slurm_few_accounts"} <= below and below & {"slurm_everyone_sees_jobs", "slurm_only_own_jobs"}
    assert sorted([*page.notes, *page.cluster_notes], key=str) == sorted(made.notes, key=str)
    assert {n.code for n in page.notes} <= {"slurm_reservation_ahead", "slurm_reservation_ahead_unnamed", "slurm_account_limits_hidden"}


def test_no_name_is_in_the_sums(found: SlurmReadings) -> None:
    page = shared(found, make_share(found, (), 0.0))
    text = json.dumps([page.slurm_nodes.model_dump(mode="json"), page.slurm_queue.model_dump(mode="json")])
    assert found.queue is not None and '"running"' in text and '"usable"' in text
    assert [name for name in ("carla", "research-nlp", "production", "node-") if name in text] == []
