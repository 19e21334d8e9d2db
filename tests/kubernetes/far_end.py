"""A far end on loopback with TLS that answers exactly as a test scripts it: the only fake is the other end of the wire."""

from __future__ import annotations

import datetime
import ipaddress
import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from hpgov_jlab.model.connection import Reach
from hpgov_jlab.model.outcome import Failure, State
from hpgov_jlab.policy.kubernetes import PODS, Operation
from hpgov_jlab.reads import Deadline, Read
from hpgov_jlab.sources.kubernetes.lists import At
from hpgov_jlab.sources.kubernetes.transport import Api

TOKEN = "k8s-aws-v1.SECRET-TOKEN-MARKER"


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


@dataclass(frozen=True)
class Certificates:
    """A CA, and a server's chain in one PEM file."""

    ca_pem: str
    chain: Path


def certificates(folder: Path, name: str = "ca") -> Certificates:
    now = datetime.datetime.now(datetime.UTC)
    ca_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())

    def builder(subject: str, public: Any) -> x509.CertificateBuilder:
        made = x509.CertificateBuilder().subject_name(_name(subject)).issuer_name(_name(name)).public_key(public).serial_number(x509.random_serial_number())
        return made.not_valid_before(now - datetime.timedelta(hours=1)).not_valid_after(now + datetime.timedelta(days=1))

    ca = builder(name, ca_key.public_key()).add_extension(x509.BasicConstraints(True, None), True).sign(ca_key, hashes.SHA256())
    names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    leaf = builder("server", key.public_key()).add_extension(names, False).sign(ca_key, hashes.SHA256())
    chain = folder / f"{name}.pem"
    secret = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    chain.write_bytes(secret + leaf.public_bytes(serialization.Encoding.PEM))
    return Certificates(ca.public_bytes(serialization.Encoding.PEM).decode(), chain)


@dataclass(frozen=True)
class Request:
    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]


Answer = bytes | Iterator[bytes]
Script = Callable[[Request], Answer]


def http(status: int = 200, body: Any = b"", *, kind: str = "application/json", **headers: str) -> bytes:
    """One whole HTTP answer. A body that is not bytes is sent as JSON."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = {"Content-Type": kind, "Content-Length": str(len(raw)), "Date": formatdate(usegmt=True), **{k.replace("_", "-"): v for k, v in headers.items()}}
    return f"HTTP/1.1 {status} Reason\r\n".encode() + "".join(f"{k}: {v}\r\n" for k, v in lines.items()).encode() + b"\r\n" + raw


def status(code: int, reason: str = "", message: str = "") -> bytes:
    """A Kubernetes Status with that HTTP code."""
    return http(code, {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "reason": reason, "message": message})


def objects(kind: str, items: list[Any], token: str | None = None) -> bytes:
    return http(
        200, {"kind": f"{kind}List", "apiVersion": "v1", "metadata": {"resourceVersion": "1", **({"continue": token} if token else {})}, "items": items}
    )


@dataclass
class FarEnd:
    """Serves until closed; `requests` is what really arrived. `tls` False: plain sockets, to be a proxy."""

    script: Script
    certificates: Certificates
    requests: list[Request] = field(default_factory=list)
    connections: int = 0

    def __post_init__(self) -> None:
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(self.certificates.chain)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.endpoint = f"https://127.0.0.1:{self.port}"
        threading.Thread(target=self._accept, name="far-end", daemon=True).start()

    def close(self) -> None:
        self._listening.close()

    def reach(self, *, signed_at: float = 0.0, ca_pem: str | None = None) -> Reach:
        return Reach(self.endpoint, ca_pem or self.certificates.ca_pem, TOKEN, signed_at, "server")

    def at(self, api: Api, **reach: Any) -> At:
        return At(api, self.reach(**reach), "principal")

    def _accept(self) -> None:
        while True:
            try:
                sock, _ = self._listening.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._serve, args=(sock,), name="far-end-connection", daemon=True).start()

    def _serve(self, plain: socket.socket) -> None:
        try:
            with self._context.wrap_socket(plain, server_side=True) as sock:
                stream = sock.makefile("rb")
                while True:
                    line = stream.readline().decode().split()
                    if not line:
                        return
                    headers = {}
                    while header := stream.readline().decode().rstrip("\r\n"):
                        name, _, value = header.partition(":")
                        headers[name.lower()] = value.strip()
                    request = Request(line[0], line[1], headers, stream.read(int(headers.get("content-length", "0"))))
                    self.requests.append(request)
                    answer = self.script(request)
                    for piece in [answer] if isinstance(answer, bytes) else answer:
                        sock.sendall(piece)
                    if not isinstance(answer, bytes):
                        return
        except OSError:
            return  # the product hung up: what it does then is what the tests look at


def run(read: Read[Any], seconds: float = 30.0) -> Any:
    """What a worker of reads.py does: fetch within a deadline."""
    return read.fetch(Deadline(seconds))


def pods(api: Api, reach: Reach, seconds: float = 30.0) -> bytes:
    return api.get(reach, PODS, Deadline(seconds), version="v1", namespace="team-a").body


def outcome(api: Api, reach: Reach, seconds: float = 30.0, operation: Operation = PODS) -> tuple[State, str]:
    """State and code of the Failure that a GET ends with. No parameter may hold the token or upstream's text."""
    with pytest.raises(Failure) as raised:
        name = "one" if operation.named else ""
        api.get(reach, operation, Deadline(seconds), version=operation.versions[0], namespace="team-a" if operation.namespaced else "", name=name)
    assert TOKEN not in repr(raised.value.params) and "upstream-text" not in repr(raised.value.params)
    return raised.value.state, raised.value.code
