"""A connection contract as shown: the customer's record, its state and where it is kept (DESIGN.md 6)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from .outcome import Phrase


class Standing(StrEnum):
    """The lifecycle as of now. A named state for everything that can be found, never skipped."""

    IN_FORCE = "in_force"
    ON_RECORD = "on_record"  # a valid record that says nothing of approval: unknown is not "agreed"
    REVIEW_DUE = "review_due"  # ends nothing
    DRAFT = "draft"  # written, not approved
    NOT_YET = "not_yet"  # approved to begin later
    EXPIRED = "expired"
    REVOKED = "revoked"
    DECOMMISSIONED = "decommissioned"
    INVALID = "invalid"  # line and reason in problems
    AMBIGUOUS = "ambiguous"  # two of one rank match
    UNMATCHED = "unmatched"  # may be about this connection, but does not name enough to tell
    UNKNOWN = "unknown"  # nothing found, and a place where one could be kept was not read
    NONE = "none"  # none on record


class Rank(StrEnum):
    """Which record wins: the order of this list. Only the first two can be `platform`."""

    S3 = "s3"
    ANNOTATION = "annotation"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class Owner:
    role: str  # business, operations, cost, exceptions
    name: str
    contact: str | None
    escalation: str | None


@dataclass(frozen=True, slots=True)
class Problem:
    """Where and which rule, never the content (S12)."""

    file: str
    line: int | None
    column: int | None
    rule: Phrase
    path: str = ""  # dotted path of the field, from our schema's own names only


@dataclass(frozen=True, slots=True)
class Entry:
    """One exception or decision of the record."""

    what: str
    by: str | None
    on: str | None
    until: str | None


@dataclass(frozen=True, slots=True)
class Fact:
    """One optional field as recorded: `field` is a code of words.py; an absent field is shown as not recorded, with value None."""

    field: str
    value: str | None


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a lower-ranked record says something else."""

    field: str
    here: str | None
    there: str | None
    there_kept: str


@dataclass(frozen=True, slots=True)
class Share:
    instance_type: str
    count: str


@dataclass(frozen=True, slots=True)
class Signal:
    """One of the five monitoring signals as recorded."""

    signal: str  # code of words.py
    owner: str | None
    threshold: str | None
    response: str | None


@dataclass(frozen=True, slots=True)
class S3Source:
    """An S3 prefix that holds contracts. `platform`: named in the platform file, not by a trait. `owner` is the ExpectedBucketOwner (12 digits)."""

    bucket: str
    prefix: str  # ends with "/"
    owner: str
    region: str
    platform: bool = False


@dataclass(frozen=True, slots=True)
class Kept:
    """One document as a source found it: its bytes, or the problem that kept it from being read; exactly one of the two."""

    rank: Rank
    where: str  # where it is kept, as shown: s3://bucket/key, "namespace team-a", ".hpgov/contracts/a.yaml"
    file: str  # the short name that problems carry
    data: bytes | None = field(default=None, repr=False)
    problem: Problem | None = None
    version: str | None = None  # VersionId, field manager; None: not recorded
    kept_at: float | None = None  # epoch seconds by the source's clock
    platform: bool = False  # S3 only: its prefix is named in the platform file
    namespace: str | None = None  # annotation only
    typed: bool = False  # annotation only: the namespace is in scope only because the person typed its name


@dataclass(frozen=True, slots=True)
class ScopedNamespace:
    """A namespace in scope and by which record. `source`: platform_contract, connection, trait, typed, self_declared."""

    name: str
    source: str
    read: bool
    why_not: Phrase | None = None


@dataclass(frozen=True, slots=True)
class ContractView:
    standing: Standing
    platform: bool  # True: kept where the governed cannot write; False: self-declared
    rank: Rank | None
    kept: str | None  # where it is kept: s3://..., namespace annotation, file name
    version: str | None  # VersionId, field manager; None: not recorded
    kept_at: float | None
    record: str | None  # https link to the customer's record, vetted (S7); None if it may not be a link
    owners: tuple[Owner, ...] = ()
    purpose: str | None = None
    facts: tuple[Fact, ...] = ()
    namespaces: tuple[str, ...] = ()
    slurm_accounts: tuple[str, ...] = ()
    workload_kinds: tuple[str, ...] = ()
    service_accounts: tuple[str, ...] = ()
    approved_by: str | None = None
    approved_on: str | None = None
    agreed_until: str | None = None  # date; None: no end date
    next_review: str | None = None
    line: Phrase | None = None  # the first line: agreed until, review due since, expired on ...
    exceptions: tuple[Entry, ...] = ()
    decisions: tuple[Entry, ...] = ()
    problems: tuple[Problem, ...] = ()
    differences: tuple[Difference, ...] = ()
    shares: tuple[Share, ...] = field(default_factory=tuple)
    signals: tuple[Signal, ...] = ()
    record_host: str | None = None  # host of `record`, shown beside the link (S7)
    not_named: tuple[str, ...] = ()  # codes of the fields (account, region, cluster, project) that the record leaves out
    not_compared: tuple[str, ...] = ()  # codes of the fields that the record names and this connection does not know
    why_not_platform: Phrase | None = None  # None when platform, or nothing is on record
    notes: tuple[Phrase, ...] = ()  # what may overrule or complete this: a source not read, records not readable


@dataclass(frozen=True, slots=True)
class Draft:
    """A contract to fill in, from what is known. `text` None: a value in it may not be copied (S5)."""

    file_name: str
    text: str | None
