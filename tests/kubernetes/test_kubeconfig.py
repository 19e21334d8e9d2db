"""S11: a kubeconfig is parsed by us, and what would run, impersonate or weaken is refused by name. And the pod's own service account."""

from __future__ import annotations

import base64
import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from hpgov_jlab.model.outcome import Failure, State
from hpgov_jlab.sources.kubernetes.kubeconfig import REFUSED_CLUSTER, REFUSED_USER, in_cluster, read_kubeconfig

from .far_end import Certificates


@pytest.fixture
def written(tmp_path: Path, trusted: Certificates) -> Any:
    def write(
        user: dict[str, Any] | None = None, cluster: dict[str, Any] | None = None, context: dict[str, Any] | None = None, text: str | None = None
    ) -> Path:
        ca = base64.b64encode(trusted.ca_pem.encode()).decode()
        document = {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "one",
            "contexts": [{"name": "one", "context": {"cluster": "c", "user": "u", "namespace": "team-a", **(context or {})}}],
            "clusters": [{"name": "c", "cluster": {"server": "https://127.0.0.1:6443", "certificate-authority-data": ca, **(cluster or {})}}],
            "users": [{"name": "u", "user": {"token": "TOKEN-MARKER"} if user is None else user}, {"name": "other", "user": {"exec": {"command": "touch"}}}],
        }
        path = tmp_path / "config"
        path.write_text(yaml.safe_dump(document) if text is None else text)
        return path

    return write


def refused(path: Path, context: str = "") -> Failure:
    with pytest.raises(Failure) as raised:
        read_kubeconfig(path, context)
    assert "TOKEN-MARKER" not in repr(raised.value.params)
    return raised.value


def test_a_context_with_a_server_a_ca_and_a_token(written: Any, trusted: Certificates) -> None:
    access = read_kubeconfig(written())
    reach = access.reach()
    assert (reach.endpoint, reach.ca_pem, reach.token, access.namespace, access.name) == (
        "https://127.0.0.1:6443",
        trusted.ca_pem,
        "TOKEN-MARKER",
        "team-a",
        "one",
    )
    assert "TOKEN-MARKER" not in repr(access) + repr(reach)


RUNS_OR_ACTS_AS = ("exec", "auth-provider", "as", "as-uid", "as-groups", "as-user-extra")
NO_TOKEN = ("username", "password", "client-certificate", "client-certificate-data", "client-key", "client-key-data")


def test_the_refused_keys() -> None:
    assert (REFUSED_USER, REFUSED_CLUSTER) == (RUNS_OR_ACTS_AS + NO_TOKEN, ("insecure-skip-tls-verify", "proxy-url", "tls-server-name"))


@pytest.mark.parametrize("key", RUNS_OR_ACTS_AS + NO_TOKEN)
def test_keys_of_a_user_that_are_refused_by_name(written: Any, key: str, tmp_path: Path) -> None:
    value: Any = {"command": "touch", "args": [str(tmp_path / "ran")]} if key in ("exec", "auth-provider") else "x"
    failure = refused(written(user={"token": "TOKEN-MARKER", key: value}))
    assert (failure.state, failure.code, failure.params["key"]) == (State.INVALID, "k8s_kubeconfig_refused", key)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("key", REFUSED_CLUSTER)
def test_keys_of_a_cluster_that_are_refused_by_name(written: Any, key: str) -> None:
    failure = refused(written(cluster={key: True if key.startswith("insecure") else "http://x"}))
    assert (failure.code, failure.params["key"]) == ("k8s_kubeconfig_refused", key)


def test_tls_verification_that_is_switched_on_explicitly_is_no_refusal(written: Any) -> None:
    assert read_kubeconfig(written(cluster={"insecure-skip-tls-verify": False})).name == "one"


def test_without_a_token_or_a_ca(written: Any) -> None:
    assert refused(written(user={})).code == "k8s_kubeconfig_no_token"
    assert refused(written(cluster={"certificate-authority-data": ""})).code == "k8s_bad_ca"
    assert refused(written(cluster={"certificate-authority-data": "%%%"})).code == "k8s_bad_ca"


@pytest.mark.parametrize("server", ["http://127.0.0.1", "https://a@b", 7, ""])
def test_servers(written: Any, server: Any) -> None:
    assert refused(written(cluster={"server": server})).code == "k8s_bad_endpoint"


def test_no_such_context(written: Any) -> None:
    failure = refused(written(), "two")
    assert (failure.state, failure.code) == (State.NOT_CONFIGURED, "k8s_kubeconfig_no_entry")
    assert refused(written(context={"user": "missing"})).params["section"] == "users"


@pytest.mark.parametrize("text", ["a: [", "- a\n", "", "a: &x [*x]\n", "a: 1\na: 2\n", "!!python/object/apply:os.system ['true']\n", "a: 1\n---\nb: 2\n"])
def test_hostile_documents(written: Any, text: str) -> None:
    assert refused(written(text=text)).code in ("k8s_kubeconfig_malformed", "k8s_kubeconfig_no_entry")


def test_files_that_are_none(tmp_path: Path) -> None:
    assert refused(tmp_path / "missing").state is State.NOT_CONFIGURED
    os.mkfifo(tmp_path / "fifo")
    assert refused(tmp_path / "fifo").code == "k8s_kubeconfig_unreadable"
    assert refused(tmp_path).code == "k8s_kubeconfig_unreadable"
    (tmp_path / "huge").write_bytes(b"#" * 300_000)
    assert refused(tmp_path / "huge").code == "k8s_kubeconfig_unreadable"


def test_a_token_file_is_read_anew(written: Any, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("first\n")
    access = read_kubeconfig(written(user={"tokenFile": "token"}))
    assert access.reach().token == "first"
    (tmp_path / "token").write_text("second\n")
    assert access.reach().token == "second"
    (tmp_path / "token").write_text("bad\nHeader: x")
    with pytest.raises(Failure) as raised:
        access.reach()
    assert raised.value.code == "k8s_token_file"


def test_the_pods_service_account(tmp_path: Path, trusted: Certificates) -> None:
    (tmp_path / "token").write_text("one")
    (tmp_path / "ca.crt").write_text(trusted.ca_pem)
    (tmp_path / "namespace").write_text("hyperpod-ns-a")
    access = in_cluster({"KUBERNETES_SERVICE_HOST": "10.0.0.1", "KUBERNETES_SERVICE_PORT": "443"}, tmp_path)
    assert (access.endpoint, access.namespace, access.reach().token, access.reach().ca_pem) == ("https://10.0.0.1:443", "hyperpod-ns-a", "one", trusted.ca_pem)
    (tmp_path / "token").write_text("two")
    assert access.reach().token == "two"
    assert in_cluster({"KUBERNETES_SERVICE_HOST": "fd00::1"}, tmp_path).endpoint == "https://[fd00::1]:443"


def test_outside_a_pod(tmp_path: Path) -> None:
    for environ in ({}, {"KUBERNETES_SERVICE_HOST": "10.0.0.1"}):
        with pytest.raises(Failure) as raised:
            in_cluster(environ, tmp_path)
        assert (raised.value.state, raised.value.code) == (State.NOT_CONFIGURED, "k8s_no_service_account")
