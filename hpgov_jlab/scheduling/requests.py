"""What a pod, a pod set and a Workload ask for, in Kueue's own arithmetic (facts/kubernetes.md 1.5).

Exact integers in canonical units (model/quantity.py): summed exactly, rounded up once per pod, then times the number of pods.
Not read and therefore named in `unknown`: the overhead of a RuntimeClass that the template does not carry, and device classes of
dynamic resource allocation. The manager's own rewriting of requests is not readable either; `rewritten` finds it by comparison.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from ..model.kinds import TaskObject
from ..model.kubernetes import Container, PodSpec, Quantity
from ..model.kueue import PodSet, Workload
from ..model.quantity import QuantityError, nano_to_units, parse_nano, to_amount, to_units
from ..model.task import Amount, PodSetFact

Units = dict[str, int]
"""Resource -> canonical integer."""

UNKNOWN_OVERHEAD = "request_overhead_not_read"
UNKNOWN_CLAIMS = "request_claims_not_counted"
UNKNOWN_QUANTITY = "request_quantity_unreadable"


@dataclass(frozen=True, slots=True)
class PodDemand:
    """Of one pod. `unknown`: codes of words.py for what could not be counted."""

    units: Units
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PodSetDemand:
    """`count` is what holds or asks for quota now: reclaimed pods are taken off, a partly admitted or elastic set counts what was admitted.

    `asked` is the count of the spec. `flavors` is empty while nothing is assigned.
    """

    name: str
    count: int
    asked: int
    min_count: int | None
    per_pod: Units
    flavors: Mapping[str, str] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()

    def total(self) -> Units:
        return {resource: units * self.count for resource, units in self.per_pod.items()}


@dataclass(frozen=True, slots=True)
class Demand:
    """Of a whole task. `source`: admission (Kueue's, admitted), kueue (Kueue's, pending), computed (ours, from the templates)."""

    pod_sets: tuple[PodSetDemand, ...]
    source: str

    def total(self) -> Units:
        return sum_units(each.total() for each in self.pod_sets)

    def by_flavor(self) -> dict[tuple[str, str], int]:
        """(flavour, resource) -> units, for what is assigned."""
        held: dict[tuple[str, str], int] = {}
        for each in self.pod_sets:
            for resource, units in each.total().items():
                if resource in each.flavors:
                    key = (each.flavors[resource], resource)
                    held[key] = held.get(key, 0) + units
        return held

    @property
    def pods(self) -> int:
        return sum(each.count for each in self.pod_sets)

    @property
    def flavors(self) -> tuple[str, ...]:
        return tuple(sorted({flavor for each in self.pod_sets for flavor in each.flavors.values()}))

    @property
    def unknown(self) -> tuple[str, ...]:
        return tuple(sorted({code for each in self.pod_sets for code in each.unknown}))


def sum_units(parts: Iterable[Mapping[str, int]]) -> Units:
    total: Units = {}
    for part in parts:
        for resource, units in part.items():
            total[resource] = total.get(resource, 0) + units
    return total


def amounts(units: Mapping[str, int]) -> tuple[Amount, ...]:
    """For people: accelerators and other devices first, then cpu, memory and the rest; zeros left out."""
    return _amounts(tuple(units.items()))


@lru_cache(maxsize=1024)  # thousands of tasks ask for the same few amounts
def _amounts(units: tuple[tuple[str, int], ...]) -> tuple[Amount, ...]:
    return tuple(Amount(resource, to_amount(resource, held)) for resource, held in sorted(units, key=lambda pair: resource_order(pair[0])) if held)


def resource_order(resource: str) -> tuple[int, str]:
    """Scarce first: extended resources bear a domain, Kubernetes' own do not."""
    return (0 if "/" in resource else {"cpu": 1, "memory": 2}.get(resource, 3), resource)


# -- one pod ------------------------------------------------------------------------------------------------------------------
def pod_demand(spec: PodSpec) -> PodDemand:
    """Requests of one pod: the larger of its containers with sidecars and its running init maximum; pod-level resources win; then overhead."""
    try:
        nano = _pod_nano(spec)
    except QuantityError:
        return PodDemand({}, (UNKNOWN_QUANTITY,))
    unknown = []
    if spec.runtime_class_name and not spec.overhead:
        unknown.append(UNKNOWN_OVERHEAD)
    if spec.resource_claims:
        unknown.append(UNKNOWN_CLAIMS)
    return PodDemand({resource: nano_to_units(resource, value) for resource, value in nano.items()}, tuple(unknown))


def _pod_nano(spec: PodSpec) -> Units:
    total = sum_units(_container(container) for container in spec.containers)
    sidecars: Units = {}
    init_peak: Units = {}
    for container in spec.init_containers:
        asks = _container(container)
        if container.restart_policy == "Always":  # a sidecar runs on beside everything that starts later
            sidecars = sum_units((sidecars, asks))
            total = sum_units((total, asks))
        else:
            init_peak = _largest(init_peak, sum_units((sidecars, asks)))
    total = _largest(total, init_peak)
    if spec.resources is not None:
        for resource, value in _requests(spec.resources.requests, spec.resources.limits).items():
            if resource in ("cpu", "memory") or resource.startswith("hugepages-"):
                total[resource] = value
    return sum_units((total, _nano(spec.overhead)))


def _container(container: Container) -> Units:
    return {} if container.resources is None else _requests(container.resources.requests, container.resources.limits)


def _requests(requests: Mapping[str, Quantity], limits: Mapping[str, Quantity]) -> Units:
    """A limit stands in for a request that is missing."""
    return {**_nano(limits), **_nano(requests)}


def _nano(texts: Mapping[str, Quantity]) -> Units:
    return {resource: parse_nano(text) for resource, text in texts.items()}


def _largest(first: Units, second: Units) -> Units:
    return {resource: max(first.get(resource, 0), second.get(resource, 0)) for resource in first.keys() | second.keys()}


# -- a Workload ---------------------------------------------------------------------------------------------------------------
def pod_set_demand(pod_set: PodSet, reclaimed: int = 0) -> PodSetDemand:
    """Computed from the template."""
    pod = pod_demand(pod_set.template.spec)
    return PodSetDemand(pod_set.name, max(0, pod_set.count - reclaimed), pod_set.count, pod_set.min_count, pod.units, {}, pod.unknown)


def workload_demand(workload: Workload) -> Demand:
    """What the Workload holds (admitted) or asks for (pending); Kueue's own figures win over the templates.

    Whether quota is really held is a matter of its state: an evicted Workload may still carry an admission (scheduling/states.py).
    """
    status = workload.status
    reclaimed = {each.name: each.count for each in status.reclaimable_pods}
    specs = {each.name: each for each in workload.spec.pod_sets}
    if status.admission is not None:
        assigned = []
        for each in status.admission.pod_set_assignments:
            spec = specs.get(each.name, PodSet(name=each.name, count=each.count or 0))
            count = spec.count if each.count is None else each.count
            per_pod, unknown = _per_pod(each.resource_usage, count)
            assigned.append(PodSetDemand(each.name, max(0, count - reclaimed.get(each.name, 0)), spec.count, spec.min_count, per_pod, each.flavors, unknown))
        return Demand(tuple(assigned), "admission")
    told = {each.name: each.resources for each in status.resource_requests}
    if told and all(name in told for name in specs):
        return Demand(tuple(_told(each, reclaimed.get(each.name, 0), told[each.name]) for each in workload.spec.pod_sets), "kueue")
    return Demand(tuple(pod_set_demand(each, reclaimed.get(each.name, 0)) for each in workload.spec.pod_sets), "computed")


def object_demand(found: TaskObject) -> Demand | None:
    """What a task without a Workload would ask for, from its own spec; None when that is not in its spec."""
    if found.pods is None:
        return None
    sets = []
    for each in found.pods:
        pod = pod_demand(each.template.spec)
        sets.append(PodSetDemand(each.name, each.count, each.count, each.min_count, pod.units, {}, pod.unknown))
    return Demand(tuple(sets), "computed")


def _told(pod_set: PodSet, reclaimed: int, resources: Mapping[str, Quantity]) -> PodSetDemand:
    count = max(0, pod_set.count - reclaimed)
    per_pod, unknown = _per_pod(resources, count)
    return PodSetDemand(pod_set.name, count, pod_set.count, pod_set.min_count, per_pod, {}, unknown)


def _per_pod(texts: Mapping[str, Quantity], count: int) -> tuple[Units, tuple[str, ...]]:
    """Kueue's totals were made by multiplication, so they divide; `pods` is Kueue's own bookkeeping of one per pod."""
    try:
        return {resource: to_units(resource, text) // count if count else 0 for resource, text in texts.items()}, ()
    except QuantityError:
        return {}, (UNKNOWN_QUANTITY,)


def rewritten(workload: Workload) -> tuple[str, ...] | None:
    """Resources for which Kueue counts something else than the templates say: the manager rewrites requests. None: nothing to compare."""
    told = {each.name: each.resources for each in workload.status.resource_requests}
    if workload.status.admission is not None or not told:
        return None
    found: set[str] = set()
    reclaimed = {each.name: each.count for each in workload.status.reclaimable_pods}
    for pod_set in workload.spec.pod_sets:
        mine = pod_set_demand(pod_set, reclaimed.get(pod_set.name, 0))
        theirs, unknown = _per_pod(told.get(pod_set.name, {}), mine.count)
        if mine.unknown or unknown:
            return None
        found |= {resource for resource in (mine.per_pod.keys() | theirs.keys()) - {"pods"} if mine.per_pod.get(resource, 0) != theirs.get(resource, 0)}
    return tuple(sorted(found))


def pod_set_facts(demand: Demand) -> tuple[PodSetFact, ...]:
    return tuple(
        PodSetFact(each.name, each.count, each.min_count, amounts(each.per_pod), tuple(sorted(set(each.flavors.values())))) for each in demand.pod_sets
    )
