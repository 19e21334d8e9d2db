"""The API server's audit log: what was asked, by whom, in the server's own words."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

# The administrator and the system's own parts are left out: they make most of the log and are no business of the product
OURS = ["admin", "kueue", "system:apiserver", "system:anonymous"]


@dataclass(frozen=True)
class Request:
    user: str
    verb: str
    uri: str
    status: int
    group: str = ""
    resource: str = ""  # empty for discovery and other paths that are no resource
    subresource: str = ""
    namespace: str = ""
    name: str = ""
    user_agent: str = ""
    at: str = ""

    @property
    def shape(self) -> tuple[str, str, str, str, bool, bool]:
        """What an allow list can say: (verb, group, resource, subresource, namespace given, name given)."""
        return (self.verb, self.group, self.resource, self.subresource, bool(self.namespace), bool(self.name))


def write_policy(path: Path) -> None:
    path.write_text(
        yaml.safe_dump(
            {
                "apiVersion": "audit.k8s.io/v1",
                "kind": "Policy",
                "omitStages": ["RequestReceived", "ResponseStarted"],
                "rules": [{"level": "None", "users": OURS}, {"level": "Metadata"}],
            }
        )
    )


def read(log: Path) -> list[Request]:
    found = []
    for line in log.read_text().splitlines() if log.exists() else ():
        try:
            event: dict[str, Any] = json.loads(line)
        except ValueError:  # a server that was killed left half a line, and what its successor wrote first stands behind it
            continue
        ref = event.get("objectRef", {})
        found.append(
            Request(
                event["user"].get("username", ""),
                event["verb"],
                event["requestURI"],
                event.get("responseStatus", {}).get("code", 0),
                ref.get("apiGroup", ""),
                ref.get("resource", ""),
                ref.get("subresource", ""),
                ref.get("namespace", ""),
                ref.get("name", ""),
                event.get("userAgent", ""),
                event.get("requestReceivedTimestamp", ""),
            )
        )
    return found
