"""botocore clients against a far end: plain ones, without anything of the product in between."""

from __future__ import annotations

from typing import Any

import botocore.session
from botocore import UNSIGNED
from botocore.config import Config
from botocore.loaders import Loader

from hpgov_jlab.sandbox.aws.far_end import AwsFarEnd
from hpgov_jlab.sandbox.aws.keys import Keys, session_principal
from hpgov_jlab.sandbox.scenario import Scenario

LOADER = Loader(extra_search_paths=[Loader.BUILTIN_DATA_PATH], include_default_search_paths=False)
CLUSTER_REGION, DOMAIN_REGION = "us-west-2", "us-east-1"


def _new_session() -> botocore.session.Session:
    session = botocore.session.Session()
    session.register_component("data_loader", LOADER)
    return session


_SHARED = _new_session()  # a client of a known session takes milliseconds, one of a new session a tenth of a second


def client(
    far_end: AwsFarEnd, service: str, keys: Keys | None, *, region: str = CLUSTER_REGION, attempts: int = 1, read_timeout: float = 60, unsigned: bool = False
) -> Any:
    """A client with these keys (None: the session finds its own, from the environment)."""
    session = _SHARED if keys else _new_session()
    given = {"aws_access_key_id": keys.key_id, "aws_secret_access_key": keys.secret, "aws_session_token": keys.token} if keys else {}
    config = Config(
        retries={"mode": "standard", "total_max_attempts": attempts},
        connect_timeout=60,
        read_timeout=read_timeout,
        **({"signature_version": UNSIGNED} if unsigned else {}),
    )
    return session.create_client(service, region_name=region, endpoint_url=far_end.url, config=config, **given)


def project_keys(far_end: AwsFarEnd) -> Keys:
    """Keys of the session that the place has, with its tags."""
    session = far_end.scenario.session
    assert session is not None
    principal = session_principal(session.role, session.name, tags=session.tags)
    return far_end.keys.issue(principal, far_end.now() + 3600)


def role(scenario: Scenario, name: str) -> str:
    """ARN of the role with this name."""
    return next(r.arn for r in scenario.roles if r.arn.endswith(f"/{name}"))
