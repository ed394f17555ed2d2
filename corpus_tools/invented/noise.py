"""What goes wrong on the way of a text: names misspelt, accents lost, blanks doubled, letters misread."""

from __future__ import annotations

import random
import re
import unicodedata

from aef.corpus_tools.invented.people import BAR, CLOSE, MARK, OPEN

_MISREAD = (("rn", "m"), ("l", "1"), ("e", "c"), ("O", "0"), ("h", "b"), ("cl", "d"), ("I", "l"))


class Noise:
    """The faults of one ruling; most rulings have few."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.misspelt = rng.choice([0.0, 0.01, 0.01, 0.03])
        self.unaccented = rng.choice([0.0, 0.0, 0.2, 1.0])
        self.capitals = rng.choice([0.0, 0.0, 0.0, 0.0, 0.02, 0.02, 0.02, 0.6])
        self.doubled = rng.choice([0.0, 0.0, 0.0, 0.02, 0.5])
        self.dropped = rng.choice([0.0, 0.0, 0.0, 0.04])
        self.misread = rng.choice([0.0, 0.0, 0.0, 0.0, 0.01])
        self.wrapped = rng.choice([0, 0, 0, 0, 0, 0, 68, 80, 92])
        self.curly = rng.random() < 0.4

    def soiled(self, text: str) -> str:
        """The text with its faults; marks stay whole."""
        pieces = MARK.split(text)
        plain = list(map(self._plain, pieces[::3]))
        named = [*map(self._named, pieces[1::3], pieces[2::3]), ""]
        joined = "".join(map("".join, zip(plain, named, strict=True)))
        joined = joined.replace("'", "’") if self.curly else joined
        return "\n\n".join(self._wrap(p) for p in joined.split("\n\n")) if self.wrapped else joined

    def _plain(self, text: str) -> str:
        rng = self.rng
        if self.doubled:
            text = re.sub(r"(?<=[.?!]) (?=\S)", lambda _: "  " if rng.random() < self.doubled else " ", text)
        if self.dropped:
            text = re.sub(r"(?<=\w)\.(?=\s)", lambda _: "" if rng.random() < self.dropped else ".", text)
        if self.misread:
            text = re.sub(r"[a-z]{4,}", lambda m: self._misread(m[0]) if rng.random() < self.misread else m[0], text)
        return text

    def _misread(self, word: str) -> str:
        old, new = self.rng.choice(_MISREAD)
        return word.replace(old, new, 1)

    def _named(self, surface: str, id: str) -> str:
        if self.rng.random() < self.unaccented:
            surface = "".join(c for c in unicodedata.normalize("NFD", surface) if not unicodedata.combining(c))
        if self.rng.random() < self.misspelt and len(surface) > 4:
            surface = self._misspelt(surface)
        if (self.rng.random() < self.capitals < 0.5 and len(surface) > 3) or self._shouts(id):
            surface = surface.upper()
        return f"{OPEN}{surface}{BAR}{id}{CLOSE}"

    def _shouts(self, id: str) -> bool:
        """Some rulings write every surname of a party in capitals."""
        return self.capitals > 0.5 and id in ("x", "y", "k1", "k2") and self.rng.random() < 0.9

    def _misspelt(self, name: str) -> str:
        """One letter dropped, doubled, changed for another or for its neighbour; capitals stay."""
        places = [i for i in range(1, len(name) - 1) if name[i].islower() and name[i + 1].islower()]
        if not places:
            return name
        i = self.rng.choice(places)
        changed = self.rng.choice(["", name[i] * 2, name[i + 1] + name[i], self.rng.choice("aeiounrst")])
        return name[:i] + changed + name[i + (2 if len(changed) == 2 and changed[0] != name[i] else 1) :]

    def _wrap(self, paragraph: str) -> str:
        """Line ends for blanks at about equal widths."""
        if "\n" in paragraph:
            return paragraph
        lines, width = [""], 0
        for word in paragraph.split(" "):
            if width > self.wrapped and OPEN not in lines[-1].rpartition(CLOSE)[2]:
                lines.append("")
                width = 0
            lines[-1] += (" " if width else "") + word
            width += len(word) + 1
        return "\n".join(lines)
