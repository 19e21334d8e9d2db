"""The version of this package, for whoever must not import the package's entry points."""

from __future__ import annotations

__all__ = ["VERSION"]

try:
    from ._version import __version__ as VERSION
except ImportError:  # a source tree that was never built
    VERSION = "0+unknown"
