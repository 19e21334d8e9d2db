"""DESIGN.md 8: what went wrong is told apart, with whom to ask. Texts and statuses as the real ones gave them (facts/slurm.md 1, 2, 6)."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hpgov_jlab.model.outcome import KEEPS_DATA, Ask, State
from hpgov_jlab.reads import Deadline, Read
from hpgov_jlab.sources.slurm import reads
from hpgov_jlab.sources.slurm.site import SlurmAt, SlurmOptions, site
from hpgov_jlab.words import WORDS

from .fakes import at, clients, commands, failed, fetched

CONTROLLER = "slurm_load_jobs error: Unable to contact slurm controller (connect failure)"
DATABASE = "sacct: error: _open_persist_conn: failed to open persistent connection to host:127.0.0.1:26901: Connection refused\nsacct: error: Sending PersistInit msg: Connection refused"  # noqa: E501 - one case to a line
MINIMAL = "AccountingStorageType   = accounting_storage/slurmdbd\nPriorityType = priority/multifactor"
OFF = "AccountingStorageType   = accounting_storage/none\nPriorityType = priority/basic"


def broken(folder: Path, err: str, status: int = 1, *, config: str = "", out: str = "") -> SlurmAt:
    """Every command says `err`, except that `scontrol show config` prints `config` where one is given."""
    body = f"""
if {config!r} and ARGS == ["show", "config"]:
    print({config!r}); sys.exit(0)
sys.stdout.write({out!r}); sys.stderr.write({err!r}); sys.exit({status})
"""
    return at(commands(folder / "bin", body), "22.05.8", "alice", 1001)


ANY: dict[str, Callable[[SlurmAt], Read[Any]]] = {"own_jobs": reads.own_jobs, "queue": reads.queue, "history": reads.history, "associations": reads.associations, "qos": reads.qos, "usage": reads.usage, "shares": reads.shares, "nodes": reads.nodes}  # fmt: skip # noqa: E501


@pytest.mark.parametrize(
    ("err", "state", "code", "ask"),
    [
        (CONTROLLER, State.UNREACHABLE, "slurm_controller_down", Ask.CLUSTER_ADMIN),
        ("squeue: error: slurm_receive_msg: Incompatible versions of client and server code", State.INVALID, "slurm_version_mismatch", Ask.JUPYTER_ADMIN),
        ("squeue: error: s_p_parse_file: cannot stat file /etc/slurm.conf: No such file or directory, retrying in 1sec up to 60sec", State.NOT_CONFIGURED, "slurm_conf_missing", Ask.JUPYTER_ADMIN),  # noqa: E501 - one case to a line
        ("sacctmgr: error: fetch_config: DNS SRV lookup failed\nsacctmgr: fatal: Could not establish a configuration source", State.NOT_CONFIGURED, "slurm_conf_missing", Ask.JUPYTER_ADMIN),  # noqa: E501 - one case to a line
        ("squeue: error: If munged is up, restart with --num-threads=10\nsqueue: error: Munge encode failed: Failed to access x: No such file", State.UNREACHABLE, "slurm_munge_down", Ask.JUPYTER_ADMIN),  # noqa: E501 - one case to a line
        ("slurm_load_jobs error: Protocol authentication error", State.DENIED, "slurm_identity_refused", Ask.CLUSTER_ADMIN),
        ("scontrol: error: Access/permission denied", State.DENIED, "slurm_denied", Ask.CLUSTER_ADMIN),
        ("squeue: unrecognized option '--json'", State.INVALID, "slurm_option_unknown", Ask.JUPYTER_ADMIN),
        ("slurm_load_jobs error: Socket timed out on send/recv operation", State.UNREACHABLE, "slurm_too_slow", Ask.CLUSTER_ADMIN),
        ("a text that nobody knows", State.INVALID, "slurm_command_failed", Ask.CLUSTER_ADMIN),
    ],
)  # fmt: skip
def test_what_every_command_may_meet(err: str, state: State, code: str, ask: Ask, tmp_path: Path) -> None:
    for name, read in ANY.items():
        failure = failed(read(broken(tmp_path / name if (tmp_path / name).mkdir() is None else tmp_path, err)))
        assert (failure.state, failure.code, failure.ask) == (state, code, ask), name
        assert code in WORDS
        assert err not in repr(failure.params)


def test_database_down_is_not_the_controller(tmp_path: Path) -> None:
    slurm = broken(tmp_path, DATABASE)
    for read in (reads.history(slurm), reads.associations(slurm), reads.qos(slurm), reads.accounts(slurm, ("research",))):
        failure = failed(read)
        assert (failure.state, failure.code) == (State.UNREACHABLE, "slurm_database_down")
        assert read.key.upstream == "slurm-database"
    assert reads.own_jobs(slurm).key.upstream == "slurm-controller"


@pytest.mark.parametrize(
    "text",
    ["Slurm accounting storage is disabled", "You are not running a supported accounting_storage plugin\nOnly 'accounting_storage/slurmdbd' is supported."],
)
@pytest.mark.parametrize(("config", "state", "code", "ask"), [(OFF, State.ABSENT, "slurm_accounting_off", Ask.CLUSTER_ADMIN), (MINIMAL, State.NOT_CONFIGURED, "slurm_conf_minimal", Ask.JUPYTER_ADMIN)])  # fmt: skip # noqa: E501
def test_accounting_off_and_a_minimal_slurm_conf_are_told_apart(text: str, config: str, state: State, code: str, ask: Ask, tmp_path: Path) -> None:
    for name, read in (("history", reads.history), ("associations", reads.associations)):
        folder = tmp_path / name
        folder.mkdir()
        failure = failed(read(broken(folder, text, config=config)))
        assert (failure.state, failure.code, failure.ask) == (state, code, ask)


@pytest.mark.parametrize(
    "err",
    [
        "slurm_load_assoc_mgr_info error: Invalid user id",
        "scontrol: error: Malformed RPC of type RESPONSE_ASSOC_MGR_INFO(2044) received\nscontrol: error: slurm_unpack_received_msg: [[localhost]:26800] Header lengths are longer than data received\nslurm_load_assoc_mgr_info error: Unspecified error",  # noqa: E501 - one case to a line
    ],
)
def test_no_association(err: str, tmp_path: Path) -> None:
    failure = failed(reads.usage(broken(tmp_path, err)))
    assert (failure.state, failure.code, failure.ask) == (State.ABSENT, "slurm_no_association", Ask.CLUSTER_ADMIN)


def test_no_association_from_the_database_is_an_empty_answer(tmp_path: Path) -> None:
    assert failed(reads.associations(broken(tmp_path, "", 0))).code == "slurm_no_association"


def test_an_empty_list_beside_an_error_is_never_no_jobs(tmp_path: Path) -> None:
    failure = failed(reads.own_jobs(broken(tmp_path, "squeue: error: something new", 0)))
    assert (failure.state, failure.code) == (State.INVALID, "slurm_command_failed")


def test_an_empty_list_without_an_error_is_no_jobs(tmp_path: Path) -> None:
    assert fetched(reads.own_jobs(broken(tmp_path, "", 0))).items == ()  # type: ignore[attr-defined]


def test_a_login_page_is_no_answer(tmp_path: Path) -> None:
    assert failed(reads.nodes(broken(tmp_path, "", 0, out="<html>sign in</html>"))).code == "slurm_shape"


def test_ping_says_at_once_that_the_controller_is_down(tmp_path: Path) -> None:
    body = "if ARGS == ['ping']: print('Slurmctld(primary) at x is DOWN'); sys.exit(1)\ntime.sleep(300)"
    began = time.monotonic()
    failure = failed(reads.controller(at(commands(tmp_path / "bin", body), "24.11.5", "alice", 1)), 60)
    assert (failure.state, failure.code) == (State.UNREACHABLE, "slurm_controller_down")
    assert time.monotonic() - began < 30, "the commands that hang would take all of the minute"


def test_ping_tells_versions_that_do_not_mix_from_an_outage(tmp_path: Path) -> None:
    body = "if ARGS == ['ping']: print('Slurmctld(primary) at x is DOWN'); sys.exit(1)\nprint('x: error: Incompatible versions of client and server code', file=sys.stderr); sys.exit(1)"  # noqa: E501 - one case to a line
    failure = failed(reads.controller(at(commands(tmp_path / "bin", body), "24.11.5", "alice", 1)))
    assert (failure.state, failure.code, failure.ask) == (State.INVALID, "slurm_version_mismatch", Ask.JUPYTER_ADMIN)


def test_one_controller_of_two_is_up(tmp_path: Path) -> None:
    body = "print('Slurmctld(primary) at a is DOWN\\nSlurmctld(backup) at b is UP')"
    found = fetched(reads.controller(at(commands(tmp_path / "bin", body), "24.11.5", "alice", 1)))
    assert (found.up, found.down) == (1, 1)  # type: ignore[attr-defined]


def test_a_command_that_hangs_says_what_it_had_said_until_then(tmp_path: Path) -> None:
    body = "print('squeue: error: fetch_config: DNS SRV lookup failed, retrying in 1sec up to 60sec', file=sys.stderr, flush=True); time.sleep(300)"
    said = failed(reads.own_jobs(at(commands(tmp_path / "bin", body), "22.05.8", "alice", 1)), 4.0)  # room for Python to start on a busy machine
    assert said.code == "slurm_conf_missing"
    silent = failed(reads.own_jobs(at(commands(tmp_path / "silent", "time.sleep(300)"), "22.05.8", "alice", 1)), 0.5)
    assert (silent.state, silent.code) == (State.UNREACHABLE, "slurm_too_slow")
    assert silent.state in KEEPS_DATA


def test_a_newer_form_is_read_as_the_newest_known_and_says_so(tmp_path: Path) -> None:
    body = """
import json
print(json.dumps({"meta": {"plugin": {"data_parser": "data_parser/v0.0.47"}, "slurm": {"release": "27.05.1"}}, "errors": [],
  "jobs": [{"job_id": 5, "user_name": "alice", "job_state": ["RUNNING"], "a_new_field": [1]}, {"job_id": 6, "user_name": "bob", "job_state": ["RUNNING"]}]}))
"""
    found = fetched(reads.own_jobs(at(commands(tmp_path / "bin", body), "27.05.1", "alice", 1)))
    assert (found.shape.form, found.shape.newer, found.shape.release) == ("v0.0.47", True, "27.05.1")  # type: ignore[attr-defined]
    assert [job.id for job in found.items] == ["5"]  # type: ignore[attr-defined]


def test_json_that_is_too_long_is_asked_for_in_the_short_form(tmp_path: Path) -> None:
    body = "\nif '--json' in ARGS:\n    while True: sys.stdout.write('x' * 65536)\n"
    found = fetched(reads.own_jobs(at(commands(tmp_path / "bin", body), "24.11.5", "alice", 1)))
    assert (found.items, found.shape.form) == ((), "formatted")  # type: ignore[attr-defined]


ROWS = r"""
import re
if '--json' in ARGS:
    sys.exit("squeue: unrecognized option '--json'")
row, field = re.search(r"BatchFlag:0(x[0-9a-f]{16}),JobArrayID:0(x[0-9a-f]{16})", ARGS[-1]).groups()
for number, user, state in (("5", "alice", "RUNNING"), ("6", "bob", "RUNNING"), ("7", "alice2", "RUNNING"), ("8", "alice", "REVOKED")):
    cells = [number, user, "nlp", "normal", "gpu", state, "1", "gres/gpu=1", "1", "10", "20", "30", "40", "UNLIMITED", "0", "0:0", "(null)", "None", "train"]
    print("0" + row + field.join(cells) + field)
"""


@pytest.mark.parametrize("release", ["22.05.8", "24.11.5"])
def test_formatted_rows_of_another_user_are_not_ones_own(release: str, tmp_path: Path) -> None:
    """Whatever squeue makes of --user: the rows are looked at again, as those of JSON and of slurmrestd are."""
    found = fetched(reads.own_jobs(at(commands(tmp_path / "bin", ROWS), release, "alice", 1)))
    assert (found.shape.form, [(j.id, j.user) for j in found.items]) == ("formatted", [("5", "alice"), ("8", "alice")])  # type: ignore[attr-defined]
    runs, revoked = found.items  # type: ignore[attr-defined]
    assert (runs.started_at, runs.ended_at) == (30, None)
    assert (revoked.state, revoked.started_at, revoked.ended_at, revoked.exit_code) == ("REVOKED", None, None, None), "times of a copy are not the job's"


def test_the_root_account_is_no_team(tmp_path: Path) -> None:
    """On stock HyperPod everybody stands straight under root (facts/slurm.md 7): its jobs are everybody's."""
    slurm = at(commands(tmp_path / "bin", "open(HERE + '/ran', 'w')"), "24.11.5", "alice", 1)
    failure = failed(reads.team_jobs(slurm, "root"))
    assert (failure.state, failure.code, failure.ask) == (State.ABSENT, "slurm_no_team", Ask.CLUSTER_ADMIN)
    assert not (tmp_path / "bin" / "ran").exists()


def test_site_finds_the_version_and_the_person(tmp_path: Path) -> None:
    made = clients(tmp_path / "bin", "print('slurm-wlm 24.11.5')")
    found = site(SlurmOptions(bin_folder=made.folder, sandbox=True)).fetch(Deadline(10))
    assert isinstance(found, SlurmAt)
    assert (found.release, found.version, found.transport_name) == ("24.11.5", (24, 11), "commands")
    assert found.principal == f"uid {found.uid}"


def test_a_version_that_is_none(tmp_path: Path) -> None:
    made = clients(tmp_path / "bin", "print('Usage: ...')")
    assert failed(site(SlurmOptions(bin_folder=made.folder, sandbox=True))).code == "slurm_shape"
