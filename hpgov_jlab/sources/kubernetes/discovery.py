"""What the API server serves: kinds and versions (DESIGN.md 7). Open to every authenticated identity, so it tells absent from denied.

Aggregated discovery is one document; older servers are asked for the groups that we read, one document each (facts/kubernetes.md 4.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import msgspec

from ...model.kubernetes import Many, Shape
from ...model.outcome import Failure, State
from ...policy.kubernetes import DISCOVERED, DISCOVERY, READS, Operation
from ...reads import Deadline, Got, Read
from . import errors
from .lists import UNREADABLE, At

AGGREGATED: Final = ",".join(
    (*(f"application/json;g=apidiscovery.k8s.io;v={version};as=APIGroupDiscoveryList" for version in ("v2", "v2beta1")), "application/json")
)
TTL: Final = 600.0


@dataclass(frozen=True, slots=True)
class Discovery:
    """`served`: "workloads.kueue.x-k8s.io" -> versions that the server offers and we read, ours preferred first. `others`: resources served
    only in versions that we do not know. `unanswered`: group -> versions whose own server did not answer discovery (Kueue's visibility API)."""

    served: dict[str, tuple[str, ...]]
    others: dict[str, tuple[str, ...]]
    unanswered: dict[str, tuple[str, ...]]

    def version(self, operation: Operation) -> str:
        """The version to read an operation in. Raises Failure: ABSENT if it is not served, INVALID if only in versions that we cannot read."""
        if not operation.group:
            return operation.versions[0]
        resource = f"{operation.resource}.{operation.group}"
        for version in self.served.get(resource, ()):
            if version in operation.versions:
                return version
        for version in operation.versions:
            if version in self.unanswered.get(operation.group, ()):
                return version  # it may be there: its own answer will say
        if resource in self.others:
            raise errors.unknown_version(operation, ", ".join(self.others[resource]))
        raise errors.not_served(operation)

    def serves(self, operation: Operation) -> bool | None:
        """None: not known, its group did not answer."""
        try:
            self.version(operation)
        except Failure as failure:
            return None if failure.state is State.INVALID else False
        return None if operation.group in self.unanswered and f"{operation.resource}.{operation.group}" not in self.served else True


class _Resource(Shape, frozen=True):
    resource: str = ""
    name: str = ""  # the older documents say name, with subresources as name/sub


class _Version(Shape, frozen=True):
    version: str = ""
    resources: Many[_Resource] = ()
    freshness: str = ""  # Stale: the aggregated server behind it does not answer


class _Named(Shape, frozen=True):
    name: str = ""


class _Group(Shape, frozen=True):
    metadata: _Named | None = None
    name: str = ""
    versions: Many[_Version] = ()


class _Groups(Shape, frozen=True):
    kind: str
    items: Many[_Group] = ()  # APIGroupDiscoveryList
    groups: Many[_Group] = ()  # APIGroupList


class _Resources(Shape, frozen=True):
    kind: str
    resources: Many[_Resource] = ()


def discovery(at: At) -> Read[Discovery]:
    """The kinds and versions of this API server."""
    return Read(at.key(DISCOVERY, ""), at.lane, DISCOVERY.source, lambda deadline: _fetch(at, deadline), ttl=TTL)


def _fetch(at: At, deadline: Deadline) -> Got[Discovery]:
    answer = at.api.get(at.reach, DISCOVERY, deadline, accept=AGGREGATED)
    try:
        groups = msgspec.json.decode(answer.body, type=_Groups)
    except UNREADABLE:
        raise errors.not_the_shape(DISCOVERY) from None
    found: dict[tuple[str, str], set[str]] = {}
    unanswered: dict[str, tuple[str, ...]] = {}
    if groups.kind == "APIGroupDiscoveryList":
        for group in groups.items:
            name = group.metadata.name if group.metadata else ""
            for version in group.versions:
                found[(name, version.version)] = {r.resource for r in version.resources}
                if version.freshness == "Stale":
                    unanswered[name] = (*unanswered.get(name, ()), version.version)
    elif groups.kind == "APIGroupList":
        for group in groups.groups:
            for number in (v.version for v in group.versions):
                found[(group.name, number)] = set()
                if number in DISCOVERED.get(group.name, ()) and not _ask(at, group.name, number, deadline, found):
                    unanswered[group.name] = (*unanswered.get(group.name, ()), number)
    else:
        raise errors.not_the_shape(DISCOVERY)
    return Got(_arrange(found, unanswered), answer.skew)


def _ask(at: At, group: str, version: str, deadline: Deadline, found: dict[tuple[str, str], set[str]]) -> bool:
    """False if this group's own server did not answer: that says nothing about the API server."""
    try:
        answer = at.api.get_group(at.reach, group, version, deadline)
        found[(group, version)] = {r.name for r in msgspec.json.decode(answer.body, type=_Resources).resources}
    except Failure as failure:
        if failure.code in ("k8s_server_error", "k8s_throttled"):
            return False
        if failure.state is not State.ABSENT:
            raise
    except UNREADABLE:
        raise errors.not_the_shape(DISCOVERY) from None
    return True


def _arrange(found: dict[tuple[str, str], set[str]], unanswered: dict[str, tuple[str, ...]]) -> Discovery:
    served: dict[str, tuple[str, ...]] = {}
    others: dict[str, tuple[str, ...]] = {}
    for operation in READS:
        if not operation.group:
            continue
        offered = [version for (group, version), resources in found.items() if group == operation.group and operation.resource in resources]
        name = f"{operation.resource}.{operation.group}"
        readable = tuple(v for v in operation.versions if v in offered)
        if readable:
            served[name] = tuple(dict.fromkeys((*served.get(name, ()), *readable)))
        elif offered and name not in served:
            others[name] = tuple(offered)
    return Discovery(served, {name: versions for name, versions in others.items() if name not in served}, unanswered)
