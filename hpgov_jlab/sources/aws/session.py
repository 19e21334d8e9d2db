"""The one place where botocore sessions and clients are made (DESIGN.md 14, S3, S8, S9; facts/aws.md 4). Nothing else in the product may.

Every client has our own Loader, explicit retries and timeouts, no endpoint from the environment or a file, the guard, and our transport. Nothing
is read when an object here is made: keys, identity and clients come with the first call, in its worker, and are shared from then on.

Longer than 400 lines, because everything that can make a session or a client has to stand in one file: a test holds that no other does.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import botocore
import botocore.config
import botocore.credentials
import botocore.exceptions
import botocore.loaders
import botocore.parsers
import botocore.session

from ...model.connection import Connection, Place, PlaceKind
from ...model.outcome import Ask, Failure, Layer, Phrase, State
from ...policy.aws import TOKEN_PARAMETER, Reader
from ...policy.aws_names import parse_arn, same_principal
from ...reads import Deadline
from ...version import VERSION
from .. import place as places
from . import credentials as keys
from .endpoints import SERVICES, check_region, refused, region_of
from .errors import BadAnswer, Where, failure
from .guard import Guard, KeysGuard, Prefix, check_destination
from .logs import quiet
from .targets import RoleRequest, check_connection, mismatch, role_request
from .transport import CONNECT_SECONDS, READ_SECONDS, Transport, current_deadline, held, skew_of, using
from .vetting import check_members, check_source

T = TypeVar("T")

LANE = "aws"
ATTEMPTS = 2
POOL = 16
"""Connections kept per host: more than workers that one far end ever has."""

# One Loader for the process, with the built-in models only: AWS_DATA_PATH and ~/.aws/models would replace them (facts/aws.md 4.4), and a Loader per
# session costs 20 MiB.
_LOADER = botocore.loaders.Loader(extra_search_paths=[botocore.loaders.Loader.BUILTIN_DATA_PATH], include_default_search_paths=False)
_RAISED = (botocore.exceptions.BotoCoreError, botocore.exceptions.ClientError, botocore.parsers.ResponseParserError, Failure)


@dataclass(frozen=True, slots=True)
class AwsSettings:
    """What the traits say. `endpoints`: service (sts, datazone, sagemaker, eks, s3) -> URL; in sandbox mode every service needs a loopback one."""

    profile: str = ""
    allow_process: bool = False
    endpoints: Mapping[str, str] = field(default_factory=dict)
    sandbox: bool = False
    ca_bundle: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A successful answer, and AWS's clock minus ours in seconds."""

    data: dict[str, Any] = field(repr=False)
    skew: float | None


@dataclass(frozen=True, slots=True)
class Who:
    """GetCallerIdentity with our verdict: `note` is None if the identity is the expected one."""

    arn: str
    account: str
    method: str | None
    note: Phrase | None
    expected: bool | None
    skew: float | None


Check = Callable[[str, "str | None"], "Phrase | None"]


class AwsSession:
    """One identity's way to AWS. `principal` is stable for its life and goes into the keys of reads.

    Before the first call with a set of keys, GetCallerIdentity is asked and held against what is expected; if it differs, nothing beyond it is called.
    """

    def __init__(
        self,
        owner: AwsSessions,
        reader: Reader,
        principal: str,
        region: str | None,
        check: Check,
        build: Callable[[AwsSession], _Core],
        *,
        attributed: bool,
        compares: bool,
    ) -> None:
        self._owner, self._check, self._build, self._compares = owner, check, build, compares
        self.reader, self.principal, self.region, self.attributed = reader, principal, region, attributed
        self.seen: str | None = None
        self._core: _Core | None = None
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"AwsSession({self.reader})"

    @property
    def method(self) -> str | None:
        """botocore's name of how the keys were found (container-role, assume-role ...); None before the first call."""
        core = self._core
        return None if core is None else core.method

    def now(self) -> float:
        """Epoch seconds by the clock that these sessions go by."""
        return self._owner.clock()

    def home(self, region: str | None = None) -> str:
        """The Region to call: the one given, else the session's. Raises Failure."""
        found = region or self.region
        if found is None:
            raise Failure(State.NOT_CONFIGURED, "no_region", layer=Layer.PROJECT, ask=Ask.JUPYTER_ADMIN)
        return check_region(found, "call")

    def call(self, service: str, operation: str, params: dict[str, Any], deadline: Deadline, *, region: str | None = None) -> Answer:
        """One call of the allow list. Raises Failure, never anything of botocore's."""
        where = self.home(region)
        with using(deadline):
            return self._with_keys(service, operation, where, lambda core: core.send(service, operation, params, where))

    def who(self, deadline: Deadline, *, region: str | None = None) -> Who:
        """Whose keys these are; an unexpected identity is told, not raised. Raises Failure."""
        where = self.home(region)
        with using(deadline):
            return self._with_keys("sts", "GetCallerIdentity", where, lambda core: self._look(core, where), verify=False)

    def signed_identity(self, eks_name: str, deadline: Deadline, *, region: str, seconds: int) -> str:
        """A presigned GetCallerIdentity bound to one EKS cluster: what an EKS token is made of. A secret. Signed locally, after the identity was checked."""
        where = check_region(region, "call")
        with using(deadline):
            return self._with_keys("sts", "GetCallerIdentity", where, lambda core: core.presign(eks_name, where, seconds))

    # -- inside --------------------------------------------------------------------------------------------------------------
    def _with_keys(self, service: str, operation: str, region: str, work: Callable[[_Core], T], *, verify: bool = True) -> T:
        for again in (False, True):
            core: _Core | None = None
            try:
                core = self._ready(region, verify=verify)
                return work(core)
            except _RAISED as error:
                where = Where(service, operation, self.reader, region, self._owner.clock(), core.method if core else None)
                found = failure(error, where)
                if found.code == "credentials_expired" and not again and core is not None and self._renewed(core):
                    continue
                raise found from None
        raise AssertionError("a second try returns or raises")

    def _ready(self, region: str, *, verify: bool) -> _Core:
        with held(self._lock):
            if self._core is None:
                self._core = self._build(self)
            core = self._core
        access = core.access_key()
        if verify and core.verified != access:
            with held(core.verifying):
                if core.verified != access:
                    who = self._look(core, region)
                    if who.note is not None:
                        raise self._unexpected(who.note)
        return core

    def _look(self, core: _Core, region: str) -> Who:
        access = core.access_key()
        answer = core.send("sts", "GetCallerIdentity", {}, region)
        arn, account = str(answer.data["Arn"]), str(answer.data["Account"])
        parsed = parse_arn(arn)
        if parsed is None or parsed.account != account:
            raise BadAnswer(operation="GetCallerIdentity", missing="an ARN")
        note = self._check(arn, core.method)
        first = self.seen is None
        if note is None:
            self.seen = self.seen or arn
            core.verified = access
        return Who(arn, account, core.method, note, None if first and not self._compares and note is None else note is None, answer.skew)

    def _unexpected(self, note: Phrase) -> Failure:
        if self.reader is Reader.ACCESS:
            return mismatch("identity", note.params.get("expected"), note.params.get("arn"))  # type: ignore[arg-type]
        return Failure(State.NOT_CONFIGURED, note.code, note.params, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)

    def _renewed(self, core: _Core) -> bool:
        """After AWS said that the keys have expired: True if others can be had, so that one more try makes sense."""
        if isinstance(core.credentials, keys.Renewing):
            core.credentials.forget()
            return True
        if core.method not in keys.UNRENEWABLE:
            return False
        with held(self._lock):
            if self._core is not core:
                return True  # another thread was here first
            fresh = self._build(self)
            if fresh.access_key() == core.access_key():
                return False
            self._core = fresh
        return True


class _Core:
    """One botocore session with its keys and clients: replaced as a whole when its keys cannot be renewed."""

    def __init__(
        self, session: Any, credentials: Any, transport: Transport, settings: AwsSettings, endpoints: Mapping[str, str], clock: Callable[[], float]
    ) -> None:
        self._session, self.credentials, self._transport = session, credentials, transport
        self._settings, self._endpoints, self._clock = settings, endpoints, clock
        self._clients: dict[tuple[str, str, bool], Any] = {}
        self._making = threading.Lock()  # making clients is not thread-safe, using them is (facts/aws.md 4.5)
        self.verifying = threading.Lock()
        self.verified: str | None = None
        self.method: str | None = getattr(credentials, "method", None)

    def __repr__(self) -> str:
        return "_Core()"

    def access_key(self) -> str:
        """The current access key id: what tells one set of keys from the next. May fetch keys."""
        return str(self.credentials.get_frozen_credentials().access_key)

    def client(self, service: str, region: str, *, signed: bool = True) -> Any:
        key = (service, region, signed)
        found = self._clients.get(key)
        if found is None:
            with held(self._making):
                found = self._clients.get(key)
                if found is None:
                    found = self._clients[key] = self._make(service, region, signed)
        return found

    def send(self, service: str, operation: str, params: dict[str, Any], region: str, *, signed: bool = True) -> Answer:
        client = self.client(service, region, signed=signed)
        try:
            answer = getattr(client, botocore.xform_name(operation))(**params)
        except (AttributeError, ArithmeticError, LookupError, RuntimeError, TypeError, ValueError) as error:
            # botocore's parsers take the shape of an answer for granted: what is not of that shape, nested too deep, or a time out of range ends in one of
            # these. RuntimeError is RecursionError too.
            raise BadAnswer(operation=operation, missing=type(error).__name__) from None
        if (deadline := current_deadline()) is not None:
            deadline.heard()
        meta = answer.pop("ResponseMetadata", {})
        return Answer(answer, skew_of(meta.get("HTTPHeaders"), self._clock()))

    def presign(self, eks_name: str, region: str, seconds: int) -> str:
        client = self.client("sts", region)
        params = {TOKEN_PARAMETER: eks_name}
        return str(client.generate_presigned_url("get_caller_identity", Params=params, ExpiresIn=seconds, HttpMethod="GET"))

    def _make(self, service: str, region: str, signed: bool) -> Any:
        quiet()
        loopback = self._settings.sandbox
        endpoint = self._endpoint(service, region)
        config = botocore.config.Config(
            region_name=region,
            retries={"mode": "standard", "total_max_attempts": ATTEMPTS},
            connect_timeout=CONNECT_SECONDS,
            read_timeout=READ_SECONDS,
            max_pool_connections=POOL,
            ignore_configured_endpoint_urls=True,
            user_agent_extra=f"hpgov-jlab/{VERSION}",
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
            **({"s3": {"addressing_style": "path"}} if loopback else {}),
            **({} if signed else {"signature_version": botocore.UNSIGNED}),
        )
        client = self._session.create_client(service, region_name=region, endpoint_url=endpoint, config=config)
        home = str(client.meta.endpoint_url)
        protocol = str(client.meta.service_model.resolved_protocol)
        transport = self._transport

        def deliver(request: Any, event_name: str, **_: Any) -> Any:
            operation = event_name.split(".", 2)[2]
            check_destination(service, operation, request.url, home, region)
            response = transport.send(request)
            check_source(service, protocol, response)
            return response

        client.meta.events.register_last("before-send", deliver, unique_id="hpgov-deliver")
        if service == "sts":
            # On the same level as the guard: handlers of a longer event name run before all those of a shorter one, `register_first` or not.
            client.meta.events.register("provide-client-params", _take_header)
            client.meta.events.register("before-sign", _put_header)
        quiet()
        return client

    def _endpoint(self, service: str, region: str) -> str | None:
        for other in self._endpoints.keys() - SERVICES:  # a misspelt service would otherwise be no override, in silence
            raise refused(other if other.isidentifier() else "?")
        url = self._endpoints.get(service)
        if self._settings.sandbox:
            if url is None:
                raise Failure(State.NOT_CONFIGURED, "sandbox_endpoint_missing", {"service": service}, layer=Layer.WORKLOAD, ask=Ask.JUPYTER_ADMIN)
            region_of(service, url, sandbox=True)
            return url
        if url is None or region_of(service, url, sandbox=False) != region:
            return None
        return url


class AwsSessions:
    """Makes the sessions of a place and keeps one per principal. Give it the place's traits; it reads nothing by itself before a call.

    `environ` is where container and web identity settings are looked up; `clock` (epoch seconds) decides when keys are renewed.
    """

    def __init__(self, settings: AwsSettings | None = None, *, environ: Mapping[str, str] | None = None, clock: Callable[[], float] = time.time) -> None:
        self._settings = settings or AwsSettings()
        self._environ = os.environ if environ is None else environ
        self.clock = clock
        self._prefixes: tuple[Prefix, ...] = ()
        self._sessions: dict[str, AwsSession] = {}
        self._lock = threading.Lock()
        bundle = self._settings.ca_bundle or self._environ.get("AWS_CA_BUNDLE") or self._environ.get("REQUESTS_CA_BUNDLE") or None
        self._transport = Transport(pool=POOL, proxied=not self._settings.sandbox, ca_bundle=bundle)
        self._container = Transport(pool=2, proxied=False, ca_bundle=bundle, read_seconds=2.0)

    def set_prefixes(self, prefixes: tuple[Prefix, ...]) -> None:
        """Which S3 prefixes hold contracts (platform file, trait): the guard refuses every other bucket, owner and key."""
        self._prefixes = prefixes

    def for_place(self, place: Place) -> AwsSession:
        """The place's own identity. No I/O."""
        principal = "|".join(("place", place.kind, self._profile(place), place.execution_role_arn or ""))
        reader = {PlaceKind.UNIFIED_STUDIO: Reader.PROJECT, PlaceKind.STUDIO: Reader.EXECUTION}.get(place.kind, Reader.OWN)

        def make() -> AwsSession:
            def check(arn: str, method: str | None) -> Phrase | None:
                return places.expected(place, arn, method, seen=session.seen, profile=self._profile(place))

            session = AwsSession(
                self,
                reader,
                principal,
                place.region,
                check,
                lambda own: self._place_core(own, place),
                attributed=place.kind is PlaceKind.UNIFIED_STUDIO,
                compares=place.execution_role_arn is not None,
            )
            return session

        return self._kept(principal, make)

    def for_access_role(self, connection: Connection, place: Place, *, external_id: str | None = None) -> AwsSession:
        """The connection's access role, assumed with the place's identity when first used. No I/O.

        Raises Failure(NOT_CONFIGURED, "no_access_role" | "no_user_id") and Failure(INVALID, "target_mismatch"): then nothing is ever assumed.
        """
        request = role_request(connection, place, external_id)
        home = self.for_place(place)

        def check(arn: str, _method: str | None) -> Phrase | None:
            return None if same_principal(arn, request.role_arn) else Phrase("target_mismatch", {"arn": arn, "expected": request.role_arn})

        def make() -> AwsSession:
            def build(own: AwsSession) -> _Core:
                return self._role_core(own, home, request)

            return AwsSession(self, Reader.ACCESS, request.principal, request.region, check, build, attributed=False, compares=True)

        return self._kept(request.principal, make)

    def for_connection(self, connection: Connection, place: Place, *, external_id: str | None = None) -> AwsSession:
        """The session that reads a connection's cluster: its access role where it has one and always in Unified Studio, else the place's own identity.

        Raises as `for_access_role`.
        """
        if place.kind is PlaceKind.UNIFIED_STUDIO or connection.access_role is not None:
            return self.for_access_role(connection, place, external_id=external_id)
        check_connection(connection)
        return self.for_place(place)

    def only(self, principals: Collection[str]) -> None:
        """Forgets the access roles that no connection has any more, and their keys. A place's own identity stays: what it was at start is held against it."""
        with self._lock:
            for principal in [p for p, s in self._sessions.items() if s.reader is Reader.ACCESS and p not in principals]:
                del self._sessions[principal]

    def close(self) -> None:
        """Close all sockets, those in use too. Calls in progress end as `stopping`; none starts afterwards."""
        self._transport.close()
        self._container.close()

    # -- inside --------------------------------------------------------------------------------------------------------------
    def _kept(self, principal: str, make: Callable[[], AwsSession]) -> AwsSession:
        with self._lock:
            found = self._sessions.get(principal)
            if found is None:
                found = self._sessions[principal] = make()
            return found

    def _profile(self, place: Place) -> str:
        """The profile of a trait counts in place elsewhere only, and never in the sandbox, which must see no real key."""
        return self._settings.profile if place.kind is PlaceKind.ELSEWHERE and not self._settings.sandbox else ""

    def _place_core(self, own: AwsSession, place: Place) -> _Core:
        endpoints = dict(self._settings.endpoints)
        if place.domain_endpoint is not None and "datazone" not in endpoints:
            endpoints["datazone"] = place.domain_endpoint
        session = self._session(own)
        if profile := self._profile(place):
            found = keys.profile_credentials(self._lender(profile), profile, allow_process=self._settings.allow_process)
            self._hand_over(session, found)
            return _Core(session, found, self._transport, self._settings, endpoints, self.clock)
        core = _Core(session, None, self._transport, self._settings, endpoints, self.clock)

        def assume(params: dict[str, Any]) -> dict[str, Any]:
            try:
                return core.send("sts", "AssumeRoleWithWebIdentity", params, own.home(), signed=False).data
            except _RAISED as error:
                raise failure(error, Where("sts", "AssumeRoleWithWebIdentity", own.reader, own.home(), self.clock(), keys.WEB_IDENTITY)) from None

        found = keys.environment_keys(self._environ) if place.kind is PlaceKind.ELSEWHERE and not self._settings.sandbox else None
        if found is None:
            found = keys.place_credentials(self._environ, self._container, assume, self.clock, sandbox=self._settings.sandbox)
        self._hand_over(session, found)
        core.credentials, core.method = found, found.method
        return core

    def _role_core(self, own: AwsSession, home: AwsSession, request: RoleRequest) -> _Core:
        session = self._session(own)

        def fetch(_patient: bool) -> keys.Keys:
            deadline = current_deadline()
            assert deadline is not None  # keys are fetched inside calls only
            return keys.keys_of(home.call("sts", "AssumeRole", request.params, deadline, region=request.region).data)

        found = keys.Renewing(fetch, keys.ASSUMED, self.clock)
        self._hand_over(session, found)
        return _Core(session, found, self._transport, self._settings, self._settings.endpoints, self.clock)

    def _lender(self, profile: str) -> Any:
        """The session that reads a profile's configuration and fetches its keys; it can call what that takes and nothing else."""
        session = botocore.session.Session(profile=profile)
        session.register_component("data_loader", _LOADER)
        session.set_config_variable("sts_regional_endpoints", "regional")
        session.set_config_variable("ignore_configured_endpoint_urls", True)
        session.set_default_client_config(botocore.config.Config(connect_timeout=CONNECT_SECONDS, read_timeout=READ_SECONDS))
        KeysGuard().register(session.get_component("event_emitter"))
        return session

    def _session(self, own: AwsSession) -> Any:
        """A botocore session with the guard on it, which reads no configuration file and no profile of the environment."""
        variables = {
            "profile": (None, None, None, None),
            "config_file": (None, None, os.devnull, None),
            "credentials_file": (None, None, os.devnull, None),
        }
        session = botocore.session.Session(session_vars=variables)
        session.register_component("data_loader", _LOADER)
        session.set_config_variable("sts_regional_endpoints", "regional")
        emitter = session.get_component("event_emitter")
        Guard(own.reader, attributed=own.attributed, prefixes=lambda: self._prefixes).register(emitter)
        emitter.register("after-call", check_members, unique_id="hpgov-vet")
        return session

    def _hand_over(self, session: Any, credentials: Any) -> None:
        session.register_component("credential_provider", botocore.credentials.CredentialResolver(providers=[keys.Provider(credentials)]))


def _take_header(params: dict[str, Any], context: dict[str, Any], **_: Any) -> None:
    if TOKEN_PARAMETER in params:
        context[TOKEN_PARAMETER] = params.pop(TOKEN_PARAMETER)


def _put_header(request: Any, **_: Any) -> None:
    if TOKEN_PARAMETER in request.context:
        request.headers[TOKEN_PARAMETER] = request.context[TOKEN_PARAMETER]
