"""The two self-reviews (DESIGN.md 14, S16): who am I, and may I. They persist nothing, and leave a line in the API server's audit log.

SelfSubjectRulesReview is not used: on EKS its answer is always incomplete (facts/kubernetes.md 2.1).
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass

from ...model.kubernetes import Filled, Many, Shape
from ...model.outcome import Ask, Failure, Layer, State
from ...policy.kubernetes import ACCESS_REVIEW, REVIEW_SECONDS, REVIEWS_PER_NAMESPACE, SELF_REVIEW, Question
from ...reads import Deadline, Got, Read
from .lists import At, decode_object


class ReviewBudget:
    """How many self-reviews per API server and namespace were sent lately; one object per process, thread-safe."""

    def __init__(self, limit: int = REVIEWS_PER_NAMESPACE, seconds: float = REVIEW_SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit, self._seconds, self._clock = limit, seconds, clock
        self._sent: dict[tuple[str, str], deque[float]] = {}
        self._lock = threading.Lock()

    def take(self, server: str, namespace: str) -> None:
        """Counts one review. Raises Failure(THROTTLED) at the limit: nothing is sent."""
        now = self._clock()
        with self._lock:
            for key in [k for k, times in self._sent.items() if times and now - times[-1] >= self._seconds]:
                del self._sent[key]
            sent = self._sent.setdefault((server, namespace), deque())
            while sent and now - sent[0] >= self._seconds:
                sent.popleft()
            if len(sent) >= self._limit:
                wait = round(self._seconds - (now - sent[0]), 1)
                raise Failure(
                    State.THROTTLED, "k8s_review_budget", {"limit": self._limit, "scope": namespace, "retry_after_seconds": wait}, layer=Layer.WORKLOAD
                )
            sent.append(now)


@dataclass(frozen=True, slots=True)
class Allowed:
    """The authorizer's answer to one question. `allowed` None: an authorizer failed, so a no is not one (evaluationError)."""

    asked: Question
    allowed: bool | None


@dataclass(frozen=True, slots=True)
class Self:
    """Whom the API server takes us for."""

    username: str
    groups: tuple[str, ...]


class _Verdict(Shape, frozen=True):
    allowed: bool
    evaluation_error: str = ""


class _Review(Shape, frozen=True):
    status: _Verdict


class _User(Shape, frozen=True):
    username: str = ""
    groups: Many[str] = ()


class _UserStatus(Shape, frozen=True):
    user_info: Filled[_User]


class _SelfReview(Shape, frozen=True):
    status: _UserStatus


def self_review(at: At) -> Read[Self]:
    """SelfSubjectReview: absent before Kubernetes 1.28."""

    def fetch(deadline: Deadline) -> Got[Self]:
        answer = at.api.who_am_i(at.reach, deadline)
        user = decode_object(answer.body, _SelfReview, "SelfSubjectReview", SELF_REVIEW).status.user_info
        return Got(Self(user.username, user.groups), answer.skew)

    return Read(at.key(SELF_REVIEW, ""), at.lane, SELF_REVIEW.source, fetch, ttl=REVIEW_SECONDS, floor=30.0)


def access_review(at: At, budget: ReviewBudget, scope: Collection[str], asked: Question) -> Read[Allowed]:
    """SelfSubjectAccessReview of one question; its answer is kept for five minutes.

    `scope`: the namespaces that may be asked about (those in scope, and one that a self-declared record claims: S4). A question about the whole
    cluster has namespace "" and counts against a budget of its own. Fails NOT_CONFIGURED for other namespaces, THROTTLED at the budget.
    """

    def fetch(deadline: Deadline) -> Got[Allowed]:
        if asked.namespace and asked.namespace not in scope:
            raise Failure(State.NOT_CONFIGURED, "k8s_namespace_out_of_scope", {"scope": asked.namespace}, layer=Layer.PROJECT, ask=Ask.CONTRACT_OWNER)
        budget.take(at.reach.server_key, asked.namespace)
        answer = at.api.ask(at.reach, asked, deadline)
        verdict = decode_object(answer.body, _Review, "SelfSubjectAccessReview", ACCESS_REVIEW).status
        return Got(Allowed(asked, None if verdict.evaluation_error and not verdict.allowed else verdict.allowed), answer.skew)

    words = "/".join((asked.verb, asked.group, asked.resource, asked.subresource, asked.namespace, asked.name))
    return Read(at.key(ACCESS_REVIEW, words), at.lane, f"{ACCESS_REVIEW.source} ({asked.verb} {asked.resource})", fetch, ttl=REVIEW_SECONDS, floor=30.0)
