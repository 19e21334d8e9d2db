"""The product on a real Slurm, as users who are not root: who sees what, what is told apart, and that nothing is ever written."""

from __future__ import annotations

import re
import time

import pytest

from hpgov_jlab.model.task import TaskState

from .rig import Rig, text_of

FOREIGN = ("carol", "erin", "opal", "mallory", "team-production", "prod-big", 'resources"')
"""Names that have nothing to do with alice: other teams' users, account, jobs."""
TEAMMATES = ("bob", "run-res2", "qosuser")
WORDS = ("none", "jobs", "accounts", "users", "usage", "reservations", "jobs,accounts,users,usage,reservations")
PRIVATE = WORDS[-1]
READS = ("controller", "associations", "usage", "config", "queue", "own", "history", "qos", "accounts", "shares", "partitions", "reservations", "nodes")
NOT_REST = {"config", "usage", "accounts"}


def names_in(found: dict[str, object], names: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(read, name) for read, value in found.items() for name in names if re.search(rf"\b{re.escape(name)}", text_of(value))]


@pytest.mark.parametrize("transport", ["commands", "slurmrestd"])
@pytest.mark.parametrize("words", WORDS)
def test_private_data(words: str, transport: str, rig: Rig) -> None:
    """Not one foreign job, user or account name in any byte of any answer; the team's jobs where the cluster shows them."""
    rig.sh("private", words)
    found = rig.everything("alice", transport)
    assert names_in(found, FOREIGN) == []
    assert len(found["own"].items) >= 11
    seen = names_in(found, TEAMMATES)
    assert bool(seen) is ("jobs" not in words), seen
    if transport == "commands":
        assert found["config"].private_data == (() if words == "none" else tuple(sorted(words.split(","))))
        codes = {n.code for n in found["notes"]}
        assert ("slurm_only_own_jobs" in codes) is ("jobs" in words)


def test_every_read_works_and_both_transports_say_the_same(rig: Rig) -> None:
    rig.sh("private", PRIVATE)
    commands, rest = rig.everything("alice"), rig.everything("alice", "slurmrestd")
    for name in READS:
        assert not isinstance(commands[name], tuple) or not commands[name] or not isinstance(commands[name][0], str), (name, commands[name])
        if name in NOT_REST or (name == "shares" and not rig.root):
            assert rest[name] == ("absent", "slurm_rest_lacks")
    fields = ("state", "account", "partition", "qos", "name", "nodes", "requested", "restarts", "reason", "submitted_at", "array_tasks", "limit_seconds")

    def rows(found: dict[str, object]) -> dict[str, list[object]]:
        return {j.id: [getattr(j, f) for f in fields] for j in found["own"].items}  # type: ignore[attr-defined]

    assert rows(commands) == rows(rest)
    assert commands["nodes"].total == rest["nodes"].total == 4
    assert {a.account for a in commands["associations"]} == {a.account for a in rest["associations"]} == {"research-nlp", "research-vision"}


def test_what_the_zoo_is_told_as(rig: Rig) -> None:
    rig.sh("private", PRIVATE)
    tasks = {t.name: t for t in rig.everything("alice")["tasks"]}
    assert (tasks["done"].state, tasks["done"].ended) == (TaskState.FINISHED, "well")
    assert (tasks["failed"].ended, tasks["failed"].reason.code, tasks["failed"].reason.params) == ("badly", "slurm_failed_exit", {"exit_code": 3})
    assert tasks["run-res"].state is TaskState.RUNNING
    assert tasks["qosgrp"].reason.code == "slurm_limit_group_qos"
    assert tasks["depend"].reason.code == "slurm_waits_dependency"
    assert tasks["begin"].reason.code == "slurm_waits_begin"
    assert tasks["partdown"].reason.code == "slurm_partition_down"
    assert tasks["low-req"].last_stop.cause.code == "slurm_stop_preempted"
    assert tasks["arr-pend"].uid.endswith("_pending")


def test_a_forged_row_stays_a_name(rig: Rig) -> None:
    """A job whose name holds line breaks, pipes, escape characters and what looks like a row."""
    evil = "ev\nil|x\x1b[2J\t1x0000000000000000666"
    rig.sh("as", "alice", "sbatch", "-J", evil, "-H", "-q", "low", "-t", "5", "-o", "/dev/null", "--wrap=true")
    try:
        for transport in ("commands", "slurmrestd"):
            found = rig.everything("alice", transport)
            assert [j.name for j in found["own"].items if "ev" in (j.name or "")] == [evil]
            assert found["own"].unread == 0
            assert all(re.fullmatch(r"\d+(_\[?[0-9,%-]+\]?)?", j.id) for j in found["own"].items)
    finally:
        rig.sh("as", "alice", "scancel", "-n", evil)


def test_no_association(rig: Rig) -> None:
    found = rig.everything("mallory")
    assert found["associations"] == ("absent", "slurm_no_association")
    assert found["usage"] == ("absent", "slurm_no_association")
    assert found["own"].items == ()
    assert rig.everything("mallory", "slurmrestd")["associations"] == ("absent", "slurm_no_association")


def test_expired_and_foreign_tokens(rig: Rig) -> None:
    options = rig.options("alice", "slurmrestd")
    rig.token_file("alice", seconds=1)
    time.sleep(2.5)
    from .rig import everything

    assert rig.as_user("alice", lambda: everything(options)) == {"site": ("expired", "slurm_token_expired")}
    for whose, code in (("root", "slurm_token_of_root"), ("bob", "slurm_token_of_other")):
        rig.token_file("alice", text=rig.sh("token", whose).strip())
        assert rig.as_user("alice", lambda: everything(options)) == {"site": ("invalid", code)}


def test_the_database_is_down(rig: Rig) -> None:
    rig.sh("down", "slurmdbd")
    try:
        for transport in ("commands", "slurmrestd"):
            found = rig.everything("alice", transport)
            for name in ("associations", "history", "qos"):
                assert found[name] == ("unreachable", "slurm_database_down"), (transport, name)
            assert len(found["own"].items) >= 11
    finally:
        rig.sh("up", "slurmdbd")


def test_the_controller_is_down(rig: Rig) -> None:
    from hpgov_jlab.sources.slurm import reads
    from hpgov_jlab.sources.slurm.site import SlurmAt, site

    from .rig import one

    options = rig.options("alice", "commands")
    rig.sh("down", "slurmctld")
    try:

        def ask() -> tuple[object, float]:
            at = one(site(options))
            assert isinstance(at, SlurmAt)
            began = time.monotonic()
            return one(reads.controller(at)), time.monotonic() - began

        told, seconds = rig.as_user("alice", ask)
        assert told == ("unreachable", "slurm_controller_down")
        assert seconds < 7
    finally:
        rig.sh("up", "slurmctld")


def test_the_controller_was_only_read(rig: Rig) -> None:
    """Slurm's own log as witness: which RPCs came from alice's uid while the product asked everything."""
    rig.sh("as", "root", "scontrol", "setdebug", "debug2")
    before = len(rig.log("slurmctld.log"))
    rig.everything("alice")
    rig.everything("alice", "slurmrestd")
    said = set(re.findall(r"Processing RPC: (REQUEST_[A-Z_0-9]+) from UID", rig.log("slurmctld.log")[before:]))
    rig.sh("as", "root", "scontrol", "setdebug", "info")
    assert said, "the log names no RPC"
    assert said <= {
        "REQUEST_JOB_INFO", "REQUEST_JOB_USER_INFO",
        "REQUEST_PARTITION_INFO", "REQUEST_NODE_INFO", "REQUEST_RESERVATION_INFO", "REQUEST_BUILD_INFO", "REQUEST_PING",
        "REQUEST_SHARE_INFO", "REQUEST_ASSOC_MGR_INFO", "REQUEST_CONTROL_STATUS", "REQUEST_FED_INFO", "REQUEST_CONFIG", "REQUEST_AUTH_TOKEN",
    }, said  # fmt: skip
