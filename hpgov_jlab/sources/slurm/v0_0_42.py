"""data_parser v0.0.42 (Slurm 24.11, its newest): bodies -> the shapes that every older one is lifted to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from .errors import not_the_shape
from .shapes import Assoc, DbJob, Head, Job, Node, Partition, Ping, Qos, Reservation, Shape, Share

T = TypeVar("T")
UNREADABLE = (msgspec.MsgspecError, ValueError, OverflowError, RecursionError)
"""What readers of JSON raise for a body that is none, of another shape, nested without end, or with numbers without end."""


def readable(read: Callable[[], T], source: str) -> T:
    """What `read` makes of a body. Raises Failure(INVALID) for one that it cannot."""
    try:
        return read()
    except UNREADABLE:
        raise not_the_shape(source) from None


def decode(body: bytes, key: str, shape: type[T], source: str) -> list[T]:
    """The list under `key`. Raises Failure(INVALID) where there is none: what has none is no answer, and never an empty one."""
    listed: list[T] = getattr(readable(lambda: decoder(key, shape).decode(body), source), key)
    return listed


_decoders: dict[tuple[str, Any], msgspec.json.Decoder[Any]] = {}


def decoder(key: str, shape: Any) -> msgspec.json.Decoder[Any]:
    made = _decoders.get((key, shape))
    if made is None:
        page = msgspec.defstruct(f"{key}_page", [(key, list[shape])])
        made = _decoders[key, shape] = msgspec.json.Decoder(page)
    return made


class _SharesInner(Shape, frozen=True):
    shares: list[Share]


class _Shares(Shape, frozen=True):
    shares: _SharesInner


class Adapter:
    """Bodies of this version -> shapes of the newest. Older versions override what differs."""

    version = "v0.0.42"

    def head(self, body: bytes, source: str) -> Head:
        """Meta and errors. Raises Failure(INVALID) for a body that is not JSON."""
        return readable(lambda: msgspec.json.decode(body, type=Head), source)

    def jobs(self, body: bytes, source: str) -> list[Job]:
        return decode(body, "jobs", Job, source)

    def history(self, body: bytes, source: str) -> list[DbJob]:
        return decode(body, "jobs", DbJob, source)

    def associations(self, body: bytes, source: str) -> list[Assoc]:
        return decode(body, "associations", Assoc, source)

    def qos(self, body: bytes, source: str) -> list[Qos]:
        return decode(body, "qos", Qos, source)

    def shares(self, body: bytes, source: str) -> list[Share]:
        return readable(lambda: msgspec.json.decode(body, type=_Shares), source).shares.shares

    def partitions(self, body: bytes, source: str) -> list[Partition]:
        return decode(body, "partitions", Partition, source)

    def reservations(self, body: bytes, source: str) -> list[Reservation]:
        return decode(body, "reservations", Reservation, source)

    def nodes(self, body: bytes, source: str) -> list[Node]:
        return decode(body, "nodes", Node, source)

    def pings(self, body: bytes, source: str) -> list[str]:
        return [one.pinged or one.ping for one in decode(body, "pings", Ping, source)]
