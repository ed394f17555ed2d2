"""A case and its outline told: head, numbered body, signature; then the batch of rulings."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence

from aef.corpus_tools.document import BODY, HEAD, TABLE
from aef.corpus_tools.samples.case import Case, build_case
from aef.corpus_tools.samples.expand import expand
from aef.corpus_tools.samples.finish import Draft, Editor, labels
from aef.corpus_tools.samples.head import Lines, end, head
from aef.corpus_tools.samples.pieces import Piece
from aef.corpus_tools.samples.plan import Outline, outline
from aef.corpus_tools.samples.pools import Drawer, pool
from aef.corpus_tools.samples.prose import Line, topics
from aef.corpus_tools.samples.ruling import WORDS_PER_PAGE, SampleRuling
from aef.corpus_tools.samples.tell import Teller

_FONTS = ("Times New Roman", "Arial", "Courier New", "Liberation Serif", "Garamond")
_TOLERANCE = 45  # words
_TRIES = 14


class Composer:
    """Tells a whole ruling once, block by block."""

    def __init__(self, case: Case, rng: random.Random, heard: Counter[str]) -> None:
        self.case, self.rng, self.upper_headings = case, rng, rng.random() < 0.35
        self.teller = Teller(case, rng, heard=heard)
        self.drafts: list[Draft] = []
        self.paragraph = self.table = self.letter = 0

    def compose(self, plan: Outline) -> list[Draft]:
        self._lines(head(self.case), HEAD)
        self.teller.named.clear()
        for topic in plan.sections:
            self._heading(topic)
            for unit in plan.ordered(topic):
                self.teller.choose_child(topic)
                self._unit(unit.lines)
        self._lines(end(self.case), BODY)
        self._punctuate()
        return self.drafts

    def _punctuate(self) -> None:
        """Items end with semicolons, the last of a list with a period."""
        for draft, following in zip(self.drafts, [*self.drafts[1:], None], strict=True):
            if draft.style == "item":
                last = following is None or following.style != "item"
                draft.pieces.append(Piece("." if last else ";"))

    def _lines(self, lines: Lines, part: str) -> None:
        rows: list[str] = []
        for style, template in lines:
            if style == "row":
                rows.append(template)
                continue
            rows = self._flush(rows, part)
            self.drafts.append(Draft(part, style, self.teller.tell(template)))
        self._flush(rows, part)

    def _heading(self, topic: str) -> None:
        named = set(self.teller.named)
        fitting = [text for needs, text in topics()[topic].headings if all(map(self.case.holds, needs))]
        pieces = self.teller.tell(self.rng.choice(fitting))
        self.teller.named = named  # whoever stands in a heading is still to be introduced
        for piece in pieces:
            piece.text = piece.text.upper() if self.upper_headings else piece.text
        self.drafts.append(Draft(BODY, "heading", pieces))

    def _unit(self, lines: Sequence[Line]) -> None:
        rows: list[str] = []
        for kind, text in lines:
            if kind == "row":
                rows.append(text)
                continue
            rows = self._flush(rows, TABLE)
            self._block(kind, text)
        self._flush(rows, TABLE)

    def _block(self, kind: str, text: str) -> None:
        pieces = self.teller.tell(text)
        if not pieces:
            return
        if kind == "text":
            self.paragraph, self.letter = self.paragraph + 1, 0
            pieces.insert(0, Piece(f"[{self.paragraph}]\t"))
        elif kind == "item":
            self.letter += 1
            pieces.insert(0, Piece(f"({_letter(self.letter)})\t"))
        self.drafts.append(Draft(BODY, kind, pieces))

    def _flush(self, rows: list[str], part: str) -> list[str]:
        """The rows as a table; a row whose first cell comes out empty is left out in the body."""
        told = [[expand(cell, self.rng, self.case) for cell in re.split(r" \|(?= |$)", row)] for row in rows]
        told = [row for row in told if row[0] or part == HEAD]
        if told:
            self.table += 1
        for r, row in enumerate(told):
            for c, cell in enumerate(row):
                pieces = self.teller.tell(cell)
                for piece in pieces:
                    piece.bold = r == 0 and part == TABLE
                self.drafts.append(Draft(part, "cell", pieces, (self.table, r, c)))
        return []


def _letter(n: int) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[(n - 1) % 26]


def compose(number: int, seed: int, slips: float, words: int, usage: Counter[str]) -> SampleRuling:
    """The ruling with this number of a batch, of about ``words`` words."""
    key = f"{seed}/{number}"
    case = build_case(random.Random(f"{key}/case"), Drawer(random.Random(f"{key}/names"), usage))
    _flag_words(case)
    plan = outline(case, random.Random(f"{key}/plan"), usage, words)
    drafts = _fit(case, plan, key, words, usage)
    rng = random.Random(f"{key}/editor")
    editor = Editor(labels(drafts, case), rng, slips, rng.random() < 0.6, rng.random() < 0.5)
    blocks = tuple(editor.edit(draft) for draft in drafts)
    header = editor.edit(Draft("header", "header", Teller(case, rng).tell("{p.last} v. {q.last}")))
    return SampleRuling(f"ruling-{number:03d}", blocks, header, rng.choice(_FONTS), rng.random() < 0.4)


def _fit(case: Case, plan: Outline, key: str, words: int, usage: Counter[str]) -> list[Draft]:
    """Told as often as it takes to come near the wanted length."""
    for _ in range(_TRIES):
        state = case.rng.getstate()
        composer = Composer(case, random.Random(f"{key}/tell"), usage)
        drafts = composer.compose(plan)
        length = sum(len("".join(piece.text for piece in draft.pieces).split()) for draft in drafts)
        if abs(length - words) <= _TOLERANCE or not plan.resize(words - length):
            break
        case.rng.setstate(state)
    usage.update(composer.teller.said)
    return drafts


def _flag_words(case: Case) -> None:
    """A flag for each name of the case that is a common word, so that the same word can turn up in its common sense."""
    words = {*pool("surnames")["word"], *pool("given_female")["word"], *pool("given_male")["word"]}
    for person in case.people.values():
        case.flags.update(f"w_{name.lower()}" for name in (person.last, *person.given) if name in words)


def batch(words: Sequence[int], seed: int, slips: Sequence[float]) -> list[SampleRuling]:
    """One ruling for each wanted length, names and templates used by the earlier ones last."""
    usage: Counter[str] = Counter()
    return [compose(i, seed, s, w, usage) for i, (w, s) in enumerate(zip(words, slips, strict=True), 1)]


def lengths(number: int, seed: int, pages: tuple[int, int]) -> list[int]:
    """Wanted lengths in words, evenly spread over the range of pages; the first n do not depend on ``number``."""
    low, high = pages[0] * WORDS_PER_PAGE + 2 * _TOLERANCE, pages[1] * WORDS_PER_PAGE - 2 * _TOLERANCE
    rng = random.Random(f"{seed}/pages")
    return [rng.randint(low, max(low, high)) for _ in range(number)]
