"""A slurmrestd on loopback that answers what it is told to: what the real ones answered, or what an attacker would. Nothing of the product is replaced."""

from __future__ import annotations

import base64
import gzip
import json
import socketserver
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from hpgov_jlab.model.slurm import SlurmOwn
from hpgov_jlab.sources.slurm import rest
from hpgov_jlab.sources.slurm.site import SlurmAt

from .fakes import RECORDED

OWN = SlurmOwn("alice", ("research-nlp",), ("normal",), ("alice",))


def jwt(sun: object = "alice", exp: object = None, **more: object) -> str:
    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    return ".".join((part({"alg": "HS256"}), part({"sun": sun, "exp": time.time() + 600 if exp is None else exp, **more}), "c2ln"))


class FarEnd:
    """`answers`: path without query -> (status, body, headers) or a body. Keeps what was asked."""

    def __init__(self) -> None:
        self.answers: dict[str, Any] = {}
        self.asked: list[tuple[str, str, dict[str, str]]] = []
        self.drip = 0.0
        self.url = ""


@contextmanager
def serving(far_end: FarEnd, *, unix: str = "") -> Iterator[FarEnd]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            far_end.asked.append((self.command, self.path, {k.lower(): v for k, v in self.headers.items()}))
            found = far_end.answers.get(self.path.partition("?")[0], (404, b"Unable find requested URL.", {"Content-Type": "text/plain"}))
            status, body, headers = found if isinstance(found, tuple) else (200, found, {})
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            for name, value in {"Content-Length": str(len(data)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            try:
                for piece in [data] if not far_end.drip else [data[i : i + 1] for i in range(len(data))]:
                    self.wfile.write(piece)
                    self.wfile.flush()
                    time.sleep(far_end.drip)
            except OSError:
                pass

        do_POST = do_DELETE = do_PUT = do_GET

        def address_string(self) -> str:
            return "far end"

        def log_message(self, *_: object) -> None:
            pass

    class Tcp(socketserver.ThreadingTCPServer):
        daemon_threads, allow_reuse_address = True, True

    class Unix(socketserver.ThreadingUnixStreamServer):
        daemon_threads = True

    server = Unix(unix, Handler) if unix else Tcp(("127.0.0.1", 0), Handler)
    far_end.url = f"unix:{unix}" if unix else f"http://127.0.0.1:{server.server_address[1]}"  # type: ignore[index]
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield far_end
    finally:
        server.shutdown()
        server.server_close()


def recorded(version: str, stem: str) -> bytes:
    return gzip.decompress((RECORDED / "rest" / version / f"root.{stem}.json.gz").read_bytes())


def put(far_end: FarEnd, version: str) -> None:
    for path in (RECORDED / "rest" / version).glob("root.*.json.gz"):
        family, name = path.name.removeprefix("root.").removesuffix(".json.gz").split(".", 1)
        far_end.answers[f"/{family}/{version}/{name}"] = recorded(version, f"{family}.{name}")


def at(far_end: FarEnd, token_file: Path, version: str = "v0.0.42", user: str = "alice") -> SlurmAt:
    return SlurmAt(rest.Rest(rest.where(far_end.url), str(token_file), user, version), user, 1001, ("alice",), None, None, user, "slurmrestd")
