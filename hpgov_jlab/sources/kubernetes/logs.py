"""Keeps request lines, headers and bodies out of the log at every level (DESIGN.md 14, S14).

Filters of a logger see only what is logged to that very logger, so each concrete one gets its own; records of other people's threads pass.
"""

from __future__ import annotations

import logging
import threading

OURS = "hpgov-"
"""Prefix of the names of the threads that reads run in (reads.py)."""
LOGGERS = (
    "urllib3", "urllib3.connectionpool", "urllib3.connection", "urllib3.poolmanager", "urllib3.response", "urllib3.util.retry", "urllib3.util.ssl_",
    "kubernetes", "kubernetes.client", "kubernetes.client.rest", "kubernetes.client.api_client", "client",
)  # fmt: skip


class _Ours(logging.Filter):
    """Drops warnings as well: urllib3 quotes there what it could not parse. What went wrong is told by the reading's outcome."""

    def filter(self, record: logging.LogRecord) -> bool:
        return record.levelno > logging.WARNING or not threading.current_thread().name.startswith(OURS)


_filter = _Ours()


def quiet() -> None:
    """Install the filters; a second call changes nothing."""
    for name in LOGGERS:
        logging.getLogger(name).addFilter(_filter)
