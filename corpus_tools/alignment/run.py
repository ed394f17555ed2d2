"""An original ruling and its anonymized version, aligned: what was hidden, under which label, and what was missed.

Paragraphs are paired first, then their words, so that each token of the original is anonymizable (A: inside a
mention) or not (N). This is how the corpus of the AEF thesis (chapter 3) comes from pairs of rulings.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from aef.corpus_tools.alignment.agreement import match_documents, must_be_a_pair
from aef.corpus_tools.alignment.findings import KINDS, Finding, rewordings, two_labels, two_persons, unpaired
from aef.corpus_tools.alignment.hidden_runs import Hidden, entity_type, hidden_runs
from aef.corpus_tools.alignment.missed_names import left_in_clear, missed_mentions
from aef.corpus_tools.alignment.paragraph_pairing import Pair
from aef.corpus_tools.document import Document, Mention


@dataclass(frozen=True, slots=True)
class Replacement:
    """A label and what stands for it: the original strings with how often each was replaced by it."""

    label: str
    convention: str
    entity_type: str | None
    originals: tuple[tuple[str, int], ...]

    @property
    def count(self) -> int:
        return sum(n for _, n in self.originals)


@dataclass(frozen=True)
class Alignment:
    """The outcome for one pair. ``document`` is the original with what was hidden as masked mentions (label A)."""

    document: Document
    anonymized: Document
    pairs: tuple[Pair, ...]
    replacements: tuple[Replacement, ...]
    findings: tuple[Finding, ...]

    @property
    def doc_id(self) -> str:
        return self.document.doc_id

    @cached_property
    def counts(self) -> dict[str, int]:
        """Paragraphs (of both sides, and those with a partner), tokens of the original, and those labelled A."""
        return {
            "paragraphs": len(self.document.blocks),
            "paragraphs_anonymized": len(self.anonymized.blocks),
            "paragraphs_paired": sum(len(p.original) for p in self.pairs),
            "paragraphs_anonymized_paired": sum(len(p.anonymized) for p in self.pairs),
            "tokens": len(self.document.words),
            "tokens_paired": _tokens_in(self.document, (i for p in self.pairs for i in p.original)),
            "tokens_a": int(self.document.mask(self.document.mentions).sum()),
            "mentions": len(self.document.mentions),
        }

    @property
    def paired_share(self) -> float:
        """The share of the original's paragraphs that have a partner, 0 to 1."""
        return self.counts["paragraphs_paired"] / max(1, self.counts["paragraphs"])


def align(original: Document, anonymized: Document, fix_missed: bool = False) -> Alignment:
    """Align a ruling with its anonymized version.

    The mentions of the result are token-aligned, ``DIRECT``, and carry the label in ``extra["replacement"]``; those
    under the same label of a person or role share an ``entity_id``. Names left in clear that are hidden elsewhere
    are findings of kind "missed"; with ``fix_missed`` they become mentions, too, with ``extra["missed"]``. Words of
    paragraphs without a partner are not labelled.

    Raises `InputError` where too little matches for the two to be a pair.

    >>> original = Document.from_text("[1] Ms. Zwetkow met Mr. Hale. Ms. Zwetkow then left the house of Mr. Hale.")
    >>> published = Document.from_text("[1] Ms. Z. met Mr. H. Ms. Z. then left the house of Mr. Hale.")
    >>> alignment = align(original, published)
    >>> [(original.cut(mention), mention.extra["replacement"]) for mention in alignment.document.mentions]
    [('Zwetkow', 'Z.'), ('Hale', 'H.'), ('Zwetkow', 'Z.')]
    >>> [(finding.kind, finding.text) for finding in alignment.findings]
    [('missed', 'Hale')]
    """
    here, there, matches = match_documents(original, anonymized)
    must_be_a_pair(here, there, matches)
    hidden, reworded = hidden_runs(matches)
    findings = [
        *left_in_clear(here, there, matches, hidden),
        *two_labels(hidden),
        *two_persons(hidden),
        *unpaired(here, there, matches),
        *rewordings(reworded),
    ]
    findings.sort(key=lambda f: KINDS.index(f.kind))
    mentions = _disjoint(m for h in hidden for m in _mentions(original, h))
    replacements = _replacements(original, mentions)
    if fix_missed:
        mentions += missed_mentions(original, findings, mentions)
    labelled, pairs = original.with_mentions(mentions), tuple(m.pair for m in matches)
    return Alignment(labelled, anonymized, pairs, replacements, tuple(findings))


def _tokens_in(document: Document, blocks: Iterable[int]) -> int:
    return sum(len(document.token_range(document.blocks[i].start, document.blocks[i].end)) for i in blocks)


def _mentions(document: Document, hidden: Hidden) -> Iterator[Mention]:
    """The hidden run as mentions of whole tokens, one a sentence."""
    tokens, label = document.tokens, hidden.label
    run = document.token_range(hidden.units[0].start, hidden.units[-1].end)
    cuts = [i for i in run if i == run.start or tokens.first[i]]
    for first, last in pairwise([*cuts, run.stop]):
        yield Mention(
            int(tokens.starts[first]),
            int(tokens.ends[last - 1]),
            entity_type(hidden),
            "DIRECT",
            label.entity_id,
            extra={"replacement": label.text, "convention": label.convention.name},
        )


def _disjoint(mentions: Iterable[Mention]) -> list[Mention]:
    """In text order, those that meet in one token joined: of 12/03/2000 day and month may have a label each."""
    joined: list[Mention] = []
    for mention in sorted(mentions, key=lambda m: (m.start, m.end)):
        last = joined[-1] if joined else None
        if last and mention.start < last.end:
            labels = f"{last.extra['replacement']} {mention.extra['replacement']}".strip()
            extra = {**last.extra, "replacement": labels}
            joined[-1] = replace(last, end=max(last.end, mention.end), entity_id=None, extra=extra)
        else:
            joined.append(mention)
    return joined


def _replacements(document: Document, mentions: Iterable[Mention]) -> tuple[Replacement, ...]:
    """One row a label, the most frequent first."""
    rows: dict[tuple[str, str], list[Mention]] = defaultdict(list)
    for m in mentions:
        rows[m.entity_id or m.extra["replacement"], m.extra["convention"]].append(m)
    made = []
    for (label, convention), group in rows.items():
        kind = Counter(m.entity_type for m in group).most_common(1)[0][0]
        made.append(Replacement(label, convention, kind, tuple(Counter(map(document.cut, group)).most_common())))
    return tuple(sorted(made, key=lambda r: (-r.count, r.label)))
