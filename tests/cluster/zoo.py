"""States that the real Kueue makes, each with how it is made and what the product has to say of it. Played by test_zoo.py on both versions.

Long because it is a list: one small function for each state.
"""

from __future__ import annotations

from tests.testbed import tasks
from tests.testbed.hyperpod import condition, is_true
from tests.testbed.tasks import Manifest, template

from .cage import CASES, HALF, WHOLE, Cage, case

__all__ = ["CASES"]  # filled by @case


# -- waiting --------------------------------------------------------------------------------------------------------------------
@case("the share is held by another task", "waiting", "waits_quota", cohort=None)
def _quota(cage: Cage) -> str:
    cage.job("first")
    cage.until("first", "Admitted")
    cage.job("second")
    cage.until("second", "QuotaReserved", "False")
    return "second"


@case("more than could be borrowed now", "waiting", "waits_to_borrow", borrow=1)
def _borrow(cage: Cage) -> str:
    other = cage.other(1, borrow=1)
    cage.hands.submit(tasks.job(other, "theirs", 1, WHOLE))
    cage.cluster.until(lambda: is_true(cage.cluster.workload_of(other.namespace, "theirs"), "Admitted"), "the other team's job")
    cage.job("wide", 2)
    cage.until("wide", "QuotaReserved", "False")
    return "wide"


@case("larger than the queue can ever hold", "waiting", "waits_exceeds_queue", borrow=1)
def _never(cage: Cage) -> str:
    cage.other(1)
    cage.job("huge", 5)
    cage.until("huge", "QuotaReserved", "False")
    return "huge"


@case("one pod larger than the queue can ever hold", "waiting", "waits_pod_exceeds_queue", cohort=None)
def _never_one(cage: Cage) -> str:
    cage.job("giant", 1, template(9, "4", "16Gi"))
    cage.until("giant", "QuotaReserved", "False")
    return "giant"


@case("a resource that the queue does not cover", "waiting", "waits_not_covered")
def _uncovered(cage: Cage) -> str:
    cage.job("neuron", 1, template(requests={"cpu": "4", "aws.amazon.com/neuron": "1"}))
    cage.until("neuron", "QuotaReserved", "False")
    return "neuron"


@case("a node selector that no flavour matches", "waiting", "waits_no_flavor")
def _selector(cage: Cage) -> str:
    cage.job("picky", 1, template(1, "4", "16Gi", nodeSelector={"node.kubernetes.io/instance-type": "ml.trn1.32xlarge"}))
    cage.until("picky", "QuotaReserved", "False")
    return "picky"


@case("a LocalQueue that does not exist", "waiting", "waits_local_queue_missing")
def _no_local_queue(cage: Cage) -> str:
    cage.job("lost", queue="no-such-queue")
    cage.workload("lost")
    return "lost"


@case("a LocalQueue that points to no ClusterQueue", "waiting", "waits_cluster_queue_missing")
def _no_cluster_queue(cage: Cage) -> str:
    cage.cluster.kueue("localqueues", "LocalQueue", {"name": "dangling", "namespace": cage.team.namespace}, {"clusterQueue": f"gone-{cage.number}"})
    cage.job("dangling", queue="dangling")
    cage.workload("dangling")
    return "dangling"


@case("the LocalQueue on hold", "waiting", "waits_local_queue_stopped")
def _local_hold(cage: Cage) -> str:
    cage.patch_local_queue({"stopPolicy": "Hold"})
    cage.job("held")
    cage.workload("held")
    return "held"


@case("the LocalQueue stopped and drained", "waiting", "waits_local_queue_stopped", stop="stop_local_queue")
def _local_drain(cage: Cage) -> str:
    cage.job("drained")
    cage.until("drained", "Admitted")
    cage.patch_local_queue({"stopPolicy": "HoldAndDrain"})
    cage.until("drained", "QuotaReserved", "False")
    return "drained"


@case("the ClusterQueue on hold", "waiting", "queue_stopped")
def _hold(cage: Cage) -> str:
    cage.patch_queue({"stopPolicy": "Hold"})
    cage.job("held")
    cage.workload("held")
    return "held"


@case("the ClusterQueue stopped and drained", "waiting", "queue_stopped", stop="stop_cluster_queue")
def _drain(cage: Cage) -> str:
    cage.job("drained")
    cage.until("drained", "Admitted")
    cage.patch_queue({"stopPolicy": "HoldAndDrain"})
    cage.until("drained", "QuotaReserved", "False")
    return "drained"


@case("a namespace that the queue does not select", "waiting", "waits_namespace_not_selected", namespaceSelector={"matchLabels": {"tier": "gold"}})
def _not_selected(cage: Cage) -> str:
    cage.job("outsider")
    cage.until("outsider", "QuotaReserved", "False")
    return "outsider"


@case("a flavour that does not exist", "waiting", "queue_flavor_missing", flavor="ml.unheard.of")
def _no_flavor_object(cage: Cage) -> str:
    cage.job("flavourless")
    cage.workload("flavourless")
    return "flavourless"


@case("an admission check that does not exist", "waiting", "queue_check_missing")
def _no_check(cage: Cage) -> str:
    cage.use_checks(f"none-{cage.number}", active=False)
    cage.job("unchecked")
    cage.workload("unchecked")
    return "unchecked"


@case("an admission check that nobody serves", "waiting", "queue_check_inactive")
def _idle_check(cage: Cage) -> str:
    cage.check(active=False)
    cage.job("unchecked")
    cage.workload("unchecked")
    return "unchecked"


@case("the ClusterQueue is being deleted", "waiting", "queue_terminating")
def _terminating(cage: Cage) -> str:
    cage.job("holds")  # as long as it holds quota the queue is not gone
    cage.until("holds", "Admitted")
    cage.cluster.delete(cage.cluster.kueue_path("clusterqueues", "", cage.team.queue))
    cage.job("late")
    cage.workload("late")
    return "late"


@case("a gate that somebody set on it", "waiting", "waits_gated", only="0.19.2", elsewhere="the annotation kueue.x-k8s.io/admission-gated-by came with 0.17")
def _gated(cage: Cage) -> str:
    cage.job("gated", annotations={"kueue.x-k8s.io/admission-gated-by": "example.com/budget"})
    cage.until("gated", "QuotaReserved", "False")
    return "gated"


@case("first in line is larger and none may pass", "waiting", "waits_behind_own", cohort=None, queueingStrategy="StrictFIFO")
def _strict(cage: Cage) -> str:
    cage.job("runs", 1, HALF, priority="urgent")
    cage.until("runs", "Admitted")
    cage.job("first", 1, WHOLE, priority="urgent")
    cage.until("first", "QuotaReserved", "False")
    cage.job("small", 1, HALF)
    cage.workload("small")
    return "small"


@case("an admission check asked to try again (then its queue on hold)", "waiting", "queue_stopped", stop="stop_admission_check")
def _check_retry(cage: Cage) -> str:
    check = cage.check()
    cage.job("again")
    cage.answer("again", check, "Retry")
    # held, so that the state after the retry stays still
    cage.patch_queue({"stopPolicy": "Hold"})
    cage.until("again", "QuotaReserved", "False")
    return "again"


# -- admitted -------------------------------------------------------------------------------------------------------------------
@case("quota held, a check not answered", "checking", "checks_pending")
def _check_pending(cage: Cage) -> str:
    cage.check()
    cage.job("checked")
    cage.until("checked", "QuotaReserved")
    return "checked"


@case("admitted, no pod yet (no operator runs)", "starting", "starting_no_pods")
def _no_pods(cage: Cage) -> str:
    cage.hands.submit(tasks.pytorch_job(cage.team, "empty", 1, HALF))
    cage.until("empty", "Admitted")
    return "empty"


@case("admitted, and no node takes its pod", "starting", "task_no_node_resources")
def _no_node(cage: Cage) -> str:
    cage.job("homeless", 1, template(1, "190", "16Gi"))
    cage.pods("homeless", phase="Pending")
    return "homeless"


@case("admitted, and an image that can't be pulled", "starting", "task_image")
def _image(cage: Cage) -> str:
    cage.job("typo")
    pod = cage.pods("typo")[0]
    cage.hands.waiting_pod(pod, "ImagePullBackOff", "Back-off pulling image")
    return "typo"


@case("a container that ends and is started again", "starting", "task_crash_loop")
def _crash(cage: Cage) -> str:
    cage.hands.submit(tasks.deployment(cage.team, "crashing", 1, template(1, "4", "16Gi", labels={tasks.QUEUE: cage.team.local_queue})))
    pod = cage.cluster.until(
        lambda: next(
            iter(cage.cluster.items(tasks.path("Pod", cage.team.namespace), labelSelector="app=crashing", fieldSelector="status.phase=Running")), None
        ),
        "its pod",
        40,
    )
    cage.hands.waiting_pod(pod, "CrashLoopBackOff", "back-off", restarts=4, last_code=1)
    return "crashing"


@case("running", "running", "")
def _running(cage: Cage) -> str:
    cage.job("runs")
    cage.pods("runs")
    return "runs"


@case("running with fewer pods than asked (partial admission)", "running", "", cohort=None)
def _partial(cage: Cage) -> str:
    cage.job("shrunk", 5, HALF, annotations={"kueue.x-k8s.io/job-min-parallelism": "1"})
    cage.pods("shrunk", 2)
    return "shrunk"


@case("HyperPodPyTorchJob with a spare, running", "running", "")
def _spare(cage: Cage) -> str:
    made = cage.hands.submit(tasks.hyperpod_job(cage.team, "elastic", 1, 1, HALF))
    cage.hands.workload(made, cage.team.local_queue)
    cage.until("elastic", "Admitted")
    cage.hands.expand(made)
    cage.pods("elastic", 2)
    return "elastic"


SLICES = "elastic Jobs (ElasticJobsViaWorkloadSlices) came with 0.13"


def _grow(cage: Cage, pods: int) -> None:
    made = tasks.job(cage.team, "grows", 1, HALF, annotations={"kueue.x-k8s.io/elastic-job": "true"})
    made["spec"]["completions"] = pods  # can't be changed later
    cage.hands.submit(made)
    cage.pods("grows")
    cage.cluster.patch(tasks.path("Job", cage.team.namespace, "grows"), {"spec": {"parallelism": pods}})
    cage.cluster.until(lambda: len(cage.cluster.workloads(cage.team.namespace)) == 2, "a second slice")


@case("elastic Job, made wider while it runs", "running", "", only="0.19.2", elsewhere=SLICES, cohort=None)
def _wider(cage: Cage) -> str:
    _grow(cage, 2)
    cage.pods("grows", 2)
    return "grows"


@case("elastic Job, made wider than its share: it runs on as it was", "running", "", only="0.19.2", elsewhere=SLICES, cohort=None)
def _too_wide(cage: Cage) -> str:
    _grow(cage, 3)
    cage.cluster.until(
        lambda: any(condition(w, "QuotaReserved").get("status") == "False" for w in cage.cluster.workloads(cage.team.namespace)), "the wider slice waits"
    )
    return "grows"


@case("the wider slice of it", "waiting", "waits_exceeds_queue", only="0.19.2", elsewhere=SLICES, cohort=None)
def _slice(cage: Cage) -> str:
    _too_wide(cage)
    newest = max(cage.cluster.workloads(cage.team.namespace), key=lambda w: not is_true(w, "QuotaReserved"))
    return f"grows/{newest['metadata']['name']}"


# once it is admitted again Kueue overwrites the finer cause and the time: what is left is the count
@case("stopped before, running again", "running", "", stop="stop_preempted", cohort=None)
def _again(cage: Cage) -> str:
    cage.job("low", priority="experiment")
    cage.pods("low")
    cage.job("high", priority="urgent")
    cage.pods("high")
    cage.hands.end(cage.team.namespace, "high")
    cage.until("low", "Admitted")
    cage.pods("low")
    return "low"


# -- stopped --------------------------------------------------------------------------------------------------------------------
def stays(cage: Cage, name: str) -> Manifest:
    """A task whose operator never lets go of its pods: an eviction that does not end."""
    made = cage.hands.submit(tasks.pytorch_job(cage.team, name, 1, HALF, priority="experiment"))
    cage.until(name, "Admitted")
    cage.hands.status(
        made, {"conditions": [tasks.condition("Running", "True", "JobRunning")], "replicaStatuses": {"Master": {"active": 1}, "Worker": {"active": 1}}}
    )
    cage.hands.expand(made)
    cage.pods(name, 2)
    return made


# alone: a task that is being stopped for ever makes Kueue 0.12.10 admit more in other cohorts than they have (seen on it)
@case("being stopped, still holding quota", "stopping", "stop_preempted_in_queue", cohort=None, stop="stop_preempted_in_queue", alone=True)
def _stopping(cage: Cage) -> str:
    stays(cage, "stubborn")
    cage.job("high", priority="urgent")
    cage.until("stubborn", "Evicted")
    return "stubborn"


@case("the one that waits for it", "waiting", "waits_for_stopped", cohort=None, alone=True)
def _waits_for_stopped(cage: Cage) -> str:
    stays(cage, "stubborn")
    cage.job("high", priority="urgent")
    cage.until("stubborn", "Evicted")
    return "high"


@case("stopped for a task of the own queue", "waiting", "waits_quota", stop="stop_preempted_in_queue", cohort=None)
def _in_queue(cage: Cage) -> str:
    cage.job("low", priority="experiment")
    cage.until("low", "Admitted")
    cage.job("high", priority="urgent")
    cage.until("high", "Admitted")
    return "low"


# its LocalQueue on hold, since 0.12.10 lets it in again and again, also beside the one that it was stopped for
@case(
    "stopped, since another queue took its share back (then its LocalQueue on hold)",
    "waiting",
    "waits_local_queue_stopped",
    stop="stop_preempted_reclaimed",
    borrow=1,
)
def _reclaimed(cage: Cage) -> str:
    other = cage.other(1, borrow=1)
    cage.job("borrower", 2)
    cage.until("borrower", "Admitted")
    cage.patch_local_queue({"stopPolicy": "Hold"})
    cage.hands.submit(tasks.job(other, "owner", 1, WHOLE))
    cage.settled(other, "owner")
    return "borrower"


@case(
    "stopped by a queue that borrows itself (then its LocalQueue on hold)",
    "waiting",
    "waits_local_queue_stopped",
    stop="stop_preempted_while_borrowing",
    borrow=2,
)
def _while_borrowing(cage: Cage) -> str:
    third = cage.cluster.team(f"lender-{cage.number}", 1, cohort=f"cohort-{cage.number}")
    assert third
    other = cage.other(1, borrow=2, preemption={"reclaimWithinCohort": "Any", "borrowWithinCohort": {"policy": "LowerPriority", "maxPriorityThreshold": 60}})
    cage.job("borrower", 3, priority="experiment")
    cage.until("borrower", "Admitted")
    cage.patch_local_queue({"stopPolicy": "Hold"})
    cage.hands.submit(tasks.job(other, "owner", 2, WHOLE, priority="urgent"))
    cage.settled(other, "owner")
    return "borrower"


@case("deactivated by hand", "deactivated", "deactivated", stop="stop_deactivated")
def _deactivated(cage: Cage) -> str:
    cage.job("off")
    cage.until("off", "Admitted")
    cage.patch_workload("off", {"spec": {"active": False}})
    cage.until("off", "QuotaReserved", "False")
    return "off"


@case("rejected by an admission check", "deactivated", "deactivated_check", stop="stop_check_rejected")
def _rejected(cage: Cage) -> str:
    check = cage.check()
    cage.job("refused")
    cage.answer("refused", check, "Rejected")
    cage.until("refused", "QuotaReserved", "False")
    return "refused"


@case("ran for longer than its own limit", "deactivated", "deactivated_time", stop="stop_time_limit")
def _too_long(cage: Cage) -> str:
    cage.job("slow", labels={"kueue.x-k8s.io/max-exec-time-seconds": "1"})
    cage.until("slow", "Admitted")
    cage.until("slow", "QuotaReserved", "False")
    return "slow"


# -- finished, and without Kueue ----------------------------------------------------------------------------------------------------
@case("finished well", "finished", "")
def _well(cage: Cage) -> str:
    cage.job("good")
    cage.pods("good")
    cage.hands.end(cage.team.namespace, "good")
    cage.until("good", "Finished")
    return "good"


@case("finished badly: exit code", "finished", "task_exit")
def _badly(cage: Cage) -> str:
    cage.job("bad")
    cage.pods("bad")
    cage.hands.end(cage.team.namespace, "bad", 3)
    cage.until("bad", "Finished")
    return "bad"


@case("finished badly: out of memory", "finished", "task_out_of_memory")
def _memory(cage: Cage) -> str:
    cage.job("hungry")
    cage.pods("hungry")
    cage.hands.end(cage.team.namespace, "hungry", 137, "OOMKilled")
    cage.until("hungry", "Finished")
    return "hungry"


@case("its owner was deleted without it", "finished", "owner_gone", only="0.19.2")
# 0.12 leaves it admitted
@case("its owner was deleted without it", "starting", "owner_gone", only="0.12.10")
def _orphan(cage: Cage) -> str:
    made = cage.job("orphan")
    workload = cage.until("orphan", "Admitted")
    at = tasks.path("Job", cage.team.namespace, "orphan")
    cage.cluster.request("DELETE", at, {"propagationPolicy": "Orphan"})
    cage.cluster.until(lambda: cage.cluster.get(at).status_code == 404, "the job gone")
    assert made
    return str(workload["metadata"]["name"])


@case("no queue label: not governed", "running", "")
def _unmanaged(cage: Cage) -> str:
    cage.job("free", queue=None)
    cage.pods("free")
    return "free"


@case("no queue label and suspended by its owner", "suspended", "suspended_by_owner")
def _suspended(cage: Cage) -> str:
    made = tasks.job(cage.team, "paused", 1, WHOLE, queue=None)
    made["spec"]["suspend"] = True
    cage.hands.submit(made)
    return "paused"
