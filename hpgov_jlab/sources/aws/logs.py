"""Keeps our secrets out of logs (DESIGN.md 14, S14): botocore's DEBUG records hold session tokens, signed URLs and whole bodies (facts/aws.md 4.7).

A filter on a parent logger does not see its children's records, so each concrete logger gets one. Other people's use of botocore in the same
process is left alone: only records from our worker threads, or made inside a call of ours, are dropped.
"""

from __future__ import annotations

import logging
import threading

from .transport import in_call

FAMILIES = ("botocore", "boto3", "urllib3", "s3transfer")
THREAD_PREFIX = "hpgov-"


class OwnRecords(logging.Filter):
    """Drops records below INFO of our own calls, and takes tracebacks off the rest: an exception's text may quote an answer."""

    def filter(self, record: logging.LogRecord) -> bool:
        if not (in_call() or threading.current_thread().name.startswith(THREAD_PREFIX)):
            return True
        if record.levelno < logging.INFO:
            return False
        record.exc_info, record.exc_text = None, None
        return True


_FILTER = OwnRecords()


def quiet() -> None:
    """Put the filter on every logger of those families that exists now. Cheap and idempotent: called before each client is made."""
    for name, logger in list(logging.root.manager.loggerDict.items()):
        if name.partition(".")[0] in FAMILIES and isinstance(logger, logging.Logger) and _FILTER not in logger.filters:
            logger.addFilter(_FILTER)
    for name in FAMILIES:
        top = logging.getLogger(name)
        if _FILTER not in top.filters:
            top.addFilter(_FILTER)
