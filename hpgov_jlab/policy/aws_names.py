"""Names that AWS gives things, taken apart strictly: ARNs, Regions, partitions and their DNS suffixes. Pure.

Everything that ends in a URL, a statement for an administrator or a comparison of targets passes through here (DESIGN.md 14, S3, S5, S9).
Patterns are matched whole and are ASCII only, so nothing that matches can hold a control, bidirectional or separator character.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

ACCOUNT = re.compile(r"[0-9]{12}")
REGION = re.compile(r"[a-z]{2,4}(?:-[a-z]{2,12}){1,3}-[0-9]{1,2}")
CLUSTER_ID = re.compile(r"[a-z0-9]{12}")
CLUSTER_NAME = re.compile(r"[a-zA-Z0-9](?:-*[a-zA-Z0-9]){0,62}")
EKS_NAME = re.compile(r"[0-9A-Za-z][A-Za-z0-9_-]{0,99}")
DOMAIN_ID = re.compile(r"dzd[-_][a-zA-Z0-9_-]{1,36}")
PROJECT_ID = re.compile(r"[a-zA-Z0-9_-]{1,36}")
CONNECTION_ID = re.compile(r"[a-zA-Z0-9_-]{1,128}")
SOURCE_IDENTITY = re.compile(r"(?!aws:)[A-Za-z0-9_+=,.@-]{2,256}")
BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")

_ARN = re.compile(
    r"arn:(?P<partition>aws(?:-[a-z]{1,8}){0,3}):(?P<service>[a-z0-9-]{1,40}):(?P<region>[a-z0-9-]{0,32}):(?P<account>[0-9]{12}|)"
    r":(?P<resource>[A-Za-z0-9_+=,.@/:-]{1,1600})"
)
_ROLE = re.compile(r"role/(?:[A-Za-z0-9_+=,.@-]{1,64}/){0,16}(?P<name>[A-Za-z0-9_+=,.@-]{1,64})")
_ASSUMED = re.compile(r"assumed-role/(?P<name>[A-Za-z0-9_+=,.@-]{1,64})/(?P<session>[A-Za-z0-9_+=,.@-]{1,64})")

SUFFIXES: dict[str, tuple[str, ...]] = {
    "aws": ("amazonaws.com", "api.aws"),
    "aws-cn": ("amazonaws.com.cn", "api.amazonwebservices.com.cn"),
    "aws-us-gov": ("amazonaws.com", "api.aws"),
    "aws-iso": ("c2s.ic.gov", "api.aws.ic.gov"),
    "aws-iso-b": ("sc2s.sgov.gov", "api.aws.scloud"),
    "aws-iso-e": ("cloud.adc-e.uk", "api.cloud-aws.adc-e.uk"),
    "aws-iso-f": ("csp.hci.ic.gov", "api.aws.hci.ic.gov"),
    "aws-eusc": ("amazonaws.eu", "api.amazonwebservices.eu"),
}
"""DNS suffixes per partition, as botocore's own partition data has them (a test holds the two together)."""

_PARTITION_BY_PREFIX = {
    "cn-": "aws-cn",
    "us-gov-": "aws-us-gov",
    "us-iso-": "aws-iso",
    "us-isob-": "aws-iso-b",
    "eu-isoe-": "aws-iso-e",
    "us-isof-": "aws-iso-f",
    "eusc-": "aws-eusc",
}


@dataclass(frozen=True, slots=True)
class Arn:
    """An ARN whose parts matched. `region` and `account` are empty where the service has none."""

    partition: str
    service: str
    region: str
    account: str
    resource: str

    def __str__(self) -> str:
        return f"arn:{self.partition}:{self.service}:{self.region}:{self.account}:{self.resource}"


def parse_arn(text: str | None) -> Arn | None:
    """The parts of an ARN, None for anything else (what is no text, or longer than 2,048 characters, included)."""
    if not isinstance(text, str) or len(text) > 2048:
        return None
    match = _ARN.fullmatch(text)
    return Arn(**match.groupdict()) if match else None


def role_name(text: str | None) -> str | None:
    """The name of an IAM role, without its path, from its own ARN or from one of its sessions; None for any other ARN."""
    arn = parse_arn(text)
    if arn is None:
        return None
    pattern = {"iam": _ROLE, "sts": _ASSUMED}.get(arn.service)
    match = pattern.fullmatch(arn.resource) if pattern else None
    return match["name"] if match else None


def same_principal(one: str | None, other: str | None) -> bool:
    """True if both ARNs mean the same principal: partition, account and role name for roles and their sessions, else the ARN itself.

    A session's ARN holds neither the role's path nor a stable session name, so these two can't be compared.
    """
    a, b = parse_arn(one), parse_arn(other)
    if a is None or b is None:
        return False
    names = role_name(one), role_name(other)
    if None in names:
        return a == b
    return names[0] == names[1] and (a.partition, a.account) == (b.partition, b.account)


def cluster_id(text: str | None) -> str | None:
    """The id at the end of a HyperPod cluster's ARN (an id, not the cluster's name), None if it is no such ARN."""
    arn = parse_arn(text)
    if arn is None or arn.service != "sagemaker" or not arn.resource.startswith("cluster/"):
        return None
    found = arn.resource.removeprefix("cluster/")
    return found if CLUSTER_ID.fullmatch(found) and arn.account and REGION.fullmatch(arn.region) else None


def eks_name(text: str | None) -> str | None:
    """The name at the end of an EKS cluster's ARN, None if it is no such ARN."""
    arn = parse_arn(text)
    if arn is None or arn.service != "eks" or not arn.resource.startswith("cluster/"):
        return None
    found = arn.resource.removeprefix("cluster/")
    return found if EKS_NAME.fullmatch(found) and arn.account and REGION.fullmatch(arn.region) else None


def is_region(text: str | None) -> bool:
    return text is not None and REGION.fullmatch(text) is not None


def partition_of(region: str) -> str:
    """The partition of a Region whose form was checked before."""
    for prefix, partition in _PARTITION_BY_PREFIX.items():
        if region.startswith(prefix):
            return partition
    return "aws"
