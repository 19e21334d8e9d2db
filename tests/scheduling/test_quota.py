"""The quota tree (facts/kubernetes.md 1.6): literal trees, then what must hold of any tree."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpgov_jlab.model.quantity import MAX_INT64
from hpgov_jlab.scheduling.quota import QuotaNode, QuotaTree, QuotaTreeError


def queue(name: str, parent: str | None, nominal: int, *, borrow: int | None = None, lend: int | None = None, used: int = 0) -> QuotaNode:
    return QuotaNode(name, parent, nominal, borrow, lend, used, is_queue=True)


def test_queue_without_cohort() -> None:
    tree = QuotaTree([queue("a", None, 16, used=10)])
    assert (tree.available("a"), tree.potential("a"), tree.subtree_quota("a"), tree.local("a")) == (6, 16, 16, 0)


def test_queue_over_its_share_has_nothing() -> None:
    assert QuotaTree([queue("a", None, 16, used=20)]).available("a") == 0


def test_two_teams_of_the_story() -> None:
    """Two nodes of 8 GPUs each, borrowing up to two nodes, an implicit cohort: research holds 24, 8 of them borrowed."""
    tree = QuotaTree([queue("production", "shared-pool", 16, borrow=16), queue("research", "shared-pool", 16, borrow=16, used=24)])
    assert tree.available("production") == 8  # 16 of the share are unclaimed, yet only 8 are there until reclaim
    assert tree.available("research") == 8
    assert tree.potential("research") == 32
    assert (tree.cohort_quota("shared-pool"), tree.cohort_use("shared-pool"), tree.cohort_available("shared-pool")) == (32, 24, 8)
    assert tree.queues_below("shared-pool") == ("production", "research")


def test_zero_borrowing_limit_is_not_no_limit() -> None:
    tree = QuotaTree([queue("a", "c", 8, borrow=0), queue("b", "c", 8)])
    assert (tree.available("a"), tree.potential("a")) == (8, 8)
    assert (tree.available("b"), tree.potential("b")) == (16, 16)


def test_lending_limit_keeps_a_local_part() -> None:
    tree = QuotaTree([queue("a", "c", 10, lend=4, used=0), queue("b", "c", 0, used=4)])
    assert tree.local("a") == 6
    assert tree.available("a") == 6  # b took the four that may be lent
    assert tree.available("b") == 0
    assert tree.potential("b") == 4
    assert tree.cohort_quota("c") == 4  # the local part is not in the cohort


def test_lending_nothing() -> None:
    tree = QuotaTree([queue("a", "c", 10, lend=0), queue("b", "c", 2)])
    assert (tree.potential("b"), tree.available("b"), tree.potential("a")) == (2, 2, 12)


def test_cohort_of_cohorts_with_own_quota_and_limits() -> None:
    nodes = [
        QuotaNode("root", None, nominal=5),
        QuotaNode("left", "root", nominal=1, borrowing_limit=2),
        QuotaNode("right", "root", lending_limit=3),
        queue("a", "left", 4, used=7),
        queue("b", "left", 2, borrow=1),
        queue("c", "right", 10),
    ]
    tree = QuotaTree(nodes)
    assert tree.cohort_quota("left") == 7
    assert tree.cohort_quota("right") == 10
    assert tree.cohort_quota("root") == 5 + 7 + 3
    assert tree.cohort_use("root") == 7
    assert tree.available("a") == 2  # left holds 7 of its 7 and may borrow 2
    assert tree.potential("a") == 9
    assert tree.available("b") == 2
    assert tree.potential("b") == 3
    assert tree.available("c") == 7 + 8  # 7 that right does not lend, 8 not used in the root
    assert tree.potential("c") == 7 + 15
    assert tree.queues_below("root") == ("a", "b", "c")


def test_a_cohort_and_a_queue_may_bear_one_name() -> None:
    assert QuotaTree([queue("x", "x", 3), QuotaNode("x", None, nominal=1)]).potential("x") == 4


def test_saturates_at_int64() -> None:
    tree = QuotaTree([queue("a", "c", MAX_INT64), queue("b", "c", MAX_INT64)])
    assert tree.potential("a") == MAX_INT64
    assert tree.available("a") == MAX_INT64


def test_circle_and_duplicates_are_named() -> None:
    with pytest.raises(QuotaTreeError) as circle:
        QuotaTree([QuotaNode("a", "b"), QuotaNode("b", "a"), queue("q", "a", 1)])
    assert circle.value.rule == "cohort_cycle"
    with pytest.raises(QuotaTreeError) as twice:
        QuotaTree([queue("q", None, 1), queue("q", None, 2)])
    assert twice.value.rule == "cohort_duplicate"


_small = st.integers(0, 12)
_limit = st.none() | st.integers(0, 8)


@st.composite
def trees(draw: st.DrawFn) -> list[QuotaNode]:
    """A root, up to three inner cohorts in a chain or fan, up to five queues anywhere; use may exceed every quota."""
    cohorts = ["root"]
    nodes = [QuotaNode("root", None, draw(_small))]
    for i in range(draw(st.integers(0, 3))):
        nodes.append(QuotaNode(f"c{i}", draw(st.sampled_from(cohorts)), draw(_small), draw(_limit), draw(_limit)))
        cohorts.append(f"c{i}")
    for i in range(draw(st.integers(1, 5))):
        nodes.append(queue(f"q{i}", draw(st.sampled_from(cohorts)), draw(_small), borrow=draw(_limit), lend=draw(_limit), used=draw(st.integers(0, 20))))
    return nodes


def _with_use(nodes: list[QuotaNode], use: dict[str, int]) -> list[QuotaNode]:
    return [replace(node, used=use.get(node.name, node.used)) if node.is_queue else node for node in nodes]


@given(trees())
def test_empty_tree_offers_the_potential(nodes: list[QuotaNode]) -> None:
    empty = QuotaTree(_with_use(nodes, {node.name: 0 for node in nodes}))
    for node in nodes:
        if node.is_queue:
            assert empty.available(node.name) == empty.potential(node.name)


@given(trees(), st.data())
def test_taking_what_is_there_takes_exactly_that(nodes: list[QuotaNode], data: st.DataObject) -> None:
    tree = QuotaTree(nodes)
    node = data.draw(st.sampled_from([node for node in nodes if node.is_queue]))
    there = tree.available(node.name)
    taken = data.draw(st.integers(0, there))
    assert QuotaTree(_with_use(nodes, {node.name: node.used + taken})).available(node.name) == there - taken


@given(trees(), st.randoms(use_true_random=False))
def test_greedy_filling_never_exceeds_any_limit(nodes: list[QuotaNode], order: object) -> None:
    use = {node.name: 0 for node in nodes if node.is_queue}
    names = list(use)
    order.shuffle(names)  # type: ignore[attr-defined]
    for name in names:
        use[name] += QuotaTree(_with_use(nodes, use)).available(name)
    full = QuotaTree(_with_use(nodes, use))
    assert full.cohort_available("root") >= 0
    assert sum(use.values()) <= sum(node.nominal for node in nodes)
    for node in nodes:
        if node.is_queue:
            assert use[node.name] <= full.potential(node.name)
            if node.borrowing_limit is not None:
                assert use[node.name] <= node.nominal + node.borrowing_limit


@given(trees())
def test_what_a_queue_does_not_lend_stays_its_own(nodes: list[QuotaNode]) -> None:
    """However much others hold, the part above the lending limit is there for its queue while it is within its borrowing rules."""
    tree = QuotaTree(nodes)
    for node in nodes:
        if node.is_queue and node.lending_limit is not None:
            kept = max(0, node.nominal - node.lending_limit)
            assert tree.local(node.name) == kept
            if tree.cohort_available(node.parent or "") >= 0:
                assert tree.available(node.name) >= min(kept, max(0, kept - node.used))
