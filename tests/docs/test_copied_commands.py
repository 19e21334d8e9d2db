"""The commands that docs/access.md has for administrators: each `aws` call fits AWS's own service model, and the line for a group does what it says."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import botocore.session
import pytest
import yaml
from botocore import xform_name
from botocore.model import ServiceModel, Shape
from botocore.validate import ParamValidator

from hpgov_jlab.policy import render_kubernetes as render
from hpgov_jlab.policy.kubernetes import READS

from .test_docs import BY_HAND, FENCE, ROOT, name

OF_THE_CLIENT = {"region": True, "query": True, "output": True, "profile": True}
"""Options of every `aws` call, which are no parameters of the operation."""
SESSION = botocore.session.get_session()


def model(service: str) -> ServiceModel:
    return SESSION.get_service_model(service)  # type: ignore[no-any-return]


def commands(page: Path, program: str) -> Iterator[str]:
    """Each command of a shell block that begins with this program, its continuation lines joined."""
    for language, body in FENCE.findall(page.read_text(encoding="utf-8")):
        if language in ("sh", "bash"):
            for line in re.sub(r"\\\n\s*", "", body).splitlines():
                if line.strip().startswith(program + " "):
                    yield line.strip()


def shorthand(text: str) -> dict[str, Any]:
    """The client's short form of a structure: a=1,b={c=2}."""
    found: dict[str, Any] = {}
    for key, inner, plain in re.findall(r"([A-Za-z]+)=(?:\{([^{}]*)\}|([^,{}]*))(?:,|$)", text):
        found[key] = shorthand(inner) if inner else plain
    assert found and re.sub(r"\s", "", text) == _written(found), text
    return found


def _written(value: dict[str, Any]) -> str:
    return ",".join(f"{key}={{{_written(inner)}}}" if isinstance(inner, dict) else f"{key}={inner}" for key, inner in value.items())


def called(command: str) -> tuple[str, str, dict[str, Any]]:
    """(service, operation, parameters as the SDK takes them). Options that neither the operation nor the client has are an error."""
    program, service, verb, *words = shlex.split(command)
    assert program == "aws"
    operation = next(o for o in model(service).operation_names if xform_name(o, "-") == verb)
    shape = model(service).operation_model(operation).input_shape
    members = {xform_name(member, "-"): member for member in shape.members}
    found: dict[str, Any] = {}
    while words:
        option, values = words.pop(0), []
        while words and not words[0].startswith("--"):
            values.append(words.pop(0))
        flag = option.removeprefix("--")
        assert option.startswith("--") and len(values) >= 1, command
        if flag in OF_THE_CLIENT:
            assert len(values) == 1, command
            continue
        kind = shape.members[members[flag]].type_name
        assert kind == "list" or len(values) == 1, command
        if values[0].startswith("file://"):
            values = [(ROOT / values[0].removeprefix("file://")).read_text(encoding="utf-8")]
        found[members[flag]] = values if kind == "list" else shorthand(values[0]) if kind == "structure" else values[0]
    return service, operation, found


def wrong(value: Any, shape: Shape, where: str = "") -> Iterator[str]:
    """What botocore leaves to the service: patterns, lengths, fixed sets of words, and unions of which one member is set."""
    if shape.type_name == "structure":
        if shape.metadata.get("union") and len(value) != 1:
            yield f"{where}: one of a union"
        for key, inner in value.items():
            yield from wrong(inner, shape.members[key], f"{where}.{key}")
    elif shape.type_name == "list":
        for inner in value:
            yield from wrong(inner, shape.member, where)
    elif shape.type_name == "string":
        pattern, allowed = shape.metadata.get("pattern"), shape.metadata.get("enum")
        if pattern and not re.fullmatch(re.sub(r"\\p\{L\}|\\p\{N\}|\\p\{Z\}|\\p\{S\}|\\p\{P\}|\\p\{M\}", r"\\w", pattern), value):
            yield f"{where}: {pattern}"
        if allowed and value not in allowed:
            yield f"{where}: none of {allowed}"
        if not shape.metadata.get("min", 0) <= len(value) <= shape.metadata.get("max", len(value)):
            yield f"{where}: length"


CASES = [(page, command) for page in BY_HAND for command in commands(page, "aws")]


@pytest.mark.parametrize(("page", "command"), CASES, ids=[f"{name(page)}-{shlex.split(command)[2]}" for page, command in CASES])
def test_each_call_of_aws_fits_the_service_model(page: Path, command: str) -> None:
    service, operation, parameters = called(command)
    shape = model(service).operation_model(operation).input_shape
    assert ParamValidator().validate(parameters, shape).generate_report() == ""
    assert list(wrong(parameters, shape)) == []


def test_a_wrong_call_is_noticed() -> None:
    good = next(c for _, c in CASES if "create-connection" in c)
    for old, new in (
        ("dzd-exampledomain", "exampledomain"),
        ("awsAccountId=444455556666", "awsAccountId=4444"),
        ("--scope PROJECT", "--scope TEAM"),
        ("clusterName=", "clusterArn="),
        ("--name ml-cluster", ""),
        ("hyperPodProperties={", "hyperPodProperties={clusterName=x},vpcProperties={"),
    ):
        assert old in good
        service, operation, parameters = called(good.replace(old, new))
        shape = model(service).operation_model(operation).input_shape
        assert ParamValidator().validate(parameters, shape).generate_report() or list(wrong(parameters, shape)), new


def test_the_connection_that_is_made_is_the_one_of_the_other_steps() -> None:
    found = {operation: parameters for _, operation, parameters in (called(c) for page, c in CASES if page.name == "access.md")}
    made = found["CreateConnection"]
    assert set(made) == {"domainIdentifier", "environmentIdentifier", "scope", "name", "description", "awsLocation", "props"}
    assert set(made["props"]) == {"hyperPodProperties"}
    location = made["awsLocation"]
    assert location["accessRole"] == found["CreateAccessEntry"]["principalArn"] == found["DescribeAccessEntry"]["principalArn"]
    assert location["accessRole"].split(":")[4] == location["awsAccountId"] and location["accessRole"].endswith("/" + found["CreateRole"]["RoleName"])
    trust = found["CreateRole"]["AssumeRolePolicyDocument"]
    project, domain = found["ListEnvironments"]["projectIdentifier"], made["domainIdentifier"]
    assert all(f'"{value}"' in trust for value in (project, domain)) and f'/datazone_usr_role_{project}_{made["environmentIdentifier"]}"' in trust


def test_the_line_that_binds_a_group_changes_the_subject_of_each_binding_alone(tmp_path: Path) -> None:
    """Run in a shell on what *Copy request to admin* makes, as far as the pipe into kubectl."""
    [line] = [found for found in commands(ROOT / "docs" / "access.md", "sed") if "/^subjects:/" in found]
    person = render.Subject("User", "arn:aws:sts::444455556666:assumed-role/hyperpod-access/" + "u" * 64)
    group = render.Subject("Group", "hpgov-research-readers")

    def request(subject: render.Subject) -> list[Any]:
        spaces, queues = ["hyperpod-ns-research", "hyperpod-ns-vision"], ["hyperpod-ns-research-clusterqueue"]
        team, reader = (render.asked_for(person, called) for called in (render.TEAM, render.COHORT_READER))
        return [*render.team(spaces, queues, subject, READS, called=team), *render.cohort_reader(subject, called=reader)]

    (tmp_path / "request.yaml").write_text(render.to_yaml(request(person)))
    done = subprocess.run(["bash", "-c", line.partition(" | kubectl")[0]], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert list(yaml.safe_load_all(done.stdout)) == request(group) != request(person)
