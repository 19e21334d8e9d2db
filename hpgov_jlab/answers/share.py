"""The team's share: rows per flavour and resource and what holds them, the queue's own facts, and nameless sums of the cohort (DESIGN.md 7, 9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..model import naming
from ..model.kueue import ClusterQueue, LocalQueue
from ..model.outcome import Ask, Outcome, Phrase, Reading, State
from ..model.share import CohortSum, KueueShareRow, QueueFacts
from ..policy.kubernetes import LOCAL_QUEUES
from ..scheduling.share import Share, glance, queue_facts, share_of
from ..scheduling.states import Team, gang_scheduling
from ..wire.pages import NamespaceQueue, Part, ShareGlance, SharePage
from . import slurm_parts
from .faults import Fault, Faults, fault
from .parts import blocked, from_part, not_whole, part
from .slurm import SlurmMade, make_share
from .source import Source
from .tasks import no_scope
from .team import NamespaceReadings, TeamReadings, asked_local_queues, local_names

FEW_TEAMS = 2
NOT_SLURM = Outcome(State.ABSENT, "not_slurm", "Slurm", ask=Ask.NOBODY)


@dataclass(frozen=True, slots=True)
class ShareMade:
    """`faults`: of queues and namespaces that are left out of rows or notes by a fault of ours."""

    rows: tuple[KueueShareRow, ...]
    notes: tuple[Phrase, ...]
    slurm: SlurmMade | None = None
    faults: tuple[Fault, ...] = ()


def make(found: TeamReadings, source: Source, now: float, *, holders: bool = True) -> ShareMade:
    """All rows. Pure; slow for many Workloads: for a worker. `holders` False: without what holds them, for a card's bar."""
    if found.slurm is not None:
        return ShareMade((), (), make_share(found.slurm, source.slurm, now))
    rows: list[KueueShareRow] = []
    notes: list[Phrase] = []
    faults: list[Fault] = list(source.faults)
    seen: set[str] = set()
    for at in found.namespaces:
        for name, reading in at.cluster_queues.items():
            if reading.data is None or name in seen:
                continue
            seen.add(name)
            made = _share(reading.data, source, faults)
            rows += made.rows if holders else (replace(row, holders=()) for row in made.rows)
            notes += made.notes
        if any(r.data is not None for r in at.cluster_queues.values()):
            continue
        try:
            notes += share_of(None, local_queues=asked_local_queues(at) or ()).notes
        except Exception as error:  # noqa: BLE001 - of several namespaces the others still come
            faults.append(fault(at.name, error))
    legacy = (
        found.discovery is not None and found.discovery.data is not None and "v1beta2" not in found.discovery.data.served.get("workloads.kueue.x-k8s.io", ())
    )
    for one in source.teams:
        try:
            if gang_scheduling(one.workloads or (), always_reports_ready=not legacy):
                notes.append(Phrase("share_gang_scheduling", {"namespace": one.namespace}))
        except Exception as error:  # noqa: BLE001 - of several namespaces the others still come
            faults.append(fault(one.namespace, error))
    unique = [note for number, note in enumerate(notes) if note not in notes[:number]]
    return ShareMade(tuple(rows), tuple(unique), faults=tuple(faults))


def _share(queue: ClusterQueue, source: Source, faults: list[Fault]) -> Share:
    """Of one queue. Its figures are its own: they stand also where what holds them can't be worked out, of all namespaces or of some."""
    try:
        return share_of(queue, source.teams, left_out=source.left_out)
    except Exception:  # noqa: BLE001 - whose fault it is, is found below
        try:
            share_of(queue)
        except Exception as error:  # noqa: BLE001 - of several queues the others still come
            faults.append(fault(queue.metadata.name, error))
            return Share(())
    sound: list[Team] = []
    left_out = list(source.left_out)
    for team in source.teams:
        try:
            share_of(queue, (team,))
            sound.append(team)
        except Exception as error:  # noqa: BLE001 - of several namespaces the others still come
            faults.append(fault(team.namespace, error))
            left_out.append(team.namespace)
    try:
        return share_of(queue, sound, left_out=left_out)
    except Exception as error:  # noqa: BLE001 - what no namespace causes alone
        faults.append(fault(queue.metadata.name, error))
        return share_of(queue, left_out=[team.namespace for team in source.teams])


def _queues(found: TeamReadings) -> list[Reading[Any]]:
    return [r for n in found.namespaces for r in n.cluster_queues.values()]


def _main(found: TeamReadings) -> Outcome:
    """The ClusterQueue makes the rows: its own read says how they stand. Without Kueue there is no share."""
    queues = [r.last for r in _queues(found)]
    if not queues:
        workloads = [n.workloads.last for n in found.namespaces if n.workloads is not None]
        if workloads:
            return workloads[0]
        return Outcome(
            State.ABSENT, "no_kueue", "list workloads.kueue.x-k8s.io", found.discovery.last.at if found.discovery is not None else None, ask=Ask.CLUSTER_ADMIN
        )
    return next((o for o in queues if o.state is not State.OK), queues[0])


def rows_part(found: TeamReadings, made: ShareMade | None) -> Part[list[KueueShareRow]]:
    if found.blocked is not None:
        return blocked(found.blocked, *found.reached.readings())
    if not found.namespaces:
        return blocked(no_scope(found))
    main = found.reached.explain(_main(found))
    readings = [*_queues(found), *(n.workloads for n in found.namespaces if n.workloads is not None)]
    if made is None:
        if main.state is State.OK:
            main = Outcome(State.PENDING, "not_read_yet", main.source, main.at)
        return blocked(main, *readings)
    if main.state is not State.OK and not any(r.data is not None for r in _queues(found)):
        return blocked(main, *readings)  # no queue was read: no rows is not an empty share
    if made.faults and not made.rows:
        return blocked(made.faults[0].outcome(main.source, main.at), *readings)  # nor are none that could be put together
    lacks = [o for n in found.namespaces for o in (*not_whole(n.workloads, n.name), *n.queues_not_asked())]
    return part(list(made.rows), readings, last=main, also=[*lacks, *(each.outcome(main.source, main.at) for each in made.faults)])


def glance_part(found: TeamReadings, made: ShareMade | None) -> Part[Any]:
    """The card's one bar: ShareGlance, or LimitGlance of a Slurm cluster."""
    if found.slurm is not None and found.blocked is None:
        return slurm_parts.glance_part(found.slurm, made.slurm if made is not None else None)
    rows = rows_part(found, made)
    best = glance(made.rows) if made is not None and rows.data is not None else None
    data = None if best is None else ShareGlance(flavor=best.flavor, resource=best.resource, nominal=best.nominal, held=best.held, borrowed=best.borrowed)
    return from_part(rows, data)


def _facts(at: NamespaceReadings, local: LocalQueue | None, name: str | None) -> QueueFacts:
    """Of one LocalQueue, or without it of one ClusterQueue."""
    queue = at.cluster_queues[name].data if name is not None and name in at.cluster_queues else None
    facts = queue_facts(queue, local, cluster_queue=name, local_queue=naming.local_queue_of(at.name))
    if facts.cluster_queue_by_rule and not at.by_rule:
        facts = replace(facts, cluster_queue_by_rule=False)  # an admitted Workload names it
    if local is None and (named := _named_by_workloads(at, name)):
        return replace(facts, local_queue=named[0], local_queue_by_rule=not _a_workload_names(at, named[0]))
    return facts


def _a_workload_names(at: NamespaceReadings, local_queue: str) -> bool:
    return at.workloads is not None and at.workloads.data is not None and any(w.spec.queue_name == local_queue for w in at.workloads.data.items)


def _named_by_workloads(at: NamespaceReadings, cluster_queue: str | None) -> list[str]:
    """LocalQueues that the own Workloads name: of several ClusterQueues those through which this one was reached."""
    if len(at.cluster_queues) <= 1 or at.workloads is None or at.workloads.data is None:
        return local_names(at)
    admitted = (w for w in at.workloads.data.items if w.status.admission is not None and w.status.admission.cluster_queue == cluster_queue)
    return list(dict.fromkeys(w.spec.queue_name for w in admitted if w.spec.queue_name))


def _all_queue_parts(found: TeamReadings, faults: Faults) -> list[NamespaceQueue]:
    """Of every namespace; of one that fails by a fault of ours, that."""
    queues: list[NamespaceQueue] = []
    for at in found.namespaces:
        try:
            queues += queue_parts(found, at)
        except Exception as error:  # noqa: BLE001 - of several namespaces the others still come
            broken = fault(at.name, error)
            faults.tell(found.reached.connection.id, broken)
            why: Part[Any] = blocked(broken.outcome(LOCAL_QUEUES.source, None))
            queues.append(NamespaceQueue(namespace=at.name, queue=why, local_queue=why))
    return queues


def queue_parts(found: TeamReadings, at: NamespaceReadings) -> list[NamespaceQueue]:
    """What the queues of one namespace say: one per LocalQueue, without those one per ClusterQueue; at least one, which says what is so."""
    listed = asked_local_queues(at)
    locals_ = [at.local_queues] if at.local_queues is not None else []
    lacks = [*not_whole(at.local_queues, at.name), *at.queues_not_asked()]
    local: Part[str]
    if at.local_queues is None:
        local = blocked(found.reached.explain(_main(found)))
    else:
        named = ", ".join(q.metadata.name for q in listed) if listed is not None else None
        local = part(named, [at.local_queues], last=found.reached.explain(at.local_queues.last), also=lacks)
    pairs: list[tuple[LocalQueue | None, str | None]] = [(q, q.spec.cluster_queue or None) for q in listed] if listed is not None else []
    if not pairs:
        pairs = [(None, name) for name in at.cluster_queues] or [(None, None)]
    made = []
    for each, name in pairs:
        behind = at.cluster_queues.get(name) if name is not None else None
        queue: Part[QueueFacts]
        if behind is None and each is None:
            none = _main(found)
            if listed is not None:
                none = Outcome(State.ABSENT, "no_local_queue", LOCAL_QUEUES.source, local.as_of, {"scope": at.name}, ask=Ask.CLUSTER_ADMIN)
            queue = blocked(found.reached.explain(lacks[0] if lacks else none), *locals_)
        else:
            known = each is not None or (behind is not None and behind.data is not None)
            main = behind.last if behind is not None and (behind.data is not None or each is None) else locals_[0].last
            queue = part(_facts(at, each, name) if known else None, [*([behind] if behind is not None else []), *locals_], last=found.reached.explain(main))
        made.append(NamespaceQueue(namespace=at.name, queue=queue, local_queue=local))
    return made


def share_page(
    found: TeamReadings,
    made: ShareMade | None,
    inputs: Mapping[str, float] | None,
    *,
    faults: Faults,
    now: float,
    poll_after_ms: int,
    sandbox: bool,
    next_fresh_at: float | None,
) -> SharePage:
    """`inputs`: when what `made` came from was read (`Made.inputs`)."""
    if found.slurm is not None and found.blocked is None:
        behind = found.as_made(inputs).slurm or found.slurm
        return slurm_parts.share_page(
            found.slurm, behind, made.slurm if made is not None else None, now=now, poll_after_ms=poll_after_ms, sandbox=sandbox, next_fresh_at=next_fresh_at
        )
    rows = rows_part(found.as_made(inputs), made)
    if found.blocked is not None or not found.namespaces:
        why: Part[Any] = blocked(found.blocked or no_scope(found))
        queues = [NamespaceQueue(namespace=None, queue=why, local_queue=why)]
    else:
        queues = _all_queue_parts(found, faults)
    view = found.cohort.data if found.cohort is not None else None
    cohort = part(list(view.sums) if view is not None else None, [found.cohort]) if found.cohort is not None else _no_cohort(found)
    notes = list(made.notes) if made is not None and rows.data is not None else []
    if view is not None and view.problem is not None:
        notes.append(Phrase(view.problem))
    if view is not None and any(s.queues <= FEW_TEAMS for s in view.sums):
        notes.append(Phrase("cohort_few_teams"))
    return SharePage.model_construct(
        now=now,
        poll_after_ms=poll_after_ms,
        sandbox=sandbox,
        orchestrator=found.reached.orchestrator,
        rows=rows,
        queue=queues[0].queue,
        cohort=cohort,
        local_queue=queues[0].local_queue,
        namespace=queues[0].namespace,
        more_queues=queues[1:],
        next_fresh_at=next_fresh_at,
        fairshare=blocked(found.blocked or NOT_SLURM),
        partitions=blocked(found.blocked or NOT_SLURM),
        slurm_nodes=blocked(found.blocked or NOT_SLURM),
        slurm_queue=blocked(found.blocked or NOT_SLURM),
        notes=notes,
        cluster_notes=[],
    )


def _no_cohort(found: TeamReadings) -> Part[list[CohortSum]]:
    """Cohorts are read only where the trait asks for it, with the wider manifest. Without Kueue there are none to be read."""
    if found.blocked is None and found.namespaces and (main := _main(found)).code == "no_kueue":
        return blocked(main)
    at = found.discovery.last.at if found.discovery is not None else None
    if found.several_queues:
        queues = ", ".join(found.several_queues)
        return blocked(Outcome(State.ABSENT, "cohort_of_several", "list clusterqueues.kueue.x-k8s.io", at, {"queues": queues}, ask=Ask.NOBODY))
    return blocked(Outcome(State.NOT_CONFIGURED, "cohort_not_read", "list clusterqueues.kueue.x-k8s.io", at, ask=Ask.JUPYTER_ADMIN))
