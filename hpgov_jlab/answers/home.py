"""The first links of every chain: where this server runs, as whom, and which connections there are (DESIGN.md 5)."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

from ..model.cluster import Identity
from ..model.connection import Connection, Orchestrator, Place, PlaceKind
from ..model.kinds import BY_PLURAL
from ..model.outcome import Ask, Failure, Layer, Outcome, Phrase, Reading, State, pending
from ..policy.kubernetes import kind_operation
from ..reads import Asker
from ..sources import place as places
from ..sources.aws import datazone, hyperpod, sts
from ..sources.aws.credentials import container_configured, web_identity_configured
from ..sources.aws.session import AwsSession
from ..sources.kubernetes.discovery import discovery
from ..sources.kubernetes.kubeconfig import DirectReach, whose
from ..sources.kubernetes.lists import At
from ..sources.kubernetes.tasks import objects
from .world import World, trait_connections

WORKSPACE = BY_PLURAL["workspaces.workspace.jupyter.org"]


@dataclass(frozen=True, slots=True)
class Home:
    """`connections` None: not known, for the reason in `blocked`. `direct`: the way to an API server without AWS, where the place has one."""

    place: Reading[Place]
    identity: Reading[Identity] | None
    project: Reading[datazone.Project] | None
    session: AwsSession | None
    connections: tuple[Connection, ...] | None
    readings: tuple[Reading[Any], ...]
    blocked: Outcome | None
    direct: Reading[DirectReach] | None = None
    not_named: tuple[Failure, ...] = ()  # entries of the trait that name no cluster

    def find(self, id: str) -> Connection | None:
        return next((c for c in self.connections or () if c.id == id), None)


async def home(ask: Asker, world: World) -> Home:
    """Place, identity, connections. Each link is awaited on the loop; what fails says so and what hangs on it says what it waits for."""
    place = await ask.one(world.place())
    if place.data is None:
        return Home(place, None, None, None, None, (place,), place.last)
    unused = place.data.kind is PlaceKind.UNIFIED_STUDIO  # its connections are the project's: an entry that names no cluster takes none away
    traits, not_named = ((), ()) if unused else trait_connections(world.settings)
    found = await _at(ask, world, place, place.data, traits)
    if not_named and not traits and not found.connections and found.blocked is not None and found.blocked.code == "no_clusters_configured":
        return replace(found, blocked=not_named[0].outcome("HpgovSettings.connections", time.time()), not_named=not_named)
    return replace(found, not_named=not_named)


async def _at(ask: Asker, world: World, place: Reading[Place], at: Place, traits: tuple[Connection, ...]) -> Home:
    """What home is in a place that is known."""
    kind = at.kind
    if kind in (PlaceKind.SPACE, PlaceKind.POD):
        return await _in_cluster(ask, world, place, at, traits)
    if kind is PlaceKind.ELSEWHERE:
        return await _elsewhere(ask, world, place, at, traits)
    session = world.sessions.for_place(at)
    if kind is PlaceKind.UNIFIED_STUDIO:
        identity = await ask.one(sts.identity(session))  # first and alone: every other call would ask by itself whose keys these are (S8)
        listed, project = await ask.two(datazone.connections(session, at), datazone.project(session, at))
        found = None if listed.data is None else tuple(listed.data)
        return Home(place, identity, project, session, found, (listed, identity, project), None if found is not None else listed.last)
    identity = await ask.one(sts.identity(session))
    listed = await ask.one(hyperpod.clusters(session, at))
    found = None if listed.data is None else tuple(listed.data)
    if found is None and not traits:
        return Home(place, identity, None, session, None, (listed, identity), listed.last)
    named = {c.cluster_arn for c in traits}
    together = (*traits, *(c for c in found or () if c.cluster_arn not in named))
    return Home(place, identity, None, session, together, (listed, identity), None)


async def _in_cluster(ask: Asker, world: World, place: Reading[Place], at: Place, traits: tuple[Connection, ...]) -> Home:
    """A pod: the cluster it runs on, read with its service account; AWS only adds to it."""
    direct = await ask.one(world.direct(at))
    session = world.sessions.for_place(at) if container_configured(world.environ) or web_identity_configured(world.environ) else None
    identity = await ask.one(sts.identity(session)) if session is not None else None
    readings = tuple(r for r in (direct, place, identity) if r is not None)
    if direct.data is None:
        return Home(place, identity, None, session, traits or None, readings, None if traits else direct.last, direct)
    if await _in_workspace(ask, world, at, direct.data):
        place = replace(place, data=places.as_space(at))
    own = Connection(
        id="this-cluster",
        name="this-cluster",
        source="in_cluster",
        orchestrator=Orchestrator.EKS,
        cluster_name="this-cluster",
        region=at.region,
        account=None,
        namespaces=tuple(world.settings.namespaces) or ((at.namespace,) if at.namespace else ()),
    )
    if len(traits) == 1:  # the trait names the cluster that this pod runs on
        own = replace(
            own,
            name=traits[0].name,
            cluster_name=traits[0].cluster_name,
            cluster_arn=traits[0].cluster_arn,
            region=traits[0].region,
            account=traits[0].account,
            access_role=traits[0].access_role,
            namespaces=traits[0].namespaces or own.namespaces,
        )
        traits = ()
    return Home(place, identity, None, session, (own, *traits), readings, None, direct)


async def _in_workspace(ask: Asker, world: World, at: Place, direct: DirectReach) -> bool:
    """Whether this pod belongs to a Workspace that can be read: then the pod is a HyperPod Space (DESIGN.md 5). Its pods are called after it."""
    pod = world.environ.get("HOSTNAME", "")
    if at.kind is not PlaceKind.POD or at.namespace is None or not pod:
        return False
    where = At(world.api, direct.reach, direct_principal(direct, "this-cluster"))
    served = await ask.one(discovery(where))
    if served.data is None or not served.data.serves(kind_operation(WORKSPACE)):
        return False
    found = await ask.one(objects(where, served.data, WORKSPACE, at.namespace))
    return found.data is not None and any(pod.startswith(f"workspace-{item.metadata.name}-") for item in found.data.items)


def direct_principal(direct: DirectReach, connection_id: str) -> str:
    """Whose rights a read without AWS uses: the token's own identity, so that another account's rows are never found again."""
    return f"{direct.origin}|{whose(direct.reach.token)}|{connection_id}"


async def _elsewhere(ask: Asker, world: World, place: Reading[Place], at: Place, traits: tuple[Connection, ...]) -> Home:
    found = list(traits)
    readings: list[Reading[Any]] = [place]
    direct: Reading[DirectReach] | None = None
    session: AwsSession | None = None
    identity: Reading[Identity] | None = None
    if world.settings.kubeconfig:
        direct = await ask.one(world.direct(at))
        readings.append(direct)
        if direct.data is not None:
            namespaces = tuple(world.settings.namespaces) or ((direct.data.namespace,) if direct.data.namespace else ())
            name = direct.data.name
            found.append(
                Connection(
                    id="kubeconfig",
                    name=name,
                    source="kubeconfig",
                    orchestrator=Orchestrator.EKS,
                    cluster_name=name,
                    region=None,
                    account=None,
                    namespaces=namespaces,
                )
            )
    if traits:
        session = world.sessions.for_place(at)
        identity = await ask.one(sts.identity(session))
        readings.append(identity)
    if found:
        return Home(place, identity, None, session, tuple(found), tuple(readings), None, direct)
    if direct is not None and direct.data is None:
        return Home(place, None, None, None, None, tuple(readings), direct.last, direct)
    nothing = Failure(State.NOT_CONFIGURED, "no_clusters_configured", layer=Layer.PROJECT, ask=Ask.JUPYTER_ADMIN)
    return Home(place, None, None, None, None, tuple(readings), nothing.outcome("HpgovSettings", time.time()))


def screens(found: Home) -> list[Phrase]:
    """What the panel says first: the first-five-minutes screens that the place itself decides."""
    said: list[Phrase] = []
    if found.place.data is None:
        return said
    kind = found.place.data.kind
    blocked = found.blocked
    said += [Phrase(failure.code, failure.params) for failure in found.not_named]
    if kind is PlaceKind.UNIFIED_STUDIO and found.connections == ():
        said.append(
            Phrase("screen_no_connection", {"project": found.project.data.name if found.project and found.project.data else found.place.data.project_id})
        )
    if blocked is not None and blocked.state is State.EXPIRED:
        said.append(Phrase("screen_credentials_expired"))
    if kind is PlaceKind.STUDIO and blocked is not None and blocked.state is State.DENIED:
        said.append(Phrase("screen_studio_no_list"))
    if kind in (PlaceKind.SPACE, PlaceKind.POD) and found.session is None:
        said.append(Phrase("screen_space_without_aws"))
    if kind is PlaceKind.ELSEWHERE and blocked is not None and blocked.code == "no_clusters_configured":
        said.append(Phrase("screen_nothing_configured"))
    if found.identity is not None and found.identity.data is not None and found.identity.data.note is not None:
        said.append(found.identity.data.note)
    return said


def waits_for(what: str, source: str) -> Outcome:
    """An outcome for what was not asked yet, since something before it is still being read."""
    return pending(source, "waits_for", {"read": what})
