"""The typed subsets: both versions of Kueue in one shape, nulls, secrets that have no field, and every kind lifted."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from hpgov_jlab.model.kinds import BADLY, BY_PLURAL, KINDS, WELL, TaskObject
from hpgov_jlab.model.kubernetes import Namespace, Pod, PodTemplate, parse
from hpgov_jlab.model.kueue import ClusterQueue, Cohort, LocalQueue, Workload


def of(value: Any, shape: Any) -> Any:
    return parse(json.dumps(value).encode(), shape)


def lift(plural: str, value: dict[str, Any]) -> TaskObject:
    kind = BY_PLURAL[plural]
    return kind.lift(of(value, kind.shape), kind.versions[0])


TEMPLATE = {"spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": "1", "nvidia.com/gpu": 8}}}]}}
SECRETS = {
    "containers": [
        {
            "name": "c",
            "image": "MARKER-image",
            "args": ["MARKER"],
            "command": ["MARKER"],
            "env": [{"name": "K", "value": "MARKER"}],
            "envFrom": [{"secretRef": {"name": "MARKER"}}],
            "volumeMounts": [{"name": "MARKER"}],
            "resources": {"limits": {"cpu": "1"}},
        }
    ],
    "volumes": [{"name": "MARKER"}],
    "imagePullSecrets": [{"name": "MARKER"}],
}


def test_what_has_no_field_cannot_be_kept() -> None:
    meta = {"name": "x", "annotations": {"kubectl.kubernetes.io/last-applied-configuration": "MARKER", "any": "MARKER"}, "labels": {"any": "MARKER"}}
    state = {"terminated": {"exitCode": 1, "reason": "Error", "message": "MARKER"}}
    pod = {
        "metadata": meta,
        "spec": SECRETS,
        "status": {"message": "MARKER", "containerStatuses": [{"name": "c", "state": state, "lastState": state, "image": "MARKER"}]},
    }
    template = {"metadata": meta, "spec": SECRETS}
    workload = {"metadata": meta, "spec": {"podSets": [{"name": "m", "count": 1, "template": template}]}}
    rayjob = {
        "metadata": meta,
        "spec": {
            "entrypoint": "MARKER",
            "runtimeEnvYAML": "MARKER",
            "rayClusterSpec": {"headGroupSpec": {"rayStartParams": {"a": "MARKER"}, "template": template}},
        },
    }
    rayjob["status"] = {"message": "MARKER", "conditions": [{"type": "x", "status": "True", "message": "MARKER"}]}
    for value, shape in ((pod, Pod), (workload, Workload), (template, PodTemplate), *((rayjob, k.shape) for k in KINDS)):
        found = of(value, shape)
        assert "MARKER" not in repr(found)
    assert of(pod, Pod).status.container_statuses[0].state.terminated.exit_code == 1


@pytest.mark.parametrize("empty", [None, [], "absent"])
def test_nulls_are_empty(empty: Any) -> None:
    def with_(value: dict[str, Any], *names: str) -> dict[str, Any]:
        return value if empty == "absent" else value | dict.fromkeys(names, empty)

    workload = of(
        {"metadata": with_({}, "ownerReferences"), "spec": with_({}, "podSets"), "status": with_({}, "conditions", "admissionChecks", "reclaimablePods")},
        Workload,
    )
    assert (workload.spec.pod_sets, workload.status.conditions, workload.metadata.owner_references) == ((), (), ())
    queue = of({"spec": with_({}, "resourceGroups"), "status": with_({}, "conditions", "flavorsUsage", "flavorUsage")}, LocalQueue)
    assert (queue.status.conditions, queue.status.flavors_usage, queue.status.active) == ((), (), None)


def test_a_null_object_is_an_empty_one() -> None:
    workload = of({"metadata": {"labels": None, "annotations": None}, "spec": None, "status": None}, Workload)
    assert workload.metadata.labels.queue_name is None and workload.spec.pod_sets == () and workload.status.conditions == ()
    container = of({"spec": {"containers": [{"resources": {"requests": None, "limits": None}}, {"resources": None}], "nodeSelector": None}}, PodTemplate)
    assert container.spec.containers[0].resources.requests == {} and container.spec.containers[1].resources is None and container.spec.node_selector == {}


def test_quantities_keep_their_text() -> None:
    template = of({"spec": {"containers": [{"resources": {"requests": {"cpu": 4, "memory": "1500m", "a": 0.5}}}]}}, PodTemplate)
    assert template.spec.containers[0].resources.requests == {"cpu": "4", "memory": "1500m", "a": "0.5"}
    with pytest.raises(msgspec.ValidationError):
        of({"spec": {"containers": [{"resources": {"requests": {"cpu": True}}}]}}, PodTemplate)


# -- Kueue's versions -------------------------------------------------------------------------------------------------------------
def test_a_workload_of_both_versions() -> None:
    old = of(
        {
            "spec": {"priorityClassName": "p", "priorityClassSource": "kueue.x-k8s.io/workloadpriorityclass"},
        },
        Workload,
    )
    new = of(
        {
            "spec": {"priorityClassRef": {"group": "kueue.x-k8s.io", "kind": "WorkloadPriorityClass", "name": "p"}},
        },
        Workload,
    )
    for workload in (old, new):
        ref = workload.spec.priority_class_ref
        assert (ref.kind, ref.name) == ("WorkloadPriorityClass", "p")
    pods = of({"spec": {"priorityClassName": "p", "priorityClassSource": "scheduling.k8s.io/priorityclass"}}, Workload)
    assert pods.spec.priority_class_ref.kind == "PriorityClass"
    assert (of({}, Workload).priority, of({}, Workload).active, of({"spec": {"active": False}}, Workload).active) == (0, True, False)


def test_a_cluster_queue_of_both_versions() -> None:
    old = of(
        {"spec": {"cohort": "pool", "admissionChecks": ["a"], "flavorFungibility": {"whenCanBorrow": "Borrow", "whenCanPreempt": "Preempt"}}}, ClusterQueue
    )
    new = of(
        {
            "spec": {
                "cohortName": "pool",
                "admissionChecksStrategy": {"admissionChecks": [{"name": "a"}]},
                "flavorFungibility": {"whenCanBorrow": "MayStopSearch", "whenCanPreempt": "MayStopSearch"},
            }
        },
        ClusterQueue,
    )
    for queue in (old, new):
        spec = queue.spec
        assert (spec.cohort_name, spec.admission_checks_strategy.admission_checks[0].name) == ("pool", "a")
        assert (spec.flavor_fungibility.when_can_borrow, spec.flavor_fungibility.when_can_preempt) == ("MayStopSearch", "MayStopSearch")
    assert of({"spec": {"cohort": ""}}, ClusterQueue).spec.cohort_name is None


def test_limits_null_and_zero_differ() -> None:
    resources = [{"name": "a", "nominalQuota": 4}, {"name": "b", "nominalQuota": "1", "borrowingLimit": "0", "lendingLimit": 0}]
    found = of({"spec": {"resourceGroups": [{"flavors": [{"name": "f", "resources": resources}]}]}}, ClusterQueue).spec.resource_groups[0].flavors[0].resources
    assert [(r.nominal_quota, r.borrowing_limit, r.lending_limit) for r in found] == [("4", None, None), ("1", "0", "0")]
    assert of({"spec": {"namespaceSelector": {}}}, ClusterQueue).spec.namespace_selector is not None
    assert of({"spec": {"namespaceSelector": None}}, ClusterQueue).spec.namespace_selector is None


def test_a_local_queue_and_a_cohort_of_the_older_version() -> None:
    usage = [{"name": "f", "resources": [{"name": "cpu", "total": "1"}]}]
    for name in ("flavorUsage", "flavorsUsage"):
        assert of({"status": {name: usage}}, LocalQueue).status.flavors_usage[0].resources[0].total == "1"
    assert (of({"spec": {"parent": "root"}}, Cohort).spec.parent_name, of({"spec": {"parentName": "root"}}, Cohort).spec.parent_name) == ("root", "root")


FOREIGN = "Preempted to accommodate a workload (UID: 0a1b2c3d-1111-2222, JobUID: UNKNOWN) due to reclamation within the cohort; preemptor path: /pool/team-b"


@pytest.mark.parametrize(
    ("kind", "reason", "message", "kept"),
    [
        ("QuotaReserved", "Pending", "couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor f, 2 more needed", True),
        ("QuotaReserved", "Pending", FOREIGN, False),
        ("QuotaReserved", "Pending", f"Previously: {FOREIGN}", False),
        ("QuotaReserved", "SomethingNew", "text", False),
        ("Evicted", "Preempted", "any text", False),
        ("Preempted", "InCohortReclamation", "any text", False),
        ("Requeued", "Preempted", FOREIGN, False),
        ("Finished", "Failed", "Traceback: MARKER", False),
        ("Active", "FlavorNotFound", "references missing ResourceFlavor(s): f", True),
    ],
)
def test_the_cut(kind: str, reason: str, message: str, kept: bool) -> None:
    condition = {"type": kind, "status": "False", "reason": reason, "message": message}
    assert of({"status": {"conditions": [condition]}}, Workload).condition(kind).message == (message if kept else None)


# -- kinds ------------------------------------------------------------------------------------------------------------------------
def test_a_jobs_count_is_the_smaller_of_parallelism_and_completions() -> None:
    for spec, count in (({}, 1), ({"parallelism": 4}, 4), ({"parallelism": 4, "completions": 2}, 2), ({"parallelism": 0}, 0)):
        assert lift("jobs.batch", {"spec": {**spec, "template": TEMPLATE}}).pods[0].count == count
    minimum = lift("jobs.batch", {"metadata": {"annotations": {"kueue.x-k8s.io/job-min-parallelism": "2"}}, "spec": {"parallelism": 4}})
    assert minimum.pods[0].min_count == 2


def condition(kind: str, reason: str = "", at: str = "2026-11-30T08:00:00Z") -> dict[str, Any]:
    return {"type": kind, "status": "True", "reason": reason, "lastTransitionTime": at}


@pytest.mark.parametrize(
    ("plural", "status", "ended", "reason"),
    [
        ("jobs.batch", {"conditions": [condition("SuccessCriteriaMet"), condition("Complete")]}, WELL, ""),
        ("jobs.batch", {"conditions": [condition("FailureTarget"), condition("Failed", "BackoffLimitExceeded")]}, BADLY, "BackoffLimitExceeded"),
        ("jobs.batch", {"active": 1}, None, None),
        ("pytorchjobs.kubeflow.org", {"conditions": [condition("Created"), condition("Succeeded")]}, WELL, ""),
        ("pytorchjobs.kubeflow.org", {"conditions": [condition("Running"), condition("Failed", "PyTorchJobFailed")]}, BADLY, "PyTorchJobFailed"),
        ("hyperpodpytorchjobs.sagemaker.amazonaws.com", {"conditions": [condition("Created"), condition("Completed")]}, WELL, ""),
        ("jobsets.jobset.x-k8s.io", {"conditions": [condition("Failed", "FailedJobs")], "terminalState": "Failed"}, BADLY, "FailedJobs"),
        ("jobsets.jobset.x-k8s.io", {"terminalState": "Completed"}, WELL, None),
        ("rayjobs.ray.io", {"jobStatus": "SUCCEEDED", "jobDeploymentStatus": "Complete"}, WELL, None),
        ("rayjobs.ray.io", {"jobStatus": "FAILED", "jobDeploymentStatus": "Complete"}, BADLY, None),
        ("rayjobs.ray.io", {"jobDeploymentStatus": "Failed", "reason": "DeadlineExceeded"}, BADLY, "DeadlineExceeded"),
        ("rayclusters.ray.io", {"state": "ready"}, None, None),
        ("deployments.apps", {"readyReplicas": 1}, None, None),
    ],
)
def test_how_a_task_ended(plural: str, status: dict[str, Any], ended: str | None, reason: str | None) -> None:
    task = lift(plural, {"status": status})
    assert (task.ended, task.reason) == (ended, reason)


def test_when_a_failed_job_ended() -> None:
    assert lift("jobs.batch", {"status": {"conditions": [condition("Failed", at="2026-11-30T08:00:00Z")]}}).finished_at == 1796025600.0


def test_pods_that_each_kind_asks_for() -> None:
    replicas = {"Master": {"template": TEMPLATE}, "Worker": {"replicas": 3, "template": TEMPLATE}}
    assert [(p.name, p.count) for p in lift("pytorchjobs.kubeflow.org", {"spec": {"pytorchReplicaSpecs": replicas}}).pods] == [("master", 1), ("worker", 3)]
    launcher = {"Launcher": {"replicas": 1, "template": TEMPLATE}, "Worker": {"replicas": 2, "template": TEMPLATE}}
    assert [(p.name, p.count) for p in lift("mpijobs.kubeflow.org", {"spec": {"mpiReplicaSpecs": launcher}}).pods] == [("launcher", 1), ("worker", 2)]
    spares = lift(
        "hyperpodpytorchjobs.sagemaker.amazonaws.com", {"spec": {"replicaSpecs": [{"name": "pods", "replicas": 4, "spares": 2, "template": TEMPLATE}]}}
    )
    assert [(p.count, p.spares) for p in spares.pods] == [(6, 2)] and spares.wanted == 4
    sets = [{"name": "a", "replicas": 2, "template": {"spec": {"parallelism": 2, "template": TEMPLATE}}}]
    assert [(p.name, p.count) for p in lift("jobsets.jobset.x-k8s.io", {"spec": {"replicatedJobs": sets}}).pods] == [("a", 4)]
    cluster = {"headGroupSpec": {"template": TEMPLATE}, "workerGroupSpecs": [{"groupName": "w", "replicas": 2, "numOfHosts": 2, "template": TEMPLATE}]}
    assert [(p.name, p.count) for p in lift("rayclusters.ray.io", {"spec": cluster}).pods] == [("head", 1), ("w", 4)]
    ray = lift("rayjobs.ray.io", {"spec": {"rayClusterSpec": cluster}})
    assert [p.name for p in ray.pods] == ["head", "w", "submitter"]
    assert ray.pods[2].template.spec.containers[0].resources.requests == {"cpu": "500m", "memory": "200Mi"}
    assert [p.name for p in lift("rayjobs.ray.io", {"spec": {"submissionMode": "HTTPMode", "rayClusterSpec": cluster}}).pods] == ["head", "w"]


def test_a_space() -> None:
    space = lift(
        "workspaces.workspace.jupyter.org", {"metadata": {"annotations": {"workspace.jupyter.org/created-by": "alice"}}, "spec": {"desiredStatus": "Stopped"}}
    )
    assert (space.suspended, space.pods, space.metadata.created_by) == (True, None, "alice")
    running = lift(
        "workspaces.workspace.jupyter.org",
        {"spec": {"desiredStatus": "Running", "resources": {"requests": {"cpu": "1"}}}, "status": {"conditions": [condition("Available")]}},
    )
    assert (running.ready, running.phase, running.pods[0].template.spec.containers[0].resources.requests) == (1, "Available", {"cpu": "1"})


def test_the_controlling_owner_comes_first() -> None:
    owners = [{"kind": "A", "name": "a"}, {"kind": "B", "name": "b", "controller": True}]
    assert of({"metadata": {"ownerReferences": owners}}, Workload).metadata.controller.kind == "B"
    assert of({"metadata": {"ownerReferences": owners[:1]}}, Workload).metadata.controller.kind == "A"
    assert of({}, Workload).metadata.controller is None


def test_the_scheduler_s_text_is_kept_for_a_pod_without_a_node_only() -> None:
    conditions = [
        {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/3 nodes are available: 3 Insufficient nvidia.com/gpu."},
        {"type": "Ready", "status": "False", "message": "containers with unready status: [MARKER]"},
    ]
    pod = of({"status": {"conditions": conditions}}, Pod)
    assert pod.condition("PodScheduled").message.startswith("0/3") and pod.condition("Ready").message is None


def test_a_namespace_is_governed_by_its_label() -> None:
    assert Namespace(name="a", labels={"sagemaker.amazonaws.com/sagemaker-managed-queue": "true"}).managed_queue
    assert not Namespace(name="a").managed_queue
