"""5,000 Workloads from bytes to the first page of the task table, and what else could be done with the same bytes.

Peers: the `kubernetes` package's own models for the same tasks' Jobs (it has none for Workloads), and its way for custom objects, which ends in plain
dictionaries. Floor: json.loads. Memory is what Python's allocator held at the peak, the bytes themselves left out.
"""

from __future__ import annotations

import gc
import json
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import msgspec

from hpgov_jlab.model.kinds import BY_PLURAL
from hpgov_jlab.model.kubernetes import Pod
from hpgov_jlab.model.kueue import ClusterQueue, Workload
from hpgov_jlab.policy.kubernetes import PODS as PODS_READ
from hpgov_jlab.policy.kubernetes import WORKLOADS as WORKLOADS_READ
from hpgov_jlab.policy.kubernetes import kind_operation
from hpgov_jlab.sandbox.kubernetes.recording import Recording, load
from hpgov_jlab.scheduling.states import Team, tasks_of
from hpgov_jlab.scheduling.view import Question, page
from hpgov_jlab.scheduling.waiting import Queues
from hpgov_jlab.sources.kubernetes.lists import decode_object, decode_page
from hpgov_jlab.wire.pages import Part, TasksPage

from .bulk import JOBS, PODS, WORKLOADS, bulk, list_bytes
from .measure import Report

COUNT = 5_000
QUEUE = "hyperpod-ns-research-clusterqueue"


def _workloads(pages: list[bytes]) -> list[Workload]:
    return [w for body in pages for w in decode_page(body, Workload, WORKLOADS_READ)[0]]


def _jobs(pages: list[bytes]) -> list[Any]:
    kind = BY_PLURAL["jobs.batch"]
    return [kind.lift(j, "v1") for body in pages for j in decode_page(body, kind.shape, kind_operation(kind))[0]]


def _pods(pages: list[bytes]) -> list[Pod]:
    return [p for body in pages for p in decode_page(body, Pod, PODS_READ)[0]]


def _queue(recording: Recording) -> ClusterQueue:
    found = next(o for o in recording.frames[0].upserts["kueue.x-k8s.io/v1beta2/clusterqueues"] if o["metadata"]["name"] == QUEUE)
    return decode_object(json.dumps(found).encode(), ClusterQueue, "ClusterQueue", WORKLOADS_READ)


def _shown(team: Team) -> bytes:
    """Tasks, one page of them, and its JSON: what the route sends."""
    view = page(tasks_of(team, time.time()), Question())
    part = Part[Any].model_construct(data=list(view.rows), as_of=0.0, last=_READ, readings=[_READ], skew=None)
    answer = TasksPage.model_construct(
        now=0.0, poll_after_ms=0, sandbox=True, tasks=part, generation="", generation_gone=False, offset=view.offset, limit=view.limit, total=view.total,
        by_state=view.by_state, whose="team", mine_known=False, mine_why=None, sort="state", descending=False, text="", states=[], next_fresh_at=None,
    )  # fmt: skip
    return answer.model_dump_json().encode()


def _outcome() -> Any:
    from hpgov_jlab.model.outcome import Outcome, State

    return Outcome(State.OK, "read", "list workloads.kueue.x-k8s.io", 0.0)


_READ = _outcome()


class _Body:
    """What the package's ApiClient takes for an answer."""

    def __init__(self, body: bytes) -> None:
        self.data = body.decode()
        self.status = 200


def _package() -> Callable[[bytes, str], Any]:
    """The package's own deserialisation, whose signature differs between 36 and 37."""
    from kubernetes.client import ApiClient

    client: Any = ApiClient()

    def read(body: bytes, kind: str) -> Any:
        made = _Body(body)
        try:
            return client.deserialize(made, kind)
        except TypeError:
            return client.deserialize(made.data, kind, "application/json")

    return read


def _timed(work: Callable[[], Any]) -> float:
    gc.collect()
    start = time.process_time()
    kept = work()
    spent = (time.process_time() - start) * 1000
    del kept
    return spent


def _peak(work: Callable[[], Any]) -> float:
    gc.collect()
    tracemalloc.start()
    kept = work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    del kept
    return peak / 1e6


def run(repetitions: int) -> Report:
    report = Report("workloads")
    recording = bulk(load("story"), COUNT)
    workloads, jobs, pods = (list_bytes(recording, kind) for kind in (WORKLOADS, JOBS, PODS))
    queue = _queue(recording)
    del recording
    read = _package()

    def team(governed: list[Workload], objects: list[Any], seen: list[Pod] | None) -> Team:
        kinds = frozenset({"Job", *(("Pod",) if seen is not None else ())})
        return Team("hyperpod-ns-research", tuple(governed), tuple(objects), kinds, None if seen is None else tuple(seen), Queues({QUEUE: queue}))

    def ours_alone() -> bytes:
        return _shown(team(_workloads(workloads), [], None))

    def ours_whole() -> bytes:
        return _shown(team(_workloads(workloads), _jobs(jobs), _pods(pods)))

    decoded = team(_workloads(workloads), _jobs(jobs), _pods(pods))
    assert len(decoded.workloads or ()) == len(decoded.objects) == COUNT
    assert json.loads(ours_whole())["total"] == COUNT
    floor, jobs_floor, all_floor = "json.loads, Workloads", "json.loads, Jobs", "json.loads, Workloads, Jobs and pods"
    measured: list[tuple[str, str | None, Callable[[], Any]]] = [
        (floor, None, lambda: [json.loads(b) for b in workloads]),
        ("msgspec to dictionaries, Workloads", floor, lambda: [msgspec.json.decode(b) for b in workloads]),
        ("ours, Workloads: bytes to typed", floor, lambda: _workloads(workloads)),
        ("ours, Workloads: bytes to page", floor, ours_alone),
        ("kubernetes package, Workloads as custom objects", floor, lambda: [read(b, "object") for b in workloads]),
        (jobs_floor, None, lambda: [json.loads(b) for b in jobs]),
        ("ours, Jobs: bytes to typed", jobs_floor, lambda: _jobs(jobs)),
        ("kubernetes package, Jobs as V1JobList", jobs_floor, lambda: [read(b, "V1JobList") for b in jobs]),
        (all_floor, None, lambda: [json.loads(b) for some in (workloads, jobs, pods) for b in some]),
        ("ours, Workloads, Jobs and pods: bytes to page", all_floor, ours_whole),
        ("of it: tasks, page and JSON", "ours, Workloads, Jobs and pods: bytes to page", lambda: _shown(decoded)),
    ]
    gc.collect()
    gc.freeze()  # the collector shall visit what each way makes, not what this bench holds
    for name, against, work in measured:
        slow = "V1JobList" in name
        report.add(name, "ms CPU", [_timed(work) for _ in range(min(repetitions, 3) if slow else repetitions)], against)
    for name, against, work in measured:
        if name.startswith(("json", "ours", "kubernetes")):
            report.add(f"{name}, peak", "MB", [_peak(work)], None if against is None else f"{against}, peak")
    jobs_ours, package = (next(r for r in report.rows if r.name == n).median for n in ("ours, Jobs: bytes to typed", "kubernetes package, Jobs as V1JobList"))
    report.notes.append(f"The package's models take {package / jobs_ours:.0f} times as long as ours for the same Jobs.")
    sizes = [sum(map(len, some)) / 1e6 for some in (workloads, jobs, pods)]
    report.notes.append("{} tasks: {:.1f} MB of Workloads, {:.1f} MB of Jobs, {:.1f} MB of pods, in pages of 500.".format(COUNT, *sizes))
    return report
