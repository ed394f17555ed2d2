"""End to end: hand-written rulings as ``aef anonymize`` writes them, against each court's house rule.

``python -m aef.experiments.end_to_end [--half open|closed] [--annotator court-en] [--unseen FOLDER]``. Without
``--unseen`` the models are the shipped ones, which have learned from the open half. With it the models of the pipeline
are learned anew for each style, from what the shipped ones learn from without that style, and kept in the folder.

Figures, in percent: ``hidden``: of the mentions of people to hide those nothing of which can be read; ``things``: the
same of organisations, places, dates and codes; ``rightly``: of what is hidden, what overlaps something to hide;
``people rightly``: the same of what is hidden as a person; ``CoNLL``: F1 of the linking of the people that were found,
hidden or not; ``one label``: the share of the people to hide whose mentions all got the same label, and of the
documents in which that holds for everybody.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from aef import coreference
from aef.anonymization import Result, Tagger, anonymize
from aef.commands.common import progress, table
from aef.corpus_tools import handwritten
from aef.corpus_tools.document import Document, Mention
from aef.experiments import ready_models
from aef.experiments.ready_models import MODELS
from aef.names import PERSON
from aef.pipelines import find, load
from aef.replacement import linked

HEADER = ["style", "hidden", "things", "rightly", "people rightly", "CoNLL", "one label", "documents", "to hide"]


def outcome(gold: Document, tagger: Tagger, folder: Path) -> Result:
    """What ``aef anonymize`` does with a ruling, nothing written but the text given to it."""
    source = folder / f"{gold.doc_id}.txt"
    source.write_text(gold.text, "utf-8", newline="")
    return anonymize(source, finder=tagger)


def counted(gold: Document, result: Result) -> Counter[str]:
    """Mentions and people, and how many of them are as they should be."""
    hidden = gold.mask([Mention(e.start, e.end) for e in result.edits])
    wanted = gold.mask([m for m in gold.mentions if m.masked])
    counts: Counter[str] = Counter()
    for mention in gold.mentions:
        if mention.masked:
            kind = "people" if mention.entity_type == PERSON else "things"
            tokens = gold.token_range(mention.start, mention.end)
            counts[kind] += 1
            counts[f"{kind} hidden"] += bool(hidden[tokens.start : tokens.stop].all())
    for edit in result.edits:
        tokens = gold.token_range(edit.start, edit.end)
        right = bool(wanted[tokens.start : tokens.stop].any())
        for kind in ("edits", "edited people") if edit.type == PERSON else ("edits",):
            counts[kind] += 1
            counts[f"{kind} right"] += right
    labels = [len(found) == 1 for found in labels_of(gold, result).values()]
    counts += Counter({"persons": len(labels), "persons with one": sum(labels), "documents": 1})
    counts["documents with one"] += all(labels)
    return counts


def labels_of(gold: Document, result: Result) -> dict[str | None, set[str]]:
    """The entities, each with one label, that stand for each person to hide; none for a mention that was not hidden."""
    labels: dict[str | None, set[str]] = defaultdict(set)
    for mention in gold.mentions:
        if mention.masked and mention.entity_type == PERSON:
            over = [e for e in result.edits if e.start < mention.end and mention.start < e.end]
            labels[mention.entity_id].update(e.entity_id for e in over)
    return labels


def found_people(gold: Document, tagger: Tagger) -> dict[Any, Any]:
    """The clustering of the people that were found."""
    found = linked(tagger.tag(gold.with_mentions(())))
    return coreference.clustering_of(found, lambda m: m.entity_type == PERSON)


def row(style: str, counts: Counter[str], pairs: Sequence[tuple[dict[Any, Any], dict[Any, Any]]]) -> list[Any]:
    def share(part: str, whole: str) -> float:
        return 100 * counts[part] / max(1, counts[whole])

    conll = coreference.evaluate([key for key, _ in pairs], [response for _, response in pairs]).macro["conll"]
    return [
        style,
        share("people hidden", "people"),
        share("things hidden", "things"),
        share("edits right", "edits"),
        share("edited people right", "edited people"),
        100 * conll,
        share("persons with one", "persons"),
        f"{counts['documents with one']}/{counts['documents']}",
        counts["people"] + counts["things"],
    ]


def rows(half: str, taggers: dict[str, Tagger]) -> Iterator[list[Any]]:
    """A line of the table for each style, and one for all."""
    total: Counter[str] = Counter()
    every: list[tuple[dict[Any, Any], dict[Any, Any]]] = []
    with tempfile.TemporaryDirectory() as folder:
        for style, tagger in taggers.items():
            gold = handwritten.rulings(style, half)
            counts = sum((counted(g, outcome(g, tagger, Path(folder))) for g in gold), Counter[str]())
            persons = [coreference.clustering_of(g, lambda m: m.entity_type == PERSON) for g in gold]
            pairs = list(zip(persons, [found_people(g, tagger) for g in gold], strict=True))
            total, every = total + counts, every + pairs
            yield row(style, counts, pairs)
    yield row("all", total, every)


def unseen(annotator: str, style: str, folder: Path) -> Tagger:
    """The pipeline with models that were learned without the style; see `aef.experiments.ready_models`."""
    text = find(annotator).read_text("utf-8")
    for name in MODELS:
        path = folder / f"{name}-{style}.aef"
        if f'"{name}"' in text and not path.exists():
            ready_models.unseen(name, style).save(path)
        text = text.replace(f'"{name}"', f'"{path.name}"')
    pipeline = folder / f"{Path(annotator).stem}-{style}.toml"
    pipeline.write_text(text, "utf-8")
    return load(pipeline)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", default="open", choices=["open", "closed"], help="of the hand-written rulings")
    parser.add_argument("--annotator", default="court-en", metavar="NAME", help="a pipeline (default: court-en)")
    parser.add_argument("--unseen", type=Path, metavar="FOLDER", help="learn without each style; keep the models here")
    arguments = parser.parse_args()
    taggers: dict[str, Tagger] = {}
    for style in progress(handwritten.styles(arguments.half), "styles"):
        taggers[style] = (
            unseen(arguments.annotator, style, arguments.unseen) if arguments.unseen else load(arguments.annotator)
        )
    print(table(rows(arguments.half, taggers), HEADER))


if __name__ == "__main__":
    main()
