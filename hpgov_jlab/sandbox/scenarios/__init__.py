"""The scenarios by name. Each is a module that holds one constant, `SCENARIO`; `loading.load` reads them, one at a time."""

from __future__ import annotations

TITLES: dict[str, str] = {
    "default": "Three connections: a shared EKS cluster under contract, one whose contract ends soon, a Slurm cluster without one",
    "no-connection": "Nobody has connected a cluster to the project yet",
    "no-contract": "The project is connected, and no contract is on record",
    "no-rights": "Agreed, but not let in: the role may not be assumed, has no access entry, or no rights on the cluster",
    "no-kueue": "A cluster without task governance: Kueue is not installed",
    "private-endpoint": "The API server has a private endpoint, and there is no route to it from here",
    "expired-credentials": "The place hands out credentials that have expired",
    "studio-no-list": "SageMaker AI Studio, whose role may not list clusters",
    "space-no-aws": "A HyperPod Space on the cluster itself, without any AWS credentials",
    "many-denials": "The team's official role, which lacks several reads",
}
"""Name -> what one meets there, in the order in which the command line lists them."""
