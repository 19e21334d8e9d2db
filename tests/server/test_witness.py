"""What leaves the process is what the allow lists say, no more and no less: the far ends' own logs are held against policy/ (DESIGN.md 2.1).

Every other test of this folder asks the same logs for anything beyond the lists (panel.py, conftest.py); this one uses everything, so that an entry of a
list that nothing needs is found, too.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from typing import Any

from hpgov_jlab.model.kinds import KINDS
from hpgov_jlab.policy import kubernetes, slurm
from hpgov_jlab.policy.render_kubernetes import Subject, cohort_reader
from hpgov_jlab.sandbox.kubernetes.recording import FOLDER
from hpgov_jlab.sandbox.launch import Running, start
from hpgov_jlab.sandbox.loading import dated, load
from hpgov_jlab.sandbox.scenario import Scenario
from hpgov_jlab.sandbox.scenarios.pieces import RESEARCH_NAMESPACE, TEAM_GROUPS, allow, contract
from tests.slurm.slurmrestd import FarEnd, jwt, put, serving

from .panel import Panel
from .states_table import END, slurm_connection
from .test_leaks import everything
from .witness import (
    AWS_ALLOWED,
    KUBERNETES_ALLOWED,
    Shape,
    aws_seen,
    kubernetes_seen,
    objections,
    slurm_argv,
    slurm_endpoint,
    slurm_shape,
)  # fmt: skip

NOT_IN_THE_SANDBOX = {("sts", "AssumeRoleWithWebIdentity")}
"""Not reached here: in sandbox mode a service account's token for AWS is never used, since it could only be a real one. tests/aws drives it."""


def _governed() -> Scenario:
    """The default scenario; the research team is also a cohort reader, and the evaluation cluster's namespace carries a contract of its own."""
    made = load("default")
    research, evaluation = made.eks
    research = replace(research, objects=(*research.objects, *cohort_reader(Subject("Group", TEAM_GROUPS[0]))))
    evaluation = replace(evaluation, annotations={RESEARCH_NAMESPACE: {"hpgov/contract": contract("research-ml-evaluation")}})
    return dated(replace(made, eks=(research, evaluation)), datetime.now(UTC).date())


def _studio() -> Scenario:
    made = load("studio-no-list")
    return replace(made, roles=(replace(made.roles[0], policies=(*made.roles[0].policies, allow("sagemaker:ListClusters"))),))


async def _use(running: Running, **traits: Any) -> list[dict[str, Any]]:
    with Panel(running, **traits) as panel:
        return await everything(panel, 3)


@cache
def seen() -> tuple[set[tuple[str, str]], set[Shape], set[str | None]]:
    """Everything used once, and what the far ends got of it."""
    aws: set[tuple[str, str]] = set()
    k8s: set[Shape] = set()
    commands: set[str | None] = set()

    def note(running: Running) -> None:
        nonlocal aws, k8s, commands
        aws, k8s, commands = aws | aws_seen(running), k8s | kubernetes_seen(running), commands | {slurm_shape(argv) for argv in slurm_argv(running)}
        assert objections(running) == [] and running.faulty() == []

    with start(_governed(), pace=END) as running:
        pages = asyncio.run(_use(running, cohort_reads=True))
        assert any("cohort" in page and page["cohort"]["data"] for page in pages), "the cohort was read"
        note(running)
    with start(_studio(), pace=END) as running:
        pages = asyncio.run(_use(running))
        assert pages[1]["connections"]["data"], "Studio's list brings the cluster"
        note(running)
    with start(_older_slurm(), pace=END) as running:  # whose squeue honours no filter in JSON, so that rows are asked for
        asyncio.run(_use(running))
        note(running)
    return aws, k8s, commands


def _older_slurm() -> Scenario:
    made = slurm_connection()
    assert made.slurm is not None
    return replace(made, slurm=replace(made.slurm, release="22.05.8"))


@cache
def asked_of_slurmrestd() -> dict[str, set[str | None]]:
    """Everything used through slurmrestd, of the oldest version and the newest: what it got, by version."""
    asked: dict[str, set[str | None]] = {}
    with start(slurm_connection(), pace=END) as running:
        for version in ("v0.0.38", "v0.0.42"):
            token = running.folder / version
            with serving(FarEnd()) as far_end:
                put(far_end, version)
                token.write_text(jwt())
                token.chmod(0o600)
                pages = asyncio.run(_use(running, slurmrestd_url=far_end.url, slurm_token_file=str(token), slurm_user="alice"))
                assert any("fairshare" in page and page["partitions"]["data"] for page in pages), "slurmrestd was read"
                asked[version] = {
                    slurm_endpoint(method, target) for method, target, _ in far_end.asked if version in target
                }  # which versions there are it asks for at the start, one after the other
                others = {(method, target.split("/")[3]) for method, target, _ in far_end.asked if version not in target}
                assert others <= {("GET", "ping")}
        assert slurm_argv(running) == [["scontrol", "show", "config"]] * len(slurm_argv(running)), "its clients are asked for nothing but SlurmUser"
    return asked


@cache
def not_installed() -> set[str]:
    """Resources of task kinds that none of the recorded clusters serves: their lists are asked for by no test with recordings."""
    served: set[str] = set()
    for path in FOLDER.glob("*.json"):
        for document in json.loads(path.read_text())["discovery"].values():
            group = document.get("groupVersion", "").rpartition("/")[0]
            served |= {f"{each['name']}.{group}" for each in document.get("resources", ())}
    return {f"{kind.plural}.{kind.group}" for kind in KINDS} - served


def test_aws_is_asked_exactly_what_the_allow_list_says() -> None:
    assert NOT_IN_THE_SANDBOX <= AWS_ALLOWED
    assert seen()[0] == AWS_ALLOWED - NOT_IN_THE_SANDBOX


def test_kubernetes_is_asked_exactly_what_the_allow_list_says() -> None:
    absent = {each.shape for each in kubernetes.ALLOWED if each.kind in not_installed()}
    assert seen()[1] == KUBERNETES_ALLOWED - absent


def test_slurms_commands_are_run_exactly_as_the_allow_list_says() -> None:
    assert seen()[2] == {each.id for each in slurm.COMMANDS}


def test_slurmrestd_is_asked_exactly_what_the_allow_list_says() -> None:
    asked = asked_of_slurmrestd()
    for version, found in asked.items():
        assert found == {each.id for each in slurm.ENDPOINTS if each.versions is None or version in each.versions}
    assert set().union(*asked.values()) == {each.id for each in slurm.ENDPOINTS}


def test_what_no_recording_serves_is_known_by_name() -> None:
    """Kinds whose operators the recorded clusters do not have; tests/cluster asks a real cluster for all kinds."""
    assert sorted(not_installed()) == ["jaxjobs.kubeflow.org", "paddlejobs.kubeflow.org"]
