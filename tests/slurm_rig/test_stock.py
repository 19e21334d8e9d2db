"""A Slurm as HyperPod ships it (facts/slurm.md 7): nothing is enforced, everybody sees everybody, fairshare means nothing; and one without accounting."""

from __future__ import annotations

from .rig import Rig
from .test_states import note


def test_stock(stock: Rig) -> None:
    found = stock.everything("alice")
    codes = {n.code for n in found["notes"]}
    assert "slurm_everyone_sees_jobs" in codes
    assert "slurm_fairshare_not_used" in codes
    assert codes & {"slurm_no_enforcement", "slurm_limits_not_enforced"}
    assert found["config"].limits_enforced is False
    assert {r.enforced for r in found["share"]} <= {False}
    assert "slurm_preempt_none" in codes and "slurm_part_limits_wait" in codes
    if stock.variables["RIG_STOCK"] == "bare":
        note("the cluster keeps no accounts", stock, "commands", found["answer"], "associations", "slurm_accounting_off")
        for name in ("associations", "history", "qos"):
            assert found[name] == ("absent", "slurm_accounting_off"), name
        assert found["own"].items == ()
        assert [p.allowed for p in found["places"] if p.partition == "gpu"] == [True]
    else:
        assert [a.account for a in found["associations"]] == ["root"]
