"""Nodes, GPUs and the queue of a whole Slurm cluster as the Share tab shows them: sums without a name, and no word of what is left (DESIGN.md 8, 9). Pure."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from ..model.slurm import UNUSABLE, QueueSum, SlurmNodes, SlurmNodeState, SlurmNodeSums, SlurmQueue, SlurmQueueRow, SlurmQueueSums
from ..model.task import Amount

GPU = "gres/gpu"
RUNNING = frozenset({"RUNNING", "COMPLETING", "CONFIGURING", "RESIZING", "SIGNALING", "STAGE_OUT"})
SUSPENDED = frozenset({"SUSPENDED", "STOPPED"})
WAITING = frozenset({"PENDING"})


def node_sums(nodes: SlurmNodes) -> SlurmNodeSums:
    """States that take jobs first, then those with most nodes. Where Slurm counts no GPU, nothing is said of them: it may only not be told to."""
    states = [SlurmNodeState(state, count, state not in UNUSABLE) for state, count in nodes.by_state.items()]
    states.sort(key=lambda s: (not s.usable, -s.nodes, s.state))
    total = _gpus(nodes.capacity)
    if total is None:
        return SlurmNodeSums(nodes.total, tuple(states), None, None, None)
    held, usable = _gpus(nodes.held) or Decimal(0), _gpus(nodes.usable) or Decimal(0)  # a node that holds nothing, or is away, has no line of its own
    return SlurmNodeSums(nodes.total, tuple(states), f"{total:f}", f"{held:f}", f"{total - usable:f}")


def _gpus(amounts: Iterable[Amount]) -> Decimal | None:
    return next((Decimal(a.amount) for a in amounts if a.resource == GPU), None)


def queue_sums(queue: SlurmQueue) -> SlurmQueueSums:
    """By partition; jobs that have ended, which Slurm keeps for some minutes, count nowhere."""
    by_partition: dict[str, list[QueueSum]] = {}
    for one in queue.sums:
        if one.state in RUNNING | SUSPENDED | WAITING:
            by_partition.setdefault(one.partition, []).append(one)
    return SlurmQueueSums(tuple(_row(name, sums) for name, sums in sorted(by_partition.items())), queue.unread)


def _row(partition: str, sums: list[QueueSum]) -> SlurmQueueRow:
    def jobs(states: frozenset[str]) -> int:
        return sum(one.jobs for one in sums if one.state in states)

    gpus = [one.gpus for one in sums if one.state in RUNNING]
    told = None if None in gpus else str(sum(g for g in gpus if g is not None))
    return SlurmQueueRow(partition, jobs(RUNNING), jobs(SUSPENDED), jobs(WAITING), told)
