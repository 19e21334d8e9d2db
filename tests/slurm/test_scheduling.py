"""DESIGN.md 8, 9: what a Slurm job, a limit, a partition and a configuration mean to the person. Pure.

Longer than 400 lines: one table of cases, and whoever adds one has to see the others.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hpgov_jlab.model.share import SlurmShareRow
from hpgov_jlab.model.slurm import (
    SlurmAssociation,
    SlurmConfig,
    SlurmFairshare,
    SlurmHistory,
    SlurmJob,
    SlurmJobs,
    SlurmLimit,
    SlurmOwn,
    SlurmPartition,
    SlurmQos,
    SlurmQueue,
    SlurmReservation,
    SlurmRun,
    SlurmShape,
    SlurmUsage,
)  # fmt: skip
from hpgov_jlab.model.task import Amount, TaskState
from hpgov_jlab.scheduling.slurm import own_of, slurm_detail, slurm_tasks, uid_of
from hpgov_jlab.scheduling.slurm_notes import expand, reservation_notes, slurm_notes
from hpgov_jlab.scheduling.slurm_reasons import ENDED, NEVER, ending, waiting
from hpgov_jlab.scheduling.slurm_share import slurm_fairshare, slurm_places, slurm_share, tightest
from hpgov_jlab.scheduling.slurm_sums import queue_sums
from hpgov_jlab.sources.slurm import amounts, newest
from hpgov_jlab.sources.slurm.shapes import DbJob, DbState, DbTime, Job
from hpgov_jlab.sources.slurm.text import sum_queue
from hpgov_jlab.words import WORDS, say

NOW = 1_796_000_000.0
SHAPE = SlurmShape("formatted", "24.11.5")
GPUS = (Amount("cpu", "8"), Amount("gres/gpu", "8"))
OWN = SlurmOwn("alice", ("nlp",), ("normal", "research"), ("alice",))
CONFIG = SlurmConfig("c", "24.11.5", "accounting_storage/slurmdbd", ("associations", "limits", "safe"), None, "priority/multifactor", {"PriorityWeightFairShare": "10000"}, None, None, (), "slurm")  # fmt: skip # noqa: E501


def job(id: str = "1", **more: object) -> SlurmJob:
    base = SlurmJob(id, "alice", "nlp", "gpu", "normal", "PENDING", name="train", requested=GPUS, priority=100, submitted_at=NOW - 600, restarts=0, nodes=1)
    return replace(base, **more)  # type: ignore[arg-type]


def jobs(*items: SlurmJob) -> SlurmJobs:
    return SlurmJobs(items, SHAPE)


def run(id: str = "1", **more: object) -> SlurmRun:
    base = SlurmRun(id, "nlp", "gpu", "normal", "COMPLETED", name="train", submitted_at=NOW - 900, started_at=NOW - 800, ended_at=NOW - 700)
    return replace(base, **more)  # type: ignore[arg-type]


# -- states -----------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("state", "flags", "expected", "ended"),
    [
        ("PENDING", (), TaskState.WAITING, None),
        ("PENDING", ("REQUEUE_HOLD",), TaskState.WAITING, None),
        ("RUNNING", (), TaskState.RUNNING, None),
        ("RUNNING", ("COMPLETING",), TaskState.STOPPING, None),
        ("COMPLETING", (), TaskState.STOPPING, None),
        ("CONFIGURING", (), TaskState.STARTING, None),
        ("RUNNING", ("CONFIGURING",), TaskState.STARTING, None),
        ("SUSPENDED", (), TaskState.SUSPENDED, None),
        ("COMPLETED", (), TaskState.FINISHED, "well"),
        ("COMPLETED", ("COMPLETING",), TaskState.STOPPING, None),
        ("FAILED", (), TaskState.FINISHED, "badly"),
        ("TIMEOUT", (), TaskState.FINISHED, "badly"),
        ("OUT_OF_MEMORY", (), TaskState.FINISHED, "badly"),
        ("NODE_FAIL", (), TaskState.FINISHED, "badly"),
        ("PREEMPTED", (), TaskState.FINISHED, "badly"),
        ("CANCELLED", (), TaskState.FINISHED, None),
        ("A_NEW_WORD", (), TaskState.UNKNOWN, None),
    ],
)
def test_states(state: str, flags: tuple[str, ...], expected: TaskState, ended: str | None) -> None:
    task = slurm_tasks(jobs(job(state=state, flags=flags, started_at=NOW - 60)), user="alice", now=NOW)[0]
    assert (task.state, task.ended, task.kind, task.scope, task.queue) == (expected, ended, "Slurm job", "nlp", "gpu")
    assert task.reason is None or task.reason.code in WORDS


@pytest.mark.parametrize(
    ("reason", "code", "params"),
    [
        ("Resources", "slurm_waits_resources", {}),
        ("Priority", "slurm_waits_priority", {"partition": "gpu"}),
        ("Dependency", "slurm_waits_dependency", {}),
        ("DependencyNeverSatisfied", "slurm_dependency_never", {}),
        ("JobHeldUser", "slurm_held_user", {}),
        ("JobHeldAdmin", "slurm_held_admin", {}),
        ("AccountNotAllowed", "slurm_account_not_allowed", {"account": "nlp", "partition": "gpu"}),
        ("QOSGrpGRES", "slurm_limit_group_qos", {"name": "normal", "resource": "gres, such as GPU"}),
        ("QOSGrpJobsLimit", "slurm_limit_group_qos", {"name": "normal", "resource": "jobs"}),
        ("QOSGrpCPUMinutesLimit", "slurm_limit_group_qos", {"name": "normal", "resource": "cpu minutes"}),
        ("AssocGrpBillingRunMinutes", "slurm_limit_group_account", {"name": "nlp", "resource": "billing minutes"}),
        ("AssocGrpGRES", "slurm_limit_group_account", {"name": "nlp", "resource": "gres, such as GPU"}),
        ("QOSMaxGRESPerUser", "slurm_limit_per_user", {"name": "normal", "resource": "gres, such as GPU"}),
        ("QOSMaxJobsPerUserLimit", "slurm_limit_per_user", {"name": "normal", "resource": "jobs"}),
        ("AssocMaxJobsLimit", "slurm_limit_per_user", {"name": "nlp", "resource": "jobs"}),
        ("QOSMaxGRESPerJob", "slurm_limit_job", {"name": "normal", "resource": "gres, such as GPU"}),
        ("QOSMaxWallDurationPerJobLimit", "slurm_limit_job", {"name": "normal", "resource": "time"}),
        ("QOSMaxCpuPerNode", "slurm_limit_job", {"name": "normal", "resource": "cpu"}),
        ("QOSMaxGRESPerAccount", "slurm_limit_per_account", {"name": "normal", "resource": "gres, such as GPU"}),
        ("QOSMinGRES", "slurm_limit_minimum", {"name": "normal", "resource": "gres, such as GPU"}),
        ("PartitionTimeLimit", "slurm_partition_time", {"partition": "gpu"}),
        ("ReqNodeNotAvail", "slurm_waits_nodes", {}),
        ("SomethingNew", "slurm_waits_other", {"why": "SomethingNew"}),
        ("OtherSentence", "slurm_waits_sentence", {}),
        (None, "slurm_waits_not_looked", {}),
    ],
)
def test_reasons(reason: str | None, code: str, params: dict[str, str]) -> None:
    phrase = waiting(job(reason=reason), NOW)
    assert (phrase.code, phrase.params) == (code, params)
    assert "{" not in say(phrase.code, phrase.params)


def test_every_code_that_means_never_says_so() -> None:
    for code in NEVER:
        word = WORDS[code]
        assert word.then is not None, code


def test_begin_time_and_the_pause_after_a_requeue() -> None:
    assert waiting(job(reason="BeginTime", eligible_at=NOW + 60), NOW).params == {"until_at": NOW + 60}
    assert waiting(job(reason="BeginTime", eligible_at=NOW - 60), NOW).code == "slurm_waits_not_looked"


@pytest.mark.parametrize(
    ("reason", "told"),
    [("Resources", True), ("Priority", True), ("QOSGrpGRES", False), ("Dependency", False), ("JobHeldUser", False), ("PartitionDown", False)],
)
def test_an_estimate_is_told_only_where_it_means_something(reason: str, told: bool) -> None:
    task = slurm_tasks(jobs(job(reason=reason, start_estimate=NOW + 3600)), user="alice", now=NOW)[0]
    assert (task.next_step is not None) is told
    past = slurm_tasks(jobs(job(reason=reason, start_estimate=NOW - 1)), user="alice", now=NOW)[0]
    assert past.next_step is None


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (("FAILED", 3, None, None, None), ("badly", "slurm_failed_exit")),
        (("FAILED", 0, 9, None, None), ("badly", "slurm_failed_signal")),
        (("FAILED", None, None, None, None), ("badly", "slurm_failed")),
        (("TIMEOUT", 0, None, 60.0, None), ("badly", "slurm_timeout")),
        (("TIMEOUT", 0, None, None, None), ("badly", "slurm_timeout_unknown")),
        (("CANCELLED", 0, None, None, "you"), (None, "slurm_cancelled_you")),
        (("CANCELLED", 0, None, None, "other"), (None, "slurm_cancelled_other")),
        (("CANCELLED", 0, None, None, None), (None, "slurm_cancelled")),
    ],
)
def test_endings(given: tuple[str, int | None, int | None, float | None, str | None], expected: tuple[str | None, str]) -> None:
    ended, why = ending(*given)
    assert (ended, why.code if why else None) == expected


@pytest.mark.parametrize("state", sorted(ENDED))
def test_every_ending_says_how(state: str) -> None:
    """What the adapters take for an end is one here."""
    ended, why = ending(state, 1, None, None, None)
    assert ended == {"COMPLETED": "well", "CANCELLED": None}.get(state, "badly") and (why is not None or state == "COMPLETED")
    assert amounts.ENDED == ENDED


@pytest.mark.parametrize("told", ["REVOKED", ["PENDING", "REVOKED"], ["CANCELLED", "REVOKED"], ["COMPLETED", "REVOKED"]], ids=str)
def test_a_copy_that_the_federation_took_back_says_nothing_of_the_job(told: str | list[str]) -> None:
    """squeue prints the one word, JSON the base state of the copy beside it. The job itself may run elsewhere: it neither waits, nor was it cancelled."""
    one = Job(job_id=5, user_name="alice", job_state=told, start_time=int(NOW) - 50, end_time=int(NOW) - 40, state_reason="Priority", priority=9)
    made = newest.job(one)
    assert newest.state(one) == made.state == "REVOKED"
    past = newest.run(DbJob(job_id=6, user="alice", state=DbState(told), time=DbTime(start=int(NOW) - 50, end=int(NOW) - 40)), 1, "alice")
    tasks = slurm_tasks(jobs(made), [], SlurmHistory((replace(past, id="5"), past), SHAPE), user="alice", now=NOW)
    assert [t.workload for t in tasks] == ["5", "6"]
    for task in tasks:
        assert (task.state, task.ended, task.reason and task.reason.code) == (TaskState.UNKNOWN, None, "slurm_revoked")
        assert (task.started_at, task.finished_at, task.since, task.place_in_line, task.next_step, task.last_stop) == (None,) * 6
        moments = slurm_detail(task, SlurmHistory((past, replace(past, id="5")), SHAPE)).history
        assert {m.what.code for m in moments} <= {"moment_created"}
    assert queue_sums(sum_queue([("nlp", "gpu", newest.state(one), 1, GPUS)], SHAPE)).rows == (), "nothing of this cluster waits or is held for it"


# -- the list ---------------------------------------------------------------------------------------------------------------------------
def test_own_and_team_rows_once_each_and_the_line() -> None:
    mine = job("1", priority=50, reason="Priority")
    theirs = job("2", user="dave", priority=90, reason="Resources")
    held = job("3", priority=500, reason="JobHeldUser")
    elsewhere = job("4", priority=10, partition="short", reason="Priority")
    tasks = {t.workload: t for t in slurm_tasks(jobs(mine, held, elsewhere), [jobs(mine, theirs)], user="alice", now=NOW)}
    assert list(tasks) == ["1", "3", "4", "2"]
    assert {k: t.place_in_line for k, t in tasks.items()} == {"1": 2, "3": None, "4": 1, "2": 1}
    assert (tasks["2"].mine, tasks["2"].submitter, tasks["1"].mine) == (False, "dave", True)
    assert tasks["1"].line_source == "computed"
    without = slurm_tasks(jobs(mine), user="alice", now=NOW, line=False)
    assert without[0].place_in_line is None


def test_a_requeued_job_has_its_stop() -> None:
    waiting_again = job("10", restarts=1, reason="BeginTime")
    history = SlurmHistory((run("10", state="PREEMPTED"), run("10", state="PENDING", started_at=None, ended_at=None)), SHAPE)
    task = slurm_tasks(jobs(waiting_again), [], history, user="alice", now=NOW)[0]
    assert (task.state, task.stops, task.last_stop and task.last_stop.cause.code, task.last_stop and task.last_stop.at) == (
        TaskState.WAITING, 1, "slurm_stop_preempted", NOW - 700,
    )  # fmt: skip
    detail = slurm_detail(task, history)
    assert [(m.what.code, m.at) for m in detail.history] == [("moment_created", NOW - 900), ("moment_started", NOW - 800), ("slurm_stop_preempted", NOW - 700)]
    assert [s.cause.code for s in detail.stops] == ["slurm_stop_preempted"]


def test_a_job_that_only_accounting_has() -> None:
    history = SlurmHistory((run("7", state="FAILED", exit_code=3), run("8", state="RUNNING", ended_at=None)), SHAPE)
    tasks = {t.workload: t for t in slurm_tasks(jobs(), [], history, user="alice", now=NOW)}
    assert (tasks["7"].state, tasks["7"].ended, tasks["7"].finished_at) == (TaskState.FINISHED, "badly", NOW - 700)
    assert (tasks["8"].state, tasks["8"].reason and tasks["8"].reason.code) == (TaskState.UNKNOWN, "slurm_only_accounting")


def test_a_waiting_array_stands_once() -> None:
    history = SlurmHistory((run("26_[0-9%2]", state="PENDING", started_at=None, ended_at=None),), SHAPE)
    tasks = slurm_tasks(jobs(job("26_[0-9%3]", array_tasks=10)), [], history, user="alice", now=NOW)
    assert [t.uid for t in tasks] == ["job-26_pending"]


@pytest.mark.parametrize(
    ("id", "uid"), [("12", "job-12"), ("26_3", "job-26_3"), ("26_[0-9%2]", "job-26_pending"), ("30+1", "job-30.1"), ("../x y", "job-...x.y")]
)
def test_uids_fit_an_address(id: str, uid: str) -> None:
    assert uid_of(id) == uid


def test_commands_to_copy_name_numbers_only() -> None:
    task = slurm_tasks(jobs(job("26_[0-9%2]", name="$(reboot)")), user="alice", now=NOW)[0]
    detail = slurm_detail(task, None)
    assert detail.logs_commands == ("scontrol show job 26", "sacct --jobs=26 --duplicates --format=JobID,State,ExitCode,Elapsed,NodeList,Reason")
    assert slurm_detail(replace(task, workload="1; reboot"), None).logs_commands == ()


# -- share ------------------------------------------------------------------------------------------------------------------------------
USAGE = SlurmUsage(
    (
        SlurmAssociation("nlp", "alice", limits=(SlurmLimit("group", "gres/gpu", None, "4"), SlurmLimit("group", "cpu", None, "9"))),
        SlurmAssociation("nlp", None, parent="team", limits=(SlurmLimit("group", "gres/gpu", "28", "12"), SlurmLimit("group", "jobs", None, "3"))),
        SlurmAssociation("team", None, parent="org", limits=(SlurmLimit("group", "gres/gpu", None, "40"),)),
    ),
    (
        SlurmQos(
            "research", limits=(SlurmLimit("group", "gres/gpu", "12", "12"), SlurmLimit("user", "gres/gpu", "8", "4"), SlurmLimit("user", "jobs", None, "1"))
        ),
        SlurmQos("high", limits=(SlurmLimit("group", "gres/gpu", "16", "16"),)),
    ),
)


def test_rows_of_the_share() -> None:
    tasks = slurm_tasks(
        jobs(job("1", state="RUNNING", qos="research", started_at=NOW - 60)),
        [jobs(job("2", user="dave", state="RUNNING", started_at=NOW - 90))],
        user="alice",
        now=NOW,
    )
    rows = slurm_share(USAGE, None, None, None, CONFIG, OWN, tasks)
    assert [(r.scope, r.name, r.own, r.per, r.resource, r.limit, r.held, r.enforced) for r in rows] == [
        ("association", "nlp", True, "group", "gres/gpu", None, "4", True),
        ("association", "nlp", False, "group", "gres/gpu", "28", "12", True),
        ("qos", "research", False, "group", "gres/gpu", "12", "12", True),
        ("qos", "research", False, "user", "gres/gpu", "8", "4", True),
    ]
    assert [[h.name for h in r.holders] for r in rows] == [["train"], ["train", "train"], ["train"], ["train"]]
    assert [h.mine for h in rows[1].holders] == [False, True]  # longest first
    assert [[h.amount for h in r.holders] for r in rows[:2]] == [["8"], ["8", "8"]] and [r.not_attributed for r in rows] == ["0", "0", "4", "0"]


def test_what_an_account_above_holds_is_told_by_the_jobs_of_the_accounts_below_it_and_a_rest() -> None:
    limits = tuple(SlurmLimit("group", *each) for each in (("gres/gpu", "40", "24"), ("jobs", "9", "3"), ("submitted_jobs", "9", "9"), ("cpu", "40")))
    accounts = (
        SlurmAssociation("nlp", None, parent="research"),
        SlurmAssociation("research", None, parent="root", limits=limits),
        SlurmAssociation("vision", None, parent="research"),
    )
    tasks = slurm_tasks(jobs(job("1", state="RUNNING", started_at=NOW - 60)), [jobs(job("2", account="vision", state="RUNNING"))], user="alice", now=NOW)
    rows = slurm_share(None, (), accounts, None, CONFIG, OWN, tasks)
    assert [(r.name, r.resource, [h.uid for h in r.holders], r.not_attributed) for r in rows] == [
        ("research", "gres/gpu", ["job-1"], "16"),
        ("research", "jobs", ["job-1"], "2"),
        ("research", "submitted_jobs", [], None),  # jobs that wait count, too: nothing tells whose
        ("research", "cpu", [], None),  # what is held is not told
    ]


def test_an_accounts_limit_for_each_user_is_told_of_her_alone() -> None:
    """22.05.8 and 24.11.5, measured: the account's own row carries what all its users hold, and its limit stands in each user's row again."""
    account = SlurmAssociation("nlp", None, limits=(SlurmLimit("user", "jobs", "3", "3"), SlurmLimit("group", "jobs", "9", "3")))
    tasks = slurm_tasks(
        jobs(job("1", state="RUNNING", started_at=NOW - 60)), [jobs(*(job(i, user="dave", state="RUNNING") for i in ("2", "3")))], user="alice", now=NOW
    )

    def rows(*limits: SlurmLimit) -> list[tuple[object, ...]]:
        usage = SlurmUsage((SlurmAssociation("nlp", "alice", limits=limits), account), ())
        made = slurm_share(usage, None, None, None, CONFIG, OWN, tasks)
        return [(r.own, r.per, r.limit, r.held, [h.uid for h in r.holders], r.not_attributed) for r in made if r.resource == "jobs"]

    team = (False, "group", "9", "3", ["job-1", "job-2", "job-3"], "0")
    handed_down = rows(SlurmLimit("user", "jobs", "3", "1"))
    assert handed_down == [(True, "user", "3", "1", ["job-1"], "0"), team]
    assert rows(SlurmLimit("user", "jobs", "50", "1"))[0] == (True, "user", "50", "1", ["job-1"], "0"), "hers is another one than the account's"
    assert rows(SlurmLimit("user", "jobs", None, "1")) == [(False, "user", "3", "1", ["job-1"], "0"), team]
    assert rows() == [(False, "user", "3", None, [], None), team], "what the whole account holds is not hers"


def test_a_limit_for_each_user_of_an_account_above() -> None:
    above = SlurmAssociation("team", None, parent="root", limits=(SlurmLimit("user", "jobs", "5", "4"),))
    between = SlurmAssociation("nlp", None, parent="team")
    tasks = slurm_tasks(jobs(job("1", state="RUNNING")), [jobs(job("2", user="dave", state="RUNNING"))], user="alice", now=NOW)
    for held, told in (("1", [(False, "5", "1", ["job-1"])]), (None, [(False, "5", None, [])])):
        usage = SlurmUsage((SlurmAssociation("nlp", "alice", limits=(SlurmLimit("user", "jobs", None, held),)), between, above), ())
        made = slurm_share(usage, None, None, None, CONFIG, OWN, tasks)
        assert [(r.own, r.limit, r.held, [h.uid for h in r.holders]) for r in made] == told


def test_limits_of_the_database_alone_say_nothing_of_what_is_held() -> None:
    accounts = (SlurmAssociation("nlp", None, limits=(SlurmLimit("group", "gres/gpu", "28"),)),)
    rows = slurm_share(None, (), accounts, (SlurmQos("normal", limits=(SlurmLimit("job", "wall", "3600"),)),), None, OWN)
    assert [(r.limit, r.held, r.enforced) for r in rows] == [("28", None, None), ("3600", None, None)]


def test_the_controller_and_the_database_make_one_row() -> None:
    accounts = (SlurmAssociation("nlp", None, limits=(SlurmLimit("group", "gres/gpu", "28"), SlurmLimit("job", "wall", "60"))),)
    rows = slurm_share(USAGE, None, accounts, None, CONFIG, OWN)
    assert [(r.per, r.limit, r.held) for r in rows if r.name == "nlp" and not r.own] == [("group", "28", "12"), ("job", "60", None)]


def test_limits_that_nobody_enforces_are_marked() -> None:
    config = replace(CONFIG, enforce=())
    rows = slurm_share(USAGE, None, None, None, config, OWN)
    assert {r.enforced for r in rows} == {False}
    assert [n.code for n in slurm_notes(config, OWN, limits_recorded=True)] == ["slurm_everyone_sees_jobs", "slurm_limits_not_enforced"]
    assert "slurm_no_enforcement" in [n.code for n in slurm_notes(config, OWN)]


@pytest.mark.parametrize(
    ("enforce", "said"), [((), False), (("associations",), False), (("associations", "limits"), True), (("safe",), True), (("qos",), False), (("all",), True)]
)
def test_what_enforces_limits(enforce: tuple[str, ...], said: bool) -> None:
    assert replace(CONFIG, enforce=enforce).limits_enforced is said


@pytest.mark.parametrize(
    ("config", "used"),
    [
        (None, None),
        (CONFIG, True),
        (replace(CONFIG, weights={"PriorityWeightFairShare": "0"}), False),
        (replace(CONFIG, priority_type="priority/basic"), False),
        (replace(CONFIG, weights={}), None),
    ],
)
def test_fairshare_not_used_here(config: SlurmConfig | None, used: bool | None) -> None:
    row = slurm_fairshare((SlurmFairshare("nlp", "10", None, "0.5", "0.41", None),), config)[0]
    assert (row.used, row.factor) == (used, "0.41")


# -- partitions ---------------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("more", "own", "allowed", "codes"),
    [
        ({}, OWN, True, []),
        ({"accounts": ()}, OWN, False, ["slurm_place_accounts"]),
        ({"accounts": ("nlp",)}, OWN, True, []),
        ({"accounts": ("nlp",)}, replace(OWN, accounts=("nlp", "vision")), True, ["slurm_place_some_accounts"]),
        ({"accounts": ()}, replace(OWN, accounts=None), None, ["slurm_place_unknown"]),
        ({"qos": ("normal",)}, OWN, True, ["slurm_place_some_qos"]),
        ({"qos": ()}, OWN, False, ["slurm_place_qos"]),
        ({"groups": False}, OWN, False, ["slurm_place_groups"]),
        ({"root_only": True}, OWN, False, ["slurm_place_root_only"]),
        ({"state": "DOWN"}, OWN, True, ["slurm_place_not_up"]),
        ({"groups": False, "accounts": ()}, replace(OWN, accounts=None), False, ["slurm_place_groups", "slurm_place_unknown"]),
        ({"needs_reservation": True}, OWN, True, ["slurm_place_reservation"]),
    ],
)
def test_what_is_allowed_where(more: dict[str, object], own: SlurmOwn, allowed: bool | None, codes: list[str]) -> None:
    found = slurm_places((replace(SlurmPartition("gpu", "UP"), **more),), own)[0]  # type: ignore[arg-type]
    assert (found.allowed, [w.code for w in found.why]) == (allowed, codes)


def test_own_of() -> None:
    found = own_of(
        "alice",
        ["staff"],
        [SlurmAssociation("b", "alice", qos=("x",)), SlurmAssociation("a", "alice", qos=("y", "x")), SlurmAssociation("b", None, qos=("z",))],
    )
    assert (found.accounts, found.qos, found.groups) == (("b", "a"), ("x", "y"), ("staff",))
    assert own_of("alice", [], None).accounts is None


# -- notices ------------------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("private", "codes"),
    [
        ((), ["slurm_everyone_sees_jobs"]),
        (("jobs",), ["slurm_only_own_jobs"]),
        (("usage",), ["slurm_everyone_sees_jobs", "slurm_team_limits_may_hide"]),
        (("users",), ["slurm_everyone_sees_jobs", "slurm_team_limits_may_hide"]),
        (("accounts",), ["slurm_everyone_sees_jobs"]),
        (("jobs", "usage", "users", "accounts", "reservations"), ["slurm_only_own_jobs", "slurm_team_limits_may_hide", "slurm_reservations_hidden"]),
        (("all",), ["slurm_only_own_jobs", "slurm_team_limits_may_hide", "slurm_reservations_hidden"]),
    ],
)
def test_who_sees_whom(private: tuple[str, ...], codes: list[str]) -> None:
    assert [n.code for n in slurm_notes(replace(CONFIG, private_data=private), OWN)] == codes


@pytest.mark.parametrize(
    ("own", "uid", "code"),
    [
        (replace(OWN, user="ubuntu"), 1000, "slurm_shared_user"),
        (replace(OWN, user="sagemaker-user"), 1000, "slurm_shared_user"),
        (replace(OWN, groups=("alice", "sudo")), 1001, "slurm_sudo"),
        (replace(OWN, groups=("wheel",)), 1001, "slurm_sudo"),
        (OWN, 0, "slurm_reads_as_root"),
    ],
)
def test_others_can_cancel_your_jobs(own: SlurmOwn, uid: int, code: str) -> None:
    assert code in [n.code for n in slurm_notes(CONFIG, own, uid=uid)]
    assert WORDS[code].then is not None  # who mends it


def test_nothing_is_said_of_a_configuration_that_was_not_read() -> None:
    assert slurm_notes(None, OWN, uid=1001) == ()
    assert [n.code for n in slurm_notes(None, OWN, uid=1001, privacy_unknown=True)] == ["slurm_privacy_unknown"]
    assert [n.code for n in slurm_notes(None, OWN, uid=1001, reservations_unknown=True)] == ["slurm_reservations_unknown"]
    assert slurm_notes(CONFIG, OWN, uid=1001, reservations_unknown=True) == slurm_notes(CONFIG, OWN, uid=1001)
    assert "slurm_privacy_unknown" not in [n.code for n in slurm_notes(CONFIG, OWN, uid=1001, privacy_unknown=True)]


def test_hidden_limits_unread_rows_newer_forms_and_few_accounts() -> None:
    usage = replace(USAGE, hidden=("nlp", "vision"))
    seen = (SlurmAssociation("vision", None),)
    queue = SlurmQueue((), 2, SHAPE)
    found = slurm_notes(CONFIG, OWN, usage=usage, accounts=seen, queue=queue, shapes=[SHAPE, SlurmShape("v0.0.47", None, True)], unread=3)
    assert {n.code: n.params for n in found[1:]} == {
        "slurm_account_limits_hidden": {"accounts": "nlp"}, "slurm_few_accounts": {}, "slurm_newer_version": {"version": "v0.0.47"}, "slurm_rows_unread": {"count": 3},  # noqa: E501 - one case to a line
    }  # fmt: skip


@pytest.mark.parametrize(
    ("more", "codes"),
    [
        ({"part_limits": "NO"}, {"slurm_part_limits_wait": {}}),
        ({"part_limits": "ANY"}, {"slurm_part_limits_any": {}}),
        ({"part_limits": "ALL"}, {"slurm_part_limits_all": {}}),
        ({"part_limits": "SOMETHING"}, {}),
        ({"scheduler_type": "sched/backfill", "backfill_window_seconds": 86400.0}, {"slurm_estimates_reach": {"window_seconds": 86400.0}}),
        ({"scheduler_type": "sched/builtin", "backfill_window_seconds": 86400.0}, {"slurm_no_estimates": {"scheduler": "sched/builtin"}}),
        ({"preempt_type": "preempt/none"}, {"slurm_preempt_none": {}}),
        ({"slurm_user": "alice"}, {"slurm_reads_as_slurm_user": {"user": "alice"}}),
    ],
)
def test_what_the_configuration_means_to_her(more: dict[str, object], codes: dict[str, object]) -> None:
    found = slurm_notes(replace(CONFIG, **more), OWN, uid=1001)  # type: ignore[arg-type]
    assert {n.code: n.params for n in found if n.code != "slurm_everyone_sees_jobs"} == codes


QOS = (
    SlurmQos("normal"),
    SlurmQos("research", preempt_mode="cluster"),
    SlurmQos("scavenge", preempt_mode="cancel"),
    SlurmQos("secret-team", preempts=("research", "scavenge", "other")),
)


@pytest.mark.parametrize(
    ("mode", "own", "codes"),
    [
        ("REQUEUE", ("normal", "research"), {"slurm_preempt_requeue": {"names": "research"}}),
        ("SUSPEND,GANG", ("research", "scavenge"), {"slurm_preempt_suspend": {"names": "research"}, "slurm_preempt_cancel": {"names": "scavenge"}}),
        ("CANCEL", ("research", "scavenge"), {"slurm_preempt_cancel": {"names": "research, scavenge"}}),
        ("OFF", ("research",), {}),
        ("REQUEUE", ("normal",), {"slurm_preempt_not_yours": {}}),
        ("REQUEUE", None, {}),
    ],
)
def test_who_may_stop_her_jobs(mode: str, own: tuple[str, ...] | None, codes: dict[str, object]) -> None:
    config = replace(CONFIG, preempt_type="preempt/qos", preempt_mode=mode)
    found = slurm_notes(config, replace(OWN, qos=own), uid=1001, qos=QOS)
    assert {n.code: n.params for n in found if n.code != "slurm_everyone_sees_jobs"} == codes
    assert "secret-team" not in repr(found), "whose QoS it is that stops them is not told"
    assert len(slurm_notes(config, replace(OWN, qos=own), uid=1001, qos=None)) == 1, "nothing is said of QoS that were not read"


def test_partitions_whose_jobs_may_be_stopped() -> None:
    config = replace(CONFIG, preempt_type="preempt/partition_prio", preempt_mode="REQUEUE")
    partitions = [
        SlurmPartition("gpu", "UP", preempt_mode="REQUEUE"), SlurmPartition("prod", "UP", preempt_mode="OFF"),
        SlurmPartition("closed", "UP", preempt_mode="CANCEL", groups=False), SlurmPartition("untold", "UP"),
        SlurmPartition("theirs", "UP", preempt_mode="CANCEL", accounts=()), SlurmPartition("for-root", "UP", preempt_mode="CANCEL", root_only=True),
    ]  # fmt: skip
    found = slurm_notes(config, OWN, uid=1001, partitions=partitions)
    assert {n.code: n.params for n in found[1:]} == {"slurm_preempt_partition": {"names": "gpu"}}


# -- reservations ---------------------------------------------------------------------------------------------------------------------------
MAINTENANCE = SlurmReservation("maint", NOW + 7200, NOW + 14400, "gpu-[1-2]", 2, None, ("MAINT",), False)
PARTITION = SlurmPartition("gpu", "UP", node_list="gpu-[1-4]", nodes=4, default_seconds=3600)


@pytest.mark.parametrize(
    ("one", "crosses"),
    [
        (job(limit_seconds=3600.0), False),  # over before it begins
        (job(limit_seconds=10800.0), True),
        (job(limit_seconds=None, unlimited=True), True),
        (job(limit_seconds=None), False),  # the partition's default
        (job(limit_seconds=10800.0, state="RUNNING"), False),
        (job(limit_seconds=10800.0, user="dave"), False),
        (job(limit_seconds=10800.0, reservation="mine"), False),
        (job(limit_seconds=10800.0, partition="elsewhere"), False),
    ],
)
def test_reservations_that_a_time_limit_would_cross(one: SlurmJob, crosses: bool) -> None:
    found = reservation_notes([one], [MAINTENANCE], [PARTITION], user="alice", now=NOW)
    assert bool(found) is crosses
    if found:
        assert found[0].params == {"name": "maint", "start_at": NOW + 7200, "end_at": NOW + 14400, "jobs": 1, "nodes": 2, "nodes_total": 4}


def test_own_past_and_unnamed_reservations() -> None:
    long = job(limit_seconds=10800.0)
    assert reservation_notes([long], [replace(MAINTENANCE, mine=True)], [PARTITION], user="alice", now=NOW) == ()
    assert reservation_notes([long], [replace(MAINTENANCE, ends_at=NOW - 1)], [PARTITION], user="alice", now=NOW) == ()
    assert reservation_notes([long], [replace(MAINTENANCE, name=None)], [PARTITION], user="alice", now=NOW)[0].code == "slurm_reservation_ahead_unnamed"
    assert reservation_notes([long], [replace(MAINTENANCE, node_list="cpu-[1-2]")], [PARTITION], user="alice", now=NOW) == ()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("gpu-1", {"gpu-1"}), ("gpu-[1-3]", {"gpu-1", "gpu-2", "gpu-3"}), ("gpu-[08-10],cpu-1", {"gpu-08", "gpu-09", "gpu-10", "cpu-1"}),
        ("a[1,3]b", {"a1b", "a3b"}), ("", None), ("gpu-[1-999999999]", None), ("gpu-[x]", None), ("gpu-[3-1]", None),
    ],
)  # fmt: skip
def test_host_lists(text: str, names: set[str] | None) -> None:
    assert expand(text) == (None if names is None else frozenset(names))


def limit(limit: str | None, held: str | None, resource: str = "gres/gpu", **more: Any) -> SlurmShareRow:
    return SlurmShareRow("slurm", "qos", f"{held} of {limit}", resource, limit, held, True, **more)


@pytest.mark.parametrize(
    ("rows", "best"),
    [
        ([], None),
        ([limit(None, "4"), limit("4", None), limit("10", "10", "cpu")], None),  # no limit, held not told, no GPU
        ([limit("24", "16"), limit("8", "6"), limit("9", "0")], "6 of 8"),
        ([limit("24", "12"), limit("8", "4")], "4 of 8"),  # equally full: the smaller leaves less
        ([limit("4", "3"), limit("0", "1")], "1 of 0"),
        ([limit("24", "16"), limit("2", "2", "gres/gpu:h100")], "2 of 2"),
    ],
)
def test_the_limit_for_a_card_is_the_fullest_on_gpus(rows: list[SlurmShareRow], best: str | None) -> None:
    found = tightest(rows)
    assert (found.name if found is not None else None) == best
