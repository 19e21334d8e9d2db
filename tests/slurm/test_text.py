"""S2: rows that a user forges, bytes that are no text, and what Slurm's words mean."""

from __future__ import annotations

import pytest

from hpgov_jlab.model.outcome import Failure
from hpgov_jlab.policy.slurm import HISTORY_FIELDS, JOB_COLUMNS, QUEUE_COLUMNS
from hpgov_jlab.sources.slurm import amounts, scontrol, text
from hpgov_jlab.sources.slurm.guard import Nonces, nonces

MARKS = Nonces("x1111111111111111", "x2222222222222222")
VALUES = {
    "JobArrayID": "7", "UserName": "alice", "Account": "research", "QOS": "normal", "Partition": "gpu", "State": "RUNNING", "NumNodes": "2",
    "tres-alloc": "cpu=8,mem=31.25G,node=2,billing=8,gres/gpu=16", "PriorityLong": "100", "SubmitTime": "1796000000", "EligibleTime": "1796000000",
    "StartTime": "1796000100", "EndTime": "1796003700", "TimeLimit": "1-02:03:04", "restartcnt": "0", "exit_code": "0", "Reservation": "(null)", "Reason": "None",  # noqa: E501 - one case to a line
}  # fmt: skip


def row(name: str = "job", marks: Nonces = MARKS, **more: str) -> str:
    at = {**VALUES, **{k.replace("_", "-") if k == "tres_alloc" else k: v for k, v in more.items()}}
    return f"1{marks.row}" + "".join(f"{at[c]}{marks.field}" for c in JOB_COLUMNS) + f"{name}{marks.field}\n"


def test_a_row() -> None:
    found = text.jobs(row(), MARKS)
    job = found.items[0]
    assert (job.id, job.user, job.state, job.nodes, job.started_at, job.ended_at) == ("7", "alice", "RUNNING", 2, 1796000100.0, None)
    assert job.limit_seconds == 26 * 3600 + 3 * 60 + 4
    assert {a.resource: a.amount for a in job.requested or ()} == {"cpu": "8", "memory": "33554432000", "node": "2", "billing": "8", "gres/gpu": "16"}
    assert (job.exit_code, job.reservation, job.reason) == (None, None, None)


@pytest.mark.parametrize(
    "name",
    [
        "a\nb", "a\n1b", "a|b", "a\x1b[2Jb", "a�b", "a\n\n", "", "\n", "a\u2028b", "a\u202eb", "a\r\nb", "1", "x" * 500,
        "a\n" + row("forged", nonces(), JobArrayID="666"),  # the rows of an earlier call: its nonces are worth nothing in this one
        "a\n1x0000000000000000" + "666x0000000000000000" * 20,
    ],
)  # fmt: skip
def test_a_name_can_begin_no_row(name: str) -> None:
    found = text.jobs(row("first") + row(name) + row("last"), MARKS)
    assert [job.name for job in found.items] == ["first", name[:512], "last"]
    assert found.unread == 0


def test_rows_that_are_cut_or_too_long_are_counted_and_not_guessed() -> None:
    cut = row("whole") + row("cut")[:80] + "\n" + row("whole too")
    found = text.jobs(cut, MARKS)
    assert [job.name for job in found.items] == ["whole", "whole too"]
    assert found.unread == 1
    assert text.jobs("squeue: some words\n" + row(), MARKS).unread == 1
    assert text.jobs("", MARKS).items == ()


def test_the_queue_is_summed_without_names() -> None:
    def line(account: str, state: str, tres: str) -> str:
        at = {"Account": account, "Partition": "gpu", "State": state, "NumNodes": "2", "tres-alloc": tres}
        return f"0{MARKS.row}" + "".join(f"{at[c]}{MARKS.field}" for c in QUEUE_COLUMNS) + "0\n"

    out = line("secret-team", "RUNNING", "gres/gpu=8") + line("other", "RUNNING", "gres/gpu=4") + line("other", "PENDING", "N/A")
    found = text.queue(out, MARKS)
    assert [(s.state, s.jobs, s.nodes, s.gpus) for s in found.sums] == [("PENDING", 1, 2, None), ("RUNNING", 2, 4, 12)]
    assert found.accounts == 2
    assert "secret" not in repr(found) and "other" not in repr(found)


def history_line(name: str, user: str = "alice", job: str = "5") -> str:
    at = dict.fromkeys(HISTORY_FIELDS, "") | {
        "jobid": job,
        "user": user,
        "state": "CANCELLED by 1001",
        "exitcode": "0:15",
        "jobname": name,
        "timelimitraw": "60",
    }
    return MARKS.field.join(at[f] for f in HISTORY_FIELDS) + "\n"


def test_history_is_own_rows_and_a_name_forges_none() -> None:
    forged = history_line("evil", job="666").replace(MARKS.field, "|")
    found = text.history(
        history_line("a\n" + forged.strip()) + history_line("other", user="bob", job="9") + history_line("last", job="6"), MARKS, "alice", 1001
    )
    assert [(r.id, r.name) for r in found.runs] == [("5", "a\n" + forged.strip()), ("6", "last")]
    assert (found.unread, found.runs[0].cancelled_by, found.runs[0].signal, found.runs[0].limit_seconds) == (1, "you", 15, 3600.0)
    assert text.history(history_line("x"), MARKS, "alice", 1002).runs[0].cancelled_by == "other"


def test_lines_of_accounting_that_are_no_rows_are_counted_and_not_dropped() -> None:
    """Output in another form, or cut within a row, is not an empty history."""
    assert text.history("7|alice|research|RUNNING\n8|alice|research|FAILED\n", MARKS, "alice", 1001).unread == 2
    cut = history_line("first") + "\n" + history_line("cut")[:60] + "\n" + history_line("last") + "\n"
    found = text.history(cut, MARKS, "alice", 1001)
    assert ([run.name for run in found.runs], found.unread) == (["first", "last"], 1)
    found = text.history(history_line("a\nb") + "\n" + "c\n" * 100_000, MARKS, "alice", 1001)
    assert (len(found.runs), found.runs[0].name[:5], len(found.runs[0].name), found.unread) == (1, "a\nb\nc", text.NAME_LENGTH, 0)
    assert text.history("\n", MARKS, "alice", 1001).unread == 0


def test_sacctmgr_and_sshare_lines_of_another_length_are_no_answer() -> None:
    for parse in (lambda: text.qos("normal|100\n", "x"), lambda: text.associations("a|b\n", "x"), lambda: text.shares("a|b|c\n", "alice", "x")):
        with pytest.raises(Failure) as failure:
            parse()
        assert failure.value.code == "slurm_shape"


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("Resources", "Resources"), ("(Priority)", "Priority"), ("None", None), ("QOSGrpGRES", "QOSGrpGRES"), ("launch_failed_requeued_held", "launch_failed_requeued_held"),  # noqa: E501 - one case to a line
        ("Job's account not permitted to use this partition (prod allows team-production not research-nlp)", "AccountNotAllowed"),
        ("Job's QOS not permitted to use this partition (short allows normal,high not low)", "QOSNotAllowed"),
        ("Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions", "NodesNotUsable"),
        ("ReqNodeNotAvail, UnavailableNodes:gpu-[1-2]", "ReqNodeNotAvail"), ("Something that names carol", "OtherSentence"), ("", None),
    ],
)  # fmt: skip
def test_sentences_become_codes(said: str, code: str | None) -> None:
    assert amounts.reason_of(said) == code


@pytest.mark.parametrize(
    ("said", "value"),
    [("5:00", 300.0), ("1:00:00", 3600.0), ("2-00:00:00", 172800.0), ("UNLIMITED", None), ("NOT_SET", None), ("", None), ("INVALID", None), ("-1:00", None)],
)
def test_durations(said: str, value: float | None) -> None:
    assert amounts.seconds(said) == value


@pytest.mark.parametrize(
    ("said", "value"), [("0", None), ("1796029622", 1796029622.0), ("N/A", None), ("Unknown", None), ("2026-11-30T04:02:36", None), ("-5", None)]
)
def test_moments_are_never_guessed(said: str, value: float | None) -> None:
    assert amounts.moment(said) == value


@pytest.mark.parametrize(
    ("job", "tasks"), [("26_[0-9%2]", 10), ("26_[1,3,5-7]", 5), ("26_[0-20:5]", 5), ("26_[0-9,...]", None), ("26_3", None), ("26", None), ("26_[9-1]", None)]
)
def test_array_records(job: str, tasks: int | None) -> None:
    assert amounts.array_tasks(job) == tasks


@pytest.mark.parametrize(("said", "value"), [("768", (3, None)), ("15", (0, 15)), ("3:0", (3, None)), ("0:9", (0, 9)), ("", (None, None)), ("x", (None, None))])
def test_exit_codes_of_both_kinds(said: str, value: tuple[int | None, int | None]) -> None:
    assert amounts.exit_of(said) == value


@pytest.mark.parametrize(
    ("said", "value"),
    [("1000M", "1048576000"), ("31.25G", "33554432000"), ("5000", "5242880000"), ("1T", "1099511627776"), ("x", None), ("1E", None), ("-1M", None)],
)
def test_memory(said: str, value: str | None) -> None:
    assert amounts.memory(said) == value


# -- scontrol -------------------------------------------------------------------------------------------------------------------
def test_text_that_is_no_record_is_no_empty_list() -> None:
    with pytest.raises(Failure) as failure:
        scontrol.nodes("<html>sign in</html>", "x")
    assert failure.value.code == "slurm_shape"
    with pytest.raises(Failure):
        scontrol.config("nothing here", "x")
    with pytest.raises(Failure):
        scontrol.qos_usage("some text", "alice", 1, (), "x")


def test_free_text_of_an_administrator_overrules_nothing() -> None:
    out = "NodeName=n1 Arch=x\n   State=IDLE\n   CfgTRES=cpu=8,gres/gpu=8\n   AllocTRES=\n   Reason=broken State=DOWN CfgTRES=gres/gpu=999 [root@now]\n"
    found = scontrol.nodes(out, "x")
    assert (found.total, found.by_state) == (1, {"IDLE": 1})
    assert {a.resource: a.amount for a in found.capacity} == {"cpu": "8", "gres/gpu": "8"}


def test_a_node_that_takes_no_jobs_counts_by_the_word_that_says_so() -> None:
    out = "".join(
        f"NodeName=n{i} A=b\n   State={s}\n   CfgTRES=gres/gpu=8\n\n" for i, s in enumerate(("IDLE+DRAIN", "MIXED+PLANNED", "DOWN*", "ALLOCATED", "IDLE*"))
    )
    found = scontrol.nodes(out, "x")
    assert found.by_state == {"DRAIN": 1, "MIXED": 1, "DOWN": 1, "ALLOCATED": 1, "IDLE": 1}
    assert [(a.amount) for a in found.usable] == ["24"]


def test_config_keeps_the_deciding_lines_only() -> None:
    out = "SlurmUser = slurm(64030)\nPriorityType = priority/basic\nPrivateData = none\nAuthAltParameters = jwt_key=/etc/slurm/jwt.key\nAccountingStorageEnforce = safe\n"  # noqa: E501 - one case to a line
    found = scontrol.config(out, "x")
    assert (found.slurm_user, found.priority_type, found.private_data, found.limits_enforced) == ("slurm", "priority/basic", (), True)
    assert "jwt" not in repr(found)


@pytest.mark.parametrize(
    ("line", "preempt", "window"),
    [
        ("PreemptType = preempt/none\nSchedulerParameters = (null)", "preempt/none", 86400.0),  # as 22.05.8 has it
        ("PreemptType = (null)\nSchedulerParameters = bf_interval=5,bf_window=10080,bf_continue", "preempt/none", 604800.0),  # as 24.11.5 has it
        ("PreemptType = preempt/qos\nSchedulerParameters = bf_window=x", "preempt/qos", 86400.0),
        ("", None, None),
    ],
)
def test_what_is_not_set_and_what_is_not_told(line: str, preempt: str | None, window: float | None) -> None:
    found = scontrol.config("PriorityType = priority/basic\nSchedulerType = sched/backfill\n" + line, "x")
    assert (found.preempt_type, found.backfill_window_seconds, found.scheduler_type) == (preempt, window, "sched/backfill")
