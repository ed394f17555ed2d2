"""The classes of words (`aef.lexicons.word_classes`), learned from unlabelled judgments.

``python -m aef.experiments.word_classes -o FILE [--force] [--classes 100]``. Words in small letters around which the
same words stand are of one class: the two before and the two behind, each place by itself, counted, weighed by positive
pointwise mutual information with contexts smoothed by a power of 0.75 (Levy, Goldberg and Dagan 2015, "Improving
distributional similarity with lessons learned from word embeddings"), brought to 100 dimensions by a singular value
decomposition, and put into classes by k-means. A word counts that is there `TIMES` times and in `DOCUMENTS` judgments,
and is not private by the gold of real judgments. Every word with a capital is the same word. In the file a class is a
line, its most frequent word first.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix, csr_matrix

from aef.commands.common import progress
from aef.corpus_tools.files import write_atomic
from aef.experiments.data import add_data, run_study, there
from aef.experiments.real_gold import gold, to_learn_from
from aef.tagging.privacy import private_words

TIMES, DOCUMENTS = 15, 5
DIMENSIONS, SMOOTHING, SEED = 100, 0.75, 0
PLACES = (-2, -1, 1, 2)
CAPITAL, NUMBER = "Xx", "#"
HEADER = "# Words around which the same words stand, in small letters, a class a line, its most frequent word first; "
_SOURCES = (
    *(f"judgments/india/{name}.jsonl" for name in ("supreme_court", "sentences")),
    *(f"judgments/us/{name}.jsonl" for name in ("state", "federal", "with_counsel")),
    "judgments/philippines/supreme_court.jsonl",
    *(f"tab_en/{name}.jsonl" for name in ("train", "dev", "unlabelled")),
)
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+|[^\w\s]")

Ints = NDArray[np.int64]


def texts(data: Path) -> Iterator[str]:
    """The judgments that models may learn from, marked or not."""
    for name in _SOURCES:
        with there(data / name).open(encoding="utf-8", newline="\n") as lines:
            yield from (json.loads(line)["text"] for line in lines)
    yield from (document.text for document in gold(data) if document.meta["corpus"] == "uk")


def words_of(text: str) -> list[str]:
    """The words and signs of a text; all with a capital are one, and so are all numbers."""
    return [CAPITAL if w[0].isupper() else NUMBER if w[0].isdigit() else w for w in _WORD.findall(text)]


def vocabulary(documents: Iterable[Sequence[str]]) -> list[str]:
    """The words that are frequent enough, the most frequent first."""
    times: Counter[str] = Counter()
    spread: Counter[str] = Counter()
    for words in documents:
        times.update(words)
        spread.update(set(words))
    return [word for word, n in times.most_common() if n >= TIMES and spread[word] >= DOCUMENTS]


def counts(documents: Iterable[Sequence[str]], known: Sequence[str]) -> csr_matrix:
    """How often each word stands in each place of each word; shape (words, places x words)."""
    index, size = {word: i for i, word in enumerate(known)}, len(known)
    total = csr_matrix((size, size * len(PLACES)))
    for words in documents:
        at = np.array([index.get(word, -1) for word in words], np.int64)
        total = total + sum(_beside(at, place, size) for place in range(len(PLACES)))
    return total


def _beside(at: Ints, place: int, size: int) -> csr_matrix:
    step = PLACES[place]
    one, other = (at[-step:], at[:step]) if step < 0 else (at[:-step], at[step:])
    both = (one >= 0) & (other >= 0)
    columns = other[both] + place * size
    shape = size, size * len(PLACES)
    return coo_matrix((np.ones(len(columns)), (one[both], columns)), shape).tocsr()


def vectors(found: csr_matrix, dimensions: int = DIMENSIONS) -> NDArray[np.float64]:
    """A row of length 1 for each word, from the counts of the words around it; shape (words, dimensions)."""
    from scipy.sparse.linalg import svds

    cells = found.tocoo()
    by_word, by_context = (np.asarray(found.sum(axis)).ravel() for axis in (1, 0))
    smoothed = by_context**SMOOTHING
    expected = by_word[cells.row] * (smoothed / smoothed.sum())[cells.col]
    told = np.maximum(0, np.log(cells.data / expected))
    left, values, _ = svds(csr_matrix((told, (cells.row, cells.col)), found.shape), k=dimensions, random_state=SEED)
    rows: NDArray[np.float64] = left * np.sqrt(values)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return rows


def classes(known: Sequence[str], rows: NDArray[np.float64], number: int) -> list[list[str]]:
    """The words by class, in their order; classes in the order of their first words."""
    from sklearn.cluster import KMeans

    found: dict[int, list[str]] = defaultdict(list)
    for word, label in zip(known, KMeans(number, n_init=4, random_state=SEED).fit_predict(rows), strict=True):
        found[int(label)].append(word)
    return list(found.values())


def learned(data: Path, number: int) -> list[list[str]]:
    """The classes of the words that no judgment hides."""
    documents = [words_of(text) for text in progress(list(texts(data)), "judgments")]
    private = private_words(to_learn_from(gold(data)))
    known = [word for word in vocabulary(documents) if not private.inside(word)]
    found = classes(known, vectors(counts(documents, known)), number)
    words = ([word for word in one if word.isidentifier() and word != CAPITAL] for one in found)
    return [one for one in words if one]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_data(parser, "tab_en", "judgments")
    parser.add_argument("--classes", type=int, default=100, metavar="N", help="how many (default: 100)")
    parser.add_argument("-o", type=Path, required=True, metavar="FILE", help="the list to write")
    parser.add_argument("--force", action="store_true", help="overwrite the file")
    options = parser.parse_args()
    lines = [" ".join(one) for one in learned(options.data, options.classes)]
    head = f"{HEADER}learned from judgments by aef.experiments.word_classes"
    write_atomic(options.o, "\n".join((head, *lines, "")), options.force)


if __name__ == "__main__":
    run_study(main)
