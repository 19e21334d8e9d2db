"""What the person reads: every part in every state, provoked on the wire, as a table. `python -m tests.server.states_table` writes docs/states.md.

A way is a scenario with faults, and says which parts it brings into which state; what no way can bring about has its reason here. test_states.py
holds the two together, the principles to what was collected, and the committed page to what this module makes.

Longer than 400 lines on purpose: parts, ways and reasons are one table, and how it is collected and written is of no use without it.
"""

from __future__ import annotations

import asyncio
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from hpgov_jlab.model.outcome import KEEPS_DATA, State
from hpgov_jlab.sandbox.kubernetes.scenario import Pace
from hpgov_jlab.sandbox.launch import Running, start
from hpgov_jlab.sandbox.loading import load
from hpgov_jlab.sandbox.scenario import Scenario
from hpgov_jlab.sandbox.slurm.install import switch as switch_slurm
from hpgov_jlab.words import ASKS, STATES, WORDS, say
from tests.clock import HANGS
from tests.slurm.slurmrestd import FarEnd, jwt, put, serving

from .panel import SLURM as SLURM_CONNECTION
from .panel import Panel
from .witness import slurm_argv

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "states.md"
END = Pace(frame=-1)
"""The last frame of the story, standing still: the same tasks at every question."""

Pages = dict[str, Any]
PARTS: dict[str, tuple[str, Callable[[Pages], Any]]] = {
    "connections": ("The list of connections", lambda p: p["connections"]["connections"]),
    "cluster": ("The cluster, on a card", lambda p: p["connection"]["card"]["cluster"]),
    "nodes": ("Its nodes, on a card", lambda p: p["connection"]["card"]["nodes"]),
    "contract": ("The contract", lambda p: p["contract"]["contract"]),
    "identity": ("Whose identity reads the connection", lambda p: p["connection"]["identity"]),
    "counts": ("How many tasks run and wait, on a card", lambda p: p["connection"]["card"]["counts"]),
    "glance": ("The share's bar, on a card", lambda p: p["connection"]["card"]["share"]),
    "tasks": ("The list of tasks", lambda p: p["tasks"]["tasks"]),
    "pods": ("The pods of one task", lambda p: p["task"]["pods"]),
    "events": ("The events of one task", lambda p: p["task"]["events"]),
    "rows": ("The share, row by row", lambda p: p["share"]["rows"]),
    "queue": ("The team's queue", lambda p: p["share"]["queue"]),
    "local_queue": ("The queue that tasks name", lambda p: p["share"]["local_queue"]),
    "manifest": ("What to write in the manifest", lambda p: p["connection"]["manifest"]),
    "access": ("A row of the Access tab: list workloads.kueue.x-k8s.io", lambda p: _access_row(p["access"])),
}
"""Name -> as the page is titled, and where it stands in the answers."""
SLURM_PARTS: dict[str, tuple[str, Callable[[Pages], Any]]] = {
    "slurm_card_nodes": ("Slurm: its nodes, on a card", lambda p: p["connection"]["card"]["slurm_nodes"]),
    "slurm_counts": ("Slurm: how many jobs run and wait, on a card", lambda p: p["connection"]["card"]["counts"]),
    "slurm_glance": ("Slurm: the bar of a limit, on a card", lambda p: p["connection"]["card"]["share"]),
    "slurm_tasks": ("Slurm: the list of jobs", lambda p: p["tasks"]["tasks"]),
    "slurm_rows": ("Slurm: limits and what is held of them", lambda p: p["share"]["rows"]),
    "slurm_fairshare": ("Slurm: fairshare", lambda p: p["share"]["fairshare"]),
    "slurm_partitions": ("Slurm: partitions", lambda p: p["share"]["partitions"]),
    "slurm_nodes": ("Slurm: nodes and GPUs in sums", lambda p: p["share"]["slurm_nodes"]),
    "slurm_queue": ("Slurm: the queue in sums", lambda p: p["share"]["slurm_queue"]),
}
"""The same of a connection to a Slurm cluster."""
EKS = tuple(PARTS)
PARTS |= SLURM_PARTS
SLURM = tuple(SLURM_PARTS)

AWS_PARTS = ("cluster", "nodes")
LISTS = ("counts", "glance", "tasks", "rows", "queue", "local_queue", "access")
CLUSTER_PARTS = (*LISTS, "pods", "events")
"""What comes from the API server alone. The manifest box also stands on the contract: see WAYS."""


def _access_row(page: dict[str, Any]) -> dict[str, Any]:
    row = next(r for r in page["rows"] if r["operation"] == "list workloads.kueue.x-k8s.io")
    return {"data": True if row["last"]["state"] == "ok" else None, "as_of": row["last"]["at"], "last": row["last"], "readings": []}


# -- ways ------------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Way:
    """`how` is for the reader of the page. `warm`: everything was read well before the faults came on; then what may stay must stay.

    `unsettled`: looked at while the slow far end has not answered. `alone`: leaves keys behind that are good for nothing, so nothing follows it.
    `rest`: read through slurmrestd, which it makes answer; it returns the token.
    """

    how: str
    brings: dict[State, tuple[str, ...]]
    faults: tuple[str, ...] = ()
    scenario: Callable[[], Scenario] = field(default=lambda: one_connection())
    warm: bool = False
    unsettled: bool = False
    alone: bool = False
    rest: Callable[[FarEnd], str] | None = None

    def pairs(self) -> Iterator[tuple[str, State]]:
        for state, parts in self.brings.items():
            yield from ((part, state) for part in parts)


def one_connection() -> Scenario:
    """The default scenario with the shared training cluster only: what is provoked is read once."""
    default = load("default")
    assert default.domain is not None
    return replace(default, domain=replace(default.domain, connections=default.domain.connections[:1]))


def slurm_connection() -> Scenario:
    """The default scenario with the Slurm cluster only."""
    default = load("default")
    assert default.domain is not None
    return replace(default, domain=replace(default.domain, connections=tuple(c for c in default.domain.connections if c.name == SLURM_CONNECTION)))


def _recorded(version: str, token: Callable[[], str] = jwt) -> Callable[[FarEnd], str]:
    """slurmrestd of a version, as it was recorded."""

    def serve(far_end: FarEnd) -> str:
        put(far_end, version)
        return token()

    return serve


def _throttled(far_end: FarEnd) -> str:
    put(far_end, "v0.0.42")
    far_end.answers = dict.fromkeys(far_end.answers, (429, b"", {}))
    return jwt()


def _connection(**changed: Any) -> Callable[[], Scenario]:
    def make() -> Scenario:
        made = one_connection()
        assert made.domain is not None
        return replace(made, domain=replace(made.domain, connections=(replace(made.domain.connections[0], **changed),)))

    return make


def _other_domain() -> Scenario:
    made = one_connection()
    assert made.metadata is not None
    more = {**made.metadata["AdditionalMetadata"], "DataZoneDomainId": "dzd-anotherdomain"}
    return replace(made, metadata={**made.metadata, "AdditionalMetadata": more})


def _folder_is_a_file() -> Scenario:
    return replace(load("no-contract"), files={".hpgov/contracts": "not a folder\n"})


def _nowhere() -> Scenario:
    return replace(load("space-no-aws"), place="elsewhere", service_account=None, eks=(), traits={"place": "elsewhere"})


def _space_with_prefix() -> Scenario:
    return replace(load("space-no-aws"), platform_file=load("default").platform_file)


DENY = "deny-no-identity-policy"
FOREIGN_ROLE = "arn:aws:iam::777788889999:role/hp-access-research"

WAYS: tuple[Way, ...] = (
    Way("everything is read", {State.OK: EKS}, warm=True),
    # not read yet
    Way("DataZone has not answered yet", {State.PENDING: ("connections",)}, ("slow=30@datazone:ListConnections",), unsettled=True),
    Way(
        "the access role is still being assumed",
        {State.PENDING: (*AWS_PARTS, "identity", *CLUSTER_PARTS, "manifest")}, ("slow=30@sts:AssumeRole",), unsettled=True,
    ),
    Way("S3 has not answered yet", {State.PENDING: ("contract",)}, ("slow=30@s3:*",), unsettled=True),
    # refused
    Way("the project role may not list connections", {State.DENIED: ("connections",)}, (f"{DENY}@datazone:ListConnections",), warm=True),
    Way("the access role may not read the cluster", {State.DENIED: AWS_PARTS}, (f"{DENY}@sagemaker:*",), warm=True),
    Way("the project role may not list the bucket of the contracts", {State.DENIED: ("contract",)}, (f"{DENY}@s3:*",), warm=True),
    Way("the access role's trust policy does not let the project in", {State.DENIED: ("identity", "manifest")}, ("trust-external-id@sts:AssumeRole",)),
    Way("the role was taken away on the cluster (403)", {State.DENIED: LISTS}, ("k8s-denied",), warm=True),
    Way("the role may list neither pods nor events", {State.DENIED: ("pods", "events")}, ("k8s-denied@k8s:list pods", "k8s-denied@k8s:list events"), warm=True),
    # not there
    Way("the space names a domain that is not there", {State.ABSENT: ("connections",)}, scenario=_other_domain),
    Way(
        "SageMaker does not know the cluster in this Region",
        {State.ABSENT: (*AWS_PARTS, "counts", "tasks", "pods", "events", "manifest")}, ("wrong-region@sagemaker:*",), warm=True,
    ),
    Way(
        "the bucket that the platform file names does not exist",
        {State.ABSENT: ("contract",)}, scenario=lambda: replace(one_connection(), buckets=()),
    ),
    Way("the cluster has no Kueue", {State.ABSENT: ("glance", "rows", "queue", "local_queue", "access")}, scenario=lambda: load("no-kueue")),
    # not reached
    Way("the connection to DataZone breaks off", {State.UNREACHABLE: ("connections",)}, ("cut@datazone:ListConnections",), warm=True),
    Way("the connection to SageMaker breaks off", {State.UNREACHABLE: AWS_PARTS}, ("cut@sagemaker:*",), warm=True),
    Way("the connection to S3 breaks off", {State.UNREACHABLE: ("contract",)}, ("cut@s3:*",), warm=True),
    Way("the connection to STS breaks off", {State.UNREACHABLE: ("identity",)}, ("cut@sts:GetCallerIdentity",), warm=True),
    Way("the API server hangs up", {State.UNREACHABLE: CLUSTER_PARTS}, ("k8s-hang-up",), warm=True),
    Way("the API server hung up at the first question already", {State.UNREACHABLE: ("manifest",)}, ("k8s-hang-up",)),
    # asked to slow down
    Way("DataZone asks to slow down", {State.THROTTLED: ("connections",)}, ("throttle=999@datazone:ListConnections",), warm=True),
    Way("SageMaker asks to slow down", {State.THROTTLED: AWS_PARTS}, ("throttle=999@sagemaker:*",), warm=True),
    Way("S3 asks to slow down", {State.THROTTLED: ("contract",)}, ("throttle=999@s3:*",), warm=True),
    Way("STS asks to slow down", {State.THROTTLED: ("identity",)}, ("throttle=999@sts:GetCallerIdentity",), warm=True),
    Way("the API server asks to slow down (429)", {State.THROTTLED: CLUSTER_PARTS}, ("k8s-throttle=999",), warm=True),
    Way("the API server asked to slow down at the first question already", {State.THROTTLED: ("manifest",)}, ("k8s-throttle=999",)),
    # credentials
    Way(
        "AWS says that the keys have expired",
        {State.EXPIRED: ("connections", *AWS_PARTS, "contract", "identity")}, ("expired-keys",), warm=True, alone=True,
    ),
    Way(
        "the API server refuses the token, and its clock differs by ten minutes",
        {State.EXPIRED: CLUSTER_PARTS}, ("k8s-unauthorized", "k8s-clock-skew=600"), warm=True,
    ),
    Way("the same at the first question already", {State.EXPIRED: ("manifest",)}, ("k8s-unauthorized", "k8s-clock-skew=600")),
    # not configured
    Way("outside SageMaker, and no cluster is named", {State.NOT_CONFIGURED: ("connections",)}, scenario=_nowhere),
    Way("the connection has no access role", {State.NOT_CONFIGURED: (*AWS_PARTS, "identity")}, scenario=_connection(access_role=None)),
    Way("a Space without AWS, whose platform file names a bucket", {State.NOT_CONFIGURED: ("contract",)}, scenario=_space_with_prefix),
    Way("neither a contract nor the connection names a namespace", {State.NOT_CONFIGURED: (*CLUSTER_PARTS, "manifest")}, scenario=lambda: load("no-contract")),
    # not usable
    Way("DataZone's answer breaks off in the middle", {State.INVALID: ("connections",)}, ("malformed-json@datazone:ListConnections",), warm=True),
    Way("SageMaker's answer breaks off in the middle", {State.INVALID: AWS_PARTS}, ("malformed-json@sagemaker:*",), warm=True),
    Way("the contract folder is a file", {State.INVALID: ("contract",)}, scenario=_folder_is_a_file),
    Way("the access role is of another account than the cluster", {State.INVALID: ("identity", "manifest")}, scenario=_connection(access_role=FOREIGN_ROLE)),
    Way("the API server's answers break off in the middle", {State.INVALID: CLUSTER_PARTS}, ("k8s-malformed-json",), warm=True),
    # the same on Slurm
    Way("everything is read on Slurm", {State.OK: SLURM}, scenario=slurm_connection, warm=True),
    Way("Slurm's commands have not answered yet", {State.PENDING: SLURM}, ("slurm-slow=30",), scenario=slurm_connection, unsettled=True),
    Way("Slurm does not accept who this machine says she is", {State.DENIED: SLURM}, ("slurm-identity-refused",), scenario=slurm_connection, warm=True),
    Way(
        "she has no association on the Slurm cluster",
        {State.ABSENT: ("slurm_glance", "slurm_rows")}, ("slurm-no-association",), scenario=slurm_connection, warm=True,
    ),
    Way("read through slurmrestd of 22.05", {State.ABSENT: ("slurm_fairshare",)}, scenario=slurm_connection, rest=_recorded("v0.0.38")),
    Way("Slurm's controller is down", {State.UNREACHABLE: SLURM}, ("slurm-controller-down",), scenario=slurm_connection, warm=True),
    Way("slurmrestd asks to slow down (429)", {State.THROTTLED: SLURM}, scenario=slurm_connection, rest=_throttled),
    Way(
        "her token for slurmrestd has expired",
        {State.EXPIRED: SLURM}, scenario=slurm_connection, rest=_recorded("v0.0.42", lambda: jwt(exp=1_700_000_000)),
    ),
    Way("Slurm's commands find no slurm.conf", {State.NOT_CONFIGURED: SLURM}, ("slurm-conf-missing",), scenario=slurm_connection, warm=True),
    Way("the versions of commands and controller do not mix", {State.INVALID: SLURM}, ("slurm-version-mismatch",), scenario=slurm_connection, warm=True),
)  # fmt: skip

CANNOT: dict[tuple[str, State], str] = {
    **dict.fromkeys(
        (("slurm_counts", State.ABSENT), ("slurm_tasks", State.ABSENT)), "Slurm lists jobs to whoever asks; somebody who has none reads an empty list"
    ),
    ("slurm_partitions", State.ABSENT): "every Slurm has partitions; hidden ones are denied, or left out",
    **dict.fromkeys((("slurm_card_nodes", State.ABSENT), ("slurm_nodes", State.ABSENT)), "every Slurm has nodes; hidden ones are denied, or left out"),
    ("slurm_queue", State.ABSENT): "every Slurm has a queue; where nothing runs or waits it is empty",
    ("identity", State.ABSENT): "AWS and every API server since Kubernetes 1.28 say who asks; one that does not leaves AWS's word standing",
}
"""Part and state that do not come together, and why."""


# -- collecting ------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Cell:
    """One part in one state, as it was answered. `body` is the part itself, `pages` all answers of that moment."""

    part: str
    state: State
    way: Way
    body: dict[str, Any]
    pages: Pages

    @property
    def last(self) -> dict[str, Any]:
        found: dict[str, Any] = self.body["last"]
        return found


@dataclass
class Collected:
    cells: dict[tuple[str, State], Cell] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    bodies: list[str] = field(default_factory=list)


async def _pages(panel: Panel, uid: str = "", *, unsettled: bool = False) -> Pages:
    """All answers about the one connection; without one, the list alone. `uid`: of a task read before, which may no longer be listed."""

    async def get(ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        return ask() if unsettled else await panel.settle(ask)

    pages: Pages = {"session": await get(panel.session), "connections": await get(panel.connections)}
    cards = pages["connections"]["connections"]["data"]
    if cards:
        id = cards[0]["connection"]["id"]
        for name in ("connection", "tasks", "share", "contract", "access"):
            ask = getattr(panel, name)
            pages[name] = await get(lambda ask=ask: ask(id))
        uid = uid or next((t["uid"] for t in pages["tasks"]["tasks"]["data"] or ()), "a-task")
        pages["task"] = await get(lambda: panel.task(id, uid))
    return pages


def _heard(running: Running, way: Way) -> int:
    """How many of the requests that a way makes slow the far end has got."""
    on = way.faults[0].partition("@")[2]
    return sum(fnmatchcase(f"{e.service}:{e.operation}", on) for e in running.aws.log) if on else len(slurm_argv(running))


async def _in_flight(panel: Panel, way: Way) -> Pages:
    """Answers while a far end is slow: asked until it has been asked and what can be known is known."""
    end, before = time.monotonic() + HANGS, _heard(panel.running, way)
    while time.monotonic() < end:
        pages = await _pages(panel, unsettled=True)
        known = all(p == "connections" or "connection" in pages for p, _ in way.pairs()) and pages["session"]["place"]["data"] is not None
        if known and _heard(panel.running, way) > before:
            break
        await asyncio.sleep(0.02)
    await asyncio.sleep(0.3)
    return await _pages(panel, unsettled=True)


def _keep(found: Collected, way: Way, pages: Pages) -> None:
    for part, state in way.pairs():
        try:
            body = PARTS[part][1](pages)
        except KeyError as missing:
            found.wrong.append(f"{way.how}: no answer for {part} ({missing})")
            continue
        if body["last"]["state"] != state:
            found.wrong.append(f"{way.how}: {part} is {body['last']['state']} ({body['last']['code']}), not {state}")
        if (part, state) in found.cells:
            found.wrong.append(f"{part} in state {state} has two ways")
        found.cells[(part, state)] = Cell(part, state, way, body, pages)


async def _collect(found: Collected) -> None:
    default = Way.__dataclass_fields__["scenario"].default
    for scenario, parts in ((default, EKS), (slurm_connection, SLURM)):
        await _shared(found, [way for way in WAYS if way.scenario is scenario], parts)
    for way in WAYS:
        if way.scenario not in (default, slurm_connection):
            with start(way.scenario(), pace=END) as running, Panel(running) as panel:
                await _one(found, way, panel)
                found.wrong += running.faulty()


async def _shared(found: Collected, ways: list[Way], parts: tuple[str, ...]) -> None:
    """Ways of one scenario: the far ends are started once, and what was read well before is read by one panel."""
    warm = [way for way in ways if way.warm and not way.alone]
    with start(ways[0].scenario(), pace=END) as running:
        with Panel(running) as panel:
            before = await _pages(panel)
            uid = before["tasks"]["tasks"]["data"][0]["uid"]
            for way in warm:
                _switch(running, way.faults)
                panel.later()
                _keep(found, way, await _pages(panel, uid))
                _switch(running)
                if not await _well_again(panel, uid, parts):
                    found.wrong.append(f"{way.how}: not everything is well again afterwards")
            found.bodies += panel.bodies
        for way in ways:  # the same far ends, a new panel each
            if way not in warm:
                with _slurmrestd(way, running) as traits, Panel(running, **traits) as panel:
                    await _one(found, way, panel)
        if broken := running.faulty():
            found.wrong += broken


def _switch(running: Running, faults: Iterable[str] = ()) -> None:
    """These faults on, all others off. Slurm's stand-ins are programs of their own: they read theirs from a file."""
    running.faults.clear()
    for fault in faults:
        running.faults.switch(fault)
    if running.scenario.slurm is not None:
        active = {f.name.removeprefix("slurm-"): f.value for f in running.faults.active() if f.name.startswith("slurm-")}
        switch_slurm(running.folder / "slurm", active)


@contextmanager
def _slurmrestd(way: Way, running: Running) -> Iterator[dict[str, Any]]:
    """The traits of a panel that reads through the slurmrestd of a way; none where it has none."""
    if way.rest is None:
        yield {}
        return
    token = running.folder / "slurm-token"
    with serving(FarEnd()) as far_end:
        token.write_text(way.rest(far_end))
        token.chmod(0o600)
        yield {"slurmrestd_url": far_end.url, "slurm_token_file": str(token), "slurm_user": "alice"}


async def _well_again(panel: Panel, uid: str, parts: tuple[str, ...]) -> bool:
    """Everything is read again. A far end that failed is sent one probe first; the others follow at the next try."""
    for _ in range(3):
        panel.later()
        pages = await _pages(panel, uid)
        if all(PARTS[p][1](pages)["last"]["state"] == "ok" for p in parts if p == "connections" or "connection" in pages) and "connection" in pages:
            return True
    return False


async def _one(found: Collected, way: Way, panel: Panel) -> None:
    uid = ""
    if way.warm:
        uid = (await _pages(panel))["tasks"]["tasks"]["data"][0]["uid"]
        panel.later()
    _switch(panel.running, way.faults)
    _keep(found, way, await (_in_flight(panel, way) if way.unsettled else _pages(panel, uid)))
    _switch(panel.running)
    found.bodies += panel.bodies


@cache
def collected() -> Collected:
    """Every way, gone once per process."""
    found = Collected()
    asyncio.run(_collect(found))
    return found


# -- the page --------------------------------------------------------------------------------------------------------------
_HEAD = """\
# What the person reads

Made by `python -m tests.server.states_table` from answers of the product in front of the sandbox's far ends; a test holds it to them. Every part of an
answer has a state of its own. *Data* says what still stands on the screen: what may be kept is kept with its age, everything else is dropped at once.
A dash stands for a value that another cluster or another day would change.
"""
_MOVING = ("_at", "_seconds")
_FOLDER = re.compile(r"/\S*hpgov-sandbox-[^/ ]+")


def words_of(last: dict[str, Any]) -> str:
    """The sentence and the next step, as in English, without what moves."""
    params = {name: None if name.endswith(_MOVING) else value for name, value in last["params"].items()}
    then = WORDS[last["code"]].then
    for name, value in params.items():
        then = then.replace("{" + name + "}", "—" if value is None else str(value)) if then else None
    return _FOLDER.sub("—", " ".join(filter(None, (say(last["code"], params), then))))


def _data(cell: Cell) -> str:
    if cell.part == "contract" and cell.body["data"] is not None and cell.body["data"]["standing"] == "unknown":
        return "the contract is *not known*"
    if cell.body["data"] is None:
        return "none" if State(cell.state) not in KEEPS_DATA or cell.state is State.PENDING else "none was read"
    return "as read" if cell.state is State.OK else "the last, with its age"


def document() -> str:
    """docs/states.md."""
    cells, lines = collected().cells, [_HEAD]
    for part, (title, _) in PARTS.items():
        lines += [f"## {title}", "", "| state | when | what is said | data | whom to ask | code |", "|---|---|---|---|---|---|"]
        for state in State:
            label = STATES[state].text
            reason = CANNOT.get((part, state))
            if reason is not None:
                lines.append(f"| {label} | — | does not occur: {reason} | — | — | — |")
                continue
            cell = cells[(part, state)]
            ask = "—" if state is State.OK else ASKS[cell.last["ask"]].text
            lines.append(f"| {label} | {cell.way.how} | {words_of(cell.last)} | {_data(cell)} | {ask} | `{cell.last['code']}` |")
        lines.append("")
    return "\n".join(lines)


def main() -> int:
    text, wrong = document(), collected().wrong
    if wrong:
        print("\n".join(wrong))
        return 1
    DOCUMENT.write_text(text, encoding="utf-8")
    print(f"written: {DOCUMENT}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
