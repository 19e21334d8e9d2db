"""The unit of I/O: single flight, floor, deadline, bounded workers, one probe for a failing far end, what keeps data and what drops it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from hpgov_jlab.model.outcome import Failure, State
from hpgov_jlab.reads import LAST_GOOD_SECONDS, Deadline, Due, Key, Known, Read, Reads, drive


def a_read(fetch: Callable[[Deadline], Any], operation: str = "op", *, principal: str = "me", upstream: str = "up", **more: Any) -> Read[Any]:
    return Read(Key(principal, upstream, operation), more.pop("lane", "lane"), f"test:{operation}", fetch, **more)


def in_loop(coroutine: Any) -> Any:
    return asyncio.run(coroutine)


def test_a_peek_starts_nothing_and_says_pending() -> None:
    async def story() -> None:
        calls: list[int] = []
        reads = Reads()
        reading = reads.peek(a_read(lambda d: calls.append(1)))
        await asyncio.sleep(0.05)
        assert (reading.data, reading.last.state, reading.last.code, calls) == (None, State.PENDING, "not_read_yet", [])

    in_loop(story())


def test_one_flight_serves_all_who_ask_and_the_time_to_live_holds() -> None:
    async def story() -> None:
        calls: list[float] = []

        def fetch(_: Deadline) -> int:
            calls.append(time.monotonic())
            time.sleep(0.05)
            return len(calls)

        reads = Reads()
        read = a_read(fetch, ttl=60)
        got = await asyncio.gather(*(reads.start(read) for _ in range(20)))
        assert [r.data for r in got] == [1] * 20
        assert (await reads.start(read)).data == 1
        assert len(calls) == 1

    in_loop(story())


def test_fresh_respects_the_floor_and_says_when() -> None:
    async def story() -> None:
        calls: list[int] = []
        reads = Reads()
        read = a_read(lambda d: calls.append(1), ttl=60, floor=0.3)
        await reads.start(read)
        await reads.start(read, fresh=True)
        assert len(calls) == 1
        assert 0 < reads.next_fresh_in(read) <= 0.3
        await asyncio.sleep(0.35)
        await reads.start(read, fresh=True)
        assert len(calls) == 2

    in_loop(story())


@pytest.mark.parametrize(
    ("state", "kept"),
    [
        (State.UNREACHABLE, True),
        (State.THROTTLED, True),
        (State.EXPIRED, True),
        (State.DENIED, False),
        (State.ABSENT, False),
        (State.NOT_CONFIGURED, False),
        (State.INVALID, False),
    ],
)
def test_which_failures_keep_the_last_good_data(state: State, kept: bool) -> None:
    async def story() -> None:
        fail = False

        def fetch(_: Deadline) -> str:
            if fail:
                raise Failure(state, "code_of_it", {"role": "r"})
            return "rows"

        reads = Reads()
        read = a_read(fetch, ttl=0, floor=0)
        good = await reads.start(read)
        fail = True
        bad = await reads.start(read)
        assert bad.last.state is state
        assert bad.data == ("rows" if kept else None)
        assert bad.as_of == (good.as_of if kept else None)
        assert bad.last.params.get("readable_until_at") == (None if kept else good.as_of)
        assert "rows" not in repr(bad)

    in_loop(story())


def test_last_good_data_goes_after_a_day() -> None:
    async def story() -> None:
        now = [1000.0]
        fail = False

        def fetch(_: Deadline) -> str:
            if fail:
                raise Failure(State.UNREACHABLE, "gone")
            return "rows"

        reads = Reads(clock=lambda: now[0])
        read = a_read(fetch, ttl=0, floor=0)
        await reads.start(read)
        fail = True
        await reads.start(read)
        now[0] += LAST_GOOD_SECONDS - 1
        assert reads.peek(read).data == "rows"
        now[0] += 2
        assert (reads.peek(read).data, reads.peek(read).as_of) == (None, None)

    in_loop(story())


def test_a_hanging_far_end_starves_only_itself_and_at_the_bound_nothing_starts() -> None:
    async def story() -> None:
        release = threading.Event()
        started: list[int] = []

        def hang(_: Deadline) -> None:
            started.append(1)
            release.wait(30)

        reads = Reads(workers=2)
        first = await asyncio.gather(*(reads.start(a_read(hang, f"h{i}", upstream=f"u{i}", deadline=0.2)) for i in range(4)))
        assert [r.last.code for r in first] == ["deadline", "deadline", "workers_busy", "workers_busy"]
        assert len(started) == 2
        assert reads.stuck == {"lane": 2}
        at_bound = await reads.start(a_read(hang, "h9", upstream="u9", deadline=5))
        assert (at_bound.last.state, at_bound.last.code, len(started)) == (State.UNREACHABLE, "workers_busy", 2)
        other = await reads.start(a_read(lambda d: "fine", "ok", lane="other"))
        assert other.data == "fine"
        release.set()
        await asyncio.sleep(0.2)
        assert reads.stuck == {}
        assert (await reads.start(a_read(lambda d: "back", "h10", upstream="u10"))).data == "back"

    in_loop(story())


def test_a_failing_far_end_gets_one_probe_and_the_others_learn_its_outcome() -> None:
    async def story() -> None:
        sent: list[str] = []
        down = True

        def fetch(name: str) -> Callable[[Deadline], str]:
            def go(_: Deadline) -> str:
                sent.append(name)
                time.sleep(0.05)
                if down:
                    raise Failure(State.UNREACHABLE, "refused")
                return name

            return go

        reads = Reads()
        await reads.start(a_read(fetch("first"), "first"))
        got = await asyncio.gather(*(reads.start(a_read(fetch(n), n)) for n in ("a", "b", "c")))
        assert sent == ["first", "a"]
        assert [r.last.code for r in got] == ["refused"] * 3
        assert [r.last.source for r in got] == ["test:a", "test:b", "test:c"]
        down = False
        assert (await reads.start(a_read(fetch("d"), "d"))).data == "d"
        both = await asyncio.gather(*(reads.start(a_read(fetch(n), n)) for n in ("e", "f")))
        assert [r.data for r in both] == ["e", "f"]

    in_loop(story())


def test_retry_after_is_obeyed_even_when_asked_for_fresh_data() -> None:
    async def story() -> None:
        calls: list[int] = []

        def fetch(_: Deadline) -> None:
            calls.append(1)
            raise Failure(State.THROTTLED, "slow_down", {"retry_after_seconds": 30})

        reads = Reads()
        read = a_read(fetch, floor=0)
        await reads.start(read)
        await reads.start(read, fresh=True)
        assert len(calls) == 1
        assert 25 < reads.next_fresh_in(read) <= 30

    in_loop(story())


def test_a_fault_of_ours_is_named_by_class_and_its_text_goes_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    def fetch(_: Deadline) -> None:
        raise ValueError("SECRET-in-the-text")

    async def story() -> None:
        with caplog.at_level("DEBUG"):
            reading = await Reads().start(a_read(fetch))
        assert (reading.last.state, reading.last.code, reading.last.params) == (State.INVALID, "internal", {"kind": "ValueError"})
        assert "SECRET" not in caplog.text

    in_loop(story())


def test_another_principal_never_sees_the_former_ones_rows() -> None:
    async def story() -> None:
        reads = Reads()
        await reads.start(a_read(lambda d: "rows of role A", principal="role-a"))
        assert reads.peek(a_read(lambda d: "", principal="role-b")).data is None

    in_loop(story())


def test_one_coroutine_reads_and_one_only_looks() -> None:
    async def story() -> None:
        reads = Reads()

        async def answer(ask: Any) -> tuple[Any, Any]:
            first = await ask.one(a_read(lambda d: "queue-name", "first"))
            if first.data is None:
                return (None, None)
            [second] = await ask.all([a_read(lambda d: "queue", f"second-{first.data}")])
            return (first.data, second.data)

        assert drive(answer(Known(reads))) == (None, None)
        assert reads.started == 0
        assert await answer(Due(reads)) == ("queue-name", "queue")
        assert drive(answer(Known(reads))) == ("queue-name", "queue")
        assert reads.started == 2

    in_loop(story())


def test_stop_settles_what_is_in_flight_at_once() -> None:
    async def story() -> None:
        release = threading.Event()
        reads = Reads()
        flight = reads.start(a_read(lambda d: release.wait(20)))
        await asyncio.sleep(0.05)
        began = time.monotonic()
        reads.stop()
        reading = await flight
        assert reading.last.code == "stopping"
        assert time.monotonic() - began < 1
        release.set()
        assert (await reads.start(a_read(lambda d: 1, "later"))).last.code == "stopping"

    in_loop(story())
