"""The contract of a connection, from its three sources, and which namespaces it opens (DESIGN.md 5, 6; 14, S4)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ..contracts import platform as platform_records
from ..contracts.decide import SourceState, decide
from ..contracts.platform import PlatformFile
from ..contracts.record import Parsed, from_annotation, outline, parse
from ..contracts.scope import ENDS_UNKNOWN, claimed, scope, to_ask
from ..model.connection import Connection
from ..model.contract import ContractView, Kept, Problem, Rank, S3Source, ScopedNamespace
from ..model.kubernetes import Namespace
from ..model.outcome import Ask, Layer, Outcome, Phrase, Reading, State
from ..policy.kubernetes import WORKLOADS, Question
from ..reads import Asker, Read, digested
from ..sources.aws import s3
from ..sources.aws.guard import Prefix
from ..sources.files.contracts import contract_folder
from ..sources.files.platform import platform_file
from ..sources.files.typed import typed_namespaces
from ..sources.kubernetes.discovery import Discovery
from ..sources.kubernetes.lists import At
from ..sources.kubernetes.namespaces import namespace
from ..sources.kubernetes.reviews import Allowed, access_review
from .faults import CONTRACTS, fault
from .home import Home
from .world import World

TYPED_REFUSED = "scope_typed_refused"
"""Why a typed namespace is not read: the cluster says that our identity may not look into it."""
MOST_CLAIMED = 20
"""So many namespaces of self-declared records are asked about, as many as a person may type: a folder of such files would else make thousands of
questions of ours, and of reads where the answer is yes. The others are shown as claimed and not checked."""
CREATE_ASKED = (("batch", "jobs"), ("kubeflow.org", "pytorchjobs"))
"""A task kind that our identity may create proves that a self-declared namespace is hers to look into (S4): asked in this order."""


@dataclass(frozen=True, slots=True)
class NamespaceRead:
    """A namespace with its annotation already parsed, in the worker."""

    namespace: Namespace
    record: Parsed | None


@dataclass(frozen=True, slots=True)
class ContractReadings:
    view: ContractView
    others: tuple[ContractView, ...]
    namespaces: tuple[ScopedNamespace, ...]
    readings: tuple[Reading[Any], ...]
    sources: tuple[SourceState, ...]
    annotated: dict[str, Reading[NamespaceRead]]
    stored: tuple[S3Source, ...] = ()

    @property
    def read_namespaces(self) -> tuple[str, ...]:
        return tuple(n.name for n in self.namespaces if n.read)


def platform_read(world: World) -> Read[PlatformFile]:
    """The platform file; in the sandbox its owner is not looked at, since every answer is marked so and nothing of it is real."""
    return platform_file(world.settings.platform_file, platform_records.parse_platform, believe=world.settings.sandbox)


def folder_read(world: World) -> Read[tuple[Parsed, ...]]:
    return contract_folder(world.project_folder, world.settings.contract_folder, partial(_parse, world))


def _parse(world: World, kept: Kept) -> Parsed:
    """Of several records the others still come, whatever is in one: one that we fail over is shown as invalid, with that as its problem."""
    try:
        return parse(kept)
    except Exception as error:  # noqa: BLE001 - a fault of ours, told by its class
        try:
            claims, ends = outline(kept)
        except Exception:  # noqa: BLE001 - the same fault, most likely
            claims, ends = None, None
        return _broken(world, Parsed(kept, None, (), claims, ends), error)


def _broken(world: World, record: Parsed, error: Exception) -> Parsed:
    """A record that we failed over: invalid, about whom it was, and over where it said so. Where that is not known it is taken to be over."""
    kept = record.kept
    world.faults.tell(CONTRACTS, fault(kept.file, error))
    problem = Problem(kept.file, None, None, Phrase("internal_scope", {"scope": kept.file, "kind": type(error).__name__}))
    unknown = (Problem(kept.file, None, None, Phrase(ENDS_UNKNOWN)),) if record.ends is None else ()
    return Parsed(replace(kept, data=None, problem=problem), None, (problem, *unknown), record.claims, record.ends)


def _decided(world: World, records: Sequence[Parsed], connection: Connection, now: float, **more: Any) -> tuple[ContractView, tuple[ContractView, ...]]:
    """`decide`. A record that it fails over is shown as one that is invalid."""
    try:
        return decide(records, connection, now, **more)
    except Exception:  # noqa: BLE001 - which record it is, is found below; what no single one causes is raised there
        sound: list[Parsed] = []
        for record in records:
            try:
                decide([record], connection, now, **more)
            except Exception as error:  # noqa: BLE001 - as above
                record = _broken(world, record, error)
            sound.append(record)
        return decide(sound, connection, now, **more)


def namespace_read(world: World, at: At, name: str) -> Read[NamespaceRead]:
    def digest(found: Namespace) -> NamespaceRead:
        if found.contract is None:
            return NamespaceRead(found, None)
        return NamespaceRead(found, _parse(world, from_annotation(name, found.contract, found.contract_manager, found.contract_written_at)))

    return digested(namespace(at, name), digest)


async def ahead(ask: Asker, world: World, at_home: Home) -> None:
    """The records that need no way to the API server, read while that is still being made: `contracts` finds them known."""
    platform, _, _ = await ask.three(platform_read(world), folder_read(world), typed_namespaces(world.user_settings))
    prefixes = platform_records.trait_prefixes(world.settings.contract_prefixes)
    await _stored(ask, world, at_home, [*(platform.data.sources if platform.data is not None else ()), *prefixes.sources])


async def contracts(ask: Asker, world: World, at_home: Home, connection: Connection, at: At | None, found: Discovery | None) -> ContractReadings:
    """All records about this connection, the one that wins, and the namespaces in scope.

    Without a way to the API server the annotations are unread, and said so.
    """
    now = time.time()
    platform, folder, told = await ask.three(platform_read(world), folder_read(world), typed_namespaces(world.user_settings))
    typed = list((told.data or {}).get(connection.id, ()))
    if not connection.namespaces and world.settings.namespaces:  # an administrator's names, not the person's
        connection = replace(connection, namespaces=tuple(world.settings.namespaces), source="trait")
    records: list[Parsed] = list(folder.data or ())
    sources = [
        SourceState(Rank.S3, "hpgov.yaml", platform.last, platform=True),  # not read or not believed: which prefixes it names is not known
        SourceState(Rank.FILE, world.settings.contract_folder, folder.last),
    ]
    readings: list[Reading[Any]] = [platform, folder, *(() if told.ok else (told,))]
    prefixes = platform_records.trait_prefixes(world.settings.contract_prefixes)
    stored: list[S3Source] = [*(platform.data.sources if platform.data is not None else ()), *prefixes.sources]
    problems = [*(platform.data.problems if platform.data is not None else ()), *prefixes.problems]
    records += [Parsed(Kept(Rank.S3, p.file, p.file, problem=p), None, (p,), None, None) for p in problems]
    kept, states, seen = await _stored(ask, world, at_home, stored)
    records += kept
    sources += states
    readings += seen
    # the namespaces that the platform's stored records and the connection name; only then the annotations in them. A self-declared record does not
    # decide here: one that says "revoked" would keep the annotation, which ranks above it, from being read
    view, others = _decided(world, [record for record in records if record.kept.platform], connection, now)
    typed_not = await _typed_not(ask, world, at, found, to_ask(view, connection, typed), readings)
    first = scope(view, others, connection, typed=typed, typed_not=typed_not)
    names = [n.name for n in first if n.read]
    annotated: dict[str, Reading[NamespaceRead]] = {}
    may_update: dict[str, bool | None] = {}
    if at is not None and found is not None and names:
        for name, reading in zip(names, await ask.all([namespace_read(world, at, n) for n in names]), strict=True):
            annotated[name] = reading
            readings.append(reading)
            sources.append(SourceState(Rank.ANNOTATION, f"namespace {name}", reading.last))
            if reading.data is not None and reading.data.record is not None:
                record = reading.data.record
                by_typing = any(n.name == name and n.source == "typed" for n in first)
                records.append(replace(record, kept=replace(record.kept, typed=by_typing)))
                may_update[name] = await _may(ask, world, at, names, ("update", "patch"), "", "namespaces", name, readings)
    elif names:
        not_asked = Outcome(State.PENDING, "waits_for", "get namespaces", None, {"read": "Kubernetes"})
        sources += [SourceState(Rank.ANNOTATION, f"namespace {n}", not_asked) for n in names]
    view, others = _decided(world, records, connection, now, may_update=may_update, sources=sources)
    may_create: dict[str, bool | None] = {}
    if at is not None and found is not None:
        for name in claimed(view, others, connection, typed)[:MOST_CLAIMED]:
            may_create[name] = await _may_create(ask, world, at, name, found, readings)
    scoped = scope(view, others, connection, typed=typed, may_create=may_create, typed_not=typed_not)
    return ContractReadings(view, others, scoped, tuple(readings), tuple(sources), annotated, tuple(stored))


async def _typed_not(
    ask: Asker, world: World, at: At | None, found: Discovery | None, names: Sequence[str], readings: list[Reading[Any]]
) -> dict[str, Phrase | None]:
    """Why a typed namespace is not read; None: our identity may look into it. Nothing is read there unless a self-review says so first."""
    if at is None or found is None or not names:
        return {}
    group, resource = ("kueue.x-k8s.io", "workloads") if found.serves(WORKLOADS) else ("", "pods")
    asked: list[Read[Allowed]] = [access_review(at, world.budget, frozenset((n,)), Question("list", group, resource, n)) for n in names]
    answers = await ask.all(asked)
    readings += answers
    return {name: _why_not_typed(answer) for name, answer in zip(names, answers, strict=True)}


def _why_not_typed(answer: Reading[Allowed]) -> Phrase | None:
    if answer.data is not None and answer.data.allowed is not None:
        return None if answer.data.allowed else Phrase(TYPED_REFUSED)
    if answer.data is None and answer.last.state is State.PENDING:
        return Phrase("scope_typed_not_asked")
    return Phrase("scope_typed_not_answered")


async def _stored(ask: Asker, world: World, at_home: Home, stored: Sequence[S3Source]) -> tuple[list[Parsed], list[SourceState], list[Reading[Any]]]:
    """Records of the S3 prefixes, read with the place's own session."""
    records: list[Parsed] = []
    states: list[SourceState] = []
    readings: list[Reading[Any]] = []
    if not stored:
        return records, states, readings
    prefixes = {source: Prefix(source.bucket, source.prefix, source.owner, source.region) for source in stored}
    world.sessions.set_prefixes(tuple(prefixes.values()))
    if at_home.session is None:
        for source in stored:
            outcome = Outcome(State.NOT_CONFIGURED, "no_aws_here", "s3:ListBucket", time.time(), {}, Layer.PROJECT, Ask.JUPYTER_ADMIN)
            states.append(SourceState(Rank.S3, f"s3://{source.bucket}/{source.prefix}", outcome, source.platform))
        return records, states, readings
    for source in stored:
        prefix, where = prefixes[source], f"s3://{source.bucket}/{source.prefix}"
        listed = await ask.one(s3.listing(at_home.session, prefix))
        readings.append(listed)
        last = listed.last
        if listed.data is not None:
            bodies = await ask.all([_record_read(world, at_home, prefix, source, item.key) for item in listed.data.objects])
            readings += bodies
            records += [b.data for b in bodies if b.data is not None]
            last = next((b.last for b in bodies if b.data is None), last)
            if not listed.data.complete:
                problem = Problem(
                    where, None, None, Phrase("folder_too_many_files", {"limit": len(listed.data.objects), "count": len(listed.data.objects) + 1})
                )
                records.append(Parsed(Kept(Rank.S3, where, where, problem=problem, platform=source.platform), None, (problem,), None, None))
        states.append(SourceState(Rank.S3, where, last, source.platform))
    return records, states, readings


def _record_read(world: World, at_home: Home, prefix: Prefix, source: S3Source, key: str) -> Read[Parsed]:
    session = at_home.session
    if session is None:
        raise ValueError("no session to read S3 with")

    def digest(body: s3.S3Body) -> Parsed:
        where, name = f"s3://{source.bucket}/{key}", key.rpartition("/")[2]
        problem = None if body.whole else Problem(name, None, None, Phrase("bytes_too_big", {"limit_bytes": s3.OBJECT_LIMIT}))
        kept = Kept(
            Rank.S3, where, name, body.body if problem is None else None, problem, version=body.version, kept_at=body.modified_at, platform=source.platform
        )  # fmt: skip
        return _parse(world, kept)

    return digested(s3.get(session, prefix, key), digest)


async def _may(
    ask: Asker, world: World, at: At, scope_names: Sequence[str], verbs: Sequence[str], group: str, resource: str, name: str, readings: list[Reading[Any]]
) -> bool | None:
    """True if any of the verbs is allowed, False if each is surely not, None if that is not known."""
    answers: list[bool | None] = []
    for verb in verbs:
        asked = Question(verb, group, resource, name, name if resource == "namespaces" else "")
        reading: Reading[Allowed] = await ask.one(access_review(at, world.budget, frozenset(scope_names), asked))
        readings.append(reading)
        answers.append(reading.data.allowed if reading.data is not None else None)
        if answers[-1]:
            return True
    return False if all(answer is False for answer in answers) else None


async def _may_create(ask: Asker, world: World, at: At, name: str, found: Discovery, readings: list[Reading[Any]]) -> bool | None:
    """Whether our identity may create a task kind there: one self-review per kind that is served, and nothing else is asked of that namespace before."""
    answers = []
    for group, resource in CREATE_ASKED:
        if group != "batch" and f"{resource}.{group}" not in found.served:
            continue
        answer = await _may(ask, world, at, (name,), ("create",), group, resource, name, readings)
        if answer:
            return True
        answers.append(answer)
    return False if answers and all(a is False for a in answers) else None
