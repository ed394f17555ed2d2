"""Who is hidden: policies as TOML files, and the decision they make for each entity of a linked document.

A policy says for each role of a person and each type of a thing ``hide``, ``show``, ``ask`` (hidden, and listed for
somebody to decide), ``keep`` (as a model or a corpus decided already) or, of a thing, ``named`` (hidden where the name
of somebody hidden stands in it), and by which rules roles are reconciled (`aef.roles.classifier.Rules`). A file of
one's own says which policy it begins with (``extends = "lexum"``) and what it changes.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from aef.corpus_tools.document import Document, Mention
from aef.errors import InputError
from aef.names.parts import fold, name_words
from aef.roles.classifier import ROLES, THINGS, UNNAMED, Role, Rules, roles
from aef.roles.homes import SIGNS, addresses_of_nobody, things_of_no_life, things_of_the_record
from aef.roles.metadata import Known
from aef.roles.model import INITIALS

DEFAULT = "lexum"
HIDE, SHOW, ASK, KEEP, NAMED = ACTIONS = ("hide", "show", "ask", "keep", "named")
ADDRESS = "address"
_OF_A_LIFE = (ADDRESS, "school")
_SURE = 0.7
"""From which probability on somebody is private surely enough that a thing is hidden for it; by real judgments."""
_TABLES = ("roles", "types", "reconcile")
_KNOWN = {"roles": ROLES, "types": THINGS, "reconcile": tuple(f.name for f in fields(Rules) if f.name != "correction")}


@dataclass(frozen=True)
class Policy:
    """What happens to each role and type, and how roles are reconciled."""

    name: str
    description: str = ""
    roles: Mapping[str, str] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    rules: Rules = field(default_factory=Rules)

    def action(self, role: str) -> str:
        """What is done; nobody said anything: ``hide`` a person, ``keep`` a thing, ``show`` what names nobody."""
        if role in THINGS:
            return self.types.get(role, KEEP)
        return self.roles.get(role, SHOW if role in UNNAMED else HIDE)


def policies() -> list[str]:
    """The names of the ready policies."""
    return sorted(f.name.removesuffix(".toml") for f in files("aef").joinpath("policies").iterdir() if _is_toml(f.name))


def load_policy(name: str | Path) -> Policy:
    """A ready policy by name, or the policy of a file. Raises `InputError` naming file, key and line."""
    if str(name) in policies():
        return _policy(files("aef").joinpath("policies", f"{name}.toml").read_text("utf-8"), str(name))
    if not _is_toml(str(name)) and not Path(name).exists():
        raise InputError(f"unknown policy '{name}'. There are: {', '.join(policies())}; or name a file (.toml)")
    from aef.corpus_tools.rulings.readers import read_text

    return _policy(read_text(name), str(name))


def _is_toml(name: str) -> bool:
    return name.lower().endswith(".toml")


def _policy(text: str, path: str) -> Policy:
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: is no valid TOML: {error}") from error
    base = _base(content, text, path)
    for key in content:
        if key not in (*_TABLES, "description", "extends"):
            there = ", ".join(("description", "extends", *(f"[{table}]" for table in _TABLES)))
            raise _wrong(text, path, key, f"unknown key '{key}'", f"There are: {there}")
    tables = {table: _table(content, table, text, path) for table in _TABLES}
    for table in ("roles", "types"):
        for key, action in tables[table].items():
            if action not in ACTIONS:
                raise _wrong(text, path, key, f"'{key}' in [{table}] is {action!r}", f"Write {_either(ACTIONS)}")
    return replace(
        base,
        name=Path(path).stem,
        description=str(content.get("description", base.description)),
        roles={**base.roles, **tables["roles"]},
        types={**base.types, **tables["types"]},
        rules=_rules(base.rules, tables["reconcile"], text, path),
    )


def _base(content: Mapping[str, Any], text: str, path: str) -> Policy:
    extends = content.get("extends")
    if extends is None:
        return Policy(path)
    if extends not in policies():
        raise _wrong(
            text, path, "extends", f"'extends' is {extends!r}", f"The ready policies are {', '.join(policies())}"
        )
    return load_policy(extends)


def _table(content: Mapping[str, Any], table: str, text: str, path: str) -> Mapping[str, Any]:
    found = content.get(table, {})
    if not isinstance(found, Mapping):
        raise _wrong(text, path, table, f"'{table}' is no table", f"Begin it with the line [{table}]")
    for key in found:
        if key not in _KNOWN[table]:
            raise _wrong(text, path, key, f"unknown key '{key}' in [{table}]", f"There are: {', '.join(_KNOWN[table])}")
    return found


def _rules(base: Rules, table: Mapping[str, Any], text: str, path: str) -> Rules:
    for key, value in table.items():
        if (wanted := _wanted(key, value)) is not None:
            raise _wrong(text, path, key, f"'{key}' in [reconcile] is {value!r}", f"Write {wanted}")
    changed: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in table.items()}
    if "model" in changed:
        changed["model"] = str(Path(path).parent / changed["model"])  # beside the policy
    return replace(base, **changed)


def _wanted(key: str, value: Any) -> str | None:
    """What a rule's value should have been, or None where it is right."""
    if key in ("deciding", "outvoted"):
        fits = isinstance(value, list) and all(role in ROLES for role in value)
        return None if fits else f"a list of roles: {', '.join(ROLES)}"
    if key == "otherwise":
        return None if value in ROLES else _either(ROLES)
    if key == "model":
        return None if isinstance(value, str) else "the name of a file"
    number = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1
    return None if number else "a number from 0 to 1"


def _either(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _wrong(text: str, path: str, key: str, problem: str, remedy: str) -> InputError:
    found = re.search(rf"(?m)^[ \t]*(?:\[\s*)?[\"']?{re.escape(key)}[\"']?\s*(?:=|\]|\.)", text)
    return InputError.at(path, problem, line=text.count("\n", 0, found.start()) + 1 if found else None, remedy=remedy)


# --- the decision ---------------------------------------------------------------------------------------------------

ROLE, DECISION, EVIDENCE, CAPACITY, WHY = "role", "decision", "evidence", "capacity", "why"
"""Keys of a mention's further data: the role of its entity, what the policy does with it, what tells the role, what a
party is called ("applicant"), and why it is hidden where neither model nor policy says so."""


@dataclass(frozen=True)
class Decision:
    """What is done with an entity, and why."""

    role: Role
    action: str


def decisions(document: Document, policy: Policy, metadata: Iterable[Known] = ()) -> list[Decision]:
    """The decision for each entity of a linked document, in the order of the text."""
    return decisions_of(document, roles(document, metadata, policy.rules), policy)


def decisions_of(
    document: Document, found: Mapping[str, Role], policy: Policy, told: Mapping[str, str] | None = None
) -> list[Decision]:
    """The decision for each entity whose role is known, what is ``told`` of some by their ids over the policy."""
    said = told or {}
    decided = _named([Decision(role, said.get(key) or _action(role, found, policy)) for key, role in found.items()])
    shown = _of_nobodys_life(document, decided) - said.keys()
    return [replace(d, action=SHOW) if d.role.entity_id in shown else d for d in decided]


def _named(decided: Sequence[Decision]) -> list[Decision]:
    """The decisions, with what is to be hidden only for the names of surely private people in it."""
    hidden = {
        fold(words[-1])
        for d in decided
        if _is_surely_private(d)
        for name in d.role.names
        if (words := name_words(name)) and len(words[-1].strip(".")) > 1
    }
    return [d if d.action != NAMED else replace(d, action=HIDE if _holds(d, hidden) else SHOW) for d in decided]


def _of_nobodys_life(document: Document, decided: Sequence[Decision]) -> frozenset[str]:
    """The ids of addresses, numbers and schools that tell of no private life, see `aef.roles.homes`."""
    contacts = {d.role.entity_id for d in decided if d.role.role in (ADDRESS, "code")}
    addresses = {d.role.entity_id for d in decided if d.role.role == ADDRESS}
    things = {d.role.entity_id for d in decided if d.role.role in _OF_A_LIFE}
    hidden = {d.role.entity_id for d in decided if _is_hidden_person(d)}
    private = {d.role.entity_id for d in decided if _is_surely_private(d) or d.role.role == INITIALS}
    nobodys = addresses_of_nobody(document, addresses, hidden) | things_of_no_life(document, things, private)
    return nobodys | things_of_the_record(document, contacts)


def _is_hidden_person(decision: Decision) -> bool:
    return decision.action in (HIDE, ASK) and decision.role.role not in THINGS


def _is_surely_private(decision: Decision) -> bool:
    return _is_hidden_person(decision) and (decision.role.private is None or decision.role.private >= _SURE)


def _holds(decision: Decision, words: Collection[str]) -> bool:
    """Whether a thing is called by one of the folded words, among others."""
    return any(_folded(word) in words for name in decision.role.names for word in name.split())


def _folded(word: str) -> str:
    return fold(word.strip(SIGNS).removesuffix("'s").removesuffix("’s"))


def _action(role: Role, found: Mapping[str, Role], policy: Policy) -> str:
    """What is done with an entity; one that may be, or names, several people is shown where all of them are."""
    several = {policy.action(found[key].role) for key in role.of_one_of if key in found}
    if not several:
        return policy.action(role.role)
    return several.pop() if len(several) == 1 else ASK


def decide(document: Document, policy: Policy, metadata: Iterable[Known] = ()) -> Document:
    """The linked document with what the policy hides as DIRECT (persons, codes) or QUASI, and the rest as NO_MASK.

    Each mention's ``extra`` has the ``role`` of its entity, the ``decision`` and the ``evidence``. What is asked about
    is hidden; `asked` lists it.
    """
    return marked(document, decisions(document, policy, metadata))


def marked(document: Document, decided: Iterable[Decision]) -> Document:
    """The document with decisions put on its mentions, see `decide`."""
    made = {d.role.entity_id: d for d in decided}
    said = {key: [str(e) for e in d.role.evidence] for key, d in made.items()}
    return document.with_mentions(_marked(mention, made, said) for mention in document.mentions)


def _marked(mention: Mention, made: Mapping[str, Decision], said: Mapping[str, list[str]]) -> Mention:
    decision = made[mention.entity_id or ""]
    role, action = decision.role, decision.action
    extra = {**mention.extra, ROLE: role.role, DECISION: action, EVIDENCE: said.get(mention.entity_id or "", [])}
    extra |= {CAPACITY: role.capacity} if role.capacity else {}
    if action == KEEP:
        return replace(mention, extra=extra)
    hidden = "QUASI" if role.role in THINGS and role.role != "code" else "DIRECT"
    return replace(mention, identifier_type="NO_MASK" if action == SHOW else hidden, extra=extra)


def asked(document: Document) -> list[Mention]:
    """The mentions of a decided document that the policy asks about."""
    return [m for m in document.mentions if m.extra.get(DECISION) == ASK]
