"""The editor's review: a copy of the ruling with every replacement to accept or reject, and what follows from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from aef.corpus_tools.alignment.run import align
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.docx.decisions import REJECTED, Decision, decided, unreviewed
from aef.corpus_tools.docx.review import Change, review_copy, review_name
from aef.corpus_tools.files import must_be_new, write_atomic
from aef.corpus_tools.name_search.folding import folded, together
from aef.corpus_tools.name_search.hidden_names import HiddenNames
from aef.corpus_tools.rulings.readers import FORMATS, open_source
from aef.errors import InputError
from aef.names.phrases import occurrences
from aef.replacement.plan import Edit, Entity
from aef.roles.policy import WHY
from aef.verification.between import left_between
from aef.verification.leaks import hidden_names, remaining
from aef.verification.search import Finding, telling

_MOST = 3  # so many pieces of evidence fit into a comment


def copy_for_review(
    source: str | Path,
    document: Document,
    edits: Sequence[Edit],
    hides: HiddenNames,
    finder: object = None,
) -> bytes:
    """The review copy of a DOCX ruling: ``document`` with its mentions and the ``edits`` that hide them; ``hides`` is
    what else the file was made safe with. Where the finder can explain itself, comments say its evidence."""
    evidence = dict(_evidence(finder, document, edits))
    changes = [
        Change(e.start, e.end, e.replacement, e.type, _note(document, e, evidence.get(e.start, ""))) for e in edits
    ]
    return review_copy(open_source(source), changes, hides)


def review_path(review: str | Path, source: str | Path, target: str | Path | None, force: bool = False) -> Path:
    """Where the review copy goes: ``review``, with the mark in its name; in a folder it is named as the target is.

    Raises `InputError` for a ruling of which there can be no review copy, without a target, and for a file that exists,
    unless ``force``.
    """
    if Path(source).suffix.lower() != ".docx":
        raise InputError.at(source, "cannot have a review copy", remedy="Review copies are made of DOCX rulings")
    if target is None:
        raise InputError("a review copy stands beside an output. Name one")
    folder = Path(review).is_dir() or str(review).endswith(("/", "\\"))
    path = Path(review) / Path(target).with_suffix(".docx").name if folder else Path(review)
    if path.suffix.lower() != ".docx":
        raise InputError.at(path, "is no name for a review copy", remedy="Name a .docx file, or a folder with / behind")
    must_be_new([review_name(path)], force)
    return review_name(path)


def _note(document: Document, edit: Edit, evidence: str) -> str:
    """The comment on a replacement: the original, its kind and probability, the reason."""
    mention = _mention(document, edit)
    probability = mention.probability if mention is not None else None
    kind = edit.type.lower() + (f", probability {probability:.2f}" if probability is not None else "")
    return "\n".join(
        filter(None, [f"{document.text[edit.start : edit.end]} → {edit.replacement}", kind, _why(mention), evidence])
    )


def _mention(document: Document, edit: Edit) -> Mention | None:
    """The mention that an edit hides; the likeliest of several."""
    covered = [m for m in document.mentions if m.start < edit.end and edit.start < m.end]
    return max(covered, key=lambda m: m.probability or 0.0, default=None)


def _why(mention: Mention | None) -> str:
    if mention is None:
        return "part of a neighbouring replacement"
    if why := mention.extra.get(WHY):
        return str(why)
    return "found by the model" if mention.probability is not None else "given as to be hidden"


def _evidence(finder: object, document: Document, edits: Sequence[Edit]) -> Iterator[tuple[int, str]]:
    """The weightiest evidence for the first token of each replacement, by where that begins."""
    from aef.tagging.finder import Finder

    if not isinstance(finder, Finder) or not finder.fitted:
        return
    from aef.evaluation.explanation import REASONS, explain

    spoken = document.in_language(finder.language)
    tokens = {e.start: next(iter(spoken.token_range(e.start, e.end)), None) for e in edits}
    explained = {x.token: x for x in explain(finder, spoken, sorted({t for t in tokens.values() if t is not None}))}
    for start, token in tokens.items():
        if token in explained and explained[token].hidden:
            found = explained[token]
            weights = [str(p) for p in found.predicates if p.weight > 0][:_MOST]
            yield start, "; ".join([REASONS[found.reason], *weights])


# --- what the editor decided ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Applied:
    """A reviewed ruling: the decisions, the places where a hidden name may still be read, the file's bytes, and the
    findings, with the names, behind the places."""

    decisions: list[Decision]
    remaining: list[str]
    content: bytes
    written: bool = False
    findings: Sequence[Finding] = ()

    @property
    def counts(self) -> dict[str, int]:
        """How many replacements came to which end."""
        return dict(Counter(decision.outcome for decision in self.decisions))


def apply_review(
    reviewed: str | Path, target: str | Path | None = None, *, force: bool = False, allow_remaining: bool = False
) -> Applied:
    """Make the publishable file from a review copy that an editor has gone through.

    Changes left undecided count as accepted, and so do the editor's own. Nothing is written while a name whose
    replacements all stand may be read elsewhere, unless ``allow_remaining``. Raises `InputError` for what is no review
    copy, and for a target that exists, unless ``force``.
    """
    if target is not None:
        _check_target(reviewed, target, force)
    try:
        data = Path(reviewed).read_bytes()
    except OSError as error:
        raise InputError.at(reviewed, f"cannot be read ({error.strerror})") from error
    flat, decisions = decided(data, str(reviewed))
    hidden, labels = _hidden(decisions)
    names = hidden_names(hidden, labels)
    content = FORMATS[".docx"](flat, str(reviewed)).rewritten([], names)
    shown = [decision.original for decision in decisions if decision.outcome == REJECTED]
    findings = remaining(content, "output.docx", hidden, names, (), shown)
    told = " ".join(together(finding.name) for finding in findings)
    findings += (f for f in _left_by_editor(data, content, str(reviewed), shown) if together(f.name) not in told)
    left = sorted({str(finding) for finding in findings})
    if target is not None and names(Path(target).stem):
        left.append("the name of the output file")
    applied = Applied(decisions, left, content, findings=findings)
    if target is None or (left and not allow_remaining):
        return applied
    write_atomic(target, content, force)
    return replace(applied, written=True)


def _left_by_editor(data: bytes, content: bytes, name: str, shown: Sequence[str]) -> Iterator[Finding]:
    """Where a name may still be read that is hidden elsewhere, by the editor's own tracked changes, too: what `aef
    verify` finds between the ruling as it was and as it is now, and what was hidden in one paragraph only."""
    before = unreviewed(data, name)
    yield from left_between(before, content, "output.docx", shown)[1]
    original, result = (FORMATS[".docx"](file, name).document("ruling") for file in (before, content))
    try:
        aligned = align(original, result).document
    except InputError:  # nothing of the ruling is left to compare
        return
    spared = {_same(phrase) for phrase in shown}
    for form in dict.fromkeys(aligned.cut(m) for m in aligned.mentions):
        if _same(form) not in spared and telling(form):
            for start, end in occurrences(result.text, form):
                if result.text[start].isupper():
                    where = str(result.places([start]))
                    yield Finding("the text", result.text[start:end], shown=True, where=where)


def _check_target(reviewed: str | Path, target: str | Path, force: bool) -> None:
    must_be_new([target], force)
    if Path(target).suffix.lower() != ".docx":
        raise InputError.at(target, "is no DOCX", remedy="A review copy becomes a DOCX")
    if Path(target).exists() and Path(target).samefile(reviewed):
        raise InputError.at(target, "is the review copy itself", remedy="Name another output")


def _hidden(decisions: Iterable[Decision]) -> tuple[list[Entity], Mapping[str, str]]:
    """What is hidden wherever it stood, and its labels: names that the editor shows somewhere are left out."""
    decisions = list(decisions)
    shown = {_same(decision.original) for decision in decisions if decision.outcome == REJECTED}
    hidden = {_same(d.original): d for d in decisions if _same(d.original) not in shown}
    entities = [Entity(key, d.kind, (" ".join(d.original.split()),)) for key, d in hidden.items()]
    return entities, {key: d.replacement for key, d in hidden.items()}


def _same(name: str) -> str:
    return " ".join(folded(name)[0].split())
