"""What a record of the governed, a setting of hers or a file in her home can not open (S3, S4, S11), before the logs of the far ends."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

from hpgov_jlab.answers.records import MOST_CLAIMED
from hpgov_jlab.model.connection import Place, PlaceKind
from hpgov_jlab.model.outcome import Failure
from hpgov_jlab.reads import Deadline, Got
from hpgov_jlab.sandbox.launch import start

from ..server.panel import RESEARCH, Panel
from ..server.states_table import END, one_connection

OTHER = "hyperpod-ns-evaluation"
CLAIM = f"""apiVersion: hpgov/v1
kind: ConnectionContract
record: https://wiki.example.com/claim
owners:
  business: {{name: The Governed Herself}}
cluster: {{account: "999988887777", region: eu-central-1, name: somebody-elses}}
roles: {{access: "arn:aws:iam::999988887777:role/admin"}}
scope:
  namespaces: [{OTHER}]
lifecycle: {{status: approved, approved_by: The Governed Herself, approved_on: 2026-01-01}}
"""
ABOUT_US = CLAIM.replace('cluster: {account: "999988887777", region: eu-central-1, name: somebody-elses}\n', "")


async def _everything(panel: Panel, id: str) -> str:
    pages = [await panel.settle(lambda ask=ask: ask(id)) for ask in (panel.connection, panel.tasks, panel.share, panel.contract, panel.access)]
    return json.dumps([*pages, await panel.settle(panel.connections)])


def test_a_self_declared_claim_costs_one_question_and_opens_nothing() -> None:
    told = replace(one_connection(), platform_file=None, files={".hpgov/contracts/a.yaml": ABOUT_US, ".hpgov/contracts/b.yaml": CLAIM})

    async def story() -> None:
        with start(told, pace=END) as running, Panel(running) as panel:
            id = await panel.id(RESEARCH)
            text = await _everything(panel, id)
            log = running.kubernetes["ml-research-eks"].log
            assert [e.target for e in log if OTHER in e.target or e.namespace == OTHER] == [], "no request goes there"
            reviews = [e for e in log if e.resource == "selfsubjectaccessreviews"]
            assert 1 <= len(reviews) <= 2, "one question per task kind that is asked about"
            page = panel.connection(id)
            facts = {n["name"]: n for n in page["namespaces"]}
            assert facts[OTHER]["read"] is False and facts[OTHER]["source"] == "self_declared"
            assert facts[OTHER]["why_not"]["code"] == "scope_claimed_not_read"
            contract = panel.contract(id)["contract"]["data"]
            assert contract["platform"] is False and contract["rank"] == "file"
            assert "999988887777" not in {e.params.get("RoleArn", "").split(":")[4] for e in running.aws.log if e.operation == "AssumeRole"}
            assert [e for e in running.aws.log if "999988887777" in json.dumps(dict(e.params), default=str)] == [], (
                "and names no role, account or cluster to us"
            )
            assert "somebody-elses" not in text

    asyncio.run(story())


def test_a_folder_of_claims_makes_no_thousands_of_questions() -> None:
    """Files of the project are for everybody in it to write: three with fifty names each."""
    files = {f".hpgov/contracts/{n}.yaml": ABOUT_US.replace(f"[{OTHER}]", f"[{', '.join(f'guessed-{n}-{k}' for k in range(50))}]") for n in range(3)}

    async def story() -> None:
        with start(replace(one_connection(), platform_file=None, files=files), pace=END) as running, Panel(running) as panel:
            id = await panel.id(RESEARCH)
            await _everything(panel, id)
            log = running.kubernetes["ml-research-eks"].log
            reviews = [e.review["resourceAttributes"] for e in log if e.resource == "selfsubjectaccessreviews" and e.review is not None]
            asked = {review["namespace"] for review in reviews if review.get("namespace", "").startswith("guessed-")}
            assert len(asked) == MOST_CLAIMED
            claims = [f for f in panel.connection(id)["namespaces"] if f["source"] == "self_declared"]
            assert len(claims) == 150 and not any(f["read"] for f in claims)
            assert sum(f["why_not"]["code"] == "scope_claimed_not_checked" for f in claims) == 150 - MOST_CLAIMED

    asyncio.run(story())


def test_a_typed_namespace_that_may_not_be_looked_into_costs_one_question() -> None:
    told = replace(one_connection(), platform_file=None)

    async def story() -> None:
        with start(told, pace=END) as running, Panel(running) as panel:
            id = await panel.id(RESEARCH)
            folder = running.folder / "user-settings" / "hpgov-jlab"
            folder.mkdir(parents=True)
            (folder / "client.jupyterlab-settings").write_text(json.dumps({"namespaces": {id: [OTHER]}}))
            panel.later()
            await _everything(panel, id)
            log = running.kubernetes["ml-research-eks"].log
            assert [e.target for e in log if OTHER in e.target or e.namespace == OTHER] == []
            facts = {n["name"]: n for n in panel.connection(id)["namespaces"]}
            assert (facts[OTHER]["read"], facts[OTHER]["why_not"]["code"]) == (False, "scope_typed_refused")

    asyncio.run(story())


def test_a_kubeconfig_counts_in_no_managed_place(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("not even looked at")

    async def story() -> None:
        with start(one_connection(), pace=END) as running, Panel(running, kubeconfig=str(tmp_path / "config")) as panel:
            for kind in (PlaceKind.SPACE, PlaceKind.POD, PlaceKind.STUDIO, PlaceKind.UNIFIED_STUDIO):
                try:
                    got = panel.service.world.direct(Place(kind, "place_by_trait")).fetch(Deadline(5))
                    assert not isinstance(got, Got) and got.origin == "in_cluster"
                except Failure as failure:
                    assert failure.code == "k8s_no_service_account", kind

    asyncio.run(story())
