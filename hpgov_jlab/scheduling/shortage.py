"""What is missing for a task on the queue it goes to, in figures (facts/kubernetes.md 1.6, 1.7): never with this quota, or not now.

All resources are named, not the first one found. With the own ClusterQueue alone, what a cohort can spare is unknown: a figure then says what
would have to be borrowed or come back, never that it is there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..model.kueue import ClusterQueue, FlavorQuotas, ResourceFlavor, Workload
from ..model.outcome import Phrase
from ..model.quantity import QuantityError, spoken, to_amount, to_units
from .requests import Demand, PodSetDemand, resource_order
from .selectors import flavor_matches

Params = dict[str, str | int | float | None]
Cell = tuple[str, str]
"""(flavour, resource)."""


@dataclass(frozen=True, slots=True)
class Quota:
    """One cell of a ClusterQueue in canonical units. `most`: what it could ever hold, None if the cohort would have to be read for that."""

    nominal: int
    held: int | None
    borrowing_limit: int | None
    lending_limit: int | None
    most: int | None
    available: int | None  # exact, from the whole tree or without a cohort; else None

    @property
    def unclaimed(self) -> int | None:
        return None if self.held is None else max(0, self.nominal - self.held)


def quotas(queue: ClusterQueue, available: Mapping[Cell, int] | None = None, potential: Mapping[Cell, int] | None = None) -> dict[Cell, Quota]:
    """Every (flavour, resource) of a ClusterQueue. Raises QuantityError for a quantity that is none."""
    held = {(usage.name, each.name): to_units(each.name, each.total) for usage in queue.status.flavors_reservation for each in usage.resources}
    cells: dict[Cell, Quota] = {}
    for group in queue.spec.resource_groups:
        for flavor in group.flavors:
            for quota in flavor.resources:
                cell = (flavor.name, quota.name)
                nominal = to_units(quota.name, quota.nominal_quota)
                borrow = None if quota.borrowing_limit is None else to_units(quota.name, quota.borrowing_limit)
                lend = None if quota.lending_limit is None else to_units(quota.name, quota.lending_limit)
                reserved = held.get(cell)
                if not queue.spec.cohort_name:
                    most: int | None = nominal
                    spare = None if reserved is None else max(0, nominal - reserved)
                else:
                    limit = None if borrow is None else nominal + borrow
                    told = (potential or {}).get(cell)
                    most = limit if told is None else told if limit is None else min(limit, told)
                    spare = (available or {}).get(cell)
                cells[cell] = Quota(nominal, reserved, borrow, lend, most, spare)
    return cells


@dataclass(frozen=True, slots=True)
class _Gap:
    resource: str
    flavor: str
    asked: int
    limit: int

    @property
    def short(self) -> int:
        return self.asked - self.limit


@dataclass(frozen=True, slots=True)
class Figures:
    """A ClusterQueue as integers, worked out once. `flavors` None: not readable; then no selector or taint is looked at."""

    queue: ClusterQueue
    cells: Mapping[Cell, Quota]
    covered: frozenset[str]
    groups: tuple[tuple[frozenset[str], tuple[str, ...], frozenset[str]], ...]  # covered resources, flavours, label keys of the flavours
    flavors: Mapping[str, ResourceFlavor] | None


def figures_of(
    queue: ClusterQueue, available: Mapping[Cell, int] | None, potential: Mapping[Cell, int] | None, flavors: Mapping[str, ResourceFlavor] | None
) -> Figures | None:
    """None when one of the quotas is no quantity."""
    try:
        cells = quotas(queue, available, potential)
    except QuantityError:
        return None
    groups = tuple(
        (frozenset(group.covered_resources), tuple(flavor.name for flavor in group.flavors), _label_keys(group.flavors, flavors or {}))
        for group in queue.spec.resource_groups
    )
    return Figures(queue, cells, frozenset().union(*(group[0] for group in groups)), groups, flavors)


def missing(workload: Workload, demand: Demand, figures: Figures, ahead: int | None) -> Phrase | None:
    """The reason that the figures give; None when they give none. `ahead`: tasks of the own team before it in line."""
    # a task that may be admitted in part is measured by its least
    least = replace(demand, pod_sets=tuple(replace(each, count=_least(each)) for each in demand.pod_sets))
    asked = {resource: units for resource, units in least.total().items() if units and resource != "pods"}
    name = figures.queue.metadata.name
    if "pods" in figures.covered:
        asked["pods"] = least.pods
    uncovered = sorted(asked.keys() - figures.covered, key=resource_order)
    if uncovered:
        return Phrase("waits_not_covered", {"resources": ", ".join(uncovered), "queue": name})
    choices = _choices(workload, figures, asked)
    if any(not flavors for flavors in choices.values()):
        return Phrase("waits_no_flavor", {"queue": name})
    return _never(least, figures, choices) or _not_now(workload, asked, figures, choices, ahead)


def _choices(workload: Workload, figures: Figures, asked: Mapping[str, int]) -> dict[int, tuple[str, ...]]:
    """Per resource group that is asked for: the flavours that every pod set may use, as far as flavours are readable."""
    found: dict[int, tuple[str, ...]] = {}
    specs = [pod_set.template.spec for pod_set in workload.spec.pod_sets]
    known = figures.flavors
    for index, (covered, names, keys) in enumerate(figures.groups):
        if asked.keys() & covered:
            found[index] = tuple(name for name in names if known is None or name not in known or all(flavor_matches(known[name], spec, keys) for spec in specs))
    return found


def _label_keys(flavors: tuple[FlavorQuotas, ...], known: Mapping[str, ResourceFlavor]) -> frozenset[str]:
    names = {flavor.name for flavor in flavors}
    return frozenset(key for name in names if name in known for key in known[name].spec.node_labels)


def _least(pod_set: PodSetDemand) -> int:
    return pod_set.count if pod_set.min_count is None else min(pod_set.count, pod_set.min_count)


def _never(least: Demand, figures: Figures, choices: Mapping[int, tuple[str, ...]]) -> Phrase | None:
    """More than the queue can ever hold with today's quotas. With several pod sets and flavours only what holds for every way to spread them."""
    smallest = [(each, each.count) for each in least.pod_sets]
    worst: list[_Gap] = []
    largest: int | None = None
    for index, flavors in choices.items():
        group = figures.groups[index][0]
        best: list[_Gap] | None = None
        fits_up_to = 0
        for flavor in flavors:
            gaps = []
            room = None
            for resource in sorted(group, key=resource_order):
                quota = figures.cells.get((flavor, resource))
                if quota is None or quota.most is None:
                    continue
                per_pods = [(1 if resource == "pods" else each.per_pod.get(resource, 0), count) for each, count in smallest]
                whole = sum(units * count for units, count in per_pods)
                # a pod set is never split over flavours; several pod sets may take one flavour each
                need = whole if len(flavors) == 1 else max((units * count for units, count in per_pods), default=0)
                if need > quota.most:
                    gaps.append(_Gap(resource, flavor, need, quota.most))
                if len(per_pods) == 1 and per_pods[0][0]:
                    fit = quota.most // per_pods[0][0]
                    room = fit if room is None else min(room, fit)
            if best is None or len(gaps) < len(best):
                best = gaps
            fits_up_to = max(fits_up_to, room or 0)
        if best:
            worst += best
            largest = fits_up_to if largest is None else min(largest, fits_up_to)
    if not worst:
        return None
    worst.sort(key=lambda gap: (resource_order(gap.resource), gap.flavor))
    first = worst[0]
    params: Params = {
        "resource": first.resource,
        "flavor": first.flavor,
        "amount_asked": to_amount(first.resource, first.asked),
        "amount_most": to_amount(first.resource, first.limit),
        "figures": _figures(worst),
        "pods_asked": sum(count for _, count in smallest),
        "largest_pods": largest if len(smallest) == 1 else None,
    }
    if len(smallest) == 1 and not largest:
        return Phrase("waits_pod_exceeds_queue", params)
    return Phrase("waits_exceeds_queue", params)


def _figures(gaps: list[_Gap]) -> str:
    return "; ".join(f"{gap.resource} ({gap.flavor}): {spoken(gap.resource, gap.asked)} > {spoken(gap.resource, gap.limit)}" for gap in gaps)


def _not_now(workload: Workload, asked: Mapping[str, int], figures: Figures, choices: Mapping[int, tuple[str, ...]], ahead: int | None) -> Phrase | None:
    """What is missing now on the flavour where least is missing: against what is exactly there, else against the own limit, else against the share."""
    hard: list[_Gap] = []
    to_borrow: list[_Gap] = []
    for flavors in choices.values():
        able = [flavor for flavor in flavors if _could_hold(flavor, asked, figures.cells)]
        options = [_gaps(flavor, asked, figures.cells) for flavor in able or flavors]
        known = [option for option in options if option is not None]
        if len(known) < len(options):
            return None  # a queue whose status has not said what is held: no figures, no claim
        firm, soft = min(known, key=lambda option: (len(option[0]), sum(gap.short for gap in option[0]), len(option[1])))
        hard += firm
        to_borrow += soft
    if hard:
        hard.sort(key=lambda gap: (resource_order(gap.resource), gap.flavor))
        return _short("waits_quota", hard)
    if to_borrow:
        to_borrow.sort(key=lambda gap: (resource_order(gap.resource), gap.flavor))
        return _short("waits_to_borrow", to_borrow)
    if ahead and figures.queue.spec.queueing_strategy == "StrictFIFO":  # only there the first one holds up those behind it, of which Kueue says nothing
        return Phrase("waits_behind_own", {"ahead": ahead})
    if workload.condition("QuotaReserved") is None:
        return None
    # evaluated, inside the share, and still not admitted: then the share itself is not there
    return Phrase("waits_share_lent") if figures.queue.spec.cohort_name else Phrase("waits_turn")


def _could_hold(flavor: str, asked: Mapping[str, int], cells: Mapping[Cell, Quota]) -> bool:
    """Whether one flavour could ever hold all of it, as far as is known."""
    quotas_here = ((units, cells.get((flavor, resource))) for resource, units in asked.items())
    return all(quota is None or quota.most is None or units <= quota.most for units, quota in quotas_here)


def _gaps(flavor: str, asked: Mapping[str, int], cells: Mapping[Cell, Quota]) -> tuple[list[_Gap], list[_Gap]] | None:
    """(what is certainly short, what would have to be borrowed) on one flavour; None when the queue has not said what it holds."""
    firm, soft = [], []
    for resource, units in asked.items():
        quota = cells.get((flavor, resource))
        if quota is None:
            continue
        if quota.held is None or quota.unclaimed is None:
            return None
        if quota.available is not None:
            if units > quota.available:
                firm.append(_Gap(resource, flavor, units, quota.available))
            continue
        if quota.borrowing_limit is not None and units > max(0, quota.nominal + quota.borrowing_limit - quota.held):
            firm.append(_Gap(resource, flavor, units, max(0, quota.nominal + quota.borrowing_limit - quota.held)))
        elif units > quota.unclaimed:
            soft.append(_Gap(resource, flavor, units, quota.unclaimed))
    return firm, soft


def _short(code: str, gaps: list[_Gap]) -> Phrase:
    first = gaps[0]
    params: Params = {
        "resource": first.resource,
        "flavor": first.flavor,
        "amount_short": to_amount(first.resource, first.short),
        "amount_asked": to_amount(first.resource, first.asked),
        "amount_there": to_amount(first.resource, first.limit),
        "figures": _figures(gaps),
    }
    return Phrase(code, params)
