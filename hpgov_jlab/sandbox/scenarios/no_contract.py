"""Every customer's first day: connected, no platform file, no bucket, no record. The connection's own words are all there is."""

from __future__ import annotations

from dataclasses import replace

from . import TITLES
from .default import RESEARCH_CONNECTION
from .default import SCENARIO as DEFAULT
from .pieces import DOMAIN, RESEARCH_ROLE, project_role

SCENARIO = replace(
    DEFAULT,
    name="no-contract",
    title=TITLES["no-contract"],
    roles=(project_role(RESEARCH_ROLE), *DEFAULT.roles[1:]),
    domain=replace(DOMAIN, connections=(RESEARCH_CONNECTION,)),
    buckets=(),
    platform_file=None,
)
