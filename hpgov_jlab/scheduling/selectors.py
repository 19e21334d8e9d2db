"""Label selectors, and whether a pod may use a flavour: taints and node selector, as Kueue looks at them (facts/kubernetes.md 1.3, 1.6).

A selector or required affinity counts only for the label keys that the flavours of the resource group bear; everything else is left to the
scheduler, which sees nodes.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..model.kubernetes import LabelSelector, PodSpec, Requirement, SelectorTerm, Toleration
from ..model.kueue import ResourceFlavor, Taint


def flavor_matches(flavor: ResourceFlavor, spec: PodSpec, keys: frozenset[str]) -> bool:
    """`keys`: label keys of the flavours in the resource group."""
    tolerations = (*spec.tolerations, *flavor.spec.tolerations)
    if any(taint.effect in ("NoSchedule", "NoExecute") and not any(tolerates(each, taint) for each in tolerations) for taint in flavor.spec.node_taints):
        return False
    labels = flavor.spec.node_labels
    if any(key in keys and labels.get(key) != value for key, value in spec.node_selector.items()):
        return False
    required = spec.affinity.node_affinity.required if spec.affinity and spec.affinity.node_affinity else None
    if required is None or not required.node_selector_terms:
        return True
    return any(_term(term, labels, keys) for term in required.node_selector_terms)


def _term(term: SelectorTerm, labels: Mapping[str, str], keys: frozenset[str]) -> bool:
    return all(_requirement(each, labels) for each in term.match_expressions if each.key in keys)


def _requirement(rule: Requirement, labels: Mapping[str, str]) -> bool:
    value = labels.get(rule.key)
    if rule.operator == "In":
        return value is not None and value in rule.values
    if rule.operator == "NotIn":
        return value is None or value not in rule.values
    if rule.operator == "Exists":
        return value is not None
    if rule.operator == "DoesNotExist":
        return value is None
    if rule.operator in ("Gt", "Lt") and value is not None and len(rule.values) == 1 and _whole(value) and _whole(rule.values[0]):
        return int(value) > int(rule.values[0]) if rule.operator == "Gt" else int(value) < int(rule.values[0])
    return False


def _whole(text: str) -> bool:
    digits = text.removeprefix("-")
    return len(digits) < 20 and digits.isascii() and digits.isdecimal()


def tolerates(toleration: Toleration, taint: Taint) -> bool:
    """core/v1: no effect tolerates every effect, no key with Exists tolerates every key."""
    if toleration.effect and toleration.effect != taint.effect:
        return False
    if not toleration.key:
        return toleration.operator == "Exists"
    if toleration.key != taint.key:
        return False
    return toleration.operator == "Exists" or (toleration.value or "") == (taint.value or "")


def selects(selector: LabelSelector | None, labels: Mapping[str, str]) -> bool:
    """A null selector matches nothing, an empty one everything."""
    if selector is None:
        return False
    if any(labels.get(key) != value for key, value in selector.match_labels.items()):
        return False
    for rule in selector.match_expressions:
        value = labels.get(rule.key)
        if rule.operator == "In" and (value is None or value not in rule.values):
            return False
        if rule.operator == "NotIn" and value is not None and value in rule.values:
            return False
        if rule.operator == "Exists" and value is None:
            return False
        if rule.operator == "DoesNotExist" and value is not None:
            return False
    return True
