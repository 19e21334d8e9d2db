"""The side panel's cards, one connection's page, and the contract's page (DESIGN.md 6, 12)."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from ..contracts.draft import Known, draft
from ..contracts.lifecycle import attention
from ..model.access import CopyText, ManifestBox, NamedBy, PriorityClass
from ..model.cluster import Identity
from ..model.contract import ContractView, Standing
from ..model.copying import copyable
from ..model.outcome import Ask, Outcome, Phrase, Reading, State
from ..reads import Asker
from ..sources.aws import datazone
from ..sources.kubernetes.reviews import Self
from ..wire.pages import Card, ConnectionPage, ConnectionsPage, ContractPage, Counts, NamespaceFact, Part
from .derived import Made
from .home import Home
from .parts import blocked, part, said, worst
from .share import ShareMade, glance_part
from .tasks import TasksMade, no_scope, tasks_part
from .team import TeamReadings, local_names

HEALTHY = frozenset({"InService"})
NODE_TROUBLE = ("Failure", "NotFound")


def contract_part(found: TeamReadings) -> Part[ContractView]:
    """The record that wins. It stands as soon as its own source was read; sources that were not are named in its notes."""
    view = found.contract.view
    # a place where no contract is kept is no read that is missing; the view's own notes name the sources that were not read
    readings = [r for r in found.contract.readings if r.last.state not in (State.ABSENT, State.NOT_CONFIGURED)]
    reading_now = [s.outcome for s in found.contract.sources if s.outcome.state is State.PENDING]
    if view.standing in (Standing.NONE, Standing.UNKNOWN) and reading_now:
        return said(reading_now[0])
    at = [r.as_of for r in readings if r.as_of is not None]
    source = view.kept or "contract sources"
    last = Outcome(State.OK, "read", source, min(at) if at else time.time())
    if view.standing is Standing.UNKNOWN:
        last = worst([s.outcome for s in found.contract.sources if s.unread]) or last
        return Part[Any].model_construct(data=view, as_of=last.at, last=last, readings=[s.outcome for s in found.contract.sources], skew=None)
    for behind in found.contract.sources:  # a record whose own source fails now is an old one, and says so
        if behind.rank is view.rank and (view.kept or "").startswith(behind.where) and behind.outcome.state is not State.OK:
            last = behind.outcome
    return part(view, readings, last=last)


def card(found: TeamReadings, rows: Made[TasksMade] | None, share: Made[ShareMade] | None, now: float) -> Card:
    reached = found.reached
    aws_blocked = reached.aws_blocked
    waiting = Outcome(State.PENDING, "not_read_yet", "sagemaker:DescribeCluster")
    cluster = part(reached.cluster.data, [reached.cluster]) if reached.cluster is not None else blocked(aws_blocked or waiting)
    nodes = part(reached.nodes.data, [reached.nodes]) if reached.nodes is not None else blocked(aws_blocked or waiting)
    shown = tasks_part(found, (), made=rows is not None)
    counted: Counts | None = rows.value.counts if rows is not None and shown.data is not None else None
    counts_part = Part[Counts].model_construct(data=counted, as_of=shown.as_of, last=shown.last, readings=shown.readings, skew=shown.skew)
    return Card.model_construct(
        connection=reached.connection,
        cluster=cluster,
        nodes=nodes,
        contract=contract_part(found),
        counts=counts_part,
        share=glance_part(found, share.value if share is not None else None),
        attention=_attention(found, rows.value.needs if counted is not None and rows is not None else {}, now),
    )


def _attention(found: TeamReadings, needs: Mapping[str, int], now: float) -> list[Phrase]:
    """What needs a look: only what was read, nothing guessed."""
    notes = list(attention(found.contract.view, now)) if contract_part(found).last.state is State.OK else []
    cluster = found.reached.cluster.data if found.reached.cluster is not None else None
    if cluster is not None and cluster.status not in HEALTHY:
        notes.append(Phrase("attention_cluster_status", {"status": cluster.status}))
    nodes = found.reached.nodes.data if found.reached.nodes is not None else None
    if nodes is not None and (bad := sum(nodes.by_status.get(s, 0) for s in NODE_TROUBLE)):
        notes.append(Phrase("attention_nodes", {"count": bad, "total": nodes.total}))
    notes += [Phrase(code, {"count": number}) for code, number in needs.items() if number]
    if found.reached.blocked is not None and found.reached.blocked.state not in (State.PENDING, State.OK, State.ABSENT):
        notes.append(Phrase(found.reached.blocked.code, dict(found.reached.blocked.params)))
    return notes


def connections_page(at_home: Home, cards: list[Card] | None, *, now: float, poll_after_ms: int, sandbox: bool, next_fresh_at: float | None) -> ConnectionsPage:
    listed = at_home.readings
    shown: Part[list[Card]]
    if at_home.blocked is not None or cards is None:
        shown = blocked(at_home.blocked or Outcome(State.PENDING, "not_read_yet", "the place of this server"), *listed)
    else:
        shown = part(cards, listed)
        if shown.data is None:  # some connections are named by trait although the list was refused: they still stand
            shown = part(cards, listed, last=Outcome(State.OK, "read", "HpgovSettings.connections", now))
    return ConnectionsPage.model_construct(now=now, poll_after_ms=poll_after_ms, sandbox=sandbox, connections=shown, next_fresh_at=next_fresh_at)


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
        for team in (project,):
            name = f"hyperpod-ns-{team.lower()}" if team else ""
            if name and name not in known and len(name) <= 63 and name.replace("-", "").isalnum() and name.isascii():
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
            queues += [NamedBy(name, read) for name in local_names(at)]
    classes = found.priorities.data if found.priorities is not None else None
    priorities = tuple(PriorityClass(c.metadata.name, c.value) for c in sorted(classes.items, key=lambda c: -c.value)) if classes is not None else None
    box = ManifestBox(
        namespaces=tuple(NamedBy(n.name, True) for n in found.namespaces),
        queues=tuple(queues),
        priority_classes=priorities,
        service_accounts=tuple(NamedBy(s, False) for s in found.contract.view.service_accounts),
        labels=_labels(found.namespaces[0].name, queues, priorities),
    )
    readings = [r for n in found.namespaces for r in (n.local_queues,) if r is not None] + [r for r in (found.priorities,) if r is not None]
    at_times = [r.as_of for r in found.readings().values() if r.as_of is not None]
    return part(box, readings, last=Outcome(State.OK, "read", "names of the team", min(at_times) if at_times else None))


def _labels(namespace: str, queues: Sequence[NamedBy], priorities: Sequence[PriorityClass] | None) -> CopyText | None:
    """The metadata to paste, by a YAML dump (S5)."""
    if not queues or not queues[0].read:
        return None
    labels = {"kueue.x-k8s.io/queue-name": queues[0].name}
    if priorities:
        labels["kueue.x-k8s.io/priority-class"] = priorities[-1].name
    values = [namespace, *labels.values()]
    text = yaml.safe_dump({"metadata": {"namespace": namespace, "labels": labels}}, sort_keys=False) if all(copyable(v) for v in values) else None
    return CopyText("yaml", "copy_labels", text, Ask.YOU)


def connection_page(found: TeamReadings, shown: Card, *, now: float, poll_after_ms: int, sandbox: bool, next_fresh_at: float | None) -> ConnectionPage:
    return ConnectionPage.model_construct(
        now=now,
        poll_after_ms=poll_after_ms,
        sandbox=sandbox,
        card=shown,
        identity=identity_part(found),
        manifest=manifest_part(found),
        namespaces=namespace_facts(found),
        next_fresh_at=next_fresh_at,
    )


async def described(ask: Asker, found: TeamReadings) -> Reading[datazone.Description] | None:
    """The connection's own description: the platform's words, not a contract."""
    session, place = found.home.session, found.home.place.data
    connection = found.reached.connection
    if session is None or place is None or connection.source != "datazone":
        return None
    return await ask.one(datazone.description(session, place, connection))


def contract_page(found: TeamReadings, words: Reading[datazone.Description] | None, *, now: float, poll_after_ms: int, sandbox: bool) -> ContractPage:
    connection = found.reached.connection
    project = found.home.project.data.name if found.home.project is not None and found.home.project.data is not None else None
    platform: list[Phrase] = [Phrase("platform_connection", {"name": connection.name, "source": connection.source})]
    if words is not None:
        if words.data is None:
            platform.append(Phrase("platform_description_not_read", {"state": str(words.last.state)}))
        elif words.data.description:
            platform.append(Phrase("platform_description", {"text": words.data.description}))
    if project or connection.project_id:
        platform.append(Phrase("platform_project", {"name": project or connection.project_id}))
    role = connection.access_role
    if role is None and found.reached.identity is not None and found.reached.identity.data is not None:
        role = found.reached.identity.data.arn
    eks = found.reached.eks.data if found.reached.eks is not None else None
    classes = found.priorities.data if found.priorities is not None else None
    known = Known(
        project_name=project,
        version=eks.version if eks is not None else None,
        namespaces=tuple(n.name for n in found.namespaces),
        priority_classes=tuple(c.metadata.name for c in classes.items) if classes is not None else (),
    )
    return ContractPage.model_construct(
        now=now,
        poll_after_ms=poll_after_ms,
        sandbox=sandbox,
        contract=contract_part(found),
        others=list(found.contract.others),
        platform_words=platform,
        draft=draft(connection, known),
        rights_role=role,
    )
