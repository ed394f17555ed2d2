"""What an editor should look at again: names missed, labels that do not agree, paragraphs and words changed."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cache
from itertools import combinations, groupby

from aef import lexicons
from aef.corpus_tools.conventions import Unit
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.hidden_runs import Hidden, Match, Reworded, Side, entity_type, has_digit, is_common, is_title
from aef.corpus_tools.token_alignment import KEPT

MISSED, INCONSISTENT, UNPAIRED, REWORDED = "missed", "inconsistent", "unpaired paragraph", "reworded"
TWO_LABELS, TWO_PERSONS = "one person under two labels", "two persons under one label"
KINDS = (MISSED, INCONSISTENT, TWO_LABELS, TWO_PERSONS, UNPAIRED, REWORDED)
ORIGINAL, ANONYMIZED = "original", "anonymized"

_CONTEXT = 48
_MOST_PLACES = 50


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


def find_all(
    here: Side, there: Side, matches: Sequence[Match], hidden: Sequence[Hidden], reworded: Sequence[Reworded]
) -> tuple[Finding, ...]:
    """All findings, kind by kind in the order of `KINDS`."""
    found = [
        *left_in_clear(here, there, matches, hidden),
        *two_labels(hidden),
        *two_persons(hidden),
        *unpaired(here, there, matches),
        *rewordings(reworded),
    ]
    return tuple(sorted(found, key=lambda f: KINDS.index(f.kind)))


def place(document: Document, side: str, start: int, end: int, counterpart: Place | None = None) -> Place:
    """The place ``start:end`` of a document's text."""
    block = max(0, bisect_right(document.blocks, start, key=lambda b: b.start) - 1)
    low, high = document.blocks[block].start, document.blocks[block].end
    before = _cut_words(document.text[max(low, start - _CONTEXT) : start], start - _CONTEXT > low, 0)
    after = _cut_words(document.text[end : min(max(high, end), end + _CONTEXT)], 0, end + _CONTEXT < high)
    return Place(side, block + 1, start, end, before, document.text[start:end], after, counterpart)


def _cut_words(text: str, at_start: bool | int, at_end: bool | int) -> str:
    """Context cut at a white space, with an ellipsis where it was cut."""
    if at_start and " " in text:
        text = "…" + text.split(" ", 1)[1]
    if at_end and " " in text:
        text = text.rsplit(" ", 1)[0] + "…"
    return " ".join(text.split("\n"))


def _place_of(hidden: Hidden) -> Place:
    return place(hidden.match.here, ORIGINAL, hidden.units[0].start, hidden.units[-1].end)


# --- names left in clear --------------------------------------------------------------------------------------------


@dataclass
class _Name:
    """A name that is hidden somewhere: how often, under which labels, and whether it stands for all of a mention."""

    words: tuple[str, ...]
    whole: bool
    hidden: list[Hidden] = field(default_factory=list)
    sure: bool = False  # a person's name by its label or by a title before it

    @property
    def weighty(self) -> bool:
        """Two words with capitals, or a long number: left in clear it is a slip however often that happens."""
        capitals = sum(w[0].isupper() and len(w) > 1 for w in self.words)
        return self.whole and (capitals > 1 or sum(map(str.isdigit, "".join(self.words))) > 4)


@dataclass(frozen=True)
class _Occurrence:
    block: int
    units: list[Unit]


@cache
def _generic() -> frozenset[str]:
    """Words that name many things: months, weekdays, what ends the name of a place or organisation, countries."""
    lists = ("month_names", "weekday_names", "generic_organization", "generic_place", "suffix_organization")
    alone = (e.casefold() for e in lexicons.load("nome_exclusion") if " " not in e)
    return frozenset(w.rstrip(".") for name in lists for w in lexicons.load(name)) | frozenset(alone)


def left_in_clear(here: Side, there: Side, matches: Sequence[Match], hidden: Sequence[Hidden]) -> Iterator[Finding]:
    """Occurrences in the anonymized version of names hidden elsewhere: missed, or, where the name mostly stays,
    inconsistent."""
    names = _names(hidden)
    origin = _origins(matches)
    done: set[int] = set()
    for words, found in _occurrences(there, names, _small_words(here)).items():
        name = names[words]
        occurrences = [o for o in found if o.units[0].start not in done]
        slips = name.weighty or len(occurrences) <= (2 if name.whole or name.sure else 1) * len(name.hidden)
        if occurrences and (slips or name.whole or name.sure):
            places = [_in_both(here, there, o, origin) for o in occurrences[:_MOST_PLACES]]
            yield _left(name, places, len(occurrences), slips)
        if slips:
            done.update(u.start for o in occurrences for u in o.units)


def _left(name: _Name, places: list[Place], times: int, slips: bool) -> Finding:
    labels = ", ".join(_labels(name.hidden)) or "nothing"
    if slips:
        return Finding(MISSED, places[0].text, f"Replace it by {labels}, as elsewhere", tuple(places))
    suggestion = (
        f"It is replaced {len(name.hidden)} times by {labels} and left in clear {times} times: "
        "decide whether it is to be hidden"
    )
    return Finding(INCONSISTENT, places[0].text, suggestion, (_place_of(name.hidden[0]), *places))


def _labels(hidden: Iterable[Hidden]) -> list[str]:
    return [label for label, _ in Counter(h.label.text for h in hidden if h.label.text).most_common(3)]


def _names(hidden: Sequence[Hidden]) -> dict[tuple[str, ...], _Name]:
    """The names to look for, by the keys of their words: whole mentions, and telling words of longer ones."""
    names: dict[tuple[str, ...], _Name] = {}
    for h in hidden:
        titled = _titled(h.match.original, h.start)
        if _worth_looking_for(h.words):
            _add(names, h.named, h, True, titled or entity_type(h) == "PERSON")
        if len(h.words) > 1:
            for unit, sure in _telling_words(h, titled):
                _add(names, [unit], h, False, sure)
    return names


def _add(names: dict[tuple[str, ...], _Name], units: list[Unit], h: Hidden, whole: bool, sure: bool) -> None:
    name = names.setdefault(tuple(u.key for u in units), _Name(tuple(u.text for u in units), whole))
    name.hidden.append(h)
    name.whole, name.sure = name.whole or whole, name.sure or sure


def _worth_looking_for(words: tuple[str, ...]) -> bool:
    """A whole mention that is more than small words or a short number."""
    telling = [w for w in words if not _is_common(w)]
    if len(words) == 1:
        return any(w[0].isupper() or (w[0].isdigit() and len(w) > 3) for w in telling)
    return any(not w.islower() for w in words) or bool(telling)


def _is_common(word: str) -> bool:
    return len(word) < 2 or word.casefold() in lexicons.load("common_words")


def _telling_words(h: Hidden, titled: bool) -> Iterator[tuple[Unit, bool]]:
    """Words that give a longer name away, and whether it is a person's for sure."""
    capitals = [u for u in h.named if u.text[0].isupper() and len(u.text) > 2 and u.text.isalpha()]
    telling = [u for u in capitals if not _is_common(u.text) and u.key not in _generic()]
    if titled or entity_type(h) == "PERSON":
        yield from ((u, True) for u in telling)
    elif any(has_digit(w) or w.islower() for w in h.words):
        return
    elif entity_type(h) == "ORG" or h.keys[-1] in _generic():
        yield from ((u, False) for u in telling[:1] if u is h.named[0])
    elif len(h.words) <= 4:
        yield from ((u, False) for u in telling)


def _titled(units: Sequence[Unit], start: int) -> bool:
    while start and units[start - 1].text == ".":
        start -= 1
    return start > 0 and is_title(units[start - 1])


def _small_words(side: Side) -> set[str]:
    return {u.key for block in side.blocks for u in block if u.text[0].islower()}


def _occurrences(
    side: Side, names: dict[tuple[str, ...], _Name], small: set[str]
) -> dict[tuple[str, ...], list[_Occurrence]]:
    """Where the names stand in clear, the longest names first, also inside one another."""
    found: dict[tuple[str, ...], list[_Occurrence]] = {n: [] for n in sorted(names, key=len, reverse=True)}
    lengths: dict[str, set[int]] = defaultdict(set)
    for words in names:
        lengths[words[0]].add(len(words))
    for number, block in enumerate(side.blocks):
        words = [i for i, u in enumerate(block) if u.is_word]
        for n, i in enumerate(words):
            for length in lengths.get(block[i].key, ()):
                span = words[n : n + length]
                key = tuple(block[k].key for k in span)
                if key in names and _is_it(names[key], block, span, small):
                    found[key].append(_Occurrence(number, block[i : span[-1] + 1]))
    return found


def _is_it(name: _Name, block: Sequence[Unit], span: list[int], small: set[str]) -> bool:
    """Whether the words at ``span`` are the name and not ordinary words or part of another name."""
    texts = [block[i].text for i in span]
    if any(w[0].isupper() and not t[0].isupper() for w, t in zip(name.words, texts, strict=True)):
        return False
    if span[-1] - span[0] > 2 * len(span):
        return False
    if len(span) > 1 or has_digit(texts[0]) or _titled(block, span[0]):
        return True
    if texts[0].casefold() in small and _begins(block, span[0]):
        return False
    if _names_on(block, span[0], 1):
        return False
    return name.sure or name.whole or not _names_on(block, span[0], -1)


def _begins(block: Sequence[Unit], n: int) -> bool:
    return n == 0 or block[n - 1].text in ".!?"


def _names_on(block: Sequence[Unit], n: int, step: int) -> bool:
    """Whether a capital word directly before or after makes another name of a single word: Green Street."""
    other = n + step
    if not 0 <= other < len(block) or not block[other].text[0].isupper():
        return False
    beside = block[other]
    gap = block[max(n, other)].start - block[min(n, other)].end
    opening = step < 0 and is_common(beside)  # The Green of a sentence's start
    return gap <= 1 and beside.label is None and not opening and not is_title(beside)


def _origins(matches: Sequence[Match]) -> dict[int, int]:
    """Start of each kept unit of the anonymized version -> its start in the original."""
    return {
        match.anonymized[step.a_start + k].start: match.original[step.o_start + k].start
        for match in matches
        for step in match.steps
        if step.kind == KEPT
        for k in range(step.o_end - step.o_start)
    }


def _in_both(here: Side, there: Side, occurrence: _Occurrence, origin: dict[int, int]) -> Place:
    """The place in the original where it has one, else in the anonymized version."""
    first, last = occurrence.units[0], occurrence.units[-1]
    published = place(there.document, ANONYMIZED, first.start, last.end)
    if first.start not in origin or last.start not in origin:
        return published
    start, end = origin[first.start], origin[last.start] + last.end - last.start
    return place(here.document, ORIGINAL, start, end, published)


def missed_mentions(document: Document, findings: Iterable[Finding], mentions: Sequence[Mention]) -> list[Mention]:
    """The missed names that stand in the original, as mentions of whole tokens with the type and label of the rest."""
    like = {document.cut(m): m for m in mentions}
    tokens, taken = document.tokens, document.mask(mentions)
    made = []
    for finding in findings:
        for p in finding.places if finding.kind == MISSED else ():
            run = document.token_range(p.start, p.end)
            if p.side == ORIGINAL and run and not taken[run.start : run.stop].any():
                model = like.get(p.text)
                made.append(
                    Mention(
                        int(tokens.starts[run.start]),
                        int(tokens.ends[run.stop - 1]),
                        model.entity_type if model else None,
                        "DIRECT",
                        model.entity_id if model else None,
                        extra={"missed": True} | ({"replacement": model.extra["replacement"]} if model else {}),
                    )
                )
    return made


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
            places = tuple(_place_of(h) for _, hs in ordered for h in hs[:3])
            text = ordered[0][1][0].text
            yield Finding(TWO_LABELS, f"{text}: {used}", f"Use {ordered[0][0]} throughout, if it is one person", places)


def _person_key(h: Hidden) -> tuple[str, ...]:
    """The name in small letters, a single word with the sex its title tells: Mr Millar is not Ms Millar."""
    words = tuple(w.casefold() for w in h.words)
    if len(words) > 1:
        return ("", *words)
    start = h.start
    while start and h.match.original[start - 1].text == ".":
        start -= 1
    title = h.match.original[start - 1].key.rstrip(".") if start and is_title(h.match.original[start - 1]) else ""
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
            places = tuple(_place_of(names[max(c, key=len)]) for c in clusters)
            suggestion = "Give each its own label, if they are different persons (S.R.1, S.R.2)"
            yield Finding(TWO_PERSONS, f"{label}: {text}", suggestion, places)


def _clusters(names: list[tuple[str, ...]], label: str) -> list[list[tuple[str, ...]]]:
    """Names joined where they may be one person's, also by way of a third."""
    root = {name: name for name in names}

    def find(name: tuple[str, ...]) -> tuple[str, ...]:
        while root[name] != name:
            name = root[name]
        return name

    for a, b in combinations(names, 2):
        if may_be_one(a, b, label):
            root[find(a)] = find(b)
    ordered = sorted(names, key=find)
    return [list(group) for _, group in groupby(ordered, key=find)]


def may_be_one(a: tuple[str, ...], b: tuple[str, ...], label: str = "") -> bool:
    """Whether two names, as words without titles, may be one person's.

    >>> may_be_one(("William", "Millar"), ("Millar",)), may_be_one(("William", "Millar"), ("Wanda", "Moss"))
    (True, False)
    """
    short, long = sorted((a, b), key=len)
    if all(any(_same_word(v, w) for w in long) for v in short):
        return True
    if len(short) == 1 and short[0].isupper() and short[0] == "".join(w[0] for w in long):
        return True
    if len(long) == 1 and "." in label:  # William and Millar: the given name and the surname of W.M.
        letters = [c for c in label if c.isalpha()]
        return a[0][0] != b[0][0] and a[0][0] in letters and b[0][0] in letters
    return False


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
            if number not in with_partner:
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
