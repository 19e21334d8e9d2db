"""Plays a recording in a loop: which frame is now, and what its objects look like with recorded "now" moved to the real now.

Within one loop an object never changes unless a frame changes it: times are mapped by one line per loop, not by the moment of the question.
Resource versions rise over frames and over loops. After the first loop every object has a new uid, because a Job that ended and then waits again
under its old uid would be a thing that no cluster shows.
"""

from __future__ import annotations

import re
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from .recording import Object, Recording, key_of

TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(?:Z|\+00:00)")
UID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
PAUSE = 60.0
"""Seconds that the end of the story stays on the screen before it begins again."""


@dataclass(frozen=True, slots=True)
class Loop:
    """One telling of the story: `epoch` is the real time of its second 0."""

    number: int
    epoch: float


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The cluster at one frame. `objects` are as recorded: `Replay.live` makes them of today."""

    loop: Loop
    frame: int
    rv: int
    say: str
    objects: Mapping[str, Mapping[str, Object]]
    visibility: Mapping[str, Object]


class Replay:
    """`speed` is story seconds per real second, `offset` the story's second to begin at, `pause` real seconds. Thread-safe."""

    def __init__(self, recording: Recording, *, clock: Callable[[], float] = time.time, speed: float = 1.0, offset: float = 0.0, pause: float = PAUSE) -> None:
        if speed <= 0 or offset < 0 or pause < 0:
            raise ValueError("speed is above 0, offset and pause are not below 0")
        self.recording, self.clock, self.speed, self.pause = recording, clock, speed, pause
        self._ahead = min(offset, recording.length) / speed
        self._first = clock() - self._ahead
        self._states = _accumulate(recording)
        self._span = self._states[-1][0] + 1
        self._frozen: tuple[Loop, int] | None = None
        self._skipped = 0  # loops that freezing used up, so that resource versions never fall
        self._lock = threading.Lock()
        self._live: dict[int, dict[tuple[float, int], Object]] = {}  # by loop; the one before is kept for lists that are still being paged

    def freeze(self, frame: int | str) -> Snapshot:
        """Stops the story at a frame, by number (negative from the end) or by a part of its `say`; that frame becomes "just now". Raises ValueError."""
        frames = self.recording.frames
        if isinstance(frame, str):
            found = [i for i, f in enumerate(frames) if frame in f.say]
            if not found:
                raise ValueError(f"no frame says {frame!r}; frames say: {'; '.join(f.say for f in frames)}")
            frame = found[0]
        if not -len(frames) <= frame < len(frames):
            raise ValueError(f"the recording has frames 0 to {len(frames) - 1}")
        frame %= len(frames)
        with self._lock:
            before = self._position()[0].number
            self._skipped += 1
            self._frozen = (Loop(before + 1, self.clock() - frames[frame].at / self.speed), frame)
        return self.snapshot()

    def thaw(self) -> None:
        """Goes on from the frame where it stands."""
        with self._lock:
            if self._frozen is not None:
                loop, frame = self._frozen
                self._frozen = None
                self._first = self.clock() - self.recording.frames[frame].at / self.speed
                self._skipped = loop.number

    def restart(self) -> None:
        """Begins the story anew, unless it is stopped at a frame: its audience has only just arrived."""
        with self._lock:
            if self._frozen is None:
                self._skipped = self._position()[0].number + 1
                self._first = self.clock() - self._ahead

    def snapshot(self) -> Snapshot:
        with self._lock:
            loop, frame = self._position()
        return self._snapshot(loop, frame)

    def told(self) -> tuple[int, int, str]:
        """The last sentence of the story so far: number of the telling, frame, text (empty where the story has said nothing yet)."""
        now = self.snapshot()
        frame = next((i for i in range(now.frame, -1, -1) if self.recording.frames[i].say), 0)
        return now.loop.number, frame, self.recording.frames[frame].say

    def at_version(self, rv: int) -> Snapshot | None:
        """The state that a list of version `rv` was read from, or None if it belongs to an earlier loop: a real server has compacted it away."""
        now = self.snapshot()
        found = [i for i in range(now.frame + 1) if self._rv(now.loop, i) == rv]
        return self._snapshot(now.loop, found[-1]) if found else None

    def live(self, loop: Loop, o: Object) -> Object:
        """The object with times, uid and resourceVersion of this loop."""
        cache = (loop.epoch, id(o))  # objects of a recording live as long as this replay, so an id is one object
        with self._lock:
            for past in [number for number in self._live if number < loop.number - 1]:
                del self._live[past]
            kept = self._live.setdefault(loop.number, {})
            if (known := kept.get(cache)) is not None:
                return known
        made: dict[str, Any] = self._mapped(loop, o)
        if rv := made.get("metadata", {}).get("resourceVersion"):
            made["metadata"]["resourceVersion"] = str(int(rv) + loop.number * self._span)
        with self._lock:
            kept[cache] = made
        return made

    # -- inside ------------------------------------------------------------------------------------------------------------
    def _position(self) -> tuple[Loop, int]:
        if self._frozen is not None:
            return self._frozen
        lasts = self.recording.length / self.speed + self.pause
        elapsed = max(0.0, self.clock() - self._first)
        number = int(elapsed // lasts) if lasts > 0 else 0
        at = (elapsed - number * lasts) * self.speed
        frame = max(i for i, f in enumerate(self.recording.frames) if f.at <= at)
        return Loop(number + self._skipped, self._first + number * lasts), frame

    def _rv(self, loop: Loop, frame: int) -> int:
        return self._states[frame][0] + loop.number * self._span

    def _snapshot(self, loop: Loop, frame: int) -> Snapshot:
        _, objects, visibility = self._states[frame]
        return Snapshot(loop, frame, self._rv(loop, frame), self.recording.frames[frame].say, objects, visibility)

    def _mapped(self, loop: Loop, value: Any, under: str = "") -> Any:
        if isinstance(value, Mapping):
            # an annotation is text of a person or a controller: a date inside it is not a time of this cluster
            return {k: v if k == "annotations" and under == "metadata" else self._mapped(loop, v, k) for k, v in value.items()}
        if isinstance(value, list | tuple):
            return [self._mapped(loop, v, under) for v in value]
        if not isinstance(value, str):
            return value
        if (m := TIME.fullmatch(value)) is not None:
            return self._time(loop, m)
        if loop.number and "-" in value:
            return UID.sub(lambda m: str(uuid.uuid5(uuid.NAMESPACE_OID, f"{m[0]}/{loop.number}")), value)
        return value

    def _time(self, loop: Loop, m: re.Match[str]) -> str:
        fraction = m[2] or ""
        recorded = datetime.fromisoformat(m[1] + "+00:00").timestamp()
        since = recorded - self.recording.recorded_at
        # before the story nothing is stretched: what was two days old stays two days old
        real = loop.epoch + (since / self.speed if since > 0 else since)
        return datetime.fromtimestamp(int(real // 1), UTC).strftime("%Y-%m-%dT%H:%M:%S") + fraction + "Z"


State = tuple[int, Mapping[str, Mapping[str, Object]], Mapping[str, Object]]


def _accumulate(recording: Recording) -> list[State]:
    states: list[State] = []
    rv, objects, visibility = 0, dict[str, dict[str, Object]](), dict[str, Object]()
    for frame in recording.frames:
        before = rv
        for kind in {*frame.upserts, *frame.deletes}:
            table = dict(objects.get(kind, {}))
            for name in frame.deletes.get(kind, ()):
                table.pop(name, None)
            for o in frame.upserts.get(kind, ()):
                table[key_of(o)] = o
                rv = max(rv, int(o["metadata"].get("resourceVersion") or 0))
            objects[kind] = table
        for queue, body in frame.visibility.items():
            visibility = {k: v for k, v in visibility.items() if k != queue} | ({} if body is None else {queue: body})
        # a delete moves a real server's version too, though no object shows it
        rv = max(rv, before + 1)
        states.append((rv, dict(objects), visibility))
    return states
