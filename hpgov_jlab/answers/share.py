"""The team's share: rows per flavour and resource and what holds them, the queue's own facts, and nameless sums of the cohort (DESIGN.md 7, 9)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ..model import naming
from ..model.kueue import LocalQueue
from ..model.outcome import Ask, Outcome, Phrase, Reading, State
from ..model.share import CohortSum, KueueShareRow, QueueFacts
from ..scheduling.share import glance, queue_facts, share_of
from ..scheduling.states import gang_scheduling
from ..wire.pages import Part, ShareGlance, SharePage
from . import slurm_parts
from .parts import blocked, part
from .slurm import SlurmMade, make_share
from .tasks import no_scope
from .team import NamespaceReadings, Source, TeamReadings, local_names

FEW_TEAMS = 2
NOT_SLURM = Outcome(State.ABSENT, "not_slurm", "Slurm", ask=Ask.NOBODY)


@dataclass(frozen=True, slots=True)
class ShareMade:
    rows: tuple[KueueShareRow, ...]
    notes: tuple[Phrase, ...]
    slurm: SlurmMade | None = None


def make(found: TeamReadings, source: Source, now: float, *, holders: bool = True) -> ShareMade:
    """All rows. Pure; slow for many Workloads: for a worker. `holders` False: without what holds them, for a card's bar."""
    if found.slurm is not None:
        return ShareMade((), (), make_share(found.slurm, source.slurm, now))
    rows: list[KueueShareRow] = []
    notes: list[Phrase] = []
    of_teams = source.teams
    seen: set[str] = set()
    for at in found.namespaces:
        for name, reading in at.cluster_queues.items():
            if reading.data is None or name in seen:
                continue
            seen.add(name)
            made = share_of(reading.data, of_teams)
            rows += made.rows if holders else (replace(row, holders=()) for row in made.rows)
            notes += made.notes
        if not any(r.data is not None for r in at.cluster_queues.values()) and at.local_queues is not None and at.local_queues.data is not None:
            notes += share_of(None, of_teams, at.local_queues.data.items).notes
    legacy = (
        found.discovery is not None and found.discovery.data is not None and "v1beta2" not in found.discovery.data.served.get("workloads.kueue.x-k8s.io", ())
    )
    for one in of_teams:
        if gang_scheduling(one.workloads or (), always_reports_ready=not legacy):
            notes.append(Phrase("share_gang_scheduling", {"namespace": one.namespace}))
    unique = [note for number, note in enumerate(notes) if note not in notes[:number]]
    return ShareMade(tuple(rows), tuple(unique))


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
    return part(list(made.rows), readings, last=main)


def glance_part(found: TeamReadings, made: ShareMade | None) -> Part[ShareGlance]:
    """The card's one bar. Slurm has limits and no share: its rows stand on the Share tab."""
    if found.slurm is not None and found.blocked is None:
        return blocked(Outcome(State.ABSENT, "slurm_no_share_bar", "Slurm", ask=Ask.NOBODY))
    rows = rows_part(found, made)
    best = glance(made.rows) if made is not None and rows.data is not None else None
    data = None if best is None else ShareGlance(flavor=best.flavor, resource=best.resource, nominal=best.nominal, held=best.held, borrowed=best.borrowed)
    return Part[ShareGlance].model_construct(data=data, as_of=rows.as_of if data is not None else None, last=rows.last, readings=rows.readings, skew=rows.skew)


def _facts(at: NamespaceReadings) -> QueueFacts:
    local: LocalQueue | None = (
        at.local_queues.data.items[0] if at.local_queues is not None and at.local_queues.data is not None and at.local_queues.data.items else None
    )
    name, queue = next(iter(at.cluster_queues.items()), (None, None))
    by_rule = naming.local_queue_of(at.name)
    facts = queue_facts(queue.data if queue is not None else None, local, cluster_queue=name if at.by_rule else None, local_queue=by_rule)
    if local is None and (named := local_names(at)) and facts.local_queue != named[0]:
        return replace(facts, local_queue=named[0], local_queue_by_rule=False)  # the own Workloads name it
    return facts


def share_page(found: TeamReadings, made: ShareMade | None, *, now: float, poll_after_ms: int, sandbox: bool) -> SharePage:
    if found.slurm is not None and found.blocked is None:
        return slurm_parts.share_page(found.slurm, made.slurm if made is not None else None, now=now, poll_after_ms=poll_after_ms, sandbox=sandbox)
    rows = rows_part(found, made)
    queue: Part[QueueFacts]
    local: Part[str]
    if found.blocked is not None or not found.namespaces:
        why = found.blocked or no_scope(found)
        queue, local = blocked(why), blocked(why)
    else:
        at = found.namespaces[0]
        behind = list(at.cluster_queues.values())
        facts = _facts(at)
        known = any(r.data is not None for r in behind) or (at.local_queues is not None and at.local_queues.data is not None)
        locals_ = [at.local_queues] if at.local_queues is not None else []
        if behind:
            main = next((r.last for r in behind if r.data is not None), None) or (locals_[0].last if known and locals_ else behind[0].last)
            queue = part(facts if known else None, [*behind, *locals_], last=found.reached.explain(main))
        else:
            queue = blocked(found.reached.explain(_main(found)), *locals_)
        if at.local_queues is None:
            local = blocked(found.reached.explain(_main(found)))
        else:
            named = ", ".join(q.metadata.name for q in at.local_queues.data.items) if at.local_queues.data is not None else None
            local = part(named, [at.local_queues], last=found.reached.explain(at.local_queues.last))
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
        queue=queue,
        cohort=cohort,
        local_queue=local,
        fairshare=blocked(found.blocked or NOT_SLURM),
        partitions=blocked(found.blocked or NOT_SLURM),
        notes=notes,
    )


def _no_cohort(found: TeamReadings) -> Part[list[CohortSum]]:
    """Cohorts are read only where the trait asks for it, with the wider manifest."""
    at = found.discovery.last.at if found.discovery is not None else None
    return blocked(Outcome(State.NOT_CONFIGURED, "cohort_not_read", "list clusterqueues.kueue.x-k8s.io", at, ask=Ask.JUPYTER_ADMIN))
