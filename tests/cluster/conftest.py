"""One real cluster of each Kueue per test session. Without the built testbed these tests are skipped and say so; under CI they fail instead."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.testbed import build
from tests.testbed.hyperpod import P5_ALLOCATABLE, HyperPod
from tests.testbed.webhooks import Person

from .ahead import Ahead
from .product import Product

VERSIONS = ("0.19.2", "0.12.10")
SHARE_BACK = ["LessThanOrEqualToFinalShare", "LessThanInitialShare"]  # as on HyperPod (facts: hyperpod page 2.6)


def _gang(cluster: HyperPod) -> dict[str, Any]:
    again = {"timestamp": "Eviction", "backoffBaseSeconds": 10, "backoffLimitCount": 1}
    enable = {"enable": True} if cluster.legacy else {}
    return {"waitForPodsReady": {**enable, "timeout": "6s", "blockAdmission": True, "requeuingStrategy": again}}


def _tuned(cluster: HyperPod) -> dict[str, Any]:
    if cluster.legacy:
        return {"fairSharing": {"enable": True, "preemptionStrategies": SHARE_BACK}, "featureGates": {"TopologyAwareScheduling": True}}
    return {"fairSharing": {"preemptionStrategies": SHARE_BACK}, "featureGates": {"ConcurrentAdmission": True, "UnadmittedWorkloadsObservability": True}}


# fixture -> Kueue's configuration, in the order in which tests run
CONFIGS: dict[str, Callable[[HyperPod], dict[str, Any]]] = {"gang_cluster": _gang, "tuned_cluster": _tuned, "cluster": lambda _: {}}
STARTED: list[HyperPod] = []
LEFT_OUT = "left out: every test on a real Kubernetes with Kueue (rights, states, quota, audit log). "


def built() -> Path:
    try:
        return build.find()
    except build.NotBuilt as error:
        if os.environ.get("CI"):
            pytest.fail(f"{LEFT_OUT}CI must run them: {error}", pytrace=False)
        pytest.skip(f"{LEFT_OUT}{error}")


def start(tmp_path_factory: pytest.TempPathFactory, kueue: str, **options: object) -> Iterator[HyperPod]:
    """Everything that one of these is asked stands in its audit log, which test_audit.py reads at the end."""
    cluster = HyperPod(built(), Path(tmp_path_factory.mktemp(f"kueue-{kueue}")), kueue=kueue, nodes=True, **options)  # type: ignore[arg-type]
    STARTED.append(cluster)
    with cluster:
        cluster.flavor()
        for name, value in (("urgent", 100), ("inference", 100), ("training", 75), ("experiment", 50)):
            cluster.priority(name, value)
        for number in range(12):  # more devices than a real one has: tests leave their pods where they are
            cluster.node(f"node-{number}", allocatable={**P5_ALLOCATABLE, "nvidia.com/gpu": "64"})
        yield cluster


def with_config(request: pytest.FixtureRequest, version: str, config: str) -> HyperPod:
    """The session's cluster of that version, with Kueue as it has to be for a test. Tests are sorted so that Kueue is seldom started anew."""
    starting: dict[str, Future[HyperPod]] = request.getfixturevalue("starting")
    found = starting[version].result()
    wanted = CONFIGS[config](found)
    if found.config != wanted:
        found.reconfigure(wanted)
    return found


@pytest.fixture(scope="session")
def starting(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Future[HyperPod]]]:
    """One cluster of each Kueue that the selected tests want, started side by side. Without the built testbed: see `built`.

    0.19.2 is what HyperPod's task governance add-on 1.6 runs: v1beta1 and v1beta2, visibility API. 0.12.10 stands for older clusters: v1beta1 only,
    Cohort v1alpha1, no visibility API.
    """
    built()
    tmp_path_factory.getbasetemp()  # before the threads: the first who asks makes it
    wanted = [version for version in VERSIONS if any(_wants(item, version) for item in request.session.items)]
    with ExitStack() as running, ThreadPoolExecutor(len(VERSIONS), "cluster") as pool:
        yield {version: pool.submit(lambda version=version: running.enter_context(contextmanager(start)(tmp_path_factory, version))) for version in wanted}


def _wants(item: pytest.Item, version: str) -> bool:
    named = getattr(item, "fixturenames", ())
    if f"cluster_{'_'.join(version.split('.')[:2])}" in named:
        return True
    return isinstance(item, pytest.Function) and any(config in named and item.callspec.params[config] == version for config in CONFIGS)


@pytest.fixture
def cluster_0_19(request: pytest.FixtureRequest) -> HyperPod:
    return with_config(request, "0.19.2", "cluster")


@pytest.fixture
def cluster_0_12(request: pytest.FixtureRequest) -> HyperPod:
    return with_config(request, "0.12.10", "cluster")


@pytest.fixture(params=VERSIONS)
def cluster(request: pytest.FixtureRequest) -> HyperPod:
    """Both, one after the other. Tests make teams of their own: `cluster.number()` gives a fresh name."""
    return with_config(request, request.param, "cluster")


@pytest.fixture(params=VERSIONS)
def gang_cluster(request: pytest.FixtureRequest) -> HyperPod:
    """Both with gang scheduling. With blockAdmission every task of the cluster waits for every other: tests clean up, and come before all others."""
    return with_config(request, request.param, "gang_cluster")


@pytest.fixture(params=VERSIONS)
def tuned_cluster(request: pytest.FixtureRequest) -> HyperPod:
    """Both with fair sharing, and with what is behind a feature gate in that version."""
    return with_config(request, request.param, "tuned_cluster")


@pytest.fixture(scope="session")
def ahead(request: pytest.FixtureRequest) -> Iterator[Ahead]:
    found = Ahead(lambda config, version: with_config(request, version, config))
    yield found
    found.stop()


@pytest.fixture
def side_by_side(request: pytest.FixtureRequest, ahead: Ahead) -> Callable[..., Any]:
    """side_by_side(play) -> what `play` of this test's parameters returns; `alone(**parameters)` names cases that nothing may run beside (ahead.py)."""

    def result(play: Callable[..., Any], alone: Callable[..., bool] = lambda **_: False) -> Any:
        return ahead.result(request.node, play, alone)

    return result


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


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Why a test that was tried once more failed the first time: pytest itself keeps only the last try."""
    for report in terminalreporter.stats.get("rerun", ()):
        terminalreporter.write_sep("-", f"tried once more: {report.nodeid}")
        terminalreporter.write_line(report.longreprtext)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here is a real_cluster test. By Kueue's configuration, the plain one last; and at the very end what the audit log says of all of them."""
    here = Path(__file__).parent
    ours = [item for item in items if here in item.path.parents]
    for item in ours:
        item.add_marker(pytest.mark.real_cluster)

    def when(item: pytest.Item) -> tuple[bool, int]:
        named = getattr(item, "fixturenames", ())
        return item.path.stem == "test_audit" and here in item.path.parents, next((n for n, c in enumerate(CONFIGS) if c in named), len(CONFIGS))

    items.sort(key=when)
