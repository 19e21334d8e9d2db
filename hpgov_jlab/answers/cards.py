"""The side panel: a card per connection, with what needs a look (DESIGN.md 12)."""

from __future__ import annotations

from typing import Any

from ..contracts.lifecycle import attention
from ..model.connection import Connection
from ..model.outcome import Outcome, Phrase, State
from ..wire.pages import Card, ConnectionsPage, Counts, Part
from . import slurm_parts
from .contract import contract_part
from .derived import Made
from .home import Home
from .parts import blocked, from_part, part
from .share import ShareMade, glance_part
from .tasks import TasksMade, tasks_part
from .team import TeamReadings

HEALTHY = frozenset({"InService"})
NODE_TROUBLE = ("Failure", "NotFound")
AT_LEAST = {
    "attention_nodes": "attention_nodes_at_least",
    "attention_no_node": "attention_no_node_at_least",
    "attention_never": "attention_never_at_least",
    "attention_failed": "attention_failed_at_least",
}
"""What needs a look, counted -> the same where what it is counted from is not whole."""


def card(found: TeamReadings, rows: Made[TasksMade] | None, share: Made[ShareMade] | None, now: float) -> Card:
    reached = found.reached
    aws_blocked = reached.aws_blocked
    waiting = Outcome(State.PENDING, "not_read_yet", "sagemaker:DescribeCluster")
    cluster = part(reached.cluster.data, [reached.cluster]) if reached.cluster is not None else blocked(aws_blocked or waiting)
    nodes = part(reached.nodes.data, [reached.nodes]) if reached.nodes is not None else blocked(aws_blocked or waiting)
    shown = tasks_part(found.as_made(rows.inputs if rows is not None else None), (), made=rows.value if rows is not None else None)
    counted: Counts | None = rows.value.counts if rows is not None and shown.data is not None else None
    return Card.model_construct(
        connection=reached.connection,
        cluster=cluster,
        nodes=nodes,
        slurm_nodes=slurm_parts.nodes_part(found.slurm) if found.slurm is not None else None,
        contract=contract_part(found),
        counts=from_part(shown, counted),
        share=glance_part(found.as_made(share.inputs if share is not None else None), share.value if share is not None else None),
        attention=_attention(found, rows.value if counted is not None and rows is not None else None, now),
    )


def broken_card(connection: Connection, why: Outcome) -> Card:
    """A connection whose card could not be put together by a fault of ours: it says so in every part."""
    nothing: Part[Any] = blocked(why)
    said = [Phrase(why.code, dict(why.params))]
    return Card.model_construct(
        connection=connection, cluster=nothing, nodes=nothing, slurm_nodes=None, contract=nothing, counts=nothing, share=nothing, attention=said
    )  # fmt: skip


def _attention(found: TeamReadings, rows: TasksMade | None, now: float) -> list[Phrase]:
    """What needs a look: only what was read, nothing guessed."""
    notes = list(attention(found.contract.view, now)) if contract_part(found).last.state is State.OK else []
    cluster = found.reached.cluster.data if found.reached.cluster is not None else None
    if cluster is not None and cluster.status not in HEALTHY:
        notes.append(Phrase("attention_cluster_status", {"aws_status": cluster.status}))
    nodes = found.reached.nodes.data if found.reached.nodes is not None else None
    if nodes is not None and (bad := sum(nodes.by_status.get(s, 0) for s in NODE_TROUBLE)):
        notes.append(Phrase("attention_nodes" if nodes.complete else AT_LEAST["attention_nodes"], {"count": bad, "total": nodes.total}))
    if rows is not None:
        notes += [Phrase(AT_LEAST[code] if rows.counts.at_least else code, {"count": number}) for code, number in rows.needs.items() if number]
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
