"""Wire shapes of the kinds that stay: Ray, Spaces, inference endpoints, Deployment, StatefulSet. Sources: facts/hyperpod.md 3, facts/kubernetes.md 1.5."""

from __future__ import annotations

from datetime import datetime

from msgspec import field

from .kubernetes import Condition, Container, Filled, Many, Meta, PodSpec, PodTemplate, Quantity, Resources, Shape
from .taskobject import BADLY, WELL, TaskObject, TaskPods, now_true


# -- ray.io ---------------------------------------------------------------------------------------------------------------------------
class HeadGroup(Shape, frozen=True):
    template: Filled[PodTemplate] = field(default_factory=PodTemplate)


class WorkerGroup(Shape, frozen=True):
    group_name: str = ""
    replicas: int | None = None
    num_of_hosts: int | None = None
    template: Filled[PodTemplate] = field(default_factory=PodTemplate)

    @property
    def count(self) -> int:
        return (1 if self.replicas is None else self.replicas) * (self.num_of_hosts or 1)


class RayClusterSpec(Shape, frozen=True):
    suspend: bool | None = None
    head_group_spec: Filled[HeadGroup] = field(default_factory=HeadGroup)
    worker_group_specs: Many[WorkerGroup] = ()

    @property
    def pods(self) -> tuple[TaskPods, ...]:
        """Without the autoscaler's and Redis' own containers, which the operator adds."""
        head = TaskPods(name="head", count=1, template=self.head_group_spec.template)
        return (head, *(TaskPods(name=g.group_name, count=g.count, template=g.template) for g in self.worker_group_specs))


class RayClusterStatus(Shape, frozen=True):
    state: str | None = None
    reason: str | None = None
    conditions: Many[Condition] = ()
    ready_worker_replicas: int | None = None
    desired_worker_replicas: int | None = None


class RayCluster(Shape, frozen=True):
    metadata: Filled[Meta] = field(default_factory=Meta)
    spec: Filled[RayClusterSpec] = field(default_factory=RayClusterSpec)
    status: Filled[RayClusterStatus] = field(default_factory=RayClusterStatus)

    def task(self, kind: str, plural: str, api: str) -> TaskObject:
        s = self.status
        return TaskObject(
            kind=kind,
            plural=plural,
            api=api,
            metadata=self.metadata,
            suspended=bool(self.spec.suspend),
            phase=s.state,
            conditions=s.conditions,
            pods=self.spec.pods,
            wanted=s.desired_worker_replicas,
            ready=s.ready_worker_replicas,
        )


SUBMITTER = PodTemplate(
    spec=PodSpec(containers=(Container(name="submitter", resources=Resources(requests={"cpu": Quantity("500m"), "memory": Quantity("200Mi")})),))
)
"""What KubeRay gives the submitter pod of a RayJob in K8sJobMode that brings no template of its own (facts/kubernetes.md 4.3)."""


class RayJobSpec(Shape, frozen=True):
    suspend: bool | None = None
    submission_mode: str | None = None  # K8sJobMode where nothing is said
    ray_cluster_spec: RayClusterSpec | None = None  # None: it runs on a cluster found by selector
    submitter_pod_template: PodTemplate | None = None

    @property
    def pods(self) -> tuple[TaskPods, ...]:
        sets = self.ray_cluster_spec.pods if self.ray_cluster_spec else ()
        if (self.submission_mode or "K8sJobMode") == "K8sJobMode":
            sets = (*sets, TaskPods(name="submitter", count=1, template=self.submitter_pod_template or SUBMITTER))
        return sets


class RayJobStatus(Shape, frozen=True):
    job_status: str | None = None  # PENDING, RUNNING, STOPPED, SUCCEEDED, FAILED
    job_deployment_status: str | None = None  # Initializing, Running, Complete, Failed, Suspended, Retrying ...
    reason: str | None = None
    ray_cluster_name: str | None = None
    start_time: datetime | None = None
    end_time: datetime | None = None
    failed: int | None = None
    succeeded: int | None = None


class RayJob(Shape, frozen=True):
    metadata: Filled[Meta] = field(default_factory=Meta)
    spec: Filled[RayJobSpec] = field(default_factory=RayJobSpec)
    status: Filled[RayJobStatus] = field(default_factory=RayJobStatus)

    def task(self, kind: str, plural: str, api: str) -> TaskObject:
        s = self.status
        ended = {"Complete": WELL, "Failed": BADLY}.get(s.job_deployment_status or "")
        if ended == WELL and s.job_status in ("FAILED", "STOPPED"):  # the deployment completed, the job in it did not
            ended = BADLY
        return TaskObject(
            kind=kind,
            plural=plural,
            api=api,
            metadata=self.metadata,
            suspended=bool(self.spec.suspend),
            phase=s.job_deployment_status or s.job_status,
            reason=s.reason,
            pods=self.spec.pods,
            ended=ended,
            start=s.start_time,
            finish=s.end_time,
            failed=s.failed,
            succeeded=s.succeeded,
            child=s.ray_cluster_name,
        )


# -- workspace.jupyter.org ------------------------------------------------------------------------------------------------------------------
class WorkspaceSpec(Shape, frozen=True):
    desired_status: str | None = None  # Running, Stopped
    service_account_name: str | None = None
    resources: Resources | None = None


class WorkspaceStatus(Shape, frozen=True):
    conditions: Many[Condition] = ()


class Workspace(Shape, frozen=True):
    """A Space: one pod. `suspended` when it is meant to be stopped."""

    metadata: Filled[Meta] = field(default_factory=Meta)
    spec: Filled[WorkspaceSpec] = field(default_factory=WorkspaceSpec)
    status: Filled[WorkspaceStatus] = field(default_factory=WorkspaceStatus)

    def task(self, kind: str, plural: str, api: str) -> TaskObject:
        s, wanted = self.status.conditions, self.spec
        pods: tuple[TaskPods, ...] | None = None
        if wanted.resources is not None:  # else its template says, which we do not read
            spec = PodSpec(containers=(Container(name="workspace", resources=wanted.resources),), service_account_name=wanted.service_account_name)
            pods = (TaskPods(count=1, template=PodTemplate(spec=spec)),)
        degraded = next((c.reason for c in s if c.type == "Degraded" and c.true), None)
        why = degraded or next((c.reason for c in s if c.true and c.type in ("Stopped", "Deleting", "Progressing")), None)
        return TaskObject(
            kind=kind,
            plural=plural,
            api=api,
            metadata=self.metadata,
            suspended=wanted.desired_status == "Stopped",
            phase=now_true(s),
            reason=why,
            conditions=s,
            pods=pods,
            wanted=0 if wanted.desired_status == "Stopped" else 1,
            ready=1 if any(c.type == "Available" and c.true for c in s) else 0,
        )


# -- inference.sagemaker.aws.amazon.com --------------------------------------------------------------------------------------------------------
class EndpointWorker(Shape, frozen=True):
    resources: Resources | None = None


class EndpointSpec(Shape, frozen=True):
    replicas: int | None = None
    worker: EndpointWorker | None = None


class EndpointStatus(Shape, frozen=True):
    state: str | None = None  # DeploymentPending, DeploymentInProgress, DeploymentFailed, DeploymentComplete
    replicas: int | None = None
    conditions: Many[Condition] = ()


class InferenceEndpoint(Shape, frozen=True):
    """InferenceEndpointConfig and JumpStartModel: served for ever, so never ended."""

    metadata: Filled[Meta] = field(default_factory=Meta)
    spec: Filled[EndpointSpec] = field(default_factory=EndpointSpec)
    status: Filled[EndpointStatus] = field(default_factory=EndpointStatus)

    def task(self, kind: str, plural: str, api: str) -> TaskObject:
        count = 1 if self.spec.replicas is None else self.spec.replicas
        pods: tuple[TaskPods, ...] | None = None
        if self.spec.worker is not None and self.spec.worker.resources is not None:
            pods = (TaskPods(count=count, template=PodTemplate(spec=PodSpec(containers=(Container(name="worker", resources=self.spec.worker.resources),)))),)
        return TaskObject(
            kind=kind,
            plural=plural,
            api=api,
            metadata=self.metadata,
            phase=self.status.state,
            conditions=self.status.conditions,
            pods=pods,
            wanted=count,
            ready=self.status.replicas,
        )


# -- apps/v1 -----------------------------------------------------------------------------------------------------------------------------------
class ServingSpec(Shape, frozen=True):
    replicas: int | None = None
    template: Filled[PodTemplate] = field(default_factory=PodTemplate)


class ServingStatus(Shape, frozen=True):
    conditions: Many[Condition] = ()
    ready_replicas: int | None = None


class Serving(Shape, frozen=True):
    """Deployment and StatefulSet. Under Kueue each pod of a Deployment is a Workload of its own (facts/kubernetes.md 4.3)."""

    metadata: Filled[Meta] = field(default_factory=Meta)
    spec: Filled[ServingSpec] = field(default_factory=ServingSpec)
    status: Filled[ServingStatus] = field(default_factory=ServingStatus)

    def task(self, kind: str, plural: str, api: str) -> TaskObject:
        count, s = 1 if self.spec.replicas is None else self.spec.replicas, self.status
        return TaskObject(
            kind=kind,
            plural=plural,
            api=api,
            metadata=self.metadata,
            phase=now_true(s.conditions),
            conditions=s.conditions,
            pods=(TaskPods(count=count, template=self.spec.template),),
            wanted=count,
            ready=s.ready_replicas or 0,
        )
