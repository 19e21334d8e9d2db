"""The HTTP edge: who may ask, what was asked, which status. No logic (DESIGN.md 11).

A GET answers at once from what is known. The state of an upstream is never an HTTP status: 200 with parts; 4xx is for the request itself, 5xx is our fault.
This module is imported at every start of a Jupyter server, so it imports nothing that takes long: what makes the answers comes with the first request.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Protocol

from jupyter_server.auth.decorator import allow_unauthenticated, authorized
from jupyter_server.base.handlers import APIHandler
from tornado import web

from .answers.query import TasksQuery
from .reads import where

if TYPE_CHECKING:
    from pydantic import BaseModel

log = logging.getLogger(__name__)
AUTH_RESOURCE = "hpgov_jlab:answers"
PREFIX = "hpgov-jlab/api/v1"


class NotFound(LookupError):
    """A connection or task of that id is not known here. `code` is a word of the edge."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Answers(Protocol):
    """What the routes need of the service. Each returns at once; NotFound for an id that is not known."""

    def session(self) -> BaseModel: ...
    def connections(self, *, fresh: bool) -> BaseModel: ...
    def connection(self, id: str, *, fresh: bool) -> BaseModel: ...
    def tasks(self, id: str, query: TasksQuery, *, fresh: bool) -> BaseModel: ...
    def task(self, id: str, uid: str, *, fresh: bool) -> BaseModel: ...
    def share(self, id: str, *, fresh: bool) -> BaseModel: ...
    def contract(self, id: str, *, fresh: bool) -> BaseModel: ...
    def access(self, id: str, *, fresh: bool) -> BaseModel: ...


Wake = Callable[[], Awaitable[Answers]]
"""Gives what makes the answers: at once, but for the first request, which waits until that is imported."""


class BadInput(ValueError):
    """One query value breaks its rule: named back with the rule, never quoted."""

    def __init__(self, name: str, rule: str) -> None:
        super().__init__(name)
        self.name, self.rule = name, rule


class Handler(APIHandler):
    """What every route shares: S6 of DESIGN.md 14, no activity, no caching, errors as codes."""

    auth_resource = AUTH_RESOURCE
    _track_activity = False  # a polling panel must not keep an idle server alive
    answers: Answers

    def initialize(self, wake: Wake) -> None:
        self._wake = wake

    def set_default_headers(self) -> None:
        super().set_default_headers()
        for name in ("Access-Control-Allow-Origin", "Access-Control-Allow-Credentials", "Access-Control-Allow-Headers", "Access-Control-Allow-Methods"):
            self.clear_header(name)
        self.set_header("Cache-Control", "no-store")
        self.set_header("X-Content-Type-Options", "nosniff")

    def set_cors_headers(self) -> None:
        """None of ours, whatever `allow_origin` says."""

    def check_origin(self, origin_to_satisfy_tornado: str = "") -> bool:
        """Origin is never compared with Host (a proxy rewrites either); the header and Sec-Fetch-Site below are the rule, also under allow_origin='*'."""
        return True

    async def prepare(self) -> None:  # type: ignore[override]
        if self.request.headers.get("X-Hpgov") != "1":
            self._refuse(403, "header_missing")
            return
        if self.request.headers.get("Sec-Fetch-Site") not in (None, "same-origin"):
            self._refuse(403, "foreign_page")
            return
        await super().prepare()
        if self.current_user is not None and not self._finished:
            self.answers = await self._wake()

    @allow_unauthenticated  # it says no to everybody
    def options(self, *args: str, **kwargs: str) -> None:
        """No preflight is answered: no foreign page may send our header."""
        self._refuse(405, "method_not_allowed")

    def _refuse(self, status: int, code: str, params: dict[str, Any] | None = None) -> None:
        self.set_status(status)
        self._error(code, params or {})

    def _error(self, code: str, params: dict[str, Any]) -> None:
        from .wire.pages import ErrorPage

        self.page(ErrorPage(code=code, params=params))

    def page(self, page: BaseModel) -> None:
        self.set_header("Content-Type", "application/json")
        self.finish(page.model_dump_json())

    def log_exception(self, typ: Any, value: Any, tb: Any) -> None:
        """A fault of ours by its class and place: tornado's own record quotes the exception's text and the address asked for."""
        if not isinstance(value, web.HTTPError):
            log.error("the answer to %s failed with %s at %s", type(self).__name__, type(value).__name__, where(value))

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """Codes only: an exception's text could hold anything."""
        codes = {400: "bad_request", 401: "not_signed_in", 403: "not_signed_in", 404: "no_such_route", 405: "method_not_allowed"}
        code = codes.get(status_code, "server_fault")
        if status_code == 403 and self.current_user is not None:
            code = "not_authorised"
        self._error(code, {})

    def answer(self, make: Any, *args: Any) -> None:
        """Run one answer and send its page; a bad value or an unknown id is the request's own fault."""
        try:
            fresh = self.flag("fresh")
            self.page(make(*args, fresh=fresh))
        except BadInput as bad:
            self._refuse(400, "bad_input", {"input": bad.name, "rule": bad.rule})
        except NotFound as missing:
            self._refuse(404, missing.code)

    # -- query values ----------------------------------------------------------------------------------------------------
    def value(self, name: str, limit: int) -> str | None:
        values = self.get_query_arguments(name, strip=False)
        if len(values) > 1:
            raise BadInput(name, "once")
        if not values:
            return None
        if len(values[0]) > limit or any(ord(c) < 32 or ord(c) == 127 for c in values[0]):
            raise BadInput(name, f"at most {limit} printable characters")
        return str(values[0])

    def flag(self, name: str) -> bool:
        value = self.value(name, 1)
        if value not in (None, "", "0", "1"):
            raise BadInput(name, "0 or 1")
        return value == "1"

    def number(self, name: str, default: int, low: int, high: int) -> int:
        value = self.value(name, 8)
        if value is None:
            return default
        if not value.isascii() or not value.isdigit() or not low <= int(value) <= high:
            raise BadInput(name, f"a whole number from {low} to {high}")
        return int(value)

    def choice(self, name: str, allowed: tuple[str, ...], default: str) -> str:
        value = self.value(name, 64)
        if value is None:
            return default
        if value not in allowed:
            raise BadInput(name, "one of " + ", ".join(allowed))
        return value


class SessionHandler(Handler):
    @web.authenticated
    @authorized
    def get(self) -> None:
        self.answer(lambda *, fresh: self.answers.session())


class ConnectionsHandler(Handler):
    @web.authenticated
    @authorized
    def get(self) -> None:
        self.answer(self.answers.connections)


class ConnectionHandler(Handler):
    @web.authenticated
    @authorized
    def get(self, id: str) -> None:
        self.answer(self.answers.connection, id)


class TasksHandler(Handler):
    @web.authenticated
    @authorized
    def get(self, id: str) -> None:
        self.answer(lambda *, fresh: self.answers.tasks(id, self.query(), fresh=fresh))

    def query(self) -> TasksQuery:
        from .model.task import TaskState
        from .scheduling.view import SORTS
        from .wire.schema import QUERY

        known = {name for name, _, _ in QUERY["connections/{id}/tasks"]} | {"fresh"}
        for name in self.request.query_arguments:
            # the front end's ServerConnection may add a bare time stamp against caches: a name of digits only
            if name not in known and not name.isdigit():
                raise BadInput("query", "only " + ", ".join(sorted(known)))
        states = tuple(s for s in (self.value("state", 200) or "").split(",") if s)
        if not set(states) <= set(TaskState):
            raise BadInput("state", "any of " + ", ".join(TaskState))
        return TasksQuery(
            generation=self.value("generation", 64) or None,
            offset=self.number("offset", 0, 0, 1_000_000),
            limit=self.number("limit", 50, 1, 200),
            whose=self.choice("whose", ("mine", "team"), "team"),
            states=states,
            text=self.value("text", 100) or "",
            sort=self.choice("sort", tuple(SORTS), "state"),
            descending=self.flag("descending"),
        )


class TaskHandler(Handler):
    @web.authenticated
    @authorized
    def get(self, id: str, uid: str) -> None:
        self.answer(self.answers.task, id, uid)


class ShareHandler(Handler):
    @web.authenticated
    @authorized
    def get(self, id: str) -> None:
        self.answer(self.answers.share, id)


class ContractHandler(Handler):
    @web.authenticated
    @authorized
    def get(self, id: str) -> None:
        self.answer(self.answers.contract, id)


class AccessHandler(Handler):
    @web.authenticated
    @authorized
    def get(self, id: str) -> None:
        self.answer(self.answers.access, id)


HANDLERS: dict[str, type[Handler]] = {
    "session": SessionHandler,
    "connections": ConnectionsHandler,
    "connections/{id}": ConnectionHandler,
    "connections/{id}/tasks": TasksHandler,
    "connections/{id}/tasks/{uid}": TaskHandler,
    "connections/{id}/share": ShareHandler,
    "connections/{id}/contract": ContractHandler,
    "connections/{id}/access": AccessHandler,
}


def handlers(wake: Wake) -> list[tuple[str, type[Handler], dict[str, Any]]]:
    """(pattern below the base URL, class, arguments). An id is a short slug and is only looked up; a uid likewise."""
    patterns = {"{id}": "([a-z0-9-]{1,64})", "{uid}": "([A-Za-z0-9_.:-]{1,128})"}
    out = []
    for path, handler in HANDLERS.items():
        for name, pattern in patterns.items():
            path = path.replace(name, pattern)
        out.append((f"{PREFIX}/{path}", handler, {"wake": wake}))
    return out
