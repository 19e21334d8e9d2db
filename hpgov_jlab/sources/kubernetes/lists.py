"""Paged lists and single objects, decoded page by page into the typed subsets of model/ (DESIGN.md 3, 7).

A page that is not a list, or an object of another kind, is never an empty answer: a Status or a login page that came with 200 fails as invalid.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

import msgspec

from ...model.connection import Reach
from ...model.kubernetes import Many, Meta, Shape, hook
from ...model.outcome import Failure
from ...policy.kubernetes import KUEUE, VISIBILITY, Operation
from ...reads import Deadline, Key
from . import errors
from .transport import Answer, Api

T = TypeVar("T")

PAGE: Final = 500
"""Objects per page (DESIGN.md 3)."""
PAGES: Final = 40
BYTES: Final = 192 * 1024 * 1024
"""Decoded bytes of all pages of one list; only the typed subset of a page outlives its decoding."""


@dataclass(frozen=True, slots=True)
class At:
    """Where and as whom to read. `principal` is part of every read's key, so nothing of a former role is found again (DESIGN.md 3)."""

    api: Api = field(repr=False)
    reach: Reach
    principal: str

    @property
    def lane(self) -> str:
        return f"k8s:{self.reach.server_key}"

    def key(self, operation: Operation, scope: str, version: str | None = None) -> Key:
        """Kueue's webhooks and its visibility server fail by themselves: each is a far end of its own to the probes of reads.py."""
        part = {KUEUE: "k8s-kueue", VISIBILITY: "k8s-visibility"}.get(operation.group, "k8s")
        name = operation.id if version is None else f"{operation.id}@{version}"
        return Key(self.principal, f"{part}:{self.reach.server_key}", name, scope)


@dataclass(frozen=True, slots=True)
class Listing(Generic[T]):
    """A whole list. `complete` False: cut at the bound of pages or bytes. `restarted`: it expired on the way and was read again from its start.

    `unread` are objects whose shape we could not read: they exist and are not counted as absent. `version`: the API version it was read in.
    """

    items: tuple[T, ...]
    version: str
    complete: bool = True
    restarted: bool = False
    unread: tuple[Meta, ...] = ()
    pages: int = 1

    @property
    def whole(self) -> bool:
        """Whether what is not in it is not there: neither cut nor with an object that could not be read."""
        return self.complete and not self.unread


class _ListMeta(Shape, frozen=True):
    next: str | None = msgspec.field(name="continue", default=None)


class _Page(Shape, Generic[T], frozen=True):
    """`items` has no default: what has none is no list. It may be null."""

    kind: str
    items: Many[T]
    metadata: _ListMeta | None = None


class _Head(msgspec.Struct, frozen=True):
    kind: str = ""


class _Stub(Shape, frozen=True):
    metadata: Meta | None = None


_one_at_a_time = threading.Lock()
"""Lists of all clusters take turns at being decoded. Python runs one thread at a time: with four of them at work the event loop waits for each."""
_decoders: dict[Any, msgspec.json.Decoder[Any]] = {}
UNREADABLE: Final = (msgspec.MsgspecError, RecursionError)
"""What decoding raises for a body that is no JSON of that shape; the second for one that is nested too deep."""


def _decoder(shape: Any) -> msgspec.json.Decoder[Any]:
    """One decoder per shape: making one costs more than decoding a page."""
    found = _decoders.get(shape)
    if found is None:
        found = _decoders[shape] = msgspec.json.Decoder(shape, dec_hook=hook)
    return found


def decode_page(body: bytes, shape: type[T], operation: Operation, kind: str = "") -> tuple[list[T], list[Meta], str | None]:
    """Objects, the metadata of those in another shape, and the continue token. `kind` "": any list. Raises Failure(INVALID)."""
    items: list[T] = []
    unread: list[Meta] = []
    decode = _decoder(shape).decode
    try:
        page = _decoder(_Page[msgspec.Raw]).decode(body)
        for raw in page.items or ():  # one by one: no other thread runs while a decoder is at work
            try:
                items.append(decode(raw))
            except msgspec.ValidationError:
                unread.append(_decoder(_Stub).decode(raw).metadata or Meta())
    except UNREADABLE:
        raise errors.not_the_shape(operation) from None
    if page.kind != kind if kind else not page.kind.endswith("List"):
        raise errors.not_the_shape(operation)
    return items, unread, (page.metadata.next or None) if page.metadata else None


def decode_object(body: bytes, shape: type[T], kind: str, operation: Operation) -> T:
    """One object of a kind. Raises Failure(INVALID)."""
    try:
        if _decoder(_Head).decode(body).kind != kind:
            raise errors.not_the_shape(operation)
        found: T = _decoder(shape).decode(body)
    except UNREADABLE:
        raise errors.not_the_shape(operation) from None
    return found


def read_list(
    at: At,
    operation: Operation,
    version: str,
    shape: type[T],
    deadline: Deadline,
    *,
    namespace: str = "",
    pages: int = PAGES,
) -> tuple[Listing[T], float | None]:
    """All pages of a list, and the clock's skew. Raises Failure; a list that expires on the way is read again once (410, facts/kubernetes.md 3.4)."""
    restarted = False
    while True:
        try:
            listing, skew = _read_pages(at, operation, version, shape, deadline, namespace, pages, restarted)
            return listing, skew
        except _Expired:
            if restarted:
                raise errors.list_expired(operation, namespace) from None
            restarted = True


class _Expired(Exception):
    """The continue token was compacted away."""


def _read_pages(
    at: At,
    operation: Operation,
    version: str,
    shape: type[T],
    deadline: Deadline,
    namespace: str,
    pages: int,
    restarted: bool,
) -> tuple[Listing[T], float | None]:
    items: list[T] = []
    unread: list[Meta] = []
    token: str | None = None
    size, skew = 0, None
    for number in range(1, pages + 1):
        asked = {"limit": str(PAGE), **({"continue": token} if token else {})}
        try:
            answer: Answer = at.api.get(at.reach, operation, deadline, version=version, namespace=namespace, query=asked)
        except Failure as failure:
            if failure.code == "k8s_list_expired" and token:
                raise _Expired from None
            raise
        skew = answer.skew if skew is None else skew
        size += len(answer.body)
        with _one_at_a_time:
            found, odd, token = decode_page(answer.body, shape, operation)
        items += found
        unread += odd
        if not token or size > BYTES:
            return Listing(tuple(items), version, not token, restarted, tuple(unread), number), skew
    return Listing(tuple(items), version, False, restarted, tuple(unread), pages), skew
