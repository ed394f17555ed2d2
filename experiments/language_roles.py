"""Models of roles of other languages than English, learned from the open half of their hand-written rulings.

``python -m aef.experiments.language_roles --language es --unseen FOLDER [-o FILE] [--force]``. People are as a model of
names finds them that has not seen the style of their ruling, kept in the folder; besides the rulings themselves also in
copies with other names, and in stretches of such copies, where a party is named but once, too. There are few of them:
what the English model makes of their predicates that quote no word is looked at, too, a score for each of its classes,
so that what is alike in all languages (cues, lines, forms) need not be learned anew. The hand-written rulings have more
people to hide than real judgments: the model is told how many those have (`ODDS`), so that a probability means the same
as by the English one. All that is linear, and the model is one table of weights, as the English one. The table is as
that of `aef.experiments.role_model`, by models that have not seen the style. ``-o`` writes the model of all styles.
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
from aef.experiments.role_model import Person, of_document
from aef.experiments.swapped import swapped
from aef.role_features.registry import feature_of
from aef.roles.model import PRIVATE, RoleModel, ready
from aef.tagging.finder import Finder
from aef.tagging.privacy import Private, private_words

COPIES = 3
"""So many copies with other names of each ruling, and so many more in stretches."""
LONG = 800
"""So many characters make a stretch."""
_PARAGRAPH = re.compile(r"\n\s*\n")
ODDS = 0.16
"""So many people to hide to one who stays, those of cited cases among them, are marked in the real judgments."""
WRITTEN = 0.43
"""The same in the hand-written rulings in Spanish and French."""


def finder(language: str, style: str, folder: Path, data: Path = DATA) -> Finder:
    """The model of names that has not seen a style; learned where the folder has none."""
    path = folder / f"{language}-person-{style}.aef"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        ready_models.unseen(f"{language}-person", style, data).save(path)
    return Finder.load(path)


@cache
def people(language: str, folder: Path, data: Path = DATA) -> dict[str, list[Person]]:
    """Who is found in the rulings of each style, and in their copies."""
    styles = progress(handwritten.styles("open", language), "people")
    return {style: list(_people(language, style, finder(language, style, folder, data))) for style in styles}


def _people(language: str, style: str, names: Finder) -> Iterator[Person]:
    for ruling in handwritten.rulings(style, "open", language):
        yield from of_document(ruling, names, real=True)
        for copy in copies(ruling):  # a predicate of copies alone is one of their ruling
            yield from (replace(p, document=ruling.doc_id) for p in of_document(copy, names, real=False))


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


def hidden_in(language: str) -> Private:
    """The words that no model may hold."""
    rulings = handwritten.rulings(half="open", language=language)
    hidden = private_words(rulings)
    return Private(hidden.words | private_words([c for r in rulings for c in copies(r)]).words, hidden.public)


def learned(found: Iterable[Person], private: Private, base: RoleModel) -> RoleModel:
    """From people, and from what the ``base`` makes of those of their predicates that quote no word."""
    neutral = {p: w for p, w in base.weights.items() if not feature_of(p).quotes}
    told, taught = RoleModel(base.classes, base.intercepts, neutral), [p for p in found if p.teaches]
    shown = zip(role_model.events(taught, private), (scores(told, p.predicates) for p in taught), strict=True)
    events = [own | prior for own, prior in shown]
    weights = role_model.counted(taught)
    # Growth hides fewer rightly in unseen countries: of so few rulings nothing is seen often.
    model = RoleModel.learned(events, [p.role for p in taught], weights, growth=0.0)
    return as_in_real(merged(model, told))


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


def as_in_real(model: RoleModel) -> RoleModel:
    """The model told of the odds of private people in real judgments, where it has learned from others."""
    shift = np.array([np.log(ODDS / WRITTEN) if name == PRIVATE else 0.0 for name in model.classes])
    return replace(model, intercepts=model.intercepts + shift)


def without(style: str, language: str, folder: Path, data: Path = DATA) -> RoleModel:
    """The model of all other styles."""
    others = [p for other, found in people(language, folder, data).items() if other != style for p in found]
    return learned(others, hidden_in(language), base_of())


def base_of() -> RoleModel:
    """The English model."""
    found = ready("en")
    assert found is not None
    return found


def unseen(parts: Mapping[str, Sequence[Person]], private: Private) -> list[tuple[Person, float]]:
    """The people of the rulings with the probability that they are private, by a model of the other styles."""
    scored = []
    for style, part in parts.items():
        model = learned((p for other, found in parts.items() if other != style for p in found), private, base_of())
        scored += [(person, role_model.first_by(model, person)) for person in part if person.real]
    return scored


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_data(parser, "echr_es", "echr_fr")
    known = [language for language in handwritten.languages() if language != "en"]
    parser.add_argument("--language", choices=known, required=True)
    parser.add_argument("--unseen", type=Path, required=True, metavar="FOLDER", help="where models of names are kept")
    parser.add_argument("-o", metavar="FILE", type=Path, help="write the model of all styles")
    parser.add_argument("--force", action="store_true", help="overwrite the file")
    options = parser.parse_args()
    parts, private = people(options.language, options.unseen, options.data), hidden_in(options.language)
    print(table(role_model.rows(unseen(parts, private)), ["private from", *role_model.COLUMNS]))
    if options.o:
        model = learned((person for part in parts.values() for person in part), private, base_of())
        write_atomic(options.o, role_model.pruned(model).text(), options.force)


if __name__ == "__main__":
    run_study(main)
