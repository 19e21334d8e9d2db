"""The sandbox's Slurm: stand-ins answer the product's own commands, and fail as the real ones do."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hpgov_jlab.model.outcome import State
from hpgov_jlab.model.task import TaskState
from hpgov_jlab.reads import Deadline, Read
from hpgov_jlab.sandbox.faults import FAULTS
from hpgov_jlab.sandbox.loading import load
from hpgov_jlab.sandbox.scenarios.slurm import OTHER, SLURM
from hpgov_jlab.sandbox.slurm.install import FAULTS as OWN_FAULTS
from hpgov_jlab.sandbox.slurm.install import install, switch
from hpgov_jlab.scheduling.slurm import own_of, slurm_tasks
from hpgov_jlab.scheduling.slurm_share import slurm_places, slurm_share
from hpgov_jlab.sources.slurm import reads
from hpgov_jlab.sources.slurm.site import SlurmAt, SlurmOptions, site

from .fakes import failed, fetched


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    install(tmp_path / "slurm", SLURM, time.time())
    return tmp_path / "slurm"


@pytest.fixture
def here(folder: Path) -> SlurmAt:
    found = fetched(site(SlurmOptions(bin_folder=str(folder), sandbox=True)))
    assert isinstance(found, SlurmAt)
    return found


def everything(at: SlurmAt) -> dict[str, Any]:
    associations: Any = fetched(reads.associations(at))
    own = own_of(at.user, at.groups, associations)
    wanted: dict[str, Read[Any]] = {
        "controller": reads.controller(at), "config": reads.config(at), "queue": reads.queue(at), "own": reads.own_jobs(at), "history": reads.history(at),
        "team": reads.team_jobs(at, own.accounts[0] if own.accounts else ""), "accounts": reads.accounts(at, own.accounts or ()), "qos": reads.qos(at),
        "usage": reads.usage(at), "shares": reads.shares(at), "partitions": reads.partitions(at, own), "reservations": reads.reservations(at, own),
        "nodes": reads.nodes(at),
    }  # fmt: skip
    return {"associations": associations, "who": own, **{name: fetched(read) for name, read in wanted.items()}}


def test_every_read_is_answered_and_shows_nobody_elses_names(here: SlurmAt) -> None:
    brought = everything(here)
    for name, value in brought.items():
        for foreign in ("carla", OTHER, "serve-v3", "serve-v4"):
            assert foreign not in repr(value), (name, foreign)
    assert brought["own"].shape.form == "v0.0.42"
    assert brought["queue"].accounts == 2
    assert brought["nodes"].total == 8


def test_the_panel_has_something_of_everything(here: SlurmAt) -> None:
    brought = everything(here)
    tasks = slurm_tasks(brought["own"], [brought["team"]], brought["history"], user=here.user, now=time.time())
    assert {t.state for t in tasks} == {TaskState.RUNNING, TaskState.WAITING, TaskState.FINISHED}
    assert {t.ended for t in tasks if t.state is TaskState.FINISHED} == {"well", "badly"}
    assert any(t.last_stop is not None for t in tasks)
    assert any(t.next_step is not None for t in tasks)
    assert any(not t.mine for t in tasks)
    rows = slurm_share(brought["usage"], brought["associations"], brought["accounts"].items, brought["qos"], brought["config"], brought["who"], tasks)
    assert {(r.scope, r.per) for r in rows} >= {("association", "group"), ("qos", "group"), ("qos", "user")}
    held = next(r for r in rows if r.scope == "qos" and r.per == "group" and r.resource == "gres/gpu")
    assert int(held.held or 0) == sum(int(h.amount) for h in held.holders)
    assert {p.allowed for p in slurm_places(brought["partitions"], brought["who"])} == {True, False}


@pytest.mark.parametrize(
    ("fault", "read", "state", "code"),
    [
        ("controller-down", reads.controller, State.UNREACHABLE, "slurm_controller_down"),
        ("database-down", reads.history, State.UNREACHABLE, "slurm_database_down"),
        ("accounting-off", reads.history, State.ABSENT, "slurm_accounting_off"),
        ("conf-minimal", reads.history, State.NOT_CONFIGURED, "slurm_conf_minimal"),
        ("conf-missing", reads.own_jobs, State.NOT_CONFIGURED, "slurm_conf_missing"),
        ("identity-refused", reads.controller, State.DENIED, "slurm_identity_refused"),
        ("identity-refused", reads.own_jobs, State.DENIED, "slurm_identity_refused"),
        ("version-mismatch", reads.controller, State.INVALID, "slurm_version_mismatch"),
        ("no-association", reads.associations, State.ABSENT, "slurm_no_association"),
        ("no-association", reads.usage, State.ABSENT, "slurm_no_association"),
    ],
)
def test_faults_are_what_the_product_tells_apart(
    fault: str, read: Callable[[SlurmAt], Read[Any]], state: State, code: str, here: SlurmAt, folder: Path
) -> None:
    switch(folder, {fault: None})
    failure = failed(read(here))
    assert (failure.state, failure.code) == (state, code)
    switch(folder, {})
    assert fetched(read(here)) is not None


def test_a_hanging_command_ends_at_its_deadline(here: SlurmAt, folder: Path) -> None:
    switch(folder, {"hang": None})
    began = time.monotonic()
    assert failed(reads.own_jobs(here), 0.6).code == "slurm_too_slow"
    assert time.monotonic() - began < 5, "the command's own limit is six"


def test_fault_names_are_the_command_lines() -> None:
    assert {f"slurm-{name}" for name in OWN_FAULTS} <= set(FAULTS)
    with pytest.raises(KeyError):
        switch(Path("/nowhere"), {"no-such-fault": None})


def test_the_default_scenario_has_it() -> None:
    assert load("default").slurm is SLURM


def test_stand_ins_run_in_sandbox_mode_only(folder: Path) -> None:
    failure = failed(site(SlurmOptions(bin_folder=str(folder))))
    assert (failure.state, failure.code) == (State.INVALID, "slurm_bin_not_trusted")


def test_the_deadline_of_a_read_holds_for_each_command(here: SlurmAt) -> None:
    with pytest.raises(Exception, match="deadline"):
        reads.own_jobs(here).fetch(Deadline(0))
