"""Wire shapes of the kinds that end: Job, Kubeflow's jobs, HyperPodPyTorchJob, JobSet. Sources: facts/hyperpod.md 3, facts/kubernetes.md 1.5."""

from __future__ import annotations

from datetime import datetime

from msgspec import field

from .kubernetes import Condition, Filled, Many, Meta, PodTemplate, Shape
from .taskobject import BADLY, WELL, TaskObject, TaskPods, ending, now_true


# -- batch/v1 ---------------------------------------------------------------------------------------------------------------------
class JobSpec(Shape, frozen=True):
    suspend: bool | None = None
    parallelism: int | None = None
    completions: int | None = None
    template: Filled[PodTemplate] = field(default_factory=PodTemplate)

    @property
    def count(self) -> int:
        wanted = 1 if self.parallelism is None else self.parallelism
        return wanted if self.completions is None else min(wanted, self.completions)


class JobStatus(Shape, frozen=True):
    conditions: Many[Condition] = ()
    start_time: datetime | None = None
    completion_time: datetime | None = None
    active: int | None = None
    ready: int | None = None
    succeeded: int | None = None
    failed: int | None = None


class Job(Shape, frozen=True):
    metadata: Filled[Meta] = field(default_factory=Meta)
    spec: Filled[JobSpec] = field(default_factory=JobSpec)
    status: Filled[JobStatus] = field(default_factory=JobStatus)

    def task(self, kind: str, plural: str, api: str) -> TaskObject:
        s, minimum = self.status, self.metadata.annotations.min_parallelism
        ended, how = ending(s.conditions, ("Complete",), ("Failed",))
        pods = TaskPods(
            count=self.spec.count, min_count=int(minimum) if minimum and minimum.isdecimal() and len(minimum) < 10 else None, template=self.spec.template
        )
        return TaskObject(
            kind=kind,
            plural=plural,
            api=api,
            metadata=self.metadata,
            suspended=bool(self.spec.suspend),
            phase=now_true(s.conditions),
            reason=how.reason if how else None,
            conditions=s.conditions,
            pods=(pods,),
            ended=ended,
            start=s.start_time,
            finish=s.completion_time or (how.last_transition_time if how else None),
            wanted=self.spec.completions,
            active=s.active or 0,
            ready=s.ready,
            succeeded=s.succeeded or 0,
            failed=s.failed or 0,
        )


# -- kubeflow.org ------------------------------------------------------------------------------------------------------------------
class ReplicaSpec(Shape, frozen=True):
    replicas: int | None = None
    template: Filled[PodTemplate] = field(default_factory=PodTemplate)


class RunPolicy(Shape, frozen=True):
    suspend: bool | None = None


Replicas = dict[str, ReplicaSpec] | None


class TrainingSpec(Shape, frozen=True):
    """One struct for all of them: each kind fills one of these maps."""

    run_policy: Filled[RunPolicy] = field(default_factory=RunPolicy)
    pytorch_replica_specs: Replicas = None
    tf_replica_specs: Replicas = None
    xgb_replica_specs: Replicas = None
    paddle_replica_specs: Replicas = None
    jax_replica_specs: Replicas = None
    mpi_replica_specs: Replicas = None

    @property
    def replicas(self) -> dict[str, ReplicaSpec]:
        return (
            self.pytorch_replica_specs
            or self.tf_replica_specs
            or self.xgb_replica_specs
            or self.paddle_replica_specs
            or self.jax_replica_specs
            or self.mpi_replica_specs
            or {}
        )


class ReplicaStatus(Shape, frozen=True):
    active: int | None = None
    succeeded: int | None = None
    failed: int | None = None


class TrainingStatus(Shape, frozen=True):
    conditions: Many[Condition] = ()
    replica_statuses: dict[str, ReplicaStatus | None] | None = None
    start_time: datetime | None = None
    completion_time: datetime | None = None


class TrainingJob(Shape, frozen=True):
    """PyTorchJob, TFJob, XGBoostJob, PaddleJob, JAXJob, MPIJob (v1 and v2beta1). Kueue names their pod sets by the replica type in lower case."""

    metadata: Filled[Meta] = field(default_factory=Meta)
    spec: Filled[TrainingSpec] = field(default_factory=TrainingSpec)
    status: Filled[TrainingStatus] = field(default_factory=TrainingStatus)

    def task(self, kind: str, plural: str, api: str) -> TaskObject:
        s = self.status
        ended, how = ending(s.conditions, ("Succeeded",), ("Failed",))
        pods = tuple(TaskPods(name=name.lower(), count=1 if r.replicas is None else r.replicas, template=r.template) for name, r in self.spec.replicas.items())
        counts = [r for r in (s.replica_statuses or {}).values() if r is not None]
        return TaskObject(
            kind=kind,
            plural=plural,
            api=api,
            metadata=self.metadata,
            suspended=bool(self.spec.run_policy.suspend),
            phase=now_true(s.conditions),
            reason=how.reason if how else None,
            conditions=s.conditions,
            pods=pods,
            ended=ended,
            start=s.start_time,
            finish=s.completion_time or (how.last_transition_time if how else None),
            wanted=sum(p.count for p in pods),
            active=sum(r.active or 0 for r in counts) if counts else None,
            succeeded=sum(r.succeeded or 0 for r in counts) if counts else None,
            failed=sum(r.failed or 0 for r in counts) if counts else None,
        )


# -- sagemaker.amazonaws.com ----------------------------------------------------------------------------------------------------------
class HyperPodReplicaSpec(Shape, frozen=True):
    name: str = "pods"
    replicas: int | None = None
    spares: int | None = None
    template: Filled[PodTemplate] = field(default_factory=PodTemplate)


class ElasticPolicy(Shape, frozen=True):
    min_replicas: int | None = None


class HyperPodSpec(Shape, frozen=True):
    run_policy: Filled[RunPolicy] = field(default_factory=RunPolicy)
    replica_specs: Many[HyperPodReplicaSpec] = ()
    elastic_policy: ElasticPolicy | None = None


class HyperPodStatus(Shape, frozen=True):
    conditions: Many[Condition] = ()
    start_time: datetime | None = None
    completion_time: datetime | None = None
    restart_count: int | None = None


class HyperPodPyTorchJob(Shape, frozen=True):
    """Replicas plus spares are requested (facts/kubernetes.md 1.5)."""

    metadata: Filled[Meta] = field(default_factory=Meta)
    spec: Filled[HyperPodSpec] = field(default_factory=HyperPodSpec)
    status: Filled[HyperPodStatus] = field(default_factory=HyperPodStatus)

    def task(self, kind: str, plural: str, api: str) -> TaskObject:
        s, elastic = self.status, self.spec.elastic_policy
        ended, how = ending(s.conditions, ("Completed", "Succeeded"), ("Failed",))
        pods = tuple(
            TaskPods(
                name=r.name,
                count=(1 if r.replicas is None else r.replicas) + (r.spares or 0),
                spares=r.spares or 0,
                min_count=elastic.min_replicas if elastic else None,
                template=r.template,
            )
            for r in self.spec.replica_specs
        )
        suspended = True if any(c.type == "Suspended" and c.true for c in s.conditions) else self.spec.run_policy.suspend
        return TaskObject(
            kind=kind,
            plural=plural,
            api=api,
            metadata=self.metadata,
            suspended=suspended,
            phase=now_true(s.conditions),
            reason=how.reason if how else None,
            conditions=s.conditions,
            pods=pods,
            ended=ended,
            start=s.start_time,
            finish=s.completion_time or (how.last_transition_time if how else None),
            wanted=sum(p.count - p.spares for p in pods),
            restarts=s.restart_count,
        )


# -- jobset.x-k8s.io ---------------------------------------------------------------------------------------------------------------------
class JobTemplate(Shape, frozen=True):
    spec: Filled[JobSpec] = field(default_factory=JobSpec)


class ReplicatedJob(Shape, frozen=True):
    name: str = ""
    replicas: int | None = None
    template: Filled[JobTemplate] = field(default_factory=JobTemplate)


class JobSetSpec(Shape, frozen=True):
    suspend: bool | None = None
    replicated_jobs: Many[ReplicatedJob] = ()


class ReplicatedJobStatus(Shape, frozen=True):
    ready: int | None = None
    succeeded: int | None = None
    failed: int | None = None
    active: int | None = None


class JobSetStatus(Shape, frozen=True):
    conditions: Many[Condition] = ()
    restarts: int | None = None
    terminal_state: str | None = None  # Completed, Failed
    replicated_jobs_status: Many[ReplicatedJobStatus] = ()


class JobSet(Shape, frozen=True):
    metadata: Filled[Meta] = field(default_factory=Meta)
    spec: Filled[JobSetSpec] = field(default_factory=JobSetSpec)
    status: Filled[JobSetStatus] = field(default_factory=JobSetStatus)

    def task(self, kind: str, plural: str, api: str) -> TaskObject:
        s = self.status
        ended, how = ending(s.conditions, ("Completed",), ("Failed",))
        ended = ended or {"Completed": WELL, "Failed": BADLY}.get(s.terminal_state or "")
        pods = tuple(
            TaskPods(name=r.name, count=(1 if r.replicas is None else r.replicas) * r.template.spec.count, template=r.template.spec.template)
            for r in self.spec.replicated_jobs
        )
        jobs = s.replicated_jobs_status
        return TaskObject(
            kind=kind,
            plural=plural,
            api=api,
            metadata=self.metadata,
            suspended=bool(self.spec.suspend),
            phase=s.terminal_state or now_true(s.conditions),
            reason=how.reason if how else None,
            conditions=s.conditions,
            pods=pods,
            ended=ended,
            finish=how.last_transition_time if how else None,
            active=sum(j.active or 0 for j in jobs) if jobs else None,
            ready=sum(j.ready or 0 for j in jobs) if jobs else None,
            succeeded=sum(j.succeeded or 0 for j in jobs) if jobs else None,
            failed=sum(j.failed or 0 for j in jobs) if jobs else None,
            restarts=s.restarts,
        )
