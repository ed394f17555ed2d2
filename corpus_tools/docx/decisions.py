"""What an editor decided in a review copy (`aef.corpus_tools.docx.review`), and the ruling that follows from it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from lxml import etree

from aef.corpus_tools.docx.package import parse_xml
from aef.corpus_tools.docx.review import AUTHOR, BOOKMARK, MARK, NOTICE, RECORD, ReviewPackage, is_ours
from aef.corpus_tools.docx.xml import SPACE, W, own_text, remove, unwrap
from aef.errors import InputError

ACCEPTED, REJECTED, UNDECIDED, REMOVED, EDITED, BOTH = "accepted", "rejected", "undecided", "removed", "edited", "both"
"""The label stands; the name does; neither was chosen (the label stands); both are gone; there is other text; both."""

_SIGNS = {W + "tab": "\t", W + "br": " ", W + "cr": " ", W + "noBreakHyphen": "-"}


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of a replacement of ``original`` (of some ``kind``)."""

    number: int
    original: str
    replacement: str
    kind: str
    outcome: str


def decided(data: bytes, name: str) -> tuple[bytes, list[Decision]]:
    """The ruling as decided, without colours, comments and notices, and the decisions in order.

    Changes that are undecided count as accepted, and all others' changes, too. Raises `InputError` for what is no
    review copy, and where both a label and what it stands for were kept.
    """
    package = ReviewPackage(data, name)
    changes = _record(package, name)
    decisions: list[Decision] = []
    for root, _ in package.stories():
        ranges = _ranges(root)
        for number in sorted(ranges.keys() & changes.keys()):
            outcome = _decide(ranges[number], *changes[number][:2])
            decisions.append(Decision(number, *changes[number], outcome))
        _clean(root)
    found = {decision.number for decision in decisions}
    decisions += [Decision(n, *change, REMOVED) for n, change in changes.items() if n not in found]
    _must_be_clear(decisions, name)
    _unmark(package)
    return package.bytes(), sorted(decisions, key=lambda d: d.number)


def unreviewed(data: bytes, name: str) -> bytes:
    """The ruling as it was before: the originals of all replacements, all others' tracked changes rejected.

    Raises `InputError` for what is no review copy.
    """
    package = ReviewPackage(data, name)
    changes = _record(package, name)
    for root, _ in package.stories():
        for number, runs in _ranges(root).items():
            if number in changes and runs:
                _restore(runs[0], changes[number][0])
                _remove(runs[1:])
        _reject_others(root)
        _clean(root)
    _unmark(package)
    return package.bytes()


def _restore(run: Any, original: str) -> None:
    """A run shows the original, outside of any tracked change."""
    _show(run, original)
    changes = list(run.iterancestors(W + "ins", W + "del"))
    if changes:
        changes[-1].addprevious(run)


def _reject_others(root: Any) -> None:
    others = [e for e in root.iter(W + "ins", W + "del") if not e.get(W + "author", "").startswith(f"{AUTHOR}: ")]
    for change in others:
        if change.tag == W + "ins":
            remove(change)
            continue
        for text in change.iter(W + "delText"):
            text.tag = W + "t"
        unwrap(change)


def _record(package: ReviewPackage, name: str) -> dict[int, tuple[str, str, str]]:
    """What was replaced by what, and its kind, by number. The record is taken out of the package."""
    for key, relation in list(package.docx.part.rels.items()):
        if relation.is_external or not str(relation.target_part.partname).startswith("/customXml/"):
            continue
        root = parse_xml(relation.target_part.blob)
        if root.tag == f"{{{RECORD}}}review":
            del package.docx.part.rels[key]
            return dict(_changes(root, name))
    raise InputError.at(name, "is no review copy of aef, or has lost its record", remedy="Make one with --review")


def _changes(root: Any, name: str) -> Iterator[tuple[int, tuple[str, str, str]]]:
    for change in root:
        number = change.get("n", "")
        if not number.isdecimal():
            raise InputError.at(name, "has a damaged record of its changes", remedy="Make the review copy again")
        yield int(number), (own_text(change), change.get("replacement", ""), change.get("kind", ""))


def _number(start: Any) -> int | None:
    """The number of the change that a bookmark is around."""
    name = start.get(W + "name", "")
    number = name.removeprefix(BOOKMARK)
    return int(number) if number != name and number.isdecimal() and len(number) < 10 else None


def _ranges(root: Any) -> dict[int, list[Any]]:
    """The runs in each bookmark around a change, those that others deleted left out."""
    open_ones: dict[str, tuple[int, list[Any]]] = {}
    found: dict[int, list[Any]] = {}
    for element in root.iter(W + "bookmarkStart", W + "bookmarkEnd", W + "r"):
        mark = element.get(W + "id", "")
        if element.tag == W + "bookmarkStart" and (number := _number(element)) is not None:
            open_ones[mark] = number, []
        elif element.tag == W + "bookmarkEnd" and mark in open_ones:
            number, runs = open_ones.pop(mark)
            found[number] = runs
        elif element.tag == W + "r" and open_ones and not _others_deletion(element):
            for _, runs in open_ones.values():
                runs.append(element)
    return found


def _decide(runs: Sequence[Any], original: str, replacement: str) -> str:
    """What the editor decided on a change; what is left to do of it is done.

    The name stands again only where its deletion was rejected; whatever else is left open hides it.
    """
    inserted = [run for run in runs if _is_change(run, "ins")]
    deleted = [run for run in runs if _is_change(run, "del")]
    bare = _letters("".join(_text(run) for run in runs if run not in inserted and run not in deleted))
    name, label = _letters(original), _letters(replacement)
    if inserted and not deleted and bare == name != label:
        _remove(inserted)
        return REJECTED
    if deleted and not inserted and not bare:
        _relabel(deleted[0], replacement)
        _remove(deleted[1:])
        return UNDECIDED
    _remove(deleted)
    if not inserted:
        return _outcome(bare, name, label)
    return BOTH if name and name in bare else UNDECIDED if deleted else ACCEPTED


def _outcome(bare: str, original: str, replacement: str) -> str:
    """What stands there in the end, where no change is left to decide."""
    if bare == replacement:
        return ACCEPTED
    if bare == original:
        return REJECTED
    if not bare:
        return REMOVED
    return BOTH if original and original in bare and replacement in bare else EDITED


def _is_change(run: Any, tag: str) -> bool:
    return any(e.get(W + "author", "").startswith(f"{AUTHOR}: ") for e in run.iterancestors(W + tag))


def _others_deletion(run: Any) -> bool:
    return any(not e.get(W + "author", "").startswith(f"{AUTHOR}: ") for e in run.iterancestors(W + "del"))


def _text(run: Any) -> str:
    return "".join(own_text(e) if e.tag in (W + "t", W + "delText") else _SIGNS.get(e.tag, "") for e in run)


def _letters(text: str) -> str:
    """The text as it counts in comparing: letters, digits and signs, without spaces and what nobody sees."""
    plain = unicodedata.normalize("NFC", text)
    return "".join(c for c in plain if not c.isspace() and unicodedata.category(c) != "Cf")


def _remove(runs: Sequence[Any]) -> None:
    for run in runs:
        remove(run)


def _relabel(run: Any, label: str) -> None:
    """A deleted run becomes one that shows the label."""
    _show(run, label)
    deletion = next(run.iterancestors(W + "del"))
    deletion.addprevious(run)


def _show(run: Any, shown: str) -> None:
    for child in [child for child in run if child.tag != W + "rPr"]:
        remove(child)
    text = etree.SubElement(run, W + "t")
    text.text = shown
    text.set(SPACE, "preserve")


def _clean(root: Any) -> None:
    """Take out what only the review copy has, and all comments: they are the editor's."""
    for element in [e for e in root.iter(W + "ins", W + "del") if e.get(W + "author", "").startswith(f"{AUTHOR}: ")]:
        unwrap(element) if element.tag == W + "ins" else remove(element)
    for shade in [e for e in root.iter(W + "shd") if is_ours(e)]:
        properties = shade.getparent()
        remove(shade)
        if not len(properties) and properties.tag == W + "rPr":
            remove(properties)
    for tag in ("commentRangeStart", "commentRangeEnd"):
        for element in list(root.iter(W + tag)):
            remove(element)
    for reference in list(root.iter(W + "commentReference")):
        run = reference.getparent()
        remove(reference)
        if all(child.tag == W + "rPr" for child in run):
            remove(run)
    _without_bookmarks(root)


def _without_bookmarks(root: Any) -> None:
    starts = [e for e in root.iter(W + "bookmarkStart") if _number(e) is not None]
    marks = {start.get(W + "id") for start in starts}
    for element in starts + [e for e in root.iter(W + "bookmarkEnd") if e.get(W + "id") in marks]:
        remove(element)


def _must_be_clear(decisions: Sequence[Decision], name: str) -> None:
    both = [decision for decision in decisions if decision.outcome == BOTH]
    if both:
        labels = ", ".join(sorted({repr(decision.replacement) for decision in both}))
        raise InputError.at(
            name,
            f"keeps both the label and what it stands for, {len(both)} times ({labels})",
            remedy="Accept, or reject, the deletion and the insertion together",
        )


def _unmark(package: ReviewPackage) -> None:
    """Take the notices out of headers and properties, headers made for them, and the comments."""
    relations = package.docx.part.rels
    for key in [k for k, r in relations.items() if "comments" in r.reltype or r.reltype.endswith("/people")]:
        del relations[key]
    properties = package.docx.core_properties
    properties.title = "" if properties.title == NOTICE else properties.title
    properties.content_status = "" if properties.content_status == MARK else properties.content_status
    for key, relation in list(relations.items()):
        if relation.is_external or not relation.reltype.endswith("/header"):
            continue
        if _unmarked(relation.target_part.element):
            references = list(package.docx.element.iter(W + "headerReference"))
            for reference in [r for r in references if key in r.attrib.values()]:
                remove(reference)
            del relations[key]


def _unmarked(header: Any) -> bool:
    """Take the notice out of a header; whether the header was made for it and holds nothing else."""
    new = False
    for start in [e for e in header.iter(W + "bookmarkStart") if e.get(W + "name") in (_NEW, _NOTICE)]:
        new = new or start.get(W + "name") == _NEW
        remove(next(start.iterancestors(W + "p")))
    for paragraph in [p for p in header.iter(W + "p") if "".join(p.itertext()).strip() == NOTICE]:
        remove(paragraph)
    return new and not "".join(header.itertext()).strip() and next(header.iter(W + "drawing", W + "pict"), None) is None


_NEW, _NOTICE = f"{BOOKMARK}new", f"{BOOKMARK}notice"
