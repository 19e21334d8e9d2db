"""The HTTP edge under hostile input: what ends in the log, and what a request can make grow."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator

import pytest
from tornado.httputil import HTTPHeaders, HTTPServerRequest, RequestStartLine

from hpgov_jlab.model.connection import Connection, Orchestrator, Place, PlaceKind
from hpgov_jlab.reads import Deadline, Key, Read, Reads
from hpgov_jlab.routes import NotFound, SessionHandler
from hpgov_jlab.sandbox.launch import Running, start
from hpgov_jlab.sources.aws.targets import role_request

from ..server.panel import RESEARCH, Elapsed, Panel
from ..server.states_table import END, one_connection


@pytest.fixture
def team() -> Iterator[Running]:
    with start(one_connection(), pace=END) as made:
        yield made


def test_a_fault_of_ours_is_logged_by_class_and_place_only(caplog: pytest.LogCaptureFixture) -> None:
    handler = object.__new__(SessionHandler)
    line = RequestStartLine("GET", "/hpgov-jlab/api/v1/session?text=secret-in-the-address", "HTTP/1.1")
    handler.request = HTTPServerRequest(headers=HTTPHeaders({"Host": "127.0.0.1"}), start_line=line)
    with caplog.at_level(logging.DEBUG):
        try:
            raise ValueError("secret-in-the-text")
        except ValueError as error:
            handler.log_exception(type(error), error, error.__traceback__)
    assert "ValueError" in caplog.text and "test_edge.py" in caplog.text and "secret" not in caplog.text


def test_nothing_of_an_address_makes_anything_grow(team: Running) -> None:
    """Ids, uids, generations and texts of addresses are looked up: no entry, no task and no thread comes of one that is not there."""

    async def story() -> None:
        with Panel(team) as panel:
            id = await panel.id(RESEARCH)
            await panel.settle(lambda: panel.tasks(id))
            service = panel.service
            before = (set(service.reads._entries), set(service._derived._kept), set(service.reads._lanes))
            for n in range(300):
                for call in (lambda n=n: panel.tasks(f"no-such-{n}"), lambda n=n: panel.task(id, f"no-such-{n}"), lambda n=n: panel.share(f"no-{n}")):
                    with pytest.raises(NotFound):
                        call()
                panel.tasks(id, generation=f"g{n}", text=f"t{n}", offset=n)
            assert (set(service.reads._entries), set(service._derived._kept), set(service.reads._lanes)) == before
            assert {name for name in service.refreshes.names if name.partition(":")[2] not in ("", f"{id}:full", f"{id}:glance")} == set()

    asyncio.run(story())


def test_asking_for_fresh_data_again_and_again_reads_no_more_than_the_floor_allows(team: Running) -> None:
    async def story() -> None:
        with Panel(team) as panel:
            id = await panel.id(RESEARCH)
            await panel.settle(lambda: panel.tasks(id))
            await panel.quiet()
            panel.elapsed.hold()  # the time in which it asks so often is no longer than a floor, however slow the machine
            panel.later()
            for most in (len(panel.service.reads._entries), 0):
                started = panel.service.reads.started
                for _ in range(100):
                    panel.tasks(id, fresh=True)
                    panel.connections(fresh=True)
                    await asyncio.sleep(0)
                await panel.quiet()
                again = panel.service.reads.started - started
                assert again <= most, "each read at most once within its floor"
                assert again > 0 or most == 0

    asyncio.run(story())


def test_no_principal_holds_an_external_id() -> None:
    """Principals go into keys, and keys into reprs."""
    connection = Connection("c", "ml", "trait", Orchestrator.EKS, "ml", "us-west-2", "111122223333", access_role="arn:aws:iam::111122223333:role/reader")
    place = Place(PlaceKind.ELSEWHERE, "place_by_trait", region="us-west-2")
    one, other = role_request(connection, place, "external-secret-1"), role_request(connection, place, "external-secret-2")
    assert "external-secret" not in repr(one) + one.principal and one.principal != other.principal


def test_a_list_that_takes_long_is_not_asked_for_without_a_pause() -> None:
    async def story() -> None:
        clock = Elapsed()

        def slow(_: Deadline) -> str:
            clock.ahead += 15.0
            return "rows"

        reads = Reads(elapsed=clock)
        for list_like, pause in ((True, 15.0), (False, 0.0)):
            read = Read(Key("p", "u", f"list {list_like}"), "lane", "list", slow, list_like=list_like)
            assert (await reads.start(read)).data == "rows"
            assert reads.next_fresh_in(read) == pytest.approx(pause, abs=1.0)
        reads.stop()

    asyncio.run(story())
