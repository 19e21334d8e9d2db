"""The AWS far end: the server, the credential endpoint, the keys and the log, as one thing that starts and stops."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from types import TracebackType

from ..faults import Faults
from ..kubernetes import certificate
from ..scenario import EksCluster, Scenario
from .credentials import CredentialEndpoint
from .dispatch import Dispatch, Entry
from .keys import Keys, KeyStore, Principal, session_principal
from .operations import OPERATIONS, Endpoint
from .server import DarkPort, LoopbackServer, handler_for
from .token import caller_of


class AwsFarEnd:
    """SageMaker, DataZone, EKS, STS and S3 of one scenario, on 127.0.0.1. Use it as a context manager, or `start` and `stop` it.

    `faults` may be shared with the Kubernetes far end, so that one switchboard serves both. `clock` is epoch seconds.
    """

    def __init__(self, scenario: Scenario, *, faults: Faults | None = None, clock: Callable[[], float] = time.time, port: int = 0) -> None:
        self.scenario = scenario
        self.faults = faults if faults is not None else Faults(scenario.faults)
        self.keys = KeyStore()
        self._dispatch = Dispatch(scenario, self.faults, self.keys, clock)
        self._server = LoopbackServer(handler_for(self._dispatch, self.faults), port)
        self.credentials = CredentialEndpoint(scenario.session, self.keys, self.faults, self._dispatch.now) if scenario.session else None
        self._dark: DarkPort | None = None

    def start(self) -> AwsFarEnd:
        self._server.start()
        if self.credentials is not None:
            self.credentials.server.start()
        for cluster in self.scenario.eks:
            if cluster.endpoint == "private-without-route":
                self._dark = self._dark or DarkPort()
                self.publish(cluster.name, self._dark.url, certificate.make()[1])
        return self

    def stop(self) -> None:
        self._server.stop()
        if self.credentials is not None:
            self.credentials.server.stop()
        if self._dark is not None:
            self._dark.close()

    def __enter__(self) -> AwsFarEnd:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    @property
    def url(self) -> str:
        """The one endpoint of all services: what the product's sandbox mode is given."""
        return self._server.url

    @property
    def log(self) -> list[Entry]:
        """Every request since the start, in order of arrival; after very many the oldest are dropped."""
        return list(self._dispatch.log)

    @property
    def broken(self) -> list[str]:
        """Answers that broke the official model, statements that were not understood, tracebacks of our own: a test asserts that there are none."""
        return [*self._dispatch.broken, *self._server.errors]

    @property
    def operations(self) -> frozenset[tuple[str, str]]:
        """(service, operation) of everything that can be answered."""
        return frozenset(OPERATIONS)

    def calls(self, operation: str | None = None) -> list[str]:
        """ "service:Operation" of every request, or of those with this operation name: the short form of the log."""
        return [f"{entry.service}:{entry.operation}" for entry in self.log if operation in (None, entry.operation)]

    def secrets(self) -> tuple[str, ...]:
        """Every secret string of this far end: none may turn up in a log, an answer or an error."""
        more = (self.scenario.web_identity, self.scenario.service_account)
        own = (self.credentials.authorization.removeprefix("Bearer "),) if self.credentials is not None else ()
        return self.keys.secrets() + own + tuple(each.token for each in more if each is not None)

    def publish(self, eks_name: str, url: str, ca_pem: str) -> None:
        """Say where the API server of an EKS cluster listens; the Kubernetes far end calls it when it has a port and a certificate."""
        self._dispatch.endpoints[eks_name] = Endpoint(url, ca_pem)

    def change(self, scenario: Scenario) -> None:
        """What the far end holds from now on: connections, buckets, roles, clusters. Keys that were handed out stay as they are."""
        self.scenario = self._dispatch.scenario = scenario

    def issue(self, role_arn: str, session_name: str = "test", *, seconds: float = 3600.0) -> Keys:
        """Keys of a role without asking anyone: for tests that begin where a session already exists."""
        return self.keys.issue(session_principal(role_arn, session_name), self._dispatch.now() + seconds)

    def now(self) -> float:
        """The far end's clock: epoch seconds, ahead by fault clock-skew."""
        return self._dispatch.now()

    def who(self, token: str, cluster_name: str) -> Principal | None:
        """Whose EKS bearer token this is; None where EKS would answer 401. `cluster_name` is the EKS cluster's."""
        cluster = next((each for each in self.scenario.eks if each.name == cluster_name), None)
        if cluster is None or any(self.faults.value(fault, "sts:GetCallerIdentity") is not None for fault in ("expired-keys", "unknown-keys")):
            return None
        return caller_of(token, cluster_name, _region(cluster), self.keys, self.now(), own_url=self.url)

    def environment(self) -> dict[str, str]:
        """Variables under which a process finds these keys and no others. They name no endpoint: the product is told that by its own trait."""
        nothing = "/dev/null"
        found = {
            "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_CONFIG_FILE": nothing,
            "AWS_SHARED_CREDENTIALS_FILE": nothing,
            "AWS_REGION": self.scenario.region,
            "AWS_DEFAULT_REGION": self.scenario.region,
        }
        if self.credentials is not None:
            found["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = self.credentials.url
            found["AWS_CONTAINER_AUTHORIZATION_TOKEN"] = self.credentials.authorization
        return found


def _region(cluster: EksCluster) -> str:
    return cluster.arn.split(":")[3]


def unlisted(log: Iterable[Entry], allowed: Iterable[tuple[str, str]]) -> list[str]:
    """Requests of the log that an allow list of (service, operation) does not have: what the witness is asked for."""
    known = set(allowed)
    return [f"{entry.service}:{entry.operation}" for entry in log if (entry.service, entry.operation) not in known]
