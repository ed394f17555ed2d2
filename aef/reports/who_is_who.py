"""Who is who: the entities of rulings with their names, as a table, as JSON, and judged by those of a corpus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aef.corpus_tools.document import Document
from aef.errors import InputError
from aef.evaluation.clusters import FIGURES, Evaluation
from aef.evaluation.clusters import evaluate as evaluate_clusters
from aef.evaluation.folds import System
from aef.evaluation.tables import table
from aef.linking.linker import CANDIDATES, MEMBERS, PersonLinker, kind_of, relink
from aef.linking.published_method import by_distance
from aef.names.distances import resolve
from aef.names.parts import PERSON, core

if TYPE_CHECKING:
    from pandas import DataFrame

THRESHOLD = 0.45
"""Of a distance: the best of Garat and Wonsever 2022 for Overlap."""


@dataclass(frozen=True)
class Linked:
    """Rulings whose mentions are linked. documents : the same as were given, each mention with its ``entity_id``."""

    documents: Sequence[Document]

    def entities(self) -> Iterator[tuple[str, dict[str, dict[str, Any]]]]:
        """Of each ruling its name, and by entity id the type, the names with their places, and who it may be."""
        return ((document.doc_id, entities(document)) for document in self.documents)

    def to_frame(self) -> DataFrame:
        """A row an entity: ruling, id, type, number of mentions, names, and whose it may be."""
        from pandas import DataFrame

        rows = ((doc, key, entity) for doc, found in self.entities() for key, entity in found.items())
        return DataFrame(
            {
                "doc_id": doc,
                "entity_id": key,
                "type": entity["type"],
                "mentions": sum(map(len, entity["variants"].values())),
                "names": ", ".join(entity["variants"]),
                "candidates": ", ".join(entity.get(CANDIDATES, ())),
            }
            for doc, key, entity in rows
        )

    def __str__(self) -> str:
        """A line an entity: id, type, mentions, names."""
        return "\n\n".join(map(_listing, self.documents))

    def evaluate(self, gold: Sequence[Document]) -> Evaluation:
        """How well persons are told, by the entity ids of the same documents of a corpus.

        Raises `InputError` where it marks no person.
        """
        keys, responses = ([_persons(d) for d in side] for side in (gold, self.documents))
        if not any(keys):
            raise InputError("the corpus holds no mention of a person: nothing to compare")
        return evaluate_clusters(keys, responses)


def link(
    documents: Document | Sequence[Document],
    finder: System | None = None,
    distance: str | None = None,
    over: str = "words",
    threshold: float = THRESHOLD,
) -> Linked:
    """Which mentions of a ruling name one person, organisation or thing: those it has, or those that ``finder`` finds.

    With a ``distance`` of names (`aef.names.distances`), over their ``words`` or ``characters``, by the published
    method instead of ours: what is nearer than the ``threshold`` is one person. Raises `InputError` for what is none.

    >>> from aef import Document, Mention, link
    >>> ruling = Document.from_text("Ann Roe met Bo Lee. Ms. Roe left.")
    >>> mentions = [Mention(0, 7, "PERSON"), Mention(12, 18, "PERSON"), Mention(24, 27, "PERSON")]
    >>> link(ruling.with_mentions(mentions)).to_frame()[["entity_id", "mentions", "names"]].values.tolist()
    [['person-1', 2, 'Ann Roe, Roe'], ['person-2', 1, 'Bo Lee']]
    """
    rulings = [documents] if isinstance(documents, Document) else documents
    found = rulings if finder is None else [finder.tag(ruling) for ruling in rulings]
    linker = None if distance is None else linker_by(distance, over, threshold)
    return Linked([relink(ruling, linker) for ruling in found])


def linker_by(distance: str, over: str = "words", threshold: float = THRESHOLD) -> PersonLinker:
    """The published method. Raises `InputError` for a distance or threshold that is none."""
    if not 0 < threshold <= 1:
        raise InputError(f"threshold {threshold}: a number above 0 and up to 1 is wanted, such as 0.45")
    return by_distance(resolve(distance, over), threshold)


def entities(document: Document) -> dict[str, dict[str, Any]]:
    """Type, names with their places, and who it may be, by entity id; in the order of the text."""
    found: dict[str, dict[str, Any]] = {}
    for m in document.mentions:
        entity = found.setdefault(m.entity_id or "", {"type": kind_of(document, m), "variants": {}})
        entity["variants"].setdefault(" ".join(document.cut(m).split()), []).append([m.start, m.end])
        entity |= {key: m.extra[key] for key in (CANDIDATES, MEMBERS) if m.extra.get(key)}
    return found


def cluster_table(result: Evaluation) -> str:
    """The figures of clusters as a plain text table, what was counted above it."""
    counts = result.counts
    rows = [
        [name.replace("_", " "), *(f"{part[name]:.4f}" for part in (result.macro, result.micro))] for name in FIGURES
    ]
    told = f"{counts['documents']} documents, {counts['mentions']} mentions of {counts['entities']} persons"
    return f"{told}\n{table(rows, ['figure', 'macro', 'micro'])}"


def _persons(document: Document) -> dict[Any, Any]:
    """The clustering of a document's persons, titles around a name aside, so that a model's mentions compare."""
    persons = [m for m in document.mentions if kind_of(document, m) == PERSON]
    places = [core(document.text, m.start, m.end, PERSON, document.language) for m in persons]
    return {place: m.entity_id or place for place, m in zip(places, persons, strict=True)}


def _listing(document: Document) -> str:
    found = entities(document)
    lines = [f"{document.doc_id}: {len(document.mentions)} mentions of {len(found)} entities"]
    for key, entity in found.items():
        mentions = sum(map(len, entity["variants"].values()))
        lines.append(f"  {key:<12} {entity['type']:<9} {mentions:>4}  {_names(entity)}")
    return "\n".join(lines)


def _names(entity: dict[str, Any]) -> str:
    names = ", ".join(
        name if len(places) == 1 else f"{name} ({len(places)})" for name, places in entity["variants"].items()
    )
    told = {CANDIDATES: "may be", MEMBERS: "names"}
    return names + "".join(f"  <- {said} {', '.join(entity[key])}" for key, said in told.items() if entity.get(key))
