"""Sentences that would show a dash where a value is not known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hpgov_jlab.words import ASIDE, NAME, WORDS


def shown_as_unknown(code: str, params: Mapping[str, Any]) -> list[str]:
    """Parameters without a value that the words of a code need outside of parentheses, in the sentence or in the next step."""
    word = WORDS.get(code)
    texts = () if word is None else (word.text, word.then or "")
    return [name for text in texts for name in NAME.findall(ASIDE.sub("", text)) if params.get(name) is None]


def dashes(body: Any) -> Iterator[str]:
    """The same of every phrase and outcome in a page."""
    stack = [body]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            if isinstance(value.get("code"), str) and isinstance(value.get("params"), dict):
                yield from (f"{value['code']} without {name}" for name in shown_as_unknown(value["code"], value["params"]))
            stack += value.values()
        elif isinstance(value, list):
            stack += value
