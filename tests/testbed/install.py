"""Kueue's own objects, from the manifests of its module, pointed at its ports on loopback instead of at a Service."""

from __future__ import annotations

import copy
import functools
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from .rig import Rig

MINIMAL_DEFINITIONS = Path(__file__).resolve().parent / "definitions.yaml"


AT_A_TIME = 4


@functools.cache
def _documents(file: Path) -> tuple[dict[str, Any], ...]:
    """A file's definitions without the descriptions in their schemas: nobody here explains a field, and the API server is up in half the time."""
    return tuple(_undescribed(document) for document in yaml.load_all(file.read_text(), Loader=yaml.CSafeLoader))


def _undescribed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _undescribed(each) for key, each in value.items() if key != "description" or not isinstance(each, str)}
    return [_undescribed(each) for each in value] if isinstance(value, list) else value


def definitions(rig: Rig) -> None:
    path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    kueue = rig.out / f"kueue-{rig.kueue_version}"
    files = [*sorted((kueue / "crd/bases").glob("*.yaml")), *sorted((rig.out / "crds").glob("*.yaml")), MINIMAL_DEFINITIONS]
    # Kueue's own kustomization says which of its kinds convert; the others fail when told to use the webhook
    converted = "\n".join(line for line in (kueue / "crd/kustomization.yaml").read_text().splitlines() if not line.startswith("#"))
    documents = [copy.deepcopy(document) for file in files for document in _documents(file)]
    served: dict[str, set[str]] = {}  # path of a group's version -> plurals
    for crd in documents:
        spec = crd["spec"]
        if f"patches/webhook_in_{spec['names']['plural']}.yaml" in converted and len(spec["versions"]) > 1:
            spec["conversion"] = {
                "strategy": "Webhook",
                "webhook": {
                    "conversionReviewVersions": ["v1"],
                    "clientConfig": {"url": f"https://127.0.0.1:{rig.ports['webhook']}/convert", "caBundle": rig.ca},
                },
            }
        if spec["group"].endswith("k8s.io"):
            crd["metadata"].setdefault("annotations", {}).setdefault("api-approved.kubernetes.io", "unapproved, test")
        for version in spec["versions"]:
            if version["served"]:
                served.setdefault(f"/apis/{spec['group']}/{version['name']}", set()).add(spec["names"]["plural"])
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        list(pool.map(functools.partial(rig.create, path), documents))

    def there() -> bool:
        """Asked of discovery: a list of all definitions is megabytes. What was seen once is not asked for again."""
        for at, plurals in list(served.items()):
            answer = rig.get(at)
            if answer.status_code != 200 or not plurals <= {each["name"] for each in answer.json()["resources"]}:
                return False
            del served[at]
        return True

    rig.servers.wait(there, "the definitions")


def roles(rig: Rig) -> None:
    for file in sorted((rig.out / f"kueue-{rig.kueue_version}/rbac").glob("*role.yaml")):
        for document in yaml.safe_load_all(file.read_text()):
            if document and document["kind"] == "ClusterRole":
                document["metadata"]["name"] = f"kueue-{document['metadata']['name']}"
                rig.create("/apis/rbac.authorization.k8s.io/v1/clusterroles", document)


def webhooks(rig: Rig) -> None:
    for document in yaml.safe_load_all((rig.out / f"kueue-{rig.kueue_version}/webhook/manifests.yaml").read_text()):
        if not document:
            continue
        for hook in document["webhooks"]:
            service = hook["clientConfig"].pop("service")
            hook["clientConfig"] = {"url": f"https://127.0.0.1:{rig.ports['webhook']}{service['path']}", "caBundle": rig.ca}
            hook["namespaceSelector"] = {
                "matchExpressions": [{"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": ["kube-system", "kueue-system"]}]
            }
        rig.create(f"/apis/admissionregistration.k8s.io/v1/{document['kind'].lower()}s", document)


def visibility(rig: Rig) -> None:
    port = rig.ports["visibility"]
    rig.create(
        "/api/v1/namespaces/kueue-system/services",
        {"metadata": {"name": "visibility"}, "spec": {"type": "ExternalName", "externalName": "localhost", "ports": [{"port": port}]}},
    )
    for version in ("v1beta1", "v1beta2"):
        rig.create(
            "/apis/apiregistration.k8s.io/v1/apiservices",
            {
                "metadata": {"name": f"{version}.visibility.kueue.x-k8s.io"},
                "spec": {
                    "group": "visibility.kueue.x-k8s.io",
                    "version": version,
                    "groupPriorityMinimum": 100,
                    "versionPriority": 100,
                    "insecureSkipTLSVerify": True,
                    "service": {"name": "visibility", "namespace": "kueue-system", "port": port},
                },
            },
        )

    def available() -> bool:
        return all(rig.get(f"/apis/visibility.kueue.x-k8s.io/{v}").status_code == 200 for v in ("v1beta1", "v1beta2"))

    rig.servers.wait(available, "Kueue's visibility API")
