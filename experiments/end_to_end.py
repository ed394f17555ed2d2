"""End to end: hand-written rulings as ``aef anonymize`` writes them, against each court's house rule.

``python -m aef.experiments.end_to_end [--half open|closed] [--language en] [--annotator court-en] [--unseen FOLDER]``.
Without ``--unseen`` the models are the shipped ones, which have learned from the open half. With it the models of the
pipeline are learned anew for each style, from what the shipped ones learn from without that style, and kept in the
folder; those of roles, too, in other languages than English.

Figures, in percent: ``hidden``: of the mentions of people to hide those nothing of which can be read; ``things``: the
same of organisations, places, dates and codes; ``rightly``: of what is hidden, what overlaps something to hide;
``people rightly``: the same of what is hidden as a person; ``CoNLL``: F1 of the linking of the people that were found,
hidden or not, a mention that was missed or found with another length counting as an error; ``linking``: the same of
the mentions that both sides have, the longest overlap telling which; ``all alike``: the share of the people to hide
whose mentions all got the same label, families included, those nobody found counted as errors.

Three figures leave aside what no linker can mend: families ("the Jungs", which the gold corpus gives to one of them),
people of whom no mention was found, and what was hidden in one piece over the names of several. ``one label``: of the
people to hide, those with one label; ``documents``: those in which everybody has; ``shared``: of the labels that stand
for somebody, those that stand for two people without being asked about; ``asked``: of the people to hide, those of
whom a mention is marked as perhaps another's.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from aef.annotators.pipeline import find, load
from aef.anonymization import Result, Tagger, anonymize
from aef.commands.common import progress, table
from aef.corpus_tools import handwritten
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.files import write_atomic
from aef.evaluation import clusters as coreference
from aef.evaluation.clusters import Clustering
from aef.experiments import language_roles, ready_models
from aef.experiments.data import run_study
from aef.experiments.ready_models import MODELS
from aef.names.parts import PERSON
from aef.replacement.plan import Edit, linked
from aef.roles.policy import DEFAULT

Pair = tuple[Clustering, Clustering]
"""What a gold document says who is who, and what was found."""

HEADER = [
    *("style", "hidden", "things", "rightly", "people rightly", "CoNLL", "linking", "all alike", "one label"),
    *("documents", "shared", "asked", "to hide"),
]


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
    alike = [len(found) == 1 for found in labels_of(gold, result).values()]
    return counts + Counter({"persons": len(alike), "persons alike": sum(alike)}) + labelled(gold, result)


def labels_of(gold: Document, result: Result) -> dict[str | None, set[str]]:
    """The entities, each with one label, that stand for each person to hide; none for a mention that was not hidden."""
    labels: dict[str | None, set[str]] = defaultdict(set)
    for mention in gold.mentions:
        if mention.masked and mention.entity_type == PERSON:
            labels[mention.entity_id].update(e.entity_id for e in _over(mention, result.edits))
    return labels


def labelled(gold: Document, result: Result) -> Counter[str]:
    """The people to hide who were found, and those with one label; the labels, and those of two people."""
    people = [m for m in gold.mentions if m.entity_type == PERSON]
    several = {e for e in result.edits if len({m.entity_id for m in people if _touch(e, m)}) > 1}
    asked = {one.entity_id for one in result.hidden if one.candidates or one.members}
    labels: dict[str | None, set[str]] = defaultdict(set)
    bearers: dict[str, set[str | None]] = defaultdict(set)
    for mention in people:
        if not of_family(gold, mention):
            found = {e.entity_id for e in _over(mention, result.edits) if e not in several}
            for label in found - asked:
                bearers[label].add(mention.entity_id)
            if mention.masked and found:
                labels[mention.entity_id] |= found
    alone = [len(found) == 1 for found in labels.values()]
    counts = Counter({"found": len(alone), "found with one": sum(alone), "documents": 1})
    counts["found, asked"] = sum(not found.isdisjoint(asked) for found in labels.values())
    counts["documents with one"] += all(alone)
    counts["labels"] = len(bearers)
    counts["labels shared"] = sum(len(who) > 1 for who in bearers.values())
    return counts


def of_family(gold: Document, mention: Mention) -> bool:
    """Whether a gold mention names a family rather than one of it: "the Jungs" of a Katarzyna Jung."""
    name = str(mention.extra.get("name", ""))
    word = gold.text[mention.start : mention.end].split()[-1]
    surnames = name.split()[1:]
    plural = word not in surnames and any(word in (f"{surname}s", f"{surname}es") for surname in surnames)
    return plural or name.endswith(" family")


def _touch(edit: Edit, mention: Mention) -> bool:
    return edit.start < mention.end and mention.start < edit.end


def _over(mention: Mention, edits: Iterable[Edit]) -> list[Edit]:
    return [e for e in edits if _touch(e, mention)]


def found_people(gold: Document, tagger: Tagger) -> Clustering:
    """The clustering of the people that were found."""
    return people_of(linked(tagger.tag(gold.with_mentions(()))))


def people_of(document: Document) -> Clustering:
    """The clustering of a document's people."""
    return coreference.clustering_of(document, lambda m: m.entity_type == PERSON)


def in_common(key: Clustering, response: Clustering) -> Pair:
    """Both sides with the mentions that both have, the one with the longest overlap being the same."""
    overlaps = sorted(
        (min(a[1], b[1]) - max(a[0], b[0]), a, b) for a in key for b in response if a[0] < b[1] and b[0] < a[1]
    )
    same: dict[Any, Any] = {}
    for _, wanted, given in reversed(overlaps):
        if wanted not in same and given not in same.values():
            same[wanted] = given
    return {mention: key[mention] for mention in same}, {mention: response[given] for mention, given in same.items()}


def _conll(pairs: Sequence[Pair]) -> float:
    return 100 * coreference.evaluate([key for key, _ in pairs], [response for _, response in pairs]).macro["conll"]


def row(style: str, counts: Counter[str], pairs: Sequence[Pair]) -> list[Any]:
    def share(part: str, whole: str) -> float:
        return 100 * counts[part] / max(1, counts[whole])

    return [
        style,
        share("people hidden", "people"),
        share("things hidden", "things"),
        share("edits right", "edits"),
        share("edited people right", "edited people"),
        _conll(pairs),
        _conll([in_common(*pair) for pair in pairs]),
        share("persons alike", "persons"),
        share("found with one", "found"),
        f"{counts['documents with one']}/{counts['documents']}",
        share("labels shared", "labels"),
        share("found, asked", "found"),
        counts["people"] + counts["things"],
    ]


def rows(half: str, taggers: dict[str, Tagger], language: str = "en") -> Iterator[list[Any]]:
    """A line of the table for each style, and one for all."""
    total: Counter[str] = Counter()
    every: list[Pair] = []
    with tempfile.TemporaryDirectory() as folder:
        for style, tagger in taggers.items():
            gold = handwritten.rulings(style, half, language)
            counts = sum((counted(g, outcome(g, tagger, Path(folder))) for g in gold), Counter[str]())
            pairs = [(people_of(g), found_people(g, tagger)) for g in gold]
            total, every = total + counts, every + pairs
            yield row(style, counts, pairs)
    yield row("all", total, every)


def unseen(annotator: str, style: str, folder: Path, language: str = "en") -> Tagger:
    """The pipeline with models that were learned without the style; see `aef.experiments.ready_models`."""
    text = find(annotator).read_text("utf-8")
    for name in MODELS:
        path = folder / f"{name}-{style}.aef"
        if f'"{name}"' in text and not path.exists():
            ready_models.unseen(name, style).save(path)
        text = text.replace(f'"{name}"', f'"{path.name}"')
    if language != "en":
        text = text.replace(f'policy = "{DEFAULT}"', f'policy = "{_policy(style, language, folder).name}"')
    pipeline = folder / f"{Path(annotator).stem}-{style}.toml"
    pipeline.write_text(text, "utf-8")
    return load(pipeline)


def _policy(style: str, language: str, folder: Path) -> Path:
    """The default policy with a model of roles that has not seen the style."""
    model = folder / f"{language}-roles-{style}.json"
    if not model.exists():
        write_atomic(model, language_roles.without(style, language, folder).text())
    policy = model.with_suffix(".toml")
    policy.write_text(f'extends = "{DEFAULT}"\n\n[reconcile]\nmodel = "{model.name}"\n', "utf-8")
    return policy


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", default="open", choices=["open", "closed"], help="of the hand-written rulings")
    parser.add_argument("--language", default="en", choices=handwritten.languages(), help="default: en")
    parser.add_argument("--annotator", metavar="NAME", help="a pipeline (default: court-en, or of the language)")
    parser.add_argument("--unseen", type=Path, metavar="FOLDER", help="learn without each style; keep the models here")
    arguments = parser.parse_args()
    language, annotator = arguments.language, arguments.annotator or f"court-{arguments.language}"
    taggers: dict[str, Tagger] = {}
    for style in progress(handwritten.styles(arguments.half, language), "styles"):
        taggers[style] = unseen(annotator, style, arguments.unseen, language) if arguments.unseen else load(annotator)
    print(table(rows(arguments.half, taggers, language), HEADER))


if __name__ == "__main__":
    run_study(main)
