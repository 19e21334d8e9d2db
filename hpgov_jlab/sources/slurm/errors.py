"""What a client or slurmrestd said when it did not bring data -> Failure, each with whom to ask (DESIGN.md 8; facts/slurm.md 2, 6, the table of errors).

Slurm's own text is only matched, never repeated: it holds hosts, paths, and names of other accounts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ...model.outcome import Ask, Failure, Layer, State
from ...policy.slurm import Endpoint, Shape
from .commands import Said

ADMIN = Ask.CLUSTER_ADMIN
JUPYTER = Ask.JUPYTER_ADMIN

_PATTERNS: tuple[tuple[tuple[str, ...], State, str, Ask], ...] = (
    # the order matters: the first that fits says the cause, later ones its consequences
    (("Incompatible versions of client and server", "Protocol version has changed"), State.INVALID, "slurm_version_mismatch", JUPYTER),
    (
        ("Could not establish a configuration source", "fetch_config", "Unable to (?:open|process) configuration file", r"unable to read .*slurm\.conf",
         "resolve_ctls_from_dns_srv", "s_p_parse_file: cannot stat"),
        State.NOT_CONFIGURED, "slurm_conf_missing", JUPYTER,
    ),
    (("RESPONSE_ASSOC_MGR_INFO", "slurm_load_assoc_mgr_info error: Invalid user id"), State.ABSENT, "slurm_no_association", ADMIN),
    (("accounting storage is disabled", "not running a supported accounting_storage plugin"), State.ABSENT, "slurm_accounting_off", ADMIN),
    (
        ("Munge (?:en|de)code failed", "If munged is up", "Unable to connect to munged", "Failed to access .{1,200}munge"),
        State.UNREACHABLE, "slurm_munge_down", JUPYTER,
    ),
    (
        ("Protocol authentication error", "Invalid authentication credential", "Expired credential", "Rewound credential", "auth_g_"),
        State.DENIED, "slurm_identity_refused", ADMIN,
    ),
    (
        ("_open_persist_conn", "PersistInit", "Unable to connect to database", "Problem talking to the database", "slurm_persist_conn"),
        State.UNREACHABLE, "slurm_database_down", ADMIN,
    ),
    (
        ("Unable to contact slurm controller", "connect failure", "Connection refused", "Zero Bytes were transmitted", "backup controller in standby"),
        State.UNREACHABLE, "slurm_controller_down", ADMIN,
    ),
    (("Access/permission denied", "User not found on host"), State.DENIED, "slurm_denied", ADMIN),
    (
        ("unrecognized option", "invalid option", "Invalid job format", "Invalid field requested", "Unknown condition", "Unknown field",
         "doesn't allow an argument"),
        State.INVALID, "slurm_option_unknown", JUPYTER,
    ),
    (("timed out",), State.UNREACHABLE, "slurm_too_slow", ADMIN),
)  # fmt: skip
_COMPILED = tuple((re.compile("|".join(patterns), re.I), state, code, ask) for patterns, state, code, ask in _PATTERNS)

_NOTHING = re.compile(r"^\s*(?:No (?:reservations|partitions|nodes) in the system|(?:Job|Partition|Node|Reservation)s? not found)\s*$", re.I | re.M)


def of_text(text: str, source: str) -> Failure | None:
    """The failure that a text on stderr tells of, None if it is none that we know."""
    for pattern, state, code, ask in _COMPILED:
        if pattern.search(text):
            layer = Layer.WORKLOAD if ask is JUPYTER else Layer.CLUSTER
            return Failure(state, code, {"command": source}, layer=layer, ask=ask)
    return None


def of_command(said: Said, shape: Shape) -> Failure | None:
    """What went wrong, None if the output may be used. An empty output beside an error is never an empty answer."""
    told = of_text(said.err, shape.source)
    if said.late:
        # a client that hangs repeats on stderr why; one that is silent hangs on the controller, which `scontrol ping` tells
        return told or Failure(State.UNREACHABLE, "slurm_too_slow", {"command": shape.source}, ask=ADMIN)
    if said.status == 0:
        # warnings are no failure as long as rows came; an error and no row is one
        return (told or _unknown(said, shape)) if not said.out.strip() and _has_error(said.err) else None
    return told or of_text(said.out if len(said.out) < 4096 else "", shape.source) or _unknown(said, shape)


def _has_error(text: str) -> bool:
    return re.search(r"(?:^|\s)(?:error|fatal):", text) is not None


def _unknown(said: Said, shape: Shape) -> Failure:
    return Failure(State.INVALID, "slurm_command_failed", {"command": shape.source, "status": said.status}, ask=ADMIN)


def says_nothing(text: str) -> bool:
    """scontrol's own words for an empty list."""
    return _NOTHING.search(text) is not None


def not_the_shape(source: str) -> Failure:
    return Failure(State.INVALID, "slurm_shape", {"command": source}, ask=JUPYTER)


# -- slurmrestd -------------------------------------------------------------------------------------------------------------
_NUMBERS: dict[int, tuple[State, str, Ask]] = {
    1007: (State.DENIED, "slurm_token_refused", Ask.YOU),
    1800: (State.UNREACHABLE, "slurm_controller_down", ADMIN),
    1801: (State.UNREACHABLE, "slurm_controller_down", ADMIN),
    2002: (State.DENIED, "slurm_denied", ADMIN),
    7000: (State.UNREACHABLE, "slurm_database_down", ADMIN),
    9003: (State.ABSENT, "slurm_no_association", ADMIN),
}


def of_rest(status: int, errors: Iterable[Mapping[str, Any]], endpoint: Endpoint) -> Failure | None:
    """`errors` that are not empty are a failure whatever the status: 22.05 answers 200 with an empty list and error 1007 (facts/slurm.md 2)."""
    for error in errors:
        number = error.get("error_number", error.get("errno"))
        text = f"{error.get('description') or ''} {error.get('error') or ''}"
        if number == 7000 and "authentication" in text:
            number = 1007
        if isinstance(number, int) and number in _NUMBERS:
            state, code, ask = _NUMBERS[number]
            if code == "slurm_no_association" and not endpoint.database:
                continue
            return Failure(state, code, {"command": endpoint.source}, ask=ask)
        if number == -1:  # 22.05 has one answer for a refused token and a controller that is down
            return Failure(State.UNREACHABLE, "slurm_rest_unclear", {"command": endpoint.source}, ask=Ask.YOU)
        return Failure(State.INVALID, "slurm_rest_error", {"command": endpoint.source, "status": status}, ask=ADMIN)
    if status == 404 and endpoint.database:  # measured: run without the plugin for slurmdbd, as it has to be on a cluster that keeps no accounts
        return Failure(State.ABSENT, "slurm_rest_no_accounts", {"command": endpoint.source}, ask=ADMIN)
    if status in (401, 403):
        return Failure(State.DENIED, "slurm_token_refused", {"command": endpoint.source}, ask=Ask.YOU)
    if status == 511:
        return Failure(State.DENIED, "slurm_token_refused", {"command": endpoint.source}, ask=Ask.YOU)
    if status == 429:
        return Failure(State.THROTTLED, "slurm_rest_slow_down", {"command": endpoint.source}, ask=Ask.NOBODY)
    if 300 <= status < 400:
        return Failure(State.INVALID, "slurm_rest_redirect", {"command": endpoint.source, "status": status}, ask=JUPYTER)
    if status != 200:
        return Failure(State.INVALID, "slurm_rest_error", {"command": endpoint.source, "status": status}, ask=ADMIN)
    return None
