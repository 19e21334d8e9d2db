"""Objects as a real Kueue 0.19.2 and 0.12.10 made them (rig of tests/testbed), trimmed of what is not read; and the builders for made-up ones.

data/kueue-*.json: frame name -> {namespace, workloads, jobs, cq, lq, flavors, labels}. Jobs that finished had their status written by hand, no pods ran.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from hpgov_jlab.model.kinds import BY_PLURAL
from hpgov_jlab.model.kubernetes import Pod, build
from hpgov_jlab.model.kueue import ClusterQueue, LocalQueue, ResourceFlavor, Workload
from hpgov_jlab.model.outcome import Phrase, State
from hpgov_jlab.model.task import Task
from hpgov_jlab.model.taskobject import TaskObject
from hpgov_jlab.scheduling.states import Team, tasks_of
from hpgov_jlab.scheduling.waiting import Queues
from hpgov_jlab.words import WORDS

DATA = Path(__file__).parent / "data"
VERSIONS = ("0.19.2", "0.12.10")


@cache
def recorded(version: str) -> dict[str, dict[str, Any]]:
    return json.loads((DATA / f"kueue-{version}.json").read_text())


def queues_of(frame: dict[str, Any], *, local_queues: bool = True, cluster_queue: bool = True) -> Queues:
    queue = build(frame["cq"], ClusterQueue)
    return Queues(
        {queue.metadata.name: queue} if cluster_queue else {},
        {} if cluster_queue else {queue.metadata.name: State.DENIED},
        {each["metadata"]["name"]: build(each, LocalQueue) for each in frame["lq"]} if local_queues else None,
        State.OK if local_queues else State.DENIED,
        {each["metadata"]["name"]: build(each, ResourceFlavor) for each in frame["flavors"]},
        frame["labels"],
    )


def lifted(plural: str, version: str, value: dict[str, Any]) -> TaskObject:
    kind = BY_PLURAL[plural]
    return kind.lift(build(value, kind.shape), version)


def team_of(frame: dict[str, Any], **known: bool) -> Team:
    return Team(
        frame["namespace"],
        tuple(build(each, Workload) for each in frame["workloads"]),
        tuple(lifted("jobs.batch", "v1", each) for each in frame["jobs"]),
        frozenset({"Job", "Pod"}),
        (),
        queues_of(frame, **known),
    )


def last_moment(frame: dict[str, Any]) -> float:
    """The newest transition of a frame: the clock of its reader."""
    moments = [each.at or 0.0 for value in frame["workloads"] for each in build(value, Workload).status.conditions]
    return max(moments, default=0.0)


def tasks_in(version: str, frame: str, **known: bool) -> dict[str, Task]:
    found = recorded(version)[frame]
    return {task.name: task for task in tasks_of(team_of(found, **known), last_moment(found))}


def workload(name: str = "w", *, conditions: list[dict[str, Any]] | None = None, status: dict[str, Any] | None = None, **spec: Any) -> Workload:
    """A made-up Workload; conditions as {type, status, reason} with an optional time."""
    made = {
        "metadata": {"name": name, "namespace": "team", "uid": f"uid-{name}", "creationTimestamp": "2026-11-30T08:00:00Z", **spec.pop("metadata", {})},
        "spec": {"queueName": "lq", "podSets": [pod_set()], **spec},
        "status": {"conditions": [{"lastTransitionTime": "2026-11-30T08:01:00Z", **each} for each in conditions or []], **(status or {})},
    }
    return build(made, Workload)


def pod_set(count: int = 1, name: str = "main", **requests: str) -> dict[str, Any]:
    asks = {"nvidia.com/gpu": "1"} if not requests else {key.replace("gpu", "nvidia.com/gpu"): value for key, value in requests.items()}
    return {"name": name, "count": count, "template": {"spec": {"containers": [{"name": "c", "resources": {"requests": asks}}]}}}


def cluster_queue(
    quotas: dict[str, dict[str, dict[str, str]]], held: dict[str, dict[str, str]] | None = None, *, cohort: str | None = "pool", **spec: Any
) -> ClusterQueue:
    """quotas: flavour -> resource -> {nominalQuota, ...}; held: flavour -> resource -> total."""
    covered = sorted({resource for each in quotas.values() for resource in each})
    groups = [
        {
            "coveredResources": covered,
            "flavors": [{"name": flavor, "resources": [{"name": name, **quota} for name, quota in each.items()]} for flavor, each in quotas.items()],
        }
    ]
    reservation = [{"name": flavor, "resources": [{"name": name, "total": total} for name, total in each.items()]} for flavor, each in (held or {}).items()]
    made = {
        "metadata": {"name": "cq"},
        "spec": {"resourceGroups": groups, "namespaceSelector": {}, **({"cohortName": cohort} if cohort else {}), **spec},
        "status": {"conditions": [{"type": "Active", "status": "True", "reason": "Ready"}], "flavorsReservation": reservation, "flavorsUsage": reservation},
    }
    return build(made, ClusterQueue)


def pod(name: str = "p", *, phase: str = "Running", owner: tuple[str, str, str] | None = None, **parts: Any) -> Pod:
    """owner: (kind, name, uid)."""
    metadata: dict[str, Any] = {"name": name, "namespace": "team", "uid": f"uid-{name}", **parts.pop("metadata", {})}
    if owner:
        metadata["ownerReferences"] = [{"kind": owner[0], "name": owner[1], "uid": owner[2], "controller": True}]
    return build({"metadata": metadata, "spec": parts.pop("spec", {}), "status": {"phase": phase, **parts}}, Pod)


def job(
    name: str = "j", *, labels: dict[str, str] | None = None, suspend: bool | None = None, status: dict[str, Any] | None = None, **metadata: Any
) -> TaskObject:
    value = {
        "metadata": {"name": name, "namespace": "team", "uid": f"uid-{name}", "creationTimestamp": "2026-11-30T08:00:00Z", "labels": labels or {}, **metadata},
        "spec": {
            "suspend": suspend,
            "parallelism": 1,
            "completions": 1,
            "template": {"spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]}},
        },
        "status": status or {},
    }
    return lifted("jobs.batch", "v1", value)


def check_phrase(phrase: Phrase | None) -> None:
    """Every code exists, every parameter that its sentence names is given, and no parameter is a float or longer than a line."""
    if phrase is None:
        return
    word = WORDS[phrase.code]
    for text in (word.text, word.then or ""):
        assert set(re.findall(r"\{([a-z_0-9]+)\}", text)) <= set(phrase.params), phrase
    for name, value in phrase.params.items():
        assert value is None or isinstance(value, (str, int)) or name.endswith("_at"), phrase
