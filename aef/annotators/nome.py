"""NOME, the capitalization baseline: the term list that RALI and LEXUM gave editors of rulings.

Its rules are taken from the AEF thesis, sections 1.3 and 2.2 and figures 1.2 and 1.3; where they leave room, `Nome`
says what was chosen.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from aef import lexicons
from aef.annotators.nome_text import Found, Phrase, Phrases, Text, is_initial
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.tokenization.chunks import LETTERS
from aef.corpus_tools.tokenization.tokenizer import tokenize

OMISSION = "[...]"
"""The proposed replacement of what has no initials: dates."""

_WINDOW = 8  # tokens after "born" in which its date is looked for
_NEXT_DATE = 4  # tokens after a date in which another follows: "March 17, 2000, and May 3, 2002"
_LONGEST = 12  # longer terms are headings, not looked for elsewhere

_CAPITAL_MONTHS = frozenset({"en"})
"""Languages that write months with a capital: there "may" is no month."""
_OF = frozenset({"day", "of", "de", "del"})
"""What stands between the number of a day and the month."""

_DAY = re.compile(r"(?:[12]?\d|0\d|3[01])(?:st|nd|rd|th|er|º)?", re.IGNORECASE)
_FULL_DATE = re.compile(r"\d{1,4}([-/.])\d{1,2}\1\d{1,4}")
_APOSTROPHES = str.maketrans("", "", "'’")


@dataclass(frozen=True, slots=True)
class Term:
    """A line of the term list; ``places`` are the (start, end) offsets of its occurrences, in code points."""

    occurrences: int
    term: str
    replacement: str
    clash: bool
    places: tuple[tuple[int, int], ...]


class Nome:
    """Lists potential proper names: two or more capitalized words in sequence, and three word lists.

    - A capitalized word begins with a capital and has a lower-case letter; an initial (``J.``) counts inside a
      sequence. Words in capitals do not count, and a single word is no sequence: both misses are NOME's own.
    - A sequence ends with the sentence and at anything but white space, a hyphen or an apostrophe between two words.
      The period of an abbreviation or an initial is not a sentence's end.
    - The first word of a sentence is capitalized anyway: the common words that open a sentence are no part of a
      sequence ("The Supreme Court" leaves "Supreme Court", which the exclusion list then drops).
    - ``titles``: what follows a title is a name, be it one word or in capitals. The title stays out of it. With
      ``use_titles=False`` titles only separate, so that the title rule's share can be measured.
    - ``exclusion``: never listed. A phrase is cut out wherever it stands; a single word is cut off the ends of a
      sequence of three or more, and a sequence of nothing but such words is dropped. It outranks titles.
    - ``inclusion``: always listed, outranking exclusion. An entry with a capital is listed itself ("Deep Cove"), or
      the longer name it is part of. One without is a cue, as the thesis has it of "born": the date that follows in the
      sentence is listed, day and month (the year stays), or the whole date where it is in figures.
    - Documents are tokenized as ``language`` asks, whatever they were tokenized as before.
    - A term found once is listed with all its occurrences, for the editor replaces them all; dates, and single words
      that are common words, only where they were found.

    Lists not given are those of `aef.lexicons` (``nome_inclusion``, ``nome_exclusion``, ``nome_title``), a user's
    ``folder`` of lists taking precedence. Linear in the length of the document.

    >>> document = Nome().tag(Document.from_text("Yesterday Anna Zwetkow met Ms. Hale at the Supreme Court."))
    >>> [document.cut(mention) for mention in document.mentions]
    ['Anna Zwetkow', 'Hale']
    """

    def __init__(
        self,
        inclusion: Iterable[str] | None = None,
        exclusion: Iterable[str] | None = None,
        titles: Iterable[str] | None = None,
        use_titles: bool = True,
        *,
        language: str = "en",
        folder: str | Path | None = None,
    ) -> None:
        def chosen(given: Iterable[str] | None, name: str) -> frozenset[str]:
            return lexicons.load(name, language, folder) if given is None else frozenset(given)

        self.language = language
        included = chosen(inclusion, "nome_inclusion")
        excluded = [_words(entry, language) for entry in chosen(exclusion, "nome_exclusion")]
        self.use_titles = use_titles
        self._titles = chosen(titles, "nome_title")
        self._included = {_words(entry, language) for entry in included if not entry.islower()}
        self._cues = Phrases(_words(entry, language) for entry in included if entry.islower())
        self._excluded_phrases = Phrases(phrase for phrase in excluded if len(phrase) > 1)
        self._excluded_words = frozenset(phrase[0] for phrase in excluded if len(phrase) == 1)
        self._after_names = lexicons.load("name_suffixes", language, folder)
        self._months = lexicons.load("month_names", language, folder)
        self._common = lexicons.load("common_words", language, folder)

    def find(self, document: Document) -> list[Mention]:
        """The occurrences of all terms, in text order, without overlap.

        The type is PERSON after a title (wherever that name stands), DATETIME for a date, otherwise unknown.
        """
        text = Text(document.in_language(self.language))
        found = Found(len(text.words))
        for dated in self._dates(text):
            found.add(dated, "DATETIME")
        names = list(self._names(text, found.taken))
        kinds: dict[Phrase, str | None] = {}
        for span, titled in names:
            phrase = text.phrase(span)
            kinds[phrase] = "PERSON" if titled else kinds.get(phrase)
        for span, _ in names:
            found.add(span, kinds[text.phrase(span)])
        everywhere = Phrases({phrase for phrase in kinds if self._sought_elsewhere(phrase)} | self._included)
        for span in everywhere.occurrences(text.words, text.joined, found.taken):
            found.add(span, kinds.get(text.phrase(span)))
        return [text.mention(span, kind) for span, kind in found.in_order()]

    def tag(self, document: Document) -> Document:
        """The document with NOME's mentions in place of its own."""
        return document.with_mentions(self.find(document))

    def terms(self, document: Document) -> list[Term]:
        """The editor's list, by term: occurrences, proposed replacement, and whether two terms share it."""
        places: dict[str, list[tuple[int, int]]] = defaultdict(list)
        replacements: dict[str, str] = {}
        for mention in self.find(document):
            term = " ".join(document.cut(mention).split())
            places[term].append((mention.start, mention.end))
            replacements[term] = OMISSION if mention.entity_type == "DATETIME" else initials(term)
        shared = Counter(replacements.values())
        return [
            Term(len(where), term, new, shared[new] > 1 and new != OMISSION, tuple(where))
            for term, where in sorted(places.items(), key=lambda item: (item[0].casefold(), item[0]))
            for new in [replacements[term]]
        ]

    def _names(self, text: Text, taken: Sequence[bool]) -> Iterator[tuple[range, bool]]:
        """Sequences and titled names as token ranges, and whether a title stands before."""
        barred = self._excluded_phrases.mark(text.words, text.joined)
        i, end = 0, len(text.words)
        while i < end:
            title = self._is_title(text, i)
            titled = title and self.use_titles and text.words[i].rstrip(".") not in self._after_names
            first = i + title
            stop = first
            while stop < end and not (taken[stop] or barred[stop]) and self._continues(text, stop, first, titled):
                stop += 1
            span = self._trimmed(text, range(first, stop), titled)
            if span:
                yield span, titled
            i = max(stop, i + 1)

    def _continues(self, text: Text, i: int, first: int, titled: bool) -> bool:
        """Whether token ``i`` belongs to the name that began at ``first``."""
        if titled and i == first:
            return text.follows_title(i) and text.nameable(i, capitals=True) and not self._is_title(text, i)
        inside = i == first or text.joined[i]
        return inside and text.nameable(i, capitals=titled) and not self._is_title(text, i)

    def _is_title(self, text: Text, i: int) -> bool:
        word = text.words[i]
        spellings = {word, word + "."} if text.before_period(i) else {word}
        if word.isupper() and word.lower() not in self._common:  # MR. in a heading, but not ME for Maître
            spellings |= {spelling.capitalize() for spelling in spellings}
        return not self._titles.isdisjoint(spellings)

    def _trimmed(self, text: Text, span: range, titled: bool) -> range | None:
        """The name in a sequence, or none."""
        low, high = span.start, span.stop
        while not titled and low < high and text.first[span.start] and text.words[low].lower() in self._common:
            low += 1
        while high - low > 2 and text.words[low] in self._excluded_words:
            low += 1
        while high - low > 2 and text.words[high - 1] in self._excluded_words:
            high -= 1
        while low < high and text.words[high - 1] in ("A", "I"):
            high -= 1
        named = any(self._names_something(word) for word in text.words[low:high])
        return range(low, high) if named and high - low >= (1 if titled else 2) else None

    def _names_something(self, word: str) -> bool:
        """Not so the words of "Exhibit C."."""
        return word not in self._excluded_words and not is_initial(word)

    def _sought_elsewhere(self, phrase: Phrase) -> bool:
        return 1 < len(phrase) <= _LONGEST or (len(phrase) == 1 and phrase[0].lower() not in self._common)

    def _dates(self, text: Text) -> Iterator[range]:
        """The dates after a cue, in its sentence."""
        reached = 0
        for cue in self._cues.occurrences([word.lower() for word in text.words], text.joined):
            i = max(cue.stop, reached)
            limit = cue.stop + _WINDOW
            while i < min(limit, len(text.words)) and not text.begins_clause(i):
                date = self._date(text, i)
                if date:
                    yield date
                    i, limit = date.stop, date.stop + _NEXT_DATE
                else:
                    i += 1
            reached = max(reached, i)

    def _date(self, text: Text, i: int) -> range | None:
        """The date that begins at token ``i``: ``March 17``, ``17th day of March``, ``March``, ``17/03/2000``."""
        words = text.words
        if self._is_month(words[i]):
            return range(i, i + 2 if i + 1 < len(words) and _DAY.fullmatch(words[i + 1]) else i + 1)
        if _FULL_DATE.fullmatch(words[i]):
            return range(i, i + 1)
        if _DAY.fullmatch(words[i]):
            month = i + 1
            while month < min(i + 3, len(words)) and words[month].lower() in _OF:
                month += 1
            if month < len(words) and self._is_month(words[month]) and not text.first[month]:
                return range(i, month + 1)
        return None

    def _is_month(self, word: str) -> bool:
        return word.lower() in self._months and (word[0].isupper() or self.language not in _CAPITAL_MONTHS)


def initials(name: str) -> str:
    """The initials of a name in its own order, without spaces (AEF thesis, section 1.3).

    >>> initials("William Millar"), initials("Anne-Marie J. O'Brien")
    ('W.M.', 'A.M.J.O.')
    """
    return "".join(f"{word[0].upper()}." for word in LETTERS.findall(name.translate(_APOSTROPHES))) or OMISSION


def _words(entry: str, language: str) -> Phrase:
    return tuple(tokenize(entry, language=language).words) or (entry,)
