"""S2 and S17: what can be run and asked at all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hpgov_jlab.model.outcome import Failure, State
from hpgov_jlab.policy.slurm import BINARIES, COMMANDS, ENDPOINTS, OWN_JOBS, QUEUE, QUEUE_COLUMNS, REST_HISTORY, REST_JOBS, TEAM_JOBS, VERSIONS, Endpoint, Shape
from hpgov_jlab.sources.slurm import guard
from hpgov_jlab.sources.slurm.guard import Refused

HOSTILE = [
    "", "-a", "--all", "a b", "a;b", "a\nb", "a,b", "$(id)", "`id`", "a|b", "../x", "é", "a\0b", "x" * 65, "a=b", "%s", "{user}", "alice ", "@me", "a'b", 'a"b',
]  # fmt: skip
USER_WRITABLE = {"name", "jobname", "comment", "workdir", "command", "wckey", "admincomment", "submitline"}


def values(shape: Shape) -> dict[str, str]:
    return {name: "alice" for name in ("user", "account") if any("{" + name + "}" in arg for arg in shape.args)}


@pytest.mark.parametrize("shape", COMMANDS, ids=lambda s: s.id)
def test_every_shape_can_be_built_and_is_recognised(shape: Shape) -> None:
    args = guard.argv(shape, guard.nonces(), values(shape))
    assert guard.check_argv(shape.binary, args) is shape


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("shape", [s for s in COMMANDS if values(s)], ids=lambda s: s.id)
def test_hostile_values_reach_no_argv(shape: Shape, hostile: str) -> None:
    with pytest.raises(Refused) as refused:
        guard.argv(shape, guard.nonces(), dict.fromkeys(values(shape), hostile))
    assert refused.value.rule == "value"
    assert hostile not in str(refused.value) or not hostile


@pytest.mark.parametrize(
    ("binary", "args"),
    [
        ("scancel", ["1"]),
        ("sbatch", ["--test-only", "x.sh"]),
        ("srun", ["id"]),
        ("salloc", []),
        ("sdiag", []),
        ("scontrol", ["update", "JobId=1", "Priority=1"]),
        ("scontrol", ["hold", "1"]),
        ("scontrol", ["show", "job", "1"]),
        ("scontrol", ["show", "hostnames"]),
        ("scontrol", ["token"]),
        ("scontrol", ["ping", "--uid=0"]),
        ("sacctmgr", ["--noheader", "--parsable2", "show", "qos", "format=name"]),
        ("sacctmgr", ["--immediate", "add", "user", "x"]),
        ("squeue", ["--json"]),
        ("squeue", ["--states=all", "--json", "--user=alice"]),
        ("squeue", ["--noheader", "--states=all", "--user=alice", "--format=%i"]),
        ("/usr/bin/squeue", ["--version"]),
    ],
)
def test_nothing_else_is_recognised(binary: str, args: list[str]) -> None:
    with pytest.raises(Refused):
        guard.check_argv(binary, args)


def test_a_shape_or_an_endpoint_of_ones_own_making_is_not_built() -> None:
    """What is finished is compared with the list once more, however it was made."""
    for shape in (Shape("jobs", "scancel", ("--user={user}",), "", ()), Shape(OWN_JOBS.id, "squeue", ("--json",), "", ()), replace(OWN_JOBS, id="another")):
        with pytest.raises(Refused):
            guard.argv(shape, guard.nonces(), values(shape))
    for endpoint in (Endpoint("diag", "slurm", "diag", "", ()), Endpoint(REST_JOBS.id, "slurm", "jobs", "", (), (("user", "{user}"),))):
        with pytest.raises(Refused):
            guard.target(endpoint, "v0.0.42", "alice")


def test_no_writing_program_is_in_the_list_and_sacctmgr_only_reads() -> None:
    assert {s.binary for s in COMMANDS} == set(BINARIES) == {"squeue", "scontrol", "sacct", "sacctmgr", "sshare"}
    assert all(s.args[0] == "--readonly" and "show" in s.args for s in COMMANDS if s.binary == "sacctmgr")
    assert all(s.args[0] in ("show", "ping") for s in COMMANDS if s.binary == "scontrol")


def test_queue_wide_reads_ask_for_no_column_that_a_user_can_write() -> None:
    assert not {c.lower() for c in QUEUE_COLUMNS} & USER_WRITABLE
    queue_wide = [s for s in COMMANDS if s.binary == "squeue" and not any("{user}" in a or "{account}" in a for a in s.args) and s.id != "version"]
    assert queue_wide == [QUEUE]


def test_free_text_comes_last() -> None:
    for shape in (OWN_JOBS, TEAM_JOBS):
        columns = [c.split(":")[0].lower() for c in shape.args[-1].partition("=")[2].split(",")]
        assert [c for c in columns if c in USER_WRITABLE] == columns[-1:]
    history = next(s for s in COMMANDS if s.id == "history")
    fields = history.args[-1].partition("=")[2].split(",")
    assert [f for f in fields if f in USER_WRITABLE] == fields[-1:]
    assert "--user={user}" in history.args


def test_squeue_json_only_in_versions_that_honour_its_filters() -> None:
    assert [s.since for s in COMMANDS if "--json" in s.args] == [(24, 11)]


def test_nonces_differ_per_call_and_begin_with_a_letter() -> None:
    made = {mark for _ in range(200) for mark in (lambda n: (n.row, n.field))(guard.nonces())}
    assert len(made) == 400
    assert all(mark[0].isalpha() for mark in made)  # squeue reads digits after a field as its width


def test_values_that_are_missing_or_too_many_are_refused() -> None:
    for given in ({}, {"user": "alice", "account": "x"}, {"account": "x"}):
        with pytest.raises(Refused):
            guard.argv(OWN_JOBS, guard.nonces(), given)


def test_the_environment_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SQUEUE_FORMAT", "SACCT_FORMAT", "SLURM_CONF", "SLURM_JWT", "LD_PRELOAD", "HOME"):
        monkeypatch.setenv(name, "evil")
    assert guard.environment() == {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "SLURM_TIME_FORMAT": "%s"}
    assert guard.environment("/etc/slurm/slurm.conf")["SLURM_CONF"] == "/etc/slurm/slurm.conf"
    for path in ("slurm.conf", "~/slurm.conf", "/a\nb"):
        with pytest.raises(Failure) as failure:
            guard.environment(path)
        assert failure.value.state is State.NOT_CONFIGURED


# -- slurmrestd -----------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda e: e.id)
def test_every_endpoint_can_be_built_and_is_recognised(endpoint: object) -> None:
    for version in endpoint.versions or VERSIONS:  # type: ignore[attr-defined]
        assert guard.check_target("GET", guard.target(endpoint, version, "alice")) is endpoint  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "sent",
    [
        "/slurm/v0.0.42/diag", "/slurm/v0.0.42/jobs/state", "/slurmdb/v0.0.42/config", "/slurm/v0.0.42/job/12", "/slurm/v0.0.42/jobs?users=alice",
        "/slurm/v0.0.42/../v0.0.42/jobs", "/slurm/v0.0.42/jobs/", "//slurm/v0.0.42/jobs", "/slurm/v0.0.42/%6aobs", "/slurmdb/v0.0.42/associations",
        "/slurmdb/v0.0.42/associations?user=bob&user=alice", "/slurmdb/v0.0.38/jobs?users=alice&start_time=now-24hours", "/slurm/v9.9.9/jobs",
        "/slurmdb/v0.0.42/jobs?users=alice&start_time=now-24days", "/openapi/v3", "/slurm/v0.0.42/jobs#x", "/slurm/v0.0.42/jobs?",
    ],
)  # fmt: skip
def test_no_other_target_is_recognised(sent: str) -> None:
    with pytest.raises(Refused):
        guard.check_target("GET", sent)


@pytest.mark.parametrize("method", ["POST", "DELETE", "PUT", "PATCH", "HEAD", "get"])
def test_get_only(method: str) -> None:
    with pytest.raises(Refused):
        guard.check_target(method, guard.target(REST_JOBS, "v0.0.42", "alice"))


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_users_reach_no_target(hostile: str) -> None:
    with pytest.raises(Refused):
        guard.target(REST_HISTORY, "v0.0.42", hostile)
