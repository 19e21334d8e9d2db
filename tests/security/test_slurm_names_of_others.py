"""Other teams' names that Slurm makes or lists: a reservation called after an excluded account, QoS of which it is not known whether they are hers."""

from __future__ import annotations

import pytest

from hpgov_jlab.model.slurm import SlurmAssociation, SlurmLimit, SlurmOwn, SlurmQos, SlurmUsage
from hpgov_jlab.model.task import Task, TaskState
from hpgov_jlab.scheduling.slurm import own_of
from hpgov_jlab.scheduling.slurm_share import slurm_share
from hpgov_jlab.sources.slurm import scontrol

OWN = SlurmOwn("alice", ("nlp",), None, ("alice",))


@pytest.mark.parametrize(("name", "who"), [("vision_1", "Users=(null) Accounts=-vision,-audio"), ("bob_12", "Users=-bob Accounts=(null)")])
def test_a_reservation_called_after_whom_it_excludes_has_no_name(name: str, who: str) -> None:
    out = f"ReservationName={name} StartTime=1796010000 EndTime=1796020000\n   Nodes=gpu-[1-2] NodeCnt=2 Flags=\n   {who} Groups=(null)\n"
    assert [one.name for one in scontrol.reservations(out, OWN, "x")] == [None]


def test_while_her_qos_are_not_known_none_but_those_she_uses_are_told() -> None:
    """The database is down: the controller's memory tells all QoS with what is held of them, and not which are hers."""
    limit = SlurmLimit("group", "gres/gpu", "64", "48")
    usage = SlurmUsage((SlurmAssociation("nlp", "alice"),), tuple(SlurmQos(name, limits=(limit,)) for name in ("vision-urgent", "normal")))
    own = own_of("alice", (), usage.associations)
    running = Task("job-1", "slurm", "nlp", "Slurm job", "train", TaskState.RUNNING, priority_class="normal", mine=True)
    theirs = Task("job-2", "slurm", "nlp", "Slurm job", "x", TaskState.RUNNING, priority_class="vision-urgent", mine=False)
    assert own.qos is None
    assert {row.name for row in slurm_share(usage, None, None, None, None, own, (running, theirs)) if row.scope == "qos"} == {"normal"}
    assert [row for row in slurm_share(usage, None, None, None, None, own) if row.scope == "qos"] == []
