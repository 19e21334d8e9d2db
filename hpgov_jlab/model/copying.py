"""Which values may stand in text that is made to be copied (DESIGN.md 14, S5). Pure."""

from __future__ import annotations

import unicodedata

_REFUSED = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Control, format (all bidirectional ones are), surrogate, private, unassigned, line and paragraph separator."""

MOST = 2048
"""No value of one line of a copied text is longer: a role's ARN, a path and a name all fit."""


def copyable(value: str) -> bool:
    """False if what a person pastes could differ from what she saw."""
    return len(value) <= MOST and not any(unicodedata.category(character) in _REFUSED for character in value)
