"""What the sandbox's far ends can be told to do wrong: the names for `--fault NAME`, and the switchboard that the far ends ask.

Pure names and counters: which bytes a fault puts on the wire is the business of the far end that honours it.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from .aws.denials import REASONS
from .slurm.install import FAULTS as SLURM

AWS_FAULTS: dict[str, str] = {
    "throttle": "AWS asks to slow down; VALUE times, then it answers again",
    "membership-denied": "DataZone says that the role is not a member of the project",
    **{f"deny-{name}": f"AWS refuses: {text or '(no reason given)'}".replace("{action}", "...") for name, text in REASONS.items()},
    "trust-external-id": "the access role's trust policy does not accept the ExternalId",
    "trust-source-identity": "the access role's trust policy has no statement for sts:SetSourceIdentity",
    "trust-tag-session": "the access role's trust policy has no statement for sts:TagSession",
    "expired-keys": "AWS says that the keys have expired",
    "unknown-keys": "AWS does not know the keys (also what an opt-in Region says that is not enabled)",
    "container-refuses": "the container credential endpoint refuses",
    "container-expired": "the container credential endpoint hands out keys that have expired",
    "container-lifetime": "keys of the container credential endpoint live VALUE seconds",
    "role-lifetime": "keys of an assumed role live VALUE seconds",
    "html-200": "a proxy answers with a login page and status 200",
    "malformed-json": "answers break off in the middle of the text, with status 200",
    "slow": "answers come VALUE seconds late",
    "drip": "answers come byte by byte, over VALUE seconds",
    "cut": "the connection is cut in the middle of an answer",
    "unknown-enum": "answers hold words of a newer service: unknown states and instance types",
    "empty-page": "the first page of every list is empty and has a token for the next",
    "clock-skew": "AWS's clock is VALUE seconds ahead of this machine's",
    "wrong-region": "AWS answers as it does in the wrong Region",
}

KUBERNETES_FAULTS: dict[str, str] = {
    "k8s-slow": "the API server answers VALUE seconds late",
    "k8s-drip": "the API server's answers come in drops, over VALUE seconds",
    "k8s-cut": "the API server's connection is cut in the middle of an answer",
    "k8s-hang-up": "the API server closes the connection without an answer",
    "k8s-throttle": "the API server asks to slow down (429 with Retry-After); VALUE times, then it answers again",
    "k8s-retry-after": "with k8s-throttle: the seconds that Retry-After names",
    "k8s-unauthorized": "the API server does not accept the token (401), as on EKS when the access entry is gone",
    "k8s-denied": "the API server says that the role may not (403), also in self-reviews",
    "k8s-conversion": "Kueue's conversion webhook is down: its kinds answer 500",
    "k8s-visibility-down": "Kueue's visibility API is down: places in line answer 503",
    "k8s-continue-expired": "the rest of a paged list has expired (410)",
    "k8s-huge-body": "answers are VALUE megabytes too long",
    "k8s-malformed-json": "answers break off in the middle of the text, with status 200",
    "k8s-html-200": "a proxy in front of the API server answers with a login page and status 200",
    "k8s-clock-skew": "the API server's clock is VALUE seconds ahead of this machine's",
}

SLURM_FAULTS: dict[str, str] = {f"slurm-{name}": text for name, text in SLURM.items()}

FAULTS: dict[str, str] = {**AWS_FAULTS, **KUBERNETES_FAULTS, **SLURM_FAULTS}
"""Every fault by name, with one line that says what the far end then does."""

# What VALUE means ("times": uses before the fault ends; "seconds": read by the far end) and what it is when none is given.
_VALUES: dict[str, tuple[str, float]] = {
    "throttle": ("times", 3),
    "container-lifetime": ("seconds", 20),
    "role-lifetime": ("seconds", 20),
    "slow": ("seconds", 10),
    "drip": ("seconds", 60),
    "clock-skew": ("seconds", 600),
    "k8s-slow": ("seconds", 10),
    "k8s-drip": ("seconds", 60),
    "k8s-throttle": ("times", 3),
    "k8s-retry-after": ("seconds", 2),
    "k8s-huge-body": ("megabytes", 80),
    "k8s-clock-skew": ("seconds", 600),
    "slurm-slow": ("seconds", 5),
}

_TEXT = re.compile(r"(?P<name>[a-z0-9-]+)(?:=(?P<value>-?[0-9]+(?:\.[0-9]+)?))?(?:@(?P<on>[A-Za-z0-9:*._/ -]+))?")


class UnknownFault(ValueError):
    """A name that is not in `FAULTS`, or a text that is no fault at all."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One switched-on fault. `on` is a shell pattern over "service:Operation"; `times` None means until cleared."""

    name: str
    on: str = "*"
    times: int | None = None
    value: float = 0.0


class Faults:
    """The switchboard: set by the command line at start and by tests at run time, asked by the far ends. Thread-safe."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._lock = threading.Lock()
        self._set: dict[tuple[str, str], Fault] = {}
        for text in texts:
            self.switch(text)

    def set(self, name: str, *, on: str = "*", times: int | None = None, value: float | None = None) -> None:
        """Switch a fault on; the same name with the same `on` is replaced. Raises UnknownFault."""
        if name not in FAULTS:
            raise UnknownFault(f"there is no fault named {name!r}; `jupyter hpgov sandbox --list` names them")
        unit, usual = _VALUES.get(name, ("none", 0.0))
        if unit == "times" and times is None:
            times = int(usual if value is None else value)
        with self._lock:
            self._set[(name, on)] = Fault(name, on, times, usual if value is None else value)

    def switch(self, text: str) -> None:
        """Switch on what a command line says: `NAME[=VALUE][@SERVICE:OPERATION]`, e.g. `slow=3@datazone:*`. Raises UnknownFault."""
        match = _TEXT.fullmatch(text)
        if match is None:
            raise UnknownFault(f"a fault is NAME[=VALUE][@SERVICE:OPERATION], not {text!r}")
        value = match["value"]
        self.set(match["name"], on=match["on"] or "*", value=None if value is None else float(value))

    def clear(self, name: str | None = None) -> None:
        """Switch off one fault by name, or all."""
        with self._lock:
            self._set = {} if name is None else {key: fault for key, fault in self._set.items() if fault.name != name}

    def active(self) -> tuple[Fault, ...]:
        with self._lock:
            return tuple(self._set.values())

    def value(self, name: str, on: str = "") -> float | None:
        """The value of a fault that is on for this operation, None when it is off. Uses nothing up: for clocks and lifetimes."""
        with self._lock:
            found = self._find(name, on)
            return None if found is None else found.value

    def take(self, name: str, on: str = "") -> float | None:
        """Like `value`, but counts: a fault with `times` ends after as many."""
        with self._lock:
            found = self._find(name, on)
            if found is None:
                return None
            if found.times is not None:
                self._set[(found.name, found.on)] = replace(found, times=found.times - 1)
            return found.value

    def _find(self, name: str, on: str) -> Fault | None:
        for fault in self._set.values():
            if fault.name == name and fault.times != 0 and fnmatchcase(on, fault.on):
                return fault
        return None
