"""A recording of a real cluster: what its API server said, frame by frame (DESIGN.md 13). Made by `sandbox/record.py`, committed as JSON.

    {"format": 1, "name": ..., "kueue": "0.19.2" | null, "kubernetes": "v1.36.3", "recorded_at": epoch seconds, "length": seconds,
     "discovery": {"/api": {...}, "/api/v1": {...}, "/apis": {...}, "/apis/<group>/<version>": {...}, "/version": {...}},
     "frames": [{"at": seconds since recorded_at, "say": "what happened",
                 "upserts": {"<group>/<version>/<plural>": [full objects]}, "deletes": {"<group>/<version>/<plural>": ["ns/name" or "name"]},
                 "visibility": {"<version>/<ns>/<localqueue>": body of pendingworkloads, null once it is gone}}]}

The core group is written `core/v1/pods`. Frame 0 holds everything, later frames only what changed.
"""

from __future__ import annotations

import copy
import json
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

Object = Mapping[str, Any]
FORMAT = 1
FOLDER = Path(__file__).parent.parent / "recordings"


@dataclass(frozen=True, slots=True)
class Frame:
    at: float
    say: str
    upserts: Mapping[str, tuple[Object, ...]] = field(default_factory=dict)
    deletes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    visibility: Mapping[str, Object | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recording:
    name: str
    kueue: str | None
    kubernetes: str
    recorded_at: float
    length: float
    discovery: Mapping[str, Object]
    frames: tuple[Frame, ...]

    def with_objects(self, extra: Mapping[str, Iterable[Object]]) -> Recording:
        """The same recording with more objects from its first frame on: a scenario's roles, a published RBAC manifest. Server-made fields are filled in."""
        first = self.frames[0]
        upserts = {k: {key_of(o): o for o in v} for k, v in first.upserts.items()}
        born = datetime.fromtimestamp(self.recorded_at - 86400, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        for kind, objects in extra.items():
            for o in objects:
                metadata = {"resourceVersion": "1", "creationTimestamp": born, **o["metadata"]}
                metadata.setdefault("uid", str(uuid.uuid5(uuid.NAMESPACE_URL, f"{kind}/{key_of(o)}")))
                upserts.setdefault(kind, {})[key_of(o)] = {**o, "metadata": metadata}
        return replace(self, frames=(replace(first, upserts={k: tuple(v.values()) for k, v in upserts.items()}), *self.frames[1:]))

    def with_manifests(self, manifests: Iterable[Object]) -> Recording:
        """`with_objects` for manifests as an administrator applies them. Raises ValueError for a kind that this cluster does not serve."""
        extra: dict[str, list[Object]] = {}
        for m in manifests:
            group, _, version = m["apiVersion"].rpartition("/")
            served = self.discovery.get(f"/apis/{group}/{version}" if group else f"/api/{version}", {}).get("resources", ())
            plural = next((r["name"] for r in served if r["kind"] == m["kind"] and "/" not in r["name"]), None)
            if plural is None:
                raise ValueError(f"recording {self.name} serves no {m['kind']} of {m['apiVersion']}")
            extra.setdefault(f"{group or 'core'}/{version}/{plural}", []).append(m)
        return self.with_objects(extra)

    def with_annotations(self, namespaces: Mapping[str, Mapping[str, str]]) -> Recording:
        """The same recording with annotations on namespaces, in every frame that writes them. Raises ValueError for a namespace that it does not hold."""
        seen: set[str] = set()

        def note(o: Object) -> Object:
            name = o["metadata"]["name"]
            if name not in namespaces:
                return o
            seen.add(name)
            changed = copy.deepcopy(dict(o))
            changed["metadata"].setdefault("annotations", {}).update(namespaces[name])
            return changed

        def noted(frame: Frame) -> Frame:
            upserts = {k: tuple(note(o) for o in v) if k == "core/v1/namespaces" else v for k, v in frame.upserts.items()}
            return replace(frame, upserts=upserts)

        frames = tuple(noted(f) for f in self.frames)
        if missing := set(namespaces) - seen:
            raise ValueError(f"recording {self.name} has no namespace {', '.join(sorted(missing))}")
        return replace(self, frames=frames)


def key_of(o: Object) -> str:
    m = o["metadata"]
    return f"{m['namespace']}/{m['name']}" if m.get("namespace") else str(m["name"])


def load(name: str, folder: Path = FOLDER) -> Recording:
    """A recording by name, of the committed ones unless another folder is given. Raises ValueError saying what is wrong with it."""
    path = folder / f"{name}.json"
    if not path.is_file():
        raise ValueError(f"there is no recording {name}; there are {', '.join(sorted(p.stem for p in folder.glob('*.json'))) or 'none'}")
    return parse(json.loads(path.read_text(encoding="utf-8")))


def parse(raw: Mapping[str, Any]) -> Recording:
    """A recording from its decoded JSON. Raises ValueError."""
    if raw.get("format") != FORMAT:
        raise ValueError(f"format {raw.get('format')!r} of a recording is not {FORMAT}")
    frames = tuple(_frame(f) for f in raw["frames"])
    if not frames or frames[0].at != 0:
        raise ValueError("the first frame of a recording stands at second 0")
    if any(a.at > b.at for a, b in pairwise(frames)):
        raise ValueError("frames of a recording are not in the order of time")
    length = max(float(raw["length"]), frames[-1].at)  # recorders round
    if length > raw["length"] + 1:
        raise ValueError("a recording ends before its last frame")
    for f in frames:
        for kind in [*f.upserts, *f.deletes]:
            if kind.count("/") != 2:
                raise ValueError(f"{kind!r} is not <group>/<version>/<plural>")
    return Recording(raw["name"], raw["kueue"], raw["kubernetes"], float(raw["recorded_at"]), length, dict(raw["discovery"]), frames)


def _frame(raw: Mapping[str, Any]) -> Frame:
    return Frame(
        float(raw["at"]),
        str(raw.get("say", "")),
        {k: tuple(v) for k, v in raw.get("upserts", {}).items()},
        {k: tuple(v) for k, v in raw.get("deletes", {}).items()},
        dict(raw.get("visibility", {})),
    )
