"""Which of the editor's steps hide something: the runs of an original ruling that are anonymized.

A label that stands for words hides them. Words that were deleted, or gave way to a sign that is only perhaps a
label, are judged by what they are (names, numbers) and by what happened to them elsewhere in the ruling.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from aef import lexicons
from aef.corpus_tools.alignment.conventions import Convention, Label, Unit, deletion, has_digit, joined_label
from aef.corpus_tools.alignment.matches import (
    LOOSE_EDGES,
    SMALL_WORDS,
    Match,
    generic_words,
    is_title,
    title_before,
)
from aef.corpus_tools.alignment.token_alignment import DELETED, INSERTED, KEPT, LABEL, REWORDED, Sort, Step

_ADVERBS = frozenset(
    ("also", "then", "thus", "therefore", "however", "too", "already", "still", "again", "later", "now", "just", "only")
)  # words of a rewording beside a label, which neither begin nor end what is hidden
_NUMBERS = "one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty"
NUMBER_WORDS = frozenset(_NUMBERS.split())
_IN_USE = 3  # so many names under a form that is only perhaps a label, and it is the editor's convention
REPLACED_NAME = Convention("other words", "", ())


@dataclass(frozen=True)
class Hidden:
    """Units ``start:end`` of a match's original that stand hidden under a label."""

    match: Match
    start: int
    end: int
    label: Label

    @property
    def units(self) -> list[Unit]:
        return self.match.original[self.start : self.end]

    @property
    def text(self) -> str:
        return self.match.here.text[self.units[0].start : self.units[-1].end]

    @cached_property
    def named(self) -> list[Unit]:
        """The words of the name, without titles and a leading article, for comparing names."""
        words = [u for u in self.units if u.is_word and not is_title(u)]
        return words[1:] if len(words) > 1 and words[0].key in ("the", "a", "an") else words

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(u.text for u in self.named)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        return tuple(u.key for u in self.named)


@dataclass(frozen=True)
class Reworded:
    """Units that changed without being hidden: ordinary words for ordinary words."""

    match: Match
    step: Step


class Evidence:
    """What happened to each word of the original, over the whole ruling: how often hidden, kept, deleted."""

    def __init__(self, matches: Sequence[Match]) -> None:
        self.hidden: Counter[str] = Counter()
        self.kept: Counter[str] = Counter()
        self.kept_keys: set[str] = set()
        self.deleted: Counter[str] = Counter()
        labels = deletions = 0
        forms: Counter[str] = Counter()
        for match in matches:
            for step in match.steps:
                words = [u.text for u in match.original[step.o_start : step.o_end] if u.is_word]
                if step.kind == KEPT:
                    self.kept.update(words)
                    self.kept_keys.update(u.key for u in match.original[step.o_start : step.o_end])
                elif step.kind == LABEL and _strong(match, step):
                    self.hidden.update(words)
                    labels += 1
                elif step.kind == LABEL:
                    forms.update(label.convention.name for label in _labels(match, step))
                elif step.kind == DELETED:
                    self.deleted.update(words)
                    deletions += Sort.NAME in match.sorts[step.o_start : step.o_end]
        self.in_use = {form for form, times in forms.items() if times >= _IN_USE}
        self.by_deletion = deletions > labels + forms.total()

    def mostly_kept(self, words: Iterable[str]) -> bool:
        """Whether every one of the words usually stays: then a loss here is a matter of wording."""
        return all(self.kept[w] > 2 * (self.hidden[w] + self.deleted[w]) for w in words)

    def known(self, words: Iterable[str]) -> bool:
        """Whether one of the words is hidden under a label elsewhere, and not mostly kept."""
        return any(self.hidden[w] and self.kept[w] <= 2 * self.hidden[w] for w in words)

    def recurring(self, word: str) -> bool:
        """Whether a word is deleted again and again."""
        return self.deleted[word] > max(1, self.kept[word])


def _labels(match: Match, step: Step) -> list[Label]:
    return [u.label for u in match.anonymized[step.a_start : step.a_end] if u.label is not None]


def _strong(match: Match, step: Step) -> bool:
    return any(label.convention.strong for label in _labels(match, step))


def hidden_runs(matches: Sequence[Match]) -> tuple[list[Hidden], list[Reworded]]:
    """What the editor hid, and what was only reworded, in the order of the matches."""
    evidence = Evidence(matches)
    hidden: list[Hidden] = []
    reworded: list[Reworded] = []
    for match in matches:
        for step in _absorbed(match):
            runs = list(_judge(match, step, evidence))
            hidden += runs
            if not runs and step.kind != KEPT:
                reworded.append(Reworded(match, step))
    return hidden, [r for r in reworded if _has_words(r)]


def _has_words(reworded: Reworded) -> bool:
    match, step = reworded.match, reworded.step
    units = match.original[step.o_start : step.o_end] + match.anonymized[step.a_start : step.a_end]
    return any(u.is_word for u in units)


def _absorbed(match: Match) -> list[Step]:
    """The steps, where the paragraph was not reworded with what was deleted beside a label under that label, and
    neighbouring labels that read as one (``O.`` and ``[...]``) joined."""
    steps: list[Step] = []
    for step in match.steps:
        last = steps[-1] if steps else None
        if last and not match.reworded and _belongs_to_label(match, last, step):
            steps[-1] = Step(LABEL, last.o_start, step.o_end, last.a_start, step.a_end)
        elif last and last.kind == LABEL and _goes_with_label(match, last, step):
            steps[-1] = last._replace(o_end=step.o_end, a_end=step.a_end)
        else:
            steps.append(step)
    return steps


def _belongs_to_label(match: Match, first: Step, second: Step) -> bool:
    """Whether one of two neighbouring steps is a label and the other a deletion of more than small words."""
    if {first.kind, second.kind} != {LABEL, DELETED}:
        return False
    deleted = first if first.kind == DELETED else second
    small = LOOSE_EDGES if deleted is first else SMALL_WORDS
    words = [u.key for u in match.original[deleted.o_start : deleted.o_end] if u.is_word]
    return any(word not in small for word in words)


def _goes_with_label(match: Match, first: Step, second: Step) -> bool:
    """Whether a step only adds to the label before it: ``[...]`` to ``O.``, or a legal form to ``M.[...]``."""
    if second.kind == INSERTED:
        added = [u for u in match.anonymized[second.a_start : second.a_end] if u.is_word]
        company = any(label.entity_type == "ORG" for label in _labels(match, first))
        return bool(added) and all(u.key in generic_words() or (company and u.text[0].isupper()) for u in added)
    if second.kind != LABEL:
        return False
    one, two = match.anonymized[first.a_end - 1], match.anonymized[second.a_start]
    names = [u.label is not None and u.label.convention.identifies and u.label.convention.strong for u in (one, two)]
    return two.start - one.end <= 1 and not any(names)


def _judge(match: Match, step: Step, evidence: Evidence) -> Iterator[Hidden]:
    if step.kind == LABEL:
        labels = _labels(match, step)
        if _strong(match, step) or _is_used(match, step, labels, evidence):
            yield from _trimmed(match, step.o_start, step.o_end, joined_label(labels))
    elif step.kind == DELETED:
        for start, end in _deleted_names(match, step, evidence):
            yield from _trimmed(match, start, end, deletion())
    elif step.kind == REWORDED:
        names = _names(match, step.o_start, step.o_end)
        if names and evidence.known(names):
            text = " ".join(u.text for u in match.anonymized[step.a_start : step.a_end])
            for start, end in _cores(match, step.o_start, step.o_end):
                yield from _trimmed(match, start, end, Label(text, REPLACED_NAME, None))


def _is_used(match: Match, step: Step, labels: list[Label], evidence: Evidence) -> bool:
    """Whether a form that is only perhaps a label stands for a name, or is the editor's convention."""
    if _abbreviates(match, step, evidence):
        return False
    form = any(label.convention.name in evidence.in_use for label in labels)
    return form or Sort.NAME in match.sorts[step.o_start : step.o_end]


def _abbreviates(match: Match, step: Step, evidence: Evidence) -> bool:
    """EU for European Union: a word the ruling uses itself, or one for what is never hidden."""
    new = [u for u in match.anonymized[step.a_start : step.a_end] if u.label is not None]
    if any(u.label.convention.name != "capitals" for u in new if u.label):
        return False
    old = " ".join(u.text for u in match.original[step.o_start : step.o_end] if u.is_word)
    return old in lexicons.load("nome_exclusion") or all(u.key in evidence.kept_keys for u in new)


def _names(match: Match, start: int, end: int) -> list[str]:
    return [match.original[i].text for i in range(start, end) if match.sorts[i] == Sort.NAME]


def _trimmed(match: Match, start: int, end: int, label: Label) -> Iterator[Hidden]:
    """The run without signs and adverbs at its ends, small words at its end, and the titles it begins with (Mr and
    Mrs Smith: Smith); a title that begins the name of an organisation is part of it (Lord Ashby School)."""
    units = match.original
    if label.convention.name == "counter" and units[start].key == label.text.split()[0].casefold():
        start += 1  # Witness Smith: Witness 1
    while start < end and _is_loose(match, start, end, label.entity_type != "ORG"):
        start += 1
    while end > start and (match.sorts[end - 1] == Sort.SIGN or units[end - 1].text in SMALL_WORDS | _ADVERBS):
        end -= 1
    if start < end:
        yield Hidden(match, start, end, label)


def _is_loose(match: Match, start: int, end: int, titles: bool) -> bool:
    """Whether what a run begins with is no part of it."""
    sort, unit = match.sorts[start], match.original[start]
    if sort == Sort.SIGN or unit.text in _ADVERBS or (titles and sort == Sort.TITLE):
        return True
    return unit.key == "and" and start + 1 < end and match.sorts[start + 1] == Sort.TITLE


def _deleted_names(match: Match, step: Step, evidence: Evidence) -> Iterator[tuple[int, int]]:
    """The parts of a deletion that hide something."""
    start, end = _slid(match, step)
    names = _names(match, start, end)
    if not names:
        if evidence.by_deletion and _is_phrase(match, step, evidence):
            yield start, end
    elif _hides_names(match, step, names, title_before(match.original, start) is not None, evidence):
        yield from _cores(match, start, end) if match.reworded else [_without_loose_edges(match, start, end)]


def _hides_names(match: Match, step: Step, names: list[str], titled: bool, evidence: Evidence) -> bool:
    dated = len(names) > 1 and any(map(has_digit, names)) and not match.reworded
    if titled or dated or evidence.known(names) or any(map(evidence.recurring, names)):
        return True
    hole = match.leaves_hole(step)
    if evidence.by_deletion and (len(names) > 1 or (hole and not match.reworded)):
        return True
    plain = not match.reworded and (evidence.by_deletion or not match.drops)
    return (hole or plain) and not evidence.mostly_kept(names)


def _slid(match: Match, step: Step) -> tuple[int, int]:
    """The same deletion placed so that it begins and ends with names: of 'on 5 May on 6 May' 'on 5 May' may go or
    '5 May on'."""
    keys, sorts = [u.key for u in match.original], match.sorts
    start, end = step.o_start, step.o_end
    places = [(start, end)]
    while start and keys[start - 1] == keys[end - 1] and len(places) < 8:
        start, end = start - 1, end - 1
        places.append((start, end))
    start, end = step.o_start, step.o_end
    while end < len(keys) and keys[start] == keys[end] and len(places) < 16:
        start, end = start + 1, end + 1
        places.append((start, end))
    return max(places, key=lambda p: (sorts[p[0]] == Sort.NAME) + (sorts[p[1] - 1] == Sort.NAME))


def _is_phrase(match: Match, step: Step, evidence: Evidence) -> bool:
    """Whether lower-case words that vanished were hidden (a profession, a length of time), not edited away: they go
    again and again, or the sentence has a hole, or they are words found nowhere else."""
    words = [i for i in range(step.o_start, step.o_end) if match.original[i].is_word]
    texts = [match.original[i].text for i in words]
    rare = any(match.sorts[i] == Sort.LOWER and not evidence.kept[match.original[i].text] for i in words)
    if any(evidence.recurring(text) for i, text in zip(words, texts, strict=True) if match.sorts[i] == Sort.LOWER):
        return True
    hole = match.leaves_hole(step) and not evidence.mostly_kept(texts)
    if match.reworded:
        return rare and hole
    return hole or (len(words) > 1 and (rare or texts[0].casefold() in NUMBER_WORDS))


def _without_loose_edges(match: Match, start: int, end: int) -> tuple[int, int]:
    while start < end and (match.original[start].key in LOOSE_EDGES or match.sorts[start] == Sort.SIGN):
        start += 1
    while end > start and (match.original[end - 1].key in LOOSE_EDGES or match.sorts[end - 1] == Sort.SIGN):
        end -= 1
    return start, end


def _cores(match: Match, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The stretches from name to name, with at most two small words between."""
    names = [i for i in range(start, end) if match.sorts[i] == Sort.NAME or _goes_on(match, i, start)]
    first = last = names[0]
    for i in names[1:]:
        if sum(match.sorts[k] != Sort.SIGN for k in range(last + 1, i)) > 2:
            yield first, last + 1
            first = i
        last = i
    yield first, last + 1


def _goes_on(match: Match, i: int, start: int) -> bool:
    """A common word with a capital beside a name is part of it: Magistrates' Court."""
    beside = match.sorts[max(start, i - 2) : i]
    return match.original[i].text[0].isupper() and match.sorts[i] == Sort.COMMON and Sort.NAME in beside


def entity_type(hidden: Hidden) -> str | None:
    """The coarse type: what the label tells, held against what it stands for."""
    name, words = hidden.label.convention.name, [w for w in hidden.words if not has_digit(w)]
    if name == "initials":
        return "PERSON" if len(words) == len(hidden.words) else None
    if name in ("letter", "capitals") and len(words) == len(hidden.words):
        letters = [*filter(str.isalpha, hidden.label.text)]
        told = len(letters) > 1 or "." in hidden.label.text
        return "PERSON" if told and any(w[:1] == letters[-1] for w in words) else None
    return hidden.label.entity_type
