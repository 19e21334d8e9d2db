"""LIST: selectors, pages of `limit`, continue tokens, and the expiry of a token."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import status
from .recording import Object
from .selectors import BadSelector, Fields, Labels
from .status import Answer


@dataclass(frozen=True, slots=True)
class Token:
    rv: int
    start: str  # the key after which the list goes on

    def text(self) -> str:
        raw = json.dumps({"v": "meta.k8s.io/v1", "rv": self.rv, "start": self.start + "\0"}, separators=(",", ":"))
        return base64.urlsafe_b64encode(raw.encode()).decode().rstrip("=")


@dataclass(frozen=True, slots=True)
class Query:
    labels: Labels
    fields: Fields
    limit: int  # 0: all
    token: Token | None


class BadQuery(ValueError):
    """A query that the server answers with 400; the text is what it says."""


def query(given: Mapping[str, str], resource: str, version: str) -> Query:
    """Reads the query of a list. `resource` is `workloads.kueue.x-k8s.io`. Raises BadQuery."""
    try:
        labels, fields = Labels(given.get("labelSelector", "")), Fields(given.get("fieldSelector", ""))
        fields.check(resource, version)
    except BadSelector as e:
        raise BadQuery(str(e)) from None
    limit = integer(given.get("limit", ""), 0)
    if given.get("continue") and given.get("resourceVersion"):
        raise BadQuery("specifying resource version is not allowed when using continue")
    return Query(labels, fields, limit, _token(given.get("continue", "")))


def integer(text: str, usual: int) -> int:
    """A number in a query, with Go's words for one that is none. Raises BadQuery."""
    try:
        return int(text) if text else usual
    except ValueError:
        raise BadQuery(f'strconv.ParseInt: parsing "{text}": invalid syntax') from None


def _token(text: str) -> Token | None:
    if not text:
        return None
    try:
        raw = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        if raw["v"] != "meta.k8s.io/v1":
            raise BadQuery(f"invalid continue token: continue key is not valid: server does not recognize this encoded version {raw['v']}")
        return Token(int(raw["rv"]), str(raw["start"]).removesuffix("\0"))
    except (binascii.Error, UnicodeDecodeError, json.JSONDecodeError, KeyError, TypeError) as e:
        raise BadQuery(f"invalid continue token: continue key is not valid: {e}") from None


@dataclass(frozen=True, slots=True)
class Page:
    items: Sequence[Object]
    token: str
    remaining: int | None


def page(objects: Mapping[str, Object], namespace: str, asked: Query, rv: int) -> Page:
    """The next items in the order of keys, as etcd keeps them. Keys of tokens are relative to the listed prefix, as on a real server."""
    prefix = f"{namespace}/" if namespace else ""
    after = prefix + asked.token.start.lstrip("/") if asked.token else ""
    keys = sorted(k for k in objects if k.startswith(prefix) and k > after)
    matching = [k for k in keys if asked.labels.match(objects[k]) and asked.fields.match(objects[k])]
    taken = matching[: asked.limit] if asked.limit > 0 else matching
    rest = len(matching) - len(taken)
    token = Token(rv, "/" + taken[-1].removeprefix(prefix)).text() if rest else ""
    # the server does not count what a selector would drop
    return Page([objects[k] for k in taken], token, rest if rest and not asked.labels and not asked.fields else None)


def body(group_version: str, kind: str, rv: int, items: Sequence[Object], made: Page, builtin: bool) -> Answer:
    metadata: dict[str, Any] = {"resourceVersion": str(rv)}
    if made.token or not builtin:
        metadata["continue"] = made.token
    if made.remaining is not None:
        metadata["remainingItemCount"] = made.remaining
    if builtin:  # items of the server's own kinds carry neither kind nor apiVersion
        bare = [{k: v for k, v in i.items() if k not in ("kind", "apiVersion")} for i in items]
        return status.data({"kind": f"{kind}List", "apiVersion": group_version, "metadata": metadata, "items": bare})
    return status.data({"apiVersion": group_version, "items": list(items), "kind": f"{kind}List", "metadata": metadata})
