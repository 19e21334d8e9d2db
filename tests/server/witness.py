"""What the far ends saw, in the terms of the allow lists: the evidence that the product only reads, and only what policy/ names."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from hpgov_jlab.policy import aws, kubernetes, slurm
from hpgov_jlab.sandbox.kubernetes.far_end import Entry
from hpgov_jlab.sandbox.launch import Running

Shape = tuple[str, str, str, str, bool, bool]  # verb, group, resource, subresource, namespaced, named
AWS_ALLOWED = {(each.service, each.operation) for each in aws.ALLOWED}
KUBERNETES_ALLOWED = {each.shape for each in kubernetes.ALLOWED}


def aws_seen(running: Running) -> set[tuple[str, str]]:
    """(service, operation) of every request that the AWS far end got."""
    return {(entry.service, entry.operation) for entry in running.aws.log}


def kubernetes_seen(running: Running) -> set[Shape]:
    """The shape of every request that an API server got; a discovery document counts as discovery."""
    return {shape(entry) for far in running.kubernetes.values() for entry in far.log}


def slurm_argv(running: Running) -> list[list[str]]:
    """Every command line that Slurm's stand-ins were run with, the program's name first."""
    log = running.folder / "slurm" / "argv.log"
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()] if log.exists() else []


def slurm_shape(argv: Sequence[str]) -> str | None:
    """The entry of policy/slurm.py that a command line is of, matched here anew and not by the guard. None: of none."""
    return next((each.id for each in slurm.COMMANDS if re.fullmatch(_pattern([each.binary, *each.args]), "\0".join(argv))), None)


def slurm_endpoint(method: str, target: str) -> str | None:
    """The entry that a request to slurmrestd is of; the version is one that the entry has."""
    for each in slurm.ENDPOINTS:
        query = "&".join(f"{key}={value}" for key, value in each.query)
        for version in each.versions or slurm.VERSIONS:
            if re.fullmatch(_pattern([f"GET /{each.family}/{version}/{each.name}" + (f"?{query}" if query else "")]), f"{method} {target}"):
                return each.id
    return None


def _pattern(words: Sequence[str]) -> str:
    """A template as a pattern: names and nonces stand where it says, and everything else as it is written."""
    quoted = re.escape("\0".join(words))
    return re.sub(r"\\\{(\w+)\\\}", lambda place: slurm.NONCE if place[1] in ("row", "field") else slurm.VALUE, quoted)


def shape(entry: Entry) -> Shape:
    if not entry.resource and entry.target.partition("?")[0] in kubernetes.DISCOVERY_PATHS:
        return kubernetes.DISCOVERY.shape
    return (entry.verb, entry.group, entry.resource, entry.subresource, bool(entry.namespace), bool(entry.name))


def objections(running: Running) -> list[str]:
    """Everything that a far end got and no allow list has, and what a read-only client never sends."""
    found = [f"AWS: {service}:{operation}" for service, operation in sorted(aws_seen(running) - AWS_ALLOWED)]
    found += [f"Kubernetes: {each}" for each in sorted(kubernetes_seen(running) - KUBERNETES_ALLOWED)]
    for far in running.kubernetes.values():
        found += [f"{entry.violation}: {entry.method} {entry.target}" for entry in far.violations]
        found += [f"user agent {entry.user_agent}" for entry in far.log if not entry.user_agent.startswith("hpgov-jlab/")]
        for entry in far.log:
            if entry.review is not None and entry.resource == "selfsubjectaccessreviews":
                asked = entry.review.get("resourceAttributes") or {}
                question = tuple(str(asked.get(name) or "") for name in ("verb", "group", "resource", "subresource"))
                if question not in kubernetes.QUESTIONS:
                    found.append(f"a question about {question}")
    found += [f"Slurm: {' '.join(argv)}" for argv in slurm_argv(running) if slurm_shape(argv) is None]
    found += [f"user agent {entry.user_agent}" for entry in running.aws.log if "hpgov-jlab/" not in entry.user_agent]
    return sorted(set(found))
