"""Every route, by everything that holds for all of them (DESIGN.md 11; 14, S6). A route that is added without a test fails here."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jupyter_server.auth import Authorizer

from hpgov_jlab.routes import AUTH_RESOURCE, HANDLERS
from hpgov_jlab.sandbox.launch import Running
from hpgov_jlab.wire.schema import QUERY, ROUTES
from hpgov_jlab.words import WORDS

from .conftest import API, HEADERS, PAGE_OF, Site
from .panel import validate

CORS = ("Access-Control-Allow-Origin", "Access-Control-Allow-Credentials", "Access-Control-Allow-Headers", "Access-Control-Allow-Methods")
FOREIGN = {"Origin": "https://evil.example.com"}


def test_the_routes_are_those_of_the_schema() -> None:
    assert list(HANDLERS) == [path for path, _, _, _ in ROUTES]
    assert {verb for _, verb, _, _ in ROUTES} == {"get"}
    for path, handler in HANDLERS.items():
        assert handler.auth_resource == AUTH_RESOURCE and handler._track_activity is False, path
        assert "get" in vars(handler), f"{path} has no verb of its own"


async def paths(site: Site) -> dict[str, str]:
    """Each route with ids that exist."""
    pages = await site.everything()
    id = pages["connections"]["connections"]["data"][0]["connection"]["id"]
    uid = pages["connections/{id}/tasks"]["tasks"]["data"][0]["uid"]
    return {path: path.replace("{id}", id).replace("{uid}", uid) for path in HANDLERS}


def error(response: Any) -> dict[str, Any]:
    """The body of a refusal: ours, a code with words, and nothing else."""
    assert response.headers["Content-Type"].startswith("application/json"), response.headers["Content-Type"]
    body: dict[str, Any] = json.loads(response.body)
    validate("ErrorPage", body)
    assert body["code"] in WORDS
    wanted = {piece.partition("}")[0] for piece in WORDS[body["code"]].text.split("{")[1:]}
    assert wanted <= set(body["params"])
    return body


def plain(response: Any) -> None:
    """What every answer of ours has, good or bad."""
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert [name for name in CORS if name in response.headers] == []


async def test_every_route_answers_with_its_page_and_counts_as_no_activity(site: Site) -> None:
    known = await paths(site)
    settings = site.app.web_app.settings
    assert (await site.fetch("api", "contents")).code == 200
    before = settings["api_last_activity"]
    for path, url in known.items():
        response = await site.ask(url, headers={**HEADERS, **FOREIGN})
        assert response.code == 200, path
        plain(response)
        assert response.headers["Content-Type"].startswith("application/json")
        validate(PAGE_OF[path], json.loads(response.body))
    assert settings["api_last_activity"] == before, "a polling panel must not keep an idle server alive"


async def test_nobody_who_is_not_signed_in_gets_an_answer(site: Site, far: Running) -> None:
    known = await paths(site)
    sent = len(far.aws.log) + sum(len(k.log) for k in far.kubernetes.values())
    for path, url in known.items():
        for headers in ({"Authorization": "token wrong"}, {"Authorization": ""}, {"Authorization": "", "Accept": "text/html"}):
            response = await site.ask(url, headers={**HEADERS, **headers}, follow_redirects=False)
            assert response.code == 403, (path, response.code, headers)
            assert error(response)["code"] == "not_signed_in"
            plain(response)
        response = await site.ask(url, headers={"Authorization": "", **FOREIGN, "Access-Control-Request-Headers": "x-hpgov"}, method="OPTIONS")
        assert response.code == 403 and error(response)["code"] == "header_missing" and not [name for name in CORS if name in response.headers]
    assert len(far.aws.log) + sum(len(k.log) for k in far.kubernetes.values()) == sent, "and nothing is read for them"


async def test_the_header_and_the_pages_origin_are_asked_for_before_anything_else(site: Site) -> None:
    for path, url in (await paths(site)).items():
        for headers in ({}, {"X-Hpgov": "0"}, {"X-Hpgov": ""}):
            response = await site.ask(url, headers=headers)
            assert (response.code, error(response)["code"]) == (403, "header_missing"), path
            plain(response)
        for value in ("cross-site", "same-site", "none", "anything"):
            response = await site.ask(url, headers={**HEADERS, "Sec-Fetch-Site": value})
            assert (response.code, error(response)["code"]) == (403, "foreign_page"), (path, value)
            plain(response)
        for more in (
            {"Sec-Fetch-Site": "same-origin"},
            {"Origin": "https://studio.example.com", "Host": "127.0.0.1:1"},
            {"Referer": "https://a.example.com/x"},
        ):
            response = await site.ask(url, headers={**HEADERS, **more})
            assert response.code == 200, (path, more)
            plain(response)


async def test_no_other_verb_is_there(site: Site) -> None:
    for path, url in (await paths(site)).items():
        for method in ("POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"):
            response = await site.ask(url, headers={**HEADERS, **FOREIGN, "Access-Control-Request-Method": "GET"}, method=method)
            assert response.code in ((403, 405) if method in ("POST", "PUT", "PATCH", "DELETE") else (405,)), (path, method, response.code)
            assert [name for name in CORS if name in response.headers] == [], (path, method)
            assert response.headers["Cache-Control"] == "no-store"
            if method == "OPTIONS":
                assert error(response)["code"] == "method_not_allowed"
            if method == "POST":
                assert error(response)["code"] in ("not_authorised", "method_not_allowed")


async def test_with_the_tokens_own_way_past_xsrf_the_other_verbs_are_405(site: Site) -> None:
    """A request with a token needs no XSRF cookie: what is left is that there is nothing to call."""
    for path, url in (await paths(site)).items():
        for method in ("POST", "PUT", "DELETE"):
            response = await site.ask(url, method=method)
            assert (response.code, error(response)["code"]) == (405, "method_not_allowed"), (path, method)


def requests_to(far: Running) -> set[str]:
    """What the far ends were asked, each thing once: that the same is read again when it is old changes nothing."""
    aws = {f"{e.service}:{e.operation} {e.path} {sorted(e.params.items(), key=str)}" for e in far.aws.log}
    return aws | {f"{e.method} {e.target} {e.review}" for k in far.kubernetes.values() for e in k.log}


async def test_ids_are_looked_up_and_never_sent_on(site: Site, far: Running) -> None:
    await paths(site)
    sent = requests_to(far)
    odd = ("no-such", "..", "%2e%2e", "%2E%2E%2Fsession", "a%2Fb", "a%00b", "x" * 65, "x" * 5000, "A", "a%20b", "%F0%9F%98%80", "a?b", "-" * 64)
    for id in odd:
        for rest in ("", "/tasks", "/tasks/some-uid", "/share", "/contract", "/access"):
            response = await site.fetch_raw(f"{API}/connections/{id}{rest}")
            assert response.code == 404, (id, rest, response.code)
            if response.headers["Content-Type"].startswith("application/json") and b'"code"' in response.body:
                assert error(response)["code"] in ("no_such_connection", "no_such_route")
    id = await site.id()
    for uid in ("no-such", "..", "%2e%2e", "a%2Fb", "x" * 129, "%0a"):
        response = await site.fetch_raw(f"{API}/connections/{id}/tasks/{uid}")
        assert response.code == 404, uid
    assert requests_to(far) == sent, "none of it reached a far end"


WRONG = [
    ("offset", "-1"), ("offset", "1.5"), ("offset", "x"), ("offset", "1000001"), ("offset", "٣"), ("offset", "9" * 9),
    ("limit", "0"), ("limit", "201"), ("limit", "all"), ("limit", ""),
    ("whose", "theirs"), ("whose", "Mine"), ("state", "running,sleeping"), ("state", "x" * 201),
    ("sort", "password"), ("sort", "x" * 65), ("descending", "2"), ("descending", "true"), ("fresh", "yes"), ("fresh", "01"),
    ("text", "x" * 101), ("text", "a\nb"), ("generation", "g" * 65), ("query", "1"), ("connection", "x"),
]  # fmt: skip


async def test_a_bad_value_is_named_with_its_rule_and_not_quoted(site: Site) -> None:
    id = await site.id()
    for name, value in WRONG:
        response = await site.ask(f"connections/{id}/tasks", query={name: value})
        body = error(response)
        assert (response.code, body["code"]) == (400, "bad_input"), (name, value, response.code)
        assert body["params"]["input"] == (name if name in {n for n, _, _ in QUERY["connections/{id}/tasks"]} | {"fresh"} else "query")
        assert body["params"]["rule"] and (len(value) < 4 or value not in response.body.decode())
        plain(response)
    twice = await site.fetch_raw(f"{API}/connections/{id}/tasks?limit=1&limit=2")
    assert (twice.code, error(twice)["params"]) == (400, {"input": "limit", "rule": "once"})
    broken = await site.fetch_raw(f"{API}/connections/{id}/tasks?text=%ff%fe")
    assert broken.code == 400 and error(broken)["code"] in ("bad_request", "bad_input")
    for path in ("connections", f"connections/{id}", f"connections/{id}/share"):
        response = await site.ask(path, query={"fresh": "maybe"})
        assert (response.code, error(response)["params"]["input"]) == (400, "fresh")
    stamped = await site.ask(f"connections/{id}/tasks", query={"1764489600000": ""})
    assert stamped.code == 200, "the time stamp that the front end's client may add against caches"


async def test_every_sort_and_filter_of_the_schema_is_taken(site: Site) -> None:
    from hpgov_jlab.model.task import TaskState
    from hpgov_jlab.scheduling.view import SORTS

    id = await site.id()
    await site.settle(f"connections/{id}/tasks")
    for sort in SORTS:
        for descending in (0, 1):
            page = await site.page(f"connections/{id}/tasks", sort=sort, descending=descending)
            assert (page["sort"], page["descending"]) == (sort, bool(descending)) and page["total"]
    page = await site.page(f"connections/{id}/tasks", state=",".join(sorted(TaskState)), whose="mine", text="e", limit=3, offset=1)
    assert page["limit"] == 3 and page["whose"] == "mine"


class Refuses(Authorizer):
    """An administrator's authorizer that lets nobody read, and writes down what it was asked."""

    asked: list[tuple[str, str]] = []  # noqa: RUF012

    def is_authorized(self, handler: Any, user: Any, action: str, resource: str) -> bool:
        self.asked.append((action, resource))
        return False


class TestWithAnAuthorizer:
    @pytest.fixture
    def server_traits(self) -> dict[str, Any]:
        return {"authorizer_class": Refuses}

    async def test_who_may_not_read_gets_nothing_and_starts_nothing(self, site: Site, far: Running) -> None:
        Refuses.asked.clear()
        for path in HANDLERS:
            response = await site.ask(path.replace("{id}", "an-id").replace("{uid}", "uid"))
            assert (response.code, error(response)["code"]) == (403, "not_authorised"), path
            plain(response)
        assert Refuses.asked == [("read", AUTH_RESOURCE)] * len(HANDLERS)
        (ours,) = site.app.extension_manager.extension_apps["hpgov_jlab"]
        assert ours.service.reads.started == 0 and not ours.service.busy


class TestAsOpenAsStudioRunsIt:
    """allow_origin='*', no token, XSRF off: our own rules still hold (S6)."""

    @pytest.fixture
    def server_traits(self) -> dict[str, Any]:
        return {"allow_origin": "*", "disable_check_xsrf": True, "allow_credentials": True}

    @pytest.fixture
    def identity_traits(self) -> dict[str, Any]:
        return {"token": ""}

    @pytest.fixture
    def jp_base_url(self) -> str:
        return "/jupyterlab/default/"

    async def test_a_foreign_page_gets_nothing(self, site: Site) -> None:
        for path, url in (await paths(site)).items():
            response = await site.ask(url, headers={**FOREIGN, "Sec-Fetch-Site": "cross-site"})
            assert response.code == 403, path
            plain(response)
            response = await site.ask(url, headers={**HEADERS, **FOREIGN, "Sec-Fetch-Site": "cross-site"})
            assert response.code == 403, path
            plain(response)
            preflight = {**FOREIGN, "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "x-hpgov"}
            response = await site.ask(url, headers=preflight, method="OPTIONS")
            assert response.code in (403, 405) and [n for n in CORS if n in response.headers] == [], path
            response = await site.ask(url, headers={**HEADERS, **FOREIGN})
            assert response.code == 200, "an old browser without Sec-Fetch-Site; its page can't read the answer"
            plain(response)


class TestWithTheDefaultOfOlderServers:
    """allow_unauthenticated_access left as it is by default: each verb is guarded by itself."""

    @pytest.fixture
    def server_traits(self) -> dict[str, Any]:
        return {"allow_unauthenticated_access": True}

    async def test_nobody_who_is_not_signed_in_gets_an_answer(self, site: Site) -> None:
        for path in HANDLERS:
            url = path.replace("{id}", "an-id").replace("{uid}", "uid")
            response = await site.ask(url, headers={**HEADERS, "Authorization": ""}, follow_redirects=False)
            assert (response.code, error(response)["code"]) == (403, "not_signed_in"), path
            plain(response)


class TestWithHeadersOfTheAdministrators:
    """Headers for every answer of the server, set in its configuration: those that open an answer to other origins are not for ours."""

    @pytest.fixture
    def server_traits(self) -> dict[str, Any]:
        return {"tornado_settings": {"headers": {"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "x-hpgov"}}}

    async def test_ours_stay_closed(self, site: Site) -> None:
        theirs = await site.fetch("api", "contents")
        assert theirs.headers["Access-Control-Allow-Origin"] == "*", "it is set"
        for headers in (HEADERS, {}):
            response = await site.ask("session", headers={**headers, **FOREIGN})
            assert response.code == (200 if headers else 403)
            plain(response)
