"""How to reach a cluster without AWS: a kubeconfig that we parse ourselves, or the pod's service account (DESIGN.md 5; 14, S11).

The kubernetes package's loader runs exec plugins at load. Here a context is taken only if it holds a server, a CA and a token; whatever would
run a program, act as somebody else, weaken TLS or detour the connection is refused by its name.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ...bounded import Refused as BoundedRefused
from ...bounded import load, plain
from ...model.connection import Reach
from ...model.outcome import Ask, Failure, Layer, State
from ...reads import Deadline, Key, Read
from . import errors

SERVICE_ACCOUNT: Final = Path("/var/run/secrets/kubernetes.io/serviceaccount")
_FILE_LIMIT: Final = 256 * 1024
REFUSED_USER: Final = (
    "exec", "auth-provider", "as", "as-uid", "as-groups", "as-user-extra", "username", "password",
    "client-certificate", "client-certificate-data", "client-key", "client-key-data",
)  # fmt: skip
REFUSED_CLUSTER: Final = ("insecure-skip-tls-verify", "proxy-url", "tls-server-name")


@dataclass(frozen=True, slots=True)
class Access:
    """A way to one API server without AWS. `reach()` reads the token anew when it lies in a file: kubelets renew it.

    `origin`: kubeconfig or in_cluster. `namespace`: the context's or the pod's own, None where it says none.
    """

    origin: str
    name: str
    endpoint: str
    ca_pem: str
    namespace: str | None
    token: str = field(default="", repr=False)
    token_file: Path | None = None

    def reach(self) -> Reach:
        """Raises Failure if the token's file cannot be read."""
        token = self.token or _text(self.token_file, "k8s_token_file").strip()
        if not token or not token.isascii() or any(c <= " " or c > "~" for c in token):
            raise _invalid("k8s_token_file", {"name": self.name})
        return Reach(self.endpoint, self.ca_pem, token, 0.0, server_key(self.endpoint))


def server_key(endpoint: str) -> str:
    """A short stable name of an API server, for lanes and keys."""
    return hashlib.sha256(endpoint.rstrip("/").lower().encode()).hexdigest()[:12]


def whose(token: str) -> str:
    """Whose token it is, as a short digest for the keys of reads: renewing a service account's token changes nothing, another account or user does.

    Of a JWT that is issuer, subject, groups and the service account's uid, unchecked (the API server checks); of any other token the token itself.
    """
    text = token
    pieces = token.split(".")
    if len(pieces) == 3:
        try:
            told = json.loads(base64.urlsafe_b64decode(pieces[1] + "=" * (-len(pieces[1]) % 4)))
        except (ValueError, RecursionError):
            told = None
        if isinstance(told, dict) and told.get("sub"):
            account = told.get("kubernetes.io")
            inner = account.get("serviceaccount") if isinstance(account, dict) else None
            text = json.dumps([told.get("iss"), told["sub"], told.get("groups"), inner], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def in_cluster(environ: Mapping[str, str] = os.environ, folder: Path = SERVICE_ACCOUNT) -> Access:
    """The pod's service account. Raises Failure(NOT_CONFIGURED) outside a pod or where its token is not mounted."""
    host, port = environ.get("KUBERNETES_SERVICE_HOST", ""), environ.get("KUBERNETES_SERVICE_PORT", "443")
    if not host or not (folder / "token").exists():
        raise Failure(State.NOT_CONFIGURED, "k8s_no_service_account", layer=Layer.CLUSTER, ask=Ask.CLUSTER_ADMIN)
    endpoint = f"https://[{host}]:{port}" if ":" in host else f"https://{host}:{port}"
    errors.check_endpoint(endpoint)
    namespace = _text(folder / "namespace", "k8s_token_file").strip() if (folder / "namespace").exists() else None
    return Access("in_cluster", "in-cluster", endpoint, _text(folder / "ca.crt", "k8s_bad_ca"), namespace, token_file=folder / "token")


@dataclass(frozen=True, slots=True)
class DirectReach:
    """A way to an API server without AWS: the pod's service account or a kubeconfig entry."""

    origin: str
    name: str
    namespace: str | None
    reach: Reach


def direct_read(environ: Mapping[str, str], folder: Path, kubeconfig: Path | None = None, context: str = "") -> Read[DirectReach]:
    """The kubeconfig where one is given, else the pod's service account (DESIGN.md 5). Files are read anew each minute: kubelets renew the token."""

    def fetch(_: Deadline) -> DirectReach:
        access = read_kubeconfig(kubeconfig, context) if kubeconfig is not None else in_cluster(environ, folder)
        return DirectReach(access.origin, access.name, access.namespace, access.reach())

    return Read(Key("server", "files", "direct", context), "files", "service account or kubeconfig", fetch, ttl=60.0, floor=2.0)


def read_kubeconfig(path: Path, context: str = "") -> Access:
    """One context of a kubeconfig; "" for its current one. Raises Failure: NOT_CONFIGURED (no such file or context), INVALID (refused, or malformed)."""
    try:
        document = load(_bytes(path, "k8s_kubeconfig_unreadable"), path.name).documents
    except BoundedRefused as refused:
        problem = refused.problem
        raise _invalid("k8s_kubeconfig_malformed", {"file": path.name, "line": problem.line, "rule": problem.rule.code}) from None
    content = plain(document[0]) if document else None
    if len(document) != 1 or not isinstance(content, dict):
        raise _invalid("k8s_kubeconfig_malformed", {"file": path.name, "line": 1, "rule": "not_one_mapping"})
    wanted = context or content.get("current-context") or ""
    chosen = _entry(content, "contexts", "context", wanted, path)
    cluster = _entry(content, "clusters", "cluster", chosen.get("cluster"), path)
    user = _entry(content, "users", "user", chosen.get("user"), path)
    for entry, refused_keys in ((cluster, REFUSED_CLUSTER), (user, REFUSED_USER)):
        found = next((key for key in refused_keys if entry.get(key)), None)
        if found is not None:
            raise _invalid("k8s_kubeconfig_refused", {"file": path.name, "key": found, "name": str(wanted)})
    endpoint = cluster.get("server")
    if not isinstance(endpoint, str):
        raise _invalid("k8s_bad_endpoint", {})
    errors.check_endpoint(endpoint)
    token, token_file, namespace = user.get("token"), user.get("tokenFile"), chosen.get("namespace")
    if not (isinstance(token, str) and token) and not isinstance(token_file, str):
        raise _invalid("k8s_kubeconfig_no_token", {"file": path.name, "name": str(wanted)})
    return Access(
        "kubeconfig", str(wanted), endpoint, _ca(cluster, path), namespace if isinstance(namespace, str) and namespace else None,
        token=token if isinstance(token, str) else "", token_file=path.parent / token_file if isinstance(token_file, str) else None,
    )  # fmt: skip


def _entry(content: dict[str, Any], section: str, inner: str, name: Any, path: Path) -> dict[str, Any]:
    entries = content.get(section)
    matching = [e for e in entries if isinstance(e, dict) and e.get("name") == name] if isinstance(entries, list) else []
    if not isinstance(name, str) or not name or not matching:
        raise Failure(State.NOT_CONFIGURED, "k8s_kubeconfig_no_entry", {"file": path.name, "section": section}, layer=Layer.CLUSTER, ask=Ask.YOU)
    body = matching[0].get(inner)
    if len(matching) > 1 or not isinstance(body, dict):
        raise _invalid("k8s_kubeconfig_malformed", {"file": path.name, "line": None, "rule": section})
    return body


def _ca(cluster: dict[str, Any], path: Path) -> str:
    data, file = cluster.get("certificate-authority-data"), cluster.get("certificate-authority")
    if isinstance(data, str) and data:
        try:
            return base64.b64decode(data, validate=True).decode("ascii")
        except (binascii.Error, UnicodeDecodeError):
            raise _invalid("k8s_bad_ca", {}) from None
    if isinstance(file, str) and file:
        return _text(path.parent / file, "k8s_bad_ca")
    raise _invalid("k8s_bad_ca", {})  # the system's trust is not that cluster's


def _text(path: Path | None, code: str) -> str:
    try:
        return _bytes(path, code).decode("utf-8")
    except UnicodeDecodeError:
        raise _invalid(code, {}) from None


def _bytes(path: Path | None, code: str) -> bytes:
    """A regular file of at most 256 KiB, opened without waiting for a FIFO's other end."""
    if path is None:
        raise _invalid(code, {})
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        state = State.NOT_CONFIGURED if isinstance(error, FileNotFoundError) else State.INVALID
        raise Failure(state, code, {"file": path.name}, layer=Layer.CLUSTER, ask=Ask.YOU) from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _invalid(code, {"file": path.name})
    with os.fdopen(descriptor, "rb") as file:
        content = file.read(_FILE_LIMIT + 1)
    if len(content) > _FILE_LIMIT:
        raise _invalid(code, {"file": path.name})
    return content


def _invalid(code: str, params: dict[str, str | int | float | None]) -> Failure:
    return Failure(State.INVALID, code, params, layer=Layer.CLUSTER, ask=Ask.YOU)
