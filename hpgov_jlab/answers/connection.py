"""One connection's page: as whom it is read, its namespaces, and what to write in a manifest (DESIGN.md 5, 12)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import yaml

from ..model import naming
from ..model.access import CopyText, LabelsToCopy, ManifestBox, NamedBy, PriorityClass
from ..model.cluster import Identity
from ..model.copying import copyable
from ..model.outcome import Ask, Outcome, Phrase, Reading, State
from ..sources.kubernetes.reviews import Self
from ..wire.pages import Card, ConnectionPage, NamespaceFact, Part
from .faults import Faults, fault
from .parts import blocked, not_whole, part
from .tasks import no_scope
from .team import TeamReadings, local_names


def identity_part(found: TeamReadings) -> Part[Identity]:
    """Whose identity reads this connection: AWS's word and the API server's, which may name another user."""
    aws, kubernetes = found.reached.identity, found.self_
    readings: list[Reading[Any]] = [r for r in (aws, kubernetes) if r is not None]
    if not readings:
        return blocked(found.reached.aws_blocked or found.reached.blocked or Outcome(State.PENDING, "not_read_yet", "sts:GetCallerIdentity"))
    base = aws.data if aws is not None else None
    user: Self | None = kubernetes.data if kubernetes is not None else None
    data = None
    if base is not None or user is not None:
        data = Identity(
            arn=base.arn if base else None,
            account=base.account if base else None,
            method=base.method if base else None,
            username=user.username if user else None,
            groups=user.groups if user else (),
            expected=base.expected if base else None,
            note=base.note if base else None,
        )
    first = next((r for r in readings if r.data is not None), readings[0])
    return part(data, readings, last=first.last)


def namespace_facts(found: TeamReadings) -> list[NamespaceFact]:
    """Every namespace that a source names, and names by rule that are offered and not read."""
    facts = [NamespaceFact(name=n.name, source=n.source, read=n.read, why_not=n.why_not) for n in found.contract.namespaces]
    known = {f.name for f in facts}
    if not any(f.read for f in facts):
        project = found.home.project.data.name if found.home.project is not None and found.home.project.data is not None else None
        name = naming.namespace_of(project) if project else None
        if name is not None and name not in known:
            facts.append(NamespaceFact(name=name, source="suggested", read=False, why_not=Phrase("namespace_suggested")))
    return facts


def manifest_part(found: TeamReadings) -> Part[ManifestBox]:
    """What to write in the manifest. A name that HyperPod's rule makes and nobody read is marked."""
    if found.blocked is not None:
        return blocked(found.blocked)
    if found.slurm is not None:
        return blocked(Outcome(State.ABSENT, "slurm_no_manifest", "Slurm", ask=Ask.NOBODY))
    if not found.namespaces:
        return blocked(no_scope(found))
    queues: list[NamedBy] = []
    for at in found.namespaces:
        read = (at.local_queues is not None and at.local_queues.data is not None) or bool(
            at.workloads is not None and at.workloads.data is not None and any(w.spec.queue_name for w in at.workloads.data.items)
        )
        if at.workloads is not None:
            queues += [NamedBy(name, read, at.name) for name in local_names(at)]
    classes = found.priorities.data if found.priorities is not None else None
    priorities = tuple(PriorityClass(c.metadata.name, c.value) for c in sorted(classes.items, key=lambda c: -c.value)) if classes is not None else None
    box = ManifestBox(
        namespaces=tuple(NamedBy(n.name, True) for n in found.namespaces),
        queues=tuple(queues),
        priority_classes=priorities,
        service_accounts=tuple(NamedBy(s, False) for s in found.contract.view.service_accounts),
        labels=tuple(LabelsToCopy(q.namespace, q.name, _labels(q.namespace, q.name, priorities)) for q in queues if q.read and q.namespace is not None),
    )
    readings = [r for n in found.namespaces for r in (n.local_queues,) if r is not None] + [r for r in (found.priorities,) if r is not None]
    at_times = [r.as_of for r in found.readings().values() if r.as_of is not None]
    lacks = [*(o for n in found.namespaces for o in not_whole(n.local_queues, n.name)), *not_whole(found.priorities, "")]
    return part(box, readings, last=Outcome(State.OK, "read", "names of the team", min(at_times) if at_times else None), also=lacks)


def _labels(namespace: str, queue: str, priorities: Sequence[PriorityClass] | None) -> CopyText:
    """The metadata to paste, by a YAML dump (S5)."""
    labels = {"kueue.x-k8s.io/queue-name": queue}
    if priorities:
        labels["kueue.x-k8s.io/priority-class"] = priorities[-1].name
    values = [namespace, *labels.values()]
    text = yaml.safe_dump({"metadata": {"namespace": namespace, "labels": labels}}, sort_keys=False) if all(copyable(v) for v in values) else None
    return CopyText("yaml", "copy_labels", text, Ask.YOU)


def _manifest_or_fault(found: TeamReadings, faults: Faults, now: float) -> Part[ManifestBox]:
    try:
        return manifest_part(found)
    except Exception as error:  # noqa: BLE001 - the rest of the page still comes
        broken = fault(found.reached.connection.name, error)
        faults.tell(found.reached.connection.id, broken)
        return blocked(broken.outcome("names of the team", now))


def connection_page(
    found: TeamReadings, shown: Card, faults: Faults, *, now: float, poll_after_ms: int, sandbox: bool, next_fresh_at: float | None
) -> ConnectionPage:
    return ConnectionPage.model_construct(
        now=now,
        poll_after_ms=poll_after_ms,
        sandbox=sandbox,
        card=shown,
        identity=identity_part(found),
        manifest=_manifest_or_fault(found, faults, now),
        namespaces=namespace_facts(found),
        next_fresh_at=next_fresh_at,
    )
