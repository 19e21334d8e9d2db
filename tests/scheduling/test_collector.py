"""Thousands of tasks add next to nothing to what Python's collector of garbage goes through: a full collection stops the whole server, and one is due
whenever a quarter more objects have come to stay than there were."""

from __future__ import annotations

import gc
import json
import time
from typing import Any

from bench.bulk import JOBS, PODS, WORKLOADS, bulk, list_bytes
from hpgov_jlab.answers.source import Source
from hpgov_jlab.answers.tasks import make
from hpgov_jlab.model.kinds import BY_PLURAL
from hpgov_jlab.model.kubernetes import Pod
from hpgov_jlab.model.kueue import ClusterQueue, Workload
from hpgov_jlab.policy import kubernetes as policy
from hpgov_jlab.sandbox.kubernetes.recording import load
from hpgov_jlab.scheduling.share import share_of
from hpgov_jlab.scheduling.states import Team
from hpgov_jlab.scheduling.view import Question, page
from hpgov_jlab.scheduling.waiting import Queues
from hpgov_jlab.sources.kubernetes.lists import decode_object, decode_page

COUNT = 2_000
QUEUE = "hyperpod-ns-research-clusterqueue"
JOB = BY_PLURAL["jobs.batch"]


def _decoded(bodies: dict[str, list[bytes]], queue: bytes) -> Team:
    workloads = tuple(w for body in bodies[WORKLOADS] for w in decode_page(body, Workload, policy.WORKLOADS)[0])
    jobs = tuple(JOB.lift(j, "v1") for body in bodies[JOBS] for j in decode_page(body, JOB.shape, policy.kind_operation(JOB))[0])
    pods = tuple(p for body in bodies[PODS] for p in decode_page(body, Pod, policy.PODS)[0])
    queues = Queues({QUEUE: decode_object(queue, ClusterQueue, "ClusterQueue", policy.CLUSTER_QUEUE)})
    return Team("hyperpod-ns-research", workloads, jobs, frozenset({"Job", "Pod"}), pods, queues)


def _held(count: int) -> tuple[int, Any]:
    """Objects that stay in the collector's sight with that many tasks read, worked out and shown; and what they belong to."""
    recording = bulk(load("story"), count)
    bodies = {kind: list_bytes(recording, kind) for kind in (WORKLOADS, JOBS, PODS)}
    found = next(o for o in recording.frames[0].upserts["kueue.x-k8s.io/v1beta2/clusterqueues"] if o["metadata"]["name"] == QUEUE)
    queue = json.dumps(found).encode()
    del recording, found
    gc.collect()
    before = len(gc.get_objects())
    team = _decoded(bodies, queue)
    rows, units = make(Source((team,)), time.time())
    share = share_of(team.queues.cluster_queues[QUEUE], (team,))
    shown = page(rows.snapshot, Question(limit=200))
    assert len(rows.snapshot) == len(units) == count and len(shown.rows) == min(200, count)
    gc.collect()
    return len(gc.get_objects()) - before, (team, rows, units, share, shown)


def test_a_thousand_tasks_more_are_next_to_no_objects_more() -> None:
    _held(10)  # whatever is made once: decoders, caches of amounts
    few, _ = _held(250)
    many, kept = _held(COUNT)
    holders = [row for row in kept[3].rows if row.more_holders]
    assert holders and all(len(row.holders) == 200 for row in holders)
    # the rows of one page, and the holders that a share row names, are objects; what stands behind them is not
    assert many - few < (COUNT - 250) / 4, f"{few} objects for 250 tasks, {many} for {COUNT}"
