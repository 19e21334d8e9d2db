"""Reads of Kueue's objects: the own queue by name, the own namespace's lists, places in line, and cohorts as nameless sums (DESIGN.md 7).

`found` is the discovery of this API server: it fixes the version, and makes absent what is not served, whatever RBAC would answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeVar

from ...model.kubernetes import Quantity
from ...model.kueue import ClusterQueue, Cohort, LocalQueue, PendingWorkload, ResourceFlavor, Workload, WorkloadPriorityClass
from ...model.outcome import Ask, Failure, State
from ...model.quantity import QuantityError, to_amount, to_units
from ...model.share import CohortSum
from ...policy.kubernetes import CLUSTER_QUEUE, COHORT_QUEUES, COHORTS, FLAVORS, LOCAL_QUEUES, PENDING, PRIORITIES, WORKLOADS, Operation
from ...reads import Deadline, Got, Read
from .discovery import Discovery
from .lists import At, Listing, decode_object, decode_page, read_list

T = TypeVar("T")

SLOW_TTL: Final = 300.0
PENDING_LIMIT: Final = 1000


@dataclass(frozen=True, slots=True)
class Places:
    """Places in line of one LocalQueue. `complete` False: more were waiting than are asked for."""

    items: tuple[PendingWorkload, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class CohortOwn:
    """The own cohort's object. `exists` False: its name is implied by queues only. `has_parent`: it stands in a larger tree, whose names are not kept.

    `quotas`: (flavour, resource, amount) of the cohort's own shared quota, canonical decimal strings.
    """

    exists: bool
    has_parent: bool
    quotas: tuple[tuple[str, str, str], ...]


def _listed(
    at: At, found: Discovery, operation: Operation, shape: type[T], namespace: str = "", *, ttl: float = 30.0, list_like: bool = True
) -> Read[Listing[T]]:
    def fetch(deadline: Deadline) -> Got[Listing[T]]:
        return Got(*read_list(at, operation, found.version(operation), shape, deadline, namespace=namespace))

    return Read(at.key(operation, namespace), at.lane, operation.source, fetch, ttl=ttl, list_like=list_like)


def workloads(at: At, found: Discovery, namespace: str) -> Read[Listing[Workload]]:
    """Workloads of one namespace."""
    return _listed(at, found, WORKLOADS, Workload, namespace)


def local_queues(at: At, found: Discovery, namespace: str) -> Read[Listing[LocalQueue]]:
    """LocalQueues of one namespace. The official HyperPod team role may not read them (facts/hyperpod.md 2.8)."""
    return _listed(at, found, LOCAL_QUEUES, LocalQueue, namespace)


def resource_flavors(at: At, found: Discovery) -> Read[Listing[ResourceFlavor]]:
    return _listed(at, found, FLAVORS, ResourceFlavor, ttl=SLOW_TTL, list_like=False)


def priority_classes(at: At, found: Discovery) -> Read[Listing[WorkloadPriorityClass]]:
    return _listed(at, found, PRIORITIES, WorkloadPriorityClass, ttl=SLOW_TTL, list_like=False)


def cluster_queue(at: At, found: Discovery, name: str) -> Read[ClusterQueue]:
    """One ClusterQueue by GET of its name: a list is refused to a team (facts/kubernetes.md 2.2)."""

    def fetch(deadline: Deadline) -> Got[ClusterQueue]:
        answer = at.api.get(at.reach, CLUSTER_QUEUE, deadline, version=found.version(CLUSTER_QUEUE), name=name)
        return Got(decode_object(answer.body, ClusterQueue, "ClusterQueue", CLUSTER_QUEUE), answer.skew)

    return Read(at.key(CLUSTER_QUEUE, name), at.lane, CLUSTER_QUEUE.source, fetch, ttl=15.0)


def pending(at: At, found: Discovery, namespace: str, local_queue: str) -> Read[Places]:
    """Places in line from the visibility API, by LocalQueue: other teams' names stay out of it (facts/kubernetes.md 1.4)."""

    def fetch(deadline: Deadline) -> Got[Places]:
        answer = at.api.get(
            at.reach, PENDING, deadline, version=found.version(PENDING), namespace=namespace, name=local_queue, query={"limit": str(PENDING_LIMIT)}
        )  # fmt: skip
        items, _, _ = decode_page(answer.body, PendingWorkload, PENDING, "PendingWorkloadsSummary")
        return Got(Places(tuple(items), len(items) < PENDING_LIMIT), answer.skew)

    return Read(at.key(PENDING, f"{namespace}/{local_queue}"), at.lane, PENDING.source, fetch, list_like=True)


def cohort_sums(at: At, found: Discovery, cohort: str) -> Read[tuple[CohortSum, ...]]:
    """Nominal quota and held quota of all queues of the own cohort, summed per flavour and resource.

    Every team's queue passes through memory during this read; no name of one leaves it (DESIGN.md 2.2).
    """

    def fetch(deadline: Deadline) -> Got[tuple[CohortSum, ...]]:
        listing, skew = read_list(at, COHORT_QUEUES, found.version(COHORT_QUEUES), ClusterQueue, deadline)
        if not listing.complete or listing.unread:
            raise Failure(State.INVALID, "k8s_cohort_not_whole", {"operation": COHORT_QUEUES.source}, ask=Ask.JUPYTER_ADMIN)
        return Got(sum_cohort(listing.items, cohort), skew)

    return Read(at.key(COHORT_QUEUES, cohort), at.lane, COHORT_QUEUES.source, fetch, list_like=True)


def sum_cohort(queues: Iterable[ClusterQueue], cohort: str) -> tuple[CohortSum, ...]:
    """Pure: the sums of `cohort_sums`. Raises Failure(INVALID) for an amount that is no quantity."""
    nominal: dict[tuple[str, str], int] = {}
    held: dict[tuple[str, str], int] = {}
    members: dict[tuple[str, str], int] = {}
    try:
        for queue in queues:
            if queue.spec.cohort_name != cohort:
                continue
            for group in queue.spec.resource_groups:
                for flavor in group.flavors:
                    for resource in flavor.resources:
                        at = (flavor.name, resource.name)
                        nominal[at] = nominal.get(at, 0) + to_units(resource.name, resource.nominal_quota)
                        members[at] = members.get(at, 0) + 1
            for usage in queue.status.flavors_reservation:
                for used in usage.resources:
                    at = (usage.name, used.name)
                    held[at] = held.get(at, 0) + to_units(used.name, used.total)
    except QuantityError as error:
        raise Failure(State.INVALID, error.rule, ask=Ask.CLUSTER_ADMIN) from None
    return tuple(
        CohortSum(cohort, flavor, resource, to_amount(resource, units), to_amount(resource, held.get((flavor, resource), 0)), members[(flavor, resource)])
        for (flavor, resource), units in sorted(nominal.items())
    )


def cohort_own(at: At, found: Discovery, cohort: str) -> Read[CohortOwn]:
    """The own cohort's object out of the list of Cohorts; nothing of the others is kept."""

    def fetch(deadline: Deadline) -> Got[CohortOwn]:
        listing, skew = read_list(at, COHORTS, found.version(COHORTS), Cohort, deadline)
        own = next((c for c in listing.items if c.metadata.name == cohort), None)
        if own is None:
            if not listing.complete or listing.unread:
                raise Failure(State.INVALID, "k8s_cohort_not_whole", {"operation": COHORTS.source}, ask=Ask.JUPYTER_ADMIN)
            return Got(CohortOwn(False, False, ()), skew)
        quotas = [
            (flavor.name, resource.name, _amount(resource.name, resource.nominal_quota))
            for group in own.spec.resource_groups
            for flavor in group.flavors
            for resource in flavor.resources
        ]
        return Got(CohortOwn(True, own.spec.parent_name is not None, tuple(quotas)), skew)

    return Read(at.key(COHORTS, cohort), at.lane, COHORTS.source, fetch, ttl=SLOW_TTL)


def _amount(resource: str, text: Quantity) -> str:
    try:
        return to_amount(resource, to_units(resource, text))
    except QuantityError as error:
        raise Failure(State.INVALID, error.rule, ask=Ask.CLUSTER_ADMIN) from None
