"""The tables of docs/tables against what the tests of this folder saw. Only after a whole run on both versions: a part of it is no table."""

from __future__ import annotations

import pytest

from . import tables, test_matrix, test_states


def test_private_data() -> None:
    if len(tables.MATRIX) < len(test_matrix.WORDS) * len(test_matrix.TRANSPORTS) * len(tables.VERSIONS):
        pytest.skip("not every word of PrivateData was tried on both versions")
    tables.check_matrix(test_matrix.TEXT, test_matrix.HEAD, test_matrix.CODES)


CASES = 43
"""Cases by transport and version; a new one is counted here, so that a run that left one out makes no table."""


def test_states_of_slurm() -> None:
    if len(tables.STATES) < CASES:
        pytest.skip(f"{len(tables.STATES)} of {CASES} cases were run")
    assert len(tables.STATES) == CASES
    tables.check_states(test_states.TEXT, test_states.HEAD, test_states.CODES)
