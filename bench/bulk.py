"""A recording with many tasks: the Jobs of one frame with their Workloads and pods, cloned under new names and uids.

What a clone says is what a real API server and a real Kueue said of the original; only names, uids and how many there are is made up.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from hpgov_jlab.sandbox.kubernetes.recording import Frame, Object, Recording, key_of
from hpgov_jlab.sandbox.kubernetes.replay import Replay

NAMESPACE = "hyperpod-ns-research"
WORKLOADS, JOBS, PODS = "kueue.x-k8s.io/v1beta2/workloads", "batch/v1/jobs", "core/v1/pods"
SAYS = "Research submits mixtral"
"""The frame that is cloned: one of its Jobs runs, one waits, others have finished."""
SPACE = uuid.UUID("5f0c1d6e-0000-4000-8000-000000000000")


def state_at(recording: Recording, says: str) -> dict[str, dict[str, Object]]:
    """Kind -> key -> object at the first frame that says so."""
    objects: dict[str, dict[str, Object]] = {}
    for frame in recording.frames:
        for kind, gone in frame.deletes.items():
            for name in gone:
                objects.get(kind, {}).pop(name, None)
        for kind, made in frame.upserts.items():
            objects.setdefault(kind, {}).update({key_of(o): o for o in made})
        if says in frame.say:
            return objects
    raise ValueError(f"recording {recording.name} never says {says!r}")


def families(objects: Mapping[str, Mapping[str, Object]]) -> list[dict[str, list[Object]]]:
    """Each governed Job of the namespace with its Workload and its pods."""

    def owned(kind: str, uid: str) -> list[Object]:
        return [o for o in objects.get(kind, {}).values() if any(r["uid"] == uid for r in o["metadata"].get("ownerReferences", ()))]

    found = []
    for job in objects[JOBS].values():
        if job["metadata"]["namespace"] == NAMESPACE and not job["metadata"].get("ownerReferences"):
            workloads = owned(WORKLOADS, job["metadata"]["uid"])
            if workloads:
                found.append({JOBS: [job], WORKLOADS: workloads, PODS: owned(PODS, job["metadata"]["uid"])})
    if not found:
        raise ValueError("the frame has no governed Job")
    return found


def _clone(family: Mapping[str, list[Object]], number: int) -> Iterator[tuple[str, Object]]:
    names: dict[str, str] = {}
    for members in family.values():
        for o in members:
            m = o["metadata"]
            names[m["name"]] = f"{m['name']}-{number:05}"
            names[m["uid"]] = str(uuid.uuid5(SPACE, f"{m['uid']}/{number}"))

    def told(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {k: told(v) for k, v in value.items()}
        if isinstance(value, list | tuple):
            return [told(v) for v in value]
        return names.get(value, value) if isinstance(value, str) else value

    for kind, members in family.items():
        for o in members:
            yield kind, told(o)


def bulk(recording: Recording, count: int, says: str = SAYS) -> Recording:
    """One frame that stays: everything of that moment, and `count` Jobs with Workloads in the namespace instead of the few."""
    objects = state_at(recording, says)
    made = families(objects)
    tables = {kind: dict(table) for kind, table in objects.items()}
    for kind in (JOBS, WORKLOADS, PODS):
        tables[kind] = {k: o for k, o in tables[kind].items() if o["metadata"].get("namespace") != NAMESPACE}
    for number in range(count):
        for kind, o in _clone(made[number % len(made)], number):
            tables[kind][key_of(o)] = o
    frame = Frame(0.0, says, {kind: tuple(table.values()) for kind, table in tables.items()})
    return replace(recording, name=f"{recording.name}-{count}", length=0.0, frames=(frame,))


def warm(replay: Replay) -> None:
    """Moves every object's times once, so that the far end's first answers are as quick as its later ones."""
    snapshot = replay.snapshot()
    for kind in (JOBS, WORKLOADS, PODS):
        for o in snapshot.objects.get(kind, {}).values():
            replay.live(snapshot.loop, o)


def list_bytes(recording: Recording, kind: str, limit: int = 500) -> list[bytes]:
    """The pages of a list of the namespace as an API server sends them."""
    group_version = kind.rpartition("/")[0]
    items = [o for o in recording.frames[0].upserts[kind] if o["metadata"].get("namespace") == NAMESPACE]
    items.sort(key=key_of)
    name = str(items[0]["kind"])
    pages = []
    for start in range(0, len(items), limit):
        rest = len(items) - start - limit
        metadata = {"resourceVersion": "1000", **({"continue": f"token-{start}", "remainingItemCount": rest} if rest > 0 else {"continue": ""})}
        version = group_version.removeprefix("core/")
        body = {"apiVersion": version, "items": items[start : start + limit], "kind": f"{name}List", "metadata": metadata}
        pages.append(json.dumps(body, separators=(",", ":")).encode())
    return pages
