"""Who writes and who speaks in the messages and conversations that a ruling quotes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from aef.corpus_tools.document import Mention
from aef.repair.ruling import Bools, Finding

_SPEAKER = re.compile(
    r"^[ \t>]*(?:\d{1,2}(?:[:.]\d\d){1,2}[ \t]+)?\[?([^\W\d_]{2,20}(?: [^\W\d_]{1,20})?)[\]:](?=\s)", re.MULTILINE
)
"""Who says a line of a conversation: "dawn w:", "[mark]"."""
_SIGNED = re.compile(
    r"(?:[.!?…]|\n|\b(?:love|you|u|x+|best|from|regards|yours)),?\s+([^\W\d_])\.?[\"”](?=\s|$|\[)", re.IGNORECASE
)
_LINES = 200
"""Characters from where a line of a conversation names its speaker to where the next one does."""


class Messages(Finding):
    """Finds those who say the lines of a conversation, and those who sign a message."""

    def speakers(self, people: Iterable[Mention], covered: Bools) -> Iterator[Mention]:
        """Those who say the lines of a conversation, one of them under a name that is known: "dawn w:", "[mark]"."""
        known = {self.ruling.words[t].lower(): m.probability for m in people for t in self.ruling.tokens(m)}
        for lines in self._conversations():
            names = [self.ruling.words[tokens.start].lower() for tokens in lines]
            sure = [known[name] for name in names if name in known]
            for tokens, name in zip(lines, names, strict=True) if sure else ():
                free = [token for token in tokens if not covered[token]]
                if free and name not in self.lists.functions and (name in known or self._speaks(name)):
                    yield self.same(free[0], free[-1], known.get(name, sure[0]))

    def _conversations(self) -> Iterator[list[range]]:
        """The tokens of who says a line, by conversation: lines that follow one another."""
        text, tokens = self.ruling.whole.text, self.ruling.whole.token_range
        lines: list[range] = []
        last = 0
        for line in _SPEAKER.finditer(text):
            if lines and (line.start() - last > _LINES or "\n\n" in text[last : line.start()]):
                yield lines
                lines = []
            if said := tokens(*line.span(1)):
                lines.append(said)
            last = line.end()
        yield lines

    def _speaks(self, name: str) -> bool:
        """Whether a word may be somebody's name where people speak: not "Q", "mother", "officer"."""
        return name not in self.lists.no_nicknames and name not in self.lists.informal and name not in "qa"

    def signatures(self, people: Iterable[Mention], covered: Bools) -> Iterator[Mention]:
        """Letters that a person signs a message with, before it closes: 'the green bag. G."'."""
        known = {self.ruling.words[self.ruling.tokens(m).start][:1].lower(): m.probability for m in people}
        for signed in _SIGNED.finditer(self.ruling.whole.text):
            token = self.ruling.whole.token_range(*signed.span(1)).start
            if signed[1].lower() in known and not covered[token]:
                yield self.same(token, token, known[signed[1].lower()])
