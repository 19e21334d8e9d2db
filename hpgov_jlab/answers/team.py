"""What the team's namespaces say: the reads behind tasks, share and manifest box, each by its own right (DESIGN.md 7)."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ..model import naming
from ..model.connection import Connection, Orchestrator
from ..model.kinds import KINDS, Kind, TaskObject
from ..model.kubernetes import Pod
from ..model.kueue import ClusterQueue, LocalQueue, ResourceFlavor, Workload, WorkloadPriorityClass
from ..model.outcome import Ask, Layer, Outcome, Reading, State
from ..policy.kubernetes import CLUSTER_QUEUE, COHORT_QUEUES, LOCAL_QUEUES, PENDING, WORKLOADS, kind_operation, question
from ..reads import Asker, Read
from ..scheduling.cohort import CohortView, cohort_view
from ..sources.kubernetes import kueue, tasks
from ..sources.kubernetes.discovery import Discovery, discovery
from ..sources.kubernetes.kueue import Places
from ..sources.kubernetes.lists import At, Listing
from ..sources.kubernetes.reviews import Self, access_review, self_review
from .home import Home
from .parts import not_whole
from .reach import Reached, reach
from .records import ContractReadings, ahead, contracts
from .slurm import SlurmReadings, slurm
from .world import World

GLANCE, FULL = "glance", "full"
"""How much is read: what a card shows, or what the dashboard shows as well (flavours, priority classes, places in line, the cohort)."""
MOST_QUEUES = 16
"""So many queues of a namespace are asked for, those first that most Workloads name: each is a request of its own. How many are left out is told."""
TOKEN_REFUSED = "k8s_token_refused"  # noqa: S105 - a code of words.py


@dataclass(slots=True)
class NamespaceReadings:
    """Reads of one namespace; None: not asked (not served, or not needed for what is shown)."""

    name: str
    workloads: Reading[Listing[Workload]] | None = None
    local_queues: Reading[Listing[LocalQueue]] | None = None
    cluster_queues: dict[str, Reading[ClusterQueue]] = field(default_factory=dict)
    by_rule: bool = False  # the ClusterQueue's name was made by HyperPod's rule
    objects: dict[Kind, Reading[Listing[TaskObject]]] = field(default_factory=dict)
    pods: Reading[Listing[Pod]] | None = None
    pending: dict[str, Reading[Places]] = field(default_factory=dict)
    queues_left_out: int = 0  # LocalQueues, or ClusterQueues, that are not asked for, since there are too many

    def listed(self) -> list[Reading[Any]]:
        """The lists that tasks come from."""
        return [r for r in (self.workloads, *self.objects.values(), self.pods) if r is not None]

    def not_whole(self) -> list[Outcome]:
        """What the lists that tasks come from lack."""
        return [o for r in self.listed() for o in not_whole(r, self.name)]

    def lines_not_whole(self) -> list[Outcome]:
        return [*(o for queue, r in self.pending.items() for o in not_whole(r, f"{self.name}/{queue}")), *self.queues_not_asked()]

    def queues_not_asked(self) -> list[Outcome]:
        """That some queues are left out, since there are too many."""
        if not self.queues_left_out:
            return []
        params: dict[str, str | int | float | None] = {"scope": self.name, "count": self.queues_left_out}
        at = self.local_queues.last.at if self.local_queues is not None else None
        return [Outcome(State.UNREACHABLE, "k8s_queues_left_out", CLUSTER_QUEUE.source, at, params, ask=Ask.CLUSTER_ADMIN)]

    def readings(self) -> Iterator[tuple[str, Reading[Any]]]:
        """Each with a label that is the same from answer to answer."""
        for label, reading in (("workloads", self.workloads), ("localqueues", self.local_queues), ("pods", self.pods)):
            if reading is not None:
                yield f"{self.name}/{label}", reading
        for queue, found in self.cluster_queues.items():
            yield f"clusterqueue/{queue}", found
        for kind, listed in self.objects.items():
            yield f"{self.name}/{kind.plural}", listed
        for queue, places in self.pending.items():
            yield f"{self.name}/pending/{queue}", places

    def aged(self, age: Callable[[Any], Any]) -> NamespaceReadings:
        """The same with the ages that `age` gives its readings."""
        return replace(
            self,
            workloads=age(self.workloads),
            local_queues=age(self.local_queues),
            cluster_queues={name: age(r) for name, r in self.cluster_queues.items()},
            objects={kind: age(r) for kind, r in self.objects.items()},
            pods=age(self.pods),
            pending={name: age(r) for name, r in self.pending.items()},
        )


@dataclass(slots=True)
class TeamReadings:
    """`blocked`: why nothing was asked of the API server. `namespaces` empty and not blocked: none is in scope."""

    home: Home
    reached: Reached
    contract: ContractReadings
    discovery: Reading[Discovery] | None
    self_: Reading[Self] | None
    namespaces: tuple[NamespaceReadings, ...] = ()
    flavors: Reading[Listing[ResourceFlavor]] | None = None
    priorities: Reading[Listing[WorkloadPriorityClass]] | None = None
    cohort: Reading[CohortView] | None = None
    blocked: Outcome | None = None
    cohort_of: str | None = None  # the ClusterQueue whose cohort was read
    several_queues: tuple[str, ...] = ()  # of several ClusterQueues no cohort is read
    slurm: SlurmReadings | None = None  # of a Slurm cluster, which has no namespaces

    def readings(self) -> dict[str, Reading[Any]]:
        found: dict[str, Reading[Any]] = {}
        for label, reading in (("discovery", self.discovery), ("flavors", self.flavors), ("priorities", self.priorities), ("cohort", self.cohort)):
            if reading is not None:
                found[label] = reading
        for namespace in self.namespaces:
            found.update(namespace.readings())
        if self.slurm is not None:
            found.update(self.slurm.readings())
        # whose rights stand behind a reading is part of its label: what was made of another identity's readings is found no more, old generations too
        whose = self.reached.at.principal if self.reached.at is not None else ""
        return {f"{whose}|{label}": reading for label, reading in found.items()}

    def as_made(self, inputs: Mapping[str, float] | None) -> TeamReadings:
        """The same with the ages of what rows were made of (`Made.inputs`): rows are never newer than what they came from."""
        if inputs is None:
            return self
        ages = {id(reading): inputs[label] for label, reading in self.readings().items() if label in inputs}

        def age(reading: Any) -> Any:
            return replace(reading, as_of=ages[id(reading)]) if id(reading) in ages else reading

        slurm_ = self.slurm.aged(age) if self.slurm is not None else None
        return replace(self, namespaces=tuple(n.aged(age) for n in self.namespaces), slurm=slurm_)

    def not_whole(self) -> list[Outcome]:
        """What the lists that tasks come from lack."""
        return [*(o for n in self.namespaces for o in n.not_whole()), *(self.slurm.not_whole() if self.slurm is not None else ())]

    @property
    def whole(self) -> bool:
        """Whether every task is among those that were read; else their number is a lowest one."""
        return not self.not_whole()

    @property
    def has_rows(self) -> bool:
        """Whether tasks and share can be made at all."""
        return bool(self.namespaces) or (self.slurm is not None and self.slurm.blocked is None)

    @property
    def kueue(self) -> bool | None:
        """Whether Kueue is served; None: not known."""
        return None if self.discovery is None or self.discovery.data is None else self.discovery.data.serves(WORKLOADS)

    @property
    def skew(self) -> float:
        return next((r.skew for r in self.readings().values() if r.skew is not None), 0.0)


async def team(ask: Asker, world: World, at_home: Home, connection: Connection, depth: str) -> TeamReadings:
    """Everything of one connection. A token that the API server refused is renewed once, and what it refused is read again."""
    reached = await ask.meanwhile(reach(ask, world, at_home, connection), ahead(ask, world, at_home))
    found = await _through(ask, world, at_home, reached, depth)
    if reached.orchestrator is Orchestrator.SLURM and reached.at is None:
        found.slurm = await slurm(ask, world, at_home, connection, full=depth == FULL)
        found.blocked = found.slurm.blocked
        return found
    refused = [label for label, reading in _all(found).items() if reading.last.code == TOKEN_REFUSED]
    if refused and reached.token_read is not None:
        ask.renew(reached.token_read)
        again = await reach(ask, world, at_home, connection)
        if again.at is not None and reached.at is not None and again.at.reach.token != reached.at.reach.token:
            found = await _through(ask, world, at_home, again, depth, retry=True)
    return found


def _all(found: TeamReadings) -> dict[str, Reading[Any]]:
    more = {"self": found.self_} if found.self_ is not None else {}
    return {**found.readings(), **more, **{f"contract/{n}": r for n, r in enumerate(found.contract.readings)}}


async def _through(ask: Asker, world: World, at_home: Home, reached: Reached, depth: str, *, retry: bool = False) -> TeamReadings:
    at = reached.at
    ask_for = _Again(ask) if retry else ask
    seen: Reading[Discovery] | None = None
    self_: Reading[Self] | None = None
    if at is not None:
        seen, self_ = await ask_for.two(discovery(at), self_review(at))
    served = seen.data if seen is not None else None
    contract = await contracts(ask_for, world, at_home, reached.connection, at, served)
    found = TeamReadings(at_home, reached, contract, seen, self_)
    if at is None:
        found.blocked = reached.blocked
        return found
    if served is None:
        found.blocked = reached.explain(seen.last) if seen is not None else None
        return found
    names = contract.read_namespaces
    reading = ask_for.together(*(_namespace(ask_for, at, served, name, depth) for name in names))
    if names and depth == FULL and served.serves(WORKLOADS) is not False:
        reading = ask_for.meanwhile(reading, ask_for.two(kueue.resource_flavors(at, served), kueue.priority_classes(at, served)))
    found.namespaces = tuple(await reading)
    if names and depth == FULL:
        await _cluster_wide(ask_for, world, at, served, found)
    return found


class _Again(Asker):
    """Reads that a refused token stopped are asked for again whatever their time to live says."""

    def __init__(self, inner: Asker) -> None:
        self._inner = inner

    async def one(self, read: Read[Any]) -> Reading[Any]:
        reading = await self._inner.one(read)
        if reading.last.code == TOKEN_REFUSED:
            self._inner.renew(read)
            reading = await self._inner.one(read)
        return reading

    async def all(self, reads: Sequence[Read[Any]]) -> list[Reading[Any]]:
        return list(await asyncio.gather(*(self.one(read) for read in reads)))


async def _cluster_wide(ask: Asker, world: World, at: At, served: Discovery, found: TeamReadings) -> None:
    if served.serves(WORKLOADS) is False:
        return
    found.flavors, found.priorities = await ask.two(kueue.resource_flavors(at, served), kueue.priority_classes(at, served))
    if world.settings.cohort_reads:
        queues = list(dict.fromkeys(name for n in found.namespaces for name, q in n.cluster_queues.items() if q.data is not None and q.data.spec.cohort_name))
        if len(queues) > 1:  # there is no one tree to show
            found.several_queues = tuple(queues)
        if len(queues) == 1:
            found.cohort_of = queues[0]
            found.cohort = await _cohort(ask, world, at, served, queues[0])


async def _cohort(ask: Asker, world: World, at: At, served: Discovery, own: str) -> Reading[CohortView]:
    """Other teams' queues are listed only where the self-review allows the list (DESIGN.md 7): a refused list would stand in the audit log."""
    review = await ask.one(access_review(at, world.budget, frozenset(), question(COHORT_QUEUES)))
    if review.data is not None and review.data.allowed:
        return await ask.one(kueue.cohort(at, served, own, partial(cohort_view, own)))
    if review.data is None:
        return Reading(None, None, replace(review.last, source=COHORT_QUEUES.source))
    params: dict[str, str | int | float | None] = {"operation": COHORT_QUEUES.source, "scope": own}
    return Reading(None, None, Outcome(State.DENIED, "k8s_denied", COHORT_QUEUES.source, review.last.at, params, Layer.CLUSTER, Ask.CLUSTER_ADMIN))


async def _namespace(ask: Asker, at: At, served: Discovery, name: str, depth: str) -> NamespaceReadings:
    """Lists first, together; then the ClusterQueues by name, since only the LocalQueue or an admitted Workload names them."""
    found = NamespaceReadings(name)
    wanted: dict[Any, Read[Any]] = {}
    if served.serves(WORKLOADS) is not False:
        wanted["workloads"] = kueue.workloads(at, served, name)
    if served.serves(LOCAL_QUEUES) is not False:
        wanted["localqueues"] = kueue.local_queues(at, served, name)
    # also for a card, which counts as the dashboard does: what runs, what has no node and what no queue governs is not told by Workloads alone
    wanted.update({kind: tasks.objects(at, served, kind, name) for kind in KINDS if served.serves(kind_operation(kind))})
    wanted["pods"] = tasks.pods(at, name)
    for label, reading in zip(wanted, await ask.all(list(wanted.values())), strict=True):
        if label == "workloads":
            found.workloads = reading
        elif label == "localqueues":
            found.local_queues = reading
        elif label == "pods":
            found.pods = reading
        else:
            found.objects[label] = reading
    every_local = _local_names(found)
    every = _queue_names(found, every_local) if found.workloads is not None and served.serves(CLUSTER_QUEUE) is not False else []
    found.queues_left_out = max(0, max(len(every), len(every_local)) - MOST_QUEUES)
    if found.workloads is not None:
        names = every[:MOST_QUEUES]
        local = every_local[:MOST_QUEUES] if depth == FULL and served.serves(PENDING) is not False else []
        reads: list[Read[Any]] = [*(kueue.cluster_queue(at, served, q) for q in names), *(kueue.pending(at, served, name, q) for q in local)]
        readings = await ask.all(reads)
        found.cluster_queues.update(zip(names, readings[: len(names)], strict=True))
        found.pending.update(zip(local, readings[len(names) :], strict=True))
    return found


def _queue_names(found: NamespaceReadings, local: Iterable[str]) -> list[str]:
    """As the LocalQueues say, else as the admitted Workloads say, else by HyperPod's rule (facts/hyperpod.md 2.2), which is marked."""
    if found.local_queues is not None and found.local_queues.data is not None:
        named = {q.metadata.name: q.spec.cluster_queue for q in found.local_queues.data.items}
        return list(dict.fromkeys(queue for name in local if (queue := named[name])))
    workloads = found.workloads.data.items if found.workloads is not None and found.workloads.data is not None else ()
    names = _named(w.status.admission.cluster_queue for w in workloads if w.status.admission is not None)
    if not names:
        names = [naming.cluster_queue_of(found.name)]
        found.by_rule = True
    return names


def local_names(found: NamespaceReadings) -> list[str]:
    """Those that are asked for."""
    return _local_names(found)[:MOST_QUEUES]


def asked_local_queues(found: NamespaceReadings) -> tuple[LocalQueue, ...] | None:
    """The objects of `local_names`; None: not readable."""
    asked, listed = set(local_names(found)), found.local_queues.data if found.local_queues is not None else None
    return tuple(q for q in listed.items if q.metadata.name in asked) if listed is not None else None


def _local_names(found: NamespaceReadings) -> list[str]:
    """All, as they are listed; of too many those first that most Workloads name."""
    workloads = found.workloads.data.items if found.workloads is not None and found.workloads.data is not None else ()
    if found.local_queues is None or found.local_queues.data is None:
        return _named(w.spec.queue_name for w in workloads) or [naming.local_queue_of(found.name)]
    names = [q.metadata.name for q in found.local_queues.data.items]
    if len(names) <= MOST_QUEUES:
        return names
    used = Counter(w.spec.queue_name for w in workloads)
    return sorted(names, key=lambda name: -used[name])


def _named(names: Iterable[str | None]) -> list[str]:
    """Each once; of too many the most named first."""
    found = Counter(name for name in names if name)
    return list(found) if len(found) <= MOST_QUEUES else [name for name, _ in found.most_common()]
