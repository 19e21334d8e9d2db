"""The product on a real Slurm, as users who are not root: who sees what, what is told apart, and that nothing is ever written."""

from __future__ import annotations

import re
from typing import Any

from hpgov_jlab.model.task import TaskState

from .rig import Rig

PRIVATE = "jobs,accounts,users,usage,reservations"
READS = ("controller", "associations", "usage", "config", "queue", "own", "history", "qos", "accounts", "shares", "partitions", "reservations", "nodes")
NOT_REST = {"config", "usage", "accounts"}


def test_every_read_works_and_both_transports_say_the_same(rig: Rig) -> None:
    rig.private(PRIVATE)
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
    rig.private(PRIVATE)
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


def submitted(rig: Rig, name: str, made: list[tuple[str, str]]) -> list[str]:
    """The ids of held jobs of that name, one for each (user, partition)."""
    words = ("sbatch", "--parsable", "-H", "-q", "low", "-J", name, "-t", "5", "-o", "/dev/null", "--wrap=true")
    return [rig.sh("as", user, *words, "-p", partition).strip() for user, partition in made]


def test_hidden_partitions(rig: Rig) -> None:
    """Hidden, or kept from her by AllowGroups: others' jobs and the nodes there are told by neither transport, her own jobs by both."""
    rig.private("none")
    made = [("root", "hidden"), ("root", "closed"), ("root", "veiled"), ("bob", "veiled"), ("alice", "veiled"), ("root", "hidden,gpu"), ("bob", "veiled,gpu")]
    jobs = submitted(rig, "in-hiding", made)
    everybody, few = {"gpu": "ALL", "prod": "ALL", "maint": "gpu-4"}, {"gpu": "gpu-[1-3]", "prod": "gpu-[1-3]", "maint": "gpu-3"}
    try:
        for partition, nodes in few.items():
            rig.sh("as", "root", "scontrol", "update", f"PartitionName={partition}", f"Nodes={nodes}")
        raw = rig.sh("rest", "alice", f"/slurm/v0.0.{'42' if rig.root else '38'}/jobs")
        assert all(re.search(rf'"partition":\s*"{name}"', raw) for name in ("hidden", "closed", "veiled")), "slurmrestd does list them"

        def seen(transport: str) -> tuple[Any, ...]:
            found = rig.everything("alice", transport)
            sums = {(s.partition, s.state): (s.jobs, s.nodes, s.gpus) for s in found["queue"].sums}
            team = {j.id for name in ("research-nlp", "research-vision") for j in found[f"team {name}"].items if j.name == "in-hiding"}
            places, nodes = sorted(p.partition for p in found["places"]), found["nodes"]
            return sums, {j.id for j in found["own"].items if j.name == "in-hiding"}, team, places, (nodes.total, nodes.capacity)

        commands, rest = seen("commands"), seen("slurmrestd")
        assert commands[0] == rest[0]
        assert {p for p, _ in commands[0]} & {"hidden", "closed", "veiled"} == set()
        assert {p for p, _ in commands[0]} >= {"hidden,gpu", "veiled,gpu"}, "squeue shows a job that waits for an open partition, too"
        assert commands[1] == rest[1] == {jobs[4]}
        assert commands[2] - {jobs[4]} == rest[2] - {jobs[4]} == {jobs[6]}
        assert commands[3] == rest[3] == ["gpu", "maint", "prod", "short"]
        assert commands[4] == rest[4] and commands[4][0] == 3
    finally:
        for partition, nodes in everybody.items():
            rig.sh("as", "root", "scontrol", "update", f"PartitionName={partition}", f"Nodes={nodes}")
        rig.sh("as", "root", "scancel", *jobs)


def test_hidden_partitions_where_private_data_hides_all(rig: Rig) -> None:
    """PrivateData=partitions and Hidden=YES together: squeue goes on leaving out what is hidden, and slurmrestd sends it along without a word of which it is.

    So what slurmrestd tells is never more than what squeue shows: her own jobs, and of the others that they can't be told.
    """
    rig.private("partitions")
    made = [("bob", "gpu"), ("bob", "veiled"), ("dave", "veiled"), ("alice", "veiled"), ("bob", "veiled,gpu")]
    jobs = submitted(rig, "twice-hidden", made)
    try:
        raw = rig.sh("rest", "alice", f"/slurm/v0.0.{'42' if rig.root else '38'}/jobs")
        assert all(re.search(rf'"job_id":\s*{number}\b', raw) for number in jobs), "slurmrestd does list them"
        commands, rest = rig.everything("alice"), rig.everything("alice", "slurmrestd")
        accounts = [f"team {name}" for name in ("research-nlp", "research-vision")]

        def others(found: dict[str, Any]) -> set[str | None]:
            return {t.workload for t in found["tasks"] if not t.mine and t.name == "twice-hidden"}

        for found in (commands, rest):
            assert {j.id for j in found["own"].items if j.name == "twice-hidden"} == {jobs[3]}
            assert found["partitions"] == found["nodes"] == ("denied", "slurm_denied")
        assert others(commands) == {jobs[0], jobs[4]}, "squeue leaves out the hidden ones"
        assert others(rest) == set()
        for name in (*accounts, "queue"):
            assert rest[name] == ("denied", "slurm_denied"), name
        assert "slurm_privacy_unknown" in {n.code for n in rest["notes"]}, "that the team's jobs are missing is said"
    finally:
        rig.sh("as", "root", "scancel", *jobs)
