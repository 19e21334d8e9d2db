"""The container credential endpoint: where a Studio space or an EKS pod gets the keys of its role (AWS_CONTAINER_CREDENTIALS_FULL_URI)."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable

from ..faults import Faults
from ..scenario import Session
from .encode import HttpAnswer
from .keys import KeyStore, session_principal
from .operations import moment
from .server import LoopbackServer, QuietHandler

LIFETIME = 6 * 3600.0  # seconds: what EKS Pod Identity gives (facts/aws.md 4.3)
PATH = "/v1/credentials"


class CredentialEndpoint:
    """Hands out keys of one session. `fetches` counts the answers, refusals included."""

    def __init__(self, session: Session, keys: KeyStore, faults: Faults, now: Callable[[], float]) -> None:
        self.session, self.keys, self.faults, self.now = session, keys, faults, now
        self.authorization = f"Bearer {secrets.token_hex(16)}"
        self.fetches = 0
        endpoint = self

        class Handler(QuietHandler):
            def do_GET(self) -> None:
                made = endpoint.answer(self.path, self.headers.get("Authorization", ""))
                self.head(made, endpoint.now())
                self.wfile.write(made.body)

        self.server = LoopbackServer(Handler)

    @property
    def url(self) -> str:
        return self.server.url + PATH

    def answer(self, path: str, authorization: str) -> HttpAnswer:
        self.fetches += 1
        headers = {"Content-Type": "application/json", "Cache-Control": "no-store"}
        if path != PATH or authorization != self.authorization or self.faults.take("container-refuses") is not None:
            # the body of a refusal can hold anything; botocore repeats it in its exception, so a secret is planted (facts/aws.md 9)
            body = {"code": "AccessDenied", "message": f"not now; last key was {self.keys.mark()}"}
            return HttpAnswer(403, headers, json.dumps(body).encode())
        lifetime = self.faults.value("container-lifetime")
        expires = self.now() + (LIFETIME if lifetime is None else lifetime)
        if self.faults.take("container-expired") is not None:
            expires = self.now() - 60
        keys = self.keys.issue(session_principal(self.session.role, self.session.name, tags=self.session.tags), expires)
        body = {
            "AccessKeyId": keys.key_id,
            "SecretAccessKey": keys.secret,
            "Token": keys.token,
            "Expiration": moment(expires).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "AccountId": keys.principal.account,
        }
        return HttpAnswer(200, headers, json.dumps(body).encode())
