"""What may be run and asked (DESIGN.md 14, S2): enforces policy/slurm.py on the argv and on the request line as sent.

`argv` builds a command from a shape and values; `check_argv` takes a finished argv apart again without knowing how it was made. Both run for every
command. The same holds for `target` and `check_target`.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...model.outcome import Ask, Failure, Layer, State
from ...policy.slurm import COMMANDS, ENDPOINTS, NONCE, UNKNOWN_NEWER, VALUE, VERSIONS, Endpoint, Shape

_VALUE = re.compile(VALUE)
_PLACE = re.compile(r"\{(user|account|row|field)\}")
_NONCES = frozenset({"row", "field"})


class Refused(Exception):
    """A command or request that is not on the allow list: it is not run. `rule` says which check; the command itself is not repeated."""

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule


def failure(refused: Refused) -> Failure:
    """How a refusal is shown: a name that we do not hand to Slurm, or a fault of ours."""
    if refused.rule == "value":
        return Failure(State.INVALID, "slurm_name_not_valid", layer=Layer.WORKLOAD, ask=Ask.CLUSTER_ADMIN)
    return Failure(State.INVALID, "slurm_guard", {"rule": refused.rule}, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)


@dataclass(frozen=True, slots=True)
class Nonces:
    """Two per call: what a row starts with, and what stands between its fields."""

    row: str
    field: str


def nonces() -> Nonces:
    return Nonces("x" + secrets.token_hex(8), "x" + secrets.token_hex(8))


def is_value(text: str) -> bool:
    """Whether a name may be handed to Slurm at all."""
    return _VALUE.fullmatch(text) is not None


def argv(shape: Shape, marks: Nonces, values: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """The arguments of one command, without the binary. Raises Refused for a value that the pattern does not take, or one that is missing or too many."""
    given = dict(values or {})
    if not all(is_value(v) for v in given.values()):
        raise Refused("value")
    known = {**given, "row": marks.row, "field": marks.field}
    used: set[str] = set()

    def put(match: re.Match[str]) -> str:
        used.add(match[1])
        if match[1] not in known:
            raise Refused("missing")
        return known[match[1]]

    made = tuple(_PLACE.sub(put, arg) for arg in shape.args)
    if set(given) - used:
        raise Refused("unused")
    if check_argv(shape.binary, made).id != shape.id:
        raise Refused("shape")
    return made


def check_argv(binary: str, args: Sequence[str]) -> Shape:
    """The shape that a finished command has. Raises Refused if it has none."""
    for shape in COMMANDS:
        if shape.binary == binary and len(shape.args) == len(args) and _fits(shape, args):
            return shape
    raise Refused("operation")


def _fits(shape: Shape, args: Sequence[str]) -> bool:
    seen: dict[str, str] = {}
    for template, arg in zip(shape.args, args, strict=True):
        names = _PLACE.findall(template)
        literals = _PLACE.split(template)[::2]
        pattern = re.escape(literals[0]) + "".join(
            f"({NONCE if n in _NONCES else VALUE}){re.escape(rest)}" for n, rest in zip(names, literals[1:], strict=True)
        )
        match = re.fullmatch(pattern, arg)
        if match is None:
            return False
        for name, value in zip(names, match.groups(), strict=True):
            if seen.setdefault(name, value) != value:
                return False
    return "row" not in seen or seen["row"] != seen["field"]


def environment(slurm_conf: str = "") -> dict[str, str]:
    """The whole environment of a command: built, never inherited. Nothing of SQUEUE_*, SACCT_*, SLURM_*, LD_* or HOME gets in.

    SLURM_TIME_FORMAT makes every client print epoch seconds, so that no time zone is guessed (tried on 22.05.8).
    """
    made = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "SLURM_TIME_FORMAT": "%s"}
    if slurm_conf:
        if not slurm_conf.startswith("/") or any(c in slurm_conf for c in "\0\n"):
            raise Failure(State.NOT_CONFIGURED, "slurm_conf_not_absolute", layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)
        made["SLURM_CONF"] = slurm_conf
    return made


# -- slurmrestd -------------------------------------------------------------------------------------------------------------
def target(endpoint: Endpoint, version: str, user: str) -> str:
    """The request target of one GET. Raises Refused."""
    if not is_value(user):
        raise Refused("value")
    if version not in (*VERSIONS, *UNKNOWN_NEWER):
        raise Refused("version")
    query = "&".join(f"{key}={value.replace('{user}', user)}" for key, value in endpoint.query)
    made = f"/{endpoint.family}/{version}/{endpoint.name}" + (f"?{query}" if query else "")
    check_target("GET", made)
    return made


def check_target(method: str, sent: str) -> Endpoint:
    """The endpoint that a request line asks for. Raises Refused if there is none."""
    if method != "GET":
        raise Refused("method")
    path, mark, query = sent.partition("?")
    parts = path.split("/")
    if len(parts) != 4 or parts[0] or parts[2] not in (*VERSIONS, *UNKNOWN_NEWER):
        raise Refused("operation")
    for endpoint in ENDPOINTS:
        if (endpoint.family, endpoint.name) != (parts[1], parts[3]):
            continue
        if endpoint.versions is not None and parts[2] not in endpoint.versions and not (parts[2] in UNKNOWN_NEWER and VERSIONS[0] in endpoint.versions):
            continue
        wanted = "&".join(f"{re.escape(key)}={VALUE if value == '{user}' else re.escape(value)}" for key, value in endpoint.query)
        if bool(mark) == bool(wanted) and re.fullmatch(wanted, query):
            return endpoint
    raise Refused("operation")
