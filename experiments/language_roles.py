"""Models of roles of other languages than English, learned from real judgments and from the open half of hand-written
rulings.

``python -m aef.experiments.language_roles --language es --unseen FOLDER [-o FILE] [--force]``. People are as a model of
names finds them that has not seen the style of their ruling, or their fold of the real judgments
(`aef.experiments.real_gold`), kept in the folder; besides the hand-written rulings themselves also in copies with other
names, and in stretches of such copies, where a party is named but once, too. There are few of them: what the English
model makes of their predicates that quote no word is looked at, too, a score for each of its classes, so that what is
alike in all languages (cues, lines, forms) need not be learned anew. The texts have more people to hide than most
judgments: the model is told that there are fewer (`LESS`). All that is linear, and the model is one table of weights,
as the English one. The tables are as that of `aef.experiments.role_model`, by models that have not seen the style or
fold, of the hand-written rulings and of the real judgments. ``-o`` writes the model of everything.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from aef.commands.common import progress, table
from aef.corpus_tools import handwritten
from aef.corpus_tools.document import Document
from aef.corpus_tools.files import write_atomic
from aef.experiments import ready_models, role_model
from aef.experiments.data import DATA, add_data, run_study
from aef.experiments.real_gold import REAL, parts, to_learn_from
from aef.experiments.role_model import Person, of_document
from aef.experiments.swapped import swapped
from aef.experiments.unseen import Fold
from aef.role_features.registry import feature_of
from aef.roles.model import PRIVATE, RoleModel, ready
from aef.tagging.finder import Finder
from aef.tagging.privacy import Private, private_words

COPIES = 3
"""So many copies with other names of each ruling, and so many more in stretches."""
LONG = 800
"""So many characters make a stretch."""
_PARAGRAPH = re.compile(r"\n\s*\n")
LEAST = 0.15
"""What a predicate weighs at least in some class of a model that is kept: a sixth less of a file than by .11."""
LESS = 0.8
"""By so much the odds that somebody is to hide are less than where the model has learned, which has two and a half
times those of the English real judgments. Of what is hidden in hand-written rulings, 1.5 in a hundred more are rightly
so than by 1, of real judgments .5; by .6 two words of people in a hundred less are found in Spanish ones."""


def documents(language: str, data: Path) -> dict[str, list[Document]]:
    """What is judged by models that have not seen it: the rulings of each style, and real judgments in folds."""
    styles = handwritten.styles("open", language)
    return {style: handwritten.rulings(style, "open", language) for style in styles} | parts(data, language)


def names_path(language: str, part: str, folder: Path, data: Path = DATA) -> Path:
    """The file of the model of names that has not seen a part; learned where the folder has none."""
    path = folder / f"{language}-person-{part}.aef"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        ready_models.unseen(f"{language}-person", part, data).save(path)
    return path


@cache
def people(language: str, folder: Path, data: Path = DATA) -> dict[str, list[Person]]:
    """Who is found in each part, and in copies of its rulings."""
    apart = documents(language, data)
    return {
        part: list(_people(apart[part], Finder.load(names_path(language, part, folder, data))))
        for part in progress(list(apart), "people")
    }


def _people(gold: Sequence[Document], names: Finder) -> Iterator[Person]:
    for document in gold:
        yield from of_document(document, names, real=True)
        written = "style" in document.meta
        for copy in copies(document) if written else ():  # a predicate of copies alone is one of their ruling
            yield from (replace(p, document=document.doc_id) for p in of_document(copy, names, real=False))


def copies(ruling: Document) -> list[Document]:
    """The ruling with other names, whole and in stretches."""
    whole = [swapped(ruling, ruling.language, seed) for seed in range(2 * COPIES)]
    return whole[:COPIES] + [part for copy in whole[COPIES:] for part in stretches(copy)]


def stretches(document: Document) -> list[Document]:
    """The document cut into paragraphs that follow one another, `LONG` characters of them or more at a time."""
    ends = [m.end() for m in _PARAGRAPH.finditer(document.text)]
    cuts = [0]
    for end in ends:
        if end - cuts[-1] >= LONG:
            cuts.append(end)
    return [_cut(document, start, end) for start, end in pairwise([*cuts, len(document.text)]) if start < end]


def _cut(document: Document, start: int, end: int) -> Document:
    inside = [m for m in document.mentions if start <= m.start and m.end <= end]
    moved = [replace(m, start=m.start - start, end=m.end - start) for m in inside]
    return Document.from_text(document.text[start:end], document.doc_id, moved).in_language(document.language)


def hidden_in(language: str, data: Path = DATA) -> Private:
    """The words that no model may hold: of any kind of text, whatever is public in the others."""
    rulings = handwritten.rulings(half="open", language=language)
    real = to_learn_from(d for fold in parts(data, language).values() for d in fold)
    kinds = [private_words(each) for each in (rulings, [c for r in rulings for c in copies(r)], real)]
    words = frozenset[str]().union(*(kind.words for kind in kinds))
    return Private(words, kinds[0].public & kinds[2].public)


def learned(found: Iterable[Person], private: Private, base: RoleModel) -> RoleModel:
    """From people, and from what the ``base`` makes of those of their predicates that quote no word; pruned."""
    neutral = {p: w for p, w in base.weights.items() if not feature_of(p).quotes}
    told, taught = RoleModel(base.classes, base.intercepts, neutral), [p for p in found if p.teaches]
    shown = zip(role_model.events(taught, private), (scores(told, p.predicates) for p in taught), strict=True)
    events = [own | prior for own, prior in shown]
    weights = role_model.counted(taught)
    # Growth hides fewer rightly in unseen countries: of so few rulings nothing is seen often.
    model = RoleModel.learned(events, [p.role for p in taught], weights, growth=0.0)
    return role_model.pruned(fewer(merged(model, told)), LEAST)


PRIOR = "prior"


def scores(base: RoleModel, shown: Mapping[str, float]) -> dict[str, float]:
    """What the base makes of predicates, as predicates of their own."""
    return {f"{PRIOR} {name}": float(score) for name, score in zip(base.classes, base.scores(shown), strict=True)}


def merged(model: RoleModel, base: RoleModel) -> RoleModel:
    """The model without what the base makes of predicates: with the weights themselves from which that follows."""
    by = np.stack([model.weights[f"{PRIOR} {name}"] for name in base.classes])
    own = {p: w for p, w in model.weights.items() if not p.startswith(PRIOR)}
    nothing = np.zeros(len(model.classes))
    weights = {
        p: own.get(p, nothing) + (base.weights[p] @ by if p in base.weights else 0) for p in {**base.weights, **own}
    }
    return RoleModel(model.classes, model.intercepts + base.intercepts @ by, weights)


def fewer(model: RoleModel) -> RoleModel:
    """The model told that fewer people are to hide than where it has learned."""
    shift = np.array([np.log(LESS) if name == PRIVATE else 0.0 for name in model.classes])
    return replace(model, intercepts=model.intercepts + shift)


def without(part: str, language: str, folder: Path, data: Path = DATA) -> RoleModel:
    """The model of all other parts."""
    others = [p for other, found in people(language, folder, data).items() if other != part for p in found]
    return learned(others, hidden_in(language, data), base_of())


def folds(language: str, folder: Path, data: Path) -> Iterator[tuple[Fold, Path]]:
    """Each fold of the real judgments with models of names and of roles that have not seen it, kept in the folder."""
    for number, (part, real) in enumerate(parts(data, language).items()):
        names, roles = names_path(language, part, folder, data), folder / f"{language}-roles-{part}.json"
        if not roles.exists():
            write_atomic(roles, without(part, language, folder, data).text())
        yield Fold(number, real, [], names), roles


def base_of() -> RoleModel:
    """The English model."""
    found = ready("en")
    assert found is not None
    return found


Scored = list[tuple[Person, float]]


def unseen(apart: Mapping[str, Sequence[Person]], private: Private) -> tuple[Scored, Scored]:
    """The people of the rulings and those of real judgments, with the probability that they are private by a model of
    the other parts."""
    written, real = Scored(), Scored()
    for name, part in apart.items():
        model = learned((p for other, found in apart.items() if other != name for p in found), private, base_of())
        scored = [(person, role_model.first_by(model, person)) for person in part if person.real]
        (real if name.startswith(REAL) else written).extend(scored)
    return written, real


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_data(parser, "echr_es", "echr_fr", "judgments")
    known = [language for language in handwritten.languages() if language != "en"]
    parser.add_argument("--language", choices=known, required=True)
    parser.add_argument("--unseen", type=Path, required=True, metavar="FOLDER", help="where models of names are kept")
    parser.add_argument("-o", metavar="FILE", type=Path, help="write the model of everything")
    parser.add_argument("--force", action="store_true", help="overwrite the file")
    options = parser.parse_args()
    apart, private = people(options.language, options.unseen, options.data), hidden_in(options.language, options.data)
    for name, scored in zip(("hand-written", "real"), unseen(apart, private), strict=True):
        print(table(role_model.rows(scored), [f"{name}: private from", *role_model.COLUMNS]))
    if options.o:
        model = learned((person for part in apart.values() for person in part), private, base_of())
        write_atomic(options.o, model.text(), options.force)


if __name__ == "__main__":
    run_study(main)
