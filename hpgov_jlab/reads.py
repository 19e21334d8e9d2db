"""The unit of I/O and its cache (DESIGN.md 3): key, time to live, single flight, floor, total deadline, last good data.

Everything here runs on the event loop's thread, apart from `fetch`, which runs in a daemon worker. A read never waits for a read. Workers are
bounded per far end (lane), so that one hung cluster starves only itself; a worker that outlives its deadline stays counted, and at the bound
no new one starts. A far end that fails gets one probe at a time, and the others learn the probe's outcome without being sent. After a failure that
took long there is a pause before the next probe: reads that depend on each other would else spend a deadline each, and the person would read
"unreachable" only after their sum.

A far end fails by silence. One that answers with an error is there: then the read fails alone, or with what serves its group; where it says that it is
in trouble itself, the second read that meets this counts. Far ends that are reached by one way (AWS's services) fail each by itself; two of them silent,
and none heard since, are the way: see `_Way`.

Longer than 400 lines: the states of one read (due, queued, running, overdue, settled) are one machine, and whoever changes one has to see them all.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar, cast

from .model.outcome import KEEPS_DATA, Ask, Blame, Failure, Layer, Outcome, Reading, State, pending

T = TypeVar("T")
U = TypeVar("U")
V = TypeVar("V")
log = logging.getLogger(__name__)

LAST_GOOD_SECONDS = 24 * 3600.0
"""Old data stands beside a failed last try at most this long (DESIGN.md 4)."""
FORGET_SECONDS = 3600.0
"""An entry that nobody asked for this long is dropped: a closed panel must not keep a team's rows in memory for ever."""
BACK_OFF_MAX = 300.0
PROBE_EVERY_MAX = 60.0
"""A far end that fails is probed at least so often while somebody looks: one read costs it nothing, and it is found well again soon."""
SLOW_FAILURE = 1.0
"""A failure that took less holds up no chain of reads."""
PAUSE = 5.0
"""After a slow failure nothing more is sent to that far end for so long, also when a person asks for fresh data."""
DOUBT_SECONDS = 5.0
"""How long a read waits for a first answer where its way was silent to another far end: far above what AWS takes that is well, and the person has waited
for a deadline already."""
DENIED_TTL = 60.0
HEARD = frozenset({State.OK, State.DENIED, State.ABSENT, State.THROTTLED})
"""States that an answer causes. The others may be found here already, before anything is sent: they tell nothing of the way."""
OF_ONE_READ = frozenset({"operation", "scope"})
"""Parameters that tell what was asked, and of whose namespace: they go to no other read with what its far end met."""
WORKERS_PER_LANE = 4


@dataclass(frozen=True, slots=True)
class Key:
    """`principal` is whose rights the read uses: after a change of role nothing of the former is found again."""

    principal: str
    upstream: str
    operation: str
    scope: str = ""


class Deadline:
    """A total time limit, started when the read was asked for, so that time spent in the queue counts. `first`: less, until something is heard."""

    def __init__(self, seconds: float, *, first: float = math.inf) -> None:
        self._seconds, self._start = seconds, time.monotonic()
        self.limit = min(seconds, first)
        self._end = self._start + self.limit

    def heard(self) -> None:
        """The far end has answered, a first page say: the whole time counts from now on. Called where the answer comes in, in a worker."""
        self.limit, self._end = self._seconds, self._start + self._seconds

    def remaining(self) -> float:
        return max(0.0, self._end - time.monotonic())

    @property
    def expired(self) -> bool:
        return self.remaining() <= 0.0

    def check(self) -> None:
        """Raises Failure(UNREACHABLE, "deadline") once the time is over."""
        if self.expired:
            raise Failure(State.UNREACHABLE, "deadline", {"limit_seconds": self.limit})


@dataclass(frozen=True, slots=True)
class Got(Generic[T]):
    """Data with the upstream's clock minus ours, in seconds, where its `Date` header told."""

    data: T
    skew: float | None = None


@dataclass(frozen=True, slots=True)
class Read(Generic[T]):
    """One request or one paged list. `fetch` blocks, in a worker, and raises Failure; times are seconds.

    `way`: the lane's far ends are each their own and are all reached by the same way (`_Way`). `local`: what it brings is made here, and tells nothing
    of the far end.
    """

    key: Key
    lane: str
    source: str
    fetch: Callable[[Deadline], Got[T] | T] = field(repr=False)
    ttl: float = 30.0
    floor: float = 5.0
    deadline: float = 20.0
    list_like: bool = False
    way: bool = False
    local: bool = False


def digested(read: Read[T], digest: Callable[[T], U]) -> Read[U]:
    """The same read, its data turned into something else in the worker: for digests too slow for the event loop. Ask for it in this one form only."""

    def fetch(deadline: Deadline) -> Got[U]:
        value = read.fetch(deadline)
        got = value if isinstance(value, Got) else Got(value)
        return Got(digest(got.data), got.skew)

    return replace(cast("Read[Any]", read), fetch=fetch)


@dataclass(slots=True)
class _Entry:
    reading: Reading[Any]
    asked_at: float  # monotonic
    started_at: float | None = None
    settled_at: float | None = None
    failures: int = 0
    hold_until: float = 0.0
    last_read_at: float | None = None  # when it last brought data, also after that may not be shown any more
    with_far_end: bool = False  # it ended unreachable since its far end fails: it is due when that may be asked, and at once when that is well again
    passed_over: bool = False  # it was not sent last time, since nothing was heard by the way to its far end: it is sent this time
    flight: asyncio.Future[Reading[Any]] | None = None


@dataclass(slots=True)
class _Job:
    read: Read[Any]
    entry: _Entry
    deadline: Deadline
    upstreams: tuple[_Upstream, ...]  # its far end first
    way: _Way | None
    asked_at: float  # monotonic
    timer: asyncio.TimerHandle | None = None
    running: bool = False
    over: bool = False


@dataclass(slots=True)
class _Lane:
    bound: int
    running: int = 0
    stuck: int = 0
    queue: deque[_Job] = field(default_factory=deque)


@dataclass(slots=True)
class _Upstream:
    """`failures`: probes in a row that failed. Times are monotonic: when something answered last, the last failure that was counted, the last
    failure, the end of the pause after it. `doubt`: which read failed without being proof enough."""

    failing: Outcome | None = None
    in_flight: int = 0
    failures: int = 0
    answered_at: float = -math.inf
    counted_at: float = 0.0
    failed_at: float = 0.0
    pause_until: float = 0.0
    doubt: str = ""
    doubted_at: float = 0.0

    def answered(self, now: float) -> None:
        self.failing, self.failures, self.answered_at, self.doubt = None, 0, now, ""

    def doubted(self, who: str, outcome: Outcome, asked_at: float, now: float) -> None:
        """`who` met what may be its own trouble. Another one that meets it too, with nothing answered in between, makes it this far end's."""
        if self.failing is not None or (self.doubt not in ("", who) and now - self.doubted_at <= BACK_OFF_MAX):
            self.failed(outcome, asked_at, now)
        elif self.answered_at < asked_at:
            self.doubt, self.doubted_at = who, now

    def failed(self, outcome: Outcome, asked_at: float, now: float) -> None:
        """A read that was sent at `asked_at` ended unreachable. Where another was answered since, that read fails, not the far end."""
        if self.answered_at >= asked_at:
            return
        if self.failing is None or asked_at >= self.counted_at + PAUSE:  # of reads that failed together, or one after the other in one chain, the first counts
            self.failures, self.counted_at = self.failures + 1, now
        self.failing, self.failed_at = outcome, now
        self.pause_until = now + PAUSE if now - asked_at >= SLOW_FAILURE else now

    def stands_for(self, now: float) -> Outcome | None:
        """What a read that is asked for now learns without being sent: a probe is on its way, or one has just failed slowly."""
        if self.failing is not None and now - self.failed_at > BACK_OFF_MAX:
            self.failing, self.failures = None, 0  # nobody looked since: how it is now is not known
        return self.failing if self.in_flight or now < self.pause_until else None

    def next_probe_at(self, *, fresh: bool) -> float:
        """When the next read may be sent: at once if nothing fails; by a person's hand after the pause, else after a time that doubles."""
        if self.failing is None:
            return 0.0
        return self.pause_until if fresh else max(self.pause_until, self.failed_at + min(PROBE_EVERY_MAX, PAUSE * 2 ** min(self.failures - 1, 6)))


@dataclass(slots=True)
class _Way:
    """The one way to several far ends, each of which fails by itself and has probes of its own. While one was silent and nothing was heard since, a read
    of another waits DOUBT_SECONDS for its first answer. If that is silent too, it may be the way: what is asked for next is not sent for PAUSE, once; the
    next time it is, whatever the others met, or one that is well would never be asked behind one that is not.

    `silent`: far end -> when nothing was heard of it (monotonic)."""

    silent: dict[str, float] = field(default_factory=dict)
    heard_at: float = -math.inf
    pause_until: float = 0.0
    told_at: float | None = None  # epoch seconds of the last silence

    def heard(self, now: float) -> None:
        self.heard_at, self.pause_until = now, 0.0
        self.silent.clear()

    def was_silent(self, far_end: str, asked_at: float, now: float, told_at: float | None) -> None:
        """To a read that was sent at `asked_at`. Where another was answered since, that far end is silent, not the way."""
        if self.heard_at >= asked_at:
            return
        self.silent[far_end], self.told_at = now, told_at
        if self.in_doubt(far_end, now) and now - asked_at >= SLOW_FAILURE:
            self.pause_until = now + PAUSE

    def in_doubt(self, far_end: str, now: float) -> bool:
        """Whether another was silent lately, and nothing was heard since."""
        return any(other != far_end and now - at <= BACK_OFF_MAX for other, at in self.silent.items())

    def outcome(self, source: str) -> Outcome:
        return Outcome(State.UNREACHABLE, "way_silent", source, self.told_at, {}, Layer.WORKLOAD, Ask.JUPYTER_ADMIN)


class Reads:
    """The one cache. Made and used on the event loop. `clock` is epoch seconds for what people read, `elapsed` the monotonic one that makes reads due."""

    def __init__(self, *, workers: int = WORKERS_PER_LANE, clock: Callable[[], float] = time.time, elapsed: Callable[[], float] = time.monotonic) -> None:
        self._workers, self._clock, self.elapsed = workers, clock, elapsed
        self._entries: dict[Key, _Entry] = {}
        self._lanes: dict[str, _Lane] = {}
        self._upstreams: dict[tuple[str, str], _Upstream] = {}
        self._ways: dict[str, _Way] = {}
        self._stopping = False
        self.started = 0  # reads sent since the start, for the bench and the tests
        self.let_go: Callable[[object], None] | None = None  # given lists that newer ones have replaced: freeing thousands of objects is for a worker

    # -- asking ----------------------------------------------------------------------------------------------------------
    def peek(self, read: Read[T]) -> Reading[T]:
        """What is known now, without starting anything. Never asked: pending, no data."""
        entry = self._entry(read)
        reading = entry.reading
        if reading.as_of is not None and not reading.ok and self._clock() - reading.as_of > LAST_GOOD_SECONDS:
            entry.reading = reading = replace(reading, data=None, as_of=None)
        return reading

    def start(self, read: Read[T], *, fresh: bool = False) -> asyncio.Future[Reading[T]]:
        """The reading once it is up to date: at once if it is not due, else after one try, shared by all who ask meanwhile."""
        entry = self._entry(read)
        if entry.flight is not None:
            return entry.flight
        if not self.due(read, fresh=fresh):
            return _done(self.peek(read))
        return self._launch(read, entry)

    def due(self, read: Read[Any], *, fresh: bool = False) -> bool:
        entry = self._entry(read)
        return self.elapsed() >= self._due_at(read, entry, fresh=fresh)

    def in_flight(self, read: Read[Any]) -> bool:
        """Whether a try of this read is on its way."""
        return self._entry(read).flight is not None

    def next_fresh_in(self, read: Read[Any]) -> float:
        """Seconds until `fresh` would start this read again: the floor, or what the upstream asked for."""
        return max(0.0, self._due_at(read, self._entry(read), fresh=True) - self.elapsed())

    def expire(self, key: Key) -> None:
        """Let the next ask start this read again, whatever its time to live says (a token that was refused)."""
        entry = self._entries.get(key)
        if entry is not None:
            entry.settled_at, entry.hold_until, entry.started_at, entry.with_far_end = None, 0.0, None, False

    def forget(self, unwanted: Callable[[Key], bool]) -> None:
        """Drop what is known of these reads at once: what may not be shown any more is not kept either. What one in flight brings is not kept."""
        for key in [k for k in self._entries if unwanted(k)]:
            del self._entries[key]

    def sweep(self) -> bool:
        """Drop entries that nobody asked for within FORGET_SECONDS; True while others are left. The service calls it now and then."""
        now = self.elapsed()
        for key in [k for k, e in self._entries.items() if e.flight is None and now - e.asked_at > FORGET_SECONDS]:
            del self._entries[key]
        known = {key.upstream for key in self._entries}
        lanes = {lane for lane, upstream in self._upstreams if upstream in known}
        for pair in [p for p, u in self._upstreams.items() if p[0] not in lanes and not u.in_flight]:  # a cluster that is there no more
            del self._upstreams[pair]
        for name in [n for n, lane in self._lanes.items() if n not in lanes and not lane.running and not lane.queue]:
            del self._lanes[name]
            self._ways.pop(name, None)
        return bool(self._entries)

    def stop(self) -> None:
        """No read starts any more; those in flight settle as stopping. Workers are daemons and hold up nothing."""
        self._stopping = True
        failure = Failure(State.PENDING, "stopping")
        for lane in self._lanes.values():
            lane.queue.clear()
        for entry in self._entries.values():
            flight, entry.flight = entry.flight, None
            if flight is not None and not flight.done():
                flight.set_result(replace(entry.reading, last=failure.outcome(entry.reading.last.source, self._clock())))
        self._entries.clear()

    @property
    def stuck(self) -> dict[str, int]:
        """Workers per lane that outlived their deadline and have not come back."""
        return {name: lane.stuck for name, lane in self._lanes.items() if lane.stuck}

    # -- inside ----------------------------------------------------------------------------------------------------------
    def _entry(self, read: Read[Any]) -> _Entry:
        now = self.elapsed()
        entry = self._entries.get(read.key)
        if entry is None:
            entry = self._entries[read.key] = _Entry(Reading(None, None, pending(read.source)), now)
        entry.asked_at = now
        return entry

    def _upstreams_of(self, read: Read[Any]) -> tuple[_Upstream, ...]:
        """The far end of a read, and what that stands behind: an upstream with the name of its lane is what every read of the lane passes."""
        own = self._upstreams.setdefault((read.lane, read.key.upstream), _Upstream())
        front = self._upstreams.get((read.lane, read.lane))
        return (own,) if front is None or front is own else (own, front)

    def _due_at(self, read: Read[Any], entry: _Entry, *, fresh: bool) -> float:
        if entry.with_far_end:
            tried = 0.0 if entry.started_at is None else entry.started_at + read.floor
            return max(tried, entry.hold_until, *(u.next_probe_at(fresh=fresh) for u in self._upstreams_of(read)))
        if entry.settled_at is None or entry.started_at is None:
            return 0.0
        # asked for again and again by hand, a list that takes long would load the far end without a pause
        floor = max(read.floor, 2.0 * (entry.reading.seconds or 0.0)) if read.list_like else read.floor
        floor_at = max(entry.started_at + floor, entry.hold_until)
        if fresh:
            return floor_at
        ttl = read.ttl
        if read.list_like:
            ttl = max(15.0, 20.0 * (entry.reading.seconds or 0.0))
        state = entry.reading.last.state
        if state in (State.UNREACHABLE, State.THROTTLED):
            ttl = min(BACK_OFF_MAX, max(read.floor, 5.0) * 2 ** min(entry.failures - 1, 6))
        elif state is not State.OK:
            ttl = max(ttl, DENIED_TTL) if state in (State.DENIED, State.ABSENT) else ttl
        return max(floor_at, entry.settled_at + ttl)

    def _launch(self, read: Read[Any], entry: _Entry) -> asyncio.Future[Reading[Any]]:
        if self._stopping:
            return _done(replace(entry.reading, last=Failure(State.PENDING, "stopping").outcome(read.source, self._clock())))
        loop = asyncio.get_running_loop()
        entry.flight = flight = loop.create_future()
        now = self.elapsed()
        upstreams = self._upstreams_of(read)
        lane = self._lanes.setdefault(read.lane, _Lane(self._workers))
        way = self._ways.setdefault(read.lane, _Way()) if read.way else None
        for upstream in upstreams:
            if (failing := upstream.stands_for(now)) is not None:
                self._lend(read, entry, failing)
                return flight
        if way is not None and now < way.pause_until and not entry.passed_over:
            self._pass_over(read, entry, way)
            return flight
        entry.started_at, entry.passed_over = now, False
        if lane.stuck >= lane.bound:
            self._settle(read, entry, self._busy(read), None, None)
            return flight
        doubted = way is not None and way.in_doubt(read.key.upstream, now)
        job = _Job(read, entry, Deadline(read.deadline, first=DOUBT_SECONDS if doubted else math.inf), upstreams, way, now)
        for upstream in upstreams:
            upstream.in_flight += 1
        job.timer = loop.call_later(job.deadline.limit, self._overdue, job, job.deadline.limit)
        lane.queue.append(job)
        self._pump(lane)
        return flight

    def _lend(self, read: Read[Any], entry: _Entry, failing: Outcome) -> None:
        """What the probe met, with the probe's time, stands for a read that is not sent; it is due again once the far end may be asked."""
        params = {name: value for name, value in failing.params.items() if name not in OF_ONE_READ}
        self._settle(read, entry, replace(failing, source=read.source, params=params), None, None, lent=True)

    def _pass_over(self, read: Read[Any], entry: _Entry, way: _Way) -> None:
        """Not sent, since the way to its far end may be silent. It is due when the pause is over that there is now, and then it is sent."""
        self._settle(read, entry, way.outcome(read.source), None, None, lent=True)
        entry.passed_over, entry.hold_until = True, way.pause_until

    def _busy(self, read: Read[Any]) -> Outcome:
        return Failure(State.UNREACHABLE, "workers_busy", ask=Ask.NOBODY).outcome(read.source, self._clock())

    def _pump(self, lane: _Lane) -> None:
        while lane.queue and lane.running < lane.bound and not self._stopping:
            job = lane.queue.popleft()
            if job.over:
                continue
            lane.running += 1
            job.running = True
            self.started += 1
            name = f"hpgov-{job.read.lane}"
            threading.Thread(target=_work, args=(job, asyncio.get_running_loop(), self._finished), name=name, daemon=True).start()

    def _overdue(self, job: _Job, limit: float) -> None:
        if job.over:
            return
        if job.deadline.limit > limit:  # a first answer has come
            job.timer = asyncio.get_running_loop().call_later(job.deadline.limit - limit, self._overdue, job, job.deadline.limit)
            return
        job.over = True
        lane = self._lanes[job.read.lane]
        for upstream in job.upstreams:
            upstream.in_flight -= 1
        failing = next((u.failing for u in job.upstreams if u.failing is not None), None)
        if job.running:
            lane.stuck += 1
            outcome = Failure(State.UNREACHABLE, "deadline", {"limit_seconds": job.deadline.limit}).outcome(job.read.source, self._clock())
            self._settle(job.read, job.entry, outcome, None, job)
        elif failing is not None:
            self._lend(job.read, job.entry, failing)
        elif job.way is not None and self.elapsed() < job.way.pause_until:
            self._pass_over(job.read, job.entry, job.way)
        else:
            self._settle(job.read, job.entry, self._busy(job.read), None, None)
        self._pump(lane)

    def _finished(self, job: _Job, result: Got[Any] | Failure) -> None:
        lane = self._lanes[job.read.lane]
        lane.running -= 1
        if job.over:  # came back after its deadline: the answer was given, its data is not used any more
            lane.stuck -= 1
        else:
            job.over = True
            if job.timer is not None:
                job.timer.cancel()
            for upstream in job.upstreams:
                upstream.in_flight -= 1
            if isinstance(result, Failure):
                self._settle(job.read, job.entry, result.outcome(job.read.source, self._clock()), None, job, blames=result.blames)
            else:
                self._settle(job.read, job.entry, Outcome(State.OK, "read", job.read.source, self._clock()), result, job)
        self._pump(lane)

    def _settle(
        self, read: Read[Any], entry: _Entry, outcome: Outcome, got: Got[Any] | None, job: _Job | None, *, lent: bool = False, blames: Blame = Blame.FAR_END
    ) -> None:
        """`job`: the try that was sent and ended so; None where nothing was sent, which tells nothing of the far end."""
        now = self.elapsed()
        seconds = None if entry.started_at is None or job is None else now - entry.started_at
        old = entry.reading
        if got is not None:
            entry.reading = Reading(got.data, outcome.at, outcome, got.skew, seconds)
            entry.failures, entry.last_read_at = 0, outcome.at
            if read.list_like and self.let_go is not None:
                self.let_go(old.data)
        else:
            entry.failures += not lent
            keep = outcome.state in KEEPS_DATA
            if not keep and entry.last_read_at is not None:  # told as long as it is refused, not at the first refusal only
                outcome = replace(outcome, params={**outcome.params, "readable_until_at": entry.last_read_at})
            entry.reading = Reading(old.data if keep else None, old.as_of if keep else None, outcome, old.skew, seconds if seconds is not None else old.seconds)
        wait = outcome.params.get("retry_after_seconds")
        entry.hold_until = now + min(float(wait), BACK_OFF_MAX) if isinstance(wait, int | float) else 0.0
        entry.settled_at, entry.with_far_end = now, lent
        if job is not None:
            _learn(job, outcome, blames, now)
            entry.with_far_end = outcome.state is State.UNREACHABLE and any(upstream.failing is not None for upstream in job.upstreams)
        flight, entry.flight = entry.flight, None
        if flight is not None and not flight.done():
            flight.set_result(entry.reading)


def _learn(job: _Job, outcome: Outcome, blames: Blame, now: float) -> None:
    """What a try that was sent tells of its far end, of what that stands behind, and of the way to it."""
    read, own = job.read, job.upstreams[0]
    if read.local and outcome.state is State.OK:
        return
    if job.way is not None and outcome.state is State.UNREACHABLE and blames is Blame.FAR_END:
        job.way.was_silent(read.key.upstream, job.asked_at, now, outcome.at)
    elif job.way is not None and (outcome.state in HEARD or blames is not Blame.FAR_END):
        job.way.heard(now)
    this = f"{read.key.operation} {read.key.scope}"
    for upstream in job.upstreams:
        apart = upstream is own and read.key.upstream != read.lane
        if outcome.state is not State.UNREACHABLE or blames is Blame.READ or (blames is Blame.PART and not apart):
            upstream.answered(now)
        elif blames is Blame.TROUBLE:
            upstream.doubted(this, outcome, job.asked_at, now)
        elif upstream is own or upstream.failing is not None:  # what stands behind another may fail by itself: no proof that this one is ill, or well
            upstream.failed(outcome, job.asked_at, now)


def _work(job: _Job, loop: asyncio.AbstractEventLoop, finished: Callable[[_Job, Got[Any] | Failure], None]) -> None:
    try:
        job.deadline.check()
        value = job.read.fetch(job.deadline)
        result: Got[Any] | Failure = value if isinstance(value, Got) else Got(value)
    except Failure as failure:
        result = failure
    except Exception as error:  # noqa: BLE001 - a fault of ours: its class is told, its text could hold anything and is not
        log.error("reading %s failed with %s", job.read.source, type(error).__name__)
        if log.isEnabledFor(logging.DEBUG):
            log.debug("at %s", where(error))
        result = Failure(State.INVALID, "internal", {"kind": type(error).__name__}, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)
    with contextlib.suppress(RuntimeError):  # the loop closed while we read: nobody is left to tell
        loop.call_soon_threadsafe(finished, job, result)


def where(error: BaseException) -> str:
    """File and line of each frame, without values: a traceback's text may quote what an upstream sent."""
    frames, trace = [], error.__traceback__
    while trace is not None:
        frames.append(f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}")
        trace = trace.tb_next
    return " < ".join(reversed(frames))


def _done(reading: Reading[T]) -> asyncio.Future[Reading[T]]:
    future: asyncio.Future[Reading[T]] = asyncio.get_running_loop().create_future()
    future.set_result(reading)
    return future


class Asker:
    """How an answer's coroutine gets its readings. One coroutine serves both ways: run with what is known, or reading what is due."""

    async def one(self, read: Read[T]) -> Reading[T]:
        raise NotImplementedError

    async def all(self, reads: Sequence[Read[T]]) -> list[Reading[T]]:
        raise NotImplementedError

    def look(self, read: Read[T]) -> Reading[T]:
        """What is known of a read that must not be sent now."""
        raise NotImplementedError

    def forget(self, unwanted: Callable[[Key], bool]) -> None:
        """Drop what is known of these reads: what they brought may not be shown any more."""
        raise NotImplementedError

    async def two(self, first: Read[T], second: Read[U]) -> tuple[Reading[T], Reading[U]]:
        """Two reads of different types at once."""
        a, b = await self.all([cast("Read[Any]", first), cast("Read[Any]", second)])
        return a, b

    async def three(self, first: Read[T], second: Read[U], third: Read[V]) -> tuple[Reading[T], Reading[U], Reading[V]]:
        """Three reads of different types at once."""
        a, b, c = await self.all([cast("Read[Any]", first), cast("Read[Any]", second), cast("Read[Any]", third)])
        return a, b, c

    async def together(self, *parts: Coroutine[Any, Any, T]) -> list[T]:
        """Several parts of an answer that do not need each other: at once where reads are sent."""
        return [await part for part in parts]

    async def meanwhile(self, main: Coroutine[Any, Any, T], early: Coroutine[Any, Any, object]) -> T:
        """`main`, and beside it reads that will be asked for later and need nothing of it, sent early."""
        early.close()
        return await main

    def renew(self, read: Read[Any]) -> None:
        """Ask for this read anew at the next try (a refused token)."""


class Known(Asker):
    """Only what is known: an answer's coroutine driven with it never suspends, which is why a GET never waits for an upstream."""

    def __init__(self, reads: Reads) -> None:
        self._reads = reads
        self.asked: list[Read[Any]] = []

    async def one(self, read: Read[T]) -> Reading[T]:
        self.asked.append(read)
        return self._reads.peek(read)

    async def all(self, reads: Sequence[Read[T]]) -> list[Reading[T]]:
        return [await self.one(read) for read in reads]

    def look(self, read: Read[T]) -> Reading[T]:
        return self._reads.peek(read)

    def forget(self, unwanted: Callable[[Key], bool]) -> None:
        self._reads.forget(unwanted)


class Due(Asker):
    """Starts the reads that are due and waits for them, on the loop."""

    def __init__(self, reads: Reads, *, fresh: bool = False) -> None:
        self._reads, self._fresh = reads, fresh
        self._renewed: set[Key] = set()

    async def one(self, read: Read[T]) -> Reading[T]:
        return await asyncio.shield(self._reads.start(read, fresh=self._fresh))

    async def all(self, reads: Sequence[Read[T]]) -> list[Reading[T]]:
        return list(await asyncio.gather(*(self.one(read) for read in reads)))

    def look(self, read: Read[T]) -> Reading[T]:
        return self._reads.peek(read)

    def forget(self, unwanted: Callable[[Key], bool]) -> None:
        self._reads.forget(unwanted)

    async def together(self, *parts: Coroutine[Any, Any, T]) -> list[T]:
        return list(await asyncio.gather(*parts))

    async def meanwhile(self, main: Coroutine[Any, Any, T], early: Coroutine[Any, Any, object]) -> T:
        found: T
        found, _ = await asyncio.gather(main, early)
        return found

    def renew(self, read: Read[Any]) -> None:
        if read.key not in self._renewed:  # once per refresh: a far end that refuses every token must not be signed for in a loop
            self._renewed.add(read.key)
            self._reads.expire(read.key)


def drive(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run an answer's coroutine over `Known` to its end, at once. A suspension would be a fault of ours and raises."""
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]
    coroutine.close()
    raise RuntimeError("an answer waited for something while only the known may be used")
