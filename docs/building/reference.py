"""The generated pages of the reference, as Markdown: each from the registry or the parser that the commands use."""

from __future__ import annotations

import argparse
import inspect
import os
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from itertools import groupby
from unittest.mock import patch

import aef
from aef import lexicons, plugins
from aef.annotators.kinds import KINDS
from aef.annotators.pipeline import ready
from aef.commands import COMMANDS, parser_of
from aef.corpus_tools import handwritten
from aef.corpus_tools.document import Document
from aef.corpus_tools.formats.registry import READ_ONLY
from aef.corpus_tools.gold.corpora import FORMATS as GOLD_FORMATS
from aef.corpus_tools.rulings.readers import FORMATS
from aef.evaluation import pictures
from aef.features import REGISTRY, SETS, Feature, feature_names
from aef.learning.selection import Criterion, plot
from aef.replacement.schemes import SCHEMES
from aef.role_features import FEATURES as ROLE_FEATURES
from aef.roles.policy import load_policy, policies

WIDTH = 96
_MARKS = re.compile(r"([\\`*_{}\[\]<>$|#~^])")


def pages() -> dict[str, str]:
    """All generated pages by file name; plug-ins of whoever builds are left out."""
    with patch.dict(os.environ, {"COLUMNS": str(WIDTH), plugins.VARIABLE: ""}):
        made = {f"aef-{name}.md": command(name) for name in COMMANDS}
        return made | {
            "commands.md": commands(),
            "features.md": features(),
            "registries.md": registries(),
            "api.md": api(),
        }


def escaped(text: str) -> str:
    """Plain text as Markdown that reads the same.

    >>> escaped("NAME[-1] and *.docx")
    'NAME\\\\[-1\\\\] and \\\\*.docx'
    """
    return _MARKS.sub(r"\\\1", text)


def fenced(text: str, language: str = "text") -> str:
    return f"```{language}\n{text.rstrip()}\n```\n"


# --- commands -------------------------------------------------------------------------------------------------------


def commands() -> str:
    """The list of commands, with what each is for."""
    rows = "".join(f"| [`aef {name}`](aef-{name}.md) | {escaped(line)} |\n" for name, line in COMMANDS.items())
    tree = "".join(f"aef-{name}\n" for name in COMMANDS)
    return (
        "# Commands\n\nMade from the command line's own help when this site was built. Every command takes `--help`, "
        "overwrites nothing without `--force`, and exits with 0 (done), 1 (a check failed) or 2 (usage or bad "
        "input).\n\n"
        f"| command | |\n|---|---|\n{rows}\n```{{toctree}}\n:hidden:\n\n{tree}```\n"
    )


def command(name: str) -> str:
    """A command's help as a page: what it does, its usage, its options, and what stands below them."""
    parser = parser_of(name, import_module(f"aef.commands.{name}"), ["--help"])
    usage = "\n".join(line.removeprefix(" " * 7) for line in parser.format_usage().removeprefix("usage: ").splitlines())
    options = "".join(_option(parser, action) for action in parser._actions)
    return "\n".join(
        [
            f"# aef {name}\n",
            f"{escaped(_sentence(COMMANDS[name]))}\n",
            fenced(usage),
            options,
            epilog(parser.epilog or ""),
        ]
    )


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _option(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    """One option as the help tells it, the list of values where they are few."""
    formatter = parser._get_formatter()
    told = formatter._expand_help(action) if action.help else ""
    name = formatter._format_action_invocation(action)
    return f"`{name}`\n: {escaped(' '.join(told.split())) or '(no more to say)'}\n\n"


def epilog(text: str) -> str:
    """Examples and remarks below the options: what is indented stays as it stands."""
    found: list[list[str]] = []
    for line in text.splitlines():
        last = found[-1] if found else [""]
        turns = line.startswith("  ") != last[0].startswith("  ")
        if line and (not found or turns or (not last[-1] and not line.startswith("  "))):
            found.append([line])
        elif found:
            found[-1].append(line)
    return "\n".join(_piece("\n".join(lines)) for lines in found)


def _piece(text: str) -> str:
    return fenced(textwrap.dedent(text)) if text.startswith("  ") else f"{escaped(' '.join(text.split()))}\n"


# --- features -------------------------------------------------------------------------------------------------------


def features() -> str:
    """Every feature with its doc, example and gain, by group; then what the model of roles looks at."""
    rulings = handwritten.rulings(half="open")[::3]
    gained = gains(rulings)
    parts = [
        f"# Features\n\nMade from the registry when this site was built: {len(REGISTRY)} features of a token, and "
        f"{len(ROLE_FEATURES)} of a mention or person. How to add one: [](../../how-to/feature.md).\n\n"
        f"What each is worth was measured then, too, on {len(rulings)} hand-written rulings of the package: "
        "the F2 of people's names over five folds, by the feature alone, and by the nine with and without it. On "
        "other rulings it is worth something else: [measure it on yours](../../how-to/study.md).\n\n"
        f"{_sets()}"
    ]
    for group, members in groupby(REGISTRY.values(), key=lambda feature: feature.group):
        module = import_module(f"aef.features.{group}")
        parts.append(f"## {group}\n\n{_text((inspect.getdoc(module) or '').splitlines()[0])}\n")
        parts += [_feature(member, gained.get(member.name, "not measured: it needs NLTK's data")) for member in members]
    rows = "".join(f"| {escaped(f.name)} | {f.of} | {_text(f.help)} |\n" for f in ROLE_FEATURES.values())
    parts.append(f"## roles\n\nWhat tells who somebody is.\n\n| feature | of a | |\n|---|---|---|\n{rows}")
    return "\n".join(parts)


def _sets() -> str:
    rows = "".join(f"| `{name}` | {len(feature_names(name))} | {escaped(SETS[name])} |\n" for name in SETS)
    return f"| set | features | |\n|---|---|---|\n{rows}"


def gains(rulings: Sequence[Document]) -> dict[str, str]:
    """What is said of the worth of each feature that needs no data from elsewhere."""
    names = list(feature_names("all"))
    criterion = Criterion(rulings, names, "names", lexicons.load_all("en"), folds=5)
    nine = {names.index(name) for name in feature_names("nine")}

    def f2(chosen: set[int]) -> float:
        return 100 * criterion.evaluate(sorted(chosen))[0].f2

    whole = f2(nine)
    told = {}
    for number, name in enumerate(names):
        alone, changed = f2({number}), f2(nine ^ {number})
        without, within = (changed, whole) if number in nine else (whole, changed)
        told[name] = f"F2 {alone:.1f} alone; the nine have {without:.1f} without it, {within:.1f} with it"
    return told


def _feature(feature: Feature, gain: str) -> str:
    text = inspect.getdoc(feature.function) or ""
    told, _, example = text.partition(">>>")
    looks = ", ".join(f"`{name}`" for name in feature.parameters)
    tags = ", ".join(f"`{name}`" for name in sorted(feature.tags)) or "none"
    sequential = " It is sequential: computed from predicted labels when tagging." if feature.sequential else ""
    return (
        f"### {escaped(feature.name)}\n\n{_text(told)}\n\nLooks at {looks}; in the sets {tags}.{sequential}\n\n"
        f"Worth: {gain}.\n\n" + fenced(f">>>{example}" if example else "", "pycon")
    )


def _text(text: str) -> str:
    """A docstring's words as Markdown: code and names in code."""
    pieces = re.split(r"``?([^`]+)``?", " ".join(text.split()))
    return "".join(f"`{piece}`" if number % 2 else escaped(piece) for number, piece in enumerate(pieces))


# --- whatever else is registered ------------------------------------------------------------------------------------


def registries() -> str:
    """Formats, schemes, annotators, pipelines, policies and languages."""
    return "\n".join(
        ["# What there is to choose from\n\nMade from the registries when this site was built.\n"]
        + [f"## {title}\n\n{table()}" for title, table in _TABLES.items()]
    )


def _table(rows: Iterable[tuple[str, str]], head: str) -> str:
    return f"| {head} | |\n|---|---|\n" + "".join(f"| `{name}` | {text} |\n" for name, text in rows)


def _documented(known: Iterable[tuple[str, Callable[..., object]]]) -> Iterator[tuple[str, str]]:
    return ((name, _text(function.__doc__ or "")) for name, function in known)


def _formats() -> Iterator[tuple[str, str]]:
    return ((suffix, "read" if suffix in READ_ONLY else "read and written") for suffix in sorted(FORMATS))


def _gold() -> Iterator[tuple[str, str]]:
    return ((name, ", ".join(f"`{suffix}`" for suffix in form.suffixes)) for name, form in GOLD_FORMATS.items())


def _pipelines() -> Iterator[tuple[str, str]]:
    from aef.annotators.pipeline import load

    return ((name, escaped(load(path).description)) for name, path in ready().items())


def _policies() -> Iterator[tuple[str, str]]:
    return ((name, escaped(load_policy(name).description)) for name in policies())


def _languages() -> Iterator[tuple[str, str]]:
    return ((code, f"{len(lexicons.load_all(code))} word lists") for code in lexicons.languages())


_TABLES: dict[str, Callable[[], str]] = {
    "Formats of rulings": lambda: _table(_formats(), "suffix"),
    "Formats of gold corpora": lambda: _table(_gold(), "format"),
    "Replacement schemes": lambda: _table(_documented(SCHEMES.items()), "`--scheme`"),
    "Annotators": lambda: _table(_documented(KINDS.items()), "`--annotator`"),
    "Pipelines": lambda: _table(_pipelines(), "`--annotator`"),
    "Policies": lambda: _table(_policies(), "`--policy`"),
    "Languages": lambda: _table(_languages(), "code"),
}


# --- Python ---------------------------------------------------------------------------------------------------------


def api() -> str:
    """The public names, in the groups and the order of ``help(aef)``."""
    parts = ["# From Python\n\nEverything below stands in `aef` itself; `help(aef)` is the same in short.\n"]
    for title, names in groups().items():
        parts.append(f"## {title}\n\n```{{eval-rst}}\n{''.join(_directive(name) for name in names)}```\n")
    directives = "".join(f".. autofunction:: {name}\n\n" for name in _pictures())
    parts.append(f"## Pictures\n\n```{{eval-rst}}\n{directives}```\n")
    return "\n".join(parts)


def _pictures() -> list[str]:
    """The functions that draw, beside the ``plot()`` of what others return, in the order of their modules."""
    drawn = [
        function
        for module in (pictures, plot)
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__
        and function.__annotations__.get("return") == "Figure"
        and name[0] != "_"
    ]
    return [
        f"{f.__module__}.{f.__name__}" for f in sorted(drawn, key=lambda f: (f.__module__, f.__code__.co_firstlineno))
    ]


def groups() -> dict[str, list[str]]:
    """The names of each section of the docstring of `aef`, by its title; every public name stands in one."""
    found: dict[str, list[str]] = {}
    told = re.findall(
        r"^(\S[^\n]*)\n((?:    [^\n]*\n|\n(?=    ))+)", (aef.__doc__ or "").split("\n\n", 2)[2], re.MULTILINE
    )
    left = [name for name in aef.__all__ if not name.startswith("_")]
    for title, text in told:
        found[title] = [name for name in left if re.search(rf"`{name}`", text)]
        left = [name for name in left if name not in found[title]]
    if left:
        raise ValueError(f"the docstring of aef does not tell of {', '.join(left)}")
    return found


def _directive(name: str) -> str:
    kind = "autoclass" if inspect.isclass(getattr(aef, name)) else "autofunction"
    members = "   :members:\n" if kind == "autoclass" else ""
    return f".. {kind}:: aef.{name}\n{members}\n"
