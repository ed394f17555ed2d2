"""How well alignment finds what an editor hid: pairs made from annotated judgments, a convention at a time.

``python -m aef.experiments.alignment [--data FOLDER] [--seed N]`` replaces the masked mentions of the judgments of
the Text Anonymization Benchmark, drops, inserts and rewords paragraphs, leaves some names in clear, aligns the two
versions again and prints, per convention: token F1 of A on the kept paragraphs (a token is a ``\\w+`` run; titles
are left out), the share of the missed names that are reported (those replaced elsewhere in the kept paragraphs), the
places reported besides (mostly mentions the annotators chose not to mask), and the seconds a ruling of 15 pages takes.
Then how well pairs agree, against rulings that are none: what `LEAST_AGREEMENT` stands between.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from aef.commands.common import table
from aef.corpus_tools.alignment.agreement import LEAST_AGREEMENT, agreement
from aef.corpus_tools.alignment.findings import MISSED, ORIGINAL
from aef.corpus_tools.alignment.run import Alignment, align
from aef.corpus_tools.document import Block, Document, Mention
from aef.corpus_tools.gold.conll import nesting
from aef.experiments.data import add_data, judgments, run_study

DROPPED, REWORDED, MISSED_NAMES, CHANGED_WORDS = 0.04, 0.08, 0.05, 0.12
WORDS_OF_15_PAGES = 8_500
_WORD = re.compile(r"\w+")
_TITLES = frozenset({"mr", "mrs", "ms", "miss", "dr", "messrs"})
_TITLE = re.compile(r"(?:Mrs?|Ms|Miss|Dr|Messrs)\b\.?\s+")
_ADDED = ("also", "moreover", "duly", "thereafter", "in turn", "at that time", "accordingly", "clearly")


@dataclass
class _Names:
    """The labels of one ruling under one convention: the same entity, the same label."""

    words: dict[str, str]
    given: dict[tuple[str, str], str] = field(default_factory=dict)

    def numbered(self, entity: str, sort: str, make: Callable[[int], str]) -> str:
        key = (sort, entity)
        if key not in self.given:
            self.given[key] = make(sum(k[0] == sort for k in self.given) + 1)
        return self.given[key]

    def initials(self, entity: str) -> str:
        letters = ".".join(w[0].upper() for w in _WORD.findall(self.words[entity])) + "."
        same = [e for (sort, e) in self.given if sort == letters]
        return self.numbered(entity, letters, lambda n: letters if not same else f"{letters}{n}")


Replacer = Callable[[_Names, Mention], str]
Labels = list[tuple[Mention, str]]


def _initials(names: _Names, mention: Mention) -> str:
    return names.initials(mention.entity_id or "") if mention.entity_type == "PERSON" else "[...]"


def _house_rules(names: _Names, mention: Mention) -> str:
    if mention.entity_type == "ORG":
        return names.words[mention.entity_id or ""][:1].upper() + ".[...]"
    return _initials(names, mention)


def _doubled(names: _Names, mention: Mention) -> str:
    def label(n: int) -> str:
        return chr(ord("A") + (n - 1) % 26) * (2 + (n - 1) // 26)

    return names.numbered(mention.entity_id or "", "", label)


def _counter(names: _Names, mention: Mention) -> str:
    sort = mention.entity_type or "MISC"
    return names.numbered(mention.entity_id or "", sort, lambda n: f"{sort}_{n}")


CONVENTIONS: dict[str, Replacer] = {
    "initials, [...]": _initials,
    "omission [...]": lambda names, mention: "[...]",
    "initials, O.[...], [...]": _house_rules,
    "AA, BB": _doubled,
    "stars ****": lambda names, mention: "****",
    "counters PERSON_1": _counter,
    "plain deletion": lambda names, mention: "",
}


@dataclass(frozen=True)
class MadePair:
    """A pair whose truth is known: what was replaced and what was missed, and the kept blocks of the original."""

    original: Document
    anonymized: Document
    replaced: list[Mention]
    missed: list[Mention]
    kept: list[Block]


def make_pair(document: Document, replacer: Replacer, other: str, rng: random.Random) -> MadePair:
    """The anonymized version of an annotated ruling, with an editor's slips; ``other`` is a paragraph to insert."""
    masked, _ = nesting(m for m in document.mentions if m.masked)
    kept = [block for block in document.blocks if rng.random() >= DROPPED]
    words = {m.entity_id or "": _bare(document, m) for m in sorted(masked, key=lambda m: m.end - m.start)}
    missed = _choose_missed(document, list(_in_blocks(masked, kept)), rng)
    replaced = [m for m in masked if m not in missed]
    names = _Names(words)
    labels = [(m, replacer(names, m)) for m in replaced]
    paragraphs = [_rewritten(document, block, labels, rng.random() < REWORDED, rng) for block in kept]
    paragraphs.insert(rng.randrange(len(paragraphs) + 1), other)
    text = "\n\n".join(p for p in paragraphs if p.strip())
    return MadePair(document, Document.from_text(text, document.doc_id), replaced, missed, kept)


def _bare(document: Document, mention: Mention) -> str:
    return _TITLE.sub("", document.cut(mention))


def _choose_missed(document: Document, masked: Sequence[Mention], rng: random.Random) -> list[Mention]:
    """One name in twenty, of those that are replaced elsewhere."""
    left = Counter(_bare(document, m) for m in masked)
    missed: list[Mention] = []
    for mention in rng.sample(masked, len(masked)):
        name = _bare(document, mention)
        if left[name] > 1 and re.search(r"[A-Z]|\d\d\d", name) and len(missed) < round(MISSED_NAMES * len(masked)):
            left[name] -= 1
            missed.append(mention)
    return missed


def _rewritten(document: Document, block: Block, labels: Labels, reword: bool, rng: random.Random) -> str:
    pieces, at = [], block.start
    for mention, label in labels:
        if block.start <= mention.start and mention.end <= block.end:
            start = mention.end - len(_bare(document, mention))
            pieces += [_reworded(document.text[at:start], document, reword, rng), label]
            at = mention.end
    pieces.append(_reworded(document.text[at : block.end], document, reword, rng))
    return re.sub(r"[^\S\n]+", " ", "".join(pieces))


def _reworded(text: str, document: Document, reword: bool, rng: random.Random) -> str:
    """Some ordinary words changed, left out or added."""

    def change(match: re.Match[str]) -> str:
        if rng.random() >= CHANGED_WORDS:
            return match.group()
        small = [w for w in rng.sample(document.words, 20) if w.islower() and w.isalpha()]
        added = rng.choice(_ADDED)
        return rng.choice([small[0] if small else added, small[-1] if small else added, "", f"{match.group()} {added}"])

    return re.sub(r"\b[a-z]+\b", change, text) if reword else text


@dataclass
class Score:
    """Counts over all pairs: tokens right, predicted and true; names missed by the editor, and those reported."""

    right: int = 0
    predicted: int = 0
    true: int = 0
    missed: int = 0
    reported: int = 0
    alarms: int = 0

    @property
    def f1(self) -> float:
        return 2 * self.right / max(1, self.predicted + self.true)

    def add(self, pair: MadePair, alignment: Alignment) -> None:
        text = pair.original.text
        inside = _characters(pair.replaced), _characters(alignment.document.mentions)
        for block in pair.kept:
            for word in _WORD.finditer(text, block.start, block.end):
                if word.group().lower() not in _TITLES:
                    true = any(i in inside[0] for i in range(*word.span()))
                    found = all(i in inside[1] for i in range(*word.span()))
                    self.true, self.predicted = self.true + true, self.predicted + found
                    self.right += true and found
        self._add_missed(pair, alignment)

    def _add_missed(self, pair: MadePair, alignment: Alignment) -> None:
        places = [p for f in alignment.findings if f.kind == MISSED for p in f.places if p.side == ORIGINAL]
        for mention in _in_blocks(pair.missed, pair.kept):
            self.missed += 1
            self.reported += any(p.start < mention.end and mention.start < p.end for p in places)
        true = _characters(pair.missed)
        self.alarms += sum(not any(i in true for i in range(p.start, p.end)) for p in places)


def _characters(mentions: Sequence[Mention]) -> set[int]:
    return {i for m in mentions for i in range(m.start, m.end)}


def _in_blocks(mentions: Sequence[Mention], blocks: Sequence[Block]) -> Iterator[Mention]:
    for mention in mentions:
        if any(b.start <= mention.start and mention.end <= b.end for b in blocks):
            yield mention


def measure(documents: Sequence[Document], replacer: Replacer, seed: int = 0) -> Score:
    """Align every judgment with its made version; a name counts as missed where it is replaced elsewhere."""
    rng, score = random.Random(seed), Score()
    for document in documents:
        other = rng.choice(documents)
        block = rng.choice(other.blocks)
        pair = make_pair(document, replacer, other.text[block.start : block.end], rng)
        score.add(pair, align(pair.original, pair.anonymized))
    return score


def long_pair(documents: Sequence[Document], replacer: Replacer, seed: int = 0) -> MadePair:
    """A pair of 15 pages: judgments put together, then anonymized."""
    text, mentions, words = "", [], 0
    for number, document in enumerate(documents):
        for m in document.mentions:
            start, end = m.start + len(text), m.end + len(text)
            mentions.append(Mention(start, end, m.entity_type, m.identifier_type, f"{number}.{m.entity_id}"))
        text, words = text + document.text + "\n\n", words + len(document.words)
        if words >= WORDS_OF_15_PAGES:
            break
    return make_pair(Document.from_text(text, "15 pages", mentions), replacer, "Added.", random.Random(seed))


def seconds(pair: MadePair, repeats: int = 3) -> float:
    """The best time of an alignment, the documents' tokens included."""
    times = []
    for _ in range(repeats):
        here, there = (Document(d.text, d.doc_id, d.blocks) for d in (pair.original, pair.anonymized))
        start = time.perf_counter()
        align(here, there)
        times.append(time.perf_counter() - start)
    return min(times)


def agreements(documents: Sequence[Document], number: int = 500, seed: int = 0) -> tuple[list[float], list[float]]:
    """Scores of agreement: true pairs with a long paragraph inserted, and ``number`` pairs of different rulings."""
    rng, true = random.Random(seed), []
    for document in documents:
        other = rng.choice(documents)
        block = max(other.blocks, key=lambda b: b.end - b.start)
        pair = make_pair(document, rng.choice(list(CONVENTIONS.values())), other.text[block.start : block.end], rng)
        true.append(agreement(pair.original, pair.anonymized).score)
    return true, [agreement(*rng.sample(documents, 2)).score for _ in range(number)]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_data(parser, "tab_en")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    documents = judgments(arguments.data / "tab_en")
    rows = []
    for name, replacer in CONVENTIONS.items():
        score = measure(documents, replacer, arguments.seed)
        share = 100 * score.reported / max(1, score.missed)
        time_taken = f"{seconds(long_pair(documents, replacer)):.2f}"
        rows.append((name, f"{score.f1:.4f}", f"{share:.1f}", score.missed, score.alarms, time_taken))
    header = ("convention", "F1 of A", "missed reported %", "of", "others reported", "s / 15 pages")
    print(table(rows, header))
    true, false = agreements(documents, seed=arguments.seed)
    print(
        f"\nagreement: least of {len(true)} pairs {min(true):.2f}, greatest of {len(false)} that are none "
        f"{max(false):.2f}; refused below {LEAST_AGREEMENT}"
    )


if __name__ == "__main__":
    run_study(main)
