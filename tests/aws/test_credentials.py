"""Where keys come from, and that they renew themselves for days (facts/aws.md 4.2; DESIGN.md 14, S8).

Longer than 400 lines: one table of cases, and whoever adds one has to see the others.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import stat
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import botocore.auth
import botocore.credentials
import pytest

from hpgov_jlab.model.connection import Place, PlaceKind
from hpgov_jlab.model.outcome import Failure, State
from hpgov_jlab.reads import Deadline
from hpgov_jlab.sandbox.aws.far_end import AwsFarEnd
from hpgov_jlab.sandbox.scenario import Role, Scenario, Session, WebIdentity
from hpgov_jlab.sources.aws import datazone, hyperpod, sts
from hpgov_jlab.sources.aws.credentials import Keys, Renewing
from hpgov_jlab.sources.aws.guard import Refused
from hpgov_jlab.sources.aws.session import AwsSessions, AwsSettings

from ..clock import HANGS
from .network import Network
from .world import Parrot, Said, ask, failed, keys_or, settings, world

POD_ROLE = "arn:aws:iam::111122223333:role/pod"
TOKEN = WebIdentity(
    token="an.invented.token", provider="arn:aws:iam::111122223333:oidc-provider/oidc.example/id", subject="system:serviceaccount:a:b", role=POD_ROLE
)
POD = Place(PlaceKind.POD, "place_by_service_account", region="us-west-2")
ELSEWHERE = Place(PlaceKind.ELSEWHERE, "place_by_absence", region="us-west-2")


def pod_scenario(**more: Any) -> Scenario:
    subject = {"oidc.example/id:sub": TOKEN.subject, "oidc.example/id:aud": "sts.amazonaws.com"}
    trust = {"Effect": "Allow", "Principal": {"Federated": TOKEN.provider}, "Action": "sts:AssumeRoleWithWebIdentity", "Condition": {"StringEquals": subject}}
    given: dict[str, Any] = {"web_identity": TOKEN, "session": Session(role=POD_ROLE, name="pod"), "roles": (Role(arn=POD_ROLE, trust=(trust,)),)}
    return Scenario(name="pod", title="a pod", place="elsewhere", region="us-west-2", **(given | more))


class Clock:
    """A clock for the product, the far end and botocore's signatures alike, which stands still unless the test shifts it: no key ends by itself."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.shift, self._began = 0.0, time.time()
        monkeypatch.setattr(botocore.auth, "get_current_datetime", self.signing)

    def __call__(self) -> float:
        return self._began + self.shift

    def signing(self, remove_tzinfo: bool = True) -> datetime.datetime:
        now = datetime.datetime.fromtimestamp(self(), datetime.UTC)
        return now.replace(tzinfo=None) if remove_tzinfo else now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_keys_renew_themselves_for_days(tmp_path: Path, clock: Clock) -> None:
    """Three days in steps of twenty minutes: the container's keys live six hours, a role's session one."""
    with world(tmp_path, clock=clock, far_clock=clock) as made:
        connection = made.connection()
        session = made.sessions.for_connection(connection, made.place)
        read = hyperpod.describe(session, connection)
        steps = 3 * 24 * 3
        for _ in range(steps):
            assert ask(read).status == "InService"
            clock.shift += 20 * 60
        assert {e.status for e in made.far.log} == {200}
        assert 72 <= len(made.far.calls("AssumeRole")) <= steps / 2  # an hour each, renewed before its end, never for every call
        assert made.far.credentials is not None
        assert 12 <= made.far.credentials.fetches <= 20


def test_keys_that_live_seconds_renew(tmp_path: Path, clock: Clock) -> None:
    with world(tmp_path, clock=clock, far_clock=clock) as made:
        made.far.faults.set("container-lifetime", value=2)
        made.far.faults.set("role-lifetime", value=2)
        connection = made.connection()
        session = made.sessions.for_connection(connection, made.place)
        calls = 50
        for _ in range(calls):
            assert ask(hyperpod.describe(session, connection)).status == "InService"
            clock.shift += 0.1
        assert {e.status for e in made.far.log} == {200}
        assumed = len(made.far.calls("AssumeRole"))
        assert 2 <= assumed <= calls / 3  # botocore would have fetched for every call


def test_a_first_use_by_many_threads_fetches_once(tmp_path: Path) -> None:
    with world(tmp_path) as made:
        results: list[Any] = []
        threads = [threading.Thread(target=lambda: results.append(ask(datazone.connections(made.home, made.place)))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(HANGS)
        assert len(results) == 8
        assert made.far.credentials is not None
        assert made.far.credentials.fetches == 1
        assert made.far.calls("GetCallerIdentity") == ["sts:GetCallerIdentity"]


def test_an_endpoint_out_of_order_delays_nothing_while_the_keys_are_good(tmp_path: Path, clock: Clock) -> None:
    with world(tmp_path, clock=clock, far_clock=clock) as made:
        read = datazone.connections(made.home, made.place)
        ask(read)
        made.far.faults.set("container-refuses")
        clock.shift = 6 * 3600 - 600  # ten minutes before the end: time to renew
        started = time.monotonic()
        for _ in range(20):
            assert len(ask(read)) == 3
        assert time.monotonic() - started < 30.0  # botocore: 3 s for each of the twenty
        assert made.far.credentials is not None
        assert made.far.credentials.fetches == 2  # the first one and one try: no time has passed in which another would be due
        clock.shift = 6 * 3600 + 10
        assert (failed(read).state, failed(read).code) == (State.EXPIRED, "credentials_not_renewed")
        made.far.faults.clear()
        clock.shift += 10
        assert len(ask(read)) == 3


def test_a_hanging_sts_holds_up_one_call_for_two_seconds_while_the_keys_are_good(tmp_path: Path, clock: Clock) -> None:
    with world(tmp_path, clock=clock, far_clock=clock) as made:
        connection = made.connection()
        read = hyperpod.describe(made.sessions.for_connection(connection, made.place), connection)
        ask(read)
        made.far.faults.set("slow", value=30, on="sts:AssumeRole")
        clock.shift = 3600 - 600
        started = time.monotonic()
        for _ in range(10):
            assert ask(read).status == "InService"
        assert time.monotonic() - started < 15.0  # two seconds once, on a slow machine; for each of the ten they would be twenty
        assert len(made.far.calls("AssumeRole")) <= 2, "of the ten one tried"


def test_nothing_of_the_credential_endpoints_answer_is_told(tmp_path: Path) -> None:
    with world(tmp_path) as made:
        made.far.faults.set("container-refuses")
        failure = failed(sts.identity(made.home))
        assert (failure.state, failure.code) == (State.EXPIRED, "credentials_not_renewed")
        assert not any(s in f"{failure!r}{failure.params}{failure.__cause__!r}{failure.__context__!r}" for s in made.far.secrets())


def test_keys_that_are_over_when_they_come(tmp_path: Path, clock: Clock) -> None:
    with world(tmp_path, "expired-credentials", clock=clock, far_clock=clock) as made:
        failure = failed(sts.identity(made.home))
        assert (failure.state, failure.code) == (State.EXPIRED, "credentials_already_expired")
        failed(sts.identity(made.home))
        assert made.far.credentials is not None
        assert made.far.credentials.fetches == 1  # repeated for a few seconds, not asked for again by every read of one refresh


def test_managed_places_ignore_keys_in_the_environment_and_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user's .env or profile would otherwise win over the container's role in silence."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "AKIASOMEONEELSE")
    file = tmp_path / "credentials"
    file.write_text("[default]\naws_access_key_id = AKIAFILE\naws_secret_access_key = x\n")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(file))
    monkeypatch.setenv("AWS_PROFILE", "nowhere")  # which would be an error wherever it is looked at
    with world(tmp_path) as made:
        assert ask(sts.identity(made.home)).method == "container-role"


def test_managed_places_never_ask_the_instances_metadata(monkeypatch: pytest.MonkeyPatch) -> None:
    with Parrot(Said(200, b"i-0")) as parrot:
        monkeypatch.delenv("AWS_EC2_METADATA_DISABLED")
        monkeypatch.setenv("AWS_EC2_METADATA_SERVICE_ENDPOINT", parrot.url)
        for kind in PlaceKind:
            sessions = AwsSessions(AwsSettings(), environ={})
            failure = failed(sts.identity(sessions.for_place(Place(kind, "place_by_trait", region="us-west-2"))))
            assert (failure.state, failure.code) == (State.NOT_CONFIGURED, "no_credentials")
            sessions.close()
        assert parrot.heard == []


@pytest.mark.parametrize(
    "url",
    [
        "http://10.0.0.7/creds",
        "https://creds.example.com/x",
        "ftp://127.0.0.1/x",
        "http://169.254.169.254/latest",
        "http://[::ffff:10.0.0.7]/x",
        "http://x@y:z/",
    ],
)
def test_a_credential_endpoint_that_no_platform_has_is_not_asked(url: str) -> None:
    sessions = AwsSessions(AwsSettings(), environ={"AWS_CONTAINER_CREDENTIALS_FULL_URI": url})
    failure = failed(sts.identity(sessions.for_place(POD)))
    assert (failure.state, failure.code) == (State.NOT_CONFIGURED, "credential_endpoint_not_allowed")


def test_the_sandbox_takes_keys_from_loopback_only() -> None:
    for environ in ({"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/v2/real"}, {"AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://169.254.170.23/v1/credentials"}):
        sessions = AwsSessions(settings("http://127.0.0.1:9"), environ=environ)
        assert failed(sts.identity(sessions.for_place(POD))).code == "credential_endpoint_not_allowed"
    for environ in ({"AWS_ACCESS_KEY_ID": "AKIAREAL", "AWS_SECRET_ACCESS_KEY": "x"}, {"AWS_WEB_IDENTITY_TOKEN_FILE": "/x", "AWS_ROLE_ARN": POD_ROLE}):
        sessions = AwsSessions(AwsSettings(sandbox=True, profile="real", endpoints=settings("http://127.0.0.1:9").endpoints), environ=environ)
        assert failed(sts.identity(sessions.for_place(ELSEWHERE))).code == "no_credentials"


def test_a_pods_token_file_is_read_anew_and_may_end_in_a_newline(tmp_path: Path) -> None:
    with AwsFarEnd(pod_scenario()) as far:
        assert far.credentials is not None
        file = tmp_path / "token"
        file.write_text("not yet\n")
        environ = {"AWS_CONTAINER_CREDENTIALS_FULL_URI": far.credentials.url, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": str(file)}
        now = [time.time()]
        sessions = AwsSessions(settings(far.url), environ=environ, clock=lambda: now[0])
        read = sts.identity(sessions.for_place(POD))
        assert failed(read).code == "credentials_not_renewed"
        file.write_text(far.credentials.authorization + "\n")
        now[0] += 6
        assert ask(read).arn == "arn:aws:sts::111122223333:assumed-role/pod/pod"
        file.unlink()
        fresh = AwsSessions(settings(far.url), environ=environ)
        assert failed(sts.identity(fresh.for_place(POD))).code == "token_file_unreadable"
        sessions.close()
        fresh.close()


def test_web_identity_goes_through_the_guard_and_without_a_signature(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pod with a service account's token (IRSA), against STS's true host."""
    file = tmp_path / "jwt"
    file.write_text(TOKEN.token + "\n")
    with AwsFarEnd(pod_scenario()) as far, Network(tmp_path, far.url) as network:
        monkeypatch.setenv("HTTPS_PROXY", network.url)
        sessions = AwsSessions(AwsSettings(ca_bundle=network.ca), environ={"AWS_WEB_IDENTITY_TOKEN_FILE": str(file), "AWS_ROLE_ARN": POD_ROLE})
        identity = ask(sts.identity(sessions.for_place(POD)))
        assert (identity.method, identity.arn.rpartition("/")[0]) == ("assume-role-with-web-identity", "arn:aws:sts::111122223333:assumed-role/pod")
        assert far.calls() == ["sts:AssumeRoleWithWebIdentity", "sts:GetCallerIdentity"]
        assert far.log[0].caller is None
        assert set(network.hosts) == {"sts.us-west-2.amazonaws.com"}
        sessions.close()


@pytest.mark.parametrize(("token", "expired", "code"), [("another", False, "web_identity_refused"), (TOKEN.token, True, "credentials_expired")])
def test_a_web_identity_that_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, token: str, expired: bool, code: str) -> None:
    file = tmp_path / "jwt"
    file.write_text(token)
    with AwsFarEnd(pod_scenario(web_identity=replace(TOKEN, expired=expired))) as far, Network(tmp_path, far.url) as network:
        monkeypatch.setenv("HTTPS_PROXY", network.url)
        sessions = AwsSessions(AwsSettings(ca_bundle=network.ca), environ={"AWS_WEB_IDENTITY_TOKEN_FILE": str(file), "AWS_ROLE_ARN": POD_ROLE})
        assert failed(sts.identity(sessions.for_place(POD))).code == code
        sessions.close()


def write_profile(path: Path, far: AwsFarEnd, *, seconds: float = 3600, role: str = POD_ROLE) -> str:
    """A credentials file with fresh keys of a role, as a login tool would rewrite it."""
    keys = far.issue(role, "me", seconds=seconds)
    path.write_text(f"[work]\naws_access_key_id = {keys.key_id}\naws_secret_access_key = {keys.secret}\naws_session_token = {keys.token}\n")
    return keys.key_id


LAPTOP_ROLES = (
    Role(arn=POD_ROLE, policies=({"Effect": "Allow", "Action": "sts:AssumeRole", "Resource": f"{POD_ROLE}2"},)),
    Role(arn=f"{POD_ROLE}2", trust=({"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"AWS": POD_ROLE}},)),
)


@pytest.fixture
def laptop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock) -> Iterator[tuple[AwsFarEnd, Callable[..., AwsSessions], Path]]:
    """A machine elsewhere with a credentials file, whose network ends at a far end."""
    file = tmp_path / "credentials"
    with AwsFarEnd(pod_scenario(roles=LAPTOP_ROLES), clock=clock) as far, Network(tmp_path, far.url) as network:
        monkeypatch.setenv("HTTPS_PROXY", network.url)
        monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(file))
        monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
        made: list[AwsSessions] = []

        def sessions(environ: dict[str, str] | None = None, **traits: Any) -> AwsSessions:
            made.append(AwsSessions(AwsSettings(ca_bundle=network.ca, **traits), environ=environ or {}, clock=clock))
            return made[-1]

        yield far, sessions, file
        for each in made:
            each.close()


Laptop = tuple[AwsFarEnd, "Callable[..., AwsSessions]", Path]


def test_a_profile_is_read_by_trait_only(laptop: Laptop) -> None:
    far, sessions, file = laptop
    write_profile(file, far)
    identity = ask(sts.identity(sessions(profile="work").for_place(ELSEWHERE)))
    assert (identity.method, identity.arn, identity.expected) == ("shared-credentials-file", "arn:aws:sts::111122223333:assumed-role/pod/me", None)
    assert failed(sts.identity(sessions().for_place(ELSEWHERE))).code == "no_credentials"
    assert failed(sts.identity(sessions(profile="work").for_place(POD))).code == "no_credentials"  # the trait counts elsewhere only
    assert failed(sts.identity(sessions(profile="absent").for_place(ELSEWHERE))).code == "profile_not_found"


def test_keys_in_the_environment_count_elsewhere_only(laptop: Laptop) -> None:
    far, sessions, _ = laptop
    keys = far.issue(POD_ROLE, "me")
    environ = {"AWS_ACCESS_KEY_ID": keys.key_id, "AWS_SECRET_ACCESS_KEY": keys.secret, "AWS_SESSION_TOKEN": keys.token}
    assert ask(sts.identity(sessions(environ).for_place(ELSEWHERE))).method == "env"
    assert failed(sts.identity(sessions(environ).for_place(POD))).code == "no_credentials"


def test_rewritten_file_keys_are_picked_up_once_and_then_it_is_told(laptop: Laptop, clock: Clock) -> None:
    """The same session keeps the old keys for ever otherwise (facts/aws.md 4.2)."""
    far, sessions, file = laptop
    write_profile(file, far, seconds=100)
    session = sessions(profile="work").for_place(ELSEWHERE)
    read = sts.identity(session)
    ask(read)
    clock.shift += 101
    assert (failed(read).state, failed(read).code) == (State.EXPIRED, "credentials_expired")
    write_profile(file, far)
    assert ask(read).expected is True
    statuses = [e.status for e in far.log]
    assert statuses == [200, 403, 403, 403, 200]  # an unchanged file is not worth a second try, a new one is


def test_another_identity_after_that_is_not_used(laptop: Laptop, clock: Clock) -> None:
    far, sessions, file = laptop
    write_profile(file, far, seconds=100)
    session = sessions(profile="work").for_place(ELSEWHERE)
    ask(sts.identity(session))
    clock.shift += 101
    write_profile(file, far, role=POD_ROLE + "2")
    with pytest.raises(Failure) as caught:
        session.call("sagemaker", "DescribeCluster", {"ClusterName": "ml"}, Deadline(20))
    assert (caught.value.state, caught.value.code) == (State.NOT_CONFIGURED, "unexpected_identity")
    assert {e.operation for e in far.log} == {"GetCallerIdentity", "DescribeCluster"}
    assert [e.code for e in far.log if e.operation == "DescribeCluster"] == ["ExpiredTokenException"]  # with the old keys, never with the other role's
    identity = ask(sts.identity(session))
    assert identity.expected is False
    assert identity.note is not None


def test_a_process_runs_by_trait_only_and_also_behind_another_profile(laptop: Laptop, tmp_path: Path) -> None:
    far, sessions, _ = laptop
    keys = far.issue(POD_ROLE, "process")
    answer = {"Version": 1, "AccessKeyId": keys.key_id, "SecretAccessKey": keys.secret, "SessionToken": keys.token}
    script, ran = tmp_path / "give-keys", tmp_path / "ran"
    script.write_text(f"#!/bin/sh\ntouch {ran}\ncat <<'END'\n{json.dumps(answer)}\nEND\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    (tmp_path / "config").write_text(f"[profile runs]\ncredential_process = {script}\n[profile leads]\nrole_arn = {POD_ROLE}\nsource_profile = runs\n")
    for profile in ("runs", "leads"):
        assert failed(sts.identity(sessions(profile=profile).for_place(ELSEWHERE))).code == "process_not_allowed"
    assert not ran.exists()
    assert ask(sts.identity(sessions(profile="runs", allow_process=True).for_place(ELSEWHERE))).method == "custom-process"
    assert ran.exists()


def test_a_profile_with_a_role_is_assumed_on_a_session_of_its_own(laptop: Laptop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    far, sessions, file = laptop
    monkeypatch.setenv("AWS_CA_BUNDLE", str(tmp_path / "ca.pem"))
    write_profile(file, far)
    (tmp_path / "config").write_text(f"[profile leads]\nrole_arn = {POD_ROLE}2\nsource_profile = work\nregion = us-west-2\n")
    session = sessions(profile="leads").for_place(ELSEWHERE)
    identity = ask(sts.identity(session))
    assert (identity.method, identity.arn.rpartition("/")[0]) == ("assume-role", "arn:aws:sts::111122223333:assumed-role/pod2")
    assert far.calls() == ["sts:AssumeRole", "sts:GetCallerIdentity"]
    with pytest.raises(Failure) as caught:  # the session that reads has the guard of a reader: AssumeRole without a session policy is not its call
        session.call("sts", "AssumeRole", {"RoleArn": POD_ROLE, "RoleSessionName": "x"}, Deadline(20))
    assert caught.value.code == "guard_refused"


def test_a_profile_with_an_sso_login(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = "https://example.awsapps.com/start"
    monkeypatch.setattr(botocore.credentials.SSOProvider, "_SSO_TOKEN_CACHE_DIR", str(tmp_path / "cache"))  # botocore looks at HOME when it is imported
    cache = tmp_path / "cache" / f"{hashlib.sha1(url.encode()).hexdigest()}.json"
    (tmp_path / "config").write_text(
        f"[profile sso]\nsso_start_url = {url}\nsso_region = us-west-2\nsso_account_id = 111122223333\nsso_role_name = Researcher\n"
    )
    keys = {"accessKeyId": "ASIAX", "secretAccessKey": "s", "sessionToken": "t", "expiration": int((time.time() + 3600) * 1000)}

    def say(target: str, body: bytes) -> Said:
        if target.startswith("/federation/credentials"):
            return Said(200, json.dumps({"roleCredentials": keys}).encode(), "application/json")
        return keys_or(Said(500))(target, body)

    with Parrot(say) as parrot, Network(tmp_path, parrot.url) as network:
        for name, value in {
            "HOME": str(tmp_path),
            "AWS_CONFIG_FILE": str(tmp_path / "config"),
            "HTTPS_PROXY": network.url,
            "AWS_CA_BUNDLE": network.ca,
        }.items():
            monkeypatch.setenv(name, value)
        sessions = AwsSessions(AwsSettings(profile="sso", ca_bundle=network.ca), environ={})
        read = sts.identity(sessions.for_place(ELSEWHERE))
        assert (failed(read).state, failed(read).code) == (State.EXPIRED, "sso_login_over")
        cache.parent.mkdir(parents=True)
        cache.write_text(json.dumps({"accessToken": "sso-secret-token", "expiresAt": "2099-01-01T00:00:00Z"}))
        assert ask(read).method == "sso"
        assert network.hosts == ["portal.sso.us-west-2.amazonaws.com", "sts.us-west-2.amazonaws.com"]
        sessions.close()


def test_the_session_that_fetches_keys_calls_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    (tmp_path / "config").write_text("[profile work]\nregion = us-west-2\n")
    lender = AwsSessions(AwsSettings())._lender("work")
    client = lender.create_client("sagemaker", region_name="us-west-2", aws_access_key_id="x", aws_secret_access_key="x", endpoint_url="http://127.0.0.1:9")
    with pytest.raises(Refused):
        client.list_clusters()


# -- the keys themselves, without a network -----------------------------------------------------------------------------------
def test_renewing_is_what_botocores_signers_expect() -> None:
    keys = Renewing(lambda patient: Keys("AKIA", "secret-x", "token-x", None), "container-role")
    assert isinstance(keys, botocore.credentials.Credentials)
    frozen = keys.get_frozen_credentials()
    assert (frozen.access_key, frozen.secret_key, frozen.token) == ("AKIA", "secret-x", "token-x")
    assert (keys.access_key, keys.secret_key, keys.token) == ("AKIA", "secret-x", "token-x")
    shown = f"{keys!r} {frozen!r} {frozen!s} {keys._keys!r}"
    assert "secret-x" not in shown
    assert "token-x" not in shown


def test_while_one_caller_renews_early_the_others_go_on() -> None:
    now, release, fetching = [0.0], threading.Event(), threading.Event()
    count = [0]

    def fetch(patient: bool) -> Keys:
        count[0] += 1
        if count[0] > 1:
            fetching.set()
            release.wait(HANGS)
        return Keys(f"A{count[0]}", "s", "t", now[0] + 3600)

    keys = Renewing(fetch, "x", lambda: now[0])
    assert keys.access_key == "A1"
    now[0] = 3000.0
    first = threading.Thread(target=lambda: keys.access_key)
    first.start()
    assert fetching.wait(HANGS)
    assert keys.access_key == "A1"
    release.set()
    first.join(HANGS)
    assert keys.access_key == "A2"
