"""An API server inside a VPC that this JupyterLab has no route into. It is healthy: it must not look like an outage."""

from __future__ import annotations

from dataclasses import replace

from . import TITLES
from .default import RESEARCH_CONNECTION, RESEARCH_EKS
from .default import SCENARIO as DEFAULT
from .pieces import DOMAIN

SCENARIO = replace(
    DEFAULT,
    name="private-endpoint",
    title=TITLES["private-endpoint"],
    domain=replace(DOMAIN, connections=(RESEARCH_CONNECTION,)),
    eks=(replace(RESEARCH_EKS, endpoint="private-without-route"),),
    clusters=DEFAULT.clusters[:1],
)
