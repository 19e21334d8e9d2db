"""The way to an EKS cluster's API server: its endpoint and certificate, and the token (facts/aws.md 4.8, facts/kubernetes.md)."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from ...model.cluster import Cluster, EksCluster
from ...model.outcome import Ask, Failure, Layer, Phrase, State
from ...policy.aws_names import eks_name, parse_arn
from ...reads import Deadline, Got, Key, Read
from .errors import LAYERS, unusable
from .session import LANE, AwsSession
from .targets import check_eks, mismatch

TOKEN_TTL = 600.0
"""EKS takes a token for 15 minutes; ours are renewed at 10, or on one 401."""
_URL_SECONDS = 60
_PREFIX = "k8s-aws-v1."


@dataclass(frozen=True, slots=True)
class EksToken:
    """A bearer token for one cluster. It carries the role's full Kubernetes rights; `signed_at` is epoch seconds by our clock."""

    value: str = field(repr=False)
    signed_at: float
    cluster: str


def describe(session: AwsSession, cluster: Cluster) -> Read[EksCluster]:
    """eks:DescribeCluster of the EKS cluster behind a HyperPod cluster. Raises Failure(INVALID, "target_mismatch") if another one answers."""

    def fetch(deadline: Deadline) -> Got[EksCluster]:
        arn = check_eks(cluster.arn, cluster.eks_arn or "")
        name = eks_name(cluster.eks_arn)
        answer = session.call("eks", "DescribeCluster", {"name": name}, deadline, region=arn.region)
        found = answer.data["cluster"]
        if found.get("arn") != cluster.eks_arn:
            raise mismatch("eks_arn", cluster.eks_arn, found.get("arn"))
        network = found.get("resourcesVpcConfig") or {}
        return Got(
            EksCluster(
                name=str(found.get("name") or name),
                arn=str(found["arn"]),
                status=str(found.get("status") or "unknown"),
                version=found.get("version"),
                endpoint=_endpoint(found.get("endpoint"), session),
                ca_pem=_certificate((found.get("certificateAuthority") or {}).get("data"), session),
                public=bool(network.get("endpointPublicAccess")),
                private=bool(network.get("endpointPrivateAccess")),
                public_cidrs=tuple(str(c) for c in network.get("publicAccessCidrs") or ()),
            ),
            answer.skew,
        )

    arn = parse_arn(cluster.eks_arn)
    key = Key(session.principal, f"eks.{arn.region if arn else '?'}", "DescribeCluster", cluster.eks_arn or "")
    return Read(key, LANE, "eks:DescribeCluster", fetch, way=True, ttl=300.0, floor=10.0)


def token(session: AwsSession, cluster: EksCluster) -> Read[EksToken]:
    """A fresh token for one EKS cluster, by a presigned GetCallerIdentity of the cluster's own Region. Signed here; nothing is sent but the identity's check.

    The URL's 60 seconds are nominal. The token dies with the keys that signed it.
    """

    def fetch(deadline: Deadline) -> EksToken:
        arn = parse_arn(cluster.arn)
        if arn is None or eks_name(cluster.arn) != cluster.name:
            raise mismatch("eks_arn")
        signed_at = session.now()
        url = session.signed_identity(cluster.name, deadline, region=arn.region, seconds=_URL_SECONDS)
        return EksToken(_PREFIX + base64.urlsafe_b64encode(url.encode()).decode().rstrip("="), signed_at, cluster.arn)

    arn = parse_arn(cluster.arn)
    key = Key(session.principal, f"sts.{arn.region if arn else '?'}", "token", cluster.arn)
    return Read(key, LANE, "sts:GetCallerIdentity (signed, for EKS)", fetch, way=True, local=True, ttl=TOKEN_TTL, floor=5.0)


def endpoint_note(cluster: EksCluster) -> Phrase | None:
    """What the endpoint's settings say about an API server that could not be connected to: no route, or not from here. None: they explain nothing."""
    host = urlsplit(cluster.endpoint or "").hostname
    if cluster.private and not cluster.public:
        return Phrase("endpoint_private", {"host": host})
    if cluster.public and cluster.public_cidrs and "0.0.0.0/0" not in cluster.public_cidrs:
        return Phrase("endpoint_limited_to_networks", {"host": host, "count": len(cluster.public_cidrs), "private": int(cluster.private)})
    if cluster.endpoint is None:
        return Phrase("endpoint_none_yet", {"aws_status": cluster.status})
    return None


def _endpoint(url: str | None, session: AwsSession) -> str | None:
    if not url:
        return None  # a cluster that is being created has none yet
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        parts = urlsplit("")
    if parts.scheme != "https" or not parts.hostname or parts.username or parts.path not in ("", "/") or parts.query or parts.fragment or not url.isascii():
        raise unusable("eks:DescribeCluster", LAYERS[session.reader])
    return f"https://{parts.netloc}"


def _certificate(data: str | None, session: AwsSession) -> str | None:
    if not data:
        return None
    try:
        text = base64.b64decode(data, validate=True).decode("ascii")
    except (binascii.Error, ValueError):
        raise unusable("eks:DescribeCluster", LAYERS[session.reader]) from None
    return text


def no_eks(cluster: Cluster) -> Failure:
    """What the Kubernetes parts of a cluster say that has no EKS cluster behind it."""
    return Failure(State.ABSENT, "no_eks_cluster", {"orchestrator": cluster.orchestrator}, layer=Layer.CLUSTER, ask=Ask.NOBODY)
