"""A scenario put up, and the command: what is there, what it keeps away from, and that it goes away again."""

from __future__ import annotations

import base64
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import botocore.auth
import botocore.awsrequest
import botocore.credentials
import pytest
import requests

from hpgov_jlab.sandbox.faults import FAULTS, UnknownFault
from hpgov_jlab.sandbox.kubernetes.scenario import Pace
from hpgov_jlab.sandbox.launch import Running, StartError, start
from hpgov_jlab.sandbox.scenario import ScenarioError
from hpgov_jlab.sandbox.scenarios import TITLES
from hpgov_jlab.settings import HpgovSettings

from ..clock import HANGS, wait_until
from . import tiny

ROOT = Path(__file__).resolve().parents[2]

GROUP = "hyperpod-ns-research-namespace-level-group"
SSR = "/apis/authentication.k8s.io/v1/selfsubjectreviews"


@pytest.fixture
def recordings(tmp_path: Path) -> Path:
    """The hand-made recording under the names that scenarios ask for, so that these tests say nothing about what was recorded."""
    folder = tmp_path / "recordings"
    folder.mkdir()
    for name in ("story", "story-0.12", "plain"):
        (folder / f"{name}.json").write_text(json.dumps(tiny.raw()))
    return folder


def eks_token(running: Running, role: str, cluster: str, region: str = "us-west-2") -> str:
    """As aws eks get-token makes it (facts/kubernetes.md 3.5), by botocore's own signer."""
    keys = running.aws.issue(role, "bob")
    request = botocore.awsrequest.AWSRequest(
        "GET", f"https://sts.{region}.amazonaws.com/?Action=GetCallerIdentity&Version=2011-06-15", headers={"x-k8s-aws-id": cluster}
    )
    signer = botocore.auth.SigV4QueryAuth(botocore.credentials.Credentials(keys.key_id, keys.secret, keys.token), "sts", region, expires=60)
    signer.add_auth(request)
    return "k8s-aws-v1." + base64.urlsafe_b64encode(request.url.encode()).decode().rstrip("=")


def ask(running: Running, cluster: str, token: str, path: str, method: str = "GET", body: Any = None) -> requests.Response:
    k8s = running.kubernetes[cluster]
    ca = running.folder / f"{cluster}.pem"
    ca.write_text(k8s.ca_pem)
    with requests.Session() as http:
        http.trust_env = False
        return http.request(method, k8s.url + path, headers={"Authorization": f"Bearer {token}"}, verify=str(ca), json=body, timeout=HANGS)


def who(running: Running, cluster: str, token: str) -> requests.Response:
    return ask(running, cluster, token, SSR, "POST", {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"})


def test_an_access_role_gets_in_by_its_entry_and_others_are_401(recordings: Path) -> None:
    with start("default", recordings=recordings) as running:
        access = next(c.access_role for c in running.scenario.domain.connections if c.name == "research-training")  # type: ignore[union-attr]
        assert access
        token = eks_token(running, access, "ml-research-eks")
        user = who(running, "ml-research-eks", token).json()["status"]["userInfo"]
        assert user["username"] == "arn:aws:sts::444455556666:assumed-role/hp-access-research/bob"
        assert GROUP in user["groups"] and user["groups"][-1] == "system:authenticated"
        workloads = "/apis/kueue.x-k8s.io/v1beta2/namespaces/hyperpod-ns-research/workloads"
        assert ask(running, "ml-research-eks", token, workloads).status_code == 200, "the published manifest is in force"
        assert ask(running, "ml-research-eks", token, workloads.replace("research", "production")).status_code == 403
        assert who(running, "ml-evaluation-eks", token).status_code == 401, "signed for the other cluster"
        stranger = eks_token(running, running.scenario.roles[0].arn, "ml-research-eks")
        assert who(running, "ml-research-eks", stranger).status_code == 401, "no access entry"
        running.faults.set("expired-keys", on="sts:GetCallerIdentity")
        assert who(running, "ml-research-eks", token).status_code == 401
        assert running.faulty() == []


def test_a_space_finds_what_a_pod_finds(recordings: Path) -> None:
    with start("space-no-aws", recordings=recordings) as running:
        folder = Path(running.traits["service_account_folder"])
        account = running.scenario.service_account
        assert account is not None
        assert (folder / "namespace").read_text() == account.namespace
        assert (folder / "token").stat().st_mode & 0o077 == 0
        environment = running.environment({})
        assert f"https://{environment['KUBERNETES_SERVICE_HOST']}:{environment['KUBERNETES_SERVICE_PORT']}" == running.kubernetes[account.cluster].url
        user = who(running, account.cluster, (folder / "token").read_text()).json()["status"]["userInfo"]
        assert user["username"] == f"system:serviceaccount:{account.namespace}:{account.name}"
        assert not Path(running.traits["metadata_file"]).exists(), "a Studio that the sandbox runs in must not be found"
        assert "AWS_CONTAINER_CREDENTIALS_FULL_URI" not in environment


@pytest.mark.parametrize("name", TITLES)
def test_every_scenario_comes_up_and_goes(name: str, recordings: Path) -> None:
    with start(name, recordings=recordings) as running:
        folder = running.folder
        assert (Path(running.traits["metadata_file"]).exists()) is (running.scenario.place in ("unified_studio", "studio"))
        assert set(running.traits) <= set(HpgovSettings.class_traits()), "every setting is one that the product has"
        assert all(url.startswith("http://127.0.0.1:") for url in running.traits["endpoint_overrides"].values())
        urls = [running.aws.url, *(k.url for k in running.kubernetes.values())]
        assert running.faulty() == []
    assert not folder.exists()
    for url in urls:
        with socket.socket() as s:
            assert s.connect_ex(("127.0.0.1", int(url.rsplit(":", 1)[1]))) != 0, f"{url} still listens"


def test_the_persons_own_variables_stay_out(recordings: Path) -> None:
    own = {
        "AWS_PROFILE": "mine", "AWS_ACCESS_KEY_ID": "AKIAMINE", "AWS_ENDPOINT_URL": "https://x", "KUBECONFIG": "/mine",
        "KUBERNETES_SERVICE_HOST": "10.0.0.1",
        "RESOURCE_METADATA_FILE": "/mine", "DataZoneProjectId": "mine", "JUPYTER_CONFIG_DIR": "/mine", "JUPYTERLAB_DIR": "/mine", "HTTPS_PROXY": "http://mine",
        "HOME": "/mine",
        "REQUESTS_CA_BUNDLE": "/mine", "SSLKEYLOGFILE": "/mine", "REGION_NAME": "mine",
    }  # fmt: skip
    with start("default", recordings=recordings) as running:
        made = running.environment({**own, "PATH": "/bin", "LANG": "C"})
        assert "mine" not in json.dumps(made) and (made["PATH"], made["LANG"]) == ("/bin", "C")
        assert made["AWS_CONTAINER_CREDENTIALS_FULL_URI"].startswith("http://127.0.0.1:")


def test_one_switchboard_serves_both_far_ends(recordings: Path) -> None:
    with start("default", ["k8s-denied", "throttle=1"], recordings=recordings) as running:
        assert {f.name for f in running.faults.active()} == {"k8s-denied", "throttle"}
        assert running.aws.faults is running.kubernetes["ml-research-eks"].faults
    with pytest.raises(UnknownFault):
        start("default", ["no-such-fault"], recordings=recordings)
    with pytest.raises(ScenarioError, match="space-no-aws"):
        start("no-such-scenario", recordings=recordings)


def test_a_scenario_without_its_recording_says_which(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(StartError, match="there is no recording story"):
        start("default", recordings=tmp_path)
    assert list(tmp_path.iterdir()) == [], "nothing is left of a sandbox that did not start"


def test_the_story_can_be_stopped_at_a_frame(recordings: Path) -> None:
    with start("default", pace=Pace(frame="w4 is deleted"), recordings=recordings) as running:
        assert running.kubernetes["ml-research-eks"].replay.snapshot().say == "w4 is deleted"
    with pytest.raises(StartError, match="no frame says"):
        start("default", pace=Pace(frame="never said"), recordings=recordings)


# -- JupyterLab ------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The person's home: it stays as it is."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    yield folder
    assert list(folder.rglob("*")) == []


def test_jupyterlab_is_guarded_and_of_its_own(recordings: Path, home: Path) -> None:
    with start("default", recordings=recordings) as running, running.jupyter() as lab:
        base = f"http://127.0.0.1:{lab.port}"
        with requests.Session() as http:
            http.trust_env = False
            assert http.get(f"{base}/api/contents", timeout=HANGS).status_code == 403, "no token"
            page = http.get(lab.url, timeout=HANGS)
            assert page.status_code == 200 and "JupyterLab" in page.text
            body = {"type": "directory"}
            assert http.post(f"{base}/api/contents", json=body, timeout=HANGS).status_code == 403, "the cookie alone, without XSRF"
            assert http.post(f"{base}/api/contents", json=body, headers={"X-XSRFToken": http.cookies["_xsrf"]}, timeout=HANGS).status_code == 201
            settings = http.get(f"{base}/lab/api/settings/@jupyterlab/apputils-extension:notification", timeout=HANGS).json()["settings"]
            assert settings["fetchNews"] == "false"
            layout = http.get(f"{base}/lab/api/workspaces/default", timeout=HANGS).json()["data"]["layout-restorer:data"]
            assert layout["left"]["current"] == "hpgov-jlab:panel"
        assert lab.token not in Path(f"/proc/{lab.process.pid}/cmdline").read_text()
        with socket.socket() as s:
            s.bind(("127.0.0.2", lab.port))  # fails if it listened on every address
    assert lab.process.returncode is not None and not running.folder.exists()


def test_a_taken_port_is_named(recordings: Path) -> None:
    with socket.socket() as s, start("default", recordings=recordings) as running:
        s.bind(("127.0.0.1", 0))
        s.listen()
        with pytest.raises(StartError, match=r"port \d+ on 127.0.0.1 is taken"):
            running.jupyter(port=s.getsockname()[1])


def test_a_port_that_is_taken_while_jupyterlab_starts_is_not_missed(recordings: Path, home: Path) -> None:
    """Where any port will do: it was free when it was chosen, and is another's by the time the server listens."""
    with socket.socket() as s, start("default", recordings=recordings) as running:
        s.bind(("127.0.0.1", 0))
        s.listen()
        with running.jupyter(extra={"ServerApp": {"port": s.getsockname()[1]}}) as lab, requests.Session() as http:
            http.trust_env = False
            assert lab.port != s.getsockname()[1]
            assert http.get(lab.url, timeout=HANGS).status_code == 200


def test_a_jupyterlab_that_does_not_start_says_why(recordings: Path, home: Path) -> None:
    with start("default", recordings=recordings) as running, pytest.raises(StartError, match="did not come up"):
        running.jupyter(extra={"ServerApp": {"root_dir": str(running.folder / "not-there")}})


# -- the command -----------------------------------------------------------------------------------------------------------------


def command(*args: str, python: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *python, "-m", "hpgov_jlab.cli", "sandbox", *args], capture_output=True, text=True, timeout=120, cwd=ROOT)


@pytest.mark.parametrize("python", [(), ("-S",)], ids=["set up", "before the set-up: no package is installed"])
def test_list_names_everything(python: tuple[str, ...]) -> None:
    said = command("--list", python=python)
    assert said.returncode == 0
    for name in [*TITLES, *FAULTS]:
        assert f"  {name} " in said.stdout


@pytest.mark.parametrize(
    ("args", "code", "text"),
    [(["--scenario", "nope"], 1, "there is no scenario named 'nope'; there are default, "), (["--fault", "nope"], 1, "there is no fault named 'nope'"),
     (["--port", "70000"], 2, "a port is a number from 0 to 65535, not '70000'"), (["--port", "abc"], 2, "from 0 to 65535, not 'abc'"),
     (["--speed", "0"], 2, "a speed is a number above 0, at most 1000"), (["--speed", "fast"], 2, "not 'fast'"),
     (["--frame", "never said"], 1, "no frame says 'never said'")],
)  # fmt: skip
def test_wrong_arguments_are_explained(args: list[str], code: int, text: str) -> None:
    said = command("--no-browser", *args)
    assert said.returncode == code and text in said.stderr and "Traceback" not in said.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_the_command_from_start_to_end(number: signal.Signals, home: Path, tmp_path: Path) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    environment = {**os.environ, "TMPDIR": str(temporary), "JUPYTER_TOKEN": "a-token-of-the-test"}
    process = subprocess.Popen(
        [sys.executable, "-m", "hpgov_jlab.cli", "sandbox", "--no-browser"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
    )
    assert process.stdout is not None and process.stderr is not None
    said = []
    for line in process.stdout:
        said.append(line)
        if "ml-research-eks: " in line:
            break
    assert said and "Two teams share six nodes" in said[-1], "the story begins in the terminal when there is someone to read it"
    url = next((line.split()[1] for line in said if line.startswith("Open")), None)
    assert url and url.endswith("/lab?token=a-token-of-the-test"), process.stderr.read()
    with requests.Session() as http:
        http.trust_env = False
        assert http.get(url, timeout=HANGS).status_code == 200
    process.send_signal(number)
    rest, errors = process.communicate(timeout=HANGS)
    port = int(url.split(":")[2].split("/")[0])
    if number == signal.SIGKILL:
        wait_until(lambda: not _listens(port), "JupyterLab ends with the sandbox that started it")
    else:
        assert (process.returncode, errors) == (0, "") and rest.endswith("\nSandbox ended; its folder is removed.\n")
        assert list(temporary.glob("hpgov-sandbox-*")) == []
    assert not _listens(port), "JupyterLab outlived the sandbox"


def _listens(port: int) -> bool:
    with socket.socket() as s:
        return s.connect_ex(("127.0.0.1", port)) == 0
