"""From pieces to runs: quotation marks, the house's labels, the editor's hand and the editor's slips."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from aef.corpus_tools.samples.case import Case
from aef.corpus_tools.samples.people import OMISSION
from aef.corpus_tools.samples.pieces import Piece
from aef.corpus_tools.samples.ruling import Gold, Run, SampleBlock

_SPLIT_SHARE = 0.012  # names cut in two by formatting


@dataclass(slots=True)
class Draft:
    """A block whose names have no labels yet."""

    part: str
    style: str
    pieces: list[Piece]
    cell: tuple[int, int, int] | None = None


def labels(drafts: Iterable[Draft], case: Case) -> dict[str, str]:
    """Each hidden person's initials, numbered in the order of the text where shared (thesis, section 1.3)."""
    order = [p.entity_id for draft in drafts for p in draft.pieces if p.entity_type == "PERSON"]
    initials = {person.entity_id: person.initials for person in case.people.values()}
    seen = list(dict.fromkeys(order))
    shared = Counter(initials[entity] for entity in seen)
    numbers: Counter[str] = Counter()
    result = {}
    for entity in seen:
        label = initials[entity]
        numbers[label] += 1
        result[entity] = f"{label}{numbers[label]}" if shared[label] > 1 else label
    return result


@dataclass
class Editor:
    """Who publishes: the labels, the share of names slipped, and the habits."""

    labels: dict[str, str]
    rng: random.Random
    slips: float
    curly: bool
    fold: bool  # one period, not two, where a label ends a sentence

    def edit(self, draft: Draft) -> SampleBlock:
        runs = [self._run(piece) for piece in draft.pieces]
        runs = _join_periods(runs, self.fold)
        runs = _typographic(runs) if self.curly else runs
        return SampleBlock(draft.part, draft.style, tuple(_merged(runs)), draft.cell)

    def _run(self, piece: Piece) -> Run:
        if not piece.entity_id:
            shown = piece.text if piece.shown is None else piece.shown
            return Run(piece.text, shown, None, piece.kept, piece.bold, piece.italic)
        label = self.labels[piece.entity_id] if piece.shown is None else piece.shown
        gold = Gold(piece.entity_type, piece.entity_id, label)
        cut = (
            self.rng.randint(2, len(piece.text) - 1) if len(piece.text) > 4 and self.rng.random() < _SPLIT_SHARE else 0
        )
        return Run(piece.text, self._shown(piece.text, gold), gold, "", piece.bold, piece.italic, cut)

    def _shown(self, text: str, gold: Gold) -> str:
        """The house's label, or a slip: the name in clear, another's label, or no label at all."""
        if self.rng.random() >= self.slips:
            return gold.replacement
        wrong = [label for label in self.labels.values() if label != gold.replacement]
        if self.rng.random() < 0.7 or gold.entity_type != "PERSON" or not wrong:
            return text
        return self.rng.choice([*wrong, OMISSION])


def _join_periods(runs: list[Run], fold: bool) -> list[Run]:
    """No second period after an abbreviation; after a label only where the editor takes care."""
    for i in range(1, len(runs)):
        before, run = runs[i - 1], runs[i]
        if not run.text.startswith(".") or run.gold:
            continue
        once = before.text.endswith(".")
        text = run.text[1:] if once else run.text
        shown = run.shown[1:] if once or (fold and before.shown.endswith(".")) else run.shown
        runs[i] = replace(run, text=text, shown=shown)
    return runs


def _typographic(runs: list[Run]) -> list[Run]:
    """Straight quotation marks and apostrophes as typographic ones, in both versions alike."""
    before, done = "", []
    for run in runs:
        text, shown = _curl(run.text, before), _curl(run.shown, before)
        gold = replace(run.gold, replacement=_curl(run.gold.replacement, before)) if run.gold else None
        done.append(replace(run, text=text, shown=shown, gold=gold))
        before = run.text[-1:] or before
    return done


def _curl(text: str, before: str) -> str:
    marks = []
    for character in text:
        opening = not before.strip() or before in "([—“‘"
        marks.append({'"': "”“"[opening], "'": "’‘"[opening]}.get(character, character))
        before = marks[-1]
    return "".join(marks)


def _merged(runs: Sequence[Run]) -> list[Run]:
    """Neighbouring plain runs of one format as one."""
    merged: list[Run] = []
    for run in runs:
        if not run.text and not run.shown:
            continue
        if merged and _plain(merged[-1]) and _plain(run) and _format(merged[-1]) == _format(run):
            merged[-1] = replace(merged[-1], text=merged[-1].text + run.text, shown=merged[-1].shown + run.shown)
        else:
            merged.append(run)
    return merged


def _plain(run: Run) -> bool:
    return not run.gold and not run.kept


def _format(run: Run) -> tuple[bool, bool]:
    return run.bold, run.italic
