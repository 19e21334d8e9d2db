"""data_parser v0.0.41: of what we read only the shares differ from v0.0.42. Their figures are bare floats and may be `Infinity`, which is no JSON."""

from __future__ import annotations

import json
import math
from typing import Any

import msgspec

from ...model.outcome import Failure
from . import v0_0_42
from .shapes import Head, Num, Shape, Share
from .v0_0_42 import readable


class _Inner(Shape, frozen=True):
    shares: list[Share]


class _Page(Shape, frozen=True):
    shares: _Inner


class Adapter(v0_0_42.Adapter):
    version = "v0.0.41"

    def head(self, body: bytes, source: str) -> Head:
        try:
            return super().head(body, source)
        except Failure:  # Infinity, or no JSON at all: Python's reader knows the difference
            return readable(lambda: msgspec.convert(loads(body), Head), source)

    def shares(self, body: bytes, source: str) -> list[Share]:
        return readable(lambda: msgspec.convert(loads(body), _Page), source).shares.shares


def loads(body: bytes) -> Any:
    """The whole body by Python's own reader. Infinity becomes the triple that says so, NaN nothing."""

    def constant(name: str) -> Num | None:
        return None if name == "NaN" else Num(infinite=True)

    return json.loads(body, parse_constant=constant, parse_float=_float)


def _float(text: str) -> float | Num:
    made = float(text)
    return made if math.isfinite(made) else Num(infinite=True)
