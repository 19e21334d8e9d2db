"""Owner references are for everybody to write who may make an object: in a row, in a circle, thousands to one owner.

The work grows with their number and not with its square, since one worker puts together the rows of all connections; and no task vanishes in a circle.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any

import pytest

from hpgov_jlab.model.kubernetes import Pod, build
from hpgov_jlab.model.kueue import Workload
from hpgov_jlab.model.taskobject import TaskObject
from hpgov_jlab.scheduling.matching import Unit, units
from hpgov_jlab.scheduling.states import Team, tasks_of

from ..scheduling.frames import lifted, workload

Everything = tuple[tuple[Workload, ...], tuple[TaskObject, ...], tuple[Pod, ...]]


def owned_by(number: int) -> list[dict[str, Any]]:
    return [{"kind": "Job", "name": f"j{number}", "uid": f"u{number}", "controller": True}]


def job(number: int, owner: int | None = None) -> TaskObject:
    meta = {"name": f"j{number}", "namespace": "team", "uid": f"u{number}", "ownerReferences": owned_by(owner) if owner is not None else []}
    return lifted("jobs.batch", "v1", {"metadata": meta, "spec": {}})


def pod(number: int, owner: int) -> Pod:
    return build({"metadata": {"name": f"p{number}", "namespace": "team", "uid": f"p{number}", "ownerReferences": owned_by(owner)}}, Pod)


def row_of(many: int) -> Everything:
    return (), tuple(job(n, n + 1) for n in range(many)), tuple(pod(n, 0) for n in range(many))


def to_one(many: int) -> Everything:
    slices = tuple(workload(f"w{n}", metadata={"ownerReferences": owned_by(0)}) for n in range(many))
    return slices, (job(0),), tuple(pod(n, 0) for n in range(many))


def calls(work: Callable[[], Sequence[Unit]]) -> int:
    """How many functions of ours are called meanwhile: the same on every machine."""
    count = 0

    def each(_: FrameType, event: str, __: Any) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(each)
    try:
        assert work()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("shape", [row_of, to_one])
def test_twice_as_many_are_twice_the_work(shape: Callable[[int], Everything]) -> None:
    def told(many: int) -> int:
        workloads, objects, pods = shape(many)
        return calls(lambda: units(workloads, objects, frozenset({"Job", "Pod"}), pods))

    assert told(400) < 2.5 * told(200)


@pytest.mark.parametrize("many", [1, 2, 3])
@pytest.mark.parametrize("tail", [0, 2])
def test_what_owns_each_other_in_a_circle_is_one_row_and_not_none(many: int, tail: int) -> None:
    """Whichever is looked at first; what hangs on it belongs to it."""
    circle = [job(n, (n + 1) % many) for n in range(many)]
    hanging = [job(many + n, many + n - 1) for n in range(tail)]
    pods = (pod(0, many + tail - 1),)
    for objects in ([*circle, *hanging], [*hanging, *circle], [*reversed(hanging), *reversed(circle)]):
        [task] = tasks_of(Team("team", (), tuple(objects), frozenset({"Job", "Pod"}), pods), 1.8e9)
        assert task.name == "j0"
        [unit] = units((), objects, frozenset({"Job", "Pod"}), pods)
        assert unit.pods == pods
