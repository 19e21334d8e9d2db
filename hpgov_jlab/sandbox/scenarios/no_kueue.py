"""A cluster without task governance: pods and jobs, no quota."""

from __future__ import annotations

from dataclasses import replace

from . import TITLES
from .default import RESEARCH_CONNECTION, RESEARCH_EKS
from .default import SCENARIO as DEFAULT
from .pieces import DOMAIN

SCENARIO = replace(
    DEFAULT,
    name="no-kueue",
    title=TITLES["no-kueue"],
    domain=replace(DOMAIN, connections=(RESEARCH_CONNECTION,)),
    eks=(replace(RESEARCH_EKS, recording="plain"),),
    clusters=DEFAULT.clusters[:1],
)
