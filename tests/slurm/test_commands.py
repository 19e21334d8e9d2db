"""S2, S15: how a client command is run. The programs here are what could stand at a site, or what could go wrong with one."""

from __future__ import annotations

import os
import stat
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hpgov_jlab.model.outcome import Ask, Failure, State
from hpgov_jlab.policy.slurm import CONFIG, OWN_JOBS, PING, QUEUE, VERSION, Shape
from hpgov_jlab.reads import Deadline
from hpgov_jlab.sources.slurm.binaries import find

from ..clock import wait_until
from .fakes import clients, commands

ENDS = 20.0
"""Seconds: ample for a limit of three on a busy machine, and far below what the commands here would take."""


def short(shape: Shape, seconds: float = 1.0, size: int | None = None) -> Shape:
    """The same command with a smaller limit. (Shapes are recognised by what they are, so the limits are no part of that.)"""
    from dataclasses import replace

    return replace(shape, limit_seconds=seconds, limit_bytes=size or shape.limit_bytes)


@contextmanager
def something_to_read() -> Iterator[None]:
    """This process's standard input holds text: pytest's own is empty, so that a command that inherits it would read nothing either way."""
    kept, (out, into) = os.dup(0), os.pipe()
    os.write(into, b"text on the server's standard input\n")
    os.close(into)
    os.dup2(out, 0)
    os.close(out)
    try:
        yield
    finally:
        os.dup2(kept, 0)
        os.close(kept)


def test_environment_stdin_and_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SQUEUE_FORMAT", "SQUEUE_ALL", "SACCT_FORMAT", "SLURM_CONF", "SLURM_CLUSTERS", "SLURM_JWT", "LD_PRELOAD", "PYTHONPATH", "HOME", "http_proxy"):
        monkeypatch.setenv(name, "evil")
    run = commands(
        tmp_path / "bin", "print(sorted(os.environ), os.getcwd(), sys.stdin.read() == '', os.getpid() == os.getpgid(0), os.getsid(0) == os.getpid())"
    )
    with something_to_read():
        said = run.run(VERSION, Deadline(10))
    assert said.out.strip() == "['LC_ALL', 'PATH', 'SLURM_TIME_FORMAT'] / True True True"


def test_what_is_sent_is_the_argv_of_the_shape(tmp_path: Path) -> None:
    run = commands(tmp_path / "bin", "print(ARGS)")
    said = run.run(OWN_JOBS, Deadline(10), {"user": "alice"})
    args = eval(said.out)
    assert args[:4] == ["--noheader", "--all", "--states=all", "--user=alice"]
    assert args[4].startswith(f"--Format=BatchFlag:0{said.marks.row},JobArrayID:0{said.marks.field},")
    assert args[4].endswith(f",Name:0{said.marks.field}")


def test_a_value_that_is_no_name_runs_nothing(tmp_path: Path) -> None:
    run = commands(tmp_path / "bin", "open(HERE + '/ran', 'w')")
    with pytest.raises(Failure) as failure:
        run.run(OWN_JOBS, Deadline(10), {"user": "alice --all"})
    assert (failure.value.state, failure.value.code) == (State.INVALID, "slurm_name_not_valid")
    assert not (tmp_path / "bin" / "ran").exists()


def test_bytes_that_are_no_text_are_replaced(tmp_path: Path) -> None:
    run = commands(tmp_path / "bin", "sys.stdout.buffer.write(b'a\\xff\\x1b[31mb\\x00'); sys.stderr.buffer.write(b'\\xfe')")
    said = run.run(VERSION, Deadline(10))
    assert said.out == "a�\x1b[31mb\x00"
    assert said.err == "�"


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_hung_command_is_killed_with_its_children_at_its_limit(tmp_path: Path) -> None:
    body = "echo $$ > $(dirname $0)/parent; sleep 300 & echo $! > $(dirname $0)/child; echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; wait\n"  # noqa: E501 - one case to a line
    run = commands(tmp_path / "bin", body, shell=True)
    began = time.monotonic()
    said = run.run(short(QUEUE, 3.0), Deadline(60))  # room for a shell to come so far on a busy machine
    assert time.monotonic() - began < ENDS
    assert said.late
    assert "Unable to contact" in said.err
    pids = [int((tmp_path / "bin" / name).read_text()) for name in ("parent", "child")]
    wait_until(lambda: not any(map(alive, pids)), "both are gone")


def test_the_reads_own_deadline_is_a_limit_too(tmp_path: Path) -> None:
    run = commands(tmp_path / "bin", "time.sleep(300)")
    began = time.monotonic()
    assert run.run(short(QUEUE, 60), Deadline(0.5)).late
    assert time.monotonic() - began < ENDS


def test_a_child_that_keeps_the_pipe_holds_nobody(tmp_path: Path) -> None:
    """A daemon that leaves the group with our pipe: the command itself has ended, so what it said is the answer."""
    body = "import subprocess\nprint('done', flush=True)\np = subprocess.Popen(['/bin/sleep', '300'], start_new_session=True)\nopen(HERE + '/pid', 'w').write(str(p.pid))\n"  # noqa: E501 - one case to a line
    run = commands(tmp_path / "bin", body)
    try:
        said = run.run(short(VERSION, 60), Deadline(60))
        assert (said.out, said.late) == ("done\n", False), "the limit, until which the pipe is open, was not waited for"
    finally:
        subprocess.run(["/bin/kill", (tmp_path / "bin" / "pid").read_text()], check=True)


def test_huge_output_is_cut_off_and_never_shown_in_part(tmp_path: Path) -> None:
    run = commands(tmp_path / "bin", "\nwhile True: sys.stdout.write('x' * 65536)\n")
    with pytest.raises(Failure) as failure:
        run.run(short(QUEUE, 60, 1024 * 1024), Deadline(60))
    assert (failure.value.state, failure.value.code, failure.value.ask) == (State.INVALID, "slurm_too_large", Ask.CLUSTER_ADMIN), "not late"


def test_a_flood_on_stderr_is_bounded(tmp_path: Path) -> None:
    run = commands(tmp_path / "bin", "sys.stderr.write('e' * 5_000_000); print('out')")
    said = run.run(VERSION, Deadline(20))
    assert (said.out, len(said.err)) == ("out\n", 65536)


def test_status_is_brought_back(tmp_path: Path) -> None:
    assert commands(tmp_path / "bin", "sys.exit(3)").run(PING, Deadline(10)).status == 3


def test_a_program_that_cannot_be_started(tmp_path: Path) -> None:
    run = commands(tmp_path / "bin", "")
    (tmp_path / "bin" / "scontrol").write_text("#!/nonexistent/interpreter\n")
    with pytest.raises(Failure) as failure:
        run.run(CONFIG, Deadline(10))
    assert failure.value.code == "slurm_client_not_run"


# -- which programs ---------------------------------------------------------------------------------------------------------------
def rule(folder: Path, **more: str) -> str:
    with pytest.raises(Failure) as failure:
        find(str(folder), **more)  # type: ignore[arg-type]
    assert (failure.value.state, failure.value.code) == (State.INVALID, "slurm_bin_not_trusted")
    return str(failure.value.params["rule"])


def test_programs_of_others_than_root_are_not_run(tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    clients(folder, "")
    if os.geteuid() == 0:
        os.chown(folder / "squeue", 65534, 65534)
        assert rule(folder) == "not_root"
        os.chown(folder / "squeue", 0, 0)
        (folder / "squeue").chmod(0o775)
        assert rule(folder) in ("writable", "not_root")
    else:
        assert rule(folder) == "not_root"


def test_a_link_into_the_home_is_not_followed(tmp_path: Path) -> None:
    clients(tmp_path / "home" / "bin" if (tmp_path / "home").mkdir() is None else tmp_path, "")
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "squeue").symlink_to(tmp_path / "home" / "bin" / "squeue")
    assert rule(folder, home=str(tmp_path / "home")) == "in_home"


def test_what_root_alone_can_write_is_taken() -> None:
    found = find("/usr/bin", home="/home/alice", binaries=("env", "no-such-client"))
    assert os.path.realpath("/usr/bin/env") == found.path("env")
    assert stat.S_ISREG(os.stat(found.path("env")).st_mode)
    assert found.missing == ("no-such-client",)
    with pytest.raises(Failure) as failure:
        found.path("no-such-client")
    assert (failure.value.state, failure.value.code) == (State.ABSENT, "slurm_client_missing")


def test_no_clients_at_all_and_a_relative_folder(tmp_path: Path) -> None:
    for folder, code in ((str(tmp_path), "slurm_no_clients"), ("bin", "slurm_bin_not_absolute")):
        with pytest.raises(Failure) as failure:
            find(folder)
        assert (failure.value.state, failure.value.code) == (State.NOT_CONFIGURED, code)
