"""Corrections of mentions by rules that are data: TOML files a user extends.

A rule::

    [[rule]]
    name = "title leaves a name"
    do = "cut-start"
    find = '(?:domnul|doamna)\\s+'
    types = ["PERSON"]                                # default: all; by = [...]: only what these annotators found
    change = ["<domnul Pop> vine -> domnul <Pop> vine"]   # must come out so
    keep = ["<Pop> vine"]                             # must stay as it is

What a rule can do: ``cut-start`` and ``cut-end`` cut what ``find`` matches at the mention's start or end;
``grow-start`` and ``grow-end`` take in what it matches right before or behind; ``drop`` and ``retype`` (with ``to``)
are for a mention that it matches as a whole. ``before`` and ``behind`` are conditions on the text right before and
behind the mention. Expressions are written as in `aef.annotators.patterns`; ``%{name}`` is a piece of the file's
``[pieces]`` or a word list of its ``language``. The rules are applied in order, each once to every mention.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import regex

from aef.annotators.expressions import Expander, compiled, expander
from aef.annotators.overlap import trim
from aef.annotators.patterns import MARKS
from aef.annotators.settings import Settings
from aef.corpus_tools.document import Document, Mention
from aef.errors import InputError

RULES = Path(__file__).parent / "rules"
WINDOW = 80
"""Characters before and behind a mention that a rule sees."""

Expression = regex.Pattern[str]


@dataclass(frozen=True)
class Rule:
    """One rule of a file; see the module's help. `find`, `before` and `behind` are compiled as `do` needs them."""

    name: str
    do: str
    find: Expression
    before: Expression | None
    behind: Expression | None
    types: frozenset[str]
    by: frozenset[str]
    to: str
    change: tuple[str, ...]
    keep: tuple[str, ...]
    path: Path

    def applied(self, text: str, mention: Mention) -> Mention | None:
        """The mention as the rule leaves it; None where it is dropped."""
        if not self._concerns(text, mention):
            return mention
        return DOES[self.do](self, text, mention)

    def _concerns(self, text: str, mention: Mention) -> bool:
        if self.types and (mention.entity_type or "") not in self.types:
            return False
        if self.by and self.by.isdisjoint(mention.extra.get("by", ())):
            return False
        before, behind = text[max(0, mention.start - WINDOW) : mention.start], text[mention.end : mention.end + WINDOW]
        if self.before is not None and not self.before.search(before):
            return False
        return self.behind is None or bool(self.behind.match(behind))

    def failures(self) -> Iterator[str]:
        """Its examples that come out otherwise than they say."""
        for example in self.change:
            given, _, wanted = example.partition(" -> ")
            yield from self._failure(given, wanted, self.do == "retype")
        for example in self.keep:
            yield from self._failure(example, example, False)

    def _failure(self, given: str, wanted: str, retyped: bool) -> Iterator[str]:
        text = given.translate(MARKS)
        start = given.index("<") if "<" in given else 0
        mention = Mention(start, given.index(">") - 1, min(self.types, default=None), extra={"by": sorted(self.by)})
        after = self.applied(text, mention)
        cut = after and f"{text[: after.start]}<{text[after.start : after.end]}>{text[after.end :]}"
        if (cut or text) != wanted or (after is not None and (after.entity_type != mention.entity_type) != retyped):
            yield f"{self.path}: rule '{self.name}': of {given!r} wanted {wanted!r}, got {cut or text!r}"


def correct(document: Document, rules: list[Rule]) -> Document:
    """The document with its mentions corrected by the rules in order."""
    kept = []
    for mention in document.mentions:
        changed: Mention | None = mention
        for rule in rules:
            changed = rule.applied(document.text, changed) if changed is not None else None
        if changed is not None:
            kept.append(changed)
    return document.with_mentions(kept)


# --- what a rule can do ---------------------------------------------------------------------------------------------


def _cut_start(rule: Rule, text: str, mention: Mention) -> Mention | None:
    match = rule.find.match(text, mention.start, mention.end)
    return trim(text, replace(mention, start=match.end())) if match and match.end() > mention.start else mention


def _cut_end(rule: Rule, text: str, mention: Mention) -> Mention | None:
    match = rule.find.search(text[mention.start : mention.end])
    return trim(text, replace(mention, end=mention.start + match.start())) if match else mention


def _grow_start(rule: Rule, text: str, mention: Mention) -> Mention:
    low = max(0, mention.start - WINDOW)
    match = rule.find.search(text[low : mention.start])
    return replace(mention, start=low + match.start()) if match else mention


def _grow_end(rule: Rule, text: str, mention: Mention) -> Mention:
    match = rule.find.match(text[mention.end : mention.end + WINDOW])
    return replace(mention, end=mention.end + match.end()) if match else mention


def _drop(rule: Rule, text: str, mention: Mention) -> Mention | None:
    return None if rule.find.fullmatch(text, mention.start, mention.end) else mention


def _retype(rule: Rule, text: str, mention: Mention) -> Mention:
    return replace(mention, entity_type=rule.to) if rule.find.fullmatch(text, mention.start, mention.end) else mention


DOES: dict[str, Callable[[Rule, str, Mention], Mention | None]] = {
    "cut-start": _cut_start,
    "cut-end": _cut_end,
    "grow-start": _grow_start,
    "grow-end": _grow_end,
    "drop": _drop,
    "retype": _retype,
}
"""What a rule can do with a mention, by name."""
_AT_END = ("cut-end", "grow-start")


# --- reading --------------------------------------------------------------------------------------------------------


def rule_sets() -> dict[str, Path]:
    """The built-in sets of rules by name."""
    return {path.stem: path for path in sorted(RULES.glob("*.toml"))}


def load_rules(file: str | Path) -> tuple[Rule, ...]:
    """The rules of a built-in set or of a file. Raises `InputError` naming what is wrong in it, and where."""
    path = rule_sets().get(str(file), Path(file))
    if not path.exists():
        raise InputError(f"no set of rules is called '{file}', and no file. There are: {', '.join(rule_sets())}")
    return _load(path)


@cache
def _load(path: Path) -> tuple[Rule, ...]:
    settings = Settings.read(path)
    expand = expander(settings.strings("pieces"), settings.text("language", "en"))
    rules = tuple(_rule(table, expand) for table in settings.tables("rule"))
    settings.done("language, [pieces], [[rule]]")
    if not rules:
        raise settings.error("holds no rule", "Begin each with [[rule]]")
    return rules


def _rule(table: Settings, expand: Expander) -> Rule:
    name, do = table.text("name"), table.choice("do", tuple(DOES))
    ignore_case = table.flag("ignore_case")

    def expression(source: str, at_end: bool) -> Expression:
        source = expand(source, table)
        return compiled(f"(?:{source})\\Z" if at_end else source, ignore_case, table)

    find = expression(table.text("find", "(?s:.*)" if do in ("drop", "retype") else None), do in _AT_END)
    before, behind = table.maybe("before"), table.maybe("behind")
    rule = Rule(
        name,
        do,
        find,
        None if before is None else expression(before, True),
        None if behind is None else expression(behind, False),
        frozenset(table.texts("types")),
        frozenset(table.texts("by")),
        table.text("to", None if do == "retype" else ""),
        table.texts("change", None),
        table.texts("keep", None),
        table.path,
    )
    table.done("name, do, find, before, behind, types, by, to, ignore_case, change, keep")
    _must_have_examples(rule, table)
    return rule


def _must_have_examples(rule: Rule, table: Settings) -> None:
    if not rule.change or not rule.keep:
        raise table.error("has no example", "Give one at least that changes and one that stays")
    for example in (*rule.change, *rule.keep):
        given = example.partition(" -> ")[0]
        if given.count("<") != 1 or given.count(">") != 1 or given.index("<") > given.index(">"):
            raise table.error(f"the example {example!r} marks no mention", "Put one between < and >")
    for example in rule.change:
        if " -> " not in example:
            raise table.error(f"the example {example!r} has no ' -> '", "Write what it is, ' -> ', and what it becomes")
