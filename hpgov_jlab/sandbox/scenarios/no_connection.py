"""A project to which nobody has connected a cluster: the first screen that most people meet."""

from __future__ import annotations

from dataclasses import replace

from . import TITLES
from .default import PRODUCTION_CONNECTION
from .default import SCENARIO as DEFAULT
from .pieces import DOMAIN

SCENARIO = replace(DEFAULT, name="no-connection", title=TITLES["no-connection"], domain=replace(DOMAIN, connections=(PRODUCTION_CONNECTION,)))
