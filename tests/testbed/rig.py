"""Starts a real API server with etcd and, when asked, Kueue, the scheduler, the controllers and fake nodes; on loopback, without root.

    with Rig(build.find(), work_folder, kueue="0.19.2", nodes=True) as rig: ...

8 to 12 s to start, 0.6 GB, with nodes 1.1 GB. Each odd argument below cost an attempt; facts: kubernetes page 4.3.
"""

from __future__ import annotations

import base64
import itertools
import secrets
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import requests
import yaml

from . import audit, certificates, install
from .servers import PATIENCE, Servers, free_port, listening
from .webhooks import Person, Webhooks

ADMIN = f"admin-{secrets.token_hex(8)}"
SYSTEM = f"kueue-{secrets.token_hex(8)}"
FRAMEWORKS = [
    "batch/job",
    "jobset.x-k8s.io/jobset",
    "ray.io/rayjob",
    "ray.io/raycluster",
    "kubeflow.org/pytorchjob",
    "kubeflow.org/tfjob",
    "kubeflow.org/xgboostjob",
    "kubeflow.org/mpijob",
    "pod",
    "deployment",
    "statefulset",
]
CONTROLLERS = (
    "job-controller",
    "garbage-collector-controller",
    "deployment-controller",
    "replicaset-controller",
    "statefulset-controller",
    "namespace-controller",
    "node-lifecycle-controller",
)
# Governed by its own operator, which makes the Workload; Kueue is only told that the kind exists (facts: hyperpod page 2.7)
EXTERNAL_FRAMEWORKS = ["HyperPodPyTorchJob.v1.sagemaker.amazonaws.com"]
HELD = "testbed/held"  # annotation of a pod whose status the fake kubelet must not touch


class Refused(RuntimeError):
    """The API server did not take an object of the test's; status and body stand in the message."""

    def __init__(self, status: int, message: str):
        super().__init__(message)
        self.status = status


class Rig:
    """One cluster. `kueue` None leaves Kueue and every custom kind out. `config` is merged into Kueue's
    configuration, `api_arguments` go to the API server."""

    def __init__(
        self,
        out: Path,
        work: Path,
        *,
        kueue: str | None = "0.19.2",
        nodes: bool = False,
        config: dict[str, Any] | None = None,
        api_arguments: Sequence[str] = (),
    ):
        self.api_arguments = api_arguments
        self.out, self.work, self.nodes, self.kueue_version, self.config = out.resolve(), work.resolve(), nodes, kueue, config or {}
        self.legacy = kueue is not None and kueue.startswith("0.12")
        self.api = "v1beta1" if self.legacy else "v1beta2"  # the version that this Kueue stores
        self.work.mkdir(parents=True, exist_ok=True)
        self.servers = Servers(self.work)
        self.webhooks = Webhooks()
        self.ports = {n: free_port() for n in ("etcd", "peer", "api", "webhook", "health", "visibility")}
        self.url = f"https://127.0.0.1:{self.ports['api']}"
        self.etcd_url = f"http://127.0.0.1:{self.ports['etcd']}"
        self.ca_file = self.work / "ca.crt"
        self.http = requests.Session()
        self.http.trust_env = False  # REQUESTS_CA_BUNDLE and proxies of the environment would win over verify
        self.http.verify = str(self.ca_file)
        self.http.headers["Authorization"] = f"Bearer {ADMIN}"
        self.http.mount("https://", requests.adapters.HTTPAdapter(pool_maxsize=32))  # tests play several cases at a time
        self._numbers = itertools.count(1)

    # -- life ------------------------------------------------------------------------------------------------------------------------------------------
    def start(self) -> Self:
        try:
            certificates.make(self.work, "apiserver", "webhook", "front-proxy")
            self.ca = base64.b64encode(self.ca_file.read_bytes()).decode()
            self._api_server()
            if self.kueue_version is not None:
                install.definitions(self)
                install.roles(self)
                self.create("/api/v1/namespaces", {"metadata": {"name": "kueue-system"}})
                self._kueue()
                install.webhooks(self)
                if not self.legacy:
                    install.visibility(self)
            if self.nodes:
                self._nodes()
        except BaseException:
            self.stop()
            raise
        return self

    def stop(self) -> None:
        self.servers.stop_all()
        self.webhooks.close()
        self.http.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def number(self) -> int:
        """A number that this rig has not given out: tests name their teams with it."""
        return next(self._numbers)

    # -- requests, as the administrator --------------------------------------------------------------------------------------------------------------------
    def request(
        self, method: str, path: str, body: Any = None, *, token: str = ADMIN, content_type: str = "application/json", params: Mapping[str, str] | None = None
    ) -> requests.Response:
        return self.http.request(
            method, self.url + path, json=body, params=params, timeout=30, headers={"Authorization": f"Bearer {token}", "Content-Type": content_type}
        )

    def _ok(self, response: requests.Response, what: str) -> dict[str, Any]:
        if not response.ok:
            raise Refused(response.status_code, f"{what}: {response.status_code} {response.text[:600]}")
        answer: dict[str, Any] = response.json()
        return answer

    def _patient(self, method: str, path: str, *args: Any, **more: Any) -> requests.Response:
        """While a definition's storage is made anew the API server answers 429 for some seconds: that is no answer yet."""
        end = time.monotonic() + PATIENCE
        while (response := self.request(method, path, *args, **more)).status_code == 429 and time.monotonic() < end:
            time.sleep(0.3)
        return response

    def create(self, path: str, obj: dict[str, Any]) -> dict[str, Any]:
        """What exists already is taken as it is."""
        response = self._patient("POST", path, obj)
        return (
            response.json()
            if response.status_code == 409 and "AlreadyExists" in response.text
            else self._ok(response, f"POST {path} {obj.get('metadata', {}).get('name')}")
        )

    def get(self, path: str, token: str = ADMIN, **params: str) -> requests.Response:
        return self.request("GET", path, token=token, params=params)

    def read(self, path: str, **params: str) -> dict[str, Any]:
        return self._ok(self._patient("GET", path, params=params), f"GET {path}")

    def items(self, path: str, **params: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.read(path, **params)["items"]
        return found

    def patch(self, path: str, change: dict[str, Any]) -> dict[str, Any]:
        return self._ok(self._patient("PATCH", path, change, content_type="application/merge-patch+json"), f"PATCH {path}")

    def replace(self, path: str, obj: dict[str, Any]) -> dict[str, Any]:
        return self._ok(self._patient("PUT", path, obj), f"PUT {path}")

    def delete(self, path: str) -> None:
        response = self.request("DELETE", path, {"propagationPolicy": "Background"})
        if response.status_code != 404:
            self._ok(response, f"DELETE {path}")

    # -- people ----------------------------------------------------------------------------------------------------------------------------------------------
    def person(self, name: str, *groups: str, seconds: float | None = None) -> Person:
        """A new token for someone; `seconds` from now it expires. Several tokens of one name are several sign-ins of one person."""
        return self.webhooks.add(Person(name, f"{name}-{secrets.token_urlsafe(12)}", list(groups), None if seconds is None else time.time() + seconds))

    def service_account(self, namespace: str, name: str, *, seconds: int = 3600) -> Person:
        """A pod's identity: the token is the API server's own, as a Space finds it in its file system."""
        path = f"/api/v1/namespaces/{namespace}/serviceaccounts"
        self.create(path, {"metadata": {"name": name, "namespace": namespace}})
        answer = self._ok(
            self.request(
                "POST",
                f"{path}/{name}/token",
                {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": max(600, seconds)}},
            ),
            "token",
        )
        return Person(f"system:serviceaccount:{namespace}:{name}", answer["status"]["token"])

    def audit(self) -> list[audit.Request]:
        """Every finished request so far that the audit policy keeps: all but the administrator's and the system's own."""
        return audit.read(self.work / "audit.log")

    # -- parts -----------------------------------------------------------------------------------------------------------------------------------------------
    def _kubeconfig(self, name: str, server: str, token: str | None) -> str:
        cluster = {"server": server, **({"certificate-authority": str(self.ca_file)} if server.startswith("https") else {})}
        user = {"name": "u", "user": {"token": token} if token else {}}
        (self.work / name).write_text(
            yaml.safe_dump(
                {
                    "apiVersion": "v1",
                    "kind": "Config",
                    "current-context": "c",
                    "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
                    "clusters": [{"name": "c", "cluster": cluster}],
                    "users": [user],
                }
            )
        )
        return name

    def _api_server(self) -> None:
        w, p, bin_ = self.work, self.ports, self.out / "bin"
        (w / "tokens.csv").write_text(f'{ADMIN},admin,1,"system:masters"\n{SYSTEM},kueue,2,"system:masters"\n')
        audit.write_policy(w / "audit-policy.yaml")
        self._kubeconfig("system.kubeconfig", self.url, SYSTEM)
        peer = f"http://127.0.0.1:{p['peer']}"
        self.servers.start(
            "etcd",
            bin_ / "etcd",
            "--data-dir=etcd",
            "--unsafe-no-fsync",
            f"--listen-client-urls={self.etcd_url}",
            f"--advertise-client-urls={self.etcd_url}",
            f"--listen-peer-urls={peer}",
            f"--initial-advertise-peer-urls={peer}",
            f"--initial-cluster=default={peer}",
        )
        self.servers.start(
            "kube-apiserver",
            bin_ / "kube-apiserver",
            f"--etcd-servers={self.etcd_url}",
            "--bind-address=127.0.0.1",
            "--advertise-address=127.0.0.1",
            f"--secure-port={p['api']}",
            "--tls-cert-file=apiserver/tls.crt",
            "--tls-private-key-file=apiserver/tls.key",
            "--cert-dir=certs",
            "--client-ca-file=ca.crt",
            "--service-account-issuer=https://127.0.0.1",
            "--service-account-signing-key-file=sa.key",
            "--service-account-key-file=sa.key",
            "--token-auth-file=tokens.csv",
            "--service-cluster-ip-range=10.0.0.0/24",
            "--disable-admission-plugins=ServiceAccount",
            "--endpoint-reconciler-type=none",
            "--shutdown-delay-duration=0s",
            # the front proxy lets Kueue's visibility API know who asks
            "--requestheader-client-ca-file=ca.crt",
            "--requestheader-allowed-names=front-proxy",
            "--requestheader-username-headers=X-Remote-User",
            "--requestheader-group-headers=X-Remote-Group",
            "--requestheader-extra-headers-prefix=X-Remote-Extra-",
            "--proxy-client-cert-file=front-proxy/tls.crt",
            "--proxy-client-key-file=front-proxy/tls.key",
            # as on EKS: an authenticator and a second authorizer outside. No cache of ours on top of the server's own
            "--authorization-mode=RBAC,Webhook",
            "--authorization-webhook-version=v1",
            "--authorization-webhook-cache-authorized-ttl=0s",
            "--authorization-webhook-cache-unauthorized-ttl=0s",
            f"--authorization-webhook-config-file={self._kubeconfig('authorizer.kubeconfig', self.webhooks.url + '/access', None)}",
            "--authentication-token-webhook-version=v1",
            "--authentication-token-webhook-cache-ttl=0s",
            f"--authentication-token-webhook-config-file={self._kubeconfig('authenticator.kubeconfig', self.webhooks.url + '/token', None)}",
            "--audit-policy-file=audit-policy.yaml",
            "--audit-log-path=audit.log",
            "--audit-log-mode=blocking",
            *self.api_arguments,
        )
        self.servers.wait(self.ready, "the API server")

    def ready(self) -> bool:
        return self.get("/readyz").status_code == 200

    def reconfigure(self, config: dict[str, Any]) -> None:
        """Starts Kueue again with another configuration: seconds, where a cluster of its own costs ten."""
        self.config = config
        self._write_kueue_config()
        self.servers.restart("kueue")
        self.kueue_up()

    def _write_kueue_config(self) -> None:
        w, p = self.work, self.ports
        # 0.12.10 has its visibility port fixed and wants an in-cluster configuration for it: without, it also stands for a cluster that has no such API
        version: dict[str, Any] = {} if self.legacy else {"visibilityServer": {"bindPort": p["visibility"], "bindAddress": "127.0.0.1"}}
        gates = {**({"VisibilityOnDemand": False} if self.legacy else {}), **self.config.get("featureGates", {})}
        (w / "kueue.yaml").write_text(
            yaml.safe_dump(
                {
                    "apiVersion": f"config.kueue.x-k8s.io/{self.api}",
                    "kind": "Configuration",
                    "health": {"healthProbeBindAddress": f"127.0.0.1:{p['health']}"},
                    "metrics": {"bindAddress": "0"},
                    "webhook": {"host": "127.0.0.1", "port": p["webhook"], "certDir": str(w / "webhook")},
                    "leaderElection": {"leaderElect": False},
                    "internalCertManagement": {"enable": False},
                    "clientConnection": {"qps": 500, "burst": 1000},
                    "integrations": {"frameworks": FRAMEWORKS, "externalFrameworks": EXTERNAL_FRAMEWORKS},
                    **version,
                    **self.config,
                    **({"featureGates": gates} if gates else {}),
                }
            )
        )

    def _kueue(self) -> None:
        self._write_kueue_config()
        self.servers.start(
            "kueue",
            self.out / f"kueue-{self.kueue_version}" / "kueue",
            "--config=kueue.yaml",
            "--kubeconfig=system.kubeconfig",
            "--zap-log-level=2",
            KUBECONFIG=str(self.work / "system.kubeconfig"),
        )
        self.kueue_up()

    def kueue_up(self) -> None:
        """Waits until Kueue answers; its webhook server opens a moment after it calls itself ready."""
        health = f"http://127.0.0.1:{self.ports['health']}/readyz"
        self.servers.wait(lambda: self.http.get(health, timeout=2).status_code == 200 and listening(self.ports["webhook"]), "Kueue")

    def _nodes(self) -> None:
        bin_ = self.out / "bin"
        own = ("--bind-address=127.0.0.1", "--authentication-kubeconfig=system.kubeconfig", "--authorization-kubeconfig=system.kubeconfig")
        (self.work / "scheduler.yaml").write_text(
            yaml.safe_dump(
                {
                    "apiVersion": "kubescheduler.config.k8s.io/v1",
                    "kind": "KubeSchedulerConfiguration",
                    "clientConnection": {"kubeconfig": "system.kubeconfig"},
                    "leaderElection": {"leaderElect": False},
                    # nodes are filled one after another, so that a pod that wants a whole one finds it
                    "profiles": [
                        {
                            "plugins": {"score": {"disabled": [{"name": "NodeResourcesBalancedAllocation"}, {"name": "PodTopologySpread"}]}},
                            "pluginConfig": [
                                {
                                    "name": "NodeResourcesFit",
                                    "args": {
                                        "scoringStrategy": {
                                            "type": "MostAllocated",
                                            "resources": [{"name": "nvidia.com/gpu", "weight": 10}, {"name": "cpu", "weight": 1}],
                                        }
                                    },
                                }
                            ],
                        }
                    ],
                }
            )
        )
        self.servers.start("kube-scheduler", bin_ / "kube-scheduler", "--config=scheduler.yaml", *own, f"--secure-port={free_port()}")
        self.servers.start(
            "kube-controller-manager",
            bin_ / "kube-controller-manager",
            "--kubeconfig=system.kubeconfig",
            "--leader-elect=false",
            *own,
            f"--secure-port={free_port()}",
            f"--controllers={','.join(CONTROLLERS)}",
        )
        documents = [yaml.safe_load(s.read_text()) for s in sorted((self.out / "stages").glob("*.yaml")) if s.stem != "pod-complete"]
        for stage in documents:
            if stage["metadata"]["name"] == "pod-ready":  # a pod whose status a test holds is left alone
                stage["spec"]["selector"]["matchExpressions"].append({"key": f'.metadata.annotations["{HELD}"]', "operator": "DoesNotExist"})
        (self.work / "stages.yaml").write_text(yaml.safe_dump_all(documents))
        self.servers.start(
            "kwok",
            bin_ / "kwok",
            "--kubeconfig=system.kubeconfig",
            "--manage-all-nodes=true",
            "--node-lease-duration-seconds=40",
            f"--server-address=127.0.0.1:{free_port()}",
            "--config=stages.yaml",
        )
