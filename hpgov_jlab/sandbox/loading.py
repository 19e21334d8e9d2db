"""A scenario by its name: read, checked, and its texts given today's dates."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from importlib import import_module

from .scenario import EksCluster, Scenario, ScenarioError, Version
from .scenario_check import check
from .scenarios import TITLES

_DAY = re.compile(r"\btoday(?P<days>[+-]\d+)\b")


def load(name: str, *, today: date | None = None) -> Scenario:
    """A scenario by name, checked, with its dates set from `today` (UTC's when None). Raises ScenarioError."""
    if name not in TITLES:
        raise ScenarioError(f"there is no scenario named {name!r}; there are {', '.join(TITLES)}")
    scenario: Scenario = import_module(f"{__package__}.scenarios.{name.replace('-', '_')}").SCENARIO
    problems = check(scenario)
    if problems:
        raise ScenarioError(f"scenario {name}: " + "; ".join(problems))
    return dated(scenario, today or datetime.now(UTC).date())


def dated(scenario: Scenario, today: date) -> Scenario:
    """The same scenario with every `today+12`, `today-30` of its texts made a date."""

    def text(given: str) -> str:
        return _DAY.sub(lambda match: (today + timedelta(days=int(match["days"]))).isoformat(), given)

    def version(given: Version) -> Version:
        return given if given.text is None else replace(given, text=text(given.text))

    def annotated(given: EksCluster) -> EksCluster:
        return replace(given, annotations={namespace: {key: text(value) for key, value in notes.items()} for namespace, notes in given.annotations.items()})

    buckets = tuple(
        replace(bucket, objects=tuple(replace(item, versions=tuple(version(v) for v in item.versions)) for item in bucket.objects))
        for bucket in scenario.buckets
    )
    return replace(
        scenario,
        buckets=buckets,
        eks=tuple(annotated(cluster) for cluster in scenario.eks),
        files={path: text(content) for path, content in scenario.files.items()},
        platform_file=None if scenario.platform_file is None else text(scenario.platform_file),
    )
