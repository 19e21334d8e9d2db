"""hpgov_jlab: read-only answers about HyperPod clusters, tasks, share and contracts, in JupyterLab. Entry points only."""

from __future__ import annotations

from typing import Any

from .version import VERSION as __version__

__all__ = ["__version__"]


def _jupyter_labextension_paths() -> list[dict[str, str]]:
    return [{"src": "labextension", "dest": "hpgov-jlab"}]


def _jupyter_server_extension_points() -> list[dict[str, Any]]:
    from .app import HpgovApp

    return [{"module": "hpgov_jlab", "app": HpgovApp}]
