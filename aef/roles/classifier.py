"""Who is what in a ruling: party, child, relative, judge, counsel, expert, official, author, cited, witness ...

PSILENCE's twelve types (party, judge, lawyer, arbitrator, tribunal member, expert, author, law firm, person,
organisation, location, miscellaneous), a person who is none of these being a witness; and beside them what house rules
ask for: child, relative, official, and those whom a cited case is named after. A lawyer is ``counsel`` here.

Each mention's role is what the words around it tell (`aef.context.cues`) and what the metadata of the case say
(`aef.roles.metadata`); the mentions of one person are then reconciled, as in PSILENCE, section 4.3. Where a policy says
from which probability on somebody is hidden, and the language has a model of roles (`aef.roles.model`), that decides
over all that the mentions show together, the cues among it: also that a name is nobody's, or an anonymized person's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from aef.context.cues import GIVEN, SUGGESTED, with_cues
from aef.context.evidence import Evidence
from aef.context.surroundings import Surroundings
from aef.corpus_tools.document import Document, Mention
from aef.linking.linker import CANDIDATES, MEMBERS, kind_of
from aef.names.parts import PERSON, core
from aef.role_features import People
from aef.role_features.lists import initials_of, only_initials
from aef.roles import model as role_model
from aef.roles.correction import RoleCorrection
from aef.roles.entity_types import entity_type_of
from aef.roles.metadata import SIMILAR, Known, matched
from aef.roles.second_pass import Verdict, verdicts

OFFICIAL = ("judge", "counsel", "arbitrator", "tribunal member", "expert", "official", "author", "cited")
PRIVATE = ("party", "child", "relative", "witness")
UNNAMED = (role_model.INITIALS, role_model.COMPANY, role_model.NOBODY)
THINGS = (
    *(
        "law firm",
        "school",
        "organisation",
        "location",
        "address",
        "date",
        "birth date",
        "code",
        "demographic",
        "quantity",
    ),
    "miscellaneous",
)
ROLES = (*PRIVATE, *OFFICIAL, *UNNAMED)
"""The roles of persons: private ones, official ones, and of what names nobody who could be hidden. `THINGS`: the types
of what is no person."""

_ANONYMIZED = Evidence(role_model.INITIALS, "nothing but initials, which are nobody's in full", "form")
GROWTH = 0.22
"""To which power of the mentions the odds grow from which on somebody is private: one mention gives a person away, and
hiding wrongly who is named a hundred times costs the reader most; by real judgments."""
CALLED = 1.4
"""How many times lower these odds are for who is called a party somewhere: "the applicant, Ms. Roe". By real judgments
that leaves fewer names than lower odds for all would, with no more judges and counsel hidden."""
PLAIN = "person"
"""The role of a mention that nothing is told of."""


@dataclass(frozen=True)
class Rules:
    """How the mentions of one person become one role; the defaults are those of PSILENCE, section 4.3.

    deciding : roles that decide wherever a single mention has one, the first of them first ("any party decides").
    non_person : a larger share of mentions that are no person's makes the person no person.
    outvoted : official roles that lose where more mentions tell nothing than have them. The paper's text has that of
        all ("the most frequent type"); but most rulings say once who is counsel, and then "Mr. Gill".
    otherwise : what remains is a witness.
    similar : from which similarity on a name is that of the metadata.
    private : from which probability on, by the model of roles (`aef.roles.model`), somebody who is named once has a
        private role (named often: see `GROWTH`); 0: the model is not asked.
    model : the file of the model of roles; none: the ready-made one of the language.
    correction : what corrected rulings of the court teach beside that model.
    """

    deciding: tuple[str, ...] = ("party",)
    non_person: float = 0.3
    outvoted: tuple[str, ...] = ()
    otherwise: str = "witness"
    similar: float = SIMILAR
    private: float = 0.0
    model: str = ""
    correction: RoleCorrection | None = None


def reconcile(mentions: Sequence[str], rules: Rules = Rules()) -> str:
    """The role of a person from that of each mention: a role, `PLAIN`, or one of `THINGS`.

    >>> reconcile(["person", "party", "judge", "judge"]), reconcile(["person", "judge", "expert", "judge"])
    ('party', 'judge')
    >>> reconcile(["person"] * 6 + ["organisation"] * 4), reconcile(["person"] * 7 + ["organisation"] * 3)
    ('organisation', 'witness')
    """
    counts = Counter(mentions)
    for role in rules.deciding:
        if counts[role]:
            return role
    things = Counter({role: number for role, number in counts.items() if role in THINGS})
    if things.total() > rules.non_person * counts.total():
        return max(things, key=lambda role: (things[role], role))
    plain = counts[PLAIN]
    voting = {r: n for r, n in counts.items() if r in ROLES and (n >= plain or r not in rules.outvoted)}
    if not voting:
        return rules.otherwise
    return max(voting, key=lambda role: voting[role])  # the first of equals


@dataclass(frozen=True)
class Role:
    """The role of one entity: a person's, or the type of a thing; with what tells it.

    of_one_of : the entities a mention of several people, or of one of several, may name. private : the probability of
    a private role, where the model of roles was asked; ``bound``: that from which on it is one; ``verdict``:
    what else the model says.
    """

    entity_id: str
    role: str
    names: tuple[str, ...]
    mentions: int
    evidence: tuple[Evidence, ...] = ()
    of_one_of: tuple[str, ...] = ()
    private: float | None = None
    bound: float = 0.0
    verdict: Verdict | None = field(default=None, compare=False, repr=False)

    @property
    def certain(self) -> bool:
        """Whether the person is private whatever the model of roles says."""
        return self.role in PRIVATE and (self.private is None or self.private < self.bound)

    @property
    def capacity(self) -> str | None:
        """What the ruling calls a party most often: "applicant", "respondent"."""
        called = Counter(e.cue.lower().removesuffix("s") for e in self.evidence if e.source == "noun")
        return max(called, key=lambda word: called[word]) if called and self.role == "party" else None


def roles(document: Document, metadata: Iterable[Known] = (), rules: Rules = Rules()) -> dict[str, Role]:
    """The role of each entity of a linked document, by its id, in the order of the text."""
    document = with_cues(document)
    groups: dict[str, list[Mention]] = {}
    for mention in document.mentions:
        groups.setdefault(mention.entity_id or "", []).append(mention)
    kinds = {(m.start, m.end): kind_of(document, m) for m in document.mentions}
    around = Surroundings(document, [m for m in document.mentions if kinds[m.start, m.end] == PERSON])
    names = {key: _names(document, mentions) for key, mentions in groups.items()}
    given = matched(names, metadata, rules.similar, document.language)
    model = _model(document.language, rules)
    people = {key: ms for key, ms in groups.items() if all(kinds[m.start, m.end] == PERSON for m in ms)}
    judged = verdicts(model, People.of(around, people), rules.correction) if model else {}
    known = initials_of(name for key in people for name in names[key] if not only_initials(name))
    found = {}
    for key, mentions in groups.items():
        told = [around.evidence.get((m.start, m.end), []) for m in mentions]
        things = [_thing(around, m, kinds[m.start, m.end]) for m in mentions]
        role, evidence = _decided(told, things, rules)
        private, bound = None, 0.0
        if key in judged:
            private, bound = judged[key].probabilities[role_model.PRIVATE], _bound(told, rules)
            role, evidence = _judged(judged[key], role, told, bound, rules)
            if all(map(only_initials, names[key])) and initials_of(names[key]).isdisjoint(known):
                role, evidence = role_model.INITIALS, (_ANONYMIZED,)
        if key in given:
            role, evidence = (
                given[key][0].role,
                (Evidence(given[key][0].role, given[key][1], "metadata", weight=GIVEN),),
            )
        several, verdict = _several(mentions), judged.get(key)
        found[key] = Role(key, role, names[key], len(mentions), evidence, several, private, bound, verdict)
    return found


def _model(language: str, rules: Rules) -> role_model.RoleModel | None:
    if not rules.private:
        return None
    return role_model.read(Path(rules.model)) if rules.model else role_model.ready(language)


def _thing(around: Surroundings, mention: Mention, kind: str) -> str | None:
    """What a mention that is no person names; as a part of the name of a cited case it tells of nobody's life."""
    if kind == PERSON:
        return None
    cited = around.in_cited_case(mention.start, mention.end)
    return "cited" if cited else entity_type_of(around.document, mention, kind)


def _decided(
    told: Sequence[Sequence[Evidence]], things: Sequence[str | None], rules: Rules
) -> tuple[str, tuple[Evidence, ...]]:
    """The role of an entity, and the evidence that tells this role.

    Where something is told, what only suggests does not count; but that somebody may be a party (a line of the head)
    does, unless an official role is told.
    """
    certain = {e.role for evidence in told for e in evidence if e.weight > SUGGESTED}
    doubted = {role for role in ROLES if certain and (role != "party" or certain.intersection(OFFICIAL))}
    usable = [[e for e in evidence if e.weight > SUGGESTED or e.role not in doubted] for evidence in told]
    types = [thing or _of_mention(evidence, rules) for thing, evidence in zip(things, usable, strict=True)]
    role = reconcile(types, rules)
    return role, tuple(dict.fromkeys(e for evidence in usable for e in evidence if e.role == role))


def _judged(
    verdict: Verdict, role: str, told: Sequence[Sequence[Evidence]], bound: float, rules: Rules
) -> tuple[str, tuple[Evidence, ...]]:
    """The role of a person by the model, where ``role`` is what the cues tell, and what tells it.

    Which of the private roles somebody has the cues say. No office outvotes the style of cause, or a child.
    """
    probabilities = verdict.probabilities
    best = max((r for r in probabilities if r != role_model.PRIVATE), key=lambda r: probabilities[r])
    certain = best in OFFICIAL and any(map(_is_certain, (e for said in told for e in said)))
    if certain or probabilities[role_model.PRIVATE] >= bound:
        best, role = role_model.PRIVATE, role if role in PRIVATE else rules.otherwise
    else:
        role = best
    said = tuple(dict.fromkeys(e for evidence in told for e in evidence if e.role == role))
    why = f"probability {probabilities[best]:.2f}: {', '.join(verdict.reasons(best))}"
    return role, (*said, Evidence(role, why, "learned", weight=SUGGESTED))


def _bound(told: Sequence[Sequence[Evidence]], rules: Rules) -> float:
    """The probability from which on somebody of whose mentions this is told has a private role."""
    factor = len(told) ** GROWTH / (CALLED if any(map(_calls_a_party, chain.from_iterable(told))) else 1)
    bound = rules.private * factor / (rules.private * factor + 1 - rules.private)
    return rules.correction.bound(bound) if rules.correction else bound


def _calls_a_party(evidence: Evidence) -> bool:
    """Whether a noun beside the name says that it is a party's."""
    return (evidence.role, evidence.source) == ("party", "noun") and evidence.weight > SUGGESTED


def _is_certain(evidence: Evidence) -> bool:
    """Whether it tells a party of this very case, or a child."""
    told = evidence.role == "child" or (evidence.role, evidence.source) == ("party", "style of cause")
    return told and evidence.weight > SUGGESTED


def _of_mention(evidence: Sequence[Evidence], rules: Rules) -> str:
    """The role of one mention: a deciding one, else that of the evidence that weighs most, the first of equals."""
    for role in rules.deciding:
        if any(e.role == role for e in evidence):
            return role
    return max(evidence, key=lambda e: e.weight).role if evidence else PLAIN


def _names(document: Document, mentions: Iterable[Mention]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_shown(document, mentions)))


def _shown(document: Document, mentions: Iterable[Mention]) -> Iterator[str]:
    for mention in mentions:
        low, high = core(document.text, mention.start, mention.end, kind_of(document, mention), document.language)
        yield " ".join(document.text[low:high].split()) or document.cut(mention)


def _several(mentions: Iterable[Mention]) -> tuple[str, ...]:
    found = [key for m in mentions for name in (CANDIDATES, MEMBERS) for key in m.extra.get(name, ())]
    return tuple(dict.fromkeys(found))
