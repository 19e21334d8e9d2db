"""A namespace in scope: its labels, and the contract record in its annotation with whoever last wrote it (DESIGN.md 6)."""

from __future__ import annotations

from datetime import datetime

import msgspec

from ...model.kubernetes import Filled, Many, Namespace, Shape, Strings, epoch
from ...policy.kubernetes import NAMESPACE
from ...reads import Deadline, Got, Read
from .lists import At, decode_object

CONTRACT = "hpgov/contract"


class _Annotations(Shape, frozen=True):
    contract: str | None = msgspec.field(name=CONTRACT, default=None)


class _Manager(Shape, frozen=True):
    """One entry of managedFields: `fields` is searched for our annotation's key and not kept."""

    manager: str = ""
    time: datetime | None = None
    fields: msgspec.Raw = msgspec.field(name="fieldsV1", default=msgspec.Raw(b"{}"))


class _Meta(Shape, frozen=True):
    name: str = ""
    uid: str = ""
    creation_timestamp: datetime | None = None
    labels: Strings = msgspec.field(default_factory=dict)
    annotations: Filled[_Annotations] = msgspec.field(default_factory=_Annotations)
    managed_fields: Many[_Manager] = ()


class _Status(Shape, frozen=True):
    phase: str | None = None


class _Namespace(Shape, frozen=True):
    metadata: Filled[_Meta] = msgspec.field(default_factory=_Meta)
    status: Filled[_Status] = msgspec.field(default_factory=_Status)


def namespace(at: At, name: str) -> Read[Namespace]:
    """One namespace by GET of its name."""

    def fetch(deadline: Deadline) -> Got[Namespace]:
        answer = at.api.get(at.reach, NAMESPACE, deadline, version="v1", name=name)
        return Got(_lift(decode_object(answer.body, _Namespace, "Namespace", NAMESPACE)), answer.skew)

    return Read(at.key(NAMESPACE, name), at.lane, NAMESPACE.source, fetch, ttl=60.0)


def _lift(found: _Namespace) -> Namespace:
    meta = found.metadata
    contract = meta.annotations.contract
    writer = _writer(meta.managed_fields) if contract is not None else None
    return Namespace(
        name=meta.name, uid=meta.uid, phase=found.status.phase, created_at=epoch(meta.creation_timestamp), labels=meta.labels, contract=contract,
        contract_manager=writer.manager if writer else None, contract_written_at=epoch(writer.time) if writer else None,
    )  # fmt: skip


def _writer(managers: tuple[_Manager, ...]) -> _Manager | None:
    """The latest field manager that owns our annotation: several may have applied the same value."""
    key = f'"f:{CONTRACT}"'.encode()
    owners = [m for m in managers if key in bytes(m.fields)]
    return max(owners, key=lambda m: epoch(m.time) or 0.0, default=None)
