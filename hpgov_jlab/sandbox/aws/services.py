"""What answers each operation of the five services. Each module registers its own when it is imported, and all of them are here."""

from __future__ import annotations

from . import datazone, eks, s3, sagemaker, sts  # noqa: F401
from .operations import OPERATIONS

__all__ = ["OPERATIONS"]
