"""A real Jupyter server with the extension on, in front of a scenario's far ends.

Parametrise `scenario` (a name or a Scenario), `faults`, `traits` and `server_traits` by indirect fixtures or by overriding them in a module.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from jupyter_server.serverapp import ServerApp
from pytest_jupyter.jupyter_server import *  # noqa: F403  # its fixtures and hooks, for this folder only
from tornado.httpclient import HTTPResponse

from hpgov_jlab.sandbox.launch import Running, start
from hpgov_jlab.sandbox.scenario import Scenario
from hpgov_jlab.service import SOON_MS

from .panel import validate
from .states_table import END, one_connection
from .witness import objections

API = "hpgov-jlab/api/v1"
HEADERS = {"X-Hpgov": "1"}


@pytest.fixture
def jp_server_cleanup() -> None:
    """pytest-jupyter's own makes and cleans up a server for every test, with or without one; `site` cleans up after those that have one."""


@pytest.fixture(scope="module")
def scenario() -> str | Scenario:
    """One connection under contract: enough for whatever is not about several."""
    return one_connection()


@pytest.fixture(scope="module")
def running(scenario: str | Scenario) -> Iterator[Running]:
    """The far ends of a module, and at its end whether they did anything wrong themselves."""
    with start(scenario, pace=END) as made:
        yield made
        assert made.faulty() == []
        assert objections(made) == []


@pytest.fixture
def server_traits() -> dict[str, Any]:
    """More of ServerApp's own settings."""
    return {}


@pytest.fixture
def identity_traits() -> dict[str, Any]:
    """More of IdentityProvider's own settings."""
    return {}


@pytest.fixture
def far(running: Running, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    """The environment of the place in this process, for as long as the server runs; no fault outlives the test that set it."""
    environment = running.environment(os.environ)
    for name in set(os.environ) - set(environment):
        monkeypatch.delenv(name)
    for name, value in environment.items():
        if name not in ("HOME", "PYTHONPATH"):
            monkeypatch.setenv(name, value)
    yield running
    running.faults.clear()


@pytest.fixture
def jp_server_config(far: Running, server_traits: dict[str, Any], identity_traits: dict[str, Any]) -> dict[str, Any]:
    server = {"jpserver_extensions": {"hpgov_jlab": True, "jupyter_server_terminals": False}, "allow_unauthenticated_access": False, **server_traits}
    return {"ServerApp": server, "IdentityProvider": identity_traits, "HpgovSettings": far.traits}


@dataclass
class Site:
    """The server as a client meets it. `bodies` are all bodies that it sent."""

    fetch: Callable[..., Awaitable[HTTPResponse]]
    app: Any
    client: Any
    auth: dict[str, str]
    base_url: str
    bodies: list[str]

    async def ask(
        self, path: str, *, headers: dict[str, str] | None = None, method: str = "GET", query: dict[str, Any] | None = None, **more: Any
    ) -> HTTPResponse:
        """Any answer, errors too. `headers` replace ours."""
        if method in ("POST", "PUT", "PATCH"):
            more.setdefault("body", "{}")
        response = await self.fetch(
            *API.split("/"), *path.split("/"), headers=dict(HEADERS if headers is None else headers), method=method, params=query, raise_error=False, **more
        )  # fmt: skip
        self.bodies.append(response.body.decode() if response.body else "")
        return response

    async def fetch_raw(self, target: str) -> HTTPResponse:
        """A target below the base URL as it is, without any quoting of ours."""
        headers = {**HEADERS, **self.auth}
        return await self.client.fetch(self.base_url + target, headers=headers, raise_error=False, follow_redirects=False)

    async def page(self, path: str, **query: Any) -> dict[str, Any]:
        """One page, which has to come."""
        response = await self.ask(path, query=query)
        assert response.code == 200, (response.code, response.body[:500])
        found: dict[str, Any] = json.loads(response.body)
        return found

    async def settle(self, path: str, seconds: float = 60.0, **query: Any) -> dict[str, Any]:
        """Asks until poll_after_ms says that nothing is on its way."""
        end = time.monotonic() + seconds
        while (page := await self.page(path, **query))["poll_after_ms"] <= SOON_MS:
            assert time.monotonic() < end, f"{path} did not settle: {json.dumps(page)[:600]}"
            await asyncio.sleep(0.05)
        return page

    async def id(self) -> str:
        """The first connection's."""
        page = await self.settle("connections")
        return str(page["connections"]["data"][0]["connection"]["id"])

    async def everything(self) -> dict[str, dict[str, Any]]:
        """Route -> its settled page, valid by the schema."""
        id = await self.id()
        pages = {
            "session": await self.settle("session"),
            "connections": await self.settle("connections"),
            "connections/{id}": await self.settle(f"connections/{id}"),
        }
        for name in ("tasks", "share", "contract", "access"):
            pages["connections/{id}/" + name] = await self.settle(f"connections/{id}/{name}")
        rows = pages["connections/{id}/tasks"]["tasks"]["data"] or []
        if rows:
            pages["connections/{id}/tasks/{uid}"] = await self.settle(f"connections/{id}/tasks/{rows[0]['uid']}")
        for path, page in pages.items():
            validate(PAGE_OF[path], page)
        return pages


@pytest.fixture
def site(
    jp_serverapp: Any, jp_fetch: Any, http_server_client: Any, jp_auth_header: dict[str, str], jp_base_url: str, jp_asyncio_loop: asyncio.AbstractEventLoop
) -> Iterator[Site]:
    yield Site(jp_fetch, jp_serverapp, http_server_client, jp_auth_header, jp_base_url, [])
    jp_asyncio_loop.run_until_complete(jp_serverapp._cleanup())
    jp_serverapp.kernel_manager.context.destroy()
    ServerApp.clear_instance()


def _pages_by_route() -> dict[str, str]:
    from hpgov_jlab.wire.schema import ROUTES

    return {path: page.__name__ for path, _, page, _ in ROUTES}


PAGE_OF = _pages_by_route()
