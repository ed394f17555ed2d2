"""From a ruling to the same ruling: what is to be hidden is replaced, the file checked, and only then written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from aef.anonymization.doubts import Asked, Clash, Doubt, asked, clashes, doubts
from aef.anonymization.marking import Tagger, Wanted, found, hidden_in, in_its_language
from aef.collector import collector_paused
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.edits import apply_edits
from aef.corpus_tools.files import must_be_new, write_atomic
from aef.corpus_tools.formats.plain_text import PlainText
from aef.corpus_tools.languages import language_doubt
from aef.corpus_tools.metadata.format_words import tells_nobody
from aef.corpus_tools.name_search.hidden_names import HiddenNames
from aef.corpus_tools.rulings.readers import FORMATS, READ_ONLY, Source, document_of, open_source
from aef.errors import InputError
from aef.names.parts import ORG, PERSON
from aef.replacement.plan import NOTHING, Edit, Entity, entities, labels_of, plan
from aef.roles.metadata import Known
from aef.roles.policy import Decision, Policy
from aef.verification.file_names import safe_path
from aef.verification.leaks import hidden_names
from aef.verification.leaks import remaining as leaks
from aef.verification.residual_names import Standing, standing
from aef.verification.search import Finding

if TYPE_CHECKING:
    from aef.replacement.case_file import Case


@dataclass(frozen=True)
class Result:
    """An anonymized ruling and what was done to it.

    people : the names each person's label stands for: the key to the ruling, never to be published.
    counts : "replacements", and the different "persons", "organisations" and "other" things hidden.
    remaining : places where the verification still finds a hidden name (`aef.verification.search`): none, or we have
        erred.
    in_clear : names of hidden persons that still stand in the text, the most harmful first: another bearer's, a
        street's or company's named alike, or of a mention that was not found (`aef.verification.residual_names`).
    content : the file's bytes. written : whether they were written.
    unsure : the names that may be several people's, and those of two people; they have labels of their own.
    dropped : what was taken out of the file because it cannot be looked into, or because no ruling needs it.
    clashes : labels that the case gave before and that stand in this ruling for something else.
    asked : whom the policy asks about. findings : what the verification found, with the names: behind ``remaining``.
    target : where it is, or would be, written. review : where the review copy was.
    decisions : where a policy decided, the role of each person and thing, what is done with it, and why.
    language : what is to be said where the ruling does not read like the language it was read in (`language_doubt`).
    read_as : the code of the language it was read in; "" where the mentions were given.
    hidden : all that is hidden, by their names: as secret as ``people``. tokens : the number of the ruling's tokens.
    """

    edits: list[Edit]
    people: dict[str, list[str]]
    counts: dict[str, int]
    remaining: list[str]
    in_clear: list[Standing]
    content: bytes
    written: bool = False
    unsure: list[Doubt] = field(default_factory=list)
    clashes: list[Clash] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    target: Path | None = None
    review: Path | None = None
    decisions: list[Decision] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    language: str = ""
    read_as: str = ""
    hidden: Sequence[Entity] = ()
    tokens: int = 0


@collector_paused()
def anonymize(
    source: str | Path,
    target: str | Path | None = None,
    *,
    finder: Tagger | None = None,
    mentions: Document | Iterable[Mention] | None = None,
    scheme: str = "initials",
    include: Iterable[str] = (),
    exclude: Iterable[str] = (),
    force: bool = False,
    allow_remaining: bool = False,
    seed: int = 0,
    keep_initials: bool = False,
    case: Case | None = None,
    taken: Collection[Path] | None = None,
    policy: Policy | None = None,
    metadata: Iterable[Known] = (),
    review: str | Path | None = None,
) -> Result:
    """Hide what ``finder`` finds in a ruling, or the given ``mentions``, and write the ruling to ``target``.

    finder, mentions : what finds, or what was found; without both the pipeline of the ruling's language finds, as in
        the command. Mentions given as a document of a gold corpus must be those of this very text.
    target : without one nothing is written; nor is it while names remain outside the text, unless ``allow_remaining``.
        A ``.txt`` takes any ruling's text.
    include, exclude : phrases that are always, and never, hidden; the former go first. Names of hidden people in a
        phrase that is excluded, and is no name itself, are hidden.
    seed, keep_initials : for schemes that invent.
    policy, metadata : who of those found is hidden, and who is who in the case (`aef.roles.metadata`); default: as
        finder or mentions say, by a pipeline's own, and by policy `lexum` where the finder's target is all names.
    case : what it called people before they are called again; it is saved before the ruling is written.
    taken : with these, hidden names in the target's own name are replaced, so that it is none of them.
    review : a copy of a DOCX to accept or reject, written beside the target (`aef.anonymization.review`).

    Raises `InputError` for bad input, and for a target that exists, unless ``force``.

    >>> from pathlib import Path
    >>> _ = Path("ruling.txt").write_text("[1] The applicant, Ms. Anna Zwetkow, filed. Ms. Zwetkow did not appear.")
    >>> result = anonymize("ruling.txt", "safe.txt", scheme="letters")
    >>> Path("safe.txt").read_text(), result.people
    ('[1] The applicant, Ms. AA, filed. Ms. AA did not appear.', {'AA': ['Anna Zwetkow', 'Zwetkow']})
    """
    opened = open_source(source)
    _check_target(source, target, force)
    if review is not None:
        from aef.anonymization.review import review_path

        review_path(review, source, target, force)  # what cannot be is said before the work
    include, exclude = tuple(include), tuple(exclude)
    read = document_of(opened, source)
    finder = in_its_language(default_tagger() if finder is None and mentions is None else finder, read)
    wanted = Wanted.by(finder, include, exclude, policy, metadata)
    marked = hidden_in(found(read, finder, mentions), wanted)
    document, decided = marked.hidden, marked.decided
    hidden = entities(document)
    known = case.recall(document, hidden, scheme) if case is not None else NOTHING
    edits = plan(document, scheme, seed=seed, keep_initials=keep_initials, known=known, hidden=hidden)
    if target is not None and taken is not None:
        target = safe_path(Path(target), hidden, labels_of(edits), taken)
        _check_target(source, target, force)
    names = hidden_names(hidden, labels_of(edits), include)
    changes = [(e.start, e.end, e.replacement) for e in edits]
    as_text = target is not None and Path(target).suffix.lower() == ".txt" and not isinstance(opened, PlainText)
    content = apply_edits(document.text, changes).encode("utf-8") if as_text else opened.rewritten(changes, names)
    suffix = ".txt" if as_text or str(source) == "-" else Path(source).suffix.lower()
    findings = leaks(content, f"output{suffix}", hidden, names, include, exclude)
    remaining = sorted(set(map(str, findings)))
    in_clear = standing(document, edits, hidden, decided)
    if target is not None and names_in(Path(target).stem, hidden):
        remaining.append("the name of the output file")
    result = Result(
        edits, _people(hidden, edits), _counts(hidden, edits), remaining, in_clear, content,
        unsure=doubts(document, edits, known), clashes=clashes(document, edits, known),
        asked=asked(document, edits, decided), findings=findings,
        language=language_doubt(marked.found) if finder is not None else "",
        read_as=marked.found.language if finder is not None else "",
        target=Path(target) if target is not None else None, decisions=decided,
        dropped=list(getattr(opened, "dropped", ())), hidden=hidden, tokens=len(document.tokens),
    )  # fmt: skip
    if target is None or (remaining and not allow_remaining):
        return result
    if case is not None:
        _remember(case, source, opened, document, hidden, result, scheme)
    if review is not None:
        result = replace(result, review=_write_review(review, source, target, document, edits, names, finder, force))
    write_atomic(target, content, force)
    return replace(result, written=True)


@cache
def default_tagger() -> Tagger:
    """The pipelines of those who name none, loaded once."""
    from aef.annotators.spoken import Spoken

    return Spoken()


def _write_review(
    review: str | Path,
    source: str | Path,
    target: str | Path,
    document: Document,
    edits: Sequence[Edit],
    names: HiddenNames,
    finder: Tagger | None,
    force: bool,
) -> Path:
    from aef.anonymization.review import copy_for_review, review_path

    path = review_path(review, source, target, force)
    write_atomic(path, copy_for_review(source, document, edits, names, finder), force, private=True)
    return path


def names_in(stem: str, hidden: Sequence[Entity]) -> bool:
    """Whether the name of a file says a hidden person or organisation; an ordinary word does with a capital only."""
    names = hidden_names([entity for entity in hidden if entity.type in (PERSON, ORG)], {})
    return any(stem[start].isupper() or not tells_nobody(stem[start:end]) for start, end, _ in names.edits(stem))


def _check_target(source: str | Path, target: str | Path | None, force: bool) -> None:
    if target is None:
        return
    must_be_new([target], force)
    suffix = Path(target).suffix.lower()
    if str(source) != "-" and Path(target).exists() and Path(target).samefile(source):
        raise InputError.at(target, "is the ruling itself", remedy="Name another output")
    if suffix in READ_ONLY:
        raise InputError.at(target, f"cannot be written: {suffix} is only read", remedy="Name an output .txt")
    if suffix != ".txt" and FORMATS.get(suffix) != FORMATS.get(Path(source).suffix.lower()):
        raise InputError.at(target, f"cannot be made of {source}", remedy="Give the output the same suffix, or .txt")


def _people(hidden: Sequence[Entity], edits: Iterable[Edit]) -> dict[str, list[str]]:
    labels = labels_of(edits)
    people: dict[str, list[str]] = {}
    for entity in hidden:
        if entity.type == PERSON and entity.entity_id in labels:
            people.setdefault(labels[entity.entity_id], []).extend(entity.forms)
    return people


def _remember(
    case: Case,
    source: str | Path,
    opened: Source,
    document: Document,
    hidden: Sequence[Entity],
    result: Result,
    scheme: str,
) -> None:
    """Save what the case is to know of the ruling; under a passphrase, the original of a DOCX, too."""
    from aef.replacement.restoration import record

    name = "stdin.txt" if str(source) == "-" else Path(source).name
    suffix = result.target.suffix.lower() if result.target is not None else ".txt"
    people = case.remember(document, hidden, result.edits, scheme)
    kept = record(name, opened, document.text, result.edits, result.content, suffix, people)
    if case.seal is not None and kept.suffix != ".txt":
        kept = replace(kept, content=Path(source).read_bytes())
    case.keep(kept)
    case.save()


def _counts(hidden: Sequence[Entity], edits: Sequence[Edit]) -> dict[str, int]:
    kinds = Counter(entity.type for entity in hidden)
    persons, organisations = kinds[PERSON], kinds[ORG]
    other = kinds.total() - persons - organisations
    return {"replacements": len(edits), "persons": persons, "organisations": organisations, "other": other}
