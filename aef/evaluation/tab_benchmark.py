"""The evaluation of the Text Anonymization Benchmark (Pilán et al. 2022, section 5), beside a strict one.

**TAB's rules**, as its authors' evaluation counts them:

- A word is a ``\\w+`` run inside a mention. It is masked when all its characters are, or when it is a title or
  function word (`LENIENT`): such words left in clear count as masked. In the same way a mention is masked when what is
  left of it is only such words, white space and punctuation.
- An entity must be masked if one of its mentions must; it is direct if its first mention is. It is masked when all its
  mentions that must be masked are.
- Token and mention recall run over all mentions of the entities to be masked, also over those that need no masking
  themselves; a word in two nested mentions counts twice.
- Precision has no lenient rule and weights all words alike (TAB also weights them by their information content, which
  needs a language model): of the words inside predicted mentions, or of the predicted mentions, those that lie wholly
  inside one gold mention that must be masked.
- Where several annotators judged a document, TAB sums over them before it divides (micro-average). Here an annotator's
  version of a document is a gold document, so that all sums run over documents and annotators alike.

TAB's first release names the lenient words in a list, which is followed here; a later one asks a part-of-speech tagger
for adpositions, particles, conjunctions and determiners instead.

**Strict**: the counting tokens, mentions and entities of `aef.evaluation.figures`. A mention is masked when each of its
counting tokens is, titles alone left out, and an entity when each of its masked mentions is; it is direct if one of
them is. Each token of the text counts once. Precision is that of the counting tokens; a predicted mention is right when
all its counting tokens lie in one gold mention.

A mention that must be hidden and has no identifier type counts as quasi.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from aef.corpus_tools.document import MASKED, Document, Mention
from aef.errors import InputError
from aef.evaluation.tab_rules import Inside, counting_words, mention_masked, word_masked
from aef.evaluation.tables import table
from aef.evaluation.token_counts import Judged, coverage, entity_key, judge
from aef.tagging.targets import of_target


class Share(NamedTuple):
    """``part`` of ``whole``."""

    part: int
    whole: int

    @property
    def value(self) -> float:
        """The fraction; 0 of nothing."""
        return self.part / self.whole if self.whole else 0.0


@dataclass(frozen=True, slots=True)
class Rules:
    """The figures by one set of rules, sums over the corpus."""

    recall: Share
    recall_direct: Share
    recall_quasi: Share
    mention_recall: Share
    er: Share
    er_direct: Share
    er_quasi: Share
    precision: Share
    mention_precision: Share


@dataclass(frozen=True, slots=True)
class TypeRecall:
    """Entity recall of one entity type (of an entity's first mention), by TAB's rules and strictly."""

    er_direct: Share
    er_quasi: Share
    strict_er_direct: Share
    strict_er_quasi: Share


@dataclass(frozen=True)
class TabFigures:
    """``tab`` and ``strict``: see the module. ``by_type``: entity recall by entity type ("" where unknown)."""

    tab: Rules
    strict: Rules
    by_type: dict[str, TypeRecall]

    @property
    def tab_recall(self) -> float:
        """TAB's token recall on all identifiers."""
        return self.tab.recall.value

    @property
    def er_direct(self) -> float:
        """TAB's entity recall on direct identifiers, ER_di."""
        return self.tab.er_direct.value

    @property
    def er_quasi(self) -> float:
        """TAB's entity recall on quasi identifiers, ER_qi."""
        return self.tab.er_quasi.value

    def to_dict(self) -> dict[str, Any]:
        """For JSON: each figure with its value, part and whole."""
        rules = {name: _as_json(rules) for name, rules in (("tab", self.tab), ("strict", self.strict))}
        return rules | {"by_type": {kind: _as_json(row) for kind, row in self.by_type.items()}}

    def table(self) -> str:
        """Both sets of rules in percent, and the missed entities by type, as plain text tables."""
        return f"{table(self.rows(), HEADER)}\n\n{table(self.missed_rows(), MISSED_HEADER)}"

    def rows(self) -> list[list[Any]]:
        """The rows below `HEADER`."""
        pairs = ((name, getattr(self.tab, f), getattr(self.strict, f)) for f, name in _NAMES.items())
        return [[name, 100 * t.value, _of(t), 100 * s.value, _of(s)] for name, t, s in pairs]

    def missed_rows(self) -> list[list[Any]]:
        """The rows below `MISSED_HEADER`: entities missed, of how many."""
        return [[kind or "(no type)", *map(_missed, _shares(row).values())] for kind, row in self.by_type.items()]


HEADER = ("identifiers to mask", "TAB's rules", "", "strict", "")
MISSED_HEADER = ("entities missed", "direct", "quasi", "direct, strict", "quasi, strict")
_NAMES = {
    "recall": "token recall",
    "recall_direct": "token recall, direct",
    "recall_quasi": "token recall, quasi",
    "mention_recall": "mention recall",
    "er": "entity recall",
    "er_direct": "entity recall, direct",
    "er_quasi": "entity recall, quasi",
    "precision": "token precision",
    "mention_precision": "mention precision",
}


def _shares(row: Rules | TypeRecall) -> dict[str, Share]:
    return {f.name: getattr(row, f.name) for f in fields(row)}


def _as_json(row: Rules | TypeRecall) -> dict[str, Any]:
    return {name: {"value": s.value, "part": s.part, "whole": s.whole} for name, s in _shares(row).items()}


def _of(share: Share) -> str:
    return f"{share.part} of {share.whole}"


def _missed(share: Share) -> str:
    return f"{share.whole - share.part} of {share.whole}" if share.whole else "-"


# --- figures --------------------------------------------------------------------------------------------------------


def tab_figures(gold: Sequence[Document], predicted: Sequence[Document], target: str = "all") -> TabFigures:
    """TAB's evaluation and the strict one of predictions for gold documents.

    ``target`` chooses the mentions on both sides; TAB's published figures are for ``all``. Raises `InputError` where
    documents or texts differ, and for a gold corpus without identifier types.
    """
    return figures_of(judge(gold, predicted, target))


def identifier_types(gold: Iterable[Document], target: str) -> set[str]:
    """Which of DIRECT and QUASI the target's mentions have."""
    return {m.identifier_type for d in gold for m in of_target(d, target) if m.identifier_type in MASKED}


def must_have_identifier_types(gold: Iterable[Document], target: str) -> None:
    """Raise `InputError` where none of the target's mentions is DIRECT or QUASI."""
    if not identifier_types(gold, target):
        raise InputError(
            "the gold corpus has no identifier types, and TAB's evaluation asks for them. Give its mentions an "
            "identifier_type: DIRECT, QUASI or NO_MASK"
        )


def figures_of(judged: Sequence[Judged]) -> TabFigures:
    """As `tab_figures`, of documents already paired with their predictions."""
    must_have_identifier_types([d.document for d in judged], judged[0].target if judged else "all")
    tab, strict, by_type = _Tally(), _Tally(), defaultdict[str, _Tally](_Tally)
    for document in judged:
        entities = _entities(document)
        _count_tab(document, entities, tab, by_type)
        _count_strict(document, entities, strict, by_type)
    rows = {kind: TypeRecall(**by_type[kind].shares(TypeRecall)) for kind in sorted(by_type)}
    return TabFigures(Rules(**tab.shares(Rules)), Rules(**strict.shares(Rules)), rows)


class _Tally:
    """Parts and wholes by the name of a figure."""

    def __init__(self) -> None:
        self.counts: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])

    def add(self, name: str, hits: Sequence[bool]) -> None:
        self.counts[name][0] += sum(hits)
        self.counts[name][1] += len(hits)

    def shares(self, kind: type) -> dict[str, Share]:
        return {f.name: Share(*self.counts[f.name]) for f in fields(kind)}


@dataclass(frozen=True, slots=True)
class _Entity:
    """An entity to be masked: all its mentions, in the order of the corpus."""

    mentions: list[Mention]

    @property
    def entity_type(self) -> str:
        return self.mentions[0].entity_type or ""

    @property
    def kind(self) -> str:
        return "direct" if self.mentions[0].identifier_type == "DIRECT" else "quasi"

    @property
    def strict_kind(self) -> str:
        return "direct" if any(m.identifier_type == "DIRECT" for m in self.mentions) else "quasi"


def _entities(judged: Judged) -> list[_Entity]:
    mentions: dict[Any, list[Mention]] = defaultdict(list)
    for number, mention in enumerate(of_target(judged.document, judged.target)):
        mentions[entity_key(mention, number)].append(mention)
    return [_Entity(own) for own in mentions.values() if any(m.masked for m in own)]


# --- TAB's rules ----------------------------------------------------------------------------------------------------


def _count_tab(judged: Judged, entities: Sequence[_Entity], tally: _Tally, by_type: dict[str, _Tally]) -> None:
    text = judged.document.text
    covered = coverage(len(text), judged.hidden)
    for entity in entities:
        words = [word_masked(text, *span, covered) for m in entity.mentions for span in counting_words(text, m)]
        masked = [mention_masked(text, m, covered) for m in entity.mentions]
        found = all(ok for m, ok in zip(entity.mentions, masked, strict=True) if m.masked)
        for name, hits in (("recall", words), ("er", [found])):
            tally.add(name, hits)
            tally.add(f"{name}_{entity.kind}", hits)
        tally.add("mention_recall", masked)
        by_type[entity.entity_type].add(f"er_{entity.kind}", [found])
    inside = Inside((m.start, m.end) for entity in entities for m in entity.mentions if m.masked)
    tally.add("precision", [inside.holds(*span) for m in judged.hidden for span in counting_words(text, m)])
    tally.add("mention_precision", [inside.holds(m.start, m.end) for m in judged.hidden])


# --- strict ---------------------------------------------------------------------------------------------------------


def _count_strict(judged: Judged, entities: Sequence[_Entity], tally: _Tally, by_type: dict[str, _Tally]) -> None:
    tokens: dict[str, set[int]] = {"": set(), "_direct": set(), "_quasi": set()}
    for entity in entities:
        runs = [run for m in entity.mentions if m.masked and (run := judged.within(m.start, m.end))]
        masked = [bool(judged.predicted[run.start : run.stop].all()) for run in runs]
        found = [all(masked)] if runs else []
        tally.add("mention_recall", masked)
        by_type[entity.entity_type].add(f"strict_er_{entity.strict_kind}", found)
        for scope in ("", f"_{entity.strict_kind}"):
            tally.add(f"er{scope}", found)
            tokens[scope].update(*runs)
    for scope, own in tokens.items():
        tally.add(f"recall{scope}", judged.predicted[sorted(own)].tolist())
    tally.add("precision", judged.gold[judged.predicted].tolist())
    inside = Inside((run.start, run.stop) for _, run in judged.mentions)
    runs = [run.tokens for run in judged.predicted_runs()]
    tally.add("mention_precision", [inside.holds(run.start, run.stop) for run in runs])
