"""A Slurm cluster's answers: which reads, in which order, and what they make (DESIGN.md 8). The commands of this machine reach one cluster."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

from ..model.connection import Connection, Orchestrator
from ..model.outcome import KEEPS_DATA, Ask, Failure, Layer, Outcome, Phrase, Reading, State
from ..model.share import SlurmShareRow
from ..model.slurm import (
    SlurmAccounts,
    SlurmAssociation,
    SlurmConfig,
    SlurmController,
    SlurmFairshare,
    SlurmFairshareRow,
    SlurmHistory,
    SlurmJobs,
    SlurmNodes,
    SlurmOwn,
    SlurmPartition,
    SlurmPlace,
    SlurmQos,
    SlurmQueue,
    SlurmReservation,
    SlurmUsage,
)  # fmt: skip
from ..model.task import Task
from ..policy import slurm as policy
from ..reads import Asker, Read
from ..scheduling.slurm import own_of, slurm_tasks
from ..scheduling.slurm_notes import reservation_notes, slurm_notes
from ..scheduling.slurm_share import slurm_fairshare, slurm_places, slurm_share
from ..sources.slurm import reads as source
from ..sources.slurm.site import CONTROLLER, DATABASE, SlurmAt, SlurmOptions, site
from .home import Home
from .world import World

T = TypeVar("T")
MOST_ACCOUNTS = 8
"""Jobs of at most so many own accounts are asked for: one command each, and a controller serves one after the other. How many are left out is told."""


@dataclass(slots=True)
class SlurmReadings:
    """None: not asked. `blocked`: why nothing can be asked at all. `left_out`: own accounts whose jobs are not asked for, since there are too many."""

    site: Reading[SlurmAt] | None = None
    controller: Reading[SlurmController] | None = None
    config: Reading[SlurmConfig] | None = None
    associations: Reading[tuple[SlurmAssociation, ...]] | None = None
    own_jobs: Reading[SlurmJobs] | None = None
    team: dict[str, Reading[SlurmJobs]] = field(default_factory=dict)
    left_out: int = 0
    history: Reading[SlurmHistory] | None = None
    accounts: Reading[SlurmAccounts] | None = None
    qos: Reading[tuple[SlurmQos, ...]] | None = None
    usage: Reading[SlurmUsage] | None = None
    shares: Reading[tuple[SlurmFairshare, ...]] | None = None
    partitions: Reading[tuple[SlurmPartition, ...]] | None = None
    reservations: Reading[tuple[SlurmReservation, ...]] | None = None
    nodes: Reading[SlurmNodes] | None = None
    queue: Reading[SlurmQueue] | None = None
    blocked: Outcome | None = None

    def readings(self) -> Iterator[tuple[str, Reading[Any]]]:
        """Each with a label that is the same from answer to answer; own jobs first, since they make the list."""
        named = (
            "own_jobs",
            "history",
            "associations",
            "usage",
            "accounts",
            "qos",
            "config",
            "shares",
            "partitions",
            "reservations",
            "nodes",
            "queue",
            "controller",
        )
        for name in named:
            reading = getattr(self, name)
            if reading is not None:
                yield f"slurm/{name}", reading
        for account, jobs in self.team.items():
            yield f"slurm/team/{account}", jobs

    def aged(self, age: Callable[[Any], Any]) -> SlurmReadings:
        """The same with the ages that `age` gives its readings."""
        mine = {each.name: age(getattr(self, each.name)) for each in fields(self) if isinstance(getattr(self, each.name), Reading)}
        return replace(self, team={account: age(jobs) for account, jobs in self.team.items()}, **mine)

    def listing(self) -> list[Reading[Any]]:
        """The reads that make the list of tasks, own jobs first."""
        return [r for r in (self.own_jobs, *self.team.values(), self.history) if r is not None]

    def not_whole(self) -> list[Outcome]:
        """Jobs that are missing without any read having failed: in rows that could not be read, and of accounts that are not asked for."""
        lacks = [
            Outcome(State.INVALID, "slurm_rows_unread", r.last.source, r.as_of, {"count": r.data.unread}, ask=Ask.JUPYTER_ADMIN)
            for r in self.listing()
            if r.data is not None and r.data.unread
        ]
        if self.left_out:
            at = self.own_jobs.last.at if self.own_jobs is not None else None
            params: dict[str, str | int | float | None] = {"count": self.left_out}
            lacks.append(Outcome(State.UNREACHABLE, "slurm_accounts_left_out", policy.TEAM_JOBS.source, at, params, Layer.WORKLOAD, Ask.NOBODY))
        return lacks

    @property
    def at(self) -> SlurmAt | None:
        return self.site.data if self.site is not None else None

    def own(self) -> SlurmOwn | None:
        if self.at is None:
            return None
        rows = self.associations.data if self.associations is not None else None
        if rows is None and self.usage is not None and self.usage.data is not None:
            rows = self.usage.data.associations  # the controller's memory knows them when the database does not answer
        return own_of(self.at.user, self.at.groups, rows)


def options(world: World) -> SlurmOptions:
    s = world.settings
    return SlurmOptions(s.slurm_bin, s.slurm_conf, s.slurmrestd_url, s.slurm_token_file, s.slurm_user, s.sandbox)


def which(world: World, at_home: Home, connection: Connection) -> Outcome | None:
    """Why this machine's Slurm commands are not asked for this connection: with several Slurm clusters a trait has to say which one they reach."""
    wanted = world.settings.slurm_cluster
    if wanted:
        if wanted in (connection.cluster_name, connection.name, connection.cluster_arn):
            return None
    elif sum(c.orchestrator is Orchestrator.SLURM for c in at_home.connections or ()) == 1:
        return None
    code = "slurm_other_cluster" if wanted else "slurm_which_cluster"
    failure = Failure(State.NOT_CONFIGURED, code, {"cluster": connection.cluster_name}, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)
    return failure.outcome("HpgovSettings.slurm_cluster", time.time())


async def slurm(ask: Asker, world: World, at_home: Home, connection: Connection, *, full: bool) -> SlurmReadings:
    """The controller is asked first, and while it is down nothing else is sent: other commands would hang for 9 to 18 s each (facts/slurm.md)."""
    found = SlurmReadings(blocked=which(world, at_home, connection))
    if found.blocked is not None:
        return found
    found.site = await ask.one(site(options(world)))
    at = found.site.data
    if at is None:
        found.blocked = found.site.last
        if found.blocked.state not in KEEPS_DATA:
            ask.forget(lambda key: key.upstream in (CONTROLLER, DATABASE))
        return found
    controller = source.controller(at)
    found.controller = await ask.one(controller)
    down = found.controller.last if found.controller.last.state not in (State.OK, State.PENDING) else None
    if down is not None and down.state not in KEEPS_DATA:  # what is not sent settles nowhere: without this its rows would stay
        ask.forget(lambda key: key.upstream == CONTROLLER and key != controller.key)
    reader = _Reader(ask, down)
    # a card counts as the dashboard does, and what ended is known to accounting only; of the nodes HyperPod says nothing that Slurm does with them
    found.associations, found.config, found.own_jobs, found.usage, found.history, found.nodes = await reader.all(
        source.associations(at), source.config(at), source.own_jobs(at), source.usage(at), source.history(at), source.nodes(at)
    )
    own = found.own()
    every = own.accounts if own is not None and own.accounts else ()
    accounts, found.left_out = every[:MOST_ACCOUNTS], len(every[MOST_ACCOUNTS:])
    found.team = dict(zip(accounts, await reader.all(*(source.team_jobs(at, account) for account in accounts)), strict=True))
    if not full or own is None:
        return found
    found.qos, found.shares, found.partitions, found.reservations, found.queue = await reader.all(
        source.qos(at), source.shares(at), source.partitions(at, own), source.reservations(at, own), source.queue(at)
    )
    if own.accounts:
        [found.accounts] = await reader.all(source.accounts(at, own.accounts))
    return found


class _Reader:
    """While the controller does not answer, what is known is looked at and nothing is sent; its age and the controller's state stand beside it."""

    def __init__(self, ask: Asker, down: Outcome | None) -> None:
        self._ask, self._down = ask, down

    async def all(self, *reads: Read[Any]) -> list[Reading[Any]]:
        """Together; the lane's workers bound how many commands run at once."""
        sent = [r for r in reads if self._down is None or r.key.upstream != CONTROLLER]
        answers = dict(zip((r.key for r in sent), await self._ask.all(sent), strict=True))
        return [answers[r.key] if r.key in answers else self._known(r) for r in reads]

    def _known(self, read: Read[Any]) -> Reading[Any]:
        assert self._down is not None  # else it was sent
        return replace(self._ask.look(read), last=replace(self._down, source=read.source))


# -- what they make ---------------------------------------------------------------------------------------------------------
def make_tasks(found: SlurmReadings, now: float) -> tuple[Task, ...]:
    """Rows of own and team jobs and of own runs of the last day. Pure."""
    at = found.at
    if at is None:
        return ()
    private = found.config.data.private_data if found.config is not None and found.config.data is not None else None
    return slurm_tasks(
        found.own_jobs.data if found.own_jobs is not None else None,
        [r.data for r in found.team.values() if r.data is not None],
        found.history.data if found.history is not None else None,
        user=at.user,
        now=now,
        line=private is not None and not {w.lower() for w in private} & {"jobs", "all"},
    )


@dataclass(frozen=True, slots=True)
class SlurmMade:
    """`notes`: of all that has to be said; slurm_notes.OF_FIGURES are the ones that stand above the figures."""

    rows: tuple[SlurmShareRow, ...]
    notes: tuple[Phrase, ...]
    fairshare: tuple[SlurmFairshareRow, ...]
    places: tuple[SlurmPlace, ...]


def _data(reading: Reading[T] | None) -> T | None:
    return reading.data if reading is not None else None


def make_share(found: SlurmReadings, tasks: tuple[Task, ...], now: float) -> SlurmMade:
    """Limits and what is held, notices, fairshare, partitions. Pure."""
    own, at = found.own(), found.at
    if own is None or at is None:
        return SlurmMade((), (), (), ())
    config, usage, above = _data(found.config), _data(found.usage), _data(found.accounts)
    accounts = above.items if above is not None else None
    rows = slurm_share(usage, _data(found.associations), accounts, _data(found.qos), config, own, tasks)
    listings = [r.data for r in (found.own_jobs, *found.team.values()) if r is not None and r.data is not None]
    jobs, partitions, reservations, shares = _data(found.own_jobs), _data(found.partitions), _data(found.reservations), _data(found.shares)
    unread = config is None and found.config is not None and found.config.last.state is not State.PENDING
    notes = slurm_notes(
        config,
        own,
        uid=at.uid,
        usage=usage,
        limits_recorded=any(r.limit is not None for r in rows),
        accounts=accounts or (),
        queue=_data(found.queue),
        shapes=[listing.shape for listing in listings],
        unread=sum(listing.unread for listing in listings),
        qos=_data(found.qos),
        partitions=partitions,
        privacy_unknown=unread and not any(job.user != own.user for listing in listings for job in listing.items),
        reservations_unknown=unread and reservations == (),
        accounts_left_out=found.left_out,
        limits_left_out=above.not_asked if above is not None else 0,
    )
    if jobs is not None and partitions is not None:
        notes += reservation_notes(jobs, reservations or (), partitions, user=own.user, now=now)
    places = slurm_places(partitions, own) if partitions is not None else ()
    return SlurmMade(rows, notes, slurm_fairshare(shares or (), config), places)
