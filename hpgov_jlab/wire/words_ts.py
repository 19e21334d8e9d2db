"""Writes `src/words.ts` from `words.py`, with literal `trans.__()` calls so that translators' tools find every sentence."""

from __future__ import annotations

import re

from ..words import ASKS, AWS_STATUSES, LAYERS, SECTIONS, STANDINGS, STATES, Word

HEAD = """// Generated from hpgov_jlab/words.py by `python -m hpgov_jlab.wire`; do not edit.

import type { TranslationBundle } from '@jupyterlab/translation';

/** A named parameter of a phrase, made readable: times, durations, amounts and counts each in their own way. */
export type Shown = (name: string) => string;

/** The sentence and the next step of one code, or null for a code that this bundle does not know. */
export interface ISaid {
  text: string;
  then: string | null;
}
"""


def _literal(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"


def _call(text: str) -> str:
    """`Hello {name}` becomes trans.__('Hello %1', p('name'))."""
    names: list[str] = []

    def number(match: re.Match[str]) -> str:
        name = match.group(1)
        if name not in names:
            names.append(name)
        return f"%{names.index(name) + 1}"

    template = re.sub(r"\{([a-z_0-9]+)\}", number, text)
    arguments = "".join(f", p({_literal(n)})" for n in names)
    return f"trans.__({_literal(template)}{arguments})"


def _labels(name: str, words: dict[str, Word]) -> str:
    lines = [
        f"/** What to call each of these; an unknown one is shown as it is. */\nexport function {name}(trans: TranslationBundle, code: string): string {{",
        "  switch (code) {",
    ]
    for code, word in words.items():
        lines += [f"    case {_literal(code)}:", f"      return trans.__({_literal(word.text)});"]
    lines += ["    default:", "      return code;", "  }", "}", ""]
    return "\n".join(lines)


def words_ts() -> str:
    """The whole file."""
    labels = {"stateLabel": STATES, "layerLabel": LAYERS, "askLabel": ASKS, "standingLabel": STANDINGS, "awsStatusLabel": AWS_STATUSES}
    out = [HEAD, *(_labels(name, words) for name, words in labels.items())]
    out.append("/** The sentence behind a code. */\nexport function say(trans: TranslationBundle, code: string, p: Shown): ISaid | null {\n  switch (code) {")
    for section, words in SECTIONS.items():
        if words:
            out.append(f"    // {section}")
        for code, word in words.items():
            then = "null" if word.then is None else _call(word.then)
            out.append(f"    case {_literal(code)}:\n      return {{ text: {_call(word.text)}, then: {then} }};")
    out.append("    default:\n      return null;\n  }\n}\n")
    return "\n".join(out)
