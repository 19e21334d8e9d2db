"""One task of any kind, as lifted from the kind's own shape (kinds.py)."""

from __future__ import annotations

from datetime import datetime

from msgspec import field

from .kubernetes import Condition, Filled, Many, Meta, PodTemplate, Shape, epoch

WELL, BADLY = "well", "badly"


class TaskPods(Shape, frozen=True):
    """One pod set as Kueue would count it: `count` pods of `template`; `spares` are included in `count`."""

    name: str = "main"
    count: int = 1
    min_count: int | None = None
    spares: int = 0
    template: Filled[PodTemplate] = field(default_factory=PodTemplate)


class TaskObject(Shape, frozen=True):
    """A task of any kind.

    `suspended` None: the kind has no such switch. `phase` and `reason` are the kind's own words as they came.
    `ended`: "well", "badly", or None while it has not ended. Counts are None where the kind does not tell them.
    `pods` None: what it asks for is not in its spec (a Space from a template).
    """

    kind: str
    plural: str
    api: str  # group/version it was read from
    metadata: Filled[Meta] = field(default_factory=Meta)
    suspended: bool | None = None
    phase: str | None = None
    reason: str | None = None
    conditions: Many[Condition] = ()
    pods: Many[TaskPods] | None = None
    ended: str | None = None
    start: datetime | None = None
    finish: datetime | None = None
    wanted: int | None = None
    active: int | None = None
    ready: int | None = None
    succeeded: int | None = None
    failed: int | None = None
    restarts: int | None = None
    child: str | None = None  # RayJob: the RayCluster it made

    def condition(self, kind: str) -> Condition | None:
        return next((c for c in self.conditions if c.type == kind), None)

    def holds(self, kind: str) -> bool:
        found = self.condition(kind)
        return found is not None and found.true

    @property
    def started_at(self) -> float | None:
        return epoch(self.start)

    @property
    def finished_at(self) -> float | None:
        return epoch(self.finish)


def ending(conditions: tuple[Condition, ...], well: tuple[str, ...], badly: tuple[str, ...]) -> tuple[str | None, Condition | None]:
    for condition in conditions:
        if condition.true and condition.type in badly:
            return BADLY, condition
        if condition.true and condition.type in well:
            return WELL, condition
    return None, None


def now_true(conditions: tuple[Condition, ...]) -> str | None:
    """The last condition with status True: what `hyp` shows."""
    true = [c for c in conditions if c.true]
    return true[-1].type if true else None
