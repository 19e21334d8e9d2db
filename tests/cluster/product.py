"""The product on a real cluster: its own chain from a kubeconfig to tasks and share, as one person, without the HTTP edge."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import yaml

from hpgov_jlab.answers.home import home
from hpgov_jlab.answers.query import TasksQuery
from hpgov_jlab.answers.share import ShareMade, make
from hpgov_jlab.answers.source import Source, person_ids, source_of
from hpgov_jlab.answers.team import FULL, TeamReadings, team
from hpgov_jlab.answers.world import World
from hpgov_jlab.model.kubernetes import Event
from hpgov_jlab.model.outcome import Outcome, Reading
from hpgov_jlab.model.task import Task, TaskDetail
from hpgov_jlab.policy import kubernetes as policy
from hpgov_jlab.reads import Due, Read, Reads
from hpgov_jlab.scheduling.detail import detail_of
from hpgov_jlab.scheduling.share import Share, share_of
from hpgov_jlab.scheduling.states import Team, task_of, tasks_of, team_units
from hpgov_jlab.service import SOON_MS, Service
from hpgov_jlab.settings import HpgovSettings
from hpgov_jlab.sources.aws.session import AwsSessions
from hpgov_jlab.sources.kubernetes import tasks as task_reads
from hpgov_jlab.sources.kubernetes.lists import Listing
from hpgov_jlab.sources.kubernetes.reviews import ReviewBudget
from hpgov_jlab.sources.kubernetes.transport import Api
from tests.testbed.audit import Request
from tests.testbed.rig import Rig
from tests.testbed.servers import PATIENCE
from tests.testbed.webhooks import Person

USER_AGENT = "hpgov-jlab/0.0.test"
T = TypeVar("T")


@dataclass(frozen=True)
class Seen:
    """One refresh. `now` is the API server's clock."""

    readings: TeamReadings
    source: Source
    now: float

    @property
    def teams(self) -> tuple[Team, ...]:
        return self.source.teams

    @property
    def tasks(self) -> list[Task]:
        return [task for one in self.teams for task in tasks_of(one, self.now)]

    def task(self, name: str) -> Task:
        found = [t for t in self.tasks if t.name == name] or [t for t in self.tasks if t.name.startswith(f"{name}/")]
        assert len(found) == 1, f"{name}: {[(t.kind, t.name) for t in self.tasks]}"
        return found[0]

    def detail(self, name: str) -> TaskDetail:
        for one in self.teams:
            for unit in team_units(one):
                if unit.name == name:
                    return detail_of(task_of(unit, one, {}, self.now), unit)
        raise AssertionError(name)

    def share(self, queue: str) -> Share:
        for namespace in self.readings.namespaces:
            if queue in namespace.cluster_queues:
                return share_of(namespace.cluster_queues[queue].data, self.teams, ())
        raise AssertionError(queue)

    def shares(self) -> ShareMade:
        """Every row of the Share tab."""
        return make(self.readings, self.source, self.now)

    @property
    def by_label(self) -> dict[str, Reading[Any]]:
        """Readings by namespace and kind; whose rights they used, which is part of the product's own labels, is left out."""
        return {label.rpartition("|")[2]: reading for label, reading in self.readings.readings().items()}

    @property
    def outcomes(self) -> dict[str, Outcome]:
        """Label of each read -> how it ended."""
        found = {label: reading.last for label, reading in self.by_label.items()}
        if self.readings.self_ is not None:
            found["self"] = self.readings.self_.last
        for reading in self.readings.contract.annotated.values():
            found["namespace"] = reading.last
        return found


def ours(rig: Rig) -> list[Request]:
    """What the API server's audit log holds of the product's requests."""
    return [request for request in rig.audit() if request.user_agent.startswith(USER_AGENT.partition("/")[0])]


class Fresh(Due):
    """Every read is sent, whatever its time to live says: a test changes the cluster faster than a panel looks."""

    def __init__(self, reads: Reads, keep: Sequence[str] = (), deadline: float | None = None) -> None:
        super().__init__(reads)
        self._keep, self._deadline = keep, deadline
        self._all = reads
        self._sent: set[Any] = set()

    async def one(self, read: Read[T]) -> Reading[T]:
        if read.key not in self._sent and read.key.operation not in self._keep:
            self._sent.add(read.key)
            self._all.expire(read.key)
        return await super().one(read if self._deadline is None else replace(read, deadline=self._deadline))


class Product:
    """Settings as an administrator would write them (place elsewhere, a kubeconfig with a token), and one cache that lives as long as this object."""

    def __init__(self, rig: Rig, person: Person, namespaces: Sequence[str], folder: Path, **traits: Any) -> None:
        self.rig, self.person = rig, person
        folder.mkdir(parents=True, exist_ok=True)
        self.kubeconfig = folder / "kubeconfig"
        self.sign_in(person)
        self.settings = HpgovSettings(kubeconfig=str(self.kubeconfig), place="elsewhere", namespaces=list(namespaces), **traits)
        self.api = Api(USER_AGENT)
        self.loop = asyncio.new_event_loop()
        self.reads = Reads()
        self.world = World(self.settings, AwsSessions(environ={}), self.api, ReviewBudget(limit=100_000), str(folder), environ={})

    def sign_in(self, person: Person) -> None:
        """Writes the kubeconfig anew, as a token that is renewed does."""
        self.person = person
        cluster = {"server": self.rig.url, "certificate-authority-data": self.rig.ca}
        document = {
            "apiVersion": "v1", "kind": "Config", "current-context": "c", "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
            "clusters": [{"name": "c", "cluster": cluster}], "users": [{"name": "u", "user": {"token": person.token}}],
        }  # fmt: skip
        self.kubeconfig.write_text(yaml.safe_dump(document))
        self.kubeconfig.chmod(0o600)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(work)

    def look(self, deadline: float | None = None) -> Seen:
        """`deadline` in the place of each read's own, where the amount is what is tried and the machine is busy."""
        return self.run(self._look(deadline=deadline))

    def look_without_discovery(self) -> Seen:
        """As a panel that has been open for a while: discovery is kept for ten minutes."""
        return self.run(self._look(keep=(policy.DISCOVERY.id,)))

    async def _look(self, keep: Sequence[str] = (), deadline: float | None = None) -> Seen:
        ask = Fresh(self.reads, keep, deadline)
        at_home = await home(ask, self.world)
        assert at_home.connections, f"no connection: {at_home.blocked}"
        found = await team(ask, self.world, at_home, at_home.connections[0], FULL)
        me = found.self_.data.username if found.self_ is not None and found.self_.data is not None else ""
        now = time.time() + found.skew
        return Seen(found, source_of(found, person_ids(at_home, me), now), now)

    def events(self, namespace: str) -> Reading[Listing[Event]]:
        """The task page's own read, which a list of tasks does not need."""

        async def ask() -> Reading[Listing[Event]]:
            at_home = await home(Fresh(self.reads), self.world)
            assert at_home.connections
            found = await team(Fresh(self.reads), self.world, at_home, at_home.connections[0], FULL)
            assert found.reached.at is not None
            return await Fresh(self.reads).one(task_reads.events(found.reached.at, namespace))

        return self.run(ask())

    @asynccontextmanager
    async def service(self, *, seconds: float = PATIENCE) -> AsyncIterator[Service]:
        """A service of its own, asked until nothing is on its way."""
        folder = str(self.kubeconfig.parent)
        service = Service(self.settings, root=folder, user_settings=folder, environ={})
        try:
            end = time.monotonic() + seconds
            while any(page.poll_after_ms <= SOON_MS for page in self._pages(service).values()) and time.monotonic() < end:
                await asyncio.sleep(0.1)
            yield service
        finally:
            service.stop()

    def pages(self) -> dict[str, bytes]:
        """Every page as it leaves."""

        async def ask() -> dict[str, bytes]:
            async with self.service() as service:
                return {name: page.model_dump_json().encode() for name, page in self._pages(service).items()}

        return self.run(ask())

    def _pages(self, service: Service) -> dict[str, Any]:
        found: dict[str, Any] = {"session": service.session(), "connections": service.connections(fresh=False)}
        for card in found["connections"].connections.data or ():
            at = card.connection.id
            found |= {
                f"{at}": service.connection(at, fresh=False), f"{at}/share": service.share(at, fresh=False),
                f"{at}/contract": service.contract(at, fresh=False),
                f"{at}/access": service.access(at, fresh=False), f"{at}/tasks": service.tasks(at, TasksQuery(limit=200), fresh=False),
            }  # fmt: skip
            for task in found[f"{at}/tasks"].tasks.data or ():
                found[f"{at}/tasks/{task.uid}"] = service.task(at, task.uid, fresh=False)
        return found

    @classmethod
    @contextmanager
    def opened(cls, rig: Rig, person: Person, *namespaces: str, **traits: Any) -> Iterator[Product]:
        """For cases that are played in threads of their own (ahead.py)."""
        with tempfile.TemporaryDirectory(prefix="hpgov-product-") as folder:
            made = cls(rig, person, namespaces, Path(folder), **traits)
            try:
                yield made
            finally:
                made.close()

    def close(self) -> None:
        self.reads.stop()
        self.api.close()
        self.loop.run_until_complete(asyncio.sleep(0))
        self.loop.close()
