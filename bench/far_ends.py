"""The sandbox's far ends in a process of their own, so that what they do is not measured as ours.

    with FarEnds("default", tasks=10_000) as far:
        far.environment, far.traits, far.mark(), far.calls()

The other side is this module run as a program: it puts the scenario up, writes one line that says where, and obeys one JSON object per line of its
standard input until that ends.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


@dataclass
class Call:
    """One request as the far end saw it. `what` is "sts:AssumeRole" or "list workloads.kueue.x-k8s.io"; `scope` tells two of one kind apart."""

    what: str
    scope: str
    at: float  # AWS: when it arrived; Kubernetes: when it was answered
    code: int | None


class FarEnds:
    """`tasks`: that many Workloads with their Jobs in the one namespace, 0: the scenario's own. `only`: the one connection that is kept."""

    def __init__(self, scenario: str = "default", *, tasks: int = 0, only: str = "", faults: tuple[str, ...] = ()) -> None:
        self._given = {"scenario": scenario, "tasks": tasks, "only": only, "faults": list(faults)}
        self._process: subprocess.Popen[str] | None = None
        self.environment: dict[str, str] = {}
        self.traits: dict[str, Any] = {}
        self.folder = self.project = ""

    def __enter__(self) -> FarEnds:
        command = [sys.executable, "-m", "bench.far_ends", json.dumps(self._given)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        up = self._line()
        self.environment, self.traits, self.folder, self.project = up["environment"], up["traits"], up["folder"], up["project"]
        return self

    def __exit__(self, *_: object) -> None:
        process = self._process
        assert process is not None and process.stdin is not None
        process.stdin.close()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _line(self) -> dict[str, Any]:
        process = self._process
        assert process is not None and process.stdout is not None
        text = process.stdout.readline()
        if not text:
            raise RuntimeError(f"the far ends ended with {process.wait()}: see above")
        found: dict[str, Any] = json.loads(text)
        return found

    def _do(self, what: str, **more: Any) -> dict[str, Any]:
        assert self._process is not None and self._process.stdin is not None
        self._process.stdin.write(json.dumps({"do": what, **more}) + "\n")
        self._process.stdin.flush()
        return self._line()

    def mark(self) -> None:
        """Calls are counted from here on."""
        self._do("mark")

    def calls(self) -> list[Call]:
        """Every request since the mark, in order of arrival. Raises if a far end broke: then nothing measured against it counts."""
        found = self._do("calls")
        if found["faulty"]:
            raise RuntimeError(f"the far ends broke: {found['faulty'][:3]}")
        return [Call(**c) for c in found["calls"]]

    def keys_fetched(self) -> int:
        """Requests to the container's credential endpoint since the mark: they are no AWS calls and stand in no log."""
        return int(self._do("calls")["keys"])

    def fault(self, text: str) -> None:
        """Switches a fault on: `NAME[=VALUE][@SERVICE:OPERATION]`."""
        self._do("fault", text=text)

    def no_faults(self) -> None:
        self._do("no faults")


# -- the other side ----------------------------------------------------------------------------------------------------------
@dataclass
class _Host:
    running: Any
    seen_aws: int = 0
    seen_keys: int = 0
    told: dict[str, Any] = field(default_factory=dict)

    def obey(self, order: dict[str, Any]) -> dict[str, Any]:
        aws, kubernetes = self.running.aws, self.running.kubernetes
        if order["do"] == "mark":
            self.seen_aws, self.seen_keys = len(aws.log), aws.credentials.fetches
            for k8s in kubernetes.values():
                k8s.clear_log()
        elif order["do"] == "fault":
            self.running.faults.switch(order["text"])
        elif order["do"] == "no faults":
            self.running.faults.clear()
        else:
            calls = [_aws_call(e) for e in aws.log[self.seen_aws :]]
            calls += [_kubernetes_call(name, e) for name, k8s in kubernetes.items() for e in k8s.log]
            calls.sort(key=lambda c: c["at"])
            return {"calls": calls, "keys": aws.credentials.fetches - self.seen_keys, "faulty": self.running.faulty()}
        return {}


def _aws_call(entry: Any) -> dict[str, Any]:
    scope = f"{entry.caller} {entry.path} {json.dumps(entry.params, sort_keys=True, default=str)}"
    return {"what": f"{entry.service}:{entry.operation}", "scope": scope, "at": entry.at, "code": entry.status}


def _kubernetes_call(cluster: str, entry: Any) -> dict[str, Any]:
    resource = entry.resource + (f"/{entry.subresource}" if entry.subresource else "") + (f".{entry.group}" if entry.group else "")
    path = entry.target.partition("?")[0]
    scope = f"{cluster} {entry.target} {json.dumps(entry.review, sort_keys=True, default=str)}"
    return {"what": f"{entry.verb} {resource or path}", "scope": scope, "at": entry.at, "code": entry.code}


def _host(given: dict[str, Any]) -> None:
    from hpgov_jlab.sandbox.kubernetes.replay import Replay
    from hpgov_jlab.sandbox.launch import start
    from hpgov_jlab.sandbox.loading import load

    from .bulk import bulk, warm

    told = load(given["scenario"])
    if given["only"]:
        assert told.domain is not None
        kept = tuple(c for c in told.domain.connections if c.name == given["only"])
        assert len(kept) == 1, f"no connection {given['only']}"
        told = replace(told, domain=replace(told.domain, connections=kept))
    with start(told, given["faults"]) as running:
        if given["tasks"]:
            k8s = next(iter(running.kubernetes.values()))
            k8s.replay = Replay(bulk(k8s.recording, given["tasks"]), pause=1e9)  # one frame that never ends
            warm(k8s.replay)
        up = {"environment": running.environment(os.environ), "traits": running.traits, "folder": str(running.folder), "project": str(running.project)}
        print(json.dumps(up), flush=True)
        host = _Host(running)
        for line in sys.stdin:
            print(json.dumps(host.obey(json.loads(line))), flush=True)


if __name__ == "__main__":
    sys.setswitchinterval(0.0005)  # many small threads, and a fault that waits must not make the others wait
    _host(json.loads(sys.argv[1]))
