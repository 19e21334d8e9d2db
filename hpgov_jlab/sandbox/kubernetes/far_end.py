"""One API server: who asks, may they, what is there. In the order of a real one: authentication, then RBAC, and only then whether the thing exists.

with KubernetesFarEnd(load("story"), static_tokens({"t": User("bob", ("team",))})) as k8s:
    k8s.url, k8s.ca_pem, k8s.log, k8s.violations
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from ..faults import Faults
from . import access_policies, certificate, lists, rbac, status
from .access_policies import Grant
from .discovery import AGGREGATED, BUILTIN, REVIEWS, VISIBILITY, Discovery, Resource, key
from .rbac import Attributes, Decision, User
from .recording import Object, Recording
from .replay import PAUSE, Replay, Snapshot
from .requests import Request, parse
from .server import Hangup, Incoming, Server, serve
from .status import Answer

Authenticate = Callable[[str], User | None]
AUTHENTICATED = "system:authenticated"


@dataclass(frozen=True, slots=True)
class Entry:
    """One request, as an audit log keeps it. `violation` says what a read-only client never sends; None for what it may send."""

    at: float
    user: str
    groups: tuple[str, ...]
    verb: str
    group: str
    version: str
    resource: str
    subresource: str
    namespace: str
    name: str
    code: int  # 0: no answer was sent
    method: str
    target: str  # as it stood on the wire
    user_agent: str
    violation: str | None
    review: Mapping[str, Any] | None = None  # spec of a self-review


def static_tokens(people: Mapping[str, User]) -> Authenticate:
    """Tokens that never expire, as a service account's token file holds one."""
    return people.get


class KubernetesFarEnd:
    """`policies` gives the EKS access policies of a user, `absent` the API groups that this cluster has not installed."""

    def __init__(
        self,
        recording: Recording,
        authenticate: Authenticate,
        *,
        policies: Callable[[User], Sequence[Grant]] | None = None,
        faults: Faults | None = None,
        absent: Collection[str] = (),
        clock: Callable[[], float] = time.time,
        speed: float = 1.0,
        offset: float = 0.0,
        pause: float = PAUSE,
        port: int = 0,
    ) -> None:
        self.recording, self.authenticate, self.policies, self.faults, self.clock = recording, authenticate, policies, faults or Faults(), clock
        self.discovery = Discovery(recording, absent)
        self.replay = Replay(recording, clock=clock, speed=speed, offset=offset, pause=pause)
        self._log: list[Entry] = []
        self._guard = threading.Lock()
        context, self.ca_pem = certificate.make()
        self._server = Server(context, self._answer, self.faults, clock, port)

    # -- life --------------------------------------------------------------------------------------------------------------
    def start(self) -> KubernetesFarEnd:
        serve(self._server)
        return self

    def stop(self) -> None:
        self._server.close()

    __enter__ = start

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self._server.server_port}"

    @property
    def log(self) -> tuple[Entry, ...]:
        with self._guard:
            return tuple(self._log)

    @property
    def violations(self) -> tuple[Entry, ...]:
        return tuple(e for e in self.log if e.violation)

    @property
    def errors(self) -> tuple[str, ...]:
        """Tracebacks of this far end's own faults: a test that leaves any has failed."""
        return tuple(self._server.errors)

    def clear_log(self) -> None:
        with self._guard:
            self._log.clear()

    # -- a request -----------------------------------------------------------------------------------------------------------
    def _answer(self, incoming: Incoming) -> tuple[Answer, str]:
        request = parse(incoming.method, incoming.target)
        asked = request.attributes
        operation = _operation(asked)
        user = self._user(incoming)
        code = 0
        try:
            answer = self._faulty(operation, request) or self._decided(user, request, incoming)
            code = answer.code
        finally:
            self._note(user, request, incoming, code)
        return answer, operation

    def _user(self, incoming: Incoming) -> User | None:
        scheme, _, token = incoming.headers.get("authorization", "").partition(" ")
        if not token:
            return rbac.ANONYMOUS
        user = self.authenticate(token) if scheme.lower() == "bearer" else None
        return user if user is None or AUTHENTICATED in user.groups else replace(user, groups=(*user.groups, AUTHENTICATED))

    def _faulty(self, operation: str, request: Request) -> Answer | None:
        faults, asked = self.faults, request.attributes
        if faults.take("k8s-hang-up", operation) is not None:
            raise Hangup
        if (seconds := faults.take("k8s-slow", operation)) is not None and self._server.stopping.wait(seconds):
            raise Hangup
        if faults.take("k8s-throttle", operation) is not None:
            return status.throttled(int(faults.value("k8s-retry-after") or 1))
        if faults.take("k8s-html-200", operation) is not None:
            return Answer(200, b"<!doctype html><title>Sign in</title><p>Your network asks you to sign in.</p>", "text/html; charset=utf-8")
        if faults.take("k8s-unauthorized", operation) is not None:
            return status.unauthorized()
        if VISIBILITY in request.path and faults.take("k8s-visibility-down", operation) is not None:
            return status.service_unavailable()
        served = self.discovery.resources.get((asked.group, asked.version, asked.resource))
        if asked.group == "kueue.x-k8s.io" and served and faults.take("k8s-conversion", operation) is not None:
            return status.conversion_failed(served.group_version, served.kind)
        if request.query.get("continue") and faults.take("k8s-continue-expired", operation) is not None:
            return status.expired_continue("")
        return None

    def _decided(self, user: User | None, request: Request, incoming: Incoming) -> Answer:
        if user is None:
            return status.unauthorized()
        asked = request.attributes
        if any(h.startswith("impersonate-") for h in incoming.headers):
            return status.forbidden(user, replace(asked, verb=f"impersonate-on:user-info:{asked.verb}"))
        decision = self.decide(user, asked)
        if not decision.allowed:
            return status.forbidden(user, asked, decision.reason)
        if asked.path is not None:
            return self._page(request, incoming)
        if request.method == "POST" and (asked.group, asked.resource) in REVIEWS:
            return self._review(user, asked, incoming)
        if request.method not in ("GET", "HEAD"):
            return status.method_not_allowed()
        accept = incoming.headers.get("accept", "*/*")
        if "json" not in accept and "*/*" not in accept and "application/*" not in accept:
            return status.not_acceptable()
        return self._read(request)

    def decide(self, user: User, asked: Attributes) -> Decision:
        """RBAC first, then access policies, as EKS chains its authorizers. A fault takes the role away, for requests and self-reviews alike."""
        taken = asked.path is None and (asked.group, asked.resource) not in REVIEWS
        if taken and self.faults.take("k8s-denied", _operation(asked)) is not None:
            return Decision(False)
        decision = rbac.decide(user, asked, self.replay.snapshot().objects)
        if not decision.allowed and self.policies is not None:
            return access_policies.decide(self.policies(user), asked) or decision
        return decision

    # -- answers -------------------------------------------------------------------------------------------------------------
    def _page(self, request: Request, incoming: Incoming) -> Answer:
        if request.path in ("/healthz", "/livez", "/readyz"):
            return Answer(200, b"ok", status.TEXT)
        if request.path.rstrip("/") in ("/api", "/apis") and "as=APIGroupDiscoveryList" in incoming.headers.get("accept", "").split(",")[0].replace(" ", ""):
            answer = status.data(self.discovery.aggregated(request.path))
            return replace(answer, content_type=AGGREGATED, headers={"Cache-Control": "public", "Vary": "Accept"})
        document, parts = self.discovery.document(request.path), request.path.strip("/").split("/")
        if document is None:
            own = parts[:1] == ["api"] or (parts[:1] == ["apis"] and len(parts) > 2 and parts[1] in BUILTIN)
            return status.no_such_resource() if own else status.no_such_page()
        return status.data(document)

    def _read(self, request: Request) -> Answer:
        asked = request.attributes
        served = self.discovery.resources.get((asked.group, asked.version, asked.resource))
        known_sub = (asked.group, asked.version, asked.combined) in self.discovery.subresources
        if asked.group == VISIBILITY and asked.subresource == "pendingworkloads" and known_sub:
            return self._positions(request)
        wrong_scope = served is not None and bool(asked.name) and served.namespaced and not asked.namespace and asked.verb == "get"
        if served is not None and not served.namespaced and asked.namespace and asked.resource != "namespaces":
            wrong_scope = True
        if served is None or wrong_scope or asked.verb == "watch":
            return status.no_such_resource() if asked.group in BUILTIN else status.no_such_page()
        if asked.subresource and not (known_sub and asked.subresource == "status"):
            return status.not_found(asked) if known_sub or not served.builtin else status.no_such_resource()
        snapshot = self.replay.snapshot()
        if asked.verb == "get":
            found = snapshot.objects.get(key(served.group, served.version, served.plural), {}).get(_name(served, asked))
            return status.not_found(asked) if found is None else status.data(self._live(snapshot, found))
        return self._list(request, served, snapshot)

    def _list(self, request: Request, served: Resource, snapshot: Snapshot) -> Answer:
        asked = request.attributes
        kind = key(served.group, served.version, served.plural)
        try:
            query = lists.query(request.query, status.qualified(served.group, served.plural), served.version)
        except lists.BadQuery as e:
            return status.bad_request(str(e))
        if query.token is not None and query.token.rv > 0:
            then = self.replay.at_version(query.token.rv)
            if then is None:
                return status.expired_continue(replace(query.token, rv=-1).text())
            snapshot = then
        namespace = asked.namespace if served.namespaced else ""
        page = lists.page(snapshot.objects.get(kind, {}), namespace, query, snapshot.rv)
        return lists.body(served.group_version, served.kind, snapshot.rv, [self._live(snapshot, o) for o in page.items], page, served.builtin)

    def _positions(self, request: Request) -> Answer:
        """The visibility API: the line of one LocalQueue as Kueue gave it."""
        asked, snapshot = request.attributes, self.replay.snapshot()
        try:
            offset, limit = (lists.integer(request.query.get(k, ""), usual) for k, usual in (("offset", 0), ("limit", 1000)))
        except lists.BadQuery as e:
            return status.bad_request(str(e))
        # of one ClusterQueue: all teams' lines, which no recording holds
        body = snapshot.visibility.get(f"{asked.version}/{asked.namespace}/{asked.name}") if asked.resource == "localqueues" else None
        if body is None:
            return status.not_found(replace(asked, resource=asked.resource.removesuffix("s")))  # Kueue's own server names the singular
        live = self._live(snapshot, body)
        return status.data({**live, "items": list(live.get("items") or [])[offset : offset + limit]})

    def _review(self, user: User, asked: Attributes, incoming: Incoming) -> Answer:
        if "json" not in incoming.headers.get("content-type", ""):
            return status.unsupported_media_type()
        kind = "SelfSubjectAccessReview" if asked.resource == "selfsubjectaccessreviews" else "SelfSubjectReview"
        try:
            body = json.loads(incoming.body)
        except ValueError as e:
            return status.bad_request(f"the object provided is unrecognized (must be of type {kind}): couldn't get version/kind; json parse error: {e}")
        if not isinstance(body, dict) or body.get("kind") != kind:
            return status.bad_request(f'{body.get("kind") if isinstance(body, dict) else "null"} in version "v1" cannot be handled as a {kind}')
        head = {"kind": kind, "apiVersion": f"{asked.group}/{asked.version}"}
        if kind == "SelfSubjectReview":
            info = {"username": user.username, "uid": user.uid, "groups": list(user.groups), "extra": {k: list(v) for k, v in user.extra.items()}}
            made = {"creationTimestamp": datetime.fromtimestamp(self.clock(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}
            return status.data({**head, "metadata": made, "status": {"userInfo": {k: v for k, v in info.items() if v}}}, 201)
        spec = body.get("spec") or {}
        resource, page = spec.get("resourceAttributes"), spec.get("nonResourceAttributes")
        if (resource is None) == (page is None):
            why = "Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified"
            cause = {"reason": "FieldValueInvalid", "message": why, "field": "spec.resourceAttributes"}
            details = {"group": asked.group, "causes": [cause]}
            return status.failure(422, "Invalid", f'.{asked.group} "" is invalid: spec.resourceAttributes: {why}', details)
        given: Mapping[str, Any] = resource or page or {}
        fields = {f: str(given.get(f) or "") for f in ("verb", "group", "version", "resource", "subresource", "namespace", "name")}
        decision = self.decide(user, Attributes(**fields, path=None if page is None else str(given.get("path") or "")))
        verdict: dict[str, Any] = {"allowed": decision.allowed, **({"reason": decision.reason} if decision.reason else {})}
        said = {k: {f: v for f, v in attributes.items() if v} if isinstance(attributes, dict) else attributes for k, attributes in spec.items()}
        return status.data({**head, "metadata": {}, "spec": said, "status": verdict}, 201)

    def _live(self, snapshot: Snapshot, o: Object) -> Object:
        # a server whose clock is ahead writes its own time into every object
        skew = self.faults.value("k8s-clock-skew") or 0.0
        return self.replay.live(replace(snapshot.loop, epoch=snapshot.loop.epoch + skew), o)

    # -- log -----------------------------------------------------------------------------------------------------------------
    def _note(self, user: User | None, request: Request, incoming: Incoming, code: int) -> None:
        a = request.attributes
        review = None
        if (a.group, a.resource) in REVIEWS and request.method == "POST":
            try:
                review = json.loads(incoming.body).get("spec") or {}
            except (ValueError, AttributeError):
                review = None
        who, groups = (user.username, user.groups) if user else ("", ())
        entry = Entry(
            self.clock(), who, groups, a.verb, a.group, a.version, a.resource, a.subresource, a.namespace, a.name, code,
            request.method, request.target, incoming.headers.get("user-agent", ""), violation(request, incoming.headers), review,
        )  # fmt: skip
        with self._guard:
            self._log.append(entry)


def violation(request: Request, headers: Mapping[str, str]) -> str | None:
    """What a read-only client never sends (S1, S16), or None."""
    a = request.attributes
    raw = request.target.partition("?")[0]
    if any(h.startswith("impersonate-") for h in headers):
        return "impersonation"
    if "upgrade" in headers:
        return "upgrade of the connection"
    if "%" in raw or "//" in raw or any(part in (".", "..") for part in raw.split("/")):
        return "a path that is not plain"
    if request.method == "POST" and (a.group, a.resource) in REVIEWS and not a.name and not a.subresource:
        return None
    if request.method != "GET":
        return f"{request.method} {a.combined or request.path}"
    if a.verb == "watch":
        return "a watch"
    if a.subresource and (a.group, a.combined) != (VISIBILITY, "localqueues/pendingworkloads"):
        return f"subresource {a.combined}"
    return None


def _name(served: Resource, asked: Attributes) -> str:
    return f"{asked.namespace}/{asked.name}" if served.namespaced else asked.name


def _operation(asked: Attributes) -> str:
    """How a fault's `on` names a request: `k8s:list workloads.kueue.x-k8s.io`, `k8s:get /apis`."""
    return f"k8s:{asked.verb} {asked.path or status.qualified(asked.group, asked.combined)}"
