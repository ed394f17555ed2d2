"""One ruling: its head, its paragraphs and pieces in order, its end; numbered, laid out and soiled."""

from __future__ import annotations

import random
import re

from aef.corpus_tools.document import Document
from aef.corpus_tools.handwritten import parse
from aef.corpus_tools.invented.cast import Cast
from aef.corpus_tools.invented.expand import choose, raise_capitals
from aef.corpus_tools.invented.noise import Noise
from aef.corpus_tools.invented.people import BAR, CLOSE, MARK, OPEN
from aef.corpus_tools.invented.prose import STAGES, Kind, blocks, countries, general, kinds, listed

_SHARES = {"facts": 0.36, "evidence": 0.26, "law": 0.12, "findings": 0.16, "order": 0.1}
_NUMBERS = ("[{}] ", "[{}]  ", "{}. ", "{}.\t", "({}) ", "¶ {} ", "{} ", "{}) ", "", "", "")
_CAPTIONS = ("{}", "{}", "{}.", "{}:", "{} ", "A. {}", "I. {}", "**{}**")


def plain(text: str) -> str:
    """A composed text without its marks."""
    return MARK.sub(r"\1", text)


class Writer:
    """Composes one ruling of a style (a country of `countries`) from a seed of its own."""

    def __init__(self, seed: str, style: str) -> None:
        self.rng = random.Random(seed)
        self.style = style
        self.kind: Kind = self.rng.choice(kinds())
        self.cast = Cast(self.rng, countries()[style], self.kind)
        self.named = self.rng.uniform(0.05, 0.45)
        self.words = self.rng.randint(600, 1120)

    def document(self, doc_id: str) -> Document:
        """The ruling as a gold document."""
        body = self._body()
        parts = [self._head(), *body, self._end()]
        text = raise_capitals("\n\n".join(part for part in parts if part))
        text = Noise(self.rng).soiled(re.sub(r",(?=[.,;:?!)])|,(?='s)", "", text))
        marked = text.replace(OPEN, "{").replace(BAR, "|").replace(CLOSE, "}")
        return parse("\n".join(self.cast.rows.values()) + "\n---\n" + marked, doc_id)

    def _head(self) -> str:
        lines = [self._line(line) for line in choose(self._layout("heads"), self.rng).split("\n")]
        return _columns(lines, self.rng)

    def _layout(self, name: str) -> str:
        return self.rng.choice(blocks(name))

    def _line(self, line: str) -> str:
        filled = self.cast.text(line.removeprefix("^^"))
        return _upper(filled) if line.startswith("^^") else filled

    def _end(self) -> str:
        return _columns(self.cast.text(self._layout("signs")).split("\n"), self.rng) if self.rng.random() < 0.75 else ""

    def _body(self) -> list[str]:
        number, caption = self.rng.choice(_NUMBERS), self.rng.choice(_CAPTIONS)
        headed = self.rng.random() < 0.6
        shout = self.rng.random() < 0.3
        done: list[str] = []
        count = 0
        for stage in STAGES:
            if headed:
                heading = self._heading()
                done.append(caption.format(_upper(heading) if shout else heading))
            target = self.words * _SHARES[stage]
            while target > 0:
                paragraph = self._paragraph(stage)
                count += 1
                done.append(number.format(count) + paragraph)
                target -= len(plain(paragraph).split())
                if stage != "order" and self.rng.random() < 0.16:
                    piece = _columns(self.cast.text(self._layout("inserts")).split("\n"), self.rng)
                    done.append(piece)
                    target -= len(plain(piece).split())
        return done

    def _heading(self) -> str:
        own = self.kind.facts.get("headings", ())
        return self.cast.text(self.rng.choice(own)) if own and self.rng.random() < 0.4 else self.cast._bank("heading")

    def _paragraph(self, stage: str) -> str:
        """A paragraph of the case or one that fits all, with sentences that fit anywhere among its own."""
        rng = self.rng
        draw = rng.random()
        if draw < 0.42:
            return " ".join(self._loose() for _ in range(rng.randint(1, 5)))
        template = self._unused(self.kind if draw < 0.78 else general(), stage)
        before = [self._loose()] if rng.random() < 0.25 else []
        after = [self._loose() for _ in range(rng.choice([0, 0, 1, 1, 2, 3]))]
        return " ".join([*before, self.cast.text(template), *after])

    def _loose(self) -> str:
        """A sentence that fits anywhere: about somebody, without people, or with words that are names elsewhere."""
        file = self.rng.choices(("frames", "dry", "echoes"), (self.named, 1 - self.named, 0.07))[0]
        return self.cast.text(self.rng.choice(listed(file)))

    def _unused(self, kind: Kind, stage: str) -> str:
        """A template of the stage, none twice while others are left."""
        pool = kind.paragraphs[stage]
        used = self.cast.things
        left = [t for t in pool if t not in used] or list(pool)
        chosen = self.rng.choice(left)
        used[chosen] = ""
        return chosen


def _upper(text: str) -> str:
    """In capitals, the ids of marks left alone."""
    first, *others = text.split(BAR)
    parted = (other.partition(CLOSE) for other in others)
    return first.upper() + "".join(f"{BAR}{id}{CLOSE}{rest.upper()}" for id, _, rest in parted)


def _columns(lines: list[str], rng: random.Random) -> str:
    """The lines, the columns of those that have any set at equal widths."""
    rows = [line.split("~~") for line in lines]
    width = min(46, max((len(plain(row[0])) for row in rows if len(row) > 1), default=0) + rng.randint(2, 8))
    gap = rng.choice(["   ", "\t", "  "])
    return "\n".join(_row(row, width, gap).rstrip() for row in rows).strip("\n")


def _row(row: list[str], width: int, gap: str) -> str:
    if len(row) == 1:
        return row[0]
    return row[0] + " " * max(1, width - len(plain(row[0]))) + gap.join(row[1:])
