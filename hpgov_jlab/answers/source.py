"""From a team's readings to what `scheduling` takes: put together once for tasks and share (DESIGN.md 7)."""

from __future__ import annotations

from dataclasses import dataclass

from ..model.kueue import PendingWorkload, ResourceFlavor
from ..model.outcome import State
from ..model.task import Task
from ..policy.kubernetes import FLAVORS
from ..scheduling.states import Team
from ..scheduling.waiting import Queues
from .faults import Fault, fault
from .home import Home
from .slurm import make_tasks
from .team import NamespaceReadings, TeamReadings


def person_ids(found: Home, username: str) -> frozenset[str]:
    """Ids under which a submitter may be recorded as this person. A Space's or an access role's own name is nobody's in particular."""
    ids = {username} if username else set()
    if found.place.data is not None and found.place.data.user_id:
        ids.add(found.place.data.user_id)
    return frozenset(ids)


@dataclass(frozen=True, slots=True)
class Source:
    """What rows are made of, put together once for tasks and share. `slurm`: the rows themselves. `skew`: upstream's clock minus ours, seconds.

    `whole` False: a list behind them is cut or has an object that could not be read, so there may be more. `left_out`: namespaces that none could be made
    of by a fault of ours. `faults`: those, and of what is missing beside.
    """

    teams: tuple[Team, ...] = ()
    slurm: tuple[Task, ...] = ()
    skew: float = 0.0
    whole: bool = True
    left_out: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()


def source_of(found: TeamReadings, person: frozenset[str], now: float) -> Source:
    """Pure; slow for many: for a worker."""
    if found.slurm is not None:
        return Source(slurm=make_tasks(found.slurm, now), skew=found.skew, whole=found.whole)
    teams: list[Team] = []
    faults: list[Fault] = []
    left_out: list[str] = []
    try:
        flavors = _flavors(found)
    except Exception as error:  # noqa: BLE001 - without them a reason to wait is less precise
        flavors = None
        faults.append(fault(FLAVORS.source, error))
    for namespace in found.namespaces:
        try:
            teams.append(_team(found, namespace, flavors, person))
        except Exception as error:  # noqa: BLE001 - of several namespaces the others still come
            faults.append(fault(namespace.name, error))
            left_out.append(namespace.name)
    return Source(tuple(teams), skew=found.skew, whole=found.whole, left_out=tuple(left_out), faults=tuple(faults))


def _flavors(found: TeamReadings) -> dict[str, ResourceFlavor] | None:
    listed = found.flavors.data if found.flavors is not None else None
    return {f.metadata.name: f for f in listed.items} if listed is not None and listed.whole else None  # one that is not listed may be there


def _team(found: TeamReadings, at: NamespaceReadings, flavors: dict[str, ResourceFlavor] | None, person: frozenset[str]) -> Team:
    local = at.local_queues
    labels = found.contract.annotated.get(at.name)
    positions: tuple[PendingWorkload, ...] | None = None
    told = [p.data for p in at.pending.values()]
    if told and all(t is not None for t in told):
        positions = tuple(item for t in told if t is not None for item in t.items)
    view = found.cohort.data if found.cohort is not None else None
    queues = Queues(
        cluster_queues={name: r.data for name, r in at.cluster_queues.items() if r.data is not None},
        cluster_queue_states={name: r.last.state for name, r in at.cluster_queues.items() if r.data is None},
        local_queues={q.metadata.name: q for q in local.data.items} if local is not None and local.data is not None else None,
        local_queue_state=local.last.state if local is not None else State.ABSENT,
        local_queues_whole=local is None or local.data is None or local.data.whole,
        flavors=flavors,
        namespace_labels=labels.data.namespace.labels if labels is not None and labels.data is not None else None,
        available={found.cohort_of: view.available} if view is not None and view.available is not None and found.cohort_of else {},
        potential={found.cohort_of: view.potential} if view is not None and view.potential is not None and found.cohort_of else {},
    )
    read = {kind.kind for kind, r in at.objects.items() if r.ok and r.data is not None and r.data.whole}
    if at.pods is not None and at.pods.ok and at.pods.data is not None and at.pods.data.whole:
        read.add("Pod")
    return Team(
        namespace=at.name,
        workloads=at.workloads.data.items if at.workloads is not None and at.workloads.data is not None else (() if at.workloads is None else None),
        objects=tuple(item for r in at.objects.values() if r.data is not None for item in r.data.items),
        kinds_read=frozenset(read),
        pods=at.pods.data.items if at.pods is not None and at.pods.data is not None else None,
        queues=queues,
        positions=positions,
        person=person,
        workloads_whole=at.workloads is None or at.workloads.data is None or at.workloads.data.whole,
        pods_whole=at.pods is None or at.pods.data is None or at.pods.data.whole,
    )
