"""data_parser v0.0.41: of what we read only the shares differ from v0.0.42. Their figures are bare floats and may be `Infinity`, which is no JSON."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from ...model.outcome import Failure
from . import v0_0_42
from .errors import not_the_shape
from .v0_0_42 import Factor, Head, Num, Share


class Adapter(v0_0_42.Adapter):
    version = "v0.0.41"

    def head(self, body: bytes, source: str) -> Head:
        try:
            return super().head(body, source)
        except Failure:  # Infinity, or no JSON at all: Python's reader knows the difference
            try:
                return msgspec.convert(v0_0_42.loads(body, source), Head)
            except msgspec.ValidationError:
                raise not_the_shape(source) from None

    def shares(self, body: bytes, source: str) -> list[Share]:
        found = v0_0_42.loads(body, source)
        try:
            return [lift_share(one, source) for one in found["shares"]["shares"]]
        except (KeyError, TypeError):
            raise not_the_shape(source) from None


def number(value: Any) -> Num:
    """A bare float as the triple; infinity is set in it as such."""
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        return Num()
    return Num(infinite=True) if math.isinf(value) else Num(set=True, number=float(value))


def lift_share(one: dict[str, Any], source: str) -> Share:
    fairshare = one.get("fairshare") or {}
    lifted = {k: v for k, v in one.items() if k not in ("effective_usage", "fairshare")}
    try:
        made = msgspec.convert(lifted, Share)
    except msgspec.ValidationError:
        raise not_the_shape(source) from None
    return msgspec.structs.replace(
        made, effective_usage=number(one.get("effective_usage")), fairshare=Factor(number(fairshare.get("factor")), number(fairshare.get("level")))
    )
