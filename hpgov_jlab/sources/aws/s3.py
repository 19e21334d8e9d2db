"""Contracts kept in S3, read with the place's own session: bucket, prefix and owner are configured, and the guard refuses every other (S13)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ...model.outcome import Ask, Failure, Layer, State
from ...policy.aws import MAX_OBJECTS, RANGE
from ...reads import Deadline, Got, Key, Read
from .guard import Prefix
from .session import LANE, AwsSession

OBJECT_LIMIT = 256 * 1024
SUFFIXES = (".yaml", ".yml", ".json")


@dataclass(frozen=True, slots=True)
class S3Object:
    """One listed object that may be a contract. `size` in bytes, `modified_at` epoch seconds."""

    key: str
    size: int
    etag: str
    modified_at: float | None


@dataclass(frozen=True, slots=True)
class Listing:
    """Objects below the prefix, by key. `complete` False: there are more than 200, the rest was not looked at. `others`: with another ending, not read."""

    objects: tuple[S3Object, ...]
    complete: bool
    others: int


@dataclass(frozen=True, slots=True)
class S3Body:
    """An object's first 256 KiB, with the version that was read (None where the bucket keeps none). `whole` False: it is longer."""

    body: bytes
    version: str | None
    modified_at: float | None
    whole: bool


def listing(session: AwsSession, prefix: Prefix) -> Read[Listing]:
    """Which contracts there are: one page of at most 200 keys."""

    def fetch(deadline: Deadline) -> Got[Listing]:
        params = {"Bucket": prefix.bucket, "Prefix": prefix.prefix, "ExpectedBucketOwner": prefix.owner, "MaxKeys": MAX_OBJECTS}
        answer = session.call("s3", "ListObjectsV2", params, deadline, region=prefix.region)
        found = [item for item in answer.data.get("Contents") or () if not str(item["Key"]).endswith("/")]
        wanted = [item for item in found if str(item["Key"]).endswith(SUFFIXES)]
        objects = tuple(S3Object(str(i["Key"]), int(i.get("Size") or 0), str(i.get("ETag") or ""), _time(i.get("LastModified"))) for i in wanted)
        return Got(Listing(objects, not answer.data.get("IsTruncated"), len(found) - len(wanted)), answer.skew)

    return Read(_key(session, prefix, "ListObjectsV2", prefix.prefix), LANE, "s3:ListBucket", fetch, way=True, ttl=300.0, floor=15.0)


def get(session: AwsSession, prefix: Prefix, key: str) -> Read[S3Body]:
    """One contract's bytes, at most 256 KiB of them. Raises Failure(INVALID, "object_empty") for an object without any."""

    def fetch(deadline: Deadline) -> Got[S3Body]:
        params = {"Bucket": prefix.bucket, "Key": key, "ExpectedBucketOwner": prefix.owner, "Range": RANGE}
        try:
            answer = session.call("s3", "GetObject", params, deadline, region=prefix.region)
        except Failure as failure:
            if failure.params.get("code") in ("InvalidRange", "416"):  # a range of nothing
                raise Failure(State.INVALID, "object_empty", layer=Layer.PROJECT, ask=Ask.CONTRACT_OWNER) from None
            raise
        data = answer.data
        body = data["Body"].read(OBJECT_LIMIT + 1)
        if len(body) > OBJECT_LIMIT:  # a store that ignores ranges
            body, whole = body[:OBJECT_LIMIT], False
        else:
            whole = _total(data.get("ContentRange"), len(body)) <= OBJECT_LIMIT
        version = data.get("VersionId")
        return Got(S3Body(body, version if version != "null" else None, _time(data.get("LastModified")), whole), answer.skew)

    return Read(_key(session, prefix, "GetObject", key), LANE, "s3:GetObject", fetch, way=True, ttl=300.0, floor=15.0)


def _key(session: AwsSession, prefix: Prefix, operation: str, scope: str) -> Key:
    return Key(session.principal, f"s3.{prefix.region or session.region}", operation, f"{prefix.owner}/{prefix.bucket}/{scope}")


def _total(content_range: Any, read: int) -> int:
    """The object's full size from `bytes 0-99/1234`; what was read if the header says nothing."""
    _, _, total = str(content_range or "").partition("/")
    return int(total) if total.isascii() and total.isdigit() and len(total) < 20 else read


def _time(value: Any) -> float | None:
    return value.timestamp() if isinstance(value, datetime) else None
