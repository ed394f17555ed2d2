"""Linking of persons on gold mentions: our linker beside the published method, and the sweep of its distances.

``python -m aef.experiments.linking [--data FOLDER] [--plot FILE.png] [--json FILE] [--jobs N] [--short]``, or
``--language es [--half open|closed|real]`` for the table of the linkers on the hand-written rulings, or on the real
judgments that are marked by hand (`aef.experiments.real_gold`). The corpora are LitBank (names of persons, `PROP_PER`,
with their clusters; a mention without a cluster is left out) and the persons of the Text Anonymization Benchmark's
judgments.

First the table of the linkers, macro averages by `aef.evaluation.clusters`. Then every distance of
`aef.names.distances`, over words and over characters, at thresholds 0.05 to 0.95 (Garat and Wonsever 2022, Table 4):
the best threshold by ARI on all documents, and, since that is tuned on what it is judged by, the figures of thresholds
chosen by 5-fold cross-validation over documents. The plot has their Figures 5 to 7.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from aef.commands.common import table
from aef.corpus_tools import handwritten
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.files import write_atomic
from aef.errors import InputError
from aef.evaluation.clusters import FIGURES, Clustering, clustering_of, evaluate, figures
from aef.experiments.data import add_data, judgments, run_study, there
from aef.experiments.real_gold import gold
from aef.linking.linker import PersonLinker, default, relink, unsure
from aef.linking.person import Person, Place
from aef.linking.published_method import by_distance, cut, normalized, tree
from aef.names.distances import DISTANCES, OVER, WHOLE, resolve
from aef.names.parts import PERSON

THRESHOLDS = tuple(round(0.05 * step, 2) for step in range(1, 20))
FOLDS = 5
ARI = FIGURES.index("ari")
REAL = "real"
PUBLISHED = ("overlap", "words"), 0.45
"""The paper's best distance and threshold (Table 4)."""

Floats = NDArray[np.float64]
_ENTITY = re.compile(r"(?:PROP|NOM|PRON)_[A-Z]+|cop|appos")


class Way(NamedTuple):
    """A distance and what it compares."""

    distance: str
    over: str

    def __str__(self) -> str:
        return self.distance if self.distance in WHOLE else f"{self.distance}, {self.over}"


WAYS = [Way(name, over) for name in DISTANCES for over in OVER if over == "words" or name not in WHOLE]


# --- corpora --------------------------------------------------------------------------------------------------------


def read_litbank(folder: Path) -> list[Document]:
    """The novels' openings with their names of persons, the cluster as entity id.

    In the stand-off files an entity and its cluster are two annotations of one span, the second named after the
    cluster. Raises `InputError` where the folder holds none.
    """
    paths = sorted(there(folder).glob("*.ann"))
    if not paths:
        raise InputError.at(folder, "holds no .ann files", remedy="Name the folder of corpora with --data")
    return [_novel(path) for path in paths]


def _novel(path: Path) -> Document:
    text = path.with_suffix(".txt").read_bytes().decode("utf-8")
    names: set[Place] = set()
    cluster: dict[Place, str] = {}
    for line in path.read_text("utf-8").splitlines():
        if not line.startswith("T"):
            continue  # a relation
        label, start, end = line.split("\t")[1].replace(";", " ").split(" ")[:3]
        place = int(start), int(end)
        if label == "PROP_PER":
            names.add(place)
        elif not _ENTITY.fullmatch(label):
            cluster[place] = label
    mentions = [Mention(*place, PERSON, entity_id=cluster[place]) for place in sorted(names & cluster.keys())]
    return Document.from_text(text, path.stem, mentions)


def read_tab(folder: Path) -> list[Document]:
    """The judgments with their persons."""
    return [d.with_mentions(m for m in d.mentions if m.entity_type == PERSON) for d in judgments(folder)]


# --- linkers --------------------------------------------------------------------------------------------------------


def exact(document: Document, mentions: Sequence[Mention]) -> dict[Place, Person]:
    """Equal normalized names are one person."""
    people: dict[str, Person] = {}
    names = {(m.start, m.end): normalized(document.text, m.start, m.end, document.language) for m in mentions}
    return {place: people.setdefault(name, Person()) for place, name in names.items()}


def linkers() -> dict[str, PersonLinker]:
    """The rows of the table."""
    (name, over), threshold = PUBLISHED
    return {
        "default": default,
        "exact match": exact,
        f"{name} of {over}, {threshold}": by_distance(resolve(name, over), threshold),
    }


def compare(documents: Sequence[Document]) -> Iterator[list[Any]]:
    """A row for each linker: macro figures, mentions left unsure, seconds."""
    keys = [clustering_of(d) for d in documents]
    for name, linker in linkers().items():
        began = time.perf_counter()
        linked = [relink(d, linker) for d in documents]
        seconds = time.perf_counter() - began
        macro = evaluate(keys, [clustering_of(d) for d in linked]).macro
        yield [name, *(f"{macro[f]:.4f}" for f in FIGURES), sum(len(unsure(d)) for d in linked), seconds]


def marked(language: str, half: str, data: Path) -> list[Document]:
    """The people of the hand-written rulings of a language, or of its real judgments."""
    real = half == REAL
    rulings = gold(data, language=language) if real else handwritten.rulings(half=half, language=language)
    people = (d.with_mentions(m for m in d.mentions if m.entity_type == PERSON) for d in rulings)
    return [document for document in people if document.mentions]


# --- the sweep ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sweep:
    """``scores``: the `FIGURES` of shape (ways, thresholds, documents, figures)."""

    ways: tuple[Way, ...]
    scores: Floats

    def best(self, way: int, documents: NDArray[np.int64] | slice = slice(None)) -> int:
        """The threshold with the highest mean ARI on these documents; the middle one of equals that follow."""
        means = self.scores[way][:, documents, ARI].mean(axis=1)
        top = np.flatnonzero(means >= means.max() - 1e-12)
        run = top[: int(np.argmax(np.append(np.diff(top) > 1, True))) + 1]
        return int(run[len(run) // 2])

    def at(self, way: int, threshold: int) -> Floats:
        """Macro figures."""
        return np.asarray(self.scores[way, threshold].mean(axis=0))

    def cross_validated(self, way: int, seed: int = 0) -> Floats:
        """Macro figures, each document's at the threshold that is best on the documents of the other folds."""
        count = self.scores.shape[2]
        fold = np.random.default_rng(seed).permutation(count) % FOLDS
        chosen = [self.best(way, np.flatnonzero(fold != k)) for k in range(FOLDS)]
        return np.asarray(np.mean([self.scores[way, chosen[fold[i]], i] for i in range(count)], axis=0))

    def ranked(self) -> list[int]:
        """The ways, the best first by cross-validated ARI."""
        return sorted(range(len(self.ways)), key=lambda way: -self.cross_validated(way)[ARI])


def sweep(documents: Sequence[Document], ways: Sequence[Way] = WAYS, jobs: int = 1) -> Sweep:
    """All ways at all thresholds. Distances are computed once for the different names of a document."""
    wanted = [d for d in documents if d.mentions]
    scores = Parallel(n_jobs=jobs, batch_size=4)(delayed(_document_scores)(d, ways) for d in wanted)
    return Sweep(tuple(ways), np.stack(scores, axis=2))


def _document_scores(document: Document, ways: Sequence[Way]) -> Floats:
    """Figures of shape (ways, thresholds, figures); each different clustering is judged once."""
    key = clustering_of(document)
    names = {place: normalized(document.text, place[0], place[1], document.language) for place in key}
    different = sorted(set(names.values()))
    judged: dict[tuple[int, ...], list[float]] = {}
    scores = []
    for way in ways:
        merges = tree(different, resolve(*way))
        for threshold in THRESHOLDS:
            clusters = cut(different, merges, threshold)
            found = _numbered(clusters[name] for name in names.values())
            if found not in judged:
                judged[found] = _judged(key, dict(zip(key, found, strict=True)))
            scores.append(judged[found])
    return np.array(scores).reshape(len(ways), len(THRESHOLDS), len(FIGURES))


def _numbered(labels: Iterator[int]) -> tuple[int, ...]:
    numbers: dict[int, int] = {}
    return tuple(numbers.setdefault(label, len(numbers)) for label in labels)


def _judged(key: Clustering, response: Clustering) -> list[float]:
    found = figures(key, response)
    return [found[name] for name in FIGURES]


SHOWN = ("completeness", "homogeneity", "v_measure", "ari", "accuracy", "conll")
SWEEP_HEADER = ["distance", "threshold", *SHOWN, "cv ari", "cv conll"]


def sweep_rows(found: Sweep, most: int | None = None) -> list[list[Any]]:
    """Table 4: a row for each way, the best first; in all documents at its best threshold, and cross-validated."""
    rows = []
    for way in found.ranked()[:most]:
        threshold = found.best(way)
        here, held_out = (
            dict(zip(FIGURES, f, strict=True)) for f in (found.at(way, threshold), found.cross_validated(way))
        )
        shown = [here[name] for name in SHOWN] + [held_out["ari"], held_out["conll"]]
        rows.append([str(found.ways[way]), f"{THRESHOLDS[threshold]:.2f}", *(f"{value:.4f}" for value in shown)])
    return rows


def as_json(sweeps: dict[str, Sweep]) -> str:
    """Every macro figure of the sweeps."""
    rows = [
        {
            "corpus": corpus,
            **way._asdict(),
            "threshold": t,
            **dict(zip(FIGURES, np.round(found.at(i, k), 6).tolist(), strict=True)),
        }
        for corpus, found in sweeps.items()
        for i, way in enumerate(found.ways)
        for k, t in enumerate(THRESHOLDS)
    ]
    return json.dumps(rows, indent=1) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_data(parser, "litbank", "tab_en")
    parser.add_argument("--plot", type=Path, metavar="FILE.png", help="draw the sweep")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure of the sweep")
    parser.add_argument("--jobs", type=int, default=2, help="documents to work on at a time (default: 2)")
    parser.add_argument("--short", action="store_true", help="every eighth document")
    parser.add_argument("--language", choices=handwritten.languages(), help="rulings in this one alone")
    parser.add_argument("--half", default="open", choices=["open", "closed", REAL], help="which of these rulings")
    arguments = parser.parse_args()
    if arguments.language:
        documents = marked(arguments.language, arguments.half, arguments.data)
        print(table(compare(documents), ["linker", *FIGURES, "unsure", "seconds"]))
        return
    corpora = {"litbank": read_litbank(arguments.data / "litbank"), "tab_en": read_tab(arguments.data / "tab_en")}
    sweeps: dict[str, Sweep] = {}
    for corpus, documents in corpora.items():
        documents = documents[::8] if arguments.short else documents
        mentions = sum(len(d.mentions) for d in documents)
        print(f"\n{corpus}: {len(documents)} documents, {mentions} mentions; macro averages")
        print(table(compare(documents), ["linker", *FIGURES, "unsure", "seconds"]))
        began = time.perf_counter()
        sweeps[corpus] = sweep(documents, jobs=arguments.jobs)
        seconds = time.perf_counter() - began
        print(f"\n{corpus}: {len(WAYS)} distances at {len(THRESHOLDS)} thresholds in {seconds:.0f} s")
        print(table(sweep_rows(sweeps[corpus]), SWEEP_HEADER))
    if arguments.json:
        write_atomic(arguments.json, as_json(sweeps), force=True)
    if arguments.plot:
        from aef.experiments.linking_plot import draw

        write_atomic(arguments.plot, draw(sweeps), force=True)


if __name__ == "__main__":
    run_study(main)
