"""What an editor should look at again: names missed, labels that do not agree, paragraphs and words changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from aef.corpus_tools.alignment.conventions import Unit, has_digit
from aef.corpus_tools.alignment.hidden_runs import Hidden, Reworded
from aef.corpus_tools.alignment.matches import Match, Side, title_before
from aef.corpus_tools.document import Document

MISSED, INCONSISTENT, UNPAIRED, REWORDED = "missed", "inconsistent", "unpaired_paragraph", "reworded"
TWO_LABELS, TWO_PERSONS = "two_labels", "two_persons"
KINDS = (MISSED, INCONSISTENT, TWO_LABELS, TWO_PERSONS, UNPAIRED, REWORDED)
ORIGINAL, ANONYMIZED = "original", "anonymized"

_CONTEXT = 48


@dataclass(frozen=True, slots=True)
class Place:
    """Where: the side, the paragraph's number from 1, offsets into that side's text, and the words around.

    ``counterpart`` is the same place on the other side, where it has one.
    """

    side: str
    paragraph: int
    start: int
    end: int
    before: str
    text: str
    after: str
    counterpart: Place | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to look at again: its kind (one of `KINDS`), what it is about, what to do, and where."""

    kind: str
    text: str
    suggestion: str
    places: tuple[Place, ...]


def place(document: Document, side: str, start: int, end: int, counterpart: Place | None = None) -> Place:
    """The place ``start:end`` of a document's text."""
    number = document.paragraph(start)
    low, high = document.blocks[number - 1].start, document.blocks[number - 1].end
    before = _cut_words(document.text[max(low, start - _CONTEXT) : start], start - _CONTEXT > low, 0)
    after = _cut_words(document.text[end : min(max(high, end), end + _CONTEXT)], 0, end + _CONTEXT < high)
    return Place(side, number, start, end, before, document.text[start:end], after, counterpart)


def _cut_words(text: str, at_start: bool | int, at_end: bool | int) -> str:
    """Context cut at a white space, with an ellipsis where it was cut."""
    if at_start and " " in text:
        text = "…" + text.split(" ", 1)[1]
    if at_end and " " in text:
        text = text.rsplit(" ", 1)[0] + "…"
    return " ".join(text.split("\n"))


def place_of(hidden: Hidden) -> Place:
    return place(hidden.match.here, ORIGINAL, hidden.units[0].start, hidden.units[-1].end)


# --- labels and persons ---------------------------------------------------------------------------------------------


def two_labels(hidden: Sequence[Hidden]) -> Iterator[Finding]:
    """The same name under different labels; a surname that two full names share may have two."""
    groups: dict[tuple[str, ...], dict[str, list[Hidden]]] = defaultdict(lambda: defaultdict(list))
    full: dict[str, set[str]] = defaultdict(set)
    for h in hidden:
        if h.label.entity_id and h.words and not any(map(has_digit, h.words)):
            groups[_person_key(h)][h.label.entity_id].append(h)
            if len(h.words) > 1:
                for word in h.words:
                    full[word.casefold()].add(h.label.entity_id)
    for key, labels in groups.items():
        shared = len(key) == 2 and len(full[key[1]] & labels.keys()) > 1
        if len(labels) > 1 and not shared:
            ordered = sorted(labels.items(), key=lambda row: -len(row[1]))
            used = ", ".join(f"{label} ({len(hs)})" for label, hs in ordered)
            places = tuple(place_of(h) for _, hs in ordered for h in hs[:3])
            text = ordered[0][1][0].text
            yield Finding(TWO_LABELS, f"{text}: {used}", f"Use {ordered[0][0]} throughout, if it is one person", places)


def _person_key(h: Hidden) -> tuple[str, ...]:
    """The name in small letters, a single word with the sex its title tells: Mr Millar is not Ms Millar."""
    words = tuple(w.casefold() for w in h.words)
    if len(words) > 1:
        return ("", *words)
    before = title_before(h.match.original, h.start)
    title = before.key.rstrip(".") if before else ""
    female = title in {"ms", "mrs", "miss", "mme", "mmes", "madame", "mlle", "mademoiselle", "dame"}
    return ("f" if female else "m" if title in {"mr", "monsieur", "lord"} else "", *words)


def two_persons(hidden: Sequence[Hidden]) -> Iterator[Finding]:
    """Names under one label that cannot be one person's: neither part of the other, nor surname and given name."""
    groups: dict[str, dict[tuple[str, ...], Hidden]] = defaultdict(dict)
    for h in hidden:
        words = tuple(w for w in h.words if w[0].isupper())
        if h.label.entity_id and words and not any(map(has_digit, h.words)):
            groups[h.label.entity_id].setdefault(words, h)
    for label, names in groups.items():
        clusters = _clusters(list(names), label)
        if len(clusters) > 1:
            text = " / ".join(names[max(c, key=len)].text for c in clusters)
            places = tuple(place_of(names[max(c, key=len)]) for c in clusters)
            suggestion = "Give each its own label, if they are different persons (S.R.1, S.R.2)"
            yield Finding(TWO_PERSONS, f"{label}: {text}", suggestion, places)


def _clusters(names: list[tuple[str, ...]], label: str) -> list[list[tuple[str, ...]]]:
    """Names that may be one person's together; a single word joins a full name but joins no two of them."""
    clusters: list[list[tuple[str, ...]]] = []
    for name in sorted(names, key=lambda n: (-len(n), n)):
        fits = [c for c in clusters if any(may_be_one(name, other, label) for other in c)]
        if fits and len(name) == 1:
            fits = fits[:1]
        merged = [name, *(n for c in fits for n in c)]
        clusters = [c for c in clusters if c not in fits] + [merged]
    return clusters


def may_be_one(a: tuple[str, ...], b: tuple[str, ...], label: str = "") -> bool:
    """Whether two names, as words without titles, may be one person's.

    >>> may_be_one(("William", "Millar"), ("Millar",)), may_be_one(("William", "Millar"), ("Wanda", "Moss"))
    (True, False)
    """
    short, long = sorted((_spelled(a), _spelled(b)), key=len)
    if all(any(_same_word(v, w) for w in long) for v in short):
        return True
    if len(short) == 1 and short[0].isupper() and short[0] == "".join(w[0] for w in long):
        return True
    if len(long) == 1 and "." in label:  # William and Millar: the given name and the surname of W.M.
        letters = [c for c in label if c.isalpha()]
        return a[0][0] != b[0][0] and a[0][0] in letters and b[0][0] in letters
    return False


def _spelled(name: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a name, initials apart: M.Z. Sokolov is M, Z, Sokolov."""
    return tuple(part for word in name for part in (word.split(".") if "." in word else [word]) if part)


def _same_word(v: str, w: str) -> bool:
    v, w = v.strip(".").casefold(), w.strip(".").casefold()
    if v == w or (min(len(v), len(w)) == 1 and v[:1] == w[:1]):
        return True
    return min(len(v), len(w)) > 4 and SequenceMatcher(None, v, w, autojunk=False).ratio() > 0.85


# --- paragraphs and words changed -----------------------------------------------------------------------------------


def unpaired(here: Side, there: Side, matches: Sequence[Match]) -> Iterator[Finding]:
    """Paragraphs without a partner on either side."""
    paired = {i for m in matches for i in m.pair.original}, {j for m in matches for j in m.pair.anonymized}
    advice = "Cut by the editor? Its words are not labelled", "Added by the editor? Check it for names"
    for side, name, with_partner, suggestion in zip((here, there), (ORIGINAL, ANONYMIZED), paired, advice, strict=True):
        for number, block in enumerate(side.document.blocks):
            if number not in with_partner and side.blocks[number]:
                spot = place(side.document, name, block.start, block.end)
                yield Finding(UNPAIRED, _shortened(spot.text), suggestion, (spot,))


def _shortened(text: str, most: int = 100) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[:most].rsplit(" ", 1)[0] + "…"


def rewordings(reworded: Sequence[Reworded]) -> Iterator[Finding]:
    """Words that changed without being hidden; neighbouring changes are one finding."""
    for group in _neighbouring(reworded):
        match, steps = group[0].match, [r.step for r in group]
        old = match.original[steps[0].o_start : steps[-1].o_end]
        new = match.anonymized[steps[0].a_start : steps[-1].a_end]
        before = _text(match.here, old) or "∅"
        after = _text(match.there, new) or "∅"
        start, end = (old[0].start, old[-1].end) if old else (_end_before(match, steps[0].o_start),) * 2
        other = place(match.there, ANONYMIZED, new[0].start, new[-1].end) if new else None
        spot = place(match.here, ORIGINAL, start, end, other)
        yield Finding(REWORDED, f"{before} → {after}", "Not labelled. If it hides something, label it by hand", (spot,))


def _neighbouring(reworded: Sequence[Reworded]) -> Iterator[list[Reworded]]:
    group: list[Reworded] = []
    for r in reworded:
        if group and not _touch(group[-1], r):
            yield group
            group = []
        group.append(r)
    if group:
        yield group


def _touch(one: Reworded, two: Reworded) -> bool:
    return one.match is two.match and (one.step.o_end, one.step.a_end) == (two.step.o_start, two.step.a_start)


def _text(document: Document, units: Sequence[Unit]) -> str:
    return " ".join(document.text[units[0].start : units[-1].end].split()) if units else ""


def _end_before(match: Match, o: int) -> int:
    if o:
        return match.original[o - 1].end
    return match.original[0].start if match.original else match.here.blocks[match.pair.original[0]].start
