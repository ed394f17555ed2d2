"""Real rulings with the names of people exchanged for others: what stands around names stays, the names are new.

Each word of a name becomes the same other word throughout its ruling, a surname another surname, and keeps its form:
capitals stay capitals, an initial an initial. A model that learns from such copies learns what stands around a name
and not by heart who was named. Some commas become ends of sentences, and some stretches of the text capitals, so that
ordinary words are seen with a capital, too.
"""

from __future__ import annotations

import random
import re
import unicodedata
from dataclasses import replace

from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.gold.conll import nesting
from aef.corpus_tools.invented.sentences import PERSON, Names, flat
from aef.corpus_tools.tokenization.chunks import LETTERS

_LETTERS = "ABCDEFGHIJLMNOPRSTV"
_SHOUTED, _UNACCENTED, _CUT, _LOUD = 0.3, 0.25, 0.25, 0.04
"""Shares of the rulings that write surnames in capitals, and of those that write names without accents; of the commas
that become periods, and of the sentences in capitals."""
_COMMA = re.compile(r"(?<=[^\W\d]{2})(?:,|;)\s+([a-zà-ÿ])(?=[^\W\d_]{2})")
_SENTENCE = re.compile(r"[^.\n]+[.\n]*")


def swapped(document: Document, language: str, seed: int = 0) -> Document:
    """The ruling with other names, and all its mentions; the same seed gives the same."""
    return _Swap(document, language, random.Random(f"{document.doc_id}/{len(document.text)}/{seed}")).made()


class _Swap:
    """The exchange of names in one ruling."""

    def __init__(self, document: Document, language: str, rng: random.Random) -> None:
        self.document, self.language, self.rng = document, language, rng
        self.names = Names(language)
        self.others: dict[str, str] = {}
        self.shouted, self.flat = rng.random() < _SHOUTED, rng.random() < _UNACCENTED

    def made(self) -> Document:
        """Rebuilt from left to right; mentions inside of one another keep the outer one alone."""
        text, end, mentions = "", 0, []
        for mention in nesting(self.document.mentions)[0]:
            text += self._recut(self.document.text[end : mention.start])
            new = self._exchanged(mention)
            mentions.append(replace(mention, start=len(text), end=len(text) + len(new)))
            text, end = text + new, mention.end
        text += self._recut(self.document.text[end:])
        made = Document.from_text(text, f"{self.document.doc_id}-swapped", mentions)
        return made.in_language(self.language)

    def _recut(self, text: str) -> str:
        """What stands between names, with other sentences."""
        text = _COMMA.sub(lambda m: f". {m[1].upper()}" if self.rng.random() < _CUT else m[0], text)
        return _SENTENCE.sub(lambda m: m[0].upper() if self.rng.random() < _LOUD else m[0], text)

    def _exchanged(self, mention: Mention) -> str:
        name = self.document.cut(mention)
        if mention.entity_type != PERSON:
            return name
        words = [word for word in LETTERS.finditer(name) if word[0][0].isupper()]
        last = words[-1].start() if words else -1
        return LETTERS.sub(lambda word: self._other(word[0], word.start() == last), name)

    def _other(self, word: str, last: bool) -> str:
        if not word[0].isupper():
            return word
        if len(word) == 1:
            return self.others.setdefault(word, self.rng.choice(_LETTERS))
        key = unicodedata.normalize("NFC", word).casefold()
        if key not in self.others:
            other = self.names.surname(self.rng) if last else self.rng.choice(self.names.given(self.rng.choice("mf")))
            self.others[key] = flat(other) if self.flat else other
        other = self.others[key]
        return other.upper() if word.isupper() or (last and self.shouted) else other
