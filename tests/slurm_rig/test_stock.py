"""A Slurm as HyperPod ships it (facts/slurm.md 7): nothing is enforced, everybody sees everybody, fairshare means nothing; and one without accounting."""

from __future__ import annotations

from typing import Any

from hpgov_jlab.model.outcome import State

from .rig import Rig
from .test_states import note


def not_enforced(found: dict[str, Any]) -> None:
    codes = {n.code for n in found["notes"]}
    assert "slurm_everyone_sees_jobs" in codes
    assert "slurm_fairshare_not_used" in codes
    assert codes & {"slurm_no_enforcement", "slurm_limits_not_enforced"}
    assert found["config"].limits_enforced is False
    assert {r.enforced for r in found["share"]} <= {False}
    assert "slurm_preempt_none" in codes and "slurm_part_limits_wait" in codes


def test_stock(stock: Rig) -> None:
    found = stock.everything("alice")
    not_enforced(found)
    assert [a.account for a in found["associations"]] == ["root"]


def test_without_accounting_the_clients_say_so(bare: Rig) -> None:
    found = bare.everything("alice")
    not_enforced(found)
    note("the cluster keeps no accounts", bare, "commands", found["answer"], "associations", "slurm_accounting_off")
    for name in ("associations", "history", "qos"):
        assert found[name] == ("absent", "slurm_accounting_off"), name
    assert found["own"].items == ()
    assert [p.allowed for p in found["places"] if p.partition == "gpu"] == [True]


def test_without_accounting_slurmrestd_has_nothing_of_it(bare: Rig) -> None:
    """It starts there only without its plugin for slurmdbd, and whoever asks can't tell that from one that was left out for another reason."""
    bare.sh("as", "alice", "sbatch", "-H", "-J", "hers", "-t", "5", "-o", "/dev/null", "--wrap=true")
    found = bare.everything("alice", "slurmrestd")
    note("the cluster keeps no accounts", bare, "slurmrestd", found["answer"], "associations", "slurm_rest_no_accounts")
    for name in ("associations", "history", "qos"):
        assert found[name] == ("absent", "slurm_rest_no_accounts"), name
    assert found["shares"] == ("absent", "slurm_accounting_off" if bare.root else "slurm_rest_lacks"), "no list of shares is not an empty one"
    assert [j.name for j in found["own"].items] == ["hers"] and found["answer"].parts["tasks"].last.state is State.OK
    assert {p.partition for p in found["places"]} == {"gpu", "prod", "short", "maint"} and found["nodes"].total == 2
