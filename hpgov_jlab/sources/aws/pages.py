"""Paged lists, bounded: a list that repeats a token would run for ever (facts/aws.md 8.22), and a page may be empty while a next one exists."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...model.outcome import Ask, Failure, State
from ...reads import Deadline
from .errors import LAYERS
from .session import Answer, AwsSession


@dataclass(frozen=True, slots=True)
class Pages:
    """All pages of one list. `complete` False: cut at the bound. `skew` is the last page's."""

    pages: tuple[Answer, ...]
    complete: bool

    @property
    def skew(self) -> float | None:
        return self.pages[-1].skew if self.pages else None

    def items(self, member: str) -> Iterator[dict[str, Any]]:
        for page in self.pages:
            yield from page.data.get(member) or ()


def read_pages(session: AwsSession, service: str, operation: str, params: dict[str, Any], deadline: Deadline, *, region: str, token: str, most: int) -> Pages:
    """Read up to `most` pages; `token` is the name of the page token on both sides. Raises Failure(INVALID, "pages_repeat") if a token comes twice."""
    pages: list[Answer] = []
    seen: set[str] = set()
    found: str | None = None
    while len(pages) < most:
        deadline.check()
        answer = session.call(service, operation, {**params, **({token: found} if found else {})}, deadline, region=region)
        pages.append(answer)
        found = answer.data.get(token)
        if not found:
            return Pages(tuple(pages), True)
        if found in seen:
            raise Failure(State.INVALID, "pages_repeat", {"action": f"{service}:{operation}"}, layer=LAYERS[session.reader], ask=Ask.NOBODY)
        seen.add(found)
    return Pages(tuple(pages), False)
