"""Pods of a task: why one has no node, why it is not ready, how it died. Computed from codes and figures (DESIGN.md 7).

Sources: core/v1 PodStatus; the scheduler's message (kept for PodScheduled=False only, model/kubernetes.py), from which whatever a taint
holds and all that is said of preemption is cut: both may name other teams.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..model.kubernetes import ContainerStatus, Pod, Terminated, epoch
from ..model.outcome import Phrase
from ..model.task import ContainerFact, MorePods, PodFact

Params = dict[str, str | int | float | None]

_IMAGE = frozenset({"ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "ImageInspectError", "RegistryUnavailable"})
_CONFIG = frozenset(
    {"CreateContainerConfigError", "CreateContainerError", "RunContainerError", "ContainerCannotRun", "PreCreateHookError", "PreStartHookError"}
)

TASK_CODES = {
    "pod_no_node_resources": "task_no_node_resources",
    "pod_no_node_pod_count": "task_no_node_pod_count",
    "pod_no_node_cordoned": "task_no_node_cordoned",
    "pod_no_node_taint": "task_no_node_taint",
    "pod_no_node_selector": "task_no_node_selector",
    "pod_no_node": "task_no_node",
    "pod_gated": "task_gated",
    "pod_image": "task_image",
    "pod_container_config": "task_container_config",
    "pod_crash_loop": "task_crash_loop",
    "pod_out_of_memory": "task_out_of_memory",
    "pod_exit": "task_exit",
    "pod_failed": "task_failed",
    "pod_signal": "task_signal",
    "pod_evicted": "task_evicted",
    "pod_being_deleted": "task_being_deleted",
    "pod_creating": "task_creating",
    "pod_not_ready": "task_not_ready",
    "pod_node_lost": "task_node_lost",
}
"""What one pod says -> the same said of a task, with `pods` and `pods_total`. The order is that of gravity: what a person should hear first."""

_NO_NODE = re.compile(r"0/([0-9]{1,7}) nodes are available")
_ITEM = re.compile(
    r"([0-9]{1,7}) (Insufficient ([A-Za-z0-9./_-]{1,120})|Too many pods|"
    r"node\(s\) (?:were unschedulable|had untolerated taint|had taint|didn't match Pod's node affinity|didn't match node selector))"
)
_BRACES = re.compile(r"\{[^{}]{0,300}\}")
_CATEGORY = (
    ("Insufficient", "pod_no_node_resources"),
    ("Too many pods", "pod_no_node_pod_count"),
    ("node(s) were unschedulable", "pod_no_node_cordoned"),
    ("node(s) had", "pod_no_node_taint"),
    ("node(s) didn't match", "pod_no_node_selector"),
)
MAX_TEXT = 512
PHASES = ("Pending", "Running", "Succeeded", "Failed", "Terminating", "Unknown")
_NAME = 253
_INDEXED = re.compile(r"([^0-9]+|^)([0-9]*)")


@dataclass(frozen=True, slots=True)
class PodsSeen:
    """The pods of one task, counted. `reason` is the gravest, said of the whole task; `text` the scheduler's own words for it."""

    total: int
    running: int  # phase Running and ready
    ended_well: int
    ended_badly: int
    reason: Phrase | None
    text: str | None


def scheduler_text(message: str | None) -> str | None:
    """The scheduler's sentence without the contents of taints and without what it says of preemption."""
    if message is None:
        return None
    head = re.split(r"\.?\s*preemption:|[Pp]reempt", message[: 4 * MAX_TEXT], maxsplit=1)[0]
    text = _BRACES.sub("{…}", head).rstrip(" ,.;")
    if "{" in text.replace("{…}", ""):  # a taint that was not closed: say nothing rather than half of it
        return None
    return text[:MAX_TEXT] or None


def no_node(message: str | None) -> Phrase:
    """Why no node takes a pod. Shortage is named before a mismatch: nodes that do not match were never meant for it."""
    head = (message or "")[: 4 * MAX_TEXT].split("preemption:", 1)[0]
    of = _NO_NODE.search(head)
    nodes_total = int(of.group(1)) if of else None
    found: dict[str, int] = {}
    resources: set[str] = set()
    for count, what, resource in _ITEM.findall(head):
        code = next(code for start, code in _CATEGORY if what.startswith(start))
        found[code] = max(found.get(code, 0), int(count)) if code == "pod_no_node_resources" else found.get(code, 0) + int(count)
        if resource:
            resources.add(resource.rstrip("."))
    for _, code in _CATEGORY:
        if code in found:
            params: Params = {"nodes": found[code], "nodes_total": nodes_total}
            if code == "pod_no_node_resources":
                params["resources"] = ", ".join(sorted(resources))
            return Phrase(code, params)
    return Phrase("pod_no_node", {"nodes_total": nodes_total})


def _container_fact(status: ContainerStatus) -> ContainerFact:
    state, last = status.state, status.last_state.terminated if status.last_state else None
    common: tuple[int, str | None, int | None] = (status.restart_count, last.reason if last else None, last.exit_code if last else None)
    if state is not None and state.running is not None:
        return ContainerFact(status.name, "running", None, None, *common)
    if state is not None and state.terminated is not None:
        return ContainerFact(status.name, "terminated", state.terminated.reason, state.terminated.exit_code, *common)
    return ContainerFact(status.name, "waiting", state.waiting.reason if state is not None and state.waiting is not None else None, None, *common)


def container_end(name: str, how: Terminated, restarts: int) -> Phrase | None:
    """How a container ended, None when it ended well. 128 + n says that signal n ended it."""
    if how.reason == "OOMKilled":
        return Phrase("pod_out_of_memory", {"container": name, "restarts": restarts})
    if how.signal or (how.exit_code is not None and 128 < how.exit_code < 160):
        return Phrase("pod_signal", {"container": name, "signal": how.signal or (how.exit_code or 0) - 128, "exit_code": how.exit_code})
    if how.exit_code:
        return Phrase("pod_exit", {"container": name, "exit_code": how.exit_code})
    return None


def _container_reason(status: ContainerStatus) -> Phrase | None:
    state = status.state
    last = status.last_state.terminated if status.last_state else None
    if state is None:
        return None
    if state.terminated is not None:
        return container_end(status.name, state.terminated, status.restart_count)
    waiting = (state.waiting.reason if state.waiting is not None else None) or ""
    if waiting in _IMAGE:
        return Phrase("pod_image", {"container": status.name, "why": waiting})
    if waiting in _CONFIG:
        return Phrase("pod_container_config", {"container": status.name, "why": waiting})
    if waiting == "CrashLoopBackOff" or (waiting and last is not None):
        died = container_end(status.name, last, status.restart_count) if last else None
        if died is not None and died.code == "pod_out_of_memory":
            return died
        return Phrase("pod_crash_loop", {"container": status.name, "restarts": status.restart_count, "exit_code": last.exit_code if last else None})
    return None


def pod_reason(pod: Pod) -> Phrase | None:
    """Why this pod does not run, or how it died; None when there is nothing to explain."""
    status, scheduled = pod.status, pod.condition("PodScheduled")
    if status.phase == "Succeeded":
        return None
    if status.reason in ("NodeLost", "NodeAffinity", "UnexpectedAdmissionError", "OutOfcpu", "OutOfmemory", "NodeShutdown", "Terminated"):
        return Phrase("pod_node_lost", {"why": status.reason})
    causes = [cause for cause in map(_container_reason, (*status.init_container_statuses, *status.container_statuses)) if cause is not None]
    grave = min(causes, key=_gravity, default=None)
    if status.phase == "Failed":
        disrupted = pod.condition("DisruptionTarget")
        if status.reason in ("Evicted", "Preempting", "DeadlineExceeded") or (disrupted is not None and disrupted.true):
            return Phrase("pod_evicted", {"why": status.reason or (disrupted.reason if disrupted else None)})
        return grave or Phrase("pod_failed")
    if pod.metadata.deletion_timestamp is not None:
        return Phrase("pod_being_deleted", {})
    if scheduled is not None and scheduled.status == "False":
        if scheduled.reason == "SchedulingGated" or pod.spec.scheduling_gates:
            return Phrase("pod_gated", {"gates": ", ".join(sorted(gate.name for gate in pod.spec.scheduling_gates)) or None})
        return no_node(scheduled.message)
    if grave is not None:
        return grave
    if status.phase == "Pending":
        return Phrase("pod_creating", {})
    ready = pod.condition("Ready")
    if status.phase == "Running" and ready is not None and not ready.true:
        return Phrase("pod_not_ready", {})
    return None


_ORDER = {code: place for place, code in enumerate(TASK_CODES)}


def _gravity(phrase: Phrase) -> int:
    return _ORDER[phrase.code]


def pod_fact(pod: Pod) -> PodFact:
    """One line of the task page. `started_at` by the kubelet's clock."""
    statuses = (*pod.status.init_container_statuses, *pod.status.container_statuses)
    scheduled, reason = pod.condition("PodScheduled"), pod_reason(pod)
    text = scheduler_text(scheduled.message) if scheduled is not None and reason is not None and reason.code.startswith("pod_no_node") else None
    started = epoch(pod.status.start_time)
    return PodFact(pod.metadata.name, pod_phase(pod), pod.spec.node_name, reason, text, started, tuple(_container_fact(each) for each in statuses))


def pod_phase(pod: Pod) -> str:
    """Its phase, as `kubectl get pods` has it for one that is being deleted."""
    ending = pod.metadata.deletion_timestamp is not None and pod.status.phase in ("Pending", "Running")
    return "Terminating" if ending else pod.status.phase or "Unknown"


def in_order(pods: Iterable[Pod]) -> tuple[Pod, ...]:
    """Pods in trouble first, the gravest of them before the others, then by name: worker-2 before worker-10."""
    return tuple(sorted(pods, key=_place))


def _place(pod: Pod) -> tuple[int, list[tuple[str, int]]]:
    reason = pod_reason(pod)
    return _gravity(reason) if reason is not None else len(_ORDER), _by_index(pod.metadata.name)


def _by_index(name: str) -> list[tuple[str, int]]:
    """A name in pairs of text and number, whose order is that of the indices in it."""
    return [(text, int(number or -1)) for text, number in _INDEXED.findall(name[:_NAME])]


def pod_facts(pods: Iterable[Pod]) -> Iterator[PodFact]:
    """One by one: of thousands only those are worked out that are asked for."""
    return map(pod_fact, pods)


def more_pods(pods: Sequence[Pod], *, at_least: bool) -> MorePods | None:
    """Sums over pods that are not listed; None: all are."""
    if not pods:
        return None
    phases = Counter(phase if (phase := pod_phase(pod)) in PHASES else "Unknown" for pod in pods)
    return MorePods(len(pods), dict(phases), sum(pod_reason(pod) is not None for pod in pods), at_least)


def pods_seen(pods: Sequence[Pod], wanted: int | None = None) -> PodsSeen:
    """The pods of one task together. `wanted`: how many there should be, where known; pods not made yet count to the total."""
    running = well = badly = 0
    troubles: dict[str, list[Phrase]] = {}
    texts: dict[str, str | None] = {}
    for pod in pods:
        fact = pod_fact(pod)
        ready = pod.condition("Ready")
        if pod.status.phase == "Succeeded":
            well += 1
        elif pod.status.phase == "Failed":
            badly += 1
        elif pod.status.phase == "Running" and (ready is None or ready.true) and pod.metadata.deletion_timestamp is None:
            running += 1
        if fact.reason is not None:
            troubles.setdefault(fact.reason.code, []).append(fact.reason)
            texts.setdefault(fact.reason.code, fact.text)
    total = max(len(pods), wanted or 0)
    if not troubles:
        return PodsSeen(total, running, well, badly, None, None)
    code = min(troubles, key=lambda code: _ORDER[code])
    first = troubles[code][0]
    return PodsSeen(total, running, well, badly, Phrase(TASK_CODES[code], {**first.params, "pods": len(troubles[code]), "pods_total": total}), texts[code])
