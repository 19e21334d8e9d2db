"""S13: the contract folder. Symlinks, FIFOs, devices and swaps are a named state on that contract, and harm no other."""

from __future__ import annotations

import json
import os
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hpgov_jlab.contracts import Parsed, decide, parse
from hpgov_jlab.model.contract import Kept, Rank, Standing
from hpgov_jlab.model.outcome import Failure, State
from hpgov_jlab.reads import Deadline, Read
from hpgov_jlab.sources.files.contracts import SPARE_SECONDS, contract_folder
from tests.clock import HANGS
from tests.contracts.examples import APPROVED, CONNECTION, NOW

from .dropped import as_nobody, needs_root

BELOW = ".hpgov/contracts"
GOOD = b"apiVersion: hpgov/v1\nkind: ConnectionContract\nrecord: https://wiki.example.com/1\nowners: {cost: {name: Erin}}\n"


@pytest.fixture
def project() -> Iterator[Path]:
    """A project folder whose real path has no symlink in it."""
    made = Path(os.path.realpath(tempfile.mkdtemp(prefix="hpgov-")))
    made.chmod(0o755)
    (made / BELOW).mkdir(parents=True)
    yield made
    shutil.rmtree(made)


def keep(kept: Kept) -> Kept:
    return kept


def found(project: Path, below: str = BELOW, seconds: float = 20.0) -> list[Kept]:
    made = contract_folder(str(project), below, keep).fetch(Deadline(seconds))
    assert isinstance(made, tuple)
    return list(made)


def states(project: Path) -> dict[str, str]:
    """File -> its problem's code, or "read"."""
    return {one.file: one.problem.rule.code if one.problem else "read" for one in found(project)}


def failure(project: Path, below: str = BELOW) -> tuple[State, str]:
    with pytest.raises(Failure) as caught:
        found(project, below)
    return caught.value.state, caught.value.code


def test_files_are_read_in_order_of_their_names(project: Path) -> None:
    folder = project / BELOW
    for name, data in (("b.yml", b"2"), ("a.yaml", b"1"), ("C.JSON", b"3"), ("README.md", b"x"), (".hidden.yaml", b"x"), (".#lock.yaml", b"x")):
        (folder / name).write_bytes(data)
    (folder / "below").mkdir()
    (folder / ".ipynb_checkpoints").mkdir()
    assert [(one.rank, one.where, one.file, one.data, one.version, one.kept_at) for one in found(project)] == [
        (Rank.FILE, f"{BELOW}/C.JSON", "C.JSON", b"3", None, None),
        (Rank.FILE, f"{BELOW}/a.yaml", "a.yaml", b"1", None, None),
        (Rank.FILE, f"{BELOW}/b.yml", "b.yml", b"2", None, None),
    ]


def test_the_read_is_of_the_files_lane_and_keyed_by_user_and_path(project: Path) -> None:
    read: Read[tuple[Parsed, ...]] = contract_folder(str(project), BELOW, parse)
    assert (read.lane, read.source, read.key.upstream, read.key.scope) == ("files-project", f"read {BELOW}", "files-project", f"{project}/{BELOW}")
    assert read.key.principal == f"uid {os.geteuid()}"


def test_hostile_neighbours_are_each_named_and_the_good_one_still_counts(project: Path) -> None:
    folder = project / BELOW
    outside = project / "secret.yaml"
    outside.write_bytes(b"secret: 1")
    (folder / "good.yaml").write_bytes(GOOD)
    (folder / "link.yaml").symlink_to(outside)
    (folder / "dangling.yaml").symlink_to(folder / "nowhere")
    (folder / "loop.yaml").symlink_to(folder / "loop.yaml")
    (folder / "device.yaml").symlink_to("/dev/zero")
    os.mkfifo(folder / "fifo.yaml")
    (folder / "folder.yaml").mkdir()
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(folder / "socket.yaml"))
        (folder / "big.yaml").write_bytes(b"x" * 10_000_000)
        (folder / "bomb.yaml").write_bytes(b"a0: &a0 [x]\n" + b"".join(b"a%d: &a%d [*a%d, *a%d]\n" % (i, i, i - 1, i - 1) for i in range(1, 60)))
        started = time.thread_time()
        parsed = contract_folder(str(project), BELOW, parse).fetch(Deadline(60.0))
        assert time.thread_time() - started < 10, "of this thread's own time, which others that run beside do not lengthen"
    assert isinstance(parsed, tuple)
    assert {one.kept.file: one.problems[0].rule.code for one in parsed if one.problems} == {
        "link.yaml": "file_link",
        "dangling.yaml": "file_link",
        "loop.yaml": "file_link",
        "device.yaml": "file_link",
        "fifo.yaml": "file_not_regular",
        "folder.yaml": "file_not_regular",
        "socket.yaml": "file_not_regular",
        "big.yaml": "bytes_too_big",
        "bomb.yaml": "yaml_too_many_nodes",
    }
    view, others = decide(parsed, CONNECTION, NOW)
    assert (view.standing, view.kept) == (Standing.ON_RECORD, f"{BELOW}/good.yaml")
    assert len(others) == 9


@needs_root
def test_a_device_is_not_opened(project: Path) -> None:
    os.mknod(project / BELOW / "device.yaml", 0o20644, os.makedev(1, 5))  # character device zero
    (one,) = found(project)
    assert one.problem is not None
    assert (one.problem.rule.code, one.problem.rule.params) == ("file_not_regular", {"kind": "device"})


def test_nobody_waits_at_a_fifo_and_its_writer_is_not_woken(project: Path) -> None:
    path = project / BELOW / "fifo.yaml"
    os.mkfifo(path)
    woken = threading.Event()

    def write() -> None:
        descriptor = os.open(path, os.O_WRONLY)  # blocks until a reader opens
        woken.set()
        os.close(descriptor)

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    assert states(project) == {"fifo.yaml": "file_not_regular"}
    assert not woken.wait(0.2)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # let the writer go
    assert woken.wait(HANGS), "it was there"
    writer.join(HANGS)
    os.close(reader)


def test_a_symlink_in_any_component_is_refused(project: Path) -> None:
    (project / "real").mkdir()
    (project / "linked").symlink_to(project / "real")
    (project / "real" / "contracts").mkdir()
    (project / "real" / "contracts" / "a.yaml").write_bytes(GOOD)
    (project / "last").symlink_to(project / "real" / "contracts")
    assert failure(project, "linked/contracts") == (State.INVALID, "folder_has_link")
    assert failure(project, "last") == (State.INVALID, "folder_has_link")
    assert [one.file for one in found(project, "real/contracts")] == ["a.yaml"]
    above = project / "above"
    above.symlink_to(project)
    assert failure(above) == (State.INVALID, "folder_has_link")


def test_paths_that_are_no_plain_absolute_paths_are_refused(project: Path) -> None:
    assert failure(project, "../x") == (State.INVALID, "folder_not_plain")
    assert failure(project, "./x/.") == (State.INVALID, "folder_not_plain")
    with pytest.raises(Failure) as caught:
        contract_folder("relative", BELOW, keep).fetch(Deadline(5.0))
    assert caught.value.code == "folder_not_plain"
    assert failure(project, "with\0zero") == (State.INVALID, "folder_not_plain")


def test_absent_and_not_a_folder_are_told_apart(project: Path) -> None:
    assert failure(project, "nowhere") == (State.ABSENT, "folder_absent")
    (project / "file").write_bytes(b"")
    assert failure(project, "file") == (State.INVALID, "folder_not_a_folder")
    assert failure(project, "file/below") == (State.INVALID, "folder_not_a_folder")
    os.mkfifo(project / "fifo")
    assert failure(project, "fifo") == (State.INVALID, "folder_not_a_folder")
    assert found(project) == []


def test_the_first_200_are_read_and_the_rest_is_a_named_state(project: Path) -> None:
    for number in range(201):
        (project / BELOW / f"{number:03}.yaml").write_bytes(GOOD)
    made = found(project)
    assert len(made) == 201 and sum(one.data is not None for one in made) == 200
    assert made[-1].problem is not None
    assert (made[-1].problem.rule.code, made[-1].problem.rule.params) == ("folder_too_many_files", {"limit": 200, "count": 201})
    (project / BELOW / "200.yaml").unlink()
    assert all(one.problem is None for one in found(project))


def test_a_folder_of_ten_thousand_names_is_refused(project: Path) -> None:
    for number in range(10_001):
        (project / BELOW / str(number)).touch()
    assert failure(project) == (State.INVALID, "folder_too_many_names")


def test_a_file_begun_too_late_is_named_and_the_earlier_ones_stay(project: Path) -> None:
    for name in ("a.yaml", "b.yaml"):
        (project / BELOW / name).write_bytes(GOOD)
    assert [one.problem.rule.code if one.problem else None for one in found(project, seconds=1.0)] == ["file_not_read_in_time"] * 2

    deadline = Deadline(HANGS)

    def slow(kept: Kept) -> Kept:
        deadline._end -= deadline.remaining() - SPARE_SECONDS / 2  # the first file takes nearly all of it
        return kept

    made = contract_folder(str(project), BELOW, slow).fetch(deadline)
    assert isinstance(made, tuple)
    assert [one.problem.rule.code if one.problem else None for one in made] == [None, "file_not_read_in_time"]


def test_at_most_one_byte_more_than_the_limit_is_read(project: Path) -> None:
    with open(project / BELOW / "a.yaml", "wb") as file:
        file.truncate(50_000_000)  # sparse
    (one,) = found(project)
    assert one.data is not None and len(one.data) == 256 * 1024 + 1
    assert parse(one).problems[0].rule.code == "bytes_too_big"


def test_names_that_are_no_text_can_travel(project: Path) -> None:
    with open(os.fsencode(project / BELOW) + b"/a\xff\n.yaml", "wb") as file:
        file.write(GOOD)
    (one,) = found(project)
    assert one.file == "a\\xff\n.yaml"
    assert one.where.encode()


def test_a_folder_swapped_while_it_is_read_is_the_old_one_or_an_error(project: Path) -> None:
    """Another thread swaps the folder for a link to elsewhere, all the time; what lies elsewhere is never read."""
    folder, elsewhere, aside = project / BELOW, project / "elsewhere", project / ".hpgov" / "aside"
    elsewhere.mkdir()
    (elsewhere / "a.yaml").write_bytes(b"secret: 1")
    (folder / "a.yaml").write_bytes(b"ours: 1")
    stop, swaps = threading.Event(), 0

    def swap() -> None:
        nonlocal swaps
        while not stop.is_set():
            folder.rename(aside)
            folder.symlink_to(elsewhere)
            swaps += 1
            folder.unlink()
            aside.rename(folder)

    thread = threading.Thread(target=swap, daemon=True)
    thread.start()
    outcomes: set[str] = set()
    try:
        least, most = time.monotonic() + 3.0, time.monotonic() + HANGS  # a busy machine takes longer until each has had its turn
        while len(outcomes) < 4 and (time.monotonic() < least or ((swaps <= 10 or "ours: 1" not in outcomes) and time.monotonic() < most)):
            try:
                outcomes |= {(one.data or b"-").decode() if one.problem is None else one.problem.rule.code for one in found(project)}
            except Failure as error:
                outcomes.add(error.code)
    finally:
        stop.set()
        thread.join(HANGS)
    assert len(outcomes) == 4 or swaps > 10
    assert "secret: 1" not in outcomes
    assert outcomes <= {"ours: 1", "folder_has_link", "folder_absent", "folder_not_a_folder"}
    assert "ours: 1" in outcomes


def test_a_file_swapped_for_a_link_while_it_is_read_is_never_followed(project: Path) -> None:
    folder, secret = project / BELOW, project / "secret"
    secret.write_bytes(b"secret: 1")
    ours, linked = project / "ours", project / "linked"
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            ours.write_bytes(b"ours: 1")
            ours.rename(folder / "a.yaml")
            linked.symlink_to(secret)
            linked.rename(folder / "a.yaml")

    thread = threading.Thread(target=swap, daemon=True)
    thread.start()
    outcomes: set[str] = set()
    try:
        least, most = time.monotonic() + 2.0, time.monotonic() + HANGS
        while time.monotonic() < least or ("file_link" not in outcomes and time.monotonic() < most):
            outcomes |= {(one.data or b"-").decode() if one.problem is None else one.problem.rule.code for one in found(project)}
    finally:
        stop.set()
        thread.join(HANGS)
    assert outcomes <= {"ours: 1", "file_link", "file_changed"}
    assert "file_link" in outcomes


@needs_root
def test_what_the_mode_forbids_is_named_on_that_file_or_folder(project: Path) -> None:
    folder = project / BELOW
    (folder / "open.yaml").write_bytes(GOOD)
    (folder / "shut.yaml").write_bytes(GOOD)
    (folder / "shut.yaml").chmod(0o600)
    assert as_nobody(lambda: states(project)) == {"open.yaml": "read", "shut.yaml": "file_denied"}
    folder.chmod(0o700)
    assert as_nobody(lambda: failure(project)) == (State.DENIED, "folder_denied")
    folder.chmod(0o755)
    (project / ".hpgov").chmod(0o711)  # may be walked through, not listed
    assert as_nobody(lambda: states(project)) == {"open.yaml": "read", "shut.yaml": "file_denied"}


def test_records_of_a_real_folder_come_out_as_a_view(project: Path) -> None:
    (project / BELOW / "a.json").write_text(json.dumps(APPROVED))
    parsed = contract_folder(str(project), BELOW, parse).fetch(Deadline(20.0))
    assert isinstance(parsed, tuple)
    view, _ = decide(parsed, CONNECTION, NOW)
    assert (view.standing, view.platform, view.kept, view.version) == (Standing.IN_FORCE, False, f"{BELOW}/a.json", None)
    assert view.why_not_platform is not None and view.why_not_platform.code == "self_declared_file"
