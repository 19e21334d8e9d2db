"""Quantities: Kubernetes' grammar, Kueue's canonical integers, exact decimal strings (facts/kubernetes.md 0.5, 3.4, 5)."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpgov_jlab.model import quantity as q

GPU = "nvidia.com/gpu"


@pytest.mark.parametrize(
    ("resource", "text", "units", "amount"),
    [
        ("cpu", "1500m", 1500, "1.5"),
        ("cpu", "2", 2000, "2"),
        ("cpu", 2, 2000, "2"),
        ("cpu", "0.5", 500, "0.5"),
        ("cpu", ".5", 500, "0.5"),
        ("cpu", "1.", 1000, "1"),
        ("cpu", "+1", 1000, "1"),
        ("cpu", "100u", 1, "0.001"),
        ("cpu", "1n", 1, "0.001"),
        ("cpu", "1001u", 2, "0.002"),
        ("cpu", "0.0000000001", 1, "0.001"),  # below one billionth: rounded up twice, still one milli
        ("cpu", "1e3", 1_000_000, "1000"),
        ("cpu", "1E-1", 100, "0.1"),
        ("cpu", "12E", 2**63 - 1, "9223372036854775.807"),  # 12 exa, not an exponent: Kueue counts no further than int64
        ("cpu", "0m", 0, "0"),
        ("cpu", "-1500m", -1500, "-1.5"),
        ("cpu", "000000000001.500", 1500, "1.5"),
        ("memory", "2Ti", 2199023255552, "2199023255552"),
        ("memory", "64Gi", 68719476736, "68719476736"),
        ("memory", "256G", 256000000000, "256000000000"),
        ("memory", "1.5Gi", 1610612736, "1610612736"),
        ("memory", "0.1Ki", 103, "103"),  # 102.4 bytes
        ("memory", "1500m", 2, "2"),  # milli-bytes, headlamp #6816
        ("memory", "128974848", 128974848, "128974848"),
        ("memory", "129e6", 129000000, "129000000"),
        ("memory", "123Mi", 128974848, "128974848"),
        ("memory", "1k", 1000, "1000"),
        ("memory", "16Ei", 2**63 - 1, "9223372036854775807"),
        ("memory", "9223372036854775807", 9223372036854775807, "9223372036854775807"),
        ("memory", "9007199254740993", 9007199254740993, "9007199254740993"),  # 2**53 + 1: the first whole number that a double loses
        ("memory", "-1.5", -2, "-2"),
        ("memory", "1e-400", 1, "1"),
        ("memory", "0e400", 0, "0"),
        ("memory", "1e41", 2**63 - 1, "9223372036854775807"),  # the API server takes these (tried on 1.36.3); nothing can hold them
        ("memory", "1e999999999999", 2**63 - 1, "9223372036854775807"),
        ("memory", "0.00000000000000000000000000000000000000000001e53", 10**9, "1000000000"),
        ("memory", 10**41, 2**63 - 1, "9223372036854775807"),
        ("memory", " 1Gi\n", 1073741824, "1073741824"),
        (GPU, "8", 8, "8"),
        (GPU, "1k", 1000, "1000"),
        ("nvidia.com/mig-1g.10gb", "3", 3, "3"),
        ("aws.amazon.com/neuron", "16", 16, "16"),
        ("aws.amazon.com/neuroncore", "1500m", 2, "2"),  # only cpu is counted in milli
        ("vpc.amazonaws.com/efa", 32, 32, "32"),
        ("pods", "110", 110, "110"),
        ("ephemeral-storage", "1Pi", 1125899906842624, "1125899906842624"),
    ],
)
def test_canonical(resource: str, text: str | int, units: int, amount: str) -> None:
    assert q.to_units(resource, text) == units
    assert q.canonical(resource, text) == amount
    assert q.amount_units(resource, amount) == units


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        *(
            (text, "quantity_malformed")
            for text in (
                "",
                " ",
                ".",
                "+",
                "-",
                "1K",
                "1_000",
                "1 Gi",
                "1Gi\u00a0",
                "1gi",
                "1MI",
                "1GI",
                "1mi",
                "Gi",
                "m",
                "e3",
                "1e",
                "1e+",
                "1e1.5",
                "1ee3",
                "1.2.3",
                "1..2",
                "--1",
                "+-1",
                "0x10",
                "1h",
                "1GiB",
                "1GB",
                "1B",
                "NaN",
                "inf",
                "Infinity",
                "١٢",
                "１",
                "1\u202e",
                "1\x00",
                "1,5",
                "1m5",
                "1Kim",
                "1μ",
                "1µ",
            )
        ),
        ("1" * 65, "quantity_too_long"),
        ("9" * 64 + "E", "quantity_too_long"),
        (True, "quantity_malformed"),
        (1.5, "quantity_malformed"),
        (None, "quantity_malformed"),
    ],
)
def test_refused(text: object, rule: str) -> None:
    with pytest.raises(q.QuantityError) as raised:
        q.parse_nano(text)  # type: ignore[arg-type]
    assert raised.value.rule == rule
    assert str(raised.value) == rule  # the content is not repeated


@pytest.mark.parametrize(
    ("first", "second", "total", "difference"),
    [
        ("1.5", "0.5", "2", "1"),
        ("0.1", "0.2", "0.3", "-0.1"),
        ("0", "0.001", "0.001", "-0.001"),
        ("9223372036854775807", "1", "9223372036854775808", "9223372036854775806"),
        ("-3", "2", "-1", "-5"),
        ("100", "100", "200", "0"),
    ],
)
def test_arithmetic(first: str, second: str, total: str, difference: str) -> None:
    assert q.add(first, second) == total
    assert q.subtract(first, second) == difference


def test_add_many_and_signs() -> None:
    assert q.add("1") == "1"
    assert q.add("0.25", "0.25", "0.5", "10") == "11"
    assert q.not_below_zero("-0.5") == "0"
    assert q.not_below_zero("0.5") == "0.5"
    assert q.is_zero("0") and q.is_zero("0.000") and not q.is_zero("-0.001")


@pytest.mark.parametrize("amount", ["", "1m", "1e3", "+1", "1.", ".5", "0x1", "1 ", "1.0001"])
def test_amounts_are_not_quantities(amount: str) -> None:
    with pytest.raises(q.QuantityError):
        q.amount_units("cpu", amount)


def test_whole_resources_have_no_fractions() -> None:
    with pytest.raises(q.QuantityError):
        q.amount_units(GPU, "1.5")


_SUFFIX = {
    "n": Fraction(1, 10**9),
    "u": Fraction(1, 10**6),
    "m": Fraction(1, 1000),
    "": Fraction(1),
    "k": Fraction(10**3),
    "M": Fraction(10**6),
    "G": Fraction(10**9),
    "T": Fraction(10**12),
    "Ki": Fraction(2**10),
    "Mi": Fraction(2**20),
    "Gi": Fraction(2**30),
    "Ti": Fraction(2**40),
}


@given(st.integers(0, 10**6), st.text("0123456789", max_size=12), st.sampled_from(sorted(_SUFFIX)), st.sampled_from(["", "+", "-"]))
def test_value_is_exact_but_for_the_last_rounding(whole: int, fraction: str, suffix: str, sign: str) -> None:
    exact = (Fraction(whole) + (Fraction(int(fraction), 10 ** len(fraction)) if fraction else 0)) * _SUFFIX[suffix]
    nano = q.parse_nano(f"{sign}{whole}.{fraction}{suffix}" if fraction else f"{sign}{whole}{suffix}")
    over = abs(nano) - exact * 10**9
    assert 0 <= over < 1
    assert nano == 0 or (nano < 0) == (sign == "-")


@given(st.integers(-(2**63), 2**63 - 1), st.sampled_from(["cpu", "memory", GPU]))
def test_amounts_go_round(units: int, resource: str) -> None:
    amount = q.to_amount(resource, units)
    assert q.amount_units(resource, amount) == units
    assert "e" not in amount.lower() and not (amount.startswith("-") and units >= 0)


@given(st.integers(0, 2**62), st.integers(0, 2**62), st.sampled_from(["cpu", "memory"]))
def test_sums_equal_integers(a: int, b: int, resource: str) -> None:
    first, second = q.to_amount(resource, a), q.to_amount(resource, b)
    assert q.add(first, second) == q.to_amount(resource, a + b)
    assert q.subtract(first, second) == q.to_amount(resource, a - b)
    with localcontext() as precise:
        precise.prec = 60
        assert Decimal(q.add(first, second)) == Decimal(first) + Decimal(second)


@given(st.text(max_size=70))
def test_any_text_is_read_or_refused_by_rule(text: str) -> None:
    try:
        q.parse_nano(text)
    except q.QuantityError as e:
        assert e.rule in {"quantity_malformed", "quantity_too_long"}
