"""Real judgments: what ``aef anonymize`` hides in them, against gold marked by hand (`aef.experiments.real_gold`).

``python -m aef.experiments.real --unseen FOLDER [--new-courts] [--language en] [--annotator court-en] [--read-by 2]
[--each] [--json FILE]``. The ready-made models have learned from these judgments. With ``--unseen`` each judgment is
judged by models of names and of roles that have seen nothing of it (`aef.experiments.unseen`, and
`aef.experiments.language_roles` of other languages than English), with ``--new-courts``, too, by models that have seen
nothing of its court: as that of a court that is new to them; without it by those that the pipeline names.

A token is a ``\\w+`` run, titles left out, as everywhere. ``found``: of the words of people to hide, those hidden;
``entities``: of the parties and children, those all of whose mentions are; ``rightly``: of the hidden words, those to
hide, and the mean over the judgments that have somebody to hide; ``wrong``: hidden words that should not be, in 10,000
of the text, ``where nobody is to hide`` of judgments alone in which nobody is. Then of the mentions of judges and
counsel, and of cited cases, the share touched; and what the wrong words are.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aef.annotators.pipeline import Pipeline, find, load
from aef.anonymization import anonymize
from aef.commands.common import progress, table
from aef.corpus_tools import handwritten
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.files import write_atomic
from aef.evaluation.token_counts import coverage
from aef.experiments import language_roles
from aef.experiments.data import add_data, run_study
from aef.experiments.real_gold import gold, teaches
from aef.experiments.role_model import models
from aef.experiments.role_model import without_court as roles_without_court
from aef.experiments.unseen import Fold, folds, without_court
from aef.names.parts import PERSON
from aef.replacement.plan import Edit
from aef.roles.policy import Policy
from aef.tagging.targets import counting_tokens

Bools = NDArray[np.bool_]

OFFICES = ("judge", "counsel")
HEADER = [
    *("corpus", "judgments", "words", "found %", "entities %", "things %", "rightly %", "mean rightly %"),
    *("wrong / 10,000", "where nobody is", "judges, counsel %", "cited cases %"),
]


class Words:
    """The counting tokens of a judgment, and which of them a list of mentions covers or touches."""

    def __init__(self, document: Document) -> None:
        self.length = len(document.text)
        self.starts, self.ends = counting_tokens(document.text)

    def touched(self, mentions: Iterable[Mention | Edit]) -> Bools:
        """The tokens with a character in one of the mentions; shape (n,)."""
        before = coverage(self.length, mentions)  # type: ignore[arg-type]
        inside: Bools = before[self.ends] > before[self.starts]
        return inside

    def within(self, mention: Mention) -> slice:
        low = int(np.searchsorted(self.ends, mention.start, side="right"))
        return slice(low, max(low, int(np.searchsorted(self.starts, mention.end, side="left"))))


def counted(document: Document, edits: Sequence[Edit]) -> Counter[str]:
    """What was done to a judgment, in words, mentions and entities."""
    words = Words(document)
    masked = [m for m in document.mentions if m.masked]
    hidden, wanted = words.touched(edits), words.touched(masked)
    people = words.touched([m for m in masked if m.entity_type == PERSON])
    counts = Counter({"words": len(hidden), "judgments": 1, "hidden": int(hidden.sum())})
    counts["people"], counts["people hidden"] = int(people.sum()), int((people & hidden).sum())
    counts["things"], counts["things hidden"] = int((wanted & ~people).sum()), int((wanted & ~people & hidden).sum())
    counts["right"], counts["wrong"] = int((hidden & wanted).sum()), int((hidden & ~wanted).sum())
    for alike in _entities(document, words, hidden).values():
        counts["entities"] += 1
        counts["entities hidden"] += all(alike)
    for name, chosen in (("offices", _of_office), ("cited", _of_case)):
        touched = [bool(hidden[words.within(m)].any()) for m in document.mentions if chosen(m)]
        counts[name], counts[f"{name} hidden"] = len(touched), sum(touched)
    return counts + _kinds(document, words, hidden & ~wanted, edits)


def _entities(document: Document, words: Words, hidden: Bools) -> dict[str | None, list[bool]]:
    """Of each party and child, which mentions are hidden whole."""
    found: dict[str | None, list[bool]] = defaultdict(list)
    for mention in document.mentions:
        if mention.masked and mention.extra["role"] in ("party", "child"):
            found[mention.entity_id].append(bool(hidden[words.within(mention)].all()))
    return found


def _of_office(mention: Mention) -> bool:
    return mention.extra["role"] in OFFICES


def _of_case(mention: Mention) -> bool:
    return mention.entity_type == "CASE"


def _kinds(document: Document, words: Words, wrong: Bools, edits: Sequence[Edit]) -> Counter[str]:
    """The wrong words by what they are in the gold corpus, and by the type that they were hidden as."""
    counts: Counter[str] = Counter()
    left = wrong.copy()
    for mention in document.mentions:
        if not mention.masked:
            kind = mention.extra["role"] if mention.entity_type == PERSON else mention.entity_type
            counts[f"wrong: {kind}"] += int(left[words.within(mention)].sum())
            left[words.within(mention)] = False
    counts["wrong: other words"] = int(left.sum())
    for edit in edits:
        counts[f"as {edit.type}"] += int(wrong[words.within(Mention(edit.start, edit.end))].sum())
    return counts


def hidden_in(document: Document, tagger: Pipeline, policy: Policy | None = None) -> list[Edit]:
    """The edits by which ``aef anonymize`` hides a judgment; nothing is written."""
    path = Path(document.meta["path"])
    if path.suffix == ".docx":
        return anonymize(path, finder=tagger, policy=policy).edits
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "judgment.txt")
        source.write_text(document.text, "utf-8", newline="")
        return anonymize(source, finder=tagger, policy=policy).edits


def as_shipped(data: Path, annotator: str, language: str = "en") -> Iterator[tuple[Document, list[Edit]]]:
    """The judgments with what a pipeline hides in them."""
    tagger = load(annotator)
    for document in progress(gold(data, language=language), "judgments"):
        yield document, hidden_in(document, tagger)


def unseen(data: Path, annotator: str, folder: Path, language: str = "en") -> Iterator[tuple[Document, list[Edit]]]:
    """The same by models that have not seen the judgment."""
    for fold, tagger, policy in of_folds(data, annotator, folder, language):
        for document in progress(fold.real, f"judgments, fold {fold.number}"):
            yield document, hidden_in(document, tagger, policy)


def of_folds(
    data: Path, annotator: str, folder: Path, language: str = "en"
) -> Iterator[tuple[Fold, Pipeline, Policy | None]]:
    """Each fold with the pipeline and the policy whose models have not seen its judgments, kept in the folder."""
    for fold, roles in _with_roles(data, folder, language):
        yield (fold, *_by(annotator, fold.model, roles, f"{language}-person"))


def _with_roles(data: Path, folder: Path, language: str) -> Iterable[tuple[Fold, Path]]:
    if language != "en":
        return language_roles.folds(language, folder, data)
    made = folds(data, folder)
    return zip(made, models(made, folder), strict=True)


def of_new_courts(data: Path, annotator: str, folder: Path) -> Iterator[tuple[Document, list[Edit]]]:
    """The judgments of each court that models learn from, by models that have seen none of that court."""
    judgments = [document for document in gold(data) if teaches(document)]
    for court in dict.fromkeys(document.meta["corpus"] for document in judgments):
        without_court(data, folder, court)
        tagger, policy = _by(annotator, folder / f"person-{court}.aef", roles_without_court(data, folder, court))
        for document in progress([d for d in judgments if d.meta["corpus"] == court], f"judgments, {court}"):
            yield document, hidden_in(document, tagger, policy)


def _by(annotator: str, names: Path, roles: Path, model: str = "en-person") -> tuple[Pipeline, Policy | None]:
    """A pipeline and its policy with other models, that of names instead of ``model``, written beside that of names."""
    path = names.with_name(f"{Path(annotator).stem}-{names.stem.rpartition('person-')[2]}.toml")
    path.write_text(find(annotator).read_text("utf-8").replace(f'"{model}"', f'"{names.name}"'), "utf-8")
    tagger = load(path)
    policy = tagger.policy
    return tagger, policy and replace(policy, rules=replace(policy.rules, model=str(roles)))


def row(name: str, counts: Sequence[Counter[str]]) -> list[Any]:
    """A line of the table for some judgments."""
    total = sum(counts, Counter[str]())

    def share(part: str, whole: str, of: Counter[str] = total, times: int = 100) -> float:
        return times * of[part] / of[whole] if of[whole] else float("nan")

    somebody = [c for c in counts if c["people"]]
    nobody = sum((c for c in counts if not c["people"]), Counter[str]())
    rightly = [share("right", "hidden", c) for c in somebody if c["hidden"]]
    return [
        *(name, total["judgments"], total["words"]),
        *(share("people hidden", "people"), share("entities hidden", "entities"), share("things hidden", "things")),
        *(share("right", "hidden"), float(np.mean(rightly)) if rightly else float("nan")),
        *(share("wrong", "words", times=10_000), share("wrong", "words", nobody, 10_000)),
        *(share("offices hidden", "offices"), share("cited hidden", "cited")),
    ]


def rows(counts: Sequence[tuple[str, Counter[str]]]) -> Iterator[list[Any]]:
    """A line for each corpus, and one for all."""
    for corpus in dict.fromkeys(name for name, _ in counts):
        yield row(corpus, [c for name, c in counts if name == corpus])
    yield row("all", [c for _, c in counts])


def kinds(counts: Iterable[Counter[str]]) -> list[list[Any]]:
    """How many wrong words are what, the most frequent first."""
    total = sum(counts, Counter[str]())
    found = [(name, number) for name, number in total.items() if name.startswith(("wrong: ", "as "))]
    return [list(pair) for pair in sorted(found, key=lambda pair: -pair[1])]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_data(parser, "judgments")
    parser.add_argument("--language", default="en", choices=handwritten.languages(), help="default: en")
    parser.add_argument("--annotator", metavar="NAME", help="a pipeline (default: court-en, or of the language)")
    parser.add_argument("--unseen", type=Path, metavar="FOLDER", help="by models that have not seen them, kept here")
    parser.add_argument("--new-courts", action="store_true", help="these have seen nothing of the court, either")
    parser.add_argument("--read-by", type=int, default=1, help="leave out what was read less often")
    parser.add_argument("--each", action="store_true", help="a line for each judgment, too")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the counts of each judgment")
    chosen = parser.parse_args()
    if chosen.new_courts and (not chosen.unseen or chosen.language != "en"):
        parser.error("--new-courts needs --unseen FOLDER, and English judgments")
    annotator = chosen.annotator or f"court-{chosen.language}"
    if chosen.new_courts:
        done = of_new_courts(chosen.data, annotator, chosen.unseen)
    elif chosen.unseen:
        done = unseen(chosen.data, annotator, chosen.unseen, chosen.language)
    else:
        done = as_shipped(chosen.data, annotator, chosen.language)
    found = [(d, counted(d, edits)) for d, edits in done if d.meta["read"] >= chosen.read_by]
    if chosen.each:
        print(table([row(d.doc_id[:40], [c]) for d, c in found], HEADER), end="\n\n")
    print(table(rows([(d.meta["corpus"], c) for d, c in found]), HEADER), end="\n\n")
    print(table(kinds(c for _, c in found), ["wrong words", "number"]))
    if chosen.json:
        write_atomic(chosen.json, json.dumps({d.doc_id: c for d, c in found}, indent=1) + "\n", force=True)


if __name__ == "__main__":
    run_study(main)
