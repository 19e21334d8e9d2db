"""Where keys come from, fixed by the place (DESIGN.md 14, S8), and how they renew themselves for days (facts/aws.md 4.2).

Managed places know two methods: the container endpoint and a web identity token. The instance's metadata service, environment keys and files are not
asked there. Elsewhere: keys in the environment and those two, or the profile that a trait names.

botocore's own renewal starts 15 minutes before the end whatever the keys' life is, so keys that live less are fetched for every call, and an endpoint
that is out of order delays every call by 3 s while the keys are still good. `Renewing` keeps to the keys' life, pauses after a failed try, and fails a
call only when there are no good keys.
"""

from __future__ import annotations

import datetime
import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import botocore.awsrequest
import botocore.credentials
import botocore.exceptions

from ...model.outcome import Ask, Failure, Layer, State
from ...reads import Deadline
from .endpoints import is_loopback
from .errors import no_credentials
from .transport import Transport, current_deadline, held, using

CONTAINER = "container-role"
WEB_IDENTITY = "assume-role-with-web-identity"
ASSUMED = "assume-role"
MANAGED_METHODS = frozenset({CONTAINER, WEB_IDENTITY})
UNRENEWABLE = frozenset({"env", "shared-credentials-file", "config-file", "custom-process", "explicit"})
"""Methods whose keys a session never reads again: after ExpiredToken it is built anew, once."""

_CONTAINER_HOSTS = frozenset({"169.254.170.2", "169.254.170.23", "fd00:ec2::23"})
_BODY_LIMIT = 65536
EARLY_SECONDS = 2.0
"""How long a call may be held up by renewing keys that are still good."""
RETRY_SECONDS = 5.0
"""After a failed try to get keys at all, the failure is repeated this long instead of asking again for every read of one refresh."""


@dataclass(frozen=True, slots=True)
class Keys:
    """One set of keys. `expires_at` in epoch seconds, None: they do not expire."""

    access: str
    secret: str = field(repr=False)
    token: str | None = field(repr=False)
    expires_at: float | None


class MaskedKeys(botocore.credentials.ReadOnlyCredentials):
    """What signers get: botocore's named tuple, whose repr would print the secret key and the token."""

    def __repr__(self) -> str:
        return "MaskedKeys()"

    __str__ = __repr__


class Renewing(botocore.credentials.Credentials):
    """Keys that are fetched when they are first needed and again before they end.

    Early renewal starts at a third of their life (at most 15 minutes) before the end; while the old keys are good, a failed try costs one caller one
    attempt and is not repeated before a twentieth of their life (1 to 60 s) has gone by. `fetch(patient)` returns Keys or raises Failure; it is told
    whether the caller depends on it.
    """

    def __init__(self, fetch: Callable[[bool], Keys], method: str, clock: Callable[[], float] = time.time) -> None:
        self._fetch, self.method, self._clock = fetch, method, clock
        self.account_id = None
        self._lock = threading.Lock()
        self._keys: Keys | None = None
        self._fetched_at = 0.0
        self._early_at = float("inf")
        self._failure: Failure | None = None
        self._failed_at = 0.0

    def __repr__(self) -> str:
        return f"Renewing({self.method})"

    def get_frozen_credentials(self) -> Any:
        keys = self._current()
        return MaskedKeys(keys.access, keys.secret, keys.token, None)

    def get_deferred_property(self, property_name: str) -> Callable[[], Any]:
        return lambda: getattr(self, property_name)

    @property
    def access_key(self) -> str:
        return self._current().access

    @property
    def secret_key(self) -> str:
        return self._current().secret

    @property
    def token(self) -> str | None:
        return self._current().token

    def forget(self) -> None:
        """Fetch anew at the next use: AWS said that these keys have expired, whatever their date says."""
        with self._lock:
            self._keys = None

    def _current(self) -> Keys:
        keys, now = self._keys, self._clock()
        if keys is not None and _good(keys, now):
            if now < self._early_at:
                return keys
            if self._lock.acquire(blocking=False):  # one caller renews early, the others go on with good keys
                try:
                    if self._keys is keys:  # else another caller has just renewed them
                        self._renew_early(keys, now)
                    return self._keys or keys
                finally:
                    self._lock.release()
            return keys
        with held(self._lock):
            now = self._clock()
            if self._keys is None or not _good(self._keys, now):
                self._load(now)
            assert self._keys is not None
            return self._keys

    def _renew_early(self, old: Keys, now: float) -> None:
        self._early_at = now + min(60.0, max(1.0, self._life(old) / 20))
        deadline = current_deadline()
        try:
            with using(Deadline(EARLY_SECONDS if deadline is None else min(EARLY_SECONDS, deadline.remaining()))):
                keys = self._fetch(False)
        except Failure:
            return  # the old keys are good: told when they no longer are
        if _good(keys, now):
            extended = keys.expires_at != old.expires_at
            self._keys = keys
            if extended:
                self._take(keys, now)

    def _load(self, now: float) -> None:
        if self._failure is not None and 0 <= now - self._failed_at < RETRY_SECONDS:
            known = self._failure
            raise Failure(known.state, known.code, known.params, layer=known.layer, ask=known.ask, source=known.source)
        try:
            keys = self._fetch(True)
            if not _good(keys, now):
                raise Failure(State.EXPIRED, "credentials_already_expired", {"method": self.method}, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)
        except Failure as failure:
            if failure.code not in ("deadline", "stopping"):
                self._failure, self._failed_at = failure, now
            raise
        self._failure = None
        self._take(keys, now)

    def _take(self, keys: Keys, now: float) -> None:
        self._keys, self._fetched_at = keys, now
        self._early_at = float("inf") if keys.expires_at is None else keys.expires_at - min(900.0, self._life(keys) / 3)

    def _life(self, keys: Keys) -> float:
        return 3600.0 if keys.expires_at is None else max(1.0, keys.expires_at - self._fetched_at)


def _good(keys: Keys, now: float) -> bool:
    return keys.expires_at is None or now < keys.expires_at


class Provider(botocore.credentials.CredentialProvider):
    """Hands a session the credentials that its place permits, by botocore's public way (a resolver's provider)."""

    METHOD = "hpgov"

    def __init__(self, credentials: Any) -> None:
        super().__init__()
        self._credentials = credentials

    def load(self) -> Any:
        return self._credentials


# -- the container endpoint ---------------------------------------------------------------------------------------------------
def container_configured(environ: Mapping[str, str]) -> bool:
    return bool(environ.get("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI") or environ.get("AWS_CONTAINER_CREDENTIALS_FULL_URI"))


def container_keys(environ: Mapping[str, str], transport: Transport, *, sandbox: bool) -> Callable[[bool], Keys]:
    """Fetches keys from the container's own endpoint, by the rules of the SDKs: the relative URI wins, the token's file is read anew each time.

    Only the link-local addresses of ECS, SageMaker and EKS Pod Identity and loopback are asked; in sandbox mode only loopback, so that no real
    key ever reaches the sandbox. The endpoint's answers are never quoted: they hold keys.
    """

    def fetch(patient: bool) -> Keys:
        relative = environ.get("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI")
        url = f"http://169.254.170.2{relative}" if relative else environ.get("AWS_CONTAINER_CREDENTIALS_FULL_URI", "")
        try:
            parts = urlsplit(url)
            host = parts.hostname
        except ValueError:
            host = None
        loopback = is_loopback(host)
        if host is None or parts.scheme not in ("http", "https") or not (loopback or (not sandbox and host in _CONTAINER_HOSTS and parts.scheme == "http")):
            raise Failure(State.NOT_CONFIGURED, "credential_endpoint_not_allowed", layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)
        headers = {"Accept": "application/json"}
        token = _container_token(environ)
        if token:
            headers["Authorization"] = token
        request = botocore.awsrequest.AWSRequest(method="GET", url=url, headers=headers).prepare()
        for attempt in range(2 if patient else 1):
            if attempt:
                time.sleep(0.2)
            try:
                response = transport.send(request)
            except botocore.exceptions.HTTPClientError:
                continue
            if response.status_code == 200 and len(response.content) <= _BODY_LIMIT:
                return _container_answer(response.content)
            if response.status_code < 500:
                break
        raise _not_renewed(CONTAINER)

    return fetch


def _not_renewed(method: str) -> Failure:
    return Failure(State.EXPIRED, "credentials_not_renewed", {"method": method}, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)


def _container_token(environ: Mapping[str, str]) -> str | None:
    path = environ.get("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE")
    text = environ.get("AWS_CONTAINER_AUTHORIZATION_TOKEN")
    if path:
        text = _token_file(path, CONTAINER)
    if text is None:
        return None
    text = text.strip()
    if not text.isascii() or not text.isprintable():
        raise _not_renewed(CONTAINER)
    return text


def _token_file(path: str, method: str) -> str:
    try:
        with Path(path).open("rb") as file:
            return file.read(_BODY_LIMIT).decode("ascii").strip()
    except (OSError, ValueError):
        raise Failure(State.NOT_CONFIGURED, "token_file_unreadable", {"method": method}, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN) from None


def _container_answer(body: bytes) -> Keys:
    try:
        answer = json.loads(body)
        return Keys(str(answer["AccessKeyId"]), str(answer["SecretAccessKey"]), str(answer["Token"]), epoch(answer["Expiration"]))
    except (ValueError, KeyError, TypeError):
        raise _not_renewed(CONTAINER) from None


def epoch(value: Any) -> float:
    """Epoch seconds of a time as credential sources give it: a datetime, ISO text (without a zone it is UTC) or a number. Raises ValueError, TypeError."""
    if isinstance(value, int | float):
        return float(value)
    if isinstance(value, str):
        value = datetime.datetime.fromisoformat(value)
    if not isinstance(value, datetime.datetime):
        raise TypeError("not a time")
    if value.tzinfo is None:
        value = value.replace(tzinfo=datetime.UTC)
    return float(value.timestamp())


# -- the web identity token ---------------------------------------------------------------------------------------------------
def web_identity_configured(environ: Mapping[str, str]) -> bool:
    return bool(environ.get("AWS_WEB_IDENTITY_TOKEN_FILE") and environ.get("AWS_ROLE_ARN"))


def web_identity_keys(environ: Mapping[str, str], assume: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[[bool], Keys]:
    """Fetches keys by sts:AssumeRoleWithWebIdentity; `assume` makes the unsigned call. The token's file is read anew each time (it rotates)."""

    def fetch(_patient: bool) -> Keys:
        token = _token_file(environ["AWS_WEB_IDENTITY_TOKEN_FILE"], WEB_IDENTITY)
        name = environ.get("AWS_ROLE_SESSION_NAME") or f"hpgov-{int(time.time())}"
        return keys_of(assume({"RoleArn": environ["AWS_ROLE_ARN"], "RoleSessionName": name, "WebIdentityToken": token}))

    return fetch


def keys_of(answer: Mapping[str, Any]) -> Keys:
    """The keys in an answer of AssumeRole or AssumeRoleWithWebIdentity."""
    found = answer["Credentials"]
    return Keys(found["AccessKeyId"], found["SecretAccessKey"], found["SessionToken"], epoch(found["Expiration"]))


def place_credentials(
    environ: Mapping[str, str],
    transport: Transport,
    assume: Callable[[dict[str, Any]], dict[str, Any]],
    clock: Callable[[], float],
    *,
    sandbox: bool,
) -> Renewing:
    """The credentials of a managed place, or of one elsewhere without keys in its environment. Raises Failure(NOT_CONFIGURED, "no_credentials").

    The order is the SDKs' own, so that the panel reads as whom a notebook's kernel would.
    """
    if web_identity_configured(environ) and not sandbox:
        return Renewing(web_identity_keys(environ, assume), WEB_IDENTITY, clock)
    if container_configured(environ):
        return Renewing(container_keys(environ, transport, sandbox=sandbox), CONTAINER, clock)
    raise no_credentials()


# -- elsewhere -----------------------------------------------------------------------------------------------------------------
def environment_keys(environ: Mapping[str, str]) -> Any:
    if not environ.get("AWS_ACCESS_KEY_ID"):
        return None
    return botocore.credentials.EnvProvider(environ=environ).load()


def profile_credentials(session: Any, profile: str, *, allow_process: bool) -> Any:
    """The credentials of a profile that a trait names. Raises Failure if it would start a process that no trait allows, or has none."""
    profiles = session.full_config.get("profiles", {})
    name, met = profile, set()
    while name and name not in met and name in profiles:
        met.add(name)
        if profiles[name].get("credential_process") and not allow_process:
            raise Failure(State.NOT_CONFIGURED, "process_not_allowed", layer=Layer.WORKLOAD, ask=Ask.YOU)
        name = profiles[name].get("source_profile", "")
    resolver = session.get_component("credential_provider")
    for method in ("env", "iam-role", "container-role", "ec2-credentials-file", "boto-config"):
        resolver.remove(method)
    found = session.get_credentials()
    if found is None:
        raise no_credentials()
    return found
