"""Pods: why no node, image, crash loop, memory, exit codes; the scheduler's text after the cut; commands to copy."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from hpgov_jlab.model.copying import copyable
from hpgov_jlab.model.task import ContainerFact, PodFact
from hpgov_jlab.scheduling.commands import command, logs_commands
from hpgov_jlab.scheduling.pods import in_order, no_node, pod_fact, pod_facts, pod_reason, pods_seen, scheduler_text

from .frames import check_phrase, pod

REAL = (
    "0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 2 Insufficient nvidia.com/gpu. no new claims to deallocate, "
    "preemption: 0/3 nodes are available: 1 Preemption is not helpful for scheduling, 2 No preemption victims found for incoming pod."
)  # kube-scheduler 1.36.3

MESSAGES = [
    (REAL, "pod_no_node_resources", {"nodes": 2, "nodes_total": 3, "resources": "nvidia.com/gpu"}),
    (
        "0/9 nodes are available: 4 Insufficient cpu, 7 Insufficient memory, 2 node(s) had untolerated taint {x: y}.",
        "pod_no_node_resources",
        {"nodes": 7, "nodes_total": 9, "resources": "cpu, memory"},
    ),
    (
        "0/4 nodes are available: 1 Too many pods, 3 node(s) had untolerated taint {node.kubernetes.io/unreachable: }.",
        "pod_no_node_pod_count",
        {"nodes": 1, "nodes_total": 4},
    ),
    ("0/4 nodes are available: 1 node(s) were unschedulable, 3 node(s) had untolerated taint {a: b}.", "pod_no_node_cordoned", {"nodes": 1, "nodes_total": 4}),
    (
        "0/4 nodes are available: 1 node(s) had untolerated taint {a: b}, 3 node(s) had untolerated taint {c: d}.",
        "pod_no_node_taint",
        {"nodes": 4, "nodes_total": 4},
    ),
    ("0/4 nodes are available: 4 node(s) didn't match Pod's node affinity/selector.", "pod_no_node_selector", {"nodes": 4, "nodes_total": 4}),
    ("0/4 nodes are available: 4 something of a newer scheduler.", "pod_no_node", {"nodes_total": 4}),
    ("running PreBind plugin failed", "pod_no_node", {"nodes_total": None}),
    (None, "pod_no_node", {"nodes_total": None}),
]


@pytest.mark.parametrize(("message", "code", "params"), MESSAGES)
def test_no_node(message: str | None, code: str, params: dict[str, Any]) -> None:
    phrase = no_node(message)
    assert (phrase.code, phrase.params) == (code, params)
    check_phrase(phrase)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (REAL, "0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 2 Insufficient nvidia.com/gpu. no new claims to deallocate"),
        (
            "0/2 nodes are available: 2 node(s) had untolerated taint {team: MARKER}. preemption: MARKER",
            "0/2 nodes are available: 2 node(s) had untolerated taint {…}",
        ),
        ("0/2 nodes: had untolerated taint {team: MARKER", None),  # not closed
        ("Preempted MARKER", None),
        ("x" * 5000, "x" * 512),
        ("", None),
        (None, None),
    ],
)
def test_scheduler_text_is_cut(message: str | None, text: str | None) -> None:
    assert scheduler_text(message) == text
    assert "MARKER" not in (scheduler_text(message) or "")


def container(name: str = "main", restarts: int = 0, last: dict[str, Any] | None = None, **state: Any) -> dict[str, Any]:
    return {"name": name, "restartCount": restarts, "state": state, **({"lastState": {"terminated": last}} if last else {})}


REASONS: list[tuple[dict[str, Any], str | None, dict[str, Any]]] = [
    ({"conditions": [{"type": "Ready", "status": "True"}]}, None, {}),
    ({"conditions": [{"type": "Ready", "status": "False"}]}, "pod_not_ready", {}),
    ({"phase": "Succeeded"}, None, {}),
    ({"phase": "Pending"}, "pod_creating", {}),
    (
        {"phase": "Pending", "conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": REAL}]},
        "pod_no_node_resources",
        {"nodes": 2, "nodes_total": 3},
    ),
    (
        {
            "phase": "Pending",
            "conditions": [{"type": "PodScheduled", "status": "False", "reason": "SchedulingGated"}],
            "spec": {"schedulingGates": [{"name": "kueue.x-k8s.io/admission"}]},
        },
        "pod_gated",
        {"gates": "kueue.x-k8s.io/admission"},
    ),
    (
        {"phase": "Pending", "containerStatuses": [container(waiting={"reason": "ImagePullBackOff"})]},
        "pod_image",
        {"container": "main", "why": "ImagePullBackOff"},
    ),
    ({"phase": "Pending", "containerStatuses": [container(waiting={"reason": "CreateContainerConfigError"})]}, "pod_container_config", {"container": "main"}),
    (
        {"containerStatuses": [container(restarts=4, last={"exitCode": 1, "reason": "Error"}, waiting={"reason": "CrashLoopBackOff"})]},
        "pod_crash_loop",
        {"restarts": 4, "exit_code": 1},
    ),
    (
        {"containerStatuses": [container(restarts=2, last={"exitCode": 137, "reason": "OOMKilled"}, waiting={"reason": "CrashLoopBackOff"})]},
        "pod_out_of_memory",
        {"restarts": 2},
    ),
    ({"phase": "Failed", "containerStatuses": [container(terminated={"exitCode": 137, "reason": "OOMKilled"})]}, "pod_out_of_memory", {"container": "main"}),
    ({"phase": "Failed", "containerStatuses": [container(terminated={"exitCode": 3, "reason": "Error"})]}, "pod_exit", {"exit_code": 3}),
    ({"phase": "Failed", "containerStatuses": [container(terminated={"exitCode": 143, "reason": "Error"})]}, "pod_signal", {"signal": 15, "exit_code": 143}),
    (
        {
            "phase": "Failed",
            "initContainerStatuses": [container("init", terminated={"exitCode": 2})],
            "containerStatuses": [container(waiting={"reason": "PodInitializing"})],
        },
        "pod_exit",
        {"container": "init", "exit_code": 2},
    ),
    ({"phase": "Failed", "reason": "Evicted"}, "pod_evicted", {"why": "Evicted"}),
    (
        {"phase": "Failed", "conditions": [{"type": "DisruptionTarget", "status": "True", "reason": "PreemptionByScheduler"}]},
        "pod_evicted",
        {"why": "PreemptionByScheduler"},
    ),
    ({"phase": "Failed", "reason": "NodeLost"}, "pod_node_lost", {"why": "NodeLost"}),
    ({"phase": "Failed"}, "pod_failed", {}),
    ({"metadata": {"deletionTimestamp": "2026-11-30T08:00:00Z"}}, "pod_being_deleted", {}),
    ({"containerStatuses": [container(terminated={"exitCode": 0, "reason": "Completed"})]}, None, {}),
]


@pytest.mark.parametrize(("parts", "code", "params"), REASONS)
def test_reason(parts: dict[str, Any], code: str | None, params: dict[str, Any]) -> None:
    reason = pod_reason(pod(**dict(parts)))
    assert (reason.code if reason else None) == code
    assert reason is None or params.items() <= reason.params.items()
    check_phrase(reason)
    check_phrase(pods_seen([pod(**dict(parts))]).reason)


def test_fact() -> None:
    fact = pod_fact(
        pod(
            phase="Running",
            startTime="2026-11-30T08:00:00Z",
            spec={"nodeName": "n1"},
            containerStatuses=[
                container("a", restarts=1, last={"exitCode": 137, "reason": "OOMKilled"}, running={"startedAt": "2026-11-30T08:00:00Z"}),
                container("b", terminated={"exitCode": 0}),
            ],
        )
    )
    assert (fact.phase, fact.node, fact.started_at) == ("Running", "n1", 1796025600.0)
    assert fact.containers == (
        ContainerFact("a", "running", None, None, 1, "OOMKilled", 137),
        ContainerFact("b", "terminated", None, 0, 0, None, None),
    )


def test_the_gravest_speaks_for_the_task_and_stands_first() -> None:
    pods = [
        pod("a", conditions=[{"type": "Ready", "status": "True"}]),
        pod("b", phase="Pending"),
        pod("c", phase="Pending", conditions=[{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": REAL}]),
        pod("d", phase="Pending", conditions=[{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": REAL}]),
    ]
    seen = pods_seen(pods, wanted=5)
    assert seen.reason is not None and seen.reason.code == "task_no_node_resources"
    assert (seen.reason.params["pods"], seen.reason.params["pods_total"], seen.running) == (2, 5, 1)
    assert seen.text is not None and "reempt" not in seen.text
    assert [fact.name for fact in pod_facts(in_order(pods))] == ["c", "d", "b", "a"]


# -- commands ------------------------------------------------------------------------------------------------------------------------------
def ran(name: str, container_name: str = "main", restarts: int = 0) -> PodFact:
    return PodFact(name, "Running", None, None, None, None, (ContainerFact(container_name, "running", restarts=restarts),))


def test_logs() -> None:
    assert logs_commands("team", [ran("p", restarts=1)]) == (
        "kubectl logs --namespace=team pod/p --container=main --previous=true",
        "kubectl logs --namespace=team pod/p --container=main",
    )
    assert logs_commands("team", [PodFact("p", "Pending", None, None, None, None, (ContainerFact("c", "waiting"),))]) == ()
    assert logs_commands("team", (), kind="Job", name="j", pods_readable=False) == ("kubectl logs --namespace=team job/j --all-containers=true",)
    assert logs_commands("team", (), kind="PyTorchJob", name="j", pods_readable=False) == ()


HOSTILE = [
    "$(touch PWNED)",
    "`touch PWNED`",
    "a;touch PWNED",
    "a b",
    "'; touch PWNED; '",
    '"$HOME"',
    "-rf",
    "--kubeconfig=/evil",
    "*",
    "~",
    "a\\b",
    "!x",
    "#c",
    "|cat",
    "ünïcode",
]


@pytest.mark.parametrize("value", HOSTILE)
def test_bash_gets_what_was_meant(value: str, tmp_path: Path) -> None:
    stub = tmp_path / "kubectl"
    stub.write_text('#!/bin/sh\nfor a in "$@"; do printf "%s\\n" "$a"; done\n')
    stub.chmod(0o755)
    (line,) = logs_commands(value, [ran(value, value)])
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, cwd=tmp_path, env={"PATH": f"{tmp_path}:/usr/bin:/bin", "LC_ALL": "C.UTF-8"}, check=True
    )
    assert done.stdout.splitlines() == ["logs", f"--namespace={value}", f"pod/{value}", f"--container={value}"]
    assert [each.name for each in tmp_path.iterdir()] == ["kubectl"]


@pytest.mark.parametrize(
    "value", ["a\nb", "a\rb", "a\x1b[31m", "a\u202eb", "a\u2066b", "a\u200fb", "a\u2028b", "a\u2029b", "a\x00b", "a\u200bb", "\ud800", "\ue000"]
)
def test_some_values_cannot_be_copied(value: str) -> None:
    assert not copyable(value)
    assert command(["kubectl", "logs", f"pod/{value}"]) is None
    assert logs_commands("team", [ran(value), ran("good")]) == ("kubectl logs --namespace=team pod/good --container=main",)
