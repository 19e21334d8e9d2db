"""The committed recordings with other strings in them: secrets of the own team where a cluster keeps them, or a payload in every place where text stands."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hpgov_jlab.sandbox.kubernetes.recording import FOLDER

_NOT_TEXT = re.compile(r"\d{4}-\d\d-\d\dT\S*|-?[0-9.]+(m|[kMGTPE]i?)?|True|False|Unknown|[0-9a-f]{8}-[0-9a-f-]{27}")
_IDENTITY = frozenset({"apiVersion", "kind", "uid", "resourceVersion", "generation", "namespace"})
_LINKS = frozenset(
    {"name", "queueName", "clusterQueue", "cohort", "cohortName", "type", "status", "phase", "reason", "nodeName", "clusterName", "generateName", "strategy"}
)
"""What ties objects to each other or is an enumeration: left alone unless everything is to be text of a stranger."""
_RBAC = ("rbac.authorization.k8s.io/", "core/v1/namespaces")


def altered(folder: Path, change: Callable[[str, Any], Any]) -> Path:
    """All committed recordings with every object changed by `change(kind, object)`, in a new folder."""
    folder.mkdir()
    for path in sorted(FOLDER.glob("*.json")):
        raw = json.loads(path.read_text(encoding="utf-8"))
        for frame in raw["frames"]:
            for kind, objects in frame["upserts"].items():
                if not kind.startswith(_RBAC):
                    frame["upserts"][kind] = [change(kind, each) for each in objects]
        (folder / path.name).write_text(json.dumps(raw), encoding="utf-8")
    return folder


def crowded(folder: Path, pod: str, count: int) -> Path:
    """All committed recordings, in which a task has `count` pods: as many copies of the one of that name as it takes."""
    folder.mkdir()
    for path in sorted(FOLDER.glob("*.json")):
        raw = json.loads(path.read_text(encoding="utf-8"))
        for frame in raw["frames"]:
            pods = frame["upserts"].get("core/v1/pods", [])
            for each in [p for p in pods if p["metadata"]["name"] == pod]:
                copies = ({**each["metadata"], "name": f"{pod}-{n}", "uid": f"00000000-0000-0000-0000-{n:012d}"} for n in range(1, count))
                pods += [{**each, "metadata": metadata} for metadata in copies]
        (folder / path.name).write_text(json.dumps(raw), encoding="utf-8")
    return folder


def with_secrets(marker: str) -> Callable[[str, Any], Any]:
    """Environment, arguments, commands, last-applied configuration and termination messages hold the marker, in pods and in every template."""

    def change(_kind: str, value: Any) -> Any:
        if isinstance(value, list):
            return [change("", each) for each in value]
        if not isinstance(value, dict):
            return value
        made = {key: change("", each) for key, each in value.items()}
        for containers in ("containers", "initContainers"):
            for each in made.get(containers) or ():
                if isinstance(each, dict):
                    each |= {"env": [{"name": "PASSWORD", "value": marker}], "args": ["--password", marker], "command": ["sh", "-c", marker]}
        if isinstance(made.get("terminated"), dict):
            made["terminated"]["message"] = marker
        if "metadata" in made and isinstance(made["metadata"], dict) and "uid" in made["metadata"]:
            notes = made["metadata"].setdefault("annotations", {})
            notes |= {"kubectl.kubernetes.io/last-applied-configuration": json.dumps({"env": marker}), "example.com/note": marker}
        return made

    return change


def with_payload(payload: str, *, everything: bool) -> Callable[[str, Any], Any]:
    """Every string gets the payload at its end; `everything`: also names, states, reasons and what ties objects together."""
    kept = _IDENTITY if everything else _IDENTITY | _LINKS

    def change(kind: str, value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: change(kind, each, name) for name, each in value.items()}
        if isinstance(value, list):
            return [change(kind, each, key) for each in value]
        if not isinstance(value, str) or key in kept or _NOT_TEXT.fullmatch(value):
            return value
        if kind.endswith(("clusterqueues", "localqueues")) and key == "name":
            return value  # asked for by name: what is no name of Kubernetes is held back before a socket, which is another test's matter
        if not everything and "/" not in key and key.startswith("kueue"):
            return value
        return value + payload

    return lambda kind, value: change(kind, value)
