"""The way to Slurm and who reads: found once, and every other read needs it."""

from __future__ import annotations

import grp
import os
import pwd
from dataclasses import dataclass, field, replace
from typing import Final

from ...model.outcome import Ask, Failure, Layer, State
from ...policy import slurm as policy
from ...policy.slurm import Endpoint, Shape
from ...reads import Deadline, Key, Read
from . import errors, scontrol, text, token
from .binaries import find
from .commands import Commands
from .guard import is_value
from .rest import Rest, where

LANE: Final = "slurm"
CONTROLLER: Final = "slurm-controller"
DATABASE: Final = "slurm-database"
FLOOR: Final = 60.0
SLOW_TTL: Final = 300.0
SLURM_USER_SECONDS: Final = 3.0


def raise_(failure: Failure | None) -> None:
    if failure is not None:
        raise failure


@dataclass(frozen=True, slots=True)
class SlurmOptions:
    """The traits. `rest_url` set: slurmrestd; else the client binaries. `user`: the Slurm user of the token, "" for the Unix user."""

    bin_folder: str = ""
    conf: str = ""
    rest_url: str = ""
    token_file: str = ""
    user: str = ""
    sandbox: bool = False


@dataclass(frozen=True, slots=True)
class SlurmAt:
    """Where and as whom to read. `user` None in a principal never happens: without a name nothing is asked."""

    transport: Commands | Rest = field(repr=False)
    user: str
    uid: int | None
    groups: tuple[str, ...]
    release: str | None
    version: tuple[int, int] | None
    principal: str
    transport_name: str  # commands, slurmrestd

    def key(self, shape: Shape | Endpoint, scope: str = "") -> Key:
        """slurmdbd fails by itself: it is a far end of its own to the probes of reads.py."""
        return Key(self.principal, DATABASE if shape.database else CONTROLLER, shape.id, scope)


def site(options: SlurmOptions) -> Read[SlurmAt]:
    """Finds the way to Slurm and who reads: binaries and their version, or slurmrestd's newest version that we know. Everything else needs its result."""

    def fetch(deadline: Deadline) -> SlurmAt:
        uid = os.geteuid()
        unix, home, groups = _unix(uid)
        user = options.user or unix
        if not is_value(user):
            raise Failure(State.INVALID, "slurm_name_not_valid", layer=Layer.WORKLOAD, ask=Ask.CLUSTER_ADMIN)
        if options.rest_url:
            if not options.token_file:
                raise Failure(State.NOT_CONFIGURED, "slurm_token_file", {"path": ""}, layer=Layer.WORKLOAD, ask=Ask.YOU)
            rest = Rest(where(options.rest_url), options.token_file, user)
            token.read_now(options.token_file, user)  # a token that is good for nothing is told before anything is run or sent
            rest = replace(rest, refused=_slurm_user(options, home, deadline))
            rest = replace(rest, version=rest.discover(deadline))
            mine = user == unix
            return SlurmAt(rest, user, uid if mine else None, groups if mine else (), None, None, user, "slurmrestd")
        commands = Commands(find(options.bin_folder, home=home, sandbox=options.sandbox), options.conf)
        said = commands.run(policy.VERSION, deadline)
        raise_(errors.of_command(said, policy.VERSION))
        release, version = text.client_version(said.out)
        return SlurmAt(commands, unix, uid, groups, release, version, f"uid {uid}", "commands")

    source = "slurmrestd" if options.rest_url else "squeue --version"
    key = Key(f"uid {os.geteuid()}", "slurm-site", "site", f"{options.bin_folder}|{options.conf}|{options.rest_url}|{options.user}")
    return Read(key, LANE, source, fetch, ttl=SLOW_TTL, floor=FLOOR)


def _slurm_user(options: SlurmOptions, home: str, deadline: Deadline) -> frozenset[str]:
    """SlurmUser, which the cluster may have called otherwise: its token makes everybody (facts/slurm.md 2). Only Slurm's own clients tell it; without
    them, or while the controller does not answer them, root and slurm are what is known.
    """
    try:
        commands = Commands(find(options.bin_folder, home=home, sandbox=options.sandbox), options.conf)
        said = commands.run(policy.CONFIG, Deadline(min(SLURM_USER_SECONDS, deadline.remaining())))
        raise_(errors.of_command(said, policy.CONFIG))
        told = scontrol.config(said.out, policy.CONFIG.source).slurm_user
    except Failure:
        return frozenset()
    return frozenset({told} if told else ())


def _unix(uid: int) -> tuple[str, str, tuple[str, ...]]:
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        raise Failure(State.NOT_CONFIGURED, "slurm_no_unix_name", {"uid": uid}, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN) from None
    names = []
    for gid in dict.fromkeys([entry.pw_gid, *os.getgroups()]):
        try:
            names.append(grp.getgrgid(gid).gr_name)
        except KeyError:
            continue
    return entry.pw_name, entry.pw_dir, tuple(names)
