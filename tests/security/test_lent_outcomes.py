"""What a read is lent of another's failure tells nothing of that other read: its namespace may be another connection's, or a former role's."""

from __future__ import annotations

import asyncio

from hpgov_jlab.model.outcome import Failure, State
from hpgov_jlab.reads import SLOW_FAILURE, Deadline, Key, Read, Reads


def test_a_lent_outcome_names_no_namespace_of_another_identity() -> None:
    now = [1000.0]

    def fails(_: Deadline) -> int:
        now[0] += SLOW_FAILURE
        raise Failure(State.UNREACHABLE, "k8s_server_error", {"operation": "list pods", "scope": "hyperpod-ns-vision", "status": 500})

    async def story() -> None:
        reads = Reads(elapsed=lambda: now[0])
        theirs = Read(Key("role of vision|c", "k8s:1", "list_pods", "hyperpod-ns-vision"), "k8s:1", "list pods", fails)
        mine = Read(Key("role of nlp|c", "k8s:1", "get_namespace", "hyperpod-ns-nlp"), "k8s:1", "get namespaces", lambda _: 1)
        assert (await reads.start(theirs)).last.params["scope"] == "hyperpod-ns-vision"
        lent = (await reads.start(mine)).last
        assert (lent.state, lent.code, lent.source, lent.params) == (State.UNREACHABLE, "k8s_server_error", "get namespaces", {"status": 500})

    asyncio.run(story())
