"""HyperPod's rule for the names of a team's objects (facts/hyperpod.md 2.2, 2.8), in one place.

What the rule makes is a suggestion until somebody has read it: an answer that shows one of these marks it "by rule".
"""

from __future__ import annotations

import re

_TEAM = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\Z", re.ASCII)
_LONGEST = 63
"""Of a namespace's name (RFC 1123 label)."""
PREFIX = "hyperpod-ns-"


def namespace_of(team: str) -> str | None:
    """The namespace of a team; None where its name can't be one of a namespace."""
    name = f"{PREFIX}{team.lower()}"
    return name if _TEAM.match(team.lower()) and len(name) <= _LONGEST else None


def cluster_queue_of(namespace: str) -> str:
    return f"{namespace}-clusterqueue"


def local_queue_of(namespace: str) -> str:
    return f"{namespace}-localqueue"


def group_of(namespace: str) -> str:
    """The Kubernetes group that the team's role is bound to."""
    return f"{namespace}-namespace-level-group"
