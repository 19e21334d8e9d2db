"""Whether a record is about a connection: by account, region, cluster and project (DESIGN.md 6).

Where it is kept may say what the record leaves out: an annotation is about the cluster that it was read from, a file about the project whose
repository holds it. An S3 prefix says nothing, so a record there names the cluster whole, and the project wherever the connection has one;
otherwise two lines in a shared bucket would be an agreement for everyone.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ..model.connection import Connection
from ..model.contract import Rank
from .record import CLAIM_PATHS, Parsed

_CLUSTER = frozenset({"field_cluster_account", "field_cluster_region", "field_cluster_name"})
_SAID_BY_PLACE: dict[Rank, frozenset[str]] = {
    Rank.S3: frozenset(),
    Rank.ANNOTATION: _CLUSTER | {"field_project_id"},
    Rank.FILE: _CLUSTER | {"field_project_id"},
}


class Fit(StrEnum):
    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"  # nothing contradicts, but the record names too little, or this connection knows too little
    UNREADABLE = "unreadable"  # not even whom it is about can be read


@dataclass(frozen=True, slots=True)
class Match:
    """`not_named` and `not_compared` are codes of fields: left out by the record; recorded, but not known of this connection."""

    fit: Fit
    not_named: tuple[str, ...] = ()
    not_compared: tuple[str, ...] = ()


def match(parsed: Parsed, connection: Connection) -> Match:
    """Compare what the record claims with what the place's own source says of the connection; the record never adds to the latter (S3)."""
    rank = parsed.kept.rank
    if parsed.claims is None:  # broken: on one's own namespace it can only be one's own
        return Match(Fit.YES if rank is Rank.ANNOTATION else Fit.UNREADABLE)
    ours = {
        "field_cluster_account": connection.account,
        "field_cluster_region": connection.region,
        "field_cluster_name": connection.cluster_name or None,
        "field_project_id": connection.project_id,
    }
    not_named: list[str] = []
    not_compared: list[str] = []
    unclear = False
    for code in CLAIM_PATHS:
        theirs, own = parsed.claims.get(code), ours[code]
        said_by_place = code in _SAID_BY_PLACE[rank]
        if theirs is None:
            not_named.append(code)
            unclear |= not said_by_place and (own is not None or code in _CLUSTER)
        elif own is None:
            not_compared.append(code)
            unclear |= not said_by_place
        elif theirs != own:
            return Match(Fit.NO)
    if parsed.data is None and rank is Rank.FILE and not _CLUSTER.isdisjoint(not_named):
        return Match(Fit.UNREADABLE, tuple(not_named), tuple(not_compared))  # a broken file must not make a sound one ambiguous
    return Match(Fit.UNCLEAR if unclear else Fit.YES, tuple(not_named), tuple(not_compared))
