"""A case: what its rulings have in common, in a secret file.

The file holds the people and things of the case with their labels, so that the next ruling calls them the same, and of
each anonymized ruling what was replaced, so that the original comes back. A new ruling's people are told by the linker
(`aef.linking.linker`), from the names the case knows them by; somebody who may be several of them gets a label of
their own.

The original of a text file comes back byte for byte from the replacements. A word processor's file holds more than its
text: deletions that were tracked, authors, properties. In a file under a passphrase its bytes are kept as well and come
back; in a plain file they are not, for they tell more than the published ruling and its key together.
"""

from __future__ import annotations

import hashlib
import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from aef.corpus_tools.document import Document
from aef.corpus_tools.edits import Replacement
from aef.corpus_tools.files import must_be_new, write_atomic
from aef.errors import InputError
from aef.replacement.case_people import alike, doubtful, joined, matched
from aef.replacement.plan import Edit, Entity, Memory, labels_of
from aef.replacement.schemes import resolve
from aef.replacement.sealing import Seal, is_sealed

FORMAT, VERSION = "aef case", 1

T = TypeVar("T")


def _tells(sign: str) -> bool:
    """Whether a word with this sign may be mistaken for a label: a capital, a letter without any, a digit, "#"."""
    return sign == "#" or sign.isdigit() or (sign.isalpha() and not sign.islower())


@dataclass(slots=True)
class Member:
    """A person or thing of the case, and its label by scheme. ``unsure``: it may be somebody else of the case."""

    entity: Entity
    labels: dict[str, str] = field(default_factory=dict)
    unsure: bool = False


@dataclass(frozen=True, slots=True)
class Ruling:
    """An anonymized ruling: how to tell it, and how to get the original back.

    name : the original's file name. original, output : SHA-256 of their text; published : of the output's bytes.
    suffix : the original's format. encoding, bom : of a text file. edits : stretches of the output's text, and what
    stood there. people : the member of the case that each entity is. content : the original's bytes, where kept.
    """

    name: str
    original: str
    output: str
    published: str
    suffix: str
    encoding: str
    bom: bytes
    edits: tuple[Replacement, ...]
    people: Mapping[str, str]
    content: bytes | None = None


class Changed(InputError):
    """Another run wrote the case file meanwhile; with the case opened again, the same can be done again."""


class Case:
    """The rulings of one case; `open` one, give it to `aef.anonymization.anonymize`, which saves it.

    >>> from pathlib import Path
    >>> from aef import anonymize
    >>> _ = Path("first.txt").write_text("[1] The applicant, Ms. Anna Zwetkow, asks for custody.")
    >>> _ = Path("costs.txt").write_text("[1] Mr. Bo Quist, the respondent, pays the costs of Ms. Zwetkow.")
    >>> for name in ("first", "costs"):
    ...     _ = anonymize(f"{name}.txt", f"{name}-safe.txt", scheme="letters", case=Case.open("ours.aefcase"))
    >>> Path("costs-safe.txt").read_text()
    '[1] Mr. BB, the respondent, pays the costs of Ms. AA.'
    """

    def __init__(self, path: str | Path, seal: Seal | None = None) -> None:
        self.path = Path(path)
        self.seal = seal
        self.members: dict[str, Member] = {}
        self.rulings: list[Ruling] = []
        self.words: set[str] = set()
        self._as_read: bytes | None = None

    @classmethod
    def open(cls, path: str | Path, passphrase: str | None = None) -> Case:
        """The case of a file; a new one where there is no file.

        Raises `InputError` for a wrong or missing passphrase, and for a file that is damaged or no case file. A plain
        case file that is opened with a passphrase is sealed when it is saved.
        """
        case = cls(path, Seal(passphrase) if passphrase is not None else None)
        data = _bytes(case.path)
        if data is not None:
            case._as_read = data
            case._read(_unsealed(data, case))
        return case

    # --- the people of a ruling -------------------------------------------------------------------------------------

    def hear(self, text: str) -> None:
        """Take note of a ruling's words: labels given from now on are none of them."""
        self.words.update(word for word in text.split() if any(map(_tells, word)))

    def recall(self, document: Document, hidden: Sequence[Entity], scheme: str) -> Memory:
        """What the case tells of a ruling's entities (see `aef.replacement.plan.entities`) and of the others in it."""
        scheme = resolve(scheme)
        people = self._identified(document, hidden)
        labels = {key: label for key, i in people.items() if (label := self.members[i].labels.get(scheme))}
        called = {i: m.labels[scheme] for i, m in self.members.items() if scheme in m.labels}
        new = [e for e in hidden if e.entity_id not in people and not (e.candidates or e.members)]
        sure = [self.members[i].entity for i in called if not self.members[i].unsure]
        unsure = doubtful(new, sure, document.language)
        return Memory(
            labels,
            others=tuple((self.members[i].entity, label) for i, label in called.items()),
            words="\n".join(sorted(self.words)),
            doubtful={form: tuple(called[i] for i in keys) for form, keys in unsure.items()},
        )

    def _identified(self, document: Document, hidden: Sequence[Entity]) -> dict[str, str]:
        """The member that each entity is, where it is one: as when the ruling was here before, or by its names."""
        text = digest(document.text)
        before = next((r.people for r in reversed(self.rulings) if r.original == text), {})
        found = {
            e.entity_id: i for e in hidden if (i := before.get(e.entity_id, "")) and alike(e, self.members[i].entity)
        }
        new = [e for e in hidden if e.entity_id not in found and not (e.candidates or e.members)]
        free = [m.entity for i, m in self.members.items() if i not in found.values() and not m.unsure]
        return found | matched(new, free, document.language)

    # --- remembering ------------------------------------------------------------------------------------------------

    def remember(
        self, document: Document, hidden: Sequence[Entity], edits: Iterable[Edit], scheme: str
    ) -> dict[str, str]:
        """Keep the labels of a ruling's entities; returns the member that each entity is."""
        people = self._identified(document, hidden)
        for entity_id, label in labels_of(edits).items():
            entity = next(e for e in hidden if e.entity_id == entity_id)
            key = people.setdefault(entity_id, str(len(self.members) + 1))
            member = self.members.setdefault(key, Member(replace(entity, entity_id=key, candidates=(), members=())))
            member.unsure = bool(entity.candidates or entity.members)
            member.entity = joined(member.entity, entity)
            member.labels[resolve(scheme)] = label
        self.hear(document.text)
        return people

    def keep(self, ruling: Ruling) -> None:
        """Keep what a ruling's original is got back by; the same output of the same original is kept once."""
        same = (ruling.original, ruling.published)
        self.rulings = [*(r for r in self.rulings if (r.original, r.published) != same), ruling]

    def find(self, published: bytes, text: str) -> list[Ruling]:
        """The rulings that became this file or, where none did, a file of this text (one saved anew, say)."""
        data = digest(published)
        return [r for r in self.rulings if r.published == data] or [r for r in self.rulings if r.output == digest(text)]

    def save(self) -> None:
        """Write the file, whole or not at all, for its owner alone.

        Raises `InputError` where it cannot be written, and `Changed` where another run wrote it since it was opened.
        """
        if _bytes(self.path) != self._as_read:
            raise Changed.at(self.path, "was changed by another run meanwhile", remedy="Run this again")
        content = json.dumps(self._record(), ensure_ascii=False, indent=None if self.seal else 1).encode()
        data = self.seal.closed(content) if self.seal else content
        write_atomic(self.path, data, force=True, private=True)
        self._as_read = data

    # --- the file ---------------------------------------------------------------------------------------------------

    def _record(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": VERSION,
            "people": [_member_record(member) for member in self.members.values()],
            "rulings": [_ruling_record(ruling) for ruling in self.rulings],
            "words": sorted(self.words),
        }

    def _read(self, data: bytes) -> None:
        try:
            record = json.loads(data)
            known = isinstance(record, dict) and record.get("format") == FORMAT
        except ValueError:
            known = False
        if not known:
            remedy = "Name the case file, or a new file"
            raise InputError.at(self.path, "is no case file, or a damaged one", remedy=remedy)
        if record.get("version") != VERSION:
            raise InputError.at(self.path, f"is of version {record.get('version')}; this aef reads version {VERSION}")
        try:
            members = [_member(_is(dict, one)) for one in _is(list, record["people"])]
            self.members = {member.entity.entity_id: member for member in members}
            self.rulings = [_ruling(_is(dict, one)) for one in _is(list, record["rulings"])]
            self.words = {_is(str, word) for word in _is(list, record["words"])}
            strangers = {i for r in self.rulings for i in r.people.values()} - self.members.keys()
            if strangers:
                raise ValueError("a ruling names people the file does not hold")
        except (KeyError, TypeError, ValueError) as error:
            raise InputError.at(self.path, "is damaged or was changed", remedy="Take it from a backup") from error


def digest(content: str | bytes) -> str:
    """SHA-256, in hexadecimal digits; of a text, of its UTF-8."""
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return hashlib.sha256(data).hexdigest()


def _bytes(path: Path) -> bytes | None:
    """What the file holds; None where there is none."""
    must_be_new([path], force=True)
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError.at(path, f"cannot be read ({error.strerror})") from error


def _unsealed(data: bytes, case: Case) -> bytes:
    if not is_sealed(data):
        return data
    if case.seal is None:
        remedy = "Give its passphrase: --passphrase-file, or the environment variable AEF_PASSPHRASE"
        raise InputError.at(case.path, "is sealed with a passphrase", remedy=remedy)
    return case.seal.opened(data, case.path)


# --- as JSON --------------------------------------------------------------------------------------------------------


def _member_record(member: Member) -> dict[str, Any]:
    told = {key: value for key, value in asdict(member.entity).items() if value}
    return {**told, "labels": member.labels, **({"unsure": True} if member.unsure else {})}


def _member(record: dict[str, Any]) -> Member:
    forms = tuple(_is(str, form) for form in _is(list, record["forms"]))
    if not forms:
        raise ValueError("somebody without a name")
    told: dict[str, Any] = {key: _is(str, record[key]) for key in ("role", "gender", "family") if key in record}
    entity = Entity(
        _is(str, record["entity_id"]), _is(str, record["type"]), forms, titled=bool(record.get("titled")), **told
    )
    return Member(entity, _texts(record["labels"]), bool(record.get("unsure")))


def _ruling_record(ruling: Ruling) -> dict[str, Any]:
    kept = {"bom": ruling.bom, "content": ruling.content}
    letters = {key: b64encode(value).decode() for key, value in kept.items() if value}
    return {key: value for key, value in asdict(ruling).items() if key not in kept} | letters


def _ruling(record: dict[str, Any]) -> Ruling:
    texts = {key: _is(str, record[key]) for key in ("name", "original", "output", "published", "suffix", "encoding")}
    kept = {key: b64decode(_is(str, record[key]), validate=True) for key in ("bom", "content") if key in record}
    edits = tuple((_is(int, start), _is(int, end), _is(str, old)) for start, end, old in _is(list, record["edits"]))
    return Ruling(
        **texts, bom=kept.get("bom", b""), edits=edits, people=_texts(record["people"]), content=kept.get("content")
    )


def _texts(record: Any) -> dict[str, str]:
    return {_is(str, key): _is(str, value) for key, value in _is(dict, record).items()}


def _is(kind: type[T], value: Any) -> T:
    if not isinstance(value, kind):
        raise TypeError(f"{kind.__name__} is wanted")
    return value
