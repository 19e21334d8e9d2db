"""Manifests of every kind of task, as people write them for a HyperPod cluster (facts: hyperpod page 3)."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

from .hyperpod import Team, priority_class_of

Manifest = dict[str, Any]
QUEUE, PRIORITY = "kueue.x-k8s.io/queue-name", "kueue.x-k8s.io/priority-class"
# kind -> (API version, plural)
KINDS: dict[str, tuple[str, str]] = {
    "Job": ("batch/v1", "jobs"),
    "Deployment": ("apps/v1", "deployments"),
    "StatefulSet": ("apps/v1", "statefulsets"),
    "Pod": ("v1", "pods"),
    "PyTorchJob": ("kubeflow.org/v1", "pytorchjobs"),
    "TFJob": ("kubeflow.org/v1", "tfjobs"),
    "XGBoostJob": ("kubeflow.org/v1", "xgboostjobs"),
    "MPIJob": ("kubeflow.org/v2beta1", "mpijobs"),
    "JobSet": ("jobset.x-k8s.io/v1alpha2", "jobsets"),
    "RayJob": ("ray.io/v1", "rayjobs"),
    "RayCluster": ("ray.io/v1", "rayclusters"),
    "HyperPodPyTorchJob": ("sagemaker.amazonaws.com/v1", "hyperpodpytorchjobs"),
    "Workspace": ("workspace.jupyter.org/v1alpha1", "workspaces"),
    "InferenceEndpointConfig": ("inference.sagemaker.aws.amazon.com/v1", "inferenceendpointconfigs"),
    "JumpStartModel": ("inference.sagemaker.aws.amazon.com/v1", "jumpstartmodels"),
}


def path(kind: str, namespace: str, name: str = "") -> str:
    version, plural = KINDS[kind]
    return f"{'/api' if '/' not in version else '/apis'}/{version}/namespaces/{namespace}/{plural}{f'/{name}' if name else ''}"


def template(
    gpus: int = 8,
    cpu: str = "96",
    memory: str = "1000Gi",
    *,
    name: str = "trainer",
    image: str = "registry.example/train:1.4",
    restart: str = "Never",
    requests: Mapping[str, str] | None = None,
    env: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    **spec: Any,
) -> Manifest:
    """A pod template with one container. Accelerators stand in requests and limits, as the API server wants them."""
    asked = dict(requests) if requests is not None else {"cpu": cpu, "memory": memory, **({"nvidia.com/gpu": str(gpus)} if gpus else {})}
    container: Manifest = {"name": name, "image": image, "resources": {"requests": asked, "limits": {k: v for k, v in asked.items() if "/" in k}}}
    if env:
        container["env"] = [{"name": k, "value": v} for k, v in env.items()]
    return {**({"metadata": {"labels": dict(labels)}} if labels else {}), "spec": {"restartPolicy": restart, "containers": [container], **spec}}


def manifest(
    kind: str,
    team: Team,
    name: str,
    spec: Manifest,
    *,
    priority: str | None = None,
    queue: str | None = "",
    by: str | None = None,
    labels: Mapping[str, str] | None = None,
    annotations: Mapping[str, str] | None = None,
) -> Manifest:
    """`queue` None: no queue label; empty: the team's. `by`: the label that HyperPod's own tools write for who submitted."""
    marks = {
        **({} if queue is None else {QUEUE: queue or team.local_queue}),
        **({PRIORITY: priority_class_of(priority)} if priority else {}),
        **({"sagemaker.user/created-by": by} if by else {}),
        **(labels or {}),
    }
    return {
        "apiVersion": KINDS[kind][0],
        "kind": kind,
        "metadata": {"name": name, "namespace": team.namespace, "labels": marks, **({"annotations": dict(annotations)} if annotations else {})},
        "spec": spec,
    }


def job(team: Team, name: str, pods: int = 1, pod: Manifest | None = None, *, backoff: int = 0, **meta: Any) -> Manifest:
    return manifest("Job", team, name, {"parallelism": pods, "completions": pods, "backoffLimit": backoff, "template": pod or template()}, **meta)


def pytorch_job(team: Team, name: str, workers: int, pod: Manifest | None = None, **meta: Any) -> Manifest:
    body = pod or template(name="pytorch")
    return manifest(
        "PyTorchJob",
        team,
        name,
        {
            "pytorchReplicaSpecs": {
                "Master": {"replicas": 1, "restartPolicy": "OnFailure", "template": _restarting(body)},
                "Worker": {"replicas": workers, "restartPolicy": "OnFailure", "template": _restarting(body)},
            }
        },
        **meta,
    )


def tf_job(team: Team, name: str, workers: int, pod: Manifest | None = None, **meta: Any) -> Manifest:
    body = pod or template(name="tensorflow")
    return manifest(
        "TFJob",
        team,
        name,
        {"tfReplicaSpecs": {"Chief": {"replicas": 1, "template": _restarting(body)}, "Worker": {"replicas": workers, "template": _restarting(body)}}},
        **meta,
    )


def xgboost_job(team: Team, name: str, workers: int, pod: Manifest | None = None, **meta: Any) -> Manifest:
    body = pod or template(name="xgboost")
    return manifest(
        "XGBoostJob",
        team,
        name,
        {"xgbReplicaSpecs": {"Master": {"replicas": 1, "template": _restarting(body)}, "Worker": {"replicas": workers, "template": _restarting(body)}}},
        **meta,
    )


def mpi_job(team: Team, name: str, workers: int, pod: Manifest | None = None, **meta: Any) -> Manifest:
    launcher = template(0, "2", "8Gi", name="launcher", restart="OnFailure")
    return manifest(
        "MPIJob",
        team,
        name,
        {
            "slotsPerWorker": 8,
            "mpiReplicaSpecs": {"Launcher": {"replicas": 1, "template": launcher}, "Worker": {"replicas": workers, "template": pod or template(name="mpi")}},
        },
        **meta,
    )


def job_set(team: Team, name: str, replicas: int, pods: int, pod: Manifest | None = None, **meta: Any) -> Manifest:
    each = {"spec": {"parallelism": pods, "completions": pods, "backoffLimit": 0, "template": pod or template()}}
    return manifest("JobSet", team, name, {"replicatedJobs": [{"name": "workers", "replicas": replicas, "template": each}]}, **meta)


def ray_cluster_spec(workers: int, pod: Manifest | None = None) -> Manifest:
    head, worker = template(0, "8", "32Gi", name="ray-head", restart="Always"), _restarting(pod or template(name="ray-worker"), "Always")
    return {
        "rayVersion": "2.46.0",
        "headGroupSpec": {"rayStartParams": {}, "template": head},
        "workerGroupSpecs": [
            {"groupName": "gpu", "replicas": workers, "minReplicas": workers, "maxReplicas": workers, "rayStartParams": {}, "template": worker}
        ],
    }


def ray_job(team: Team, name: str, workers: int, pod: Manifest | None = None, **meta: Any) -> Manifest:
    return manifest(
        "RayJob", team, name, {"entrypoint": "python tune.py", "shutdownAfterJobFinishes": True, "rayClusterSpec": ray_cluster_spec(workers, pod)}, **meta
    )


def ray_cluster(team: Team, name: str, workers: int, pod: Manifest | None = None, **meta: Any) -> Manifest:
    return manifest("RayCluster", team, name, ray_cluster_spec(workers, pod), **meta)


def deployment(team: Team, name: str, replicas: int, pod: Manifest | None = None, **meta: Any) -> Manifest:
    return manifest("Deployment", team, name, {"replicas": replicas, **_selected(name, pod)}, **meta)


def stateful_set(team: Team, name: str, replicas: int, pod: Manifest | None = None, **meta: Any) -> Manifest:
    return manifest("StatefulSet", team, name, {"replicas": replicas, "serviceName": name, **_selected(name, pod)}, **meta)


def pod(team: Team, name: str, body: Manifest | None = None, **meta: Any) -> Manifest:
    return manifest("Pod", team, name, (body or template())["spec"], **meta)


def hyperpod_job(team: Team, name: str, replicas: int, spares: int = 0, pod: Manifest | None = None, **meta: Any) -> Manifest:
    return manifest(
        "HyperPodPyTorchJob",
        team,
        name,
        {"nprocPerNode": "8", "replicaSpecs": [{"name": "pods", "replicas": replicas, "spares": spares, "template": pod or template(name="pytorch")}]},
        **meta,
    )


def workspace(team: Team, name: str, *, by: str, gpus: int = 1, cpu: str = "16", memory: str = "128Gi", **meta: Any) -> Manifest:
    asked = {"cpu": cpu, "memory": memory, "nvidia.com/gpu": str(gpus)}
    return manifest(
        "Workspace",
        team,
        name,
        {
            "displayName": name,
            "desiredStatus": "Running",
            "ownershipType": "OwnerOnly",
            "image": "registry.example/sagemaker-distribution:4.0.0",
            "resources": {"requests": asked, "limits": asked},
        },
        annotations={"workspace.jupyter.org/created-by": by},
        **meta,
    )


def served_model(kind: str, team: Team, name: str, replicas: int, **meta: Any) -> Manifest:
    return manifest(kind, team, name, {"modelName": name, "instanceType": "ml.p5.48xlarge", "replicas": replicas}, queue=None, **meta)


def _restarting(body: Manifest, policy: str = "OnFailure") -> Manifest:
    return {**body, "spec": {**body["spec"], "restartPolicy": policy}}


def _selected(name: str, body: Manifest | None) -> Manifest:
    made = _restarting(body or template(1, "16", "128Gi", name="server"), "Always")
    return {
        "selector": {"matchLabels": {"app": name}},
        "template": {**made, "metadata": {"labels": {"app": name, **made.get("metadata", {}).get("labels", {})}}},
    }


def timestamp() -> str:
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def condition(kind: str, status: str, reason: str, message: str = "") -> Manifest:
    stamp = timestamp()
    return {"type": kind, "status": status, "reason": reason, "message": message, "lastTransitionTime": stamp, "lastUpdateTime": stamp}
