"""The team's share: a ClusterQueue's own numbers per flavour and resource, and what holds them (DESIGN.md 7, 9; facts/kubernetes.md 1.3, 5).

Numbers come from the ClusterQueue alone, never from sums of ours; the Workloads only say what holds them. Exact decimal strings throughout. Without the
ClusterQueue there is no row: a LocalQueue knows what it holds, not what the team is entitled to.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Final

from ..model.kueue import ClusterQueue, FlavorUsage, LocalQueue
from ..model.outcome import Phrase
from ..model.quantity import QuantityError, amount_units, canonical, is_zero, not_below_zero, subtract, to_amount
from ..model.share import Holder, KueueShareRow, QueueFacts
from .requests import resource_order, workload_demand
from .states import Team, holds_quota, team_units
from .waiting import inactive_reason

HOLDERS = 200
"""Holders of one row that are named, longest first; the person's own always are."""
_Holding = tuple[float, str, str, str, int, bool, bool | None]
"""Since (inf: not told), uid, kind, name, units, is a Space, mine. A plain tuple, which the collector of garbage leaves alone: there may be thousands."""
_UNITS: Final = 4
_NOT_ACCELERATORS = ("vpc.amazonaws.com/", "hugepages-", "requests.", "attachable-volumes-")


@dataclass(frozen=True, slots=True)
class Share:
    """`rows` in the ClusterQueue's order of flavours, scarce resources first. `notes`: what limits them, as codes of words.py."""

    rows: tuple[KueueShareRow, ...]
    notes: tuple[Phrase, ...] = ()


def share_of(queue: ClusterQueue | None, teams: Sequence[Team] = (), local_queues: Iterable[LocalQueue] = (), *, left_out: Sequence[str] = ()) -> Share:
    """Rows of one ClusterQueue. `teams`: the namespaces that may hold of it, each with its Workloads or None where not readable. `left_out`: those of which
    not even that could be made, so that what they hold is not told.

    With queue None and LocalQueues there are no rows and a note that says why.
    """
    if queue is None:
        known = tuple(local_queues)
        return Share((), (Phrase("share_nominal_not_known", {"queue": known[0].spec.cluster_queue or None}),) if known else ())
    notes: list[Phrase] = []
    try:
        held, admitted = _usage(queue.status.flavors_reservation), _usage(queue.status.flavors_usage)
        borrowed = {
            (flavor.name, each.name): canonical(each.name, each.borrowed)
            for flavor in queue.status.flavors_reservation
            for each in flavor.resources
            if each.borrowed is not None
        }
        holding = _holding(queue.metadata.name, teams)
        not_readable = [*(team.namespace for team in teams if team.workloads is None), *left_out]
        all_readable = bool(teams) and not not_readable
        rows: list[KueueShareRow] = []
        lagging = False
        for group in queue.spec.resource_groups:
            for flavor in group.flavors:
                for quota in sorted(flavor.resources, key=lambda each: resource_order(each.name)):
                    cell = (flavor.name, quota.name)
                    if cell not in held:
                        continue
                    nominal = canonical(quota.name, quota.nominal_quota)
                    found = holding.get(cell, [])
                    holders = _longest(quota.name, found)
                    rest = subtract(held[cell], to_amount(quota.name, sum(each[_UNITS] for each in found))) if all_readable else None
                    lagging |= rest is not None and rest.startswith("-")
                    rows.append(
                        KueueShareRow(
                            kind="kueue",
                            flavor=flavor.name,
                            resource=quota.name,
                            nominal=nominal,
                            held=held[cell],
                            admitted=admitted.get(cell),
                            borrowed=borrowed.get(cell, not_below_zero(subtract(held[cell], nominal)) if queue.spec.cohort_name else "0"),
                            unclaimed=not_below_zero(subtract(nominal, held[cell])),
                            may_borrow_up_to=_limit(quota.name, quota.borrowing_limit) if queue.spec.cohort_name else "0",
                            may_lend_up_to=_limit(quota.name, quota.lending_limit) if queue.spec.cohort_name else "0",
                            in_cohort=bool(queue.spec.cohort_name),
                            holders=holders,
                            not_attributed=rest,
                            more_holders=len(found) - len(holders),
                        )
                    )
    except QuantityError:
        return Share((), (Phrase("share_quantity_unreadable", {"queue": queue.metadata.name}),))
    expected = sum(len(flavor.resources) for group in queue.spec.resource_groups for flavor in group.flavors)
    if len(rows) < expected:
        notes.append(Phrase("share_not_reported", {"queue": queue.metadata.name, "rows": expected - len(rows)}))
    if lagging:  # one status for all its rows (facts/kubernetes.md 1.7): whose a difference is, in any of them, shows when it has caught up
        rows = [row if row.not_attributed is None or is_zero(row.not_attributed) else replace(row, not_attributed=None) for row in rows]
        notes.append(Phrase("share_status_lags", {"queue": queue.metadata.name}))
    if not_readable:
        notes.append(Phrase("share_holders_not_readable", {"namespaces": ", ".join(not_readable)}))
    if any(not is_zero(row.not_attributed) for row in rows if row.not_attributed is not None):
        notes.append(Phrase("share_not_attributed", {"queue": queue.metadata.name}))
    return Share(tuple(rows), tuple(notes))


def _usage(flavors: Iterable[FlavorUsage]) -> dict[tuple[str, str], str]:
    return {(flavor.name, each.name): canonical(each.name, each.total) for flavor in flavors for each in flavor.resources}


def _limit(resource: str, quantity: str | None) -> str | None:
    return None if quantity is None else canonical(resource, quantity)


def _longest(resource: str, holding: list[_Holding]) -> tuple[Holder, ...]:
    ordered = sorted(holding, key=itemgetter(0, 1))
    chosen = ordered if len(ordered) <= HOLDERS else [*ordered[:HOLDERS], *(each for each in ordered[HOLDERS:] if each[-1])]
    return tuple(
        Holder(uid, kind, name, to_amount(resource, units), None if since == math.inf else since, is_space, mine)
        for since, uid, kind, name, units, is_space, mine in chosen
    )


def _holding(queue: str, teams: Sequence[Team]) -> dict[tuple[str, str], list[_Holding]]:
    """(flavour, resource) -> who holds of it in a ClusterQueue."""
    found: dict[tuple[str, str], list[_Holding]] = {}
    for team in teams:
        for unit in team_units(team):
            workload = unit.workload
            if workload is None or not holds_quota(workload) or workload.status.admission is None or workload.status.admission.cluster_queue != queue:
                continue
            reserved = workload.condition("QuotaReserved")
            claimed = unit.created_by
            mine = None if claimed is None or not team.person else claimed in team.person
            for cell, units in workload_demand(workload).by_flavor().items():
                if units:
                    since = reserved.at if reserved is not None and reserved.at is not None else math.inf
                    found.setdefault(cell, []).append((since, unit.uid, unit.kind, unit.name, units, unit.is_space, mine))
    return found


def queue_facts(
    queue: ClusterQueue | None,
    local: LocalQueue | None,
    *,
    cluster_queue: str | None = None,
    local_queue: str | None = None,
) -> QueueFacts:
    """What the queues say beside numbers. `cluster_queue`, `local_queue`: names made by HyperPod's rule, used and marked where the object was not read.

    Counts are the ClusterQueue's; without it the LocalQueue's, which are that LocalQueue's part only.
    """
    spec = queue.spec if queue is not None else None
    status = queue.status if queue is not None else local.status if local is not None else None
    named = queue.metadata.name if queue is not None else local.spec.cluster_queue if local is not None and local.spec.cluster_queue else None
    preemption = spec.preemption if spec is not None else None
    borrow = preemption.borrow_within_cohort if preemption is not None else None
    local_stop = local.spec.stop_policy if local is not None and local.spec.stop_policy not in (None, "None") else None
    reason = inactive_reason(queue, None) if queue is not None else None
    if reason is None and local is not None and local_stop is not None:
        reason = Phrase("local_queue_stopped", {"queue": local.metadata.name, "policy": local_stop})
    return QueueFacts(
        cluster_queue=named or cluster_queue,
        cluster_queue_by_rule=named is None and cluster_queue is not None,
        local_queue=local.metadata.name if local is not None else local_queue,
        local_queue_by_rule=local is None and local_queue is not None,
        cohort=spec.cohort_name if spec is not None else None,
        active=False if reason is not None else status.active if status is not None else None,
        not_active_reason=reason,
        stop_policy=(spec.stop_policy or "None") if spec is not None else local_stop,
        strategy=(spec.queueing_strategy or "BestEffortFIFO") if spec is not None else None,
        within_queue=(preemption.within_cluster_queue if preemption is not None else None) or ("Never" if spec is not None else None),
        reclaim=(preemption.reclaim_within_cohort if preemption is not None else None) or ("Never" if spec is not None else None),
        borrow_preempts=(borrow.policy if borrow is not None else None) or ("Never" if spec is not None else None),
        fair_weight=_weight(queue),
        pending=status.pending_workloads if status is not None else None,
        reserving=status.reserving_workloads if status is not None else None,
        admitted=status.admitted_workloads if status is not None else None,
    )


def _weight(queue: ClusterQueue | None) -> str | None:
    if queue is None:
        return None
    weight = queue.spec.fair_sharing.weight if queue.spec.fair_sharing is not None else None
    try:
        return canonical("cpu", weight) if weight is not None else "1"  # a plain number with milli steps, counted like cpu
    except QuantityError:
        return None


def glance(rows: Iterable[KueueShareRow]) -> KueueShareRow | None:
    """The row for a card's one bar: of the accelerators the scarcest, that is the most held of its share; without accelerators the first row."""
    given = tuple(rows)
    accelerators = [row for row in given if is_accelerator(row.resource) and not (is_zero(row.nominal) and is_zero(row.held))]
    best: KueueShareRow | None = None
    for row in accelerators:
        if best is None or _scarcer(row, best):
            best = row
    return best or (given[0] if given else None)


def is_accelerator(resource: str) -> bool:
    """Devices that compute: GPUs, MIG slices, Neuron; network interfaces and huge pages are not."""
    return "/" in resource and not resource.startswith(_NOT_ACCELERATORS)


def _scarcer(first: KueueShareRow, second: KueueShareRow) -> bool:
    """held/nominal compared by cross-multiplication: exact, and a nominal of zero that is held at all is the scarcest."""
    a_held, a_nominal = amount_units(first.resource, first.held), amount_units(first.resource, first.nominal)
    b_held, b_nominal = amount_units(second.resource, second.held), amount_units(second.resource, second.nominal)
    left, right = a_held * b_nominal, b_held * a_nominal
    return left > right or (left == right and a_nominal > b_nominal)
