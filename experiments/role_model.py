"""The model of roles (`aef.roles.model`): learned from real judgments and hand-written rulings, and what it is worth.

``python -m aef.experiments.role_model --unseen FOLDER [-o FILE] [--force]``. People are as `aef.experiments.unseen`'s
models of names find them, which have not seen their judgment; an entity is what most of its words are in the gold
corpus. The tables are of real judgments alone, by a model of roles of the other folds, with its first pass alone and
with the second (`aef.roles.second_pass`): where those are hidden who are private with a probability or more, the share
of the words to hide that are hidden, of the hidden words that are to hide (of all words, and the mean over judgments
with somebody to hide), and of the private people who are hidden. ``-o`` writes the model of all folds. ``--without``
adds a line for each feature of roles, without which first passes are learned: its last column is the average precision
of the words by the probability that somebody is private, which no single probability decides.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from aef.anonymization import Tagger
from aef.boundaries.companies import as_people
from aef.commands.common import progress, table
from aef.context.cues import with_cues
from aef.context.surroundings import Surroundings
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.files import write_atomic
from aef.experiments.data import add_data, run_study
from aef.experiments.real_gold import CASE, teaches, to_learn_from
from aef.experiments.unseen import Fold, folds
from aef.linking.linker import kind_of
from aef.names.parts import ORG, PERSON
from aef.replacement.plan import linked
from aef.role_features import FEATURES, People, predicates
from aef.role_features.registry import feature_of
from aef.roles import second_pass
from aef.roles.classifier import OFFICIAL
from aef.roles.model import COMPANY, INITIALS, NOBODY, PRIVATE, RoleModel
from aef.roles.second_pass import Around
from aef.tagging.privacy import K, Private, private_words

COLUMNS = ("words found", "rightly", "mean rightly", "people")
PROBABILITIES = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)
REAL, WRITTEN = 2.0, 0.5
"""How much a person of a real judgment counts, and one of a hand-written ruling."""
LEAST = 0.11
"""What a predicate weighs at least in some class of a model that is kept. By .12 instead of .08 the figures of real
judgments change by .3 at most, but for things, of which 4 % fewer are hidden."""
OFTEN = 0.4
"""To which power of the words of all mentions somebody counts: who is named often is wrong often."""


@dataclass(frozen=True)
class Person:
    """Who was found as a person in a document: what the mentions show, the class, the words that are to hide of all.

    ``measured``: whether no model may learn from the document. ``key``, ``around``: the id, and who else is there.
    """

    document: str
    real: bool
    predicates: Mapping[str, float]
    role: str
    private: int
    words: int
    measured: bool = False
    key: str = ""
    around: Around | None = None

    @property
    def initials(self) -> bool:
        """Whether the names are initials alone."""
        return "initials alone" in self.predicates

    @property
    def teaches(self) -> bool:
        """Whether to learn from it: that an invented given name stands for somebody nothing in the text can tell."""
        return not self.measured and (self.role != INITIALS or self.initials)


def people(fold: Fold) -> Iterator[Person]:
    """The people of a fold's documents, as its model of names finds them."""
    finder = fold.finder
    for document in (*fold.real, *fold.written):
        yield from of_document(document, finder, real="corpus" in document.meta)


def of_document(gold: Document, tagger: Tagger, real: bool) -> Iterator[Person]:
    """Everybody whom a tagger finds in a gold document, and the companies whose names begin as people's do: that they
    are companies these tell best."""
    document = with_cues(linked(as_people(tagger.tag(gold.with_mentions(())))))
    groups: dict[str, list[Mention]] = defaultdict(list)
    for mention in document.mentions:
        groups[mention.entity_id or ""].append(mention)
    persons = [m for m in document.mentions if kind_of(document, m) == PERSON]
    named = {m.entity_id for m in persons}
    shown = People.of(Surroundings(document, persons), {key: ms for key, ms in groups.items() if key in named})
    classes, others = _classes(gold), Around.of(shown)
    for somebody in shown.by_id.values():
        counts = Counter(classes.get(token, NOBODY) for named in somebody.mentions for token in named.tokens)
        role = max(counts, key=lambda role: counts[role], default=NOBODY)
        shown_here = predicates(somebody)
        private, words, measured = counts[PRIVATE], counts.total(), not teaches(gold)
        yield Person(gold.doc_id, real, shown_here, role, private, words, measured, somebody.key, others)


def _classes(gold: Document) -> dict[int, str]:
    """The class of each token that a mention of the gold corpus covers."""
    return {t: _class(m) for m in gold.mentions for t in gold.token_range(m.start, m.end)}


def _class(mention: Mention) -> str:
    if mention.masked:
        return PRIVATE
    if mention.entity_type != PERSON:
        return {CASE: "cited", ORG: COMPANY}.get(mention.entity_type or "", NOBODY)
    role = str(mention.extra["role"])
    return role if role in (*OFFICIAL, INITIALS) else "cited" if role == "other" else "official"


class Learner:
    """Learns models of roles from some parts of the people, and remembers them.

    parts : shape (parts,) of people. private : the words that no model may hold.
    """

    def __init__(self, parts: Sequence[Sequence[Person]], private: Private) -> None:
        self.parts, self.private = parts, private
        self.first = cache(self._first)

    def model(self, of: frozenset[int]) -> RoleModel:
        """The model of these parts; its second pass is learned from what first passes of the others tell of each."""
        people = [person for part in sorted(of) for person in self.parts[part]]
        shown = [look for part in sorted(of) for look in second_looks(self.first(of - {part}), self.parts[part])]
        taught = [(person, look) for person, look in zip(people, shown, strict=True) if person.teaches]
        told, looks = [person for person, _ in taught], [look for _, look in taught]
        second = RoleModel.learned(looks, [person.role for person in told], counted(told), second_pass.C)
        return replace(self.first(of), second=second)

    def _first(self, of: frozenset[int]) -> RoleModel:
        return learned((person for part in sorted(of) for person in self.parts[part]), self.private)

    @property
    def all(self) -> frozenset[int]:
        """The numbers of all parts."""
        return frozenset(range(len(self.parts)))


def second_looks(model: RoleModel, part: Sequence[Person]) -> list[dict[str, float]]:
    """What each of the people shows to the second pass of a model, by what the first tells of all in the document."""
    first: dict[str, dict[str, Mapping[str, float]]] = defaultdict(dict)
    others = {person.document: person.around for person in part if person.around}
    for person in part:
        first[person.document][person.key] = model.probabilities(person.predicates)
    shown = {document: who.predicates(first[document]) for document, who in others.items()}
    return [shown[person.document][person.key] for person in part]


def learned(found: Iterable[Person], private: Private) -> RoleModel:
    """From people, see `events`."""
    taught = [person for person in found if person.teaches]
    return RoleModel.learned(events(taught, private), [p.role for p in taught], counted(taught))


def events(found: Sequence[Person], private: Private) -> list[dict[str, float]]:
    """What people show, without predicates of fewer than `aef.tagging.privacy.K` documents or that quote a private
    word."""
    counts = Counter(p for p, _ in {(p, person.document) for person in found for p in person.predicates})
    kept = {p for p, times in counts.items() if times >= K and not (feature_of(p).quotes and private.inside(p))}
    return [{p: value for p, value in person.predicates.items() if p in kept} for person in found]


def counted(found: Sequence[Person]) -> list[float]:
    """How much each of the people counts."""
    weights = np.array([(REAL if person.real else WRITTEN) for person in found])
    named = np.array([max(1, person.words) for person in found]) ** OFTEN
    whole: list[float] = (weights * named * (weights.sum() / (weights * named).sum())).tolist()
    return whole


def models(made: Sequence[Fold], folder: Path) -> list[Path]:
    """For each fold the file of a model of roles that has seen nothing of it; learned where the folder has none."""
    paths = [folder / f"roles-{fold.number}.json" for fold in made]
    if not all(path.exists() for path in paths):
        learner = Learner([list(people(fold)) for fold in made], hidden_in(made))
        for part, path in enumerate(paths):
            write_atomic(path, pruned(learner.model(learner.all - {part})).text(), force=True)
    return paths


def without_court(data: Path, folder: Path, court: str) -> Path:
    """The file of a model of roles that has seen no real judgment of a court; learned where the folder has none."""
    path = folder / f"roles-{court}.json"
    if not path.exists():
        made = folds(data, folder)
        own = {d.doc_id for fold in made for d in fold.real if d.meta["corpus"] == court}
        learner = Learner([[p for p in people(f) if p.document not in own] for f in made], hidden_in(made))
        write_atomic(path, pruned(learner.model(learner.all)).text(), force=True)
    return path


def pruned(model: RoleModel, least: float = LEAST) -> RoleModel:
    """The model without predicates that decide next to nothing."""
    return replace(model, weights={p: w for p, w in model.weights.items() if np.abs(w).max() >= least})


def hidden_in(made: Iterable[Fold]) -> Private:
    """The words that no model may hold: of either kind of rulings, whatever is public in the other."""
    real, written = [d for f in made for d in to_learn_from(f.real)], [d for f in made for d in f.written]
    both = private_words(real), private_words(written)
    return Private(both[0].words | both[1].words, both[0].public & both[1].public)


def unseen(parts: Sequence[Sequence[Person]], private: Private) -> list[tuple[Person, float]]:
    """The people of real judgments with the probability that they are private, by a model of the other parts."""
    learner, scored = Learner(parts, private), []
    for number, part in enumerate(parts):
        told = private_by(learner.model(learner.all - {number}), part)
        scored += [(person, p) for person, p in zip(part, told, strict=True) if person.real]
    return scored


def unseen_first(parts: Sequence[Sequence[Person]], private: Private) -> list[tuple[Person, float]]:
    """As `unseen`, without the second pass."""
    scored = []
    for part in parts:
        model = learned((person for other in parts if other is not part for person in other), private)
        scored += [(person, first_by(model, person)) for person in part if person.real]
    return scored


def first_by(model: RoleModel, person: Person) -> float:
    """The probability that a person is private, without the second pass."""
    return 0.0 if person.initials else model.probabilities(person.predicates)[PRIVATE]


def private_by(model: RoleModel, part: Sequence[Person]) -> list[float]:
    """The probability that each of the people is private."""
    assert model.second
    told = map(model.second.probabilities, second_looks(model, part))
    return [0.0 if person.initials else roles[PRIVATE] for person, roles in zip(part, told, strict=True)]


def rows(scored: Sequence[tuple[Person, float]]) -> Iterator[list[Any]]:
    """For each probability what is found, and how much of what is hidden rightly so."""
    somebody = {person.document for person, _ in scored if person.private}
    for cut in PROBABILITIES:
        hidden = [person for person, p in scored if p >= cut]
        by_document: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        for person in hidden:
            by_document[person.document][0] += person.private
            by_document[person.document][1] += person.words
        private = [p >= cut for person, p in scored if person.role == PRIVATE]
        shares = [right / words for name, (right, words) in by_document.items() if name in somebody and words]
        right, wanted = (sum(p.private for p in group) for group in (hidden, [p for p, _ in scored]))
        words = sum(p.words for p in hidden)
        yield [
            f"{cut:g}",
            *(100 * float(x) for x in (right / wanted, right / words, np.mean(shares), np.mean(private))),
        ]


def without(parts: Sequence[Sequence[Person]], private: Private) -> Iterator[list[Any]]:
    """For all features, and without each of them, what `rows` tells at 0.1 and the average precision in percent; of the
    first pass alone."""
    for name in progress(["", *FEATURES], "features"):
        left = [[_without(person, name) for person in part] for part in parts]
        scored = unseen_first(left, private)
        yield [name or "all features", *next(row[1:] for row in rows(scored) if row[0] == "0.1"), precision(scored)]


def _without(person: Person, name: str | None) -> Person:
    return replace(person, predicates={p: v for p, v in person.predicates.items() if feature_of(p).name != name})


def precision(scored: Sequence[tuple[Person, float]]) -> float:
    """The average precision of people by their probability, each with the words that are to hide and that are not."""
    from sklearn.metrics import average_precision_score

    told = [(right, p, words) for person, p in scored for right, words in ((1, person.private), (0, _wrong(person)))]
    right, probability, words = zip(*told, strict=True)
    return 100 * float(average_precision_score(right, probability, sample_weight=words))


def _wrong(person: Person) -> int:
    return person.words - person.private


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_data(parser, "tab_en", "judgments")
    parser.add_argument("--unseen", type=Path, required=True, metavar="FOLDER", help="where models of names are kept")
    parser.add_argument("--without", action="store_true", help="what each feature of roles adds; minutes")
    parser.add_argument("-o", metavar="FILE", type=Path, help="write the model of all folds")
    parser.add_argument("--force", action="store_true", help="overwrite the file")
    options = parser.parse_args()
    made = folds(options.data, options.unseen)
    parts = [list(people(fold)) for fold in progress(made, "folds")]
    private = hidden_in(made)
    for name, scored in (("first pass", unseen_first(parts, private)), ("second pass", unseen(parts, private))):
        print(table(rows(scored), [f"{name}: private from", *COLUMNS]))
    if options.without:
        print(table(without(parts, private), ["without", *COLUMNS, "average precision"]))
    if options.o:
        learner = Learner(parts, private)
        write_atomic(options.o, pruned(learner.model(learner.all)).text(), options.force)


if __name__ == "__main__":
    run_study(main)
