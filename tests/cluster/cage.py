"""What a case of the zoo has to play with: a team of its own, hands, and the words to name what it expects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.testbed import tasks
from tests.testbed.hands import Hands
from tests.testbed.hyperpod import HyperPod, Team, condition, is_true
from tests.testbed.tasks import Manifest, template

HALF = template(4, "4", "16Gi")  # two of them fill a team's only node
WHOLE = template(8, "4", "16Gi")


@dataclass
class Cage:
    """One case on one cluster: a team of one node of quota and nothing else in its cohort."""

    cluster: HyperPod
    team: Team
    hands: Hands
    number: int

    def job(self, name: str, pods: int = 1, pod: Manifest | None = None, **meta: Any) -> Manifest:
        return self.hands.submit(tasks.job(self.team, name, pods, pod or WHOLE, **meta))

    def workload(self, name: str) -> Manifest:
        found = self.cluster.until(lambda: self.cluster.workload_of(self.team.namespace, name), f"a Workload of {name}")
        assert isinstance(found, dict)
        return found

    def until(self, name: str, kind: str, status: str = "True") -> Manifest:
        self.cluster.until(lambda: condition(self.cluster.workload_of(self.team.namespace, name), kind).get("status") == status, f"{name}: {kind} {status}")
        return self.workload(name)

    def pods(self, name: str, count: int = 1, phase: str = "Running") -> list[Manifest]:
        def there() -> list[Manifest]:
            found = [p for p in self.hands.pods(self.team.namespace, name) if p.get("status", {}).get("phase") == phase]
            return found if len(found) >= count else []

        found: list[Manifest] = self.cluster.until(there, f"{count} pods of {name} {phase}")
        return found

    def patch_workload(self, name: str, change: dict[str, Any], part: str = "") -> None:
        at = self.cluster.kueue_path("workloads", self.team.namespace, self.workload(name)["metadata"]["name"])
        self.cluster.patch(at + part, change)

    def patch_queue(self, change: dict[str, Any]) -> None:
        self.cluster.patch(self.cluster.kueue_path("clusterqueues", "", self.team.queue), {"spec": change})

    def patch_local_queue(self, change: dict[str, Any]) -> None:
        self.cluster.patch(self.cluster.kueue_path("localqueues", self.team.namespace, self.team.local_queue), {"spec": change})

    def other(self, nodes: int, **options: Any) -> Team:
        """Another team in the same cohort."""
        return self.cluster.team(f"foreign-{self.number}", nodes, cohort=f"cohort-{self.number}", **options)

    def settled(self, other: Team, name: str) -> None:
        """Waits for the other team's task. Kueue 0.12 may let the stopped one in again a few times before the one that it was stopped for."""
        self.cluster.until(lambda: is_true(self.cluster.workload_of(other.namespace, name), "Admitted"), f"{name} of the other team admitted")

    def clean(self) -> None:
        """Takes the case's tasks away. A task that is being stopped for ever makes Kueue 0.12.10 admit more in other cohorts than they have (seen on it)."""
        for kind in ("Job", "PyTorchJob", "Deployment", "HyperPodPyTorchJob", "Pod"):
            version, plural = tasks.KINDS[kind]
            for space in (self.team.namespace, f"hyperpod-ns-foreign-{self.number}"):
                head = "/apis" if "/" in version else "/api"
                self.cluster.request("DELETE", f"{head}/{version}/namespaces/{space}/{plural}", {"propagationPolicy": "Background"})

    def check(self, *, active: bool = True) -> str:
        """An admission check whose controller is the test."""
        name = f"check-{self.number}"
        self.cluster.kueue("admissionchecks", "AdmissionCheck", {"name": name}, {"controllerName": "testbed/hand"})
        if active:
            self.cluster.patch(
                f"{self.cluster.kueue_path('admissionchecks', '', name)}/status",
                {"status": {"conditions": [{"type": "Active", "status": "True", "reason": "Ready", "message": "", "lastTransitionTime": tasks.timestamp()}]}},
            )
        self.use_checks(name, active=active)
        return name

    def use_checks(self, name: str, *, active: bool = True) -> None:
        """Waits until Kueue has said of the queue what becomes of it with that check."""
        self.patch_queue({"admissionChecks": [name]} if self.cluster.legacy else {"admissionChecksStrategy": {"admissionChecks": [{"name": name}]}})
        at = self.cluster.kueue_path("clusterqueues", "", self.team.queue)
        self.cluster.until(lambda: is_true(self.cluster.read(at), "Active") is active, "the queue with its check")

    def answer(self, task: str, check: str, state: str, **more: Any) -> None:
        """What the check's controller says of a task that holds quota."""
        self.until(task, "QuotaReserved")
        self.cluster.until(lambda: self.workload(task)["status"].get("admissionChecks"), "the check on the Workload")
        said = {"name": check, "state": state, "message": "", "lastTransitionTime": tasks.timestamp(), **more}
        self.patch_workload(task, {"status": {"admissionChecks": [said]}}, "/status")


@dataclass(frozen=True)
class Case:
    title: str
    state: str
    code: str  # of the reason; empty: no reason. One alone: queues' figures lag, and the table keeps what comes to rest
    make: Callable[[Cage], str]  # returns the task's name
    team: dict[str, Any] = field(default_factory=dict)
    only: str | None = None  # a Kueue version
    stop: str | None = None  # code of the last stop
    alone: bool = False  # nothing may be played beside it
    elsewhere: str = ""  # why the other version does not make it; empty: another case tells of it


CASES: list[Case] = []
TUNED: list[Case] = []  # on the cluster with fair sharing and feature gates


def case(
    title: str,
    state: str,
    code: str,
    *,
    only: str | None = None,
    stop: str | None = None,
    alone: bool = False,
    elsewhere: str = "",
    into: list[Case] = CASES,
    **team: Any,
) -> Callable[[Callable[[Cage], str]], Callable[[Cage], str]]:
    """Adds a case. `team` goes to HyperPod.team()."""

    def add(make: Callable[[Cage], str]) -> Callable[[Cage], str]:
        into.append(Case(title, state, code, make, team, only, stop, alone, elsewhere))
        return make

    return add
