"""The composition root: builds sessions, reads and answers from the settings. The server extension, and whatever else asks, stand on it.

A GET is answered from what is known; if something is due, one refresh per answer is started beside it. Nothing is read while nobody asks.

Longer than 400 lines: every page is made here of the same few steps, and whoever changes what may be shown has to see all of them.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Coroutine, Mapping, Set
from typing import Any, TypeVar

from jupyter_core.paths import jupyter_config_dir

from .answers import access, home, share, slurm_parts, tasks
from .answers.cards import broken_card, card, connections_page
from .answers.connection import connection_page
from .answers.contract import contract_page, described
from .answers.derived import Derived, Made
from .answers.faults import fault
from .answers.home import Home, screens
from .answers.parts import blocked, part
from .answers.query import TasksQuery
from .answers.share import ShareMade
from .answers.source import person_ids, source_of
from .answers.tasks import TasksMade
from .answers.team import FULL, GLANCE, TeamReadings, team
from .answers.world import World
from .model.cluster import Identity
from .model.connection import Connection
from .model.outcome import KEEPS_DATA, Ask, Outcome, State
from .policy import kubernetes as k8s_policy
from .policy import slurm as slurm_policy
from .reads import Asker, Key, Known, Reads, drive
from .refreshes import Refreshes
from .routes import NotFound
from .settings import HpgovSettings
from .sources.aws.session import AwsSessions, AwsSettings
from .sources.kubernetes.lists import At
from .sources.kubernetes.reviews import ReviewBudget
from .sources.kubernetes.transport import Api
from .version import VERSION
from .wire.pages import (
    API_VERSION,
    AccessPage,
    Card,
    ConnectionPage,
    ConnectionsPage,
    ContractPage,
    Part,
    SessionPage,
    SharePage,
    TaskPage,
    TasksPage,
)  # fmt: skip
from .work import Work

T = TypeVar("T")
SWEEP_SECONDS = 600.0
NOT_OF_ROWS = frozenset({k8s_policy.DISCOVERY.id, k8s_policy.NAMESPACE.id, k8s_policy.ACCESS_REVIEW.id, k8s_policy.SELF_REVIEW.id})
"""Reads that tell how far a connection goes; they stand when its namespaces are closed."""
NOT_OF_JOBS = frozenset({slurm_policy.PING.id, slurm_policy.REST_PING.id})
SOON_MS = 700
"""When to ask again while a refresh is on its way."""


def default_user_settings() -> str:
    """Where JupyterLab keeps user settings, unless its configuration says otherwise."""
    return os.environ.get("JUPYTERLAB_SETTINGS_DIR") or os.path.join(jupyter_config_dir(), "lab", "user-settings")


def _is_of_rows(key: Key, names: frozenset[str]) -> bool:
    """Whether a read is of what a namespace outside `names` holds; with no name left, of anything beyond how far the connection goes."""
    operation = k8s_policy.BY_ID.get(key.operation.partition("@")[0])
    if operation is None or operation.id in NOT_OF_ROWS:
        return False
    return key.scope.partition("/")[0] not in names if operation.namespaced else not names


class Service:
    """Answers by page. Made and used on the event loop; `stop` closes every socket.

    `environ` is where the place, its keys and its service account are looked up; `reads` the cache to use, where another clock
    shall drive it; `clock` (epoch seconds) is what keys and tokens are dated by.
    """

    def __init__(
        self, settings: HpgovSettings, *, root: str = "", user_settings: str = "", environ: Mapping[str, str] | None = None, reads: Reads | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:  # fmt: skip
        self.settings = settings
        self.reads = reads or Reads()
        self.work = Work()
        self.reads.let_go = self.work.take_apart
        environ = os.environ if environ is None else environ
        sessions = AwsSessions(
            AwsSettings(
                profile=settings.profile,
                allow_process=settings.allow_process_credentials,
                endpoints=dict(settings.endpoint_overrides),
                sandbox=settings.sandbox,
            ),
            environ=environ,
            clock=clock,
        )
        api = Api(f"hpgov-jlab/{VERSION}", proxy=settings.proxy)
        self.world = World(settings, sessions, api, ReviewBudget(), root, user_settings or default_user_settings(), environ)
        self._derived = Derived()
        self.refreshes = Refreshes(self.reads)
        self._sweeper: asyncio.TimerHandle | None = None
        self._roles: dict[str, str] = {}  # connection id -> as whom it was read last: of one that fails now it still says whose keys are needed
        self._open: dict[str, tuple[At, frozenset[str]]] = {}  # connection id -> where and as whom it is read, and the namespaces that are

    def stop(self) -> None:
        if self._sweeper is not None:
            self._sweeper.cancel()
        self.refreshes.stop()
        self.reads.stop()
        self.work.stop()
        self.world.api.close()
        self.world.sessions.close()
        self._derived.clear()

    @property
    def busy(self) -> bool:
        """Whether anything is being read or put together, for the bench and the tests."""
        return self.refreshes.busy

    # -- what is known, and what is due ---------------------------------------------------------------------------------
    def _known(self, coroutine: Callable[[Known], Coroutine[Any, Any, T]]) -> tuple[T, Known]:
        ask = Known(self.reads)
        return drive(coroutine(ask)), ask

    def _page(self, *, due: bool) -> dict[str, Any]:
        """What every page carries: the clock, when to ask again, whether this is the sandbox."""
        if self._sweeper is None:
            self._sweeper = asyncio.get_running_loop().call_later(SWEEP_SECONDS, self._sweep)
        self._take_apart()
        return {"now": time.time(), "poll_after_ms": SOON_MS if due else self.settings.poll_seconds * 1000, "sandbox": self.settings.sandbox}

    def _sweep(self) -> None:
        """What nobody asks for any more goes, also when no panel is open: then no answer would ever come by to drop it."""
        self._derived.sweep()
        self.refreshes.forget_faults()
        left = self.reads.sweep() or self._derived.holds
        self._take_apart()
        self._sweeper = asyncio.get_running_loop().call_later(SWEEP_SECONDS, self._sweep) if left else None

    def _take_apart(self) -> None:
        if self._derived.has_gone:
            self.work.take_apart(self._derived.let_go())

    def _due(self, ask: Known, *, fresh: bool) -> bool:
        return any(self.reads.due(read, fresh=fresh) or self.reads.in_flight(read) for read in ask.asked)

    def _next_fresh(self, ask: Known) -> float | None:
        waits = [self.reads.next_fresh_in(read) for read in ask.asked]
        return time.time() + max(waits) if waits else None

    def _beside(self, name: str, read: Callable[[Asker], Coroutine[Any, Any, T]], page: dict[str, Any], *, fresh: bool) -> T:
        """What is known of a page's own read, which is refreshed beside the connection's if it is due. `page` then says when to ask again."""
        seen, ask = self._known(read)
        if self._due(ask, fresh=fresh) and self.refreshes.start(name, read, fresh=fresh):
            page["poll_after_ms"] = SOON_MS
        page["next_fresh_at"] = max((at for at in (page["next_fresh_at"], self._next_fresh(ask)) if at is not None), default=None)
        return seen

    # -- the pages ---------------------------------------------------------------------------------------------------------
    def session(self) -> SessionPage:
        found, _, due = self._home(fresh=False)
        place = found.place
        identity: Part[Identity]
        if found.identity is not None:
            identity = part(found.identity.data, [found.identity])
        else:
            identity = blocked(found.blocked or Outcome(State.NOT_CONFIGURED, "no_aws_here", "sts:GetCallerIdentity", ask=Ask.JUPYTER_ADMIN))
        return SessionPage.model_construct(
            **self._page(due=due),
            api_version=API_VERSION,
            version=VERSION,
            place=part(place.data, [place]),
            identity=identity,
            floor_seconds=self.settings.poll_seconds,
            screens=[*screens(found), *self.refreshes.faults],
        )

    def connections(self, *, fresh: bool) -> ConnectionsPage:
        found, ask, due = self._home(fresh=fresh)
        if due:
            self.refreshes.start("cards", self._cards_refresh, fresh=False)
        cards: list[Card] | None = None
        if found.connections is not None:
            cards = []
            self._only({connection.id for connection in found.connections})
            for connection in found.connections:
                try:
                    shown, asked, refreshing = self._card(found, connection, fresh=fresh)
                except Exception as error:  # noqa: BLE001 - of several connections the others still come
                    cards.append(self._broken(connection, error))
                    continue
                cards.append(shown)
                ask.asked += asked.asked
                due |= refreshing
            self.world.sessions.only(set(self._roles.values()))
        page = self._page(due=due)
        return connections_page(found, cards, **page, next_fresh_at=self._next_fresh(ask))

    def _card(self, found: Home, connection: Connection, *, fresh: bool) -> tuple[Card, Known, bool]:
        """One connection's card, what was asked for it, and whether a refresh of it is on its way."""
        seen, asked = self._team(found, connection, GLANCE)
        due = self._refreshed(connection, GLANCE, seen, asked, fresh=fresh)
        readings = seen.readings()
        rows: Made[TasksMade] | None = self._derived.get(connection.id, f"tasks:{GLANCE}", readings)
        made: Made[ShareMade] | None = self._derived.get(connection.id, f"share:{GLANCE}", readings)
        return card(seen, rows, made, time.time()), asked, due

    def _broken(self, connection: Connection, error: Exception) -> Card:
        """The card of a connection for which none can be put together; the log has it once."""
        broken = fault(connection.name, error)
        self.world.faults.tell(connection.id, broken)
        return broken_card(connection, broken.outcome("the connection's card", time.time()))

    def connection(self, id: str, *, fresh: bool) -> ConnectionPage:
        found, page, next_fresh = self._look(id, FULL, fresh=fresh)
        readings = found.readings()
        rows: Made[TasksMade] | None = self._derived.get(id, f"tasks:{FULL}", readings)
        made: Made[ShareMade] | None = self._derived.get(id, f"share:{FULL}", readings)
        try:
            shown = card(found, rows, made, page["now"])
        except Exception as error:  # noqa: BLE001 - the rest of the page still comes
            shown = self._broken(found.reached.connection, error)
        return connection_page(found, shown, self.world.faults, **page, next_fresh_at=next_fresh)

    def tasks(self, id: str, query: TasksQuery, *, fresh: bool) -> TasksPage:
        found, page, next_fresh = self._look(id, FULL, fresh=fresh)
        readings = found.readings()
        latest: Made[TasksMade] | None = self._derived.get(id, f"tasks:{FULL}", readings)
        asked = self._derived.get(id, f"tasks:{FULL}", readings, query.generation) if query.generation and latest is not None else latest
        gone = query.generation is not None and asked is None
        return tasks.tasks_page(found, asked or latest, gone, query, person=self._person(found.home), next_fresh_at=next_fresh, **page)

    def task(self, id: str, uid: str, *, fresh: bool) -> TaskPage:
        found, page, next_fresh = self._look(id, FULL, fresh=fresh)
        page["next_fresh_at"] = next_fresh
        made: Made[TasksMade] | None = self._derived.get(id, f"tasks:{FULL}", found.readings())
        if made is None:
            return self._no_task_yet(found, page)
        units: Made[tasks.Units] | None = self._derived.get(id, f"units:{FULL}", found.readings())
        row = made.value.snapshot.find(uid)
        if row is None or units is None or uid not in units.value:
            shown = tasks.tasks_part(found, (), made=made.value)
            if shown.data is None or shown.last.state is not State.OK:  # what can't be read now is not gone: the page says why
                return self._no_task_yet(found, page)
            lacks = [*found.not_whole(), *(each.outcome(shown.last.source, shown.last.at) for each in made.value.faults)]
            if lacks:  # it may be among what is missing
                return self._no_task(found, page, lacks[0])
            raise NotFound("no_such_task")

        unit, namespace = units.value[uid], row.scope
        if unit is None:
            behind = found.as_made(made.inputs).slurm
            assert behind is not None  # a task without a unit is a Slurm job
            return slurm_parts.task_page(behind, row, **page)

        async def events(ask: Asker) -> Any:
            return await tasks.events(ask, found, namespace)

        seen = self._beside(f"events:{id}:{namespace}", events, page, fresh=fresh)
        return tasks.task_page(found.as_made(made.inputs), row, unit, namespace, seen, **page)

    def share(self, id: str, *, fresh: bool) -> SharePage:
        found, page, next_fresh = self._look(id, FULL, fresh=fresh)
        made: Made[ShareMade] | None = self._derived.get(id, f"share:{FULL}", found.readings())
        value, ages = (made.value, made.inputs) if made is not None else (None, None)
        return share.share_page(found, value, ages, faults=self.world.faults, next_fresh_at=next_fresh, **page)

    def contract(self, id: str, *, fresh: bool) -> ContractPage:
        found, page, next_fresh = self._look(id, FULL, fresh=fresh)  # as the rest of the dashboard: a draft holds what is known of queues, too
        page["next_fresh_at"] = next_fresh

        async def words(ask: Asker) -> Any:
            return await described(ask, found)

        return contract_page(found, self._beside(f"description:{id}", words, page, fresh=fresh), **page)

    def access(self, id: str, *, fresh: bool) -> AccessPage:
        found, page, next_fresh = self._look(id, FULL, fresh=fresh)
        known = bool(self._person(found.home))
        return access.access_page(found, person_known=known, cohort_reads=self.settings.cohort_reads, next_fresh_at=next_fresh, **page)

    # -- inside ------------------------------------------------------------------------------------------------------------
    @staticmethod
    def _unknown_id(found: Home) -> str:
        """Why an id is not known: there is no such connection, the list was not read yet, or it can't be read."""
        if found.connections is not None:
            return "no_such_connection"
        return "connections_not_read_yet" if found.blocked is None or found.blocked.state is State.PENDING else "connections_not_readable"

    def _person(self, found: Home) -> frozenset[str]:
        return person_ids(found, self.settings.username)

    def _home(self, *, fresh: bool) -> tuple[Home, Known, bool]:
        """Place, identity and connections as they are known, with a refresh beside them if one is due; True while one is on its way."""

        async def look(ask: Asker) -> Home:
            return await home.home(ask, self.world)

        found, ask = self._known(look)
        due = self._due(ask, fresh=fresh) and self.refreshes.start("home", self._home_refresh, fresh=fresh)
        return found, ask, due

    async def _home_refresh(self, ask: Asker) -> None:
        await home.home(ask, self.world)

    async def _cards_refresh(self, ask: Asker) -> None:
        """Once the connections are known, at once what their cards show: that need not wait until the panel asks again."""
        found = await home.home(ask, self.world)
        for connection in found.connections or ():
            self.refreshes.start(f"team:{connection.id}:{GLANCE}", self._team_refresh(connection, GLANCE), fresh=False)

    def _team(self, found: Home, connection: Connection, depth: str) -> tuple[TeamReadings, Known]:
        async def look(ask: Asker) -> TeamReadings:
            return await team(ask, self.world, found, connection, depth)

        seen, asked = self._known(look)
        if seen.reached.session is not None:
            self._roles[connection.id] = seen.reached.session.principal
        else:
            self._roles.pop(connection.id, None)
        refused = seen.blocked is not None and seen.blocked.state not in KEEPS_DATA  # nothing is asked for any more: what was read before is not shown either
        if seen.reached.at is not None:
            self._opened(connection.id, seen.reached.at, frozenset() if refused else frozenset(seen.contract.read_namespaces))
        controller = seen.slurm.controller if seen.slurm is not None else None
        if controller is not None and controller.last.state not in KEEPS_DATA:
            self.reads.forget(lambda key: key.upstream == "slurm-controller" and key.operation not in NOT_OF_JOBS)
        return seen, asked

    def _opened(self, id: str, at: At, names: frozenset[str]) -> None:
        """Rows of a namespace that is not read any more (a contract revoked), and all of another identity, leave the cache at once."""
        before, self._open[id] = self._open.get(id), (at, names)
        if before is None:
            return
        was, opened = before
        if was.principal != at.principal:
            self.reads.forget(lambda key: key.principal == was.principal)
        elif opened - names:
            self.reads.forget(lambda key: key.principal == at.principal and _is_of_rows(key, names))
        self._left(was)

    def _left(self, was: At) -> None:
        """Connections to an API server are closed once no connection of ours leads there."""
        if all((at.reach.endpoint, at.reach.ca_pem) != (was.reach.endpoint, was.reach.ca_pem) for at, _ in self._open.values()):
            self.world.api.forget(was.reach)

    def _only(self, there: Set[str]) -> None:
        """Of a connection that is there no more nothing is kept: no rows, no readings, no way to its cluster, no fault, no refresh on its way."""
        self._derived.only(there)
        self.world.faults.only(there)
        self._roles = {id: principal for id, principal in self._roles.items() if id in there}
        for id in self._open.keys() - there:
            was, _ = self._open.pop(id)
            self.reads.forget(lambda key, principal=was.principal: key.principal == principal)  # type: ignore[misc]
            self._left(was)
        self.refreshes.only(there)

    def _look(self, id: str, depth: str, *, fresh: bool) -> tuple[TeamReadings, dict[str, Any], float | None]:
        """The readings of one connection as they are, with a refresh beside them if one is due. Raises NotFound."""
        found, ask, due = self._home(fresh=False)
        connection = found.find(id)
        if connection is None:
            raise NotFound(self._unknown_id(found))
        seen, asked = self._team(found, connection, depth)
        due |= self._refreshed(connection, depth, seen, asked, fresh=fresh)
        ask.asked += asked.asked
        return seen, self._page(due=due), self._next_fresh(ask)

    def _refreshed(self, connection: Connection, depth: str, seen: TeamReadings, asked: Known, *, fresh: bool) -> bool:
        """Starts the connection's refresh if a read is due or what was made is not of these readings; True while one is on its way."""
        name = f"team:{connection.id}:{depth}"
        readings = seen.readings()
        made = self._derived.get(connection.id, f"tasks:{depth}", readings)
        stale = seen.has_rows and (made is None or not made.is_of(readings))
        if self._due(asked, fresh=fresh) or stale:
            return self.refreshes.start(name, self._team_refresh(connection, depth), fresh=fresh)
        return self.refreshes.running(name)

    def _team_refresh(self, connection: Connection, depth: str) -> Callable[[Asker], Coroutine[Any, Any, None]]:
        async def refresh(ask: Asker) -> None:
            at_home = await home.home(ask, self.world)
            found = await team(ask, self.world, at_home, connection, depth)
            readings = found.readings()
            made: Made[TasksMade] | None = self._derived.get(connection.id, f"tasks:{depth}", readings)
            if not found.has_rows or (made is not None and made.is_of(readings)):
                return
            person, now = self._person(at_home), time.time()
            before = made.value if made is not None else None
            full = depth == FULL

            def work() -> tuple[tuple[TasksMade, tasks.Units], ShareMade]:
                source = source_of(found, person, now)
                return tasks.make(source, now, before, keep_rows=full), share.make(found, source, now, holders=full)

            (rows, units), rest = await self.work.run(work)
            self.world.faults.tell(connection.id, *rows.faults, *rest.faults)
            self._derived.put(connection.id, f"tasks:{depth}", rows, readings)
            self._derived.put(connection.id, f"units:{depth}", units, readings, keep=1)
            self._derived.put(connection.id, f"share:{depth}", rest, readings, keep=1)
            self._take_apart()

        return refresh

    def _no_task_yet(self, found: TeamReadings, page: dict[str, Any]) -> TaskPage:
        return self._no_task(found, page, tasks.tasks_part(found, (), made=None).last)

    def _no_task(self, found: TeamReadings, page: dict[str, Any], why: Outcome) -> TaskPage:
        nothing: Part[Any] = blocked(why)
        return TaskPage.model_construct(**page, orchestrator=found.reached.orchestrator, detail=nothing, pods=nothing, events=nothing)
