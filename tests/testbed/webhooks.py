"""What EKS puts in front of the API server, served from the test's own process: tokens that can be taken away, and access policies.

Both are Kubernetes webhooks (TokenReview, SubjectAccessReview). On EKS the first is the IAM authenticator (a token without an access entry answers 401), the
second the authorizer of access policies, which no rules review can list (facts: kubernetes page 2.1, 2.3; hyperpod page 4.1).
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Rule:
    verbs: frozenset[str]
    group: str
    resources: frozenset[str]  # "*" stands for all


def rules(verbs: str, groups: dict[str, str]) -> tuple[Rule, ...]:
    """rules("get list", {"": "pods events", "batch": "jobs"})"""
    return tuple(Rule(frozenset(verbs.split()), group, frozenset(resources.split())) for group, resources in groups.items())


READ = "get list watch"
# AmazonEKSViewPolicy knows no custom resources at all
VIEW = rules(
    READ,
    {
        "": "pods pods/log events configmaps services namespaces limitranges resourcequotas persistentvolumeclaims endpoints serviceaccounts",
        "batch": "jobs cronjobs",
        "apps": "deployments statefulsets replicasets daemonsets",
    },
)
# AmazonSagemakerHyperpodTrainingPolicy, associated with a namespace
TRAINING = rules(
    f"{READ} create update patch delete",
    {
        "": "pods",
        "batch": "jobs",
        "kubeflow.org": "pytorchjobs mpijobs tfjobs",
        "sagemaker.amazonaws.com": "hyperpodpytorchjobs",
        "ray.io": "rayclusters rayjobs rayservices",
    },
) + rules(READ, {"": "pods/log events limitranges resourcequotas", "kueue.x-k8s.io": "workloads localqueues"})
# AmazonSagemakerHyperpodUserClusterPolicy, associated with the cluster
USER_CLUSTER = rules(
    READ,
    {"": "namespaces nodes", "kueue.x-k8s.io": "clusterqueues resourceflavors workloadpriorityclasses", "apiextensions.k8s.io": "customresourcedefinitions"},
)


@dataclass(frozen=True)
class Association:
    """An access policy of an access entry: for one user name, in some namespaces or (None) in the whole cluster."""

    user: str
    policy: tuple[Rule, ...]
    namespaces: frozenset[str] | None

    def allows(self, user: str, asked: dict[str, Any]) -> bool:
        if user != self.user or (self.namespaces is not None and asked.get("namespace", "") not in self.namespaces):
            return False
        resource = asked.get("resource", "") + (f"/{asked['subresource']}" if asked.get("subresource") else "")
        return any(asked.get("verb") in r.verbs and asked.get("group", "") == r.group and not {resource, "*"}.isdisjoint(r.resources) for r in self.policy)


@dataclass
class Person:
    """Someone whom the API server knows by token. `until` is a time.time(): after it the token answers 401."""

    name: str
    token: str
    groups: list[str] = field(default_factory=list)
    until: float | None = None
    known: bool = True


class Webhooks:
    """Both webhooks on one loopback port. People and associations may be changed at any time; the API server keeps an answer for up to 10 s (tokens)."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._people: dict[str, Person] = {}
        self.authenticators: list[Callable[[str], Person | None]] = []  # asked about tokens that are nobody's: those that a session signs itself
        self.associations: list[Association] = []
        hooks = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                review = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                review["status"] = hooks.token(review["spec"]) if self.path.startswith("/token") else hooks.access(review["spec"])
                body = json.dumps(review).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                """Requests carry tokens: nothing is printed."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, name="testbed-webhooks", daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def add(self, person: Person) -> Person:
        with self._lock:
            self._people[person.token] = person
        return person

    def token(self, spec: dict[str, Any]) -> dict[str, Any]:
        with self._lock:
            person = self._people.get(spec.get("token", ""))
        person = person or next((found for ask in self.authenticators if (found := ask(spec.get("token", ""))) is not None), None)
        if person is None or not person.known:
            return {"authenticated": False, "error": "no access entry for this identity"}
        if person.until is not None and time.time() > person.until:
            return {"authenticated": False, "error": "token expired"}
        return {"authenticated": True, "user": {"username": person.name, "uid": f"uid-{person.name}", "groups": list(person.groups)}}

    def access(self, spec: dict[str, Any]) -> dict[str, Any]:
        asked = spec.get("resourceAttributes")
        with self._lock:
            allowed = asked is not None and any(a.allows(spec.get("user", ""), asked) for a in self.associations)
        return {"allowed": allowed, "reason": "EKS access policy" if allowed else ""}  # not allowed is "no opinion", as on EKS

    def associate(self, person: Person, policy: tuple[Rule, ...], *namespaces: str) -> None:
        """No namespace given: the whole cluster."""
        with self._lock:
            self.associations.append(Association(person.name, policy, frozenset(namespaces) or None))

    def dissociate(self, person: Person) -> None:
        with self._lock:
            self.associations = [a for a in self.associations if a.user != person.name]
