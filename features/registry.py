"""What a feature is, and the one place where all of them are known by name.

A feature is a small decorated function. The names of its parameters say what it may look at; its value is computed
once per distinct argument. It returns ``True`` (the predicate holds), a string (a predicate with a value, such as
the word before) or ``None``/``False`` (inactive: the event has no predicate of this feature).

====================  ==================================================================================
parameter             what it is
====================  ==================================================================================
``word``              the token's text (W0)
``before, before2``   the texts of the one and two tokens before (W-1, W-2)
``after, after2``     the texts of the one and two tokens after (W1, W2)
``first``             whether the token begins a sentence
``tokens``            all tokens of the document, as a list: the function returns one value a token
``lexicons``          the word lists of the language, by name
``label_before``      whether the token before is labelled A (sequential: predicted when tagging)
``label_before2``     whether the token two before is labelled A (sequential)
``seen``              whether this word was labelled A earlier in the document (sequential)
====================  ==================================================================================

Further parameters are registered with `argument`, as small functions themselves: of the ``word`` (and the
``lexicons``), or of the whole ``document`` (an `aef.features.ruling.Ruling`; and the ``frequencies`` of words in the
training documents, an `aef.features.ruling.Frequencies`), with one value a token. With
``_before``, ``_before2``, ``_after`` or ``_after2`` behind its name such a parameter is that of a neighbour.

A sentence boundary is a token of its own, a period, as in the corpus of the AEF thesis (section 3.2); beyond the
document's edges the word is the empty string.
"""

from __future__ import annotations

import difflib
import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, overload

from aef import plugins
from aef.errors import InputError

OFFSETS = {"word": 0, "before": -1, "before2": -2, "after": 1, "after2": 2, "first": 0}
HISTORY = ("label_before", "label_before2", "seen")
_PARAMETERS = {*OFFSETS, *HISTORY, "tokens", "lexicons"}
_NEIGHBOURS = {"_before": -1, "_before2": -2, "_after": 1, "_after2": 2}

Function = Callable[..., Any]


@dataclass(frozen=True)
class Argument:
    """What a feature may ask for by the name of a parameter, computed by a function of the word or of the document."""

    name: str
    function: Function
    help: str
    parameters: tuple[str, ...]

    @property
    def of_document(self) -> bool:
        """Whether it gives a list, one value a token of the document, instead of one value a word."""
        return self.parameters[0] == "document"

    @property
    def of_corpus(self) -> bool:
        """Whether its values change with the training documents."""
        return "frequencies" in self.parameters


ARGUMENTS: dict[str, Argument] = {}


def argument(function: Function) -> Function:
    """Register a function as what features may ask for: a parameter of the function's name.

    Raises `ValueError` for a duplicate name, a missing docstring or parameters other than ``(document)``, ``(document,
    frequencies)``, ``(word)`` and ``(word, lexicons)``.

    >>> @argument
    ... def loudness(word: str) -> str:
    ...     '''How much of the word is in capitals.'''
    ...     return "loud" if word.isupper() else "quiet"
    >>> "loudness" in ARGUMENTS  # and `loudness_before` and `loudness_after` with it
    True
    """
    made = Argument(function.__name__, function, _first_line(function), tuple(inspect.signature(function).parameters))
    if made.parameters not in (("document",), ("document", "frequencies"), ("word",), ("word", "lexicons")):
        raise ValueError(
            f"argument {made.name}: a function of the document (and the frequencies), or of the word (and the "
            "lexicons) is wanted"
        )
    known = ARGUMENTS.get(made.name)
    if made.name in _PARAMETERS or (known and known.function.__module__ != function.__module__):
        raise ValueError(f"argument {made.name} is there already")
    ARGUMENTS[made.name] = made
    return function


def resolve_argument(parameter: str) -> tuple[Argument, int] | None:
    """What a parameter asks for, and how many tokens further; None for one that is not registered."""
    if parameter in ARGUMENTS:
        return ARGUMENTS[parameter], 0
    base, _, suffix = parameter.rpartition("_")
    offset = _NEIGHBOURS.get(f"_{suffix}")
    return (ARGUMENTS[base], offset) if offset and base in ARGUMENTS else None


@dataclass(frozen=True)
class Feature:
    """A registered feature; ``when`` is a condition on the word outside which the feature is inactive.

    ``offset``: of one that is another's value so many tokens further, the other being called ``base``.
    """

    name: str
    function: Function
    group: str
    help: str
    parameters: tuple[str, ...]
    when: Callable[[str], bool] | None = None
    tags: frozenset[str] = frozenset()
    offset: int = 0
    base: str = ""

    @property
    def sequential(self) -> bool:
        """Whether it looks at labels, which have to be predicted when tagging."""
        return any(p in HISTORY for p in self.parameters)


REGISTRY: dict[str, Feature] = {}


@overload
def feature(function: Function) -> Function: ...
@overload
def feature(
    *, name: str | None = None, when: Callable[[str], bool] | None = None, tags: Iterable[str] = ()
) -> Callable[[Function], Function]: ...
def feature(
    function: Function | None = None,
    *,
    name: str | None = None,
    when: Callable[[str], bool] | None = None,
    tags: Iterable[str] = (),
) -> Any:
    """Register a function as a feature, under its own name or ``name``; its module is its group.

    Raises `ValueError` for a duplicate name, a missing docstring or a parameter that no token has.

    >>> @feature(when=str.istitle)
    ... def AfterBetween(before: str) -> bool:
    ...     '''A capitalized word after "between".
    ...
    ...     >>> AfterBetween("between")
    ...     True
    ...     '''
    ...     return before == "between"
    >>> REGISTRY["AfterBetween"].parameters
    ('before',)
    """
    if function is None:
        return lambda f: _register(f, name, when, tags)
    return _register(function, name, when, tags)


def _register(
    function: Function, name: str | None, when: Callable[[str], bool] | None, tags: Iterable[str]
) -> Function:
    made = Feature(
        name=name or function.__name__,
        function=function,
        group=function.__module__.rsplit(".", 1)[-1],
        help=_first_line(function),
        parameters=tuple(inspect.signature(function).parameters),
        when=when,
        tags=frozenset(tags),
    )
    if unknown := {p for p in made.parameters if p not in _PARAMETERS and not resolve_argument(p)}:
        there = sorted({*_PARAMETERS, *ARGUMENTS})
        raise ValueError(f"feature {made.name}: no token has {sorted(unknown)}; there are {there}")
    known = REGISTRY.get(made.name)
    if known is not None and _home(known.function) != _home(function):
        raise ValueError(f"feature {made.name} is registered already, in {known.function.__module__}")
    REGISTRY[made.name] = made
    return function


def _home(function: Function) -> tuple[str, str]:
    """Where a function was defined: a module that is run again registers the same."""
    return function.__module__, function.__qualname__


def _first_line(function: Function) -> str:
    doc = inspect.getdoc(function)
    if not doc:
        raise ValueError(f"feature {function.__name__} has no docstring; its first line is the feature's help")
    return doc.splitlines()[0]


_OFFSET = re.compile(r"(.+)\[([+-]?\d+)\]")


def resolve(name: str) -> Feature:
    """The feature of that name; ``NAME[-1]`` is its value on the token before, ``list:NAME`` membership in a word list.

    Raises `InputError` with the nearest names for a name that is none.
    """
    if name in REGISTRY:
        return REGISTRY[name]
    if name.startswith("list:") and name[5:].replace("-", "_").isidentifier():
        return _list_feature(name[5:])
    if match := _OFFSET.fullmatch(name):
        return _shifted(name, resolve(match[1]), int(match[2]))
    if plugins.more():
        return resolve(name)
    near = difflib.get_close_matches(name, REGISTRY, n=3, cutoff=0.5) or difflib.get_close_matches(
        name.lower(), {n.lower(): n for n in REGISTRY}, n=3
    )
    hint = f"Did you mean {' or '.join(near)}?" if near else "'aef features' lists them"
    raise InputError(f"no feature is called '{name}'. {hint}{plugins.troubles()}")


def _list_feature(lexicon: str) -> Feature:
    def member(word: str, lexicons: dict[str, frozenset[str]]) -> bool:
        if lexicon not in lexicons:
            raise InputError(f"feature list:{lexicon}: no such word list. There are: {', '.join(sorted(lexicons))}")
        return word in lexicons[lexicon] or word.lower() in lexicons[lexicon]

    return Feature(f"list:{lexicon}", member, "dictionary", f"In the word list {lexicon}.", ("word", "lexicons"))


def _shifted(name: str, base: Feature, offset: int) -> Feature:
    if base.sequential:
        raise InputError(f"feature '{name}': {base.name} looks at labels and cannot be read at an offset")
    if base.offset:
        raise InputError(f"feature '{name}': one offset is enough, as in {base.base}[{base.offset + offset}]")
    where = {-1: "before", 1: "after"}.get(offset, f"{offset:+} places further")
    return replace(base, name=name, base=base.name, offset=offset, help=f"Of the token {where}: {base.help}")


SETS: dict[str, str] = {
    "nine": "the nine features the thesis selects (Table 3.7, down to W1)",
    "thesis": "all features of the thesis (Tables 3.2 to 3.4)",
    "rich": "words and kinds of words around a token, runs of capitals, patterns, rarity: for people the default",
    "wide": "rich, of the token before and the token after, too: for everything the default",
    "all": "every registered feature but those of pos",
    "pos": "parts of speech, where NLTK's tagger has its data: add it to a set, as in rich,pos",
}
"""Named feature sets: queries on the features' own tags. ``rich-fr`` tags what `rich` has besides in French,
``wide-es`` what `wide` has in Spanish."""


def feature_names(chosen: str | Sequence[str], language: str = "en") -> tuple[str, ...]:
    """The names of a set (see `SETS`) in a language, of a comma-separated string or of a sequence, each checked.

    >>> feature_names("W0,FirstCap[-1]")
    ('W0', 'FirstCap[-1]')
    """
    if chosen == "all":
        plugins.more()
    if chosen == "wide":
        rich = feature_names("rich", language)
        own = (name for name, one in REGISTRY.items() if f"wide-{language}" in one.tags)
        return (*rich, *(f"{name}[{offset}]" for offset in (-1, 1) for name in rich), *own)
    if isinstance(chosen, str) and chosen in SETS:
        tags = {chosen, f"{chosen}-{language}"}
        return tuple(n for n, f in REGISTRY.items() if tags & f.tags or (chosen == "all" and "pos" not in f.tags))
    names = [n.strip() for n in chosen.split(",")] if isinstance(chosen, str) else list(chosen)
    found: list[str] = []
    for name in names:
        found += feature_names(name, language) if name in SETS else [resolve(name).name]
    return tuple(dict.fromkeys(found))
