"""`python -m scripts.locale [--check] [--new LOCALE]`: the translations of the panel.

Collects every `trans.__()` and `trans._n()` of src (the generated words.ts among them) and the titles of schema/*.json into the template, merges it into each
language's `.po`, says what is missing, and compiles the JSON that JupyterLab's translator reads. `--check` writes nothing and exits with 1 if something is
missing, wrong or out of date. Only texts written as literals can be found; any other is an error here.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from babel.messages.catalog import Message
from babel.messages.pofile import read_po
from jupyterlab_server.translation_utils import DEFAULT_SCHEMA_SELECTORS

ROOT = Path(__file__).resolve().parents[1]
DOMAIN = "hpgov_jlab"
FOLDER = ROOT / "hpgov_jlab" / "locale"
PLURALS = {
    "pt_BR": "nplurals=3; plural=(n == 0 || n == 1) ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2;",
    "zh_CN": "nplurals=1; plural=0;",
}
"""Plural rules by language, as CLDR has them and JupyterLab's translator computes them."""

Key = tuple[str, str, str]
"""Context, text, its plural; "" where there is none."""
Table = dict[Key, tuple[str, ...]]
"""Translations: one text, or one per plural form; "" where it is missing."""


@dataclass(frozen=True, slots=True)
class Found:
    """A text with the files it stands in, and what its placeholders are filled with there."""

    files: tuple[str, ...]
    notes: tuple[str, ...]


# -- what there is to translate -----------------------------------------------------------------------------------------------
_CALL = re.compile(r"\btrans\s*\.\s*(__|_n|_p|_np)\(")
_ESCAPES = {"n": "\n", "t": "\t", "\n": ""}
_TEXTS = {"__": 1, "_n": 2, "_p": 2, "_np": 3}  # how many leading arguments are texts


def _string(source: str, at: int) -> tuple[str, int]:
    """The string literal that begins at `at`, and where it ends. Raises ValueError for a template with a value in it."""
    quote, out = source[at], []
    at += 1
    while source[at] != quote:
        if source[at] == "\\":
            if source[at + 1] == "u":
                found = re.compile(r"\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{4})").match(source, at + 2)
                if found is None:
                    raise ValueError("an escape that is not read here")
                out.append(chr(int(found[1] or found[2], 16)))
                at = found.end()
                continue
            out.append(_ESCAPES.get(source[at + 1], source[at + 1]))
            at += 2
            continue
        if quote == "`" and source.startswith("${", at):
            raise ValueError("a value inside the text")
        out.append(source[at])
        at += 1
    return "".join(out), at + 1


def _arguments(source: str, at: int) -> Iterator[str]:
    """The arguments of a call as source text; `at` is behind its opening parenthesis."""
    depth, begin = 0, at
    while True:
        char = source[at]
        if char in "'\"`":
            at = _string(source, at)[1]
            continue
        if char in ")]}" and depth == 0:
            if source[begin:at].strip():
                yield source[begin:at].strip()
            return
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            yield source[begin:at].strip()
            begin = at + 1
        at += 1


def _literal(argument: str) -> str:
    """The text of string literals joined by `+`. Raises ValueError for anything else."""
    out, at = [], 0
    while True:
        if at >= len(argument) or argument[at] not in "'\"`":
            raise ValueError("not a literal")
        text, at = _string(argument, at)
        out.append(text)
        more = re.compile(r"\s*(\+)?\s*").match(argument, at)
        assert more is not None  # it matches the empty text
        at = more.end()
        if not more[1]:
            if at < len(argument):
                raise ValueError("not a literal")
            return "".join(out)


def calls(source: str, file: str) -> Iterator[tuple[Key, str]]:
    """Every text of one TypeScript file with a note on its placeholders. Raises ValueError with file and line."""
    for match in _CALL.finditer(source):
        line = source.count("\n", 0, match.start()) + 1
        count = _TEXTS[match[1]]
        try:
            given = list(_arguments(source, match.end()))
            texts = [_literal(argument) for argument in given[:count]]
            if len(texts) < count or not texts[-1]:
                raise ValueError("too few texts")
        except (ValueError, IndexError) as error:
            raise ValueError(f"{file}:{line}: {error}") from None
        context = texts.pop(0) if match[1] in ("_p", "_np") else ""
        filled = [re.sub(r"\s+", " ", a) for a in given[count:]]
        note = ", ".join(f"%{n} is {a}" for n, a in enumerate(filled, 1) if len(a) <= 60)
        yield (context, texts[0], texts[1] if len(texts) > 1 else ""), note


def schema_texts(schema: dict[str, Any]) -> Iterator[Key]:
    """The texts of a settings schema that JupyterLab translates, each in the context that it uses."""
    patterns = [(re.compile("/" + pattern), context) for pattern, context in DEFAULT_SCHEMA_SELECTORS.items()]

    def walk(value: dict[str, Any], prefix: str) -> Iterator[Key]:
        for key, item in value.items():
            path = f"{prefix}/{key}"
            if isinstance(item, str):
                context = next((c for p, c in patterns if p.fullmatch(path)), None)
                if context is not None:
                    yield context, item, ""
            elif isinstance(item, dict):
                yield from walk(item, path)
            elif isinstance(item, list):
                for number, element in enumerate(item):
                    if isinstance(element, dict):
                        yield from walk(element, f"{path}[{number}]")

    return walk(schema, "")


def extract() -> dict[Key, Found]:
    """Everything there is to translate, in a stable order."""
    found: dict[Key, tuple[dict[str, None], dict[str, None]]] = {}
    for path in sorted((ROOT / "src").rglob("*.ts*")):
        if "__tests__" in path.parts:
            continue
        file = str(path.relative_to(ROOT))
        for key, note in calls(path.read_text(encoding="utf-8"), file):
            files, notes = found.setdefault(key, ({}, {}))
            files[file] = None
            if note:
                notes[note] = None
    for path in sorted((ROOT / "schema").glob("*.json")):
        for key in schema_texts(json.loads(path.read_text(encoding="utf-8"))):
            found.setdefault(key, ({}, {}))[0][str(path.relative_to(ROOT))] = None
    return {key: Found(tuple(files), tuple(notes)) for key, (files, notes) in sorted(found.items())}


# -- .po and .pot -------------------------------------------------------------------------------------------------------------
def version() -> str:
    """Of package.json. JupyterLab compares it with a language pack's, and fails on what is no version."""
    return str(json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["version"])


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t") + '"'


def po_text(texts: dict[Key, Found], locale: str = "", table: Table | None = None, gone: Table | None = None) -> str:
    """A `.po`, or the template for no locale. One line per text and no dates, so that a diff shows what changed and nothing else.

    `gone`: translations of texts that are not there any more, kept at the end as gettext keeps them, in case a text comes back.
    """
    headers = [f"Project-Id-Version: {DOMAIN} {version()}", "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit"]
    if locale:
        headers[1:1] = [f"Language: {locale}", f"Plural-Forms: {PLURALS[locale]}"]
    out = ['msgid ""', 'msgstr ""', *(_quoted(header + "\n") for header in headers)]
    count = forms_of(locale) if locale else 2
    for key, found in texts.items():
        out.append("")
        out += [f"#. {note}" for note in found.notes[:3]]
        out += [f"#: {file}" for file in found.files]
        out += _entry(key, (table or {}).get(key, ()), count)
    for key, forms in sorted((gone or {}).items()):
        out += ["", *(f"#~ {line}" for line in _entry(key, forms, count))]
    return "\n".join(out) + "\n"


def _entry(key: Key, forms: tuple[str, ...], count: int) -> list[str]:
    context, text, plural = key
    out = [f"msgctxt {_quoted(context)}"] if context else []
    out.append(f"msgid {_quoted(text)}")
    if plural:
        out.append(f"msgid_plural {_quoted(plural)}")
        return [*out, *(f"msgstr[{n}] {_quoted(forms[n] if n < len(forms) else '')}" for n in range(count))]
    return [*out, f"msgstr {_quoted(forms[0] if forms else '')}"]


def read_table(text: str) -> Table:
    """The translations of a `.po`. What is marked fuzzy counts as missing."""
    return _table(read_po(io.StringIO(text), abort_invalid=True))


def read_gone(text: str) -> Table:
    """The translations that a `.po` keeps of texts that were not there any more."""
    return _table(read_po(io.StringIO(text), abort_invalid=True).obsolete.values())


def _table(messages: Iterable[Message]) -> Table:
    table: Table = {}
    for message in messages:
        if not message.id:
            continue
        one = isinstance(message.id, str)
        key = (message.context or "", message.id if one else message.id[0], "" if one else message.id[1])
        forms = (message.string,) if isinstance(message.string, str) else tuple(message.string)
        table[key] = tuple("" for _ in forms) if message.fuzzy else forms
    return table


def forms_of(locale: str) -> int:
    found = re.match(r"nplurals=(\d+);", PLURALS[locale])
    assert found is not None, f"no plural rule for {locale}"
    return int(found[1])


# -- what is wrong ------------------------------------------------------------------------------------------------------------
_PLACE = re.compile(r"%\d+")


def problems(texts: Iterable[Key], table: Table, locale: str) -> list[str]:
    """What a translation lacks or gets wrong, one line each: empty, another set of placeholders, plural forms, spaces at the ends."""
    out = []
    for key in texts:
        _, text, plural = key
        forms, wanted = table.get(key, ()), forms_of(locale) if plural else 1
        about = f"{locale}: {text!r}"
        if len(forms) != wanted or not all(form.strip() for form in forms):
            missing = sum(1 for form in forms if form.strip())
            out.append(f"{about}: {'not translated' if not missing else f'{missing} of {wanted} forms'}")
            continue
        for form in forms:
            if sorted(_PLACE.findall(form)) != sorted(_PLACE.findall(plural or text)):
                out.append(f"{about}: placeholders differ: {form!r}")
            if (form[0].isspace(), form[-1].isspace()) != (text[0].isspace(), text[-1].isspace()):
                out.append(f"{about}: spaces at the ends differ: {form!r}")
    return out


# -- what JupyterLab reads ------------------------------------------------------------------------------------------------------
def compiled(table: Table, locale: str) -> str:
    """The JSON of one language. What is not translated is left out; JupyterLab then shows the English."""
    out: dict[str, Any] = {"": {"domain": DOMAIN, "language": locale.replace("_", "-"), "plural_forms": PLURALS[locale], "version": version()}}
    for (context, text, plural), forms in sorted(table.items()):
        if not forms or not all(forms):
            continue
        # a plural has to have more than one form, or JupyterLab takes it for another text
        out[f"{context}\x04{text}" if context else text] = [*forms, ""] if plural and len(forms) == 1 else list(forms)
    return json.dumps(out, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def po_path(locale: str) -> Path:
    return FOLDER / locale / "LC_MESSAGES" / f"{DOMAIN}.po"


def locales() -> list[str]:
    return sorted(path.parents[1].name for path in FOLDER.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def outputs() -> tuple[dict[Path, str], list[str]]:
    """Path -> what it has to hold, and what is wrong with the translations."""
    texts = extract()
    made, wrong = {FOLDER / f"{DOMAIN}.pot": po_text(texts)}, []
    for locale in locales():
        po = po_path(locale).read_text(encoding="utf-8")
        known = {key: forms for key, forms in {**read_gone(po), **read_table(po)}.items() if all(forms)}
        table = {key: forms for key, forms in known.items() if key in texts}
        made[po_path(locale)] = po_text(texts, locale, table, {key: forms for key, forms in known.items() if key not in texts})
        made[po_path(locale).with_suffix(".json")] = compiled(table, locale)
        wrong += problems(texts, table, locale)
    return made, wrong


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.locale", description="Collect, merge, check and compile the translations.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if something is missing, wrong or out of date")
    parser.add_argument("--new", metavar="LOCALE", choices=sorted(PLURALS), help="begin a language")
    options = parser.parse_args(arguments)
    if options.new and not po_path(options.new).exists():
        po_path(options.new).parent.mkdir(parents=True, exist_ok=True)
        po_path(options.new).write_text(po_text({}, options.new), encoding="utf-8")
    made, wrong = outputs()
    stale = [path for path, text in made.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for line in wrong[:40]:
        print(line, file=sys.stderr)
    print(f"{len(extract())} texts, {len(locales())} languages, {len(wrong)} missing or wrong")
    if options.check:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is out of date: run python -m scripts.locale", file=sys.stderr)
        return 1 if stale or wrong else 0
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made[path], encoding="utf-8")
    print("written: " + (", ".join(str(path.relative_to(ROOT)) for path in stale) or "nothing, all up to date"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
