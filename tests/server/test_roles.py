"""Rights that go and come back while a panel is open: rows are dropped at the next answer, on every page, and stand again when the right does."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from hpgov_jlab.model.outcome import State
from hpgov_jlab.routes import NotFound
from hpgov_jlab.sandbox.launch import Running, start
from hpgov_jlab.sandbox.scenario import S3Object, Version

from .panel import RESEARCH, Panel
from .states_table import END, one_connection

ROW = "mixtral-8x22b"
"""A task of the team's at the end of the story."""


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with start(one_connection(), pace=END) as made:
        yield made
        assert made.faulty() == []


@pytest.fixture(autouse=True)
def well_again(running: Running) -> Iterator[None]:
    before = running.aws.scenario
    yield
    running.faults.clear()
    running.aws.change(before)


async def pages(panel: Panel, id: str, uid: str) -> dict[str, Any]:
    found = {name: await panel.settle(lambda name=name: getattr(panel, name)(id)) for name in ("connection", "tasks", "share", "contract", "access")}
    return found | {"connections": await panel.settle(panel.connections), "task": await panel.settle(lambda: panel.task(id, uid))}


def names(page: dict[str, Any]) -> list[str]:
    return [task["name"] for task in page["tasks"]["data"] or ()]


def shows_rows(found: dict[str, Any]) -> bool:
    return ROW in json.dumps(found)


@pytest.mark.parametrize(("fault", "code"), [("k8s-denied", "k8s_denied"), ("k8s-unauthorized", "k8s_access_entry_gone")])
def test_a_role_that_is_taken_away_drops_the_rows_and_gets_them_back(running: Running, fault: str, code: str) -> None:
    async def story() -> None:
        with Panel(running) as panel:
            id = await panel.id(RESEARCH)
            before = await panel.settle(lambda: panel.tasks(id))
            uid = next(t["uid"] for t in before["tasks"]["data"] if t["name"] == ROW)
            assert shows_rows(await pages(panel, id, uid))
            generation = before["generation"]

            running.faults.set(fault)
            panel.later()
            after = await pages(panel, id, uid)
            assert not shows_rows(after), "no page and no card shows a row any more"
            tasks = after["tasks"]
            assert (tasks["tasks"]["data"], tasks["total"], tasks["by_state"]) == (None, None, {})
            assert (tasks["tasks"]["last"]["state"], tasks["tasks"]["last"]["code"]) == ("denied", code)
            assert tasks["tasks"]["last"]["params"]["readable_until_at"] == pytest.approx(before["tasks"]["as_of"], abs=2), "readable until 10:42"
            assert after["task"]["detail"]["last"]["state"] == "denied", "the page of a task says denied too, not that there is no such task"
            assert after["connections"]["connections"]["data"][0]["cluster"]["last"]["state"] == "ok", "the cluster's state still stands"
            asked = panel.tasks(id, generation=generation)
            assert asked["tasks"]["data"] is None and not shows_rows(asked), "an old generation is no way around it"

            running.faults.clear()
            panel.later()
            back = await pages(panel, id, uid)
            assert shows_rows(back) and back["tasks"]["tasks"]["last"]["state"] == "ok"
            assert back["task"]["detail"]["data"]["task"]["name"] == ROW

    asyncio.run(story())


def test_keys_that_expire_are_no_missing_access_entry_and_no_empty_list() -> None:
    """The API server refuses a token of expired keys just as one without an access entry. AWS tells which it is, and nothing counts as zero."""

    async def story() -> None:
        with start(one_connection(), pace=END) as running, Panel(running) as panel:  # far ends of its own: these keys are lost
            id = await panel.id(RESEARCH)
            await panel.settle(lambda: panel.tasks(id))
            running.faults.set("expired-keys")
            for _ in range(2):  # at the second answer what had been made of the rows is gone, too
                panel.later()
                card = (await panel.settle(lambda: panel.connection(id)))["card"]
                tasks, share = await panel.settle(lambda: panel.tasks(id)), await panel.settle(lambda: panel.share(id))
                for part in (tasks["tasks"], share["rows"], share["queue"], share["local_queue"], card["counts"], card["share"]):
                    assert (part["data"], part["last"]["state"], part["last"]["code"]) == (None, "expired", "credentials_expired")
                assert (tasks["total"], tasks["by_state"]) == (None, {})
                assert card["cluster"]["data"] and card["cluster"]["last"]["state"] == "expired", "what AWS said before stays, with its age"

    asyncio.run(story())


def test_a_token_that_grew_old_is_renewed_once_and_nobody_notices(running: Running) -> None:
    """401 on a token of more than a minute: a new one is signed and what was refused is read again, within the same refresh."""

    async def story() -> None:
        with Panel(running) as panel:
            panel.behind = 90.0
            id = await panel.id(RESEARCH)
            before = await panel.settle(lambda: panel.tasks(id))
            panel.behind = 0.0
            await asyncio.sleep(1.1)  # AWS's signatures have whole seconds: a token of the same second would be the same
            log = running.kubernetes["ml-research-eks"].log
            running.faults.set("k8s-unauthorized", on="k8s:list workloads*", times=1)
            panel.later(100)
            after = await panel.settle(lambda: panel.tasks(id))
            assert after["tasks"]["last"]["state"] == "ok" and names(after) == names(before)
            codes = [e.code for e in running.kubernetes["ml-research-eks"].log[len(log) :] if e.resource == "workloads"]
            assert codes == [401, 200], "refused once, then read with the new token"

    asyncio.run(story())


def test_a_token_that_is_refused_though_new_is_not_signed_for_in_a_loop(running: Running) -> None:
    async def story() -> None:
        with Panel(running) as panel:
            panel.behind = 90.0
            id = await panel.id(RESEARCH)
            await panel.settle(lambda: panel.tasks(id))
            panel.behind = 0.0
            await asyncio.sleep(1.1)
            running.faults.set("k8s-unauthorized")
            panel.later(100)
            before = len(running.kubernetes["ml-research-eks"].log)
            after = await panel.settle(lambda: panel.tasks(id))
            assert (after["tasks"]["data"], after["tasks"]["last"]["code"]) == (None, "k8s_access_entry_gone")
            codes = [e.code for e in running.kubernetes["ml-research-eks"].log[before:] if e.resource == "workloads"]
            assert codes == [401, 401], "once with the old token, once with the new one"

    asyncio.run(story())


def test_one_right_that_goes_takes_only_its_own_part(running: Running) -> None:
    async def story() -> None:
        with Panel(running) as panel:
            id = await panel.id(RESEARCH)
            await panel.settle(lambda: panel.tasks(id))
            running.faults.set("k8s-denied", on="k8s:get clusterqueues*")
            panel.later()
            tasks, share = await panel.settle(lambda: panel.tasks(id)), await panel.settle(lambda: panel.share(id))
            assert tasks["tasks"]["last"]["state"] == "ok" and shows_rows(tasks)
            assert share["rows"]["data"] is None and share["rows"]["last"]["state"] == "denied"
            assert share["local_queue"]["last"]["state"] == "ok" and share["queue"]["data"]["local_queue"], "what the LocalQueue says still stands"
            access = await panel.settle(lambda: panel.access(id))
            denied = [row["operation"] for row in access["rows"] if row["last"]["state"] == "denied"]
            assert denied == ["get clusterqueues.kueue.x-k8s.io"]
            rbac = next(text["text"] for text in access["request"] if text["kind"] == "rbac")
            assert "clusterqueues" in rbac and "workloads" not in rbac, "the request names what is missing, and nothing more"

    asyncio.run(story())


def test_a_contract_that_is_revoked_closes_its_namespaces_at_the_next_answer(running: Running) -> None:
    async def story() -> None:
        with Panel(running) as panel:
            id = await panel.id(RESEARCH)
            before = await panel.settle(lambda: panel.tasks(id))
            uid = next(t["uid"] for t in before["tasks"]["data"] if t["name"] == ROW)

            told = running.aws.scenario
            bucket = told.buckets[0]
            first = bucket.objects[0]
            text = str(first.versions[0].text)
            assert "status: approved" in text
            revoked = Version(id="examplev3", text=text.replace("status: approved", "status: revoked"))
            running.aws.change(
                replace(told, buckets=(replace(bucket, objects=(S3Object(key=first.key, versions=(revoked, *first.versions)), *bucket.objects[1:])),))
            )
            panel.later()
            after = await pages(panel, id, uid)
            assert after["contract"]["contract"]["data"]["standing"] == "revoked"
            assert not shows_rows(after)
            assert (after["tasks"]["tasks"]["data"], after["tasks"]["tasks"]["last"]["state"], after["tasks"]["tasks"]["last"]["code"]) == (
                None, "not_configured", "scope_closed",
            )  # fmt: skip
            sent = len(running.kubernetes["ml-research-eks"].log)
            panel.later()
            await pages(panel, id, uid)
            later = running.kubernetes["ml-research-eks"].log[sent:]
            assert [e.target for e in later if e.namespace] == [], "and nothing is read in the namespace any more"

            running.aws.change(told)
            panel.later()
            assert shows_rows(await pages(panel, id, uid))

    asyncio.run(story())


def test_a_connection_that_is_removed_is_gone_at_the_next_answer(running: Running) -> None:
    async def story() -> None:
        with Panel(running) as panel:
            id = await panel.id(RESEARCH)
            await panel.settle(lambda: panel.tasks(id))
            told = running.aws.scenario
            assert told.domain is not None
            running.aws.change(replace(told, domain=replace(told.domain, connections=())))
            panel.later()
            page = await panel.settle(panel.connections)
            assert page["connections"]["data"] == [] and page["connections"]["last"]["state"] == "ok", "none, and that is known"
            session = await panel.settle(panel.session)
            assert [screen["code"] for screen in session["screens"]] == ["screen_no_connection"]
            with pytest.raises(NotFound, match="no_such_connection"):
                panel.tasks(id)

    asyncio.run(story())


def test_another_identity_finds_nothing_of_the_former_one() -> None:
    """The key of a read holds whose rights it uses: with another access role on the same connection nothing read before is shown (DESIGN.md 3)."""

    async def story() -> None:
        told = one_connection()
        assert told.domain is not None
        other = replace(next(r for r in told.roles if r.arn.endswith("hp-access-research")), arn="arn:aws:iam::444455556666:role/hp-access-other")
        with start(replace(told, roles=(*told.roles, other)), pace=END) as running, Panel(running) as panel:
            id = await panel.id(RESEARCH)
            assert shows_rows(await panel.settle(lambda: panel.tasks(id)))
            changed = replace(told.domain.connections[0], access_role=other.arn)  # it has no access entry on the cluster
            running.aws.change(replace(running.aws.scenario, domain=replace(told.domain, connections=(changed,))))
            panel.later()
            page = await panel.settle(panel.connections)
            card = page["connections"]["data"][0]
            found = await panel.settle(lambda: panel.tasks(card["connection"]["id"]))
            assert not shows_rows(found) and found["tasks"]["last"]["state"] == State.DENIED
            identity = await panel.settle(lambda: panel.connection(card["connection"]["id"]))
            assert "hp-access-other" in identity["identity"]["data"]["arn"], "and the page says whose identity reads now"

    asyncio.run(story())


def test_the_environment_of_this_process_was_not_touched() -> None:
    assert "AWS_CONTAINER_AUTHORIZATION_TOKEN" not in os.environ
