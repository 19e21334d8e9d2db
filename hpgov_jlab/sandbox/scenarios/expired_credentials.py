"""The credential endpoint of the place hands out keys that are over: nothing can be read until it is restarted."""

from __future__ import annotations

from dataclasses import replace

from . import TITLES
from .default import SCENARIO as DEFAULT

SCENARIO = replace(DEFAULT, name="expired-credentials", title=TITLES["expired-credentials"], faults=("container-expired",))
