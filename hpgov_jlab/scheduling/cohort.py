"""What a cohort reader's rights add (DESIGN.md 7): nameless sums per cohort, and exact figures for the own ClusterQueue.

Every ClusterQueue and Cohort passes through here once and none leaves: what is returned names the own cohort only; those above it are told by how
far above they are. A sum over two queues tells each of them the other's; `queues` says over how many it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..model.kueue import ClusterQueue, Cohort, ResourceGroup
from ..model.quantity import QuantityError, to_amount, to_units
from ..model.share import CohortSum
from .quota import QuotaNode, QuotaTree, QuotaTreeError
from .requests import resource_order

Cell = tuple[str, str]


@dataclass(frozen=True, slots=True)
class CohortView:
    """`available`, `potential`: of the own ClusterQueue per (flavour, resource), exact. `problem`: code of words.py when the tree can't be counted."""

    sums: tuple[CohortSum, ...] = ()
    available: dict[Cell, int] | None = None
    potential: dict[Cell, int] | None = None
    problem: str | None = None


def cohort_view(own: str, cluster_queues: Iterable[ClusterQueue], cohorts: Iterable[Cohort]) -> CohortView:
    """From all ClusterQueues and Cohorts to what may be shown to the team of ClusterQueue `own`."""
    queues, groups = tuple(cluster_queues), tuple(cohorts)
    mine = next((queue for queue in queues if queue.metadata.name == own), None)
    if mine is None or not mine.spec.cohort_name:
        return CohortView()
    parents = {cohort.metadata.name: cohort.spec.parent_name for cohort in groups}
    above: list[str] = []
    at: str | None = mine.spec.cohort_name
    while at is not None:
        if at in above:
            return CohortView(problem="cohort_cycle")
        above.append(at)
        at = parents.get(at)
    sums: list[CohortSum] = []
    available: dict[Cell, int] = {}
    potential: dict[Cell, int] = {}
    try:
        cells = sorted(
            {cell for queue in queues for cell in _cells(queue.spec.resource_groups)}
            | {cell for cohort in groups for cell in _cells(cohort.spec.resource_groups)}
        )
        own_cells = set(_cells(mine.spec.resource_groups))
        for cell in sorted(cells, key=lambda each: (each[0], resource_order(each[1]))):
            tree = QuotaTree(_nodes(cell, queues, groups))
            if cell in own_cells:
                available[cell], potential[cell] = tree.available(own), tree.potential(own)
            for level, cohort in enumerate(above):
                below = tree.queues_below(cohort)
                nominal = sum(
                    node.nominal for (is_queue, name), node in tree.nodes.items() if (name in below if is_queue else _is_below(name, cohort, parents))
                )
                held = sum(tree.nodes[(True, name)].used for name in below)
                if nominal or held:
                    sums.append(
                        CohortSum(
                            mine.spec.cohort_name if level == 0 else f"{mine.spec.cohort_name} (+{level})",
                            cell[0],
                            cell[1],
                            to_amount(cell[1], nominal),
                            to_amount(cell[1], held),
                            len(below),
                        )
                    )
    except QuotaTreeError as e:
        return CohortView(problem=e.rule)
    except QuantityError as e:
        return CohortView(problem=e.rule)
    return CohortView(tuple(sums), available, potential)


def _is_below(name: str, cohort: str, parents: dict[str, str | None]) -> bool:
    at: str | None = name
    while at is not None:
        if at == cohort:
            return True
        at = parents.get(at)
    return False


def _cells(groups: Iterable[ResourceGroup]) -> list[Cell]:
    return [(flavor.name, quota.name) for group in groups for flavor in group.flavors for quota in flavor.resources]


def _nodes(cell: Cell, queues: Iterable[ClusterQueue], cohorts: Iterable[Cohort]) -> list[QuotaNode]:
    nodes = []
    for queue in queues:
        nominal, borrow, lend = _quota(queue.spec.resource_groups, cell)
        used = next(
            (
                to_units(cell[1], each.total)
                for flavor in queue.status.flavors_reservation
                if flavor.name == cell[0]
                for each in flavor.resources
                if each.name == cell[1]
            ),
            0,
        )
        nodes.append(QuotaNode(queue.metadata.name, queue.spec.cohort_name, nominal, borrow, lend, used, is_queue=True))
    for cohort in cohorts:
        nominal, borrow, lend = _quota(cohort.spec.resource_groups, cell)
        nodes.append(QuotaNode(cohort.metadata.name, cohort.spec.parent_name, nominal, borrow, lend))
    return nodes


def _quota(groups: Iterable[ResourceGroup], cell: Cell) -> tuple[int, int | None, int | None]:
    for group in groups:
        for flavor in group.flavors:
            for quota in flavor.resources:
                if (flavor.name, quota.name) == cell:
                    limits = [None if limit is None else to_units(quota.name, limit) for limit in (quota.borrowing_limit, quota.lending_limit)]
                    return to_units(quota.name, quota.nominal_quota), limits[0], limits[1]
    return 0, None, None
