"""The principles, held to what was answered in every state (DESIGN.md 4), and docs/states.md to the answers."""

from __future__ import annotations

import json

import pytest

from hpgov_jlab.model.outcome import KEEPS_DATA, State
from hpgov_jlab.words import WORDS

from .states_table import CANNOT, DOCUMENT, PARTS, WAYS, Cell, collected, document

pytestmark = pytest.mark.timeout(900)
"""The first of them collects: every way is gone once, which takes a minute and more where other work runs beside."""
ALL = [(part, state) for part in PARTS for state in State]
STALE = (State.UNREACHABLE, State.THROTTLED, State.EXPIRED)


def test_every_part_has_every_state_or_a_reason_why_not() -> None:
    """The table is whole: each pair is brought about by exactly one way, or its reason stands in CANNOT."""
    brought = [pair for way in WAYS for pair in way.pairs()]
    assert len(brought) == len(set(brought))
    assert set(brought) | set(CANNOT) == set(ALL)
    assert set(brought) & set(CANNOT) == set()


def test_every_way_brings_what_it_says() -> None:
    assert collected().wrong == []


POSSIBLE = [pair for pair in ALL if pair not in CANNOT]
"""What cannot be is no test left out: the table says why, and its own test holds that it does."""


def cell(part: str, state: State) -> Cell:
    return collected().cells[(part, state)]


@pytest.mark.parametrize(("part", "state"), POSSIBLE)
def test_data_stands_only_where_it_may(part: str, state: State) -> None:
    found = cell(part, state)
    body, last = found.body, found.last
    if part == "access":
        return  # a row of the table has no data of its own
    if state is State.OK:
        assert body["data"] is not None and body["as_of"] is not None
    elif part == "contract" and body["data"] is not None and state not in STALE:
        # what is shown is our own statement that it is not known, never a record
        assert body["data"]["standing"] == "unknown" and body["data"]["notes"] and not body["data"]["owners"]
        assert body["as_of"] is None, "a statement of ours was not read at any time"
    elif state not in KEEPS_DATA or state is State.PENDING:
        assert body["data"] is None and body["as_of"] is None
    elif found.way.warm:
        assert body["data"] not in (None, [], {}) and body["as_of"] is not None, "the last good data stays"
        assert body["as_of"] < last["at"], "with its own age, not that of the failed try"
    else:
        assert body["data"] is None and body["as_of"] is None, "nothing was read, so nothing is shown"


@pytest.mark.parametrize(("part", "state"), POSSIBLE)
def test_it_says_what_is_so_and_whom_to_ask(part: str, state: State) -> None:
    last = cell(part, state).last
    word = WORDS[last["code"]]
    assert last["source"], "the operation to quote"
    for text in (word.text, word.then or ""):
        wanted = {piece.partition("}")[0] for piece in text.split("{")[1:]}
        assert wanted <= set(last["params"]), f"{last['code']} lacks {wanted - set(last['params'])}"
    if state in (State.DENIED, State.NOT_CONFIGURED, State.ABSENT):
        assert last["ask"] != "nobody", "it does not pass by itself"
    if state is State.OK:
        assert last["code"] == "read"


@pytest.mark.parametrize("state", [s for s in State if s is not State.OK])
def test_an_unknown_number_is_no_zero(state: State) -> None:
    """Counts, totals and states by number: null or the last known, never a zero that nobody counted."""
    for part in ("tasks", "counts", "slurm_tasks", "slurm_counts"):
        if (part, state) in CANNOT:
            continue
        pages = cell(part, state).pages
        tasks, counts = pages["tasks"], pages["connection"]["card"]["counts"]
        if tasks["tasks"]["data"] is None:
            assert tasks["total"] is None and tasks["by_state"] == {}
            assert tasks["mine_why"] is None, "nothing is said of rows that are not shown"
        else:
            assert tasks["total"] == len(tasks["tasks"]["data"]) > 0
        assert counts["data"] is None or (counts["data"]["running"] or 0) + counts["data"]["waiting"] + sum(counts["data"]["rest"].values()) > 0
        glance = pages["connection"]["card"]["share"]["data"]
        assert glance is None or glance["nominal" if glance["kind"] == "kueue" else "limit"] != "0"


@pytest.mark.parametrize("state", [s for s in State if s is not State.OK])
def test_a_card_points_out_nothing_of_rows_that_are_not_shown(state: State) -> None:
    pages = cell("tasks", state).pages
    if pages["tasks"]["tasks"]["data"] is None:
        codes = {note["code"] for note in pages["connection"]["card"]["attention"]}
        assert not codes & {"attention_failed", "attention_no_node", "attention_never"}


def test_what_could_not_be_reached_for_one_part_is_told_beside_the_part() -> None:
    """The answer from twenty reads says which one was denied."""
    pages = collected().cells[("pods", State.DENIED)].pages
    denied = [r["source"] for r in pages["tasks"]["tasks"]["readings"] if r["state"] == "denied"]
    assert denied == ["list pods"]
    assert pages["tasks"]["tasks"]["last"]["state"] == "ok" and pages["tasks"]["tasks"]["data"]


def test_the_page_in_the_documentation_is_what_was_answered() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), "run `python -m tests.server.states_table`"


def test_no_answer_names_another_team() -> None:
    """Whatever the state: the other team of the two-team story is in no body; nor are those of the Slurm clusters, of which slurmrestd sends every row."""
    foreign = ("carla", "serve-v3", "serve-v4", "carol", "prod-big")
    assert [(body[:200], name) for body in collected().bodies for name in foreign if name in body] == []
    assert [body[:200] for body in collected().bodies if "hyperpod-ns-production" in body or "llama-pretrain" in json.dumps(body)] == []
