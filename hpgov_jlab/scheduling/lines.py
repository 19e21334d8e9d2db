"""Places in line (facts/kubernetes.md 1.4, 1.6): from the visibility API, or computed from the own Workloads and marked so.

Shown 1-based, as the place in the own team's line: other teams are not in it, and a smaller task may pass (DESIGN.md 9).
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ..model.kueue import PendingWorkload, Workload

VISIBILITY, COMPUTED = "visibility", "computed"


class Place(Struct, frozen=True, gc=False):
    """`place` is 1-based in the LocalQueue; `source` visibility or computed. `ahead`: own tasks before it.

    A struct that the collector of garbage does not visit: thousands are held while rows are made.
    """

    place: int
    source: str

    @property
    def ahead(self) -> int:
        return self.place - 1


def in_line(workload: Workload, now: float) -> bool:
    """Whether the Workload stands in a line at all: not ended, active, without quota, and not sitting out a back-off."""
    if workload.holds("Finished") or not workload.active or workload.holds("QuotaReserved") or not workload.spec.queue_name:
        return False
    return workload.requeue_at is None or workload.requeue_at <= now


def order_key(workload: Workload) -> tuple[int, float, str]:
    """Kueue's order: priority, then creation, or the eviction's time after PodsReadyTimeout and AdmissionCheck, then UID."""
    evicted = workload.condition("Evicted")
    at = workload.metadata.created_at or 0.0
    if evicted is not None and evicted.true and evicted.reason in ("PodsReadyTimeout", "AdmissionCheck") and evicted.at is not None:
        at = evicted.at
    return (-workload.priority, at, workload.metadata.uid)


def places(workloads: Iterable[Workload], now: float, visible: Iterable[PendingWorkload] | None = None) -> dict[str, Place]:
    """Workload uid -> place. `visible` None: the visibility API is not readable; then everything is computed.

    A Workload that the visibility API does not list has no place: it lists what stands in line (and for a moment what was deleted).
    """
    waiting = [each for each in workloads if in_line(each, now)]
    if visible is not None:
        told = {each.metadata.name: each.position_in_local_queue for each in visible}
        return {each.metadata.uid: Place(position + 1, VISIBILITY) for each in waiting if (position := told.get(each.metadata.name)) is not None}
    lines: dict[str, list[Workload]] = {}
    for each in waiting:
        lines.setdefault(each.spec.queue_name, []).append(each)
    return {each.metadata.uid: Place(number, COMPUTED) for line in lines.values() for number, each in enumerate(sorted(line, key=order_key), 1)}
