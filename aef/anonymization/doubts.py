"""What somebody has to look at in an anonymized ruling: the word, where it stands, and whom it may mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from aef.corpus_tools.document import Document, Mention
from aef.linking.linker import CANDIDATES, MEMBERS
from aef.names.parts import PERSON, core
from aef.replacement.plan import Edit, Memory, labels_of
from aef.replacement.schemes import MARKS
from aef.roles.policy import ASK, Decision


@dataclass(frozen=True, slots=True)
class Doubt:
    """A mention that one has to look at: by which label it goes, and the labels of those it may be, or of all it is;
    the word itself and the number of its paragraph."""

    start: int
    end: int
    label: str
    candidates: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    text: str = ""
    paragraph: int = 0

    def __str__(self) -> str:
        several = f"may be {' or '.join(self.candidates)}" if self.candidates else f"is {' and '.join(self.members)}"
        return f"paragraph {self.paragraph}: {self.text} ({self.label}) {several}"


@dataclass(frozen=True, slots=True)
class Clash:
    """A label of the case that stands in this ruling for something else: the paragraphs where it does, and the names
    of those of this ruling who go by it."""

    label: str
    paragraphs: tuple[int, ...]
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        return (
            f"{_paragraphs(self.paragraphs)}: {self.label} is the label of {' or '.join(self.names)}, and stands there "
            "for something else"
        )


@dataclass(frozen=True, slots=True)
class Asked:
    """Somebody who is hidden and of whom the policy asks: names, role, and the paragraphs of the mentions."""

    entity_id: str
    role: str
    names: tuple[str, ...]
    label: str
    paragraphs: tuple[int, ...]

    def __str__(self) -> str:
        names = ", ".join(self.names)
        return f"{_paragraphs(self.paragraphs)}: {names} ({self.label}) is hidden, and the policy asks ({self.role})"


_SHOWN = 5


def _paragraphs(numbers: Sequence[int]) -> str:
    more = f" and {len(numbers) - _SHOWN} more" if len(numbers) > _SHOWN else ""
    return f"paragraph{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers[:_SHOWN]))}{more}"


def doubts(document: Document, edits: Iterable[Edit], known: Memory) -> list[Doubt]:
    """The mentions with several people, and by which labels these go."""
    labels = labels_of(edits)
    found = []
    for m in document.mentions:
        several = [m.extra.get(key, ()) for key in (CANDIDATES, MEMBERS)]
        if any(several) and m.entity_id in labels:
            candidates, members = (tuple(labels[i] for i in ids if i in labels) for ids in several)
            found.append(Doubt(m.start, m.end, labels[m.entity_id], candidates, members, *_place(document, m)))
            continue
        low, high = core(document.text, m.start, m.end, PERSON)
        if others := known.doubtful.get((m.entity_id or "", " ".join(document.text[low:high].split()))):
            found.append(Doubt(m.start, m.end, labels[m.entity_id or ""], others, (), *_place(document, m)))
    return found


def _place(document: Document, mention: Mention) -> tuple[str, int]:
    """A mention's words on one line, and the number of its paragraph."""
    return " ".join(document.cut(mention).split()), document.paragraph(mention.start)


def clashes(document: Document, edits: Sequence[Edit], known: Memory) -> list[Clash]:
    """The labels given before, in other rulings of the case, that are words of what stays of this ruling."""
    clear = "".join(_blanked(document.text, edits))
    found = []
    for label in sorted(set(known.labels.values()) - MARKS):
        word = rf"(?<![\w.]){re.escape(label)}(?!\w)"
        places = [match.start() for match in re.finditer(word, clear)] if label in clear else []
        if places:
            names = dict.fromkeys(document.text[e.start : e.end] for e in edits if e.label == label)
            numbers = dict.fromkeys(map(document.paragraph, places))
            found.append(Clash(label, tuple(numbers), tuple(" ".join(name.split()) for name in names)))
    return found


def _blanked(text: str, edits: Iterable[Edit]) -> Iterator[str]:
    """The text with blanks in place of what is hidden, as many as it has characters."""
    position = 0
    for edit in edits:
        yield text[position : edit.start]
        yield " " * (edit.end - edit.start)
        position = edit.end
    yield text[position:]


def asked(document: Document, edits: Iterable[Edit], decided: Iterable[Decision]) -> list[Asked]:
    """Of whom the policy asks, with the label that hides them."""
    edits = list(edits)
    labels, found = labels_of(edits), []
    for role in (d.role for d in decided if d.action == ASK):
        places = [document.paragraph(e.start) for e in edits if e.entity_id == role.entity_id]
        label = labels.get(role.entity_id, "")
        found.append(Asked(role.entity_id, role.role, role.names, label, tuple(dict.fromkeys(places))))
    return found
