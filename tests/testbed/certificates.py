"""The rig's certificate authority and server certificates, made at start with the `cryptography` package and valid for two days."""

from __future__ import annotations

import datetime
import ipaddress
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID


def _pem(key: rsa.RSAPrivateKey) -> bytes:
    # the traditional form, because Kubernetes reads a service account key in no other
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption())


def make(folder: Path, *servers: str) -> None:
    """Writes sa.key, ca.crt, and `<server>/tls.crt` and `tls.key` for each name, for 127.0.0.1 and localhost."""
    now = datetime.datetime.now(datetime.UTC)

    def certificate(name: str, key: rsa.RSAPrivateKey, issuer: str, signer: rsa.RSAPrivateKey, is_ca: bool) -> bytes:
        builder = (
            x509.CertificateBuilder()
            .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
            .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer)]))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(hours=1))
            .not_valid_after(now + datetime.timedelta(days=2))
            .add_extension(x509.BasicConstraints(ca=is_ca, path_length=None), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
        )
        if is_ca:
            builder = builder.add_extension(
                x509.KeyUsage(
                    key_cert_sign=True,
                    crl_sign=True,
                    digital_signature=True,
                    content_commitment=False,
                    key_encipherment=False,
                    data_encipherment=False,
                    key_agreement=False,
                    encipher_only=False,
                    decipher_only=False,
                ),
                critical=True,
            )
        else:
            builder = builder.add_extension(
                x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1")), x509.DNSName("localhost")]), critical=False
            )
        return builder.sign(signer, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)

    (folder / "sa.key").write_bytes(_pem(rsa.generate_private_key(65537, 2048)))
    ca_key = rsa.generate_private_key(65537, 2048)
    (folder / "ca.crt").write_bytes(certificate("testbed-ca", ca_key, "testbed-ca", ca_key, True))
    for name in servers:
        key = rsa.generate_private_key(65537, 2048)
        (folder / name).mkdir(exist_ok=True)
        (folder / name / "tls.key").write_bytes(_pem(key))
        (folder / name / "tls.crt").write_bytes(certificate(name, key, "testbed-ca", ca_key, False))
