"""What somebody has to look at in an anonymized ruling: the word, where it stands, and whom it may mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from aef.corpus_tools.document import Document, Mention, Places
from aef.corpus_tools.edits import apply_edits
from aef.linking.linker import CANDIDATES, MEMBERS
from aef.names.parts import PERSON, core
from aef.replacement.plan import Edit, Memory, labels_of
from aef.replacement.schemes import MARKS, places_of
from aef.roles.policy import ASK, Decision

_Doubtful = tuple[Mention, str, tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Doubt:
    """A name that one has to look at: by which label its mentions go, and the labels of those it may be, or of all it
    is; where the mentions begin and end (code points) and stand."""

    text: str
    label: str
    candidates: tuple[str, ...]
    members: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    places: Places

    def __str__(self) -> str:
        several = f"may be {' or '.join(self.candidates)}" if self.candidates else f"is {' and '.join(self.members)}"
        return f"{self.places}: {self.text} ({self.label}) {several}"


@dataclass(frozen=True, slots=True)
class Clash:
    """A label of the case that stands in this ruling for something else: where it does, and the names of those of this
    ruling who go by it."""

    label: str
    places: Places
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        names = " or ".join(self.names)
        return f"{self.places}: {self.label} is the label of {names}, and stands there for something else"


@dataclass(frozen=True, slots=True)
class Asked:
    """Somebody who is hidden and of whom the policy asks: names, role, and where the mentions stand."""

    entity_id: str
    role: str
    names: tuple[str, ...]
    label: str
    places: Places

    def __str__(self) -> str:
        return f"{self.places}: {', '.join(self.names)} ({self.label}) is hidden, and the policy asks ({self.role})"


def doubts(document: Document, edits: Iterable[Edit], known: Memory) -> list[Doubt]:
    """The names with several people, each once, and by which labels these go."""
    found: dict[object, list[_Doubtful]] = {}
    for doubtful in _doubtful(document, labels_of(edits), known):
        m, label, *whose = doubtful
        key = " ".join(document.cut(m).split()), label, *map(frozenset, whose)
        found.setdefault(key, []).append(doubtful)
    return [_together(document, same) for same in found.values()]


def _together(document: Document, same: Sequence[_Doubtful]) -> Doubt:
    m, label, candidates, members = same[0]
    spans = tuple((m.start, m.end) for m, *_ in same)
    places = document.places(start for start, _ in spans)
    return Doubt(" ".join(document.cut(m).split()), label, candidates, members, spans, places)


def _doubtful(document: Document, labels: Mapping[str, str], known: Memory) -> Iterator[_Doubtful]:
    """The mentions with several people: label, labels of those it may be, and of those it is."""
    for m in document.mentions:
        several = [m.extra.get(key, ()) for key in (CANDIDATES, MEMBERS)]
        label = labels.get(m.entity_id or "")
        if any(several) and label is not None:
            candidates, members = (tuple(labels[i] for i in ids if i in labels) for ids in several)
            yield m, label, candidates, members
            continue
        low, high = core(document.text, m.start, m.end, PERSON)
        if others := known.doubtful.get((m.entity_id or "", " ".join(document.text[low:high].split()))):
            yield m, labels[m.entity_id or ""], others, ()


def clashes(document: Document, edits: Sequence[Edit], known: Memory) -> list[Clash]:
    """The labels given before, in other rulings of the case, that are words of what stays of this ruling."""
    clear = apply_edits(document.text, [(e.start, e.end, " " * (e.end - e.start)) for e in edits])
    found = []
    for label in sorted(set(known.labels.values()) - MARKS):
        if places := places_of(label, clear):
            names = dict.fromkeys(document.text[e.start : e.end] for e in edits if e.label == label)
            found.append(Clash(label, document.places(places), tuple(" ".join(name.split()) for name in names)))
    return found


def asked(document: Document, edits: Iterable[Edit], decided: Iterable[Decision]) -> list[Asked]:
    """Of whom the policy asks, with the label that hides them."""
    edits = list(edits)
    labels, found = labels_of(edits), []
    for role in (d.role for d in decided if d.action == ASK):
        places = document.places(e.start for e in edits if e.entity_id == role.entity_id)
        label = labels.get(role.entity_id, "")
        found.append(Asked(role.entity_id, role.role, role.names, label, places))
    return found
