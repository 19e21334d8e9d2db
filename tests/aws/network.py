"""A network between the product and AWS: an https proxy (CONNECT) that answers in AWS's host names, with certificates of its own authority.

With it sessions run as in production, against their true endpoints, and every byte still ends at a far end on loopback. `hosts` is the witness of
where they went.
"""

from __future__ import annotations

import contextlib
import datetime
import socket
import ssl
import threading
from pathlib import Path
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Network:
    """Use it as a context manager. `url` goes into HTTPS_PROXY, `ca` into AwsSettings.ca_bundle; `refuse` answers CONNECT with that status instead."""

    def __init__(self, folder: Path, target: str, *, refuse: int | None = None) -> None:
        self._folder, self._target, self._refuse = folder, urlsplit(target), refuse
        self._key, self._authority = _authority()
        self.ca = str(folder / "ca.pem")
        Path(self.ca).write_bytes(self._authority.public_bytes(serialization.Encoding.PEM))
        self.hosts: list[str] = []
        self._contexts: dict[str, ssl.SSLContext] = {}
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._stopped = False

    def __enter__(self) -> Network:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped = True
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        while not self._stopped:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with contextlib.suppress(OSError), client:
            head = b""
            while b"\r\n\r\n" not in head:
                more = client.recv(4096)
                if not more:
                    return
                head += more
            host = head.split(b" ", 2)[1].decode().rpartition(":")[0]
            self.hosts.append(host)
            if self._refuse is not None:
                client.sendall(f"HTTP/1.1 {self._refuse} Refused\r\nContent-Length: 0\r\n\r\n".encode())
                return
            client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            with (
                self._context(host).wrap_socket(client, server_side=True) as inner,
                socket.create_connection((self._target.hostname, self._target.port)) as far,
            ):
                back = threading.Thread(target=_pipe, args=(far, inner), daemon=True)
                back.start()
                _pipe(inner, far)
                back.join(5)

    def _context(self, host: str) -> ssl.SSLContext:
        with self._lock:
            if host not in self._contexts:
                key, certificate = _certificate(host, self._key, self._authority)
                file = self._folder / f"{host}.pem"
                private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
                file.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(str(file))
                self._contexts[host] = context
            return self._contexts[host]


def _pipe(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
    with contextlib.suppress(OSError):
        sink.shutdown(socket.SHUT_WR)


def _authority() -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate]:
    key = ec.generate_private_key(ec.SECP256R1())
    return key, _signed("the tests' authority", key, key, "the tests' authority", authority=True)


def _certificate(host: str, issuer_key: ec.EllipticCurvePrivateKey, issuer: x509.Certificate) -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate]:
    key = ec.generate_private_key(ec.SECP256R1())
    return key, _signed(host, key, issuer_key, "the tests' authority", authority=False)


def _signed(name: str, key: ec.EllipticCurvePrivateKey, issuer_key: ec.EllipticCurvePrivateKey, issuer: str, *, authority: bool) -> x509.Certificate:
    now = datetime.datetime.now(datetime.UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name[:64])]))
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer)]))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
    )
    if not authority:
        builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
    return builder.sign(issuer_key, hashes.SHA256())
