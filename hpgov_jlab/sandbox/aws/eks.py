"""The one read of EKS: where a cluster's API server is, by which certificate to know it, and whether it can be reached from outside."""

from __future__ import annotations

import base64
from typing import Any

from ..scenario import EksCluster
from .errors import AwsError
from .operations import Call, Params, operation


def _arn(call: Call, params: Params) -> str:
    return f"arn:aws:eks:{call.region}:{call.who.account}:cluster/{params['name']}"


@operation("eks", "DescribeCluster", resource=_arn)
def _describe_eks_cluster(call: Call, params: Params) -> dict[str, Any]:
    arn = _arn(call, params)
    cluster: EksCluster | None = next((e for e in call.scenario.eks if e.arn == arn), None)
    if cluster is None or call.faults.take("wrong-region", "eks:DescribeCluster") is not None:
        raise AwsError("ResourceNotFoundException", f"No cluster found for name: {params['name']}.", 404)
    where = call.endpoints.get(cluster.name)
    public = cluster.endpoint == "public"
    return {
        "cluster": {
            "name": cluster.name,
            "arn": cluster.arn,
            "createdAt": cluster.created,
            "version": cluster.version,
            "status": cluster.status,
            "resourcesVpcConfig": {
                "endpointPublicAccess": public,
                "endpointPrivateAccess": True,
                "publicAccessCidrs": ["0.0.0.0/0"] if public else [],
                "vpcId": "vpc-0example0",
            },
            "accessConfig": {"authenticationMode": "API"},
            **({"endpoint": where.url, "certificateAuthority": {"data": base64.b64encode(where.ca_pem.encode()).decode()}} if where else {}),
        }
    }
