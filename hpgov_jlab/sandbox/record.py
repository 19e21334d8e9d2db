"""Records what a real API server with a real Kueue shows while the two-team story is played on it: `python -m hpgov_jlab.sandbox.record`.

A developer's command; it needs a source checkout and Go (or the built testbed). The recordings are committed, so the sandbox itself needs neither.

One JSON file per recording: {"format": 1, "name", "kueue", "kubernetes", "recorded_at", "length", "discovery": {path: body}, "frames": [...]}, one
frame a line.
A frame is {"at": seconds since the first, "say": a sentence or "", "upserts": {"group/version/plural": [objects]}, "deletes": {...: ["ns/name" | "name"]},
"visibility": {"version/namespace/localqueue": body}}; the core group is written `core`. The first frame holds everything, the later ones what changed since.
Kueue's objects are there in every version that the server serves, as the server converts them.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..model import naming

RECORDINGS = Path(__file__).resolve().parent / "recordings"
# recording -> the Kueue it is made with
NAMES: dict[str, str | None] = {"story": "0.19.2", "story-0.12": "0.12.10", "plain": None}
# group -> plurals. Of groups with several served versions all are recorded
WANTED: dict[str, tuple[str, ...]] = {
    "": ("namespaces", "pods", "events", "limitranges", "resourcequotas", "nodes"),
    "batch": ("jobs",),
    "apps": ("deployments", "statefulsets", "replicasets"),
    "scheduling.k8s.io": ("priorityclasses",),
    "rbac.authorization.k8s.io": ("roles", "rolebindings", "clusterroles", "clusterrolebindings"),
    "kueue.x-k8s.io": ("localqueues", "clusterqueues", "cohorts", "workloads", "resourceflavors", "workloadpriorityclasses", "admissionchecks", "topologies"),
    "kubeflow.org": ("pytorchjobs", "tfjobs", "xgboostjobs", "mpijobs"),
    "jobset.x-k8s.io": ("jobsets",),
    "ray.io": ("rayjobs", "rayclusters"),
    "sagemaker.amazonaws.com": ("hyperpodpytorchjobs",),
    "workspace.jupyter.org": ("workspaces",),
    "inference.sagemaker.aws.amazon.com": ("inferenceendpointconfigs", "jumpstartmodels"),
}
ONCE = {"nodes"}  # they change with every heartbeat and nobody looks at that
SAMPLE_SECONDS = 1.0

Get = Callable[[str], tuple[int, Any]]
Objects = dict[str, dict[str, Any]]


class Recorder:
    """Takes frames from an API server. `get(path)` answers (HTTP status, decoded body)."""

    def __init__(self, get: Get, clock: Callable[[], float] = time.time, sleep: Callable[[float], None] = time.sleep):
        self._get, self._clock, self._sleep = get, clock, sleep
        self.discovery: dict[str, Any] = {}
        self.frames: list[dict[str, Any]] = []
        self.begin = 0.0
        self._known: dict[str, dict[str, str]] = {}
        self._lines: dict[str, str] = {}
        self._kinds: list[tuple[str, str, bool]] = []  # (key, list path, namespaced)

    def discover(self) -> None:
        """Keeps every discovery document, and which of the wanted kinds are served in which versions."""
        self.discovery, self._kinds = {}, []
        groups = self._keep("/apis")
        for path in ("/version", "/api"):
            self._keep(path)
        places = [("", "v1", "/api/v1")] + [(g["name"], v["version"], f"/apis/{v['groupVersion']}") for g in groups["groups"] for v in g["versions"]]
        for group, version, path in places:
            for resource in self._keep(path).get("resources", []):
                if resource["name"] in WANTED.get(group, ()):
                    self._kinds.append((f"{group or 'core'}/{version}/{resource['name']}", f"{path}/{resource['name']}", resource["namespaced"]))

    def _keep(self, path: str) -> Any:
        status, body = self._get(path)
        if status != 200:
            raise RuntimeError(f"GET {path}: {status}")
        self.discovery[path] = body
        return body

    def tell(self, say: str, seconds: float) -> None:
        """A frame now that says what happened; then, while time passes, one for each second in which something changed."""
        if not self.frames:
            self.begin = self._clock()
        self._frame(say)
        end = self._clock() + seconds
        while (left := end - self._clock()) > 0:
            self._sleep(min(left, SAMPLE_SECONDS))
            self._frame("")

    def _frame(self, say: str) -> None:
        frame: dict[str, Any] = {"at": round(self._clock() - self.begin, 1), "say": say}
        upserts: dict[str, list[dict[str, Any]]] = {}
        deletes: dict[str, list[str]] = {}
        for key, path, namespaced in self._kinds:
            if key in self._known and key.rsplit("/", 1)[1] in ONCE:
                continue
            now = self._read(key, path, namespaced)
            before = self._known.get(key, {})
            texts = {name: json.dumps(obj, sort_keys=True) for name, obj in now.items()}
            if changed := [now[n] for n, text in texts.items() if before.get(n) != text]:
                upserts[key] = changed
            if gone := sorted(before.keys() - texts.keys()):
                deletes[key] = gone
            self._known[key] = texts
        visibility = self._positions()
        if say or upserts or deletes or visibility:
            self.frames.append({**frame, "upserts": upserts, "deletes": deletes, "visibility": visibility})

    def _read(self, key: str, path: str, namespaced: bool) -> Objects:
        status, body = self._get(path)
        if status != 200:
            raise RuntimeError(f"GET {path}: {status} {str(body)[:300]}")
        group, version, plural = key.split("/")
        found: Objects = {}
        for obj in body["items"]:
            meta = obj["metadata"]
            if namespaced and not meta["namespace"].startswith(naming.PREFIX):
                continue
            if group == "rbac.authorization.k8s.io" and not namespaced and not meta["name"].startswith((naming.PREFIX, "hpgov-")):
                continue
            if plural != "namespaces":  # there the field manager says who wrote the contract's annotation
                meta.pop("managedFields", None)
            # items of a list of built-in kinds come without these two; a replayed GET of one needs them
            full = {"apiVersion": version if group == "core" else f"{group}/{version}", "kind": str(body["kind"]).removesuffix("List"), **obj}
            found[f"{meta['namespace']}/{meta['name']}" if namespaced else meta["name"]] = full
        return found

    def _positions(self) -> dict[str, Any]:
        """The pending Workloads of every LocalQueue, where Kueue's visibility API is served; what changed since."""
        changed = {}
        queues = next((names for key, names in self._known.items() if key.startswith("kueue.x-k8s.io/") and key.endswith("/localqueues")), {})
        for path in [p for p in self.discovery if p.startswith("/apis/visibility.kueue.x-k8s.io/")]:
            version = path.rsplit("/", 1)[1]
            for name in queues:
                namespace, queue = name.split("/")
                status, body = self._get(f"{path}/namespaces/{namespace}/localqueues/{queue}/pendingworkloads")
                if status != 200:
                    raise RuntimeError(f"positions of {name}: {status} {str(body)[:300]}")
                key, text = f"{version}/{namespace}/{queue}", json.dumps(body, sort_keys=True)
                if self._lines.get(key) != text:
                    self._lines[key] = text
                    changed[key] = body
        return changed

    def write(self, target: Path, name: str, kueue: str | None) -> None:
        head = {
            "format": 1,
            "name": name,
            "kueue": kueue,
            "kubernetes": self.discovery["/version"]["gitVersion"],
            "recorded_at": round(self.begin),
            "length": round(self._clock() - self.begin),
            "discovery": self.discovery,
        }
        compact = (",", ":")
        lines = ",\n".join(json.dumps(f, separators=compact, ensure_ascii=False) for f in self.frames)
        target.parent.mkdir(exist_ok=True)
        target.write_text(json.dumps(head, separators=compact, ensure_ascii=False)[:-1] + f',"frames":[\n{lines}\n]}}\n')


def record(name: str, target: Path) -> None:
    from tests.testbed import build  # a developer's command: the testbed is not part of the package
    from tests.testbed.hyperpod import HyperPod
    from tests.testbed.story import Story

    with tempfile.TemporaryDirectory(prefix="hpgov-record-") as work, HyperPod(build.find(), Path(work), kueue=NAMES[name], nodes=True) as cluster:

        def get(path: str) -> tuple[int, Any]:
            response = cluster.get(path)
            return response.status_code, response.json()

        recorder = Recorder(get)

        def tell(say: str, seconds: float) -> None:
            if not recorder.frames:
                recorder.discover()
            print(f"  {time.strftime('%H:%M:%S')} {say}", file=sys.stderr, flush=True)
            recorder.tell(say, seconds)

        story = Story(cluster, tell)
        story.plain() if name == "plain" else story.play()
        recorder.write(target, name, NAMES[name])
    print(f"{target}: {len(recorder.frames)} frames, {target.stat().st_size // 1024} KiB", file=sys.stderr)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m hpgov_jlab.sandbox.record", description="Records the sandbox's stories from a real Kubernetes with Kueue.")
    parser.add_argument("names", nargs="*", help=f"which: {', '.join(NAMES)}; all without")
    parser.add_argument("--into", type=Path, default=RECORDINGS)
    asked = parser.parse_args()
    if unknown := set(asked.names) - set(NAMES):
        parser.error(f"no such recording: {', '.join(sorted(unknown))}")
    for name in asked.names or NAMES:
        print(f"recording {name}", file=sys.stderr, flush=True)
        record(name, asked.into / f"{name}.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
