"""Names left in clear that are hidden elsewhere in the ruling: what the editor missed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import NamedTuple

from aef import lexicons
from aef.corpus_tools.alignment.conventions import Unit, has_digit
from aef.corpus_tools.alignment.findings import (
    ANONYMIZED,
    INCONSISTENT,
    MISSED,
    ORIGINAL,
    Finding,
    Place,
    place,
    place_of,
)
from aef.corpus_tools.alignment.hidden_runs import Hidden, entity_type
from aef.corpus_tools.alignment.matches import Match, Side, generic_words, is_common, is_title, title_before
from aef.corpus_tools.alignment.token_alignment import KEPT
from aef.corpus_tools.document import Document, Mention

_MOST_PLACES = 50


@dataclass
class _Name:
    """A name that is hidden somewhere: how often, under which labels, and whether it stands for all of a mention."""

    words: tuple[str, ...]
    keys: tuple[str, ...]
    whole: bool
    hidden: list[Hidden] = field(default_factory=list)
    sure: bool = False  # a person's name by its label or by a title before it

    @property
    def company(self) -> bool:
        """By its labels an organisation's, and mostly not hidden where a place is named (in O.[...])."""
        places = sum(map(_follows_place_word, self.hidden))
        return all(entity_type(h) == "ORG" for h in self.hidden) and 2 * places < len(self.hidden)

    @property
    def weighty(self) -> bool:
        """Two words with capitals, or a long number: left in clear it is a slip however often that happens."""
        capitals = sum(w[0].isupper() and len(w) > 1 for w in self.words)
        return self.whole and (capitals > 1 or sum(map(str.isdigit, "".join(self.words))) > 4)


@dataclass(frozen=True)
class _Occurrence:
    block: int
    units: list[Unit]


def left_in_clear(here: Side, there: Side, matches: Sequence[Match], hidden: Sequence[Hidden]) -> Iterator[Finding]:
    """Occurrences in the anonymized version of names hidden elsewhere: missed, or, where the name mostly stays,
    inconsistent."""
    names = _names(hidden)
    origin = _origins(matches)
    done: set[int] = set()
    for words, found in _occurrences(there, names, _ordinary_words(here)).items():
        name = names[words]
        occurrences = [o for o in found if o.units[0].start not in done]
        slips = name.weighty or len(occurrences) <= (2 if name.whole or name.sure else 1) * len(name.hidden)
        if occurrences and (slips or name.whole or name.sure):
            places = [_in_both(here, there, o, origin) for o in occurrences[:_MOST_PLACES]]
            yield _left(name, places, len(occurrences), slips)
        if slips:
            done.update(u.start for o in occurrences for u in o.units)


def _left(name: _Name, places: list[Place], times: int, slips: bool) -> Finding:
    labels = _labels(name)
    if slips:
        todo = f"Replace it by {labels}, as elsewhere" if labels else "Delete it, as elsewhere"
        return Finding(MISSED, places[0].text, todo, tuple(places))
    suggestion = (
        f"Hidden {_times(len(name.hidden))}{labels and ' by ' + labels} and left in clear {_times(times)}: "
        "decide whether it is to be hidden"
    )
    return Finding(INCONSISTENT, places[0].text, suggestion, (place_of(name.hidden[0]), *places))


def _labels(name: _Name) -> str:
    """What the name itself, or else a longer one it is part of, is replaced by, most often first."""
    own = [h for h in name.hidden if h.keys == name.keys]
    labels = Counter(h.label.text for h in own or name.hidden if h.label.text)
    return " or ".join(label for label, _ in labels.most_common(3))


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _names(hidden: Sequence[Hidden]) -> dict[tuple[str, ...], _Name]:
    """The names to look for, by the keys of their words: whole mentions, and telling words of longer ones."""
    names: dict[tuple[str, ...], _Name] = {}
    for h in hidden:
        titled = title_before(h.match.original, h.start) is not None
        whole = _is_whole(h)
        person = titled or entity_type(h) == "PERSON"
        if whole and (_worth_looking_for(h.words) or (person and h.words and h.words[0][0].isupper())):
            _add(names, h.named, h, True, person)
        if len(h.words) > 1 or not whole:
            for unit, sure in _telling_words(h, titled):
                _add(names, [unit], h, False, sure)
    return names


def _add(names: dict[tuple[str, ...], _Name], units: list[Unit], h: Hidden, whole: bool, sure: bool) -> None:
    keys = tuple(u.key for u in units)
    name = names.setdefault(keys, _Name(tuple(u.text for u in units), keys, whole))
    name.hidden.append(h)
    name.whole, name.sure = name.whole or whole, name.sure or sure


def _is_whole(h: Hidden) -> bool:
    """Whether the hidden words are all of the name: of Barrie Construction the last word stays in clear."""
    units = h.match.original
    goes_on = h.end < len(units) and (units[h.end].text[0].isupper() or units[h.end].key in generic_words())
    return len(h.words) > 1 or entity_type(h) != "ORG" or not goes_on


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
    telling = [u for u in capitals if not _is_common(u.text) and u.key not in generic_words()]
    if titled or entity_type(h) == "PERSON":
        yield from ((u, True) for u in telling)
    elif any(has_digit(w) or w.islower() for w in h.words):
        return
    elif entity_type(h) == "ORG" or h.keys[-1] in generic_words():
        yield from ((u, False) for u in telling[:1] if u is h.named[0])
    elif len(h.words) <= 4:
        yield from ((u, False) for u in telling)


class _Ordinary(NamedTuple):
    """How often words stand in small letters in the ruling, and the names of one or two words that are places in it."""

    small: Counter[str]
    places: set[tuple[str, ...]]


def _ordinary_words(side: Side) -> _Ordinary:
    small = Counter(u.key for block in side.blocks for u in block if u.text[0].islower())
    places = {found for block in side.blocks for n in range(len(block)) if (found := _place_at(block, n))}
    return _Ordinary(small, places)


_PLACE_WORDS = ("in", "near", "around")


def _follows_place_word(h: Hidden) -> bool:
    return h.start > 0 and h.match.original[h.start - 1].key in _PLACE_WORDS


def _place_at(block: Sequence[Unit], n: int) -> tuple[str, ...]:
    """The name after ``in`` or ``near``, unless it goes on as that of a company does."""
    if block[n].key not in _PLACE_WORDS:
        return ()
    run = list(takewhile(lambda u: u.text[0].isupper() or u.key in generic_words(), block[n + 1 : n + 5]))
    return tuple(u.key for u in run) if len(run) <= 2 else ()


def _occurrences(
    side: Side, names: dict[tuple[str, ...], _Name], ordinary: _Ordinary
) -> dict[tuple[str, ...], list[_Occurrence]]:
    """Where the names stand in clear, the longest names first, also inside one another."""
    found: dict[tuple[str, ...], list[_Occurrence]] = {n: [] for n in sorted(names, key=len, reverse=True)}
    lengths: dict[str, set[int]] = defaultdict(set)
    for words in names:
        lengths[words[0]].add(len(words))
    for number, block in enumerate(side.blocks):
        places = [i for i, u in enumerate(block) if u.is_word]
        for n, i in enumerate(places):
            for length in lengths.get(block[i].key, ()):
                span = places[n : n + length]
                key = tuple(block[k].key for k in span)
                if key in names and _is_it(names[key], block, span, ordinary):
                    found[key].append(_Occurrence(number, block[i : span[-1] + 1]))
    return found


def _is_it(name: _Name, block: Sequence[Unit], span: list[int], ordinary: _Ordinary) -> bool:
    """Whether the words at ``span`` are the name and not ordinary words or part of another name."""
    texts = [block[i].text for i in span]
    if any(w[0].isupper() and not t[0].isupper() for w, t in zip(name.words, texts, strict=True)):
        return False
    if span[-1] - span[0] > 2 * len(span) or _in_cited_case(name, block, span) or _is_other_date(name, block, span):
        return False
    if name.keys in ordinary.places and name.company:
        return False  # in Barrie: the town, not the company of that name
    if len(span) > 1 or has_digit(texts[0]) or title_before(block, span[0]):
        return True
    if is_common(block[span[0]]) or _is_month(block, span[0]) or _is_small(name, block, span[0], ordinary):
        return False
    if _names_on(block, span[0], 1) or _in_hyphenated_name(block, span[0]):
        return False
    if name.sure or name.whole:
        return True
    return not _names_on(block, span[0], -1)


def _is_month(block: Sequence[Unit], n: int) -> bool:
    """April 26, in August: the month, not the child of that name."""
    if block[n].key not in lexicons.load("month_names"):
        return False
    before = block[n - 1] if n else None
    after = next((u for u in block[n + 1 : n + 3] if u.is_word), None)
    dated = (before and has_digit(before.text)) or (after and has_digit(after.text))
    return bool(dated) or (before is not None and before.key in _BEFORE_A_TIME)


_BEFORE_A_TIME = frozenset(("in", "of", "since", "until", "by", "from", "during", "last", "this", "next", "early"))


def _in_cited_case(name: _Name, block: Sequence[Unit], span: list[int]) -> bool:
    """A name beside ``v.`` whose other party is a name that stays, or its like in running text: a cited case."""
    for versus, step in ((span[-1] + 1, 1), (span[0] - 1, -1)):
        if step < 0 and 0 <= versus < len(block) and block[versus].text == ".":
            versus -= 1
        if 0 <= versus < len(block) and block[versus].key in ("v", "vs", "c"):
            other = next((u for u in block[versus + step :: step][:3] if u.is_word), None)
            return other is not None and other.label is None and (other.key not in name.keys or len(block) > _HEADING)
    return False


_HEADING = 25  # units of a paragraph that may be the ruling's own style of cause


def _is_other_date(name: _Name, block: Sequence[Unit], span: list[int]) -> bool:
    """January 11 of another year than the day that is hidden."""
    year = _year_after(block, span[-1] + 1)
    hidden = {_year_after(h.match.original, h.end) for h in name.hidden if h.keys == name.keys}
    return year is not None and None not in hidden and year not in hidden


def _year_after(block: Sequence[Unit], n: int) -> str | None:
    after = [u.text for u in block[n : n + 2] if u.is_word]
    return after[0] if after and after[0].isdigit() and len(after[0]) == 4 else None


def _is_small(name: _Name, block: Sequence[Unit], n: int, ordinary: _Ordinary) -> bool:
    """Whether the capital may be due to the start of a sentence: a word that is as often an ordinary one."""
    begins = n == 0 or block[n - 1].text in ".!?"
    return begins and ordinary.small[block[n].key] >= len(name.hidden)


def _in_hyphenated_name(block: Sequence[Unit], n: int) -> bool:
    """One half of another name: Park-Lee."""
    for hyphen, other in ((n - 1, n - 2), (n + 1, n + 2)):
        if min(hyphen, other) >= 0 and max(hyphen, other) < len(block) and block[hyphen].key == "-":
            touch = block[max(hyphen, other)].start - block[min(hyphen, other)].end
            if touch == 0 and block[other].text[0].isupper():
                return True
    return False


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
    like = {document.cut(m): m for m in reversed(mentions)}
    parts = {word: m for text, m in like.items() for word in text.split()}
    tokens, taken = document.tokens, document.mask(mentions)
    made = []
    for p in (p for f in findings if f.kind == MISSED for p in f.places if p.side == ORIGINAL):
        run = document.token_range(p.start, p.end)
        if not run or taken[run.start : run.stop].any():
            continue
        taken[run.start : run.stop] = True
        model = like.get(p.text) or parts.get(p.text) or Mention(0, 0)
        extra = {"missed": True} | {k: v for k, v in model.extra.items() if k == "replacement"}
        start, end = int(tokens.starts[run.start]), int(tokens.ends[run.stop - 1])
        made.append(Mention(start, end, model.entity_type, "DIRECT", model.entity_id, extra=extra))
    return made
