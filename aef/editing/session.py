"""An editor's session on a ruling: questions in the order of their worth, answers, and what comes of them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from aef.anonymization import Result, Tagger, anonymize
from aef.anonymization.marking import Wanted, in_its_language
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.gold.corpora import write_gold
from aef.corpus_tools.rulings.readers import document_of, open_source
from aef.editing.chances import ready
from aef.editing.decision import AS_FOUND, Ground, State, decided
from aef.editing.facts import CALL, EVERYWHERE, ROLE, Fact, Span, about, fact_of
from aef.editing.labels import check_label, labels_told
from aef.editing.layout import PLAIN, Look, layout
from aef.editing.lists import Asked, Listed, lists
from aef.editing.people import at
from aef.editing.questions import HERE, HIDE, PAIR, SHOW, Question, questions, told_of
from aef.editing.words import Floats, Words
from aef.errors import InputError
from aef.roles.correction import UNANSWERED
from aef.roles.policy import Policy

if TYPE_CHECKING:
    from aef.tagging.finder import Finder


class Session:
    """Answers on one ruling, each of which decides the rest of it anew.

    ruling : a file, or a document (which cannot be finished, there being no file), afterwards in ``read``. tagger :
    what finds mentions; default: the pipeline `court-en`. policy : who is hidden; default: the tagger's own. scheme,
    seed, keep_initials : as `aef.anonymization.anonymize` has them. Raises `InputError` for a ruling that cannot be
    read.

    >>> _ = Path("ruling.txt").write_text("[1] The applicant, Ms. Anna Zwetkow, met Morwenna in Netherby.")
    >>> session = Session("ruling.txt")
    >>> question = session.questions()[0]
    >>> question.names, question.replies
    (('Netherby',), ('hide', 'show', 'thing'))
    >>> session.answer(question, "show")
    >>> _ = session.finish("safe.txt")
    """

    def __init__(
        self,
        ruling: Document | str | Path,
        tagger: Tagger | None = None,
        policy: Policy | None = None,
        *,
        scheme: str = "initials",
        seed: int = 0,
        keep_initials: bool = False,
    ) -> None:
        self.path = None if isinstance(ruling, Document) else Path(ruling)
        self.read, self.looks = _opened(ruling)
        self._tagger = in_its_language(tagger if tagger is not None else _default(), self.read)
        self._policy = policy
        self.scheme, self._seed, self._keep_initials = scheme, seed, keep_initials
        self._done: list[Fact] = []
        self._undone: list[Fact] = []
        self._asked: list[Question] | None = None
        self._state: State | None = None

    # --- what there is ----------------------------------------------------------------------------------------------

    @cached_property
    def ground(self) -> Ground:
        """What is there before anything is told; found when it is first asked for, which takes time."""
        wanted, found = Wanted.by(self._tagger, policy=self._policy), self._tagger.tag(self.read)
        policy = wanted.policy or AS_FOUND
        return Ground(found, policy, wanted.decided, self.scheme, self._seed, self._keep_initials)

    @property
    def document(self) -> Document:
        """The ruling with all that was found in it before anything was told."""
        return self.ground.found

    @property
    def state(self) -> State:
        """The ruling as it is decided by now."""
        if self._state is None or self._state.facts != self.facts:
            self._state = decided(self.ground, self._done, self._state)
        return self._state

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What was told, in order."""
        return tuple(self._done)

    def questions(self) -> list[Question]:
        """What is to be asked, the question first whose answer is worth most."""
        if self._asked is None:
            self._asked = questions(self.state, self.words, ready())
        return self._asked

    def lists(self) -> list[Asked]:
        """The same, gathered in lists where one key settles more (`aef.editing.lists`), best first."""
        return lists(self.questions())

    @cached_property
    def words(self) -> Words:
        """The ruling as it is searched for names that nothing found."""
        return Words(self.document, _probabilities(self._tagger, self.document))

    # --- what is told -----------------------------------------------------------------------------------------------

    def answer(self, question: Question | Listed | str, reply: str | Sequence[str]) -> None:
        """Answer a question, or the one with that id; a list by a reply to each of its questions, which are taken back
        together. Raises `InputError` for one that is not asked (any more), and for a reply that is none to it."""
        key = question if isinstance(question, str) else question.id
        asked = next((q for q in (*self.questions(), *self.lists()) if q.id == key), None)
        if asked is None:
            raise InputError(f"question '{key}' is not asked (any more). Take one of questions() or lists()")
        if isinstance(asked, Listed):
            return self.tell(*asked.facts([reply] if isinstance(reply, str) else reply))
        if reply not in asked.replies:
            raise InputError(f"'{reply}' is no reply to question '{key}'. There are: {', '.join(asked.replies)}")
        return self.tell(asked.fact(str(reply)))

    def tell(self, *facts: Fact) -> None:
        """Take in what the editor tells; several facts are taken back together. Raises `InputError`, and takes in
        none, for places outside of the text, and for a label that cannot be."""
        facts = tuple(fact_of(fact.as_dict(), len(self.read.text)) for fact in facts)
        for fact in about(facts, CALL):
            if fact.value:
                check_label(self.state, fact)
        if len(facts) > 1:
            batch = 1 + max((f.batch for f in (*self._done, *self._undone)), default=0)
            facts = tuple(replace(fact, batch=batch) for fact in facts)
        self._done += facts
        if facts:
            self._undone.clear()
            self._changed()

    def settle(self, sure: int, reply: str) -> int:
        """Answer many questions at once, as one answer to be taken back: ``hide`` all that is shown and at least so
        ``sure`` (in 100) to be hidden, or ``show`` all that is hidden and less sure. Returns how many. Raises
        `InputError` for another reply."""
        if reply not in (HIDE, SHOW):
            raise InputError(f"'{reply}' settles nothing: {HIDE} or {SHOW} is wanted")
        asked = [q for q in self.questions() if q.kind != PAIR and q.hidden == (reply == SHOW)]
        chosen = [q for q in asked if (round(100 * q.chance) < sure) == q.hidden]
        self.tell(*(q.fact(HERE if HIDE not in q.replies else reply) for q in chosen))
        return len(chosen)

    def undo(self) -> Fact | None:
        """Take the last answer back; None where there is none."""
        return self._moved(self._done, self._undone)

    def redo(self) -> Fact | None:
        """Give the last answer again that was taken back; None where there is none."""
        return self._moved(self._undone, self._done)

    def _moved(self, source: list[Fact], target: list[Fact]) -> Fact | None:
        if not source:
            return None
        target.append(source.pop())
        while source and target[-1].batch and source[-1].batch == target[-1].batch:
            target.append(source.pop())
        self._changed()
        return target[-1]

    def replay(self, facts: Iterable[Fact], undone: Iterable[Fact] = ()) -> None:
        """Begin anew with what was told in another session on the same text."""
        length = len(self.read.text)
        self._done = [fact_of(fact.as_dict(), length) for fact in facts]
        self._undone = [fact_of(fact.as_dict(), length) for fact in undone]
        self._changed()

    @property
    def undone(self) -> tuple[Fact, ...]:
        """What was taken back, the last one last."""
        return tuple(self._undone)

    def _changed(self) -> None:
        self._asked = None

    # --- what comes of it -------------------------------------------------------------------------------------------

    def corrections(self) -> Document:
        """The ruling as a gold document: what is hidden, and, as NO_MASK, who was found and is shown; what no answer is
        about is marked so (`aef.roles.correction.UNANSWERED`)."""
        state, told = self.state, told_of(self.state)
        places = [f.place for f in self._done if f.scope != EVERYWHERE]
        shown = [m for m in state.linked.mentions if not _touch(m, state.hidden.mentions)]
        kept = [(m, _kept(m)) for m in state.hidden.mentions] + [(m, "NO_MASK") for m in shown]
        return state.linked.with_mentions(
            replace(m, identifier_type=kind, extra={} if _said(m, told, places) else {UNANSWERED: True})
            for m, kind in kept
        )

    def save_corrections(self, path: str | Path, force: bool = False) -> None:
        """Write the gold document as a JSONL file, for `aef learn`, `train` and `evaluate`."""
        write_gold([self.corrections()], path, force=force)

    def protocol(self) -> dict[str, Any]:
        """Who is who, and who decided it, as plain values; as secret as the ruling. ``people`` as `aef anonymize --key`
        has it."""
        state = self.state
        people: dict[str, list[str]] = {}
        for decision in state.decisions:
            if label := state.labels.get(decision.role.entity_id):
                people.setdefault(label, []).extend(decision.role.names)
        said = told_of(state)
        roles = {there.entity_id for f in about(self._done, ROLE) if (there := at(state.linked, f.place))}
        labels = labels_told(state.hidden, self._done)
        decided_by = [
            {
                "names": d.role.names,
                "role": d.role.role,
                "hidden": key in state.masked,
                "label": state.labels.get(key),
                "by": "editor" if key in said else "aef",
                "role_by": "editor" if key in roles else "aef",
                "label_by": "editor" if key in labels else "aef",
            }
            for d in state.decisions
            for key in (d.role.entity_id,)
        ]
        return {"scheme": self.scheme, "people": people, "answers": len(self._done), "decisions": decided_by}

    def finish(
        self,
        target: str | Path | None,
        *,
        review: str | Path | None = None,
        force: bool = False,
        allow_remaining: bool = False,
    ) -> Result:
        """Write the safe ruling, verified as `aef.anonymization.anonymize` does, which see for what is raised; with a
        ``review`` copy of a DOCX. Without a target `Result.content` alone has it. Where a hidden name is left nothing
        is written: `Result.remaining` says where."""
        if self.path is None:
            raise InputError("a document without a file cannot be finished. Begin the session with the file")
        ground, state = self.ground, self.state
        return anonymize(
            self.path, target, finder=_Told(state.hidden), exclude=state.excluded, scheme=ground.scheme,
            seed=ground.seed, keep_initials=ground.keep_initials, review=review, force=force,
            allow_remaining=allow_remaining,
        )  # fmt: skip


@dataclass(frozen=True)
class _Told:
    """What finds in the ruling what the session hides. Raises `InputError` where the file was changed meanwhile."""

    hidden: Document

    def tag(self, document: Document) -> Document:
        if document.text != self.hidden.text:
            name = document.meta.get("source", document.doc_id)
            raise InputError(f"{name}: was changed since the session began. Begin anew: its places would not fit")
        return document.in_language(self.hidden.language).with_mentions(self.hidden.mentions)


def _opened(ruling: Document | str | Path) -> tuple[Document, list[Look]]:
    """The document, and how its paragraphs look."""
    if isinstance(ruling, Document):
        return ruling, [PLAIN] * len(ruling.blocks)
    source = open_source(ruling)
    document = document_of(source, ruling)
    return document, layout(source, document)


def _kept(mention: Mention) -> str:
    return mention.identifier_type if mention.identifier_type in ("DIRECT", "QUASI") else "DIRECT"


def _said(mention: Mention, told: Container[str | None], places: Iterable[Span]) -> bool:
    """Whether an answer is about a mention: about whom it names, by their ids, or about its place."""
    here = any(start < mention.end and mention.start < end for start, end in places)
    return here or mention.entity_id in told or "editor" in mention.extra.get("by", ())


def _touch(mention: Mention, others: Sequence[Mention]) -> bool:
    return any(other.start < mention.end and mention.start < other.end for other in others)


def _default() -> Tagger:
    from aef.annotators.pipeline import DEFAULT as PIPELINE
    from aef.annotators.pipeline import load

    return load(PIPELINE)


def _probabilities(tagger: Any, document: Document) -> Floats:
    """Of each token, the highest probability by a model of the tagger that it is a name; none without a model."""
    finders: list[Finder] = [f for f in getattr(tagger, "finders", [tagger]) if hasattr(f, "probabilities")]
    fitting = [f for f in finders if f.language == document.language]
    found = [f.probabilities([document.with_mentions(())])[0] for f in fitting]
    return np.max(found, axis=0) if found else np.zeros(len(document.tokens))
