"""Where the names that a model found begin and end."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from aef.boundaries.ruling import Bools, Ruling, is_rank
from aef.corpus_tools.document import Mention
from aef.names.parts import INITIALS, POST_NOMINALS, word_set

_SUFFIXES = frozenset({"Jr", "Jnr", "Sr", "Snr", "JR", "SR"})
_SUFFIXES |= {f"{suffix}." for suffix in _SUFFIXES} | {"II", "III", "IV"}
_RANKS = word_set("hhj dj s.i. a.s.i. p.s.i. p.i. d.c. d.s. d.i. d.c.i. dc ds di dci pc dsp")
"""Of judges and the police, before a name."""
_NUMBERS = frozenset(f"{letter}." for letter in "ABCDEFGH")
"""Letters before headings."""
_BETWEEN = frozenset({"vs", "vrs", "versus"})
_VERSUS = _BETWEEN | {"v"}


class Edges:
    """Sets the edges of the mentions of one ruling.

    ``taken``, shape (tokens,): which tokens belong to a mention; what a name is widened by is marked in it. ``last``:
    the words that names end in. ``initials``: by each word of names of several words the letters that these begin with.
    """

    def __init__(self, ruling: Ruling, taken: Bools) -> None:
        self.ruling = ruling
        self.lists = ruling.lists
        self.taken = taken
        self.last: set[str] = set()
        self.initials: dict[str, set[str]] = defaultdict(set)

    def set(self, people: list[Mention]) -> list[Mention]:
        """The mentions with their edges where the names have them."""
        self._look_at([tokens for tokens in map(self.ruling.tokens, people) if tokens])
        parts = [part for mention in self._joined(people) for part in self._sides(mention)]
        return [self._widened(self._trimmed(part)) for part in parts]

    def _look_at(self, names: list[range]) -> None:
        """Remember the words that names end in, and their initials."""
        words = self.ruling.words
        self.last = {words[tokens[-1]] for tokens in names}
        for tokens in names:
            if len(tokens) > 1 and not self._may_number(tokens[0]):
                for token in tokens:
                    self.initials[words[token]].add(words[tokens[0]][0])

    def _joined(self, people: list[Mention]) -> list[Mention]:
        """The mentions, those of a "Jr." alone joined to the name before it, and names that a line's end breaks behind
        an initial."""
        joined: list[Mention] = []
        for mention in people:
            if joined and self._goes_on(joined[-1], mention):
                joined[-1] = replace(joined[-1], end=mention.end)
            else:
                joined.append(mention)
        return joined

    def _goes_on(self, left: Mention, right: Mention) -> bool:
        text = self.ruling.whole.text
        if self.ruling.whole.cut(right) in _SUFFIXES:
            return text[left.end : right.start].strip() in ("", ",")
        last = text[self.ruling.start(self.ruling.tokens(left)[-1]) : right.start]
        return last.count("\n") == 1 and _is_short(last.strip()) and last.strip() not in _SUFFIXES

    def _sides(self, mention: Mention) -> list[Mention]:
        """The mention, or those that a comma or a word between people parts: "HARRIMAN V. HARRIMAN", "HEATHER AND
        ROBERT", "Vigil, Donald Vigil"; of what somebody has the name alone: "Bellino's SUV"."""
        tokens, first = self.ruling.tokens(mention), mention.start
        sides: list[Mention] = []
        for token in tokens[1:]:
            if self._has(token):
                return [*sides, replace(mention, start=first, end=self.ruling.end(token - 1))]
            if "," in self.ruling.gap(token - 1, token) and self.ruling.words[token] not in _SUFFIXES:
                sides.append(replace(mention, start=first, end=self.ruling.end(token - 1)))
                first = self.ruling.start(token)
            elif self._parts(token, tokens.stop):
                sides.append(replace(mention, start=first, end=self.ruling.end(token - 1)))
                first = self.ruling.start(token + 1) if token + 1 < tokens.stop else mention.end
        if first < mention.end:
            sides.append(replace(mention, start=first))
        return [side for side in sides if side.start < side.end]

    def _has(self, token: int) -> bool:
        """Whether a token begins what somebody has, whose name ends there elsewhere, too."""
        return self.ruling.gap(token - 1, token)[:1] in ("'", "’") and self.ruling.words[token - 1] in self.last

    def _parts(self, token: int, stop: int) -> bool:
        """Whether a word stands between two people; "v" may be an initial, too, where it parts no namesakes."""
        if token + 1 < stop and self._is_letters_behind(token):
            return True
        word = self.ruling.words[token].lower().rstrip(".")
        if word == "v":
            return token + 1 < stop and self.ruling.words[token - 1] == self.ruling.words[token + 1]
        return word in _VERSUS or word in self.lists.between

    def _is_letters_behind(self, token: int) -> bool:
        """Whether letters in capitals behind a name that has small ones end it: "Ann Hale KC Bo Reed"."""
        return self.ruling.words[token] in POST_NOMINALS and not self.ruling.words[token - 1].isupper()

    def _trimmed(self, mention: Mention) -> Mention:
        """Without a question's letter and ranks; whether titles are part of a name is the corpus's to say."""
        tokens = list(self.ruling.tokens(mention))
        while len(tokens) > 1 and self._is_before_name(tokens[0]):
            tokens.pop(0)
        while len(tokens) > 1 and is_rank(self.ruling.words[tokens[-1]]):
            tokens.pop()
        last = self.ruling.words[tokens[-1]]
        if len(tokens) == len(self.ruling.tokens(mention)):
            return mention
        end = self.ruling.start(tokens[-1]) + len(last)
        return replace(mention, start=max(mention.start, self.ruling.start(tokens[0])), end=min(mention.end, end))

    def _is_before_name(self, token: int) -> bool:
        """Whether it is a question's letter, a rank, or what stands between two parties; "V." may be an initial."""
        word = self.ruling.words[token].lower()
        if word.rstrip(".") in _BETWEEN or word in _RANKS:
            return True
        return self.ruling.is_turn(token) or self._numbers_a_heading(token)

    def _numbers_a_heading(self, token: int) -> bool:
        """Whether a letter numbers a heading that begins with a name, which has other initials elsewhere."""
        if not self._may_number(token):
            return False
        initials = self.initials.get(self.ruling.words[token + 1], set())
        return bool(initials) and self.ruling.words[token][0] not in initials

    def _may_number(self, token: int) -> bool:
        return self.ruling.words[token] in _NUMBERS and self.ruling.begins_line(token)

    def _widened(self, mention: Mention) -> Mention:
        """With the given names and initials that stand right before it, and what ends a name behind it."""
        tokens = self.ruling.tokens(mention)
        start, end, token = mention.start, mention.end, tokens.start
        while token and self._belongs(token - 1, start) and not self.taken[token - 1]:
            token -= 1
            start, self.taken[token] = self.ruling.start(token), True
        token = tokens.stop
        while token < len(self.ruling.words) and not self.taken[token] and self._ends_name(token, end):
            end, self.taken[token] = self.ruling.end(token), True
            token += 1
        return replace(mention, start=start, end=end)

    def _belongs(self, token: int, start: int) -> bool:
        """Whether a token is a part of the name that begins right behind it."""
        word, end = self.ruling.words[token], self.ruling.end(token)
        gap = self.ruling.whole.text[end:start]
        bare = word.lower().rstrip(".")
        if not word[:1].isupper() or bare in _BETWEEN or bare in self.ruling.titles:
            return False
        if gap == "-" or (not gap and _is_short(word)):  # "May-Britt", "V.Muthu"
            return True
        if gap not in (" ", ". "):
            return False
        if word + gap.rstrip() in _SUFFIXES:
            return False
        if _is_short(word + gap.rstrip()):
            said = word[0] == "I" and self.ruling.before(token).islower()  # "neither do I. Leon"
            return not (said or self.ruling.is_turn(token) or self._numbers_a_heading(token))
        if gap != " " or word.lower() in self.lists.no_names:
            return False
        return word.lower() in self.lists.names or self._strange(token)

    def _strange(self, token: int) -> bool:
        """Whether a capital can only be a name's: within a sentence, on a word that no list holds."""
        word = self.ruling.words[token]
        known = word.lower() in self.lists.strangers or any(map(str.isdigit, word))
        return bool(self.lists.strangers) and not self.ruling.first[token] and not known

    def _ends_name(self, token: int, end: int) -> bool:
        """Whether a token is the rest of the name that ends right before it: "Jr.", "III", "-hee", "QUILL"."""
        gap, word = self.ruling.whole.text[end : self.ruling.start(token)], self.ruling.words[token]
        if gap == "-":
            return word.isalpha() and (word[:1].isupper() or word not in self.lists.strangers)
        if gap not in (" ", ", "):
            return False
        return word in _SUFFIXES or (gap == " " and self._is_of_capitals(token))

    def _is_of_capitals(self, token: int) -> bool:
        """Whether a word in capitals that no list holds goes on with a name in capitals, and no line of them does:
        "the child ANNA JO QUILL lives"."""
        words = self.ruling.words
        before, behind = words[max(0, token - 2) : token], words[token + 1 : token + 2]
        capitals = all(map(str.isupper, [*before, words[token]])) and not any(map(str.isupper, behind))
        lists, lower = self.lists, words[token].lower()
        known = lower in lists.companies or lower in lists.no_names
        return capitals and len(before) > 1 and len(lower) > 2 and self._strange(token) and not known


def _is_short(word: str) -> bool:
    """Whether it is initials, or an abbreviation of two letters: "A.-M.", "Md."."""
    initials = INITIALS.fullmatch(word) is not None and not word[-1].isdecimal()
    return initials or (len(word) == 3 and word[2] == "." and word[:2].isalpha())
