"""PrivateData, word by word, through both transports, on both versions: what a member sees, and not one foreign name (docs/tables/private-data.md)."""

from __future__ import annotations

import re

import pytest

from hpgov_jlab.model.outcome import State

from . import tables
from .product import Answer
from .rig import Rig, text_of

FOREIGN = ("carol", "erin", "opal", "mallory", "team-production", "prod-big", 'resources"')
"""Names that have nothing to do with alice: other teams' users, account, jobs."""
TEAMMATES = ("bob", "run-res2", "qosuser")
SINGLE = ("accounts", "events", "jobs", "nodes", "partitions", "reservations", "usage", "users")
"""Every word that PrivateData takes in both versions (slurm.conf's man page)."""
WORDS = ("none", *SINGLE, ",".join(SINGLE))
TRANSPORTS = ("commands", "slurmrestd")
ACCOUNTS = ("research-nlp", "research-vision")
HEAD = (
    "PrivateData", "Slurm", "read through", "own jobs", "the team's jobs", "others named", "own accounts", "the team's limit", "limits of QoS",
    "fairshare", "partitions", "reservations", "not readable, and said so", "notices", "foreign names",
)  # fmt: skip
TEXT = (
    "Made on a real Slurm by tests/slurm_rig/test_matrix.py: alice, a member of two accounts of one team, reads everything; PrivateData stands in slurm.conf "
    "and in slurmdbd.conf. *All* is what root sees of the same. *Foreign names* counts users, accounts and jobs of other teams in any byte of any answer. "
    "What slurmrestd has no form of (configuration, usage, accounts; with 22.05 fairshare, too) is told as `slurm_rest_lacks` and not repeated in each row."
)
PRIVACY = {
    "slurm_everyone_sees_jobs", "slurm_only_own_jobs", "slurm_team_limits_may_hide", "slurm_reservations_hidden", "slurm_account_limits_hidden",
    "slurm_privacy_unknown", "slurm_reservations_unknown",
}  # fmt: skip
"""Notices that have to do with who sees whom; the others are the same in every row."""
CODES: set[str] = set()


def names_in(found: dict[str, object], names: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(read, name) for read, value in found.items() for name in names if re.search(rf"\b{re.escape(name)}", text_of(value))]


def truth(rig: Rig) -> tuple[set[str], set[str]]:
    """Own jobs and the team's other jobs, as root sees them."""
    lines = rig.sh("as", "root", "squeue", "--noheader", "--states=all", f"--account={','.join(ACCOUNTS)}", "--format=%i|%u").split()
    rows = [line.split("|") for line in lines]
    return {job for job, user in rows if user == "alice"}, {job for job, user in rows if user != "alice"}


def share_of(seen: set[str], all_: set[str]) -> str:
    return "all" if seen == all_ else "none" if not seen else f"{len(seen)} of {len(all_)}"


def cells(answer: Answer, own: set[str], team: set[str], transport: str) -> tuple[str, ...]:
    mine = {t.workload or "" for t in answer.tasks if t.mine}
    others = [t for t in answer.tasks if not t.mine]
    rows = answer.made.rows
    notices = [n.code for n in answer.made.notes if n.code in PRIVACY]
    states = {
        f"{label.removeprefix('slurm/')} `{outcome.code}`": outcome.code
        for label, outcome in answer.reads.items()
        if outcome.state is not State.OK and outcome.code != "slurm_rest_lacks"
    }
    CODES.update(notices, states.values())
    limit = next((r.limit for r in rows if r.name == "team-research" and r.resource == "gres/gpu" and not r.own), None)
    if limit is None:
        limit = "not visible: said so" if "slurm_account_limits_hidden" in notices else "no form of it" if transport == "slurmrestd" else "NOT TOLD"
    else:
        limit = f"{limit} GPUs"
    associations = answer.of("slurm/associations")
    fairshare, places, reservations = answer.made.fairshare, answer.made.places, answer.data.get("slurm/reservations")
    return (
        share_of(mine & own, own),
        share_of({t.workload or "" for t in others}, team),
        ", ".join(sorted({t.submitter or "" for t in others})) or "nobody",
        ", ".join(sorted({a.account for a in associations})) if answer.reads["slurm/associations"].state is State.OK else "not readable",
        limit,
        ", ".join(sorted({r.name for r in rows if r.scope == "qos"})) or "none",
        ", ".join(sorted({f.account for f in fairshare})) or "–",
        ", ".join(p.partition for p in places) or "–",
        ", ".join(str(r.name) for r in reservations) if reservations else "none shown",
        ", ".join(states) or "–",
        ", ".join(f"`{code}`" for code in notices) or "–",
        "0",
    )


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("words", WORDS)
def test_private_data(words: str, transport: str, rig: Rig) -> None:
    """Not one foreign job, user or account name in any byte of any answer; the team's jobs where the cluster shows them; and what is hidden is said."""
    rig.private(words)
    found = rig.everything("alice", transport)
    answer: Answer = found["answer"]
    assert names_in(found, FOREIGN) == []
    own, team = truth(rig)
    # slurmrestd sends jobs of hidden partitions along: without its list of partitions it tells none of others (test_real.py)
    hidden = "jobs" in words.split(",") or (transport == "slurmrestd" and "partitions" in words.split(","))
    seen = names_in({k: v for k, v in found.items() if k != "answer"}, TEAMMATES)
    assert bool(seen) is not hidden, seen
    made = cells(answer, own, team, transport)
    assert made[0] == "all", "her own jobs are always hers to see"
    assert made[1] == ("none" if hidden else "all")
    assert "NOT TOLD" not in made
    codes = {n.code for n in found["notes"]}
    if transport == "commands":
        assert found["config"].private_data == (() if words == "none" else tuple(sorted(words.split(","))))
        assert ("slurm_only_own_jobs" in codes) is hidden
    else:
        assert ("slurm_privacy_unknown" in codes) is hidden, "a list that lacks the team's jobs says that it may"
        assert ("slurm_reservations_unknown" in codes) is ("reservations" in words.split(","))
    tables.MATRIX[words if words in ("none", *SINGLE) else "all eight", transport, rig.version] = made
