"""An authority and a certificate for 127.0.0.1, made at start: the product then trusts that authority alone, as it does a real cluster's (S10)."""

from __future__ import annotations

import ipaddress
import os
import ssl
import tempfile
from datetime import UTC, datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

DAYS = 30


def make() -> tuple[ssl.SSLContext, str]:
    """A server's TLS context and the PEM of the authority that signed its certificate. No key stays on disk."""
    now = datetime.now(UTC)
    ca_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    ca_name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "hpgov-jlab sandbox")])
    ca_id = x509.SubjectKeyIdentifier.from_public_key(ca_key.public_key())
    # valid since yesterday: a fault moves the clock of the far end, and a laptop's clock may be behind
    common = x509.CertificateBuilder().issuer_name(ca_name).not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=DAYS))
    ca = (
        common.subject_name(ca_name)
        .public_key(ca_key.public_key())
        .serial_number(x509.random_serial_number())
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(sign=True), critical=True)
        .add_extension(ca_id, critical=False)
        .sign(ca_key, hashes.SHA256())
    )
    certificate = (
        common.subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")]))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(sign=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1")), x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(ca_id), critical=False)
        .sign(ca_key, hashes.SHA256())
    )
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    # the ssl module reads a chain from a file only; mkstemp makes it readable by this user alone
    handle, path = tempfile.mkstemp(prefix="hpgov-sandbox-", suffix=".pem")
    try:
        with os.fdopen(handle, "wb") as f:
            f.write(certificate.public_bytes(serialization.Encoding.PEM) + private)
        context.load_cert_chain(path)
    finally:
        os.unlink(path)
    return context, ca.public_bytes(serialization.Encoding.PEM).decode()


def _usage(*, sign: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not sign,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=sign,
        crl_sign=sign,
        encipher_only=False,
        decipher_only=False,
    )
