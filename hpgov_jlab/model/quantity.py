"""Kubernetes quantities as exact integers, and the product's canonical decimal strings (facts/kubernetes.md 0.5, 1.5, 3.4).

Three forms of one amount, never a float:
- text: what Kubernetes writes ("1500m", "64Gi", "1e3");
- units: Kueue's canonical integer, milli for cpu and whole pieces or bytes for everything else, rounded away from zero;
- amount: the decimal string that travels to people ("1.5" cores, "68719476736" bytes, "8" pieces).

Every resource name is opaque: MIG slices, Neuron devices and EFA interfaces are counted in pieces of their own and never added to GPUs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

MAX_LENGTH = 64
MAX_INT64 = 2**63 - 1
NANO = 10**9
MILLI_IN_NANO = 10**6

# apimachinery's grammar: a sign, digits with at most one point and at least one digit, then one suffix. "K", "mi", "1 Gi" and "1_000" are not in it.
_QUANTITY = re.compile(r"([+-]?)(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?")
_AMOUNT = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?")
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL = {"": 0, "n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_MAX_SHIFT = 49  # 10**40 whole ones: far above what Kueue counts to (int64), so that a longer exponent changes nothing and buys no work


class QuantityError(ValueError):
    """The text is no quantity. `rule` is a code of words.py; the text itself is not repeated (S12)."""

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule


def parse_nano(text: str | int) -> int:
    """Value in billionths, exact up to 10**40; what is smaller than one is rounded away from zero, as Kubernetes does. Outer blanks are allowed, as there.

    Raises QuantityError: quantity_too_long, quantity_malformed.
    """
    if isinstance(text, bool) or not isinstance(text, (str, int)):
        raise QuantityError("quantity_malformed")
    if isinstance(text, int):
        limit: int = 10**_MAX_SHIFT
        return max(-limit, min(limit, text * NANO))
    if len(text) > MAX_LENGTH:
        raise QuantityError("quantity_too_long")
    return _parse(text)


@lru_cache(maxsize=4096)  # a few dozen texts make up ten thousand tasks
def _parse(text: str) -> int:
    match = _QUANTITY.fullmatch(text.strip(" \t\r\n"))
    if match is None:
        raise QuantityError("quantity_malformed")
    sign, whole, fraction, bare_fraction, suffix = match.groups(default="")
    fraction = fraction or bare_fraction
    digits = int((whole or "0") + fraction)
    if suffix in _BINARY:
        value = _up(digits * NANO << _BINARY[suffix], 10 ** len(fraction))
    else:
        exponent = _DECIMAL[suffix] if suffix in _DECIMAL else int(suffix[1:])
        shift = exponent + 9 - len(fraction)
        if not digits:
            value = 0
        elif shift >= 0:
            value = digits * 10 ** min(shift, _MAX_SHIFT)
        elif -shift > MAX_LENGTH:  # fewer digits than that were read: some billionth remains, whatever the exponent
            value = 1
        else:
            value = _up(digits, 10**-shift)
    return -value if sign == "-" else value


def nano_to_units(resource: str, nano: int) -> int:
    """Kueue's canonical integer: cpu in milli, everything else whole, rounded away from zero and capped at int64."""
    step = MILLI_IN_NANO if resource == "cpu" else NANO
    value = min(_up(abs(nano), step), MAX_INT64)
    return -value if nano < 0 else value


def to_units(resource: str, text: str | int) -> int:
    """Canonical integer of one quantity text. Raises QuantityError."""
    return nano_to_units(resource, parse_nano(text))


def to_amount(resource: str, units: int) -> str:
    """Canonical decimal string of a canonical integer: to_amount("cpu", 1500) == "1.5"."""
    return _decimal(units, 3) if resource == "cpu" else str(units)


def amount_units(resource: str, amount: str) -> int:
    """The integer behind a canonical decimal string. Raises QuantityError: quantity_malformed."""
    value, places = _scaled(amount)
    wanted = 3 if resource == "cpu" else 0
    if places > wanted:
        raise QuantityError("quantity_malformed")
    return int(value * 10 ** (wanted - places))


def canonical(resource: str, text: str | int) -> str:
    """From Kubernetes text to the decimal string that people see. Raises QuantityError."""
    return to_amount(resource, to_units(resource, text))


def add(first: str, *rest: str) -> str:
    """Exact sum of decimal strings."""
    return _combine((first, *rest), (1,) * (1 + len(rest)))


def subtract(first: str, second: str) -> str:
    """Exact difference of decimal strings; may be negative."""
    return _combine((first, second), (1, -1))


def not_below_zero(amount: str) -> str:
    return "0" if _scaled(amount)[0] < 0 else amount


def is_zero(amount: str) -> bool:
    return _scaled(amount)[0] == 0


def _combine(amounts: Iterable[str], signs: Iterable[int]) -> str:
    parts = [(sign, *_scaled(amount)) for sign, amount in zip(signs, amounts, strict=True)]
    places = max(part[2] for part in parts)
    return _decimal(sum(sign * value * 10 ** (places - own) for sign, value, own in parts), places)


def _scaled(amount: str) -> tuple[int, int]:
    """(integer, decimal places) of a canonical decimal string."""
    match = _AMOUNT.fullmatch(amount) if len(amount) <= MAX_LENGTH else None
    if match is None:
        raise QuantityError("quantity_malformed")
    sign, whole, fraction = match.groups(default="")
    value = int(whole + fraction)
    return (-value if sign else value), len(fraction)


def _decimal(value: int, places: int) -> str:
    digits = str(abs(value)).rjust(places + 1, "0")
    whole, fraction = (digits[:-places], digits[-places:].rstrip("0")) if places else (digits, "")
    return ("-" if value < 0 else "") + whole + ("." + fraction if fraction else "")


def _up(value: int, step: int) -> int:
    """Smallest whole number of steps that holds a value of zero or more."""
    return -(-value // step)


def spoken(resource: str, units: int) -> str:
    """Exact and short enough to stand inside a sentence: bytes in the largest binary unit that divides them, everything else as its amount."""
    if resource in ("memory", "ephemeral-storage") or resource.startswith("hugepages-"):
        for suffix, power in reversed(_BINARY.items()):
            if units and units % (1 << power) == 0:
                return f"{units >> power} {suffix}B"
        return f"{units} B"
    return to_amount(resource, units)
