"""The unit of I/O: single flight, floor, deadline, bounded workers, one probe for a failing far end, what keeps data and what drops it.

Longer than 400 lines on purpose: these promises bear on each other, and are read in one place."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from hpgov_jlab.model.outcome import Blame, Failure, State
from hpgov_jlab.reads import BACK_OFF_MAX, DOUBT_SECONDS, LAST_GOOD_SECONDS, PAUSE, PROBE_EVERY_MAX, Deadline, Due, Key, Known, Read, Reads, drive

from . import clock
from .clock import HANGS, Loop, until

HOUR = 3600.0


def a_read(fetch: Callable[[Deadline], Any], operation: str = "op", *, principal: str = "me", upstream: str = "up", **more: Any) -> Read[Any]:
    return Read(Key(principal, upstream, operation), more.pop("lane", "lane"), f"test:{operation}", fetch, **more)


def in_loop(coroutine: Any) -> Any:
    return asyncio.run(coroutine)


def test_a_peek_starts_nothing_and_says_pending() -> None:
    async def story() -> None:
        calls: list[int] = []
        reads = Reads()
        reading = reads.peek(a_read(lambda d: calls.append(1)))
        assert (reading.data, reading.last.state, reading.last.code) == (None, State.PENDING, "not_read_yet")
        assert (calls, reads.started) == ([], 0)

    in_loop(story())


def test_one_flight_serves_all_who_ask_and_the_time_to_live_holds() -> None:
    async def story() -> None:
        calls: list[int] = []

        def fetch(_: Deadline) -> int:
            calls.append(1)
            return len(calls)

        reads = Reads(elapsed=lambda: 1000.0)
        read = a_read(fetch, ttl=60)
        got = await asyncio.gather(*(reads.start(read) for _ in range(20)))
        assert [r.data for r in got] == [1] * 20
        assert (await reads.start(read)).data == 1
        assert len(calls) == 1

    in_loop(story())


def test_fresh_respects_the_floor_and_says_when() -> None:
    async def story() -> None:
        calls: list[int] = []
        now = [1000.0]
        reads = Reads(elapsed=lambda: now[0])
        read = a_read(lambda d: calls.append(1), ttl=60, floor=10)
        await reads.start(read)
        now[0] += 9
        await reads.start(read, fresh=True)
        assert len(calls) == 1
        assert reads.next_fresh_in(read) == 1
        now[0] += 1
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
        again = await reads.start(read)
        assert again.last.params.get("readable_until_at") == (None if kept else good.as_of), "told as long as it is refused"

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
    async def story(loop: Loop) -> None:
        release = threading.Event()
        started: list[int] = []

        def hang(_: Deadline) -> None:
            started.append(1)
            release.wait(HANGS)

        reads = Reads(workers=2)
        flights = [reads.start(a_read(hang, f"h{i}", upstream=f"u{i}", deadline=HOUR)) for i in range(4)]
        await until(lambda: len(started) == 2, "both workers are at work")
        loop.ahead += HOUR
        first = await asyncio.gather(*flights)
        assert [r.last.code for r in first] == ["deadline", "deadline", "workers_busy", "workers_busy"]
        assert len(started) == 2
        assert reads.stuck == {"lane": 2}
        at_bound = await reads.start(a_read(hang, "h9", upstream="u9", deadline=5))
        assert (at_bound.last.state, at_bound.last.code, len(started)) == (State.UNREACHABLE, "workers_busy", 2)
        other = await reads.start(a_read(lambda d: "fine", "ok", lane="other"))
        assert other.data == "fine"
        release.set()
        await until(lambda: reads.stuck == {}, "the workers came back")
        assert (await reads.start(a_read(lambda d: "back", "h10", upstream="u10"))).data == "back"

    clock.in_loop(story)


def test_a_failing_far_end_gets_one_probe_and_the_others_learn_its_outcome() -> None:
    async def story() -> None:
        sent: list[str] = []
        down = True

        def fetch(name: str) -> Callable[[Deadline], str]:
            def go(_: Deadline) -> str:
                sent.append(name)
                if down:
                    raise Failure(State.UNREACHABLE, "refused")
                return name

            return go

        reads = Reads(elapsed=lambda: 1000.0)  # no failure is a slow one, however slow the machine
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

        now = [1000.0]
        reads = Reads(elapsed=lambda: now[0])
        read = a_read(fetch, floor=0)
        await reads.start(read)
        now[0] += 10
        await reads.start(read, fresh=True)
        assert len(calls) == 1
        assert reads.next_fresh_in(read) == 20

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
        begun, release = threading.Event(), threading.Event()
        reads = Reads()
        flight = reads.start(a_read(lambda d: begun.set() or release.wait(HANGS)))
        await until(begun.is_set, "a worker is at it")
        reads.stop()
        assert flight.done(), "nobody waits for that worker, not for one turn of the loop"
        assert flight.result().last.code == "stopping"
        release.set()
        assert (await reads.start(a_read(lambda d: 1, "later"))).last.code == "stopping"

    in_loop(story())


# -- a far end that hangs ---------------------------------------------------------------------------------------------------
class Far:
    """A far end on a clock that the test moves: `asked` are the reads that were sent, `down` how long they take to fail (None: they are answered)."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.down: float | None = None
        self.asked: list[str] = []
        self.reads = Reads(elapsed=lambda: self.now)

    def read(
        self, name: str, *, upstream: str = "lane", ttl: float = 1.0, floor: float = 0.0, alone: float | None = None, blames: Blame = Blame.FAR_END, **more: Any
    ) -> Read[str]:
        """`alone`: the seconds after which this read fails, however well its far end is. No read takes longer than its deadline."""

        def fetch(deadline: Deadline) -> str:
            self.asked.append(name)
            seconds = self.down if alone is None else alone
            if seconds is not None:
                self.now += min(seconds, deadline.limit)
                raise Failure(State.UNREACHABLE, "deadline", {"limit_seconds": deadline.limit}, blames=blames)
            return name

        return a_read(fetch, name, upstream=upstream, ttl=ttl, floor=floor, **more)

    async def states(self, *reads: Read[str], fresh: bool = False) -> list[State]:
        """One after the other, as dependent reads are."""
        return [(await self.reads.start(read, fresh=fresh)).last.state for read in reads]


OK, GONE = State.OK, State.UNREACHABLE


def test_of_a_chain_of_reads_only_the_first_waits_for_a_far_end_that_hangs() -> None:
    async def story() -> None:
        far = Far()
        chain = [far.read(n, upstream=u) for n, u in (("discovery", "lane"), ("namespace", "lane"), ("workloads", "kueue"), ("line", "visibility"))]
        assert await far.states(*chain) == [OK] * 4
        far.asked.clear()
        far.now, far.down = far.now + 60, 20.0
        assert await far.states(*chain, fresh=True) == [GONE] * 4
        assert far.asked == ["discovery"], "what depends on it learns its outcome"
        last = [far.reads.peek(read).last for read in chain]
        assert {(x.code, x.at) for x in last} == {("deadline", last[0].at)}, "with the time of the one that was tried"
        assert [x.source for x in last] == [f"test:{read.key.operation}" for read in chain]
        assert [far.reads.peek(read).data for read in chain] == ["discovery", "namespace", "workloads", "line"], "what was read before stays"

    in_loop(story())


def test_after_a_slow_failure_there_is_a_pause_that_a_person_cannot_break() -> None:
    async def story() -> None:
        far = Far()
        far.down = 20.0
        one, other = far.read("one"), far.read("other")
        assert await far.states(one) == [GONE]
        far.now += PAUSE - 0.1
        assert await far.states(other, one, fresh=True) == [GONE, GONE]
        assert far.asked == ["one"]
        assert far.reads.next_fresh_in(one) == pytest.approx(0.1)
        far.now += 0.1
        assert await far.states(other, one, fresh=True) == [GONE, GONE]
        assert far.asked == ["one", "other"]

    in_loop(story())


def test_what_failed_with_its_far_end_is_due_at_once_when_that_is_well_again() -> None:
    async def story() -> None:
        far = Far()
        far.down = 20.0
        chain = [far.read(name, ttl=600) for name in ("a", "b", "c")]
        for _ in range(9):
            await far.states(*chain)
            far.now += PROBE_EVERY_MAX
        far.asked.clear()
        far.down = None
        assert await far.states(*chain) == [OK, OK, OK], "whatever their own failures were"
        assert far.asked == ["a", "b", "c"]

    in_loop(story())


def test_a_far_end_that_fails_is_probed_less_and_less_often_and_never_forgotten() -> None:
    async def story() -> None:
        far = Far()
        far.down = 20.0
        one, waits = far.read("one"), []
        for _ in range(7):
            await far.states(one)
            failed_at = far.now
            while not far.reads.due(one):
                far.now += 1
            waits.append(far.now - failed_at)
        assert waits == [5, 10, 20, 40, 60, 60, 60]

    in_loop(story())


def test_a_chain_of_reads_that_are_refused_at_once_counts_as_one_failure() -> None:
    async def story() -> None:
        far = Far()
        far.down = 0.01
        chain = [far.read(name) for name in ("a", "b", "c", "d")]
        assert await far.states(*chain) == [GONE] * 4
        assert far.asked == ["a", "b", "c", "d"], "nothing was waited for, so nothing is held back"
        far.now += PAUSE + 1
        assert all(far.reads.due(read) for read in chain)

    in_loop(story())


def test_one_list_that_is_too_slow_is_no_far_end_that_fails() -> None:
    async def story() -> None:
        far = Far()
        slow, quick = far.read("slow", alone=20.0, ttl=0), far.read("quick", ttl=0)
        got = await asyncio.gather(far.reads.start(slow), far.reads.start(quick))
        assert [r.last.state for r in got] == [GONE, OK]
        far.asked.clear()
        assert await far.states(far.read("next"), quick) == [OK, OK]
        assert far.asked == ["next", "quick"]

    in_loop(story())


def test_what_stands_behind_a_far_end_may_fail_by_itself() -> None:
    async def story() -> None:
        far = Far()
        assert await far.states(far.read("pods")) == [OK]
        assert await far.states(far.read("workloads", upstream="kueue", alone=20.0), far.read("queue", upstream="kueue")) == [GONE, GONE]
        assert await far.states(far.read("jobs"), far.read("line", upstream="visibility")) == [OK, OK]
        assert far.asked == ["pods", "workloads", "jobs", "line"]

    in_loop(story())


def test_an_answer_from_behind_shows_that_the_far_end_is_well() -> None:
    async def story() -> None:
        far = Far()
        far.down = 20.0
        assert await far.states(far.read("pods"), far.read("workloads", upstream="kueue")) == [GONE, GONE]
        far.now, far.down = far.now + PAUSE, None
        assert await far.states(far.read("workloads", upstream="kueue"), far.read("pods")) == [OK, OK]

    in_loop(story())


@pytest.mark.parametrize("upstream", ["lane", "kueue"])
def test_a_far_end_that_answers_late_that_one_read_fails_is_asked_for_the_others(upstream: str) -> None:
    """A list that has expired (410)."""

    async def story() -> None:
        far = Far()
        expired = far.read("expired", upstream=upstream, alone=8.0, blames=Blame.READ)
        others = [far.read("pods"), far.read("queue", upstream="kueue"), far.read("line", upstream="visibility")]
        assert await far.states(far.read("discovery")) == [OK]
        far.now += 1  # what is answered in the same moment would speak for it
        assert await far.states(expired, *others) == [GONE, OK, OK, OK]
        assert far.asked == ["discovery", "expired", "pods", "queue", "line"]
        assert await far.states(expired) == [GONE] and far.asked[-1] == "line", "it backs off by itself"
        far.now += 5
        assert await far.states(expired) == [GONE] and far.asked[-1] == "expired"

    in_loop(story())


def test_what_serves_a_group_is_down_for_that_group_alone() -> None:
    """The conversion webhook of Kueue's kinds; the same of a kind that the API server's own reads are counted with is that kind's alone."""

    async def story() -> None:
        far = Far()
        workloads = far.read("workloads", upstream="kueue", alone=8.0, blames=Blame.PART)
        assert await far.states(far.read("discovery"), workloads, far.read("queue", upstream="kueue"), far.read("pods")) == [OK, GONE, GONE, OK]
        far.now += 1  # what is answered in the same moment would speak for the API server
        jobs = far.read("jobs", alone=8.0, blames=Blame.PART)
        assert await far.states(jobs, far.read("namespace"), far.read("line", upstream="visibility")) == [GONE, OK, OK]
        assert far.asked == ["discovery", "workloads", "pods", "jobs", "namespace", "line"]

    in_loop(story())


def test_an_answer_about_one_read_shows_that_the_far_end_is_well_again() -> None:
    async def story() -> None:
        far = Far()
        far.down = 20.0
        assert await far.states(far.read("pods")) == [GONE]
        far.now, far.down = far.now + PAUSE, None
        answered = far.read("expired", alone=0.0, blames=Blame.READ)
        assert await far.states(answered, far.read("pods")) == [GONE, OK]
        assert far.asked == ["pods", "expired", "pods"]

    in_loop(story())


def test_trouble_that_a_far_end_tells_of_is_one_reads_until_a_second_meets_it() -> None:
    """A 500: of one list that is too much for it, or of its database."""

    async def story() -> None:
        far = Far()
        one, other = (far.read(name, alone=8.0, blames=Blame.TROUBLE) for name in ("one", "other"))
        assert await far.states(one, far.read("well")) == [GONE, OK]
        far.now += PAUSE
        assert await far.states(one) == [GONE]
        far.now += 2 * PAUSE
        assert await far.states(one, far.read("well too")) == [GONE, OK], "the same one again is no second"
        far.now += 4 * PAUSE
        assert await far.states(one, other, far.read("third"), far.read("fourth")) == [GONE] * 4
        assert far.asked == ["one", "well", "one", "one", "well too", "one", "other"]

    in_loop(story())


def test_what_is_answered_in_between_ends_the_doubt() -> None:
    async def story() -> None:
        far = Far()
        one, other = (far.read(name, alone=8.0, blames=Blame.TROUBLE) for name in ("one", "other"))
        assert await far.states(one, far.read("well")) == [GONE, OK]
        far.now += 1
        assert await far.states(other, far.read("well too")) == [GONE, OK], "two lists that are too much for it are not its end"
        assert far.asked == ["one", "well", "other", "well too"]

    in_loop(story())


# -- far ends that are reached by one way -----------------------------------------------------------------------------------
def test_when_nothing_is_heard_of_two_the_third_is_not_waited_for() -> None:
    async def story() -> None:
        far = Far()
        chain = [far.read(name, upstream=name, way=True, deadline=20.0) for name in ("sts", "datazone", "sagemaker", "eks", "s3")]
        assert await far.states(*chain) == [OK] * 5
        far.asked.clear()
        far.now, far.down = far.now + 60, 600.0
        begun = far.now
        assert await far.states(*chain, fresh=True) == [GONE] * 5
        assert (far.asked, far.now - begun) == (["sts", "datazone"], 20.0 + DOUBT_SECONDS)
        last = [far.reads.peek(read).last for read in chain]
        assert [(x.code, x.params) for x in last[:2]] == [("deadline", {"limit_seconds": 20.0}), ("deadline", {"limit_seconds": DOUBT_SECONDS})]
        assert [(x.code, x.params, x.at) for x in last[2:]] == [("way_silent", {}, last[1].at)] * 3, "nothing of another service, nor of its Region"
        assert [x.source for x in last] == [f"test:{read.key.operation}" for read in chain]
        assert [far.reads.peek(read).data for read in chain] == ["sts", "datazone", "sagemaker", "eks", "s3"], "what was read before stays"
        far.asked.clear()
        far.now, far.down = far.now + PROBE_EVERY_MAX, None
        assert await far.states(*chain) == [OK] * 5 and len(far.asked) == 5, "all are due, and well again"

    in_loop(story())


def test_of_several_far_ends_one_that_hangs_holds_up_no_other() -> None:
    async def story() -> None:
        far = Far()
        dead = far.read("dead", upstream="s3", way=True, alone=600.0, deadline=20.0)
        well = [far.read(name, upstream=name, way=True, ttl=0.0) for name in ("sts", "sagemaker")]
        for _ in range(4):
            assert await far.states(dead, *well) == [GONE, OK, OK]
            far.now += PROBE_EVERY_MAX
        assert far.asked == ["dead", "sts", "sagemaker"] * 4

    in_loop(story())


def test_two_that_hang_do_not_keep_a_third_from_being_asked() -> None:
    async def story() -> None:
        far = Far()
        dead = [far.read(name, upstream=name, way=True, alone=600.0, deadline=20.0) for name in ("s3", "datazone")]
        well = far.read("sagemaker", upstream="sagemaker", way=True, ttl=0.0)
        assert await far.states(*dead, well) == [GONE, GONE, GONE] and far.asked == ["s3", "datazone"], "so far nothing tells that it is well"
        far.now += PAUSE
        trial = far.reads.start(dead[0])
        assert (await far.reads.start(well)).ok, "also while one of those is tried again"
        await trial
        far.now += PROBE_EVERY_MAX
        assert await far.states(dead[0], well) == [GONE, OK]

    in_loop(story())


def test_one_that_is_well_is_asked_behind_those_that_are_not() -> None:
    """A chain whose first link hangs, and another far end that hangs beside it: every try would come in the pause after the first link's."""

    async def story() -> None:
        far = Far()
        sts, s3 = (far.read(name, upstream=name, way=True, alone=600.0, deadline=20.0) for name in ("sts", "s3"))
        well, more = (far.read(name, upstream=name, way=True, ttl=0.0) for name in ("datazone", "eks"))
        assert await far.states(s3) == [GONE]
        for _ in range(4):
            far.asked.clear()
            assert await far.states(sts, well, more) == [GONE] * 3 and far.asked == ["sts"], "it may be the way"
            far.now += PROBE_EVERY_MAX
            assert await far.states(sts, well, more) == [GONE, OK, OK] and far.asked == ["sts", "sts", "datazone", "eks"]
            far.now += PROBE_EVERY_MAX
            assert await far.states(s3) == [GONE]

    in_loop(story())


def test_what_was_passed_over_is_due_when_the_pause_is_over_that_there_was_then() -> None:
    async def story() -> None:
        far = Far()
        sts, s3 = (far.read(name, upstream=name, way=True, alone=600.0, deadline=20.0) for name in ("sts", "s3"))
        well = far.read("datazone", upstream="datazone", way=True)
        assert await far.states(sts, s3, well) == [GONE] * 3
        assert far.reads.next_fresh_in(well) == pytest.approx(PAUSE) and await far.states(well, fresh=True) == [GONE]
        far.now += PAUSE
        assert await far.states(sts, well) == [GONE, OK] and far.asked == ["sts", "s3", "sts", "datazone"]

    in_loop(story())


def test_in_doubt_only_the_first_answer_is_waited_for_less_long() -> None:
    """A list whose first page has come has its own deadline, as one has that nobody doubts."""

    async def story(loop: Loop) -> None:
        reads, begun, go_on, release = Reads(elapsed=loop.time), threading.Event(), threading.Event(), threading.Event()

        def silent(_: Deadline) -> str:
            raise Failure(State.UNREACHABLE, "aws_not_reached")

        def pages(deadline: Deadline) -> str:
            begun.set()
            assert go_on.wait(HANGS)
            deadline.heard()
            heard.set()
            assert release.wait(HANGS)
            return "every page"

        heard = threading.Event()
        assert not (await reads.start(a_read(silent, "silent", upstream="s3", way=True))).ok
        listed = reads.start(a_read(pages, "list", upstream="sagemaker", way=True, deadline=HOUR))
        await until(begun.is_set, "the list is on its way")
        go_on.set()
        await until(heard.is_set, "its first page has come")
        loop.ahead += HOUR / 2
        await asyncio.sleep(0.05)  # timers that are due go off
        assert not listed.done()
        release.set()
        assert (await listed).data == "every page"
        assert not (await reads.start(a_read(silent, "silent again", upstream="s3", way=True))).ok
        release.clear()
        never = reads.start(a_read(lambda _: release.wait(HANGS), "never", upstream="sts", way=True, deadline=HOUR))
        loop.ahead += DOUBT_SECONDS
        last = (await never).last
        assert (last.code, last.params) == ("deadline", {"limit_seconds": DOUBT_SECONDS})
        release.set()

    clock.in_loop(story)


def test_a_list_of_pages_has_no_more_than_its_own_deadline() -> None:
    async def story(loop: Loop) -> None:
        reads, release, begun = Reads(elapsed=loop.time), threading.Event(), threading.Event()

        def silent(_: Deadline) -> str:
            raise Failure(State.UNREACHABLE, "aws_not_reached")

        def drips(deadline: Deadline) -> str:
            deadline.heard()
            begun.set()
            assert release.wait(HANGS)
            return "too late"

        assert not (await reads.start(a_read(silent, "silent", upstream="s3", way=True))).ok
        listed = reads.start(a_read(drips, "list", upstream="sagemaker", way=True, deadline=HOUR))
        await until(begun.is_set, "the first page has come")
        loop.ahead += DOUBT_SECONDS
        await asyncio.sleep(0.05)
        assert not listed.done()
        loop.ahead += HOUR
        assert (await listed).last.params == {"limit_seconds": HOUR}
        release.set()

    clock.in_loop(story)


def test_what_is_made_here_is_no_sign_of_a_far_end() -> None:
    """A token that is signed here, and a refusal of our own, while nothing is heard of anybody."""

    async def story() -> None:
        far = Far()
        sts, datazone, eks = (far.read(name, upstream=name, way=True, alone=600.0, deadline=20.0) for name in ("sts", "datazone", "eks"))
        token = far.read("token", upstream="signed", way=True, local=True)

        def refuse(_: Deadline) -> str:
            raise Failure(State.NOT_CONFIGURED, "no_region")

        refused = a_read(refuse, "refused", upstream="s3", way=True)
        assert [(await far.reads.start(read)).last.state for read in (sts, token, refused, datazone, eks)] == [GONE, OK, State.NOT_CONFIGURED, GONE, GONE]
        assert far.asked == ["sts", "token", "datazone"]

    in_loop(story())


def test_a_service_that_says_it_is_out_of_order_is_heard() -> None:
    async def story() -> None:
        far = Far()
        dead = far.read("dead", upstream="s3", way=True, alone=600.0, deadline=20.0)
        ill = far.read("ill", upstream="datazone", way=True, alone=3.0, blames=Blame.TROUBLE)
        assert await far.states(dead, ill, far.read("well", upstream="sts", way=True)) == [GONE, GONE, OK]
        assert far.asked == ["dead", "ill", "well"]

    in_loop(story())


def test_a_failure_of_long_ago_stands_for_nothing() -> None:
    async def story() -> None:
        far = Far()
        far.down = 20.0
        assert await far.states(far.read("one")) == [GONE]
        far.now, far.down = far.now + BACK_OFF_MAX + 1, None
        got = await asyncio.gather(far.reads.start(far.read("two")), far.reads.start(far.read("three")))
        assert [r.last.state for r in got] == [OK, OK] and sorted(far.asked) == ["one", "three", "two"], "both are sent, in whatever order"

    in_loop(story())


def test_what_still_waited_for_a_worker_says_what_the_others_met() -> None:
    async def story(loop: Loop) -> None:
        begun, release = threading.Event(), threading.Event()
        reads = Reads(workers=1)
        flights = [reads.start(a_read(lambda d: begun.set() or release.wait(HANGS), f"r{i}", deadline=HOUR)) for i in range(3)]
        await until(begun.is_set, "the one worker is at the first")
        loop.ahead += HOUR
        got = await asyncio.gather(*flights)
        assert [r.last.code for r in got] == ["deadline"] * 3
        assert reads.started == 1
        release.set()

    clock.in_loop(story)
