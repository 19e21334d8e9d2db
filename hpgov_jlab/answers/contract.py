"""The contract's page: the record that wins, the platform's own words, and the draft of a record (DESIGN.md 6)."""

from __future__ import annotations

import time
from typing import Any

from ..contracts.draft import Known, draft
from ..model.contract import ContractView, Standing
from ..model.outcome import Outcome, Phrase, Reading, State
from ..reads import Asker
from ..sources.aws import datazone
from ..wire.pages import ContractPage, Part
from .parts import part, said, worst
from .team import TeamReadings

_LISTED_BY = {
    "datazone": "platform_connection_datazone",
    "studio": "platform_connection_studio",
    "trait": "platform_connection_trait",
    "kubeconfig": "platform_connection_kubeconfig",
    "in_cluster": "platform_connection_in_cluster",
}
"""Where a connection comes from (`Connection.source`) -> who says so."""


def contract_part(found: TeamReadings) -> Part[ContractView]:
    """The record that wins. It stands as soon as its own source was read; sources that were not are named in its notes."""
    view = found.contract.view
    # a place where no contract is kept is no read that is missing; the view's own notes name the sources that were not read
    readings = [r for r in found.contract.readings if r.last.state not in (State.ABSENT, State.NOT_CONFIGURED)]
    reading_now = [s.outcome for s in found.contract.sources if s.outcome.state is State.PENDING]
    if view.standing in (Standing.NONE, Standing.UNKNOWN) and reading_now:
        return said(reading_now[0])
    at = [r.as_of for r in readings if r.as_of is not None]
    source = view.kept or "contract sources"
    last = Outcome(State.OK, "read", source, min(at) if at else time.time())
    if view.standing is Standing.UNKNOWN:
        last = worst([s.outcome for s in found.contract.sources if s.unread]) or last
        return Part[Any].model_construct(data=view, as_of=None, last=last, readings=[s.outcome for s in found.contract.sources], skew=None)
    for behind in found.contract.sources:  # a record whose own source fails now is an old one, and says so
        if behind.rank is view.rank and (view.kept or "").startswith(behind.where) and behind.outcome.state is not State.OK:
            last = behind.outcome
    return part(view, readings, last=last)


async def described(ask: Asker, found: TeamReadings) -> Reading[datazone.Description] | None:
    """The connection's own description: the platform's words, not a contract."""
    session, place = found.home.session, found.home.place.data
    connection = found.reached.connection
    if session is None or place is None or connection.source != "datazone":
        return None
    return await ask.one(datazone.description(session, place, connection))


def contract_page(
    found: TeamReadings, words: Reading[datazone.Description] | None, *, now: float, poll_after_ms: int, sandbox: bool, next_fresh_at: float | None
) -> ContractPage:
    connection = found.reached.connection
    project = found.home.project.data.name if found.home.project is not None and found.home.project.data is not None else None
    platform: list[Phrase] = [Phrase(_LISTED_BY[connection.source], {"name": connection.name})]
    if words is not None:
        if words.data is None:
            platform.append(Phrase("platform_description_not_read", {"state": str(words.last.state)}))
        elif words.data.description:
            platform.append(Phrase("platform_description", {"text": words.data.description}))
    if project or connection.project_id:
        platform.append(Phrase("platform_project", {"name": project or connection.project_id}))
    role = connection.access_role
    if role is None and found.reached.identity is not None and found.reached.identity.data is not None:
        role = found.reached.identity.data.arn
    eks = found.reached.eks.data if found.reached.eks is not None else None
    classes = found.priorities.data if found.priorities is not None else None
    own = found.slurm.own() if found.slurm is not None else None
    known = Known(
        project_name=project,
        version=eks.version if eks is not None else None,
        namespaces=tuple(n.name for n in found.namespaces),
        slurm_accounts=tuple(name for name in own.accounts or () if name != "root") if own is not None else (),  # under root stands everybody: no team's
        priority_classes=tuple(c.metadata.name for c in classes.items) if classes is not None else (),
    )
    return ContractPage.model_construct(
        now=now,
        poll_after_ms=poll_after_ms,
        sandbox=sandbox,
        contract=contract_part(found),
        others=list(found.contract.others),
        platform_words=platform,
        draft=draft(connection, known),
        rights_role=role,
        next_fresh_at=next_fresh_at,
    )
