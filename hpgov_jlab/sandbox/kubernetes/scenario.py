"""The Kubernetes far end of one EKS cluster of a scenario: who gets in is what AWS says of the token and what the cluster's access entries make of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..aws.keys import Principal
from ..faults import Faults
from ..scenario import AccessEntry, EksCluster, ServiceAccount
from .access_policies import Grant, policy_name
from .far_end import AUTHENTICATED, Authenticate, KubernetesFarEnd
from .rbac import User
from .recording import FOLDER, load
from .replay import PAUSE

Who = Callable[[str], Principal | None]
"""Whose AWS token this is for this cluster: `AwsFarEnd.who` of it."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How the story is told: story seconds per second, the second to begin at, seconds to rest at the end, a frame to stop at."""

    speed: float = 1.0
    offset: float = 0.0
    pause: float = PAUSE
    frame: int | str | None = None


def eks_authenticator(entries: Sequence[AccessEntry], who: Who, accounts: Sequence[ServiceAccount] = ()) -> Authenticate:
    """EKS's way: a token of AWS, then the role's access entry. Without an entry it is 401, not 403. Service account tokens are the cluster's own."""
    own = {a.token: User(a.username, a.groups) for a in accounts}
    by_role = {e.role: e for e in entries}

    def authenticate(token: str) -> User | None:
        if token in own:
            return own[token]
        principal = who(token)
        entry = by_role.get(principal.role_arn) if principal is not None else None
        if principal is None or entry is None:
            return None
        extra = {"arn": [principal.role_arn], "canonicalArn": [principal.role_arn], "sessionName": [principal.session_name]}
        uid = f"aws-iam-authenticator:{principal.account}:{principal.user_id.partition(':')[0]}"
        return User(entry.username_for(principal.session_name), (*entry.groups, AUTHENTICATED), uid, extra)

    return authenticate


def policies_of(entries: Sequence[AccessEntry]) -> Callable[[User], Sequence[Grant]]:
    """The access policies of a user that an entry made. Raises KeyError at once for a policy that is not known here."""
    by_role = {e.role: tuple(Grant(policy_name(p.name), p.namespaces) for p in e.policies) for e in entries}
    return lambda user: by_role.get(next(iter(user.extra.get("canonicalArn", ())), ""), ())


def far_end(
    cluster: EksCluster,
    who: Who,
    *,
    accounts: Sequence[ServiceAccount] = (),
    faults: Faults | None = None,
    clock: Callable[[], float] = time.time,
    pace: Pace | None = None,
    recordings: Path = FOLDER,
) -> KubernetesFarEnd:
    """The far end of a cluster, not started. Raises ValueError where the scenario and the recording do not go together."""
    pace = pace or Pace()
    recording = load(cluster.recording, recordings).with_manifests(cluster.objects).with_annotations(cluster.annotations)
    made = KubernetesFarEnd(
        recording,
        eks_authenticator(cluster.entries, who, accounts),
        policies=policies_of(cluster.entries),
        faults=faults,
        clock=clock,
        speed=pace.speed,
        offset=pace.offset,
        pause=pace.pause,
    )
    if pace.frame is not None:
        made.replay.freeze(pace.frame)
    return made
