"""Reads of Kueue's objects: the own queue by name, the own namespace's lists, places in line, and cohorts as nameless sums (DESIGN.md 7).

`found` is the discovery of this API server: it fixes the version, and makes absent what is not served, whatever RBAC would answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from ...model.kueue import ClusterQueue, Cohort, LocalQueue, PendingWorkload, ResourceFlavor, Workload, WorkloadPriorityClass
from ...model.outcome import Ask, Failure, State
from ...policy.kubernetes import CLUSTER_QUEUE, COHORT_QUEUES, COHORTS, FLAVORS, LOCAL_QUEUES, PENDING, PRIORITIES, WORKLOADS, Operation
from ...reads import Deadline, Got, Read
from .discovery import Discovery
from .lists import At, Listing, decode_object, decode_page, read_list

T = TypeVar("T")

SLOW_TTL: Final = 300.0
PENDING_LIMIT: Final = 1000


@dataclass(frozen=True, slots=True)
class Places:
    """Places in line of one LocalQueue. `complete` False: more may wait than were asked for. `unread`: so many that could not be read."""

    items: tuple[PendingWorkload, ...]
    complete: bool
    unread: int = 0


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
        items, odd, _ = decode_page(answer.body, PendingWorkload, PENDING, "PendingWorkloadsSummary")
        return Got(Places(tuple(items), len(items) + len(odd) < PENDING_LIMIT, len(odd)), answer.skew)

    return Read(at.key(PENDING, f"{namespace}/{local_queue}"), at.lane, PENDING.source, fetch, list_like=True)


def cohort(at: At, found: Discovery, own: str, digest: Callable[[tuple[ClusterQueue, ...], tuple[Cohort, ...]], T]) -> Read[T]:
    """Every ClusterQueue and Cohort, reduced by `digest` in the worker to what the team of ClusterQueue `own` may be shown (scheduling/cohort.py).

    Two lists in one read, since neither may be kept: other teams' queues pass through memory here and no name of one leaves (DESIGN.md 2.2).
    Raises Failure(INVALID) for a list that is not whole: a sum over a part of it would be wrong.
    """

    def fetch(deadline: Deadline) -> Got[T]:
        queues, skew = read_list(at, COHORT_QUEUES, found.version(COHORT_QUEUES), ClusterQueue, deadline)
        cohorts = read_list(at, COHORTS, found.version(COHORTS), Cohort, deadline)[0] if found.serves(COHORTS) else None
        for listing, operation in ((queues, COHORT_QUEUES), (cohorts, COHORTS)):
            if listing is not None and (not listing.whole):
                raise Failure(State.INVALID, "k8s_cohort_not_whole", {"operation": operation.source}, ask=Ask.JUPYTER_ADMIN)
        return Got(digest(queues.items, cohorts.items if cohorts is not None else ()), skew)

    return Read(at.key(COHORT_QUEUES, own), at.lane, COHORT_QUEUES.source, fetch, list_like=True)
