"""Which hosts are spoken to, and that names match whole (DESIGN.md 14, S9)."""

from __future__ import annotations

from pathlib import Path

import botocore.session
import pytest

from hpgov_jlab.model.connection import Place, PlaceKind
from hpgov_jlab.model.outcome import Failure, State
from hpgov_jlab.policy.aws_names import SUFFIXES, is_region, parse_arn, partition_of
from hpgov_jlab.reads import Deadline
from hpgov_jlab.sandbox.aws.far_end import AwsFarEnd
from hpgov_jlab.sources.aws import sts
from hpgov_jlab.sources.aws.endpoints import is_destination, region_of
from hpgov_jlab.sources.aws.guard import Refused
from hpgov_jlab.sources.aws.session import AwsSessions, AwsSettings

from .network import Network
from .test_transport import POD, SCENARIO
from .world import SERVICES, World, ask, failed


def test_partitions_and_suffixes_are_botocores() -> None:
    data = botocore.session.Session().get_component("data_loader").load_data("partitions")["partitions"]
    assert {p["id"]: (p["outputs"]["dnsSuffix"], p["outputs"]["dualStackDnsSuffix"]) for p in data} == SUFFIXES
    for partition in data:
        for region in partition["regions"]:
            if not region.endswith("-global"):
                assert is_region(region), region
                assert partition_of(region) == partition["id"]


@pytest.mark.parametrize(
    "text",
    ["us-west-2\n", "us-west-2.evil.example", "us-west-2/", "US-WEST-2", "us-west", "x", "", "us-west-2 ", "us–west–2", "us-west-2@x", "a" * 500, "us-west-٢"],
)
def test_what_is_no_region(text: str) -> None:
    assert not is_region(text)


@pytest.mark.parametrize(
    "text",
    [
        "arn:aws:iam::1:role/x",
        "arn:aws:iam::111122223333:role/x\n",
        "arn:aws:iam::111122223333:role/a b",
        "arn:evil:iam::111122223333:role/x",
        "",
        None,
        "a" * 3000,
        "arn:aws:iam::111122223333:role/\u202ex",
        "arn:aws:iam::１１１１２２２２３３３３:role/x",
    ],
)
def test_what_is_no_arn(text: str | None) -> None:
    assert parse_arn(text) is None


GOOD = {
    "https://datazone.us-east-1.api.aws": ("datazone", "us-east-1"),
    "https://datazone.us-east-1.amazonaws.com/": ("datazone", "us-east-1"),
    "https://datazone-fips.us-east-1.api.aws": ("datazone", "us-east-1"),
    "https://vpce-0123abc-xyz.datazone.us-east-1.vpce.amazonaws.com": ("datazone", "us-east-1"),
    "https://api.sagemaker.us-west-2.amazonaws.com:443": ("sagemaker", "us-west-2"),
    "https://vpce-0123.api.sagemaker.us-west-2.vpce.amazonaws.com": ("sagemaker", "us-west-2"),
    "https://eks.us-west-2.amazonaws.com": ("eks", "us-west-2"),
    "https://fips.eks.us-west-2.amazonaws.com": ("eks", "us-west-2"),
    "https://sts.cn-north-1.amazonaws.com.cn": ("sts", "cn-north-1"),
    "https://bucket.vpce-0123.s3.us-east-1.vpce.amazonaws.com": ("s3", "us-east-1"),
}


@pytest.mark.parametrize("url", GOOD)
def test_endpoints_of_aws(url: str) -> None:
    service, region = GOOD[url]
    assert region_of(service, url, sandbox=False) == region
    for other in set(SERVICES) - {service}:
        with pytest.raises(Failure):
            region_of(other, url, sandbox=False)


BAD = [
    "http://datazone.us-east-1.api.aws",
    "https://datazone.us-east-1.api.aws.evil.example",
    "https://evil.example/datazone.us-east-1.api.aws",
    "https://datazone.us-east-1.api.aws@evil.example",
    "https://u:p@datazone.us-east-1.api.aws",
    "https://datazone.us-east-1.api.aws:8443",
    "https://datazone.us-east-1.api.aws/path",
    "https://datazone.us-east-1.api.aws?x=1",
    "https://datazone.us-east-1.api.aws#x",
    "https://x.execute-api.us-east-1.amazonaws.com",
    "https://datazone.s3.us-east-1.amazonaws.com",
    "https://datazone.us-east-1.elb.amazonaws.com",
    "https://vpce-1.vpce-svc-2.us-east-1.vpce.amazonaws.com",
    "https://datazone.us-east-1.amazonaws.com.cn",
    "https://datazone.cn-north-1.api.aws",
    "https://dаtazone.us-east-1.api.aws",
    "https://127.0.0.1:8080",
    "http://127.0.0.1:8080",
    "https://[::1",
    "https://datazone.us-east-1.api.aws:x",
    "file:///etc/passwd",
    "",
]


@pytest.mark.parametrize("url", BAD)
def test_endpoints_of_others(url: str) -> None:
    with pytest.raises(Failure) as caught:
        region_of("datazone", url, sandbox=False)
    assert (caught.value.state, caught.value.code) == (State.INVALID, "endpoint_not_allowed")
    assert "evil" not in str(caught.value.params)


@pytest.mark.parametrize("url", ["http://127.0.0.1:1234", "http://localhost:1", "http://[::1]:8"])
def test_loopback_in_the_sandbox_only(url: str) -> None:
    assert region_of("sts", url, sandbox=True) is None
    with pytest.raises(Failure):
        region_of("sts", url, sandbox=False)


@pytest.mark.parametrize("url", ["https://sts.us-west-2.amazonaws.com", "http://10.0.0.1:1234", "http://127.0.0.1.evil.example:1", "http://127.0.0.1"])
def test_the_sandbox_speaks_to_nothing_else(url: str) -> None:
    with pytest.raises(Failure):
        region_of("sts", url, sandbox=True)


def test_the_sandbox_never_falls_back_to_the_real_far_end(default: World) -> None:
    sessions = AwsSessions(AwsSettings(sandbox=True, endpoints={"sts": default.far.url}), environ=default.far.environment())
    ask(sts.identity(sessions.for_place(default.place)))
    with pytest.raises(Failure) as caught:
        sessions.for_place(default.place).call(
            "datazone", "GetProject", {"domainIdentifier": "dzd-exampledomain1", "identifier": "prjresearch001"}, Deadline(20), region="us-east-1"
        )
    assert (caught.value.state, caught.value.code) == (State.NOT_CONFIGURED, "sandbox_endpoint_missing")
    sessions.close()


def test_a_service_that_we_do_not_call_has_no_endpoint() -> None:
    sessions = AwsSessions(AwsSettings(endpoints={"iam": "https://iam.amazonaws.com"}), environ={"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x"})
    failure = failed(sts.identity(sessions.for_place(Place(PlaceKind.ELSEWHERE, "x", region="us-west-2"))))
    assert (failure.code, failure.params) == ("endpoint_not_allowed", {"service": "iam"})


@pytest.mark.parametrize(
    ("service", "url", "good"),
    [
        ("sts", "https://sts.us-west-2.amazonaws.com/", True),
        ("sts", "https://sts.amazonaws.com/", False),
        ("sts", "https://sts.us-east-1.amazonaws.com/", False),
        ("sts", "http://sts.us-west-2.amazonaws.com/", False),
        ("sts", "https://evil.example/", False),
        ("eks", "https://eks.us-west-2.api.aws/clusters/x", True),
        ("s3", "https://my.bucket.s3.us-west-2.amazonaws.com/key", True),
        ("s3", "https://bucket.s3.eu-west-1.amazonaws.com/key", True),
        ("s3", "https://s3.us-west-2.amazonaws.com.evil.example/key", False),
        ("s3", "https://bucket.s3.evil.example/key", False),
        ("s3", "http://bucket.s3.us-west-2.amazonaws.com/key", False),
    ],
)
def test_where_a_signed_request_may_go(service: str, url: str, good: bool) -> None:
    home = {"sts": "https://sts.us-west-2.amazonaws.com", "eks": "https://eks.us-west-2.amazonaws.com", "s3": "https://s3.us-west-2.amazonaws.com"}[service]
    assert is_destination(service, url, home, "us-west-2") is good


def test_from_loopback_nothing_goes_anywhere_else() -> None:
    assert not is_destination("s3", "https://bucket.s3.us-west-2.amazonaws.com/key", "http://127.0.0.1:1", "us-west-2")
    assert not is_destination("sts", "http://127.0.0.1:2/", "http://127.0.0.1:1", "us-west-2")


def test_neither_the_environment_nor_a_file_names_an_endpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tmp_path / "config"
    config.write_text("[default]\nendpoint_url = http://127.0.0.1:9\nca_bundle = /nowhere\nregion = eu-west-1\n")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(config))
    for name in ("AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_STS"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_STS_REGIONAL_ENDPOINTS", "legacy")
    model = tmp_path / "sts" / "2011-06-15" / "service-2.json"  # sagemaker_studio swaps models this way (facts/aws.md 4.4)
    model.parent.mkdir(parents=True)
    model.write_text("{}")
    monkeypatch.setenv("AWS_DATA_PATH", str(tmp_path))
    with AwsFarEnd(SCENARIO) as far, Network(tmp_path, far.url) as network:
        monkeypatch.setenv("HTTPS_PROXY", network.url)
        sessions = AwsSessions(AwsSettings(ca_bundle=network.ca), environ=far.environment())
        assert ask(sts.identity(sessions.for_place(POD))).account == "111122223333"
        assert network.hosts == ["sts.us-west-2.amazonaws.com"]
        sessions.close()


def test_an_override_serves_its_own_region_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    endpoint = "https://vpce-0123.sts.us-west-2.vpce.amazonaws.com"
    with AwsFarEnd(SCENARIO) as far, Network(tmp_path, far.url) as network:
        monkeypatch.setenv("HTTPS_PROXY", network.url)
        sessions = AwsSessions(AwsSettings(ca_bundle=network.ca, endpoints={"sts": endpoint}), environ=far.environment())
        session = sessions.for_place(POD)
        session.who(Deadline(20))
        session.who(Deadline(20), region="us-east-2")
        assert network.hosts == ["vpce-0123.sts.us-west-2.vpce.amazonaws.com", "sts.us-east-2.amazonaws.com"]
        sessions.close()


def test_a_request_that_was_turned_elsewhere_is_not_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever rewrites a URL on the way (a handler, a redirect): the last event before the socket looks at it again."""
    with AwsFarEnd(SCENARIO) as far, Network(tmp_path, far.url) as network:
        monkeypatch.setenv("HTTPS_PROXY", network.url)
        sessions = AwsSessions(AwsSettings(ca_bundle=network.ca), environ=far.environment())
        session = sessions.for_place(POD)
        session.who(Deadline(20))
        core = session._core
        assert core is not None
        client = core.client("sts", "us-west-2")

        def turn(request: object, **_: object) -> None:
            request.url = "https://sts.us-west-2.evil.example/"  # type: ignore[attr-defined]

        client.meta.events.register_first("before-send", turn)
        with pytest.raises(Refused):
            client.get_caller_identity()
        assert set(network.hosts) == {"sts.us-west-2.amazonaws.com"}
        sessions.close()


@pytest.mark.parametrize("region", ["us-west-2.evil.example", "us-west-2\n", "../x"])
def test_a_region_is_checked_before_anything_is_built(default: World, region: str) -> None:
    with pytest.raises(Failure) as caught:
        default.home.call("sts", "GetCallerIdentity", {}, Deadline(20), region=region)
    assert caught.value.code == "region_malformed"
    assert failed(sts.identity(default.sessions.for_place(Place(PlaceKind.STUDIO, "x", region=region)))).code == "region_malformed"
    assert default.far.log == []
