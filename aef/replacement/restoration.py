"""Back from an anonymized ruling to the original, with the file of its case."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import TypeVar

from aef.corpus_tools.edits import Replacement, apply_edits
from aef.corpus_tools.files import must_be_new, write_atomic
from aef.corpus_tools.formats.plain_text import PlainText
from aef.corpus_tools.rulings.readers import FORMATS, Source, open_source
from aef.errors import InputError
from aef.replacement.case_file import Case, Ruling, digest
from aef.replacement.plan import Edit

T = TypeVar("T")


@dataclass(frozen=True)
class Restored:
    """An original that is back. ``name``: of its file. ``exact``: whether byte for byte, or its text alone."""

    name: str
    content: bytes
    exact: bool


def record(
    name: str,
    opened: Source,
    text: str,
    edits: Sequence[Edit],
    content: bytes,
    suffix: str,
    people: Mapping[str, str],
) -> Ruling:
    """What is needed to get a ruling's original back from ``content``, the file it became, whose format ``suffix`` is.

    name : of the original's file. opened, text : that file. people : the member of the case that each entity is.
    """
    output = apply_edits(text, [(e.start, e.end, e.replacement) for e in edits])
    shown = output if suffix == ".txt" else FORMATS[suffix](content, name).document().text
    undo = backwards(text, edits) if shown == output else _by_lines(shown, text)
    plain = opened if isinstance(opened, PlainText) else PlainText(text)
    return Ruling(
        name,
        original=digest(text),
        output=digest(shown),
        published=digest(content),
        suffix=Path(name).suffix.lower(),
        encoding=plain.encoding,
        bom=plain.bom,
        edits=tuple(undo),
        people=people,
    )


def _by_lines(shown: str, text: str) -> list[Replacement]:
    """The lines that became others, whole: beside the edits, names were replaced where no mention can be."""
    new, old = shown.split("\n"), text.split("\n")
    starts = accumulate((len(line) + 1 for line in new), initial=0)
    pairs = zip(starts, new, old, strict=False) if len(new) == len(old) else ()
    return [(start, start + len(line), before) for start, line, before in pairs if line != before]


def backwards(text: str, edits: Sequence[Edit]) -> list[Replacement]:
    """The edits that undo these: stretches of the text they lead to, and what stood there."""
    growth = [0, *accumulate(len(e.replacement) - (e.end - e.start) for e in edits)]
    return [
        (e.start + grown, e.start + grown + len(e.replacement), text[e.start : e.end])
        for e, grown in zip(edits, growth, strict=False)
    ]


def restore(
    anonymized: str | Path,
    target: str | Path,
    case: Case,
    *,
    ruling: str | None = None,
    force: bool = False,
) -> Restored:
    """Write the original of an anonymized ruling to ``target``, for its owner alone.

    A text file is the original byte for byte. So is a DOCX where its bytes were kept (a case file under a passphrase);
    else its text is the original's, and what was blanked beside the text (authors, properties, tracked deletions, the
    formatting inside a replaced stretch) is not. A target ``.txt`` takes any original's text. Raises `InputError` for a
    ruling the case does not know, or knows more than one original of (then ``ruling`` names which), for one that was
    edited since, and for a target that exists or is of another format.

    >>> from pathlib import Path
    >>> from aef import anonymize
    >>> _ = Path("ruling.txt").write_text("[1] The applicant, Ms. Anna Zwetkow, did not appear.")
    >>> _ = anonymize("ruling.txt", "safe.txt", case=Case.open("ours.aefcase"))
    >>> _ = restore("safe.txt", "again.txt", Case.open("ours.aefcase"))
    >>> Path("again.txt").read_text()
    '[1] The applicant, Ms. Anna Zwetkow, did not appear.'
    """
    must_be_new([target], force)
    if str(anonymized) == "-":
        raise InputError("an anonymized ruling is restored from its file, not from standard input. Name the file")
    opened = open_source(anonymized)
    data = Path(anonymized).read_bytes()
    text = opened.document().text
    known = _chosen(case, case.find(data, text), anonymized, ruling)
    restored = _restored(known, opened, data, Path(target), case)
    write_atomic(target, restored.content, force, private=True)
    return restored


def _chosen(case: Case, found: Sequence[Ruling], anonymized: str | Path, name: str | None) -> Ruling:
    found = [r for r in found if name in (None, r.name)]
    if not found:
        called = f" from '{name}'" if name else ""
        remedy = "It has to be the file as it was written, and the case file it was written with"
        raise InputError.at(
            case.path, f"{anonymized} is none of the {len(case.rulings)} rulings of this case{called}", remedy=remedy
        )
    if len({r.original for r in found}) > 1:
        names = ", ".join(dict.fromkeys(r.name for r in found))
        raise InputError.at(anonymized, f"several rulings became this text: {names}", remedy="Say which: --ruling NAME")
    return max(found, key=lambda r: r.content is not None)


def _restored(known: Ruling, opened: Source, data: bytes, target: Path, case: Case) -> Restored:
    suffix = target.suffix.lower()
    if known.content is not None and suffix == known.suffix:
        return Restored(known.name, known.content, True)
    if suffix == ".txt":
        return _as_text(known, opened, data, case)
    if suffix != known.suffix:
        remedy = "Give the target the same suffix, or .txt"
        raise InputError.at(target, f"the original is a {known.suffix}", remedy=remedy)
    return Restored(known.name, _as_file(known, opened, target, case), False)


def _as_file(known: Ruling, opened: Source, target: Path, case: Case) -> bytes:
    """The anonymized file with the original's text."""
    if isinstance(opened, PlainText):
        remedy = "Its text can be had: name a .txt"
        raise InputError.at(target, "the original's file was not kept, and the ruling is a text file", remedy=remedy)
    content = _applied(known, case, opened.rewritten)
    _check(known, FORMATS[known.suffix](content, str(target)).document().text, case)
    return content


def _as_text(known: Ruling, opened: Source, data: bytes, case: Case) -> Restored:
    """The text; of a text file, in its own encoding, which the words left in the ruling need not tell."""
    text = opened.document().text
    if known.suffix == ".txt" and digest(text) != known.output:
        text = _decoded(data, known)
    text = _applied(known, case, lambda edits: apply_edits(text, edits))
    _check(known, text, case)
    try:
        return Restored(known.name, known.bom + text.encode(known.encoding), known.suffix == ".txt")
    except (LookupError, UnicodeError) as error:
        raise _not_the_original(known, case) from error


def _decoded(data: bytes, known: Ruling) -> str:
    for encoding in (known.encoding, "utf-8"):
        try:
            text = data.removeprefix(known.bom).decode(encoding)
        except (LookupError, UnicodeError):
            continue
        if digest(text) == known.output:
            return text
    return ""


def _applied(known: Ruling, case: Case, apply: Callable[[Iterable[Replacement]], T]) -> T:
    try:
        return apply(known.edits)
    except ValueError as error:
        raise _not_the_original(known, case) from error


def _check(known: Ruling, text: str, case: Case) -> None:
    if digest(text) != known.original:
        raise _not_the_original(known, case)


def _not_the_original(known: Ruling, case: Case) -> InputError:
    remedy = "Where a passphrase is given, 'aef anonymize' keeps the whole file"
    return InputError.at(case.path, f"what it holds of {known.name} does not lead back to its text", remedy=remedy)
