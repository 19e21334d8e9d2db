"""The kinds of task that the product reads: where each is served and how it is decoded and lifted to one shape, TaskObject."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .kinds_jobs import HyperPodPyTorchJob, Job, JobSet, TrainingJob
from .kinds_serving import InferenceEndpoint, RayCluster, RayJob, Serving, Workspace
from .taskobject import BADLY, WELL, TaskObject, TaskPods

__all__ = ["BADLY", "BY_PLURAL", "KINDS", "WELL", "Kind", "TaskObject", "TaskPods"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of task: where it is served and how it is decoded. `versions` are those whose shape we know, the preferred first."""

    kind: str
    group: str
    plural: str
    versions: tuple[str, ...]
    shape: type[Any]

    @property
    def resource(self) -> str:
        return f"{self.plural}.{self.group}"

    def lift(self, decoded: Any, version: str) -> TaskObject:
        """`decoded`: an instance of `shape`."""
        make: Callable[[str, str, str], TaskObject] = decoded.task
        return make(self.kind, self.plural, f"{self.group}/{version}")


KINDS: tuple[Kind, ...] = (
    Kind("HyperPodPyTorchJob", "sagemaker.amazonaws.com", "hyperpodpytorchjobs", ("v1",), HyperPodPyTorchJob),
    Kind("Job", "batch", "jobs", ("v1",), Job),
    Kind("PyTorchJob", "kubeflow.org", "pytorchjobs", ("v1",), TrainingJob),
    Kind("TFJob", "kubeflow.org", "tfjobs", ("v1",), TrainingJob),
    Kind("XGBoostJob", "kubeflow.org", "xgboostjobs", ("v1",), TrainingJob),
    Kind("PaddleJob", "kubeflow.org", "paddlejobs", ("v1",), TrainingJob),
    Kind("JAXJob", "kubeflow.org", "jaxjobs", ("v1",), TrainingJob),
    Kind("MPIJob", "kubeflow.org", "mpijobs", ("v2beta1", "v1"), TrainingJob),
    Kind("RayJob", "ray.io", "rayjobs", ("v1", "v1alpha1"), RayJob),
    Kind("RayCluster", "ray.io", "rayclusters", ("v1", "v1alpha1"), RayCluster),
    Kind("JobSet", "jobset.x-k8s.io", "jobsets", ("v1alpha2",), JobSet),
    Kind("Workspace", "workspace.jupyter.org", "workspaces", ("v1alpha1",), Workspace),
    Kind("InferenceEndpointConfig", "inference.sagemaker.aws.amazon.com", "inferenceendpointconfigs", ("v1", "v1alpha1"), InferenceEndpoint),
    Kind("JumpStartModel", "inference.sagemaker.aws.amazon.com", "jumpstartmodels", ("v1", "v1alpha1"), InferenceEndpoint),
    Kind("Deployment", "apps", "deployments", ("v1",), Serving),
    Kind("StatefulSet", "apps", "statefulsets", ("v1",), Serving),
)
"""Plain pods under Kueue are read as pods (model/kubernetes.py). Matched by group and plural: the same kind is spelt in two ways in AWS's own texts."""

BY_PLURAL: dict[str, Kind] = {kind.resource: kind for kind in KINDS}
