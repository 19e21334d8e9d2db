from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hpgov_jlab.sources.kubernetes.transport import Api

from .far_end import Certificates, FarEnd, Script, certificates


@pytest.fixture(scope="session")
def trusted(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture
def far_end(trusted: Certificates) -> Iterator[Callable[[Script], FarEnd]]:
    started: list[FarEnd] = []

    def start(script: Script) -> FarEnd:
        started.append(FarEnd(script, trusted))
        return started[-1]

    yield start
    for one in started:
        one.close()


@pytest.fixture
def api() -> Iterator[Api]:
    made = Api("hpgov-jlab/test")
    yield made
    made.close()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path
