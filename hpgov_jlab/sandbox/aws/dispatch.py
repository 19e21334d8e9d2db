"""One request, from bytes to bytes: authenticate, recognise, authorise, validate, answer, check the answer; and the log of it all.

No sockets here: `server.py` carries what comes out, and does to it what the faults of the wire say.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from botocore.model import OperationModel

from ..faults import Faults
from ..scenario import Scenario
from . import models, sigv4
from .decode import decode
from .denials import REASONS, refusal
from .encode import HttpAnswer, answer, failure
from .errors import AwsError, Kind, error
from .keys import KeyStore, Principal
from .operations import Call, Endpoint, Operation, Params, moment
from .permissions import NotUnderstood, why_not
from .s3 import NotModified
from .services import OPERATIONS
from .sigv4 import HttpRequest

_SECRET = frozenset({"WebIdentityToken", "TokenCode", "SSECustomerKey"})
_CLOCK_LIMIT = {"s3": 900}  # seconds a signature may be off; 300 for the others
_NEWER = {  # members whose words a newer service might add to (fault unknown-enum)
    "ClusterStatus": "Hibernating",
    "Status": "Hibernating",
    "InstanceType": "ml.q9.96xlarge",
    "EventLevel": "Notice",
    "orchestrator": "NOMAD",
    "projectStatus": "ARCHIVED",
    "status": "HIBERNATING",
}


@dataclass(slots=True)
class Entry:
    """One request as the log keeps it: the witness of what left the product. Secrets are left out; `params` are what was understood."""

    service: str
    operation: str
    params: dict[str, Any]
    method: str
    path: str  # with the query, without what signs it
    caller: str | None  # ARN, None when the keys are unknown or there are none
    region: str
    user_agent: str
    at: float
    status: int | None = None  # None while it is being answered
    code: str | None = None  # of the error


@dataclass(slots=True)
class Dispatch:
    """The far end without its sockets. `broken` collects every answer of ours that broke the official model: it must stay empty."""

    scenario: Scenario
    faults: Faults
    keys: KeyStore
    clock: Callable[[], float]
    endpoints: dict[str, Endpoint] = field(default_factory=dict)
    log: deque[Entry] = field(default_factory=lambda: deque(maxlen=100_000))  # a sandbox may run for days
    broken: list[str] = field(default_factory=list)
    started: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.started = self.clock()

    def now(self) -> float:
        """The far end's clock, in epoch seconds; fault clock-skew."""
        return self.clock() + (self.faults.value("clock-skew") or 0.0)

    def handle(self, request: HttpRequest) -> tuple[HttpAnswer, str]:
        """The answer to one request, and "service:Operation" for the faults of the wire."""
        signature = sigv4.read(request)
        service = _service(request, signature)
        protocol = models.protocol(service) if service else "json"
        keys = self.keys.find(signature.key_id) if signature else None
        entry = Entry(
            service=service or "?",
            operation="?",
            params={},
            method=request.method,
            path=_unsigned(request.target),
            caller=keys.principal.arn if keys else None,
            region=signature.region if signature else "",
            user_agent=request.headers.get("user-agent", ""),
            at=self.now(),
        )
        try:
            try:
                if service is None:
                    raise error(
                        Kind.NO_KEYS if signature is None else Kind.UNKNOWN_OPERATION, "json", "there is no such service here, or the request is not signed"
                    )
                model, params = _read(request, service)
                entry.operation = model.name
                entry.params = {name: value for name, value in params.items() if name not in _SECRET}
            finally:  # only now: whoever looks at the log meanwhile would take a request that is being read for one that cannot be
                with self._lock:
                    self.log.append(entry)
            made = self._answer(request, signature, service, entry, model, params)
        except AwsError as problem:
            entry.code = problem.code
            made = failure(protocol, problem, request.path)
        except NotModified as unchanged:
            made = HttpAnswer(304, {"ETag": unchanged.etag})
        except (NotUnderstood, NotImplementedError) as problem:
            made = failure(protocol, self._broken(protocol, f"{entry.operation}: {problem}"))
        entry.status = made.status
        return made, f"{entry.service}:{entry.operation}"

    def _answer(
        self, request: HttpRequest, signature: sigv4.Signature | None, service: str, entry: Entry, model: OperationModel, params: dict[str, Any]
    ) -> HttpAnswer:
        on = f"{service}:{model.name}"
        if self.faults.take("throttle", on) is not None:
            raise error(Kind.THROTTLED, models.protocol(service), "Rate exceeded")
        known = OPERATIONS.get((service, model.name))
        caller = None if known and known.public and signature is None else self._authenticate(request, signature, service, on)
        call = Call(self.scenario, caller, entry.region, self.now(), self.started, self.faults, self.keys, self.endpoints)
        if known is None:
            raise _refused(service, call.who.arn, on, None, "no-identity-policy")
        problems = models.check(model.input_shape, params)
        if problems:
            text = f"{len(problems)} validation error{'s' * (len(problems) > 1)} detected: " + "; ".join(problems)
            raise error(Kind.INVALID, models.protocol(service), text, service=service)
        self._authorise(call, known, on, params)
        value: dict[str, Any] = _recorded(known.run(call, params))
        problems = models.check(model.output_shape, value)
        if problems:
            raise self._broken(models.protocol(service), f"the answer to {on} breaks the official model: {'; '.join(problems)}")
        made = answer(model, value)
        if self.faults.take("unknown-enum", on) is not None:
            made = _of_a_newer_service(made, model)
        return made

    def _authenticate(self, request: HttpRequest, signature: sigv4.Signature | None, service: str, on: str) -> Principal:
        protocol = models.protocol(service)
        if signature is None:
            raise error(Kind.NO_KEYS, protocol, "Missing Authentication Token")
        keys = self.keys.find(signature.key_id)
        if keys is None or signature.token != keys.token or self.faults.take("unknown-keys", on) is not None:
            raise error(Kind.UNKNOWN_KEYS, protocol, "The security token included in the request is invalid.")
        if keys.expires <= self.now() or self.faults.take("expired-keys", on) is not None:
            raise error(Kind.EXPIRED, protocol, "The security token included in the request is expired")
        signed_at, limit = signature.signed_at(), _CLOCK_LIMIT.get(service, 300)
        if signed_at is None or abs(self.now() - signed_at) > limit:
            raise error(Kind.CLOCK, protocol, self._clock_text(signature.at, signed_at, service))
        expected = models.service(service)
        if signature.service != (expected.signing_name or expected.endpoint_prefix) or not sigv4.matches(request, signature, keys.secret):
            raise error(Kind.SIGNATURE, protocol, "The request signature we calculated does not match the signature you provided.")
        return keys.principal

    def _clock_text(self, at: str, signed_at: float | None, service: str) -> str:
        if service == "s3":
            return "The difference between the request time and the current time is too large."
        now, limit = (_stamp(self.now() + shift) for shift in (0, -300))
        if signed_at is not None and signed_at > self.now():
            return f"Signature not yet current: {at} is still later than {_stamp(self.now() + 300)} ({now} + 5 min.)"
        return f"Signature expired: {at} is now earlier than {limit} ({now} - 5 min.)"

    def _authorise(self, call: Call, known: Operation, on: str, params: Params) -> None:
        service = on.partition(":")[0]
        if known.action is None and on != "sts:AssumeRole":
            return  # GetCallerIdentity answers whoever has keys
        resource, action = known.resource(call, params), known.action or on
        if action == "sts:AssumeRole":
            resource = str(params["RoleArn"])
        for name in REASONS:
            if self.faults.take(f"deny-{name}", on) is not None:
                raise _refused(service, call.who.arn, action, resource, name)
        if known.action is None:
            return  # AssumeRole judges by itself: three actions, two policies
        role = self.scenario.role(call.who.role_arn)
        reason = "no-identity-policy" if role is None else why_not(role, call.who, action, resource, known.conditions(params))
        if reason is not None:
            raise _refused(service, call.who.arn, action, resource, reason)

    def _broken(self, protocol: str, text: str) -> AwsError:
        with self._lock:
            self.broken.append(text)
        return error(Kind.BROKEN, protocol, text)


def _service(request: HttpRequest, signature: sigv4.Signature | None) -> str | None:
    """Which service a request is for. One port serves all: the scope of the signature says it; of unsigned ones only STS's are told, by their form."""
    if signature is not None:
        names = {(models.service(name).signing_name or models.service(name).endpoint_prefix): name for name in models.SERVICES}
        return names.get(signature.service)
    return "sts" if request.body.startswith(b"Action=") else None


def _recorded(value: Any) -> Any:
    """The value without members that are None: not recorded, so not sent."""
    if isinstance(value, Mapping):
        return {name: _recorded(member) for name, member in value.items() if member is not None}
    return [_recorded(member) for member in value] if isinstance(value, list) else value


def _refused(service: str, arn: str, action: str, resource: str | None, reason: str) -> AwsError:
    return error(Kind.DENIED, models.protocol(service), refusal(arn, action, None if resource == "*" else resource, reason))


def _read(request: HttpRequest, service: str) -> tuple[OperationModel, dict[str, Any]]:
    try:
        return decode(request, service)
    except ValueError as problem:  # times and texts that are none
        raise error(Kind.INVALID, models.protocol(service), f"the request cannot be read: {type(problem).__name__}", service=service) from None


def _unsigned(target: str) -> str:
    path, _, query = target.partition("?")
    kept = [part for part in query.split("&") if part and not part.startswith("X-Amz-")]
    return path + ("?" + "&".join(kept) if kept else "")


def _stamp(seconds: float) -> str:
    return moment(seconds).strftime("%Y%m%dT%H%M%SZ")


def _of_a_newer_service(made: HttpAnswer, model: OperationModel) -> HttpAnswer:
    """The answer with words in it that this model does not know yet; JSON answers only, since no other has such members here."""
    if "json" not in made.headers.get("Content-Type", ""):
        return made

    def newer(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: _NEWER[key] if key in _NEWER and isinstance(member, str) else newer(member) for key, member in value.items()}
        return [newer(member) for member in value] if isinstance(value, list) else value

    return replace(made, body=json.dumps({**newer(json.loads(made.body)), "memberOfANewerService": {"since": "2031"}}).encode())
