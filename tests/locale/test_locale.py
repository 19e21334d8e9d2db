"""The translations: everything is collected, nothing is missing, no placeholder is lost, and what JupyterLab reads is what the `.po` says."""

from __future__ import annotations

import json
import re

import pytest
from jupyterlab_server.translation_utils import merge_locale_data
from packaging.version import Version

from hpgov_jlab.words import SECTIONS
from scripts import locale as translations

TEXTS = translations.extract()
LOCALES = translations.locales()
NEVER = {
    "pt_BR": re.compile(r"\b(garantid[oa]s?|livres?|dispon[ií]ve(l|is)|em uso|ocupad[oa]s?|sobrando)\b", re.IGNORECASE),
    "zh_CN": re.compile(r"保证|空闲|可用|正在使用|剩余"),
}
"""What the glossary forbids beside figures, in each language."""


def read(locale: str) -> translations.Table:
    return translations.read_table(translations.po_path(locale).read_text(encoding="utf-8"))


def test_the_languages_are_those_that_can_be_installed() -> None:
    assert LOCALES == sorted(translations.PLURALS) == ["pt_BR", "zh_CN"]


def test_the_template_holds_what_the_sources_say() -> None:
    template = translations.FOLDER / f"{translations.DOMAIN}.pot"
    assert template.read_text(encoding="utf-8") == translations.po_text(TEXTS), "run python -m scripts.locale"
    assert len(TEXTS) > 800


@pytest.mark.parametrize("locale", LOCALES)
def test_nothing_is_missing_and_no_placeholder_is_lost(locale: str) -> None:
    assert translations.problems(TEXTS, read(locale), locale) == []


@pytest.mark.parametrize("locale", LOCALES)
def test_the_files_are_up_to_date(locale: str) -> None:
    table = read(locale)
    assert set(table) == set(TEXTS), "run python -m scripts.locale"
    po = translations.po_path(locale)
    assert po.read_text(encoding="utf-8") == translations.po_text(TEXTS, locale, table, translations.read_gone(po.read_text(encoding="utf-8")))
    assert po.with_suffix(".json").read_text(encoding="utf-8") == translations.compiled(table, locale)


@pytest.mark.parametrize("locale", LOCALES)
def test_jupyterlab_can_read_it(locale: str) -> None:
    data = json.loads(translations.po_path(locale).with_suffix(".json").read_text(encoding="utf-8"))
    head = data.pop("")
    assert Version(head["version"]) == Version(translations.version())
    assert head["domain"] == "hpgov_jlab" and head["language"] == locale.replace("_", "-")
    # the rule JupyterLab's translator accepts (it builds a function of it)
    assert re.fullmatch(r"nplurals=\d+;\s*plural=(?:\s|[-?|&=!<>+*/%:;n0-9_()])+", head["plural_forms"])
    for text, forms in data.items():
        assert forms and all(isinstance(form, str) for form in forms), text
    plurals = {text for _, text, plural in TEXTS if plural}
    assert plurals and {text for text, forms in data.items() if len(forms) > 1} == plurals
    older = {"": {"domain": "hpgov_jlab", "version": "0.0.1"}}
    assert set(merge_locale_data(older, {"": head, **data})) == {"", *data}


def test_plural_rules_choose_a_form_for_every_number() -> None:
    rules = {"pt_BR": lambda n: 0 if n in (0, 1) else 1 if n % 1000000 == 0 else 2, "zh_CN": lambda n: 0}
    assert set(rules) == set(translations.PLURALS)
    for locale, rule in rules.items():
        assert {rule(n) for n in (0, 1, 2, 7, 1_000_000)} == set(range(translations.forms_of(locale)))


@pytest.mark.parametrize("locale", LOCALES)
def test_the_glossary_is_kept(locale: str) -> None:
    """What the English may not say of quota and tasks is not said in another language either."""
    table = read(locale)
    spoken = {re.sub(r"\{[a-z_0-9]+\}", "%", t) for section in ("tasks", "share") for word in SECTIONS[section].values() for t in (word.text, word.then) if t}
    wrong = [
        f"{text} -> {form}" for (_, text, _), forms in table.items() for form in forms if re.sub(r"%\d+", "%", text) in spoken and NEVER[locale].search(form)
    ]
    assert wrong == []


# -- the collector -------------------------------------------------------------------------------------------------------------
def collect(source: str) -> list[translations.Key]:
    return [key for key, _ in translations.calls(source, "x.tsx")]


def test_texts_are_found_however_they_are_written() -> None:
    assert collect("trans.__('It\\'s %1', p('a'))") == [("", "It's %1", "")]
    assert collect("this.trans.__(\n  \"one \" +\n    'and (two), three',\n  f(a, [1, 2])\n)") == [("", "one and (two), three", "")]
    assert collect("trans.__(`plain \\u2026`)") == [("", "plain …", "")]
    assert collect("trans._n('%1 node', '%1 nodes', nodes.length)") == [("", "%1 node", "%1 nodes")]
    assert collect("trans._p('menu', 'Open')") == [("menu", "Open", "")]
    assert collect("trans.__('a', trans.__('b'))") == [("", "a", ""), ("", "b", "")]
    assert [note for _, note in translations.calls("trans.__('%1 of %2', p('n'), total)", "x")] == ["%1 is p('n'), %2 is total"]


@pytest.mark.parametrize(
    "source", ["trans.__(title)", "trans.__('a' + b)", "trans.__(`a ${b}`)", "trans._n('one', many, n)", "trans.__('')", "trans.__('a' ? b : c)"]
)
def test_a_text_that_is_no_literal_is_an_error_with_its_line(source: str) -> None:
    with pytest.raises(ValueError, match=r"x\.tsx:2: "):
        collect("\n" + source)


def test_a_schema_is_read_as_jupyterlab_reads_it() -> None:
    schema = {"title": "T", "description": "D", "jupyter.lab.setting-icon-label": "L", "other": "no", "properties": {"a": {"title": "A", "enum": ["no"]}}}
    schema["properties"]["a"]["oneOf"] = [{"const": "no", "title": "One"}]
    assert list(translations.schema_texts(schema)) == [
        ("schema", "T", ""), ("schema", "D", ""), ("settings", "L", ""), ("settings", "A", ""), ("settings", "One", ""),
    ]  # fmt: skip


# -- each fault is noticed -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("key", "forms", "said"),
    [
        (("", "Read", ""), (), "not translated"),
        (("", "Read", ""), (" ",), "not translated"),
        (("", "%1 of %2", ""), ("%1 de %1",), "placeholders differ"),
        (("", "Read", ""), ("Lido %1",), "placeholders differ"),
        (("", "%1 node", "%1 nodes"), ("%1 nó", "", "%1 nós"), "2 of 3 forms"),
        (("", "%1 node", "%1 nodes"), ("%1 nó", "%1 de nós", "nós"), "placeholders differ"),
        (("", "Read ", ""), ("Lido",), "spaces"),
    ],
)
def test_a_faulty_translation_is_named(key: translations.Key, forms: tuple[str, ...], said: str) -> None:
    found = translations.problems([key], {key: forms}, "pt_BR")
    assert len(found) == 1 and said in found[0]


def test_a_po_reads_back_equal() -> None:
    texts = {key: translations.Found(("a.ts",), ("%1 is x",)) for key in (("", 'quo"te\n\\', ""), ("menu", "Open", ""), ("", "%1 a", "%1 as"))}
    table = {key: ("x\ty",) * (3 if key[2] else 1) for key in texts}
    assert translations.read_table(translations.po_text(texts, "pt_BR", table)) == table


def test_a_text_that_goes_and_comes_back_keeps_its_translation() -> None:
    gone: translations.Table = {("menu", "Open", ""): ("Abrir",), ("", "%1 a", "%1 as"): ("%1 x", "%1 de x", "%1 xs")}
    text = translations.po_text({}, "pt_BR", {}, gone)
    assert translations.read_table(text) == {}
    assert translations.read_gone(text) == gone


def test_what_is_missing_is_left_out_of_the_json() -> None:
    table: translations.Table = {("", "a", ""): ("",), ("", "b", ""): ("B",), ("", "c", "cs"): ("一",)}
    assert set(json.loads(translations.compiled(table, "zh_CN"))) == {"", "b", "c"}
