"""Discovery as recorded: what the server serves, less what this recording can't answer; aggregated discovery is made from the same documents."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from .recording import Object, Recording

AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
BUILTIN = frozenset(
    {"", "admissionregistration.k8s.io", "apiextensions.k8s.io", "apiregistration.k8s.io", "apps", "authentication.k8s.io", "authorization.k8s.io",
     "autoscaling", "batch", "certificates.k8s.io", "coordination.k8s.io", "discovery.k8s.io", "events.k8s.io", "flowcontrol.apiserver.k8s.io",
     "networking.k8s.io", "node.k8s.io", "policy", "rbac.authorization.k8s.io", "resource.k8s.io", "scheduling.k8s.io", "storage.k8s.io"}
)  # fmt: skip
"""Groups that kube-apiserver serves by itself: their unknown plurals and their lists look different from those of CRDs."""
REVIEWS = frozenset({("authorization.k8s.io", "selfsubjectaccessreviews"), ("authentication.k8s.io", "selfsubjectreviews")})
VISIBILITY = "visibility.kueue.x-k8s.io"


def key(group: str, version: str, plural: str) -> str:
    return f"{group or 'core'}/{version}/{plural}"


@dataclass(frozen=True, slots=True)
class Resource:
    group: str
    version: str
    plural: str
    kind: str
    namespaced: bool

    @property
    def group_version(self) -> str:
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def builtin(self) -> bool:
        return self.group in BUILTIN


class Discovery:
    """`absent` are groups that this scenario's cluster has not installed."""

    def __init__(self, recording: Recording, absent: Collection[str] = ()) -> None:
        recorded = {k for f in recording.frames for k in f.upserts}
        self.resources: dict[tuple[str, str, str], Resource] = {}
        self.subresources: set[tuple[str, str, str]] = set()
        self.documents: dict[str, Object] = {}
        for path, document in recording.discovery.items():
            if path.startswith("/apis/") and path.count("/") == 2:
                continue  # a group's own document: made from the list of groups
            group, version = _group_version(path)
            if group in absent:
                continue
            if version:
                document = {**document, "resources": self._served(document["resources"], group, version, recorded)}
            self.documents[path] = document
        self._groups(absent)

    def _served(self, resources: list[Any], group: str, version: str, recorded: set[str]) -> list[Any]:
        """Only what can be answered: a plural that was recorded in another version of its group only would have to be converted, as Kueue's webhook does."""
        elsewhere = {p for k in recorded for g, v, p in [k.split("/")] if g == (group or "core") and v != version}
        kept = []
        for r in resources:
            plural, _, sub = r["name"].partition("/")
            if plural in elsewhere and key(group, version, plural) not in recorded:
                continue
            kept.append(r)
            if sub:
                self.subresources.add((group, version, r["name"]))
            else:
                self.resources[(group, version, plural)] = Resource(group, version, plural, r["kind"], bool(r["namespaced"]))
        return kept

    def _groups(self, absent: Collection[str]) -> None:
        listed = self.documents.get("/apis")
        if listed is None:
            raise ValueError("a recording needs the discovery of /apis")
        groups = []
        for g in listed["groups"]:
            versions = [v for v in g["versions"] if f"/apis/{v['groupVersion']}" in self.documents]
            if g["name"] in absent or not versions:
                continue
            preferred = g["preferredVersion"] if g.get("preferredVersion") in versions else versions[0]
            groups.append({"name": g["name"], "versions": versions, "preferredVersion": preferred})
            self.documents[f"/apis/{g['name']}"] = {"kind": "APIGroup", "apiVersion": "v1", **groups[-1]}
        self.documents["/apis"] = {**listed, "groups": groups}

    def document(self, path: str) -> Object | None:
        return self.documents.get(path.rstrip("/") or "/")

    def aggregated(self, path: str) -> Object:
        """`/api` or `/apis` in the aggregated form (apidiscovery.k8s.io/v2)."""
        if path.rstrip("/") == "/api":
            items: list[Any] = [{"metadata": {}, "versions": [self._aggregated("", v) for v in self.documents["/api"]["versions"]]}]
        else:
            # the server's own groups in their order, those of CRDs by name, then what another server adds
            groups = sorted(self.documents["/apis"]["groups"], key=lambda g: ("" if g["name"] in BUILTIN else g["name"]) if g["name"] != VISIBILITY else "~")
            items = [{"metadata": {"name": g["name"]}, "versions": [self._aggregated(g["name"], v["version"]) for v in g["versions"]]} for g in groups]
        return {"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": {}, "items": items}

    def _aggregated(self, group: str, version: str) -> Mapping[str, Any]:
        resources: dict[str, dict[str, Any]] = {}
        document = self.documents[f"/apis/{group}/{version}" if group else f"/api/{version}"]
        for r in document["resources"]:
            plural, _, sub = r["name"].partition("/")
            # the aggregator repeats what the other server said, which leaves both out; for CRDs the server fills them in
            own = ("", "") if group in BUILTIN or group == VISIBILITY else (group, version)
            kind = {"group": r.get("group", own[0]), "version": r.get("version", own[1]), "kind": r["kind"]}
            if not sub:
                scope = "Namespaced" if r["namespaced"] else "Cluster"
                made = {"resource": plural, "responseKind": kind, "scope": scope, "singularResource": r.get("singularName", ""), "verbs": r["verbs"]}
                resources[plural] = made | {k: r[k] for k in ("shortNames", "categories") if k in r}
            else:
                # a group can serve a subresource alone, as the visibility API does
                parent = resources.setdefault(plural, {"resource": plural, "scope": "Namespaced" if r["namespaced"] else "Cluster"})
                parent.setdefault("subresources", []).append({"subresource": sub, "responseKind": kind, "verbs": r["verbs"]})
        listed = list(resources.values()) if group in BUILTIN else sorted(resources.values(), key=lambda r: str(r["resource"]))
        return {"version": version, "resources": listed, "freshness": "Current"}


def _group_version(path: str) -> tuple[str, str]:
    parts = path.strip("/").split("/")
    if parts[0] == "api":
        return "", parts[1] if len(parts) > 1 else ""
    if parts[0] == "apis" and len(parts) == 3:
        return parts[1], parts[2]
    return "", ""
