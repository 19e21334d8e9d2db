"""The quota tree of one flavour and resource, exactly as Kueue counts it (facts/kubernetes.md 1.6).

Integers in Kueue's canonical units (model/quantity.py). A leaf is a ClusterQueue, an inner node a Cohort; a cohort that a queue names
and that has no object of its own is implicit: an inner node without quota of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..model.quantity import MAX_INT64


class QuotaTreeError(ValueError):
    """`rule` is a code of words.py: cohort_cycle, or cohort_duplicate for two nodes of one kind and name."""

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule


@dataclass(frozen=True, slots=True)
class QuotaNode:
    """One ClusterQueue (`is_queue`) or Cohort. Limits None: none set. `used` is the quota reserved, of a queue only."""

    name: str
    parent: str | None
    nominal: int = 0
    borrowing_limit: int | None = None
    lending_limit: int | None = None
    used: int = 0
    is_queue: bool = False


Key = tuple[bool, str]  # a queue and a cohort may bear one name


def _saturate(value: int) -> int:
    return max(-MAX_INT64 - 1, min(MAX_INT64, value))


class QuotaTree:
    """All nodes of one or more trees. Raises QuotaTreeError when parents form a circle."""

    def __init__(self, nodes: Iterable[QuotaNode]) -> None:
        self._nodes: dict[Key, QuotaNode] = {}
        for node in nodes:
            key = (node.is_queue, node.name)
            if key in self._nodes:
                raise QuotaTreeError("cohort_duplicate")
            self._nodes[key] = node
        for node in tuple(self._nodes.values()):
            if node.parent is not None and (False, node.parent) not in self._nodes:
                self._nodes[(False, node.parent)] = QuotaNode(node.parent, None)
        self._children: dict[Key, list[Key]] = {key: [] for key in self._nodes}
        for key, node in self._nodes.items():
            if node.parent is not None:
                self._children[(False, node.parent)].append(key)
        order = self._top_down()
        self._sub: dict[Key, int] = {}
        self._local: dict[Key, int] = {}
        self._use: dict[Key, int] = {}
        self._avail: dict[Key, int] = {}
        self._pot: dict[Key, int] = {}
        for key in reversed(order):
            self._count_up(key)
        for key in order:
            self._count_down(key)

    def _top_down(self) -> list[Key]:
        """Parents before children; a circle is never reached from a root and shows as missing nodes."""
        order = [key for key, node in self._nodes.items() if node.parent is None]
        for key in order:  # grows while it is walked
            order.extend(self._children[key])
        if len(order) != len(self._nodes):
            raise QuotaTreeError("cohort_cycle")
        return order

    def _count_up(self, key: Key) -> None:
        node, children = self._nodes[key], self._children[key]
        self._sub[key] = _saturate(node.nominal + sum(self._sub[child] - self._local[child] for child in children))
        self._local[key] = 0 if node.lending_limit is None else max(0, self._sub[key] - node.lending_limit)
        self._use[key] = _saturate(node.used + sum(max(0, self._use[child] - self._local[child]) for child in children))

    def _count_down(self, key: Key) -> None:
        node = self._nodes[key]
        sub, local, use, limit = self._sub[key], self._local[key], self._use[key], node.borrowing_limit
        if node.parent is None:
            self._avail[key], self._pot[key] = _saturate(sub - use), sub
            return
        parent: Key = (False, node.parent)
        from_parent = self._avail[parent]
        potential = _saturate(local + self._pot[parent])
        if limit is not None:
            from_parent = min(from_parent, _saturate((sub - local) - max(0, use - local) + limit))
            potential = min(potential, _saturate(sub + limit))
        self._avail[key] = _saturate(max(0, local - use) + from_parent)
        self._pot[key] = potential

    def subtree_quota(self, queue: str) -> int:
        return self._sub[(True, queue)]

    def local(self, queue: str) -> int:
        """The part of the queue's share that nobody else can use."""
        return self._local[(True, queue)]

    def available(self, queue: str) -> int:
        """What the queue could still reserve now, without stopping anybody; never below zero."""
        return max(0, self._avail[(True, queue)])

    def potential(self, queue: str) -> int:
        """The most the queue could ever hold with today's quotas."""
        return self._pot[(True, queue)]

    def cohort_quota(self, cohort: str) -> int:
        """Own quota of the cohort plus what its members bring in."""
        return self._sub[(False, cohort)]

    def cohort_use(self, cohort: str) -> int:
        return self._use[(False, cohort)]

    def cohort_available(self, cohort: str) -> int:
        """May be negative after quotas were cut."""
        return self._avail[(False, cohort)]

    def queues_below(self, cohort: str) -> tuple[str, ...]:
        """Names of the ClusterQueues in the cohort's whole subtree, for counting only."""
        found: list[str] = []
        todo: list[Key] = [(False, cohort)]
        while todo:
            key = todo.pop()
            if key[0]:
                found.append(key[1])
            todo.extend(self._children[key])
        return tuple(sorted(found))

    @property
    def nodes(self) -> Mapping[Key, QuotaNode]:
        return self._nodes
