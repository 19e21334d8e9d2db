"""data_parser v0.0.40 (Slurm 23.11's newest): of what we read nothing differs from v0.0.41. An association's `id` is an object there, which we do not read."""

from __future__ import annotations

from . import v0_0_41


class Adapter(v0_0_41.Adapter):
    version = "v0.0.40"
