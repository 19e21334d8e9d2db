"""Whose identity reads: GetCallerIdentity as a read of its own."""

from __future__ import annotations

from ...model.cluster import Identity
from ...reads import Deadline, Got, Key, Read
from .session import LANE, AwsSession


def identity(session: AwsSession) -> Read[Identity]:
    """The session's ARN, account and method, and whether they are the expected ones (S8). An unexpected identity is told, not raised: it has to be shown."""

    def fetch(deadline: Deadline) -> Got[Identity]:
        who = session.who(deadline)
        return Got(Identity(who.arn, who.account, who.method, expected=who.expected, note=who.note), who.skew)

    key = Key(session.principal, f"sts.{session.region}", "GetCallerIdentity")
    return Read(key, LANE, "sts:GetCallerIdentity", fetch, way=True, ttl=300.0, floor=10.0)
