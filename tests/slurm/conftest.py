"""A slurmrestd and a token of one's own, for each test that asks for them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .slurmrestd import FarEnd, jwt, serving


@pytest.fixture
def token_file(tmp_path: Path) -> Path:
    path = tmp_path / "token"
    path.write_text(jwt())
    path.chmod(0o600)
    return path


@pytest.fixture
def far_end() -> Iterator[FarEnd]:
    with serving(FarEnd()) as served:
        yield served
