"""The parts of the world that do not run in the testbed: operators and kubelets.

The pods of kinds without a controller here, and how a pod ends, are written by `Hands`, in the form their makers document (facts: hyperpod page 3), and
marked. What Kueue, the scheduler and the built-in controllers make is theirs.
"""

from __future__ import annotations

import copy
from typing import ClassVar

from .hyperpod import HyperPod, Team, priority_class_of
from .rig import HELD
from .tasks import KINDS, PRIORITY, QUEUE, Manifest, path, template, timestamp


class Hands:
    """Acts for the kubelets and operators that do not run here. What it writes is marked by the annotation `testbed/written-by-hand`."""

    MARK: ClassVar[dict[str, str]] = {"testbed/written-by-hand": "no operator and no kubelet runs here"}

    def __init__(self, cluster: HyperPod):
        self.cluster = cluster

    def submit(self, obj: Manifest) -> Manifest:
        return self.cluster.create(path(obj["kind"], obj["metadata"]["namespace"]), obj)

    def get(self, obj: Manifest) -> Manifest:
        return self.cluster.read(path(obj["kind"], obj["metadata"]["namespace"], obj["metadata"]["name"]))

    def delete(self, obj: Manifest) -> None:
        self.cluster.delete(path(obj["kind"], obj["metadata"]["namespace"], obj["metadata"]["name"]))

    def status(self, obj: Manifest, status: Manifest) -> Manifest:
        at = path(obj["kind"], obj["metadata"]["namespace"], obj["metadata"]["name"])
        self.cluster.patch(at, {"metadata": {"annotations": self.MARK}})
        return self.cluster.patch(f"{at}/status", {"status": status})

    # -- operators ---------------------------------------------------------------------------------------------------------------------------------------
    def owner(self, obj: Manifest) -> Manifest:
        return {
            "apiVersion": obj["apiVersion"],
            "kind": obj["kind"],
            "name": obj["metadata"]["name"],
            "uid": obj["metadata"]["uid"],
            "controller": True,
            "blockOwnerDeletion": True,
        }

    def expand(self, obj: Manifest) -> None:
        """Makes the pods that the operator of this kind would make now, with the node selectors that Kueue wrote into the templates on admission."""
        now = self.get(obj)
        kind, name, ns, spec = now["kind"], now["metadata"]["name"], now["metadata"]["namespace"], now["spec"]
        replicas = {"PyTorchJob": "pytorchReplicaSpecs", "TFJob": "tfReplicaSpecs", "XGBoostJob": "xgbReplicaSpecs", "MPIJob": "mpiReplicaSpecs"}
        if kind in replicas:
            for role, r in spec[replicas[kind]].items():
                self._pods(
                    now,
                    role.lower(),
                    r["replicas"],
                    r["template"],
                    {"training.kubeflow.org/job-name": name, "training.kubeflow.org/replica-type": role.lower()},
                )
        elif kind == "JobSet":  # a real Job each: the job controller runs here
            for r in spec["replicatedJobs"]:
                for index in range(r["replicas"]):
                    self.cluster.create(
                        path("Job", ns),
                        {
                            "metadata": {
                                "name": f"{name}-{r['name']}-{index}",
                                "namespace": ns,
                                "ownerReferences": [self.owner(now)],
                                "annotations": self.MARK,
                                "labels": {"jobset.sigs.k8s.io/jobset-name": name, "jobset.sigs.k8s.io/replicatedjob-name": r["name"]},
                            },
                            "spec": copy.deepcopy(r["template"]["spec"]),
                        },
                    )
        elif kind == "RayJob":
            cluster = {
                "apiVersion": KINDS["RayCluster"][0],
                "kind": "RayCluster",
                "metadata": {
                    "name": f"{name}-x7k2p",
                    "namespace": ns,
                    "ownerReferences": [self.owner(now)],
                    "annotations": self.MARK,
                    "labels": {"ray.io/originated-from-cr-name": name, "ray.io/originated-from-crd": "RayJob"},
                },
                "spec": copy.deepcopy(spec["rayClusterSpec"]),
            }
            self.expand(self.submit(cluster))
            submitter = template(0, name="ray-job-submitter", requests={"cpu": "500m", "memory": "200Mi"})
            self.cluster.create(
                path("Job", ns),
                {
                    "metadata": {"name": name, "namespace": ns, "ownerReferences": [self.owner(now)], "annotations": self.MARK},
                    "spec": {"backoffLimit": 2, "template": submitter},
                },
            )
        elif kind == "RayCluster":
            labels = {"ray.io/cluster": name, "ray.io/is-ray-node": "yes"}
            self._pods(now, "head", 1, spec["headGroupSpec"]["template"], {**labels, "ray.io/node-type": "head"})
            for g in spec["workerGroupSpecs"]:
                self._pods(now, f"{g['groupName']}-worker", g["replicas"], g["template"], {**labels, "ray.io/node-type": "worker"})
        elif kind == "HyperPodPyTorchJob":
            for r in spec["replicaSpecs"]:
                self._pods(now, r["name"], r["replicas"] + r.get("spares", 0), r["template"], {"HPJob": name})
        else:
            raise ValueError(f"{kind} has a controller of its own or no pods")

    def _pods(self, owner: Manifest, role: str, count: int, body: Manifest, labels: dict[str, str]) -> None:
        ns = owner["metadata"]["namespace"]
        for index in range(count):  # an operator's pods carry no queue label: their quota is the owner's
            self.cluster.create(
                path("Pod", ns),
                {
                    "metadata": {
                        "name": f"{owner['metadata']['name']}-{role}-{index}",
                        "namespace": ns,
                        "ownerReferences": [self.owner(owner)],
                        "labels": labels,
                        "annotations": self.MARK,
                    },
                    "spec": copy.deepcopy(body["spec"]),
                },
            )

    def workload(self, obj: Manifest, queue: str, priority: str | None = None, value: int = 0) -> Manifest:
        """The Workload that HyperPod's training operator makes of its own kind; one podset for each replica spec, spares included."""
        now, api = self.get(obj), self.cluster.api
        ranked: Manifest = (
            {}
            if priority is None
            else {
                "priority": value,
                **(
                    {"priorityClassName": priority_class_of(priority), "priorityClassSource": "kueue.x-k8s.io/workloadpriorityclass"}
                    if api == "v1beta1"
                    else {"priorityClassRef": {"group": "kueue.x-k8s.io", "kind": "WorkloadPriorityClass", "name": priority_class_of(priority)}}
                ),
            }
        )
        sets = [{"name": r["name"], "count": r["replicas"] + r.get("spares", 0), "template": copy.deepcopy(r["template"])} for r in now["spec"]["replicaSpecs"]]
        ns = now["metadata"]["namespace"]
        return self.cluster.create(
            self.cluster.kueue_path("workloads", ns),
            {
                "apiVersion": f"kueue.x-k8s.io/{api}",
                "kind": "Workload",
                "metadata": {
                    "name": f"hyperpodpytorchjob-{now['metadata']['name']}-{now['metadata']['uid'][:5]}",
                    "namespace": ns,
                    "ownerReferences": [self.owner(now)],
                    "labels": {"kueue.x-k8s.io/job-uid": now["metadata"]["uid"]},
                    "annotations": self.MARK,
                },
                "spec": {"queueName": queue, "podSets": sets, **ranked},
            },
        )

    # -- kubelets ------------------------------------------------------------------------------------------------------------------------------------------
    def pods(self, namespace: str, owner: str) -> list[Manifest]:
        return [p for p in self.cluster.items(path("Pod", namespace)) if any(o["name"] == owner for o in p["metadata"].get("ownerReferences", []))]

    def end_pod(self, one: Manifest, code: int, reason: str | None = None, message: str = "") -> None:
        """Ends a pod's containers with that exit code: 0 succeeds, 137 with reason OOMKilled is out of memory."""
        stamp = timestamp()
        started = one.get("status", {}).get("startTime", stamp)
        ended = {
            "exitCode": code,
            "reason": reason or ("Completed" if code == 0 else "Error"),
            "startedAt": started,
            "finishedAt": stamp,
            **({"message": message} if message else {}),
        }
        reasons = "PodCompleted" if code == 0 else "PodFailed"
        self.cluster.patch(
            f"{path('Pod', one['metadata']['namespace'], one['metadata']['name'])}/status",
            {
                "status": {
                    "phase": "Succeeded" if code == 0 else "Failed",
                    "conditions": [
                        {
                            "type": t,
                            "status": "True" if t in ("PodScheduled", "Initialized") else "False",
                            "lastTransitionTime": stamp,
                            **({} if t in ("PodScheduled", "Initialized") else {"reason": reasons}),
                        }
                        for t in ("PodScheduled", "Initialized", "ContainersReady", "Ready")
                    ],
                    "containerStatuses": [
                        {
                            "name": c["name"],
                            "image": c["image"],
                            "imageID": "",
                            "ready": False,
                            "restartCount": 0,
                            "started": False,
                            "state": {"terminated": ended},
                        }
                        for c in one["spec"]["containers"]
                    ],
                }
            },
        )

    def waiting_pod(self, one: Manifest, reason: str, message: str, restarts: int = 0, last_code: int | None = None) -> None:
        """A container that does not come up: ImagePullBackOff, CrashLoopBackOff."""
        self.cluster.patch(path("Pod", one["metadata"]["namespace"], one["metadata"]["name"]), {"metadata": {"annotations": {HELD: "true"}}})
        stamp = timestamp()
        last = {} if last_code is None else {"lastState": {"terminated": {"exitCode": last_code, "reason": "Error", "startedAt": stamp, "finishedAt": stamp}}}
        self.cluster.patch(
            f"{path('Pod', one['metadata']['namespace'], one['metadata']['name'])}/status",
            {
                "status": {
                    "phase": "Running" if restarts else "Pending",
                    "conditions": [
                        {"type": "PodScheduled", "status": "True", "lastTransitionTime": stamp},
                        {"type": "Initialized", "status": "True", "lastTransitionTime": stamp},
                        {"type": "ContainersReady", "status": "False", "reason": "ContainersNotReady", "lastTransitionTime": stamp},
                        {"type": "Ready", "status": "False", "reason": "ContainersNotReady", "lastTransitionTime": stamp},
                    ],
                    "containerStatuses": [
                        {
                            "name": c["name"],
                            "image": c["image"],
                            "imageID": "",
                            "ready": False,
                            "restartCount": restarts,
                            "started": False,
                            "state": {"waiting": {"reason": reason, "message": message}},
                            **last,
                        }
                        for c in one["spec"]["containers"]
                    ],
                }
            },
        )

    def end(self, namespace: str, owner: str, code: int = 0, reason: str | None = None) -> None:
        """Ends every live pod of an owner."""
        for one in self.pods(namespace, owner):
            if one.get("status", {}).get("phase") not in ("Succeeded", "Failed"):
                self.end_pod(one, code, reason)

    def space_pod(self, team: Team, space: Manifest, *, priority: str | None = None) -> str:
        """The pod that the Spaces operator makes of a Workspace; governed through its own Workload (pod-workspace-...)."""
        now = self.get(space)
        name = f"workspace-{now['metadata']['name']}-0"
        asked = now["spec"]["resources"]
        labels = {
            QUEUE: team.local_queue,
            "workspace.jupyter.org/workspace-name": now["metadata"]["name"],
            **({PRIORITY: priority_class_of(priority)} if priority else {}),
        }
        self.cluster.create(
            path("Pod", team.namespace),
            {
                "metadata": {"name": name, "namespace": team.namespace, "labels": labels, "annotations": self.MARK, "ownerReferences": [self.owner(now)]},
                "spec": {"containers": [{"name": "workspace", "image": now["spec"]["image"], "resources": asked}]},
            },
        )
        return name
