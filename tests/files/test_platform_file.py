"""The platform file is believed only where the server's user cannot have written it: tested as a user who is not root."""

from __future__ import annotations

import os
import pwd
import shutil
import struct
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from hpgov_jlab.contracts import PlatformFile, parse_platform
from hpgov_jlab.model.outcome import Ask, Failure
from hpgov_jlab.reads import Deadline
from hpgov_jlab.sources.files.platform import platform_file

from .dropped import CAP_DAC_OVERRIDE, as_nobody, needs_root

CONTENT = b"""apiVersion: hpgov/v1
kind: Platform
contract_prefixes:
  - {bucket: acme-contracts, prefix: contracts/prod/, owner: "111122223333", region: us-west-2}
"""
NOBODY = pwd.getpwnam("nobody").pw_uid


def read(path: Path | str) -> PlatformFile:
    found = platform_file(str(path), parse_platform).fetch(Deadline(20.0))
    assert isinstance(found, PlatformFile)
    return found


def refused(path: Path | str) -> tuple[str, str, str]:
    try:
        read(path)
    except Failure as error:
        assert error.ask is Ask.JUPYTER_ADMIN
        return str(error.state), error.code, str(error.params["path"])
    return "ok", "", ""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder of root's, below folders that are root's alone."""
    made = Path(tempfile.mkdtemp(prefix="hpgov-test-", dir="/etc"))
    made.chmod(0o755)
    path = made / "hpgov.yaml"
    path.write_bytes(CONTENT)
    path.chmod(0o644)
    yield made
    shutil.rmtree(made)


@needs_root
def test_roots_file_is_believed_by_an_ordinary_user(folder: Path) -> None:
    found = as_nobody(lambda: read(folder / "hpgov.yaml"))
    assert [(source.bucket, source.prefix, source.platform) for source in found.sources] == [("acme-contracts", "contracts/prod/", True)]


@needs_root
def test_a_server_that_runs_as_root_believes_nothing(folder: Path) -> None:
    assert refused(folder / "hpgov.yaml") == ("invalid", "platform_server_is_root", "/")


@needs_root
@pytest.mark.parametrize(
    ("part", "mode", "owner", "code"),
    [
        ("hpgov.yaml", 0o644, NOBODY, "platform_not_owned_by_root"),
        ("hpgov.yaml", 0o444, NOBODY, "platform_not_owned_by_root"),  # its owner could change the mode back
        ("hpgov.yaml", 0o664, 0, "platform_writable_by_others"),
        ("hpgov.yaml", 0o646, 0, "platform_writable_by_others"),
        ("", 0o755, NOBODY, "platform_not_owned_by_root"),
        ("", 0o775, 0, "platform_writable_by_others"),
        ("", 0o1777, 0, "platform_writable_by_others"),
    ],
)
def test_what_is_not_roots_alone_is_not_believed(folder: Path, part: str, mode: int, owner: int, code: str) -> None:
    path = folder / part if part else folder
    path.chmod(mode)
    os.chown(path, owner, 0)
    assert as_nobody(lambda: refused(folder / "hpgov.yaml")) == ("invalid", code, str(path))


@needs_root
@pytest.mark.parametrize("part", ["hpgov.yaml", ""])
def test_an_access_control_list_that_lets_the_user_write_is_seen(folder: Path, part: str) -> None:
    path = folder / part if part else folder
    before = stat_bits(path)
    entries = [(0x01, 6 | 1, 0xFFFFFFFF), (0x02, 6 | 1, NOBODY), (0x04, 5, 0xFFFFFFFF), (0x10, 7, 0xFFFFFFFF), (0x20, 5, 0xFFFFFFFF)]
    acl = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", tag, permissions, who) for tag, permissions, who in entries)
    try:
        os.setxattr(path, "system.posix_acl_access", acl)
    except OSError:
        pytest.skip("this file system keeps no access control lists")
    assert stat_bits(path) != before  # the mask shows in the group's bits
    assert as_nobody(lambda: os.access(path, os.W_OK)) is True
    assert as_nobody(lambda: refused(folder / "hpgov.yaml"))[1] in ("platform_writable_by_others", "platform_writable")


@needs_root
def test_a_user_whom_the_mode_does_not_stop_is_seen_by_access(folder: Path) -> None:
    """A container may run an ordinary user with CAP_DAC_OVERRIDE: owner and mode look right, and the user can write all the same."""
    found = as_nobody(lambda: (os.geteuid(), refused(folder / "hpgov.yaml")), capability=CAP_DAC_OVERRIDE)
    assert found == (NOBODY, ("invalid", "platform_writable", "/"))


def stat_bits(path: Path) -> int:
    return path.stat().st_mode


@needs_root
def test_a_folder_of_the_users_own_above_is_not_believed() -> None:
    made = Path(os.path.realpath(tempfile.mkdtemp(prefix="hpgov-")))
    try:
        made.chmod(0o755)
        (made / "hpgov.yaml").write_bytes(CONTENT)
        state, code, path = as_nobody(lambda: refused(made / "hpgov.yaml"))
        assert (state, code, path) == ("invalid", "platform_writable_by_others", os.path.dirname(made))  # the temporary folder is everybody's
    finally:
        shutil.rmtree(made)


@needs_root
def test_links_kinds_and_names(folder: Path) -> None:
    linked = Path(str(folder) + "-link")
    linked.symlink_to(folder)
    try:
        assert as_nobody(lambda: refused(linked / "hpgov.yaml")) == ("invalid", "platform_has_link", str(linked))
    finally:
        linked.unlink()
    (folder / "below").mkdir()
    (folder / "below" / "hpgov.yaml").symlink_to(folder / "hpgov.yaml")
    assert as_nobody(lambda: refused(folder / "below" / "hpgov.yaml"))[1] == "platform_not_regular"
    (folder / "pipe").mkdir()
    os.mkfifo(folder / "pipe" / "hpgov.yaml")
    assert as_nobody(lambda: refused(folder / "pipe" / "hpgov.yaml"))[1] == "platform_not_regular"
    (folder / "other.yaml").write_bytes(CONTENT)
    assert as_nobody(lambda: refused(folder / "other.yaml")) == ("invalid", "platform_wrong_name", str(folder / "other.yaml"))
    (folder / "hpgov.yaml").chmod(0o600)
    assert as_nobody(lambda: refused(folder / "hpgov.yaml"))[:2] == ("denied", "platform_denied")
    assert as_nobody(lambda: refused(folder / "nowhere" / "hpgov.yaml"))[:2] == ("absent", "platform_absent")
    assert as_nobody(lambda: refused("relative/hpgov.yaml"))[:2] == ("invalid", "platform_not_plain")
    assert as_nobody(lambda: refused(f"{folder}/../{folder.name}/hpgov.yaml"))[:2] == ("invalid", "platform_not_plain")


@needs_root
def test_a_broken_file_of_roots_names_its_line_and_gives_no_source(folder: Path) -> None:
    (folder / "hpgov.yaml").write_bytes(CONTENT + b"clusters: []\n")
    found = as_nobody(lambda: read(folder / "hpgov.yaml"))
    assert found.sources == ()
    assert [(problem.file, problem.line, problem.rule.code) for problem in found.problems] == [("hpgov.yaml", 5, "contract_unknown_field")]


def test_without_a_file_in_the_usual_places_it_is_absent_whoever_we_are() -> None:
    if any(os.path.lexists(f"{place}/hpgov.yaml") for place in ("/etc/hpgov", "/etc/jupyter", "/usr/local/etc/jupyter")):
        pytest.skip("this machine has a platform file")
    assert refused("") == ("absent", "platform_absent", "/etc/hpgov, /etc/jupyter, /usr/local/etc/jupyter")


def test_only_the_sandbox_believes_its_launchers_file_and_follows_no_link(tmp_path: Path) -> None:
    folder = Path(os.path.realpath(tmp_path))
    (folder / "hpgov.yaml").write_bytes(CONTENT)
    found = platform_file(f"{folder}/hpgov.yaml", parse_platform, believe=True).fetch(Deadline(20.0))
    assert isinstance(found, PlatformFile) and found.sources[0].bucket == "acme-contracts"
    (folder / "linked").symlink_to(folder)
    with pytest.raises(Failure) as caught:
        platform_file(f"{folder}/linked/hpgov.yaml", parse_platform, believe=True).fetch(Deadline(20.0))
    assert caught.value.code == "platform_has_link"


def test_a_file_of_ones_own_is_not_believed(tmp_path: Path) -> None:
    path = Path(os.path.realpath(tmp_path)) / "hpgov.yaml"
    path.write_bytes(CONTENT)
    state, _, _ = refused(path)
    assert state == "invalid"
