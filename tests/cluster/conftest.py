"""One real cluster of each Kueue per test session. Without the built testbed these tests are skipped and say so; under CI they fail instead."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.testbed import build
from tests.testbed.hyperpod import P5_ALLOCATABLE, HyperPod
from tests.testbed.webhooks import Person

from .product import Product

LEFT_OUT = "left out: every test on a real Kubernetes with Kueue (rights, states, quota, audit log). "


def start(tmp_path_factory: pytest.TempPathFactory, kueue: str, **options: object) -> Iterator[HyperPod]:
    try:
        out = build.find()
    except build.NotBuilt as error:
        if os.environ.get("CI"):
            pytest.fail(f"{LEFT_OUT}CI must run them: {error}", pytrace=False)
        pytest.skip(f"{LEFT_OUT}{error}")
    cluster = HyperPod(out, Path(tmp_path_factory.mktemp(f"kueue-{kueue}")), kueue=kueue, nodes=True, **options)  # type: ignore[arg-type]
    with cluster:
        cluster.flavor()
        for name, value in (("urgent", 100), ("inference", 100), ("training", 75), ("experiment", 50)):
            cluster.priority(name, value)
        for number in range(12):  # more devices than a real one has: tests leave their pods where they are
            cluster.node(f"node-{number}", allocatable={**P5_ALLOCATABLE, "nvidia.com/gpu": "64"})
        yield cluster


@pytest.fixture(scope="session")
def cluster_0_19(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HyperPod]:
    """What HyperPod's task governance add-on 1.6 runs: v1beta1 and v1beta2, visibility API."""
    yield from start(tmp_path_factory, "0.19.2")


@pytest.fixture(scope="session")
def cluster_0_12(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HyperPod]:
    """Older clusters: v1beta1 only, Cohort v1alpha1, no visibility API."""
    yield from start(tmp_path_factory, "0.12.10")


@pytest.fixture(params=["0.19.2", "0.12.10"])
def cluster(request: pytest.FixtureRequest) -> HyperPod:
    """Both, one after the other. Tests make teams of their own: `cluster.number()` gives a fresh name."""
    found: HyperPod = request.getfixturevalue("cluster_0_19" if request.param == "0.19.2" else "cluster_0_12")
    return found


@pytest.fixture
def product(tmp_path: Path) -> Iterator[Callable[..., Product]]:
    """product(cluster, person, namespace, ...) -> Product; each has a cache and connections of its own."""
    made: list[Product] = []

    def make(cluster: HyperPod, person: Person, *namespaces: str, **traits: object) -> Product:
        made.append(Product(cluster, person, namespaces, tmp_path / str(len(made)), **traits))
        return made[-1]

    yield make
    for one in made:
        one.close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here is a real_cluster test; what the audit log says of all of them is looked at last."""
    here = Path(__file__).parent
    ours = [item for item in items if here in item.path.parents]
    for item in ours:
        item.add_marker(pytest.mark.real_cluster)
    items.sort(key=lambda item: here in item.path.parents and item.path.stem == "test_audit")
