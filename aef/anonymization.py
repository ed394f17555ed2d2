"""From a ruling to the same ruling, safe to publish: find, link, replace, check, and only then write."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.files import must_be_new, write_atomic
from aef.corpus_tools.plain_text import apply_edits
from aef.corpus_tools.readers import FORMATS, document_of, open_source
from aef.errors import InputError
from aef.linking import link
from aef.names import ORG, PERSON, core, generic_words, name_words
from aef.replacement import Edit, Entity, entities, plan


class Tagger(Protocol):
    """What finds the mentions to hide; `aef.finder.Finder` is one."""

    def tag(self, document: Document) -> Document: ...


@dataclass(frozen=True)
class Result:
    """An anonymized ruling and what was done to it.

    people : the names each person's label stands for: the key to the ruling, never to be published.
    counts : "replacements", and the different "persons", "organisations" and "other" things hidden.
    remaining : places outside the text (a link, a chart, an embedded file) where a hidden name may still be read.
    in_clear : by part of the ruling, how often a word of a hidden person's name still stands in the text with a
        capital: another bearer of the name, a street or company named alike, or a mention that was not found.
    content : the file's bytes. written : whether they were written.
    """

    edits: list[Edit]
    people: dict[str, list[str]]
    counts: dict[str, int]
    remaining: list[str]
    in_clear: dict[str, int]
    content: bytes
    written: bool = False


def anonymize(
    source: str | Path,
    target: str | Path | None = None,
    *,
    finder: Tagger | None = None,
    mentions: Document | Iterable[Mention] | None = None,
    scheme: str = "initials",
    include: Iterable[str] = (),
    exclude: Iterable[str] = (),
    force: bool = False,
    allow_remaining: bool = False,
) -> Result:
    """Hide what ``finder`` finds in a ruling, or the given ``mentions``, and write the ruling to ``target``.

    Mentions given as a document of a gold corpus must be those of this very text. Phrases of ``include`` are always
    hidden, those of ``exclude`` never. Without a target nothing is written; nor is it while names remain outside the
    text, unless ``allow_remaining``. A target ``.txt`` takes any ruling's text. Raises `InputError` for bad input, and
    for a target that exists, unless ``force``.
    """
    _check_target(source, target, force)
    opened = open_source(source)
    document = _marked(document_of(opened, source), finder, mentions, include, exclude)
    edits = plan(document, scheme)
    hidden = entities(document)
    hides = name_finder(hidden)
    changes = [(e.start, e.end, e.replacement) for e in edits]
    as_text = target is not None and Path(target).suffix.lower() == ".txt"
    if as_text:
        content = apply_edits(document.text, changes).encode("utf-8")
    else:
        content = opened.rewritten(changes, lambda text: bool(hides(text)))
    suffix = ".txt" if as_text or str(source) == "-" else Path(source).suffix.lower()
    remaining, in_clear = _check(content, suffix, hides)
    if target is not None and hides(Path(target).stem):
        remaining.append("the name of the output file")
    result = Result(edits, _people(hidden, edits), _counts(hidden, edits), remaining, in_clear, content)
    if target is None or (remaining and not allow_remaining):
        return result
    write_atomic(target, content, force)
    return replace(result, written=True)


def name_finder(hidden: Sequence[Entity]) -> Callable[[str], int]:
    """A function that counts the names of hidden persons and organisations in a text: full names in any letter case,
    names of one word and surnames with a capital."""
    full: set[tuple[str, ...]] = set()
    single: set[str] = set()
    for entity in hidden:
        for form in entity.forms if entity.type in (PERSON, ORG) else ():
            words = tuple(re.findall(r"\w+", form))
            if len(words) > 1 and any(len(word) > 1 for word in words):  # initials give nobody away
                full.add(words)
            if entity.type == PERSON or (len(words) == 1 and form.lower() not in generic_words()):
                single.update(name_words(form)[-1:])
    patterns = ["(?i:" + r"[\W_]+".join(map(re.escape, words)) + ")" for words in sorted(full, key=len, reverse=True)]
    patterns += [p for word in sorted(single) if len(word.strip(".'’")) > 1 for p in _capitalized(word)]
    pattern = re.compile(rf"(?<![^\W_])(?:{'|'.join(patterns)})(?![^\W_])") if patterns else None
    return lambda text: len(pattern.findall(text)) if pattern else 0


def _capitalized(word: str) -> list[str]:
    return [re.escape(form) for form in dict.fromkeys([word, word[:1].upper() + word[1:], word.title(), word.upper()])]


def _check_target(source: str | Path, target: str | Path | None, force: bool) -> None:
    if target is None:
        return
    must_be_new([target], force)
    suffix = Path(target).suffix.lower()
    if str(source) != "-" and Path(target).exists() and Path(target).samefile(source):
        raise InputError.at(target, "is the ruling itself", remedy="Name another output")
    if suffix != ".txt" and suffix != Path(source).suffix.lower():
        raise InputError.at(target, f"cannot be made of {source}", remedy="Give the output the same suffix, or .txt")


def _marked(
    document: Document,
    finder: Tagger | None,
    mentions: Document | Iterable[Mention] | None,
    include: Iterable[str],
    exclude: Iterable[str],
) -> Document:
    """The document with all that is to be hidden, linked."""
    if isinstance(mentions, Document):
        document = document.with_mentions(given(document, mentions))
    elif mentions is not None:
        document = document.with_mentions(mentions)
    elif finder is not None:
        document = finder.tag(document)
    else:
        raise InputError("nothing says what to hide. Give a finder (a model) or mentions")
    found = [m for m in document.mentions if m.masked]
    found += [Mention(start, end) for phrase in include for start, end in _occurrences(document.text, phrase)]
    kept = _but(document, found, list(exclude))
    document = link(document.with_mentions(kept))
    return link(document.with_mentions(_but(document, [*document.mentions, *_repeated(document)], list(exclude))))


def given(document: Document, gold: Document) -> tuple[Mention, ...]:
    """The mentions of a gold document. Raises `InputError` where its text is not the ruling's."""
    if gold.text != document.text:
        same = next((i for i, (a, b) in enumerate(zip(gold.text, document.text, strict=False)) if a != b), None)
        place = f"from character {same} on" if same is not None else "in length"
        raise InputError(
            f"{document.meta.get('source', document.doc_id)}: its text differs from that of '{gold.doc_id}' in the "
            f"gold corpus {place}, so that the offsets would not fit. Tag or align this very file"
        )
    return gold.mentions


def _repeated(document: Document) -> Iterator[Mention]:
    """Full names of hidden persons wherever else they stand in the document."""
    covered = document.mask(document.mentions)
    for entity in entities(document):
        for form in entity.forms if entity.type == PERSON else ():
            for start, end in _occurrences(document.text, form) if len(name_words(form)) > 1 else ():
                tokens = document.token_range(start, end)
                if not covered[tokens.start : tokens.stop].all():
                    yield Mention(start, end, PERSON, entity_id=entity.entity_id)


def _occurrences(text: str, phrase: str) -> Iterator[tuple[int, int]]:
    """Where a phrase stands as whole words, as it is written or in capitals, whatever the white space."""
    for form in dict.fromkeys([phrase, phrase.upper()]):
        words = r"\s+".join(map(re.escape, form.split()))
        for match in re.finditer(rf"(?<!\w){words}(?!\w)", text) if words else ():
            yield match.span()


def _but(document: Document, mentions: Iterable[Mention], exclude: Sequence[str]) -> list[Mention]:
    """The mentions that do not lie inside an excluded phrase; titles and signs around a name do not count."""
    spans = [span for phrase in exclude for span in _occurrences(document.text, phrase)]
    kept = []
    for mention in mentions:
        low, high = core(document.text, mention.start, mention.end, PERSON)
        if not any(start <= low and high <= end for start, end in spans):
            kept.append(mention)
    return kept


def _check(content: bytes, suffix: str, hides: Callable[[str], int]) -> tuple[list[str], dict[str, int]]:
    """What the output still holds of hidden names: places outside its text, and counts by part of the text."""
    output = FORMATS[suffix](content, "output")
    document = output.document()
    counts: Counter[str] = Counter()
    for block in document.blocks:
        counts[block.part] += hides(document.text[block.start : block.end])
    remaining = [place for place, letters in output.outside().items() if hides(letters)]
    remaining += [f"{place} (an embedded file, not looked into)" for place in output.unread()]
    return remaining, {part: number for part, number in counts.items() if number}


def _people(hidden: Sequence[Entity], edits: Iterable[Edit]) -> dict[str, list[str]]:
    labels = _labels(edits)
    people: dict[str, list[str]] = {}
    for entity in hidden:
        if entity.type == PERSON and entity.entity_id in labels:
            people.setdefault(labels[entity.entity_id], []).extend(entity.forms)
    return people


def _labels(edits: Iterable[Edit]) -> dict[str, str]:
    """Each entity's label: the longest of its replacements (at a sentence's end one may lack its period)."""
    labels: dict[str, str] = {}
    for edit in edits:
        labels[edit.entity_id] = max(labels.get(edit.entity_id, ""), edit.replacement, key=len)
    return labels


def _counts(hidden: Sequence[Entity], edits: Sequence[Edit]) -> dict[str, int]:
    kinds = Counter(entity.type for entity in hidden)
    persons, organisations = kinds[PERSON], kinds[ORG]
    other = kinds.total() - persons - organisations
    return {"replacements": len(edits), "persons": persons, "organisations": organisations, "other": other}
