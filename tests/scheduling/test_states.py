"""States that the recordings do not hold: newer codes, checks, back-off, figures, pods, owners, rights (DESIGN.md 7).

Longer than 400 lines on purpose: the order of states is one decision, and its table is read in one place."""

from __future__ import annotations

from typing import Any

import pytest

from hpgov_jlab.model.kubernetes import build
from hpgov_jlab.model.kueue import ClusterQueue, LocalQueue, ResourceFlavor, Workload
from hpgov_jlab.model.outcome import State
from hpgov_jlab.model.task import Task, TaskState
from hpgov_jlab.scheduling.states import Team, gang_scheduling, tasks_of
from hpgov_jlab.scheduling.waiting import Queues

from .frames import check_phrase, cluster_queue, job, lifted, pod, pod_set, workload

NOW = 1_796_025_600.0  # 2026-11-30T08:00:00Z
GPU = "nvidia.com/gpu"
QUOTAS = {"p5": {GPU: {"nominalQuota": "8", "borrowingLimit": "8"}}}
TRUE, FALSE = "True", "False"


def condition(kind: str, status: str = TRUE, reason: str = "", **more: str) -> dict[str, Any]:
    return {"type": kind, "status": status, "reason": reason or kind, **more}


RESERVED = condition("QuotaReserved")
ADMITTED = [RESERVED, condition("Admitted")]
PENDING = condition("QuotaReserved", FALSE, "Pending")
ADMISSION = {"clusterQueue": "cq", "podSetAssignments": [{"name": "main", "flavors": {GPU: "p5"}, "resourceUsage": {GPU: "1"}, "count": 1}]}


def local_queue(**spec: Any) -> LocalQueue:
    return build({"metadata": {"name": "lq", "namespace": "team"}, "spec": {"clusterQueue": "cq", **spec}}, LocalQueue)


def queues(queue: ClusterQueue | None = None, **more: Any) -> Queues:
    made = queue or cluster_queue(QUOTAS, {"p5": {GPU: "0"}})
    given: dict[str, Any] = {"cluster_queues": {"cq": made}, "local_queues": {"lq": local_queue()}, "namespace_labels": {"a": "b"}, **more}
    return Queues(**given)


def one(found: Workload, view: Queues | None = None, now: float = NOW, **team: Any) -> Task:
    (task,) = tasks_of(Team("team", (found,), queues=view or queues(), **team), now)
    check_phrase(task.reason)
    return task


def why(found: Workload, view: Queues | None = None, **team: Any) -> str | None:
    reason = one(found, view, **team).reason
    return reason.code if reason is not None else None


def gets(*conditions: dict[str, Any], **spec: Any) -> Workload:
    status = spec.pop("status", None)
    return workload(
        conditions=list(conditions), status=status, metadata={"ownerReferences": [{"kind": "Job", "name": "j", "uid": "uid-j", "controller": True}]}, **spec
    )


# -- the order of states: the first that holds --------------------------------------------------------------------------------------
ORDER = [
    ([*ADMITTED, condition("Finished", reason="Succeeded"), condition("Evicted", reason="Preempted")], {}, TaskState.FINISHED),
    ([condition("Finished", reason="Failed")], {"active": False}, TaskState.FINISHED),
    ([*ADMITTED, condition("Evicted", reason="Deactivated")], {"active": False}, TaskState.DEACTIVATED),
    (
        [*ADMITTED, condition("Evicted", reason="Preempted"), condition("Preempted", reason="InClusterQueue")],
        {},
        TaskState.STOPPING,
    ),  # kueue 14811: all three are True
    ([*ADMITTED, condition("Evicted", FALSE, "QuotaReserved"), condition("PodsReady")], {}, TaskState.RUNNING),
    ([*ADMITTED, condition("PodsReady", FALSE, "WaitForStart")], {}, TaskState.STARTING),
    (ADMITTED, {}, TaskState.UNKNOWN),  # no pods, no object, no PodsReady: not guessed
    ([RESERVED], {}, TaskState.CHECKING),
    ([PENDING], {}, TaskState.WAITING),
    ([], {}, TaskState.WAITING),
]


@pytest.mark.parametrize(("conditions", "spec", "state"), ORDER)
def test_order_of_states(conditions: list[dict[str, Any]], spec: dict[str, Any], state: TaskState) -> None:
    assert one(gets(*conditions, status={"admission": ADMISSION}, **spec)).state is state


def test_stopping_says_why() -> None:
    task = one(gets(*ADMITTED, condition("Evicted", reason="Preempted"), condition("Preempted", reason="InCohortReclamation"), status={"admission": ADMISSION}))
    assert task.reason is not None and task.reason.code == "stop_preempted_reclaimed"
    assert task.text is None


FINISHED = [
    ("Succeeded", "well", None),
    ("Failed", "badly", "finished_badly_no_reason"),
    ("OutOfSync", None, "finished_replaced"),
    ("OwnerNotFound", None, "owner_gone"),
    ("SomethingNew", None, "finished_unknown"),
]


@pytest.mark.parametrize(("reason", "ended", "code"), FINISHED)
def test_finished(reason: str, ended: str | None, code: str | None) -> None:
    task = one(gets(condition("Finished", reason=reason)))
    assert (task.ended, task.reason.code if task.reason else None) == (ended, code)
    assert task.finished_at == task.since is not None


CHECKS = [
    (["Pending", "Ready"], "checks_pending"),
    (["Pending", "Retry"], "checks_retry"),
    (["Retry", "Rejected"], "checks_rejected"),
    (["Ready"], "checks_done"),
    ([], "checks_done"),
]


@pytest.mark.parametrize(("states", "code"), CHECKS)
def test_checks(states: list[str], code: str) -> None:
    found = gets(RESERVED, status={"admission": ADMISSION, "admissionChecks": [{"name": f"check-{state}", "state": state} for state in states]})
    assert why(found) == code


# -- waiting --------------------------------------------------------------------------------------------------------------------------
NEWER = [
    ("WaitingForPreemptedWorkloads", "waits_for_stopped"),
    ("WaitingForPodsReady", "waits_gang"),
    ("AdmissionGated", "waits_gated"),
    ("TopologyPlacementFailed", "waits_topology"),
    ("Suspended", "waits_kueue_suspended"),
    ("PendingEvaluation", "waits_not_evaluated"),
]


@pytest.mark.parametrize(("reason", "code"), NEWER)
def test_codes_of_newer_versions_that_figures_cannot_know(reason: str, code: str) -> None:
    assert why(gets(condition("QuotaReserved", FALSE, reason))) == code


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        ("NoMatchingFlavor", "waits_no_flavor"),
        ("ExceedsMaxQuota", "waits_exceeds_told"),
        ("WaitingForQuota", "waits_quota_told"),
        ("Misconfigured", "waits_misconfigured"),
        ("OnHold", "waits_on_hold"),
    ],
)
def test_coarse_codes_stand_where_the_queue_is_not_readable(reason: str, code: str) -> None:
    blind = Queues(cluster_queue_states={"cq": State.DENIED}, local_queue_state=State.DENIED)
    assert why(gets(condition("QuotaReserved", FALSE, reason)), blind) == code


def test_not_readable_says_what_and_how() -> None:
    blind = Queues(cluster_queue_states={"cq": State.DENIED}, local_queue_state=State.DENIED)
    reason = one(gets(PENDING), blind).reason
    assert reason is not None and reason.code == "waits_queue_not_readable"
    assert reason.params == {"what": "clusterqueues.kueue.x-k8s.io", "queue": "cq", "state": "denied"}
    nothing = one(gets(PENDING), Queues(local_queue_state=State.UNREACHABLE)).reason
    assert nothing is not None and nothing.params == {"what": "localqueues.kueue.x-k8s.io", "queue": "lq", "state": "unreachable"}
    local = build({"metadata": {"name": "lq"}, "spec": {"clusterQueue": "cq"}}, LocalQueue)
    not_asked = one(gets(PENDING), Queues(local_queues={"lq": local}, local_queue_state=State.OK)).reason
    assert not_asked is not None and not_asked.params["state"] == "unreachable", "too many queues: this one is not on its way"


def test_back_off_until() -> None:
    found = gets(PENDING, condition("Evicted", reason="PodsReadyTimeout"), status={"requeueState": {"count": 2, "requeueAt": "2026-11-30T08:02:00Z"}})
    reason = one(found, now=NOW).reason
    assert reason is not None and (reason.code, reason.params) == ("waits_back_off", {"until_at": NOW + 120, "count": 2})
    assert one(found, now=NOW).place_in_line is None
    after = one(found, now=NOW + 121)
    assert (after.place_in_line, after.reason.code if after.reason else None) == (1, "waits_share_lent")


QUEUE_REASONS: list[tuple[dict[str, Any], str]] = [
    ({"local_queues": {}}, "waits_local_queue_missing"),
    ({"local_queues": {"lq": local_queue(stopPolicy="HoldAndDrain")}}, "waits_local_queue_stopped"),
    ({"cluster_queues": {}, "cluster_queue_states": {"cq": State.ABSENT}}, "waits_cluster_queue_missing"),
    ({"queue": cluster_queue(QUOTAS, stopPolicy="Hold")}, "queue_stopped"),
    ({"queue": cluster_queue(QUOTAS, namespaceSelector={"matchLabels": {"a": "other"}})}, "waits_namespace_not_selected"),
    ({"queue": cluster_queue(QUOTAS, namespaceSelector=None)}, "waits_namespace_not_selected"),  # null matches nothing
    (
        {"queue": cluster_queue(QUOTAS, {"p5": {GPU: "0"}}, namespaceSelector=None), "namespace_labels": None},
        "waits_share_lent",
    ),  # labels not readable: not claimed
]


@pytest.mark.parametrize(("given", "code"), QUEUE_REASONS)
def test_queues(given: dict[str, Any], code: str) -> None:
    assert why(gets(PENDING), queues(**given)) == code


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        ("FlavorNotFound", "queue_flavor_missing"),
        ("Terminating", "queue_terminating"),
        ("AdmissionCheckNotFound", "queue_check_missing"),
        ("AdmissionCheckInactive", "queue_check_inactive"),
        ("TopologyNotFound", "queue_topology_missing"),
        ("New", "queue_inactive"),
    ],
)
def test_inactive_queue(reason: str, code: str) -> None:
    made = cluster_queue(QUOTAS)
    broken = build(
        {"metadata": {"name": "cq"}, "spec": {"resourceGroups": [], "namespaceSelector": {}}, "status": {"conditions": [condition("Active", FALSE, reason)]}},
        ClusterQueue,
    )
    assert made.status.active is True
    assert why(gets(PENDING), queues(broken)) == code


def test_queue_being_deleted_before_anything_says_so() -> None:
    """Kueue 0.12 writes no condition about it (docs/tables/zoo.md)."""
    spec = {"resourceGroups": [], "namespaceSelector": {}, "stopPolicy": "Hold"}
    going = build({"metadata": {"name": "cq", "deletionTimestamp": "2026-11-30T07:00:00Z"}, "spec": spec}, ClusterQueue)
    assert why(gets(PENDING), queues(going)) == "queue_terminating"


def test_a_wider_slice_that_waits_is_a_row_beside_the_one_that_runs() -> None:
    """An elastic Job made wider than quota allows (docs/tables/zoo.md): the pods stay with the slice that holds quota."""
    owner = {"ownerReferences": [{"kind": "Job", "name": "j", "uid": "uid-j", "controller": True}]}
    runs = workload(conditions=list(ADMITTED), status={"admission": ADMISSION}, metadata={**owner, "name": "job-j-1", "uid": "w-1"})
    waits = workload(conditions=[PENDING], metadata={**owner, "name": "job-j-2", "uid": "w-2", "creationTimestamp": "2026-11-30T09:00:00Z"})
    up = pod("j-0", owner=("Job", "j", "uid-j"), conditions=[condition("Ready")])
    rows = tasks_of(Team("team", (runs, waits), (job(),), frozenset({"Job"}), (up,)), NOW)
    assert [(t.name, t.uid, t.state) for t in rows] == [("j", "uid-j", TaskState.RUNNING), ("j/job-j-2", "w-2", TaskState.WAITING)]


def test_variants_of_one_task_are_no_rows() -> None:
    """Concurrent admission: the parent says how the task stands, and its variants would be counted a second time (docs/tables/zoo.md)."""
    mine = {"ownerReferences": [{"kind": "Job", "name": "j", "uid": "uid-j", "controller": True}], "uid": "w-1"}
    parent = workload(conditions=list(ADMITTED), status={"admission": ADMISSION}, metadata=mine)
    owned = {"ownerReferences": [{"kind": "Workload", "name": "w", "uid": "w-1", "controller": True}], "labels": {"kueue.x-k8s.io/job-uid": "uid-j"}}
    variants = tuple(workload(conditions=list(ADMITTED), status={"admission": ADMISSION}, metadata={**owned, "uid": uid}) for uid in ("w-2", "w-3"))
    assert [t.name for t in tasks_of(Team("team", (parent, *variants), (job(),), frozenset({"Job"})), NOW)] == ["j"]
    assert len(tasks_of(Team("team", variants, (job(),), frozenset({"Job"})), NOW)) == 2  # their parent not read: nothing is left out


def test_no_queue_name() -> None:
    assert why(gets(PENDING, queueName="")) == "waits_no_queue_name"


FIGURES: list[tuple[str, dict[str, dict[str, str]], dict[str, Any], dict[str, Any], str]] = [
    # name, held, spec of the queue, pod set, code
    ("inside the share", {"p5": {GPU: "4"}}, {}, pod_set(4), "waits_share_lent"),
    ("would borrow", {"p5": {GPU: "4"}}, {}, pod_set(5), "waits_to_borrow"),
    ("over its own limit now", {"p5": {GPU: "12"}}, {}, pod_set(5), "waits_quota"),
    ("never", {"p5": {GPU: "0"}}, {}, pod_set(17), "waits_exceeds_queue"),
    ("one pod is too large", {"p5": {GPU: "0"}}, {}, pod_set(1, gpu="17"), "waits_pod_exceeds_queue"),
    ("without cohort, fits", {"p5": {GPU: "4"}}, {"cohort": None}, pod_set(4), "waits_turn"),
    ("without cohort, short", {"p5": {GPU: "4"}}, {"cohort": None}, pod_set(5), "waits_quota"),
    ("without cohort, never", {"p5": {GPU: "4"}}, {"cohort": None}, pod_set(9), "waits_exceeds_queue"),
    ("not covered", {"p5": {GPU: "0"}}, {}, pod_set(1, **{"aws.amazon.com/neuron": "1"}), "waits_not_covered"),
    ("zero of what is not covered", {"p5": {GPU: "0"}}, {}, pod_set(1, **{"aws.amazon.com/neuron": "0", "gpu": "1"}), "waits_share_lent"),
    ("nothing reported", {}, {}, pod_set(1), "waits_reason_not_known"),
]


@pytest.mark.parametrize(("held", "spec", "asks", "code"), [row[1:] for row in FIGURES], ids=[row[0] for row in FIGURES])
def test_figures(held: dict[str, dict[str, str]], spec: dict[str, Any], asks: dict[str, Any], code: str) -> None:
    assert why(gets(PENDING, podSets=[asks]), queues(cluster_queue(QUOTAS, held, **spec))) == code


def test_cohort_without_own_limit_is_no_never() -> None:
    """Whether it ever fits depends on a cohort that can't be read: then it would borrow; the whole tree makes it a never."""
    queue = cluster_queue({"p5": {GPU: {"nominalQuota": "8"}}}, {"p5": {GPU: "0"}})
    found = gets(PENDING, podSets=[pod_set(100)])
    assert why(found, queues(queue)) == "waits_to_borrow"
    assert why(found, queues(queue, potential={"cq": {("p5", GPU): 64}}, available={"cq": {("p5", GPU): 10}})) == "waits_exceeds_queue"
    exact = one(gets(PENDING, podSets=[pod_set(11)]), queues(queue, potential={"cq": {("p5", GPU): 64}}, available={"cq": {("p5", GPU): 10}})).reason
    assert exact is not None and (exact.code, exact.params["amount_short"]) == ("waits_quota", "1")


def test_all_resources_are_named() -> None:
    queue = cluster_queue(
        {"p5": {GPU: {"nominalQuota": "8", "borrowingLimit": "0"}, "cpu": {"nominalQuota": "96", "borrowingLimit": "0"}, "memory": {"nominalQuota": "1Ti"}}},
        {"p5": {}},
    )
    reason = one(gets(PENDING, podSets=[pod_set(2, gpu="8", cpu="64500m", memory="64Gi")]), queues(queue)).reason
    assert reason is not None and reason.code == "waits_exceeds_queue"
    assert reason.params["figures"] == "nvidia.com/gpu (p5): 16 > 8; cpu (p5): 129 > 96"
    assert reason.params["largest_pods"] == 1


def test_second_flavor_may_hold_it() -> None:
    queue = cluster_queue(
        {"g5": {GPU: {"nominalQuota": "4", "borrowingLimit": "0"}}, "p5": {GPU: {"nominalQuota": "16", "borrowingLimit": "0"}}},
        {"g5": {GPU: "0"}, "p5": {GPU: "12"}},
    )
    reason = one(gets(PENDING, podSets=[pod_set(8)]), queues(queue)).reason
    assert reason is not None and (reason.code, reason.params["flavor"]) == ("waits_quota", "p5")
    assert why(gets(PENDING, podSets=[pod_set(17)]), queues(queue)) == "waits_exceeds_queue"
    two = gets(PENDING, podSets=[pod_set(12, "master"), pod_set(4, "worker")])  # one on each flavour: not never
    assert why(two, queues(queue)) != "waits_exceeds_queue"


def test_pod_sets_of_one_flavor_are_added_up() -> None:
    reason = one(gets(PENDING, podSets=[pod_set(9, "master"), pod_set(8, "worker")]), queues(cluster_queue(QUOTAS, {"p5": {GPU: "0"}}))).reason
    assert reason is not None and (reason.code, reason.params["amount_asked"], reason.params["largest_pods"]) == ("waits_exceeds_queue", "17", None)


def test_partial_admission_is_measured_by_its_least() -> None:
    found = gets(PENDING, podSets=[{**pod_set(40), "minCount": 4}])
    assert why(found, queues(cluster_queue(QUOTAS, {"p5": {GPU: "4"}}))) == "waits_share_lent"


def test_strict_queue_waits_behind_the_first() -> None:
    strict = cluster_queue(QUOTAS, {"p5": {GPU: "0"}}, queueingStrategy="StrictFIFO")

    def owned(name: str, **metadata: str) -> dict[str, Any]:
        return {"ownerReferences": [{"kind": "Job", "name": name, "uid": name}], **metadata}

    first = workload("first", conditions=[PENDING], podSets=[pod_set(17)], metadata=owned("j1"))
    second = workload("second", conditions=[PENDING], metadata=owned("j2", creationTimestamp="2026-11-30T08:00:01Z"))
    tasks = {task.workload: task for task in tasks_of(Team("team", (first, second), queues=queues(strict)), NOW)}
    assert [(tasks[name].place_in_line, tasks[name].reason.code) for name in ("first", "second")] == [(1, "waits_exceeds_queue"), (2, "waits_behind_own")]  # type: ignore[union-attr]


def test_flavor_labels_and_taints() -> None:
    flavor = {"metadata": {"name": "p5"}, "spec": {"nodeLabels": {"type": "p5"}, "nodeTaints": [{"key": "gpu", "value": "yes", "effect": "NoSchedule"}]}}
    view = queues(flavors={"p5": build(flavor, ResourceFlavor)})

    def asks(**spec: Any) -> Workload:
        made = pod_set(1)
        made["template"]["spec"].update(spec)
        return gets(PENDING, podSets=[made])

    tolerates = [{"key": "gpu", "operator": "Exists"}]
    assert why(asks(), view) == "waits_no_flavor"
    assert why(asks(tolerations=tolerates), view) == "waits_share_lent"
    assert why(asks(tolerations=tolerates, nodeSelector={"type": "g5"}), view) == "waits_no_flavor"
    assert why(asks(tolerations=tolerates, nodeSelector={"zone": "z"}), view) == "waits_share_lent"  # not a key of the flavours: the scheduler's matter
    terms = [{"matchExpressions": [{"key": "type", "operator": "In", "values": ["g5", "p5"]}]}]
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}
    assert why(asks(tolerations=tolerates, affinity=affinity), view) == "waits_share_lent"


# -- priority, submitter -----------------------------------------------------------------------------------------------------------------
def test_without_priority_class_is_zero_and_shown() -> None:
    task = one(gets(PENDING))
    assert (task.priority, task.priority_class) == (0, None)
    classed = one(gets(PENDING, priority=75, priorityClassName="training-priority", priorityClassSource="kueue.x-k8s.io/workloadpriorityclass"))
    assert (classed.priority, classed.priority_class) == (75, "training-priority")


@pytest.mark.parametrize(
    ("label", "person", "mine"),
    [("ana", {"ana", "arn:x"}, True), ("bob", {"ana"}, False), (None, {"ana"}, None), ("ana", set(), None), ("Ana", {"ana"}, False)],
)
def test_mine(label: str | None, person: set[str], mine: bool | None) -> None:
    labels = {"sagemaker.user/created-by": label} if label else {}
    (task,) = tasks_of(Team("team", (), (job(labels=labels),), person=frozenset(person)), NOW)
    assert (task.mine, task.submitter, task.submitter_claimed) == (mine, label, label is not None)


# -- without a Workload, and with fewer rights ----------------------------------------------------------------------------------------------
QUEUED = {"kueue.x-k8s.io/queue-name": "lq"}
OBJECTS = [
    (job(suspend=True), True, "none", TaskState.SUSPENDED, "suspended_by_owner"),
    (job(suspend=True, labels=QUEUED), True, "kueue", TaskState.WAITING, "waits_no_workload"),
    (job(suspend=True, labels=QUEUED), False, "kueue", TaskState.WAITING, "waits_workloads_not_readable"),
    (job(suspend=False, status={"active": 1, "ready": 1}), True, "none", TaskState.RUNNING, None),
    (job(suspend=False, status={"active": 1, "ready": 0}), True, "none", TaskState.STARTING, "unmanaged_not_ready"),
    (job(suspend=False, labels=QUEUED, status={"active": 1, "ready": 1}), False, "kueue", TaskState.RUNNING, None),
    (job(status={"conditions": [condition("Complete")], "completionTime": "2026-11-30T07:00:00Z"}), True, "none", TaskState.FINISHED, None),
    (job(status={"conditions": [condition("Failed", reason="BackoffLimitExceeded")]}), True, "none", TaskState.FINISHED, "finished_badly"),
]


@pytest.mark.parametrize(("found", "workloads", "scheduler", "state", "code"), OBJECTS)
def test_object_alone(found: Any, workloads: bool, scheduler: str, state: TaskState, code: str | None) -> None:
    (task,) = tasks_of(Team("team", () if workloads else None, (found,)), NOW)
    check_phrase(task.reason)
    assert (task.scheduler, task.state, task.reason.code if task.reason else None) == (scheduler, state, code)


def test_space_stopped_and_preempted() -> None:
    def space(annotations: dict[str, str]) -> Task:
        value = {"metadata": {"name": "s", "uid": "u", "annotations": annotations}, "spec": {"desiredStatus": "Stopped"}, "status": {}}
        (task,) = tasks_of(Team("team", (), (lifted("workspaces.workspace.jupyter.org", "v1alpha1", value),)), NOW)
        return task

    assert space({}).kind == "Space"
    assert space({}).reason.code == "space_stopped"  # type: ignore[union-attr]
    assert space({"workspace.jupyter.org/preemption-reason": "x"}).reason.code == "space_preempted"  # type: ignore[union-attr]


def test_orphan_only_where_the_owners_kind_was_read() -> None:
    found = gets(*ADMITTED, status={"admission": ADMISSION})
    assert why(found, kinds_read=frozenset({"Job"})) == "owner_gone"
    assert why(found, kinds_read=frozenset()) == "admitted_not_seen"
    assert why(found, objects=(job(),), kinds_read=frozenset({"Job"})) != "owner_gone"


@pytest.mark.parametrize(
    ("name", "read", "gone"),
    [
        ("job-orphan-2f3a1", {"Job"}, True),
        ("job-orphan-2f3a1", {"JobSet"}, False),
        ("jobset-orphan-2f3a1", {"Job"}, False),
        ("jobset-orphan-2f3a1", {"JobSet"}, True),
        ("somebodysjob-orphan-2f3a1", {"Job", "JobSet", "Pod"}, False),
    ],
)
def test_orphan_that_kueue_leaves_admitted(name: str, read: set[str], gone: bool) -> None:
    """What is left on 0.12 when a Job is deleted and its dependents are kept: no owner reference, and the label with its uid (docs/tables/zoo.md)."""
    metadata = {"name": name, "ownerReferences": [], "labels": {"kueue.x-k8s.io/job-uid": "uid-j"}}
    found = workload(conditions=list(ADMITTED), status={"admission": ADMISSION}, metadata=metadata)
    assert (why(found, kinds_read=frozenset(read)) == "owner_gone") is gone
    assert why(found, objects=(job(),), kinds_read=frozenset(read)) != "owner_gone"


# -- admitted: pods decide -------------------------------------------------------------------------------------------------------------------
JOB = ("Job", "j", "uid-j")
READY = [condition("Ready")]


def admitted(count: int = 1) -> Workload:
    usage = {**ADMISSION["podSetAssignments"][0], "count": count, "resourceUsage": {GPU: str(count)}}  # type: ignore[index]
    return gets(*ADMITTED, status={"admission": {"clusterQueue": "cq", "podSetAssignments": [usage]}}, podSets=[pod_set(count)])


def test_pods_decide() -> None:
    up, waiting = pod("a", owner=JOB, conditions=READY), pod("b", phase="Pending", owner=JOB)
    assert one(admitted(), pods=(up,)).state is TaskState.RUNNING
    task = one(admitted(2), pods=(up,))
    assert (task.state, task.reason.params) == (TaskState.STARTING, {"ready": 1, "pods_total": 2})  # type: ignore[union-attr]
    task = one(admitted(2), pods=(up, waiting))
    assert (task.reason.code, task.reason.params) == ("task_creating", {"pods": 1, "pods_total": 2})  # type: ignore[union-attr]
    assert why(admitted(), pods=()) == "starting_no_pods"
    assert why(admitted(), pods=(), objects=(job(suspend=True),)) == "starting_suspended"
    assert why(admitted(), pods=(pod("a", phase="Succeeded", owner=JOB),)) == "running_ending"


def test_ray_job_runs_without_its_submitter() -> None:
    assignments = [{"name": name, "flavors": {}, "resourceUsage": {}, "count": 1} for name in ("head", "submitter")]
    made = build(
        {
            "metadata": {"name": "w", "uid": "w", "ownerReferences": [{"kind": "RayJob", "name": "r", "uid": "uid-r", "controller": True}]},
            "spec": {"queueName": "lq", "podSets": [pod_set(1, "head"), pod_set(1, "submitter")]},
            "status": {"conditions": ADMITTED, "admission": {"clusterQueue": "cq", "podSetAssignments": assignments}},
        },
        Workload,
    )
    head = pod("head", owner=("RayJob", "r", "uid-r"), conditions=READY)
    for phase, state in (("Running", TaskState.RUNNING), ("Initializing", TaskState.STARTING)):
        found = lifted("rayjobs.ray.io", "v1", {"metadata": {"name": "r", "uid": "uid-r"}, "spec": {}, "status": {"jobDeploymentStatus": phase}})
        assert one(made, objects=(found,), pods=(head,)).state is state


def test_other_tasks_pods_are_not_counted() -> None:
    assert why(admitted(), pods=(pod("x", owner=("Job", "other", "uid-other"), conditions=READY),)) == "starting_no_pods"


def test_finished_badly_by_its_pods() -> None:
    dead = pod("a", phase="Failed", owner=JOB, containerStatuses=[{"name": "c", "state": {"terminated": {"exitCode": 137, "reason": "OOMKilled"}}}])
    task = one(gets(condition("Finished", reason="Failed")), pods=(dead,))
    assert task.reason is not None and task.reason.code == "task_out_of_memory"


# -- gang scheduling ---------------------------------------------------------------------------------------------------------------------------
def test_gang_scheduling_shows_itself() -> None:
    plain, ready = gets(PENDING), gets(PENDING, condition("PodsReady", FALSE, "WaitForStart"))
    timed_out = gets(PENDING, status={"schedulingStats": {"evictions": [{"reason": "PodsReadyTimeout", "count": 1}]}})
    assert gang_scheduling([plain, ready], always_reports_ready=True) is None  # 0.19.2 sets PodsReady with and without it
    assert gang_scheduling([plain, ready], always_reports_ready=False) is True
    assert gang_scheduling([plain], always_reports_ready=False) is None
    assert gang_scheduling([timed_out], always_reports_ready=True) is True
    blocked = gets(condition("QuotaReserved", FALSE, "Waiting", message="waiting for all admitted workloads to be in PodsReady condition"))
    assert gang_scheduling([blocked], always_reports_ready=True) is True
    assert why(blocked) == "waits_gang"
