"""One scenario's AWS far end with the product's own place and sessions in front of it, and a server that says what it is told to."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from hpgov_jlab.model.connection import Connection, Orchestrator, Place, PlaceKind
from hpgov_jlab.model.outcome import Failure
from hpgov_jlab.reads import Deadline, Got, Read
from hpgov_jlab.sandbox.aws.far_end import AwsFarEnd
from hpgov_jlab.sandbox.loading import load
from hpgov_jlab.sandbox.scenario import Scenario
from hpgov_jlab.sources import place as places
from hpgov_jlab.sources.aws import datazone
from hpgov_jlab.sources.aws.session import AwsSession, AwsSessions, AwsSettings

SERVICES = ("sts", "datazone", "sagemaker", "eks", "s3")


@dataclass
class World:
    """`sessions` are the product's; everything they say goes to `far`."""

    far: AwsFarEnd
    sessions: AwsSessions
    place: Place

    @property
    def home(self) -> AwsSession:
        return self.sessions.for_place(self.place)

    def connections(self) -> list[Connection]:
        return ask(datazone.connections(self.home, self.place))

    def connection(self, name: str = "research-training") -> Connection:
        return next(c for c in self.connections() if c.name == name)

    def access(self, name: str = "research-training") -> AwsSession:
        return self.sessions.for_connection(self.connection(name), self.place)


def ask(read: Read[Any], seconds: float = 20.0) -> Any:
    """The data of one read, asked for in this thread."""
    got = read.fetch(Deadline(seconds))
    return got.data if isinstance(got, Got) else got


def failed(read: Read[Any], seconds: float = 20.0) -> Failure:
    """The Failure that a read ends with."""
    try:
        got = read.fetch(Deadline(seconds))
    except Failure as failure:
        return failure
    raise AssertionError(f"{read.source} brought {got!r}")


def settings(url: str) -> AwsSettings:
    return AwsSettings(sandbox=True, endpoints=dict.fromkeys(SERVICES, url))


@contextlib.contextmanager
def world(
    tmp_path: Path, scenario: str | Scenario = "default", *, clock: Callable[[], float] = time.time, far_clock: Callable[[], float] = time.time
) -> Iterator[World]:
    made = load(scenario) if isinstance(scenario, str) else scenario
    with AwsFarEnd(made, clock=far_clock) as far:
        environ = far.environment()
        file = tmp_path / "resource-metadata.json"
        if made.metadata is not None:
            file.write_text(json.dumps(dict(made.metadata)))
        kind = {"space": "space"}.get(made.place, "")
        place = places.decide(places.Traits(kind=kind, metadata_file=str(file), sandbox=True), environ, service_account=str(tmp_path / "none"))
        sessions = AwsSessions(settings(far.url), environ=environ, clock=clock)
        try:
            yield World(far, sessions, place)
        finally:
            sessions.close()
        assert far.broken == []


@dataclass(frozen=True)
class Said:
    """One raw answer of `Parrot`."""

    status: int = 200
    body: bytes = b"{}"
    kind: str = "application/x-amz-json-1.1"
    headers: tuple[tuple[str, str], ...] = ()


class Parrot:
    """An HTTP server on loopback that answers every request with what `say` holds; `heard` are "METHOD target" of all requests."""

    def __init__(self, say: Callable[[str, bytes], Said] | Said) -> None:
        self.say: Callable[[str, bytes], Said] = say if callable(say) else lambda target, body: say
        self.heard: list[str] = []
        parrot = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            wbufsize = -1

            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                parrot.heard.append(f"{self.command} {self.path}")
                said = parrot.say(self.path, body)
                self.send_response_only(said.status)
                for name, value in (("Content-Type", said.kind), ("Content-Length", str(len(said.body))), *said.headers):
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(said.body)

            do_GET = do_POST = do_PUT = do_HEAD = answer

            def log_message(self, format: str, *args: Any) -> None:
                """`heard` is the log."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Parrot:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


# -- a Studio space in front of a Parrot ----------------------------------------------------------------------------------------
STUDIO = Place(PlaceKind.STUDIO, "place_by_trait", region="us-west-2")
CLUSTER = Connection("c", "ml", "trait", Orchestrator.EKS, "ml", "us-west-2", "111122223333")


def keys_or(say_: Said) -> Callable[[str, bytes], Said]:
    """Answers GetCallerIdentity truly, and everything else with `say_`."""
    identity = (
        b'<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>'
        b"<Arn>arn:aws:sts::111122223333:assumed-role/studio/SageMaker</Arn><UserId>AROA:SageMaker</UserId><Account>111122223333</Account>"
        b"</GetCallerIdentityResult><ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></GetCallerIdentityResponse>"
    )

    def say(target: str, body: bytes) -> Said:
        if target.startswith("/creds"):
            keys = {"AccessKeyId": "ASIAX", "SecretAccessKey": "x", "Token": "t", "Expiration": "2099-01-01T00:00:00Z"}
            return Said(200, json.dumps(keys).encode())
        return Said(200, identity, "text/xml") if b"GetCallerIdentity" in body else say_

    return say


def studio(url: str) -> AwsSessions:
    environ = {"AWS_CONTAINER_CREDENTIALS_FULL_URI": f"{url}/creds"}
    return AwsSessions(settings(url), environ=environ)
