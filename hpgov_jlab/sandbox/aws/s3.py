"""The three reads of S3: an object (whole, a range, a version, or only if changed), a list by prefix, and whether a bucket is there."""

from __future__ import annotations

import hashlib
import re
from datetime import timedelta
from typing import Any
from urllib.parse import quote

from ..scenario import Bucket, S3Object, Version
from .errors import AwsError
from .operations import Call, Params, moment, operation, page
from .permissions import why_not

_RANGE = re.compile(r"bytes=(\d*)-(\d*)")


class NotModified(Exception):
    """Not an error and not an answer: status 304 without a body."""

    def __init__(self, etag: str) -> None:
        super().__init__(etag)
        self.etag = etag


def _bucket_arn(call: Call, params: Params) -> str:
    return f"arn:aws:s3:::{params['Bucket']}"


def _object_arn(call: Call, params: Params) -> str:
    return f"arn:aws:s3:::{params['Bucket']}/{params['Key']}"


def _bucket(call: Call, params: Params, name: str) -> Bucket:
    bucket = next((b for b in call.scenario.buckets if b.name == params["Bucket"]), None)
    if bucket is None:
        raise AwsError("NoSuchBucket", "The specified bucket does not exist", 404)
    if params.get("ExpectedBucketOwner") not in (None, bucket.account):
        raise AwsError("AccessDenied", "Access Denied", 403)
    if call.faults.take("wrong-region", f"s3:{name}") is not None:
        message = "The bucket you are attempting to access must be addressed using the specified endpoint. Please send all future requests to this endpoint."
        raise AwsError("PermanentRedirect", message, 301)
    if call.region != bucket.region:
        message = f"The authorization header is malformed; the region '{call.region}' is wrong; expecting '{bucket.region}'"
        raise AwsError("AuthorizationHeaderMalformed", message, 400, headers={"x-amz-bucket-region": bucket.region}, more={"Region": bucket.region})
    return bucket


def _etag(text: str) -> str:
    return f'"{hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()}"'


def _version(call: Call, item: S3Object | None, params: Params) -> Version:
    wanted = params.get("VersionId")
    if item is None or (wanted is None and item.versions[0].text is None):
        role = call.scenario.role(call.who.role_arn)
        if role is None or why_not(role, call.who, "s3:ListBucket", _bucket_arn(call, params), {}) is not None:
            raise AwsError("AccessDenied", "Access Denied", 403)  # without the right to list, S3 does not say what is missing
        raise AwsError("NoSuchKey", "The specified key does not exist.", 404)
    for version in item.versions:
        if wanted in (None, version.id):
            if version.text is None:
                raise AwsError("MethodNotAllowed", "The specified method is not allowed against this resource.", 405)
            return version
    raise AwsError("NoSuchVersion", "The specified version does not exist.", 404)


@operation("s3", "GetObject", resource=_object_arn)
def _get_object(call: Call, params: Params) -> dict[str, Any]:
    bucket = _bucket(call, params, "GetObject")
    version = _version(call, next((o for o in bucket.objects if o.key == params["Key"]), None), params)
    assert version.text is not None
    data, etag = version.text.encode(), _etag(version.text)
    if params.get("IfMatch") not in (None, etag):
        raise AwsError("PreconditionFailed", "At least one of the pre-conditions you specified did not hold", 412)
    if params.get("IfNoneMatch") == etag:
        raise NotModified(etag)
    answer: dict[str, Any] = {
        "ETag": etag,
        "LastModified": moment(call.started) - timedelta(days=version.days_ago),
        "ContentType": "binary/octet-stream",
        "AcceptRanges": "bytes",
    }
    if bucket.versioned:
        answer["VersionId"] = version.id
    match = _RANGE.fullmatch(params.get("Range") or "")
    if match and (match[1] or match[2]):
        first, last = _range(match[1], match[2], len(data))
        answer.update(Body=data[first : last + 1], ContentRange=f"bytes {first}-{last}/{len(data)}")
    else:
        answer["Body"] = data
    return answer


def _range(first: str, last: str, total: int) -> tuple[int, int]:
    start = int(first) if first else max(0, total - int(last))
    end = min(int(last), total - 1) if first and last else total - 1
    if start >= total or end < start:
        raise AwsError("InvalidRange", "The requested range is not satisfiable", 416)
    return start, end


@operation("s3", "ListObjectsV2", action="s3:ListBucket", resource=_bucket_arn, conditions=lambda params: {"s3:prefix": str(params.get("Prefix", ""))})
def _list_objects(call: Call, params: Params) -> dict[str, Any]:
    bucket = _bucket(call, params, "ListObjectsV2")
    prefix, delimiter = str(params.get("Prefix", "")), params.get("Delimiter")
    name = quote if params.get("EncodingType") == "url" else str
    found: list[tuple[str, S3Object | None]] = []  # a key with its object, or a common prefix without one
    for item in sorted(bucket.objects, key=lambda o: o.key):
        if not item.key.startswith(prefix) or item.key <= params.get("StartAfter", "") or item.versions[0].text is None:
            continue
        rest, cut, _ = item.key[len(prefix) :].partition(delimiter) if delimiter else ("", "", "")
        row: tuple[str, S3Object | None] = (f"{prefix}{rest}{cut}", None) if cut else (item.key, item)
        if not found or found[-1][0] != row[0]:
            found.append(row)
    limit = min(params.get("MaxKeys", 1000), 1000)
    rows, token = page(call, "s3:ListObjectsV2", found, limit, params.get("ContinuationToken"))
    answer: dict[str, Any] = {
        "Name": bucket.name,
        "Prefix": name(prefix),
        "MaxKeys": limit,
        "KeyCount": len(rows),
        "IsTruncated": token is not None,
        "NextContinuationToken": token,
        "EncodingType": params.get("EncodingType"),
        "Delimiter": delimiter,
        "Contents": [_content(call, name(item.key), item.versions[0]) for _, item in rows if item is not None],
        "CommonPrefixes": [{"Prefix": name(key)} for key, item in rows if item is None],
    }
    return {key: value for key, value in answer.items() if value != []}


def _content(call: Call, key: str, version: Version) -> dict[str, Any]:
    text = version.text or ""
    modified = moment(call.started) - timedelta(days=version.days_ago)
    return {"Key": key, "LastModified": modified, "ETag": _etag(text), "Size": len(text.encode()), "StorageClass": "STANDARD"}


@operation("s3", "HeadBucket", action="s3:ListBucket", resource=_bucket_arn)
def _head_bucket(call: Call, params: Params) -> dict[str, Any]:
    bucket = _bucket(call, params, "HeadBucket")
    return {"BucketRegion": bucket.region}
