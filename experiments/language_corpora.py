"""Corpora of other languages than English, as the studies read them: names of people, and entities of all types.

``echr_es`` and ``echr_fr`` mark what must be hidden, by annotations projected from English. For names of people
(`people`) their mentions lose articles and titles; an office that they mark without a name ("Lord Advocate", "QC") is
left out. ``es_argentina`` marks people by offsets of which some have drifted: a document in which a tenth of the marks
begin or end inside a word is left out (`SOUND`), and so are such marks elsewhere; a name of four letters that is marked
once is one wherever it stands in its ruling. ``pt_brazil`` (LeNER-Br, Luz de
Araujo et al. 2018) and ``de_germany`` (Leitner et al. 2019) mark entities of all types.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from aef import lexicons
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.gold.corpora import read_gold
from aef.experiments.data import there
from aef.names.parts import PERSON, core, fold

STARTS = {"es": "PROCEDIMIENTO", "fr": "PROCEDURE"}
"""The heading with which a judgment begins, by language; accents do not count."""
TYPED = {"pt": "pt_brazil", "de": "de_germany"}
"""The corpora of entities of all types, by language."""
SOUND = 0.9
"""So many of a document's marks must begin and end with a word, or the offsets have drifted."""

_LONG = 4
_WORD = re.compile(r"[^\W\d_]+")
_ARTICLE = re.compile(r"[a-zà-ÿ]\w*[’' ]\s*")


def read(folder: Path, language: str, part: str) -> list[Document]:
    """The judgments of a part (``train``, ``dev``) of the European Court of Human Rights in a language."""
    path = there(folder / f"echr_{language}" / f"{part}.tsv")
    documents = read_gold(path, document_start=STARTS[language])
    return [document.in_language(language) for document in documents]


def typed(folder: Path, language: str) -> list[Document]:
    """The documents of a corpus of `TYPED`."""
    documents = read_gold(there(folder / "judgments" / f"{TYPED[language]}.jsonl"))
    return [document.in_language(language) for document in documents]


def argentina(folder: Path) -> tuple[list[Document], int, int]:
    """The rulings of Buenos Aires with the names of people; how many are left out, and how many marks of the others."""
    whole = [d.in_language("es") for d in read_gold(there(folder / "judgments" / "es_argentina.jsonl"))]
    named = [d.with_mentions(m for m in d.mentions if m.entity_type == PERSON) for d in whole]
    sound = [d.with_mentions(m for m in d.mentions if _is_whole(d, m)) for d in named]
    kept = [(s, n) for s, n in zip(sound, named, strict=True) if len(s.mentions) >= SOUND * len(n.mentions)]
    left_out = sum(len(n.mentions) - len(s.mentions) for s, n in kept)
    return [_throughout(s) for s, _ in kept], len(whole) - len(kept), left_out


def _throughout(document: Document) -> Document:
    """With the names that are marked somewhere marked everywhere."""
    names = {name for m in document.mentions if len(name := document.cut(m)) >= _LONG}
    pattern = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in sorted(names, key=len, reverse=True)))
    marked = {i for m in document.mentions for i in range(m.start, m.end)}
    found = [f.span() for f in pattern.finditer(document.text)] if names else []
    new = [Mention(a, b, PERSON) for a, b in found if marked.isdisjoint(range(a, b))]
    return document.with_mentions([*document.mentions, *new])


def _is_whole(document: Document, mention: Mention) -> bool:
    """Whether a mention begins and ends with a word."""
    text = document.text
    cut = [text[max(0, at - 1) : at + 1] for at in (mention.start, mention.end)]
    return not any(len(pair) == 2 and pair.isalnum() for pair in cut)


def people(document: Document) -> Document:
    """The document with the names of people alone, without articles and titles."""
    return document.with_mentions(_names(document))


def _names(document: Document) -> Iterator[Mention]:
    for mention in document.mentions:
        if mention.entity_type == PERSON and (bare := _bare(document, mention)):
            yield bare


def _bare(document: Document, mention: Mention) -> Mention | None:
    """The mention without articles and titles; nothing where no name is left."""
    text, start, end = document.text, mention.start, mention.end
    while found := _ARTICLE.match(text, start, end):
        start = found.end()
    start, end = core(text, start, end, PERSON, document.language)
    words = {fold(word) for word in _WORD.findall(text[start:end])}
    return None if words <= _offices(document.language) else replace(mention, start=start, end=end)


@cache
def _offices(language: str) -> frozenset[str]:
    """Words of courts and offices, of the language and of English, whose offices such judgments leave as they are."""
    lists = [lexicons.load(name, code) for code in ("en", language) for name in ("court_words", "title")]
    return frozenset(fold(word.strip(".")) for word in frozenset[str]().union(*lists))
