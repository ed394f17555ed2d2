"""One document judged: what must be hidden in it against what a system hid, token by token.

Which tokens count, and when one is gold or predicted, is said in `aef.evaluation.figures`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from aef.corpus_tools.document import Document, Mention
from aef.errors import InputError
from aef.tagging.targets import counted, counting_tokens, coverage, target_mentions

__all__ = ["Finding", "Judged", "Typed", "coverage", "entity_key", "judge"]

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Finding:
    """A miss or a false alarm: where it is, what it says, and the text around it."""

    doc_id: str
    start: int
    end: int
    text: str
    entity_type: str | None
    before: str
    after: str


class Typed(NamedTuple):
    """A mention as a run of counting tokens."""

    tokens: range
    entity_type: str | None


class Judged:
    """A gold document and its counting tokens.

    ``starts``, ``ends``: their offsets; ``gold``, ``predicted``: which of them are; ``found``: which are predicted or
    count as found under ``once``; all of shape (n,). ``hidden``: the target's predicted mentions. ``mentions``: the
    target's gold mentions, each with its tokens, those without any left out.
    """

    def __init__(self, gold: Document, predicted: Document, target: str, once: bool) -> None:
        self.document = gold
        self.target = target
        self.starts, self.ends = counting_tokens(gold.text)
        self.hidden = target_mentions(predicted, target)
        self.gold, self.predicted = counted(gold, predicted, target)
        self.stretches = np.searchsorted(_stretch_starts(self.hidden), self.starts, side="right")
        self.found = self._found_once() if once else self.predicted
        ordered = sorted(target_mentions(gold, target), key=lambda m: (m.start, -m.end))
        self.mentions = [(m, tokens) for m in ordered if (tokens := self.within(m.start, m.end))]

    def within(self, start: int, end: int) -> range:
        """The tokens with a character between the offsets."""
        low = int(np.searchsorted(self.ends, start, side="right"))
        return range(low, max(low, int(np.searchsorted(self.starts, end, side="left"))))

    def word(self, token: int | np.intp) -> str:
        return self.document.text[self.starts[token] : self.ends[token]]

    def term(self, tokens: range) -> str:
        return " ".join(map(self.word, tokens))

    def _found_once(self) -> Bools:
        """Predicted, where a gold token also counts as found when the same word is predicted elsewhere."""
        tagged = {self.word(i) for i in np.flatnonzero(self.predicted)}
        found = self.predicted.copy()
        found[[i for i in np.flatnonzero(self.gold) if self.word(i) in tagged]] = True
        return found

    def is_found(self, tokens: range) -> bool:
        return bool(self.found[tokens.start : tokens.stop].all())

    @cached_property
    def counts(self) -> Ints:
        """As `aef.evaluation.figures.COUNTS`; shape (7,)."""
        entities: dict[Any, bool] = {}
        for i, (mention, tokens) in enumerate(self.mentions):
            key = entity_key(mention, i)
            entities[key] = entities.get(key, True) and self.is_found(tokens)
        found = sum(self.is_found(tokens) for _, tokens in self.mentions)
        masks = [self.gold & self.found, ~self.gold & self.found, self.gold & ~self.found]
        counts = [*map(np.count_nonzero, masks), len(self.mentions), found, len(entities), sum(entities.values())]
        return np.array(counts, np.int64)

    def gold_runs(self) -> list[Typed]:
        """The gold mentions as token runs that do not overlap: one inside another is left out."""
        return _apart(Typed(tokens, mention.entity_type) for mention, tokens in self.mentions)

    def predicted_runs(self) -> list[Typed]:
        """The predicted mentions as runs of wholly predicted tokens that do not overlap: the first and longest stay."""
        ordered = sorted(self.hidden, key=lambda m: (m.start, -m.end))
        return _apart(Typed(self._whole(self.within(m.start, m.end)), m.entity_type) for m in ordered)

    def _whole(self, tokens: range) -> range:
        """Without a token at either end of which a part only is hidden."""
        start = tokens.start + int(len(tokens) > 0 and not self.predicted[tokens.start])
        return range(start, max(start, tokens.stop - int(len(tokens) > 0 and not self.predicted[tokens.stop - 1])))

    def wrong(self) -> list[range]:
        """The wrong terms: runs of predicted tokens that are not gold, each inside one predicted stretch."""
        runs: list[range] = []
        for i in map(int, np.flatnonzero(self.predicted & ~self.gold)):
            if runs and runs[-1].stop == i and self.stretches[i] == self.stretches[i - 1]:
                runs[-1] = range(runs[-1].start, i + 1)
            else:
                runs.append(range(i, i + 1))
        return runs

    def finding(self, start: int, end: int, entity_type: str | None, width: int) -> Finding:
        text = self.document.text
        around = " ".join(text[max(0, start - width) : start].split()), " ".join(text[end : end + width].split())
        return Finding(self.document.doc_id, start, end, text[start:end], entity_type, *around)


def entity_key(mention: Mention, number: int) -> Any:
    """What the mentions of an entity share; a mention without ``entity_id`` is its own entity, by its number."""
    return number if mention.entity_id is None else mention.entity_id


def _apart(runs: Iterable[Typed]) -> list[Typed]:
    kept: list[Typed] = []
    for run in runs:
        if run.tokens and (not kept or kept[-1].tokens.stop <= run.tokens.start):
            kept.append(run)
    return kept


def _stretch_starts(mentions: Iterable[Mention]) -> list[int]:
    """Where the stretches begin that the mentions cover; a mention that overlaps the one before begins none."""
    starts: list[int] = []
    end = 0
    for mention in sorted(mentions, key=lambda m: (m.start, m.end)):
        starts += [mention.start] if mention.start >= end else []
        end = max(end, mention.end)
    return starts


# --- a corpus's documents with their predictions --------------------------------------------------------------------


def judge(
    gold: Sequence[Document], predicted: Sequence[Document], target: str = "person", *, once: bool = False
) -> list[Judged]:
    """Each gold document with the same document as a system tagged it.

    Raises `InputError` where documents or texts differ.
    """
    return [Judged(g, p, target, once) for g, p in _pairs(gold, predicted)]


def _pairs(gold: Sequence[Document], predicted: Sequence[Document]) -> list[tuple[Document, Document]]:
    ids, others = [d.doc_id for d in gold], [d.doc_id for d in predicted]
    if ids != others:
        predicted = _in_order(ids, predicted)
    for one, other in zip(gold, predicted, strict=True):
        if one.text != other.text:
            raise InputError(
                f"document {one.doc_id!r}: the predictions are for another text ({len(other.text)} characters, the "
                f"gold text has {len(one.text)}). Tag the gold corpus's own texts"
            )
    return list(zip(gold, predicted, strict=True))


def _in_order(ids: Sequence[str], predicted: Sequence[Document]) -> list[Document]:
    known = {d.doc_id: d for d in predicted}
    missing = [i for i in ids if i not in known]
    unasked = sorted(known.keys() - set(ids))
    if missing or unasked or not len(set(ids)) == len(ids) == len(predicted):
        raise InputError(
            f"gold and predicted documents differ: {len(ids)} and {len(predicted)}; without prediction: "
            f"{_some(missing)}; not in the gold corpus: {_some(unasked)}. Each doc_id must be in both, once"
        )
    return [known[i] for i in ids]


def _some(ids: Sequence[str], limit: int = 5) -> str:
    return ", ".join(map(repr, ids[:limit])) + (f" and {len(ids) - limit} more" if len(ids) > limit else "") or "none"
