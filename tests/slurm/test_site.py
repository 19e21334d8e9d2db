"""The way to slurmrestd: which version is asked for, what a newer one is read as, and whose token is not used (DESIGN.md 8, S17)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hpgov_jlab.model.outcome import State
from hpgov_jlab.scheduling.slurm_notes import slurm_notes
from hpgov_jlab.sources.slurm import reads
from hpgov_jlab.sources.slurm.site import SlurmAt, SlurmOptions, site

from .fakes import RECORDED, clients, failed, fetched
from .slurmrestd import OWN, FarEnd, jwt, put, recorded


def options(far_end: FarEnd, token_file: Path) -> SlurmOptions:
    """No clients beside it, whatever this machine has."""
    return SlurmOptions(bin_folder=str(token_file.parent / "no-clients"), rest_url=far_end.url, token_file=str(token_file), user="alice")


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (("v0.0.40", "v0.0.41", "v0.0.42"), "v0.0.42"), (("v0.0.36", "v0.0.37", "v0.0.38"), "v0.0.38"), (("v0.0.44", "v0.0.45"), "v0.0.45"),
        (("v0.0.41", "v0.0.42", "v0.0.43"), "v0.0.42"),  # 25.05, which still has two that we know
        (("v0.0.43",), "v0.0.43"),
    ],
)  # fmt: skip
def test_the_newest_that_we_know_is_asked_for(offered: tuple[str, ...], chosen: str, far_end: FarEnd, token_file: Path) -> None:
    for version in offered:
        far_end.answers[f"/slurm/{version}/ping"] = {"errors": [], "pings": [{"pinged": "UP"}]}
        far_end.answers[f"/slurm/{version}/nodes"] = recorded("v0.0.42", "slurm.nodes")
        far_end.answers[f"/slurm/{version}/jobs"] = recorded("v0.0.42", "slurm.jobs")
    found = fetched(site(options(far_end, token_file)))
    assert isinstance(found, SlurmAt)
    assert (found.principal, found.transport_name, found.transport.version) == ("alice", "slurmrestd", chosen)  # type: ignore[union-attr]
    shape = fetched(reads.own_jobs(found)).shape if chosen != "v0.0.38" else None  # type: ignore[attr-defined]
    if shape is not None:
        assert (shape.form, shape.newer) == (chosen, chosen > "v0.0.42")


def test_a_newer_far_end_is_read_in_full_and_says_so(far_end: FarEnd, token_file: Path) -> None:
    """v0.0.43 (25.05) with fields that v0.0.42 has not, in every answer; what was left out of it would be a state of its own."""
    for path in (RECORDED / "rest" / "v0.0.42").glob("root.*.json.gz"):
        family, name = path.name.removeprefix("root.").removesuffix(".json.gz").split(".", 1)
        body = json.loads(recorded("v0.0.42", f"{family}.{name}"))
        body["meta"]["plugin"]["data_parser"], body["meta"]["slurm"]["release"], body["something_new"] = "data_parser/v0.0.43", "25.05.3", {"x": [1]}
        for row in body.get(name, []) if isinstance(body.get(name), list) else []:
            row["a_new_field"] = {"set": True, "infinite": False, "number": 7}
        far_end.answers[f"/{family}/v0.0.43/{name}"] = body
    here = fetched(site(options(far_end, token_file)))
    assert isinstance(here, SlurmAt)
    own, queue, history = fetched(reads.own_jobs(here)), fetched(reads.queue(here)), fetched(reads.history(here))
    for brought in (own, queue, history):
        assert (brought.shape.form, brought.shape.release, brought.shape.newer) == ("v0.0.43", "25.05.3", True)  # type: ignore[attr-defined]
    assert len(own.items) == 11  # type: ignore[attr-defined]
    for read in (reads.associations(here), reads.qos(here), reads.shares(here), reads.partitions(here, OWN), reads.reservations(here, OWN)):
        assert fetched(read), read.source
    assert fetched(reads.nodes(here)).total == 4  # type: ignore[attr-defined]
    assert [n.params for n in slurm_notes(None, OWN, uid=1001, shapes=[own.shape]) if n.code == "slurm_newer_version"] == [{"version": "v0.0.43"}]  # type: ignore[attr-defined]


def test_slurms_own_user_by_another_name(far_end: FarEnd, token_file: Path, tmp_path: Path) -> None:
    """SlurmUser is learned from Slurm's clients where they are: its token makes everybody, whatever it is called."""
    put(far_end, "v0.0.42")
    body = "print('SlurmUser = alice(990)\\nPriorityType = priority/basic'); open(HERE + '/argv', 'a').write(' '.join(ARGS) + '\\n')"
    made = clients(tmp_path / "bin", body)
    failure = failed(site(SlurmOptions(bin_folder=made.folder, sandbox=True, rest_url=far_end.url, token_file=str(token_file), user="alice")))
    assert (failure.state, failure.code, failure.params) == (State.INVALID, "slurm_token_of_root", {"user": "alice"})
    assert far_end.asked == []
    assert (tmp_path / "bin" / "argv").read_text() == "show config\n"


@pytest.mark.parametrize(
    "body", ["sys.exit('scontrol: error: Unable to contact slurm controller')", "print('SlurmUser = hpc(990)\\nPriorityType = x')", "time.sleep(60)"]
)
def test_whose_token_is_ones_own_is_used(body: str, far_end: FarEnd, token_file: Path, tmp_path: Path) -> None:
    """Another SlurmUser, or none that can be learned; the look for it holds nobody up."""
    put(far_end, "v0.0.42")
    made = clients(tmp_path / "bin", body)
    here = fetched(site(SlurmOptions(bin_folder=made.folder, sandbox=True, rest_url=far_end.url, token_file=str(token_file), user="alice")))
    assert isinstance(here, SlurmAt)
    assert fetched(reads.nodes(here)).total == 4  # type: ignore[attr-defined]


def test_a_token_that_is_refused_runs_no_client(far_end: FarEnd, token_file: Path, tmp_path: Path) -> None:
    token_file.write_text(jwt("root"))
    made = clients(tmp_path / "bin", "open(HERE + '/ran', 'w')")
    options_ = SlurmOptions(bin_folder=made.folder, sandbox=True, rest_url=far_end.url, token_file=str(token_file), user="alice")
    assert failed(site(options_)).code == "slurm_token_of_root"
    assert far_end.asked == [] and not (tmp_path / "bin" / "ran").exists()


def test_no_version_that_we_know(far_end: FarEnd, token_file: Path) -> None:
    assert failed(site(options(far_end, token_file))).code == "slurm_version_unknown"


def test_an_expired_token_is_said_before_anything_is_asked(far_end: FarEnd, token_file: Path) -> None:
    token_file.write_text(jwt(exp=1))
    assert failed(site(options(far_end, token_file))).code == "slurm_token_expired"
    assert far_end.asked == []
