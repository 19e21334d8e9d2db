"""Reads of tasks in one namespace: every kind that is served, their pods, and events (DESIGN.md 7)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from ...model.kinds import Kind, TaskObject
from ...model.kubernetes import Event, Pod
from ...policy.kubernetes import EVENTS, PODS, kind_operation
from ...reads import Deadline, Got, Read
from .discovery import Discovery
from .lists import At, Listing, read_list

EVENT_PAGES: Final = 4


def objects(at: At, found: Discovery, kind: Kind, namespace: str) -> Read[Listing[TaskObject]]:
    """All objects of one kind in one namespace, lifted to TaskObject. `kind`: one of model.kinds.KINDS."""
    operation = kind_operation(kind)

    def fetch(deadline: Deadline) -> Got[Listing[TaskObject]]:
        version = found.version(operation)
        listing: Listing[Any]
        listing, skew = read_list(at, operation, version, kind.shape, deadline, namespace=namespace)
        return Got(replace(listing, items=tuple(kind.lift(item, version) for item in listing.items)), skew)

    return Read(at.key(operation, namespace), at.lane, operation.source, fetch, list_like=True)


def pods(at: At, namespace: str) -> Read[Listing[Pod]]:
    """All pods of one namespace: one list serves every task, and the API server filters only after it has read them all (facts/kubernetes.md 3.3)."""

    def fetch(deadline: Deadline) -> Got[Listing[Pod]]:
        return Got(*read_list(at, PODS, "v1", Pod, deadline, namespace=namespace))

    return Read(at.key(PODS, namespace), at.lane, PODS.source, fetch, list_like=True)


def events(at: At, namespace: str) -> Read[Listing[Event]]:
    """Events of one namespace. At most 2,000, and the listing says where there are more; API servers keep them for an hour."""

    def fetch(deadline: Deadline) -> Got[Listing[Event]]:
        return Got(*read_list(at, EVENTS, "v1", Event, deadline, namespace=namespace, pages=EVENT_PAGES))

    return Read(at.key(EVENTS, namespace), at.lane, EVENTS.source, fetch, list_like=True)
