"""What a ruling has to show of roles: where its parts are, its names, and what words in a place tell."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from aef import lexicons
from aef.citations.references import inside, named_cases, opens_body
from aef.context.cues import cues
from aef.context.evidence import Evidence
from aef.context.forms import Forms, forms
from aef.corpus_tools.document import HEAD, Block, Document, Mention
from aef.features.head import head_role
from aef.features.ruling import Ruling, Source
from aef.names.parts import PERSON, core

CLOSE = 80
"""The characters in which what is right before a name stands."""
LINE = 90
"""A paragraph of fewer characters is a line."""
_REACH = 160
"""Characters that are looked at around a name."""
_END = 1500
"""The characters at the end of a ruling in which counsel may be listed."""

Place = tuple[int, int]


class Context:
    """A document as roles are looked for in it: its parts and names of persons, the words and forms of its language."""

    def __init__(self, document: Document, persons: Sequence[Mention]) -> None:
        self.document = document
        self.text = document.text
        self.cues = cues(document.language)
        self.blocks = document.blocks or (Block(0, len(document.text)),)
        self.starts = [block.start for block in self.blocks]
        self.places = {(m.start, m.end): self._core(m) for m in persons}
        self.ordered = sorted(self.places)

    @cached_property
    def forms(self) -> Forms:
        """The forms in which words for roles stand around a name; none are made where none are looked for."""
        return forms(self.document.language, self.text)

    def _core(self, mention: Mention) -> tuple[int, int]:
        low, high = core(self.text, mention.start, mention.end, PERSON, self.document.language)
        if low >= high:
            return mention.start, mention.end
        office = self.forms["opens"].match(self.text, low, high)
        return (office.end() if office else low), high

    def _block(self, place: int) -> Block:
        return self.blocks[max(0, bisect_right(self.starts, place) - 1)]

    def windows(self, low: int, high: int) -> tuple[str, str]:
        """The text before and behind a name, in its paragraph; beyond it where that is a line of the head."""
        block = self._block(low)
        apart = block.part == HEAD or block.end - block.start < LINE
        first = 0 if apart else block.start
        last = len(self.text) if apart else max(block.end, high)
        return self.text[max(first, low - _REACH) : low], self.text[high : min(last, high + _REACH)]

    def at_the_end(self, place: int) -> bool:
        return place > max(len(self.text) - _END, len(self.text) // 2)

    def in_head(self, place: int) -> bool:
        return place < self.head_end or self._block(place).part == HEAD

    @cached_property
    def _cases(self) -> tuple[Callable[[int, int], bool], Callable[[int, int], bool]]:
        cited, own = named_cases(self.document)
        return inside(cited), inside(own)

    def in_cited_case(self, low: int, high: int) -> bool:
        """Whether characters are part of the name of a cited case."""
        return self._cases[0](low, high)

    def in_own_name(self, low: int, high: int) -> bool:
        """Whether characters are part of what the ruling itself is called."""
        return self._cases[1](low, high)

    @cached_property
    def head_end(self) -> int:
        """Where the first paragraph begins that is numbered or of prose; 0 where that is the first one."""
        return next((b.start for b in self.blocks if opens_body(self.text[b.start : b.end])), 0)

    @cached_property
    def _head_roles(self) -> list[str]:
        tokens = self.document.tokens
        source = Source(self.text, tokens.starts, tokens.ends)
        lists = lexicons.load_all(self.document.language)
        ruling = Ruling(tokens.words, tokens.first, source, lists)
        roles: list[str] = head_role(ruling)
        return roles

    def in_party_line(self, place: int) -> bool:
        """Whether the name stands in a line of the head that is about parties (`aef.features.head`); its lines of
        counsel and judges reach too far to show anybody for."""
        inside = self.document.token_range(place, place + 1)
        return bool(inside) and self.in_head(place) and self._head_roles[inside.start] == "party"

    def head_role(self, token: int) -> str:
        """The role that the line of the head is about in which a token stands; empty elsewhere."""
        return self._head_roles[token]

    def told(self, place: str, cue: str, start: int) -> Iterator[Evidence]:
        """What a word of the list tells, found in its place around a name."""
        if meaning := self.cues[place].meaning(cue):
            yield Evidence(meaning[0], cue, place, start, meaning[1])
