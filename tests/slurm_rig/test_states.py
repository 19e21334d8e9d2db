"""What the person is told when Slurm does not answer, or not to her: state, words, whom to ask, and the seconds until it stands there.

The table is docs/tables/slurm-states.md. A list that could not be read is no empty list in any case here.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from hpgov_jlab.model.outcome import State
from hpgov_jlab.sources.slurm.site import SlurmOptions

from . import tables
from .product import Answer, look
from .rig import Rig

HEAD = ("what was done", "Slurm", "read through", "where it is read", "state", "code", "whom to ask", "list of tasks")
TEXT = (
    "Made on a real Slurm by tests/slurm_rig: the product's own reads in their order, as an ordinary user, each case once for each version and transport that "
    "it can be made with. The part named is the one that tells it first; what hangs on it tells the same. *List of tasks*: what stands in it meanwhile."
)
CODES: set[str] = set()


def note(case: str, rig: Rig, transport: str, answer: Answer, part: str, code: str | tuple[str, ...], version: str = "") -> None:
    """Holds the case to its code and keeps the row."""
    seen, tasks = answer.parts[part], answer.parts["tasks"]
    assert seen.last.code in ((code,) if isinstance(code, str) else code), (seen.last, {name: p.last.code for name, p in answer.parts.items()})
    assert seen.rows is None, "what could not be read is no empty list"
    assert (tasks.rows is None) is (tasks.last.state is not State.OK), "an empty list only where it was read"
    assert seen.seconds <= tables.LIMIT[transport]
    CODES.add(seen.last.code)
    listed = {State.OK: "empty, since there are none" if tasks.rows == 0 else "the jobs"}.get(tasks.last.state, "nothing, and why")
    key = case, transport, version or rig.version
    tables.STATES[key], tables.SECONDS[key] = (part, *tables.told(seen.last), listed), seen.seconds


def looked(rig: Rig, options: SlurmOptions, user: str = "alice", *, outside: bool = False) -> Answer:
    return rig.as_user(user, lambda: look(options), outside=outside)


@contextmanager
def without(rig: Rig, daemon: str, how: str = "down", back: str = "up") -> Iterator[None]:
    rig.sh(how, daemon)
    try:
        yield
    finally:
        rig.sh(back, daemon)


BOTH = pytest.mark.parametrize("transport", ["commands", "slurmrestd"])


@BOTH
def test_the_controller_is_down(transport: str, rig: Rig) -> None:
    """Slurm gives slurmrestd's clients one answer for a controller that is down and a token that is refused, so both are said."""
    options = rig.options("alice", transport)
    with without(rig, "slurmctld"):
        answer = looked(rig, options)
    code = "slurm_controller_down" if transport == "commands" else "slurm_rest_unclear"
    note("the controller is down", rig, transport, answer, "tasks", code)
    for part in ("rows", "fairshare", "partitions"):
        assert answer.parts[part].rows is None or part == "rows", part


@BOTH
def test_the_controller_hangs(transport: str, rig: Rig) -> None:
    """It takes connections and never answers: no worker is held for longer than the limit of its call."""
    options = rig.options("alice", transport)
    with without(rig, "slurmctld", "hang", "wake"):
        answer = looked(rig, options)
    note("the controller hangs", rig, transport, answer, "tasks", ("slurm_controller_down", "slurm_too_slow", "slurm_rest_unclear"))


@BOTH
def test_the_database_is_down(transport: str, rig: Rig) -> None:
    options = rig.options("alice", transport)
    with without(rig, "slurmdbd"):
        answer = looked(rig, options)
    for part in ("associations", "history"):
        assert answer.parts[part].last.code == "slurm_database_down"
    assert answer.parts["tasks"].last.state is State.OK and (answer.parts["tasks"].rows or 0) >= 11
    note("the database service is down", rig, transport, answer, "associations", "slurm_database_down")


@BOTH
def test_no_association(transport: str, rig: Rig) -> None:
    answer = looked(rig, rig.options("mallory", transport), "mallory")
    assert answer.tasks == () and answer.parts["tasks"].last.state is State.OK
    note("the person has no association", rig, transport, answer, "associations", "slurm_no_association")


@BOTH
def test_not_visible(transport: str, rig: Rig) -> None:
    rig.private("nodes,partitions")
    options = rig.options("alice", transport)
    answer = looked(rig, options)
    note("PrivateData hides partitions and nodes", rig, transport, answer, "partitions", "slurm_denied")
    assert answer.made.places == ()
    rig.private("jobs,accounts,users,usage,reservations")


# -- this machine's own configuration --------------------------------------------------------------------------------------------
def test_a_minimal_slurm_conf(rig: Rig) -> None:
    """AWS's Studio recipe (facts/slurm.md 6): the cluster keeps accounts, this machine's file does not say so."""
    conf = rig.other_conf("minimal.conf", lambda text: re.sub(r" Gres=\S+", "", re.sub(r"(?m)^(?:Accounting|Priority|GresTypes|Preempt).*\n", "", text)))
    answer = looked(rig, SlurmOptions(conf=conf))
    note("this machine's slurm.conf names no accounting", rig, "commands", answer, "associations", "slurm_conf_minimal")


def test_no_slurm_conf(rig: Rig) -> None:
    answer = looked(rig, SlurmOptions(conf="/nonexistent/slurm.conf"))
    note("this machine has no slurm.conf", rig, "commands", answer, "tasks", "slurm_conf_missing")


def test_no_munge(rig: Rig) -> None:
    conf = rig.other_conf("no-munge.conf", lambda text: text.replace("munge.socket", "no-such.socket"))
    answer = looked(rig, SlurmOptions(conf=conf))
    note("munged does not run on this machine", rig, "commands", answer, "tasks", ("slurm_munge_down", "slurm_controller_down"))


def test_clients_of_another_version(rig: Rig) -> None:
    """The machine's own 22.05 clients with the daemons of 24.11, whose munge socket they can reach."""
    if not rig.root:
        pytest.skip("one way round only: clients that live in the folder of 24.11 do not get out of it")
    conf = rig.other_conf("outside.conf", lambda text: text.replace("=/rig/", f"={rig.root}/rig/"))
    answer = looked(rig, SlurmOptions(conf=f"{rig.root}{conf}"), "root", outside=True)  # who alone can look into that folder from outside
    note("clients of 22.05, a controller of 24.11", rig, "commands", answer, "tasks", "slurm_version_mismatch")


# -- the token of slurmrestd -----------------------------------------------------------------------------------------------------
def forged(sun: str) -> str:
    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    return ".".join((part({"alg": "HS256", "typ": "JWT"}), part({"sun": sun, "exp": 4_000_000_000, "iat": 1}), part("no signature")))


TOKENS: tuple[tuple[str, Callable[[Rig], str], str | tuple[str, ...]], ...] = (
    ("the token has expired", lambda rig: expired(rig.sh("token", "alice").strip()), "slurm_token_expired"),
    ("the token is root's", lambda rig: rig.sh("token", "root").strip(), "slurm_token_of_root"),
    ("the token is SlurmUser's", lambda rig: rig.sh("token", "slurm").strip(), "slurm_token_of_root"),
    ("the token is another user's", lambda rig: rig.sh("token", "bob").strip(), "slurm_token_of_other"),
    ("the token's signature is wrong", lambda rig: forged("alice"), "slurm_rest_unclear"),
    ("the token file holds no token", lambda rig: "SLURM_JWT=", "slurm_token_malformed"),
)


def expired(token: str) -> str:
    """Slurm's own token with its end moved into the past: the claim is looked at here before anything is sent."""
    head, claims, signature = token.split(".")
    told = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))
    return ".".join((head, base64.urlsafe_b64encode(json.dumps({**told, "exp": 1_700_000_000}).encode()).rstrip(b"=").decode(), signature))


@pytest.mark.parametrize("case", TOKENS, ids=lambda case: case[0].replace(" ", "-"))
def test_tokens(case: tuple[str, Callable[[Rig], str], str | tuple[str, ...]], rig: Rig) -> None:
    title, make, code = case
    options = SlurmOptions(rest_url=rig.url, token_file=rig.token_file("alice", text=make(rig)))
    answer = looked(rig, options)
    note(title, rig, "slurmrestd", answer, "tasks", code)


def test_a_token_that_ends_while_the_panel_is_open(rig: Rig) -> None:
    """One of a second's life, made by Slurm itself."""
    import time

    options = SlurmOptions(rest_url=rig.url, token_file=rig.token_file("alice", seconds=1))
    time.sleep(2.5)
    assert looked(rig, options).site.code == "slurm_token_expired"


def test_slurm_user_is_asked_for_and_ones_own_token_is_used(rig: Rig) -> None:
    """With Slurm's clients beside slurmrestd, SlurmUser is learned from the controller; alice's token is not its."""
    answer = looked(rig, SlurmOptions(conf=rig.conf, rest_url=rig.url, token_file=rig.token_file("alice")))
    assert answer.parts["tasks"].last.state is State.OK
    slurms = SlurmOptions(conf=rig.conf, rest_url=rig.url, token_file=rig.token_file("alice", text=rig.sh("token", "slurm").strip()), user="slurm")
    assert looked(rig, slurms).parts["tasks"].last.code == "slurm_token_of_root"
