"""data_parser v0.0.38 (Slurm 22.05): flat partitions, other keys, no shares. Bare numbers and words are of the newest shapes' types (shapes.py)."""

# ruff: noqa: RUF012 - msgspec copies an empty default
from __future__ import annotations

from . import v0_0_42
from .errors import not_the_shape
from .shapes import Allowed, Number, Partition, PartNodes, PartState, PartTimes, PartTres, Qos, Shape, Share
from .v0_0_42 import decode


class Partition38(Shape, frozen=True):
    name: str
    state: str = ""
    nodes: str | None = ""
    total_nodes: int = 0
    allowed_accounts: str = ""
    denied_accounts: str = ""
    allowed_groups: str = ""
    allowed_qos: str = ""
    denied_qos: str = ""
    max_time_limit: Number = None
    default_time_limit: Number = None
    maximum_nodes_per_job: Number = None
    tres: str | None = ""
    flags: list[str] = []

    def lift(self) -> Partition:
        return Partition(
            name=self.name, nodes=PartNodes(self.nodes or "", self.total_nodes), accounts=Allowed(self.allowed_accounts, self.denied_accounts),
            groups=Allowed(self.allowed_groups), qos=Allowed(self.allowed_qos, self.denied_qos), tres=PartTres(self.tres or ""),
            defaults=PartTimes(self.default_time_limit), maximums=PartTimes(self.max_time_limit, self.maximum_nodes_per_job),
            partition=PartState([self.state]), flags=self.flags,
        )  # fmt: skip


class Adapter(v0_0_42.Adapter):
    version = "v0.0.38"

    def qos(self, body: bytes, source: str) -> list[Qos]:
        return decode(body, "QOS", Qos, source)

    def shares(self, body: bytes, source: str) -> list[Share]:
        raise not_the_shape(source)

    def partitions(self, body: bytes, source: str) -> list[Partition]:
        return [one.lift() for one in decode(body, "partitions", Partition38, source)]
