"""The reads of a Slurm cluster, over whichever transport `site` found. The same results from both; what slurmrestd has no form of says so (ABSENT).

Everything is asked at most every 60 s per person: a controller serves one RPC after the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeVar

from ...model.outcome import Ask, Failure, Layer, State
from ...model.slurm import (
    SlurmAccounts,
    SlurmAssociation,
    SlurmConfig,
    SlurmController,
    SlurmFairshare,
    SlurmHistory,
    SlurmJobs,
    SlurmNodes,
    SlurmOwn,
    SlurmPartition,
    SlurmQos,
    SlurmQueue,
    SlurmReservation,
    SlurmUsage,
)  # fmt: skip
from ...policy import slurm as policy
from ...policy.slurm import Endpoint, Shape
from ...reads import Deadline, Got, Read
from . import amounts, errors, newest, scontrol, text
from .adapters import of_body
from .commands import Commands, Said
from .guard import is_value
from .rest import Answer, Rest
from .shapes import Partition, whole
from .site import FLOOR, LANE, SLOW_TTL, raise_
from .site import SlurmAt as SlurmAt
from .site import SlurmOptions as SlurmOptions
from .site import site as site

T = TypeVar("T")

CHAIN: Final = 12
"""At most so many accounts are asked for, own ones and those above them; how many more are known by name is told."""


def _ask(commands: Commands, shape: Shape, deadline: Deadline, **values: str) -> Said:
    """One command whose output may be used. Raises Failure."""
    said = commands.run(shape, deadline, values)
    failure = errors.of_command(said, shape)
    if failure is None:
        return said
    if failure.code == "slurm_accounting_off" and _controller_accounts(commands, deadline):
        # the client's own slurm.conf says so, not the cluster (facts/slurm.md 6, AWS's Studio recipe)
        raise Failure(State.NOT_CONFIGURED, "slurm_conf_minimal", {"command": shape.source}, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)
    raise failure


def _controller_accounts(commands: Commands, deadline: Deadline) -> bool:
    """Whether the controller keeps accounts, whatever this machine's slurm.conf says."""
    said = commands.run(policy.CONFIG, deadline)
    if errors.of_command(said, policy.CONFIG) is not None:
        return False
    return "slurmdbd" in (scontrol.config(said.out, policy.CONFIG.source).accounting or "")


def _read(
    at: SlurmAt, shape: Shape, endpoint: Endpoint | None, run: Callable[[Commands, Deadline], T], get: Callable[[Rest, Deadline], Got[T]], *,
    scope: str = "", ttl: float = FLOOR, list_like: bool = False, deadline: float = 25.0,
) -> Read[T]:  # fmt: skip
    transport = at.transport
    if isinstance(transport, Rest):

        def fetch_rest(limit: Deadline) -> Got[T]:
            if endpoint is None or (endpoint.versions is not None and transport.version == "v0.0.38" and "v0.0.38" not in endpoint.versions):
                raise _lacks(shape.source)
            return get(transport, limit)

        return Read(
            at.key(endpoint or shape, scope), LANE, (endpoint or shape).source, fetch_rest, ttl=ttl, floor=FLOOR, deadline=deadline, list_like=list_like
        )

    def fetch(limit: Deadline) -> Got[T]:
        return Got(run(transport, limit))

    return Read(at.key(shape, scope), LANE, shape.source, fetch, ttl=ttl, floor=FLOOR, deadline=deadline, list_like=list_like)


def _lacking(rest: Rest, deadline: Deadline) -> Got[T]:
    raise _lacks("slurmrestd")


def _lacks(command: str) -> Failure:
    return Failure(State.ABSENT, "slurm_rest_lacks", {"command": command}, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)


# -- the reads --------------------------------------------------------------------------------------------------------------
def controller(at: SlurmAt) -> Read[SlurmController]:
    """Whether a controller answers, at once (`scontrol ping`): other commands hang for 9 to 18 s when none does, so ask this first."""

    def run(commands: Commands, deadline: Deadline) -> SlurmController:
        said = commands.run(policy.PING, deadline)
        found = scontrol.controller(said.out, at.release)
        if found.up:
            return found
        raise_(errors.of_text(said.err, policy.PING.source))
        if not found.down:
            raise errors.of_command(said, policy.PING) or errors.not_the_shape(policy.PING.source)
        # versions that do not mix are told as DOWN, too (facts/slurm.md 6): a second command says which it is
        why = commands.run(policy.CONFIG, _short(deadline))
        told = errors.of_text(why.err, policy.PING.source)
        if told is not None and told.code in ("slurm_version_mismatch", "slurm_munge_down", "slurm_identity_refused"):
            raise told
        raise Failure(State.UNREACHABLE, "slurm_controller_down", {"command": policy.PING.source}, ask=Ask.CLUSTER_ADMIN)

    def get(rest: Rest, deadline: Deadline) -> Got[SlurmController]:
        answer = rest.get(policy.REST_PING, deadline)
        pings = answer.adapter.pings(answer.body, policy.REST_PING.source)
        up = sum(p == "UP" for p in pings)
        if not up:  # 24.11 says DOWN for a refused token, too (facts/slurm.md 2)
            raise Failure(State.UNREACHABLE, "slurm_rest_unclear", {"command": policy.REST_PING.source}, ask=Ask.YOU)
        return Got(SlurmController(up, len(pings) - up, answer.shape.release), answer.skew)

    return _read(at, policy.PING, policy.REST_PING, run, get)


def _short(deadline: Deadline) -> Deadline:
    return Deadline(min(4.0, deadline.remaining()))


def config(at: SlurmAt) -> Read[SlurmConfig]:
    """The lines that decide what is enforced. slurmrestd has no form of it that is ours to read."""

    def run(commands: Commands, deadline: Deadline) -> SlurmConfig:
        return scontrol.config(_ask(commands, policy.CONFIG, deadline).out, policy.CONFIG.source)

    return _read(at, policy.CONFIG, None, run, _lacking, ttl=SLOW_TTL)


def queue(at: SlurmAt) -> Read[SlurmQueue]:
    """The whole queue as nameless sums."""

    def run(commands: Commands, deadline: Deadline) -> SlurmQueue:
        said = _ask(commands, policy.QUEUE, deadline)
        return text.queue(said.out, said.marks, at.release)

    def get(rest: Rest, deadline: Deadline) -> Got[SlurmQueue]:
        answer = rest.get(policy.REST_JOBS, deadline)
        told = answer.adapter.jobs(answer.body, policy.REST_JOBS.source)
        shown = _shown(rest, at, deadline)
        rows = (j for j in told if not shown.isdisjoint(j.partition.split(",")))
        read = ((j.account, j.partition, newest.state(j), whole(j.node_count), amounts.tres(j.tres_alloc_str or j.tres_req_str)) for j in rows)
        return Got(text.sum_queue(read, answer.shape), answer.skew)

    return _read(at, policy.QUEUE, policy.REST_JOBS, run, get, scope="sums", list_like=True)


def _shown(rest: Rest, at: SlurmAt, deadline: Deadline) -> set[str]:
    """Partitions that are not kept from this person, by a second request: slurmrestd lists the jobs and nodes of hidden ones, too (22.05.8 and 24.11.5,
    measured), which squeue and scontrol leave out. Raises Failure; where PrivateData hides every partition it is DENIED.
    """
    return {one.name for one in _visible(rest, rest.get(policy.REST_PARTITIONS, deadline), at.groups)}


def _visible(rest: Rest, answer: Answer, groups: tuple[str, ...]) -> list[Partition]:
    """From 23.11 on the controller leaves out what is kept from her, groups as it knows them; 22.05 leaves that to who asks (facts/slurm.md 2)."""
    rows = answer.adapter.partitions(answer.body, policy.REST_PARTITIONS.source)
    return [one for one in rows if not newest.hidden(one, groups if rest.version == "v0.0.38" else ())]


def own_jobs(at: SlurmAt) -> Read[SlurmJobs]:
    """Own jobs that the controller still holds, those in hidden partitions, too.

    JSON where its filters are honoured and it is not too long, else formatted: the same rows.
    """

    def run(commands: Commands, deadline: Deadline) -> SlurmJobs:
        if at.version is not None and policy.OWN_JOBS_JSON.since is not None and at.version >= policy.OWN_JOBS_JSON.since:
            try:
                said = _ask(commands, policy.OWN_JOBS_JSON, deadline, user=at.user)
                body = said.out.encode()
                made, shape = of_body(body, policy.OWN_JOBS_JSON.source)
                rows = made.jobs(body, policy.OWN_JOBS_JSON.source)
                return SlurmJobs(tuple(made_job for made_job in map(newest.job, rows) if made_job.user == at.user), shape)
            except Failure as failure:
                if failure.code not in ("slurm_too_large", "slurm_too_slow", "slurm_shape", "slurm_option_unknown", "slurm_version_unknown"):
                    raise
                if deadline.remaining() < 1.0:
                    raise
        said = _ask(commands, policy.OWN_JOBS, deadline, user=at.user)
        found = text.jobs(said.out, said.marks, at.release)
        return replace(found, items=tuple(one for one in found.items if one.user == at.user))

    def get(rest: Rest, deadline: Deadline) -> Got[SlurmJobs]:
        answer = rest.get(policy.REST_JOBS, deadline)  # it has no filter by user: other rows end here
        rows = answer.adapter.jobs(answer.body, policy.REST_JOBS.source)
        return Got(SlurmJobs(tuple(newest.job(one) for one in rows if one.user_name == at.user), answer.shape), answer.skew)

    return _read(at, policy.OWN_JOBS, policy.REST_JOBS, run, get, scope="own", list_like=True)


def team_jobs(at: SlurmAt, account: str) -> Read[SlurmJobs]:
    """Jobs of one of the own accounts, as far as PrivateData and hidden partitions leave them visible. Account root is everybody's on a flat tree, and no
    team's: nothing is asked.
    """

    def check() -> None:
        if account == "root":
            raise Failure(State.ABSENT, "slurm_no_team", ask=Ask.CLUSTER_ADMIN)

    def run(commands: Commands, deadline: Deadline) -> SlurmJobs:
        check()
        said = _ask(commands, policy.TEAM_JOBS, deadline, account=account)
        found = text.jobs(said.out, said.marks, at.release)
        return replace(found, items=tuple(one for one in found.items if one.account == account))

    def get(rest: Rest, deadline: Deadline) -> Got[SlurmJobs]:
        check()
        answer = rest.get(policy.REST_JOBS, deadline)
        rows = [one for one in answer.adapter.jobs(answer.body, policy.REST_JOBS.source) if one.account == account]
        # her own are hers wherever they are; of the others squeue leaves out the hidden ones under PrivateData=partitions, too (22.05.8, 24.11.5, measured),
        # so that without a list of partitions none of them can be told
        shown = _shown(rest, at, deadline) if any(one.user_name != at.user for one in rows) else set()
        rows = [one for one in rows if one.user_name == at.user or not shown.isdisjoint(one.partition.split(","))]
        return Got(SlurmJobs(tuple(newest.job(one) for one in rows), answer.shape), answer.skew)

    return _read(at, policy.TEAM_JOBS, policy.REST_JOBS, run, get, scope=f"account {account}", list_like=True)


def history(at: SlurmAt) -> Read[SlurmHistory]:
    """Own runs of the last 24 h out of accounting, requeued ones with each run."""

    def run(commands: Commands, deadline: Deadline) -> SlurmHistory:
        said = _ask(commands, policy.HISTORY, deadline, user=at.user)
        return text.history(said.out, said.marks, at.user, at.uid, at.release)

    def get(rest: Rest, deadline: Deadline) -> Got[SlurmHistory]:
        endpoint = policy.REST_HISTORY_38 if rest.version == "v0.0.38" else policy.REST_HISTORY
        answer = rest.get(endpoint, deadline)
        rows = answer.adapter.history(answer.body, endpoint.source)
        return Got(SlurmHistory(tuple(newest.run(one, at.uid, at.user) for one in rows if one.user == at.user), answer.shape), answer.skew)

    return _read(at, policy.HISTORY, policy.REST_HISTORY_38, run, get, ttl=120.0)


def associations(at: SlurmAt) -> Read[tuple[SlurmAssociation, ...]]:
    """Own associations, from the database. None at all is a failure of its own: ABSENT slurm_no_association."""

    def run(commands: Commands, deadline: Deadline) -> tuple[SlurmAssociation, ...]:
        said = _ask(commands, policy.ASSOCIATIONS, deadline, user=at.user)
        return _some(text.associations(said.out, policy.ASSOCIATIONS.source), at, policy.ASSOCIATIONS.source)

    def get(rest: Rest, deadline: Deadline) -> Got[tuple[SlurmAssociation, ...]]:
        answer = rest.get(policy.REST_ASSOCIATIONS, deadline)
        rows = answer.adapter.associations(answer.body, policy.REST_ASSOCIATIONS.source)
        return Got(_some(tuple(newest.association(one) for one in rows), at, policy.REST_ASSOCIATIONS.source), answer.skew)

    return _read(at, policy.ASSOCIATIONS, policy.REST_ASSOCIATIONS, run, get, ttl=SLOW_TTL)


def _some(found: tuple[SlurmAssociation, ...], at: SlurmAt, source: str) -> tuple[SlurmAssociation, ...]:
    own = tuple(one for one in found if one.user == at.user)
    if not own:
        raise Failure(State.ABSENT, "slurm_no_association", {"command": source}, ask=Ask.CLUSTER_ADMIN)
    return own


def accounts(at: SlurmAt, names: tuple[str, ...]) -> Read[SlurmAccounts]:
    """The rows of the own accounts and of those above them below root, from the database: the team's limits. Empty where PrivateData hides them."""

    def run(commands: Commands, deadline: Deadline) -> SlurmAccounts:
        found: dict[str, SlurmAssociation] = {}
        wanted, asked, left = list(names), set[str](), set[str]()
        while wanted:
            name = wanted.pop(0)
            if name in asked or name == "root" or not is_value(name):
                continue
            if len(asked) == CHAIN:
                left.add(name)
                continue
            asked.add(name)
            said = _ask(commands, policy.ACCOUNT, deadline, account=name)
            for row in text.associations(said.out, policy.ACCOUNT.source):
                if row.user is None and row.account == name:
                    found[name] = row
                    if row.parent and row.parent not in asked:
                        wanted.append(row.parent)
        return SlurmAccounts(tuple(found.values()), len(left))

    return _read(at, policy.ACCOUNT, None, run, _lacking, scope=",".join(names), ttl=SLOW_TTL)


def qos(at: SlurmAt) -> Read[tuple[SlurmQos, ...]]:
    """Every QoS with its limits, from the database; none of them is hidden by PrivateData."""

    def run(commands: Commands, deadline: Deadline) -> tuple[SlurmQos, ...]:
        return text.qos(_ask(commands, policy.QOS, deadline).out, policy.QOS.source)

    def get(rest: Rest, deadline: Deadline) -> Got[tuple[SlurmQos, ...]]:
        answer = rest.get(policy.REST_QOS, deadline)
        return Got(tuple(newest.quality(one) for one in answer.adapter.qos(answer.body, policy.REST_QOS.source)), answer.skew)

    return _read(at, policy.QOS, policy.REST_QOS, run, get, ttl=SLOW_TTL)


def usage(at: SlurmAt) -> Read[SlurmUsage]:
    """Limits and what is held of them, from the controller's memory: works without the database, and with a minimal slurm.conf."""

    def run(commands: Commands, deadline: Deadline) -> SlurmUsage:
        first = _ask(commands, policy.USAGE, deadline)
        second = _ask(commands, policy.QOS_USAGE, deadline)
        found = scontrol.usage(first.out, second.out, at.user, at.uid, policy.USAGE.source)
        if not found.associations:
            raise Failure(State.ABSENT, "slurm_no_association", {"command": policy.USAGE.source}, ask=Ask.CLUSTER_ADMIN)
        return found

    return _read(at, policy.USAGE, None, run, _lacking)


def shares(at: SlurmAt) -> Read[tuple[SlurmFairshare, ...]]:
    """Own lines of fairshare."""

    def run(commands: Commands, deadline: Deadline) -> tuple[SlurmFairshare, ...]:
        return text.shares(_ask(commands, policy.SHARES, deadline, user=at.user).out, at.user, policy.SHARES.source)

    def get(rest: Rest, deadline: Deadline) -> Got[tuple[SlurmFairshare, ...]]:
        answer = rest.get(policy.REST_SHARES, deadline)
        rows = answer.adapter.shares(answer.body, policy.REST_SHARES.source)
        return Got(tuple(newest.fairshare(one) for one in rows if one.name == at.user), answer.skew)

    return _read(at, policy.SHARES, policy.REST_SHARES, run, get, ttl=SLOW_TTL)


def partitions(at: SlurmAt, own: SlurmOwn) -> Read[tuple[SlurmPartition, ...]]:
    """Partitions with what is allowed to this person. Whom else they are open to is dropped."""

    def run(commands: Commands, deadline: Deadline) -> tuple[SlurmPartition, ...]:
        return scontrol.partitions(_ask(commands, policy.PARTITIONS, deadline).out, own, policy.PARTITIONS.source)

    def get(rest: Rest, deadline: Deadline) -> Got[tuple[SlurmPartition, ...]]:
        answer = rest.get(policy.REST_PARTITIONS, deadline)
        return Got(tuple(newest.partition(one, own) for one in _visible(rest, answer, own.groups or ())), answer.skew)

    return _read(at, policy.PARTITIONS, policy.REST_PARTITIONS, run, get, scope=_scope(own), ttl=SLOW_TTL)


def reservations(at: SlurmAt, own: SlurmOwn) -> Read[tuple[SlurmReservation, ...]]:
    """Reservations that are shown to this person. For whom they are is dropped, and a name made of somebody's as well."""

    def run(commands: Commands, deadline: Deadline) -> tuple[SlurmReservation, ...]:
        return scontrol.reservations(_ask(commands, policy.RESERVATIONS, deadline).out, own, policy.RESERVATIONS.source)

    def get(rest: Rest, deadline: Deadline) -> Got[tuple[SlurmReservation, ...]]:
        source = policy.REST_RESERVATIONS.source
        answer = rest.get(policy.REST_RESERVATIONS, deadline)
        return Got(tuple(newest.reservation(one, own, source) for one in answer.adapter.reservations(answer.body, source)), answer.skew)

    return _read(at, policy.RESERVATIONS, policy.REST_RESERVATIONS, run, get, scope=_scope(own), ttl=SLOW_TTL)


def nodes(at: SlurmAt) -> Read[SlurmNodes]:
    """States of the nodes and GPUs there are, usable and held: sums only."""

    def run(commands: Commands, deadline: Deadline) -> SlurmNodes:
        return scontrol.nodes(_ask(commands, policy.NODES, deadline).out, policy.NODES.source)

    def get(rest: Rest, deadline: Deadline) -> Got[SlurmNodes]:
        answer = rest.get(policy.REST_NODES, deadline)
        rows = answer.adapter.nodes(answer.body, policy.REST_NODES.source)
        shown = _shown(rest, at, deadline)  # as scontrol does it, a node of hidden partitions only is left out; one of no partition is not
        return Got(scontrol.sum_nodes(newest.node(one) for one in rows if not one.partitions or not shown.isdisjoint(one.partitions)), answer.skew)

    return _read(at, policy.NODES, policy.REST_NODES, run, get)


def _scope(own: SlurmOwn) -> str:
    return "|".join((own.user, ",".join(own.accounts or ()), ",".join(own.qos or ()), ",".join(own.groups or ())))
