"""Pages of the list of tasks: slices of one immutable snapshot, with filter, sort and counts on the server (DESIGN.md 11)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from hpgov_jlab.sandbox.kubernetes.far_end import KubernetesFarEnd
from hpgov_jlab.sandbox.launch import Running, start

from .panel import RESEARCH, Panel
from .states_table import END, one_connection


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with start(one_connection(), pace=END) as made:
        yield made
        assert made.faulty() == []


def far_end(running: Running) -> KubernetesFarEnd:
    return running.kubernetes["ml-research-eks"]


@pytest.fixture(autouse=True)
def at_the_end(running: Running) -> None:
    far_end(running).replay.freeze(-1)


def names(page: dict[str, Any]) -> list[str]:
    return [task["name"] for task in page["tasks"]["data"]]


def test_slices_make_the_whole_list_once() -> None:
    async def story(running: Running) -> None:
        with Panel(running) as panel:
            id = await panel.id(RESEARCH)
            whole = await panel.settle(lambda: panel.tasks(id))
            assert whole["total"] == len(names(whole)) > 6
            for limit in (1, 3, 200):
                read: list[str] = []
                while len(read) < whole["total"]:
                    page = panel.tasks(id, generation=whole["generation"], offset=len(read), limit=limit)
                    assert (page["generation"], page["generation_gone"], page["total"]) == (whole["generation"], False, whole["total"])
                    assert (page["offset"], page["limit"]) == (len(read), limit) and 0 < len(names(page)) <= limit
                    read += names(page)
                assert read == names(whole)
            beyond = panel.tasks(id, offset=1000)
            assert beyond["tasks"]["data"] == [] and beyond["total"] == whole["total"], "past the end, and the total says so"

    with start(one_connection(), pace=END) as running:
        asyncio.run(story(running))


def test_filter_text_and_counts(running: Running) -> None:
    async def story() -> None:
        with Panel(running) as panel:
            id = await panel.id(RESEARCH)
            whole = await panel.settle(lambda: panel.tasks(id))
            by_state = whole["by_state"]
            assert sum(by_state.values()) == whole["total"]
            for state, count in by_state.items():
                page = panel.tasks(id, states=(state,))
                assert {t["state"] for t in page["tasks"]["data"]} == {state} and page["total"] == count
                assert page["by_state"] == by_state, "the counts stay those of all states, so that a filter can be left again"
            found = panel.tasks(id, text="MIXTRAL")
            assert names(found) == ["mixtral-8x22b"] and found["total"] == 1
            assert panel.tasks(id, text="no such name")["tasks"]["data"] == []
            kinds = panel.tasks(id, text="rayjob")
            assert {t["kind"] for t in kinds["tasks"]["data"]} == {"RayJob"}

    asyncio.run(story())


@pytest.mark.parametrize("sort", ["state", "name", "kind", "priority", "requested", "since", "created", "place"])
def test_every_column_sorts_both_ways_and_holds_every_row(running: Running, sort: str) -> None:
    async def story() -> None:
        with Panel(running) as panel:
            id = await panel.id(RESEARCH)
            whole = await panel.settle(lambda: panel.tasks(id))
            up, down = panel.tasks(id, sort=sort), panel.tasks(id, sort=sort, descending=True)
            assert sorted(names(up)) == sorted(names(down)) == sorted(names(whole))
            if sort == "name":
                assert names(up) == sorted(names(up), key=str.casefold) and names(down) == names(up)[::-1]
            if sort == "priority":
                known = [t["priority"] for t in up["tasks"]["data"] if t["priority"] is not None]
                assert known == sorted(known) and len(set(known)) > 1

    asyncio.run(story())


def test_a_generation_stays_while_its_rows_do(running: Running) -> None:
    async def story() -> None:
        with Panel(running) as panel:
            id = await panel.id(RESEARCH)
            first = await panel.settle(lambda: panel.tasks(id))
            panel.later()
            second = await panel.settle(lambda: panel.tasks(id))
            assert second["tasks"]["as_of"] > first["tasks"]["as_of"], "it was read again"
            assert second["generation"] == first["generation"], "the same rows: a reader in the middle of the list is not moved for nothing"

    asyncio.run(story())


def test_three_generations_are_kept_and_an_older_one_is_told_to_be_gone(running: Running) -> None:
    async def story() -> None:
        with Panel(running) as panel:
            id = await panel.id(RESEARCH)
            seen: list[dict[str, Any]] = []
            for frame in ("mixtral-8x22b", "eval-mmlu finishes", "runs out of memory", "Someone deactivates"):
                far_end(running).replay.freeze(frame)
                panel.later()
                seen.append(await panel.settle(lambda: panel.tasks(id)))
            generations = [page["generation"] for page in seen]
            assert len(set(generations)) == 4
            for number in (1, 2, 3):
                page = panel.tasks(id, generation=generations[number])
                assert page["generation"] == generations[number] and not page["generation_gone"]
                assert page["tasks"]["data"] == seen[number]["tasks"]["data"], "the snapshot as it was"
            gone = panel.tasks(id, generation=generations[0])
            assert gone["generation_gone"] and gone["generation"] == generations[3], "the page reloads in place, from the newest"
            assert names(gone) == names(seen[3])
            assert panel.tasks(id, generation="never-was")["generation_gone"]

    asyncio.run(story())


def test_whose_tasks_and_why_not(running: Running) -> None:
    async def story() -> None:
        with Panel(running, username="nobody-of-that-name") as panel:
            id = await panel.id(RESEARCH)
            team = await panel.settle(lambda: panel.tasks(id))
            mine = panel.tasks(id, whose="mine")
            assert mine["whose"] == "mine"
            if team["mine_known"]:
                assert {t["mine"] for t in mine["tasks"]["data"]} <= {True}
            else:
                assert team["mine_why"]["code"] == "mine_not_recorded"

    asyncio.run(story())


def test_fresh_respects_the_floor_and_says_when_the_next_is_allowed(running: Running) -> None:
    async def story() -> None:
        with Panel(running) as panel:
            panel.elapsed.hold()  # on a slow machine the floor would be over before the last page
            id = await panel.id(RESEARCH)
            await panel.settle(lambda: panel.tasks(id))
            uid = panel.tasks(id)["tasks"]["data"][0]["uid"]
            await panel.settle(lambda: panel.task(id, uid))
            for ask in (panel.connection, panel.tasks, panel.share, panel.contract, panel.access, lambda id, **more: panel.task(id, uid, **more)):
                await panel.settle(lambda ask=ask: ask(id))
            await panel.quiet()
            sent = len(far_end(running).log)
            for ask in (panel.connection, panel.tasks, panel.share, panel.contract, panel.access, lambda id, **more: panel.task(id, uid, **more)):
                page = ask(id, fresh=True)
                assert page["next_fresh_at"] > page["now"], "too soon after the last"
            await panel.settle(lambda: panel.tasks(id, fresh=True))
            await panel.quiet()
            assert len(far_end(running).log) == sent, "the floor holds"
            panel.later(40)
            await panel.settle(lambda: panel.tasks(id, fresh=True))
            assert len(far_end(running).log) > sent

    asyncio.run(story())


def test_while_nobody_asks_nothing_is_read(running: Running) -> None:
    async def story() -> None:
        with Panel(running) as panel:
            id = await panel.id(RESEARCH)
            await panel.settle(lambda: panel.tasks(id))
            await panel.quiet()
            sent = len(running.aws.log), len(far_end(running).log)
            panel.later()
            await asyncio.sleep(0.3)
            assert not panel.service.busy and (len(running.aws.log), len(far_end(running).log)) == sent

    asyncio.run(story())
